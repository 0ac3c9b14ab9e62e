"""Protocols: UGI as an engine, analyses as JSON, and the bot client of the server."""

from taiji.players.ugi import EngineCrashed, UgiPlayer
from taiji.protocol.engine import Engine, serve

__all__ = ["Engine", "EngineCrashed", "UgiPlayer", "serve"]
