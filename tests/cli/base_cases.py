"""Every command with good and bad input, as a base install must answer: for a test and `make base-check`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

OWN_GAME = """name = "corner"
board = ["...", ".#.", "..."]
[[pieces]]
kind = "domino"
shape = ["ld"]
count = 4
"""
RECORD = '[Game "corner"]\n[Light "Ana"]\n[Dark "Bo"]\n\n1. a1/b1 c1/c2 *\n'
TOURNAMENT = 'game = "taiji:size=3"\n[[player]]\nplayer = "random"\n[[player]]\nplayer = "greedy"\n'


@dataclass(frozen=True)
class Case:
    """Arguments, the status that is due, and a text that stdout or stderr must hold."""

    arguments: str
    status: int = 0
    says: str = ""
    extra: str = ""
    """The extra that the command needs."""

    @property
    def words(self) -> list[str]:
        return self.arguments.split()


def needs(arguments: str, extra: str) -> Case:
    """Return a case that names the extra to install."""
    return Case(arguments, 2, f"(pip install 'taiji[{extra}]')", extra)


GAME = "--game-file corner.toml"
CASES = [
    Case("--version", 0, "taiji"),
    Case("games", 0, "battle-of-lits"),
    Case("games --json", 0, '"editions"'),
    Case("games chess", 2),
    Case("players", 0, "level:10"),
    Case("players --json", 0, '"nets"'),
    Case("players x", 2),
    Case("completion bash", 0, "complete -o nosort"),
    Case("completion zsh", 0, "#compdef"),
    Case("completion fish", 0, "complete --no-files"),
    Case("completion csh", 2),
    Case("show taiji:size=3", 0, "taiji:size=3"),
    Case(f"show corner.tji {GAME} --json", 0, '"game": "corner"'),
    Case("show corner.tji", 2, "unknown game 'corner'"),
    Case("show tajii", 2, "did you mean taiji?"),
    Case(f"replay corner.tji {GAME}", 0, "Ana v Bo"),
    Case("replay corner.tji", 2),
    Case("replay none.tji", 2, "No such file"),
    Case(f"convert corner.tji out.jsonl {GAME}", 0, "1 game read"),
    needs(f"convert corner.tji out.parquet {GAME}", "study"),
    Case("convert none.tji out.jsonl", 2),
    Case(f"perft corner 2 {GAME}", 0),
    Case("perft taiji x", 2),
    Case(f"solve corner.tji {GAME} --json", 0, '"solved": true'),
    Case("solve corner.tji", 2),
    Case(f"analyse corner.tji {GAME} --playouts 50", 0),
    Case("analyse taiji:size=5 --player neural --playouts 5", 0),
    Case("analyse taiji --player nobody", 2, "unknown player"),
    Case(f"review corner.tji {GAME} --playouts 50 --json", 0, '"moves"'),
    Case("review none.tji", 2),
    Case("puzzle list", 0, "taiji-7: "),
    Case("puzzle make --game taiji:size=4 --count 1 --playouts 5", 0, '"solution"'),
    Case("puzzle check corner.tji", 2, "corner.tji:1: not a puzzle"),
    Case("explore taiji:size=5", 0, "Light to move"),
    Case("explore chess", 2, "unknown game"),
    needs("explore build corner.tji -o books", "ai"),
    Case("render corner.tji --game corner.toml -o out.svg", 0, "out.svg"),
    Case("render taiji:size=3 -o out.txt", 0),
    needs("render taiji:size=3 -o out.png", "render"),
    needs("render taiji:size=3 -o out.pdf", "render"),
    needs(f"render corner.tji {GAME} -o out.gif", "render"),
    Case("render taiji -o out.bmp", 2, "unknown format"),
    Case("arena random greedy --game corner.toml --pairs 1 --json", 0, '"elo"'),
    Case("arena random nobody", 2, "unknown player"),
    needs("arena random greedy --ray local --pairs 1", "cluster"),
    Case("study balance corner.toml --games 2 --playouts 2,4,8 --workers 1 -o study", 0, "index.html"),
    Case("study report study --json", 0, '"complete": true'),
    needs("study report study --parquet games.parquet", "study"),
    needs("study balance taiji:size=3 --games 2 --jax -o jax", "train"),
    needs("study balance taiji:size=3 --games 2 --ray local -o ray", "cluster"),
    Case("study balance chess", 2, "unknown game"),
    Case("study run none.toml", 2, "No such file"),
    Case("bench", 0, "Bench: 4013301743"),
    Case("bench --json", 0, '"signature": 4013301743'),
    needs("bench puct --json", "ai"),
    Case("bench playouts taiji:size=3 --seconds 0.05 --json", 0, '"playouts_per_s"'),
    Case("bench search taiji:size=3 --playouts 100", 0),
    Case("bench nothing", 2),
    Case("tournament new club.tour --game taiji:size=3 --format round-robin", 0, "created"),
    Case("tournament join club.tour Ana Bo", 0, "Ana"),
    Case("tournament pair club.tour", 0, "Ana"),
    Case("tournament result club.tour 1 3-2 2-3", 0),
    Case("tournament standings club.tour", 0, "Bo"),
    Case("tournament log club.tour --json", 0),
    Case("tournament export club.tour club.csv", 0, "club.csv"),
    Case("tournament export club.tour club.html", 0, "club.html"),
    needs("tournament export club.tour club.pdf", "render"),
    Case("tournament import again.tour club.csv --game taiji:size=3", 0),
    Case("tournament withdraw club.tour Nobody", 2),
    Case("tournament new swiss.tour --game taiji:size=3", 0),
    Case("tournament join swiss.tour Ana Bo", 0),
    needs("tournament pair swiss.tour", "tournament"),
    Case("tournament run run.toml -o run", 0, "games.tji"),
    needs("tournament run run.toml -o run --plot", "study"),
    Case("tournament run none.toml", 2),
    needs("train tiny", "train"),
    Case("train none", 2),
    needs("serve --port 0 --no-open", "server"),
    Case("serve --port x", 2),
    needs("engines --cluster nats://127.0.0.1:9", "bus"),
    Case("engines", 2),
    needs("admin list", "server"),
    Case("admin dance", 2),
    needs("backup copy.sqlite", "server"),
    Case("backup", 2),
    needs("restore copy.sqlite", "server"),
    Case("restore", 2),
    needs("check", "server"),
    Case("check --limit 0", 2),
    needs("bot --url http://127.0.0.1:9 --token x", "server"),
    Case("bot", 2),
    Case("engine", 0, "ugiok"),
    Case("play taiji:size=3 --light random --dark random --plain --seed 1", 0),
    Case("play nothing", 2, "unknown game"),
    Case("nonsense", 2, "no such command"),
]
STDIN = "ugi\nquit\n"
WITH_EXTRAS = [
    *(case for case in CASES if not case.extra),
    Case(f"convert corner.tji out.parquet {GAME}", 0, "1 game read"),
    Case("render taiji:size=3 -o out.png", 0, "out.png"),
    Case("render taiji:size=3 -o out.pdf", 0, "out.pdf"),
    Case(f"render corner.tji {GAME} -o out.gif", 0, "out.gif"),
    Case("arena random greedy --game taiji:size=3 --ray local --pairs 1 --json", 0, '"elo"'),
    Case("bench puct --json", 0, '"signature"'),
    Case("tournament export club.tour club.pdf", 0, "club.pdf"),
    Case("tournament pair swiss.tour", 0, "Ana"),
    Case("tournament run run.toml -o plotted --plot", 0, "games.tji"),
    Case("train tiny --check", 0),
    Case("admin list", 2),
    Case("bot --url http://127.0.0.1:9 --token x", 2),
]
"""The commands of an install with all extras; `serve` is played on by tests/web/offline_check.py."""


def write_files(folder: Path) -> None:
    """Write the files that the cases read."""
    (folder / "corner.toml").write_text(OWN_GAME)
    (folder / "corner.tji").write_text(RECORD)
    (folder / "run.toml").write_text(TOURNAMENT)


def problem(case: Case, status: int, output: str) -> str:
    """Return what is wrong with an answer, or nothing."""
    if "Traceback" in output:
        return f"taiji {case.arguments}: a traceback\n{output[-2000:]}"
    if status != case.status or case.says not in output:
        due = f"expected {case.status} and {case.says!r}"
        return f"taiji {case.arguments}: status {status}, {due}\n{output[-800:]}"
    errors = [line for line in output.splitlines() if line.startswith("taiji")]
    if case.status == 2 and len(errors) != 1:
        return f"taiji {case.arguments}: not one line\n{output[-800:]}"
    return ""
