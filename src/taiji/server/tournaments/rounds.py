"""The rounds of a tournament: draws them, creates their boards and reads the results."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from taiji.arena.tournaments import (
    Format,
    Paired,
    ResultEntered,
    TournamentError,
    match_points,
    next_round,
)
from taiji.rules import Seat
from taiji.server.cluster.bus import Unreachable
from taiji.server.contract.errors import ApiError
from taiji.server.domain.table import SeatedPlayer, TableSettings
from taiji.server.live.orders import Cancel
from taiji.server.tournaments.hosted import BoardCreated
from taiji.server.tournaments.loaded import board_id
from taiji.server.tournaments.results import pairing_result, table_rows, was_cancelled
from taiji.server.tournaments.store import writing

if TYPE_CHECKING:
    from taiji.server.domain.table import Table
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store
    from taiji.server.tournaments.hosted import HostedTournament, PairingId
    from taiji.server.tournaments.loaded import LoadedTournaments
    from taiji.server.tournaments.ratings import Ratings
    from taiji.server.tournaments.store import TournamentStore

log = logging.getLogger("taiji.server")

ADVANCE_TIMEOUT_S = 5.0
"""How long the owner of a tournament may take to draw a round."""


class TournamentRounds:
    """The automatic progress of tournaments; only the owner of a tournament changes it."""

    def __init__(
        self,
        database: Store,
        store: TournamentStore,
        loaded: LoadedTournaments,
        rooms: RoomManager,
        ratings: Ratings,
    ) -> None:
        self._database = database
        self._store = store
        self._loaded = loaded
        self._rooms = rooms
        self._ratings = ratings
        rooms.peers.answer("advance", self._answer_advance)

    async def advance(self, hosted: HostedTournament) -> None:
        """Create missing boards, enter the results of finished ones, and draw the next round.

        Only the owner of a tournament does this; other servers ask it to.
        """
        if self._rooms.ownership.term(hosted.id) is None:
            await self._ask_owner(hosted)
            return
        async with hosted.lock:
            while hosted.state.rounds:
                for pairing_id in hosted.state.missing:
                    await self._check_pairing(hosted, pairing_id)
                if hosted.state.missing or hosted.state.over:
                    return
                try:
                    await self.draw(hosted)
                except ApiError as error:
                    if error.code != "tournament":
                        raise
                    return  # too few entrants are left; the organiser may let one return

    async def draw(self, hosted: HostedTournament) -> None:
        """Draw the next round; the caller holds the tournament's lock."""
        try:
            pairings = await asyncio.to_thread(next_round, hosted.state)
        except TournamentError as error:
            raise ApiError("tournament", str(error)) from error
        await self._store.append(hosted, [Paired(pairings)], "")

    async def cancel_decided(self, hosted: HostedTournament, pairing_ids: Sequence[PairingId]) -> None:
        """Abort the games whose pairing has its result already."""
        boards = [board for pairing_id in pairing_ids for board in hosted.boards.get(pairing_id, [])]
        if not boards:
            return
        for row in await self._database.read(partial(table_rows, boards=boards)):
            if row["status"] != "over":
                room = await self._rooms.get(row["id"])
                await self._rooms.perform(room, Cancel())

    async def load_boards(self, hosted: HostedTournament) -> None:
        """Follow the boards in play that other servers may own, so that their moves are seen here."""
        if self._rooms.peers.is_alone:
            return
        open_boards = [board for key in hosted.state.missing for board in hosted.boards.get(key, [])[-1:]]
        for row in await self._database.read(partial(table_rows, boards=open_boards)) if open_boards else ():
            if row["status"] != "over":
                await self._rooms.get(row["id"])

    async def _ask_owner(self, hosted: HostedTournament) -> None:
        owner = self._rooms.ownership.owner(hosted.id)
        try:
            await self._rooms.peers.ask(owner or "", "advance", {"tournament": hosted.id}, ADVANCE_TIMEOUT_S)
        except Unreachable:
            log.info("the owner of tournament %s does not answer; it looks by itself", hosted.id)
        if await self._loaded.has_changed(hosted):
            await self._loaded.read_again(hosted)

    async def _answer_advance(self, content: dict[str, Any]) -> dict[str, Any]:
        hosted = await self._loaded.get(content["tournament"])
        if self._rooms.ownership.term(hosted.id) is not None:
            await self.advance(hosted)
        return {}

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
        await self._store.append(hosted, [ResultEntered(*pairing_id, result)], "")

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
            tournament=hosted.id,
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
                extra_write=lambda table: self._store.prepare(hosted, [event(table)], "")[0],
                beside=hosted.id,
            )
        hosted.apply(event(room.table), room.table.created_at)
        self._loaded.add_board(board_id(room.table), hosted)

    async def _seated_player(self, hosted: HostedTournament, entrant_no: int) -> SeatedPlayer:
        user_id, game = hosted.player_ids[entrant_no], hosted.state.settings.game
        rating = await self._ratings.get_rating(user_id, game) if hosted.rated else None
        name = hosted.state.entrant(entrant_no).name
        return SeatedPlayer(user_id, name, hosted.account_types[entrant_no], rating=rating)
