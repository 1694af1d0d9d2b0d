"""Chapters 2 and 19.1: the battle in the book's order: preparations, then rounds of two turns of five phases.

The battle remembers which phase, which step of it (`stage`) and whose selection (`cursor`) it is, so this script can be
started afresh at any checkpoint and goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.wh40k.attacks import allocation, casualties
from grognard.games.wh40k.battle import BEFORE, TURN, Battle
from grognard.games.wh40k.charge import charging
from grognard.games.wh40k.command import command, detachment_rules
from grognard.games.wh40k.fight import fighting
from grognard.games.wh40k.forces import Phase, Turn, Unit
from grognard.games.wh40k.mission import mission, objectives
from grognard.games.wh40k.mission.mission import GameOver
from grognard.games.wh40k.movement import movement, wrecks
from grognard.games.wh40k.setup import battle_formations, deployment
from grognard.games.wh40k.shooting import shooting
from grognard.games.wh40k.table import cohesion
from grognard.kernel.questions import Pick, Script


def game(battle: Battle) -> Script[None]:
    """wh40k:19.1-sequence, wh40k:2.1-rounds, wh40k:2.4-end  From the battle's present phase to its end."""
    try:
        while battle.outcome is None:
            if not battle.begun:
                opens(battle)
                opening(battle)
            yield from PLAY[battle.phase](battle)
            yield from closes(battle)
            advance(battle)
            opens(battle)
            forget(battle)
            opening(battle)
    except GameOver:
        pass
    outcome = battle.outcome or {}
    battle.tell("game.over", outcome["rule"], **{key: fact for key, fact in outcome.items() if key != "rule"})


def opens(battle: Battle) -> None:
    """wh40k:2.3-phases  A phase begins."""
    battle.begun = True
    name = f"phase.{battle.phase}"
    if battle.phase in TURN:
        battle.tell("phase", "wh40k:2.3-phases", (battle.active,), round=battle.round, phase=name)
    else:
        battle.tell("step", "wh40k:19.1-sequence", step=name)


def opening(battle: Battle) -> None:
    """wh40k:2.3-phases  What comes first in a phase."""
    if battle.phase in OPENING:
        OPENING[battle.phase](battle)


def forget(battle: Battle) -> None:
    """wh40k:2.3-phases, wh40k:2.4-end  What lasted the phase before this one is forgotten, and what lasted the turn."""
    new_phase(battle)
    if battle.phase in ("round", "command"):
        new_turn(battle)


def closes(battle: Battle) -> Script[None]:
    """wh40k:20.5-control  At the end of every phase of a turn control of the markers is settled."""
    if battle.phase == "command":
        yield from command.close(battle)
    elif battle.phase in TURN:
        yield from objectives.settle(battle)
    mission.check(battle)


def advance(battle: Battle) -> None:
    """wh40k:2.1-rounds, wh40k:2.2-first-player, wh40k:2.4-end  The next phase, the next turn, the next round."""
    battle.begun, battle.stage, battle.cursor, battle.queue = False, 0, 0, ()
    if battle.phase == "round":
        battle.phase = "command"
        return
    if battle.phase in BEFORE and battle.phase != BEFORE[-1]:
        battle.phase = BEFORE[BEFORE.index(battle.phase) + 1]
        return
    if battle.phase in TURN and battle.phase != TURN[-1]:
        battle.phase = TURN[TURN.index(battle.phase) + 1]
        return
    battle.cite("wh40k:2.4-end")
    if battle.phase == TURN[-1] and not battle.second:
        battle.second = True
    else:
        if mission.last_round(battle):
            mission.end(battle)
        battle.second = False
        battle.round += 1
        battle.cite("wh40k:2.1-rounds", "wh40k:2.2-first-player")
        for side in battle.sides.values():
            side.cp_extra = 0
    starts = not battle.second and bool(detachment_rules.round_rules(battle))
    battle.phase = "round" if starts else "command"


def new_phase(battle: Battle) -> None:
    """wh40k:2.3-phases  What lasted the phase is forgotten."""
    for unit in battle.units.values():
        unit.phase = Phase()
    for model in battle.models.values():
        model.allocated = model.escape_tested = False
    for side in battle.sides.values():
        side.used = ()


def new_turn(battle: Battle) -> None:
    """wh40k:2.4-end  What lasted a turn is forgotten, of both armies."""
    for unit in battle.units.values():
        unit.turn = Turn()
    for side in battle.sides.values():
        side.used_turn = ()


def end_phase(battle: Battle) -> Script[None]:
    """wh40k:1.6.6-end-turn, wh40k:23.31-coherency-algo
    Every player removes models until each unit is coherent again."""
    for seat in (battle.active, battle.other(battle.active)):
        for unit in battle.army(seat):
            yield from _restore(battle, unit)


def _restore(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:1.6.6-end-turn, wh40k:1.6.8-recount  One model at a time, the controller's choice."""
    size = 0 if battle.house["coherency_recount"] else unit.phase.ended
    while len(unit.models) > 1:
        state = cohesion.judge(battle, battle.members(unit), size=size)
        if state.holds:
            return
        out = [m for m, is_out in zip(battle.members(unit), state.out.tolist(), strict=True) if is_out]
        battle.cite("wh40k:1.6.8-recount", "wh40k:23.31-coherency-algo")
        ranked = [*out, *(m for m in battle.members(unit) if m not in out)]
        lost = yield Pick(
            unit.seat, "coherency.remove", allocation.each(ranked),
            rule="wh40k:1.6.6-end-turn", about=(unit.id,), checkpoint=True,
        )  # fmt: skip
        yield from casualties.remove(battle, [lost], "wh40k:1.6.6-end-turn")


def begin_end(battle: Battle) -> None:
    """wh40k:1.6.8-recount  How many models each unit had when the turn ended."""
    for unit in battle.units.values():
        unit.phase = unit.phase.but(ended=len(unit.models))


OPENING: dict[str, Callable[[Battle], None]] = {
    "command": command.begin,
    "movement": movement.begin,
    "charge": charging.begin,
    "fight": fighting.begin,
    "end": begin_end,
}

PLAY: dict[str, Callable[[Battle], Script[None]]] = {
    "battlefield": mission.battlefield,
    "attacker": mission.attacker,
    "formations": battle_formations.declare,
    "deployment": deployment.deploy,
    "first-turn": mission.first_turn,
    "prebattle": deployment.prebattle,
    "round": detachment_rules.round_starts,
    "command": command.phase,
    "movement": movement.phase,
    "shooting": shooting.phase,
    "charge": charging.phase,
    "fight": fighting.phase,
    "end": end_phase,
}

casualties.before_removal(wrecks.abandon)
