"""wh40k:13.2.7-overwatch  Fire Overwatch: shooting in the opponent's Movement or Charge phase."""

from __future__ import annotations

import msgspec

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.command import stratagems
from grognard.games.wh40k.forces import Unit
from grognard.games.wh40k.shooting import shooting, targeting
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Pick, Script, option

RULE = "wh40k:13.2.7-overwatch"
REACH = inches(24)


def window(battle: Battle, unit: Unit, moment: str) -> Script[None]:
    """wh40k:23.20-overwatch-window, wh40k:23.55-overwatch-arrivals  An enemy unit was set up, or starts or ends a move.

    moment: "set-up", "start" or "end".
    """
    if moment == "set-up" and unit.seat != battle.active and battle.phase in ("movement", "charge"):
        battle.cite("wh40k:23.55-overwatch-arrivals")
    if not _open(battle, unit):
        return
    seat = battle.other(unit.seat)
    barred = {u.id: r for u in battle.army(seat) if (r := _refusal(battle, u, unit)) is not None}
    options = [option(u.id, u, about=(*u.named, unit.id)) for u in battle.army(seat) if u.id not in barred]
    if not options and not any(r.code != "refuse.no-guns" for r in barred.values()):
        return
    battle.cite("wh40k:23.55-overwatch-arrivals" if moment == "set-up" else "wh40k:23.20-overwatch-window")
    shooter = yield Pick(
        seat, "overwatch", options, optional=True, barred=barred, rule=RULE, about=(unit.id,),
        data={"moment": f"moment.{moment}"}, notes=(stratagems.note("overwatch"),),
    )  # fmt: skip
    if shooter is None:
        return
    stratagems.pay(battle, seat, "overwatch", shooter.id, unit.id)
    battle.cite("wh40k:23.21-overwatch-eligibility")
    shooter.phase = shooter.phase.but(overwatch=True)
    shot = shooter.phase.acted
    yield from shooting.shoot(battle, shooter, only=unit)
    shooter.phase = shooter.phase.but(acted=shot)


def able(battle: Battle, unit: Unit) -> list[Unit]:
    """The units that could fire at one that was set up, or starts or ends a move, in its own player's phase."""
    if not _open(battle, unit):
        return []
    return [u for u in battle.army(battle.other(unit.seat)) if _refusal(battle, u, unit) is None]


def _open(battle: Battle, unit: Unit) -> bool:
    """Whether the other player would look for somebody to fire at a unit: it is there, and he has the points."""
    if unit.seat != battle.active or battle.phase not in ("movement", "charge"):
        return False
    if unit.where != "table" or not unit.models:
        return False
    return stratagems.sought(battle, stratagems.refusal(battle, battle.other(unit.seat), "overwatch"))


def _refusal(battle: Battle, shooter: Unit, target: Unit) -> Refusal | None:
    """wh40k:13.2.7-overwatch  Why not: more than 24" away, Battle-shocked, not eligible to shoot, no weapon reaches it.

    Ruling: a unit none of whose weapons may be aimed at the enemy has no use for the Stratagem and is not chosen.
    """
    refusal = stratagems.refusal(battle, shooter.seat, "overwatch", shooter)
    refusal = refusal or targeting.shoot_refusal(battle, shooter, reacting=True)
    if refusal is not None:
        return refusal
    if not battle.within(shooter, target, REACH):
        return Refusal("refuse.too-far-overwatch", RULE, {"unit": shooter.id, "target": target.id})
    refusal = _melee_refusal(battle, shooter, target) or targeting.aim_refusal(battle, shooter, target)
    return None if refusal is None else msgspec.structs.replace(refusal, also=(*refusal.also, RULE))


def _melee_refusal(battle: Battle, shooter: Unit, target: Unit) -> Refusal | None:
    """wh40k:23.20-overwatch-window  Who has ended a charge is in combat: only a few may shoot at it there."""
    held = battle.engaged_with(target)
    if not held or battle.is_kind(target, "MONSTER", "VEHICLE"):
        return None
    pistols = any(w.flag("pistol") for m in battle.members(shooter) for w in m.weapons)
    if shooter in held and (pistols or battle.is_kind(shooter, "MONSTER", "VEHICLE")):
        return None
    also = ("wh40k:23.20-overwatch-window",)
    return Refusal("refuse.into-melee", "wh40k:6.6.2-no-fire-into-melee", {"target": target.id}, also)
