"""Chapter 9: the Charge phase: declare, roll, move; Heroic Intervention."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from grognard.games.wh40k.army.amounts import Amount
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.charge import tank_shock
from grognard.games.wh40k.charge.charge_moves import ChargeJudge
from grognard.games.wh40k.command import stratagems
from grognard.games.wh40k.forces import Unit
from grognard.games.wh40k.mission import mission
from grognard.games.wh40k.movement import moves
from grognard.games.wh40k.rolls import rerolls
from grognard.games.wh40k.shooting import overwatch, targeting
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal, foremost
from grognard.kernel.geometry.units import MM_PER_INCH, inches
from grognard.kernel.questions import Later, Note, Option, Pick, Place, Script, option

ELIGIBLE = "wh40k:9.3.1-eligible"
TWELVE = inches(12)
SIX = inches(6)
HEROIC = "wh40k:13.2.11-heroic-intervention"


def begin(battle: Battle) -> None:
    """wh40k:9.3.1-eligible  Ruling: who is within 12" of an enemy is settled at the start of the phase."""
    enemies = battle.army(battle.other(battle.active))
    for unit in battle.army(battle.active):
        unit.phase = unit.phase.but(near_enemy=any(battle.within(unit, e, TWELVE) for e in enemies))


def charge_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """wh40k:9.3.1-eligible, wh40k:4.6.2-advance-limits, wh40k:4.7.2-fall-back-limits, wh40k:5.5.3-after,
    wh40k:5.6.3-effects, wh40k:17.6.1-charge
    Why a unit may not declare a charge."""
    return foremost(_charge_refusals(battle, unit))


def _charge_refusals(battle: Battle, unit: Unit) -> list[Refusal]:
    """Every reason by itself."""
    facts, found = {"unit": unit.id}, []
    own = battle.active == unit.seat  # in the opponent's turn what it did in its own does not count
    if own and unit.turn.moved == "advance":
        found.append(Refusal("refuse.advanced", "wh40k:4.6.2-advance-limits", facts, (ELIGIBLE,)))
    if own and unit.turn.moved == "fall-back":
        found.append(Refusal("refuse.fell-back", "wh40k:4.7.2-fall-back-limits", facts, (ELIGIBLE,)))
    if battle.is_kind(unit, "AIRCRAFT"):
        found.append(Refusal("refuse.aircraft-charge", "wh40k:17.6.1-charge", facts, (ELIGIBLE,)))
    if unit.turn.no_charge:
        rule = "wh40k:5.6.3-effects" if unit.turn.disembarked == "wreck" else "wh40k:5.5.3-after"
        found.append(Refusal("refuse.just-disembarked", rule, facts, (ELIGIBLE,)))
    if battle.engaged(unit):
        found.append(Refusal("refuse.engaged", ELIGIBLE, facts, battle.by_aircraft(unit)))
    if all(m.profile.M is None for m in battle.members(unit)):
        found.append(Refusal("refuse.immobile", "wh40k:11.1.1-m", facts))
    return found


def targets(battle: Battle, unit: Unit, reach: float = TWELVE) -> list[Unit]:
    """wh40k:9.3.2-targets, wh40k:17.6.1-charge
    Enemy units within 12" of the charger, seen or not; AIRCRAFT for FLY only."""
    found = [e for e in battle.army(battle.other(unit.seat)) if battle.within(unit, e, reach)]
    flies, flying = battle.is_kind(unit, "FLY"), [e for e in found if battle.is_kind(e, "AIRCRAFT")]
    if flies and flying:
        battle.cite("wh40k:17.6.1-charge")
    if any(e.hover for e in found):
        battle.cite("wh40k:17.3-hover")
    return [e for e in found if flies or e not in flying]


def phase(battle: Battle) -> Script[None]:
    """wh40k:9.1-sequence  The active player charges with units, one at a time, as many as wanted."""
    seat = battle.active
    while True:
        options, barred = _choices(battle, seat)
        if not options and not barred:
            return
        chosen = yield Pick(
            seat, "charge.unit", options, optional=True, barred=barred, rule="wh40k:9.1-sequence", checkpoint=True,
            also=(tank_shock.RULE,),
        )  # fmt: skip
        if chosen is None:
            return
        kind, unit = chosen
        if kind == "tank-shock":
            stratagems.pay(battle, seat, "tank-shock", unit.id)
            unit.phase = unit.phase.but(tank_shock=True)
            continue
        unit.phase = unit.phase.but(acted=True)  # wh40k:9.1-sequence  once per phase
        yield from declare(battle, unit)
        mission.check(battle)


def _choices(battle: Battle, seat: str) -> tuple[list[Option], dict[str, Refusal]]:
    options: list[Option] = []
    barred = targeting.absent(battle, seat, ELIGIBLE)
    for unit in battle.army(seat):
        if unit.phase.acted:
            barred[unit.id] = Refusal("refuse.has-charged", "wh40k:9.1-sequence", {"unit": unit.id}, (ELIGIBLE,))
            continue
        refusal = charge_refusal(battle, unit)
        if refusal is None and not (unit.phase.near_enemy and targets(battle, unit)):
            also = (
                ELIGIBLE,
                *(["wh40k:17.6.1-charge"] if unit.phase.near_enemy and _only_aircraft(battle, unit) else []),
            )
            refusal = Refusal("refuse.no-charge-target", "wh40k:9.3.2-targets", {"unit": unit.id}, also)
        if refusal is not None:
            barred[unit.id] = refusal
            continue
        options.append(option(unit.id, ("charge", unit), about=unit.named, notes=_nearest(battle, unit)))
        if unit.phase.tank_shock or not battle.is_kind(unit, "VEHICLE"):
            continue
        refusal, key = stratagems.refusal(battle, seat, "tank-shock", unit), f"tank-shock:{unit.id}"
        if refusal is not None:
            barred[key] = refusal
        else:
            facts = {"unit": unit.name, "cost": stratagems.STRATAGEMS["tank-shock"].cost}
            notes = (stratagems.note("tank-shock"),)
            options.append(Option(key, ("tank-shock", unit), "option.tank-shock", (unit.id,), facts, notes))
    return options, barred


def _away(battle: Battle, unit: Unit, enemy: Unit) -> dict[str, Any]:
    return {"target": enemy.id, "inches": round(battle.unit_gap(unit, enemy) / MM_PER_INCH, 1)}


def _nearest(battle: Battle, unit: Unit) -> tuple[Note, ...]:
    """The nearest of those a unit could charge, and how far away it is."""
    far = [_away(battle, unit, enemy) for enemy in targets(battle, unit)]
    return (Note("note.nearest", min(far, key=lambda facts: facts["inches"])),)


@cites
def declare(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:9.3.1-eligible, wh40k:9.3.2-targets  One or more targets, then the roll and the move."""
    able = targets(battle, unit)
    barred = {e.id: _not_charged(battle, unit, e) for e in battle.army(battle.other(unit.seat)) if e not in able}
    chosen = yield Pick(
        unit.seat, "charge.targets",
        [option(e.id, e, about=e.named, notes=(Note("note.away", _away(battle, unit, e)),)) for e in able],
        least=1, most=len(able), barred=barred, rule="wh40k:9.3.2-targets", about=(unit.id,),
    )  # fmt: skip
    yield from charge(battle, unit, list(chosen) if isinstance(chosen, tuple) else [chosen])


def _only_aircraft(battle: Battle, unit: Unit) -> bool:
    """wh40k:17.6.1-charge  Whether whoever is near enough to be charged is AIRCRAFT."""
    near = [e for e in battle.army(battle.other(unit.seat)) if battle.within(unit, e, TWELVE)]
    return bool(near) and all(battle.is_kind(e, "AIRCRAFT") for e in near)


def _not_charged(battle: Battle, unit: Unit, enemy: Unit) -> Refusal:
    """wh40k:9.3.2-targets, wh40k:17.6.1-charge  Why an enemy unit cannot be the target of a charge."""
    facts = {"unit": unit.id, "target": enemy.id}
    if battle.within(unit, enemy, TWELVE):
        return Refusal("refuse.charge-aircraft", "wh40k:17.6.1-charge", facts)
    return Refusal("refuse.charge-too-far", "wh40k:9.3.2-targets", facts)


def charge(battle: Battle, unit: Unit, marks: list[Unit]) -> Script[None]:
    """wh40k:9.4.1-roll, wh40k:9.4.3-fail, wh40k:23.54-overwatch-casualties, wh40k:9.5-terrain, wh40k:23.34-fly-charge
    2D6 inches; all conditions, or nobody moves."""
    battle.tell("charge.declared", "wh40k:9.3.2-targets", (unit.id, *(t.id for t in marks)))
    roll, used = yield from rerolls.total(
        stratagems.roller(battle, unit), "charge", Amount(2), "wh40k:9.4.1-roll",
        judged=lambda number: Later(battle, lambda: _worth(battle, unit, marks, number)),
    )  # fmt: skip
    stratagems.settle(battle, used, summed=True)
    battle.cite("wh40k:1.12.1-d6")
    judge = ChargeJudge(battle, unit, marks, inches(roll))
    known = judge.plan() is not None
    before = battle.bodies.version
    if known:
        yield from tank_shock.offer(battle, unit)
        yield from overwatch.window(battle, unit, "start")
        if not unit.models:
            return
        if battle.bodies.version != before:
            judge = ChargeJudge(battle, unit, marks, inches(roll))
            known = judge.plan() is not None
            battle.cite("wh40k:23.54-overwatch-casualties")
    made = None
    if known or all(battle.unit_gap(unit, t) <= inches(roll + 1) for t in marks):
        made = yield Place(
            unit.seat, "charge.move", unit.models, judge, optional=not known, aside=not known,
            rule="wh40k:9.4.2-conditions",
            about=(unit.id, *(t.id for t in marks)), data={"inches": roll},
        )  # fmt: skip
    if made is None:
        battle.cite("wh40k:9.4.2-conditions", *(["wh40k:9.5-terrain"] if battle.table.pieces else []))
        battle.tell("charge.failed", "wh40k:9.4.3-fail", (unit.id,), roll=roll)
        return
    gone = moves.apply(battle, made)
    unit.turn = unit.turn.but(charged=True)
    if battle.is_kind(unit, "FLY"):
        battle.cite("wh40k:23.34-fly-charge", "wh40k:9.6-fly")
    if battle.table.pieces:
        battle.cite("wh40k:9.5-terrain")
    battle.tell("charge.made", "wh40k:9.2-bonus", (unit.id,), roll=roll, inches=round(gone / MM_PER_INCH, 2))
    yield from _after_charge(battle, unit)


def _worth(battle: Battle, unit: Unit, marks: list[Unit], roll: int) -> tuple[Note, ...]:
    """wh40k:9.4.2-conditions, wh40k:9.4.3-fail
    Whether a Charge roll suffices, and how far away the farthest target is."""
    away = max(_away(battle, unit, t)["inches"] for t in marks)
    known = ChargeJudge(battle, unit, marks, inches(roll)).plan() is not None
    text = "note.charge-reaches" if known else "note.charge-falls-short"
    return (Note(text, {"roll": roll, "inches": away}, "wh40k:9.4.2-conditions"),)


def _after_charge(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:1.15.1-in-battle  What a Charge move sets off; the player whose turn it is chooses the order."""
    waiting = ["overwatch", "tank-shock", "heroic"] if unit.seat == battle.active else []
    while waiting and unit.models:
        open_now = [name for name in waiting if OPEN[name](battle, unit)]
        if not open_now:
            break
        name = open_now[0]
        if len(open_now) > 1:
            options = [option(n, text="option.window", data={"what": f"window.{n}"}) for n in open_now]
            name = yield Pick(
                battle.active, "sequence.windows", options, rule="wh40k:1.15.1-in-battle", about=(unit.id,),
                optional=True, aside=True,
            )  # fmt: skip
            name = name or open_now[0]
        waiting.remove(name)
        if name == "overwatch":
            yield from overwatch.window(battle, unit, "end")
        elif name == "tank-shock":
            yield from tank_shock.ram(battle, unit)
        else:
            yield from _heroic(battle, unit)
    if "overwatch" in waiting and unit.models:
        yield from overwatch.window(battle, unit, "end")
    if "heroic" in waiting and unit.models:
        yield from _heroic(battle, unit)


def _heroic(battle: Battle, charger: Unit) -> Script[None]:
    """wh40k:13.2.11-heroic-intervention, wh40k:23.24-heroic-result  A unit within 6" charges the charger at once."""
    seat = battle.other(charger.seat)
    if not stratagems.sought(battle, stratagems.refusal(battle, seat, "heroic-intervention")):
        return
    able = _interveners(battle, charger)
    options = [option(u.id, u, about=(*u.named, charger.id)) for u in able]
    barred = {u.id: r for u in battle.army(seat) if u not in able and (r := _heroic_refusal(battle, u, charger))}
    if not options and not barred:
        return
    chosen = yield Pick(
        seat, "heroic", options, optional=True, barred=barred, rule=HEROIC, about=(charger.id,),
        notes=(stratagems.note("heroic-intervention"),),
    )  # fmt: skip
    if chosen is None:
        return
    stratagems.pay(battle, seat, "heroic-intervention", chosen.id, charger.id)
    chosen.turn = chosen.turn.but(heroic=True)
    battle.cite("wh40k:23.24-heroic-result")
    yield from charge(battle, chosen, [charger])


def _interveners(battle: Battle, charger: Unit) -> list[Unit]:
    """The units that could charge a charger at once."""
    seat = battle.other(charger.seat)
    if charger.seat != battle.active or not stratagems.usable(battle, seat, "heroic-intervention"):
        return []
    near = [u for u in battle.army(seat) if charger in targets(battle, u, SIX)]
    return [u for u in near if _heroic_refusal(battle, u, charger) is None]


def _heroic_refusal(battle: Battle, unit: Unit, charger: Unit) -> Refusal | None:
    """wh40k:13.2.11-heroic-intervention  Why a unit may not intervene: what it did in its own turn does not count."""
    known = [stratagems.refusal(battle, unit.seat, "heroic-intervention", unit), charge_refusal(battle, unit)]
    if battle.is_kind(unit, "VEHICLE") and not battle.is_kind(unit, "WALKER"):
        known.append(Refusal("refuse.no-walker", HEROIC, {"unit": unit.id}))
    if charger not in targets(battle, unit, SIX):
        known.append(Refusal("refuse.too-far-to-help", HEROIC, {"unit": unit.id, "target": charger.id}))
    refusal = foremost(known)
    if refusal is None:
        return None
    return refusal if HEROIC in refusal.rules else replace(refusal, also=(*refusal.also, HEROIC))


#: What may be resolved after a Charge move.
OPEN: dict[str, Callable[[Battle, Unit], Any]] = {
    "overwatch": overwatch.able, "tank-shock": tank_shock.rams, "heroic": _interveners,
}  # fmt: skip
