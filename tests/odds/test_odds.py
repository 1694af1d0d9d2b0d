"""The odds desk: exact values, arguments, tables and plain data."""

from __future__ import annotations

import io
from fractions import Fraction
from typing import Any

import pytest
from rich.console import Console

from grognard import odds
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.odds import Odds, OddsArgument
from grognard.kernel.odds.weigh import Distribution
from grognard.odds.ask import value_of
from tests.cli.toy import TOY

DIE = Distribution({3: 1, 1: 2, 2: 3}, 6)
PAIR = Distribution({(1, "a"): 1, (2, "b"): 3}, 4)


def shown(*parts: Any) -> str:
    console = Console(width=120, record=True, file=io.StringIO())
    for part in parts:
        console.print(part)
    return console.export_text()


def test_odds_of_a_distribution() -> None:
    got = Odds.of("die", DIE, tests={"low": lambda face: face < 3}, touched=["x:1"])
    assert list(got.parts["outcome"].weights) == [1, 2, 3]
    assert got.mean == Fraction(11, 6) and got.means == {"outcome": Fraction(11, 6)}
    assert got.chances == {"1": Fraction(1, 3), "2": Fraction(1, 2), "3": Fraction(1, 6), "low": Fraction(5, 6)}
    assert got.touched == ("x:1",)


def test_odds_with_several_parts() -> None:
    got = Odds.of("pair", PAIR, parts={"number": lambda pair: pair[0], "word": lambda pair: pair[1]})
    assert got.mean == {"number": Fraction(7, 4)}
    assert got.chances["number: 2"] == got.chances["word: b"] == Fraction(3, 4)
    assert Odds.of("word", PAIR, parts={"word": lambda pair: pair[1]}).mean is None


def test_asking_by_name() -> None:
    got = odds.ask(TOY, "shot", {"aim": 1}, mood="wild")
    assert got.arguments == {"aim": 1, "mood": "wild", "card": None}
    assert got.mean == 1 and got.question == "shot"
    with pytest.raises(BadInput, match="no odds of rain"):
        odds.ask(TOY, "rain")
    with pytest.raises(BadInput, match="aim is a whole number, not True"):
        odds.ask(TOY, "shot", aim=True)
    with pytest.raises(BadInput, match="needs aim"):
        odds.ask(TOY, "word", aim=None)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("whole", "3", 3), ("whole", "-3", -3), ("whole", "3.0", 3), ("whole", "x", "x"), ("number", "2.5", 2.5),
        ("text", "3", "3"), ("flag", "yes", True), ("flag", "non", False), ("flag", "maybe", "maybe"),
        ("list", "1, a,2.5", [1, "a", 2.5]), ("list", "", []),
    ],
)  # fmt: skip
def test_values_from_words(kind: str, text: str, value: Any) -> None:
    assert value_of(OddsArgument("x", kind, ""), text) == value


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("whole", 3, 3.5), ("whole", 3, True), ("number", 2.5, float("inf")), ("number", 2, "2"), ("text", "a", 1),
        ("flag", False, 0), ("list", [1], (1,)), ("mapping", {}, []),
    ],
)  # fmt: skip
def test_arguments_check_their_kind(kind: str, good: Any, bad: Any) -> None:
    argument = OddsArgument("x", kind, "", required=True)
    assert argument.check(good) == good
    assert argument.check(None) is None
    with pytest.raises(BadInput, match="x is a"):
        argument.check(bad)


def test_percentages_are_honest() -> None:
    assert odds.percent(Fraction(1, 3)) == "33.33 %"
    assert odds.percent(Fraction(1, 10**6)) == "< 0.01 %"
    assert odds.percent(1 - Fraction(1, 10**6)) == "> 99.99 %"
    assert odds.percent(Fraction(0)) == "0.00 %" and odds.percent(Fraction(1)) == "100.00 %"


def test_tables() -> None:
    text = shown(*odds.tables(odds.ask(TOY, "shot", aim=1)))
    assert "wounds · mean 1" in text and "16.67 %" in text and "1/6" in text and "Why" in text and "any" in text
    assert "issue" in shown(*odds.tables(odds.ask(TOY, "word", aim=1), "fr"))
    lines = odds.compare(TOY, "shot", {}, "aim", [0, 4])
    assert "aim = 4" in shown(odds.comparison_table(lines))
    assert "hit or miss" in shown(*odds.questions_table(TOY.odds_questions))


def test_plain_data_is_exact() -> None:
    got = odds.plain(Odds.of("die", DIE))
    assert got["parts"]["outcome"][2]["at_least"] == {"exact": "1/6", "decimal": 0.166666666667}
    assert sum(Fraction(row["exact"]) for row in got["parts"]["outcome"]) == 1
    half = Odds.of("half", Distribution({Fraction(1, 2): 1}, 1))
    assert odds.plain(half)["parts"]["outcome"][0]["value"] == 0.5
