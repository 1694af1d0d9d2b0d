"""Chapter 17.3, nemesis:17.4
The numbers of a shot: marks, range, accuracy with its modifiers, the melee it may go into."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.nemesis.abilities.base import Trait
from grognard.games.nemesis.army.profiles import Ranged
from grognard.games.nemesis.battle import Battle, weapon_traits
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.rolls.basic_move import allowance
from grognard.games.nemesis.rolls.rerolls import overrides, tester
from grognard.games.nemesis.rolls.stats import stat
from grognard.games.nemesis.rolls.steps import Shot
from grognard.games.nemesis.table import engagements, sight
from grognard.kernel.citing import cites
from grognard.kernel.data.abilities import overriding
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.words.tally import Tally

WEAPON = "nemesis:17.1-weapon"
#: nemesis:17.4  The modifiers every shot is looked at for.
MODIFIERS = tuple(f"nemesis:17.4-{what}" for what in ("larger", "smaller", "cover", "moved", "short", "melee"))


class Aim(NamedTuple):
    """A shooter's view of his target: the model he aims at, whether it is within range, and the shot."""

    mark: Model
    weapon: Ranged
    in_range: bool
    shot: Shot


@cites
def armed_with(battle: Battle, shooter: Model, name: str | None) -> Ranged:
    """nemesis:5.1-equipment  The weapon ordered, or the first for a model that has none of that name
    (nemesis:17.1-weapon)."""
    weapon = battle.ranged_weapon(shooter, name) or battle.ranged_weapon(shooter)
    assert weapon is not None
    return weapon


def shots_of(battle: Battle, shooter: Model, weapon: Ranged) -> int:
    """nemesis:A1.27-multishot  Ruling: N shots at one target, always; else one."""
    for trait in (*battle.traits(shooter), *weapon_traits(weapon)):
        if trait.multishot:
            battle.cite(trait.rule, "nemesis:A1-class")
            return trait.number or 1
    return 1


def marks(battle: Battle, shooter: Model, target: Unit) -> list[tuple[Model, bool]]:
    """nemesis:17.2-los, nemesis:17.2-hero-shield  Who of a unit can be shot at, with cover: not a hero among others."""
    seen = sight.visible(battle, shooter, target)
    if target.id not in shooter.detected and any(m.hidden for m, _ in seen):
        battle.cite("nemesis:A1.5-hidden-target", "nemesis:A1.5-hidden")
        seen = [(m, cover) for m, cover in seen if not m.hidden]
    if shielded(target) and any(m.id == target.hero for m, _ in seen):
        battle.cite("nemesis:17.2-hero-shield")
        return [(m, cover) for m, cover in seen if m.id != target.hero]
    if target.hero is not None:
        battle.cite("nemesis:17.2-hero-shield")
    return seen


def shielded(target: Unit) -> bool:
    """nemesis:17.2-hero-shield  Whether a unit hides a hero. Ruling: not when he is the last of it."""
    return target.hero is not None and len(target.models) > 1


def moved_far(battle: Battle, shooter: Model) -> bool:
    """nemesis:17.4-moved  House rule shoot_after_long_move: who went further than his basic move cannot shoot.

    Ruling: all he went this turn is added up - the basic move, an approach, a charge that failed.
    """
    if battle.house.get("shoot_after_long_move", "allow") == "allow" or not shooter.moved:
        return False
    basic = max(float(allowance(battle, shooter, flying=f).value) for f in (False, shooter.card.fly is not None))
    return shooter.travelled > cm(basic) + TOUCH


def aim(battle: Battle, shooter: Model, weapon: Ranged, target: Unit) -> Aim | None:
    """nemesis:17.3-range, nemesis:17.3-accuracy  A shooter and his target unit; None if he sees nobody he may shoot at.

    Ruling: size and cover are those of the nearest model he sees that is not yet lost.
    """
    seen = marks(battle, shooter, target)
    if not seen:
        return None
    mark, cover = min(seen, key=lambda pair: (pair[0].doomed, battle.gap(shooter, pair[0])))
    near = min(battle.gap(shooter, m) for m, _ in seen)
    skill = _skill(battle, shooter, mark)
    accuracy = _skill(battle, shooter, mark)
    _modify(battle, shooter, weapon, mark, cover, target, accuracy)
    shot = Shot(tester(battle, shooter), accuracy, skill, Tally(weapon.DT, "DT", WEAPON), Tally(weapon.F, "F", WEAPON))
    return Aim(mark, weapon, near <= cm(weapon.P) + TOUCH, shot)


def _skill(battle: Battle, shooter: Model, mark: Model) -> Tally:
    """nemesis:5.1-HT, nemesis:A2.O.2-falling-leaves
    HT against this mark: what changes HT itself counts for the impact too."""
    skill = stat(battle, shooter, "HT")
    for trait in overriding(battle.traits(mark), "aimed_at", Trait):
        trait.aimed_at(battle, shooter, mark, skill)
    return skill.at_least(0, "floor", "nemesis:X.12-floors")


def _modify(
    battle: Battle, shooter: Model, weapon: Ranged, mark: Model, cover: bool, target: Unit, tally: Tally
) -> None:
    """nemesis:17.4  The accuracy modifiers, all cumulative.

    nemesis:17.4-larger, nemesis:17.4-smaller, nemesis:17.4-cover, nemesis:17.4-moved, nemesis:17.4-short,
    nemesis:17.4-melee
    """
    plain = len(tally.changes)
    if MODIFIERS[0] not in battle.cited:
        battle.cite(*MODIFIERS)
    size = mark.card.size - shooter.card.size
    tally.add(size, "size", "nemesis:17.4-larger" if size > 0 else "nemesis:17.4-smaller")
    if size:
        battle.cite("nemesis:5.3")
    if cover:
        tally.add(-1, "cover", "nemesis:17.4-cover")
    if shooter.moved and not overrides(battle, shooter, "precise"):
        tally.add(-1, "moved", "nemesis:17.4-moved")
    if _short(battle, shooter, weapon, target):
        tally.add(1, "short range", "nemesis:17.4-short")
    if brawl(battle, target, shooter.seat)[1]:
        tally.add(-3, "melee", "nemesis:17.4-melee")
    for trait in overriding((*battle.traits(shooter), *weapon_traits(weapon)), "accuracy", Trait):
        trait.accuracy(battle, shooter, mark, tally)
    if len(tally.changes) > plain:
        battle.cite("nemesis:17.4")


@cites
def _short(battle: Battle, shooter: Model, weapon: Ranged, target: Unit) -> bool:
    """nemesis:17.1-short  Half the range; a regiment only if all are that near (nemesis:17.4-regiment-short).

    Ruling: measured from each member to the nearest target model that any of them sees.
    """
    unit = battle.unit_of(shooter)
    members = battle.members(unit)
    if len(members) > 1:
        battle.cite("nemesis:17.4-regiment-short")
    seen = dict.fromkeys(m.id for member in members for m, _ in marks(battle, member, target))
    near = [battle.models[key] for key in seen]
    half = cm(weapon.P) / 2 + TOUCH
    return bool(near) and all(min(battle.gap(m, other) for other in near) <= half for m in members)


def brawl(battle: Battle, target: Unit, seat: str) -> tuple[list[Model], list[Model]]:
    """nemesis:17.5-random, nemesis:17.4-melee
    The target's melees with friends of the shooter: enemies and friends in them.

    Ruling: a regiment with any model in contact is engaged as a whole. Ruling: where the target fights only strangers
    a melee of three or more shares a hit out among the shooter's enemies in it too, and endangers no friend.
    """
    engaged = [m for m in battle.members(target) if battle.contacts(m)]
    beside = [m for m in engaged if any(battle.models[key].seat == seat for key in battle.contacts(m))]
    found = {m.id: m for member in beside or engaged for m in battle.melee(member)}
    if not beside and len(found) < 3:
        return [], []
    inside = sorted(found.values(), key=lambda m: m.body)
    return [m for m in inside if m.seat != seat], [m for m in inside if m.seat == seat] if beside else []


def newly_engaged(battle: Battle, target: Unit) -> bool:
    """nemesis:17.5-random  Whether the target has become engaged since the shots were declared this turn."""
    return battle.engaged(target) and bool(engagements.fresh(battle, target))
