"""Tournaments of people and of engines: a log of events, pairings, standings and exports."""

from taiji.arena.tournaments.events import (
    ByeAsked,
    Corrected,
    Created,
    Entered,
    Event,
    Paired,
    Returned,
    Scored,
    Unpaired,
    Withdrew,
    event_from_json,
    event_to_json,
)
from taiji.arena.tournaments.log import Log
from taiji.arena.tournaments.pairing import next_round
from taiji.arena.tournaments.standings import Bout, Standing, standings
from taiji.arena.tournaments.tournament import Tournament
from taiji.arena.tournaments.values import (
    Decision,
    Entrant,
    Format,
    Pairing,
    Result,
    Settings,
    TournamentError,
    match_points,
)

__all__ = [
    "Bout",
    "ByeAsked",
    "Corrected",
    "Created",
    "Decision",
    "Entered",
    "Entrant",
    "Event",
    "Format",
    "Log",
    "Paired",
    "Pairing",
    "Result",
    "Returned",
    "Scored",
    "Settings",
    "Standing",
    "Tournament",
    "TournamentError",
    "Unpaired",
    "Withdrew",
    "event_from_json",
    "event_to_json",
    "match_points",
    "next_round",
    "standings",
]
