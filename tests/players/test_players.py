"""Players: legal moves within their limits, and texts that make or refuse them."""

import threading
import time

import pytest

from taiji.players import Info, Limit, MatchContext, PlayerError, make_player, player_names
from taiji.rules import Seat, parse_game

GAMES = ["taiji:size=5", "tailits", "battle-of-lits:size=6", "tailits+taiji", "taiji+battle-of-lits:size=5"]
TEXTS = ["random", "greedy", "alphabeta", "uct:playouts=50", "mcts:playouts=50", "level:1", "level:6"]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("game", GAMES)
def test_every_player_plays_every_game_to_its_end(text, game):
    state = parse_game(game).start()
    player = make_player(text, seed=1)
    player.prepare(state.game)
    while not state.is_over:
        move, info = player.choose(state, Limit(seconds=0.02))
        assert state.is_legal(move)
        if info.pv:
            assert info.pv[0] == move
        if info.win_prob is not None:
            assert 0 <= info.win_prob <= 1
        state = state.play(move)
    player.close()


def test_an_evaluation_prints_in_one_line():
    game = parse_game("taiji:size=5")
    pv = (game.parse("b2/b3"), game.parse("c3/c2"))
    searched = Info(0.5634, 1.26, pv, 12345, 1.0)
    assert str(searched) == "56.3% to win, margin +1.3: b2/b3 c3/c2 (12,345 playouts in 1.00 s)"
    assert str(Info(1.0, 2, pv[:1], exact=True)) == "100.0% to win, margin +2, proven: b2/b3"
    assert str(Info()) == "no opinion"


@pytest.mark.parametrize("text", ["random", "greedy", "mcts:playouts=300", "level:3", "level:8"])
def test_a_seed_decides(text):
    state = parse_game("taiji:size=6").start()
    chosen = {make_player(text, seed=5).choose(state, Limit())[0] for _ in range(3)}
    assert len(chosen) == 1


def test_greedy_takes_the_most_it_can_get():
    game = parse_game("taiji:size=5")
    state = game.start()
    for _ in range(6):
        move, info = make_player("greedy", seed=2).choose(state, Limit())
        leads = [
            after.scores().of(state.seat_to_move) - after.scores().of(state.seat_to_move.other)
            for after in map(state.play, state.legal())
        ]
        assert info.margin == max(leads)
        state = state.play(move)


@pytest.mark.parametrize("seconds", [0.05, 0.3])
def test_a_move_keeps_to_its_time(seconds):
    state = parse_game("tailits").start()
    player = make_player("mcts", seed=1)
    player.prepare(state.game)
    began = time.process_time()
    player.choose(state, Limit(seconds=seconds))
    # CPU time, as the machine that runs the tests may be busy; the arena measures the real figure.
    assert time.process_time() - began < seconds + 0.5


def test_stop_ends_the_thinking():
    state = parse_game("taiji").start()
    player = make_player("mcts", seed=1)
    player.prepare(state.game)
    threading.Timer(0.2, player.stop).start()
    move, _ = player.choose(state, Limit(seconds=3600))  # longer than a test may take
    assert state.is_legal(move)


def test_the_end_of_a_game_is_played_exactly():
    state = parse_game("taiji:size=5").start()
    player = make_player("mcts", seed=1)
    while len(state.legal()) > 12:
        state = state.play(player.choose(state, Limit(playouts=200))[0])
    _, info = player.choose(state, Limit(seconds=1))
    assert info.exact
    assert info.win_prob in (0.0, 0.5, 1.0)


def test_a_stake_turns_a_lost_game_into_a_won_match():
    game = parse_game("taiji:size=3")
    solver = make_player("solver")
    _, alone = solver.choose(game.start(), Limit())
    _, ahead = solver.choose(game.start(), Limit(), match=MatchContext(lead=5))
    assert alone.win_prob == 0
    assert ahead.win_prob == 1


def test_mcts_plays_for_the_total_of_the_match():
    game = parse_game("taiji:size=5")
    player = make_player("mcts:playouts=400,endgame=no", seed=1)
    chances = [
        player.choose(game.start(), Limit(), match=MatchContext(lead, Seat.SECOND))[1].win_prob
        for lead in (-20, 20)
    ]
    assert chances[0] < 0.05
    assert chances[1] > 0.95


@pytest.mark.parametrize(
    "text", ["mcts:playouts=50,endgame=no", "uct:playouts=50", "mcts", "neural", "solver"]
)
@pytest.mark.parametrize(
    ("lead", "tie", "first_wins"),
    [(0, Seat.FIRST, 1), (0, Seat.SECOND, 0), (0, None, 0.5), (0.5, None, 1), (-0.5, Seat.FIRST, 0)],
)
def test_equal_totals_go_by_the_match(text, lead, tie, first_wins):
    game = parse_game("taiji:size=2")  # every game ends 1 : 1 or 2 : 2
    state, player = game.start(), make_player(text, seed=1)
    for sign in (1, -1):
        _, info = player.choose(state, Limit(playouts=50), match=MatchContext(lead, tie))
        expected = first_wins if sign > 0 else 1 - first_wins
        assert info.win_prob == pytest.approx(expected, abs=0.05)
        state = state.play(state.legal()[0])


@pytest.mark.parametrize(("seconds", "least", "most"), [(None, 0.5, 2.5), (100, 0.5, 2.5), (0.6, 0.3, 0.3)])
def test_a_human_pace_takes_its_time_and_keeps_the_limit(monkeypatch, seconds, least, most):
    state, waits, now = parse_game("taiji:size=4").start(), [], 100.0
    player = make_player("level:1,pace=human", seed=3)
    monkeypatch.setattr("taiji.players.levels.time.monotonic", lambda: now)
    monkeypatch.setattr(player._stop_requested, "wait", waits.append)
    for _ in range(20):
        player.choose(state, Limit(seconds=seconds))
    assert all(least <= wait <= most for wait in waits)
    assert len(waits) == 20
    assert least == most or max(waits) - min(waits) > 1


def test_the_solver_says_when_it_cannot():
    with pytest.raises(PlayerError, match="not solved"):
        make_player("solver").choose(parse_game("taiji:size=11").start(), Limit(playouts=2000))


@pytest.mark.parametrize("name", ["mcts", "uct"])
def test_a_seed_stands_in_the_text_or_beside_it(name):
    state = parse_game("taiji:size=5").start()
    infos = [
        make_player(text, seed=seed).choose(state, Limit(playouts=50))[1].candidates
        for text, seed in ((f"{name}:seed=7,endgame=no", None), (f"{name}:endgame=no", 7))
    ]
    assert infos[0] == infos[1]
    with pytest.raises(PlayerError, match=r"seed=-1: invalid \(expected a number such as 0\)"):
        make_player(name, seed=-1)


def test_the_solver_answers_from_a_search_if_it_is_stopped():
    state, player = parse_game("taiji:size=11").start(), make_player("solver")
    move, info = player.choose(state, Limit(infinite=True), report=lambda _: player.stop())
    assert move in state.legal()
    assert info.pv[0] == move
    assert info.playouts > 1
    assert not info.exact


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stockfish", r"unknown player 'stockfish' \(expected random"),
        ("random:seed=1", r"random: takes no options \(expected random alone\)"),
        ("mcts:seed=-1", "expected an integer from 0"),
        ("level:0", "a number from 1 to 10"),
        ("level:11", "a number from 1 to 10"),
        ("level:", "a number from 1 to 10"),
        ("level:5,6", "a number from 1 to 10"),
        ("level:5,playouts=9", "a number from 1 to 10"),
        ("level:blunder_rate=0.1", "a number from 1 to 10"),
        ("level:3,pace=slow", "engine or human"),
        ("level:playouts=0", r"playouts=0: invalid \(expected at least 1"),
        ("level:playouts=9,lapse=2", r"blunder_rate=2.0: invalid \(expected 0 to 1"),
        ("mcts:playouts=0", r"playouts=0: invalid \(expected a number above 0"),
        ("mcts:playouts=many", "playouts='many' \\(expected an integer\\)"),
        ("mcts:threads=0", "threads"),
        ("mcts:threads=9999", "threads"),
        ("mcts:threads=255", "on this machine"),
        ("mcts:memory=0", "memory"),
        ("mcts:wibble=1", "no option 'wibble'"),
        ("mcts:playouts", "expected option=value"),
        ("mcts:playouts=1,playouts=2", "playouts is given twice"),
        ("mcts:bias=0.1,rave_bias=0.2", "rave_bias is given twice"),
        ("mcts:endgame=maybe", "expected yes or no"),
        ("mcts:seconds=-1", "expected a number from 0 to"),
        ("solver:threads=0", "threads=0: invalid"),
        ("solver:threads=255", "on this machine"),
        ("solver:memory=0", "expected at least 1 MiB"),
        ("solver:memory=100000000", "on this machine"),
        ("solver:wibble=1", "no option 'wibble'"),
        ("ugi:", "no program given"),
    ],
)
def test_texts_that_make_no_player(text, message):
    with pytest.raises(PlayerError, match=message):
        make_player(text)


def test_earlier_option_names_still_work():
    state = parse_game("tailits").start()
    old, new = (
        make_player(f"mcts:{options}", seed=1).choose(state, Limit(playouts=300))[1]
        for options in (
            "bias=0.1,candidates=2,expand=2",
            "rave_bias=0.1,playout_candidates=2,expand_visits=2",
        )
    )
    assert old.candidates == new.candidates
    plain = make_player("mcts", seed=1).choose(state, Limit(playouts=300))[1]
    assert old.candidates != plain.candidates
    levels = [make_player(f"level:playouts=1,{rate}=1", seed=1) for rate in ("lapse", "blunder_rate")]
    assert {level.choose(state, Limit())[1].playouts for level in levels} == {0}


def test_limits_that_make_no_sense():
    for field in ("seconds", "playouts", "depth"):
        with pytest.raises(PlayerError, match=field):
            Limit(**{field: 0})


def test_names_are_listed():
    assert {"random", "greedy", "mcts", "solver", "level", "ugi"} <= set(player_names())


@pytest.mark.parametrize("limit", [{"seconds": 1e12}, {"playouts": 10**30}, {"depth": 10**30}])
def test_a_limit_beyond_what_the_core_counts_is_refused(limit):
    with pytest.raises(
        PlayerError, match=rf"{next(iter(limit))}: too large \(expected at most 1,000,000,000"
    ):
        Limit(**limit)
