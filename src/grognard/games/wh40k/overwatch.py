"""wh40k:13.2.7-overwatch  Fire Overwatch: shooting in the opponent's Movement or Charge phase."""

from __future__ import annotations

from grognard.games.wh40k import stratagems, targeting
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Unit
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Pick, Script, option

RULE = "wh40k:13.2.7-overwatch"
REACH = inches(24)


def window(battle: Battle, unit: Unit, moment: str) -> Script[None]:
    """wh40k:23.20-overwatch-window, 23.55-overwatch-arrivals  An enemy unit was set up, or starts or ends a move.

    moment: "set-up", "start" or "end".
    """
    if unit.seat != battle.active or battle.phase not in ("movement", "charge") or not unit.models:
        return
    seat = battle.other(unit.seat)
    if unit.where != "table" or not stratagems.usable(battle, seat, "overwatch"):
        return
    able = [u for u in battle.army(seat) if _may(battle, u, unit)]
    if not able:
        return
    battle.cite("wh40k:23.55-overwatch-arrivals" if moment == "set-up" else "wh40k:23.20-overwatch-window")
    options = [option(u.id, u, about=(u.id,)) for u in able]
    shooter = yield Pick(
        seat, "overwatch", options, optional=True, rule=RULE, about=(unit.id,), data={"moment": f"moment.{moment}"}
    )
    if shooter is None:
        return
    from grognard.games.wh40k import shooting

    stratagems.pay(battle, seat, "overwatch", shooter.id, unit.id)
    battle.cite("wh40k:23.21-overwatch-eligibility")
    shooter.overwatch = True
    shot = shooter.acted
    yield from shooting.shoot(battle, shooter, only=unit)
    shooter.acted = shot


def _may(battle: Battle, shooter: Unit, target: Unit) -> bool:
    """Within 24", not Battle-shocked, and eligible to shoot if it were its own Shooting phase."""
    if shooter.shocked or not battle.within(shooter, target, REACH):
        return False
    return targeting.shoot_refusal(battle, shooter, reacting=True) is None
