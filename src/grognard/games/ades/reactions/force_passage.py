"""ades:5.3.2.5  Passage en force: through the enemies met in an assault or a run."""

from __future__ import annotations

import math
from collections.abc import Sequence

import shapely

from grognard.games.ades.assault import contact
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.movement import answers, movement
from grognard.games.ades.movement.moves import Step
from grognard.games.ades.reactions import vigilance
from grognard.games.ades.rolls import characteristic_points, stats, tests
from grognard.games.ades.table import ground, setting_down, standing
from grognard.games.ades.table.ground import Way
from grognard.games.ades.tactics import tactics
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.moving.sweep import first_contact
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.questions import Note, Pick, Script, option
from grognard.kernel.words.tally import Tally

RULE = "ades:5.3.2.5"


def trial(battle: Battle, actor: Fighter, met: list[Fighter], charging: bool) -> Script[bool]:
    """ades:5.3.2.5, ades:13.1-for-en-charge  FOR against the best FOR or RES of those met, and 2 for each of them."""
    yield from tactics.pay(battle, actor.seat, "force", actor)
    hardest = _hardest(battle, met)
    bonus = 0
    if charging:
        bonus = yield from characteristic_points.charge_strength(battle, actor, battle.number(actor, "charge-strength"))
    plus = [(bonus, "charge", "ades:13.1-for-en-charge")] if bonus else []
    return (yield from tests.test(battle, "force", RULE, actor, "FOR", hardest, foe=met[0], plus=plus))


def _hardest(battle: Battle, met: list[Fighter]) -> Tally:
    found = max((stats.stat(battle, f, s) for f in met for s in ("FOR", "RES")), key=lambda tally: tally.value)
    return found.add(2 * len(met), "enemies met", RULE)


def _outlook(battle: Battle, actor: Fighter, met: list[Fighter]) -> tuple[Note, ...]:
    """What it costs to go on, and what the die would have to show."""
    with battle.cited_apart():
        need = tests.needed(battle, "FOR", tests.current(battle, actor, "FOR"), _hardest(battle, met), ()).value
    price = tactics.cost(battle, actor.seat, tactics.TACTICS["force"][2])
    return price, Note("note.force-need", {"need": tests.face(need)}, RULE)


def out(battle: Battle, actor: Fighter, way: Way, rest: Step) -> Script[str]:
    """ades:5.3.2.5  An actor caught by an interceptor in an assault or run may force its way on."""
    met = battle.foes_of(actor)
    if way.kind not in ("run", "charge", "engage") or not met:
        return "stopped"
    why = tactics.refusal(battle, actor.seat, "force") or tactics.fit(battle, actor)
    chosen = yield Pick(
        actor.seat, "force", [option("use", text="option.force")] if why is None else [], optional=True, rule=RULE,
        barred={} if why is None else {"use": why}, about=(actor.id, *(f.id for f in met)),
        data={"foes": [f.id for f in met]}, notes=_outlook(battle, actor, met), underway=rest.underway(rest.end),
    )  # fmt: skip
    if chosen is None:
        return "stopped"
    passed = yield from trial(battle, actor, met, way.kind == "charge")
    if not passed:
        yield from failed(battle, actor, met, way.kind, rest)
        return "forced-stop"
    if not (yield from clear(battle, actor, met, rest)):
        return "stopped"
    battle.tell("forced", "ades:5.3.2.5-success", (actor.id, *(f.id for f in met)), foes=[f.id for f in met])
    return "done"


def failed(battle: Battle, actor: Fighter, met: list[Fighter], kind: str, step: Step) -> Script[None]:
    """ades:5.3.2.5-failure  The activation ends; in an assault those met are assaulted, in a run they step aside.

    Ruling: an interceptor that stopped a runner steps aside too.
    """
    battle.tell("force.failed", "ades:5.3.2.5-failure", (actor.id, *(f.id for f in met)), foes=[f.id for f in met])
    if kind == "run":
        yield from clear(battle, actor, met, step._replace(path=step.path[:1]))
    else:
        yield from contact.assaulted(battle, actor, kind, step)


def clear(battle: Battle, actor: Fighter, met: list[Fighter], step: Step) -> Script[bool]:
    """ades:5.3.2.5-success  Those met are shifted just enough; whether all found room."""
    for foe in met:
        place = _aside(battle, foe, actor, step)
        if place is None:
            return False
        yield from _shift(battle, foe, actor, step, place)
        battle.tell("shifted", "ades:5.3.2.5-success", (actor.id, foe.id))
    return True


def _shift(battle: Battle, foe: Fighter, actor: Fighter, step: Step, place: Pose) -> Script[None]:
    """ades:5.3.2.5-success  Off the way and no further.

    Ruling: by its own player, at most a centimetre further than it must.
    """
    rule, here = "ades:5.3.2.5-success", battle.pose(foe)
    far = math.dist(here[:2], place[:2]) + cm(1)

    def region(key: str, pose: Pose) -> Refusal | None:
        if not _off(battle, foe, actor, step, pose.x, pose.y):
            return Refusal("refuse.still-in-the-way", rule, {"fighter": key, "other": actor.id})
        if math.dist(here[:2], pose[:2]) > far:
            return Refusal("refuse.shifted-far", rule, {"fighter": key, "cm": round(far / cm(1), 2)})
        return None

    yield from setting_down.aside(battle, foe, "shifted.where", rule, region, place, actor)


def _off(battle: Battle, foe: Fighter, actor: Fighter, step: Step, x: float, y: float) -> bool:
    """Whether a fighter at a place stands clear of an actor's way."""
    r = battle.base(actor).reach + battle.base(foe).reach + 3 * TOUCH
    at = battle.pose(actor)
    way = ((at.x, at.y), *step.path)
    return all(ground._to_leg((x, y), p, q) >= r for p, q in zip(way, [*way[1:], way[-1]], strict=True))


def _aside(battle: Battle, foe: Fighter, actor: Fighter, step: Step) -> Pose | None:
    """ades:5.3.2.5-success  The nearest place beside the way where a fighter stands clear of it."""
    here, base, at = battle.pose(foe), battle.base(foe), battle.pose(actor)
    if _off(battle, foe, actor, step, here.x, here.y) and ground.stands(battle, foe, here):
        return here
    free = standing.open_ground(battle, base, here.facing, here.level, (foe.body,))
    way = standing.keep_off((at[:2], *step.path), battle.base(actor).reach + base.reach + 3 * TOUCH)
    spot = standing.nearest(shapely.difference(free, way), here[:2])
    return None if spot is None else Pose(*spot, here.facing, here.level)


def _beneath(battle: Battle, actor: Fighter, foe: Fighter) -> bool:
    """ades:7.3  Whether a flyer sets out from right above somebody: it leaves him behind before it comes down."""
    here, other = battle.pose(actor), battle.pose(foe)
    near = battle.base(actor).reach + battle.base(foe).reach
    return here.level > other.level and math.dist(here[:2], other[:2]) < near


@answers.through.here
def through(battle: Battle, step: Step, way: Way, tried: Sequence[str] | None = None) -> Script[str]:
    """ades:5.3.2.5  A run or assault right through enemies: at the first contact the test decides.

    `tried`: the vigilant who have answered its announcement already.
    """
    actor = step.fighter
    if tried is None:
        tried = yield from vigilance.declared(battle, step, way)
        if over := answers.hindered(battle, actor, way):
            return over
    blockers = [f for f in battle.enemies(actor) if f.id in way.through and f.id not in way.contact and not f.hidden]
    blockers = [f for f in blockers if not _beneath(battle, actor, f)]
    point, met = _first(battle, step, blockers)
    if not met:
        return (yield from movement.travel(battle, step, way, tried=tried))
    to_contact, rest = movement.halves(battle, step, point)
    plain = Way(way.kind, way.rule, way.budgets, way.contact, way.through, apart=False)
    outcome = yield from movement.travel(battle, to_contact, plain, tried=tried)
    if outcome != "done":
        return outcome
    spent = tactics.refusal(battle, actor.seat, "force") is not None  # on somebody who intercepted it before
    if spent or not (yield from trial(battle, actor, met, way.kind == "charge")):
        yield from failed(battle, actor, met, way.kind, to_contact)
        return "forced-stop"
    if not (yield from clear(battle, actor, met, rest)):
        return "stopped"
    battle.tell("forced", "ades:5.3.2.5-success", (actor.id, *(f.id for f in met)), foes=[f.id for f in met])
    narrow = Way(way.kind, way.rule, way.budgets, way.contact, (), apart=False)
    return (yield from movement.travel(battle, rest, narrow, tried=tried))


def _first(battle: Battle, step: Step, blockers: list[Fighter]) -> tuple[float, list[Fighter]]:
    """How far along its path an actor first meets enemies, and whom it meets there."""
    base = battle.base(step.fighter)
    gone = 0.0
    for p, q in zip(step.path, step.path[1:], strict=False):
        start, end = Pose(*p, step.facing, step.level), Pose(*q, step.facing, step.level)
        found = []
        for foe in blockers:
            hit = first_contact(base, start, end, [(battle.base(foe), battle.pose(foe))])
            if hit is not None:
                found.append((hit, foe))
        if found:
            nearest = min(hit for hit, _ in found)
            return gone + nearest, [foe for hit, foe in found if hit <= nearest + cm(0.1)]
        gone += math.dist(p, q)
    return gone, []
