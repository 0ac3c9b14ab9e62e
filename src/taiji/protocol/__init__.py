"""Protocols: UGI as an engine and as a client, and a stream of analysis as JSON lines."""

from taiji.protocol.client import EngineCrashed, UgiPlayer
from taiji.protocol.engine import Engine, serve

__all__ = ["Engine", "EngineCrashed", "UgiPlayer", "serve"]
