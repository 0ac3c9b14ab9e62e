"""A position: a frozen, hashable value without history that knows its legal moves, scores and outcome."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field, replace
from typing import assert_never

from taiji.rules.errors import NotationError, check_type
from taiji.rules.game import Game, Stage, Symbols
from taiji.rules.geometry import Board
from taiji.rules.layer import Layer
from taiji.rules.move_text import parse_move
from taiji.rules.outcomes import Outcome, Points, Scores, from_half_points
from taiji.rules.pieces import Colour, Seat
from taiji.rules.placements import Footprint, Move, NameKomi, Placement, Swap
from taiji.rules.program import CompiledStage, Source, Tally, Tie
from taiji.rules.reasons import IllegalMove, IllegalReason, explain
from taiji.rules.rows import Planes, applies, failed_mask, members
from taiji.rules.state_text import draw, represent


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """A position of a game. Equal pieces on the board and equal seats make equal positions."""

    game: Game
    placed: tuple[tuple[int, ...], ...]
    """For each stage reached, the actions of the placements on the board, sorted."""
    swapped: bool
    komi: int | None
    """Half points for Light, fixed by the rules or named; None as long as they are to be named."""
    layers: tuple[Layer, ...] = field(compare=False)
    supply: tuple[int, ...] = field(compare=False)
    last_seat: Seat | None = field(compare=False)
    """The seat that placed last."""
    banked: tuple[int, int] = field(compare=False)
    """Half points from the finished stages, by seat."""
    passing: tuple[int, ...] = field(compare=False)
    """For each test of the stage, the footprints that pass it, a bit per footprint."""
    live: int = field(compare=False)
    """The footprints that a piece may cover now, a bit per footprint; 0 once the game is over."""

    @classmethod
    def start(cls, game: Game) -> State:
        """Return the position before the first move; raise `Unsupported` for an unknown rule."""
        check_type("game", game, Game, "a Game")
        komi = None if game.komi_names else game.komi
        state = cls._start_stage(game, (), False, komi, (), None, (0, 0))
        for move in game.opening_moves:
            state = state.play(move)
        return state

    @classmethod
    def _start_stage(
        cls,
        game: Game,
        placed: tuple[tuple[int, ...], ...],
        swapped: bool,
        komi: int | None,
        layers: tuple[Layer, ...],
        last_seat: Seat | None,
        banked: tuple[int, int],
    ) -> State:
        """Start the next stage, skipping stages in which nothing can be placed."""
        rows = game.rows[len(placed)]
        stage = game.compiled.stages[len(placed)]
        layer = Layer(kinds=(0,) * len(stage.kinds))
        passing = rows.start(Planes(0, layer.kinds, layers[-1].covered if layers else 0))
        live = rows.live(passing, stage.supply, is_first=True)
        state = cls(
            game,
            (*placed, ()),
            swapped,
            komi,
            (*layers, layer),
            stage.supply,
            last_seat,
            banked,
            passing,
            live,
        )
        return state._advance_stage()

    @property
    def stage_index(self) -> int:
        """The index of the stage being played."""
        return len(self.placed) - 1

    @property
    def current_stage(self) -> Stage:
        """The stage being played, as declared."""
        return self.game.stages[len(self.placed) - 1]

    @property
    def compiled_stage(self) -> CompiledStage:
        """The stage being played, compiled."""
        return self.game.compiled.stages[len(self.placed) - 1]

    @property
    def board(self) -> Board:
        """The board being played on."""
        return self.current_stage.board

    @property
    def layer(self) -> Layer:
        """The squares and covered cells of the stage being played."""
        return self.layers[-1]

    @property
    def light(self) -> int:
        """The light squares of this stage's pieces."""
        return self.layers[-1].light

    @property
    def dark(self) -> int:
        """The dark squares of this stage's pieces."""
        return self.layers[-1].dark

    @property
    def covered(self) -> int:
        """The cells covered by this stage's pieces."""
        return self.layers[-1].covered

    @property
    def ground(self) -> int:
        """The cells covered by the stage before."""
        return self.layers[-2].covered if len(self.layers) > 1 else 0

    @property
    def symbols(self) -> Symbols:
        """The symbols under this stage's pieces: printed, or the squares of the stage before."""
        stage = self.compiled_stage
        if stage.symbols is not None:
            return stage.symbols
        if any(tally.source is Source.SYMBOLS for tally in stage.tallies):
            return Symbols(self.layers[-2].light, self.layers[-2].dark)
        return Symbols()

    @property
    def ply(self) -> int:
        """The number of turns played; a swap and a named komi count as one each, an opening as none."""
        named = bool(self.game.komi_names) and self.komi is not None
        return sum(map(len, self.placed)) + self.swapped + named - len(self.game.opening)

    @property
    def colour_to_move(self) -> Colour:
        """The colour whose turn it is."""
        first = self.current_stage.first_colour
        return first.other if len(self.placed[-1]) % 2 or self.must_name_komi else first

    @property
    def seat_to_move(self) -> Seat:
        """The seat whose turn it is."""
        return Seat(self.colour_to_move ^ self.swapped)

    def seat_of(self, colour: Colour) -> Seat:
        """Return who plays this colour now."""
        check_type("colour", colour, Colour, "a Colour")
        return Seat(colour ^ self.swapped)

    def colour_of(self, seat: Seat) -> Colour:
        """Return the colour that this seat plays now."""
        check_type("seat", seat, Seat, "a Seat")
        return Colour(seat ^ self.swapped)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.live

    @property
    def can_swap(self) -> bool:
        """Whether the player to move may swap."""
        is_due = self.current_stage.swap_after == len(self.placed[-1]) and not self.must_name_komi
        return is_due and not self.swapped and not self.is_over

    @property
    def must_name_komi(self) -> bool:
        """Whether the player to move has to name the komi before anything is placed."""
        return self.komi is None and len(self.placed) == 1 and not self.is_over

    @property
    def live_footprints(self) -> tuple[Footprint, ...]:
        """The footprints that a piece may cover now."""
        return tuple(members(self.live, self.game.layouts[self.stage_index].footprints))

    def legal(self) -> list[Move]:
        """Return every legal move, sorted by action."""
        if self.must_name_komi:
            return list(self.game.komi_moves)
        supply = self.supply
        live_faces = members(self.live, self.game.layouts[self.stage_index].faces)
        moves: list[Move] = [
            placement for faces in live_faces for placement in faces if supply[placement.stock]
        ]
        if self.can_swap and self.game.swap is not None:
            moves.append(self.game.swap)
        return moves

    def parse(self, text: str) -> Move:
        """Return the move written as `text`, legal or not; raise `NotationError` if it names no move."""
        return parse_move(self, text)

    def is_legal(self, move: Move | str) -> bool:
        """Return whether the move, or the move written as a text, is legal."""
        return self.illegal_reason(move) is None

    def illegal_reason(self, move: Move | str) -> IllegalReason | None:
        """Return the rule that forbids the move, or None if it is legal."""
        result = self._find_legal(move)
        return result if isinstance(result, IllegalReason) else None

    def _find_legal(self, move: Move | str) -> Move | IllegalReason:
        """Return the move that is given as such or as a text, or the rule that forbids it."""
        if self.is_over:
            return IllegalReason("over")
        if not isinstance(move, Placement | Swap | NameKomi):
            try:
                move = self.parse(move)
            except NotationError as error:
                if error.reason is None:
                    raise
                return error.reason
        return self._forbidding_rule(move) or move

    def _forbidding_rule(self, move: Move) -> IllegalReason | None:
        if isinstance(move, Swap):
            return None if self.can_swap and move == self.game.swap else IllegalReason("no-swap")
        if isinstance(move, NameKomi):
            is_known = self.must_name_komi and move in self.game.komi_moves
            return None if is_known else IllegalReason("no-komi")
        if self.must_name_komi:
            return IllegalReason("komi-first")
        if not self._has_move(move):
            return IllegalReason("foreign")
        if move.stage_index != self.stage_index:
            return IllegalReason("wrong-stage")
        is_live = self.live >> move.footprint.index & 1
        reason = None if is_live else self.footprint_illegal_reason(move.footprint)
        if reason is None and not self.supply[move.stock]:
            return IllegalReason("no-supply", (), move.kind)
        return reason

    def _has_move(self, move: Placement) -> bool:
        """Return whether the placement is one of this game's: the same cells in the same colours."""
        placements = self.game.placements
        return move.action < len(placements) and (
            placements[move.action] is move or placements[move.action] == move
        )

    def footprint_illegal_reason(self, footprint: Footprint) -> IllegalReason | None:
        """Return the rule that forbids covering these cells, whatever the face and the supply."""
        check_type("footprint", footprint, Footprint, "a Footprint")
        planes = Planes(self.covered, self.layer.kinds, self.ground)
        for test in self.compiled_stage.tests:
            if not applies(test, is_first=not self.covered):
                continue
            mask = failed_mask(test, footprint, planes, self.board)
            if mask is not None:
                return explain(test, mask, planes.of(test, footprint) & mask, footprint, self.board)
        return None

    def play(self, move: Move | str) -> State:
        """Return the position after the move, given as such or as a text; raise `IllegalMove` if illegal."""
        legal = self._find_legal(move)
        if isinstance(legal, IllegalReason):
            raise IllegalMove(legal)
        return self._play_unchecked(legal)

    def _play_unchecked(self, move: Move) -> State:
        if isinstance(move, Swap):
            return replace(self, swapped=True)
        if isinstance(move, NameKomi):
            return replace(self, komi=move.half_points)
        actions = list(self.placed[-1])
        insort(actions, move.action)
        layer = self.layers[-1].with_piece(move)
        stock = move.stock
        supply = (*self.supply[:stock], self.supply[stock] - 1, *self.supply[stock + 1 :])
        rows = self.game.rows[self.stage_index]
        passing = rows.update(self.passing, move.footprint, Planes(layer.covered, layer.kinds, self.ground))
        after = State(
            self.game,
            (*self.placed[:-1], tuple(actions)),
            self.swapped,
            self.komi,
            (*self.layers[:-1], layer),
            supply,
            self.seat_to_move,
            self.banked,
            passing,
            rows.live(passing, supply, is_first=False),
        )
        return after if after.live else after._advance_stage()

    def _advance_stage(self) -> State:
        """Start the next stage if this one has ended and another follows."""
        if self.live or len(self.placed) == len(self.game.stages):
            return self
        banked = self._half_points()
        return State._start_stage(
            self.game, self.placed, self.swapped, self.komi, self.layers, self.last_seat, banked
        )

    def scoring_cells(self, colour: Colour, tally: Tally | None = None) -> int:
        """Return the squares, or the uncovered symbols, that count for a colour; by default for the score."""
        check_type("colour", colour, Colour, "a Colour")
        check_type("tally", tally, (Tally, type(None)), "a Tally")
        return self._cells_of(colour, tally or self.compiled_stage.score)

    def _cells_of(self, colour: Colour, tally: Tally) -> int:
        if tally.source is Source.SYMBOLS:
            return self.symbols.of(colour) & ~self.covered
        return self.light if colour is Colour.LIGHT else self.dark

    def scoring_groups(self, colour: Colour) -> list[int]:
        """Return the groups of a colour that count in this stage; none if cells count one by one."""
        check_type("colour", colour, Colour, "a Colour")
        score = self.compiled_stage.score
        return [] if score.join is None else score.groups(self.board, self._cells_of(colour, score))

    def stage_scores(self) -> Scores:
        """Return the points of the stage being played, by seat, without the bonus for placing last."""
        return self._tally_scores(self.compiled_stage.score)

    def _tally_scores(self, tally: Tally) -> Scores:
        colours = (Colour(seat ^ self.swapped) for seat in Seat)
        return Scores(*(tally.score(self.board, self._cells_of(colour, tally)) for colour in colours))

    def _half_points(self) -> tuple[int, int]:
        current = self.stage_scores()
        bonus = self.current_stage.last_placement_bonus if self.is_over else 0
        komi = (self.komi or 0) if len(self.placed) == 1 else 0  # banked with the first stage
        light = self.seat_of(Colour.LIGHT)
        first, second = (
            self.banked[seat]
            + int(2 * current[seat])
            + (bonus if self.last_seat is seat else 0)
            + (komi if light is seat else 0)
            for seat in Seat
        )
        return first, second

    def scores(self) -> Scores:
        """Return the totals by seat, of all stages so far, with the komi."""
        first, second = self._half_points()
        return Scores(from_half_points(first), from_half_points(second))

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""
        if not self.is_over:
            return None
        scores = self.scores()
        tiebreaks = (self._tally_scores(tally) for tally in self.compiled_stage.tiebreak)
        for first, second in (scores, *tiebreaks):
            if first != second:
                return Outcome(Seat.FIRST if first > second else Seat.SECOND, scores)
        return Outcome(self._tie_winner(), scores)

    def _tie_winner(self) -> Seat | None:
        match self.game.tie_rule:
            case Tie.LIGHT:
                return self.seat_of(Colour.LIGHT)
            case Tie.DARK:
                return self.seat_of(Colour.DARK)
            case Tie.LAST:
                return self.last_seat
            case Tie.DRAW:
                return None
            case _:
                assert_never(self.game.tie_rule)

    def __str__(self) -> str:
        return draw(self)

    def __repr__(self) -> str:
        return represent(self)

    @classmethod
    def restore(
        cls,
        game: Game,
        placed: tuple[tuple[int, ...], ...],
        swapped: bool = False,
        komi: int | None = None,
    ) -> State:
        """Rebuild a position from each stage's placements; raise `IllegalMove` if no game leads there.

        `komi` is the komi that was named, in half points, if the rules let a player name it.
        """
        from taiji.rules.restoring import restore  # it plays states; the state only opens it

        return restore(game, placed, swapped, komi)


__all__ = ["Layer", "Outcome", "Placement", "Points", "Scores", "State", "from_half_points"]
