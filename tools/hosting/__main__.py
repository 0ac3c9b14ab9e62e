"""`python -m tools.hosting FOLDER`: check the hosting files with real programs."""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

from tools.hosting import DEPLOY
from tools.hosting.cluster import check_cluster
from tools.hosting.fresh_root import check_fresh_root
from tools.hosting.proxies import check_caddy, check_nginx


def main() -> None:
    """Run the checks; the fresh root and the wheels are kept in the folder for the next time."""
    parser = argparse.ArgumentParser(prog="python -m tools.hosting", description=__doc__)
    parser.add_argument("--only", choices=("proxies", "cluster", "units", "root"))
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    if options.only in (None, "proxies"):
        with tempfile.TemporaryDirectory() as folder:
            check_nginx(Path(folder))
            check_caddy(Path(folder))
    if options.only in (None, "cluster"):
        with tempfile.TemporaryDirectory() as folder:
            check_cluster(Path(folder))
    if options.only in (None, "units"):
        check_units()
    if options.only in (None, "root"):
        options.folder.mkdir(parents=True, exist_ok=True)
        check_fresh_root(options.folder.resolve())


def check_units() -> None:
    """Let systemd read the units, and judge how much they may do."""
    for unit in sorted(DEPLOY.glob("systemd/*.service")):
        judge = ["systemd-analyze", "security", "--offline=yes", "--threshold=20", "--no-pager", str(unit)]
        found = subprocess.run(judge, capture_output=True, text=True, check=True)
        print(f"{unit.name}:", found.stdout.strip().splitlines()[-1].lstrip("→ "))


if __name__ == "__main__":
    main()
