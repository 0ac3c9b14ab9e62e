"""Every game as an OpenSpiel game: importing this module registers them.

Each game of the catalogue has a name of its own and its options as parameters:
`pyspiel.load_game("python_taiji(size=7,groups=1)")`, `python_tailits`, `python_battle_of_lits`,
`python_tailits_taiji` and `python_taiji_battle_of_lits`. `python_taiji` also takes `game`, the text of any
game, editions and games of one's own included: `pyspiel.load_game("python_taiji", {"game": "deluxe"})`.
"""

from __future__ import annotations

import atexit
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from taiji.envs.adapter import GameAdapter, get_adapter
from taiji.envs.openspiel_names import game_text, parameters, short_name
from taiji.notation import format_move
from taiji.rules import GAMES, Seat

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from taiji.kernel import Position
    from taiji.rules import GameDeclaration


class TaijiGame(pyspiel.Game):  # type: ignore[misc]
    """A game value as OpenSpiel sees it; each game of the catalogue has a class of its own."""

    kind: pyspiel.GameType
    declaration: GameDeclaration

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.table: GameAdapter = get_adapter(game_text(self.declaration, given))
        super().__init__(self.kind, _info(self.table), given)

    def new_initial_state(self, state: object = None) -> TaijiState:
        """Return the start of the game."""
        if state is not None:
            raise ValueError("a game begins at its start")
        return TaijiState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return what observes states; all that happens here is public."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlanesObserver(self.table, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class TaijiState(pyspiel.State):  # type: ignore[misc]
    """A position of a game in play."""

    def __init__(self, game: TaijiGame) -> None:
        super().__init__(game)
        self.play = Play(game.table, game.table.kernel.start())

    def current_player(self) -> int:
        """Return the seat whose turn it is."""
        core = self.play.position.core
        return int(pyspiel.PlayerId.TERMINAL) if core.is_over else core.seat_to_move

    def _legal_actions(self, player: int) -> list[int]:
        return self.play.position.legal()

    def _apply_action(self, action: int) -> None:
        self.play.table.play(self.play.position, action)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.play.table.game
        return format_move(game, game.move(action))

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return self.play.position.is_over

    def returns(self) -> list[float]:
        """Return what the game pays."""
        return list(self.play.table.rewards(self.play.position))

    def __str__(self) -> str:
        return self.play.text()


class Play:
    """A position that a state owns; a cloned state gets a copy of it, and shares the table."""

    def __init__(self, table: GameAdapter, position: Position) -> None:
        self.table = table
        self.position = position

    def __deepcopy__(self, memo: dict[int, Any]) -> Play:
        return Play(self.table, self.position.copy())

    def __reduce__(self) -> tuple[object, tuple[GameAdapter, list[int]]]:
        return _resume, (self.table, self.position.history)

    def text(self) -> str:
        """Return the position as one line of text."""
        return self.table.position_text(self.position)


def _resume(table: GameAdapter, history: list[int]) -> Play:
    position = table.kernel.start()
    for action in history:
        position.play(action)
    return Play(table, position)


class PlanesObserver:
    """Sees the planes of docs/environments.md, from one player's side."""

    def __init__(self, table: GameAdapter, params: object) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations; {params} were given")
        shape = table.planes.shape
        self.tensor: NDArray[np.float32] = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: TaijiState, player: int) -> None:
        """Look at a state."""
        self.dict["observation"][:] = state.play.table.planes.encode(state.play.position, Seat(player))

    def string_from(self, state: TaijiState, player: int) -> str:
        """Return what is seen as text; both players see the same position."""
        return state.play.text()


def _info(table: GameAdapter) -> pyspiel.GameInfo:
    return pyspiel.GameInfo(
        num_distinct_actions=table.actions,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=table.max_plies,
    )


def _type(declaration: GameDeclaration) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=short_name(declaration.name),
        long_name=f"{declaration.title} (Python)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(declaration),
    )


def _register() -> None:
    for declaration in GAMES.values():
        kind = _type(declaration)
        # A class, not a function: OpenSpiel lets go of what it was given only after Python has ended.
        own = {"kind": kind, "declaration": declaration}
        pyspiel.register_game(kind, type(declaration.title, (TaijiGame,), own))


@atexit.register
def _let_go() -> None:
    """Cut the classes off from the core: OpenSpiel never frees them, and the core reports what is left."""
    globals().clear()


_register()

__all__ = ["TaijiGame", "TaijiState"]
