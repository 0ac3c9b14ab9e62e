"""A net from its file: what its card says, which games it has learnt, and sessions that run it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taiji.kernel import ConvNet, CoreEvaluator, Evaluator, NetEncoderSpec
from taiji.nets.planes import Encoder, has_ratio_margin
from taiji.nets.tensors import read_tensors
from taiji.rules import Game, GameError, parse_game

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

FOLDER = Path(__file__).parent
MARGINS = 61
_INPUTS = ["globals", "planes"]
_WORD = (1 << 64) - 1


class NetError(ValueError):
    """A file that is no net of this package, or no whole one."""


class Net:
    """A net and what its card says of it."""

    def __init__(self, path: Path) -> None:
        """Open a net; raise `NetError` naming the file where it is missing, truncated or something else."""
        self.path = path
        self._built: dict[tuple[int, int, bool], ConvNet | None] = {}
        self._first = _open_session(path)
        card = _card(path, self._first)
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
            raise NetError(f"{path}: a net whose card cannot be read ({error})") from error
        self._check_io()

    def _check_io(self) -> None:
        """Compare what goes in and comes out with the card."""
        inputs = {end.name: end.shape for end in self._first.get_inputs()}
        outputs = {end.name for end in self._first.get_outputs()}
        wanted = {"policy", "value", "margin"} | ({"swap"} if self.swap else set())
        widths = [inputs[name][1] for name in _INPUTS] if sorted(inputs) == _INPUTS else []
        if widths != [self.globals, self.planes] or not wanted <= outputs:
            raise NetError(f"{self.path}: a net that sees and says something else than its card tells")

    def supports(self, game: Game) -> bool:
        """Tell whether the net has learnt a game, whatever its symbols."""
        return any(_equal_but_for_symbols(game, known) for known in self.games)

    def calibrated_win_prob(self, win: float) -> float:
        """Return how often a side really wins that the net gives a chance: its logit times `sharpness`.

        Games are played out better than those of the training were, so that small leads win more often.
        """
        if not 0 < win < 1:
            return win
        odds: float = (win / (1 - win)) ** self.value_logit_scale
        return odds / (1 + odds)

    def encoder_spec(self, game: Game) -> NetEncoderSpec:
        """Return what the net sees of a game, for the compiled core."""
        encoder = Encoder(game, self.rules)
        if (encoder.planes, encoder.globals, encoder.policy) != (self.planes, self.globals, self.policy):
            raise GameError(f"{game}: the net {self.name} sees other games")
        stage = game.stages[0]
        spec = NetEncoderSpec()
        spec.planes, spec.globals, spec.policy = encoder.planes, encoder.globals, encoder.policy
        spec.kinds, spec.swap = len(stage.kinds), self.swap
        spec.rule, spec.rules = encoder.rule, len(encoder.rules)
        spec.depth, spec.groups = encoder.tally.depth, not encoder.layout.symbols
        spec.ratio = has_ratio_margin(encoder.tally)
        spec.board = (stage.board.cells & _WORD, stage.board.cells >> 64)
        spec.policy_index = encoder.index.reshape(-1).tolist()
        if len(stage.stocks) > 1:
            spec.slot_order = encoder.layout.colour_swapped_stocks.tolist()
            spec.slot_counts = [slot.count for slot in stage.stocks]
        return spec

    def evaluator(self, game: Game, batch: int, runtime: str = "core") -> Evaluator | CoreEvaluator:
        """Return what judges positions of a game in batches; each thread needs its own.

        The core runs nets of the shape that `taiji.training` exports, onnxruntime all others. `core` takes
        whole numbers where those are quicker, `core-floats` never does.
        """
        board = game.stages[0].board
        int16 = runtime == "core"
        net = None if runtime == "onnxruntime" else self._in_core(board.height, board.width, int16)
        return OnnxEvaluator(self, game, batch) if net is None else CoreEvaluator(net, batch)

    def _in_core(self, height: int, width: int, int16: bool) -> ConvNet | None:
        """Return the net as the core runs it, or None where it has another shape."""
        if (height, width, int16) not in self._built:
            try:
                built: ConvNet | None = ConvNet(read_tensors(self.path), height, width, int16)
            except ValueError:
                built = None
            ours = (self.planes, self.globals, self.policy, self.swap)
            if built is not None and (built.planes, built.globals, built.policies, built.swap) != ours:
                built = None
            self._built[height, width, int16] = built
        return self._built[height, width, int16]

    def session(self) -> Any:
        """Return a session of its own for a thread."""
        return _open_session(self.path)


class OnnxEvaluator:
    """Runs a net on the buffers that the core fills."""

    def __init__(self, net: Net, game: Game, batch: int) -> None:
        import numpy as np

        board = game.stages[0].board
        self.planes: Floats = np.zeros((batch, net.planes, board.height, board.width), np.float32)
        self.globals: Floats = np.zeros((batch, net.globals), np.float32)
        self._names = ["policy", "value", "margin"] + (["swap"] if net.swap else [])
        self._run: Callable[..., list[Floats]] = net.session().run

    def evaluate(self, count: int) -> tuple[Floats, Floats | None, Floats, Floats]:
        """Return policy, swap, value and margin of the first so many positions, as logits."""
        said = self._run(self._names, {"planes": self.planes[:count], "globals": self.globals[:count]})
        return said[0], said[3] if len(said) > 3 else None, said[1], said[2]


def _equal_but_for_symbols(game: Game, known: Game) -> bool:
    """Tell whether two games of one stage differ in nothing but symbols."""
    if len(game.stages) != 1 or game.tie_rule is not known.tie_rule:
        return False
    ours, theirs = game.stages[0], known.stages[0]
    if (ours.symbols is None) is not (theirs.symbols is None):
        return False
    return replace(ours, symbols=None) == replace(theirs, symbols=None)


def _open_session(path: Path) -> Any:
    import onnxruntime  # type: ignore[import-untyped]

    if not path.is_file():
        raise NetError(f"{path}: there is no such net")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises classes of its own for each way a file can be broken
        raise NetError(f"{path}: not a whole ONNX file") from error


def _card(path: Path, session: Any) -> dict[str, Any]:
    text = session.get_modelmeta().custom_metadata_map.get("taiji")
    if text is None:
        raise NetError(f"{path}: an ONNX file, but no net for these games")
    try:
        card = json.loads(text)
    except ValueError as error:
        raise NetError(f"{path}: a net whose card cannot be read ({error})") from error
    if not isinstance(card, dict) or card.get("format") != 1:
        raise NetError(f"{path}: a net of another format than this version reads")
    return card


@lru_cache(maxsize=8)
def open_net(path: Path) -> Net:
    """Open a net, or return it where it is open already."""
    return Net(path)


def bundled_nets() -> list[Path]:
    """Return the nets of the package: one for each card, whether the file is there or not."""
    return sorted(card.with_suffix(".onnx") for card in FOLDER.glob("*.md"))
