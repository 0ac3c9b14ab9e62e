"""What speaks for a move, in codes that any language can put into words."""

from __future__ import annotations

from dataclasses import dataclass, field

from taiji.rules import Colour, Placement, State, Swap, UncoveredSymbols, bits
from taiji.rules.geometry import Adjacency

MAX_REASONS = 3

MESSAGES = {
    "wins-now": "ends the game, and wins it",
    "last-piece": "leaves the other side nothing to place",
    "joins": "joins {groups} of your groups into one of {size}",
    "grows": "raises your counted points from {from} to {to}",
    "covers": "covers {symbols} of the other side's symbols and {own} of your own",
    "keeps-apart": "stands between two groups of the other side, of {sizes[0]} and {sizes[1]}",
    "cuts-room": "takes {squares} free squares from the other side's largest group",
    "makes-room": "leaves your largest group {squares} more squares to grow into",
    "swap": "the other colour stands better",
    "search": "came out best in {playouts} tries",
}
"""The English sentence of each code."""


@dataclass(frozen=True, slots=True)
class MoveReason:
    """One thing that speaks for a move, with the cells that show it."""

    code: str
    cells: tuple[int, ...] = ()
    params: dict[str, object] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The reason in English."""
        return MESSAGES[self.code].format(**self.params)


def explain(state: State, move: Placement | Swap, playouts: int = 0) -> list[MoveReason]:
    """Say what speaks for a legal move, the most telling first."""
    if isinstance(move, Swap):
        return [MoveReason("swap")]
    after = state.play(move)
    found = _endings(state, after, move)
    if isinstance(state.current_stage.scoring, UncoveredSymbols):
        found += _symbols(state, move)
    else:
        found += _groups(state, move)
    return found[:MAX_REASONS] or [MoveReason("search", tuple(bits(move.cells)), {"playouts": playouts})]


def _endings(state: State, after: State, move: Placement) -> list[MoveReason]:
    outcome = after.outcome()
    if outcome is not None:
        return (
            [MoveReason("wins-now", tuple(bits(move.cells)))] if outcome.winner is state.seat_to_move else []
        )
    if after.stage_index != state.stage_index:
        return [MoveReason("last-piece", tuple(bits(move.cells)))]
    return []


def _symbols(state: State, move: Placement) -> list[MoveReason]:
    mover = state.colour_to_move
    theirs = state.symbols.of(mover.other) & move.cells & ~state.covered
    own = state.symbols.of(mover) & move.cells & ~state.covered
    if theirs.bit_count() <= own.bit_count():
        return []
    params: dict[str, object] = {"symbols": theirs.bit_count(), "own": own.bit_count()}
    return [MoveReason("covers", tuple(bits(theirs)), params)]


def _groups(state: State, move: Placement) -> list[MoveReason]:
    """Look at own and other groups before and after; a placement lays squares of both colours."""
    board, scoring = state.board, state.current_stage.scoring
    adjacency = getattr(scoring, "adjacency", Adjacency.EDGE)
    mover = state.colour_to_move
    laid = (move.light, move.dark)
    own, theirs = state.scoring_cells(mover), state.scoring_cells(mover.other)
    found: list[MoveReason] = []

    joined = _touched(state, own, laid[mover], adjacency)
    if len(joined) >= 2:
        whole = laid[mover]
        for group in joined:
            whole |= group
        params: dict[str, object] = {"groups": len(joined), "size": whole.bit_count()}
        found.append(MoveReason("joins", tuple(bits(whole)), params))

    before, now = scoring.score(board, own), scoring.score(board, own | laid[mover])
    if now > before:
        grown = next((g for g in board.groups(own | laid[mover], adjacency) if g & laid[mover]), laid[mover])
        found.append(MoveReason("grows", tuple(bits(grown)), {"from": before, "to": now}))

    apart = [g for g in _touched(state, theirs, laid[mover], adjacency) if g.bit_count() >= 2]
    if len(apart) >= 2 and not any(g & _reach(state, apart[0], adjacency) for g in apart[1:]):
        cells = apart[0] | apart[1] | laid[mover]
        params = {"sizes": [apart[0].bit_count(), apart[1].bit_count()]}
        found.append(MoveReason("keeps-apart", tuple(bits(cells)), params))
    found += _room(state, move, adjacency)
    return found


def _room(state: State, move: Placement, adjacency: Adjacency) -> list[MoveReason]:
    mover: Colour = state.colour_to_move
    laid = (move.light, move.dark)
    found = []
    for colour, code in ((mover.other, "cuts-room"), (mover, "makes-room")):
        groups = state.board.groups(state.scoring_cells(colour), adjacency)
        if not groups:
            continue
        largest = groups[0]
        grown = next(
            g
            for g in state.board.groups(state.scoring_cells(colour) | laid[colour], adjacency)
            if g & largest
        )
        free_before = _reach(state, largest, adjacency) & ~state.covered
        free_after = _reach(state, grown, adjacency) & ~state.covered & ~move.cells
        change = free_after.bit_count() - free_before.bit_count()
        if code == "cuts-room" and change <= -2:
            found.append(MoveReason(code, tuple(bits(free_before & move.cells)), {"squares": -change}))
        if code == "makes-room" and change >= 2:
            found.append(MoveReason(code, tuple(bits(free_after & ~free_before)), {"squares": change}))
    return found


def _touched(state: State, own: int, laid: int, adjacency: Adjacency) -> list[int]:
    """Return the groups next to the squares that are laid, the largest first."""
    reach = _reach(state, laid, adjacency)
    return [group for group in state.board.groups(own, adjacency) if group & reach]


def _reach(state: State, mask: int, adjacency: Adjacency) -> int:
    near = state.board.neighbours(adjacency)
    reach = 0
    for cell in bits(mask):
        reach |= near[cell]
    return reach & ~mask
