"""wfb3:21.4  Fighting from the air: troops flown over, flyers met, who can strike at whom."""

from __future__ import annotations

from grognard.games.wfb3 import arcs, flyers
from grognard.games.wfb3.arcs import Leg, Way
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import AirFight, Model, Unit
from grognard.games.wfb3.needs import Group
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.sweeps import Shift, extent, first_contact, gap
from grognard.kernel.geometry.units import heading, inches
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

    At attack level, those flown over may be attacked, as many units as the flyers have attacks; they answer as to a
    charge.
    """
    below = list(dict.fromkeys(battle.models[key].unit for key in unit.over))
    targets = [battle.units[key] for key in below if not battle.units[key].routed]
    if not targets:
        return
    chosen = yield Pick(
        unit.seat, "fly.attack", [Option(f.id, f, about=(f.id,)) for f in targets], optional=True,
        most=min(len(targets), _blows(battle, unit)), rule="wfb3:21.4.1-overfly", about=(unit.id,),
    )  # fmt: skip
    for foe in chosen if isinstance(chosen, tuple) else (chosen,) if chosen else ():
        yield from _swoop(battle, unit, foe)
        if unit.where != "table" or unit.routed:
            return


def _blows(battle: Battle, unit: Unit) -> int:
    """How many attacks a unit of flyers has, riders and all: it can strike at so many enemies."""
    bodies = [unit.profile, *([unit.mount] if unit.mount is not None else [])]
    each = sum(number for body in bodies for _, number in body.attacks)
    riders = [battle.models[key].profile for model in battle.members(unit) for key in model.crew]
    return max(1, each * len(unit.models) + sum(number for body in riders for _, number in body.attacks))


def _swoop(battle: Battle, unit: Unit, foe: Unit) -> Script[None]:
    """wfb3:21.4.2-defence  One of those flown over is attacked, and answers."""
    from grognard.games.wfb3 import responses

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


def able(battle: Battle, unit: Unit, foe: Unit) -> list[str]:
    """wfb3:21.4.1-overfly, 21.4.2-defence, 21.4.4-dogfight  Those of a unit who can strike at another in the air.

    All flyers at those they fly over; of those flown over everybody who was, or who turned to them from another
    fight; in the air those base to base.
    """
    if unit.height and foe.height:
        return [m.id for m in touching(battle, unit, foe)]
    held = [f for f in battle.air if {f.flyer, f.foe} == {unit.id, foe.id}]
    if unit.height:
        return [m.id for m in battle.members(unit)]
    over = [key for f in held for key in f.models if battle.models[key].alive and battle.models[key].unit == unit.id]
    return [key for key in over if key in unit.busy] if battle.engaged(unit) else over


def turned(battle: Battle, unit: Unit, group: Group, number: int) -> dict[str, int]:
    """wfb3:21.4.1-overfly, 21.4.2-defence  How many attacks of a group may go to other enemies of its fight instead."""
    rivals = list(dict.fromkeys(f.id for f in foes(battle, unit) if f.where == "table"))
    if group.foe not in rivals or len(rivals) < 2:
        return {}
    reached = {key: set(able(battle, unit, battle.units[key])) for key in rivals}
    mine = set(reached[group.foe])
    for key in rivals[: rivals.index(group.foe)]:
        mine -= reached[key]
    found: dict[str, int] = {}
    for key in rivals:
        both = mine & reached[key]
        if key == group.foe or not both:
            continue
        stands = battle.models[group.who].aboard or group.who if group.who in battle.models else ""
        if stands and stands in both:
            found[key] = group.attacks * number
        elif not stands:
            found[key] = group.attacks * min(number, len(both))
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


# ---------------------------------------------------------------------- flight and charges


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
