"""The player `neural`: PUCT search with a trained net, and exact play in the endgame."""

from __future__ import annotations

from dataclasses import replace

from taiji.kernel import Position, PuctLimits
from taiji.players.base import CandidateMove, Info, Limit, Player, PlayerError, Report, check_choice
from taiji.players.endgame import (
    CONSTRAINED_TIME_FRACTION,
    SolverPlan,
    info_from_solution,
    is_constrained,
    plies_left,
)
from taiji.players.first_moves import known_first_move
from taiji.players.neural_context import GameContext
from taiji.players.neural_settings import NeuralSettings, parse_settings
from taiji.players.open_ended import (
    REPORT_S,
    STOPPED_SEARCH_S,
    BackgroundSolver,
    SearchWatch,
    choose_open_ended,
)
from taiji.players.options import MEBIBYTE, player_text
from taiji.players.player_nets import bundled_net_for, open_bundled_nets, open_named_net
from taiji.players.searching import (
    DEFAULT_THINK_S,
    MoveClock,
    apply_win_check,
    mcts,
)
from taiji.rules import Game, MatchContext, Move, State

_FULL_GAME_TIME_FRACTION = 0.1
"""In the first stage of a double game, fraction of the time for the win probability of the full game."""
_PLAYOUTS_PER_EVALUATION = 100
"""Playouts that take about the time of one evaluation; sets the budget of the endgame solver."""


class NeuralPlayer:
    """Plays the games that its net supports with the net, and all others as `mcts`."""

    def __init__(self, name: str, settings: NeuralSettings, fallback: Player, endgame_player: Player) -> None:
        self.name = name
        self._settings = settings
        self._fallback = fallback
        self._endgame_player = endgame_player
        self._named_net = None if settings.net is None else open_named_net(settings.net)
        self._context: GameContext | None = None
        self._game: Game | None = None
        self._stopped = False

    def choose(
        self, state: State, limit: Limit, *, match: MatchContext | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose a move within the limit."""
        check_choice(state, limit, match, report)
        self._stopped = False
        # In a match even chances of winning this game are not what counts.
        known = known_first_move(state) if self._settings.book and match is None else None
        if known is not None and not limit.is_open_ended:
            return known
        stage = self._first_stage(state)
        if stage is not None:
            return self._choose_in_stage(state, stage, limit, match, report)
        return self._choose(state, limit, match, report)

    def _choose_in_stage(
        self, state: State, stage: Game, limit: Limit, match: MatchContext | None, report: Report | None
    ) -> tuple[Move, Info]:
        """Play the first stage of a double game as a game of its own; `mcts` evaluates the full game."""
        full, full_limit = Info(), Limit(seconds=REPORT_S)
        if not limit.is_open_ended:
            if limit.seconds is None and limit.playouts is None:
                limit = replace(limit, seconds=DEFAULT_THINK_S)
            full_limit = _scale(limit, _FULL_GAME_TIME_FRACTION)
        if self._settings.fixed_limits.seconds is None:
            _, full = self._fallback.choose(state, full_limit, match=match)

        def rescale(info: Info) -> Info:
            return _rescale_to_full_game(state.game, info, full)

        on_info = None if report is None else lambda info: report(rescale(info))
        rest = _scale(limit, 1 - _FULL_GAME_TIME_FRACTION)
        if self._stopped:
            rest = Limit(seconds=STOPPED_SEARCH_S)
        move, info = self._choose(replace(state, game=stage), rest, match, on_info)
        return state.game.move(move.action), rescale(info)

    def _first_stage(self, state: State) -> Game | None:
        """Return the first stage of a double game as a single game, if a bundled net supports it."""
        if self._named_net is not None or len(state.game.stages) == 1 or state.stage_index:
            return None
        # The half point for the last placement hardly changes how a stage is played.
        stage = replace(state.current_stage, last_placement_bonus=0)
        known = (game for net in open_bundled_nets() for game in net.games)
        return next((game for game in known if game.stages == (stage,)), None)

    def _choose(
        self, state: State, limit: Limit, match: MatchContext | None, report: Report | None
    ) -> tuple[Move, Info]:
        limits = self._limits(limit)
        clock = MoveClock(limits.seconds)
        context = self._ready(state.game)
        if context is None or (match is not None and _has_ratio_margin(state.game)):
            return self._fallback.choose(state, limit, match=match, report=report)
        position = context.kernel.position_from_state(state)
        if is_constrained(state) and plies_left(position) <= self._settings.handover_plies:
            return self._endgame_player.choose(state, limit, match=match, report=report)
        if limit.is_open_ended and not self._settings.limits_itself:
            return self._choose_open_ended(context, state, position, limit, match, report)
        endgame, seconds = context.endgame, limits.seconds
        proven = None if endgame is None else endgame.mirror_win(position, match)
        if proven is not None:
            return proven
        descents = limits.playouts or limits.evaluations
        playouts = None if descents is None else descents * _PLAYOUTS_PER_EVALUATION
        plan = SolverPlan.NONE if endgame is None else endgame.plan(state, position, seconds, playouts)
        if endgame is not None and plan is SolverPlan.SOLVE:
            solution = endgame.solve(state, position, seconds, playouts, match)
            if solution is not None:
                info = info_from_solution(state, solution)
                return info.pv[0], info
        fraction = 1 - CONSTRAINED_TIME_FRACTION if plan is SolverPlan.CHECK_MOVES else 1.0
        remaining = STOPPED_SEARCH_S if self._stopped else clock.remaining(fraction)
        watch = SearchWatch(limit, report, context.search.stop, self._is_stopped)
        result = context.run(state, position, replace(limits, seconds=remaining), match, watch)
        unproven = not self._stopped and not result.proven
        if endgame is not None and plan is SolverPlan.CHECK_MOVES and unproven:
            moves = [move.action for move in result.moves]
            check = endgame.find_winning_move(position, moves, clock.remaining(), playouts, match)
            result = apply_win_check(result, check)
        return state.game.move(result.action), context.info(state, result, match)

    def _choose_open_ended(
        self,
        context: GameContext,
        state: State,
        position: Position,
        limit: Limit,
        match: MatchContext | None,
        report: Report | None,
    ) -> tuple[Move, Info]:
        solver = BackgroundSolver(context.endgame, state, position, match)
        watch = SearchWatch(limit, report, context.search.stop, self._is_stopped, solver)

        def search(seconds: float | None, watch: SearchWatch) -> tuple[Move, Info]:
            result = context.run(state, position, PuctLimits(seconds=seconds), match, watch)
            return state.game.move(result.action), context.info(state, result, match)

        return choose_open_ended(state, limit, solver, watch, search)

    def _is_stopped(self) -> bool:
        return self._stopped

    def _limits(self, limit: Limit) -> PuctLimits:
        if self._settings.fixed_limits != PuctLimits():
            return self._settings.fixed_limits
        if self._settings.max_evaluations is not None:
            return PuctLimits(evaluations=self._settings.max_evaluations, seconds=limit.seconds)
        if limit.seconds is None and limit.playouts is None:
            return PuctLimits(seconds=DEFAULT_THINK_S)
        return PuctLimits(playouts=limit.playouts, seconds=limit.seconds)

    def prepare(self, game: Game) -> None:
        """Open the net and build the search of the game."""
        start = game.start()
        stage = self._first_stage(start)
        context = self._ready(stage or game)
        if context is None or stage is not None:
            self._fallback.prepare(game)
        if context is not None and is_constrained(start):
            self._endgame_player.prepare(stage or game)

    def _ready(self, game: Game) -> GameContext | None:
        if self._game != game:
            net = self._named_net or bundled_net_for(game)
            if self._named_net is not None and not self._named_net.supports(game):
                raise PlayerError(f"{self._named_net.path}: this net does not support {game}")
            self._context = None if net is None else GameContext(net, game, self._settings)
            self._game = game
        return self._context

    def stop(self) -> None:
        """Stop the running search."""
        self._stopped = True
        self._fallback.stop()
        self._endgame_player.stop()
        if self._context is not None:
            self._context.stop()

    def new_game(self) -> None:
        """Drop the trees."""
        self._fallback.new_game()
        self._endgame_player.new_game()
        if self._context is not None:
            self._context.search.reset()

    def close(self) -> None:
        """Release the trees and the evaluators."""
        self._context = self._game = None
        self._fallback.close()
        self._endgame_player.close()


def _scale(limit: Limit, fraction: float) -> Limit:
    """Return a fraction of a limit."""
    seconds = None if limit.seconds is None else fraction * limit.seconds
    playouts = None if limit.playouts is None else max(1, round(fraction * limit.playouts))
    return replace(limit, seconds=seconds, playouts=playouts)


def _rescale_to_full_game(game: Game, stage: Info, full: Info) -> Info:
    """Return the evaluation of a stage with the values of the double game that it belongs to."""

    def half(win_prob: float | None) -> float:
        return 0.5 if win_prob is None else win_prob

    def shift(entry: CandidateMove) -> CandidateMove:
        win_prob = half(entry.win_prob) + half(full.win_prob) - half(stage.win_prob)
        move = game.move(entry.move.action)
        return replace(entry, move=move, win_prob=min(1.0, max(0.0, win_prob)), margin=None)

    return replace(
        stage,
        win_prob=full.win_prob,
        margin=full.margin,
        pv=tuple(game.move(move.action) for move in stage.pv),
        candidates=tuple(shift(entry) for entry in stage.candidates),
        exact=False,
    )


def _has_ratio_margin(game: Game) -> bool:
    """Return whether the net's margins are ratios, to which a lead in points cannot be added."""
    from taiji.nets.planes import has_ratio_margin

    return has_ratio_margin(game.compiled.stages[0].score)


def neural(seed: int | None = None, /, **options: str) -> NeuralPlayer:
    """Make the player from the options in its text."""
    settings = parse_settings(seed, options)
    fallback, endgame_player = (_make_fallback(settings, seed) for _ in range(2))
    return NeuralPlayer(player_text("neural", options), settings, fallback, endgame_player)


def _make_fallback(settings: NeuralSettings, seed: int | None) -> Player:
    """Return `mcts` with the same threads, memory and limits, for what the net does not play."""
    texts = {"threads": str(settings.threads), "memory": str(settings.options.memory // MEBIBYTE)}
    limits = settings.fixed_limits
    if limits.seconds is not None:
        texts["seconds"] = str(limits.seconds)
    descents = limits.playouts or limits.evaluations
    if descents is not None:
        texts["playouts"] = str(descents * _PLAYOUTS_PER_EVALUATION)
    if not settings.endgame:
        texts["endgame"] = "no"
    if settings.mirrors:
        texts["mirrors"] = "yes"
    return mcts(seed, **texts)
