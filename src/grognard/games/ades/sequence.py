"""ades:0-turn-flow, 3.2  The game in the book's order: scenery, the deployment turn, then turns of four phases.

The battle remembers which phase and which step of it (`stage`) it is, so this script can be started afresh at any
checkpoint and goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.ades import (
    casualties,
    deployment,
    ending,
    maintenance,
    melee,
    scenery,
    speech,
    tactical,
)
from grognard.games.ades.battle import Battle
from grognard.games.ades.ending import GameOver
from grognard.kernel.questions import Script

FIRST = ("scenery", "tactical", "activation", "infiltration")
TURN = ("tactical", "activation", "combat", "maintenance")


def game(battle: Battle) -> Script[None]:
    """ades:0-turn-flow  From the battle's present phase to its end."""
    battle.cite(*battle.preface)
    try:
        while battle.outcome is None:
            if not battle.started:
                _open(battle)
            yield from PLAY[battle.phase](battle)
            yield from casualties.end_of_phase(battle)
            _advance(battle)
    except GameOver:
        pass
    outcome = battle.outcome or {}
    battle.tell("game.over", str(outcome["rule"]), **ending.told(outcome))


def _open(battle: Battle) -> None:
    """ades:3.2.1, 3.2.2  A phase begins."""
    battle.started = True
    battle.spoke = 0
    battle.cite("ades:0-turn-flow", "ades:3.2.2" if battle.turn else "ades:3.2.1")
    battle.tell("phase", "ades:3.2.2" if battle.turn else "ades:3.2.1", turn=battle.turn, phase=f"phase.{battle.phase}")


def _advance(battle: Battle) -> None:
    """ades:3.2.2, 4.5, 3.3  The next phase, the next turn, or the end."""
    battle.started, battle.stage, battle.cursor, battle.queue = False, 0, 0, ()
    battle.card, battle.acting, battle.rush, battle.held = "", (), "", ()
    order = TURN if battle.turn else FIRST
    if battle.phase != order[-1]:
        battle.phase = order[order.index(battle.phase) + 1]
    else:
        if battle.turn:
            ending.end_of_turn(battle)
        battle.turn += 1
        battle.cite("ades:4.5")
        battle.phase = "tactical"
    if battle.phase == "maintenance" or (battle.phase == "tactical" and battle.turn):
        ending.check_time(battle, battle.phase)


PLAY: dict[str, Callable[[Battle], Script[None]]] = {
    "scenery": scenery.phase,
    "tactical": tactical.phase,
    "activation": speech.phase,
    "infiltration": deployment.infiltrate,
    "combat": melee.phase,
    "maintenance": maintenance.phase,
}
