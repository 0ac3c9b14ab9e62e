"""Write pictures as pages of a PDF document with searchable text."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from taiji.render.raster import MissingPackage, font_files
from taiji.render.shapes import DIAGONALS, DOTS, GAP, Circle, Group, Path, Segment, Shape, Text, rectangle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from taiji.render.picture import Picture
    from taiji.render.theme import Theme

POINTS_PER_UNIT = {"": 0.75, "mm": 72 / 25.4}
"""Points per unit of a picture; there are 96 pixels per inch."""
_FONTS = {"regular": "TaijiSerif", "bold": "TaijiSerif-Bold"}


def pdf_bytes(pictures: Iterable[Picture], title: str = "", width: float | None = None) -> bytes:
    """Return a PDF document with one page per picture; `width` in pixels overrides the pictures' own."""
    canvas_class = _reportlab()
    stream = BytesIO()
    # Deterministic output: no date, no random identifier.
    canvas = canvas_class(stream, invariant=1, pageCompression=1, initialFontName=_FONTS["regular"])
    canvas.setTitle(title or "taiji")
    canvas.setCreator("taiji")
    for picture in pictures:
        scale = POINTS_PER_UNIT[picture.unit] * (width / picture.width if width and not picture.unit else 1)
        canvas.setPageSize((picture.width * scale, picture.height * scale))
        page = _Page(canvas, picture.theme)
        canvas.transform(scale, 0, 0, -scale, 0, picture.height * scale)
        if not picture.transparent:
            page.draw(_background(picture), 1.0)
        for shape in picture.shapes:
            page.draw(shape, 1.0)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _reportlab() -> Any:
    try:
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.ttfonts import TTFont
        from reportlab.pdfgen.canvas import Canvas
    except ModuleNotFoundError as error:
        raise MissingPackage("reportlab") from error
    known = pdfmetrics.getRegisteredFontNames()
    for weight, path in font_files().items():
        if _FONTS[weight] not in known:
            pdfmetrics.registerFont(TTFont(_FONTS[weight], path))
    return Canvas


def _background(picture: Picture) -> Path:
    return Path(rectangle(*picture.origin, picture.width, picture.height), picture.theme["paper"])


class _Page:
    """Draws shapes on a page with the origin at the top left."""

    def __init__(self, canvas: Any, theme: Theme) -> None:
        self.canvas = canvas
        self.theme = theme

    def draw(self, shape: Shape, opacity: float) -> None:
        """Draw a shape with the opacity of its groups."""
        match shape:
            case Path():
                self._path(shape, opacity)
            case Circle():
                self._circle(shape, opacity)
            case Text():
                self._text(shape, opacity)
            case Group():
                self._group(shape, opacity)

    def _group(self, group: Group, opacity: float) -> None:
        if group.opacity <= 0:
            return
        canvas = self.canvas
        canvas.saveState()
        canvas.transform(group.scale, 0, 0, group.scale, *group.move)
        for shape in group.shapes:
            self.draw(shape, opacity * group.opacity)
        canvas.restoreState()

    def _path(self, path: Path, opacity: float) -> None:
        if path.fill in (DOTS, DIAGONALS):
            self._pattern(path, opacity)
            return
        self._paint(
            path.fill, path.stroke, path.width, opacity * path.fill_opacity, opacity * path.stroke_opacity
        )
        self._dashes(path.dash)
        self.canvas.drawPath(
            self._outline(path.segments),
            stroke=int(path.stroke is not None),
            fill=int(path.fill is not None),
            fillMode=0 if path.even_odd else 1,
        )

    def _outline(self, segments: Iterable[Segment]) -> Any:
        outline = self.canvas.beginPath()
        for segment in segments:
            match segment[0]:
                case "M":
                    outline.moveTo(*segment[1:])
                case "L":
                    outline.lineTo(*segment[1:])
                case "C":
                    outline.curveTo(*segment[1:])
                case _:
                    outline.close()
        return outline

    def _circle(self, circle: Circle, opacity: float) -> None:
        self._paint(
            circle.fill, circle.stroke, circle.width, opacity * circle.opacity, opacity * circle.opacity
        )
        self._dashes(circle.dash)
        painted = {"stroke": int(circle.stroke is not None), "fill": int(circle.fill is not None)}
        self.canvas.circle(*circle.centre, circle.radius, **painted)

    def _dashes(self, length: float) -> None:
        self.canvas.setDash(*((length, length * GAP),) if length else ((),))

    def _text(self, text: Text, opacity: float) -> None:
        canvas = self.canvas
        canvas.saveState()
        canvas.setFillColor(text.fill)
        canvas.setFillAlpha(opacity)
        canvas.setFont(_FONTS["bold" if text.bold else "regular"], text.size)
        canvas.transform(1, 0, 0, -1, *text.at)
        write = {
            "start": canvas.drawString,
            "middle": canvas.drawCentredString,
            "end": canvas.drawRightString,
        }
        write[text.anchor](0, 0, text.text)
        canvas.restoreState()

    def _paint(
        self, fill: str | None, stroke: str | None, width: float, filled: float, stroked: float
    ) -> None:
        canvas = self.canvas
        if fill:
            canvas.setFillColor(fill)
            canvas.setFillAlpha(filled)
        if stroke:
            canvas.setStrokeColor(stroke)
            canvas.setStrokeAlpha(stroked)
            canvas.setLineWidth(width)
            canvas.setLineCap(1)

    def _pattern(self, path: Path, opacity: float) -> None:
        """Fill a path with dots or diagonal lines, clipped to it."""
        dots, lines = self.theme.patterns
        points = [(float(s[i]), float(s[i + 1])) for s in path.segments for i in range(1, len(s), 2)]
        left, right = min(x for x, _ in points), max(x for x, _ in points)
        top, bottom = min(y for _, y in points), max(y for _, y in points)
        canvas = self.canvas
        canvas.saveState()
        canvas.clipPath(self._outline(path.segments), stroke=0, fill=0)
        if path.fill == DOTS:
            self._paint(self.theme[dots.ink], None, 0, opacity * dots.opacity * path.fill_opacity, 1)
            x = left + dots.step / 2
            while x < right:
                y = top + dots.step / 2
                while y < bottom:
                    canvas.circle(x, y, dots.size, stroke=0, fill=1)
                    y += dots.step
                x += dots.step
        else:
            self._paint(
                None, self.theme[lines.ink], lines.size, 1, opacity * lines.opacity * path.fill_opacity
            )
            start = left - (bottom - top)
            while start < right:
                canvas.line(start, bottom, start + (bottom - top), top)
                start += lines.step * 1.414
        canvas.restoreState()
