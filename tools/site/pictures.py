"""Pictures in pages: `<!-- picture: ARGUMENTS | ALT -->` is drawn by `taiji render`, light and dark.

`<!-- animation: … -->` draws every ply of a record. A console example that follows is folded away: it shows
the same board as text.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shlex
from pathlib import Path

MARK = re.compile(r"^<!-- (picture|animation): (.+?) \| ([^|]+?) -->\n", re.MULTILINE | re.DOTALL)
FOLLOWING = re.compile(r"\n*```console\n.*?^```$", re.MULTILINE | re.DOTALL)
THEMES = {"light": "paper", "dark": "night"}


def draw_pictures(text: str, source: Path, target: Path, images: Path) -> str:
    """Return a page with its pictures drawn; arguments are relative to the folder `source`."""
    parts, at = [], 0
    for mark in MARK.finditer(text):
        if mark.start() < at:
            continue
        parts.append(text[at : mark.start()])
        parts.append(_picture(mark[1], mark[2], " ".join(mark[3].split()), source, target, images))
        at = mark.end()
        following = FOLLOWING.match(text, at)
        if following:
            parts.append(_folded(following[0].strip("\n")))
            at = following.end()
    return "".join([*parts, text[at:]])


def _picture(kind: str, arguments: str, alt: str, source: Path, target: Path, images: Path) -> str:
    images.mkdir(exist_ok=True)
    lines = []
    for scheme, theme in THEMES.items():
        name = f"{hashlib.sha256(f'{kind} {arguments}'.encode()).hexdigest()[:12]}-{scheme}.svg"
        path = images / name
        if not path.exists():
            extra = ["--animate", "--delay", "700"] if kind == "animation" else ["--groups"]
            _render([*shlex.split(arguments), *extra, "--theme", theme, "-o", str(path)], source)
        address = os.path.relpath(path, target.parent).replace(os.sep, "/")
        lines.append(f"![{alt}]({address}#only-{scheme}){{ .board loading=lazy }}")
    return "\n".join(lines) + "\n\n"


def _render(arguments: list[str], folder: Path) -> None:
    from taiji.cli import program

    with contextlib.chdir(folder), contextlib.redirect_stderr(None):
        program.main(["render", *arguments], standalone_mode=False)


def _folded(block: str) -> str:
    body = "\n".join(f"    {line}".rstrip() for line in block.splitlines())
    return f'??? example "In the terminal"\n\n{body}\n'
