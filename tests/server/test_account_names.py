"""Names of accounts and guests: look-alikes, reserved names, invisible characters."""

from __future__ import annotations

import pytest

from tests.server.inside import PASSWORD, Inside

RATE_LIMIT_SCALE = 1000


def test_an_account_cannot_look_like_another_or_like_the_server(inside: Inside) -> None:
    inside.browser().register("Lookalike1")
    for name in ("Lookalikel", "LOOKALIKE1", "lookaIikei", "L00kalike1", "admin", "Adm1n", "taiji", "Vega42"):
        new = {"name": name, "password": PASSWORD}
        status, body = inside.browser().ask("POST", "/api/account", new)
        assert (status, body) == (409, "name-taken"), name


def test_a_guest_cannot_wear_the_name_of_an_account(inside: Inside) -> None:
    inside.browser().register("Original")
    guest = inside.browser()
    for name in ("Original", "original", "Оriginаl", "Ｏriginal", "O r i g i n a l", "0riginal", "Moderator"):
        status, body = guest.ask("PATCH", "/api/me", {"name": name})
        assert (status, body) == (409, "name-taken"), name
    made = inside.browser()
    made.register("Organiser-1")
    tournament = made.post("/api/tournaments", {"name": "Cup", "game": "taiji:size=4"})
    entry = {"secret": tournament["invite"].partition("#")[2], "name": "Оriginаl"}
    status, body = guest.ask("POST", f"/api/tournaments/{tournament['id']}/join", entry)
    assert (status, body) == (409, "name-taken")
    guest.post(f"/api/tournaments/{tournament['id']}/join", {**entry, "name": "Someone else"})
    entrant = guest.get(f"/api/tournaments/{tournament['id']}")["standings"][0]
    assert (entrant["name"], entrant["guest"]) == ("Someone else", True)


def test_a_guest_loses_a_name_that_somebody_registers(inside: Inside) -> None:
    guest = inside.browser()
    assert guest.ask("PATCH", "/api/me", {"name": "Lаter-taken"})[0] == 200  # with a Cyrillic letter
    inside.browser().register("Later-taken")
    name = guest.get("/api/me")["name"]
    assert name not in ("Lаter-taken", "Later-taken")
    assert name.split()[1].isdigit()


def test_guests_have_memorable_names_and_are_marked(inside: Inside) -> None:
    guest, ada = inside.browser(), inside.browser()
    ada.register("Marked-1")
    star = guest.get("/api/me")["name"]
    table = guest.table(colour="light")
    ada.post(f"/api/tables/{table['id']}/join")
    seats = ada.get(f"/api/tables/{table['id']}")["seats"]
    assert (seats["first"]["name"], seats["first"]["guest"]) == (star, True)
    assert (seats["second"]["name"], seats["second"]["guest"]) == ("Marked-1", False)
    assert guest.ask("PATCH", "/api/me", {"name": "Chosen"})[1]["name"] == "Chosen"
    assert guest.ask("PATCH", "/api/me", {"name": None})[1]["name"] == star


@pytest.mark.parametrize("hidden", ["\u202e", "\u200b", "\U000e0041", "\u2066", "\ufe0f", "\u3164"])
def test_invisible_characters_are_refused_in_every_shown_text(inside: Inside, hidden: str) -> None:
    ada = inside.browser()
    ada.register(f"Hidden-{ord(hidden):x}")
    text = f"a{hidden}b"
    clean = ada.post("/api/tournaments", {"name": "Cup", "game": "taiji:size=4"})
    for method, path, body in (
        ("PATCH", "/api/me", {"name": text}),
        ("POST", "/api/account", {"name": text, "password": PASSWORD}),
        ("POST", "/api/account/tokens", {"label": text}),
        ("POST", "/api/tournaments", {"name": text, "game": "taiji:size=4"}),
        ("POST", f"/api/tournaments/{clean['id']}/join", {"secret": "x" * 30, "name": text}),
        ("POST", f"/api/tournaments/{clean['id']}/result", {"round": 1, "table": 1, "reason": text}),
        ("POST", "/api/records", {"game": "taiji:size=4", "names": {"first": text, "second": None}}),
    ):
        status, answer = ada.ask(method, path, body)
        assert (status, answer) == (422, "bad-request"), path
