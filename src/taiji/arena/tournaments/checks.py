"""What a tournament refuses, and why: each check passes in silence or raises one clear line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.arena.tournaments.scores import impossible
from taiji.arena.tournaments.values import (
    Format,
    Pairing,
    Result,
    Settings,
    TournamentError,
    match_points,
)
from taiji.rules import Tie

if TYPE_CHECKING:
    from taiji.arena.tournaments.tournament import Tournament

LONGEST_NAME = 60
MOST_ENTRANTS = 2000
MOST_GAMES = 20
"""In one knockout tie, play-offs included."""
OPEN_FORMATS = (Format.SWISS, Format.LADDER)
"""The formats that take late entries and absences."""


def folded(name: str) -> str:
    """Return a name as names are compared: without case and superfluous spaces."""
    return " ".join(name.split()).casefold()


def may_enter(tournament: Tournament, name: str, rating: int) -> None:
    """Refuse an empty or taken name, and an entry for which it is too late."""
    clean = " ".join(name.split())
    if not clean or len(clean) > LONGEST_NAME or not clean.isprintable():
        raise TournamentError(f"a name has 1 to {LONGEST_NAME} printable characters")
    if clean.startswith("#"):
        raise TournamentError("a name cannot begin with #, which marks an entrant's number")
    if not 0 <= rating <= 9999:
        raise TournamentError(f"a rating of {rating} is not between 0 and 9999")
    if any(folded(entrant.name) == folded(clean) for entrant in tournament.entrants):
        raise TournamentError(f"{clean} has entered already")
    form = tournament.settings.format
    if form is Format.MATCH and len(tournament.entrants) == 2:
        raise TournamentError("a match is between two players, and two have entered")
    if tournament.rounds and form not in OPEN_FORMATS:
        raise TournamentError(f"the {form.value} is drawn: nobody can enter after round 1 is paired")
    if len(tournament.entrants) >= MOST_ENTRANTS:
        raise TournamentError(f"a tournament has at most {MOST_ENTRANTS} players")


def may_sit_out(tournament: Tournament, player: int, points: float) -> None:
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


def may_pair(tournament: Tournament) -> None:
    """Refuse a round before the last one's results are in, or after the last round."""
    if tournament.missing:
        number, table = tournament.missing[0]
        more = f" and {len(tournament.missing) - 1} more" if len(tournament.missing) > 1 else ""
        raise TournamentError(f"round {number} is not finished: no result of table {table}{more}")
    if tournament.rounds and len(tournament.rounds) == tournament.total_rounds:
        raise TournamentError(f"all {tournament.total_rounds} rounds are played")
    if len(tournament.active) < 2:
        raise TournamentError("a round needs at least two players")


def are_pairings(tournament: Tournament, pairings: tuple[Pairing, ...]) -> None:
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


def may_unpair(tournament: Tournament) -> None:
    """Refuse to take back a round that has results."""
    if not tournament.rounds:
        raise TournamentError("no round is paired")
    if any(number == len(tournament.rounds) for number, _ in tournament.results):
        raise TournamentError(f"round {len(tournament.rounds)} has results and stays")


def is_open(tournament: Tournament, number: int, table: int) -> None:
    """Refuse a result for a pairing that does not exist, is a bye, or has its result."""
    pairing = tournament.pairing(number, table)
    if pairing.second is None:
        name = tournament.entrant(pairing.first).name
        raise TournamentError(f"table {table} of round {number} is a bye of {name}: it has no result")
    if (number, table) in tournament.results:
        raise TournamentError(f"table {table} of round {number} has its result: say --correct to replace it")


def may_correct(tournament: Tournament, number: int, table: int, result: Result) -> None:
    """Refuse a correction of what has no result, or of a knockout tie that others have built on."""
    tournament.pairing(number, table)
    old = tournament.results.get((number, table))
    if old is None:
        raise TournamentError(f"table {table} of round {number} has no result to correct")
    settings = tournament.settings
    if settings.format is Format.KNOCKOUT and number < len(tournament.rounds):
        is_possible(settings, result)
        if match_points(settings, old) != match_points(settings, result):
            raise TournamentError(f"round {number + 1} is drawn: another winner of this tie comes too late")


def is_possible(settings: Settings, result: Result) -> None:
    """Refuse too many or too few games, impossible scores, and what leaves a knockout tie open."""
    if any(result.absent):
        if settings.format is Format.KNOCKOUT and all(result.absent):
            raise TournamentError("a knockout tie needs a winner: one side must be there")
        return
    game = settings.match.game
    for one, two in result.games:
        if why := impossible(game, one, two):
            raise TournamentError(why)
    _is_complete(settings, result)
    if settings.format is Format.KNOCKOUT and match_points(settings, result) == (0.5, 0.5):
        raise TournamentError("a knockout tie must be decided: add the scores of two more games, or --winner")


def _is_complete(settings: Settings, result: Result) -> None:
    """Refuse a number of games that is not the pairing's, and a tied single game without its winner."""
    count, wanted = len(result.games), settings.games
    if count == 0 and result.decision is None:
        raise TournamentError("a result needs the scores, a winner or a forfeit")
    if count % wanted or count > MOST_GAMES or (count > wanted and settings.format is not Format.KNOCKOUT):
        said = "a match of two games" if wanted == 2 else "a single game"
        given = "one score was given" if count == 1 else f"{count} scores were given"
        raise TournamentError(f"every pairing is {said}: {given}")
    game = settings.match.game
    tie_unknown = game.tie is Tie.LAST or any(stage.tiebreak for stage in game.stages)
    if count == 1 and not result.difference and tie_unknown and result.decision is None:
        raise TournamentError("the scores are equal and the rules look further: say who won with --winner")
