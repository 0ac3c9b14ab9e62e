"""The tournament manager: creates tournaments, takes entries and results, and keeps the rounds going."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from hmac import compare_digest
from typing import TYPE_CHECKING

from taiji.arena.tournaments import (
    Created,
    Entered,
    Format,
    PairingResult,
    ResultCorrected,
    ResultEntered,
    Returned,
    TournamentError,
    TournamentSettings,
    Withdrew,
)
from taiji.rules import match_rule
from taiji.server.contract.errors import ApiError
from taiji.server.contract.events import Ended
from taiji.server.domain.game_definition import find_edition, playable_game
from taiji.server.identity.credentials import new_secret
from taiji.server.tournaments.background import BackgroundJobs
from taiji.server.tournaments.hosted import Cancelled, HostedTournament, UserEntered
from taiji.server.tournaments.loaded import LoadedTournaments
from taiji.server.tournaments.rounds import TournamentRounds
from taiji.server.tournaments.store import TournamentStore

if TYPE_CHECKING:
    from taiji.server.contract.messages import AccountType
    from taiji.server.contract.tournaments import CancelReason, NewTournament
    from taiji.server.domain.table import Event as TableEvent
    from taiji.server.identity.users import User
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource
    from taiji.server.tournaments.hosted import HostedEvent, PairingId
    from taiji.server.tournaments.ratings import Ratings

log = logging.getLogger("taiji.server")

DAY_MS = 86_400_000
MAX_AHEAD_MS = 90 * DAY_MS
"""How long before its start a tournament may be announced."""
SWEEP_INTERVAL_S = 5.0


class TournamentManager:
    """What organisers and players ask for, and the progress after games and restarts."""

    def __init__(self, store: Store, rooms: RoomManager, ratings: Ratings, time: TimeSource) -> None:
        self.store = TournamentStore(store, time)
        self._rooms = rooms
        self._time = time
        self.loaded = LoadedTournaments(self.store, rooms)
        self.rounds = TournamentRounds(store, self.store, self.loaded, rooms, ratings)
        self._jobs = BackgroundJobs(time)
        rooms.listeners.append(self._on_events)

    def start_resuming(self) -> None:
        """Continue the tournaments beside the first requests: those never started may be many."""
        self._jobs.start("tournaments", self.resume_after_restart)

    async def resume_after_restart(self) -> None:
        """Continue every own tournament that was being played when its server stopped, the latest first."""
        for one in await self.store.unfinished():
            if self._jobs.is_closing:
                return
            if self._rooms.ownership.term(one) is None:
                continue
            try:
                await self._resume(one)
            except Exception as error:
                log.exception("tournament %s could not be continued", one)
                if not isinstance(error, ApiError) or error.code != "not-found":
                    self._jobs.start(f"tournament {one}", partial(self._resume, one))

    async def _resume(self, tournament_id: str) -> None:
        hosted = await self.loaded.get(tournament_id)
        await self.rounds.cancel_decided(
            hosted, [pairing_id for pairing_id in hosted.boards if pairing_id in hosted.state.results]
        )
        await self.rounds.advance(hosted)

    async def close(self) -> None:
        """Wait for tasks in progress."""
        await self._jobs.close()

    # --- requests ------------------------------------------------------------------------------------------

    async def create(self, user: User, request: NewTournament) -> HostedTournament:
        """Create a tournament of a user."""
        user.refuse_muted()
        now = self._time.now()
        if request.public and user.account is None:
            raise ApiError("no-account", "a public tournament needs an account: sign in first")
        if request.starts_at is not None and not now < request.starts_at < now + MAX_AHEAD_MS:
            raise ApiError(
                "tournament", f"start time: invalid (expected within {MAX_AHEAD_MS // DAY_MS} days)"
            )
        return await self.create_for(user.id, request)

    async def create_for(
        self, organiser: str, request: NewTournament, recurring_id: str | None = None
    ) -> HostedTournament:
        """Create a tournament; one that recurs has no organiser."""
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
            await self._rooms.new_id(),
            organiser,
            new_secret(),
            find_edition(request.game),
            request.clock,
            request.rated,
            now,
            request.public,
            request.starts_at,
            request.min_players,
            recurring_id,
            updated_at=now,
        )
        await self.store.create(hosted, Created(settings), organiser)
        self.loaded.add(hosted)
        return hosted

    async def join(self, hosted: HostedTournament, user: User, secret: str | None, name: str) -> int:
        """Enter a user who has the link, or anybody if it is public; return the entrant number.

        Users who have entered before keep theirs.
        """
        if not hosted.public and not compare_digest(secret or "", hosted.invite):
            raise ApiError("not-found", "the link is not valid any more")
        if hosted.cancelled is not None:
            raise ApiError("tournament", "the tournament was cancelled")
        user.refuse_muted()
        async with hosted.lock:
            entrant_no = hosted.find_entrant(user.ids)
            if entrant_no is not None:
                return entrant_no
            if hosted.rated and user.account is None:
                raise ApiError("no-account", "this tournament is rated: sign in first")
            account_type: AccountType = user.account.account_type if user.account else "person"
            entry = Entered(user.account.name if user.account else name)
            await self.loaded.append(hosted, lambda: [UserEntered(entry, user.id, account_type)], user.id)
            return hosted.find_entrant(user.ids) or len(hosted.state.entrants)

    async def withdraw(self, hosted: HostedTournament, user: User, entrant_no: int, back: bool) -> None:
        """Withdraw an entrant or let them return, at their own or the organiser's request."""
        if hosted.organiser not in user.ids and hosted.find_entrant(user.ids) != entrant_no:
            raise ApiError("not-organiser")
        async with hosted.lock:
            pairing_id: PairingId | None = None

            def decide() -> list[HostedEvent]:
                nonlocal pairing_id
                pairing_id = None if back else hosted.open_pairing(entrant_no)
                events: list[HostedEvent] = [Returned(entrant_no) if back else Withdrew(entrant_no)]
                if pairing_id is not None:
                    first = hosted.state.pairing(*pairing_id).first == entrant_no
                    events.append(ResultEntered(*pairing_id, PairingResult(forfeits=(first, not first))))
                return events

            await self.loaded.append(hosted, decide, user.id)
        if pairing_id is not None:
            await self.rounds.cancel_decided(hosted, [pairing_id])
        await self.rounds.advance(hosted)

    async def leave_all(self, user: User) -> None:
        """Withdraw a user who is deleted from every tournament that is not over."""
        for tournament_id in await self.store.unfinished():
            hosted = await self.loaded.get(tournament_id)
            entrant_no = hosted.find_entrant(user.ids)
            if entrant_no is not None and not hosted.state.entrant(entrant_no).withdrawn:
                await self.withdraw(hosted, user, entrant_no, back=False)

    async def start(self, hosted: HostedTournament, user: User) -> None:
        """Draw the first round; later rounds are drawn automatically."""
        self._require_organiser(hosted, user)
        await self.begin(hosted)

    async def begin(self, hosted: HostedTournament) -> None:
        """Draw the first round of a tournament that is not cancelled."""
        if hosted.cancelled is not None:
            raise ApiError("tournament", "the tournament was cancelled")
        async with hosted.lock:
            if not hosted.state.rounds:
                await self.rounds.draw(hosted)
        await self.rounds.advance(hosted)

    async def cancel(self, hosted: HostedTournament, reason: CancelReason) -> None:
        """Cancel a tournament that has not begun."""
        async with hosted.lock:
            if not hosted.state.rounds and hosted.cancelled is None:
                await self.loaded.append(hosted, lambda: [Cancelled(reason)], "")

    async def set_result(
        self, hosted: HostedTournament, user: User, pairing_id: PairingId, result: PairingResult, reason: str
    ) -> None:
        """Enter or correct a result, as the organiser."""
        self._require_organiser(hosted, user)
        async with hosted.lock:

            def decide() -> list[HostedEvent]:
                if pairing_id in hosted.state.results:
                    return [ResultCorrected(*pairing_id, result, reason)]
                return [ResultEntered(*pairing_id, result)]

            await self.loaded.append(hosted, decide, user.id)
        await self.rounds.cancel_decided(hosted, [pairing_id])
        await self.rounds.advance(hosted)

    def _require_organiser(self, hosted: HostedTournament, user: User) -> None:
        if hosted.organiser not in user.ids:
            raise ApiError("not-organiser")

    # --- automatic progress --------------------------------------------------------------------------------

    def _on_events(self, room: Room, events: list[TableEvent]) -> None:
        if not any(isinstance(event.data, Ended) for event in events):
            return
        tournament_id = self.loaded.find_id(room.table)
        if tournament_id is not None:
            self._jobs.start(f"tournament {tournament_id}", partial(self._advance_loaded, tournament_id))

    async def _advance_loaded(self, tournament_id: str) -> None:
        await self.rounds.advance(await self.loaded.get(tournament_id))

    async def run_sweep(self) -> None:
        """Look regularly at the own tournaments, in case another server could not reach this one."""
        while True:
            await self._time.sleep(SWEEP_INTERVAL_S)
            for hosted in self.loaded.in_play():
                if self._rooms.ownership.term(hosted.id) is not None:
                    await self._advance_loaded(hosted.id)
