"""Notebooks show positions, games and records by themselves."""

from __future__ import annotations

import re
import subprocess
import sys

from taiji import render
from taiji.notation import Record
from taiji.rules import parse_game
from tests.render.scenes import played, record


def test_positions_and_games_have_a_picture() -> None:
    assert render.svg  # importing the package gives the classes their methods
    for value in (parse_game("taiji:size=3"), played("taiji:size=4")[1][3]):
        assert value._repr_svg_().startswith("<svg ")  # type: ignore[union-attr]


def test_a_record_has_a_stepper_of_its_own() -> None:
    html = Record._repr_html_(record("taiji:size=4"))  # type: ignore[attr-defined]
    assert f'max="{len(record("taiji:size=4").moves)}"' in html
    assert not re.search(r"(src|href)=[\"'](?!#)", html), "nothing is fetched"
    assert html.count("<button") == 4
    assert "<svg " in Record._repr_svg_(record("taiji:size=4"))  # type: ignore[attr-defined]


def test_ipython_shows_them_before_any_picture_was_asked_for() -> None:
    code = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("import taiji")
assert "taiji.render" not in sys.modules, "import taiji stays light"
shell.run_cell("from taiji.rules import parse_game\\ngame = parse_game('taiji:size=3')")
shell.run_cell("state = game.start()")
shell.run_cell("from taiji.notation import Record\\nrecord = Record.of(game, [state.legal()[0]])")
for name, form in (("game", "image/svg+xml"), ("state", "image/svg+xml"), ("record", "text/html")):
    data, _ = shell.display_formatter.format(shell.user_ns[name])
    print(name, "<svg " in data[form])
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.stdout.split("\n")[:3] == ["game True", "state True", "record True"], result.stderr
