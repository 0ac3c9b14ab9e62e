"""These tests compile much and run little."""

from tests.quick_compiling import quick_compiling

__all__ = ["quick_compiling"]
