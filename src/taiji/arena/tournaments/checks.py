"""What a tournament refuses, and why: each check passes in silence or raises one clear line."""

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
"""In one knockout tie, play-offs included."""
OPEN_FORMATS = (Format.SWISS, Format.LADDER)
"""The formats that take late entries and absences."""


def fold_name(name: str) -> str:
    """Return a name as names are compared: without case and superfluous spaces."""
    return " ".join(name.split()).casefold()


def check_can_enter(tournament: Tournament, name: str, rating: int) -> None:
    """Refuse an empty or taken name, and an entry for which it is too late."""
    clean = " ".join(name.split())
    if not clean or len(clean) > MAX_NAME_CHARS or not clean.isprintable():
        raise TournamentError(f"a name has 1 to {MAX_NAME_CHARS} printable characters")
    if clean.startswith("#"):
        raise TournamentError("a name cannot begin with #, which marks an entrant's number")
    if not 0 <= rating <= 9999:
        raise TournamentError(f"a rating of {rating} is not between 0 and 9999")
    if any(fold_name(entrant.name) == fold_name(clean) for entrant in tournament.entrants):
        raise TournamentError(f"{clean} has entered already")
    form = tournament.settings.format
    if form is Format.MATCH and len(tournament.entrants) == 2:
        raise TournamentError("a match is between two players, and two have entered")
    if tournament.rounds and form not in OPEN_FORMATS:
        raise TournamentError(f"the {form.value} is drawn: nobody can enter after round 1 is paired")
    if len(tournament.entrants) >= MAX_ENTRANTS:
        raise TournamentError(f"a tournament has at most {MAX_ENTRANTS} players")


def check_can_sit_out(tournament: Tournament, player: int, points: float) -> None:
    """Refuse an absence where everybody's pairings are drawn ahead."""
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
        raise TournamentError(f"{entrant.name} sits the next round out already")


def check_can_pair(tournament: Tournament) -> None:
    """Refuse a round before the last one's results are in, or after the last round."""
    if tournament.missing:
        number, table = tournament.missing[0]
        more = f" and {len(tournament.missing) - 1} more" if len(tournament.missing) > 1 else ""
        raise TournamentError(f"round {number} is not finished: no result of table {table}{more}")
    if tournament.rounds and len(tournament.rounds) == tournament.total_rounds:
        raise TournamentError(f"all {tournament.total_rounds} rounds are played")
    if len(tournament.active) < 2:
        raise TournamentError("a round needs at least two players")


def check_pairings(tournament: Tournament, pairings: tuple[Pairing, ...]) -> None:
    """Refuse pairings in which somebody sits twice, with themselves, or after withdrawing."""
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
        raise TournamentError("nobody is left to be paired")


def check_can_undo_round(tournament: Tournament) -> None:
    """Refuse to take back a round that has results."""
    if not tournament.rounds:
        raise TournamentError("no round is paired")
    if any(number == len(tournament.rounds) for number, _ in tournament.results):
        raise TournamentError(f"round {len(tournament.rounds)} has results and stays")


def check_open(tournament: Tournament, round_no: int, board_no: int) -> None:
    """Refuse a result for a pairing that does not exist, is a bye, or has its result."""
    pairing = tournament.pairing(round_no, board_no)
    if pairing.second is None:
        name = tournament.entrant(pairing.first).name
        raise TournamentError(f"table {board_no} of round {round_no} is a bye of {name}: it has no result")
    if (round_no, board_no) in tournament.results:
        raise TournamentError(
            f"table {board_no} of round {round_no} has its result: say --correct to replace it"
        )


def check_can_correct(tournament: Tournament, round_no: int, board_no: int, result: PairingResult) -> None:
    """Refuse a correction of what has no result, or of a knockout tie that others have built on."""
    tournament.pairing(round_no, board_no)
    old = tournament.results.get((round_no, board_no))
    if old is None:
        raise TournamentError(f"table {board_no} of round {round_no} has no result to correct")
    settings = tournament.settings
    if settings.format is Format.KNOCKOUT and round_no < len(tournament.rounds):
        check_result(settings, result)
        if match_points(settings, old) != match_points(settings, result):
            raise TournamentError(f"round {round_no + 1} is drawn: another winner of this tie comes too late")


def check_result(settings: TournamentSettings, result: PairingResult) -> None:
    """Refuse too many or too few games, impossible scores, and what leaves a knockout tie open."""
    if any(result.forfeits):
        if settings.format is Format.KNOCKOUT and all(result.forfeits):
            raise TournamentError("a knockout tie needs a winner: one side must be there")
        return
    game = settings.match.game
    for one, two in result.games:
        if why := why_impossible(game, one, two):
            raise TournamentError(why)
    _check_complete(settings, result)
    if settings.format is Format.KNOCKOUT and match_points(settings, result) == (0.5, 0.5):
        raise TournamentError("a knockout tie must be decided: add the scores of two more games, or --winner")


def _check_complete(settings: TournamentSettings, result: PairingResult) -> None:
    """Refuse a number of games that is not the pairing's, and a tied single game without its winner."""
    count, wanted = len(result.games), settings.games
    if count == 0 and result.decision is None:
        raise TournamentError("a result needs the scores, a winner or a forfeit")
    if count % wanted or count > MAX_GAMES or (count > wanted and settings.format is not Format.KNOCKOUT):
        said = "a match of two games" if wanted == 2 else "a single game"
        given = "one score was given" if count == 1 else f"{count} scores were given"
        raise TournamentError(f"every pairing is {said}: {given}")
    game = settings.match.game
    tie_unknown = game.tie_rule is Tie.LAST or any(stage.tiebreak for stage in game.stages)
    if count == 1 and not result.difference and tie_unknown and result.decision is None:
        raise TournamentError("the scores are equal and the rules look further: say who won with --winner")
