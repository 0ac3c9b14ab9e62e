"""Hints, questions and reviews: one search a visitor, a bounded queue, progress and cancelling."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, cast

from taiji.analysis.reasons import MESSAGES
from taiji.server.contract.errors import ApiError
from taiji.server.jobs.reviews import Reviews
from tests.server.running import Visitor
from tests.server.test_play import by_link
from tests.waiting import wait_until

Make = Callable[[], Visitor]


def test_a_question_is_answered_with_lines_and_reasons(visitor: Make) -> None:
    answer = visitor().post(
        "/api/analyse", {"game": "taiji:size=4", "moves": ["a1/a2", "c1/c2"], "seconds": 0.2, "lines": 2}
    )
    assert (answer["ply"], answer["seat"]) == (2, "first")
    assert 1 <= len(answer["candidates"]) <= 2
    assert answer["candidates"][0]["pv"][0] == answer["candidates"][0]["text"]
    assert {reason["code"] for reason in answer["reasons"]} <= set(MESSAGES)
    assert answer["reasons"]


def test_a_question_about_nothing_is_refused(visitor: Make) -> None:
    ada = visitor()
    assert ada.refused("/api/analyse", {"game": "chess"}) == (400, "bad-game")
    assert ada.refused("/api/analyse", {"game": "taiji", "moves": ["zz"]}) == (400, "bad-move")
    assert ada.refused("/api/analyse", {"game": "taiji", "moves": [0, 0]}) == (409, "illegal-move")
    assert ada.refused("/api/analyse", {"game": "taiji:size=2", "moves": [0, 6]}) == (409, "over")
    assert ada.refused("/api/analyse", {"game": "taiji", "seconds": 11}) == (422, "bad-request")


def test_one_search_a_visitor(visitor: Make) -> None:
    ada, bob = visitor(), visitor()
    question = {"game": "taiji", "seconds": 3}
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda _: ada.client.post("/api/analyse", json=question), range(2)))
    found, refused = sorted(answers, key=lambda answer: answer.status_code)
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "search-running")
    assert int(refused.headers["Retry-After"]) >= 1
    assert found.json()["candidates"]
    assert bob.post("/api/analyse", {"game": "taiji:size=3", "seconds": 0.1})["candidates"]


def test_hints_are_only_against_the_computer_and_on_ones_turn(visitor: Make) -> None:
    ada, bob = visitor(), visitor()
    table = ada.table(colour="light", level=1, game="taiji:size=5")
    hint = ada.post(f"/api/tables/{table['id']}/hint")
    ada.act(table["id"], "move", ply=0, move=hint["candidates"][0]["move"])
    assert hint["seat"] == "first"
    assert bob.refused(f"/api/tables/{table['id']}/hint") == (403, "not-your-table")
    with_bob = by_link(ada, bob)
    assert ada.refused(f"/api/tables/{with_bob['id']}/hint") == (403, "hints-off")


def wait_for(visitor: Visitor, review: dict[str, Any], *states: str) -> dict[str, Any]:
    def found() -> Any:
        told: dict[str, Any] = visitor.get(f"/api/reviews/{review['id']}")
        return told if told["state"] in states else None

    return wait_until(found, f"the review is not {states}")


def test_a_review_of_a_finished_game(visitor: Make) -> None:
    ada, bob = visitor(), visitor()
    table = by_link(ada, bob, game="taiji:size=3", match=False)
    wish = {"table": table["id"], "depth": "quick"}
    assert ada.refused("/api/reviews", wish) == (409, "not-over")
    for ply, text in enumerate(["a1/a2", "b1/b2", "c1/c2", "a3/b3"]):
        (ada, bob)[ply % 2].act(table["id"], "move", ply=ply, move=text)
    review = bob.post("/api/reviews", wish, 202)
    assert (review["total"], review["table"]) == (5, table["id"])
    done = wait_for(bob, review, "done")
    assert [entry["analysis"]["ply"] for entry in done["plies"]] == list(range(5))
    assert done["plies"][0]["played"]["text"] == "a1/a2"
    final = done["plies"][-1]["analysis"]
    result = ada.get(f"/api/tables/{table['id']}")["result"]
    seat, other = final["seat"], "second" if final["seat"] == "first" else "first"
    assert final["margin"] == result["scores"][seat] - result["scores"][other]
    assert final["win_prob"] == (1.0 if result["winner"] == seat else 0.0)
    assert (final["exact"], final["candidates"]) == (True, [])
    for entry in done["plies"][:-1]:
        assert entry["margin_loss"] is None or entry["margin_loss"] >= 0
        assert entry["mark"] in (None, "inaccuracy", "mistake", "blunder")
        assert entry["analysis"]["candidates"]
    assert bob.get(f"/api/reviews/{review['id']}", after=3)["plies"] == done["plies"][3:]


def test_a_review_can_be_cancelled_by_its_owner(visitor: Make) -> None:
    ada, eve = visitor(), visitor()
    record = ada.post("/api/records", {"game": "taiji", "moves": [0]}, 201)
    review = ada.post("/api/reviews", {"record": record["id"], "depth": "deep"}, 202)
    path = f"/api/reviews/{review['id']}"
    assert eve.refused(path, method="DELETE") == (403, "not-your-table")
    assert ada.client.delete(path).status_code == 204
    assert ada.get(path)["state"] in ("cancelled", "done")
    # The search is given back.
    ada.post("/api/analyse", {"game": "taiji:size=3", "seconds": 0.1})
    assert ada.refused("/api/reviews/unknown", method="DELETE") == (404, "review-gone")


def test_a_review_stays_with_its_game_until_it_is_hidden_or_deleted(visitor: Make) -> None:
    ada, eve = visitor(), visitor()
    moves = ["a1/a2", "b1/b2", "c1/c2", "a3/b3"]
    record = ada.post("/api/records", {"game": "taiji:size=3", "moves": moves}, 201)["id"]
    assert ada.get("/api/reviews", record=record) == {"review": None}
    begun = ada.post("/api/reviews", {"record": record, "depth": "quick"}, 202)
    path = f"/api/reviews/{begun['id']}"
    review = wait_for(ada, begun, "done")
    assert (review["yours"], review["shared"], len(review["moves"])) == (True, True, 4)
    assert review["first"]["moves"] == review["second"]["moves"] == 2
    assert 0 <= review["first"]["accuracy"] <= 100
    assert eve.get("/api/reviews", record=record)["review"] == {**review, "yours": False}
    assert eve.refused(path, {"shared": False}, method="PATCH") == (403, "not-your-table")

    best = review["plies"][1]["analysis"]["candidates"][0]
    tried = eve.post(f"{path}/tries", {"ply": 1, "move": best["move"]})
    assert (tried["verdict"], tried["loss"], tried["text"]) == ("best", 0.0, best["text"])
    assert tried["reasons"]
    last = eve.post(f"{path}/tries", {"ply": 3, "move": "b3/a3"})
    assert last["verdict"] in ("best", "good", "inaccuracy", "mistake", "blunder")
    assert eve.refused(f"{path}/tries", {"ply": 1, "move": "a1/a2"}) == (409, "illegal-move")
    assert eve.refused(f"{path}/tries", {"ply": 4, "move": "a1/a2"}) == (422, "bad-request")

    assert ada.client.patch(path, json={"shared": False}).json()["shared"] is False
    assert eve.refused(path, method="GET") == (403, "review-private")
    assert eve.get("/api/reviews", record=record) == {"review": None}
    assert ada.get("/api/reviews", record=record)["review"]["shared"] is False
    assert ada.client.delete(path).status_code == 204  # nothing is running: nothing happens
    assert ada.client.delete(path, params={"forget": True}).status_code == 204
    assert ada.refused(path, method="GET") == (404, "review-gone")


def test_a_position_that_was_set_up_is_analysed_or_says_why_not(visitor: Make) -> None:
    ada = visitor()
    ask = {"game": "taiji:size=4", "moves": ["d1/d2"], "seconds": 0.1}
    answer = ada.post("/api/analyse", {**ask, "start": "tji1 taiji:size=4 b2/b3,c3/c2,a1/b1 dark -"})
    assert (answer["ply"], answer["seat"]) == (4, "first")
    for start in ("tji1 taiji:size=4 b2/b3,b3/c3 light -", "tji1 taiji:size=3 - light -", "nonsense"):
        assert ada.refused("/api/analyse", {**ask, "start": start}) == (400, "bad-position")
    said = ada.client.post("/api/analyse", json={**ask, "start": "tji1 taiji:size=4 b2/b3,b3/c3 light -"})
    assert said.json()["error"]["message"] == "column 19: unreachable position: b3 is already covered"


def test_a_review_is_said_to_have_ended_once_that_is_on_disk() -> None:
    async def main() -> None:
        disk = asyncio.Event()
        writes = 0

        async def write(_: object) -> None:
            nonlocal writes
            writes += 1
            if writes > 1:  # after the review has begun
                await disk.wait()

        async def refuse(*_: object, **__: object) -> None:
            raise ApiError("unavailable")

        searches = SimpleNamespace(
            engines=SimpleNamespace(max_workers=1), acquire=id, release=id, analyse=refuse
        )
        store = SimpleNamespace(write=write)
        reviews = Reviews(*cast("tuple[Any, Any, Any]", (store, searches, SimpleNamespace(now=lambda: 0))))
        review = await reviews.begin("ada", "taiji:size=3", None, [], "quick", table=None, record=None)
        while writes < 2:
            await asyncio.sleep(0)
        assert review.state == "running"
        disk.set()
        while review.state == "running":
            await asyncio.sleep(0)
        assert review.state == "failed"

    asyncio.run(main())
