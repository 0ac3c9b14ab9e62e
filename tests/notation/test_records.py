"""Records: written and read again, replayed, and what they claim held against the rules."""

from __future__ import annotations

import random

import pytest

from taiji.notation import (
    Evaluation,
    NotationError,
    Record,
    RecordedMove,
    Result,
    Score,
    Termination,
    Variation,
    format_record,
    parse_record,
)
from taiji.rules import IllegalMove, Seat, parse_game
from tests.notation.games import TEXTS, game, random_game

ANNOTATED = r"""
[Event "Club evening"]
[Game "taiji:size=3"]
[light "Ann \"the\" O'Neill \\ Sons"]
[Dark "Bob"]
[TimeControl "300+5"]
[Club "Old Mill"]

{Before the first move} 1. A1,A2! $14 {[%clk 0:04:58.5] [%eval 63.2% +1.5 n12000] a \{quiet\} start}
   (1. b2/b3 {in the middle} 1... b1c1 (1... c1/c2) (1... {or} c3/c2 2. a1/a2)) (1. c1/c2?!)
1... b1-b2 ; to the end of the line (really)
2. c1/c2 ?? 0-1
"""


@pytest.mark.parametrize("text", TEXTS)
def test_a_random_game_round_trips(text: str) -> None:
    moves, states = random_game(text, 5)
    record = Record.of(game(text), moves, {"Light": "Ann", "Dark": "Bob", "Date": "2026.11.15"})
    assert parse_record(format_record(record)) == record
    replay = record.replay()
    assert replay.states == tuple(states)
    assert replay.moves == tuple(moves)
    assert replay.problems == ()
    outcome = states[-1].outcome()
    assert outcome is not None
    assert record.result is Result.of(outcome)
    assert record.result.winner == outcome.winner
    assert record.score == tuple(outcome.scores)


@pytest.mark.parametrize("text", TEXTS)
def test_a_record_may_start_anywhere_and_need_not_end(text: str) -> None:
    moves, states = random_game(text, 6)
    middle, end = len(moves) // 3, 2 * len(moves) // 3
    record = Record.of(game(text), moves[middle:end], start=states[middle])
    assert record.result is Result.OPEN
    written = format_record(record)
    assert "[Position " in written
    assert parse_record(written) == record
    assert record.replay().last == states[end]
    assert record.replay().problems == ()


def test_everything_that_can_be_said() -> None:
    record = parse_record(ANNOTATED)
    assert record.tags == (
        ("Event", "Club evening"),
        ("Light", 'Ann "the" O\'Neill \\ Sons'),
        ("Dark", "Bob"),
        ("TimeControl", "300+5"),
        ("Club", "Old Mill"),
    )
    assert record.comment == "Before the first move"
    assert record.result is Result.DARK
    assert record.moves == ("a1/a2", "b1/b2", "c1/c2")
    first, second, third = record.steps
    assert first.nags == (1, 14)
    assert first.clock == 298.5
    assert first.evaluation == Evaluation(0.632, 1.5, 12000)
    assert first.comment == "a {quiet} start"
    inner = (
        Variation((RecordedMove("c1/c2"),)),
        Variation((RecordedMove("c3/c2"), RecordedMove("a1/a2")), "or"),
    )
    middle = Variation(
        (RecordedMove("b2/b3", comment="in the middle"), RecordedMove("b1/c1", variations=inner))
    )
    assert first.variations == (middle, Variation((RecordedMove("c1/c2", nags=(6,)),)))
    assert second.comment == "to the end of the line (really)"
    assert third.nags == (4,)
    assert parse_record(format_record(record)) == record


def test_how_a_record_looks() -> None:
    assert format_record(parse_record(ANNOTATED)) == (
        '[Event "Club evening"]\n'
        '[Light "Ann \\"the\\" O\'Neill \\\\ Sons"]\n'
        '[Dark "Bob"]\n'
        '[Result "0-1"]\n'
        '[Game "taiji:size=3"]\n'
        '[TimeControl "300+5"]\n'
        '[Club "Old Mill"]\n'
        "\n"
        "{Before the first move} 1. a1/a2! $14 {[%eval 63.2% +1.5 n12000]\n"
        "[%clk 0:04:58.5] a \\{quiet\\} start} (1. b2/b3 {in the middle} 1... b1/c1\n"
        "(1... c1/c2) ({or} 1... c3/c2 2. a1/a2)) (1. c1/c2?!) 1... b1/b2 {to the end of\n"
        "the line (really)} 2. c1/c2?? 0-1\n"
    )


def test_lines_are_wrapped() -> None:
    moves, _ = random_game("taiji:size=11", 7)
    lines = format_record(Record.of(parse_game("taiji:size=11"), moves)).splitlines()
    assert len(lines) > 8
    assert max(map(len, lines)) <= 80
    assert not any(line.endswith(".") for line in lines), "a number stands on the line of its move"


@pytest.mark.parametrize(
    "text", ["[Foo", '[Game "x"]', "[%clk 1:00:00]", "a\\b", "{", "}", "(", ";", "%", "\\"]
)
def test_any_text_can_stand_in_a_comment(text: str) -> None:
    filler = "word " * 20
    steps = (RecordedMove("a1/a2", comment=filler + text + ' "y" ' + text), RecordedMove("b1/b2"))
    record = Record(parse_game("taiji:size=3"), steps, comment=text)
    assert parse_record(format_record(record)) == record


def test_blanks_in_comments_are_joined() -> None:
    assert RecordedMove("a1/a2", comment=" one\n\n two\tthree \x00").comment == "one two three"


@pytest.mark.parametrize(
    ("winner", "termination", "result"),
    [
        (Seat.FIRST, Termination.RESIGNED, "1-0"),
        (Seat.SECOND, Termination.TIME, "0-1"),
        (Seat.FIRST, Termination.FORFEIT, "1-0"),
        (None, Termination.AGREED, "1/2-1/2"),
    ],
)
def test_games_that_the_rules_did_not_end(winner: Seat | None, termination: Termination, result: str) -> None:
    moves, _ = random_game("taiji:size=4", 8, plies=3)
    record = Record.of(parse_game("taiji:size=4"), moves, termination=termination, winner=winner)
    written = format_record(record)
    assert f'[Result "{result}"]' in written
    assert f'[Termination "{termination.value}"]' in written
    assert parse_record(written) == record
    assert record.replay().problems == ()
    assert not record.replay().last.is_over


WHOLE = "1. a1/a2 b1/b2"


@pytest.mark.parametrize(
    ("tags", "end", "problem"),
    [
        ("", "0-1", None),
        ("", "*", None),
        ("", "", None),
        ('[Score "2-2"]', "0-1", None),
        ("", "1-0", "the record says 1-0, by the rules it is 0-1"),
        ("", "1/2-1/2", "the record says 1/2-1/2, by the rules it is 0-1"),
        ('[Score "3-2"]', "0-1", "the record says 3-2, by the rules it is 2-2"),
        ('[Score "2.5-2"]', "0-1", "the record says 2.5-2, by the rules it is 2-2"),
        ('[Termination "time"]', "0-1", "the record says time, but the game was played to its end"),
    ],
)
def test_a_claim_that_the_rules_deny_is_reported(tags: str, end: str, problem: str | None) -> None:
    record = parse_record(f'[Game "taiji:size=2"]\n{tags}\n\n{WHOLE} {end}')
    assert record.replay().last.is_over
    assert record.replay().problems == ((problem,) if problem else ())


def test_a_result_before_the_end_needs_a_reason() -> None:
    record = parse_record('[Game "taiji:size=2"]\n\n1. a1/a2 1-0')
    (problem,) = record.replay().problems
    assert problem == "the record says 1-0, but the game is not over and Termination is missing"


def test_an_illegal_move_is_never_recorded() -> None:
    move = parse_game("taiji").placements[0]
    with pytest.raises(IllegalMove):
        Record.of(parse_game("taiji"), [move, move])


def test_unchecked_records_are_checked_by_replay() -> None:
    record = parse_record('[Game "taiji:size=3"]\n\n1. a1/a2 2. A2/A3 *'.replace("2. ", ""), check=False)
    assert record.moves == ("a1/a2", "A2/A3")
    with pytest.raises(NotationError) as caught:
        record.replay()
    assert (caught.value.line, caught.value.column, caught.value.ply) == (3, 10, 2)
    assert caught.value.reason is not None
    assert caught.value.reason.code == "occupied"
    assert str(caught.value) == "line 3, column 10, ply 2: A2/A3: a2 is already covered"


def test_random_trees_round_trip() -> None:
    chance = random.Random(9)

    def line(state, depth):  # type: ignore[no-untyped-def]
        steps = []
        while not state.is_over and chance.random() < 0.8:
            options = []
            while depth < 4 and chance.random() < 0.3:
                other = line(state, depth + 1)
                if other:
                    options.append(Variation(other, chance.choice(["", "maybe"])))
            move = chance.choice(state.legal())
            steps.append(
                RecordedMove(
                    str(move),
                    tuple(chance.sample(range(30), chance.randrange(3))),
                    chance.choice(["", "good", "a (b) {c} [d] ;e"]),
                    chance.choice([None, 0.0, 61.25]),
                    chance.choice([None, Evaluation(0.5), Evaluation(None, -2.25), Evaluation(1.0, 0.0, 7)]),
                    tuple(options),
                )
            )
            state = state.play(move)
        return tuple(steps)

    for text in ("taiji:size=4", "battle-of-lits:symbols=x..o|.xo.|.xo.|x..o", "taiji+battle-of-lits:size=3"):
        for _ in range(20):
            record = Record(game(text), line(game(text).start(), 0))
            assert parse_record(format_record(record)) == record


def test_scores_keep_half_points() -> None:
    record = Record(parse_game("tailits+taiji"), result=Result.LIGHT, score=Score(23.5, 22))
    assert '[Score "23.5-22"]' in format_record(record)
    assert parse_record(format_record(record)).score == Score(23.5, 22)


def test_a_record_prints_as_its_file() -> None:
    record = Record.of(game("taiji:size=2"), ["a1/a2"], {"Light": "Ann"})
    assert str(record) == format_record(record)
    assert eval(repr(record), {"parse_record": parse_record}) == record


@pytest.mark.parametrize("moves", ["a1/a2", "a1/a2 b1/b2", None, 3])
def test_moves_are_several(moves: object) -> None:
    with pytest.raises(TypeError, match=rf"moves: invalid {type(moves).__name__} \(expected an iterable of"):
        Record.of(game("taiji:size=2"), moves)
