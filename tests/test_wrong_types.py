"""Every public function, and every method of the public values, refuses what it cannot take, and says why."""

from __future__ import annotations

import inspect
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import EnumMeta
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import taiji
from taiji.rules.geometry import Adjacency

GAME = taiji.parse_game("taiji:size=3")
STATE = GAME.start()
RECORD = taiji.Record.of(GAME, [STATE.legal()[0]])
GOOD = {
    "game": GAME,
    "state": STATE,
    "move": STATE.legal()[0],
    "record": RECORD,
    "records": [RECORD],
    "path": "games.tji",
    "limit": taiji.Limit(playouts=5),
    "adjacency": Adjacency.KING,
    "cell": 0,
    "mask": 1,
    "names": ["a1"],
    "text": "taiji",
}
"""An argument by the name of its parameter, while another parameter is wrong."""
OTHER = taiji.parse_game("tailits")
WRONG = [None, 5, -1, 10**400, float("nan"), True, "", "\0", "x" * 5000, b"x", [None], {1: 2}, (), 1j, object]
WRONG += [lambda: 0, OTHER, OTHER.start(), taiji.Seat.FIRST, range(3)]
FOREIGN = ("positional argument", "not iterable", "not supported between", "unhashable", "unpack", "operand")
"""Parts of Python's own messages, which say nothing about what was expected."""
THINKING = {"analyse", "review", "solve", "arena"}
"""They take long with the good values; `tests/test_front_door.py` has their bad ones."""
PLAYERS = ("random", "greedy", "mcts:playouts=5", "level:1", "solver")


def targets() -> Iterator[tuple[str, Callable[..., object]]]:
    for name in sorted(set(taiji.__all__) - THINKING):
        public = getattr(taiji, name)
        if isinstance(public, EnumMeta) or (inspect.isclass(public) and issubclass(public, BaseException)):
            continue
        if inspect.isfunction(public) or inspect.isclass(public):
            yield name, public
    values = {"Game": GAME, "State": STATE, "Board": STATE.board, "Record": RECORD, "Move": GOOD["move"]}
    values |= {name: taiji.player(name, seed=1) for name in PLAYERS}
    for label, value in values.items():
        for name in dir(type(value)):
            if not name.startswith("_") and inspect.ismethod(method := getattr(value, name)):
                yield f"{label}.{name}", method


TARGETS = dict(targets())


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop what never ends, by processor time."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise RuntimeError("it does not end")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def complaint(function: Callable[..., object], arguments: dict[str, Any]) -> str:
    """Return what is wrong with a refusal; nothing if the call succeeds or is refused well."""
    try:
        with limited(20):
            answer = function(**arguments)
            if inspect.isgenerator(answer):
                next(answer, None)
    except (TypeError, ValueError) as error:
        text = str(error)
        return text if any(part in text for part in FOREIGN) else ""
    except OSError:
        return ""
    except Exception as error:  # noqa: BLE001 - any other one is the finding
        return repr(error)
    return ""


@pytest.mark.parametrize("name", TARGETS)
def test_a_wrong_value_is_refused_with_what_was_expected(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    function = TARGETS[name]
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        pytest.skip("no signature")
    named = [p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    required = {p.name: GOOD.get(p.name, "x") for p in named if p.default is p.empty}
    found = {
        f"{parameter.name}={value!r:.60}": text
        for parameter in named
        for value in WRONG
        if (text := complaint(function, {**required, parameter.name: value}))
    }
    assert found == {}


def test_a_player_is_not_asked_after_the_end() -> None:
    over = taiji.parse_game("taiji:size=2").start().play("a1/a2").play("b1/b2")
    for name in (*PLAYERS, "neural"):
        with pytest.raises(taiji.PlayerError, match=r"the game is over \(expected a position"):
            taiji.player(name).choose(over, taiji.Limit(playouts=5))
