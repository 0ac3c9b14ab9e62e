"""The rules of the TAIJI family as values: games, positions and matches. Pure Python, no I/O."""

from taiji.rules.catalogue import EDITIONS, GAMES, Edition, match_rule, parse_game, register, registered_games
from taiji.rules.custom import game_from_dict, game_from_toml
from taiji.rules.errors import GameError, NotationError, Unsupported
from taiji.rules.game import ColourNames, Game, Stage, Symbols
from taiji.rules.geometry import Adjacency, Board, UnknownCell, bits, mask_of
from taiji.rules.match import Match, MatchContext, MatchResult, MatchRule
from taiji.rules.options import ChoiceOption, GameDeclaration, IntOption, Option, TextOption
from taiji.rules.perft import perft
from taiji.rules.pieces import Colour, Piece, PieceStock, Seat
from taiji.rules.placements import Footprint, Layout, Move, NameKomi, Placement, Swap
from taiji.rules.reasons import IllegalMove, IllegalReason
from taiji.rules.scoring import (
    GroupProduct,
    LargestGroups,
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
    "ColourNames",
    "Edition",
    "Footprint",
    "Game",
    "GameDeclaration",
    "GameError",
    "GroupProduct",
    "IllegalMove",
    "IllegalReason",
    "IntOption",
    "LargestGroups",
    "Layer",
    "Layout",
    "Match",
    "MatchContext",
    "MatchResult",
    "MatchRule",
    "Move",
    "NameKomi",
    "NotationError",
    "NthLargestGroup",
    "Option",
    "Outcome",
    "Piece",
    "PieceStock",
    "Placement",
    "Points",
    "Scores",
    "Scoring",
    "Seat",
    "Stage",
    "State",
    "SumOfSquares",
    "Swap",
    "Symbols",
    "TextOption",
    "Tie",
    "UncoveredSymbols",
    "UnknownCell",
    "Unsupported",
    "bits",
    "game_from_dict",
    "game_from_toml",
    "mask_of",
    "match_rule",
    "parse_game",
    "perft",
    "register",
    "registered_games",
]
