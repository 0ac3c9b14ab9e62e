"""Custom games, declared as a dictionary or a TOML text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from taiji.rules.errors import GameError, check_type
from taiji.rules.fair_start import CHOOSE, KOMI_NAMES, MAX_KOMI, check_tie_matters
from taiji.rules.game import ColourNames, Game, Stage, Symbols
from taiji.rules.geometry import Board
from taiji.rules.options import conflict_error
from taiji.rules.pieces import Colour, Piece, PieceStock
from taiji.rules.placing import PLACING_RULES, PlacingRule
from taiji.rules.scoring import SCORING_RULES, DeclaredTally, LargestGroups, Scoring, Tie
from taiji.rules.tables import TomlTable, check_keys, check_values, parse_toml, read_choice, read_typed

_NAME = re.compile(r"[a-z][a-z0-9+-]{0,39}")
_GAME_KEYS = {"name", "words", "tie", "stages", "komi"}
_STAGE_KEYS = {"board", "pieces", "first", "rules", "score", "tiebreak", "last-bonus", "swap"}
_SCORE_KEYS = frozenset({"rule", "groups", "rank", "adjacency"})
"""Every score may have these; a rule without groups or ranks ignores them."""
_COLOURS = {"light": Colour.LIGHT, "dark": Colour.DARK}
_MAX_SUPPLY = 128
SWAP_PLIES = (1, 3)
"""After how many placements a swap may be offered: those after which the other player is to move."""
_MAX_POINTS = 1000


def game_from_toml(text: str) -> Game:
    """Read a game declared in TOML."""
    check_type("declaration", text, str, "a TOML text")
    return game_from_dict(parse_toml(text))


def game_from_dict(table: TomlTable) -> Game:
    """Build a game from its declaration; several `stages` make a game of several stages on one board."""
    check_type("declaration", table, Mapping, "a table")
    check_values(table)
    staged = "stages" in table
    check_keys(table, _GAME_KEYS if staged else (_GAME_KEYS - {"stages"}) | _STAGE_KEYS, "a game")
    name = read_typed(table, "name", str)
    if not _NAME.fullmatch(name):
        raise GameError(
            f"name {name[:40]!r}: invalid "
            "(expected at most 40 lower-case letters, digits, + and -, a letter first)"
        )
    stage_keys = {key: value for key, value in table.items() if key in _STAGE_KEYS}
    declared = read_typed(table, "stages", list) if staged else [stage_keys]
    stages = tuple(
        _stage(part, name if len(declared) == 1 else f"{name}-{n}") for n, part in enumerate(declared, 1)
    )
    words = read_typed(table, "words", list, ["Light", "Dark"])
    if len(words) != 2 or not all(isinstance(word, str) for word in words):
        raise GameError('words: invalid (expected two, such as ["White", "Black"])')
    tie = Tie(read_choice(table, "tie", [tie.value for tie in Tie], "dark"))
    game = _with_komi(table, Game(name, stages, tie, ColourNames(*words)))
    game.layouts  # noqa: B018 - refuses pieces that look alike now rather than at the first move
    return game


def _with_komi(table: TomlTable, game: Game) -> Game:
    """Return the game with its komi: fixed, or named by a player, which makes the swap of the first stage."""
    if table.get("komi") == CHOOSE:
        if game.swap is not None:
            raise conflict_error('komi = "choose"', "swap", "the choice of a colour is a swap")
        first = replace(game.stages[0], swap_after=0)
        return replace(game, stages=(first, *game.stages[1:]), komi_names=KOMI_NAMES)
    value = table.get("komi", 0)
    in_range = type(value) in (int, float) and abs(2 * value) <= MAX_KOMI  # false for nan
    if not in_range or 2 * value != int(2 * value):
        raise GameError(f'komi: invalid (expected whole or half points up to {MAX_KOMI // 2}, or "{CHOOSE}")')
    komi = int(2 * value)
    if "tie" in table and not any(stage.last_placement_bonus for stage in game.stages):
        check_tie_matters(game.tie_rule, komi, None)
    return replace(game, komi=komi)


def _swap_after(table: TomlTable) -> int | None:
    value = table.get("swap", False)
    if value is False or value is True:
        return 1 if value else None
    if type(value) is not int or value not in SWAP_PLIES:
        raise GameError("swap: invalid (expected true, false, or 1 or 3 moves after which it is offered)")
    return value


def _stage(table: object, name: str) -> Stage:
    if not isinstance(table, Mapping):
        raise GameError("stages: invalid (expected tables)")
    check_keys(table, _STAGE_KEYS, "a stage")
    try:
        board, symbols = _board(read_typed(table, "board", list))
        pieces, slots = _pieces(read_typed(table, "pieces", list))
        return Stage(
            name,
            board,
            pieces,
            slots,
            _COLOURS[read_choice(table, "first", list(_COLOURS), "light")],
            _scoring(read_typed(table, "score", dict, {})),
            constraints=_constraints(read_typed(table, "rules", dict, {}), board),
            tiebreak=tuple(_scoring(rule) for rule in read_typed(table, "tiebreak", list, [])),
            last_placement_bonus=round(2 * _number(table, "last-bonus")),
            swap_after=_swap_after(table),
            symbols=symbols,
        )
    except GameError:
        raise
    except ValueError as error:
        raise GameError(str(error)) from error


def _board(rows: Sequence[object]) -> tuple[Board, Symbols | None]:
    if not rows or not all(isinstance(row, str) and len(row) == len(str(rows[0])) for row in rows):
        raise GameError("board: invalid (expected rows of one length, top row first)")
    width = len(str(rows[0]))
    masks = dict.fromkeys(".#xo", 0)
    for up, row in enumerate(reversed(rows)):
        for column, mark in enumerate(str(row).lower()):
            if mark not in masks:
                raise GameError(
                    f"board: {mark!r} is not a mark (expected . a cell, # a hole, x and o symbols)"
                )
            masks[mark] |= 1 << (up * width + column)
    symbols = Symbols(masks["x"], masks["o"]) if masks["x"] or masks["o"] else None
    return Board(width, len(rows), masks["#"]), symbols


def _pieces(tables: Sequence[object]) -> tuple[tuple[Piece, ...], tuple[PieceStock, ...]]:
    pieces: list[Piece] = []
    slots: list[PieceStock] = []
    for table in tables:
        if not isinstance(table, Mapping):
            raise GameError("pieces: invalid (expected tables)")
        check_keys(table, {"kind", "shape", "count", "turn", "flip"}, "a piece")
        kind = read_typed(table, "kind", str)
        shape = read_typed(table, "shape", list)
        count = read_typed(table, "count", int)
        if not 0 <= count <= _MAX_SUPPLY:
            raise GameError(f"count={count}: invalid (expected 0 to {_MAX_SUPPLY} pieces)")
        squares = [
            ((column, up), mark)
            for up, row in enumerate(reversed(shape))
            for column, mark in enumerate(str(row).lower())
            if mark != " "
        ]
        if unknown := next((mark for _, mark in squares if mark not in "ld."), ""):
            raise GameError(f"piece {kind!r}: {unknown!r} in its shape (expected rows of l, d, . and blanks)")
        turn, flip = read_typed(table, "turn", bool, True), read_typed(table, "flip", bool, True)
        colours = "".join(mark for _, mark in squares)
        pieces.append(Piece(kind, tuple(square for square, _ in squares), colours, len(slots), turn, flip))
        slots.append(PieceStock(kind, f"{kind}-{colours}", count))
    return tuple(pieces), tuple(slots)


def _constraints(table: TomlTable, board: Board) -> tuple[PlacingRule, ...]:
    check_keys(table, PLACING_RULES, "rules")
    read = [rule.from_table(table[key], board) for key, rule in PLACING_RULES.items() if key in table]
    return tuple(rule for rule in read if rule is not None)


def _scoring(table: object) -> Scoring:
    if not isinstance(table, Mapping):
        raise GameError("score: invalid (expected a table)")
    is_form = any(key in table for key in ("ranks", "value", "fold"))
    default = DeclaredTally.key if is_form else LargestGroups.key
    rule = SCORING_RULES[read_choice(table, "rule", SCORING_RULES, default)]
    check_keys(table, _SCORE_KEYS.union(rule.options), "score")
    return rule.read(table)


def _number(table: TomlTable, key: str) -> float:
    value = table.get(key, 0)
    if type(value) in (int, float) and 0 <= value <= _MAX_POINTS and 2 * value == int(2 * value):
        return float(value)
    raise GameError(f"{key}: invalid (expected whole or half points from 0 to {_MAX_POINTS})")
