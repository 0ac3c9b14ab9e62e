"""Checks of a tournament: each returns nothing or raises `TournamentError` with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.arena.tournaments.models import (
    Format,
    Pairing,
    PairingResult,
    TournamentError,
    TournamentSettings,
    match_points,
)
from taiji.arena.tournaments.scores import why_impossible
from taiji.rules import Tie

if TYPE_CHECKING:
    from taiji.arena.tournaments.tournament import Tournament

MAX_NAME_CHARS = 60
MAX_ENTRANTS = 2000
MAX_GAMES = 20
"""Maximum games of one knockout pairing, play-offs included."""
OPEN_FORMATS = (Format.SWISS, Format.LADDER)
"""The formats with late entries and byes on request."""


def fold_name(name: str) -> str:
    """Return a name for comparison: case-folded, with single spaces."""
    return " ".join(name.split()).casefold()


def check_can_enter(tournament: Tournament, name: str, rating: int) -> None:
    """Refuse an invalid or taken name, and a late entry."""
    clean = " ".join(name.split())
    if not clean or len(clean) > MAX_NAME_CHARS or not clean.isprintable():
        raise TournamentError(f"invalid name (expected 1 to {MAX_NAME_CHARS} printable characters)")
    if clean.startswith("#"):
        raise TournamentError("a name cannot begin with #, which marks the number of an entrant")
    if not 0 <= rating <= 9999:
        raise TournamentError(f"rating {rating}: invalid (expected 0 to 9999)")
    if any(fold_name(entrant.name) == fold_name(clean) for entrant in tournament.entrants):
        raise TournamentError(f"{clean} has already entered")
    form = tournament.settings.format
    if form is Format.MATCH and len(tournament.entrants) == 2:
        raise TournamentError("a match has two players, and two have entered")
    if tournament.rounds and form not in OPEN_FORMATS:
        raise TournamentError(f"the {form.value} is drawn: no entries after round 1 is paired")
    if len(tournament.entrants) >= MAX_ENTRANTS:
        raise TournamentError(f"a tournament has at most {MAX_ENTRANTS} players")


def check_can_sit_out(tournament: Tournament, player: int, points: float) -> None:
    """Refuse a bye on request if all rounds are drawn ahead, or if the player cannot have one."""
    entrant = tournament.entrant(player)
    if tournament.settings.format not in OPEN_FORMATS:
        raise TournamentError(
            f"a {tournament.settings.format.value} has no byes on request: record a forfeit"
        )
    if points not in (0, 0.5):
        raise TournamentError("a bye on request is worth half a point or none")
    if entrant.withdrawn:
        raise TournamentError(f"{entrant.name} has withdrawn")
    if player in tournament.byes:
        raise TournamentError(f"{entrant.name} already has a bye in the next round")


def check_can_pair(tournament: Tournament) -> None:
    """Refuse a round while results are missing, or after the last round."""
    if tournament.missing:
        round_no, board_no = tournament.missing[0]
        more = f" and {len(tournament.missing) - 1} more" if len(tournament.missing) > 1 else ""
        raise TournamentError(f"round {round_no} is not finished: no result of table {board_no}{more}")
    if tournament.rounds and len(tournament.rounds) == tournament.total_rounds:
        raise TournamentError(f"all {tournament.total_rounds} rounds are played")
    if len(tournament.active) < 2:
        raise TournamentError("a round needs at least two players")


def check_pairings(tournament: Tournament, pairings: tuple[Pairing, ...]) -> None:
    """Refuse pairings in which a player is paired twice or has withdrawn."""
    seen: set[int] = set()
    for pairing in pairings:
        for player in pairing.players:
            entrant = tournament.entrant(player)
            if player in seen:
                raise TournamentError(f"{entrant.name} is paired twice")
            if entrant.withdrawn:
                raise TournamentError(f"{entrant.name} has withdrawn")
            seen.add(player)
    if not any(pairing.second for pairing in pairings):
        raise TournamentError("no players are left to pair")


def check_can_undo_round(tournament: Tournament) -> None:
    """Refuse to undo a round that has results."""
    if not tournament.rounds:
        raise TournamentError("no round is paired")
    if any(round_no == len(tournament.rounds) for round_no, _ in tournament.results):
        raise TournamentError(f"round {len(tournament.rounds)} has results and cannot be undone")


def check_open(tournament: Tournament, round_no: int, board_no: int) -> None:
    """Refuse a result for a pairing that does not exist, is a bye, or already has a result."""
    pairing = tournament.pairing(round_no, board_no)
    if pairing.second is None:
        name = tournament.entrant(pairing.first).name
        raise TournamentError(f"table {board_no} of round {round_no} is a bye of {name} and has no result")
    if (round_no, board_no) in tournament.results:
        raise TournamentError(
            f"table {board_no} of round {round_no} already has a result (use --correct to replace it)"
        )


def check_can_correct(tournament: Tournament, round_no: int, board_no: int, result: PairingResult) -> None:
    """Refuse to correct a missing result, or a knockout pairing that the next round depends on."""
    tournament.pairing(round_no, board_no)
    old = tournament.results.get((round_no, board_no))
    if old is None:
        raise TournamentError(f"table {board_no} of round {round_no} has no result to correct")
    settings = tournament.settings
    if settings.format is Format.KNOCKOUT and round_no < len(tournament.rounds):
        check_result(settings, result)
        if match_points(settings, old) != match_points(settings, result):
            raise TournamentError(
                f"round {round_no + 1} is drawn: too late for another winner of this pairing"
            )


def check_result(settings: TournamentSettings, result: PairingResult) -> None:
    """Refuse a wrong number of games, impossible scores, and an undecided knockout pairing."""
    if any(result.forfeits):
        if settings.format is Format.KNOCKOUT and all(result.forfeits):
            raise TournamentError("a knockout pairing needs a winner: only one side can forfeit")
        return
    game = settings.match.game
    for one, two in result.games:
        if reason := why_impossible(game, one, two):
            raise TournamentError(reason)
    _check_complete(settings, result)
    if settings.format is Format.KNOCKOUT and match_points(settings, result) == (0.5, 0.5):
        raise TournamentError("a knockout pairing must be decided: add two more scores, or --winner")


def _check_complete(settings: TournamentSettings, result: PairingResult) -> None:
    """Refuse a wrong number of games, and a tied single game without a winner."""
    count, expected = len(result.games), settings.games
    if count == 0 and result.decision is None:
        raise TournamentError("a result needs the scores, a winner or a forfeit")
    if count % expected or count > MAX_GAMES or (count > expected and settings.format is not Format.KNOCKOUT):
        format_text = "a match of two games" if expected == 2 else "a single game"
        scores = "one score was given" if count == 1 else f"{count} scores were given"
        raise TournamentError(f"every pairing is {format_text}: {scores}")
    game = settings.match.game
    tie_unknown = game.tie_rule is Tie.LAST or any(stage.tiebreak for stage in game.stages)
    if count == 1 and not result.difference and tie_unknown and result.decision is None:
        raise TournamentError("the scores are equal and the tie-break is unknown: use --winner")
