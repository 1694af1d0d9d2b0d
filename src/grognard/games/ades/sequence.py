"""Chapter 0-turn-flow, 3.2  The game in the book's order: scenery, the deployment turn, then turns of four phases.

The battle remembers which phase and which step of it (`stage`) it is, so this script can be started afresh at any
checkpoint and goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.ades.battle import Battle
from grognard.games.ades.combat import melee
from grognard.games.ades.losses import casualties
from grognard.games.ades.maintenance import maintenance
from grognard.games.ades.reactions import cover, force_passage, interception, vigilance
from grognard.games.ades.records import Speech
from grognard.games.ades.scenarios import game_end, scenery
from grognard.games.ades.scenarios.game_end import GameOver
from grognard.games.ades.turn import deployment, tactical_phase, turns_to_speak
from grognard.kernel.questions import Script

#: What the rooms below leave to others (kernel/elsewhere.py): the answers to whatever is announced.
ANSWERS = (cover, force_passage, interception, vigilance)
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
    battle.tell("game.over", str(outcome["rule"]), **game_end.told(outcome))


def _open(battle: Battle) -> None:
    """ades:3.2.1, ades:3.2.2  A phase begins."""
    battle.started = True
    battle.spoke = 0
    battle.cite("ades:0-turn-flow", "ades:3.2.2" if battle.turn else "ades:3.2.1")
    battle.tell("phase", "ades:3.2.2" if battle.turn else "ades:3.2.1", turn=battle.turn, phase=f"phase.{battle.phase}")


def _advance(battle: Battle) -> None:
    """ades:3.2.2, ades:4.5, ades:3.3  The next phase, the next turn, or the end."""
    battle.started, battle.stage, battle.cursor, battle.queue = False, 0, 0, ()
    battle.speech = Speech()
    order = TURN if battle.turn else FIRST
    if battle.phase != order[-1]:
        battle.phase = order[order.index(battle.phase) + 1]
    else:
        if battle.turn:
            game_end.end_of_turn(battle)
        battle.turn += 1
        battle.cite("ades:4.5")
        battle.phase = "tactical"
    if battle.phase == "maintenance" or (battle.phase == "tactical" and battle.turn):
        game_end.check_time(battle, battle.phase)


PLAY: dict[str, Callable[[Battle], Script[None]]] = {
    "scenery": scenery.phase,
    "tactical": tactical_phase.phase,
    "activation": turns_to_speak.phase,
    "infiltration": deployment.infiltrate,
    "combat": melee.phase,
    "maintenance": maintenance.phase,
}
