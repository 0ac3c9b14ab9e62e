"""Write games as AbstractPlay's game records."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from taiji.notation.interchange.abstractplay import ENDINGS
from taiji.notation.interchange.abstractplay_tags import EXTENSION_KEY, build_header, header_tags
from taiji.notation.interchange.abstractplay_variants import variant_names
from taiji.notation.interchange.errors import UNSUPPORTED, ConversionError
from taiji.notation.interchange.replayed import ImportedGame, describe_omissions
from taiji.notation.records import Record, Result, Termination
from taiji.rules import Game, Move, Placement

Clock = Callable[[], datetime]


def format_abstractplay_move(game: Game, move: Move) -> str:
    """Format a taijitu as AbstractPlay does: `e4,e5`, light cell first."""
    if not isinstance(move, Placement) or move.light.bit_count() != 1 or move.dark.bit_count() != 1:
        raise ConversionError(UNSUPPORTED, f"AbstractPlay has no notation for {move!s}")
    return str(move).replace("/", ",")


def abstractplay_record(imported: ImportedGame, now: datetime) -> dict[str, Any]:
    """Return a game as an AbstractPlay game record; raise `ConversionError` if the format cannot hold it."""
    record, replayed = imported.record, imported.replayed
    if record.start is not None:
        raise ConversionError(UNSUPPORTED, "AbstractPlay's records start at the beginning of the game")
    if replayed.outcome is None and record.termination is None:
        raise ConversionError(UNSUPPORTED, "AbstractPlay's records are of finished games only")
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
    return {"header": header, "moves": [texts[index : index + 2] for index in range(0, len(texts), 2)]}


def _extension_fields(record: Record, header: dict[str, Any]) -> dict[str, Any]:
    """Return what a reader would not find in the header, so that a round trip loses nothing."""
    tags, readable = dict(record.tags), header_tags(header, {})
    names = [*tags, *(name for name in readable if name not in tags)]
    differences = {name: tags.get(name) for name in names if tags.get(name) != readable.get(name)}
    extension: dict[str, Any] = {"tags": differences} if differences else {}
    if record.termination is Termination.FORFEIT:
        extension["termination"] = record.termination.value
    if record.termination is Termination.ABANDONED and record.result is not Result.OPEN:
        extension["result"] = record.result.value
    return extension


def format_abstractplay(imported: ImportedGame, now: Clock = lambda: datetime.now(UTC)) -> str:
    """Format a game as the JSON text of an AbstractPlay game record."""
    return json.dumps(abstractplay_record(imported, now()), ensure_ascii=False)


def omitted_from_abstractplay(imported: ImportedGame) -> tuple[str, ...]:
    """Return notes on what the format leaves out of a game."""
    return describe_omissions(imported.record)
