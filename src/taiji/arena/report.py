"""The standings of a contest as a table for people and as JSON for scripts."""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING, Any

from taiji.arena.contest import Standings
from taiji.notation.wording import counted

if TYPE_CHECKING:
    from rich.table import Table


def signed(value: float) -> str:
    """Return a difference in Elo with its sign."""
    if isinf(value):
        return "+∞" if value > 0 else "−∞"
    return f"{value:+.0f}".replace("-", "−")


def to_dict(standings: Standings) -> dict[str, Any]:
    """Return the standings as JSON."""
    contest = standings.contest
    entries = contest.entries
    pairings = []
    for a in range(len(entries)):
        for b in range(a + 1, len(entries)):
            score = standings.pair_score(a, b)
            if not score.games:
                continue
            value, low, high = (None if isinf(x) else round(x, 1) for x in score.elo)
            pairings.append(
                {
                    "players": [entries[a], entries[b]],
                    "games": score.games,
                    "score": round(score.score, 4),
                    "score_95": [round(bound, 4) for bound in score.interval],
                    "elo": value,
                    "elo_95": [low, high],
                    "superiority": round(score.los, 4),
                }
            )
    ratings = [
        {
            "player": rating.player,
            "elo": round(rating.elo, 1),
            "error_95": round(rating.error_95, 1),
            "games": rating.games,
            "score": round(rating.score, 4),
        }
        for rating in standings.ratings()
    ]
    colours = {}
    for index, entry in enumerate(entries):
        (light, as_light), (dark, as_dark) = standings.by_colour(index)
        colours[entry] = {"light": [light, as_light], "dark": [dark, as_dark]}
    return {
        **contest.fingerprint(),
        "pairs": contest.pairs,
        "games": len(standings.results),
        "ratings": ratings,
        "pairings": pairings,
        "by_colour": colours,
        "forfeits": [{"game": r.key, "reason": r.reason} for r in standings.forfeits()],
        "sprt": None if contest.sprt is None else _sprt(standings),
    }


def _sprt(standings: Standings) -> dict[str, Any]:
    sprt = standings.contest.sprt
    assert sprt is not None
    verdict = {True: "accepted", False: "rejected", None: "open"}[standings.verdict()]
    llr = round(sprt.llr(standings.pair_score(0, 1)), 3)
    return {"bounds": [sprt.elo0, sprt.elo1], "ratio": llr, "limits": sprt.bounds, "verdict": verdict}


def crosstable(standings: Standings) -> Table:
    """Return the cross table, strongest first: the score of each row against each column."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    entries = standings.contest.entries
    order = [entries.index(rating.player) for rating in standings.ratings()]
    ratings = {rating.player: rating for rating in standings.ratings()}
    table = Table(
        title=f"{standings.contest.game} · {counted(len(standings.results), 'game')}",
        title_justify="left",
        box=SIMPLE_HEAD,
    )
    table.add_column("")
    table.add_column("player", overflow="fold", min_width=8)
    table.add_column("Elo", justify="right", no_wrap=True)
    table.add_column("± 95 %", justify="right", no_wrap=True)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("Light", justify="right", no_wrap=True)
    table.add_column("Dark", justify="right", no_wrap=True)
    for rank in range(1, len(order) + 1):
        table.add_column(str(rank), justify="right", no_wrap=True)
    for rank, index in enumerate(order, 1):
        rating = ratings[entries[index]]
        cells = [_percent(standings, index, other) for other in order]
        light, dark = standings.by_colour(index)
        table.add_row(
            str(rank),
            entries[index],
            signed(rating.elo),
            f"{rating.error_95:.0f}",
            f"{rating.score:.1%}",
            _share(*light),
            _share(*dark),
            *cells,
        )
    return table


def _share(points: float, games: int) -> str:
    return f"{points / games:.0%}" if games else ""


def _percent(standings: Standings, one: int, two: int) -> str:
    if one == two:
        return "·"
    score = standings.pair_score(one, two)
    if not score.games:
        return ""
    return f"{score.score:.0%}"


def summary(standings: Standings) -> list[str]:
    """Return one line per pairing: the score and the Elo difference with 95 % intervals."""
    entries = standings.contest.entries
    lines = []
    for a in range(len(entries)):
        for b in range(a + 1, len(entries)):
            score = standings.pair_score(a, b)
            if score.games:
                low, high = score.interval
                elo, elo_low, elo_high = (signed(x) for x in score.elo)
                lines.append(
                    f"{entries[a]} against {entries[b]}: {score.score:.1%} [{low:.1%}, {high:.1%}] "
                    f"of {counted(score.games, 'game')}, {elo} Elo [{elo_low}, {elo_high}]"
                )
    return lines
