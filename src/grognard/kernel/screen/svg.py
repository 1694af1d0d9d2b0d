"""Drawings as SVG, written as text: a few shapes, and how broad words will be where no font can be asked."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

#: The broadest of the fonts that people have stands first, so that words fit as `breadth` says with any of them.
FONTS = "DejaVu Sans, Verdana, Segoe UI, Noto Sans, Liberation Sans, Arial, Helvetica, sans-serif"
#: How broad letters are drawn, in their own size; those that are not named take `OTHERS`.
LETTERS = {
    letter: breadth
    for breadth, letters in (
        (0.30, "'ijlIJîïÎÏ"), (0.34, " ,.·’/:;\\|"), (0.41, "f-t()[]!r"), (0.55, 'sz?*_`▸–"cç'),
        (0.61, "LkFvxyPaTYoàâô"), (0.70, "KAVBRXZCÀÂÇ"), (0.79, "UHNDG&OQÔÙÛ"), (0.86, "w#+<=>^~≥≤M"),
        (1.0, "★%mW@—…Œœ"),
    )
    for letter in letters
}  # fmt: skip
OTHERS = 0.64
BOLD = 1.17


def breadth(words: str, size: float, *, bold: bool = False) -> float:
    """How broad a line of words is drawn at most."""
    return sum(LETTERS.get(letter, OTHERS) for letter in words) * size * (BOLD if bold else 1.0)


def wrapped(words: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """Words as lines of at most that breadth; a single word that is broader stands alone."""
    lines: list[str] = []
    for written in words.split("\n"):
        line = ""
        for word in written.split():
            longer = f"{line} {word}" if line else word
            if line and breadth(longer, size, bold=bold) > width:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return lines


def number(value: float) -> str:
    """A length, to a tenth; never a minus before nothing."""
    return f"{round(value, 1) + 0.0:g}"


def tag(name: str, inside: str | None = None, **attributes: str | float) -> str:
    """An element; `stroke_width=2` is written stroke-width="2"."""
    written = "".join(
        f' {key.replace("_", "-")}="{escape(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}/>" if inside is None else f"<{name}{written}>{inside}</{name}>"


def text(
    x: float, y: float, words: str, size: float, *, fill: str, anchor: str = "start", bold: bool = False,
    turn: float = 0,
) -> str:  # fmt: skip
    """A line of words with its baseline at y, turned about its start, middle or end."""
    more: dict[str, str | float] = {}
    if anchor != "start":
        more["text_anchor"] = anchor
    if bold:
        more["font_weight"] = "bold"
    if turn:
        more["transform"] = f"rotate({number(turn)} {number(x)} {number(y)})"
    return tag("text", escape(words), x=x, y=y, font_size=size, fill=fill, **more)


def line(x1: float, y1: float, x2: float, y2: float, stroke: str, width: float = 1, dashes: str = "") -> str:
    """A straight line."""
    more = {"stroke_dasharray": dashes} if dashes else {}
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, stroke_width=width, **more)


def drawing(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """A whole file: the parts on white, with a name that screen readers say."""
    ground = tag("rect", width=width, height=height, fill="#ffffff")
    inside = "\n".join((tag("title", escape(title)), ground, *parts))
    box = f"0 0 {number(width)} {number(height)}"
    whole = tag(
        "svg", f"\n{inside}\n", xmlns="http://www.w3.org/2000/svg", width=width, height=height, viewBox=box, role="img",
        font_family=FONTS,
    )  # fmt: skip
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{whole}\n'
