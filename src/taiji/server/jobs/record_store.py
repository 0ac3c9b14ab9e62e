"""Records: tables written as records, and records that people bring along."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select

from taiji.notation import (
    NotationError,
    Record,
    RecordReader,
    Result,
    Termination,
    format_position,
    format_record,
    parse_record,
)
from taiji.rules import GameError, Seat, State, parse_game
from taiji.server.contract import messages as wire
from taiji.server.contract.errors import ApiError
from taiji.server.domain.commands import read_move
from taiji.server.identity.credentials import new_id
from taiji.server.store.schema import records

if TYPE_CHECKING:
    from taiji.rules import Game, Move
    from taiji.server.domain.table import Table
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

ENDED_BY = {"resign": Termination.RESIGNED, "time": Termination.TIME, "aborted": Termination.ABANDONED}
DEFAULT_NAMES = {"person": "?", "bot": "?", "computer": "Computer"}


@dataclass(frozen=True, slots=True)
class ReplayedRecord:
    """A game that can be drawn, downloaded or reviewed: where it begins, its moves, and its record."""

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
        """The position at which the record begins, where it is not the game's start."""
        return None if self.record.start is None else format_position(self.record.start)


def table_record(table: Table) -> Record:
    """Write a table's game as a record."""
    tags = {
        "Site": "taiji",
        "Date": datetime.fromtimestamp(table.created_at / 1000, UTC).strftime("%Y.%m.%d"),
        "Light": _name(table, Seat.FIRST),
        "Dark": _name(table, Seat.SECOND),
    }
    if table.match is not None:
        tags |= {"Match": table.match.id, "MatchGame": str(table.match.game_no)}
    if table.settings.clock is not None:
        tags["TimeControl"] = " ".join(f"{key}={value}" for key, value in table.settings.clock.items())
    result = table.result or {}
    winner = {"first": Seat.FIRST, "second": Seat.SECOND}.get(result.get("winner") or "")
    termination = ENDED_BY.get(result.get("by", ""))
    moves = [table.game.move(played.action) for played in table.moves]
    if termination is Termination.ABANDONED:
        # Nobody has won a game that was called off, and nobody has drawn it.
        record = Record.of(table.game, moves, tags)
    else:
        record = Record.of(table.game, moves, tags, termination=termination, winner=winner)
    left = [
        None if played.remaining_ms is None else max(0, played.remaining_ms) / 1000 for played in table.moves
    ]
    timed = zip(record.steps, left, strict=True)
    return replace(record, steps=tuple(replace(step, clock=clock) for step, clock in timed))


def _name(table: Table, seat: Seat) -> str:
    sitter = table.seats[seat]
    if sitter is None:
        return "?"
    level = f" (level {sitter.level})" if sitter.level is not None else ""
    return (sitter.name or DEFAULT_NAMES[sitter.kind]) + level


def parse_upload(new: wire.NewRecord) -> tuple[Record, int]:
    """Read a record that somebody brings, and say how many games its file holds."""
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
    wanted: Record | None = None
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
            wanted = record if count == index else wanted
        count += 1
    if wanted is None:
        raise ApiError("bad-record", f"there is no game number {index} in this text: it holds {count}")
    return wanted, count


class RecordStore:
    """Keeps the records that people bring."""

    def __init__(self, store: Store, times: TimeSource) -> None:
        self._store = store
        self._times = times

    async def save(self, owner: str, record: Record) -> str:
        """Keep a record, and return its id."""
        row = {
            "id": new_id(),
            "owner": owner,
            "game": str(record.game),
            "text": format_record(record),
            "created": self._times.now(),
        }
        await self._store.write(lambda connection: connection.execute(insert(records), [row]).rowcount)
        return str(row["id"])

    async def get(self, record_id: str) -> Record:
        """Return a record that was kept."""
        query = select(records.c.text).where(records.c.id == record_id)
        text = await self._store.read(lambda connection: connection.execute(query).scalar())
        if text is None:
            raise ApiError("not-found")
        return parse_record(text)


def record_view(identity: str, shown: ReplayedRecord, games: int = 1) -> dict[str, Any]:
    """Return a record as it is sent."""
    record, last = shown.record, shown.states[-1]
    tags = dict(record.tags)
    winner = record.result.winner
    named = {"first": tags.get("Light"), "second": tags.get("Dark")}
    scores = last.scores()
    return {
        "id": identity,
        "game": str(record.game),
        "start": shown.start,
        "names": {seat: None if name in (None, "?") else name for seat, name in named.items()},
        "moves": [
            {"number": move.action, "text": step.move}
            for move, step in zip(shown.moves, islice(record.steps, len(shown.moves)), strict=True)
        ],
        "result": None
        if record.result is Result.OPEN
        else {
            "winner": None if winner is None else winner.name.lower(),
            "by": record.termination.value if record.termination else "score",
            "scores": {"first": scores.first, "second": scores.second},
        },
        "scores": {"first": scores.first, "second": scores.second},
        "over": last.is_over,
        "date": tags.get("Date"),
        "games": games,
    }
