"""Chapters 15.D.c to 15.D.e: One Initiative step: who strikes whom, and the rolls to hit."""

from __future__ import annotations

import msgspec

from grognard.games.t9a.army.profiles import SUPPORT, Part
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import attacks
from grognard.games.t9a.losses.attacks import Batch
from grognard.games.t9a.melee import attributes_in_use, close_combat_attacks, special_attacks
from grognard.games.t9a.melee.initiative import Entry
from grognard.games.t9a.rolls import dice, mixed_pools, steps, weapons_in_use
from grognard.games.t9a.table import contacts
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Number, Pick, Script, Split, option


class Share(msgspec.Struct, frozen=True):
    """Attacks of one part's models on one pool."""

    entry: Entry
    target: str
    side: str  # the side of the target unit they fight
    front: bool  # whether they fight over their own unit's front
    count: int


def announce_crushes(battle: Battle, units: list[Unit]) -> Script[None]:
    """t9a:21.G.b.4  At the end of step 4 a part with Crush Attack may announce it in place of its other attacks."""
    for seat in (battle.active, battle.reactive):
        for unit in units:
            if unit.seat != seat:
                continue
            unit.fight = unit.fight.but(grinding=(), crushing=())
            for part in unit.profile.parts if unit.troops else ():
                yield from _announce_many(battle, unit, part)
            for model in battle.guests(unit):
                model.crushing = ()
                for part in model.profile.parts:
                    if not weapons_in_use.granted(battle, model.id, part, "crush-attack") or model.duel.refused:
                        continue
                    wish = yield Pick(
                        seat,
                        "crush.announce",
                        [option("crush", text="option.crush")],
                        optional=True,
                        rule="t9a:21.G.b.4",
                        about=(model.id,),
                        data={"part": part.name},
                    )
                    if wish:
                        model.crushing = (*model.crushing, part.name)


def _announce_many(battle: Battle, unit: Unit, part: Part) -> Script[None]:
    """t9a:21.G.b.4  Of Rank-and-File models with a Crush Attack each may announce it.

    Ruling: only how many do is asked; they are the first of those in contact, from the left.
    """
    if not weapons_in_use.granted(battle, unit.id, part, "crush-attack"):
        return
    met = contacts.touching_numbers(battle, unit)
    most = sum(n in met for n in battle.numbers(unit, unit.id))
    if most:
        many = yield Number(
            unit.seat, "crush.many", 0, most, rule="t9a:21.G.b.4", about=(unit.id,), data={"part": part.name}
        )
        unit.fight = unit.fight.but(crushing=(*unit.fight.crushing, (part.name, int(many))))


def strike_step(battle: Battle, step: int, entries: list[Entry]) -> Script[dict[str, int]]:
    """t9a:15.D.a, t9a:15.D.d
    All attacks of a step: allocate, roll to hit, then the attack sequence at once for all."""
    shares: list[Share] = []
    special: list[Entry] = []
    for entry in entries:
        if not able(battle, entry):
            continue
        if entry.kind in ("close", "crush"):
            shares += yield from allocate(battle, entry)
        else:
            special.append(entry)
    if not shares and not special:
        return {}
    struck = dict.fromkeys([e.unit for e in special] + [s.entry.unit for s in shares])
    battle.tell("combat.step", "t9a:15.D.a", [e.unit for e in entries if e.unit in struck], step=step)
    battle.cite("t9a:7.D")
    batches: list[Batch] = []
    battle.shared = {}
    for entry in special:
        batches += yield from special_attacks.resolve(battle, entry)
    for share in shares:
        batches += yield from _hit(battle, share)
    battle.shared = None
    if not batches:
        return {}
    return (yield from attacks.resolve(battle, batches))


def able(battle: Battle, entry: Entry) -> bool:
    """t9a:15.D.a  Whether those who were to strike in a step are still there."""
    return battle.pool_hp(entry.pool) > 0


# ---------------------------------------------------------------------- allocation


def strikers(battle: Battle, unit: Unit, entry: Entry) -> list[tuple[int, bool]]:
    """t9a:15.D.c, t9a:15.D.c.1  The models that strike: those in contact, and those behind who support; number and
    supporting.
    """
    numbers = battle.numbers(unit, entry.pool)
    met = contacts.touching_numbers(battle, unit)
    found = [(n, False) for n in numbers if n in met]
    part = battle.pool_profile(entry.pool).parts[entry.part]
    battle.cite("t9a:15.D.c", *(["t9a:21.A.b.48"] if battle.block(unit).spacing else []))
    model = battle.models.get(entry.pool)
    if model is not None and model.duel.foe:
        return [(numbers[0], False)]
    if entry.pool not in battle.models:
        many = dict(unit.fight.crushing).get(part.name, 0)
        found = found[:many] if entry.kind == "crush" else found[many:]
    if entry.kind == "close" and not part.has("harnessed"):
        found += [(n, True) for n in supporters(battle, unit, entry, part) if n not in met]
    return found


def supporters(battle: Battle, unit: Unit, entry: Entry, part: Part) -> list[int]:
    """t9a:15.D.c.1, t9a:21.G.b.13  Models behind a comrade in contact over the front: second rank, and more with extra
    ranks.
    """
    extra = sum(t.key == "fight-in-extra-rank" for t in attributes_in_use.part_traits(battle, entry.pool, part))
    if battle.in_line(unit):
        battle.cite("t9a:21.G.b.13")
        extra += 1
    if extra:
        battle.cite("t9a:21.G.b.13")
    block = battle.block(unit)
    fronts = contacts.touching_numbers(battle, unit, Edge.FRONT)
    files: set[int] = set()
    for number in fronts:
        place = block.places[number]
        files.update(range(place.file, place.file + place.wide))
    found = [
        n
        for n in battle.numbers(unit, entry.pool)
        if 1 <= block.places[n].rank <= 1 + extra and block.places[n].file in files
    ]
    if found or any(ours is not Edge.FRONT for _, ours, _ in battle.foes(unit)):
        battle.cite("t9a:15.D.c.1")
    return found


def targets_of(battle: Battle, unit: Unit, entry: Entry, number: int, supporting: bool) -> dict[str, tuple[str, bool]]:
    """t9a:15.D.d, t9a:15.D.d.1, t9a:15.E.c
    Pools a model may strike, each with the side it fights and whether over its own
    front.
    """
    model = battle.models.get(entry.pool)
    if model is not None and model.duel.foe:
        return _duel_target(battle, unit, model.duel.foe)
    block = battle.block(unit)
    file = block.places[number].file
    found: dict[str, tuple[str, bool]] = {}
    foes: dict[str, tuple[str, bool]] = {}
    for touch in contacts.of_unit(battle, unit):
        if supporting:
            place = block.places[touch.number]
            if touch.side is not Edge.FRONT or not place.file <= file < place.file + place.wide:
                continue
        elif touch.number != number:
            continue
        foe = battle.units[touch.foe]
        where = (touch.foe_side.name.lower(), touch.side is Edge.FRONT)
        foes[foe.id] = where
        pool = mixed_pools.pool_of(battle, foe, battle.pool_at(foe, touch.foe_number))
        if pool in battle.models and battle.models[pool].duel.foe:
            battle.cite("t9a:15.E.c")
            continue
        found[pool] = where
    ordinary = model is None or model.role != "character"
    if model is not None and model.profile.is_platform:
        battle.cite("t9a:21.A.b.34")
        ordinary = True
    if ordinary:
        for key, where in foes.items():
            for pool in battle.pools(battle.units[key]):
                plain = pool not in battle.models or battle.models[pool].role == "extra"
                plain = plain and pool not in mixed_pools.fellows(battle, battle.units[key])
                if plain and pool not in found:
                    battle.cite("t9a:15.D.d.1")
                    found[pool] = where
    elif foes and not found:
        battle.cite("t9a:15.D.d.1")
    return found


def _duel_target(battle: Battle, unit: Unit, foe_id: str) -> dict[str, tuple[str, bool]]:
    foe = battle.models[foe_id]
    home = battle.units[foe.unit]
    battle.cite("t9a:15.E.c")
    for other, ours, theirs in battle.foes(unit):
        if other.id == home.id:
            return {foe_id: (theirs.name.lower(), ours is Edge.FRONT)}
    return {foe_id: ("front", True)}


def attack_count(battle: Battle, unit: Unit, entry: Entry, part: Part, supporting: bool) -> Script[int]:
    """t9a:5.B.a, t9a:15.D.c.1
    A part's Attack Value; rolled where it is random, capped for Supporting Attacks (t9a:5.B.a-parts)."""
    if entry.kind == "crush":
        return 1
    total, what = close_combat_attacks.attack_value(battle, unit, entry.pool, part)
    if not what.fixed:
        battle.cite("t9a:5.B.a", "t9a:5.B.a-parts")
        rolled, _ = yield from dice.roll(battle, unit.seat, "attacks", what, "t9a:5.B.a", (entry.pool,))
        total += rolled
    if supporting:
        cap = SUPPORT[battle.pool_profile(entry.pool).size]
        battle.cite("t9a:19.A.a")
        own = [t for t in attributes_in_use.part_traits(battle, entry.pool, part) if t.key == "supporting-attacks"]
        if own:
            battle.cite("t9a:21.G.b.8")
            cap = max(t.number() for t in own)
        total = min(total, cap)
    return total


def allocate(battle: Battle, entry: Entry) -> Script[list[Share]]:
    """t9a:15.D.d, t9a:7.C  Attacks are assigned to enemy models in contact before any is rolled.

    Ruling: the Rank-and-File model that has lost Health Points rages (t9a:21.G.b.21) if one is in contact; of several
    crew only one is First Among Equals (t9a:21.C.a.2).
    """
    unit = battle.units[entry.unit]
    model = battle.models.get(entry.pool)
    if model is not None and model.duel.refused:
        battle.cite("t9a:15.E.b-refuse")
        return []
    part = battle.pool_profile(entry.pool).parts[entry.part]
    battle.cite("t9a:15.D.d", "t9a:7.C")
    groups: dict[tuple[tuple[str, tuple[str, bool]], ...], int] = {}
    rage = unit.lost if model is None and weapons_in_use.granted(battle, entry.pool, part, "rage") else 0
    leads = close_combat_attacks.leads(battle, entry.pool, part)
    for number, supporting in strikers(battle, unit, entry):
        options = targets_of(battle, unit, entry, number, supporting)
        if not options:
            continue
        for which in range(part.count):
            count = yield from attack_count(battle, unit, entry, part, supporting)
            if which and leads:
                count -= 1
            if rage and not supporting:
                battle.cite("t9a:21.G.b.21")
                count, rage = count + rage, 0
            key = tuple(sorted(options.items()))
            groups[key] = groups.get(key, 0) + count
    found: dict[tuple[str, str, bool], int] = {}
    for key, total in groups.items():
        split = {key[0][0]: total}
        if len(key) > 1:
            split = yield Split(
                unit.seat,
                "attacks.allocate",
                [option(p, about=(p,)) for p, _ in key],
                total,
                rule="t9a:15.D.d",
                about=(entry.pool,),
                data={"total": total},
            )
        for pool, (side, front) in key:
            if split.get(pool):
                found[pool, side, front] = found.get((pool, side, front), 0) + split[pool]
    return [Share(entry, pool, side, front, count) for (pool, side, front), count in found.items()]


# ---------------------------------------------------------------------- to hit


def _hit(battle: Battle, share: Share) -> Script[list[Batch]]:
    """t9a:15.D.e  To-hit rolls of a share, and the hits they make."""
    like = yield from mixed_pools.likeness(battle, share.target, battle.units[share.entry.unit].seat)
    return (yield from landed(battle, share, like, *(yield from rolled(battle, share, like))))


def rolled(battle: Battle, share: Share, like: str) -> Script[tuple[int, int, int]]:
    """t9a:15.D.e, t9a:21.G.b.2, t9a:21.G.b.5
    The attacks of a share that hit, how many of them wound without a roll, and the
    extra hits they make.
    """
    unit = battle.units[share.entry.unit]
    part = battle.pool_profile(share.entry.pool).parts[share.entry.part]
    foe = battle.pool_unit(share.target)
    if share.entry.kind == "close":
        attributes_in_use.drawn(battle, share.entry.pool, part)
    need = close_combat_attacks.to_hit(battle, unit, share.entry, part, like, side=share.side, front=share.front)
    traits = _attributes(battle, share, part, like)
    again = "hatred" in traits and unit.fight.first_round
    if "hatred" in traits:
        battle.cite("t9a:21.G.b.16", "t9a:15.B.a")
    who = tuple(key for key in (share.entry.pool, share.target) if key in battle.models)
    about = tuple(dict.fromkeys((share.entry.pool, share.target, unit.id)))
    hits, sixes = yield from steps.melee_hits(unit.seat, share.count, need, again, about)
    extra = sixes if "battle-focus" in traits else 0
    sure = sixes if "poison-attacks" in traits else 0
    if extra or sure:
        battle.cite("t9a:2.B.a-natural")
    if extra:
        battle.cite("t9a:21.G.b.2")
    if sure:
        battle.cite("t9a:21.G.b.5")
    about = (unit.id, foe.id, *(key for key in who if key not in (unit.id, foe.id)))
    facts = {"striker": share.entry.pool, "pool": share.target}
    battle.tell("melee.hits", "t9a:15.D.e", about, attacks=share.count, hits=hits + extra, **facts)
    return hits, sure, extra


def _attributes(battle: Battle, share: Share, part: Part, like: str) -> dict[str, str]:
    """t9a:21.G.b.4  The attributes of a share's attacks; a Crush Attack has none of the part's."""
    if share.entry.kind == "crush":
        return {}
    return attributes_in_use.keys(battle, battle.units[share.entry.unit], share.entry.pool, part, like, share.front)


def landed(battle: Battle, share: Share, like: str, hits: int, sure: int, extra: int) -> Script[list[Batch]]:
    """t9a:7.E, t9a:21.G.b.10  What the hits of a share are: on its target, or on ranks and files of an Area Attack."""
    unit = battle.units[share.entry.unit]
    part = battle.pool_profile(share.entry.pool).parts[share.entry.part]
    foe = battle.pool_unit(share.target)
    traits = _attributes(battle, share, part, like)
    strike = close_combat_attacks.strike(
        battle, unit, share.entry, part, share.target, share.front, tuple(traits), share.side
    )
    area = next(
        (t for t in attributes_in_use.part_traits(battle, share.entry.pool, part) if t.key == "area-attack"), None
    )
    in_duel = share.entry.pool in battle.models and battle.models[share.entry.pool].duel.foe == share.target
    if area is not None and "area-attack" in traits and hits:
        duellist = share.target if in_duel else ""
        return (yield from special_attacks.swathe(battle, strike, area, foe, hits, sure, extra, duellist))
    if in_duel and battle.models[share.target].gone:
        battle.cite("t9a:15.E.c-dead-duellist")
    return [Batch(strike, share.target, hits + extra, sure, in_duel, like)] if hits else []
