"""wh40k:19.4-formations  Declare Battle Formations: Hover, Leaders, TRANSPORTS, Reserves; in secret."""

from __future__ import annotations

from typing import Any

from grognard.games.wh40k.attacks import casualties
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Unit
from grognard.games.wh40k.mission.mission import size_for
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Note, Pick, Question, Script, Together, option

RULE = "wh40k:19.4-formations"
RULES = {
    "hover": "wh40k:17.3-hover", "lead": "wh40k:12.5.2-attach", "embark": "wh40k:5.2-start",
    "reserve": "wh40k:14.2.1-declare",
}  # fmt: skip

Task = tuple[str, str]
NONE = "none"
MODES = ("deep-strike", "strategic")


def tasks(battle: Battle, seat: str) -> list[Task]:
    """What a player has to declare, in the book's order; the same for everybody to see."""
    army = [u for u in battle.units.values() if u.seat == seat]
    hover = [u for u in army if any(t.hover for m in battle.members(u) for t in battle.traits(m))]
    leaders = [u for u in army if u.sheet.leads and any(b.sheet.name in u.sheet.leads for b in army)]
    carriers = [u for u in army if u.sheet.capacity]
    found = [("hover", u.id) for u in hover] + [("lead", u.id) for u in leaders]
    found += [("embark", u.id) for u in army if carriers and not u.sheet.capacity]
    return found + [("reserve", u.id) for u in army]


def declared(battle: Battle, seat: str, kind: str) -> dict[str, str]:
    """What a player has declared of one kind so far, by unit."""
    return {unit: answer for what, unit, answer in battle.plans[seat] if what == kind}


def declare(battle: Battle) -> Script[None]:
    """wh40k:19.4-formations  One declaration after another, everybody at their own pace, then all are revealed."""
    lists = {seat: tasks(battle, seat) for seat in battle.seats}

    def then(seat: str, answer: Any) -> Question | None:
        kind, unit = lists[seat][len(battle.plans[seat])]
        battle.plans[seat] = (*battle.plans[seat], (kind, unit, answer or ""))
        return _next(battle, seat, lists[seat])

    first = [question for seat in battle.seats if (question := _next(battle, seat, lists[seat])) is not None]
    if first:
        yield Together(first, checkpoint=True, then=then)
    yield from reveal(battle)


def _next(battle: Battle, seat: str, todo: list[Task]) -> Pick | None:
    """What a player declares after what he has declared already."""
    done = len(battle.plans[seat])
    return _question(battle, seat, todo[done]) if done < len(todo) else None


def _question(battle: Battle, seat: str, task: Task) -> Pick:
    """One declaration. There is always something to answer, or who is still thinking would give a secret away."""
    kind, unit_id = task
    unit = battle.units[unit_id]
    army = [u for u in battle.units.values() if u.seat == seat and u is not unit]
    refusals: dict[str, Refusal | None] = {}
    if kind == "hover":
        refusals = {"hover": None}
    elif kind == "lead":
        refusals = {u.id: _lead_refusal(battle, seat, unit, u) for u in army}
    elif kind == "embark":
        refusals = {u.id: _embark_refusal(battle, seat, unit, u) for u in army if u.sheet.capacity}
    else:
        refusals = {mode: _reserve_refusal(battle, seat, unit, mode) for mode in MODES}
    barred = {key: refusal for key, refusal in refusals.items() if refusal is not None}
    options = [
        option(key, about=(key,), notes=_seats(battle, seat, kind, key))
        if key in battle.units
        else option(key, text=f"option.{key}", notes=_means(key))
        for key in refusals
        if key not in barred
    ]
    options.append(option(NONE, "", text=f"option.none-{kind}"))
    idle = _ruled_out(battle, kind, unit, army)
    return Pick(
        seat, f"formation.{kind}", options, optional=True, nay=NONE, barred=barred, rule=RULES[kind], about=(unit_id,),
        idle=idle, notes=_kept(battle, seat, unit) if kind == "reserve" else (),
    )  # fmt: skip


def _means(key: str) -> tuple[Note, ...]:
    """wh40k:17.3-hover, wh40k:12.2-deep-strike, wh40k:14.3.1-arrive  What a declaration means for the battle."""
    rules = {"hover": RULES["hover"], "deep-strike": "wh40k:12.2-deep-strike", "strategic": "wh40k:14.3.1-arrive"}
    return (Note(f"note.starts-{key}", {}, rules[key]),)


def _seats(battle: Battle, seat: str, kind: str, key: str) -> tuple[Note, ...]:
    """wh40k:5.1-capacity  What a TRANSPORT can still take of those declared to start in it."""
    if kind != "embark":
        return ()
    transport = battle.units[key]
    left = transport.sheet.capacity - _places(_aboard(battle, seat, transport))
    return (Note("note.seats", {"capacity": transport.sheet.capacity, "left": left}, "wh40k:5.1-capacity"),)


def _kept(battle: Battle, seat: str, unit: Unit) -> tuple[Note, ...]:
    """wh40k:14.2.2-limit  What a unit costs, and how much of what may be placed in Strategic Reserves is."""
    facts = {"points": weight(battle, seat, unit), "used": _points(battle, seat), "most": limit(battle, seat)}
    return (Note("note.reserves", facts, "wh40k:14.2.2-limit"),)


def _ruled_out(battle: Battle, kind: str, unit: Unit, army: list[Unit]) -> bool:
    """Whether the cards alone rule a declaration out; anybody may read them, so nobody need think about it."""
    if kind == "lead":
        return not any(u.sheet.name in unit.sheet.leads for u in army)
    if kind != "embark":
        return False
    members = battle.members(unit)
    return not any(
        len(members) <= u.sheet.capacity and all(any(m.has(k) for k in u.sheet.carries) for m in members) for u in army
    )


def _lead_refusal(battle: Battle, seat: str, leader: Unit, unit: Unit) -> Refusal | None:
    """wh40k:12.5.1-list, wh40k:12.5.3-one  Why a Leader cannot be attached to a unit."""
    facts = {"unit": leader.id, "target": unit.id}
    if unit.sheet.name not in leader.sheet.leads:
        return Refusal("refuse.not-listed", "wh40k:12.5.1-list", facts, ("wh40k:12.5.2-attach",))
    if unit.id in declared(battle, seat, "lead").values():
        return Refusal("refuse.led-already", "wh40k:12.5.3-one", facts)
    return None


def body(battle: Battle, seat: str, unit: Unit) -> list[Unit]:
    """wh40k:12.5.4-single-unit  A unit with the Leader declared for it."""
    leads = declared(battle, seat, "lead")
    return [unit, *(battle.units[leader] for leader, led in leads.items() if led == unit.id)]


def _embark_refusal(battle: Battle, seat: str, unit: Unit, transport: Unit) -> Refusal | None:
    """wh40k:5.1-capacity, wh40k:5.2-start, wh40k:17.2-passengers
    Why a unit (and its Leader) cannot start in a TRANSPORT."""
    facts = {"unit": unit.id, "transport": transport.id, "capacity": transport.sheet.capacity}
    if declared(battle, seat, "lead").get(unit.id):
        return Refusal("refuse.leads", "wh40k:12.5.4-single-unit", facts)
    battle.cite("wh40k:5.1-capacity")
    kinds = transport.sheet.carries
    units = body(battle, seat, unit)
    if not all(any(m.has(k) for k in kinds) for u in units for m in battle.members(u)):
        return Refusal("refuse.not-carried", "wh40k:5.1-capacity", facts)
    if aircraft(battle, seat, transport) and not _waits(battle, seat, units):
        return Refusal("refuse.not-in-reserves", "wh40k:17.2-passengers", facts, ("wh40k:14.2.2-limit",))
    if _places([*_aboard(battle, seat, transport), *units]) > transport.sheet.capacity:
        return Refusal("refuse.no-room-aboard", "wh40k:5.1-capacity", facts)
    return None


def _aboard(battle: Battle, seat: str, transport: Unit) -> list[Unit]:
    """wh40k:5.2-start  The units, and their Leaders, declared to start in a TRANSPORT."""
    riders = [battle.units[u] for u, t in declared(battle, seat, "embark").items() if t == transport.id]
    return [b for u in riders for b in body(battle, seat, u)]


def _places(units: list[Unit]) -> int:
    return sum(len(u.models) for u in units)


@cites
def _waits(battle: Battle, seat: str, units: list[Unit]) -> bool:
    """wh40k:17.2-passengers  Ruling: who starts in an AIRCRAFT is in Strategic Reserves with it, within their limit."""
    if any(battle.is_kind(u, "FORTIFICATION") for u in units):
        return False
    return _points(battle, seat) + sum(u.points for u in units) <= limit(battle, seat)


def _reserve_refusal(battle: Battle, seat: str, unit: Unit, mode: str) -> Refusal | None:
    """wh40k:12.2-deep-strike, wh40k:14.2.1-declare, wh40k:14.2.2-limit, wh40k:17.1-reserves
    Why a unit cannot be put in Reserves so."""
    facts = {"unit": unit.id, "most": limit(battle, seat)}
    if declared(battle, seat, "lead").get(unit.id):
        return Refusal("refuse.leads", "wh40k:12.5.4-single-unit", facts)
    if declared(battle, seat, "embark").get(unit.id):
        return Refusal("refuse.starts-aboard", "wh40k:5.2-start", facts)
    if aircraft(battle, seat, unit):
        return Refusal("refuse.aircraft-reserves", "wh40k:17.1-reserves", facts)
    units = body(battle, seat, unit)
    if mode == "deep-strike":
        also = ("wh40k:23.57-attached-abilities",) if len(units) > 1 else ()
        if all(battle.flag(m, "deep_strike") for u in units for m in battle.members(u)):
            battle.cite(*also)
            return None
        return Refusal("refuse.no-deep-strike", "wh40k:12.2-deep-strike", facts, also)
    if any(battle.is_kind(u, "FORTIFICATION") for u in units):
        return Refusal("refuse.fortification", "wh40k:14.2.1-declare", facts)
    if _points(battle, seat) + weight(battle, seat, unit) > limit(battle, seat):
        return Refusal("refuse.reserves-full", "wh40k:14.2.2-limit", facts)
    return None


def aircraft(battle: Battle, seat: str, unit: Unit) -> bool:
    """wh40k:17.1-reserves, wh40k:17.3-hover  AIRCRAFT, unless it was declared to hover."""
    return battle.is_kind(unit, "AIRCRAFT") and not declared(battle, seat, "hover").get(unit.id)


def limit(battle: Battle, seat: str) -> int:
    return size_for(battle.sides[seat].limit).reserves


def weight(battle: Battle, seat: str, unit: Unit) -> int:
    """wh40k:14.2.2-limit  The points of a unit, its Leader and whoever is embarked in it."""
    aboard = [battle.units[u] for u, t in declared(battle, seat, "embark").items() if t == unit.id]
    return sum(b.points for u in [unit, *aboard] for b in body(battle, seat, u))


def _points(battle: Battle, seat: str) -> int:
    """wh40k:14.2.2-limit, wh40k:23.56-aircraft-quarter  What a player keeps in Strategic Reserves already."""
    kept = [battle.units[u] for u, mode in declared(battle, seat, "reserve").items() if mode == "strategic"]
    if battle.house["aircraft_in_quarter"]:
        kept += [u for u in battle.units.values() if u.seat == seat and aircraft(battle, seat, u)]
    riders = 0
    if not battle.house["aircraft_in_quarter"]:
        aboard = declared(battle, seat, "embark").items()
        flown = [u for u, carrier in aboard if carrier and aircraft(battle, seat, battle.units[carrier])]
        riders = sum(b.points for u in flown for b in body(battle, seat, battle.units[u]))
    return riders + sum(weight(battle, seat, u) for u in kept)


# ---------------------------------------------------------------------- the reveal


@cites
def reveal(battle: Battle) -> Script[None]:
    """wh40k:19.4-formations  What was declared becomes so, and is told."""
    for seat in battle.seats:
        for kind, unit_id, answer in battle.plans[seat]:
            if answer:
                MAKE[kind](battle, battle.units[unit_id], answer)
        for unit in [u for u in battle.units.values() if u.seat == seat and u.where == "undeployed"]:
            if battle.is_kind(unit, "AIRCRAFT") and not unit.hover:
                _reserve(battle, unit, "strategic")
    battle.plans = dict.fromkeys(battle.seats, ())
    yield from leave_empty(battle)


def leave_empty(battle: Battle) -> Script[None]:
    """wh40k:18.5.6-dedicated  A DEDICATED TRANSPORT with nobody aboard is not deployed and counts as destroyed."""
    waiting = [u for u in battle.units.values() if u.where == "undeployed" and u.models]
    for unit in waiting:
        if battle.is_kind(unit, "DEDICATED TRANSPORT") and not battle.aboard(unit):
            battle.tell("not-deployed", "wh40k:18.5.6-dedicated", (unit.id,))
            for model in battle.members(unit):
                yield from casualties.destroy(battle, model, "wh40k:18.5.6-dedicated", triggers=False)


def _hover(battle: Battle, unit: Unit, answer: str) -> None:
    """wh40k:17.3-hover  No longer AIRCRAFT, for the whole battle."""
    unit.hover = True
    for model in battle.members(unit):
        model.keywords = tuple(k for k in model.keywords if k != "AIRCRAFT")
    battle.tell("hovers", "wh40k:17.3-hover", (unit.id,))


def attach(battle: Battle, leader: Unit, bodyguard: Unit) -> None:
    """wh40k:12.5.2-attach, wh40k:12.5.3-one, wh40k:12.5.4-single-unit  The Leader's models join the Bodyguard unit."""
    leader.leading, leader.where = bodyguard.id, "attached"
    bodyguard.leader = leader.id
    bodyguard.models = (*bodyguard.models, *leader.models)
    for key in leader.models:
        battle.models[key].unit = bodyguard.id
    leader.models = ()


@cites
def _lead(battle: Battle, unit: Unit, answer: str) -> None:
    """wh40k:12.5.1-list, wh40k:12.5.2-attach, wh40k:12.5.3-one, wh40k:12.5.4-single-unit
    A Leader joins his Bodyguards."""
    attach(battle, unit, battle.units[answer])
    battle.tell("attached", "wh40k:12.5.2-attach", (unit.id, answer))


def _embark(battle: Battle, unit: Unit, answer: str) -> None:
    transport = battle.units[answer]
    unit.where, unit.transport = "embarked", transport.id
    if battle.is_kind(transport, "AIRCRAFT"):
        battle.cite("wh40k:17.2-passengers")
    battle.tell("embarked", "wh40k:5.2-start", (unit.id, answer))


def _reserve(battle: Battle, unit: Unit, answer: str) -> None:
    """wh40k:4.11.1-def, wh40k:12.1-deploy-abilities, wh40k:14.2.1-declare  A unit begins the battle in Reserves."""
    unit.where, unit.reserve = "reserves", answer
    if battle.is_kind(unit, "AIRCRAFT"):
        battle.cite("wh40k:17.1-reserves", "wh40k:23.56-aircraft-quarter")
    rule = "wh40k:12.2-deep-strike" if answer == "deep-strike" else "wh40k:14.2.1-declare"
    battle.cite("wh40k:12.1-deploy-abilities" if answer == "deep-strike" else "wh40k:14.2.2-limit")
    battle.cite("wh40k:4.11.1-def", rule)
    battle.tell("in-reserves", rule, (unit.id,), mode=f"option.{answer}")


MAKE = {"hover": _hover, "lead": _lead, "embark": _embark, "reserve": _reserve}
