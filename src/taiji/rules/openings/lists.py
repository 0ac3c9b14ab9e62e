"""A list of balanced openings, and the source text in which it is stored."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap

CARD_WIDTH = 90


@dataclass(frozen=True, slots=True)
class Opening:
    """The first moves of a game, after which both players are believed to have equal chances."""

    moves: str
    """Canonical moves, separated by blanks."""
    first_wins: float
    """The measured share of wins of seat FIRST, a draw counting half."""
    retired: bool = False
    """Whether a later measurement found it unbalanced: it keeps its number, but no draw picks it."""


@dataclass(frozen=True, slots=True)
class OpeningList:
    """The openings of one game, numbered from 1."""

    game: str
    """The canonical text of the game, without an opening."""
    card: str
    """How the openings were found and measured."""
    openings: tuple[Opening, ...]

    def __len__(self) -> int:
        return len(self.openings)

    def moves(self, number: int) -> tuple[str, ...]:
        """Return the moves of an opening, numbered from 1."""
        return tuple(self.openings[number - 1].moves.split())

    @property
    def numbers_to_draw(self) -> tuple[int, ...]:
        """The numbers of the openings that are not retired."""
        return tuple(number for number, each in enumerate(self.openings, 1) if not each.retired)


def list_to_source(openings: OpeningList) -> str:
    """Return the source text of a list's module, in the form that the formatter leaves alone."""
    lines = [
        f'"""Balanced openings of {openings.game}; see `taiji.rules.openings` for the form."""',
        "",
        "from taiji.rules.openings.lists import Opening, OpeningList",
        "",
        "LIST = OpeningList(",
        f'    game="{openings.game}",',
        "    card=(",
        *(f'        "{line}"' for line in _wrapped(openings.card)),
        "    ),",
        "    openings=(",
        *(f"        {_opening_to_source(each)}," for each in openings.openings),
        "    ),",
        ")",
        "",
    ]
    return "\n".join(lines)


def _wrapped(text: str) -> list[str]:
    """Return a text in lines that keep the blank at their end."""
    lines = wrap(text, CARD_WIDTH)
    return [f"{line} " for line in lines[:-1]] + lines[-1:]


def _opening_to_source(opening: Opening) -> str:
    retired = ", retired=True" if opening.retired else ""
    return f'Opening("{opening.moves}", {opening.first_wins:.3f}{retired})'
