"""The games of a net's own search in JAX: thousands at a time on a GPU, some at a time on a CPU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from taiji.arena.custom_game import register_declaration
from taiji.kernel import get_kernel
from taiji.kernel.machine import machine_threads
from taiji.rules import parse_game
from taiji.study.rows import GameRow
from taiji.study.selfplay import finished_row, first_seat_chance
from taiji.study.spec import Cell, SpecError, Study
from taiji.training.games import UNKNOWN, WIN_UNIT, BatchPlayer, PlaySettings, find_net
from taiji.training.stored_net import load_stored_net

CANDIDATES = 16


def play_batches(study: Study, work: Sequence[tuple[Cell, list[int]]]) -> Iterator[list[GameRow]]:
    """Play the batches that contain missing games of each cell, and yield the rows of each batch.

    Game `i` is game `i % batch` of batch `i // batch`, whatever else is missing. While one cell is played,
    the programs of the next ones are compiled on the other cores.
    """
    with ThreadPoolExecutor(machine_threads()) as compilers:
        players = [compilers.submit(_prepare, study, cell) for cell, _ in work]
        try:
            for (cell, indices), player in zip(work, players, strict=True):
                yield from _play_cell(study, cell, set(indices), player.result())
        finally:
            compilers.shutdown(wait=False, cancel_futures=True)


def _prepare(study: Study, cell: Cell) -> BatchPlayer:
    """Return the compiled player of a cell."""
    register_declaration(cell.game.declaration, cell.game.game)
    game = parse_game(cell.game.game)
    if len(game.stages) > 1:
        raise SpecError(f"{game}: the batched search plays games of one stage only (expected another player)")
    settings = PlaySettings(
        simulations=cell.strength.playouts,
        candidates=CANDIDATES,
        random_plies=study.random_plies,
        boards=cell.game.boards,
    )
    net = load_stored_net(Path(study.net) if study.net else find_net(game))
    player = BatchPlayer(game, net, settings, study.batch)
    player.compile()
    return player


def _play_cell(study: Study, cell: Cell, missing: set[int], player: BatchPlayer) -> Iterator[list[GameRow]]:
    seed = cell.game_seed(study.seed, 0) & 0x7FFFFFFF
    for number in sorted({index // study.batch for index in missing}):
        batch = player.play(seed, number)
        texts, first = batch["game"], number * study.batch
        wanted = [i for i in range(study.batch) if first + i in missing]
        if texts.ndim:
            wanted.sort(key=lambda i: str(texts[i]))  # one core game per board, not per row
        yield [
            _row(
                cell,
                first + i,
                str(texts[i] if texts.ndim else texts),
                batch["actions"][i],
                batch["win_prob"][i],
                int(batch["opening_plies"]),
            )
            for i in wanted
        ]


def _row(cell: Cell, index: int, text: str, actions: Any, win_prob: Any, opening: int) -> GameRow:
    """Replay a game in the core, which counts choices and scores."""
    position = get_kernel(parse_game(text)).start()
    starter = position.seat_to_move
    choices: list[int] = []
    win: list[int | None] = []
    for action, chance in zip(actions.tolist(), win_prob.tolist(), strict=True):
        if action < 0:
            break
        choices.append(len(position.legal()))
        mover = None if chance == UNKNOWN else chance / WIN_UNIT
        win.append(first_seat_chance(mover, position.seat_to_move))
        position.play(action)
    return finished_row(position, cell.key, index, opening, choices, win, starter)
