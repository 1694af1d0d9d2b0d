"""The state of a battle, and the plain questions one can ask of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from grognard.games.wfb3.abilities import Special
from grognard.games.wfb3.abilities.psychology import Mind
from grognard.games.wfb3.army.profiles import Profile
from grognard.games.wfb3.forces import AirFight, Engagement, Model, Side, Throe, Unit
from grognard.games.wfb3.pieces import Machine, Room
from grognard.games.wfb3.records import NEVER, Land, Vanguard
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.obstacles import Field as Board
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import inches
from grognard.kernel.state.field import Field

BEFORE = ("terrain", "deployment", "first-turn")
#: wfb3:4-phases
TURN = ("start", "movement", "shooting", "combat", "reserve", "magic", "rally")
PHASES = (*BEFORE, *TURN)
#: Distances are compared with this slack (mm).
EPS = 0.03


class Battle(Field[Model, Unit, Side]):
    """Everything that changes while Warhammer is played; profiles and terrain are shared by copies."""

    __slots__ = (
        "_memo", "air", "clock", "combats", "creatures", "engagements", "first", "land", "limit", "machines", "rooms",
        "second", "tests", "throes", "turn", "vanguard", "version",
    )  # fmt: skip

    def __init__(self, seats: Sequence[str], table: Table, house: dict[str, Any], scenario: str) -> None:
        super().__init__(seats, table, house, scenario, "terrain")
        self.engagements: tuple[Engagement, ...] = ()
        self.combats: tuple[str, ...] = ()  # units whose combat has been fought this phase
        self.first = self.seats[0]
        self.second = False
        self.turn = 0
        self.clock = 0  # player turns begun
        self.limit = int(house["turns"])
        self.tests: tuple[tuple[str, str, str], ...] = ()  # panic tests still to be taken: unit, rule, cause
        self.land = Land()
        self.throes: tuple[Throe, ...] = ()  # wfb3:18.6-death-throes: monsters that stagger about
        self.air: tuple[AirFight, ...] = ()  # wfb3:21.4: fights flyers take part in
        self.machines: dict[str, Machine] = {}  # wfb3:19: war machines
        self.rooms: dict[str, Room] = {}  # wfb3:22.1-sections: section/levels of buildings
        self.creatures: Mapping[str, Profile] = {}  # those of the situation itself, besides the bestiary
        self.vanguard = Vanguard()
        self.version = 0
        self._memo: dict[Any, Any] = {}

    def copy(self) -> Self:
        twin = super().copy()
        twin._memo = {}
        twin.machines = {key: machine.copy() for key, machine in self.machines.items()}
        twin.rooms = {key: room.copy() for key, room in self.rooms.items()}
        return twin

    # ------------------------------------------------------------------ who is who

    @property
    def active(self) -> str:
        """wfb3:4-sides  The side whose player turn it is."""
        return self.other(self.first) if self.second else self.first

    @property
    def passive(self) -> str:
        return self.other(self.active)

    def other(self, seat: str) -> str:
        return self.seats[1] if seat == self.seats[0] else self.seats[0]

    @property
    def board(self) -> Board:
        return Board(self.table.width, self.table.height)

    def army(self, seat: str) -> list[Unit]:
        """A side's units on the table, in the order they were mustered."""
        return [u for u in self.units.values() if u.seat == seat and u.where == "table"]

    def enemies(self, unit: Unit) -> list[Unit]:
        return self.army(self.other(unit.seat))

    def friends(self, unit: Unit) -> list[Unit]:
        return [u for u in self.army(unit.seat) if u.id != unit.id]

    def here(self) -> list[Unit]:
        return [u for u in self.units.values() if u.where == "table"]

    def ordinary(self, unit: Unit) -> list[Model]:
        """wfb3:14.6.2-protected  Ordinary soldiers: leader, bearer and musician are among them, characters are not."""
        return [m for m in self.members(unit) if m.role not in ("character", "altar")]

    def numbered(self, unit: Unit) -> list[Model]:
        """A unit's models by their numbers, wherever they stand: how a die picks one of them."""
        return sorted(self.members(unit), key=lambda m: (len(m.id), m.id))

    def characters(self, unit: Unit) -> list[Model]:
        return [m for m in self.members(unit) if m.role == "character"]

    def size(self, unit: Unit) -> int:
        return len(unit.models)

    def role(self, unit: Unit, role: str) -> Model | None:
        """The unit's living leader, bearer or musician of its own."""
        return next((m for m in self.members(unit) if m.role == role), None)

    def leader(self, unit: Unit) -> Model | None:
        """wfb3:5.3.2-leader, wfb3:14.6.5-take-command  Who leads the unit now, if anybody lives to."""
        return self.models[unit.leader] if unit.leader and self.models[unit.leader].alive else None

    def traits(self, unit: Unit) -> tuple[Special, ...]:
        """wfb3:10.2-combine  The special rules of the troops, their trade, and of a character who leads them."""
        leader = self.leader(unit)
        more: list[Special] = []
        if leader is not None and leader.role == "character":
            own = self.units[leader.home].traits if leader.home != unit.id else ()
            more = [*leader.profile.abilities, *(t for t in own if isinstance(t, Mind))]
        if more:
            self.cite("wfb3:10.2-combine", "wfb3:14.6.5-shared-psychology")
        return (*unit.profile.abilities, *unit.traits, *(m for m in more if m not in unit.profile.abilities))

    def own_traits(self, model: Model) -> tuple[Special, ...]:
        """wfb3:14.6.4-own-psychology  The special rules of one model; a character keeps his when he joins a unit."""
        home = self.units[model.home].traits if model.role == "character" else ()
        return (*model.profile.abilities, *home)

    def own_trait(self, model: Model, kind: type[Special]) -> Special | None:
        return next((t for t in self.own_traits(model) if isinstance(t, kind)), None)

    def trait(self, unit: Unit, kind: type[Special]) -> Special | None:
        return next((t for t in self.traits(unit) if isinstance(t, kind)), None)

    def mounted(self, unit: Unit) -> bool:
        """wfb3:6.4.1-mounted  Whether the troops ride animals of horse size."""
        return unit.mount is not None and unit.mount.rides == "animal"

    def large(self, unit: Unit) -> bool:
        if unit.kind in ("monster", "chariot"):
            return True  # wfb3:18.1-shooting, 20.7-shooting-at
        return unit.profile.large or (unit.mount is not None and unit.mount.large)

    # ------------------------------------------------------------------ where things are

    def block_of(self, unit: Unit) -> Block:
        assert unit.block is not None, unit.id
        return unit.block

    def form(self, unit: Unit, block: Block) -> None:
        """A unit's block as it now stands: every model at its place, in the order of `unit.models`."""
        unit.block = block.snapped()
        unit.where = "table"
        self.version += 1
        for place, model_id in zip(unit.block.places, unit.models, strict=True):
            self.put(self.models[model_id], place.pose.snapped())

    def remove(self, unit: Unit, where: str) -> None:
        """A unit leaves the table, or is no more."""
        for model in self.members(unit):
            if model.on_table:
                self.lift(model)
        unit.block = None
        unit.where = where
        self.disengage(unit)
        self.version += 1

    def outline(self, unit: Unit) -> Outline:
        """What a unit stands on: its block, or the section it is in."""
        if unit.block is None and unit.indoors.rooms:
            return self.rooms[unit.indoors.rooms[0][0]].outline
        return self.block_of(unit).outline

    def _grounds(self, unit: Unit) -> list[Outline]:
        if unit.block is None and unit.indoors.rooms:
            return [self.rooms[key].outline for key, _ in unit.indoors.rooms]
        return [self.block_of(unit).outline]

    def gap(self, a: Unit, b: Unit) -> float:
        """Millimetres between two units; of those inside a building, between the sections they are in."""
        if a.block is None or b.block is None:
            return min(gap(one, two) for one in self._grounds(a) for two in self._grounds(b))
        key = ("gap", a.id, b.id) if a.id < b.id else ("gap", b.id, a.id)
        made: float = self.remember(key, lambda: gap(self.outline(a), self.outline(b)))
        return made

    def within(self, a: Unit, b: Unit, far: float) -> bool:
        """Whether two units are at most so many inches apart."""
        return self.gap(a, b) <= inches(far) + EPS

    def remember(self, key: Any, make: Callable[[], Any]) -> Any:
        """Something worked out once per state of the table."""
        full = (key, self.version)
        if full not in self._memo:
            if len(self._memo) > 4000:
                self._memo.clear()
            self._memo[full] = make()
        return self._memo[full]

    # ------------------------------------------------------------------ combat

    def foes(self, unit: Unit) -> list[tuple[Unit, Edge, Edge]]:
        """The enemies a unit is engaged with, its own side and theirs."""
        found = []
        for engagement in self.engagements:
            seen = engagement.of(unit.id)
            if seen is not None:
                found.append((self.units[seen[0]], seen[1], seen[2]))
        return found

    def engaged(self, unit: Unit) -> bool:
        return any(unit.id in (e.a, e.b) for e in self.engagements)

    def engage(self, a: Unit, a_side: Edge, b: Unit, b_side: Edge) -> None:
        """wfb3:7-contact  Two units come to blows."""
        for unit in (a, b):
            if not self.engaged(unit):
                unit.combat = unit.combat.but(rounds=0, ever_pushed=False, weapon="", pistols="", one_hand=False)
                for model in self.members(unit):
                    model.fight = model.fight.but(pistol="", weapon="", one_hand=False)
            self.open_testudo(unit)
        kept = tuple(e for e in self.engagements if {e.a, e.b} != {a.id, b.id})
        self.engagements = (*kept, Engagement(a.id, a_side, b.id, b_side, self.clock))
        self.version += 1

    def open_testudo(self, unit: Unit) -> None:
        """wfb3:5.7.7-testudo-end  Whoever comes to blows, on the ground or with flyers, is no testudo any more."""
        if unit.drill.formation == "testudo":
            unit.drill = unit.drill.but(formation="ranks")
            self.tell("formation", "wfb3:5.7.7-testudo-end", (unit.id,), formation="ranks")

    def disengage(self, unit: Unit, other: Unit | None = None) -> None:
        """Contact is broken: with one enemy, or with all."""
        self.engagements = tuple(
            e
            for e in self.engagements
            if unit.id not in (e.a, e.b) or (other is not None and other.id not in (e.a, e.b))
        )

    # ------------------------------------------------------------------ turns

    def this_turn(self, when: int) -> bool:
        return when == self.clock

    def own_last(self, when: int) -> bool:
        """Whether something happened in the unit's previous own player turn or since, seen from an enemy turn."""
        return when >= self.clock - 1 and when != NEVER

    def fights(self, unit: Unit) -> bool:
        """Whether a unit is in a state to act: on the table, not routed."""
        return unit.where == "table" and not unit.rout.routed
