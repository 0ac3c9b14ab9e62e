"""Exports: they say what the tournament says, and TRF16 and CSV read back."""

import random
from collections import Counter

import pytest

from taiji.arena.tournaments import Format, Tournament, TournamentError, TournamentSettings, standings
from taiji.arena.tournaments.csv_io import events_from_csv, pairings_csv, parse_score
from taiji.arena.tournaments.html import as_html
from taiji.arena.tournaments.tables import as_text, cross_table, standings_table
from taiji.arena.tournaments.trf import as_trf, events_from_trf, rank_changes
from tests.arena.tournaments.helpers import simulated


@pytest.fixture(scope="module")
def swiss():
    return simulated(Format.SWISS, 9, random.Random(5), rounds=4)


def table(tournament):
    return [(line.entrant.name, line.points, line.buchholz) for line in standings(tournament)]


def test_trf_reads_back(swiss):
    again = Tournament.of(events_from_trf(as_trf(swiss)))
    assert sorted((n, p) for n, p, _ in table(again)) == sorted((n, p) for n, p, _ in table(swiss))
    assert as_trf(again).splitlines()[:4] == as_trf(swiss).splitlines()[:4]
    meetings = [{again.entrant(n).name for n in p.players} for r in again.rounds for p in r]
    before = [{swiss.entrant(n).name for n in p.players} for r in swiss.rounds for p in r]
    assert sorted(map(sorted, meetings)) == sorted(map(sorted, before))


def test_trf_keeps_the_ranks_or_says_whose_are_lost(swiss):
    text = as_trf(swiss)
    again = Tournament.of(events_from_trf(text))
    before, after = ({line.entrant.name: line.rank for line in standings(each)} for each in (swiss, again))
    moved = [name for name in after if after[name] != before[name]]
    assert moved, "scores decided between players with equal points"
    assert rank_changes(text, again) == moved
    assert rank_changes(as_trf(again), again) == []


def test_trf_is_what_the_pairing_library_reads(swiss, tmp_path):
    from py4swiss.trf import TrfParser

    path = tmp_path / "swiss.trf"
    path.write_text(as_trf(swiss))
    parsed = TrfParser.parse(path, strict=True)
    points = {section.name: section.points_times_ten / 10 for section in parsed.player_sections}
    assert points == {line.entrant.name: line.points for line in standings(swiss)}


def test_csv_reads_back_with_every_score(swiss):
    settings = TournamentSettings("simulated", Format.SWISS, "taiji:size=7", rounds=4)
    again = Tournament.of(events_from_csv(pairings_csv(swiss), settings))
    assert sorted(table(again)) == sorted(table(swiss))
    assert pairings_csv(again) == pairings_csv(swiss)


def test_a_name_is_no_formula():
    events = events_from_csv(
        "round,table,first,second\n1,1,'=1+1,b\n", TournamentSettings("x", Format.SWISS, "taiji")
    )
    tournament = Tournament.of(events)
    assert tournament.entrants[0].name == "=1+1"
    assert "'=1+1" in pairings_csv(tournament)


def test_the_tables_name_everybody(swiss):
    for shown in (as_text(standings_table(swiss)), as_text(cross_table(swiss)), as_html(swiss)):
        assert all(entrant.name in shown for entrant in swiss.entrants)


def test_html_escapes_names():
    events = events_from_csv(
        "round,table,first,second\n1,1,<b>,c&d\n", TournamentSettings("<i>", Format.SWISS, "taiji")
    )
    page = as_html(Tournament.of(events))
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "<i>" not in page


def test_pdf_pages(swiss):
    from taiji.render.pdf_writer import pdf_bytes
    from taiji.render.shapes import Text
    from taiji.render.tournament_pages import tournament_pages

    pages = tournament_pages(swiss)
    written = [shape.text for page in pages for shape in page.shapes if isinstance(shape, Text)]
    names = Counter(text for text in written if text in {entrant.name for entrant in swiss.entrants})
    # In the standings, in the cross table and once a round that they were paired in.
    for entrant in swiss.entrants:
        paired = sum(entrant.entrant_no in pairing.players for round_ in swiss.rounds for pairing in round_)
        assert names[entrant.name] == 2 + paired
    assert all(0 < shape.at[1] < 297 for page in pages for shape in page.shapes if isinstance(shape, Text))
    assert pdf_bytes(pages).startswith(b"%PDF")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "001",
        "001    1      A" + " " * 80 + "2 w 1",
        "001    1      A".ljust(91) + "   2 w 1\n001    2      B".ljust(91) + "   1 w 0",
        "001    1      A".ljust(91) + "   2 w 1\n" + "001    2      B".ljust(91) + "   1 b 1",
    ],
)
def test_a_broken_report_is_refused(text):
    with pytest.raises(TournamentError):
        Tournament.of(events_from_trf(text))


@pytest.mark.parametrize("text", ["21", "a-b", "-5-3", "1-", "1e3-2", "1-2-3", "٣-٤x"])
def test_a_strange_score_is_refused(text):
    with pytest.raises(TournamentError, match="invalid score"):
        parse_score(text)


@pytest.mark.parametrize("number", ["9" * 6000, "x", "-1", "", "²"])
def test_a_round_of_a_csv_file_is_a_number(number):
    text = f"round,first,second\n{number},Ann,Bob\n"
    with pytest.raises(TournamentError, match=r"^CSV line 2: round '.{0,20}': invalid \(expected a number"):
        events_from_csv(text, TournamentSettings("x", Format.SWISS, "taiji"))
