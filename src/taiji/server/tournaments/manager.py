"""The tournament manager: takes entries, draws rounds, creates the boards and reads their results."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from hmac import compare_digest
from typing import TYPE_CHECKING

from taiji.arena.tournaments import (
    Created,
    Entered,
    Format,
    Paired,
    PairingResult,
    ResultCorrected,
    ResultEntered,
    Returned,
    TournamentError,
    TournamentSettings,
    Withdrew,
    match_points,
    next_round,
)
from taiji.rules import Seat, match_rule
from taiji.server.contract.errors import ApiError
from taiji.server.contract.events import Ended
from taiji.server.domain import commands
from taiji.server.domain.game_definition import find_edition, playable_game
from taiji.server.domain.table import SeatedPlayer, TableSettings
from taiji.server.identity.credentials import new_id, new_secret
from taiji.server.tournaments.background import BackgroundJobs
from taiji.server.tournaments.hosted import BoardCreated, HostedTournament, UserEntered
from taiji.server.tournaments.results import pairing_result, table_rows, was_cancelled
from taiji.server.tournaments.store import TournamentStore, writing

if TYPE_CHECKING:
    from taiji.server.contract.messages import AccountType
    from taiji.server.contract.tournaments import NewTournament
    from taiji.server.domain.table import Event as TableEvent
    from taiji.server.domain.table import Table
    from taiji.server.identity.users import User
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource
    from taiji.server.tournaments.hosted import HostedEvent, PairingId
    from taiji.server.tournaments.ratings import Ratings

log = logging.getLogger("taiji.server")


class TournamentManager:
    """The tournaments in memory: those that are being played, and those that were requested."""

    def __init__(self, store: Store, rooms: RoomManager, ratings: Ratings, time: TimeSource) -> None:
        self.store = TournamentStore(store, time)
        self._database = store
        self._rooms = rooms
        self._ratings = ratings
        self._time = time
        self._loaded: dict[str, HostedTournament] = {}
        self._boards: dict[str, str] = {}
        """The tournament of each board in play."""
        self._jobs = BackgroundJobs(time)
        rooms.listeners.append(self._on_events)

    async def resume_after_restart(self) -> None:
        """Continue every tournament that was being played when the server stopped."""
        for one in await self.store.unfinished():
            try:
                await self._resume(one)
            except Exception as error:
                log.exception("tournament %s could not be continued", one)
                if not isinstance(error, ApiError) or error.code != "not-found":
                    self._jobs.start(f"tournament {one}", partial(self._resume, one))

    async def _resume(self, tournament_id: str) -> None:
        hosted = await self.get(tournament_id)
        await self._cancel_decided(
            hosted, [pairing_id for pairing_id in hosted.boards if pairing_id in hosted.state.results]
        )
        await self._advance(hosted)

    async def close(self) -> None:
        """Wait for tasks in progress."""
        await self._jobs.close()

    async def get(self, tournament_id: str) -> HostedTournament:
        """Return a tournament, from memory or from disk."""
        known = self._loaded.get(tournament_id)
        if known is not None and known.is_stale:
            del self._loaded[tournament_id]
            known = None
        if known is None:
            loaded = await self.store.load(tournament_id)
            if loaded is None:
                raise ApiError("not-found")
            known = self._loaded.setdefault(tournament_id, loaded)
            self._watch(known)
        return known

    async def list_mine(self, ids: frozenset[str]) -> list[HostedTournament]:
        """Return the tournaments of an organiser or player, latest change first."""
        tournaments = [await self.get(one) for one in await self.store.latest(200)]
        return [one for one in tournaments if one.organiser in ids or one.find_entrant(ids) is not None][:50]

    def find_id(self, table: Table) -> str | None:
        """Return the tournament that a table belongs to, while it is being played."""
        return self._boards.get(board_id(table))

    async def find_by_table(self, table: Table) -> HostedTournament | None:
        """Return the tournament that a table belongs to, while it is being played."""
        tournament_id = self.find_id(table)
        return None if tournament_id is None else await self.get(tournament_id)

    # --- requests ------------------------------------------------------------------------------------------

    async def create(self, user: User, request: NewTournament) -> HostedTournament:
        """Create a tournament."""
        user.refuse_muted()
        game = await asyncio.to_thread(playable_game, request.game)
        try:
            settings = TournamentSettings(
                request.name,
                Format(request.format),
                str(game),
                2 if request.match else 1,
                match_rule(request.game),
                request.rounds,
            )
        except TournamentError as error:
            raise ApiError("tournament", str(error)) from error
        now = self._time.now()
        hosted = HostedTournament(
            new_id(),
            user.id,
            new_secret(),
            find_edition(request.game),
            request.clock,
            request.rated,
            now,
            updated_at=now,
        )
        await self.store.create(hosted, Created(settings), user.id)
        self._loaded[hosted.id] = hosted
        return hosted

    async def join(self, hosted: HostedTournament, user: User, secret: str, name: str) -> int:
        """Enter a user who has the link; return the entrant number, also if entered before."""
        if not compare_digest(secret, hosted.invite):
            raise ApiError("not-found", "the link is not valid any more")
        user.refuse_muted()
        async with hosted.lock:
            entrant_no = hosted.find_entrant(user.ids)
            if entrant_no is not None:
                return entrant_no
            if hosted.rated and user.account is None:
                raise ApiError("no-account", "this tournament is rated: sign in first")
            account_type: AccountType = user.account.account_type if user.account else "person"
            entry = Entered(user.account.name if user.account else name)
            await self.store.append(hosted, [UserEntered(entry, user.id, account_type)], user.id)
            return len(hosted.state.entrants)

    async def withdraw(self, hosted: HostedTournament, user: User, entrant_no: int, back: bool) -> None:
        """Withdraw an entrant or let them return, at their own or the organiser's request."""
        if hosted.organiser not in user.ids and hosted.find_entrant(user.ids) != entrant_no:
            raise ApiError("not-organiser")
        async with hosted.lock:
            pairing_id = None if back else hosted.open_pairing(entrant_no)
            events: list[HostedEvent] = [Returned(entrant_no) if back else Withdrew(entrant_no)]
            if pairing_id is not None:
                first = hosted.state.pairing(*pairing_id).first == entrant_no
                events.append(ResultEntered(*pairing_id, PairingResult(forfeits=(first, not first))))
            await self.store.append(hosted, events, user.id)
        if pairing_id is not None:
            await self._cancel_decided(hosted, [pairing_id])
        await self._advance(hosted)

    async def leave_all(self, user: User) -> None:
        """Withdraw a user who is deleted from every tournament that is not over."""
        for tournament_id in await self.store.unfinished():
            hosted = await self.get(tournament_id)
            entrant_no = hosted.find_entrant(user.ids)
            if entrant_no is not None and not hosted.state.entrant(entrant_no).withdrawn:
                await self.withdraw(hosted, user, entrant_no, back=False)

    async def reload(self, ids: frozenset[str]) -> None:
        """Read the tournaments of a player again, whose name has changed."""
        for hosted in list(self._loaded.values()):
            if hosted.find_entrant(ids) is not None:
                async with hosted.lock:
                    stored = await self.store.load(hosted.id)
                    if stored is not None:
                        hosted.tournament, hosted.cached_data = stored.tournament, None

    async def start(self, hosted: HostedTournament, user: User) -> None:
        """Draw the first round; later rounds are drawn automatically."""
        self._require_organiser(hosted, user)
        if not hosted.state.rounds:
            async with hosted.lock:
                await self._pair(hosted)
        await self._advance(hosted)

    async def set_result(
        self, hosted: HostedTournament, user: User, pairing_id: PairingId, result: PairingResult, reason: str
    ) -> None:
        """Enter or correct a result, as the organiser."""
        self._require_organiser(hosted, user)
        async with hosted.lock:
            known = pairing_id in hosted.state.results
            event: HostedEvent = ResultEntered(*pairing_id, result)
            if known:
                event = ResultCorrected(*pairing_id, result, reason)
            await self.store.append(hosted, [event], user.id)
        await self._cancel_decided(hosted, [pairing_id])
        await self._advance(hosted)

    def _require_organiser(self, hosted: HostedTournament, user: User) -> None:
        if hosted.organiser not in user.ids:
            raise ApiError("not-organiser")

    # --- automatic progress --------------------------------------------------------------------------------

    def _on_events(self, room: Room, events: list[TableEvent]) -> None:
        if not any(isinstance(event.data, Ended) for event in events):
            return
        table = room.table
        tournament_id = self._boards.get(board_id(table))
        if tournament_id is not None:
            self._jobs.start(f"tournament {tournament_id}", partial(self._advance_loaded, tournament_id))

    async def _advance_loaded(self, tournament_id: str) -> None:
        await self._advance(await self.get(tournament_id))

    async def _advance(self, hosted: HostedTournament) -> None:
        """Create missing boards, enter the results of finished ones, and draw the next round."""
        async with hosted.lock:
            while hosted.state.rounds:
                for pairing_id in hosted.state.missing:
                    await self._check_pairing(hosted, pairing_id)
                if hosted.state.missing or hosted.state.over:
                    return
                try:
                    await self._pair(hosted)
                except ApiError as error:
                    if error.code != "tournament":
                        raise
                    return  # too few entrants are left; the organiser may let one return

    async def _check_pairing(self, hosted: HostedTournament, pairing_id: PairingId) -> None:
        boards = hosted.boards.get(pairing_id, [])
        if not boards:
            await self._create_board(hosted, pairing_id)
            return
        rows = await self._database.read(partial(table_rows, boards=boards))
        if was_cancelled(rows, boards[-1]):
            await self._create_board(hosted, pairing_id)
            return
        result = pairing_result(rows, boards)
        if result is None:
            return
        settings = hosted.state.settings
        if settings.format is Format.KNOCKOUT and match_points(settings, result) == (0.5, 0.5):
            await self._create_board(hosted, pairing_id)
            return
        await self.store.append(hosted, [ResultEntered(*pairing_id, result)], "")

    async def _pair(self, hosted: HostedTournament) -> None:
        try:
            pairings = await asyncio.to_thread(next_round, hosted.state)
        except TournamentError as error:
            raise ApiError("tournament", str(error)) from error
        await self.store.append(hosted, [Paired(pairings)], "")

    async def _create_board(self, hosted: HostedTournament, pairing_id: PairingId) -> None:
        """Create a board for a pairing; both players are seated, so the clock starts."""
        pairing = hosted.state.pairing(*pairing_id)
        assert pairing.second is not None
        settings = hosted.state.settings
        table_settings = TableSettings(
            game=settings.game,
            edition=hosted.edition,
            match_rule=settings.rule,
            opponent="tournament",
            clock=hosted.clock,
            takebacks=False,
            rated=hosted.rated,
            creator=hosted.organiser,
        )
        players = {
            seat: await self._seated_player(hosted, entrant_no)
            for seat, entrant_no in zip(Seat, (pairing.first, pairing.second), strict=True)
        }

        def event(table: Table) -> BoardCreated:
            return BoardCreated(pairing_id, board_id(table), table.id)

        # The table and the event that it belongs to the pairing are written in one transaction.
        with writing(hosted):
            room = await self._rooms.create_table(
                table_settings,
                players,
                match=settings.games == 2,
                extra_write=lambda table: self.store.prepare(hosted, [event(table)], "")[0],
            )
        hosted.apply(event(room.table), room.table.created_at)
        self._boards[board_id(room.table)] = hosted.id

    async def _seated_player(self, hosted: HostedTournament, entrant_no: int) -> SeatedPlayer:
        user_id, game = hosted.player_ids[entrant_no], hosted.state.settings.game
        rating = await self._ratings.get_rating(user_id, game) if hosted.rated else None
        name = hosted.state.entrant(entrant_no).name
        return SeatedPlayer(user_id, name, hosted.account_types[entrant_no], rating=rating)

    async def _cancel_decided(self, hosted: HostedTournament, pairing_ids: Sequence[PairingId]) -> None:
        """Abort the games whose pairing has its result already."""
        boards = [board for pairing_id in pairing_ids for board in hosted.boards.get(pairing_id, [])]
        if not boards:
            return
        for row in await self._database.read(partial(table_rows, boards=boards)):
            if row["status"] != "over":
                room = await self._rooms.get(row["id"])
                await self._rooms.execute_and_wait(room, commands.cancel)

    def _watch(self, hosted: HostedTournament) -> None:
        for boards in hosted.boards.values():
            self._boards.update(dict.fromkeys(boards, hosted.id))


def board_id(table: Table) -> str:
    """Return the board of a table: the id of its match, or its own."""
    return table.match.id if table.match else table.id
