"""The solver against plain minimax where more than overlap forbids placements, and in generated games."""

from random import Random

import pytest

from taiji.kernel import Kernel, Solver
from taiji.rules import MatchContext, Seat, Unsupported, parse_game
from tests.generated_rules import random_game

MAX_POSITIONS = 3000
SIGN = {Seat.FIRST: 1, None: 0, Seat.SECOND: -1}
MATCHES = (None, None, None, MatchContext(1), MatchContext(0, Seat.FIRST), MatchContext(-0.5, Seat.SECOND))
GAMES = (
    "battle-of-lits:size=5",
    "battle-of-lits:size=7,swap=no",
    "battle-of-lits",
    "tailits",
    "tailits:score=second",
    "tailits:set=free,tie=draw",
    "taiji+battle-of-lits:size=6",
)


class TooLong(Exception):
    """Minimax would take more positions than a test may."""


class Minimax:
    """The best result for seat FIRST, with the lead of a match: the margin, then 1, 0 or -1 for who wins."""

    def __init__(self, match):
        self.match = match or MatchContext()
        self.plain = match is None
        self.known = {}

    def value(self, position):
        if position.is_over:
            return self.final_value(position)
        found = self.known.get(position.hash)
        if found is None:
            if len(self.known) > MAX_POSITIONS:
                raise TooLong
            values = [self.value(after) for after in followers(position).values()]
            found = max(values) if position.seat_to_move is Seat.FIRST else min(values)
            self.known[position.hash] = found
        return found

    def final_value(self, position):
        first, second = position.scores()
        margin = first - second + self.match.lead
        if margin:
            return margin, 1 if margin > 0 else -1
        return 0, SIGN[position.winner() if self.plain else self.match.tie_winner]


def followers(position):
    """Return the positions after each move."""
    result = {}
    for action in position.legal():
        result[action] = position.copy()
        result[action].play(action)
    return result


def compare(solver, position, match):
    """Compare all that the solver finds with minimax; return whether minimax was quick enough."""
    minimax = Minimax(match)
    try:
        margin, sign = minimax.value(position)
        values = {action: minimax.value(after) for action, after in followers(position).items()}
    except TooLong:
        return False
    best = {action for action, value in values.items() if value == (margin, sign)}
    found = solver.solve(position, match=match)
    assert (found.solved, found.margin, SIGN[found.winner]) == (True, margin, sign)
    assert {move.action for move in found.best} == best
    one = solver.solve(position, match=match, all_best=False)
    assert (one.margin, one.best[0].action in best) == (margin, True)
    assert SIGN[solver.solve(position, match=match, winner_only=True).winner] == sign
    own = SIGN[position.seat_to_move]
    wins = {action for action, value in values.items() if value[1] == own}
    check = solver.find_win(position, [], match=match)
    assert check.winning_move in wins if wins else check.winning_move is None
    assert not wins & set(check.refuted)
    return True


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("text", GAMES)
def test_it_agrees_with_minimax(text, threads):
    game, dice, compared = parse_game(text), Random(threads), 0
    kernel = Kernel(game)
    solver = Solver(kernel, memory=1, threads=threads)
    for _ in range(12):
        position, few = kernel.start(), dice.choice((6, 12, 20, 40))
        while not position.is_over and (
            len(position.legal()) > few or position.core.stage_index + 1 < len(game.stages)
        ):
            position.play(dice.choice(position.legal()))
        compared += not position.is_over and compare(solver, position, dice.choice(MATCHES))
    assert compared >= 4


@pytest.mark.parametrize("shard", range(4))
def test_it_agrees_with_minimax_in_generated_games(shard):
    dice, compared = Random(shard), 0
    for _ in range(60):
        try:
            kernel = Kernel(random_game(dice))
        except Unsupported:
            continue
        position, solver = kernel.start(), Solver(kernel, memory=1)
        few = dice.choice((4, 8, 16))
        while not position.is_over:
            if len(position.legal()) <= few and compare(solver, position, dice.choice(MATCHES)):
                compared += 1
                break
            position.play(dice.choice(position.legal()))
    assert compared >= 20


def test_a_solver_keeps_its_frame_through_a_game():
    kernel = Kernel(parse_game("battle-of-lits:size=6,swap=no"))
    position, dice = kernel.start(), Random(5)
    while len(position.legal()) > 30:
        position.play(dice.choice(position.legal()))
    solver, margins = Solver(kernel), []
    while not position.is_over:
        found = solver.solve(position, all_best=False)
        margins.append(found.margin)
        position.play(found.best[0].action)
    first, second = position.scores()
    assert set(margins) == {first - second}
