"""docs/strength.md, written from what benchmarks/neural.py has played and measured."""

from __future__ import annotations

import json
from itertools import combinations
from math import sqrt
from pathlib import Path
from random import Random

import neural_games as games
import training_time

from taiji.arena import Contest, PairScore, Standings, bradley_terry, limit_text
from taiji.nets.net import FOLDER
from taiji.rules import parse_game

Z95 = 1.96
BINS = 10


def write(folder: Path, target: Path) -> None:
    parts = [
        HEAD,
        _matches(folder),
        _counted(folder),
        _tables(folder),
        _speed(folder),
        _calibration(folder, target),
        _light(folder),
        _training(target),
    ]
    target.write_text("\n\n".join(part.strip() for part in parts if part) + "\n", encoding="utf-8")


HEAD = """
# Strength of the players

This page is written by `python benchmarks/neural.py --folder FOLDER`, which plays the games and takes
the measurements; the same command resumes after an interruption. ± and intervals are 95 %, taken over
pairs of games: both colours from the same opening of two random moves that a search of 20,000 playouts
finds balanced. Each player has one thread. Light and Dark are the seats as they began; in Battle of LITS
a swap exchanges their colours.
"""

MATCHES = """
## `neural` against `mcts`

Seconds are wall-clock time per move. `late` counts the games that `neural` and `mcts` lost because a
move took a second too long on a busy machine. `pairs` are those won by `neural`, shared, and won by
`mcts`. Battle of LITS is played from its first move, the swap included, with a different board for each
pair. In its line with two random plies, nearly every shared pair was won by the same colour in both
games: the opening had decided it, and the search that chose the opening did not see that.
"""

COUNTED = """
### With fixed evaluations and playouts

Evaluations and playouts are about those of 0.3 seconds of a core, so a busy machine does not change the
results.
"""

TABLES = """
## Cross tables

The levels, `greedy` and `alphabeta` (two plies) have no time limit; the others have 0.1 seconds per move.
Each cell is the score of the row against the column in per cent.
"""

SPEED = """
## Evaluations per second

One position at a time, in the core with int16 products if it has AVX2, in onnxruntime with float32; the
best of twelve searches of half a second:
{where}.
Cache hits are not counted. The columns with threads are per second of wall-clock time, which other
processes share if the load is above the number of cores. The first and the last two columns are per
second of CPU time.
"""

CALIBRATION = """
## Calibration of the value head

`neural` with {evaluations} evaluations per move played itself: after {random} random plies (none in Battle
of LITS, where every game has a board of its own) the next {drawn} were sampled from the search. At every
ply the net's value without search is compared with the result: the win probability of the first seat, with
its logit times the scale in the net's card, in {bins} bins, against how often that seat won. The mean error
is the distance between the two, weighted by positions. Positions of one game share their result, so some
error is random: the next column is the mean error of a perfectly calibrated head with as many games.
`benchmarks/neural_sharpness.py` fits the scale; it changes the displayed win probability, not the search.

![reliability]({picture})
"""

LIGHT = """
## Win rate of Light

From the same games, so after two random plies but in Battle of LITS; the [studies](studies/README.md) have
the win rates from the start.
"""

TRAINING = """
## Strength by training time

Later nets of a run against the first net of their line, with search, both colours from the same openings, as
`benchmarks/training_time.py` has played and drawn it; intervals are 95 % over pairs of games.

![score by minutes of training]({picture})

{table}

The gates of the training logs, by minute: each new net against the last one that passed, without search.
"""


def _matches(folder: Path) -> str:
    rows = [
        "| game | `neural` | `mcts` | games | score | 95 % | goal | Light | Dark | pairs | late | on | at |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, contest in games.matches().items():
        standings = games.read(contest, folder / "matches" / name)
        if standings is None or not standings.results:
            continue
        late = [result.reason.split()[0] for result in standings.forfeits()]
        tally = standings.pair_score(0, 1)
        low, high = tally.interval
        light, dark = standings.by_colour(0)
        ours, theirs = (limit_text(limit).replace("s", " s") for limit in contest.limits)
        notes = folder / "matches" / name
        rows.append(
            f"| {_game(name, contest)} | {ours} | {theirs} | {tally.games} | **{tally.score:.1%}** "
            f"| {low:.1%} to {high:.1%} | {games.MATCHES[name][3]:.0%} "
            f"| {_share(light)} | {_share(dark)} | {_pairs(tally)} "
            f"| {late.count('neural')}, {late.count('mcts')} "
            f"| {_note(notes / 'machine')} | {_note(notes / 'commit')} |"
        )
    if len(rows) == 2:
        return ""
    return MATCHES.strip() + "\n\n" + "\n".join(rows)


def _game(name: str, contest: Contest) -> str:
    twice = sum(game == games.MATCHES[name][0] for game, *_ in games.MATCHES.values()) > 1
    random_plies = f", after {contest.opening_plies} random plies" if twice and contest.opening_plies else ""
    by = f" that `{contest.balanced_by}` finds balanced" if contest.balanced_by else ""
    book = ", known first moves" if name in games.BOOK else ""
    return f"{parse_game(contest.game)}{random_plies}{by}{book}"


def _counted(folder: Path) -> str:
    rows = ["| game | players | games | score | 95 % | commit |", "|---|---|---|---|---|---|"]
    for name, contest in games.counted().items():
        standings = games.read(contest, folder / "matches" / name)
        if standings is None or not standings.results:
            continue
        tally = standings.pair_score(0, 1)
        low, high = tally.interval
        ours, theirs = contest.players
        rows.append(
            f"| {parse_game(contest.game)} | `{ours}` against `{theirs}` | {tally.games} "
            f"| **{tally.score:.1%}** "
            f"| {low:.1%} to {high:.1%} | {_note(folder / 'matches' / name / 'commit')} |"
        )
    return COUNTED.strip() + "\n\n" + "\n".join(rows) if len(rows) > 2 else ""


def _note(path: Path) -> str:
    return path.read_text().strip() if path.exists() else ""


def _pairs(tally: PairScore) -> str:
    won, lost = (sum(points == wanted for points in tally.points) for wanted in (1, 0))
    return f"{won}, {len(tally.points) - won - lost}, {lost}"


def _share(found: tuple[float, int]) -> str:
    points, number = found
    return f"{points:g}/{number}"


def _tables(folder: Path) -> str:
    parts = []
    for game, contest in games.tables(1000).items():
        standings = games.read(contest, folder / "tables" / game)
        if standings is not None and standings.results:
            parts.append(_table(game, standings, _note(folder / "tables" / game / "machine")))
    return "\n\n".join([TABLES.strip(), *parts]) if parts else ""


def _table(game: str, standings: Standings, where: str) -> str:
    contest = standings.contest
    names = [
        player if limit_text(limit) == "own" else f"{player} {limit_text(limit).replace('s', ' s')}"
        for player, limit in zip(contest.players, contest.limits, strict=True)
    ]
    scores: dict[tuple[str, str], tuple[float, float]] = {}
    for a, b in combinations(range(len(names)), 2):
        tally = standings.pair_score(a, b)
        if tally.games:
            scores[names[a], names[b]] = (tally.score * tally.games, tally.games)
    colours = {name: standings.by_colour(number) for number, name in enumerate(names)}
    ratings = bradley_terry(names, scores)
    order = [rating.player for rating in ratings]
    head = ["", "player", "Elo", "±", "Light", "Dark", *[str(n) for n in range(1, len(order) + 1)]]
    rows = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for rank, rating in enumerate(ratings, 1):
        cells = [_cell(scores, rating.player, other) for other in order]
        light, dark = (f"{p / n:.0%}" if n else "" for p, n in colours[rating.player])
        numbers = [f"{rating.elo:+.0f}".replace("-", "−"), f"{rating.error_95:.0f}", light, dark]
        rows.append("| " + " | ".join([str(rank), f"`{rating.player}`", *numbers, *cells]) + " |")
    least = min(games for _, games in scores.values())
    played = f"{len(standings.results)} games, at least {least:.0f} for each cell{where and ', on '}{where}"
    return f"### {parse_game(game)}: {played}\n\n" + "\n".join(rows)


def _cell(scores: dict, one: str, two: str) -> str:
    if one == two:
        return "·"
    if (one, two) in scores:
        points, number = scores[one, two]
        return f"{100 * points / number:.0f}"
    if (two, one) in scores:
        points, number = scores[two, one]
        return f"{100 - 100 * points / number:.0f}"
    return ""


def _speed(folder: Path) -> str:
    path = folder / "speed.json"
    if not path.exists():
        return ""
    facts = json.loads(path.read_text())
    table: dict[str, dict[tuple[str, int], tuple[int, int]]] = {}
    for row in facts["rows"]:
        found = row["evaluations"], row["core_second"]
        table.setdefault(row["game"], {})[row["runtime"], row["threads"]] = found
    rows = [
        "| game | per CPU second | one thread | two threads | | float32 | onnxruntime |",
        "|---|---|---|---|---|---|---|",
    ]
    for game, seen in table.items():
        (one, core), (two, _) = seen["core", 1], seen["core", 2]
        floats, other = (seen[runtime, 1][1] for runtime in ("core-float32", "onnxruntime"))
        shown = [f"{core:,}", f"{one:,}", f"{two:,}", f"× {two / one:.2f}", f"{floats:,}", f"{other:,}"]
        rows.append(f"| {parse_game(game)} | {' | '.join(shown)} |")
    where = f"{facts['processor']}; load of the machine {facts['load']:.1f}"
    return SPEED.format(where=where).strip() + "\n\n" + "\n".join(rows)


def _positions(folder: Path, text: str) -> list[list[tuple[float, float]]]:
    """For each game of self-play, what was thought of the first seat's chances and what came of it."""
    lines = games.read_lines(folder / "selfplay" / f"{text.replace(':', '-')}.jsonl")
    return [[(thought, line["first"]) for thought in line["thoughts"]] for line in lines]


def _calibration(folder: Path, target: Path) -> str:
    rows = [
        "| game | games | positions | scale | mean error | random part | without scale |",
        "|---|---|---|---|---|---|---|",
    ]
    curves = {}
    for name, texts in (
        ("TAIJI 5 to 11", [text for text in games.SELF if text.startswith("taiji")]),
        ("TAILITS", ["tailits"]),
        ("Battle of LITS", ["battle-of-lits"]),
    ):
        said = [game for text in texts for game in _positions(folder, text)]
        if not said:
            continue
        net = games.net_of(texts[0])
        played = [[(net.calibrated_win_prob(thought), result) for thought, result in game] for game in said]
        found = reliability([pair for game in played for pair in game])
        chance = _by_chance(played)
        curves[name] = found
        number = sum(len(game) for game in played)
        plain = mean_error(reliability([pair for game in said for pair in game]))
        rows.append(
            f"| {name} | {len(played):,} | {number:,} | {net.value_logit_scale:g} "
            f"| {mean_error(found):.1f} points "
            f"| {chance:.1f} points | {plain:.1f} points |"
        )
    if not curves:
        return ""
    picture = target.parent / "strength-reliability.svg"
    picture.write_text(_drawn(curves), encoding="utf-8")
    head = CALIBRATION.format(
        evaluations=games.SELF_EVALUATIONS,
        random=games.RANDOM_PLIES,
        drawn=games.DRAWN_PLIES,
        bins=BINS,
        picture=picture.name,
    )
    return head.strip() + "\n\n" + "\n".join(rows)


def reliability(pairs: list[tuple[float, float]]) -> list[tuple[float, float, int]]:
    """For each bin the mean thought, the mean result and how many positions."""
    found = []
    for index in range(BINS):
        inside = [(t, r) for t, r in pairs if index == min(BINS - 1, int(t * BINS))]
        if inside:
            thought = sum(t for t, _ in inside) / len(inside)
            found.append((thought, sum(r for _, r in inside) / len(inside), len(inside)))
    return found


def mean_error(found: list[tuple[float, float, int]]) -> float:
    total = sum(number for _, _, number in found)
    return 100 * sum(abs(thought - result) * number for thought, result, number in found) / total


def _by_chance(played: list[list[tuple[float, float]]]) -> float:
    """The mean error with the same thoughts, if results came as thought: each game decided by one draw.

    The draw is held against the thought of every ply, so that the games stay as dependent as they are.
    """
    draw = Random(1)
    errors = []
    for _ in range(40):
        pairs = []
        for game in played:
            threshold = draw.random()
            pairs += [(thought, float(threshold < thought)) for thought, _ in game]
        errors.append(mean_error(reliability(pairs)))
    return sum(errors) / len(errors)


COLOURS = ("#1f6f8b", "#c8553d", "#588157")


def _drawn(curves: dict[str, list[tuple[float, float, int]]]) -> str:
    side, edge = 420, 50
    box = f"0 0 {side + 2 * edge + 130} {side + 2 * edge}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<path d="M{edge} {edge + side}L{edge + side} {edge}" stroke="#bbb" stroke-dasharray="4 4"/>',
        f'<rect x="{edge}" y="{edge}" width="{side}" height="{side}" fill="none" stroke="#444"/>',
    ]
    for tick in range(0, 11, 2):
        at = side * tick / 10
        parts.append(f'<text x="{edge + at}" y="{edge + side + 18}" text-anchor="middle">{tick * 10}</text>')
        parts.append(f'<text x="{edge - 8}" y="{edge + side - at + 4}" text-anchor="end">{tick * 10}</text>')
    middle = f'x="{edge + side / 2}" y="{edge + side + 38}" text-anchor="middle"'
    parts.append(f"<text {middle}>chance that the net gives, %</text>")
    parts.append(f'<text x="{edge}" y="{edge - 14}">games won, %</text>')
    for index, (name, found) in enumerate(curves.items()):
        points = [(edge + side * x, edge + side * (1 - y), n) for x, y, n in found]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
        colour = COLOURS[index % len(COLOURS)]
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>' for x, y, _ in points]
        parts.append(
            f'<text x="{edge + side + 12}" y="{edge + 20 + 22 * index}" fill="{colour}">{name}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _light(folder: Path) -> str:
    rows = ["| game | games | Light wins | ± |", "|---|---|---|---|"]
    for text in games.SELF:
        lines = games.read_lines(folder / "selfplay" / f"{text.replace(':', '-')}.jsonl")
        if not lines:
            continue
        share = sum(line["light"] for line in lines) / len(lines)
        smoothed = (share * len(lines) + 2) / (len(lines) + 4)
        error = Z95 * sqrt(smoothed * (1 - smoothed) / (len(lines) + 4))
        rows.append(f"| {parse_game(text)} | {len(lines)} | {share:.0%} | {100 * error:.0f} points |")
    if len(rows) == 2:
        return ""
    return LIGHT.strip() + "\n\n" + "\n".join(rows)


def _training(target: Path) -> str:
    rows = [
        "| net | minutes of training | score against the net of the gate before, without search |",
        "|---|---|---|",
    ]
    for path in sorted(FOLDER.glob("*.log.jsonl")):
        gates = []
        for line in games.read_lines(path):
            scores = [value for key, value in line.items() if key.startswith("gate_")]
            if scores:
                gates.append(f"{line['seconds'] / 60:.1f}: {100 * sum(scores) / len(scores):.0f} %")
        name = path.name.removesuffix(".log.jsonl")
        last = games.read_lines(path)[-1]
        rows.append(f"| `{name}` | {last['seconds'] / 60:.1f} | {', '.join(gates)} |")
    picture = target.parent / training_time.PICTURE.name
    training_time.draw(picture)
    head = TRAINING.format(picture=picture.name, table=training_time.table())
    return head.strip() + "\n\n" + "\n".join(rows)
