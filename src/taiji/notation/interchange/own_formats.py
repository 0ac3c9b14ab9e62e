"""Our own records, text and JSON lines, as formats among the others."""

from __future__ import annotations

import json
from typing import TextIO

from taiji.notation.errors import NotationError
from taiji.notation.interchange.courses import Found, Read, Referee, checked_by, judge
from taiji.notation.interchange.refusals import UNREADABLE, Refused
from taiji.notation.record_json import record_from_json, record_to_json
from taiji.notation.record_reader import RecordReader
from taiji.notation.record_writer import format_record
from taiji.notation.records import Record
from taiji.notation.replays import checked


def read_records_checked(stream: TextIO, referee: Referee = judge) -> Read:
    """Read `.tji` records; a result that the rules deny is refused, as an illegal move is."""
    reader = RecordReader(stream, check=False)
    while True:
        try:
            record = next(reader)
        except StopIteration:
            return
        except NotationError as error:
            yield error
        else:
            yield _judged(record, referee)


def read_json_lines(stream: TextIO, referee: Referee = judge) -> Read:
    """Read records as `record_to_json` makes them, one a line."""
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            record = record_from_json(json.loads(line), check=False)
        except json.JSONDecodeError as error:
            yield Refused(UNREADABLE, f"not JSON: {error.msg}", line=number)
        except RecursionError:
            yield Refused(UNREADABLE, "not JSON: nested too deep", line=number)
        except NotationError as error:
            yield error.at(line=number)
        else:
            yield _judged(record, referee, number)


def _judged(record: Record, referee: Referee, line: int | None = None) -> Found | NotationError:
    try:
        if any(step.variations for step in record.steps):
            record = checked(record)
        return checked_by(referee, record)
    except Refused as error:
        return Refused(error.why, error.message, line=error.line or line, ply=error.ply)
    except NotationError as error:
        return error if error.line or line is None else error.at(line=line)


def format_own(found: Found) -> str:
    """Write a game as a `.tji` record."""
    return format_record(found.record)


def format_json_line(found: Found) -> str:
    """Write a game as one line of JSON."""
    return json.dumps(record_to_json(found.record), ensure_ascii=False)
