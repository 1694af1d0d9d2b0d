"""No pile-in is left unasked while some model could make one: generated scenes against a dense search."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

from grognard.games.wh40k.fight.pile_in import PileJudge
from grognard.games.wh40k.movement.moves import Trip
from grognard.kernel.geometry.units import inches
from tests.wh40k import field

RADII = {"Man": 0.5, "Big": 1.0, "Hull": 2.9}
RINGS, ANGLES = 24, 72
#: Scenes in which the whole of the move is needed, to a hair.
NARROW = [("Big", 2016), ("Hull", 1234), ("Hull", 1983)]


def sheet(name: str, shape: dict[str, Any]) -> dict[str, Any]:
    return {
        "keywords": ["Infantry"],
        "models": {name: {"M": 6, "T": 4, "Sv": 4, "W": 1, "Ld": 7, "OC": 1, **shape, "weapons": ["knife"]}},
        "composition": {name: [1, 5]},
        "weapons": {"knife": {"A": 1, "skill": 3, "S": 4, "AP": 0, "D": 1}},
    }


SHEETS = {
    "Man": sheet("Man", {"base": 25.4}),
    "Big": sheet("Big", {"base": 50.8}),
    "Hull": sheet("Hull", {"hull": [76, 127], "height": 2}),
}


class Scene:
    """A unit that charged, enemies 2 to 4 inches away, friends and high debris between them."""

    def __init__(self, seed: int, mover: str) -> None:
        self.rng, self.mover = Random(seed), mover
        self.placed: list[tuple[float, float, float]] = []
        self.units: dict[str, Any] = {}
        self.terrain: list[dict[str, Any]] = []
        self._us()
        for i in range(self.rng.choice([1, 1, 2, 3])):
            self._put(f"foe{i}", "blue", self.rng.choice(["Man", "Man", "Big", "Hull"]), 2.0, 4.05)
        for i in range(self.rng.choice([0, 1, 3, 5])):
            self._put(f"pal{i}", "red", "Man", 0.1, 3.5)
        for i in range(self.rng.choice([0, 0, 1, 2])):
            self._debris(f"t{i}")

    def _us(self) -> None:
        two = self.mover == "Man" and self.rng.random() < 0.4
        at = [[20.0, 20.0]]
        if two:
            at.append([20 + self.rng.uniform(1.05, 2.5), 20 + self.rng.uniform(-0.5, 0.5)])
        facing = self.rng.choice([0, 37, 90])
        self.units["us"] = {"side": "red", "datasheet": self.mover, "models": len(at), "charged": True}
        self.units["us"] |= {"at": at if two else at[0], "facing": facing}
        self.placed = [(x, y, RADII[self.mover]) for x, y in at]

    def _put(self, name: str, side: str, kind: str, low: float, high: float) -> None:
        for _ in range(60):
            angle = self.rng.uniform(0, 2 * math.pi)
            away = self.rng.uniform(low, high) + RADII[self.mover] + min(RADII[kind], 2.0)
            x, y = 20 + away * math.cos(angle), 20 + away * math.sin(angle)
            if all(math.hypot(x - a, y - b) >= RADII[kind] + r + 0.02 for a, b, r in self.placed):
                self.placed.append((x, y, RADII[kind]))
                at, facing = [round(x, 3), round(y, 3)], self.rng.choice([0, 20, 45, 90])
                self.units[name] = {"side": side, "datasheet": kind, "models": 1, "at": at, "facing": facing}
                return

    def _debris(self, name: str) -> None:
        for _ in range(40):
            w, h = round(self.rng.uniform(0.4, 3), 3), round(self.rng.uniform(0.4, 3), 3)
            x, y = round(20 + self.rng.uniform(-5, 5) - w / 2, 3), round(20 + self.rng.uniform(-5, 5) - h / 2, 3)
            near = [math.hypot(a - min(max(a, x), x + w), b - min(max(b, y), y + h)) - r for a, b, r in self.placed]
            if min(near) > 0.02:
                self.terrain.append({"id": name, "kind": "debris", "at": [x, y], "size": [w, h], "height": 9})
                return

    def judge(self) -> PileJudge:
        there = field.battle(self.units, terrain=self.terrain, phase="fight", datasheets=SHEETS)
        return PileJudge(there, there.units["us"], "pile-in")


def dense(judge: PileJudge) -> str | None:
    """Some model that has a legal pile-in straight ahead, by trying everywhere."""
    for model in judge.movers:
        at = judge.battle.pose(model)
        for ring in range(RINGS, 0, -1):
            for k in range(ANGLES):
                far, angle = inches(3) * ring / RINGS, 2 * math.pi * k / ANGLES
                end = (at.x + far * math.cos(angle), at.y + far * math.sin(angle))
                if judge.wire({model.id: Trip((at[:2], end), at.level)}) is not None:
                    return model.id
    return None


def wrong(mover: str, seeds: range) -> tuple[list[int], int]:
    """The seeds at which a pile-in is wrongly held impossible, and at how many one is possible."""
    found, able = [], 0
    for seed in seeds:
        judge = Scene(seed, mover).judge()
        if judge.plan() is not None:
            able += 1
        elif not judge.hopeless() and dense(Scene(seed, mover).judge()) is not None:
            found.append(seed)
    return found, able


@pytest.mark.parametrize("mover", ["Man", "Big", "Hull"])
def test_no_pile_in_is_left_unasked(mover: str) -> None:
    found, able = wrong(mover, range(100))
    assert found == []
    assert able > 50


@pytest.mark.parametrize(("mover", "seed"), NARROW)
def test_a_pile_in_that_takes_the_whole_move_is_asked(mover: str, seed: int) -> None:
    judge = Scene(seed, mover).judge()
    trips = judge.plan()
    assert trips is not None
    assert judge.wire(trips) is not None


@pytest.mark.long
@pytest.mark.parametrize("mover", ["Man", "Big", "Hull"])
def test_no_pile_in_is_left_unasked_in_thousands_of_scenes(mover: str) -> None:
    assert wrong(mover, range(100, 3400))[0] == []
