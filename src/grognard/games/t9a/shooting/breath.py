"""t9a:21.H.a.4  Breath Attacks, breathed at a distance or in melee."""

from __future__ import annotations

import msgspec

from grognard.games.t9a.abilities import Trait, borne, listed, parse
from grognard.games.t9a.battle import EPS, Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses.attacks import Batch, Strike
from grognard.games.t9a.rolls import dice
from grognard.games.t9a.shooting import shooting
from grognard.games.t9a.shooting.shooters import distance
from grognard.games.t9a.table import sight
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Pick, Script, option


class Breath(msgspec.Struct, frozen=True):
    """One Breath Attack of a model's part; `key` is what is remembered when it is spent."""

    part: int
    trait: Trait
    key: str


def breaths(battle: Battle, pool: str) -> list[Breath]:
    """t9a:21.H.a.4  Every Breath Attack of a model: printed on its parts, or granted to it by a spell or item.

    Ruling: one granted to a whole model is its first part's; the same spell grants the same attack, spent once a game.
    """
    found: list[Breath] = []
    parts = battle.pool_profile(pool).parts
    for index, part in enumerate(parts):
        own = [t for t in part.traits if t.key == "breath-attack"]
        found += [Breath(index, t, f"breath:{index}" if not n else f"breath:{index}:{n}") for n, t in enumerate(own)]
    for effect in battle.effects(pool):
        index = next((i for i, p in enumerate(parts) if p.name == effect.part), 0)
        for text in effect.traits:
            found += [Breath(index, t, f"breath:{effect.key}") for t in parse(text) if t.key == "breath-attack"]
    return found


def unspent(battle: Battle, unit: Unit, pool: str) -> list[Breath]:
    """t9a:21.H.a.4  The Breath Attacks of a pool not yet used; none in a phase in which the model used one.

    Ruling: the Rank-and-File of a unit use theirs together.
    """
    model = battle.models.get(pool)
    if model is not None and model.breathed == f"{battle.clock}:{battle.phase}":
        return []
    used = model.used if model is not None else unit.used
    return [b for b in breaths(battle, pool) if b.key not in used]


def breathers(battle: Battle, unit: Unit, target: Unit, *, stand: bool = False) -> dict[str, list[Breath]]:
    """t9a:21.H.a.4-ranged  Unused Breath Attacks that reach a target: 6", in sight; after a March, but no Reform."""
    found: dict[str, list[Breath]] = {}
    for pool in battle.pools(unit):
        if not breaths(battle, pool) or not reaching(battle, unit, pool, target, stand=stand):
            continue
        model = battle.models.get(pool)
        reformed = model.reformed if model is not None and model.role == "character" else unit.move.reformed
        if reformed and not stand and not battle.all_have(unit, "light-troops"):
            continue
        if ready := unspent(battle, unit, pool):
            found[pool] = ready
    return found


def reaching(battle: Battle, unit: Unit, pool: str, target: Unit, *, stand: bool = False) -> int:
    """How many models of a pool have a target within 6" and in sight; standing and shooting, at any distance."""
    places = [battle.block(unit).places[n] for n in battle.numbers(unit, pool)]
    near = [p for p in places if stand or distance(battle, p, target) <= inches(6) + EPS]
    return sum(sight.model_sees(battle, unit, p, target) for p in near)


def wished(unit: Unit, name: str, ready: list[Breath], about: tuple[str, ...]) -> Script[Breath | None]:
    """Which of its Breath Attacks a model uses now, if any."""
    options = [
        option("breath" if not n else f"breath:{n + 1}", b, text="option.breath", data={"what": b.trait.value})
        for n, b in enumerate(ready)
    ]
    rule = "t9a:21.H.a.4-melee" if name == "melee.breath" else "t9a:21.H.a.4-ranged"
    picked: Breath | None = yield Pick(unit.seat, name, options, optional=True, rule=rule, about=about)
    return picked


def at_range(battle: Battle, unit: Unit, target: Unit, stand: bool) -> Script[list[Batch]]:
    """t9a:21.H.a.4-ranged  Breath Attacks of unengaged models, beside their shooting."""
    batches: list[Batch] = []
    for pool, ready in breathers(battle, unit, target, stand=stand).items():
        picked = yield from wished(unit, "shoot.breath", ready, (pool, target.id))
        if picked is not None:
            many = reaching(battle, unit, pool, target, stand=stand)
            strike, hits = yield from breathe(battle, unit, pool, picked, target, melee=False, many=many)
            batches += yield from shooting.batches_on(battle, target, strike, hits)
    return batches


def breathe(
    battle: Battle, unit: Unit, pool: str, breath: Breath, target: Unit, *, melee: bool, many: int = 1
) -> Script[tuple[Strike, int]]:
    """t9a:21.H.a.4  2D6 hits for each model with the Strength, AP and attributes listed; once per game (t9a:2.A.e)."""
    model = battle.models.get(pool)
    if model is not None:
        model.used = (*model.used, breath.key)
        model.breathed = f"{battle.clock}:{battle.phase}"
    else:
        unit.used = (*unit.used, breath.key)
    battle.cite("t9a:2.A.e")
    hits, about = 0, (pool, target.id)
    for _ in range(max(1, many)):
        got, _ = yield from dice.roll(battle, unit.seat, "breath.hits", dice.TWO_DICE, "t9a:21.H.a.4", about)
        hits += got
    said, traits = listed(breath.trait.args)
    keys, terms, multiple = borne(traits)
    if battle.has(pool, "supernal"):
        battle.cite("t9a:21.A.b.44")
        keys = (*keys, "magical-attacks")
    strike = Strike(
        unit.seat,
        unit.id,
        pool,
        melee=melee,
        strength=int(said.get("str", 3)),
        ap=int(said.get("ap", 0)),
        keys=keys,
        terms=terms,
        multiple=multiple,
        rule="t9a:21.H.a.4-melee" if melee else "t9a:21.H.a.4-ranged",
    )
    battle.tell("breath", strike.rule, about, hits=hits)
    return strike, hits
