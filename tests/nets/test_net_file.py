"""Net files: read without packages, refused when they are damaged, and equal in both formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from taiji.nets.net import Net, bundled_nets
from taiji.nets.net_file import NetError, NetFile, read_net_file, write_net_file

NETS = {path.stem: path for path in bundled_nets()}


def file_of(header: object, body: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


CARD = {"__metadata__": {"taiji": '{"format": 1}'}}
ONE = {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}


@pytest.mark.parametrize("name", NETS)
def test_a_net_is_written_as_it_was_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    write_net_file(path, read_net_file(NETS[name]))
    assert path.read_bytes() == NETS[name].read_bytes()
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", NETS)
def test_other_readers_find_the_same_tensors(name: str) -> None:
    safetensors, np = pytest.importorskip("safetensors.numpy"), pytest.importorskip("numpy")
    ours, theirs = read_net_file(NETS[name]).tensors, safetensors.load_file(NETS[name])
    assert ours.keys() == theirs.keys()
    assert all(np.array_equal(np.asarray(tensor), theirs[key]) for key, tensor in ours.items())


@pytest.mark.parametrize("name", NETS)
def test_an_onnx_file_holds_the_same_net(name: str, tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    from taiji.training.pack import main

    onnx, back = tmp_path / "net.onnx", tmp_path / "net.safetensors"
    assert main([str(NETS[name]), str(onnx)]) is None
    assert main([str(onnx), str(back)]) is None
    assert back.read_bytes() == NETS[name].read_bytes()
    one, two = Net(NETS[name]), Net(onnx)
    assert (one.name, one.games, one.value_logit_scale) == (two.name, two.games, two.value_logit_scale)


@pytest.mark.parametrize("kept", [0, 7, 8, 1000, 100_000, -1000, -1])
def test_a_file_that_is_cut_off_is_refused(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "net.safetensors"
    path.write_bytes(NETS["taiji"].read_bytes()[:kept])
    with pytest.raises(NetError, match=r"net\.safetensors: not a complete safetensors file"):
        read_net_file(path)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"This is not a net.", "not a complete"),
        (file_of([]), "not a complete"),
        (file_of(b"[" * 100_000), "not a complete"),
        (file_of(b'{"a": ' + b"1" * 5000 + b"}"), "not a complete"),
        (file_of({}), "not a taiji net"),
        (file_of({"__metadata__": 3}), "not a taiji net"),
        (file_of({"__metadata__": {"taiji": "{"}}), "invalid card"),
        (file_of({"__metadata__": {"taiji": '{"format": 2}'}}), r"another format \(expected 1\)"),
        (file_of({**CARD, "a": 3}), "tensor 'a'"),
        (file_of({**CARD, "a": ONE}), "cut short"),
        (file_of({**CARD, "a": {**ONE, "dtype": "F16"}}, bytes(4)), "expected float32"),
        (file_of({**CARD, "a": {**ONE, "shape": [2]}}, bytes(4)), "expected float32"),
        (file_of({**CARD, "a": {**ONE, "shape": [-1, -1]}}, bytes(4)), "expected float32"),
        (file_of({**CARD, "a": {**ONE, "data_offsets": [-4, 0]}}, bytes(4)), "cut short"),
        (file_of({**CARD, "a": ONE}, bytes(8)), "not a complete"),
    ],
)
def test_a_file_that_is_no_net_is_refused(tmp_path: Path, data: bytes, problem: str) -> None:
    path = tmp_path / "net.safetensors"
    path.write_bytes(data)
    with pytest.raises(NetError, match=rf"net\.safetensors: .*{problem}") as refused:
        read_net_file(path)
    assert "\n" not in str(refused.value)


def test_a_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(NetError, match=r"gone\.safetensors: No such file"):
        Net(tmp_path / "gone.safetensors")


def test_a_card_of_another_net_is_refused(tmp_path: Path) -> None:
    """The planes of the card must be those of the tensors."""
    net = read_net_file(NETS["taiji"])
    path = tmp_path / "net.safetensors"
    write_net_file(path, NetFile({**net.card, "net": {**net.card["net"], "planes": 9}}, net.tensors))
    with pytest.raises(NetError, match="inputs or outputs differ from its card"):
        Net(path)
