"""The tournament office: takes entries, draws rounds, lays the boards and reads the results from them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from hmac import compare_digest
from typing import TYPE_CHECKING, Any

from taiji.arena.tournaments import (
    Created,
    Entered,
    Event,
    Format,
    Paired,
    PairingResult,
    ResultCorrected,
    ResultEntered,
    Returned,
    TournamentError,
    TournamentSettings,
    Withdrew,
    event_to_json,
    match_points,
    next_round,
)
from taiji.rules import GameError, Seat, match_rule, parse_game
from taiji.server.contract.errors import ApiError
from taiji.server.domain import commands as decisions
from taiji.server.domain.game_definition import find_edition
from taiji.server.domain.table import SeatedPlayer, TableSettings
from taiji.server.identity.credentials import new_id, new_secret
from taiji.server.tournaments.hosted import HostedTournament, PairingId, entered, seated
from taiji.server.tournaments.results import pairing_result, table_rows, was_cancelled
from taiji.server.tournaments.store import TournamentStore

if TYPE_CHECKING:
    from taiji.server.contract.tournaments import NewTournament
    from taiji.server.domain.table import Event as TableEvent
    from taiji.server.domain.table import Table
    from taiji.server.identity.users import User
    from taiji.server.live.room import Room
    from taiji.server.web.context import AppContext

log = logging.getLogger("taiji.server")


class TournamentManager:
    """Every tournament of this server that somebody has asked for, and those that are being played."""

    def __init__(self, hall: AppContext) -> None:
        self._hall = hall
        self.store = TournamentStore(hall.store, hall.times)
        self._loaded: dict[str, HostedTournament] = {}
        self._boards: dict[str, str] = {}
        """For each board in play the tournament that waits for it."""
        self._tasks: set[asyncio.Task[None]] = set()
        hall.rooms.listeners.append(self._on_events)

    async def resume_after_restart(self) -> None:
        """Go on with every tournament that was being played when the server stopped."""
        for one in await self.store.unfinished():
            try:
                contest = await self.get(one)
                await self._cancel_decided(
                    contest, [place for place in contest.boards if place in contest.state.results]
                )
                await self._advance(contest)
            except Exception:
                log.exception("tournament %s could not go on", one)

    async def close(self) -> None:
        """Let the work in hand end."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def get(self, contest_id: str) -> HostedTournament:
        """Return a tournament, from memory or from disk."""
        known = self._loaded.get(contest_id)
        if known is None:
            loaded = await self.store.load(contest_id)
            if loaded is None:
                raise ApiError("not-found")
            known = self._loaded.setdefault(contest_id, loaded)
            self._watch(known)
        return known

    async def list_mine(self, ids: frozenset[str]) -> list[HostedTournament]:
        """Return the tournaments that somebody runs or plays in, the latest first."""
        contests = [await self.get(one) for one in await self.store.latest(200)]
        return [one for one in contests if one.organiser in ids or one.find_entrant(ids) is not None][:50]

    def find_id(self, table: Table) -> str | None:
        """Return the tournament that a table belongs to, while it is being played."""
        return self._boards.get(board_id(table))

    async def find_by_table(self, table: Table) -> HostedTournament | None:
        """Return the tournament that a table belongs to, while it is being played."""
        contest_id = self.find_id(table)
        return None if contest_id is None else await self.get(contest_id)

    # --- what people do ------------------------------------------------------------------------------------

    async def create(self, person: User, wish: NewTournament) -> HostedTournament:
        """Begin a tournament."""
        try:
            game = parse_game(wish.game)
            settings = TournamentSettings(
                wish.name,
                Format(wish.format),
                str(game),
                2 if wish.match else 1,
                match_rule(wish.game),
                wish.rounds,
            )
        except GameError as error:
            raise ApiError("bad-game", str(error)) from error
        except TournamentError as error:
            raise ApiError("tournament", str(error)) from error
        now = self._hall.times.now()
        clock = None if wish.clock is None else wish.clock.model_dump()
        contest = HostedTournament(
            new_id(), person.id, new_secret(), find_edition(wish.game), clock, wish.rated, now, updated=now
        )
        await self.store.create(contest, event_to_json(Created(settings)), person.id)
        self._loaded[contest.id] = contest
        return contest

    async def join(self, contest: HostedTournament, person: User, secret: str, name: str) -> int:
        """Enter somebody who has the link; who has entered already stays as they are."""
        if not compare_digest(secret, contest.invite):
            raise ApiError("not-found", "this link is not valid any more")
        async with contest.lock:
            number = contest.find_entrant(person.ids)
            if number is not None:
                return number
            if contest.rated and person.account is None:
                raise ApiError("no-account", "this tournament is rated: sign in first")
            kind = person.account.account_type if person.account else "person"
            event = Entered(person.account.name if person.account else name)
            await self.store.add(contest, [entered(event, person.id, kind)], person.id)
            return len(contest.state.entrants)

    async def withdraw(self, contest: HostedTournament, person: User, number: int, back: bool) -> None:
        """Let somebody leave or come back: themselves, or by the organiser."""
        if contest.organiser not in person.ids and contest.find_entrant(person.ids) != number:
            raise ApiError("not-organiser")
        async with contest.lock:
            place = None if back else contest.open_pairing(number)
            events: list[Event] = [Returned(number) if back else Withdrew(number)]
            if place is not None:
                first = contest.state.pairing(*place).first == number
                events.append(ResultEntered(*place, PairingResult(forfeits=(first, not first))))
            await self._append(contest, events, person.id)
        if place is not None:
            await self._cancel_decided(contest, [place])
        await self._advance(contest)

    async def start(self, contest: HostedTournament, person: User) -> None:
        """Draw the first round; the others follow by themselves."""
        self._require_organiser(contest, person)
        if not contest.state.rounds:
            async with contest.lock:
                await self._pair(contest)
        await self._advance(contest)

    async def set_result(
        self, contest: HostedTournament, person: User, place: PairingId, result: PairingResult, reason: str
    ) -> None:
        """Write down or correct a result, as only the organiser may."""
        self._require_organiser(contest, person)
        async with contest.lock:
            known = place in contest.state.results
            event: Event = ResultCorrected(*place, result, reason) if known else ResultEntered(*place, result)
            await self._append(contest, [event], person.id)
        await self._cancel_decided(contest, [place])
        await self._advance(contest)

    def _require_organiser(self, contest: HostedTournament, person: User) -> None:
        if contest.organiser not in person.ids:
            raise ApiError("not-organiser")

    # --- what follows by itself ----------------------------------------------------------------------------

    def _on_events(self, room: Room, events: list[TableEvent]) -> None:
        if not any(event.event_type == "end" for event in events):
            return
        table = room.table
        contest_id = self._boards.get(board_id(table))
        if contest_id is not None:
            task = asyncio.create_task(self._advance_quietly(contest_id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _advance_quietly(self, contest_id: str) -> None:
        try:
            await self._advance(await self.get(contest_id))
        except Exception:
            log.exception("tournament %s could not go on", contest_id)

    async def _advance(self, contest: HostedTournament) -> None:
        """Lay the boards that are missing, take the results that are there, and draw what comes next."""
        async with contest.lock:
            while contest.state.rounds:
                for place in contest.state.missing:
                    await self._check_pairing(contest, place)
                if contest.state.missing or contest.state.over:
                    return
                try:
                    await self._pair(contest)
                except ApiError:
                    return  # too few are left: the organiser sees it, and may let somebody back in

    async def _check_pairing(self, contest: HostedTournament, place: PairingId) -> None:
        boards = contest.boards.get(place, [])
        if not boards:
            await self._create_board(contest, place)
            return
        rows = await self._hall.store.read(partial(table_rows, boards=boards))
        if was_cancelled(rows, boards[-1]):
            await self._create_board(contest, place)
            return
        result = pairing_result(rows, boards)
        if result is None:
            return
        settings = contest.state.settings
        if settings.format is Format.KNOCKOUT and match_points(settings, result) == (0.5, 0.5):
            await self._create_board(contest, place)
            return
        await self._append(contest, [ResultEntered(*place, result)], "")

    async def _pair(self, contest: HostedTournament) -> None:
        try:
            pairings = await asyncio.to_thread(next_round, contest.state)
        except TournamentError as error:
            raise ApiError("tournament", str(error)) from error
        await self._append(contest, [Paired(pairings)], "")

    async def _create_board(self, contest: HostedTournament, place: PairingId) -> None:
        """Lay a board for a pairing; both sit there at once, so its clock runs."""
        pairing = contest.state.pairing(*place)
        assert pairing.second is not None
        settings = contest.state.settings
        terms = TableSettings(
            game=settings.game,
            edition=contest.edition,
            match_rule=settings.rule,
            opponent="link",
            clock=contest.clock,
            takebacks=False,
            rated=contest.rated,
            creator=contest.organiser,
        )
        sitters = {
            seat: await self._seated_player(contest, player)
            for seat, player in zip(Seat, (pairing.first, pairing.second), strict=True)
        }

        def event(table: Table) -> dict[str, Any]:
            return seated(place, board_id(table), table.id)

        # The table and the note that it belongs here are written together: neither is ever there alone.
        room = await self._hall.rooms.create_table(
            terms,
            sitters,
            match=settings.games == 2,
            extra_write=lambda table: self.store.entry(contest, [event(table)], "")[0],
        )
        contest.apply(event(room.table), room.table.created_at)
        self._boards[board_id(room.table)] = contest.id

    async def _seated_player(self, contest: HostedTournament, player: int) -> SeatedPlayer:
        person, game = contest.player_ids[player], contest.state.settings.game
        rating = await self._hall.ratings.get_rating(person, game) if contest.rated else None
        return SeatedPlayer(
            person, contest.state.entrant(player).name, contest.account_types[player], rating=rating
        )

    async def _cancel_decided(self, contest: HostedTournament, places: Sequence[PairingId]) -> None:
        """Call off the games that go on although their pairing has its result."""
        boards = [board for place in places for board in contest.boards.get(place, [])]
        if not boards:
            return
        for row in await self._hall.store.read(partial(table_rows, boards=boards)):
            if row["status"] != "over":
                room = await self._hall.rooms.get(row["id"])
                await self._hall.rooms.execute_and_wait(room, decisions.cancel)

    def _watch(self, contest: HostedTournament) -> None:
        for boards in contest.boards.values():
            self._boards.update(dict.fromkeys(boards, contest.id))

    async def _append(self, contest: HostedTournament, events: Sequence[Event], who: str) -> None:
        await self.store.add(contest, [event_to_json(event) for event in events], who)


def board_id(table: Table) -> str:
    """Return the name of the board that a table is part of: its match, or itself."""
    return table.match.id if table.match else table.id
