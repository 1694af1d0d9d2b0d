"""Chapter 13.G: Spells as data: class, Casting Values, Types, Duration, effect."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from grognard.games.t9a.abilities import parse
from grognard.games.t9a.army.amounts import amount
from grognard.kernel.data import reading as read
from grognard.kernel.data.sheets import read_yaml
from grognard.kernel.errors import BadInput
from grognard.kernel.match.shelf import shelved

FOLDER = Path(__file__).resolve().parents[1] / "cards"

#: t9a:13.G.c  Spell Types by name, with their rules.
TYPES = {
    "augment": "t9a:13.G.c-augment",
    "aura": "t9a:13.G.c-aura",
    "damage": "t9a:13.G.c-damage",
    "direct": "t9a:13.G.c-direct",
    "focused": "t9a:13.G.c-focused",
    "caster": "t9a:13.G.c-caster",
    "hex": "t9a:13.G.c-hex",
    "ground": "t9a:13.G.c-ground",
    "missile": "t9a:13.G.c-missile",
    "caster-unit": "t9a:13.G.c-casterunit",
    "universal": "t9a:13.G.c-universal",
}
#: t9a:13.G.d
DURATIONS = {"instant": "t9a:13.G.d.1", "one-turn": "t9a:13.G.d.2", "permanent": "t9a:13.G.d.3"}
EFFECTS = ("hits", "stats", "rules", "move", "recover", "raise", "summon", "tokens", "panic", "burst", "test")
_STRIKE = ("str", "ap", "wounds_on", "multiple", "rules")
#: What is written as a mapping, and its keys.
MAPPINGS = {
    "hits": ("count", *_STRIKE),
    "burst": ("radius", "hits", *_STRIKE),
    "summon": ("profile", "count", "files"),
}
VERSION_KEYS = ("value", "types", "range", "duration", *EFFECTS)


class Version(msgspec.Struct, frozen=True):
    """t9a:13.G.a, t9a:13.H.a.1, t9a:13.G.c-augment, t9a:13.G.c-aura, t9a:13.G.c-damage, t9a:13.G.c-caster,
    t9a:13.G.c-hex, t9a:13.G.c-missile, t9a:13.G.c-casterunit, t9a:13.G.c-universal, t9a:13.G.d.1
    One version of a spell: the basic one, or a boosted one with a higher Casting Value."""

    value: int
    types: tuple[str, ...]
    range: float
    duration: str
    effect: dict[str, Any]


class Spell(msgspec.Struct, frozen=True):
    """t9a:13.G.b  A spell: `number` is 1 to 6, "A" for the Attribute Spell, "H" for a Hereditary Spell."""

    key: str
    name: str
    path: str
    number: str
    versions: tuple[Version, ...]
    french: str = ""
    replicable: bool = False

    @property
    def rule(self) -> str:
        """The rule of its class (t9a:13.G.b.1, t9a:13.G.b.2)."""
        return {"A": "t9a:13.G.b.3", "H": "t9a:13.G.b.2"}.get(self.number, "t9a:13.G.b.1")


def parse_spell(path: str, number: str, said: Any) -> Spell:
    where = f"the spell {path} {number}"
    if not isinstance(said, dict) or not {"name", "versions"} <= set(said) <= {
        "name",
        "french",
        "replicable",
        "versions",
    }:
        raise BadInput("{where} has name, french, replicable and versions (t9a:13.G.a)", where=where)
    if not isinstance(said["versions"], list) or not said["versions"]:
        raise BadInput("{where}: versions are a list with one at least (t9a:13.H.a.1)", where=where)
    versions = tuple(_version(v, where) for v in said["versions"])
    return Spell(
        f"{path}:{number}",
        str(said["name"]),
        path,
        number,
        versions,
        str(said.get("french", "")),
        bool(said.get("replicable", False)),
    )


def _version(said: Any, where: str) -> Version:
    if not isinstance(said, dict) or not set(said) <= set(VERSION_KEYS):
        odd = next((k for k in said if k not in VERSION_KEYS), "?") if isinstance(said, dict) else said
        raise BadInput(
            "{where}: {odd} is not known; a version has {keys} (t9a:13.G.a)",
            where=where,
            odd=odd,
            keys=", ".join(VERSION_KEYS),
        )
    types = read.words(said.get("types", ()), f"{where}: types")
    wrong = [t for t in types if t not in TYPES]
    duration = str(said.get("duration", "instant"))
    if wrong or duration not in DURATIONS:
        raise BadInput(
            "{where}: Types are {types}, Durations {durations} (t9a:13.G.c)",
            where=where,
            types=", ".join(TYPES),
            durations=", ".join(DURATIONS),
        )
    for key in ("value", "range"):
        if not isinstance(said.get(key, 0), int | float):
            raise BadInput("{where}: {key} is a number (t9a:13.G.a)", where=where, key=key)
    for key, known in MAPPINGS.items():
        if not isinstance(said.get(key, {}), dict):
            raise BadInput("{where}: {key} is a mapping (t9a:13.G.a)", where=where, key=key)
        odd = next((k for k in said.get(key, {}) if k not in known), None)
        if odd is not None:
            told = {"where": f"{where}: {key}", "odd": odd, "keys": ", ".join(known)}
            raise BadInput("{where}: {odd} is not known; it has {keys} (t9a:13.G.a)", **told)
    effect = {k: said[k] for k in EFFECTS if k in said}
    for text in read.words(effect.get("rules", ()), f"{where}: rules"):
        parse(text)
    counts = [effect[key] for key in ("recover", "raise", "tokens") if key in effect]
    counts += [
        effect[k][n] for k, n in (("hits", "count"), ("burst", "hits"), ("summon", "count")) if n in effect.get(k, ())
    ]
    for many in counts:
        amount(many)
    return Version(int(said.get("value", 0)), types, float(said.get("range", 0)), duration, effect)


Book = Mapping[str, Mapping[str, Spell]]


def parse_paths(said: Any) -> Book:
    """Paths of Magic as they are written: {Path: {number: {name, french, replicable, versions}}}."""
    if not isinstance(said, dict) or not all(isinstance(spells, dict) for spells in said.values()):
        raise BadInput("paths are written {shape} (t9a:13.G.b)", shape="{Path: {number: {name, versions}}}")
    return {
        str(path): {str(n): parse_spell(str(path), str(n), told) for n, told in spells.items()}
        for path, spells in said.items()
    }


@shelved()
def known_paths() -> Book:
    """Every Path of Magic by name, its spells by number; ours, as the book prints none."""
    return parse_paths(read_yaml(FOLDER / "paths.yaml"))


def paths(own: Book) -> Book:
    """The Paths of a battle: those it brings with it, and ours."""
    return {**known_paths(), **own} if own else known_paths()


def spell(key: str, own: Book) -> Spell:
    """A spell by its key, "Path:number"."""
    path, _, number = key.rpartition(":")
    found = paths(own).get(path, {}).get(number)
    if found is None:
        raise BadInput(
            "there is no spell {key}; spells are written Path:number, of {known} (t9a:13.G.a)",
            key=key,
            known=", ".join(paths(own)),
        )
    return found
