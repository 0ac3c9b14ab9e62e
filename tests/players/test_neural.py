"""The player `neural`: legal and strong where a net is, `mcts` elsewhere, and kind about bad nets."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import warnings

import pytest

pytest.importorskip("numpy")
pytest.importorskip("onnxruntime")

from taiji.kernel import get_kernel
from taiji.nets.net import bundled_nets, open_net
from taiji.players import Limit, MatchContext, PlayerError, make_player, player_nets
from taiji.players.endgame import plies_left
from taiji.players.neural import NeuralPlayer
from taiji.players.neural_settings import parse_settings
from taiji.rules import Seat, parse_game

TAIJI = next(path for path in bundled_nets() if path.stem == "taiji")


@pytest.fixture(autouse=True)
def may_warn_again():
    player_nets._warned.clear()
    yield
    open_net.cache_clear()


@pytest.mark.parametrize(
    "text",
    [
        "taiji:size=5",
        "taiji:size=6,score=omega",
        "tailits",
        "battle-of-lits",
        "taiji:size=4",
        "tailits+taiji",
        "taiji+battle-of-lits:size=6",
    ],
)
def test_it_plays_every_game_to_its_end(text):
    state = parse_game(text).start()
    player = make_player("neural:evaluations=3", seed=1)
    player.prepare(state.game)
    while not state.is_over:
        move, info = player.choose(state, Limit())
        assert state.is_legal(move)
        assert info.pv[0] == move
        assert 0 <= info.win_prob <= 1
        state = state.play(move)
    player.close()


def test_what_it_thinks():
    state = parse_game("taiji").start()
    reports = []
    _, info = make_player("neural", seed=1).choose(state, Limit(seconds=1.5), report=reports.append)
    assert 0.02 < info.win_prob < 0.3  # Dark has the better game on 9×9
    assert info.playouts > 20
    assert len(info.pv) > 2
    assert len(info.candidates) > 1
    assert abs(sum(candidate.share for candidate in info.candidates) - 1) < 0.2
    assert reports
    assert not info.exact


def test_it_beats_mcts_with_a_tenth_of_the_playouts():
    game = parse_game("taiji:size=9")
    points = 0
    for seat in Seat:
        state = game.start()
        players = {
            seat: make_player("neural:evaluations=40", seed=2),
            seat.other: make_player("mcts:playouts=400", seed=2),
        }
        while not state.is_over:
            state = state.play(players[state.seat_to_move].choose(state, Limit())[0])
        points += state.outcome().winner is seat
    assert points == 2


def test_what_it_shows_is_as_sharp_as_the_card_says(monkeypatch):
    state = parse_game("taiji:size=7").start()
    chances = []
    for sharpness in (1.0, 2.0):
        monkeypatch.setattr(open_net(TAIJI), "value_logit_scale", sharpness)
        _, info = make_player("neural:evaluations=30", seed=1).choose(state, Limit())
        chances.append((info.win_prob, info.candidates[0].win_prob))
    (plain, plain_choice), (sharp, sharp_choice) = chances
    assert plain < 0.5
    assert sharp == pytest.approx(plain**2 / (plain**2 + (1 - plain) ** 2))
    assert sharp_choice == pytest.approx(plain_choice**2 / (plain_choice**2 + (1 - plain_choice) ** 2))


def test_the_end_of_a_game_is_exact():
    state = parse_game("taiji:size=5").start()
    player = make_player("neural:evaluations=20", seed=1)
    while len(state.legal()) > 12:
        state = state.play(player.choose(state, Limit())[0])
    _, info = player.choose(state, Limit())
    assert info.exact
    assert info.win_prob in (0.0, 0.5, 1.0)


def test_mcts_takes_over_before_the_end_in_games_with_constraints():
    state = parse_game("tailits").start()
    rng = random.Random(4)
    asked = []
    player = make_player("neural:evaluations=2,endgame=no", seed=1)
    while not state.is_over:
        left = plies_left(get_kernel(state.game).position_from_state(state))
        _, info = player.choose(state, Limit())
        asked.append((left > 9, info.playouts))
        state = state.play(rng.choice(state.legal()))
    assert {by_net for by_net, _ in asked} == {True, False}
    assert all((playouts < 200) is by_net for by_net, playouts in asked)


def test_it_plays_for_the_total_of_the_match():
    game = parse_game("taiji:size=7")
    player = make_player("neural:evaluations=30", seed=1)
    chances = [
        player.choose(game.start(), Limit(), match=MatchContext(lead, Seat.SECOND))[1].win_prob
        for lead in (-20, 20)
    ]
    assert chances[0] < 0.05
    assert chances[1] > 0.95


def test_stop_ends_the_thinking():
    state = parse_game("taiji").start()
    player = make_player("neural", seed=1)
    player.prepare(state.game)
    threading.Timer(0.2, player.stop).start()
    move, _ = player.choose(state, Limit(seconds=3600))  # longer than a test may take
    assert state.is_legal(move)


def test_the_highest_level_thinks_with_a_net_where_there_is_one():
    for text, by_net in (("taiji:size=7", True), ("taiji:size=4", False)):
        state = parse_game(text).start()
        player = make_player("level:10", seed=1)
        move, _ = player.choose(state, Limit(seconds=0.2))
        assert state.is_legal(move)
        assert (player._search._context is not None) is by_net
    lowest = make_player("level:1", seed=1)
    lowest.prepare(parse_game("taiji:size=7"))
    assert not isinstance(lowest._search, NeuralPlayer)


def test_the_first_stage_of_a_double_game_is_played_by_its_net():
    """What the net says is of the stage, the chances are those of the whole game."""
    game = parse_game("taiji+battle-of-lits:size=5")
    player, alone = (make_player("neural:temperature=1", seed=3) for _ in range(2))
    state, seen = game.start(), []
    move, info = player.choose(state, Limit(playouts=200))
    stage = parse_game("taiji:size=5")
    wanted, thought = alone.choose(stage.start(), Limit(playouts=180))
    assert move == game.move(wanted.action)
    assert [c.move.action for c in info.candidates] == [c.move.action for c in thought.candidates]
    assert info.pv[0] == move
    assert not info.exact
    _, whole = make_player("mcts", seed=3).choose(state, Limit(playouts=20))
    assert info.win_prob == pytest.approx(whole.win_prob)
    _, info = player.choose(state, Limit(seconds=1), report=seen.append)
    assert seen
    assert {thought.win_prob for thought in seen} == {info.win_prob}
    while state.stage_index == 0:
        state = state.play(player.choose(state, Limit(playouts=40))[0])
    assert player._first_stage(state) is None
    move, _ = player.choose(state, Limit(playouts=40))
    assert state.is_legal(move)


def test_a_stop_while_the_whole_game_is_looked_at_ends_the_stage_too():
    game = parse_game("tailits+taiji")
    state = game.start()
    player = make_player("neural:handover=99", seed=1)
    player.prepare(game)
    threading.Timer(0.3, player.stop).start()
    move, _ = player.choose(state, Limit(seconds=36_000))  # a tenth of it is longer than a test may take
    assert state.is_legal(move)


def test_threads_and_batches_play_too():
    state = parse_game("taiji:size=7").start()
    for text in ("neural:evaluations=60,threads=2", "neural:evaluations=60,batch=8"):
        _, info = make_player(text, seed=1).choose(state, Limit())
        assert info.playouts >= 60


def test_an_explicit_net_is_used():
    state = parse_game("taiji:size=6").start()
    move, _ = make_player(f"neural:net={TAIJI},evaluations=5").choose(state, Limit())
    assert state.is_legal(move)
    with pytest.raises(PlayerError, match=r"taiji\.safetensors: this net does not support tailits"):
        make_player(f"neural:net={TAIJI}").choose(parse_game("tailits").start(), Limit())


@pytest.mark.parametrize("how", ["missing", "empty", "truncated", "text", "foreign"])
def test_a_bad_net_by_name_is_a_clear_error(tmp_path, how):
    path = bad_net(tmp_path, how)
    with pytest.raises(PlayerError, match=r"bad\.(safetensors|onnx): ") as error:
        make_player(f"neural:net={path}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("how", ["missing", "truncated", "foreign"])
def test_a_bad_net_in_the_package_means_mcts_and_one_warning(tmp_path, monkeypatch, how):
    path = bad_net(tmp_path, how)
    monkeypatch.setattr("taiji.nets.net.bundled_nets", lambda: [path])
    state = parse_game("taiji:size=5").start()
    with pytest.warns(RuntimeWarning, match=r"neural plays as mcts: .*bad\."):
        move, info = make_player("neural:evaluations=3").choose(state, Limit())
    assert state.is_legal(move)
    assert info.playouts > 100
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make_player("neural:evaluations=3").choose(state, Limit())


def test_no_nets_at_all_means_mcts_and_one_warning(monkeypatch):
    monkeypatch.setattr("taiji.nets.net.bundled_nets", list)
    state = parse_game("taiji:size=5").start()
    with pytest.warns(RuntimeWarning, match="no net"):
        move, _ = make_player("neural:evaluations=3").choose(state, Limit())
    assert state.is_legal(move)


def test_a_game_without_a_net_needs_no_warning():
    state = parse_game("taiji:size=4").start()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make_player("neural:evaluations=2").choose(state, Limit())


def test_an_onnx_file_needs_its_packages_and_says_so(tmp_path):
    """In a process of its own, in which neither onnx nor numpy can be imported."""
    program = """
import sys
sys.modules['onnx'] = sys.modules['numpy'] = None
from taiji.players import PlayerError, make_player
try:
    make_player('neural:net=some.onnx')
except PlayerError as error:
    assert 'some.onnx' in str(error) and "pip install 'taiji[ai]'" in str(error), error
else:
    raise AssertionError('an error was due')
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("neural:playouts=0", "positive"),
        ("neural:evaluations=x", "evaluations='x' \\(expected an integer\\)"),
        ("neural:threads=0", "expected 1 to"),
        ("neural:threads=9999", "on this machine"),
        ("neural:memory=60000000", "memory"),
        ("neural:batch=1000", "1 to 64"),
        ("neural:memory=1", "memory"),
        ("neural:wibble=1", "no option 'wibble'"),
        ("neural:temperature=0", "temperature"),
        ("neural:at_most=0", "max_evaluations=0"),
        ("neural:handover=3,handover_plies=4", "handover_plies is given twice"),
        ("neural:runtime=abacus", "expected core or core-float32"),
    ],
)
def test_texts_that_make_no_player(text, message):
    with pytest.raises(PlayerError, match=message):
        make_player(text)


def test_earlier_option_names_still_work():
    old = "at_most=7,handover=4,exploration=2,growth=0.3,horizon=90,reduction=0.2,temperature=1.5"
    new = "max_evaluations=7,handover_plies=4,cpuct=2,cpuct_factor=0.3,cpuct_base=90,fpu_reduction=0.2"
    settings = [
        parse_settings(1, dict(part.split("=") for part in text.split(",")))
        for text in (f"{old},runtime=core-floats", f"{new},policy_temperature=1.5,runtime=core-float32")
    ]
    assert settings[0] == settings[1]
    assert (settings[0].max_evaluations, settings[0].runtime) == (7, "core-float32")
    assert settings[0] != parse_settings(1, {})


def bad_net(folder, how):
    path = folder / ("bad.onnx" if how == "foreign" else "bad.safetensors")
    if how == "empty":
        path.write_bytes(b"")
    elif how == "truncated":
        path.write_bytes(TAIJI.read_bytes()[:100_000])
    elif how == "text":
        path.write_text("This is not a net.\n")
    elif how == "foreign":
        path.write_bytes(FOREIGN)
    return path


FOREIGN = (
    b'\x08\x08:7\n\x10\n\x01x\x12\x01y"\x08Identity\x12\x01gZ\x0f\n\x01x\x12\n\n\x08\x08\x01\x12\x04\n\x02\x08\x01'
    b"b\x0f\n\x01y\x12\n\n\x08\x08\x01\x12\x04\n\x02\x08\x01B\x02\x10\x11"
)
"""An ONNX file by hand, y = Identity(x), without a card."""
