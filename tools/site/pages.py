"""The pages of docs/ as pages of the site: pictures drawn, links to the rest of the repository mended."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from tools.site import DOCS, ROOT
from tools.site.pictures import draw_pictures

CARDS = "src/taiji/nets"
ELSEWHERE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "reporting.md",
    "LICENSE": "licence.md",
    **{f"{CARDS}/{card.name}": f"cards/{card.name}" for card in (ROOT / CARDS).glob("*.md")},
}
"""Files outside docs/ that are pages of the site."""
HOME = "---\ntitle: Home\nhide: [navigation, toc]\n---\n\n"
DOORS = re.compile(r"((?:^\* .+\n(?:  .+\n)*)+)\n(<!-- .+ -->\n)", re.MULTILINE)
FRONT = r'<div class="front" markdown>\n\n<div class="grid cards" markdown>\n\n\1\n</div>\n\n\2\n</div>\n'
"""The first list of the index, which becomes cards beside the first picture."""
LINK = re.compile(r"(\]\()([^)#:\s]+)((?:#[^)\s]*)?\))")


def stage_pages(folder: Path) -> None:
    """Write the pages and files of docs/, and the pages from elsewhere in the repository."""
    shutil.copytree(DOCS, folder, ignore=shutil.ignore_patterns("*.md"))
    for source in sorted(DOCS.rglob("*.md")):
        name = source.relative_to(DOCS).as_posix()
        _stage(source, folder, "index.md" if name == "README.md" else name)
    for source, name in ELSEWHERE.items():
        _stage(ROOT / source, folder, name)
    shutil.copytree(Path(__file__).parent / "assets", folder / "assets")
    shutil.copy(ROOT / "web" / "public" / "icon.svg", folder / "assets")


def _stage(source: Path, folder: Path, name: str) -> None:
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    text = source.read_text()
    if source.suffix != ".md":
        text = f"# Licence\n\n```text\n{text}```\n"
    text = LINK.sub(lambda link: link[1] + _address(source, link[2], name) + link[3], text)
    if name == "index.md":
        text = DOORS.sub(FRONT, f"{HOME}{text}", count=1)
    target.write_text(draw_pictures(text, source.parent, target, folder / "images"))


def _address(page: Path, link: str, name: str) -> str:
    """Return the address of a file, linked from a page of the repository, as seen from a page of the site."""
    path = (page.parent / link).resolve()
    if path.is_relative_to(DOCS):
        found = path.relative_to(DOCS).as_posix()
        found = "index.md" if found == "README.md" else found
    else:
        found = ELSEWHERE.get(path.relative_to(ROOT).as_posix(), "")
        if not found:
            raise ValueError(f"{page}: link to {link}, which is not part of the site")
    return os.path.relpath(found, Path(name).parent).replace(os.sep, "/")
