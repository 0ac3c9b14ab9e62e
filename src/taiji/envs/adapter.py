"""What all environments of a game share: what is seen, what may be played, what it pays, how it is drawn."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from taiji.envs.planes import Planes
from taiji.kernel import Kernel
from taiji.notation import parse_position, position_text
from taiji.rules import Colour, Game, IllegalMove, Seat, bits, parse_game

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from taiji.kernel import Position
    from taiji.rules import Move, State

RENDER_MODES = ["human", "ansi", "rgb_array"]
PICTURE_WIDTH = 480
"""In pixels, of a rendered picture."""
MAX_TABULATED_ACTIONS = 1024
"""For games of more actions, a table of which exclude each other would be too large."""


class GameAdapter:
    """A game as environments see it; all of one game share one."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kernel = Kernel(game)
        self.planes = Planes(game)
        self.actions = game.action_count

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return get_adapter, (str(self.game),)

    def start(self, options: dict[str, object] | None = None) -> Position:
        """Return where an episode begins: at the start, or at the position that `options` gives as a text."""
        text = (options or {}).get("position")
        if text is None:
            return self.kernel.start()
        state = parse_position(str(text))
        if state.is_over:
            raise ValueError("the game is over in this position")
        return self.kernel.position_from_state(state)

    def mask(self, position: Position) -> NDArray[np.int8]:
        """Return 1 for each action that is allowed."""
        mask = np.zeros(self.actions, np.int8)
        legal = position.core.legal()
        mask[np.fromiter(legal, np.intp, len(legal))] = 1
        return mask

    def mask_after(self, mask: NDArray[np.int8], position: Position, action: int) -> NDArray[np.int8]:
        """Return the mask of the position after an action, given the one before it."""
        return self.mask(position) if self._compatible is None else mask & self._compatible[action]

    @cached_property
    def _compatible(self) -> NDArray[np.int8] | None:
        """Which actions remain after each, where nothing but a shared square can forbid one; else None.

        Asking the core is always right; this is several times faster for games as free as TAIJI.
        """
        stage = self.game.stages[0]
        constrained = self.game.compiled.stages[0].traits.is_constrained
        plain = len(self.game.stages) == len(stage.stocks) == 1 and not constrained and not stage.swap
        if not plain or self.actions > MAX_TABULATED_ACTIONS:
            return None
        squares = np.zeros((self.actions, stage.board.size), np.float32)
        for placement in self.game.placements:
            squares[placement.action, list(bits(placement.cells))] = 1
        if stage.supply[0] < stage.board.size // int(squares.sum(1).min()):
            return None
        apart: NDArray[np.int8] = (squares @ squares.T == 0).astype(np.int8)
        return apart

    def play(self, position: Position, action: object) -> int:
        """Play an action and return it; one that is not allowed raises `IllegalMove` and changes nothing."""
        if not isinstance(action, int | np.integer) or isinstance(action, bool):
            raise TypeError(f"action {action!r}: give a whole number")
        chosen = int(action)
        if not position.is_legal(chosen):
            self._refuse(position, chosen)
        position.core.play(chosen)
        return chosen

    def _refuse(self, position: Position, action: int) -> None:
        reason = self.state(position).illegal_reason(self.game.move(action))
        assert reason is not None
        raise IllegalMove(reason)

    def rewards(self, position: Position) -> tuple[float, float]:
        """Return what the game pays each seat: 1 for a win, -1 for a loss, 0 for a draw or before the end."""
        winner = position.winner()
        if winner is None:
            return 0.0, 0.0
        return (1.0, -1.0) if winner is Seat.FIRST else (-1.0, 1.0)

    def state(self, position: Position) -> State:
        """Return a position as a value of the rules."""
        return StateTracker(self).state(position)

    def position_text(self, position: Position) -> str:
        """Return a position as one line, as `format_position` writes it."""
        core, count = position.core, len(self.game.placements)
        placed: list[list[int]] = [[] for _ in range(core.stage_index + 1)]
        for action in sorted(position.history):
            if action < count:
                placed[self.game.placements[action].stage_index].append(action)
        return position_text(
            self.game, placed, None if core.is_over else Colour(core.colour_to_move), core.swapped
        )

    @cached_property
    def max_plies(self) -> int:
        """How many turns a game can take at most."""
        smallest = [min(p.cells.bit_count() for p in layout.placements) for layout in self.game.layouts]
        turns = [stage.board.size // size for stage, size in zip(self.game.stages, smallest, strict=True)]
        return sum(turns) + (self.game.swap is not None)

    def last_move(self, position: Position) -> Move | None:
        """Return the move that led here."""
        history = position.history
        return self.game.move(history[-1]) if history else None

    def text(self, position: Position) -> str:
        """Draw a position as text."""
        from taiji.render.text import draw

        return draw(self.state(position), last=self.last_move(position))

    def pixels(self, position: Position) -> NDArray[np.uint8]:
        """Draw a position as an image: [row, column, red green blue]."""
        from io import BytesIO

        from PIL import Image

        from taiji.render import png

        data = png(self.state(position), last=self.last_move(position), width=PICTURE_WIDTH)
        return np.asarray(Image.open(BytesIO(data)).convert("RGB"))

    def render(self, position: Position, mode: str | None) -> str | NDArray[np.uint8] | None:
        """Draw a position as a render mode wants it; `human` prints it."""
        if mode == "rgb_array":
            return self.pixels(position)
        if mode == "human":
            print(self.text(position))
            return None
        return self.text(position) if mode == "ansi" else None


class StateTracker:
    """Follows one game with values of the rules, playing only what is new since it last looked."""

    def __init__(self, table: GameAdapter) -> None:
        self._game = table.game
        self._seen: list[int] = []
        self._state = table.game.start()

    def state(self, position: Position) -> State:
        """Return a position as a value of the rules."""
        history = position.history
        if history[: len(self._seen)] != self._seen:
            self._seen, self._state = [], self._game.start()
        for action in history[len(self._seen) :]:
            self._state = self._state.play(self._game.move(action))
        self._seen = history
        return self._state


@lru_cache(maxsize=64)
def _cached_adapter(game: Game) -> GameAdapter:
    return GameAdapter(game)


def get_adapter(game: Game | str) -> GameAdapter:
    """Return the table of a game, given as a value or as a text such as `taiji:size=7`."""
    return _cached_adapter(parse_game(game) if isinstance(game, str) else game)


def check_render_mode(mode: str | None) -> str | None:
    """Return a render mode that there is."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode={mode!r}: there are {', '.join(RENDER_MODES)}")
    return mode
