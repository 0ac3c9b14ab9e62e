"""Expected ownership: squares that will probably count at the end, by the ownership head of a net.

The compiled core evaluates the policy, not the ownership head. Both heads have the same shape: a convolution
of the trunk, a ReLU and a convolution to planes. So the core runs a copy of the net whose policy head has the
weights of the ownership head.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import lru_cache
from math import exp, log2, sqrt
from typing import TYPE_CHECKING, Any

from taiji.kernel import ConvNet
from taiji.nets.net import Net, NetError, bundled_nets, open_net
from taiji.nets.net_file import read_net_file
from taiji.nets.planes import LEAD_CLIP, MARGIN_BINS, MARGIN_UNIT, SIDE_UNIT, Encoder, margin
from taiji.rules import Adjacency, Colour, Game, GameError, State, bits

if TYPE_CHECKING:
    from collections.abc import Mapping

CLASSES = 5
"""Classes of the head: empty, own, other's, own and counting, other's and counting."""
OWN_COUNTING, OTHER_COUNTING = 3, 4
MAX_GAMES = 8
"""Games whose nets stay open."""


@lru_cache(maxsize=MAX_GAMES)
def ownership_of(game: Game) -> Ownership | None:
    """Return the ownership head of the bundled net of a game; None if it has none."""
    for path in bundled_nets():
        try:
            net = open_net(path)
            if net.supports(game):
                return Ownership(net, game)
        except (NetError, GameError, KeyError, ValueError):
            continue
    return None


class Ownership:
    """The ownership head of a net for one game."""

    def __init__(self, net: Net, game: Game) -> None:
        """Build the head; raise KeyError or ValueError if the net has none that the core can run."""
        self._encoder = Encoder(game, net.rules, sees_swap=net.swap)
        self._has_swap = net.swap
        board = self._encoder.stage.board
        self._net = ConvNet(_as_policy(read_net_file(net.path).tensors), board.height, board.width, False)

    def counting(self, state: State) -> dict[Colour, list[float]]:
        """Return for each colour and cell the probability that the cell counts for it at the end."""
        board = self._encoder.stage.board
        logits = _floats(CLASSES * board.size)
        buffers = (_floats(1), _floats(1), _floats(MARGIN_BINS))
        planes, numbers = self.inputs(state)
        self._net.evaluate(_view(planes), _view(numbers), _view(logits), *map(_view, buffers))
        own, other = [], []
        for cell in range(board.size):
            shares = [exp(logits[plane * board.size + cell]) for plane in range(CLASSES)]
            total = sum(shares)
            own.append(shares[OWN_COUNTING] / total)
            other.append(shares[OTHER_COUNTING] / total)
        colour = state.colour_to_move
        return {colour: own, colour.other: other}

    def inputs(self, state: State) -> tuple[array[float], array[float]]:
        """Return the planes and the globals of a position, as `Encoder.encode` does, but without NumPy."""
        encoder, stage = self._encoder, self._encoder.stage
        board, tally = stage.board, encoder.tally
        colours = (state.colour_to_move, state.colour_to_move.other)
        owned = [state.scoring_cells(colour) for colour in colours]
        rows = [_row(board.size, bits(mask)) for mask in (board.cells, *owned)]
        if not encoder.layout.symbols:
            groups = [board.groups(own, tally.join or Adjacency.EDGE) for own in owned]
            rows += [_sizes(board.size, of_one) for of_one in groups]
            rows += [_row(board.size, _counting(of_one, tally.depth)) for of_one in groups]
        if len(stage.kinds) > 1:
            rows += [_row(board.size, bits(covered)) for covered in state.layer.kinds]
        for kind in stage.kinds:
            reach = 0
            for footprint in state.live_footprints:
                if footprint.kind == kind:
                    reach |= footprint.cells
            rows.append(_row(board.size, bits(reach)))
        planes = array("f")
        for row in rows:
            planes.extend(row)
        return planes, array("f", self._globals(state, owned))

    def _globals(self, state: State, owned: list[int]) -> list[float]:
        encoder, stage = self._encoder, self._encoder.stage
        is_dark = state.colour_to_move is Colour.DARK
        cells = stage.board.cells.bit_count()
        own, other = (encoder.tally.score(state.board, mask) for mask in owned)
        lead = margin(encoder.tally, own, other, log2) / MARGIN_UNIT
        numbers = [
            float(is_dark),
            float(state.can_swap and self._has_swap),
            state.covered.bit_count() / cells,
            sqrt(cells) / SIDE_UNIT,
            max(-LEAD_CLIP, min(LEAD_CLIP, lead)),
        ]
        numbers += [float(index == encoder.rule) for index in range(len(encoder.rules))]
        slots = len(stage.stocks)
        if slots > 1:
            order = encoder.layout.exchanged_stocks if is_dark else range(slots)
            counts = [max(stock.count, 1) for stock in stage.stocks]
            numbers += [state.supply[stock] / count for stock, count in zip(order, counts, strict=True)]
        return numbers


def _as_policy(tensors: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tensors of a net with the ownership head in place of the policy head."""
    swapped = dict(tensors)
    for part in ("w", "b"):
        swapped[f"policy_conv_{part}"] = tensors[f"value_conv_{part}"]
        swapped[f"policy_{part}"] = tensors[f"owner_{part}"]
        pool = tensors[f"policy_pool_{part}"]
        swapped[f"policy_pool_{part}"] = memoryview(bytearray(pool.nbytes)).cast("f", shape=pool.shape)
    return swapped


def _floats(count: int) -> array[float]:
    return array("f", bytes(4 * count))


def _view(values: array[float]) -> Any:
    """Return the buffer of an array; the core takes any."""
    return memoryview(values)


def _row(size: int, cells: Iterable[int]) -> list[float]:
    row = [0.0] * size
    for cell in cells:
        row[cell] = 1.0
    return row


def _sizes(size: int, groups: Iterable[int]) -> list[float]:
    """Return each cell's group size."""
    row = [0.0] * size
    for group in groups:
        for cell in bits(group):
            row[cell] = float(group.bit_count())
    return row


def _counting(groups: list[int] | tuple[int, ...], depth: int) -> list[int]:
    """Return the cells of groups as large as one that counts."""
    enough = groups[depth - 1].bit_count() if 0 < depth <= len(groups) else 1
    return [cell for group in groups if group.bit_count() >= enough for cell in bits(group)]
