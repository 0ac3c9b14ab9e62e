"""`import taiji`: its names, what they load, and how its functions answer bad input."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import taiji
from taiji.rules import MatchRule, Scores

ROOT = Path(__file__).parent.parent
GAME = taiji.parse_game("taiji:size=4")
START = GAME.start()
RECORD = taiji.Record.of(GAME, ["a1/a2", "B1-B2", START.parse("c1/c2")])


def test_all_is_what_type_checkers_see() -> None:
    tree = ast.parse((ROOT / "src/taiji/__init__.py").read_text())
    typed = next(node for node in tree.body if isinstance(node, ast.If))
    imported = [alias.asname or alias.name for node in ast.walk(typed) if isinstance(node, ast.ImportFrom)
                for alias in node.names]  # fmt: skip
    assert sorted([*set(imported) - {"Callable"}, "__version__"]) == sorted(taiji.__all__)
    assert len(set(taiji.__all__)) == len(taiji.__all__)


@pytest.mark.parametrize("name", taiji.__all__)
def test_every_name_exists_and_is_documented(name: str) -> None:
    value = getattr(taiji, name)
    assert name in dir(taiji)
    assert f"`{name}`" in (ROOT / "docs/library.md").read_text()
    if callable(value):
        assert inspect.getdoc(value)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        taiji.nonsense  # type: ignore[attr-defined]  # noqa: B018


def run(*arguments: str) -> str:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=True, timeout=120
    ).stdout


def test_import_loads_no_layer() -> None:
    loaded = run("-c", "import sys, taiji; print(*sys.modules)").split()
    assert [name for name in loaded if name.startswith("taiji")] == ["taiji"]
    assert not {"numpy", "click", "dataclasses", "inspect", "asyncio"} & set(loaded)


def test_a_game_loads_only_the_rules() -> None:
    loaded = run("-c", "import sys, taiji; taiji.parse_game('taiji').start(); print(*sys.modules)").split()
    assert {name.split(".")[1] for name in loaded if name.startswith("taiji.")} == {"rules"}


def test_the_package_is_a_program() -> None:
    assert run("-m", "taiji", "--version").startswith("taiji ")


def test_the_arena_is_a_package_and_a_function() -> None:
    assert list(inspect.signature(taiji.arena).parameters)[:2] == ["players", "game"]
    seen: list[int] = []
    standings = taiji.arena(
        (text for text in ("random", "greedy")),
        GAME,
        pairs=2,
        on_result=lambda standings, result: seen.append(len(standings.results)),
    )
    assert seen == [1, 2, 3, 4]
    assert str(standings).startswith("random against greedy: ")
    assert str(standings).endswith("]")
    assert standings.results[0].record().game == GAME


def test_a_review_an_analysis_and_a_solution() -> None:
    review = taiji.review(RECORD, "mcts", playouts=50, seed=1)
    assert (review.positions, review.is_complete, review.player) == (4, True, "mcts")
    analysis = taiji.analyse(START, taiji.player("mcts", seed=1), playouts=50)
    assert analysis.best is not None
    assert str(analysis).startswith("seat first, ")
    assert taiji.solve(GAME.start().play("b2/b3")).solved


A_TOML_INTEGER = "name = " + "9" * 5000
BAD: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: taiji.parse_game(5), TypeError, r"game: invalid int \(expected a text such as 'taiji:size=7'"),  # type: ignore[arg-type]
    (lambda: taiji.parse_game("chess"), taiji.GameError, "unknown game 'chess'"),
    (lambda: taiji.register("taiji"), TypeError, r"game: invalid str \(expected a Game"),  # type: ignore[arg-type]
    (lambda: taiji.game_from_toml(b""), TypeError, r"declaration: invalid bytes \(expected a TOML text"),  # type: ignore[arg-type]
    (lambda: taiji.game_from_toml(A_TOML_INTEGER), taiji.GameError, "not TOML: number too long"),
    (lambda: taiji.game_from_toml("a = " + "[" * 5000), taiji.GameError, "nested too deep"),
    (lambda: taiji.parse_position(5), TypeError, r"position: invalid int \(expected a text"),  # type: ignore[arg-type]
    (lambda: taiji.parse_position("tji9"), taiji.NotationError, "tji1"),
    (lambda: taiji.format_position(GAME), TypeError, r"state: invalid Game \(expected a State"),  # type: ignore[arg-type]
    (lambda: taiji.parse_record(None), TypeError, r"record: invalid NoneType \(expected a text"),  # type: ignore[arg-type]
    (lambda: taiji.format_record("x"), TypeError, r"record: invalid str \(expected a Record"),  # type: ignore[arg-type]
    (lambda: taiji.read(5), TypeError, r"path: invalid int \(expected a path"),  # type: ignore[arg-type]
    (lambda: taiji.read("/nowhere.tji"), FileNotFoundError, "nowhere"),
    (lambda: taiji.read(__file__), ValueError, "unknown extension '.py'"),
    (lambda: taiji.read(__file__, format="pgn"), ValueError, "unknown format 'pgn' \\(expected tji"),
    (lambda: taiji.read(__file__, format="sgf"), ValueError, "the sgf format cannot be read"),
    (lambda: taiji.read(__file__, format=1), TypeError, r"format: invalid int \(expected one of tji"),  # type: ignore[arg-type]
    (lambda: taiji.write(5, []), TypeError, r"path: invalid int \(expected a path"),  # type: ignore[arg-type]
    (lambda: taiji.write("games.xyz", []), ValueError, "unknown extension '.xyz'"),
    (lambda: taiji.write("x.csv", [], rows="x"), ValueError, r"rows='x':.*expected positions or games"),
    (lambda: taiji.write("/nowhere/x.tji", 5), TypeError, r"records:.*expected a Record or"),  # type: ignore[arg-type]
    (lambda: taiji.player(5), TypeError, r"player: invalid int \(expected a text such as 'level:5'"),  # type: ignore[arg-type]
    (lambda: taiji.player("nobody"), taiji.PlayerError, "unknown player 'nobody'"),
    (lambda: taiji.player("level:5", seed="x"), TypeError, r"seed: invalid str \(expected an integer"),  # type: ignore[arg-type]
    (lambda: taiji.Limit(seconds="1"), TypeError, r"seconds: invalid str \(expected a number"),  # type: ignore[arg-type]
    (lambda: taiji.Limit(playouts=0), taiji.PlayerError, r"playouts=0:.*expected a number above 0"),
    (lambda: taiji.analyse(GAME), TypeError, r"state: invalid Game \(expected a State"),  # type: ignore[arg-type]
    (lambda: taiji.analyse(START, 5), TypeError, r"player: invalid \(expected a player or its text"),  # type: ignore[arg-type]
    (lambda: taiji.analyse(START, match=1), TypeError, r"match:.*expected a MatchContext"),  # type: ignore[arg-type]
    (lambda: taiji.analyse(START, seconds=-1), taiji.PlayerError, "seconds=-1"),
    (lambda: taiji.review("game.tji"), TypeError, r"record:.*expected a Record, such as taiji.read yields"),  # type: ignore[arg-type]
    (lambda: taiji.review(RECORD, object()), TypeError, r"player:.*expected a player"),  # type: ignore[arg-type]
    (lambda: taiji.solve(5), TypeError, r"state: invalid int \(expected a State"),  # type: ignore[arg-type]
    (lambda: taiji.solve(START, memory="x"), TypeError, r"memory:.*expected an integer, in MiB"),  # type: ignore[arg-type]
    (lambda: taiji.solve(START, memory=0), ValueError, r"memory=0: invalid.* \(expected 1 to"),
    (lambda: taiji.solve(START, seconds=0), taiji.PlayerError, "seconds=0"),
    (lambda: taiji.arena("random"), TypeError, r"players: invalid.* \(expected several texts"),
    (lambda: taiji.arena(5), TypeError, r"players:.*expected several texts"),  # type: ignore[arg-type]
    (lambda: taiji.arena(["random"]), ValueError, "players: 1 given \\(expected at least two\\)"),
    (lambda: taiji.arena(["random", 5]), TypeError, r"player:.*expected a text"),  # type: ignore[list-item]
    (lambda: taiji.arena(["random", "greedy"], 5), TypeError, r"game:.*expected a Game or its text"),  # type: ignore[arg-type]
    (lambda: taiji.arena(["random", "greedy"], pairs="x"), TypeError, r"pairs:.*expected an integer"),  # type: ignore[arg-type]
    (lambda: taiji.arena(["random", "greedy"], opening_plies=-1), ValueError, "opening_plies=-1"),
    (lambda: taiji.arena(["random", "greedy"], workers=0), ValueError, "0 workers"),
    (lambda: taiji.Limit(playouts=1.5), TypeError, r"playouts: invalid float \(expected an integer"),  # type: ignore[arg-type]
    (lambda: taiji.Limit(infinite="no"), TypeError, r"infinite: invalid str \(expected True or False"),  # type: ignore[arg-type]
    (lambda: taiji.analyse(START, on_progress=3), TypeError, r"on_progress:.*expected a function"),  # type: ignore[arg-type]
    (lambda: taiji.review(RECORD, on_progress=3), TypeError, r"on_progress:.*expected a function"),  # type: ignore[arg-type]
    (lambda: taiji.review(RECORD, should_stop=3), TypeError, r"should_stop:.*expected a function"),  # type: ignore[arg-type]
    (lambda: taiji.solve(START, on_progress=3), TypeError, r"on_progress: invalid int \(expected a function"),  # type: ignore[arg-type]
    (lambda: taiji.solve(START, winner_only="no"), TypeError, r"winner_only:.*expected True or False"),  # type: ignore[arg-type]
    (lambda: taiji.arena(["random"] * 2, on_result=3), TypeError, r"on_result:.*expected a function"),  # type: ignore[arg-type]
    (lambda: taiji.read(__file__, on_error=3), TypeError, r"on_error:.*expected a function"),  # type: ignore[arg-type]
    (lambda: taiji.player("random").choose(START, taiji.Limit(), report=3), TypeError, r"report: invalid"),  # type: ignore[arg-type]
    (lambda: taiji.Outcome(3, Scores(1, 1)), TypeError, r"winner: invalid int \(expected a Seat or None"),  # type: ignore[arg-type]
    (lambda: taiji.Outcome(None, (1, 1)), TypeError, r"scores: invalid tuple \(expected Scores"),  # type: ignore[arg-type]
    (lambda: taiji.MatchContext("3"), TypeError, r"lead: invalid str \(expected a number"),  # type: ignore[arg-type]
    (lambda: taiji.MatchContext(0, 1), TypeError, r"tie_winner: invalid int \(expected a Seat or None"),  # type: ignore[arg-type]
    (lambda: taiji.MatchContext(0.3), taiji.GameError, r"lead: invalid 0\.3 \(expected points"),
    (lambda: taiji.MatchContext(10**400), taiji.GameError, r"lead: invalid 10+ \(expected points"),
    (lambda: taiji.MatchContext(float("nan")), taiji.GameError, r"lead: invalid nan"),
    (lambda: taiji.Record("taiji"), TypeError, r"game: invalid str \(expected a Game"),  # type: ignore[arg-type]
    (lambda: taiji.Record.of(GAME, 5), TypeError, r"moves:.*expected an iterable of moves"),  # type: ignore[arg-type]
    (lambda: taiji.Record.of(GAME, [5]), TypeError, r"invalid int \(expected a move or its text"),  # type: ignore[list-item]
    (lambda: taiji.Record.of(GAME, ["e9/e8"]), taiji.NotationError, "e9 is not on the board"),
    (lambda: taiji.State.start("taiji"), TypeError, r"game: invalid str \(expected a Game"),  # type: ignore[arg-type]
    (lambda: taiji.State.restore(5, ()), TypeError, r"game: invalid int \(expected a Game"),  # type: ignore[arg-type]
    (lambda: taiji.Game("x", (5,), 1), TypeError, r"stages: invalid int \(expected a tuple of Stage"),  # type: ignore[arg-type]
    (lambda: taiji.Game("x", GAME.stages, 1), TypeError, r"tie_rule: invalid int \(expected a Tie"),  # type: ignore[arg-type]
    (lambda: GAME.move("x"), TypeError, r"action: invalid str \(expected an action id"),  # type: ignore[arg-type]
    (lambda: GAME.parse("a1/a2", "x"), TypeError, r"stage:.*expected the index of a stage"),  # type: ignore[arg-type]
    (lambda: taiji.Board("a", 3), TypeError, r"width: invalid str \(expected an integer"),  # type: ignore[arg-type]
    (lambda: taiji.Board(3, 3).cell(5), TypeError, r"cell: invalid int \(expected a text such as 'e4'"),  # type: ignore[arg-type]
    (lambda: taiji.Board(3, 3).name(9), ValueError, "cell 9 is not on the board \\(expected 0 to 8\\)"),
    (lambda: taiji.Match("taiji"), TypeError, r"game: invalid str \(expected a Game"),  # type: ignore[arg-type]
    (lambda: taiji.Match(GAME, "x"), TypeError, r"rule: invalid str \(expected a MatchRule"),  # type: ignore[arg-type]
    (lambda: taiji.Match(GAME).result(Scores(1, 2), 5), TypeError, r"scores:.*expected Scores"),  # type: ignore[arg-type]
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "message"), BAD, ids=lambda value: getattr(value, "__name__", ""))
def test_bad_input_says_what_was_expected(
    call: Callable[[], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_every_function_of_the_front_door_is_given_bad_input() -> None:
    tested = {name for call, _, _ in BAD for name in call.__code__.co_names}
    functions = {name for name in taiji.__all__ if inspect.isroutine(getattr(taiji, name))} | {"arena"}
    assert functions - tested == set()


def test_match_rules_are_accepted() -> None:
    assert taiji.Match(GAME, MatchRule.BLUE_PANTHER).result(Scores(1, 2), Scores(1, 2)).winner == 0
