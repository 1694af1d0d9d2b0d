"""Chapters 6.2, 6.3, 6.6, 6.8 and 8: who may shoot, with what, at whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grognard.games.wh40k.abilities import Aim
from grognard.games.wh40k.abilities.base import Change
from grognard.games.wh40k.army.profiles import Weapon
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.positions import EPS, BoolArray
from grognard.games.wh40k.table import sight
from grognard.games.wh40k.terrain import wholly_on
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.terrain import FloatArray
from grognard.kernel.geometry.units import inches

ELIGIBLE = "wh40k:6.2-eligible"
LONE = inches(12)
PLUNGING = inches(6)


class Gun(NamedTuple):
    """A weapon in the hands of a model (a passenger's counts as its TRANSPORT's, wh40k:5.3-firing-deck)."""

    bearer: Model
    weapon: Weapon

    @property
    def profiles(self) -> tuple[Weapon, ...]:
        """wh40k:6.3.1-targets-first  All profiles of the weapon it is one of, as its bearer has it."""
        own = tuple(w for w in self.bearer.weapons if w.item == self.weapon.item)
        return own if self.weapon in own else (self.weapon,)


#: Weapons, each with the unit it is aimed at.
Shots = list[tuple[Gun, Unit]]


def guns(battle: Battle, unit: Unit) -> list[Gun]:
    """wh40k:11.2.1-range  The ranged weapons of a unit."""
    return [Gun(m, w) for m in battle.members(unit) for w in m.weapons if not w.melee]


def only(battle: Battle, unit: Unit) -> tuple[str, str]:
    """The flag a weapon needs for this unit to fire it now, and the rule; ("", "") when any will do.

    wh40k:23.21-overwatch-eligibility  An Advance counts in the turn it was made in only.
    """
    if unit.turn.moved == "advance" and battle.active == unit.seat:
        return "assault", "wh40k:8.1-assault"
    if not battle.engaged(unit):
        return "", ""
    battle.cite("wh40k:8.5.2-pistol-limits")
    return ("", "") if battle.is_kind(unit, "MONSTER", "VEHICLE") else ("pistol", "wh40k:8.5.2-pistol-limits")


def shoot_refusal(battle: Battle, unit: Unit, *, reacting: bool = False) -> Refusal | None:
    """wh40k:6.2-eligible, wh40k:6.6.1-locked, wh40k:8.1-assault, wh40k:8.5.1-pistol-eligible, wh40k:6.8.1-bgnt-shoot,
    wh40k:6.8.5-bgnt-note
    Why a unit is not eligible to shoot.

    wh40k:23.21-overwatch-eligibility  In the opponent's turn (`reacting`) what it did in its own does not count.
    """
    facts = {"unit": unit.id}
    armed = guns(battle, unit) + passengers_guns(battle, unit)
    if not armed:
        return Refusal("refuse.no-guns", "wh40k:11.2.1-range", facts)
    if not reacting:
        if unit.turn.moved == "fall-back":
            return Refusal("refuse.fell-back", "wh40k:4.7.2-fall-back-limits", facts, (ELIGIBLE,))
        if unit.turn.moved == "advance" and not any(g.weapon.flag("assault") for g in armed):
            return Refusal("refuse.advanced", ELIGIBLE, facts, ("wh40k:4.6.2-advance-limits", "wh40k:8.1-assault"))
    if battle.engaged(unit):
        if battle.is_kind(unit, "MONSTER", "VEHICLE"):
            battle.cite("wh40k:6.8.1-bgnt-shoot", "wh40k:6.6.1-locked")
        elif not any(g.weapon.flag("pistol") for g in armed):
            big = any(battle.is_kind(e, "MONSTER", "VEHICLE") for e in battle.engaged_with(unit))
            note = ["wh40k:6.8.5-bgnt-note"] if big else []
            return Refusal("refuse.locked", "wh40k:6.6.1-locked", facts, (ELIGIBLE, *note, *battle.by_aircraft(unit)))
        else:
            battle.cite("wh40k:8.5.1-pistol-eligible", "wh40k:6.6.1-locked")
    return None


def absent(battle: Battle, seat: str, rule: str) -> dict[str, Refusal]:
    """wh40k:5.4.3-inert, wh40k:6.2-eligible, wh40k:9.3.1-eligible
    Why units off the battlefield do and suffer nothing."""
    away = {u.id: Refusal("refuse.in-reserves", rule, {"unit": u.id}) for u in battle.army(seat, "reserves")}
    inert = "wh40k:5.4.3-inert"
    return away | {
        u.id: Refusal("refuse.aboard", inert, {"unit": u.id}, (rule,)) for u in battle.army(seat, "embarked")
    }


def deck(battle: Battle, unit: Unit) -> int:
    """wh40k:5.3-firing-deck  How many passengers may fire from a TRANSPORT."""
    return max((t.firing_deck() for m in battle.members(unit) for t in battle.traits(m)), default=0)


def passengers_guns(battle: Battle, unit: Unit) -> list[Gun]:
    """wh40k:5.3-firing-deck, wh40k:23.17-firing-deck  The weapons passengers could fire from a TRANSPORT, as its own.

    Ruling: a passenger's Assault weapon makes a TRANSPORT that Advanced eligible, a Pistol one in combat.
    """
    if not unit.sheet.capacity or not deck(battle, unit):
        return []
    riders = [m for aboard in battle.aboard(unit) for m in battle.members(aboard)]
    carrier = battle.members(unit)[0]
    return [Gun(carrier, w) for m in riders for w in m.weapons if not w.melee]


class Sights:
    """wh40k:6.5.3-snapshot, wh40k:1.3-sides
    What one unit sees and reaches when it selects its targets, worked out once."""

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self.battle = battle
        self.unit = unit
        self.members = battle.members(unit)
        self.row = {m.id: i for i, m in enumerate(self.members)}
        battle.cite("wh40k:1.3-sides")
        self.enemies = battle.army(battle.other(unit.seat))
        self._seen: dict[str, BoolArray] = {}
        self._gaps: dict[str, FloatArray] = {}
        self.engaged = {m.id: bool(battle.model_engaged(m)) for m in self.members}

    def gap(self, model: Model, target: Unit) -> float:
        if target.id not in self._gaps:
            self._gaps[target.id] = self.battle.gaps(self.members, self.battle.members(target))
        return float(self._gaps[target.id][self.row[model.id]].min())

    def _look(self, target: Unit) -> BoolArray:
        if target.id not in self._seen:
            self.battle.cite("wh40k:1.11.4-unit")
            self._seen[target.id] = sight.visible(self.battle, self.members, self.battle.members(target))
        return self._seen[target.id]

    def seen(self, model: Model, target: Unit) -> list[Model]:
        """The models of a target that a model sees."""
        line = self._look(target)[self.row[model.id]]
        return [m for m, s in zip(self.battle.members(target), line.tolist(), strict=True) if s]

    def hidden(self, target: Unit) -> bool:
        """wh40k:8.9.2-indirect-penalty  Ruling: nobody of the shooting unit sees any model of the target."""
        return not bool(self._look(target).any())

    def in_range_and_sight(self, model: Model, target: Unit, distance: float) -> bool:
        """wh40k:6.3.2-legal-target  One and the same model within range and visible."""
        if self.gap(model, target) > distance + EPS:
            return False
        i = self.row[model.id]
        return bool(((self._gaps[target.id][i] <= distance + EPS) & self._look(target)[i]).any())


def target_refusal(sights: Sights, gun: Gun, target: Unit) -> Refusal | None:
    """wh40k:6.3.2-legal-target, wh40k:6.4-lone-operative, wh40k:6.6.2-no-fire-into-melee, wh40k:6.8.2-bgnt-targets,
    wh40k:6.8.4-bgnt-target-big, wh40k:8.5.2-pistol-limits, wh40k:8.11.2-blast-ban, wh40k:8.9.1-indirect
    Why a weapon may not be aimed at a unit."""
    battle, unit, weapon, model = sights.battle, sights.unit, gun.weapon, gun.bearer
    facts = {"model": model.id, "target": target.id, "weapon": weapon.name}
    reach = inches(weapon.range)
    battle.cite("wh40k:1.10.4-within", "wh40k:11.2.1-range")
    if sights.gap(model, target) > reach + EPS:
        return Refusal("refuse.out-of-range", "wh40k:6.3.2-legal-target", facts, ("wh40k:11.2.1-range",))
    if any(battle.flag(m, "lone_operative") for m in battle.members(target)) and not battle.attached(target):
        if sights.gap(model, target) > LONE + EPS:
            return Refusal("refuse.lone-operative", "wh40k:6.4-lone-operative", facts)
        battle.cite("wh40k:6.4-lone-operative")
    if weapon.flag("indirect"):
        battle.cite("wh40k:8.9.1-indirect")
    elif not sights.in_range_and_sight(model, target, reach):
        return Refusal("refuse.not-visible", "wh40k:6.3.2-legal-target", facts, ("wh40k:1.11.4-unit",))
    held = battle.engaged_with(target)
    if not held:
        needs, rule = only(battle, unit)
        if needs == "pistol":
            return Refusal("refuse.pistol-target", rule, facts)
        return None
    return _engaged_refusal(sights, gun, target, held, facts)


def also_refused(sights: Sights, gun: Gun, target: Unit, refusal: Refusal) -> Refusal:
    """The same refusal with whatever else keeps a weapon from being aimed at a unit."""
    battle = sights.battle
    facts = {"model": gun.bearer.id, "target": target.id, "weapon": gun.weapon.name}
    held = battle.engaged_with(target)
    more = _engaged_refusal(sights, gun, target, held, facts) if held else None
    if not held and only(battle, sights.unit)[0] == "pistol":
        more = Refusal("refuse.pistol-target", "wh40k:8.5.2-pistol-limits", facts)
    if refusal.code == "refuse.not-visible":
        hidden = sight.unseen(battle, [gun.bearer], target)
        refusal = Refusal(refusal.code, refusal.rule, refusal.data, (*refusal.also, *hidden))
    return refusal if more is None else refusal.beside([more])


def _engaged_refusal(sights: Sights, gun: Gun, target: Unit, held: list[Unit], facts: dict[str, str]) -> Refusal | None:
    """wh40k:6.6.2-no-fire-into-melee, wh40k:6.8.2-bgnt-targets, wh40k:6.8.4-bgnt-target-big, wh40k:8.5.2-pistol-limits,
    wh40k:8.11.2-blast-ban
    Targets that are within ER of friends."""
    battle, unit = sights.battle, sights.unit
    with_us = unit in held
    if gun.weapon.flag("blast"):
        big = battle.is_kind(target, "MONSTER", "VEHICLE") or (with_us and battle.is_kind(unit, "MONSTER", "VEHICLE"))
        also = () if big else ("wh40k:6.6.2-no-fire-into-melee",)
        return Refusal("refuse.blast-melee", "wh40k:8.11.2-blast-ban", facts, also)
    needs, rule = only(battle, unit)
    if needs == "pistol":
        return None if with_us else Refusal("refuse.pistol-target", rule, facts)
    if with_us and battle.is_kind(unit, "MONSTER", "VEHICLE"):
        battle.cite("wh40k:6.8.2-bgnt-targets")
        return None
    if battle.is_kind(target, "MONSTER", "VEHICLE"):
        battle.cite("wh40k:6.8.4-bgnt-target-big")
        return None
    return Refusal("refuse.into-melee", "wh40k:6.6.2-no-fire-into-melee", facts)


def aim_refusal(battle: Battle, unit: Unit, target: Unit) -> Refusal | None:
    """wh40k:6.3.2-legal-target  Why none of the weapons a unit could fire now may be aimed at a unit, if none may."""
    needs, rule = only(battle, unit)
    armed = guns(battle, unit) + passengers_guns(battle, unit)
    sights, why = Sights(battle, unit), Refusal("refuse.no-guns", rule or ELIGIBLE, {"unit": unit.id})
    for gun in armed:
        if needs and not gun.weapon.flag(needs):
            continue
        refusal = target_refusal(sights, gun, target)
        if refusal is None:
            return None
        why = refusal
    return why


def vain(sights: Sights, arms: Sequence[Gun], mark: Unit | None) -> bool:
    """wh40k:6.3.2-legal-target  Whether none of these weapons may be aimed at anybody, or at the one legal `mark`."""
    needs, _ = only(sights.battle, sights.unit)
    able = [gun for gun in arms if not needs or gun.weapon.flag(needs)]
    marks = sights.enemies if mark is None else [mark]
    return all(target_refusal(sights, gun, target) is not None for target in marks for gun in able)


NEAR = Aim(half_range=True, models=0)


def _minds_range(weapon: Weapon) -> bool:
    """wh40k:7.11.1-group  Whether half range makes a difference; attacks alike in all else are rolled together."""
    return any(trait.attacks(NEAR) or trait.damage(NEAR) for trait in weapon.traits)


def aim(sights: Sights, gun: Gun, target: Unit) -> Aim:
    """wh40k:6.5.3-snapshot, wh40k:23.14-blast-stack  What the weapon's abilities need to know, at target selection."""
    battle, unit = sights.battle, sights.unit
    hidden = bool(gun.weapon.flag("indirect")) and sights.hidden(target)
    stationary = unit.turn.moved in ("", "stationary") and not unit.turn.arrived and not unit.turn.disembarked
    return Aim(
        half_range=_minds_range(gun.weapon) and sights.gap(gun.bearer, target) <= inches(gun.weapon.range) / 2 + EPS,
        models=len(target.models), stationary=stationary and battle.active == unit.seat, charged=unit.turn.charged,
        hidden=hidden, keywords=battle.keywords(target),
    )  # fmt: skip


def changes(sights: Sights, gun: Gun, target: Unit) -> tuple[Change, ...]:
    """wh40k:6.7-stealth, wh40k:6.8.3-bgnt-penalty-own, wh40k:6.8.4-bgnt-target-big, wh40k:13.2.10-smokescreen,
    wh40k:23.15-heavy-bgnt, wh40k:23.16-bgnt-scope
    Modifiers of the Hit roll beside the weapon's own."""
    battle = sights.battle
    found: list[Change] = []
    stealth = battle.every_flag(target, "stealth")
    if stealth or target.phase.smoke:
        battle.cite("wh40k:6.7-stealth")
        found.append((-1, "Stealth", stealth or "wh40k:13.2.10-smokescreen"))
    found += hampered(battle, gun.bearer)
    if gun.weapon.flag("pistol"):
        return tuple(found)
    if gun.bearer.big and sights.engaged[gun.bearer.id]:
        battle.cite("wh40k:23.16-bgnt-scope")
        found.append((-1, "in combat", "wh40k:6.8.3-bgnt-penalty-own"))
    if battle.is_kind(target, "MONSTER", "VEHICLE") and battle.engaged(target):
        found.append((-1, "target in combat", "wh40k:6.8.4-bgnt-target-big"))
    return tuple(found)


def hampered(battle: Battle, model: Model) -> list[Change]:
    """wh40k:11.3.1-abilities  What its damage does to a model's Hit rolls."""
    damaged = model.profile.damaged
    if damaged is None or not model.damaged or not damaged.hit:
        return []
    return [(damaged.hit, "damaged", "wh40k:11.3.1-abilities")]


def plunging(battle: Battle, model: Model, target: Unit) -> int:
    """wh40k:15.5.1-plunging  From 6" up in a ruin at a unit that stands on the ground: AP improved by 1."""
    base, pose = battle.bodies.base(model.body), battle.pose(model)
    if not pose.level or not any(p.kind == "ruins" and wholly_on(p, base, pose) for p in battle.table.pieces):
        return 0
    battle.cite("wh40k:15.5.1-plunging")
    return int(battle.z(model) >= PLUNGING - EPS and all(battle.z(m) <= EPS for m in battle.members(target)))


def alike(models: Sequence[Model]) -> str:
    """What models of one kind are called in a question."""
    return ", ".join(dict.fromkeys(m.profile.name for m in models))
