"""Compares two builds of the compiled core in one run and prints the ratio of their speeds.

    python benchmarks/core_builds.py --native            the installed core against a build with -march=native
    python benchmarks/core_builds.py --core a/_core.so --against b/_core.so --rounds 30
    python benchmarks/core_builds.py --python new/bin/python --against-python old/bin/python

Each build runs in its own process. They take turns in short slices of fixed work; a ratio is the median of
the ratios of neighbouring slices, by CPU time, so a busy machine disturbs both alike. The time that the
system takes to find memory for a tree is left out: it is up to 60 % of a slice, and no compiler changes it.
The signatures of both searches must be equal, unless the builds are of two versions: each interpreter has
the package of its own. `--minimum` fails if a ratio is lower, `--minimum-playouts` if that of TAIJI playouts
on 9×9 or 11×11 is.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
SLICE_S = 0.12
PLAYOUTS = {
    "playouts 7×7": "taiji:size=7",
    "playouts 9×9": "taiji:size=9",
    "playouts 11×11": "taiji:size=11",
    "playouts TAILITS": "tailits",
    "playouts Battle of LITS": "battle-of-lits",
}
SEARCHES = {"search 9×9": "taiji:size=9", "search TAILITS": "tailits"}
NETS = {"net 9×9": "taiji:size=9", "net TAILITS": "tailits", "net Battle of LITS": "battle-of-lits"}
LARGE = ("playouts 9×9", "playouts 11×11")


def load_core(path: str) -> None:
    """Make `taiji._core` the module in a file."""
    spec = importlib.util.spec_from_file_location("taiji._core", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["taiji._core"] = module
    spec.loader.exec_module(module)
    import taiji

    taiji._core = module  # type: ignore[attr-defined]


def make_tasks() -> dict[str, Callable[[int], object]]:
    """Return the work of each measurement, by amount: playouts, or evaluations of a net."""
    from taiji.kernel import Kernel, Puct, PuctLimits, Search, SearchLimits, SearchOptions
    from taiji.players.player_nets import bundled_net_for
    from taiji.rules import parse_game

    tasks: dict[str, Callable[[int], object]] = {}
    for name, text in PLAYOUTS.items():
        start = Kernel(parse_game(text)).start()
        tasks[name] = lambda count, start=start: start.playouts(count, seed=1)
    for name, text in SEARCHES.items():
        kernel = Kernel(parse_game(text))
        tasks[name] = lambda count, kernel=kernel: Search(kernel, SearchOptions(threads=1, seed=1)).run(
            kernel.start(), SearchLimits(playouts=count)
        )
    for name, text in NETS.items():
        game = parse_game(text)
        net, kernel = bundled_net_for(game), Kernel(game)
        assert net is not None
        # The layout of the inputs is built once: in Python, where it takes a third of a slice in TAILITS.
        spec, judges = net.encoder_spec(game), [net.evaluator(game, 8)]
        tasks[name] = lambda count, spec=spec, kernel=kernel, judges=judges: Puct(kernel, spec).run(
            kernel.start(), PuctLimits(evaluations=count), judges
        )
    return tasks


def serve() -> None:
    """Answer `NAME COUNT` lines with CPU seconds; `signature` with those of the searches."""
    from taiji.kernel.signature import puct_signature, search_signature

    tasks = make_tasks()
    for line in sys.stdin:
        name, count = json.loads(line)
        if name == "signature":
            print(json.dumps([search_signature(), puct_signature()]), flush=True)
            continue
        began = user_s()
        tasks[name](count)
        print(json.dumps(user_s() - began), flush=True)


def user_s() -> float:
    """Return the CPU time of this process without that of the system."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


class Build:
    """A process that runs one build of the core."""

    def __init__(self, path: str | None, python: str = sys.executable) -> None:
        command = [python, "-P", __file__, "--serve", *([path] if path else [])]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ
        )

    def ask(self, name: str, count: int = 0) -> object:
        """Return the answer of the process."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps([name, count]), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def seconds(self, name: str, count: int) -> float:
        """Return the CPU time of a piece of work."""
        return float(str(self.ask(name, count)))

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def build_native() -> str:
    """Compile the core with `-march=native` as one module and return its path."""
    folder = ROOT / "build" / "native"
    define = {
        "CMAKE_CXX_FLAGS": "-march=native",
        "TAIJI_LEVELS": "",
        "Python_EXECUTABLE": sys.executable,
        "SKBUILD_PROJECT_VERSION": "native",
    }
    tools = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    defines = [f"-D{key}={value}" for key, value in define.items()]
    configure = ["cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, *defines]
    for command in (configure, ["cmake", "--build", folder]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    return str(next(folder.glob("_core*.so")))


def amount(build: Build, name: str) -> int:
    """Return how much work takes one slice."""
    count = 4
    while (taken := build.seconds(name, count)) < SLICE_S / 2:
        count *= 2
    return max(1, round(count * SLICE_S / taken))


def compare(ours: Build, theirs: Build, rounds: int, only: str) -> dict[str, float]:
    """Return the ratio of the speeds of two builds for each measurement whose name holds a text."""
    counts = {name: amount(ours, name) for name in (*PLAYOUTS, *SEARCHES, *NETS) if only in name}
    ratios: dict[str, list[float]] = {name: [] for name in counts}
    for _ in range(rounds):
        for name, count in counts.items():
            mine = ours.seconds(name, count)
            ratios[name].append(theirs.seconds(name, count) / mine)
    return {name: median(values) for name, values in ratios.items()}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--core", help="a build of the core; the installed one if missing")
    parser.add_argument("--against", help="the build to compare it with")
    parser.add_argument("--native", action="store_true", help="compare with `-march=native`, built for it")
    parser.add_argument("--python", default=sys.executable, help="an interpreter with the package")
    parser.add_argument("--against-python", help="an interpreter with the version to compare with")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--only", default="", help="measure what has this in its name")
    parser.add_argument("--minimum", type=float, default=0.0)
    parser.add_argument("--minimum-playouts", type=float, default=0.0)
    parser.add_argument("--serve", nargs="?", const="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve is not None:
        if given.serve:
            load_core(given.serve)
        serve()
        return 0
    against = build_native() if given.native else given.against
    builds = Build(given.core, given.python), Build(against, given.against_python or sys.executable)
    signatures = [build.ask("signature") for build in builds]
    ratios = compare(*builds, given.rounds, given.only)
    for build in builds:
        build.close()
    low = []
    for name, ratio in ratios.items():
        due = given.minimum_playouts if name in LARGE else given.minimum
        low += [name] if round(ratio, 2) < due else []
        print(f"{name:24} {ratio:5.2f}")
    print(f"signatures {'equal' if signatures[0] == signatures[1] else 'differ'}: {signatures}")
    if low:
        print(f"slower than expected: {', '.join(low)}")
    same_version = given.against_python is None
    return int(bool(low) or (same_version and signatures[0] != signatures[1]))


if __name__ == "__main__":
    sys.exit(main())
