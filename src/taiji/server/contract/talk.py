"""Talk without harm: preset phrases, blocks and reports. There is no free text between players."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import StringConstraints, model_validator

from taiji.server.contract.messages import AccountName, Message, RequestId, SeatName, View
from taiji.server.contract.visible_text import Remark

Phrase = Literal[
    "hello",
    "good-luck",
    "thanks",
    "sorry",
    "one-moment",
    "have-to-go",
    "well-played",
    "good-game",
    "rematch",
]
"""What players may say to each other; each page shows it in its own language."""
ReportReason = Literal["engine", "stalling", "name", "phrases", "other"]
TableId = Annotated[str, StringConstraints(min_length=1, max_length=16, pattern="^[A-Za-z0-9]+$")]


class NewPhrase(Message):
    """A phrase to my opponent; a repeated `id` is not said twice."""

    id: RequestId
    phrase: Phrase


class PhraseInfo(View):
    """A phrase that a seat has said."""

    seat: SeatName
    phrase: Phrase
    at: int


class TableTalk(View):
    """What the players of a table have said, the latest last, and whether I have blocked my opponent."""

    phrases: list[PhraseInfo]
    blocked: bool


class PlayerChoice(Message):
    """A player: an account by its name, or my opponent at a table."""

    player: AccountName | None = None
    table: TableId | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> PlayerChoice:
        if (self.player is None) == (self.table is None):
            raise ValueError("player: both or neither (expected either 'player' or 'table')")
        return self


class NewBlock(PlayerChoice):
    """A player to block."""


class BlockInfo(View):
    """A player whom I have blocked; `name` is None for one without a name."""

    id: str
    name: str | None
    guest: bool
    created_at: int


class BlockList(View):
    """The players whom I have blocked, latest first."""

    blocks: list[BlockInfo]


class NewReport(PlayerChoice):
    """A player to report to the operators."""

    reason: ReportReason
    comment: Remark = ""


class ReportReceived(View):
    """The operators will read the report."""

    received: Literal[True] = True
