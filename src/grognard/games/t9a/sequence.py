"""t9a:2.A, t9a:9  Chapter 10: The game from its beginning to its end: the table of contents of the book."""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.t9a import unit_class
from grognard.games.t9a.battle import BEFORE, TURN, TURNS, Battle
from grognard.games.t9a.charge import declaring
from grognard.games.t9a.losses import psychology
from grognard.games.t9a.magic import magic
from grognard.games.t9a.melee import duels, melee
from grognard.games.t9a.movement import ambush, movement, start_turn
from grognard.games.t9a.scoring import objectives, victory
from grognard.games.t9a.setup import deployment, pregame, vanguard
from grognard.games.t9a.shooting import shooting
from grognard.kernel.questions import Script


def game(battle: Battle) -> Script[None]:
    """t9a:2.A, t9a:2.A.a  The pre-game sequence, deployment, then six Game Turns of two Player Turns each."""
    while battle.outcome is None:
        if not battle.begun:
            yield from begin(battle)
        yield from PLAY[battle.phase](battle)
        yield from end_phase(battle)


def begin(battle: Battle) -> Script[None]:
    """A phase begins."""
    battle.begun = True
    battle.tell(
        "phase",
        "t9a:2.A.a" if battle.phase in TURN else "t9a:9",
        (battle.active,) if battle.phase in TURN else (),
        phase=battle.phase,
        turn=battle.turn,
    )
    if battle.phase in TURN:
        forget(battle)
        battle.cite("t9a:2.A.a", "t9a:2.A.b")
        yield from unit_class.settle(battle, battle.units.values())


def forget(battle: Battle) -> None:
    """What lasted the phase before this one is forgotten."""
    psychology.begin_phase(battle)
    if battle.phase == "shooting":
        magic.discard(battle)


def end_phase(battle: Battle) -> Script[None]:
    """On to the next phase, Player Turn or Game Turn."""
    _forget(battle, "phase")
    if battle.phase in TURN:
        yield from objectives.drops(battle)
        for unit in battle.units.values():
            unit.nerve = unit.nerve.but(shaken_phase=False)
    order = BEFORE if battle.phase in BEFORE else TURN
    place = order.index(battle.phase)
    battle.begun, battle.stage, battle.cursor, battle.queue = False, 0, 0, ()
    if place + 1 < len(order):
        battle.phase = order[place + 1]
        return
    if battle.phase in BEFORE:
        battle.turn = 1
        battle.second = False
    elif not battle.second:
        battle.second = True
    else:
        objectives.end_of_game_turn(battle)
        battle.cite("t9a:2.A")
        if battle.turn >= TURNS:
            ambush.never_arrived(battle)
            yield from victory.decide(battle)
            return
        battle.turn += 1
        battle.second = False
    battle.clock += 1
    battle.phase = TURN[0]
    start_turn.refresh(battle)


def _forget(battle: Battle, until: str) -> None:
    """Effects that end now."""
    for thing in battle.bearers():
        if thing.effects:
            thing.effects = tuple(
                e
                for e in thing.effects
                if e.until != until and not (e.until == "turn" and until == "turn" and e.clock <= battle.clock)
            )


def charge_phase(battle: Battle) -> Script[None]:
    """t9a:11.A  The start of the Charge Phase is the start of the Player Turn."""
    yield from start_turn.begin(battle)
    yield from declaring.phase(battle)


def end_of_turn(battle: Battle) -> Script[None]:
    """What ends with a Player Turn."""
    duels.end_turn(battle)
    _forget(battle, "turn")
    yield from ()


PLAY: dict[str, Callable[[Battle], Script[None]]] = {
    "battlefield": pregame.battlefield,
    "zones": pregame.choose_zones,
    "spells": pregame.choose_spells,
    "special": pregame.declare_special,
    "deployment": deployment.deploy,
    "scouts": deployment.scouts,
    "vanguard": vanguard.moves,
    "first-turn": vanguard.first_turn,
    "charge": charge_phase,
    "movement": movement.phase,
    "magic": magic.phase,
    "shooting": shooting.phase,
    "melee": melee.phase,
    "end": end_of_turn,
}
