"""The odds of Warhammer 40,000: against rolled dice, the battle itself, icepool and a plain recursion."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from grognard.games.wh40k.army.amounts import Amount
from grognard.games.wh40k.attacks import attacks
from grognard.games.wh40k.odds import QUESTIONS, answers, scene, units, weigh
from grognard.games.wh40k.odds.answers import Plan
from grognard.games.wh40k.odds.policy import chooser
from grognard.games.wh40k.odds.salvo import Mark, Toll, Volley
from grognard.games.wh40k.rolls import rerolls, steps
from grognard.games.wh40k.rolls.rerolls import Roller as Who
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.weigh import Weigher
from grognard.kernel.questions import Question, Script
from grognard.odds import ask, from_words, plain, tables
from tests.nemesis.rolling import RUNS, Roller, agree, drive
from tests.wh40k.field import RULES
from tests.wh40k.oracle import REFERENCE, pooled, recursion

PUBLISHED = (0.10290, 0.25376, 0.27979, 0.19790, 0.10312, 0.06253)
#: Further examples of a question that has been rolled a hundred thousand times.
FEW = RUNS // 10


def slain(arguments: dict[str, Any]) -> list[float]:
    odds = weigh("attack", arguments)
    return [float(odds.parts["models slain"].probability(n)) for n in range(arguments["models"] + 1)]


# ---------------------------------------------------------------------- the reference


TWO_DICE = {total: (6 - abs(7 - total)) / 36 for total in range(2, 13)}


def test_the_reference() -> None:
    found = slain(REFERENCE)
    assert found == pytest.approx(PUBLISHED, abs=6e-6)
    assert found == pytest.approx(recursion({n + 6: p for n, p in TWO_DICE.items()}, 3, 4, 4, 5), abs=1e-9)
    die = pooled()
    assert found == pytest.approx([float(die.probability(n)) for n in range(6)], abs=1e-9)
    exact = weigh("attack", REFERENCE).parts["models slain"]
    assert [exact.probability(n) for n in range(6)] == [die.probability(n) for n in range(6)]


@pytest.mark.parametrize(("skill", "wound", "save", "fnp", "more"), [(2, 3, 6, 6, 3), (4, 5, 3, 4, 9), (5, 2, 2, 5, 0)])
def test_other_numbers_than_the_reference(skill: int, wound: int, save: int, fnp: int, more: int) -> None:
    asked = REFERENCE | {"attacks": f"2D6+{more}", "skill": skill, "wound": wound, "save": save, "fnp": fnp}
    counts = {n + more: p for n, p in TWO_DICE.items()}
    assert slain(asked) == pytest.approx(recursion(counts, skill, wound, save, fnp), abs=1e-9)


# ---------------------------------------------------------------------- rolled, step by step


class Rolled:
    """A plan rolled with the battle's own steps, model by model; every step of one kind is one tree of faces."""

    def __init__(self, plan: Plan, seed: int, mortal: Any = None) -> None:
        self.plan, self.roller, self.rng = plan, Roller(seed), Random(seed)
        self.mortal = mortal
        self.choose = chooser(plan.salvo.fish)

    def roll(self, key: Any, step: Any) -> Any:
        return self.roller.roll(key, step, self.choose)

    def toll(self, guards: list[Mark], heroes: list[Mark]) -> Toll:
        left: list[Any] = [[mark.left, mark] for mark in guards]
        kept: list[Any] = [[mark.left, mark] for mark in heroes]
        later = 0
        for number, volley in enumerate(self.plan.volleys):
            later += self._volley(number, volley, left, kept)
        if self.mortal is not None:
            later += self.roll("mortal", lambda: rerolls.total(Who("red"), "mortal", self.mortal, "wh40k:7.8.1-def"))[0]
        for _ in range(later):
            self._lose(left or kept, 1)
        whole = sum(mark.left for mark in (*guards, *heroes))
        return Toll(
            len(guards) + len(heroes) - len(left) - len(kept), whole - sum(w for w, _ in (*left, *kept)),
            len(heroes) - len(kept),
        )  # fmt: skip

    def _volley(self, number: int, volley: Volley, left: list[Any], kept: list[Any]) -> int:
        a, later, wounds = volley.attack, 0, 0
        count = volley.extra * volley.bearers
        for _ in range(volley.bearers):
            count += self.roll(("A", number), lambda: rerolls.total(Who("red"), "attacks", volley.attacks, "x"))[0]
        for _ in range(count):
            hit = self.roll(("hit", number), lambda: steps.hits(a, 1))
            fish = bool(volley.devastating)
            got = self.roll(
                ("wound", number, hit.hits),
                lambda n=hit.hits, fish=fish: steps.wounds(a, n, fishing=fish),
            )
            wounds += hit.wounds + got.wounds
            if not volley.devastating:
                wounds += got.critical
            for _ in range(got.critical):
                if volley.devastating:
                    later += self._damage(number, volley)
                elif (more := volley.besides) is not None:
                    later += self.roll(("more", number), lambda m=more: rerolls.total(Who("red"), "mortal", m, "x"))[0]
        for _ in range(wounds):
            precise = bool(volley.precise) and bool(kept) and bool(left)
            group = kept if precise or not left else left
            if not group:
                break
            mark = group[0][1]
            who = Who("blue", (), self.plan.salvo.free, "x")
            ways = mark.saves[number]  # several where the AP is rolled
            (by,) = self.rng.choices([way for _, way in ways], [weight for weight, _ in ways])
            kept_safe, _ = self.roll(("save", number, mark, id(by)), lambda by=by, who=who: steps.save(who, by))
            if not kept_safe:
                self._lose(group, self._damage(number, volley))
        return later

    def _damage(self, number: int, volley: Volley) -> int:
        points: int = self.roll(("D", number), lambda: steps.damage(Who("red"), volley.damage))[0]
        return points

    def _lose(self, group: list[Any], points: int) -> None:
        if not group:
            return
        mark = group[0][1]
        lost = self.roll(("pain", points, mark.pain), lambda: steps.feel_no_pain(Who("blue"), points, mark.pain))
        group[0][0] = steps.suffer(group[0][0], lost)
        if not group[0][0]:
            group.pop(0)


def marks_of(plan: Plan) -> tuple[list[Mark], list[Mark]]:
    """The models of a plan's target, back from the wounds it counts."""
    found = []
    for group in (plan.salvo.guards, plan.salvo.heroes):
        ends = [i for i in range(1, group.total + 1) if i == group.total or group.standing[i] != group.standing[i + 1]]
        found.append([group.at[i - 1][0] for i in reversed(ends)])
    return found[0], found[1]


ATTACKS: list[dict[str, Any]] = [
    REFERENCE | {"attacks": "D6", "models": 3},
    {"attacks": 3, "bearers": 2, "skill": 4, "S": 5, "T": 4, "ap": -1, "save": 3, "cover": True,
     "models": 4, "wounds": 2, "abilities": ["Rapid Fire 1", "Heavy"], "half_range": True,
     "stationary": True, "left": 1},
    {"attacks": "D6+1", "skill": 3, "S": 8, "T": 4, "damage": "D3",
     "abilities": ["Blast", "Devastating Wounds", "Anti-Infantry 4+"], "keywords": ["Infantry"], "models": 6,
     "wounds": 2, "save": 2, "fnp": 6},
    {"attacks": 4, "skill": 5, "S": 4, "T": 5, "abilities": ["Twin-linked", "Devastating Wounds"], "fish": True,
     "damage": 2, "models": 3, "wounds": 3, "save": 4, "invulnerable": 5, "mortal": "D3"},
    {"attacks": 4, "skill": 3, "S": 6, "T": 4, "abilities": ["Precision", "Lethal Hits"], "damage": 2,
     "models": 3, "wounds": 1, "save": 5, "leader_wounds": 5, "leader_save": 3, "leader_invulnerable": 4,
     "leader_fnp": 5},
    {"attacks": 5, "skill": 3, "S": 6, "T": 4, "ap": -2, "damage": 3, "models": 2, "wounds": 2, "save": 5,
     "leader_wounds": 4, "abilities": ["Sustained Hits D3"], "reroll_hits": "ones", "reroll_wounds": "any",
     "reroll_saves": "ones"},
    {"attacks": "D6", "abilities": ["Torrent", "Ignores Cover"], "cover": True, "S": 4, "T": 3, "save": 5, "models": 6},
    {"attacks": "D3+2", "skill": 4, "S": 9, "T": 9, "damage": "D6", "abilities": ["Melta 2", "Indirect Fire"],
     "half_range": True, "hidden": True, "stealth": True, "wounds": 12, "save": 3, "ap": -4, "hit_modifier": -1},
    {"attacks": 6, "skill": 3, "melee": True, "abilities": ["Lance", "Psychic", "Hazardous"], "charged": True, "S": 5,
     "T": 6, "wound_modifier": 1, "models": 3, "wounds": 2, "save": 4, "reroll_hits": "any"},
    {"attacks": 5, "skill": 3, "abilities": ["Searing D3"], "models": 3, "wounds": 4, "save": 4, "damage": 2, "fnp": 5},
    {"attacks": 6, "skill": 3, "overwatch": True, "abilities": ["Sustained Hits 2"], "models": 6, "save": 6},
    {"attacks": 3, "skill": 3, "S": "2D6", "T": 5, "ap": "-D3", "save": 3, "invulnerable": 5, "models": 3, "wounds": 2,
     "damage": "D3", "abilities": ["Sustained Hits 2", "Twin-linked", "Devastating Wounds"]},
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(ATTACKS)))
def test_an_attack_against_rolled_dice(number: int) -> None:
    complete = QUESTIONS["attack"].complete(ATTACKS[number])
    plan = answers.attack_plan(complete)
    odds = weigh("attack", ATTACKS[number])
    mortal = None if complete["mortal"] is None else answers.dice(complete, "mortal")
    rolled = Rolled(plan, number, mortal)
    guards, heroes = marks_of(plan)
    runs = RUNS if number in (0, 4) else FEW
    agree(odds.distribution, Counter(rolled.toll(guards, heroes) for _ in range(runs)))


def test_every_weapon_ability_that_rolls_is_weighed() -> None:
    named = {text.split(" ")[0].split("-")[0] for asked in ATTACKS for text in asked.get("abilities", ())}
    assert {"Rapid", "Heavy", "Blast", "Devastating", "Anti", "Twin", "Precision", "Lethal", "Sustained", "Torrent",
            "Ignores", "Melta", "Indirect", "Lance", "Psychic", "Hazardous"} <= named  # fmt: skip


# ---------------------------------------------------------------------- whole units

UNITS: list[tuple[str, dict[str, Any]]] = [
    ("shooting", {"attacker": "iron-compact-1000:First Wardens", "target": "Stalkers", "distance": 10, "cover": True}),
    ("shooting", {"attacker": "Pathfinders", "target": "Clawkin", "target_leader": "Brood Alpha", "stationary": True}),
    ("shooting", {"attacker": "Wardens", "attacker_leader": "Marshal", "target": "Drifters", "smoke": True}),
    ("shooting", {"attacker": "Siege Tank", "target": "Behemoth", "distance": 20, "left": 5}),
    ("fighting", {"attacker": "Stalkers", "target": "Wardens", "target_leader": "Marshal", "charged": True}),
    ("fighting", {"attacker": "Clawkin", "attacker_leader": "Brood Alpha", "target": "Levies"}),
    ("fighting", {"attacker": "Marshal", "target": "Spitters", "target_leader": "Brood Alpha"}),
    (
        "fighting",
        {
            "attacker": "Clawkin",
            "attacker_leader": "Brood Alpha",
            "target": "Wardens",
            "target_leader": "Marshal",
            "epic": True,
        },
    ),
]


def planned(question: str, arguments: dict[str, Any]) -> tuple[scene.Scene, list[attacks.Volley], Plan]:
    complete = QUESTIONS[question].complete(arguments)
    there = scene.scene(complete)
    fires = scene.volleys(there, complete) if question == "shooting" else scene.blows(there, complete)
    return there, fires, units.plan(there, fires, complete)


@pytest.mark.parametrize("number", range(len(UNITS)))
def test_a_unit_against_rolled_dice(number: int) -> None:
    question, arguments = UNITS[number]
    _, _, plan = planned(question, arguments)
    guards, heroes = marks_of(plan)
    rolled = Rolled(plan, 100 + number)
    runs = RUNS if number in (1, 6) else FEW // 2
    agree(weigh(question, arguments).distribution, Counter(rolled.toll(guards, heroes) for _ in range(runs)))


def sensible(question: Question) -> Any:
    """As the desk decides: nothing but failures re-rolled, Precision used, the better save, models in order."""
    return chooser(False)(question)


@pytest.mark.parametrize("number", range(len(UNITS)))
def test_a_unit_against_the_battle_itself(number: int) -> None:
    question, arguments = UNITS[number]
    there, fires, _ = planned(question, arguments)
    counts, rng = Counter[Toll](), Random(number)
    for _ in range(400):
        counts[drive(resolved(there, fires), rng, sensible)] += 1
    agree(weigh(question, arguments).distribution, counts)


def resolved(there: scene.Scene, fires: list[attacks.Volley]) -> Script[Toll]:
    """What the battle's own script does to the target, on a copy of the battle."""
    battle, target = there.battle.copy(), there.target
    yield from attacks.resolve(battle, battle.units[there.unit.id], fires)
    left = battle.members(battle.units[target.id])
    lost = sum(m.w for m in there.battle.members(target)) - sum(m.w for m in left)
    heroes = [m.id for m in there.battle.members(target) if m.has("CHARACTER")] if there.battle.attached(target) else []
    alive = [m.id for m in left]
    return Toll(len(target.models) - len(left), lost, sum(hero not in alive for hero in heroes))


@pytest.mark.parametrize("number", range(len(UNITS)))
def test_attacks_are_allocated_as_the_battle_allocates_them(number: int) -> None:
    """To the last fraction: two attacks on a few models, followed through the battle along every course of the dice."""
    question, arguments = UNITS[number]
    there, fires, _ = planned(question, arguments)
    battle, target = there.battle, there.target
    heroes = [m.id for m in battle.members(target) if battle.attached(target) and m.has("CHARACTER")]
    target.models = (*[m for m in target.models if m not in heroes][: 1 if heroes else 2], *heroes)
    fire = fires[0]
    two = [replace(fire, bearers=fire.bearers[:1], weapon=replace(fire.weapon, attacks=Amount(0, 6, 2)))]
    plan = units.plan(there, two, QUESTIONS[question].complete(arguments))
    followed = Weigher(sensible).run(lambda: resolved(there, two)).reduced()
    assert len(followed.weights) > 2
    assert followed == plan.salvo.weigh(plan.volleys)


COMMANDS: list[dict[str, Any]] = [{"command": "hit"}, {"command": "wound"}, {"command_save": True}]


@pytest.mark.parametrize("asked", COMMANDS)
@pytest.mark.parametrize("more", [{}, {"reroll_hits": "ones", "reroll_wounds": "ones"}])
def test_command_reroll_against_rolled_dice(asked: dict[str, Any], more: dict[str, Any]) -> None:
    """All dice of a kind together, as the battle throws them, one failure among them thrown again."""
    arguments = {"attacks": 4, "skill": 4, "abilities": ["Sustained Hits 1"], "models": 4, "save": 5, **asked, **more}
    complete = QUESTIONS["attack"].complete(arguments)
    a = answers.attack_plan(complete).volleys[0].attack
    willing, unwilling, rng, counts = chooser(False, True), chooser(False), Random(5), Counter[int]()
    armed = replace(a, who=replace(a.who, command=True))
    ((_, by),) = answers.attack_plan(complete).salvo.guards.at[0][0].saves[0]
    for _ in range(FEW):
        spend = asked.get("command")
        hit = drive(steps.hits(armed if spend == "hit" else a, 4), rng, willing if spend == "hit" else unwilling)
        got = drive(
            steps.wounds(armed if spend == "wound" else a, hit.hits), rng, willing if spend == "wound" else unwilling
        )
        spare, dead = "command_save" in asked, 0
        for _ in range(got.wounds + got.critical):
            kept, used = drive(steps.save(Who("blue", command=spare), by), rng, willing)
            spare, dead = spare and not used, dead + (not kept)
        counts[min(4, dead)] += 1
    agree(weigh("attack", arguments).parts["models slain"], counts)


@pytest.mark.parametrize("asked", COMMANDS)
def test_command_reroll_against_the_battle_itself(asked: dict[str, Any]) -> None:
    arguments = {"attacker": "Stalkers", "target": "Wardens", "target_leader": "Marshal", **asked}
    there, fires, _ = planned("fighting", arguments)
    roll = "roll.save" if "command_save" in asked else f"roll.{asked['command']}"

    def choose(question: Question) -> Any:
        return chooser(False, question.data.get("roll") == roll)(question)

    counts, rng = Counter[int](), Random(2)
    for _ in range(500):
        twin = there.battle.copy()
        twin.sides["blue" if "command_save" in asked else "red"].cp = 1
        drive(attacks.resolve(twin, twin.units["attacker"], fires), rng, choose)
        counts[len(there.target.models) - len(twin.units["target"].models)] += 1
    odds = weigh("fighting", arguments)
    agree(odds.parts["models slain"], counts)
    plain_ = weigh("fighting", {k: v for k, v in arguments.items() if k not in asked})
    better = odds.means["damage"] > plain_.means["damage"]
    assert better == ("command" in asked) and odds.means != plain_.means


def test_a_situation_as_cases_write_it() -> None:
    given = {
        "units": {
            "wardens": {"side": "red", "datasheet": "Wardens", "models": {"Warden": 4}, "at": [20, 20]},
            "claws": {"side": "blue", "datasheet": "Clawkin", "models": {"Clawkin": 10}, "at": [20, 29], "columns": 10},
        },
        "phase": "shooting",
    }  # fmt: skip
    near = weigh("shooting", {"given": given, "from": "wardens", "to": "claws"})
    laid = weigh("shooting", {"attacker": "Wardens", "target": "Clawkin", "distance": 9})
    assert near.distribution == laid.distribution
    assert "wh40k:8.2-rapid-fire" in near.touched


def test_only_those_who_reach_somebody_fight() -> None:
    """wh40k:10.8.1-who  Of five in a row three stand before the enemy; all numbers else as if laid out."""
    given = {
        "units": {
            "claws": {"side": "red", "datasheet": "Stalkers",
                      "at": [[20, 20], [21.7, 20], [23.4, 20], [25.1, 14], [26, 16]]},
            "foes": {"side": "blue", "datasheet": "Wardens", "models": {"Warden": 4}, "columns": 5, "at": [20, 21.6]},
        },
        "phase": "fight",
    }  # fmt: skip
    few = weigh("fighting", {"given": given, "from": "claws", "to": "foes"})
    numbers = {"attacks": 4, "bearers": 3, "skill": 3, "S": 5, "T": 4, "ap": -2, "save": 3, "models": 5, "wounds": 2}
    same = weigh("attack", {**numbers, "melee": True, "abilities": ["Devastating Wounds"]})
    assert few.distribution == same.distribution


def test_units_of_army_lists() -> None:
    """A starter's unit is the datasheet with its models and options; a list of one's own may come with the question."""
    target = {"target": "Clawkin", "distance": 10}
    listed = weigh("shooting", {"attacker": "iron-compact-1000:First Wardens", **target})
    options = {"attacker_models": {"Warden": 9}, "attacker_options": {"plasma gun": 1, "melta gun": 1}}
    assert listed.distribution == weigh("shooting", {"attacker": "Wardens", **options, **target}).distribution
    mine = {"units": [{"name": "My Levies", "datasheet": "Levies", "options": {"flamer": 1}}]}
    own = weigh("shooting", {"attacker": "mine:My Levies", "armies": {"mine": mine}, **target})
    assert (
        own.distribution
        == weigh("shooting", {"attacker": "Levies", "attacker_options": {"flamer": 1}, **target}).distribution
    )


def test_an_attached_unit_brings_its_aura_and_its_leader() -> None:
    with_him = weigh("shooting", {"attacker": "Wardens", "attacker_leader": "Marshal", "target": "Drifters"})
    assert "wh40k:22.1-sample-datasheet" in with_him.touched
    guarded = weigh("fighting", {"attacker": "Stalkers", "target": "Wardens", "target_leader": "Marshal"})
    assert (
        "wh40k:12.5.6-protection" in guarded.touched and guarded.chances["leader slain"] == guarded.chances["destroyed"]
    )


def test_hazardous_weapons_say_what_they_risk() -> None:
    odds = weigh("attack", {"abilities": ["Hazardous"], "bearers": 3})
    assert {step.label: step.chance for step in odds.steps}["no Hazardous test fails"] == Fraction(5, 6) ** 3


def test_the_desk_shows_it() -> None:
    odds = ask(RULES, "attack", REFERENCE)
    told = plain(odds)
    assert json.loads(json.dumps(told))["parts"]["models slain"][2]["decimal"] == pytest.approx(PUBLISHED[2], abs=6e-6)
    shown = list(tables(odds))
    assert len(shown) == 4  # models slain, damage, what else, why


# ---------------------------------------------------------------------- the desk


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=lambda q: q.name)
def test_the_examples_of_the_desk(question: Any) -> None:
    odds = ask(RULES, question.name, from_words(question, shlex.split(question.example)))
    for part in odds.parts.values():
        assert sum(part.weights.values()) == part.denominator
    assert all(rule in RULES.rulebook.by_id for rule in odds.touched)
    assert all(step.rule in RULES.rulebook.by_id for step in odds.steps)


def test_the_published_arithmetic() -> None:
    """wh40k:7.3.1-table, 7.5.1-armour  One attack: the product of three rolls."""
    for strength, need in ((8, 2), (5, 3), (4, 4), (3, 5), (2, 6)):
        odds = weigh("attack", {"skill": 3, "S": strength, "T": 4, "save": 4, "ap": -1})
        product = 1
        for step in odds.steps:
            product *= step.chance  # type: ignore[assignment]
        assert odds.chances["destroyed"] == product
        assert odds.steps[1].chance * 6 == 7 - need
        assert odds.steps[2].chance * 6 == 4


@pytest.mark.parametrize(
    ("question", "arguments", "text"),
    [
        ("attack", {"attacks": "7D8"}, "neither a number nor dice"),
        ("attack", {"abilities": ["Smelly"]}, "does not know the ability"),
        ("attack", {"wounds": 2, "left": 3}, "left is at most 2"),
        ("attack", {"damage": "99D6"}, "at most 20 dice"),
        ("shooting", {"attacker": "Nobody", "target": "Wardens"}, "no datasheet Nobody"),
        ("shooting", {"attacker": "ash-brood-1000:Nobody", "target": "Wardens"}, "no unit Nobody"),
        ("shooting", {"attacker": "Stalkers", "target": "Wardens"}, "nothing to attack"),
        ("shooting", {"attacker": "Wardens", "target": "Clawkin", "weapons": ["spoon"]}, "no weapon spoon"),
        ("fighting", {"target": "Wardens"}, "name attacker"),
        ("dance", {}, "no odds of dance"),
    ],
)
def test_wrong_questions_are_told(question: str, arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(BadInput, match=text):
        weigh(question, arguments)
