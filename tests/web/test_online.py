"""Two browsers: a match by link with reload and lost connection, a restart, challenges, spectators."""

from __future__ import annotations

import re
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.server.running import Running
from tests.web.browser import LOST_CONNECTION, Mirror, PageUser, visiting
from tests.web.conftest import Guests
from tests.web.places import new_table

GAME = "taiji:size=3"


def invite(
    user: PageUser, game: str = GAME, mode: str = "Invite a friend", colour: str = "Light", **checks: bool
) -> None:
    """Create an invitation or an open challenge with the form."""
    user.open("/new")
    page = user.page
    page.get_by_text(mode, exact=True).click()
    form = page.get_by_role("form", name="New game")
    form.get_by_text("Editions and variants").click()
    size = game.partition("size=")[2]
    form.get_by_label("Board", exact=True).last.fill(size)
    form.get_by_label("Board", exact=True).last.press("Tab")
    form.get_by_text(colour, exact=True).click()
    for label, on in checks.items():
        form.get_by_label(re.compile(label, re.IGNORECASE)).set_checked(on)
    form.get_by_role("button", name=re.compile("Create the")).click()
    expect(page.locator(".surface")).to_be_visible()


def challenge_of(user: PageUser, host: PageUser) -> Locator:
    """Find the host's table in the list of challenges on the home page."""
    path = "/game/" + host.page.url.rpartition("/")[2]
    return user.page.get_by_role("listitem").filter(has=user.page.locator(f"a[href='{path}']"))


def accept(host: PageUser, friend: PageUser) -> None:
    link = host.page.get_by_label("Link", exact=True).first.input_value()
    assert len(link.partition("#")[2]) >= 22  # 128 bits
    friend.open(link)
    expect(friend.page).to_have_url(re.compile(r"/game/\w+$"))
    expect(friend.page.locator(".surface")).to_be_visible()


def play_out(
    mirror: Mirror, players: tuple[PageUser, PageUser], middle: dict[int, object] | None = None
) -> None:
    """Play a game to its end; `middle` holds functions to call before a ply."""
    while not mirror.state.is_over:
        event = (middle or {}).get(mirror.plies)
        if callable(event):
            event()
        player = players[mirror.state.seat_to_move]
        player.wait_for_turn()
        move = mirror.choose()
        player.place(mirror.state, move)
        mirror.play(move)
        for one in players:
            one.expect_moves(mirror.plies)


def test_a_match_by_link_with_a_reload_and_a_dropped_connection(guest: Guests) -> None:
    host, friend = guest(), guest()
    sockets = host.watch_sockets()
    invite(host)
    accept(host, friend)
    expect(friend.page.get_by_text("Dark").first).to_be_visible()

    def drop() -> None:
        sockets[-1].close(code=1011, reason="dropped")
        expect(host.page.get_by_text("Connection lost")).to_be_visible()

    first = Mirror(GAME)
    play_out(first, (host, friend), {1: friend.page.reload, 2: drop})
    assert len(sockets) > 1
    for one in (host, friend):
        one.page.get_by_role("link", name="Second game, colours exchanged").click()
        one.expect_moves(0)
        expect(one.button("Resign")).to_be_visible()  # not "Abort", which the server would refuse
    second = Mirror(GAME, seed=4)
    play_out(second, (friend, host))
    mine = first.state.scores()[0] + second.state.scores()[1]
    yours = first.state.scores()[1] + second.state.scores()[0]
    expect(host.page.get_by_text(f"{mine} : {yours}").first).to_be_visible()
    expect(friend.page.get_by_text(f"{yours} : {mine}").first).to_be_visible()
    expect(host.page.get_by_text(re.compile("Match (won|lost|drawn)"))).to_be_visible()
    address = host.page.url
    host.button("Rematch").click()
    friend.button("Accept the rematch").click()
    for one in (host, friend):
        expect(one.page).not_to_have_url(address)
        one.expect_moves(0)


@pytest.mark.parametrize(
    "game", ["tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits:size=3"]
)
def test_every_game_by_link(guest: Guests, game: str) -> None:
    host, friend = guest(), guest()
    host.open(new_table(host, game=game, opponent="link", colour="light", match=False))
    accept(host, friend)
    mirror = Mirror(game)
    players = (host, friend)
    for _ in range(3):
        player = players[mirror.state.seat_to_move]
        player.wait_for_turn()
        move = mirror.choose(swap=True)
        player.place(mirror.state, move)
        mirror.play(move)
        for one in players:
            one.expect_moves(mirror.plies)
        if mirror.state.is_over:
            break


def test_the_server_restarts_in_the_middle(browser: Browser, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'games.sqlite'}"
    server = Running(database, "--engines=0")
    try:
        with visiting(browser, server.url) as host, visiting(browser, server.url) as friend:
            for one in (host, friend):
                one.expected += LOST_CONNECTION
            invite(host, match=False)
            accept(host, friend)

            def restart() -> None:
                nonlocal server
                server.kill()
                expect(host.page.get_by_text("Connection lost")).to_be_visible()
                server = Running(database, "--engines=0", port=server.port)
                for one in (host, friend):
                    expect(one.page.get_by_text("Connection lost")).to_have_count(0)

            mirror = Mirror(GAME)
            play_out(mirror, (host, friend), {2: restart})
            expect(host.page.get_by_role("heading", name=re.compile("You (won|lost)"))).to_be_visible()
    finally:
        server.stop()


def test_a_challenge_to_one_player_declined_and_accepted(guest: Guests) -> None:
    host, rival, other = guest(), guest(), guest()
    name = f"rival-{uuid4().hex[:8]}"
    rival.open("/account")
    rival.page.get_by_label("Account name").fill(name)
    rival.page.get_by_label("Password").fill("a long password")
    rival.button("Create an account").click()
    expect(rival.button("Sign out")).to_be_visible()
    rival.open("/")

    def challenge(player: str) -> None:
        host.open("/new")
        host.page.get_by_text("Open challenge", exact=True).click()
        form = host.page.get_by_role("form", name="New game")
        form.get_by_label("Challenge a player").fill(player)
        form.get_by_role("button", name="Create the challenge").click()

    host.expected.append("404")
    challenge("nobody-of-this-name")
    expect(host.page.get_by_role("alert")).to_be_visible()
    challenge(name)
    expect(host.page.locator(".surface")).to_be_visible()
    other.open("/")
    expect(rival.button("Decline")).to_be_visible()
    expect(other.page.get_by_role("heading", name="Play somebody now")).to_be_visible()
    expect(challenge_of(other, host)).to_have_count(0)
    rival.button("Decline").click()
    expect(rival.button("Decline")).to_have_count(0)
    challenge(name)
    rival.button("Accept").click()
    expect(rival.page).to_have_url(re.compile(r"/game/\w+"))
    expect(rival.page.locator(".surface")).to_be_visible()


def test_an_open_challenge_takebacks_and_watchers(guest: Guests) -> None:
    host, friend, watcher = guest(), guest(), guest()
    invite(host, mode="Open challenge", match=False)
    friend.open("/")
    challenge_of(friend, host).get_by_role("button", name="Join").click()
    expect(friend.page).to_have_url(re.compile(r"/game/\w+"))
    watcher.open(host.page.url)
    expect(host.page.get_by_text("1 watcher")).to_be_visible()
    mirror = Mirror(GAME)
    host.wait_for_turn()
    move = mirror.choose()
    host.place(mirror.state, move)
    for one in (host, friend, watcher):
        one.expect_moves(1)
    expect(watcher.page.locator(".surface.active")).to_have_count(0)
    host.button("Take back").click()
    friend.button("No").click()
    expect(host.button("Take back")).to_be_enabled()
    host.button("Take back").click()
    friend.button("Allow it").click()
    for one in (host, friend, watcher):
        one.expect_moves(0)
    friend.close()
    expect(host.page.get_by_text("away")).to_be_visible()
    host.button("Abort").click()
    host.page.get_by_role("dialog").get_by_role("button", name="Abort").click()
    expect(watcher.page.get_by_role("heading", name="Aborted")).to_be_visible()


def test_an_invitation_that_is_used_up(guest: Guests) -> None:
    host, friend, late = guest(), guest(), guest()
    invite(host)
    link = host.page.get_by_label("Link", exact=True).first.input_value()
    accept(host, friend)
    late.expected.append("status of 4")
    late.open(link)
    expect(late.page.get_by_role("heading", name="This invitation cannot be used")).to_be_visible()
    assert "#" not in late.page.url
