"""Studies of games: how fair a game is, which openings are balanced, and how two rule sets differ."""

from taiji.study.spec import OpeningSearch, SpecError, Strength, StudiedGame, Study
from taiji.study.spec_file import read_study, study_to_toml, write_study

__all__ = [
    "OpeningSearch",
    "SpecError",
    "Strength",
    "StudiedGame",
    "Study",
    "read_study",
    "study_to_toml",
    "write_study",
]
