"""Measure the levels: what a setting is worth in Elo, and whether the ladder of a game is even.

    python benchmarks/levels.py curve GAME SETTING …   rate settings such as playouts=300,temperature=1
    python benchmarks/levels.py ladder GAME            play each level against the next one
    python benchmarks/levels.py report                 write the Elo of each level and the table of the docs

Both colours are played from the same balanced openings; games with seeded boards are played from the start,
each pair on a board of its own. Results are kept in a journal, so that a command that was cut off goes on and
a changed level is the only one played again.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

from taiji.arena import (
    GameTask,
    PairScore,
    bradley_terry,
    elo_from_score,
    random_opening,
    run_game_task,
    with_seeded_board,
)
from taiji.kernel import Search, SearchLimits, get_kernel
from taiji.players import Limit
from taiji.players.level_table import MAX_LEVEL, Level, get_levels
from taiji.players.presets import search_preset
from taiji.rules import Move, Seat, State, parse_game

ROOT = Path(__file__).parents[1]
TABLE, DOCS = ROOT / "src/taiji/players/levels.json", ROOT / "docs/players.md"
BEGIN, END = "<!-- levels: begin -->\n", "<!-- levels: end -->"
GAMES = {
    "taiji:size=7": "TAIJI 7×7",
    "taiji:size=9": "TAIJI 9×9",
    "taiji:size=11": "TAIJI 11×11",
    "tailits": "TAILITS",
    "battle-of-lits": "Battle of LITS",
    "tailits+taiji": "TAILITS+TAIJI",
    "taiji+battle-of-lits": "TAIJI+Battle of LITS",
}
MIN_GAMES = 28
"""A step with fewer games has no Elo, and neither have the levels above it."""
CELL_GAMES, STEP_ELO = re.compile(r" of (\d+)"), re.compile(r", ([+-]\d+)$")
OPENING_PLIES = 2
OPENING_CHECK = SearchLimits(playouts=4000)
OPENING_TOLERANCE = 0.08
"""Maximum distance from 0.5 of a win probability after the opening."""


def text_of(level: Level) -> str:
    """Return the player that plays as a level, whatever its number."""
    names = ("playouts", "evaluations", "temperature", "blunder_rate")
    return "level:" + ",".join(f"{name}={getattr(level, name):g}" for name in names if getattr(level, name))


@dataclass(frozen=True)
class Meeting:
    """Two players of a game."""

    game: str
    lower: str
    upper: str


class Journal:
    """The openings and results that are known, one JSON object per line."""

    def __init__(self, path: Path) -> None:
        self._openings: dict[tuple[str, int], list[int]] = {}
        self._points: dict[Meeting, dict[tuple[int, int], float]] = {}
        self._seconds: dict[Meeting, list[float]] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            self._add(json.loads(line))
        self._file = path.open("a", encoding="utf-8")

    def _add(self, row: dict) -> None:
        if "opening" in row:
            self._openings[row["game"], row["pair"]] = row["opening"]
            return
        meeting = Meeting(row["game"], row["lower"], row["upper"])
        self._points.setdefault(meeting, {})[row["pair"], row["turn"]] = row["points"]
        self._seconds.setdefault(meeting, []).append(row["seconds"])

    def write(self, **row: object) -> None:
        self._add(row)
        print(json.dumps(row), file=self._file, flush=True)

    def opening(self, game: str, pair: int) -> tuple[str, list[int]]:
        """Return the game of a pair, which may have a board of its own, and its first moves."""
        try:
            return with_seeded_board(game, pair + 1), []
        except ValueError:
            pass
        if (game, pair) not in self._openings:
            moves = balanced_opening(game, pair)
            self.write(game=game, pair=pair, opening=[move.action for move in moves])
        return game, self._openings[game, pair]

    def has(self, meeting: Meeting, pair: int, turn: int) -> bool:
        return (pair, turn) in self._points.get(meeting, {})

    def score(self, meeting: Meeting) -> PairScore:
        """Return the score of the upper player over the pairs with both games."""
        points = self._points.get(meeting, {})
        both = [pair for pair, turn in points if turn == 0 and (pair, 1) in points]
        return PairScore(tuple((points[pair, 0] + points[pair, 1]) / 2 for pair in both), 2 * len(both))

    def seconds_per_game(self, meeting: Meeting) -> float:
        return mean(self._seconds.get(meeting, [0.0]))


def balanced_opening(text: str, seed: int) -> list[Move]:
    """Return a random opening that a short search finds balanced."""
    game = parse_game(text)
    search = Search(get_kernel(game), replace(search_preset(game), memory=32 << 20))

    def evaluate(state: State) -> float:
        search.reset()
        mover = search.run(state, OPENING_CHECK).win_prob
        return mover if state.seat_to_move is Seat.FIRST else 1 - mover

    return random_opening(game, OPENING_PLIES, seed, evaluate=evaluate, tolerance=OPENING_TOLERANCE)


def play(journal: Journal, meetings: list[Meeting], pairs: range, deadline: float) -> None:
    """Play the missing games, pair by pair, until the deadline."""
    for pair, meeting, turn in missing(journal, meetings, pairs):
        if time.monotonic() > deadline:
            return
        game, opening = journal.opening(meeting.game, pair)
        seats = (meeting.upper, meeting.lower) if turn == 0 else (meeting.lower, meeting.upper)
        began = time.process_time()
        task = GameTask("", game, *seats, (Limit(), Limit()), tuple(opening), 2 * pair + turn)
        result = run_game_task(task)
        if result.reason:
            raise SystemExit(f"{meeting}: {result.reason}")
        journal.write(
            game=meeting.game,
            lower=meeting.lower,
            upper=meeting.upper,
            pair=pair,
            turn=turn,
            points=0.5 if result.winner is None else float(result.winner == turn),
            seconds=round(time.process_time() - began, 3),
        )


def missing(journal: Journal, meetings: list[Meeting], pairs: range) -> Iterator[tuple[int, Meeting, int]]:
    for pair in pairs:
        for meeting in meetings:
            for turn in (0, 1):
                if not journal.has(meeting, pair, turn):
                    yield pair, meeting, turn


def steps(game: str) -> list[Meeting]:
    """Return the nine meetings of the ladder of a game."""
    texts = [text_of(level) for level in get_levels(parse_game(game))]
    return [Meeting(game, texts[number], texts[number + 1]) for number in range(MAX_LEVEL - 1)]


def curve(journal: Journal, game: str, settings: list[str], pairs: range, deadline: float) -> None:
    """Print Bradley–Terry ratings of settings, each of which meets the next two."""
    players = [f"level:{setting}" for setting in settings]
    meetings = [Meeting(game, one, two) for i, one in enumerate(players) for two in players[i + 1 : i + 3]]
    play(journal, meetings, pairs, deadline)
    scores = {}
    for meeting in meetings:
        score = journal.score(meeting)
        scores[meeting.upper, meeting.lower] = (score.score * score.games, float(score.games))
    ratings = {rating.player: rating for rating in bradley_terry(players, scores, prior=0.1)}
    for player in players:
        rating = ratings[player]
        print(f"{rating.elo - ratings[players[0]].elo:+6.0f} ± {rating.error_95:.0f}  {player}")


def ladder(journal: Journal, game: str, pairs: range, deadline: float, lowest: int, highest: int) -> None:
    """Play the steps between two levels of a game; print all of its steps."""
    play(journal, steps(game)[lowest - 1 : highest - 1], pairs, deadline)
    for number, meeting in enumerate(steps(game), 2):
        score = journal.score(meeting)
        elo, low, high = score.elo
        print(
            f"{game} {number} over {number - 1}: {score.score:.1%} of {score.games}, {elo:+.0f} "
            f"[{low:+.0f}, {high:+.0f}], {journal.seconds_per_game(meeting):.2f} s per game, {meeting.upper}"
        )


def report(journal: Journal) -> None:
    """Write the Elo of each level into the table, and the scores of the steps into the docs.

    A step of which the journal has fewer games than the docs keeps its figures there: first empty the cells
    of levels that have changed.
    """
    tables = json.loads(TABLE.read_text(encoding="utf-8"))
    text = DOCS.read_text(encoding="utf-8")
    before, known, after = (
        text.partition(BEGIN)[0],
        text.partition(BEGIN)[2].partition(END)[0],
        text.partition(END)[2],
    )
    columns: list[list[str]] = []
    for number, game in enumerate(GAMES):
        cells = [
            fuller(cell(journal.score(meeting)), row.split("|")[number + 2].strip())
            for meeting, row in zip(steps(game), known.splitlines()[2:], strict=True)
        ]
        columns.append(cells)
        rows = tables[game.partition(":")[0]][str(parse_game(game).stages[0].board.width)]
        elo: float | None = 0.0
        rows[0]["elo"] = 0
        for row, written in zip(rows[1:], cells, strict=True):
            step = STEP_ELO.search(written)
            elo = None if elo is None or step is None else elo + int(step[1])
            row.pop("elo", None)
            if elo is not None:
                row["elo"] = round(elo)
    write_table(tables)
    lines = [f"| step | {' | '.join(GAMES.values())} |", "|---" * (len(GAMES) + 1) + "|"]
    for number in range(1, MAX_LEVEL):
        cells = " | ".join(column[number - 1] for column in columns)
        lines.append(f"| {number + 1} over {number} | {cells} |")
    DOCS.write_text("".join((before, BEGIN, *(f"{line}\n" for line in lines), END, after)), encoding="utf-8")


def cell(score: PairScore) -> str:
    if not score.games:
        return "not played"
    percent, low, high = (round(100 * value) for value in (score.score, *score.interval))
    elo = f", {step_elo(score):+.0f}" if score.games >= MIN_GAMES else ""
    return f"{percent} [{low}, {high}] of {score.games}{elo}"


def fuller(new: str, known: str) -> str:
    """Return the cell with more games."""
    games = [int(found[1]) if (found := CELL_GAMES.search(text)) else 0 for text in (new, known)]
    return new if games[0] >= games[1] else known


def step_elo(score: PairScore) -> float:
    """Return the difference in Elo; half a point on either side keeps it finite."""
    return elo_from_score((score.score * score.games + 0.5) / (score.games + 1))


def write_table(tables: dict) -> None:
    """Write levels.json with one level per line."""
    games = []
    for name, by_width in tables.items():
        boards = []
        for width, rows in by_width.items():
            lines = ",\n".join(f"      {json.dumps(row)}" for row in rows)
            boards.append(f'    "{width}": [\n{lines}\n    ]')
        games.append(f'  "{name}": {{\n' + ",\n".join(boards) + "\n  }")
    TABLE.write_text("{\n" + ",\n".join(games) + "\n}\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["curve", "ladder", "report"])
    parser.add_argument("game", nargs="?", choices=GAMES)
    parser.add_argument("settings", nargs="*")
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--first-pair", type=int, default=0, help="where this process begins, of several")
    parser.add_argument("--seconds", type=float, default=400, help="after which no further game begins")
    parser.add_argument("--lowest", type=int, default=1, help="the level at which the ladder begins")
    parser.add_argument("--highest", type=int, default=MAX_LEVEL, help="the level at which it ends")
    parser.add_argument("--journal", type=Path, default=ROOT / "build/levels.jsonl")
    given = parser.parse_args()
    journal = Journal(given.journal)
    deadline = time.monotonic() + given.seconds
    pairs = range(given.first_pair, given.pairs)
    if given.what == "report":
        report(journal)
    elif given.what == "curve":
        curve(journal, given.game, given.settings, pairs, deadline)
    else:
        ladder(journal, given.game, pairs, deadline, given.lowest, given.highest)


if __name__ == "__main__":
    main()
