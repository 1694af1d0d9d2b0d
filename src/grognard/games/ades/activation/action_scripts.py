"""ades:4.2.2-actions  Each action as it is done."""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.ades.assault import assault
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.machines import machines, transports
from grognard.games.ades.movement import answers, disengage, movement
from grognard.games.ades.mystics import casting, devices, nexus, powers
from grognard.games.ades.rolls import stats
from grognard.games.ades.scenarios import tokens
from grognard.games.ades.shooting import artillery, shooting
from grognard.games.ades.table import ground
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import cm
from grognard.kernel.questions import Note, Number, Pick, Script, option


def _move(kind: str) -> Callable[[Battle, list[Fighter]], Script[str]]:
    def do(battle: Battle, group: list[Fighter]) -> Script[str]:
        outcome = "held"
        for fighter in group:
            if fighter.alive and battle.free(fighter):
                one = yield from movement.make(battle, fighter, kind)
                outcome = one if one != "held" else outcome
        return "done" if kind == "dodge" and outcome == "held" else outcome

    return do


def _attack(kind: str, force: bool = False) -> Callable[[Battle, list[Fighter]], Script[str]]:
    def do(battle: Battle, group: list[Fighter]) -> Script[str]:
        return (yield from assault.declare(battle, group, kind, force=force))

    return do


def _forced_run(battle: Battle, group: list[Fighter]) -> Script[str]:
    """ades:5.3.2.5  A run through enemies."""
    (fighter,) = group
    through = tuple(f.id for f in battle.enemies(fighter))
    way = movement.way_for(battle, fighter, "run", through)
    step = yield from movement.ask(battle, fighter, way)
    if step is None:
        return "held"
    return (yield from answers.through(battle, step, way))


def _declared(battle: Battle, fighter: Fighter, kind: str) -> Script[list[str] | None]:
    """ades:5.3.2.4-react  The vigilant may act before somebody tries to get away; None if it cannot try any more."""
    doing = Note("note.announced-act", {"who": [fighter.id], "action": f"act.{kind}"}, "ades:4.2.2-actions")
    tried = yield from answers.vigilance(battle, fighter, (doing,), moving=True)
    return tried if fighter.alive and not fighter.assault.assaulted and not battle.free(fighter) else None


def _disengage(battle: Battle, group: list[Fighter]) -> Script[str]:
    """ades:4.2.4.1-disengage, ades:4.2.4.1-disengage-result  A contest, then a walk through those one leaves."""
    (fighter,) = group
    tried = yield from _declared(battle, fighter, "disengage")
    if tried is None:
        return "done" if fighter.alive else "dead"
    foes = tuple(f.id for f in battle.foes_of(fighter))
    if not (yield from disengage.away(battle, fighter)):
        return "done" if fighter.alive else "dead"
    outcome = yield from movement.make(battle, fighter, "disengage", foes, tried)
    return "done" if outcome == "held" else outcome


def _disengage_assault(battle: Battle, group: list[Fighter]) -> Script[str]:
    """ades:4.2.4.2-disengage-assault  The same contest, then an engagement of MOU."""
    (fighter,) = group
    tried = yield from _declared(battle, fighter, "disengage-assault")
    if tried is None or not (yield from disengage.away(battle, fighter)):
        return "done" if fighter.alive else "dead"
    outcome = yield from assault.declare(battle, [fighter], "disengage-assault", tried=tried)
    return "done" if outcome in ("held", "none") else outcome


def _harassing(battle: Battle, group: list[Fighter]) -> Script[str]:
    """ades:13.2-harcelement, ades:5.3.2.3-trigger
    A run, with a shot before it has gone further than MOU; it is announced
    as one move, which the shot does not end."""
    (fighter,) = group
    way = movement.way_for(battle, fighter, "run")
    step = yield from movement.ask(battle, fighter, way)
    if step is None:
        return "held"
    counted = ground.cut(battle, fighter, step.path, step.level, cm(stats.value(battle, fighter, "MOU")))
    most = int(ground.length_of(counted) / cm(1) * 2 + 1e-6) / 2
    facts = {"most": most, "cm": round(step.length / cm(1), 1)}
    at = yield Number(
        fighter.seat, "harass.when", 0, most, step=0.5, rule="ades:13.2-harcelement", about=(fighter.id,),
        notes=(Note("note.harass", facts, "ades:13.2-harcelement"),), underway=step.underway(step.end),
    )  # fmt: skip
    if not ground.stands(battle, fighter, Pose(*ground.along(step.path, cm(at))[-1], step.facing, step.level)):
        at = 0
    first, rest = movement.halves(battle, step, cm(at))
    tried = None
    if at:
        tried = yield from answers.declared(battle, step, way)
        outcome = yield from movement.travel(battle, first, way, tried=tried)
        if outcome != "done":
            return outcome
    fighter.activation = fighter.activation.but(done=(*fighter.activation.done, "harassing"))
    yield from shooting.shoot(battle, [fighter])
    if not fighter.alive:
        return "dead"
    if len(rest.path) < 2 or not battle.free(fighter):
        return "done"
    stays = yield Pick(
        fighter.seat, "harass.stop", [option("stop", text="option.stop")], optional=True, rule="ades:13.2-harcelement",
        about=(fighter.id,), aside=True,
    )  # fmt: skip
    if stays is not None:
        return "done"
    return (yield from movement.travel(battle, rest, way, tried=tried))


def _alone(do: Callable[[Battle, Fighter], Script[str]]) -> Callable[[Battle, list[Fighter]], Script[str]]:
    def run(battle: Battle, group: list[Fighter]) -> Script[str]:
        return (yield from do(battle, group[0]))

    return run


def _volley(battle: Battle, group: list[Fighter]) -> Script[str]:
    return (yield from shooting.shoot(battle, group))


def _aimed(battle: Battle, group: list[Fighter]) -> Script[str]:
    return (yield from shooting.shoot(battle, group, aimed=True))


DO: dict[str, Callable[[Battle, list[Fighter]], Script[str]]] = {
    "walk": _move("walk"),
    "run": _move("run"),
    "dodge": _move("dodge"),
    "charge": _attack("charge"),
    "engage": _attack("engage"),
    "disengage": _disengage,
    "disengage-assault": _disengage_assault,
    "shoot": _volley,
    "aim": _aimed,
    "artillery": _alone(artillery.shot),
    "harass": _harassing,
    "force-run": _forced_run,
    "force-charge": _attack("charge", True),
    "force-engage": _attack("engage", True),
    "cast": _alone(casting.cast),
    "seize": _alone(tokens.seize),
    "seize-complex": _alone(tokens.seize),
    "trap": _alone(devices.lay),
    "breath": _alone(devices.breathe),
    "steam": _alone(devices.steam),
    "spend": _alone(devices.spend),
    "drop": _alone(tokens.drop),
    "nexus": _alone(nexus.activate),
    "gift": _alone(powers.give),
    "cry": _alone(powers.cry),
    "power": _alone(powers.use),
    "fire-machine": _alone(machines.fire),
    "move-machine": _alone(machines.move),
    "disembark": _alone(transports.disembark),
}
