"""Puzzle files: one JSON object per line, a card beside them, and the sets of the package."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import IO, TYPE_CHECKING

from taiji.analysis.puzzles.data import THEMES, Puzzle, PuzzleError, parse_puzzle
from taiji.rules.errors import excerpt, suggestion

if TYPE_CHECKING:
    from taiji.analysis.puzzles.maker import Recipe

SUFFIX = ".jsonl"


def read_puzzles(path: Path | str) -> Iterator[tuple[int, Puzzle]]:
    """Yield the line number and the puzzle of each line; raise `PuzzleError` that names a bad line."""
    ids: dict[str, int] = {}
    with Path(path).open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                puzzle = parse_puzzle(line)
            except PuzzleError as error:
                raise PuzzleError(f"{path}:{number}: {error}") from error
            if puzzle.id in ids:
                raise PuzzleError(f"{path}:{number}: id {puzzle.id!r} is already on line {ids[puzzle.id]}")
            ids[puzzle.id] = number
            yield number, puzzle


@cache
def shipped_sets() -> dict[str, Path]:
    """Return the puzzle files of the package by name, such as `taiji-7`."""
    folder = Path(str(resources.files("taiji.analysis.puzzles"))) / "sets"
    # By name, not by path: the web app sorts names, and the puzzle of the day depends on the order.
    return dict(sorted((path.name.removesuffix(SUFFIX), path) for path in folder.glob(f"*{SUFFIX}")))


@cache
def load_set(name: str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a shipped set; raise `PuzzleError` if there is none of that name."""
    sets = shipped_sets()
    if name not in sets:
        guess = suggestion(name, sets)
        raise PuzzleError(f"unknown set {excerpt(name)!r} ({guess}expected one of {', '.join(sets)})")
    return tuple(puzzle for _, puzzle in read_puzzles(sets[name]))


class PuzzleWriter:
    """Appends puzzles to a file and continues one that was cut off; the card is written at the end.

    An incomplete last line was being written when the process ended; it is removed.
    """

    def __init__(self, path: Path, recipe: Recipe) -> None:
        self.path = path
        self._recipe = recipe
        self.puzzles: list[Puzzle] = []
        if path.exists():
            _drop_incomplete_line(path)
            self.puzzles = [puzzle for _, puzzle in read_puzzles(path)]
        for puzzle in self.puzzles:
            if not puzzle.id.startswith(recipe.prefix):
                raise PuzzleError(f"{path}: holds {puzzle.id}, of another game or seed (expected a new file)")
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file: IO[str] = path.open("a", encoding="utf-8")

    @property
    def next_game(self) -> int:
        """The first game that has not been examined for sure."""
        return int(self.puzzles[-1].id.rsplit("-", 1)[1]) + 1 if self.puzzles else 0

    def add(self, puzzle: Puzzle) -> bool:
        """Append a puzzle unless its position is there already; return whether it was added."""
        if any(other.position == puzzle.position for other in self.puzzles):
            return False
        self.puzzles.append(puzzle)
        self._file.write(puzzle.to_line() + "\n")
        self._file.flush()
        return True

    def close(self) -> None:
        """Close the file and write its card."""
        self._file.close()
        if self.puzzles:
            self.path.with_suffix(".md").write_text(card(self.puzzles, self._recipe), encoding="utf-8")


def _drop_incomplete_line(path: Path) -> None:
    data = path.read_bytes()
    complete = data.rfind(b"\n") + 1
    if complete < len(data):
        with path.open("r+b") as file:
            file.truncate(complete)


def card(puzzles: Iterable[Puzzle], recipe: Recipe) -> str:
    """Return the card of a set: where its puzzles come from, how they were proven, and their figures."""
    from statistics import quantiles  # takes longer to load than this module

    chosen = list(puzzles)
    ratings = sorted(puzzle.rating for puzzle in chosen)
    low, middle, high = quantiles(ratings, n=4) if len(ratings) > 1 else ratings * 3
    themes = Counter(puzzle.theme for puzzle in chosen)
    lengths = Counter((len(puzzle.solution) + 1) // 2 for puzzle in chosen)
    choices = [puzzle.choices for puzzle in chosen]
    goal = "wins" if recipe.goal == "win" else "keeps the best margin"
    rows = [
        ("puzzles", f"{len(chosen)}"),
        ("game", f"`{chosen[0].game}`"),
        ("positions", f"{recipe.plies.least} to {recipe.plies.most} plies before the end of games"),
        ("games", f"`mcts` with {recipe.playouts} playouts per move, seed {recipe.seed}, or records"),
        ("choices", f"{min(choices)} to {max(choices)} legal moves, exactly one of which {goal}"),
        ("moves to find", ", ".join(f"{n}: {lengths[n]}" for n in sorted(lengths))),
        ("rating", f"{ratings[0]} to {ratings[-1]}; quartiles {low:.0f}, {middle:.0f}, {high:.0f}"),
        ("themes", ", ".join(f"{theme} {themes[theme]}" for theme in THEMES if themes[theme])),
    ]
    table = "\n".join(f"| {name} | {value} |" for name, value in rows)
    return (
        f"# Puzzles of {chosen[0].game}\n\n| | |\n|---|---|\n{table}\n\n"
        "The exact solver has proven every move of every solution; `taiji puzzle check` proves them again.\n"
        "Ratings come from a fixed ladder of searches: its step n has 600 + 150 n (docs/puzzles.md).\n"
    )
