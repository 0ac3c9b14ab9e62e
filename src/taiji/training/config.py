"""The learning configuration: the optimiser and the weights of the heads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LearningConfig:
    """The optimiser's settings and the weights of the loss."""

    batch: int = 2048
    rate: float = 2e-3
    final_rate: float = 1e-4
    warmup: int = 300
    decay: float = 0.02
    clip: float = 1.0
    average: float = 0.999
    value_weight: float = 1.0
    margin_weight: float = 0.15
    owner_weight: float = 0.25
