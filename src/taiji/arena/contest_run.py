"""Run a contest in one call: the games between some players, and their standings."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from numbers import Integral
from pathlib import Path

from taiji.arena.contest import Contest, Standings, run_contest
from taiji.arena.custom_game import read_game
from taiji.arena.game_task import GameResult
from taiji.arena.journal import Journal
from taiji.arena.pool import InlinePool, LocalPool
from taiji.players import Limit, make_player
from taiji.rules import Game
from taiji.rules.errors import check_callback, check_type

DEFAULT_SECONDS = 0.2
"""Seconds per move without a limit."""


def play_contest(
    players: Iterable[str],
    game: Game | str = "taiji",
    *,
    pairs: int = 10,
    seconds: float | None = None,
    playouts: int | None = None,
    opening_plies: int = 2,
    seed: int = 1,
    workers: int = 1,
    on_result: Callable[[Standings, GameResult], None] | None = None,
) -> Standings:
    """Play pairs of games between players, each opening once with each colour, and return the standings.

    `players` are texts such as `level:5`; `game` is a game, its text or the path of a TOML file. `seconds`
    and `playouts` are limits per move. `on_result` receives the standings after each game.
    """
    if isinstance(players, str):
        raise TypeError("players: invalid (expected several texts, such as ['level:5', 'mcts'], not str)")
    check_type("players", players, Iterable, "several texts")
    texts = tuple(players)
    for text in texts:
        make_player(text).close()
    check_type("game", game, (Game, str), "a Game or its text")
    counts = {"pairs": pairs, "opening_plies": opening_plies, "seed": seed, "workers": workers}
    for key, value in counts.items():
        check_type(key, value, Integral, "an integer")
    check_callback("on_result", on_result)
    if opening_plies < 0:
        raise ValueError(f"opening_plies={opening_plies}: invalid (expected at least 0)")
    name, declaration = read_game(str(game))
    limit = Limit(DEFAULT_SECONDS if seconds is None and playouts is None else seconds, playouts)
    contest = Contest(name, texts, pairs, (limit,) * len(texts), opening_plies, seed, declaration=declaration)
    pool = InlinePool() if workers == 1 else LocalPool(workers)
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "games.jsonl", contest.fingerprint())
        try:
            return run_contest(contest, pool, journal, on_result=on_result or (lambda *_: None))
        finally:
            pool.close()
            journal.close()
