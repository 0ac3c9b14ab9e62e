"""The solver with several threads finds what it finds with one; and what it proves by mirror images."""

import threading
import time
from random import Random

import pytest

from taiji.kernel import Kernel, Solver
from taiji.kernel.machine import machine_threads
from taiji.rules import MatchContext, Seat, game_from_dict, parse_game

needs_two = pytest.mark.skipif(machine_threads() < 2, reason="one thread at a time on this machine")

ALONE_NODES = 4096
"""Positions that one thread searches before others join it (kAloneNodes in core/solver.cpp)."""

# Each with how many choices are left: enough that threads join, few enough for a test.
GAMES = [
    ("taiji:size=5", 40),
    ("taiji:size=5,groups=2", 40),
    ("taiji:size=5,groups=3", 40),
    ("taiji:size=5,score=omega", 36),
    ("taiji:size=5,score=squares,groups=2", 40),
    ("taiji:size=5,score=product,groups=2", 32),
    ("taiji:size=5,diagonal=yes", 44),
    ("taiji:size=7,groups=2", 36),
    ("taiji:size=6,tie=draw", 40),
    ("battle-of-lits:size=7,swap=no", 60),
    ("tailits", 180),
]


def play_until(game, seed, choices):
    """Play at random until few choices are left."""
    random = Random(seed)
    state = game.start()
    while not state.is_over and len(state.legal()) > choices:
        state = state.play(random.choice(state.legal()))
    return state


@needs_two
@pytest.mark.parametrize(("text", "choices"), GAMES)
def test_two_threads_find_what_one_finds(text, choices):
    game = parse_game(text)
    one, two = (Solver(Kernel(game), threads=threads) for threads in (1, 2))
    most = 0
    for seed in range(4):
        state = play_until(game, seed, choices)
        alone, together = one.solve(state), two.solve(state)
        most = max(most, alone.nodes)
        assert alone.solved
        assert together.solved
        assert (together.winner, together.margin) == (alone.winner, alone.margin)
        assert set(together.best) == set(alone.best)
        for move in together.pv:
            state = state.play(move)
        assert state.is_over
    assert most > ALONE_NODES, "no second thread joined"


@needs_two
def test_threads_join_a_long_search():
    """Two threads take turns with the moves, so they do not visit the positions that one visits."""
    game = parse_game("taiji:size=5")
    state = play_until(game, 1, 50)
    alone = Solver(Kernel(game)).solve(state)
    assert alone.nodes > 20_000
    counts = {Solver(Kernel(game), threads=2).solve(state).nodes for _ in range(5)}
    assert counts != {alone.nodes}


@needs_two
def test_threads_keep_to_the_limits():
    game = parse_game("taiji")
    solver = Solver(Kernel(game), threads=2)
    found = solver.solve(game.start(), nodes=50_000)
    assert not found.solved
    assert 50_000 <= found.nodes < 60_000
    assert not solver.solve(game.start(), seconds=0.05).solved


@needs_two
def test_threads_stop_when_asked():
    game = parse_game("taiji")
    solver = Solver(Kernel(game), threads=2)
    seen = threading.Event()
    stopper = threading.Thread(target=lambda: (seen.wait(), time.sleep(0.05), solver.stop()))
    stopper.start()
    found = solver.solve(game.start(), on_progress=lambda _: seen.set())
    stopper.join()
    assert not found.solved


@needs_two
def test_an_interrupt_ends_all_threads():
    game = parse_game("taiji")
    solver = Solver(Kernel(game), threads=2)
    before = threading.active_count()

    def interrupt(progress):
        if progress.nodes > 10_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solver.solve(game.start(), on_progress=interrupt)
    assert threading.active_count() <= before + 1
    small = solver.kernel.game.start()
    assert not solver.solve(small, nodes=1000).solved


@pytest.mark.parametrize("threads", [0, -1, machine_threads() + 1, 1000])
def test_threads_beyond_the_machine_are_refused(threads):
    with pytest.raises(ValueError, match=f"threads={threads}: invalid"):
        Solver(Kernel(parse_game("taiji:size=2")), threads=threads)


def rectangle(width, height, score, **options):
    return game_from_dict(
        {
            "name": "rectangle",
            "board": ["." * width] * height,
            "pieces": [{"kind": "taijitu", "shape": ["ld"], "count": width * height // 2}],
            "score": score,
            **options,
        }
    )


SCORES = [
    {"rule": "largest", "groups": 1},
    {"rule": "largest", "groups": 3},
    {"rule": "omega"},
    {"rule": "squares", "groups": 2},
    {"rule": "product", "groups": 2},
]


@pytest.mark.parametrize("score", SCORES)
def test_even_boards_are_proven_by_mirror_images(score):
    """Dark answers with images: no search of a whole board of 64 or 80 squares could prove that."""
    for width, height in ((4, 4), (8, 8), (10, 8)):
        game = rectangle(width, height, score, tie="dark")
        found = Solver(Kernel(game), memory=1).solve(game.start(), winner_only=True, nodes=100_000)
        assert (found.solved, found.winner) == (True, Seat.SECOND)


@pytest.mark.parametrize("score", SCORES)
def test_light_ties_by_the_central_pair(score):
    for width, height in ((5, 2), (7, 6), (9, 8)):
        game = rectangle(width, height, score, tie="light")
        found = Solver(Kernel(game), memory=1).solve(game.start(), winner_only=True, nodes=100_000)
        assert (found.solved, found.winner) == (True, Seat.FIRST)


def test_no_mirror_image_without_an_answer():
    """A diagonal pair at the centre meets its own image; with a lead, equal points do not tie."""
    game = parse_game("taiji:size=6,diagonal=yes")
    assert not Solver(Kernel(game), memory=1).solve(game.start(), winner_only=True, nodes=20_000).solved
    even = parse_game("taiji:size=6")
    ahead = Solver(Kernel(even), memory=1)
    assert ahead.solve(even.start(), winner_only=True, nodes=20_000).winner is Seat.SECOND
    lead = ahead.solve(even.start(), winner_only=True, nodes=20_000, match=MatchContext(3, None))
    assert lead.winner is not Seat.SECOND


@pytest.mark.parametrize("tie", ["dark", "draw"])
def test_a_mirroring_move_gives_way_to_a_winning_one(tie):
    """Dark has answered badly: Light wins, but not by the image of that answer, which only ties."""
    game = rectangle(4, 3, SCORES[0], tie=tie)
    state = game.start()
    for text in ("c3/d3", "c2/b2"):
        state = state.play(next(move for move in state.legal() if str(move) == text))
    found = Solver(Kernel(game), memory=1).solve(state, winner_only=True)
    assert found.winner is Seat.FIRST
    after = state.play(found.best[0])
    assert Solver(Kernel(game), memory=1).solve(after).winner is Seat.FIRST
