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
from tools.mutants.runner import Job, Verdict, check_unchanged, run_jobs
from tools.mutants.targets import ROOT, TARGETS, Target
from tools.mutants.web_mutants import WebCopy, web_mutants


def main() -> int:
    """Run the chosen targets and print the survivors; return 1 if too few mutants of a target were killed."""
    parser = argparse.ArgumentParser(prog="tools.mutants", description="Mutate code; see if tests notice.")
    names = ", ".join(TARGETS)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"any of {names} (default: all)")
    parser.add_argument("--per-file", type=int, default=12, help="mutants per file, sampled (default: 12)")
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
        total = killed = 0
        for verdict in (_run_web if target.is_web else _run_python)(target, options):
            total += 1
            killed += verdict.killed
            if not verdict.killed:
                _print_survivor(verdict)
        print(f"{name}: {killed} of {total} mutants killed ({killed / max(1, total):.1%})", flush=True)
        too_few |= killed < options.threshold * total
    return int(too_few)


def _run_python(target: Target, options: argparse.Namespace) -> Iterator[Verdict]:
    coverage = measure(target, options.jobs)
    jobs = [
        _job(path, mutant, coverage)
        for path in target.files()
        if options.only in str(path)
        for mutant in _sample(mutants(path.read_text()), path, options)
    ]
    with tempfile.TemporaryDirectory() as folder:
        check_unchanged(target.files()[0], coverage.all_tests(), Path(folder))
        yield from run_jobs(jobs, options.jobs, Path(folder))


def _run_web(target: Target, options: argparse.Namespace) -> Iterator[Verdict]:
    with tempfile.TemporaryDirectory() as folder:
        copy = WebCopy(Path(folder))
        for path in target.files():
            source = path.read_text()
            if not copy.passes(path, source, target.tests):
                raise ValueError(f"the tests fail without a mutant: {' '.join(target.tests)}")
            for mutant in _sample(list(web_mutants(source)), path, options):
                killed = not copy.passes(path, mutant.source, target.tests)
                yield Verdict(Job(path, mutant, target.tests), killed, "all tests pass")


def _sample(found: list[Mutant], path: Path, options: argparse.Namespace) -> list[Mutant]:
    """Draw mutants of a file; the draw depends on the seed and the file's name only."""
    chance = random.Random(f"{options.seed} {path.relative_to(ROOT)}")
    return sorted(chance.sample(found, min(options.per_file, len(found))), key=lambda mutant: mutant.line)


def _job(path: Path, mutant: Mutant, coverage: CoverageMap) -> Job:
    tests = coverage.tests(path, mutant.line)
    return Job(path, mutant, tuple(tests), sum(coverage.seconds.get(test, 0.0) for test in tests))


def _print_survivor(verdict: Verdict) -> None:
    job = verdict.job
    place = f"{job.path.relative_to(ROOT)}:{job.mutant.line}"
    print(f"{place}: {job.mutant.before} → {job.mutant.after} ({verdict.reason})", flush=True)


sys.exit(main())
