"""Odds as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from grognard.kernel.odds.odds import Grid, Odds, OddsArgument, OddsQuestion, is_numeric
from grognard.kernel.odds.weigh import Distribution
from grognard.kernel.words.texts import gettext
from grognard.odds.ask import Line

BAR = 32
#: Denominators longer than this are not shown beside the percentage; JSON has them.
SHORT = 7
#: With more columns than this a comparison has its answers side by side instead of one below the other.
WIDE = 8


def percent(chance: Fraction) -> str:
    """A probability for people; something possible is never shown as 0, nor something uncertain as 100."""
    shown = f"{float(chance) * 100:.2f} %"
    if shown == "0.00 %" and chance:
        return "< 0.01 %"
    return "> 99.99 %" if shown == "100.00 %" and chance != 1 else shown


def tables(odds: Odds, language: str = "en", chances: bool = True) -> Iterator[RenderableType]:
    """One table a part, then the named chances that are no single value, then the why."""
    for name, part in odds.parts.items():
        yield _part(gettext(name, language), part, language)
    own = _named(odds) if chances else {}
    if own:
        table = _table(gettext("Also", language), language, "Outcome", "Chance", "Exactly")
        for name, chance in own.items():
            table.add_row(gettext(name, language), percent(chance), _exactly(chance))
        yield table
    if odds.grid is not None:
        yield _grid(odds.grid, language)
    if odds.steps:
        table = _table(gettext("Why", language), language, "Step", "Chance", "Exactly", "Rule")
        for step in odds.steps:
            table.add_row(gettext(step.label, language), percent(step.chance), _exactly(step.chance), step.rule)
        yield table


def legend(grid: Grid, language: str) -> str:
    """What stands in the cells of a grid, and what its marks mean."""
    marks = gettext("★ the best choice, ▸ the best answer", language)
    return f"{gettext(grid.about, language)}\n{marks}"


def _grid(grid: Grid, language: str) -> Table:
    """Every choice against every answer; the best answer to each choice is marked, and the best choice."""
    title = Text.assemble(
        (gettext(grid.title, language), "bold"),
        "\n",
        (legend(grid, language), "dim"),
    )
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(f"{gettext(grid.chooser, language)} ↓  {gettext(grid.answerer, language)} →", style="bold")
    for column in grid.columns:
        table.add_column(column, justify="right", no_wrap=True)
    for place, (row, notes) in enumerate(zip(grid.rows, grid.notes, strict=True)):
        reply = grid.answers[place]
        cells = [Text(f"▸ {note}", "bold") if k == reply else Text(note) for k, note in enumerate(notes)]
        table.add_row(f"★ {row}" if place == grid.choice else f"  {row}", *cells)
    return table


def _named(odds: Odds) -> Mapping[str, Fraction]:
    """The chances beyond those of the parts' single values."""
    many = len(odds.parts) > 1
    values = [f"{name}: {value}" if many else str(value) for name, part in odds.parts.items() for value, _ in part]
    return {name: chance for name, chance in odds.chances.items() if name not in values}


def _table(title: str, language: str, *heads: str) -> Table:
    table = Table(title=Text(title, "bold"), title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for place, head in enumerate(heads):
        numbers = head in ("Chance", "At least", "Mean")
        table.add_column(gettext(head, language), justify="right" if numbers else "left", overflow="fold",
                         no_wrap=numbers, style="" if place else "bold")  # fmt: skip
    return table


def _part(name: str, part: Distribution[Any], language: str) -> Table:
    numeric = is_numeric(part)
    title = name
    if numeric:
        mean = part.expect(lambda value: value)
        title += " · " + gettext("mean {mean}", language).format(mean=f"{float(mean):.4g}")
    heads = ("Value", "Chance", "At least", "Exactly", "") if numeric else ("Value", "Chance", "Exactly", "")
    table = _table(title, language, *heads)
    top = max((chance for _, chance in part), default=Fraction(1))
    left = Fraction(1)
    for value, chance in part:
        shown = f"{float(value):g}" if numeric else gettext(str(value), language)
        bar = Text("█" * round(BAR * chance / top) or "▏", "dodger_blue1")
        at_least = [percent(left)] if numeric else []
        table.add_row(shown, percent(chance), *at_least, _exactly(chance), bar)
        left -= chance
    return table


def _exactly(chance: Fraction) -> str:
    return str(chance) if len(str(chance.denominator)) <= SHORT else ""


def comparison_table(lines: Sequence[Line], language: str = "en") -> Table:
    """Several answers side by side: a row for each and a column for every mean and chance, or the other way round."""
    means = list(dict.fromkeys(name for line in lines for name in line.odds.means))
    names = list(dict.fromkeys(name for line in lines for name in line.odds.chances))
    heads = [f"{gettext(name, language)} ({gettext('Mean', language)})" for name in means]
    heads += [": ".join(gettext(part, language) for part in name.split(": ")) for name in names]
    rows = [
        [f"{float(line.odds.means.get(name, Fraction(0))):.4g}" for name in means]
        + [percent(line.odds.chances.get(name, Fraction(0))) for name in names]
        for line in lines
    ]
    sides = [line.label for line in lines]
    if len(heads) > max(WIDE, len(rows)):
        sides, heads, rows = heads, sides, [list(row) for row in zip(*rows, strict=True)]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", style="bold")
    for head in heads:
        table.add_column(head, justify="right")
    for side, row in zip(sides, rows, strict=True):
        table.add_row(side, *row)
    return table


def questions_table(questions: Mapping[str, OddsQuestion], language: str = "en") -> Iterator[RenderableType]:
    """Every question a game answers, with its arguments."""
    for question in questions.values():
        yield Text.assemble((question.name, "bold"), "  ", gettext(question.text, language))
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 2))
        for argument in question.arguments:
            table.add_row(
                Text(argument.name, "cyan"), _takes(argument, language), gettext(argument.about, language)
            )  # fmt: skip
        yield table
        if question.example:
            yield Text(f"    {question.name} {question.example}", "dim")


def _takes(argument: OddsArgument, language: str) -> str:
    if argument.choices:
        kind = "|".join(map(str, argument.choices))
    else:
        kind = gettext(argument.kind, language)
    if argument.required:
        return kind
    return kind if argument.default is None else f"{kind} = {argument.default}"
