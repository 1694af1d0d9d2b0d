"""wfb3:19.1-profile, wfb3:22.1-sections
What stands on the table beside models: war machines, and the sections of buildings."""

from __future__ import annotations

from grognard.games.wfb3.army.machine_table import Ordered
from grognard.games.wfb3.records import NEVER
from grognard.kernel.battle import Token
from grognard.kernel.formation.shapes import Outline, Point, Rect
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.geometry.units import inches

#: wfb3:22.1.4-doors  How many pass in a turn.
DOORS = {"door": 4, "double": 8, "gate": 12}
SIDES = {"front": Edge.FRONT, "right": Edge.RIGHT, "rear": Edge.REAR, "left": Edge.LEFT}


class Room(Token):
    """wfb3:22.1-sections  One section on one level, and what has happened to it.

    `condition`: "", unstable, very unstable, failing (wfb3:22.6-collapse-table); `fire` are the damage points burning
    has caused; `uses` counts who went through its doors and `entered` who came into it, in player turns.
    """

    def __init__(self, piece: str, section: int, level: int, rect: Rect, material: str, *, wall: bool) -> None:
        self.id = f"{piece}/{section}/{level}"
        self.piece = piece
        self.section = section
        self.level = level
        self.rect = rect
        self.material = material
        self.wall = wall
        self.top = False
        self.roof = ""  # wood, thatch: of a top level
        self.terrace = False  # wfb3:22.3-shoot-in  those on it stand in the open
        self.doors: tuple[tuple[str, str], ...] = ()  # side, kind
        self.windows: int | None = None  # a side, where they are counted
        self.outer: tuple[str, ...] = ()  # sides that are outer walls
        self.on = ""  # the fortress wall it was built on
        self.damage = 0
        self.fire = 0
        self.scorched = (NEVER, 0)  # damage by incendiaries, and in which player turn
        self.burning = False
        self.condition = ""
        self.down = False
        self.uses: tuple[tuple[str, int, int], ...] = ()  # side of a door, when, how many went through
        self.entered: tuple[int, int] = (NEVER, 0)
        self.struck = NEVER  # when it first had six points of damage

    @property
    def standing(self) -> bool:
        return not self.down

    @property
    def outline(self) -> Outline:
        return self.rect.outline

    def points(self, side: str) -> int:
        """wfb3:22.2-firing-points  Who may shoot from a side: one for each full inch of wall, or one a window."""
        if side not in self.outer:
            return 0
        if self.windows is not None:
            return self.windows
        return int(self.rect.span(SIDES[side]) / inches(1) + 1e-3)

    def door_left(self, side: str, kind: str, clock: int) -> int:
        """wfb3:22.1.4-doors  How many may still pass a door this turn."""
        return DOORS[kind] - sum(n for s, when, n in self.uses if s == side and when == clock)

    def let_through(self, side: str, clock: int, count: int) -> None:
        self.uses = (*(u for u in self.uses if u[1] == clock), (side, clock, count))

    def door_point(self, side: str) -> Point:
        return self.rect.middle(SIDES[side])


class Machine(Token):
    """One machine. `status`: ready, spiked, destroyed. `holder` is the unit that has it now, "" for nobody.

    `captors` are models of a holder told off to it; `duds` are shells of its own that still hiss.
    """

    def __init__(self, machine_id: str, seat: str, unit: str, ordered: Ordered) -> None:
        self.id = machine_id
        self.seat = seat
        self.unit = unit  # the unit it came with
        self.holder = unit
        self.engine = ordered.engine
        self.wheels = ordered.wheels
        self.base = ordered.base
        self.x = self.y = self.facing = 0.0
        self.placed = False
        self.status = "ready"
        self.moved = NEVER
        self.fired = NEVER
        self.passed = NEVER  # was picked to fire and held its fire
        self.shots = 0
        self.heat = 0
        self.stuck = False  # wfb3:19.9-misfire: a shell burns in its barrel
        self.duds: tuple[tuple[float, float], ...] = ()
        self.captors: tuple[str, ...] = ()
        self.tried = NEVER  # wfb3:19.4.1-destroy: the last attempt to destroy it
        self.hands = 0  # who worked it this turn

    @property
    def rect(self) -> Rect:
        return Rect(self.x, self.y, self.facing, self.base[0] / 2, self.base[1] / 2)

    @property
    def outline(self) -> Outline:
        return self.rect.outline

    @property
    def muzzle(self) -> Point:
        return self.rect.middle(Edge.FRONT)

    @property
    def stands(self) -> bool:
        return self.placed and self.status != "destroyed"

    def put(self, x: float, y: float, facing: float) -> None:
        self.x, self.y, self.facing, self.placed = x, y, facing % 360.0, True
