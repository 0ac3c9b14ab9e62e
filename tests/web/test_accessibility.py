"""Every screen, in both themes and widths: no serious axe violation and no horizontal overflow."""

from __future__ import annotations

import pytest

from tests.web.browser import ROOT, PageUser
from tests.web.conftest import Guests
from tests.web.places import PLACES, visit

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
OPTIONS = "{resultTypes: ['violations'], preload: false}"
QUESTION = f"""() => axe.run(document, {OPTIONS}).then(result => result.violations
    .filter(({{impact}}) => impact === 'serious' || impact === 'critical')
    .map(({{id, nodes}}) => id + ': ' + nodes.slice(0, 3)
        .map(node => node.target + ' ' + node.failureSummary).join(' | ')))"""


def findings(user: PageUser, theme: str, width: int) -> list[str]:
    page = user.page
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") == (theme == "dark")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    wrong: list[str] = page.evaluate(QUESTION)
    if page.evaluate("document.documentElement.scrollWidth") > width:
        wrong.append("overflows horizontally")
    return wrong


LOOKS = (("light", 390), ("dark", 1280))
PARTS = 10
"""Number of tests that the screens are shared out to: they can run beside each other."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_screen(guest: Guests, part: int) -> None:
    """Every screen is opened once, narrow or wide in turn, and looked at in both themes and widths."""
    user = guest()
    user.expected.append("404")  # of the address that is not found
    failures = {}
    for number, name in enumerate(list(PLACES)[part::PARTS]):
        for step, (theme, width) in enumerate(LOOKS if number % 2 else LOOKS[::-1]):
            user.page.set_viewport_size({"width": width, "height": 860})
            user.page.emulate_media(color_scheme=theme)
            if step == 0:
                visit(user, name)
            if wrong := findings(user, theme, width):
                failures[f"{name}, {theme}, {width}"] = wrong
    assert not failures, failures
