"""Two servers on one PostgreSQL and one NATS: any takes any visitor, and one decides each game."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest
from sqlalchemy import func, select, update

from taiji.server.contract.errors import ApiError
from taiji.server.identity.moderation import Operator
from taiji.server.store import leased_ownership, leases
from taiji.server.store.leased_ownership import LeasedOwnership
from taiji.server.store.schema import events, rating_history
from taiji.server.store.schema_tournaments import tournaments
from taiji.server.store.shards import SHARDS
from taiji.server.tournaments.recurring import add_recurring
from taiji.server.web.metrics import StateCollector
from tests.server.inside import Browser, Inside, drain
from tests.server.nats import Nats
from tests.server.postgres import Postgres
from tests.server.push_service import PushReceiver
from tests.waiting import wait_until

CLOCK = {"clock_type": "sudden", "main_s": 600}


class Pair:
    """Two servers that share everything but memory."""

    def __init__(self, url: str, nats: Nats, stack: ExitStack) -> None:
        self.nats = nats
        self.one, self.two = (
            stack.enter_context(
                Inside(
                    url, real_time=True, cluster=nats.address, rate_limit_scale=100, push_local=True
                ).running()
            )
            for _ in range(2)
        )
        wait_until(lambda: shards(self.one) == shards(self.two) == SHARDS // 2, "the shards are not shared")

    def table(self, **wish: Any) -> Table:
        """A game of Ada at the first server, which owns it, and Bob at the second."""
        return Table(self.one.browser("192.0.2.1"), self.two.browser("192.0.2.2"), **wish)


class Table:
    """A game between two servers."""

    def __init__(self, ada: Browser, bob: Browser, **wish: Any) -> None:
        self.ada, self.bob = ada, bob
        settings = {"game": "taiji:size=5", "opponent": "open", "colour": "light", "match": False}
        body = {**settings, "clock": CLOCK, **wish}
        for _ in range(20):  # on a busy machine a server may lose its lease: try again, as it says
            status, answer = ada.ask("POST", "/api/tables", body)
            if status != 503:
                break
        assert status == 201, answer
        self.id = answer["id"]
        bob.post(f"/api/tables/{self.id}/join")
        self.path = f"/ws/tables/{self.id}?protocol=2"


def shards(server: Inside) -> int:
    ownership = server.context.store.ownership
    assert isinstance(ownership, LeasedOwnership)
    return ownership.stats()["shards"]


def freeze(server: Inside) -> None:
    """Stop the heartbeat of a server and cut it off from the others, as if its process were stopped."""

    async def stop() -> None:
        ownership = server.context.store.ownership
        assert isinstance(ownership, LeasedOwnership)
        for task in ownership._tasks:
            task.cancel()
        await server.context.peers.close()

    server.run(stop)


def receive(socket: Any, kind: str) -> dict[str, Any]:
    """Return the next frame of a kind, an event by its type."""
    while True:
        frame: dict[str, Any] = socket.receive_json()
        if kind in (frame["type"], frame.get("event_type")):
            return frame


@pytest.fixture(scope="module")
def pair(postgres: Postgres, nats: Nats) -> Iterator[Pair]:
    with ExitStack() as stack:
        yield Pair(postgres.new_database(), nats, stack)


def test_any_server_takes_any_visitor_and_events_reach_every_watcher(pair: Pair) -> None:
    table = pair.table()
    assert pair.one.context.store.ownership.term(table.id) is not None
    assert pair.two.context.store.ownership.term(table.id) is None
    watcher = pair.two.browser("192.0.2.3")
    with (
        table.ada.socket(table.path) as at_one,
        table.bob.socket(table.path) as at_two,
        watcher.socket(table.path) as watching,
    ):
        sockets = (at_one, at_two, watching)
        for socket in sockets:
            assert receive(socket, "snapshot")["table"]["status"] == "playing"
        at_one.send_json({"type": "move", "id": "m0", "ply": 0, "move": "a1/a2"})
        assert receive(at_one, "ack")["id"] == "m0"
        assert [receive(one, "move")["data"]["text"] for one in (at_two, watching)] == ["a1/a2"] * 2
        at_two.send_json({"type": "move", "id": "m1", "ply": 1, "move": "b1/b2"})
        # The event comes before the answer, also where another server has decided.
        assert receive(at_two, "move")["data"]["text"] == "b1/b2"
        acknowledged = receive(at_two, "ack")
        assert [receive(one, "move")["data"]["text"] for one in (at_one, watching)] == ["b1/b2"] * 2
        at_two.send_json({"type": "move", "id": "m1", "ply": 1, "move": "b1/b2"})
        assert receive(at_two, "ack") == acknowledged  # not executed twice
        at_two.send_json({"type": "move", "id": "m2", "ply": 2, "move": "c1/c2"})
        assert receive(at_two, "error")["error"]["code"] == "not-your-turn"
        at_one.send_json({"type": "move", "id": "m3", "ply": 2, "move": "a1/a2"})
        reason = receive(at_one, "error")["error"]
        status, _ = table.bob.move(table.id, 2, 0)
        assert (reason["code"], status) == ("illegal-move", 409)
    views = [table.ada.get(f"/api/tables/{table.id}"), table.bob.get(f"/api/tables/{table.id}")]
    assert [view["version"] for view in views] == [acknowledged["version"]] * 2
    assert [move["text"] for move in views[1]["moves"]] == ["a1/a2", "b1/b2"]


def test_a_server_that_has_just_joined_creates_a_game(postgres: Postgres, nats: Nats) -> None:
    with ExitStack() as stack:
        url = postgres.new_database()
        for number in range(2):  # the first owns everything when the second joins
            server = Inside(url, real_time=True, cluster=nats.address, rate_limit_scale=100)
            ada = stack.enter_context(server.running()).browser()
            assert ada.table(match=False)["id"]
            ada.register(f"Newcomer-{number}")
            assert ada.post("/api/tournaments", {"name": "Cup", "format": "swiss", "game": "taiji"})["id"]


def test_phrases_notifications_vacations_and_pushes_cross_servers(pair: Pair) -> None:
    ada, bob = pair.one.browser("192.0.2.31"), pair.two.browser("192.0.2.32")
    assert ada.get("/api/push") == bob.get("/api/push")  # one key for all servers
    with PushReceiver() as receiver, bob.socket("/ws/notifications") as list_of_bob:
        assert list_of_bob.receive_json()["unread"] == 0
        bob.post("/api/push/subscriptions", receiver.subscription())
        wish = {"game": "taiji:size=5", "colour": "light", "match": False}
        table = ada.table(**wish, clock={"clock_type": "correspondence", "days": 2})["id"]
        bob.post(f"/api/tables/{table}/join")
        assert ada.move(table, 0, 0)[0] == 200
        assert list_of_bob.receive_json()["notifications"][0]["table"] == table
        assert [message["kind"] for message in receiver.wait(1)] == ["turn"]
        path = f"/ws/tables/{table}?protocol=2"
        with ada.socket(path) as at_one, bob.socket(path) as at_two:
            receive(at_one, "snapshot")
            receive(at_two, "snapshot")
            at_two.send_json({"type": "say", "id": "s", "phrase": "thanks"})
            assert receive(at_one, "phrase")["phrase"] == "thanks"
            until = bob.post("/api/vacation", {"days": 2})["until"]
            assert receive(at_one, "vacation")["clock"]["second"]["away_until"] == until
        time.sleep(1)
        assert len(receiver.received) == 1  # both servers know the event, and one sends it


def test_lobby_presence_and_notices_cross_servers(pair: Pair) -> None:
    ada, bob = pair.one.browser("192.0.2.4"), pair.two.browser("192.0.2.5")
    table = ada.table(clock=CLOCK)
    assert table["id"] in {one["id"] for one in bob.get("/api/challenges")["challenges"]}
    with ada.socket(f"/ws/tables/{table['id']}?protocol=2"), bob.socket(f"/ws/tables/{table['id']}") as seen:
        receive(seen, "snapshot")
        while not receive(seen, "presence")["first" if table["your_seat"] == "first" else "second"]:
            pass
    with bob.socket("/ws/lobby") as lobby:
        receive(lobby, "lobby")
        other = ada.table()
        while other["id"] not in {one["id"] for one in receive(lobby, "lobby")["challenges"]}:
            pass


def test_who_connects_sees_every_acknowledged_move_also_where_its_message_was_lost(pair: Pair) -> None:
    table = pair.table()
    with table.bob.socket(table.path) as at_two:
        receive(at_two, "snapshot")
        for ply, player in enumerate((table.ada, table.bob, table.ada)):
            pair.two.run(pair.two.context.peers.unfollow, table.id)
            assert player.move(table.id, ply, 20 * ply)[0] == 200
            watcher = pair.two.browser(f"192.0.2.{60 + ply}")
            with watcher.socket(table.path) as watching:
                assert len(receive(watching, "snapshot")["table"]["moves"]) == ply + 1
            assert len(watcher.get(f"/api/tables/{table.id}")["moves"]) == ply + 1


def test_metrics_show_servers_and_shards(pair: Pair) -> None:
    values = {
        sample.name: sample.value
        for one in StateCollector(pair.one.context).collect()
        for sample in one.samples
    }
    assert (values["taiji_servers"], values["taiji_shards"]) == (2, SHARDS // 2)
    assert values["taiji_bus_connected"] == 1
    assert "taiji_peer_requests_total" in values


def test_a_session_that_is_revoked_at_one_server_ends_at_the_other(pair: Pair) -> None:
    home, phone = pair.one.browser("192.0.2.6"), pair.two.browser("192.0.2.7")
    home.register("Revoked")
    assert phone.sign_in("Revoked")[0] == 200
    assert phone.account == "Revoked"  # cached there
    theirs = next(one["id"] for one in home.get("/api/sessions")["sessions"] if not one["current"])
    with phone.socket("/ws/lobby") as socket:
        receive(socket, "lobby")
        assert home.ask("DELETE", f"/api/sessions/{theirs}")[0] == 204
        assert drain(socket) == 4401
    wait_until(lambda: phone.account is None, "the revoked session lives on")


def test_a_tournament_is_drawn_by_its_owner_whoever_asks(pair: Pair) -> None:
    ada, bob, eve = (
        pair.one.browser("192.0.2.8"),
        pair.two.browser("192.0.2.9"),
        pair.two.browser("192.0.2.10"),
    )
    for one, name in ((ada, "Cup-1"), (bob, "Cup-2"), (eve, "Cup-3")):
        one.register(name)
    wish = {"name": "Cup", "format": "knockout", "game": "taiji:size=3", "match": False, "rated": True}
    cup = bob.post("/api/tournaments", wish)
    assert pair.one.context.store.ownership.term(cup["id"]) is None
    for one in (ada, bob):
        secret = cup["invite"].partition("#")[2]
        one.post(f"/api/tournaments/{cup['id']}/join", {"secret": secret, "name": "ignored"})
    drawn = bob.post(f"/api/tournaments/{cup['id']}/start")
    board = drawn["rounds"][0][0]["board"]["table"]
    assert pair.two.context.store.ownership.term(board) is not None  # beside its tournament
    ada.post(f"/api/tables/{board}/resign", {"id": "r1"})
    wait_until(lambda: ada.get(f"/api/tournaments/{cup['id']}")["over"], "the result is not entered")
    count = select(func.count()).where(rating_history.c.table_id == board)

    async def rated() -> Any:
        return await pair.one.context.store.read(lambda c: c.execute(count).scalar())

    wait_until(lambda: pair.one.run(rated) == 2, "the game is not rated once for each player")


def test_without_the_bus_orders_and_events_go_through_the_database(pair: Pair) -> None:
    table = pair.table()
    with table.ada.socket(table.path) as at_one, table.bob.socket(table.path) as at_two:
        for socket in (at_one, at_two):
            receive(socket, "snapshot")
        pair.nats.down()
        try:
            at_one.send_json({"type": "move", "id": "m0", "ply": 0, "move": "a1/a2"})
            receive(at_one, "ack")
            assert receive(at_two, "move")["data"]["text"] == "a1/a2"  # nothing told it that one is missing
            at_two.send_json({"type": "move", "id": "m1", "ply": 1, "move": "b1/b2"})
            receive(at_two, "ack")
            assert receive(at_one, "move")["data"]["text"] == "b1/b2"
        finally:
            pair.nats.up()
        peers = pair.two.context.peers
        wait_until(lambda: peers.bus.is_connected, "the bus is not found again")
        peers._cut_off.clear()
        asked = peers.counts["asked through the database"]
        at_one.send_json({"type": "move", "id": "m2", "ply": 2, "move": "c1/c2"})
        assert receive(at_two, "move")["data"]["text"] == "c1/c2"
        at_two.send_json({"type": "move", "id": "m3", "ply": 3, "move": "d1/d2"})
        receive(at_two, "ack")
        assert peers.counts["asked through the database"] == asked


def test_one_server_announces_and_starts_a_tournament(pair: Pair) -> None:
    """Both servers look at the schedule at once: an occurrence exists once, and a round is drawn once."""
    weekly = {"name": "Weekly", "game": "taiji:size=3", "match": False, "clock": None}
    work = partial(add_recurring, settings=weekly, weekday=2, minute=60, min_players=2, by=Operator("op", 1))

    async def add() -> None:
        await pair.one.context.store.write(work)

    pair.one.run(add)
    servers = (pair.one, pair.two)

    def look() -> None:
        with ThreadPoolExecutor(2) as pool:
            assert len(list(pool.map(lambda server: server.run(server.context.schedule.look), servers))) == 2

    for _ in range(3):
        look()
    ana, bo = (server.browser(f"192.0.2.{number}") for number, server in enumerate(servers, 40))
    (announced,) = bo.get("/api/tournaments/public")["tournaments"]
    assert (announced["name"], announced["recurring"]) == ("Weekly", True)
    ana.register("ana")
    now = pair.one.context.time.now()
    wish = {
        "name": "Soon",
        "game": "taiji:size=3",
        "match": False,
        "public": True,
        "starts_at": now + 3_600_000,
    }
    made = ana.post("/api/tournaments", wish)["id"]
    path = f"/api/tournaments/{made}"
    for player, name in ((ana, "ana"), (bo, "Bo")):
        player.post(f"{path}/join", {"name": name})
    due = update(tournaments).where(tournaments.c.id == made).values(starts_at=now)

    async def let_its_time_come() -> None:
        await pair.one.context.store.write(lambda connection: connection.execute(due).rowcount)

    pair.one.run(let_its_time_come)

    def started() -> bool:
        look()
        return bool(bo.get(path)["started"])

    wait_until(started, "the tournament does not start")
    look()
    for player in (ana, bo):
        (round_one,) = player.get(path)["rounds"]
        assert [pairing["board"]["table"] for pairing in round_one] == [player.get(path)["board"]]


def test_the_games_of_a_dead_server_go_on_elsewhere_and_nobody_is_charged(
    postgres: Postgres, nats: Nats
) -> None:
    with ExitStack() as stack:
        pair = Pair(postgres.new_database(), nats, stack)
        table = pair.table()
        assert table.ada.move(table.id, 0, 0)[0] == 200
        before = table.bob.get(f"/api/tables/{table.id}")
        freeze(pair.one)
        died = time.monotonic()
        moved = wait_until(lambda: table.bob.move(table.id, 1, 20)[0] == 200, "the game does not go on")
        downtime_ms = (time.monotonic() - died) * 1000
        assert moved
        assert downtime_ms >= leases.LEASE_MS - 1000  # it was not decided beside the living owner
        after = table.bob.get(f"/api/tables/{table.id}")
        listed = table.bob.get(f"/api/tables/{table.id}/events?after={before['version']}")["events"]
        assert [event["event_type"] for event in listed] == ["resume", "move"]
        charged = before["clock"]["second"]["remaining_ms"] - after["clock"]["second"]["remaining_ms"]
        # What counts is the time that the owner lived, and the last part of a second that nobody can prove.
        assert charged <= downtime_ms - listed[0]["data"]["downtime_ms"] + 1500

        async def decide_late() -> None:
            rooms = pair.one.context.rooms
            room = await rooms.get(table.id)
            assert not rooms.is_owned(room)
            with pytest.raises(ApiError):
                rooms.execute(room, lambda *_: pytest.fail("a dead server decided"))

        pair.one.run(decide_late)
        count = select(func.count()).where(events.c.table_id == table.id)

        async def stored() -> Any:
            return await pair.two.context.store.read(lambda c: c.execute(count).scalar())

        assert pair.two.run(stored) == after["version"]


def test_a_server_that_stops_hands_its_games_over_before_it_closes_a_socket(
    postgres: Postgres, nats: Nats, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        pair = Pair(postgres.new_database(), nats, stack)
        table = pair.table()
        assert pair.one.context.store.ownership.term(table.id) is not None
        with table.ada.socket(table.path) as at_one, table.bob.socket(table.path) as at_two:
            receive(at_one, "snapshot")
            receive(at_two, "snapshot")
            ownership = pair.one.context.store.ownership
            monkeypatch.setattr(leased_ownership, "HAND_OVER_S", 60.0)  # a busy machine takes longer
            pair.one.run(ownership.hand_over)
            assert shards(pair.one) == 0
            # They are the other's in the database; it decides in each once its clocks are resumed.
            wait_until(lambda: shards(pair.two) == SHARDS, "the other server does not decide everywhere")
            # The players of either server go on as if nothing had happened.
            for ply, (socket, move) in enumerate(((at_one, "a1/a2"), (at_two, "b1/b2"), (at_one, "c1/c2"))):
                socket.send_json({"type": "move", "id": f"m{ply}", "ply": ply, "move": move})
                assert receive(socket, "ack")["id"] == f"m{ply}"
            monkeypatch.setattr(leased_ownership, "SHARE_PATIENCE_S", 600.0)  # it does not wait for a share
            new = {"game": "taiji:size=4", "opponent": "open"}
            assert table.ada.ask("POST", "/api/tables", new) == (503, "unavailable")
            pair.one.run(pair.one.context.drain)
            assert drain(at_one) == 1012
            at_two.send_json({"type": "move", "id": "m3", "ply": 3, "move": "d1/d2"})
            assert receive(at_two, "ack")["id"] == "m3"
        listed = table.bob.get(f"/api/tables/{table.id}/events")["events"]
        assert [event["event_type"] for event in listed][-4:] == ["move"] * 4  # no clock had to be resumed
        # The last server has nobody to hand over to, and keeps what it has until it stops.
        pair.two.run(pair.two.context.store.ownership.hand_over)
        assert shards(pair.two) == SHARDS
