"""Tables: the full view, the summary for lists, and their parts."""

from __future__ import annotations

from typing import Literal

from taiji.server.contract.clocks import ClockChoice, ClockInfo
from taiji.server.contract.messages import AccountType, MatchRuleName, SeatName, SeatScores, View

Status = Literal["waiting", "playing", "over"]
Opponent = Literal["computer", "link", "open", "player", "tournament"]
EndedBy = Literal["score", "resign", "time", "aborted"]


class PlayerInfo(View):
    """The player on a seat; `rating` is the one at the start of a rated game.

    `name` is None for the computer, and for a person who has deleted the account.
    """

    name: str | None
    account_type: AccountType
    level: int | None
    rating: int | None
    guest: bool


class SeatPlayers(View):
    """The players by seat; None for a free seat."""

    first: PlayerInfo | None
    second: PlayerInfo | None


class MoveInfo(View):
    """A move that was played."""

    ply: int
    action: int
    text: str
    seat: SeatName
    elapsed_ms: int
    at: int


class GameResult(View):
    """The result of a game; `winner` is None for a draw or an aborted game."""

    winner: SeatName | None
    ended_by: EndedBy
    scores: SeatScores


class MatchResult(View):
    """The result of a match, by the seats of the table that shows it."""

    winner: SeatName | None
    ended_by: Literal["total", "rule", "resign", "time", "forfeit"]
    """`forfeit` is in the results of earlier versions, for a resignation or a loss on time."""
    totals: SeatScores


class MatchInfo(View):
    """The match that a table belongs to; `game_no` is 1 or 2."""

    id: str
    game_no: int
    tables: tuple[str | None, str | None]
    totals: SeatScores
    result: MatchResult | None


class Presence(View):
    """Which seats are connected, and the number of watchers."""

    first: bool
    second: bool
    watchers: int


class Offers(View):
    """The seats whose offers are open."""

    takeback: SeatName | None
    rematch: SeatName | None


class TableInfo(View):
    """A table as one visitor sees it."""

    id: str
    protocol: int
    version: int
    status: Status
    game: str
    edition: str | None
    match_rule: MatchRuleName
    opponent: Opponent
    clock_rule: ClockChoice | None
    takebacks: bool
    rated: bool
    hints: bool
    seats: SeatPlayers
    your_seat: SeatName | None
    joinable: bool
    """Whether the visitor may take the free seat without a link."""
    moves: list[MoveInfo]
    turn: SeatName | None
    clock: ClockInfo | None
    scores: SeatScores
    result: GameResult | None
    offers: Offers
    match: MatchInfo | None
    rematch: str | None
    previous: str | None
    presence: Presence
    thinking: bool
    invite: str | None
    created: int
    updated: int


class MatchGame(View):
    """The game number within a match, for summaries."""

    game_no: int


class TableSummary(View):
    """A table in a list."""

    id: str
    version: int
    status: Status
    game: str
    edition: str | None
    opponent: Opponent
    clock_rule: ClockChoice | None
    rated: bool
    seats: SeatPlayers
    your_seat: SeatName | None
    ply: int
    turn: SeatName | None
    deadline: int | None
    """When the clock of the side to move runs out."""
    scores: SeatScores
    result: GameResult | None
    match: MatchGame | None
    thumbnail: str | None
    """The position as `WIDTH:CELLS`; None in games of earlier versions."""
    watchers: int
    created: int
    updated: int


class TableList(View):
    """Tables, newest first."""

    tables: list[TableSummary]


class LiveTables(TableList):
    """Games to watch, most watched first; none if the database does not answer.

    The status says that the process answers, for those who watch over it.
    """

    status: Literal["ok"] = "ok"


class ChallengeList(View):
    """Open challenges, newest first."""

    challenges: list[TableSummary]


class TableVersion(View):
    """The version of a table after a request."""

    version: int


class SeatLinkInfo(View):
    """A link to the user's seat on another device, without its secret."""

    id: str
    table: str
    game: str
    created_at: int
    expires_at: int
    expired: bool
    used_at: int | None


class SeatLinkList(View):
    """The links to the user's seats."""

    links: list[SeatLinkInfo]


class LinkPath(View):
    """The path of a link with a secret."""

    path: str


class BotInfo(View):
    """A bot account and whether it is connected."""

    name: str
    online: bool


class BotList(View):
    """The bots that can be challenged."""

    bots: list[BotInfo]
