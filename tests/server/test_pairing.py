"""One tap to play: two who want the same game meet, also at the same moment and at two servers."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import Any

from tests.server.inside import Browser, Inside
from tests.server.nats import Nats
from tests.server.postgres import Postgres
from tests.server.test_cluster import Pair
from tests.server.test_people import people
from tests.waiting import wait_until

WISH = {"game": "taiji:size=4", "clock": {"clock_type": "fischer", "main_s": 300, "increment_s": 5}}


def pair(browser: Browser, identity: str = "p", **wish: Any) -> Any:
    return browser.post("/api/pair", {"id": identity, **WISH, **wish})


def attended(browser: Browser, table: Any, stack: ExitStack) -> None:
    """Stay at a table, as its page does."""
    socket = stack.enter_context(browser.socket(f"/ws/tables/{table['id']}?protocol=2"))
    assert socket.receive_json()["type"] == "snapshot"


def test_the_second_joins_the_first(alone: Inside) -> None:
    ada, bob, eve = (alone.browser(f"192.0.2.{number}") for number in (1, 2, 3))
    waiting = pair(ada)
    assert (waiting["status"], waiting["opponent"], waiting["match"]) == ("waiting", "open", None)
    assert pair(ada, "another tap")["id"] == waiting["id"]
    assert pair(eve, game="taiji:size=5")["id"] != waiting["id"]
    joined = pair(bob, "q")
    assert (joined["id"], joined["status"]) == (waiting["id"], "playing")
    # The same request leads to the same table, also when its answer was lost.
    assert pair(bob, "q")["id"] == waiting["id"]
    assert pair(ada)["id"] == waiting["id"]
    assert pair(ada, "next")["status"] == "waiting"


def test_a_table_says_who_may_join_it(alone: Inside) -> None:
    ada, bob, eve = people(alone, "ada", "bob", "eve")
    guest = alone.browser("192.0.2.9")
    for opponent, may_join in (("open", [bob, eve, guest]), ("player", [bob]), ("link", [])):
        player = {"player": "bob"} if opponent == "player" else {}
        table = ada.post("/api/tables", {"game": "taiji:size=4", "opponent": opponent, **player})["id"]
        said = [one for one in (ada, bob, eve, guest) if one.get(f"/api/tables/{table}")["joinable"]]
        assert said == may_join
        refused = [one for one in (eve, guest) if one not in may_join]
        assert all(one.ask("POST", f"/api/tables/{table}/join")[1] == "not-your-table" for one in refused)
        if may_join:
            assert may_join[0].post(f"/api/tables/{table}/join")["joinable"] is False
            assert guest.get(f"/api/tables/{table}")["joinable"] is False


def test_a_challenge_of_the_form_is_joined_too(alone: Inside) -> None:
    ada, bob = alone.browser("192.0.2.1"), alone.browser("192.0.2.2")
    challenge = ada.table(clock=WISH["clock"], match=False, colour="dark")
    assert ada.table(clock=WISH["clock"], match=True)["id"] != challenge["id"]
    assert pair(bob)["id"] == challenge["id"]


def test_nobody_is_paired_with_somebody_who_has_left(alone: Inside) -> None:
    ada, bob, eve = (alone.browser(f"192.0.2.{number}") for number in (1, 2, 3))
    left = pair(ada)
    alone.time.advance(seconds=11)
    with ExitStack() as stack:
        waiting = pair(bob)
        assert waiting["id"] != left["id"]
        attended(bob, waiting, stack)
        alone.time.advance(minutes=5)
        assert pair(eve)["id"] == waiting["id"]


def test_whoever_chooses_another_game_waits_for_that_only(alone: Inside) -> None:
    ada, bob = alone.browser("192.0.2.1"), alone.browser("192.0.2.2")
    first = pair(ada)
    second = pair(ada, "two", game="taiji:size=5")
    assert ada.get(f"/api/tables/{first['id']}")["result"]["ended_by"] == "aborted"
    assert pair(bob)["id"] not in (first["id"], second["id"])
    # Cancelling is aborting.
    assert ada.ask("POST", f"/api/tables/{second['id']}/abort", {"id": "a"})[0] == 200
    assert pair(bob, "three", game="taiji:size=5")["status"] == "waiting"


def test_rated_pairings_need_an_account(alone: Inside) -> None:
    ada, bob = alone.browser("192.0.2.1"), alone.browser("192.0.2.2")
    assert ada.ask("POST", "/api/pair", {"id": "p", **WISH, "rated": True}) == (401, "no-account")
    ada.register("ada")
    waiting = pair(ada, rated=True)
    assert pair(bob)["id"] != waiting["id"]


def test_bad_requests_and_the_limit(alone: Inside) -> None:
    ada = alone.browser()
    assert ada.ask("POST", "/api/pair", {"id": "p", "game": "no-such-game"}) == (400, "bad-game")
    assert ada.ask("POST", "/api/pair", {"game": "taiji"}) == (422, "bad-request")
    assert ada.ask("POST", "/api/pair", {"id": "p", "game": "taiji", "more": 1}) == (422, "bad-request")
    answers = [ada.request("POST", "/api/pair", json={"id": "p", **WISH}) for _ in range(61)]
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) > 0


def at_once(browsers: list[Browser]) -> list[Any]:
    """Let all tap at the same moment."""
    answers: list[Any] = [None] * len(browsers)
    gate = threading.Barrier(len(browsers))

    def tap(number: int) -> None:
        gate.wait()
        answers[number] = pair(browsers[number], f"tap {number}")

    threads = [threading.Thread(target=tap, args=(number,)) for number in range(len(browsers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def meetings(browsers: list[Browser], answers: list[Any]) -> list[str]:
    """Return how many sit at each table."""
    found = [
        browser.get(f"/api/tables/{answer['id']}") for browser, answer in zip(browsers, answers, strict=True)
    ]
    return sorted(one["status"] for one in found)


def test_six_at_once_make_three_games(alone: Inside) -> None:
    browsers = [alone.browser(f"192.0.2.{number}") for number in range(1, 7)]
    answers = at_once(browsers)
    assert len({answer["id"] for answer in answers}) == 3
    assert meetings(browsers, answers) == ["playing"] * 6


def test_at_once_at_two_servers(postgres: Postgres, nats: Nats) -> None:
    with ExitStack() as stack:
        servers = Pair(postgres.new_database(), nats, stack)
        one, two = servers.one, servers.two
        for server in (one, two):  # which prepares a route when it is first asked for
            assert server.browser("192.0.8.1").ask("POST", "/api/pair", {}) == (422, "bad-request")
        for turn in range(3):
            browsers = [
                server.browser(f"192.0.{turn}.{number}") for number, server in enumerate((one, two, one, two))
            ]
            answers = at_once(browsers)
            assert len({answer["id"] for answer in answers}) == 2, answers
            assert meetings(browsers, answers) == ["playing"] * 4
        # Who is online at one server is known at the other.
        ada, bob = one.browser("192.0.9.1"), two.browser("192.0.9.2")
        ada.register("ada")
        bob.ask("PUT", "/api/following/ada")
        with bob.socket("/ws/lobby") as lobby:
            assert not lobby.receive_json()["following"][0]["online"]
            with ada.socket("/ws/lobby") as socket:
                socket.receive_json()
                wait_until(
                    lambda: bob.get("/api/players/ada")["online"], "ada is not online at the other server"
                )
                while not lobby.receive_json()["following"][0]["online"]:
                    pass
