"""The rules of the TAIJI family as values: games, positions and matches. Pure Python, no I/O."""

from taiji.rules.catalogue import EDITIONS, GAMES, Edition, match_rule, parse_game, register
from taiji.rules.custom import game_from_dict, game_from_toml
from taiji.rules.game import Game, GameError, Stage, Symbols, Words
from taiji.rules.geometry import Adjacency, Board, UnknownCell, bits, mask_of
from taiji.rules.match import Match, MatchResult, MatchRule
from taiji.rules.options import Choice, Declaration, Drawn, Option, Whole
from taiji.rules.perft import perft
from taiji.rules.pieces import Colour, Piece, Seat, Slot
from taiji.rules.placements import Footprint, Layout, Move, Placement, Swap
from taiji.rules.reasons import IllegalMove, Reason
from taiji.rules.scoring import Largest, Product, Ranked, Scoring, Squares, Tie, Uncovered
from taiji.rules.state import Layer, Outcome, Points, Scores, State

__all__ = [
    "EDITIONS",
    "GAMES",
    "Adjacency",
    "Board",
    "Choice",
    "Colour",
    "Declaration",
    "Drawn",
    "Edition",
    "Footprint",
    "Game",
    "GameError",
    "IllegalMove",
    "Largest",
    "Layer",
    "Layout",
    "Match",
    "MatchResult",
    "MatchRule",
    "Move",
    "Option",
    "Outcome",
    "Piece",
    "Placement",
    "Points",
    "Product",
    "Ranked",
    "Reason",
    "Scores",
    "Scoring",
    "Seat",
    "Slot",
    "Squares",
    "Stage",
    "State",
    "Swap",
    "Symbols",
    "Tie",
    "Uncovered",
    "UnknownCell",
    "Whole",
    "Words",
    "bits",
    "game_from_dict",
    "game_from_toml",
    "mask_of",
    "match_rule",
    "parse_game",
    "perft",
    "register",
]
