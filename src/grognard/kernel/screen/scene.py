"""One drawable description of a battle for every screen, whatever the game.

Lengths are millimetres, bearings are compass degrees, x runs right and y up from the table's lower left corner.
What people read is either a name (`name`, `title`: shown as it is, or as the catalogues have it) or a code of the
game's texts (`text`, `label`), to be said with its `data`. A scene holds only what one seat may know.

A game builds its scene from its own state with the helpers below (`terrain`, `stand`, `foot`, `box`, `disc`, …);
kernel/sketch.py draws whatever a view shows, for games that have not written theirs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Literal, TypeVar

import msgspec

from grognard.kernel.data.typed import convert
from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.terrain import Piece, rectangle
from grognard.kernel.words.tally import Change, Tally

Point = tuple[float, float]
H = TypeVar("H", bound=Hashable)
_ROUND = 48  # corners of a circle drawn as a polygon


class Said(msgspec.Struct, frozen=True):
    """A short code for machines and the text for people: a code of the game's texts and its facts."""

    code: str
    text: str
    data: dict[str, Any] = {}
    rule: str = ""


class Count(msgspec.Struct, frozen=True):
    """A number with its text: a score, command points left, dice in a pool. `most` where there is a limit.

    `why` is how it comes about, where the game computes it from what is on the table; else its events tell
    (kernel/accounts.py).
    """

    code: str
    text: str
    value: float
    most: float | None = None
    why: tuple[Change, ...] = ()


class Board(msgspec.Struct, frozen=True):
    """The table; `unit` ("cm" or "inch") is how people speak of lengths, `unit_mm` how long that is."""

    width: float
    height: float
    unit: str
    unit_mm: float


class Ground(msgspec.Struct, frozen=True):
    """A piece of terrain. `class` is what it does to movement; `levels` are the heights one can stand on."""

    id: str
    kind: str
    name: str
    points: tuple[Point, ...]
    height: float = 0.0
    levels: tuple[float, ...] = ()
    sight: str = "open"
    class_: str = msgspec.field(default="", name="class")
    traits: tuple[str, ...] = ()
    states: tuple[Said, ...] = ()


class Stand(msgspec.Struct, frozen=True):
    """Where a model stands and looks."""

    x: float
    y: float
    facing: float = 0.0
    level: int = 0


class Foot(msgspec.Struct, frozen=True):
    """A base: width across the front, depth front to back."""

    shape: Literal["circle", "oval", "rectangle"]
    width: float
    depth: float


class Wounds(msgspec.Struct, frozen=True):
    """What a model can still take, and what it could take at the start."""

    now: float
    start: float


class Figure(msgspec.Struct, frozen=True):
    """A model; `pose` is None off the table. `card` is a key of the scene's cards."""

    id: str
    name: str
    side: str
    unit: str
    card: str
    pose: Stand | None
    base: Foot
    height: float = 0.0
    wounds: Wounds | None = None
    states: tuple[Said, ...] = ()


class Formation(msgspec.Struct, frozen=True):
    """A ranked block's shape."""

    files: int
    ranks: int


class Troop(msgspec.Struct, frozen=True):
    """A unit and the models it has now; `outline` are the four corners of a ranked block, front left first.

    `card` is the card of a unit whose models have left the scene: what it was can still be read.
    """

    id: str
    name: str
    side: str
    models: tuple[str, ...]
    formation: Formation | None = None
    outline: tuple[Point, ...] | None = None
    states: tuple[Said, ...] = ()
    tags: tuple[str, ...] = ()
    card: str = ""


class Circle(msgspec.Struct, frozen=True):
    x: float
    y: float
    radius: float


class Zone(msgspec.Struct, frozen=True):
    """An area to be shown: a deployment zone, an objective's reach, an aura. A round one has its `circle` too."""

    id: str
    kind: str
    text: str
    points: tuple[Point, ...]
    side: str | None = None
    circle: Circle | None = None
    data: dict[str, Any] = {}


class Token(msgspec.Struct, frozen=True):
    """A marker: an objective, a manuscript, a flag. Carried ones are where their bearer is."""

    id: str
    kind: str
    name: str
    x: float
    y: float
    radius: float = 0.0
    owner: str | None = None
    bearer: str | None = None
    states: tuple[Said, ...] = ()


class Player(msgspec.Struct, frozen=True):
    """A side: its colour is its place at the table. After the seats may come sides nobody plays."""

    id: str
    name: str
    colour: int
    score: tuple[Count, ...] = ()
    pools: tuple[Count, ...] = ()
    states: tuple[Said, ...] = ()


class Step(msgspec.Struct, frozen=True):
    """One phase of the turn's list."""

    code: str
    text: str
    now: bool = False


class Clock(msgspec.Struct, frozen=True):
    """What is being played. `turns` is the last turn, where that is known."""

    turn: int
    phase: str
    phases: tuple[Step, ...]
    acting: str | None = None
    turns: int | None = None


class Cell(msgspec.Struct, frozen=True):
    """One characteristic; both are shown as they are, the label by its text where it has one."""

    label: str
    value: str


class Grid(msgspec.Struct, frozen=True):
    """A table of weapons, spells, …: a text for its title, one for each column, rows of what is printed."""

    text: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Special(msgspec.Struct, frozen=True):
    """A special rule on a card, as printed, and the rule that says what it does."""

    name: str
    rule: str = ""


class Card(msgspec.Struct, frozen=True):
    """What a model's card says, ready to be laid out."""

    id: str
    title: str
    cells: tuple[Cell, ...] = ()
    grids: tuple[Grid, ...] = ()
    abilities: tuple[Special, ...] = ()
    tags: tuple[str, ...] = ()


class Scene(msgspec.Struct, frozen=True):
    """All that a screen draws for one seat."""

    table: Board
    clock: Clock
    sides: tuple[Player, ...] = ()
    terrain: tuple[Ground, ...] = ()
    models: tuple[Figure, ...] = ()
    units: tuple[Troop, ...] = ()
    zones: tuple[Zone, ...] = ()
    tokens: tuple[Token, ...] = ()
    cards: dict[str, Card] = {}

    def plain(self) -> dict[str, Any]:
        """The scene as plain data, as it goes over the wire."""
        shown: dict[str, Any] = msgspec.to_builtins(self)
        return shown

    def codes(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Every code of the game's texts a screen has to say, with its facts."""
        yield from ((step.text, {}) for step in self.clock.phases)
        for side in self.sides:
            yield from ((count.text, {"value": count.value}) for count in (*side.score, *side.pools))
        holders: list[Ground | Figure | Troop | Token | Player] = [*self.terrain, *self.models, *self.units]
        for holder in (*holders, *self.tokens, *self.sides):
            yield from ((state.text, state.data) for state in holder.states)
        yield from ((zone.text, zone.data) for zone in self.zones)
        for card in self.cards.values():
            yield from ((cell.label, {}) for cell in card.cells)
            for grid in card.grids:
                yield from ((code, {}) for code in (grid.text, *grid.columns))


def read(data: Any) -> Scene:
    """A scene from plain data; a wrong one raises msgspec.ValidationError with the place."""
    return convert(data, Scene, strict=False)


# ---------------------------------------------------------------------- parts


def said(code: str, rule: str = "", **data: Any) -> Said:
    """A state of a model, unit, token or side by its short code, told by the text `state.CODE`."""
    return Said(code, f"state.{code}", data, rule)


def states(**holds: object) -> tuple[Said, ...]:
    """The states that hold, in the order given: `states(moved=model.moved, fleeing=unit.fleeing)`."""
    return tuple(said(code.replace("_", "-")) for code, true in holds.items() if true)


def count(code: str, value: float | Tally, most: float | None = None) -> Count:
    """A number of a side by its short code, told by the text `count.CODE`; a tally brings its why."""
    if isinstance(value, Tally):
        return Count(code, f"count.{code}", value.value, most, tuple(value.changes))
    return Count(code, f"count.{code}", value, most)


def clock(
    turn: int, phase: str, phases: Sequence[str], acting: str | None = None, turns: int | None = None,
    before: Sequence[str] = (),
) -> Clock:  # fmt: skip
    """The turn and its phases, told by the texts `phase.CODE`; a phase out of the list stands last.

    What comes `before` the battle is left out once it has begun.
    """
    listed = tuple(p for p in phases if not turn or p not in before)
    listed = listed if phase in listed or not phase else (*listed, phase)
    return Clock(turn, phase, tuple(Step(p, f"phase.{p}", p == phase) for p in listed), acting, turns)


def terrain(
    piece: Piece, name: str, movement: str = "", levels: Sequence[float] = (), shown: tuple[Said, ...] = ()
) -> Ground:  # fmt: skip
    """A piece of the table; `movement` is its class."""
    return Ground(
        piece.id, piece.kind, name, piece.points, piece.height, tuple(levels), piece.sight, movement, piece.traits,
        shown,
    )  # fmt: skip


def stand(pose: Pose) -> Stand:
    return Stand(pose.x, pose.y, pose.facing, pose.level)


_SHAPES: dict[Shape, Literal["circle", "oval", "rectangle"]] = {
    Shape.CIRCLE: "circle", Shape.OVAL: "oval", Shape.RECT: "rectangle",
}  # fmt: skip


def foot(base: Base) -> Foot:
    return Foot(_SHAPES[base.shape], base.width, base.length)


def area(
    zone_id: str, kind: str, points: Iterable[Point], side: str | None = None, *, circle: Circle | None = None,
    **data: Any,
) -> Zone:  # fmt: skip
    """A polygon as a zone, told by the text `zone.KIND`, which may name its {side}."""
    ring = tuple((float(x), float(y)) for x, y in points)
    return Zone(zone_id, kind, f"zone.{kind}", ring, side, circle, data if side is None else {"side": side, **data})


def box(zone_id: str, kind: str, at: tuple[float, float, float, float], side: str | None = None, **data: Any) -> Zone:
    """An upright rectangle (x, y, width, height) as a zone."""
    return area(zone_id, kind, rectangle(*at), side, **data)


def disc(zone_id: str, kind: str, x: float, y: float, radius: float, side: str | None = None, **data: Any) -> Zone:
    """A circle as a zone."""
    turns = [math.tau * n / _ROUND for n in range(_ROUND)]
    points = [(round(x + radius * math.cos(t), 3), round(y + radius * math.sin(t), 3)) for t in turns]
    return area(zone_id, kind, points, side, circle=Circle(x, y, radius), **data)


def keyed(cards: Iterable[H], name: Callable[[H], str]) -> dict[H, str]:
    """A key for every different card: its name, numbered where two different cards share one."""
    found: dict[H, str] = {}
    taken: dict[str, int] = {}
    for card in cards:
        if card not in found:
            plain = name(card)
            taken[plain] = taken.get(plain, 0) + 1
            found[card] = plain if taken[plain] == 1 else f"{plain} ({taken[plain]})"
    return found


def cells(source: Any, names: Iterable[str], *, dash: str = "-") -> tuple[Cell, ...]:
    """Characteristics of a card by attribute name, each labelled by the text `stat.NAME`; None is a dash."""
    return tuple(Cell(f"stat.{name}", printed(getattr(source, name), dash)) for name in names)


def grid(what: str, rows: Sequence[Any], names: Sequence[str]) -> tuple[Grid, ...]:
    """A table of weapons or the like with the attributes `names` as columns; none where there are no rows.

    Its title is the text `grid.WHAT`, its columns are the texts `stat.NAME`.
    """
    if not rows:
        return ()
    printed_rows = tuple(tuple(printed(getattr(row, name)) for name in names) for row in rows)
    return (Grid(f"grid.{what}", tuple(f"stat.{name}" for name in names), printed_rows),)


def printed(value: Any, dash: str = "-") -> str:
    """A value as a card prints it."""
    if value is None or value == ():
        return dash
    if isinstance(value, bool):
        return "x" if value else dash
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return ", ".join(printed(item) for item in value)
    return str(value)
