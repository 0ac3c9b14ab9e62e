"""SGF that any reader takes, whose stones are the position at every node."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from taiji.notation import Evaluation, Record, RecordedMove, Result, Termination, Variation, parse_record
from taiji.notation.interchange import ConversionError, format_sgf
from taiji.rules import Colour, Placement, Seat, State, bits, game_from_dict, parse_game
from tests.notation.interchange.samples import cut, game_record, imported, with_steps

VALUES = [
    "taiji",
    "taiji:size=4",
    "tailits",
    "battle-of-lits",
    "tailits+taiji",
    "taiji+battle-of-lits:size=5",
]
_PART = re.compile(r"([A-Z]+)((?:\[(?:[^\]\\]|\\.)*\])+)|([();])", re.DOTALL)
SETUP_OR_MARKUP = {"AW", "AB", "AE", "PL", "MA", "DD", "C"}
ROOT = {"FF", "GM", "CA", "AP", "SZ", "PW", "PB", "EV", "RO", "PC", "DT", "RE", "GN"}


def parse(text: str) -> list:
    """A tree of nodes, each a dictionary: [node, node, [branch], [branch]]."""
    assert _PART.sub("", text).strip() == ""
    stack: list[list] = [[]]
    for match in _PART.finditer(text):
        if match[3] == "(":
            stack.append([])
        elif match[3] == ")":
            done = stack.pop()
            stack[-1].append(done)
        elif match[3] == ";":
            stack[-1].append({})
        else:
            values = re.findall(r"\[((?:[^\]\\]|\\.)*)\]", match[2], re.DOTALL)
            stack[-1][-1][match[1]] = [re.sub(r"\\(.)", r"\1", value) for value in values]
    assert len(stack) == 1
    return stack[0]


def mainline(tree: list) -> list[dict]:
    """The nodes of the first branches."""
    nodes: list[dict] = []
    for item in tree:
        if isinstance(item, dict):
            nodes.append(item)
        else:
            return nodes + mainline(item)
    return nodes


def cells(points: list[str], height: int) -> set[tuple[int, int]]:
    return {(ord(p[0]) - 97, height - 1 - (ord(p[1]) - 97)) for p in points}


def stones_by_the_rules(state: State) -> tuple[set, set]:
    """The light and dark squares that one sees: laid, or symbols that nothing covers."""
    width = state.board.width
    if state.compiled_stage.counts_symbols:
        masks = (state.symbols.light & ~state.covered, state.symbols.dark & ~state.covered)
    else:
        masks = (state.light, state.dark)
    return tuple({(cell % width, cell // width) for cell in bits(mask)} for mask in masks)


def cells_of(mask: int, state: State) -> set[tuple[int, int]]:
    return {(cell % state.board.width, cell // state.board.width) for cell in bits(mask)}


@pytest.mark.parametrize("text", VALUES)
def test_the_stones_are_the_position_at_every_node(text: str) -> None:
    record = game_record(text, 5)
    [tree] = parse(format_sgf(imported(record)))
    nodes = mainline(tree)
    replay = record.replay()
    states, moves = replay.states, replay.moves
    height = states[0].board.height
    white: set = set()
    black: set = set()
    dim: set = set()
    for index, node in enumerate(nodes):
        white |= cells(node.get("AW", []), height)
        black |= cells(node.get("AB", []), height)
        gone = cells(node.get("AE", []), height)
        if "DD" in node:
            dim = cells([point for point in node["DD"] if point], height)
        white, black = white - gone - cells(node.get("AB", []), height), black - gone
        assert set(node) <= SETUP_OR_MARKUP | {"TJMOVE"} | (
            ROOT | {"TJGAME", "TJSCORE"} if not index else set()
        )
        # The last ply of a stage still shows that stage; the next one clears it.
        move = moves[index - 1] if index else None
        stage = move.stage_index if isinstance(move, Placement) else states[index].stage_index
        if states[index].stage_index == stage:
            assert (white, black) == stones_by_the_rules(states[index]), index
            state = states[index]
            dimmed = state.covered if state.compiled_stage.counts_symbols else state.ground
            assert dim == cells_of(dimmed, state), index
    assert [node["TJMOVE"][0] for node in nodes[1:]] == list(record.moves)
    for node, state, move in zip(nodes[1:], states, moves, strict=False):
        assert node["PL"] == ["B" if state.colour_to_move is Colour.LIGHT else "W"], (
            "the other colour is next"
        )
        plain = isinstance(move, Placement) and not move.light | move.dark
        assert cells(node.get("MA", []), height) == (cells_of(move.cells, state) if plain else set())


def test_the_root_says_what_was_played() -> None:
    record = game_record("taiji:size=7", 4)
    root = mainline(parse(format_sgf(imported(record)))[0])[0]
    assert (root["FF"], root["SZ"], root["CA"], root["TJGAME"]) == (["4"], ["7"], ["UTF-8"], ["taiji:size=7"])
    assert (root["PW"], root["PB"], root["DT"]) == (['Ann "A" [x]'], ["Bö\\b"], ["2026-11-15"])
    assert (root["EV"], root["RO"], root["PC"]) == (["Cup"], ["2"], ["Here"])
    assert root["TJSCORE"] == [f"{record.score.light}-{record.score.dark}"]


@pytest.mark.parametrize(
    ("termination", "winner", "says"),
    [
        (Termination.RESIGNED, Seat.FIRST, "W+R"),
        (Termination.TIME, Seat.SECOND, "B+T"),
        (Termination.FORFEIT, Seat.SECOND, "B+F"),
        (Termination.AGREED, None, "0"),
        (None, None, "?"),
    ],
)
def test_the_result_is_in_the_words_of_the_format(
    termination: Termination | None, winner: Seat | None, says: str
) -> None:
    record = cut(game_record("taiji:size=4"), 2, termination, winner)
    assert f"RE[{says}]" in format_sgf(imported(record))


def test_an_abandoned_game_is_void_and_a_tie_has_no_margin() -> None:
    record = replace(cut(game_record("taiji:size=4"), 2, Termination.ABANDONED), result=Result.OPEN)
    assert "RE[Void]" in format_sgf(imported(record))
    tie = Record.of(parse_game("taiji:size=2"), [parse_game("taiji:size=2").placements[n] for n in (0, 6)])
    assert tie.score.light == tie.score.dark
    assert "RE[B+]" in format_sgf(imported(tie))


def test_variations_comments_clocks_and_evaluations_are_kept() -> None:
    record = parse_record(
        '[Game "taiji:size=4"]\n\n{Hello ]} 1. a1/a2! {first [%clk 0:01:02] [%eval 60% +1.5 n100]} b1/b2 '
        "(1... {or} c1/c2 2. d1/d2 (2. d2/d1)) (1... d1/d2) 2. a3/a4 *"
    )
    [tree] = parse(format_sgf(imported(record)))
    root, first, main, one, two = tree
    assert root["C"] == ["Hello ]"]
    assert first["TJCLOCK"] == ["62"]
    assert first["TJEVAL"] == ["0.6 1.5 100"]
    assert first["C"] == ["! first"]
    assert [node["TJMOVE"][0] for node in main] == ["b1/b2", "a3/a4"]
    assert one[0] == {"C": ["or"]}
    assert one[1]["TJMOVE"] == ["c1/c2"]
    assert [branch[0]["TJMOVE"][0] for branch in one[2:]] == ["d1/d2", "d2/d1"]
    assert two[0]["AW"] == ["dd"]
    assert two[0]["AB"] == ["dc"]


def test_a_game_from_a_position_begins_there() -> None:
    whole = game_record("taiji:size=4", 2)
    record = replace(whole, start=whole.replay().states[3], steps=whole.steps[3:])
    root = mainline(parse(format_sgf(imported(record)))[0])[0]
    assert len(root["AW"]) == len(root["AB"]) == 3
    assert root["TJPOSITION"][0].startswith("tji1 taiji:size=4 ")


def test_boards_without_letters_are_refused() -> None:
    tall = game_from_dict(
        {"name": "tall", "board": [".."] * 60, "pieces": [{"kind": "two", "shape": ["ld"], "count": 30}]}
    )
    with pytest.raises(ConversionError, match="60"):
        format_sgf(imported(Record(tall)))


def test_lines_and_steps_make_a_record() -> None:
    record = with_steps(
        game_record("taiji:size=4"),
        variations=(Variation((RecordedMove("a1/b1"),)),),
        evaluation=Evaluation(margin=2),
    )
    assert "TJEVAL[- 2 -]" in format_sgf(imported(record))
