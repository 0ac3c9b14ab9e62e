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
from taiji.notation.interchange.courses import Course, Found, Ply, Referee, judge
from taiji.notation.interchange.refusals import NOT_EXPRESSIBLE, Refused
from taiji.notation.interchange.sgf_stones import Stones, point
from taiji.notation.moves import format_move
from taiji.notation.positions import format_position
from taiji.notation.records import Record, Result, Step, Termination
from taiji.notation.replays import format_score
from taiji.rules import Colour

LONGEST_SIDE = 52
"""SGF has letters for so many columns."""
_GLYPHS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
_TAGS = {"Light": "PW", "Dark": "PB", "Event": "EV", "Round": "RO", "Site": "PC"}
_ENDINGS = {Termination.RESIGNED: "R", Termination.TIME: "T", Termination.FORFEIT: "F"}

Properties = list[tuple[str, list[str]]]


def format_sgf(found: Found, referee: Referee = judge) -> str:
    """Write a game as an SGF game tree, variations included."""
    record = found.record
    board = record.game.stages[0].board
    if max(board.width, board.height) > LONGEST_SIDE:
        raise Refused(NOT_EXPRESSIBLE, f"SGF has no board of {board.width}×{board.height}")
    stones = Stones.of(record.first)
    root = _node([*_root(record), *stones.shown(), *_comment(record.comment)])
    return f"({root}{''.join(_tree(record, found.course, stones, referee))})"


def _root(record: Record) -> Iterator[tuple[str, list[str]]]:
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
    yield "RE", [_result(record)]
    yield "GN", [str(record.game)]
    yield "TJGAME", [str(record.game)]
    if record.start is not None:
        yield "TJPOSITION", [format_position(record.start)]
    if record.score is not None:
        yield "TJSCORE", [format_score(record.score)]


def _result(record: Record) -> str:
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


def _tree(record: Record, course: Course, stones: Stones, referee: Referee) -> Iterator[str]:
    """Yield the nodes of a line; where there are variations, the rest of it and they become branches."""
    branches: list[list[str]] = []
    states = record.replay().states if any(step.variations for step in record.steps) else ()
    for index, (step, ply) in enumerate(zip(record.steps, course.plies, strict=True)):
        if step.variations:
            others = []
            for line in step.variations:
                other = replace(
                    record, start=states[index], steps=line.steps, comment="", result=Result.OPEN, score=None
                )
                said = _node(_comment(line.comment)) if line.comment else ""
                others.append(f"({said}{''.join(_tree(other, referee(other), stones, referee))})")
            branches.append(others)
            yield "("
        stones = stones.after(ply)
        yield _node(_move(record, step, ply, stones))
    for others in reversed(branches):
        yield ")" + "".join(others)


def _move(record: Record, step: Step, ply: Ply, stones: Stones) -> Properties:
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
    return [*found, *_comment(" ".join(filter(None, (glyphs, step.comment))))]


def _comment(text: str) -> Properties:
    return [("C", [text])] if text else []


def _node(properties: Iterable[tuple[str, list[str]]]) -> str:
    return ";" + "".join(
        name + "".join(f"[{_escaped(value)}]" for value in values) for name, values in properties if values
    )


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
