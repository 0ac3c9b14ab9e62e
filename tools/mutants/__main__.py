"""Mutation run: `make mutants ARGS="notation --per-file 20"`; see docs/debugging.md."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tools.mutants.coverage_map import CoverageMap, measure
from tools.mutants.python_mutants import Mutant, mutants
from tools.mutants.runner import TIMEOUT, Job, Verdict, check_unchanged, run_jobs
from tools.mutants.targets import ROOT, TARGETS, Target
from tools.mutants.web_mutants import WebCopy, web_mutants

OTHERS_S = 60.0
"""How long the further tests take that a mutant meets if it survives those that execute its line."""


def main() -> int:
    """Run the chosen targets and print the survivors; return 1 if too few mutants of a target were killed."""
    parser = argparse.ArgumentParser(prog="tools.mutants", description="Mutate code; see if tests notice.")
    names = ", ".join(TARGETS)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"any of {names} (default: all)")
    parser.add_argument("--per-file", type=int, default=12, help="mutants per file, sampled (default: 12)")
    parser.add_argument("--sample", type=int, help="mutants per target instead, drawn from all its files")
    parser.add_argument("--seed", type=int, default=0, help="seed for the sample")
    parser.add_argument("--jobs", type=int, default=2, help="parallel processes")
    parser.add_argument("--only", default="", help="only files whose path contains this text")
    parser.add_argument("--threshold", type=float, default=0.9, help="minimum share killed (default: 0.9)")
    options = parser.parse_args()
    unknown = set(options.targets) - set(TARGETS)
    if unknown:
        parser.error(f"unknown target {min(unknown)!r} (expected {names})")
    too_few = False
    for name in options.targets or TARGETS:
        target = TARGETS[name]
        total = killed = late = 0
        for verdict in (_run_web if target.is_web else _run_python)(target, options):
            total += 1
            killed += verdict.killed
            late += verdict.reason == TIMEOUT
            if not verdict.killed:
                _print_survivor(verdict)
        share = killed / max(1, total)
        print(
            f"{name}: {killed} of {total} mutants killed ({share:.1%}), {late} by the time limit", flush=True
        )
        too_few |= killed < options.threshold * total
    return int(too_few)


def _run_python(target: Target, options: argparse.Namespace) -> Iterator[Verdict]:
    coverage = measure(target, options.jobs)
    jobs = [_job(path, mutant, coverage) for path, mutant in _draw(target, options)]
    with tempfile.TemporaryDirectory() as folder:
        check_unchanged(target.files()[0], coverage.all_tests(), Path(folder))
        yield from run_jobs(jobs, options.jobs, Path(folder))


def _run_web(target: Target, options: argparse.Namespace) -> Iterator[Verdict]:
    with tempfile.TemporaryDirectory() as folder:
        copy = WebCopy(Path(folder))
        path = target.files()[0]
        if not copy.passes(path, path.read_text(), target.tests):
            raise ValueError(f"the tests fail without a mutant: {' '.join(target.tests)}")
        for path, mutant in _draw(target, options):
            killed = not copy.passes(path, mutant.source, target.tests)
            yield Verdict(Job(path, mutant, target.tests), killed, "all tests pass")


def _draw(target: Target, options: argparse.Namespace) -> list[tuple[Path, Mutant]]:
    """Draw mutants of a target; the draw depends on the seed and the names and texts of the files only."""
    find = web_mutants if target.is_web else mutants
    by_file = {path: list(find(path.read_text())) for path in target.files() if options.only in str(path)}
    if options.sample is not None:
        every = [(path, mutant) for path, found in by_file.items() for mutant in found]
        chosen = random.Random(options.seed).sample(every, min(options.sample, len(every)))
        return sorted(chosen, key=lambda one: (one[0], one[1].line))
    drawn = []
    for path, found in by_file.items():
        chance = random.Random(f"{options.seed} {path.relative_to(ROOT)}")
        some = chance.sample(found, min(options.per_file, len(found)))
        drawn += [(path, mutant) for mutant in sorted(some, key=lambda mutant: mutant.line)]
    return drawn


def _job(path: Path, mutant: Mutant, coverage: CoverageMap) -> Job:
    tests = coverage.tests(path, mutant.line)
    others = coverage.others(tests, OTHERS_S)
    seconds = sum(coverage.seconds.get(test, 0.0) for test in (*tests, *others))
    return Job(path, mutant, tuple(tests), seconds, tuple(others))


def _print_survivor(verdict: Verdict) -> None:
    job = verdict.job
    place = f"{job.path.relative_to(ROOT)}:{job.mutant.line}"
    print(f"{place}: {job.mutant.before} → {job.mutant.after} ({verdict.reason})", flush=True)


sys.exit(main())
