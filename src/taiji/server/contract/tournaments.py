"""Tournaments and ratings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from taiji.server.contract.clocks import ClockChoice
from taiji.server.contract.messages import (
    GameText,
    MatchRuleName,
    Message,
    Points,
    SeatScores,
    Secret,
    StrictInt,
    View,
)
from taiji.server.contract.visible_text import Name, Remark, Title

Score = Annotated[float, Field(ge=0, le=1_000_000_000)]
FormatName = Literal["round-robin", "double-round-robin", "swiss", "knockout", "ladder", "match"]


TournamentState = Literal["upcoming", "running", "finished", "cancelled"]
CancelReason = Literal["too-few", "missed"]
"""Why the server did not start a tournament: too few players, or it was down at that time."""


class NewTournament(Message):
    """A tournament to create."""

    name: Title
    format: FormatName = "swiss"
    game: GameText
    rounds: StrictInt | None = Field(default=None, ge=1, le=30)
    match: bool = True
    clock: ClockChoice | None = None
    rated: bool = False
    public: bool = False
    """Whether it is listed and everyone may enter; otherwise only those who have the link."""
    starts_at: StrictInt | None = Field(default=None, ge=0, le=1 << 52)
    """When the server starts it, in milliseconds; None leaves that to the organiser."""
    min_players: StrictInt = Field(default=2, ge=2, le=64)
    """With fewer players at the start time it is cancelled."""


class JoinTournament(Message):
    """The secret of the link, which a public tournament does not need, and the name to play under."""

    secret: Secret | None = None
    name: Name


class WithdrawRequest(Message):
    """The entrant who leaves or returns."""

    player: StrictInt = Field(ge=1, le=2000)
    back: bool = False


class ResultRequest(Message):
    """A result entered by the organiser: scores per game, or who was absent."""

    round: StrictInt = Field(ge=1, le=99)
    table: StrictInt = Field(ge=1, le=2000)
    scores: list[tuple[Score, Score]] = Field(default=[], max_length=20)
    decision: Literal["first", "second", "draw"] | None = None
    absent: Literal["first", "second", "both"] | None = None
    reason: Remark = ""


class StandingInfo(View):
    """One entrant's row of the standings."""

    rank: int
    number: int
    name: str
    guest: bool
    rating: int
    withdrawn: bool
    rounds: int
    points: float
    difference: Points
    buchholz: float
    sonneborn_berger: float
    direct: float | None


class BoardInfo(View):
    """The table of a pairing; `moves` only while it is played."""

    table: str
    ply: int | None
    scores: SeatScores | None
    moves: list[int] | None


class PairingInfo(View):
    """A pairing of a round; `second` is None for a bye."""

    table: int
    first: int
    second: int | None
    points: tuple[float, float] | None
    scores: list[tuple[Points, Points]]
    forfeit: tuple[bool, bool] | None
    ended_by: Literal["resign", "time"] | None
    """How the loser gave up a game in progress."""
    board: BoardInfo | None


class TournamentInfo(View):
    """A tournament as one visitor sees it."""

    id: str
    version: int
    name: str
    format: FormatName
    game: str
    edition: str | None
    games: int
    match_rule: MatchRuleName
    clock: ClockChoice | None
    rated: bool
    total_rounds: int | None
    public: bool
    starts_at: int | None
    min_players: int
    recurring: bool
    cancelled: CancelReason | None
    started: bool
    over: bool
    missing: int
    standings: list[StandingInfo]
    rounds: list[list[PairingInfo]]
    your_entrant_no: int | None
    organiser: bool
    invite: str | None
    board: str | None


class TournamentSummary(View):
    """A tournament in a list."""

    id: str
    name: str
    format: FormatName
    game: str
    edition: str | None
    players: int
    round: int
    total_rounds: int | None
    over: bool
    organiser: bool
    updated: int


class TournamentList(View):
    """Tournaments, latest change first."""

    tournaments: list[TournamentSummary]


class PublicTournament(View):
    """A tournament in the public list."""

    id: str
    name: str
    format: FormatName
    game: str
    edition: str | None
    clock: ClockChoice | None
    rated: bool
    state: TournamentState
    players: int
    round: int
    total_rounds: int | None
    starts_at: int | None
    recurring: bool
    updated: int


class PublicTournaments(View):
    """A page of the public list: the next to start, or the latest first; `more` if another page follows."""

    tournaments: list[PublicTournament]
    more: bool


class AuditEntry(View):
    """One event of the audit log; fields that do not apply are None."""

    at: int
    actor: Literal["organiser", "player", "server"]
    event: str
    name: str | None = None
    round: int | None = None
    table: int | None = None
    players: list[str] | None = None
    result: str | None = None
    ended_by: Literal["resign", "time"] | None = None
    before: str | None = None
    reason: str | None = None


class AuditLog(View):
    """The audit log, latest first."""

    log: list[AuditEntry]


class TournamentLink(View):
    """The id and name of a tournament."""

    id: str
    name: str


class TournamentOfTable(View):
    """The tournament that a table belongs to."""

    tournament: TournamentLink | None


class TournamentFrame(View):
    """The whole tournament, sent when it has changed."""

    type: Literal["tournament"] = "tournament"
    tournament: TournamentInfo


class BoardsFrame(View):
    """The boards on which moves were played."""

    type: Literal["boards"] = "boards"
    boards: list[BoardInfo]


TournamentMessage = Annotated[TournamentFrame | BoardsFrame, Field(discriminator="type")]
"""What the server sends on a tournament's socket."""


class RatedPlayer(View):
    """A row of a leaderboard."""

    name: str
    rating: float
    deviation: float
    games: int
    provisional: bool
    bot: bool


class GameLeaders(View):
    """The best players of one game, and how many are rated at it."""

    game: str
    rated: int
    players: list[RatedPlayer]


class Leaderboard(View):
    """The best players of a game, and the games with ratings."""

    game: str
    games: list[str]
    players: list[RatedPlayer]


class Leaderboards(View):
    """The best players of the games with the most rated players."""

    boards: list[GameLeaders]


class RatingPoint(View):
    """A rating after one game."""

    at: int
    rating: float
    deviation: float
    points: float
    table_id: str


class RatingHistory(View):
    """A player's rating over time, oldest first."""

    name: str
    game: str
    history: list[RatingPoint]
