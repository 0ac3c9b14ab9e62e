"""Four browsers: a tournament of two-game matches on 7×7, from the lobby to the last result."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.browser import Mirror, PageUser
from tests.web.conftest import Guests

NAMES = ("Ana", "Bo", "Cy", "Dee")
GAME = "taiji:size=7"


def create(organiser: PageUser, *, rated: bool = False) -> str:
    """Create a tournament and return its invitation link."""
    organiser.open("/tournaments")
    page = organiser.page
    form = page.get_by_role("form", name="New tournament")
    form.get_by_label("Name of the tournament").fill("Club Night")
    form.get_by_label("Format").select_option("round-robin")
    form.get_by_label(re.compile("^Clock")).select_option("")
    form.get_by_label("Rated").set_checked(rated)
    organiser.button("Create the tournament").click()
    expect(page.get_by_role("heading", name="Club Night")).to_be_visible()
    link = page.get_by_label("Link", exact=True).first.input_value()
    assert len(link.partition("#")[2]) >= 22
    return link


def enter(user: PageUser, name: str, link: str | None = None) -> None:
    if link is not None:
        user.open(link)
    user.page.get_by_label("Your name").fill(name)
    user.button("Enter").click()
    expect(user.page.get_by_role("cell", name=f"{name} (guest)", exact=True)).to_be_visible()


def table_of(user: PageUser) -> str:
    return user.page.url.rstrip("/").rpartition("/")[2]


PLAY = """async ([id, ply, move]) => {
    window.csrf ??= (await (await fetch('/api/me')).json()).csrf;
    const body = JSON.stringify({ id: `t${ply}`, ply, move });
    const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': window.csrf };
    const answer = await fetch(`/api/tables/${id}/move`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
}"""
"""Plays a move by the API, which is faster than the mouse."""


def play_board(people: list[PageUser], by_hand: int = 0) -> None:
    """Play the open board to its end, the first `by_hand` plies by mouse."""
    table = table_of(people[0])
    for user in people:
        expect(user.surface).to_be_visible()
        assert table_of(user) == table
    order = people if fetch(people[0], f"/api/tables/{table}")["your_seat"] == "first" else people[::-1]
    mirror = Mirror(GAME, seed=len(table) + ord(table[0]))
    while mirror.plies < by_hand:
        player = order[mirror.state.seat_to_move]
        move = mirror.choose()
        player.wait_for_turn()
        player.place(mirror.state, move)
        mirror.play(move)
        for one in people:
            one.expect_moves(mirror.plies)
    finish(table, order, mirror)


def fetch(user: PageUser, path: str) -> dict[str, Any]:
    """Return the answer of the API to the user's page."""
    answer: dict[str, Any] = user.page.evaluate("path => fetch(path).then(a => a.json())", path)
    return answer


def finish(table: str, order: list[PageUser], mirror: Mirror) -> None:
    """Play a game to its end by the API, from whichever page the players look at."""
    while not mirror.state.is_over:
        move = mirror.choose()
        order[mirror.state.seat_to_move].page.evaluate(PLAY, [table, mirror.plies, move.action])
        mirror.play(move)


def play_round(path: str, people: dict[str, PageUser]) -> None:
    """Play a round to its end by the API, while everybody looks at the page of the tournament."""
    looker = people["Ana"]
    info = begun = fetch(looker, path)
    while not info["over"] and len(info["rounds"]) == len(begun["rounds"]):
        for pairing in info["rounds"][-1]:
            if pairing["points"] is None and pairing["board"]:
                table = pairing["board"]["table"]
                seats = fetch(looker, f"/api/tables/{table}")["seats"]
                order = [people[seats[seat]["name"]] for seat in ("first", "second")]
                finish(table, order, Mirror(GAME, seed=len(info["rounds"])))
        info = fetch(looker, path)


@pytest.mark.slow
def test_four_people_play_a_tournament_to_its_end(guest: Guests) -> None:
    people = {name: guest() for name in NAMES}
    ana = people["Ana"]
    link = create(ana)
    enter(ana, "Ana")
    for name in NAMES[1:]:
        enter(people[name], name, link)
    address = people["Bo"].page.url
    assert "#" not in address  # the page removes the secret from the URL
    expect(ana.button("Start with 4 players")).to_be_visible()
    ana.button("Start with 4 players").click()
    play_first_round(people)
    for round_no in (2, 3):
        for user in people.values():
            expect(user.page.get_by_role("heading", name=f"Round {round_no} of 3")).to_be_visible()
            expect(user.page.get_by_role("link", name="Your board is ready: play")).to_be_visible()
        play_round(f"/api{_path(address)}", people)
    for user in people.values():
        expect(user.page.get_by_text(re.compile("has won the tournament"))).to_be_visible()
        rows = user.page.get_by_role("table").get_by_role("row")
        expect(rows).to_have_count(5)
    # Anyone may watch, and no one else may enter.
    stranger = guest()
    stranger.open(address)
    expect(stranger.page.get_by_role("heading", name="Standings")).to_be_visible()
    expect(stranger.page.get_by_role("button", name="Enter")).to_have_count(0)
    info = fetch(stranger, f"/api{_path(address)}")
    assert info["over"]
    assert sum(line["points"] for line in info["standings"]) == 6


def play_first_round(people: dict[str, PageUser]) -> None:
    """Go from the tournament to the boards, play both games of every match there, and come back."""
    boards: dict[str, list[PageUser]] = {}
    for user in people.values():
        expect(user.page.get_by_role("heading", name="Round 1 of 3")).to_be_visible()
        user.page.get_by_role("link", name="Your board is ready: play").click()
        expect(user.page).to_have_url(re.compile("/game/"))
        expect(user.surface).to_be_visible()
        boards.setdefault(table_of(user), []).append(user)
    assert sorted(len(pair) for pair in boards.values()) == [2, 2]
    for index, (table, pair) in enumerate(boards.items()):
        play_board(pair, by_hand=4 if index == 0 else 0)
        for user in pair:
            user.page.get_by_role("link", name="Second game, colours exchanged").click()
            expect(user.page).not_to_have_url(re.compile(table))
        play_board(pair)
        for user in pair:
            expect(user.page.get_by_text(re.compile("Match (won|lost|drawn)"))).to_be_visible()
            user.page.get_by_role("link", name="Back to tournament Club Night").click()


def _path(address: str) -> str:
    return "/tournaments/" + address.rstrip("/").rpartition("/")[2]


def test_the_organiser_types_a_result_and_corrects_it(guest: Guests) -> None:
    ana, bo = guest(), guest()
    link = create(ana)
    enter(ana, "Ana")
    enter(bo, "Bo", link)
    ana.button("Start with 2 players").click()
    # Bo's page follows without being loaded again, a small board of the round included.
    expect(bo.page.get_by_role("heading", name="Round 1 of 1")).to_be_visible()
    expect(bo.page.get_by_role("heading", name="Being played now")).to_be_visible()
    expect(bo.page.locator(".mini .surface")).to_have_count(1)
    expect(bo.page.get_by_role("button", name="Ana – Bo")).to_have_count(0)
    decide(ana, [(99, 1), (8, 9)])
    expect(ana.page.get_by_role("alert")).to_contain_text("a score of 99 is impossible")
    ana.expected.append("409")
    ana.page.get_by_role("spinbutton", name="Game 1: Ana").fill("12")
    ana.button("Enter result").click()
    expect(ana.page.get_by_text("12–1")).to_be_visible()
    expect(bo.page.get_by_text("has won the tournament")).to_be_visible()
    decide(ana, [(1, 12), (8, 9)], reason="names exchanged")
    expect(bo.page.get_by_text("Bo has won the tournament")).to_be_visible()
    bo.page.get_by_text("Audit log").click()
    expect(bo.page.get_by_text(re.compile("replaces 1:0.*Reason: names exchanged"))).to_be_visible()


def test_a_player_resigns_and_is_led_back(guest: Guests) -> None:
    ana, bo = guest(), guest()
    link = create(ana)
    enter(ana, "Ana")
    bo.open(link)
    bo.page.reload()  # the invitation is still there
    enter(bo, "Bo")
    ana.button("Start with 2 players").click()
    bo.page.get_by_role("link", name="Your board is ready: play").click()
    expect(bo.surface).to_be_visible()
    expect(bo.button("Abort")).to_have_count(0)
    bo.button("Resign").click()
    bo.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(bo.page.get_by_role("heading", name="You lost")).to_be_visible()
    expect(bo.page.get_by_text("Match lost, by resignation")).to_be_visible()
    main = bo.page.locator("a.primary:visible, button.primary:visible").first
    expect(main).to_have_text("Back to tournament Club Night")
    main.click()
    expect(bo.page.get_by_text("Ana has won the tournament")).to_be_visible()
    expect(bo.page.get_by_text("by resignation")).to_be_visible()
    expect(bo.page.get_by_text("Forfeit")).to_have_count(0)


def decide(organiser: PageUser, scores: list[tuple[int, int]], reason: str = "") -> None:
    """Fill in the form of the only pairing and send it."""
    page = organiser.page
    page.get_by_role("button", name=re.compile("Ana – Bo$")).click()
    for number, game in enumerate(scores, 1):
        for name, points in zip(("Ana", "Bo"), game, strict=True):
            page.get_by_role("spinbutton", name=f"Game {number}: {name}").fill(str(points))
    if reason:
        page.get_by_label("Reason for the correction").fill(reason)
    page.get_by_role("form").get_by_role("button", name=re.compile("^(Enter result|Correct)$")).click()


def test_only_an_account_can_offer_a_rated_game(guest: Guests) -> None:
    ana = guest()
    ana.open("/?mode=open&game=taiji:size=7")
    expect(ana.page.get_by_label("Rated")).to_have_count(0)
    name = f"Ana{random.SystemRandom().randrange(10**8)}"
    ana.page.evaluate(SIGN_UP, name)
    ana.open("/?mode=open&game=taiji:size=7")
    ana.page.get_by_label("Rated").check()
    expect(ana.page.get_by_label("Moves may be taken back")).to_have_count(0)
    ana.page.get_by_role("form").get_by_role("button", name="Create the challenge").click()
    expect(ana.page.get_by_text("rated", exact=False).first).to_be_visible()
    bo = guest()
    bo.open("/")
    offer = bo.page.get_by_role("listitem").filter(has_text=name)
    expect(offer.filter(has_text="rated")).to_be_visible()
    # Other tests read the list of challenges, too.
    ana.button("Cancel the invitation").click()
    expect(offer).to_have_count(0)


def test_a_guest_signs_up_on_the_way_to_a_rated_tournament(guest: Guests) -> None:
    ana, bo = guest(), guest()
    name = f"Ana{random.SystemRandom().randrange(10**8)}"
    ana.open("/tournaments")
    ana.page.evaluate(SIGN_UP, name)
    link = create(ana, rated=True)
    bo.open(link)
    bo.page.get_by_role("link", name="Sign in").click()
    theirs = f"Bo{random.SystemRandom().randrange(10**8)}"
    bo.page.get_by_label("Account name").fill(theirs)
    bo.page.get_by_label("Password").fill("long enough")
    bo.button("Create an account").click()
    bo.button("I have kept them").click()
    bo.button("Enter").click()
    expect(bo.page.get_by_role("cell", name=theirs)).to_be_visible()


SIGN_UP = """async name => {
    const me = await (await fetch('/api/me')).json();
    const headers = {'Content-Type': 'application/json', 'X-CSRF-Token': me.csrf};
    const body = JSON.stringify({name, password: 'long enough'});
    const answer = await fetch('/api/account', {method: 'POST', headers, body});
    if (!answer.ok) throw new Error(await answer.text());
}"""


def test_the_rule_of_ratings_is_explained(user: PageUser) -> None:
    user.open("/ratings")
    expect(user.page.get_by_role("heading", name="How ratings work")).to_be_visible()
    expect(user.page.get_by_text("Casual games", exact=False)).to_be_visible()
