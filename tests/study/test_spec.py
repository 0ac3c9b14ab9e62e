"""Studies as TOML: they survive writing and reading, and bad ones are refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from taiji.study import OpeningSearch, SpecError, Strength, StudiedGame, Study, read_study, write_study

ROOT = Path(__file__).parents[2]
LAGOON = (ROOT / "docs" / "rules" / "examples" / "lagoon.toml").read_text()
SMALL = Study("balance", (StudiedGame("taiji:size=3"),), (Strength(playouts=5),))
STRENGTH = "[[strength]]\nplayouts = 5\n"
GAME = '[[game]]\nname = "taiji:size=3"\n'


@pytest.mark.parametrize(
    "study",
    [
        SMALL,
        Study(
            "compare",
            (
                StudiedGame("taiji:size=5", "5×5", winner="dark", note='"quoted"', games=7),
                StudiedGame("battle-of-lits", boards=20),
            ),
            (Strength("greedy", 1, 9), Strength("gumbel", 16)),
            count=30,
            title="a title",
            seed=9,
            random_plies=2,
            batch=8,
        ),
        Study(
            "openings",
            (StudiedGame("lagoon", declaration=LAGOON),),
            (Strength(playouts=5),),
            openings=OpeningSearch(plies=1, keep=3),
        ),
    ],
)
def test_a_study_survives_its_file(study: Study, tmp_path: Path) -> None:
    write_study(study, tmp_path)
    assert read_study(tmp_path / "study.toml") == study


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "at least one"),
        (GAME, "strength: none given"),
        (STRENGTH, "games: 0 given"),
        (GAME + GAME + STRENGTH, "taiji:size=3 is given twice"),
        (GAME + STRENGTH + STRENGTH, "mcts:endgame=no 5 is given twice"),
        ('kind = "fair"\n' + GAME + STRENGTH, "kind: invalid 'fair'"),
        ('kind = "compare"\n' + GAME + STRENGTH, "exactly two"),
        ("gmaes = 3\n" + GAME + STRENGTH, "did you mean games?"),
        ("games = 0\n" + GAME + STRENGTH, "games: invalid 0"),
        ("games = true\n" + GAME + STRENGTH, "games: invalid True"),
        ("title = 3\n" + GAME + STRENGTH, "title: invalid 3"),
        (GAME + '[[strength]]\nplayer = "nobody"\n', "unknown player"),
        (GAME + "[[strength]]\nplayouts = 0\n", "playouts: invalid 0"),
        (GAME + '[[strength]]\nplayouts = "x"\n', "playouts: invalid 'x'"),
        (GAME + "boards = 3\n" + STRENGTH, "no seeded boards"),
        (GAME + 'winner = "both"\n' + STRENGTH, "winner: invalid 'both'"),
        ('[[game]]\nname = "chess"\n' + STRENGTH, "unknown game"),
        ('[[game]]\nname = "none.toml"\n' + STRENGTH, "No such file"),
        ("[[game]]\n" + STRENGTH, "no name"),
        ("game = 3\n" + STRENGTH, "expected tables"),
        ("kind = ", "Invalid value"),
        (f"seed = {'9' * 5000}\n", "number too long"),
        (f"seed = {2**64}\n", "at most 64 bits"),
        ("seed = " + "[" * 5000, "nested too deep"),
        ('kind = "openings"\n[openings]\nplies = 0\n' + GAME + STRENGTH, "plies: invalid 0"),
        ('kind = "openings"\n' + GAME + '[[strength]]\nplayer = "gumbel"\n', "cannot start from openings"),
    ],
)
def test_a_bad_study_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(SpecError, match=problem.replace("?", r"\?")) as refused:
        read_study(path)
    assert str(refused.value).startswith(str(path))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "docs" / "studies").glob("*.toml")), ids=lambda path: path.name
)
def test_the_studies_of_the_family_can_be_run(path: Path) -> None:
    assert read_study(path).total() > 1000


def test_a_game_does_not_depend_on_the_rest_of_the_study() -> None:
    one, other = (
        SMALL.cells()[0],
        Study("balance", SMALL.games * 1, (Strength(), *SMALL.strengths)).cells()[1],
    )
    assert one.game_seed(1, 3) == other.game_seed(1, 3)
    assert len({one.game_seed(seed, i) for seed in (1, 2) for i in range(50)}) == 100
