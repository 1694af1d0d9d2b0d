"""nemesis:X.1-flight, 16.1-retreat, 18-move, 12-free-attack  Moves by the dice: straight, all together, to the end."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.games.nemesis import casualties, courage, melee, movement, suggestions, zones
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.ground import ground, landing
from grognard.games.nemesis.stats import stat
from grognard.games.nemesis.steps import D10
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import MM_PER_CM, bearing, cm, heading, snap
from grognard.kernel.questions import Pick, Roll, Script, option
from grognard.kernel.tally import Tally

SPEED = "nemesis:A1.25-speed"
#: A forced move never leaves a model in contact with an enemy: it stops this much short.
HAIR = 0.1


def die_distance(battle: Battle, unit: Unit, name: str, rule: str) -> Script[float]:
    """1D10 + M in millimetres, M of the slowest; with Speed, if its owner likes, 2D10 + 2M."""
    battle.cite("nemesis:3.3-one-value")
    members = battle.standing(unit)
    slow = min((stat(battle, m, "M") for m in members), key=lambda t: t.value)
    plus = Tally(0, "M", "nemesis:5.1-M").add(slow.value, "M", "nemesis:5.1-M")
    dice = 1
    if all(battle.flag(m, "speedy") for m in members):
        used = yield Pick(
            unit.seat, "speed.use", [option("speed", text="option.speed")], optional=True, rule=SPEED, about=(unit.id,)
        )
        if used is not None:
            plus.times(2, "speed", SPEED)
            dice = 2
    faces = yield Roll(unit.seat, name, D10, dice, rule=rule, about=(unit.id,), plus=plus, sense="value")
    return cm(sum(faces) + float(plus.value))


def away_from(battle: Battle, unit: Unit, causes: Sequence[str]) -> float:
    """nemesis:16.3-multi  The bearing straight away from the causes; of several, from their mean bearing."""
    here = suggestions.centroid(battle, battle.members(unit))
    dx = dy = 0.0
    for cause in causes:
        members = battle.members(battle.units[cause])
        if not members:
            continue
        there = suggestions.centroid(battle, members)
        far = math.dist(here, there) or 1.0
        dx += (here[0] - there[0]) / far
        dy += (here[1] - there[1]) / far
    if math.hypot(dx, dy) < 1e-9:
        return (battle.pose(battle.members(unit)[0]).facing + 180.0) % 360.0
    return bearing(dx, dy)


def run_straight(
    battle: Battle, unit: Unit, direction: float, distance: float, *, rule: str, free_attacks: bool,
    spared: Sequence[str] = (),
) -> Script[float]:  # fmt: skip
    """The whole unit the same way: difficult ground costs double, obstacles stop, the table's edge is the end.

    nemesis:12-zoc  A crossed control zone gives its holder one optional free attack (Ruling b).
    """
    if battle.unit_flag(unit, "cannot_move") or battle.unit_flag(unit, "does_nothing"):
        battle.tell("held", battle.unit_flag(unit, "cannot_move") or battle.unit_flag(unit, "does_nothing"), (unit.id,))
        return 0.0
    ux, uy = heading(direction)
    models = sorted(battle.standing(unit), key=lambda m: -(battle.pose(m).x * ux + battle.pose(m).y * uy))
    gone: dict[str, float] = {}
    for model in models:
        if model.on_table and not model.doomed:
            gone[model.id] = yield from _run(battle, model, direction, distance, rule, free_attacks, spared)
    battle.tell(
        "ran", rule, (unit.id,), bearing=round(direction, 1),
        models={key: round(far / MM_PER_CM, 2) for key, far in gone.items()},
    )  # fmt: skip
    return max(gone.values(), default=0.0)


def _run(
    battle: Battle,
    model: Model,
    direction: float,
    distance: float,
    rule: str,
    free_attacks: bool,
    spared: Sequence[str],
) -> Script[float]:
    pose = battle.pose(model)
    start = (pose.x, pose.y)
    flying = model.card.fly is not None
    way = ground(battle, model, zoned=False, edge=False, flying=flying)
    ux, uy = heading(direction)
    path = way.cut([start, (pose.x + ux * distance, pose.y + uy * distance)], distance)
    wanted = math.dist(start, path[-1])
    if wanted < distance - 0.01:
        battle.cite("nemesis:12.1-difficult")
    halt = way.stop_along(start, direction, wanted)
    far = max(0.0, halt.gone - (HAIR if halt.block is not None else 0.0))
    if flying or battle.flag(model, "moves_through_models"):
        far = _free_end(battle, model, direction, far)
    end = (snap(pose.x + ux * far), snap(pose.y + uy * far))
    if free_attacks and far > 0:
        for holder in zones.crossed(battle, model, [start, end], spared):
            yield from free_attack(battle, holder, model)
            if not model.on_table or model.doomed:
                return 0.0
    if not (0 <= end[0] <= battle.table.width and 0 <= end[1] <= battle.table.height):
        yield from casualties.leave_table(battle, [model], rule)
        return far
    reach = battle.bodies.base(model.body).reach
    inside = (
        min(max(end[0], reach), battle.table.width - reach), min(max(end[1], reach), battle.table.height - reach)
    )  # fmt: skip
    if inside != end:
        yield from casualties.leave_table(battle, [model], rule)
        return far
    movement.place(battle, model, Pose(end[0], end[1], direction))
    return far


def _free_end(battle: Battle, model: Model, direction: float, far: float) -> float:
    """nemesis:X.5-flying, A1.14  Whoever passes over everything still ends where there is room."""
    pose = battle.pose(model)
    ux, uy = heading(direction)
    room = landing(battle, model, zoned=False, edge=False)
    while far > 0 and not room.stands((pose.x + ux * far, pose.y + uy * far)):
        far = max(0.0, far - 1.0)
    return far


def flee(battle: Battle, unit: Unit, causes: Sequence[str], rule: str) -> Script[None]:
    """nemesis:X.1-flight  Ruling: 1D10 + M straight away from the cause; fleeing to the end of the turn."""
    if not unit.models or courage.stands_firm(battle, unit):
        return
    unit.fleeing = True
    unit.fled_from = tuple(causes)
    unit.timid_turn = battle.turn + 1
    unit.nerve = None
    unit.orders = tuple(o for o in unit.orders if o.done)
    battle.tell("flees", rule, (unit.id,))
    battle.cite("nemesis:X.1-flight")
    fear = [c for c in causes if battle.units[c].models] or _nearest_enemy(battle, unit)
    distance = yield from die_distance(battle, unit, "flight", "nemesis:X.1-flight")
    direction = away_from(battle, unit, fear)
    yield from run_straight(battle, unit, direction, distance, rule="nemesis:X.1-flight", free_attacks=True)


def _nearest_enemy(battle: Battle, unit: Unit) -> list[str]:
    enemies = battle.enemies(unit.seat)
    return [min(enemies, key=lambda e: (battle.unit_gap(unit, e), e.id)).id] if enemies else []


def free_attack(battle: Battle, owner: Model, mover: Model) -> Script[None]:
    """nemesis:12-free-attack  Ruling: one normal attack; the mover defends, cannot strike back, is removed at once."""
    if battle.flag(owner, "does_nothing") or battle.flag(owner, "cannot_attack"):
        return
    wanted = yield Pick(
        owner.seat, "free-attack", [option("attack", text="option.attack")], optional=True,
        rule="nemesis:12-free-attack", about=(owner.id, mover.id),
    )  # fmt: skip
    if wanted is None:
        return
    battle.cite("nemesis:12-zoc")
    battle.tell("free-attack", "nemesis:12-free-attack", (owner.id, mover.id))
    yield from melee.attack(battle, owner, mover, instant=True, free=True)
    lost = [m for m in battle.members(battle.unit_of(mover)) if m.doomed and m.instant]
    if lost:
        yield from casualties.remove(battle, lost, "nemesis:12-free-attack")
