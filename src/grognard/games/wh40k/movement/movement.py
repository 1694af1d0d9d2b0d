"""Chapter 4: the Movement phase: move units one at a time, then reinforcements."""

from __future__ import annotations

from grognard.games.wh40k.army.amounts import Amount
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.command import stratagems
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.mission import mission
from grognard.games.wh40k.movement import aircraft, fall_back, moves, reserves, transports
from grognard.games.wh40k.movement.moves import MoveJudge
from grognard.games.wh40k.rolls import rerolls
from grognard.games.wh40k.shooting import overwatch
from grognard.games.wh40k.table.ground import Way
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import MM_PER_INCH, inches
from grognard.kernel.questions import Note, Option, Pick, Place, Script, option

SELECT = "wh40k:4.2.1-select"
RULES = {"normal": "wh40k:4.5-normal", "advance": "wh40k:4.6.1-advance", "scouts": "wh40k:12.3.1-scouts"}


@cites
def begin(battle: Battle) -> None:
    """wh40k:4.1-steps  Who begins the phase aboard a TRANSPORT is remembered (wh40k:5.5.1-disembark)."""
    for unit in battle.army(battle.active, "embarked"):
        unit.turn = unit.turn.but(began_embarked=True)


def phase(battle: Battle) -> Script[None]:
    """wh40k:4.1-steps  Step 1 Move Units, step 2 Reinforcements, then the opponent's Rapid Ingress."""
    seat = battle.active
    while battle.stage == 0:
        chosen = yield from _select(battle, seat)
        if chosen is None:
            _rest(battle, seat)
            battle.stage = 1
            break
        kind, unit = chosen
        if kind == "disembark":
            yield from transports.disembark(battle, unit)
        else:
            yield from activate(battle, unit)
        _check(battle)
    if battle.stage == 1:
        yield from reserves.reinforcements(battle, seat)
        battle.stage = 2
    if battle.stage == 2:
        yield from reserves.rapid_ingress(battle)
        battle.stage = 3


def _check(battle: Battle) -> None:
    mission.check(battle)


def _select(battle: Battle, seat: str) -> Script[tuple[str, Unit] | None]:
    """wh40k:4.2.1-select, wh40k:17.4.1-moves  The next unit to move; AIRCRAFT cannot be left out."""
    waiting = [u for u in battle.army(seat) if not u.turn.moved]
    options = [Option(u.id, ("move", u), about=u.named) for u in waiting]
    barred: dict[str, Refusal] = {}
    for unit in battle.army(seat):
        if unit.turn.moved:
            barred[unit.id] = Refusal("refuse.has-moved", SELECT, {"unit": unit.id}, _done(unit))
    for unit in battle.army(seat, "embarked"):
        refusal = transports.disembark_refusal(battle, unit)
        barred[unit.id] = Refusal("refuse.aboard", "wh40k:5.4.3-inert", {"unit": unit.id})
        if refusal is None:
            facts = {"unit": unit.name}
            options.append(Option(f"disembark:{unit.id}", ("disembark", unit), "option.disembark", (unit.id,), facts))
        else:
            barred[f"disembark:{unit.id}"] = refusal
    if not options and not barred:
        return None
    must = any(battle.is_kind(u, "AIRCRAFT") for u in waiting)
    chosen: tuple[str, Unit] | None = yield Pick(
        seat, "move.unit", options, optional=not must, barred=barred, rule=SELECT, checkpoint=True
    )
    return chosen


def _done(unit: Unit) -> tuple[str, ...]:
    """What else keeps a unit that is not selected again from moving."""
    if unit.turn.moved == "stationary":
        return ("wh40k:4.4-stationary",)
    if unit.turn.disembarked:
        return ("wh40k:5.6.3-effects",) if unit.turn.disembarked == "wreck" else ("wh40k:5.5.3-after",)
    return ("wh40k:4.11.4-moved",) if unit.turn.arrived else ()


def _rest(battle: Battle, seat: str) -> None:
    """wh40k:4.2.1-select, wh40k:23.39-unpicked  Ruling: whoever was not selected Remained Stationary."""
    for unit in battle.army(seat):
        if not unit.turn.moved:
            unit.turn = unit.turn.but(moved="normal" if unit.turn.disembarked else "stationary")
            battle.cite("wh40k:23.39-unpicked", SELECT)


# ---------------------------------------------------------------------- one unit


def activate(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:4.2.2-free, wh40k:4.2.3-engaged  The kind of move, then the move."""
    battle.cite("wh40k:1.3-unit", *(["wh40k:12.5.4-single-unit"] if battle.attached(unit) else []))
    if battle.is_kind(unit, "AIRCRAFT"):
        yield from aircraft.fly(battle, unit)
        return
    options, barred, rule = kinds(battle, unit)
    if unit.hover:
        battle.cite("wh40k:17.3-hover")
    kind = yield Pick(
        unit.seat, "move.kind",
        [option(k, text=f"option.move-{k}", notes=_told(battle, unit, k)) for k in options], rule=rule,
        about=(unit.id,), barred=barred,
    )  # fmt: skip
    if kind == "stationary":
        unit.turn = unit.turn.but(moved="stationary")
        battle.tell("move.stationary", "wh40k:4.4-stationary", (unit.id,))
    elif kind == "fall-back":
        yield from fall_back.fall_back(battle, unit)
        kind = unit.turn.moved
        yield from transports.offer(battle, unit) if kind == "fall-back" else ()
    else:
        yield from move(battle, unit, kind)
        yield from transports.offer(battle, unit)
    yield from overwatch.window(battle, unit, "end") if kind != "stationary" else ()


def _told(battle: Battle, unit: Unit, kind: str) -> tuple[Note, ...]:
    """wh40k:4.5-normal, wh40k:4.6.2-advance-limits, wh40k:4.7.2-fall-back-limits, wh40k:8.13-heavy
    What a kind of move means."""
    members = battle.members(unit)
    if kind == "stationary":
        heavy = any(w.flag("heavy") for m in members for w in m.weapons)
        return (Note("note.move-stationary", {}, "wh40k:8.13-heavy"),) if heavy else ()
    if any(m.profile.M is None or not m.profile.M.fixed for m in members):
        return ()
    rules = {"advance": "wh40k:4.6.2-advance-limits", "fall-back": "wh40k:4.7.2-fall-back-limits"}
    far = max(reach(battle, model) for model in members)
    return (Note(f"note.move-{kind}", {"inches": far}, rules.get(kind, "wh40k:4.5-normal")),)


def kinds(battle: Battle, unit: Unit) -> tuple[list[str], dict[str, Refusal], str]:
    """wh40k:4.2.2-free, wh40k:4.2.3-engaged, wh40k:17.5.1-others-move, wh40k:5.5.2-before, wh40k:11.1.1-m
    The moves open to a unit, and the others."""
    facts = {"unit": unit.id}
    foes = battle.engaged_with(unit)
    flying = bool(foes) and all(battle.is_kind(e, "AIRCRAFT") for e in foes)
    if flying:
        battle.cite("wh40k:17.5.1-others-move", "wh40k:23.51-engaged-by-aircraft")
    barred: dict[str, Refusal] = {}
    engaged = Refusal("refuse.engaged", "wh40k:4.2.3-engaged", facts)
    free = Refusal("refuse.not-engaged", "wh40k:4.2.2-free", facts)
    if foes and not flying:
        options = ["stationary", "fall-back"]
        barred = {"normal": engaged, "advance": engaged}
        if not fall_back.possible(battle, unit):
            options.remove("fall-back")
            barred["fall-back"] = Refusal("refuse.no-way-out", "wh40k:4.7.1-fall-back", facts)
    else:
        options, barred = ["normal", "advance", "stationary"], {"fall-back": free}
        if flying:
            barred = {}
            if fall_back.possible(battle, unit):
                options.append("fall-back")
            else:
                barred["fall-back"] = Refusal("refuse.no-way-out", "wh40k:4.7.1-fall-back", facts)
    if any(m.profile.M is None for m in battle.members(unit)):
        still = Refusal("refuse.immobile", "wh40k:11.1.1-m", facts)
        barred |= {k: still for k in options if k != "stationary"}
        options = ["stationary"]
    if unit.turn.disembarked and "stationary" in options and len(options) > 1:
        options.remove("stationary")
        barred["stationary"] = Refusal("refuse.just-disembarked", "wh40k:5.5.2-before", facts)
    return options, barred, "wh40k:4.2.3-engaged" if foes and not flying else "wh40k:4.2.2-free"


def reach(battle: Battle, model: Model) -> float:
    """wh40k:11.1.1-m, wh40k:17.3-hover  How far a model may go, in inches, before anything is added."""
    if battle.unit_of(model).hover and any(t.hover for t in battle.traits(model)):
        battle.cite("wh40k:17.3-hover")
        return 20.0
    battle.cite("wh40k:11.1.1-m")
    return 0.0 if model.profile.M is None else max(0.0, float(model.profile.M.plus + slowed(battle, model)))


def usual_reach(battle: Battle, model: Model) -> float:
    """wh40k:11.4.2-random-move  How far a model goes on average, in inches: what it may, and the mean of its dice."""
    move = model.profile.M
    return reach(battle, model) + (0.0 if move is None else move.mean - move.plus)


def slowed(battle: Battle, model: Model) -> int:
    """wh40k:11.3.1-abilities  What a damaged model's M is changed by, in inches."""
    damaged = model.profile.damaged
    if damaged is None or not model.damaged or not damaged.M:
        return 0
    battle.cite("wh40k:11.3.1-abilities")
    return damaged.M


def rolled_move(battle: Battle, unit: Unit) -> Script[dict[str, float]]:
    """wh40k:11.4.2-random-move  Inches each model may go; a random M is rolled once for the whole unit."""
    found: dict[str, float] = {}
    rolled: dict[Amount, int] = {}
    for model in battle.members(unit):
        move = model.profile.M
        if move is None or move.fixed:
            found[model.id] = reach(battle, model)
            continue
        if move not in rolled:
            who = rerolls.Roller(unit.seat, (unit.id,))
            rolled[move], _ = yield from rerolls.total(who, "random-move", move, "wh40k:11.4.2-random-move")
        found[model.id] = max(0.0, float(rolled[move] + slowed(battle, model)))
    return found


def move(battle: Battle, unit: Unit, kind: str) -> Script[None]:
    """wh40k:4.5-normal, wh40k:4.6.1-advance  Every model up to its M, plus the Advance roll."""
    far = yield from rolled_move(battle, unit)
    unit.turn = unit.turn.but(advance=0.0)
    if kind == "advance":
        who = stratagems.roller(battle, unit)
        roll, used = yield from rerolls.total(who, "advance", Amount(1), "wh40k:4.6.1-advance")
        stratagems.settle(battle, used, summed=True)
        unit.turn = unit.turn.but(advance=float(roll))
        battle.cite("wh40k:4.6.2-advance-limits")
    yield from overwatch.window(battle, unit, "start")
    if not unit.models:
        return
    judge = MoveJudge(
        battle, unit, battle.members(unit), Way(kind), lambda m: inches(far[m.id] + unit.turn.advance), RULES[kind]
    )
    made = yield Place(
        unit.seat, "move", unit.models, judge, optional=True, rule=RULES[kind], about=(unit.id,),
        data={"kind": f"option.move-{kind}", "inches": max(far.values()) + unit.turn.advance},
    )  # fmt: skip
    gone = moves.apply(battle, made or ())
    unit.turn = unit.turn.but(moved=kind)
    battle.tell("move.made", RULES[kind], (unit.id,), move=f"option.move-{kind}", inches=round(gone / MM_PER_INCH, 2))
