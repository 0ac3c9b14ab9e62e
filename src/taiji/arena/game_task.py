"""A game to play, as a plain value for any worker, and its result."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from taiji.arena.custom_game import register_declaration
from taiji.arena.playing import PlayedGame, play_game
from taiji.notation import Record, Termination
from taiji.notation.records import Evaluation, RecordedMove
from taiji.players import Limit, Player, make_player
from taiji.rules import Seat, parse_game


@dataclass(frozen=True, slots=True)
class GameTask:
    """The players, game, opening and limits of one game; `key` identifies it in the journal."""

    key: str
    game: str
    first: str
    second: str
    limits: tuple[Limit, Limit]
    opening: tuple[int, ...] = ()
    seed: int = 0
    declaration: str = ""
    """The TOML of a custom game, which the worker does not know."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a `GameTask`."""

    key: str
    game: str
    first: str
    second: str
    opening: int
    """Number of moves that belong to the opening."""
    moves: tuple[str, ...]
    winner: int | None
    """The seat that won."""
    scores: tuple[float, float]
    reason: str
    """Why the game ended by forfeit; empty if it was played to the end."""
    seconds: tuple[float, ...]
    win_probs: tuple[float | None, ...]
    """For each move, the win probability that the mover reported."""

    def points(self, seat: Seat) -> float:
        """Return the points of a seat: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(self.winner == seat)

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON; the key of `win_probs` is `chances`, as in earlier journals."""
        data = asdict(self)
        data["chances"] = data.pop("win_probs")
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> GameResult:
        """Parse what `to_json` wrote."""
        values: dict[str, Any] = dict(data)
        values["win_probs"] = values.pop("chances")
        for key in ("moves", "scores", "seconds", "win_probs"):
            values[key] = tuple(values[key])
        return cls(**values)

    def record(self, event: str = "") -> Record:
        """Return the game as a record with the players' evaluations."""
        game = parse_game(self.game)
        moves = _parse_moves(self)
        tags = {"Event": event, "Round": self.key, "Light": self.first, "Dark": self.second}
        winner = None if self.winner is None else Seat(self.winner)
        termination = Termination.FORFEIT if self.reason else None
        record = Record.of(game, moves, tags, termination=termination, winner=winner)
        state = game.start()
        steps: list[RecordedMove] = []
        for step, move, mover in zip(record.steps, moves, self.win_probs, strict=True):
            light = mover if mover is None or state.seat_to_move is Seat.FIRST else 1 - mover
            evaluation = None if light is None else Evaluation(win_prob=round(light, 4))
            steps.append(RecordedMove(step.move, evaluation=evaluation))
            state = state.play(move)
        return Record(
            game,
            tuple(steps),
            record.tags,
            record.result,
            record.score,
            record.termination,
            None,
            self.reason,
        )


def _parse_moves(result: GameResult) -> list[Any]:
    from taiji.notation import parse_move

    state = parse_game(result.game).start()
    moves = []
    for text in result.moves:
        moves.append(parse_move(state, text))
        state = state.play(moves[-1])
    return moves


def run_game_task(task: GameTask) -> GameResult:
    """Play a game in this process."""
    register_declaration(task.declaration, task.game)
    game = parse_game(task.game)
    opening = [game.move(action) for action in task.opening]
    players: list[Player] = []
    try:
        for seat, text in enumerate((task.first, task.second)):
            players.append(_player(text, task.seed * 2 + seat, seat))
        played = play_game(game, players, task.limits, opening=opening)
    finally:
        for player in players:
            with suppress(Exception):
                player.new_game()
    return _result(task, played)


@lru_cache(maxsize=64)
def _cached_player(text: str, seat: int) -> Player:
    return make_player(text)


def _player(text: str, seed: int, seat: int) -> Player:
    """Make a player with this seed; a worker keeps external engines, which are slow to start."""
    return _cached_player(text, seat) if text.startswith("ugi:") else make_player(text, seed=seed)


def _result(task: GameTask, played: PlayedGame) -> GameResult:
    first, second = played.scores
    return GameResult(
        key=task.key,
        game=task.game,
        first=task.first,
        second=task.second,
        opening=len(task.opening),
        moves=tuple(str(turn.move) for turn in played.turns),
        winner=None if played.winner is None else int(played.winner),
        scores=(first, second),
        reason=played.reason,
        seconds=tuple(round(turn.seconds, 4) for turn in played.turns),
        win_probs=tuple(
            None if turn.info.win_prob is None else round(turn.info.win_prob, 4) for turn in played.turns
        ),
    )
