"""A position: a frozen, hashable value without history that knows its legal moves, scores and outcome."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from typing import NamedTuple

from taiji.rules.game import Game, Stage, Symbols
from taiji.rules.geometry import Board
from taiji.rules.pieces import Colour, Seat
from taiji.rules.placements import Footprint, Move, Placement, Swap
from taiji.rules.placing import PlacementContext
from taiji.rules.reasons import IllegalMove, IllegalReason
from taiji.rules.scoring import Tie, UncoveredSymbols

Points = int | float
"""A score: whole, or with the half point that some games give."""


class Scores(NamedTuple):
    """Points by seat."""

    first: Points
    second: Points

    def of(self, seat: Seat) -> Points:
        """Return one seat's points."""
        return self[seat]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended; no winner means a draw."""

    winner: Seat | None
    scores: Scores


@dataclass(frozen=True, slots=True)
class Layer:
    """The pieces of one stage as they lie on the board, as masks."""

    light: int = 0
    dark: int = 0
    covered: int = 0
    kinds: tuple[int, ...] = ()


def from_half_points(halves: int) -> Points:
    """Turn half points into points, whole where they are."""
    return halves / 2 if halves % 2 else halves // 2


@dataclass(frozen=True, slots=True)
class State:
    """A position of a game. Equal pieces on the board and equal seats make equal positions."""

    game: Game
    placed: tuple[tuple[int, ...], ...]
    """For each stage reached, the numbers of the placements on the board, sorted."""
    swapped: bool
    layers: tuple[Layer, ...] = field(compare=False, repr=False)
    supply: tuple[int, ...] = field(compare=False, repr=False)
    last_seat: Seat | None = field(compare=False, repr=False)
    """Who placed last."""
    banked: tuple[int, int] = field(compare=False, repr=False)
    """Half points from the finished stages, by seat."""
    live: tuple[Footprint, ...] = field(compare=False, repr=False)
    """The footprints that a piece may cover now; none once the game is over."""

    @classmethod
    def start(cls, game: Game) -> State:
        """Return the position before the first move."""
        return cls._start_stage(game, (), False, (), None, (0, 0))

    @classmethod
    def _start_stage(
        cls,
        game: Game,
        placed: tuple[tuple[int, ...], ...],
        swapped: bool,
        layers: tuple[Layer, ...],
        last: Seat | None,
        banked: tuple[int, int],
    ) -> State:
        """Start the next stage, passing over stages in which nothing can be placed."""
        rules = game.stages[len(placed)]
        layer = Layer(kinds=(0,) * len(rules.kinds))
        fresh = cls(game, (*placed, ()), swapped, (*layers, layer), rules.supply, last, banked, ())
        live = fresh._find_live(game.layouts[len(placed)].footprints)
        return cls(
            game, fresh.placed, swapped, fresh.layers, rules.supply, last, banked, live
        )._advance_stage()

    @property
    def stage_index(self) -> int:
        """The index of the stage being played."""
        return len(self.placed) - 1

    @property
    def current_stage(self) -> Stage:
        """The stage being played."""
        return self.game.stages[self.stage_index]

    @property
    def board(self) -> Board:
        """The board being played on."""
        return self.current_stage.board

    @property
    def layer(self) -> Layer:
        """The pieces of the stage being played."""
        return self.layers[-1]

    @property
    def light(self) -> int:
        """The light squares of this stage's pieces."""
        return self.layer.light

    @property
    def dark(self) -> int:
        """The dark squares of this stage's pieces."""
        return self.layer.dark

    @property
    def covered(self) -> int:
        """The cells covered by this stage's pieces."""
        return self.layer.covered

    @property
    def ground(self) -> int:
        """The cells covered by the stage before."""
        return self.layers[-2].covered if self.stage_index else 0

    @property
    def symbols(self) -> Symbols:
        """The symbols under this stage's pieces: printed, or the squares of the stage before."""
        if self.current_stage.symbols is not None:
            return self.current_stage.symbols
        if isinstance(self.current_stage.scoring, UncoveredSymbols):
            below = self.layers[-2]
            return Symbols(below.light, below.dark)
        return Symbols()

    @property
    def ply(self) -> int:
        """How many turns have been played; a swap is one."""
        return sum(map(len, self.placed)) + self.swapped

    @property
    def colour_to_move(self) -> Colour:
        """The colour whose turn it is."""
        first = self.current_stage.first_colour
        return first.other if len(self.placed[-1]) % 2 else first

    @property
    def seat_to_move(self) -> Seat:
        """The seat whose turn it is."""
        return self.seat_of(self.colour_to_move)

    def seat_of(self, colour: Colour) -> Seat:
        """Return who plays this colour now."""
        return Seat(colour ^ self.swapped)

    def colour_of(self, seat: Seat) -> Colour:
        """Return the colour that this seat plays now."""
        return Colour(seat ^ self.swapped)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.live

    @property
    def can_swap(self) -> bool:
        """Whether the player to move may swap."""
        return self.current_stage.swap and not self.swapped and len(self.placed[-1]) == 1 and not self.is_over

    def legal(self) -> list[Move]:
        """Return every choice, sorted by number."""
        faces = self.game.layouts[self.stage_index].faces
        supply = self.supply
        moves: list[Move] = [p for footprint in self.live for p in faces[footprint.index] if supply[p.stock]]
        if self.can_swap and self.game.swap is not None:
            moves.append(self.game.swap)
        return moves

    def is_legal(self, move: Move) -> bool:
        """Tell whether the move is allowed."""
        return self.illegal_reason(move) is None

    def illegal_reason(self, move: Move) -> IllegalReason | None:
        """Say which rule forbids the move, or None where it is allowed."""
        if self.is_over:
            return IllegalReason("over")
        if isinstance(move, Swap):
            return None if self.can_swap else IllegalReason("no-swap")
        if move.stage_index != self.stage_index:
            return IllegalReason("wrong-stage")
        reason = self.footprint_illegal_reason(move.footprint)
        if reason is None and not self.supply[move.stock]:
            return IllegalReason("no-supply", (), move.kind)
        return reason

    def footprint_illegal_reason(self, footprint: Footprint) -> IllegalReason | None:
        """Say which rule forbids covering these cells, whatever the face and the supply."""
        taken = footprint.cells & self.covered
        if taken:
            return IllegalReason("occupied", (self.board.names(taken)[0],))
        site = self._site()
        for rule in self.current_stage.constraints:
            if not rule.allows(footprint, site):
                return rule.reason(footprint, site)
        return None

    def play(self, move: Move) -> State:
        """Return the position after the move; raise `IllegalMove` where it is not allowed."""
        reason = self.illegal_reason(move)
        if reason is not None:
            raise IllegalMove(reason)
        return self._play_unchecked(move)

    def _play_unchecked(self, move: Move) -> State:
        if isinstance(move, Swap):
            return State(
                self.game, self.placed, True, self.layers, self.supply, self.last_seat, self.banked, self.live
            )
        here = list(self.placed[-1])
        insort(here, move.action)
        kind = move.footprint.kind_index
        kinds = tuple(m | move.cells if k == kind else m for k, m in enumerate(self.layer.kinds))
        layer = Layer(self.light | move.light, self.dark | move.dark, self.covered | move.cells, kinds)
        supply = tuple(n - 1 if slot == move.stock else n for slot, n in enumerate(self.supply))
        placed = (*self.placed[:-1], tuple(here))
        after = State(
            self.game,
            placed,
            self.swapped,
            (*self.layers[:-1], layer),
            supply,
            self.seat_to_move,
            self.banked,
            (),
        )
        candidates = (
            self.game.layouts[self.stage_index].footprints
            if self.current_stage.can_become_live
            else self.live
        )
        live = after._find_live(candidates)
        return State(
            self.game, placed, self.swapped, after.layers, supply, after.last_seat, self.banked, live
        )._advance_stage()

    def _advance_stage(self) -> State:
        """Go on to the next stage where this one has ended and another follows."""
        if self.live or self.stage_index + 1 == len(self.game.stages):
            return self
        return State._start_stage(
            self.game, self.placed, self.swapped, self.layers, self.last_seat, self._half_points()
        )

    def _site(self) -> PlacementContext:
        return PlacementContext(self.board, self.covered, self.layer.kinds, self.ground)

    def _find_live(self, candidates: tuple[Footprint, ...]) -> tuple[Footprint, ...]:
        site = self._site()
        covered = self.covered
        rules = self.current_stage.constraints
        supply = self.supply
        faces = self.game.layouts[self.stage_index].faces
        return tuple(
            footprint
            for footprint in candidates
            if not footprint.cells & covered
            and all(rule.allows(footprint, site) for rule in rules)
            and any(supply[placement.stock] for placement in faces[footprint.index])
        )

    def scoring_cells(self, colour: Colour) -> int:
        """Return the squares, or the uncovered symbols, that count for a colour in this stage."""
        if isinstance(self.current_stage.scoring, UncoveredSymbols):
            return self.symbols.of(colour) & ~self.covered
        return self.light if colour is Colour.LIGHT else self.dark

    def scoring_groups(self, colour: Colour) -> list[int]:
        """Return the groups of a colour that count in this stage."""
        return self.current_stage.scoring.scoring_groups(self.board, self.scoring_cells(colour))

    def stage_scores(self) -> Scores:
        """Return the points of the stage being played, by seat, without the bonus for placing last."""
        scores = [
            self.current_stage.scoring.score(self.board, self.scoring_cells(self.colour_of(seat)))
            for seat in Seat
        ]
        return Scores(*scores)

    def _half_points(self) -> tuple[int, int]:
        here = self.stage_scores()
        bonus = [
            self.current_stage.last_placement_bonus if not self.live and self.last_seat is seat else 0
            for seat in Seat
        ]
        first, second = (self.banked[seat] + int(2 * here[seat]) + bonus[seat] for seat in Seat)
        return first, second

    def scores(self) -> Scores:
        """Return the totals by seat, of all stages so far."""
        first, second = self._half_points()
        return Scores(from_half_points(first), from_half_points(second))

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""
        if not self.is_over:
            return None
        scores = self.scores()
        if scores.first != scores.second:
            return Outcome(Seat.FIRST if scores.first > scores.second else Seat.SECOND, scores)
        for rule in self.current_stage.tiebreak:
            first, second = (
                rule.score(self.board, self.scoring_cells(self.colour_of(seat))) for seat in Seat
            )
            if first != second:
                return Outcome(Seat.FIRST if first > second else Seat.SECOND, scores)
        return Outcome(self._tie_winner(), scores)

    def _tie_winner(self) -> Seat | None:
        winners = {
            Tie.LIGHT: self.seat_of(Colour.LIGHT),
            Tie.DARK: self.seat_of(Colour.DARK),
            Tie.LAST: self.last_seat,
            Tie.DRAW: None,
        }
        return winners[self.game.tie_rule]

    @classmethod
    def restore(cls, game: Game, placed: tuple[tuple[int, ...], ...], swapped: bool = False) -> State:
        """Rebuild a position from the placements of each stage; raise `IllegalMove` if no game leads there.

        Every constraint only ever tightens, except that pieces must touch, so placing whatever is allowed
        first finds an order wherever there is one.
        """
        state = cls.start(game)
        for numbers in placed:
            waiting = [game.move(number) for number in numbers]
            while waiting:
                ready = next((p for p in waiting if state.illegal_reason(p) is None), None)
                if ready is None:
                    raise IllegalMove(state.illegal_reason(waiting[0]) or IllegalReason("over"))
                waiting.remove(ready)
                state = state._play_unchecked(ready)
                if swapped and state.can_swap and game.swap is not None:
                    state = state._play_unchecked(game.swap)
        if len(placed) > len(state.placed):
            raise IllegalMove(IllegalReason("wrong-stage"))
        if swapped != state.swapped:
            raise IllegalMove(IllegalReason("no-swap"))
        return state


__all__ = ["Layer", "Outcome", "Placement", "Points", "Scores", "State", "from_half_points"]
