"""The opening explorer of the server's own games: each public game between people counts once."""

from __future__ import annotations

import pytest

from taiji.analysis.explorer import get_keys, key_of
from taiji.rules import parse_game
from taiji.server.contract.openings import MAX_KEYS
from tests.server.inside import Browser, Inside
from tests.waiting import wait_until

GAME = parse_game("taiji:size=2")
MOVES = [GAME.start().parse(text).action for text in ("a1/a2", "b2/b1")]
EMPTY = key_of(get_keys(GAME).start)
AFTER = key_of(get_keys(GAME).of_actions(MOVES[:1]))
MIRRORED = key_of(get_keys(GAME).of_actions([GAME.start().parse("b2/b1").action]))


def play(first: Browser, second: Browser, *, resign: bool = False, **wish: object) -> str:
    """Play a game that the first begins; return the id of its table."""
    table = first.table(game=str(GAME), colour="light", match=False, **wish)
    if table["invite"]:
        second.post("/api/join", {"secret": table["invite"].partition("#")[2]})
    else:
        second.post(f"/api/tables/{table['id']}/join")
    assert first.move(table["id"], 0, MOVES[0])[0] == 200
    if resign:
        second.post(f"/api/tables/{table['id']}/resign", {"id": "r"})
    else:
        assert second.move(table["id"], 1, MOVES[1])[0] == 200
    return str(table["id"])


def ask(browser: Browser, *keys: int, game: str = str(GAME)) -> dict[int, tuple[int, float, float | None]]:
    answer = browser.post("/api/openings", {"game": game, "keys": list(keys)})
    return {one["key"]: (one["games"], one["light_wins"], one["light_margin"]) for one in answer["positions"]}


def test_finished_public_games_are_counted_once(database_url: str) -> None:
    with Inside(database_url).running() as server:
        ada, bob = server.browser(), server.browser()
        play(ada, bob)
        play(ada, bob, opponent="link")
        resigned = play(bob, ada, resign=True)
        # The tie is Dark's win; who resigns as Dark makes Light win, without a margin.
        expected = {EMPTY: (2, 1.0, 0.0), AFTER: (2, 1.0, 0.0)}
        wait_until(lambda: ask(ada, EMPTY, AFTER, 1) == expected, "the games are not counted")
        assert AFTER == MIRRORED
        assert ask(bob, EMPTY, game="taiji:size=3") == {}
        assert server.run(server.context.openings.count_queued) == 0
        assert bob.get(f"/api/tables/{resigned}")["result"]["winner"] == "first"


def test_a_server_that_was_killed_before_it_counted(tmp_path_factory: pytest.TempPathFactory) -> None:
    url = f"sqlite:///{tmp_path_factory.mktemp('openings') / 'x.sqlite'}"
    with pytest.MonkeyPatch.context() as patch:

        async def wait_forever(self: object) -> int:
            return 0

        patch.setattr("taiji.server.jobs.openings.Openings.count_queued", wait_forever)
        with Inside(url).running() as server:
            play(server.browser(), server.browser())
    with Inside(url).running() as server:
        ada = server.browser()
        wait_until(lambda: ask(ada, EMPTY) == {EMPTY: (1, 0.0, 0.0)}, "the game is not counted")


@pytest.mark.parametrize(
    "body",
    [
        {"game": "taiji", "keys": []},
        {"game": "taiji", "keys": [-1]},
        {"game": "taiji", "keys": [1 << 48]},
        {"game": "taiji", "keys": ["1"]},
        {"game": "taiji", "keys": [1] * (MAX_KEYS + 1)},
        {"game": "x" * 401, "keys": [1]},
        {"keys": [1]},
    ],
)
def test_bad_queries(inside: Inside, body: dict[str, object]) -> None:
    assert inside.browser().ask("POST", "/api/openings", body) == (422, "bad-request")
