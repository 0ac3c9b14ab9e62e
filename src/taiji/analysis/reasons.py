"""Reasons for a move, as codes that any language can translate.

Every reason is a fact about the position before and after the move, from the exact groups and scores:
what the move joins, cuts, covers, or leaves room for. None of them depends on the search.
"""

from __future__ import annotations

from taiji.analysis.data import MoveReason
from taiji.rules import Placement, State, Swap, bits
from taiji.rules.geometry import Adjacency

MAX_REASONS = 3
MIN_ROOM = 2
"""Free squares that are worth mentioning."""

MESSAGES = {
    "wins-now": "ends the game, and wins it",
    "last-piece": "leaves the other side nothing to place",
    "joins": "joins your groups of {sizes} into one of {size}",
    "grows": "raises your counted points from {from} to {to}",
    "covers": "covers {symbols} of the other side's symbols and {own} of your own",
    "keeps-apart": "cuts the other side's groups of {sizes} apart",
    "no-room": "leaves the other side's largest group, of {size}, no room to grow",
    "cuts-room": "takes {squares} free squares from the other side's largest group",
    "makes-room": "leaves your largest group {squares} more squares to grow into",
    "gives-nothing": "adds nothing to what the other side counts",
    "new-group": "starts a group with {squares} free squares around it",
    "spares-own": "covers none of your own symbols",
    "swap": "the other colour is better off",
    "search": "best move after {playouts} playouts",
}
"""The English text of each code."""


def _reason(code: str, cells: int = 0, **params: object) -> MoveReason:
    """Return a reason with its English text; `cells` is a mask."""
    words = {
        name: " and ".join(map(str, value)) if isinstance(value, list) else value
        for name, value in params.items()
    }
    return MoveReason(code, MESSAGES[code].format(**words), tuple(bits(cells)), params)


def explain(state: State, move: Placement | Swap, playouts: int = 0) -> list[MoveReason]:
    """Return up to MAX_REASONS reasons for a legal move, most telling first."""
    if isinstance(move, Swap):
        return [_reason("swap")]
    after = state.play(move)
    reasons = _endings(state, after, move)
    if state.compiled_stage.counts_symbols:
        reasons += _symbols(state, move)
    else:
        reasons += _groups(state, move)
        if not after.is_over and after.stage_index == state.stage_index:
            reasons += _future(state, move)
    return reasons[:MAX_REASONS] or [_reason("search", move.cells, playouts=playouts)]


def _endings(state: State, after: State, move: Placement) -> list[MoveReason]:
    outcome = after.outcome()
    if outcome is not None:
        return [_reason("wins-now", move.cells)] if outcome.winner is state.seat_to_move else []
    if after.stage_index != state.stage_index:
        return [_reason("last-piece", move.cells)]
    return []


def _symbols(state: State, move: Placement) -> list[MoveReason]:
    colour = state.colour_to_move
    theirs = state.symbols.of(colour.other) & move.cells & ~state.covered
    own = state.symbols.of(colour) & move.cells & ~state.covered
    if theirs.bit_count() > own.bit_count():
        return [_reason("covers", theirs, symbols=theirs.bit_count(), own=own.bit_count())]
    return [] if own else [_reason("spares-own", move.cells)]


def _groups(state: State, move: Placement) -> list[MoveReason]:
    """Return the reasons about groups: the mover's joined or grown, the opponent's kept apart."""
    board, score = state.board, state.compiled_stage.score
    adjacency = score.join or Adjacency.EDGE
    colour = state.colour_to_move
    placed = (move.light, move.dark)[colour]
    own, theirs = state.scoring_cells(colour), state.scoring_cells(colour.other)
    reasons: list[MoveReason] = []

    joined = _touched(state, own, placed, adjacency)
    if len(joined) >= 2:
        union = placed
        for group in joined:
            union |= group
        sizes = [group.bit_count() for group in joined]
        reasons.append(_reason("joins", union, groups=len(joined), sizes=sizes, size=union.bit_count()))

    before, after = score.score(board, own), score.score(board, own | placed)
    if after > before and own:
        grown = next((g for g in board.groups(own | placed, adjacency) if g & placed), placed)
        reasons.append(_reason("grows", grown, **{"from": before, "to": after}))

    apart = [g for g in _touched(state, theirs, placed, adjacency) if g.bit_count() >= 2]
    if len(apart) >= 2 and not any(g & _halo(state, apart[0], adjacency) for g in apart[1:]):
        sizes = [apart[0].bit_count(), apart[1].bit_count()]
        reasons.append(_reason("keeps-apart", apart[0] | apart[1] | placed, sizes=sizes))
    return reasons


def _future(state: State, move: Placement) -> list[MoveReason]:
    """Return the reasons about the moves to come: room to grow, and what the opponent gets."""
    board, score = state.board, state.compiled_stage.score
    adjacency = score.join or Adjacency.EDGE
    colour = state.colour_to_move
    placed, others = (move.light, move.dark)[colour], (move.light, move.dark)[colour.other]
    theirs = state.scoring_cells(colour.other)
    reasons = _room(state, move, adjacency)
    if theirs and score.score(board, theirs | others) == score.score(board, theirs):
        reasons.append(_reason("gives-nothing", others))
    free = (_halo(state, placed, adjacency) & ~state.covered & ~move.cells).bit_count()
    if free >= MIN_ROOM and not _touched(state, state.scoring_cells(colour), placed, adjacency):
        reasons.append(_reason("new-group", placed, squares=free))
    return reasons


def _room(state: State, move: Placement, adjacency: Adjacency) -> list[MoveReason]:
    """Compare the free squares around the largest group of each colour before and after."""
    reasons = []
    for colour, code in ((state.colour_to_move.other, "cuts-room"), (state.colour_to_move, "makes-room")):
        own = state.scoring_cells(colour)
        groups = state.board.groups(own, adjacency)
        if not groups:
            continue
        after = state.board.groups(own | (move.light, move.dark)[colour], adjacency)
        grown = next(group for group in after if group & groups[0])
        free_before = _halo(state, groups[0], adjacency) & ~state.covered
        free_after = _halo(state, grown, adjacency) & ~state.covered & ~move.cells
        change = free_after.bit_count() - free_before.bit_count()
        if code == "cuts-room" and free_before and not free_after:
            reasons.append(_reason("no-room", grown, size=grown.bit_count()))
        elif code == "cuts-room" and change <= -MIN_ROOM:
            reasons.append(_reason(code, free_before & move.cells, squares=-change))
        if code == "makes-room" and change >= MIN_ROOM:
            reasons.append(_reason(code, free_after & ~free_before, squares=change))
    return reasons


def _touched(state: State, own: int, placed: int, adjacency: Adjacency) -> list[int]:
    """Return the groups adjacent to the placed squares, largest first."""
    halo = _halo(state, placed, adjacency)
    return [group for group in state.board.groups(own, adjacency) if group & halo]


def _halo(state: State, mask: int, adjacency: Adjacency) -> int:
    """Return the cells adjacent to a mask, without the mask itself."""
    neighbours = state.board.neighbours(adjacency)
    halo = 0
    for cell in bits(mask):
        halo |= neighbours[cell]
    return halo & ~mask
