"""Tournaments as CSV, one row per pairing, for spreadsheets; it can be imported again."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from taiji.arena.tournaments.events import Created, Entered, Event, Paired, ResultEntered
from taiji.arena.tournaments.models import (
    Adjudication,
    Pairing,
    PairingResult,
    Points,
    TournamentError,
    TournamentSettings,
)
from taiji.arena.tournaments.standings import standings

if TYPE_CHECKING:
    from taiji.arena.tournaments.tournament import Tournament

COLUMNS = (
    "round",
    "table",
    "first",
    "second",
    "points_first",
    "points_second",
    "scores",
    "decision",
    "absent",
)
_CSV_ESCAPE = "'"
"""Prefix of a name that a spreadsheet would take for a formula."""


def pairings_csv(tournament: Tournament) -> str:
    """Return every pairing with its result; the first player's score comes first."""
    rows = []
    for round_no, pairings in enumerate(tournament.rounds, 1):
        for board_no, pairing in enumerate(pairings, 1):
            first = tournament.entrant(pairing.first).name
            points = tournament.points(round_no, board_no)
            if pairing.second is None:
                rows.append(
                    [round_no, board_no, _escape_name(first), "", f"{pairing.bye:g}", "", "", "bye", ""]
                )
                continue
            second = tournament.entrant(pairing.second).name
            result = tournament.results.get((round_no, board_no))
            cells = ["", "", "", "", ""] if result is None else _result_cells(points, result)
            rows.append([round_no, board_no, _escape_name(first), _escape_name(second), *cells])
    return _to_csv(COLUMNS, rows)


def _result_cells(points: tuple[float, float], result: PairingResult) -> list[str]:
    scores = " ".join(f"{one:g}-{two:g}" for one, two in result.games)
    decision = result.decision.value if result.decision else ""
    absent = {(True, False): "first", (False, True): "second", (True, True): "both"}.get(result.forfeits, "")
    return [f"{points[0]:g}", f"{points[1]:g}", scores, decision, absent]


def standings_csv(tournament: Tournament) -> str:
    """Return the standings with every tie-break."""
    heads = ("rank", "player", "rating", "points", "difference", "buchholz", "sonneborn_berger", "direct")
    rows = [
        [
            line.rank,
            _escape_name(line.entrant.name),
            line.entrant.rating,
            f"{line.points:g}",
            f"{line.difference:g}",
            f"{line.buchholz:g}",
            f"{line.sonneborn:g}",
            "" if line.direct is None else f"{line.direct:g}",
        ]
        for line in standings(tournament)
    ]
    return _to_csv(heads, rows)


def _to_csv(heads: tuple[str, ...], rows: list[list[object]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(rows)
    return stream.getvalue()


def _escape_name(name: str) -> str:
    return _CSV_ESCAPE + name if name[:1] in "=+-@" else name


def _unescape_name(cell: str) -> str:
    return cell[1:] if cell[:1] == _CSV_ESCAPE and cell[1:2] in ("=", "+", "-", "@") else cell


def events_from_csv(text: str, settings: TournamentSettings) -> list[Event]:
    """Return the events of the tournament in a CSV file of pairings."""
    try:
        return _events(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))), settings)
    except csv.Error as error:
        raise TournamentError(f"not a CSV file of pairings: {error}") from error


def _round_number(text: str) -> int:
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) < 4):
        raise TournamentError(f"round {text[:20]!r}: invalid (expected a number such as 1)")
    return int(digits)


def _events(reader: csv.DictReader[str], settings: TournamentSettings) -> list[Event]:
    missing = {"round", "first", "second"} - set(reader.fieldnames or ())
    if missing:
        raise TournamentError(f"the CSV file has no column {', '.join(sorted(missing))}")
    names: dict[str, int] = {}
    rounds: dict[int, list[tuple[Pairing, PairingResult | None]]] = {}
    for row in reader:
        try:
            round_no = _round_number(row["round"] or "")
            rounds.setdefault(round_no, []).append(_pairing(row, names))
        except (ValueError, TypeError, KeyError) as error:
            raise TournamentError(f"CSV line {reader.line_num}: {error}") from error
    if sorted(rounds) != list(range(1, len(rounds) + 1)):
        raise TournamentError("the rounds of the CSV file are not numbered from 1")
    events: list[Event] = [Created(settings), *(Entered(name) for name in names)]
    for round_no in sorted(rounds):
        events.append(Paired(tuple(pairing for pairing, _ in rounds[round_no])))
        events += [
            ResultEntered(round_no, board_no, result)
            for board_no, (_, result) in enumerate(rounds[round_no], 1)
            if result
        ]
    return events


def _pairing(row: dict[str, str], names: dict[str, int]) -> tuple[Pairing, PairingResult | None]:
    one, two = (_unescape_name((row[key] or "").strip()) for key in ("first", "second"))
    first = names.setdefault(one, len(names) + 1)
    if not two:
        return Pairing(first, None, float(row.get("points_first") or 1)), None
    pairing = Pairing(first, names.setdefault(two, len(names) + 1))
    games = tuple(parse_score(text) for text in (row.get("scores") or "").split())
    decision = Adjudication(row["decision"]) if row.get("decision") else None
    absent = row.get("absent") or ""
    if absent:
        return pairing, PairingResult(forfeits=(absent in ("first", "both"), absent in ("second", "both")))
    if not games and decision is None:
        if not row.get("points_first"):
            return pairing, None
        points = float(row["points_first"])
        decision = {1.0: Adjudication.FIRST, 0.5: Adjudication.DRAW, 0.0: Adjudication.SECOND}[points]
    return pairing, PairingResult(games, decision)


def parse_score(text: str) -> tuple[Points, Points]:
    """Parse a score such as `21-19` or `20.5:20`."""
    one, _, two = text.replace(":", "-").replace("–", "-").partition("-")
    try:
        return _points(one), _points(two)
    except ValueError:
        raise TournamentError(f"invalid score {text!r} (expected 21-19)") from None


def _points(text: str) -> Points:
    if not text.replace(".", "", 1).isdecimal() or len(text) > 12:
        raise ValueError(text)
    value = float(text)
    return int(value) if value == int(value) else value
