"""Every screen, in both themes and widths: no serious axe violation and no horizontal overflow."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.browser import ROOT, PageUser
from tests.web.conftest import Guests
from tests.web.places import PLACES, visit

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
QUESTION = """() => axe.run(document, {resultTypes: ['violations']}).then(result => result.violations
    .filter(({impact}) => impact === 'serious' || impact === 'critical')
    .map(({id, nodes}) => id + ': ' + nodes.slice(0, 3)
        .map(node => node.target + ' ' + node.failureSummary).join(' | ')))"""


def findings(user: PageUser) -> Any:
    user.page.evaluate(AXE.read_text())
    return user.page.evaluate(QUESTION)


@pytest.mark.parametrize(("theme", "width"), [("light", 390), ("dark", 1280)])
def test_every_screen(guest: Guests, theme: str, width: int) -> None:
    user = guest(color_scheme=theme, viewport={"width": width, "height": 860})
    failures = {}
    for name in PLACES:
        visit(user, name)
        wrong = findings(user)
        if user.page.evaluate("document.documentElement.scrollWidth") > width:
            wrong.append("overflows horizontally")
        if wrong:
            failures[name] = wrong
    assert not failures, failures
