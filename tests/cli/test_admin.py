"""`taiji admin` beside a running server, on both databases; every action is in the audit log."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from taiji.cli import program
from tests.server.conftest import database_url, postgres  # noqa: F401 - fixtures
from tests.server.inside import PASSWORD, Browser, Inside, drain


@pytest.fixture
def inside(database_url: str) -> Iterator[Inside]:  # noqa: F811
    with Inside(database_url, rate_limit_scale=1000).running() as server:
        yield server


class Admin:
    """An operator at the command line."""

    def __init__(self, url: str) -> None:
        self.url = url

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(program, ["admin", f"--database-url={self.url}", "--by=op", *arguments])

    def done(self, *arguments: str) -> str:
        result = self.run(*arguments)
        assert result.exit_code == 0, result.output
        return result.output

    def log(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.done("log", "--json").splitlines()]


def wait_until(condition: Any) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def account_of(browser: Browser) -> Any:
    return browser.get("/api/me")["account"]


def test_a_running_server_follows_what_an_operator_does(inside: Inside, database_url: str) -> None:  # noqa: F811
    admin = Admin(database_url)
    ada, bob = inside.browser(), inside.browser()
    ada.register("Rude-Name"), bob.register("Bob")
    table = ada.table(colour="light", match=False)
    bob.post(f"/api/tables/{table['id']}/join")
    tournament = bob.post("/api/tournaments", {"name": "Cup", "game": "taiji:size=4"})
    entry = {"secret": tournament["invite"].partition("#")[2], "name": "x"}
    ada.post(f"/api/tournaments/{tournament['id']}/join", entry)

    listed = [json.loads(line) for line in admin.done("list", "--json").splitlines()]
    assert [(row["name"], row["sessions"]) for row in listed] == [("Bob", 1), ("Rude-Name", 1)]

    # Renamed: the game in memory, its events and the tournament show the new name, and play goes on.
    admin.done("rename", "rude-name", "Player-17", "--reason=insult")
    wait_until(lambda: bob.get(f"/api/tables/{table['id']}")["seats"]["first"]["name"] == "Player-17")
    assert "Rude" not in str(bob.get(f"/api/tables/{table['id']}/events?after=0"))
    wait_until(lambda: bob.get(f"/api/tournaments/{tournament['id']}")["standings"][0]["name"] == "Player-17")
    assert account_of(ada)["name"] == "Player-17"
    assert ada.move(table["id"], 0, 0)[0] == 200
    assert inside.browser().sign_in("Rude-Name")[0] == 401

    # Muted: no more open challenges, challenges and tournaments; games by link still work.
    admin.done("mute", "Player-17")
    challenge = {"game": "taiji:size=4", "opponent": "player", "player": "Bob"}
    wait_until(lambda: ada.ask("POST", "/api/tables", challenge) == (403, "muted"))
    assert ada.ask("POST", "/api/tables", {"game": "taiji:size=4", "opponent": "open"})[1] == "muted"
    assert ada.ask("POST", "/api/tournaments", {"name": "Cup", "game": "taiji:size=4"})[1] == "muted"
    assert ada.ask("POST", "/api/tables", {"game": "taiji:size=4", "opponent": "link"})[0] == 201
    admin.done("unmute", "Player-17")
    wait_until(lambda: ada.ask("POST", "/api/tables", challenge)[0] == 201)

    # Revoked: the open socket closes.
    with ada.socket(f"/ws/tables/{table['id']}?protocol=2") as socket:
        admin.done("revoke", "Player-17")
        assert drain(socket) > 1000
    assert account_of(ada) is None

    # Closed: the token and the session end, and the right password is told so; the wrong one learns nothing.
    token = bob.post("/api/account/tokens", {"label": "x"})["token"]
    script = inside.browser(token=token)
    assert script.get("/api/me")["account"]["name"] == "Bob"
    admin.done("close", "Bob", "--reason=cheating")
    wait_until(lambda: script.ask("GET", "/api/me")[0] == 401)
    assert account_of(bob) is None
    assert inside.browser().sign_in("Bob") == (403, "account-closed")
    assert inside.browser().sign_in("Bob", "not the password") == (401, "wrong-password")
    assert "closed" in admin.done("list", "--only=closed")
    admin.done("reopen", "Bob")
    assert inside.browser().sign_in("Bob", PASSWORD)[0] == 200

    acts = [(entry["actor"], entry["action"], entry["name"], entry["detail"]) for entry in admin.log()]
    assert [act for act in acts[::-1] if act[0] == "op"] == [
        ("op", "rename", "Rude-Name", "to Player-17: insult"),
        ("op", "mute", "Player-17", ""),
        ("op", "unmute", "Player-17", ""),
        ("op", "revoke", "Player-17", ""),
        ("op", "close", "Bob", "cheating"),
        ("op", "reopen", "Bob", ""),
    ]
    assert [act[1] for act in acts if act[0] == "owner"] == ["registered", "registered"]


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Admin:
    url = f"sqlite:///{tmp_path_factory.mktemp('admin') / 'games.sqlite'}"
    with Inside(url).running() as server:
        server.browser().register("Ada")
    return Admin(url)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("close", "Nobody"), "'Nobody': no such account"),
        (("rename", "Ada", "admin"), "'admin': the name is taken"),
        (("rename", "Ada", "a b"), "'a b': not a name (expected"),
        (("log", "--account=Nobody"), "no such account"),
    ],
)
def test_what_is_not_possible_is_said_in_one_line(
    empty: Admin, arguments: tuple[str, ...], message: str
) -> None:
    result = empty.run(*arguments)
    assert (result.exit_code, result.output.count("\n")) == (2, 1)
    assert message in result.output


def test_a_missing_or_older_database_is_named(tmp_path: Path) -> None:
    missing = Admin(f"sqlite:///{tmp_path / 'none.sqlite'}").run("list")
    assert (missing.exit_code, "no such database" in missing.output) == (2, True)
    assert not (tmp_path / "none.sqlite").exists()
    (tmp_path / "empty.sqlite").touch()
    older = Admin(f"sqlite:///{tmp_path / 'empty.sqlite'}").run("list")
    assert (older.exit_code, "start taiji serve once to migrate" in older.output) == (2, True)


def test_a_weekly_tournament_is_switched_on_listed_and_off(inside: Inside, database_url: str) -> None:  # noqa: F811
    """A running server announces it by itself; every action is in the log."""
    admin = Admin(database_url)
    visitor = inside.browser()
    added = admin.done(
        "recurring", "add", "Sunday 7x7", "--weekday=sunday", "--time=19:00", "--clock=3+2", "--rounds=5"
    )
    identity = added.split()[0]
    assert f"{identity}  Sunday 7x7  nestorgames-7x7  sunday 19:00 UTC  4 players or more  on" in admin.done(
        "recurring", "list"
    )
    wait_until(lambda: visitor.get("/api/tournaments/public")["tournaments"])
    (shown,) = visitor.get("/api/tournaments/public")["tournaments"]
    assert (shown["name"], shown["clock"]["main_s"], shown["total_rounds"]) == ("Sunday 7x7", 180, 5)
    admin.done("unlist", shown["id"], "--reason=test")
    wait_until(lambda: not visitor.get("/api/tournaments/public")["tournaments"])
    for state in ("off", "on", "remove"):
        admin.done("recurring", state, identity)
    assert admin.done("recurring", "list") == ""
    actions = [entry["action"] for entry in admin.log()][::-1]
    assert actions == ["recurring-add", "unlist", "recurring-off", "recurring-on", "recurring-remove"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("recurring", "add", "X", "--weekday=sunday", "--time=25:00"), "time: invalid '25:00'"),
        (("recurring", "add", "X", "--weekday=sunday", "--time=9:00", "--clock=fast"), "clock: invalid"),
        (("recurring", "add", "X", "--weekday=sunday", "--time=9:00", "--game=chess"), "chess"),
        (
            ("recurring", "add", "X", "--weekday=sunday", "--time=9:00", "--timezone=Mars"),
            "timezone: unknown",
        ),
        (("recurring", "off", "nothing"), "no recurring tournament 'nothing'"),
        (("unlist", "nothing"), "no public tournament 'nothing'"),
    ],
)
def test_bad_weekly_tournaments_are_refused(empty: Admin, arguments: tuple[str, ...], message: str) -> None:
    result = empty.run(*arguments)
    assert (result.exit_code, result.output.count("\n")) == (2, 1)
    assert message in result.output
