"""Checks what the files of a release hold."""

from __future__ import annotations

import email
import re
import tarfile
import zipfile
from pathlib import Path

from tools.package_metadata import RELATIVE
from tools.release.running import DIST, TOOLS, Failure, Log, run

IN_WHEEL = (
    "taiji/_core",
    "taiji/server/static/index.html",
    "taiji/server/static/assets/",
    "taiji/server/site/index.html",
    "taiji/nets/taiji.safetensors",
    "taiji/py.typed",
)
IN_SDIST = (
    "CMakeLists.txt",
    "core/",
    "src/taiji/",
    "src/taiji/server/static/index.html",
    "tests/",
    "web/src/",
)
NOWHERE = re.compile(
    r"^(build|dist)/|(^|/)(\.git/|\.venv|node_modules/|__pycache__/|\.built$|.*\.(sqlite3?|log|pyc|map)$|\.ci/)"
)
MAX_WHEEL_BYTES = 20_000_000


def check(log: Log) -> None:
    """Check the sdist, every wheel and their metadata."""
    wheels, sdists = sorted(DIST.glob("*.whl")), sorted(DIST.glob("*.tar.gz"))
    if not wheels or len(sdists) != 1:
        raise Failure(
            f"{DIST}: {len(sdists)} sdists and {len(wheels)} wheels (expected one sdist and wheels)"
        )
    for path in wheels:
        with zipfile.ZipFile(path) as archive:
            check_names(path.name, archive.namelist(), IN_WHEEL)
            metadata = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
            check_metadata(path.name, archive.read(metadata).decode())
            check_levels(path, archive.namelist())
        if path.stat().st_size > MAX_WHEEL_BYTES:
            raise Failure(
                f"{path.name}: {path.stat().st_size:,} bytes (expected at most {MAX_WHEEL_BYTES:,})"
            )
        log.add(f"* {path.name}: {len(archive.namelist())} files, web app and nets inside")
    with tarfile.open(sdists[0]) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    check_names(sdists[0].name, names, IN_SDIST)
    log.add(f"* {sdists[0].name}: {len(names)} files, web app inside")
    run(TOOLS / "bin" / "twine", "check", "--strict", *wheels, *sdists)
    log.add("* twine check: passed")


def check_names(archive: str, names: list[str], wanted: tuple[str, ...]) -> None:
    """Raise `Failure` if a file is missing or does not belong into a release."""
    missing = [start for start in wanted if not any(name.startswith(start) for name in names)]
    if missing:
        raise Failure(f"{archive}: {missing[0]} is missing")
    strays = [name for name in names if NOWHERE.search(name)]
    if strays:
        raise Failure(f"{archive}: {strays[0]} does not belong into a release")


def check_metadata(archive: str, text: str) -> None:
    """Raise `Failure` if a link of the readme is relative: an index has no files to link to."""
    readme = email.message_from_string(text).get_payload()
    assert isinstance(readme, str)
    found = RELATIVE.search(readme)
    if found:
        raise Failure(f"{archive}: the readme links to {found[2]!r} (expected an absolute address)")


def check_levels(path: Path, names: list[str]) -> None:
    """Raise `Failure` if a wheel for x86-64 lacks the core of a processor level."""
    if not path.name.endswith("x86_64.whl"):
        return
    for level in ("v2", "v3"):
        if f"taiji/_cores/{level}.so" not in names:
            raise Failure(f"{path.name}: no core for x86-64-{level}")
