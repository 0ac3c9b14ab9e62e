"""Notifications: the list, its settings, and pushes to a service that reads them with the browser's keys."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from taiji.rules import parse_game
from taiji.server.contract.errors import ApiError
from taiji.server.jobs import push_address
from taiji.server.jobs.push_address import Resolver, is_private, parse_endpoint
from taiji.server.jobs.push_crypto import decode
from taiji.server.store import notifications
from taiji.server.store.ownership import Term
from tests.server.inside import Browser, Inside
from tests.server.push_service import PushReceiver
from tests.waiting import wait_until

LATER = Term(0, 7)
DAYS = {"clock_type": "correspondence", "days": 3}


@pytest.fixture
def inside(tmp_path: Path) -> Iterator[Inside]:
    url = f"sqlite:///{tmp_path / 'x.sqlite'}"
    with Inside(url, rate_limit_scale=100, push_local=True).running() as server:
        yield server


@pytest.fixture
def receiver() -> Iterator[PushReceiver]:
    with PushReceiver() as one:
        yield one


def joined(ada: Browser, bob: Browser, **wish: Any) -> str:
    table: str = ada.table(colour="light", match=False, **{"clock": DAYS, **wish})["id"]
    bob.post(f"/api/tables/{table}/join")
    return table


def kinds(browser: Browser) -> list[str]:
    return [one["kind"] for one in browser.get("/api/notifications")["notifications"]]


def wait_kinds(browser: Browser, *wanted: str) -> None:
    wait_until(lambda: kinds(browser) == list(wanted), f"the list is not {wanted}, but {kinds(browser)}")


def test_a_turn_is_listed_until_it_is_played(inside: Inside) -> None:
    ada, bob = inside.browser(), inside.browser()
    table = joined(ada, bob)
    wait_kinds(ada, "turn")
    (first,) = ada.get("/api/notifications")["notifications"]
    assert (first["table"], first["read"]) == (table, False)
    assert first["deadline"] == inside.time.now() + 3 * 86_400_000 + 15_000
    with bob.socket("/ws/notifications") as socket:
        assert socket.receive_json() == {"type": "notifications", "notifications": [], "unread": 0}
        assert ada.move(table, 0, 0)[0] == 200
        frame = socket.receive_json()
        assert (frame["unread"], frame["notifications"][0]["kind"]) == (1, "turn")
    wait_kinds(ada)
    assert bob.request("POST", "/api/notifications/read", json={"table": table}).status_code == 204
    assert bob.get("/api/notifications")["unread"] == 0
    assert kinds(bob) == ["turn"]  # still to be played
    ada.post(f"/api/tables/{table}/resign", {"id": "r"})
    wait_kinds(bob, "over")


def test_what_another_server_wrote_is_removed_when_the_game_comes_back(
    inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = inside.browser(), inside.browser()
    table = joined(ada, bob)
    path = f"/ws/tables/{table}?protocol=2"
    with ada.socket(path) as one, bob.socket(path) as two:
        for socket in (one, two):
            assert socket.receive_json()["type"] == "snapshot"
        wait_kinds(ada, "turn")
        state = parse_game("taiji:size=4").start()
        for ply, browser in enumerate((ada, bob, ada)):
            if ply == 2:  # the other server had the game for a while
                data = {"game": "taiji:size=4", "opponent": None, "deadline": None}
                put = partial(notifications.put, kind="turn", table_id=table, version=1, data=data, at=1)
                user_id = inside.context.rooms.rooms[table].table.seats[0].id  # type: ignore[union-attr]
                inside.run(write, inside, partial(put, user_id=user_id, listed=True))
                assert kinds(ada) == ["turn"]
                monkeypatch.setattr(inside.context.rooms.ownership, "term", lambda _: LATER)
                inside.context.rooms.rooms[table].term = LATER
            move = state.legal()[0]
            assert browser.move(table, ply, move.action)[0] == 200
            state = state.play(move)
            wait_kinds(ada)


async def write(server: Inside, work: Any) -> Any:
    return await server.context.store.write(work)


def test_who_looks_at_the_table_or_plays_by_a_live_clock_is_not_told(inside: Inside) -> None:
    ada, bob = inside.browser(), inside.browser()
    live = joined(ada, bob, clock={"clock_type": "sudden", "main_s": 600})
    assert ada.move(live, 0, 0)[0] == 200
    table = joined(ada, bob)
    wait_kinds(ada, "turn")
    with bob.socket(f"/ws/tables/{table}?protocol=2") as socket:
        socket.receive_json()
        assert ada.move(table, 0, 0)[0] == 200
        wait_kinds(ada)  # written in the same transaction
    assert kinds(bob) == []


def test_a_challenge_is_pushed_once_and_only_the_browser_can_read_it(
    inside: Inside, receiver: PushReceiver
) -> None:
    ada, bob = inside.browser(), inside.browser()
    ada.register("Caller"), bob.register("Called")
    status, key = bob.ask("GET", "/api/push")
    assert (status, len(decode(key["key"]))) == (200, 65)
    assert bob.post("/api/push/subscriptions", receiver.subscription("nl")) == {"devices": 1}
    assert bob.post("/api/push/subscriptions", receiver.subscription("pt")) == {"devices": 1}
    wish = {"game": "taiji:size=4", "opponent": "player", "player": "Called", "colour": "light"}
    table = ada.post("/api/tables", wish)["id"]
    (message,) = receiver.wait(1)
    assert message == {
        "kind": "challenge",
        "table": table,
        "game": "taiji:size=4",
        "opponent": "Caller",
        "language": "pt",
    }
    headers, body = receiver.received[0]
    assert (headers["content-encoding"], headers["ttl"]) == ("aes128gcm", "172800")
    assert b"Caller" not in body
    _check_signature(headers["authorization"], key["key"], receiver)
    bob.post(f"/api/tables/{table}/join")
    wait_kinds(bob)
    # Told again of the same events, as after a takeover, nothing is sent twice.
    room = inside.context.rooms.rooms[table]
    inside.run(_tell_again, inside, room)
    time.sleep(0.3)
    assert len(receiver.received) == 1


async def _tell_again(inside: Inside, room: Any) -> None:
    inside.context.alerts._on_events(room, list(room.recent))


def _check_signature(header: str, public_key: str, receiver: PushReceiver) -> None:
    """The token is signed with the server's key, and only for this push service."""
    scheme, _, rest = header.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert scheme == "vapid"
    assert parts["k"] == public_key
    head, claims, signature = parts["t"].split(".")
    raw = decode(signature)
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(public_key))
    r, s = (int.from_bytes(half, "big") for half in (raw[:32], raw[32:]))
    point.verify(encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    said = json.loads(base64.urlsafe_b64decode(claims + "=="))
    assert said["aud"] == f"http://127.0.0.1:{receiver.server.server_address[1]}"
    assert 0 < said["exp"] - time.time() <= 86_400


def test_settings_by_kind(inside: Inside, receiver: PushReceiver) -> None:
    ada, bob = inside.browser(), inside.browser()
    bob.post("/api/push/subscriptions", receiver.subscription())
    settings = bob.get("/api/notifications/settings")
    assert settings["turn"] == {"list": True, "push": True}
    settings["turn"] = {"list": True, "push": False}
    settings["over"] = {"list": False, "push": True}
    status, answer = bob.ask("PUT", "/api/notifications/settings", settings)
    assert (status, answer) == (200, settings)
    table = joined(ada, bob)
    assert ada.move(table, 0, 0)[0] == 200
    wait_kinds(bob, "turn")
    ada.post(f"/api/tables/{table}/resign", {"id": "r"})
    (message,) = receiver.wait(1)
    assert message["kind"] == "over"
    assert bob.get("/api/notifications")["unread"] == 0


@pytest.mark.parametrize(("status", "tries"), [(410, 1), (404, 1), (500, 5), (302, 5)])
def test_an_endpoint_that_fails_is_forgotten(
    inside: Inside, receiver: PushReceiver, status: int, tries: int
) -> None:
    ada, bob = inside.browser(), inside.browser()
    bob.post("/api/push/subscriptions", receiver.subscription())
    receiver.status = status
    for n in range(1, tries + 2):
        joined(bob, ada)  # Bob is to move
        if n <= tries:
            receiver.wait(n)
        wait_until(lambda n=n: _failures(inside) == (n if n < tries else None), "not counted")
    assert len(receiver.received) == tries  # no redirect is followed, either


def _failures(inside: Inside) -> int | None:
    from sqlalchemy import select

    from taiji.server.store.schema_talk import push_subscriptions as rows

    query = select(rows.c.failures)
    found: int | None = inside.run(inside.context.store.read, lambda c: c.execute(query).scalar())
    return found


def test_devices_are_bounded_and_end_with_their_session(inside: Inside, receiver: PushReceiver) -> None:
    bob, ada = inside.browser(), inside.browser()
    bob.register("Many-Devices")
    one = receiver.subscription()
    for n in range(12):
        inside.time.advance(seconds=1)
        answer = bob.post("/api/push/subscriptions", {**one, "endpoint": f"{one['endpoint']}{n}"})
    assert answer == {"devices": 10}
    gone = bob.post("/api/push/unsubscribe", {"endpoint": f"{one['endpoint']}11"})
    assert gone == {"devices": 9}
    bob.sign_out()
    wish = {"game": "taiji:size=4", "opponent": "player", "player": "Many-Devices"}
    ada.post("/api/tables", wish)
    time.sleep(0.3)
    assert receiver.received == []


BAD = [
    "http://push.example.com/1",
    "https://push.example.com:8443/1",
    "https://user:secret@push.example.com/1",
    "https://localhost/1",
    "https://127.0.0.1/1",
    "https://[::1]/1",
    "https://10.0.0.8/1",
    "https://169.254.169.254/latest/meta-data",
    "https://[::ffff:10.0.0.1]/1",
    "https://[64:ff9b::a00:1]/1",
    "https://[fd00::1]/1",
    "https://push.example.com/1#x",
    "https:///nothing",
]


@pytest.mark.parametrize("endpoint", BAD)
def test_endpoints_of_private_networks_are_refused(endpoint: str) -> None:
    with pytest.raises(ApiError, match="not the address of a public push service"):
        parse_endpoint(endpoint, local=False)


def test_a_name_that_leads_to_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time it is resolved, whatever it led to before; one private address among public ones suffices."""
    found = [["93.184.215.14"], ["93.184.215.14", "192.168.0.1"], ["::1"], ["0.0.0.0"], ["100.64.0.1"]]
    monkeypatch.setattr(push_address, "_look_up", lambda host, port: found.pop(0))
    endpoint = parse_endpoint("https://push.example.com/1", local=False)

    async def main() -> list[str]:
        resolver = Resolver(local=False)
        outcomes = []
        for _ in range(5):
            try:
                outcomes.append(await resolver.resolve(endpoint))
            except push_address.PrivateAddressError:
                outcomes.append("refused")
        resolver.close()
        return outcomes

    assert asyncio.run(main()) == ["93.184.215.14"] + ["refused"] * 4
    assert not is_private("2606:4700::1111")


def test_bad_subscriptions(tmp_path: Path, receiver: PushReceiver) -> None:
    with Inside(f"sqlite:///{tmp_path / 'y.sqlite'}").running() as server:
        bob = server.browser()
        good = receiver.subscription()
        assert bob.ask("POST", "/api/push/subscriptions", good) == (422, "bad-endpoint")
        public = {**good, "endpoint": "https://push.example.com/1"}
        keys = {**good["keys"], "p256dh": "B" * 87}
        assert bob.ask("POST", "/api/push/subscriptions", {**public, "keys": keys}) == (422, "bad-request")
        assert bob.ask("POST", "/api/push/subscriptions", public) == (201, {"devices": 1})
    with Inside(f"sqlite:///{tmp_path / 'n.sqlite'}", push=False).running() as server:
        bob = server.browser()
        assert bob.get("/api/push") == {"key": None}
        assert bob.ask("POST", "/api/push/subscriptions", public) == (403, "no-push")


def test_the_key_of_pushes_is_made_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'k.sqlite'}"
    keys = []
    for _ in range(2):
        with Inside(url).running() as server:
            keys.append(server.browser().get("/api/push")["key"])
    assert keys[0] == keys[1]
    assert keys[0] is not None


def test_a_round_of_a_tournament_is_told(inside: Inside) -> None:
    ada, bob = inside.browser(), inside.browser()
    cup = ada.post("/api/tournaments", {"name": "Cup", "game": "taiji:size=4", "format": "match"})
    secret = cup["invite"].partition("#")[2]
    for one, name in ((ada, "Ada"), (bob, "Bob")):
        one.post(f"/api/tournaments/{cup['id']}/join", {"secret": secret, "name": name})
    ada.post(f"/api/tournaments/{cup['id']}/start", {})
    for one in (ada, bob):
        wait_kinds(one, "round")
