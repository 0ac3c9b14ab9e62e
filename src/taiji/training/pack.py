"""Export a checkpoint as the net that players read: an ONNX file with its card in the metadata."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import onnx

from taiji.nets.onnx_file import CARD
from taiji.rules import parse_game
from taiji.training import checkpoint
from taiji.training.export import to_onnx
from taiji.training.net import NetShape, fold_weights


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
    model = onnx.load(path)
    card = json.loads(next(part.value for part in model.metadata_props if part.key == CARD))
    onnx.helper.set_model_props(model, {CARD: json.dumps({**card, "sharpness": sharpness})})
    draft = path.with_name(f".{path.name}.draft")
    draft.write_bytes(model.SerializeToString())
    draft.replace(path)


def export_checkpoint(source: Path, target: Path, weights: str = "best") -> dict[str, Any]:
    """Write the weights that passed the last gate (or the latest, `mean`) as ONNX; return the card."""
    tree, facts = checkpoint.load(source)
    net = dict(facts["net"])
    shape = NetShape(**net | {"pooled": tuple(net["pooled"]), "scale": tuple(net["scale"])})
    card = make_card(facts)
    model = to_onnx(fold_weights(tree[weights]), shape, card)
    draft = target.with_name(f".{target.name}.draft")
    draft.write_bytes(model.SerializeToString())
    draft.replace(target)
    return card
