"""Playthroughs: one random game of every kind written out ply by ply, kept as files and asserted.

A playthrough is a picture of the rules as they are. Write the files anew, after looking at what changed, with
`python -m tests.playthroughs`.
"""

from __future__ import annotations

import random
from pathlib import Path

from taiji.rules import Seat, State, parse_game
from tests.rules.helpers import symbols_text, text_of

FOLDER = Path(__file__).parent
SEATS = {Seat.FIRST: "light", Seat.SECOND: "dark", None: "nobody"}

PLAYED = {
    "taiji": ("taiji", 1),
    "taiji-omega-diagonal": ("taiji:size=5,score=omega,diagonal=yes", 2),
    "tailits": ("tailits", 3),
    "tailits-second-free": ("tailits:score=second,set=free", 4),
    "battle-of-lits": ("battle-of-lits", 5),
    "battle-of-lits-drawn": ("battle-of-lits:symbols=x.o.x|.o.x.|ox.xo|.o.x.|x.o.o,swap=no", 6),
    "tailits+taiji": ("tailits+taiji", 7),
    "taiji+battle-of-lits": ("taiji+battle-of-lits", 8),
    "taiji+battle-of-lits-small": ("taiji+battle-of-lits:size=5", 9),
}
"""The game text and the seed behind each file."""


def drawing(state: State) -> list[str]:
    """Draw a board, top row first: squares l d, pieces #, symbols x o, raised ground _, bare cells dots."""
    marks = [("l", state.light), ("d", state.dark), ("#", state.covered)]
    marks += [("x", state.symbols.light), ("o", state.symbols.dark), ("_", state.ground)]
    width = state.board.width
    rows = []
    for row in reversed(range(state.board.height)):
        cells = [1 << (row * width + column) for column in range(width)]
        rows.append("".join(next((mark for mark, mask in marks if mask & cell), ".") for cell in cells))
    return rows


def page(state: State) -> list[str]:
    """Describe one position."""
    scores = state.scores()
    return [
        f"ply {state.ply}, stage {state.stage_index + 1} {state.current_stage.name}",
        *drawing(state),
        f"supply {' '.join(map(str, state.supply))}",
        f"scores {scores.first} {scores.second}",
    ]


def playthrough(text: str, seed: int) -> str:
    """Write out one random game; a swap is taken whenever it is offered."""
    state = parse_game(text).start()
    dice = random.Random(seed)
    lines = [f"game {state.game}", f"seed {seed}", ""]
    if state.current_stage.symbols is not None:
        lines[2:2] = [f"symbols {symbols_text(state.board, state.symbols.light, state.symbols.dark)}"]
    while not state.is_over:
        moves = state.legal()
        move = moves[-1] if state.can_swap else moves[int(dice.random() * len(moves))]
        to_move = f"{SEATS[state.seat_to_move]} to move as {state.colour_to_move.name.lower()}"
        chosen = f"move {text_of(state.board, move)} number {move.action}"
        lines += [*page(state), f"{to_move}, {len(moves)} choices", chosen, ""]
        state = state.play(move)
    outcome = state.outcome()
    assert outcome is not None
    lines += [*page(state), f"over, won by {SEATS[outcome.winner]}"]
    return "\n".join(lines) + "\n"
