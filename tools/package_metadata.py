"""The computed metadata of the package: its version, and a readme with absolute links."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
RELATIVE = re.compile(r'(\]\(|\b(?:src|srcset|href)=")(?![a-z]+:|#|/)([^)\s"]+)')
PICTURES = (".svg", ".png", ".gif", ".webp")


def dynamic_metadata(_settings: Mapping[str, Any], project: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of `[project]` that pyproject.toml calls dynamic; scikit-build-core calls this."""
    readme = (ROOT / "README.md").read_text("utf-8")
    text = absolute(readme, project["urls"]["Source"], version())
    return {"version": version(), "readme": {"content-type": "text/markdown", "text": text}}


def version() -> str:
    """Return the version, which `taiji.__version__` alone states."""
    found = VERSION.search((ROOT / "src" / "taiji" / "__init__.py").read_text("utf-8"))
    assert found is not None
    return found[1]


def absolute(text: str, source: str, release: str) -> str:
    """Return a document with links to the files of a release instead of relative ones."""
    raw = source.replace("https://github.com/", "https://raw.githubusercontent.com/")

    def replaced(match: re.Match[str]) -> str:
        opening, target = match[1], match[2]
        is_picture = target.endswith(PICTURES)
        return f"{opening}{f'{raw}/v{release}' if is_picture else f'{source}/blob/v{release}'}/{target}"

    return RELATIVE.sub(replaced, text)
