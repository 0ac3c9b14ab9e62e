"""Puzzles: found, proven, graded, written, read again, and refused if a line is broken or a claim false."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from taiji.analysis.puzzles import (
    Attempt,
    Puzzle,
    PuzzleError,
    PuzzleWriter,
    Verdict,
    daily_puzzle,
    load_set,
    parse_puzzle,
    read_puzzles,
    shipped_sets,
)
from taiji.analysis.puzzles.daily import pick
from taiji.analysis.puzzles.grade import fit, step_rating
from taiji.analysis.puzzles.maker import MAX_GAMES_WITHOUT_PUZZLE, PliesRange, Recipe, make_puzzles
from taiji.analysis.puzzles.proof import prove
from taiji.arena.pool import LocalPool
from taiji.notation import format_position
from taiji.rules import IllegalMove

RECIPE = Recipe("taiji:size=5", playouts=20, plies=PliesRange(4, 6))


@pytest.fixture(scope="module")
def puzzles() -> list[Puzzle]:
    return list(make_puzzles(RECIPE, 4))


def test_every_puzzle_that_is_made_is_proven(puzzles: list[Puzzle]) -> None:
    assert len({puzzle.position for puzzle in puzzles}) == 4
    for puzzle in puzzles:
        prove(puzzle)
        assert puzzle.choices >= 5
        assert len(puzzle.solution) % 2 == 1


def test_the_seed_decides_the_puzzles_and_the_workers_do_not(puzzles: list[Puzzle]) -> None:
    pool = LocalPool(2)
    try:
        assert list(make_puzzles(RECIPE, 2, pool=pool)) == puzzles[:2]
    finally:
        pool.close()
    assert [puzzle.position for puzzle in make_puzzles(replace(RECIPE, seed=2), 2)] != [
        puzzle.position for puzzle in puzzles[:2]
    ]


def test_a_game_without_puzzles_is_given_up() -> None:
    examined: list[int] = []
    assert list(make_puzzles(Recipe("taiji:size=2", playouts=1), 1, on_game=examined.append)) == []
    assert examined[-1] == MAX_GAMES_WITHOUT_PUZZLE


def test_a_margin_puzzle_has_one_best_move() -> None:
    (puzzle,) = make_puzzles(replace(RECIPE, goal="margin"), 1)
    assert puzzle.goal == "margin"
    prove(puzzle)
    other = next(move for move in Attempt(puzzle).state.legal() if str(move) != puzzle.solution[0])
    with pytest.raises(PuzzleError, match="not the best move"):
        prove(replace(puzzle, solution=(str(other),), rest=()))


def test_a_file_that_was_cut_off_continues_to_the_same_puzzles(tmp_path: Path, puzzles: list[Puzzle]) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(f'{puzzles[0].to_line()}\n{puzzles[1].to_line()}\n{{"id":"tai', encoding="utf-8")
    writer = PuzzleWriter(path, RECIPE)
    assert writer.puzzles == puzzles[:2]
    for puzzle in make_puzzles(RECIPE, 2, start=writer.next_game):
        assert writer.add(puzzle)
    assert not writer.add(puzzles[0])
    writer.close()
    assert [puzzle for _, puzzle in read_puzzles(path)] == puzzles
    assert "| puzzles | 4 |" in path.with_suffix(".md").read_text(encoding="utf-8")


def test_a_file_of_another_recipe_is_not_continued(tmp_path: Path, puzzles: list[Puzzle]) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(puzzles[0].to_line() + "\n", encoding="utf-8")
    with pytest.raises(PuzzleError, match="another game or seed"):
        PuzzleWriter(path, replace(RECIPE, seed=9))


def test_a_line_reads_back_as_the_puzzle_it_was(puzzles: list[Puzzle]) -> None:
    for puzzle in puzzles:
        assert parse_puzzle(puzzle.to_line()) == puzzle


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("", "not a puzzle: .*expected a JSON object"),
        ("[1]", "not a puzzle"),
        ("{}", r"id: missing or invalid \(expected a text"),
        ('{"id": "A b", "game": "taiji", "position": "", "goal": "win"}', "id: 'A b'"),
        ('{"id": "a", "game": "taiji", "position": "", "goal": "draw"}', "goal: 'draw' .*win or margin"),
        ('{"id": "a", "game": "t", "position": "", "goal": "win", "theme": "x"}', "theme: 'x'"),
        (
            '{"id": "a", "game": "t", "position": "", "goal": "win", "solution": [1]}',
            r"solution: missing or invalid \(expected a list",
        ),
        ('{"id": "a", "game": "t", "position": "", "goal": "win", "solution": []}', "expected an odd number"),
        ('{"id": "a", "game": "t", "position": "", "goal": "win", "solution": ["x"]}', "rating: 'None'"),
        ('{"id": "a", "x": "' + "y" * 20_000 + '"}', "expected at most 16,384"),
    ],
)
def test_a_broken_line_is_refused(change: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        parse_puzzle(change or "no json")


def test_a_broken_file_is_refused_by_line(tmp_path: Path, puzzles: list[Puzzle]) -> None:
    path = tmp_path / "foreign.jsonl"
    path.write_text(f"{puzzles[0].to_line()}\n\n{puzzles[1].to_line()[:40]}\n", encoding="utf-8")
    with pytest.raises(PuzzleError, match=r"foreign.jsonl:3: not a puzzle"):
        list(read_puzzles(path))
    path.write_text(f"{puzzles[0].to_line()}\n{puzzles[0].to_line()}\n", encoding="utf-8")
    with pytest.raises(PuzzleError, match=r"foreign.jsonl:2: id .* is already on line 1"):
        list(read_puzzles(path))


def test_a_false_puzzle_is_not_proven(puzzles: list[Puzzle]) -> None:
    puzzle = puzzles[0]
    state = Attempt(puzzle).state
    wrong = next(str(move) for move in state.legal() if str(move) != puzzle.solution[0])
    false = {
        "not the best move": replace(puzzle, solution=(wrong,), rest=()),
        "position: column .* mover": replace(
            puzzle, position=" ".join((*puzzle.position.split()[:3], "over", "-"))
        ),
        "game: 'taiji'": replace(puzzle, game="taiji"),
        "choices: 99": replace(puzzle, choices=99),
        r"move 1 \('a1/a9'\)": replace(puzzle, solution=("a1/a9",)),
        "rest: the game goes on": replace(puzzle, rest=puzzle.rest[:1]),
    }
    for message, claim in false.items():
        with pytest.raises(PuzzleError, match=message):
            prove(claim)
    after = format_position(state.play(puzzle.solution[0]))
    answer = (*puzzle.solution, *puzzle.rest)[1]
    lost = replace(puzzle, position=after, solution=(answer,), rest=(), choices=0)
    with pytest.raises(PuzzleError, match="not the only move"):
        prove(lost)


def test_an_attempt_judges_answers_and_ends(puzzles: list[Puzzle]) -> None:
    puzzle = max(puzzles, key=lambda puzzle: len(puzzle.solution))
    attempt = Attempt(puzzle)
    wrong = next(move for move in attempt.state.legal() if str(move) != puzzle.solution[0])
    assert attempt.try_move(wrong) is Verdict.WRONG
    assert attempt.state == attempt.start
    with pytest.raises(IllegalMove):
        attempt.try_move(puzzle.position.split()[2].split(",")[0])
    for number, move in enumerate(puzzle.solution[::2]):
        verdict = attempt.try_move(move)
        assert verdict is (Verdict.SOLVED if 2 * number + 1 == len(puzzle.solution) else Verdict.RIGHT)
    assert attempt.is_solved
    assert attempt.mistakes == 1
    outcome = attempt.final().outcome()
    assert outcome is not None
    assert outcome.winner is attempt.start.seat_to_move


def test_the_rating_rises_with_the_level_that_finds_the_move() -> None:
    ratings = [fit([(level, float(level >= first)) for level in range(1, 10)]) for first in (2, 4, 6, 8)]
    assert ratings == sorted(ratings)
    assert step_rating(5) < fit([(level, float(level >= 6)) for level in range(1, 10)]) < step_rating(6)


def test_the_package_has_its_sets_with_a_card_each() -> None:
    least = {"tailits+taiji": 50, "taiji+battle-of-lits": 50}
    names = {"taiji-7", "taiji-9", "taiji-11", "tailits", "battle-of-lits", *least}
    assert set(shipped_sets()) == names
    for name, path in shipped_sets().items():
        puzzles = load_set(name)
        assert len(puzzles) >= least.get(name, 200)
        assert len({puzzle.position for puzzle in puzzles}) == len(puzzles)
        assert f"| puzzles | {len(puzzles)} |" in path.with_suffix(".md").read_text(encoding="utf-8")


def test_the_puzzle_of_the_day_is_the_same_for_everybody_and_does_not_return_soon() -> None:
    day = date(2026, 11, 16)
    assert daily_puzzle(day) == daily_puzzle(day)
    sets = len(shipped_sets())
    week = [daily_puzzle(day + timedelta(days)) for days in range(sets)]
    assert len({puzzle.game for puzzle in week}) == sets
    puzzles = load_set("taiji-7")
    assert len({pick(puzzles, turn).id for turn in range(len(puzzles))}) == len(puzzles)
