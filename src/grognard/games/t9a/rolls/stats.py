"""Chapters 5 and 6: the values of models with everything that changes them, each with its rule."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.games.t9a import carried_items
from grognard.games.t9a.army.profiles import Part
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.kernel.citing import cites
from grognard.kernel.words.tally import Tally

GLOBAL = ("adv", "mar", "dis", "hp", "def", "res", "arm")
OFFENSIVE = ("att", "off", "str", "ap", "agi")
_RULE = {"adv": "t9a:5.A.a", "mar": "t9a:5.A.a", "dis": "t9a:5.A.a"} | dict.fromkeys(
    ("hp", "def", "res", "arm"), "t9a:5.A.b"
)
Change = tuple[str, int, str, str]  # op (set, times, add, always), amount, what, rule


def resolve(tally: Tally, changes: Sequence[Change]) -> Tally:
    """t9a:6.D  Set first, then multiply, then add, then "always" and "never" clauses.

    t9a:6.D-tie  Within a step the order that gives the lowest result: of several set values the lowest stands, and
    halving, which rounds up, comes after doubling. `floor` is "never below", `cap` "never above".
    """
    sets = sorted((c for c in changes if c[0] == "set"), key=lambda c: c[1])
    if sets:
        _, amount, what, rule = sets[0]
        tally.set(amount, what, rule)
    for op, amount, what, rule in sorted(changes, key=lambda c: c[0] == "halve"):
        if op == "halve":
            tally.set(math.ceil(tally.value / max(amount, 2)), what, rule)
        elif op == "times":
            tally.times(amount, what, rule)
    for op, amount, what, rule in changes:
        if op == "add":
            tally.add(amount, what, rule)
    for _, amount, what, rule in sorted((c for c in changes if c[0] == "always"), key=lambda c: c[1], reverse=True):
        tally.set(amount, what, rule)
    for op, amount, what, rule in changes:
        if op == "floor":
            tally.at_least(amount, what, rule)
    for op, amount, what, rule in changes:
        if op == "cap":
            tally.at_most(amount, what, rule)
    return tally


def heed(battle: Battle, tally: Tally, changes: Sequence[Change], stat: str, base: float) -> Tally:
    """Chapter 6: A value with its changes in the order of priority, within its limits; the rules of that order are
    cited
    (t9a:6.A, t9a:6.B, t9a:6.C)."""
    ops = [op for op, *_ in changes]
    for word, rule in (("set", "t9a:6.A"), ("halve", "t9a:6.B"), ("times", "t9a:6.B"), ("add", "t9a:6.C")):
        if word in ops:
            battle.cite(rule)
    if len(ops) > 1:
        steps = ["times" if op == "halve" else op for op in ops]
        battle.cite("t9a:6.D", *(["t9a:6.D-tie"] if len(set(steps)) < len(steps) else []))
    before = resolve(tally, changes).value
    limited(tally, stat, base)
    if tally.value != before:
        battle.cite("t9a:6.D-limits")
    return tally


def limited(tally: Tally, stat: str, base: float) -> Tally:
    """t9a:6.D-limits
    What a value may be after all modifiers (t9a:5.B, t9a:6.D-limits-min1, t9a:6.D-limits-arm6, t9a:6.D-limits-max10).
    """
    if stat in ("agi", "att") and base >= 1:
        tally.at_least(1, "least", "t9a:6.D-limits-min1")
    else:
        tally.at_least(0, "least", "t9a:6.D-limits-zero")
    if stat == "arm":
        tally.at_most(6, "most", "t9a:6.D-limits-arm6")
    if stat in ("agi", "dis"):
        tally.at_most(10, "most", "t9a:6.D-limits-max10")
    return tally


def changes(battle: Battle, pool: str, stat: str, part: Part | None = None, weapon: str = "") -> list[Change]:
    """Changes of a value by spells, items and banners in effect, and by the weapon in use if it is enchanted."""
    found: list[Change] = []
    for effect in battle.effects(pool):
        if effect.part and (part is None or part.name != effect.part):
            continue
        if effect.weapon and effect.weapon != weapon:
            continue
        for name, op, amount in effect.stats:
            if name == stat:
                if part is not None and len(battle.pool_profile(pool).parts) > 1:
                    battle.cite("t9a:3.A.b-effects")
                found.append((op, amount, effect.name or effect.key, effect.rule))
                if effect.key.startswith(carried_items.MARKS) and stat not in ("adv", "mar"):
                    carried_items.reveal(battle, pool, effect)
    return found


def for_roll(battle: Battle, need: Tally, changes: Sequence[Change]) -> int:
    """t9a:6.D, t9a:6.D-tie  What must be rolled, changed: set first (the hardest of several), then what is added to the
    roll, which lowers it. Returns how many changes made it harder.
    """
    sets = [c for c in changes if c[0] == "set"]
    adds = [c for c in changes if c[0] == "add"]
    if sets:
        _, amount, what, rule = max(sets, key=lambda c: c[1])
        need.set(amount, what, rule)
        battle.cite("t9a:6.A", *(["t9a:6.D-tie"] if len(sets) > 1 else []))
    for _, amount, what, rule in adds:
        need.add(-amount, what, rule)
    if adds:
        battle.cite("t9a:6.C", *(["t9a:6.D"] if sets else []))
    return sum(amount < 0 for _, amount, _, _ in adds)


def printed(battle: Battle, pool: str, stat: str) -> int:
    profile = battle.pool_profile(pool)
    return int(profile.defence if stat == "def" else getattr(profile, stat))


def value(battle: Battle, pool: str, stat: str, more: Sequence[Change] = ()) -> Tally:
    """t9a:5.A.a, t9a:5.A.b  A global or defensive value of a model (t9a:8.D-samples)."""
    base = printed(battle, pool, stat)
    tally = Tally(base, stat, _RULE[stat])
    profile = battle.pool_profile(pool)
    if not profile.ours:
        battle.cite("t9a:8.D-samples")
    if any(part.rider for part in profile.parts):
        battle.cite("t9a:19.B.1", "t9a:19.B.3", "t9a:5.B.b")
    return heed(battle, tally, [*changes(battle, pool, stat), *more], stat, base)


def armour(battle: Battle, pool: str, *, melee: bool, two_handed: bool) -> Tally:
    """t9a:21.E  Armour with suit and Shield; with a Two-Handed weapon the Shield helps only against Ranged Attacks."""
    profile = battle.pool_profile(pool)
    worn: list[Change] = []
    if profile.armour:
        battle.cite("t9a:21.E")
    if profile.has("massive-bulk") and any(part.rider for part in profile.parts):
        battle.cite("t9a:21.A.b.26")
    for plus, name, rule in profile.armour:
        if name == "Shield" and melee and two_handed:
            battle.cite("t9a:21.G.b.1", "t9a:21.E.b")
            continue
        worn.append(("add", plus, name, rule))
        battle.cite("t9a:8.D.a.2")
    return value(battle, pool, "arm", worn)


def offensive(battle: Battle, pool: str, part: Part, stat: str, more: Sequence[Change] = (), weapon: str = "") -> Tally:
    """t9a:5.A.c, t9a:5.B.b-none  An offensive value of a part; what has no value cannot be changed."""
    base = {"off": part.off, "str": part.strength, "ap": part.ap, "agi": part.agi}.get(stat)
    if base is None:
        battle.cite("t9a:5.B.b-none")
        return Tally(0, stat, "t9a:5.B.b-none")
    tally = Tally(base, stat, "t9a:5.A.c")
    return heed(battle, tally, [*changes(battle, pool, stat, part, weapon), *more], stat, base)


def flight(battle: Battle, unit: Unit) -> tuple[int, int] | None:
    """t9a:21.A.b.52  The Fly values of a unit made entirely of flyers: the lowest Advance and March."""
    if not battle.all_have(unit, "fly"):
        return None
    values = []
    for pool in battle.pools(unit):
        traits = battle.traits(pool, "fly")
        if len(traits) > 1:
            battle.cite("t9a:21-duplicate")
        if traits:
            values.append((max(t.number(0) for t in traits), max(t.number(1, t.number(0)) for t in traits)))
    return min(v[0] for v in values), min(v[1] for v in values)


def rate(battle: Battle, unit: Unit, stat: str, *, flying: bool = False, pool: str = "") -> Tally:
    """t9a:12.D.b, t9a:12.D.c, t9a:11.E.a
    A unit's Advance or March Rate: the lowest among its models; in the air, its Fly
    value.
    """
    wings = flight(battle, unit) if flying else None
    best: Tally | None = None
    for each in [pool] if pool else battle.pools(unit):
        if wings is not None:
            base = wings[0 if stat == "adv" else 1]
            tally = heed(battle, Tally(base, "fly", "t9a:21.A.b.52"), changes(battle, each, stat), stat, base)
        else:
            tally = value(battle, each, stat)
        if best is None or tally.value < best.value:
            best = tally
    assert best is not None
    return best


def swing(battle: Battle, unit: Unit, roll: str) -> int:
    """t9a:2.B.a.2, t9a:21.A.b.27, t9a:21.A.b.28  Extra dice of a unit's roll: Maximised ones less Minimised ones.

    t9a:21.A.b.9  Swiftstride of the whole unit: its Charge Range, Flee, Pursuit and Overrun rolls are Maximised.
    """
    found = 0
    words = roll.casefold()
    named = (words, f"{words}s", *(("discipline test", "discipline tests") if words.endswith(" test") else ()))
    if (
        words in ("charge range", "flee distance", "pursuit distance", "overrun")
        and not battle.any_has(unit, "random-movement")
        and battle.all_have(unit, "swiftstride")
    ):
        battle.cite("t9a:19.A.b", "t9a:21.A.b.27")
        found += 1
    for key, sign in (("maximised", 1), ("minimised", -1)):
        most = 0
        for pool in battle.pools(unit):
            having = [t for t in battle.traits(pool, key) if any(a.casefold() in named for a in t.args)]
            if having:
                battle.cite(having[0].rule)
            most = max(most, len(having))
        found += sign * most
    if found:
        battle.cite("t9a:2.B.a.2")
    return found


@cites
def characteristic(battle: Battle, unit: Unit, stat: str) -> Tally:
    """t9a:5.C
    The value a unit tests on: the highest of its models, of a multipart model's the highest (t9a:5.C-unit,
    t9a:5.C-multi)."""
    best: Tally | None = None
    for pool in battle.pools(unit):
        if stat in OFFENSIVE:
            parts = [
                p
                for p in battle.pool_profile(pool).parts
                if getattr(p, "strength" if stat == "str" else stat) is not None
            ]
            tallies = [offensive(battle, pool, p, stat) for p in parts]
            if len(tallies) > 1:
                battle.cite("t9a:5.C-multi")
        else:
            tallies = [value(battle, pool, stat)]
        for tally in tallies:
            if best is None or tally.value > best.value:
                best = tally
    assert best is not None
    battle.cite("t9a:5.C-unit")
    return best
