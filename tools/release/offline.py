"""Plays from an installed wheel without a network: from Python, in the terminal and in the browser."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from tools.release.environments import dev_python, full_environment
from tools.release.running import ROOT, Failure, Log, run

LIBRARY = """
import taiji

state = taiji.parse_game("taiji:size=5").start()
players = taiji.player("level:2"), taiji.player("neural:evaluations=20")
while not state.is_over:
    state = state.play(players[state.seat_to_move].choose(state, taiji.Limit(playouts=50))[0])
print(state.outcome().winner.name, state.scores())
"""
PLACEMENTS = "import taiji; print(*taiji.parse_game('taiji:size=3').start().legal(), sep='\\n')"


def check(log: Log) -> None:
    """Play in the three ways; the working folder and the home are empty."""
    programs = full_environment()
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        log.add(f"* Python: {_alone(home, programs / 'python', '-c', LIBRARY).strip()}")
        moves = _alone(home, programs / "python", "-c", PLACEMENTS)
        play = (
            programs / "taiji",
            "play",
            "taiji:size=3",
            "--plain",
            "--no-board",
            "--dark",
            "level:1",
            "--seed",
            "1",
        )
        said = _alone(home, *play, stdin=moves * 3)
        log.add(f"* terminal: {said.strip().splitlines()[-1]}")
        said = _alone(home, dev_python(), "-m", "tests.web.offline_check", programs / "taiji", tests=True)
        log.add(f"* browser: {said.strip()}")


def _alone(home: Path, *command: str | Path, stdin: str = "", tests: bool = False) -> str:
    """Run a command without a network but for this machine's own address, and without the repository."""
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        raise Failure("unshare, ip: not found (on Debian: apt-get install util-linux iproute2)")
    inner = ("sh", "-c", 'ip link set lo up && exec "$@"', "sh", *command)
    settings = {"HOME": str(home), "XDG_DATA_HOME": str(home), "PYTHONPATH": str(ROOT) if tests else ""}
    return run("unshare", "--map-root-user", "--net", *inner, env=settings, cwd=home, stdin=stdin)
