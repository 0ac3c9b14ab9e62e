"""Shell completion: what is offered, and that a real bash inserts it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from taiji.cli import COMMANDS, program
from taiji.cli._shells import SCRIPTS, register_shells
from taiji.players import make_player
from taiji.players.factory import player_names
from taiji.players.summaries import PLAYERS
from tests.cli.run import taiji

SHELL = """
PATH="$1:$PATH"
source <(taiji completion bash)
complete_line() {
    COMP_LINE="$1" COMP_POINT=${#1} COMP_WORDS=(taiji) COMP_CWORD=0
    _taiji_completion 2>/dev/null
    echo "${COMPREPLY[*]}"
}
shift
for line; do complete_line "$line"; done
"""


def offers(line: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    from click.shell_completion import get_completion_class

    register_shells()
    monkeypatch.setenv("_TAIJI_LINE", line)
    shell = get_completion_class("zsh")
    assert shell is not None
    items = shell(program, {}, "taiji", "_TAIJI_COMPLETE").complete().splitlines()
    return [item.split("\t")[1] for item in items if not item.startswith("file")]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("taiji ", list(COMMANDS)),
        ("taiji so", ["solve"]),
        ("taiji tournament st", ["standings"]),
        ("taiji show tail", ["tailits", "tailits+taiji", "tailits:", "tailits+taiji:"]),
        ("taiji show blue", ["blue-panther", "blue-panther-advanced"]),
        ("taiji show taiji:s", ["taiji:size=", "taiji:score="]),
        ("taiji show taiji:size=7,", [f"taiji:size=7,{name}=" for name in ("groups", "score", "diagonal")]),
        ("taiji perft taiji:score=o", ["taiji:score=omega"]),
        ("taiji arena random --game del", ["deluxe"]),
        ("taiji arena random ne", ["neural", "neural:seconds=1"]),
        ("taiji play taiji --dark per", ["person"]),
        ("taiji play taiji --dark level:1", ["level:1", "level:10"]),
        ("taiji solve --win", ["--winner-only"]),
        ("taiji bench ", ["playouts", "puct", "search"]),
        ("taiji show chess:", []),
    ],
)
def test_what_is_offered(line: str, offered: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert offers(line, monkeypatch) == offered


def test_bash_completes_words_with_colons_and_equals_signs(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    script = tmp_path / "taiji"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -c "from taiji.cli import main; main()" "$@"\n')
    script.chmod(0o755)
    lines = ["taiji perft taiji:si", "taiji arena level:7 --game tailits:sco", "taiji sol"]
    done = subprocess.run(
        [bash, "--norc", "-c", SHELL, "bash", str(tmp_path), *lines],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COMP_WORDBREAKS": " \t\n\"'><=;|&(:"},
    )
    assert done.stdout.splitlines() == ["size=", "score=", "solve"], done.stderr


def test_every_player_is_listed_and_its_examples_are_valid() -> None:
    assert {player.name for player in PLAYERS} == set(player_names())
    for player in PLAYERS:
        for text in player.examples:
            if not text.startswith("ugi:"):
                make_player(text).close()


def test_a_script_for_each_shell() -> None:
    for name, script in SCRIPTS.items():
        assert taiji("completion", name).stdout == script
