"""What a tournament prints: pairings, standings and the cross table as rows of text."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from taiji.arena.tournaments.models import Format
from taiji.arena.tournaments.standings import RoundResult, Standing, standings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taiji.arena.tournaments.models import PairingResult
    from taiji.arena.tournaments.tournament import Tournament


BY_ROUND = "½ D4: half a point, Dark in game one, against number 4; (1): a point without playing"
"""How to read a cross table by rounds."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """A titled table; `right` tells which columns are numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]
    note: str = ""
    """What a reader has to know besides."""


def format_points(value: float) -> str:
    """Return points as people write them: 3, 3½, ½."""
    whole, half = divmod(value, 1)
    if half != 0.5:
        return f"{value:g}"
    return f"{whole:g}½" if whole else "½"


def signed(value: float) -> str:
    """Return a difference with its sign."""
    return f"{value:+g}".replace("-", "−") if value else "0"


def format_score(result: PairingResult | None) -> str:
    """Return a result as text, the first player's score first."""
    if result is None:
        return ""
    if not result.played:
        first, second = result.forfeits
        return f"{'−' if first else '+'}:{'−' if second else '+'}"
    games = "  ".join(f"{one:g}–{two:g}" for one, two in result.games)
    decision = f"({result.decision.value})" if result.decision else ""
    return " ".join(part for part in (games, decision) if part)


def pairings_table(tournament: Tournament, round_number: int | None = None) -> TextTable:
    """Return a round as it hangs on the wall, with the results that are in."""
    place = round_number or len(tournament.rounds)
    rows = []
    if place:
        tournament.pairing(place, 1)
        for table, pairing in enumerate(tournament.rounds[place - 1], 1):
            one = tournament.entrant(pairing.first).name
            if pairing.second is None:
                rows.append((str(table), one, "bye", format_points(pairing.bye), ""))
                continue
            result = tournament.results.get((place, table))
            points = ""
            if result is not None:
                points = ":".join(format_points(value) for value in tournament.points(place, table))
            rows.append(
                (str(table), one, tournament.entrant(pairing.second).name, points, format_score(result))
            )
    title = f"{tournament.settings.name}: round {place}"
    game = " in game 1" if tournament.settings.games == 2 else ""
    heads = ("table", f"Light{game}", f"Dark{game}", "points", "scores")
    return TextTable(title, heads, tuple(rows), (True, False, False, False, False))


def standings_table(tournament: Tournament) -> TextTable:
    """Return the standings with every tie-break."""
    rows = []
    for line in standings(tournament):
        direct = "" if line.direct is None else format_points(line.direct)
        rows.append(
            (
                str(line.rank),
                line.entrant.name + (" (withdrawn)" if line.entrant.withdrawn else ""),
                str(len(line.round_results)),
                format_points(line.points),
                signed(line.difference),
                f"{line.buchholz:g}",
                f"{line.sonneborn:g}",
                direct,
            )
        )
    played = len(tournament.rounds)
    total = tournament.total_rounds
    after = f"after round {played}" + (f" of {total}" if total else "") if played else "before round 1"
    if tournament.missing:
        count = len(tournament.missing)
        after += ", one result missing" if count == 1 else f", {count} results missing"
    # The last tie-break is mostly not needed: no empty column then.
    shown = 8 if any(row[-1] for row in rows) else 7
    return TextTable(
        f"{tournament.settings.name}: standings {after}",
        ("rank", "player", "rounds", "points", "difference", "Buchholz", "S-B", "direct")[:shown],
        tuple(row[:shown] for row in rows),
        (True, False, True, True, True, True, True, True)[:shown],
    )


def cross_table(tournament: Tournament) -> TextTable:
    """Return who did what against whom: by opponent where everybody meets everybody, else by round."""
    lines = standings(tournament)
    everybody = tournament.settings.format in (Format.ROUND_ROBIN, Format.DOUBLE_ROUND_ROBIN)
    if everybody:
        heads = [str(place) for place in range(1, len(lines) + 1)]
        cells = [[_against(line, other) for other in lines] for line in lines]
    else:
        places = {line.entrant.entrant_no: place for place, line in enumerate(lines, 1)}
        heads = [f"round {number}" for number in range(1, len(tournament.rounds) + 1)]
        cells = [_by_round(line, places, len(heads)) for line in lines]
    rows = tuple(
        (str(place), line.entrant.name, *row, format_points(line.points), signed(line.difference))
        for place, (line, row) in enumerate(zip(lines, cells, strict=True), 1)
    )
    return TextTable(
        f"{tournament.settings.name}: cross table",
        ("", "player", *heads, "points", "difference"),
        rows,
        (True, False, *[True] * len(heads), True, True),
        "" if everybody or not heads else BY_ROUND,
    )


def _against(line: Standing, other: Standing) -> str:
    if line.entrant == other.entrant:
        return "·"
    met = [bout for bout in line.round_results if bout.opponent == other.entrant.entrant_no]
    return " ".join(format_points(bout.points) for bout in met)


def _by_round(line: Standing, places: dict[int, int], count: int) -> list[str]:
    """Return a cell a round: the opponent's place, the points, and L or D for game one's colour."""
    cells = [""] * count
    for bout in line.round_results:
        cells[bout.round_no - 1] = _cell(bout, places)
    return cells


def _cell(bout: RoundResult, places: dict[int, int]) -> str:
    if bout.opponent is None:
        return f"({format_points(bout.points)})"
    return f"{format_points(bout.points)} {'L' if bout.first else 'D'}{places[bout.opponent]}"


def as_text(table: TextTable) -> str:
    """Return a table as lines of text under its title."""
    lines = [table.columns, *table.rows]
    widths = [max(_width(cell) for cell in column) for column in zip_longest(*lines, fillvalue="")]
    written = [_line(cells, widths, table.right) for cells in lines]
    rule = "─" * sum((*widths, 2 * len(widths) - 2))
    note = ["", table.note] if table.note else []
    return "\n".join([table.title, "", written[0], rule, *written[1:], *note])


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = []
    for cell, width, flush in zip(cells, widths, right, strict=True):
        space = " " * (width - _width(cell))
        padded.append(space + cell if flush else cell + space)
    return "  ".join(padded).rstrip()


def _width(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
