"""The review of a game as one self-contained HTML page, for screens of any size, light or dark."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING

from taiji.analysis.review_text import summary_lines
from taiji.render.description import Ghost, describe, make_tile
from taiji.render.picture import Style, compose
from taiji.render.svg_writer import write
from taiji.render.theme import theme
from taiji.rules import Colour, Placement, Seat

if TYPE_CHECKING:
    from taiji.analysis import Review, ReviewPly
    from taiji.notation import Record, Replay
    from taiji.render.description import Scene

BOARD_PX = 420
"""Width of a board; narrow screens scale it down."""
THEMES = ("paper", "night")
"""The themes of a light and of a dark screen."""
GRAPH_WIDTH, GRAPH_HEIGHT = 600, 120

_STYLE = """
:root { color-scheme: light dark; LIGHT }
@media (prefers-color-scheme: dark) { :root { DARK } }
body { font: 1rem/1.5 Georgia, serif; background: var(--paper); color: var(--ink);
  max-width: 56rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; font-weight: 500; margin: .5rem 0; } h2 { font-size: 1.1rem; font-weight: 500; }
p { margin: .4rem 0; } .muted { color: var(--muted); }
.graph { width: 100%; height: auto; background: var(--sunken); }
.graph polyline { fill: none; stroke: var(--ink); stroke-width: 2; }
.graph line { stroke: var(--hairline); } .graph circle { fill: var(--ink); }
.boards { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; }
figure { margin: 0; } figure img { width: 100%; height: auto; display: block; }
figcaption { margin-top: .3rem; } mark { background: none; color: inherit; font-weight: 700; }
.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .5rem; white-space: nowrap;
  border-bottom: 1px solid var(--hairline); }
.n { text-align: right; font-variant-numeric: tabular-nums; }
@media print { figure, tr { break-inside: avoid; } }
""".strip()


def review_page(record: Record, replay: Replay, review: Review) -> str:
    """Return the page: the players' accuracy, a graph, a board per marked move, and all moves."""
    names = record.game.colour_names
    sides = " v ".join(
        f"{record.tag(tag) or '?'} ({names.of(colour)})"
        for tag, colour in (("Light", Colour.LIGHT), ("Dark", Colour.DARK))
    )
    marked = [index for index, ply in enumerate(review.moves) if ply.mark]
    boards = "\n".join(_figure(replay, review, index) for index in marked) or "<p>No mistakes were found.</p>"
    summary = "\n".join(f"<p>{escape(line)}</p>" for line in summary_lines(replay.states, review))
    rows = "\n".join(_row(replay, review, index) for index in range(len(review.moves)))
    result = escape(str(replay.last).rsplit("\n", 1)[-1])
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Review: {escape(sides)}</title>\n<style>\n{_style()}\n</style>\n"
        f"<h1>{escape(sides)}</h1>\n<p>{escape(review.game)}: {result}.</p>\n"
        f'<p class="muted">Reviewed by {escape(review.player)}.</p>\n'
        f"<h2>Accuracy</h2>\n{summary}\n"
        f"<h2>Win probability of {escape(names.of(Colour.LIGHT))}</h2>\n{_graph(review)}\n"
        f'<h2>Marked moves</h2>\n<div class="boards">\n{boards}\n</div>\n'
        f'<h2>All moves</h2>\n<div class="table"><table>\n<thead><tr><th class="n">ply</th><th>side</th>'
        f'<th>played</th><th>best</th><th class="n">loss</th><th class="n">points</th><th>mark</th></tr>'
        f"</thead>\n<tbody>\n{rows}\n</tbody></table></div>\n</html>\n"
    )


def _style() -> str:
    def variables(name: str) -> str:
        colours = theme(name)
        keys = ("paper", "sunken", "hairline", "ink", "muted")
        return " ".join(f"--{key}: {colours[key]};" for key in keys)

    return _STYLE.replace("LIGHT", variables(THEMES[0])).replace("DARK", variables(THEMES[1]))


def _figure(replay: Replay, review: Review, index: int) -> str:
    """Return the board before a marked move, with the better move as a ghost."""
    ply, state = review.plies[index], replay.states[index]
    assert ply.played is not None
    best = None if ply.analysis.best is None else state.game.move(ply.analysis.best.move)
    ghosts = [Ghost(make_tile(state.game, best))] if isinstance(best, Placement) else []
    before = replay.moves[index - 1] if index else None
    scene = describe(state, last=before, ghosts=ghosts)
    name = state.game.colour_names.of(state.colour_to_move)
    reasons = "; ".join(reason.text for reason in ply.analysis.reasons if reason.code != "search")
    why = f" It {escape(reasons)}." if reasons else ""
    played = f"{state.ply + 1}. {escape(name)} played {ply.played.text}"
    text = f"{played}: <mark>{ply.mark}</mark>, {_loss(ply)} lost. Better, drawn faintly: {best}.{why}"
    return f"<figure>{_picture(scene, f'ply {state.ply + 1}')}<figcaption>{text}</figcaption></figure>"


def _picture(scene: Scene, alt: str) -> str:
    """Return a board as an image that follows the colours of the screen."""
    light, dark = (
        "data:image/svg+xml;base64,"
        + b64encode(write(compose(scene, Style(name)), BOARD_PX).encode()).decode()
        for name in THEMES
    )
    alt_text = escape(f"{alt}: {scene.alt_text}")
    return (
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">'
        f'<img src="{light}" alt="{alt_text}" width="{BOARD_PX}" loading="lazy"></picture>'
    )


def _loss(ply: ReviewPly) -> str:
    points = "" if ply.margin_loss is None else f" and {ply.margin_loss:.1f} points"
    return f"{ply.loss or 0:.0%}{points}"


def _row(replay: Replay, review: Review, index: int) -> str:
    ply, state = review.plies[index], replay.states[index]
    assert ply.played is not None
    best = ply.analysis.best
    better = best.text if best is not None and best.move != ply.played.move else ""
    loss = "" if ply.loss is None else f"{ply.loss:.1%}"
    points = "" if ply.margin_loss is None else f"{ply.margin_loss:.1f}"
    name = escape(state.game.colour_names.of(state.colour_to_move))
    return (
        f'<tr><td class="n">{state.ply + 1}</td><td>{name}</td><td>{ply.played.text}</td><td>{better}</td>'
        f'<td class="n">{loss}</td><td class="n">{points}</td><td>{ply.mark or ""}</td></tr>'
    )


def _graph(review: Review) -> str:
    """Return the win probability of seat FIRST over the game as a line, with a dot per marked move."""
    step = GRAPH_WIDTH / max(1, review.positions - 1)
    points = []
    dots = []
    for index, ply in enumerate(review.plies):
        value = ply.analysis.win_prob
        if value is None:
            continue
        first = value if ply.analysis.seat == Seat.FIRST.name.lower() else 1 - value
        at = (round(index * step, 1), round((1 - first) * GRAPH_HEIGHT, 1))
        points.append(f"{at[0]},{at[1]}")
        if ply.mark is not None:
            dots.append(f'<circle cx="{at[0]}" cy="{at[1]}" r="4"/>')
    half = GRAPH_HEIGHT / 2
    return (
        f'<svg class="graph" viewBox="0 0 {GRAPH_WIDTH} {GRAPH_HEIGHT}" role="img">'
        f"<title>from 0 % at the bottom to 100 % at the top; dots are marked moves</title>"
        f'<line x1="0" y1="{half}" x2="{GRAPH_WIDTH}" y2="{half}"/>'
        f'<polyline points="{" ".join(points)}"/>{"".join(dots)}</svg>'
    )
