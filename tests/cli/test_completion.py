"""Shell completion: what is offered, and that a real bash inserts it."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
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


TAIJI_OPTIONS = ("groups", "score", "diagonal", "tie", "komi", "pie", "opening")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("taiji ", list(COMMANDS)),
        ("taiji so", ["solve"]),
        ("taiji tournament st", ["standings"]),
        ("taiji show tail", ["tailits", "tailits+taiji", "tailits:", "tailits+taiji:"]),
        ("taiji show blue", ["blue-panther", "blue-panther-advanced"]),
        ("taiji show taiji:s", ["taiji:size=", "taiji:score="]),
        ("taiji show taiji:size=7,", [f"taiji:size=7,{name}=" for name in TAIJI_OPTIONS]),
        ("taiji perft taiji:score=o", ["taiji:score=omega"]),
        ("taiji arena random --game del", ["deluxe"]),
        ("taiji arena random ne", ["neural", "neural:seconds=1"]),
        ("taiji play taiji --dark per", ["person"]),
        ("taiji play taiji --dark level:1", ["level:1", "level:10"]),
        ("taiji solve --win", ["--winner-only"]),
        ("taiji bench ", ["playouts", "puct", "search"]),
        ("taiji show chess:", []),
        ("taiji puzzle --set tail", ["tailits", "tailits+taiji"]),
        ("taiji explore nestorgames-7", ["nestorgames-7x7"]),
        ("taiji explore bu", ["build"]),
        ("taiji explore taiji --mo", ["--moves"]),
    ],
)
def test_what_is_offered(line: str, offered: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert offers(line, monkeypatch) == offered


def install(folder: Path) -> None:
    script = folder / "taiji"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -c "from taiji.cli import main; main()" "$@"\n')
    script.chmod(0o755)


def test_bash_completes_words_with_colons_and_equals_signs(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    install(tmp_path)
    lines = ["taiji perft taiji:si", "taiji arena level:7 --game tailits:sco", "taiji sol"]
    done = subprocess.run(
        [bash, "--norc", "-c", SHELL, "bash", str(tmp_path), *lines],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COMP_WORDBREAKS": " \t\n\"'><=;|&(:"},
    )
    assert done.stdout.splitlines() == ["size=", "score=", "solve"], done.stderr


def test_fish_completes_games_and_commands(tmp_path: Path) -> None:
    fish = shutil.which("fish")
    if fish is None:
        pytest.skip("no fish here")
    install(tmp_path)
    lines = ["taiji perft taiji:si", "taiji sol"]
    asked = "".join(f"complete -C '{line}'\n" for line in lines)
    done = subprocess.run(
        [fish, "--no-config", "-c", f"taiji completion fish | source\n{asked}"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path)},
    )
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["taiji:size=", "solve"], done.stderr


class Zsh:
    """An interactive zsh on a terminal, with the completion of the program."""

    def __init__(self, zsh: str, folder: Path) -> None:
        (folder / ".zshrc").write_text(
            "PS1=; autoload -U compinit; compinit -u\nsource <(taiji completion zsh)\necho rea''dy\n"
        )
        environment = {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder), "ZDOTDIR": str(folder)}
        self.terminal, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [zsh, "-i"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, **environment, "TERM": "vt100"},
            start_new_session=True,
        )
        os.close(theirs)

    def wait_for(self, word: str) -> bool:
        """Return whether a word appears within a minute."""
        seen, end = "", time.monotonic() + 60
        while word not in seen and time.monotonic() < end:
            if select.select([self.terminal], [], [], 1)[0]:
                seen += os.read(self.terminal, 65536).decode(errors="replace").replace("\a", "")
        return word in seen

    def close(self) -> None:
        """End the shell."""
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)


@pytest.mark.parametrize(("line", "word"), [("taiji perft taiji:si", "taiji:size="), ("taiji so", "solve")])
def test_zsh_completes_games_and_commands(line: str, word: str, tmp_path: Path) -> None:
    path = shutil.which("zsh")
    if path is None:
        pytest.skip("no zsh here")
    install(tmp_path)
    zsh = Zsh(path, tmp_path)
    try:
        assert zsh.wait_for("ready")
        os.write(zsh.terminal, f"{line}\t".encode())
        assert zsh.wait_for(word)
    finally:
        zsh.close()


def test_every_player_is_listed_and_its_examples_are_valid() -> None:
    assert {player.name for player in PLAYERS} == set(player_names())
    for player in PLAYERS:
        for text in player.examples:
            if not text.startswith("ugi:"):
                make_player(text).close()


def test_a_script_for_each_shell() -> None:
    for name, script in SCRIPTS.items():
        assert taiji("completion", name).stdout == script
