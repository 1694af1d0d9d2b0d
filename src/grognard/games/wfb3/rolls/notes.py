"""What whoever decides should know, as notes beside questions and options: what it does, costs and risks."""

from __future__ import annotations

from grognard.games.wfb3.army import cardsheet
from grognard.games.wfb3.army.machine_table import Engine
from grognard.games.wfb3.army.profiles import Profile
from grognard.games.wfb3.army.spells import RULE, Spell
from grognard.games.wfb3.army.weapons import Missile, Weapon
from grognard.kernel.data.reading import slug
from grognard.kernel.questions import Note


def spell(one: Spell) -> tuple[Note, ...]:
    """What a spell does, and how far it reaches."""
    does = Note(f"spell.{slug(one.name)}", {}, RULE)
    return (does, Note("note.spell.reach", {"reach": one.reach}, RULE)) if one.reach else (does,)


def weapon(one: Weapon, *, mounted: bool) -> tuple[Note, ...]:
    """Chapters 13.5, 13.6: what a close-combat weapon does."""
    code = cardsheet.special(one, mounted=mounted)
    return (Note(code, {}, one.mounted if mounted else one.rule),) if code else ()


def missile(one: Missile, thrower: Profile) -> tuple[Note, ...]:
    """wfb3:6.1-ranges, wfb3:6.3-weapon-strength"""
    return (Note("note.missile", {"range": one.range, "strength": cardsheet.strength(one, thrower)}, one.table),)


def engine(one: Engine) -> tuple[Note, ...]:
    """wfb3:19.1-profile  What a machine's shot is like."""
    facts = {"range": one.range, "strength": one.strength, "wounds": one.wounds.name}
    if one.lobs:
        facts |= {"least": one.least, "radius": one.radius}
    return (Note("note.engine.lobs" if one.lobs else "note.engine", facts, one.rule("table")),)
