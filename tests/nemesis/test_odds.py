"""The odds of Némésis: against rolled dice, against the battle itself, and against icepool and dyce."""

from __future__ import annotations

import shlex
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import icepool
import pytest
from dyce import H
from msgspec.structs import replace

from grognard.games import RULESETS
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Order
from grognard.games.nemesis.magic.casting_steps import Attempt, attempt, block, concentrate
from grognard.games.nemesis.odds import QUESTIONS, answers, layouts, weigh
from grognard.games.nemesis.odds.policy import USE, chooser
from grognard.games.nemesis.odds.shots import Gun, mark_of, shoot_or_friend
from grognard.games.nemesis.odds.trials import Cast, Spell, dysfunction, weigh_spell
from grognard.games.nemesis.rolls import rerolls, steps
from grognard.games.nemesis.rolls.stats import stat
from grognard.games.nemesis.shooting import shooting
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.weigh import Weigher
from grognard.kernel.questions import Script
from grognard.odds import ask, from_words
from tests.nemesis.rolling import FEW, RUNS, Roller, agree, complete, drive, fractions, rolled_volley

NEMESIS = RULESETS["nemesis"]


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
    shot, struck, roller = aim.shot, rerolls.victim(battle, battle.models["target"]), Roller(1)
    if arguments.get("melee"):
        friend = rerolls.victim(battle, battle.models["friend"])
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
        rerolls.tester(battle, mage, kinds=("stat",)), stat(battle, mage, "CO"), full["dice"] + full["stones"],
        full["difficulty"], full["safe"], rerolls.victim(battle, mage),
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
    who = replace(rerolls.tester(battle, battle.models["tester"], kinds=kinds), best_of_two=bool(full.get("twice")))
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
