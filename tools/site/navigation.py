"""The navigation of the site: the headings and links of docs/README.md, then the generated references."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

HEADING = re.compile(r"^## (.+)$")
ENTRY = re.compile(r"^\| \[([^\]]+)\]\(([^)]+)\)")
REFERENCES = {
    "Programmers": {"Python reference": "reference/python.md"},
    "Other programs": {
        "Commands and their JSON": "reference/commands.md",
        "HTTP interface": "reference/http.md",
        "Messages and frames": "reference/messages.md",
    },
}
"""Generated pages, at the end of a section."""
EXTRA = {
    "Researchers": {"Net cards": "cards/*.md"},
    "Development": {"Licence": "licence.md"},
}


def nav(stage: Path) -> list[Any]:
    """Return the navigation of the staged pages, as MkDocs takes it."""
    sections: dict[str, list[Any]] = {}
    title = ""
    for line in (stage / "index.md").read_text().splitlines():
        heading, entry = HEADING.match(line), ENTRY.match(line)
        if heading:
            title = heading[1]
        elif entry:
            sections.setdefault(title, []).append({entry[1]: entry[2]})
    for section, pages in REFERENCES.items():
        sections[section] += [{name: page} for name, page in pages.items()]
    python = sorted(page.name for page in (stage / "reference").glob("python-*.md"))
    packages = [{page.removeprefix("python-").removesuffix(".md"): f"reference/{page}"} for page in python]
    sections["Programmers"] += [{"Python packages": packages}]
    for section, pages in EXTRA.items():
        for name, pattern in pages.items():
            found = sorted(page.relative_to(stage).as_posix() for page in stage.glob(pattern))
            sections[section] += [{name: found if len(found) > 1 else found[0]}]
    return [{"Home": "index.md"}, *({name: entries} for name, entries in sections.items())]
