"""ades:4.2.5.4  Shots into a melee: whom they may hit instead of their target."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.rolls import stats
from grognard.games.ades.shooting.shot_numbers import Gun
from grognard.games.ades.table import hidden
from grognard.kernel.questions import Pick, Roll, Script, option
from grognard.kernel.words.tally import Tally

INTO = "ades:4.2.5.4"
#: ades:4.2.5.4  What the die must show at least for a shot into a melee to strike its target.
STRIKES_TARGET = 4


def beside(battle: Battle, gun: Gun, target: Fighter, group: Sequence[Fighter] = ()) -> list[Fighter]:
    """ades:4.2.5.4, ades:11.2-distribution  Those nearest in a target's melee, whom a shot at it may hit instead.

    Ruling: never the shooter or its group.
    """
    if not battle.foes_of(target):
        return []
    if target.profile.titan:
        battle.cite("ades:11.2-distribution")
        return []
    others = [f for f in battle.contacts(target) if f is not gun.shooter and f not in group]
    others = [f for f in others if not hidden.untouched(battle, f, gun.shooter.seat)]
    if gun.assault and len(group) > 1:
        battle.cite("ades:4.2.2-group")
    gaps = [round(battle.gap(gun.shooter, f), 2) for f in others]
    return [f for f, far in zip(others, gaps, strict=True) if far == min(gaps)]


def sway(battle: Battle, gun: Gun, target: Fighter, unlucky: Fighter) -> Tally:
    """ades:4.2.5.4, ades:13.2-tir-instinctif  What is added to the die that tells whom a shot into a melee strikes."""
    plus = Tally(stats.pui(battle, target) - stats.pui(battle, unlucky), "PUI", INTO)
    if battle.uses(gun.shooter, "tir-instinctif"):
        plus.add(2, "instinctive shot", "ades:13.2-tir-instinctif")
    return plus


def distribute(battle: Battle, gun: Gun, target: Fighter, group: list[Fighter]) -> Script[Fighter]:
    """ades:4.2.5.4  A shot into a melee may hit whoever stands nearest.

    Ruling: of equals the shooter's opponent chooses.
    """
    near = beside(battle, gun, target, group)
    if not near:
        return target
    unlucky: Fighter = near[0]
    if len(near) > 1:
        unlucky = yield Pick(
            battle.other(gun.shooter.seat), "shot.unlucky", [option(f.id, f, about=(f.id,)) for f in near], rule=INTO,
            about=(gun.shooter.id, target.id),
        )  # fmt: skip
    plus = sway(battle, gun, target, unlucky)
    (face,) = yield Roll(
        battle.chooser(gun.shooter), "distribution", 6, rule=INTO, plus=plus,
        about=(gun.shooter.id, target.id, unlucky.id), need=STRIKES_TARGET, sense="high",
    )  # fmt: skip
    struck = target if face + plus.value >= STRIKES_TARGET else unlucky
    if struck is unlucky:
        battle.tell("shot.unlucky", INTO, (gun.shooter.id, unlucky.id, target.id))
    return struck
