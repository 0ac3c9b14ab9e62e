"""The catalogue of games."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from taiji.server.contract.messages import MatchRuleName, View


class ChoiceOptionInfo(View):
    """An option with named values."""

    type: Literal["choice"] = "choice"
    name: str
    help: str
    default: str
    values: list[str]


class IntOptionInfo(View):
    """An integer option with its range."""

    type: Literal["whole"] = "whole"
    name: str
    help: str
    default: int | None
    low: int
    high: int


class TextOptionInfo(View):
    """An option drawn at random unless it is given."""

    type: Literal["drawn"] = "drawn"
    name: str
    help: str
    default: str | None
    domain: str


OptionInfo = Annotated[ChoiceOptionInfo | IntOptionInfo | TextOptionInfo, Field(discriminator="type")]


class GameInfo(View):
    """A game and its options."""

    name: str
    title: str
    designer: str
    rulebook: str
    summary: str
    options: list[OptionInfo]


class EditionInfo(View):
    """A published edition: a game text with a name."""

    name: str
    title: str
    game: str
    match_rule: MatchRuleName


class OpeningsInfo(View):
    """The numbers of the balanced openings from which a game may be drawn."""

    game: str
    numbers: list[int]


class Catalogue(View):
    """Every game, the editions, the balanced openings and the computer's levels."""

    games: list[GameInfo]
    editions: list[EditionInfo]
    levels: list[int]
    openings: list[OpeningsInfo]
