"""`taiji tournament result`: enter the result of a pairing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from taiji.cli.tournaments._common import AS_JSON, FILE, describe_result, show_json

if TYPE_CHECKING:
    from taiji.arena.tournaments import Pairing, PairingResult, Tournament


@click.command(
    "result",
    epilog="Example: taiji tournament result club.tour 3 21-19 18-22   (board 3; the first-named player's "
    "score comes first in both games)   A forfeit: taiji tournament result club.tour 3 --forfeit 'Bo Chen'",
)
@FILE
@click.argument("board", metavar="BOARD|NAME")
@click.argument("scores", nargs=-1, metavar="[SCORE]...")
@click.option("--round", "round_no", type=int, help="The round.  [default: the last]")
@click.option("--winner", metavar="NAME|draw", help="The winner, if the scores are unknown or do not decide.")
@click.option(
    "--forfeit", "forfeits", multiple=True, metavar="NAME", help="A player who did not play; may be repeated."
)
@click.option("--correct", is_flag=True, help="Replace an entered result; the log keeps the old one.")
@click.option("--reason", default="", help="Reason for the correction.")
@AS_JSON
def command(
    file: Path,
    board: str,
    scores: tuple[str, ...],
    round_no: int | None,
    winner: str | None,
    forfeits: tuple[str, ...],
    correct: bool,
    reason: str,
    as_json: bool,
) -> None:
    """Enter the result of a board, given by its number or by the name of one of its players.

    Give one score per game, such as 21-19 18-22. The player named first in the pairing comes first in both
    scores, although the colours are exchanged in game two.
    """
    from taiji.arena.tournaments import Event, Log, ResultCorrected, ResultEntered

    with Log(file) as log:
        tournament = log.tournament
        pairing_id = _find_pairing(tournament, round_no, board)
        pairing = tournament.pairing(*pairing_id)
        result = _result(tournament, pairing, scores, winner, forfeits)
        event: Event = (
            ResultCorrected(*pairing_id, result, reason) if correct else ResultEntered(*pairing_id, result)
        )
        log.add(event)
        if as_json:
            show_json(log.tournament)
            return
        click.echo(describe_result(log.tournament, *pairing_id))
        if correct:
            click.echo(f"it replaces {describe_result(tournament, *pairing_id).partition(': ')[2]}")
        if log.tournament.over:
            click.echo("all rounds are complete: see taiji tournament standings")
        elif not log.tournament.missing:
            click.echo(
                f"round {len(log.tournament.rounds)} is complete: pair the next with taiji tournament pair"
            )


def _find_pairing(tournament: Tournament, round_no: int | None, board: str) -> tuple[int, int]:
    if board.isdecimal():
        return round_no or len(tournament.rounds), int(board)
    from taiji.arena.tournaments import TournamentError

    player = tournament.find_entrant(board)
    if round_no is None:
        return tournament.current_pairing_id(player.entrant_no)
    tournament.pairing(round_no, 1)
    for board_no, pairing in enumerate(tournament.rounds[round_no - 1], 1):
        if player.entrant_no in pairing.players:
            return round_no, board_no
    raise TournamentError(f"{player.name} is not paired in round {round_no}")


def _result(
    tournament: Tournament,
    pairing: Pairing,
    scores: tuple[str, ...],
    winner: str | None,
    forfeits: tuple[str, ...],
) -> PairingResult:
    from taiji.arena.tournaments import Adjudication, PairingResult
    from taiji.arena.tournaments.csv_io import parse_score

    if forfeits and (scores or winner):
        raise click.UsageError("--forfeit: a forfeit has no scores and no --winner")
    absent = [_side(tournament, pairing, name) for name in forfeits]
    decision = None
    if winner is not None:
        draw = winner.lower() == "draw"
        sides = (Adjudication.FIRST, Adjudication.SECOND)
        decision = Adjudication.DRAW if draw else sides[_side(tournament, pairing, winner)]
    return PairingResult(tuple(parse_score(text) for text in scores), decision, (0 in absent, 1 in absent))


def _side(tournament: Tournament, pairing: Pairing, name: str) -> int:
    from taiji.arena.tournaments import TournamentError

    player = tournament.find_entrant(name)
    if player.entrant_no not in pairing.players:
        raise TournamentError(f"{player.name} does not play on this board")
    return pairing.players.index(player.entrant_no)
