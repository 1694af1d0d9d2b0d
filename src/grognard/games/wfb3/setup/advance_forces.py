"""Chapter 25.2: advance forces, the scouting turn, the rest of the armies, and reserves that come later."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Force, Unit
from grognard.games.wfb3.rolls import dice, tests
from grognard.games.wfb3.setup import baggage_deployment, deployment_places, held_forces
from grognard.games.wfb3.table import seating
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Point
from grognard.kernel.questions import Option, Pick, Place, Script
from grognard.kernel.words.tally import Tally

#: How near its edge a unit must stand to touch it (mm).
AT_EDGE = 0.6
#: Places proposed along an edge, and by how much a unit that comes there may be narrower than usual.
ALONG, WIDTHS = 36, {"spot": 1, "half": 2, "thin": 4}


def phase(battle: Battle) -> Script[None]:
    """wfb3:25.2.1-advance-secret, wfb3:25.2.2-rest  Deployment where forces are noted in secret."""
    if battle.vanguard.scout == "rest":
        yield from _rest(battle)
        return
    while battle.stage < len(battle.seats):
        if battle.stage == 0:
            yield from baggage_deployment.before_deployment(battle)
        yield from held_forces.note(battle, battle.seats[battle.stage])
        battle.stage += 1
    if battle.stage == 2:
        yield from _announce(battle)
        battle.stage = 3
    yield from _place_all(battle)
    if battle.vanguard.scout == "begin" and battle.stage == 3:
        yield from _who_begins(battle)
        battle.stage = 4


def _announce(battle: Battle) -> Script[None]:
    """wfb3:25.2.1-advance-deploy, wfb3:25.2.1-one-sided  Speeds are told, the slower places its advance force first."""
    speeds = {seat: held_forces.slowest(battle, seat) for seat in battle.seats}
    told = {seat: speed for seat, speed in speeds.items() if speed is not None}
    rule = "wfb3:25.2.1-advance-deploy" if len(told) != 1 else "wfb3:25.2.1-one-sided"
    battle.tell("forces.announced", rule, tuple(told), speeds=dict(told))
    if not told:
        battle.vanguard = battle.vanguard.but(scout="")
        first, _ = yield from dice.roll_off(battle, battle.seats, "deploy.first", "wfb3:25.1-order")
        battle.queue = deployment_places.placing_order(battle, first)
        return
    order = sorted(told, key=lambda seat: told[seat])
    if len(order) == 2 and told[order[0]] == told[order[1]]:
        winner, loser = yield from dice.roll_off(battle, battle.seats, "forces.tie", "wfb3:25.2.1-scout-turn")
        order, faster = [loser, winner], None
    else:
        faster = order[-1]
    battle.vanguard = battle.vanguard.but(fastest=order[-1])
    battle.queue = tuple(u for seat in order for u in battle.sides[seat].advance)
    battle.vanguard = battle.vanguard.but(scout="begin")
    if faster is not None:
        yield from held_forces.outflank(battle, faster)


def _who_begins(battle: Battle) -> Script[None]:
    """wfb3:25.2.1-scout-turn  The faster side says who plays the scouting turn first; alone, it plays it alone."""
    seat = battle.vanguard.fastest
    if all(battle.sides[s].advance for s in battle.seats):
        first = yield from _choose_first(battle, seat, "wfb3:25.2.1-scout-turn")
        battle.first = first
    else:
        battle.first = seat
    battle.tell("forces.scouts", "wfb3:25.2.1-scout-turn", (battle.first,))


def _choose_first(battle: Battle, seat: str, rule: str) -> Script[str]:
    options = [
        Option("first", seat, "option.forces.first"),
        Option("second", battle.other(seat), "option.forces.second"),
    ]
    chosen: str = yield Pick(seat, "forces.first", options, rule=rule)
    return chosen


def after_deployment(battle: Battle) -> bool:
    """Whether the scouting turn begins now instead of the battle."""
    if battle.vanguard.scout != "begin":
        return False
    battle.vanguard = battle.vanguard.but(scout="playing")
    battle.turn = 0
    battle.second = False
    battle.clock += 1
    return True


def after_turn(battle: Battle) -> str:
    """What follows a player turn of the scouting turn: the other's, or the rest of the armies; "" in the battle."""
    if battle.vanguard.scout != "playing":
        return ""
    if not battle.second and battle.sides[battle.passive].advance:
        battle.second = True
        battle.clock += 1
        return "start"
    battle.vanguard = battle.vanguard.but(scout="rest")
    battle.second = False
    return "deployment"


def _rest(battle: Battle) -> Script[None]:
    """wfb3:25.2.2-rest, wfb3:25.2.1-one-sided
    The slower side's rest first, each against its own edge; facing one advance force the enemy deploys everything,
    then its owner the rest, both in their zones.
    """
    both = all(battle.sides[s].advance for s in battle.seats)
    if battle.stage == 0:
        order = [battle.other(battle.vanguard.fastest), battle.vanguard.fastest]
        rule = "wfb3:25.2.2-rest" if both else "wfb3:25.2.1-one-sided"
        left = [u for u in battle.units.values() if u.where == "undeployed"]
        battle.queue = tuple(u.id for seat in order for u in left if u.seat == seat)
        battle.tell(
            "forces.rest", rule, tuple(order),
            models={seat: sum(battle.size(u) for u in left if u.seat == seat) for seat in order},
        )  # fmt: skip
        battle.stage = 1
    yield from _place_all(battle, edge=both)
    battle.vanguard = battle.vanguard.but(scout="over")
    if not both:
        battle.first = yield from _choose_first(battle, battle.vanguard.fastest, "wfb3:25.2.1-one-sided")
    battle.tell("first-turn", "wfb3:25.2.2-rest" if both else "wfb3:25.2.1-one-sided", (battle.first,))


def _place_all(battle: Battle, *, edge: bool = False) -> Script[None]:
    while battle.queue:
        unit = battle.units[battle.queue[0]]
        if edge:
            where = held_forces.Entry(battle.sides[unit.seat].edge, 0, 0.0, battle.table.width)
            judge: deployment_places.DeployJudge = EdgeJudge(battle, unit, where, "wfb3:25.2.2-rest")
            rule = "wfb3:25.2.2-rest"
        else:
            judge, rule = deployment_places.DeployJudge(battle, unit), "wfb3:25.1-order"
        place = yield Place(
            unit.seat, "deploy.unit", (unit.id,), judge, rule=rule, about=(unit.id,), checkpoint=True,
            secret=judge.hides,
        )  # fmt: skip
        battle.queue = battle.queue[1:]
        unit.march = unit.march.but(edged=edge)
        deployment_places.put(battle, unit, place, rule)


class EdgeJudge(deployment_places.DeployJudge):
    """wfb3:25.2.2-rest, wfb3:25.2.3-arrival
    A unit that touches a stretch of table edge with its rear, facing inwards."""

    indoors = False

    def __init__(self, battle: Battle, unit: Unit, where: held_forces.Entry, rule: str) -> None:
        super().__init__(battle, unit)
        self.where, self.rule = where, rule
        w, h = battle.table.width, battle.table.height
        long = where.high - where.low
        self.zone = {
            "south": (where.low, 0.0, long, h), "north": (where.low, 0.0, long, h),
            "west": (0.0, where.low, w, long), "east": (0.0, where.low, w, long),
        }[where.edge]  # fmt: skip
        self.facing = {"south": 0.0, "north": 180.0, "west": 90.0, "east": 270.0}[where.edge]

    def decode(self, wire: Any) -> Block:
        if isinstance(wire, dict):
            wire = {**self._touching(wire), "facing": self.facing, **wire}
        block = super().decode(wire)
        assert isinstance(block, Block)
        corners = block.boundary.corners
        w, h = self.battle.table.width, self.battle.table.height
        off = {
            "south": min(y for _, y in corners), "north": h - max(y for _, y in corners),
            "west": min(x for x, _ in corners), "east": w - max(x for x, _ in corners),
        }[self.where.edge]  # fmt: skip
        if off > AT_EDGE:
            raise Refused(Refusal("refuse.edge", self.rule, {"unit": self.unit.id}))
        return block

    def _touching(self, wire: dict[str, Any]) -> dict[str, float]:
        """How far in its front stands where that is not said: its rear rank is at the edge."""
        files = wire.get("files", seating.usual_files(self.unit))
        if type(files) is not int or not 1 <= files <= self.battle.size(self.unit):
            return {}
        deep, w, h = self.shape(files).depth, self.battle.table.width, self.battle.table.height
        return {"south": {"y": deep}, "north": {"y": h - deep}, "west": {"x": deep}, "east": {"x": w - deep}}[
            self.where.edge
        ]

    def carry(self, to: Point, facing: float | None, files: int | None = None) -> Any:
        """At the edge, as near to a point as its stretch allows, facing inwards."""
        wide = files if files in self.file_counts() else seating.usual_files(self.unit)
        half = self.shape(wide).width / 2
        name, at = ("x", to[0]) if self.where.edge in ("south", "north") else ("y", to[1])
        along = max(self.where.low + half, min(at, self.where.high - half))
        return {**self._touching({"files": wide}), name: round(along, 1), "facing": self.facing, "files": wide}

    @property
    def room(self) -> bool:
        """Whether there is a place for it."""
        return any(self.propose(name) is not None for name in self.proposals())

    def proposals(self) -> list[str]:
        return [f"{word}{n}" for word in WIDTHS for n in range(ALONG)]

    def propose(self, name: str) -> Any:
        files = max(1, seating.usual_files(self.unit) // WIDTHS[name[:4]])
        along = self.where.low + (self.where.high - self.where.low) * (int(name[4:]) + 0.5) / ALONG
        deep = self.shape(files).depth
        w, h = self.battle.table.width, self.battle.table.height
        x, y = {
            "south": (along, deep), "north": (along, h - deep), "west": (deep, along), "east": (w - deep, along),
        }[self.where.edge]  # fmt: skip
        wire = {"x": round(x, 3), "y": round(y, 3), "files": files, "facing": self.facing}
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire


def start_of_turn(battle: Battle) -> Script[None]:
    """wfb3:25.2.3-arrival-test, wfb3:25.2.3-arrival  Reserves due test their leader's Ld, and come in.

    Ruling: a unit for which there is no room at its stretch of the edge comes at the start of a later turn.
    """
    side = battle.sides[battle.active]
    for force in side.reserves:
        if force.arrived or force.turn > battle.turn or battle.turn < 1 or force.tried == battle.clock:
            continue
        leader = battle.models[force.leader]
        _replace(battle, force, force._replace(tried=battle.clock))
        home = battle.units[leader.unit]
        value = Tally(leader.profile.Ld, "Ld", "wfb3:25.2.3-arrival-test")
        passed = yield from tests.against(
            battle, home, value, "test.arrival", "wfb3:25.2.3-arrival-test", (force.leader,)
        )
        if not passed:
            battle.tell("forces.delayed", "wfb3:25.2.3-arrival-test", force.units)
            continue
        _replace(battle, force, force._replace(arrived=True, tried=battle.clock))
        side.coming = (*side.coming, *force.units)
    while judge := next((found for key in side.coming if (found := _arrival(battle, battle.units[key])).room), None):
        unit, where = judge.unit, judge.where
        block = yield Place(
            unit.seat, "arrive.unit", (unit.id,), judge, rule="wfb3:25.2.3-arrival", about=(unit.id,), checkpoint=True
        )
        side.coming = tuple(key for key in side.coming if key != unit.id)
        deployment_places.form_up(battle, unit, block)
        battle.tell("forces.arrived", judge.rule, (unit.id,), edge=where.edge, segment=where.segment)


def _arrival(battle: Battle, unit: Unit) -> EdgeJudge:
    """wfb3:25.2.3-arrival, wfb3:25.2.4-flank  Where a unit of a force comes in."""
    side = battle.sides[unit.seat]
    force = next(f for f in side.reserves if unit.id in f.units)
    where = next(
        e for e in held_forces.entries(battle, unit.seat, outflanking=True)
        if (e.edge, e.segment) == (force.edge, force.segment)
    )  # fmt: skip
    return EdgeJudge(battle, unit, where, "wfb3:25.2.3-arrival" if force.edge == side.edge else "wfb3:25.2.4-flank")


def _replace(battle: Battle, old: Force, new: Force) -> None:
    side = battle.sides[battle.active]
    side.reserves = tuple(new if f.leader == old.leader else f for f in side.reserves)
