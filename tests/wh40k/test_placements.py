"""Placements of 10 and 20 models among terrain: whatever the question proposes is legal, and something is proposed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.charge.charge_moves import ChargeJudge
from grognard.games.wh40k.charge.joint_moves import ends_of
from grognard.games.wh40k.fight.pile_in import PileJudge
from grognard.games.wh40k.movement.moves import MoveJudge
from grognard.games.wh40k.table.ground import Way
from grognard.kernel.geometry.units import inches
from tests.wh40k.field import battle

#: A corner of two ruins with walls, a barricade, debris and a hill to go round or over.
QUARTER: list[dict[str, Any]] = [
    {"id": "ruin", "kind": "ruins", "at": [26, 16], "size": [8, 6], "floors": [3, 6]},
    {"id": "ruin-wall", "kind": "wall", "at": [26, 21.6], "size": [8, 0.4]},
    {"id": "ruin-side", "kind": "wall", "at": [26, 16], "size": [0.4, 5.6]},
    {"id": "barrier", "kind": "barricade", "at": [14, 18], "size": [6, 0.6], "height": 1},
    {"id": "statue", "kind": "debris", "at": [21.5, 17], "size": [2, 2], "height": 2},
    {"id": "hill", "kind": "hill", "at": [6, 20], "size": [6, 6], "height": 3},
    {"id": "woods", "kind": "woods", "at": [36, 16], "size": [6, 6]},
]


def scene(count: int, at: tuple[float, float], foes: dict[str, Any], seed: int = 0, **more: Any) -> Battle:
    rng = Random(seed)
    claw = {
        "side": "red", "datasheet": "Clawkin", "models": {"Clawkin": count}, "at": list(at),
        "columns": rng.choice([4, 5, 10]), "step": [rng.uniform(1.15, 1.6), rng.uniform(1.15, 1.6)],
    }  # fmt: skip
    return battle({"claw": claw, **foes}, phase=more.pop("phase", "charge"), **more)


def wardens(count: int, at: tuple[float, float], **more: Any) -> dict[str, Any]:
    return {"side": "blue", "datasheet": "Wardens", "models": {"Warden": count - 1}, "at": list(at), **more}


def move(there: Battle, far: float, kind: str = "normal") -> MoveJudge:
    unit = there.units["claw"]
    return MoveJudge(there, unit, there.members(unit), Way(kind), lambda m: inches(far), "wh40k:4.5-normal")


def made(judge: MoveJudge) -> list[str]:
    return [name for name in judge.proposals() if judge.propose(name) is not None]


@pytest.mark.parametrize("count", [10, 20])
@pytest.mark.parametrize("seed", range(6))
def test_moves_round_corners_and_over_terrain_are_proposed(count: int, seed: int) -> None:
    rng = Random(seed)
    at = (rng.uniform(8, 34), rng.uniform(6, 10))
    foes = {"foe": wardens(5, (rng.uniform(10, 40), 30)), "other": wardens(5, (50, 36))}
    there = scene(count, at, foes, seed, terrain=QUARTER, markers=[{"at": [30, 26]}, {"at": [10, 14]}])
    names = made(move(there, 7))
    assert {"toward:foe", "to:marker1", "to:marker2", "back", "hold"} <= set(names)


@pytest.mark.parametrize("count", [10, 20])
def test_a_unit_goes_up_into_a_ruin_and_down_again(count: int) -> None:
    there = scene(count, (25, 10), {"foe": wardens(5, (30, 36))}, terrain=QUARTER)
    up = move(there, 14)
    wire = up.propose("up:ruin:1")
    assert wire is not None
    for step in up.decode(wire):
        there.put(step.model, step.end)
    assert all(there.pose(m).level == 1 for m in there.members(there.units["claw"]))
    down = move(there, 10)
    assert {"down", "toward:foe", "back"} <= set(made(down))


def test_who_can_only_climb_comes_straight_down() -> None:
    """wh40k:15.5.3-floors  Six inches down leave nothing to gather with."""
    there = scene(10, (25, 10), {"foe": wardens(5, (30, 36))}, terrain=QUARTER)
    up = move(there, 20)
    wire = up.propose("up:ruin:2")
    assert wire is not None
    for step in up.decode(wire):
        there.put(step.model, step.end)
    assert move(there, 5.9).propose("down") is None
    down = move(there, 6).propose("down")
    assert down is not None and not any(way.get("level") for way in down.values())


def test_nobody_climbs_further_than_the_move_allows() -> None:
    there = scene(10, (25, 10), {"foe": wardens(5, (30, 36))}, terrain=QUARTER)
    assert move(there, 7).propose("up:ruin:2") is None


@pytest.mark.parametrize("count", [10, 20])
@pytest.mark.parametrize("gap", [3.0, 6.0])
@pytest.mark.parametrize("seed", range(8))
def test_charges_among_terrain_are_found(count: int, gap: float, seed: int) -> None:
    """The charger goes round or over whatever lies between with a roll that surely suffices."""
    rng = Random(seed)
    x, y = rng.uniform(10, 30), rng.uniform(2, 4)
    there = scene(count, (x, y), {"foe": wardens(rng.choice([5, 10]), (x + rng.uniform(-3, 3), 4))}, seed)
    top = max(there.pose(m).y for m in there.members(there.units["claw"]))
    low = min(there.pose(m).y for m in there.members(there.units["foe"]))
    for model in there.members(there.units["foe"]):
        pose = there.pose(model)
        there.put(model, pose._replace(y=pose.y - low + top + inches(gap) + 30))
    judge = ChargeJudge(there, there.units["claw"], [there.units["foe"]], inches(gap + 4))
    trips = judge.plan()
    assert trips is not None
    assert judge.wire(trips) is not None


def test_a_charge_up_to_a_floor_of_a_ruin() -> None:
    foes = {"foe": wardens(5, (27.5, 18.2), columns=5, step=[1.3, 1.3], level=1)}
    there = scene(10, (26, 8), foes, terrain=QUARTER)
    judge = ChargeJudge(there, there.units["claw"], [there.units["foe"]], inches(12))
    trips = judge.plan()
    assert trips is not None
    assert any(trip.level == 1 for trip in trips.values())


def test_a_charge_at_two_units_reaches_both() -> None:
    foes = {"foe": wardens(5, (18, 16)), "other": wardens(5, (28, 16))}
    there = scene(20, (16, 8), foes, seed=3)
    judge = ChargeJudge(there, there.units["claw"], [there.units["foe"], there.units["other"]], inches(9))
    trips = judge.plan()
    assert trips is not None
    assert judge.unit_holds(ends_of(judge, trips))


@pytest.mark.parametrize("count", [10, 20])
@pytest.mark.parametrize("seed", range(6))
def test_pile_ins_and_consolidations_are_proposed(count: int, seed: int) -> None:
    rng = Random(seed)
    there = scene(count, (14, 10), {"foe": wardens(10, (14 + rng.uniform(-2, 4), 5))}, seed)
    claw = [there.pose(m) for m in there.members(there.units["claw"])]
    top = max(p.y for p in claw)
    low = min(there.pose(m).y for m in there.members(there.units["foe"]))
    for model in there.members(there.units["foe"]):
        pose = there.pose(model)
        there.put(model, pose._replace(y=pose.y - low + top + inches(rng.uniform(0.3, 2.5)) + 30))
    for kind in ("pile-in", "consolidate"):
        judge = PileJudge(there, there.units["claw"], kind)
        assert judge.propose("close") is not None


@pytest.mark.parametrize("count", [10, 20])
@pytest.mark.parametrize("seed", range(4))
def test_a_fall_back_is_found_when_there_is_room(count: int, seed: int) -> None:
    rng = Random(seed)
    foes = {"foe": wardens(5, (20 + rng.uniform(-2, 2), 20.2), columns=5)}
    there = scene(count, (20, 16), foes, seed, phase="movement")
    top = max(there.pose(m).y for m in there.members(there.units["claw"]))
    for model in there.members(there.units["foe"]):
        pose = there.pose(model)
        there.put(model, pose._replace(y=top + 32))
    assert there.engaged(there.units["claw"])
    assert made(move(there, 7, "fall-back"))


def test_an_oval_charges_a_round_base_and_is_charged() -> None:
    sheet = {
        "Crawler": {
            "keywords": ["Vehicle"], "composition": {"Crawler": [1, 3]},
            "models": {"Crawler": {"M": 10, "T": 8, "Sv": 3, "W": 8, "Ld": 7, "OC": 2, "base": [60, 120],
                                   "height": 3, "weapons": ["ram"]}},
            "weapons": {"ram": {"A": 3, "skill": 4, "S": 6, "AP": 0, "D": 1}},
        }
    }  # fmt: skip
    units = {
        "crawler": {"side": "red", "datasheet": "Crawler", "at": [20, 10]},
        "foe": wardens(5, (18, 18)),
    }
    there = battle(units, phase="charge", datasheets=sheet)
    judge = ChargeJudge(there, there.units["crawler"], [there.units["foe"]], inches(8))
    trips = judge.plan()
    assert trips is not None
    assert judge.touches(there.models["crawler"], ends_of(judge, trips)["crawler"])
    back = ChargeJudge(there, there.units["foe"], [there.units["crawler"]], inches(8))
    trips = back.plan()
    assert trips is not None
    assert any(back.touches(m, ends_of(back, trips)[m.id]) for m in there.members(there.units["foe"]))
