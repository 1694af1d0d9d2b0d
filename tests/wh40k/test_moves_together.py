"""Joint placements: charges, pile-ins and moves of 10 and 20 models are found, and are legal as a whole."""

from __future__ import annotations

from random import Random

import pytest

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.charge.charge_moves import ChargeJudge
from grognard.games.wh40k.charge.joint_moves import ends_of
from grognard.games.wh40k.fight.pile_in import PileJudge
from grognard.games.wh40k.movement.moves import MoveJudge
from grognard.games.wh40k.table.ground import Way
from grognard.kernel.geometry.units import inches
from tests.wh40k.field import battle


def faced(count: int, foes: int, gap: float, seed: int, leader: bool = False) -> Battle:
    """Clawkin before Wardens, so far apart."""
    rng = Random(seed)
    units = {
        "claw": {"side": "red", "datasheet": "Clawkin", "models": {"Clawkin": count},
                 "at": [20 + rng.uniform(-3, 3), 10], "columns": rng.choice([5, 10]), "step": [1.25, 1.25]},
        "foe": {"side": "blue", "datasheet": "Wardens", "models": {"Warden": foes - 1}, "at": [20, 5], "columns": 5},
    }  # fmt: skip
    if leader:
        units["alpha"] = {"side": "red", "datasheet": "Brood Alpha", "at": [18, 7.8], "leads": "claw"}
    found = battle(units, phase="charge")
    top = max(found.pose(m).y for m in found.members(found.units["claw"]))
    low = min(found.pose(m).y for m in found.members(found.units["foe"]))
    for model in found.members(found.units["foe"]):
        pose = found.pose(model)
        found.put(model, pose._replace(y=pose.y - low + top + inches(gap) + 30))
    return found


@pytest.mark.parametrize("leader", [False, True])
@pytest.mark.parametrize(("count", "foes"), [(10, 5), (20, 10)])
@pytest.mark.parametrize("gap", [2.0, 5.0, 7.5])
def test_a_charge_within_reach_is_found(count: int, foes: int, gap: float, leader: bool) -> None:
    there = faced(count, foes, gap, seed=count, leader=leader)
    unit, foe = there.units["claw"], there.units["foe"]
    judge = ChargeJudge(there, unit, [foe], inches(8))
    ways = judge.plan()
    assert ways is not None
    assert judge.wire(ways) is not None
    ends = ends_of(judge, ways)
    assert any(judge.touches(m, ends[m.id]) for m in there.members(unit))


@pytest.mark.parametrize("count", [10, 20])
def test_moves_toward_an_enemy_stay_coherent(count: int) -> None:
    there = faced(count, 5, 15, seed=1)
    unit = there.units["claw"]
    judge = MoveJudge(there, unit, there.members(unit), Way("normal"), lambda m: inches(7), "wh40k:4.5-normal")
    made = [name for name in judge.proposals() if judge.propose(name) is not None]
    assert "toward:foe" in made and "back" in made and "hold" in made


def test_a_pile_in_brings_more_into_contact() -> None:
    there = faced(10, 5, 0.5, seed=2)
    unit = there.units["claw"]
    judge = PileJudge(there, unit, "pile-in")
    ways = judge.plan()
    assert ways
    ends = ends_of(judge, ways)
    before = sum(judge.touches(m, there.pose(m)) for m in there.members(unit))
    assert sum(judge.touches(m, ends[m.id]) for m in there.members(unit)) > before
