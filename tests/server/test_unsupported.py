"""A game with a rule that an engine does not know is refused by name, before a table is created."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from taiji.rules import Game, Unsupported, parse_game
from taiji.rules.program import CompiledGame, Test
from taiji.server.contract.errors import ApiError
from taiji.server.domain import game_definition
from taiji.server.domain.game_definition import playable_game
from tests.server.running import Visitor


class Beyond:
    """A region that no engine knows."""

    def masks(self, cells: int, board: object) -> tuple[int, ...]:
        return ()


def with_unknown_region(game: Game) -> Game:
    """Return a game whose compiled form has a test on an unknown region."""
    compiled = game.compiled
    stage = compiled.stages[0]
    unknown: Test = replace(stage.tests[0], rule="beyond", region=Beyond())  # type: ignore[arg-type]
    stages = (replace(stage, tests=(*stage.tests, unknown)),)
    changed: CompiledGame = replace(compiled, stages=stages)
    copy = replace(game, name="beyond")
    copy.__dict__["compiled"] = changed
    return copy


@pytest.mark.parametrize("by_computer", [False, True])
def test_a_rule_unknown_to_the_rules_engine_or_the_page(
    monkeypatch: pytest.MonkeyPatch, by_computer: bool
) -> None:
    game = with_unknown_region(parse_game("taiji:size=3"))
    monkeypatch.setattr(game_definition, "parse_game", lambda text: game)
    with pytest.raises(ApiError) as refused:
        playable_game("beyond", by_computer=by_computer)
    assert (refused.value.code, refused.value.status) == ("unsupported", 422)
    assert "does not support the rule beyond: region" in refused.value.message


def test_a_rule_unknown_to_the_search_matters_only_against_the_computer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(game: Game) -> object:
        raise Unsupported("kernel", "no-crowd", "counts in several masks")

    monkeypatch.setattr(game_definition, "compile_game", refuse)
    assert str(playable_game("taiji:size=3")) == "taiji:size=3"
    with pytest.raises(ApiError) as refused:
        playable_game("taiji:size=3", by_computer=True)
    assert refused.value.message == "kernel does not support the rule no-crowd: counts in several masks"
    assert refused.value.status == 422


def test_a_bad_game_is_still_a_bad_game(visitor: Callable[[], Visitor]) -> None:
    for opponent in ("computer", "open"):
        wrong = {"game": "taiji:size=40", "opponent": opponent}
        assert visitor().refused("/api/tables", wrong) == (400, "bad-game")


def test_the_search_knows_every_game_of_the_catalogue() -> None:
    for edition in ("nestorgames-7x7", "tailits", "battle-of-lits", "taiji+battle-of-lits:size=5"):
        playable_game(edition, by_computer=True)
