"""A contest of engines: everybody meets everybody, each opening played twice with the colours exchanged."""

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
    """Who meets in how many pairs, at which game, with how much time, after how many random plies."""

    game: str
    players: tuple[str, ...]
    pairs: int
    limits: tuple[Limit, ...]
    """A limit for each player."""
    opening_plies: int = 2
    seed: int = 1
    sprt: Sprt | None = None
    declaration: str = ""
    """The TOML of a game of one's own."""
    random_boards: bool = False
    """Every pair is played on a seeded board of its own, where the game has such boards."""

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise ValueError("a contest needs at least two players")
        if len(set(self.entries)) < len(self.players):
            raise ValueError("a player is named twice with the same limit")
        if self.pairs < 1:
            raise ValueError("a contest needs at least one pair of games")
        if self.sprt is not None and len(self.players) != 2:
            raise ValueError("SPRT compares two players")
        self._pair_game(0)

    def _pair_game(self, pair: int) -> str:
        return with_seeded_board(self.game, self._pair_seed(pair)) if self.random_boards else self.game

    def _pair_seed(self, pair: int) -> int:
        return self.seed * 1_000_003 + pair

    @property
    def entries(self) -> list[str]:
        """The names in the table: the players' texts, with the limit where the same player enters twice."""
        names = []
        for player, limit in zip(self.players, self.limits, strict=True):
            twice = self.players.count(player) > 1
            names.append(f"{player}@{limit_text(limit)}" if twice else player)
        return names

    def _games(self) -> Iterator[tuple[str, int, int, int, int]]:
        """Yield every game's key, pair number, seats and turn; pair by pair, so that stopping is fair."""
        for number in range(self.pairs):
            for a, b in combinations(range(len(self.players)), 2):
                for turn, (one, two) in enumerate(((a, b), (b, a))):
                    yield f"{number}.{a}-{b}.{turn}", number, one, two, turn

    def keys(self) -> set[str]:
        """Return the keys of all games."""
        return {key for key, *_ in self._games()}

    def game_tasks(self, done: Container[str] = ()) -> Iterator[GameTask]:
        """Yield the games that are not done; an opening is looked for when its game comes up."""
        for key, number, one, two, turn in self._games():
            if key not in done:
                game = self._pair_game(number)
                yield GameTask(
                    key=key,
                    game=game,
                    first=self.players[one],
                    second=self.players[two],
                    limits=(self.limits[one], self.limits[two]),
                    opening=_opening(game, self.opening_plies, self._pair_seed(number)),
                    seed=self.seed * 1_000_003 + number * 2 + turn,
                    declaration=self.declaration,
                )

    def fingerprint(self) -> dict[str, Any]:
        """Return what makes this contest the same contest; the number of pairs may grow."""
        limits = [limit_text(limit) for limit in self.limits]
        return {
            "game": str(parse_game(self.game)),
            "players": list(self.players),
            "limits": limits,
            "plies": self.opening_plies,
            "seed": self.seed,
            **({"boards": True} if self.random_boards else {}),
        }


@lru_cache(maxsize=4096)
def _opening(game: str, plies: int, seed: int) -> tuple[int, ...]:
    return tuple(move.action for move in balanced_opening(parse_game(game), plies, seed))


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
    """Return a game's pair number, its two players by number, and whether they exchanged seats."""
    number, players, turn = key.split(".")
    a, b = players.split("-")
    return int(number), int(a), int(b), turn == "1"


class Standings:
    """What the results of a contest say."""

    def __init__(self, contest: Contest, results: Iterable[GameResult]) -> None:
        self.contest = contest
        self.results = list(results)

    def pair_score(self, one: int, two: int) -> PairScore:
        """Return how player `one` did against player `two`; only whole pairs count."""
        pairs: dict[int, list[float]] = {}
        for result in self.results:
            number, a, b, exchanged = parse_key(result.key)
            if {a, b} == {one, two}:
                seat = Seat.SECOND if (one == b) != exchanged else Seat.FIRST
                pairs.setdefault(number, []).append(result.points(seat))
        whole = [sum(points) / 2 for points in pairs.values() if len(points) == 2]
        return PairScore(tuple(whole), 2 * len(whole))

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
        """Return everybody's Elo, the strongest first."""
        entries = self.contest.entries
        scores = {}
        for a, b in combinations(range(len(entries)), 2):
            tally = self.pair_score(a, b)
            if tally.games:
                scores[entries[a], entries[b]] = (tally.score * tally.games, float(tally.games))
        return bradley_terry(entries, scores)

    def forfeits(self) -> list[GameResult]:
        """Return the games that did not end by the rules."""
        return [result for result in self.results if result.reason]

    def verdict(self) -> bool | None:
        """Return what the contest's SPRT says, if it has one."""
        return self.contest.sprt.verdict(self.pair_score(0, 1)) if self.contest.sprt else None


def run_contest(
    contest: Contest,
    pool: WorkerPool,
    journal: Journal,
    *,
    on_result: Callable[[Standings, GameResult], None],
) -> Standings:
    """Play what the journal does not hold yet; stop early where an SPRT has its answer."""
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
