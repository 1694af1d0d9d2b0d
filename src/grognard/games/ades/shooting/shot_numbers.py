"""ades:4.2.5.1, ades:4.2.5.2-difficulty, ades:4.2.5.3  Who may shoot at whom, how hard that is, how strong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import msgspec

from grognard.games.ades.army.profiles import Ranged
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter, Thing
from grognard.games.ades.rolls import characteristic_points, stats, steps, tests
from grognard.games.ades.rolls.tests import Shift
from grognard.games.ades.table import sight
from grognard.games.ades.table.sight import PARTIAL, View
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.words.tally import Tally

SHOT = "ades:4.2.5.2-procedure"
RANGE = "ades:4.2.5.2-difficulty"
CONDITIONS = "ades:4.2.5.1"
MODIFIERS = "ades:4.2.5.3"
#: ades:4.2.5.2-difficulty  Difficulty by how many times the range is needed.
BANDS = (0, 3, 7)
T = TypeVar("T", Fighter, Thing)


class Gun(msgspec.Struct, frozen=True):
    """A weapon in somebody's hands: who fires, what, from where, and what the crew adds."""

    shooter: Fighter
    weapon: Ranged
    machine: Thing | None = None
    shifts: tuple[Shift, ...] = ()
    plus: tuple[Shift, ...] = ()  # changes to TIR itself
    aim: str = ""  # ades:4.2.5.5-aimed  "", "TIR" or "FOR"
    assault: bool = False


def small_arms(fighter: Fighter) -> list[Ranged]:
    return [w for w in fighter.profile.weapons if not w.artillery]


def artillery(fighter: Fighter) -> list[Ranged]:
    return [w for w in fighter.profile.weapons if w.artillery] if not fighter.profile.machine else []


def may_shoot(battle: Battle, fighter: Fighter, weapons: list[Ranged]) -> Refusal | None:
    """ades:4.2.5.1, ades:1.1.2.2-tir  Free of enemies, with a ranged weapon and TIR."""
    facts = {"fighter": fighter.id}
    if not weapons:
        return Refusal("refuse.no-weapon", CONDITIONS, facts, ("ades:13.1-arme-de-tir",))
    if not stats.has_stat(battle, fighter, "TIR"):
        return Refusal("refuse.no-tir", CONDITIONS, facts, ("ades:1.1.2.2-tir",))
    if not battle.free(fighter):
        return Refusal("refuse.not-free", CONDITIONS, facts, ("ades:1.1.13-free", "ades:1.1.13-contact"))
    return None


@cites
def distance(battle: Battle, gun: Gun, target: Fighter | Thing) -> float:
    """ades:1.1.15  From the base of the shooter, in mm.

    Ruling: of the war weapon, if it fires one (ades:10.3-fire).
    """
    body = gun.machine.body if gun.machine is not None else gun.shooter.body
    return battle.bodies.gap(body, target.body) if isinstance(target, Fighter) else battle.body_to_thing(body, target)


@cites
def difficulty(battle: Battle, weapon: Ranged, far: float) -> int | None:
    """ades:4.2.5.2-difficulty  0, 3 or 7 by full ranges; None beyond three."""
    for times, hard in enumerate(BANDS, 1):
        if far <= cm(weapon.range) * times + TOUCH:
            return hard
    return None


def target_refusal(battle: Battle, gun: Gun, target: Fighter) -> Refusal | None:
    """ades:4.2.5.1, ades:7.6
    In view and not two levels apart; however far, for beyond three ranges a shot only misses."""
    facts = {"target": target.id, "fighter": gun.shooter.id}
    if target.hidden:
        if "ades:13.2-eclaireur-hidden" not in battle.cited:
            battle.cite("ades:13.2-eclaireur-hidden")
        return Refusal("refuse.hidden", "ades:13.2-eclaireur-hidden", facts)
    if abs(battle.pose(target).level - battle.pose(gun.shooter).level) > 1:
        return Refusal("refuse.two-levels", "ades:7.6", facts, ("ades:7.5", MODIFIERS))
    if not sight.sees(battle, gun.shooter, target, shooting=True):
        return Refusal("refuse.unseen", CONDITIONS, facts | {"other": target.id}, (*sight.UNSEEN, SHOT))
    if gun.aim and battle.foes_of(target):
        return Refusal("refuse.aimed-melee", "ades:4.2.5.5-aimed", facts)
    return None


def targets(battle: Battle, guns: list[Gun]) -> tuple[list[Fighter], dict[str, Refusal]]:
    """Whom all of a group can shooting.shoot at, and why not the others."""
    return sifted(guns, battle.enemies(guns[0].shooter), lambda gun, target: target_refusal(battle, gun, target))


def sifted(
    guns: Sequence[Gun], marks: Iterable[T], refuse: Callable[[Gun, T], Refusal | None]
) -> tuple[list[T], dict[str, Refusal]]:
    """What nobody of a group is refused, and why not the others."""
    found, barred = [], {}
    for mark in marks:
        refusal = next((r for gun in guns if (r := refuse(gun, mark)) is not None), None)
        if refusal is None:
            found.append(mark)
        else:
            barred[mark.id] = refusal
    return found, barred


def columns(battle: Battle, gun: Gun, target: Fighter, view: View) -> list[Shift]:
    """ades:4.2.5.3  What the view, the target's size and its level shift, in columns to the right."""
    found = seen_columns(battle, gun, view)
    if target.profile.pui > 1:
        found.append((target.profile.pui - 1, "large target", MODIFIERS))
    levels = abs(battle.pose(target).level - battle.pose(gun.shooter).level)
    if levels:
        found.append((-levels, "level", "ades:7.6"))
        battle.cite(MODIFIERS)
    if target.stance.dodging:
        found.append((-1, "dodge", "ades:4.2.4.1-dodge"))
    return found


def seen_columns(battle: Battle, gun: Gun, view: View) -> list[Shift]:
    """ades:4.2.5.3, ades:13.2-tir-instinctif-cover  What the gun brings, and what the view shifts."""
    found: list[Shift] = list(gun.shifts)
    hiding = (view.degree == PARTIAL) + (view.degree == PARTIAL and view.close)
    if battle.has(gun.shooter, "tir-instinctif"):
        battle.cite("ades:13.2-tir-instinctif-cover")
        hiding = max(0, hiding - 1)
    if hiding:
        found.append((-hiding, "partial view", MODIFIERS))
    return found


def to_hit(battle: Battle, gun: Gun, target: Fighter, view: View, more: tuple[Shift, ...] = ()) -> steps.Test:
    """ades:4.2.5.2-procedure  The TIR test against the difficulty of the range."""
    hard = 2 if gun.assault else difficulty(battle, gun.weapon, distance(battle, gun, target))
    value = stats.stat(battle, gun.shooter, "TIR")
    for amount, what, rule in gun.plus:
        value.add(amount, what, rule)
    against = Tally(BANDS[-1] if hard is None else hard, "range", "ades:13.2-tir-dassaut" if gun.assault else RANGE)
    shifts = [*columns(battle, gun, target, view), *more]
    lent = "aimed" if gun.aim == "TIR" else ""
    test = tests.make(battle, "shot", SHOT, gun.shooter, "TIR", value, against, foe=target, shifts=shifts, lent=lent)
    return test if hard is not None else too_far(test)


def too_far(test: steps.Test) -> steps.Test:
    """ades:4.2.5.2-difficulty  Beyond three ranges a shot fails without a die, whatever else speaks for it."""
    return msgspec.structs.replace(test, need=Tally(steps.NEVER, "beyond three ranges", RANGE))


def strength(gun: Gun, force: float) -> Tally:
    """ades:13.1-arme-de-tir, ades:13.1-vapeur-distribution  FOR of a shot, with the points put into it."""
    total = Tally(force, gun.weapon.name, "ades:13.1-arme-de-tir")
    for stat, count, why in gun.shooter.effort.points if gun.machine is None else ():
        if stat == characteristic_points.SHOT:
            total.add(count, "points", why)
    return total
