"""The catalogue: every game by its text, and the published editions as named presets."""

from __future__ import annotations

from dataclasses import dataclass

from taiji.rules import battle_of_lits, taiji, taiji_battle_of_lits, tailits, tailits_taiji
from taiji.rules.errors import GameError, check_type, suggestion
from taiji.rules.game import Game
from taiji.rules.match import MatchRule
from taiji.rules.options import GameDeclaration

MAX_TEXT_CHARS = 400

GAMES: dict[str, GameDeclaration] = {
    module.DECLARATION.name: module.DECLARATION
    for module in (taiji, tailits, battle_of_lits, tailits_taiji, taiji_battle_of_lits)
}
"""The games of the family by name."""


@dataclass(frozen=True)
class Edition:
    """A published edition: the game it contains and its rule for two-game matches."""

    name: str
    title: str
    game: str
    match_rule: MatchRule


EDITIONS: dict[str, Edition] = {
    edition.name: edition
    for edition in (
        Edition("nestorgames-7x7", "nestorgames 7×7", "taiji:size=7", MatchRule.NESTORGAMES),
        Edition("nestorgames-9x9", "nestorgames 9×9", "taiji", MatchRule.NESTORGAMES),
        Edition("nestorgames-11x11", "nestorgames 11×11", "taiji:size=11", MatchRule.NESTORGAMES),
        Edition("deluxe", "nestorgames Deluxe", "taiji:size=11", MatchRule.NESTORGAMES),
        Edition("blue-panther", "Blue Panther", "taiji:groups=1", MatchRule.BLUE_PANTHER),
        Edition("blue-panther-advanced", "Blue Panther Advanced", "taiji", MatchRule.BLUE_PANTHER),
    )
}
"""The published editions by name."""

MAX_TEXTS = 4096
MAX_GAMES = 128
MAX_PLACEMENTS = 150_000
"""A placement takes 400 to 800 bytes: the games in memory stay below 100 MB, whatever strangers ask for."""
_games: dict[str, Game] = {}
"""Games by their canonical text, so that other spellings of a game do not build it again."""
_canonical: dict[str, str] = {}
"""The canonical text of each text that was asked for."""
_registered: dict[str, Game] = {}


def register(game: Game) -> Game:
    """Make a custom game known to `parse_game` by its name; registering the same game again is allowed."""
    check_type("game", game, Game, "a Game")
    name = str(game)
    if name in GAMES or name in EDITIONS or _registered.get(name, game) != game:
        raise GameError(f"the name {name} is taken by another game")
    _registered[name] = game
    return game


def registered_games() -> list[Game]:
    """Return the custom games of this process."""
    return list(_registered.values())


def parse_game(text: str) -> Game:
    """Return the game that a text such as `taiji:size=7` or the name of an edition stands for."""
    check_type("game", text, str, "a text such as 'taiji:size=7'")
    if len(text) > MAX_TEXT_CHARS:
        raise GameError(
            f"a game text of {len(text)} characters is too long (expected at most {MAX_TEXT_CHARS})"
        )
    text = text.strip()
    if text in _registered:
        return _registered[text]
    edition = EDITIONS.get(text.lower())
    wanted = edition.game if edition else text
    game = _games.get(_canonical.get(wanted, ""))
    return game if game is not None else _remember(wanted, _parse(wanted))


def _remember(text: str, game: Game) -> Game:
    """Keep a game by its canonical text; return the equal one that is known already, if there is one."""
    canonical = str(game)
    if len(_canonical) >= MAX_TEXTS:
        _canonical.clear()
    _canonical[text] = canonical
    game = _games.setdefault(canonical, game)
    _forget_surplus()
    return game


def _forget_surplus() -> None:
    """Forget the oldest games if those in memory are too many, or have too many placements."""
    while len(_games) > 1 and (
        len(_games) > MAX_GAMES or sum(map(_placement_count, list(_games.values()))) > MAX_PLACEMENTS
    ):
        _games.pop(next(iter(_games), ""), None)


def _placement_count(game: Game) -> int:
    """Return the placements that a game holds in memory, 0 before its first use."""
    return len(game.placements) if "placements" in vars(game) else 0


def match_rule(text: str) -> MatchRule:
    """Return the match rule of an edition; that of nestorgames for any other game text."""
    edition = EDITIONS.get(text.strip().lower())
    return edition.match_rule if edition else MatchRule.NESTORGAMES


def _parse(text: str) -> Game:
    name, colon, rest = text.partition(":")
    declaration = GAMES.get(name.strip().lower())
    if declaration is None:
        known = [*GAMES, *EDITIONS, *_registered]
        hint = suggestion(name.strip()[:30], known)
        raise GameError(f"unknown game {name[:30]!r} ({hint}expected one of {', '.join(known)})")
    chosen: dict[str, str] = {}
    for part in rest.split(",") if colon else ():
        key, equals, value = part.partition("=")
        key = key.strip().lower()
        if not equals:
            names = ", ".join(option.name for option in declaration.options)
            raise GameError(
                f"{part[:20]!r} is not an option (expected option=value; {declaration.name} has {names})"
            )
        if key in chosen:
            raise GameError(f"option {key} appears twice")
        chosen[key] = value.strip()
    return declaration.build_game(chosen)
