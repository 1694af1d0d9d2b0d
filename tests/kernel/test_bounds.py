"""What is too much is refused before anything is built of it."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from grognard import odds
from grognard.games import RULESETS
from grognard.kernel.data.bounds import Bounds
from grognard.kernel.errors import BadInput

FEW = Bounds(unit=10, models=20, units=3, entries=30, number=500, counts={"levels": 4}, each=("crew",))
each_game = pytest.mark.parametrize("game", list(RULESETS))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"units": {"a": {"count": 11}}}, "given.units.a: a unit has at most 10 models, not 11"),
        ({"units": [{"models": {"Man": 6, "Chief": 5}}]}, "given.units.1: a unit has at most 10 models, not 11"),
        ({"units": [{"models": [{}] * 11}]}, "given.units.1: a unit has at most 10 models, not 11"),
        ({"units": [{"count": 10}, {"count": 10}, {}]}, "given.units: there are at most 20 models in all, not 21"),
        ({"units": [{"count": 3, "crew": ["a", {"count": 2}]}]}, "given.units.1: a unit has at most 10 models, not 12"),
        ({"units": [{"count": 6, "crew": "a"}]}, "given.units.1: a unit has at most 10 models, not 12"),
        ({"units": [{}] * 4}, "given.units: there are at most 3 units, not 4"),
        ({"terrain": [1] * 31}, "given.terrain has at most 30 entries, not 31"),
        ({"terrain": [{"levels": 5}]}, "given.terrain.1.levels is at most 4, not 5"),
        ({"side": {"points": 501}}, "given.side.points is at most 500, not 501"),
        ({"side": {"points": -(10**400)}}, "given.side.points is at most 500, not"),
    ],
)
def test_each_bound_is_told(data: Any, why: str) -> None:
    with pytest.raises(BadInput) as refused:
        FEW.check(data, "given")
    assert str(refused.value).startswith(why)


def test_what_is_within_passes() -> None:
    FEW.check({"units": {"a": {"count": 10}, "b": {"models": {"Man": 10}}}, "seed": 2**50, "x": True}, "given")
    FEW.check({"units": [{"count": 5, "crew": "a"}, {"count": 2, "crew": [{"count": 3}]}, 5]}, "given")
    FEW.check({"units": "none", "count": "many", "nan": float("nan")}, "given")


def giants(game: str) -> dict[str, Callable[[], Any]]:
    """Two million men, by every way in."""
    ruleset, men = RULESETS[game], {"side": "red", "count": 2_000_000}
    asked = next((q for q in ruleset.odds_questions.values() if any(a.name == "given" for a in q.arguments)), None)
    ways: dict[str, Callable[[], Any]] = {
        "given": lambda: ruleset.create({"given": {"units": {"a": men}}}, ruleset.house_rules_from({})),
        "army": lambda: ruleset.create(
            ruleset.default_setup(None, (), 1) | {"armies": [{"units": [{"count": 2_000_000}]}] * 2},
            ruleset.house_rules_from({}),
        ),
    }
    if asked is not None:
        ways["odds"] = lambda: odds.ask(ruleset, asked.name, {"given": {"units": {"a": men}}})
    return ways


@each_game
def test_giants_are_refused_before_they_stand(game: str) -> None:
    for way, make in giants(game).items():
        tracemalloc.start()
        begun = time.perf_counter()
        with pytest.raises(BadInput, match="at most"):
            make()
        taken, (_, peak) = time.perf_counter() - begun, tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 20 * 1024**2 and taken < 5, (way, peak, taken)


@each_game
def test_every_starter_army_is_within(game: str) -> None:
    ruleset = RULESETS[game]
    for name in ruleset.armies():
        ruleset.create(ruleset.default_setup(None, (name, name), 1), ruleset.house_rules_from({}))
    assert "bounds" in vars(type(ruleset)), "each game declares its own"
