"""nemesis:A2  The 49 spells of the four lists, by key ("N.2-curse") and by faction."""

from __future__ import annotations

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
    wanted = short.casefold()
    found = [k for k, spell in SPELLS.items() if wanted in (k.partition("-")[0].casefold(), spell.name.casefold())]
    own = [key for key in found if SPELLS[key].faction == faction] or found
    if len(own) > 1:
        raise BadInput("{name} is a spell of two lists; write {known}", name=written, known=" / ".join(own))
    return own[0] if own else written


__all__ = ["LISTS", "SPELLS", "Spell", "key_of"]
