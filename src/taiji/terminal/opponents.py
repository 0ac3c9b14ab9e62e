"""The players of the computer, as the terminal needs them: who there is, and who gives hints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.players import Limit, Player, make_player, player_names

if TYPE_CHECKING:
    from taiji.rules import Move, State
    from taiji.terminal.clocks import Clock

PERSON = "person"
LEVELS = tuple(f"level:{number}" for number in range(1, 11))
THINK_TIME_S = 2.0
"""Seconds a player may think where it does not decide itself and there is no clock."""
HINT_TIME_S = 1.5
_CLOCK_DIVISOR = 25
"""A player with a clock uses this part of what is left for a move."""


def is_person(who: str) -> bool:
    """Tell whether a seat is a person's."""
    return who == PERSON


def opponent(text: str, seed: int | None = None) -> Player:
    """Make a player of the computer; raise `PlayerError` where the text names none."""
    return make_player(text, seed=seed)


def title(who: str) -> str:
    """Return how a player is called on the screen."""
    return who.replace(":", " ", 1) if who.startswith("level:") else who


def player_choices() -> list[str]:
    """Return who may sit down: a person, the levels, and the other players that need no further word."""
    names = player_names()
    levels = list(LEVELS) if "level" in names else []
    return [PERSON, *levels, *(name for name in names if name in ("random", "greedy"))]


def limit_for(who: str, state: State, clock: Clock | None) -> Limit:
    """Return how long a player may think; levels decide themselves unless their time runs short."""
    if clock is not None:
        left = clock.remaining_s(state.seat_to_move)
        return Limit(
            seconds=max(0.05, min(THINK_TIME_S, left / _CLOCK_DIVISOR + clock.control.increment * 0.7))
        )
    return Limit() if who.startswith("level:") else Limit(seconds=THINK_TIME_S)


def hint(state: State) -> Move:
    """Return a good move, by the strongest player at hand."""
    player = make_player(hint_player())
    try:
        move, _ = player.choose(state, Limit(seconds=HINT_TIME_S))
    finally:
        player.close()
    return move


def hint_player() -> str:
    """Return the text of the strongest player at hand that thinks briefly."""
    names = player_names()
    return next((name for name in ("neural", "mcts", "greedy", "random") if name in names), names[0])
