"""Chapters 9.4 and 15.3: the Charge move: every target reached, nobody else, closer, in contact, or at a barricade."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.charge.combat_moves import CombatJudge
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.movement.moves import Trip
from grognard.games.wh40k.positions import EPS
from grognard.games.wh40k.table import barricades
from grognard.games.wh40k.table.end_positions import end_refusal
from grognard.games.wh40k.table.ground import Way
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import TOUCH

ACROSS = "wh40k:15.3.1-barricade-charge"
#: What is as close as possible, to this many mm.
CLOSE = 2 * TOUCH
#: How many distances from a barricade are tried before the least is looked for between two of them.
TRIED = 24


class ChargeJudge(CombatJudge):
    """wh40k:9.4.2-conditions, wh40k:9.4.5-base-contact
    Whether a Charge move is legal: every target reached, nobody else, coherent, contact."""

    must_move = leans = True
    closer_rule = "wh40k:9.4.4-closer"
    unit_rule = "wh40k:9.4.2-conditions"
    contact_rule = "wh40k:9.4.5-base-contact"

    def __init__(self, battle: Battle, unit: Unit, targets: list[Unit], far: float) -> None:
        self.targets = targets
        self.far = far
        way = Way("charge", tuple(t.id for t in targets))
        movers = [m for m in battle.members(unit) if m.profile.M is not None]
        super().__init__(battle, unit, movers, way, lambda m: far, "wh40k:9.4.1-roll")

    def foes(self) -> list[Model]:
        return [m for t in self.targets for m in self.battle.members(t)]

    def hopeless(self) -> bool:
        return any(
            self.battle.unit_gap(self.unit, t, flat=True) > self.far + barricades.striking(self.battle, t) + EPS
            for t in self.targets
        )

    def marks(self, model: Model) -> list[list[Model]]:
        return [self.battle.members(t) for t in self.targets if t.models]

    def unit_holds(self, ends: Mapping[str, Pose]) -> bool:
        return all(self.near(ends, self.battle.members(t)) or self._across(ends, t) for t in self.targets)

    def _across(self, ends: Mapping[str, Pose], target: Unit) -> bool:
        """wh40k:15.3.1-barricade-charge  Whether a model ends as close as it can to a barricade, 2" across."""
        if not barricades.pieces(self.battle):
            return False
        return any(self._leans(self.battle.models[key], end, target) for key, end in ends.items())

    def _leans(self, model: Model, end: Pose, target: Unit) -> bool:
        """wh40k:15.3.1-barricade-charge, wh40k:23.35-barricade-er
        Whether it ends as close to the barricade as it can, 2" from the enemy."""
        battle = self.battle
        piece = barricades.charged(battle, model, end, target)
        if piece is None:
            return False
        battle.cite(ACROSS, "wh40k:23.35-barricade-er")
        gap = barricades.off(battle, model, end, piece)
        return gap <= CLOSE or gap <= self.closest(model, {}, [target]) + CLOSE

    def closest(self, model: Model, ends: Mapping[str, Pose], targets: Sequence[Unit]) -> float:
        """How close to a barricade a model can end its charge across it; without end where it cannot at all."""
        if self.brace(model, ends, targets) is not None:
            return 0.0
        gaps = [barricades.ACROSS * k / TRIED for k in range(1, TRIED)]
        high = next((gap for gap in gaps if self.brace(model, ends, targets, gap) is not None), math.inf)
        if not math.isfinite(high):
            return high
        low = high - barricades.ACROSS / TRIED
        while high - low > CLOSE / 4:
            middle = (low + high) / 2
            low, high = (middle, high) if self.brace(model, ends, targets, middle) is None else (low, middle)
        return high

    def unreached(self, ends: Mapping[str, Pose]) -> tuple[str, ...]:
        leaning = any(
            barricades.charged(self.battle, self.battle.models[key], end, target) is not None
            for key, end in ends.items() for target in self.targets
        )  # fmt: skip
        return (ACROSS,) if leaning else ()

    def brace(self, model: Model, ends: Mapping[str, Pose], targets: Sequence[Unit], gap: float = 0.0) -> Trip | None:
        """A way to a place against a barricade, or so far from it, within 2" of a target behind it."""
        battle, start = self.battle, self.battle.pose(model)
        if start.level or not barricades.pieces(battle):
            return None
        standing = {m.id: battle.pose(m) for m in battle.members(self.unit)} | dict(ends)
        ground = self.ground(model, standing)
        for target in targets:
            for end in barricades.places(battle, model, target, gap):
                path = ground.shortest(start[:2], end[:2], self.far)
                if path is not None and end_refusal(battle, model, end, self.way, standing) is None:
                    return Trip(path, 0)
        return None

    def leaning(self, model: Model, ends: Mapping[str, Pose]) -> Trip | None:
        gap = self.closest(model, ends, self.targets)
        return self.brace(model, ends, self.targets, gap) if math.isfinite(gap) else None

    def excused(self, model: Model, end: Pose) -> bool:
        """wh40k:15.3.1-barricade-charge  Ruling: whoever leans on the barricade owes no base contact."""
        return bool(barricades.pieces(self.battle)) and any(self._leans(model, end, t) for t in self.targets)
