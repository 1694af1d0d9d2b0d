"""The lists in docs/cases-ades.md, made from the game itself; `python -m tests.ades.page` writes them anew."""

from __future__ import annotations

import ast
from collections.abc import Callable

from grognard.games.ades.abilities import kinds as skills
from grognard.games.ades.army import cards
from grognard.games.ades.cases import given, measures, state
from grognard.games.ades.ruleset import Ades
from grognard.games.ades.scenarios import scenarios
from grognard.games.ades.table.terrain import KINDS
from tests.docs.lists import ASKS, Lists, head, names, page_of, row, said, write

RULES = Ades()
PAGE = page_of("ades")
LISTS = Lists(RULES)
#: Data that is not written out where the event is told.
MORE = {"game.over": ("winner", "why", "score")}


def _asked(call: ast.Call) -> str:
    """What sort of question a call makes, or nothing."""
    return ASKS.get(call.func.id, "") if isinstance(call.func, ast.Name) and len(call.args) > 1 else ""


def _askers() -> dict[str, tuple[int, str]]:
    """Scripts that are told the name of what they ask: at which place, and what sort of question it is."""
    found = {}
    for node in LISTS.nodes():
        if isinstance(node, ast.FunctionDef):
            parameters = [argument.arg for argument in node.args.args]
            for call in (part for part in ast.walk(node) if isinstance(part, ast.Call)):
                named = call.args[1] if _asked(call) else None
                if isinstance(named, ast.Name) and named.id in parameters:
                    found[node.name] = (parameters.index(named.id), _asked(call))
    return found


def kinds() -> dict[str, list[str]]:
    """What sorts of question each name is, as it is written out where it is asked."""
    found: dict[str, list[str]] = {}
    askers = _askers()
    for call in LISTS.calls():
        called = getattr(call.func, "id", "") or getattr(call.func, "attr", "")
        place, sort = (1, _asked(call)) if _asked(call) else askers.get(called, (0, ""))
        for name in said(call.args[place]) if sort and len(call.args) > place else ():
            found[name] = list(dict.fromkeys([*found.get(name, ()), sort]))
    return found


def questions() -> list[str]:
    """A name that is also that of a test is a roll as well."""
    sorts = kinds()
    rows = head("name", "kind", "text")
    for name, text in LISTS.texts("ask.").items():
        rolled = ["roll"] if f"roll.{name}" in RULES.texts else []
        rows.append(row(f"`{name}`", ", ".join(dict.fromkeys([*sorts.get(name, ()), *rolled])), text))
    return rows


def terrain() -> list[str]:
    rows = head("kind", "sight", "usual height", "ground")
    return rows + [
        row(f"`{kind}`", sight, f"{high:g}", ", ".join(traits)) for kind, (sight, high, traits) in KINDS.items()
    ]


def missions() -> list[str]:
    rows = head("scenario", "title", "what it is")
    return rows + [row(f"`{plan.id}`", plan.title, plan.summary) for plan in scenarios.SCENARIOS.values()]


WRITTEN = {
    "": "{name}", "number": "{name}/X", "stats": "{name}/STAT", "words": "{name}/word", "pair": "{name}/X/Y",
    "mystic": "{name} (X/elements/ways)",
}  # fmt: skip


def abilities() -> list[str]:
    rows = head("written", "in the book", "rule")
    return rows + [row(f"`{WRITTEN[each.takes].format(name=each.name)}`", each.french, each.rule) for each in skills()]


def sheets() -> list[str]:
    known = cards.books()
    parts = {
        "Cards": known.profiles, "Formulas": known.powers, "Artefacts": known.artefacts, "Nexus": known.nexus,
        "Affiliations": known.affiliations, "Starter armies": cards.starters(),
    }  # fmt: skip
    return ["\n\n".join(f"{what}: {names(things)}." for what, things in parts.items())]


def fields() -> list[str]:
    there = given.create(
        {
            "terrain": [{"id": "wood", "kind": "wood", "at": [40, 20], "size": [10, 10]}],
            "fighters": {"warden": {"side": "red", "profile": "Warden", "at": [20, 20], "card": "wardens"}},
            "things": {"relic": {"kind": "token", "at": [30, 30]}},
        },
        {name: rule.default for name, rule in RULES.house_rules.items()},
    )
    shown = {
        "a fighter": "warden", "a card": "wardens", "a seat": "red", "a thing": "relic", "scenery": "wood",
        "`neutral`": "neutral", "`battle`": "battle",
    }  # fmt: skip
    return head("of", "fields") + [row(what, names(state.state(there, thing))) for what, thing in shown.items()]


def numbers() -> list[str]:
    """What a measure is stands in its docstring, after the rules."""
    rows = head("measure", "arguments", "what it is", "rules")
    for name, (_, known) in measures.MEASURES.items():
        rule, _, text = (getattr(measures, name).__doc__ or "").partition("  ")
        rows.append(row(f"`{name}`", names(known), text.strip(), rule))
    return rows


MAKERS: dict[str, Callable[[], list[str]]] = {
    "abilities": abilities,
    "cards": sheets,
    "events": lambda: LISTS.events(MORE),
    "findings": LISTS.findings,
    "house-rules": LISTS.houses,
    "numbers": numbers,
    "odds": LISTS.odds,
    "options": LISTS.options,
    "questions": questions,
    "scenarios": missions,
    "rolls": LISTS.rolls,
    "state": fields,
    "terrain": terrain,
}


if __name__ == "__main__":
    write(PAGE, MAKERS)
