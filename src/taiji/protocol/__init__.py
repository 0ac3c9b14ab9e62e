"""Protocols: UGI as an engine and as a client, and a stream of analysis as JSON lines."""

from taiji.protocol.client import EngineDied, UgiPlayer
from taiji.protocol.engine import Engine, serve

__all__ = ["Engine", "EngineDied", "UgiPlayer", "serve"]
