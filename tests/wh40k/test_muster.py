"""Mustering: the starter armies are legal and show every ability; what is wrong with a list is told by rule."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from grognard.games.wh40k.abilities import core, weapons
from grognard.games.wh40k.abilities.base import Trait, WeaponTrait
from grognard.games.wh40k.army.cards import Army, load_army
from grognard.kernel.data.abilities import Ability
from grognard.kernel.errors import BadInput
from grognard.muster import check
from tests.wh40k.field import RULES

SIZES = {"1000": 1000, "2000": 2000}


def army(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(RULES.armies()[name].read_text(encoding="utf-8"))
    return loaded


@pytest.mark.parametrize("name", RULES.armies())
def test_starter_armies_are_legal_and_nearly_full(name: str) -> None:
    found = check(RULES, name)
    assert found.findings == ()
    limit = SIZES[name.rpartition("-")[2]]
    assert 0.95 * limit <= found.points <= limit
    assert all(unit.sheet.ours for unit in load_army(name).units)


def known(module: Any, base: type[Ability]) -> set[str]:
    """The abilities of the book: those of a chapter, without the ones we made up ourselves."""
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, base)]
    return {kind.name for kind in kinds if kind is not base and "not the book's" not in (kind.__doc__ or "")}


def abilities(armies: list[Army]) -> tuple[set[str], set[str]]:
    """The names of all weapon and core abilities that occur."""
    kits = [(profile, arms) for one in armies for unit in one.units for profile, arms in unit.models]
    return (
        {type(trait).name for _, arms in kits for weapon in arms for trait in weapon.traits},
        {type(trait).name for profile, _ in kits for trait in profile.traits},
    )


@pytest.mark.parametrize("size", SIZES)
def test_every_ability_of_the_book_occurs(size: str) -> None:
    armies = [load_army(name) for name in RULES.armies() if name.endswith(size)]
    assert len({one.faction for one in armies}) == 2
    of_weapons, of_models = abilities(armies)
    assert (len(known(weapons, WeaponTrait)), len(known(core, Trait))) == (19, 12)
    assert known(weapons, WeaponTrait) - of_weapons == set()
    assert known(core, Trait) - of_models == set()


@pytest.mark.parametrize("name", [name for name in RULES.armies() if name.endswith("2000")])
def test_the_large_armies_have_one_of_everything(name: str) -> None:
    units = load_army(name).units
    kinds = {keyword for unit in units for keyword in unit.sheet.keywords}
    assert {
        "INFANTRY",
        "CHARACTER",
        "VEHICLE",
        "MONSTER",
        "AIRCRAFT",
        "TRANSPORT",
        "PSYKER",
        "GRENADES",
        "SMOKE",
    } <= kinds
    assert {5, 10, 20} <= {len(unit.models) for unit in units if "INFANTRY" in unit.sheet.keywords}
    names = [unit.sheet.name for unit in units]
    assert any(led in names for unit in units for led in unit.sheet.leads)
    assert any(w.flag("psychic") for unit in units for _, arms in unit.models for w in arms)
    assert any(unit.enhancement for unit in units)


def changed(**more: Any) -> dict[str, Any]:
    return army("iron-compact-1000") | more


def with_units(*entries: dict[str, Any], keep: int = 99, **more: Any) -> dict[str, Any]:
    base = army("iron-compact-1000")
    return base | {"units": [*base["units"][:keep], *entries], "size": "onslaught"} | more


MARSHAL = {"datasheet": "Marshal"}
WRONG: list[tuple[dict[str, Any], str, str]] = [
    (changed(size="skirmish"), "army.size", "wh40k:18.1-size"),
    (with_units({"name": "T2", "datasheet": "Siege Tank"}, size="incursion"), "army.points", "wh40k:18.1-size"),
    (changed(faction=""), "army.faction", "wh40k:18.3-faction"),
    (changed(detachment=""), "army.detachment", "wh40k:18.4-detachment"),
    (changed(detachment="Parade"), "army.unknown-detachment", "wh40k:18.4-detachment"),
    (changed(detachment="Ashen Tide"), "army.detachment-faction", "wh40k:18.4-detachment"),
    (
        with_units({"name": "T", "datasheet": "Siege Tank"}, keep=1), "army.compulsory", "wh40k:18.4-detachment",
    ),
    (
        changed(detachments={"Foot": {"faction": "Iron Compact", "forbidden": ["Vehicle"]}}, detachment="Foot"),
        "army.forbidden", "wh40k:18.4-detachment",
    ),
    (changed(units=[{"datasheet": "Levies"}]), "army.character", "wh40k:18.5.1-character"),
    (with_units({"name": "Claws", "datasheet": "Clawkin"}), "army.foreign", "wh40k:18.5.2-unit-legal"),
    (
        with_units(*({"name": f"T{n}", "datasheet": "Siege Tank"} for n in range(3))),
        "army.too-many", "wh40k:18.5.3-max-three",
    ),
    (
        with_units(*({"name": f"L{n}", "datasheet": "Levies"} for n in range(5))),
        "army.too-many", "wh40k:18.5.3-max-three",
    ),
    (
        with_units(*({"name": f"V{n}", "datasheet": "Regent Voss"} for n in range(2))),
        "army.too-many", "wh40k:18.5.5-epic-hero",
    ),
    (
        with_units({"name": "V", "datasheet": "Regent Voss", "enhancement": "Iron Heart"}),
        "army.enhanced", "wh40k:18.5.5-epic-hero",
    ),
    (
        with_units({"name": "L3", "datasheet": "Levies", "enhancement": "Iron Heart"}),
        "army.enhanced", "wh40k:18.5.4-enhancements",
    ),
    (
        with_units(*(MARSHAL | {"name": f"M{n}", "enhancement": "Iron Heart"} for n in range(2))),
        "army.enhancement-twice", "wh40k:18.5.4-enhancements",
    ),
    (
        with_units(
            *({"name": f"M{n}", "datasheet": sheet, "enhancement": gift} for n, (sheet, gift) in enumerate(
                [("Marshal", "Iron Heart"), ("Marshal", "Storm Cloak"), ("Rune Warden", "Banner of the Compact"),
                 ("Rune Warden", "Iron Heart")]))
        ),
        "army.enhancements", "wh40k:18.5.4-enhancements",
    ),
    (changed(warlord="Levies"), "army.warlord", "wh40k:18.6-warlord"),
    (changed(warlord=""), "army.warlord", "wh40k:18.6-warlord"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "code", "rule"), WRONG, ids=[f"{code}-{n}" for n, (_, code, _) in enumerate(WRONG)])
def test_what_is_wrong_is_told_by_rule(source: dict[str, Any], code: str, rule: str) -> None:
    found = [(finding.code, finding.rule) for finding in RULES.check_army(source)]
    assert (code, rule) in found
    for finding in RULES.check_army(source):
        assert finding.rule in RULES.rulebook.by_id
        assert RULES.say(finding.code, finding.data)


def test_limits_are_not_passed_by_what_is_allowed() -> None:
    six = with_units(*({"name": f"L{n}", "datasheet": "Levies"} for n in range(4)))
    assert RULES.check_army(six) == []
    three = with_units(*({"name": f"T{n}", "datasheet": "Siege Tank"} for n in range(2)))
    assert RULES.check_army(three) == []


def test_a_dedicated_transport_wants_riders() -> None:
    tanks = [
        {"name": "C", "datasheet": "Bastion Carrier"},
        {"name": "L", "datasheet": "Levies", "models": {"Levy": 19}},
    ]
    lonely = changed(units=[{"name": "G", "datasheet": "Outriders"}, *tanks], warlord="")
    found = [f for f in RULES.check_army(lonely) if f.rule == "wh40k:18.5.6-dedicated"]
    assert [f.warning for f in found] == [True]


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ({"datasheet": "Nobody"}, "no datasheet Nobody"),
        ({"datasheet": "Levies", "models": {"Levy": 40}}, "9 to 19 Levy"),
        ({"datasheet": "Levies", "options": {"flamer": 2}}, "cannot take 2 x flamer"),
        ({"datasheet": "Marshal", "enhancement": "Crown"}, "no Enhancement Crown"),
        ({"datasheet": "Levies", "colour": "red"}, "no other keys"),
    ],
)
def test_what_cannot_be_read_is_an_error(entry: dict[str, Any], text: str) -> None:
    with pytest.raises(BadInput, match=text):
        RULES.check_army(with_units({"name": "X"} | entry))
