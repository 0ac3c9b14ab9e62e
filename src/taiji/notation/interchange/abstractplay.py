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

from taiji.notation.errors import NotationError, shown
from taiji.notation.interchange.abstractplay_tags import date_of, header_of, tags_of
from taiji.notation.interchange.abstractplay_variants import game_of, variants_of
from taiji.notation.interchange.courses import Found, Read, Referee, completed, judge, left_out
from taiji.notation.interchange.json_stream import json_objects
from taiji.notation.interchange.json_values import entries, field, optional, whole
from taiji.notation.interchange.refusals import (
    MISSING_FIELD,
    NOT_EXPRESSIBLE,
    UNREADABLE,
    WRONG_RESULT,
    Refused,
)
from taiji.notation.moves import format_move
from taiji.notation.records import Record, Result, Score, Step, Termination
from taiji.notation.replays import format_score
from taiji.rules import Game, Move, Placement, Seat

TIE_NOTE = (
    "equal scores, which AbstractPlay shares: by the rulebook they are Dark's win, and so it is recorded"
)
OWN = "taiji"
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
        raise Refused(NOT_EXPRESSIBLE, f"AbstractPlay has no word for {format_move(game, move)}")
    return format_move(game, move).replace("/", ",")


def read_abstractplay(stream: TextIO, referee: Referee = judge) -> Read:
    """Read records: one JSON object, a list of them, or one a line."""
    for item in json_objects(stream):
        if isinstance(item, NotationError):
            yield item
            continue
        line, text = item
        try:
            yield _found(json.loads(text), referee)
        except json.JSONDecodeError as error:
            yield Refused(UNREADABLE, f"not JSON: {error.msg}", line=line + error.lineno - 1)
        except RecursionError:
            yield Refused(UNREADABLE, "not JSON: nested too deep", line=line)
        except NotationError as error:
            yield error.at(line=line) if not isinstance(error, Refused) else _at(error, line)


def _at(error: Refused, line: int) -> Refused:
    return Refused(error.why, error.message, line=error.line or line, ply=error.ply)


def _found(value: object, referee: Referee) -> Found:
    header = field(value, "header", dict)
    about = field(header, "game", dict, "header.")
    names = [str(name) for name in optional(about, "variants", list, [], "header.game.")]
    game = game_of(field(about, "name", str, "header.game."), names)
    if header.get("pied") or header.get("pie-invoked"):
        raise Refused(UNREADABLE, "the pie rule was used, which this game does not have")
    players = entries(header, "players", 2, "header.")
    texts, ending = _moves(field(value, "moves", list))
    own = optional(header, OWN, dict, {}, "header.")
    record = Record(game, tuple(map(Step, texts)), tuple(tags_of(header, own).items()))
    course = referee(record)
    claims = [whole(player, "result", f"header.players[{n}].") for n, player in enumerate(players)]
    if ending is not None:
        record = completed(record, course)
        return Found(_ended(record, ending, claims, own, len(course.plies)), course)
    if course.outcome is None:
        raise Refused(WRONG_RESULT, "the moves stop before the end of the game", ply=len(course.plies))
    _check_scores(players, Score(*course.outcome.scores), len(course.plies))
    notes = _check_winner(claims, course.outcome.winner, Score(*course.outcome.scores), len(course.plies))
    return Found(completed(record, course), course, notes)


def _moves(rounds: list[Any]) -> tuple[list[str], Termination | None]:
    """Return the moves of all rounds, and what ended the game early where something did."""
    texts: list[str] = []
    for number, turns in enumerate(rounds, 1):
        if not isinstance(turns, list):
            raise Refused(UNREADABLE, f"round {number} is no list of moves")
        for turn in turns:
            text = turn.get("move") if isinstance(turn, dict) else turn
            if text is None and not isinstance(turn, dict):
                continue
            if not isinstance(text, str):
                raise Refused(MISSING_FIELD, f"round {number}: a move without its text", ply=len(texts) + 1)
            texts.append(text.strip().lower())
    ending = ENDINGS.get(texts[-1]) if texts else None
    if ending is not None:
        texts.pop()
    early = next((index for index, text in enumerate(texts) if text in ENDINGS), None)
    if early is not None:
        raise Refused(UNREADABLE, f"moves follow after {texts[early]}", ply=early + 1)
    return texts, ending


def _check_scores(players: list[dict[str, Any]], score: Score, plies: int) -> None:
    for number, (player, points) in enumerate(zip(players, score, strict=True)):
        said = player.get("score")
        if said is not None and said != points:
            where = f"header.players[{number}].score"
            raise Refused(
                WRONG_RESULT, f"{where} is {shown(str(said))}, by the rules it is {points}", ply=plies
            )


def _check_winner(claims: list[int], winner: Seat | None, score: Score, plies: int) -> tuple[str, ...]:
    """Hold the results against the rules; equal ones are how AbstractPlay says that the scores are equal."""
    said = None if claims[0] == claims[1] else Seat.FIRST if claims[0] > claims[1] else Seat.SECOND
    tied = score.light == score.dark
    if said is None and tied:
        return (TIE_NOTE,)
    if said is not winner:
        words = {None: "nobody", Seat.FIRST: "the first player", Seat.SECOND: "the second player"}
        right = f"{words[winner]}, {format_score(score)}"
        raise Refused(
            WRONG_RESULT, f"the record says that {words[said]} won, by the rules it is {right}", ply=plies
        )
    return ()


def _ended(record: Record, ending: Termination, claims: list[int], own: dict[str, Any], plies: int) -> Record:
    result = Result.DRAW if claims[0] == claims[1] else Result.LIGHT if claims[0] > claims[1] else Result.DARK
    if ending is Termination.ABANDONED and result is Result.DRAW:
        result = Result.OPEN
    if (result is Result.DRAW) != (ending is Termination.AGREED) and ending is not Termination.ABANDONED:
        raise Refused(WRONG_RESULT, f"{ending.value}, yet the results say {result.value}", ply=plies)
    try:
        ending = Termination(own.get("termination", ending))
        result = Result(own.get("result", result))
    except ValueError:
        raise Refused(UNREADABLE, f"header.{OWN} says how the game ended in words unknown here") from None
    return replace(record, result=result, termination=ending)


def abstractplay_record(found: Found, now: datetime) -> dict[str, Any]:
    """Return a game as an AbstractPlay game record; raise where that format cannot tell it."""
    record, course = found.record, found.course
    if record.start is not None:
        raise Refused(NOT_EXPRESSIBLE, "AbstractPlay's records begin at the start of the game")
    if course.outcome is None and record.termination is None:
        raise Refused(NOT_EXPRESSIBLE, "AbstractPlay keeps finished games only")
    header = header_of(record, variants_of(record.game), now)
    results = {Result.LIGHT: (1, 0), Result.DARK: (0, 1), Result.DRAW: (1, 1), Result.OPEN: (0, 0)}
    for player, result in zip(header["players"], results[record.result], strict=True):
        player["result"] = result
    for player, points in zip(header["players"], record.score or (), strict=False):
        player["score"] = points
    texts = [format_abstractplay_move(record.game, ply.move) for ply in course.plies]
    own = _own(record, header)
    if own:
        header[OWN] = own
    if record.termination is not None:
        words = {ending: word for word, ending in ENDINGS.items()}
        texts.append(words.get(record.termination, words[Termination.RESIGNED]))
    return {"header": header, "moves": [texts[at : at + 2] for at in range(0, len(texts), 2)]}


def _own(record: Record, header: dict[str, Any]) -> dict[str, Any]:
    """Return what a reader would not find in the header, so that nothing is lost on the way back."""
    tags, told = dict(record.tags), tags_of(header, {})
    names = [*tags, *(name for name in told if name not in tags)]
    differences = {name: tags.get(name) for name in names if tags.get(name) != told.get(name)}
    own: dict[str, Any] = {"tags": differences} if differences else {}
    if record.termination is Termination.FORFEIT:
        own["termination"] = record.termination.value
    if record.termination is Termination.ABANDONED and record.result is not Result.OPEN:
        own["result"] = record.result.value
    return own


def format_abstractplay(found: Found, now: Clock = lambda: datetime.now(UTC)) -> str:
    """Write a game as the text of an AbstractPlay game record."""
    return json.dumps(abstractplay_record(found, now()), ensure_ascii=False)


def lost_in_abstractplay(found: Found) -> tuple[str, ...]:
    """Say what of a game that format leaves out."""
    return left_out(found.record)


__all__ = ["date_of", "format_abstractplay", "format_abstractplay_move", "read_abstractplay"]
