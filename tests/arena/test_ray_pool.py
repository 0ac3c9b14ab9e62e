"""Ray: the same games as the local pool, with a worker killed in the middle, each counted once."""

import os
import signal
import time
from pathlib import Path

import pytest

pytest.importorskip("ray")

from taiji.arena.ray_pool import RayPool, open_pool
from taiji.arena.tournaments.engines import EngineTournament
from taiji.arena.tournaments.spec import parse_spec

pytestmark = [
    pytest.mark.slow,
    # What Ray itself leaves open when it goes is its own.
    pytest.mark.filterwarnings("ignore"),
]

SPEC = """
game = "taiji:size=4"
format = "round-robin"
playouts = 20
[[player]]
player = "random"
[[player]]
player = "greedy"
[[player]]
player = "mcts"
"""


@pytest.fixture(scope="module")
def pool():
    made = RayPool("local", workers=2)
    yield made
    made.close()


def killed_once(task):
    """Die at the third task, the first time."""
    path, number = task
    if number == 3 and not Path(path).exists():
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.02)
    return number * number


def test_a_lost_worker_is_replaced_and_nothing_counts_twice(pool, tmp_path):
    tasks = [(str(tmp_path / "died"), number) for number in range(12)]
    results = list(pool.run(killed_once, tasks))
    assert (tmp_path / "died").exists()
    assert sorted(task[1] for task, _ in results) == list(range(12))
    assert all(result == task[1] ** 2 for task, result in results)


def test_the_same_tournament_on_ray_and_here(pool, tmp_path):
    spec = parse_spec(SPEC)
    games = []
    for folder, where in (("ray", pool), ("here", open_pool(1, None))):
        running = EngineTournament(spec, tmp_path / folder)
        running.play(where)
        games.append({key: result.moves for key, result in running.journal.results.items()})
        running.close()
    assert games[0] == games[1]
    assert len(games[0]) == 6
