"""The compiled core's Python face: any game value in, positions, playouts and search out."""

from taiji.kernel.kernel import Kernel, Playouts, Position
from taiji.kernel.search import PLAIN_UCT, Lead, Limits, MoveInfo, Result, Search, SearchOptions

__all__ = [
    "PLAIN_UCT",
    "Kernel",
    "Lead",
    "Limits",
    "MoveInfo",
    "Playouts",
    "Position",
    "Result",
    "Search",
    "SearchOptions",
]
