"""Every player in one line, for lists and for shells that complete its name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """A player that `make_player` makes: the name its text begins with, what it does, and examples."""

    name: str
    summary: str
    examples: tuple[str, ...]


PLAYERS = (
    PlayerSummary("random", "plays any legal move", ("random",)),
    PlayerSummary("greedy", "takes the most points with its next move", ("greedy",)),
    PlayerSummary("alphabeta", "looks a few plies ahead by score", ("alphabeta",)),
    PlayerSummary("level", "plays at a strength from 1 to 10", tuple(f"level:{n}" for n in range(1, 11))),
    PlayerSummary("uct", "tree search without enhancements, a baseline", ("uct", "uct:playouts=1000")),
    PlayerSummary("mcts", "tree search with AMAF, strong in every game", ("mcts", "mcts:playouts=1000")),
    PlayerSummary(
        "neural",
        "searches with a trained net, and as mcts in games without one",
        ("neural", "neural:seconds=1"),
    ),
    PlayerSummary("mirror", "answers with the mirror image where that ties, else as mcts", ("mirror",)),
    PlayerSummary("solver", "plays perfectly, if the position can be solved", ("solver", "solver:threads=2")),
    PlayerSummary("ugi", "an engine of another program that speaks UGI", ("ugi:./engine",)),
)
"""The players, weakest first."""
