"""Engine tournaments: games run in a worker pool, are on disk before they count, and can be resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from taiji.arena.elo import Rating, bradley_terry
from taiji.arena.game_task import GameResult, GameTask, run_game_task
from taiji.arena.journal import Journal
from taiji.arena.openings import random_opening
from taiji.arena.tournaments.checks import MAX_GAMES
from taiji.arena.tournaments.events import Created, Entered, Event, Paired, ResultEntered
from taiji.arena.tournaments.log import Log
from taiji.arena.tournaments.models import (
    Adjudication,
    Format,
    Pairing,
    PairingResult,
    Points,
    TournamentError,
    match_points,
)
from taiji.arena.tournaments.pairing import next_round, round_robin_rounds
from taiji.arena.tournaments.spec import TournamentSpec
from taiji.rules import Seat, parse_game

if TYPE_CHECKING:
    from taiji.arena.pool import WorkerPool
    from taiji.arena.tournaments.tournament import Tournament
    from taiji.notation import Record


@dataclass(frozen=True, slots=True)
class EnginePairing:
    """A pairing of engines with its round and board."""

    round_no: int
    board_no: int
    first: int
    second: int

    def key(self, game: int) -> str:
        """Return the journal key of one of its games."""
        return f"{self.round_no}.{self.board_no}.{game}"


class EngineTournament:
    """A folder with the games (`games.jsonl`) and the tournament log (`tournament.tour`)."""

    def __init__(self, spec: TournamentSpec, folder: Path) -> None:
        self.spec = spec
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.journal = Journal(folder / "games.jsonl", spec.fingerprint())
        path = folder / "tournament.tour"
        self.log = Log(path) if path.exists() else Log.create(path, spec.settings)
        entries: list[Event] = [Created(spec.settings)]
        entries += [Entered(engine.name, engine.rating) for engine in spec.engines]
        if self.log.events[: len(entries)] != entries[: len(self.log.events)]:
            raise TournamentError(f"{path} belongs to another tournament; choose another folder")
        for event in entries[len(self.log.events) :]:
            self.log.add(event)
        self.advance()

    @property
    def tournament(self) -> Tournament:
        """The tournament after the games played so far."""
        return self.log.tournament

    def play(self, pool: WorkerPool, on_result: Callable[[GameResult], None] = lambda _: None) -> Tournament:
        """Play what is missing, round after round; in a round robin all rounds at once."""
        while not self.tournament.over:
            for _, result in pool.run(run_game_task, self._pending()):
                if self.journal.add(result):
                    self.advance()
                    on_result(result)
        return self.tournament

    def advance(self) -> None:
        """Log every result whose games are complete, and draw the rounds that can be drawn."""
        while True:
            if not self.tournament.missing:
                if self.tournament.over:
                    return
                self.log.add(Paired(next_round(self.tournament)))
            scored = False
            for round_no, board_no in self.tournament.missing:
                pairing = self.tournament.pairing(round_no, board_no)
                result = self._result(_engine_pairing(pairing, round_no, board_no))
                if result is not None:
                    self.log.add(ResultEntered(round_no, board_no, result))
                    scored = True
            if not scored or self.tournament.missing:
                return

    def _pending(self) -> Iterator[GameTask]:
        for pairing in self._open_pairings():
            for game in range(self._games_needed(pairing)):
                if pairing.key(game) not in self.journal.results:
                    yield self._game_task(pairing, game)

    def _open_pairings(self) -> Iterator[EnginePairing]:
        """Yield the open pairings: of all rounds if they are known ahead, else of the current round."""
        tournament = self.tournament
        if tournament.settings.format in (Format.ROUND_ROBIN, Format.DOUBLE_ROUND_ROBIN):
            for round_no, pairings in enumerate(round_robin_rounds(tournament), 1):
                for board_no, pairing in enumerate(pairings, 1):
                    if pairing.second is not None and (round_no, board_no) not in tournament.results:
                        yield _engine_pairing(pairing, round_no, board_no)
            return
        for round_no, board_no in tournament.missing:
            yield _engine_pairing(tournament.pairing(round_no, board_no), round_no, board_no)

    def _games_needed(self, pairing: EnginePairing) -> int:
        """Return how many games a pairing has; a knockout adds two as long as it is level."""
        count = self.spec.settings.games
        if self.spec.settings.format is Format.KNOCKOUT:
            while count < MAX_GAMES and self._is_level(pairing, count):
                count += self.spec.settings.games
        return count

    def _played(self, pairing: EnginePairing, count: int) -> list[GameResult] | None:
        games = [self.journal.results.get(pairing.key(game)) for game in range(count)]
        return [game for game in games if game is not None] if None not in games else None

    def _is_level(self, pairing: EnginePairing, count: int) -> bool:
        games = self._played(pairing, count)
        if games is None:
            return False
        return match_points(self.spec.settings, _combine_games(games)) in ((0.5, 0.5), (0.0, 0.0))

    def _result(self, pairing: EnginePairing) -> PairingResult | None:
        games = self._played(pairing, self._games_needed(pairing))
        if games is None:
            return None
        result = _combine_games(games)
        if len(games) == 1 and result.played:
            winner = games[0].winner
            decision = (
                Adjudication.DRAW if winner is None else (Adjudication.FIRST, Adjudication.SECOND)[winner]
            )
            return replace(result, decision=decision) if not result.difference else result
        undecided = match_points(self.spec.settings, result) in ((0.5, 0.5), (0.0, 0.0))
        if self.spec.settings.format is Format.KNOCKOUT and undecided:
            # Still level after every play-off: the better seed advances.
            first = pairing.first < pairing.second
            return PairingResult(result.games, Adjudication.FIRST if first else Adjudication.SECOND)
        return result

    def _game_task(self, pairing: EnginePairing, game: int) -> GameTask:
        spec = self.spec
        order = [spec.engines[pairing.first - 1], spec.engines[pairing.second - 1]]
        if game % 2:
            order.reverse()
        # Both games of a match have the same opening, so that it favours neither player.
        match = (spec.seed * 1_000_003 + pairing.round_no * 10_007 + pairing.board_no) * 101 + game // 2
        opening = random_opening(parse_game(spec.settings.game), spec.opening_plies, match)
        return GameTask(
            key=pairing.key(game),
            game=spec.settings.game,
            first=order[0].player,
            second=order[1].player,
            limits=(order[0].limit, order[1].limit),
            opening=tuple(move.action for move in opening),
            seed=match * 2 + game % 2,
            declaration=spec.settings.declaration,
        )

    def seat_names(self, result: GameResult) -> tuple[str, str]:
        """Return the names of a game's players, by seat."""
        round_no, board_no, game = (int(part) for part in result.key.split("."))
        pairings = (
            round_robin_rounds(self.tournament)
            if self.spec.settings.format in (Format.ROUND_ROBIN, Format.DOUBLE_ROUND_ROBIN)
            else self.tournament.rounds
        )
        pairing = pairings[round_no - 1][board_no - 1]
        assert pairing.second is not None
        names = [self.spec.engines[player - 1].name for player in (pairing.first, pairing.second)]
        return (names[1], names[0]) if game % 2 else (names[0], names[1])

    def ratings(self) -> list[Rating]:
        """Return the Elo of every engine with its error, from all games."""
        scores: dict[tuple[str, str], tuple[float, float]] = {}
        for result in self.journal.results.values():
            first, second = self.seat_names(result)
            points, games = scores.get((first, second), (0.0, 0.0))
            scores[first, second] = (points + result.points(Seat.FIRST), games + 1)
        return bradley_terry([engine.name for engine in self.spec.engines], scores)

    def records(self) -> Iterator[Record]:
        """Yield every game as a record, in the order of rounds and boards."""
        for result in sorted(self.journal.results.values(), key=lambda result: _key_order(result.key)):
            first, second = self.seat_names(result)
            yield replace(result, first=first, second=second).record(self.spec.settings.name)

    def total_games(self) -> int:
        """Return the number of games known so far, those played included."""
        return len(self.journal.results) + sum(1 for _ in self._pending())

    def close(self) -> None:
        """Close the files."""
        self.log.close()
        self.journal.close()


def _engine_pairing(pairing: Pairing, round_no: int, board_no: int) -> EnginePairing:
    assert pairing.second is not None
    return EnginePairing(round_no, board_no, pairing.first, pairing.second)


def _key_order(key: str) -> tuple[int, ...]:
    return tuple(int(part) for part in key.split("."))


def _combine_games(games: list[GameResult]) -> PairingResult:
    """Return the result of a pairing; an engine that fails or plays illegally forfeits it."""
    lost = [False, False]
    scores: list[tuple[Points, Points]] = []
    for game_no, game in enumerate(games):
        one, two = game.scores
        scores.append((two, one) if game_no % 2 else (one, two))
        if game.reason and game.winner is not None:
            lost[(1 - game.winner) ^ (game_no % 2)] = True
    if any(lost):
        return PairingResult(forfeits=(lost[0], lost[1]))
    return PairingResult(tuple((_as_int_if_whole(one), _as_int_if_whole(two)) for one, two in scores))


def _as_int_if_whole(value: Points) -> Points:
    return int(value) if value == int(value) else value
