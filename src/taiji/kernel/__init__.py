"""The compiled core's Python face: any game value in, positions, playouts and search out."""

from taiji._core import ConvNet, NetViewSpec, arithmetic
from taiji.kernel.kernel import Kernel, Playouts, Position, get_kernel
from taiji.kernel.puct import CoreEvaluator, Evaluator, Puct, PuctLimits, PuctOptions, PuctResult
from taiji.kernel.search import PLAIN_UCT, Lead, MoveInfo, Search, SearchLimits, SearchOptions, SearchResult
from taiji.kernel.solver import Progress, Solution, Solver, WinCheck

__all__ = [
    "PLAIN_UCT",
    "ConvNet",
    "CoreEvaluator",
    "Evaluator",
    "Kernel",
    "Lead",
    "MoveInfo",
    "NetViewSpec",
    "Playouts",
    "Position",
    "Progress",
    "Puct",
    "PuctLimits",
    "PuctOptions",
    "PuctResult",
    "Search",
    "SearchLimits",
    "SearchOptions",
    "SearchResult",
    "Solution",
    "Solver",
    "WinCheck",
    "arithmetic",
    "get_kernel",
]
