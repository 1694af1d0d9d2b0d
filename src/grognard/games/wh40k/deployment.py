"""wh40k:21.5-deploy, 12.3, 12.4  Deploying the armies, and Scouts before the first turn."""

from __future__ import annotations

from grognard.games.wh40k import casualties, moves, placing
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.ground import Way
from grognard.games.wh40k.moves import MoveJudge, Step
from grognard.games.wh40k.placing import SetUpJudge, grid
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.gaps import wholly_inside_rect
from grognard.kernel.geometry.units import MM_PER_INCH, inches
from grognard.kernel.questions import Pick, Place, Script, option

RULE = "wh40k:21.5-deploy"
SCOUTS = "wh40k:12.3.1-scouts"
NINE = inches(9)


def judge(battle: Battle, unit: Unit) -> SetUpJudge:
    """wh40k:21.5-deploy, 12.4-infiltrators  Wholly within one's own zone; Infiltrators also far from the enemy's."""
    zone = battle.sides[unit.seat].zone
    assert zone is not None
    forward = bool(battle.every_flag(unit, "infiltrators"))
    far = placing.clear_of_enemies(battle, unit.seat, NINE, "wh40k:12.4-infiltrators")
    theirs = battle.sides[battle.other(unit.seat)].zone

    def region(model: Model, pose: Pose) -> Refusal | None:
        if wholly_inside_rect(battle.bodies.base(model.body), pose, *zone):
            return None
        facts = {"model": model.id, "unit": unit.id}
        if not forward:
            return Refusal("refuse.outside-zone", RULE, facts)
        if theirs is not None and _gap_to_zone(battle, model, pose, theirs) <= NINE:
            return Refusal("refuse.near-zone", "wh40k:12.4-infiltrators", facts)
        return far(model, pose)

    anchors = grid(battle, *zone, 6, 2)
    if forward:
        anchors |= {
            f"forward:{n[3:]}": p
            for n, p in grid(battle, 0, inches(12), battle.table.width, battle.table.height - inches(24), 4, 2).items()
        }
    return SetUpJudge(battle, unit, RULE, region, anchors, facing=0.0 if zone[1] == 0 else 180.0)


def _gap_to_zone(battle: Battle, model: Model, pose: Pose, zone: tuple[float, float, float, float]) -> float:
    x, y, width, height = zone
    dx = max(x - pose.x, 0.0, pose.x - x - width)
    dy = max(y - pose.y, 0.0, pose.y - y - height)
    return float((dx * dx + dy * dy) ** 0.5) - battle.bodies.base(model.body).half_width


def deploy(battle: Battle) -> Script[None]:
    """wh40k:21.5-deploy, 1.3-unit  Players alternate, one unit at a time, the Attacker first."""
    order = (battle.attacker, battle.other(battle.attacker))
    while True:
        seat = order[battle.cursor]
        waiting = battle.army(seat, "undeployed")
        if not waiting:
            seat = battle.other(seat)
            waiting = battle.army(seat, "undeployed")
            if not waiting:
                return
        unit = yield Pick(
            seat, "deploy.unit", [option(u.id, u, about=(u.id,)) for u in waiting], rule=RULE, checkpoint=True
        )
        battle.cursor = 1 - order.index(seat)
        by = judge(battle, unit)
        if by.possible() is None:
            battle.tell("no-room", "wh40k:23.49-no-room", (unit.id,))
            for model in battle.members(unit):
                yield from casualties.destroy(battle, model, "wh40k:23.49-no-room", triggers=False)
            continue
        poses = yield Place(seat, "deploy", unit.models, by, rule=RULE, about=(unit.id,))
        placing.put_down(battle, unit, poses)
        battle.tell("deployed", RULE, (unit.id,))


# ---------------------------------------------------------------------- Scouts


class ScoutJudge(MoveJudge):
    """wh40k:12.3.1-scouts  A Normal move that ends more than 9" from every enemy model."""

    def check_unit(self, steps: list[Step], ends: dict[str, Pose]) -> None:
        far = placing.clear_of_enemies(self.battle, self.unit.seat, NINE, SCOUTS)
        for key, pose in ends.items():
            refusal = far(self.battle.models[key], pose)
            if refusal is not None:
                raise Refused(refusal)


def scouting(battle: Battle, unit: Unit) -> float:
    """wh40k:12.3.1-scouts, 12.3.2-scouts-transport, 23.30-scouts-timing  How far a unit scouts, in inches."""
    carried = battle.aboard(unit)
    models = battle.members(unit)
    if carried and battle.is_kind(unit, "DEDICATED TRANSPORT"):
        models = [m for u in carried for m in battle.members(u)]
    values = [max((t.scouts() for t in battle.traits(m)), default=0.0) for m in models]
    far = min(values, default=0.0)
    if carried and far > 0:
        battle.cite("wh40k:12.3.2-scouts-transport")
    return far


def prebattle(battle: Battle) -> Script[None]:
    """wh40k:19.5-prebattle, 21.8-prebattle, 12.3.3-scouts-order  Scouts move, the first player's before the other's."""
    battle.cite("wh40k:21.8-prebattle", "wh40k:23.30-scouts-timing")
    order = (battle.first, battle.other(battle.first))
    while battle.cursor < 2:
        seat = order[battle.cursor]
        able = [u for u in battle.army(seat) if scouting(battle, u) and u.id not in battle.queue]
        chosen = None
        if able:
            chosen = yield Pick(
                seat, "scout.unit", [option(u.id, u, about=(u.id,)) for u in able], optional=True, checkpoint=True,
                rule="wh40k:12.3.3-scouts-order",
            )  # fmt: skip
        if chosen is None:
            battle.cursor += 1
            continue
        battle.queue = (*battle.queue, chosen.id)
        yield from _scout(battle, chosen)


def _scout(battle: Battle, unit: Unit) -> Script[None]:
    far = scouting(battle, unit)
    by = ScoutJudge(battle, unit, battle.members(unit), Way("scouts"), lambda m: inches(far), SCOUTS)
    made = yield Place(
        unit.seat, "move", unit.models, by, optional=True, rule=SCOUTS, about=(unit.id,),
        data={"kind": "option.move-scouts", "inches": far},
    )  # fmt: skip
    gone = moves.apply(battle, made or ())
    battle.cite("wh40k:19.5-prebattle")
    battle.tell("move.made", SCOUTS, (unit.id,), move="option.move-scouts", inches=round(gone / MM_PER_INCH, 2))
