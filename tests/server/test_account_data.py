"""What an account's owner can take along, and what is left after its deletion."""

from __future__ import annotations

import json
from typing import Any

from taiji.server.identity.recovery import CODES
from tests.server.inside import PASSWORD, Inside

RATE_LIMIT_SCALE = 1000


# --- export ------------------------------------------------------------------------------------------------


def test_the_export_holds_everything_and_no_secret(inside: Inside) -> None:
    ada, guest = inside.browser(), inside.browser()
    played = ada.table()
    codes = ada.register("Exporter")["recovery_codes"]
    token = ada.post("/api/account/tokens", {"label": "at home"})["token"]
    guest.post(f"/api/tables/{played['id']}/join")
    record = ada.post("/api/records", {"game": "taiji:size=4", "moves": [0]})
    tournament = ada.post("/api/tournaments", {"name": "Export cup", "game": "taiji:size=4"})
    answer = ada.request("GET", "/api/me/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="taiji-export.json"'
    assert answer.headers["cache-control"] == "no-store"
    document = json.loads(answer.text)
    assert document["account"]["name"] == "Exporter"
    assert [game["id"] for game in document["games"]] == [played["id"]]
    assert "[Game " in document["games"][0]["record"]
    assert [one["id"] for one in document["records"]] == [record["id"]]
    assert [one["label"] for one in document["tokens"]] == ["at home"]
    assert [one["id"] for one in document["tournaments"]] == [tournament["id"]]
    assert [one["action"] for one in document["log"]] == ["registered"]
    assert document["recovery_codes_left"] == CODES
    assert len(document["sessions"]) == 1
    invite = tournament["invite"].partition("#")[2]
    for secret in (token, ada.cookie, codes[0], "argon2", invite, guest.cookie):
        assert secret not in answer.text
    other = json.loads(guest.request("GET", "/api/me/export").text)
    assert [game["id"] for game in other["games"]] == [played["id"]]
    assert "account" not in other


# --- deletion ----------------------------------------------------------------------------------------------


def test_deletion_keeps_the_games_of_opponents_whole(inside: Inside) -> None:
    ada, bob = inside.browser(), inside.browser()
    ada.register("Leaving"), bob.register("Staying")
    finished, running = (ada.table(colour="light", rated=True, match=False) for _ in range(2))
    waiting = ada.table()
    for table in (finished, running):
        bob.post(f"/api/tables/{table['id']}/join")
    bob.post(f"/api/tables/{finished['id']}/resign", {"id": "r1"})
    assert ada.move(running["id"], 0, 0)[0] == 200
    tournament = bob.post("/api/tournaments", {"name": "Cup", "game": "taiji:size=4"})
    entry = {"secret": tournament["invite"].partition("#")[2], "name": "x"}
    ada.post(f"/api/tournaments/{tournament['id']}/join", entry)
    record = ada.post("/api/records", {"game": "taiji:size=4", "moves": [0]})
    status, body = ada.ask("POST", "/api/me/delete", {"password": "wrong password"})
    assert (status, body) == (401, "wrong-password")
    with bob.socket(f"/ws/tables/{running['id']}?protocol=2") as socket:
        socket.receive_json()
        assert ada.post("/api/me/delete", {"password": PASSWORD})["account"] is None
        while socket.receive()["type"] != "websocket.close":
            pass
    for table in (finished, running):
        seen = bob.get(f"/api/tables/{table['id']}")
        assert seen["status"] == "over"
        assert seen["seats"]["first"] == {
            "name": None, "account_type": "person", "level": None, "guest": False,
            "rating": seen["seats"]["first"]["rating"],
        }  # fmt: skip
        assert seen["seats"]["second"]["name"] == "Staying"
    assert bob.get(f"/api/tables/{running['id']}")["result"]["winner"] == "second"
    assert len(bob.get(f"/api/tables/{running['id']}")["moves"]) == 1
    assert bob.get(f"/api/tables/{waiting['id']}")["status"] == "over"
    assert "Leaving" not in str(bob.get(f"/api/tables/{running['id']}/events?after=0"))
    entrant = bob.get(f"/api/tournaments/{tournament['id']}")["standings"][0]
    assert (entrant["name"], entrant["withdrawn"]) == ("(1)", True)
    history = bob.get("/api/ratings/Staying?game=taiji:size=4")["history"]
    assert {point["table_id"] for point in history} == {finished["id"], running["id"]}
    assert "Leaving" not in str(bob.get("/api/ratings?game=taiji:size=4"))
    assert ada.ask("GET", f"/api/records/{record['id']}")[0] == 404


def test_nothing_of_a_deleted_account_is_left_but_its_id(inside: Inside) -> None:
    ada = inside.browser()
    ada.register("Vanishing-Name")
    ada.post("/api/account/tokens", {"label": "secret-label"})
    ada.post("/api/me/delete", {"password": PASSWORD})

    def dump(connection: Any) -> str:
        from taiji.server.store.schema import metadata

        return "\n".join(str(connection.execute(table.select()).all()) for table in metadata.sorted_tables)

    stored = inside.run(inside.context.store.read, dump)
    assert "Vanishing" not in stored
    assert "secret-label" not in stored
    assert inside.browser().sign_in("Vanishing-Name")[0] == 401
    new = {"name": "Vanishing-Name", "password": PASSWORD}
    assert inside.browser().ask("POST", "/api/account", new)[0] == 409, "nobody takes over the name"


def test_a_guest_can_be_deleted_too(inside: Inside) -> None:
    guest, bob = inside.browser(), inside.browser()
    guest.ask("PATCH", "/api/me", {"name": "Passing"})
    table = guest.table(colour="light")
    bob.post(f"/api/tables/{table['id']}/join")
    assert guest.post("/api/me/delete", {})["name"] != "Passing"
    seen = bob.get(f"/api/tables/{table['id']}")
    assert (seen["seats"]["first"]["name"], seen["status"]) == (None, "over")
    guest.visit()
    assert guest.get(f"/api/tables/{table['id']}")["your_seat"] is None
