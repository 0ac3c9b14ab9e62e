"""Errors of the rules: declarations that make no game, and rules that an engine cannot play."""

from __future__ import annotations


class GameError(ValueError):
    """A game text, option or declaration that does not define a game."""


class Unsupported(GameError):
    """A rule that an engine does not implement; raised before any move is made."""

    def __init__(self, engine: str, rule: str, detail: str) -> None:
        super().__init__(engine, rule, detail)
        self.engine = engine
        self.rule = rule
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.engine} does not support the rule {self.rule}: {self.detail}"
