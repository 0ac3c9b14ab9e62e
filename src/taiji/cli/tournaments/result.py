"""`taiji tournament result`: type in what happened at a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from taiji.cli.tournaments._desk import FILE, told

if TYPE_CHECKING:
    from taiji.arena.tournaments import Pairing, Result, Tournament


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
    from taiji.arena.tournaments import Corrected, Event, Log, Scored

    with Log(file) as log:
        tournament = log.tournament
        place = _place(tournament, number, table)
        pairing = tournament.pairing(*place)
        result = _result(tournament, pairing, scores, winner, absent)
        event: Event = Corrected(*place, result, reason) if correct else Scored(*place, result)
        log.add(event)
        click.echo(told(log.tournament, *place))
        if correct:
            click.echo(f"it replaces {told(tournament, *place).partition(': ')[2]}")
        if log.tournament.over:
            click.echo("all rounds are played: see taiji tournament standings")
        elif not log.tournament.missing:
            click.echo(f"round {len(log.tournament.rounds)} is finished: draw the next one with pair")


def _place(tournament: Tournament, number: int | None, table: str) -> tuple[int, int]:
    if table.isdecimal():
        return number or len(tournament.rounds), int(table)
    from taiji.arena.tournaments import TournamentError

    player = tournament.named(table)
    if number is None:
        return tournament.place_of(player.number)
    tournament.pairing(number, 1)
    for place, pairing in enumerate(tournament.rounds[number - 1], 1):
        if player.number in pairing.players:
            return number, place
    raise TournamentError(f"{player.name} is not paired in round {number}")


def _result(
    tournament: Tournament,
    pairing: Pairing,
    scores: tuple[str, ...],
    winner: str | None,
    absent: tuple[str, ...],
) -> Result:
    from taiji.arena.tournaments import Decision, Result
    from taiji.arena.tournaments.sheets import parse_score

    if absent and (scores or winner):
        raise click.UsageError("a forfeit has no scores and no other winner")
    gone = [_side(tournament, pairing, name) for name in absent]
    decision = None
    if winner is not None:
        draw = winner.lower() == "draw"
        sides = (Decision.FIRST, Decision.SECOND)
        decision = Decision.DRAW if draw else sides[_side(tournament, pairing, winner)]
    return Result(tuple(parse_score(text) for text in scores), decision, (0 in gone, 1 in gone))


def _side(tournament: Tournament, pairing: Pairing, name: str) -> int:
    from taiji.arena.tournaments import TournamentError

    player = tournament.named(name)
    if player.number not in pairing.players:
        raise TournamentError(f"{player.name} does not sit at this table")
    return pairing.players.index(player.number)
