"""wfb3:4  The game from its beginning to its end: the table of contents of the book."""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.wfb3 import (
    amok,
    combat,
    deployment,
    dying,
    friendly,
    generator,
    magic,
    movement,
    rally,
    reserve,
    rooms,
    shooting,
    start,
    traps,
    vanguard,
    victory,
)
from grognard.games.wfb3.battle import BEFORE, TURN, Battle
from grognard.kernel.questions import Script


def game(battle: Battle) -> Script[None]:
    """wfb3:4-phases, 4-sides  Set-up, deployment, then game turns of two player turns each."""
    while battle.outcome is None:
        if not battle.begun:
            _begin(battle)
        yield from PLAY[battle.phase](battle)
        _end(battle)


def _begin(battle: Battle) -> None:
    battle.begun = True
    if battle.phase == "start":
        start.refresh(battle)
    if battle.phase in ("shooting", "reserve"):
        for unit in battle.army(battle.active):
            unit.done = False
    about = (battle.active,) if battle.phase in TURN else ()
    battle.tell("phase", "wfb3:4-phases", about, phase=battle.phase, turn=battle.turn)


def _end(battle: Battle) -> None:
    """On to the next phase, player turn or game turn."""
    order = BEFORE if battle.phase in BEFORE else TURN
    place = order.index(battle.phase)
    battle.begun, battle.stage, battle.cursor, battle.queue, battle.combats = False, 0, 0, (), ()
    if battle.phase == "deployment" and vanguard.after_deployment(battle):
        battle.phase = TURN[0]
        return
    if battle.phase in TURN and victory.annihilated(battle):
        battle.cite("wfb3:26.1-length")
        victory.decide(battle, "over.annihilated")
        return
    if place + 1 < len(order):
        battle.phase = order[place + 1]
        return
    if battle.phase == TURN[-1] and (following := vanguard.after_turn(battle)):
        battle.phase = following
        return
    if battle.phase in BEFORE:
        battle.turn, battle.second = 1, False
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
    """wfb3:2.2-sections, 2-friendly-setup  Terrain by the book, or sides of a table the host has laid."""
    if battle.scenario == "book-terrain":
        yield from generator.phase(battle)
        rooms.build(battle)
    if battle.scenario == "friendly":
        yield from friendly.phase(battle)


def rally_phase(battle: Battle) -> Script[None]:
    """wfb3:8.6-rally, 18.5-amok-control, 18.6-death-throes  Rallying, and what the end of a player turn brings."""
    if battle.stage == 0:
        yield from rally.phase(battle)
        battle.stage = 1
    traps.finish(battle)
    yield from amok.end_of_turn(battle)
    yield from dying.end_of_turn(battle)


PLAY: dict[str, Callable[[Battle], Script[None]]] = {
    "terrain": terrain_phase,
    "deployment": deployment.phase,
    "first-turn": deployment.first_turn,
    "start": start.phase,
    "movement": movement.phase,
    "shooting": shooting.phase,
    "combat": combat.phase,
    "reserve": reserve.phase,
    "magic": magic.phase,
    "rally": rally_phase,
}
