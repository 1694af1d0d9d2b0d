"""wfb3:25.1-zone  Where units are set up: the zones, and what makes a place in them legal."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from shapely import box

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.setup import garrisons
from grognard.games.wfb3.setup.garrisons import Indoors
from grognard.games.wfb3.table import ground, levies, machines, seating
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.room import centres, points_of
from grognard.kernel.formation.shapes import Outline, Point
from grognard.kernel.geometry.units import bearing, inches, snap

#: wfb3:25.1-zone  The square left out at each end, and how far zones are apart; four feet leave each twelve inches.
CORNER, BETWEEN = inches(12), inches(24)


#: Columns and rows of the finer places proposed where the zone is crowded.
FINE = (48, 6)


#: How many places of the room that is left in a crowded zone are looked at, and how far apart facings are (degrees).
PLACES, ASLANT = 40, 7.5


def zone(battle: Battle, seat: str) -> tuple[float, float, float, float]:
    """wfb3:25.1-zone  x, y, width, height."""
    if battle.scenario == "friendly":
        battle.cite("wfb3:2-friendly-setup")
        deep = inches(float(battle.house["friendly_depth"]))
        low = battle.sides[seat].edge == "south"
        return 0.0, 0.0 if low else battle.table.height - deep, battle.table.width, deep
    battle.cite("wfb3:25.1-zone")
    deep = (battle.table.height - BETWEEN) / 2
    low = battle.sides[seat].edge == "south"
    return CORNER, 0.0 if low else battle.table.height - deep, battle.table.width - 2 * CORNER, deep


class DeployJudge:
    """wfb3:25.1-zone, wfb3:5.3.3-formations  A unit wholly within its zone, in a legal formation, clear of everything.

    {"x", "y": the middle of the front, "facing": degrees, "files": n}, or {"inside": a section/level of a building in
    the zone, or how many models in each}.
    """

    #: Whether buildings may be garrisoned.
    indoors = True

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self.battle, self.unit = battle, unit
        self.zone = zone(battle, unit.seat)

    @property
    def hides(self) -> bool:
        """wfb3:22.1.2-notes  Whether the unit may go into a building, and where in it is nobody else's business."""
        return self.indoors and garrisons.possible(self.battle, self.unit, self.zone)

    def decode(self, wire: Any) -> Block | Indoors:
        rule = "wfb3:25.1-zone"
        if self.indoors and isinstance(wire, dict) and set(wire) == {"inside"}:
            return garrisons.read(self.battle, self.unit, wire["inside"], self.zone)
        if not isinstance(wire, dict) or not {"x", "y"} <= set(wire) <= {"x", "y", "facing", "files"}:
            raise Refused(Refusal("refuse.not-a-place", rule, {"unit": self.unit.id}))
        south = self.battle.sides[self.unit.seat].edge == "south"
        files = wire.get("files", seating.usual_files(self.unit))
        facing = wire.get("facing", 0.0 if south else 180.0)
        at = (wire["x"], wire["y"])
        numbers = all(isinstance(n, int | float) and not isinstance(n, bool) and abs(n) < 1e6 for n in (*at, facing))
        if not numbers or type(files) is not int or not 1 <= files <= self.battle.size(self.unit):
            raise Refused(Refusal("refuse.not-a-place", rule, {"unit": self.unit.id}))
        block = self.shape(files).placed((snap(float(at[0])), snap(float(at[1]))), float(facing) % 360.0)
        if levies.mob(self.unit) and files != levies.files(self.unit, len(self.unit.models)):
            raise Refused(Refusal("refuse.manoeuvre.mob", levies.RULE, {"unit": self.unit.id}))
        x, y, width, height = self.zone
        for px, py in block.boundary.corners:
            if not (x - 0.05 <= px <= x + width + 0.05 and y - 0.05 <= py <= y + height + 0.05):
                raise Refused(Refusal("refuse.zone", rule, {"unit": self.unit.id}))
        if in_way := ground.fits(self.battle, self.unit, block):
            rule = "wfb3:5.5-base" if in_way in self.battle.units else "wfb3:5.2.2-impassable"
            data = {"unit": self.unit.id, "other": in_way}
            raise Refused(Refusal("refuse.stands-on", rule, data, ("wfb3:5.5-base",)))
        if (on := machines.crowded(self.battle, self.unit, block)) is not None:
            raise Refused(Refusal("refuse.stands-on", "wfb3:5.5-base", {"unit": on[0], "other": on[1]}))
        if wall := ground.upright(self.battle, block):
            data = {"unit": self.unit.id, "other": wall}
            raise Refused(Refusal("refuse.astride", "wfb3:5.2.3-cost", data, ("wfb3:5.2.3-linear", "wfb3:5.5-base")))
        return block

    def carry(self, to: Point, facing: float | None, files: int | None = None) -> Any:
        south = self.battle.sides[self.unit.seat].edge == "south"
        look = (0.0 if south else 180.0) if facing is None else facing
        wide = files if files in self.file_counts() else seating.usual_files(self.unit)
        block = self.shape(wide).placed_by_centre(to, look)
        return {"x": round(block.x, 1), "y": round(block.y, 1), "facing": look, "files": wide}

    def file_counts(self) -> tuple[int, ...]:
        """wfb3:5.3.3-formations  Any front, but that of a mob."""
        if levies.mob(self.unit):
            return (levies.files(self.unit, len(self.unit.models)),)
        return tuple(range(1, self.battle.size(self.unit) + 1))

    def stages(self, wire: Any) -> list[Block]:
        made = self.shape(wire.get("files", seating.usual_files(self.unit)))
        return [made.placed((wire["x"], wire["y"]), wire.get("facing", 0.0))]

    def shape(self, files: int) -> Block:
        kept = self.unit.models
        made = seating.settle(self.battle, self.unit, files)
        self.unit.models = kept
        return made

    def encode(self, wire: Any) -> Any:
        block = self.decode(wire)
        if isinstance(block, Indoors):
            return block.wire()
        return {"x": block.x, "y": block.y, "facing": block.facing, "files": block.files}

    def proposals(self) -> list[str]:
        spots = [f"spot{n}" for n in range(24)] + [f"wide{n}" for n in range(24)]
        fine = [f"fine{n}" for n in range(2 * FINE[0] * FINE[1])]
        return [*spots, *fine, "anywhere", *(f"inside:{key}" for key in self.battle.rooms if self.indoors)]

    def propose(self, name: str) -> Any:
        if name.startswith("inside:"):
            made = garrisons.proposed(self.battle, self.unit, name.partition(":")[2], self.zone)
            return made if made is not None and self._fits(made) else None
        if name == "anywhere":
            return self._anywhere()
        usual = seating.usual_files(self.unit)
        files = usual if name.startswith("spot") else max(1, usual // 2)
        place = int(name[4:])
        x, y, width, height = self.zone
        south = self.battle.sides[self.unit.seat].edge == "south"
        columns, rows = FINE if name.startswith("fine") else (12, 2)
        if name.startswith("fine"):
            files = max(1, usual // (1 + place // (columns * rows)))
            place %= columns * rows
        across = x + width * (place % columns + 0.5) / columns
        back = 1.0 + height * (place // columns) / rows
        up = y + height - back if south else y + back
        wire = {"x": round(across, 1), "y": round(up, 1), "files": files, "facing": 0.0 if south else 180.0}
        return wire if self._fits(wire) else None

    def _anywhere(self) -> Any:
        """Some place in a crowded zone, in any formation and facing: ahead or across, then any other way."""
        x, y, width, height = self.zone
        ahead = 0.0 if self.battle.sides[self.unit.seat].edge == "south" else 180.0
        usual, area = seating.usual_files(self.unit), box(x, y, x + width, y + height)
        held = [(t.outline, t.stopping) for t in ground.things(self.battle, self.unit, near=0.0)]
        held += [(hurdle.outline, 0.0) for hurdle in ground.hurdles(self.battle)]
        square = [(ahead + turn) % 360.0 for turn in (0.0, 90.0, 270.0, 180.0)]
        for facings in (square, _aslant([outline for outline, _ in held], ahead)):
            for files in sorted(self.file_counts(), key=lambda n: (abs(n - usual), n)):
                made = self.shape(files)
                for facing in facings:
                    corners = made.placed_by_centre((0.0, 0.0), facing).boundary.corners
                    for at in points_of(centres(area, Outline(tuple(corners)), held), PLACES):
                        block = made.placed_by_centre(at, facing)
                        wire = {"x": block.x, "y": block.y, "files": files, "facing": facing}
                        if self._fits(wire):
                            return wire
        return None

    def _fits(self, wire: Any) -> bool:
        try:
            self.decode(wire)
        except Refused:
            return False
        return True


def _aslant(outlines: list[Outline], ahead: float) -> list[float]:
    """Facings along the edges of what is in the way, and some between them."""
    edges = [(a, b) for outline in outlines for a, b in pairwise([*outline.points, outline.points[0]]) if a != b]
    along = {round(bearing(b[0] - a[0], b[1] - a[1]) % 90.0, 4) for a, b in edges}
    along |= {ASLANT * n for n in range(1, round(90.0 / ASLANT))}
    facings = (turn + quarter for turn in sorted(along - {0.0}) for quarter in (0.0, 90.0, 180.0, 270.0))
    return [(ahead + facing) % 360.0 for facing in facings]


def put(battle: Battle, unit: Unit, place: Block | Indoors, rule: str) -> None:
    """wfb3:25.1-order  A unit takes the place chosen for it, on the field or indoors."""
    if isinstance(place, Indoors):
        garrisons.settle(battle, unit, place, rule)
        return
    form_up(battle, unit, place)
    battle.tell("deployed", rule, (unit.id,), files=place.files)


def form_up(battle: Battle, unit: Unit, place: Block) -> None:
    made = seating.settle(battle, unit, place.files)
    battle.form(unit, made.placed(place.front, place.facing))
    if made.files == 1 and battle.size(unit) > 2 and unit.kind in ("infantry", "cavalry"):
        unit.drill = unit.drill.but(formation="file")
    machines.deploy(battle, unit, ahead=False)


def placing_order(battle: Battle, first: str) -> tuple[str, ...]:
    waiting = [u for u in battle.units.values() if u.where == "undeployed"]
    rates = sorted({float(stats.move(battle, u).value) for u in waiting})
    found: list[str] = []
    for rate in rates:
        both = {s: [u for u in waiting if u.seat == s and stats.move(battle, u).value == rate] for s in battle.seats}
        turn = first
        while any(both.values()):
            if not both[turn]:
                turn = battle.other(turn)
            found.append(both[turn].pop(0).id)
            turn = battle.other(turn)
    return tuple(found)
