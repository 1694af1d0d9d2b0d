"""The state of a game of single models in units: who is who, where everybody stands, and what is being played.

A game subclasses `Model`, `Unit` and `Side` with what they remember, and `Field` with what else it keeps; `Field.copy`
copies the tokens, and all else by reference, so that only changeable things a game adds need a line in its own `copy`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, Self, TypeVar

from grognard.kernel.battle import Battle, Token
from grognard.kernel.geometry.base import Base, Pose
from grognard.kernel.geometry.bodies import Bodies
from grognard.kernel.geometry.terrain import Table

#: Where a body is while its model is not on the table.
NOWHERE = Pose(0.0, 0.0)


class Model(Token):
    """One miniature: its seat, the unit it is in now, its own unit (`home`), its place in the battle's bodies."""

    def __init__(self, model_id: str, seat: str, unit: str, body: int, *, on_table: bool) -> None:
        self.id = model_id
        self.seat = seat
        self.unit = unit
        self.home = unit
        self.body = body
        self.on_table = on_table

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id})"


class Unit(Token):
    """A unit and the ids of the models it has now."""

    def __init__(self, unit_id: str, seat: str, name: str, models: tuple[str, ...]) -> None:
        self.id = unit_id
        self.seat = seat
        self.name = name
        self.models = models

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id})"


class Side(Token):
    """One player's army; `zone` is its deployment zone (x, y, width, height), once it has one."""

    def __init__(self, side_id: str, name: str) -> None:
        self.id = side_id
        self.name = name
        self.zone: tuple[float, float, float, float] | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id})"


M = TypeVar("M", bound=Model)
U = TypeVar("U", bound=Unit)
S = TypeVar("S", bound=Side)


class Field(Battle, Generic[M, U, S]):
    """A battle of models in units on a table."""

    __slots__ = (
        "begun", "bodies", "cursor", "models", "outcome", "phase", "queue", "scenario", "sides", "stage", "units",
    )  # fmt: skip

    def __init__(self, seats: Sequence[str], table: Table, house: dict[str, Any], scenario: str, phase: str) -> None:
        super().__init__(seats, table, house)
        self.scenario = scenario
        self.bodies = Bodies()
        self.models: dict[str, M] = {}
        self.units: dict[str, U] = {}
        self.sides: dict[str, S] = {}
        self.phase = phase
        self.begun = False  # whether this phase's opening has been played
        self.stage = 0  # which part of this phase is being played
        self.cursor = 0  # whose move it is in this phase, where players take turns
        self.queue: tuple[Any, ...] = ()  # what the phase still has to do, where it cannot be derived
        self.outcome: dict[str, Any] | None = None

    def copy(self) -> Self:
        """A battle that can go its own way. A game's own lists and dictionaries are copied by its own `copy`."""
        twin = object.__new__(type(self))
        for slot in slots(type(self)):
            setattr(twin, slot, getattr(self, slot))
        twin.forget()
        twin.bodies = self.bodies.copy()
        twin.models = {key: model.copy() for key, model in self.models.items()}
        twin.units = {key: unit.copy() for key, unit in self.units.items()}
        twin.sides = {key: side.copy() for key, side in self.sides.items()}
        return twin

    # ------------------------------------------------------------------ who is who

    def model(self, model_id: str) -> M:
        return self.models[model_id]

    def unit_of(self, model: M) -> U:
        return self.units[model.unit]

    def members(self, unit: U) -> list[M]:
        """The models a unit has now, in its own order."""
        return [self.models[model_id] for model_id in unit.models]

    def on_table(self, seat: str | None = None) -> Iterator[M]:
        """The models on the table, of one seat or all, in the order they were mustered."""
        for model in self.models.values():
            if model.on_table and (seat is None or model.seat == seat):
                yield model

    # ------------------------------------------------------------------ where things are

    def pose(self, model: M) -> Pose:
        return self.bodies.pose(model.body)

    def base(self, model: M) -> Base:
        return self.bodies.base(model.body)

    def put(self, model: M, pose: Pose) -> None:
        """Set a model down on the table, or elsewhere on it."""
        self.bodies.restore(model.body, pose)
        model.on_table = True

    def lift(self, model: M) -> None:
        """Take a model off the table."""
        self.bodies.remove(model.body)
        model.on_table = False

    # ------------------------------------------------------------------ mustering

    def enlist(self, side: S) -> S:
        """A player's side joins the battle."""
        self.sides[side.id] = side
        return side

    def embody(
        self, bases: Sequence[Base], poses: Sequence[Pose] | None = None, heights: Sequence[float] | None = None
    ) -> list[int]:
        """Bodies for models: standing at these poses, or off the table."""
        where = list(poses) if poses is not None else [NOWHERE] * len(bases)
        rows = list(self.bodies.add_many(list(bases), where, list(heights or [0.0] * len(bases))))
        if poses is None:
            for row in rows:
                self.bodies.remove(row)
        return rows

    def muster(self, unit: U, models: Sequence[M]) -> U:
        """A unit and its models join the battle."""
        self.units[unit.id] = unit
        for model in models:
            self.models[model.id] = model
        return unit


def disagreements(battle: Field[Any, Any, Any]) -> Iterator[str]:
    """Whatever does not fit together in the state of any game, in words: for its invariants.

    Models and bodies agree on who is on the table, units and models on who belongs where, nobody is in two units.
    """
    listed: dict[str, str] = {}
    for unit in battle.units.values():
        for model_id in unit.models:
            model = battle.models.get(model_id)
            if model is None or model.unit != unit.id or model.seat != unit.seat:
                yield f"{unit.id}: {model_id} does not belong to it"
            if listed.setdefault(model_id, unit.id) != unit.id:
                yield f"{model_id}: is in {listed[model_id]} and in {unit.id}"
    for model in battle.models.values():
        if model.on_table != battle.bodies.is_present(model.body):
            yield f"{model.id}: is on the table as a model or as a base, not as both"
        if model.on_table and model.id not in listed:
            yield f"{model.id}: is on the table in no unit"


_SLOTS: dict[type, tuple[str, ...]] = {}


def slots(kind: type) -> tuple[str, ...]:
    """Every slot of a class, its parents' included."""
    if kind not in _SLOTS:
        found = [slot for parent in kind.__mro__ for slot in getattr(parent, "__slots__", ())]
        _SLOTS[kind] = tuple(dict.fromkeys(found))
    return _SLOTS[kind]
