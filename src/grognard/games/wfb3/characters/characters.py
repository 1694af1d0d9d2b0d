"""Chapter 14.6: characters in battle: facing a charge, standing back from a fight, running ahead of a rout."""

from __future__ import annotations

import math

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.movement import formations
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.rout import flight
from grognard.games.wfb3.table import contacts, ground, seating
from grognard.kernel.formation.block import Block, single
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import overlap
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import bearing, heading, inches
from grognard.kernel.questions import Option, Pick, Roll, Script

#: wfb3:14.6.2-group  Characters this near to one another move together.
GROUP = inches(1)


def face_charge(battle: Battle, charger: Unit, target: Unit, facing: float | None = None) -> None:
    """wfb3:14.6.1-face-charge  A lone character turns at once to whoever charges him, unless he is fighting already.

    To those who run straight at him he turns square.
    """
    if target.kind != "character" or battle.engaged(target) or target.rout.routed or target.block is None:
        return
    block = target.block
    x, y = block.centre
    cx, cy = battle.block_of(charger).centre
    turned = block.placed_by_centre(block.centre, bearing(cx - x, cy - y) if facing is None else facing)
    if ground.fits(battle, target, turned):
        return
    battle.form(target, turned)
    battle.tell("character.faces", "wfb3:14.6.1-face-charge", (target.id, charger.id))


def step_back(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:14.6.3-step-back  As a unit becomes engaged its characters may take places where they do not fight.

    Ruling: the unit's leader may not; who stands alongside on a base of his own keeps his place, but does not fight.
    """
    if unit.kind == "character" or unit.where != "table":
        return
    for model in battle.characters(unit):
        if model.fight.back or unit.models.index(model.id) not in contacts.engaged_numbers(battle, unit):
            continue
        battle.cite("wfb3:14.6.3-step-back")
        if model.id != unit.leader and battle.ordinary(unit):
            options = [Option("fight", False, "option.character.fight"), Option("back", True, "option.character.back")]
            model.fight = model.fight.but(
                back=(
                    yield Pick(
                        unit.seat, "character.place", options, rule="wfb3:14.6.3-step-back", about=(model.id, unit.id)
                    )
                )
            )
        if model.fight.back:
            battle.tell("character.back", "wfb3:14.6.3-step-back", (model.id, unit.id))
            seating.swap_in(battle, unit)
        else:
            model.fight = model.fight.but(fought=True)


def come_forward(battle: Battle) -> None:
    """Characters take their places in the front again once their unit fights no more."""
    for unit in battle.here():
        if battle.engaged(unit):
            continue
        moved = False
        for model in battle.characters(unit):
            moved = moved or model.fight.back
            model.fight = model.fight.but(back=False, fought=False, frenzied=False)
        if moved:
            seating.swap_in(battle, unit)


def released(battle: Battle, unit: Unit, model: Model, spot: Block) -> Unit:
    """A character who is not of his unit any more stands somewhere by himself."""
    home = battle.units[model.home]
    unit.models = tuple(m for m in unit.models if m != model.id)
    model.unit, home.models, home.leader = home.id, (model.id,), model.id
    if unit.leader == model.id:
        old = battle.role(unit, "leader")
        unit.leader = old.id if old is not None else ""
    block = battle.block_of(unit)
    if unit.models:
        battle.form(unit, seating.settle(battle, unit, block.files).placed(block.front, block.facing))
        formations.shaped(battle, unit)
    else:
        battle.remove(unit, "destroyed")
    battle.form(home, spot)
    home.charge = home.charge.but(target="")
    home.rout = home.rout.but(pursuing="", caught="")
    model.post = ""
    model.fight = model.fight.but(back=False, fought=False)
    return home


def beside(battle: Battle, unit: Unit, model: Model, first: Edge = Edge.RIGHT) -> Block | None:
    """A free place next to a unit, as far apart as one needs to turn round."""
    box = battle.block_of(unit).boundary
    base = seating.model_base(model)
    for side in dict.fromkeys((first, Edge.RIGHT, Edge.LEFT, Edge.REAR, Edge.FRONT)):
        x, y = box.middle(side)
        hx, hy = heading(box.outward(side))
        far = math.hypot(base.half_width, base.half_length) + 0.5
        block = single(base, Pose(x + hx * far, y + hy * far, box.facing))
        if not ground.fits(battle, unit, block) and not _within(battle, unit, block):
            return block
    return None


def _within(battle: Battle, unit: Unit, block: Block) -> bool:
    """Whether a place beside the head of a bent line is taken by the rest of it."""
    line = battle.block_of(unit)
    return bool(line.seats) and overlap(block.outline.shrunk(1.0), line.outline)


def against(battle: Battle, unit: Unit, model: Model) -> Block | None:
    """A free place for a model base to base with a unit."""
    box, base = battle.block_of(unit).boundary, seating.model_base(model)
    for side in (Edge.RIGHT, Edge.LEFT, Edge.REAR, Edge.FRONT):
        x, y = box.middle(side)
        hx, hy = heading(box.outward(side))
        far = base.half_width if side.is_flank else base.half_length
        block = single(base, Pose(x + hx * far, y + hy * far, box.facing))
        if not ground.fits(battle, unit, block) and not _within(battle, unit, block):
            return block
    return None


def run_ahead(battle: Battle, unit: Unit, direction: float) -> Script[None]:
    """wfb3:14.6.8-faster  In a rout faster characters may leave the others behind; flyers always do."""
    if unit.kind == "character" or not battle.ordinary(unit):
        return
    slow = stats.move(battle, unit).value
    for model in battle.characters(unit):
        carrier = model.mount or model.profile
        flies = carrier.flight is not None
        if model.hero.champion or not (flies or _speed(battle, unit, model) > slow):
            continue
        ahead = True
        if not flies:
            options = [Option("with", False, "option.rout.with"), Option("ahead", True, "option.rout.ahead")]
            ahead = yield Pick(
                unit.seat, "rout.ahead", options, optional=True, nay="with", rule="wfb3:14.6.8-faster",
                about=(model.id, unit.id),
            )  # fmt: skip
        spot = beside(battle, unit, model, Edge.REAR) if ahead else None
        if spot is None:
            continue
        home = released(battle, unit, model, spot)
        home.rout = home.rout.but(routed=True, routed_at=unit.rout.routed_at, flight=direction)
        battle.tell("character.ahead", "wfb3:14.6.8-faster", (model.id, unit.id))
        yield from flight.run(battle, home, direction, orderly=False)


def _speed(battle: Battle, unit: Unit, model: Model) -> float:
    """What a character of a unit could move by himself."""
    kept = unit.models
    unit.models = (model.id,)
    try:
        return float(stats.move(battle, unit).value)
    finally:
        unit.models = kept


def group(battle: Battle, target: Unit) -> list[Unit]:
    """wfb3:14.6.2-group  A character and the friends beside him, who share what is shot at any of them.

    Ruling: lone characters within an inch of one another move together.
    """
    if target.kind != "character":
        return [target]
    found = [target]
    for one in found:
        found += [
            u for u in battle.friends(one) if u.kind == "character" and u not in found and battle.gap(one, u) <= GROUP
        ]
    return found


def share(battle: Battle, unit: Unit, people: list[Unit], hits: int) -> Script[list[tuple[Unit, int]]]:
    """wfb3:14.6.2-group  Hits fall at random among characters who move together, in the order of their names."""
    people = sorted(people, key=lambda u: u.id)
    sides = 6 if 6 % len(people) == 0 else 100
    faces = yield Roll(
        unit.seat, "shoot.whom", sides, hits, rule="wfb3:14.6.2-group", about=tuple(u.id for u in people)
    )
    counts = [0] * len(people)
    for face in faces:
        counts[min(len(people) - 1, (face - 1) * len(people) // sides)] += 1
    return [(u, n) for u, n in zip(people, counts, strict=True) if n]
