"""Trained networks, their cards, and what they see of a position."""
