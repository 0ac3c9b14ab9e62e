"""Game texts: canonical forms that round-trip, and errors that say what there is instead."""

from __future__ import annotations

import pytest

from taiji.rules import GAMES, GameError, parse_game
from tests.rules.plans import BOARD_4, PLANS

ROWS_10 = "|".join(["x.o.x.o.x."] * 10)


@pytest.mark.parametrize("text", sorted({plan.text for plan in PLANS}))
def test_a_game_text_round_trips(text: str) -> None:
    game = parse_game(text)
    assert parse_game(str(game)) == game
    assert str(parse_game(str(game))) == str(game)
    assert hash(parse_game(str(game))) == hash(game)
    assert repr(game) == f"parse_game({str(game)!r})"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("taiji:size=9,groups=2", "taiji"),
        ("taiji:groups=2", "taiji"),
        ("taiji:size=7,groups=1", "taiji:size=7"),
        ("taiji:groups=2,size=7", "taiji:size=7,groups=2"),
        ("taiji:score=sum,diagonal=no", "taiji"),
        ("taiji:diagonal=yes,score=omega", "taiji:score=omega,diagonal=yes"),
        ("taiji:size=7,groups=1,score=omega,diagonal=yes", "taiji:size=7,score=omega,diagonal=yes"),
        ("  TAIJI : Size = 7 ", "taiji:size=7"),
        ("tailits:score=largest,set=six", "tailits"),
        ("tailits:set=free,score=second", "tailits:score=second,set=free"),
        ("battle-of-lits:board=1,size=10,swap=yes", "battle-of-lits"),
        ("battle-of-lits:swap=no,board=7", "battle-of-lits:board=7,swap=no"),
        (f"battle-of-lits:symbols={BOARD_4.upper()}", f"battle-of-lits:symbols={BOARD_4}"),
        (f"battle-of-lits:size=4,symbols={BOARD_4}", f"battle-of-lits:symbols={BOARD_4}"),
        ("tailits+taiji:groups=3", "tailits+taiji"),
        ("tailits+taiji:groups=2,score=second", "tailits+taiji:score=second,groups=2"),
        ("taiji+battle-of-lits:size=11,groups=3", "taiji+battle-of-lits"),
        ("taiji+battle-of-lits:size=9", "taiji+battle-of-lits:size=9"),
    ],
)
def test_the_canonical_form_leaves_defaults_out(text: str, canonical: str) -> None:
    assert str(parse_game(text)) == canonical


@pytest.mark.parametrize("text", ["", "chess", "taiji2", "taiji+tailits", ":size=7", "chess:size=7"])
def test_an_unknown_game_lists_the_games_and_editions(text: str) -> None:
    with pytest.raises(GameError) as refused:
        parse_game(text)
    message = str(refused.value)
    assert message.startswith("unknown game")
    for name in [*GAMES, "blue-panther", "deluxe", "nestorgames-7x7"]:
        assert name in message


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("taiji:board=3", "size, groups, score, diagonal, tie, komi, pie, opening"),
        ("tailits:size=9", "score, set, tie, komi, pie"),
        ("battle-of-lits:groups=2", "board, symbols, size, swap, tie, komi"),
        ("tailits+taiji:set=free", "score, groups, tie, komi, pie"),
        ("taiji+battle-of-lits:swap=no", "size, groups, tie, komi"),
        ("taiji+battle-of-lits:score=omega", "size, groups, tie, komi"),
    ],
)
def test_an_unknown_option_lists_the_options(text: str, options: str) -> None:
    name, _, rest = text.partition(":")
    key = rest.partition("=")[0]
    with pytest.raises(GameError) as refused:
        parse_game(text)
    assert str(refused.value) == f"{name} has no option {key!r} (expected {options})"


@pytest.mark.parametrize("text", ["taiji:", "taiji:size", "taiji:size=7,", "taiji:,size=7", "taiji:size 7"])
def test_what_is_no_option_at_all_lists_the_options(text: str) -> None:
    with pytest.raises(
        GameError, match="is not an option \\(expected option=value; taiji has size, groups, score, diagonal"
    ):
        parse_game(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("taiji:size=1", "size=1: invalid (expected an integer from 2 to 11)"),
        ("taiji:size=12", "size=12: invalid (expected an integer from 2 to 11)"),
        ("taiji:size=-3", "size=-3: invalid (expected an integer from 2 to 11)"),
        ("taiji:size=7.0", "size=7.0: invalid (expected an integer from 2 to 11)"),
        ("taiji:size=٧", "size=٧: invalid (expected an integer from 2 to 11)"),
        ("taiji:size=", "size=: invalid (expected an integer from 2 to 11)"),
        ("taiji:groups=0", "groups=0: invalid (expected an integer from 1 to 3)"),
        ("taiji:groups=4", "groups=4: invalid (expected an integer from 1 to 3)"),
        ("taiji:score=max", "score=max: invalid (expected one of sum, omega, squares, product)"),
        ("taiji:diagonal=true", "diagonal=true: invalid (expected one of no, yes)"),
        ("tailits:score=third", "score=third: invalid (expected one of largest, second)"),
        ("tailits:set=seven", "set=seven: invalid (expected one of six, free)"),
        ("battle-of-lits:swap=maybe", "swap=maybe: invalid (expected one of yes, no)"),
        ("battle-of-lits:size=3", "size=3: invalid (expected an integer from 4 to 11)"),
        (
            "battle-of-lits:board=4294967296",
            "board=4294967296: invalid (expected an integer from 0 to 4294967295)",
        ),
        (
            "battle-of-lits:board=99999999999",
            "board=99999999999: invalid (expected an integer from 0 to 4294967295)",
        ),
        ("tailits+taiji:groups=4", "groups=4: invalid (expected an integer from 1 to 3)"),
        ("taiji+battle-of-lits:size=12", "size=12: invalid (expected an integer from 2 to 11)"),
    ],
)
def test_an_unknown_value_says_which_there_are(text: str, message: str) -> None:
    with pytest.raises(GameError) as refused:
        parse_game(text)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("text", "one", "two"),
    [
        (f"battle-of-lits:board=3,symbols={BOARD_4}", "board", "symbols"),
        (f"battle-of-lits:size=10,symbols={BOARD_4}", "size=10", "symbols"),
        (f"battle-of-lits:size=9,symbols={ROWS_10}", "size=9", "symbols"),
        ("taiji:score=omega,groups=3", "score=omega", "groups=3"),
    ],
)
def test_contradictory_options_say_which_two(text: str, one: str, two: str) -> None:
    with pytest.raises(GameError, match=f"^{one} and {two} contradict each other: "):
        parse_game(text)


def test_an_option_given_twice_is_refused() -> None:
    with pytest.raises(GameError, match="option size appears twice"):
        parse_game("taiji:size=7,size=9")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("xo|ox", r"symbols: rows of 2, 2 \(expected a square of 4 to 11 rows"),
        ("xo..|....|....", r"symbols: rows of .* \(expected a square of 4 to 11 rows"),
        ("xo..|...|....|....", "rows of 4, 3, 4, 4 .expected a square"),
        ("|".join(["." * 12] * 12), r"symbols: rows of .* \(expected a square of 4 to 11 rows"),
        ("xo..|..z.|....|....", "symbols: 'z' is not a symbol"),
        ("", r"symbols: rows of .* \(expected a square of 4 to 11 rows"),
    ],
)
def test_a_badly_drawn_board_says_what_is_wrong(rows: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        parse_game(f"battle-of-lits:symbols={rows}")


def test_an_endless_text_is_refused_unread() -> None:
    with pytest.raises(
        GameError, match=r"a game text of 100006 characters is too long \(expected at most 400\)"
    ):
        parse_game("taiji:" + "x" * 100_000)


def test_every_game_describes_its_options() -> None:
    for declaration in GAMES.values():
        assert all((declaration.title, declaration.designer, declaration.rulebook, declaration.summary))
        for option in declaration.options:
            assert option.allowed
            assert option.help
            assert option.default is None or option.parse(str(option.default)) == option.default
