"""Chapter 21.H.a: Special Attacks in melee: Impact Hits, Grind, Stomp and Breath Attacks; Area Attacks of a blow."""

from __future__ import annotations

import msgspec

from grognard.games.t9a.abilities import Trait, area_of, parse
from grognard.games.t9a.army.amounts import amount
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import hit_distribution
from grognard.games.t9a.losses.attacks import Batch, Strike
from grognard.games.t9a.melee import close_combat_attacks
from grognard.games.t9a.melee.initiative import Entry
from grognard.games.t9a.rolls import dice, weapons_in_use
from grognard.games.t9a.shooting import artillery, breath
from grognard.games.t9a.table import contacts
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Pick, Script, option


class Onset(msgspec.Struct, frozen=True):
    """A Special Attack that is made: on which unit, how often its hits are rolled, and how many each time."""

    entry: Entry
    target: str
    times: int
    value: str


def resolve(battle: Battle, entry: Entry) -> Script[list[Batch]]:
    """t9a:21.H  Impact Hits, Grind and Stomp Attacks, Breath Attacks in melee."""
    batches: list[Batch] = []
    for onset in (yield from declared(battle, entry)):
        if entry.kind == "breath":
            return (yield from _breath(battle, battle.units[entry.unit], entry, battle.units[onset.target]))
        hits = 0
        for _ in range(onset.times):
            hits += yield from rolled(battle, onset)
        batches += yield from landed(battle, onset, hits)
    return batches


def trait_of(battle: Battle, entry: Entry) -> Trait:
    """t9a:21-duplicate  The rule by which a part makes a Special Attack: of several copies the highest."""
    return max(copies_of(battle, entry), key=_worth)


def copies_of(battle: Battle, entry: Entry) -> list[Trait]:
    key = {"impact": "impact-hits", "grind": "grind-attacks", "stomp": "stomp-attacks", "breath": "breath-attack"}[
        entry.kind
    ]
    part = battle.pool_profile(entry.pool).parts[entry.part]
    gained = [t for e in battle.effects(entry.pool) if e.part in ("", part.name) for x in e.traits for t in parse(x)]
    return [t for t in (*part.traits, *gained) if t.key == key]


def declared(battle: Battle, entry: Entry) -> Script[list[Onset]]:
    """Chapter 21.H.a: Whether a Special Attack is made, and on whom; each model strikes a unit it touches itself."""
    unit = battle.units[entry.unit]
    part = battle.pool_profile(entry.pool).parts[entry.part]
    trait = trait_of(battle, entry)
    model = battle.models.get(entry.pool)
    if model is not None and model.duel.refused:
        return []
    if (
        entry.kind == "grind"
        and _has_impact(battle, entry.pool)
        and unit.charge.charging
        and entry.pool not in unit.fight.grinding
    ):
        battle.cite("t9a:21.H.a.1")
        return []
    foes = _touched(battle, unit, entry)
    if not foes and entry.kind == "impact":
        unit.fight = unit.fight.but(grinding=(*unit.fight.grinding, entry.pool))
    if not foes or (entry.kind == "impact" and (yield from _rather_grinds(battle, unit, entry.pool))):
        return []
    if entry.kind == "breath" or (model is not None and model.duel.foe):
        target = yield from _chosen(battle, unit, entry, foes, trait.rule)
        return [Onset(entry, target, part.count, (yield from _value(battle, unit, entry)))]
    many = dict.fromkeys(foes, 0)
    for number in battle.numbers(unit, entry.pool):
        near = [f for f in foes if _number_touches(battle, unit, number, battle.units[f], entry)]
        if near:
            many[(yield from _chosen(battle, unit, entry, near, trait.rule))] += 1
    value = yield from _value(battle, unit, entry)
    return [Onset(entry, key, n * part.count, value) for key, n in many.items() if n]


def _chosen(battle: Battle, unit: Unit, entry: Entry, foes: list[str], rule: str) -> Script[str]:
    if len(foes) == 1:
        return foes[0]
    options = [option(f, about=(f,)) for f in foes]
    return str((yield Pick(unit.seat, "special.target", options, rule=rule, about=(entry.pool,))))


def _value(battle: Battle, unit: Unit, entry: Entry) -> Script[str]:
    """t9a:21-duplicate  How many hits each makes: of several copies the highest; where one of them is a roll the owner
    says which.
    """
    values = list(dict.fromkeys(t.value for t in copies_of(battle, entry)))
    if entry.kind == "breath" or len(values) == 1:
        return values[0]
    battle.cite("t9a:21-duplicate")
    if all(amount(v).fixed for v in values):
        return max(values, key=lambda v: amount(v).plus)
    options = [option(v, text="option.copy", data={"value": v}) for v in values]
    return str((yield Pick(unit.seat, "special.copy", options, rule="t9a:21-duplicate", about=(entry.pool,))))


def rolled(battle: Battle, onset: Onset) -> Script[int]:
    """t9a:21.H.a.1, t9a:21.H.a.3, t9a:21.H.a.5  The hits of one model."""
    entry, trait = onset.entry, trait_of(battle, onset.entry)
    seat = battle.units[entry.unit].seat
    got, _ = yield from dice.roll(
        battle, seat, f"{entry.kind}.hits", amount(onset.value), trait.rule, (entry.pool, onset.target)
    )
    return got


def landed(battle: Battle, onset: Onset, hits: int) -> Script[list[Batch]]:
    """t9a:21.H  The hits of a Special Attack on the unit it is made on."""
    entry, unit, target = onset.entry, battle.units[onset.entry.unit], battle.units[onset.target]
    part = battle.pool_profile(entry.pool).parts[entry.part]
    trait = trait_of(battle, entry)
    strike = close_combat_attacks.special_strike(battle, unit, entry.pool, part, trait.rule)
    own = (entry.pool,) if entry.pool != unit.id else ()
    battle.tell("special.hits", trait.rule, (unit.id, target.id, *own), hits=hits, how=entry.kind, striker=entry.pool)
    return (yield from spread(battle, unit, entry, target, strike, hits))


def _worth(trait: Trait) -> float:
    """Of several copies the one with the higher average."""
    return 0.0 if trait.key == "breath-attack" else amount(trait.value).mean


def _has_impact(battle: Battle, pool: str) -> bool:
    """t9a:21.H.a.5  Whether a model could make Impact Hits: of several parts only those drawn or lifeless do."""
    parts = battle.pool_profile(pool).parts
    able = [p for p in parts if len(parts) == 1 or p.has("harnessed") or p.has("inanimate")]
    return any(weapons_in_use.granted(battle, pool, p, "impact-hits") for p in able)


def _rather_grinds(battle: Battle, unit: Unit, pool: str) -> Script[bool]:
    """t9a:21.H.a.1, t9a:21.H.a.5
    A model with both uses Impact Hits or Grind Attacks in a round, as its owner chooses."""
    if not any(weapons_in_use.granted(battle, pool, p, "grind-attacks") for p in battle.pool_profile(pool).parts):
        return False
    wish = yield Pick(
        unit.seat,
        "special.which",
        [option("impact", text="option.impact"), option("grind", text="option.grind")],
        rule="t9a:21.H.a.1",
        about=(pool,),
    )
    if wish == "grind":
        unit.fight = unit.fight.but(grinding=(*unit.fight.grinding, pool))
    return bool(wish == "grind")


def spread(battle: Battle, unit: Unit, entry: Entry, target: Unit, strike: Strike, hits: int) -> Script[list[Batch]]:
    """Hits on a unit as a whole; a duellist's go to his opponent (t9a:15.E.c-unit-attacks), nobody else's to him
    (t9a:15.E.c-dead-duellist)."""
    model = battle.models.get(entry.pool)
    if model is not None and model.duel.foe:
        foe = battle.models[model.duel.foe]
        battle.cite("t9a:15.E.c-unit-attacks", *(["t9a:15.E.c-dead-duellist"] if foe.gone else []))
        if entry.kind == "stomp" and not stompable(battle, foe.id):
            return []
        return [Batch(strike, foe.id, hits, 0, True)] if hits else []
    only = open_pools(battle, target)
    if entry.kind == "stomp":
        only = [p for p in only if stompable(battle, p)]
    shares = yield from hit_distribution.distribute(battle, target, hits, unit.seat, only=only)
    return [Batch(strike, pool, count) for pool, count in shares.items()]


def open_pools(battle: Battle, target: Unit) -> list[str]:
    """t9a:15.E.c  The pools on which hits of others may fall in melee: not those of duellists."""
    pools = battle.pools(target)
    found = [p for p in pools if not (p in battle.models and battle.models[p].duel.foe)]
    if len(found) < len(pools):
        battle.cite("t9a:15.E.c")
    return found


def stompable(battle: Battle, pool: str) -> bool:
    """t9a:21.H.a.3, t9a:21.D.b.6  Standard models that can be stomped."""
    if battle.has(pool, "cannot-be-stomped"):
        battle.cite("t9a:21.D.b.6", "t9a:21.D", "t9a:21.H.a.3")
        return False
    return battle.pool_profile(pool).size == "Standard"


def _touched(battle: Battle, unit: Unit, entry: Entry) -> list[str]:
    """Enemy units a special attack may strike: touched by the models, over the front for Impact Hits, Standard for
    Stomps.
    """
    model = battle.models.get(entry.pool)
    if model is not None and model.duel.foe:
        home = battle.models[model.duel.foe].unit
        return [home] if battle.units[home].where == "table" or battle.models[model.duel.foe].gone else []
    numbers = battle.numbers(unit, entry.pool)
    found: dict[str, None] = {}
    for touch in contacts.of_unit(battle, unit):
        if touch.number not in numbers or (entry.kind == "impact" and touch.side is not Edge.FRONT):
            continue
        foe = battle.units[touch.foe]
        if entry.kind == "stomp" and not stompable(battle, battle.pool_at(foe, touch.foe_number)):
            continue
        found[foe.id] = None
    return list(found)


def _number_touches(battle: Battle, unit: Unit, number: int, target: Unit, entry: Entry) -> bool:
    return any(
        t.number == number
        and t.foe == target.id
        and (entry.kind != "impact" or t.side is Edge.FRONT)
        and (entry.kind != "stomp" or stompable(battle, battle.pool_at(target, t.foe_number)))
        for t in contacts.of_unit(battle, unit)
    )


def _breath(battle: Battle, unit: Unit, entry: Entry, target: Unit) -> Script[list[Batch]]:
    """t9a:21.H.a.4-melee  Declared at the start of its Initiative step; once per game, one per phase and model."""
    ready = [b for b in breath.unspent(battle, unit, entry.pool) if b.part == entry.part]
    picked = (yield from breath.wished(unit, "melee.breath", ready, (entry.pool, target.id))) if ready else None
    if picked is None:
        return []
    many = sum(_number_touches(battle, unit, n, target, entry) for n in battle.numbers(unit, entry.pool))
    strike, hits = yield from breath.breathe(battle, unit, entry.pool, picked, target, melee=True, many=many)
    return (yield from spread(battle, unit, entry, target, strike, hits))


def swathe(
    battle: Battle, strike: Strike, trait: Trait, target: Unit, hits: int, sure: int, extra: int, duellist: str
) -> Script[list[Batch]]:
    """t9a:21.G.b.10  Each hit of an Area Attack in melee is one on the ranks or files of the side that is fought; of
    each poisoned one (`sure`) one hit wounds without a roll, to so many Battle Focus adds an `extra` one. A `duellist`
    takes them all (t9a:15.E.c-unit-attacks).
    """
    side = Edge[(strike.side or "front").upper()]
    total = sum(
        artillery.area_hits(battle, target, side, *area_of(trait), int(number < extra)) for number in range(hits)
    )
    battle.tell("area.hits", "t9a:21.G.b.10", (strike.by, target.id), hits=total, side=strike.side)
    if duellist:
        battle.cite("t9a:15.E.c-unit-attacks")
        return [Batch(strike, duellist, total, sure, True)]
    only = open_pools(battle, target)
    shares = yield from hit_distribution.distribute(battle, target, total, strike.seat, only=only)
    return hit_distribution.batches(strike, (yield from hit_distribution.poisoned_first(strike, shares, sure)), sure)
