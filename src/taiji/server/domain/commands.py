"""The commands of a table: each function checks, and returns the events that follow or raises `ApiError`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from taiji.rules import GameError, IllegalMove, Move, Seat
from taiji.rules.errors import NotationError
from taiji.rules.move_text import parse_move
from taiji.server.contract import events
from taiji.server.contract.errors import ApiError
from taiji.server.domain.matches import game_result, match_result, match_view
from taiji.server.domain.table import (
    EventDraft,
    SeatedPlayer,
    Table,
    seat_name,
    seat_scores,
)

if TYPE_CHECKING:
    from taiji.rules import State
    from taiji.server.contract.tables import EndedBy
    from taiji.server.domain.clocks import Clock

FollowUp = Literal["next-game", "rematch"]


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The events of a command and, optionally, the kind of table that follows this one."""

    drafts: list[EventDraft]
    next_table: FollowUp | None = None


def join(table: Table, seat: Seat, player: SeatedPlayer, now: int) -> CommandResult:
    """Take a free seat; the game starts when both are taken."""
    if table.status != "waiting" or table.seats[seat] is not None:
        raise ApiError("taken")
    data = events.StoredJoined(seat=seat_name(seat), player=player.info(), user_id=player.id)
    drafts = [EventDraft(data, table.clock)]
    if table.seats[seat.other] is not None:
        drafts += start(table, now).drafts
    return CommandResult(drafts)


def add_device(table: Table, seat: Seat, user_id: str) -> CommandResult:
    """Let one more browser hold a seat."""
    data = events.StoredDeviceAdded(seat=seat_name(seat), user_id=user_id)
    return CommandResult([EventDraft(data, table.clock)])


def remove_device(table: Table, user_id: str) -> CommandResult:
    """Take the seat from a browser that holds it by a link; the player who joined keeps it."""
    drafts = []
    for seat in Seat:
        player = table.seats[seat]
        if user_id in table.holders[seat] and (player is None or player.id != user_id):
            data = events.StoredDeviceRemoved(seat=seat_name(seat), user_id=user_id)
            drafts.append(EventDraft(data, table.clock))
    return CommandResult(drafts)


def start(table: Table, now: int) -> CommandResult:
    """Start the game; both seats are taken."""
    mover = table.state.seat_to_move
    clock = table.clock.start(mover, now) if table.clock is not None else None
    return CommandResult([EventDraft(events.Started(turn=seat_name(mover)), clock)])


def move(table: Table, seat: Seat, ply: int, chosen: int | str, now: int, lag: int = 0) -> CommandResult:
    """Play a move."""
    _require_playing(table)
    if ply != len(table.moves):
        raise ApiError("stale-ply")
    if table.turn is not seat:
        raise ApiError("not-your-turn")
    if table.clock is not None and table.clock.has_flagged(now, lag):
        return flag_fall(table, now)
    state = table.state
    picked = read_move(state, chosen)
    try:
        after = state.play(picked)
    except IllegalMove as error:
        raise ApiError("illegal-move", str(error), reason=error.reason) from error
    elapsed = table.clock.elapsed(now, lag) if table.clock is not None else _elapsed_since_last(table, now)
    clock = table.clock.press(now, lag) if table.clock is not None else None
    if clock is not None and not after.is_over:
        clock = clock.start(after.seat_to_move, now)
    data = events.Moved(
        ply=ply,
        action=picked.action,
        text=str(picked),
        seat=seat_name(seat),
        elapsed_ms=elapsed,
        turn=None if after.is_over else seat_name(after.seat_to_move),
        scores=seat_scores(after.scores()),
    )
    drafts = [EventDraft(data, clock, after)]
    if table.takeback_offer is seat.other:
        drafts.insert(0, EventDraft(events.TakebackRefused(seat=seat_name(seat)), table.clock))
    return CommandResult(drafts)


def read_move(state: State, chosen: int | str) -> Move:
    """Return the move that an action number or a text names."""
    try:
        return state.game.move(chosen) if isinstance(chosen, int) else parse_move(state, chosen)
    except NotationError as error:
        if error.reason is not None:
            raise ApiError("illegal-move", error.message, reason=error.reason) from error
        raise ApiError("bad-move", error.message) from error
    except GameError as error:
        raise ApiError("bad-move", str(error)) from error


def legal_move(state: State, chosen: int | str) -> Move:
    """Return the move that an action number or a text names; raise `ApiError` if it is illegal."""
    move = read_move(state, chosen)
    reason = state.illegal_reason(move)
    if reason is not None:
        raise ApiError("illegal-move", reason.text, reason=reason)
    return move


def _elapsed_since_last(table: Table, now: int) -> int:
    return max(0, now - table.moves[-1].at) if table.moves else 0


def after_move(table: Table, now: int) -> CommandResult:
    """End the game if the last move ended it."""
    outcome = table.state.outcome()
    if outcome is None:
        return CommandResult([])
    return _end(table, outcome.winner, "score", table.clock)


def flag_fall(table: Table, now: int) -> CommandResult:
    """End the game because the time of the side to move is over."""
    assert table.clock is not None
    assert table.turn is not None
    return _end(table, table.turn.other, "time", table.clock.stop(now))


def resign(table: Table, seat: Seat, now: int) -> CommandResult:
    """Resign."""
    _require_playing(table)
    return _end(table, seat.other, "resign", _stop_clock(table, now))


def abort(table: Table, seat: Seat, now: int) -> CommandResult:
    """Abort the game while a seat is free, or before both players have moved."""
    if table.status == "over":
        raise ApiError("over")
    if table.settings.opponent == "tournament":
        raise ApiError("tournament", "a tournament game cannot be aborted: play it, or resign")
    second_of_match = table.match is not None and table.match.game_no == 2
    if len({played.seat for played in table.moves}) == len(Seat) or second_of_match:
        raise ApiError("too-late")
    return _end(table, None, "aborted", _stop_clock(table, now))


def cancel(table: Table, now: int) -> CommandResult:
    """Abort a game that is not needed any more, however far it is."""
    if table.status == "over":
        return CommandResult([])
    return _end(table, None, "aborted", _stop_clock(table, now))


def takeback(table: Table, seat: Seat, now: int) -> CommandResult:
    """Take back one's last move: at once against the computer, otherwise as an offer."""
    _require_playing(table)
    last_ply_by(table, seat)
    if table.computer is not None:
        return _take_back(table, seat, now)
    if not table.settings.takebacks:
        raise ApiError("takebacks-off")
    if table.takeback_offer is seat:
        return CommandResult([])
    return CommandResult([EventDraft(events.TakebackOffered(seat=seat_name(seat)), table.clock)])


def answer_takeback(table: Table, seat: Seat, accept: bool, now: int) -> CommandResult:
    """Accept or refuse the other side's takeback offer."""
    _require_playing(table)
    if table.takeback_offer is not seat.other:
        raise ApiError("no-offer")
    if not accept:
        return CommandResult([EventDraft(events.TakebackRefused(seat=seat_name(seat)), table.clock)])
    return _take_back(table, seat.other, now)


def last_ply_by(table: Table, seat: Seat) -> int:
    """Return the ply of a seat's last move."""
    for ply in range(len(table.moves) - 1, -1, -1):
        if table.moves[ply].seat is seat:
            return ply
    raise ApiError("nothing-to-take-back")


def _take_back(table: Table, seat: Seat, now: int) -> CommandResult:
    plies = last_ply_by(table, seat)
    state = table.game.start()
    for played in table.moves[:plies]:
        state = state.play(table.game.move(played.action))
    mover = state.seat_to_move
    clock = table.clock.stop(now).start(mover, now) if table.clock is not None else None
    data = events.TakenBack(plies=plies, turn=seat_name(mover), scores=seat_scores(state.scores()))
    return CommandResult([EventDraft(data, clock)])


def set_level(table: Table, level: int) -> CommandResult:
    """Change the computer's level from now on."""
    if table.computer is None:
        raise ApiError("not-your-table", "only the computer has a level")
    if table.status == "over":
        raise ApiError("over")
    return CommandResult([EventDraft(events.LevelChanged(level=level), table.clock)])


def rematch(table: Table, seat: Seat) -> CommandResult:
    """Offer or accept a rematch with the colours exchanged."""
    if table.status != "over" or (table.match is not None and _has_next_game(table)):
        raise ApiError("not-over")
    if table.settings.opponent == "tournament":
        raise ApiError("tournament", "the tournament pairs the next games")
    if table.seats[seat.other] is None:
        raise ApiError("not-started")
    if table.rematch is not None or table.rematch_offer is seat:
        return CommandResult([])
    if table.computer is not None or table.rematch_offer is seat.other:
        return CommandResult([], "rematch")
    return CommandResult([EventDraft(events.RematchOffered(seat=seat_name(seat)), table.clock)])


def set_vacation(table: Table, seat: Seat, until: int | None, now: int) -> CommandResult:
    """Stop a seat's correspondence clock until a time, or let it run again; other clocks know no vacation."""
    clock = table.clock
    if table.status != "playing" or clock is None or clock.rule.clock_type != "correspondence":
        return CommandResult([])
    if clock.has_flagged(now) or (until or 0) == clock.away_until[seat]:
        return CommandResult([])
    if until is None and clock.away_until[seat] <= now:
        return CommandResult([])
    data = events.VacationSet(seat=seat_name(seat), until=until)
    return CommandResult([EventDraft(data, clock.set_away(seat, until, now))])


def _has_next_game(table: Table) -> bool:
    slot = table.match
    return (
        slot is not None
        and slot.game_no == 1
        and table.match_result is None
        and table.result is not None
        and table.result.ended_by == "score"
    )


def _require_playing(table: Table) -> None:
    if table.status == "waiting":
        raise ApiError("not-started")
    if table.status == "over":
        raise ApiError("over")


def _stop_clock(table: Table, now: int) -> Clock | None:
    return table.clock.stop(now) if table.clock is not None else None


def _end(table: Table, winner: Seat | None, ended_by: EndedBy, clock: Clock | None) -> CommandResult:
    result = game_result(table, winner, ended_by)
    data = events.Ended(result=result, match=match_view(table, match_result(table, result)))
    continues = table.match is not None and table.match.game_no == 1 and ended_by == "score"
    return CommandResult([EventDraft(data, clock)], "next-game" if continues else None)
