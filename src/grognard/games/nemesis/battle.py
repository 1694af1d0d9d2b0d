"""The state of a Némésis battle, and the plain questions one can ask of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from grognard.games.nemesis.abilities import REGISTRY
from grognard.games.nemesis.abilities.base import Trait
from grognard.games.nemesis.abilities.spell_book import BOOK
from grognard.games.nemesis.army.profiles import Card, Melee, Ranged
from grognard.games.nemesis.forces import Enchantment, Marker, Model, Side, Unit
from grognard.games.nemesis.positions import Crowd, gather
from grognard.kernel.geometry.terrain import Piece, Table
from grognard.kernel.geometry.units import cm
from grognard.kernel.state.field import Field

#: nemesis:10-phases, with what comes before the first turn.
BEFORE = ("preparation", "deployment")
PHASES = (
    *BEFORE, "start", "command", "movement", "orders", "magic", "approach", "engage",
    "shooting", "disengage", "combat", "results", "end",
)  # fmt: skip

#: nemesis:5.4-zoc  Ruling: a gap of 3.00 cm is inside.
ZONE = cm(3)
ZONE_EPSILON = 0.1
CONTROLLED = "nemesis:5.4-zoc"
ABILITIES = "nemesis:5.1-abilities"
OVERRIDE = "nemesis:A1-override"


class Battle(Field[Model, Unit, Side]):
    """Everything that changes while Némésis is played. Cards, terrain and house rules are shared by copies."""

    __slots__ = (
        "_contacts", "_contacts_version", "_crowd", "_sight", "_spelled", "enchantments", "joined", "markers", "order",
        "serial", "turn",
    )  # fmt: skip

    def __init__(self, seats: Sequence[str], table: Table, house: dict[str, Any], scenario: str) -> None:
        super().__init__(seats, table, house, scenario, PHASES[0])
        self.markers: tuple[Marker, ...] = ()
        self.enchantments: tuple[Enchantment, ...] = ()
        self.joined: dict[tuple[str, str], int] = {}  # unit pair (sorted) -> turn their combat was joined
        self.turn = 0
        self.order: tuple[str, ...] = tuple(seats)  # nemesis:10-activation
        self.serial = 0
        self._contacts: dict[str, tuple[str, ...]] = {}
        self._contacts_version: Any = None
        self._sight: dict[Any, Any] = {}
        self._crowd: Crowd | None = None
        self._spelled: tuple[tuple[Enchantment, ...], dict[str, list[Trait]]] = ((), {})

    def copy(self) -> Self:
        twin = super().copy()
        twin.joined = dict(self.joined)
        twin._crowd, twin._sight = None, {}
        return twin

    # ------------------------------------------------------------------ who is who

    @property
    def acting(self) -> str:
        """The seat whose activation it is."""
        return self.order[min(self.cursor, len(self.order) - 1)]

    def standing(self, unit: Unit) -> list[Model]:
        """The unit's models that are not lost."""
        return [m for m in self.members(unit) if not m.doomed]

    def army(self, seat: str) -> list[Unit]:
        """A side's units that still have models on the table, in the order they were mustered."""
        return [u for u in self.units.values() if u.seat == seat and u.models]

    def enemies(self, seat: str) -> list[Unit]:
        return [u for u in self.units.values() if u.seat != seat and u.models]

    def heroes(self, seat: str) -> list[Model]:
        return [m for m in self.on_table(seat) if m.card.is_hero]

    # ------------------------------------------------------------------ where things are

    def gap(self, a: Model, b: Model) -> float:
        """nemesis:4-edge, nemesis:4-cm  Millimetres from base edge to base edge."""
        self.cite("nemesis:4-edge", "nemesis:4-cm")
        return self.bodies.gap(a.body, b.body)

    def unit_gap(self, a: Unit, b: Unit) -> float:
        """nemesis:4-edge, nemesis:4-cm  The smallest distance between models of two units."""
        self.cite("nemesis:4-edge", "nemesis:4-cm")
        left = [self.models[i].body for i in a.models]
        right = [self.models[i].body for i in b.models]
        if not left or not right:
            return float("inf")
        return float(self.bodies.gap_matrix(np.asarray(left), np.asarray(right)).min())

    def piece_under(self, model: Model, kind: str) -> Piece | None:
        """The piece of that kind the centre of the model's base stands in."""
        x, y, *_ = self.pose(model)
        return next((piece for piece in self.table.pieces_at(x, y) if piece.kind == kind), None)

    def contacts(self, model: Model) -> tuple[str, ...]:
        """nemesis:19-contact  Ids of the enemy models in base contact."""
        return self.all_contacts().get(model.id, ())

    def all_contacts(self) -> dict[str, tuple[str, ...]]:
        """Everyone in base contact with enemies, and with whom."""
        if self._contacts_version != self.bodies.version:
            crowd = self.crowd()
            self._contacts = crowd.contacts()
            self._contacts_version = crowd.version
        return self._contacts

    def crowd(self) -> Crowd:
        """Everyone on the table as arrays, worked out once per state of the table."""
        if self._crowd is None or self._crowd.version != self.bodies.version:
            moved = None if self._crowd is None else self._crowd.updated(self.bodies)
            if moved is None:
                moved = gather(self.bodies, [m for m in self.models.values() if m.on_table], self.seats)
            self._crowd = moved
        return self._crowd

    def engaged(self, thing: Model | Unit) -> bool:
        """nemesis:17.2-restrict, nemesis:16-los  A model in base contact; a unit with any such model."""
        if isinstance(thing, Model):
            return bool(self.contacts(thing))
        touching = self.all_contacts()
        return bool(touching) and any(key in touching for key in thing.models)

    def opponents(self, unit: Unit) -> list[Unit]:
        """The enemy units in base contact with a unit."""
        found: dict[str, None] = {}
        for model_id in unit.models:
            for enemy in self.contacts(self.models[model_id]):
                found[self.models[enemy].unit] = None
        return [self.units[key] for key in found]

    def melee(self, model: Model) -> list[Model]:
        """nemesis:17.5-random  Everyone in the same melee: the connected component of base contacts."""
        seen = {model.id: None}
        waiting = [model]
        while waiting:
            for other in self.contacts(waiting.pop()):
                if other not in seen:
                    seen[other] = None
                    waiting.append(self.models[other])
        return [self.models[key] for key in seen]

    # ------------------------------------------------------------------ special rules

    def traits(self, model: Model) -> tuple[Trait, ...]:
        """nemesis:5.1-abilities  Those on the card, of the weapon in use and of the spells on model and unit."""
        found = model.card.traits
        if model.card.weapon_flags:
            weapon = self.melee_weapon(model)
            found = (*found, *(weapon_traits(weapon) if weapon is not None else ()))
        return (*found, *self.spells_on(model)) if self.enchantments else found

    def spells_on(self, model: Model) -> list[Trait]:
        """What the spells on the model and its unit change, in the order they were cast."""
        lying, found = self._spelled
        if lying is not self.enchantments:
            found = _by_target(self.enchantments)
            self._spelled = self.enchantments, found
        if model.id not in found:
            return found.get(model.unit, NO_TRAITS)
        if model.id == model.unit or model.unit not in found:
            return found[model.id]
        here = [BOOK[e.spell].trait for e in self.enchantments if e.target == model.id or e.target == model.unit]
        return [trait for trait in dict.fromkeys(here) if trait is not None]  # nemesis:14.2-target-unit: no stacking

    def flag(self, model: Model, name: str) -> str:
        """The rule id of the first trait that sets a flag, or "" (false)."""
        rule = model.card.flags.get(name)
        if rule is not None:
            self.cited[ABILITIES] = self.cited[OVERRIDE] = None
        elif model.card.weapon_flags:
            rule = next((t.rule for t in self.traits(model) if getattr(t, name)), None)
        elif self.enchantments:
            lying = self.spells_on(model)
            rule = next((t.rule for t in lying if getattr(t, name)), None) if lying else None
        if rule is None:
            return ""
        self.cited[rule] = None
        return rule

    def trait_with(self, model: Model, name: str) -> Trait | None:
        """The first trait that sets a flag."""
        for trait in self.traits(model):
            if getattr(trait, name):
                self.cite(trait.rule)
                return trait
        return None

    def unit_flag(self, unit: Unit, name: str) -> str:
        """The rule id where every standing model of the unit has the flag, or ""."""
        first = ""
        for model in self.standing(unit):
            rule = self.flag(model, name)
            if not rule:
                return ""
            first = first or rule
        return first

    def enchanted(self, target: str, spell: str) -> Enchantment | None:
        for enchantment in self.enchantments:
            if enchantment.target == target and enchantment.spell == spell:
                return enchantment
        return None

    def melee_weapon(self, model: Model) -> Melee | None:
        for weapon in model.card.melee:
            if weapon.name == model.weapon:
                return weapon
        return None

    def ranged_weapon(self, model: Model, name: str | None = None) -> Ranged | None:
        """The ranged weapon of that name, or the first."""
        for weapon in model.card.ranged:
            if name is None or weapon.name == name:
                return weapon
        return None

    def card_of(self, unit: Unit) -> Card | None:
        """The card of a unit's troopers (a hero's own for a single model)."""
        for model in self.members(unit):
            if model.id != unit.hero and not model.champion:
                return model.card
        return self.members(unit)[0].card if unit.models else None

    def next_id(self, stem: str) -> str:
        self.serial += 1
        return f"{stem}{self.serial}"

    def free_id(self, stem: str, *taken: str) -> str:
        """The first of stem1, stem2, … that nothing on or off the table is called."""
        used = {*self.models, *self.units, *(piece.id for piece in self.table.pieces), *taken}
        return next(name for n in range(1, len(used) + 2) if (name := f"{stem}{n}") not in used)


NO_TRAITS: list[Trait] = []


def _by_target(enchantments: Sequence[Enchantment]) -> dict[str, list[Trait]]:
    """nemesis:14.2-target-unit  What lies on each target, the same never twice."""
    found: dict[str, list[Trait]] = {}
    for enchantment in enchantments:
        trait, here = BOOK[enchantment.spell].trait, found.setdefault(enchantment.target, [])
        if trait is not None and trait not in here:
            here.append(trait)
    return {target: traits for target, traits in found.items() if traits}


def weapon_traits(weapon: Melee | Ranged) -> tuple[Trait, ...]:
    return tuple(REGISTRY.parse(text) for text in weapon.abilities)
