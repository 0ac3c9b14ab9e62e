"""Games of one's own, declared as a dictionary or a TOML text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from taiji.rules.constraints import (
    Constraint,
    FirstMustCover,
    LevelGround,
    MustTouch,
    NoFullBlock,
    SameKindApart,
)
from taiji.rules.game import ColourNames, Game, GameError, Stage, Symbols
from taiji.rules.geometry import Adjacency, Board, UnknownCell
from taiji.rules.pieces import Colour, Piece, PieceStock
from taiji.rules.scoring import (
    GroupProduct,
    LargestGroups,
    NthLargestGroup,
    Scoring,
    SumOfSquares,
    Tie,
    UncoveredSymbols,
)

_NAME = re.compile(r"[a-z][a-z0-9+-]{0,39}")
_GAME_KEYS = {"name", "words", "tie", "stages"}
_STAGE_KEYS = {"board", "pieces", "first", "rules", "score", "tiebreak", "last-bonus", "swap"}
_COLOURS = {"light": Colour.LIGHT, "dark": Colour.DARK}
_MAX_SUPPLY = 128
_MAX_POINTS = 1000

TomlTable = Mapping[str, Any]
T = TypeVar("T")


def game_from_toml(text: str) -> Game:
    """Read a game declared in TOML."""
    try:
        return game_from_dict(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise GameError(f"not TOML: {error}") from error


def game_from_dict(table: TomlTable) -> Game:
    """Build a game from its declaration; several `stages` make a game of several stages on one board."""
    staged = "stages" in table
    _only(table, _GAME_KEYS if staged else (_GAME_KEYS - {"stages"}) | _STAGE_KEYS, "a game")
    name = _of(table, "name", str)
    if not _NAME.fullmatch(name):
        raise GameError(f"name {name[:40]!r}: use small letters, digits, + and -, at most 40, a letter first")
    stage_keys = {key: value for key, value in table.items() if key in _STAGE_KEYS}
    declared = _of(table, "stages", list) if staged else [stage_keys]
    stages = tuple(
        _stage(part, name if len(declared) == 1 else f"{name}-{n}") for n, part in enumerate(declared, 1)
    )
    words = _of(table, "words", list, ["Light", "Dark"])
    if len(words) != 2 or not all(isinstance(word, str) for word in words):
        raise GameError('words: give two, such as ["White", "Black"]')
    game = Game(
        name, stages, Tie(_one_of(table, "tie", [tie.value for tie in Tie], "dark")), ColourNames(*words)
    )
    game.layouts  # noqa: B018 - refuses pieces that look alike now rather than at the first move
    return game


def _stage(table: object, name: str) -> Stage:
    if not isinstance(table, Mapping):
        raise GameError("each stage is a table")
    _only(table, _STAGE_KEYS, "a stage")
    try:
        board, symbols = _board(_of(table, "board", list))
        pieces, slots = _pieces(_of(table, "pieces", list))
        return Stage(
            name,
            board,
            pieces,
            slots,
            _COLOURS[_one_of(table, "first", list(_COLOURS), "light")],
            _scoring(_of(table, "score", dict, {})),
            constraints=_constraints(_of(table, "rules", dict, {}), board),
            tiebreak=tuple(_scoring(rule) for rule in _of(table, "tiebreak", list, [])),
            last_placement_bonus=round(2 * _number(table, "last-bonus")),
            swap=_of(table, "swap", bool, False),
            symbols=symbols,
        )
    except GameError:
        raise
    except ValueError as error:
        raise GameError(str(error)) from error


def _board(rows: Sequence[object]) -> tuple[Board, Symbols | None]:
    if not rows or not all(isinstance(row, str) and len(row) == len(str(rows[0])) for row in rows):
        raise GameError("board: give rows of one length, top row first")
    width = len(str(rows[0]))
    masks = dict.fromkeys(".#xo", 0)
    for up, row in enumerate(reversed(rows)):
        for column, mark in enumerate(str(row).lower()):
            if mark not in masks:
                raise GameError(f"board: {mark!r} is none of . (a cell), # (a hole), x and o (symbols)")
            masks[mark] |= 1 << (up * width + column)
    symbols = Symbols(masks["x"], masks["o"]) if masks["x"] or masks["o"] else None
    return Board(width, len(rows), masks["#"]), symbols


def _pieces(tables: Sequence[object]) -> tuple[tuple[Piece, ...], tuple[PieceStock, ...]]:
    pieces: list[Piece] = []
    slots: list[PieceStock] = []
    for table in tables:
        if not isinstance(table, Mapping):
            raise GameError("each piece is a table")
        _only(table, {"kind", "shape", "count", "turn", "flip"}, "a piece")
        kind = _of(table, "kind", str)
        shape = _of(table, "shape", list)
        count = _of(table, "count", int)
        if not 0 <= count <= _MAX_SUPPLY:
            raise GameError(f"count={count}: give 0 to {_MAX_SUPPLY} pieces")
        squares = [
            ((column, up), mark)
            for up, row in enumerate(reversed(shape))
            for column, mark in enumerate(str(row).lower())
            if mark != " "
        ]
        if not all(mark in "ld." for _, mark in squares):
            raise GameError(f"piece {kind}: draw it with l, d or . and blanks")
        turn, flip = _of(table, "turn", bool, True), _of(table, "flip", bool, True)
        colours = "".join(mark for _, mark in squares)
        pieces.append(Piece(kind, tuple(square for square, _ in squares), colours, len(slots), turn, flip))
        slots.append(PieceStock(kind, f"{kind}-{colours}", count))
    return tuple(pieces), tuple(slots)


def _constraints(table: TomlTable, board: Board) -> tuple[Constraint, ...]:
    _only(table, {"first-covers", "touch", "same-kind-apart", "no-full-block", "level-ground"}, "rules")
    found: list[Constraint] = []
    if "first-covers" in table:
        cells = table["first-covers"]
        try:
            found.append(FirstMustCover(board.centre if cells == "centre" else board.mask(map(str, cells))))
        except (UnknownCell, TypeError) as error:
            raise GameError(f"first-covers: {error}; give 'centre' or a list of cells") from error
    if _of(table, "touch", bool, False):
        found.append(MustTouch())
    if _of(table, "same-kind-apart", bool, False):
        found.append(SameKindApart())
    if "no-full-block" in table:
        size = table["no-full-block"]
        if not (isinstance(size, list) and len(size) == 2 and all(type(n) is int and n > 0 for n in size)):
            raise GameError("no-full-block: give its width and height, such as [2, 2]")
        found.append(NoFullBlock(*size))
    if _of(table, "level-ground", bool, False):
        found.append(LevelGround())
    return tuple(found)


def _scoring(table: object) -> Scoring:
    if not isinstance(table, Mapping):
        raise GameError("a way to score is a table")
    _only(table, {"rule", "groups", "rank", "adjacency"}, "score")
    rule = _one_of(
        table, "rule", ["largest", "ranked", "omega", "squares", "product", "uncovered"], "largest"
    )
    near = Adjacency(_one_of(table, "adjacency", [a.value for a in Adjacency], "edge"))
    groups, rank = (_of(table, key, int, default) for key, default in (("groups", 1), ("rank", 2)))
    if groups < 1 or rank < 1:
        raise GameError("groups and rank: count from 1")
    rules: dict[str, Scoring] = {
        "largest": LargestGroups(groups, near),
        "ranked": NthLargestGroup(rank, near),
        "omega": GroupProduct(None, near),
        "squares": SumOfSquares(groups, near),
        "product": GroupProduct(groups, near),
        "uncovered": UncoveredSymbols(),
    }
    return rules[rule]


def _only(table: TomlTable, known: set[str], what: str) -> None:
    for key in table:
        if key not in known:
            raise GameError(f"{what} has no {str(key)[:20]!r}: it has {', '.join(sorted(known))}")


def _number(table: TomlTable, key: str) -> float:
    value = table.get(key, 0)
    if type(value) in (int, float) and 0 <= value <= _MAX_POINTS and 2 * value == int(2 * value):
        return float(value)
    raise GameError(f"{key}: give whole or half points, at most {_MAX_POINTS}")


def _one_of(table: TomlTable, key: str, values: list[str], default: str) -> str:
    value = table.get(key, default)
    if value not in values:
        raise GameError(f"{key}={str(value)[:20]}: choose one of {', '.join(values)}")
    return str(value)


def _of(table: TomlTable, key: str, kind: type[T], default: T | None = None) -> T:
    value = table.get(key, default)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise GameError(f"{key}: give a {kind.__name__}" + ("" if key in table else ", it is missing"))
    return value
