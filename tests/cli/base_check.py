"""`python -m tests.cli.base_check PROGRAM [--extras]`: run every command with good and bad input.

Without `--extras` the program must be installed without any, with it, with all of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.cli.base_cases import CASES, STDIN, WITH_EXTRAS, problem, write_files


def main(program: str, *options: str) -> int:
    """Run every case as a process; print what is wrong and return whether anything is."""
    cases = WITH_EXTRAS if "--extras" in options else CASES
    problems = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)
        environment = {**os.environ, "HOME": name, "XDG_DATA_HOME": name, "PYTHONPATH": ""}
        for case in cases:
            done = subprocess.run(
                [program, *case.words],
                input=STDIN,
                capture_output=True,
                text=True,
                cwd=folder,
                env=environment,
                check=False,
                timeout=300,
            )
            found = problem(case, done.returncode, done.stdout + done.stderr)
            problems += [found] if found else []
    print("\n".join(problems) or f"{len(cases)} commands answer as they should")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
