"""Chapter 4.2.4.1, 7.3  Walks, runs and dodges, and what happens to anybody on its way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter, Thing
from grognard.games.ades.losses import damage, fear
from grognard.games.ades.losses.damage import Source
from grognard.games.ades.movement import answers
from grognard.games.ades.movement.moves import MoveJudge, Step
from grognard.games.ades.rolls import stats, tests
from grognard.games.ades.table import ground, hidden, standing
from grognard.games.ades.table.ground import Way
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.moving.paths import Ground
from grognard.kernel.geometry.units import MM_PER_CM, TOUCH, bearing, cm
from grognard.kernel.questions import Place, Script

RULES = {
    "walk": "ades:4.2.4.1-walk",
    "run": "ades:4.2.4.1-run",
    "dodge": "ades:4.2.4.1-dodge",
    "disengage": "ades:4.2.4.1-disengage",
    "infiltration": "ades:13.2-infiltration",
    "pursuit": "ades:4.3.4.3-pursuit",
}
#: Ruling: how far the scythes of an engine reach beyond its base.
SCYTHE = cm(2)


def budgets(battle: Battle, fighter: Fighter, times: float, less: float = 0.0) -> tuple[tuple[int, float], ...]:
    """ades:1.1.16, ades:7.3
    The potential at each level it may end on; a change of level uses the air MOU less 5 cm."""
    level = battle.pose(fighter).level
    mou = stats.stat(battle, fighter, "MOU")
    battle.cite(*mou.rules)
    found = [(level, max(0.0, cm(mou.value) * times - less))]
    if battle.has(fighter, "vol") and not fighter.activation.level_changed:
        air = cm(changing(battle, fighter))
        found += [(to, max(0.0, air * times - less)) for to in (level - 1, level + 1) if 0 <= to <= 2]
    return tuple(found)


def changing(battle: Battle, fighter: Fighter) -> float:
    """ades:7.3  The MOU of a move to another level: that of the air, 5 cm less."""
    plain = fighter.profile.air if battle.pose(fighter).level else fighter.profile.stats["MOU"]
    return max(0.0, fighter.profile.air + (stats.value(battle, fighter, "MOU") - plain) - 5)


def leaping(battle: Battle, fighter: Fighter, pursuit: bool = False) -> tuple[int, float]:
    """ades:13.2-bond  Two leaps in an activation, one in a pursuit, no longer than its MOU."""
    if not battle.has(fighter, "bond"):
        return 0, 0.0
    left = (1 if pursuit else 2) - fighter.activation.leaps
    return (left, cm(stats.value(battle, fighter, "MOU"))) if left > 0 else (0, 0.0)


def way_for(battle: Battle, fighter: Fighter, kind: str, through: tuple[str, ...] = ()) -> Way:
    """A move that ends in contact with nobody."""
    times = 1.0
    if kind == "run":
        times = 2.0
        if battle.uses(fighter, "rapidite"):
            times = 3.0
    leaps, leap = leaping(battle, fighter)
    turns = fighter.profile.poi if fighter.profile.engine else 0.0
    return Way(kind, RULES[kind], budgets(battle, fighter, times), (), through, leaps=leaps, leap=leap, turns=turns)


def ask(battle: Battle, fighter: Fighter, way: Way, *, optional: bool = True) -> Script[Step | None]:
    """Where a fighter goes."""
    judge = MoveJudge(battle, fighter, way)
    reach = way.budget(battle.pose(fighter).level)
    step: Step | None = yield Place(
        battle.chooser(fighter), "move", (fighter.id,), judge, optional=optional, rule=way.rule, about=(fighter.id,),
        data={"kind": f"move.{way.kind}", "cm": round(max(0.0, reach) / MM_PER_CM, 2)},
    )  # fmt: skip
    return step


def make(
    battle: Battle, fighter: Fighter, kind: str, through: tuple[str, ...] = (), tried: Sequence[str] | None = None
) -> Script[str]:
    """ades:4.2.4.1-walk, ades:4.2.4.1-run, ades:4.2.4.1-dodge  One move; "done", "stopped", "dead" or "held".

    Whoever got away from its enemies must leave them, if there is anywhere to go. `tried`: as in `travel`.
    """
    way = way_for(battle, fighter, kind, through)
    judge = MoveJudge(battle, fighter, way)
    must = kind == "disengage" and any(judge.propose(name) is not None for name in judge.proposals())
    step = yield from ask(battle, fighter, way, optional=not must)
    if kind == "dodge":
        fighter.stance = fighter.stance.but(dodging=True)
        battle.tell("dodging", RULES["dodge"], (fighter.id,))
    if step is None:
        return "held"
    return (yield from travel(battle, step, way, tried=tried))


def travel(
    battle: Battle, step: Step, way: Way, *, react: bool = True, tried: Sequence[str] | None = None
) -> Script[str]:
    """A move is made: those who may react do, traps go off, and the fighter stands at its end.

    `tried`: the vigilant who have answered its announcement already; None where nobody was asked.
    """
    fighter = step.fighter
    if react:
        outcome, step = yield from answers.window(battle, step, way, tried)
        if outcome != "done":
            return outcome
        step = trimmed(battle, step, way)
    yield from pass_along(battle, fighter, step.path, step.level)
    if not fighter.alive:
        return "dead"
    arrive(battle, step, way)
    return "done"


def part(battle: Battle, step: Step, path: Sequence[tuple[float, float]]) -> Step:
    """A part of a move, with what that part costs."""
    return step._replace(path=tuple(path), cost=ground.cost(battle, step.fighter, path, step.level))


def halves(battle: Battle, step: Step, gone: float) -> tuple[Step, Step]:
    """An announced move cut in two after so many mm, each part with what it costs: it stays one move."""
    first = part(battle, step, ground.along(step.path, gone))
    left = [first.path[-1]]
    walked = 0.0
    for p, q in pairwise(step.path):
        walked += math.dist(p, q)
        if walked > gone + 1e-6:
            left.append(q)
    rest = part(battle, step, left)._replace(gone=step.gone + gone, spent=step.spent + first.cost)
    return first._replace(ahead=step.ahead + rest.cost), rest


def trimmed(battle: Battle, step: Step, way: Way) -> Step:
    """Ruling: a move whose way was closed by a reaction ends where it is stopped."""
    route = ground.route(battle, step.fighter, step.level, way)
    if len(step.path) < 2:
        return step
    if route.check(step.path) is None and ground.stands(battle, step.fighter, step.end):
        return step
    before = step.cost - part(battle, step, step.path).cost
    done = standing.last_on(battle, step.fighter, _open(route, step.path), step.level, step.facing, apart=way.apart)
    cut = part(battle, step, done)
    return cut._replace(cost=before + cut.cost)


def _open(route: Ground, path: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """A path as far as nothing is in its way."""
    done = [path[0]]
    for p, q in pairwise(path):
        halt = route.stop_along(p, bearing(q[0] - p[0], q[1] - p[1]), math.dist(p, q))
        if halt.block is not None:
            return [*done, halt.point]
        done.append(q)
    return done


def arrive(battle: Battle, step: Step, way: Way) -> None:
    """The fighter stands at the end of its path."""
    fighter, before = step.fighter, battle.pose(step.fighter)
    if way.leap:
        fighter.activation = fighter.activation.but(
            leaps=fighter.activation.leaps + ground.crossings(battle, fighter, step.path, step.level, way)
        )
    if step.level or before.level:
        battle.cite("ades:7.2", "ades:13.2-vol")
    if step.level != before.level:
        fighter.activation = fighter.activation.but(level_changed=True)
        battle.cite("ades:7.1")
        battle.tell("level", "ades:7.3", (fighter.id,), level=step.level, landed=step.level == 0)
    battle.put(fighter, step.end)
    fighter.round = fighter.round.but(moved=fighter.round.moved or step.length > TOUCH)
    battle.tell(
        "moved", way.rule, (fighter.id,), move=f"move.{way.kind}", cm=round(step.cost / MM_PER_CM, 2), level=step.level
    )
    _speed(battle, fighter, step.whole)
    uncover(battle, fighter)


def _speed(battle: Battle, fighter: Fighter, length: float) -> None:
    """ades:13.2.1-irrepressible  A marker for a move longer than MOU that ends free; lost by a shorter one."""
    if not battle.has(fighter, "irrepressible"):
        return
    fast = length > cm(stats.value(battle, fighter, "MOU")) + TOUCH and battle.free(fighter)
    if fast != fighter.stance.speed:
        fighter.stance = fighter.stance.but(speed=fast)
        battle.tell("speed" if fast else "speed.lost", "ades:13.2.1-irrepressible", (fighter.id,))


def uncover(battle: Battle, fighter: Fighter) -> None:
    """ades:9.2.2-accessible  A token under a base is put beside it."""
    pose = battle.pose(fighter)
    if pose.level:
        return
    r = battle.base(fighter).half_width
    for token in battle.things_of("token"):
        away = math.dist((token.x, token.y), pose[:2])
        if not token.bearer and away < r - TOUCH:
            angle = math.atan2(token.y - pose.y, token.x - pose.x) if away > 1e-6 else 0.0
            token.x, token.y = pose.x + r * math.cos(angle), pose.y + r * math.sin(angle)
            battle.tell("token.shifted", "ades:9.2.2-accessible", (token.id, fighter.id))


# ---------------------------------------------------------------------- on the way


def pass_along(battle: Battle, fighter: Fighter, path: tuple[tuple[float, float], ...], level: int) -> Script[None]:
    """Traps on the way go off; an engine's scythes mow."""
    if len(path) > 1 and battle.has(fighter, "ethere"):
        yield from _haunt(battle, fighter, path, level)
    if level == 0 and len(path) > 1:
        yield from _traps(battle, fighter, path[-1:] if battle.pose(fighter).level else path)
    if fighter.alive and battle.has(fighter, "fauchage") and len(path) > 1:
        yield from _scythe(battle, fighter, path)


def _haunt(battle: Battle, ghost: Fighter, path: tuple[tuple[float, float], ...], level: int) -> Script[None]:
    """ades:13.2-ethere-disengage, ades:13.2-eclaireur-hidden
    Enemies an ethereal fighter passes through face its fear."""
    for foe in list(battle.enemies(ghost)):
        if hidden.untouched(battle, foe, ghost.seat):
            continue
        at = battle.pose(foe)
        far = battle.base(foe).half_width + battle.base(ghost).half_width - TOUCH
        met = at.level == level and any(ground._to_leg((at.x, at.y), p, q) < far for p, q in pairwise(path))
        what = fear.fright(battle, ghost, foe, False) if met else None
        if what is not None and not fear.immune(battle, foe, ghost, what):
            battle.cite("ades:13.2-ethere-disengage")
            yield from fear.challenge(battle, ghost, foe, False)


def _traps(battle: Battle, fighter: Fighter, path: tuple[tuple[float, float], ...]) -> Script[None]:
    """ades:13.2-poseur-trigger  Passing within 5 cm of a trap; who lands does so where it comes down.

    Ruling: friends too.
    """
    if battle.has(fighter, "poseur-de-pieges") or battle.immune(fighter, "Traps"):
        return
    reach = cm(5) + battle.base(fighter).half_width + TOUCH
    met = [(first_near(path, trap.x, trap.y, reach), trap) for trap in battle.things_of("trap")]
    order: list[tuple[float, Thing]] = [(at, trap) for at, trap in met if at is not None]
    for at, trap in sorted(order, key=lambda pair: (pair[0], pair[1].id)):
        if not fighter.alive:
            return
        battle.put(fighter, Pose(*ground.along(path, at)[-1], battle.pose(fighter).facing, 0))
        trap.alive = False
        battle.tell("trap", "ades:13.2-poseur-trigger", (fighter.id, trap.id))
        yield from damage.strike(battle, fighter, 5, Source(), "ades:13.2-poseur-trigger")


def first_near(path: tuple[tuple[float, float], ...], x: float, y: float, reach: float) -> float | None:
    """How far along a path one first comes within reach of a point."""
    if math.dist(path[0], (x, y)) <= reach:
        return 0.0
    gone = 0.0
    for p, q in pairwise(path):
        leg = math.dist(p, q)
        if leg < 1e-9:
            continue
        ux, uy = (q[0] - p[0]) / leg, (q[1] - p[1]) / leg
        ahead, aside = (x - p[0]) * ux + (y - p[1]) * uy, (x - p[0]) * uy - (y - p[1]) * ux
        if abs(aside) <= reach:
            half = math.sqrt(reach * reach - aside * aside)
            first, last = ahead - half, ahead + half
            if last >= 0 and first <= leg:
                return gone + max(0.0, first)
        gone += leg
    return None


def beside(path: tuple[tuple[float, float], ...], x: float, y: float, reach: float) -> bool:
    """Whether a point lies alongside a path, not before or behind it."""
    for p, q in pairwise(path):
        leg = math.dist(p, q)
        if leg < 1e-9:
            continue
        ux, uy = (q[0] - p[0]) / leg, (q[1] - p[1]) / leg
        ahead, aside = (x - p[0]) * ux + (y - p[1]) * uy, (x - p[0]) * uy - (y - p[1]) * ux
        if abs(aside) <= reach and -TOUCH <= ahead <= leg + TOUCH:
            return True
    return False


def _scythe(battle: Battle, engine: Fighter, path: tuple[tuple[float, float], ...]) -> Script[None]:
    """ades:13.2.1-fauchage, ades:13.2-eclaireur-hidden
    INI against 3 (5 in melee, 2 less with Leap), or a damage test."""
    level = battle.pose(engine).level
    wide = battle.base(engine).half_width + SCYTHE
    for other in list(battle.on_table()):
        pose = battle.pose(other)
        if other is engine or pose.level != level or not other.alive:
            continue
        if not beside(path, pose.x, pose.y, wide + battle.base(other).half_width):
            continue
        if hidden.untouched(battle, other, engine.seat):
            continue
        against = 5 if battle.foes_of(other) else 3
        if battle.uses(other, "bond"):
            against -= 2
        passed = yield from tests.test(battle, "scythe", "ades:13.2.1-fauchage", other, "INI", against)
        if not passed:
            force = battle.number(engine, "fauchage")
            yield from damage.strike(battle, other, force, Source(), "ades:13.2.1-fauchage", by=engine)
