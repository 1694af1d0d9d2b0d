"""Chapter 18.5: monsters that run amok: when, where to, and how they are mastered again."""

from __future__ import annotations

from grognard.games.wfb3 import referee
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import blows_at_buildings, building_damage
from grognard.games.wfb3.characters import characters
from grognard.games.wfb3.charge import charging, impact, responses
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.hooks import MOUNT_BOLTS
from grognard.games.wfb3.monsters import leaving_mounts
from grognard.games.wfb3.movement import formations
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.rolls import dice, stats, tests
from grognard.games.wfb3.rout import pursuit
from grognard.games.wfb3.table import crews, ground, terrain
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import Shift, gap
from grognard.kernel.geometry.units import bearing, inches
from grognard.kernel.questions import Option, Pick, Roll, Script
from grognard.kernel.words.tally import Tally

#: wfb3:18.5-amok-test
WILD = 6


def after_combat(battle: Battle) -> Script[None]:
    """wfb3:18.5-amok-test  At the end of the combat phase, every monster that was hurt this turn; once a turn."""
    for unit in battle.here():
        if unit.kind != "monster":
            continue
        for carrier in battle.members(unit):
            clock, wounds = carrier.ride.taken
            if clock != battle.clock or not wounds or carrier.ride.amok or not carrier.ride.crew:
                continue
            more = Tally(0, "damage", "wfb3:18.5-amok-test").add(wounds - 1, "wounds", "wfb3:18.5-amok-test")
            (face,) = yield Roll(
                unit.seat,
                "amok",
                6,
                rule="wfb3:18.5-amok-test",
                about=(carrier.id,),
                plus=more,
                need=WILD,
                sense="high",
            )
            if face + more.value >= WILD:
                yield from unleash(battle, unit, carrier, "wfb3:18.5-amok-test")


def unleash(battle: Battle, unit: Unit, carrier: Model, rule: str) -> Script[None]:
    """wfb3:18.5-amok-move, wfb3:21.5-no-amok
    The beast is out of hand, apart from its unit; flying mounts fly off instead.
    """
    if carrier.ride.amok:
        return
    if carrier.profile.flight is not None:
        for flies_off in MOUNT_BOLTS:
            yield from flies_off(battle, unit, carrier)
        return
    carrier.ride = carrier.ride.but(amok=True)
    battle.tell("amok", rule, (carrier.id,))
    parted = leaving_mounts.part(battle, unit, carrier)
    parted.rout = parted.rout.but(routed=False)
    yield from ()


def wild(battle: Battle, unit: Unit) -> Model | None:
    """The monster of a unit that runs amok, if it does."""
    if unit.kind != "monster":
        return None
    return next((m for m in battle.members(unit) if m.ride.amok), None)


def move(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:18.5-amok-move  It charges the nearest in reach, friend or foe; else it storms off in a random direction.

    Ruling: in each of its owner's movement phases; companions of its old unit only where nobody else is in reach. A
    maddened beast does not rout, and does not run after those who do.
    """
    freed(battle, unit)
    if battle.engaged(unit):
        return
    reach = inches(float(stats.doubled(battle, unit, "charge").value))
    target = yield from _victim(battle, unit, reach)
    if target is not None:
        yield from rush(battle, unit, target, reach)
        return
    far = inches(float(stats.move(battle, unit).value))
    hour = yield from dice.clock(battle, unit.seat, "amok.way", "wfb3:18.5-amok-move", (unit.id,))
    yield from storm(battle, unit, battle.block_of(unit).facing + 30.0 * hour, far)


def freed(battle: Battle, unit: Unit) -> None:
    """Who is out of control heeds neither rout nor quarry."""
    unit.march = unit.march.but(done=True)
    unit.rout = unit.rout.but(routed=False, caught="")
    if unit.rout.pursuing:
        pursuit.let_go(battle, unit)


def _victim(battle: Battle, unit: Unit, reach: float) -> Script[Unit | None]:
    near = [
        u
        for u in battle.here()
        if u.id != unit.id and not u.air.height and not u.rout.routed and battle.gap(unit, u) <= reach
    ]
    root = unit.id.partition("-")[0]
    others = [u for u in near if u.seat != unit.seat or u.id.partition("-")[0] != root]
    near = others or near
    if not near:
        return None
    ordered = sorted(near, key=lambda u: battle.gap(unit, u))
    options = [Option(u.id, u, about=(u.id,)) for u in ordered]
    found: Unit = yield from referee.decide(
        battle, "amok", options, ordered[0].id, rule="wfb3:18.5-amok-move", about=(unit.id,)
    )
    return found


def rush(battle: Battle, unit: Unit, target: Unit, reach: float, rule: str = "wfb3:18.5-amok-move") -> Script[None]:
    """A compulsory charge straight at a victim; enemies answer it like any other, friends are fought like enemies."""
    battle.tell("amok.charge", rule, (unit.id, target.id))
    block, goal = battle.block_of(unit), battle.block_of(target).centre
    turned = block.placed_by_centre(block.centre, bearing(goal[0] - block.centre[0], goal[1] - block.centre[1]))
    if target.seat != unit.seat:
        characters.face_charge(battle, unit, target)
        formations.charged(battle, target)
        yield from responses.respond(battle, unit, target)
        if unit.where != "table":
            return
    things = [t for t in ground.things(battle, unit, near=0.0) if t.name != target.id]
    if target.where == "table":
        things.append(Obstacle(target.id, battle.block_of(target).outline))
    walk = Walk(battle, unit, reach, things, block=turned)
    walk.start = block
    walk.split = ""
    walk.advance(reach)
    if walk.stopped != target.id:
        other = battle.units.get(walk.stopped)
        if other is None or other.rout.routed or gap(walk.block.outline, battle.block_of(other).outline) > 1.0:
            yield from _rest(battle, unit, walk)
            return
        target = other
    unit.charge = unit.charge.but(face="", target=target.id)
    side = charging.struck(battle, unit, target, walk.block, set())
    flush = charging._flush(battle, unit, target, side, walk)
    if flush is None:
        yield from _rest(battle, unit, walk)
        return
    battle.form(unit, flush)
    unit.march = unit.march.but(moved=battle.clock)
    unit.charge = unit.charge.but(charged=battle.clock)
    if target.charge.answered == "flee" or target.rout.routed:
        yield from charging.caught_fleeing(battle, unit, target)
        return
    already = battle.engaged(target)
    battle.engage(unit, Edge.FRONT, target, side)
    battle.tell("charge.met", rule, (unit.id, target.id), side=side.name.casefold(), oblique=False)
    yield from impact.received(battle, unit, target, side, oblique=False, already=already)
    if target.where == "table" and battle.engaged(target):
        yield from charging.roused(battle, target, unit)


def _rest(battle: Battle, unit: Unit, walk: Walk) -> Script[None]:
    if not ground.fits(battle, unit, walk.block):
        battle.form(unit, walk.block)
    unit.march = unit.march.but(moved=battle.clock)
    battle.tell("unit.moved", "wfb3:18.5-amok-move", (unit.id,), inches=round(walk.travelled / inches(1), 2),
                stopped=walk.stopped)  # fmt: skip
    yield from ()


def storm(battle: Battle, unit: Unit, way: float, far: float) -> Script[None]:
    """wfb3:18.5-amok-move

    A full move somewhere: round buildings, which it strikes in passing, off cliffs and the table.
    """
    block = battle.block_of(unit)
    turned = block.placed_by_centre(block.centre, way)
    edges = [
        t for t in ground.things(battle, unit, near=0.0) if not t.name.endswith(" edge") and not _deep(battle, t.name)
    ]
    walk = Walk(battle, unit, far, edges, block=turned)
    walk.start = block
    walk.split = ""
    walk.advance(far)
    piece = next((p for p in battle.table.pieces if p.id == walk.stopped), None)
    battle.tell("amok.storm", "wfb3:18.5-amok-move", (unit.id,), bearing=round(way % 360.0, 1), stopped=walk.stopped)
    if piece is not None and piece.kind == "building":
        yield from _past_building(battle, unit, walk, piece.id, far)
    if not battle.board.holds(walk.block.outline, _still()):
        battle.tell("fled-table", "wfb3:18.5-amok-move", (unit.id,))
        battle.remove(unit, "fled")
        return
    if drowned := next((p for p in battle.table.pieces if _deep(battle, p.id) and _on(battle, walk, p.id)), None):
        battle.tell("drowned", "wfb3:18.5-amok-move", (unit.id, drowned.id))
        battle.remove(unit, "destroyed")
        return
    yield from _rest(battle, unit, walk)


def _still() -> Shift:

    return Shift(0.0, 0.0)


def _deep(battle: Battle, name: str) -> bool:
    """Ground a maddened beast runs into to its ruin: deep water."""
    piece = next((p for p in battle.table.pieces if p.id == name), None)
    return piece is not None and piece.kind in ("river", "pond", "quagmire")


def _on(battle: Battle, walk: Walk, name: str) -> bool:
    piece = next(p for p in battle.table.pieces if p.id == name)
    return piece.kind != "quagmire" and bool(terrain.inside(piece, [walk.block.centre]))


def _past_building(battle: Battle, unit: Unit, walk: Walk, piece: str, far: float) -> Script[None]:
    """wfb3:18.5-amok-move  It goes round a building and strikes at it in passing: its attacks hit by themselves."""
    hits = sum(c for _, c in unit.profile.attacks)
    battle.tell("amok.building", "wfb3:18.5-amok-move", (unit.id, piece), hits=hits, strength=unit.profile.S)
    room = building_damage.ground_room(battle, piece, battle.block_of(unit).centre)
    if room is not None:
        yield from building_damage.strike(
            battle, unit.seat, room, unit.profile.S, hits, blows_at_buildings.BLOW, (unit.id,)
        )
    for turn in (30, -30, 60, -60, 90, -90):
        block = walk.block.placed_by_centre(walk.block.centre, walk.block.facing + turn)
        if ground.fits(battle, unit, block):
            continue
        onward = Walk(battle, unit, max(0.0, far - walk.travelled), walk.things, block=block)
        onward.advance(onward.left)
        if onward.travelled > 1.0:
            walk.block, walk.stopped = onward.block, onward.stopped
            walk.travelled += onward.travelled
            break
    yield from ()


def end_of_turn(battle: Battle) -> Script[None]:
    """wfb3:18.5-amok-control, wfb3:18.5-amok-no-driver
    The driver tries to master his beast at the end of his own turn."""
    for unit in battle.army(battle.active):
        carrier = wild(battle, unit)
        if carrier is None or not carrier.ride.crew:
            continue
        if not carrier.ride.driver and carrier.ride.tried:
            battle.cite("wfb3:18.5-amok-no-driver")
            continue
        options = [Option("try", True, "option.amok.try"), Option("leave", False, "option.amok.leave")]

        rule = "wfb3:18.5-amok-control" if carrier.ride.driver else "wfb3:18.5-amok-no-driver"
        if not (
            yield Pick(unit.seat, "amok.control", options, optional=True, nay="leave", rule=rule, about=(unit.id,))
        ):
            continue
        yield from control(battle, unit, carrier, rule)


def control(battle: Battle, unit: Unit, carrier: Model, rule: str) -> Script[None]:
    """wfb3:18.5-amok-control  An Ld test, harder for every wound of this turn, and by two for who is not the driver."""
    hand = (
        battle.models[carrier.ride.driver]
        if carrier.ride.driver
        else max(crews.aboard(battle, carrier), key=lambda m: m.profile.Ld)
    )
    value = Tally(hand.profile.Ld, "Ld", "wfb3:18.5-amok-control")
    clock, wounds = carrier.ride.taken
    if clock == battle.clock:
        value.add(-wounds, "wounds", "wfb3:18.5-amok-control")
    if not carrier.ride.driver:
        value.add(-2, "no-driver", "wfb3:18.5-amok-no-driver")
        carrier.ride = carrier.ride.but(tried=True)
    passed = yield from tests.against(battle, unit, value, "test.amok", rule, (hand.id,))
    if passed:
        carrier.ride = carrier.ride.but(amok=False, driver=hand.id)
        battle.tell("amok.mastered", rule, (unit.id, hand.id))
