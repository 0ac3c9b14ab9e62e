"""Every test that the security checklist names exists, and every line of level 1 is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs/security.md").read_text()
NAMED = re.findall(r"`((?:tests/)?[\w/]+\.py)::(\w+)`", TEXT)
LEVEL_1 = {
    "1.2": "12345",
    "1.3": "12",
    "1.5": "1",
    "2.1": "1",
    "2.2": "12",
    "2.3": "1",
    "3.2": "12",
    "3.3": "1",
    "3.4": "12",
    "3.5": "123",
    "4.1": "1",
    "4.4": "1",
    "5.2": "12",
    "5.3": "12",
    "6.1": "1",
    "6.2": "12345678",
    "6.3": "12",
    "6.4": "12",
    "7.2": "1234",
    "7.4": "12",
    "8.1": "1",
    "8.2": "12",
    "8.3": "1",
    "11.3": "12",
    "11.4": "1",
    "12.1": "1",
    "12.2": "12",
    "13.4": "1",
    "14.2": "1",
    "14.3": "1",
    "15.1": "1",
    "15.2": "1",
    "15.3": "1",
}
"""The requirements of level 1 by section; self-contained tokens, OAuth and WebRTC do not apply."""


def test_every_named_test_exists() -> None:
    assert len(NAMED) > 70
    missing = []
    for file, name in NAMED:
        path = ROOT / file if file.startswith("tests/") else ROOT / "tests/server" / file
        if not path.is_file() or not re.search(rf"^def {name}\(", path.read_text(), re.MULTILINE):
            missing.append(f"{file}::{name}")
    assert missing == []


def test_every_line_of_level_1_is_answered() -> None:
    lines = [line.split("|")[1] for line in TEXT.splitlines() if re.match(r"\| \d+\.\d+\.\d+", line)]
    answered = {number for line in lines for number in re.findall(r"\d+\.\d+\.\d+", line)}
    assert {f"{section}.{one}" for section, ones in LEVEL_1.items() for one in ones} - answered == set()
