"""AbstractPlay: its notation of moves, and game records as JSON, read and written.

A move there is `e4,e5`: the cell of the light square, then that of the dark one; `a1` is bottom left, as
here. Equal scores are shared there; by the rulebook they are Dark's win, and so it stays here.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TextIO

from taiji.notation.errors import NotationError, excerpt
from taiji.notation.interchange.abstractplay_tags import build_header, day_tag, header_tags
from taiji.notation.interchange.abstractplay_variants import game_from_variants, variant_names
from taiji.notation.interchange.errors import (
    MISSING_FIELD,
    UNREADABLE,
    UNSUPPORTED,
    WRONG_RESULT,
    ConversionError,
)
from taiji.notation.interchange.json_stream import json_objects
from taiji.notation.interchange.json_values import int_field, object_list, optional_field, required_field
from taiji.notation.interchange.replayed import (
    ImportedGame,
    ImportStream,
    Replayer,
    describe_omissions,
    fill_in_result,
    replay_with_rules,
)
from taiji.notation.moves import format_move
from taiji.notation.records import Record, RecordedMove, Result, Score, Termination
from taiji.notation.replays import format_score
from taiji.rules import Game, Move, Placement, Seat

TIE_NOTE = (
    "equal scores, which AbstractPlay shares: by the rulebook they are Dark's win, and so it is recorded"
)
EXTENSION_KEY = "taiji"
"""Where in a header we keep what the format has no place for; readers pass over what they do not know."""

ENDINGS = {
    "resign": Termination.RESIGNED,
    "timeout": Termination.TIME,
    "draw": Termination.AGREED,
    "abandoned": Termination.ABANDONED,
}
"""What stands in the place of a last move when a game ended early."""

Clock = Callable[[], datetime]


def format_abstractplay_move(game: Game, move: Move) -> str:
    """Write a taijitu as AbstractPlay does: `e4,e5`, light first."""
    if not isinstance(move, Placement) or move.light.bit_count() != 1 or move.dark.bit_count() != 1:
        raise ConversionError(UNSUPPORTED, f"AbstractPlay has no word for {format_move(game, move)}")
    return format_move(game, move).replace("/", ",")


def read_abstractplay(stream: TextIO, replayer: Replayer = replay_with_rules) -> ImportStream:
    """Read records: one JSON object, a list of them, or one a line."""
    for item in json_objects(stream):
        if isinstance(item, NotationError):
            yield item
            continue
        line, text = item
        try:
            yield _import_record(json.loads(text), replayer)
        except json.JSONDecodeError as error:
            yield ConversionError(UNREADABLE, f"not JSON: {error.msg}", line=line + error.lineno - 1)
        except RecursionError:
            yield ConversionError(UNREADABLE, "not JSON: nested too deep", line=line)
        except NotationError as error:
            yield error.at(line=line) if not isinstance(error, ConversionError) else _with_line(error, line)


def _with_line(error: ConversionError, line: int) -> ConversionError:
    return ConversionError(error.category, error.message, line=error.line or line, ply=error.ply)


def _import_record(value: object, replayer: Replayer) -> ImportedGame:
    header = required_field(value, "header", dict)
    about = required_field(header, "game", dict, "header.")
    names = [str(name) for name in optional_field(about, "variants", list, [], "header.game.")]
    game = game_from_variants(required_field(about, "name", str, "header.game."), names)
    if header.get("pied") or header.get("pie-invoked"):
        raise ConversionError(UNREADABLE, "the pie rule was used, which this game does not have")
    players = object_list(header, "players", 2, "header.")
    texts, ending = _collect_moves(required_field(value, "moves", list))
    extension = optional_field(header, EXTENSION_KEY, dict, {}, "header.")
    record = Record(game, tuple(map(RecordedMove, texts)), tuple(header_tags(header, extension).items()))
    replayed = replayer(record)
    claimed_results = [
        int_field(player, "result", f"header.players[{n}].") for n, player in enumerate(players)
    ]
    if ending is not None:
        record = fill_in_result(record, replayed)
        return ImportedGame(
            _apply_ending(record, ending, claimed_results, extension, len(replayed.plies)), replayed
        )
    if replayed.outcome is None:
        raise ConversionError(
            WRONG_RESULT, "the moves stop before the end of the game", ply=len(replayed.plies)
        )
    _check_scores(players, Score(*replayed.outcome.scores), len(replayed.plies))
    notes = _check_winner(
        claimed_results, replayed.outcome.winner, Score(*replayed.outcome.scores), len(replayed.plies)
    )
    return ImportedGame(fill_in_result(record, replayed), replayed, notes)


def _collect_moves(rounds: list[Any]) -> tuple[list[str], Termination | None]:
    """Return the moves of all rounds, and what ended the game early where something did."""
    texts: list[str] = []
    for number, turns in enumerate(rounds, 1):
        if not isinstance(turns, list):
            raise ConversionError(UNREADABLE, f"round {number} is no list of moves")
        for turn in turns:
            text = turn.get("move") if isinstance(turn, dict) else turn
            if text is None and not isinstance(turn, dict):
                continue
            if not isinstance(text, str):
                raise ConversionError(
                    MISSING_FIELD, f"round {number}: a move without its text", ply=len(texts) + 1
                )
            texts.append(text.strip().lower())
    ending = ENDINGS.get(texts[-1]) if texts else None
    if ending is not None:
        texts.pop()
    early = next((index for index, text in enumerate(texts) if text in ENDINGS), None)
    if early is not None:
        raise ConversionError(UNREADABLE, f"moves follow after {texts[early]}", ply=early + 1)
    return texts, ending


def _check_scores(players: list[dict[str, Any]], score: Score, plies: int) -> None:
    for number, (player, points) in enumerate(zip(players, score, strict=True)):
        claimed = player.get("score")
        if claimed is not None and claimed != points:
            where = f"header.players[{number}].score"
            raise ConversionError(
                WRONG_RESULT, f"{where} is {excerpt(str(claimed))}, by the rules it is {points}", ply=plies
            )


def _check_winner(
    claimed_results: list[int], winner: Seat | None, score: Score, plies: int
) -> tuple[str, ...]:
    """Hold the results against the rules; equal ones are how AbstractPlay says that the scores are equal."""
    claimed = (
        None
        if claimed_results[0] == claimed_results[1]
        else Seat.FIRST
        if claimed_results[0] > claimed_results[1]
        else Seat.SECOND
    )
    tied = score.light == score.dark
    if claimed is None and tied:
        return (TIE_NOTE,)
    if claimed is not winner:
        words = {None: "nobody", Seat.FIRST: "the first player", Seat.SECOND: "the second player"}
        right = f"{words[winner]}, {format_score(score)}"
        raise ConversionError(
            WRONG_RESULT, f"the record says that {words[claimed]} won, by the rules it is {right}", ply=plies
        )
    return ()


def _apply_ending(
    record: Record, ending: Termination, claimed_results: list[int], extension: dict[str, Any], plies: int
) -> Record:
    result = (
        Result.DRAW
        if claimed_results[0] == claimed_results[1]
        else Result.LIGHT
        if claimed_results[0] > claimed_results[1]
        else Result.DARK
    )
    if ending is Termination.ABANDONED and result is Result.DRAW:
        result = Result.OPEN
    if (result is Result.DRAW) != (ending is Termination.AGREED) and ending is not Termination.ABANDONED:
        raise ConversionError(WRONG_RESULT, f"{ending.value}, yet the results say {result.value}", ply=plies)
    try:
        ending = Termination(extension.get("termination", ending))
        result = Result(extension.get("result", result))
    except ValueError:
        raise ConversionError(
            UNREADABLE, f"header.{EXTENSION_KEY} says how the game ended in words unknown here"
        ) from None
    return replace(record, result=result, termination=ending)


def abstractplay_record(imported: ImportedGame, now: datetime) -> dict[str, Any]:
    """Return a game as an AbstractPlay game record; raise where that format cannot tell it."""
    record, replayed = imported.record, imported.replayed
    if record.start is not None:
        raise ConversionError(UNSUPPORTED, "AbstractPlay's records begin at the start of the game")
    if replayed.outcome is None and record.termination is None:
        raise ConversionError(UNSUPPORTED, "AbstractPlay keeps finished games only")
    header = build_header(record, variant_names(record.game), now)
    results = {Result.LIGHT: (1, 0), Result.DARK: (0, 1), Result.DRAW: (1, 1), Result.OPEN: (0, 0)}
    for player, result in zip(header["players"], results[record.result], strict=True):
        player["result"] = result
    for player, points in zip(header["players"], record.score or (), strict=False):
        player["score"] = points
    texts = [format_abstractplay_move(record.game, ply.move) for ply in replayed.plies]
    extension = _extension_fields(record, header)
    if extension:
        header[EXTENSION_KEY] = extension
    if record.termination is not None:
        words = {ending: word for word, ending in ENDINGS.items()}
        texts.append(words.get(record.termination, words[Termination.RESIGNED]))
    return {"header": header, "moves": [texts[at : at + 2] for at in range(0, len(texts), 2)]}


def _extension_fields(record: Record, header: dict[str, Any]) -> dict[str, Any]:
    """Return what a reader would not find in the header, so that nothing is lost on the way back."""
    tags, told = dict(record.tags), header_tags(header, {})
    names = [*tags, *(name for name in told if name not in tags)]
    differences = {name: tags.get(name) for name in names if tags.get(name) != told.get(name)}
    extension: dict[str, Any] = {"tags": differences} if differences else {}
    if record.termination is Termination.FORFEIT:
        extension["termination"] = record.termination.value
    if record.termination is Termination.ABANDONED and record.result is not Result.OPEN:
        extension["result"] = record.result.value
    return extension


def format_abstractplay(imported: ImportedGame, now: Clock = lambda: datetime.now(UTC)) -> str:
    """Write a game as the text of an AbstractPlay game record."""
    return json.dumps(abstractplay_record(imported, now()), ensure_ascii=False)


def omitted_from_abstractplay(imported: ImportedGame) -> tuple[str, ...]:
    """Say what of a game that format leaves out."""
    return describe_omissions(imported.record)


__all__ = ["day_tag", "format_abstractplay", "format_abstractplay_move", "read_abstractplay"]
