"""The audit log: every event of a tournament as one line of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
)
from taiji.arena.tournaments.tables import format_points as number_text
from taiji.arena.tournaments.tables import format_score
from taiji.arena.tournaments.tournament import Tournament

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def audit_lines(events: Iterable[Event]) -> Iterator[str]:
    """Yield one line per event; a correction names the result that it replaces."""
    tournament: Tournament | None = None
    for event in events:
        if tournament is None:
            tournament = Tournament.of([event])
        else:
            before, tournament = tournament, tournament.after(event)
            yield _line(before, tournament, event)
            continue
        assert isinstance(event, Created)
        settings = event.settings
        games = "two games" if settings.games == 2 else "one game"
        yield f"{settings.name} begins: {settings.format.value}, {settings.game}, {games} a pairing"


def _line(before: Tournament, after: Tournament, event: Event) -> str:
    match event:
        case Entered():
            return f"{after.entrants[-1].name} enters"
        case Withdrew(player=player):
            return f"{after.entrant(player).name} withdraws"
        case Returned(player=player):
            return f"{after.entrant(player).name} is back"
        case ByeRequested(player=player, points=points):
            return f"{after.entrant(player).name} sits the next round out for {points:g}"
        case Paired(pairings=pairings):
            return f"round {len(after.rounds)} is drawn: {len(pairings)} tables"
        case RoundUndone():
            return f"round {len(before.rounds)} is taken back"
        case ResultEntered(round_no=round_no, board_no=board_no):
            return f"{_who(after, round_no, board_no)}: {format_result(after, round_no, board_no)}"
        case ResultCorrected(round_no=round_no, board_no=board_no, reason=reason):
            why = f" ({reason})" if reason else ""
            old, new = format_result(before, round_no, board_no), format_result(after, round_no, board_no)
            return f"{_who(after, round_no, board_no)}: {new} replaces {old}{why}"
        case _:
            return ""


def _who(tournament: Tournament, round_no: int, board_no: int) -> str:
    names = [tournament.entrant(player).name for player in tournament.pairing(round_no, board_no).players]
    return f"round {round_no}, table {board_no}, {' – '.join(names)}"


def format_result(tournament: Tournament, round_no: int, board_no: int) -> str:
    """Return a result as its points and its scores."""
    one, two = tournament.points(round_no, board_no)
    return f"{number_text(one)}:{number_text(two)} [{format_score(tournament.results[round_no, board_no])}]"
