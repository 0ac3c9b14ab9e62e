"""Players, from one that plays anything to the strongest there is, behind one protocol."""

from taiji.players.base import Info, Limit, Player, PlayerError, Report, MatchContext
from taiji.players.factory import make_player, player_names

__all__ = ["Info", "Limit", "Player", "PlayerError", "Report", "MatchContext", "make_player", "player_names"]
