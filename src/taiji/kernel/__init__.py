"""The compiled core's Python face: any game value in, positions, playouts and search out."""

from taiji.kernel.kernel import Kernel, Playouts, Position

__all__ = ["Kernel", "Playouts", "Position"]
