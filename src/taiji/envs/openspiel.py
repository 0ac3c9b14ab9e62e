"""Every game as an OpenSpiel game: importing this module registers them.

Each game of the catalogue has its own name and its options as parameters:
`pyspiel.load_game("python_taiji(size=7,groups=1)")`, `python_tailits`, `python_battle_of_lits`,
`python_tailits_taiji` and `python_taiji_battle_of_lits`. `python_taiji` also takes `game`, the text of any
game, editions and custom games included: `pyspiel.load_game("python_taiji", {"game": "deluxe"})`.
"""

from __future__ import annotations

import atexit
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from taiji.envs.adapter import GameAdapter, get_adapter
from taiji.envs.openspiel_names import game_text, parameters, short_name
from taiji.rules import GAMES, Seat

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from taiji.kernel import Position
    from taiji.rules import GameDeclaration


class TaijiGame(pyspiel.Game):  # type: ignore[misc]
    """A game as OpenSpiel sees it; each game of the catalogue has its own subclass."""

    kind: pyspiel.GameType
    declaration: GameDeclaration

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        parameters = dict(params or {})
        self.adapter: GameAdapter = get_adapter(game_text(self.declaration, parameters))
        super().__init__(self.kind, _info(self.adapter), parameters)

    def new_initial_state(self, state: object = None) -> TaijiState:
        """Return the start of the game."""
        if state is not None:
            raise ValueError("new_initial_state: invalid (expected no state)")
        return TaijiState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return an observer of states; all information is public."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlanesObserver(self.adapter, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class TaijiState(pyspiel.State):  # type: ignore[misc]
    """A position of a game in progress."""

    def __init__(self, game: TaijiGame) -> None:
        super().__init__(game)
        self.play = Play(game.adapter, game.adapter.kernel.start())

    def current_player(self) -> int:
        """Return the seat to move."""
        core = self.play.position.core
        return int(pyspiel.PlayerId.TERMINAL) if core.is_over else core.seat_to_move

    def _legal_actions(self, player: int) -> list[int]:
        return self.play.position.legal()

    def _apply_action(self, action: int) -> None:
        self.play.adapter.play(self.play.position, action)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.play.adapter.game
        return str(game.move(action))

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.play.position.is_over

    def returns(self) -> list[float]:
        """Return the reward of each seat."""
        return list(self.play.adapter.rewards(self.play.position))

    def __str__(self) -> str:
        return self.play.text()


class Play:
    """The position of a state; a cloned state copies it and shares the adapter."""

    def __init__(self, adapter: GameAdapter, position: Position) -> None:
        self.adapter = adapter
        self.position = position

    def __deepcopy__(self, memo: dict[int, Any]) -> Play:
        return Play(self.adapter, self.position.copy())

    def __reduce__(self) -> tuple[object, tuple[GameAdapter, list[int]]]:
        return _resume, (self.adapter, self.position.history)

    def text(self) -> str:
        """Return the position in one line."""
        return self.adapter.position_text(self.position)


def _resume(adapter: GameAdapter, history: list[int]) -> Play:
    position = adapter.kernel.start()
    for action in history:
        position.play(action)
    return Play(adapter, position)


class PlanesObserver:
    """Observes the planes of docs/environments.md from one player's side."""

    def __init__(self, adapter: GameAdapter, params: object) -> None:
        if params:
            raise ValueError(f"observation parameters: invalid (expected none, not {params})")
        shape = adapter.planes.shape
        self.tensor: NDArray[np.float32] = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: TaijiState, player: int) -> None:
        """Write the planes of a state into the tensor."""
        self.dict["observation"][:] = state.play.adapter.planes.encode(state.play.position, Seat(player))

    def string_from(self, state: TaijiState, player: int) -> str:
        """Return the position as text, the same for both players."""
        return state.play.text()


def _info(adapter: GameAdapter) -> pyspiel.GameInfo:
    return pyspiel.GameInfo(
        num_distinct_actions=adapter.actions,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=adapter.max_plies,
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
        # A class, not a function: OpenSpiel releases its factories only after Python has ended.
        attributes = {"kind": kind, "declaration": declaration}
        pyspiel.register_game(kind, type(declaration.title, (TaijiGame,), attributes))


@atexit.register
def _let_go() -> None:
    """Drop all references to the core: OpenSpiel never frees the classes, and nanobind reports leaks."""
    globals().clear()


_register()

__all__ = ["TaijiGame", "TaijiState"]
