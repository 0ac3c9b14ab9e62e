"""What the proof of `neural` is made of: contests, games with itself, and its speed."""

from __future__ import annotations

import json
import os
import platform
import random
import subprocess
import time
from pathlib import Path

from taiji.arena import Contest, InlinePool, Journal, LocalPool, Standings, run_contest, with_seeded_board
from taiji.kernel import Puct, PuctLimits, get_kernel, simd_backend
from taiji.nets.net import Net, bundled_nets, open_net
from taiji.players import Limit, make_player
from taiji.rules import Seat, parse_game

SEED = 2026
OWN = Limit()
TENTH = Limit(seconds=0.1)

GAMES = ("taiji", "tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits")
SIZES = (5, 6, 7, 8, 9, 10, 11)
SELF = (*(f"taiji:size={size}" for size in SIZES), "tailits", "battle-of-lits")
SELF_EVALUATIONS = 32
RANDOM_PLIES, DRAWN_PLIES = 2, 4
"""How games with itself begin: a sharp policy would draw the same few openings from the start of the game."""

MATCHES = {
    "t7": ("taiji:size=7", 0.3, 0.3, 0.66),
    "t9": ("taiji", 0.3, 0.3, 0.96),
    "t11": ("taiji:size=11", 0.3, 0.3, 0.99),
    "t9balanced": ("taiji", 0.3, 0.3, 0.96),
    "t9tenth": ("taiji", 0.03, 0.3, 0.60),
    "tailits": ("tailits", 0.3, 0.3, 0.72),
    "bol": ("battle-of-lits", 0.3, 0.3, 0.70),
    "bolbook": ("battle-of-lits", 0.3, 0.3, 0.70),
    "tailits+taiji": ("tailits+taiji", 0.3, 0.3, 0.80),
    "taiji+bol": ("taiji+battle-of-lits", 0.3, 0.3, 0.80),
}
"""For each match the game, the seconds of `neural` and of `mcts`, and the score that is wanted."""
MATCH_PAIRS = 100
WHOLE = ("bol", "bolbook")
"""Whole games with the swap, each pair on a board of its own; the others begin after two random plies."""

BOOK = ("bolbook",)
"""With known first moves, on the boards 0 to 99, which have them."""

BALANCED = {"t9balanced": "neural:evaluations=1000"}
"""Who finds the openings balanced, where it is not the search of the arena."""

COUNTED = {
    "bol-counted": ("battle-of-lits", "neural:evaluations=400", "mcts:playouts=40000"),
    "tailits-counted": ("tailits", "neural:evaluations=400", "mcts:playouts=30000"),
}
"""Matches by work instead of time, about what either does in 0.3 seconds of a whole core."""


def counted() -> dict[str, Contest]:
    patient = Limit(seconds=20)
    return {
        name: Contest(game, (ours, theirs), 50, (patient, patient), opening_plies=2, seed=1)
        for name, (game, ours, theirs) in COUNTED.items()
    }


def matches() -> dict[str, Contest]:
    return {
        name: Contest(
            game,
            ("neural:book=yes" if name in BOOK else "neural", "mcts"),
            MATCH_PAIRS,
            (Limit(seconds=ours), Limit(seconds=theirs)),
            opening_plies=0 if name in WHOLE else 2,
            seed=0 if name in BOOK else SEED,
            random_boards=name in WHOLE,
            balanced_by=BALANCED.get(name, ""),
        )
        for name, (game, ours, theirs, _) in MATCHES.items()
    }


def tables(rounds: int) -> dict[str, Contest]:
    """For each game one contest: levels and simple players as they are, searchers at a tenth of a second."""
    simple = ("level:1", "level:4", "level:7", "level:10", "greedy", "alphabeta")
    searchers = ("uct", "mcts", "neural")
    limits = (OWN,) * len(simple) + (TENTH,) * len(searchers)
    return {
        game: Contest(game, simple + searchers, rounds, limits, opening_plies=2, seed=SEED) for game in GAMES
    }


def play(contest: Contest, folder: Path, until: float, workers: int = 1) -> Standings:
    """Play the missing games of a contest within the time limit, several games at once."""
    pool = InlinePool() if workers == 1 else LocalPool(workers)
    journal = Journal(folder / "games.jsonl", contest.fingerprint())
    (folder / "commit").write_text(commit())
    (folder / "machine").write_text(_processor())

    def look(standings: Standings, _: object) -> None:
        print(f"{folder.name}: {len(standings.results)} games", flush=True)
        if time.monotonic() > until:
            raise TimeoutError

    try:
        return run_contest(contest, pool, journal, on_result=look)
    except TimeoutError:
        return Standings(contest, journal.results.values())
    finally:
        journal.close()
        pool.close()


def read(contest: Contest, folder: Path) -> Standings | None:
    if not (folder / "games.jsonl").exists():
        return None
    journal = Journal(folder / "games.jsonl", contest.fingerprint())
    journal.close()
    return Standings(contest, journal.results.values())


SCATTERED = ("battle-of-lits",)
"""Played with itself on another board each time, from the start."""


def play_itself(folder: Path, games: list[str], wanted: int, until: float) -> None:
    """Play `neural` against itself; write one line per game: the evaluation at every ply, and the winner."""
    folder.mkdir(parents=True, exist_ok=True)
    done = {text: len(read_lines(folder / f"{text.replace(':', '-')}.jsonl")) for text in games}
    for number in range(wanted):
        for text in games:
            if done[text] > number or time.monotonic() > until:
                continue
            line = _one_game(text, number)
            with (folder / f"{text.replace(':', '-')}.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        print(f"selfplay: {number + 1} games each", flush=True)


def _one_game(text: str, number: int) -> dict[str, object]:
    """Play random plies, draw the next as the search would share its attention, then play the best moves."""
    game = parse_game(with_seeded_board(text, number) if text in SCATTERED else text)
    draw = random.Random(f"{SEED} {text} {number}")
    net = net_of(text)
    raw = Puct(get_kernel(game), net.encoder_spec(game))
    judge = [net.evaluator(game, 1)]
    player = make_player(f"neural:evaluations={SELF_EVALUATIONS}", seed=number)
    state, thoughts = game.start(), []
    for _ in range(0 if text in SCATTERED else RANDOM_PLIES):
        state = state.play(draw.choice(state.legal()))
    drawn_until = state.ply + DRAWN_PLIES
    while not state.is_over:
        first = state.seat_to_move is Seat.FIRST
        win = raw.run(state, PuctLimits(evaluations=1, playouts=1), judge).win_prob
        raw.reset()
        thoughts.append(round(win if first else 1 - win, 4))
        move, info = player.choose(state, Limit())
        if state.ply < drawn_until and info.candidates:
            move = draw.choices([c.move for c in info.candidates], [c.share for c in info.candidates])[0]
        state = state.play(move)
    outcome = state.outcome()
    assert outcome is not None
    winner = 0.5 if outcome.winner is None else float(outcome.winner is Seat.FIRST)
    light = 0.5 if outcome.winner is None else float(state.colour_of(outcome.winner) == 0)
    return {"first": winner, "light": light, "thoughts": thoughts}


def net_of(text: str) -> Net:
    """Return the bundled net that supports a game."""
    game = parse_game(text)
    return next(net for net in map(open_net, bundled_nets()) if net.supports(game))


def commit() -> str:
    command = ["git", "rev-parse", "--short", "HEAD"]
    folder = Path(__file__).parent
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False).stdout.strip()


def read_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def measure_speed(folder: Path) -> None:
    """Count what the net judges in a second of a move, by game, threads, and what runs it."""
    rows = []
    for text in ("taiji:size=7", "taiji:size=9", "taiji:size=11", "tailits", "battle-of-lits"):
        game = parse_game(text)
        state = game.start()
        for move in random_moves(game, 6):
            state = state.play(move)
        net = net_of(text)
        for runtime, threads in (("core", 1), ("core", 2), ("core-float32", 1), ("onnxruntime", 1)):
            best, core = 0.0, 0.0
            search = Puct(get_kernel(game), net.encoder_spec(game))
            judges = [net.evaluator(game, 1, runtime) for _ in range(threads)]
            for _ in range(12):
                search.reset()
                began, spent = time.perf_counter(), time.process_time()
                result = search.run(state, PuctLimits(seconds=0.5), judges)
                best = max(best, result.evaluations / (time.perf_counter() - began))
                core = max(core, result.evaluations / (time.process_time() - spent))
            row = {"game": text, "runtime": runtime, "threads": threads}
            rows.append({**row, "evaluations": round(best), "core_second": round(core)})
            print(rows[-1], flush=True)
    facts = {
        "rows": rows,
        "simd_backend": simd_backend(),
        "processor": _processor(),
        "load": os.getloadavg()[0],
    }
    (folder / "speed.json").write_text(json.dumps(facts, indent=1))


def random_moves(game, plies):
    draw, state, moves = random.Random(SEED), game.start(), []
    for _ in range(plies):
        moves.append(draw.choice(state.legal()))
        state = state.play(moves[-1])
    return moves


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    flags = next((line.split() for line in lines if line.startswith("flags")), [])
    name = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "")
    known = [flag for flag in ("avx2", "fma", "avx512f", "avx512_vnni", "avx_vnni") if flag in flags]
    return f"{name}, {os.cpu_count()} cores, {' '.join(known)}"
