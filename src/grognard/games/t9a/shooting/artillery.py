"""t9a:21.F.c, t9a:21.F.d, t9a:21.G.b.10  Artillery Weapons, Misfires and Area Attacks; Engineers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import msgspec

from grognard.games.t9a.abilities import borne, parse
from grognard.games.t9a.army.gear import Shooting
from grognard.games.t9a.army.profiles import Part
from grognard.games.t9a.battle import EPS, Battle
from grognard.games.t9a.forces import Loss, Unit
from grognard.games.t9a.losses import attacks, casualties, psychology
from grognard.games.t9a.losses.attacks import Batch, Strike
from grognard.games.t9a.rolls import dice, steps
from grognard.games.t9a.shooting import shooters, shooting
from grognard.games.t9a.table.ground import located_model
from grognard.kernel.citing import cites
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Pick, Roll, Script, option
from grognard.kernel.words.tally import Tally

if TYPE_CHECKING:
    from grognard.games.t9a.shooting.shooters import Shooter


def engineers(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:21.A.b.20  An unengaged Engineer within less than 6" of a War Machine may help it before it fires."""
    if not battle.any_has(unit, "war-machine"):
        return
    for friend in battle.army(unit.seat):
        if battle.engaged(friend) or friend.id == unit.id or friend.nerve.fleeing:
            continue
        for model in battle.guests(friend):
            trait = min(battle.traits(model.id, "engineer"), key=lambda t: t.number(), default=None)
            place = battle.block(friend).places[next(iter(battle.numbers(friend, model.id)))]
            if (
                trait is None
                or model.id in friend.this_phase.helped
                or gap(place.outline, battle.block(unit).outline) >= inches(6) - EPS
            ):
                continue
            wish = yield Pick(
                unit.seat,
                "engineer.help",
                [option("help", text="option.help")],
                optional=True,
                rule="t9a:21.A.b.20",
                about=(model.id, unit.id),
            )
            if wish:
                friend.this_phase = friend.this_phase.but(helped=(*friend.this_phase.helped, model.id))
                unit.this_phase = unit.this_phase.but(aimed=trait.number(), engineered=True)
                battle.tell("engineer.helps", "t9a:21.A.b.20", (model.id, unit.id), aim=trait.number())
                return


@cites
def fire(battle: Battle, unit: Unit, shooter: Shooter, target: Unit) -> Script[list[Batch]]:
    """t9a:21.F.c  One Artillery Weapon is fired."""
    kind = shooter.weapon.kind
    if kind == "volley-gun":
        return (yield from _volley_gun(battle, unit, shooter, target))
    if kind == "cannon":
        return (yield from _cannon(battle, unit, shooter, target))
    if kind == "catapult":
        return (yield from _catapult(battle, unit, shooter, target))
    return (yield from _flamethrower(battle, unit, shooter, target))


def _part(battle: Battle, shooter: Shooter) -> Part:
    return battle.pool_profile(shooter.pool).parts[shooter.part]


def _volley_gun(battle: Battle, unit: Unit, shooter: Shooter, target: Unit) -> Script[list[Batch]]:
    """t9a:21.F.c.1  A random number of shots; one natural 6 among its dice spoils the aim, two or more misfire."""
    what = shooter.weapon.shots
    faces = yield Roll(unit.seat, "volley-gun.shots", 6, max(what.count, 1), rule="t9a:21.F.c.1", about=(unit.id,))
    sixes = sum(f == 6 for f in faces)
    if what.sides == 3:
        battle.cite("t9a:2.B.a.1")
    if sixes >= 2:
        yield from misfire(battle, unit, shooter.pool, shooter.weapon)
        return []
    count = what.total(faces)
    need = shooters.to_hit(battle, unit, shooter, target)
    if sixes == 1:
        need.add(1, "a six among the shots", "t9a:21.F.c.1")
    hits, sixes = yield from steps.shots(unit.seat, count, need, (unit.id, target.id))
    sure, extra = shooting.natural(battle, unit, target, shooter, sixes)
    battle.tell("shoot.hits", "t9a:21.F.c.1", (unit.id, target.id), shots=count, hits=hits + extra, shooter=unit.id)
    return (yield from shooting.landed(battle, unit, shooter, target, hits, sure, extra))


def _one_shot(
    battle: Battle, unit: Unit, shooter: Shooter, target: Unit, need: Tally, rule: str
) -> Script[tuple[str, bool]]:
    """One to-hit roll of a weapon that misfires on a natural 1: hit, miss or misfire; and whether it hit with a
    natural 6
    (t9a:14.D-8plus)."""
    wanted = int(need.value)
    if wanted >= 7:
        battle.cite("t9a:14.D" if wanted == 7 else "t9a:14.D-8plus")
    (face,) = yield Roll(
        unit.seat,
        "artillery.hit",
        6,
        rule=rule,
        about=(unit.id, target.id),
        need=need,
        sense="high",
        cuts=tuple(sorted({2, min(max(wanted, 2), 6), 6})),
    )
    if face == 1:
        return "misfire", False
    if wanted == 7 and face == 6:
        (face,) = yield Roll(
            unit.seat, "shot.hopeless", 6, rule="t9a:14.D", about=(unit.id,), need=4, sense="high", cuts=(4,)
        )
        return ("hit", True) if face >= 4 else ("miss", False)
    return ("hit", face == 6) if face >= wanted else ("miss", False)


def _cannon(battle: Battle, unit: Unit, shooter: Shooter, target: Unit) -> Script[list[Batch]]:
    """t9a:21.F.c.2  No Cover; +1 against Gigantic models without Cover; a natural 1 misfires."""
    need = shooters.to_hit(battle, unit, shooter, target)
    outcome, six = yield from _one_shot(battle, unit, shooter, target, need, "t9a:21.F.c.2")
    if outcome == "misfire":
        yield from misfire(battle, unit, shooter.pool, shooter.weapon)
        return []
    if outcome == "miss":
        battle.tell("shoot.hits", "t9a:21.F.c.2", (unit.id, target.id), shots=1, hits=0, shooter=unit.id)
        return []
    sure, extra = shooting.natural(battle, unit, target, shooter, int(six))
    return (yield from shooting.landed(battle, unit, shooter, target, 1, sure, extra))


def _catapult(battle: Battle, unit: Unit, shooter: Shooter, target: Unit) -> Script[list[Batch]]:
    """t9a:21.F.c.3  A hit is an Area Attack; any other result but a misfire a Partial Hit that rolls again."""
    need = shooters.to_hit(battle, unit, shooter, target)
    outcome, six = yield from _one_shot(battle, unit, shooter, target, need, "t9a:21.F.c.3")
    if outcome == "misfire":
        yield from misfire(battle, unit, shooter.pool, shooter.weapon)
        return []
    strike = shooting.strike_of(battle, unit, shooter, _part(battle, shooter))
    x, y = shooter.weapon.area
    if outcome == "hit":
        sure, extra = shooting.natural(battle, unit, target, shooter, int(six))
        return (
            yield from area_attack(battle, unit, shooter, target, strike, x, y, bracket=True, sure=sure, extra=extra)
        )
    hits, sixes = yield from steps.shots(unit.seat, 1, need, (unit.id, target.id))
    battle.tell("catapult.partial", "t9a:21.F.c.3", (unit.id, target.id), hit=bool(hits))
    if not hits or min(x - 1, y - 1) <= 0:
        return []
    weak = msgspec.structs.replace(strike, strength=math.ceil(strike.strength / 2), ap=math.ceil(strike.ap / 2))
    sure, extra = shooting.natural(battle, unit, target, shooter, sixes)
    return (yield from area_attack(battle, unit, shooter, target, weak, x - 1, y - 1, sure=sure, extra=extra))


def area_hits(battle: Battle, target: Unit, side: Edge, x: int, y: int, extra: int = 0) -> int:
    """t9a:21.G.b.10  Up to Y ranks (from front or rear) or files (from a flank) take X hits each, no more than they
    have models.

    t9a:21.D.b.4  Against who is immune to Area Attacks it is one hit.
    t9a:21.G.b.2  Ruling: Battle Focus adds one hit (`extra`) to the whole Area Attack, not another Area Attack, and
    the unit never takes more hits of it than it has models.
    """
    if attacks.immune(battle, battle.pools(target)[0], "area-attack"):
        return 1 + extra
    block = battle.block(target)
    if side.is_flank:
        rows: dict[int, int] = {}
        for place in block.places:
            for f in range(place.file, place.file + place.wide):
                rows[f] = rows.get(f, 0) + place.deep
        lines = sorted(rows.values(), reverse=True)
    else:
        strength = list(block.rank_strength())
        flank_guests = sum(p.file < 0 or p.file >= block.files for p in block.places)
        if strength:
            strength[0] += flank_guests
        lines = sorted(strength or [1], reverse=True)
    battle.cite("t9a:21.G.b.10")
    return min(sum(min(x, n) for n in lines[:y]) + extra, battle.size(target))


def area_attack(
    battle: Battle,
    unit: Unit,
    shooter: Shooter,
    target: Unit,
    strike: Strike,
    x: int,
    y: int,
    *,
    bracket: bool = False,
    sure: int = 0,
    extra: int = 0,
) -> Script[list[Batch]]:
    """t9a:21.G.b.10, t9a:21.G.b.10-brackets
    An Area Attack; values in [ ] go with exactly one hit, and of a poisoned one
    (`sure`) one hit wounds without a roll. Battle Focus may bring an `extra` hit.
    """
    place = battle.block(unit).places[shooter.number]
    side = located_model(battle, target, place)
    hits = area_hits(battle, target, side, x, y, extra)
    battle.tell("area.hits", "t9a:21.G.b.10", (unit.id, target.id), hits=hits, side=side.name.lower())
    found = yield from shooting.batches_on(battle, target, strike, hits, sure)
    return (yield from bracketed(battle, found, shooter.weapon)) if bracket else found


def bracketed(battle: Battle, batches: list[Batch], weapon: Shooting) -> Script[list[Batch]]:
    """t9a:21.G.b.10-brackets  One hit, of the attacker's choice, has the bracketed Strength, AP and attributes."""
    if not weapon.bracket or not batches:
        return batches
    battle.cite("t9a:21.G.b.10-brackets")
    pool = batches[0].pool
    if len(batches) > 1:
        pool = yield Pick(
            batches[0].strike.seat,
            "bracket.hit",
            [option(b.pool, about=(b.pool,)) for b in batches],
            rule="t9a:21.G.b.10-brackets",
        )
    found: list[Batch] = []
    for batch in batches:
        if batch.pool != pool:
            found.append(batch)
            continue
        rest = min(batch.sure, batch.hits - 1)
        found.append(Batch(sharpened(batch.strike, weapon.bracket), pool, 1, batch.sure - rest))
        if batch.hits > 1:
            found.append(msgspec.structs.replace(batch, hits=batch.hits - 1, sure=rest))
    return found


def sharpened(strike: Strike, said: dict[str, Any]) -> Strike:
    """A hit with the values written in [ ] or { } in place of its plain ones."""
    keys, terms, multiple = borne([t for text in said.get("attributes", ()) for t in parse(text)])
    return msgspec.structs.replace(
        strike,
        strength=int(said.get("str", strike.strength)),
        ap=int(said.get("ap", strike.ap)),
        keys=(*strike.keys, *keys),
        terms=(*strike.terms, *terms),
        multiple=(*strike.multiple, *multiple),
    )


def _flamethrower(battle: Battle, unit: Unit, shooter: Shooter, target: Unit) -> Script[list[Batch]]:
    """t9a:21.F.c.4  A natural 1 misfires; else D6 hits and D3 for each further rank or file, at most the unit's
    models.
    """
    (face,) = yield Roll(unit.seat, "flamethrower.fire", 6, rule="t9a:21.F.c.4", about=(unit.id, target.id), cuts=(2,))
    if face == 1:
        yield from misfire(battle, unit, shooter.pool, shooter.weapon, mod=-1)
        return []
    place = battle.block(unit).places[shooter.number]
    side = located_model(battle, target, place)
    block = battle.block(target)
    lines = block.files if side.is_flank else block.ranks
    more = min(4, max(0, lines - 1))
    total = yield from _flames(battle, unit, more)
    hits = min(total, battle.size(target))
    strike = shooting.strike_of(battle, unit, shooter, _part(battle, shooter))
    if shooter.weapon.brace and shooters.distance(battle, place, target) <= inches(shooter.weapon.range) / 2 + EPS:
        battle.cite("t9a:21.F.c.4-braces")
        strike = sharpened(strike, shooter.weapon.brace)
    battle.tell("shoot.hits", "t9a:21.F.c.4", (unit.id, target.id), shots=1, hits=hits, shooter=unit.id)
    return (yield from shooting.batches_on(battle, target, strike, hits))


def _flames(battle: Battle, unit: Unit, more: int) -> Script[int]:
    """The number of a Flamethrower's hits; an Engineer lets all of its dice be rolled again."""
    total = 0
    for attempt in range(2):
        (first,) = yield Roll(unit.seat, "flamethrower.hits", 6, rule="t9a:21.F.c.4", about=(unit.id,))
        total = first
        if more:
            faces = yield Roll(unit.seat, "flamethrower.more", 6, more, rule="t9a:21.F.c.4", about=(unit.id,))
            total += dice.D3.total(faces)
        if attempt or not unit.this_phase.engineered:
            break
        wish = yield Pick(
            unit.seat,
            "engineer.again",
            [option("again", text="option.again")],
            optional=True,
            rule="t9a:21.A.b.20",
            about=(unit.id,),
            data={"hits": total},
        )
        if not wish:
            break
    return total


# ---------------------------------------------------------------------- misfire


def misfire(battle: Battle, unit: Unit, pool: str, weapon: Shooting, mod: int = 0) -> Script[None]:
    """t9a:21.F.d  The Misfire Table; an Engineer may have the roll taken again (t9a:21.F.d-malfunction)."""
    plus = Tally(0, "misfire", "t9a:21.F.d").add(mod, weapon.name, "t9a:21.F.c.4")
    (face,) = yield Roll(unit.seat, "misfire", 6, rule="t9a:21.F.d", about=(unit.id,), plus=plus)
    if unit.this_phase.engineered:
        wish = yield Pick(
            unit.seat,
            "engineer.again",
            [option("again", text="option.again")],
            optional=True,
            rule="t9a:21.A.b.20",
            about=(unit.id,),
            data={"face": face},
        )
        if wish:
            (face,) = yield Roll(unit.seat, "misfire.again", 6, rule="t9a:21.A.b.20", about=(unit.id,), plus=plus)
    result = face + mod
    if result <= 0:
        yield from _explosion(battle, unit, pool)
    elif result <= 2:
        _mark(battle, pool, broken=weapon.name)
        battle.tell("misfire", "t9a:21.F.d-critical", (unit.id,), result="critical failure")
    elif result <= 4:
        if battle.any_has(unit, "war-machine"):
            battle.shake(unit, 2)
        else:
            _mark(battle, pool, jammed=weapon.name)
        battle.tell("misfire", "t9a:21.F.d-jammed", (unit.id,), result="jammed")
    else:
        battle.tell("misfire", "t9a:21.F.d-malfunction", (unit.id,), result="malfunction")
        yield from casualties.lose(battle, [Loss(pool, 1)], rule="t9a:21.F.d-malfunction")


def _mark(battle: Battle, pool: str, *, broken: str = "", jammed: str = "") -> None:
    """t9a:21.F.d-critical, t9a:21.F.d-jammed
    A gun that may not be fired any more, or not in its owner's next turn; of a
    pool of several models it is one of theirs.
    """
    if pool not in battle.models:
        unit = battle.units[pool]
        unit.spoiled = (*unit.spoiled, (broken or jammed, 0 if broken else battle.clock + 2))
        return
    model = battle.models[pool]
    if broken:
        model.broken = (*model.broken, broken)
    if jammed:
        model.jammed = (*model.jammed, (jammed, battle.clock + 2))


def _explosion(battle: Battle, unit: Unit, pool: str) -> Script[None]:
    """t9a:21.F.d-explosion  Everything within D6" of the weapon is hit, Strength 5, AP 2; the carrier is gone."""
    (face,) = yield Roll(unit.seat, "explosion.radius", 6, rule="t9a:21.F.d-explosion", about=(unit.id,))
    place = battle.block(unit).places[next(iter(battle.numbers(unit, pool)))]
    battle.tell("misfire", "t9a:21.F.d-explosion", (unit.id,), result="explosion", inches=face)
    strike = Strike(unit.seat, "", strength=5, ap=2, rule="t9a:21.F.d-explosion")
    batches: list[Batch] = []
    for other in battle.on_table():
        counts: dict[str, int] = {}
        for spot in battle.block(other).places:
            if other.id == unit.id and battle.pool_at(unit, spot.number) == pool:
                continue
            if gap(place.outline, spot.outline) <= inches(face) + EPS:
                key = battle.pool_at(other, spot.number)
                counts[key] = counts.get(key, 0) + 1
        batches += [Batch(strike, key, n) for key, n in counts.items()]
    stood = {u.id: battle.block(u) for u in battle.on_table()}
    model = battle.models.get(pool)
    points = model.hp if model is not None else battle.pool_profile(pool).hp
    yield from casualties.lose(battle, [Loss(pool, points)], panic=False, rule="t9a:21.F.d-explosion")
    lost = yield from attacks.resolve(battle, [b for b in batches if battle.pool_hp(b.pool) > 0], panic=False)
    destroyed = [(battle.units[k], block) for k, block in stood.items() if battle.units[k].where == "gone"]
    hurt = [battle.units[k] for k in lost if not battle.engaged(battle.units[k])]
    yield from psychology.after_losses(battle, hurt, destroyed, {}, "")
