"""OpenSpiel's MCTS bot against a level of taiji, with colours exchanged after each game.

Run it: python examples/openspiel_mcts.py --games 4 --simulations 100 --level 3
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

import taiji.envs.openspiel  # noqa: F401 - registers the games
from taiji.players import Limit, make_player


def main(arguments: Sequence[str] | None = None) -> tuple[int, int]:
    """Play the games and return the wins of the bot and of the level."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="python_taiji(size=5)")
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--level", type=int, default=3)
    options = parser.parse_args(arguments)

    game = pyspiel.load_game(options.game)
    dice = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=dice)
    bot = mcts.MCTSBot(game, 2.0, options.simulations, evaluator, random_state=dice)
    level = make_player(f"level:{options.level}", seed=1)
    wins = [0, 0]
    for number in range(options.games):
        seat = number % 2  # where the bot sits
        returns = play(game, bot, level, seat)
        wins[returns[seat] < returns[1 - seat]] += 1
        print(f"game {number + 1}: the bot is player {seat}, returns {returns}")
    print(
        f"OpenSpiel's MCTS with {options.simulations} simulations {wins[0]}, level {options.level} {wins[1]}"
    )
    return wins[0], wins[1]


def play(game: pyspiel.Game, bot: mcts.MCTSBot, level: object, seat: int) -> list[float]:
    """Play one game and return its payoff."""
    state = game.new_initial_state()
    ours = game.adapter.game.start()
    while not state.is_terminal():
        bots_turn = state.current_player() == seat
        action = bot.step(state) if bots_turn else level.choose(ours, Limit())[0].action
        state.apply_action(action)
        ours = ours.play(ours.game.move(action))
    return state.returns()


if __name__ == "__main__":
    main()
