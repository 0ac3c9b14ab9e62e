"""A custom game in twenty lines: declared, played by computer players, drawn.

Run it: python examples/custom_game.py
"""

from taiji.players import Limit, make_player
from taiji.render.text import draw
from taiji.rules import game_from_toml, register

CROSSROADS = """
name = "crossroads"
tie = "last"
board = ["#...#", ".....", ".....", ".....", "#...#"]

[[pieces]]
kind = "corner"
shape = ["l ", "dl"]
count = 5

[[pieces]]
kind = "bar"
shape = ["ld"]
count = 6

[rules]
same-kind-apart = true

[score]
groups = 2
"""


def main(seed: int = 1) -> str:
    """Play a game of two greedy players and return its last position as text."""
    state = register(game_from_toml(CROSSROADS)).start()
    player = make_player("greedy", seed=seed)
    while not state.is_over:
        move, _ = player.choose(state, Limit())
        state = state.play(move)
    return draw(state)


if __name__ == "__main__":
    print(main())
