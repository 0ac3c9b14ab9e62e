"""A certificate as a value and as a text file.

The first line is a JSON object: the game, the margin of Light and the winner with best play. Each other line
is one answer: the side that proves, the light and the dark cells of a position with that side to move (as
hexadecimal masks, in the orientation with the smallest masks), and its move. `at least` lines prove that
Light gets the margin, `at most` lines that Dark allows no more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from taiji.rules import Game, Placement, Points, Seat, State, Tie, game_from_dict, parse_game

FORMAT = "taiji-certificate"
VERSION = 1
_SIDES = {Seat.FIRST: "light", Seat.SECOND: "dark"}
_SEATS = {word: seat for seat, word in _SIDES.items()}

Key = tuple[int, int]
"""The light and dark cells of a position, moved by the symmetry that makes them smallest."""


class CertificateError(ValueError):
    """A certificate that is not readable, or that does not prove its claim."""


@dataclass(frozen=True)
class Certificate:
    """The claimed margin of seat FIRST from the start of a game, and the answers that prove it."""

    game: Game
    definition: Mapping[str, Any] | str
    """The game as a text, or as the definition of a custom game."""
    margin: Points
    answers: Mapping[Seat, Mapping[Key, str]]
    """For either seat: its move in every position that its strategy meets with it to move."""

    @property
    def winner(self) -> Seat | None:
        """The winner with best play; None for a draw."""
        if self.margin:
            return Seat.FIRST if self.margin > 0 else Seat.SECOND
        return {Tie.LIGHT: Seat.FIRST, Tie.DARK: Seat.SECOND, Tie.DRAW: None}[self.game.compiled.tie_rule]

    def lines(self) -> Iterable[str]:
        """Yield the lines of the file."""
        winner = None if self.winner is None else _SIDES[self.winner]
        head = {"format": FORMAT, "version": VERSION, "game": self.definition, "margin": self.margin}
        yield json.dumps({**head, "winner": winner})
        for seat, answers in self.answers.items():
            for (light, dark), move in answers.items():
                yield f"{_SIDES[seat]} {light:x} {dark:x} {move}"


def read_certificate(lines: Iterable[str]) -> Certificate:
    """Read a certificate; raise `CertificateError` that names the line if it is not valid."""
    answers: dict[Seat, dict[Key, str]] = {Seat.FIRST: {}, Seat.SECOND: {}}
    rest = iter(lines)
    try:
        head = json.loads(next(rest, ""))
        claim = (head["format"], head["version"], isinstance(head["margin"], int | float))
        definition, margin = head["game"], head["margin"]
        game = parse_game(definition) if isinstance(definition, str) else game_from_dict(definition)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise CertificateError(f"line 1: invalid ({error}; expected the head of a certificate)") from error
    if claim != (FORMAT, VERSION, True):
        raise CertificateError(f"line 1: invalid (expected the head of a certificate, version {VERSION})")
    check_supported(game)
    for number, line in enumerate(rest, start=2):
        parts = line.split()
        if not parts:
            continue
        try:
            side, light, dark, move = parts
            answers[_SEATS[side]][int(light, 16), int(dark, 16)] = move
        except (ValueError, KeyError) as error:
            raise CertificateError(f"line {number}: invalid (expected side, masks and a move)") from error
    certificate = Certificate(game, definition, margin, answers)
    expected = None if certificate.winner is None else _SIDES[certificate.winner]
    if head.get("winner") != expected:
        claimed = head.get("winner")
        raise CertificateError(f"line 1: winner {claimed!r:.30} (expected {expected!r}, as the margin says)")
    return certificate


def check_supported(game: Game) -> None:
    """Raise `CertificateError` unless a position is its light and dark cells, and a tie has one winner."""
    stages = game.compiled.stages
    plain = (
        len(stages) == 1
        and not stages[0].traits.is_constrained
        and stages[0].swap_after is None
        and game.compiled.swap_action is None
        and not stages[0].tiebreak
        and len(stages[0].supply) == 1
        and all(placement.light and placement.dark for placement in stages[0].layout.placements)
    )
    if not plain or game.compiled.tie_rule not in {Tie.LIGHT, Tie.DARK, Tie.DRAW}:
        raise CertificateError(
            f"{game.name}: no certificate for these rules (expected one kind of two-coloured piece, no swap)"
        )


def key_of(state: State) -> tuple[Key, tuple[int, ...]]:
    """Return the key of a position and the symmetry that leads to it."""
    best, by = (state.light, state.dark), state.game.symmetries[0]
    for image in state.game.symmetries[1:]:
        key = (_moved(state.light, image), _moved(state.dark, image))
        if key < best:
            best, by = key, image
    return best, by


def move_image(game: Game, move: Placement, image: tuple[int, ...]) -> Placement:
    """Return the image of a move."""
    light, dark = _moved(move.light, image), _moved(move.dark, image)
    for placement in game.compiled.stages[0].layout.placements:
        if placement.light == light and placement.dark == dark:
            return placement
    raise CertificateError(f"{move}: has no image (expected a symmetry of the game)")


def inverse(image: tuple[int, ...]) -> tuple[int, ...]:
    """Return the inverse of a symmetry."""
    result = [0] * len(image)
    for cell, to in enumerate(image):
        result[to] = cell
    return tuple(result)


def _moved(cells: int, image: tuple[int, ...]) -> int:
    result = 0
    while cells:
        result |= 1 << image[(cells & -cells).bit_length() - 1]
        cells &= cells - 1
    return result
