"""The players `mcts` and `uct`: Monte Carlo tree search, with and without enhancements."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from taiji.kernel import (
    Kernel,
    MoveInfo,
    Position,
    Search,
    SearchLimits,
    SearchOptions,
    SearchResult,
    WinCheck,
    get_kernel,
)
from taiji.kernel.machine import check_threads
from taiji.players.base import CandidateMove, Info, Limit, PlayerError, Report, check_choice
from taiji.players.endgame import CONSTRAINED_TIME_FRACTION, Endgame, SolverPlan, info_from_solution
from taiji.players.open_ended import STOPPED_SEARCH_S, BackgroundSolver, SearchWatch, choose_open_ended
from taiji.players.options import field_parsers, integer, parse_options, player_text, real, yes_no
from taiji.players.presets import search_preset, uct_preset
from taiji.rules import Game, MatchContext, Move, State

DEFAULT_THINK_S = 1.0
MAX_CANDIDATES = 20
TIME_OVERHEAD_S = 0.004
"""Seconds kept back from a search for the work around it."""
Preset = Callable[[Game], SearchOptions]
ResultT = TypeVar("ResultT", bound=SearchResult)

_LIMIT_PARSERS = {"playouts": integer, "seconds": real}
_OPTION_ALIASES = {
    "first_play": "first_play_urgency",
    "bias": "rave_bias",
    "reference": "grave_ref",
    "collect": "amaf_min_visits",
    "doubt": "amaf_prior",
    "expand": "expand_visits",
    "rescan": "widening_factor",
    "candidates": "playout_candidates",
    "learned": "amaf_playouts",
}
"""Earlier option names, still accepted."""


class MctsPlayer:
    """Monte Carlo tree search with an exact endgame.

    A `fixed_limit` with playouts or seconds overrides the limit of each call.
    """

    def __init__(
        self, name: str, preset: Preset, fixed_limit: Limit, *, endgame: bool, mirrors: bool = False
    ) -> None:
        self.name = name
        self._preset = preset
        self._fixed_limit = fixed_limit
        self._with_endgame = endgame
        self._mirrors = mirrors
        self._kernel: Kernel | None = None
        self._search: Search | None = None
        self._endgame: Endgame | None = None
        self._stopped = False

    def choose(
        self, state: State, limit: Limit, *, match: MatchContext | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose a move within the limit."""
        check_choice(state, limit, match, report)
        self._stopped = False
        if self._fixed_limit != Limit():
            limit = self._fixed_limit
        search, endgame = self._ready(state.game), self._endgame
        position = search.kernel.position_from_state(state)
        if limit.is_open_ended:
            return self._choose_open_ended(search, state, position, limit, match, report)
        seconds, playouts = limit.seconds, limit.playouts
        if seconds is None and playouts is None:
            seconds = DEFAULT_THINK_S
        proven = None if endgame is None else endgame.mirror_win(position, match)
        if proven is not None:
            return proven
        clock = MoveClock(seconds)
        plan = SolverPlan.NONE if endgame is None else endgame.plan(state, position, seconds, playouts)
        if endgame is not None and plan is SolverPlan.SOLVE:
            solution = endgame.solve(state, position, seconds, playouts, match)
            if solution is not None:
                info = info_from_solution(state, solution)
                return info.pv[0], info
        fraction = 1 - CONSTRAINED_TIME_FRACTION if plan is SolverPlan.CHECK_MOVES else 1.0
        remaining = STOPPED_SEARCH_S if self._stopped else clock.remaining(fraction)
        watch = SearchWatch(limit, report, search.stop, self._is_stopped)
        result = self._run(search, state, position, SearchLimits(playouts, remaining), match, watch)
        if endgame is not None and plan is SolverPlan.CHECK_MOVES and not self._stopped:
            moves = [move.action for move in result.moves]
            check = endgame.find_winning_move(position, moves, clock.remaining(), playouts, match)
            result = apply_win_check(result, check)
        return state.game.move(result.action), info_from_search(state, result)

    def _choose_open_ended(
        self,
        search: Search,
        state: State,
        position: Position,
        limit: Limit,
        match: MatchContext | None,
        report: Report | None,
    ) -> tuple[Move, Info]:
        solver = BackgroundSolver(self._endgame, state, position, match)
        watch = SearchWatch(limit, report, search.stop, self._is_stopped, solver)

        def run(seconds: float | None, watch: SearchWatch) -> tuple[Move, Info]:
            result = self._run(search, state, position, SearchLimits(seconds=seconds), match, watch)
            return state.game.move(result.action), info_from_search(state, result)

        return choose_open_ended(state, limit, solver, watch, run)

    def _is_stopped(self) -> bool:
        return self._stopped

    @staticmethod
    def _run(
        search: Search,
        state: State,
        position: Position,
        limits: SearchLimits,
        match: MatchContext | None,
        watch: SearchWatch,
    ) -> SearchResult:
        def on_info(result: SearchResult) -> None:
            if result.action >= 0:  # on a busy machine the first playout may not have ended yet
                watch(info_from_search(state, result))

        result = search.run(position, limits, match=match, on_info=on_info, every=watch.interval_s)
        return result if result.action >= 0 else search.run(position, SearchLimits(playouts=1), match=match)

    def prepare(self, game: Game) -> None:
        """Build the kernel and the search of the game."""
        self._ready(game)

    def _ready(self, game: Game) -> Search:
        if self._search is None or self._kernel is None or self._kernel.game != game:
            self._kernel = get_kernel(game)
            self._search = Search(self._kernel, self._preset(game))
            self._endgame = Endgame(self._kernel, mirrors=self._mirrors) if self._with_endgame else None
        return self._search

    def stop(self) -> None:
        """Stop the running search."""
        self._stopped = True
        if self._endgame is not None:
            self._endgame.stop()
        if self._search is not None:
            self._search.stop()

    def new_game(self) -> None:
        """Drop the tree."""
        if self._search is not None:
            self._search.reset()

    def close(self) -> None:
        """Release the tree."""
        self._search = self._endgame = self._kernel = None


class MoveClock:
    """The time that is left for one move; None means without a time limit."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._began = time.perf_counter()

    def remaining(self, fraction: float = 1.0) -> float | None:
        """Return a fraction of the seconds left, always more than 0."""
        if self._seconds is None:
            return None
        elapsed = time.perf_counter() - self._began
        return fraction * max(0.001, self._seconds - elapsed - TIME_OVERHEAD_S)


def apply_win_check(result: ResultT, check: WinCheck) -> ResultT:
    """Put a winning move first, or else the best move that is not known to lose."""
    if check.winning_move is not None:
        searched = next((m for m in result.moves if m.action == check.winning_move), None)
        best = (
            MoveInfo(check.winning_move, 1, 1.0, result.margin)
            if searched is None
            else replace(searched, win_prob=1.0)
        )
    else:
        kept = [m for m in result.moves if m.action not in check.refuted]
        if not kept or kept[0] is result.moves[0]:
            return result
        best = kept[0]
    others = (m for m in result.moves if m.action != best.action)
    return replace(
        result, action=best.action, win_prob=best.win_prob, margin=best.margin, moves=(best, *others)
    )


def info_from_search(state: State, result: SearchResult) -> Info:
    """Return the result of a search as a player's evaluation."""
    game = state.game
    visits = max(1, sum(move.visits for move in result.moves))
    # After few playouts the PV may begin with another of several equal moves.
    pv = result.pv if result.pv[:1] == (result.action,) else (result.action,)
    return Info(
        win_prob=result.win_prob,
        margin=result.margin,
        pv=tuple(game.move(action) for action in pv),
        playouts=result.playouts,
        seconds=result.seconds,
        candidates=tuple(
            CandidateMove(game.move(m.action), m.visits / visits, m.win_prob, m.visits, m.margin)
            for m in result.moves[:MAX_CANDIDATES]
        ),
    )


def short_search(state: State, match: MatchContext | None = None) -> tuple[Move, Info]:
    """Choose a move by a tree search of a few hundredths of a second, where a player has no answer."""
    player = MctsPlayer("mcts", search_preset, Limit(), endgame=False)
    return player.choose(state, Limit(seconds=STOPPED_SEARCH_S), match=match)


def mcts(seed: int | None = None, /, **options: str) -> MctsPlayer:
    """Make the tree search from the options in its text."""
    return _make("mcts", search_preset, seed, options, endgame=True)


def uct(seed: int | None = None, /, **options: str) -> MctsPlayer:
    """Make plain UCT, without any enhancement, from the options in its text."""
    return _make("uct", uct_preset, seed, options, endgame=False)


def _make(name: str, preset: Preset, seed: int | None, texts: dict[str, str], *, endgame: bool) -> MctsPlayer:
    parsers = {**_LIMIT_PARSERS, "endgame": yes_no, "mirrors": yes_no, **field_parsers(SearchOptions())}
    values = parse_options(name, texts, parsers, _OPTION_ALIASES)
    limits = {key: values.pop(key) for key in _LIMIT_PARSERS if key in values}
    endgame, mirrors = values.pop("endgame", endgame), values.pop("mirrors", False)
    if mirrors and not endgame:
        raise PlayerError(f"{name}: mirrors=yes: invalid without an endgame")
    if seed is not None:
        values.setdefault("seed", seed)
    try:
        SearchOptions(**values).check()
        check_threads(values.get("threads", 1))
        fixed_limit = Limit(**limits)
    except ValueError as error:
        raise PlayerError(f"{name}: {error}") from error
    return MctsPlayer(
        player_text(name, texts),
        lambda game: replace(preset(game), **values),
        fixed_limit,
        endgame=endgame,
        mirrors=mirrors,
    )
