"""The odds of The Ninth Age: against the battle's own rolled rounds, against icepool, and by hand."""

from __future__ import annotations

import shlex
from collections import Counter
from fractions import Fraction
from math import comb
from random import Random
from typing import Any

import icepool
import pytest

from grognard.games import RULESETS
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge import charge_range, charging
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.melee import break_tests, combat_round, combat_score, melee
from grognard.games.t9a.melee.combat_round import Tale
from grognard.games.t9a.odds import QUESTIONS, charges, scene, weigh
from grognard.games.t9a.odds.combat import BROKEN, DESTROYED, STANDS, Round
from grognard.games.t9a.odds.policy import chooser
from grognard.games.t9a.odds.volleys import PANICS, PASSED, STEADY, Volley
from grognard.games.t9a.shooting import shooting
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.weigh import Distribution
from grognard.kernel.questions import Pick, Script
from grognard.odds import ask, from_words
from tests.nemesis.rolling import agree, drive

T9A = RULESETS["t9a"]
#: Rolled rounds of a whole battle cost milliseconds; many more are rolled where time does not matter.
FEW, MANY = 100, 4_000
RUNS = [FEW, pytest.param(MANY, marks=pytest.mark.long)]


def unit(name: str, army: str = "free-cities-4500", **more: Any) -> dict[str, Any]:
    return {"list": f"{army}:{name}", **more}


def barrow(name: str, **more: Any) -> dict[str, Any]:
    return unit(name, "old-barrows-4500", **more)


def complete(question: str, **arguments: Any) -> dict[str, Any]:
    return QUESTIONS[question].complete(arguments)


# ---------------------------------------------------------------------- rounds of combat

HERO = {
    "phase": "melee",
    "begun": True,
    "units": {
        "spears": {"side": "red", "entry": "League Spears", "models": 7, "front": [30, 20], "champion": True},
        "captain": {"side": "red", "entry": "League Captain", "in": "spears", "general": True},
        "wights": {"side": "blue", "entry": "Wights", "models": 5, "front": [30, 20], "champion": True},
    },
    "engaged": [["spears", "wights"]],
}
COMBATS: dict[str, dict[str, Any]] = {
    "a flank charge": {"attacker": unit("Lancers", models=5), "defender": barrow("Ghasts", models=16), "side": "flank"},
    "fear and crumbling": {"attacker": barrow("First Dead", models=10), "defender": unit("Swords", models=11)},
    "several health points": {"attacker": unit("Ogres"), "defender": barrow("Trolls", models=3), "first": False},
    "great weapons strike last": {
        "attacker": unit("Greatblades", models=10), "defender": unit("Greatblades", models=12), "charged": "defender",
        "aim": "champion",
    },
    "impact hits and stomps": {"attacker": barrow("Chariots"), "defender": unit("Spears", models=15)},
    "a giant": {"attacker": barrow("Giant"), "defender": unit("Second Spears", models=15), "use": ["crush"]},
    "a hero": {"given": HERO, "from": "spears", "to": "wights", "aim": "character"},
    "a duel": {"given": HERO, "from": "spears", "to": "wights", "use": ["duel"]},
}  # fmt: skip


def table(arguments: dict[str, Any]) -> tuple[Battle, str, str]:
    battle = scene.given_battle(arguments)
    if battle is None:
        return scene.melee(arguments), "attacker", "defender"
    return battle, arguments["from"], arguments["to"]


def rolled_round(battle: Battle, one: str, other: str) -> Script[Round]:
    """t9a:15.D  What the battle does, up to the Break Tests."""
    units = next(group for group in melee.combats(battle) if battle.units[one] in group)
    before = {u.id: battle.hp(u) for u in units}
    battle.combat = tuple(u.id for u in units)
    tale = Tale(battle, units)
    yield from combat_round.before_blows(battle, units)
    yield from combat_round._blows(battle, tale)
    winners = combat_score.settle(battle, tale)
    yield from break_tests.tests(battle, tale, winners)
    seat = battle.units[one].seat
    margin = 0 if len(winners) > 1 else tale.margin if winners[0] == seat else -tale.margin
    lost, taken = (before[key] - _left(battle, battle.units[key]) for key in (one, other))
    return Round(lost, taken, margin, _end(battle.units[one]), _end(battle.units[other]))


def _left(battle: Battle, found: Unit) -> int:
    return battle.hp(found) if found.where == "table" else 0


def _end(found: Unit) -> str:
    return DESTROYED if found.where != "table" else BROKEN if found.nerve.fleeing else STANDS


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("name", COMBATS)
def test_a_round_of_combat_against_the_rolled_battle(name: str, runs: int) -> None:
    arguments = complete("combat", **COMBATS[name])
    odds = weigh("combat", COMBATS[name])
    assert sum(chance for _, chance in odds.distribution) == 1
    battle, one, other = table(arguments)
    choose = chooser(battle, arguments["aim"], arguments["use"] or ())
    rng = Random(f"{name} {runs}")
    found = [drive(rolled_round(battle.copy(), one, other), rng, choose) for _ in range(runs)]
    agree(odds.distribution, Counter(found))
    for place in range(len(Round._fields)):
        agree(part_of(odds.distribution, place), Counter(outcome[place] for outcome in found))


def part_of(outcomes: Distribution[Any], place: int) -> Distribution[Any]:
    return outcomes.map(lambda outcome: outcome[place])


def test_a_whole_fight_of_the_battle_scores_and_breaks_as_the_odds_say() -> None:
    arguments = complete("combat", **COMBATS["a flank charge"])
    odds = weigh("combat", COMBATS["a flank charge"])
    battle, rng = scene.melee(arguments), Random(5)
    choose = chooser(battle)
    found: Counter[tuple[int, bool]] = Counter()
    for _ in range(120):
        twin = battle.copy()
        drive(combat_round.fight(twin, [twin.units["attacker"], twin.units["defender"]]), rng, choose)
        told = {event.kind: event.data for event in twin.events}
        margin = told["combat.score"]["score_red"]["value"] - told["combat.score"]["score_blue"]["value"]
        found[margin, "unit.broken" in told] += 1
    agree(odds.distribution.map(lambda r: (r.margin, BROKEN in (r.end, r.enemy_end))), found)


def binomial(count: int, chance: Fraction) -> dict[int, Fraction]:
    return {n: comb(count, n) * chance**n * (1 - chance) ** (count - n) for n in range(count + 1)}


def passed(need: int) -> Fraction:
    return Fraction(sum(a + b <= need for a in range(1, 7) for b in range(1, 7)), 36)


def test_a_small_round_by_hand() -> None:
    """Five quick men charge five slow ones: each slain strikes no more; the charge counts one for them."""
    quick = scene.SOLDIER | {"parts": [scene.SOLDIER["parts"][0] | {"agi": 5}]}
    arguments = {
        "profiles": {"Quick": quick}, "attacker": {"profile": "Quick", "models": 5},
        "defender": {"profile": "Soldier", "models": 5},
    }  # fmt: skip
    odds = weigh("combat", arguments)
    expected: dict[tuple[int, int, int, str, str], Fraction] = {}
    quarter = Fraction(1, 4)
    for taken, first in binomial(5, quarter).items():
        for lost, second in binomial(5 - taken, quarter).items():
            margin = taken - lost + (taken < 5 and lost < 5)
            both = first * second
            if 5 in (taken, lost):
                ends = {(DESTROYED if lost == 5 else STANDS, DESTROYED if taken == 5 else STANDS): Fraction(1)}
            elif margin > 0:
                ends = {(STANDS, STANDS): passed(7 - margin), (STANDS, BROKEN): 1 - passed(7 - margin)}
            elif margin < 0:
                ends = {(STANDS, STANDS): passed(7 + margin), (BROKEN, STANDS): 1 - passed(7 + margin)}
            else:
                ends = {(STANDS, STANDS): Fraction(1)}
            for (own, enemy), chance in ends.items():
                key = (lost, taken, margin, own, enemy)
                expected[key] = expected.get(key, Fraction(0)) + both * chance
    assert {tuple(o): chance for o, chance in odds.distribution} == {k: c for k, c in expected.items() if c}
    assert odds.chances["attackers win"] == sum(c for k, c in expected.items() if k[2] > 0)


# ---------------------------------------------------------------------- blows and shots


def losses(*groups: tuple[int, Fraction]) -> dict[int, Fraction]:
    """Independent attacks that take a point each."""
    total: Any = icepool.Die([0])
    for count, chance in groups:
        total = total + icepool.Die({1: chance.numerator, 0: chance.denominator - chance.numerator}).pool(count).sum()
    return {outcome: Fraction(times, total.denominator()) for outcome, times in total.items()}


def of(odds: Any, part: str) -> dict[int, Fraction]:
    return dict(odds.parts[part])


def test_one_model_and_a_whole_unit_fighting() -> None:
    """City Swords (4, Str 3) on Militia (Def 2, no armour): 3+, 4+; five in front, five behind, the Champion twice."""
    arguments = {
        "attacker": unit("Swords", models=15),
        "defender": {"entry": "Militia", "models": 40},
        "charged": "nobody",
    }
    each = Fraction(4, 6) * Fraction(3, 6)
    whole, troops, champion = (weigh("fighting", {**arguments, "model": m}) for m in (None, "troops", "champion"))
    assert of(champion, "models slain") == losses((2, each))
    assert of(troops, "models slain") == losses((9, each))
    assert of(whole, "models slain") == losses((11, each))


@pytest.mark.parametrize(
    ("arguments", "each"),
    [
        ({"need": 4, "strength": 4, "armour": 2, "ap": 1}, Fraction(1, 2) * Fraction(2, 3) * Fraction(5, 6)),
        ({"need": 7, "strength": 3}, Fraction(1, 12) * Fraction(1, 2)),
        ({"need": 8}, Fraction(0)),
        ({"need": 5, "poison": True}, Fraction(1, 6) * Fraction(1, 2) + Fraction(1, 6)),
        ({"need": 4, "aegis": 5, "divine": True}, Fraction(1, 4) * (1 - Fraction(1, 9))),
        ({"need": 4, "lethal": True, "armour": 4, "fortitude": 3},
         Fraction(1, 2) * (Fraction(2, 6) * Fraction(2, 6) * Fraction(2, 6) + Fraction(1, 6))),
        ({"need": 4, "flaming": True, "flammable": True, "fortitude": 2}, Fraction(1, 2) * Fraction(3, 4)),
    ],
)  # fmt: skip
def test_a_volley_by_hand(arguments: dict[str, Any], each: Fraction) -> None:
    odds = weigh("volley", {"shots": 7, **arguments})
    assert of(odds, "lost") == {n: c for n, c in losses((7, each)).items() if c}


def test_attacks_by_hand() -> None:
    hatred = weigh("strike", {"attacks": 4, "offence": 3, "defence": 3, "hatred": True})
    assert of(hatred, "lost") == losses((4, Fraction(3, 4) * Fraction(1, 2)))
    one = weigh("strike", {"attacks": 1, "focus": True})  # a miss, a hit, a six for two
    half, two = losses((1, Fraction(1, 2))), losses((2, Fraction(1, 2)))
    shares = {n: Fraction(1, 3) * half.get(n, Fraction(0)) + Fraction(1, 6) * two[n] for n in two}
    assert of(one, "lost") == {n: chance + Fraction(1, 2) * (n == 0) for n, chance in shares.items()}
    many = weigh("strike", {"attacks": 3, "multiple": "D3", "hp": 2, "plus": 1})
    hurt = icepool.Die({True: 1, False: 2}).map({True: icepool.Die([1, 2, 2]), False: 0})
    assert of(many, "lost") == {o: Fraction(w, (3 @ hurt).denominator()) for o, w in (3 @ hurt).items()}


SALVOES: dict[str, dict[str, Any]] = {
    "crossbows": {"shooter": unit("Crossbows"), "target": unit("Spears", models=15), "distance": 16, "moved": True},
    "in cover": {"shooter": unit("Longbows"), "target": barrow("Trolls", models=3), "distance": 10, "cover": "hard"},
    "at a charge": {"shooter": unit("Wayfinders"), "target": unit("Outriders", models=5), "distance": 6, "stand": True},
    "an organ gun": {"shooter": unit("Organ Gun"), "target": unit("Outriders", models=5), "distance": 20},
    "a stone thrower": {"shooter": unit("Stone Thrower"), "target": unit("Swords", models=15), "distance": 30},
}  # fmt: skip


def rolled_volley(battle: Battle, stand: bool) -> Script[Volley]:
    target = battle.units["target"]
    hp, size = battle.hp(target), battle.size(target)
    yield from shooting.volley(battle, battle.units["shooter"], target, stand=stand)
    tests = [e.kind for e in battle.events if e.kind.startswith("discipline.") and e.about == ("target",)]
    taken = [e for e in battle.events if e.kind == "losses" and e.about == ("target",)]
    lost, slain = (taken[0].data["hp"], taken[0].data["models"]) if taken else (0, 0)
    if lost == hp:
        return Volley(hp, size, DESTROYED)
    end = STEADY if not tests else PASSED if tests[0] == "discipline.passed" else PANICS
    return Volley(lost, slain, end)


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("name", SALVOES)
def test_a_round_of_shooting_against_the_rolled_battle(name: str, runs: int) -> None:
    arguments = complete("shooting", **SALVOES[name])
    odds = weigh("shooting", SALVOES[name])
    battle, rng = scene.shooting_range(arguments), Random(f"{name} {runs}")
    choose = chooser(battle)
    found = [drive(rolled_volley(battle.copy(), arguments["stand"]), rng, choose) for _ in range(runs)]
    agree(odds.distribution, Counter(found))
    agree(odds.parts["target"], Counter(volley.end for volley in found))


def test_a_volley_and_its_panic_by_hand() -> None:
    """Ten crossbows (4+, Str 4) at ten soldiers within half range: three dead call for a test on seven."""
    soldiers = {"profile": "Soldier", "models": 10}
    crossbows = unit("Crossbows", models=10, champion=False, musician=False)
    odds = weigh("shooting", {"shooter": crossbows, "target": soldiers, "distance": 8})
    slain = losses((10, Fraction(1, 2) * Fraction(2, 3)))
    assert of(odds, "models slain") == slain
    tested = sum(c for n, c in slain.items() if 3 <= n < 10)
    assert odds.chances["panics"] == tested * (1 - passed(7))
    assert odds.chances["destroyed"] == slain[10]


# ---------------------------------------------------------------------- at the table


def test_the_table_weighs_what_is_pointed_at() -> None:
    units = {
        "bows": {"side": "red", "entry": "Longbows", "models": 10, "front": [30, 20]},
        "dead": {"side": "blue", "entry": "Barrow Dead", "models": 10, "front": [30, 32]},
    }
    given = {"phase": "shooting", "begun": True, "units": units}
    battle = T9A.from_given(given, {name: rule.default for name, rule in T9A.house_rules.items()})
    question = next(iter(T9A.script(battle)))
    assert isinstance(question, Pick) and question.name == "shoot.target"
    odds = T9A.tools.odds(battle, question, "bows>dead")
    assert odds is not None
    asked = weigh("shooting", {"given": given, "from": "bows", "to": "dead"})
    assert odds.distribution == asked.distribution
    assert T9A.tools.odds(battle, question, "bows>nobody") is None


# ---------------------------------------------------------------------- charges, questions, wrong input


@pytest.mark.parametrize(
    ("words", "chance"),
    [
        ("distance=9 advance=4", Fraction(30, 36)),
        ("distance=16 charger.list=free-cities-4500:Lancers", None),
        ("distance=12 advance=4 extra=-1 champion=yes", None),
    ],
)
def test_a_charge_against_the_battle(words: str, chance: Fraction | None) -> None:
    arguments = complete("charge", **from_words(QUESTIONS["charge"], words.split()))
    odds = weigh("charge", arguments)
    assert chance is None or odds.chances["reaches"] == chance
    battle, rng = charges.laid_out(arguments), Random(words)
    counts: Counter[float] = Counter()
    for _ in range(2000):
        twin = battle.copy()
        charger, target = twin.units["charger"], twin.units["target"]
        drive(charging.roll_range(twin, charger, target), rng)
        counts[charge_range.range_rolled(twin, charger)] += 1
    agree(odds.parts["range"], counts)


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_example_is_answered_and_cites_its_rules(name: str) -> None:
    question = QUESTIONS[name]
    odds = ask(T9A, name, from_words(question, shlex.split(question.example)))
    assert odds.touched
    assert [rule for rule in odds.touched if rule not in T9A.rulebook.by_id] == []
    assert all(0 <= chance <= 1 for chance in odds.chances.values())


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("charge", {}, "distance"),
        ("combat", {"attacker": {"list": "nowhere:Spears"}}, "there is no starter army nowhere"),
        ("combat", {"attacker": unit("Nobody")}, "free-cities-4500 has no unit Nobody"),
        ("combat", {"given": HERO, "from": "spears", "to": "captain"}, "do not fight each other"),
        ("combat", {"given": HERO, "from": "spears", "to": "ogres"}, "to names one of"),
        ("combat", {"house": {"rain": True}}, "no house rule rain"),
        ("fighting", {"model": "champion"}, "has no model champion"),
        ("shooting", {"shooter": unit("Spears")}, "nobody of shooter can shoot"),
        ("shooting", {"shooter": unit("Crossbows"), "distance": 50}, "t9a:14.A.a-range"),
    ],
)
def test_wrong_questions_say_what_is_wrong(name: str, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        weigh(name, arguments)


def test_the_table_weighs_a_charge_out_of_a_unit() -> None:
    """t9a:21.B.d.1  A Character who would leave his unit to charge goes by his own Advance Rate."""
    units = {
        "men": {"side": "red", "entry": "League Spears", "models": 20, "front": [30, 20], "files": 5},
        "hero": {"side": "red", "entry": "League Captain", "in": "men"},
        "foe": {"side": "blue", "entry": "Barrow Dead", "models": 20, "front": [30, 32]},
    }
    given = {"phase": "charge", "begun": True, "units": units}
    battle = T9A.from_given(given, {name: rule.default for name, rule in T9A.house_rules.items()})
    question = next(iter(T9A.script(battle)))
    assert isinstance(question, Pick) and question.name == "charge.declare"
    assert "hero>foe" in question.keys
    for key in question.keys:
        found = T9A.tools.odds(battle, question, key)
        assert found is not None and 0 < found.chances["reaches"] < 1, key
    assert battle.units["hero"].where == "joined", "nobody has left"
