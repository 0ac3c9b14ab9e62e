"""The declaration of a study: the games, the strengths, the number of games and the seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from random import Random
from typing import Any

from taiji.arena.openings import with_seeded_board
from taiji.players import make_player
from taiji.rules import GameError, parse_game

KINDS = ("balance", "compare", "openings")
FAST_PLAYER = "mcts:endgame=no"
"""The default player: tree search without an exact endgame, so that no move depends on other games."""
BATCH_PLAYER = "gumbel"
"""The net's own search in JAX, many games at a time, on a GPU if there is one."""
MAX_GAMES, MAX_PLAYOUTS, MAX_CELLS = 10_000_000, 10_000_000, 1000
WINNERS = ("", "light", "dark")


class SpecError(ValueError):
    """A study that cannot be run as declared."""


@dataclass(frozen=True, slots=True)
class Strength:
    """A player and its limit per move; both seats play with it."""

    player: str = FAST_PLAYER
    playouts: int = 400
    """Playouts, evaluations or simulations per move."""
    games: int | None = None
    """The number of games, instead of the study's."""

    @property
    def label(self) -> str:
        """The name of the strength in tables and keys."""
        return f"{self.player} {self.playouts}"

    @property
    def is_batched(self) -> bool:
        """Whether its games are played many at a time in this process."""
        return self.player == BATCH_PLAYER

    def check(self) -> None:
        """Raise `SpecError` or `PlayerError` if no such player exists."""
        _check_range("playouts", self.playouts, 1, MAX_PLAYOUTS)
        if self.games is not None:
            _check_range("games", self.games, 1, MAX_GAMES)
        if not self.is_batched:
            make_player(self.player).close()


@dataclass(frozen=True, slots=True)
class StudiedGame:
    """A game of the study."""

    game: str
    """Its canonical text."""
    label: str = ""
    """Its name on the page, if not the text."""
    declaration: str = ""
    """The TOML of a custom game."""
    games: int | None = None
    """The number of games at each strength, instead of the study's and the strength's."""
    boards: int = 0
    """The number of seeded boards to play on in turn; 0 for the game's own board."""
    winner: str = ""
    """The proven winner, if one is known: the game is a control."""
    note: str = ""
    """A note for the page, such as why the winner is known."""

    @property
    def name(self) -> str:
        """The name on the page."""
        return self.label or self.game

    @property
    def key(self) -> str:
        """What identifies the game in the journal."""
        return f"{self.game} boards={self.boards}" if self.boards else self.game

    def board_game(self, index: int) -> str:
        """Return the text of the game that game number `index` plays."""
        return with_seeded_board(self.game, 1 + index % self.boards) if self.boards else self.game

    def check(self) -> None:
        """Raise `GameError` or `SpecError` if there is no such game."""
        parse_game(self.game)
        if self.games is not None:
            _check_range("games", self.games, 1, MAX_GAMES)
        _check_range("boards", self.boards, 0, MAX_GAMES)
        if self.winner not in WINNERS:
            raise SpecError(f"winner: invalid {self.winner!r} (expected light or dark)")
        if self.boards:
            try:
                self.board_game(0)
            except GameError:
                raise
            except ValueError as error:
                raise SpecError(f"boards: {error}") from error


@dataclass(frozen=True, slots=True)
class OpeningSearch:
    """How a study of openings looks for balanced ones."""

    plies: int = 2
    candidates: int = 200
    """Maximum number of openings to screen; if there are more, a random choice."""
    screen_playouts: int = 1000
    confirm_playouts: int = 20_000
    keep: int = 12
    """The number of openings to confirm."""
    games: int = 40
    """Games from each confirmed opening, at the strength of the study."""

    def check(self) -> None:
        """Raise `SpecError` if a number is out of range."""
        _check_range("plies", self.plies, 1, 20)
        _check_range("candidates", self.candidates, 1, 100_000)
        _check_range("screen_playouts", self.screen_playouts, 1, MAX_PLAYOUTS)
        _check_range("confirm_playouts", self.confirm_playouts, 1, MAX_PLAYOUTS)
        _check_range("keep", self.keep, 1, 10_000)
        _check_range("openings games", self.games, 1, MAX_GAMES)


@dataclass(frozen=True, slots=True)
class Cell:
    """One game at one strength."""

    game: StudiedGame
    strength: Strength
    games: int
    opening: tuple[int, ...] = ()
    """Actions that every game begins with."""

    @property
    def key(self) -> str:
        """What identifies the cell in the journal."""
        opening = f" | {' '.join(map(str, self.opening))}" if self.opening else ""
        return f"{self.game.key} | {self.strength.label}{opening}"

    def game_seed(self, seed: int, index: int) -> int:
        """Return the seed of a game; it does not depend on the rest of the study."""
        return Random(f"{seed} {self.key} {index}").getrandbits(32)


@dataclass(frozen=True, slots=True)
class Study:
    """A study, ready to run."""

    kind: str
    games: tuple[StudiedGame, ...]
    strengths: tuple[Strength, ...]
    count: int = 200
    """Games per game and strength."""
    title: str = ""
    seed: int = 1
    random_plies: int = 0
    """Random moves before the players begin; needed by players that always choose the same move."""
    batch: int = 256
    """Games at a time of the net's own search; its games depend on it."""
    net: str = ""
    """The net file of that search; by default the shipped one."""
    openings: OpeningSearch = OpeningSearch()

    def check(self) -> None:
        """Raise `SpecError`, `GameError` or `PlayerError` if the study cannot be run."""
        if self.kind not in KINDS:
            raise SpecError(f"kind: invalid {self.kind!r} (expected {', '.join(KINDS)})")
        expected = {"balance": "at least one", "compare": "exactly two", "openings": "exactly one"}[self.kind]
        if not self.games or len(self.games) != {"compare": 2, "openings": 1}.get(self.kind, len(self.games)):
            raise SpecError(f"games: {len(self.games)} given (expected {expected} for {self.kind})")
        if not self.strengths:
            raise SpecError("strength: none given (expected at least one)")
        for name, keys in (
            ("game", [g.key for g in self.games]),
            ("strength", [s.label for s in self.strengths]),
        ):
            twice = next((key for key in keys if keys.count(key) > 1), None)
            if twice is not None:
                raise SpecError(f"{name}: {twice} is given twice")
        _check_range("games", self.count, 1, MAX_GAMES)
        _check_range("seed", self.seed, 0, 2**32 - 1)
        _check_range("random_plies", self.random_plies, 0, 100)
        _check_range("batch", self.batch, 1, 65536)
        cells = len(self.games) * len(self.strengths)
        if cells > MAX_CELLS:
            raise SpecError(f"study: {cells} games times strengths (expected at most {MAX_CELLS})")
        for game in self.games:
            game.check()
        for strength in self.strengths:
            strength.check()
        self.openings.check()
        if self.kind == "openings" and any(strength.is_batched for strength in self.strengths):
            raise SpecError(f"openings: {BATCH_PLAYER} cannot start from openings (expected another player)")

    def cells(self) -> list[Cell]:
        """Return every game at every strength."""
        return [
            Cell(game, strength, game.games or strength.games or self.count)
            for game in self.games
            for strength in self.strengths
        ]

    def total(self) -> int:
        """Return the number of games of all cells."""
        return sum(cell.games for cell in self.cells())

    def with_count(self, count: int) -> Study:
        """Return the study with another number of games."""
        return replace(self, count=count)

    def fingerprint(self) -> dict[str, Any]:
        """Return what must not change in a folder: games, strengths and counts may be added."""
        declared = {
            game.game: sha256(game.declaration.encode()).hexdigest()[:16]
            for game in self.games
            if game.declaration
        }
        return {
            "kind": self.kind,
            "seed": self.seed,
            "random_plies": self.random_plies,
            "batch": self.batch,
            "net": self.net,
            **({"declared": declared} if declared else {}),
        }


def _check_range(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise SpecError(f"{name}: invalid {value!r} (expected an integer from {low:,} to {high:,})")
