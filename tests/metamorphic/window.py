"""A game seen through a window: it is played in another frame, and everything said to it or by it is in the author's.

The battle is carried over when it is created; placements, directions and words of sides go in by `forth`, questions,
proposals, events and states come out by `back`. Whoever holds the game (a match, the case runner) notices nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

import msgspec

from grognard.games.ades.table.setting_down import PutJudge
from grognard.games.t9a.units.placing import SpotJudge as BlockJudge
from grognard.kernel.battle import Battle
from grognard.kernel.events import Event
from grognard.kernel.geometry.units import snap_facing
from grognard.kernel.placing.judges import SpotJudge
from grognard.kernel.questions import Option, Pick, Place, Question, Roll, Script, Together
from grognard.kernel.ruleset import Ruleset
from tests.metamorphic import state
from tests.metamorphic.motion import HANDS, Motion

#: Questions whose left, right, north and so on are sides of the table, not of somebody on it.
OF_THE_TABLE = frozenset(
    ("zone.choose", "zone.short-edge", "zone.diagonal", "deploy.edge", "rout.edge", "table.side", "restock.edge")
)
#: Questions whose options are directions as the table lies: points of the compass, hours of a clock with twelve upward.
ALIGNED = frozenset(("referee.flight", "summon.where", "disembark.where"))
#: Directions a game proposes by name.
POINTS_OF_COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
#: Choices between turns to the right (30) and to the left (-30).
SWINGS = frozenset({"wedge.swing"})
#: Numbers that are compass bearings.
BEARINGS = frozenset({"random.direction", "move.bearing", "move.facing"})
#: Rolls of an hour of the clock, straight ahead being twelve.
HOURS = frozenset(
    {"machine.scatter", "grenade.scatter", "crash.way", "bomb.way", "amok.way", "stupidity.clock", "fire.whither"}
)
#: Faces that say left or right, and those that say the other.
SIDED = {"runaway.way": {1: 5, 2: 6, 5: 1, 6: 2}, "death-throes": {2: 4, 3: 4, 4: 2}}
#: The sides of a body in the order in which they are told.
CLOCKWISE = ("front", "right", "rear", "left")
#: Keys of what is told or shown that hold a side of the table.
EDGES = frozenset({"edge", "short_edge", "half"})
#: Keys that hold a side of somebody, and never anybody's name.
SIDES = frozenset({"falls", "way"})
#: Keys that hold points in the game's own unit.
POINTS = frozenset({"at", "front", "duds"})
#: Keys that hold compass bearings.
FACINGS = frozenset({"facing", "bearing"})


class Frame:
    """What goes in and comes out of a window, of a game whose people speak of lengths in a unit of so many mm."""

    def __init__(self, motion: Motion, unit: float, size: tuple[float, float], names: frozenset[str]) -> None:
        self.motion = motion
        self.forth, self.back = motion, motion.back
        self.spoken_forth, self.spoken_back = motion.within(unit), motion.back.within(unit)
        self.unit = unit
        self.size = size  # the author's table
        self.names = names  # of units and models: some are called left or west
        self.aligned = False  # whether a direction was named that the turned table has no name for
        self.usual = False  # whether of left and right the usual one could be taken without a word

    # ------------------------------------------------------------------ placements

    def placement(self, wire: Any, way: Motion, of_table: bool = False) -> Any:
        """A placement in mm, in or out."""
        if isinstance(wire, dict):
            if isinstance(wire.get("propose"), str):
                return {**wire, "propose": self.word(wire["propose"], way, of_table)}
            return self._mapping(wire, way)
        if _is_point(wire):
            return list(way.point(wire))
        return [self.placement(part, way) for part in wire] if isinstance(wire, list | tuple) else wire

    def _mapping(self, wire: dict[str, Any], way: Motion) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if _is_number(wire.get("x")) or _is_number(wire.get("y")):
            found = self._coordinates(wire, way)
        for key, value in wire.items():
            if key in ("x", "y") and _is_number(value):
                continue
            if key in ("facing", "bearing") and _is_number(value):
                found[key] = snap_facing(way.bearing(value))
            elif (key in ("pivot", "turn", "shift") and _is_number(value)) or (key == "angle" and "pivot" in wire):
                found[key] = way.turn(value)
            elif key in ("wheel", "wheel_back", "arc", "turn"):
                found[key] = way.hand(value)
            elif key in ("left", "right") and _is_number(value):
                found[way.hand(key)] = value
            elif key == "files" and isinstance(value, list):
                found[key] = value[::-1] if way.mirrored else value
            elif key in ("seats", "rear", "level", "ranks", "files"):
                found[key] = value
            else:
                found[key] = self.placement(value, way)
        return found

    def _coordinates(self, wire: dict[str, Any], way: Motion) -> dict[str, Any]:
        """x and y; one of them alone is a place along an edge."""
        self.aligned = self.aligned or not ("x" in wire and "y" in wire)
        x, y = way.point((wire.get("x", 0.0), wire.get("y", 0.0)))
        swapped = way.quarters in (1, 3)
        held = {"y" if (key == "x") == swapped else "x" for key in ("x", "y") if key in wire}
        return {key: value for key, value in (("x", x), ("y", y)) if key in held}

    # ------------------------------------------------------------------ words

    def word(self, word: str, way: Motion, of_table: bool) -> str:
        """A word of a side, unless somebody is called so."""
        if word in self.names:
            return word
        if word in POINTS_OF_COMPASS and way.degrees % 45 == 0:
            place = POINTS_OF_COMPASS.index(word)
            return POINTS_OF_COMPASS[((-place if way.mirrored else place) + int(way.degrees // 45)) % 8]
        return way.edge(word) if of_table else way.hand(word)

    def options(self, options: Sequence[Option], of_table: bool) -> tuple[Option, ...]:
        return tuple(msgspec.structs.replace(o, key=self.word(o.key, self.back, of_table)) for o in options)

    def keys(self, held: Mapping[str, Any], of_table: bool) -> dict[str, Any]:
        return {self.word(key, self.back, of_table): value for key, value in held.items()}

    # ------------------------------------------------------------------ what is told and shown

    def told(self, value: Any, key: str = "") -> Any:
        """Data that comes out: points, bearings and words by their keys."""
        if isinstance(value, str):
            if key in SIDES:
                return self.back.hand(value)
            return self.word(value, self.back, key in EDGES)
        if isinstance(value, dict):
            return {name: self.told(part, name) for name, part in value.items()}
        if isinstance(value, list | tuple) and value and all(p in CLOCKWISE and p not in self.names for p in value):
            return sorted((self.told(part, key) for part in value), key=CLOCKWISE.index)
        if key in FACINGS and _is_number(value):
            return snap_facing(round(self.back.bearing(value), 3))
        if key == "degrees" and _is_number(value):
            return self.back.turn(value)
        if key == "hour" and _is_number(value):
            return 12 - value if self.back.mirrored and value < 12 else value
        if key in POINTS and _is_point(value):
            return [round(n, 4) for n in self.spoken_back.point(value)]
        if key == "zone" and isinstance(value, list | tuple) and len(value) == 4 and all(map(_is_number, value)):
            return [round(n, 4) for n in self.spoken_back.box(tuple(value))]
        if key == "table" and _is_point(value):
            return [n / self.unit for n in self.size]
        if key == "size" and _is_point(value) and self.back.quarters in (1, 3):
            return list(value[::-1])
        return [self.told(part, key) for part in value] if isinstance(value, list | tuple) else value

    def shown(self, value: Any) -> Any:
        """A view, in mm."""
        if isinstance(value, dict):
            found = {key: self.shown(part) for key, part in value.items()}
            if _is_number(value.get("x")) and _is_number(value.get("y")):
                found["x"], found["y"] = (round(n, 3) for n in self.back.point((value["x"], value["y"])))
                if _is_number(value.get("facing")):
                    found["facing"] = snap_facing(round(self.back.bearing(value["facing"]), 3))
            return found
        return [self.shown(part) for part in value] if isinstance(value, list | tuple) else value

    def said(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Arguments of a measure, in the game's unit."""
        found = dict(arguments)
        for key, value in arguments.items():
            if key in POINTS and _is_point(value):
                found[key] = list(self.spoken_forth.point(value))
            elif key in FACINGS and _is_number(value):
                found[key] = self.forth.bearing(value)
            elif isinstance(value, str) and value not in self.names:
                found[key] = self.word(value, self.forth, key in EDGES)
        return found

    # ------------------------------------------------------------------ dice

    def faces(self, roll: Roll, faces: Any) -> Any:
        """Dice that say a direction: an hour of the clock, a turn, or a bearing."""
        way = self.forth
        if roll.name == "direction" and roll.sides == 360:
            return tuple(round(way.bearing(face - 1)) % 360 + 1 for face in faces)
        if not way.mirrored:
            return faces
        if roll.name in HOURS:
            round_ = 360 if roll.sides == 360 else 12  # an arrow points to the degree
            return tuple(round_ - face if face < round_ else face for face in faces)
        other = SIDED.get(roll.name, {})
        return tuple(other.get(face, face) for face in faces)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_point(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(map(_is_number, value))


def _looking(way: Any, looks: float) -> Any:
    """What is said of a mover, with where it looks."""
    if isinstance(way, list | tuple):
        return {"path": [way] if _is_point(way) else way, "facing": looks}
    return {"facing": looks, **way} if isinstance(way, dict) else way


class Judge:
    """A judge of placements, asked in the author's frame."""

    def __init__(self, inner: Any, frame: Frame, of_table: bool) -> None:
        self.inner = inner
        self.frame = frame
        self.of_table = of_table

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def _in(self, wire: Any) -> Any:
        """A placement that does not say where it looks looks where the author's table would have it look."""
        if _is_number(wire):  # a direction alone
            return snap_facing(self.frame.forth.bearing(wire))
        if isinstance(wire, dict) and "propose" not in wire:
            if isinstance(self.inner, PutJudge) or (isinstance(self.inner, SpotJudge) and self.inner.facing == 0.0):
                wire = {mover: _looking(way, self.inner.facing) for mover, way in wire.items()}
            elif isinstance(self.inner, BlockJudge) and self.frame.motion.quarters is None:
                usual = next((facing for _, facing in self.inner._known().values()), 0.0)
                wire = {"facing": usual, **wire}
        return self.frame.placement(wire, self.frame.forth, self.of_table)

    def _out(self, wire: Any) -> Any:
        return None if wire is None else self.frame.placement(wire, self.frame.back, self.of_table)

    def decode(self, wire: Any) -> Any:
        return self.inner.decode(self._in(wire))

    def encode(self, wire: Any) -> Any:
        return self._out(self.inner.encode(self._in(wire)))

    def proposals(self) -> list[str]:
        return [self.frame.word(name, self.frame.back, self.of_table) for name in self.inner.proposals()]

    def propose(self, name: str) -> Any:
        self.frame.aligned = self.frame.aligned or (name in POINTS_OF_COMPASS and self.frame.motion.degrees % 45 != 0)
        return self._out(self.inner.propose(self.frame.word(name, self.frame.forth, self.of_table)))


Size = tuple[float, float]


class Carried(NamedTuple):
    """How everything is carried elsewhere, how large the table is there, and where the players' sides of it go, if not
    with the rest.
    """

    motion: Motion
    size: Size
    sides: Motion | None = None


#: How a table of some size is carried elsewhere.
Plan = Callable[[Size], Carried]


def through(ruleset: Ruleset, plan: Plan) -> Ruleset:
    """The game played in another frame, for one match."""
    kind: type[Ruleset] = type(ruleset)

    class Window(kind):  # type: ignore[misc, valid-type]
        """The same game, seen from the author's frame."""

        frame: Frame
        __module__ = kind.__module__  # where a trace looks for the rules

        def __hash__(self) -> int:
            return hash(ruleset)

        def __eq__(self, other: object) -> bool:
            return other is self or other is ruleset or getattr(other, "seen", None) is ruleset

        seen = ruleset

        def create(self, setup: dict[str, Any], house: dict[str, Any]) -> Battle:
            battle: Battle = super().create(setup, house)
            size = (battle.table.width, battle.table.height)
            motion, there, sides = plan(size)
            self.frame = Frame(motion, self.unit_mm, size, frozenset(self.names(battle)))
            state.carried(battle, motion, there, sides)
            return battle.copy()

        def script(self, battle: Battle) -> Script[None]:
            return _script(super().script(battle), battle, self.frame)

        def view(self, battle: Battle, seat: str | None) -> dict[str, Any]:
            found: dict[str, Any] = self.frame.shown(super().view(battle, seat))
            return found

        def state(self, battle: Battle, thing: str) -> dict[str, Any]:
            found: dict[str, Any] = self.frame.told(super().state(battle, thing))
            return found

        def measure(self, battle: Battle, what: str, arguments: dict[str, Any]) -> Any:
            found = super().measure(battle, what, self.frame.said(arguments))
            return self.frame.told(found) if isinstance(found, str | list | tuple | dict) else found

    window: Ruleset = Window.__new__(Window)
    window.__dict__.update(ruleset.__dict__)
    return window


def _script(inner: Script[None], battle: Battle, frame: Frame) -> Script[None]:
    """The rules, asked and answered through the window."""
    answer: Any = None
    while True:
        before = len(battle.events)
        try:
            ask = inner.send(answer)
        except StopIteration:
            return
        finally:
            _retell(battle.events, before, frame)
        answer = yield _asked(ask, frame)
        if isinstance(ask, Roll):
            answer = frame.faces(ask, answer)
        elif isinstance(ask, Question) and ask.name in BEARINGS:
            answer = round(frame.forth.bearing(answer), 6) % 360


def _retell(events: list[Event], start: int, frame: Frame) -> None:
    for place in range(start, len(events)):
        event = events[place]
        if event.kind != "roll" and event.data:
            events[place] = msgspec.structs.replace(event, data=frame.told(event.data))


def _other_way(degrees: str) -> str:
    """A turn the other way: 30 and -30, left and right."""
    if degrees in HANDS:
        return HANDS[degrees]
    return degrees.removeprefix("-") if degrees.startswith("-") else f"-{degrees}"


def _asked(ask: Any, frame: Frame) -> Any:
    """A question in the author's words; the one of the rules is left alone, for it may be asked again."""
    if isinstance(ask, Together):
        twin = copy(ask)
        twin.questions = tuple(_asked(question, frame) for question in ask.questions)
        return twin
    of_table = getattr(ask, "name", "") in OF_THE_TABLE
    if isinstance(ask, Pick) and ask.name in SWINGS and frame.motion.mirrored:
        swung = copy(ask)
        swung.options = tuple(msgspec.structs.replace(o, key=_other_way(o.key)) for o in ask.options)
        return swung
    if isinstance(ask, Place):
        placed = copy(ask)
        placed.judge = Judge(ask.judge, frame, of_table)
        return placed
    if isinstance(ask, Pick):
        picked = copy(ask)
        picked.options = frame.options(ask.options, of_table)
        picked.barred = frame.keys(ask.barred, of_table)
        frame.aligned = frame.aligned or ask.name in ALIGNED
        frame.usual = frame.usual or (ask.aside and (of_table or any(key in ask.keys for key in HANDS)))
        return picked
    return ask
