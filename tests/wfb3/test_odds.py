"""The odds desk against hand arithmetic, against brute force, and against the battle's own dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import icepool
import pytest
from scipy.stats import chisquare

from grognard import odds as desk
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.cases import given
from grognard.games.wfb3.charge import charging, declaring
from grognard.games.wfb3.combat import rounds
from grognard.games.wfb3.machines import artillery
from grognard.games.wfb3.odds import engines
from grognard.games.wfb3.odds.policy import chooser
from grognard.games.wfb3.odds.rounds import Fight
from grognard.games.wfb3.rolls import steps
from grognard.games.wfb3.ruleset import Wfb3
from grognard.games.wfb3.table import contacts
from grognard.games.wfb3.turn import shooting
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.odds import Odds
from grognard.kernel.odds.weigh import Distribution, Weigher
from grognard.kernel.questions import Option, Pick, Script
from grognard.kernel.words.tally import Tally
from tests.nemesis.rolling import drive

GAME = Wfb3()
HOUSE = {name: rule.default for name, rule in GAME.house_rules.items()}
#: So unlikely a difference, with fixed seeds, is a mistake and no bad luck.
ALPHA = 1e-4


def ask(question: str, **arguments: Any) -> Odds:
    return desk.ask(GAME, question, **arguments)


def shares(die: Any) -> dict[int, Fraction]:
    return {int(value): Fraction(weight, die.denominator()) for value, weight in die.items() if weight}


def some_of(count: int, chance: Fraction) -> dict[int, Fraction]:
    """How many of so many tries succeed, by icepool."""
    one = icepool.Die({1: chance.numerator, 0: chance.denominator - chance.numerator})
    return shares(count @ one)


# ---------------------------------------------------------------------- hand arithmetic


def test_blows_and_shots_are_so_many_equal_tries() -> None:
    blows = ask("blows", attacks=7, ws=4, against=3, strength=4, toughness=3, save=5)
    chance = Fraction(1, 2) * Fraction(2, 3) * Fraction(2, 3)
    assert dict(blows.distribution) == some_of(7, chance)
    shots = ask("shooting", shots=4, bs=3, modifiers=-1, strength=3, toughness=3)
    assert dict(shots.distribution) == some_of(4, Fraction(1, 3) * Fraction(1, 2))
    assert shots.steps[0].chance == Fraction(1, 6)


def test_attacks_rolled_together_are_attacks_added_up() -> None:
    hit, wound, save = (Tally(n, "x", "wfb3:7.8-tohit-table") for n in (7, 3, 5))
    attacks = steps.Attacks("red", "blue", hit, wound, save, ("wfb3:7.9-wound", "wfb3:7.10-saves"))
    whole = Weigher().run(lambda: steps._attack(attacks, 4)).map(lambda struck: struck.hurt)
    assert Weigher().run(lambda: steps.attack(attacks, 4)).map(lambda struck: struck.hurt) == whole


def test_a_volley_is_binomial_and_a_quarter_lost_tests() -> None:
    found = ask(
        "volley", shooters=8, shooter_files=8, shooter_BS=4, shooter_missiles="bow", targets=12, target_T=3,
        target_armour="light", target_Ld=7, distance=20,
    )  # fmt: skip
    # BS 4 hits on 3, long range on 4; S 3 wounds T 3 on 4; light armour saves on 6
    lost = some_of(8, Fraction(1, 2) * Fraction(1, 2) * Fraction(5, 6))
    assert dict(found.parts["targets lost"]) == lost
    fails = Fraction(15, 36)  # 2D6 over 7
    assert found.parts["targets"].probability("routed") == sum(lost.get(n, 0) for n in range(3, 9)) * fails


def test_a_round_by_hand() -> None:
    """Five charge five, alike: a plus of one to hit, one to the result, and the others strike back with who is left."""
    stats = {f"{who}_{stat}": n for who in ("attacker", "defender") for stat, n in PLAIN.items()}
    found = ask("combat", attackers=5, defenders=5, **stats)
    p, q = Fraction(1, 2) * Fraction(1, 2), Fraction(1, 3) * Fraction(1, 2)
    wins = draws = broken = Fraction(0)
    for slain, chance in some_of(5, p).items():
        for lost, other in some_of(5 - slain, q).items() if slain < 5 else [(0, Fraction(1))]:
            margin = slain + 1 - lost
            wins += chance * other * (margin > 0)
            draws += chance * other * (margin == 0)
            if margin > 0 and slain < 5:
                broken += chance * other * (Fraction(15, 36) if slain >= 2 else 0)
    whole = some_of(5, p)[5]
    assert found.chances["result: attackers win"] == wins
    assert found.chances["result: drawn"] == draws
    ended = found.distribution.chance(lambda toll: toll.defenders in ("routed", "destroyed"))
    assert ended == broken + whole


PLAIN = {"WS": 3, "S": 3, "T": 3, "W": 1, "I": 3, "A": 1, "Ld": 7}


def test_ties_in_initiative_are_rolled_for() -> None:
    """Nobody has charged: the higher of two dice strikes first, so both sides are alike."""
    found = ask("combat", attackers=4, defenders=4, charged=False)
    assert found.chances["result: attackers win"] == found.chances["result: defenders win"]
    assert found.parts["attackers lost"] == found.parts["defenders lost"]


@pytest.mark.parametrize(
    ("far", "ends"),
    [(8, {"contact": Fraction(1)}), (9, {"too far": Fraction(1)})],
)
def test_a_charge_reaches_twice_the_move(far: int, ends: dict[str, Fraction]) -> None:
    found = ask("charge", attackers=5, defenders=5, distance=far, attacker_M=4, fight=False)
    assert dict(found.parts["end"]) == ends


def test_fear_stops_a_charge() -> None:
    terror = {"Terror": {"race": "ghoul", "stats": [4, 3, 0, 3, 3, 1, 3, 1, 7, 7, 7, 7], "traits": ["Causes Fear"]}}
    found = ask("charge", attackers=5, attacker_Cl=8, defender="Terror", defenders=5, creatures=terror, fight=False)
    assert found.chances["end: afraid"] == Fraction(10, 36)


# ---------------------------------------------------------------------- brute force


def small() -> Battle:
    units = {
        "men": {"side": "red", "creature": "Human", "count": 3, "files": 3, "at": [20, 10], "charged": 0},
        "gobs": {"side": "blue", "creature": "Goblin", "count": 3, "files": 3, "at": [20, 10], "armour": "light"},
    }
    return given.create({"phase": "combat", "units": units, "engaged": [["men", "gobs"]]}, HOUSE)


def test_merging_states_changes_nothing() -> None:
    battle = small()
    merged = Fight(Weigher(chooser({})), battle, battle.units["men"], battle.units["gobs"]).round()

    def whole() -> Script[Any]:
        twin = battle.copy()
        yield from rounds.fight_round(twin, contacts.together(twin, twin.units["men"]))
        return fought(twin, battle, "men", "gobs")

    assert Weigher(chooser({})).run(whole) == merged.map(lambda toll: toll[1:])


# ---------------------------------------------------------------------- the battle's own dice


def standing(battle: Battle, key: str) -> tuple[int, str]:
    """How many of a unit live, and what has become of it."""
    unit = battle.units[key]
    if unit.where == "destroyed":
        return 0, "destroyed"
    word = "routed" if unit.rout.routed or unit.where == "fled" else "stands"
    return len(unit.models), "pushed back" if word == "stands" and unit.combat.pushed == battle.clock else word


def fought(after: Battle, before: Battle, one: str, other: str) -> tuple[str, int, int, str, str]:
    winner = next((e.data["winner"] for e in after.events if e.kind == "combat.won"), None)
    sides = {None: "drawn", before.units[one].seat: "attackers win", before.units[other].seat: "defenders win"}
    (mine, ours), (left, theirs) = standing(after, one), standing(after, other)
    lost, slain = len(before.units[one].models) - mine, len(before.units[other].models) - left
    return sides[winner], lost, slain, ours, theirs


def agree(found: Distribution[Any], roll: Callable[[Random], Any], runs: int, seed: int) -> None:
    """Rolled outcomes are as frequent as they are likely; rare ones are counted together."""
    rng = Random(seed)
    counts = Counter(roll(rng) for _ in range(runs))
    assert all(found.probability(outcome) for outcome in counts), [o for o in counts if not found.probability(o)]
    common = [outcome for outcome, chance in found if chance * runs >= 5]
    seen = [counts[outcome] for outcome in common]
    due = [float(found.probability(outcome)) * runs for outcome in common]
    rest = runs - sum(due)
    if rest > 1e-6:
        seen, due = [*seen, runs - sum(seen)], [*due, rest]
    assert chisquare(seen, due).pvalue > ALPHA, (seen, due)


def test_combat_is_as_the_battle_rolls_it() -> None:
    units = {
        "spears": {"side": "red", "creature": "Human", "count": 12, "files": 4, "at": [20, 10], "weapons": ["spear"],
                   "standard": True, "shield": True, "charged": 0},
        "orcs": {"side": "blue", "creature": "Orc", "count": 10, "files": 5, "at": [20, 10], "armour": "light"},
    }  # fmt: skip
    plan = {"phase": "combat", "units": units, "engaged": [["spears", "orcs"]]}
    found = ask("combat", given=plan, **{"from": "spears", "to": "orcs"}).distribution
    battle = given.create(plan, HOUSE)

    def roll(rng: Random) -> Any:
        twin = battle.copy()
        drive(rounds.fight_round(twin, contacts.together(twin, twin.units["spears"])), rng, chooser({}))
        return fought(twin, battle, "spears", "orcs")

    agree(found.map(lambda toll: tuple(toll[1:])), roll, 600, 11)


def test_charges_are_as_the_battle_rolls_them() -> None:
    units = {
        "men": {"side": "red", "creature": "Human", "count": 8, "files": 4, "at": [20, 10]},
        "bows": {"side": "blue", "creature": "Human", "count": 6, "files": 6, "missiles": ["bow"], "at": [21, 17]},
    }
    plan = {"phase": "movement", "units": units}
    found = ask("charge", given=plan, answer="shoot", **{"from": "men", "to": "bows"}).distribution
    battle = given.create(plan, HOUSE)
    choose = chooser({"charge.answer": "shoot"})

    def roll(rng: Random) -> Any:
        twin = battle.copy()
        unit, foe = twin.units["men"], twin.units["bows"]
        drive(declaring.declare(twin, unit, foe), rng, choose)
        drive(charging.move_all(twin), rng, choose)
        if not twin.engaged(unit):
            return ("no fight", *fought(twin, battle, "men", "bows")[1:])
        twin.phase = "combat"
        drive(rounds.fight_round(twin, contacts.together(twin, unit)), rng, choose)
        return fought(twin, battle, "men", "bows")

    agree(found.map(lambda toll: tuple(toll[1:])), roll, 200, 5)


def test_volleys_are_as_the_battle_rolls_them() -> None:
    units = {
        "guns": {"side": "red", "creature": "Human", "count": 8, "files": 8, "missiles": ["arquebus"], "at": [20, 10]},
        "orcs": {"side": "blue", "creature": "Orc", "count": 10, "files": 5, "at": [22, 22], "armour": "light"},
    }
    plan = {"phase": "shooting", "units": units}
    found = ask("volley", given=plan, **{"from": "guns", "to": "orcs"}).distribution
    battle = given.create(plan, HOUSE)
    choose = chooser({"shoot.target": "orcs"})

    def roll(rng: Random) -> Any:
        twin = battle.copy()
        drive(shooting.shoot(twin, twin.units["guns"]), rng, choose)
        lost = 10 - len(twin.units["orcs"].models), 8 - len(twin.units["guns"].models)
        drive(shooting.aftermath(twin), rng, choose)
        return (*lost, standing(twin, "orcs")[1])

    agree(found.map(tuple), roll, 400, 3)


def test_shells_are_as_the_battle_rolls_them() -> None:
    units = {
        "crew": {"side": "red", "creature": "Human", "count": 4, "files": 4, "at": [20, 5],
                 "machines": [{"engine": "mortar", "crew": 4}]},
        "orcs": {"side": "blue", "creature": "Orc", "count": 12, "files": 4, "at": [20, 30], "armour": "light"},
    }  # fmt: skip
    plan = {"phase": "shooting", "units": units}
    found = ask("machine", given=plan, **{"from": "crew", "to": "orcs"}).distribution
    battle = given.create(plan, HOUSE)
    choose = chooser(engines.aimed("orcs"))

    def roll(rng: Random) -> Any:
        twin = battle.copy()
        mortar = twin.machines["crew-mortar"]
        drive(artillery.fire(twin, mortar), rng, choose)
        lost = 12 - len(twin.units["orcs"].models), 4 - len(twin.units["crew"].models)
        drive(shooting.aftermath(twin), rng, choose)
        return (*lost, standing(twin, "orcs")[1], mortar.status)

    agree(found.map(tuple), roll, 400, 8)


def test_stones_by_plain_geometry_and_by_the_battle() -> None:
    plain = ask("stone", files=5, ranks=4, distance=24, toughness=3)
    battle = ask("machine", engine="catapult", targets=20, target_files=5, target_T=3, distance=24 - 40 / 25.4)
    assert battle.parts["targets lost"] == plain.parts["killed"]


# ---------------------------------------------------------------------- what cannot be asked


def test_what_the_rules_refuse_is_refused_with_the_rule() -> None:
    with pytest.raises(BadInput, match=r"wfb3:7\.2\.2-distance"):
        ask("charge", distance=2, defender_missiles="bow", answer="shoot")
    with pytest.raises(BadInput, match="there is no creature"):
        ask("combat", attacker="Nobody")
    apart = {"units": {"a": {"side": "red", "creature": "Human", "at": [20, 10]},
                       "b": {"side": "blue", "creature": "Human", "at": [20, 30]}}}  # fmt: skip
    with pytest.raises(BadInput, match="not in contact"):
        ask("combat", given=apart, **{"from": "a", "to": "b"})


# ---------------------------------------------------------------------- at the table


def test_the_table_weighs_what_is_pointed_at() -> None:
    """wfb3:5.4.1-no-premeasure  A round is told; a volley, which would tell a distance, only where one may measure."""
    units = {
        "guns": {"side": "red", "creature": "Human", "count": 8, "files": 8, "missiles": ["arquebus"], "at": [20, 10]},
        "orcs": {"side": "blue", "creature": "Orc", "count": 10, "files": 5, "at": [22, 22], "armour": "light"},
    }
    plan = {"phase": "shooting", "units": units}
    asked = ask("volley", given=plan, **{"from": "guns", "to": "orcs"})
    question = Pick("red", "shoot.target", [Option("orcs", "orcs")], rule="wfb3:6.2.1-one-target", about=("guns",))
    assert GAME.tools.odds(given.create(plan, HOUSE), question, "orcs") is None
    told = GAME.tools.odds(given.create(plan, {**HOUSE, "premeasure": True}), question, "orcs")
    assert told is not None and told.distribution == asked.distribution
    fight = Pick("red", "combat.next", [Option("men", "men")], rule="wfb3:7.6-order")
    battle = small()
    before = battle.copy()
    round_ = GAME.tools.odds(battle, fight, "men")
    assert round_ is not None
    assert (
        round_.distribution
        == Fight(Weigher(chooser({}), 10**6), before, before.units["men"], before.units["gobs"]).round()
    )
    assert GAME.tools.odds(battle, fight, "gobs") is None
    armed = before.copy()
    armed.units["men"].combat = armed.units["men"].combat.but(weapon="two-handed weapon")
    great = [Option("two-handed weapon", "two-handed weapon")]
    weapon = Pick("red", "combat.weapon", great, rule="wfb3:13.2-one-melee-weapon", about=("men",))
    two_handed = GAME.tools.odds(battle, weapon, "two-handed weapon")
    assert two_handed is not None and two_handed.distribution != round_.distribution
    known = GAME.tools.odds(armed, fight, "men")
    assert known is not None and two_handed.distribution == known.distribution
    assert not battle.units["men"].combat.weapon, "weighing arms nobody"
