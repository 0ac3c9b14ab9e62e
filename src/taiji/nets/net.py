"""A net from its file: its card, the games it supports, and the evaluators that run it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taiji.kernel import ConvNet, CoreEvaluator, Evaluator, NetEncoderSpec
from taiji.nets import onnx_file
from taiji.nets.net_file import SUFFIX, NetError, NetFile, read_net_file
from taiji.nets.planes import Encoder, has_ratio_margin
from taiji.rules import Game, GameError, parse_game

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

FOLDER = Path(__file__).parent
_WORD = (1 << 64) - 1


class Net:
    """A net and its card."""

    def __init__(self, path: Path) -> None:
        """Open a net; raise `NetError` naming the file if it is missing, truncated or not a net."""
        self.path = path
        self._built: dict[tuple[int, int, bool], ConvNet | None] = {}
        self._file, inputs, outputs = _open(path)
        card = self._file.card
        try:
            self.name = str(card["name"])
            self.games = tuple(parse_game(str(text)) for text in card["games"])
            stages = [parse_game(str(text)).stages[0] for text in card["rules"]]
            self.rules = tuple((stage.scoring, stage.tiebreak) for stage in stages)
            shape = card["net"]
            self.planes, self.globals = int(shape["planes"]), int(shape["globals"])
            self.policy, self.swap = int(shape["policy"]), bool(shape["swap"])
            self.value_logit_scale = float(card.get("sharpness", 1.0))
        except (KeyError, TypeError, ValueError) as error:
            raise NetError(f"{path}: invalid card ({error})") from error
        needed = {"policy", "value", "margin"} | ({"swap"} if self.swap else set())
        if inputs != {"planes": self.planes, "globals": self.globals} or not needed <= outputs:
            raise NetError(f"{path}: the net's inputs or outputs differ from its card")

    def supports(self, game: Game) -> bool:
        """Return whether the net supports a game, with any symbols and any fair start that it can judge."""
        return self._known_game(game) is not None

    def decides_by_margin(self, game: Game) -> bool:
        """Return whether the margin head decides: the game has another komi or tie rule than the net."""
        known = self._known_game(game)
        return known is not None and not has_equal_end(game, known)

    def _known_game(self, game: Game) -> Game | None:
        """Return the game of the net whose placements and scores are the same, preferably its end too."""
        alike = [known for known in self.games if _equal_but_for_fair_start(game, known, has_swap=self.swap)]
        alike.sort(key=lambda known: not has_equal_end(game, known))
        if not alike:
            return None
        is_ratio = has_ratio_margin(game.stages[0].tallies[0])
        return None if is_ratio and not has_equal_end(game, alike[0]) else alike[0]

    def calibrated_win_prob(self, win: float) -> float:
        """Return the calibrated win probability: the logit times `value_logit_scale`.

        Games are played more strongly than those of the training, so small leads win more often.
        """
        if not 0 < win < 1:
            return win
        odds: float = (win / (1 - win)) ** self.value_logit_scale
        return odds / (1 + odds)

    def encoder_spec(self, game: Game) -> NetEncoderSpec:
        """Return how the compiled core encodes a game for the net."""
        encoder = Encoder(game, self.rules, sees_swap=self.swap)
        if (encoder.planes, encoder.globals, encoder.policy) != (self.planes, self.globals, self.policy):
            raise GameError(f"{game}: the net {self.name} has other inputs")
        stage = game.stages[0]
        spec = NetEncoderSpec()
        spec.planes, spec.globals, spec.policy = encoder.planes, encoder.globals, encoder.policy
        spec.kinds, spec.swap = len(stage.kinds), self.swap
        spec.rule, spec.rules = encoder.rule, len(encoder.rules)
        spec.depth, spec.groups = encoder.tally.depth, not encoder.layout.symbols
        spec.ratio, spec.by_margin = has_ratio_margin(encoder.tally), self.decides_by_margin(game)
        spec.board = (stage.board.cells & _WORD, stage.board.cells >> 64)
        spec.policy_index = [*encoder.index[0], *encoder.index[1]]
        if len(stage.stocks) > 1:
            spec.slot_order = encoder.layout.exchanged_stocks
            spec.slot_counts = [stock.count for stock in stage.stocks]
        return spec

    def evaluator(self, game: Game, batch: int, runtime: str = "core") -> Evaluator | CoreEvaluator:
        """Return an evaluator of a game's positions in batches; each thread needs its own.

        The core runs nets of the shape that `taiji.training` exports, onnxruntime all others. `core` uses
        int16 products if they are faster, `core-float32` never does.
        """
        board = game.stages[0].board
        int16 = runtime == "core"
        net = None if runtime == "onnxruntime" else self._in_core(board.height, board.width, int16)
        return OnnxEvaluator(self, game, batch) if net is None else CoreEvaluator(net, batch)

    def session(self) -> Any:
        """Return an onnxruntime session of the net; raise `NetError` if onnxruntime cannot run it."""
        return onnx_file.open_session(self.path, self._file)

    def _in_core(self, height: int, width: int, int16: bool) -> ConvNet | None:
        """Return the net for the core, or None if the core does not run its shape."""
        if (height, width, int16) not in self._built:
            try:
                built: ConvNet | None = ConvNet(self._file.tensors, height, width, int16)
            except ValueError:
                built = None
            ours = (self.planes, self.globals, self.policy, self.swap)
            if built is not None and (built.planes, built.globals, built.policies, built.swap) != ours:
                built = None
            self._built[height, width, int16] = built
        return self._built[height, width, int16]


class OnnxEvaluator:
    """Runs a net with onnxruntime on the buffers that the core fills."""

    def __init__(self, net: Net, game: Game, batch: int) -> None:
        self._run: Callable[..., list[Floats]] = net.session().run
        import numpy as np

        board = game.stages[0].board
        self.planes: Floats = np.zeros((batch, net.planes, board.height, board.width), np.float32)
        self.globals: Floats = np.zeros((batch, net.globals), np.float32)
        self._names = ["policy", "value", "margin"] + (["swap"] if net.swap else [])

    def evaluate(self, count: int) -> tuple[Floats, Floats | None, Floats, Floats]:
        """Return policy, swap, value and margin of the first `count` positions, as logits."""
        outputs = self._run(self._names, {"planes": self.planes[:count], "globals": self.globals[:count]})
        return outputs[0], outputs[3] if len(outputs) > 3 else None, outputs[1], outputs[2]


def _open(path: Path) -> tuple[NetFile, dict[str, int], frozenset[str]]:
    """Return the content of a net file, the channels of its inputs and the names of its outputs."""
    if path.suffix == onnx_file.SUFFIX:
        return onnx_file.read_onnx_file(path)
    net = read_net_file(path)
    sizes = {name: net.tensors[name].shape for name in ("stem_w", "stem_globals_w") if name in net.tensors}
    inputs = {"planes": sizes["stem_w"][1], "globals": sizes["stem_globals_w"][0]} if len(sizes) == 2 else {}
    return net, inputs, frozenset(name.removesuffix("_w") for name in net.tensors)


def _equal_but_for_fair_start(game: Game, known: Game, *, has_swap: bool) -> bool:
    """Return whether two games of one stage differ at most in their symbols and their fair start.

    A net that has learnt when to swap needs the swap where it was; any other takes the better colour.
    """
    if len(game.stages) != 1:
        return False
    ours, theirs = game.stages[0], known.stages[0]
    if (ours.symbols is None) is not (theirs.symbols is None):
        return False
    swap_after = ours.swap_after if has_swap else None
    return replace(ours, symbols=None, swap_after=swap_after) == replace(theirs, symbols=None)


def has_equal_end(game: Game, known: Game) -> bool:
    """Return whether the same final scores win in both games."""
    return (game.tie_rule, game.komi, game.komi_names) == (known.tie_rule, known.komi, known.komi_names)


@lru_cache(maxsize=8)
def open_net(path: Path) -> Net:
    """Open a net; the last few stay open."""
    return Net(path)


def bundled_nets() -> list[Path]:
    """Return the paths of the bundled nets, one per card, even if the file is missing."""
    return sorted(card.with_suffix(SUFFIX) for card in FOLDER.glob("*.md"))


__all__ = ["FOLDER", "Net", "NetError", "OnnxEvaluator", "bundled_nets", "open_net"]
