"""Visitors, accounts and tokens."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

from tests.server.running import Running, Visitor

Make = Callable[[], Visitor]
PASSWORD = "correct horse battery"


def test_a_guest_is_a_private_session(visitor: Make) -> None:
    ada = visitor()
    answer = ada.client.get("/api/me")
    assert "set-cookie" not in answer.headers
    ada.client.cookies.clear()
    cookie = ada.client.get("/api/me").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert "Path=/" in cookie
    assert len(cookie.partition("=")[2].partition(";")[0]) >= 22


def test_a_guest_has_the_name_they_give(visitor: Make) -> None:
    ada = visitor()
    star = ada.get("/api/me")["name"]
    assert re.fullmatch(r"[A-Z][a-z]+ \d\d", star)
    assert ada.client.patch("/api/me", json={"name": "Ada"}).json()["name"] == "Ada"
    assert ada.table(opponent="open", colour="light")["seats"]["first"]["name"] == "Ada"
    assert ada.refused("/api/me", {"name": " "}, "PATCH") == (422, "bad-request")
    assert ada.refused("/api/me", {"name": "x" * 25}, "PATCH") == (422, "bad-request")


def test_an_account_keeps_the_games_on_every_device(visitor: Make) -> None:
    ada, elsewhere = visitor(), visitor()
    table = ada.table(opponent="open")
    made = ada.post("/api/account", {"name": "Ada-1", "password": PASSWORD}, 201)
    assert made["account"] == {"name": "Ada-1", "account_type": "person"}
    assert ada.get(f"/api/tables/{table['id']}")["your_seat"] is not None
    own = elsewhere.table(opponent="open")
    elsewhere.post("/api/session", {"name": "ada-1", "password": PASSWORD})
    assert elsewhere.get(f"/api/tables/{table['id']}")["your_seat"] is not None
    mine = {one["id"] for one in elsewhere.get("/api/my/tables")["tables"]}
    assert mine == {table["id"], own["id"]}
    assert elsewhere.client.delete("/api/session").status_code == 204
    elsewhere.client.headers["X-CSRF-Token"] = elsewhere.get("/api/me")["csrf"]
    assert elsewhere.get("/api/me")["account"] is None
    assert elsewhere.get("/api/my/tables")["tables"] == []


def test_names_are_taken_once_in_any_case(visitor: Make) -> None:
    ada, eve = visitor(), visitor()
    ada.post("/api/account", {"name": "Unique", "password": PASSWORD}, 201)
    assert eve.refused("/api/account", {"name": "uNIQUE", "password": PASSWORD}) == (409, "name-taken")
    assert ada.refused("/api/account", {"name": "Second", "password": PASSWORD}) == (409, "name-taken")
    assert eve.refused("/api/account", {"name": "a b", "password": PASSWORD}) == (422, "bad-request")
    assert eve.refused("/api/account", {"name": "short", "password": "1234567"}) == (422, "bad-request")


def test_wrong_passwords_are_refused(visitor: Make) -> None:
    ada, eve = visitor(), visitor()
    ada.post("/api/account", {"name": "Guarded", "password": PASSWORD}, 201)
    assert eve.refused("/api/session", {"name": "nobody", "password": PASSWORD}) == (401, "wrong-password")
    assert eve.refused("/api/session", {"name": "guarded", "password": "guess"}) == (401, "wrong-password")


def test_a_token_does_what_its_account_can_until_it_is_dropped(visitor: Make, server: Running) -> None:
    ada = visitor()
    assert ada.refused("/api/account/tokens", {"label": "x"}) == (401, "no-account")
    ada.post("/api/account", {"name": "Tokens", "password": PASSWORD}, 201)
    made = ada.post("/api/account/tokens", {"label": "at home"}, 201)
    script = Visitor(server.url, token=made["token"])
    assert script.get("/api/me")["account"]["name"] == "Tokens"
    table = script.table(opponent="open")
    assert ada.get(f"/api/tables/{table['id']}")["your_seat"] is not None
    listed = ada.get("/api/account/tokens")["tokens"]
    assert [one["label"] for one in listed] == ["at home"]
    assert made["token"] not in str(listed)
    assert ada.client.delete(f"/api/account/tokens/{made['id']}").status_code == 204
    assert script.refused("/api/me", method="GET") == (401, "bad-token")
    script.close()


def test_no_secret_lies_in_the_database(tmp_path: Path) -> None:
    """Whoever reads the file can sign in for nobody: passwords, cookies and tokens are hashed."""
    path = tmp_path / "games.sqlite"
    running = Running(f"sqlite:///{path}", "--engines=0")
    ada = Visitor(running.url)
    ada.post("/api/account", {"name": "Ada", "password": PASSWORD}, 201)
    token = ada.post("/api/account/tokens", {"label": "x"}, 201)["token"]
    table = ada.table(opponent="open")
    link = ada.post(f"/api/tables/{table['id']}/seat-link")["path"].partition("#")[2]
    cookie = ada.client.cookies["taiji_session"]
    ada.close()
    assert running.stop() == 0
    with sqlite3.connect(path) as connection:
        content = "\n".join(connection.iterdump())
    connection.close()
    assert "$argon2id$v=19$m=65536,t=3,p=4$" in content
    assert "Ada" in content
    for secret in (PASSWORD, token, link, cookie):
        assert secret not in content


def test_secrets_stay_out_of_the_log(server: Running, visitor: Make) -> None:
    ada, bob = visitor(), visitor()
    table = ada.table(opponent="link")
    secret = table["invite"].partition("#")[2]
    bob.post("/api/join", {"secret": secret})
    with ada.open(table["id"]):
        pass
    assert server.errors == []
