"""Export a checkpoint as the net that players read, and convert nets between their two formats.

`python -m taiji.training.pack SOURCE TARGET`: SOURCE is a checkpoint or a net, TARGET a `.safetensors` or
`.onnx` file.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from taiji.nets import onnx_file
from taiji.nets.net_file import SUFFIX, NetError, NetFile, read_net_file, write_net_file
from taiji.rules import parse_game


def games_by_rule(games: list[str]) -> list[str]:
    """Return the first game of each scoring rule, in the order of the net's inputs."""
    by_rule: dict[Any, str] = {}
    for text in games:
        stage = parse_game(text).stages[0]
        by_rule.setdefault((stage.scoring, stage.tiebreak), text)
    return list(by_rule.values())


def make_card(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the card of a net: games, rules, size and training."""
    games = [text for pool in facts["games"] for text in pool]
    return {
        "format": 1,
        "name": facts["name"],
        "games": games,
        "rules": games_by_rule(games),
        "net": {
            key: facts["net"][key] for key in ("planes", "globals", "policy", "swap", "blocks", "channels")
        },
        "training": {
            "seconds": round(facts["seconds"]),
            "steps": facts["step"],
            **{name: round(count) for name, count in facts["counts"].items()},
        },
    }


def set_value_scale(path: Path, sharpness: float) -> None:
    """Write the factor that calibrates the value logit into a net's card."""
    net = read_net(path)
    write_net(path, NetFile({**net.card, "sharpness": sharpness}, net.tensors))


def export_checkpoint(source: Path, target: Path, weights: str = "best") -> dict[str, Any]:
    """Write the weights that passed the last gate (or the latest, `mean`) as a net; return the card."""
    from taiji.training import checkpoint
    from taiji.training.export import to_tensors
    from taiji.training.net import NetShape, fold_weights

    _check_target(target)
    tree, facts = checkpoint.load(source)
    net = dict(facts["net"])
    shape = NetShape(**net | {"pooled": tuple(net["pooled"]), "scale": tuple(net["scale"])})
    card = make_card(facts)
    write_net(target, NetFile(card, to_tensors(fold_weights(tree[weights]), shape)))
    return card


def read_net(path: Path) -> NetFile:
    """Read a net in the format that its suffix names."""
    return onnx_file.read_onnx_file(path)[0] if path.suffix == onnx_file.SUFFIX else read_net_file(path)


def write_net(path: Path, net: NetFile) -> None:
    """Write a net in the format that its suffix names."""
    _check_target(path)
    if path.suffix == SUFFIX:
        write_net_file(path, net)
        return
    from taiji.nets.onnx_graph import to_onnx

    draft = path.with_name(f".{path.name}.draft")
    draft.write_bytes(to_onnx(net).SerializeToString())
    draft.replace(path)


def _check_target(path: Path) -> None:
    if path.suffix not in (SUFFIX, onnx_file.SUFFIX):
        raise NetError(f"{path}: unknown format {path.suffix!r} (expected {SUFFIX} or {onnx_file.SUFFIX})")


def main(arguments: list[str]) -> str | None:
    """Export or convert; return the problem in one line if the source cannot be read."""
    if len(arguments) != 2:
        return "usage: python -m taiji.training.pack CHECKPOINT|NET NET.safetensors|NET.onnx"
    source, target = (Path(text) for text in arguments)
    try:
        if source.suffix in (SUFFIX, onnx_file.SUFFIX) and _is_net(source):
            _check_target(target)
            net = read_net(source)
            write_net(target, net)
            card = net.card
        else:
            card = export_checkpoint(source, target)
    except (OSError, ValueError) as error:
        return str(error)
    print(f"{target}: the net {card['name']}, {target.stat().st_size:,} bytes")
    return None


def _is_net(path: Path) -> bool:
    """Return whether a file is a net; checkpoints are safetensors files too."""
    try:
        read_net(path)
    except NetError as error:
        if path.suffix == onnx_file.SUFFIX or "not a taiji net" not in str(error):
            raise
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
