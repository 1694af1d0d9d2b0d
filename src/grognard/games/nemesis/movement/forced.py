"""nemesis:X.1-flight, nemesis:16.1-retreat, nemesis:18-move, nemesis:12-free-attack
Moves by the dice: straight, all together, to the end."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.losses import casualties, courage
from grognard.games.nemesis.melee import melee
from grognard.games.nemesis.movement import movement, sidestep, suggestions
from grognard.games.nemesis.rolls import fearless
from grognard.games.nemesis.rolls.stats import stat
from grognard.games.nemesis.rolls.steps import D10
from grognard.games.nemesis.table import control_zones, spells_in_effect
from grognard.games.nemesis.table.ground import ground, landing
from grognard.kernel.citing import cites
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.straight import last_stand
from grognard.kernel.geometry.units import MM_PER_CM, TOUCH, bearing, cm, heading, snap
from grognard.kernel.questions import Pick, Roll, Script, option
from grognard.kernel.words.tally import Tally

SPEED = "nemesis:A1.25-speed"
#: A forced move never leaves a model in contact with an enemy: it stops this much short.
HAIR = TOUCH + 0.01
#: The rule by which each kind of thing stops a run.
BLOCKS = {"base": "nemesis:12-no-through", "polygon": "nemesis:12.1-impassable", "table": "nemesis:X.2-table-edge"}


@cites
def die_distance(battle: Battle, unit: Unit, name: str, rule: str) -> Script[float]:
    """nemesis:3.3-one-value  1D10 + M in millimetres, M of the slowest; with Speed, if its owner likes, 2D10 + 2M."""
    members = battle.standing(unit)
    plus = pace(battle, members)
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


def pace(battle: Battle, members: Sequence[Model]) -> Tally:
    """nemesis:5.1-M, nemesis:X.5-flying  The M of the slowest. Ruling: a unit of fliers goes by its flying M."""
    flying = all(m.card.fly is not None and m.card.fly > m.card.M for m in members)
    if flying:
        battle.cite("nemesis:X.5-flying")
    return min((stat(battle, m, "M", flying=flying) for m in members), key=lambda t: t.value)


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


def _rooted(battle: Battle, model: Model) -> str:
    return battle.flag(model, "cannot_move") or battle.flag(model, "does_nothing")


def bound(battle: Battle, unit: Unit) -> str:
    """nemesis:A2.O.7-ivy, nemesis:A2.R.9-glacial, nemesis:A2.C.10-mirage
    The spell that takes every move from a whole unit, or ""."""
    if not battle.enchantments:
        return ""
    if spells_in_effect.mirage_of(battle, unit) is not None:
        return "nemesis:A2.C.10-mirage"
    rules = [_rooted(battle, m) for m in battle.standing(unit)]
    return rules[0] if rules and all(rules) else ""


def spellbound(battle: Battle, unit: Unit) -> bool:
    """Whether a spell keeps a unit from a move it would make; told model by model."""
    rule = bound(battle, unit)
    for model in battle.standing(unit) if rule else ():
        battle.tell("held", _rooted(battle, model) or rule, (model.id, unit.id))
    return bool(rule)


def run_straight(
    battle: Battle, unit: Unit, direction: float, distance: float, *, rule: str, free_attacks: bool,
    spared: Sequence[str] = (), upto: float = math.inf, edge: bool = True,
) -> Script[float]:  # fmt: skip
    """The whole unit the same way: difficult ground costs double, obstacles stop.

    No model goes farther than `upto`, whatever is left of the distance.

    nemesis:X.2-table-edge  Ruling: only whoever retreats or flees runs over the table's edge (no `edge` stops them);
    pursuers and those drawn by a spell stop at it.

    nemesis:12-zoc  A crossed control zone gives its holder one optional free attack (Ruling b). Ruling: the zones are
    those held when the unit begins to run; whoever was in contact then has none.
    """
    ux, uy = heading(direction)
    models = sorted(battle.standing(unit), key=lambda m: -(battle.pose(m).x * ux + battle.pose(m).y * uy))
    threats = control_zones.holders(battle, unit.seat, spared) if free_attacks else []
    gone: dict[str, float] = {}
    for model in models:
        held = _rooted(battle, model)
        if held:
            battle.tell("held", held, (model.id, unit.id))
        elif model.on_table and not model.doomed:
            gone[model.id] = yield from _run(battle, model, direction, distance, upto, threats, edge)
    if gone:
        battle.tell(
            "ran", rule, (unit.id,), bearing=round(direction, 1),
            models={key: round(far / MM_PER_CM, 2) for key, far in gone.items()},
        )  # fmt: skip
    return max(gone.values(), default=0.0)


def _run(
    battle: Battle, model: Model, direction: float, distance: float, upto: float, threats: Sequence[Model], edge: bool
) -> Script[float]:
    """One model's run, with the hidden it stumbles over and the blows it takes on the way; how far it got."""
    pose = battle.pose(model)
    start = (pose.x, pose.y)
    far = run_length(battle, model, direction, distance, upto, edge)
    ux, uy = heading(direction)
    path = [start, (snap(pose.x + ux * far), snap(pose.y + uy * far))]
    flown = model.card.fly is not None
    if far > 0:
        path = (yield from sidestep.passing(battle, model, path, flown=flown)) or path
        alive = yield from _run_past(battle, model, path, threats, flown)
        if not alive:
            return 0.0
    end, reach = path[-1], battle.bodies.base(model.body).reach - TOUCH
    far = math.dist(start, end)
    if not (reach <= end[0] <= battle.table.width - reach and reach <= end[1] <= battle.table.height - reach):
        yield from casualties.leave_table(battle, [model])
        return far
    movement.place(battle, model, Pose(end[0], end[1], direction))
    return far


def run_length(battle: Battle, model: Model, direction: float, distance: float, upto: float, edge: bool) -> float:
    """nemesis:12.1-difficult, nemesis:X.5-flying, nemesis:A1.14-ethereal
    How far the ground and what stands on it let a model run."""
    pose = battle.pose(model)
    start, (ux, uy) = (pose.x, pose.y), heading(direction)
    if model.card.fly is not None:
        return _free_end(battle, model, direction, min(distance, upto), edge)
    way = ground(battle, model, forced=True, edge=edge)
    path = way.cut([start, (pose.x + ux * distance, pose.y + uy * distance)], distance)
    wanted = math.dist(start, path[-1])
    if wanted < distance - 0.01:
        battle.cite("nemesis:12.1-difficult")
    halt = way.stop_along(start, direction, min(wanted, upto))
    if halt.block is not None and halt.block.kind in BLOCKS:
        battle.cite(BLOCKS[halt.block.kind])
    far = max(0.0, halt.gone - (HAIR if halt.block is not None else 0.0))
    return _free_end(battle, model, direction, far, edge) if battle.flag(model, "moves_through_models") else far


def _run_past(
    battle: Battle, model: Model, path: Sequence[tuple[float, float]], threats: Sequence[Model], flown: bool
) -> Script[bool]:
    """nemesis:12-zoc, nemesis:12-free-attack
    The free attacks of those whose zones are crossed, each where it is entered."""
    start, end = path[0], path[-1]
    met = [
        (holder, end if flown else control_zones.entry(battle, holder, model, start, end))
        for holder in control_zones.crossed(battle, model, path, flown=flown, among=threats)
        if holder.on_table and not holder.doomed
    ]
    facing = battle.pose(model).facing
    for holder, spot in sorted(met, key=lambda pair: round(math.dist(start, pair[1]), 1)):
        if landing(battle, model, forced=True).stands(spot):
            battle.bodies.place(model.body, Pose(*spot, facing))
        yield from free_attack(battle, holder, model)
        if not model.on_table or model.doomed:
            return False
    return True


def _free_end(battle: Battle, model: Model, direction: float, far: float, edge: bool) -> float:
    """nemesis:X.5-flying, nemesis:A1.14-ethereal  Whoever passes over everything still ends where there is room."""
    pose = battle.pose(model)
    return last_stand([(landing(battle, model, forced=True, edge=edge), (pose.x, pose.y))], direction, far, HAIR)


@courage.flee.here
def flee(battle: Battle, unit: Unit, causes: Sequence[str], rule: str) -> Script[None]:
    """nemesis:X.1-flight  Ruling: 1D10 + M straight away from the cause; fleeing to the end of the turn."""
    if not battle.standing(unit) or fearless.stands_firm(battle, unit):
        return
    unit.fleeing = True
    unit.fled_from = tuple(causes)
    unit.timid_turn = battle.turn + 1
    unit.nerve = None
    battle.tell("flees", rule, (unit.id,))
    for order in unit.orders:
        if not order.done:
            void = {"action": order.action, "reason": "refuse.fleeing", "unit": unit.id}
            battle.tell("order.void", "nemesis:X.1-flight", (unit.id,), **void)
    unit.orders = tuple(o for o in unit.orders if o.done)
    battle.cite("nemesis:X.1-flight", "nemesis:16.1-retreat-after")
    opponents = [u.id for u in battle.opponents(unit)]
    fear = [c for c in causes if battle.units[c].models] or opponents or _nearest_enemy(battle, unit)
    distance = yield from die_distance(battle, unit, "flight", "nemesis:X.1-flight")
    direction = away_from(battle, unit, fear)
    rule = "nemesis:X.1-flight"
    yield from run_straight(battle, unit, direction, distance, rule=rule, free_attacks=True, edge=False)


def _nearest_enemy(battle: Battle, unit: Unit) -> list[str]:
    enemies = battle.enemies(unit.seat)
    return [min(enemies, key=lambda e: (battle.unit_gap(unit, e), e.id)).id] if enemies else []


def free_attack(battle: Battle, owner: Model, mover: Model) -> Script[None]:
    """nemesis:12-free-attack  Ruling: one normal attack; the mover defends, cannot strike back, is removed at once."""
    if battle.flag(owner, "does_nothing") or battle.flag(owner, "cannot_attack"):
        return
    battle.cite("nemesis:12-zoc", "nemesis:5.4-zoc")
    wanted = yield Pick(
        owner.seat, "free-attack", [option("attack", text="option.attack")], optional=True,
        rule="nemesis:12-free-attack", about=(owner.id, mover.id),
    )  # fmt: skip
    if wanted is None:
        return
    battle.tell("free-attack", "nemesis:12-free-attack", (owner.id, mover.id))
    yield from melee.attack(battle, owner, mover, instant=True, free=True)
    lost = [m for m in battle.members(battle.unit_of(mover)) if m.doomed and m.instant]
    if lost:
        yield from casualties.remove(battle, lost, "nemesis:12-free-attack")
