"""Specification of an engine tournament: a TOML file with the game, the format and the players."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from taiji.arena.contest import limit_text
from taiji.arena.custom_game import read_game
from taiji.arena.tournaments.models import Format, TournamentError, TournamentSettings
from taiji.players import Limit
from taiji.rules import MatchRule, match_rule
from taiji.rules.tables import parse_toml

_KEYS = {
    "name",
    "format",
    "game",
    "games",
    "rule",
    "rounds",
    "openings",
    "seed",
    "seconds",
    "playouts",
    "player",
}
_PLAYER_KEYS = {"name", "player", "seconds", "playouts", "rating"}


@dataclass(frozen=True, slots=True)
class Engine:
    """A player of an engine tournament: its name, its player text, and its limit per move."""

    name: str
    player: str
    limit: Limit
    rating: int = 0


@dataclass(frozen=True, slots=True)
class TournamentSpec:
    """An engine tournament, ready to play."""

    settings: TournamentSettings
    engines: tuple[Engine, ...]
    opening_plies: int = 2
    """Random plies at the start of each match, the same in both games."""
    seed: int = 1

    def fingerprint(self) -> dict[str, Any]:
        """Return what identifies the tournament in its journal."""
        settings = self.settings
        return {
            "tournament": settings.name,
            "format": settings.format.value,
            "game": settings.game,
            "games": settings.games,
            "rule": settings.rule.value,
            "rounds": settings.rounds,
            "players": [[e.name, e.player, limit_text(e.limit), e.rating] for e in self.engines],
            "openings": self.opening_plies,
            "seed": self.seed,
            **({"declaration": settings.declaration} if settings.declaration else {}),
        }


def parse_spec(text: str, name: str = "engines", folder: Path | None = None) -> TournamentSpec:
    """Parse a specification; paths of custom games are relative to `folder`."""
    data = parse_toml(text, TournamentError)
    _check_keys(data, _KEYS, "the tournament")
    common = _limit(data, Limit(seconds=0.2))
    players = data.get("player", [])
    if not isinstance(players, list) or not all(isinstance(entry, dict) for entry in players):
        raise TournamentError("each player is a table: [[player]]")
    engines = tuple(_engine(entry, common) for entry in players)
    if len(engines) < 2:
        raise TournamentError("a tournament needs at least two [[player]] tables")
    names = [engine.name.casefold() for engine in engines]
    for engine in engines:
        if names.count(engine.name.casefold()) > 1:
            raise TournamentError(f"two players are named {engine.name}: names must be unique")
    game = _typed(data, "game", str, "taiji")
    form = _choice(Format, _typed(data, "format", str, "round-robin"), "format")
    rule = _choice(MatchRule, _typed(data, "rule", str, match_rule(game).value), "rule")
    rounds = _typed(data, "rounds", int, None)
    if form is Format.LADDER and rounds is None:
        raise TournamentError("a ladder of engines needs rounds = N")
    known, declaration = read_game(game, folder)
    settings = TournamentSettings(
        _typed(data, "name", str, name),
        form,
        known,
        _typed(data, "games", int, 2),
        rule,
        rounds,
        declaration,
    )
    openings = _typed(data, "openings", int, 2)
    if not 0 <= openings <= 40:
        raise TournamentError("openings: invalid (expected 0 to 40 random plies)")
    return TournamentSpec(settings, engines, openings, _typed(data, "seed", int, 1))


def _engine(entry: dict[str, Any], common: Limit) -> Engine:
    _check_keys(entry, _PLAYER_KEYS, "a player")
    player = _typed(entry, "player", str, None) or _typed(entry, "name", str, None)
    if not player:
        raise TournamentError('a [[player]] needs player = "…", such as "level:3"')
    limit = _limit(entry, common)
    return Engine(_typed(entry, "name", str, player), player, limit, _typed(entry, "rating", int, 0))


def _limit(data: dict[str, Any], common: Limit) -> Limit:
    if "seconds" not in data and "playouts" not in data:
        return common
    seconds = data.get("seconds")
    if seconds is not None and (
        isinstance(seconds, bool) or not isinstance(seconds, int | float) or seconds <= 0
    ):
        raise TournamentError(f"seconds = {seconds!r}: invalid (expected a number above 0)")
    playouts = _typed(data, "playouts", int, None)
    if playouts is not None and playouts < 1:
        raise TournamentError(f"playouts = {playouts}: invalid (expected a number above 0)")
    return Limit(seconds=None if seconds is None else float(seconds), playouts=playouts)


def _check_keys(data: dict[str, Any], keys: set[str], owner: str) -> None:
    if unknown := sorted(set(data) - keys):
        raise TournamentError(f"{owner} has no setting {unknown[0]} (expected {', '.join(sorted(keys))})")


def _typed(data: dict[str, Any], key: str, kind: type[Any], default: Any) -> Any:
    value = data.get(key, default)
    if value is not default and (not isinstance(value, kind) or isinstance(value, bool)):
        words = {str: "text", int: "an integer"}
        raise TournamentError(f"{key} = {value!r}: invalid (expected {words[kind]})")
    return value


def _choice(kind: Any, value: str, key: str) -> Any:
    try:
        return kind(value)
    except ValueError:
        raise TournamentError(
            f"{key} = {value!r}: invalid (expected one of {', '.join(one.value for one in kind)})"
        ) from None
