"""The lines of UGI: reading what the other side asks and writing what the engine thinks."""

from __future__ import annotations

from dataclasses import dataclass

from taiji.notation import parse_move
from taiji.players.base import Info
from taiji.rules import Move, Seat, State

FEN_FIELDS = 5
"""A position is five words: version, game, placements, mover, seats."""


@dataclass(frozen=True, slots=True)
class Go:
    """How long to think; times are in seconds."""

    times: tuple[float | None, float | None] = (None, None)
    increments: tuple[float, float] = (0.0, 0.0)
    movetime: float | None = None
    nodes: int | None = None
    depth: int | None = None
    infinite: bool = False

    def clock(self, seat: Seat) -> float | None:
        """Return what is left on a seat's clock."""
        return self.times[seat]

    def clock_and_increment(self, seat: Seat) -> tuple[float, float]:
        """Return what is left on a seat's clock and what each move adds."""
        return self.times[seat] or 0.0, self.increments[seat]


def parse_go(text: str) -> Go:
    """Read what follows `go`; times are given in milliseconds, and unknown words are passed over."""
    words = iter(text.split())
    values: dict[str, int] = {}
    infinite = False
    for word in words:
        if word == "infinite":
            infinite = True
        elif word in {"p1time", "p2time", "p1inc", "p2inc", "movetime", "nodes", "depth"}:
            value = next(words, "")
            digits = value.removeprefix("-")
            if not (digits.isascii() and digits.isdigit()) or len(digits) > 12:
                raise ValueError(f"go {word} takes a whole number, not {value[:20]!r}")
            values[word] = int(value)
    for word in ("movetime", "nodes", "depth"):
        if values.get(word, 1) <= 0:
            raise ValueError(f"go {word} takes more than 0")

    def seconds(word: str) -> float | None:
        return max(0, values[word]) / 1000 if word in values else None

    return Go(
        times=(seconds("p1time"), seconds("p2time")),
        increments=(seconds("p1inc") or 0.0, seconds("p2inc") or 0.0),
        movetime=seconds("movetime"),
        nodes=values.get("nodes"),
        depth=values.get("depth"),
        infinite=infinite,
    )


def split_option(text: str) -> tuple[str, str]:
    """Read `name NAME value VALUE`."""
    words = text.split()
    if len(words) < 2 or words[0] != "name":
        raise ValueError("setoption takes: name NAME value VALUE")
    if "value" not in words:
        return " ".join(words[1:]), ""
    middle = words.index("value")
    return " ".join(words[1:middle]), " ".join(words[middle + 1 :])


def split_position(text: str) -> tuple[str, list[str]]:
    """Read `startpos` or `fen FEN`, then `moves …`; an empty FEN is the start."""
    words = text.split()
    if words[:1] == ["startpos"]:
        fen, rest = "", words[1:]
    elif words[:1] == ["fen"]:
        fen, rest = " ".join(words[1 : 1 + FEN_FIELDS]), words[1 + FEN_FIELDS :]
    else:
        raise ValueError("position takes: startpos or fen FEN, then moves …")
    if rest and rest[0] != "moves":
        raise ValueError(f"position: expected 'moves', not {rest[0][:20]!r}")
    return fen, rest[1:]


def parse_info(state: State, text: str, before: Info) -> Info:
    """Read an info line; what it does not say, or says wrongly, stays as it was before."""
    words = text.split()
    found: dict[str, str] = {}
    for index, word in enumerate(words[:-1]):
        if word in {"time", "nodes", "score", "margin"}:
            following = words[index + 2 : index + 3] if word == "score" else words[index + 1 : index + 2]
            found[word] = following[0] if following else ""
        if word == "pv":
            break
    win, margin = _number(found.get("score")), _number(found.get("margin"))
    seconds, playouts = _number(found.get("time")), _number(found.get("nodes"))
    line = _line(state, words[words.index("pv") + 1 :]) if "pv" in words else before.pv
    return Info(
        win_prob=before.win_prob if win is None else min(1.0, max(0.0, win / 1000)),
        margin=before.margin if margin is None else margin,
        pv=line,
        playouts=before.playouts if playouts is None else int(playouts),
        seconds=before.seconds if seconds is None else seconds / 1000,
        exact="exact" in words,
    )


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if abs(value) < 1e15 else None


def _line(state: State, words: list[str]) -> tuple[Move, ...]:
    moves: list[Move] = []
    for word in words:
        try:
            moves.append(parse_move(state, word))
            state = state.play(moves[-1])
        except ValueError:
            break
    return tuple(moves)
