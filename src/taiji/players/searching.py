"""Players that search: Monte Carlo tree search, plain UCT to compare with, and the exact solver."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, TypeVar

from taiji.kernel import (
    Kernel,
    MoveInfo,
    Search,
    SearchLimits,
    SearchOptions,
    SearchResult,
    Solver,
    WinCheck,
    get_kernel,
)
from taiji.players.base import CandidateMove, Info, Limit, PlayerError, Report
from taiji.players.endgame import CONSTRAINED_TIME_FRACTION, Endgame, SolverPlan, info_from_solution
from taiji.players.presets import search_preset, uct_preset
from taiji.rules import Game, MatchContext, Move, State

DEFAULT_THINK_S = 1.0
MEBIBYTE = 1 << 20
Preset = Callable[[Game], SearchOptions]
Found = TypeVar("Found", bound=SearchResult)
_LIMIT_OPTIONS = ("playouts", "seconds")
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
MAX_CANDIDATES = 20
TIME_OVERHEAD_S = 0.004
"""Seconds kept back from a search for what happens around it."""


class MctsPlayer:
    """Searches a tree by playouts; solves the end of the game exactly where it can.

    Its own `playouts` or `seconds` go before the limit it is given.
    """

    def __init__(self, name: str, preset: Preset, fixed_limit: Limit, *, endgame: bool) -> None:
        self.name = name
        self._preset = preset
        self._fixed_limit = fixed_limit
        self._with_endgame = endgame
        self._kernel: Kernel | None = None
        self._search: Search | None = None
        self._endgame: Endgame | None = None
        self._stopped = False

    def choose(
        self, state: State, limit: Limit, *, match: MatchContext | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose a move within the limit."""
        self._stopped = False
        began = time.perf_counter()
        search = self._ready(state.game)
        if self._fixed_limit.seconds is not None or self._fixed_limit.playouts is not None:
            limit = self._fixed_limit
        seconds, playouts = limit.seconds, limit.playouts
        if seconds is None and playouts is None:
            seconds = DEFAULT_THINK_S
        position = search.kernel.position_from_state(state)
        endgame = self._endgame
        hope = SolverPlan.NONE if endgame is None else endgame.plan(state, position, seconds, playouts)
        if endgame is not None and hope is SolverPlan.SOLVE:
            solution = endgame.solve(state, position, seconds, playouts, match)
            if solution is not None:
                info = info_from_solution(state, solution)
                return info.pv[0], info

        def left() -> float | None:
            return (
                None
                if seconds is None
                else max(0.001, seconds - (time.perf_counter() - began) - TIME_OVERHEAD_S)
            )

        part = 1 - CONSTRAINED_TIME_FRACTION if hope is SolverPlan.CHECK_MOVES else 1.0
        result = search.run(
            position,
            SearchLimits(1 if self._stopped else playouts, None if seconds is None else part * (left() or 0)),
            match=match,
            on_info=None if report is None else lambda result: report(info_from_search(state, result)),
        )
        if result.action < 0:
            result = search.run(position, SearchLimits(playouts=1), match=match)
        if endgame is not None and hope is SolverPlan.CHECK_MOVES and not self._stopped:
            verdict = endgame.find_winning_move(
                position, [m.action for m in result.moves], left(), playouts, match
            )
            result = apply_win_check(result, verdict)
        return state.game.move(result.action), info_from_search(state, result)

    def prepare(self, game: Game) -> None:
        """Build the kernel and the search of the game."""
        self._ready(game)

    def _ready(self, game: Game) -> Search:
        if self._search is None or self._kernel is None or self._kernel.game != game:
            self._kernel = get_kernel(game)
            self._search = Search(self._kernel, self._preset(game))
            self._endgame = Endgame(self._kernel) if self._with_endgame else None
        return self._search

    def stop(self) -> None:
        """End the thinking under way."""
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


def apply_win_check(result: Found, verdict: WinCheck) -> Found:
    """Put a move that wins first, or else the best of those that are not known to lose."""
    if verdict.winning_move is not None:
        sure = next((m for m in result.moves if m.action == verdict.winning_move), None)
        sure = (
            MoveInfo(verdict.winning_move, 1, 1.0, result.margin)
            if sure is None
            else replace(sure, win_prob=1.0)
        )
        others = tuple(m for m in result.moves if m.action != verdict.winning_move)
    else:
        lost = set(verdict.refuted)
        open_moves = [m for m in result.moves if m.action not in lost]
        if not open_moves or open_moves[0] is result.moves[0]:
            return result
        sure = open_moves[0]
        others = tuple(m for m in result.moves if m is not sure)
    return replace(
        result, action=sure.action, win_prob=sure.win_prob, margin=sure.margin, moves=(sure, *others)
    )


def info_from_search(state: State, result: SearchResult) -> Info:
    """Return what a search has found as a player's thought."""
    game = state.game
    total = max(1, sum(move.visits for move in result.moves))
    # After few playouts the line followed most may begin with another of several equal moves.
    line = result.pv if result.pv[:1] == (result.action,) else (result.action,)
    return Info(
        win_prob=result.win_prob,
        margin=result.margin,
        pv=tuple(game.move(action) for action in line),
        playouts=result.playouts,
        seconds=result.seconds,
        candidates=tuple(
            CandidateMove(game.move(m.action), m.visits / total, m.win_prob, m.visits, m.margin)
            for m in result.moves[:MAX_CANDIDATES]
        ),
    )


class SolverPlayer:
    """Solves the position; it plays best, and takes as long as that takes where it has no limit."""

    name = "solver"

    def __init__(self, seed: int | None = None) -> None:
        self._solver: Solver | None = None

    def prepare(self, game: Game) -> None:
        """Build the solver of the game."""
        if self._solver is None or self._solver.kernel.game != game:
            self._solver = Solver(get_kernel(game), memory=256)

    def choose(
        self, state: State, limit: Limit, *, match: MatchContext | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose a best move; raise `PlayerError` where the position cannot be solved within the limit."""
        self.prepare(state.game)
        assert self._solver is not None
        solution = self._solver.solve(
            state,
            seconds=limit.seconds,
            nodes=limit.playouts,
            match=match,
            all_best=False,
        )
        if not solution.best:
            raise PlayerError(f"not solved within {solution.seconds:.1f} s ({solution.nodes:,} positions)")
        info = info_from_solution(state, solution)
        return info.pv[0], replace(info, exact=solution.solved)

    def stop(self) -> None:
        """End the solving under way."""
        if self._solver is not None:
            self._solver.stop()

    def new_game(self) -> None:
        """Keep the table: what is proven stays true."""

    def close(self) -> None:
        """Release the table."""
        self._solver = None


def mcts(seed: int | None = None, **options: str) -> MctsPlayer:
    """Make the tree search from the options of its text."""
    return _make("mcts", search_preset, seed, options, endgame=True)


def uct(seed: int | None = None, **options: str) -> MctsPlayer:
    """Make plain UCT, without any enhancement, from the options of its text."""
    return _make("uct", uct_preset, seed, options, endgame=False)


def _make(name: str, base: Preset, seed: int | None, texts: dict[str, str], *, endgame: bool) -> MctsPlayer:
    plain = SearchOptions()
    kinds: dict[str, Any] = {field.name: type(getattr(plain, field.name)) for field in fields(plain)}
    values: dict[str, Any] = {} if seed is None else {"seed": seed}
    own: dict[str, Any] = {}
    for given, text in texts.items():
        key = _OPTION_ALIASES.get(given, given)
        if key in _LIMIT_OPTIONS:
            own[key] = parse_number(name, key, text, int if key == "playouts" else float)
        elif key == "memory":
            values[key] = parse_number(name, key, text, int) * MEBIBYTE
        elif key == "endgame" and text in ("yes", "no"):
            endgame = text == "yes"
        elif key in kinds and kinds[key] is bool and text in ("yes", "no"):
            values[key] = text == "yes"
        elif key in kinds and kinds[key] is not bool:
            values[key] = parse_number(name, key, text, kinds[key])
        else:
            known = ", ".join([*_LIMIT_OPTIONS, "endgame", *kinds])
            raise PlayerError(f"{name} has no option {key}={text[:20]}: it has {known}")
    shown = ",".join(f"{key}={text}" for key, text in texts.items())
    try:
        replace(plain, **values).check()
        return MctsPlayer(
            f"{name}:{shown}" if shown else name,
            lambda game: replace(base(game), **values),
            Limit(**own),
            endgame=endgame,
        )
    except ValueError as error:
        raise PlayerError(f"{name}: {error}") from error


def parse_number(name: str, key: str, text: str, kind: type) -> Any:
    """Read the number of an option; raise `PlayerError` naming the option where it is none."""
    try:
        value = kind(text)
    except ValueError:
        raise PlayerError(f"{name}: {key} takes a number, not {text[:20]!r}") from None
    if not 0 <= value < 1e12:
        raise PlayerError(f"{name}: {key}={text[:20]} is out of range")
    return value
