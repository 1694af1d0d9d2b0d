"""Odds as a picture: bars for every value, a line for 'at least', the main numbers written out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from grognard.kernel.errors import BadInput
from grognard.kernel.odds import Grid, Odds, is_numeric
from grognard.kernel.texts import gettext
from grognard.kernel.weigh import Distribution
from grognard.odds.ask import Line
from grognard.odds.table import legend, percent

#: Okabe and Ito's colours, told apart with any colour vision.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")
LINE = "#D55E00"
INK = "#222222"
#: Tails less likely than this are left out of pictures with many bars; tables and JSON keep them.
TINY = 5e-4
FEW, MANY = 4, 12
#: Bars are told their share while there are no more than these.
LABELLED = 16
FORMATS = (".png", ".svg")


def write_picture(
    answer: Odds | Sequence[Line], path: Path, *, title: str = "", caption: str = "", language: str = "en"
) -> None:
    """Draw one answer, or several to compare, into a PNG or SVG file."""
    if path.suffix.lower() not in FORMATS:
        raise BadInput("{name}: a picture is written as .png or .svg", name=path.name)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    lines = [Line("", answer)] if isinstance(answer, Odds) else list(answer)
    names = list(lines[0].odds.parts)
    # no clock and no random ids in the file: the same odds give the same bytes
    style: Any = {"font.family": "DejaVu Sans", "svg.hashsalt": "grognard", "svg.fonttype": "none"}
    with mpl.rc_context(style):
        grid = lines[0].odds.grid if len(lines) == 1 else None
        tall = [*([1.6 + 0.75 * len(grid.rows)] if grid else []), *[4.3 for _ in names]]
        figure = Figure(figsize=(9, 1.2 + sum(tall)), dpi=150, layout="constrained", facecolor="white")
        axes = list(figure.subplots(len(tall), 1, squeeze=False, height_ratios=tall)[:, 0])
        if grid:
            _heat(axes.pop(0), grid, language)
        for name, axis in zip(names, axes, strict=True):
            _panel(axis, name, [(line.label, line.odds.parts[name]) for line in lines], language)
        figure.suptitle(title or gettext(lines[0].odds.question, language), x=0.01, ha="left", fontsize=15,
                        fontweight="bold", color=INK)  # fmt: skip
        if caption:
            figure.supxlabel(caption, x=0.01, ha="left", fontsize=9, color="#555555", wrap=True)
        metadata: dict[str, Any] = {"Date": None} if path.suffix.lower() == ".svg" else {"Software": None}
        figure.savefig(path, metadata=metadata)


def _panel(axis: Any, name: str, parts: list[tuple[str, Distribution[Any]]], language: str) -> None:
    """One part of the answer: grouped bars where several are compared."""
    numeric = all(is_numeric(part) for _, part in parts)
    values = _values([part for _, part in parts], numeric)
    width = 0.82 / len(parts)
    top = max(float(chance) for _, part in parts for _, chance in part) * 100
    _dress(axis, values, top, [_value(value, numeric, language) for value in values])
    axis.set_xlabel(gettext(name, language), color=INK)
    axis.set_ylabel(gettext("Chance", language), color=INK)
    alone = len(parts) == 1
    upper = _at_least(axis, parts[0][1], values, language) if alone and numeric and len(values) > 1 else axis
    for number, (label, part) in enumerate(parts):
        shares = [float(part.probability(value)) * 100 for value in values]
        places = [place + (number - (len(parts) - 1) / 2) * width for place in range(len(values))]
        shown = gettext("Exactly", language) if alone else _legend(label, part, language)
        axis.bar(places, shares, width * 0.94, color=COLOURS[number % len(COLOURS)], label=shown, zorder=2)
        if len(parts) * len(values) <= LABELLED:
            _label(axis, places, shares)
    if numeric or not alone:
        _legends(axis, upper)


def _heat(axis: Any, grid: Grid, language: str) -> None:
    """Choices against answers as coloured cells: blue is good for the chooser, orange for the other."""
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    shades = LinearSegmentedColormap.from_list("odds", ["#E08214", "#F7F7F7", "#2F7FC1"])
    worth = [[float(value) for value in row] for row in grid.values]
    most = max(max(abs(value) for value in row) for row in worth) or 1.0
    axis.imshow(worth, cmap=shades, vmin=-most, vmax=most, aspect="auto")
    for y, notes in enumerate(grid.notes):
        for x, note in enumerate(notes):
            reply = x == grid.answers[y]
            axis.text(x, y, f"▸ {note}" if reply else note, ha="center", va="center", fontsize=10, color=INK,
                      fontweight="bold" if reply else "normal")  # fmt: skip
    axis.add_patch(Rectangle((-0.5, grid.choice - 0.5), len(grid.columns), 1, fill=False, edgecolor=INK, linewidth=2.4))
    axis.set_xticks(range(len(grid.columns)), grid.columns)
    stars = [f"★ {row}" if y == grid.choice else row for y, row in enumerate(grid.rows)]
    axis.set_yticks(range(len(grid.rows)), stars)
    axis.xaxis.tick_top()
    axis.xaxis.set_label_position("top")
    axis.set_xlabel(gettext(grid.answerer, language), color=INK)
    axis.set_ylabel(gettext(grid.chooser, language), color=INK)
    axis.tick_params(length=0, colors=INK)
    axis.text(0, -0.02, legend(grid, language), transform=axis.transAxes, ha="left", va="top", fontsize=9,
              color="#555555", wrap=True)  # fmt: skip
    for spine in axis.spines.values():
        spine.set_visible(False)


def _values(parts: list[Distribution[Any]], numeric: bool) -> list[Any]:
    """What stands under the bars, in order, without tails nobody would see."""
    found = list(dict.fromkeys(value for part in parts for value in part.weights))
    if not numeric:
        return found
    found.sort()
    while len(found) > MANY and all(float(part.chance(found[-1].__le__)) < TINY for part in parts):
        found.pop()
    while len(found) > MANY and all(float(part.chance(found[0].__ge__)) < TINY for part in parts):
        found.pop(0)
    return found


def _value(value: Any, numeric: bool, language: str) -> str:
    return f"{float(value):g}" if numeric else gettext(str(value), language)


def _mean(part: Distribution[Any], language: str) -> str:
    return gettext("mean {mean}", language).format(mean=f"{float(part.expect(lambda value: value)):.3g}")


def _legend(label: str, part: Distribution[Any], language: str) -> str:
    return f"{label} ({_mean(part, language)})" if is_numeric(part) else label


def _dress(axis: Any, values: list[Any], top: float, labels: list[str]) -> None:
    """Scale, grid and ticks; a few bars are not drawn as wide as a wall."""
    room = max(0.0, (FEW - len(values)) / 2)
    axis.set_xlim(-0.6 - room, len(values) - 0.4 + room)
    axis.set_ylim(0, min(110.0, top * 1.15))
    axis.set_xticks(range(len(values)), labels, rotation=45 if max(map(len, labels)) > 14 else 0)
    axis.grid(axis="y", color="#DDDDDD", zorder=0)
    _plain_axis(axis, INK)


def _plain_axis(axis: Any, colour: str) -> None:
    axis.yaxis.set_major_formatter(lambda share, _: f"{share:g} %")
    axis.tick_params(axis="y", colors=colour, length=0)
    axis.tick_params(axis="x", colors=INK, length=0)
    for side in ("top", "right", "left"):
        axis.spines[side].set_visible(False)


def _label(axis: Any, places: list[float], shares: list[float]) -> None:
    """Each bar's share: at its foot where the bar is high enough, else above it."""
    high, size = axis.get_ylim()[1] * 0.14, 9 if len(places) <= 10 else 7.5
    for place, share in zip(places, shares, strict=True):
        if share:
            text = f"{share:.1f} %" if share >= 0.1 else "< 0.1 %"
            inside = share > high
            axis.annotate(text, (place, 0 if inside else share), (0, 4), textcoords="offset points", ha="center",
                          fontsize=size, color="white" if inside else INK, zorder=4)  # fmt: skip


def _at_least(axis: Any, part: Distribution[Any], values: list[Any], language: str) -> Any:
    """The chance of at least so many, as a line on a scale of its own at the right; the mean as a dashed line."""
    shares = [float(part.chance(value.__le__)) * 100 for value in values]
    upper = axis.twinx()
    upper.plot(range(1, len(values)), shares[1:], color=LINE, marker="o", markersize=5, linewidth=1.8, zorder=3,
               label=gettext("At least", language))  # fmt: skip
    upper.set_ylim(0, 110)
    upper.set_yticks(range(0, 101, 20))
    upper.set_ylabel(gettext("At least", language), color=LINE)
    _plain_axis(upper, LINE)
    mean = float(part.expect(lambda value: value))
    place = _between([float(value) for value in values], mean)
    axis.axvline(place, color="#666666", linestyle=(0, (4, 3)), linewidth=1.3, zorder=1, label=_mean(part, language))
    half = max(number for number, share in enumerate(shares) if number == 0 or share >= 50)
    for number in dict.fromkeys((1, half)):
        if number:
            chance = percent(part.chance(values[number].__le__))
            upper.annotate(f"≥ {float(values[number]):g}: {chance}", (number, shares[number]), (10, 6),
                           textcoords="offset points", color=LINE, fontsize=10, fontweight="bold", zorder=7,
                           bbox={"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": LINE})  # fmt: skip
    return upper


def _between(values: list[float], number: float) -> float:
    """Where a number lies on an axis whose ticks are these values."""
    for place, (low, high) in enumerate(pairwise(values)):
        if low <= number <= high:
            return place + (number - low) / (high - low)
    return 0.0 if number < values[0] else float(len(values) - 1)


def _legends(axis: Any, upper: Any) -> None:
    """One legend above the picture for both scales."""
    handles, labels = axis.get_legend_handles_labels()
    if upper is not axis:
        more_handles, more_labels = upper.get_legend_handles_labels()
        handles, labels = handles + more_handles, labels + more_labels
    axis.legend(handles, labels, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=4, frameon=False, fontsize=10,
                borderaxespad=0.2)  # fmt: skip
