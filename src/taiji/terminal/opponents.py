"""Computer players for the terminal: which there are, how long they think, and hints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.players import Limit, Player, make_player, player_names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from taiji.analysis import Review
    from taiji.rules import Move, State
    from taiji.terminal.clocks import Clock

PERSON = "person"
LEVELS = tuple(f"level:{number}" for number in range(1, 11))
THINK_TIME_S = 2.0
"""The time per move of a player without its own limit, if there is no clock."""
HINT_TIME_S = 1.5
_CLOCK_DIVISOR = 25
"""A player with a clock uses the remaining time divided by this for a move."""


def is_person(who: str) -> bool:
    """Return whether a player text stands for a person."""
    return who == PERSON


def opponent(text: str, seed: int | None = None) -> Player:
    """Create a computer player; raise `PlayerError` if the text is invalid."""
    return make_player(text, seed=seed)


def title(who: str) -> str:
    """Return the name of a player for display."""
    return who.replace(":", " ", 1) if who.startswith("level:") else who


def player_choices() -> list[str]:
    """Return the players that a menu offers: a person, the levels, and players without options."""
    names = player_names()
    levels = list(LEVELS) if "level" in names else []
    return [PERSON, *levels, *(name for name in names if name in ("random", "greedy"))]


def limit_for(who: str, state: State, clock: Clock | None) -> Limit:
    """Return the limit for a move; levels use their own unless there is a clock."""
    if clock is not None:
        left = clock.remaining_s(state.seat_to_move)
        return Limit(
            seconds=max(0.05, min(THINK_TIME_S, left / _CLOCK_DIVISOR + clock.control.increment * 0.7))
        )
    return Limit() if who.startswith("level:") else Limit(seconds=THINK_TIME_S)


def hint(state: State) -> Move:
    """Return a move by the strongest available player."""
    player = make_player(hint_player())
    try:
        move, _ = player.choose(state, Limit(seconds=HINT_TIME_S))
    finally:
        player.close()
    return move


def review_moves(
    start: State,
    moves: Sequence[Move],
    on_progress: Callable[[Review], None],
    should_stop: Callable[[], bool] = lambda: False,
) -> Review:
    """Return the review of some moves by the strongest available player, as far as Ctrl-C lets it come."""
    from taiji.analysis import review_game

    player = make_player(hint_player())
    latest: list[Review] = []

    def keep(review: Review) -> None:
        latest.append(review)
        on_progress(review)

    try:
        return review_game(start, moves, player, on_progress=keep, should_stop=should_stop)
    except KeyboardInterrupt:
        if not latest:
            raise
        return latest[-1]
    finally:
        player.close()


def hint_player() -> str:
    """Return the text of the strongest available player."""
    names = player_names()
    return next((name for name in ("neural", "mcts", "greedy", "random") if name in names), names[0])
