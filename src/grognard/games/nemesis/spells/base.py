"""What a spell is: its line in the book, at whom it may be cast, and what it does.

A spell in effect answers the same questions as an ability (`Trait`): its flags and hooks count for whoever
it lies on, for as long as its enchantment lasts.
"""

from __future__ import annotations

from typing import ClassVar

from grognard.games.nemesis import enchantments
from grognard.games.nemesis.abilities.base import Trait
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.declared import Target
from grognard.games.nemesis.forces import Enchantment, Model, Unit
from grognard.games.nemesis.spells import aiming
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.questions import Note, Option, Script
from grognard.kernel.tally import Tally

FACTION_LETTERS = {"N": "undead", "O": "orphans", "C": "cult", "R": "realm"}


class Spell(Trait):
    """nemesis:14.2-format  Name, difficulty, range and tags, and the effect."""

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

    # ------------------------------------------------------------------ at whom

    def bars(self, battle: Battle, caster: Model, unit: Unit, model: Model | None) -> Refusal | None:
        """Why this spell's own text forbids a target (the unit, or one model of it)."""
        return None

    def casting_bar(self, battle: Battle, caster: Model) -> Refusal | None:
        """Why this spell's own text forbids casting it at all now."""
        return None

    def targets(self, battle: Battle, caster: Model) -> tuple[list[Option], dict[str, Refusal]]:
        """nemesis:14.4-target  What it may be cast at, and for the rest the rule against it."""
        return aiming.targets(battle, caster, self)

    def locate(self, battle: Battle, caster: Model, target: Target) -> Script[Target | None]:
        """What else the declaration fixes, such as a point on the table; None gives the spell up."""
        yield from ()
        return target

    def holder(self, battle: Battle, target: Target) -> str:
        """The id its enchantment lies on. Ruling: a lone model keeps a spell when it joins a regiment."""
        if target.kind == "unit":
            unit = battle.units[target.id]
            return unit.id if unit.regiment or not unit.models else unit.models[0]
        return target.id

    def lapse(self, battle: Battle, caster: Model, target: Target) -> Refusal | None:
        """Why a declared spell has no target any more when its time comes."""
        return aiming.lapse(battle, caster, self, target)

    def distance(self, battle: Battle, caster: Model, target: Target) -> float:
        """nemesis:14.4-range, 4-edge  Millimetres from the caster's base to the target."""
        if target.kind == "unit":
            return min((battle.gap(caster, m) for m in battle.members(battle.units[target.id])), default=float("inf"))
        if target.kind == "model":
            return battle.gap(caster, battle.models[target.id]) if target.id != caster.id else 0.0
        if target.kind == "wood":
            return aiming.gap_to_piece(battle, caster, battle.table.piece(target.id))
        return 0.0

    def reaches(self, battle: Battle, caster: Model, target: Target) -> bool:
        """nemesis:14.4-range, X.14-bounds  The range includes its limit; no range means base contact."""
        if self.range_cm is not None:
            battle.cite("nemesis:X.14-bounds")
        limit = TOUCH if self.range_cm is None else cm(self.range_cm) + 1e-6
        return self.distance(battle, caster, target) <= limit

    # ------------------------------------------------------------------ what it does

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        """The effect; a spell that lasts becomes an enchantment on its target."""
        yield from ()
        return self.enchant(battle, caster, target) if self.lasting else None

    def enchant(self, battle: Battle, caster: Model, target: Target, **data: object) -> Enchantment:
        return enchantments.lay(battle, self, caster, self.holder(battle, target), dict(data))

    def undo(self, battle: Battle, enchantment: Enchantment) -> None:
        """nemesis:14.6-permanent  Take back what was gained, beyond ending the enchantment."""

    def keeps(self) -> bool:
        """Whether its enchantment has anything to do after the casting turn's dispelling."""
        return True

    def linger(self, battle: Battle, enchantment: Enchantment) -> Script[None]:
        """What it does at the start of later magic phases."""
        yield from ()


class Change(Spell):
    """A spell that adds to characteristics while it lasts."""

    changes: ClassVar[dict[str, int]] = {}

    def stat(self, battle: Battle, model: Model, name: str, tally: Tally) -> None:
        tally.add(self.changes.get(name, 0), self.name, self.rule)


class Curse(Spell):
    """nemesis:X.12-floors  A spell that lowers characteristics by 1, to a floor."""

    cursed: ClassVar[tuple[str, ...]] = ("HC", "F", "R", "C")
    floor: ClassVar[int] = 0

    def stat(self, battle: Battle, model: Model, name: str, tally: Tally) -> None:
        if name in self.cursed:
            floor = min(self.floor, tally.value)
            tally.add(-1, self.name, self.rule).at_least(floor, "floor", "nemesis:X.12-floors")


class DoubleMove(Spell):
    """A spell that multiplies M by 2. Ruling: with Speed by 4."""

    def stat(self, battle: Battle, model: Model, name: str, tally: Tally) -> None:
        if name == "M":
            battle.cite("nemesis:14.2-duration")
            tally.times(2, self.name, self.rule)


class Frozen(Spell):
    """A spell whose target can do nothing. Ruling: it still tests, resists and survives."""

    does_nothing = True
    cannot_move = True
    cannot_attack = True
    cannot_defend = True
    bars_disengaging = True


BOOK: dict[str, Spell] = {}


def spell(made: type[Spell]) -> type[Spell]:
    """Class decorator: enter a spell in the book under its key, such as "N.2-curse"."""
    made.key = made.rule.removeprefix("nemesis:A2.")
    made.faction = FACTION_LETTERS[made.key[0]]
    BOOK[made.key] = made()
    return made
