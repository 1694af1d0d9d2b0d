"""wfb3:4  The game from its beginning to its end: the table of contents of the book."""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.wfb3 import combat, deployment, generator, movement, rally, reserve, shooting, start, victory
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
    if battle.phase in TURN and victory.annihilated(battle):
        battle.cite("wfb3:26.1-length")
        victory.decide(battle, "annihilated")
        return
    if place + 1 < len(order):
        battle.phase = order[place + 1]
        return
    if battle.phase in BEFORE:
        battle.turn, battle.second = 1, False
    elif not battle.second:
        battle.second = True
    elif battle.turn >= battle.limit:
        battle.cite("wfb3:26.1-length")
        victory.decide(battle, "turns")
        return
    else:
        battle.turn += 1
        battle.second = False
    battle.clock += 1
    battle.phase = TURN[0]


def nothing(battle: Battle) -> Script[None]:
    """A phase in which nobody has anything to do."""
    yield from ()


def terrain_phase(battle: Battle) -> Script[None]:
    """wfb3:2.2-sections  Terrain by the book, where the players agreed to lay it so."""
    if battle.scenario == "book-terrain":
        yield from generator.phase(battle)


PLAY: dict[str, Callable[[Battle], Script[None]]] = {
    "terrain": terrain_phase,
    "deployment": deployment.phase,
    "first-turn": deployment.first_turn,
    "start": start.phase,
    "movement": movement.phase,
    "shooting": shooting.phase,
    "combat": combat.phase,
    "reserve": reserve.phase,
    "magic": nothing,
    "rally": rally.phase,
}
