"""A game to be played as a plain value that any worker can be handed, and what came of it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from taiji.arena.custom_game import register_declaration
from taiji.arena.playing import PlayedGame, play_game
from taiji.notation import Record, Termination, format_move
from taiji.notation.records import Evaluation, RecordedMove
from taiji.players import Limit, Player, make_player
from taiji.rules import Seat, parse_game


@dataclass(frozen=True, slots=True)
class GameTask:
    """Who plays whom, at what, from which opening and with how much time; `key` names it for ever."""

    key: str
    game: str
    first: str
    second: str
    limits: tuple[Limit, Limit]
    opening: tuple[int, ...] = ()
    seed: int = 0
    declaration: str = ""
    """The TOML of a game of one's own, which the worker does not know."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """A fixture that was played."""

    key: str
    game: str
    first: str
    second: str
    opening: int
    """How many of the moves belong to the opening."""
    moves: tuple[str, ...]
    winner: int | None
    """The seat that won."""
    scores: tuple[float, float]
    reason: str
    """Why the game ended before the rules ended it."""
    seconds: tuple[float, ...]
    chances: tuple[float | None, ...]
    """For each move, the mover's own estimate of its chance to win."""

    def points(self, seat: Seat) -> float:
        """Return what a seat got: 1, one half or 0."""
        return 0.5 if self.winner is None else float(self.winner == seat)

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> GameResult:
        """Read what `to_json` wrote."""
        values: dict[str, Any] = dict(data)
        for key in ("moves", "scores", "seconds", "chances"):
            values[key] = tuple(values[key])
        return cls(**values)

    def record(self, event: str = "") -> Record:
        """Return the game as a record, with the players' estimates."""
        game = parse_game(self.game)
        moves = _parse_moves(self)
        tags = {"Event": event, "Round": self.key, "Light": self.first, "Dark": self.second}
        winner = None if self.winner is None else Seat(self.winner)
        stopped = Termination.FORFEIT if self.reason else None
        record = Record.of(game, moves, tags, termination=stopped, winner=winner)
        state = game.start()
        steps: list[RecordedMove] = []
        for step, move, chance in zip(record.steps, moves, self.chances, strict=True):
            light = chance if chance is None or state.seat_to_move is Seat.FIRST else 1 - chance
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
    """Play a fixture in this process."""
    register_declaration(task.declaration, task.game)
    game = parse_game(task.game)
    opening = [game.move(number) for number in task.opening]
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
    """Make a player with this seed; outside programs are slow to start, so a worker keeps them."""
    return _cached_player(text, seat) if text.startswith("ugi:") else make_player(text, seed=seed)


def _result(task: GameTask, played: PlayedGame) -> GameResult:
    game = played.final.game
    first, second = played.scores
    return GameResult(
        key=task.key,
        game=task.game,
        first=task.first,
        second=task.second,
        opening=len(task.opening),
        moves=tuple(format_move(game, turn.move) for turn in played.turns),
        winner=None if played.winner is None else int(played.winner),
        scores=(first, second),
        reason=played.reason,
        seconds=tuple(round(turn.seconds, 4) for turn in played.turns),
        chances=tuple(
            None if turn.info.win_prob is None else round(turn.info.win_prob, 4) for turn in played.turns
        ),
    )
