"""The player `mirror`: it shows the mirror theorem.

Let a position equal its image under a symmetry of the board that is its own inverse, with the colours
exchanged, and let no legal footprint meet its own image. Then the player who is not to move can answer every
placement with its image: always a legal move, and both colours end with equal points. On even × even boards
of TAIJI this is Dark from the start, who wins the tie; on even × odd boards Light takes the central pair and
then mirrors.
"""

from __future__ import annotations

from functools import lru_cache

from taiji.players.base import Info, Limit, Player, Report, check_choice
from taiji.players.searching import mcts
from taiji.rules import Game, MatchContext, Move, Placement, State

Image = tuple[int, ...]


class MirrorPlayer:
    """Makes the position its own mirror image where a move can, and else plays as another player."""

    def __init__(self, other: Player) -> None:
        self.name = "mirror" + other.name.removeprefix("mcts")
        self._other = other

    def choose(
        self, state: State, limit: Limit, *, match: MatchContext | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose the move after which the player can mirror to the end, or the other player's."""
        check_choice(state, limit, match, report)
        move = mirror_move(state)
        if move is None:
            return self._other.choose(state, limit, match=match, report=report)
        return move, Info(pv=(move,))

    def prepare(self, game: Game) -> None:
        """Prepare the other player."""
        self._other.prepare(game)

    def stop(self) -> None:
        """Stop the other player."""
        self._other.stop()

    def new_game(self) -> None:
        """Let the other player drop what it has cached."""
        self._other.new_game()

    def close(self) -> None:
        """Release what the other player holds."""
        self._other.close()


def mirror(seed: int | None = None, /, **options: str) -> MirrorPlayer:
    """Make the player from the options of its text, which are those of `mcts`."""
    return MirrorPlayer(mcts(seed, **options))


def mirror_move(state: State) -> Move | None:
    """Return a move after which the mover can mirror to the end of the game, or None."""
    for image in _mirrors(state.game):
        for move in state.legal():
            if not isinstance(move, Placement):
                return None  # a swap or another choice besides placing
            light, dark = state.light | move.light, state.dark | move.dark
            if moved(light, image) == dark and _is_free(state.play(move), image):
                return move
    return None


@lru_cache(maxsize=64)
def _mirrors(game: Game) -> tuple[Image, ...]:
    """Return the symmetries that are their own inverse, if pieces forbid each other only by overlapping."""
    stages = game.compiled.stages
    if len(stages) > 1 or stages[0].traits.is_constrained or stages[0].symbols is not None:
        return ()
    smallest = min((footprint.cells.bit_count() for footprint in stages[0].layout.footprints), default=1)
    if min(stages[0].supply, default=0) < stages[0].board.cells.bit_count() // smallest:
        return ()  # the pieces may run out before the answer
    faces = {(placement.light, placement.dark) for placement in stages[0].layout.placements}
    return tuple(
        image
        for image in game.symmetries[1:]
        if all(image[image[cell]] == cell for cell in range(len(image)))
        and all((moved(dark, image), moved(light, image)) in faces for light, dark in faces)
    )


def _is_free(state: State, image: Image) -> bool:
    """Return whether no legal footprint meets its own image."""
    if state.is_over:
        return True
    return not any(
        not isinstance(move, Placement) or moved(move.cells, image) & move.cells for move in state.legal()
    )


def moved(cells: int, image: Image) -> int:
    """Return the image of a set of cells."""
    return sum(1 << image[cell] for cell in range(len(image)) if cells >> cell & 1)
