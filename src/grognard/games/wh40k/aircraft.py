"""wh40k:17.4  How AIRCRAFT move: straight ahead, at least 20", then a pivot; or off the battlefield."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.games.wh40k import moves, overwatch
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.ground import Way
from grognard.games.wh40k.moves import Step, end_refusal
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.units import MM_PER_INCH, heading, inches, snap, snap_facing
from grognard.kernel.questions import Pick, Place, Script, option
from grognard.kernel.tracks import Track, parse, write

LEAST = inches(20)
RULE = "wh40k:17.4.2-straight"
EXIT = "wh40k:17.4.3-exit"
TURNS = (0, 45, -45, 90, -90)


class AircraftJudge:
    """wh40k:17.4.2-straight  Straight ahead at least 20", then up to 90 degrees about its centre."""

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self.battle = battle
        self.unit = unit
        self.model: Model = battle.members(unit)[0]

    def decode(self, wire: Any) -> list[Step]:
        track = parse(wire, [self.model.id], RULE).get(self.model.id)
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
        refusal = end_refusal(self.battle, self.model, step.end, Way("normal"), {self.model.id: step.end})
        if refusal is not None:
            raise Refused(refusal)
        return [step]

    def encode(self, wire: Any) -> Any:
        return write(parse(wire, [self.model.id], RULE))

    def proposals(self) -> Sequence[str]:
        return [f"{far}:{turn}" for far in (20, 24, 28, 34, 40) for turn in TURNS]

    def propose(self, name: str) -> Any:
        far, _, turn = name.partition(":")
        pose = self.battle.pose(self.model)
        ux, uy = heading(pose.facing)
        length = inches(float(far))
        point = (snap(pose.x + ux * length), snap(pose.y + uy * length))
        wire = write({self.model.id: Track((point,), snap_facing(pose.facing + float(turn)))})
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire


def fly(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:17.4.1-moves, 17.4.3-exit  Its only move; it leaves where it cannot make it, or flies off the edge."""
    judge = AircraftJudge(battle, unit)
    unit.moved = "normal"
    battle.cite("wh40k:17.4.1-moves")
    able = any(judge.propose(name) is not None for name in judge.proposals())
    yield from overwatch.window(battle, unit, "start")
    if not unit.models:
        return
    kind = "leave"
    if able:
        options = [option("fly", text="option.fly"), option("leave", text="option.leave")]
        kind = yield Pick(unit.seat, "aircraft", options, rule="wh40k:17.4.1-moves", about=(unit.id,))
    if kind == "leave":
        leave(battle, unit)
        return
    made = yield Place(
        unit.seat,
        "move",
        unit.models,
        judge,
        rule=RULE,
        about=(unit.id,),
        data={"kind": "option.move-normal", "inches": 20},
    )
    gone = moves.apply(battle, made)
    battle.tell("move.made", RULE, (unit.id,), move="option.move-normal", inches=round(gone / MM_PER_INCH, 2))
    yield from overwatch.window(battle, unit, "end")


def leave(battle: Battle, unit: Unit) -> None:
    """wh40k:17.4.3-exit, 17.4.4-return  Off the battlefield into Strategic Reserves; back next turn."""
    for model in battle.members(unit):
        battle.lift(model)
    unit.where, unit.reserve, unit.returns, unit.arrived = "reserves", "strategic", True, True
    battle.tell("aircraft.left", EXIT, (unit.id,))
