"""History: start and pages over a database of 1,000,000 games, 100,000 of them rated.

    python benchmarks/server_history.py [--games 1000000] [--rated 100000] [--file FILE]

Copies one played game under many ids, with rows for lists, ratings and their history, openings, public
tournaments and notifications, in bulk inserts; then starts a server on the file, asks for pages as a stranger
and as the busiest player, and opens the front page of a player with 30 running games.
Exit status 1 if the start takes 2 s, a page 100 ms, or the front page 5 ms of the server's processor time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
from server_clients import ServerProcess
from websockets.asyncio.client import connect

from taiji.rules import MatchRule, Seat, parse_game
from taiji.server.domain import commands
from taiji.server.domain.table import Event, SeatedPlayer, Table, TableSettings
from taiji.server.identity.credentials import hash_secret
from taiji.server.store import queries
from taiji.server.store.database import migrate, parse_url, writing_engine
from taiji.server.store.schema import accounts, events, openings, rating_history, ratings, sessions, tables
from taiji.server.store.schema_people import follows
from taiji.server.store.schema_talk import notifications
from taiji.server.store.schema_tournaments import tournaments

GAME = "taiji:size=4"
MAX_START_S = 2.0
MAX_PAGE_S = 0.1
MAX_FRONT_CPU_S = 0.005
FRONT_PAGES = 60
"""Loads of the front page per batch: the processor time is counted in hundredths of a second."""
FRONT_BATCHES = 8
"""The best batch counts: other work on the machine makes a process use more time for the same."""
IDLE_S = 10
"""What the server spends without visitors is measured so long, and subtracted."""
RUNNING_GAMES = 30
BATCH = 5000
BUSIEST = 100
"""One and the same player sits in the first seat of each hundredth game."""
TOKEN = "busiest"
"""The session of that player."""
YEAR_MS = 365 * 86_400_000
NOW = int(time.time() * 1000)


def played_game() -> tuple[Table, list[Event]]:
    """Play one game to its end."""
    game = parse_game(GAME)
    settings = TableSettings(str(game), None, MatchRule.NESTORGAMES, "open", None, True, False, "a0")
    table = Table.new("original", settings, NOW - YEAR_MS)
    done: list[Event] = []
    rng = random.Random(1)
    now = table.created_at
    for seat in Seat:
        player = SeatedPlayer(f"a{int(seat)}", f"Player {int(seat)}")
        done += [table.apply_draft(draft, now) for draft in commands.join(table, seat, player, now).drafts]
    while table.status == "playing":
        seat = table.turn
        assert seat is not None
        now += 5000
        chosen = rng.choice(table.state.legal()).action
        drafts = commands.move(table, seat, len(table.moves), chosen, now).drafts
        done += [table.apply_draft(draft, now) for draft in drafts]
        done += [table.apply_draft(draft, now) for draft in commands.after_move(table, now).drafts]
    return table, done


def written(value: Any) -> Any:
    """Return a column as SQLite stores it."""
    return json.dumps(value) if isinstance(value, dict | list) else value


def table_rows(table: Table, count: int, rated: int, players: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of all games: a part is rated, a few wait, are played or were abandoned."""
    row = {**queries.settings_row(table), **queries.projection_row(table)}
    base = {key: written(value) for key, value in row.items()}
    rng = random.Random(2)
    for number in range(count):
        first, second = rng.sample(range(1, players), 2)
        if number % BUSIEST == 1:
            first = 0
        status = "over" if number % 50 else ("waiting" if number % 100 else "playing")
        at = NOW - YEAR_MS + int(YEAR_MS * number / count)
        yield {
            **base,
            "id": f"g{number}",
            "status": status,
            "opponent": ("open", "link", "computer", "player")[number % 4],
            "rated": number >= count - rated and status == "over",
            "first_id": f"a{first}",
            "second_id": None if status == "waiting" else f"a{second}",
            "result": base["result"] if status == "over" else None,
            "created_at": at - 600_000,
            "updated_at": at,
        }


def in_batches(rows: Iterator[Any]) -> Iterator[list[Any]]:
    """Yield lists of rows."""
    while batch := list(islice(rows, BATCH)):
        yield batch


def generate(path: Path, count: int, rated: int) -> None:
    """Write the database."""
    engine = writing_engine(parse_url(f"sqlite:///{path}"))
    migrate(engine)
    table, done = played_game()
    players = max(3, count // 20)
    connection = engine.raw_connection()
    cursor = connection.cursor()
    for setting in ("synchronous=OFF", "journal_mode=OFF", "cache_size=-400000", "foreign_keys=OFF"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.execute("BEGIN")

    def add(target: Any, rows: Iterator[dict[str, Any]]) -> None:
        names = [column.name for column in target.columns]
        statement = f"INSERT INTO {target.name} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
        for batch in in_batches(rows):
            cursor.executemany(statement, [[row.get(name) for name in names] for row in batch])

    add(accounts, (account_row(number) for number in range(players)))
    first = {**queries.settings_row(table), **queries.projection_row(table)}
    add(tables, iter([{key: written(value) for key, value in first.items()}]))
    add(tables, table_rows(table, count, rated, players))
    add(events, (event_row(event) for event in done))
    names = [column.name for column in events.columns if column.name != "table_id"]
    cursor.execute(
        f"INSERT INTO events (table_id, {', '.join(names)}) SELECT tables.id, e.{', e.'.join(names)}"
        " FROM tables CROSS JOIN events AS e WHERE e.table_id = 'original' AND tables.id <> 'original'"
    )
    query = "SELECT id, first_id, second_id, updated_at FROM tables WHERE rated"
    games = cursor.execute(query).fetchall()
    add(rating_history, history_rows(games, str(table.game)))
    for one, other in (("first_id", "second_id"), ("second_id", "first_id")):
        cursor.execute(
            f"INSERT INTO game_results (account_id, table_id, game, opponent_id, points, at)"
            f" SELECT {one}, id, game, {other}, 0.5, updated_at FROM tables"
            " WHERE status = 'over' AND opponent IN ('open', 'player')"
        )
    rated_players = {player for row in games for player in row[1:3]}
    add(ratings, (rating_row(player, str(table.game)) for player in sorted(rated_players)))
    add(openings, (opening_row(key, str(table.game)) for key in range(count // 2)))
    add(tournaments, (tournament_row(number) for number in range(count // 50)))
    add(notifications, (notification_row(number, players) for number in range(count // 5)))
    add(follows, ({"follower_id": f"a{n}", "followed_id": "a0", "at": NOW} for n in range(1, players)))
    add(sessions, iter([session_row()]))
    cursor.execute("COMMIT")
    connection.close()
    engine.dispose()


def event_row(event: Event) -> dict[str, Any]:
    """Return an event of the original game."""
    return {key: written(value) for key, value in queries.event_row("original", event).items()}


def account_row(number: int) -> dict[str, Any]:
    """Return an account that nobody can sign in to."""
    name = f"Player{number}"
    return {
        "id": f"a{number}", "name": name, "name_key": name.lower(), "look_key": f"look{number}",
        "password": "", "account_type": "person", "created_at": NOW - YEAR_MS,
    }  # fmt: skip


def history_rows(games: list[Any], game: str) -> Iterator[dict[str, Any]]:
    """Yield two ratings per game."""
    for identity, first, second, at in games:
        for one, other in ((first, second), (second, first)):
            yield {
                "account_id": one, "table_id": identity, "game": game, "at": at, "rating": 1500.0,
                "deviation": 80.0, "points": 0.5, "opponent_id": other,
            }  # fmt: skip


def rating_row(player: str, game: str) -> dict[str, Any]:
    """Return the rating of a player."""
    return {
        "account_id": player, "game": game, "rating": 1000.0 + hash(player) % 1000, "deviation": 80.0,
        "volatility": 0.06, "games": 4, "updated_at": NOW,
    }  # fmt: skip


def opening_row(key: int, game: str) -> dict[str, Any]:
    """Return the counts of a position."""
    return {"game": game, "key": key, "games": 2, "light_wins": 1.0, "scored": 2, "margin": 0.0}


def tournament_row(number: int) -> dict[str, Any]:
    """Return a public tournament that is over."""
    at = NOW - YEAR_MS + number
    settings = {"name": f"Open {number}", "format": "swiss", "game": GAME}
    return {
        "id": f"t{number}", "organiser_id": "a1", "invite": "", "rated": False, "over": True,
        "created_at": at, "updated_at": at, "public": True, "state": "finished", "min_players": 2,
        "summary": written({**settings, "players": 8, "round": 3, "total_rounds": 3}),
    }  # fmt: skip


def notification_row(number: int, players: int) -> dict[str, Any]:
    """Return a notification; every tenth goes to the busiest player."""
    return {
        "user_id": "a0" if number % 10 == 0 else f"a{number % players}", "kind": "over",
        "table_id": f"g{number}", "version": 1, "at": NOW - number,
        "data": written({"game": GAME, "opponent": None, "deadline": None}),
    }  # fmt: skip


def session_row() -> dict[str, Any]:
    """Return the session of the busiest player."""
    return {
        "id": "busiest", "hash": hash_secret("session", TOKEN), "account_id": "a0", "device": "benchmark",
        "created_at": NOW, "last_used_at": NOW,
    }  # fmt: skip


async def measure(path: Path, count: int) -> dict[str, float]:
    """Start a server on the file, and return the seconds of the start and the worst of each page."""
    began = time.perf_counter()
    server = await asyncio.to_thread(ServerProcess, f"sqlite:///{path}", 0, "--engines=0")
    times = {"start": time.perf_counter() - began, "start, CPU": server.cpu_seconds()}
    pages = [
        "/api/ready", "/api/me", "/api/challenges", "/api/live", "/api/my/tables", "/api/bots",
        f"/api/tables/g{count // 2 + 1}", f"/api/tables/g{count // 2 + 1}/events", "/api/tournaments",
        f"/api/ratings?game={GAME}", f"/api/ratings/Player7?game={GAME}",
        f"/api/tables/g{count // 3}/record.tji", "/api/results", "/api/following",
        "/api/players/Player7", "/api/players/Player7/tables", "/", "/watch", f"/game/g{count // 2 + 1}",
        "/player/Player0", "/api/players/Player0", "/api/players/Player0/tables", "/api/ratings",
        "/api/leaderboards", "/api/tournaments/public", "/api/tournaments/public?state=finished&offset=200",
    ]  # fmt: skip
    own = [
        "/api/me", "/api/my/tables", "/api/my/tables?status=over", "/api/following", "/api/agenda",
        "/api/notifications", "/api/tournaments", "/api/sessions",
    ]  # fmt: skip
    try:
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
            await client.get("/api/health")  # the first request of a connection is not a page
            for page in pages:
                began = time.perf_counter()
                answer = await client.get(page)
                times[page] = time.perf_counter() - began
                assert answer.status_code == 200, f"{page}: {answer.text}"
            csrf = (await client.get("/api/me")).json()["csrf"]
            keys = {"game": GAME, "keys": list(range(1000))}
            began = time.perf_counter()
            answer = await client.post("/api/openings", json=keys, headers={"X-CSRF-Token": csrf})
            times["/api/openings, 1,000 positions"] = time.perf_counter() - began
            assert len(answer.json()["positions"]) == len(keys["keys"])
        cookies = {"taiji_session": TOKEN}
        async with httpx.AsyncClient(base_url=server.url, timeout=60, cookies=cookies) as client:
            for page in own:
                began = time.perf_counter()
                answer = await client.get(page)
                times[f"{page} (busiest player)"] = time.perf_counter() - began
                assert answer.status_code == 200, f"{page}: {answer.text}"
        times["front page, CPU"] = await measure_front(server)
    finally:
        await asyncio.to_thread(server.stop)
    return times


async def measure_front(server: ServerProcess) -> float:
    """Return the processor time of one front page: its requests, and the first frame of each socket.

    The files of the app are not asked for: the browser of a returning player has them.
    """
    async with (
        httpx.AsyncClient(base_url=server.url, timeout=60) as player,
        httpx.AsyncClient(base_url=server.url, timeout=60) as rival,
    ):
        for client in (player, rival):
            client.headers["X-CSRF-Token"] = (await client.get("/api/me")).json()["csrf"]
        for _ in range(RUNNING_GAMES):
            wish = {"game": "taiji", "opponent": "open", "match": False}
            table = (await rival.post("/api/tables", json=wish)).json()["id"]
            assert (await player.post(f"/api/tables/{table}/join")).status_code == 200
        cookies = "; ".join(f"{name}={value}" for name, value in player.cookies.items())
        address = server.url.replace("http", "ws", 1) + "/ws/"
        options: dict[str, Any] = {"additional_headers": {"Cookie": cookies}, "max_size": 1 << 20}

        async def load() -> None:
            for path in ("/", "/api/games", "/api/me"):
                assert (await player.get(path)).status_code == 200
            async with connect(address + "lobby", **options) as socket:
                assert len(json.loads(await socket.recv())["my_tables"]) == RUNNING_GAMES
                async with connect(address + "notifications", **options) as bell:
                    assert json.loads(await bell.recv())["type"] == "notifications"

        await load()
        before = server.cpu_seconds()
        await asyncio.sleep(IDLE_S)
        idle = (server.cpu_seconds() - before) / IDLE_S
        costs = []
        for _ in range(FRONT_BATCHES):
            began, before = time.perf_counter(), server.cpu_seconds()
            for _ in range(FRONT_PAGES):
                await load()
            spent = server.cpu_seconds() - before - idle * (time.perf_counter() - began)
            costs.append(spent / FRONT_PAGES)
        return min(costs)


def limit(name: str) -> float:
    """Return the limit of a figure in seconds."""
    if name.startswith("front"):
        return MAX_FRONT_CPU_S
    return MAX_START_S if name.startswith("start") else MAX_PAGE_S


def main() -> None:
    """Generate, measure and judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--rated", type=int, default=100_000)
    parser.add_argument("--file", type=Path, help="an existing file is measured as it is")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.file or Path(folder) / "history.sqlite"
        if not path.exists():
            began = time.perf_counter()
            generate(path, options.games, options.rated)
            size = path.stat().st_size / 1e6
            print(f"{options.games} games, {size:.0f} MB, in {time.perf_counter() - began:.0f} s")
        times = asyncio.run(measure(path, options.games))
    for name, seconds in times.items():
        print(f"{seconds * 1000:8.1f} ms  {name}")
    slow = [name for name, seconds in times.items() if seconds > limit(name)]
    if slow:
        sys.exit(f"too slow: {', '.join(slow)}")


if __name__ == "__main__":
    main()
