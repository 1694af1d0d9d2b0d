"""Chapter 8: List building: size, categories, duplication, the minimum army, the General, options and items."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from grognard.games.t9a.army.cards import Army, Recruit, load_army
from grognard.games.t9a.army.items import ITEMS
from grognard.kernel.ruleset import Finding


def format_of(limit: int) -> str:
    """t9a:8.C, t9a:8.C-patrol, t9a:8.C-grand  Ruling: the format follows the agreed limit."""
    return "patrol" if limit <= 3000 else "grand" if limit >= 8000 else "battle"


def scaled(limit: int, most: int) -> int:
    """t9a:8.B.c.1  0-X per army: half in a Patrol, rounded up, twice in a Grand Army."""
    kind = format_of(limit)
    return math.ceil(most / 2) if kind == "patrol" else 2 * most if kind == "grand" else most


def check_army(army: Any) -> list[Finding]:
    return check(load_army(army))


def check(army: Army) -> list[Finding]:
    """Everything the book says against an army list."""
    return [
        *_size(army),
        *_categories(army),
        *_limits(army),
        *_minimum(army),
        *_general(army),
        *(f for unit in army.units for f in _unit(army, unit)),
        *_items(army),
    ]


def army_rules(source: Any) -> tuple[str, ...]:
    """The rules of list building that have a say in an army list, also where it keeps to them."""
    army = load_army(source)
    units, kind = army.units, format_of(army.limit)
    entries = [unit.entry for unit in units]
    heroes = [unit for unit in units if "Characters" in unit.entry.category]
    command = any(unit.champion or unit.musician or unit.standard for unit in units)
    options = [unit.entry.options[key] for unit in units for key in unit.options]
    mounts = [unit.entry.mounts[unit.mount] for unit in units if unit.mount]
    limited = any(entry.limit or entry.model_limit for entry in entries) or any(o.limit or o.models for o in options)
    items = any(unit.items or unit.banner for unit in units)
    unique = items or any(e.unique for e in entries) or any(o.unique for o in options) or any(m.unique for m in mounts)
    said: dict[str, object] = {
        "8.A": True, "8.A.a": True, "8.B.a": True, "8.B.b": True, "8.B.b.1": heroes,
        "8.B.b.2": "Core" in army.book.categories, "8.B.b.3": any("Special" in e.category for e in entries),
        "8.B.b.4": any({*e.category} - {"Characters", "Core", "Special"} for e in entries),
        "8.B.b.5": any(len(e.category) > 1 for e in entries), "8.B.b.6": any(o.category for o in options),
        "8.B.b.7": any(m.category for m in mounts), "8.B.c": True, "8.B.c.1": limited or any(m.limit for m in mounts),
        "8.B.c.2": unique, "8.B.c.3": True, "8.B.c.4": heroes,
        "8.B.c.3-warmachines": any(e.profile.has("war-machine") for e in entries),
        "8.C": kind != "battle", "8.C-patrol": kind == "patrol", "8.C-grand": kind == "grand",
        "8.D": True, "8.D.a.1": True, "8.D.a.1-cost": any(e.least < e.most for e in entries), "8.D.a.2": True,
        "8.D.a.3": options or command, "8.D.a.3-command": command, "8.D.a.3-nested": any(u.banner for u in units),
        "8.D.a.3-limited": any(o.limit or o.most or o.models for o in options),
        "8.D.a.3-unlimited": any(not (o.limit or o.most or o.models) for o in options),
        "8.D.a.3-choose": any(o.group for o in options), "8.D.b": heroes,
        "8.D.b-limit": any(unit.entry.limit for unit in heroes), "8.D.b-wizard": any(unit.level for unit in units),
        "8.D.b-items": items, "22": items, "8.D.b-mount": mounts, "8.D.c": mounts,
        "8.D.c-mountlimit": any(m.limit for m in mounts), "13.B-path": any(unit.path for unit in units),
    }  # fmt: skip
    return tuple(f"t9a:{rule}" for rule, has_a_say in said.items() if has_a_say)


def _size(army: Army) -> list[Finding]:
    """t9a:8.B.a  At most 40 points under the limit, never over."""
    total = army.points
    if total > army.limit:
        return [Finding("finding.over", "t9a:8.B.a", {"points": total, "limit": army.limit}, also=("t9a:8.A.a",))]
    if total < army.limit - 40:
        facts = {"points": total, "least": army.limit - 40}
        return [Finding("finding.under", "t9a:8.B.a", facts, also=("t9a:8.A.a",))]
    return []


def spending(army: Army) -> dict[str, int]:
    """t9a:8.B.b.5, t9a:8.B.b.6, t9a:8.B.b.7
    Points by category: a unit counts in full in each of its own, an option's extra one as it says."""
    spent = dict.fromkeys(army.book.categories, 0)
    for unit in army.units:
        own = list(unit.entry.category)
        for key in unit.options:
            extra = unit.entry.options[key].category
            if extra and extra not in own:
                own.append(extra)
        for name in own:
            spent[name] = spent.get(name, 0) + unit.points
        if unit.mount:
            mount = unit.entry.mounts[unit.mount]
            if mount.category and mount.category not in own:
                spent[mount.category] = spent.get(mount.category, 0) + mount.points
    return spent


def _categories(army: Army) -> list[Finding]:
    """t9a:8.B.b, t9a:8.B.b.1, t9a:8.B.b.2, t9a:8.B.b.3, t9a:8.B.b.4
    Shares of the agreed points; Characters and Core must be there.

    Ruling: percentages are of the agreed limit, compared exactly.
    """
    found = []
    spent = spending(army)
    rules = {"Characters": "t9a:8.B.b.1", "Core": "t9a:8.B.b.2", "Special": "t9a:8.B.b.3"}
    for name, bounds in army.book.categories.items():
        rule = rules.get(name, "t9a:8.B.b.4")
        facts = {"category": name, "points": spent[name]}
        if "most" in bounds and spent[name] * 100 > bounds["most"] * army.limit:
            facts["percent"] = bounds["most"]
            found.append(Finding("finding.category-most", rule, facts, also=("t9a:8.B.b", *_cause(army, name))))
        if "least" in bounds and spent[name] * 100 < bounds["least"] * army.limit:
            facts["percent"] = bounds["least"]
            found.append(Finding("finding.category-least", rule, facts, also=("t9a:8.B.b", *_cause(army, name))))
    for name in ("Characters", "Core"):
        if not any(name in u.entry.category for u in army.units):
            facts = {"category": name}
            found.append(Finding("finding.category-missing", "t9a:8.B.b", facts, also=(rules[name],)))
    return found


def _cause(army: Army, name: str) -> tuple[str, ...]:
    """t9a:8.B.b.5, t9a:8.B.b.6, t9a:8.B.b.7  The rules by which points count in a category besides a unit's own."""
    found = []
    for unit in army.units:
        if len(unit.entry.category) > 1 and name in unit.entry.category:
            found.append("t9a:8.B.b.5")
        if any(unit.entry.options[key].category == name for key in unit.options):
            found.append("t9a:8.B.b.6")
        if unit.mount and unit.entry.mounts[unit.mount].category == name:
            found.append("t9a:8.B.b.7")
    return tuple(dict.fromkeys(found))


def _limits(army: Army) -> list[Finding]:
    """t9a:8.B.c.1, t9a:8.B.c.2, t9a:8.D.b-limit, t9a:8.D.c-mountlimit, t9a:8.D.a.3-limited
    0-X per army and Unique: entries, mounts, options (t9a:8.D.b, t9a:8.D.c)."""
    found = []
    for name, count in Counter(u.entry.name for u in army.units).items():
        entry = army.book.entries[name]
        rule = ("t9a:8.D.b-limit", "t9a:8.D.b") if entry.profile.is_character else ("",)
        found += _over(army, name, count, entry.limit, entry.unique, *rule)
        many = sum(u.models for u in army.units if u.entry.name == name)
        found += _over(army, name, many, entry.model_limit, False)
    for name, count in Counter(u.mount for u in army.units if u.mount).items():
        mounts = [u.entry.mounts[name] for u in army.units if u.mount == name]
        most = min((m.limit for m in mounts if m.limit), default=0)
        unique = any(m.unique for m in mounts)
        found += _over(army, name, count, most, unique, "t9a:8.D.c-mountlimit", "t9a:8.D.c")
    for (name, key), count in Counter((u.entry.name, key) for u in army.units for key in u.options).items():
        option = army.book.entries[name].options[key]
        found += _over(army, key, count, option.limit, option.unique, "t9a:8.D.a.3-limited", "t9a:8.D.a.3")
        many = sum(u.models for u in army.units if u.entry.name == name and key in u.options)
        found += _over(army, key, many, option.models, False, "t9a:8.D.a.3-limited", "t9a:8.D.a.3")
    standards = sum(u.bsb for u in army.units)
    return [*found, *_over(army, "Battle Standard Bearer", standards, 0, True, "t9a:21.A.b.17")]


def _over(army: Army, what: str, count: int, limit: int, unique: bool, *rules: str) -> list[Finding]:
    """t9a:8.B.c  More of something than its 0-X allows in an army of this format, or more than one of what is
    Unique.
    """
    also = tuple(r for r in rules if r)
    if unique and count > 1:
        return [Finding("finding.unique", "t9a:8.B.c.2", {"what": what, "count": count, "most": 1}, also=also)]
    if not limit or count <= scaled(army.limit, limit):
        return []
    by_format = {"patrol": ("t9a:8.C-patrol", "t9a:8.C"), "grand": ("t9a:8.C-grand", "t9a:8.C"), "battle": ()}
    told = (*also, *by_format[format_of(army.limit)], "t9a:8.B.c.1", "t9a:8.B.c")
    facts = {"what": what, "count": count, "most": scaled(army.limit, limit)}
    return [Finding("finding.limit", told[0], facts, also=told[1:])]


def _minimum(army: Army) -> list[Finding]:
    """t9a:8.B.c.3, t9a:8.B.c.3-warmachines  Four units besides Characters (three in a Patrol); War Machines count
    as one.
    """
    others = [u for u in army.units if "Characters" not in u.entry.category]
    machines = [u for u in others if u.profile.has("war-machine")]
    count = len(others) - len(machines) + (1 if machines else 0)
    least = 3 if format_of(army.limit) == "patrol" else 4
    if count < least:
        also = (
            *(["t9a:8.B.c.3-warmachines"] if len(machines) > 1 else []),
            *(["t9a:8.C-patrol", "t9a:8.C"] if least == 3 else []),
            "t9a:8.B.c",
        )
        return [Finding("finding.too-few", "t9a:8.B.c.3", {"count": count, "least": least}, also=also)]
    return []


def _general(army: Army) -> list[Finding]:
    """t9a:8.B.c.4  One Character is named General; not the Battle Standard Bearer, nobody who is Not a Leader."""
    named = [u for u in army.units if u.general]
    if len(named) != 1:
        return [Finding("finding.general", "t9a:8.B.c.4", {"count": len(named)}, also=("t9a:8.B.b.1",))]
    unit = named[0]
    if not unit.profile.is_character or unit.bsb or unit.profile.has("not-a-leader"):
        barred = ["t9a:21.A.b.17"] if unit.bsb else []
        if unit.bsb or unit.profile.has("not-a-leader"):
            barred.append("t9a:21.A.b.32")
        return [Finding("finding.no-leader", "t9a:8.B.c.4", {"unit": unit.name}, also=("t9a:8.B.b.1", *barred))]
    return []


def _unit(army: Army, unit: Recruit) -> list[Finding]:
    """t9a:8.D.a.1, t9a:8.D.a.3
    One unit: its size, command group, options, wizardry (t9a:8.D.a.3-nested, t9a:8.D.a.3-choose)."""
    found = []
    entry = unit.entry
    if not entry.least <= unit.models <= entry.most:
        found.append(
            Finding(
                "finding.models",
                "t9a:8.D.a.1",
                {"unit": unit.name, "models": unit.models, "least": entry.least, "most": entry.most},
                also=("t9a:8.D",),
            )
        )
    for key, has in (("champion", unit.champion), ("musician", unit.musician), ("standard", unit.standard)):
        if has and key not in entry.command:
            found.append(Finding("finding.command", "t9a:8.D.a.3-command", {"unit": unit.name, "who": key}))
    if (called := unit.champion + unit.musician + unit.standard) > unit.models:
        found.append(Finding("finding.models-short", "t9a:8.D.a.3-command", {"unit": unit.name, "count": called}))
    if unit.bsb and entry.bsb is None:
        found.append(Finding("finding.command", "t9a:21.A.b.17", {"unit": unit.name, "who": "battle standard"}))
    if unit.banner and not (unit.standard or unit.bsb):
        found.append(Finding("finding.nested", "t9a:8.D.a.3-nested", {"unit": unit.name, "what": unit.banner[0]}))
    groups = Counter(entry.options[k].group for k in unit.options if entry.options[k].group)
    for group, count in groups.items():
        if count > 1:
            found.append(Finding("finding.choose-one", "t9a:8.D.a.3-choose", {"unit": unit.name, "group": group}))
    for key in unit.options:
        option = entry.options[key]
        if option.most and unit.models > option.most:
            found.append(
                Finding("finding.capped", "t9a:8.D.a.3-limited", {"unit": unit.name, "what": key, "most": option.most})
            )
        if option.needs and option.needs not in unit.options:
            found.append(Finding("finding.nested", "t9a:8.D.a.3-nested", {"unit": unit.name, "what": key}))
    return found + _compulsory(unit) + _wizard(unit)


def _compulsory(unit: Recruit) -> list[Finding]:
    """t9a:8.D.a.3  Compulsory upgrades: each of them, or one of a choose-one block of them."""
    entry = unit.entry
    taken = {entry.options[k].group for k in unit.options if entry.options[k].group}
    missing = [
        option
        for key, option in entry.options.items()
        if option.must and key not in unit.options and not (option.group and option.group in taken)
    ]
    return [
        Finding("finding.compulsory", "t9a:8.D.a.3", {"unit": unit.name, "what": option.name}) for option in missing
    ]


def _wizard(unit: Recruit) -> list[Finding]:
    """t9a:8.D.b-wizard, t9a:13.B-path  A level the entry has, and a Path it may choose, written on the list."""
    if not unit.level:
        return []
    if unit.level not in unit.entry.wizard:
        facts = {"unit": unit.name, "level": unit.level}
        return [Finding("finding.wizard", "t9a:8.D.b-wizard", facts, also=("t9a:8.D.b",))]
    if unit.path not in unit.entry.paths and not unit.profile.has("protean-magic"):
        facts = {"unit": unit.name, "path": unit.path}
        return [Finding("finding.path", "t9a:13.B-path", facts, also=("t9a:8.D.b-wizard", "t9a:8.D.b"))]
    return []


def _items(army: Army) -> list[Finding]:
    """t9a:22, t9a:22.A.a, t9a:22.A.b, t9a:22.A.c, t9a:22.A.d, t9a:22.B.a, t9a:8.D.b-items, t9a:8.B.c.2
    Special Items: allowance, categories, Dominant, Unique."""
    found = []
    every = Counter(name for u in army.units for name in [*(i for i, _ in u.items), *u.banner])
    for name, count in every.items():
        if count > 1 and ITEMS[name].unique:
            found.append(Finding("finding.unique", "t9a:22", {"what": name}, also=("t9a:8.B.c.2",)))
    for unit in army.units:
        found += _carried(unit)
    return found


def _carried(unit: Recruit) -> list[Finding]:
    """t9a:22.A, t9a:22.A.a, t9a:22.A.b, t9a:22.A.c, t9a:22.A.d
    What one unit carries: points, how many of each category, what they may enchant."""
    kinds = Counter(ITEMS[n].category for n, _ in unit.items)
    banners = [*unit.banner, *(n for n, _ in unit.items if ITEMS[n].category == "banner")]
    flags = 2 if unit.bsb else 1
    pieces = Counter(_piece(n, on) for n, on in unit.items if ITEMS[n].category == "armour")
    found = _allowance(unit)
    for rule, count, most in (
        ("t9a:22.A.a", kinds["weapon"], 1),
        ("t9a:22.A.b", max(pieces.values(), default=0), 1),
        ("t9a:22.A.c", len(banners), flags),
        ("t9a:22.A.d", kinds["artefact"], 2),
    ):
        if count > most:
            facts = {"unit": unit.name, "most": most, "count": count}
            found.append(Finding("finding.items", rule, facts, also=("t9a:22.A",)))
    if kinds["banner"] and not (unit.standard or unit.bsb):
        found.append(Finding("finding.nested", "t9a:22.A.c", {"unit": unit.name, "what": banners[-1]}))
    if sum(ITEMS[n].dominant for n in (*(i for i, _ in unit.items), *unit.banner)) > 1:
        found.append(Finding("finding.dominant", "t9a:22.B.a", {"unit": unit.name}))
    return found + [
        Finding("finding.no-match", rule, {"unit": unit.name, "what": n}, also=("t9a:22.A",))
        for n, on in unit.items
        if (rule := _mismatch(unit, n, on))
    ]


def _allowance(unit: Recruit) -> list[Finding]:
    """t9a:8.D.b-items, t9a:22.A.c  The points an entry may spend on items; a Standard Bearer's banner has its own."""
    flags = sum(ITEMS[n].points for n in unit.banner)
    spent = sum(ITEMS[n].points for n, _ in unit.items) + (flags if unit.bsb else 0)
    found = []
    if spent > unit.entry.items:
        facts = {"unit": unit.name, "points": spent, "most": unit.entry.items}
        found.append(Finding("finding.allowance", "t9a:8.D.b-items", facts, also=("t9a:8.D.b",)))
    if not unit.bsb and flags > unit.entry.banner:
        facts = {"unit": unit.name, "points": flags, "most": unit.entry.banner}
        found.append(Finding("finding.allowance", "t9a:22.A.c", facts))
    return found


def _piece(name: str, on: str) -> str:
    """The piece of armour an enchantment sits on: the Shield or the Suit."""
    return "shield" if (on or next(iter(ITEMS[name].on), "")) == "Shield" else "suit"


def _mismatch(unit: Recruit, name: str, on: str) -> str:
    """t9a:22.A.a, t9a:22.A.b  The enchanted weapon or armour must be of the listed kind, and carried."""
    item = ITEMS[name]
    if item.category == "weapon":
        part = next((p for p in unit.profile.parts if p.rider), unit.profile.parts[0])
        held = (*part.weapons, "Hand Weapon", *(w.name for w in part.shooting))
        return "" if (on or item.on[0]) in item.on and (on or item.on[0]) in held else "t9a:22.A.a"
    if item.category == "armour":
        worn = [n for _, n, _ in unit.entry.profile.armour] + [
            a for k in unit.options for a in unit.entry.options[k].armour
        ]
        return "" if any(w in item.on and (not on or on == w) for w in worn) else "t9a:22.A.b"
    return ""
