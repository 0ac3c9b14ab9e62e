"""The UGI client: engines of other programs as players."""

from taiji.players.ugi.client import EngineCrashed, UgiPlayer

__all__ = ["EngineCrashed", "UgiPlayer"]
