"""Replay games given as lines of JSON: the contract of `taiji replay --jsonl`."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from taiji.notation import NotationError, format_move, parse_move
from taiji.notation.moves import parse_stage_move
from taiji.rules import GameError, GroupProduct, IllegalMove, Seat, parse_game

if TYPE_CHECKING:
    from taiji.kernel import Kernel
    from taiji.rules import Game, Scores

MAX_LINE_BYTES = 1_000_000
"""The maximum length of one line of input."""

_MAX_EXACT_PRODUCT_CELLS = 100
"""Products over boards of more cells may pass the core's 64 bits; the rules then count by themselves."""


class _LineError(Exception):
    """A line that cannot be replayed; `ply` is 0 if the error is not in a move."""

    def __init__(self, message: str, ply: int = 0) -> None:
        super().__init__(message)
        self.ply = ply


def answer(line: bytes) -> str:
    """Return the line of JSON that answers one line of input."""
    try:
        value = _replay(*_parse_request(line))
    except _LineError as error:
        value = {"error": str(error), "ply": error.ply}
    return json.dumps(value, ensure_ascii=False)


def _parse_request(line: bytes) -> tuple[Game, list[object]]:
    if len(line) > MAX_LINE_BYTES:
        raise _LineError(f"line too long (expected at most {MAX_LINE_BYTES:,} bytes)")
    try:
        value = json.loads(line.rstrip())
    except UnicodeDecodeError:
        raise _LineError("not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise _LineError(f"not JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError):
        raise _LineError("not JSON: number too long, or nested too deep") from None
    if not isinstance(value, dict):
        raise _LineError('expected an object: {"game": "...", "moves": [...]}')
    text, moves = value.get("game"), value.get("moves")
    if not isinstance(text, str):
        raise _LineError("game: expected a string" if "game" in value else "game: missing")
    if not isinstance(moves, list):
        raise _LineError("moves: expected a list" if "moves" in value else "moves: missing")
    try:
        return parse_game(text), moves
    except GameError as error:
        raise _LineError(str(error)) from None


def _replay(game: Game, moves: list[object]) -> dict[str, Any]:
    core = _kernel(game)
    answer = _replay_in_core(game, core, moves) if core is not None else None
    return answer or _replay_by_rules(game, moves)


def _replay_by_rules(game: Game, moves: list[object]) -> dict[str, Any]:
    """Replay with `State`, which can say why a move is illegal."""
    state = game.start()
    legal = []
    for ply, text in enumerate(moves, 1):
        choices = len(state.legal())
        try:
            if not isinstance(text, str):
                raise _LineError(f"ply {ply}: expected a string", ply)
            state = state.play(parse_move(state, text))
        except NotationError as error:
            raise _LineError(f"ply {ply}: {error.message}", ply) from None
        except IllegalMove as error:
            raise _LineError(f"ply {ply}: {error}", ply) from None
        legal.append(choices)
    outcome = state.outcome()
    return _result(game, legal, state.is_over, state.scores(), outcome.winner if outcome else None)


def _replay_in_core(game: Game, core: Kernel, moves: list[object]) -> dict[str, Any] | None:
    """Replay in the compiled core; return None if a move is illegal or cannot be parsed."""
    position = core.start()
    inner = position.core
    texts = _actions_by_text(game)
    legal = []
    for text in moves:
        if not isinstance(text, str):
            return None
        action = texts[inner.stage_index].get(text)
        try:
            if action is None:
                action = parse_stage_move(game, inner.stage_index, text).action
            choices = len(inner.legal())
            inner.play(action)
        except ValueError:
            return None
        legal.append(choices)
    return _result(game, legal, inner.is_over, position.scores(), position.winner())


def _result(game: Game, legal: list[int], over: bool, scores: Scores, winner: Seat | None) -> dict[str, Any]:
    names = {None: None, Seat.FIRST: "light", Seat.SECOND: "dark"}
    return {
        "game": str(game),
        "plies": len(legal),
        "legal": legal,
        "over": over,
        "scores": {"light": scores.first, "dark": scores.second},
        "winner": names[winner],
    }


@lru_cache(maxsize=32)
def _kernel(game: Game) -> Kernel | None:
    """Return the kernel of a game, or None if the core does not support it."""
    for stage in game.stages:
        if isinstance(stage.scoring, GroupProduct) and stage.board.size > _MAX_EXACT_PRODUCT_CELLS:
            return None
    try:
        from taiji.kernel import Kernel

        return Kernel(game)
    except (ImportError, ValueError):
        return None


@lru_cache(maxsize=32)
def _actions_by_text(game: Game) -> tuple[dict[str, int], ...]:
    """Return, for each stage, its actions by their canonical texts."""
    swap = {"swap": game.swap.action} if game.swap else {}
    return tuple(
        {**{format_move(game, placement): placement.action for placement in layout.placements}, **swap}
        for layout in game.layouts
    )
