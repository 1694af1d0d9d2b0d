"""Chapters 13.7.6, 10.7.2 to 4, 7.2.5:
The moment of contact: thrown weapons, panic of those struck in flank or rear."""

from __future__ import annotations

from grognard.games.wfb3.army.profiles import REACH
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import overlap, striking
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.psychology import panic
from grognard.games.wfb3.shooting import volleys, who_may_shoot
from grognard.games.wfb3.table import split_units
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Option, Pick, Script


def throw_at_contact(battle: Battle, charger: Unit, target: Unit) -> Script[None]:
    """wfb3:13.7.6-contact-throw, wfb3:13.7.6-throw-endless
    Both front ranks may throw just before contact; the wounds count in the combat."""
    for unit, other in ((charger, target), (target, charger)):
        if unit.where != "table" or other.where != "table" or battle.engaged(unit) or unit.rout.routed:
            continue
        thrown = [w for w in who_may_shoot.weapons(battle, unit) if w.thrown]
        if not thrown:
            continue
        weapon = yield Pick(
            unit.seat, "charge.throw", [Option(w.name, w, about=(other.id,)) for w in thrown], optional=True,
            rule="wfb3:13.7.6-contact-throw", about=(unit.id, other.id),
        )  # fmt: skip
        if weapon is None:
            continue
        battle.cite("wfb3:13.7.6-throw-endless", "wfb3:4-out-of-turn")
        wounds = yield from volleys.volley(battle, unit, other, weapon, at_chargers=unit is target, hasty=True)
        unit.combat = unit.combat.but(opening=(battle.clock, wounds))


def received(battle: Battle, charger: Unit, target: Unit, side: Edge, *, oblique: bool, already: bool) -> Script[None]:
    """wfb3:7.2.5-face, wfb3:10.7.2, wfb3:10.7.3, wfb3:10.7.4, wfb3:7.1.5-panic
    Struck in the flank or rear: who may turn does, and some must test.

    Ruling: those tests are taken at contact, not when the charge is declared.
    """
    if striking.fronting(battle, target, side) is Edge.FRONT:
        if split_units.divided(battle, target):
            yield from panic.test(battle, target, "wfb3:10.7.4", charger)
        return
    battle.cite("wfb3:7.1.5-panic")
    if overlap.is_bent(target):
        yield from overlap.charged(battle, target, charger, side)
        return
    if split_units.divided(battle, target):
        battle.cite("wfb3:7.2.5-split")
        target.combat = target.combat.but(auto_hit=(*target.combat.auto_hit, charger.id))
        yield from panic.test(battle, target, "wfb3:10.7.4", charger)
    elif target.id in charger.charge.unseen:
        yield from panic.test(battle, target, "wfb3:10.7.3", charger)
    elif already and not oblique and not can_strike_back(target, side):
        yield from panic.test(battle, target, "wfb3:10.7.2", charger)
    else:
        battle.cite("wfb3:7.2.5-face")
        if already:
            battle.cite("wfb3:10.7.2")
    if target.kind == "character":
        battle.cite("wfb3:14.6.1-face-charge")


def can_strike_back(target: Unit, side: Edge) -> bool:
    """wfb3:10.7.2  Whether the models attacked there can strike both ways: stomps anywhere, tails behind.

    That others of the unit are free to turn round does not spare it the test: they turn once it is passed.
    """
    reach = "flank" if side.is_flank else "rear"
    carrier = target.mount or target.profile
    return any(reach in REACH[kind] and count for kind, count in carrier.attacks)
