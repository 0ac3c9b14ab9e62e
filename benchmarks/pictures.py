"""Measures pictures: prints how many milliseconds each kind takes, the best and the median."""

from __future__ import annotations

import random
import sys
import time
from statistics import median

from taiji import render
from taiji.notation import Record
from taiji.rules import parse_game

GAMES = ("taiji:size=11", "tailits", "tailits+taiji", "taiji+battle-of-lits")


def played(text, plies=None):
    """Play at random from a fixed seed."""
    dice = random.Random(1)
    states, moves = [parse_game(text).start()], []
    while not states[-1].is_over and len(moves) != plies:
        moves.append(dice.choice(states[-1].legal()))
        states.append(states[-1].play(moves[-1]))
    return Record.of(states[0].game, moves), states[-1], moves[-1]


def measure(name, work, times):
    """Run something several times and print how long it took; processor time tells more on a busy machine."""
    taken, worked = [], []
    for _ in range(times):
        start, began = time.perf_counter(), time.process_time()
        data = work()
        taken.append(1000 * (time.perf_counter() - start))
        worked.append(1000 * (time.process_time() - began))
    best = f"best {min(taken):7.1f} ms   median {median(taken):7.1f} ms   processor {min(worked):7.1f} ms"
    print(f"{name:36} {best}   {len(data) / 1000:6.1f} kB")


def main():
    """Measure every kind of picture."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    for text in GAMES:
        record, state, last = played(text)
        shown = {"last": last, "groups": True}
        measure(f"SVG {text}", lambda s=state, k=shown: render.svg(s, **k), times)
        measure(f"PNG {text}", lambda s=state, k=shown: render.png(s, **k), times)
        measure(f"PDF {text}", lambda s=state, k=shown: render.pdf(s, **k), times)
    record, _, _ = played("taiji:size=11", 50)
    measure("GIF taiji:size=11, 50 plies", lambda: render.gif(record), max(3, times // 3))
    measure("moving SVG taiji:size=11, 50 plies", lambda: render.animated_svg(record), max(3, times // 3))
    measure("sheets tailits", lambda: render.sheet_pdf(parse_game("tailits")), max(3, times // 3))


if __name__ == "__main__":
    main()
