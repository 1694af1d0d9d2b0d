"""The colours of pictures of odds."""

from __future__ import annotations

#: Okabe and Ito's colours, told apart with any colour vision.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#444444")
LINE = "#b84a00"
INK, GREY, FAINT, PAPER = "#222222", "#555555", "#dddddd", "#ffffff"
#: From what is good for the one who answers to what is good for the one who chooses.
SHADES = ("#e08214", "#f7f7f7", "#2f7fc1")


def bar_colour(order: int) -> str:
    """The colour of one of several bars; those that come round again are paler."""
    colour = COLOURS[order % len(COLOURS)]
    return colour if order < len(COLOURS) else mixed(colour, PAPER, 0.5)


def shade(worth: float) -> str:
    """The colour of a cell worth between -1 and 1."""
    low, middle, high = SHADES
    return mixed(middle, high if worth > 0 else low, abs(worth))


def on(colour: str) -> str:
    """Ink or paper: what is easier to read on a colour."""
    light, other = _light(colour), _light(INK)
    return PAPER if 1.05 / (light + 0.05) > (light + 0.05) / (other + 0.05) else INK


def mixed(one: str, other: str, share: float) -> str:
    """A colour on the way from one to another."""
    pairs = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


def _light(colour: str) -> float:
    """How light a colour is seen, between 0 and 1 (WCAG's relative luminance)."""
    parts = [c / 255 for c in _channels(colour)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
