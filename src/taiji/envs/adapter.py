"""The part that all environments of a game share: observations, legal actions, rewards and rendering."""

from __future__ import annotations

from functools import cached_property, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from taiji.envs.game_argument import to_game
from taiji.envs.planes import Planes
from taiji.kernel import Kernel
from taiji.notation import parse_position, position_text
from taiji.rules import Colour, Game, IllegalMove, Seat, bits
from taiji.rules.restoring import restore

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from taiji.kernel import Position
    from taiji.rules import Move, State

PICTURES = find_spec("resvg_py") is not None and find_spec("PIL") is not None
"""Whether the packages of `taiji[render]` are installed."""
RENDER_MODES = ["human", "ansi", *(["rgb_array"] if PICTURES else [])]
PICTURE_WIDTH = 480
"""The width of a rendered picture in pixels."""
MAX_TABULATED_ACTIONS = 1024
"""The maximum number of actions for which a matrix of compatible actions is kept."""


class GameAdapter:
    """A game as environments see it; environments of one game share one adapter."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kernel = Kernel(game)
        self.planes = Planes(game)
        self.actions = game.action_count

    def __reduce__(self) -> tuple[object, tuple[Game]]:
        return get_adapter, (self.game,)

    def __deepcopy__(self, memo: object) -> GameAdapter:
        return self

    def start(self, options: dict[str, object] | None = None) -> Position:
        """Return the first position of an episode: the start, or the text in `options["position"]`."""
        if not isinstance(options, dict | None):
            raise TypeError(f"options: expected a dictionary, not {type(options).__name__}")
        text = (options or {}).get("position")
        if text is None:
            return self.kernel.start()
        state = parse_position(str(text))
        if state.is_over:
            raise ValueError("the game is over in this position")
        return self.kernel.position_from_state(state)

    def mask(self, position: Position) -> NDArray[np.int8]:
        """Return 1 for each legal action, 0 for the others."""
        mask = np.zeros(self.actions, np.int8)
        legal = position.core.legal()
        mask[np.fromiter(legal, np.intp, len(legal))] = 1
        return mask

    def mask_after(self, mask: NDArray[np.int8], position: Position, action: int) -> NDArray[np.int8]:
        """Return the mask after an action, given the mask before it."""
        return self.mask(position) if self._compatible is None else mask & self._compatible[action]

    @cached_property
    def _compatible(self) -> NDArray[np.int8] | None:
        """[action, action]: whether both can be played, or None unless only shared squares forbid an action.

        The core's mask is always right; this matrix is several times faster for unconstrained games.
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
        """Play an action and return it; raise `IllegalMove`, without a change, if it is illegal."""
        if not isinstance(action, int | np.integer) or isinstance(action, bool):
            raise TypeError(f"action {action!r}: invalid (expected an integer)")
        chosen = int(action)
        if not 0 <= chosen < self.actions or not position.is_legal(chosen):
            self._refuse(position, chosen)
        position.core.play(chosen)
        return chosen

    def _refuse(self, position: Position, action: int) -> None:
        reason = self.state(position).illegal_reason(self.game.move(action))
        assert reason is not None
        raise IllegalMove(reason)

    def rewards(self, position: Position) -> tuple[float, float]:
        """Return the reward of each seat: 1 for a win, -1 for a loss, 0 for a draw or before the end."""
        winner = position.winner()
        if winner is None:
            return 0.0, 0.0
        return (1.0, -1.0) if winner is Seat.FIRST else (-1.0, 1.0)

    def state(self, position: Position) -> State:
        """Return a position as a `State`."""
        placed = tuple(tuple(actions) for actions in position.placed)
        komi = position.komi if self.game.komi_names else None
        return restore(self.game, placed, position.core.swapped, komi)

    def position_text(self, position: Position) -> str:
        """Return a position in one line, as `format_position` writes it."""
        core = position.core
        placed = [sorted(actions) for actions in position.placed]
        mover = None if core.is_over else Colour(core.colour_to_move)
        return position_text(self.game, placed, mover, core.swapped, position.komi)

    @cached_property
    def max_plies(self) -> int:
        """The maximum number of plies of a game."""
        smallest = [min(p.cells.bit_count() for p in layout.placements) for layout in self.game.layouts]
        turns = [stage.board.size // size for stage, size in zip(self.game.stages, smallest, strict=True)]
        choices = (self.game.swap is not None) + bool(self.game.komi_names)
        return sum(turns) + choices - len(self.game.opening)

    def last_move(self, position: Position) -> Move | None:
        """Return the last move, or None at the start."""
        history = position.history
        return self.game.move(history[-1]) if history else None

    def text(self, position: Position) -> str:
        """Return a position drawn as text."""
        from taiji.render.text import draw

        return draw(self.state(position), last=self.last_move(position))

    def pixels(self, position: Position) -> NDArray[np.uint8]:
        """Return a position as an image: [row, column, RGB]."""
        from io import BytesIO

        from PIL import Image

        from taiji.render import png

        data = png(self.state(position), last=self.last_move(position), width=PICTURE_WIDTH)
        return np.asarray(Image.open(BytesIO(data)).convert("RGB"))

    def render(self, position: Position, mode: str | None) -> str | NDArray[np.uint8] | None:
        """Render a position; the mode `human` prints it and returns None."""
        if mode == "rgb_array":
            return self.pixels(position)
        if mode == "human":
            print(self.text(position))
            return None
        return self.text(position) if mode == "ansi" else None


class StateTracker:
    """Tracks the `State` of one game, replaying only the moves since the last call."""

    def __init__(self, adapter: GameAdapter) -> None:
        self._adapter = adapter
        self._seen: list[int] = []
        self._state = adapter.game.start()

    def __reduce__(self) -> tuple[type[StateTracker], tuple[GameAdapter]]:
        return StateTracker, (self._adapter,)

    def state(self, position: Position) -> State:
        """Return a position as a `State`."""
        history, count = position.history, len(self._seen)
        if not count or history[:count] != self._seen:
            # Not replayed: the history of a position that was set up may be in no legal order.
            self._state = self._adapter.state(position)
        else:
            for action in history[count:]:
                self._state = self._state.play(self._adapter.game.move(action))
        self._seen = history
        return self._state


@lru_cache(maxsize=64)
def _cached_adapter(game: Game) -> GameAdapter:
    return GameAdapter(game)


def get_adapter(game: Game | str) -> GameAdapter:
    """Return the adapter of a game, given as a `Game` or as a text such as `taiji:size=7`."""
    return _cached_adapter(to_game(game))


def check_render_mode(mode: str | None) -> str | None:
    """Return the render mode; raise `ValueError` if it is unknown."""
    if mode == "rgb_array" and not PICTURES:
        raise ValueError("render_mode='rgb_array': pictures need more packages (pip install 'taiji[render]')")
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode={mode!r}: invalid (expected {', '.join(RENDER_MODES)})")
    return mode
