"""Read AbstractPlay's game records and saved games.

A move there is `e4,e5`: light cell, then dark cell; `a1` is at the bottom left, as here. Equal scores are
a tie there; by the rulebook they are Dark's win, and that is what the imported record says.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TextIO

from taiji.notation.interchange.abstractplay_tags import EXTENSION_KEY, header_tags
from taiji.notation.interchange.abstractplay_variants import game_from_variants
from taiji.notation.interchange.errors import MISSING_FIELD, UNREADABLE, WRONG_RESULT, ConversionError
from taiji.notation.interchange.json_stream import json_objects, parse_json
from taiji.notation.interchange.json_values import int_field, object_list, optional_field, required_field
from taiji.notation.interchange.replayed import ImportedGame, ImportStream, fill_in_result
from taiji.notation.records import Record, RecordedMove, Result, Score, Termination
from taiji.notation.replays import ReplayedPlies, Replayer, format_score, replay_record, replay_with_rules
from taiji.rules import Game, Seat
from taiji.rules.errors import NotationError, excerpt

TIE_NOTE = "equal scores, a tie at AbstractPlay: recorded as Dark's win, as the rulebook says"

ENDINGS = {
    "resign": Termination.RESIGNED,
    "timeout": Termination.TIME,
    "draw": Termination.AGREED,
    "abandoned": Termination.ABANDONED,
}
"""Texts in place of the last move of a game that ended early."""


def read_abstractplay(stream: TextIO, replayer: Replayer = replay_with_rules) -> ImportStream:
    """Read game records or saved games: one JSON object, an array of them, or one per line."""
    for item in json_objects(stream):
        if isinstance(item, NotationError):
            yield item
            continue
        line, text = item
        try:
            value = parse_json(text, line)
            is_saved = isinstance(value, dict) and "stack" in value
            yield _import_saved_game(value, replayer) if is_saved else _import_record(value, replayer)
        except ConversionError as error:
            yield error.with_line(line)
        except NotationError as error:
            yield error.at(line=line)


def _import_record(value: object, replayer: Replayer) -> ImportedGame:
    header = required_field(value, "header", dict)
    about = required_field(header, "game", dict, "header.")
    game = _read_game(about, required_field(about, "name", str, "header.game."), "header.game.")
    if header.get("pied") or header.get("pie-invoked"):
        raise ConversionError(UNREADABLE, "the pie rule was used, which this game does not have")
    players = object_list(header, "players", 2, "header.")
    texts, ending = _collect_moves(required_field(value, "moves", list))
    extension = optional_field(header, EXTENSION_KEY, dict, {}, "header.")
    record = Record(game, tuple(map(RecordedMove, texts)), tuple(header_tags(header, extension).items()))
    replayed = replay_record(record, replayer)
    claimed = _claimed_result(
        *(int_field(player, "result", f"header.players[{n}].") for n, player in enumerate(players))
    )
    if ending is not None:
        record = _apply_ending(fill_in_result(record, replayed), ending, claimed, extension)
        return ImportedGame(record, replayed)
    if replayed.outcome is None:
        plies = len(replayed.plies)
        raise ConversionError(WRONG_RESULT, "the moves stop before the end of the game", ply=plies)
    _check_scores(players, Score(*replayed.outcome.scores), len(replayed.plies))
    return ImportedGame(fill_in_result(record, replayed), replayed, _check_winner(claimed, replayed))


def _import_saved_game(value: dict[str, Any], replayer: Replayer) -> ImportedGame:
    """Import a game as AbstractPlay saves it between moves: a stack of positions, each with its last move."""
    game = _read_game(value, required_field(value, "game", str))
    stack = required_field(value, "stack", list)
    if not all(isinstance(position, dict) for position in stack):
        raise ConversionError(UNREADABLE, "stack: invalid (expected objects)")
    texts, ending = _collect_moves([[required_field(position, "lastmove", str)] for position in stack[1:]])
    record = Record(game, tuple(map(RecordedMove, texts)))
    replayed = replay_record(record, replayer)
    record = fill_in_result(record, replayed)
    winners = optional_field(value, "winner", list, [])
    claimed = _claimed_result(int(1 in winners), int(2 in winners))
    is_over = optional_field(value, "gameover", bool, False)
    if is_over != (replayed.outcome is not None or ending is not None):
        problem = f"gameover is {str(is_over).lower()}, by the moves it is {str(not is_over).lower()}"
        raise ConversionError(WRONG_RESULT, problem, ply=len(replayed.plies))
    if ending is not None:
        return ImportedGame(_apply_ending(record, ending, claimed, {}), replayed)
    return ImportedGame(record, replayed, _check_winner(claimed, replayed) if is_over else ())


def _read_game(fields: dict[str, Any], name: str, where: str = "") -> Game:
    variants = optional_field(fields, "variants", list, [], where)
    return game_from_variants(name, [str(variant) for variant in variants])


def _collect_moves(rounds: list[Any]) -> tuple[list[str], Termination | None]:
    """Return the moves of all rounds, and the termination if the game ended early."""
    texts: list[str] = []
    for number, turns in enumerate(rounds, 1):
        if not isinstance(turns, list):
            raise ConversionError(UNREADABLE, f"round {number}: invalid (expected an array of moves)")
        for turn in turns:
            text = turn.get("move") if isinstance(turn, dict) else turn
            if text is None and not isinstance(turn, dict):
                continue
            if not isinstance(text, str):
                problem = f"round {number}: move without text"
                raise ConversionError(MISSING_FIELD, problem, ply=len(texts) + 1)
            texts.append(text.strip().lower())
    ending = ENDINGS.get(texts[-1]) if texts else None
    if ending is not None:
        texts.pop()
    early = next((index for index, text in enumerate(texts) if text in ENDINGS), None)
    if early is not None:
        raise ConversionError(UNREADABLE, f"moves after {texts[early]!r}", ply=early + 1)
    return texts, ending


def _claimed_result(first: int, second: int) -> Result:
    """Return the result that two players' points stand for; equal ones are a shared game."""
    if first == second:
        return Result.DRAW
    return Result.LIGHT if first > second else Result.DARK


def _check_scores(players: list[dict[str, Any]], score: Score, plies: int) -> None:
    for index, (player, points) in enumerate(zip(players, score, strict=True)):
        claimed = player.get("score")
        if claimed is not None and claimed != points:
            problem = f"header.players[{index}].score is {excerpt(str(claimed))}, by the rules it is {points}"
            raise ConversionError(WRONG_RESULT, problem, ply=plies)


def _check_winner(claimed: Result, replayed: ReplayedPlies) -> tuple[str, ...]:
    """Raise if the result contradicts the rules; return a note if it is a tie at AbstractPlay only."""
    assert replayed.outcome is not None
    score = Score(*replayed.outcome.scores)
    if claimed is Result.DRAW and score.light == score.dark:
        return (TIE_NOTE,)
    if claimed is not Result.of(replayed.outcome):
        names = {None: "nobody", Seat.FIRST: "the first player", Seat.SECOND: "the second player"}
        actual = f"{names[replayed.outcome.winner]}, {format_score(score)}"
        problem = f"the record says that {names[claimed.winner]} won, by the rules it is {actual}"
        raise ConversionError(WRONG_RESULT, problem, ply=len(replayed.plies))
    return ()


def _apply_ending(record: Record, ending: Termination, result: Result, extension: dict[str, Any]) -> Record:
    """Return the record with its termination and result; our extension of the header is more precise."""
    if ending is Termination.ABANDONED and result is Result.DRAW:
        result = Result.OPEN
    if (result is Result.DRAW) != (ending is Termination.AGREED) and ending is not Termination.ABANDONED:
        problem = f"{ending.value}, yet the results say {result.value}"
        raise ConversionError(WRONG_RESULT, problem, ply=len(record.steps))
    try:
        ending = Termination(extension.get("termination", ending))
        result = Result(extension.get("result", result))
    except ValueError:
        raise ConversionError(UNREADABLE, f"header.{EXTENSION_KEY}: unknown termination or result") from None
    return replace(record, result=result, termination=ending)
