"""The odds of melees and charges of Némésis: against rolled dice, against the battle itself, and against icepool."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

import icepool
import pytest
from msgspec.structs import replace

from grognard.games import RULESETS
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.engage import charges
from grognard.games.nemesis.melee import melee
from grognard.games.nemesis.odds import layouts, weigh
from grognard.games.nemesis.odds.charging import Arrival, Charge, Charging
from grognard.games.nemesis.odds.fights import Fight, State
from grognard.games.nemesis.odds.policy import USE, swordsman
from grognard.games.nemesis.odds.shots import falling, gun_of, mark_of
from grognard.games.nemesis.rolls import steps
from grognard.games.nemesis.setup.missions import GameOver
from grognard.kernel.questions import Script
from tests.nemesis.rolling import FEW, RUNS, Roller, Tree, agree, complete, drive, fractions, rolled_volley

NEMESIS = RULESETS["nemesis"]


# ---------------------------------------------------------------------- a melee


class RolledFight:
    """Rounds of melee rolled blow by blow; what is the same in the same situation is worked out once."""

    def __init__(self, fight: Fight, roller: Roller, steps_: list[tuple[str, bool]]) -> None:
        self.fight, self.roller, self.steps = fight, roller, steps_
        self._plans: dict[Any, Any] = {}
        self._trees: dict[Any, Tree] = {}
        self._after: dict[Any, State] = {}

    def roll(self) -> State:
        state = self.fight.start
        for seat, first in self.steps:
            key = (state, seat, first)
            if key not in self._plans:
                self._plans[key] = self.fight.plan(state, seat, first)
            for attacker, target in self._plans[key]:
                state = self._blow((state, attacker, target))
        return state

    def _blow(self, key: tuple[State, str, str]) -> State:
        if key not in self._trees:
            self._trees[key] = self._tree(*key)
        struck = self._trees[key].roll()
        if (key, struck) not in self._after:
            (self._after[key, struck],) = self.fight.after(*key, struck).weights if struck is not None else key[:1]
        return self._after[key, struck]

    def _tree(self, state: State, attacker: str, target: str) -> Tree:
        if any(state[self.fight.models.index(key)].gone for key in (attacker, target)):
            return Tree(nothing, self.roller.random)
        battle = self.fight.table(state)
        found = melee.blow_for(battle, battle.models[attacker], battle.models[target])
        return Tree(lambda: struck_by(found), self.roller.random, swordsman(found, USE))


def nothing() -> Script[None]:
    yield from ()


def struck_by(found: steps.Blow) -> Script[steps.Struck]:
    """A blow, without the face that no longer counts."""
    return replace((yield from steps.blow(found)), attack_face=0)


MELEES: list[dict[str, Any]] = [
    {"attacker": "Stitched", "attackers": 2, "defender": "Realm Halberdier", "defenders": 2, "charged": True},
    {"attacker": "Skeleton", "attackers": 4, "defender": "Realm Halberdier", "defenders": 2},
    {"attacker": "Lesser Demon", "attackers": 1, "defender": "Blade Dancer", "defenders": 2, "charged": True},
    {"attacker": "Captain", "attackers": 1, "defender": "Zealot", "defenders": 3, "countered": True},
]


@pytest.mark.parametrize("arguments", MELEES)
def test_a_melee_against_rolled_dice(arguments: dict[str, Any]) -> None:
    battle = layouts.scrum(complete("melee", **arguments))
    ours, theirs = (battle.standing(battle.units[name]) for name in ("attacker", "defender"))
    fight = Fight(battle, ours, theirs, USE, {})
    rolled = RolledFight(fight, Roller(4), [(seat, first) for first in (True, False) for seat in battle.order])
    ends = Counter(rolled.roll() for _ in range(RUNS if arguments is MELEES[0] else FEW))
    tolls: Counter[Any] = Counter()
    for state, times in ends.items():
        tolls[fight.toll(state)] += times
    agree(weigh("melee", arguments).distribution, tolls)


@pytest.mark.parametrize("arguments", [MELEES[0], MELEES[1], MELEES[3]])
def test_a_melee_against_the_battle_itself(arguments: dict[str, Any]) -> None:
    battle, rng, counts = layouts.scrum(complete("melee", **arguments)), Random(5), Counter[Any]()
    for _ in range(800):
        twin = battle.copy()
        with suppress(GameOver):
            drive(melee.fight(twin), rng)
        counts[(lost(twin, "attacker"), lost(twin, "defender"))] += 1
    agree(weigh("melee", arguments).distribution.map(lambda toll: (toll[0], toll[2])), counts)


def test_a_blow_against_icepool() -> None:
    """One attacker, one defender, HC 4 F 4 against HC 3 R 7 S 2, both in a regiment; the defender strikes back."""
    odds = weigh(
        "melee",
        {"attacker_HC": 4, "attacker_F": 4, "attacker_R": 6, "defender_HC": 3, "defender_F": 3, "defender_R": 7,
         "defender_S": 2},
    )  # fmt: skip

    def blow(skill: int, strength: int, guard: int, resistance: int, survival: int) -> Any:
        def wounded(ours: int, theirs: int) -> Any:
            if ours == 1 or (theirs > 1 and ours + skill <= theirs + guard):
                return 0
            power = ours + skill + strength
            return icepool.map(
                lambda r, s: int(not (r > 1 and r + resistance >= power) and s > survival), icepool.d10, icepool.d10
            )

        return icepool.map(wounded, icepool.d10, icepool.d10)

    both = icepool.tupleize(blow(3, 3, 4, 6, 1), blow(4, 4, 3, 7, 2))
    assert dict(odds.distribution.map(lambda toll: (toll[0], toll[2]))) == fractions(both)


def test_equal_melees_side_by_side_are_one_melee_many_times() -> None:
    arguments = {"attacker": "Skeleton", "defender": "Zealot"}
    one = weigh("melee", {**arguments, "attackers": 1, "defenders": 1}).distribution
    three = weigh("melee", {**arguments, "attackers": 3, "defenders": 3}).distribution
    die = icepool.Die({icepool.Vector((t[0], t[2])): w for t, w in one.weights.items()})
    exact = three.map(lambda toll: (toll[0], toll[2]))
    assert dict(exact) == {tuple(toll): chance for toll, chance in fractions(die + die + die).items()}


# ---------------------------------------------------------------------- a charge

CHARGES: list[dict[str, Any]] = [
    {"attacker": "Knight", "attackers": 2, "defender": "Crown Archer", "defenders": 3, "distance": 12,
     "reaction": "shoot"},
    {"attacker": "Zealot", "attackers": 3, "defender": "Realm Halberdier", "defenders": 3, "distance": 12,
     "reaction": "counter"},
    {"attacker": "Realm Halberdier", "attackers": 2, "defender": "Marble Golem", "defenders": 1, "distance": 8,
     "defender_abilities": ["Undead"]},
    {"attacker": "Stitched", "attackers": 2, "defender": "Knife Thrower", "defenders": 2, "distance": 6,
     "reaction": "retreat"},
]  # fmt: skip


class RolledCharge:
    """A charge rolled in its three parts: the reaction shot, the way there, the first blows."""

    def __init__(self, going: Charging) -> None:
        self.going, self.roller = going, Roller(6)
        self.fights: dict[Arrival, RolledFight] = {}
        battle, unit = going.battle, going.battle.units["attacker"]
        reaction = battle.units["defender"].reaction
        shooters = going.shooters(battle) if reaction is not None and reaction.kind == "shoot" else []
        seen = falling(battle, shooters, unit)
        self.marks = [mark_of(battle, m, shooters[0], shooters[0].card.ranged[0]) for m in seen]
        found = [gun_of(battle, m, unit, None, [s.id for s in seen]) for m in shooters]
        self.guns = [gun for gun in found if gun is not None]
        self.tables = {felled: going.after_shot(felled) for felled in range(len(seen) + 1)}

    def roll(self) -> Charge:
        felled = rolled_volley(self.roller, self.marks, self.guns) if self.guns else 0
        table = self.tables[felled]
        if not table.units["attacker"].models:
            return Charge("shot down", felled, 0)
        arrival = self.roller.roll(("way", felled), lambda: self.going.way(table.copy()))
        if arrival.end != "contact":
            return Charge(arrival.end, felled, 0)
        if arrival not in self.fights:
            there = self.going.arrived[arrival]
            ours, theirs = (there.standing(there.units[name]) for name in ("attacker", "defender"))
            self.fights[arrival] = RolledFight(Fight(there, ours, theirs, USE, {}), self.roller, [("red", True)])
        rolled = self.fights[arrival]
        return Charge("contact", felled, rolled.fight.toll(rolled.roll())[2])


@pytest.mark.parametrize("arguments", CHARGES)
def test_a_charge_against_rolled_dice(arguments: dict[str, Any]) -> None:
    full = complete("charge", **arguments)
    battle = layouts.field(full)
    rolled = RolledCharge(
        Charging(battle, battle.units["attacker"], battle.units["defender"], full["reaction"], USE)
    )  # fmt: skip
    runs = RUNS if arguments is CHARGES[0] else FEW
    agree(weigh("charge", arguments).distribution, Counter(rolled.roll() for _ in range(runs)))


@pytest.mark.parametrize("arguments", CHARGES)
def test_a_charge_against_the_battle_itself(arguments: dict[str, Any]) -> None:
    full = complete("charge", **arguments)
    battle = layouts.field(full)
    declared = Charging(battle, battle.units["attacker"], battle.units["defender"], full["reaction"], USE).battle
    rng, counts = Random(7), Counter[Any]()
    for _ in range(150):
        twin = declared.copy()
        with suppress(GameOver):
            drive(charges.charge(twin, twin.units["attacker"]), rng)
        felled = lost(twin, "attacker")
        fled = lost(twin, "defender")
        if any(m.charged for m in twin.models.values()):
            with suppress(GameOver):
                drive(melee.fight(twin), rng)
        counts[(felled, lost(twin, "defender") - fled)] += 1
    exact = weigh("charge", arguments).distribution
    agree(exact.map(lambda charge: (charge.chargers_lost, charge.targets_lost)), counts)


def lost(battle: Battle, name: str) -> int:
    return sum(m.doomed or not m.on_table for m in battle.models.values() if m.home == name)


def test_a_charge_out_of_reach_fails_and_fear_stops_it() -> None:
    far = weigh("charge", {"distance": 10.1, "M": 10})
    assert far.chances["end: too far"] == 1
    near = weigh("charge", {"distance": 9.9, "M": 10})
    assert near.chances["end: contact"] == 1
    scary = weigh("charge", {"attackers": 1, "defender_abilities": ["Undead"], "defender_size": 4, "distance": 5})
    assert scary.chances["end: afraid"] == Fraction(6, 10)  # C 6, less 2 for the size: a 5 or more fails
    assert "nemesis:22.1-size" in scary.touched
