"""Sessions, tokens and seat links: listed, and revoked with their sockets and streams at once."""

from __future__ import annotations

from taiji.server.store.schema import sessions
from tests.server.inside import Browser, Inside, Streaming, drain, stolen
from tests.waiting import wait_until

SESSION_ENDED = 4401


def test_the_list_names_every_browser_and_this_one(inside: Inside) -> None:
    ada, phone, eve = inside.browser(), inside.browser(), inside.browser()
    ada.register("Listed-1")
    agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1"
    phone.client.headers["User-Agent"] = agent
    assert phone.sign_in("Listed-1")[0] == 200
    eve.register("Listed-2")
    listed = ada.get("/api/sessions")["sessions"]
    assert [one["current"] for one in listed].count(True) == 1
    assert {one["device"] for one in listed} == {"", "Safari, iPhone"}
    assert ada.cookie not in str(listed)
    theirs = phone.get("/api/sessions")["sessions"][0]["id"]
    assert eve.ask("DELETE", f"/api/sessions/{theirs}") == (404, "not-found")
    assert len(eve.get("/api/sessions")["sessions"]) == 1


class Playing:
    """A table in play: the account at home and on the phone has the first seat."""

    def __init__(self, inside: Inside, name: str) -> None:
        self.inside = inside
        self.home, self.phone, opponent = inside.browser(), inside.browser(), inside.browser()
        self.home.register(name)
        assert self.phone.sign_in(name)[0] == 200
        self.table_id = self.home.table(colour="light")["id"]
        self.path = f"/ws/tables/{self.table_id}?protocol=2"
        opponent.post(f"/api/tables/{self.table_id}/join")

    def streams(self, browser: Browser) -> tuple[Streaming, Streaming]:
        """Open both streams and wait until they run."""
        room = self.inside.context.rooms.rooms[self.table_id]
        before = len(room.subscribers)
        opened = (
            Streaming(browser, "/api/stream/events"),
            Streaming(browser, f"/api/tables/{self.table_id}/stream"),
        )
        player = room.table.seats[0]
        assert player is not None
        bus = self.inside.context.bus
        wait_until(lambda: len(room.subscribers) > before and bus.is_subscribed(player.id), "the stream runs")
        return opened

    def assert_no_move_was_played(self) -> None:
        assert self.home.get(f"/api/tables/{self.table_id}")["moves"] == []
        assert self.home.move(self.table_id, 0, 0)[0] == 200


def test_revoking_a_session_closes_its_sockets_and_streams_at_once(inside: Inside) -> None:
    at = Playing(inside, "Revoked-1")
    other = next(one for one in at.home.get("/api/sessions")["sessions"] if not one["current"])
    with at.phone.socket(at.path) as socket, at.phone.socket("/ws/lobby") as lobby:
        assert socket.receive_json()["table"]["your_seat"] == "first"
        streams = at.streams(at.phone)
        assert at.home.ask("DELETE", f"/api/sessions/{other['id']}")[0] == 204
        socket.send_json({"type": "move", "id": "late", "ply": 0, "move": 0})
        assert drain(socket) == SESSION_ENDED
        assert drain(lobby) == SESSION_ENDED
        assert all(stream.ended() for stream in streams)
    assert at.phone.account is None
    assert at.phone.move(at.table_id, 0, 0)[1] in ("no-session", "csrf")
    at.assert_no_move_was_played()


def test_signing_out_closes_the_sockets_of_every_tab(inside: Inside) -> None:
    at = Playing(inside, "Tabs-1")
    tab = stolen(inside, at.phone)
    with at.phone.socket(at.path) as one, tab.socket(at.path) as two:
        at.phone.sign_out()
        two.send_json({"type": "move", "id": "late", "ply": 0, "move": 0})
        assert (drain(one), drain(two)) == (SESSION_ENDED, SESSION_ENDED)
    at.assert_no_move_was_played()


def test_revoking_a_token_closes_its_sockets_and_streams_at_once(inside: Inside) -> None:
    at = Playing(inside, "Bot-1")
    made = at.home.post("/api/account/tokens", {"label": "bot"})
    bot = inside.browser(token=made["token"])
    with bot.socket(at.path) as socket:
        streams = at.streams(bot)
        assert at.home.ask("DELETE", f"/api/account/tokens/{made['id']}")[0] == 204
        socket.send_json({"type": "move", "id": "late", "ply": 0, "move": 0})
        assert drain(socket) == SESSION_ENDED
        assert all(stream.ended() for stream in streams)
    assert bot.ask("GET", "/api/me") == (401, "bad-token")
    at.assert_no_move_was_played()


def test_all_other_sessions_end_at_once(inside: Inside) -> None:
    at = Playing(inside, "Others-1")
    third = inside.browser()
    assert third.sign_in("Others-1")[0] == 200
    with at.phone.socket(at.path) as socket:
        assert at.home.ask("DELETE", "/api/sessions")[0] == 204
        assert drain(socket) == SESSION_ENDED
    assert (at.home.account, at.phone.account, third.account) == ("Others-1", None, None)


def test_a_token_reaches_no_session_and_creates_no_token(inside: Inside) -> None:
    ada = inside.browser()
    ada.register("Apart-1")
    bot = inside.browser(token=ada.post("/api/account/tokens", {"label": "bot"})["token"])
    session = ada.get("/api/sessions")["sessions"][0]["id"]
    assert bot.ask("GET", "/api/sessions") == (403, "csrf")
    assert bot.ask("DELETE", f"/api/sessions/{session}") == (403, "csrf")
    assert bot.ask("DELETE", "/api/sessions") == (403, "csrf")
    assert bot.ask("DELETE", "/api/session") == (403, "csrf")
    assert bot.ask("POST", "/api/account/tokens", {"label": "another"}) == (403, "csrf")
    assert ada.account == "Apart-1"


def test_sessions_that_another_process_deleted_end_when_rechecked(inside: Inside) -> None:
    at = Playing(inside, "Elsewhere-1")
    with at.phone.socket(at.path) as socket:
        listed = at.phone.get("/api/sessions")["sessions"]
        own = next(one["id"] for one in listed if one["current"])
        gone = sessions.delete().where(sessions.c.id == own)

        async def delete_and_recheck() -> None:
            await inside.context.store.write(lambda c: c.execute(gone).rowcount)
            await inside.context.sessions.recheck()

        inside.run(delete_and_recheck)
        assert drain(socket) == SESSION_ENDED


# --- seat links -------------------------------------------------------------------------------------------


def secret(browser: Browser, table_id: str) -> dict[str, str]:
    """A new link to the browser's seat."""
    path: str = browser.post(f"/api/tables/{table_id}/seat-link")["path"]
    return {"secret": path.partition("#")[2]}


def test_a_seat_link_works_once_and_is_shown_as_used(inside: Inside) -> None:
    ada, phone, thief = inside.browser(), inside.browser(), inside.browser()
    table = ada.table(colour="light")
    link = secret(ada, table["id"])
    listed = ada.get("/api/seat-links")["links"]
    assert [(one["table"], one["game"], one["used_at"], one["expired"]) for one in listed] == [
        (table["id"], "taiji:size=4", None, False)
    ]
    assert link["secret"] not in str(listed)
    assert phone.post("/api/join", link)["your_seat"] == "first"
    assert ada.get("/api/seat-links")["links"][0]["used_at"] == inside.time.now()
    assert thief.ask("POST", "/api/join", link) == (404, "not-found")
    assert phone.post("/api/join", link)["your_seat"] == "first"  # the answer may have been lost
    assert thief.get("/api/seat-links")["links"] == []


def test_a_seat_link_expires(alone: Inside) -> None:
    ada, phone = alone.browser(), alone.browser()
    table = ada.table()
    link = secret(ada, table["id"])
    alone.time.advance(hours=25)
    assert phone.ask("POST", "/api/join", link) == (404, "not-found")
    assert ada.get("/api/seat-links")["links"][0]["expired"]
    alone.time.advance(days=31)
    alone.run(alone.context.seat_links.purge)
    assert ada.get("/api/seat-links")["links"] == []


def test_revoking_a_seat_link_takes_the_seat_from_its_device_at_once(inside: Inside) -> None:
    ada, phone, bob = inside.browser(), inside.browser(), inside.browser()
    table = ada.table(colour="light", match=False)
    link = secret(ada, table["id"])
    phone.post("/api/join", link)
    bob.post(f"/api/tables/{table['id']}/join")
    path, listed = f"/ws/tables/{table['id']}?protocol=2", ada.get("/api/seat-links")["links"][0]
    assert bob.ask("DELETE", f"/api/seat-links/{listed['id']}") == (404, "not-found")
    with phone.socket(path) as socket, ada.socket(path) as own:
        assert socket.receive_json()["table"]["your_seat"] == "first"
        stream = Streaming(phone, f"/api/tables/{table['id']}/stream")
        wait_until(lambda: len(inside.context.rooms.rooms[table["id"]].subscribers) == 3, "the stream runs")
        assert ada.ask("DELETE", f"/api/seat-links/{listed['id']}")[0] == 204
        socket.send_json({"type": "move", "id": "late", "ply": 0, "move": 0})
        assert drain(socket) == SESSION_ENDED
        assert stream.ended()
        own.send_json({"type": "move", "id": "own", "ply": 0, "move": 0})
        while (frame := own.receive_json())["type"] != "ack":
            assert frame["type"] != "error"
    assert phone.get(f"/api/tables/{table['id']}")["your_seat"] is None
    assert phone.move(table["id"], 0, 0) == (403, "not-your-table")
    assert phone.ask("POST", "/api/join", link) == (404, "not-found")
    assert ada.get("/api/seat-links")["links"] == []


def test_a_revoked_link_holds_no_seat_in_the_rematch_either(inside: Inside) -> None:
    ada, phone, bob = inside.browser(), inside.browser(), inside.browser()
    table = ada.table(colour="light", match=False)
    phone.post("/api/join", secret(ada, table["id"]))
    bob.post(f"/api/tables/{table['id']}/join")
    for browser, action in ((ada, "resign"), (ada, "rematch"), (bob, "rematch")):
        browser.post(f"/api/tables/{table['id']}/{action}", {"id": action})
    rematch = ada.get(f"/api/tables/{table['id']}")["rematch"]
    assert phone.get(f"/api/tables/{rematch}")["your_seat"] == "second"
    assert ada.ask("DELETE", f"/api/seat-links/{ada.get('/api/seat-links')['links'][0]['id']}")[0] == 204
    assert phone.get(f"/api/tables/{rematch}")["your_seat"] is None
    assert ada.get(f"/api/tables/{rematch}")["your_seat"] == "second"
