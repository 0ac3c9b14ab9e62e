"""A browser in a few words, so that its user recognises it in the list of sessions."""

from __future__ import annotations

BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def describe_device(user_agent: str) -> str:
    """Return browser and system, such as `Firefox, Linux`; empty if neither is known."""
    known = (_find(user_agent, BROWSERS), _find(user_agent, SYSTEMS))
    return ", ".join(filter(None, known))


def _find(user_agent: str, names: tuple[tuple[str, str], ...]) -> str | None:
    return next((name for mark, name in names if mark in user_agent), None)
