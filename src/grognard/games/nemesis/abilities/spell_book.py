"""Chapter A2: The book of spells as lists and the state know it: each spell's line, entered by the chapter of magic."""

from __future__ import annotations

from typing import ClassVar

from grognard.games.nemesis.abilities.base import Trait
from grognard.kernel.errors import BadInput
from grognard.kernel.questions import Note

FACTION_LETTERS = {"N": "undead", "O": "orphans", "C": "cult", "R": "realm"}


class SpellLine(Trait):
    """nemesis:14.2-format  Name, difficulty, range and tags. What it does is added where magic is played.

    A spell in effect answers the same questions as an ability: its flags and hooks count for whoever it lies on.
    """

    key: ClassVar[str]
    faction: ClassVar[str]
    difficulty: ClassVar[int]
    range_cm: ClassVar[float | None] = None  # None: the caster or a model in base contact
    close_combat: ClassVar[bool] = False  # nemesis:14.2-cc
    turns: ClassVar[int] = 0  # nemesis:14.2-duration; 0: no tag
    permanent: ClassVar[bool] = False  # nemesis:14.2-permanent
    kind: ClassVar[str] = "unit"  # nemesis:14.2-target-unit
    whose: ClassVar[str] = "any"  # any, friend, enemy
    damages: ClassVar[bool] = False  # nemesis:14.2-power: a damage spell
    power: ClassVar[int] = 0  # nemesis:14.2-power: of its automatic hits, if it has any
    hit_die: ClassVar[int] = 1  # nemesis:A2-hits: how many they are: one, 1D5 or 1D10
    stays: ClassVar[bool] = False  # lies on its target though no tag says so
    persists: ClassVar[bool] = False  # has no tag and no end of its own: nemesis:14.6-dispel counts it as multi-turn

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags as printed."""
        marks = ("C/C" if self.close_combat else "", f"{self.turns}T" if self.turns else "", "P" * self.permanent)
        return tuple(mark for mark in marks if mark)

    @property
    def effect(self) -> str:
        """What it does, as a text of the game."""
        return f"spell.{self.key}"

    @property
    def notes(self) -> tuple[Note, ...]:
        """nemesis:14.2-format  What a player should know of it: what it does, its difficulty, range and tags."""
        reach = "self" if self.kind == "self" else "contact" if self.range_cm is None else "far"
        facts = {"difficulty": self.difficulty, "reach": f"note.reach.{reach}", "range": self.range_cm}
        lasts = "good" if self.permanent else "turn" if self.turns == 1 else "turns" if self.turns else ""
        lasts = lasts or ("dispelled" if self.persists else "")
        line = Note("note.spell-plain", facts, "nemesis:14.2-format")
        if lasts:
            line = Note("note.spell", {**facts, "lasts": f"note.lasts.{lasts}", "turns": self.turns}, line.rule)
        close = (Note("note.spell-melee", {}, "nemesis:14.2-cc"),) if self.close_combat else ()
        return (Note(self.effect, {}, self.rule), line, *close)

    @property
    def lasting(self) -> bool:
        """Whether it lies on something after it was cast."""
        return self.turns > 0 or self.permanent or self.stays or self.persists

    @property
    def trait(self) -> Trait | None:
        """What it changes while it lasts."""
        return self if self.lasting else None

    @property
    def dispellable(self) -> bool:
        """nemesis:14.6-dispel  Whether it lasts several turns."""
        return self.turns > 1 or self.persists

    def until(self, turn: int) -> int | None:
        """nemesis:14.2-duration  The last turn it lasts, cast in `turn`: nT through the end of turn t+n-1."""
        return None if self.permanent or self.persists else turn + max(self.turns, 1) - 1


#: Every spell by key, such as "N.2-curse".
BOOK: dict[str, SpellLine] = {}


def enter(made: type[SpellLine]) -> None:
    """Enter a spell in the book under its key."""
    made.key = made.rule.removeprefix("nemesis:A2.")
    made.faction = FACTION_LETTERS[made.key[0]]
    BOOK[made.key] = made()


def spell_list(faction: str) -> tuple[str, ...]:
    """nemesis:14.3-choice  The keys of a faction's own spells, in the book's order."""
    return tuple(key for key, line in BOOK.items() if line.faction == faction)


def key_of(written: str, faction: str = "") -> str:
    """The key meant: itself, with the rule's prefix, its number alone, or the spell's name; else as written.

    Of two spells of one name that of the faction's list is meant; where none is known the key must be written.
    """
    short = written.removeprefix("nemesis:").removeprefix("A2.")
    if short in BOOK:
        return short
    every = (key for name in FACTION_LETTERS.values() for key in spell_list(name))
    found = [key for key in every if goes_by(key, short)]
    own = [key for key in found if BOOK[key].faction == faction] or found
    if len(own) > 1:
        raise BadInput("{name} is a spell of two lists; write {known}", name=written, known=" / ".join(own))
    return own[0] if own else written


def goes_by(key: str, word: str) -> bool:
    """Whether a spell is called so: its key, its number or its name."""
    return word.casefold() in (key.casefold(), key.partition("-")[0].casefold(), BOOK[key].name.casefold())


#: nemesis:14.1-cap  The highest difficulty by CO; None: no limit.
CAPS: dict[int, int | None] = {0: 0, 1: 9, 2: 12, 3: 15, 4: 17, 5: 24, 6: 30, 7: 40, 8: None}


def within_cap(co: int, difficulty: int) -> bool:
    """nemesis:14.1-cap  Whether a mage of that CO may cast a spell of that difficulty at all."""
    cap = CAPS[max(0, min(co, 8))]
    return cap is None or difficulty <= cap
