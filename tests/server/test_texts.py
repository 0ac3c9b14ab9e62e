"""Texts of strangers: NUL and lone surrogates are refused at the edge, on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from taiji.server.contract.errors import ApiError
from taiji.server.web.request_checks import check_json_text, has_bad_text
from taiji.server.web.sockets import InvalidFrame, read_frame
from tests.server.inside import Inside, drain

BAD = [r"a\u0000b", r"\ud800", r"\udfffx", r"\uDBFF\u0041", r"\udc00\ud800"]
FIELDS = [
    ("PATCH", "/api/me", '{{"name": "{0}"}}'),
    ("PATCH", "/api/me", '{{"{0}": 1}}'),
    ("POST", "/api/account", '{{"name": "{0}", "password": "long enough to do"}}'),
    ("POST", "/api/account", '{{"name": "ada", "password": "long enough {0}"}}'),
    ("POST", "/api/session", '{{"name": "{0}", "password": "x"}}'),
    ("POST", "/api/session", '{{"name": "ada", "password": "{0}"}}'),
    ("POST", "/api/account/tokens", '{{"label": "{0}"}}'),
    ("POST", "/api/tables", '{{"game": "{0}"}}'),
    ("POST", "/api/tables", '{{"game": "taiji", "opponent": "player", "player": "{0}"}}'),
    ("POST", "/api/tables", '{{"game": "taiji", "clock": {{"clock_type": "{0}"}}}}'),
    ("POST", "/api/join", '{{"secret": "{0}"}}'),
    ("POST", "/api/qr.svg", '{{"path": "/{0}"}}'),
    ("POST", "/api/records", '{{"text": "{0}"}}'),
    ("POST", "/api/records", '{{"game": "taiji", "moves": ["{0}"]}}'),
    ("POST", "/api/records", '{{"game": "taiji", "names": {{"first": "{0}"}}}}'),
    ("POST", "/api/analyse", '{{"game": "taiji", "moves": ["{0}"]}}'),
    ("POST", "/api/reviews", '{{"table": "{0}"}}'),
    ("POST", "/api/tournaments", '{{"name": "{0}", "game": "taiji"}}'),
    ("POST", "/api/tables/TABLE/move", '{{"id": "{0}", "ply": 0, "move": 0}}'),
    ("POST", "/api/tables/TABLE/move", '{{"id": "1", "ply": 0, "move": "{0}"}}'),
    ("POST", "/api/tables/TABLE/resign", '{{"id": "{0}"}}'),
]
PATHS = [
    "/a%00b.txt",
    "/api/tables/%00",
    "/api/records/a%00",
    "/api/ratings/a%00b",
    "/api/ratings/ada?game=a%00b",
    "/api/game-definition?game=%00",
    "/api/my/tables?status=%00",
    "/api/reviews/%00",
    "/api/account/tokens%00",
]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def inside(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server on either database."""
    url = f"sqlite:///{tmp_path_factory.mktemp('texts') / 'x.sqlite'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres").new_database()
    with Inside(url).running() as server:
        yield server


def test_no_field_of_any_request_takes_them(inside: Inside) -> None:
    browser = inside.browser()
    table = browser.table()
    for method, path, body in FIELDS:
        for bad in BAD:
            answer = browser.request(
                method,
                path.replace("TABLE", table["id"]),
                content=body.format(bad).encode(),
                headers={"Content-Type": "application/json"},
            )
            code = answer.json()["error"]["code"]
            assert (answer.status_code, code) == (400, "bad-text"), f"{path} {body.format(bad)}"


def test_no_path_takes_them(inside: Inside) -> None:
    browser = inside.browser()
    for path in PATHS:
        for method in ("GET", "POST", "DELETE"):
            answer = browser.request(method, path)
            assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad-text"), path


def test_a_frame_with_them_harms_nobody_at_the_table(inside: Inside) -> None:
    ada, bob = inside.browser(), inside.browser()
    table = ada.table(colour="light")
    bob.post(f"/api/tables/{table['id']}/join")
    path = f"/ws/tables/{table['id']}?protocol=2"
    with ada.socket(path) as own, bob.socket(path) as other:
        for bad in BAD[:2]:
            own.send_text(f'{{"type": "move", "id": "{bad}", "ply": 0, "move": 0}}')
            assert error_code(own) == "bad-text"
        resign(other)
        own.send_text('{"type": "move", "id": "x", "ply": 0, "move": "\\u0000"}')
        assert error_code(own) == "bad-text"
        assert drain(own) == 4400
    assert ada.get(f"/api/tables/{table['id']}")["status"] == "over"


def resign(socket: Any) -> None:
    """Resign, again as the page does if a busy server could not renew its lease just then."""
    order = {"type": "resign", "id": "fine"}
    socket.send_json(order)
    while (frame := socket.receive_json()).get("event_type") != "end":
        if frame["type"] == "error":
            assert frame["error"]["code"] == "unavailable", frame
            socket.send_json(order)


def error_code(socket: Any) -> str:
    while (frame := socket.receive_json())["type"] != "error":
        pass
    code: str = frame["error"]["code"]
    return code


def test_ordinary_texts_of_every_script_pass(inside: Inside) -> None:
    browser = inside.browser()
    record = {"game": "taiji:size=3", "moves": [0], "names": {"first": "阿达 😀", "second": "Ольга"}}
    made = browser.post("/api/records", record)
    assert browser.get(f"/api/records/{made['id']}")["names"] == record["names"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ('{"a": "\\u0000"}'.encode("utf-16-le"), "bad-text"),
        ('{"a": "\\u0000"}'.encode("utf-16"), "bad-json"),
        ('{"a": "\\u0000"}'.encode("utf-32-be"), "bad-text"),
        (b'{"a": "\xed\xa0\x80"}', "bad-json"),
        (b'{"a": "\x00"}', "bad-text"),
        (b"\xff", "bad-json"),
        (b'[[{"b": ["\\uD800"]}]]', "bad-text"),
        (b'{"\\u0000": 1}', "bad-text"),
    ],
)
def test_no_encoding_hides_them(body: bytes, code: str) -> None:
    with pytest.raises(ApiError) as refused:
        check_json_text(body)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "body", [b"", b"{", b'"\\ud83d\\ude00"', b'"\\\\u0000"', b'"\\\\ud800"', "é".encode(), b"\\u0000"]
)
def test_what_is_left_to_the_routes(body: bytes) -> None:
    check_json_text(body)


def test_deep_data_is_searched_without_recursion() -> None:
    data: Any = "\x00"
    for _ in range(100_000):
        data = [data]
    assert has_bad_text(data)
    assert not has_bad_text([1, None, 2.5, True, "x", {"a": ["b"]}])


@pytest.mark.parametrize(
    "text", ['{"type": "\\ud800"}', '{"type": "move", "\\ud800": 1}', '{"id": "\\u0000"}']
)
def test_frames_are_checked_before_they_are_read(text: str) -> None:
    frame = read_frame(text)
    assert isinstance(frame, InvalidFrame)
    assert frame.error.code == "bad-text"
    assert frame.id is None
