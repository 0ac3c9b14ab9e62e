"""The TAIJI family of board games."""

__version__ = "0.1.0"
