"""Show positions, games and records in notebooks.

The rules do not depend on pictures: importing `taiji.render` adds the display methods to `State`, `Game` and
`Record`, and `import taiji` registers formatters in a running IPython.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from taiji.notation import Record
from taiji.rules import Game, State

WIDTH_PX = 420
"""Width of pictures in notebooks."""


def position_svg(what: State | Game) -> str:
    """Return a position, or the start of a game, as SVG."""
    from taiji.render import svg

    return svg(what, width=WIDTH_PX, groups=isinstance(what, State) and what.is_over)


def record_svg(record: Record) -> str:
    """Return the last position of a record as SVG."""
    from taiji.render import svg
    from taiji.render.frames import frames

    last = frames(record)[-1]
    return svg(last.state, width=WIDTH_PX, last=last.move, groups=True, caption=last.caption)


def record_html(record: Record) -> str:
    """Return a record as HTML to step through; without scripts it shows the last position."""
    from taiji.render.frames import frames
    from taiji.render.picture import Style
    from taiji.render.svg_animation import stepped_svg

    positions = frames(record)
    drawing = stepped_svg(positions, Style(), width=WIDTH_PX)
    name = "taiji-" + sha256(drawing.encode()).hexdigest()[:12]
    return _STEPPER.format(name=name, drawing=drawing, last=len(positions) - 1, width=WIDTH_PX)


_BUTTON = (
    "background:none;border:1px solid #c9b68f;border-radius:6px;padding:2px 10px;cursor:pointer;color:inherit"
)
_STEPPER = (
    """<div class="taiji-record" id="{name}" style="display:inline-block;width:{width}px;max-width:100%">
{drawing}<div style="display:flex;gap:6px;align-items:center;margin-top:4px">
<button type="button" data-step="-9999" aria-label="first position" style="BUTTON">|&lt;</button>
<button type="button" data-step="-1" aria-label="one ply back" style="BUTTON">&lt;</button>
<input type="range" min="0" max="{last}" value="{last}" aria-label="ply" style="flex:1;min-width:0">
<button type="button" data-step="1" aria-label="one ply on" style="BUTTON">&gt;</button>
<button type="button" data-step="9999" aria-label="last position" style="BUTTON">&gt;|</button>
</div><script>
(function () {{
  var root = document.currentScript ? document.currentScript.parentNode : document.getElementById("{name}");
  var slider = root.querySelector("input");
  var parts = root.querySelectorAll(".t");
  function show() {{
    var ply = Number(slider.value);
    parts.forEach(function (part) {{
      var span = /f(\\d+)(?:-(\\d+))?/.exec(part.getAttribute("class"));
      var seen = ply >= Number(span[1]) && (span[2] === undefined || ply < Number(span[2]));
      part.setAttribute("opacity", seen ? 1 : 0);
    }});
  }}
  slider.addEventListener("input", show);
  root.querySelectorAll("button").forEach(function (button) {{
    button.addEventListener("click", function () {{
      slider.value = Number(slider.value) + Number(button.dataset.step);
      show();
    }});
  }});
}})();
</script></div>"""
).replace("BUTTON", _BUTTON)


@cache
def attach_display_methods() -> None:
    """Add the display methods of notebooks to `State`, `Game` and `Record`."""
    for kind in (State, Game):
        setattr(kind, "_repr_svg_", position_svg)  # noqa: B010 - the classes do not declare it
    setattr(Record, "_repr_svg_", record_svg)  # noqa: B010
    setattr(Record, "_repr_html_", record_html)  # noqa: B010
