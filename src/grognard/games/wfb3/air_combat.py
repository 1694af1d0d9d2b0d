"""wfb3:21.4  Fighting from the air: troops flown over, flyers met, and how such fights end."""

from __future__ import annotations

from grognard.games.wfb3 import arcs, flyers, free_blows
from grognard.games.wfb3.arcs import Leg, Way
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import AirFight, Model, Unit
from grognard.games.wfb3.results import Score
from grognard.games.wfb3.striking import Group
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import Shift, extent, first_contact, gap, overlap
from grognard.kernel.geometry.units import bearing, heading, inches
from grognard.kernel.questions import Option, Pick, Script

#: Flyers this near each other on one level are base to base (mm).
BASE = 1.5


# ---------------------------------------------------------------------- who fights


def fights(battle: Battle, unit: Unit) -> list[AirFight]:
    return [f for f in battle.air if unit.id in (f.flyer, f.foe)]


def foes(battle: Battle, unit: Unit) -> list[Unit]:
    """Whom a unit fights in or from the air."""
    return [battle.units[f.foe if f.flyer == unit.id else f.flyer] for f in fights(battle, unit)]


def parted(battle: Battle, unit: Unit, foe: Unit) -> bool:
    """wfb3:21.5-no-amok  Whether one of two has flown out of a fight with the other."""
    return bool(unit.height or foe.height) and foe not in foes(battle, unit)


def pinned(battle: Battle, unit: Unit) -> bool:
    """wfb3:21.4.1-one-round  Troops with hovering enemies above them are engaged as with any enemy."""
    return not unit.height and any(f.foe == unit.id for f in battle.air)


def end(battle: Battle, fight: AirFight) -> None:
    battle.air = tuple(f for f in battle.air if f != fight)


def break_off(battle: Battle, unit: Unit) -> None:
    """wfb3:21.4.5-break-off  The airborne leave a fight in their movement phase, without free hits or any penalty."""
    for fight in fights(battle, unit):
        end(battle, fight)
        battle.tell(
            "fly.broke-off", "wfb3:21.4.5-break-off", (unit.id, fight.foe if fight.flyer == unit.id else fight.flyer)
        )


def declare(battle: Battle, unit: Unit, way: Way) -> Script[None]:
    """wfb3:21.4.1-overfly, 21.4.2-defence

    At attack level, those flown over may be attacked; they answer as to a charge.
    """
    from grognard.games.wfb3 import responses

    below = list(dict.fromkeys(battle.models[key].unit for key in unit.over))
    targets = [battle.units[key] for key in below if not battle.units[key].routed]
    if not targets:
        return
    foe = yield Pick(
        unit.seat, "fly.attack", [Option(f.id, f, about=(f.id,)) for f in targets], optional=True,
        rule="wfb3:21.4.1-overfly", about=(unit.id,),
    )  # fmt: skip
    if foe is None:
        return
    battle.tell("fly.attacks", "wfb3:21.4.1-overfly", (unit.id, foe.id))
    battle.cite("wfb3:21.4.2-defence")
    yield from responses.respond(battle, unit, foe)
    if unit.where != "table" or unit.routed or foe.where != "table" or foe.routed or foe.answered == "flee":
        return
    models = tuple(key for key in unit.over if battle.models[key].unit == foe.id and battle.models[key].alive)
    if models:
        battle.air = (*battle.air, AirFight(unit.id, foe.id, "overfly", battle.clock, models))


def contact(battle: Battle, unit: Unit, way: Way, height: int) -> Block | None:
    """wfb3:21.4.4-dogfight  Where a flight ends base to base with enemy flyers on the level it ends on."""
    others = [f for f in battle.enemies(unit) if f.height == height and height and battle.gap(unit, f) > BASE]
    if not others:
        return None
    block = battle.block_of(unit)
    for leg in way.legs:
        line = arcs.motion(block, leg, way.distance)
        met = [
            (at, o)
            for o in others
            if (at := first_contact(block.outline, line, battle.block_of(o).outline)) is not None
        ]
        if met:
            at, other = min(met, key=lambda pair: pair[0])
            share = at / extent(line) if extent(line) else 0.0
            stop = arcs.moved(block, Leg(leg.far * share, leg.degrees * share), way.distance)
            battle.air = (*battle.air, AirFight(unit.id, other.id, "dogfight", battle.clock))
            battle.tell("fly.meets", "wfb3:21.4.4-dogfight", (unit.id, other.id))
            return stop
        block = arcs.moved(block, leg, way.distance)
    return None


def charged(battle: Battle, charger: Unit, flyer: Unit) -> None:
    """wfb3:21.4.1-charge-flyers  Ground troops reach flyers at attack level who accepted the fight."""
    battle.air = (*battle.air, AirFight(flyer.id, charger.id, "charged", battle.clock, _front(battle, charger)))
    battle.tell("fly.charged", "wfb3:21.4.1-charge-flyers", (charger.id, flyer.id))


def _front(battle: Battle, unit: Unit) -> tuple[str, ...]:
    places = battle.block_of(unit).places
    return tuple(m for p, m in zip(places, unit.models, strict=True) if p.rank == 0)


# ---------------------------------------------------------------------- a round


def fight_all(battle: Battle) -> Script[None]:
    """wfb3:21.4  Every fight of flyers one round, before those on the ground."""
    for fight in battle.air:
        flyer, foe = battle.units[fight.flyer], battle.units[fight.foe]
        if not _stands(battle, fight, flyer, foe):
            end(battle, fight)
            continue
        yield from fight_round(battle, fight, flyer, foe)
        if fight in battle.air and fight.kind != "dogfight":
            _onward(battle, fight, flyer, foe)


def _stands(battle: Battle, fight: AirFight, flyer: Unit, foe: Unit) -> bool:
    """Whether a fight still goes on: both there, and still above or beside each other."""
    if flyer.where != "table" or foe.where != "table" or flyer.routed or foe.routed:
        return False
    if fight.kind == "dogfight":
        return flyer.height == foe.height and battle.gap(flyer, foe) <= BASE
    return flyer.height == flyers.ATTACK and not foe.height


def _onward(battle: Battle, fight: AirFight, flyer: Unit, foe: Unit) -> None:
    """wfb3:21.4.1-one-round  One round only, but hoverers may stay above and go on."""
    battle.cite("wfb3:21.4.1-one-round")
    if not flyers.hovers(flyer) or foe.where != "table" or foe.routed or flyer.where != "table":
        end(battle, fight)
        return
    shape = battle.block_of(flyer).outline
    below = tuple(
        key for place, key in zip(battle.block_of(foe).places, foe.models, strict=True) if overlap(shape, place.outline)
    )
    end(battle, fight)
    if below:
        battle.air = (*battle.air, fight._replace(models=below))


def fight_round(battle: Battle, fight: AirFight, flyer: Unit, foe: Unit) -> Script[None]:
    """wfb3:21.4.3-to-hit, 21.4.4-dogfight  Blows in order of initiative, then the result."""
    from grognard.games.wfb3 import arms, chariot_damage, combat, results

    units = [flyer, foe]
    battle.cite("wfb3:21.4.3-to-hit" if fight.kind != "dogfight" else "wfb3:21.4.4-dogfight")
    for unit in units:
        yield from arms.choose(battle, unit)
    score = Score(units)
    defenders = yield from _defenders(battle, fight, foe)
    made = [*_strikes(battle, flyer, foe, None), *_strikes(battle, foe, flyer, defenders)]
    yield from combat.blows(battle, units, score, made)
    yield from chariot_damage.in_fight(battle, units, score)
    sums = [results.total(battle, [unit], score) for unit in units]
    about = (flyer.id, foe.id)
    if sums[0].value == sums[1].value:
        battle.tell("combat.drawn", "wfb3:7.13.1-draw", about, first=sums[0], second=sums[1])
        return
    won, lost = (flyer, foe) if sums[0].value > sums[1].value else (foe, flyer)
    battle.tell("combat.won", "wfb3:7.12-score", about, winner=won.seat, first=sums[0], second=sums[1])
    won.won = battle.clock
    if lost.where == "table":
        yield from _beaten(battle, fight, won, lost)


def _defenders(battle: Battle, fight: AirFight, foe: Unit) -> Script[tuple[str, ...] | None]:
    """wfb3:21.4.2-defence

    Who of those flown over strikes back; who fights on the ground too must choose, each for himself.
    """
    if fight.kind == "dogfight":
        return None
    alive = tuple(key for key in fight.models if battle.models[key].alive and battle.models[key].unit == foe.id)
    foe.busy = ()
    if not battle.engaged(foe):
        return alive
    if not alive:
        return ()
    chosen = yield Pick(
        foe.seat, "fly.defend", [Option(key, key, about=(key,)) for key in alive], optional=True, most=len(alive),
        rule="wfb3:21.4.2-defence", about=(foe.id, fight.flyer),
    )  # fmt: skip
    picked = chosen if isinstance(chosen, tuple) else (chosen,) if chosen else ()
    foe.busy = picked
    return picked


def _strikes(battle: Battle, unit: Unit, foe: Unit, only: tuple[str, ...] | None) -> list[Group]:
    """Everybody of a unit who strikes at another in such a fight: all flyers in contact, those flown over."""
    from grognard.games.wfb3 import arms, chariots, monsters, striking

    able = [m for m in battle.members(unit) if only is None or m.id in only]
    if only is None and unit.height and foe.height:
        able = touching(battle, unit, foe)
    found: list[Group] = []
    if unit.kind == "monster":
        for model in able:
            found += monsters.fighters(battle, unit, foe, model, Edge.FRONT)
        return found
    if unit.kind == "chariot":
        for model in able:
            found += chariots.fighters(battle, unit, foe, model)
        return found
    for model in able:
        if model.role == "character":
            found += striking.single_groups(battle, unit, foe, model)
    plain = [m for m in able if m.role != "character"]
    if plain:
        gear = arms.arms(battle, unit, None, foe)
        speed = striking.initiative(battle, unit.profile, gear)
        if number := sum(c for _, c in unit.profile.attacks):
            found.append(Group(unit.id, foe.id, "troops", len(plain), number, speed, unit.profile))
        if unit.mount is not None and (number := sum(c for _, c in unit.mount.attacks)):
            found.append(Group(unit.id, foe.id, "mounts", len(plain), number, unit.mount.I, unit.mount))
    return found


def touching(battle: Battle, unit: Unit, foe: Unit) -> list[Model]:
    """wfb3:21.4.4-dogfight  Those base to base with the other unit."""
    shape = battle.block_of(foe).outline
    places = zip(battle.block_of(unit).places, battle.members(unit), strict=True)
    return [model for place, model in places if gap(place.outline, shape) <= BASE]


def marks(battle: Battle, unit: Unit, foe: Unit) -> list[tuple[Model, int]]:
    """wfb3:21.4.1-overfly  Leaders, bearers and characters whom flyers may pick out among those they fly over."""
    found = []
    for fight in fights(battle, unit):
        if foe.id != fight.foe or fight.kind == "dogfight":
            continue
        battle.cite("wfb3:21.4.1-overfly")
        for key in fight.models:
            model = battle.models[key]
            if model.alive and model.unit == foe.id and model.role and not model.duel:
                found.append((model, len(unit.models)))
    return found


# ---------------------------------------------------------------------- what becomes of the beaten


def _beaten(battle: Battle, fight: AirFight, won: Unit, lost: Unit) -> Script[None]:
    """wfb3:21.4.3-result, 21.4.3-ground-loses, 21.4.4-dogfight"""
    if fight.kind == "dogfight":
        yield from _outflown(battle, fight, won, lost)
    elif lost.height:
        lost.height += 1
        end(battle, fight)
        battle.tell("fly.pushed", "wfb3:21.4.3-result", (lost.id, won.id), height=flyers.name(lost.height))
    else:
        yield from _ground_loses(battle, fight, won, lost)


def _ground_loses(battle: Battle, fight: AirFight, flyer: Unit, unit: Unit) -> Script[None]:
    """wfb3:21.4.3-ground-loses  A rout test at once, whatever the losses; who holds stays where he is."""
    from grognard.games.wfb3 import rout

    rule = "wfb3:21.4.3-ground-loses"
    if unit.frenzied or (yield from rout.rout_test(battle, unit, rule)):
        battle.tell("fly.held", rule, (unit.id, flyer.id))
        return
    end(battle, fight)
    ground = tuple(f.id for f, _, _ in battle.foes(unit))
    yield from rout.begin(battle, unit, (flyer.id, *ground), melee=True)
    yield from free_blows.free_hits(battle, flyer, unit)
    if unit.where != "table":
        return
    if ground:
        yield from rout.broken(battle, unit, ground)
        return
    options = [Option("pursue", True, "option.pursue"), Option("stay", False, "option.stay")]
    chases = yield Pick(flyer.seat, "fly.pursue", options, rule=rule, about=(flyer.id, unit.id))
    yield from rout.run_now(battle, unit, flyer)
    if chases and unit.where == "table":
        yield from _pursue(battle, flyer, unit)


def _pursue(battle: Battle, flyer: Unit, routers: Unit) -> Script[None]:
    """wfb3:21.4.3-ground-loses  Flyers follow as far as they can fly, and strike again where they reach the routers.

    Ruling: a pursuit is straight after the routers, at the speed the flyers may reach in their next move.
    """
    from grognard.games.wfb3 import air_moves

    made = flyers.flight(flyer)
    assert made is not None
    reach = inches(min(made[1], flyer.speed + made[2]))
    x, y = battle.block_of(routers).centre
    block = battle.block_of(flyer)

    way = bearing(x - block.centre[0], y - block.centre[1])
    far = battle.gap(flyer, routers)
    gone = min(far, reach)
    hx, hy = heading(way)
    turned = block.placed_by_centre(block.centre, way)
    moved = turned.placed((turned.x + hx * gone, turned.y + hy * gone), way)
    if battle.board.holds(moved.outline, Shift(0.0, 0.0)):
        battle.form(flyer, moved)
    battle.tell("fly.pursues", "wfb3:21.4.3-ground-loses", (flyer.id, routers.id), inches=round(gone / inches(1), 2))
    if far <= reach:
        yield from free_blows.free_hits(battle, flyer, routers, series=2)
    if flyer.where == "table" and not flyers.hovers(flyer):
        air_moves.past(battle, flyer)


def _outflown(battle: Battle, fight: AirFight, won: Unit, lost: Unit) -> Script[None]:
    """wfb3:21.4.4-dogfight  Nobody is pushed back in the air; rout tests, flight and pursuit as on the ground."""
    from grognard.games.wfb3 import casualties, rout

    battle.tell("fly.beaten", "wfb3:21.4.4-dogfight", (lost.id, won.id))
    if not casualties.losses_quarter(lost, len(battle.ordinary(lost))):
        return
    if (yield from rout.rout_test(battle, lost, "wfb3:7.13.5-test")):
        return
    end(battle, fight)
    yield from rout.begin(battle, lost, (won.id,), melee=True)
    yield from free_blows.free_hits(battle, won, lost)
    if lost.where != "table":
        return
    options = [Option("pursue", True, "option.pursue"), Option("stay", False, "option.stay")]
    chases = yield Pick(won.seat, "fly.pursue", options, rule="wfb3:21.4.4-dogfight", about=(won.id, lost.id))
    yield from rout.run_now(battle, lost, won)
    if chases and lost.where == "table":
        yield from _pursue(battle, won, lost)


def flee(battle: Battle, unit: Unit, direction: float) -> Script[float]:
    """wfb3:21.4.4-dogfight  The airborne flee straight off at full speed; over the edge they are gone."""
    made = flyers.flight(unit)
    assert made is not None
    far = inches(made[1])
    block = battle.block_of(unit).placed_by_centre(battle.block_of(unit).centre, direction)
    hx, hy = heading(direction)
    moved = block.placed((block.x + hx * far, block.y + hy * far), direction)
    unit.flight, unit.speed, unit.flew = direction, float(made[1]), battle.clock
    if not battle.board.holds(moved.outline, Shift(0.0, 0.0)):
        battle.tell("fled-table", "wfb3:8.4.2-off", (unit.id,))
        battle.remove(unit, "fled")
        return far
    battle.form(unit, moved)
    battle.tell("ran", "wfb3:21.4.4-dogfight", (unit.id,), inches=float(made[1]))
    yield from ()
    return far


def answers(battle: Battle, flyer: Unit, charger: Unit) -> Script[bool]:
    """wfb3:21.4.1-charge-flyers  Flyers at attack level accept a charge, or climb to +10 out of its reach."""
    options = [Option("accept", True, "option.answer.accept"), Option("climb", False, "option.answer.climb")]
    rule = "wfb3:21.4.1-charge-flyers"
    accepts: bool = yield Pick(flyer.seat, "charge.answer", options, rule=rule, about=(flyer.id, charger.id))
    if not accepts:
        flyer.height += 1
        flyer.answered = "flee"
        battle.tell("fly.climbs", rule, (flyer.id, charger.id), height=flyers.name(flyer.height))
    else:
        flyer.answered = "hold"
    return accepts
