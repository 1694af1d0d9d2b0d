"""A game from its beginning: scenario, armies, scenery, seats."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from grognard.games.ades.army import army_value, listbuilding
from grognard.games.ades.army.cards import Army, Recruit, books, load_army, starters
from grognard.games.ades.army.profiles import Library
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.scenarios import fielding, scenarios, scenery
from grognard.games.ades.table.terrain import read_pieces
from grognard.games.ades.texts import TEXTS
from grognard.kernel.data import setups
from grognard.kernel.data.layout import Kind, Layout
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import cm

DEFAULT = "clash"
MENU = (
    Kind("wood", (9, 15), (8, 12), True), Kind("rocks", (6, 9), (5, 8), True), Kind("hedge", (9, 12), (2, 2)),
    Kind("swamp", (9, 16), (8, 11), True), Kind("wall", (8, 11), (1.5, 1.5)), Kind("house", (8, 11), (7, 9)),
)  # fmt: skip
#: ades:9.1.2, 9.2.5-gap  What a seed lays, by the side of the table in cm.
LAYOUTS = {
    75: Layout("ades", MENU, 6.5, pairs=(1, 1), alone=(0, 2)),
    90: Layout("ades", MENU, 6.5, pairs=(2, 2), alone=(0, 2)),
    120: Layout("ades", MENU, 6.5, pairs=(4, 1), alone=(0, 2)),
}
#: What is added to a seed that lays too much or too little.
ANOTHER = 1_000_003


def default_setup(scenario: str | None = None, armies: tuple[Any, ...] = (), seed: int = 0) -> dict[str, Any]:
    """A setup ready to play: starter warbands unless others are given, scenery from the seed."""
    chosen = setups.check_scenario(scenario or DEFAULT, scenarios.SCENARIOS, "ades:2.6")
    fielded = setups.field_starters(armies, starters(), load_army)
    return {"scenario": chosen, "armies": fielded, "terrain": {"seed": seed}}


def create(setup: dict[str, Any], house: dict[str, Any]) -> Battle:
    """ades:3.1, ades:2.6  The battle before its first step: armies mustered, nobody on the table."""
    setups.check_keys(setup)
    scenario = setups.check_scenario(setup.get("scenario") or DEFAULT, scenarios.SCENARIOS, "ades:2.6")
    armies = [load_army(source) for source in setups.read_armies(setup, "ades:2.1", 2, 2)]
    for number, source in enumerate(setups.read_armies(setup, "ades:2.1", 2, 2)):
        findings = listbuilding.check_army(source)
        setups.check_legal(findings, TEXTS, f"setup.armies[{number}]")
    format = max(army.format for army in armies)
    seats = setups.read_seats(setup.get("seats"), 2)
    side = cm(scenarios.table_side(format))
    battle = Battle(seats, _table(setup, side), house, scenario, _library(armies))
    battle.format = format
    battle.formats = tuple(dict.fromkeys(word for army in armies for word in army.formats))
    battle.turns = scenarios.duration(format, scenarios.SCENARIOS[scenario].duration)
    battle.cite("ades:9.1.3", "ades:9.1.1", "ades:2.6", "ades:2.1", "ades:2.4", "ades:0-units")
    for seat, army in zip(seats, armies, strict=True):
        muster(battle, seat, army)
    battle.preface = tuple(battle.cited)
    return battle


def _library(armies: list[Army]) -> Library:
    made = books().library()
    for army in armies:
        more = army.books.library()
        made = Library(made.profiles | more.profiles, made.powers | more.powers, made.nexus | more.nexus)
    return made


def _table(setup: dict[str, Any], side: float) -> Table:
    seed = setups.terrain_seed(setup)
    if seed is not None:
        return _seeded(seed, side)
    bare = Table(side, side)
    pieces = read_pieces(setup["terrain"], bare)
    scenery.check(pieces, side)
    return bare.with_pieces(pieces)


@lru_cache(maxsize=64)
def _seeded(seed: int, side: float) -> Table:
    """ades:9.1.2  The scenery a seed lays, neither too little nor too much; tables never change, so games share one."""
    bare, across = Table(side, side), side / cm(1)
    while True:
        pieces = read_pieces(LAYOUTS[round(across)].lay(seed, across, across), bare)
        if scenery.enough(pieces, side):
            return bare.with_pieces(pieces)
        seed += ANOTHER


def muster(battle: Battle, seat: str, army: Army) -> None:
    """ades:2.5-content, ades:2.7.4-minimise  A side with its cards, fighters, machines and nexus."""
    side = fielding.add_side(battle, seat, army.name, army.army, army.format)
    side.affiliation = army.affiliation
    if army.affiliation and "affiliations" in army.formats:
        costs = army.books.affiliations[army.affiliation].costs
        side.affiliation_costs = costs if len(costs) == 5 else ()
    battle.cite("ades:2.5-content", "ades:2.7.4-minimise", "ades:2.7.4-capacity", "ades:2.2", *army_value.applied(army))
    for recruit in army.units:
        key = recruit.id if not _taken(battle, recruit.id) else f"{seat}-{recruit.id}"
        if recruit.profile.war_weapon:
            for number in range(recruit.count):
                fielding.add_weapon(battle, seat, recruit.profile, key if recruit.count == 1 else f"{key}.{number + 1}")
        else:
            _fighters(battle, seat, army, recruit, key)
    for name in army.nexus:
        fielding.add_nexus(battle, seat, army.books.nexus[name], f"{seat}-nexus{len(battle.things) + 1}")
    heroes = [f for f in battle.fighters.values() if f.seat == seat and f.profile.incarnate]
    named = [f for f in heroes if f.name == army.commander]
    if named or len(heroes) == 1:
        side.commander = (named or heroes)[0].id
        battle.cite("ades:5.1", "ades:2.5-commander")


def _taken(battle: Battle, key: str) -> bool:
    return any(k == key or k.startswith(f"{key}.") for k in (*battle.fighters, *battle.things, *battle.cards))


def _fighters(battle: Battle, seat: str, army: Army, recruit: Recruit, key: str) -> None:
    number = 0
    for index, count in enumerate(army_value.cards_of(recruit), 1):
        card = key if len(army_value.cards_of(recruit)) == 1 else f"{key}-{index}"
        val = army_value.adjusted(army, recruit, count)
        ids = []
        for _ in range(count):
            number += 1
            fighter_id = key if recruit.count == 1 else f"{key}.{number}"
            name = recruit.name if recruit.count == 1 else f"{recruit.name} {number}"
            ids.append(fighter_id)
            fighter = fielding.add_fighter(battle, seat, fighter_id, name, recruit.profile, card, val)
            outfit(battle, army, recruit, fighter)
        fielding.add_card(battle, seat, card, recruit.name, ids)
        if recruit.profile.titan:
            fielding.add_titan_cards(battle, battle.fighters[ids[0]])


def outfit(battle: Battle, army: Army, recruit: Recruit, fighter: Fighter) -> None:
    """ades:2.8-cost, ades:2.9.3, ades:2.9.4.1-benefit
    What was bought for a fighter, and what a foreign Incarnate loses."""
    fighter.names = (*fighter.names, *army_value.bought_skills(army, recruit))
    fighter.artefacts = recruit.artefacts
    fighter.formulas = recruit.formulas
    for artefact in recruit.artefacts:
        fielding.wear(battle, fighter, army.books.artefacts[artefact].power)
    if army_value.stripped(army, recruit.profile):
        fielding.strip(battle, fighter)
