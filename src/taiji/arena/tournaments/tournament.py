"""A tournament as an immutable value; every event is checked here, once."""

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
"""Round and board, both from 1."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """Settings, entrants, rounds and results; `after` returns the tournament after one more event."""

    settings: TournamentSettings
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[tuple[Pairing, ...], ...] = ()
    results: Mapping[PairingId, PairingResult] = field(default_factory=dict)
    byes: Mapping[int, float] = field(default_factory=dict)
    """Requested byes of the next round, with their points."""
    drawn: tuple[int, ...] = ()
    """The entrants when round 1 was drawn, who make up a round robin or a knockout."""

    @classmethod
    def of(cls, events: Iterable[Event]) -> Tournament:
        """Return the tournament after these events; the first one creates it."""
        source = iter(events)
        first = next(source, None)
        if not isinstance(first, Created):
            raise TournamentError("the first event must create the tournament")
        tournament = cls(first.settings)
        for event in source:
            tournament = tournament.after(event)
        return tournament

    def after(self, event: Event) -> Tournament:
        """Return the tournament after an event; raise `TournamentError` if it is not allowed."""
        match event:
            case Created():
                raise TournamentError("the tournament already exists")
            case Entered(name=name, rating=rating):
                checks.check_can_enter(self, name, rating)
                since = len(self.rounds) + 1
                entrant = Entrant(len(self.entrants) + 1, " ".join(name.split()), rating, since)
                return replace(self, entrants=(*self.entrants, entrant))
            case Withdrew(player=player):
                if self.entrant(player).withdrawn:
                    raise TournamentError(f"{self.entrant(player).name} has already withdrawn")
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
            case ResultEntered(round_no=round_no, board_no=board_no, result=result):
                checks.check_open(self, round_no, board_no)
                return self._with_result(round_no, board_no, result)
            case ResultCorrected(round_no=round_no, board_no=board_no, result=result):
                checks.check_can_correct(self, round_no, board_no, result)
                return self._with_result(round_no, board_no, result)

    def _with_entrant(self, changed: Entrant) -> Tournament:
        kept = (changed if entrant.entrant_no == changed.entrant_no else entrant for entrant in self.entrants)
        return replace(self, entrants=tuple(kept))

    def _with_result(self, round_no: int, board_no: int, result: PairingResult) -> Tournament:
        checks.check_result(self.settings, result)
        return replace(self, results={**self.results, (round_no, board_no): result})

    def entrant(self, entrant_no: int) -> Entrant:
        """Return an entrant by number."""
        if not 1 <= entrant_no <= len(self.entrants):
            raise TournamentError(f"nobody has entered with number {entrant_no}")
        return self.entrants[entrant_no - 1]

    def find_entrant(self, name: str) -> Entrant:
        """Return an entrant by name, ignoring case, or by number, such as `#3`."""
        if name.startswith("#") and name[1:].isdecimal():
            return self.entrant(int(name[1:]))
        folded = checks.fold_name(name)
        matches = [entrant for entrant in self.entrants if checks.fold_name(entrant.name) == folded]
        if not matches:
            raise TournamentError(f"nobody named {name} has entered")
        return matches[0]

    @property
    def active(self) -> tuple[Entrant, ...]:
        """The entrants who have not withdrawn."""
        return tuple(entrant for entrant in self.entrants if not entrant.withdrawn)

    def pairing(self, round_no: int, board_no: int) -> Pairing:
        """Return a pairing of a round."""
        if not 1 <= round_no <= len(self.rounds):
            paired = f"{len(self.rounds)} rounds are" if len(self.rounds) != 1 else "one round is"
            raise TournamentError(f"there is no round {round_no}: {paired} paired")
        pairings = self.rounds[round_no - 1]
        if not 1 <= board_no <= len(pairings):
            raise TournamentError(f"round {round_no} has no board {board_no} (expected 1 to {len(pairings)})")
        return pairings[board_no - 1]

    def current_pairing_id(self, player: int) -> PairingId:
        """Return the pairing of an entrant in the last round."""
        for board_no, pairing in enumerate(self.rounds[-1] if self.rounds else (), 1):
            if player in pairing.players:
                return len(self.rounds), board_no
        raise TournamentError(f"{self.entrant(player).name} is not paired in round {len(self.rounds)}")

    @property
    def missing(self) -> list[PairingId]:
        """The pairings without a result."""
        return [
            (round_no, board_no)
            for round_no, pairings in enumerate(self.rounds, 1)
            for board_no, pairing in enumerate(pairings, 1)
            if pairing.second is not None and (round_no, board_no) not in self.results
        ]

    @property
    def total_rounds(self) -> int | None:
        """The number of rounds; None for a ladder without a fixed number."""
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
        """Whether all rounds are played."""
        return bool(self.rounds) and len(self.rounds) == self.total_rounds and not self.missing

    def points(self, round_no: int, board_no: int) -> tuple[float, float]:
        """Return the match points of a pairing; 0 while it is open."""
        pairing = self.pairing(round_no, board_no)
        if pairing.second is None:
            return pairing.bye, 0.0
        result = self.results.get((round_no, board_no))
        return (0.0, 0.0) if result is None else match_points(self.settings, result)
