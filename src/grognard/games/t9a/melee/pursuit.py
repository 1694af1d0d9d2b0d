"""t9a:15.H.c, t9a:15.H.d
Pursuit Moves: a pivot, straight on, into whatever is met; also Overruns and Random Movement."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge import charge_search, charging, combined_charge, overtaking
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import casualties
from grognard.games.t9a.melee import pursuit_end
from grognard.games.t9a.movement import dangerous
from grognard.games.t9a.records import Aim
from grognard.games.t9a.table import ground
from grognard.games.t9a.table.ground import INCH, walls
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charging.align import Laying, Score, barred_offsets, beside
from grognard.kernel.formation.charging.scene import SPACING
from grognard.kernel.formation.flight import edge_distance
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Outline, Rect
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.steps import Advance
from grognard.kernel.formation.sweeps import APART, Shift, first_contact, gap, too_near
from grognard.kernel.geometry.units import TOUCH, inches
from grognard.kernel.questions import Pick, Script, option


def front_strip(block: Block) -> Outline:
    """The front of a block as a thin strip."""
    if block.is_round:
        return block.outline
    box = block.boundary
    return Rect(*box.at(0.0, box.half_length - 0.5), box.facing, box.half_width, 0.5).outline


class Chase:
    """One pursuit: who, which way, how far, and what counts as what (t9a:15.H.c)."""

    def __init__(
        self,
        battle: Battle,
        unit: Unit,
        facing: float | None,
        distance: int,
        *,
        comrades: Collection[str] = (),
        fled: Collection[str] = (),
        sides: Mapping[str, Edge] | None = None,
        may_leave: bool = True,
        test: bool = True,
    ) -> None:
        self.battle, self.unit, self.facing, self.distance = battle, unit, facing, distance
        self.comrades, self.fled, self.sides = tuple(comrades), tuple(fled), dict(sides or {})
        self.may_leave, self.test = may_leave, test
        self.rivals: tuple[tuple[str, Block, Edge], ...] = ()  # other pursuers that will charge, as they will start
        self.solid: list[str] = []  # enemies that count as obstacles after a failed charge

    def enemies(self) -> list[Unit]:
        """Enemies that may be charged: those that did not flee from this combat."""
        barred = self.unit.fight.reformed_at and self.unit.fight.reformed_at == self.battle.clock - 1
        if barred:
            self.battle.cite("t9a:15.H.e.2")
            return []
        return [e for e in self.battle.enemies(self.unit.seat) if e.id not in self.fled and e.id not in self.solid]

    def obstacles(self) -> list[Obstacle]:
        """t9a:15.H.c, t9a:21.A.b.31
        Impassable Terrain, but not to ghosts; friends not in this combat, enemies that fled
        from it.
        """
        battle, unit = self.battle, self.unit
        open_to = {e.id for e in self.enemies()}
        found = [
            Obstacle(o.id, battle.block(o).outline)
            for o in battle.on_table()
            if o.id != unit.id and o.id not in self.comrades and o.id not in open_to
        ]
        solid = walls(battle)
        if solid and battle.all_have(unit, "ghost-step"):
            return found
        return found + [Obstacle(w.name, w.outline) for w in solid]


def record_sides(battle: Battle, unit: Unit) -> dict[str, Edge]:
    """t9a:15.H.c, t9a:15.H.1  The arc of every enemy in which the unit is located before it moves."""
    return {e.id: ground.located(battle, e, unit) for e in battle.enemies(unit.seat)}


def pursue(chase: Chase) -> Script[None]:
    """t9a:15.H.c  Pivot, advance, legal position."""
    battle, unit = chase.battle, chase.unit
    start = battle.block(unit)
    if chase.facing is not None:
        battle.cite("t9a:15.H.c-1")
        turned = start.placed_by_centre(start.centre, chase.facing)
        ended = yield from _pivoted(chase, start, turned)
        if ended:
            return
        start = turned
    yield from _advance(chase, start)


def _off(battle: Battle, outline: Outline) -> bool:
    return not battle.field.holds(outline, Shift(0.0, 0.0))


def _pivoted(chase: Chase, start: Block, turned: Block) -> Script[bool]:
    """t9a:15.H.c-1  What the front meets at once; True where the pursuit ends here."""
    battle, unit = chase.battle, chase.unit
    strip = front_strip(turned)
    if _off(battle, strip):
        if chase.may_leave:
            leave(battle, unit, turned)
        return True
    met = [e for e in chase.enemies() if gap(strip, battle.block(e).outline) <= TOUCH]
    if met:
        target = met[0] if len(met) == 1 else (yield from _which(chase, met))
        if (yield from _placed_onto(chase, target, turned)):
            return True
        chase.solid.append(target.id)
    if any(gap(strip, o.outline) <= TOUCH for o in chase.obstacles()) or chase.solid:
        _turn_as_far(chase, start, turned)
        return True
    return False


def _which(chase: Chase, met: list[Unit]) -> Script[Unit]:
    picked: Unit = yield Pick(
        chase.unit.seat,
        "pursuit.target",
        [option(e.id, e, about=(e.id,)) for e in met],
        rule="t9a:15.H.c-2.2",
        about=(chase.unit.id,),
    )
    return picked


def _turn_as_far(chase: Chase, start: Block, turned: Block) -> None:
    """t9a:15.H.c-1  Pivot only as far as the 1" rule allows; the pursuit ends."""
    battle, unit = chase.battle, chase.unit
    battle.put(unit, pursuit_end.turned_as_far(battle, unit, start, turned.facing))
    battle.tell("pursuit.stopped", "t9a:15.H.c-1", (unit.id,))


def _placed_onto(chase: Chase, target: Unit, turned: Block) -> Script[bool]:
    """t9a:15.H.c-1  Lift the unit and set it in contact with the side recorded, as near as possible to where it was."""
    battle, unit = chase.battle, chase.unit
    if target.nerve.fleeing:
        yield from _catches(chase, target, Manoeuvre(()))
        return True
    side = chase.sides.get(target.id) or ground.located(battle, target, unit)
    box = battle.block(target)
    if box.is_round or turned.is_round:
        return False
    things = [
        Obstacle(
            o.id, battle.block(o).outline, 0.0 if o.seat == unit.seat else APART, 0.0 if o.seat == unit.seat else APART
        )
        for o in battle.on_table()
        if o.id not in (unit.id, target.id)
    ]
    things += [Obstacle(w.name, w.outline) for w in walls(battle)]
    things += list(battle.field.walls())
    found = _nearest_lay(chase, turned, box, side, things, charge_search.score_for(battle, target, side))
    if found is None:
        return False
    contact = charge_search.Contact(Manoeuvre(()), found[0], box, side, found[1])
    _declared(chase, target, side)
    yield from charging.land(battle, unit, target, contact)
    return True


def _nearest_lay(
    chase: Chase, turned: Block, box: Block, side: Edge, things: list[Obstacle], score: Score
) -> tuple[Block, tuple[float, ...]] | None:
    """Of the places with the best contact the one whose centre is nearest to where the unit stood."""
    home = turned.centre
    level = beside(turned.boundary, box.boundary, side, 0.0).local(home)[0]
    extra = (*barred_offsets(turned.boundary, box.boundary, side, things), level)
    best: tuple[tuple[float, ...], Block, tuple[float, ...]] | None = None
    for lay in Laying(turned, box, side, score).lays(extra, SPACING):
        if best is not None and lay.score < best[2]:
            break
        placed = turned.on(beside(turned.boundary, box.boundary, side, lay.offset))
        if any(too_near(placed.outline, o.outline, max(o.passing, o.stopping)) for o in things):
            continue
        rank = (math.dist(placed.centre, home), lay.offset)
        if best is None or rank < best[0]:
            best = (rank, placed, lay.score)
    return None if best is None else (best[1], best[2])


def _declared(chase: Chase, target: Unit, side: Edge) -> None:
    """The pursuer charges whom it meets (t9a:15.H.c-2.2-when)."""
    battle, unit = chase.battle, chase.unit
    unit.charge = unit.charge.pursuing(Aim(target.id, side))
    battle.cite("t9a:15.H.c-2.2", "t9a:15.H.c-2.2-when")
    battle.tell("charge.declared", "t9a:15.H.c-2.2", (unit.id, target.id), side=side.name.lower(), flying=False)


def _advance(chase: Chase, start: Block) -> Script[None]:
    """t9a:15.H.c-2  Find the first thing the front meets on its way, and deal with it."""
    battle = chase.battle
    battle.cite("t9a:15.H.c-2")
    far = inches(chase.distance)
    edge = edge_distance(front_strip(start), start.facing, battle.field)
    met = _first(battle, start, far, chase.enemies())
    block_at = _first_obstacle(start, far, chase.obstacles())
    enemy_at = met[0] if met else math.inf
    if edge <= min(far, enemy_at, block_at) + TOUCH:
        yield from _to_edge(chase, start, edge)
        return
    if met and enemy_at <= block_at + TOUCH:
        target = met[1][0] if len(met[1]) == 1 else (yield from _which(chase, met[1]))
        if (yield from _charged(chase, start, target)):
            return
        chase.solid.append(target.id)
    yield from _run_on(chase, start)


def meets(start: Block, far: float, outline: Outline) -> float | None:
    """t9a:15.H.c-2, t9a:11.E.a  How far straight ahead the front of a block meets something, at most `far` mm; what it
    reaches exactly it meets.
    """
    at = first_contact(front_strip(start), Advance(far + 4 * TOUCH).motion(start), outline)
    return at if at is not None and at <= far + TOUCH else None


def _first(battle: Battle, start: Block, far: float, enemies: list[Unit]) -> tuple[float, list[Unit]] | None:
    hits = [(at, e) for e in enemies if (at := meets(start, far, battle.block(e).outline)) is not None]
    if not hits:
        return None
    least = min(at for at, _ in hits)
    return least, [e for at, e in hits if at <= least + TOUCH]


def _first_obstacle(start: Block, far: float, things: list[Obstacle]) -> float:
    return min((at for o in things if (at := meets(start, far, o.outline)) is not None), default=math.inf)


def _to_edge(chase: Chase, start: Block, edge: float) -> Script[None]:
    """t9a:15.H.c-2.1, t9a:15.H.d  To the edge and off the board; a unit moving at random stops there."""
    battle, unit = chase.battle, chase.unit
    if not chase.may_leave:
        battle.cite("t9a:21.A.b.30")
        yield from _settle(chase, start, max(0.0, edge - TOUCH))
        return
    battle.cite("t9a:15.H.c-2.1")
    if chase.test:
        yield from dangerous.pass_over(battle, unit, [(start, Advance(edge).motion(start))])
    if unit.where == "table" and not unit.nerve.fleeing:
        battle.put(unit, Advance(edge).apply(_same_shape(battle, unit, start)))
        leave(battle, unit, battle.block(unit))


def leave(battle: Battle, unit: Unit, block: Block) -> None:
    """t9a:15.H.d  The unit leaves the board and comes back in its next Movement Phase near where it left.

    Ruling: it left where the middle of its front was when the front met the edge, over the edge that was met.
    """
    edge, formation = _edge_met(battle, front_strip(block)), battle.block(unit)
    unit.arrival = unit.arrival.but(exit=block.front, edge=edge, away=formation, files_away=formation.files)
    unit.charge = unit.charge.but(charging=False)
    battle.disengage(unit)
    battle.lift(unit, "away")
    battle.tell("pursuit.left-table", "t9a:15.H.d", (unit.id,))


def _edge_met(battle: Battle, front: Outline) -> str:
    """The edge of the board that a front has reached, or that it is furthest over."""
    xs, ys = [x for x, _ in front.points], [y for _, y in front.points]
    width, height, r = battle.table.width, battle.table.height, front.radius
    room = {"lower": min(ys) - r, "left": min(xs) - r, "upper": height - max(ys) - r, "right": width - max(xs) - r}
    return min(room, key=lambda edge: room[edge])


def _same_shape(battle: Battle, unit: Unit, at: Block) -> Block:
    """The unit as it is now (after losses) standing where a planned block stands."""
    return battle.block(unit).placed(at.front, at.facing)


def _charged(chase: Chase, start: Block, target: Unit) -> Script[bool]:
    """t9a:15.H.c-2.2  A normal Charge Move within the pursuit distance; False where it cannot be made."""
    battle, unit = chase.battle, chase.unit
    before = battle.block(unit)
    unit.block = start.snapped()
    battle.version += 1
    side = chase.sides.get(target.id) or ground.located(battle, target, unit)
    if target.nerve.fleeing:
        path = charge_search.runs_down(battle, unit, target, flying=False)
        if path is None:
            unit.block = before
            battle.version += 1
            return False
        yield from _catches(chase, target, path)
        return True
    found = _contact(chase, target, side)
    if found is None:
        unit.block = before
        battle.version += 1
        return False
    _declared(chase, target, side)
    yield from dangerous.pass_over(battle, unit, charging.whole_move(start, found))
    if unit.where != "table" or unit.nerve.fleeing:
        return True
    if battle.size(unit) != before.size:
        found = _contact(chase, target, side)
        if found is None:
            return False
    yield from charging.land(battle, unit, target, found)
    return True


def _contact(chase: Chase, target: Unit, side: Edge) -> charge_search.Contact | None:
    """t9a:15.H.c, t9a:11.E.d-p2
    The contact a pursuer makes so that all who pursue into the same enemy find theirs best.

    Ruling: since they pass through each other, their order makes no difference to their ways.
    """
    battle, unit = chase.battle, chase.unit
    trial = battle.copy()
    hunters = [(unit.id, battle.block(unit), side), *(r for r in chase.rivals if trial.units[r[0]].where == "table")]
    for key, block, edge in hunters:
        hunter = trial.units[key]
        hunter.block = block.snapped()
        through = (*(k for k, _, _ in hunters), *chase.comrades)
        hunter.charge = hunter.charge.pursuing(Aim(target.id, edge)).but(through=through)
    trial.version += 1
    plan = combined_charge.arrange(trial, trial.units[target.id], [trial.units[k] for k, _, _ in hunters])
    if len(hunters) > 1:
        battle.cite("t9a:11.E.d-p2")
    return next((s.contact for s in plan.steps if s.unit == unit.id), None)


def _catches(chase: Chase, target: Unit, path: Manoeuvre) -> Script[None]:
    """t9a:15.H.c-2.2, t9a:11.E.h-shaken
    A fleeing enemy met is removed; the pursuer is Shaken, and may try to pivot."""
    battle, unit = chase.battle, chase.unit
    if path.steps:
        before = battle.block(unit)
        yield from dangerous.pass_over(battle, unit, dangerous.legs(before, path))
        if unit.where != "table" or unit.nerve.fleeing:
            return
        battle.put(unit, dangerous.arrived(battle, unit, before, path))
    battle.shake(unit)
    unit.move = unit.move.but(moved=True)
    battle.cite("t9a:11.E.h-shaken")
    battle.tell("charge.ran-down", "t9a:15.H.c-2.2", (unit.id, target.id))
    yield from casualties.remove_unit(battle, target, "t9a:11.E.h")
    yield from overtaking.turn_after(battle, unit)


def _run_on(chase: Chase, start: Block) -> Script[None]:
    """t9a:15.H.c-2.3  Straight on; 1" short of an obstacle its front would touch."""
    ahead = inches(chase.distance)
    at = _first_obstacle(start, ahead, chase.obstacles())
    if at < math.inf:
        chase.battle.cite("t9a:15.H.c-2.3")
        ahead = max(0.0, at - INCH)
    yield from _settle(chase, start, ahead)


def _settle(chase: Chase, start: Block, ahead: float) -> Script[None]:
    """t9a:15.H.c-3  The last legal position along the way."""
    battle, unit = chase.battle, chase.unit
    battle.cite("t9a:15.H.c-2.3")
    if chase.test:
        yield from dangerous.pass_over(battle, unit, [(start, Advance(ahead).motion(start))])
        if unit.where != "table" or unit.nerve.fleeing:
            return
    origin = battle.block(unit)
    placed = _same_shape(battle, unit, start)
    found = pursuit_end.last_legal(battle, unit, placed, ahead)
    if found is None:
        found = origin
        if ground.standing(battle, unit, found, spacing=0.0) is not None:
            found = pursuit_end.nearest_free(battle, unit, found)
        battle.cite("t9a:15.H.c-3")
    battle.put(unit, found)
    unit.move = unit.move.but(moved=True)
    ground.stay_near(battle, unit)
    battle.tell("pursuit.moved", "t9a:15.H.c", (unit.id,), distance=chase.distance)
