"""The rules of the TAIJI family as values: games, positions and matches. Pure Python, no I/O."""

from taiji.rules.catalogue import EDITIONS, GAMES, Edition, match_rule, parse_game, register
from taiji.rules.custom import game_from_dict, game_from_toml
from taiji.rules.game import Game, GameError, Stage, Symbols, ColourNames
from taiji.rules.geometry import Adjacency, Board, UnknownCell, bits, mask_of
from taiji.rules.match import Match, MatchResult, MatchRule
from taiji.rules.options import ChoiceOption, GameDeclaration, TextOption, Option, IntOption
from taiji.rules.perft import perft
from taiji.rules.pieces import Colour, Piece, Seat, PieceStock
from taiji.rules.placements import Footprint, Layout, Move, Placement, Swap
from taiji.rules.reasons import IllegalMove, IllegalReason
from taiji.rules.scoring import (
    LargestGroups,
    GroupProduct,
    NthLargestGroup,
    Scoring,
    SumOfSquares,
    Tie,
    UncoveredSymbols,
)
from taiji.rules.state import Layer, Outcome, Points, Scores, State

__all__ = [
    "EDITIONS",
    "GAMES",
    "Adjacency",
    "Board",
    "ChoiceOption",
    "Colour",
    "GameDeclaration",
    "TextOption",
    "Edition",
    "Footprint",
    "Game",
    "GameError",
    "IllegalMove",
    "LargestGroups",
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
    "GroupProduct",
    "NthLargestGroup",
    "IllegalReason",
    "Scores",
    "Scoring",
    "Seat",
    "PieceStock",
    "SumOfSquares",
    "Stage",
    "State",
    "Swap",
    "Symbols",
    "Tie",
    "UncoveredSymbols",
    "UnknownCell",
    "IntOption",
    "ColourNames",
    "bits",
    "game_from_dict",
    "game_from_toml",
    "mask_of",
    "match_rule",
    "parse_game",
    "perft",
    "register",
]
