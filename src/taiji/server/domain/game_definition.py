"""Games by their text: the catalogue, and the definition that a browser needs to run the rules."""

from __future__ import annotations

from typing import assert_never

from taiji.kernel.compile import compile_game
from taiji.rules import (
    EDITIONS,
    GAMES,
    ChoiceOption,
    Game,
    GameError,
    IntOption,
    Unsupported,
    match_rule,
    parse_game,
    registered_games,
)
from taiji.rules.openings import opening_lists
from taiji.rules.options import Option, TextOption
from taiji.rules.pieces import Piece
from taiji.rules.program_json import layout_to_json, program_to_json
from taiji.server.contract.catalogue import (
    Catalogue,
    ChoiceOptionInfo,
    EditionInfo,
    GameInfo,
    IntOptionInfo,
    OpeningsInfo,
    OptionInfo,
    TextOptionInfo,
)
from taiji.server.contract.errors import ApiError
from taiji.server.contract.game import GameDefinition, PieceDefinition

LEVELS = list(range(1, 11))


def parse_game_text(text: str) -> Game:
    """Return the game of a text, or raise `ApiError`."""
    try:
        return parse_game(text)
    except GameError as error:
        raise ApiError("bad-game", str(error)) from error


def playable_game(text: str, *, by_computer: bool = False) -> Game:
    """Return the game of a text; raise `ApiError` if it does not exist or has a rule unknown to an engine.

    The engines are those of the server and the page and, with `by_computer`, the search.
    """
    game = parse_game_text(text)
    try:
        game.start()
        program_to_json(game.compiled)
        if by_computer:
            compile_game(game)
    except Unsupported as error:
        raise ApiError("unsupported", str(error)) from error
    except GameError as error:
        raise ApiError("bad-game", str(error)) from error
    return game


def find_edition(text: str) -> str | None:
    """Return the edition that a text names, if it names one."""
    name = text.strip().lower()
    return name if name in EDITIONS else None


def catalogue() -> Catalogue:
    """Return every game with its options, the editions and the computer's levels."""
    return Catalogue(
        games=[
            GameInfo(
                name=game.name,
                title=game.title,
                designer=game.designer,
                rulebook=game.rulebook,
                summary=game.summary,
                options=[_option(option) for option in game.options],
            )
            for game in GAMES.values()
        ]
        + [
            GameInfo(name=str(game), title=str(game), designer="", rulebook="", summary="", options=[])
            for game in registered_games()
        ],
        editions=[
            EditionInfo(name=e.name, title=e.title, game=e.game, match_rule=e.match_rule.value)
            for e in EDITIONS.values()
        ],
        levels=LEVELS,
        openings=[
            OpeningsInfo(game=known.game, numbers=list(known.numbers_to_draw)) for known in opening_lists()
        ],
    )


def game_definition(text: str) -> GameDefinition:
    """Return the compiled rules, the pieces and the footprints of a game, or raise `ApiError`."""
    game = playable_game(text)
    base = str(game).partition(":")[0]
    return GameDefinition.model_validate(
        {
            "game": str(game),
            "base": base,
            "title": GAMES[base].title if base in GAMES else str(game),
            "match_rule": match_rule(text).value,
            "program": program_to_json(game.compiled),
            "stages": [
                {"pieces": [_piece(piece) for piece in stage.pieces], "footprints": layout_to_json(layout)}
                for stage, layout in zip(game.stages, game.layouts, strict=True)
            ],
        }
    )


def _piece(piece: Piece) -> PieceDefinition:
    return PieceDefinition(
        kind=piece.kind,
        squares=list(piece.squares),
        colours=piece.colours,
        stock=piece.stock,
        can_rotate=piece.can_rotate,
        can_flip=piece.can_flip,
    )


def _option(option: Option) -> OptionInfo:
    match option:
        case ChoiceOption():
            values = list(option.values)
            return ChoiceOptionInfo(name=option.name, help=option.help, default=option.default, values=values)
        case IntOption():
            return IntOptionInfo(
                name=option.name, help=option.help, default=option.default, low=option.low, high=option.high
            )
        case TextOption():
            return TextOptionInfo(
                name=option.name, help=option.help, default=option.default, domain=option.allowed
            )
        case _:
            assert_never(option)
