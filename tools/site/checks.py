"""What every built page must keep: nothing from elsewhere, no inline code, text for every picture."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

LOADS = {"script": "src", "img": "src", "source": "srcset", "iframe": "src", "object": "data", "video": "src"}
"""Elements that load a file, and the attribute that names it."""
STYLES = {"stylesheet", "icon", "preload", "preconnect", "manifest"}
"""Relations of a link that make a browser load it."""


class _Page(HTMLParser):
    """Collects the problems of one page."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        address = found.get(LOADS.get(tag, ""))
        if tag == "link" and STYLES & set((found.get("rel") or "").split()):
            address = found.get("href")
        if address and address.startswith(("http:", "https:", "//")):
            self.problems.append(f"loads {address}")
        if tag == "script" and not found.get("src") and found.get("type") != "application/json":
            self.problems.append("has an inline script")
        if tag == "style" or "style" in found:
            self.problems.append(f"has an inline style ({tag})")
        if any(name.startswith("on") for name in found):
            self.problems.append(f"has an inline handler ({tag})")
        if tag == "img" and not found.get("alt"):
            self.problems.append(f"has a picture without text: {found.get('src')}")


def problems(text: str) -> list[str]:
    """Return what is wrong with the HTML of a page."""
    page = _Page()
    page.feed(text)
    return page.problems


def problems_of_site(site: Path) -> list[str]:
    """Return what is wrong with the pages of a site, each with its page."""
    pages = sorted(site.rglob("*.html"))
    return [
        f"{page.relative_to(site)}: {problem}" for page in pages for problem in problems(page.read_text())
    ]
