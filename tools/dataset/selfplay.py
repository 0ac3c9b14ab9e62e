"""Games on the CPU: a cheap tree search plays both sides after a few random plies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from tools.dataset.rows import PlayedGame, to_row

from taiji.arena.openings import with_seeded_board
from taiji.players import Limit, Player, make_player
from taiji.rules import GAMES, Swap, parse_game

PART_GAMES = 250
"""Games per part: what a worker plays before anything is written."""
MIN_OPENING_PLIES, MAX_OPENING_PLIES = 2, 6


@dataclass(frozen=True, slots=True)
class Part:
    """Some consecutive games of one game definition; the seeds are the numbers of the games."""

    game: str
    playouts: int
    seed: int
    number: int

    def seeds(self) -> range:
        """Return the seeds of the games."""
        first = self.seed * 1_000_000_000 + self.number * PART_GAMES
        return range(first, first + PART_GAMES)


def play_part(part: Part) -> list[dict[str, Any]]:
    """Play the games of a part and return their rows."""
    return [to_row(play(part.game, part.playouts, seed)) for seed in part.seeds()]


def play(text: str, playouts: int, seed: int) -> PlayedGame:
    """Play one game; the same arguments give the same game.

    The random opening ends before a swap is offered: the search decides on it.
    """
    random = Random(seed)
    game = parse_game(with_seeded_board(text, seed) if _has_seeded_boards(text) else text)
    name = f"mcts:playouts={playouts}"
    opening = random.randint(MIN_OPENING_PLIES, MAX_OPENING_PLIES)
    player = _player(name)
    player.new_game()
    state = game.start()
    actions: list[int] = []
    win_probs: list[float | None] = []
    while not state.is_over:
        legal = state.legal()
        if len(actions) < opening and not any(isinstance(move, Swap) for move in legal):
            move, win_prob = random.choice(legal), None
        else:
            opening = min(opening, len(actions))
            move, info = player.choose(state, Limit(playouts=playouts))
            win_prob = info.win_prob
        actions.append(move.action)
        win_probs.append(win_prob)
        state = state.play(move)
    return PlayedGame(str(game), name, actions, win_probs, min(opening, len(actions)), seed)


def _has_seeded_boards(text: str) -> bool:
    name, _, options = text.partition(":")
    return "symbols=" not in options and any(option.name == "board" for option in GAMES[name].options)


@lru_cache(maxsize=1)
def _player(text: str) -> Player:
    return make_player(text, seed=1)
