"""A tournament as a value: what its events have made of it so far. Every event is checked here, once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import ceil, log2

from taiji.arena.tournaments import checks
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
from taiji.arena.tournaments.models import (
    Entrant,
    Format,
    Pairing,
    PairingResult,
    TournamentError,
    TournamentSettings,
    match_points,
)

PairingId = tuple[int, int]
"""A round and a table, both from 1."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """Settings, entrants, rounds and results; `after` returns the tournament after one more event."""

    settings: TournamentSettings
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[tuple[Pairing, ...], ...] = ()
    results: Mapping[PairingId, PairingResult] = field(default_factory=dict)
    byes: Mapping[int, float] = field(default_factory=dict)
    """Who sits the next round out, and for how much."""
    drawn: tuple[int, ...] = ()
    """Who was there when the first round was drawn: the table of a round robin, the bracket of a knockout."""

    @classmethod
    def of(cls, events: Iterable[Event]) -> Tournament:
        """Return what the events make; the first one creates the tournament."""
        source = iter(events)
        first = next(source, None)
        if not isinstance(first, Created):
            raise TournamentError("a tournament begins with its settings")
        tournament = cls(first.settings)
        for event in source:
            tournament = tournament.after(event)
        return tournament

    def after(self, event: Event) -> Tournament:
        """Return the tournament after an event, or refuse it with a reason."""
        match event:
            case Created():
                raise TournamentError("the tournament exists already")
            case Entered(name=name, rating=rating):
                checks.check_can_enter(self, name, rating)
                since = len(self.rounds) + 1
                entrant = Entrant(len(self.entrants) + 1, " ".join(name.split()), rating, since)
                return replace(self, entrants=(*self.entrants, entrant))
            case Withdrew(player=player):
                if self.entrant(player).withdrawn:
                    raise TournamentError(f"{self.entrant(player).name} has withdrawn already")
                return self._with_entrant(replace(self.entrant(player), withdrawn=True))
            case Returned(player=player):
                if not self.entrant(player).withdrawn:
                    raise TournamentError(f"{self.entrant(player).name} has not withdrawn")
                return self._with_entrant(replace(self.entrant(player), withdrawn=False))
            case ByeRequested(player=player, points=points):
                checks.check_can_sit_out(self, player, points)
                return replace(self, byes={**self.byes, player: points})
            case Paired(pairings=pairings):
                checks.check_can_pair(self)
                checks.check_pairings(self, pairings)
                drawn = self.drawn or tuple(entrant.entrant_no for entrant in self.active)
                return replace(self, rounds=(*self.rounds, pairings), byes={}, drawn=drawn)
            case RoundUndone():
                checks.check_can_undo_round(self)
                kept = self.rounds[:-1]
                return replace(self, rounds=kept, drawn=self.drawn if kept else ())
            case ResultEntered(round=number, table=table, result=result):
                checks.check_open(self, number, table)
                return self._with_result(number, table, result)
            case ResultCorrected(round=number, table=table, result=result):
                checks.check_can_correct(self, number, table, result)
                return self._with_result(number, table, result)

    def _with_entrant(self, changed: Entrant) -> Tournament:
        kept = (changed if entrant.entrant_no == changed.entrant_no else entrant for entrant in self.entrants)
        return replace(self, entrants=tuple(kept))

    def _with_result(self, number: int, table: int, result: PairingResult) -> Tournament:
        checks.check_result(self.settings, result)
        return replace(self, results={**self.results, (number, table): result})

    def entrant(self, number: int) -> Entrant:
        """Return an entrant by number."""
        if not 1 <= number <= len(self.entrants):
            raise TournamentError(f"nobody has entered with number {number}")
        return self.entrants[number - 1]

    def find_entrant(self, name: str) -> Entrant:
        """Return the entrant of a name, in whatever case it is written, or of a number such as `#3`."""
        if name.startswith("#") and name[1:].isdecimal():
            return self.entrant(int(name[1:]))
        wanted = checks.fold_name(name)
        found = [entrant for entrant in self.entrants if checks.fold_name(entrant.name) == wanted]
        if not found:
            raise TournamentError(f"nobody named {name} has entered")
        return found[0]

    @property
    def active(self) -> tuple[Entrant, ...]:
        """Everybody who has not withdrawn."""
        return tuple(entrant for entrant in self.entrants if not entrant.withdrawn)

    def pairing(self, round_no: int, board_no: int) -> Pairing:
        """Return a pairing of a round."""
        if not 1 <= round_no <= len(self.rounds):
            paired = f"{len(self.rounds)} rounds are" if len(self.rounds) != 1 else "one round is"
            raise TournamentError(f"there is no round {round_no}: {paired} paired")
        tables = self.rounds[round_no - 1]
        if not 1 <= board_no <= len(tables):
            raise TournamentError(f"round {round_no} has no table {board_no}: it has {len(tables)}")
        return tables[board_no - 1]

    def current_pairing_id(self, player: int) -> PairingId:
        """Return where an entrant sits in the last round."""
        for table, pairing in enumerate(self.rounds[-1] if self.rounds else (), 1):
            if player in pairing.players:
                return len(self.rounds), table
        raise TournamentError(f"{self.entrant(player).name} is not paired in round {len(self.rounds)}")

    @property
    def missing(self) -> list[PairingId]:
        """The places whose results are not in."""
        return [
            (number, table)
            for number, pairings in enumerate(self.rounds, 1)
            for table, pairing in enumerate(pairings, 1)
            if pairing.second is not None and (number, table) not in self.results
        ]

    @property
    def total_rounds(self) -> int | None:
        """How many rounds there will be; None where nobody has said."""
        count = len(self.drawn) or len(self.active)
        match self.settings.format:
            case Format.LADDER:
                return self.settings.rounds
            case Format.MATCH:
                return self.settings.rounds or 1
            case Format.KNOCKOUT:
                return max(1, ceil(log2(count))) if count else 0
            case Format.SWISS:
                everybody = count - 1 + count % 2
                return self.settings.rounds or max(1, min(everybody, max(3, ceil(log2(max(count, 1))))))
            case robin:
                cycle = count - 1 + count % 2
                return max(1, cycle * (2 if robin is Format.DOUBLE_ROUND_ROBIN else 1))

    @property
    def over(self) -> bool:
        """Whether every round is played."""
        return bool(self.rounds) and len(self.rounds) == self.total_rounds and not self.missing

    def points(self, round_no: int, board_no: int) -> tuple[float, float]:
        """Return the match points of a pairing; nothing while it is played."""
        pairing = self.pairing(round_no, board_no)
        if pairing.second is None:
            return pairing.bye, 0.0
        result = self.results.get((round_no, board_no))
        return (0.0, 0.0) if result is None else match_points(self.settings, result)
