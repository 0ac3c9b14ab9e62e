"""What a player thinks of a position: its best move, its candidates, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from taiji.analysis.reasons import MoveReason, explain
from taiji.notation.moves import format_move
from taiji.players import Limit, MatchContext, Player
from taiji.rules import Move, Seat, State


@dataclass(frozen=True, slots=True)
class Line:
    """A candidate move; win is for the side to move, share is how much of the search went into it."""

    move: Move
    win: float | None
    margin: float | None
    share: float
    line: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A player's opinion of a position, from the side to move."""

    state: State
    move: Move
    win: float | None
    margin: float | None
    playouts: int
    seconds: float
    player: str
    lines: tuple[Line, ...]
    reasons: tuple[MoveReason, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the evaluation as JSON, moves as action numbers and texts."""
        return {
            "ply": self.state.ply,
            "turn": "first" if self.state.seat_to_move is Seat.FIRST else "second",
            "move": self.move.action,
            "text": format_move(self.state, self.move),
            "win": rounded(self.win, 4),
            "margin": rounded(self.margin, 2),
            "playouts": self.playouts,
            "seconds": round(self.seconds, 3),
            "player": self.player,
            "lines": [
                {
                    "move": line.move.action,
                    "text": format_move(self.state, line.move),
                    "win": rounded(line.win, 4),
                    "margin": rounded(line.margin, 2),
                    "share": round(line.share, 4),
                    "line": [format_move(self.state, move) for move in line.line],
                }
                for line in self.lines
            ],
            "reasons": [
                {"code": why.code, "cells": list(why.cells), "params": why.params, "text": why.text}
                for why in self.reasons
            ],
        }


def rounded(value: float | None, digits: int) -> float | None:
    """Round a number that may be missing."""
    return None if value is None else round(float(value), digits)


def evaluate(
    state: State, player: Player, limit: Limit, *, lines: int = 3, match: MatchContext | None = None
) -> Evaluation:
    """Let a player look at a position that is not over."""
    move, info = player.choose(state, limit, match=match)
    found = [Line(move, info.win_prob, info.margin, 1.0, info.pv or (move,))]
    if info.candidates:
        found = [
            Line(
                choice,
                info.win_prob if choice == move else win,
                info.margin if choice == move else None,
                share,
                info.pv if choice == move and info.pv else (choice,),
            )
            for choice, share, win in info.candidates[:lines]
        ]
    reasons = tuple(explain(state, move, info.playouts))
    return Evaluation(
        state,
        move,
        info.win_prob,
        info.margin,
        info.playouts,
        info.seconds,
        player.name,
        tuple(found),
        reasons,
    )
