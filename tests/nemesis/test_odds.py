"""The odds of Némésis: against rolled dice, against the battle itself, and against icepool and dyce."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import icepool
import pytest
from dyce import H

from grognard.games import RULESETS
from grognard.games.nemesis import charges, melee, shooting, steps
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.casting_steps import Attempt, attempt, concentrate
from grognard.games.nemesis.forces import Order
from grognard.games.nemesis.means import tester, victim
from grognard.games.nemesis.odds import QUESTIONS, answers, layouts, weigh
from grognard.games.nemesis.odds.charging import Charging
from grognard.games.nemesis.odds.fights import Fight, State
from grognard.games.nemesis.odds.policy import USE, chooser, swordsman
from grognard.games.nemesis.odds.shots import Gun, Mark, Now, fire, mark_of
from grognard.games.nemesis.odds.trials import Spell, _tests
from grognard.games.nemesis.stats import stat
from grognard.games.nemesis.steps import Tester
from grognard.kernel.errors import BadInput
from grognard.kernel.odds import Odds
from grognard.kernel.tally import Tally
from grognard.kernel.weigh import Weigher
from grognard.odds import ask
from tests.nemesis.rolling import RUNS, Roller, agree, decide, drive

NEMESIS = RULESETS["nemesis"]


def complete(question: str, **arguments: Any) -> dict[str, Any]:
    return QUESTIONS[question].complete(arguments)


def fractions(counts: Any) -> dict[Any, Fraction]:
    items = dict(counts.items())
    whole = sum(items.values())
    return {outcome: Fraction(count, whole) for outcome, count in items.items() if count}


# ---------------------------------------------------------------------- a shot

SHOTS: list[dict[str, Any]] = [
    {"HT": 4, "F": 3, "DT": 9, "P": 50, "R": 7, "S": 1, "distance": 20},
    {"HT": 3, "F": 6, "DT": 9, "P": 40, "R": 9, "S": 4, "size": 5, "distance": 30, "cover": True, "moved": True},
    {"shooter": "Huntmaster", "target": "Saint of the Dawn", "distance": 40, "shooter_abilities": ["Hardened"]},
    {"HT": 4, "F": 3, "DT": 9, "P": 50, "R": 7, "S": 1, "distance": 20, "melee": True},
]


@pytest.mark.parametrize("arguments", SHOTS)
def test_a_shot_against_rolled_dice(arguments: dict[str, Any]) -> None:
    odds = weigh("shot", arguments)
    battle = layouts.range_(complete("shot", **arguments))
    shooter, target = battle.models["shooter"], battle.units["target"]
    aim = shooting.aim(battle, shooter, shooter.card.ranged[0], target)
    assert aim is not None
    shot, struck, roller = aim.shot, victim(battle, battle.models["target"]), Roller(1)
    if arguments.get("melee"):
        from grognard.games.nemesis.odds.shots import _shoot_or_friend

        friend = victim(battle, battle.models["friend"])
        rolled = Counter(roller.roll("", lambda: _shoot_or_friend(shot, struck, friend)) for _ in range(RUNS))
    else:
        rolled = Counter(roller.roll("", lambda: steps.shoot(shot, struck)) for _ in range(RUNS))
    agree(odds.distribution, rolled)


@pytest.mark.parametrize(
    ("skill", "difficulty", "strength", "resistance", "survival", "modifier"),
    [(4, 9, 3, 7, 1, 0), (3, 8, 2, 5, 2, 1), (5, 9, 6, 12, 4, -2), (0, 2, 0, 0, 0, 0), (8, 3, 0, 20, 10, -9)],
)
def test_a_shot_against_icepool(
    skill: int, difficulty: int, strength: int, resistance: int, survival: int, modifier: int
) -> None:
    odds = weigh(
        "shot",
        {"HT": skill, "DT": difficulty, "F": strength, "P": 10, "R": resistance, "S": survival, "distance": 9,
         "modifier": modifier},
    )  # fmt: skip

    def shot(face: int) -> Any:
        total = face + skill + modifier
        if face == 1 or total <= 1 or total < difficulty:
            return "missed"
        power = face + skill + strength
        return icepool.d10.map(lambda r: "resisted" if r > 1 and r + resistance >= power else saved())

    def saved() -> Any:
        return icepool.d10.map(lambda s: "survived" if s <= survival else "wounded")

    assert dict(odds.distribution) == fractions(icepool.d10.map(shot))


def test_a_shot_tells_its_rules_and_its_steps() -> None:
    odds = weigh("shot", SHOTS[1])
    for rule in ("17.3-accuracy", "17.3-impact", "17.3-resist", "17.3-survival", "17.4-cover", "17.4-moved"):
        assert f"nemesis:{rule}" in odds.touched
    product = Fraction(1)
    for step in odds.steps:
        product *= step.chance
    assert product == odds.chances["wounded"]
    far = weigh("shot", {"P": 20, "distance": 21})
    assert dict(far.chances) == {"out of range": 1}
    assert "nemesis:17.3-range" in far.touched


# ---------------------------------------------------------------------- a volley


def rolled_volley(roller: Roller, marks: list[Mark], guns: list[Gun]) -> int:
    """A volley as the battle shoots it, shot by shot."""
    lost, now = 0, Now(marks[0].survival)
    for gun in guns:
        now = now._replace(used=())
        for _ in range(gun.shots):
            if lost == len(marks):
                return lost
            shot, mark = gun.shot(lost), marks[lost]
            then = roller.roll((gun.shots, mark.key, now), lambda s=shot, m=mark, n=now: fire(s, m, n))  # type: ignore[misc]
            lost, now = (lost, then) if then is not None else (lost + 1, Now(mark.survival, (), now.used))
    return lost


@pytest.mark.parametrize(
    "arguments",
    [
        {"shooters": 5, "shooter": "Crown Archer", "target": "Skeleton", "visible": 3, "distance": 20},
        {"shooters": 3, "shooter": "Knife Thrower", "target": "Grave Knight", "visible": 1, "distance": 15},
        {"shooters": 4, "shooter": "Crossbow Cultist", "target": "Knight", "visible": 4, "cover": True, "distance": 30},
    ],
)
def test_a_volley_against_rolled_dice(arguments: dict[str, Any]) -> None:
    full = complete("volley", **arguments)
    battle = layouts.range_(full)
    shooter = battle.models["shooter"]
    aim = answers._aim(battle, shooter, battle.units["target"], full)
    marks = [mark_of(battle, aim.mark, shooter, aim.weapon)] * full["visible"]
    guns = [Gun(2 if aim.weapon.abilities else 1, lambda lost: aim.shot)] * full["shooters"]
    roller = Roller(2)
    rolled = Counter(rolled_volley(roller, marks, guns) for _ in range(RUNS))
    agree(weigh("volley", arguments).distribution, rolled)


def archery(shooters: int = 4, targets: int = 3, **more: Any) -> dict[str, Any]:
    """Archers before a unit behind a low wall, as a case writes it."""
    return {
        "units": {
            "archers": {"side": "red", "card": "Crown Archer", "count": shooters, "at": [60, 40], "moved": True},
            "foes": {"side": "blue", "card": "Skeleton", "count": targets, "at": [60, 62], "columns": 2, **more},
        },
        "terrain": [{"kind": "low-wall", "at": [58, 60], "size": [4, 1]}],
        "phase": "shooting", "begun": True,
    }  # fmt: skip


@pytest.mark.parametrize("more", [{}, {"card": "Lesser Demon"}, {"champion": "Skeleton Captain"}])
def test_a_volley_against_the_battle_itself(more: dict[str, Any]) -> None:
    given = archery(**more)
    odds = weigh("volley", {"given": given, "from": "archers", "to": "foes"})
    battle, rng, counts = NEMESIS.create({"given": given}, NEMESIS.house_rules_from({})), Random(3), Counter[int]()
    assert isinstance(battle, Battle)
    for _ in range(1500):
        twin = battle.copy()
        unit = twin.units["archers"]
        order = Order("shoot", "foes", unit.models)
        counts[drive(shooting.volley(twin, unit, order, twin.units["foes"]), rng)] += 1
    agree(odds.distribution, counts)
    assert "nemesis:17.4-cover" in odds.touched


def test_twenty_shots_against_icepool() -> None:
    odds = weigh("volley", {"shooters": 20, "HT": 4, "F": 3, "DT": 9, "P": 40, "R": 7, "S": 1, "visible": 8})
    one = weigh("shot", {"HT": 4, "F": 3, "DT": 9, "P": 40, "R": 7, "S": 1}).distribution.map(lambda o: o == "wounded")
    die = icepool.Die({int(o): w for o, w in one.weights.items()})
    assert dict(odds.distribution) == fractions((20 @ die).map(lambda lost: min(lost, 8)))


# ---------------------------------------------------------------------- a melee


def rolled_round(roller: Roller, fight: Fight, seats: list[tuple[str, bool]], plans: dict[Any, Any]) -> State:
    """A round of melee blow by blow."""
    state = fight.start
    for seat, first in seats:
        key = (state, seat, first)
        if key not in plans:
            plans[key] = fight._plan(state, seat, first)
        for attacker, target in plans[key]:
            state = rolled_blow(roller, fight, state, attacker, target)
    for place, fighter in enumerate(state):
        if fighter.doomed:
            state = (*state[:place], fighter._replace(doomed=False, gone=True), *state[place + 1 :])
    return state


def rolled_blow(roller: Roller, fight: Fight, state: State, attacker: str, target: str) -> State:
    if state[fight.models.index(attacker)].gone or state[fight.models.index(target)].gone:
        return state
    key = (state, attacker, target)
    found = BLOWS.get(key)
    if found is None:
        battle = fight._load(state)
        found = BLOWS[key] = melee.blow_for(battle, battle.models[attacker], battle.models[target])
    struck = roller.roll(key, lambda: steps.blow(found), swordsman(found, USE))
    after = fight._after(state, attacker, target, struck)
    (outcome,) = after.weights
    return outcome


BLOWS: dict[Any, steps.Blow] = {}

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
    fight, roller, plans = Fight(battle, ours, theirs, USE, {}), Roller(4), dict[Any, Any]()
    BLOWS.clear()
    seats = [(seat, first) for first in (True, False) for seat in battle.order]
    ends = Counter(rolled_round(roller, fight, seats, plans) for _ in range(RUNS))
    tolls: Counter[Any] = Counter()
    for state, times in ends.items():
        tolls[(*fight._toll(state, 0, fight.own), *fight._toll(state, fight.own, len(state)))] += times
    agree(weigh("melee", arguments).distribution, tolls)


@pytest.mark.parametrize("arguments", [MELEES[0], MELEES[1], MELEES[3]])
def test_a_melee_against_the_battle_itself(arguments: dict[str, Any]) -> None:
    battle, rng, counts = layouts.scrum(complete("melee", **arguments)), Random(5), Counter[Any]()
    for _ in range(800):
        twin = battle.copy()
        drive(melee.fight(twin), rng)
        lost = {
            name: sum(m.doomed or not m.on_table for m in twin.models.values() if m.home == name)
            for name in ("attacker", "defender")
        }
        counts[(lost["attacker"], lost["defender"])] += 1
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
    die = icepool.Die({(t[0], t[2]): w for t, w in one.weights.items()})
    assert dict(three.map(lambda toll: (toll[0], toll[2]))) == fractions(die + die + die)


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


@pytest.mark.parametrize("arguments", CHARGES)
def test_a_charge_against_rolled_dice(arguments: dict[str, Any]) -> None:
    full = complete("charge", **arguments)
    battle = layouts.field(full)
    going = Charging(battle, battle.units["attacker"], battle.units["defender"], full["reaction"], USE)
    exact, roller, plans = going.weigh(), Roller(6), dict[Any, Any]()
    BLOWS.clear()
    felled_exact = going.shot_down()
    faces = [felled for felled, weight in felled_exact.weights.items() for _ in range(weight * 1000 // felled_exact.denominator)]
    del faces
    fights: dict[Any, Fight] = {}
    counts: Counter[Any] = Counter()
    start = going.battle
    shooters = going._shooters(start) if full["reaction"] == "shoot" else []
    unit = start.units["attacker"]
    from grognard.games.nemesis.odds.shots import _gun, falling

    seen = falling(start, shooters, unit)
    marks = [mark_of(start, m, shooters[0], shooters[0].card.ranged[0]) for m in seen]
    found = [_gun(start, m, unit, None, [s.id for s in seen]) for m in shooters]
    guns = [gun for gun in found if gun is not None]
    tables = {felled: going._after_shot(felled) for felled in felled_exact.weights}
    for _ in range(RUNS):
        felled = rolled_volley_by_place(roller, marks, guns) if guns else 0
        table = tables[felled]
        if not table.units["attacker"].models:
            counts[("shot down", felled, 0)] += 1
            continue
        arrival = roller.roll(("go", felled), lambda t=table: going._run(t.copy()), chooser(USE))  # type: ignore[misc]
        if arrival.end != "contact":
            counts[(arrival.end, felled, 0)] += 1
            continue
        if arrival not in fights:
            there = going._arrived[arrival]
            fights[arrival] = Fight(
                there, there.standing(there.units["attacker"]), there.standing(there.units["defender"]), USE, {}
            )
        fight = fights[arrival]
        state = rolled_round_of(roller, fight, arrival, plans)
        counts[("contact", felled, fight._toll(state, fight.own, len(state))[0])] += 1
    agree(exact.map(tuple), counts)
