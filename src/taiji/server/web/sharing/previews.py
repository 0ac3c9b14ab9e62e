"""Link previews by route: the title, the description and the picture of a page."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from taiji.analysis.puzzles.daily import daily_puzzle
from taiji.analysis.puzzles.data import Puzzle, PuzzleError
from taiji.analysis.puzzles.files import load_set
from taiji.arena.tournaments import standings
from taiji.notation import format_position, parse_position
from taiji.rules import parse_game
from taiji.server.contract.errors import ApiError
from taiji.server.web.sharing.cards import Card, Preview
from taiji.server.web.sharing.players import player_preview
from taiji.server.web.sharing.public import (
    PublicReview,
    colour_rows,
    format_points,
    game_title,
    is_shown,
    public_review,
    shows_colours,
)

if TYPE_CHECKING:
    from taiji.server.domain.table import Table
    from taiji.server.tournaments.hosted import HostedTournament
    from taiji.server.web.context import AppContext
    from taiji.server.web.sharing.texts import Words

ID = r"([A-Za-z0-9]{1,16})"


Find = Callable[["AppContext", "Words", re.Match[str]], Awaitable[Preview | None]]
"""Finds the preview of a page; None if the page shows nothing to strangers, `ApiError` if there is none."""


async def find_preview(context: AppContext, words: Words, path: str) -> Preview | None:
    """Return the preview of a page's path, without slashes around it; None if it has none of its own.

    Raise `ApiError` with the code `not-found` if what the path names does not exist.
    """
    for pattern, find in ROUTES:
        match = pattern.fullmatch(path)
        if match is not None:
            return await find(context, words, match)
    return None


async def _game(context: AppContext, words: Words, match: re.Match[str]) -> Preview | None:
    table = (await context.rooms.get(match[1])).table
    return table_preview(table, words) if await is_shown(context, table) else None


def table_preview(table: Table, words: Words) -> Preview:
    """Return the preview of a table."""
    game, names = game_title(table.settings.game, table.settings.edition), player_names(table, words)
    if table.status == "waiting":
        host = next((name for name in names if name), words("guest"))
        title, description = words("challenge", name=host), f"{game}. {words('waiting')}"
    else:
        title = f"{words('against', first=names[0], second=names[1])} · {game}"
        description = _course(table, names, words)
    state, last = table.state, table.moves[-1].action if table.moves else None
    rows = () if table.status == "waiting" else tuple(colour_rows(state, names))
    card = Card(format_position(state), last, game, rows, seats=shows_colours(state))
    return Preview(title, description, card, words("alt", game=game, moves=len(table.moves)))


def player_names(table: Table, words: Words) -> tuple[str, str]:
    """Return the names by seat as strangers see them; empty for a free seat."""
    shown = []
    for player in table.seats:
        if player is None:
            shown.append("")
        else:
            shown.append(player.name or words("guest" if player.guest else "deleted"))
    return shown[0], shown[1]


def _course(table: Table, names: tuple[str, str], words: Words) -> str:
    """Return a sentence about the result, or how far the game is."""
    scores, result, moves = table.scores, table.result, len(table.moves)
    points = [format_points(scores.first), format_points(scores.second)]
    score = " : ".join(points)
    if result is None:
        return words("playing", moves=moves, score=score)
    if result.ended_by == "aborted":
        return words("aborted", moves=moves)
    if result.winner is None:
        return words("draw", score=score)
    winner = names[0 if result.winner == "first" else 1]
    if result.ended_by == "score":
        return words(
            "wins", winner=winner, score=" : ".join(points if result.winner == "first" else points[::-1])
        )
    return words(f"wins-{result.ended_by}", winner=winner, moves=moves)


async def _review(context: AppContext, words: Words, match: re.Match[str]) -> Preview | None:
    shown = await public_review(context, match[1])
    return None if shown is None else await asyncio.to_thread(_review_preview, shown, words)


async def _review_of_table(context: AppContext, words: Words, match: re.Match[str]) -> Preview | None:
    """Return the preview of the page that reviews a table."""
    table = (await context.rooms.get(match[1])).table
    if table.status == "waiting" or not await is_shown(context, table):
        return None
    preview = table_preview(table, words)
    return Preview(words("review", title=preview.title), preview.description, preview.card, preview.alt)


def _review_preview(shown: PublicReview, words: Words) -> Preview:
    review, table = shown.review, shown.table
    info = review.info(frozenset())
    game = game_title(review.game, table.settings.edition if table else None)
    values = {"game": game, "moves": len(review.moves)}
    first, second = info.first.accuracy, info.second.accuracy
    if first is None or second is None:
        description = words("review-plain", **values)
    else:
        description = words("review-about", **values, first=f"{first:.0f} %", second=f"{second:.0f} %")
    title = game
    rows: tuple[tuple[str, str], ...] = ()
    ply = info.turning_points[0] + 1 if info.turning_points else len(review.moves)
    state = review.position(ply)
    if table is not None:
        names = player_names(table, words)
        title = f"{words('against', first=names[0], second=names[1])} · {game}"
        rows = tuple(colour_rows(state, names))
    last = review.moves[ply - 1] if ply else None
    card = Card(format_position(state), last, game, rows, seats=bool(rows) and shows_colours(state))
    return Preview(words("review", title=title), description, card, words("alt", game=game, moves=ply))


async def _puzzle(context: AppContext, words: Words, match: re.Match[str]) -> Preview | None:
    puzzle = await asyncio.to_thread(_find_puzzle, match[1], match[2])
    if puzzle is None:
        raise ApiError("not-found")
    return _puzzle_preview(puzzle, "puzzle", words)


async def _daily(context: AppContext, words: Words, match: re.Match[str]) -> Preview | None:
    today = datetime.fromtimestamp(context.time.now() / 1000, UTC).date()
    puzzle = await asyncio.to_thread(daily_puzzle, today)
    return _puzzle_preview(puzzle, "puzzle-daily", words)


def _find_puzzle(set_name: str, puzzle_id: str) -> Puzzle | None:
    try:
        puzzles = load_set(set_name)
    except PuzzleError:
        return None
    return next((one for one in puzzles if one.id == puzzle_id), None)


def _puzzle_preview(puzzle: Puzzle, title: str, words: Words) -> Preview:
    game, state = game_title(puzzle.game), parse_position(puzzle.position)
    card = Card(puzzle.position, None, game, note=f"★ {puzzle.rating}")
    alt = words("alt", game=game, moves=state.ply)
    return Preview(words(title, game=game), words("puzzle-about", rating=puzzle.rating), card, alt)


async def _tournament(context: AppContext, words: Words, match: re.Match[str]) -> Preview | None:
    hosted = await context.tournaments.loaded.get(match[1])
    return await asyncio.to_thread(_tournament_preview, hosted, words) if hosted.public else None


def _tournament_preview(hosted: HostedTournament, words: Words) -> Preview:
    state, settings = hosted.state, hosted.state.settings
    game = game_title(settings.game, hosted.edition)
    players = sum(not entrant.withdrawn for entrant in state.entrants)
    values: dict[str, object] = {"game": game, "players": players}
    if hosted.cancelled is not None:
        description = words("tournament-cancelled", **values)
    elif state.over:
        description = words("tournament-over", **values, winner=standings(state)[0].entrant.name)
    elif state.rounds:
        rounds = state.total_rounds or "∞"
        description = words("tournament-running", **values, round=len(state.rounds), rounds=rounds)
    elif hosted.starts_at is not None:
        at = datetime.fromtimestamp(hosted.starts_at / 1000, UTC)
        description = words("tournament-starts", **values, at=f"{at:%Y-%m-%d %H:%M} UTC")
    else:
        description = words("tournament-open", **values)
    rows = (
        tuple((line.entrant.name, f"{line.points:g}") for line in standings(state)[:3])
        if state.rounds
        else ()
    )
    card = Card(format_position(parse_game(settings.game).start()), None, settings.name, rows, game)
    return Preview(settings.name, description, card, words("alt", game=game, moves=0))


ROUTES: list[tuple[re.Pattern[str], Find]] = [
    (re.compile(f"game/{ID}"), _game),
    (re.compile(f"review/{ID}"), _review),
    (re.compile(f"review/table/{ID}"), _review_of_table),
    (re.compile(f"tournament/{ID}"), _tournament),
    (re.compile(r"player/([A-Za-z0-9_-]{2,24})"), player_preview),
    (re.compile("puzzles/daily"), _daily),
    (re.compile(r"puzzles/([a-z0-9+.-]{1,60})/([a-z0-9+.-]{1,80})"), _puzzle),
]
"""The pages with a preview of their own; every other page has the one of the app."""
