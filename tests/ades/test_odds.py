"""Odds agree with what the battle rolls, and with counting by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from grognard.games.ades import odds
from grognard.games.ades.cases import given
from grognard.games.ades.combat import fights
from grognard.games.ades.forces import Combat
from grognard.games.ades.house import HOUSE_RULES
from grognard.games.ades.odds import fights as odds_fights
from grognard.kernel.questions import Roll
from grognard.odds.picture import write_picture
from grognard.odds.plain import plain as plain_odds

FIGHTERS = {
    "profiles": {
        "One": {
            "army": "Lion",
            "val": 20,
            "stats": {"MOU": 10, "INI": 2, "ATT": 4, "FOR": 7, "DEF": 3, "RES": 5, "COU": 3},
        },
        "Two": {
            "army": "Rat",
            "val": 20,
            "stats": {"MOU": 10, "INI": 3, "ATT": 3, "FOR": 5, "DEF": 4, "RES": 6, "COU": 3},
        },
    },
    "phase": "combat",
    "fighters": {
        "a": {"side": "red", "profile": "One", "at": [40, 40]},
        "b": {"side": "blue", "profile": "Two", "at": [40, 42.5]},
    },
}


def fought(rng: Random, attack: dict[str, int]) -> tuple[int, int]:
    """One combat, rolled; what both lost."""
    battle = given.create(FIGHTERS, {name: rule.default for name, rule in HOUSE_RULES.items()})
    script = fights.resolve(battle, Combat("a", ("b",)))
    answer: Any = None
    while True:
        try:
            ask = script.send(answer)
        except StopIteration:
            return 4 - battle.fighters["a"].pv, 4 - battle.fighters["b"].pv
        if isinstance(ask, Roll):
            answer = tuple(rng.randint(1, 6) for _ in range(ask.count))
        else:
            answer = attack[ask.about[0]] if ask.name == "fight.attack" else ask.decode(ask.sample(rng))  # type: ignore[union-attr]


def test_a_fight_comes_out_as_weighed() -> None:
    rng, count = Random(5), 1500
    seen = Counter(fought(rng, {"a": 1, "b": 1}) for _ in range(count))
    one, two = odds_fights.Side(4, 3, 7, 5, 4, 2), odds_fights.Side(3, 4, 5, 6, 4, 2)
    spread = odds_fights.outcome(one, two, 1, 1)
    assert sum(spread.weights.values()) == spread.denominator
    for result, chance in spread:
        expected, sigma = float(chance) * count, (count * float(chance) * (1 - float(chance))) ** 0.5
        assert abs(seen[result] - expected) < 5 * sigma + 1, (result, seen[result], expected)


def test_a_test_by_hand() -> None:
    assert odds.weigh("test", {"value": 3, "against": 2}).chances["passed"] == Fraction(2, 3)
    assert odds.weigh("test", {"value": 3, "against": 2, "seasoned": True}).chances["passed"] == Fraction(8, 9)
    assert odds.weigh("test", {"value": 3, "against": 2, "dice": 2}).chances["passed"] == Fraction(8, 9)
    assert odds.weigh("challenge", {"value": 3, "against": 2}).chances["won"] == Fraction(2, 3) * Fraction(1, 2)


def test_damage_by_hand() -> None:
    plain = odds.weigh("damage", {"force": 5, "res": 3})
    assert plain.mean == Fraction(1 + 1 + 2 + 2 + 3 + 3, 6)
    twice = odds.weigh("damage", {"force": 5, "res": 3, "seasoned": True})
    faces = [1, 1, 2, 2, 3, 3]
    assert twice.mean == Fraction(sum(max(a, b) for a in faces for b in faces), 36)
    holy = odds.weigh("damage", {"force": 5, "res": 3, "sacred_weapon": True})
    assert holy.mean == Fraction(3 + 1 + 2 + 2 + 3 + 3, 6)


def test_the_best_sharing_is_a_choice_of_the_table() -> None:
    one, two = odds_fights.Side(5, 2, 8, 4, 4, 2), odds_fights.Side(3, 3, 5, 5, 4, 3)
    table = odds_fights.grid(one, two)
    first, second = odds_fights.best(table, None, None)
    assert table.values[first][second] == max(min(row) for row in table.values)
    assert (first, second) == (table.choice, table.answers[table.choice])
    assert (len(table.rows), len(table.columns)) == (3, 4)
    for a, row in enumerate(table.values):
        assert list(row) == [odds_fights.worth(one, two, odds_fights.outcome(one, two, a, b)) for b in range(4)]


def test_what_a_fighter_deals_hurts_the_other() -> None:
    """A keen blade of the first costs the second more, and the first nothing."""
    given = {"first_dice": 2, "second_dice": 2, "first_attack": 1, "second_attack": 1}
    plain = odds.weigh("fight", given)
    keen = odds.weigh("fight", {**given, "first_vulnerable": True})
    assert keen.means["second loses"] > plain.means["second loses"]
    assert keen.parts["first loses"] == plain.parts["first loses"]


def test_a_grid_as_data_and_as_a_picture(tmp_path: Path) -> None:
    answer = odds.weigh("fight", {"first_dice": 2, "second_dice": 1})
    shown = plain_odds(answer)["grid"]
    assert [len(row) for row in shown["cells"]] == [2, 2, 2]
    assert shown["choice"] == answer.arguments["first_attack"]
    write_picture(answer, tmp_path / "fight.svg", language="fr")
    assert "le premier place" in (tmp_path / "fight.svg").read_text(encoding="utf-8")
