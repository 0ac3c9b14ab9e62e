"""Tournaments of people and of engines: a log of events, pairings, standings and exports."""

from taiji.arena.tournaments.events import (
    ByeRequested,
    ResultCorrected,
    Created,
    Entered,
    Event,
    Paired,
    Returned,
    ResultEntered,
    RoundUndone,
    Withdrew,
    event_from_json,
    event_to_json,
)
from taiji.arena.tournaments.log import Log
from taiji.arena.tournaments.pairing import next_round
from taiji.arena.tournaments.standings import RoundResult, Standing, standings
from taiji.arena.tournaments.tournament import Tournament
from taiji.arena.tournaments.values import (
    Adjudication,
    Entrant,
    Format,
    Pairing,
    PairingResult,
    TournamentSettings,
    TournamentError,
    match_points,
)

__all__ = [
    "RoundResult",
    "ByeRequested",
    "ResultCorrected",
    "Created",
    "Adjudication",
    "Entered",
    "Entrant",
    "Event",
    "Format",
    "Log",
    "Paired",
    "Pairing",
    "PairingResult",
    "Returned",
    "ResultEntered",
    "TournamentSettings",
    "Standing",
    "Tournament",
    "TournamentError",
    "RoundUndone",
    "Withdrew",
    "event_from_json",
    "event_to_json",
    "match_points",
    "next_round",
    "standings",
]
