"""t9a:14.A.a, t9a:14.B, t9a:14.C  Who of a unit may shoot at whom, with what, and what he needs to hit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from grognard.games.t9a.abilities import Trait, parse
from grognard.games.t9a.army.gear import Shooting
from grognard.games.t9a.army.profiles import Part
from grognard.games.t9a.battle import EPS, Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.rolls import stats
from grognard.games.t9a.table import cover, sight
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Place as Spot
from grognard.kernel.formation.shapes import disc
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import inches
from grognard.kernel.words.tally import Tally


class Shooter(msgspec.Struct, frozen=True):
    """One model part that shoots: its number in the block, its pool, its weapon."""

    number: int
    pool: str
    part: int
    weapon: Shooting
    hands: int = 1


class Arm(NamedTuple):
    """A Shooting Weapon of a model: the part that shoots it, with how many hands, and whether another part carries
    it.
    """

    user: int
    weapon: Shooting
    hands: int
    carried: bool = False


def arms(battle: Battle, pool: str) -> list[Arm]:
    """t9a:14.A.a-parts, t9a:3.A.b, t9a:21.G.b.17, t9a:21.G.b.18
    The Shooting Weapons of a model's parts; what a Harnessed or
    Inanimate part carries another part shoots.
    """
    parts = battle.pool_profile(pool).parts
    found: list[Arm] = []
    if len(parts) > 1:
        battle.cite("t9a:3.A.b", "t9a:3.A.b-own")
    for index, part in enumerate(parts):
        for weapon in part.shooting:
            rule = part.has("harnessed") or part.has("inanimate")
            others = [i for i, p in enumerate(parts) if not (p.has("harnessed") or p.has("inanimate"))] if rule else []
            if rule:
                battle.cite(rule)
            if others:
                found.append(Arm(others[0], weapon, min(part.count, parts[others[0]].count), True))
            else:
                found.append(Arm(index, weapon, part.count))
    return found


def weapons_of(battle: Battle, pool: str) -> list[tuple[int, Shooting]]:
    """The Shooting Weapons of a model, each with the part that shoots it."""
    return [(arm.user, arm.weapon) for arm in arms(battle, pool)]


def wielded(battle: Battle, pool: str, weapons: dict[str, str] | None) -> list[Arm]:
    """t9a:14.A.a-weapon, t9a:21.F.b
    What is shot where these weapons were chosen (None: whatever could be): one weapon for
    each pair of hands; those whom no carried weapon needs shoot their own.
    """
    every = arms(battle, pool)
    if weapons is None:
        return every
    found: list[Arm] = []
    for user in dict.fromkeys(arm.user for arm in every):
        mine = [arm for arm in every if arm.user == user]
        name = weapons.get(f"{pool}:{user}")
        first = [arm for arm in mine if name in (None, arm.weapon.name)]
        own = [arm for arm in mine if not arm.carried and arm not in first] if any(a.carried for a in first) else []
        left = battle.pool_profile(pool).parts[user].count
        for arm in (*first, *own[:1]):
            if left:
                found.append(arm._replace(hands=min(arm.hands, left)))
                left -= found[-1].hands
    return found


def attributes(battle: Battle, pool: str, part: Part, weapon: Shooting) -> list[Trait]:
    """t9a:21.G, t9a:21.G-kw-shoot  Attributes of a shot: the weapon's, and the part's that reach Shooting Attacks."""
    found = list(weapon.traits)
    own = [t for t in part.traits if "shooting" in t.keywords]
    if own:
        battle.cite("t9a:21.G-kw-shoot")
    found += own
    for effect in battle.effects(pool):
        if effect.weapon and effect.weapon != weapon.name:
            continue
        if effect.weapon:
            battle.cite("t9a:22.A.a")
            found += list(parse("Magical Attacks"))
        for text in effect.traits:
            found += [t for t in parse(text) if t.kind == "attribute" and "shooting" in t.keywords]
    if battle.has(pool, "supernal"):
        found += list(parse("Magical Attacks"))
    return found


def keys_of(traits: Sequence[Trait]) -> dict[str, str]:
    return {t.key: t.rule for t in traits}


# ---------------------------------------------------------------------- who may shoot


def cannot_shoot(battle: Battle, unit: Unit) -> Refusal | None:
    """t9a:14.A.a-who  Why a unit may not shoot at all this phase."""
    facts = {"unit": unit.id}
    if unit.this_phase.shot:
        return Refusal("refuse.shoot.again", "t9a:14.A.a", facts)
    if unit.nerve.fleeing:
        return Refusal("refuse.shoot.fleeing", "t9a:14.A.a-who", facts, ("t9a:17.C",))
    if battle.is_shaken(unit):
        return Refusal("refuse.shoot.shaken", "t9a:14.A.a-who", facts, ("t9a:17.B",))
    if battle.engaged(unit) or unit.move.engaged_earlier:
        return Refusal("refuse.shoot.engaged", "t9a:14.A.a-who", facts)
    return None


def barred_weapon(battle: Battle, unit: Unit, pool: str, part: Part, weapon: Shooting) -> Refusal | None:
    """t9a:14.A.a-who, t9a:21.G.b.20, t9a:21.G.b.24, t9a:21.A.b.49
    Why a weapon may not be fired after what the model did (t9a:12.D.c-noshoot)."""
    facts = {"unit": unit.id, "weapon": weapon.name}
    model = battle.models.get(pool)
    keys = keys_of(attributes(battle, pool, part, weapon))
    character = model is not None and model.role == "character"
    marched = model.marched if character and model is not None else unit.move.marched
    reformed = model.reformed if character and model is not None else unit.move.reformed
    moved = model.moved if character and model is not None else unit.move.moved
    light = bool(battle.all_have(unit, "light-troops"))
    if moved and "move-or-fire" in keys:
        return Refusal("refuse.shoot.moved", "t9a:21.G.b.20", facts)
    if marched and not ("march-and-shoot" in keys or light):
        return Refusal("refuse.shoot.marched", "t9a:12.D.c-noshoot", facts, ("t9a:14.A.a-who",))
    if marched:
        battle.cite("t9a:21.G.b.24")
    if reformed and not light:
        return Refusal("refuse.shoot.reformed", "t9a:12.D.d-noshoot", facts, ("t9a:14.A.a-who",))
    if character and model is not None and battle.is_shaken(battle.units[model.home]):
        return Refusal("refuse.shoot.shaken", "t9a:14.A.a-who", facts, ("t9a:17.B",))
    return _out_of_order(battle, unit, pool, weapon)


def _out_of_order(battle: Battle, unit: Unit, pool: str, weapon: Shooting) -> Refusal | None:
    """t9a:21.F.d-critical, t9a:21.F.d-jammed  Why a model's weapon cannot be fired at all now."""
    model, facts = battle.models.get(pool), {"unit": unit.id, "weapon": weapon.name}
    if model is not None and weapon.name in model.broken:
        return Refusal("refuse.shoot.broken", "t9a:21.F.d-critical", facts)
    if model is not None and any(name == weapon.name and turn == battle.clock for name, turn in model.jammed):
        return Refusal("refuse.shoot.jammed", "t9a:21.F.d-jammed", facts)
    return None


def ranks_shooting(battle: Battle, unit: Unit, pool: str, part: Part, weapon: Shooting, stand: bool) -> int:
    """t9a:14.A.a-ranks, t9a:21.G.b.25, t9a:21.G.b.28-rank, t9a:21.A.b.48  From how many ranks a weapon may be fired."""
    if battle.has(pool, "skirmisher"):
        battle.cite("t9a:21.A.b.48")
        return 99
    traits = attributes(battle, pool, part, weapon)
    extra = sum(t.key == "shoot-in-extra-rank" for t in traits)
    ranks = 2 + extra
    battle.cite("t9a:14.A.a-ranks", *(["t9a:21.G.b.25"] if extra else []))
    if any(t.key == "volley-fire" for t in traits) and not stand and not unit.move.moved and battle.in_line(unit):
        battle.cite("t9a:21.G.b.28-rank", "t9a:21.G.b.25")
        ranks += 1
    return ranks


def shooters(
    battle: Battle, unit: Unit, target: Unit, *, stand: bool = False, weapons: dict[str, str] | None = None
) -> list[Shooter]:
    """t9a:14.A.a  Every model part that may shoot at a target: allowed, in rank, in sight, in range."""
    found: list[Shooter] = []
    places = battle.block(unit).places
    for pool in battle.pools(unit):
        for index, weapon, hands, _ in wielded(battle, pool, weapons):
            part = battle.pool_profile(pool).parts[index]
            barred = None if stand else barred_weapon(battle, unit, pool, part, weapon)
            if barred is not None:
                battle.cite(*barred.rules)
                continue
            if stand and (out := _out_of_order(battle, unit, pool, weapon)) is not None:
                battle.cite(out.rule)
                continue
            if stand and weapon.has("reload"):
                battle.cite("t9a:21.G.b.22")
                continue
            deep = ranks_shooting(battle, unit, pool, part, weapon, stand)
            numbers = list(battle.numbers(unit, pool))
            if unit.spoiled and pool == unit.id:
                numbers = numbers[: len(numbers) - _spoiled(battle, unit, weapon)]
            for number in numbers:
                place = places[number]
                if place.rank < deep and may_hit(battle, unit, place, weapon, target, stand, part, pool):
                    found.append(Shooter(number, pool, index, weapon, hands))
    return found


def _spoiled(battle: Battle, unit: Unit, weapon: Shooting) -> int:
    """t9a:21.F.d  How many guns of the Rank-and-File cannot be fired now.

    Ruling: they are those of the models that would fall first.
    """
    turns = [turn for name, turn in unit.spoiled if name == weapon.name and turn in (0, battle.clock)]
    battle.cite(*(["t9a:21.F.d-critical"] if 0 in turns else []), *(["t9a:21.F.d-jammed"] if any(turns) else []))
    return min(len(turns), unit.troops)


@cites
def may_hit(
    battle: Battle, unit: Unit, place: Spot, weapon: Shooting, target: Unit, stand: bool, part: Part, pool: str
) -> bool:
    """t9a:14.A.a-range
    Range from the model's base to the boundary, and its own Line of Sight (t9a:14.A.a-los, t9a:14.A.a-min,
    t9a:11.C.b-beyond)."""
    far = distance(battle, place, target)
    if not stand and far > inches(weapon.range) + EPS:
        return False
    if stand and far > inches(weapon.range) + EPS:
        battle.cite("t9a:11.C.b-beyond")
    if weapon.minimum:
        battle.cite("t9a:14.A.a-min")
        if _beyond(battle, place, target) < inches(weapon.minimum):
            return False
    battle.cite("t9a:14.A.a-los")
    left = unit.charge.left or target.charge.left
    without = (left,) if left else ()
    if sight.model_sees(battle, unit, place, target, without=without):
        return True
    if any(t.key == "volley-fire" for t in attributes(battle, pool, part, weapon)) and sight.unit_sees(
        battle, unit, target
    ):
        battle.cite("t9a:21.G.b.28")
        return sight.model_sees(battle, unit, place, target, volley=True, without=without)
    return False


def distance(battle: Battle, place: Spot, target: Unit) -> float:
    return gap(place.outline, battle.block(target).outline)


def _beyond(battle: Battle, place: Spot, target: Unit) -> float:
    """The furthest part of a target from a model."""
    corners = sight.outline_ring(battle.block(target))
    return max(gap(place.outline, disc(x, y, 0.0)) for x, y in corners)


def to_hit(battle: Battle, unit: Unit, shooter: Shooter, target: Unit, *, stand: bool = False) -> Tally:
    """t9a:14.B, t9a:14.C
    What a shooter needs: the weapon's Aim and Table 5, shooter by shooter; cannons and catapults do
    not mind Cover (t9a:21.F.c.2, 21.F.c.3).
    """
    weapon = shooter.weapon
    part = battle.pool_profile(shooter.pool).parts[shooter.part]
    keys = keys_of(attributes(battle, shooter.pool, part, weapon))
    need = Tally(weapon.aim, "Aim", "t9a:14.B")
    if unit.this_phase.aimed and weapon.kind:
        need.set(unit.this_phase.aimed, "Engineer", "t9a:21.A.b.20")
    stats.for_roll(battle, need, stats.changes(battle, shooter.pool, "to-hit", part, weapon.name))
    place = battle.block(unit).places[shooter.number]
    battle.cite("t9a:14.C")
    _long(battle, need, keys, distance(battle, place, target), weapon)
    _moving(battle, unit, shooter, need, keys, stand)
    if stand:
        if "steady-aim" in keys:
            battle.cite("t9a:21.G.b.29", "t9a:14.C.c")
        else:
            need.add(1, "Stand and Shoot", "t9a:14.C.c")
    if weapon.kind == "cannon":
        _cannon(battle, unit, place, target, need)
    elif weapon.kind == "catapult":
        battle.cite("t9a:21.F.c.3")
    else:
        _covered(battle, unit, place, target, need, "volley-fire" in keys)
    hard = _hard_target(battle, target)
    if hard:
        need.add(hard, "Hard Target", "t9a:21.D.b.2")
        battle.cite("t9a:14.C-hardtarget")
    return need.at_least(2, "a natural 1 misses", "t9a:14.C-natural1")


@cites
def _long(battle: Battle, need: Tally, keys: dict[str, str], far: float, weapon: Shooting) -> None:
    """t9a:14.C.a  t9a:14.C.a, 14.C-accurate (t9a:14.C-accurate)."""
    if far > inches(weapon.range) / 2 + EPS:
        if "accurate" in keys:
            battle.cite("t9a:14.C-accurate", "t9a:21.G.b.26")
        else:
            need.add(1, "Long Range", "t9a:14.C.a")


def _moving(battle: Battle, unit: Unit, shooter: Shooter, need: Tally, keys: dict[str, str], stand: bool) -> None:
    """t9a:14.C.b, t9a:14.C-movevariants  Moved this Player Turn: -1; Quick to Fire 0, Unwieldy -2, both -1."""
    model = battle.models.get(shooter.pool)
    moved = model.moved if model is not None and model.role == "character" else unit.move.moved
    if moved != unit.move.moved:
        battle.cite("t9a:21.B.b-status")
    if not moved:
        return
    battle.cite("t9a:14.C.b", *(["t9a:21.A.b.12-limits"] if unit.arrival.arrived == battle.clock else []))
    quick, slow = "quick-to-fire" in keys, "unwieldy" in keys
    worse = 1 + int(slow) - int(quick)
    if quick or slow:
        battle.cite("t9a:14.C-movevariants", *(r for k, r in keys.items() if k in ("quick-to-fire", "unwieldy")))
    need.add(worse, "Moving and Shooting", "t9a:14.C.b")


def _covered(battle: Battle, unit: Unit, place: Spot, target: Unit, need: Tally, volley: bool) -> None:
    found = cover.cover(
        battle, unit, place, target, volley=volley, without=(target.charge.left,) if target.charge.left else ()
    )
    if found.kind:
        need.add(found.penalty, f"{found.kind} cover", found.rule)


@cites
def _cannon(battle: Battle, unit: Unit, place: Spot, target: Unit, need: Tally) -> None:
    """t9a:21.F.c.2  +1 to hit a unit of Gigantic models only that has no benefit of Cover."""
    giants = all(battle.pool_profile(p).size == "Gigantic" for p in battle.pools(target))
    if giants and not cover.cover(battle, unit, place, target).kind:
        need.add(-1, "Gigantic target", "t9a:21.F.c.2")


def _hard_target(battle: Battle, target: Unit) -> int:
    """t9a:21.D.b.2
    Hard Target (X), cumulative, where more than half of the unit's models have it (t9a:14.C-hardtarget).

    Ruling: of several X in a unit the largest that more than half of its models have, or have more of.
    """
    having = {p: sum(t.number() for t in battle.traits(p, "hard-target")) for p in battle.pools(target)}
    if any(having.values()):
        battle.cite("t9a:21.D.b.2", "t9a:14.C-hardtarget", "t9a:21.D")
    for x in sorted(set(having.values()), reverse=True):
        if 2 * sum(battle.pool_count(p) for p, own in having.items() if own >= x) > battle.size(target):
            return x
    return 0
