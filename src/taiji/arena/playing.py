"""Play one game between two players; a player that fails loses."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from taiji.players import Info, Limit, MatchContext, Player
from taiji.rules import Game, IllegalMove, Move, Scores, Seat, State

TIME_GRACE_S = 1.0
"""Seconds beyond its limit after which a player loses on time."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One move, the seconds it took, and the player's evaluation."""

    move: Move
    seconds: float
    info: Info


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game; `reason` is not empty if it ended by forfeit."""

    turns: tuple[Turn, ...]
    final: State
    winner: Seat | None
    reason: str = ""

    @property
    def scores(self) -> Scores:
        """The scores on the board when the game ended."""
        return self.final.scores()


def play_game(
    game: Game,
    players: Sequence[Player],
    limits: Sequence[Limit],
    *,
    opening: Sequence[Move] = (),
    match: MatchContext | None = None,
    clock: Callable[[], float] = time.perf_counter,
    on_turn: Callable[[State, Turn], None] | None = None,
) -> PlayedGame:
    """Play a game from an opening between two players, given in the order of the seats.

    A player that fails, plays illegally or exceeds its time by more than TIME_GRACE_S loses by forfeit.
    """
    state = game.start()
    turns: list[Turn] = []
    for move in opening:
        state = state.play(move)
        turns.append(Turn(move, 0.0, Info()))
    for seat, player in zip(Seat, players, strict=True):
        try:
            player.new_game()
            player.prepare(game)
        except Exception as error:  # noqa: BLE001 - no player may stop the arena
            return PlayedGame(tuple(turns), state, seat.other, f"{player.name} failed: {_line(error)}")
    while not state.is_over:
        seat = state.seat_to_move
        limit = limits[seat]
        began = clock()
        try:
            move, info = players[seat].choose(state, limit, match=match)
            seconds = clock() - began
            after = state.play(move)
        except IllegalMove as error:
            return PlayedGame(
                tuple(turns), state, seat.other, f"{players[seat].name} played an illegal move: {error}"
            )
        except Exception as error:  # noqa: BLE001 - no player may stop the arena
            return PlayedGame(tuple(turns), state, seat.other, f"{players[seat].name} failed: {_line(error)}")
        if limit.seconds is not None and seconds > limit.seconds + TIME_GRACE_S:
            reason = f"{players[seat].name} took {seconds:.1f} s of {limit.seconds:g} s"
            return PlayedGame(tuple(turns), state, seat.other, reason)
        turns.append(Turn(move, seconds, info))
        state = after
        if on_turn is not None:
            on_turn(state, turns[-1])
    outcome = state.outcome()
    assert outcome is not None
    return PlayedGame(tuple(turns), state, outcome.winner)


def _line(error: BaseException) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text[:200]
