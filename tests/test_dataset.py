"""The dataset: games on the CPU repeat, imports are checked, runs resume, and the sample is true."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("pyarrow")

from tools.dataset import __main__ as program  # noqa: E402
from tools.dataset.files import file_name, read  # noqa: E402
from tools.dataset.imported import played_games  # noqa: E402
from tools.dataset.rows import DatasetError, PlayedGame, to_row  # noqa: E402
from tools.dataset.selfplay import PART_GAMES, play  # noqa: E402

from taiji.rules import parse_game  # noqa: E402

SAMPLE = Path(__file__).parent.parent / "docs" / "dataset" / "sample.parquet"


@pytest.mark.parametrize("game", ["taiji:size=3", "battle-of-lits"])
def test_a_seed_gives_a_game(game: str) -> None:
    once = play(game, 8, 5)
    play(game, 8, 6)
    assert play(game, 8, 5) == once
    assert once.win_probs[: once.opening_plies] == [None] * once.opening_plies
    assert all(prob is not None for prob in once.win_probs[once.opening_plies :])


def test_the_search_decides_on_the_swap() -> None:
    assert {play("battle-of-lits:size=4", 2, seed).opening_plies for seed in range(8)} == {1}


def row_of(actions: list[int]) -> None:
    to_row(PlayedGame("taiji:size=2", "nobody", actions, [None] * len(actions), 0))


def test_a_row_is_scored_by_the_rules() -> None:
    row = to_row(play("taiji:size=4", 4, 1))
    state = parse_game(row["game"]).start()
    for move in row["moves"].split():
        state = state.play(move)
    outcome = state.outcome()
    assert outcome is not None
    assert (row["light_score"], row["dark_score"]) == tuple(outcome.scores)
    assert row["winner"] == ("light", "dark")[outcome.winner]


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda folder: row_of([0, 0]), r"taiji:size=2: ply 2: illegal action 0"),
        (lambda folder: row_of([0]), r"not over after 1 plies \(expected a finished game\)"),
        (
            lambda folder: next(played_games(folder / "none.npz")),
            r"none.npz: cannot be read \(expected arrays",
        ),
        (lambda folder: read(folder / "text.parquet"), "text.parquet: not a Parquet file"),
    ],
)
def test_bad_games_and_files_are_refused(
    tmp_path: Path, call: Callable[[Path], object], problem: str
) -> None:
    (tmp_path / "text.parquet").write_text("text")
    with pytest.raises(DatasetError, match=problem):
        call(tmp_path)


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr("sys.argv", ["dataset", *map(str, arguments)])
    return program.main()


def test_a_run_resumes_and_grows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = ("play", "--only", "taiji:size=2", "--playouts", 1, "--workers", 1, "--output", tmp_path)
    assert run(monkeypatch, *wanted, "--games", 10) == 0
    path = tmp_path / "taiji-size-2.parquet"
    first = read(path)
    assert len(first) == 10
    part = next((tmp_path / "parts" / "taiji-size-2").iterdir())
    written = part.stat().st_mtime_ns
    assert run(monkeypatch, *wanted, "--games", PART_GAMES + 5) == 0
    assert read(path).slice(0, 10).equals(first)
    assert len(read(path)) == PART_GAMES + 5
    assert part.stat().st_mtime_ns == written
    assert f"| `taiji-size-2.parquet` | {PART_GAMES + 5} |" in (tmp_path / "README.md").read_text()
    capsys.readouterr()
    assert run(monkeypatch, *wanted, "--seed", 2) == 2
    assert "run.json: another run" in capsys.readouterr().err


def test_games_of_self_play_are_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = [play("taiji:size=3", 2, seed) for seed in range(3)]
    width = max(len(game.actions) for game in played)
    actions = np.full((3, width), -1, np.int16)
    win_prob = np.full((3, width), 255, np.uint8)
    for row, game in enumerate(played):
        actions[row, : len(game.actions)] = game.actions
        win_prob[row, len(game.actions) - 1] = 150
    np.savez_compressed(
        tmp_path / "small.npz",
        game="taiji:size=3",
        player="test",
        actions=actions,
        win_prob=win_prob,
        opening_plies=2,
    )
    assert run(monkeypatch, "import", tmp_path / "small.npz", "--output", tmp_path / "out") == 0
    rows = read(tmp_path / "out" / "small.parquet").to_pylist()
    assert [row["actions"] for row in rows] == [game.actions for game in played]
    assert rows[0]["win_probs"] == [None] * (len(played[0].actions) - 1) + [0.75]
    assert (
        run(monkeypatch, "sample", tmp_path / "out", "--games", 2, "--output", tmp_path / "few.parquet") == 0
    )
    assert read(tmp_path / "few.parquet").to_pylist() == rows[:2]


def test_the_sample_is_true() -> None:
    rows = read(SAMPLE).to_pylist()
    games = {row["game"].partition(":board")[0].partition(":symbols")[0] for row in rows}
    assert games == {str(parse_game(text)) for text in (*program.SIZES, *program.OTHERS)}
    assert SAMPLE.stat().st_size < 600_000
    for row in rows[::17]:
        names = ("game", "player", "actions", "win_probs", "opening_plies", "seed")
        again = to_row(PlayedGame(**{name: row[name] for name in names}))
        again["win_probs"] = row["win_probs"]
        assert again == row


def test_file_names() -> None:
    assert [file_name(game) for game in ("taiji:size=9", "tailits+taiji")] == [
        "taiji-size-9",
        "tailits+taiji",
    ]
