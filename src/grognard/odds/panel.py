"""One part of an answer as a picture: bars for every value, a line for 'at least', the main numbers written out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from grognard.kernel.odds.odds import is_numeric
from grognard.kernel.odds.weigh import Distribution
from grognard.kernel.screen.svg import breadth, line, number, tag, text, wrapped
from grognard.kernel.words.texts import gettext
from grognard.odds.colours import FAINT, GREY, INK, LINE, PAPER, bar_colour
from grognard.odds.table import percent

#: Tails less likely than this are left out of pictures with many bars; tables and JSON keep them.
TINY = 5e-4
FEW, MANY = 4, 12
#: Bars are told their share while there are no more than these.
LABELLED = 16
#: Both scales have so many steps, so that one grid serves both, and half a step of room above.
STEPS, ABOVE = 5, 0.5
#: What a step of the scale of chances may be, times a power of ten.
ROUND = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
SIZE, SMALL = 14, 12
LEFT, RIGHT = 76, 78
PLOT, ROW = 330, 22
SWATCH, APART = 30, 24


@dataclass(frozen=True)
class Panel:
    """The same part of one answer or of several that are compared, by their labels; bars stand in groups then."""

    name: str
    parts: tuple[tuple[str, Distribution[Any]], ...]
    language: str
    width: float

    def say(self, words: str) -> str:
        return gettext(words, self.language)

    @cached_property
    def numeric(self) -> bool:
        return all(is_numeric(part) for _, part in self.parts)

    @cached_property
    def alone(self) -> bool:
        return len(self.parts) == 1

    @cached_property
    def values(self) -> list[Any]:
        """What stands under the bars, in order, without tails nobody would see."""
        parts = [part for _, part in self.parts]
        found = list(dict.fromkeys(value for part in parts for value in part.weights))
        if not self.numeric:
            return found
        found.sort()
        while len(found) > MANY and all(float(part.chance(found[-1].__le__)) < TINY for part in parts):
            found.pop()
        while len(found) > MANY and all(float(part.chance(found[0].__ge__)) < TINY for part in parts):
            found.pop(0)
        return found

    @cached_property
    def at_least(self) -> bool:
        """Is there a second scale, for the chance of at least so many?"""
        return self.alone and self.numeric and len(self.values) > 1

    # ------------------------------------------------------------------ where things are

    @cached_property
    def right(self) -> float:
        return self.width - (RIGHT if self.at_least else 0)

    @cached_property
    def slot(self) -> float:
        """The breadth of one value's place; a few bars are not drawn as wide as a wall."""
        return (self.right - LEFT) / (max(FEW, len(self.values)) + 0.2)

    def middle(self, place: float) -> float:
        room = max(0.0, (FEW - len(self.values)) / 2)
        return LEFT + (place + room + 0.6) * self.slot

    @cached_property
    def step(self) -> float:
        """The step of the scale of chances, in per cent."""
        top = max(float(chance) for _, part in self.parts for _, chance in part) * 100
        power = 1000.0
        while power * ROUND[0] * STEPS >= top and power > 1e-3:
            power /= 10
        return next((power * step for step in ROUND if power * step * STEPS >= top), power * 10)

    @cached_property
    def top(self) -> float:
        return self._legend_rows * ROW + 8

    @cached_property
    def floor(self) -> float:
        return self.top + PLOT

    def up(self, share: float, step: float) -> float:
        """The height of a share in per cent, on a scale of that step."""
        return self.floor - share / step / (STEPS + ABOVE) * PLOT

    # ------------------------------------------------------------------ drawing

    @cached_property
    def drawn(self) -> tuple[list[str], float]:
        """Everything in the panel, and how high it is."""
        ticks, below = self._ticks()
        bars, shares, below = self._bars(below)
        line_parts, boxes = self._at_least() if self.at_least else ([], [])
        name = text((LEFT + self.right) / 2, below + SIZE + 8, self.say(self.name), SIZE, fill=INK, anchor="middle")
        floor = line(LEFT, self.floor, self.right, self.floor, INK, 1.5)
        parts = [*self._scales(), *self._mean_line(), *bars, floor, *line_parts, *shares, *boxes, *ticks, name]
        return [*self._legend(), *parts], below + SIZE + 20

    def _scales(self) -> list[str]:
        parts = []
        for step in range(STEPS + 1):
            y = self.up(step * 20, 20)
            parts.append(line(LEFT, y, self.right, y, FAINT))
            share = f"{step * self.step:.4g} %"
            parts.append(text(LEFT - 8, y + 5, share, SIZE, fill=INK, anchor="end"))
            if self.at_least:
                parts.append(text(self.right + 8, y + 5, f"{step * 20} %", SIZE, fill=LINE))
        middle = (self.top + self.floor) / 2
        parts.append(text(14, middle, self.say("Chance"), SIZE, fill=INK, anchor="middle", turn=-90))
        if self.at_least:
            at = self.width - 4
            parts.append(text(at, middle, self.say("At least"), SIZE, fill=LINE, anchor="middle", turn=-90))
        return parts

    def _ticks(self) -> tuple[list[str], float]:
        """What stands under the bars, and where it ends: numbers that fit, words in lines, else upright."""
        said = [f"{float(v):g}" if self.numeric else self.say(str(v)) for v in self.values]
        broadest = max(breadth(word, SIZE) for word in said)
        y = self.floor + SIZE + 5
        if self.numeric:
            every = 1 + int(broadest * 1.25 // self.slot)
            shown = [(place, word) for place, word in enumerate(said) if place % every == 0]
            return [text(self.middle(place), y, word, SIZE, fill=INK, anchor="middle") for place, word in shown], y
        lines = [wrapped(word, SIZE, self.slot * 0.95) for word in said]
        if max(breadth(one, SIZE) for some in lines for one in some) <= self.slot:
            parts = [
                text(self.middle(place), y + row * (SIZE + 3), one, SIZE, fill=INK, anchor="middle")
                for place, some in enumerate(lines)
                for row, one in enumerate(some)
            ]
            return parts, y + (max(map(len, lines)) - 1) * (SIZE + 3)
        upright = [
            text(self.middle(place) + 5, y - SIZE + 6, word, SIZE, fill=INK, anchor="end", turn=-90)
            for place, word in enumerate(said)
        ]
        return upright, y - SIZE + 6 + broadest

    def _bars(self, below: float) -> tuple[list[str], list[str], float]:
        """The bars; the share of each above it, or under its value where a line would cross it; where that ends."""
        bars, shares = [], []
        each = self.slot * 0.82 / len(self.parts)
        size = SMALL if len(self.values) * len(self.parts) <= MANY else SMALL - 2
        told = len(self.values) * len(self.parts) <= LABELLED
        under = below + size + 5
        for order, (_, part) in enumerate(self.parts):
            colour = bar_colour(order)
            for place, value in enumerate(self.values):
                share = float(part.probability(value)) * 100
                if not share:
                    continue
                x, y = self.middle(place) + (order - len(self.parts) / 2) * each, self.up(share, self.step)
                bars.append(tag("rect", x=x, y=y, width=each * 0.95, height=self.floor - y, fill=colour))
                words = f"{share:.1f} %" if share >= 0.1 else "< 0.1 %"
                at, fill = (under, colour) if self.at_least else (y - 5, INK)
                shares.append(text(x + each * 0.475, at, words, size, fill=fill, anchor="middle"))
        return bars, shares if told else [], under if told and self.at_least else below

    # ------------------------------------------------------------------ at least so many, and the mean

    def _at_least(self) -> tuple[list[str], list[str]]:
        """The chance of at least so many, a line on the scale at the right; its first and its middle told in boxes."""
        part = self.parts[0][1]
        shares = [float(part.chance(value.__le__)) * 100 for value in self.values]
        spots = [(self.middle(place), self.up(share, 20)) for place, share in enumerate(shares)]
        points = " ".join(f"{number(x)},{number(y)}" for x, y in spots[1:])
        parts = [tag("polyline", points=points, fill="none", stroke=LINE, stroke_width=2.4)]
        size = 4.5 if len(spots) <= 3 * MANY else 2.5
        parts += [tag("circle", cx=x, cy=y, r=size, fill=LINE) for x, y in spots[1:]]
        half = max(place for place, share in enumerate(shares) if place == 0 or share >= 50)
        boxes: list[str] = []
        free = float(LEFT)
        for place in dict.fromkeys((1, half)):
            if place:
                chance = percent(part.chance(self.values[place].__le__))
                words = f"≥ {float(self.values[place]):g}: {chance}"
                wide = breadth(words, SIZE, bold=True) + 12
                x = min(max(spots[place][0] + 12, free), self.right - wide)
                y = spots[place][1] - 30
                free = x + wide + 6
                outline = tag("rect", x=x, y=y, width=wide, height=23, rx=4, fill=PAPER, stroke=LINE, stroke_width=1.5)
                boxes += [outline, text(x + wide / 2, y + 16.5, words, SIZE, fill=LINE, anchor="middle", bold=True)]
        return parts, boxes

    def _mean_line(self) -> list[str]:
        if not self.at_least:
            return []
        mean = float(self.parts[0][1].expect(lambda value: value))
        x = self.middle(between([float(value) for value in self.values], mean))
        return [line(x, self.top, x, self.floor, GREY, 1.8, "6 4")]

    def _mean(self, part: Distribution[Any]) -> str:
        mean = float(part.expect(lambda value: value))
        return self.say("mean {mean}").format(mean=f"{mean:.3g}" if abs(mean) < 1000 else f"{mean:.0f}")

    # ------------------------------------------------------------------ the legend, above

    @cached_property
    def _entries(self) -> list[tuple[str, str]]:
        """What the legend explains: kind of mark or colour of bar, and words."""
        if not self.alone:
            return [
                (bar_colour(order), f"{label} ({self._mean(part)})" if is_numeric(part) else label)
                for order, (label, part) in enumerate(self.parts)
            ]
        if not self.numeric:
            return []
        exactly = (bar_colour(0), self.say("Exactly"))
        part = self.parts[0][1]
        more = [("line", self.say("At least")), ("mean", self._mean(part))] if self.at_least else []
        return [exactly, *more]

    @cached_property
    def _columns(self) -> int:
        widest = max(breadth(words, SIZE) for _, words in self._entries)
        fits = int((self.right - LEFT + APART) // (SWATCH + 10 + widest + APART))
        return max(1, min(len(self._entries), fits))

    @cached_property
    def _legend_rows(self) -> int:
        return -(-len(self._entries) // self._columns) if self._entries else 0

    def _legend(self) -> list[str]:
        parts = []
        widest = max((breadth(words, SIZE) for _, words in self._entries), default=0.0)
        for order, (mark, words) in enumerate(self._entries):
            row, column = divmod(order, self._columns)
            x, y = LEFT + column * (SWATCH + 10 + widest + APART), row * ROW + 10
            parts += [*_swatch(mark, x, y), text(x + SWATCH + 10, y + 5, words, SIZE, fill=INK)]
        return parts


def _swatch(mark: str, x: float, y: float) -> list[str]:
    if mark == "line":
        return [
            line(x, y, x + SWATCH, y, LINE, 2.4),
            tag("circle", cx=x + SWATCH / 2, cy=y, r=4.5, fill=LINE),
        ]
    if mark == "mean":
        return [line(x, y, x + SWATCH, y, GREY, 1.8, "6 4")]
    return [tag("rect", x=x, y=y - 6, width=SWATCH, height=12, fill=mark)]


def between(values: list[float], wanted: float) -> float:
    """Where a number lies on an axis whose ticks are these values."""
    for place, (low, high) in enumerate(pairwise(values)):
        if low <= wanted <= high:
            return place + (wanted - low) / (high - low)
    return 0.0 if wanted < values[0] else float(len(values) - 1)
