"""`taiji tournament result`: type in what happened at a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from taiji.cli.tournaments._common import FILE, describe_result

if TYPE_CHECKING:
    from taiji.arena.tournaments import Pairing, PairingResult, Tournament


@click.command(
    "result",
    epilog="Example: taiji tournament result club.tour 3 21-19 18-22   (table 3; the first-named player's "
    "score stands first in both games)   A forfeit: taiji tournament result club.tour 3 --forfeit 'Bo Chen'",
)
@FILE
@click.argument("table", metavar="TABLE|NAME")
@click.argument("scores", nargs=-1, metavar="[SCORE]...")
@click.option("--round", "number", type=int, help="The round.  [default: the last]")
@click.option("--winner", metavar="NAME|draw", help="Who won, where the scores do not say it or are lost.")
@click.option(
    "--forfeit", "absent", multiple=True, metavar="NAME", help="Who did not play; both may be named."
)
@click.option(
    "--correct", is_flag=True, help="Replace the result that is there; the old one stays in the log."
)
@click.option("--reason", default="", help="Why it is corrected.")
def command(
    file: Path,
    table: str,
    scores: tuple[str, ...],
    number: int | None,
    winner: str | None,
    absent: tuple[str, ...],
    correct: bool,
    reason: str,
) -> None:
    """Type in the result of a table, by its number or by the name of a player who sits there.

    Give a score a game, such as 21-19 18-22: the player named first in the pairings stands first in both,
    although the colours are exchanged in game two.
    """
    from taiji.arena.tournaments import Event, Log, ResultCorrected, ResultEntered

    with Log(file) as log:
        tournament = log.tournament
        place = _find_pairing(tournament, number, table)
        pairing = tournament.pairing(*place)
        result = _result(tournament, pairing, scores, winner, absent)
        event: Event = ResultCorrected(*place, result, reason) if correct else ResultEntered(*place, result)
        log.add(event)
        click.echo(describe_result(log.tournament, *place))
        if correct:
            click.echo(f"it replaces {describe_result(tournament, *place).partition(': ')[2]}")
        if log.tournament.over:
            click.echo("all rounds are played: see taiji tournament standings")
        elif not log.tournament.missing:
            click.echo(f"round {len(log.tournament.rounds)} is finished: draw the next one with pair")


def _find_pairing(tournament: Tournament, number: int | None, table: str) -> tuple[int, int]:
    if table.isdecimal():
        return number or len(tournament.rounds), int(table)
    from taiji.arena.tournaments import TournamentError

    player = tournament.find_entrant(table)
    if number is None:
        return tournament.current_pairing_id(player.entrant_no)
    tournament.pairing(number, 1)
    for place, pairing in enumerate(tournament.rounds[number - 1], 1):
        if player.entrant_no in pairing.players:
            return number, place
    raise TournamentError(f"{player.name} is not paired in round {number}")


def _result(
    tournament: Tournament,
    pairing: Pairing,
    scores: tuple[str, ...],
    winner: str | None,
    absent: tuple[str, ...],
) -> PairingResult:
    from taiji.arena.tournaments import Adjudication, PairingResult
    from taiji.arena.tournaments.csv_io import parse_score

    if absent and (scores or winner):
        raise click.UsageError("a forfeit has no scores and no other winner")
    gone = [_side(tournament, pairing, name) for name in absent]
    decision = None
    if winner is not None:
        draw = winner.lower() == "draw"
        sides = (Adjudication.FIRST, Adjudication.SECOND)
        decision = Adjudication.DRAW if draw else sides[_side(tournament, pairing, winner)]
    return PairingResult(tuple(parse_score(text) for text in scores), decision, (0 in gone, 1 in gone))


def _side(tournament: Tournament, pairing: Pairing, name: str) -> int:
    from taiji.arena.tournaments import TournamentError

    player = tournament.find_entrant(name)
    if player.entrant_no not in pairing.players:
        raise TournamentError(f"{player.name} does not sit at this table")
    return pairing.players.index(player.entrant_no)
