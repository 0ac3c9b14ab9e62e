"""Lines of UGI: parse what a client asks and what an engine reports."""

from __future__ import annotations

from dataclasses import dataclass

from taiji.notation import parse_move
from taiji.players.base import Info
from taiji.rules import MatchContext, Move, Points, Seat, State
from taiji.rules.match import MAX_LEAD

FEN_FIELDS = 5
"""Fields of a position: version, game, placements, mover, seats."""
ERROR = "string error:"
"""What follows `info` when a command was refused."""
LEAD, MATCH_TIE = "Lead", "MatchTie"
"""The options that carry what a match adds to its second game."""
GAME_TIE_RULE = "game"
TIE_WINNERS = {"p1": Seat.FIRST, "p2": Seat.SECOND, "draw": None}
"""Who wins equal totals of a match, by the value of the option."""


@dataclass(frozen=True, slots=True)
class Go:
    """The limits of a `go` command; times are in seconds."""

    times: tuple[float | None, float | None] = (None, None)
    increments: tuple[float, float] = (0.0, 0.0)
    movetime: float | None = None
    nodes: int | None = None
    depth: int | None = None
    infinite: bool = False

    def clock(self, seat: Seat) -> float | None:
        """Return the remaining time of a seat, or None without a clock."""
        return self.times[seat]

    def clock_and_increment(self, seat: Seat) -> tuple[float, float]:
        """Return the remaining time and the increment of a seat."""
        return self.times[seat] or 0.0, self.increments[seat]


@dataclass(frozen=True, slots=True)
class EngineOption:
    """An option that an engine announces."""

    name: str
    default: str = ""


def parse_option(text: str) -> EngineOption | None:
    """Parse `option name NAME type TYPE default VALUE …`; return None for any other line."""
    words = text.split()
    if words[:2] != ["option", "name"] or "type" not in words:
        return None
    kind = words.index("type")
    rest = words[kind + 2 :]
    default = rest[1] if rest[:1] == ["default"] and len(rest) > 1 else ""
    return EngineOption(" ".join(words[2:kind]), default)


def match_options(match: MatchContext | None) -> dict[str, str]:
    """Return the values of the options that describe a match; without one, those of a single game."""
    if match is None:
        return {LEAD: "0", MATCH_TIE: GAME_TIE_RULE}
    tie = next(word for word, winner in TIE_WINNERS.items() if winner is match.tie_winner)
    return {LEAD: str(match.lead), MATCH_TIE: tie}


def parse_lead(value: str) -> Points:
    """Parse the lead of player one: points, in halves at the finest."""
    lead = _number(value)
    if lead is None or abs(lead) > MAX_LEAD or lead * 2 != round(lead * 2):
        raise ValueError(f"{LEAD}: invalid value {value[:20]!r} (expected points such as 3 or -2.5)")
    return int(lead) if lead == int(lead) else lead


def parse_go(text: str) -> Go:
    """Parse the rest of a `go` line; times are in milliseconds, unknown words are ignored."""
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
                raise ValueError(f"go {word}: invalid value {value[:20]!r} (expected an integer)")
            values[word] = int(value)
    for word in ("movetime", "nodes", "depth"):
        if values.get(word, 1) <= 0:
            raise ValueError(f"go {word}: invalid (expected a number above 0)")

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
    """Parse `name NAME value VALUE`."""
    words = text.split()
    if len(words) < 2 or words[0] != "name":
        raise ValueError("setoption: invalid (expected name NAME value VALUE)")
    if "value" not in words:
        return " ".join(words[1:]), ""
    middle = words.index("value")
    return " ".join(words[1:middle]), " ".join(words[middle + 1 :])


def split_position(text: str) -> tuple[str, list[str]]:
    """Parse `startpos` or `fen FEN`, then `moves …`; an empty FEN means the start position."""
    words = text.split()
    if words[:1] == ["startpos"]:
        fen, rest = "", words[1:]
    elif words[:1] == ["fen"]:
        fen, rest = " ".join(words[1 : 1 + FEN_FIELDS]), words[1 + FEN_FIELDS :]
    else:
        raise ValueError("position: invalid (expected startpos or fen FEN, then moves …)")
    if rest and rest[0] != "moves":
        raise ValueError(f"position: invalid (expected 'moves', not {rest[0][:20]!r})")
    return fen, rest[1:]


def parse_info(state: State, text: str, before: Info) -> Info:
    """Parse an info line; missing or invalid fields keep their values from `before`."""
    words = text.split()
    fields: dict[str, str] = {}
    for index, word in enumerate(words[:-1]):
        if word in {"time", "nodes", "score", "margin"}:
            following = words[index + 2 : index + 3] if word == "score" else words[index + 1 : index + 2]
            fields[word] = following[0] if following else ""
        if word == "pv":
            break
    win, margin = _number(fields.get("score")), _number(fields.get("margin"))
    seconds, playouts = _number(fields.get("time")), _number(fields.get("nodes"))
    pv = _parse_pv(state, words[words.index("pv") + 1 :]) if "pv" in words else before.pv
    return Info(
        win_prob=before.win_prob if win is None else min(1.0, max(0.0, win / 1000)),
        margin=before.margin if margin is None else margin,
        pv=pv,
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


def _parse_pv(state: State, words: list[str]) -> tuple[Move, ...]:
    moves: list[Move] = []
    for word in words:
        try:
            moves.append(parse_move(state, word))
            state = state.play(moves[-1])
        except ValueError:
            break
    return tuple(moves)
