"""Tournaments and ratings on the server: lobby by link, automatic pairing, results from the boards."""
