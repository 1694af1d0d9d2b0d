"""t9a:13.G.a  What a spell does, in a line for whoever chooses, casts or may dispel it, and on a Wizard's card."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from grognard.games.t9a.army.spells import DURATIONS, Spell, Version
from grognard.kernel.questions import Note

#: t9a:13.G.c  Types as the book prints them.
TYPES = {
    "augment": "Augment", "aura": "Aura", "damage": "Damage", "direct": "Direct", "focused": "Focused",
    "caster": "Caster", "hex": "Hex", "ground": "Ground", "missile": "Missile", "caster-unit": "Caster's Unit",
    "universal": "Universal",
}  # fmt: skip
#: t9a:13.G.d
LASTING = {"instant": "Instant", "one-turn": "One Turn", "permanent": "Permanent"}
STATS = {
    "adv": "Advance", "mar": "March", "dis": "Discipline", "def": "Defence", "res": "Resilience", "arm": "Armour",
    "att": "Attacks", "off": "Offence", "str": "Strength", "ap": "AP", "agi": "Agility", "casting": "casting",
    "dispel": "dispelling",
}  # fmt: skip
_VALUED = re.compile(r"([^()]+) \(([^()]+)\)")


def of_spell(known: Spell) -> tuple[Note, ...]:
    """Every version of a spell."""
    return tuple(note for version in known.versions for note in of_version(version))


def of_version(version: Version, *, priced: bool = True) -> tuple[Note, ...]:
    """One version: its Casting Value, Types, Range and Duration with the first thing it does, then the others."""
    facts = {
        "value": version.value,
        "types": [TYPES[t] for t in version.types],
        "range": version.range,
        "reach": "spell.reach" if version.range else "spell.here",
        "lasting": f"spell.{version.duration}",
    }
    told = [{**data, "effect": code} for code, data in _effects(version.effect)]
    first = "note.spell" if priced and version.value else "note.spell.free"
    rule = DURATIONS[version.duration]
    return tuple(
        Note(first, facts | told[0], rule) if not n else Note("note.spell.more", f, rule) for n, f in enumerate(told)
    )


def _effects(effect: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a spell does: the texts that tell it and their facts."""
    if "test" in effect:
        yield "spell.test", {"characteristic": STATS.get(str(effect["test"]), str(effect["test"]))}
    for key in ("hits", "burst"):
        if key in effect:
            yield _struck(key, effect[key])
    if "stats" in effect:
        yield "spell.stats", {"stats": {STATS.get(s, s): _change(op, n) for s, op, n in effect["stats"]}}
    if "rules" in effect:
        yield "spell.rules", {"rules": _ruled(effect["rules"])}
    for key in ("move", "recover", "raise", "tokens"):
        if key in effect:
            yield f"spell.{key}", {"count": effect[key]}
    if "summon" in effect:
        said = effect["summon"]
        yield "spell.summon", {"count": said.get("count", 1), "profile": said["profile"]}
    if "panic" in effect:
        yield "spell.panic", {}


def _struck(key: str, said: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    rules = [*said.get("rules", ()), *([said["multiple"]] if said.get("multiple") else [])]
    how = "wounding" if said.get("wounds_on") else "strong"
    facts = {
        "count": said.get("count", said.get("hits", 1)),
        "ap": said.get("ap", 0),
        "radius": said.get("radius", 0),
        "power": f"spell.{how}.with" if rules else f"spell.{how}",
        "strength": said.get("str", 0),
        "wounds_on": said.get("wounds_on", 0),
        "rules": _ruled(rules),
    }
    return f"spell.{key}", facts


def _change(op: str, amount: int) -> str:
    return f"{amount:+d}" if op == "add" else str(amount)


def _ruled(rules: list[str]) -> list[Any]:
    """Names of rules, each value apart, so that every language finds the name: Aegis (5+)."""
    found = [_VALUED.fullmatch(rule) for rule in rules]
    return [{m[1]: m[2]} if m is not None else rule for rule, m in zip(rules, found, strict=True)]


# ---------------------------------------------------------------------- on a card


class Row:
    """A version of a spell as a card prints it; `effect` are words and values in brackets."""

    def __init__(self, known: Spell, version: Version) -> None:
        self.name = known.name
        self.value = f"{version.value}+" if version.value else None
        self.range = version.range or None
        self.types = tuple(TYPES[t] for t in version.types)
        self.duration = LASTING[version.duration]
        self.effect = tuple(_printed(version.effect))


def _printed(effect: dict[str, Any]) -> Iterator[str]:
    for said in (effect[key] for key in ("hits", "burst") if key in effect):
        yield f"Hits ({said.get('count', said.get('hits', 1))})"
        yield f"wounds on ({said['wounds_on']}+)" if said.get("wounds_on") else f"Strength ({said.get('str', 0)})"
        yield f"AP ({said.get('ap', 0)})"
        yield from said.get("rules", ())
        if said.get("multiple"):
            yield str(said["multiple"])
    yield from (f"{STATS.get(s, s)} ({_change(op, n)})" for s, op, n in effect.get("stats", ()))
    yield from effect.get("rules", ())
    named = {"move": "magical move", "recover": "recovered", "raise": "raised", "tokens": "veil tokens"}
    yield from (f"{word} ({effect[key]})" for key, word in named.items() if key in effect)
    if "summon" in effect:
        yield f"summoned ({effect['summon']['profile']} {effect['summon'].get('count', 1)})"
    if "panic" in effect:
        yield "panic test"
    if "test" in effect:
        yield f"{STATS.get(str(effect['test']), str(effect['test']))} test"
