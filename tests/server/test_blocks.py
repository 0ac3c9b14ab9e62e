"""Blocks: two players of whom one blocked the other do not meet, and neither answers nor lists tell."""

from __future__ import annotations

from contextlib import ExitStack

from tests.server.inside import Browser, Inside
from tests.server.nats import Nats
from tests.server.postgres import Postgres
from tests.server.test_cluster import Pair
from tests.server.test_pairing import pair
from tests.server.test_people import people
from tests.waiting import wait_until

GAME = "taiji:size=4"


def block(blocker: Browser, name: str) -> str:
    made: str = blocker.post("/api/blocks", {"player": name})["id"]
    return made


def challenged(browser: Browser) -> list[str]:
    return [one["id"] for one in browser.get("/api/challenges")["challenges"]]


def test_one_tap_does_not_pair_those_who_are_apart(alone: Inside) -> None:
    """Neither direction, also for tables made before the block, and the next who taps meets both."""
    ada, bob, eve, gus = people(alone, "ada", "bob", "eve", "gus")
    block(ada, "bob")
    first = pair(ada)
    alone.time.advance(seconds=1)
    second = pair(bob)
    assert (second["id"] != first["id"], second["status"]) == (True, "waiting")
    assert second.keys() == first.keys()  # as if nobody else waited
    assert pair(eve)["id"] == first["id"]
    third = pair(ada, "again")
    assert (third["id"] != second["id"], third["status"]) == (True, "waiting")  # the blocker neither
    assert {pair(gus)["id"], pair(eve, "again")["id"]} == {second["id"], third["id"]}


def test_after_the_block_is_lifted_they_meet(alone: Inside) -> None:
    ada, bob = people(alone, "ada", "bob")
    identity = block(ada, "bob")
    waiting = pair(ada)
    assert ada.request("DELETE", f"/api/blocks/{identity}").status_code == 204
    assert pair(bob)["id"] == waiting["id"]


def test_a_block_between_guests_holds_after_they_register(alone: Inside) -> None:
    ada, bob = alone.browser("192.0.2.1"), alone.browser("192.0.2.2")
    table = ada.table(match=False)["id"]
    bob.post(f"/api/tables/{table}/join")
    ada.post("/api/blocks", {"table": table})
    waiting = pair(ada)  # as a guest, who registers then
    ada.register("ada"), bob.register("bob")
    assert bob.ask("POST", f"/api/tables/{waiting['id']}/join") == (409, "taken")
    assert challenged(bob) == []
    assert pair(bob)["id"] != waiting["id"]


def test_open_challenges_are_not_shown_to_those_who_are_apart(alone: Inside) -> None:
    ada, bob, eve = people(alone, "ada", "bob", "eve")
    open_table = ada.table()["id"]
    others = bob.table()["id"]
    with bob.socket("/ws/lobby") as lobby, eve.socket("/ws/lobby") as reading:
        shown = {one["id"] for one in lobby.receive_json()["challenges"]}
        assert shown == {one["id"] for one in reading.receive_json()["challenges"]} == {open_table, others}
        block(ada, "bob")
        # As if somebody else had taken the seat, in lists and when it is tried.
        while {one["id"] for one in lobby.receive_json()["challenges"]} != {others}:
            pass
        assert bob.ask("POST", f"/api/tables/{open_table}/join") == (409, "taken")
    assert (challenged(bob), challenged(ada)) == ([others], [open_table])
    assert set(challenged(eve)) == {open_table, others}
    assert ada.ask("POST", f"/api/tables/{others}/join") == (409, "taken")
    assert eve.ask("POST", f"/api/tables/{open_table}/join")[0] == 200


def test_a_block_ends_the_challenges_in_both_directions(alone: Inside) -> None:
    ada, bob = people(alone, "ada", "bob")
    asked = ada.post("/api/tables", {"game": GAME, "opponent": "player", "player": "bob"})["id"]
    block(ada, "bob")
    assert bob.get(f"/api/tables/{asked}")["result"]["ended_by"] == "aborted"
    assert bob.get("/api/my/tables?status=waiting")["tables"] == []


def test_a_blocked_follower_sees_what_every_follower_sees(alone: Inside) -> None:
    """The list of follows gives nothing that a player's page does not show to strangers."""
    ada, bob, eve = people(alone, "ada", "bob", "eve")
    assert bob.ask("PUT", "/api/following/ada") == (204, None)
    assert ada.get("/api/players/ada")["followers"] == 1
    block(ada, "bob")
    for _ in range(2):  # a follow from before the block, and one after it
        assert [one.ask("PUT", "/api/following/ada") for one in (bob, eve)] == [(204, None)] * 2
        with ada.socket("/ws/lobby") as socket:
            socket.receive_json()
            assert bob.get("/api/following") == eve.get("/api/following")
            assert bob.get("/api/players/ada") == eve.get("/api/players/ada")
            assert bob.get("/api/players/ada")["following"] is True
        assert ada.get("/api/players/ada")["followers"] == 1  # eve
        assert [one.ask("DELETE", "/api/following/ada") for one in (bob, eve)] == [(204, None)] * 2
        assert bob.get("/api/following") == eve.get("/api/following") == {"following": []}
    assert ada.get("/api/players/bob")["blocked"] is True
    assert bob.get("/api/players/ada")["blocked"] is False


def test_a_page_names_the_block_to_its_blocker_alone(alone: Inside) -> None:
    ada, bob, eve = people(alone, "ada", "bob", "eve")
    before = bob.get("/api/players/ada")
    identity = block(ada, "bob")
    page = ada.get("/api/players/bob")
    assert (page["blocked"], page["block_id"]) == (True, identity)
    assert bob.get("/api/players/ada") == eve.get("/api/players/ada") == before
    assert ada.request("DELETE", f"/api/blocks/{page['block_id']}").status_code == 204
    page = ada.get("/api/players/bob")
    assert (page["blocked"], page["block_id"]) == (False, None)


def test_blocks_hold_at_every_server(postgres: Postgres, nats: Nats) -> None:
    with ExitStack() as stack:
        servers = Pair(postgres.new_database(), nats, stack)
        ada, bob = servers.one.browser("192.0.9.1"), servers.two.browser("192.0.9.2")
        ada.register("ada"), bob.register("bob")
        with bob.socket("/ws/lobby") as lobby:
            lobby.receive_json()
            waiting = pair(ada)
            while [one["id"] for one in lobby.receive_json()["challenges"]] != [waiting["id"]]:
                pass
            block(ada, "bob")
            while lobby.receive_json()["challenges"]:
                pass
        assert pair(bob)["id"] != waiting["id"]
        assert ada.get("/api/players/ada")["followers"] == 0
        assert bob.ask("PUT", "/api/following/ada") == (204, None)
        wait_until(lambda: bob.get("/api/following")["following"], "the follow is not listed")
        assert ada.get("/api/players/ada")["followers"] == 0
