"""Build a book from engine games: NumPy files of self-play, or records of any format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taiji.analysis.explorer.book import (
    KEY_BYTES,
    MAGIC,
    UNKNOWN_MARGIN,
    UNKNOWN_VALUE,
    VALUE_STEPS,
    VERSION,
    BookError,
)
from taiji.analysis.explorer.keys import get_keys
from taiji.kernel import get_kernel
from taiji.rules import Game, IllegalMove, Seat, parse_game

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_PLIES = 12
MAX_POSITIONS = 16_000
MIN_GAMES = 3
NO_ACTION = -1


@dataclass(frozen=True, slots=True)
class GameBatch:
    """Finished games of one game value."""

    game: str
    player: str
    actions: NDArray[np.int64]
    """Games × plies, -1 after the end."""
    values: NDArray[np.int64] | None = None
    """Win probability of the mover before each ply in steps of 0.5 %, 255 if unknown."""


def read_batches(path: Path) -> Iterator[GameBatch]:
    """Read the games of a NumPy file (`game`, `player`, `actions`, `win_prob`) or of a file of records."""
    if path.suffix == ".npz":
        yield from _read_numpy(path)
    else:
        yield from _read_records(path)


def _read_numpy(path: Path) -> Iterator[GameBatch]:
    try:
        with np.load(path, allow_pickle=False) as data:
            games = np.atleast_1d(data["game"])
            actions = data["actions"].astype(np.int64)
            values = data["win_prob"].astype(np.int64) if "win_prob" in data else None
            player = str(data["player"]) if "player" in data else "unknown"
    except (OSError, ValueError, KeyError) as error:
        raise BookError(f"{path}: not a file of games: {error}") from error
    if games.size == 1:
        yield GameBatch(str(games[0]), player, actions, values)
        return
    for name in np.unique(games):
        rows = games == name
        yield GameBatch(str(name), player, actions[rows], None if values is None else values[rows])


def _read_records(path: Path) -> Iterator[GameBatch]:
    from taiji.kernel.fast_replay import replay_with_kernel
    from taiji.notation.files import read_file

    by_game: dict[str, list[list[int]]] = {}
    with read_file(path, replayer=replay_with_kernel) as records:
        for record in records:
            replay = record.replay()
            if replay.last.is_over:
                moves = [move.action for move in replay.moves]
                by_game.setdefault(str(record.game), []).append(moves)
    for name, games in by_game.items():
        actions = np.full((len(games), max(map(len, games))), NO_ACTION, np.int64)
        for row, moves in enumerate(games):
            actions[row, : len(moves)] = moves
        yield GameBatch(name, path.name, actions)


class BookBuilder:
    """Counts the positions of one game's openings and writes its book."""

    def __init__(self, game: Game, *, plies: int = MAX_PLIES) -> None:
        self._game = game
        self._plies = plies
        self._keys = get_keys(game)
        self._parts: list[NDArray[np.float64]] = []
        self._key_parts: list[NDArray[np.uint64]] = []
        self.games = 0
        self.players: list[str] = []

    def add(self, batch: GameBatch) -> None:
        """Count the games of a batch; raise `BookError` for one that is illegal or not finished."""
        won, margin = self._results(batch)
        plies = min(self._plies, batch.actions.shape[1])
        start = np.array(self._keys.start, np.uint64).T
        lanes = np.repeat(start[:, :, None], len(won), axis=2)
        alive = np.ones(len(won), bool)
        table = self._lane_table()
        for ply in range(plies + 1):
            # A swap or a named komi leaves the position as it is; it was counted before.
            moved = alive if ply == 0 else alive & (batch.actions[:, ply - 1] < len(self._game.placements))
            self._count(lanes, moved, won, margin, self._light_values(batch, ply))
            if ply == plies:
                break
            actions = batch.actions[:, ply]
            alive = alive & (actions != NO_ACTION)
            step = np.where(alive, actions, self._game.action_count)
            lanes = (lanes + table[:, :, step]) & np.uint64(0xFFFFFFFF)
        self.games += len(won)
        if batch.player not in self.players:
            self.players.append(batch.player)

    @property
    def _swap(self) -> int:
        return NO_ACTION - 1 if self._game.swap is None else self._game.swap.action

    def _lane_table(self) -> NDArray[np.uint64]:
        """Return the summands by lane, symmetry and action; the last action adds nothing."""
        count = self._game.action_count
        table = np.zeros((2, len(self._keys.symmetries), count + 1), np.uint64)
        for action in range(count):
            table[:, :, action] = np.array(self._keys.of_action(action), np.uint64).T
        return table

    def _results(self, batch: GameBatch) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Replay every game; return who won, 1 for Light, and the margin of Light."""
        kernel = get_kernel(self._game)
        won = np.zeros(len(batch.actions))
        margin = np.zeros(len(batch.actions))
        for row, actions in enumerate(batch.actions.tolist()):
            position = kernel.start()
            try:
                for action in actions[: actions.index(NO_ACTION) if NO_ACTION in actions else None]:
                    position.play(action)
            except (ValueError, IllegalMove) as error:
                raise BookError(f"{batch.game}: game {row + 1}: {error}") from error
            if not position.is_over:
                raise BookError(f"{batch.game}: game {row + 1}: not finished (expected moves to its end)")
            light = Seat(int(position.core.swapped))
            winner, scores = position.winner(), position.scores()
            won[row] = 0.5 if winner is None else float(winner is light)
            margin[row] = float(scores.of(light) - scores.of(light.other))
        return won, margin

    def _light_values(self, batch: GameBatch, ply: int) -> NDArray[np.float64]:
        """Return Light's win probability by the engine before a ply, NaN if unknown."""
        unknown = np.full(len(batch.actions), np.nan)
        if batch.values is None or ply >= batch.values.shape[1]:
            return unknown
        value = np.where(batch.values[:, ply] == UNKNOWN_VALUE, np.nan, batch.values[:, ply] / VALUE_STEPS)
        swaps = (batch.actions[:, :ply] == self._swap).sum(axis=1)
        is_light = self._light_to_move(ply, swaps)
        return np.where(is_light, value, 1 - value)

    def _light_to_move(self, ply: int, swaps: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return whether Light is to move; openings stay in the first stage, where colours alternate."""
        first = int(self._game.stages[0].first_colour)
        return np.asarray((first + ply - swaps) % 2 == 0)

    def _count(
        self,
        lanes: NDArray[np.uint64],
        rows: NDArray[np.bool_],
        won: NDArray[np.float64],
        margin: NDArray[np.float64],
        value: NDArray[np.float64],
    ) -> None:
        keys = ((lanes[1] & np.uint64(0xFFFF)) << np.uint64(32) | lanes[0]).min(axis=0)[rows]
        known = ~np.isnan(value)
        columns = [np.ones(len(won)), won, margin, np.where(known, value, 0.0), known.astype(float)]
        unique, where = np.unique(keys, return_inverse=True)
        sums = [np.bincount(where, column[rows], len(unique)) for column in columns]
        self._key_parts.append(unique)
        self._parts.append(np.stack(sums, axis=1))

    def write(self, path: Path, *, positions: int = MAX_POSITIONS, min_games: int = MIN_GAMES) -> int:
        """Write the most frequent positions; return how many."""
        unique, where = np.unique(np.concatenate(self._key_parts), return_inverse=True)
        parts = np.concatenate(self._parts)
        sums = np.stack([np.bincount(where, column, len(unique)) for column in parts.T], axis=1)
        order = np.lexsort((unique, -sums[:, 0]))
        chosen = np.sort(order[sums[order, 0] >= min_games][:positions])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self._header(len(chosen)) + _columns(unique[chosen], sums[chosen]))
        return len(chosen)

    def _header(self, positions: int) -> bytes:
        header: dict[str, Any] = {
            MAGIC: VERSION,
            "game": str(self._game),
            "games": self.games,
            "positions": positions,
            "plies": self._plies,
            "players": self.players,
            "symmetries": [list(image) for image in self._keys.symmetries],
        }
        return json.dumps(header, separators=(",", ":")).encode() + b"\n"


def _columns(keys: NDArray[np.uint64], sums: NDArray[np.float64]) -> bytes:
    count = sums[:, 0]
    margin = np.clip(np.round(2 * sums[:, 2] / count), UNKNOWN_MARGIN + 1, 127)
    known = sums[:, 4] > 0
    value = np.round(VALUE_STEPS * sums[:, 3] / np.maximum(sums[:, 4], 1))
    raw = keys.astype("<u8").view(np.uint8).reshape(-1, 8)[:, :KEY_BYTES]
    return b"".join(
        (
            np.ascontiguousarray(raw).tobytes(),
            count.astype("<u4").tobytes(),
            np.round(sums[:, 1]).astype("<u4").tobytes(),
            margin.astype(np.int8).tobytes(),
            np.where(known, value, UNKNOWN_VALUE).astype(np.uint8).tobytes(),
        )
    )


def build_books(paths: Iterable[Path], *, plies: int = MAX_PLIES) -> dict[str, BookBuilder]:
    """Count the games of all files by game."""
    builders: dict[str, BookBuilder] = {}
    for path in paths:
        for batch in read_batches(path):
            game = parse_game(batch.game)
            builder = builders.setdefault(str(game), BookBuilder(game, plies=plies))
            builder.add(batch)
    return builders
