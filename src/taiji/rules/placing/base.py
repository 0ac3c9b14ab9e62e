"""The base of the rules of placing, and the registry of those that a declaration may name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Self, TypeVar

from taiji.rules.geometry import Board
from taiji.rules.program import Test


class PlacingRule(ABC):
    """A rule that says where a piece may lie; subclass it as a frozen dataclass."""

    key: ClassVar[str]
    """Its name in declarations, in the compiled form and in messages."""

    @classmethod
    @abstractmethod
    def from_table(cls, value: object, board: Board) -> Self | None:
        """Read the value of `key` in a declaration's table of rules; None if it switches the rule off."""

    @abstractmethod
    def lower(self, board: Board) -> tuple[Test, ...]:
        """Return the tests that every placement on this board must pass."""


PLACING_RULES: dict[str, type[PlacingRule]] = {}
"""The rules that a declaration may name, in the order in which they explain an illegal move."""

R = TypeVar("R", bound=type[PlacingRule])


def placing_rule(rule: R) -> R:
    """Register a rule under its key, so that declarations may name it."""
    PLACING_RULES[rule.key] = rule
    return rule
