"""Scoring rules, one per module. To add one, write its module and import it here."""

from taiji.rules.program import Tie
from taiji.rules.scoring.base import SCORING_RULES, Scoring, ScoringReader, scoring_rule
from taiji.rules.scoring.declared_tally import DeclaredTally
from taiji.rules.scoring.group_product import GroupProduct
from taiji.rules.scoring.largest_groups import LargestGroups
from taiji.rules.scoring.nth_largest_group import NthLargestGroup
from taiji.rules.scoring.sum_of_squares import SumOfSquares
from taiji.rules.scoring.uncovered_symbols import UncoveredSymbols

__all__ = [
    "SCORING_RULES",
    "DeclaredTally",
    "GroupProduct",
    "LargestGroups",
    "NthLargestGroup",
    "Scoring",
    "ScoringReader",
    "SumOfSquares",
    "Tie",
    "UncoveredSymbols",
    "scoring_rule",
]
