"""The cards, the rulebook and the army lists of Némésis."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games import RULESETS, find
from grognard.games.nemesis.abilities import REGISTRY
from grognard.games.nemesis.army import cards
from grognard.games.nemesis.setup import listbuilding
from grognard.games.nemesis.texts import CLASHES
from grognard.kernel.errors import BadInput
from tests.nemesis.situations import HOUSE, NEMESIS, army, found

# ---------------------------------------------------------------------- the games, the rulebook, the cards


def test_the_registry_names_its_games() -> None:
    assert RULESETS["nemesis"] is NEMESIS
    with pytest.raises(BadInput, match="there is no game chess; there are nemesis"):
        find("chess")


def test_the_rulebook_is_whole() -> None:
    rules = NEMESIS.rulebook.rules
    assert len(rules) == len(NEMESIS.rulebook.by_id) == 344
    assert [rule.id for rule in rules if rule.advice] == ["nemesis:3.1"]


def test_no_code_has_two_texts() -> None:
    assert CLASHES == []


def test_every_ability_and_kind_of_model_occurs() -> None:
    library = cards.library()
    texts = [text for card in library.values() for text in card.abilities]
    texts += [text for card in library.values() for weapon in card.melee for text in weapon.abilities]
    texts += [text for card in library.values() for weapon in card.ranged for text in weapon.abilities]
    assert {ability.name for ability in REGISTRY} == {REGISTRY.parse(text).name for text in texts}
    ours = [card for card in library.values() if card.ours]
    assert {card.size for card in ours} == {1, 2, 3, 4, 5, 6}
    assert {card.type for card in ours} == {"troop", "hero", "legend", "mage"}
    for faction in ("undead", "orphans", "cult", "realm"):
        own = [card for card in ours if card.faction == faction]
        assert any(card.fly for card in own) and any(card.ranged for card in own)
        assert any(card.is_legend for card in own) and any(card.type == "mage" for card in own)
        assert any(card.has_keyword("champion") for card in own) and any(len(card.melee) > 1 for card in own)
    keywords = {word for card in ours for word in card.keywords}
    assert {"magic-creature", "golem", "demon", "undead", "skeleton", "rotten", "stitched"} <= keywords


def test_the_book_s_fragments_are_exact() -> None:
    library = cards.library()
    bow, sample = library["Archer"].ranged[0], library["Archer (17.1)"].ranged[0]
    assert (library["Archer"].HT, bow.F, bow.DT, bow.P) == (4, 3, 9, 50)
    assert (sample.F, sample.DT, sample.P) == (4, 4, 30)
    assert (library["Skeleton (17.3)"].R, library["Skeleton (17.3)"].S) == (7, 1)
    second = library["Skeleton (19.2)"]
    assert (second.HC, second.R, second.S) == (2, 7, 2)
    assert (library["Halberdier"].HC, library["Halberdier"].F) == (4, 4)
    assert not any(card.ours for card in library.values() if "unknown" in " ".join(card.equipment))


# ---------------------------------------------------------------------- army lists


@pytest.mark.parametrize("name", list(NEMESIS.armies()))
def test_starter_armies_are_legal(name: str) -> None:
    assert listbuilding.check_army(name) == []
    list_ = cards.load_army(name)
    spent = sum(line.cost for line in cards.recruits(list_))
    assert 0.9 * list_.points <= spent <= list_.points


def test_there_is_a_small_and_a_large_army_of_each_faction() -> None:
    factions = ("cult", "orphans", "realm", "undead")
    assert sorted(NEMESIS.armies()) == [f"{faction}-{points}" for faction in factions for points in (300, 500)]


HALBERDIERS = {"name": "halberdiers", "card": "Realm Halberdier", "count": 6}
CAPTAIN = {"name": "captain", "card": "Captain"}
SQUIRE = {"name": "squire", "card": "Squire"}
MAGICIAN = {"name": "magician", "card": "Magician"}
SAINT = {"name": "saint", "card": "Saint of the Dawn"}
BADGER = {"card": "Old Badger", "name": "badger", "joins": "foundlings"}
FOUNDLINGS = {"name": "foundlings", "card": "Foundling", "count": 5}
HUNTMASTER = {"name": "huntmaster", "card": "Huntmaster"}

VIOLATIONS: list[tuple[str, str, dict[str, Any]]] = [
    ("muster.mission", "nemesis:6-mission", {"scenario": "chess"}),
    ("muster.points", "nemesis:6-points", {"points": 110}),
    ("muster.hero-cap", "nemesis:7-hero-cap", {"points": 99}),
    ("muster.faction", "nemesis:2", {"units": [CAPTAIN, {"card": "Zealot", "count": 3}]}),
    ("muster.hero-regiment", "nemesis:5.2-hero", {"units": [{**CAPTAIN, "count": 2}, HALBERDIERS]}),
    ("muster.regiment-size", "nemesis:6-regiment-size", {"units": [CAPTAIN, {**HALBERDIERS, "count": 1}]}),
    ("muster.regiment-size", "nemesis:6-regiment-size", {"units": [CAPTAIN, {**HALBERDIERS, "count": 11}]}),
    ("muster.same-type", "nemesis:6-same-type",
     {"units": [CAPTAIN, {"name": "mob", "cards": ["Realm Halberdier", "Crown Archer"]}]}),
    ("muster.not-a-champion", "nemesis:6-champion", {"units": [CAPTAIN, {**HALBERDIERS, "champion": "Crown Archer"}]}),
    ("muster.champions", "nemesis:6-champion", {"units": [CAPTAIN, {"card": "Sergeant", "count": 3}]}),
    ("muster.no-hero", "nemesis:7-min-hero", {"units": [HALBERDIERS]}),
    ("muster.no-commander", "nemesis:7-min-hero", {"commander": "halberdiers"}),
    ("muster.legends", "nemesis:7-legend-limit",
     {"points": 900, "units": [CAPTAIN, SAINT, {**SAINT, "name": "twin"}, HALBERDIERS]}),
    ("muster.regiments", "nemesis:7-regiments", {"units": [CAPTAIN, MAGICIAN, HALBERDIERS]}),
    ("muster.right-hand-commands", "nemesis:A1.4-right-hand",
     {"commander": "squire", "units": [CAPTAIN, SQUIRE, HALBERDIERS]}),
    ("muster.right-hands", "nemesis:A1.4-right-hand-limit",
     {"units": [CAPTAIN, SQUIRE, {**SQUIRE, "name": "page"}, HALBERDIERS]}),
    ("muster.cannot-join", "nemesis:6-hero", {"units": [{**CAPTAIN, "joins": "nobody"}, HALBERDIERS]}),
    ("muster.two-heroes", "nemesis:X.13-join-leave",
     {"units": [{**CAPTAIN, "joins": "halberdiers"}, {**SQUIRE, "joins": "halberdiers"}, HALBERDIERS]}),
    ("muster.hermit", "nemesis:A1.17-hermit",
     {"faction": "orphans", "commander": "huntmaster", "units": [HUNTMASTER, BADGER, FOUNDLINGS]}),
    ("muster.stones", "nemesis:14.8-stones", {"units": [CAPTAIN, {**MAGICIAN, "stones": 3}, HALBERDIERS]}),
    ("muster.no-mage", "nemesis:14-who", {"units": [{**CAPTAIN, "spells": ["R.1-care"]}, HALBERDIERS]}),
    ("muster.spell-twice", "nemesis:14.3-choice",
     {"units": [CAPTAIN, {**MAGICIAN, "spells": ["R.1-care", "R.1-care"]}, HALBERDIERS]}),
    ("muster.spells", "nemesis:14.3-choice",
     {"units": [CAPTAIN, {**MAGICIAN, "spells": [f"R.{n}" for n in
        ("1-care", "2-armour", "3-agility", "4-dexterity", "5-avenging-ray", "6-ice-storm")]}, HALBERDIERS]}),
    ("muster.foreign-spell", "nemesis:14.3-fixed",
     {"units": [CAPTAIN, {**MAGICIAN, "spells": ["N.2-curse"]}, HALBERDIERS]}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "rule", "changes"), VIOLATIONS, ids=[v[0] for v in VIOLATIONS])
def test_every_list_rule_has_its_finding(code: str, rule: str, changes: dict[str, Any]) -> None:
    assert found(army()) == []
    assert (code, rule, False) in found(army(**changes))
    assert code in NEMESIS.texts


def test_warnings_do_not_bar_a_list() -> None:
    saint = {**SAINT, "spells": ["R.12-supernatural-strength"]}
    troops = [{**HALBERDIERS, "name": name} for name in ("a", "b", "c")]
    listed = army(points=500, units=[CAPTAIN, saint, *troops])
    assert found(listed) == [("muster.spell-cap", "nemesis:14.3-fixed", True)]
    page = {"M": 10, "HC": 2, "F": 2, "R": 5, "S": 1}
    free = army(cards={"Page": page}, units=[CAPTAIN, {"card": "Page", "count": 2}])
    assert found(free) == [("muster.free-model", "nemesis:5.1-cost", True)]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"faction": "elves"}, "faction is one of undead, orphans, cult, realm, not elves"),
        ({"units": [{"card": "Halberdir", "count": 2}]}, r"units\[0\]: there is no card Halberdir"),
        ({"units": [{"name": "x"}]}, r"units\[0\] \(x\): write card and count"),
        ({"units": [CAPTAIN, CAPTAIN]}, "two units are called captain"),
        ({"units": [{**CAPTAIN, "count": 0}]}, "count lies between 1 and 100"),
        ({"units": [{**MAGICIAN, "spells": ["R.99-none"]}, CAPTAIN]}, "there is no spell R.99-none"),
        ({"motto": "on"}, "motto"),
        ({"cards": {"Page": {"M": 10}}}, "Page: .*HC"),
        ({"cards": {"Page": {"M": 1, "HC": 1, "F": 1, "R": 1, "S": 1, "abilities": ["Flying"]}}}, 'ability "Flying"'),
    ],
)
def test_bad_lists_are_told(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        NEMESIS.check_army(army(**changes))


def test_an_illegal_army_does_not_start() -> None:
    setup = {"scenario": "for-miter", "armies": [army(points=100), army()]}
    with pytest.raises(BadInput, match=r"not a legal army: .*\(nemesis:6-points\)"):
        NEMESIS.create(setup, HOUSE)
