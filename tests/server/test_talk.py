"""Phrases, blocks and reports: a blocked player is not heard, and cannot tell."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from taiji.cli import program
from tests.server.inside import Browser, Inside
from tests.waiting import wait_until


@pytest.fixture
def inside(tmp_path: Path) -> Iterator[Inside]:
    with Inside(f"sqlite:///{tmp_path / 'x.sqlite'}", rate_limit_scale=10).running() as server:
        yield server


def joined(ada: Browser, bob: Browser, **wish: Any) -> str:
    table: str = ada.table(colour="light", match=False, **wish)["id"]
    bob.post(f"/api/tables/{table}/join")
    return table


def say(browser: Browser, table: str, phrase: str, identity: str) -> tuple[int, Any]:
    return browser.ask("POST", f"/api/tables/{table}/phrases", {"id": identity, "phrase": phrase})


def said(browser: Browser, table: str) -> list[tuple[str, str]]:
    talk = browser.get(f"/api/tables/{table}/phrases")
    return [(one["seat"], one["phrase"]) for one in talk["phrases"]]


def receive(socket: Any, kind: str) -> Any:
    while (frame := socket.receive_json())["type"] != kind:
        pass
    return frame


def test_phrases_reach_both_players_once_and_no_spectator(inside: Inside) -> None:
    ada, bob, eve = inside.browser(), inside.browser(), inside.browser()
    table = joined(ada, bob)
    path = f"/ws/tables/{table}?protocol=2"
    with ada.socket(path) as one, bob.socket(path) as two, eve.socket(path) as three:
        for _ in range(2):  # sent again, because the acknowledgement was lost
            one.send_json({"type": "say", "id": "p1", "phrase": "good-luck"})
        assert receive(two, "phrase")["phrase"] == "good-luck"
        inside.time.advance(seconds=1)
        two.send_json({"type": "say", "id": "p2", "phrase": "thanks"})
        assert receive(two, "phrase")["seat"] == "second"
        said_here = [receive(one, "phrase") for _ in range(2)]
        assert [(frame["seat"], frame["phrase"]) for frame in said_here] == [
            ("first", "good-luck"),
            ("second", "thanks"),
        ]
        three.send_json({"type": "say", "id": "p3", "phrase": "hello"})
        frame = three.receive_json()
        while frame["type"] in ("snapshot", "presence"):
            frame = three.receive_json()
        assert frame["type"] == "error"  # and no phrase before it
        assert frame["error"]["code"] == "not-your-table"
    assert said(ada, table) == said(bob, table) == [("first", "good-luck"), ("second", "thanks")]
    assert eve.ask("GET", f"/api/tables/{table}/phrases") == (403, "not-your-table")


def test_only_presets_are_said_and_not_too_many(tmp_path: Path) -> None:
    with Inside(f"sqlite:///{tmp_path / 'y.sqlite'}").running() as server:
        ada, bob = server.browser(), server.browser()
        table = joined(ada, bob)
        assert say(ada, table, "you are slow", "x")[0] == 422
        codes = [say(ada, table, "hello", f"h{n}")[0] for n in range(8)]
        assert codes == [204] * 6 + [429] * 2
        waiting = ada.table()["id"]
        server.time.advance(minutes=5)
        assert say(ada, waiting, "hello", "w") == (409, "not-started")


def test_a_blocked_player_is_not_heard_and_sees_no_difference(inside: Inside) -> None:
    ada, bob, eve = inside.browser(), inside.browser(), inside.browser()
    ada.register("Blocker"), bob.register("Blocked"), eve.register("Eve")
    table = joined(ada, bob)
    pending = bob.post("/api/tables", {"game": "taiji:size=4", "opponent": "player", "player": "Blocker"})[
        "id"
    ]
    assert [one["id"] for one in ada.get("/api/my/tables?status=waiting")["tables"]] == [pending]
    block = ada.post("/api/blocks", {"table": table})
    assert block["name"] == "Blocked"
    assert ada.post("/api/blocks", {"player": "blocked"})["id"] == block["id"]
    assert ada.get("/api/my/tables?status=waiting")["tables"] == []

    with ada.socket(f"/ws/tables/{table}?protocol=2") as one:
        assert say(bob, table, "hello", "b1") == (204, None)
        inside.time.advance(seconds=1)
        assert say(ada, table, "good-luck", "a1") == (204, None)
        assert receive(one, "phrase")["phrase"] == "good-luck"
    assert said(bob, table) == [("second", "hello"), ("first", "good-luck")]
    assert said(ada, table) == [("first", "good-luck")]
    assert ada.get(f"/api/tables/{table}/phrases")["blocked"] is True
    assert bob.get(f"/api/tables/{table}/phrases")["blocked"] is False

    wish = {"game": "taiji:size=4", "opponent": "player", "player": "Blocker"}
    answers = [bob.post("/api/tables", wish), eve.post("/api/tables", wish)]
    shapes = [
        {key: value for key, value in answer.items() if key not in ("id", "seats", "your_seat", "match")}
        for answer in answers
    ]
    assert shapes[0] == shapes[1]
    waiting = ada.get("/api/my/tables?status=waiting")["tables"]
    assert [one["id"] for one in waiting] == [answers[1]["id"]]
    wait_until(lambda: challenges(ada) == [answers[1]["id"]], "the challenge is not told")
    # Nobody can take the seat of the challenge that was not told.
    assert ada.ask("POST", f"/api/tables/{answers[0]['id']}/join") == (403, "not-your-table")

    assert ada.request("DELETE", f"/api/blocks/{block['id']}").status_code == 204
    assert said(ada, table) == [("second", "hello"), ("first", "good-luck")]
    assert bob.request("DELETE", f"/api/blocks/{block['id']}").status_code == 404


def challenges(browser: Browser) -> list[str]:
    found = browser.get("/api/notifications")["notifications"]
    return [one["table"] for one in found if one["kind"] == "challenge"]


def test_a_block_does_not_change_the_time_of_an_answer(tmp_path: Path) -> None:
    """The same statements run in both cases; medians of many answers are compared, generously."""
    with Inside(f"sqlite:///{tmp_path / 'z.sqlite'}", rate_limit_scale=1000).running() as server:
        ada, bob, eve = server.browser(), server.browser(), server.browser()
        tables = [joined(ada, one) for one in (bob, eve)]
        ada.post("/api/blocks", {"table": tables[0]})
        times: dict[int, list[float]] = {0: [], 1: []}
        for n in range(38):
            for index, browser in enumerate((bob, eve)):
                began = time.perf_counter()
                assert say(browser, tables[index], "hello", f"t{n}")[0] == 204
                times[index].append(time.perf_counter() - began)
        blocked, free = (statistics.median(times[index]) for index in (0, 1))
        assert blocked < 3 * free
        assert free < 3 * blocked


def test_a_block_outlives_the_registration_of_a_guest(inside: Inside) -> None:
    ada, bob = inside.browser(), inside.browser()
    table = joined(ada, bob)
    ada.post("/api/blocks", {"table": table})
    ada.register("Was-Guest"), bob.register("Was-Rude")
    assert say(bob, table, "hello", "1") == (204, None)
    assert said(ada, table) == []
    wish = {"game": "taiji:size=4", "opponent": "player", "player": "Was-Guest"}
    bob.post("/api/tables", wish)
    assert ada.get("/api/my/tables?status=waiting")["tables"] == []


def test_bad_targets(inside: Inside) -> None:
    ada, bob, eve = inside.browser(), inside.browser(), inside.browser()
    ada.register("Alone")
    table = joined(ada, bob)
    assert ada.ask("POST", "/api/blocks", {"player": "Nobody-Here"}) == (404, "not-found")
    assert ada.ask("POST", "/api/blocks", {"player": "Alone"}) == (403, "own-table")
    assert ada.ask("POST", "/api/blocks", {}) == (422, "bad-request")
    assert ada.ask("POST", "/api/blocks", {"player": "Alone", "table": table}) == (422, "bad-request")
    assert eve.ask("POST", "/api/blocks", {"table": table}) == (403, "not-your-table")
    assert ada.ask("POST", "/api/reports", {"table": table, "reason": "ugly"}) == (422, "bad-request")


def test_reports_reach_the_operator_and_the_log(inside: Inside) -> None:
    ada, bob = inside.browser(), inside.browser()
    ada.register("Witness"), bob.register("Suspect")
    table = joined(ada, bob)
    for _ in range(2):  # the same report again changes nothing
        body = {"table": table, "reason": "stalling", "comment": "never moves"}
        assert ada.post("/api/reports", body) == {"received": True}
    url = inside.context.settings.database_url

    def admin(*arguments: str) -> str:
        options = ["admin", f"--database-url={url}", "--by=op"]
        result = CliRunner().invoke(program, [*options, *arguments])
        assert result.exit_code == 0, result.output
        return result.output

    (report,) = [json.loads(line) for line in admin("reports", "--json").splitlines()]
    assert (report["reporter"], report["reported"], report["table"]) == ("Witness", "Suspect", table)
    assert (report["reason"], report["comment"]) == ("stalling", "never moves")
    assert "Witness reports Suspect" in admin("reports")
    admin("close-report", str(report["id"]), "--reason", "warned")
    assert admin("reports") == ""
    assert "Suspect" in admin("reports", "--closed")
    log = [json.loads(line) for line in admin("log", "--json").splitlines()]
    assert [(entry["action"], entry["actor"]) for entry in log[:2]] == [
        ("close-report", "op"),
        ("report", "owner"),
    ]
    # Neither an answer nor the export tells the suspect who reported what.
    assert "stalling" not in bob.request("GET", "/api/me/export").text
    assert "stalling" in ada.request("GET", "/api/me/export").text


def test_reports_are_limited(tmp_path: Path) -> None:
    with Inside(f"sqlite:///{tmp_path / 'r.sqlite'}").running() as server:
        ada, bob = server.browser(), server.browser()
        table = joined(ada, bob)
        body = {"table": table, "reason": "other"}
        codes = [ada.ask("POST", "/api/reports", body)[0] for _ in range(12)]
        assert codes == [201] * 10 + [429] * 2
