"""t9a:12.B, t9a:17.D  Rallying: fleeing units come to their senses, or run on."""

from __future__ import annotations

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import psychology
from grognard.games.t9a.movement import flight
from grognard.games.t9a.rolls import stats
from grognard.games.t9a.rolls.distances import march_limit
from grognard.games.t9a.units import character_bases
from grognard.games.t9a.units.reforms import ReformJudge
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Pick, Script, option


def rally(battle: Battle) -> Script[None]:
    """t9a:12.B, t9a:12.B-start, t9a:21.A.b.40
    Each unit that fled at the start of the Player Turn tests, in the player's
    order; a feigned flight ends with the first test, passed or not.
    """
    if any(u.nerve.fleeing for u in battle.army(battle.active)):
        battle.cite("t9a:12.B-start")
    while True:
        fleeing = [u for u in battle.army(battle.active) if u.nerve.fleeing and not u.move.rallied]
        units = [u for u in fleeing if u.move.was_fleeing]
        fresh = {
            u.id: Refusal("refuse.rally.fresh", "t9a:12.B-start", {"unit": u.id}) for u in fleeing if u not in units
        }
        if not units and not fresh:
            return
        unit = yield Pick(
            battle.active,
            "rally.next",
            [option(u.id, u, about=(u.id,)) for u in units],
            optional=not units,
            barred=fresh,
            rule="t9a:12.B",
            checkpoint=True,
        )
        if unit is None:
            return
        unit.move = unit.move.but(rallied=True)
        swing = stats.swing(battle, unit, "Rally Test")
        if (yield from psychology.test(battle, unit, "rally", "t9a:12.B", half=decimated(battle, unit), swing=swing)):
            yield from _rallied(battle, unit)
        else:
            unit.nerve = unit.nerve.but(feigned=False)
            yield from flight.flee(battle, unit)


@cites
def decimated(battle: Battle, unit: Unit) -> bool:
    """t9a:17.D, t9a:12.B-decimated
    A quarter of its Health Points or fewer; Characters that outlived a unit are a new one (t9a:21.B.c)."""
    if battle.characters(unit) and not battle.rank_and_file(unit):
        start = sum(m.hp_start for m in battle.characters(unit))
        if unit.muster.start_troops:
            battle.cite("t9a:21.B.c")
    else:
        start = unit.muster.start_hp
    return 4 * battle.hp(unit) <= start


def _rallied(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:12.B, t9a:21.A.b.40
    A Reform at once; Shaken until the end of the Player Turn unless it feigned its flight."""
    tactical = bool(battle.all_have(unit, "feigned-flight")) and unit.nerve.feigned
    unit.nerve = unit.nerve.but(fleeing=False, feigned=False)
    unit.move = unit.move.but(moved=True)
    for model in battle.guests(unit):
        model.moved = True
    if tactical:
        battle.cite("t9a:21.A.b.40")
    else:
        battle.shake(unit)
        unit.move = unit.move.but(reformed=True)
    battle.tell("unit.rallied", "t9a:12.B", (unit.id,))
    battle.cite("t9a:12.D.d", "t9a:3.B.f")
    judge = ReformJudge(battle, unit, march_limit(battle, unit), "t9a:12.B")
    yield from character_bases.reform(battle, unit, judge, "rally.reform")
