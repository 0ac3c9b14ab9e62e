"""Run the program within a test, as a user would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.testing import CliRunner

from taiji.cli import program

if TYPE_CHECKING:
    from click.testing import Result


def taiji(*arguments: str, stdin: str | bytes | None = None) -> Result:
    """Run the program and return what it printed; an error that is not bad input is raised."""
    result = CliRunner().invoke(program, [*arguments], input=stdin, prog_name="taiji")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def refusal(*arguments: str, stdin: str | bytes | None = None) -> str:
    """Run the program on bad input and return the one line it says on stderr."""
    result = taiji(*arguments, stdin=stdin)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("taiji")
    assert "Traceback" not in result.output
    return result.stderr.rstrip("\n")
