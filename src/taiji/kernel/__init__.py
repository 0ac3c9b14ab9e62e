"""The compiled core's Python face: any game value in, positions, playouts and search out."""

from taiji.kernel.kernel import Kernel, Playouts, Position, kernel_of
from taiji.kernel.search import PLAIN_UCT, Lead, Limits, MoveInfo, Result, Search, SearchOptions
from taiji.kernel.solver import Progress, Solution, Solver

__all__ = [
    "PLAIN_UCT",
    "Kernel",
    "Lead",
    "Limits",
    "MoveInfo",
    "Playouts",
    "Position",
    "Progress",
    "Result",
    "Search",
    "SearchOptions",
    "Solution",
    "Solver",
    "kernel_of",
]
