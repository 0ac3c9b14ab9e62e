"""Trained nets with their cards, and the encoding of positions for them."""
