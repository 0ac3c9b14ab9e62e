"""The Python API of the compiled core: positions, playouts, search and solver for any game."""

from taiji._core import ConvNet, NetEncoderSpec, simd_backend, simd_backends
from taiji.kernel.kernel import Kernel, Playouts, Position, get_kernel
from taiji.kernel.puct import CoreEvaluator, Evaluator, Puct, PuctLimits, PuctOptions, PuctResult
from taiji.kernel.search import PLAIN_UCT, MoveInfo, Search, SearchLimits, SearchOptions, SearchResult
from taiji.kernel.solver import Progress, Solution, Solver, WinCheck

__all__ = [
    "PLAIN_UCT",
    "ConvNet",
    "CoreEvaluator",
    "Evaluator",
    "Kernel",
    "MoveInfo",
    "NetEncoderSpec",
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
    "get_kernel",
    "simd_backend",
    "simd_backends",
]
