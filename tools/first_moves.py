"""Find balanced first moves of Battle of LITS on its seeded boards, by long searches.

    python tools/first_moves.py --boards 100 --workers 2

A first move should leave even chances, since the other player may swap. A search of a fraction of a second
misjudges its best candidates; here each of them is searched alone. The moves are kept in FILE, so the same
command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from taiji.arena import with_seeded_board
from taiji.kernel import PuctLimits, PuctResult
from taiji.nets.net import Net
from taiji.players import Limit
from taiji.players.first_moves import FILE
from taiji.players.neural_context import GameContext
from taiji.players.neural_settings import parse_settings
from taiji.players.open_ended import SearchWatch
from taiji.players.player_nets import bundled_net_for
from taiji.rules import Game, parse_game

GAME = "battle-of-lits"


def first_move(board: int, evaluations: int, candidates: int) -> tuple[str, str, float]:
    """Return the game on a board, its most balanced first move, and the win probability of Light after it."""
    name = with_seeded_board(GAME, board)
    game, plain = parse_game(name), parse_game(f"{GAME}:board={board},swap=no")
    net = bundled_net_for(game)
    assert net is not None
    found = _search(net, game, [], evaluations)
    best = (1.0, "", 0.5)
    for move in found.moves[:candidates]:
        light = 1 - _search(net, plain, [move.action], evaluations).win_prob
        best = min(best, (abs(light - 0.5), str(game.move(move.action)), light))
    return str(game), best[1], round(best[2], 3)


def _search(net: Net, game: Game, actions: list[int], evaluations: int) -> PuctResult:
    context = GameContext(net, game, parse_settings(1, {}))
    state = game.start()
    for action in actions:
        state = state.play(game.placements[action])
    position = context.kernel.position_from_state(state)
    watch = SearchWatch(Limit(), None, context.search.stop, lambda: False)
    return context.run(state, position, PuctLimits(evaluations=evaluations), None, watch)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", type=int, default=100, help="the last board; the first is 0")
    parser.add_argument("--evaluations", type=int, default=7000, help="of each search")
    parser.add_argument("--candidates", type=int, default=8, help="moves that are searched alone")
    parser.add_argument("--workers", type=int, default=1, help="boards at once")
    given = parser.parse_args()
    book = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    names = [str(parse_game(with_seeded_board(GAME, board))) for board in range(given.boards + 1)]
    wanted = [board for board, name in enumerate(names) if name not in book]
    work = partial(first_move, evaluations=given.evaluations, candidates=given.candidates)
    with ProcessPoolExecutor(given.workers) as pool:
        for name, move, light in pool.map(work, wanted):
            book[name] = {"move": move, "light": light}
            entries = [f"{json.dumps(name)}: {json.dumps(book[name])}" for name in names if name in book]
            FILE.write_text("{\n" + ",\n".join(entries) + "\n}\n", encoding="utf-8")
            print(f"{name}: {move}, Light {light:.1%}", flush=True)


if __name__ == "__main__":
    main()
