"""Odds as a picture: a panel for every part of the answer, with title and caption, as SVG or PNG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grognard.kernel.errors import BadInput
from grognard.kernel.odds.odds import Odds
from grognard.kernel.screen.svg import drawing, number, tag, text, wrapped
from grognard.kernel.words.texts import gettext
from grognard.odds.ask import Line
from grognard.odds.colours import GREY, INK
from grognard.odds.heat import heat
from grognard.odds.panel import Panel

FORMATS = (".png", ".svg")
WIDTH, MARGIN = 900, 18
TITLE, CAPTION = 22, 12
#: Pixels of a PNG for every unit of the drawing.
ZOOM = 1.5


def write_picture(
    answer: Odds | Sequence[Line], path: Path, *, title: str = "", caption: str = "", language: str = "en"
) -> None:
    """Draw one answer, or several to compare, into a PNG or SVG file."""
    kind = path.suffix.lower()
    if kind not in FORMATS:
        raise BadInput("{name}: a picture is written as .png or .svg", name=path.name)
    drawn = picture(answer, title=title, caption=caption, language=language)
    path.write_bytes(drawn.encode() if kind == ".svg" else rendered(drawn))


def picture(answer: Odds | Sequence[Line], *, title: str = "", caption: str = "", language: str = "en") -> str:
    """One answer, or several to compare, as SVG; the same odds give the same text."""
    lines = [Line("", answer)] if isinstance(answer, Odds) else list(answer)
    title, inner = title or gettext(lines[0].odds.question, language), WIDTH - 2 * MARGIN
    parts: list[str] = []
    down = float(MARGIN)
    for one in wrapped(title, TITLE, inner, bold=True):
        down += TITLE
        parts.append(text(MARGIN, down, one, TITLE, fill=INK, bold=True))
        down += 6
    grid = lines[0].odds.grid if len(lines) == 1 else None
    blocks = [heat(grid, language, inner)] if grid else []
    for name in lines[0].odds.parts:
        shown = tuple((line.label, line.odds.parts[name]) for line in lines)
        blocks.append(Panel(name, shown, language, inner).drawn)
    for inside, height in blocks:
        down += 12
        parts.append(tag("g", "\n".join(inside), transform=f"translate({MARGIN} {number(down)})"))
        down += height
    for one in wrapped(caption, CAPTION, inner) if caption else []:
        down += CAPTION + 5
        parts.append(text(MARGIN, down, one, CAPTION, fill=GREY))
    return drawing(WIDTH, down + MARGIN, title, parts)


def rendered(drawn: str) -> bytes:
    """A drawing as PNG."""
    try:
        from resvg_py import svg_to_bytes  # put off: only who wants a PNG needs it
    except ImportError:
        raise BadInput("a PNG needs one more package: pip install 'grognard[pictures]'; an SVG needs none") from None
    nothing, letter = (drawing(20, 20, "", [text(2, 18, word, 18, fill=INK)]) for word in ("", "a"))
    if svg_to_bytes(svg_string=nothing) == svg_to_bytes(svg_string=letter):
        raise BadInput("a PNG needs a font, and none was found here; install one, such as DejaVu Sans, or draw an SVG")
    return bytes(svg_to_bytes(svg_string=drawn, zoom=ZOOM))
