"""t9a:13.G.d  Chapter 13.K: What spells do: hits, lasting effects, Magical Moves, healing, raising, summoning."""

from __future__ import annotations

from typing import Any

from grognard.games.t9a.abilities import borne, parse
from grognard.games.t9a.army.amounts import amount
from grognard.games.t9a.army.spells import Spell, Version
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Effect, Model, Unit
from grognard.games.t9a.losses import attacks, hit_distribution, psychology
from grognard.games.t9a.losses.attacks import Batch, Strike
from grognard.games.t9a.magic import magic, magic_moves, raise_dead, spell_targets
from grognard.games.t9a.magic.spell_targets import Target
from grognard.games.t9a.rolls import dice
from grognard.games.t9a.units import fielding
from grognard.kernel.citing import cites
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Script


def resolve(battle: Battle, model: Model, known: Spell, version: Version, targets: list[Target]) -> Script[None]:
    """t9a:13.H.c, t9a:7.B-simultaneous
    The effect of a spell: its hits on all targets at once, anything else on one after
    the other in the order chosen.
    """
    effect = version.effect
    struck: list[Target] = []
    batches: list[Batch] = []
    for target in targets:
        if not _there(battle, target):
            continue
        if "test" in effect:
            tested = spell_targets.units_of(battle, [target])[0]
            if (yield from psychology.characteristic_test(battle, tested, str(effect["test"]), known.rule)):
                continue
        struck.append(target)
        if "hits" in effect:
            batches += yield from _hits(battle, model, known, effect["hits"], target)
        if "burst" in effect:
            batches += yield from _burst(battle, model, known, effect["burst"], target)
    if batches:
        yield from attacks.resolve(battle, batches, cause=batches[0].strike.by)
    for target in [t for t in struck if _there(battle, t)]:
        if "stats" in effect or "rules" in effect:
            _lasting(battle, model, known, version, target)
        if "move" in effect:
            yield from magic_moves.magical_move(
                battle, spell_targets.units_of(battle, [target])[0], float(effect["move"])
            )
        for key in ("recover", "raise"):
            if key in effect:
                yield from _heal(battle, model, known, key, effect[key], target)
        if "panic" in effect:
            unit = spell_targets.units_of(battle, [target])[0]
            yield from psychology.panic(battle, [(unit, battle.unit_of(model).id, "t9a:17.A")])
        if "tokens" in effect:
            yield from _tokens(battle, model, effect["tokens"])
        if "summon" in effect:
            yield from _summon(battle, model, effect["summon"], target, version.range)


def _there(battle: Battle, target: Target) -> bool:
    """Whether a target is still on the table."""
    return target[0] == "point" or any(u.where == "table" for u in spell_targets.units_of(battle, [target]))


def _tokens(battle: Battle, model: Model, what: Any) -> Script[None]:
    many, _ = yield from dice.roll(battle, model.seat, "veil.extra", amount(what), "t9a:13.F-outside", (model.id,))
    magic.gain_tokens(battle, model.seat, many)


def _strike(battle: Battle, model: Model, said: dict[str, Any], rule: str) -> Strike:
    """t9a:13.G.a, t9a:21.G  The hits of a spell: its own attributes, those with conditions among them."""
    keys, terms, multiple = borne([t for text in said.get("rules", ()) for t in parse(text)])
    return Strike(
        model.seat,
        battle.unit_of(model).id,
        model.id,
        strength=int(said.get("str", 0)),
        ap=int(said.get("ap", 0)),
        wounds_on=int(said.get("wounds_on", 0)),
        keys=keys,
        terms=terms,
        multiple=(str(said["multiple"]),) if said.get("multiple") else multiple,
        rule=rule,
    )


def _hits(battle: Battle, model: Model, known: Spell, said: dict[str, Any], target: Target) -> Script[list[Batch]]:
    """t9a:7.D, t9a:7.D-random  Automatic hits; a random number is rolled for each unit."""
    many, _ = yield from dice.roll(
        battle, model.seat, "magic.hits", amount(said.get("count", 1)), "t9a:7.D-random", (model.id, target[1])
    )
    battle.cite("t9a:7.D")
    strike = _strike(battle, model, said, known.rule)
    if target[0] == "model":
        return [Batch(strike, target[1], many)]
    return (yield from hit_distribution.shared(battle, battle.units[target[1]], strike, many))


def _burst(battle: Battle, model: Model, known: Spell, said: dict[str, Any], target: Target) -> Script[list[Batch]]:
    """Hits on every unengaged enemy unit within so many inches of the point."""
    found: list[Batch] = []
    strike = _strike(battle, model, said, known.rule)
    for unit in spell_targets.within(battle, model, (target[1], target[2]), inches(float(said["radius"]))):
        many, _ = yield from dice.roll(
            battle, model.seat, "magic.hits", amount(said.get("hits", 1)), "t9a:7.D-random", (model.id, unit.id)
        )
        found += yield from hit_distribution.shared(battle, unit, strike, many)
    return found


@cites
def _lasting(battle: Battle, model: Model, known: Spell, version: Version, target: Target) -> None:
    """t9a:3.A.b-effects, t9a:3.B-all
    A spell in effect on all models now in a unit, or on one model (t9a:13.G.d.2, t9a:13.G.d.3)."""
    until = {"one-turn": "magic", "permanent": "permanent", "instant": "phase"}[version.duration]
    stats = tuple((str(s), str(op), int(n)) for s, op, n in version.effect.get("stats", ()))
    made = Effect(
        known.key,
        known.rule,
        model.seat,
        until,
        stats,
        tuple(version.effect.get("rules", ())),
        battle.clock,
        target[2] if target[0] == "model" else "",
        known.name,
    )
    if target[0] == "model":
        apply(battle, target[1], made)
    else:
        unit = battle.units[target[1]]
        unit.effects = _renewed(unit.effects, made)
        for character in battle.characters(unit):
            character.effects = _renewed(character.effects, made)
    battle.tell("magic.effect", known.rule, (target[1],), spell=known.name)


def apply(battle: Battle, pool: str, made: Effect) -> None:
    thing = battle.models[pool] if pool in battle.models else battle.units[pool]
    thing.effects = _renewed(thing.effects, made)


def _renewed(now: tuple[Effect, ...], made: Effect) -> tuple[Effect, ...]:
    """t9a:21-duplicate  The same spell twice counts once."""
    return (*(e for e in now if e.key != made.key or e.part != made.part), made)


# ---------------------------------------------------------------------- healing


def _heal(battle: Battle, model: Model, known: Spell, key: str, what: Any, target: Target) -> Script[None]:
    many, _ = yield from dice.roll(
        battle, model.seat, f"magic.{key}", amount(what), "t9a:13.K.c" if key == "raise" else "t9a:13.K.b", (target[1],)
    )
    if target[0] == "model":
        recover_model(battle, target[1], many)
        return
    unit = battle.units[target[1]]
    left = recover(battle, unit, many)
    if key == "raise" and left:
        yield from raise_dead.raise_dead(battle, unit, left)


@cites
def recover_model(battle: Battle, pool: str, many: int) -> None:
    """t9a:13.K.b  Health Points of a living model, never above what it began with."""
    if pool in battle.models:
        model = battle.models[pool]
        many = min(many, model.lost)
        model.hp += many
        if model.role == "character":
            battle.cite("t9a:13.K.b-characters")
    else:
        unit = battle.units[pool]
        many = min(many, unit.lost)
        unit.lost -= many
    battle.tell("magic.recovered", "t9a:13.K.b", (pool,), hp=many)


def recover(battle: Battle, unit: Unit, many: int) -> int:
    """t9a:13.K.b, t9a:13.K.b-characters  Heal all but Characters; what is left over."""
    for pool in battle.pools(unit):
        if pool in battle.models and battle.models[pool].role == "character" and battle.size(unit) > 1:
            battle.cite("t9a:13.K.b-characters")
            continue
        lost = battle.models[pool].lost if pool in battle.models else battle.units[pool].lost
        heal = min(lost, many)
        if heal:
            recover_model(battle, pool, heal)
            many -= heal
    return many


def _summon(battle: Battle, model: Model, said: dict[str, Any], target: Target, far: float) -> Script[None]:
    """t9a:13.K.d, t9a:13.K.d-place, t9a:13.K.d-vp  A new unit of the caster's side, one of its models on the point."""
    yield from fielding.summoned(battle, model, said, (target[1], target[2]), far)
