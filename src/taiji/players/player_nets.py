"""Nets for the player `neural`: a file that the user names, or the bundled nets."""

from __future__ import annotations

import threading
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from taiji.players.base import PlayerError
from taiji.rules import Game

if TYPE_CHECKING:
    from taiji.kernel import CoreEvaluator, Evaluator
    from taiji.nets.net import Net
    from taiji.players.neural_settings import NeuralSettings

_warned = threading.Event()


def open_named_net(path: Path) -> Net:
    """Open a net that the user named; raise `PlayerError` with the file's name if it cannot be used."""
    from taiji.nets.net import NetError, open_net

    try:
        return open_net(path)
    except NetError as error:
        raise PlayerError(f"neural: {error}") from error


def make_evaluators(net: Net, game: Game, settings: NeuralSettings) -> list[Evaluator | CoreEvaluator]:
    """Return an evaluator per thread; raise `PlayerError` if onnxruntime is needed but cannot run the net."""
    from taiji.nets.net import NetError

    try:
        return [net.evaluator(game, settings.batch, settings.runtime) for _ in range(settings.threads)]
    except NetError as error:
        raise PlayerError(f"neural: {error}") from error


def bundled_net_for(game: Game) -> Net | None:
    """Return the bundled net that supports a game, or None."""
    return next((net for net in open_bundled_nets() if net.supports(game)), None)


def open_bundled_nets() -> list[Net]:
    """Return the bundled nets; warn once per process if one cannot be used."""
    from taiji.nets.net import FOLDER, NetError, bundled_nets, open_net

    paths = bundled_nets()
    if not paths:
        _warn(f"{FOLDER}: no net found")
    nets = []
    for path in paths:
        try:
            nets.append(open_net(path))
        except NetError as error:
            _warn(str(error))
    return nets


def _warn(text: str) -> None:
    """Warn once per process that `mcts` plays instead of the nets, and why."""
    if not _warned.is_set():
        _warned.set()
        warnings.warn(f"neural plays as mcts: {text}", RuntimeWarning, stacklevel=2)
