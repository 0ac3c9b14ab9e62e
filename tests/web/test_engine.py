"""The engine in the page: in Chromium its worker chooses, scores and solves as the native core does."""

from __future__ import annotations

import pytest

from taiji.kernel import Solver, get_kernel
from taiji.players import Limit, make_player
from taiji.rules import State, parse_game
from tests.web.browser import PageUser
from tests.web.engine import Job, job, run_engine, think

GAMES = ("taiji:size=7", "taiji", "tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits")
PLAYERS = ("mcts:playouts=300", "level:2", "greedy")
SOLVE = {"op": "solve", "seconds": None, "nodes": 20_000, "match": None, "allBest": True, "winnerOnly": False}


def position(text: str, seed: int, left: int | None = None) -> State:
    """Return a position in the middle of a random game, or with about this many plies left."""
    game = parse_game(text)
    actions = get_kernel(game).start().random_game(seed)
    state = game.start()
    for action in actions[: len(actions) // 2 if left is None else -left]:
        state = state.play(game.move(action))
    return state


def test_the_worker_answers_as_the_native_core(user: PageUser) -> None:
    user.open("/")
    jobs: list[Job] = []
    expected: list[object] = []
    for seed, text in enumerate(GAMES):
        state = position(text, seed)
        scores = state.scores()
        jobs.append(job(state, {"op": "legal"}))
        expected.append([move.action for move in state.legal()])
        jobs.append(job(state, {"op": "score"}))
        expected.append({"over": False, "scores": [scores.first, scores.second], "winner": None})
        for player in PLAYERS:
            jobs.append(think(state, player, seed))
            move, info = make_player(player, seed=seed).choose(state, Limit())
            expected.append([move.action, info.win_prob, info.margin, info.playouts])
        end = position(text, seed, left=4)
        jobs.append(job(end, SOLVE))
        solution = Solver(get_kernel(end.game), memory=32).solve(end, nodes=20_000)
        best = [move.action for move in solution.best]
        expected.append([solution.solved, solution.margin, best, solution.nodes])
    found = run_engine(user.page, jobs)
    assert found["ready"]["type"] == "ready"
    assert found["ready"]["nets"]
    shown = []
    for one, message in zip(jobs, found["answers"], strict=True):
        assert message["type"] == "done", message
        answer, op = message["answer"], one["request"]["op"]
        if op == "think":
            info = answer["info"]
            answer = [answer["move"], info["winProb"], info["margin"], info["playouts"]]
        elif op == "solve":
            answer = [answer[name] for name in ("solved", "margin", "best", "nodes")]
        shown.append(answer)
    assert shown == expected


def test_the_net_plays_and_errors_have_names(user: PageUser) -> None:
    user.open("/")
    start = parse_game("taiji:size=7").start()
    broken = {**think(start, "mcts", 1), "placed": {"placed": [[0, 0]], "swapped": False}}
    jobs = [
        think(start, "neural:evaluations=30", 1),
        think(start, "level:11", 1),
        broken,
        think(start, "mcts:playouts=50", 1),
    ]
    found = run_engine(user.page, jobs)
    net, level, impossible, after = found["answers"]
    _, info = make_player("neural:evaluations=30", seed=1).choose(start, Limit())
    assert net["answer"]["info"]["winProb"] == pytest.approx(info.win_prob, abs=0.02)
    # `mcts` would have run a hundred times as many playouts.
    assert net["answer"]["info"]["playouts"] == pytest.approx(info.playouts, rel=0.5)
    assert (level["type"], level["code"]) == ("failed", "player")
    assert (impossible["type"], impossible["code"]) == ("failed", "position")
    assert after["type"] == "done"
