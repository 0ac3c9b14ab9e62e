"""Which compiled games the net encoder can represent; it refuses all others by name."""

from __future__ import annotations

from taiji.rules import Adjacency, Game, Unsupported
from taiji.rules.program import Around, CompiledStage, Each, Fixed, Fold, Plane, Source, Tally, Test, Under

ENGINE = "the net encoder"


def check_supported(game: Game) -> None:
    """Raise `Unsupported` if the planes and globals of a net cannot represent a game."""
    if len(game.compiled.stages) != 1:
        raise Unsupported(ENGINE, "stages", f"{game} has more than one stage")
    stage = game.compiled.stages[0]
    for test in stage.tests:
        _check_test(test)
    for tally in stage.tallies:
        _check_tally(tally)
    _check_stage(stage)


def _check_test(test: Test) -> None:
    """The planes of covered cells and of legal footprints show what a test depends on."""
    match test.plane:
        case Plane.PIECE | Plane.COVERED | Plane.AFTER | Plane.KIND:
            pass
        case _:
            raise Unsupported(ENGINE, test.rule, f"no input shows the plane {_name(test.plane)}")
    match test.region:
        case Under() | Around() | Fixed() | Each():
            pass
        case _:
            raise Unsupported(ENGINE, test.rule, f"unknown region {_name(test.region)}")


def _check_tally(tally: Tally) -> None:
    match (tally.source, tally.join):
        case (Source.SQUARES, Adjacency()) | (Source.SYMBOLS, None):
            pass
        case (source, join):
            detail = f"no input shows {_name(source)} that are joined by {_name(join)}"
            raise Unsupported(ENGINE, tally.rule, detail)
    match tally.fold:
        case Fold.SUM | Fold.PRODUCT:
            pass
        case _:
            raise Unsupported(ENGINE, tally.rule, f"unknown fold {_name(tally.fold)}")


def _check_stage(stage: CompiledStage) -> None:
    for tally in stage.tiebreak:
        if (tally.source, tally.join) != (stage.score.source, stage.score.join):
            raise Unsupported(ENGINE, tally.rule, "a tie-break with other groups than the score")
    if stage.last_placement_bonus:
        raise Unsupported(ENGINE, "last-placement bonus", "no input shows who placed last")


def _name(value: object) -> str:
    return str(getattr(value, "value", None) or getattr(value, "name", None) or type(value).__name__)
