"""The odds of Némésis: against rolled dice, against the battle itself, and against icepool and dyce."""

from __future__ import annotations

import shlex
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

import icepool
import pytest
from dyce import H
from msgspec.structs import replace

from grognard.games import RULESETS
from grognard.games.nemesis import charges, means, melee, shooting, steps
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.casting_steps import Attempt, attempt, block, concentrate
from grognard.games.nemesis.forces import Order
from grognard.games.nemesis.odds import QUESTIONS, answers, layouts, weigh
from grognard.games.nemesis.odds.charging import Arrival, Charge, Charging
from grognard.games.nemesis.odds.fights import Fight, State
from grognard.games.nemesis.odds.policy import USE, chooser, swordsman
from grognard.games.nemesis.odds.shots import Gun, Mark, Now, falling, fire, gun_of, mark_of, shoot_or_friend
from grognard.games.nemesis.odds.trials import Cast, Spell, dysfunction, weigh_spell
from grognard.games.nemesis.scenarios import GameOver
from grognard.games.nemesis.stats import stat
from grognard.kernel.errors import BadInput
from grognard.kernel.questions import Script
from grognard.kernel.weigh import Weigher
from grognard.odds import ask, from_words
from tests.nemesis.rolling import RUNS, Roller, Tree, agree, drive

NEMESIS = RULESETS["nemesis"]
#: Further examples of a question that has been rolled a hundred thousand times.
FEW = RUNS // 10


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
    shot, struck, roller = aim.shot, means.victim(battle, battle.models["target"]), Roller(1)
    if arguments.get("melee"):
        friend = means.victim(battle, battle.models["friend"])
        rolled = Counter(roller.roll("", lambda: shoot_or_friend(shot, struck, friend)) for _ in range(FEW))
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
    for place, gun in enumerate(guns):
        now = now._replace(used=())
        for _ in range(gun.shots):
            if lost == len(marks):
                return lost
            aim = (gun.shot(lost), marks[lost], now)
            then = roller.roll((place, lost, now), lambda aim=aim: fire(*aim))  # type: ignore[misc]
            if then is not None:
                now = then
            else:
                lost, now = lost + 1, Now(marks[min(lost + 1, len(marks) - 1)].survival)
    return lost


VOLLEYS: list[dict[str, Any]] = [
    {"shooters": 5, "shooter": "Crown Archer", "target": "Skeleton", "visible": 3, "distance": 20},
    {"shooters": 3, "shooter": "Knife Thrower", "target": "Grave Knight", "visible": 1, "distance": 15},
    {"shooters": 4, "shooter": "Crossbow Cultist", "target": "Knight", "visible": 4, "cover": True, "distance": 30},
]


@pytest.mark.parametrize("arguments", VOLLEYS)
def test_a_volley_against_rolled_dice(arguments: dict[str, Any]) -> None:
    full = complete("volley", **arguments)
    battle = layouts.range_(full)
    shooter = battle.models["shooter"]
    aim = answers.aim_of(battle, shooter, battle.units["target"], full)
    marks = [mark_of(battle, aim.mark, shooter, aim.weapon)] * full["visible"]
    guns = [Gun(2 if aim.weapon.abilities else 1, lambda lost: aim.shot)] * full["shooters"]
    roller = Roller(2)
    runs = RUNS if arguments is VOLLEYS[0] else FEW
    rolled = Counter(rolled_volley(roller, marks, guns) for _ in range(runs))
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
    for _ in range(600):
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


# ---------------------------------------------------------------------- a spell

SPELLS: list[dict[str, Any]] = [
    {"difficulty": 12, "CO": 5, "dice": 2, "blocks": [1]},
    {"difficulty": 15, "CO": 6, "dice": 2, "stones": 1, "blocks": [2, 1], "abilities": ["Audacity"], "R": 9, "S": 3},
    {"difficulty": 9, "CO": 3, "dice": 1, "safe": True},
]


def spell_of(arguments: dict[str, Any]) -> Spell:
    full = complete("spell", **arguments)
    battle = layouts.circle(full)
    mage = battle.models["mage"]
    return Spell(
        means.tester(battle, mage, kinds=("stat",)), stat(battle, mage, "CO"), full["dice"] + full["stones"],
        full["difficulty"], full["safe"], means.victim(battle, mage),
        tuple((steps.Tester("blue"), dice) for dice in full["blocks"] or []),
    )  # fmt: skip


@pytest.mark.parametrize("arguments", SPELLS)
def test_a_spell_against_rolled_dice(arguments: dict[str, Any]) -> None:
    spell, roller = spell_of(arguments), Roller(8)

    def cast() -> Script[Cast]:
        got = yield from concentrate(
            spell.mage, "cast.test", spell.dice, spell.co, spell.difficulty, safe=spell.safe
        )  # fmt: skip
        if got.fiasco:
            return Cast("fiasco", (yield from dysfunction(spell, got.used)))
        if not got.passed:
            return Cast("failed")
        total = got.total
        for who, dice in spell.blocks:
            total -= (yield from block(who, dice)).amount
        return Cast("cast" if total >= spell.difficulty else "blocked")

    rng = Random(8)
    if arguments is SPELLS[0]:
        rolled = Counter(roller.roll("", cast) for _ in range(RUNS))
    else:  # more dice have more courses than it pays to remember
        rolled = Counter(drive(cast(), rng) for _ in range(FEW))
    agree(weigh("spell", arguments).distribution, rolled)


@pytest.mark.parametrize("arguments", SPELLS)
def test_a_spell_is_weighed_as_its_whole_attempt(arguments: dict[str, Any]) -> None:
    """Test, re-roll and block put together from parts are what the one step gives."""
    spell = spell_of({**arguments, "stones": 0})
    whole = Attempt(spell.mage, spell.co, spell.dice, spell.difficulty, spell.safe, spell.blocks[:1])
    parts = weigh_spell(Weigher(chooser(USE)), spell._replace(blocks=spell.blocks[:1]), USE)
    assert parts.map(lambda cast: cast.result) == Weigher(chooser(USE)).run(lambda: attempt(whole))


def test_a_spell_against_dyce() -> None:
    odds = weigh("spell", {"difficulty": 17, "CO": 5, "dice": 3, "R": 6, "S": 4})
    clean = 3 @ H(dict.fromkeys(range(2, 11), 1))
    ways = dict(clean.items())
    passed = sum(count for total, count in ways.items() if total + 5 >= 17)
    assert odds.chances["cast"] == Fraction(passed, 1000)
    assert odds.chances["fiasco"] == 1 - Fraction(9, 10) ** 3
    hit = Fraction(sum(1 for face in range(1, 11) if face == 1 or face + 6 < 15), 10)
    assert odds.chances["the mage is wounded"] == odds.chances["fiasco"] * hit * Fraction(6, 10)


# ---------------------------------------------------------------------- tests


@pytest.mark.parametrize(
    ("question", "arguments", "chance"),
    [
        ("courage", {"C": 6}, Fraction(6, 10)),
        ("courage", {"C": 6, "modifier": -1, "flight": True, "abilities": ["Courage"]}, Fraction(75, 100)),
        ("courage", {"C": 6, "flight": True, "abilities": ["Courage"], "means": "spare"}, Fraction(6, 10)),
        ("courage", {"C": 5, "twice": True}, Fraction(75, 100)),
        ("courage", {"card": "Skeleton"}, Fraction(1)),
        ("courage", {"C": 6, "house": {"one_fails_roll_under": True}}, Fraction(5, 10)),
        ("survival", {"S": 2, "abilities": ["Hardened"]}, Fraction(36, 100)),
        ("survival", {"S": 1}, Fraction(1, 10)),
        ("stat", {"name": "HC", "value": 4, "abilities": ["Audacity"]}, Fraction(64, 100)),
        ("stat", {"name": "HT", "card": "Crown Archer", "modifier": -9}, Fraction(0)),
    ],
)
def test_a_test_is_exact_and_agrees_with_rolled_dice(question: str, arguments: Any, chance: Fraction) -> None:
    odds = weigh(question, arguments)
    assert odds.chances.get("passed", 0) == chance
    full = complete(question, **arguments)
    name = {"courage": "C", "survival": "S"}.get(question) or full["name"]
    battle = layouts.lone(full, {name: {"stat": "value"}.get(question, name)})
    if name == "C" and battle.models["tester"].card.C is None:
        return
    kinds = ("stat", "flight") if full.get("flight") else ("stat",)
    who = replace(means.tester(battle, battle.models["tester"], kinds=kinds), best_of_two=bool(full.get("twice")))
    value = stat(battle, battle.models["tester"], name).add(full["modifier"], "", "").at_least(0, "", "")
    roller = Roller(9)
    rolled = Counter(
        roller.roll("", lambda: steps.under(who, name, value, ""), chooser(full["means"])).passed for _ in range(RUNS)
    )
    agree(odds.distribution.map(lambda word: word == "passed"), rolled)


def test_courage_on_a_given_table_is_the_whole_test() -> None:
    unit = {"side": "red", "card": "Realm Halberdier", "count": 4, "at": [60, 60], "champion": "Sergeant"}
    odds = weigh("courage", {"given": {"units": {"guard": unit}}, "from": "guard"})
    assert odds.chances["passed"] == Fraction(8, 10)  # the sergeant's C, not the troopers'
    assert "nemesis:6-champion" in odds.touched


# ---------------------------------------------------------------------- asking


def test_every_question_has_an_example_that_works() -> None:
    assert list(NEMESIS.odds_questions) == list(QUESTIONS)
    for question in QUESTIONS.values():
        words = shlex.split(question.example)
        odds = ask(NEMESIS, question.name, from_words(question, words))
        assert sum(chance for _, chance in odds.distribution) == 1
        assert odds.touched
        assert all(rule in NEMESIS.rulebook.by_id for rule in odds.touched)


@pytest.mark.parametrize(
    ("question", "arguments", "told"),
    [
        ("shoot", {}, "no odds of shoot"),
        ("shot", {"shooter": "Nobody"}, "no card Nobody"),
        ("shot", {"shooter_abilities": ["Levitation"]}, "Levitation"),
        ("shot", {"HT": "four"}, "HT is a whole"),
        ("shot", {"given": {"units": {}}, "from": "a", "to": "b"}, "from names one of"),
        ("melee", {"house": {"dice": 3}}, "no house rule dice"),
        ("spell", {"CO": 1, "difficulty": 30}, "nemesis:14.1-cap"),
        ("spell", {"CO": 5}, "name a difficulty"),
        ("spell", {"CO": 5, "difficulty": 9, "blocks": ["many"]}, "blocks are"),
        ("charge", {"reaction": "dance"}, "reaction is one of"),
    ],
)
def test_a_wrong_question_is_told(question: str, arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        NEMESIS.weigh(question, arguments)
