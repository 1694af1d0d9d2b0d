"""What a table offers beside the questions: bodies that move as one, reach, sight, measuring, odds of a choice.

A game with more to say subclasses Tools (`Ruleset.tools`); what is here serves every game whose placements are paths
of single models (kernel/tracks.py). None means: this game, or this question, has no such thing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from grognard.kernel.battle import Battle
from grognard.kernel.errors import BadInput, Refusal, Refused
from grognard.kernel.formation.preview import Aimed, Carried, Filed, Paced, Resumed, Traced, Turned, pointed, walked
from grognard.kernel.geometry.base import Base, Pose, Shape
from grognard.kernel.geometry.gaps import gap, gap_to_point
from grognard.kernel.odds.odds import Odds
from grognard.kernel.placing import bodies
from grognard.kernel.placing.judges import SpotJudge
from grognard.kernel.placing.tracks import parse, write
from grognard.kernel.questions import OPEN, Place, Question, Roll
from grognard.kernel.screen.around import Around
from grognard.kernel.screen.scene import Figure, Scene
from grognard.kernel.words.tally import Change, Num, Tally

Point = tuple[float, float]
_SHAPES = {"circle": Shape.CIRCLE, "oval": Shape.OVAL, "rectangle": Shape.RECT}


class Reach(msgspec.Struct, frozen=True):
    """How far a mover may still go, the outline of where it can get to and how the length comes about (in the game's
    unit), where that is known; `levels`: how far to each level it may end on, where that differs.
    """

    mover: str
    left_mm: float
    outline: tuple[Point, ...] | None = None
    why: tuple[Change, ...] = ()
    levels: dict[int, float] = {}


class Seen(msgspec.Struct, frozen=True):
    """A model that is seen; `cover` and what gives it, where there is any; `by` are those who see it."""

    id: str
    cover: bool
    by: tuple[str, ...] = ()
    why: str = ""


class Measured(msgspec.Struct, frozen=True):
    """A length between two things or points, in millimetres, and from where to where."""

    length_mm: float
    ends: tuple[Point, Point]
    rule: str = ""


class Tools:
    """What every game's table can do; stateless, as rulesets are.

    `own` is how the names of questions begin that one's own part in the game is about.
    """

    own: tuple[str, ...] = ()

    def no_measuring(self, house: Mapping[str, Any]) -> Refusal | None:
        """Why distances may not be measured before they matter, or None."""
        return None

    def passing(self, question: Question | Roll) -> Any:
        """The answer by which a question that must be answered is let pass (to stand fast when charged), or OPEN."""
        return OPEN

    def window(self, question: Question | Roll) -> bool:
        """Whether somebody may let a question pass whenever it is asked; not where it is what his own turn is about."""
        return not question.name.startswith(self.own)

    def body(
        self, battle: Battle, scene: Scene, question: Place, mover: str, to: Point, facing: float | None, *,
        level: int | None = None, files: int | None = None,
    ) -> Any:  # fmt: skip
        """A placement of all movers with this one as near as possible to a point, legal if there is a legal one.

        Blocks go as their judge carries them, with so many files where those are chosen; single models all go alike,
        straight, each on its level or on the one that is wished.
        """
        judge = question.judge
        if isinstance(judge, Filed) and files in judge.file_counts():
            return judge.carry(to, facing, files)
        if isinstance(judge, Carried | Aimed):
            return judge.carry(to, facing)
        stands = self._stands(scene, question)
        return bodies.carry(question, stands, mover, to, facing, level, self._settle(battle, question))

    def carried_on(
        self, battle: Battle, scene: Scene, question: Place, kept: Any, mover: str, to: Point, facing: float | None,
        level: int | None, files: int | None = None,
    ) -> Any:  # fmt: skip
        """As `body`, from where a placement half made puts everybody: what was corrected stays as it is to the rest.

        Blocks go on as their judge carries them on, or else afresh.
        """
        judge = question.judge
        if isinstance(judge, Resumed):
            return judge.carry_on(kept, to, facing, files)
        if isinstance(judge, Carried | Aimed):
            return self.body(battle, scene, question, mover, to, facing, level=level, files=files)
        stands = bodies.ends(parse(kept, question.movers, question.rule), self._stands(scene, question))
        return bodies.carry(question, stands, mover, to, facing, level, self._settle(battle, question))

    def settled(self, battle: Battle, question: Place, wire: Any, mover: str) -> Any:
        """A placement with one mover on the level that is under it."""
        tracks = parse(wire, question.movers, question.rule)
        way = tracks.get(mover)
        if way is None or not way.path:
            return wire
        at = Pose(*way.path[-1], way.facing or 0.0, way.level)
        return write(tracks | {mover: way._replace(level=self.level(battle, question, mover, at))})

    def _stands(self, scene: Scene, question: Place) -> dict[str, Pose]:
        """Where the movers that are on the table stand."""
        found = {figure.id: figure.pose for figure in scene.models if figure.id in question.movers}
        return {name: Pose(at.x, at.y, at.facing, at.level) for name, at in found.items() if at is not None}

    def _settle(self, battle: Battle, question: Place) -> bodies.Settle:
        return lambda name, end: self.level(battle, question, name, end)

    def levels(self, question: Place) -> tuple[int, ...]:
        """The levels somebody may choose to end on, ascending; none where there is nothing to choose."""
        return ()

    def level(self, battle: Battle, question: Place, mover: str, at: Pose) -> int:
        """The level a mover ends on there: the one of `at`, if there is such a one under it, or the next lower."""
        return at.level

    def ghosts(self, scene: Scene, question: Place, wire: Any) -> dict[str, Any] | None:
        """Where every model of a block would stand, and its way there; None where the placement itself says so."""
        judge = question.judge
        if wire is None:
            return None
        try:
            if isinstance(judge, Aimed) or (isinstance(judge, SpotJudge) and judge.turns):
                swept = judge.traces(wire) if isinstance(judge, Traced) else ()
                facing = judge.looks(wire) if isinstance(judge, Turned) else 0.0
                spot = judge.point(wire)
                return pointed(question.movers[0], spot, swept, facing, () if isinstance(judge, Aimed) else (spot,))
            blocks = judge.stages(wire) if isinstance(judge, Carried) else ()
        except Refused:
            return None
        models = next((troop.models for troop in scene.units if troop.id in question.movers), ())
        far = judge.spent(wire) if blocks and isinstance(judge, Paced) else None
        return dict(walked(models, blocks, far)) if blocks else None

    def reach(self, battle: Battle, scene: Scene, question: Place, mover: str) -> Reach | None:
        """How far a mover may still go."""
        return None

    def sight(self, battle: Battle, viewers: Sequence[str]) -> list[Seen] | None:
        """Whom these models see, and in what cover."""
        return None

    def measure(self, battle: Battle, scene: Scene, start: str | Point, end: str | Point) -> Measured:
        """From edge to edge between models, else between points."""
        a, b = _thing(scene, start), _thing(scene, end)
        ends = (_middle(a), _middle(b))
        if isinstance(a, Figure) and isinstance(b, Figure):
            return Measured(round(max(0.0, gap(_base(a), _pose(a), _base(b), _pose(b))), 3), ends)
        if isinstance(a, Figure):
            return Measured(round(max(0.0, gap_to_point(_base(a), _pose(a), *ends[1])), 3), ends)
        if isinstance(b, Figure):
            return Measured(round(max(0.0, gap_to_point(_base(b), _pose(b), *ends[0])), 3), ends)
        return Measured(round(math.dist(*ends), 3), ends)

    def around(self, battle: Battle, unit: str, models: Sequence[str]) -> list[Around]:
        """The arcs of a unit of these models and the reach of its weapons."""
        return []

    def numbers(self, battle: Battle, model: str) -> dict[str, Tally]:
        """The characteristics of a model on the table as they are now, by the labels of their cells on its card."""
        return {}

    def odds(self, battle: Battle, question: Question, option: str) -> Odds | None:
        """The odds of what choosing this option would set off."""
        return None


def allowed(speed: Tally, length: Num, rule: str) -> tuple[Change, ...]:
    """How a length somebody may go comes about: a speed, and what this very move makes of it."""
    far = round(length, 3)
    return tuple((speed if speed.value == far else speed.set(far, "this move", rule)).changes)


def _thing(scene: Scene, what: str | Point) -> Figure | Point:
    if not isinstance(what, str):
        return what
    found = next((figure for figure in scene.models if figure.id == what), None)
    if found is None or found.pose is None:
        raise BadInput("{name} is not on the table", name=what[:80])
    return found


def _middle(thing: Figure | Point) -> Point:
    return (_pose(thing).x, _pose(thing).y) if isinstance(thing, Figure) else thing


def _pose(figure: Figure) -> Pose:
    assert figure.pose is not None
    return Pose(figure.pose.x, figure.pose.y, figure.pose.facing)


def _base(figure: Figure) -> Base:
    return Base(_SHAPES[figure.base.shape], figure.base.width, figure.base.depth)
