"""Chapter 9.2.3  Neutral fighters: they act first, by themselves."""

from __future__ import annotations

from grognard.games.ades.assault import assault
from grognard.games.ades.battle import NEUTRAL, Battle
from grognard.games.ades.forces import ACTIVATED, ACTIVE, WAITING, Fighter
from grognard.games.ades.rolls import stats
from grognard.games.ades.table import sight
from grognard.kernel.questions import Script


def act(battle: Battle) -> Script[None]:
    """ades:9.2.3-activation  Before all others, the highest INI first."""
    if battle.turn == 0:
        return
    while True:
        waiting = [f for f in battle.army(NEUTRAL) if f.state == WAITING]
        if not waiting:
            return
        fighter = max(waiting, key=lambda f: stats.value(battle, f, "INI"))
        fighter.state = ACTIVE
        fighter.new_activation()
        battle.cite("ades:9.2.3-activation")
        yield from _behave(battle, fighter)
        fighter.state = ACTIVATED


def _behave(battle: Battle, fighter: Fighter) -> Script[None]:
    """ades:9.2.3-behaviour  If free, it charges the nearest in reach, or engages it if it does not see it."""
    if not battle.free(fighter) or fighter.fear.routed:
        return
    foes = sorted(
        (f for f in battle.enemies(fighter) if not f.hidden), key=lambda f: (round(battle.gap(fighter, f), 2), f.id)
    )
    for target in foes:
        kind = "charge" if sight.sees(battle, fighter, target) else "engage"
        if assault.reaches(battle, fighter, target, kind):
            battle.tell("neutral", "ades:9.2.3-behaviour", (fighter.id, target.id), move=f"move.{kind}")
            yield from assault.upon(battle, [fighter], kind, target)
            return
    battle.tell("neutral.stays", "ades:9.2.3-behaviour", (fighter.id,))
