"""Protocols: UGI as an engine and as a client, and a stream of analysis as JSON lines."""

from taiji.players.ugi.client import EngineCrashed, UgiPlayer
from taiji.protocol.engine import Engine, serve

__all__ = ["Engine", "EngineCrashed", "UgiPlayer", "serve"]
