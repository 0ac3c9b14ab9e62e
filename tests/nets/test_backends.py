"""Every backend of the core says the same of a position, and the fastest one is chosen."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")

from taiji.kernel import ConvNet, simd_backend, simd_backends  # noqa: E402
from taiji.nets.net import bundled_nets  # noqa: E402
from taiji.nets.net_file import read_net_file  # noqa: E402
from taiji.nets.planes import MARGIN_BINS  # noqa: E402

NETS = {path.stem: path for path in bundled_nets()}
BOARDS = [("taiji", 5), ("taiji", 7), ("taiji", 9), ("taiji", 11), ("tailits", 11), ("battle-of-lits", 10)]
CPUINFO = Path("/proc/cpuinfo")
FLAGS = {"avx512_vnni": {"avx512_vnni", "avx512bw", "avx512dq", "avx512vl"}, "avx2": {"avx2", "fma", "bmi2"}}

Tensors = dict[str, np.ndarray]
Outputs = list[np.ndarray]


def needs(*names: str) -> None:
    missing = set(names) - set(simd_backends())
    if missing:
        pytest.skip(f"this processor does not have {', '.join(sorted(missing))}")


def tensors_of(name: str) -> Tensors:
    return {key: np.asarray(tensor) for key, tensor in read_net_file(NETS[name]).tensors.items()}


def narrowed(tensors: Tensors, channels: int) -> Tensors:
    """Return the net with fewer channels in its trunk; the pooled means and maxima are twice as many."""
    wide = tensors["stem_w"].shape[0]
    found = {}
    for key, tensor in tensors.items():
        part = tensor
        for axis, length in enumerate(tensor.shape):
            if length in (wide, 2 * wide) and not key.startswith(("value_hidden", "value_w", "margin")):
                part = np.take(part, range(length // wide * channels), axis)
        found[key] = np.ascontiguousarray(part)
    return found


def outputs(core: ConvNet, size: int, batch: int) -> Outputs:
    draw = np.random.default_rng(size)
    planes = draw.integers(0, 3, (batch, core.planes, size, size)).astype(np.float32)
    numbers = draw.random((batch, core.globals), np.float32)
    policy = np.zeros((batch, core.policies, size, size), np.float32)
    swap, value = np.zeros(batch, np.float32), np.zeros(batch, np.float32)
    margin = np.zeros((batch, MARGIN_BINS), np.float32)
    core.evaluate(planes, numbers, policy, swap, value, margin)
    return [policy, swap, value, margin]


def said_by(backend: str, tensors: Tensors, size: int, batch: int, int16: bool) -> Outputs:
    return outputs(ConvNet(tensors, size, size, int16, backend), size, batch)


def assert_equal(one: Outputs, two: Outputs) -> None:
    assert np.abs(one[0]).max() > 0.1
    for first, second in zip(one, two, strict=True):
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(("name", "size"), BOARDS)
@pytest.mark.parametrize("batch", [1, 2, 7])
@pytest.mark.parametrize("int16", [False, True])
def test_wider_vectors_change_no_bit(name: str, size: int, batch: int, int16: bool) -> None:
    """Every lane has the same operations in the same order, so a search does not depend on the processor."""
    needs("avx512_vnni", "avx2")
    tensors = tensors_of(name)
    assert_equal(*(said_by(backend, tensors, size, batch, int16) for backend in ("avx512_vnni", "avx2")))


@pytest.mark.parametrize("channels", [16, 24, 40, 48])
@pytest.mark.parametrize("int16", [False, True])
@pytest.mark.parametrize("size", [6, 7])
def test_wider_vectors_change_no_bit_of_a_narrow_net(channels: int, int16: bool, size: int) -> None:
    """Neither all channels nor all panels fill the vectors."""
    needs("avx512_vnni", "avx2")
    tensors = narrowed(tensors_of("taiji"), channels)
    assert tensors["block0_one_w"].shape[:2] == (channels, channels)
    assert_equal(*(said_by(backend, tensors, size, 3, int16) for backend in ("avx512_vnni", "avx2")))


@pytest.mark.parametrize("backend", ["avx512_vnni", "avx2"])
@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_every_backend_says_what_the_portable_one_says(backend: str, name: str, size: int) -> None:
    """The portable one has no fused multiplications, and no int16 products."""
    needs(backend)
    tensors = tensors_of(name)
    wanted = said_by("portable", tensors, size, 2, True)
    for int16, error in ((False, 2e-3), (True, 0.1)):
        for one, two in zip(wanted, said_by(backend, tensors, size, 2, int16), strict=True):
            assert np.abs(one - two).max() < error


def test_int16_products_are_not_those_of_floats() -> None:
    if simd_backends() == ["portable"]:
        pytest.skip("the portable backend has no int16 products")
    exact, quick = (said_by("", tensors_of("taiji"), 7, 1, int16) for int16 in (False, True))
    assert (exact[0] != quick[0]).any()


def test_the_fastest_backend_is_used() -> None:
    names = simd_backends()
    assert simd_backend() == names[0]
    assert names[-1] == "portable"
    assert_equal(*(said_by(name, tensors_of("taiji"), 5, 1, True) for name in ("", names[0])))


@pytest.mark.skipif(not CPUINFO.exists() or platform.machine() != "x86_64", reason="no flags of an x86-64")
def test_the_backends_are_those_of_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAIJI_CPU_LEVEL", raising=False)
    flags = next(line for line in CPUINFO.read_text().splitlines() if line.startswith("flags")).split()
    assert simd_backends() == [*(name for name, needed in FLAGS.items() if needed <= set(flags)), "portable"]


def test_a_backend_that_the_processor_lacks_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no such backend on this processor: neon"):
        ConvNet(tensors_of("taiji"), 5, 5, True, "neon")
