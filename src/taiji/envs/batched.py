"""A batched environment for accelerators: thousands of games of one family stepped together in JAX.

The functions are pure and written for one game; `jax.vmap` plays many. Games that differ only in board and
scoring can be mixed in one batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from taiji.envs.batched_groups import NO_GROUP, add_square, flood_sizes, group_sizes
from taiji.envs.batched_scoring import TallyScorer, largest_sizes
from taiji.envs.batched_state import UNNAMED, BatchedState, ScoredState
from taiji.envs.batched_tables import ENGINE, BatchedTables
from taiji.envs.batched_tests import PlacementTests
from taiji.envs.game_argument import to_game
from taiji.nets.planes import margin
from taiji.rules import Colour, Game, Symbols, Tie, Unsupported
from taiji.rules.program import Source, Tally

LIGHT, DARK = 1, 2
MAX_BYTE = 255


class BatchedEnv:
    """One family of games; `game_actions` maps the actions of its `PolicyLayout` to those of each game.

    It interprets the compiled form of the games and raises `Unsupported` for a rule that it cannot play.
    """

    def __init__(self, games: Game | str | Sequence[Game | str]) -> None:
        several = games if isinstance(games, list | tuple) else [games]
        self.tables = BatchedTables([to_game(game) for game in several])
        tables = self.tables
        self.games = tables.games
        self.actions, self.cells, self.planes = tables.actions, tables.cells, len(tables.planes)
        self.game_actions = tables.game_actions
        self.exact = jnp.dtype(jnp.float32 if jax.default_backend() == "cpu" else jnp.bfloat16)
        self._tests = PlacementTests(tables)
        self._scorers = [
            [TallyScorer(tally, tables.cells, tables.max_cells(tally.source)) for tally in tallies]
            for tallies in tables.tallies
        ]
        self._score_type = self._choose_score_type()
        self._neighbours = tables.neighbours(tables.adjacency)
        stages = [game.stages[0] for game in self.games]
        self._boards = np.stack([tables.embed(stage.board, stage.board.cells) for stage in stages])
        self.supplies = np.array([stage.supply for stage in stages], np.int16)
        self._symbols = np.stack([self.symbol_row(game, game.stages[0].symbols) for game in self.games])

    def __reduce__(self) -> tuple[type[BatchedEnv], tuple[list[Game]]]:
        return BatchedEnv, (list(self.games),)

    def _choose_score_type(self) -> np.dtype[Any]:
        """Return int32, or uint32 if a score needs the 32nd bit."""
        scorers = [scorer for scorers in self._scorers for scorer in scorers]
        widest = max(scorers, key=lambda scorer: scorer.high)
        if (self.tables.komi or self.tables.komi_names) and max(
            widest.high, -min(scorer.low for scorer in scorers)
        ) >= 2**29:
            raise Unsupported(ENGINE, widest.tally.rule, "a komi beside scores of more than 29 bits")
        if widest.high < 2**31:
            return np.dtype(np.int32)
        if any(scorer.low < 0 for scorer in scorers):
            raise Unsupported(ENGINE, widest.tally.rule, "more than 31 bits beside scores below 0")
        return np.dtype(np.uint32)

    def symbol_row(self, game: Game, symbols: Symbols | None) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        """Return printed symbols as a row of this environment's grid."""
        board, marks = game.stages[0].board, symbols or Symbols()
        light, dark = (self.tables.embed(board, mask) for mask in (marks.light, marks.dark))
        return (light * LIGHT + dark * DARK).astype(np.uint8)

    def reset(self, game: jax.Array, symbol: jax.Array | None = None) -> BatchedState:
        """Return the start of the game with this index, with its own symbols unless others are given."""
        cells = self.cells
        blank = jnp.zeros(cells, jnp.uint8)
        state = BatchedState(
            board=jnp.asarray(self._boards)[game],
            rule=jnp.asarray(self.tables.game_rule)[game],
            symbol=jnp.asarray(self._symbols)[game] if symbol is None else symbol.astype(jnp.uint8),
            colour=blank,
            kind=blank,
            label=jnp.full(cells, NO_GROUP, jnp.uint8),
            size=blank,
            supply=jnp.asarray(self.supplies)[game],
            live=jnp.zeros(len(self.tables.shapes) * cells, jnp.bool_),
            placed=jnp.int32(0),
            swapped=jnp.bool_(False),
            komi=jnp.int32(UNNAMED if self.tables.komi_names else self.tables.komi),
            last=jnp.int32(-1),
            done=jnp.bool_(False),
        )
        state = self._update_live(state)
        if not self.tables.openings.shape[1]:
            return state
        # A loop is compiled once, however many pieces lie on the board.
        return jax.lax.scan(self._open, state, jnp.asarray(self.tables.openings)[game])[0]

    def _open(self, state: BatchedState, action: jax.Array) -> tuple[BatchedState, None]:
        """Place a piece of an opening; -1 stands for none."""
        return _choose(action >= 0, self._place(state, jnp.maximum(action, 0)), state), None

    def _update_live(self, state: BatchedState) -> BatchedState:
        tables = self.tables
        in_stock = [
            (state.supply[np.flatnonzero(tables.stock_kind == kind)] > 0).any()
            for kind in range(tables.kinds)
        ]
        live = self._tests.find_live(state, in_stock)
        return state._replace(live=live, done=~live.any())

    def legal(self, state: BatchedState) -> jax.Array:
        """Return the legal actions: [actions] bool."""
        tables = self.tables
        live = state.live.reshape(-1, self.cells)
        in_stock = (state.supply > 0)[tables.plane_stock]
        # One part per shape: a CPU does these several times faster than one gather of all planes.
        parts = [
            live[shape] & in_stock[planes.start : planes.stop, None]
            for shape, planes in tables.planes_by_shape
        ]
        faces = jnp.concatenate(parts).reshape(-1)
        if not tables.swap:
            return faces
        naming = self.must_name_komi(state)
        names = jnp.broadcast_to(naming, len(tables.komi_names))
        return jnp.concatenate([faces & ~naming, self.can_swap(state)[None], names])

    def can_swap(self, state: BatchedState) -> jax.Array:
        """Return whether the mover may swap."""
        if not self.tables.swap:
            return jnp.zeros_like(state.done)
        is_due = state.placed == self.tables.swap_after
        return ~state.swapped & is_due & ~self.must_name_komi(state) & ~state.done

    def must_name_komi(self, state: BatchedState) -> jax.Array:
        """Return whether the mover has to name the komi."""
        return (state.komi == UNNAMED) & ~state.done

    def colour_to_move(self, state: BatchedState) -> jax.Array:
        """Return the colour to move: 0 light, 1 dark."""
        return (state.placed + int(self.tables.first) + self.must_name_komi(state)) % 2

    def seat_to_move(self, state: BatchedState) -> jax.Array:
        """Return the seat to move."""
        return self.colour_to_move(state) ^ state.swapped.astype(jnp.int32)

    def step(self, state: BatchedState, action: jax.Array) -> BatchedState:
        """Play a legal action; a finished game does not change."""
        tables = self.tables
        swap = tables.placement_count
        after = self._place(state, jnp.minimum(action, swap - 1))
        if tables.swap:
            after = _choose(action == swap, state._replace(swapped=jnp.bool_(True)), after)
        if tables.komi_names:
            named = jnp.asarray(tables.komi_names, jnp.int32)[jnp.maximum(action - swap - 1, 0)]
            after = _choose(action > swap, state._replace(komi=named), after)
        return _choose(state.done, state, after)

    def _place(self, state: BatchedState, action: jax.Array) -> BatchedState:
        tables = self.tables
        plane, anchor = action // self.cells, action % self.cells
        shape = jnp.asarray(tables.plane_shape)[plane]
        cells = jnp.asarray(tables.footprint_cells)[shape * self.cells + anchor]
        kind = jnp.asarray(tables.footprint_kind)[shape * self.cells] + 1
        colour, label, size = state.colour, state.label, state.size
        squares = jnp.asarray(tables.face_cells)[action]
        neighbours = jnp.asarray(self._neighbours)
        for index in range(squares.shape[0]):
            colour_code = LIGHT if index < tables.squares[0] else DARK
            colour, label, size = add_square(colour, label, size, squares[index], colour_code, neighbours)
        stock = jnp.asarray(tables.plane_stock)[plane]
        return self._update_live(
            state._replace(
                colour=colour,
                kind=jnp.where(cells, kind.astype(jnp.uint8), state.kind),
                label=label,
                size=size,
                supply=state.supply - (jnp.arange(tables.stocks) == stock).astype(jnp.int16),
                placed=state.placed + 1,
                last=self.seat_to_move(state),
            )
        )

    def scores(self, state: BatchedState) -> jax.Array:
        """Return the points of light and dark: [2]."""
        return self.score_state(state).points

    def score_state(self, state: BatchedState) -> ScoredState:
        """Return the points and the lead as if the game ended now."""
        by_rule = [self._score_by_rule(state, index) for index in range(len(self.tables.rules))]
        if len(by_rule) == 1:
            return by_rule[0]
        scored: ScoredState = jax.tree.map(lambda *parts: jnp.stack(parts)[state.rule], *by_rule)
        return scored

    def _score_by_rule(self, state: BatchedState, index: int) -> ScoredState:
        scorers = self._scorers[index]
        depth = max(scorer.tops for scorer in scorers)
        groups = {}
        points = []
        for scorer in scorers:
            key = (scorer.tally.source, scorer.tally.join)
            if key not in groups:
                sizes = [self._group_sizes(state, scorer.tally, code) for code in (LIGHT, DARK)]
                groups[key] = [(part, largest_sizes(part, depth)) for part in sizes]
            cells = [self._cells_of(state, scorer.tally.source, code) for code in (LIGHT, DARK)]
            points.append(
                [
                    scorer.score(*parts, own, self._score_type)
                    for parts, own in zip(groups[key], cells, strict=True)
                ]
            )
        score = scorers[0]
        tiebreak = jnp.int32(0)
        for light, dark in points[1:]:
            step = (light > dark).astype(jnp.int32) - (light < dark).astype(jnp.int32)
            tiebreak = jnp.where(tiebreak == 0, step, tiebreak)
        counting = jnp.stack([self.owned(state, code) for code in (LIGHT, DARK)])
        if not self.tables.symbols:
            tops = [top for _, top in groups[score.tally.source, score.tally.join]]
            counting &= jnp.stack([state.size >= score.threshold(top) for top in tops])
        light, dark = (part.astype(jnp.float32) for part in points[0])
        lead = margin(score.tally, light, dark, jnp.log2)
        return ScoredState(jnp.stack(points[0]), lead, tiebreak, counting)

    def _group_sizes(self, state: BatchedState, tally: Tally, colour_code: int) -> jax.Array:
        """Return the size of each group of a colour at one of its cells, 0 at every other cell."""
        if tally.join is None:
            return jnp.zeros(self.cells, jnp.int32)
        if tally.source is Source.SQUARES and tally.join is self.tables.adjacency:
            return group_sizes(state.colour, state.label, state.size, colour_code)
        neighbours = jnp.asarray(self.tables.neighbours(tally.join))
        return flood_sizes(self._cells_of(state, tally.source, colour_code), neighbours)

    def _cells_of(self, state: BatchedState, source: Source, colour_code: int) -> jax.Array:
        if source is Source.SYMBOLS:
            return (state.symbol == colour_code) & (state.kind == 0)
        return state.colour == colour_code

    def owned(self, state: BatchedState, colour_code: int) -> jax.Array:
        """Return the cells of a colour that the score counts: [cells] bool."""
        source = Source.SYMBOLS if self.tables.symbols else Source.SQUARES
        return self._cells_of(state, source, colour_code)

    def winner(self, state: BatchedState) -> jax.Array:
        """Return the seat that wins if the game ends now, -1 for a draw."""
        scored, swapped = self.score_state(state), state.swapped.astype(jnp.int32)
        light, dark = scored.points
        if self.tables.komi or self.tables.komi_names:
            komi = jnp.where(state.komi == UNNAMED, 0, state.komi)
            light, dark = 2 * light + komi, 2 * dark
        ahead = jnp.where(light == dark, scored.tiebreak, jnp.where(light > dark, 1, -1))
        tied = {
            Tie.LIGHT: swapped,
            Tie.DARK: 1 - swapped,
            Tie.LAST: state.last,
            Tie.DRAW: jnp.int32(-1),
        }[self.tables.tie]
        return jnp.where(ahead == 0, tied, jnp.where(ahead > 0, Colour.LIGHT, Colour.DARK) ^ swapped)

    def random_action(self, bits: jax.Array, legal: jax.Array) -> jax.Array:
        """Return a uniformly random legal action, from 32 random bits; the last action if none is legal."""
        faces = self.tables.placement_count
        rows = legal[:faces].reshape(self.planes, self.cells)
        # Per cell, in bytes: the sums that a CPU vectorises.
        parts = [rows[i : i + MAX_BYTE] for i in range(0, self.planes, MAX_BYTE)]
        sums = _running_sums(
            jnp.stack([part.sum(0, dtype=jnp.uint8) for part in parts]).sum(0, dtype=jnp.int32)
        )
        others = _running_sums(legal[faces:]) if legal.shape[0] > faces else jnp.zeros(1, jnp.int32)
        rank = _scale(bits, sums[-1] + others[-1])
        other = jnp.minimum(faces + (others <= rank - sums[-1]).sum(), self.actions - 1)
        cell = (sums <= rank).sum()
        anchor = jnp.minimum(cell, self.cells - 1)
        rank -= jnp.where(cell > 0, sums[cell - 1], 0)
        plane = (_running_sums(rows[:, anchor]) <= rank).sum()
        return jnp.where(cell < self.cells, plane * self.cells + anchor, other)


def _choose(condition: jax.Array, one: BatchedState, two: BatchedState) -> BatchedState:
    """Return the first state if the condition holds, else the second."""
    chosen: BatchedState = jax.tree.map(partial(jnp.where, condition), one, two)
    return chosen


def _scale(bits: jax.Array, count: jax.Array) -> jax.Array:
    """Return 32 random bits scaled to 0 to `count` - 1, for counts below 2**16."""
    high, low = bits >> 16, bits & 0xFFFF
    return ((high * count.astype(jnp.uint32) + (low * count.astype(jnp.uint32) >> 16)) >> 16).astype(
        jnp.int32
    )


def _running_sums(values: jax.Array) -> jax.Array:
    """Return the sums of the values up to each index: a product, which a CPU does faster than a scan."""
    upper = np.triu(np.ones((values.shape[0],) * 2, np.float32))
    return jnp.matmul(values.astype(jnp.float32), upper, precision="highest").astype(jnp.int32)


__all__ = ["BatchedEnv", "BatchedState"]
