"""What a spell is: its line in the book, at whom it may be cast, and what it does.

A spell in effect answers the same questions as an ability (`Trait`): its flags and hooks count for whoever
it lies on, for as long as its enchantment lasts.
"""

from __future__ import annotations

from typing import ClassVar

from grognard.games.nemesis.abilities.spell_book import SpellLine, enter
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Enchantment, Model, Unit
from grognard.games.nemesis.magic import enchantments
from grognard.games.nemesis.magic.declarations import Target
from grognard.games.nemesis.magic.spells import aiming
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.questions import Option, Script
from grognard.kernel.words.tally import Tally


class Spell(SpellLine):
    """nemesis:14.4-target, nemesis:14.2-format  A spell: its line, at whom it may be cast, and what it does."""

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
        """nemesis:14.4-range, nemesis:4-edge  Millimetres from the caster's base to the target."""
        if target.kind == "unit":
            return min((battle.gap(caster, m) for m in battle.members(battle.units[target.id])), default=float("inf"))
        if target.kind == "model":
            return battle.gap(caster, battle.models[target.id]) if target.id != caster.id else 0.0
        if target.kind == "wood":
            return aiming.gap_to_piece(battle, caster, battle.table.piece(target.id))
        return 0.0

    def reaches(self, battle: Battle, caster: Model, target: Target) -> bool:
        """nemesis:14.4-range, nemesis:X.14-bounds  The range includes its limit; no range means base contact."""
        if self.range_cm is not None:
            battle.cite("nemesis:X.14-bounds")
        limit = TOUCH if self.range_cm is None else cm(self.range_cm) + TOUCH
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


def spell(made: type[Spell]) -> type[Spell]:
    """Class decorator: enter a spell in the book."""
    enter(made)
    return made
