"""Compare the speed of the page's engine with the native core, on one thread and in one run.

    PYTHONPATH=. .venv/bin/python benchmarks/wasm.py [--seconds 0.5] [--rounds 5]

Both measure in turns and in time of the processor, so that other load weighs little and on both; the median
of the ratios is printed.
The issue's goals are 0.6 for playouts and searches and 0.45 for nets. Needs Node.js and the packages of web/.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from taiji.kernel import Puct, PuctLimits, PuctOptions, Search, SearchLimits, get_kernel
from taiji.nets.net import bundled_nets, open_net
from taiji.nets.page import write_page_net
from taiji.players.presets import search_preset
from taiji.rules import parse_game
from taiji.server.domain.game_definition import game_definition

ROOT = Path(__file__).parent.parent
GAMES = (
    "taiji:size=7",
    "taiji",
    "taiji:size=11",
    "tailits",
    "battle-of-lits",
    "tailits+taiji",
    "taiji+battle-of-lits",
)
WASM = ROOT / "web/src/engine/built/taiji-simd.wasm"
GOALS = {"playouts": 0.6, "search": 0.6, "net": 0.45}
BATCH = 8


def native(text: str, kind: str, seconds: float) -> float:
    """Return playouts or evaluations per second of the processor, by the native core."""
    game = parse_game(text)
    kernel = get_kernel(game)
    start = kernel.start()
    if kind == "playouts":
        return _timed(lambda: start.playouts(seconds=seconds, seed=1).playouts)
    if kind == "search":
        search = Search(kernel, replace(search_preset(game), seed=1))
        return _timed(lambda: search.run(start, SearchLimits(seconds=seconds)).playouts)
    net = open_net(net_path(text))
    puct = Puct(kernel, net.encoder_spec(game), PuctOptions(seed=1, cache=False, reuse=False))
    evaluators = [net.evaluator(game, BATCH)]
    return _timed(lambda: puct.run(start, PuctLimits(seconds=seconds), evaluators).evaluations)


def _timed(run: Callable[[], int]) -> float:
    began = process_time()
    done = run()
    return done / (process_time() - began)


def net_path(text: str) -> Path:
    """Return the bundled net of a game."""
    game = parse_game(text)
    return next(path for path in bundled_nets() if open_net(path).supports(game))


class Page:
    """The page's engine in Node.js."""

    def __init__(self, folder: Path) -> None:
        definitions = folder / "games.json"
        games = {text: game_definition(text).model_dump(mode="json") for text in GAMES}
        definitions.write_text(json.dumps(games))
        self._nets = {path: folder / f"{path.stem}.net" for path in bundled_nets()}
        for path, target in self._nets.items():
            write_page_net(path, target)
        script = folder / "measure.mjs"
        bundle = ["npx", "--prefix", "web", "rolldown", "web/test/measure.ts", "--platform", "node"]
        subprocess.run([*bundle, "--file", str(script)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        self._node = subprocess.Popen(
            ["node", str(script), str(definitions)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def measure(self, text: str, kind: str, seconds: float) -> float:
        """Return playouts or evaluations per second of the processor."""
        net = str(self._nets[net_path(text)]) if kind == "net" else None
        job = {"wasm": str(WASM), "net": net, "game": text, "kind": kind, "seconds": seconds}
        assert self._node.stdin is not None
        assert self._node.stdout is not None
        print(json.dumps(job), file=self._node.stdin, flush=True)
        done, spent = json.loads(self._node.stdout.readline())
        return float(done / spent)

    def close(self) -> None:
        """End Node.js."""
        self._node.communicate()


def compare(page: Page, text: str, kind: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure both in turns."""
    ratios, speeds = [], []
    for measured in range(arguments.rounds + 1):
        ours = native(text, kind, arguments.seconds)
        theirs = page.measure(text, kind, arguments.seconds)
        if measured:  # the first round warms both up
            ratios.append(theirs / ours)
            speeds.append((ours, theirs))
    ours, theirs = (median(column) for column in zip(*speeds, strict=True))
    return {"native_per_s": round(ours), "wasm_per_s": round(theirs), "ratio": round(median(ratios), 2)}


def main() -> None:
    """Print one line per game and kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    print(f"{'game':22} {'kind':9} {'native/s':>10} {'wasm/s':>10} {'ratio':>6}")
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
        page = Page(Path(folder))
        for text in GAMES:
            for kind, goal in GOALS.items():
                if kind == "net" and "+" in text:
                    continue
                row = compare(page, text, kind, arguments)
                note = "" if row["ratio"] >= goal else f"  below {goal}"
                speeds = f"{row['native_per_s']:>10,} {row['wasm_per_s']:>10,} {row['ratio']:>6.2f}"
                print(f"{text:22} {kind:9} {speeds}{note}", flush=True)
        page.close()


if __name__ == "__main__":
    main()
