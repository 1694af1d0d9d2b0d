"""The lists in docs/cases-t9a.md, made from the game itself; `python -m tests.t9a.page` writes them anew."""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.t9a.abilities import every
from grognard.games.t9a.army import cards, items
from grognard.games.t9a.army.spells import Version, known_paths
from grognard.games.t9a.cases import given, measures, state
from grognard.games.t9a.ruleset import T9a
from grognard.games.t9a.table.terrain import KINDS
from tests.docs.lists import Lists, head, names, page_of, row, write

RULES = T9a()
PAGE = page_of("t9a")
LISTS = Lists(RULES)
#: Questions whose names are handed to what asks them.
NAMED_ELSEWHERE = dict.fromkeys(("move.where", "move.advance", "magic.move"), "place") | dict.fromkeys(
    ("break.order", "combat-reform.order", "flee.order", "pursuit.order"), "order"
)
NAMED_ELSEWHERE |= dict.fromkeys((f"{when}.reform" for when in ("magic", "move", "post", "rally", "vanguard")), "place")
NAMED_ELSEWHERE |= dict.fromkeys(("melee.breath", "shoot.breath", "unit.size", "unit.type"), "pick")
NAMED_ELSEWHERE |= dict.fromkeys(("casualties.musician", "casualties.standard"), "pick")
NAMED_ELSEWHERE["overrun"] = "pick, then roll"
NAMED_ELSEWHERE["crumble.share"] = "split"


def terrain() -> list[str]:
    rows = head("kind", "cover", "dangerous", "rule")
    for kind in KINDS.values():
        cover = ", ".join(f"{how} {what}" for how, what in (("inside", kind.inside), ("behind", kind.behind)) if what)
        danger = ", ".join(f"{who or 'others'} ({x})" for who, x in kind.danger)
        rows.append(row(f"`{kind.name}`", cover, danger, kind.rule))
    return rows


def abilities() -> list[str]:
    rows = head("kind", "written", "French", "rule")
    for trait in every():
        written = {"X": f"{trait.name} (X)", "?": f"{trait.name} or {trait.name} (X)"}.get(trait.takes, trait.name)
        rows.append(row(trait.kind, f"`{written}`", trait.french, trait.rule))
    return rows


def profiles() -> list[str]:
    found = cards.profiles()
    book = names(name for name, profile in found.items() if not profile.ours)
    ours = names(name for name, profile in found.items() if profile.ours)
    return [f"Of the book: {book}. Our own: {ours}. Starter armies: {names(cards.starters())}."]


def special_items() -> list[str]:
    rows = head("item", "category", "points", "what it does")
    for item in items.known().values():
        words = [f"{stat} {op} {n}" for stat, op, n in item.stats] + list(item.rules)
        words += [f"{item.bound[0]} ({item.bound[1]}/{item.bound[2]})"] if item.bound else []
        words += [f"of the {item.scope}"] if item.scope != "bearer" else []
        words += [f"on {' or '.join(item.on)}"] if item.on else []
        words += [item.once] if item.once else []
        words += ["dominant"] if item.dominant else []
        rows.append(row(f"`{item.name}`", item.category, str(item.points), ", ".join(words)))
    return rows


def spells() -> list[str]:
    rows = head("spell", "name", "versions")
    for path in known_paths().values():
        for spell in path.values():
            versions = "; ".join(_version(version) for version in spell.versions)
            rows.append(row(f"`{spell.key}`", spell.name + (" (replicable)" if spell.replicable else ""), versions))
    return rows


def _version(version: Version) -> str:
    words = [f"{version.value}+"] if version.value else []
    words += [*version.types, *([f'{version.range:g}"'] if version.range else []), version.duration]
    return ", ".join([*words, *(f"`{key}: {value}`".replace("'", "") for key, value in version.effect.items())])


def fields() -> list[str]:
    house = {name: rule.default for name, rule in RULES.house_rules.items()}
    units = {
        "spears": {"side": "red", "profile": "League Spears", "models": 10, "at": [20, 20], "champion": True},
        "captain": {"side": "red", "profile": "League Captain", "in": "spears"},
    }
    there = given.create({"units": units, "markers": [{"id": "post", "at": [30, 30]}]}, house)
    shown = {
        "a unit": "spears",
        "a model with a pool of its own": "spears.champion",
        "one of the Rank-and-File": "spears.1",
        "a seat": "red",
        "a marker": "post",
    }
    rows = head("of", "fields")
    rows += [row(what, names(state.state(there, thing))) for what, thing in shown.items()]
    return [*rows, row("`battle`", names(state.state(there, "battle")))]


def numbers() -> list[str]:
    return [names(measures.MEASURES) + "."]


MAKERS: dict[str, Callable[[], list[str]]] = {
    "abilities": abilities,
    "events": LISTS.events,
    "findings": lambda: LISTS.findings("finding."),
    "house-rules": LISTS.houses,
    "numbers": numbers,
    "odds": LISTS.odds,
    "options": LISTS.options,
    "profiles": profiles,
    "items": special_items,
    "questions": lambda: LISTS.questions(kinds=NAMED_ELSEWHERE),
    "spells": spells,
    "rolls": LISTS.rolls,
    "state": fields,
    "terrain": terrain,
}


if __name__ == "__main__":
    write(PAGE, MAKERS)
