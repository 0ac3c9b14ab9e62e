"""Records: tables as records, and uploaded records."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING

from sqlalchemy import insert, select

from taiji.notation import (
    NotationError,
    Record,
    RecordReader,
    Result,
    Termination,
    format_position,
)
from taiji.rules import GameError, Seat, State, parse_game
from taiji.server.contract.analysis import RecordInfo, RecordMove, RecordNames, RecordResult
from taiji.server.contract.errors import ApiError
from taiji.server.contract.visible_text import make_visible
from taiji.server.domain.commands import read_move
from taiji.server.domain.table import SEATS, optional_seat_name, seat_scores
from taiji.server.identity.credentials import new_id
from taiji.server.store.schema import records

if TYPE_CHECKING:
    from taiji.rules import Game, Move
    from taiji.server.contract.clocks import ClockChoice
    from taiji.server.contract.requests import NewRecord
    from taiji.server.domain.table import Table
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

TERMINATIONS = {"resign": Termination.RESIGNED, "time": Termination.TIME, "aborted": Termination.ABANDONED}
MAX_SHOWN = 60
"""Characters of a name or date from a file that are shown."""
DEFAULT_NAMES = {"person": "?", "bot": "?", "computer": "Computer"}


@dataclass(frozen=True, slots=True)
class ReplayedRecord:
    """A record with its positions and moves."""

    record: Record
    states: tuple[State, ...]
    moves: tuple[Move, ...]

    @classmethod
    def from_record(cls, record: Record) -> ReplayedRecord:
        """Replay a record."""
        replay = record.replay()
        return cls(record, replay.states, replay.moves)

    @property
    def game(self) -> Game:
        """The game that was played."""
        return self.record.game

    @property
    def start(self) -> str | None:
        """The position at which the record begins, unless it is the game's start."""
        return None if self.record.start is None else format_position(self.record.start)


def table_record(table: Table) -> Record:
    """Return a table's game as a record."""
    tags = {
        "Site": "taiji",
        "Date": datetime.fromtimestamp(table.created_at / 1000, UTC).strftime("%Y.%m.%d"),
        "Light": _name(table, Seat.FIRST),
        "Dark": _name(table, Seat.SECOND),
    }
    if table.match is not None:
        tags |= {"Match": table.match.id, "MatchGame": str(table.match.game_no)}
    if table.settings.clock is not None:
        tags["TimeControl"] = _time_control(table.settings.clock)
    result = table.result
    winner = SEATS[result.winner] if result and result.winner else None
    termination = TERMINATIONS.get(result.ended_by) if result else None
    moves = [table.game.move(played.action) for played in table.moves]
    if termination is Termination.ABANDONED:
        # An aborted game has no winner and is not a draw.
        record = Record.of(table.game, moves, tags)
    else:
        record = Record.of(table.game, moves, tags, termination=termination, winner=winner)
    remaining = [
        None if played.remaining_ms is None else max(0, played.remaining_ms) / 1000 for played in table.moves
    ]
    timed = zip(record.steps, remaining, strict=True)
    return replace(record, steps=tuple(replace(step, clock=clock) for step, clock in timed))


def _time_control(clock: ClockChoice) -> str:
    """Return the value of the tag `TimeControl`, such as `kind=fischer main_s=300 increment_s=5`."""
    values = clock.model_dump()
    kind = values.pop("clock_type")
    return " ".join(f"{key}={value}" for key, value in {"kind": kind, **values}.items())


def _name(table: Table, seat: Seat) -> str:
    player = table.seats[seat]
    if player is None:
        return "?"
    level = f" (level {player.level})" if player.level is not None else ""
    return (player.name or DEFAULT_NAMES[player.account_type]) + level


def parse_upload(new: NewRecord) -> tuple[Record, int]:
    """Return an uploaded record and the number of games in its file."""
    try:
        if new.text is not None:
            return _from_text(new.text, new.index)
        assert new.game is not None
        game = parse_game(new.game)
    except (NotationError, GameError) as error:
        raise ApiError("bad-record", str(error)) from error
    state, moves = game.start(), []
    for chosen in new.moves:
        moves.append(read_move(state, chosen))
        reason = state.illegal_reason(moves[-1])
        if reason is not None:
            raise ApiError("bad-record", f"ply {state.ply + 1}: {reason.text}")
        state = state.play(moves[-1])
    tags = {"Light": new.names.first or "?", "Dark": new.names.second or "?"}
    return Record.of(game, moves, tags), 1


def _from_text(text: str, index: int) -> tuple[Record, int]:
    reader = RecordReader(io.StringIO(text))
    requested: Record | None = None
    count = 0
    while True:
        try:
            record = next(reader)
        except StopIteration:
            break
        except NotationError:
            if count == index:
                raise
        else:
            requested = record if count == index else requested
        count += 1
    if requested is None:
        raise ApiError("bad-record", f"index={index}: the text has {count} games")
    return requested, count


class RecordStore:
    """The store of uploaded records."""

    def __init__(self, store: Store, time: TimeSource) -> None:
        self._store = store
        self._time = time

    async def save(self, owner: str, game: str, text: str) -> str:
        """Store a record and return its id."""
        row = {
            "id": new_id(),
            "owner_id": owner,
            "game": game,
            "text": text,
            "created_at": self._time.now(),
        }
        await self._store.write(lambda connection: connection.execute(insert(records), [row]).rowcount)
        return str(row["id"])

    async def text(self, record_id: str) -> str:
        """Return the text of a stored record; reading it costs time, which is for a task."""
        query = select(records.c.text).where(records.c.id == record_id)
        text = await self._store.read(lambda connection: connection.execute(query).scalar())
        if text is None:
            raise ApiError("not-found")
        return str(text)


def record_view(identity: str, replayed: ReplayedRecord, games: int = 1) -> RecordInfo:
    """Return a record as it is sent."""
    record, last = replayed.record, replayed.states[-1]
    tags = dict(record.tags)
    scores = seat_scores(last.scores())
    result = None
    if record.result is not Result.OPEN:
        ended_by = record.termination.value if record.termination else "score"
        winner = optional_seat_name(record.result.winner)
        result = RecordResult(winner=winner, ended_by=ended_by, scores=scores)
    recorded = islice(record.steps, len(replayed.moves))
    return RecordInfo(
        id=identity,
        game=str(record.game),
        start=replayed.start,
        names=RecordNames(first=_shown(tags.get("Light")), second=_shown(tags.get("Dark"))),
        moves=[
            RecordMove(action=move.action, text=step.move)
            for move, step in zip(replayed.moves, recorded, strict=True)
        ],
        result=result,
        scores=scores,
        over=last.is_over,
        date=_shown(tags.get("Date")),
        games=games,
    )


def _shown(text: str | None) -> str | None:
    """Return a tag as it may be shown, or None if it says nothing."""
    shown = make_visible(text or "", MAX_SHOWN)
    return None if shown in ("", "?") else shown
