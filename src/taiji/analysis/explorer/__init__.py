"""The opening explorer: positions up to symmetry, with counts, results and engine values."""

from taiji.analysis.explorer.book import Book, BookError, Stats, book_name, read_book, shipped_book
from taiji.analysis.explorer.explore import Exploration, ExploredMove, explore
from taiji.analysis.explorer.index import OpeningIndex
from taiji.analysis.explorer.keys import PositionKeys, get_keys, key_of

__all__ = [
    "Book",
    "BookError",
    "Exploration",
    "ExploredMove",
    "OpeningIndex",
    "PositionKeys",
    "Stats",
    "book_name",
    "explore",
    "get_keys",
    "key_of",
    "read_book",
    "shipped_book",
]
