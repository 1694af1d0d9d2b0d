"""The lists in docs/cases-wh40k.md, made from the game itself; `python -m tests.wh40k.page` writes them anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.wh40k.abilities import base
from grognard.games.wh40k.army import cards
from grognard.games.wh40k.cases import measures, state
from grognard.games.wh40k.terrain import KINDS
from tests.docs.lists import Lists, head, names, page_of, row, write
from tests.wh40k.field import RULES, battle

PAGE = page_of("wh40k")
LISTS = Lists(RULES)
#: Questions whose names are put together where they are asked.
PICKS = (
    "formation.",
    "go-to-ground",
    "smokescreen",
    "attack.allocate",
    "mortal.allocate",
    "escape.lost",
    "hazardous.model",
)


def terrain() -> list[str]:
    rows = head("kind", "usual height", "rule")
    return rows + [row(f"`{kind}`", f"{high:g}", rule) for kind, (_, rule, high) in KINDS.items()]


def abilities() -> list[str]:
    rows = head("of", "written", "rule")
    for what, registry in (("weapons", base._WEAPONS), ("models", base._CORE)):
        known = dict.fromkeys(registry._classes.values())
        rows += [row(what, f"`{_written(each)}`", each.rule) for each in known]
    return rows


def _written(ability: Any) -> str:
    takes = str(getattr(ability, "takes", "") or "")
    return f"{ability.name}{takes}" if takes.startswith("-") else f"{ability.name} {takes}".strip()


def sheets() -> list[str]:
    every = cards.datasheets()
    book = names(name for name, sheet in every.items() if not sheet.ours)
    ours = names(name for name, sheet in every.items() if sheet.ours)
    return [f"Of the book: {book}. Our own: {ours}. Starter armies: {names(cards.starters())}."]


def fields() -> list[str]:
    units = {"lads": {"side": "red", "datasheet": "Levies", "at": [20, 20]}}
    ruin = {"id": "ruin", "kind": "ruins", "at": [40, 20], "size": [6, 6]}
    there = battle(units, terrain=[ruin], markers=[{"id": "post", "at": [30, 30]}])
    shown = {"a model": "lads.1", "a unit": "lads", "a seat": "red", "a marker": "post", "terrain": "ruin"}
    rows = head("of", "fields")
    rows += [row(what, names(state.state(there, thing))) for what, thing in shown.items()]
    return [*rows, row("`battle`", names(state.state(there, "battle")))]


NUMBERS = {
    "distance": "inches between two models, the nearest models of two units, or one of these and a marker",
    "visible": "whether a model or unit sees another",
    "fully_visible": "whether a model sees every part of another that faces it, or of all models of a unit",
    "covered": "the models of the target that have the Benefit of Cover from the attacker, a list",
    "engaged": "the enemy units within Engagement Range, a list",
    "below_half": "whether the unit is below half-strength",
    "coherent": "whether the unit is in coherency",
    "leadership": "its best Leadership, with its why",
    "toughness": "the Toughness attacks on it are made against, with its why",
    "wound": "the Wound roll needed, with its why",
}


def numbers() -> list[str]:
    rows = head("measure", "arguments", "what it is")
    return rows + [
        row(f"`{name}`", names(known), NUMBERS.get(name, "")) for name, (_, known) in measures.MEASURES.items()
    ]


MAKERS: dict[str, Callable[[], list[str]]] = {
    "abilities": abilities,
    "datasheets": sheets,
    "events": LISTS.events,
    "findings": lambda: LISTS.findings("army."),
    "house-rules": LISTS.houses,
    "numbers": numbers,
    "odds": LISTS.odds,
    "options": LISTS.options,
    "questions": lambda: LISTS.questions(PICKS),
    "rolls": LISTS.rolls,
    "state": fields,
    "terrain": terrain,
}


if __name__ == "__main__":
    write(PAGE, MAKERS)
