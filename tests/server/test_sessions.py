"""Sessions: issued and rotated only by the server, in a private cookie, with lifetimes."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, select

from taiji.server.identity.credentials import csrf_token
from taiji.server.store.schema import sessions, visitors
from tests.server.inside import Inside, drain, stolen

SESSION_ENDED = 4401


# --- fixation -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["a" * 22, "a" * 32, "x-value-that-a-client-has-chosen", "a" * 64])
def test_a_value_that_a_client_has_chosen_is_no_session(inside: Inside, value: str) -> None:
    browser = inside.browser()
    browser.cookie = value
    assert browser.visit()["csrf"]
    assert browser.cookie != value
    for name in ("taiji_session", "taiji_visitor"):
        browser.cookies = {name: value}
        browser.client.headers["X-CSRF-Token"] = csrf_token(value)
        assert browser.ask("POST", "/api/tables", {"game": "taiji"})[0] in (401, 403)


def test_a_planted_session_is_worthless_after_registration_and_sign_in(inside: Inside) -> None:
    """The attacker has a session of the server and plants it; rotation leaves the attacker without one."""
    attacker = inside.browser("198.51.100.1")
    victim = inside.browser()
    victim.cookie = attacker.cookie
    victim.visit()
    before = victim.cookie
    assert before == attacker.cookie
    victim.register("Fixed-1")
    assert victim.cookie != before
    assert victim.account == "Fixed-1"
    assert attacker.account is None
    assert attacker.ask("POST", "/api/tables", {"game": "taiji", "opponent": "open"})[0] in (401, 403)

    attacker = inside.browser("198.51.100.1")
    other = inside.browser()
    other.cookie = attacker.cookie
    other.visit()
    assert other.sign_in("Fixed-1")[0] == 200
    assert other.cookie != attacker.cookie
    assert attacker.account is None


def test_sign_out_ends_the_session_for_every_copy_of_the_cookie(inside: Inside) -> None:
    ada = inside.browser()
    ada.register("Out-1")
    copy, before = stolen(inside, ada), ada.cookie
    assert copy.account == "Out-1"
    ada.sign_out()
    assert ada.cookie != before
    assert ada.account is None
    assert copy.account is None


def test_a_page_of_another_site_does_not_replace_the_session(inside: Inside) -> None:
    client = inside.client("192.0.2.1", "http", "localhost:8321")
    answer = client.get("/api/me", headers={"Sec-Fetch-Site": "cross-site"})
    assert (answer.json()["csrf"], "set-cookie" in answer.headers) == (None, False)


# --- the cookie -----------------------------------------------------------------------------------------


def test_on_https_the_cookie_belongs_to_this_host_alone(inside: Inside) -> None:
    cookie = inside.client("192.0.2.1", "https", "localhost").get("/api/me").headers["set-cookie"]
    name, _, rest = cookie.partition("=")
    assert name == "__Host-taiji_session"
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=lax"} <= {part.strip() for part in rest.split(";")}
    assert "domain" not in cookie.lower()
    # A cookie without the prefix, which a neighbouring host can set, is not read.
    planted = inside.browser(scheme="https", host="localhost")
    planted.cookies = {"taiji_session": inside.browser().cookie}
    assert "set-cookie" in planted.request("GET", "/api/me").headers


def test_behind_a_proxy_the_public_address_decides(tmp_path: Path) -> None:
    settings = {"public_url": "https://games.example", "trusted_proxies": ("127.0.0.1",)}
    with Inside(f"sqlite:///{tmp_path / 'x.sqlite'}", **settings).running() as inside:
        client = inside.client("127.0.0.1", "http", "games.example")
        assert client.get("/api/me").headers["set-cookie"].startswith("__Host-")
        local = inside.client("127.0.0.1", "http", "localhost:8321")
        assert local.get("/api/me").headers["set-cookie"].startswith("taiji_session=")
        forwarded = {"X-Forwarded-Proto": "https"}
        answer = inside.client("127.0.0.1", "http", "localhost").get("/api/me", headers=forwarded)
        assert answer.headers["set-cookie"].startswith("__Host-")
        stranger = inside.client("192.0.2.9", "http", "localhost").get("/api/me", headers=forwarded)
        assert stranger.headers["set-cookie"].startswith("taiji_session=")


# --- lifetimes ------------------------------------------------------------------------------------------


def test_a_session_of_an_account_ends_when_idle_and_after_its_lifetime(alone: Inside) -> None:
    ada = alone.browser()
    ada.register("Idle-1")
    for _ in range(8):  # used every three weeks, it goes on
        alone.time.advance(days=21)
        assert ada.account == "Idle-1"
    alone.time.advance(days=13)
    assert ada.account is None
    ada = alone.browser()
    assert ada.sign_in("Idle-1")[0] == 200
    alone.time.advance(days=29)
    assert ada.account == "Idle-1"
    alone.time.advance(days=31)
    assert ada.account is None


def test_a_guest_comes_back_after_half_a_year_but_not_for_ever(alone: Inside) -> None:
    guest = alone.browser()
    table = guest.table(colour="light")
    alone.time.advance(days=179)
    assert guest.get(f"/api/tables/{table['id']}")["your_seat"] == "first"
    alone.time.advance(days=181)
    assert guest.get(f"/api/tables/{table['id']}")["your_seat"] is None


def test_what_has_ended_is_deleted_with_its_socket(alone: Inside) -> None:
    ada, guest = alone.browser(), alone.browser()
    ada.register("Purged-1")
    table = guest.table()
    alone.browser()  # a crawler that never comes back
    assert ada.account == "Purged-1"

    def count() -> tuple[int, int]:
        query = select(func.count()).select_from(sessions)
        people = select(func.count()).select_from(visitors)
        both = alone.run(
            alone.context.store.read, lambda c: (c.execute(query).scalar(), c.execute(people).scalar())
        )
        assert isinstance(both, tuple)
        return both

    assert count() == (3, 3)
    alone.time.advance(days=2)
    alone.run(alone.context.sessions.purge)
    assert count() == (2, 2)
    with ada.socket(f"/ws/tables/{table['id']}") as socket:
        alone.time.advance(days=40)
        alone.run(alone.context.sessions.purge)
        assert drain(socket) == SESSION_ENDED
    assert count() == (1, 2)  # the guest's session; the other person is one whose games an account took over
