"""Tournaments of people and of engines: event log, pairings, standings and exports."""

from taiji.arena.tournaments.events import (
    ByeRequested,
    Created,
    Entered,
    Event,
    Paired,
    ResultCorrected,
    ResultEntered,
    Returned,
    RoundUndone,
    Withdrew,
    event_from_json,
    event_to_json,
)
from taiji.arena.tournaments.log import Log
from taiji.arena.tournaments.models import (
    Adjudication,
    EarlyEnd,
    Entrant,
    Format,
    Pairing,
    PairingResult,
    TournamentError,
    TournamentSettings,
    match_points,
)
from taiji.arena.tournaments.pairing import next_round
from taiji.arena.tournaments.standings import RoundResult, Standing, standings
from taiji.arena.tournaments.tournament import Tournament

__all__ = [
    "Adjudication",
    "ByeRequested",
    "Created",
    "EarlyEnd",
    "Entered",
    "Entrant",
    "Event",
    "Format",
    "Log",
    "Paired",
    "Pairing",
    "PairingResult",
    "ResultCorrected",
    "ResultEntered",
    "Returned",
    "RoundResult",
    "RoundUndone",
    "Standing",
    "Tournament",
    "TournamentError",
    "TournamentSettings",
    "Withdrew",
    "event_from_json",
    "event_to_json",
    "match_points",
    "next_round",
    "standings",
]
