"""Ray: the same games as the local pool, with a worker killed in the middle, each counted once."""

import json
import os
import signal
import time
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("ray")

from taiji.arena import LocalPool
from taiji.arena.ray_pool import RayPool
from taiji.arena.tournaments.data import to_dict
from taiji.arena.tournaments.engines import EngineTournament
from taiji.arena.tournaments.spec import parse_spec

pytestmark = [
    pytest.mark.slow,
    # Ray starts several processes, which may take minutes on a busy machine.
    pytest.mark.timeout(900),
    # What Ray itself leaves open when it goes is its own.
    pytest.mark.filterwarnings("ignore"),
]

SPEC = """
game = "taiji:size=4"
format = "double-round-robin"
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


class Watched:
    """A pool that notes in a folder what is played; one of its workers dies after a game, before it tells."""

    def __init__(self, pool, notes, dies_at=None):
        self._pool, self._notes, self._dies_at = pool, notes, dies_at
        notes.mkdir()

    def run(self, work, tasks):
        return self._pool.run(partial(played_and_noted, work, self._notes, self._dies_at), tasks)

    @property
    def noted(self):
        return Counter(path.name.split("@")[0] for path in self._notes.iterdir())


def played_and_noted(work, notes, dies_at, fixture):
    result = work(fixture)
    mark = notes / f"{fixture.key}@{os.getpid()}"
    again = any(notes.glob(f"{fixture.key}@*"))
    mark.touch()
    if fixture.key == dies_at and not again:
        os.kill(os.getpid(), signal.SIGKILL)
    return result


def test_the_same_tournament_with_a_worker_killed_in_the_middle(pool, tmp_path):
    spec = parse_spec(SPEC)
    here = LocalPool(2)
    tables, games, noted = [], [], []
    for name, where, dies_at in (("ray", pool, "2.1.1"), ("here", here, None)):
        watched = Watched(where, tmp_path / f"{name}-notes", dies_at)
        running = EngineTournament(spec, tmp_path / name)
        tournament = running.play(watched)
        told = [json.loads(line) for line in (tmp_path / name / "games.jsonl").read_text().splitlines()[1:]]
        games.append({line["key"]: line["moves"] for line in told})
        assert len(told) == len(games[-1]), "a game stands twice in the journal"
        tables.append(to_dict(tournament)["standings"])
        noted.append(watched.noted)
        running.close()
    here.close()
    assert len(games[0]) == 12
    assert games[0] == games[1]
    assert tables[0] == tables[1]
    assert noted[1] == Counter(games[1].keys())
    assert noted[0] - noted[1] == Counter({"2.1.1": 1}), "the game of the lost worker was played again"
