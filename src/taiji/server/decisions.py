"""What players may do at a table: each function checks, and returns the events that follow or refuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from taiji.notation.errors import NotationError
from taiji.notation.moves import format_move, parse_move
from taiji.rules import GameError, IllegalMove, Move, Seat
from taiji.server.errors import Refused
from taiji.server.matches import game_result, match_result, match_view
from taiji.server.table import Draft, Sitter, Table, by_seat, seat_name

if TYPE_CHECKING:
    from taiji.rules import State
    from taiji.server.clocks import Clock


@dataclass(frozen=True, slots=True)
class Decision:
    """What a command leads to: events at this table and, it may be, another table to go on at."""

    drafts: list[Draft]
    follow: Literal["next", "rematch"] | None = None


def join(table: Table, seat: Seat, sitter: Sitter, now: int) -> Decision:
    """Take a free seat; the game starts when both are taken."""
    if table.status != "waiting" or table.seats[seat] is not None:
        raise Refused("taken")
    data = {"seat": seat_name(seat), "player": sitter.to_wire(), "sitter": sitter.to_json()}
    drafts = [Draft("join", data, table.clock)]
    if table.seats[seat.other] is not None:
        drafts += start(table, now).drafts
    return Decision(drafts)


def hold(table: Table, seat: Seat, holder: str) -> Decision:
    """Let one more browser hold a seat."""
    return Decision([Draft("seat", {"seat": seat_name(seat), "holder": holder}, table.clock)])


def start(table: Table, now: int) -> Decision:
    """Begin: both seats are taken."""
    mover = table.state.mover
    clock = table.clock.start(mover, now) if table.clock is not None else None
    return Decision([Draft("start", {"turn": seat_name(mover)}, clock)])


def move(table: Table, seat: Seat, ply: int, chosen: int | str, now: int, lag: int = 0) -> Decision:
    """Play a move."""
    _must_play(table)
    if ply != len(table.moves):
        raise Refused("stale-ply")
    if table.turn is not seat:
        raise Refused("not-your-turn")
    if table.clock is not None and table.clock.fallen(now, lag):
        return flag(table, now)
    state = table.state
    picked = read_move(state, chosen)
    try:
        after = state.play(picked)
    except IllegalMove as error:
        raise Refused("illegal-move", str(error), reason=error.reason) from error
    spent = table.clock.spent(now, lag) if table.clock is not None else _since_last(table, now)
    clock = table.clock.press(now, lag) if table.clock is not None else None
    if clock is not None and not after.over:
        clock = clock.start(after.mover, now)
    data = {
        "ply": ply,
        "number": picked.number,
        "text": format_move(state, picked),
        "seat": seat_name(seat),
        "spent_ms": spent,
        "turn": None if after.over else seat_name(after.mover),
        "scores": by_seat(after.scores()),
    }
    drafts = [Draft("move", data, clock, after)]
    if table.takeback is seat.other:
        drafts.insert(0, Draft("takeback-refused", {"seat": seat_name(seat)}, table.clock))
    return Decision(drafts)


def read_move(state: State, chosen: int | str) -> Move:
    """Return the move that a number or a text means."""
    try:
        return state.game.move(chosen) if isinstance(chosen, int) else parse_move(state, chosen)
    except NotationError as error:
        if error.reason is not None:
            raise Refused("illegal-move", error.message, reason=error.reason) from error
        raise Refused("bad-move", error.message) from error
    except GameError as error:
        raise Refused("bad-move", str(error)) from error


def _since_last(table: Table, now: int) -> int:
    return max(0, now - table.moves[-1].at) if table.moves else 0


def after_move(table: Table, now: int) -> Decision:
    """End the game where the last move ended it."""
    outcome = table.state.outcome()
    if outcome is None:
        return Decision([])
    return _end(table, outcome.winner, "score", table.clock)


def flag(table: Table, now: int) -> Decision:
    """End the game for the side whose time is over."""
    assert table.clock is not None
    assert table.turn is not None
    return _end(table, table.turn.other, "time", table.clock.stop(now))


def resign(table: Table, seat: Seat, now: int) -> Decision:
    """Give up."""
    _must_play(table)
    return _end(table, seat.other, "resign", _stopped(table, now))


def abort(table: Table, seat: Seat, now: int) -> Decision:
    """Call the game off: while nobody has joined, or before both have moved."""
    if table.status == "over":
        raise Refused("over")
    second_of_match = table.match is not None and table.match.number == 2
    if len({played.seat for played in table.moves}) == len(Seat) or second_of_match:
        raise Refused("too-late")
    return _end(table, None, "aborted", _stopped(table, now))


def call_off(table: Table, now: int) -> Decision:
    """End a game that nobody needs any more, however far it is."""
    return Decision([]) if table.status == "over" else _end(table, None, "aborted", _stopped(table, now))


def takeback(table: Table, seat: Seat, now: int) -> Decision:
    """Take one's last move back: at once against the computer, otherwise as an offer."""
    _must_play(table)
    own_last(table, seat)
    if table.computer is not None:
        return _take_back(table, seat, now)
    if not table.terms.takebacks:
        raise Refused("takebacks-off")
    if table.takeback is seat:
        return Decision([])
    return Decision([Draft("takeback-offer", {"seat": seat_name(seat)}, table.clock)])


def answer_takeback(table: Table, seat: Seat, accept: bool, now: int) -> Decision:
    """Accept or refuse the other side's wish to take back."""
    _must_play(table)
    if table.takeback is not seat.other:
        raise Refused("no-offer")
    if not accept:
        return Decision([Draft("takeback-refused", {"seat": seat_name(seat)}, table.clock)])
    return _take_back(table, seat.other, now)


def own_last(table: Table, seat: Seat) -> int:
    """Return the ply of a seat's last move."""
    for ply in range(len(table.moves) - 1, -1, -1):
        if table.moves[ply].seat is seat:
            return ply
    raise Refused("nothing-to-take-back")


def _take_back(table: Table, seat: Seat, now: int) -> Decision:
    plies = own_last(table, seat)
    state = table.game.start()
    for played in table.moves[:plies]:
        state = state.play(table.game.move(played.number))
    clock = table.clock.stop(now).start(state.mover, now) if table.clock is not None else None
    data = {"plies": plies, "turn": seat_name(state.mover), "scores": by_seat(state.scores())}
    return Decision([Draft("takeback", data, clock)])


def set_level(table: Table, level: int) -> Decision:
    """Make the computer stronger or weaker from now on."""
    if table.computer is None:
        raise Refused("not-your-table", "only the computer's level can be set")
    if table.status == "over":
        raise Refused("over")
    return Decision([Draft("level", {"level": level}, table.clock)])


def rematch(table: Table, seat: Seat) -> Decision:
    """Offer, or accept, to play the same again with the colours exchanged."""
    if table.status != "over" or (table.match is not None and _next_follows(table)):
        raise Refused("not-over")
    if table.seats[seat.other] is None:
        raise Refused("not-started")
    if table.rematch is not None or table.rematch_offer is seat:
        return Decision([])
    if table.computer is not None or table.rematch_offer is seat.other:
        return Decision([], "rematch")
    return Decision([Draft("rematch-offer", {"seat": seat_name(seat)}, table.clock)])


def _next_follows(table: Table) -> bool:
    place = table.match
    return (
        place is not None and place.number == 1 and table.match_result is None and _ended_by(table) == "score"
    )


def _ended_by(table: Table) -> str | None:
    return table.result["by"] if table.result else None


def _must_play(table: Table) -> None:
    if table.status == "waiting":
        raise Refused("not-started")
    if table.status == "over":
        raise Refused("over")


def _stopped(table: Table, now: int) -> Clock | None:
    return table.clock.stop(now) if table.clock is not None else None


def _end(table: Table, winner: Seat | None, by: str, clock: Clock | None) -> Decision:
    result = game_result(table, winner, by)
    decided = match_result(table, result)
    view: dict[str, Any] | None = match_view(table)
    if view is not None:
        view["result"] = decided
    goes_on = table.match is not None and table.match.number == 1 and by == "score"
    return Decision([Draft("end", {"result": result, "match": view}, clock)], "next" if goes_on else None)
