"""Chapter 21.4: A round of every fight in and from the air, and what becomes of the beaten."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.chariots import chariot_damage, chariots
from grognard.games.wfb3.combat import blows, casualties, results, striking
from grognard.games.wfb3.combat.blows_progress import Clash
from grognard.games.wfb3.combat.score import Score
from grognard.games.wfb3.flying import air_moves
from grognard.games.wfb3.forces import AirFight, Unit
from grognard.games.wfb3.monsters import monsters
from grognard.games.wfb3.psychology import hatred
from grognard.games.wfb3.rolls import arms, tests
from grognard.games.wfb3.rolls.modifiers import Group
from grognard.games.wfb3.rout import free_blows, rout
from grognard.games.wfb3.table import air_fights, flyers
from grognard.games.wfb3.table.air_fights import BASE, end
from grognard.kernel.citing import cites
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import Shift, overlap
from grognard.kernel.geometry.units import bearing, heading, inches
from grognard.kernel.questions import Option, Pick, Script

GROUND = "wfb3:21.4.3-ground-loses"


def fight_all(battle: Battle) -> Script[None]:
    """Chapter 21.4: every fight of flyers one round, before those on the ground."""
    for unit in battle.units.values():
        unit.air = unit.air.but(busy=())
    for party in parties(battle):
        for fight in party:
            if not _stands(battle, fight, battle.units[fight.flyer], battle.units[fight.foe]):
                end(battle, fight)
        going = [fight for fight in party if fight in battle.air]
        if not going:
            continue
        yield from fight_round(battle, going)
        for fight in going:
            if fight in battle.air and fight.kind != "dogfight":
                _onward(battle, fight, battle.units[fight.flyer], battle.units[fight.foe])


def parties(battle: Battle) -> list[list[AirFight]]:
    """wfb3:21.4.1-overfly  Fights in which one unit fights several others are one."""
    found: list[list[AirFight]] = []
    for fight in battle.air:
        ids = {fight.flyer, fight.foe}
        joined = [party for party in found if any(ids & {f.flyer, f.foe} for f in party)]
        found = [party for party in found if party not in joined]
        found.append([*(f for party in joined for f in party), fight])
    return found


def _stands(battle: Battle, fight: AirFight, flyer: Unit, foe: Unit) -> bool:
    """Whether a fight still goes on: both there, and still above or beside each other."""
    if flyer.where != "table" or foe.where != "table" or flyer.rout.routed or foe.rout.routed:
        return False
    if fight.kind == "dogfight":
        return flyer.air.height == foe.air.height and battle.gap(flyer, foe) <= BASE
    swooped = fight.kind == "overfly" and fight.since == battle.clock  # it may have climbed since it passed over
    return (flyer.air.height == flyers.ATTACK or (swooped and flyer.air.height > 0)) and not foe.air.height


@cites
def _onward(battle: Battle, fight: AirFight, flyer: Unit, foe: Unit) -> None:
    """wfb3:21.4.1-one-round  One round only, but hoverers may stay above and go on."""
    if not flyers.hovers(flyer) or foe.where != "table" or foe.rout.routed or flyer.where != "table":
        end(battle, fight)
        return
    shape = battle.block_of(flyer).outline
    below = tuple(
        key for place, key in zip(battle.block_of(foe).places, foe.models, strict=True) if overlap(shape, place.outline)
    )
    end(battle, fight)
    if below:
        battle.air = (*battle.air, fight._replace(models=below))


def fight_round(battle: Battle, fights: Sequence[AirFight]) -> Script[None]:
    """wfb3:21.4.3-to-hit, wfb3:21.4.4-dogfight  Blows in order of initiative, then the result."""
    clash = yield from opening(battle, fights)
    while clash.going:
        yield from blows.exchange(battle, clash)
    yield from ending(battle, fights, clash)


def opening(battle: Battle, fights: Sequence[AirFight]) -> Script[Clash]:
    """wfb3:21.4.2-defence, wfb3:7.7-initiative  Weapons, who turns to the flyers, and everybody who will strike."""
    units = [battle.units[key] for key in dict.fromkeys(key for f in fights for key in (f.flyer, f.foe))]
    for fight in fights:
        battle.cite("wfb3:21.4.3-to-hit" if fight.kind != "dogfight" else "wfb3:21.4.4-dogfight")
    for unit in units:
        yield from arms.choose(battle, unit)
    for fight in fights:
        yield from _defenders(battle, fight, battle.units[fight.foe])
    return blows.gathered(battle, units, Score(units), [g for unit in units for g in _groups(battle, unit)])


def ending(battle: Battle, fights: Sequence[AirFight], clash: Clash) -> Script[None]:
    """wfb3:7.12-score, wfb3:7.13.1-draw  The result, and what becomes of the beaten."""
    units, score = [battle.units[key] for key in clash.units], clash.score
    yield from chariot_damage.in_fight(battle, units, score)
    sides = [[u for u in units if (u.seat == units[0].seat) is first] for first in (True, False)]
    sums = [results.total(battle, side, score) for side in sides]
    about = tuple(u.id for u in units)
    if sums[0].value == sums[1].value:
        battle.tell("combat.drawn", "wfb3:7.13.1-draw", about, first=sums[0], second=sums[1])
        return
    won, lost = sides if sums[0].value > sums[1].value else sides[::-1]
    battle.tell("combat.won", "wfb3:7.12-score", about, winner=won[0].seat, first=sums[0], second=sums[1])
    for unit in won:
        unit.combat = unit.combat.but(won=battle.clock)
    for unit in lost:
        if unit.where == "table":
            yield from _beaten(battle, [f for f in fights if unit.id in (f.flyer, f.foe)], unit)


def _defenders(battle: Battle, fight: AirFight, foe: Unit) -> Script[None]:
    """wfb3:21.4.2-defence

    Who fights on the ground too must choose, each for himself, whether he strikes at the flyers above him.
    """
    if fight.kind == "dogfight" or not battle.engaged(foe):
        return
    over = [key for key in fight.models if battle.models[key].alive and battle.models[key].unit == foe.id]
    free = [key for key in over if key not in foe.air.busy]
    if not free:
        return
    chosen = yield Pick(
        foe.seat, "fly.defend", [Option(key, key, about=(key,)) for key in free], optional=True, most=len(free),
        rule="wfb3:21.4.2-defence", about=(foe.id, fight.flyer),
    )  # fmt: skip
    foe.air = foe.air.but(busy=(*foe.air.busy, *(chosen if isinstance(chosen, tuple) else (chosen,) if chosen else ())))


def _groups(battle: Battle, unit: Unit) -> list[Group]:
    """Everybody of a unit who strikes, by the enemy they strike at unless they turn to another."""
    found: list[Group] = []
    taken: set[str] = set()
    for foe in dict.fromkeys(f.id for f in air_fights.foes(battle, unit)):
        ids = [key for key in air_fights.able(battle, unit, battle.units[foe]) if key not in taken]
        taken.update(ids)
        found += _strikes(battle, unit, battle.units[foe], ids)
    return found


def _strikes(battle: Battle, unit: Unit, foe: Unit, only: Sequence[str]) -> list[Group]:
    """Everybody of a unit who strikes at another in such a fight: all flyers in contact, those flown over."""
    able = [m for m in battle.members(unit) if m.id in only]
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


# ---------------------------------------------------------------------- what becomes of the beaten


def _beaten(battle: Battle, fights: Sequence[AirFight], unit: Unit) -> Script[None]:
    """wfb3:21.4.3-result, wfb3:21.4.3-ground-loses, wfb3:21.4.4-dogfight"""
    every = [battle.units[f.foe if f.flyer == unit.id else f.flyer] for f in fights]
    won = [u for u in every if u.where == "table"] or every
    low = [f for f in fights if f.kind != "dogfight"]
    if unit.air.height and low:
        unit.air = unit.air.but(height=unit.air.height + 1)
        for fight in low:
            end(battle, fight)
        battle.tell("fly.pushed", "wfb3:21.4.3-result", (unit.id, won[0].id), height=flyers.name(unit.air.height))
    elif unit.air.height:
        yield from _outflown(battle, fights, won, unit)
    else:
        yield from _ground_loses(battle, fights, won, unit)


def _ground_loses(battle: Battle, fights: Sequence[AirFight], won: Sequence[Unit], unit: Unit) -> Script[None]:
    """wfb3:21.4.3-ground-loses  A rout test at once, whatever the losses; who holds stays where he is."""
    if unit.minds.frenzied or (yield from rout.rout_test(battle, unit, GROUND)):
        battle.tell("fly.held", GROUND, (unit.id, won[0].id))
        return
    for fight in fights:
        end(battle, fight)
    ground = tuple(f.id for f, _, _ in battle.foes(unit))
    yield from rout.begin(battle, unit, (*(f.id for f in won), *ground), melee=True)
    yield from _struck_down(battle, won, unit)
    if unit.where != "table":
        return
    if ground:
        yield from rout.broken(battle, unit, ground)
        return
    yield from _chased(battle, won, unit, GROUND)


def _outflown(battle: Battle, fights: Sequence[AirFight], won: Sequence[Unit], lost: Unit) -> Script[None]:
    """wfb3:21.4.4-dogfight  Nobody is pushed back in the air; rout tests, flight and pursuit as on the ground."""
    battle.tell("fly.beaten", "wfb3:21.4.4-dogfight", (lost.id, won[0].id))
    if not casualties.losses_quarter(battle, lost):
        return
    if (yield from rout.rout_test(battle, lost, "wfb3:7.13.5-test")):
        return
    for fight in fights:
        end(battle, fight)
    yield from rout.begin(battle, lost, tuple(f.id for f in won), melee=True)
    yield from _struck_down(battle, won, lost)
    if lost.where == "table":
        yield from _chased(battle, won, lost, "wfb3:21.4.4-dogfight")


def _struck_down(battle: Battle, won: Sequence[Unit], lost: Unit) -> Script[None]:
    """wfb3:8.3-free  Everybody who beat those in rout strikes at them as they turn."""
    for victor in won:
        if lost.where == "table" and victor.where == "table":
            yield from free_blows.free_hits(battle, victor, lost)


def _chased(battle: Battle, won: Sequence[Unit], lost: Unit, rule: str) -> Script[None]:
    """wfb3:21.4.3-ground-loses, wfb3:21.4.4-dogfight
    The beaten run; whoever of the victors wants to flies after them."""
    chasing = []
    for victor in won:
        if victor.where == "table" and (yield from _chases(battle, victor, lost, rule)):
            chasing.append(victor)
    yield from rout.run_now(battle, lost, won[0])
    for victor in chasing:
        if lost.where == "table":
            yield from _pursue(battle, victor, lost)


def _chases(battle: Battle, victor: Unit, lost: Unit, rule: str) -> Script[bool]:
    """wfb3:8.5.5-restrain  Flyers pursue as other troops do: to hold back takes a test, and some never do."""
    if victor.minds.frenzied or hatred.hates(battle, victor, lost):
        battle.cite("wfb3:10.5-pursue" if victor.minds.frenzied else "wfb3:10.6-pursue")
        return True
    options = [Option("pursue", True, "option.pursue"), Option("restrain", False, "option.restrain")]
    if (yield Pick(victor.seat, "fly.pursue", options, rule=rule, about=(victor.id, lost.id))):
        return True
    held = yield from tests.ld(battle, victor, "restrain", "wfb3:8.5.5-restrain", (lost.id,))
    battle.tell("restrained" if held else "unrestrained", "wfb3:8.5.5-restrain", (victor.id, lost.id))
    return not held


def _pursue(battle: Battle, flyer: Unit, routers: Unit) -> Script[None]:
    """wfb3:21.4.3-ground-loses  Flyers follow as far as they can fly, and strike again where they reach the routers.

    Ruling: a pursuit is straight after the routers, at the speed the flyers may reach in their next move.
    """
    made = flyers.flight(flyer)
    assert made is not None
    reach = inches(min(made[1], flyer.air.speed + made[2]))
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
