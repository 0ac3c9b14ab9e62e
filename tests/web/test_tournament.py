"""Four people, four browsers: a tournament of two-game matches on 7×7, from the lobby to the last result."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser import Mirror, Person
from tests.web.conftest import Guests

NAMES = ("Ana", "Bo", "Cy", "Dee")
GAME = "taiji:size=7"
PATIENCE_MS = 30_000


def create(organiser: Person) -> str:
    """Make the tournament and return the link that lets others in."""
    organiser.open("/tournaments")
    page = organiser.page
    form = page.get_by_role("form", name="New tournament")
    form.get_by_label("Name of the tournament").fill("Club Night")
    form.get_by_label("Format").select_option("round-robin")
    form.get_by_label(re.compile("^Clock")).select_option("")
    organiser.button("Create the tournament").click()
    expect(page.get_by_role("heading", name="Club Night")).to_be_visible()
    link = page.get_by_label("Link", exact=True).first.input_value()
    assert len(link.partition("#")[2]) >= 22
    return link


def enter(person: Person, name: str, link: str | None = None) -> None:
    if link is not None:
        person.open(link)
    person.page.get_by_label("Your name").fill(name)
    person.button("Enter").click()
    expect(person.page.get_by_role("cell", name=name, exact=True)).to_be_visible()


def table_of(person: Person) -> str:
    return person.page.url.rstrip("/").rpartition("/")[2]


PLAY = """async ([id, ply, move]) => {
    window.csrf ??= (await (await fetch('/api/me')).json()).csrf;
    const body = JSON.stringify({ id: `t${ply}`, ply, move });
    const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': window.csrf };
    const answer = await fetch(`/api/tables/${id}/move`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
}"""
"""Plays a move as the page does, which is quicker than the mouse."""


def play_board(people: list[Person], by_hand: int = 0) -> None:
    """Play the board that both have open to its end, so many plies of it with the mouse."""
    table = table_of(people[0])
    for person in people:
        expect(person.surface).to_be_visible(timeout=PATIENCE_MS)
        assert table_of(person) == table
    told = people[0].page.evaluate("id => fetch(`/api/tables/${id}`).then(a => a.json())", table)
    order = people if told["you"] == "first" else people[::-1]
    mirror = Mirror(GAME, seed=len(table) + ord(table[0]))
    while not mirror.state.over:
        mover = order[mirror.state.mover]
        move = mirror.choose()
        if mirror.plies < by_hand:
            mover.wait_for_turn()
            mover.lay(mirror.state, move)
            mirror.play(move)
            for one in people:
                one.expect_moves(mirror.plies)
        else:
            mover.page.evaluate(PLAY, [table, mirror.plies, move.number])
            mirror.play(move)


@pytest.mark.slow
def test_four_people_play_a_tournament_to_its_end(guest: Guests) -> None:
    people = {name: guest() for name in NAMES}
    ana = people["Ana"]
    link = create(ana)
    enter(ana, "Ana")
    for name in NAMES[1:]:
        enter(people[name], name, link)
    address = people["Bo"].page.url
    assert "#" not in address  # the secret does not stay in the address
    expect(ana.button("Begin with 4 players")).to_be_visible(timeout=PATIENCE_MS)
    ana.button("Begin with 4 players").click()
    for number in (1, 2, 3):
        boards: dict[str, list[Person]] = {}
        for person in people.values():
            expect(person.page.get_by_role("heading", name=f"Round {number} of 3")).to_be_visible(
                timeout=PATIENCE_MS
            )
            person.page.get_by_role("link", name="Your board is ready: play").click(timeout=PATIENCE_MS)
            expect(person.surface).to_be_visible(timeout=PATIENCE_MS)
            boards.setdefault(table_of(person), []).append(person)
        assert sorted(len(pair) for pair in boards.values()) == [2, 2]
        for place, (table, pair) in enumerate(boards.items()):
            play_board(pair, by_hand=4 if number == 1 and place == 0 else 0)
            for person in pair:
                person.page.get_by_role("link", name="Second game, colours exchanged").click(
                    timeout=PATIENCE_MS
                )
                expect(person.page).not_to_have_url(re.compile(table))
            play_board(pair)
            for person in pair:
                expect(person.page.get_by_text(re.compile("Match (won|lost|drawn)"))).to_be_visible(
                    timeout=PATIENCE_MS
                )
                person.page.get_by_role("link", name="To the tournament Club Night").click()
    for person in people.values():
        expect(person.page.get_by_text(re.compile("has won the tournament"))).to_be_visible(
            timeout=PATIENCE_MS
        )
        rows = person.page.get_by_role("table").get_by_role("row")
        expect(rows).to_have_count(5)
    # Anybody may look, and nobody else may enter.
    stranger = guest()
    stranger.open(address)
    expect(stranger.page.get_by_role("heading", name="Standings")).to_be_visible()
    expect(stranger.page.get_by_role("button", name="Enter")).to_have_count(0)
    told = stranger.page.evaluate("path => fetch(path).then(a => a.json())", f"/api{_path(address)}")
    assert told["over"]
    assert sum(line["points"] for line in told["standings"]) == 6


def _path(address: str) -> str:
    return "/tournaments/" + address.rstrip("/").rpartition("/")[2]


def test_the_rule_of_ratings_is_explained(person: Person) -> None:
    person.open("/ratings")
    expect(person.page.get_by_role("heading", name="How ratings work")).to_be_visible()
    expect(person.page.get_by_text("Casual games", exact=False)).to_be_visible()
