"""wfb3:3-profile, wfb3:6.1-ranges, wfb3:19.1-profile  What a card says: numbers, arms, mount, machines, spells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grognard.games.wfb3.army.machine_table import Engine
from grognard.games.wfb3.army.profiles import STATS, Kit, Profile
from grognard.games.wfb3.army.spells import SPELLS
from grognard.games.wfb3.army.weapons import WEAPONS, Missile, Weapon
from grognard.games.wfb3.texts.arms import TEXTS as SAID
from grognard.kernel.data.reading import slug
from grognard.kernel.screen import scene as draw

#: wfb3:7.9-mount  What of a mount, or of a team in harness, matters.
BEAST = ("M", "WS", "S", "T", "W", "I", "A")


class Printed(NamedTuple):
    """All that is on a card; models that differ in any of it have different cards."""

    profile: Profile
    kit: Kit
    beast: Profile | None = None  # what it rides, or what draws it
    engines: tuple[Engine, ...] = ()
    spells: tuple[str, ...] = ()
    mounted: bool = False


def card(one: Printed, key: str) -> draw.Card:
    profile, kit = one.profile, one.kit
    gear = [
        *kit.weapons, *kit.missiles, *([f"{kit.armour} armour"] if kit.armour else []),
        *(["shield"] if kit.shield else []), *([one.beast.name] if one.beast is not None else []),
        *(["barding"] if kit.barding else []),
    ]  # fmt: skip
    grids = (*_missiles(one), *_melee(one), *_beast(one), *_engines(one), *_spells(one))
    specials = tuple(draw.Special(t.text, t.rule) for t in profile.abilities)
    cells = tuple(draw.Cell(f"stat.{n}", draw.printed(getattr(profile, n))) for n in STATS)
    return draw.Card(key, profile.name, cells, grids, specials, tuple(gear))


def _grid(what: str, columns: str, rows: Sequence[tuple[str, ...]]) -> tuple[draw.Grid, ...]:
    names = tuple(f"stat.{name}" for name in columns.split())
    return (draw.Grid(f"grid.{what}", names, tuple(rows)),) if rows else ()


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "-"


def _inches(length: float) -> str:
    return f'{length:g}"' if length else "-"


def _missiles(one: Printed) -> tuple[draw.Grid, ...]:
    """wfb3:6.1-ranges, wfb3:6.3-weapon-strength, wfb3:6.5-save-mods"""
    rows = [
        (w.name, _inches(w.range), strength(w, one.profile), _bands(w), _habits(w)) for w in one.kit.shooting()
    ]  # fmt: skip
    return _grid("missiles", "weapon range S save special", rows)


def strength(weapon: Missile, thrower: Profile) -> str:
    """wfb3:6.3-weapon-strength  The strength of a missile; that of a thrown one is its thrower's."""
    if weapon.strength is None:
        return str(max(1, thrower.S + weapon.plus))
    return str(weapon.strength) if weapon.strength else "D6"


def _bands(weapon: Missile) -> str:
    """wfb3:6.5-save-mods  What it takes off saves, and up to which range."""
    return ", ".join(f'{m:+d} ({far:g}")' for far, m in weapon.bands) or "-"


def _habits(weapon: Missile) -> str:
    said = [SAID["arms.still"]] * weapon.still + [SAID["arms.reload"]] * weapon.reload
    return ", ".join(said) or "-"


def special(weapon: Weapon, *, mounted: bool) -> str:
    """Chapters 13.5, 13.6:
    The code of what a weapon does beside its numbers, on foot or in the saddle; "" for nothing."""
    name = "improvised" if mounted and weapon.two_handed else slug(weapon.name)
    return next((c for c in (f"arms.{name}-mounted" if mounted else "", f"arms.{name}") if c in SAID), "")


def _melee(one: Printed) -> tuple[draw.Grid, ...]:
    """Weapons for close combat, chapters 13.5 and 13.6."""
    rows = []
    for weapon in (WEAPONS[name] for name in one.kit.weapons):
        code = special(weapon, mounted=one.mounted)
        plain = WEAPONS["improvised"] if one.mounted and weapon.two_handed else weapon
        numbers = (_signed(n) for n in (plain.strength, plain.initiative, plain.hit, plain.modifier))
        rows.append((weapon.name, *numbers, SAID[code] if code else "-"))
    return _grid("melee", "weapon S I hit save special", rows)


def _beast(one: Printed) -> tuple[draw.Grid, ...]:
    if one.beast is None:
        return ()
    rows = [(one.beast.name, *(draw.printed(getattr(one.beast, n)) for n in BEAST))]
    return _grid("mount" if one.mounted else "team", " ".join(("beast", *BEAST)), rows)


def _engines(one: Printed) -> tuple[draw.Grid, ...]:
    """wfb3:19.1-profile, wfb3:19.6-table, wfb3:19.9-table"""
    rows = [
        (e.kind, str(e.crew), _inches(e.range), _inches(e.least), str(e.strength), _signed(e.modifier), e.wounds.name,
         _inches(e.radius))
        for e in one.engines
    ]  # fmt: skip
    return _grid("machines", "machine crew range least S save wounds radius", rows)


def _spells(one: Printed) -> tuple[draw.Grid, ...]:
    rows = [
        (s.name, str(s.cost), _inches(s.reach), SAID[f"spell.{slug(s.name)}"])
        for s in (SPELLS[name] for name in one.spells)
    ]  # fmt: skip
    return _grid("spells", "spell cost range special", rows)
