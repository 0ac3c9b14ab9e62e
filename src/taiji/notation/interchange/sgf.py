"""SGF FF[4], written: any game as a file that editors for Go show, with the moves in private properties.

SGF has no number for these games. Squares are laid as setup stones, light ones white and dark ones black, so
that a Go editor shows each position as it was; symbols are stones until a piece covers them, and squares
under pieces without colours are dimmed. Our own properties hold the game itself: TJGAME, TJPOSITION, TJMOVE,
TJSCORE, TJCLOCK and TJEVAL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from taiji import __version__
from taiji.notation.interchange.errors import UNSUPPORTED, ConversionError
from taiji.notation.interchange.replayed import (
    ImportedGame,
    ReplayedPlies,
    ReplayedPly,
    Replayer,
    replay_with_rules,
)
from taiji.notation.interchange.sgf_stones import Stones, point
from taiji.notation.moves import format_move
from taiji.notation.positions import format_position
from taiji.notation.records import Record, RecordedMove, Result, Termination
from taiji.notation.replays import format_score
from taiji.rules import Colour

MAX_SIDE = 52
"""SGF has letters for so many columns."""
_GLYPHS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
_TAGS = {"Light": "PW", "Dark": "PB", "Event": "EV", "Round": "RO", "Site": "PC"}
_ENDINGS = {Termination.RESIGNED: "R", Termination.TIME: "T", Termination.FORFEIT: "F"}

Properties = list[tuple[str, list[str]]]


def format_sgf(imported: ImportedGame, replayer: Replayer = replay_with_rules) -> str:
    """Write a game as an SGF game tree, variations included."""
    record = imported.record
    board = record.game.stages[0].board
    if max(board.width, board.height) > MAX_SIDE:
        raise ConversionError(UNSUPPORTED, f"SGF has no board of {board.width}×{board.height}")
    stones = Stones.from_state(record.first)
    root = _format_node(
        [*_root_properties(record), *stones.setup_properties(), *_comment_properties(record.comment)]
    )
    return f"({root}{''.join(_format_tree(record, imported.replayed, stones, replayer))})"


def _root_properties(record: Record) -> Iterator[tuple[str, list[str]]]:
    board = record.game.stages[0].board
    size = str(board.width) if board.width == board.height else f"{board.width}:{board.height}"
    yield from (
        ("FF", ["4"]),
        ("GM", ["1"]),
        ("CA", ["UTF-8"]),
        ("AP", [f"taiji:{__version__}"]),
        ("SZ", [size]),
    )
    yield from ((name, [record.tag(tag)]) for tag, name in _TAGS.items() if record.tag(tag))
    if record.tag("Date"):
        yield "DT", [record.tag("Date").replace(".", "-")]
    yield "RE", [_format_result(record)]
    yield "GN", [str(record.game)]
    yield "TJGAME", [str(record.game)]
    if record.start is not None:
        yield "TJPOSITION", [format_position(record.start)]
    if record.score is not None:
        yield "TJSCORE", [format_score(record.score)]


def _format_result(record: Record) -> str:
    """Return who won, `W` being the seat that began as Light, and by how much."""
    if record.result is Result.OPEN:
        return "Void" if record.termination is Termination.ABANDONED else "?"
    if record.result is Result.DRAW:
        return "0"
    winner = "W" if record.result is Result.LIGHT else "B"
    if record.termination is not None:
        return f"{winner}+{_ENDINGS.get(record.termination, '')}"
    margin = abs(record.score.light - record.score.dark) if record.score else 0
    return f"{winner}+{margin:g}" if margin else f"{winner}+"


def _format_tree(
    record: Record, replayed: ReplayedPlies, stones: Stones, replayer: Replayer
) -> Iterator[str]:
    """Yield the nodes of a line; where there are variations, the rest of it and they become branches."""
    branches: list[list[str]] = []
    states = record.replay().states if any(step.variations for step in record.steps) else ()
    for index, (step, ply) in enumerate(zip(record.steps, replayed.plies, strict=True)):
        if step.variations:
            others = []
            for line in step.variations:
                other = replace(
                    record, start=states[index], steps=line.steps, comment="", result=Result.OPEN, score=None
                )
                comment = _format_node(_comment_properties(line.comment)) if line.comment else ""
                others.append(f"({comment}{''.join(_format_tree(other, replayer(other), stones, replayer))})")
            branches.append(others)
            yield "("
        stones = stones.after(ply)
        yield _format_node(_move_properties(record, step, ply, stones))
    for others in reversed(branches):
        yield ")" + "".join(others)


def _move_properties(record: Record, step: RecordedMove, ply: ReplayedPly, stones: Stones) -> Properties:
    board = record.game.stages[ply.stage].board
    found: Properties = [("TJMOVE", [format_move(record.game, ply.move)]), *stones.changes]
    if stones.new:
        found.append(("MA", [point(board, cell) for cell in stones.new]))
    found.append(("PL", ["B" if ply.colour is Colour.LIGHT else "W"]))
    if step.clock is not None:
        found.append(("TJCLOCK", [f"{step.clock:g}"]))
    if step.evaluation is not None:
        parts = (step.evaluation.chance, step.evaluation.margin, step.evaluation.playouts)
        found.append(("TJEVAL", [" ".join("-" if part is None else f"{part:g}" for part in parts)]))
    glyphs = " ".join(_GLYPHS.get(nag, f"${nag}") for nag in step.nags)
    return [*found, *_comment_properties(" ".join(filter(None, (glyphs, step.comment))))]


def _comment_properties(text: str) -> Properties:
    return [("C", [text])] if text else []


def _format_node(properties: Iterable[tuple[str, list[str]]]) -> str:
    return ";" + "".join(
        name + "".join(f"[{_escape(value)}]" for value in values) for name, values in properties if values
    )


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
