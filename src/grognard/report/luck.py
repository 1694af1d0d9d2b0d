"""Luck: what was rolled against what could be expected, by player and by kind of roll, exactly."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

import msgspec

from grognard.kernel.events import Event

#: How a total is compared with what is needed.
_PASSES = {
    "high": lambda total, need: total >= need,
    "over": lambda total, need: total > need,
    "under": lambda total, need: total <= need,
}


class Luck(msgspec.Struct):
    """The rolls of one kind by one player: dice, faces and tests, as they fell and as expected."""

    seat: str
    name: str
    rule: str
    sides: int = 0
    dice: int = 0
    rolled: int = 0
    expected: Fraction = Fraction(0)
    spread: Fraction = Fraction(0)
    tests: int = 0
    passed: int = 0
    chance: Fraction = Fraction(0)
    doubt: Fraction = Fraction(0)

    def add(self, other: Luck) -> None:
        """Count another kind in; dice of different sides have none in common."""
        self.sides = other.sides if not self.dice else self.sides if self.sides == other.sides else 0
        for field in ("dice", "rolled", "expected", "spread", "tests", "passed", "chance", "doubt"):
            setattr(self, field, getattr(self, field) + getattr(other, field))

    @property
    def deviations(self) -> float:
        """How many standard deviations the tests passed (else the faces) lie above what was expected."""
        if self.tests and self.doubt:
            return float(self.passed - self.chance) / math.sqrt(self.doubt)
        return float(self.rolled - self.expected) / math.sqrt(self.spread) if self.spread else 0.0


class Trial(NamedTuple):
    """Something that had to be reached: whether it was, and how likely that was."""

    passed: bool
    chance: Fraction


def trials_of(event: Event) -> list[Trial]:
    """The tests a roll was: of each die where each counts by itself, else one; none where the number itself counted."""
    faces = event.data["faces"] if event.data.get("each") else [None]
    found = [trial_of(event, face) for face in faces]
    return [trial for trial in found if trial is not None]


def trial_of(event: Event, die: int | None = None) -> Trial | None:
    """The test a roll was, or one of its dice; None where the number itself counted."""
    data = event.data if die is None else {**event.data, "faces": [die]}
    passes = _PASSES.get(data.get("sense", "value"))
    if passes is None or "need" not in data or not data["faces"]:
        return None
    plus = 0 if data["sense"] == "under" else data.get("plus", 0)
    totals = {0: 1}
    for _ in data["faces"]:
        following: dict[int, int] = {}
        for total, ways in totals.items():
            for face in range(1, data["sides"] + 1):
                following[total + face] = following.get(total + face, 0) + ways
        totals = following
    good = sum(ways for total, ways in totals.items() if passes(total + plus, data["need"]))
    return Trial(passes(sum(data["faces"]) + plus, data["need"]), Fraction(good, data["sides"] ** len(data["faces"])))


def lucks(events: Iterable[Event]) -> list[Luck]:
    """Every kind of roll of every player, in the order they were first made."""
    found: dict[tuple[str, str], Luck] = {}
    for event in events:
        if event.kind != "roll" or not event.about:
            continue
        seat, name = event.about[0], str(event.data["name"])
        luck = found.setdefault((seat, name), Luck(seat, name, event.rule))
        sides, faces = int(event.data["sides"]), event.data["faces"]
        luck.sides = sides if not luck.dice else luck.sides if luck.sides == sides else 0
        luck.dice += len(faces)
        luck.rolled += sum(faces)
        luck.expected += Fraction(len(faces) * (sides + 1), 2)
        luck.spread += Fraction(len(faces) * (sides * sides - 1), 12)
        for trial in trials_of(event):
            luck.tests += 1
            luck.passed += trial.passed
            luck.chance += trial.chance
            luck.doubt += trial.chance * (1 - trial.chance)
    return list(found.values())


def totals(found: Iterable[Luck]) -> list[Luck]:
    """All of each player's rolls together."""
    whole: dict[str, Luck] = {}
    for luck in found:
        whole.setdefault(luck.seat, Luck(luck.seat, "", "")).add(luck)
    return list(whole.values())
