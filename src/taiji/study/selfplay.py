"""Play some games of a cell in this process: the work of one task on any worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol

from taiji.arena.custom_game import register_declaration
from taiji.kernel import Kernel, Position, Search, SearchLimits, get_kernel
from taiji.players import Limit, Player, make_player
from taiji.players.presets import search_preset
from taiji.rules import Game, Seat, State, parse_game
from taiji.study.rows import WIN_UNIT, GameRow
from taiji.study.spec import FAST_PLAYER, Cell

TREE_BYTES = 32 << 20
"""Memory of each tree: a move needs few playouts here, and a worker may run on a small machine."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some games of one cell, by their numbers."""

    cell: Cell
    seed: int
    """The seed of the study."""
    indices: tuple[int, ...]
    random_plies: int = 0


class Mover(Protocol):
    """Chooses the moves of one seat."""

    def choose(self, position: Position) -> tuple[int, float | None]:
        """Return an action and the mover's win probability, if known."""
        ...

    def played(self, action: int) -> None:
        """Update the player with a move of either seat."""
        ...

    def close(self) -> None:
        """Release memory."""
        ...


class SearchMover:
    """The tree search of the core, without anything around it."""

    def __init__(self, kernel: Kernel, playouts: int, seed: int) -> None:
        options = replace(search_preset(kernel.game), seed=seed, memory=TREE_BYTES)
        self._search = Search(kernel, options)
        self._limits = SearchLimits(playouts=playouts)

    def choose(self, position: Position) -> tuple[int, float | None]:
        """Search with the fixed number of playouts."""
        result = self._search.run(position, self._limits)
        return result.action, result.win_prob

    def played(self, action: int) -> None:
        """Keep no history: the search reads the position."""

    def close(self) -> None:
        """Keep the tree, which is freed with this object."""


class PlayerMover:
    """Any computer player, with a limit of playouts."""

    def __init__(self, game: Game, text: str, playouts: int, seed: int) -> None:
        self._player: Player = make_player(text, seed=seed)
        self._player.prepare(game)
        self._limit = Limit(playouts=playouts)
        self._state: State = game.start()

    def choose(self, position: Position) -> tuple[int, float | None]:
        """Ask the player."""
        move, info = self._player.choose(self._state, self._limit)
        return move.action, info.win_prob

    def played(self, action: int) -> None:
        """Follow the game."""
        self._state = self._state.play(self._state.game.move(action))

    def close(self) -> None:
        """Close the player."""
        self._player.close()


def play_chunk(chunk: Chunk) -> list[GameRow]:
    """Play the games of a chunk, one after another."""
    return [play_one(chunk, index) for index in chunk.indices]


def play_one(chunk: Chunk, index: int) -> GameRow:
    """Play one game; the seed of the study, the cell and the number determine it."""
    cell = chunk.cell
    register_declaration(cell.game.declaration, cell.game.game)
    game = parse_game(cell.game.board_game(index))
    random = Random(cell.game_seed(chunk.seed, index))
    kernel = get_kernel(game)
    opening = [*cell.opening, *_random_actions(kernel, cell.opening, chunk.random_plies, random)]
    strength = cell.strength
    movers = [make_mover(kernel, strength.player, strength.playouts, random.getrandbits(32)) for _ in Seat]
    try:
        return _play(kernel, movers, opening, cell.key, index)
    finally:
        for mover in movers:
            mover.close()


def make_mover(kernel: Kernel, text: str, playouts: int, seed: int) -> Mover:
    """Make the player of one seat; raise `PlayerError` if the text is not valid."""
    if text == FAST_PLAYER:
        return SearchMover(kernel, playouts, seed)
    return PlayerMover(kernel.game, text, playouts, seed)


def _random_actions(kernel: Kernel, opening: Sequence[int], plies: int, random: Random) -> list[int]:
    """Return random placements that do not end the game; a swap is left to the players."""
    swap = kernel.game.swap
    actions: list[int] = []
    position = kernel.start()
    for action in opening:
        position.play(action)
    for _ in range(plies):
        action = random.choice([a for a in position.legal() if swap is None or a != swap.action])
        after = position.copy()
        after.play(action)
        if after.is_over:
            break
        position = after
        actions.append(action)
    return actions


def _play(kernel: Kernel, movers: Sequence[Mover], opening: Sequence[int], cell: str, index: int) -> GameRow:
    position = kernel.start()
    starter = position.seat_to_move
    choices: list[int] = []
    win: list[int | None] = []
    while not position.is_over:
        ply, seat = len(choices), position.seat_to_move
        choices.append(len(position.legal()))
        if ply < len(opening):
            action, chance = opening[ply], None
        else:
            action, chance = movers[seat].choose(position)
        win.append(first_seat_chance(chance, seat))
        position.play(action)
        for mover in movers:
            mover.played(action)
    return finished_row(position, cell, index, len(opening), choices, win, starter)


def first_seat_chance(chance: float | None, mover: Seat) -> int | None:
    """Return the win probability of seat FIRST in thousandths from the mover's win probability."""
    if chance is None:
        return None
    return round(WIN_UNIT * (chance if mover is Seat.FIRST else 1 - chance))


def finished_row(
    position: Position,
    cell: str,
    index: int,
    opening: int,
    choices: Sequence[int],
    win: Sequence[int | None],
    starter: Seat,
) -> GameRow:
    """Return the row of a finished game."""
    winner, scores = position.winner(), position.scores()
    return GameRow(
        cell=cell,
        index=index,
        game=str(position.kernel.game),
        opening=opening,
        actions=tuple(position.history),
        choices=tuple(choices),
        win=tuple(win),
        scores=(float(scores.first), float(scores.second)),
        winner=None if winner is None else int(winner),
        starter=int(starter),
        swapped=position.core.swapped,
    )
