"""Whatever a foreign file holds, its reader answers with games and refusals, never with a crash."""

from __future__ import annotations

import io
import json
import random

import pytest

from taiji.notation import NotationError
from taiji.notation.interchange import FORMATS, ImportedGame
from taiji.notation.replays import replay_with_rules
from tests.notation.interchange.test_abstractplay import sample
from tests.notation.interchange.test_ludii import TRIAL

TEXTS = {
    "abstractplay": json.dumps([sample(), sample()]),
    "ludii": TRIAL + TRIAL,
    "jsonl": '{"game": "taiji", "moves": ["a1/a2", {"move": "b1/b2", "clock": 3}], "tags": {"Light": "x"}}\n'
    * 2,
}
SPICE = [
    '"',
    "{",
    "}",
    "[",
    "]",
    "\\",
    "\n",
    "-1",
    "9" * 30,
    "null",
    "true",
    "\x00",
    "é",
    "e99",
    "{}",
    "=",
    ",",
]


def damaged(text: str, dice: random.Random) -> str:
    """The text with a few characters taken out, put in or changed."""
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(text))
        text = text[:at] + dice.choice(["", dice.choice(SPICE)]) + text[at + dice.randint(0, 9) :]
    return text


@pytest.mark.parametrize("name", TEXTS)
def test_damaged_files_are_read_without_a_crash(name: str) -> None:
    dice = random.Random(name)
    read = 0
    for _ in range(250):
        for item in FORMATS[name].read(io.StringIO(damaged(TEXTS[name], dice)), replay_with_rules):
            assert isinstance(item, ImportedGame | NotationError)
            read += isinstance(item, ImportedGame)
    assert read > 25, "damage is to be local: many games are still to be read"


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(
    "value", ["[]", "{}", '{"header": [], "moves": {}}', "0", '"x"', "[[[[", "game=\nMove=\n"]
)
def test_other_files_are_read_without_a_crash(name: str, value: str) -> None:
    for item in FORMATS[name].read(io.StringIO(value), replay_with_rules):
        assert isinstance(item, NotationError)
