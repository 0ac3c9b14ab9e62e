"""The tree search: it finds won moves, keeps its limits, and one thread with a seed repeats itself."""

from __future__ import annotations

import threading
import time
from functools import partial

import pytest

from taiji.kernel import PLAIN_UCT, Kernel, Search, SearchLimits, SearchOptions, SearchResult
from taiji.rules import MatchContext, Seat, parse_game
from tests.waiting import PATIENCE_S, best_time

MEBIBYTE = 1 << 20
GAMES = ("taiji", "tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits:size=5")


def found(result: SearchResult) -> tuple[object, ...]:
    return (
        result.action,
        result.win_prob,
        result.margin,
        result.pv,
        result.playouts,
        result.nodes,
        result.moves,
    )


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("amaf", [True, False])
def test_it_answers_with_a_legal_line(text: str, amaf: bool) -> None:
    kernel = Kernel(parse_game(text))
    result = Search(kernel, SearchOptions(amaf=amaf)).run(kernel.start(), SearchLimits(playouts=2000))
    assert result.playouts == 2000
    assert sum(move.visits for move in result.moves) == 2000
    assert result.action == result.pv[0] == result.moves[0].action
    line = kernel.start()
    for action in result.pv:
        line.play(action)
    assert 0 <= result.win_prob <= 1


@pytest.mark.parametrize("text", GAMES)
def test_it_plays_a_whole_game(text: str) -> None:
    kernel = Kernel(parse_game(text))
    search = Search(kernel, SearchOptions(memory=4 * MEBIBYTE))
    position = kernel.start()
    while not position.is_over:
        position.play(search.run(position, SearchLimits(playouts=60)).action)


def test_one_thread_and_a_seed_make_the_same_search() -> None:
    kernel = Kernel(parse_game("battle-of-lits"))
    results = []
    for _ in range(2):
        search = Search(kernel, SearchOptions(seed=4))
        position = kernel.start()
        for _ in range(3):
            results.append(found(search.run(position, SearchLimits(playouts=1500))))
            position.play(results[-1][0])
    assert results[:3] == results[3:]
    search.reset()
    assert found(search.run(kernel.start(), SearchLimits(playouts=1500))) == results[0]
    other = Search(kernel, SearchOptions(seed=5)).run(kernel.start(), SearchLimits(playouts=1500))
    assert found(other) != results[0]


def test_it_solves_what_is_nearly_over() -> None:
    """On 3×3 every best move of the search leads to the best outcome that exists."""
    kernel = Kernel(parse_game("taiji:size=3"))
    for seed in range(6):
        position = kernel.start()
        for action in kernel.start().random_game(seed)[:2]:
            position.play(action)
        if position.is_over:
            continue
        result = Search(kernel, SearchOptions(exploration=0.3)).run(position, SearchLimits(playouts=4000))
        after = position.copy()
        after.play(result.action)
        assert best_for(after, position.seat_to_move) == best_for(position, position.seat_to_move)


def best_for(position: object, seat: Seat) -> bool:
    """Whether the seat can win, by going through every line."""
    from taiji.kernel import Position

    assert isinstance(position, Position)
    if position.is_over:
        return position.winner() is seat
    outcomes = []
    for action in position.legal():
        after = position.copy()
        after.play(action)
        outcomes.append(best_for(after, seat))
    return any(outcomes) if position.seat_to_move is seat else all(outcomes)


def test_the_tree_is_kept_when_moves_are_played() -> None:
    kernel = Kernel(parse_game("taiji:size=5"))
    search = Search(kernel, SearchOptions())
    position = kernel.start()
    first = search.run(position, SearchLimits(playouts=20_000))
    position.play(first.pv[0])
    position.play(first.pv[1])
    second = search.run(position, SearchLimits(playouts=1))
    assert sum(move.visits for move in second.moves) > 100
    assert second.playouts == 1
    fresh = Search(kernel, SearchOptions(reuse=False))
    fresh.run(kernel.start(), SearchLimits(playouts=20_000))
    assert sum(move.visits for move in fresh.run(position, SearchLimits(playouts=1)).moves) == 1


def test_another_position_is_not_taken_for_a_known_one() -> None:
    kernel = Kernel(parse_game("taiji:size=5"))
    search = Search(kernel, SearchOptions())
    position = kernel.start()
    first = search.run(position, SearchLimits(playouts=5000))
    position.play(first.moves[-1].action)
    other = kernel.start()
    other.play(next(action for action in other.legal() if action != first.moves[-1].action))
    search.run(position, SearchLimits(playouts=10))
    result = search.run(other, SearchLimits(playouts=10))
    assert other.is_legal(result.action)


@pytest.mark.parametrize("text", ["taiji:size=7", "tailits"])
def test_memory_is_bounded(text: str) -> None:
    kernel = Kernel(parse_game(text))
    search = Search(kernel, SearchOptions(memory=MEBIBYTE))
    position = kernel.start()
    for _ in range(3):
        result = search.run(position, SearchLimits(playouts=30_000))
        assert result.memory <= MEBIBYTE
        assert result.playouts == 30_000
        position.play(result.action)


def test_threads_share_a_tree() -> None:
    kernel = Kernel(parse_game("taiji:size=7"))
    search = Search(kernel, SearchOptions(threads=4))
    position = kernel.start()
    for _ in range(4):
        result = search.run(position, SearchLimits(playouts=5000))
        assert result.playouts == 5000
        assert sum(move.visits for move in result.moves) >= 5000
        position.play(result.action)


def _seconds_of_a_search(search: Search, seconds: float) -> float:
    began = time.monotonic()
    result = search.run(search.kernel.start(), SearchLimits(seconds=seconds))
    passed = time.monotonic() - began
    assert 0.95 * seconds < result.seconds <= passed
    return passed


def test_time_is_kept() -> None:
    kernel = Kernel(parse_game("tailits+taiji"))
    for threads in (1, 2):
        search = Search(kernel, SearchOptions(threads=threads))
        assert best_time(partial(_seconds_of_a_search, search, 0.2), 0.3) < 0.3


def _seconds_to_stop(search: Search) -> float:
    results: list[SearchResult] = []
    started = threading.Event()

    def run() -> None:
        begun = lambda info: started.set() if info.playouts > 10 else None  # noqa: E731
        results.append(search.run(search.kernel.start(), SearchLimits(), on_info=begun, every=0.01))

    thread = threading.Thread(target=run)
    thread.start()
    assert started.wait(PATIENCE_S)
    began = time.monotonic()
    search.stop()
    thread.join()
    assert results[0].playouts > 10
    return time.monotonic() - began


def test_stop_ends_a_search_without_limits() -> None:
    search = Search(Kernel(parse_game("taiji")), SearchOptions())
    assert best_time(lambda: _seconds_to_stop(search), 0.2) < 0.2


def test_infos_stream_while_it_runs() -> None:
    kernel = Kernel(parse_game("taiji"))
    infos: list[SearchResult] = []
    search = Search(kernel)

    def note(info: SearchResult) -> None:
        infos.append(info)
        if len(infos) == 3:
            search.stop()

    result = search.run(kernel.start(), SearchLimits(seconds=PATIENCE_S), on_info=note, every=0.1)
    assert len(infos) == 3
    assert [info.playouts for info in infos] == sorted(info.playouts for info in infos)
    assert infos[-1].playouts <= result.playouts


def test_what_on_info_raises_ends_the_search() -> None:
    kernel = Kernel(parse_game("taiji"))
    search = Search(kernel)

    def fail(result: SearchResult) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        search.run(kernel.start(), SearchLimits(seconds=20), on_info=fail, every=0.05)
    assert search.run(kernel.start(), SearchLimits(playouts=10)).playouts == 10


def test_a_lead_changes_what_is_won() -> None:
    kernel = Kernel(parse_game("taiji:size=5"))
    start = kernel.start()
    limits = SearchLimits(playouts=3000)
    assert Search(kernel).run(start, limits, match=MatchContext(30)).win_prob > 0.99
    assert Search(kernel).run(start, limits, match=MatchContext(-30)).win_prob < 0.01


def test_equal_totals_go_to_whom_the_match_gives_them() -> None:
    """On 2×2 every game ends equal, 1:1 or 2:2, so the match decides alone."""
    kernel = Kernel(parse_game("taiji:size=2"))
    start = kernel.start()
    start.play(start.legal()[0])
    for seat, expected in ((start.seat_to_move, 1.0), (start.seat_to_move.other, 0.0), (None, 0.5)):
        result = Search(kernel).run(start, SearchLimits(playouts=200), match=MatchContext(0, seat))
        assert result.win_prob == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("lead", [None, MatchContext(0, Seat.FIRST)], ids=["alone", "in a match"])
def test_swap_is_found_when_it_wins(lead: MatchContext | None) -> None:
    """Where nearly all symbols are X's, whoever may become X does, also where seats bring something along."""
    rows = "xxxxo|xxxx.|xxxx.|xxxx.|....."
    kernel = Kernel(parse_game(f"battle-of-lits:symbols={rows}"))
    position = kernel.start()
    position.play(position.legal()[0])
    result = Search(kernel).run(position, SearchLimits(playouts=3000), match=lead)
    assert result.action == kernel.compiled.action_count - 1
    assert result.pv[0] == result.action
    assert result.win_prob > 0.9


def test_a_swap_is_worth_what_the_best_move_leaves() -> None:
    kernel = Kernel(parse_game("battle-of-lits"))
    swap = kernel.compiled.action_count - 1
    for seed in range(6):
        position = kernel.start()
        position.play(position.random_game(seed)[0])
        moves = Search(kernel).run(position, SearchLimits(playouts=500)).moves
        chances = {move.action: move.win_prob for move in moves}
        best = next(move for move in moves if move.action != swap)
        assert chances[swap] == pytest.approx(1 - best.win_prob)
        assert (moves[0].action == swap) == (best.win_prob < 0.5)


def test_who_moves_before_a_swap_looks_for_even_chances() -> None:
    """Without a swap the first move takes what it can; with one, what is taken would change hands."""

    def chance_of_the_other(board: int, swap: str) -> float:
        plain = Kernel(parse_game(f"battle-of-lits:board={board},swap=no"))
        kernel = Kernel(parse_game(f"battle-of-lits:board={board},swap={swap}"))
        position = plain.start()
        position.play(Search(kernel).run(kernel.start(), SearchLimits(playouts=4000)).action)
        return Search(plain).run(position, SearchLimits(playouts=10_000)).win_prob

    boards = (1, 2, 3)
    assert sum(chance_of_the_other(board, "no") for board in boards) / 3 < 0.42
    assert 0.48 < sum(chance_of_the_other(board, "yes") for board in boards) / 3 < 0.62


@pytest.mark.parametrize(
    "options",
    [
        {"threads": 0},
        {"threads": 1000},
        {"memory": 1000},
        {"exploration": -1.0},
        {"widening_factor": 0.5},
        {"seed": -1},
    ],
)
def test_impossible_options_are_refused(options: dict[str, float]) -> None:
    kernel = Kernel(parse_game("taiji:size=3"))
    with pytest.raises(ValueError, match=next(iter(options))):
        Search(kernel, SearchOptions(**options))  # type: ignore[arg-type]


def test_a_finished_game_is_refused() -> None:
    kernel = Kernel(parse_game("taiji:size=2"))
    position = kernel.start()
    for action in position.random_game(1):
        position.play(action)
    with pytest.raises(ValueError, match="over"):
        Search(kernel).run(position, SearchLimits(playouts=1))


def test_plain_uct_knows_nothing_of_moves_elsewhere() -> None:
    kernel = Kernel(parse_game("taiji:size=5"))
    result = Search(kernel, PLAIN_UCT).run(kernel.start(), SearchLimits(playouts=1000))
    assert len(result.moves) == len(kernel.start().legal())


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("learned", [True, False])
def test_keen_playouts_play_legal_games(text: str, learned: bool) -> None:
    kernel = Kernel(parse_game(text))
    search = Search(kernel, SearchOptions(playout_candidates=4, amaf_playouts=learned, memory=16 * MEBIBYTE))
    position = kernel.start()
    while not position.is_over:
        position.play(search.run(position, SearchLimits(playouts=60)).action)


def test_candidates_make_playouts_keener() -> None:
    """Whoever moves now covers more of the other's symbols when both sides choose among several moves."""
    kernel = Kernel(parse_game("battle-of-lits:swap=no"))
    results = [
        found(
            Search(kernel, SearchOptions(playout_candidates=n, seed=3)).run(
                kernel.start(), SearchLimits(playouts=2000)
            )
        )
        for n in (1, 8, 8)
    ]
    assert results[0] != results[1] == results[2]


def test_playouts_of_plain_games_know_no_candidates() -> None:
    kernel = Kernel(parse_game("taiji:size=5"))
    results = [
        found(
            Search(kernel, SearchOptions(playout_candidates=n, seed=3)).run(
                kernel.start(), SearchLimits(playouts=2000)
            )
        )
        for n in (1, 8)
    ]
    assert results[0] == results[1]


@pytest.mark.parametrize("candidates", [0, -1, 1001])
def test_candidates_out_of_range_are_refused(candidates: int) -> None:
    kernel = Kernel(parse_game("battle-of-lits"))
    with pytest.raises(ValueError, match=r"playout_candidates: invalid \(expected 1 to 1,000"):
        Search(kernel, SearchOptions(playout_candidates=candidates))
