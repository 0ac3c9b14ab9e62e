"""Reasons for a move, as codes that any language can translate.

Every reason here is a fact about the position before and after the move, from the exact groups and scores:
what the move joins, cuts, covers, or leaves room for. None of them depends on the search. `ownership_reasons`
adds what a net expects to count at the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from taiji.analysis.data import MoveReason
from taiji.rules import Board, Colour, Move, NameKomi, Placement, State, Swap, bits
from taiji.rules.geometry import Adjacency

MAX_REASONS = 3
MIN_ROOM = 2
"""Free squares that are worth mentioning."""
MIDDLE = 1 / 3
"""Part of the board, in each direction, that counts as its middle."""

MESSAGES = {
    "wins-now": "ends the game, and wins it",
    "last-piece": "leaves {other} nothing to place",
    "joins": "joins your groups of {sizes} into one of {size}",
    "grows": "raises your counted points from {from} to {to}",
    "covers": "covers {symbols} of {other}'s symbols and {own} of your own",
    "keeps-apart": "cuts {other}'s groups of {sizes} apart",
    "no-room": "leaves {other}'s group of {size} no room {where}",
    "cuts-room": "takes {squares} free squares from {other}'s largest group {where}",
    "makes-room": "leaves your largest group {squares} more squares to grow into {where}",
    "gives-nothing": "adds nothing to what {other} counts",
    "new-group": "starts a group with {squares} free squares around it",
    "spares-own": "covers none of your own symbols",
    "swap": "the other colour is better off",
    "komi": "both colours look equally good with it",
    "search": "no other move that was tried did better",
    "lets-win": "lets {other} end the game and win it",
    "lets-join": "lets {other} join groups of {sizes} into one of {size}",
    "gives": "gives {other} the {to}",
    "lets-cut": "lets {other} cut your groups of {sizes} apart",
    "lets-close": "leaves your group of {size} no room {where} after the answer",
    "lets-cover": "lets {other} cover {symbols} of your symbols",
    "lets-keep": "probably leaves {other} about {squares} more squares that count {where}",
    "lets-lose": "probably costs you about {squares} squares that would count {where}",
}
"""The English text of each code; `{other}` is the colour of the opponent of the player who is addressed."""

SIDES = {
    "left": "on the left",
    "right": "on the right",
    "top": "at the top",
    "bottom": "at the bottom",
    "middle": "in the middle",
}
"""The English text of each value of the parameter `where`."""

AGAINST = {
    "wins-now": "lets-win",
    "joins": "lets-join",
    "grows": "gives",
    "keeps-apart": "lets-cut",
    "no-room": "lets-close",
    "covers": "lets-cover",
}
"""Reasons for a reply, and what each says against the move before it."""


def _reason(state: State, code: str, cells: int = 0, **params: object) -> MoveReason:
    """Return a reason with its English text; `cells` is a mask."""
    return worded(state, state.colour_to_move, code, tuple(bits(cells)), params)


def worded(
    state: State, addressed: Colour, code: str, cells: tuple[int, ...], params: dict[str, object]
) -> MoveReason:
    """Return a reason with its English text, spoken to a colour."""
    words = {name: _list_words(value) if isinstance(value, list) else value for name, value in params.items()}
    if "where" in params:
        words["where"] = SIDES[str(params["where"])]
    words["other"] = state.game.colour_names.of(addressed.other)
    return MoveReason(code, MESSAGES[code].format(**words), cells, params)


def _list_words(values: list[int]) -> str:
    *others, last = map(str, values)
    return f"{', '.join(others)} and {last}" if others else last


def explain(state: State, move: Move) -> list[MoveReason]:
    """Return up to MAX_REASONS reasons for a legal move, most telling first."""
    if isinstance(move, Swap):
        return [_reason(state, "swap")]
    if isinstance(move, NameKomi):
        return [_reason(state, "komi")]
    after = state.play(move)
    reasons = _endings(state, after, move)
    if state.compiled_stage.counts_symbols:
        reasons += _symbols(state, move)
    else:
        reasons += _groups(state, move)
        if not after.is_over and after.stage_index == state.stage_index:
            reasons += _future(state, move)
    return reasons[:MAX_REASONS] or [_reason(state, "search", move.cells)]


def explain_against(
    state: State, move: Move, reply: Move | None, best: Sequence[Move] = ()
) -> list[MoveReason]:
    """Return what the opponent's `reply` gains from a move, most telling first.

    `best` is the better line. What the opponent gains there all the same says nothing against the move.
    """
    after = state.play(move)
    if (
        reply is None
        or after.is_over
        or after.stage_index != state.stage_index
        or not isinstance(move, Placement)
    ):
        return []
    unavoidable: list[MoveReason] = []
    if len(best) > 1 and not (better := state.play(best[0])).is_over:
        unavoidable = explain(better, best[1]) if better.is_legal(best[1]) else []
    known = {(reason.code, str(reason.params)) for reason in unavoidable}
    return [
        worded(state, state.colour_to_move, AGAINST[reason.code], reason.cells, reason.params)
        for reason in explain(after, reply)
        if reason.code in AGAINST and (reason.code, str(reason.params)) not in known
    ]


def _endings(state: State, after: State, move: Placement) -> list[MoveReason]:
    outcome = after.outcome()
    if outcome is not None:
        return [_reason(state, "wins-now", move.cells)] if outcome.winner is state.seat_to_move else []
    if after.stage_index != state.stage_index:
        return [_reason(state, "last-piece", move.cells)]
    return []


def _symbols(state: State, move: Placement) -> list[MoveReason]:
    colour = state.colour_to_move
    theirs = state.symbols.of(colour.other) & move.cells & ~state.covered
    own = state.symbols.of(colour) & move.cells & ~state.covered
    if theirs.bit_count() > own.bit_count():
        return [_reason(state, "covers", theirs, symbols=theirs.bit_count(), own=own.bit_count())]
    return [] if own else [_reason(state, "spares-own", move.cells)]


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
        reasons.append(
            _reason(state, "joins", union, groups=len(joined), sizes=sizes, size=union.bit_count())
        )

    before, after = score.score(board, own), score.score(board, own | placed)
    if after > before and own:
        grown = next((g for g in board.groups(own | placed, adjacency) if g & placed), placed)
        reasons.append(_reason(state, "grows", grown, **{"from": before, "to": after}))

    apart = [g for g in _touched(state, theirs, placed, adjacency) if g.bit_count() >= 2]
    if len(apart) >= 2 and not any(g & _halo(state, apart[0], adjacency) for g in apart[1:]):
        sizes = [apart[0].bit_count(), apart[1].bit_count()]
        reasons.append(_reason(state, "keeps-apart", apart[0] | apart[1] | placed, sizes=sizes))
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
        reasons.append(_reason(state, "gives-nothing", others))
    free = (_halo(state, placed, adjacency) & ~state.covered & ~move.cells).bit_count()
    if free >= MIN_ROOM and not _touched(state, state.scoring_cells(colour), placed, adjacency):
        reasons.append(_reason(state, "new-group", placed, squares=free))
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
            where = side_of(state.board, free_before)
            reasons.append(_reason(state, "no-room", grown, size=grown.bit_count(), where=where))
        elif code == "cuts-room" and change <= -MIN_ROOM:
            taken = free_before & move.cells
            reasons.append(_reason(state, code, taken, squares=-change, where=side_of(state.board, taken)))
        if code == "makes-room" and change >= MIN_ROOM:
            gained = free_after & ~free_before
            reasons.append(_reason(state, code, gained, squares=change, where=side_of(state.board, gained)))
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


def side_of(board: Board, mask: int) -> str:
    """Return on which side of the board some cells lie: a key of `SIDES`."""
    cells = list(bits(mask))
    if not cells:
        return "middle"
    across = 2 * sum(cell % board.width for cell in cells) / len(cells) - (board.width - 1)
    up = 2 * sum(cell // board.width for cell in cells) / len(cells) - (board.height - 1)
    if max(abs(across) / board.width, abs(up) / board.height) < MIDDLE:
        return "middle"
    if abs(across) / board.width >= abs(up) / board.height:
        return "right" if across > 0 else "left"
    return "top" if up > 0 else "bottom"
