"""Pairings, standings and cross table of a tournament as rows of text."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from taiji.arena.tournaments.models import EarlyEnd, Format
from taiji.arena.tournaments.standings import RoundResult, Standing, standings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taiji.arena.tournaments.models import PairingResult
    from taiji.arena.tournaments.tournament import Tournament


BY_ROUND = "½ D4: half a point, Dark in game one, against number 4; (1): a point without playing"
"""The legend of a cross table by rounds."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table with a title; `right` marks right-aligned columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]
    note: str = ""
    """A legend below the table."""


def format_points(value: float) -> str:
    """Return points with halves as fractions: 3, 3½, ½."""
    whole, half = divmod(value, 1)
    if half != 0.5:
        return f"{value:g}"
    return f"{whole:g}½" if whole else "½"


def signed(value: float) -> str:
    """Return a difference with its sign."""
    return f"{value:+g}".replace("-", "−") if value else "0"


def format_score(result: PairingResult | None) -> str:
    """Return a result, the first player's score first."""
    if result is None:
        return ""
    if not result.played:
        first, second = result.forfeits
        return f"{'−' if first else '+'}:{'−' if second else '+'}"
    games = "  ".join(f"{one:g}–{two:g}" for one, two in result.games)
    how = {EarlyEnd.RESIGNATION: ", resignation", EarlyEnd.TIME: ", on time", None: ""}[result.ended_by]
    decision = f"({result.decision.value}{how})" if result.decision else ""
    return " ".join(part for part in (games, decision) if part)


def pairings_table(tournament: Tournament, round_number: int | None = None) -> TextTable:
    """Return the pairings of a round, the last by default, with the results so far."""
    round_no = round_number or len(tournament.rounds)
    rows = []
    if round_no:
        tournament.pairing(round_no, 1)
        for board_no, pairing in enumerate(tournament.rounds[round_no - 1], 1):
            one = tournament.entrant(pairing.first).name
            if pairing.second is None:
                rows.append((str(board_no), one, "bye", format_points(pairing.bye), ""))
                continue
            result = tournament.results.get((round_no, board_no))
            points = ""
            if result is not None:
                points = ":".join(format_points(value) for value in tournament.points(round_no, board_no))
            rows.append(
                (str(board_no), one, tournament.entrant(pairing.second).name, points, format_score(result))
            )
    title = f"{tournament.settings.name}: round {round_no}"
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
    # Leave out the last tie-break if it decided nothing.
    shown = 8 if any(row[-1] for row in rows) else 7
    return TextTable(
        f"{tournament.settings.name}: standings {after}",
        ("rank", "player", "rounds", "points", "difference", "Buchholz", "S-B", "direct")[:shown],
        tuple(row[:shown] for row in rows),
        (True, False, True, True, True, True, True, True)[:shown],
    )


def cross_table(tournament: Tournament) -> TextTable:
    """Return the cross table: by opponent for round robins, else by round."""
    lines = standings(tournament)
    everybody = tournament.settings.format in (Format.ROUND_ROBIN, Format.DOUBLE_ROUND_ROBIN)
    if everybody:
        heads = [str(rank) for rank in range(1, len(lines) + 1)]
        cells = [[_against(line, other) for other in lines] for line in lines]
    else:
        ranks = {line.entrant.entrant_no: rank for rank, line in enumerate(lines, 1)}
        heads = [f"round {round_no}" for round_no in range(1, len(tournament.rounds) + 1)]
        cells = [_by_round(line, ranks, len(heads)) for line in lines]
    rows = tuple(
        (str(rank), line.entrant.name, *row, format_points(line.points), signed(line.difference))
        for rank, (line, row) in enumerate(zip(lines, cells, strict=True), 1)
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
    met = [result for result in line.round_results if result.opponent == other.entrant.entrant_no]
    return " ".join(format_points(result.points) for result in met)


def _by_round(line: Standing, ranks: dict[int, int], count: int) -> list[str]:
    """Return one cell per round: points, L or D for the colour in game one, and the opponent's rank."""
    cells = [""] * count
    for result in line.round_results:
        cells[result.round_no - 1] = _cell(result, ranks)
    return cells


def _cell(result: RoundResult, ranks: dict[int, int]) -> str:
    if result.opponent is None:
        return f"({format_points(result.points)})"
    return f"{format_points(result.points)} {'L' if result.first else 'D'}{ranks[result.opponent]}"


def as_text(table: TextTable) -> str:
    """Return a table as aligned text."""
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
