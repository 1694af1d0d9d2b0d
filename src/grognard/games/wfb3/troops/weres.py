"""Chapter 15.9: were-creatures: hidden in units of their race, until they change."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grognard.games.wfb3.army import cards
from grognard.games.wfb3.army.profiles import Kit, Profile
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.movement import formations
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.table import ground, seating, sections
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Option, Pick, Roll, Script

#: wfb3:15.9-change
NEAR = 12
#: wfb3:15.9-form  By the upper end of a D6.
FORMS = ((2, "Giant Wolf"), (4, "Boar"), (6, "Bear"))


def near_enemy(battle: Battle, unit: Unit) -> bool:
    inside = [u for u in sections.inside(battle, battle.other(unit.seat)) if u.indoors.revealed]
    return any(battle.within(unit, foe, NEAR) for foe in [*battle.enemies(unit), *inside])


def start_of_turn(battle: Battle) -> Script[None]:
    """wfb3:15.9-change, wfb3:15.9-revert  With an enemy within 12" weres may change; without one they revert."""
    for unit in [*battle.army(battle.active), *sections.inside(battle, battle.active)]:
        if unit.troops.were_of and not battle.engaged(unit) and not unit.rout.routed and not near_enemy(battle, unit):
            revert(battle, unit)
            continue
        ready = (
            unit.troops.weres
            and unit.troops.were_asked != battle.clock
            and not battle.engaged(unit)
            and not unit.rout.routed
        )
        if ready and near_enemy(battle, unit):
            unit.troops = unit.troops.but(were_asked=battle.clock)
            yield from roll(battle, unit)


def roll(battle: Battle, unit: Unit, *, stays: bool = False) -> Script[None]:
    """wfb3:15.9-change, wfb3:15.9-form  On 5 or 6 all of a unit's weres change, into one kind of animal.

    Ruling: they hide as assassins do, so the die of those who were never seen to change is rolled unseen.
    """
    if not unit.troops.weres or not battle.ordinary(unit):
        return
    (face,) = yield Roll(unit.seat, "were.change", 6, rule="wfb3:15.9-change", about=(unit.id,), need=5, sense="high",
                         cuts=(5,), secret=not unit.troops.were_known)  # fmt: skip
    if face < 5:
        return
    unit.troops = unit.troops.but(were_known=True)
    if not unit.troops.were_form:
        (shape,) = yield Roll(unit.seat, "were.form", 6, rule="wfb3:15.9-form", about=(unit.id,), cuts=(3, 5))
        unit.troops = unit.troops.but(were_form=next(name for top, name in FORMS if shape <= top))
    change(battle, unit, stays=stays)


def in_fights(battle: Battle) -> Script[None]:
    """wfb3:15.9-change  Weres who fight on in human form roll again before every later round."""
    for unit in [*battle.here(), *sections.inside(battle)]:
        if unit.troops.weres and unit.combat.rounds and battle.engaged(unit) and "were" not in unit.minds.panicked:
            unit.minds = unit.minds.but(panicked=(*unit.minds.panicked, "were"))
            yield from roll(battle, unit, stays=True)


def animal(kit: Kit, form: str) -> Profile:
    """wfb3:15.9-profile  The animal, with one more attack for the weapon it holds."""
    beast = cards.bestiary()[form]
    attacks = (*beast.attacks, ("weapon", 1))
    return msgspec.structs.replace(beast, attacks=attacks, A=beast.A + 1, rides="")


def change(battle: Battle, unit: Unit, *, stays: bool) -> None:
    """wfb3:15.9-separate  They leave the host; in a fight, or charged, they take front places and stay till its end."""
    number = unit.troops.weres
    unit.troops = unit.troops.but(weres=0)
    profile = animal(unit.kit, unit.troops.were_form)
    troops = battle.ordinary(unit)
    plain = [m for m in troops if not m.role]
    turned = troops if number >= len(troops) else (plain[:number] or troops[:number])
    battle.tell("were.changed", "wfb3:15.9-change", (unit.id,), models=len(turned), form=unit.troops.were_form)
    battle.cite("wfb3:15.9-profile")
    for model in turned:
        _become(model, profile, in_ranks=stays)
    if stays:
        if unit.block is not None:
            seating.swap_in(battle, unit)
        battle.cite("wfb3:15.9-separate")
        return
    separate(battle, unit, turned)


def _become(model: Model, profile: Profile, *, in_ranks: bool) -> None:
    """One were as an animal; in the ranks it keeps the place, and base, of the soldier it was."""
    model.profile = msgspec.structs.replace(profile, base=model.profile.base) if in_ranks else profile
    model.w = max(1, profile.W)
    model.role = "were"
    model.fight = model.fight.but(frenzied=in_ranks)
    model.kit = Kit(weapons=model.kit.weapons[:1])


def separate(battle: Battle, host: Unit, turned: Sequence[Model]) -> Unit | None:
    """wfb3:15.9-separate  Changed weres are a unit of their own beside their host; a whole unit of weres stays one."""
    if len(turned) == len(host.models):
        host.troops = host.troops.but(born=host.troops.born or host.profile, were_of=host.id)
        host.profile, host.kit = animal(host.kit, host.troops.were_form), turned[0].kit
        for model in turned:
            model.profile, model.role = host.profile, ""
        _reform(battle, host)
        return host
    key = f"{host.id}-weres"
    profile = animal(host.kit, host.troops.were_form)
    gone = [m.id for m in turned]
    pack = Unit(key, host.seat, f"{host.name} weres", tuple(gone), profile, turned[0].kit, None, "infantry", host.price)
    pack.troops = pack.troops.but(were_of=host.id, were_form=host.troops.were_form, born=host.profile)
    kept = host.models
    host.models = tuple(m for m in host.models if m not in gone)
    battle.units[key] = pack
    for model in turned:
        model.unit = model.home = key
        model.profile, model.role = profile, ""
        if model.on_table:
            battle.lift(model)
        (model.body,) = battle.embody([profile.base], None, [profile.height])
    if host.where == "building":
        _apart_inside(host, pack)
        battle.tell("were.separate", "wfb3:15.9-separate", (pack.id, host.id))
        return pack
    spot = _room(battle, host, pack)
    if spot is None:
        host.models = kept
        for model in turned:
            model.unit = model.home = host.id
        del battle.units[key]
        battle.form(host, battle.block_of(host))
        return None
    if host.leader in gone:
        host.leader = ""
    block = battle.block_of(host)
    battle.form(host, seating.settle(battle, host, block.files).placed(block.front, block.facing))
    formations.shaped(battle, host)
    battle.form(pack, spot)
    battle.tell("were.separate", "wfb3:15.9-separate", (pack.id, host.id))
    return pack


def _apart_inside(host: Unit, pack: Unit) -> None:
    """Changed weres in a building stay in the section/levels where they were."""
    held = sections.places(host)
    pack.where = "building"
    pack.indoors = pack.indoors.but(revealed=True)
    host.indoors = host.indoors.but(revealed=True)
    sections.put(pack, {key: [m for m in models if m in pack.models] for key, models in held.items()})
    sections.put(host, {key: [m for m in models if m not in pack.models] for key, models in held.items()})
    if host.leader in pack.models:
        host.leader = ""


def _room(battle: Battle, host: Unit, pack: Unit) -> Block | None:
    shape = seating.settle(battle, pack, len(pack.models))
    box = battle.block_of(host).boundary
    for side in (Edge.FRONT, Edge.RIGHT, Edge.LEFT, Edge.REAR):
        x, y = box.middle(side)
        hx, hy = heading(box.outward(side))
        deep = shape.depth if side in (Edge.FRONT, Edge.REAR) else shape.width
        for far in (2.0, inches(1), inches(2)):
            away = deep / 2 + far
            made = shape.placed_by_centre((x + hx * away, y + hy * away), box.facing)
            if not ground.fits(battle, pack, made, ignoring=(host.id,)):
                return made
    return None


def _reform(battle: Battle, unit: Unit) -> None:
    """A unit on the bases its models have now, as near as possible to where it stood.

    Ruling: where there is no room for the animals' bases they keep those of the men.
    """
    if unit.block is None:
        for model in battle.members(unit):
            (model.body,) = battle.embody([seating.model_base(model)], None, [model.profile.height])
        return
    old, models = unit.block, unit.models
    for files in dict.fromkeys((old.files, max(1, old.files // 2), 1)):
        for way in (0.0, inches(1), -inches(1), inches(2), -inches(2)):
            hx, hy = heading(old.facing)
            made = seating.settle(battle, unit, files).placed((old.x + hx * way, old.y + hy * way), old.facing)
            if not ground.fits(battle, unit, made):
                for model in battle.members(unit):
                    battle.lift(model)
                    (model.body,) = battle.embody([seating.model_base(model)], None, [model.profile.height])
                battle.form(unit, made)
                return
    unit.models = models
    base = old.base
    unit.profile = msgspec.structs.replace(unit.profile, base=base)
    for model in battle.members(unit):
        model.profile = msgspec.structs.replace(model.profile, base=base)
    battle.form(unit, old)


def after_combat(battle: Battle) -> None:
    """wfb3:15.9-separate  The fight is over: weres in the ranks of their host leave it."""
    for unit in [*battle.here(), *sections.inside(battle)]:
        changed = [m for m in battle.members(unit) if m.role == "were"]
        if changed and not battle.engaged(unit) and not unit.rout.routed:
            separate(battle, unit, changed)


def revert(battle: Battle, unit: Unit) -> None:
    """wfb3:15.9-revert  Without an enemy within 12" they are men again, in a small unit of their own."""
    human = unit.troops.born or battle.units[unit.troops.were_of].profile
    unit.troops = unit.troops.but(were_of="")
    unit.minds = unit.minds.but(frenzied=False)
    unit.profile = human
    for model in battle.members(unit):
        model.profile, model.role = human, ""
        model.fight = model.fight.but(frenzied=False)
        model.w = human.W
    unit.troops = unit.troops.but(weres=len(unit.models))
    _reform(battle, unit)
    battle.tell("were.reverted", "wfb3:15.9-revert", (unit.id,))


def hosts(battle: Battle, unit: Unit) -> list[Unit]:
    """wfb3:15.9-revert  Friendly infantry at least four times as numerous, within a move."""
    if not unit.troops.weres or unit.troops.weres != len(unit.models):
        return []
    far = float(stats.move(battle, unit).value)
    return [
        u
        for u in battle.friends(unit)
        if u.kind == "infantry" and not u.rout.routed and not battle.engaged(u) 
        and len(u.models) >= 4 * len(unit.models) and battle.within(unit, u, far)
        and seating.troop_base(u) == seating.troop_base(unit)
    ]  # fmt: skip


def rejoin(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:15.9-revert  They hide again among friends."""
    options = [Option(h.id, h, about=(h.id,)) for h in hosts(battle, unit)]
    unit.march = unit.march.but(done=True)
    host = yield Pick(unit.seat, "were.joins", options, rule="wfb3:15.9-revert", about=(unit.id,))
    old, block = host.models, battle.block_of(host)
    host.models = (*host.models, *unit.models)
    made = seating.settle(battle, host, block.files).placed(block.front, block.facing)
    if ground.fits(battle, host, made, ignoring=(unit.id,)):
        host.models = old
        return
    moved = unit.models
    host.troops = host.troops.but(weres=host.troops.weres + len(moved), were_form=unit.troops.were_form)
    unit.models = ()
    battle.remove(unit, "attached")
    for key in moved:
        battle.models[key].unit = battle.models[key].home = host.id
    battle.form(host, made)
    host.start = max(host.start, len(host.models))
    battle.tell("were.joined", "wfb3:15.9-revert", (unit.id, host.id), seats=(unit.seat,))


def shot(battle: Battle, unit: Unit, dead: int) -> Script[None]:
    """wfb3:15.9-casualties  Every missile casualty may be a were, as likely as there are of them.

    Ruling: a D10 where their share is a number of tenths, else a D100; high faces are weres.
    """
    if not unit.troops.weres or not dead:
        return
    for _ in range(dead):
        if not unit.troops.weres:
            return
        share = unit.troops.weres / max(1, len(battle.ordinary(unit)) + dead)
        sides = 10 if abs(share * 10 - round(share * 10)) < 1e-9 else 100
        cut = sides - int(share * sides + 1e-9) + 1
        (face,) = yield Roll(
            unit.seat, "were.hit", sides, rule="wfb3:15.9-casualties", about=(unit.id,), cuts=(cut,),
            secret=not unit.troops.were_known,
        )  # fmt: skip
        if face >= cut:
            unit.troops = unit.troops.but(weres=unit.troops.weres - 1)
            battle.tell("were.killed", "wfb3:15.9-casualties", (unit.id,), seats=(unit.seat,))
