"""Chapter 1.1.2, 8.4, 12.3  Cards, weapons, powers and nexus read from plain data."""

from __future__ import annotations

import re
from typing import Any

from grognard.games.ades.abilities import STATS, parse
from grognard.games.ades.abilities.base import element, plain
from grognard.games.ades.army.profiles import INCARNATE, MACHINE, SIZES, Do, Nexus, Power, Profile, Ranged
from grognard.kernel.data import reading as read
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.base import Base, rect_base, round_base

RANGED = ("", "light piercing", "heavy piercing", "light area", "heavy area")
_WEAPON = re.compile(r"^\s*(\d+)\s*/\s*(\d+(?:[.,]\d+)?)\s*(?:\((.+)\))?\s*$")
#: How the book writes a ranged weapon among the equipment: Arme de tir 7/15.
_ARM = "Arme de tir"
#: Words for them, in French too.
_ARTILLERY = (
    ("light", "light"), ("légère", "light"), ("heavy", "heavy"), ("lourde", "heavy"), ("piercing", "piercing"),
    ("perforante", "piercing"), ("area", "area"), ("zone", "area"),
)  # fmt: skip


def parse_profile(name: str, data: dict[str, Any]) -> Profile:
    """A reference card from plain data; what is wrong is told by name."""
    read.mapping(data, name, sorted(CARD_KEYS))
    try:
        stats, symbols, bold, air = parse_stats(data["stats"])
        weapons = tuple(parse_weapon(key, text) for key, text in (data.get("weapons") or {}).items())
        gear = _words(data.get("equipment", ()))
        weapons += tuple(parse_weapon(_ARM, text[len(_ARM) :]) for text in gear if text.startswith(_ARM))
        skills = (*symbols, *_words(data.get("skills", ())), *(text for text in gear if not text.startswith(_ARM)))
        for text in skills:
            held = parse(text)
            if held.takes == "mystic":
                stats.setdefault("MYS", held.number)
        size = _size(str(data.get("size", "normal")))
        if any(plain(text) in ("huge", "enorme") for text in skills):
            size = "huge"
        if any(plain(text) in ("gigantic", "gigantesque") for text in skills):
            size = "gigantic"
        base = data.get("base")
        profile = Profile(
            name, str(data.get("army", "")), int(data.get("rank", 1)), size, int(data.get("val", 0)), stats, air,
            tuple(_BOOK.get(c, c) for c in _words(data.get("classes", ()))), _words(data.get("affiliations", ())),
            skills,
            weapons, (*bold, *data.get("bold", ())),
            tuple(parse_power(key, d, "ability") for key, d in (data.get("abilities") or {}).items()),
            tuple(data.get("class_abilities", ())),
            tuple(parse_power(key, d, "capability") for key, d in (data.get("capabilities") or {}).items()),
            None if base is None else _base(base), int(data.get("pv", 0)), float(data.get("poi", 0)),
            int(data.get("equ", 0)), str(data.get("servant", "")), float(data.get("embark", 0)),
            bool(data.get("ours", True)), str(data.get("element", "")), bool(symbols or bold),
            str(data.get("immortal", "")),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput("the card {card}: {problem} (ades:1.1.2)", card=name, problem=_problem(error)) from None
    if size not in SIZES or not 1 <= profile.rank <= 4:
        raise BadInput("the card {card}: its size is one of {known}, its rank 1 to 4 (ades:1.1.2.9)",
                       card=name, known=", ".join(SIZES))  # fmt: skip
    if weapons and "TIR" not in stats and not profile.machine:
        raise BadInput("the card {card} has a ranged weapon and no TIR (ades:13.1-arme-de-tir)", card=name)
    return profile


def _problem(error: Exception) -> str:
    """What was wrong with data that could not be read."""
    return f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)


def _words(said: Any) -> tuple[str, ...]:
    """One word, or several in a list."""
    return (said,) if isinstance(said, str) else tuple(said)


#: Sizes and classes as the book writes them.
_SIZES = {
    "petite": "small", "normale": "normal", "grande": "large", "tres grande": "huge", "enorme": "huge",
    "gigantesque": "gigantic",
}  # fmt: skip
_BOOK = {"Incarné": INCARNATE, "Machine de guerre": MACHINE}


def _size(said: str) -> str:
    """ades:1.1.2.9  A size in our words or the book's: grande, grande taille, taille normale, Énorme."""
    word = " ".join(part for part in plain(said).split() if part != "taille")
    return _SIZES.get(word, word)


#: What may stand on a reference card.
CARD_KEYS = frozenset((
    "army", "rank", "size", "val", "stats", "classes", "affiliations", "skills", "equipment", "weapons", "bold",
    "abilities", "class_abilities", "capabilities", "base", "pv", "poi", "equ", "servant", "embark", "ours", "element",
    "immortal",
))  # fmt: skip


def _base(given: Any) -> Base:
    if isinstance(given, list | tuple):
        return rect_base(float(given[0]), float(given[1]))
    if isinstance(given, str) and given.startswith("square"):
        side = float(given.split()[1])
        return rect_base(side, side)
    return round_base(float(given))


#: ades:1.1.2.3  The symbols as the book prints them here and there.
_SEASONED, _INTIMIDATING = "◐◀", "►▶"
_NUMBER = re.compile(r"-?[0-9]{1,6}(\.[0-9]{1,6})?")


def parse_stats(given: dict[str, Any]) -> tuple[dict[str, float], tuple[str, ...], tuple[str, ...], float]:
    """ades:1.1.2.2, ades:1.1.2.3
    Values with their symbols: ◐ Seasoned, ► Intimidation, *5* bold; MOU 10/15 for flyers."""
    stats: dict[str, float] = {}
    skills: list[str] = []
    bold: list[str] = []
    air = 0.0
    for written, value in given.items():
        name = "MYS" if written in ("POU", "FOI") else written
        if name not in STATS:
            raise ValueError(f"{name} is no characteristic; they are {', '.join(STATS)}")
        text = str(value)
        if any(sign in text for sign in _SEASONED):
            skills.append(f"Seasoned/{name}")
        if any(sign in text for sign in _INTIMIDATING):
            skills.append(f"Intimidation/{name}")
        if "*" in text:
            bold.append(name)
        signs = {ord(sign): None for sign in f"{_SEASONED}{_INTIMIDATING}*"}
        ground, _, flying = text.replace(",", ".").translate(signs).partition("/")
        if not all(_NUMBER.fullmatch(part.strip()) for part in (ground, flying or "0")):
            raise BadInput("{name} is a number, not {value}", name=name, value=repr(value))
        air = float(flying) if flying else air
        stats[name] = float(ground) if name == "MOU" else int(float(ground))
    return stats, tuple(skills), tuple(bold), air


def parse_weapon(name: str, text: Any) -> Ranged:
    """ades:13.1-arme-de-tir  Written "7/15", or "9/25 (light piercing)"."""
    found = _WEAPON.match(str(text))
    said = (found[3] or "").casefold() if found is not None else ""
    kind = " ".join(ours for word, ours in _ARTILLERY if word in said)
    if found is None or kind not in RANGED or bool(said) != bool(kind):
        raise BadInput("the weapon {weapon} is written FOR/range, with one of {known} in brackets, not {text} "
                       "(ades:13.1-arme-de-tir)", weapon=name, known=", ".join(RANGED[1:]), text=text)  # fmt: skip
    return Ranged(name, int(found[1]), float(found[2].replace(",", ".")), kind)


DOES = (
    "damage", "heal", "stats", "skills", "rout", "rally", "summon", "nexus", "drain", "move", "dispel", "remove-nexus",
    "lose", "reveal",
)  # fmt: skip


def parse_do(data: dict[str, Any]) -> Do:
    """One effect: {damage: 6}, {heal: 1}, {stats: {ATT: 1}}, {skills: [Brutal]}, {summon: name} …"""
    if len(data) != 1 or next(iter(data)) not in DOES:
        raise ValueError(f"an effect is one of {', '.join(DOES)}")
    kind, value = next(iter(data.items()))
    if kind == "stats":
        return Do(kind, stats=tuple((str(k), int(v)) for k, v in value.items()))
    if kind == "skills":
        for text in value:
            parse(text)
        return Do(kind, words=tuple(value))
    if kind in ("summon", "nexus"):
        return Do(kind, words=(str(value),))
    return Do(kind, number=0 if value is True else int(value))


POWER_KEYS = {
    "does", "target", "only", "range", "area", "duration", "frequency", "action", "cost", "level", "elements", "book",
    "upkeep", "instinctive", "reserved", "val", "kind",
}  # fmt: skip
TARGETS = ("self", "friend", "enemy", "any", "around", "none")
ACTIONS = ("free", "cumulative", "exclusive", "passive")


def _upkeep(name: str, said: Any) -> str:
    """ades:4.4.3-condition, ades:8.10-upkeep  How a formula is kept up, with or without the word for it."""
    word = str(said).casefold().removeprefix("entretien/").removeprefix("upkeep/")
    if word not in ("", "yes", "no", "immobile") and not word.isdigit():
        raise BadInput(
            "{name}.upkeep is yes, no, Immobile or a number of units (ades:4.4.3-condition), not {said}",
            name=name, said=str(said),
        )  # fmt: skip
    return word


#: What a formula is called.
_KINDS = {"spell": "spell", "sort": "spell", "sortilege": "spell", "miracle": "miracle"}


def _kind(name: str, data: dict[str, Any], kind: str) -> str:
    """ades:8.2-magician, ades:8.3-access  A spell has elements; what stands in the Universal litany is a miracle."""
    if "kind" not in data:
        miracle = kind == "spell" and not data.get("elements") and element(str(data.get("book", ""))) == "Universal"
        return "miracle" if miracle else kind
    said = str(data["kind"])
    if kind == "spell":
        read.one_of(plain(said), f"{name}.kind", _KINDS)
    return _KINDS.get(plain(said), said)


def parse_power(name: str, data: dict[str, Any], kind: str) -> Power:
    """A formula or another power from plain data."""
    read.mapping(data, name, sorted(POWER_KEYS))
    try:
        level = data.get("level", 0)
        frequency = data.get("frequency", 1)
        read.one_of(data.get("target", "self"), f"{name}.target", TARGETS)
        read.one_of(data.get("action", "free"), f"{name}.action", ACTIONS)
        return Power(
            name, _kind(name, data, kind), tuple(parse_do(d) for d in data["does"]),
            str(data.get("target", "self")), str(data.get("only", "")), float(data.get("range", 0)),
            float(data.get("area", 0)), int(data.get("duration", 0)), 0 if frequency == "unique" else int(frequency),
            str(data.get("action", "free")), int(data.get("cost", 0)), 0 if level == "X" else int(level),
            tuple(element(e) for e in data.get("elements", ())), element(str(data.get("book", ""))),
            _upkeep(name, data.get("upkeep", "")), bool(data.get("instinctive", False)),
            tuple(data.get("reserved", ())),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput("{name}: {problem} (ades:8.4-level)", name=name, problem=_problem(error)) from None


NEXUS_KEYS = {
    "trial", "sacrifice", "power", "zone", "activation", "charges", "per_turn", "quantity", "size", "res", "pv", "val",
    "skills", "allegiance",
}  # fmt: skip


def parse_nexus(name: str, data: dict[str, Any]) -> Nexus:
    """ades:12.3  A nexus from plain data."""
    read.mapping(data, name, sorted(NEXUS_KEYS))
    try:
        stat, difficulty = next(iter(data["trial"].items()))
        quantity, charges = data.get("quantity", [1, 100]), data.get("charges", 0)
        for text in data.get("skills", ()):
            parse(text)
        return Nexus(
            name, str(data.get("allegiance", "")), (str(stat), int(difficulty)), _sacrifice(data.get("sacrifice")),
            float(data.get("zone", 15)), float(data.get("activation", 10)), parse_power(name, data["power"], "nexus"),
            1 if charges == "unique" else int(charges), int(data.get("per_turn", 0)),
            (int(quantity[0]), int(quantity[1])),
            float(data.get("size", 4)), int(data.get("res", 0)), int(data.get("pv", 0)), int(data.get("val", 0)),
            tuple(data.get("skills", ())),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError, StopIteration) as error:
        raise BadInput("the nexus {name}: {problem} (ades:12.3)", name=name, problem=_problem(error)) from None


def _sacrifice(data: Any) -> Do:
    """ades:12.3  {um: 1}, {pv: 1}, {damage: 5}, {stat: {ATT: 1}}, {skill: name} or none."""
    if not data:
        return Do("none")
    kind, value = next(iter(data.items()))
    if kind == "stat":
        return Do("stat", stats=tuple((str(k), -abs(int(v))) for k, v in value.items()))
    if kind == "skill":
        return Do("skill", words=(str(value),))
    if kind not in ("um", "pv", "damage"):
        raise ValueError(f"a sacrifice is um, pv, damage, stat, skill or nothing, not {kind}")
    return Do(kind, int(value))
