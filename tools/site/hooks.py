"""Hooks of MkDocs: scripts become files, as the content security policy of the server wants."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Any

SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
STYLE_ATTRIBUTE = re.compile(r' style="text-align: (\w+);?"')
UNUSED = ("*.map", "sitemap.xml*", "404.html", "assets/javascripts/lunr/**/*", "assets/javascripts/lunr")
"""Source maps, an empty map of the site, a page of errors, and the search in other languages.

A page of errors is shown at any depth, so it would have to know at which address the site is.
"""
_scripts: dict[str, str] = {}


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Move the inline scripts of a page to files, and alignments to classes."""
    depth = os.path.relpath(".", Path(page.file.dest_uri).parent).replace(os.sep, "/")

    def moved(match: re.Match[str]) -> str:
        name = f"assets/inline/{hashlib.sha256(match[1].encode()).hexdigest()[:12]}.js"
        _scripts[name] = match[1]
        return f'<script src="{depth}/{name}"></script>'

    return STYLE_ATTRIBUTE.sub(r' class="align-\1"', SCRIPT.sub(moved, output))


def on_post_build(config: Any) -> None:
    """Write the scripts, and delete what no page uses."""
    site = Path(config["site_dir"])
    for name, text in _scripts.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    for pattern in UNUSED:
        for path in sorted(site.rglob(pattern) if "/" not in pattern else site.glob(pattern), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
