"""`python -m tools.release [STEP …]`: run the steps of a release; all if none is named.

build   the sdist, and from it the manylinux_2_28 wheels: CPython 3.11 and 3.12 or later, x86-64 and aarch64
native  instead of build: the sdist and one wheel for this interpreter, with the compiler of this machine
files   what sdist and wheels hold; twine check
repeat  build again; the files must be equal byte for byte
base    every command in an environment without extras, for each Python that is found
full    every command in an environment with all extras
offline play in the browser, in the terminal and from Python without a network, from the wheel alone
speed   the core of the wheel against a build with -march=native

The figures are in build/release/log.md.
"""

from __future__ import annotations

import sys

from tools.release import artefacts, contents, environments, offline, speed
from tools.release.running import Failure, Log, ensure_tools

STEPS = {
    "build": artefacts.build,
    "native": artefacts.build_native,
    "files": contents.check,
    "repeat": artefacts.build_again,
    "base": environments.check_base,
    "full": environments.check_full,
    "offline": offline.check,
    "speed": speed.check,
}


def main(names: list[str]) -> int:
    """Run the steps; print the first problem as one line."""
    wanted = names or [name for name in STEPS if name != "native"]
    unknown = [name for name in wanted if name not in STEPS]
    if unknown:
        print(f"release: unknown step '{unknown[0]}' (expected {', '.join(STEPS)})", file=sys.stderr)
        return 2
    log = Log()
    try:
        ensure_tools()
        for name, step in STEPS.items():
            if name in wanted:
                with log.step(name):
                    step(log)
    except Failure as failure:
        print(f"release: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
