"""Chapter 17.4: how AIRCRAFT move: straight ahead, at least 20", then a pivot; or off the battlefield."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.movement import moves
from grognard.games.wh40k.movement.moves import Step
from grognard.games.wh40k.shooting import overwatch
from grognard.games.wh40k.table.end_positions import end_refusal
from grognard.games.wh40k.table.ground import Way, route
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.units import MM_PER_INCH, heading, inches, snap, snap_facing
from grognard.kernel.placing.judges import TrackJudge
from grognard.kernel.placing.tracks import Track
from grognard.kernel.questions import Pick, Place, Script, option

LEAST = inches(20)
RULE = "wh40k:17.4.2-straight"
EXIT = "wh40k:17.4.3-exit"
TURNS = (0, 45, -45, 90, -90)
#: Steps in which places ahead are looked for, in inches.
STRIDE = 0.5


class AircraftJudge(TrackJudge[list[Step]]):
    """wh40k:17.4.2-straight  Straight ahead at least 20", then up to 90 degrees about its centre."""

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self.battle = battle
        self.unit = unit
        self.model: Model = battle.members(unit)[0]
        super().__init__((self.model.id,), RULE)
        self._ahead: list[float] | None = None  # inches ahead at which it may end

    def judged(self, tracks: Mapping[str, Track]) -> list[Step]:
        track = tracks.get(self.model.id)
        pose, facts = self.battle.pose(self.model), {"model": self.model.id, "unit": self.unit.id}
        if track is None or not track.path:
            raise Refused(Refusal("refuse.aircraft-still", "wh40k:17.4.1-moves", facts))
        x, y = track.path[-1]
        ux, uy = heading(pose.facing)
        ahead, aside = (x - pose.x) * ux + (y - pose.y) * uy, (x - pose.x) * uy - (y - pose.y) * ux
        if len(track.path) > 1 or abs(aside) > 0.05:
            raise Refused(Refusal("refuse.not-straight", RULE, facts))
        if ahead < LEAST - 0.05:
            raise Refused(Refusal("refuse.not-far-enough", RULE, facts))
        facing = pose.facing if track.facing is None else track.facing
        turn = abs((facing - pose.facing + 180) % 360 - 180)
        if turn > 90.01:
            raise Refused(Refusal("refuse.turns-too-far", RULE, facts))
        step = Step(self.model, ((pose.x, pose.y), (x, y)), facing, 0)
        if not self.model.has("FLY"):
            way = route(self.battle, self.model, Way("fall-back", over=False), (self.battle.z(self.model),), air=True)
            if way.check(step.path) is not None:
                raise Refused(Refusal("refuse.through-model", "wh40k:4.3.2-blockers", facts))
        refusal = end_refusal(self.battle, self.model, step.end, Way("normal"), {self.model.id: step.end})
        if refusal is not None:
            raise Refused(refusal)
        return [step]

    def proposals(self) -> Sequence[str]:
        """wh40k:17.4.3-exit  The nearest place ahead where it may end, the farthest, and some between."""
        if self._ahead is None:
            last = int((self.battle.table.width + self.battle.table.height) / inches(1) / STRIDE)
            fars = [20 + STRIDE * k for k in range(last)]
            self._ahead = [far for far in fars if self.legal(self.suggest(f"{far:g}:0")) is not None]
        found = self._ahead
        some = dict.fromkeys(found[(len(found) - 1) * k // 4] for k in range(5)) if found else {}
        return [f"{far:g}:{turn}" for far in some for turn in TURNS]

    def suggest(self, name: str) -> Mapping[str, Track]:
        far, _, turn = name.partition(":")
        pose = self.battle.pose(self.model)
        ux, uy = heading(pose.facing)
        length = inches(float(far))
        point = (snap(pose.x + ux * length), snap(pose.y + uy * length))
        return {self.model.id: Track((point,), snap_facing(pose.facing + float(turn)))}


@cites
def fly(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:17.4.1-moves  Its only move; it leaves where it cannot make it, or flies off the edge.

    wh40k:17.4.3-exit
    """
    judge = AircraftJudge(battle, unit)
    able = judge.possible() is not None
    yield from overwatch.window(battle, unit, "start")
    if not unit.models:
        return
    options = [option("fly", text="option.fly")] if able else []
    barred = None if able else {"fly": Refusal("refuse.no-flight", EXIT, {"unit": unit.id}, ("wh40k:17.4.1-moves",))}
    kind = yield Pick(
        unit.seat, "aircraft", [*options, option("leave", text="option.leave")], rule="wh40k:17.4.1-moves",
        about=(unit.id,), barred=barred,
    )  # fmt: skip
    if kind == "leave":
        unit.turn = unit.turn.but(moved="normal")
        leave(battle, unit)
        return
    made = yield Place(
        unit.seat, "move", unit.models, judge, rule=RULE, about=(unit.id,),
        data={"kind": "option.move-normal", "least": 20},
    )  # fmt: skip
    gone = moves.apply(battle, made)
    unit.turn = unit.turn.but(moved="normal")
    battle.tell("move.made", RULE, (unit.id,), move="option.move-normal", inches=round(gone / MM_PER_INCH, 2))
    yield from overwatch.window(battle, unit, "end")


def leave(battle: Battle, unit: Unit) -> None:
    """wh40k:17.4.3-exit, wh40k:17.4.4-return  Off the battlefield into Strategic Reserves; back next turn."""
    for model in battle.members(unit):
        battle.lift(model)
    unit.where, unit.reserve, unit.returns = "reserves", "strategic", True
    unit.turn = unit.turn.but(arrived=True)
    battle.tell("aircraft.left", EXIT, (unit.id,))
