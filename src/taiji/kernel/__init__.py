"""The compiled core's Python face: any game value in, positions, playouts and search out."""

from taiji._core import ConvNet, NetViewSpec, arithmetic
from taiji.kernel.kernel import Kernel, Playouts, Position, kernel_of
from taiji.kernel.puct import CoreEvaluator, Evaluator, Puct, PuctLimits, PuctOptions, PuctResult
from taiji.kernel.search import PLAIN_UCT, Lead, Limits, MoveInfo, Result, Search, SearchOptions
from taiji.kernel.solver import Progress, Solution, Solver, Verdict

__all__ = [
    "PLAIN_UCT",
    "ConvNet",
    "CoreEvaluator",
    "Evaluator",
    "Kernel",
    "Lead",
    "Limits",
    "MoveInfo",
    "NetViewSpec",
    "Playouts",
    "Position",
    "Progress",
    "Puct",
    "PuctLimits",
    "PuctOptions",
    "PuctResult",
    "Result",
    "Search",
    "SearchOptions",
    "Solution",
    "Solver",
    "Verdict",
    "arithmetic",
    "kernel_of",
]
