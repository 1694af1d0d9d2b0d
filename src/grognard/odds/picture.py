"""Odds as a picture: bars for every value, a line for 'at least', the main numbers written out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grognard.kernel.errors import BadInput
from grognard.kernel.odds import Odds, is_numeric
from grognard.kernel.texts import gettext
from grognard.kernel.weigh import Distribution
from grognard.odds.ask import Line
from grognard.odds.table import percent

#: Okabe and Ito's colours, told apart with any colour vision.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")
LINE = "#D55E00"
INK = "#222222"
#: Values beyond both of these are left out of the picture; tables and JSON keep them.
TINY = 1e-4
MAX_BARS = 40
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
        figure = Figure(figsize=(9, 1.2 + 4.3 * len(names)), dpi=150, layout="constrained", facecolor="white")
        axes = figure.subplots(len(names), 1, squeeze=False)[:, 0]
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
    places = range(len(values))
    width = 0.82 / len(parts)
    for number, (label, part) in enumerate(parts):
        shares = [float(part.probability(value)) * 100 for value in values]
        shift = (number - (len(parts) - 1) / 2) * width
        bars = axis.bar([p + shift for p in places], shares, width * 0.94, color=COLOURS[number % len(COLOURS)],
                        label=_legend(label, part, language), zorder=2)  # fmt: skip
        if len(parts) * len(values) <= 16:
            axis.bar_label(bars, [_short(share) for share in shares], padding=2, fontsize=9, color=INK, zorder=4)
    axis.set_xticks(list(places), [_value(value, numeric, language) for value in values])
    axis.set_xlabel(gettext(name, language), color=INK)
    axis.set_ylabel(gettext("Chance", language), color=INK)
    _dress(axis)
    if len(parts) == 1 and numeric and len(values) > 1:
        _at_least(axis, parts[0][1], values, language)
    if numeric or len(parts) > 1:
        axis.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=4, frameon=False, fontsize=10, borderaxespad=0.2)


def _values(parts: list[Distribution[Any]], numeric: bool) -> list[Any]:
    found = list(dict.fromkeys(value for part in parts for value in part.weights))
    if numeric:
        found.sort()
    if len(found) > MAX_BARS:
        found = [v for v in found if any(part.probability(v) >= TINY for part in parts)][:MAX_BARS]
    return found


def _value(value: Any, numeric: bool, language: str) -> str:
    return f"{float(value):g}" if numeric else gettext(str(value), language)


def _short(share: float) -> str:
    return "" if not share else f"{share:.1f} %" if share >= 0.1 else "< 0.1 %"


def _legend(label: str, part: Distribution[Any], language: str) -> str:
    if not is_numeric(part):
        return label
    mean = gettext("mean {mean}", language).format(mean=f"{float(part.expect(lambda value: value)):.3g}")
    return f"{label} ({mean})" if label else mean


def _dress(axis: Any) -> None:
    top = axis.get_ylim()[1]
    axis.set_ylim(0, min(108, top * 1.08))
    axis.yaxis.set_major_formatter(lambda share, _: f"{share:.0f} %")
    axis.grid(axis="y", color="#DDDDDD", zorder=0)
    axis.tick_params(colors=INK, length=0)
    for side in ("top", "right", "left"):
        axis.spines[side].set_visible(False)


def _at_least(axis: Any, part: Distribution[Any], values: list[Any], language: str) -> None:
    """The chance of at least so many, as a line on its own scale at the right."""
    shares = [float(part.chance(value.__le__)) * 100 for value in values]
    other = axis.twinx()
    other.plot(range(len(values)), shares, color=LINE, marker="o", markersize=5, linewidth=1.8, zorder=3)
    other.set_ylim(0, 108)
    other.yaxis.set_major_formatter(lambda share, _: f"{share:.0f} %")
    other.set_ylabel(gettext("At least", language), color=LINE)
    other.tick_params(colors=LINE, length=0)
    for side in ("top", "right", "left"):
        other.spines[side].set_visible(False)
    first = part.chance(values[1].__le__)
    text = f"≥ {_value(values[1], True, language)}: {percent(first)}"
    other.annotate(text, (1, shares[1]), (8, 8), textcoords="offset points", color=LINE, fontsize=10, fontweight="bold")
