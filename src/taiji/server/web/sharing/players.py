"""The link preview of a player: ratings beside the latest public game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import select

from taiji.notation import format_position
from taiji.rules import GAMES, parse_game
from taiji.server.contract.errors import ApiError
from taiji.server.store.queries import list_tables, public_rows
from taiji.server.store.schema import accounts, ratings
from taiji.server.web.sharing.cards import Card, Preview
from taiji.server.web.sharing.public import game_title, public_room

if TYPE_CHECKING:
    import re

    from sqlalchemy import Connection

    from taiji.server.web.context import AppContext
    from taiji.server.web.sharing.texts import Words

MAX_RATINGS = 3
LATEST_GAMES = 20
"""How many of the latest games are searched for a public one."""


@dataclass(frozen=True, slots=True)
class _Player:
    name: str
    is_bot: bool
    ratings: tuple[tuple[str, int], ...]
    """Games and ratings, those played most first."""
    table: str | None
    """The latest public game."""


async def player_preview(context: AppContext, words: Words, match: re.Match[str]) -> Preview | None:
    """Return the preview of a player's page; None if the account is closed, `ApiError` if there is none."""
    player = await context.store.read(partial(_read, name=match[1]))
    if player is None:
        return None
    rows = tuple((game_title(game), str(rating)) for game, rating in player.ratings)
    room = None if player.table is None else await public_room(context, player.table)
    if room is None:
        game = player.ratings[0][0] if player.ratings else next(iter(GAMES))
        state, moves = parse_game(game).start(), 0
    else:
        game, state, moves = room.table.settings.game, room.table.state, len(room.table.moves)
    last = room.table.moves[-1].action if room is not None and room.table.moves else None
    about = words("player-bot" if player.is_bot else "player", name=player.name)
    if rows:
        about += " " + ", ".join(f"{title} {rating}" for title, rating in rows) + "."
    card = Card(format_position(state), last, player.name, rows)
    return Preview(player.name, about, card, words("alt", game=game_title(game), moves=moves))


def _read(connection: Connection, name: str) -> _Player | None:
    query = select(accounts).where(accounts.c.name_key == name.lower(), accounts.c.deleted_at.is_(None))
    account = connection.execute(query).mappings().first()
    if account is None:
        raise ApiError("not-found")
    if account["closed_at"] is not None:
        return None
    mine = select(ratings.c.game, ratings.c.rating).where(ratings.c.account_id == account["id"])
    rated = connection.execute(mine.order_by(ratings.c.games.desc()).limit(MAX_RATINGS)).all()
    games = list_tables(connection, status="over", ids=(account["id"],), limit=LATEST_GAMES)
    public = (row["id"] for row in public_rows(connection, games) if row["ply"])
    return _Player(
        account["name"],
        account["account_type"] == "bot",
        tuple((game, round(rating)) for game, rating in rated),
        next(public, None),
    )
