"""Chapter 14: The Shooting Phase: who may shoot, at whom, and how well."""

from __future__ import annotations

from grognard.games.t9a.abilities import area_of, borne
from grognard.games.t9a.army.profiles import Part
from grognard.games.t9a.battle import EPS, Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import attacks, hit_distribution
from grognard.games.t9a.losses.attacks import Batch, Strike
from grognard.games.t9a.rolls import dice, stats, steps
from grognard.games.t9a.shooting import artillery, breath
from grognard.games.t9a.shooting.shooters import (
    Shooter,
    arms,
    attributes,
    barred_weapon,
    cannot_shoot,
    shooters,
    to_hit,
    weapons_of,
)
from grognard.games.t9a.table import sight
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Script, option
from grognard.kernel.words.tally import Tally


@cites
def target_refusal(battle: Battle, unit: Unit, target: Unit) -> Refusal | None:
    """t9a:14.A.a-target  Why an enemy may not be shot at."""
    facts = {"unit": unit.id, "target": target.id}
    if battle.engaged(target):
        return Refusal("refuse.shoot.target-engaged", "t9a:14.A.a-target", facts)
    far = max((w.range for p in battle.pools(unit) for _, w in weapons_of(battle, p)), default=0.0)
    if any(breath.breaths(battle, p) for p in battle.pools(unit)):
        far = max(far, 6.0)
    if battle.gap(unit, target) > inches(far) + EPS:
        return Refusal("refuse.shoot.range", "t9a:14.A.a-range", facts)
    if not shooters(battle, unit, target) and not breath.breathers(battle, unit, target):
        if not sight.unit_sees(battle, unit, target):
            return Refusal("refuse.shoot.sight", "t9a:14.A.a-los", facts, ("t9a:14.A.a-target", "t9a:4.B"))
        return Refusal("refuse.shoot.nobody", "t9a:14.A.a-range", facts, ("t9a:14.A.a-min", "t9a:14.A.a-los"))
    return None


# ---------------------------------------------------------------------- the phase


def phase(battle: Battle) -> Script[None]:
    """t9a:14.A  Unit after unit, in the active player's order."""
    while True:
        found: list[Option] = []
        barred: dict[str, Refusal] = {}
        for unit in battle.army(battle.active):
            armed = [p for p in battle.pools(unit) if weapons_of(battle, p) or breath.breaths(battle, p)]
            if not armed:
                continue
            refusal = cannot_shoot(battle, unit)
            for foe in battle.enemies(unit.seat):
                key = f"{unit.id}>{foe.id}"
                why = refusal or target_refusal(battle, unit, foe)
                if why is None:
                    found.append(Option(key, (unit.id, foe.id), "option.shoot", (unit.id, foe.id)))
                else:
                    barred[key] = _precise(battle, unit, why)
        if not found and not barred:
            return
        picked = yield Pick(
            battle.active, "shoot.target", found, optional=True, barred=barred, rule="t9a:14.A", checkpoint=True
        )
        if picked is None:
            return
        unit, target = battle.units[picked[0]], battle.units[picked[1]]
        unit.this_phase = unit.this_phase.but(shot=True)
        battle.tell("shoot.at", "t9a:14.A.a", (unit.id, target.id))
        yield from artillery.engineers(battle, unit)
        yield from volley(battle, unit, target)


def _precise(battle: Battle, unit: Unit, why: Refusal) -> Refusal:
    """The reason nobody shoots, where it is what the unit did this turn."""
    if why.code != "refuse.shoot.nobody":
        return why
    for pool in battle.pools(unit):
        for index, weapon in weapons_of(battle, pool):
            refusal = barred_weapon(battle, unit, pool, battle.pool_profile(pool).parts[index], weapon)
            if refusal is not None:
                return refusal
    return why


def choose_weapons(battle: Battle, unit: Unit, target: Unit, stand: bool) -> Script[dict[str, str]]:
    """t9a:14.A.a-weapon, t9a:21.C.a.3-weapon  All Rank-and-File use one weapon; Champion and Characters choose
    their own.
    """
    chosen: dict[str, str] = {}
    for pool in battle.pools(unit):
        by_part: dict[int, list[str]] = {}
        for index, weapon, _, _ in arms(battle, pool):
            by_part.setdefault(index, []).append(weapon.name)
        forced = {e.weapon for e in battle.effects(pool) if e.weapon}
        for index, names in by_part.items():
            if forced & set(names):
                battle.cite("t9a:22.A.a")
                chosen[f"{pool}:{index}"] = next(n for n in names if n in forced)
            elif len(names) > 1 and not _hands_for_all(battle, pool, index):
                barred = _useless(battle, unit, target, stand, pool, index)
                able = [n for n in names if n not in barred] or names
                pick = yield Pick(
                    unit.seat,
                    "shoot.weapon",
                    [option(n, text="option.weapon", data={"weapon": n}) for n in able],
                    barred={n: why for n, why in barred.items() if n not in able},
                    rule="t9a:21.C.a.3-weapon" if pool == unit.command.champion else "t9a:14.A.a-weapon",
                    about=(pool, target.id),
                )
                chosen[f"{pool}:{index}"] = pick
            battle.cite("t9a:14.A.a-weapon", "t9a:14.A.a-parts", "t9a:21.F.b", "t9a:21.F")
    return chosen


def _useless(battle: Battle, unit: Unit, target: Unit, stand: bool, pool: str, user: int) -> dict[str, Refusal]:
    """t9a:14.A.a-range, t9a:14.A.a-min, t9a:14.A.a-los
    The weapons of a part with which nobody could shoot at the target."""
    found: dict[str, Refusal] = {}
    part = battle.pool_profile(pool).parts[user]
    for weapon in (arm.weapon for arm in arms(battle, pool) if arm.user == user):
        chosen = {f"{pool}:{user}": weapon.name}
        firing = shooters(battle, unit, target, stand=stand, weapons=chosen)
        if not any((s.pool, s.part, s.weapon.name) == (pool, user, weapon.name) for s in firing):
            facts = {"weapon": weapon.name, "target": target.id}
            also = ("t9a:14.A.a-min", "t9a:14.A.a-los")
            why = None if stand else barred_weapon(battle, unit, pool, part, weapon)
            found[weapon.name] = why or Refusal("refuse.shoot.reach", "t9a:14.A.a-range", facts, also)
    return found


def _hands_for_all(battle: Battle, pool: str, user: int) -> bool:
    """Whether everything a part shoots is carried by others and it has hands enough for all of it."""
    mine = [arm for arm in arms(battle, pool) if arm.user == user]
    hands = battle.pool_profile(pool).parts[user].count
    return all(arm.carried for arm in mine) and sum(arm.hands for arm in mine) <= hands


def volley(battle: Battle, unit: Unit, target: Unit, *, stand: bool = False) -> Script[int]:
    """t9a:14.A.a-fire, t9a:7.B  All models of a unit shoot at once; Health Points lost by the target."""
    weapons = yield from choose_weapons(battle, unit, target, stand)
    firing = shooters(battle, unit, target, stand=stand, weapons=weapons)
    firing = yield from declining(battle, unit, firing)
    batches: list[Batch] = []
    battle.shared = {}
    for shooter in firing:
        if shooter.weapon.kind:
            batches += yield from artillery.fire(battle, unit, shooter, target)
    for group, need in alike(battle, unit, target, firing, stand):
        batches += yield from _group(battle, unit, target, group, need)
    batches += yield from breath.at_range(battle, unit, target, stand)
    battle.shared = None
    if not batches or target.where != "table":
        return 0
    battle.cite("t9a:14.A.a-fire", "t9a:7.D")
    lost = yield from attacks.resolve(battle, batches, cause=unit.id)
    return lost.get(target.id, 0)


def alike(
    battle: Battle, unit: Unit, target: Unit, firing: list[Shooter], stand: bool
) -> list[tuple[list[Shooter], Tally]]:
    """t9a:14.B, t9a:14.C  Those who shoot with the same weapon and need the same to hit, each group with its need."""
    plain: dict[tuple[str, int, str, int, int], tuple[list[Shooter], Tally]] = {}
    for shooter in firing:
        if not shooter.weapon.kind:
            need = to_hit(battle, unit, shooter, target, stand=stand)
            key = (shooter.pool, shooter.part, shooter.weapon.name, shooter.hands, int(need.value))
            plain.setdefault(key, ([], need))[0].append(shooter)
    return list(plain.values())


def declining(battle: Battle, unit: Unit, firing: list[Shooter]) -> Script[list[Shooter]]:
    """t9a:14.A.a-skip  Any model may decline, all the Rank-and-File or one of them (`unit.3`).

    Ruling: it is asked where models differ, or where a shot may misfire; plain archers whose owner lets them shoot
    all do.
    """
    pools = list(dict.fromkeys(s.pool for s in firing))
    men = {n: f"{unit.id}.{i}" for i, n in enumerate(battle.numbers(unit, unit.id), 1)} if unit.troops else {}
    names = {s.number: men.get(s.number, s.pool) for s in firing}
    risky = any(s.weapon.kind for s in firing)
    if len(pools) < 2 and not (risky and len(names) > 1):
        return firing
    keys = list(dict.fromkeys([*pools, *names.values()]))
    out = yield Pick(
        unit.seat,
        "shoot.decline",
        [option(key, about=(key,)) for key in keys],
        least=0,
        most=len(keys) - 1,
        rule="t9a:14.A.a-skip",
        about=(unit.id,),
    )
    gone = out if isinstance(out, tuple) else (out,) if out else ()
    return [s for s in firing if s.pool not in gone and names[s.number] not in gone]


def _group(battle: Battle, unit: Unit, target: Unit, group: list[Shooter], need: Tally) -> Script[list[Batch]]:
    """Shots of one kind: how many, to-hit rolls, distribution."""
    first, count = group[0], 0
    if not first.weapon.shots.fixed:
        battle.cite("t9a:5.B.a-parts")
    for _ in group:
        for _ in range(first.hands):
            count += yield from shots_of(battle, unit, first)
    return (
        yield from landed(battle, unit, first, target, *(yield from aimed(battle, unit, target, first, need, count)))
    )


def landed(
    battle: Battle, unit: Unit, first: Shooter, target: Unit, hits: int, sure: int, extra: int
) -> Script[list[Batch]]:
    """t9a:7.E, t9a:21.G.b.10
    Hits on the target, or on ranks and files of it where the weapon makes Area Attacks; so many
    `extra` ones by Battle Focus.
    """
    strike = strike_of(battle, unit, first, battle.pool_profile(first.pool).parts[first.part])
    area = next((t for t in first.weapon.traits if t.key == "area-attack"), None)
    if area is None or "area-attack" not in attacks.keys_against(battle, strike, battle.pools(target)[0]):
        return (yield from batches_on(battle, target, strike, hits + extra, sure))
    x, y = area_of(area)
    found: list[Batch] = []
    for number in range(hits):
        found += yield from artillery.area_attack(
            battle, unit, first, target, strike, x, y, bracket=True, sure=int(number < sure), extra=int(number < extra)
        )
    return found


def shots_of(battle: Battle, unit: Unit, shooter: Shooter) -> Script[int]:
    """t9a:5.B.a  How many shots one model has."""
    many, _ = yield from dice.roll(battle, unit.seat, "shots", shooter.weapon.shots, "t9a:5.B.a", (shooter.pool,))
    return many


def aimed(
    battle: Battle, unit: Unit, target: Unit, first: Shooter, need: Tally, count: int
) -> Script[tuple[int, int, int]]:
    """t9a:14.A.a-fire
    The shots that hit, how many of them wound without a roll, and the extra hits they make (t9a:14.C-natural1)."""
    if int(need.value) >= 7:
        battle.cite("t9a:14.D" if int(need.value) == 7 else "t9a:14.D-8plus")
    about = (unit.id, target.id, *((first.pool,) if first.pool in battle.models else ()))
    hits, sixes = yield from steps.shots(unit.seat, count, need, about)
    if hits < count:
        battle.cite("t9a:14.C-natural1", "t9a:2.B.a-natural")
    sure, extra = natural(battle, unit, target, first, sixes)
    battle.tell("shoot.hits", "t9a:14.A.a-fire", about, shots=count, hits=hits + extra, shooter=first.pool)
    return hits, sure, extra


def natural(battle: Battle, unit: Unit, target: Unit, first: Shooter, sixes: int) -> tuple[int, int]:
    """t9a:21.G.b.5, t9a:21.G.b.2
    What shots that hit with a natural 6 do: wound without a roll, and make an extra hit (t9a:2.B.a-natural)."""
    strike = strike_of(battle, unit, first, battle.pool_profile(first.pool).parts[first.part])
    keys = attacks.keys_against(battle, strike, battle.pools(target)[0])
    sure = sixes if "poison-attacks" in keys else 0
    extra = sixes if "battle-focus" in keys else 0
    if sure:
        battle.cite("t9a:21.G.b.5", "t9a:2.B.a-natural")
    if extra:
        battle.cite("t9a:21.G.b.2", "t9a:2.B.a-natural")
    return sure, extra


def _carried(battle: Battle, shooter: Shooter, part: Part, stat: str, value: int | None) -> int:
    """t9a:22.A.a, t9a:6.D-limits-zero  A value of a Shooting Weapon, or the user's where it has none, with its Weapon
    Enchantment.
    """
    own = [e for e in battle.effects(shooter.pool) if e.weapon == shooter.weapon.name]
    made = [(op, n, e.name, e.rule) for e in own for name, op, n in e.stats if name == stat]
    if value is None:
        return int(stats.offensive(battle, shooter.pool, part, stat, made).value)
    if not made:
        return value
    return int(stats.heed(battle, Tally(value, stat, shooter.weapon.rule), made, stat, value).value)


def strike_of(battle: Battle, unit: Unit, shooter: Shooter, part: Part) -> Strike:
    """t9a:7.A.c  Strength and AP of the weapon, or the user's."""
    weapon = shooter.weapon
    strength, ap = weapon.strength, weapon.ap
    if strength is None or ap is None:
        battle.cite(weapon.rule)
    strength, ap = _carried(battle, shooter, part, "str", strength), _carried(battle, shooter, part, "ap", ap)
    traits = attributes(battle, shooter.pool, part, weapon)
    for trait in traits:
        battle.cite(trait.rule)
    keys, terms, multiple = borne(traits)
    battle.cite(weapon.rule)
    return Strike(
        unit.seat,
        unit.id,
        shooter.pool,
        strength=strength,
        ap=ap,
        keys=keys,
        terms=terms,
        multiple=multiple,
        rule=weapon.rule,
    )


def batches_on(battle: Battle, target: Unit, strike: Strike, hits: int, sure: int = 0) -> Script[list[Batch]]:
    if hits <= 0:
        return []
    shares = yield from hit_distribution.distribute(battle, target, hits, strike.seat)
    return hit_distribution.batches(strike, (yield from hit_distribution.poisoned_first(strike, shares, sure)), sure)


# ---------------------------------------------------------------------- stand and shoot


def cannot_stand_and_shoot(battle: Battle, unit: Unit, charger: Unit) -> Refusal | None:
    """t9a:11.C.b  The unit must be able to make Shooting Attacks at the charger."""
    facts = {"unit": unit.id, "charger": charger.id}
    if battle.is_shaken(unit) or unit.nerve.fleeing:
        return Refusal("refuse.shoot.shaken", "t9a:11.C.b", facts)
    breathing = breath.breathers(battle, unit, charger, stand=True)
    if not any(weapons_of(battle, p) for p in battle.pools(unit)) and not breathing:
        return Refusal("refuse.stand.unarmed", "t9a:11.C.b", facts)
    if not shooters(battle, unit, charger, stand=True) and not breathing:
        reload = any(w.has("reload") for p in battle.pools(unit) for _, w in weapons_of(battle, p))
        return Refusal("refuse.stand.nobody", "t9a:21.G.b.22" if reload else "t9a:11.C.b", facts)
    return None


def stand_and_shoot(battle: Battle, unit: Unit, charger: Unit) -> Script[None]:
    """t9a:11.C.b, t9a:14.C.c  An immediate volley at the charger."""
    yield from volley(battle, unit, charger, stand=True)
