"""With base dependencies only, every command works or names the extra to install in one line.

`make base-check` runs the same commands in an environment made from the built wheel; here one process hides
the optional modules.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import tests.cli.base_cases
from taiji.cli import COMMANDS
from taiji.cli.errors import EXTRAS
from tests.cli.base_cases import CASES

PROGRAM = """
import json, sys, warnings
from importlib.abc import MetaPathFinder

hidden = set(json.loads(sys.argv[1]))

class Hide(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hide())
warnings.simplefilter("error")
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from click.testing import CliRunner
from taiji.cli import program
from tests.cli.base_cases import CASES, STDIN, problem, write_files

write_files(Path())
for case in CASES:
    done = CliRunner().invoke(program, case.words, input=STDIN, prog_name="taiji")
    error = done.exception
    if error is not None and not isinstance(error, SystemExit):
        print(f"taiji {case.arguments}: {error!r}")
    elif found := problem(case, done.exit_code, done.output):
        print(found)
    from taiji.rules import catalogue
    catalogue._registered.clear()
loaded = hidden.intersection(name.partition(".")[0] for name in sys.modules)
assert not loaded, loaded
"""


def test_every_command_works_or_names_its_extra(tmp_path: Path) -> None:
    root = Path(tests.cli.base_cases.__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(sorted(EXTRAS)), str(root)],
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""


NEEDS_EXTRA = ("serve", "engines", "admin", "backup", "restore", "check", "bot", "train")
"""Commands that do nothing in an install without extras."""


def test_every_command_is_tried_with_good_and_with_bad_input() -> None:
    for name in COMMANDS:
        statuses = {case.status for case in CASES if case.words[0] == name}
        assert 2 in statuses or name == "engine", name
        assert 0 in statuses or name in NEEDS_EXTRA, name
