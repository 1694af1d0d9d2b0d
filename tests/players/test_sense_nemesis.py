"""What the captain thinks of Némésis at a glance: ways, shots, charges and where to go."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games import RULESETS
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Order
from grognard.games.nemesis.sense import acting, chances, moving, ways, worth

NEMESIS = RULESETS["nemesis"]


def placed(unit: dict[str, Any], *spots: list[float]) -> dict[str, Any]:
    """The same unit, its models one by one."""
    return {key: value for key, value in unit.items() if key not in ("count", "at")} | {"models": list(spots)}


def laid(units: dict[str, dict[str, Any]], scenario: str = "for-miter", phase: str = "orders") -> Battle:
    """A table; units face each other along y unless they say otherwise."""
    given = {"scenario": scenario, "turn": 2, "phase": phase, "begun": True, "units": units}
    battle = NEMESIS.create({"given": given}, NEMESIS.house_rules_from({}))
    assert isinstance(battle, Battle)
    return battle


ZEALOTS = {"side": "red", "card": "Zealot", "count": 3, "at": [60, 40], "facing": 0}
CROSSBOWS = {"side": "red", "card": "Crossbow Cultist", "count": 3, "at": [60, 30], "facing": 0}
KNIGHT = {"side": "blue", "card": "Grave Knight", "at": [60, 49], "facing": 180}


def test_ways_are_open_where_nobody_stands_near_them() -> None:
    battle = laid({"zealots": ZEALOTS, "knight": KNIGHT})
    assert ways.open_ways(battle, battle.units["zealots"], battle.units["knight"]) == 3


def test_free_enemies_and_friends_bar_the_way() -> None:
    rats = {"side": "blue", "card": "Rat Swarm", "models": [[60, 45], [56, 46]], "facing": 180}
    battle = laid({"zealots": ZEALOTS, "knight": KNIGHT, "rats": rats})
    assert ways.open_ways(battle, battle.units["zealots"], battle.units["knight"]) == 0
    dancers = {"side": "red", "card": "Blade Dancer", "models": [[57.5, 44.5], [60.7, 44.5], [63.9, 44.5]], "facing": 0}
    battle = laid({"zealots": ZEALOTS, "knight": KNIGHT, "dancers": dancers})
    assert ways.open_ways(battle, battle.units["zealots"], battle.units["knight"]) == 0


def test_a_target_beyond_ones_pace_has_no_way_to_it() -> None:
    battle = laid({"zealots": ZEALOTS, "knight": KNIGHT | {"at": [60, 60]}})
    assert ways.open_ways(battle, battle.units["zealots"], battle.units["knight"]) == 0


def test_who_flies_minds_only_where_he_lands() -> None:
    rats = {"side": "blue", "card": "Rat Swarm", "at": [60, 48], "facing": 180}
    imp = {"side": "red", "card": "Winged Imp", "at": [60, 40], "facing": 0}
    battle = laid({"imp": imp, "rats": rats, "knight": KNIGHT | {"at": [60, 58]}})
    assert ways.open_ways(battle, battle.units["imp"], battle.units["knight"]) == 1


def test_only_those_who_see_a_target_count_for_a_volley() -> None:
    priest = {"side": "blue", "card": "Priest of Faces", "at": [60, 49], "facing": 180}
    line = laid({"bows": CROSSBOWS, "priest": priest})
    file = laid({"bows": placed(CROSSBOWS, [60, 30], [60, 26], [60, 22]), "priest": priest})
    one, three = (worth.volley(b, b.units["bows"], b.units["priest"]) for b in (file, line))
    assert one == pytest.approx(three / 3)
    assert worth.volley(file, file.units["bows"], file.units["priest"], blind=True) == pytest.approx(three)


def brawl(scenario: str) -> Battle:
    """Crossbows behind a zealot who fights the knight."""
    zealot = {"side": "red", "card": "Zealot", "at": [60, 46], "facing": 0}
    bows = placed(CROSSBOWS, [50, 40], [54, 38], [70, 40])
    return laid({"bows": bows, "zealot": zealot, "knight": KNIGHT}, scenario)


def test_shots_go_into_a_melee_only_where_the_enemy_has_more_to_lose() -> None:
    plain, head = brawl("for-miter"), brawl("commanders-head")
    assert plain.engaged(plain.units["knight"])
    bow, knight, zealot = (_card(plain, key) for key in ("bows.1", "knight", "zealot"))
    wounded, friend = chances.astray(bow, "crossbow", knight, zealot)
    assert 0 < wounded < chances.shot(bow, "crossbow", knight) < friend
    assert worth.volley(plain, plain.units["bows"], plain.units["knight"]) < 0
    assert worth.volley(head, head.units["bows"], head.units["knight"]) > 0


def test_nobody_charges_what_the_archers_are_about_to_shoot_better() -> None:
    battle = laid({"zealots": ZEALOTS | {"at": [70, 40]}, "bows": CROSSBOWS, "knight": KNIGHT}, "commanders-head")
    zealots, bows, knight = (battle.units[key] for key in ("zealots", "bows", "knight"))
    alone = acting.order(battle, zealots, "charge", knight)
    bows.orders = (Order("shoot", "knight", bows.models),)
    assert acting.order(battle, zealots, "charge", knight) < alone
    bows.orders = ()
    volley = acting.order(battle, bows, "shoot", knight)
    zealots.orders = (Order("charge", "knight", zealots.models),)
    assert acting.order(battle, bows, "shoot", knight) == pytest.approx(acting.CROWDED * volley)


def test_fighters_close_in_and_approach_whom_the_mission_is_about() -> None:
    rats = {"side": "blue", "card": "Rat Swarm", "count": 2, "at": [40, 70], "facing": 180}
    battle = laid({"zealots": ZEALOTS, "rats": rats, "knight": KNIGHT | {"at": [85, 72]}}, "commanders-head")
    zealots = battle.units["zealots"]
    plan = moving.plan(battle, zealots)
    assert max(plan, key=plan.__getitem__) in ("pile-in", "regroup")
    assert plan["toward:knight"] > plan["toward:rats"] > plan["stay"]
    near, far = (acting.order(battle, zealots, "approach", battle.units[key]) for key in ("rats", "knight"))
    assert 0 < near < far < 1


def test_a_mage_keeps_near_whom_the_mission_is_about_and_away_from_who_may_charge() -> None:
    mage = {"side": "red", "card": "Sorcerer", "at": [60, 40], "facing": 0}
    rats = {"side": "blue", "card": "Rat Swarm", "at": [40, 75], "facing": 180}
    priest = {"side": "red", "card": "Priest of Faces", "at": [10, 10]}
    units: dict[str, dict[str, Any]] = {
        "priest": priest,
        "mage": mage,
        "rats": rats,
        "knight": KNIGHT | {"at": [90, 80]},
    }
    battle = laid(units, "commanders-head")
    plan = moving.plan(battle, battle.units["mage"])
    assert worth.role(battle, battle.units["mage"]) == "mage"
    assert plan["toward:knight"] > plan["toward:rats"] > plan["stay"]
    battle = laid(units | {"rats": rats | {"at": [60, 50]}}, "commanders-head")
    plan = moving.plan(battle, battle.units["mage"])
    assert moving.judged(plan, "back") > moving.judged(plan, None) > moving.judged(plan, "toward:knight")


def _card(battle: Battle, key: str) -> Any:
    return battle.models[key].card
