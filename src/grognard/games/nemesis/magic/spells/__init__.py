"""Annex II: the 49 spells of the four lists, by key ("N.2-curse") and by faction."""

from __future__ import annotations

from grognard.games.nemesis.abilities.spell_book import BOOK, FACTION_LETTERS, goes_by, spell_list
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Enchantment
from grognard.games.nemesis.magic.spells import cult as _cult
from grognard.games.nemesis.magic.spells import orphans as _orphans
from grognard.games.nemesis.magic.spells import realm as _realm
from grognard.games.nemesis.magic.spells import undead as _undead
from grognard.games.nemesis.magic.spells.base import Spell

assert all((_undead, _orphans, _cult, _realm))  # importing them fills the book

#: nemesis:14.3-choice  The keys of each faction's list.
LISTS: dict[str, tuple[str, ...]] = {faction: spell_list(faction) for faction in FACTION_LETTERS.values()}

#: Every spell by key, each list in the book's order.
SPELLS: dict[str, Spell] = {
    key: spell for keys in LISTS.values() for key in keys if isinstance(spell := BOOK[key], Spell)
}


def spell_of(enchantment: Enchantment) -> Spell:
    """The spell that is in effect."""
    return SPELLS[enchantment.spell]


def called(battle: Battle, name: str) -> str:
    """What is announced by MAGE:SPELL or MAGE:dispel:SPELL, however the mage's spell or the one in effect is named."""
    mage, colon, word = name.partition(":")
    if not colon or mage not in battle.models:
        return name
    word, dispels = word.removeprefix("dispel:"), word.startswith("dispel:")
    if dispels:
        found = [effect.id for effect in battle.enchantments if goes_by(effect.spell, word)]
    else:
        found = [key for key in battle.models[mage].magic.spells if goes_by(key, word)]
    return f"{mage}:{'dispel:' if dispels else ''}{found[0]}" if len(found) == 1 else name


__all__ = ["LISTS", "SPELLS", "Spell", "called", "spell_of"]
