"""The opening explorer: keys up to symmetry, books that round-trip, and statistics that add up."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from taiji.analysis.explorer import BookError, OpeningIndex, Stats, explore, get_keys, key_of, read_book
from taiji.analysis.explorer.build import BookBuilder, GameBatch
from taiji.kernel import get_kernel
from taiji.rules import Colour, Game, Seat, State, bits, parse_game

GAMES = ("taiji:size=4", "tailits", "battle-of-lits", "tailits+taiji")


def random_games(game: Game, count: int) -> list[list[int]]:
    return [get_kernel(game).start().random_game(seed) for seed in range(count)]


def batch_of(game: Game, games: list[list[int]], value: int | None = None) -> GameBatch:
    actions = np.full((len(games), max(map(len, games))), -1, np.int64)
    for row, moves in enumerate(games):
        actions[row, : len(moves)] = moves
    values = None if value is None else np.full(actions.shape, value, np.int64)
    return GameBatch(str(game), "random", actions, values)


def picture(state: State) -> frozenset[tuple[int, ...]]:
    """Everything a position shows, in its smallest symmetric form: written without the keys' code."""
    images = []
    for image in state.game.symmetries:
        cells = []
        for stage, layer in enumerate(state.layers):
            for kind, mask in enumerate(layer.kinds):
                for cell in bits(mask):
                    colour = (layer.light >> cell & 1) + 2 * (layer.dark >> cell & 1)
                    cells.append((stage, kind, image[cell], colour))
        images.append(tuple(sorted(cells)))
    return frozenset((min(images),))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", GAMES)
def test_keys_are_equal_exactly_for_symmetric_positions(text: str) -> None:
    game = parse_game(text)
    keys = get_keys(game)
    pictures: dict[int, object] = {}
    for actions in random_games(game, 12):
        state = game.start()
        for action in actions[:5]:
            state = state.play(game.move(action))
            key = key_of(keys.of_state(state))
            assert pictures.setdefault(key, picture(state)) == picture(state)
    assert len(set(map(str, pictures.values()))) == len(pictures)


def test_a_swap_does_not_change_the_key_and_results_count_by_colour() -> None:
    game = parse_game("battle-of-lits")
    first = game.start().legal()[0]
    kept = game.start().play(first)
    swapped = kept.play("swap")
    keys = get_keys(game)
    assert key_of(keys.of_state(kept)) == key_of(keys.of_state(swapped))
    index = OpeningIndex(game)
    assert game.swap is not None
    index.add([first.action, game.swap.action], Seat.SECOND, kept.scores())
    stats = index.find(key_of(keys.of_state(kept)))
    assert stats is not None
    assert (stats.games, stats.light_wins) == (1, 1)


@pytest.mark.parametrize("text", ["taiji:size=4", "battle-of-lits"])
def test_a_book_holds_what_counting_by_hand_gives(text: str, tmp_path: Path) -> None:
    game = parse_game(text)
    games = random_games(game, 60)
    builder = BookBuilder(game, plies=3)
    builder.add(batch_of(game, games[:20], value=150))
    builder.add(batch_of(game, games[20:]))
    path = tmp_path / "x.book"
    builder.write(path, min_games=1)
    book = read_book(path)
    index = OpeningIndex(game, plies=3)
    replies: Counter[int] = Counter()
    keys = get_keys(game)
    for actions in games:
        position = get_kernel(game).start()
        for action in actions:
            position.play(action)
        index.add(actions, position.winner(), position.scores())
        replies[key_of(keys.of_actions(actions[:1]))] += 1
    known = explore(game.start(), book)
    assert known.games == 60
    assert known.value == 0.75
    assert sorted(move.games for move in known.moves) == sorted(replies.values())
    by_hand = explore(game.start(), index.find)
    assert [(m.move, m.games, m.win_rate) for m in known.moves] == [
        (m.move, m.games, m.win_rate) for m in by_hand.moves
    ]
    assert all(
        abs((a.margin or 0) - (b.margin or 0)) <= 0.25
        for a, b in zip(known.moves, by_hand.moves, strict=True)
    )


def test_values_and_results_are_those_of_the_player_to_move() -> None:
    game = parse_game("taiji:size=4")
    state = game.start()
    assert state.colour_to_move is Colour.LIGHT

    def lookup(_key: int) -> Stats:
        return Stats(10, 8, 0.9, 3.0)

    known = explore(state, lookup)
    assert (known.win_rate, known.value, known.margin) == (0.8, 0.9, 3.0)
    reply = explore(state.play("a1/a2"), lookup)
    assert (reply.win_rate, reply.margin) == (0.2, -3.0)
    assert reply.value == pytest.approx(0.1)


def test_results_of_two_sources_add_up() -> None:
    assert Stats(10, 4, 0.5, 1.0) + Stats(30, 6, None, -1.0) == Stats(40, 10, 0.5, -0.5)
    assert Stats(1, 1) + Stats(1, 0) == Stats(2, 1)


def test_an_index_stays_within_its_bound() -> None:
    game = parse_game("taiji:size=4")
    index = OpeningIndex(game, max_positions=2)
    for actions in random_games(game, 5):
        index.add(actions, None, game.start().scores())
    start = index.find(key_of(get_keys(game).start))
    assert start is not None
    assert start.games == index.games == 5
    assert len(explore(game.start(), index.find).moves) <= 1


def test_a_book_keeps_its_most_frequent_positions(tmp_path: Path) -> None:
    game = parse_game("taiji:size=4")
    builder = BookBuilder(game, plies=2)
    builder.add(batch_of(game, random_games(game, 40)))
    assert builder.write(tmp_path / "x.book", positions=5, min_games=1) == 5
    book = read_book(tmp_path / "x.book")
    assert explore(game.start(), book).games == 40
    assert (tmp_path / "x.book").stat().st_size < 3000


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", r"x.book:1: '' is not the header of a book"),
        (b'{"id": 1}\n', "is not the header of a book"),
        (b'{"taiji-book":9,"game":"taiji","games":1,"positions":0}\n', "expected version 1"),
        (b'{"taiji-book":1,"game":"chess","games":1,"positions":0}\n', "is not the header"),
        (b'{"taiji-book":1,"game":"taiji","games":1,"positions":2}\nabc', "3 bytes after the header"),
    ],
)
def test_a_foreign_or_broken_book_is_refused(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.book").write_bytes(data)
    with pytest.raises(BookError, match=message):
        read_book(tmp_path / "x.book")


def test_an_unfinished_or_illegal_game_is_refused() -> None:
    game = parse_game("taiji:size=4")
    (moves,) = random_games(game, 1)
    with pytest.raises(BookError, match="game 1: not finished"):
        BookBuilder(game).add(batch_of(game, [moves[:2]]))
    with pytest.raises(BookError, match="game 2"):
        BookBuilder(game).add(batch_of(game, [moves, [moves[0], moves[0]]]))


def test_the_cells_of_a_key_hash_as_in_the_web_app() -> None:
    """The same values stand in web/test/explorer.test.ts."""
    keys = get_keys(parse_game("taiji:size=7"))
    state = parse_game("taiji:size=7").start().play("d4/d5").play("c4/c3")
    assert key_of(keys.of_state(state)) == int(json.loads(_FIXTURE.read_text())["taiji:size=7"], 16)


_FIXTURE = Path(__file__).parents[2] / "web" / "test" / "explorer-keys.json"
