"""wh40k:13.2.7-overwatch  Fire Overwatch: shooting in the opponent's Movement or Charge phase."""

from __future__ import annotations

from grognard.games.wh40k import stratagems, targeting
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Unit
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Pick, Script, option

RULE = "wh40k:13.2.7-overwatch"
REACH = inches(24)


def window(battle: Battle, unit: Unit, moment: str) -> Script[None]:
    """wh40k:23.20-overwatch-window, 23.55-overwatch-arrivals  An enemy unit was set up, or starts or ends a move.

    moment: "set-up", "start" or "end".
    """
    if moment == "set-up" and unit.seat != battle.active and battle.phase in ("movement", "charge"):
        battle.cite("wh40k:23.55-overwatch-arrivals")
    shooters = able(battle, unit)
    if not shooters and not _shaken(battle, unit):
        return
    seat = battle.other(unit.seat)
    battle.cite("wh40k:23.55-overwatch-arrivals" if moment == "set-up" else "wh40k:23.20-overwatch-window")
    options = [option(u.id, u, about=u.named) for u in shooters]
    shooter = yield Pick(
        seat, "overwatch", options, optional=True, barred=_barred(battle, seat, unit), rule=RULE, about=(unit.id,),
        data={"moment": f"moment.{moment}"},
    )  # fmt: skip
    if shooter is None:
        return
    from grognard.games.wh40k import shooting

    stratagems.pay(battle, seat, "overwatch", shooter.id, unit.id)
    battle.cite("wh40k:23.21-overwatch-eligibility")
    shooter.overwatch = True
    shot = shooter.acted
    yield from shooting.shoot(battle, shooter, only=unit)
    shooter.acted = shot


def able(battle: Battle, unit: Unit) -> list[Unit]:
    """The units that could fire at one that was set up, or starts or ends a move, in its own player's phase."""
    if unit.seat != battle.active or battle.phase not in ("movement", "charge") or not unit.models:
        return []
    seat = battle.other(unit.seat)
    if unit.where != "table" or not stratagems.usable(battle, seat, "overwatch"):
        return []
    return [u for u in battle.army(seat) if _may(battle, u, unit)]


def _shaken(battle: Battle, unit: Unit) -> bool:
    """wh40k:3.3.6-stratagems  Whether Battle-shocked units stand near that might have fired."""
    if unit.seat != battle.active or battle.phase not in ("movement", "charge") or unit.where != "table":
        return False
    seat = battle.other(unit.seat)
    near = [u for u in battle.army(seat) if u.shocked and unit.models and battle.within(u, unit, REACH)]
    return bool(near) and stratagems.usable(battle, seat, "overwatch")


def _barred(battle: Battle, seat: str, unit: Unit) -> dict[str, Refusal]:
    """Why others may not fire at it."""
    found = {}
    for shooter in battle.army(seat):
        refusal = stratagems.refusal(battle, seat, "overwatch", shooter)
        refusal = refusal or targeting.shoot_refusal(battle, shooter, reacting=True)
        refusal = refusal or _melee_refusal(battle, shooter, unit)
        if refusal is None and not battle.within(shooter, unit, REACH):
            refusal = Refusal("refuse.too-far-overwatch", RULE, {"unit": shooter.id, "target": unit.id})
        if refusal is not None:
            found[shooter.id] = refusal
    return found


def _may(battle: Battle, shooter: Unit, target: Unit) -> bool:
    """Within 24", not Battle-shocked, and eligible to shoot if it were its own Shooting phase."""
    if shooter.shocked or not battle.within(shooter, target, REACH):
        return False
    ready = targeting.shoot_refusal(battle, shooter, reacting=True) is None
    return ready and _melee_refusal(battle, shooter, target) is None


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
