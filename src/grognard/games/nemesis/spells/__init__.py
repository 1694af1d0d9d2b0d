"""nemesis:A2  The 49 spells of the four lists, by key ("N.2-curse") and by faction."""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.spells import cult as _cult
from grognard.games.nemesis.spells import orphans as _orphans
from grognard.games.nemesis.spells import realm as _realm
from grognard.games.nemesis.spells import undead as _undead
from grognard.games.nemesis.spells.base import BOOK, FACTION_LETTERS, Spell
from grognard.kernel.errors import BadInput

assert all((_undead, _orphans, _cult, _realm))  # importing them fills the book

#: Every spell by key, each list in the book's order.
SPELLS: dict[str, Spell] = {
    key: BOOK[key] for letter in FACTION_LETTERS for key in BOOK if key.startswith(f"{letter}.")
}

#: nemesis:14.3-choice  The keys of each faction's list.
LISTS: dict[str, tuple[str, ...]] = {
    faction: tuple(key for key, spell in SPELLS.items() if spell.faction == faction)
    for faction in FACTION_LETTERS.values()
}


def key_of(written: str, faction: str = "") -> str:
    """The key meant: itself, with the rule's prefix, its number alone, or the spell's name; else as written.

    Of two spells of one name that of the faction's list is meant; where none is known the key must be written.
    """
    short = written.removeprefix("nemesis:").removeprefix("A2.")
    if short in SPELLS:
        return short
    found = [key for key in SPELLS if _goes_by(key, short)]
    own = [key for key in found if SPELLS[key].faction == faction] or found
    if len(own) > 1:
        raise BadInput("{name} is a spell of two lists; write {known}", name=written, known=" / ".join(own))
    return own[0] if own else written


def _goes_by(key: str, word: str) -> bool:
    return word.casefold() in (key.casefold(), key.partition("-")[0].casefold(), SPELLS[key].name.casefold())


def called(battle: Battle, name: str) -> str:
    """What is announced by MAGE:SPELL or MAGE:dispel:SPELL, however the mage's spell or the one in effect is named."""
    mage, colon, word = name.partition(":")
    if not colon or mage not in battle.models:
        return name
    word, dispels = word.removeprefix("dispel:"), word.startswith("dispel:")
    if dispels:
        found = [effect.id for effect in battle.enchantments if _goes_by(effect.spell, word)]
    else:
        found = [key for key in battle.models[mage].spells if _goes_by(key, word)]
    return f"{mage}:{'dispel:' if dispels else ''}{found[0]}" if len(found) == 1 else name


__all__ = ["LISTS", "SPELLS", "Spell", "called", "key_of"]
