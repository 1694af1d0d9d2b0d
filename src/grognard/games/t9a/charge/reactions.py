"""t9a:11.C  Charge Reactions: Hold, Stand and Shoot, Flee."""

from __future__ import annotations

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge import charge_range
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import psychology
from grognard.games.t9a.movement import flight
from grognard.games.t9a.shooting import shooting
from grognard.games.t9a.table import ground
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.flight import facing_away
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Note, Pick, Script, option


@cites
def stand_refusal(battle: Battle, unit: Unit, charger: Unit) -> Refusal | None:
    """t9a:11.C.b  Why a unit may not Stand and Shoot at a charger (t9a:11.C.b-arc, t9a:11.C.b-once)."""
    facts = {"unit": unit.id, "charger": charger.id}
    if unit.move.stood:
        return Refusal("refuse.stand.once", "t9a:11.C.b-once", facts)
    if ground.located(battle, unit, charger) is not Edge.FRONT:
        return Refusal("refuse.stand.arc", "t9a:11.C.b-arc", facts)
    battle.cite("t9a:11.C.b-arc")
    if not charge_range.far_enough(battle, unit, charger):
        return Refusal("refuse.stand.near", "t9a:11.C.b-distance", facts)
    return shooting.cannot_stand_and_shoot(battle, unit, charger)


def flee_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """t9a:21.A.b.23, t9a:21.A.b.29, t9a:21.A.b.42  Who may not choose to flee."""
    if battle.any_has(unit, "war-machine"):
        return Refusal("refuse.flee.machine", "t9a:21.A.b.23", {"unit": unit.id})
    if battle.any_has(unit, "undead"):
        return Refusal("refuse.flee.undead", "t9a:21.A.b.29", {"unit": unit.id})
    if battle.most_have(unit, "fearless"):
        return Refusal("refuse.flee.fearless", "t9a:21.A.b.42", {"unit": unit.id})
    return None


def react(battle: Battle, charger: Unit, target: Unit, *, secondary: bool = False) -> Script[str]:
    """t9a:11.C  The charged unit's reaction, resolved before any other charge is declared."""
    reaction = yield from _chosen(battle, charger, target)
    battle.tell("charge.reaction", "t9a:11.C", (target.id, charger.id), reaction=reaction)
    if reaction == "stand":
        target.move = target.move.but(stood=True)
        battle.cite("t9a:11.C.b", "t9a:11.C.b-once")
        yield from shooting.stand_and_shoot(battle, target, charger)
    elif reaction == "flee":
        yield from flee(battle, charger, target, secondary=secondary)
    else:
        battle.cite("t9a:11.C.a")
    return reaction


def _chosen(battle: Battle, charger: Unit, target: Unit) -> Script[str]:
    """t9a:11.C, t9a:21.A.b.40  What the charged unit does; only a flight of its own choice is a feigned one."""
    feigned = target.nerve.feigned
    target.nerve = target.nerve.but(feigned=False)
    if target.nerve.fleeing:
        battle.cite("t9a:11.C-fleeing", *(["t9a:21.A.b.40"] if feigned else []))
        return (yield from _only(charger, target, "flee", "fleeing", "t9a:11.C-fleeing"))
    scared = yield from _terror(battle, charger, target)
    if battle.engaged(target):
        battle.cite("t9a:11.C.a")
        return (yield from _only(charger, target, "hold", "engaged", "t9a:11.C.a"))
    no_flight = flee_refusal(battle, target)
    if scared and no_flight is None:
        return (yield from _only(charger, target, "flee", "terror", "t9a:21.A.b.47"))
    if scared and battle.any_has(target, "war-machine"):
        battle.shake(target, 1)
        battle.tell("unit.shaken", "t9a:21.A.b.23-panic", (target.id,))
    barred: dict[str, Refusal] = {}
    found = [option("hold", text="option.hold")]
    refusal = stand_refusal(battle, target, charger)
    if refusal is None and battle.any_has(target, "undead"):
        refusal = Refusal("refuse.flee.undead", "t9a:21.A.b.29", {"unit": target.id})
    if refusal is None:
        found.append(option("stand", text="option.stand"))
    else:
        barred["stand"] = refusal
    if no_flight is None:
        found.append(option("flee", text="option.flee"))
    else:
        barred["flee"] = no_flight
    picked: str = yield Pick(
        target.seat,
        "charge.react",
        found,
        barred=barred,
        rule="t9a:11.C",
        about=(target.id, charger.id),
        notes=_told(battle, charger, target),
    )
    target.nerve = target.nerve.but(feigned=picked == "flee")
    return picked


def _told(battle: Battle, charger: Unit, target: Unit) -> tuple[Note, ...]:
    """t9a:8.E.a  Chapter 2.B: How far the charger has to come and its chance, unless hidden items may help it."""
    if battle.house["hidden_lists"]:
        return ()
    return (charge_range.note(battle, charger, target, charger.charge.flying),)


def _only(charger: Unit, target: Unit, reaction: str, why: str, rule: str) -> Script[str]:
    """t9a:11.C.a, t9a:11.C-fleeing, t9a:21.A.b.47  The one reaction that is left, and why the others are not."""
    no = Refusal(f"refuse.react.{why}", rule, {"unit": target.id})
    picked: str = yield Pick(
        target.seat,
        "charge.react",
        [option(reaction, text=f"option.{reaction}")],
        barred={other: no for other in ("hold", "stand", "flee") if other != reaction},
        rule="t9a:11.C",
        about=(target.id, charger.id),
    )
    return picked


def _terror(battle: Battle, charger: Unit, target: Unit) -> Script[bool]:
    """t9a:21.A.b.47  A charge that causes Terror: a Panic Test first; failed, the unit must flee if it may."""
    if not battle.any_has(charger, "terror") or battle.most_have(target, "terror") or psychology.immune(battle, target):
        return False
    battle.tell("terror", "t9a:21.A.b.47", (charger.id, target.id))
    return not (yield from psychology.panic_test(battle, target, "t9a:21.A.b.47"))


def flee(battle: Battle, charger: Unit, target: Unit, *, secondary: bool) -> Script[None]:
    """t9a:11.C.c, t9a:11.C.c-pivot
    Away from the charger along the line of centres; nobody redirects whose secondary target flees
    (t9a:11.E.e-noredirect)."""
    flight.turn(battle, target, facing_away(battle.block(target), battle.block(charger)))
    battle.cite("t9a:11.C.c", "t9a:11.C.c-pivot")
    yield from flight.flee(battle, target, chargers=target.this_phase.hunted)
    if secondary:
        no = Refusal("refuse.redirect.secondary", "t9a:11.E.e-noredirect", {"unit": charger.id})
        rule, about = "t9a:11.E.e-noredirect", (target.id,)
        yield Pick(battle.active, "charge.redirect", [], optional=True, barred={charger.id: no}, rule=rule, about=about)
