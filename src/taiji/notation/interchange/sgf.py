"""Write SGF FF[4] for Go editors, with the moves in private properties.

SGF has no game number for these games. Squares become setup stones, light ones white and dark ones black, so
that a Go editor shows each position. Symbols are stones until a piece covers them; squares under pieces
without colours are dimmed. The private properties, whose names start with TJ, hold the game itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from taiji import __version__
from taiji.notation.interchange.errors import UNSUPPORTED, ConversionError
from taiji.notation.interchange.replayed import ImportedGame
from taiji.notation.interchange.sgf_stones import Stones, point
from taiji.notation.positions import format_position
from taiji.notation.records import Record, RecordedMove, Result, Termination
from taiji.notation.replays import (
    ReplayedPlies,
    ReplayedPly,
    Replayer,
    format_score,
    replay_record,
    replay_with_rules,
)
from taiji.rules import Colour

MAX_SIDE = 52
"""SGF names 52 columns and rows, by letters."""
_GLYPHS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
_TAGS = {"Light": "PW", "Dark": "PB", "Event": "EV", "Round": "RO", "Site": "PC"}
_ENDINGS = {Termination.RESIGNED: "R", Termination.TIME: "T", Termination.FORFEIT: "F"}

Properties = list[tuple[str, list[str]]]


def format_sgf(imported: ImportedGame, replayer: Replayer = replay_with_rules) -> str:
    """Format a game as an SGF game tree, variations included."""
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
    """Return the value of `RE`: winner, then margin or ending; `W` is the seat that started as Light."""
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
    """Yield the nodes of a line; before a move with variations, the tree branches."""
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
                tree = _format_tree(other, replay_record(other, replayer), stones, replayer)
                others.append(f"({comment}{''.join(tree)})")
            branches.append(others)
            yield "("
        stones = stones.after(ply)
        yield _format_node(_move_properties(record, step, ply, stones))
    for others in reversed(branches):
        yield ")" + "".join(others)


def _move_properties(record: Record, step: RecordedMove, ply: ReplayedPly, stones: Stones) -> Properties:
    board = record.game.stages[ply.stage].board
    properties: Properties = [("TJMOVE", [str(ply.move)]), *stones.changes]
    if stones.new:
        properties.append(("MA", [point(board, cell) for cell in stones.new]))
    properties.append(("PL", ["B" if ply.colour is Colour.LIGHT else "W"]))
    if step.clock is not None:
        properties.append(("TJCLOCK", [f"{step.clock:g}"]))
    if step.evaluation is not None:
        parts = (step.evaluation.win_prob, step.evaluation.margin, step.evaluation.playouts)
        properties.append(("TJEVAL", [" ".join("-" if part is None else f"{part:g}" for part in parts)]))
    glyphs = " ".join(_GLYPHS.get(nag, f"${nag}") for nag in step.nags)
    return [*properties, *_comment_properties(" ".join(filter(None, (glyphs, step.comment))))]


def _comment_properties(text: str) -> Properties:
    return [("C", [text])] if text else []


def _format_node(properties: Iterable[tuple[str, list[str]]]) -> str:
    return ";" + "".join(
        name + "".join(f"[{_escape(value)}]" for value in values) for name, values in properties if values
    )


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
