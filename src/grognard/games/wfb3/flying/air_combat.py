"""Chapter 21.4: fighting from the air: troops flown over, flyers met, who can strike at whom."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.charge import responses
from grognard.games.wfb3.forces import AirFight, Unit
from grognard.games.wfb3.table import air_fights, flyers, turning_circles
from grognard.games.wfb3.table.turning_circles import Leg, Way
from grognard.kernel.citing import cites
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.sweeps import extent, first_contact
from grognard.kernel.questions import Option, Pick, Script

# ---------------------------------------------------------------------- who fights


def break_off(battle: Battle, unit: Unit) -> None:
    """wfb3:21.4.5-break-off  The airborne leave a fight in their movement phase, without free hits or any penalty."""
    for fight in air_fights.fights(battle, unit):
        air_fights.end(battle, fight)
        battle.tell(
            "fly.broke-off", "wfb3:21.4.5-break-off", (unit.id, fight.foe if fight.flyer == unit.id else fight.flyer)
        )


def declare(battle: Battle, unit: Unit, over: tuple[str, ...]) -> Script[None]:
    """wfb3:21.4.1-overfly, wfb3:21.4.2-defence
    Those flown over at attack level may be attacked, as many units as the flyers have attacks; they answer as to a
    charge.
    """
    below = list(dict.fromkeys(battle.models[key].unit for key in over))
    targets = [battle.units[key] for key in below if not battle.units[key].rout.routed]
    if not targets:
        return
    chosen = yield Pick(
        unit.seat, "fly.attack", [Option(f.id, f, about=(f.id,)) for f in targets], optional=True,
        most=min(len(targets), _blows(battle, unit)), rule="wfb3:21.4.1-overfly", about=(unit.id,),
    )  # fmt: skip
    for foe in chosen if isinstance(chosen, tuple) else (chosen,) if chosen else ():
        yield from _swoop(battle, unit, foe, over)
        if unit.where != "table" or unit.rout.routed:
            return


def _blows(battle: Battle, unit: Unit) -> int:
    """How many attacks a unit of flyers has, riders and all: it can strike at so many enemies."""
    bodies = [unit.profile, *([unit.mount] if unit.mount is not None else [])]
    each = sum(number for body in bodies for _, number in body.attacks)
    riders = [battle.models[key].profile for model in battle.members(unit) for key in model.ride.crew]
    return max(1, each * len(unit.models) + sum(number for body in riders for _, number in body.attacks))


@cites
def _swoop(battle: Battle, unit: Unit, foe: Unit, over: tuple[str, ...]) -> Script[None]:
    """wfb3:21.4.2-defence  One of those flown over is attacked, and answers."""
    battle.tell("fly.attacks", "wfb3:21.4.1-overfly", (unit.id, foe.id))
    yield from responses.respond(battle, unit, foe)
    if (
        unit.where != "table"
        or unit.rout.routed
        or foe.where != "table"
        or foe.rout.routed
        or foe.charge.answered == "flee"
    ):
        return
    models = tuple(key for key in over if battle.models[key].unit == foe.id and battle.models[key].alive)
    if models:
        battle.open_testudo(foe)
        battle.air = (*battle.air, AirFight(unit.id, foe.id, "overfly", battle.clock, models))


def contact(battle: Battle, unit: Unit, way: Way, height: int) -> Block | None:
    """wfb3:21.4.4-dogfight, wfb3:21.2.3-climb
    Where a flight ends base to base with enemy flyers on the level it ends on.

    Before it has come to that level it passes above or below them.
    """
    others = [
        f for f in battle.enemies(unit) if f.air.height == height and height and battle.gap(unit, f) > air_fights.BASE
    ]
    if not others:
        return None
    begin = flyers.levelled_off(max(unit.air.height, flyers.ATTACK), height)
    block, legs = turning_circles.part(battle.block_of(unit), way, begin, way.distance)
    for leg in legs:
        line = turning_circles.motion(block, leg, way.distance)
        met = [
            (at, o)
            for o in others
            if (at := first_contact(block.outline, line, battle.block_of(o).outline)) is not None
        ]
        if met:
            at, other = min(met, key=lambda pair: pair[0])
            share = at / extent(line) if extent(line) else 0.0
            stop = turning_circles.moved(block, Leg(leg.far * share, leg.degrees * share), way.distance)
            battle.air = (*battle.air, AirFight(unit.id, other.id, "dogfight", battle.clock))
            battle.tell("fly.meets", "wfb3:21.4.4-dogfight", (unit.id, other.id))
            return stop
        block = turning_circles.moved(block, leg, way.distance)
    return None


# ---------------------------------------------------------------------- flight and charges
