"""Specs are read strictly: what cannot be trained is refused in one line before any work."""

from __future__ import annotations

from pathlib import Path

import pytest

from taiji.training.spec import SpecError, read_spec, spec_from_toml

SPECS = Path(__file__).parents[2] / "src" / "taiji" / "training" / "specs"
POOL = '[[pool]]\ngames = { "taiji:size=5" = 1.0 }\nplies = 8\nsize = 16\n'


@pytest.mark.parametrize("path", sorted(SPECS.glob("*.toml")), ids=lambda path: path.stem)
def test_the_specs_of_the_repository_are_read(path: Path) -> None:
    spec = read_spec(path)
    assert spec.name == path.stem
    assert spec.games()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "at least one"),
        ("pool = 3", "at least one"),
        ("x = 1\n" + POOL, "unknown key 'x'"),
        ("[net]\nblock = 3\n" + POOL, "net: unknown key 'block'"),
        ("[net]\nblocks = 0\n" + POOL, "out of bounds"),
        ("[net]\nblocks = 2.5\n" + POOL, r"blocks = 2.5: invalid \(expected int"),
        ("[net]\nblocks = true\n" + POOL, "expected int"),
        ("[net]\nblocks = 2\npooled = [2]\n" + POOL, "pooled = 2"),
        ("[search]\nsimulations = 4\n" + POOL, "simulations = 4"),
        ("[learning]\nbatch = 20\n" + POOL, "multiple of 8"),
        ("[run]\nprecision = 'half'\n" + POOL, "expected bfloat16 or float32"),
        ("[run]\nminutes = 0\n" + POOL, "minutes = 0"),
        ("[run]\ncapacity = 10\n" + POOL, "capacity = 10"),
        ('[[pool]]\ngames = { "chess" = 1 }', "pool 1: unknown game 'chess'"),
        ('[[pool]]\ngames = { "taiji:size=5" = -1 }', "pool 1: games"),
        ('[[pool]]\ngames = { "taiji:size=11" = 1 }\nplies = 8', "half of the longest game"),
        ("[[pool]]\nsize = 3", "games"),
        ("name = [", "not TOML"),
        ("[run]\nreuse = 2.0\nsamples_per_position = 3.0\n" + POOL, "are one setting"),
    ],
)
def test_what_cannot_be_trained_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(SpecError, match=complaint) as caught:
        spec_from_toml(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("section", "old", "new", "value"),
    [
        ("search", "trust", "value_scale", 0.5),
        ("search", "late_from", "late_after_fraction", 0.7),
        ("run", "reuse", "samples_per_position", 2.5),
        ("run", "search_share", "search_value_weight", 0.3),
        ("run", "gate_openers", "gate_opening_plies", 4),
    ],
)
def test_old_keys_are_still_read(section: str, old: str, new: str, value: float) -> None:
    spec = spec_from_toml(f"[{section}]\n{old} = {value}\n{POOL}")
    assert getattr(getattr(spec, section), new) == value
    assert spec == spec_from_toml(f"[{section}]\n{new} = {value}\n{POOL}")


def test_the_old_key_of_a_pool_is_still_read() -> None:
    assert spec_from_toml(POOL + "every = 3\n").pools[0].every_n_rounds == 3


def test_a_file_is_named_in_its_errors(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"missing\.toml"):
        read_spec(tmp_path / "missing.toml")
    broken = tmp_path / "broken.toml"
    broken.write_bytes(b"\xff")
    with pytest.raises(SpecError, match=r"broken\.toml"):
        read_spec(broken)


def test_games_that_share_no_net_are_refused() -> None:
    pytest.importorskip("jax")
    from taiji.training.setup import build

    pools = '[[pool]]\ngames = { "taiji:size=5" = 1 }\n[[pool]]\ngames = { "tailits" = 1 }\n'
    with pytest.raises(SpecError, match="differ in more than board and scoring"):
        build(spec_from_toml(pools))
    cramped = '[[pool]]\ngames = { "battle-of-lits:size=10" = 1 }\n[[pool]]\ngames = { "taiji:size=2" = 1 }\n'
    with pytest.raises(SpecError, match="differ"):
        build(spec_from_toml(cramped))
