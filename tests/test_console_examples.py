"""The commands shown in the docs print what the docs say, and links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.console import BLOCK, ROOT, rewritten

DOCS = ROOT / "docs"
CHECKED = [
    DOCS / "notation.md",
    DOCS / "cli.md",
    DOCS / "interchange.md",
    *sorted((DOCS / "rules").glob("*.md")),
]
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("document", CHECKED, ids=lambda path: path.stem)
def test_outputs_are_true(document: Path) -> None:
    assert BLOCK.search(document.read_text()), "a page shows at least one command"
    assert rewritten(document) == document.read_text(), (
        f"python -m tests.console {document.relative_to(ROOT)}"
    )


@pytest.mark.parametrize("document", [DOCS / "README.md", *CHECKED], ids=lambda path: path.stem)
def test_links_lead_somewhere(document: Path) -> None:
    broken = [link for link in LINK.findall(document.read_text()) if not (document.parent / link).exists()]
    assert broken == []
