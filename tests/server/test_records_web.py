"""Records that people bring, and downloads of games."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from taiji.notation import parse_record
from tests.server.running import Visitor
from tests.server.test_play import by_link

Make = Callable[[], Visitor]

TEXT = """[Light "Ada"]
[Dark "Bob"]
[Game "taiji:size=3"]

1. a1/a2 b1/b2 2. c1/c2 a3/b3 *

[Game "taiji:size=2"]

1. a1/a2 *
"""


def test_a_record_is_brought_and_given_back(visitor: Make) -> None:
    ada, bob = visitor(), visitor()
    record = ada.post("/api/records", {"text": TEXT}, 201)
    assert (record["game"], record["games"], record["over"]) == ("taiji:size=3", 2, True)
    assert record["names"] == {"first": "Ada", "second": "Bob"}
    assert [move["text"] for move in record["moves"]] == ["a1/a2", "b1/b2", "c1/c2", "a3/b3"]
    assert bob.get(f"/api/records/{record['id']}") == {**record, "games": 1}
    second = ada.post("/api/records", {"text": TEXT, "index": 1}, 201)
    assert (second["game"], second["names"]["first"]) == ("taiji:size=2", None)


def test_a_local_game_becomes_a_record(visitor: Make) -> None:
    ada = visitor()
    body = {"game": "taiji:size=3", "moves": [0, "c1/c2"], "names": {"first": "Ada"}}
    record = ada.post("/api/records", body, 201)
    text = ada.client.get(f"/api/records/{record['id']}/record.tji")
    parsed = parse_record(text.text)
    assert parsed.tag("Light") == "Ada"
    assert len(parsed.steps) == 2
    assert "attachment" in text.headers["content-disposition"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"text": "nonsense"}, 400, "bad-record"),
        ({"text": TEXT.replace("b1/b2", "a1/b1")}, 400, "bad-record"),
        ({"text": TEXT, "index": 9}, 400, "bad-record"),
        ({"text": TEXT, "game": "taiji"}, 422, "bad-request"),
        ({}, 422, "bad-request"),
        ({"game": "chess"}, 400, "bad-record"),
        ({"game": "taiji", "moves": [0, 0]}, 400, "bad-record"),
        ({"game": "taiji", "moves": ["?"]}, 400, "bad-move"),
    ],
)
def test_a_bad_record_says_what_is_wrong(
    visitor: Make, body: dict[str, object], status: int, code: str
) -> None:
    ada = visitor()
    answer = ada.client.post("/api/records", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_names_of_a_foreign_file_are_shown_without_what_cannot_be_seen(visitor: Make) -> None:
    light = "\u202eadA\u200b" + "e" + "\u0301" * 9
    tags = {"Game": "taiji:size=3", "Light": light, "Dark": "x" * 500, "Date": "2026.01.02\u2066"}
    text = "".join(f'[{tag} "{value}"]\n' for tag, value in tags.items()) + "\n1. c1/c2 *\n"
    record = visitor().post("/api/records", {"text": text}, 201)
    assert record["names"] == {"first": "adA \u00e9\u0301\u0301", "second": "x" * 60}
    assert record["date"] == "2026.01.02"


def test_a_record_that_begins_in_the_middle_can_be_reviewed(visitor: Make) -> None:
    from taiji.notation import format_position
    from taiji.rules import parse_game

    ada = visitor()
    game = parse_game("taiji:size=3")
    start = game.start().play(game.placements[0])
    text = f'[Game "taiji:size=3"]\n[Position "{format_position(start)}"]\n\n1... c1/c2 *\n'
    record = ada.post("/api/records", {"text": text}, 201)
    assert record["start"] == format_position(start)
    review = ada.post("/api/reviews", {"record": record["id"], "depth": "quick"}, 202)
    assert review["total"] == 2
    ada.client.delete(f"/api/reviews/{review['id']}")


def test_every_download_of_a_game_that_goes_on(visitor: Make) -> None:
    ada, bob = visitor(), visitor()
    table = by_link(
        ada, bob, game="taiji:size=4", clock={"clock_type": "fischer", "main_s": 60, "increment_s": 1}
    )
    ada.act(table["id"], "move", ply=0, move="a1/a2")
    bob.act(table["id"], "move", ply=1, move="c1/c2")
    base = f"/api/tables/{table['id']}"
    record = parse_record(ada.client.get(f"{base}/record.tji").text)
    assert record.steps[0].clock is not None
    assert record.tag("TimeControl")
    svg = ada.client.get(f"{base}/board.svg", params={"ply": 1})
    assert svg.headers["content-type"].startswith("image/svg")
    assert "<svg" in svg.text
    assert ada.client.get(f"{base}/board.png", params={"size": 200}).content.startswith(b"\x89PNG")
    gif = ada.client.get(f"{base}/game.gif", params={"size": 150})
    assert gif.status_code == 200, gif.text
    assert gif.content.startswith(b"GIF8")
    assert ada.refused(f"{base}/board.svg?theme=neon", method="GET") == (404, "not-found")
    assert ada.refused("/api/records/unknown/board.svg", method="GET") == (404, "not-found")


def test_a_resigned_game_says_so_in_its_record(visitor: Make) -> None:
    ada, bob = visitor(), visitor()
    table = by_link(ada, bob)
    bob.act(table["id"], "resign")
    text = ada.client.get(f"/api/tables/{table['id']}/record.tji").text
    assert '[Termination "resigned"]' in text
    assert '[Result "1-0"]' in text


def test_a_qr_code_is_an_svg_without_style(visitor: Make) -> None:
    ada = visitor()
    code = ada.client.get("/api/qr.svg", params={"path": "/game/abc"})
    assert code.headers["content-type"].startswith("image/svg")
    assert "style" not in code.text
    private = ada.client.post("/api/qr.svg", json={"path": "/join#" + "x" * 32})
    assert private.status_code == 200
    assert ada.refused("/api/qr.svg?path=https://evil.example", method="GET") == (422, "bad-request")
