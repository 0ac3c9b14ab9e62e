"""Tournaments and ratings: entries by link, automatic pairing, results from the boards."""
