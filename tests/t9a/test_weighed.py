"""What the captain thinks an attack takes is what the battle's own steps come to."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.t9a.cases import given
from grognard.games.t9a.house import HOUSE_RULES
from grognard.games.t9a.sense import weighed
from grognard.kernel.ruleset import agreed

#: One attack at Offensive 3 against Defensive 3 hits on 4+, Strength 3 against Resilience 3 wounds on 4+, no save.
EVEN = 1 / 4


def one_attack(charging: bool = False, hidden: bool = False, **more: Any) -> float:
    """Health Points one attack of a rider takes from a foot soldier."""
    part = {"name": "rider", "att": 1, "off": 3, "str": 3, "ap": 0, "agi": 3, **more.pop("part", {})}
    foe = more.pop("foe", {})
    card = {"adv": 4, "mar": 8, "dis": 7, "hp": 1, "def": 3, "res": 3, "arm": 0, "base": "20x20"}
    said = {
        "phase": "melee",
        "profiles": {
            "Rider": {**card, "type": "Cavalry", "base": "25x50", "parts": [part]},
            "Foot": {**card, **foe, "parts": [{**part, "weapons": [], "attributes": []}]},
        },
        "units": {
            "riders": {"side": "red", "profile": "Rider", "models": 5, "files": 5, "front": [24, 20], **more},
            "foot": {"side": "blue", "profile": "Foot", "models": 10, "files": 5, "front": [24, 30]},
        },
    }
    battle = given.create(said, agreed("t9a", HOUSE_RULES, {"hidden_lists": hidden}))
    riders, foot = battle.units["riders"], battle.units["foot"]
    at = weighed.Round(battle, riders, foot, charging, fresh=True, over_front=True, side="front")
    taken = weighed.attack(at, "riders", 0, "foot")
    assert not battle.cited and not riders.charge.charging  # whoever only thinks changes nothing
    return taken


def test_even_men_take_a_quarter() -> None:
    assert one_attack() == pytest.approx(EVEN)


def test_a_lance_counts_in_a_charge_only() -> None:
    lance = {"weapons": ["Lance"]}
    assert one_attack(part=lance) == pytest.approx(EVEN)
    assert one_attack(charging=True, part=lance) == pytest.approx(1 / 2 * 5 / 6)


def test_poison_wounds_by_sixes_to_hit() -> None:
    assert one_attack(part={"attributes": ["Poison Attacks"]}) == pytest.approx(1 / 6 + (1 / 2 - 1 / 6) / 2)


def test_hatred_rolls_misses_again() -> None:
    assert one_attack(part={"attributes": ["Hatred"]}) == pytest.approx(3 / 4 / 2)


def test_a_banner_nobody_has_seen_is_not_thought_of() -> None:
    """In open lists it is: flaming wounds are rolled again against what burns."""
    embers: dict[str, Any] = {"standard": True, "banner": ["Banner of Embers"], "foe": {"rules": ["Flammable"]}}
    assert one_attack(**embers) == pytest.approx(1 / 2 * 3 / 4)
    assert one_attack(hidden=True, **embers) == pytest.approx(EVEN)
