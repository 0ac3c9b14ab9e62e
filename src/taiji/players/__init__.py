"""Players, from one that plays anything to the strongest there is, behind one protocol."""

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
