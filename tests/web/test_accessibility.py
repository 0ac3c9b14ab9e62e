"""axe finds nothing serious on any screen, in either theme."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.browser import ROOT, Person
from tests.web.conftest import Guests
from tests.web.places import PLACES, visit

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
QUESTION = """() => axe.run(document, {resultTypes: ['violations']}).then(found => found.violations
    .filter(({impact}) => impact === 'serious' || impact === 'critical')
    .map(({id, nodes}) => id + ': ' + nodes.slice(0, 3)
        .map(node => node.target + ' ' + node.failureSummary).join(' | ')))"""


def findings(person: Person) -> Any:
    person.page.evaluate(AXE.read_text())
    return person.page.evaluate(QUESTION)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe(guest: Guests, theme: str) -> None:
    person = guest(color_scheme=theme)
    found = {}
    for name in PLACES:
        visit(person, name)
        if wrong := findings(person):
            found[name] = wrong
    assert not found, found
