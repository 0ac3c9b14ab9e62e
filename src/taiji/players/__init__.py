"""Players behind one interface: from random moves to search with a trained net."""

from taiji.players.base import CandidateMove, Info, Limit, Player, PlayerError, Report
from taiji.players.factory import make_player, player_names
from taiji.rules import MatchContext

__all__ = [
    "CandidateMove",
    "Info",
    "Limit",
    "MatchContext",
    "Player",
    "PlayerError",
    "Report",
    "make_player",
    "player_names",
]
