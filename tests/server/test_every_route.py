"""Attacks on every route that the OpenAPI document lists, so that new ones are attacked by themselves."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

import pytest

from tests.server.inside import Browser, Inside

CHANGING = ("post", "put", "patch", "delete")
SESSION = "/api/session"
"""Signing out is tried last: it ends the session of the test."""
FORGED: list[dict[str, str]] = [
    {"X-CSRF-Token": ""},
    {"X-CSRF-Token": "x" * 43},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost:8321.evil.example"},
    {"Origin": "http://localhost:8321@evil.example"},
]
HOSTILE: list[Any] = [
    None,
    [],
    [[]] * 50,
    "text",
    0,
    {},
    {"id": 10**400},
    {"id": {"$ne": None}},
    {"__proto__": {"admin": True}, "constructor": []},
]


class Route(NamedTuple):
    """An operation of the API."""

    method: str
    path: str
    details: dict[str, Any]

    def url(self, value: str = "a") -> str:
        return re.sub(r"\{[^}]*\}", value, self.path)

    @property
    def is_stream(self) -> bool:
        return "stream" in self.path


@pytest.fixture(scope="module")
def routes(inside: Inside) -> list[Route]:
    document = _document(inside)
    return [
        Route(method.upper(), path, details)
        for path, methods in document["paths"].items()
        for method, details in methods.items()
        if method in (*CHANGING, "get")
    ]


@cache
def _document(inside: Inside) -> dict[str, Any]:
    found: dict[str, Any] = inside.app.openapi()
    return found


def ask(browser: Browser, route: Route, url: str, **options: Any) -> tuple[int, str]:
    answer = browser.request(route.method, url, **options)
    assert answer.status_code < 500, f"{route.method} {url} {options}: {answer.text}"
    if answer.status_code < 400:
        return answer.status_code, ""
    return answer.status_code, answer.json()["error"]["code"]


def test_no_other_site_can_change_anything(inside: Inside, routes: list[Route]) -> None:
    ada = inside.browser()
    ada.register("Ada-CSRF")
    tried = 0
    for route in routes:
        if route.method == "GET":
            continue
        for forged in FORGED:
            code = ask(ada, route, route.url(), json={}, headers=forged)
            assert code in ((403, "csrf"), (403, "foreign-origin")), f"{route.method} {route.path}: {forged}"
            tried += 1
    assert tried > 200
    assert ada.account == "Ada-CSRF"


def test_without_a_session_nothing_changes(inside: Inside, routes: list[Route]) -> None:
    nobody = inside.browser()
    nobody.cookies = {}
    for route in routes:
        if route.method != "GET":
            assert ask(nobody, route, route.url(), json={})[0] == 403, route.path


def test_no_text_of_any_route_takes_nul_or_half_a_character(inside: Inside, routes: list[Route]) -> None:
    eve = inside.browser()
    for route in routes:
        if route.is_stream:
            continue
        if "{" in route.path:
            for bad in ("%00", "a%00b", "%ED%A0%80", "%C0%80", "%FF"):
                assert ask(eve, route, route.url(bad)) == (400, "bad-text"), f"{route.path} {bad}"
        for parameter in route.details.get("parameters", ()):
            if parameter["in"] == "query":
                for bad in ("%00", "%ED%A0%80", "%FF"):
                    query = f"{route.url()}?{parameter['name']}={bad}"
                    assert ask(eve, route, query) == (400, "bad-text"), query
        if route.method != "GET":
            for body in (
                rb'{"a": "\u0000"}',
                rb'{"\ud800": 1}',
                b'{"a": ["\x00"]}',
                b'{"a": "\xed\xa0\x80"}',
            ):
                headers = {"Content-Type": "application/json"}
                status, code = ask(eve, route, route.url(), content=body, headers=headers)
                assert (status, code) in ((400, "bad-text"), (400, "bad-json")), f"{route.path} {body!r}"


def test_hostile_bodies_and_parameters_are_refused(inside: Inside, routes: list[Route]) -> None:
    """No answer is a 5xx; a body that a route does not expect is a 422, and changes nothing."""
    mallory = inside.browser("192.0.2.66")
    for route in sorted(routes, key=lambda one: one.path == SESSION):
        if route.is_stream or route.path in (SESSION, "/api/sessions"):
            continue
        for value in ("a", "-1", "..%2F..%2Fetc", "%27%20OR%201%3D1--", "%F0%9F%90%89", "a" * 300):
            if "{" in route.path:
                ask(mallory, route, route.url(value))
        for parameter in route.details.get("parameters", ()):
            if parameter["in"] == "query":
                for value in ("", "-1", "9" * 30, "%27--", "NaN"):
                    ask(mallory, route, f"{route.url()}?{parameter['name']}={value}")
        if route.details.get("requestBody"):
            for body in HOSTILE:
                ask(mallory, route, route.url(), json=body)


def test_what_is_mine_is_not_told_to_others(inside: Inside, routes: list[Route]) -> None:
    """Every reading route answers a stranger without the secrets of somebody who has some of everything."""
    ada, bob, eve = (inside.browser(f"192.0.2.{number}") for number in (31, 32, 33))
    ada.register("Ada-Private"), bob.register("Bob-Private")
    table = ada.table(match=False)["id"]
    bob.post(f"/api/tables/{table}/join")
    link = ada.table(opponent="link")
    token = ada.post("/api/account/tokens", {"label": "my label"})
    ada.post("/api/blocks", {"player": "Bob-Private"})
    ada.ask("PUT", "/api/following/Bob-Private")
    ada.post("/api/reports", {"player": "Bob-Private", "reason": "other", "comment": "my comment"})
    ada.post(f"/api/tables/{table}/seat-link")
    ada.ask("POST", f"/api/tables/{table}/phrases", {"id": "1", "phrase": "thanks"})
    secrets = [link["invite"], token["token"], ada.cookie, "my label", "my comment", '"thanks"']
    for route in routes:
        if route.method == "GET" and not route.is_stream:
            for value in (table, link["id"], "Ada-Private", "Bob-Private"):
                answer = eve.request("GET", route.url(value))
                assert not [secret for secret in secrets if secret in answer.text], route.path
                for mine in ("following", "blocks", "notifications", "entries", "tokens"):
                    content = answer.json() if "json" in answer.headers.get("content-type", "") else {}
                    assert not (
                        isinstance(content, dict) and isinstance(content.get(mine), list) and content[mine]
                    )
