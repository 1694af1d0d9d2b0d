"""The lists in docs/cases-wfb3.md, made from the game itself; `python -m tests.wfb3.page` writes them anew."""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.wfb3.abilities import ABILITIES
from grognard.games.wfb3.army import cards
from grognard.games.wfb3.army.spells import SPELLS
from grognard.games.wfb3.army.weapons import MISSILES, WEAPONS
from grognard.games.wfb3.cases import given, measures, state
from grognard.games.wfb3.ruleset import Wfb3
from grognard.games.wfb3.table.terrain import KINDS
from tests.docs.lists import Lists, head, names, page_of, row, write

RULES = Wfb3()
PAGE = page_of("wfb3")
LISTS = Lists(RULES)


def terrain() -> list[str]:
    rows = head("kind", "ground", "cover", "sight", "rule")
    for kind in KINDS.values():
        ground = f"{kind.ground}, below the plain" if kind.negative else kind.ground
        rows.append(row(f"`{kind.name}`", ground, kind.cover, kind.sight, kind.rule))
    return rows


def abilities() -> list[str]:
    rows = head("written", "French", "rule")
    for kind in ABILITIES:
        forms = (kind.takes,) if isinstance(kind.takes, str) else kind.takes
        written = " or ".join(f"`{kind.name} {takes}`" if takes else f"`{kind.name}`" for takes in forms)
        rows.append(row(written, kind.french, kind.rule))
    return rows


def creatures() -> list[str]:
    return [f"Creatures: {names(cards.bestiary())}. Starter armies: {names(cards.starters())}."]


def arms() -> list[str]:
    return [f"Weapons: {names(WEAPONS)}. Missile weapons: {names(MISSILES)}."]


def spells() -> list[str]:
    rows = head("spell", "level", "magic points", "reach", "cast on")
    for spell in SPELLS.values():
        rows.append(row(f"`{spell.name}`", f"{spell.level}", f"{spell.cost}", f"{spell.reach:g}", spell.on))
    return rows


def fields() -> list[str]:
    house = {name: rule.default for name, rule in RULES.house_rules.items()}
    units = {
        "spears": {"side": "red", "creature": "Human", "count": 10, "at": [20, 20]},
        "captain": {"side": "red", "creature": "Human", "level": 5, "joins": "spears"},
        "cars": {
            "side": "red", "chariot": {"team": "Horse", "beasts": 2}, "crew": [{"creature": "Human"}], "at": [40, 20],
        },
        "gun": {"side": "blue", "creature": "Human", "count": 3, "machines": [{"engine": "cannon"}], "at": [30, 40]},
        "bats": {"side": "blue", "creature": "Giant Bat", "count": 2, "at": [60, 40]},
    }  # fmt: skip
    house_piece = {"id": "mill", "kind": "building", "at": [50, 30], "size": [4, 4]}
    there = given.create({"units": units, "terrain": [house_piece]}, house)
    shown = {
        "a unit": "spears",
        "a model": "spears.1",
        "a chariot or a beast": "cars.1" if "cars.1" in there.models else there.units["cars"].models[0],
        "a machine": next(iter(there.machines)),
        "a section/level of a building": next(iter(there.rooms)),
        "a piece of terrain": "mill",
        "a seat": "red",
        "`battle`": "battle",
    }
    rows = head("of", "fields") + [row(what, names(state.state(there, thing))) for what, thing in shown.items()]
    plain = state.state(there, "spears")
    rows.append(row("flyers besides", names([key for key in state.state(there, "bats") if key not in plain])))
    return rows


def numbers() -> list[str]:
    rows = head("number", "arguments")
    return rows + [row(f"`{name}`", names(measure.takes)) for name, measure in measures.MEASURES.items()]


MAKERS: dict[str, Callable[[], list[str]]] = {
    "abilities": abilities,
    "arms": arms,
    "creatures": creatures,
    "events": LISTS.events,
    "findings": lambda: LISTS.findings("army."),
    "house-rules": LISTS.houses,
    "numbers": numbers,
    "odds": LISTS.odds,
    "options": LISTS.options,
    "questions": lambda: LISTS.questions(("referee.",)),
    "spells": spells,
    "rolls": LISTS.rolls,
    "state": fields,
    "terrain": terrain,
}


if __name__ == "__main__":
    write(PAGE, MAKERS)
