"""What playing on Ray costs against the processes of this machine: games of one second, two at a time.

Run: python benchmarks/ray_overhead.py [GAMES]
"""

from __future__ import annotations

import sys
import time

from taiji.arena import GameResult, GameTask, LocalPool, run_game_task
from taiji.arena.ray_pool import RayPool
from taiji.players import Limit

WORKERS = 2
SECONDS = 1.0


def game_of_a_second(fixture: GameTask) -> GameResult:
    """Play a quick game and wait for the rest of a second, so that only the pools differ."""
    until = time.perf_counter() + SECONDS
    result = run_game_task(fixture)
    time.sleep(max(0.0, until - time.perf_counter()))
    return result


def fixtures(count: int, name: str):
    limit = Limit(seconds=SECONDS)
    for number in range(count):
        yield GameTask(f"{name}{number}", "taiji:size=4", "random", "random", (limit, limit), seed=number)


def measure(pool, count: int) -> float:
    """Play with workers that are warm, as in any tournament that is worth a cluster."""
    list(pool.run(game_of_a_second, fixtures(2 * WORKERS, "warm")))
    began = time.perf_counter()
    results = list(pool.run(game_of_a_second, fixtures(count, "game")))
    assert len(results) == count
    return time.perf_counter() - began


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    took = {}
    for name, make in (("local", lambda: LocalPool(WORKERS)), ("ray", lambda: RayPool("local", WORKERS))):
        began = time.perf_counter()
        pool = make()
        started = time.perf_counter() - began
        took[name] = measure(pool, count)
        pool.close()
        print(f"{name}: {took[name]:.1f} s for {count} games, {took[name] / count * WORKERS:.3f} s a game, "
              f"start {started:.1f} s")  # fmt: skip
    print(f"overhead of Ray: {took['ray'] / took['local'] - 1:+.1%}")


if __name__ == "__main__":
    main()
