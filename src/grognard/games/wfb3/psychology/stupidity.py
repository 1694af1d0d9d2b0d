"""Chapter 10.9: stupidity."""

from __future__ import annotations

from grognard.games.wfb3.abilities.psychology import Stupidity
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.charge import charging, impact, responses
from grognard.games.wfb3.combat import striking
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import manoeuvres
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.rolls import dice, modifiers, stats, tests
from grognard.games.wfb3.table import contacts, ground, indoor_fights, seating, sections, terrain
from grognard.games.wfb3.table.ground import things
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import overlap
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Roll, Script


def start_of_turn(battle: Battle) -> Script[None]:
    """wfb3:10.9-test  Units subject to it test at the start of their own turn; the effect lasts until the next test."""
    for unit in [*battle.army(battle.active), *sections.inside(battle, battle.active)]:
        if battle.trait(unit, Stupidity) is None or unit.minds.frenzied:
            continue
        unit.minds = unit.minds.but(stupid=False)
        passed = yield from tests.cool(battle, unit, "stupidity", "wfb3:10.9-test")
        if passed:
            continue
        unit.minds = unit.minds.but(stupid=True)
        battle.tell("stupid", "wfb3:10.9-test", (unit.id,))
        if unit.where == "building":
            continue
        seating.unwall(battle, unit)
        if unit.rout.routed and not unit.rout.caught:
            unit.rout = unit.rout.but(routed=False)
            battle.tell("rallied", "wfb3:10.9-immune", (unit.id,))


def halved(battle: Battle, unit: Unit) -> bool:
    """wfb3:10.9-combat  Whether only half a unit strikes: it is stupid and has not itself begun the fight just now."""
    return unit.minds.stupid and unit.minds.lashes != battle.clock


def before_blows(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:10.9-combat  Half a stupid unit strikes, an odd one on 4 or more; leaders and characters each unless 1-3."""
    unit.combat = unit.combat.but(odd_one=False)
    for model in battle.members(unit):
        model.fight = model.fight.but(dazed=False)
    if not halved(battle, unit):
        return
    if unit.where == "building":
        touching = [battle.models[key] for key in indoor_fights.fighting(battle, unit)]
    else:
        touching = [battle.models[unit.models[n]] for n in sorted(contacts.engaged_numbers(battle, unit))]
    rule = "wfb3:10.9-combat"
    if sum(m.role not in ("leader", "character") for m in touching) % 2:
        (face,) = yield Roll(unit.seat, "stupidity.odd", 6, rule=rule, about=(unit.id,), need=4, sense="high")
        unit.combat = unit.combat.but(odd_one=face >= 4)
    for model in touching:
        if model.role in ("leader", "character"):
            (face,) = yield Roll(unit.seat, "stupidity.dazed", 6, rule=rule, about=(model.id,), need=4, sense="high")
            model.fight = model.fight.but(dazed=face <= 3)


def wander(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:10.9-out  1-3: half its move towards an hour of the clock; 4-6: it sits and stares."""
    unit.march = unit.march.but(done=True)
    (face,) = yield Roll(unit.seat, "stupidity", 6, rule="wfb3:10.9-out", about=(unit.id,), cuts=(4,))
    if face >= 4:
        battle.tell("stupid.idle", "wfb3:10.9-out", (unit.id,))
        return
    hour = yield from dice.clock(battle, unit.seat, "stupidity.clock", "wfb3:10.9-out", (unit.id,))
    block = battle.block_of(unit)
    far = inches(float(stats.move(battle, unit).value)) / 2
    turned = block.placed_by_centre(block.centre, block.facing + 30.0 * hour)
    walk = Walk(battle, unit, far, [*things(battle, unit, near=0.0), *_scenery(battle, turned)], block=turned)
    walk.start = block
    walk.ignored = tuple(piece.id for piece in battle.table.pieces)  # nothing is climbed over
    walk.advance(far)
    if ground.fits(battle, unit, walk.block):
        battle.tell("stupid.idle", "wfb3:10.9-out", (unit.id,))
        return
    manoeuvres.settle(battle, unit, walk)
    battle.tell("stupid.wander", "wfb3:10.9-out", (unit.id,), hour=hour, stopped=walk.stopped)
    if walk.stopped in battle.units or any(p.id == walk.stopped for p in battle.table.pieces):
        yield from _bump(battle, unit, walk.stopped, walk)


def _scenery(battle: Battle, block: Block) -> list[Obstacle]:
    """wfb3:10.9-out  Scenery of any kind is something to run into, unless the unit already stands in it."""
    shapes = {piece.id: terrain.outline(piece, battle.table) for piece in battle.table.pieces}
    body = block.outline.shrunk(1.0)
    return [Obstacle(name, shape) for name, shape in shapes.items() if not overlap(body, shape)]


def _bump(battle: Battle, unit: Unit, met: str, walk: Walk) -> Script[None]:
    """wfb3:10.9-out  What it does to whatever it runs into: stop, nibble, or attack.

    Ruling: scenery comes to no harm. Whom it attacks it fights from this turn's combat phase on, without any bonus for
    a charge; friends as in a brawl (wfb3:10.3-fight). Routers it strikes at once.
    """
    (face,) = yield Roll(unit.seat, "stupidity.contact", 6, rule="wfb3:10.9-out", about=(unit.id, met), cuts=(3, 5))
    what = "stops" if face <= 2 else "eats" if face <= 4 else "attacks"
    battle.tell("stupid.contact", "wfb3:10.9-out", (unit.id, met), what=what)
    other = battle.units.get(met)
    if face <= 2 or other is None or other.where != "table":
        return
    if (
        face >= 5
        and not other.rout.routed
        and other.kind != "altar"
        and (yield from _attack(battle, unit, other, walk))
    ):
        return
    count = len([p for p in battle.block_of(unit).places if p.rank == 0])
    each = 1 if face <= 4 else max(1, sum(c for _, c in unit.profile.attacks))
    group = modifiers.Group(unit.id, other.id, "troops", count, each, unit.profile.I, unit.profile)
    yield from striking.strike(battle, group, count * each, None)


def _attack(battle: Battle, unit: Unit, other: Unit, walk: Walk) -> Script[bool]:
    """wfb3:10.9-out, wfb3:7.1-contact-only
    It comes to blows; False where there is no room to stand against the other."""
    unit.charge = unit.charge.but(face="")
    walk.things = list(charging.around(battle, unit, other))
    side = charging.struck(battle, unit, other, walk.block, set())
    flush = charging._flush(battle, unit, other, side, walk)
    if flush is None:
        return False
    already = battle.engaged(other)
    battle.form(unit, flush)
    battle.engage(unit, Edge.FRONT, other, side)
    responses.stop_pursuing(battle, other)
    unit.minds = unit.minds.but(lashes=battle.clock)
    yield from impact.received(battle, unit, other, side, oblique=False, already=already)
    return True
