"""Options of a game and the declaration that turns their values into a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from taiji.rules.errors import GameError, suggestion
from taiji.rules.game import Game

Values = dict[str, str | int]
"""Option values by name; an option with a computed default is absent unless it was chosen."""


@dataclass(frozen=True)
class ChoiceOption:
    """An option with a few words to choose from, the default first."""

    name: str
    values: tuple[str, ...]
    help: str

    def parse(self, text: str) -> str:
        """Read a value."""
        if text.lower() not in self.values:
            raise GameError(f"{self.name}={text[:20]}: invalid (expected one of {', '.join(self.values)})")
        return text.lower()

    @property
    def default(self) -> str:
        """The value if none is chosen."""
        return self.values[0]

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        return " | ".join(self.values)


@dataclass(frozen=True)
class IntOption:
    """An integer option; without a default it is computed from the other options."""

    name: str
    low: int
    high: int
    help: str
    default: int | None = None

    def parse(self, text: str) -> int:
        """Read a value."""
        if not (text.isascii() and text.isdigit() and len(text) <= 10 and self.low <= int(text) <= self.high):
            expected = f"expected an integer from {self.low} to {self.high}"
            raise GameError(f"{self.name}={text[:20]}: invalid ({expected})")
        return int(text)

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        return f"{self.low}…{self.high}"


@dataclass(frozen=True)
class TextOption:
    """An option that is a drawing in text, read by the game itself."""

    name: str
    allowed: str
    help: str
    default: None = None

    def parse(self, text: str) -> str:
        """Read a value."""
        return text.lower()


Option = ChoiceOption | IntOption | TextOption
"""A value that the text of a game may set, such as `size`."""


@dataclass(frozen=True)
class GameDeclaration:
    """A named game of the catalogue: its options and how they make a game.

    `build` gets every value that was chosen or has a fixed default, and the names of those chosen.
    """

    name: str
    title: str
    designer: str
    rulebook: str
    summary: str
    options: tuple[Option, ...]
    build: Callable[[Values, frozenset[str]], Game]
    refused: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Options of other games that contradict this one: what they contradict, and why."""

    def build_game(self, chosen: Mapping[str, str]) -> Game:
        """Return the game with these option values, as texts."""
        known = {option.name: option for option in self.options}
        for name in chosen:
            if name in self.refused:
                raise conflict_error(f"{name}={chosen[name][:20]}", *self.refused[name])
            if name not in known:
                expected = f"{suggestion(name[:20], known)}expected {', '.join(known)}"
                raise GameError(f"{self.name} has no option {name[:20]!r} ({expected})")
        values: Values = {
            name: option.default for name, option in known.items() if option.default is not None
        }
        for name, text in chosen.items():
            values[name] = known[name].parse(text)
        return self.build(values, frozenset(chosen))


def canonical(name: str, values: Mapping[str, str | int], defaults: Mapping[str, str | int]) -> str:
    """Return the game text that leaves the defaults out."""
    shown = [f"{key}={value}" for key, value in values.items() if value != defaults.get(key)]
    return f"{name}:{','.join(shown)}" if shown else name


def conflict_error(one: str, two: str, why: str) -> GameError:
    """Return the error for two options that exclude each other."""
    return GameError(f"{one} and {two} contradict each other: {why}")
