"""Make moves by the keys of the board in one call, without a round trip per key: for whole games."""

from __future__ import annotations

from taiji.rules import Move, Placement, State
from tests.web.browser import PageUser

PLACE = """async ([wanted, ways]) => {
    const surface = document.querySelector('.surface');
    surface.focus();
    const drawn = () => new Promise((done) => { const c = new MessageChannel();
        c.port1.onmessage = done; c.port2.postMessage(0); });
    const press = (key) =>
        surface.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
    const said = () => document.querySelector('.board [aria-live]').innerText;
    for (const keys of ways) {
        keys.forEach(press);
        for (let turn = 0; turn < 8; turn++) {
            await drawn();
            if (said().includes(wanted)) { press('Enter'); return true; }
            press('r');
            if (turn === 3) press('f');
        }
    }
    return false;
}"""


def place(user: PageUser, state: State, move: Move) -> None:
    """Make a move: a swap by its button, any piece by the keyboard."""
    if not isinstance(move, Placement):
        user.place(state, move)
        return
    words = state.game.colour_names
    names = lambda mask: " ".join(state.board.names(mask))  # noqa: E731
    wanted = (
        f"{words.light} {names(move.light)}, {words.dark} {names(move.dark)}."
        if move.light
        else f"{names(move.cells)}."
    )
    ways = [
        [*chosen, *_keys_to(state, cell)]
        for chosen in _choices(state, move)
        for cell in state.board.names(move.cells)
    ]
    assert user.page.evaluate(PLACE, [wanted, ways]), f"no way to place {move!s}"


def _choices(state: State, move: Placement) -> list[list[str]]:
    """Return the keys that choose each piece with the face of a move."""
    pieces = state.current_stage.pieces
    if move.kind == "taijitu":
        return [[]]
    same = [index for index, piece in enumerate(pieces) if piece.kind == move.kind]
    faces = [index for index in same if pieces[index].stock == move.stock]
    return [[move.kind.lower(), str(1 + same.index(face))] for face in faces]


def _keys_to(state: State, cell: str) -> list[str]:
    """Return the keys that move the cursor to a cell."""
    right = ord(cell[0]) - ord("a") - state.board.width // 2
    up = int(cell[1:]) - 1 - state.board.height // 2
    across = ["ArrowRight" if right > 0 else "ArrowLeft"] * abs(right)
    return ["Escape", "ArrowUp", *across, *["ArrowUp" if up > 0 else "ArrowDown"] * abs(up)]
