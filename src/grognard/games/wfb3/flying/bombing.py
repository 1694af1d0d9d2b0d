"""Chapter 21.6: things dropped from the air, and how flyers come by more of them."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import casualties, sourceless_hits
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.rolls import dice
from grognard.games.wfb3.rolls.saves import Blow
from grognard.games.wfb3.table import air_fights, flyers, seating
from grognard.games.wfb3.table.who_may import sift
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.sweeps import overlap
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Option, Pick, Place, Roll, Script

RULE = "wfb3:21.6-bombing"
DRIFT = "wfb3:21.6-bomb-drift"
#: wfb3:21.6-bomb-drift  What is taken off the die, by level: attack, +10, +20.
STEADY = {1: 3, 2: 2, 3: 1}


def phase(battle: Battle) -> Script[None]:
    """wfb3:21.6-bombing  In the shooting phase, loaded flyers that flew over somebody may drop what they carry."""
    while True:
        loaded = [u for u in battle.army(battle.active) if u.air.loaded and not u.march.done]
        options, barred = sift(loaded, lambda u: may_not(battle, u))
        if not options and not barred:
            return
        unit = yield Pick(battle.active, "bomb.unit", options, optional=True, barred=barred, rule=RULE, checkpoint=True)
        if unit is None:
            return
        yield from drop_all(battle, unit)


def may_not(battle: Battle, unit: Unit) -> Refusal | None:
    """wfb3:21.6-bombing  Not on the ground, not in a fight, not without having flown over anybody."""
    facts = {"unit": unit.id}
    if not unit.air.height or unit.air.flew != battle.clock:
        return Refusal("refuse.bomb.ground", RULE, facts)
    if air_fights.fights(battle, unit):
        return Refusal("refuse.bomb.fighting", RULE, facts)
    if not any(battle.models[key].alive and battle.models[key].on_table for key in unit.air.over):
        return Refusal("refuse.bomb.nobody", RULE, facts)
    return None


def drop_all(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:21.6-bombing, wfb3:21.6-bomb-drift
    Everybody drops his own, each at a point of his choosing; nobody shoots as well.
    """
    unit.march = unit.march.but(done=True)
    unit.air = unit.air.but(loaded=False)
    battle.tell("bombs", RULE, (unit.id,), count=len(unit.models), height=flyers.name(unit.air.height))
    for model in battle.members(unit):
        targets = [battle.models[k] for k in unit.air.over if battle.models[k].alive and battle.models[k].on_table]
        if not targets:
            return
        mark = yield Pick(
            unit.seat, "bomb.aim", [Option(m.id, m, about=(m.id,)) for m in targets], rule=DRIFT, about=(model.id,)
        )
        yield from drop(battle, unit, model, mark)


def drop(battle: Battle, unit: Unit, model: Model, mark: Model) -> Script[None]:
    """wfb3:21.6-bomb-drift, wfb3:21.6-bomb-high, wfb3:21.6-bomb-damage  Where one falls, and whom it strikes.

    Ruling: the model under the point takes one hit of the dropper's strength, a point more for every level.
    """
    aim = battle.pose(mark)
    high = unit.air.height > 3
    rule = "wfb3:21.6-bomb-high" if high else DRIFT
    (face,) = yield Roll(unit.seat, "bomb.drift", 20 if high else 6, rule=rule, about=(model.id, mark.id))
    far = face - (1 if high else STEADY[unit.air.height])
    x, y = aim.x, aim.y
    if far > 0:
        hour = yield from dice.clock(battle, unit.seat, "bomb.way", DRIFT, (model.id,))
        hx, hy = heading(battle.block_of(unit).facing + 30.0 * hour)
        x, y = x + hx * inches(far), y + hy * inches(far)
    struck = under(battle, x, y)
    strength = model.profile.S + max(0, unit.air.height - 1)
    about = (model.id, struck.id) if struck is not None else (model.id,)
    battle.tell("bomb", DRIFT, about, drift=max(0, far), strength=strength)
    if struck is None:
        return
    target = battle.units[struck.unit]
    blow, before = Blow(0, "wfb3:21.6-bomb-damage"), battle.size(target)
    if target.kind == "chariot":
        struck.ride = struck.ride.but(struck=struck.ride.struck + 1)
    elif struck.role or target.kind in ("monster", "character"):
        yield from sourceless_hits.on_model(
            battle, unit.seat, struck, 1, strength, blow, "wfb3:21.6-bomb-damage", (model.id,)
        )
    else:
        yield from sourceless_hits.on_unit(battle, unit.seat, target, 1, strength, blow, "wfb3:21.6-bomb-damage")
    casualties.shot_down(battle, target, before)


def under(battle: Battle, x: float, y: float) -> Model | None:
    """The model on the ground at a point."""
    point = Outline(((x, y),), 0.1)
    for unit in battle.here():
        if unit.air.height:
            continue
        for place, key in zip(battle.block_of(unit).places, unit.models, strict=True):
            if overlap(point, place.outline):
                return battle.models[key]
    return None


# ---------------------------------------------------------------------- restocking


def start_of_turn(battle: Battle) -> Script[None]:
    """wfb3:21.6-restock

    Flyers away for a whole turn return loaded on a 6, or empty-handed when they are called back.
    """
    for unit in battle.units.values():
        if unit.where != "away" or unit.seat != battle.active:
            continue
        if battle.clock - unit.air.left_at < 4:
            yield from _recall(battle, unit)
            continue
        if unit.air.recalled:
            unit.air = unit.air.but(recalled=False)
            yield from _returns(battle, unit)
            continue
        (face,) = yield Roll(unit.seat, "restock", 6, rule="wfb3:21.6-restock", about=(unit.id,), need=6, sense="high")
        if face >= 6:
            unit.air = unit.air.but(loaded=True)
            yield from _returns(battle, unit)
            continue
        yield from _recall(battle, unit)


def _recall(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:21.6-restock  Its player may always call it back empty-handed; it is there as his next turn begins."""
    options = [Option("wait", False, "option.restock.wait"), Option("recall", True, "option.restock.recall")]
    wants = yield Pick(
        unit.seat, "restock.recall", options, optional=True, nay="wait", rule="wfb3:21.6-restock", about=(unit.id,)
    )
    unit.air = unit.air.but(recalled=bool(wants))


class EdgeJudge:
    """wfb3:21.6-restock  Any point of the player's own edge: {"x": along it}."""

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self.battle, self.unit = battle, unit

    def decode(self, wire: object) -> float:
        if not isinstance(wire, dict) or set(wire) != {"x"} or not isinstance(wire["x"], int | float):
            raise Refused(Refusal("refuse.not-a-place", "wfb3:21.6-restock", {"unit": self.unit.id}))
        half = seating.settle(self.battle, self.unit, len(self.unit.models)).width / 2
        x = float(wire["x"])
        if not half <= x <= self.battle.table.width - half:
            raise Refused(Refusal("refuse.fly.edge", "wfb3:21.6-restock", {"unit": self.unit.id}))
        return x

    def carry(self, to: tuple[float, float], facing: float | None) -> object:
        return {"x": round(to[0], 1)}

    def point(self, wire: Any) -> tuple[float, float]:
        return wire["x"], 0.0 if self.battle.sides[self.unit.seat].edge == "south" else self.battle.table.height

    def encode(self, wire: object) -> object:
        return {"x": self.decode(wire)}

    def proposals(self) -> list[str]:
        return ["middle", "left", "right"]

    def propose(self, name: str) -> object:
        return {"x": round(self.battle.table.width * {"left": 0.25, "middle": 0.5, "right": 0.75}[name], 1)}


def _returns(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:21.6-restock  Back at the player's own edge at attack level, to move normally this turn."""
    x = yield Place(
        unit.seat, "restock.edge", (unit.id,), EdgeJudge(battle, unit), rule="wfb3:21.6-restock", about=(unit.id,)
    )
    south = battle.sides[unit.seat].edge == "south"
    shape = seating.settle(battle, unit, len(unit.models))
    y = shape.depth + 0.1 if south else battle.table.height - shape.depth - 0.1
    battle.form(unit, shape.placed((x, y), 0.0 if south else 180.0))
    unit.air = unit.air.but(height=flyers.ATTACK)
    battle.tell("fly.returns", "wfb3:21.6-restock", (unit.id,), loaded=unit.air.loaded)
