"""What must be the same after every restart: finished games, matches, takebacks, ratings and tournaments.

A few people play beside the tables under fire, by requests that are repeated until they are answered. What is
finished goes into an archive, and is read again after each restart.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from typing import Any

import httpx
from server_clients import Person

from taiji.rules import parse_game

GAME = "taiji:size=4"
PASSWORD = "correct horse battery"
SAMPLE = 40
"""How many entries are read again after each restart, besides the newest; at the end all are."""


class Club:
    """People who play matches, rated games and tournaments, and what is known of them."""

    def __init__(self, client: httpx.AsyncClient, problems: list[str], up: asyncio.Event) -> None:
        self._client, self._problems, self._up = client, problems, up
        self._archive: dict[str, tuple[str, list[Any]]] = {}
        """For each address the key and value of a list that it returned, which only grows at the end."""
        self._ids = itertools.count()
        self._dice = random.Random(7)
        self.counts = {
            "matches": 0,
            "takebacks": 0,
            "rated games": 0,
            "tournaments": 0,
            "read again": 0,
        }
        self.stop = False

    async def found(self) -> list[asyncio.Task[None]]:
        """Register the members while the server works, and let them play."""
        members = [await Person.arrive(self._client) for _ in range(4)]
        for number, member in enumerate(members):
            body = {"name": f"member-{number}", "password": PASSWORD}
            answer = await self._client.post("/api/account", json=body, headers=member.headers)
            answer.raise_for_status()
            cookie, csrf = answer.cookies["taiji_session"], answer.json()["csrf"]
            member.headers = {"Cookie": f"taiji_session={cookie}", "X-CSRF-Token": csrf}
        pair = [await Person.arrive(self._client) for _ in range(2)]
        plays = (self._play_match(pair), self._play_rated(members[:2]), self._play_tournament(members))
        return [asyncio.create_task(play) for play in plays]

    async def check(self, *, everything: bool = False) -> None:
        """Read the archive again and compare."""
        paths = list(self._archive)
        if not everything and len(paths) > SAMPLE + 5:
            paths = self._dice.sample(paths[:-5], SAMPLE) + paths[-5:]
        for path in paths:
            key, known = self._archive[path]
            read = (await self._ask(None, "GET", path))[key]
            self.counts["read again"] += 1
            if [_stable(one) for one in read][: len(known)] != [_stable(one) for one in known]:
                self._problems.append(f"{path} is not what it was")

    # --- requests that are repeated ------------------------------------------------------------------------

    async def _ask(self, person: Person | None, method: str, path: str, body: Any = None) -> Any:
        """Return the answer of a server that may be down for a while; a refusal is its error."""
        headers = {} if person is None else person.headers
        while True:
            await self._up.wait()
            try:
                answer = await self._client.request(method, path, json=body, headers=headers)
            except (httpx.HTTPError, OSError):
                await asyncio.sleep(0.05)
                continue
            if answer.status_code < 500:
                return answer.json()
            await asyncio.sleep(0.05)

    async def _act(self, person: Person, table: str, action: str, **values: Any) -> Any:
        body = {"id": f"c{next(self._ids)}", **values}
        return await self._ask(person, "POST", f"/api/tables/{table}/{action}", body)

    async def _events(self, table: str) -> list[Any]:
        events: list[Any] = (await self._ask(None, "GET", f"/api/tables/{table}/events"))["events"]
        return events

    async def _keep(self, path: str, key: str) -> None:
        self._archive[path] = (key, (await self._ask(None, "GET", path))[key])

    # --- what they play ------------------------------------------------------------------------------------

    async def _play_match(self, pair: list[Person]) -> None:
        """Two games, the first with a takeback."""
        while not self.stop:
            wish = {"game": GAME, "opponent": "link", "colour": "light", "match": True}
            table = await self._ask(pair[0], "POST", "/api/tables", wish)
            secret = {"secret": table["invite"].partition("#")[2]}
            await self._ask(pair[1], "POST", "/api/join", secret)
            first = parse_game(GAME).start().legal()[0].action
            await self._act(pair[0], table["id"], "move", ply=0, move=first)
            await self._act(pair[0], table["id"], "takeback")
            await self._act(pair[1], table["id"], "takeback-answer", accept=True)
            await self._play_out(table["id"], pair)
            events = await self._events(table["id"])
            other = next((e["data"]["table"] for e in events if e["event_type"] == "next-game"), None)
            if other is None or "takeback" not in {event["event_type"] for event in events}:
                self._problems.append(f"{table['id']}: a match without takeback or second game")
                continue
            await self._play_out(other, pair[::-1])
            for one in (table["id"], other):
                await self._keep(f"/api/tables/{one}/events", "events")
            self.counts["matches"] += 1
            self.counts["takebacks"] += 1
            await asyncio.sleep(0.5)

    async def _play_out(self, table: str, seats: list[Person]) -> None:
        state = parse_game(GAME).start()
        while not state.is_over:
            move = state.legal()[0]
            await self._act(seats[state.seat_to_move], table, "move", ply=state.ply, move=move.action)
            state = state.play(move)

    async def _play_rated(self, pair: list[Person]) -> None:
        """Rated games, each counted once."""
        path = f"/api/ratings/member-0?game={GAME}"
        while not self.stop:
            wish = {"game": GAME, "opponent": "open", "match": False, "rated": True}
            table = await self._ask(pair[0], "POST", "/api/tables", wish)
            await self._ask(pair[1], "POST", f"/api/tables/{table['id']}/join", {})
            await self._act(pair[self._dice.randrange(2)], table["id"], "resign")
            while not self.stop:
                history = (await self._ask(None, "GET", path))["history"]
                rated = [entry["table_id"] for entry in history].count(table["id"])
                if rated:
                    break
                await asyncio.sleep(0.1)
            if not self.stop and rated != 1:
                self._problems.append(f"{table['id']} was rated {rated} times")
            await self._keep(path, "history")
            self.counts["rated games"] += 1
            await asyncio.sleep(0.5)

    async def _play_tournament(self, members: list[Person]) -> None:
        """Knockouts of four, every game resigned."""
        while not self.stop:
            wish = {"name": "Cup", "format": "knockout", "game": GAME, "match": False, "rated": False}
            cup = await self._ask(members[0], "POST", "/api/tournaments", wish)
            path = f"/api/tournaments/{cup['id']}"
            for member in members:
                body = {"secret": cup["invite"].partition("#")[2], "name": "ignored"}
                await self._ask(member, "POST", f"{path}/join", body)
            await self._ask(members[0], "POST", f"{path}/start")
            while not (state := await self._ask(None, "GET", path))["over"] and not self.stop:
                for pairing in state["rounds"][-1]:
                    if pairing["board"] is not None and pairing["points"] is None:
                        for member in members:
                            await self._act(member, pairing["board"]["table"], "resign")
                await asyncio.sleep(0.2)
            await self._keep(f"{path}/log", "log")
            self.counts["tournaments"] += 1
            await asyncio.sleep(1)


def _stable(entry: Any) -> Any:
    """Return an entry without what depends on the time of reading."""
    return {**entry, "clock": None} if isinstance(entry, dict) else entry
