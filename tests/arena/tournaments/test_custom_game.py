"""Tournaments of a custom game: its declaration is written to the file and sent to every worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from taiji.arena import LocalPool
from taiji.arena.custom_game import read_game
from taiji.arena.tournaments import Format, Log, TournamentSettings
from taiji.arena.tournaments.engines import EngineTournament
from taiji.arena.tournaments.spec import parse_spec
from taiji.rules import GameError

OWN = Path(__file__).parents[3] / "docs" / "rules" / "examples" / "lagoon.toml"
SPEC = """
game = "own.toml"
format = "match"
playouts = 5
[[player]]
player = "random"
[[player]]
player = "greedy"
"""


def test_workers_and_the_file_know_the_game(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(OWN.read_text())
    spec = parse_spec(SPEC, "own", tmp_path)
    (tmp_path / "own.toml").unlink()
    pool = LocalPool(1)
    running = EngineTournament(spec, tmp_path / "own")
    assert running.play(pool).over
    assert {record.game.name for record in running.records()} == {"lagoon"}
    running.close()
    pool.close()
    with Log(tmp_path / "own" / "tournament.tour") as log:
        assert log.tournament.settings == spec.settings


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "No such file"),
        (b"x =", "not TOML"),
        (b"\xff", "not UTF-8"),
        (b"#" * 100_001, "at most 100,000"),
    ],
)
def test_a_file_that_declares_no_game_is_refused_in_one_line(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    if content is not None:
        (tmp_path / "own.toml").write_bytes(content)
    with pytest.raises(GameError, match=reason) as refused:
        read_game("own.toml", tmp_path)
    assert "\n" not in str(refused.value)
    assert "own.toml: " in str(refused.value)


def test_a_declaration_of_another_game_is_refused() -> None:
    with pytest.raises(GameError, match="does not declare the game taiji"):
        TournamentSettings("x", Format.SWISS, "taiji", declaration=OWN.read_text())
