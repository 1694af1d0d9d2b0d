"""What the table offers beside the questions: units that move as one body, reach, sight, odds of a choice."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grognard.games.nemesis.army.profiles import STATS
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.disengage.disengage_moves import Ways
from grognard.games.nemesis.engage.charge_moves import ChargeJudge
from grognard.games.nemesis.forces import Model
from grognard.games.nemesis.movement.moves import MoveJudge
from grognard.games.nemesis.rolls import stats
from grognard.games.nemesis.screen import carrying, choice_odds
from grognard.games.nemesis.setup import deployment_formations
from grognard.games.nemesis.setup.deployment_places import NARROW, SPACING, WIDE, DeployJudge
from grognard.games.nemesis.table import sight
from grognard.games.nemesis.table.ground import ground
from grognard.kernel.battle import Battle as KernelBattle
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.terrain import FloatArray
from grognard.kernel.geometry.units import bearing, cm, snap, snap_facing
from grognard.kernel.odds.odds import Odds
from grognard.kernel.placing.tracks import Track, write
from grognard.kernel.questions import OPEN, Pick, Place, Question, Roll
from grognard.kernel.screen import around
from grognard.kernel.screen.around import Around
from grognard.kernel.screen.scene import Scene
from grognard.kernel.screen.tools import Point, Reach, Seen, Tools
from grognard.kernel.words.tally import Tally

NO_PREMEASURE = "nemesis:4-no-premeasure"
#: Directions in which reach is looked for, and how finely (mm).
RAYS, FINE = 48, 1.0
#: Rings round a point on which a unit is tried, and how far apart they are (mm).
RINGS, APART = 12, cm(1)
#: nemesis:10-phases  Whoever never moves, orders, casts, charges or shoots anything does not play.
OWN = (
    "move.", "order.", "magic.", "approach.", "charge.unit", "charge.models", "shoot.", "hero.action", "hero.target",
    "attempt.action", "attempt.target",
)  # fmt: skip


class NemesisTools(Tools):
    """Némésis at the table."""

    own = OWN

    def no_measuring(self, house: Mapping[str, Any]) -> Refusal | None:
        """nemesis:4-no-premeasure  Unless the players agreed to measure."""
        return None if house.get("allow_premeasure") else Refusal("refuse.no-measuring", NO_PREMEASURE, {})

    def passing(self, question: Question | Roll) -> Any:
        """nemesis:16.1-mandatory  Holding costs nothing and is always possible."""
        holds = isinstance(question, Pick) and question.name == "charge.react" and "hold" in question.keys
        return "hold" if holds else OPEN

    def body(
        self, battle: KernelBattle, scene: Scene, question: Place, mover: str, to: Point, facing: float | None, *,
        level: int | None = None, files: int | None = None,
    ) -> Any:  # fmt: skip
        """All movers go with the one that is dragged, round what is in the way, and stay together."""
        judge = question.judge
        if isinstance(judge, DeployJudge):
            return _set_down(judge, mover, to, facing)
        if isinstance(judge, Ways):
            pose = judge.battle.pose(judge.battle.models[mover])
            return carrying.legal(question, {"bearing": snap_facing(bearing(to[0] - pose.x, to[1] - pose.y))})
        carried = carrying.marched(question, judge, mover, to, facing) if isinstance(judge, MoveJudge) else None
        if carried is not None:
            return carried
        if isinstance(judge, ChargeJudge):
            return carrying.proposed(question, judge)
        straight = super().body(battle, scene, question, mover, to, facing)
        if not isinstance(judge, MoveJudge) or judge.toward is None:
            return straight
        bent = carrying.bent(question, judge, mover, to, facing)
        return carrying.nearest(judge, mover, to, facing, straight, bent)

    def reach(self, battle: KernelBattle, scene: Scene, question: Place, mover: str) -> Reach | None:
        """nemesis:12-basic  How far the model may go, and where straight ways end."""
        judge = question.judge
        if not isinstance(judge, MoveJudge):
            return None
        model = judge.battle.models[mover]
        left = judge.budget(model, model.card.fly is not None)
        return Reach(mover, round(left, 3), _outline(judge, model, left))

    def sight(self, battle: KernelBattle, viewers: Sequence[str]) -> list[Seen] | None:
        """nemesis:5.5-los  Which enemies they see; in cover where every one of them sees them so."""
        assert isinstance(battle, Battle)
        eyes = [battle.models[key] for key in viewers if key in battle.models and battle.models[key].on_table]
        found = []
        for target in battle.on_table():
            looks = [(eye, sight.look(battle, eye, target)) for eye in eyes if eye.seat != target.seat]
            seeing = [(eye, look) for eye, look in looks if look.seen]
            if seeing:
                _, best = min(seeing, key=lambda pair: pair[1].cover)
                by = tuple(eye.id for eye, _ in seeing)
                found.append(Seen(target.id, best.cover, by, best.by or "" if best.cover else ""))
        return found

    def around(self, battle: KernelBattle, unit: str, models: Sequence[str]) -> list[Around]:
        """Chapter 17.3: How far the unit's bows reach."""
        assert isinstance(battle, Battle)
        found: list[Around] = []
        bows: dict[str, tuple[float, list[Model]]] = {}
        for model in battle.standing(battle.units[unit]) if unit in battle.units else ():
            bow = battle.ranged_weapon(model)
            if bow is not None and model.on_table:
                bows.setdefault(bow.name, (bow.P, []))[1].append(model)
        for name, (far, bearers) in bows.items():
            shapes = [around.base_shape(battle.bodies.base(m.body), battle.pose(m)) for m in bearers]
            found.append(around.reach(battle.table, name, shapes, cm(far)))
        return found

    def numbers(self, battle: KernelBattle, model: str) -> dict[str, Tally]:
        """Chapter 5.1: The card's characteristics with the weapon in hand, spells and fear; a dash stays one."""
        assert isinstance(battle, Battle)
        one = battle.models.get(model)
        names = [n for n in STATS if one is not None and getattr(one.card, n) is not None]
        return {f"stat.{name}": stats.stat(battle, battle.models[model], name) for name in names}

    def odds(self, battle: KernelBattle, question: Question, option: str) -> Odds | None:
        """The blow, volley, charge or spell an option would set off."""
        assert isinstance(battle, Battle)
        return choice_odds.of_option(battle, question, option) if isinstance(question, Pick) else None


# ---------------------------------------------------------------------- bodies


def _set_down(judge: DeployJudge, mover: str, to: Point, facing: float | None) -> Any:
    """nemesis:8.3-inside  The unit in ranks with the dragged model at the point, or as near as there is room."""
    looks = judge.facing if facing is None else snap_facing(facing)
    place = [m.id for m in judge.models].index(mover)
    step = 2 * float(judge.radii.max()) + SPACING
    for columns in (WIDE, NARROW):
        ranks = deployment_formations.ranks(len(judge.models), columns, step, looks)
        around = ranks - ranks[place]
        for spot in (to, *_spots(*_within(judge, around, to))):
            at = (around + spot).tolist()
            poses = {m.id: Pose(snap(x), snap(y), looks) for m, (x, y) in zip(judge.models, at, strict=True)}
            if judge.objection(poses) is None:
                return write({key: Track(((pose.x, pose.y),), pose.facing) for key, pose in poses.items()})
    return None


def _within(judge: DeployJudge, around: FloatArray, to: Point) -> Point:
    """The point of the zone nearest to another at which a formation about it lies in the zone."""
    x, y, width, height = judge.zone
    reach = float(judge.radii.max())
    low, high = around.min(axis=0) - reach, around.max(axis=0) + reach
    return (
        float(max(x - low[0], min(x + width - high[0], to[0]))),
        float(max(y - low[1], min(y + height - high[1], to[1]))),
    )


def _spots(x: float, y: float) -> Iterator[Point]:
    """A point, then rings of points ever farther from it."""
    yield x, y
    for ring in range(1, RINGS + 1):
        for turn in range(8 if ring < 4 else 16):
            angle = math.tau * turn / (8 if ring < 4 else 16)
            yield x + ring * APART * math.cos(angle), y + ring * APART * math.sin(angle)


def _outline(judge: MoveJudge, model: Model, left: float) -> tuple[Point, ...]:
    """Where straight ways from a model end, all around."""
    battle, pose = judge.battle, judge.battle.pose(model)
    way = ground(battle, model, spared=(*judge.spared, *judge.piling_into(model)), shunned=judge.shunned)
    start, table = (pose.x, pose.y), battle.table
    flies, reach = model.card.fly is not None, battle.bodies.base(model.body).reach
    ends = []
    for turn in range(RAYS):
        ux, uy = math.cos(math.tau * turn / RAYS), math.sin(math.tau * turn / RAYS)
        low, high = 0.0, left
        while high - low > FINE:
            far = (low + high) / 2
            end = (start[0] + ux * far, start[1] + uy * far)
            on = reach <= end[0] <= table.width - reach and reach <= end[1] <= table.height - reach
            fine = on and (flies or way.check([start, end], left) is None)
            low, high = (far, high) if fine else (low, far)
        ends.append((round(start[0] + ux * low, 1), round(start[1] + uy * low, 1)))
    return tuple(ends)
