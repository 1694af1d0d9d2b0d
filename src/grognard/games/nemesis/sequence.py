"""Chapter 10: The turn: ten phases in the book's order, each player activating in the order of the command test.

The battle remembers which phase, which part of it (`stage`) and whose activation (`cursor`) it is, so this
script can be started afresh at any checkpoint and goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.nemesis.battle import PHASES, Battle
from grognard.games.nemesis.command import command_test, notes
from grognard.games.nemesis.disengage import disengage
from grognard.games.nemesis.engage import charges, reactions
from grognard.games.nemesis.house import changed
from grognard.games.nemesis.losses import casualties, courage
from grognard.games.nemesis.magic import enchantments, magic, magic_dice
from grognard.games.nemesis.melee import melee
from grognard.games.nemesis.movement import approach, movement
from grognard.games.nemesis.orders import orders
from grognard.games.nemesis.setup import deployment, fielding, missions, preparation
from grognard.games.nemesis.setup.missions import GameOver
from grognard.games.nemesis.shooting import shooting
from grognard.kernel.questions import Pick, Script

Activation = Callable[[Battle, str], Script[None]]


def game(battle: Battle) -> Script[None]:
    """nemesis:8.1, nemesis:10-phases, nemesis:9  From the battle's present phase to the end of the game."""
    if changed(battle.house):
        battle.cite("nemesis:1")
    try:
        while battle.outcome is None:
            yield from PLAY[battle.phase](battle)
            advance(battle)
    except GameOver:
        pass
    outcome = battle.outcome or {}
    battle.tell("game.over", outcome["rule"], **{key: fact for key, fact in outcome.items() if key != "rule"})


def advance(battle: Battle) -> None:
    """Go on to the next phase, after the last one to the next turn."""
    here = PHASES.index(battle.phase)
    battle.phase = "start" if battle.phase == "end" else PHASES[here + 1]
    if battle.phase == "start":
        battle.turn += 1
    battle.begun, battle.stage, battle.cursor, battle.queue = False, 0, 0, ()


def opens(battle: Battle) -> bool:
    """Whether the phase is only now beginning; told once."""
    if battle.begun:
        return False
    battle.begun = True
    battle.tell("phase", "nemesis:10-phases", turn=battle.turn, phase=battle.phase)
    return True


def in_turn(battle: Battle, *stages: Activation) -> Script[None]:
    """nemesis:10-activation  Every part of a phase: the first player acts with everything, then the next."""
    for number, act in enumerate(stages):
        if number < battle.stage:
            continue
        while battle.cursor < len(battle.order):
            battle.cite("nemesis:10-activation")
            yield from act(battle, battle.order[battle.cursor])
            battle.cursor += 1
        battle.stage, battle.cursor = number + 1, 0


def close(battle: Battle) -> Script[None]:
    """nemesis:21-timing  Whoever was lost in the phase leaves the table now, all together."""
    yield from casualties.sweep(battle)


def start_phase(battle: Battle) -> Script[None]:
    """nemesis:10-start  Ruling on the order: commander check, weapon choice, strength record."""
    if opens(battle):
        new_turn(battle)
        yield from courage.commander_check(battle)
    yield from in_turn(battle, choose_weapons)
    for unit in battle.units.values():
        unit.start_strength = len(unit.models)
    battle.cite("nemesis:10-start")


def new_turn(battle: Battle) -> None:
    """nemesis:13.2-refill, nemesis:14.1-dice  Flags forgotten, command points and magic dice full again."""
    for hero in [m for m in battle.on_table() if m.unit != m.home and len(battle.unit_of(m).models) == 1]:
        fielding.stand_alone(battle, hero)
    for model in battle.on_table():
        model.new_turn()
        model.pc_left = model.card.PC
        magic_dice.refill(battle, model)
    for unit in battle.units.values():
        unit.new_turn()
    if any(model.card.PC for model in battle.on_table()):
        battle.cite("nemesis:13.2-refill")


def choose_weapons(battle: Battle, seat: str) -> Script[None]:
    """nemesis:19.1-weapon-choice  Models with two or more weapons name the one they use this turn.

    Ruling: those of one card in a unit all use the same; who names none uses the one he had, at first the first.
    """
    for unit in battle.army(seat):
        armed = [m for m in battle.standing(unit) if len(m.card.melee) > 1]
        for card in dict.fromkeys(m.card for m in armed):
            options = [notes.weapon(w, unit) for w in card.melee]
            used = next(m.weapon for m in armed if m.card is card) or card.melee[0].name
            chosen = yield Pick(
                seat, "weapon.choose", options, optional=True, rule="nemesis:19.1-weapon-choice", about=(unit.id,),
                data={"card": card.name}, nay=used,
            )  # fmt: skip
            chosen = chosen or used
            for model in armed:
                if model.card is card:
                    model.weapon = chosen
            battle.cite("nemesis:5.1-equipment")
            battle.tell("weapon.chosen", "nemesis:19.1-weapon-choice", (unit.id,), weapon=chosen, card=card.name)


def command_phase(battle: Battle) -> Script[None]:
    """nemesis:11"""
    if opens(battle):
        yield from command_test.rank(battle)


def movement_phase(battle: Battle) -> Script[None]:
    """Chapter 12"""
    opens(battle)
    yield from in_turn(battle, movement.activate)
    yield from close(battle)


def orders_phase(battle: Battle) -> Script[None]:
    """nemesis:13.1-sequence  All orders, in activation order; then reactions to the charges declared."""
    opens(battle)
    yield from in_turn(battle, orders.declare, reactions.react)
    yield from close(battle)


def magic_phase(battle: Battle) -> Script[None]:
    """nemesis:14.4-declare  Everyone declares all spells, then they are executed in that order."""
    if opens(battle):
        yield from magic.lingering(battle)
    yield from in_turn(battle, magic.declare)
    yield from magic.execute(battle)
    yield from close(battle)
    yield from magic.after_phase(battle)


def approach_phase(battle: Battle) -> Script[None]:
    """Chapter 15"""
    opens(battle)
    yield from in_turn(battle, approach.activate)
    yield from close(battle)


def engage_phase(battle: Battle) -> Script[None]:
    """Chapter 16"""
    opens(battle)
    yield from in_turn(battle, charges.activate)
    yield from close(battle)


def shooting_phase(battle: Battle) -> Script[None]:
    """Chapter 17"""
    opens(battle)
    yield from in_turn(battle, shooting.activate)
    yield from close(battle)


def disengage_phase(battle: Battle) -> Script[None]:
    """Chapter 18"""
    opens(battle)
    yield from in_turn(battle, disengage.activate)
    yield from close(battle)


def combat_phase(battle: Battle) -> Script[None]:
    """Chapter 19"""
    if opens(battle):
        yield from melee.hypnotise(battle)
    yield from melee.fight(battle)
    yield from close(battle)


def results_phase(battle: Battle) -> Script[None]:
    """Chapter 20"""
    if opens(battle):
        yield from courage.half_losses(battle)
    yield from close(battle)


def end_phase(battle: Battle) -> Script[None]:
    """nemesis:10-start, nemesis:9  Spells that have run out expire; the mission says whether it goes on."""
    if opens(battle):
        enchantments.expire(battle)
        missions.end_of_turn(battle)
    yield from ()


PLAY: dict[str, Callable[[Battle], Script[None]]] = {
    "preparation": preparation.prepare,
    "deployment": deployment.deploy,
    "start": start_phase,
    "command": command_phase,
    "movement": movement_phase,
    "orders": orders_phase,
    "magic": magic_phase,
    "approach": approach_phase,
    "engage": engage_phase,
    "shooting": shooting_phase,
    "disengage": disengage_phase,
    "combat": combat_phase,
    "results": results_phase,
    "end": end_phase,
}
