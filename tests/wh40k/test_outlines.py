"""Ways to hulls and ovals, and room beside them: whatever can be done is found."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.charge.charge_moves import ChargeJudge
from grognard.games.wh40k.fight.pile_in import PileJudge
from grognard.games.wh40k.movement.transports import NEAR, judge_near
from grognard.games.wh40k.table.placing import TIGHT
from grognard.kernel.geometry.units import MM_PER_INCH, inches
from grognard.kernel.placing.tracks import Track
from tests.wh40k.field import battle

STATS = {"M": 10, "T": 9, "Sv": 3, "W": 10, "Ld": 7, "OC": 3, "height": 3, "weapons": ["ram"]}
RAM = {"ram": {"A": 3, "skill": 4, "S": 6, "AP": 0, "D": 1}}
MAN = {**STATS, "M": 6, "W": 1, "height": 1.5}


def sheet(words: list[str], name: str, model: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"keywords": words, "models": {name: model}, "composition": {name: [1, 10]}, "weapons": RAM, **more}


SHEETS = {
    "Man": sheet(["Infantry"], "Man", {**MAN, "base": 25.4}),
    "Biker": sheet(["Mounted"], "Biker", {**MAN, "base": [42, 75]}),
    "Hull": sheet(["Vehicle"], "Hull", {**STATS, "hull": [76.2, 127]}),
    "Oval": sheet(["Vehicle"], "Oval", {**STATS, "base": [60, 120]}),
    "Carrier": sheet(
        ["Vehicle", "Transport"], "Carrier", {**STATS, "hull": [76.2, 127]}, capacity=10, carries=["Infantry"]
    ),
}


def faced(target: str, facing: float, turn: float, away: float, who: str, count: int) -> Battle:
    """Some models in a file, so many inches from the outline of a target, in some direction from it."""
    turned, first, step = math.radians(turn), *((13.0, 3.2) if who == "Biker" else (12.0, 1.7))
    places = [first + step * k for k in range(count)]
    units: dict[str, Any] = {
        "foe": {"side": "blue", "datasheet": target, "at": [30, 22], "facing": facing},
        "c": {
            "side": "red", "datasheet": who, "models": count, "charged": True, "facing": (turn + 180) % 360,
            "at": [[30 + far * math.sin(turned), 22 + far * math.cos(turned)] for far in places],
        },
    }  # fmt: skip
    there = battle(units, phase="charge", datasheets=SHEETS)
    nearer = there.unit_gap(there.units["c"], there.units["foe"]) - inches(away)
    for model in there.members(there.units["c"]):
        pose = there.pose(model)
        there.put(model, pose._replace(x=pose.x - nearer * math.sin(turned), y=pose.y - nearer * math.cos(turned)))
    return there


GRID = [
    (target, facing, turn)
    for target, facing in (("Hull", 0), ("Hull", 45), ("Oval", 0), ("Oval", 70))
    for turn in range(10, 370, 60)
]


@pytest.mark.parametrize(("target", "facing", "turn"), GRID)
def test_a_charge_within_reach_of_an_outline_is_found(target: str, facing: float, turn: float) -> None:
    for who, count in (("Man", 1), ("Man", 3), ("Biker", 1), ("Biker", 2)):
        there = faced(target, facing, turn, 5.2, who, count)
        unit, foe = there.units["c"], there.units["foe"]
        far = there.unit_gap(unit, foe) / MM_PER_INCH
        for more, found in ((-0.8, True), (1.5, True), (-2.5, False)):
            plan = ChargeJudge(there, unit, [foe], inches(far + more)).plan()
            assert (plan is not None) == found, (who, count, more)


@pytest.mark.parametrize(("target", "facing", "turn"), GRID[::2])
def test_a_pile_in_at_an_outline_is_found(target: str, facing: float, turn: float) -> None:
    for who, count in (("Man", 2), ("Biker", 1)):
        there = faced(target, facing, turn, 3.4, who, count)
        far = there.unit_gap(there.units["c"], there.units["foe"]) / MM_PER_INCH
        assert PileJudge(there, there.units["c"], "pile-in").able() == (far < 4), (who, count, far)
        there = faced(target, facing, turn, 5.2, who, count)
        assert not PileJudge(there, there.units["c"], "pile-in").able(), (who, count)


def crowded(seed: int) -> Battle:
    """A carrier among debris thrown about it, with a man aboard."""
    rng = Random(seed)
    terrain = [{"id": f"d{k}", "kind": "debris", "points": _box(rng)} for k in range(rng.choice((12, 30, 60)))]
    units = {
        "carrier": {"side": "red", "datasheet": "Carrier", "at": [30, 22], "facing": rng.choice([0, 30, 90])},
        "man": {"side": "red", "datasheet": "Man", "models": 1, "transport": "carrier"},
        "foe": {"side": "blue", "datasheet": "Man", "models": 1, "at": [30 + rng.uniform(3, 8), 22]},
    }
    return battle(units, phase="movement", datasheets=SHEETS, terrain=terrain)


def _box(rng: Random) -> list[list[float]]:
    turn, away = rng.uniform(0, 2 * math.pi), rng.uniform(2.8, 5.0)
    x, y, angle = 30 + away * math.cos(turn), 22 + away * math.sin(turn), rng.uniform(0, math.pi)
    w, h = rng.uniform(0.5, 3), rng.uniform(0.2, 1.2)
    c, s = math.cos(angle), math.sin(angle)
    return [[x + a * w * c - b * h * s, y + a * w * s + b * h * c] for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def roomy(seed: int) -> bool:
    """Whether there is room beside a carrier; where there is not, a grid finds no place either."""
    there = crowded(seed)
    unit, carrier = there.units["man"], there.units["carrier"]
    judge = judge_near(there, unit, carrier, NEAR)
    judge.anchors = {TIGHT: judge.anchors[TIGHT]}
    if judge.possible() is not None:
        return True
    (model,) = unit.models
    for i in range(-26, 27):
        for k in range(-26, 27):
            spot = inches(30 + i * 0.25), inches(22 + k * 0.25)
            assert judge.legal({model: Track((spot,), None, 0)}) is None, f"crowd {seed}: there is room at {spot}"
    return False


def test_nobody_is_refused_while_there_is_room() -> None:
    found = [roomy(seed) for seed in range(20)]
    assert any(found) and not all(found)


@pytest.mark.long
def test_nobody_is_refused_while_there_is_room_at_length() -> None:
    for seed in range(20, 1000):
        roomy(seed)
