"""Chapter 4: the game from its beginning to its end: the table of contents of the book."""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.wfb3.battle import BEFORE, TURN, Battle
from grognard.games.wfb3.chariots import chariot_damage
from grognard.games.wfb3.monsters import amok, death_throes
from grognard.games.wfb3.psychology import animosity
from grognard.games.wfb3.rout import rally
from grognard.games.wfb3.setup import advance_forces, deployment, friendly, generator, victory
from grognard.games.wfb3.table import sections
from grognard.games.wfb3.troops import traps
from grognard.games.wfb3.turn import combat, magic, movement, reserve, shooting, turn_start
from grognard.kernel.questions import Script


def game(battle: Battle) -> Script[None]:
    """wfb3:4-phases, wfb3:4-sides, wfb3:20.8.1-damage-table
    Set-up, deployment, then game turns of two player turns each."""
    while battle.outcome is None:
        if not battle.begun:
            _begin(battle)
        yield from PLAY[battle.phase](battle)
        if battle.phase in TURN:
            yield from chariot_damage.after_phase(battle)
        _end(battle)


def _begin(battle: Battle) -> None:
    battle.begun = True
    if battle.phase == "start":
        turn_start.refresh(battle)
    if battle.phase in ("shooting", "reserve"):
        for unit in battle.army(battle.active):
            unit.march = unit.march.but(done=False)
    about = (battle.active,) if battle.phase in TURN else ()
    battle.tell("phase", "wfb3:4-phases", about, phase=battle.phase, turn=battle.turn)
    animosity.break_off(battle)


def _end(battle: Battle) -> None:
    """On to the next phase, player turn or game turn."""
    order = BEFORE if battle.phase in BEFORE else TURN
    place = order.index(battle.phase)
    battle.begun, battle.stage, battle.cursor, battle.queue, battle.combats = False, 0, 0, (), ()
    if battle.phase == "deployment" and advance_forces.after_deployment(battle):
        battle.phase = TURN[0]
        return
    if battle.phase in TURN and victory.annihilated(battle):
        battle.cite("wfb3:26.1-length")
        victory.decide(battle, "over.annihilated")
        return
    if place + 1 < len(order):
        battle.phase = order[place + 1]
        return
    if battle.phase == TURN[-1] and (following := advance_forces.after_turn(battle)):
        battle.phase = following
        return
    if battle.phase in BEFORE:
        battle.turn = 1
        battle.second = False
    elif not battle.second:
        battle.second = True
        battle.cite("wfb3:4-sides")
    elif battle.turn >= battle.limit:
        battle.cite("wfb3:26.1-length")
        victory.decide(battle, "over.turns")
        return
    else:
        battle.turn += 1
        battle.second = False
        battle.cite("wfb3:4-sides")
    battle.clock += 1
    battle.phase = TURN[0]


def nothing(battle: Battle) -> Script[None]:
    """A phase in which nobody has anything to do."""
    yield from ()


def terrain_phase(battle: Battle) -> Script[None]:
    """wfb3:2.2-sections, wfb3:2-friendly-setup  Terrain by the book, or sides of a table the host has laid."""
    if battle.scenario == "book-terrain":
        yield from generator.phase(battle)
        sections.build(battle)
    if battle.scenario == "friendly":
        yield from friendly.phase(battle)


def rally_phase(battle: Battle) -> Script[None]:
    """wfb3:8.6-rally, wfb3:18.5-amok-control, wfb3:18.6-death-throes
    Rallying, and what the end of a player turn brings."""
    if battle.stage == 0:
        yield from rally.phase(battle)
        battle.stage = 1
    traps.finish(battle)
    yield from amok.end_of_turn(battle)
    yield from death_throes.end_of_turn(battle)


PLAY: dict[str, Callable[[Battle], Script[None]]] = {
    "terrain": terrain_phase,
    "deployment": deployment.phase,
    "first-turn": deployment.first_turn,
    "start": turn_start.phase,
    "movement": movement.phase,
    "shooting": shooting.phase,
    "combat": combat.phase,
    "reserve": reserve.phase,
    "magic": magic.phase,
    "rally": rally_phase,
}
