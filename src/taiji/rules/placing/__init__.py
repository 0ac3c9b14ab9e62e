"""Rules of placing, one per module. To add one, write its module and import it here."""

# isort: off
# A declaration's rules explain an illegal move in the order of these lines.
from taiji.rules.placing.base import PLACING_RULES, PlacingRule, placing_rule
from taiji.rules.placing.first_must_cover import FirstMustCover
from taiji.rules.placing.must_touch import MustTouch
from taiji.rules.placing.same_kind_apart import SameKindApart
from taiji.rules.placing.no_full_block import NoFullBlock
from taiji.rules.placing.level_ground import LevelGround
from taiji.rules.placing.declared_tests import DeclaredTests
# isort: on

__all__ = [
    "PLACING_RULES",
    "DeclaredTests",
    "FirstMustCover",
    "LevelGround",
    "MustTouch",
    "NoFullBlock",
    "PlacingRule",
    "SameKindApart",
    "placing_rule",
]
