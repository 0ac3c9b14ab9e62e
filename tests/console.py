"""The console examples of the docs: run as written, and updated on demand.

A block marked `console` holds commands, each behind `$ `, and below each what it prints. Commands run in the
folder of their document. `python -m tests.console FILE...` updates the outputs; look at them before
you commit.
"""

from __future__ import annotations

import contextlib
import re
import shlex
import sys
from pathlib import Path

from click.testing import CliRunner

from taiji.cli import program

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = "$ "


def rewritten(document: Path) -> str:
    """Return the text of a document with every output as it is now."""
    with contextlib.chdir(document.parent):
        return BLOCK.sub(lambda block: f"```console\n{_rerun(block[1])}```", document.read_text())


def _rerun(block: str) -> str:
    commands = [line for line in block.splitlines() if line.startswith(PROMPT)]
    return "".join(f"{command}\n{output(command.removeprefix(PROMPT))}" for command in commands)


def output(command: str) -> str:
    """Run `taiji ...`, perhaps with `< FILE` at its end, and return what it prints on stdout and stderr."""
    name, *arguments = shlex.split(command)
    assert name == "taiji", f"{command}: only taiji can be run here"
    stdin = None
    if "<" in arguments:
        at = arguments.index("<")
        stdin = Path(arguments[at + 1]).read_bytes()
        del arguments[at : at + 2]
    result = CliRunner().invoke(program, arguments, input=stdin, prog_name="taiji")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name).resolve()
        path.write_text(rewritten(path))
