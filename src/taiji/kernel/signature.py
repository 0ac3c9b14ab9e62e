"""Signatures of the searches: checksums of fixed searches that change if a search behaves differently.

One thread, fixed seeds and fixed playouts make them the same for every compiler and processor. The PUCT
search runs with a dummy evaluator, so its signature depends on no net.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

from taiji._core import NetEncoderSpec
from taiji.kernel.kernel import Kernel, Position
from taiji.kernel.puct import Puct, PuctLimits, PuctOptions
from taiji.kernel.search import Search, SearchLimits, SearchOptions, SearchResult
from taiji.rules import Game, Placement, parse_game
from taiji.rules.program import Source

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Integers = NDArray[np.int64]

SEARCH_GAMES = (
    "taiji:size=7",
    "taiji",
    "taiji:size=11,diagonal=yes",
    "tailits",
    "battle-of-lits",
    "tailits+taiji",
    "taiji+battle-of-lits",
)
SEARCH_VARIANTS = (
    SearchOptions(seed=1),
    SearchOptions(seed=1, playout_candidates=4, amaf_playouts=True),
    SearchOptions(seed=1, playout_candidates=4),
    SearchOptions(seed=1, amaf=False, exploration=0.2, first_play_urgency=1.0, expand_visits=1),
)
SEARCH_OPENING_PLIES, SEARCH_MOVES, SEARCH_PLAYOUTS = 2, 2, 1500
PUCT_GAMES = ("taiji:size=7", "tailits", "battle-of-lits")
PUCT_MOVES, PUCT_PLAYOUTS, PUCT_BATCH = 3, 400, 8
_MARGIN_BINS = 61
_WORD = (1 << 64) - 1


def search_signature() -> int:
    """Return the checksum of the tree searches, each over two moves that keep the tree."""
    checksum = 0
    for text in SEARCH_GAMES:
        kernel = Kernel(parse_game(text))
        for options in SEARCH_VARIANTS:
            search, position = Search(kernel, options), _opening(kernel)
            for _ in range(SEARCH_MOVES):
                result = search.run(position, SearchLimits(playouts=SEARCH_PLAYOUTS))
                checksum = _add(checksum, result)
                position.play(result.action)
    return checksum


def puct_signature() -> int:
    """Return the checksum of the PUCT searches, each over three moves that keep the tree."""
    checksum = 0
    for text in PUCT_GAMES:
        kernel = Kernel(parse_game(text))
        spec = _encoder_spec(kernel.game)
        search, position = Puct(kernel, spec, PuctOptions(seed=1)), kernel.start()
        evaluator = _DummyEvaluator(spec, kernel.game)
        for _ in range(PUCT_MOVES):
            result = search.run(position, PuctLimits(playouts=PUCT_PLAYOUTS), [evaluator])
            checksum = _add(checksum, result)
            position.play(result.action)
    return checksum


def _add(checksum: int, result: SearchResult) -> int:
    """Add the nodes, the principal variation and all visits at the root to a checksum."""
    rows = [(result.nodes, *result.pv), *((move.action, move.visits) for move in result.moves)]
    return zlib.crc32(repr(rows).encode(), checksum)


def _opening(kernel: Kernel) -> Position:
    position = kernel.start()
    for action in kernel.start().random_game(1)[:SEARCH_OPENING_PLIES]:
        position.play(action)
    return position


def _encoder_spec(game: Game) -> NetEncoderSpec:
    """Return an encoder without a net: placements with the same lowest cell get different policy planes."""
    stage, compiled = game.stages[0], game.compiled.stages[0]
    seen: dict[int, int] = {}
    policy_index = []
    for placement in game.placements:
        plane, lowest = seen.get(_lowest(placement), 0), _lowest(placement)
        seen[lowest] = plane + 1
        policy_index.append(plane * stage.board.size + lowest)
    spec = NetEncoderSpec()
    spec.policy, spec.swap = max(seen.values()), game.swap is not None
    if spec.swap:
        policy_index += [spec.policy * stage.board.size] * (1 + len(game.komi_names))
    spec.policy_index = policy_index * 2
    spec.kinds, spec.groups = len(stage.kinds), compiled.score.source is Source.SQUARES
    spec.planes = 3 + 4 * spec.groups + spec.kinds * (2 if spec.kinds > 1 else 1)
    spec.globals = 6
    spec.board = (stage.board.cells & _WORD, stage.board.cells >> 64)
    return spec


def _lowest(placement: Placement) -> int:
    return (placement.cells & -placement.cells).bit_length() - 1


class _DummyEvaluator:
    """Returns pseudo-random logits from a hash of the planes, in integer arithmetic."""

    def __init__(self, spec: NetEncoderSpec, game: Game) -> None:
        import numpy as np

        board = game.stages[0].board
        self.planes: Floats = np.zeros((PUCT_BATCH, spec.planes, board.height, board.width), np.float32)
        self.globals: Floats = np.zeros((PUCT_BATCH, spec.globals), np.float32)
        random = np.random.RandomState(1)

        def draw(count: int) -> Any:
            return random.randint(1, 1 << 20, (count,)).astype(np.int64)

        self._plane_keys: Integers = draw(spec.planes * board.size)
        self._policy_keys: Integers = draw(spec.policy * board.size)
        self._margin_keys: Integers = draw(_MARGIN_BINS)

    def evaluate(self, count: int) -> tuple[Floats, Floats | None, Floats, Floats]:
        """Return policy, swap, value and margin logits of the first `count` positions."""
        import numpy as np

        hashes = self.planes[:count].reshape(count, -1).astype(np.int64) @ self._plane_keys % 1_000_003

        def logits(keys: Integers) -> Floats:
            return (hashes[:, None] * keys % 1009 / 252).astype(np.float32)

        swap, value = (logits(np.array([key], np.int64))[:, 0].copy() for key in (12345, 54321))
        return logits(self._policy_keys), swap, value - 2, logits(self._margin_keys)
