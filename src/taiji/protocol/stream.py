"""Analysis as a stream of JSON objects, one a line, for programs that draw or store it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from taiji.notation import format_move, format_position
from taiji.players import Info, Limit, Player
from taiji.rules import Move, State

Write = Callable[[dict[str, Any]], None]

MAX_CANDIDATES = 10


def info_to_json(state: State, info: Info, *, final: bool, move: Move | None = None) -> dict[str, Any]:
    """Return what a player thinks of a position as plain data, from the mover's side."""

    def text(move: Move) -> str:
        return format_move(state.game, move)

    return {
        "ply": state.ply,
        "position": format_position(state),
        "mover": ("light", "dark")[state.seat_to_move],
        "final": final,
        "move": None if move is None else text(move),
        "win": None if info.win_prob is None else round(info.win_prob, 4),
        "margin": None if info.margin is None else round(info.margin, 2),
        "exact": info.exact,
        "line": [text(move) for move in info.pv],
        "choices": [
            {"move": text(move), "share": round(share, 4), "win": round(win, 4)}
            for move, share, win in info.candidates[:MAX_CANDIDATES]
        ],
        "playouts": info.playouts,
        "playouts_per_s": round(info.speed),
        "seconds": round(info.seconds, 3),
    }


def analyse(state: State, player: Player, limit: Limit, write: Write) -> None:
    """Let a player think about a position; write its interim thoughts and then its answer."""
    if state.is_over:
        outcome = state.outcome()
        assert outcome is not None
        winner = None if outcome.winner is None else ("light", "dark")[outcome.winner]
        write(
            {
                "ply": state.ply,
                "position": format_position(state),
                "final": True,
                "over": True,
                "winner": winner,
                "scores": {"light": outcome.scores.first, "dark": outcome.scores.second},
            }
        )
        return
    player.prepare(state.game)
    move, info = player.choose(
        state, limit, report=lambda info: write(info_to_json(state, info, final=False))
    )
    write(info_to_json(state, info, final=True, move=move))
