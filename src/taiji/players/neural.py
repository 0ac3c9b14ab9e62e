"""The player `neural`: a search led by a trained net, with exact play at the end of a game."""

from __future__ import annotations

import threading
import time
import warnings
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taiji.kernel import (
    CoreEvaluator,
    Evaluator,
    Puct,
    PuctLimits,
    PuctOptions,
    PuctResult,
    get_kernel,
)
from taiji.players.base import Info, Limit, Player, PlayerError, Report
from taiji.players.endgame import (
    CONSTRAINED_TIME_FRACTION,
    Endgame,
    SolverPlan,
    info_from_solution,
    plies_left,
)
from taiji.players.searching import (
    DEFAULT_THINK_S,
    MEBIBYTE,
    TIME_OVERHEAD_S,
    apply_win_check,
    info_from_search,
    mcts,
    parse_number,
)
from taiji.rules import Game, GroupProduct, MatchContext, Move, State, SumOfSquares

if TYPE_CHECKING:
    from taiji.nets.net import Net

MAX_BATCH = 64
MAX_THREADS = 256
RUNTIMES = ("core", "core-floats", "onnxruntime")
_LIMIT_OPTIONS = ("playouts", "evaluations", "seconds")
_REQUIRED_PACKAGES = ("numpy", "onnxruntime")
"""What a net needs beside this package: the extra `ai`."""


@dataclass(frozen=True, slots=True)
class NeuralSettings:
    """How the player thinks; its own playouts, evaluations or seconds go before the limit it is given."""

    options: PuctOptions
    fixed_limits: PuctLimits
    net: Path | None = None
    threads: int = 1
    batch: int = 1
    endgame: bool = True
    runtime: str = "core"
    """What runs the net: the core, where it knows the net's shape, with floats if asked, or onnxruntime."""
    handover: float = 9.0
    """Plies that random games still last from which `mcts` plays on, where pieces bind each other."""
    policy_temperature: float | None = None
    """Of the policy; without it what suits the game."""
    at_most: int | None = None
    """Evaluations that end a move beside the limit's seconds; its playouts are for games without a net."""

    def check(self) -> None:
        """Raise ValueError for settings that cannot be."""
        if self.policy_temperature is not None:
            replace(self.options, policy_temperature=self.policy_temperature).check()
        self.options.check()
        for name, most in (("threads", MAX_THREADS), ("batch", MAX_BATCH)):
            if not 1 <= getattr(self, name) <= most:
                raise ValueError(f"{name}={getattr(self, name)}: give 1 to {most}")
        if self.at_most == 0:
            raise ValueError("at_most=0: give more than 0")


class NeuralPlayer:
    """Plays the games its net has learnt by the net, and all others as `mcts`."""

    def __init__(self, name: str, settings: NeuralSettings, fallback: Player, endgame_player: Player) -> None:
        self.name = name
        self._settings = settings
        self._fallback = fallback
        self._endgame_player = endgame_player
        self._named_net = None if settings.net is None else _open(settings.net)
        self._context: _GameContext | None = None
        self._game: Game | None = None
        self._stopped = False

    def choose(
        self, state: State, limit: Limit, *, match: MatchContext | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose a move within the limit."""
        self._stopped = False
        stage = self._first_stage(state)
        if stage is not None:
            return self._choose_in_stage(state, stage, limit, match, report)
        return self._choose(state, limit, match, report)

    def _choose_in_stage(
        self, state: State, stage: Game, limit: Limit, match: MatchContext | None, report: Report | None
    ) -> tuple[Move, Info]:
        """Play the first stage of a double game as the game it is; `mcts` tells the chances of the whole."""
        whole = Info()
        if limit.seconds is None and limit.playouts is None:
            limit = replace(limit, seconds=DEFAULT_THINK_S)
        if self._settings.fixed_limits.seconds is None:
            _, whole = self._fallback.choose(state, _part(limit, _FULL_GAME_TIME_FRACTION), match=match)

        def of_the_whole(info: Info) -> Info:
            return _rescale_to_full_game(state.game, info, whole)

        tell = None if report is None else lambda info: report(of_the_whole(info))
        rest = Limit(playouts=1) if self._stopped else _part(limit, 1 - _FULL_GAME_TIME_FRACTION)
        move, info = self._choose(replace(state, game=stage), rest, match, tell)
        return state.game.move(move.action), of_the_whole(info)

    def _first_stage(self, state: State) -> Game | None:
        """Return the game that the first stage of a double game is alone, where a net has learnt it."""
        if self._named_net is not None or len(state.game.stages) == 1 or state.stage_index:
            return None
        stage = replace(
            state.current_stage, last_placement_bonus=0
        )  # a half point for who places last hardly changes a stage
        known = (game for net in _bundled() for game in net.games)
        return next((game for game in known if game.stages == (stage,)), None)

    def _choose(
        self, state: State, limit: Limit, match: MatchContext | None, report: Report | None
    ) -> tuple[Move, Info]:
        began = time.perf_counter()
        table = self._ready(state.game)
        if table is None or (match is not None and _has_ratio_margin(state.game)):
            return self._fallback.choose(state, limit, match=match, report=report)
        limits = self._limits(limit)
        position = table.kernel.position_from_state(state)
        if state.current_stage.constraints and plies_left(position) <= self._settings.handover:
            return self._endgame_player.choose(state, limit, match=match, report=report)
        endgame, seconds = table.endgame, limits.seconds
        descents = limits.playouts or limits.evaluations
        tries = None if descents is None else descents * _PLAYOUTS_PER_EVALUATION
        hope = SolverPlan.NONE if endgame is None else endgame.plan(state, position, seconds, tries)
        if endgame is not None and hope is SolverPlan.SOLVE:
            solution = endgame.solve(state, position, seconds, tries, match)
            if solution is not None:
                info = info_from_solution(state, solution)
                return info.pv[0], info

        def left() -> float | None:
            return (
                None
                if seconds is None
                else max(0.001, seconds - (time.perf_counter() - began) - TIME_OVERHEAD_S)
            )

        def thought(found: PuctResult) -> Info:
            return _info(state, found, table.net if match is None else None)

        part = 1 - CONSTRAINED_TIME_FRACTION if hope is SolverPlan.CHECK_MOVES else 1.0
        if seconds is not None:
            limits = replace(limits, seconds=part * (left() or 0))
        result = table.search.run(
            position,
            PuctLimits(evaluations=1) if self._stopped else limits,
            table.evaluators,
            match=match,
            on_info=None if report is None else lambda found: report(thought(found)),
        )
        if endgame is not None and hope is SolverPlan.CHECK_MOVES and not self._stopped and not result.proven:
            verdict = endgame.find_winning_move(
                position, [m.action for m in result.moves], left(), tries, match
            )
            result = apply_win_check(result, verdict)
        return state.game.move(result.action), thought(result)

    def _limits(self, limit: Limit) -> PuctLimits:
        own = self._settings.fixed_limits
        if own != PuctLimits():
            return own
        if self._settings.at_most is not None:
            return PuctLimits(evaluations=self._settings.at_most, seconds=limit.seconds)
        if limit.seconds is None and limit.playouts is None:
            return PuctLimits(seconds=DEFAULT_THINK_S)
        return PuctLimits(playouts=limit.playouts, seconds=limit.seconds)

    def prepare(self, game: Game) -> None:
        """Open the net and build the search of the game."""
        stage = self._first_stage(game.start())
        table = self._ready(stage or game)
        if table is None or stage is not None:
            self._fallback.prepare(game)
        if table is not None and game.stages[0].constraints:
            self._endgame_player.prepare(stage or game)

    def _ready(self, game: Game) -> _GameContext | None:
        if self._game != game:
            net = self._named_net or _bundled_for(game)
            if self._named_net is not None and not self._named_net.supports(game):
                raise PlayerError(f"{self._named_net.path}: this net has not learnt {game}")
            self._context = None if net is None else _GameContext(net, game, self._settings)
            self._game = game
        return self._context

    def stop(self) -> None:
        """End the thinking under way."""
        self._stopped = True
        self._fallback.stop()
        self._endgame_player.stop()
        if self._context is not None:
            self._context.stop()

    def new_game(self) -> None:
        """Drop the tree."""
        self._fallback.new_game()
        self._endgame_player.new_game()
        if self._context is not None:
            self._context.search.reset()

    def close(self) -> None:
        """Release the tree and the sessions."""
        self._context = self._game = None
        self._fallback.close()
        self._endgame_player.close()


_FULL_GAME_TIME_FRACTION = 0.1
"""The part of the time that goes to the chances of a whole double game while its first stage is played."""
_CONSTRAINED_TEMPERATURE = 2.0
"""The temperature of the policy where pieces bind each other: it is too sure of itself there."""
_PLAYOUTS_PER_EVALUATION = 100
"""About as many playouts take the time of one evaluation: what the endgame's solver may spend."""


class _GameContext:
    """All that one game needs: the search, what judges for it, and the solver of the end."""

    def __init__(self, net: Net, game: Game, settings: NeuralSettings) -> None:
        self.net = net
        self.kernel = kernel = get_kernel(game)
        options, temperature = settings.options, settings.policy_temperature
        if temperature is None:
            temperature = (
                _CONSTRAINED_TEMPERATURE if game.stages[0].constraints else options.policy_temperature
            )
        self.search = Puct(kernel, net.encoder_spec(game), replace(options, policy_temperature=temperature))
        self.evaluators: list[Evaluator | CoreEvaluator] = [
            net.evaluator(game, settings.batch, settings.runtime) for _ in range(settings.threads)
        ]
        self.endgame = Endgame(kernel) if settings.endgame else None

    def stop(self) -> None:
        """End what is under way."""
        if self.endgame is not None:
            self.endgame.stop()
        self.search.stop()


def _info(state: State, result: PuctResult, net: Net | None) -> Info:
    """Return what the search has found; the net tells how often such chances come true."""
    info = replace(info_from_search(state, result), exact=result.proven)
    if net is None:
        return info
    return replace(
        info,
        win_prob=_calibrated(net, info.win_prob),
        candidates=tuple(replace(c, win_prob=_calibrated(net, c.win_prob)) for c in info.candidates),
    )


def _calibrated(net: Net, win_prob: float | None) -> float | None:
    return None if win_prob is None else net.calibrated_win_prob(win_prob)


def _part(limit: Limit, share: float) -> Limit:
    """Return a part of a limit."""
    seconds = None if limit.seconds is None else share * limit.seconds
    playouts = None if limit.playouts is None else max(1, round(share * limit.playouts))
    return replace(limit, seconds=seconds, playouts=playouts)


def _rescale_to_full_game(game: Game, stage: Info, whole: Info) -> Info:
    """Return what was thought of a stage as a thought of the double game, whose chances are others."""
    shift = (0.5 if whole.win_prob is None else whole.win_prob) - (
        0.5 if stage.win_prob is None else stage.win_prob
    )
    candidates = tuple(
        replace(c, move=game.move(c.move.action), win_prob=_shifted(c.win_prob, shift), margin=None)
        for c in stage.candidates
    )
    line = tuple(game.move(move.action) for move in stage.pv)
    return replace(
        stage, win_prob=whole.win_prob, margin=whole.margin, pv=line, candidates=candidates, exact=False
    )


def _shifted(win_prob: float | None, shift: float) -> float | None:
    return None if win_prob is None else min(1.0, max(0.0, win_prob + shift))


def _has_ratio_margin(game: Game) -> bool:
    """Tell whether margins of this game are ratios, which a lead in points says nothing about."""
    return isinstance(game.stages[0].scoring, GroupProduct | SumOfSquares)


def _open(path: Path) -> Net:
    """Open a net that somebody named; raise `PlayerError` naming the file."""
    missing = [part for part in _REQUIRED_PACKAGES if find_spec(part) is None]
    if missing:
        raise PlayerError(f"{path}: a net needs {' and '.join(missing)}: the extra 'ai' installs it")
    from taiji.nets.net import NetError, open_net

    try:
        return open_net(path)
    except NetError as error:
        raise PlayerError(f"neural: {error}") from error


_warned = threading.Event()


def _warn(text: str) -> None:
    """Say why `mcts` plays, once a process."""
    if not _warned.is_set():
        _warned.set()
        warnings.warn(f"neural plays as mcts: {text}", RuntimeWarning, stacklevel=2)


def _bundled_for(game: Game) -> Net | None:
    """Return the net of the package that has learnt a game, or None."""
    return next((net for net in _bundled() if net.supports(game)), None)


def _bundled() -> list[Net]:
    """Return the nets of the package; say once where one cannot be read."""
    missing = [part for part in _REQUIRED_PACKAGES if find_spec(part) is None]
    if missing:
        _warn(f"{' and '.join(missing)} cannot be imported (the extra 'ai' installs what is needed)")
        return []
    from taiji.nets.net import FOLDER, NetError, bundled_nets, open_net

    paths = bundled_nets()
    if not paths:
        _warn(f"{FOLDER}: there is no net")
    nets = []
    for path in paths:
        try:
            nets.append(open_net(path))
        except NetError as error:
            _warn(str(error))
    return nets


_OPTION_ALIASES = {
    "exploration": "cpuct",
    "growth": "cpuct_factor",
    "horizon": "cpuct_base",
    "reduction": "fpu_reduction",
    "temperature": "policy_temperature",
}
"""Earlier option names, still accepted."""


def neural(seed: int | None = None, **options: str) -> NeuralPlayer:
    """Make the player from the options of its text."""
    base = PuctOptions()
    kinds: dict[str, Any] = {field.name: type(getattr(base, field.name)) for field in fields(base)}
    values: dict[str, Any] = {} if seed is None else {"seed": seed}
    own: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for given, text in options.items():
        key = _OPTION_ALIASES.get(given, given)
        if key in _LIMIT_OPTIONS:
            own[key] = parse_number("neural", key, text, float if key == "seconds" else int)
        elif key == "memory":
            values[key] = parse_number("neural", key, text, int) * MEBIBYTE
        elif key in ("handover", "policy_temperature"):
            extra[key] = parse_number("neural", key, text, float)
        elif key in ("threads", "batch", "at_most"):
            extra[key] = parse_number("neural", key, text, int)
        elif key == "net":
            extra[key] = Path(text)
        elif key == "runtime" and text in RUNTIMES:
            extra[key] = text
        elif key == "endgame" and text in ("yes", "no"):
            extra[key] = text == "yes"
        elif key in kinds and kinds[key] is bool and text in ("yes", "no"):
            values[key] = text == "yes"
        elif key in kinds and kinds[key] is not bool:
            values[key] = parse_number("neural", key, text, kinds[key])
        else:
            known = ", ".join(
                [
                    *_LIMIT_OPTIONS,
                    "net",
                    "threads",
                    "batch",
                    "at_most",
                    "handover",
                    "runtime",
                    "endgame",
                    *kinds,
                ]
            )
            raise PlayerError(f"neural has no option {key}={text[:20]}: it has {known}")
    shown = ",".join(f"{key}={text}" for key, text in options.items())
    try:
        settings = NeuralSettings(replace(base, **values), PuctLimits(**own), **extra)
        settings.check()
    except ValueError as error:
        raise PlayerError(f"neural: {error}") from error
    return NeuralPlayer(
        f"neural:{shown}" if shown else "neural",
        settings,
        *(_make_fallback(settings, seed) for _ in range(2)),
    )


def _make_fallback(settings: NeuralSettings, seed: int | None) -> Player:
    """Return the `mcts` that plays what no net has learnt, with as much memory and as many threads."""
    texts = {"threads": str(settings.threads), "memory": str(settings.options.memory // MEBIBYTE)}
    own = settings.fixed_limits
    if own.seconds is not None:
        texts["seconds"] = str(own.seconds)
    descents = own.playouts or own.evaluations
    if descents is not None:
        texts["playouts"] = str(descents * _PLAYOUTS_PER_EVALUATION)
    if not settings.endgame:
        texts["endgame"] = "no"
    return mcts(seed, **texts)
