"""The tournament office: takes entries, draws rounds, lays the boards and reads the results from them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from hmac import compare_digest
from typing import TYPE_CHECKING, Any

from taiji.arena.tournaments import (
    Corrected,
    Created,
    Entered,
    Event,
    Format,
    Paired,
    Result,
    Returned,
    Scored,
    Settings,
    TournamentError,
    Withdrew,
    event_to_json,
    match_points,
    next_round,
)
from taiji.rules import GameError, Seat, match_rule, parse_game
from taiji.server import decisions
from taiji.server.errors import Refused
from taiji.server.gamevalue import edition_of
from taiji.server.identities import new_id, new_secret
from taiji.server.table import Sitter, Terms
from taiji.server.tournaments.book import Book
from taiji.server.tournaments.contest import Contest, Place, entered, seated
from taiji.server.tournaments.results import called_off, result_of, rows_of

if TYPE_CHECKING:
    from taiji.server.hall import Hall
    from taiji.server.people import Person
    from taiji.server.room import Room
    from taiji.server.table import Event as TableEvent
    from taiji.server.table import Table
    from taiji.server.tournaments.wishes import NewTournament

log = logging.getLogger("taiji.server")


class Office:
    """Every tournament of this server that somebody has asked for, and those that are being played."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self.book = Book(hall.store, hall.times)
        self._contests: dict[str, Contest] = {}
        self._boards: dict[str, str] = {}
        """For each board in play the tournament that waits for it."""
        self._tasks: set[asyncio.Task[None]] = set()
        hall.rooms.listeners.append(self._heard)

    async def wake_up(self) -> None:
        """Go on with every tournament that was being played when the server stopped."""
        for one in await self.book.unfinished():
            try:
                contest = await self.get(one)
                await self._clear(
                    contest, [place for place in contest.boards if place in contest.state.results]
                )
                await self._settle(contest)
            except Exception:
                log.exception("tournament %s could not go on", one)

    async def close(self) -> None:
        """Let the work in hand end."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def get(self, contest_id: str) -> Contest:
        """Return a tournament, from memory or from disk."""
        known = self._contests.get(contest_id)
        if known is None:
            loaded = await self.book.load(contest_id)
            if loaded is None:
                raise Refused("not-found")
            known = self._contests.setdefault(contest_id, loaded)
            self._watch(known)
        return known

    async def mine(self, ids: frozenset[str]) -> list[Contest]:
        """Return the tournaments that somebody runs or plays in, the latest first."""
        contests = [await self.get(one) for one in await self.book.latest(200)]
        return [one for one in contests if one.organiser in ids or one.number_of(ids) is not None][:50]

    def id_of(self, table: Table) -> str | None:
        """Return the tournament that a table belongs to, while it is being played."""
        return self._boards.get(board_of(table))

    async def of_table(self, table: Table) -> Contest | None:
        """Return the tournament that a table belongs to, while it is being played."""
        contest_id = self.id_of(table)
        return None if contest_id is None else await self.get(contest_id)

    # --- what people do ------------------------------------------------------------------------------------

    async def create(self, person: Person, wish: NewTournament) -> Contest:
        """Begin a tournament."""
        try:
            game = parse_game(wish.game)
            settings = Settings(
                wish.name,
                Format(wish.format),
                str(game),
                2 if wish.match else 1,
                match_rule(wish.game),
                wish.rounds,
            )
        except GameError as error:
            raise Refused("bad-game", str(error)) from error
        except TournamentError as error:
            raise Refused("tournament", str(error)) from error
        now = self._hall.times.now()
        clock = None if wish.clock is None else wish.clock.model_dump()
        contest = Contest(
            new_id(), person.id, new_secret(), edition_of(wish.game), clock, wish.rated, now, updated=now
        )
        await self.book.create(contest, event_to_json(Created(settings)), person.id)
        self._contests[contest.id] = contest
        return contest

    async def join(self, contest: Contest, person: Person, secret: str, name: str) -> int:
        """Enter somebody who has the link; who has entered already stays as they are."""
        if not compare_digest(secret, contest.invite):
            raise Refused("not-found", "this link is not valid any more")
        async with contest.lock:
            number = contest.number_of(person.ids)
            if number is not None:
                return number
            if contest.rated and person.account is None:
                raise Refused("no-account", "this tournament is rated: sign in first")
            kind = person.account.kind if person.account else "person"
            event = Entered(person.account.name if person.account else name)
            await self.book.add(contest, [entered(event, person.id, kind)], person.id)
            return len(contest.state.entrants)

    async def withdraw(self, contest: Contest, person: Person, number: int, back: bool) -> None:
        """Let somebody leave or come back: themselves, or by the organiser."""
        if contest.organiser not in person.ids and contest.number_of(person.ids) != number:
            raise Refused("not-organiser")
        async with contest.lock:
            place = None if back else contest.open_place(number)
            events: list[Event] = [Returned(number) if back else Withdrew(number)]
            if place is not None:
                first = contest.state.pairing(*place).first == number
                events.append(Scored(*place, Result(absent=(first, not first))))
            await self._do(contest, events, person.id)
        if place is not None:
            await self._clear(contest, [place])
        await self._settle(contest)

    async def start(self, contest: Contest, person: Person) -> None:
        """Draw the first round; the others follow by themselves."""
        self._organised(contest, person)
        if not contest.state.rounds:
            async with contest.lock:
                await self._pair(contest)
        await self._settle(contest)

    async def decide(
        self, contest: Contest, person: Person, place: Place, result: Result, reason: str
    ) -> None:
        """Write down or correct a result, as only the organiser may."""
        self._organised(contest, person)
        async with contest.lock:
            known = place in contest.state.results
            event: Event = Corrected(*place, result, reason) if known else Scored(*place, result)
            await self._do(contest, [event], person.id)
        await self._clear(contest, [place])
        await self._settle(contest)

    def _organised(self, contest: Contest, person: Person) -> None:
        if contest.organiser not in person.ids:
            raise Refused("not-organiser")

    # --- what follows by itself ----------------------------------------------------------------------------

    def _heard(self, room: Room, events: list[TableEvent]) -> None:
        if not any(event.kind == "end" for event in events):
            return
        table = room.table
        contest_id = self._boards.get(board_of(table))
        if contest_id is not None:
            task = asyncio.create_task(self._settle_quietly(contest_id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _settle_quietly(self, contest_id: str) -> None:
        try:
            await self._settle(await self.get(contest_id))
        except Exception:
            log.exception("tournament %s could not go on", contest_id)

    async def _settle(self, contest: Contest) -> None:
        """Lay the boards that are missing, take the results that are there, and draw what comes next."""
        async with contest.lock:
            while contest.state.rounds:
                for place in contest.state.missing:
                    await self._look(contest, place)
                if contest.state.missing or contest.state.over:
                    return
                try:
                    await self._pair(contest)
                except Refused:
                    return  # too few are left: the organiser sees it, and may let somebody back in

    async def _look(self, contest: Contest, place: Place) -> None:
        boards = contest.boards.get(place, [])
        if not boards:
            await self._seat(contest, place)
            return
        rows = await self._hall.store.read(partial(rows_of, boards=boards))
        if called_off(rows, boards[-1]):
            await self._seat(contest, place)
            return
        result = result_of(rows, boards)
        if result is None:
            return
        settings = contest.state.settings
        if settings.format is Format.KNOCKOUT and match_points(settings, result) == (0.5, 0.5):
            await self._seat(contest, place)
            return
        await self._do(contest, [Scored(*place, result)], "")

    async def _pair(self, contest: Contest) -> None:
        try:
            pairings = await asyncio.to_thread(next_round, contest.state)
        except TournamentError as error:
            raise Refused("tournament", str(error)) from error
        await self._do(contest, [Paired(pairings)], "")

    async def _seat(self, contest: Contest, place: Place) -> None:
        """Lay a board for a pairing; both sit there at once, so its clock runs."""
        pairing = contest.state.pairing(*place)
        assert pairing.second is not None
        settings = contest.state.settings
        terms = Terms(
            game=settings.game,
            edition=contest.edition,
            rule=settings.rule,
            opponent="link",
            clock=contest.clock,
            takebacks=False,
            rated=contest.rated,
            maker=contest.organiser,
        )
        sitters = {
            seat: await self._sitter(contest, player)
            for seat, player in zip(Seat, (pairing.first, pairing.second), strict=True)
        }

        def event(table: Table) -> dict[str, Any]:
            return seated(place, board_of(table), table.id)

        # The table and the note that it belongs here are written together: neither is ever there alone.
        room = await self._hall.rooms.open(
            terms,
            sitters,
            match=settings.games == 2,
            also=lambda table: self.book.entry(contest, [event(table)], "")[0],
        )
        contest.apply(event(room.table), room.table.created)
        self._boards[board_of(room.table)] = contest.id

    async def _sitter(self, contest: Contest, player: int) -> Sitter:
        person, game = contest.people[player], contest.state.settings.game
        rating = await self._hall.ratings.of(person, game) if contest.rated else None
        return Sitter(person, contest.state.entrant(player).name, contest.kinds[player], rating=rating)

    async def _clear(self, contest: Contest, places: Sequence[Place]) -> None:
        """Call off the games that go on although their pairing has its result."""
        boards = [board for place in places for board in contest.boards.get(place, [])]
        if not boards:
            return
        for row in await self._hall.store.read(partial(rows_of, boards=boards)):
            if row["status"] != "over":
                room = await self._hall.rooms.get(row["id"])
                await self._hall.rooms.do(room, decisions.call_off)

    def _watch(self, contest: Contest) -> None:
        for boards in contest.boards.values():
            self._boards.update(dict.fromkeys(boards, contest.id))

    async def _do(self, contest: Contest, events: Sequence[Event], who: str) -> None:
        await self.book.add(contest, [event_to_json(event) for event in events], who)


def board_of(table: Table) -> str:
    """Return the name of the board that a table is part of: its match, or itself."""
    return table.match.id if table.match else table.id
