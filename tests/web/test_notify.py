"""Your turn: the bell, the title, the agenda, a vacation; and pushes through a real service worker."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.server.push_service import PushReceiver
from tests.server.running import Running
from tests.web.browser import PageUser, visiting
from tests.web.conftest import Guests
from tests.web.places import call, register
from tests.web.talk_places import against_visitor


@pytest.fixture(scope="module")
def chromium(whole_chromium: Browser) -> Browser:
    """Only the whole browser takes pushes and shows notices."""
    return whole_chromium


def test_bell_title_and_list_follow_the_games(guest: Guests) -> None:
    user = guest()
    table, other = against_visitor(user, colour="dark")
    user.open("/learn")
    expect(user.page).to_have_title(re.compile(r"^[^(]"))
    other.act(table, "move", ply=0, move=0)
    expect(user.page).to_have_title(re.compile(r"^\(1\) "))
    user.page.get_by_role("link", name="1 new notification").click()
    expect(user.page).to_have_title(re.compile(r"^\(1\) Notifications"))
    user.page.get_by_role("link", name=re.compile("^Your turn against")).click()
    expect(user.page).to_have_url(re.compile(table))
    expect(user.page).to_have_title(re.compile(r"^● TAIJI"))
    user.open("/notifications")
    box = user.page.get_by_label("Challenges: On my devices")
    with user.page.expect_response(lambda answer: answer.request.method != "GET"):
        box.uncheck()
    user.page.reload()
    expect(box).not_to_be_checked()


def test_the_agenda_and_a_vacation(guest: Guests) -> None:
    user = guest()
    table, other = against_visitor(user)
    user.open("/agenda")
    expect(user.page.get_by_text("your turn")).to_be_visible()
    day = user.page.get_by_role("button", name=re.compile(": 1 game$"))
    if day.count() == 0:  # three days from now may be in the next month
        user.button("Next month").click()
    day.click()
    expect(day).to_have_attribute("aria-pressed", "true")
    user.page.get_by_label("Days").fill("4")
    user.button("Begin the vacation").click()
    expect(user.page.get_by_text("You are on vacation until")).to_be_visible()
    expect(user.page.get_by_text("26 days left this year")).to_be_visible()
    expect(user.page.get_by_text("on vacation until", exact=False).first).to_be_visible()
    clock = other.get(f"/api/tables/{table}")["clock"]
    assert clock["first"]["away_until"] is not None
    assert clock["grace_ms"] > 3.9 * 86_400_000
    user.open(f"/game/{table}")
    expect(user.page.get_by_text("on vacation until")).to_be_visible()
    user.open("/agenda")
    user.button("End it now").click()
    expect(user.page.get_by_text("29 days left this year")).to_be_visible()
    assert other.get(f"/api/tables/{table}")["clock"]["first"]["away_until"] is None


FAKE_SUBSCRIPTION = """(made) => {
    // No push service can be reached: the subscription is the test's own.
    let active = null;
    const fake = { ...made, toJSON: () => made, unsubscribe: async () => ((active = null), true) };
    PushManager.prototype.subscribe = async () => (active = fake);
    PushManager.prototype.getSubscription = async () => active;
}"""


def deliver(user: PageUser, message: dict[str, Any]) -> None:
    """Hand a push to the service worker, as the browser does when its push service sends one."""
    session = user.context.new_cdp_session(user.page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not found:
        user.page.wait_for_timeout(20)
    origin = user.page.evaluate("location.origin")
    content = {"origin": origin, "registrationId": found[-1], "data": json.dumps(message)}
    session.send("ServiceWorker.deliverPushMessage", content)
    session.detach()


def shown(user: PageUser) -> list[dict[str, str]]:
    ask = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
        .map(({title, body, lang, data}) => ({title, body, lang, url: data.url}))"""
    notices: list[dict[str, str]] = user.page.evaluate(ask)
    return notices


def test_a_push_from_the_server_to_the_screen(browser: Browser, tmp_path: Path) -> None:
    server = Running(f"sqlite:///{tmp_path / 'games.sqlite'}", "--engines=0", "--push-local")
    try:
        options = {"service_workers": "allow", "locale": "nl-NL", "permissions": ["notifications"]}
        with PushReceiver() as receiver, visiting(browser, server.url, **options) as user:
            user.page.add_init_script(f"({FAKE_SUBSCRIPTION})({json.dumps(receiver.subscription())})")
            register(user, "Called")
            user.open("/notifications")
            user.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
            user.page.reload()
            # Nothing is asked or sent before the click.
            expect(user.button("Meld het op dit apparaat")).to_be_visible()
            user.button("Meld het op dit apparaat").click()
            expect(user.page.get_by_text("Dit apparaat krijgt meldingen.")).to_be_visible()
            with visiting(browser, server.url) as other:
                register(other, "Caller")
                wish = {"game": "taiji:size=7", "opponent": "player", "player": "Called"}
                table = call(other, "POST", "/api/tables", wish)["id"]
            (message,) = receiver.wait(1)
            assert (message["kind"], message["language"]) == ("challenge", "nl")
            deliver(user, message)
            while not shown(user):
                user.page.wait_for_timeout(50)
            assert shown(user) == [
                {
                    "title": "Caller daagt je uit",
                    "body": "TAIJI 7×7",
                    "lang": "nl",
                    "url": f"{server.url}/game/{table}",
                }
            ]
            user.button("Niet meer op dit apparaat").click()
            expect(user.button("Meld het op dit apparaat")).to_be_visible()
    finally:
        server.stop()
