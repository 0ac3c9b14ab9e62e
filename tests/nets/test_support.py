"""Games that the inputs of a net cannot represent are refused by name, before any move."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from random import Random
from typing import Any, Self

import pytest

pytest.importorskip("numpy")

from tests.generated_rules import random_game

from taiji.nets.planes import Encoder
from taiji.nets.support import ENGINE, check_supported
from taiji.rules import Adjacency, Board, Game, Stage, Unsupported, parse_game
from taiji.rules.placing import PlacingRule
from taiji.rules.program import (
    NONE_COUNTED,
    Around,
    Cells,
    CompiledStage,
    Pick,
    Plane,
    Source,
    Test,
    Why,
)


class Invented(Enum):
    """Members that no engine knows."""

    THING = "invented"


@dataclass(frozen=True)
class InventedRegion:
    """A region that no engine knows."""

    def masks(self, cells: int, board: Board) -> tuple[int, ...]:
        return ()


@pytest.mark.parametrize(
    "text",
    ["taiji:size=5", "taiji:score=omega", "taiji:groups=2", "tailits", "tailits:set=free", "battle-of-lits"],
)
def test_games_of_one_stage_are_supported(text: str) -> None:
    check_supported(parse_game(text))


@pytest.mark.parametrize("text", ["tailits+taiji", "taiji+battle-of-lits"])
def test_double_games_are_refused(text: str) -> None:
    with pytest.raises(Unsupported, match="more than one stage") as refused:
        check_supported(parse_game(text))
    assert refused.value.engine == ENGINE


def changed(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> Game:
    """Return TAIJI with parts of its compiled stage replaced."""
    game = parse_game("taiji:size=4")
    compiled = replace(game.compiled, stages=(replace(game.compiled.stages[0], **changes),))
    monkeypatch.setitem(game.__dict__, "compiled", compiled)
    return game


def stage() -> CompiledStage:
    return parse_game("taiji:size=4").compiled.stages[0]


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"plane": Plane.GROUND}, "no input shows the plane ground"),
        ({"plane": Invented.THING}, "no input shows the plane invented"),
        ({"region": InventedRegion()}, "unknown region InventedRegion"),
    ],
)
def test_a_test_that_no_input_shows_is_refused(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], detail: str
) -> None:
    test = replace(stage().tests[0], rule="invented-rule", **change)
    game = changed(monkeypatch, tests=(*stage().tests, test))
    with pytest.raises(Unsupported, match=detail) as refused:
        check_supported(game)
    assert (refused.value.engine, refused.value.rule) == (ENGINE, "invented-rule")


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"source": Source.SYMBOLS}, "no input shows symbols"),
        ({"source": Invented.THING}, "no input shows invented"),
        ({"join": None}, "no input shows squares"),
        ({"fold": Invented.THING}, "unknown fold invented"),
    ],
)
@pytest.mark.parametrize("part", ["score", "tiebreak"])
def test_a_score_that_no_input_shows_is_refused(
    monkeypatch: pytest.MonkeyPatch, part: str, change: dict[str, Any], detail: str
) -> None:
    tally = replace(stage().score, rule="invented-score", **change)
    game = changed(monkeypatch, **{part: tally if part == "score" else (tally,)})
    with pytest.raises(Unsupported, match=detail) as refused:
        check_supported(game)
    assert refused.value.rule == "invented-score"


def test_a_tie_break_with_other_groups_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    other = replace(stage().score, rule="king-groups", join=Adjacency.KING)
    with pytest.raises(Unsupported, match="other groups than the score"):
        check_supported(changed(monkeypatch, tiebreak=(other,)))


def test_a_bonus_is_refused_by_the_encoder() -> None:
    base = parse_game("taiji:size=4")
    game = replace(base, stages=(replace(base.stages[0], last_placement_bonus=1),))
    with pytest.raises(Unsupported, match="who placed last"):
        Encoder(game, [(base.stages[0].scoring, base.stages[0].tiebreak)])


def test_pieces_without_their_colour_swapped_twins_are_refused() -> None:
    base = parse_game("taiji:size=4").stages[0]
    light = replace(base.pieces[0], colours="ll")
    game = Game("light", (replace(base, pieces=(light,)),), parse_game("taiji").tie_rule)
    with pytest.raises(Unsupported, match="no twin with exchanged colours"):
        Encoder(game, [(base.scoring, base.tiebreak)])


@dataclass(frozen=True)
class NoCrowd(PlacingRule):
    """A rule that the encoder was not written for, made of a plane that it shows."""

    key = "no-crowd"

    @classmethod
    def from_table(cls, value: object, board: Board) -> Self | None:
        raise NotImplementedError

    def lower(self, board: Board) -> tuple[Test, ...]:
        why = Why("crowd", "too crowded", Cells.NONE, Pick.ALL, "")
        return (Test(self.key, Plane.COVERED, Around(Adjacency.KING), NONE_COUNTED, why),)


def test_a_new_rule_on_known_planes_is_encoded() -> None:
    base = parse_game("taiji:size=4").stages[0]
    game = Game("crowded", (replace(base, constraints=(NoCrowd(),)),), parse_game("taiji").tie_rule)
    encoder = Encoder(game, [(base.scoring, base.tiebreak)])
    state = game.start().play(game.placements[0])
    planes, _ = encoder.encode(state)
    reach = 0
    for footprint in state.live_footprints:
        reach |= footprint.cells
    assert reach.bit_count() < planes[0].sum() - 2
    assert [bool(cell) for cell in planes[-1].reshape(-1)] == [
        bool(reach >> c & 1) for c in range(base.board.size)
    ]


def test_generated_games_are_encoded_or_refused() -> None:
    dice, encoded = Random(3), 0
    for _ in range(200):
        game = random_game(dice, max_stages=1)
        only: Stage = game.stages[0]
        try:
            encoder = Encoder(game, [(only.scoring, only.tiebreak)])
        except Unsupported:
            continue
        planes, features = encoder.encode(game.start())
        assert planes.shape[0] == encoder.planes
        assert features.shape == (encoder.globals,)
        encoded += 1
    assert 8 <= encoded < 100
