"""ades:5.3.2  What the enemy may do about a move, a shot, a formula or an action that is announced.

Whoever acts asks here. The answers are charges, shots and whole activations, so they are carried out in `reactions/`,
above all of these.
"""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.movement.moves import Step
from grognard.games.ades.table.ground import Way
from grognard.kernel.elsewhere import elsewhere
from grognard.kernel.questions import Note, Script


def hindered(battle: Battle, actor: Fighter, way: Way) -> str:
    """Whether somebody has killed an actor or come into contact with it, so that it makes no move; "" if not."""
    if not actor.alive:
        return "dead"
    left = way.through if "disengage" in way.kind else ()
    return "stopped" if any(foe.id not in left for foe in battle.foes_of(actor)) else ""


@elsewhere
def declared(battle: Battle, step: Step, way: Way) -> Script[list[str]]:
    """A move is announced: the vigilant may act before it. Who has tried."""
    raise NotImplementedError


@elsewhere
def window(battle: Battle, step: Step, way: Way, tried: Sequence[str] | None = None) -> Script[tuple[str, Step]]:
    """The enemy's chances while somebody moves: "done" and what is left of the move, or why it is over."""
    raise NotImplementedError


@elsewhere
def vigilance(
    battle: Battle, actor: Fighter, doing: Sequence[Note], *, step: Step | None = None, tried: Sequence[str] = (),
    moving: bool = False,
) -> Script[list[str]]:  # fmt: skip
    """An action is announced: the vigilant may act before it. Who has tried."""
    raise NotImplementedError


@elsewhere
def through(battle: Battle, step: Step, way: Way, tried: Sequence[str] | None = None) -> Script[str]:
    """A run or assault right through enemies."""
    raise NotImplementedError


@elsewhere
def take_cover(battle: Battle, by: Fighter, target: Fighter, *, assault: bool = False) -> Script[bool]:
    """A target's chance to take cover from a shot; whether it does."""
    raise NotImplementedError


@elsewhere
def dodge_away(battle: Battle, target: Fighter) -> Script[None]:
    """What a target that took cover does when the shot is over."""
    raise NotImplementedError
