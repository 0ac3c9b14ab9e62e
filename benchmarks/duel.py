"""Lets two settings of the search play each other: the quick way to try an idea before the arena confirms it.

Every opening, a few random moves judged to be even, is played twice with the seats exchanged. Examples:

    python benchmarks/duel.py taiji "" "uct" --seconds 0.2 --games 200
    python benchmarks/duel.py tailits "first_play=0.5" "" --playouts 2000

A setting is a list of option=value that changes the recipe of the game; `uct` stands for plain UCT, `x2`
doubles the limit. The end of the game is searched like the rest: this compares searches, not players.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import fields, replace

from taiji.kernel import Kernel, Position, Search, SearchLimits, SearchOptions
from taiji.players.presets import search_preset, uct_preset
from taiji.rules import Game, Seat, parse_game

TYPES = {field.name: type(getattr(SearchOptions(), field.name)) for field in fields(SearchOptions)}


def setting(text: str, game: Game) -> tuple[SearchOptions, float]:
    options, factor = search_preset(game), 1.0
    for part in filter(None, text.split(",")):
        key, _, value = part.partition("=")
        if key == "uct":
            options = uct_preset(game)
        elif key.startswith("x"):
            factor = float(key[1:])
        elif TYPES[key] is bool:
            options = replace(options, **{key: value in ("1", "yes", "true")})
        else:
            options = replace(options, **{key: TYPES[key](value)})
    return options, factor


def limits(arguments: argparse.Namespace, factor: float) -> SearchLimits:
    if arguments.seconds:
        return SearchLimits(seconds=arguments.seconds * factor)
    return SearchLimits(playouts=int(arguments.playouts * factor))


def opening(kernel: Kernel, rng: random.Random, plies: int, even: float) -> Position:
    """Draws random openings until a short search finds one near enough to even."""
    while True:
        position = kernel.start()
        for _ in range(plies):
            position.play(rng.choice(position.legal()))
        judged = Search(kernel, SearchOptions(seed=rng.randrange(1 << 30))).run(
            position, SearchLimits(playouts=1500)
        )
        if abs(judged.win_prob - 0.5) <= even:
            return position


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("one")
    parser.add_argument("two")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--playouts", type=int, default=1000)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--plies", type=int, default=2, help="random moves at the start")
    parser.add_argument("--even", type=float, default=0.15, help="how far from even an opening may be judged")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    kernel = Kernel(parse_game(arguments.game))
    sides = [setting(arguments.one, kernel.game), setting(arguments.two, kernel.game)]
    points = wins = lights = 0.0
    for number in range(arguments.games):
        seats = {Seat.FIRST: number % 2, Seat.SECOND: 1 - number % 2}
        rng = random.Random(arguments.seed * 100_003 + number // 2)
        searches = [Search(kernel, replace(options, seed=rng.randrange(1 << 30))) for options, _ in sides]
        position = opening(kernel, rng, arguments.plies, arguments.even)
        while not position.is_over:
            side = seats[position.seat_to_move]
            position.play(searches[side].run(position, limits(arguments, sides[side][1])).action)
        winner = position.winner()
        points += 0.5 if winner is None else float(seats[winner] == 0)
        wins += winner is not None and seats[winner] == 0
        lights += 0.5 if winner is None else winner is Seat.FIRST
    n = arguments.games
    score = points / n
    error = 1.96 * (max(score * (1 - score), 0.25 / n) / n) ** 0.5
    print(
        f"{arguments.game}  [{arguments.one}] against [{arguments.two}]: "
        f"{100 * score:.1f} % ± {100 * error:.1f} of {n} games; the first seat won {100 * lights / n:.0f} %"
    )


if __name__ == "__main__":
    main()
