"""Chapter 12: The movement phase: basic moves, forced first moves, joining and leaving regiments."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.losses import courage
from grognard.games.nemesis.movement import forced, moves, sidestep, spell_walks
from grognard.games.nemesis.movement.moves import MoveJudge, RegroupJudge, Step
from grognard.games.nemesis.setup import missions
from grognard.games.nemesis.table import cohesion, control_zones
from grognard.games.nemesis.table.ground import terrain_ignored
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import MM_PER_CM
from grognard.kernel.questions import Option, Pick, Place, Script, option

JOIN = "nemesis:X.13-join-leave"

#: What a move along a control zone is told by; worked out only until it has been told once.
ZONED = ("nemesis:12-zoc", "nemesis:5.4-zoc")


def activate(battle: Battle, seat: str) -> Script[None]:
    """nemesis:12-basic  A player moves any of his units, each once, in the order he likes."""
    if not battle.queue:
        yield from forced_moves(battle, seat)
        battle.queue = ("free",)
    while True:
        options, barred = movable(battle, seat)
        unit = yield Pick(
            seat, "move.unit", options, optional=True, barred=barred, rule="nemesis:12-basic", about=(seat,),
            checkpoint=True,
        )  # fmt: skip
        if unit is None:
            break
        unit.move_done = True
        yield from move_unit(battle, unit)
    battle.queue = ()


def movable(battle: Battle, seat: str) -> tuple[list[Option], dict[str, Refusal]]:
    """Units with a model that may move, and why the others may not."""
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    for unit in battle.army(seat):
        why = move_refusal(battle, unit)
        if why is not None:
            barred[unit.id] = why
        elif not unit.move_done:
            options.append(option(unit.id, unit, text="option.unit", about=(unit.id,), data={"unit": unit.id}))
        else:
            barred[unit.id] = Refusal("refuse.moved", "nemesis:12-basic", {"unit": unit.id})
        if unit.hero is not None:
            barred[unit.hero] = Refusal("refuse.moves-with", "nemesis:6-hero", {"hero": unit.hero, "unit": unit.id})
    return options, barred


def move_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """nemesis:12-engaged-static, nemesis:X.1-flight  Why no model of the unit may move in this phase."""
    data = {"unit": unit.id}
    if unit.fleeing:
        return Refusal("refuse.fleeing", "nemesis:X.1-flight", data)
    for flag in ("cannot_move", "does_nothing"):
        rule = battle.unit_flag(unit, flag)
        if rule:
            return Refusal("refuse.held", rule, data)
    if all(battle.contacts(m) for m in battle.members(unit)):
        return Refusal("refuse.engaged-static", "nemesis:12-engaged-static", data)
    return None


def move_unit(battle: Battle, unit: Unit) -> Script[None]:
    """nemesis:12-basic, nemesis:12-mixed-speed  Every model up to its own M, in cohesion."""
    seat = unit.seat
    if unit.timid_turn == battle.turn and unit.nerve is None:
        yield from nerve(battle, unit, optional=True)
    yield from spell_walks.face_dark_woods(battle, unit)
    movers = battle.standing(unit)
    judge = MoveJudge(battle, unit, movers, rule="nemesis:12-basic")
    judge.leaving, judge.spent = True, arrived(battle, unit)
    steps = yield Place(
        seat, "move.models", [m.id for m in movers], judge, optional=True, rule="nemesis:12-basic", about=(unit.id,)
    )
    if not steps:
        return
    leavers = _leavers(battle, judge, steps)
    yield from make_moves(battle, unit, steps, "nemesis:12-basic")
    for hero in leavers:
        leave(battle, battle.models[hero])
        yield from join(battle, battle.units[battle.models[hero].home], left=unit)
    yield from join(battle, unit)


def arrived(battle: Battle, unit: Unit) -> list[str]:
    """nemesis:X.13-join-leave, nemesis:12-basic  Heroes who have made their own move of this turn and joined."""
    return [m.id for m in battle.standing(unit) if m.home != m.unit and battle.units[m.home].move_done]


def _leavers(battle: Battle, judge: MoveJudge, steps: Sequence[Step]) -> list[str]:
    with moves.trial(battle):
        for step in steps:
            x, y = step.path[-1]
            battle.bodies.place(step.model.body, Pose(x, y, step.facing))
        return judge.leavers(steps)


def nerve(battle: Battle, unit: Unit, *, optional: bool) -> Script[bool]:
    """nemesis:16.1-retreat-after  The courage test of a unit that retreated or fled last turn, once."""
    rule = "nemesis:16.1-retreat-after"
    if unit.nerve is not None:
        return unit.nerve
    if optional:
        wanted = yield Pick(
            unit.seat, "nerve.test", [option("test", text="option.nerve")], optional=True, rule=rule, about=(unit.id,)
        )
        if wanted is None:
            return False
    unit.nerve = yield from courage.test(battle, unit, "nerve", rule, flight=False)
    return bool(unit.nerve)


def dares(battle: Battle, unit: Unit) -> Script[bool]:
    """nemesis:16.1-retreat-after  Whether a unit may go toward an enemy now: who fell back last turn tests, unasked.

    Ruling: approaching, charging, counter-charging and pursuing are such moves.
    """
    return unit.timid_turn != battle.turn or (yield from nerve(battle, unit, optional=False))


# ---------------------------------------------------------------------- carrying moves out


def make_moves(
    battle: Battle, unit: Unit, steps: Sequence[Step], rule: str, spared: Sequence[str] = ()
) -> Script[None]:
    """Carry legal moves out one after the other, with whatever they run into on the way."""
    lengths: dict[str, float] = {}
    edges = None if all(rule in battle.cited for rule in ZONED) else control_zones.Edges(battle, unit.seat)
    for number, step in enumerate(steps):
        model = step.model
        rest = [s.path for s in steps[number + 1 :]]
        path = (yield from sidestep.passing(battle, model, step.path, rest, flown=step.flown)) or list(step.path)
        if battle.house.get("zoc_voluntary_crossing", "refuse") == "free_attack":
            yield from _run_gauntlet(battle, step, path, (*spared, *(u.id for u in battle.opponents(unit))))
        if edges is not None and edges.skirted(battle.base(model).reach, path):
            battle.cite(*ZONED)
            edges = None
        if model.on_table and _room(battle, model, path[-1]):
            length = step._replace(path=tuple(path)).length
            place(battle, model, Pose(path[-1][0], path[-1][1], step.facing), length)
            lengths[model.id] = round(length / MM_PER_CM, 2)
            if length and battle.table.pieces and (step.flown or battle.flag(model, "ignores_terrain")):
                terrain_ignored(battle, path)
            if rule == "nemesis:12-basic" and battle.contacts(model) and not model.charged:
                battle.cite("nemesis:12-pile-in")
    if lengths and all(length == 0 for length in lengths.values()):
        battle.cite("nemesis:12-facing")
    moved = [battle.models[key] for key in lengths if battle.models[key].on_table]
    battle.tell("moved", rule, (unit.id,), models=lengths, ends=_ends(battle, moved))
    yield from missions.after_move(battle, moved)


def _run_gauntlet(battle: Battle, step: Step, path: list[tuple[float, float]], spared: Sequence[str]) -> Script[None]:
    """nemesis:12-zoc  House rule zoc_voluntary_crossing: every control zone entered gives its holder a free attack."""
    for holder in control_zones.crossed(battle, step.model, path, spared, flown=step.flown):
        if step.model.on_table:
            yield from forced.free_attack(battle, holder, step.model)


def _room(battle: Battle, model: Model, end: tuple[float, float]) -> bool:
    """Whether nobody has stepped there meanwhile (nemesis:A1.5-hidden-sidestep)."""
    return not battle.bodies.overlaps(model.body, Pose(end[0], end[1], battle.pose(model).facing))


def _ends(battle: Battle, models: Sequence[Model]) -> dict[str, list[float]]:
    return {m.id: [round(v / MM_PER_CM, 3) for v in battle.pose(m)[:2]] for m in models}


def place(battle: Battle, model: Model, pose: Pose, length: float | None = None) -> None:
    """nemesis:12-facing, nemesis:A1.5-hidden-reveal  Put a model somewhere else: it has moved, and is hidden no more.

    `length` is what it went, if not the straight way.
    """
    here = battle.pose(model)
    model.travelled += math.dist((here.x, here.y), (pose.x, pose.y)) if length is None else length
    battle.bodies.place(model.body, pose)
    model.moved = True
    if model.hidden:
        model.hidden = False
        battle.tell("revealed", "nemesis:A1.5-hidden-reveal", (model.id,))


# ---------------------------------------------------------------------- moves that must be made


def forced_moves(battle: Battle, seat: str) -> Script[None]:
    """nemesis:6-cohesion-lost, nemesis:A2.C.10-mirage, nemesis:A2.O.11-dark-wood
    Moves a player must make before his others."""
    yield from spell_walks.forced_walks(battle, seat)
    for unit in battle.army(seat):
        if unit.regiment and not unit.move_done and not cohesion.holds(battle, unit) and not move_refusal(battle, unit):
            yield from regroup(battle, unit)


def regroup(battle: Battle, unit: Unit) -> Script[None]:
    """nemesis:6-cohesion-lost  The first move restores cohesion. Ruling: each stray goes toward the main body."""
    movers = battle.standing(unit)
    judge = RegroupJudge(battle, unit, movers, arrived(battle, unit))
    if judge.propose("regroup") is None:
        return
    unit.move_done = True
    steps = yield Place(
        unit.seat, "move.regroup", [m.id for m in movers], judge, rule="nemesis:6-cohesion-lost", about=(unit.id,)
    )
    yield from make_moves(battle, unit, steps, "nemesis:6-cohesion-lost")


# ---------------------------------------------------------------------- joining and leaving


def join(battle: Battle, unit: Unit, left: Unit | None = None) -> Script[None]:
    """nemesis:X.13-join-leave  A hero who ends his move within 5 cm of a friendly regiment may join it."""
    if len(unit.models) != 1 or unit.regiment:
        return
    hero = battle.members(unit)[0]
    if not hero.card.is_hero or battle.contacts(hero):
        return
    regiments = [r for r in battle.army(unit.seat) if r.regiment and r is not left]
    if regiments:
        battle.cite(JOIN)
    near = [r for r in regiments if battle.unit_gap(unit, r) <= cohesion.LINKED]
    if not near:
        return
    barred: dict[str, Refusal] = {}
    options: list[Option] = []
    for regiment in regiments:
        why = join_refusal(battle, hero, regiment)
        if why is None and regiment not in near:
            why = Refusal("refuse.join-far", JOIN, {"hero": hero.id, "unit": regiment.id})
        if why is not None:
            barred[regiment.id] = why
            continue
        data = {"unit": regiment.id}
        options.append(option(regiment.id, regiment, text="option.unit", about=(regiment.id,), data=data))
    chosen = yield Pick(
        unit.seat, "hero.join", options, optional=True, barred=barred, rule="nemesis:X.13-join-leave", about=(hero.id,)
    )
    if chosen is not None:
        enter(battle, hero, chosen)


def join_refusal(battle: Battle, hero: Model, regiment: Unit) -> Refusal | None:
    """nemesis:X.13-join-leave, nemesis:A1.17-hermit, nemesis:6-hero  Why a hero may not join a regiment."""
    data = {"hero": hero.id, "unit": regiment.id}
    hermit = battle.flag(hero, "cannot_join")
    if hermit:
        return Refusal("refuse.join-hermit", hermit, data)
    if regiment.hero is not None:
        return Refusal("refuse.one-hero", "nemesis:X.13-join-leave", data)
    if battle.engaged(regiment) or battle.contacts(hero):
        return Refusal("refuse.join-engaged", "nemesis:X.13-join-leave", data)
    return None


@cites
def enter(battle: Battle, hero: Model, regiment: Unit) -> None:
    """nemesis:6-hero  The hero becomes the regiment's champion."""
    battle.units[hero.home].models = ()
    hero.unit = regiment.id
    regiment.models = (*regiment.models, hero.id)
    regiment.hero = hero.id
    battle.tell("hero.joined", "nemesis:X.13-join-leave", (hero.id, regiment.id))


def leave(battle: Battle, hero: Model) -> None:
    """nemesis:X.13-join-leave  The hero stands alone again."""
    regiment = battle.unit_of(hero)
    regiment.models = tuple(m for m in regiment.models if m != hero.id)
    regiment.hero = None
    own = battle.units[hero.home]
    own.models = (hero.id,)
    own.move_done = True
    own.timid_turn, own.nerve = regiment.timid_turn, regiment.nerve  # nemesis:16.1-retreat-after: he fell back too
    hero.unit = own.id
    battle.tell("hero.left", "nemesis:X.13-join-leave", (hero.id, regiment.id))
