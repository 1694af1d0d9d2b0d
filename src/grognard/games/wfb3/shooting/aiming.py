"""Chapters 6.2, 6.2.5, 13.7, 13.8: what a shooter needs to hit, how hard the hit is, and what may be shot at all."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.wfb3.army.weapons import Missile
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.psychology import fear
from grognard.games.wfb3.records import NEVER
from grognard.games.wfb3.rolls.steps import missile_need
from grognard.games.wfb3.table import cover, crews, flyers, sight
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.arcs import fan
from grognard.kernel.formation.block import Place
from grognard.kernel.formation.shapes import Outline, Point
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import TOUCH, inches
from grognard.kernel.words.tally import Tally


class Shot(NamedTuple):
    """Shots alike: what they need to hit, their strength (0: D6), the save modifier, whether from the rear."""

    need: int
    strength: int
    modifier: int
    rear: bool
    tally: Tally

    @property
    def key(self) -> tuple[int, int, int, bool]:
        return self.need, self.strength, self.modifier, self.rear


def weapon_refusal(battle: Battle, unit: Unit, weapon: Missile) -> Refusal | None:
    """wfb3:5.7.7-testudo, wfb3:13.7.4-crossbow-move, wfb3:13.8.1-arquebus-move, wfb3:13.8.1-arquebus-reload,
    wfb3:13.8.3-pistol-reload
    Why a unit may not fire this weapon now.

    Ruling: in a testudo nobody has both hands free for bows, crossbows and guns; what needs one hand may be used.
    """
    facts = {"unit": unit.id, "weapon": weapon.name}
    if unit.drill.formation == "testudo" and weapon.no_shield:
        return Refusal("refuse.shoot.formation", "wfb3:5.7.7-testudo", facts)
    if unit.profile.BS < 1 and unit.kind != "monster":
        return Refusal("refuse.shoot.unable", "wfb3:3.1-zero", facts)
    if weapon.still and unit.march.moved == battle.clock:
        rules = {
            "crossbow": "wfb3:13.7.4-crossbow-move", "blunderbuss": "wfb3:13.8.2-blunderbuss-limits",
            "grenade": "wfb3:13.8.4-grenade",
        }  # fmt: skip
        return Refusal("refuse.shoot.moved", rules.get(weapon.name, "wfb3:13.8.1-arquebus-move"), facts)
    if weapon.reload and unit.shooting.fired >= battle.clock - 2 and unit.shooting.fired != NEVER:
        rules = {"pistol": "wfb3:13.8.3-pistol-reload", "blunderbuss": "wfb3:13.8.2-blunderbuss-limits"}
        return Refusal("refuse.shoot.reloading", rules.get(weapon.name, "wfb3:13.8.1-arquebus-reload"), facts)
    return None


def shooters(battle: Battle, unit: Unit, target: Unit) -> list[tuple[Model, Place]]:
    """wfb3:6.2.2-rear-ranks, wfb3:6.2.1-arc  The models that can see the target in their arc, in range or not."""
    if unit.kind in ("monster", "chariot"):
        return crews.shooters(battle, unit, target)
    battle.cite("wfb3:6.2.2-rear-ranks", "wfb3:6.2.1-arc-mounted" if battle.mounted(unit) else "wfb3:6.2.1-arc")
    outline = battle.block_of(target).outline
    others = sight.blockers(battle, unit, target, [], [])
    around = all_round(battle, unit)
    return [
        (battle.models[unit.models[place.number]], place)
        for place in ranked(battle, unit, target)
        if sight.in_arc(place, outline, around) and sight.from_place(battle, unit, place, target, others)
    ]


def muzzle(place: Place) -> Point:
    """Where a model's shots begin: the middle of its front."""
    left, right = place.rect.side(Edge.FRONT)
    return (left[0] + right[0]) / 2, (left[1] + right[1]) / 2


def all_round(battle: Battle, unit: Unit) -> bool:
    """wfb3:6.2.1-arc-mounted"""
    return battle.mounted(unit) or unit.loose or unit.kind in ("character", "team")


def ranked(battle: Battle, unit: Unit, target: Unit) -> list[Place]:
    """wfb3:6.2.2-rear-ranks, wfb3:6.2.2-elevation, wfb3:27.2.1-two-ranks
    Armed models over whose heads nobody stands."""
    block = battle.block_of(unit)
    if unit.drill.formation in ("square", "missile-wedge"):
        battle.cite("wfb3:5.7.3-square" if unit.drill.formation == "square" else "wfb3:5.7.5-missile-wedge")
    ranks = 2 if battle.house["two_ranks"] else 1
    if battle.house["two_ranks"]:
        battle.cite("wfb3:27.2.1-two-ranks")
    if sight.raised(battle, unit) or sight.raised(battle, target) or unit.loose:
        ranks = block.ranks
    return [
        place
        for place, model_id in zip(block.places, unit.models, strict=True)
        if place.rank < ranks and battle.models[model_id].kit.missiles
    ]


def need(
    battle: Battle, unit: Unit, place: Place, model: Model, target: Unit, weapon: Missile, distance: float,
    *, at_chargers: bool = False, twice: bool = False, hasty: bool = False, mark: Model | None = None,
) -> Tally:  # fmt: skip
    """wfb3:6.2.5-modifiers, wfb3:6.2.5-giant, wfb3:13.7.6-throw-modifier, wfb3:13.7.6-throw-no-long
    The score needed, with every modifier; a plus on the die is a minus on the need."""
    tally = Tally(missile_need(model.profile.BS), "BS", "wfb3:6.2-tohit-table")
    common(battle, unit, target, weapon, tally, at_chargers=at_chargers, mark=mark)
    if weapon.thrown:
        battle.cite("wfb3:13.7.6-throw-no-long")
    elif distance > weapon.half + EPS:
        tally.add(1, "long", "wfb3:6.2.5-modifiers")
    if twice:
        tally.add(1, "twice", "wfb3:13.7.5-repeating-crossbow")
    if hasty:
        tally.add(1, "haste", "wfb3:13.7.6-throw-modifier")
    kind, rule = cover.cover(battle, unit, place, target) if not sight.aloft(unit, target) else ("", "")
    if kind:
        tally.add(2 if kind == "hard" else 1, f"{kind}-cover", rule)
    if fear.in_radius(battle, unit, target):
        tally.add(1, "fear", "wfb3:10.8-radius")
    return tally.at_least(2, "best", "wfb3:6.2.5-floor")


def common(
    battle: Battle, unit: Unit, target: Unit, weapon: Missile, tally: Tally, *, at_chargers: bool = False,
    mark: Model | None = None,
) -> None:  # fmt: skip
    """wfb3:6.2.5-modifiers, wfb3:14.6.2-minus1, wfb3:15.10-hard-target, wfb3:11.2.1-single-target
    What is so wherever shooter and target are."""
    why = "wfb3:6.2.5-modifiers"
    large = battle.large(target) if mark is None else (mark.mount or mark.profile).large
    if large:
        tally.add(-1, "large", why)
    if target.profile.small:
        tally.add(1, "small", why)
    if unit.march.moved == battle.clock and unit.seat == battle.active:
        tally.add(1, "moved", "wfb3:20.5-shooting" if unit.kind == "chariot" else why)
    if target.march.reserve_inches > 6.0 + 1e-6:
        tally.add(1, "fast", why)
    if at_chargers:
        tally.add(1, "at-chargers", "wfb3:7.2.2-shoot")
    if weapon.hit:
        tally.add(-weapon.hit, "improvised", why)
    if target.kind == "team":
        tally.add(1, "character", "wfb3:19.5-portable-team")
    elif not large and (target.kind == "character" or (mark is not None and mark.role == "character")):
        tally.add(1, "character", "wfb3:14.6.2-minus1")
    elif mark is not None and mark.role != "character":
        tally.add(1, "individual", "wfb3:11.2.1-single-target")
    if target.kind == "skirmishers" and not target.loose:
        battle.cite("wfb3:15.10-close-order")
    if target.loose:
        tally.add(1, "skirmishers", "wfb3:15.10-hard-target")


def rear(battle: Battle, place: Place, target: Unit) -> bool:
    """wfb3:6.4.2-shield-rear  Whether a model shoots from the arc of 90 degrees behind the target."""
    return behind(battle, place.outline, target)


def behind(battle: Battle, outline: Outline, target: Unit) -> bool:
    """wfb3:6.4.2-shield-rear  Whether a shot from here comes from the arc of 90 degrees behind the target."""
    if target.drill.formation == "square":
        battle.cite("wfb3:5.7.3-square")
        return False
    return gap(fan(battle.block_of(target).boundary, Edge.REAR), outline) <= TOUCH


def shot(
    battle: Battle,
    unit: Unit,
    place: Place,
    model: Model,
    target: Unit,
    weapon: Missile,
    *,
    limit: float | None = None,
    at_chargers: bool = False,
    twice: bool = False,
    hasty: bool = False,
    mark: Model | None = None,
) -> Shot | None:
    """One model's shot, or None where the target is out of its range."""
    far = gap(place.outline, battle.block_of(target).outline) + flyers.added(battle, unit, target)
    reach = inches(9) if weapon.name == "sling" and twice else limit if limit is not None else weapon.reach
    if far > reach + EPS:
        if not at_chargers or weapon.thrown:
            return None
        far = reach
    tally = need(
        battle, unit, place, model, target, weapon, far, at_chargers=at_chargers,
        twice=twice and weapon.name == "repeating crossbow", hasty=hasty, mark=mark,
    )  # fmt: skip
    if far >= reach - EPS and at_chargers and far > weapon.half:
        battle.cite("wfb3:7.2.2-shoot")
    strength = weapon.strength if weapon.strength is not None else max(1, model.profile.S + weapon.plus)
    if weapon.weak and far > weapon.half + EPS:
        strength = weapon.weak
    return Shot(int(tally.value), strength, weapon.modifier(far), rear(battle, place, target), tally)
