"""A tournament as one self-contained HTML page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from taiji.arena.tournaments.tables import TextTable, cross_table, pairings_table, standings_table

if TYPE_CHECKING:
    from taiji.arena.tournaments.tournament import Tournament

_STYLE = """
body { font: 16px/1.45 Georgia, serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1 { font-weight: 500; } h2 { font-weight: 500; font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; } div { overflow-x: auto; }
th, td { text-align: left; padding: .25rem .7rem; border-bottom: 1px solid #ccc; white-space: nowrap; }
th { font-weight: 500; border-bottom-color: #222; }
section p { color: #555; font-size: .9rem; }
td:last-child { white-space: pre; } @media (max-width: 40rem) { th, td { padding: .25rem .35rem; } }
.n { text-align: right; font-variant-numeric: tabular-nums; }
@media print { body { margin: 0; } section { break-inside: avoid; } }
""".strip()


def as_html(tournament: Tournament) -> str:
    """Return a page with the standings, the cross table and every round."""
    settings = tournament.settings
    tables = [standings_table(tournament), cross_table(tournament)]
    tables += [pairings_table(tournament, round_no) for round_no in range(len(tournament.rounds), 0, -1)]
    games = "matches of two games" if settings.games == 2 else "single games"
    about = f"{settings.format.value.replace('-', ' ')}, {settings.game}, {games}"
    body = "\n".join(_table(table, settings.name) for table in tables)
    name = escape(settings.name)
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{name}</title>\n'
        f"<style>\n{_STYLE}\n</style>\n<h1>{name}</h1>\n<p>{escape(about)}</p>\n{body}\n</html>\n"
    )


def _table(table: TextTable, name: str) -> str:
    title = table.title.removeprefix(f"{name}: ")
    heads = "".join(
        f"<th{_kind(n)}>{escape(head)}</th>" for head, n in zip(table.columns, table.right, strict=True)
    )
    rows = "\n".join(
        "<tr>"
        + "".join(f"<td{_kind(n)}>{escape(cell)}</td>" for cell, n in zip(row, table.right, strict=True))
        + "</tr>"
        for row in table.rows
    )
    note = f"\n<p>{escape(table.note)}</p>" if table.note else ""
    return (
        f"<section><h2>{escape(title[:1].upper() + title[1:])}</h2>\n<div><table>\n"
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>{note}</section>"
    )


def _kind(right: bool) -> str:
    return ' class="n"' if right else ""
