"""Chapter 10: the Fight phase: Fights First, then Remaining Combats; players alternate."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wh40k.attacks import attacks, hazards
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.command import stratagems
from grognard.games.wh40k.fight import melee, pile_in
from grognard.games.wh40k.forces import Unit
from grognard.games.wh40k.mission import mission
from grognard.games.wh40k.table import barricades
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Pick, Script, option

COUNTER = "wh40k:13.2.2-counter-offensive"
EPIC = "wh40k:13.2.3-epic-challenge"


@cites
def begin(battle: Battle) -> None:
    """wh40k:10.1-steps  Who is eligible at the start of the phase: wh40k:10.5-remaining."""
    for unit in battle.units.values():
        if unit.where == "table" and unit.models:
            unit.phase = unit.phase.but(began_engaged=eligible(battle, unit))


def eligible(battle: Battle, unit: Unit) -> bool:
    """wh40k:10.2.3-eligible, wh40k:10.2.4-once, wh40k:17.6.2-fight, wh40k:15.3.2-barricade-fight
    Whether a unit may be selected to fight."""
    if unit.phase.fought or not unit.models or unit.where != "table":
        return False
    foes = battle.engaged_with(unit)
    battle.cite("wh40k:10.2.3-eligible")
    if battle.is_kind(unit, "AIRCRAFT"):
        battle.cite("wh40k:17.6.2-fight")
        return any(battle.is_kind(e, "FLY") for e in foes)
    battle.cite(*battle.by_aircraft(unit), *(["wh40k:23.24-heroic-result"] if unit.turn.heroic else []))
    if foes or unit.turn.charged:
        return True
    return any(barricades.across(battle, m) for m in battle.members(unit))


def fights_first(battle: Battle, unit: Unit) -> bool:
    """wh40k:10.3-first-step, wh40k:10.4-fights-first, wh40k:9.2-bonus, wh40k:23.24-heroic-result
    Whether it fights in the first step."""
    charge_bonus = unit.turn.charged and not unit.turn.heroic
    if not charge_bonus and not battle.every_flag(unit, "fights_first"):
        return False
    battle.cite("wh40k:10.3-first-step", "wh40k:10.4-fights-first", *(["wh40k:9.2-bonus"] if charge_bonus else []))
    if unit.phase.began_engaged:
        return True
    battle.cite("wh40k:10.5-remaining")
    return bool(battle.house["late_fights_first"] == "now")


def able(battle: Battle, seat: str, step: int) -> list[Unit]:
    """The units a player may select in a step."""
    ready = [u for u in battle.army(seat) if eligible(battle, u)]
    return [u for u in ready if fights_first(battle, u)] if step == 0 else ready


def _barred(battle: Battle, seat: str, step: int) -> dict[str, Refusal]:
    """wh40k:10.2.3-eligible, wh40k:10.2.4-once, wh40k:10.3-first-step, wh40k:10.5-remaining, wh40k:17.6.2-fight
    Why other units wait."""
    found: dict[str, Refusal] = {}
    also: tuple[str, ...]
    for unit in battle.army(seat):
        facts = {"unit": unit.id}
        if unit.phase.fought:
            found[unit.id] = Refusal("refuse.fought", "wh40k:10.2.4-once", facts)
        elif not eligible(battle, unit):
            also = ("wh40k:17.6.2-fight",) if battle.is_kind(unit, "AIRCRAFT") else ()
            found[unit.id] = Refusal("refuse.not-in-combat", "wh40k:10.2.3-eligible", facts, also)
        elif step == 0 and not fights_first(battle, unit):
            also = ("wh40k:10.4-fights-first", "wh40k:10.5-remaining")
            also += ("wh40k:23.24-heroic-result", "wh40k:13.2.11-heroic-intervention") if unit.turn.heroic else ()
            found[unit.id] = Refusal("refuse.fights-later", "wh40k:10.3-first-step", facts, also)
    return found


def phase(battle: Battle) -> Script[None]:
    """wh40k:10.2.1-alternate, wh40k:10.2.2-no-pass, wh40k:10.2.5-exhausted  The active player first; nobody passes."""
    while battle.stage < 2:
        seats = (battle.active, battle.other(battle.active))
        seat = seats[battle.cursor]
        units = able(battle, seat, battle.stage)
        if not units:
            seat = battle.other(seat)
            units = able(battle, seat, battle.stage)
            if not units:
                battle.stage, battle.cursor = battle.stage + 1, 0
                continue
            battle.cite("wh40k:10.2.5-exhausted")
        battle.cite("wh40k:10.2.1-alternate", *_newly(units))
        unit = yield Pick(
            seat, "fight.unit", [option(u.id, u, about=u.named) for u in units], checkpoint=True,
            barred=_barred(battle, seat, battle.stage), rule="wh40k:10.2.2-no-pass",
        )  # fmt: skip
        battle.cite("wh40k:10.5-remaining" if battle.stage else "wh40k:10.3-first-step")
        yield from fight(battle, unit)
        mission.check(battle)
        last = yield from _counter(battle, unit)
        battle.cursor = 1 - seats.index(last)
        mission.check(battle)


def _newly(units: Sequence[Unit]) -> tuple[str, ...]:
    """wh40k:10.2.6-newly  The rule, where some of these were not eligible when the phase began."""
    return () if all(u.phase.began_engaged for u in units) else ("wh40k:10.2.6-newly",)


def _counter(battle: Battle, unit: Unit) -> Script[str]:
    """wh40k:13.2.2-counter-offensive, wh40k:23.25-counter-order
    Whose unit fought last; either may answer the other."""
    seat = battle.other(unit.seat)
    if not stratagems.sought(battle, stratagems.refusal(battle, seat, "counter-offensive")):
        return unit.seat
    army = battle.army(seat)
    barred = {u.id: r for u in army if (r := _counter_refusal(battle, u)) is not None}
    options = [option(u.id, u, about=u.named) for u in army if u.id not in barred]
    if not options and not barred:
        return unit.seat
    battle.cite(*_newly([u for u in army if u.id not in barred]))
    chosen = yield Pick(
        seat, "counter-offensive", options, optional=True, barred=barred, rule=COUNTER, about=(unit.id,),
        notes=(stratagems.note("counter-offensive"),),
    )  # fmt: skip
    if chosen is None:
        return unit.seat
    stratagems.pay(battle, seat, "counter-offensive", chosen.id)
    battle.cite("wh40k:23.25-counter-order")
    yield from fight(battle, chosen)
    return (yield from _counter(battle, chosen))


def _counter_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """wh40k:13.2.2-counter-offensive  Why a unit cannot fight next: not in combat, fought already, Battle-shocked."""
    refusal = stratagems.refusal(battle, unit.seat, "counter-offensive", unit)
    if refusal is not None:
        return refusal
    facts = {"unit": unit.id}
    if unit.phase.fought:
        return Refusal("refuse.fought", COUNTER, facts, ("wh40k:10.2.4-once",))
    if not battle.engaged(unit) or not eligible(battle, unit):
        return Refusal("refuse.not-in-combat", COUNTER, facts, ("wh40k:10.2.3-eligible",))
    if battle.stage == 0 and not battle.house["counter_any_step"] and not fights_first(battle, unit):
        return Refusal("refuse.fights-later", "wh40k:23.25-counter-order", facts)
    return None


def fight(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:10.6-sequence, wh40k:10.8.4-none, wh40k:23.42-charger-without-enemy
    Pile In, make melee attacks, Consolidate."""
    unit.phase = unit.phase.but(fought=True)
    battle.cite("wh40k:10.2.4-once", *(["wh40k:12.5.4-single-unit"] if battle.attached(unit) else []))
    battle.tell("fight", "wh40k:10.6-sequence", (unit.id,))
    if unit.turn.charged and not battle.engaged(unit):
        battle.cite("wh40k:23.42-charger-without-enemy")
    yield from _epic_challenge(battle, unit)
    yield from pile_in.pile_in(battle, unit)
    volleys = yield from melee.declare(battle, unit)
    if not volleys:
        battle.tell("fight.none", "wh40k:10.8.4-none", (unit.id,))
    else:
        yield from attacks.resolve(battle, unit, volleys)
        used = dict.fromkeys((b, v.weapon) for v in volleys if v.weapon.flag("hazardous") for b in v.bearers)
        yield from hazards.test(battle, unit, [(battle.models[b], weapon) for b, weapon in used])
    yield from pile_in.consolidate(battle, unit)


def _epic_challenge(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:13.2.3-epic-challenge  A CHARACTER's melee attacks have Precision until the end of the phase."""
    heroes = [m for m in battle.members(unit) if m.has("CHARACTER")]
    why = stratagems.refusal(battle, unit.seat, "epic-challenge", unit) if heroes else None
    if not heroes or not stratagems.sought(battle, why):
        return
    if why is None and not any(battle.attached(e) for e in battle.engaged_with(unit)):
        why = Refusal("refuse.nobody-to-challenge", EPIC, {"unit": unit.id})
    chosen = yield Pick(
        unit.seat, "epic-challenge", [] if why else [option(m.id, m, about=(m.id,)) for m in heroes], optional=True,
        barred={m.id: why for m in heroes} if why else None, rule=EPIC, about=(unit.id,),
        notes=(stratagems.note("epic-challenge"),),
    )  # fmt: skip
    if chosen is not None:
        stratagems.pay(battle, unit.seat, "epic-challenge", chosen.id)
        unit.phase = unit.phase.but(epic=chosen.id)
