"""Print streams of events as JSON, to compare the web reducer with the table.

`event_streams.py FIRST COUNT` plays one random table per seed. Each stream has the table as a client received
it (`snapshot`), the frames of the events after that, and the table as the server sends it then (`final`).
"""

from __future__ import annotations

import contextlib
import json
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

from taiji.rules import MatchRule, Seat, parse_game
from taiji.server.contract import events
from taiji.server.contract.clocks import CLOCK_CHOICE, ClockChoice
from taiji.server.contract.errors import ApiError
from taiji.server.contract.tables import Presence, TableInfo
from taiji.server.domain import commands
from taiji.server.domain.commands import CommandResult
from taiji.server.domain.table import Event, EventDraft, MatchSlot, SeatedPlayer, Table, TableSettings
from taiji.server.domain.views import table_view

GAMES = (
    "taiji:size=3",
    "taiji:size=4",
    "taiji:size=4,groups=1",
    "battle-of-lits:size=6",
    "taiji+battle-of-lits:size=4",
)
CLOCKS: tuple[dict[str, Any] | None, ...] = (
    None,
    {"clock_type": "sudden", "main_s": 60},
    {"clock_type": "fischer", "main_s": 60, "increment_s": 2},
    {"clock_type": "bronstein", "main_s": 60, "delay_s": 2},
    {"clock_type": "byoyomi", "main_s": 5, "periods": 3, "period_s": 10},
    {"clock_type": "correspondence", "days": 1},
)
PRESENCE = Presence(first=True, second=False, watchers=1)
MAX_STEPS = 60


class Stream:
    """One table, played at random; the time advances with every step."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        rng = self._rng
        clock = rng.choice(CLOCKS)
        choice: ClockChoice | None = None if clock is None else CLOCK_CHOICE.validate_python(clock)
        self._computer = rng.random() < 0.25
        game = str(parse_game(rng.choice(GAMES)))
        settings = TableSettings(
            game=game,
            edition=None,
            match_rule=rng.choice(list(MatchRule)),
            opponent="computer" if self._computer else "link",
            clock=choice,
            takebacks=rng.random() < 0.8,
            rated=False,
            creator="ada",
        )
        slot = rng.choice([None, MatchSlot("m", 1), MatchSlot("m", 2, "one", (3, 1.5))])
        self._now = 1_000_000
        self.table = Table.new("t", settings, self._now, slot)
        self.events: list[Event] = []
        self._apply(commands.join(self.table, Seat.FIRST, SeatedPlayer("ada", "Ada"), self._now))

    def view(self) -> TableInfo:
        """Return the table as its creator sees it at the time of the last event."""
        invite = "/join#secret" if self.table.status == "waiting" else None
        return table_view(
            self.table,
            self.table.updated_at,
            your_seat=Seat.FIRST,
            presence=PRESENCE,
            thinking=False,
            invite=invite,
        )

    def _apply(self, result: CommandResult) -> None:
        drafts = list(result.drafts)
        next_table = result.next_table
        applied = [self.table.apply_draft(draft, self._now) for draft in drafts]
        if applied and isinstance(applied[-1].data, events.Moved):
            ended = commands.after_move(self.table, self._now)
            applied += [self.table.apply_draft(draft, self._now) for draft in ended.drafts]
            next_table = ended.next_table
        if next_table is not None:
            followed = events.NextGame if next_table == "next-game" else events.Rematched
            draft = EventDraft(followed(table="next"), self.table.clock)
            applied.append(self.table.apply_draft(draft, self._now))
        self.events += applied

    def _random_command(self) -> Callable[[], CommandResult]:
        table, rng, now = self.table, self._rng, self._now
        seat = rng.choice(list(Seat))
        other = SeatedPlayer("computer", None, "computer", 3) if self._computer else SeatedPlayer("bo", "Bo")
        choices: list[tuple[int, Callable[[], CommandResult]]] = [
            (20, lambda: commands.join(table, Seat.SECOND, other, now)),
            (30, self._random_move),
            (6, lambda: commands.takeback(table, seat, now)),
            (4, lambda: commands.answer_takeback(table, seat, rng.random() < 0.5, now)),
            (2, lambda: commands.add_device(table, seat, "phone")),
            (1, lambda: commands.remove_device(table, "phone")),
            (2, lambda: commands.set_level(table, rng.randint(1, 10))),
            (3, lambda: commands.rematch(table, seat)),
            (1, lambda: commands.resign(table, seat, now)),
            (1, lambda: commands.abort(table, seat, now)),
            (2, self._restart),
            (4, lambda: commands.set_vacation(table, seat, rng.choice([None, now + 86_400_000]), now)),
        ]
        return rng.choices([choice for _, choice in choices], [weight for weight, _ in choices])[0]

    def _random_move(self) -> CommandResult:
        if self.table.turn is None:
            raise ApiError("not-started")
        action = self._rng.choice(self.table.state.legal()).action
        return commands.move(self.table, self.table.turn, len(self.table.moves), action, self._now)

    def _restart(self) -> CommandResult:
        """Resume the clock as a server does after a restart."""
        if self.table.clock is None or self.table.turn is None:
            raise ApiError("not-started")
        clock = self.table.clock.resume(self._now - 500, self._now)
        return CommandResult([EventDraft(events.Resumed(downtime_ms=500), clock)])

    def step(self) -> None:
        """Execute a random command; one that the table refuses changes nothing."""
        self._now += self._rng.choice([0, 40, 900, 4_000])
        with contextlib.suppress(ApiError):
            self._apply(self._random_command()())

    def play(self) -> dict[str, Any]:
        """Play on and return the stream since a random point."""
        start = self._rng.randrange(10)
        for _ in range(start):
            self.step()
        snapshot, seen = self.view(), len(self.events)
        for _ in range(self._rng.randrange(1, MAX_STEPS)):
            self.step()
        return {
            "snapshot": snapshot.model_dump(mode="json"),
            "events": [event.frame().model_dump(mode="json") for event in self.events[seen:]],
            "final": self.view().model_dump(mode="json"),
        }


def streams(first: int, count: int) -> Iterator[dict[str, Any]]:
    """Yield one stream per seed."""
    for seed in range(first, first + count):
        yield Stream(seed).play()


if __name__ == "__main__":
    json.dump(list(streams(int(sys.argv[1]), int(sys.argv[2]))), sys.stdout)
