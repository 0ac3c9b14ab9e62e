"""Requests: which hosts and origins are answered, which proxies believed, and the headers of every answer."""

from __future__ import annotations

import socket
from pathlib import Path

import httpx
import pytest

from taiji.server.identity.origins import is_allowed_host, parse_origin
from taiji.server.settings import ServerSettings
from taiji.server.web.middleware import SECURITY_HEADERS
from tests.cli.run import refusal
from tests.server.inside import Inside, TestClient, WebSocketDenialResponse, drain, open_socket

FOREIGN_ORIGIN = 4403


def assert_complete(answer: httpx.Response) -> None:
    for name, value in SECURITY_HEADERS.items():
        assert answer.headers.get(name) == value, f"{answer.status_code}: {name}"


# --- hosts ------------------------------------------------------------------------------------------------

MACHINE = socket.gethostname().lower()


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8321",
        "LOCALHOST.",
        "app.localhost",
        "127.0.0.1:8321",
        "192.168.1.20:8321",
        "[::1]:8321",
        "[fe80::1]",
        MACHINE,
        f"{MACHINE.partition('.')[0]}.local:8321",
        "games.example",
        "other.example:443",
    ],
)
def test_hosts_that_are_answered(host: str) -> None:
    settings = ServerSettings(
        "", public_url="https://games.example", allowed_hosts=frozenset({"other.example"})
    )
    assert is_allowed_host(host, settings)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "games.example.evil.example",
        "evil.example:8321",
        "127.0.0.1.evil.example",
        "localhost@evil.example",
        "localhost evil",
        "localhost:port",
        "localhost:123456",
        "[",
        "[::1",
        "[x]",
        "a/b",
        "http://localhost",
        "\xe9.example",
        "localhost\x00",
    ],
)
def test_hosts_that_are_refused(host: str) -> None:
    assert not is_allowed_host(host, ServerSettings("", public_url="https://games.example"))
    assert is_allowed_host("evil.example", ServerSettings("", allowed_hosts=frozenset({"*"})))


def test_a_page_that_rebinds_its_name_reads_nothing(inside: Inside) -> None:
    for path in ("/", "/api/me", "/api/games", "/api/health", "/nothing.js"):
        answer = inside.client("192.0.2.1", "http", "evil.example:8321").get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (421, "unknown-host")
        assert "set-cookie" not in answer.headers
        assert_complete(answer)
    with (
        pytest.raises(WebSocketDenialResponse) as denied,
        open_socket(inside.client("192.0.2.1", "http", "evil.example"), "/ws/lobby"),
    ):
        pass
    assert denied.value.status_code == 421
    assert_complete(denied.value)
    assert inside.context.rate_limiter.refused["unknown-host"] >= 6


# --- origins ----------------------------------------------------------------------------------------------

FOREIGN = [
    "https://localhost:8321",
    "http://localhost",
    "http://localhost:8322",
    "http://evil.example",
    "null",
    "",
    "*",
    "http://localhost:8321@evil.example",
    "http://evil.example@localhost:8321",
    "http://[",
    "http://[::1",
    "http://]",
    "http://localhost:8321.evil.example",
    "http://localhost:8321/",
    "http://localhost:8321/x",
    "http://localhost:8321?x",
    "file://localhost:8321",
    "ws://localhost:8321",
    "localhost:8321",
    "http://localhost:99999999",
    "http://localhost:8321 ",
    "http://localhost:8321, http://evil.example",
    "http://loc\xe4lhost:8321",
]


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_foreign_origin_changes_nothing_and_gets_no_socket(inside: Inside, origin: str) -> None:
    browser = inside.browser()
    header = origin.encode("latin-1")
    answer = browser.request(
        "POST", "/api/tables", json={"game": "taiji", "opponent": "open"}, headers={"Origin": header}
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign-origin")
    assert_complete(answer)
    with browser.socket("/ws/lobby", Origin=header) as refused:
        assert drain(refused) == FOREIGN_ORIGIN


@pytest.mark.parametrize("origin", ["http://localhost:8321", "HTTP://LOCALHOST:8321", None])
def test_the_own_origin_and_a_program_without_one_are_answered(inside: Inside, origin: str | None) -> None:
    browser = inside.browser()
    headers = {} if origin is None else {"Origin": origin}
    body = {"game": "taiji", "opponent": "open"}
    assert browser.ask("POST", "/api/tables", body, headers=headers)[0] == 201
    crossed = {**headers, "Sec-Fetch-Site": "cross-site"}
    assert browser.ask("POST", "/api/tables", body, headers=crossed)[0] == (403 if origin is None else 201)


def test_an_origin_in_its_normal_form() -> None:
    assert parse_origin("https://Games.Example") == parse_origin("https://games.example:443")
    assert parse_origin("http://games.example") != parse_origin("https://games.example")
    assert parse_origin("http://[::1]:8321") == "http://[::1]:8321"


def test_the_csrf_token_is_that_of_the_session(inside: Inside) -> None:
    ada, eve = inside.browser(), inside.browser()
    body = {"game": "taiji", "opponent": "open"}
    for forged in ("", "guess", eve.client.headers["X-CSRF-Token"], ada.cookie, "\xe9"):
        headers = {"X-CSRF-Token": forged.encode("latin-1")}
        assert ada.ask("POST", "/api/tables", body, headers=headers) == (403, "csrf")
    for path, method in (("/api/me", "PATCH"), ("/api/account", "POST"), ("/api/session", "POST")):
        answer = ada.request(method, path, json={}, headers={"X-CSRF-Token": "guess"})
        assert answer.status_code in (403, 422)
    assert ada.ask("DELETE", "/api/session", headers={"X-CSRF-Token": "guess"}) == (403, "csrf")
    assert ada.ask("DELETE", "/api/sessions", headers={"X-CSRF-Token": "guess"}) == (403, "csrf")


# --- headers ----------------------------------------------------------------------------------------------


def test_every_answer_has_the_security_headers(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = inside.browser()
    client = browser.client
    big = b"x" * 300_000
    for status, answer in (
        (200, client.get("/api/games")),
        (200, client.get("/")),
        (404, client.get("/api/nothing")),
        (404, client.get("/nothing.js")),
        (405, client.put("/api/me")),
        (400, client.post("/api/tables", content=b"{", headers=browser.headers_of_change())),
        (422, client.post("/api/tables", content=b"{}", headers=browser.headers_of_change())),
        (413, client.post("/api/records", content=big)),
        (414, client.get("/" + "a" * 5000)),
        (400, client.get("/a%00b.txt")),
    ):
        assert answer.status_code == status, answer.url
        assert_complete(answer)
    assert client.get("/api/games").headers["Cache-Control"]
    assert client.get("/api/nothing").headers["Cache-Control"] == "no-store"

    def fail(*_: object) -> None:
        raise ZeroDivisionError("a secret of the server")

    monkeypatch.setattr(inside.context.listings, "live", fail)
    answer = client.get("/api/live")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "failed")
    assert "secret" not in answer.text
    assert_complete(answer)
    with pytest.raises(WebSocketDenialResponse) as denied, open_socket(client, "/ws/nothing"):
        pass
    assert denied.value.status_code == 404
    assert_complete(denied.value)


def test_https_only_is_told_on_request_and_only_over_https(tmp_path: Path) -> None:
    def hsts(client: TestClient) -> str | None:
        value: str | None = client.get("/api/nothing").headers.get("Strict-Transport-Security")
        return value

    with Inside(f"sqlite:///{tmp_path / 'x.sqlite'}", hsts_s=86_400).running() as inside:
        assert hsts(inside.client("192.0.2.1", "https", "localhost")) == "max-age=86400; includeSubDomains"
        assert hsts(inside.client("192.0.2.1", "http", "localhost")) is None
    with Inside(f"sqlite:///{tmp_path / 'y.sqlite'}").running() as inside:
        assert hsts(inside.client("192.0.2.1", "https", "localhost")) is None


def test_no_header_is_made_of_a_request(inside: Inside) -> None:
    """Neither CR and LF in a path nor in a name reach a header or the log."""
    browser = inside.browser()
    for path in ("/%0d%0aSet-Cookie:%20a=b", "/api/qr.svg?path=/%0d%0aX:%20y", "/api/ratings/a%0d%0ab"):
        answer = browser.request("GET", path)
        assert answer.status_code < 500
        assert not {"set-cookie", "x"} & set(answer.headers)
        assert_complete(answer)


# --- settings ---------------------------------------------------------------------------------------------


def test_settings_that_make_no_sense_are_one_line() -> None:
    for name in ("games.example:80", "http://games.example", "a b", ""):
        assert "not a host name" in refusal("serve", "--allowed-host", name)
    for proxy in ("proxy.example", "*", "10.0.0.1/8", ""):
        assert "not an address or network" in refusal("serve", "--trusted-proxy", proxy)
