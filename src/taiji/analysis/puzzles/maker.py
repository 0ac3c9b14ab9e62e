"""Find puzzles in games of the engine or in records: deterministic by seed, resumable, in many processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count as count_from
from random import Random
from typing import NamedTuple

from taiji.analysis.puzzles.data import Goal, Puzzle
from taiji.analysis.puzzles.grade import Grader
from taiji.analysis.puzzles.proof import MAX_NODES, NotSolved, Prover
from taiji.analysis.reasons import explain
from taiji.analysis.slugs import game_slug
from taiji.arena.custom_game import register_declaration
from taiji.arena.pool import InlinePool, WorkerPool
from taiji.kernel import Kernel, Position, Search, SearchLimits, get_kernel
from taiji.notation import format_position
from taiji.players.presets import search_preset
from taiji.rules import State, parse_game

MIN_CHOICES = 5
"""Fewest legal moves of a puzzle."""
OPENING_PLIES = 4
"""Random plies at the beginning of an engine game."""
THEME_OF_REASON = {
    "joins": "join",
    "keeps-apart": "cut",
    "no-room": "room",
    "cuts-room": "room",
    "makes-room": "room",
    "grows": "grow",
    "new-group": "grow",
    "covers": "cover",
    "spares-own": "cover",
    "last-piece": "last-piece",
    "wins-now": "last-piece",
}


class PliesRange(NamedTuple):
    """How many plies before the end of a game a puzzle may begin."""

    least: int
    most: int


DEFAULT_PLIES = PliesRange(4, 8)


@dataclass(frozen=True, slots=True)
class Recipe:
    """What decides the puzzles of a set, apart from the games."""

    game: str
    seed: int = 1
    goal: Goal = "win"
    plies: PliesRange = DEFAULT_PLIES
    playouts: int = 600
    """Playouts per move of the engine that plays the games."""
    max_nodes: int = MAX_NODES
    declaration: str = ""
    """The TOML text of a custom game: workers do not know it."""

    @property
    def prefix(self) -> str:
        """The beginning of the ids of its puzzles."""
        name = game_slug(str(parse_game(self.game)))
        return f"{name}-{self.seed}{'' if self.goal == 'win' else 'm'}-"

    def puzzle_id(self, index: int) -> str:
        """Return the id of the puzzle from a game."""
        return f"{self.prefix}{index}"


MAX_GAMES_WITHOUT_PUZZLE = 1000
"""In the games of the family about every tenth game has a puzzle."""


@dataclass(frozen=True, slots=True)
class Task:
    """One game in which to look for a puzzle."""

    recipe: Recipe
    index: int
    """Number of the game, from 0."""
    actions: tuple[int, ...] | None = None
    """The game, or None if the engine shall play one."""


def find_puzzle(task: Task) -> Puzzle | None:
    """Return a puzzle of the game, or None; at most one per game, so that puzzles differ."""
    recipe = task.recipe
    register_declaration(recipe.declaration, recipe.game)
    kernel = get_kernel(parse_game(recipe.game))
    random = Random(f"{recipe.seed}:{task.index}")
    actions = task.actions or engine_game(kernel, random, recipe.playouts)
    lengths = [n for n in range(recipe.plies.least, recipe.plies.most + 1) if n < len(actions)]
    random.shuffle(lengths)
    prover = Prover(kernel.game, recipe.goal, max_nodes=recipe.max_nodes)
    for length in lengths:
        state, position = _position(kernel, actions[: len(actions) - length])
        if state.stage_index + 1 < len(kernel.game.stages) or len(position.legal()) < MIN_CHOICES:
            continue
        try:
            key = prover.only_move(position)
            if key is not None:
                return _puzzle(task, state, position, key, prover)
        except NotSolved:
            continue
    return None


def engine_game(kernel: Kernel, random: Random, playouts: int) -> tuple[int, ...]:
    """Play one game of the engine against itself, from a random opening, and return its actions."""
    options = replace(search_preset(kernel.game), seed=random.getrandbits(31), threads=1, memory=64 << 20)
    search = Search(kernel, options)
    position = kernel.start()
    while not position.is_over:
        if len(position.history) < OPENING_PLIES:
            action = random.choice(position.legal())
        else:
            action = search.run(position, SearchLimits(playouts=playouts)).action
        position.play(action)
    return tuple(position.history)


def _position(kernel: Kernel, actions: tuple[int, ...]) -> tuple[State, Position]:
    position = kernel.start()
    for action in actions:
        position.play(action)
    placed = tuple(tuple(sorted(stage)) for stage in position.placed)
    komi = position.komi if kernel.game.komi_names else None
    return State.restore(kernel.game, placed, position.core.swapped, komi), position


def _puzzle(task: Task, state: State, position: Position, key: int, prover: Prover) -> Puzzle:
    game = prover.kernel.game
    solution = prover.line(position, key)
    last = position.copy()
    for action in solution:
        last.play(action)
    rest = prover.rest(last)
    reasons = explain(state, game.move(key))
    return Puzzle(
        id=task.recipe.puzzle_id(task.index),
        game=str(game),
        position=format_position(state),
        solution=tuple(str(game.move(action)) for action in solution),
        goal=task.recipe.goal,
        rating=Grader(prover.kernel).rate(state, position, key),
        theme=next((THEME_OF_REASON[r.code] for r in reasons if r.code in THEME_OF_REASON), "quiet"),
        choices=len(position.legal()),
        rest=tuple(str(game.move(action)) for action in rest),
    )


def make_puzzles(
    recipe: Recipe,
    count: int,
    *,
    games: Iterable[tuple[int, ...]] | None = None,
    start: int = 0,
    pool: WorkerPool | None = None,
    on_game: Callable[[int], None] | None = None,
) -> Iterator[Puzzle]:
    """Yield up to `count` puzzles in the order of the games, whichever worker finds them first.

    `games` are the actions of recorded games; without them the engine plays as many as it takes, but gives up
    after `MAX_GAMES_WITHOUT_PUZZLE` games in a row without a new one: a game may have none. `start` is the
    number of games to skip. `on_game` is called with the number of games examined so far.
    """
    if count < 1:
        return
    pool = pool or InlinePool()
    tasks = _tasks(recipe, games, start)
    seen: set[str] = set()
    waiting: dict[int, Puzzle | None] = {}
    following, yielded, last = start, 0, start
    for task, puzzle in pool.run(find_puzzle, tasks):
        waiting[task.index] = puzzle
        if on_game is not None:
            on_game(following - start + len(waiting))
        while following in waiting:
            ready = waiting.pop(following)
            following += 1
            if ready is None or ready.position in seen:
                if games is None and following - last >= MAX_GAMES_WITHOUT_PUZZLE:
                    return
                continue
            seen.add(ready.position)
            last = following
            yield ready
            yielded += 1
            if yielded == count:
                return


def _tasks(recipe: Recipe, games: Iterable[tuple[int, ...]] | None, start: int) -> Iterator[Task]:
    if games is None:
        yield from (Task(recipe, index) for index in count_from(start))
        return
    for index, actions in enumerate(games):
        if index >= start:
            yield Task(recipe, index, actions)
