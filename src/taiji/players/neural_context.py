"""What the player `neural` needs for one game: its net, search, evaluators and endgame solver."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from taiji.kernel import Position, Puct, PuctLimits, PuctResult, get_kernel
from taiji.players.base import Info
from taiji.players.endgame import Endgame, is_constrained
from taiji.players.neural_settings import NeuralSettings
from taiji.players.open_ended import SearchWatch
from taiji.players.player_nets import make_evaluators
from taiji.players.searching import info_from_search
from taiji.rules import Game, MatchContext, State

if TYPE_CHECKING:
    from taiji.nets.net import Net

_CONSTRAINED_TEMPERATURE = 2.0
"""Policy temperature in games with placement constraints, where the policy is overconfident."""


class GameContext:
    """The net, search, evaluators and endgame solver of one game."""

    def __init__(self, net: Net, game: Game, settings: NeuralSettings) -> None:
        self.net = net
        self.kernel = kernel = get_kernel(game)
        options, temperature = settings.options, settings.policy_temperature
        if temperature is None and is_constrained(game.start()):
            temperature = _CONSTRAINED_TEMPERATURE
        if temperature is not None:
            options = replace(options, policy_temperature=temperature)
        encoder = net.encoder_spec(game)
        self._by_margin = encoder.by_margin
        self.search = Puct(kernel, encoder, options)
        self.evaluators = make_evaluators(net, game, settings)
        self.endgame = Endgame(kernel, mirrors=settings.mirrors) if settings.endgame else None

    def run(
        self,
        state: State,
        position: Position,
        limits: PuctLimits,
        match: MatchContext | None,
        watch: SearchWatch,
    ) -> PuctResult:
        """Search a position under a watch."""

        def on_info(result: PuctResult) -> None:
            watch(self.info(state, result, match))

        return self.search.run(
            position, limits, self.evaluators, match=match, on_info=on_info, every=watch.interval_s
        )

    def info(self, state: State, result: PuctResult, match: MatchContext | None) -> Info:
        """Return the result of a search as an evaluation, calibrated if the net's value head decided."""
        info = replace(info_from_search(state, result), exact=result.proven)
        if match is not None or self._by_margin:
            return info
        candidates = (replace(c, win_prob=_calibrated(self.net, c.win_prob)) for c in info.candidates)
        return replace(info, win_prob=_calibrated(self.net, info.win_prob), candidates=tuple(candidates))

    def stop(self) -> None:
        """Stop the running search."""
        if self.endgame is not None:
            self.endgame.stop()
        self.search.stop()


def _calibrated(net: Net, win_prob: float | None) -> float | None:
    return None if win_prob is None else net.calibrated_win_prob(win_prob)
