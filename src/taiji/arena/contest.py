"""A contest of engines: a round robin in pairs of games with the same opening and exchanged colours."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from taiji.arena.elo import PairScore, Rating, bradley_terry
from taiji.arena.game_task import GameResult, GameTask, run_game_task
from taiji.arena.journal import Journal
from taiji.arena.openings import balanced_opening, with_seeded_board
from taiji.arena.pool import WorkerPool
from taiji.arena.sprt import Sprt
from taiji.players import Limit
from taiji.rules import Seat, parse_game


@dataclass(frozen=True, slots=True)
class Contest:
    """The players of a contest, their limits, the game, the openings and the number of pairs."""

    game: str
    players: tuple[str, ...]
    pairs: int
    limits: tuple[Limit, ...]
    """One limit per player."""
    opening_plies: int = 2
    seed: int = 1
    sprt: Sprt | None = None
    declaration: str = ""
    """The TOML of a custom game."""
    random_boards: bool = False
    """Use a different seeded board for each pair."""
    balanced_by: str = ""
    """The player that finds the openings balanced; empty means a search of 20,000 playouts."""

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise ValueError(f"players: {len(self.players)} given (expected at least two)")
        if len(set(self.entries)) < len(self.players):
            raise ValueError("players: the same text and the same limit twice (expected different players)")
        if self.pairs < 1:
            raise ValueError(f"pairs: {self.pairs} given (expected at least one pair of games)")
        if self.sprt is not None and len(self.players) != 2:
            raise ValueError(f"sprt: {len(self.players)} players (expected exactly two)")
        if self.balanced_by and not self.opening_plies:
            raise ValueError("balanced_by: without opening plies there is nothing to balance")
        self._pair_game(0)

    def _pair_game(self, pair: int) -> str:
        return with_seeded_board(self.game, self._pair_seed(pair)) if self.random_boards else self.game

    def _pair_seed(self, pair: int) -> int:
        return self.seed * 1_000_003 + pair

    @property
    def entries(self) -> list[str]:
        """The players' names: their texts, with the limit if the same text enters twice."""
        names = []
        for player, limit in zip(self.players, self.limits, strict=True):
            twice = self.players.count(player) > 1
            names.append(f"{player}@{limit_text(limit)}" if twice else player)
        return names

    def _games(self) -> Iterator[tuple[str, int, int, int, int]]:
        """Yield key, pair, seats and turn of every game, pair by pair, so that an early stop is fair."""
        for pair in range(self.pairs):
            for a, b in combinations(range(len(self.players)), 2):
                for turn, (one, two) in enumerate(((a, b), (b, a))):
                    yield f"{pair}.{a}-{b}.{turn}", pair, one, two, turn

    def keys(self) -> set[str]:
        """Return the keys of all games."""
        return {key for key, *_ in self._games()}

    def game_tasks(self, done: Container[str] = ()) -> Iterator[GameTask]:
        """Yield the games that are not done; an opening is chosen when its game comes up."""
        for key, pair, one, two, turn in self._games():
            if key not in done:
                game = self._pair_game(pair)
                yield GameTask(
                    key=key,
                    game=game,
                    first=self.players[one],
                    second=self.players[two],
                    limits=(self.limits[one], self.limits[two]),
                    opening=_opening(game, self.opening_plies, self._pair_seed(pair), self.balanced_by),
                    seed=self.seed * 1_000_003 + pair * 2 + turn,
                    declaration=self.declaration,
                )

    def fingerprint(self) -> dict[str, Any]:
        """Return what identifies the contest in its journal; the number of pairs may grow."""
        limits = [limit_text(limit) for limit in self.limits]
        return {
            "game": str(parse_game(self.game)),
            "players": list(self.players),
            "limits": limits,
            "plies": self.opening_plies,
            "seed": self.seed,
            **({"boards": True} if self.random_boards else {}),
            **({"balanced_by": self.balanced_by} if self.balanced_by else {}),
        }


@lru_cache(maxsize=4096)
def _opening(game: str, plies: int, seed: int, player: str) -> tuple[int, ...]:
    return tuple(move.action for move in balanced_opening(parse_game(game), plies, seed, player))


def limit_text(limit: Limit) -> str:
    """Return a limit as text, such as `0.2s` or `1000p`."""
    parts = []
    if limit.seconds is not None:
        parts.append(f"{limit.seconds:g}s")
    if limit.playouts is not None:
        parts.append(f"{limit.playouts}p")
    if limit.depth is not None:
        parts.append(f"{limit.depth}d")
    return "+".join(parts) or "own"


def parse_key(key: str) -> tuple[int, int, int, bool]:
    """Return the pair, the indices of the two players, and whether their seats are exchanged."""
    pair, players, turn = key.split(".")
    a, b = players.split("-")
    return int(pair), int(a), int(b), turn == "1"


class Standings:
    """The results of a contest so far, and the statistics derived from them."""

    def __init__(self, contest: Contest, results: Iterable[GameResult]) -> None:
        self.contest = contest
        self.results = list(results)

    def pair_score(self, one: int, two: int) -> PairScore:
        """Return the score of player `one` against player `two`; only complete pairs count."""
        pairs: dict[int, list[float]] = {}
        for result in self.results:
            pair, a, b, exchanged = parse_key(result.key)
            if {a, b} == {one, two}:
                seat = Seat.SECOND if (one == b) != exchanged else Seat.FIRST
                pairs.setdefault(pair, []).append(result.points(seat))
        complete = [sum(points) / 2 for points in pairs.values() if len(points) == 2]
        return PairScore(tuple(complete), 2 * len(complete))

    def by_colour(self, one: int) -> tuple[tuple[float, int], tuple[float, int]]:
        """Return a player's points and games as Light and as Dark."""
        sums = [[0.0, 0], [0.0, 0]]
        for result in self.results:
            _, a, b, exchanged = parse_key(result.key)
            if one in (a, b):
                seat = Seat.SECOND if (one == b) != exchanged else Seat.FIRST
                sums[seat][0] += result.points(seat)
                sums[seat][1] += 1
        light, dark = ((points, int(games)) for points, games in sums)
        return light, dark

    def ratings(self) -> list[Rating]:
        """Return the Elo of every player, strongest first."""
        entries = self.contest.entries
        scores = {}
        for a, b in combinations(range(len(entries)), 2):
            score = self.pair_score(a, b)
            if score.games:
                scores[entries[a], entries[b]] = (score.score * score.games, float(score.games))
        return bradley_terry(entries, scores)

    def forfeits(self) -> list[GameResult]:
        """Return the games that ended by forfeit."""
        return [result for result in self.results if result.reason]

    def __str__(self) -> str:
        from taiji.arena.report import summary  # it reads standings

        return "\n".join(summary(self)) or f"{self.contest.game}: no games"

    def verdict(self) -> bool | None:
        """Return the verdict of the SPRT; None without one, or while it is open."""
        return self.contest.sprt.verdict(self.pair_score(0, 1)) if self.contest.sprt else None


def run_contest(
    contest: Contest,
    pool: WorkerPool,
    journal: Journal,
    *,
    on_result: Callable[[Standings, GameResult], None],
) -> Standings:
    """Play the games that the journal lacks; stop early once an SPRT has its verdict."""
    pending, wanted = contest.game_tasks(frozenset(journal.results)), contest.keys()
    standings = Standings(contest, [r for key, r in journal.results.items() if key in wanted])
    if standings.verdict() is None:
        for _, result in pool.run(run_game_task, pending):
            if journal.add(result):
                standings.results.append(result)
                on_result(standings, result)
                if standings.verdict() is not None:
                    break
    return standings
