"""Convert between the header of an AbstractPlay record and the tags of ours."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from taiji.notation.interchange.errors import UNREADABLE, ConversionError
from taiji.notation.records import Record, canonical_tag_name, collapse_whitespace

EXTENSION_KEY = "taiji"
"""Key of a header that holds what the format has no place for; other readers ignore it."""
DEFAULT_SITE = "taiji"
UNKNOWN_PLAYER = "?"
PROGRAM = "program"
GAME_ID = "GameId"
_SEATS = ("Light", "Dark")
_DAY = re.compile(r"(\d{4})\D(\d\d)\D(\d\d)")


def day_tag(text: str) -> str | None:
    """Return the day of a timestamp as tags write it, `2026.11.15`; None if it does not start with a day."""
    match = _DAY.match(text)
    return ".".join(match.groups()) if match else None


def header_tags(header: dict[str, Any], extension: dict[str, Any]) -> dict[str, str]:
    """Return the tags of a header; those in our extension of the header override the others."""
    raw_site = header.get("site")
    site: dict[str, Any] = raw_site if isinstance(raw_site, dict) else {}
    values = {
        "Event": header.get("event"),
        "Round": header.get("round"),
        "Site": site.get("name"),
        GAME_ID: site.get("gameid"),
        "Date": day_tag(str(header.get("date-start", ""))),
    }
    for seat, player in zip(_SEATS, header["players"], strict=True):
        values[seat] = player.get("name")
        values[f"{seat}Id"] = player.get("userid")
        values[f"{seat}Type"] = PROGRAM if player.get("is_ai") is True else None
    extension_tags = extension.get("tags", {})
    if not isinstance(extension_tags, dict) or not all(
        v is None or isinstance(v, str) for v in extension_tags.values()
    ):
        raise ConversionError(UNREADABLE, f"header.{EXTENSION_KEY}.tags: invalid (expected strings)")
    known: dict[str, str | None] = {
        name: collapse_whitespace(str(value)) for name, value in values.items() if value not in (None, "")
    }
    known |= {canonical_tag_name(name): value for name, value in extension_tags.items()}
    return {name: value for name, value in known.items() if value is not None}


def build_header(record: Record, variants: list[str], now: datetime) -> dict[str, Any]:
    """Return the header of a record; a missing date becomes that of the export, as one is required."""
    generated = _timestamp(now)
    day = day_tag(record.tag("Date"))
    played = f"{day.replace('.', '-')}T00:00:00.000Z" if day else generated
    header: dict[str, Any] = {"game": {"name": "Taiji", **({"variants": variants} if variants else {})}}
    for name in ("Event", "Round"):
        if record.tag(name):
            header[name.lower()] = record.tag(name)
    header["site"] = {"name": record.tag("Site") or DEFAULT_SITE}
    if record.tag(GAME_ID):
        header["site"]["gameid"] = record.tag(GAME_ID)
    header |= {"date-start": played, "date-end": played, "date-generated": generated}
    header["players"] = [_player(record, seat) for seat in _SEATS]
    return header


def _player(record: Record, seat: str) -> dict[str, Any]:
    player: dict[str, Any] = {"name": record.tag(seat) or UNKNOWN_PLAYER}
    if record.tag(f"{seat}Id"):
        player["userid"] = record.tag(f"{seat}Id")
    if record.tag(f"{seat}Type") == PROGRAM:
        player["is_ai"] = True
    return player


def _timestamp(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03}Z"
