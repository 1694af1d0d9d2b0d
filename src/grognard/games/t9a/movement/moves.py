"""t9a:12.D, t9a:12.E  Advance Moves and March Moves: what a move may be, judged step by step."""

from __future__ import annotations

from typing import Any

from grognard.games.t9a.battle import Battle, seat_rules
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.rolls import stats
from grognard.games.t9a.table import carrying, ground, paths
from grognard.games.t9a.units import command
from grognard.games.t9a.units.reforms import read_seats
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation import preview, shapes, sweeps
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.changes import displacements
from grognard.kernel.formation.manoeuvre import Manoeuvre, Problem
from grognard.kernel.formation.obstacles import halt
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.steps import (
    Advance,
    Pay,
    Pivot,
    Reform,
    Sidestep,
    Step,
    Tariff,
    Wheel,
    afforded,
    facing_wheel,
    rotation_cost,
)  # fmt: skip
from grognard.kernel.geometry.units import TOUCH, bearing, inches
from grognard.kernel.questions import Note

TARIFF = Tariff(wheel=Pay.CHORD, pivot=Pay.FREE)


class MoveJudge:
    """t9a:12.D.b, t9a:12.D.c, t9a:12.D.e, t9a:21.A.b.49, t9a:21.A.b.52  A move along a path of so many mm.

    `kind` is "advance" or "march"; `limit` the rate in mm. Enemies are kept at `shy` mm during the move (t9a:21.A.b.4).
    """

    def __init__(
        self,
        battle: Battle,
        unit: Unit,
        kind: str,
        limit: float,
        *,
        flying: bool = False,
        shy: dict[str, float] | None = None,
        ignoring: tuple[str, ...] = (),
        rule: str = "",
    ) -> None:
        self.battle = battle
        self.unit = unit
        self.kind = kind
        self.limit = limit
        self.flying = flying
        self.shy = shy or {}
        self.rule = rule or ("t9a:12.D.b" if kind == "advance" else "t9a:12.D.c")
        self.light = bool(battle.all_have(unit, "light-troops"))
        self.single = battle.size(unit) == 1
        ghost = bool(battle.all_have(unit, "ghost-step"))
        self.things = ground.moving(battle, unit, flying=flying, ghost=ghost, ignoring=ignoring)
        self.origin: tuple[Block, float] | None = None  # t9a:21.A.b.39  where it stood before a Swift Reform
        self.posts: dict[str, command.Cell] = {}
        self.stop = False  # t9a:20.A.a-procedure  whether a March ends where it loses Health Points
        self._seen: tuple[Any, Manoeuvre] | None = None

    # -- judging ------------------------------------------------------------------------------

    def decode(self, wire: Any) -> Manoeuvre:
        if self._seen is not None and self._seen[0] == wire:
            return self._seen[1]
        path = self._parsed(wire)
        said = _also(wire).get("seats") or {}
        path = command.walked(self.battle, self.unit, path, read_seats(self.battle, self.unit, said, self.rule))
        posts = command.read(self.unit, said, self.rule)
        refusal = self.refusal(path)
        if refusal is None and posts:
            refusal = command.refusal(self.unit, path.end(self.battle.block(self.unit)), posts, self.limit)
        if refusal is not None:
            raise Refused(refusal)
        self._seen = (wire, path)
        self.posts = posts
        self.stop = _also(wire).get("stop") is True
        return path

    def _parsed(self, wire: Any) -> Manoeuvre:
        if not isinstance(wire, dict) or "steps" not in wire:
            wire = paths.meant(wire, self.unit.id, self.battle.block(self.unit), self.limit, turns=self.single)
        return paths.parse(wire, self.rule, ("seats", "stop"))

    def encode(self, wire: Any) -> Any:
        return paths.write(self._parsed(wire)) | {k: v for k in ("seats", "stop") if (v := _also(wire).get(k))}

    def refusal(self, path: Manoeuvre) -> Refusal | None:
        facts = {"unit": self.unit.id}
        budget, problem = self._manner(path)
        if problem is not None:
            return problem
        start = self.battle.block(self.unit)
        field = self.battle.field if self.light else ground.field_of(self.battle)
        found = path.problem(
            start,
            budget=budget,
            tariff=TARIFF,
            obstacles=self.things,
            field=field,
            max_wheel=90.0,
            max_displacement=self.limit,
        )
        if found is not None:
            return self._told(found, facts)
        end = path.end(start)
        if self.origin is not None and max(displacements(self.origin[0], end)) > self.origin[1] + TOUCH:
            return Refusal("refuse.move.displaced", "t9a:21.A.b.39", facts)
        if self.unit.arrival.edge and self.unit.arrival.arrived == self.battle.clock and self._beyond_edge(end):
            return Refusal("refuse.ambush.far", "t9a:21.A.b.12-limits", facts)
        return self._too_near_enemy(path, start)

    def _beyond_edge(self, end: Block) -> bool:
        """t9a:21.A.b.12-limits  No ambusher ends further from the edge it came by than its March Rate."""
        _, mar = rates(self.battle, self.unit, self.flying)
        size = self.battle.table
        for place in end.places:
            xs, ys = zip(*place.outline.points, strict=True)
            far = {
                "left": min(xs),
                "lower": min(ys),
                "right": size.width - max(xs),
                "upper": size.height - max(ys),
            }[self.unit.arrival.edge] - place.outline.radius
            if far > mar + TOUCH:
                return True
        return False

    def _manner(self, path: Manoeuvre) -> tuple[float, Refusal | None]:
        """t9a:12.D.b
        One direction: forward with wheels, or straight back, or straight sideways; what each may cost (t9a:12.D.b-back,
        t9a:12.D.b-side, t9a:12.E-pivot, t9a:12.E-wheel)."""
        facts = {"unit": self.unit.id}
        steps = path.steps
        back = any(isinstance(s, Advance) and s.distance < 0 for s in steps)
        side = any(isinstance(s, Sidestep) and s.distance for s in steps)
        ahead = any((isinstance(s, Advance) and s.distance > 0) or isinstance(s, Wheel) for s in steps)
        if any(isinstance(s, Wheel) and s.degrees < 0 for s in steps):
            return 0.0, Refusal("refuse.move.wheel-back", "t9a:12.E-wheel", facts)
        if any(isinstance(s, Pivot) for s in steps) and not self.single:
            return 0.0, Refusal("refuse.move.pivot", "t9a:12.D.e", facts)
        if self.light:
            self.battle.cite("t9a:21.A.b.49")
            if any(isinstance(s, Wheel) for s in steps):
                return 0.0, Refusal("refuse.move.light-wheel", "t9a:21.A.b.49", facts)
            return self.limit, None
        if any(isinstance(s, Reform) for s in steps):
            return 0.0, Refusal("refuse.move.reform", "t9a:12.D.d", facts)
        if back + side + ahead > 1:
            return 0.0, Refusal("refuse.move.one-direction", "t9a:12.D.b", facts)
        if (back or side) and self.kind == "march":
            return 0.0, Refusal("refuse.move.march-forward", "t9a:12.D.c", facts)
        if back or side:
            self.battle.cite("t9a:12.D.b-back" if back else "t9a:12.D.b-side")
            return self.limit / 2, None
        if self.single:
            self.battle.cite("t9a:12.D.e", "t9a:12.E-pivot")
        if any(isinstance(s, Wheel) for s in steps):
            self.battle.cite("t9a:12.E", "t9a:12.E-wheel", *seat_rules(self.battle.block(self.unit)))
        return self.limit, None

    def _told(self, found: Problem, facts: dict[str, Any]) -> Refusal:
        facts = {**facts, "other": found.obstacle or ""}
        reason = found.reason
        if "allowed" in reason:
            back = "t9a:12.D.b-back" if self.kind == "advance" else self.rule
            also = (back, "t9a:12.D.b-side", "t9a:12.E-wheel", *self._magical())
            return Refusal("refuse.move.too-far", self.rule, facts, also)
        if "wheel turns" in reason:
            return Refusal("refuse.move.wheel", "t9a:12.E-wheel", facts)
        if "table" in reason:
            return Refusal("refuse.off-table", "t9a:20.C", facts)
        if "a model ends" in reason:
            rule = "t9a:12.D.b-limit" if self.kind == "advance" else "t9a:12.D.c-limit"
            seated = self.unit.guests or self.unit.command.musician or self.unit.command.standard
            also = ("t9a:21.A.b.3-reposition", "t9a:21.C.d") if seated else ()
            return Refusal("refuse.move.displaced", rule, facts, (*also, *self._magical()))
        if "ends too near" in reason:
            ghost = self.battle.any_has(self.unit, "ghost-step")
            return Refusal("refuse.too-near", "t9a:4.C", facts, ("t9a:4.C-advance", *([ghost] if ghost else [])))
        return Refusal("refuse.move.way", "t9a:4.C-advance", facts, ("t9a:4.C", "t9a:20.B.h"))

    def _magical(self) -> tuple[str, ...]:
        """t9a:13.K.a-distance  What else says how far a Magical Move goes."""
        return ("t9a:13.K.a-distance", "t9a:13.K.a") if self.battle.phase == "magic" else ()

    def _too_near_enemy(self, path: Manoeuvre, start: Block) -> Refusal | None:
        """t9a:21.A.b.4  A Vanguard move keeps away from enemies at every point."""
        for key, far in self.shy.items():
            outline = self.battle.block(self.battle.units[key]).outline
            for step, before, after in path.stages(start):
                motion = step.motion(before)
                block, sweep = (after, sweeps.Shift(0.0, 0.0)) if motion is None else (before, motion)
                if sweeps.swept_gap(block.outline, sweep, outline) < far - TOUCH:
                    return Refusal("refuse.vanguard.near", "t9a:21.A.b.4", {"unit": self.unit.id, "other": key})
        return None

    # -- proposing ----------------------------------------------------------------------------

    def carry(self, to: Point, facing: float | None) -> Any:
        return paths.write(carrying.moved(self, to, facing))

    def carry_on(self, kept: Any, to: Point, facing: float | None, files: int | None = None) -> Any:
        before = self._parsed(kept)
        if not before.steps or self.refusal(before) is not None:
            return self.carry(to, facing)
        return paths.write(carrying.moved_on(self, before, to, facing))

    def stages(self, wire: Any) -> list[Block]:
        return preview.stages(self.battle.block(self.unit), self._parsed(wire))

    def spent(self, wire: Any) -> float:
        """t9a:12.E  What a move takes of its rate: a wheel by its chord."""
        return self._parsed(wire).cost(self.battle.block(self.unit), TARIFF)

    def proposals(self) -> list[str]:
        found = ["forward", "forward-half"]
        found += [f"toward:{e.id}" for e in self.battle.enemies(self.unit.seat)]
        if self.kind == "advance":
            found += ["back", "left", "right"]
        if self.single:
            found += [f"turn:{e.id}" for e in self.battle.enemies(self.unit.seat)]
        return [*found, "stay"]

    def propose(self, name: str) -> Any:
        path = self._proposed(name)
        if path is None or self.refusal(path) is not None:
            return None
        wire = paths.write(path)
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire

    def _proposed(self, name: str) -> Manoeuvre | None:
        word, _, key = name.partition(":")
        block = self.battle.block(self.unit)
        half = self.limit if self.light else self.limit / 2
        if word == "stay":
            return Manoeuvre(())
        if word == "forward":
            return self.straight(block, (), self.limit)
        if word == "forward-half":
            return self.straight(block, (), self.limit / 2)
        if word == "back":
            return self._stretched(lambda d: Advance(-d), half)
        if word in ("left", "right"):
            return self._stretched(lambda d: Sidestep(d if word == "right" else -d), half)
        other = self.battle.units.get(key)
        if other is None or other.block is None:
            return None
        return self._toward(block, self.battle.block(other).centre, word)

    def _toward(self, block: Block, goal: Point, word: str) -> Manoeuvre | None:
        if self.single or block.is_round:
            turn = shapes.turn_between(block.facing, bearing(goal[0] - block.centre[0], goal[1] - block.centre[1]))
            turned: tuple[Step, ...] = (Pivot(turn),) if abs(turn) > 0.01 else ()
            if word == "turn":
                return Manoeuvre(turned)
            return self.straight(block, turned, self.limit)
        if self.light:
            facing = bearing(goal[0] - block.centre[0], goal[1] - block.centre[1])
            return self.straight(block, (Reform(block.files, facing),), self.limit * 0.8)
        afford = afforded(Pay.CHORD, block.width, self.limit)
        wheel = facing_wheel(block, goal, afford * 0.98)
        if wheel is None or wheel.degrees < 0.5:
            return self.straight(block, (), self.limit)
        stop = halt(block.outline, wheel.motion(block), self.things)
        degrees = wheel.degrees if stop.obstacle is None else stop.at * 0.98
        if degrees < 0.5:
            return self.straight(block, (), self.limit)
        return self.straight(block, (Wheel(wheel.corner, degrees),), self.limit)

    def straight(self, block: Block, first: tuple[Step, ...], limit: float) -> Manoeuvre | None:
        """Straight on after some steps, as far as the rules let it."""
        turned = Manoeuvre(first).end(block)
        spent = sum(rotation_cost(Pay.CHORD, block.width, s.degrees) for s in first if isinstance(s, Wheel))
        most = max(0.0, limit - spent)
        if not self.flying:
            stop = halt(turned.outline, Advance(most).motion(turned), self.things)
            most = most if stop.obstacle is None else max(0.0, stop.at - 1.0)
        for share in (1.0, 0.9, 0.75, 0.5, 0.25, 0.1, 0.0):
            path = Manoeuvre((*first, Advance(round(most * share, 3)))) if share else Manoeuvre(first)
            if self.refusal(path) is None:
                return path
        return None

    def _stretched(self, make: Any, limit: float) -> Manoeuvre | None:
        for share in (1.0, 0.6, 0.3, 0.1):
            path = Manoeuvre((make(round(limit * share, 3)),))
            if self.refusal(path) is None:
                return path
        return None


def _also(wire: Any) -> dict[str, Any]:
    """What an answer says besides its path."""
    return wire if isinstance(wire, dict) else {}


def told(battle: Battle, unit: Unit, kind: str, *, flying: bool = False) -> tuple[Note, ...]:
    """t9a:12.D.b, t9a:12.D.c, t9a:12.D.d  How far an Advance, March or Reform may take a unit."""
    rate = float(stats.rate(battle, unit, "adv" if kind == "advance" else "mar", flying=flying).value)
    half = rate if battle.all_have(unit, "light-troops") else rate / 2
    rule = {"advance": "t9a:12.D.b", "march": "t9a:12.D.c", "reform": "t9a:12.D.d"}[kind]
    return (Note(f"note.{kind}", {"inches": rate, "half": half}, rule),)


def rates(battle: Battle, unit: Unit, flying: bool) -> tuple[float, float]:
    """Advance and March Rate in mm."""
    adv = stats.rate(battle, unit, "adv", flying=flying)
    mar = stats.rate(battle, unit, "mar", flying=flying)
    battle.cite(*adv.rules, *mar.rules)
    return inches(float(adv.value)), inches(float(mar.value))
