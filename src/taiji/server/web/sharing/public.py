"""What strangers may be shown of games and reviews; nothing of private ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from taiji.rules import EDITIONS, GAMES, Colour, IntOption, Seat
from taiji.server.contract.errors import ApiError
from taiji.server.domain.visibility import is_public

if TYPE_CHECKING:
    from taiji.rules import State
    from taiji.server.domain.table import Table
    from taiji.server.jobs.reviews import Review
    from taiji.server.live.room import Room
    from taiji.server.web.context import AppContext

ANONYMOUS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PublicReview:
    """A review that its owner shows, and the game it belongs to, if that is still on the server."""

    review: Review
    table: Table | None


async def public_room(context: AppContext, table_id: str) -> Room | None:
    """Return the room of a public table; None if it is private or does not exist."""
    try:
        room = await context.rooms.get(table_id)
    except ApiError as error:
        if error.code != "not-found":
            raise
        return None
    return room if await is_shown(context, room.table) else None


async def is_shown(context: AppContext, table: Table) -> bool:
    """Return whether a table is public, as the tournament that it belongs to is."""
    if table.settings.opponent == "tournament":
        hosted = await context.tournaments.loaded.find_of_table(table)
        return hosted is not None and hosted.public
    return is_public(table)


async def public_review(context: AppContext, review_id: str) -> PublicReview | None:
    """Return a review that everyone may see; None if it, or the game that it is about, is private.

    Raise `ApiError` if there is no such review.
    """
    try:
        review = await context.reviews.get(review_id, ANONYMOUS)
    except ApiError as error:
        if error.code == "review-private":
            return None
        if error.code == "review-gone":  # the same answer as for other pages
            raise ApiError("not-found") from None
        raise
    if review.table is None:
        return PublicReview(review, None)
    room = await public_room(context, review.table)
    return None if room is None else PublicReview(review, room.table)


def game_title(text: str, edition: str | None = None) -> str:
    """Return the title of a game, such as `TAIJI 7×7`."""
    if edition in EDITIONS:
        return EDITIONS[edition].title
    base, _, rest = text.partition(":")
    options = dict(part.partition("=")[::2] for part in rest.split(",") if part)
    if base not in GAMES:
        return base
    known = next((option for option in GAMES[base].options if option.name == "size"), None)
    size = options.get("size") or (known.default if isinstance(known, IntOption) else None)
    return f"{GAMES[base].title} {size}×{size}" if size else GAMES[base].title


def colour_rows(state: State, names: tuple[str, str]) -> list[tuple[str, str]]:
    """Return name and score by colour, light first; games with symbols show them."""
    scores, words = state.scores(), state.game.colour_names
    rows = []
    for colour in Colour:
        seat = state.seat_of(colour)
        name = names[0 if seat is Seat.FIRST else 1]
        sign = "" if shows_colours(state) else f"{words.of(colour)} "
        rows.append((f"{sign}{name}", format_points(scores.of(seat))))
    return rows


def shows_colours(state: State) -> bool:
    """Return whether the sides of a game are light and dark, rather than symbols."""
    return len(state.game.colour_names.light) > 1


def format_points(points: float) -> str:
    """Return a score without needless decimals."""
    return f"{points:g}"
