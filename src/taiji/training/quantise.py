"""Quantisation: a net's convolutions in eight bits, which a plain CPU runs about three times as fast."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onnxruntime.quantization import (  # type: ignore[import-untyped]
    CalibrationDataReader,
    CalibrationMethod,
    QuantFormat,
    QuantType,
    quantize_static,
)

if TYPE_CHECKING:
    from taiji.training.calibrate import Inputs


class _Reader(CalibrationDataReader):  # type: ignore[misc]
    """Hands positions to the calibrator."""

    def __init__(self, found: Iterable[Inputs]) -> None:
        self._found: Iterator[Inputs] = iter(found)

    def get_next(self) -> Inputs | None:
        """Return the next position, or None when there are no more."""
        return next(self._found, None)


def quantise(source: Path, target: Path, calibration: Iterable[Inputs], **options: Any) -> None:
    """Write the net with eight-bit convolutions.

    Weights take seven bits: plain AVX2 adds pairs of products in sixteen bits and would overflow with eight.
    """
    settings: dict[str, Any] = {
        "quant_format": QuantFormat.QDQ,
        "activation_type": QuantType.QUInt8,
        "weight_type": QuantType.QInt8,
        "per_channel": True,
        "reduce_range": True,
        "calibrate_method": CalibrationMethod.MinMax,
    } | options
    quantize_static(source, target, _Reader(calibration), **settings)
