"""`taiji games` lists the whole catalogue."""

from __future__ import annotations

import json

from taiji.rules import EDITIONS, GAMES, parse_game
from tests.cli.run import refusal, taiji


def test_every_game_option_and_edition_is_listed() -> None:
    text = taiji("games").stdout
    for game in GAMES.values():
        assert f"{game.name}  {game.title}, by {game.designer}" in text
        assert game.rulebook in text
        assert game.summary in text
        for option in game.options:
            assert option.name in text
            assert option.allowed in text
    for edition in EDITIONS.values():
        assert f"    {edition.name} " in text
        assert edition.title in text


def test_lines_stay_short() -> None:
    assert max(map(len, taiji("games").stdout.splitlines())) <= 100


def test_as_json() -> None:
    value = json.loads(taiji("games", "--json").stdout)
    assert [game["name"] for game in value["games"]] == list(GAMES)
    assert [edition["name"] for edition in value["editions"]] == list(EDITIONS)
    for edition in value["editions"]:
        assert str(parse_game(edition["game"])) == edition["game"]
        assert edition["match"] in {"nestorgames", "blue-panther"}
    options = {option["name"]: option for option in value["games"][0]["options"]}
    assert options["size"] == {
        "name": "size",
        "kind": "whole",
        "low": 2,
        "high": 11,
        "domain": "2…11",
        "default": 9,
        "help": "squares per side",
    }
    assert options["score"]["values"] == ["sum", "omega", "squares", "product"]
    assert options["groups"]["default"] is None


def test_nothing_else_is_taken() -> None:
    assert "got unexpected extra argument" in refusal("games", "chess")
