"""ades:4.2.2-actions  Each action as it is done."""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.ades import (
    artillery,
    assault,
    casting,
    devices,
    disengage,
    forcing,
    ground,
    machines,
    movement,
    nexus,
    powers,
    shooting,
    stats,
    tokens,
    transports,
)
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
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
    return (yield from forcing.through(battle, step, way))


def _disengage(battle: Battle, group: list[Fighter]) -> Script[str]:
    """ades:4.2.4.1-disengage, 4.2.4.1-disengage-result  A contest, then a walk through those one leaves."""
    (fighter,) = group
    foes = tuple(f.id for f in battle.foes_of(fighter))
    if not (yield from disengage.away(battle, fighter)):
        return "done" if fighter.alive else "dead"
    outcome = yield from movement.make(battle, fighter, "disengage", foes)
    return "done" if outcome == "held" else outcome


def _disengage_assault(battle: Battle, group: list[Fighter]) -> Script[str]:
    """ades:4.2.4.2-disengage-assault  The same contest, then an engagement of MOU."""
    (fighter,) = group
    if not (yield from disengage.away(battle, fighter)):
        return "done" if fighter.alive else "dead"
    outcome = yield from assault.declare(battle, [fighter], "disengage-assault")
    return "done" if outcome in ("held", "none") else outcome


def _harassing(battle: Battle, group: list[Fighter]) -> Script[str]:
    """ades:13.2-harcelement  A run, with a shot before it has gone further than MOU."""
    (fighter,) = group
    way = movement.way_for(battle, fighter, "run")
    step = yield from movement.ask(battle, fighter, way)
    if step is None:
        return "held"
    most = min(step.length / cm(1), stats.value(battle, fighter, "MOU"))
    most = int(most * 2) / 2
    facts = {"most": most, "cm": round(step.length / cm(1), 1)}
    at = yield Number(
        fighter.seat, "harass.when", 0, most, step=0.5, rule="ades:13.2-harcelement", about=(fighter.id,),
        notes=(Note("note.harass", facts, "ades:13.2-harcelement"),), underway=step.underway(step.end),
    )  # fmt: skip
    first = movement.part(battle, step, ground.along(step.path, cm(at)))
    if not ground.stands(battle, fighter, Pose(*first.path[-1], step.facing, step.level)):
        at = 0
    if at:
        outcome = yield from movement.travel(battle, first, way)
        if outcome != "done":
            return outcome
    fighter.done = (*fighter.done, "harassing")
    yield from shooting.shoot(battle, [fighter])
    if not fighter.alive:
        return "dead"
    from grognard.games.ades.reactions import remaining

    rest = remaining(step, cm(at))
    rest = movement.part(battle, rest, rest.path)
    if len(rest.path) < 2 or not battle.free(fighter):
        return "done"
    stays = yield Pick(
        fighter.seat, "harass.stop", [option("stop", text="option.stop")], optional=True, rule="ades:13.2-harcelement",
        about=(fighter.id,), aside=True,
    )  # fmt: skip
    if stays is not None:
        return "done"
    return (yield from movement.travel(battle, movement.trimmed(battle, rest, way), way, react=at == 0))


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
