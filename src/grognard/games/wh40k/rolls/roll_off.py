"""wh40k:1.14  Roll-offs."""

from __future__ import annotations

from grognard.games.wh40k.army.amounts import D6
from grognard.games.wh40k.battle import Battle
from grognard.kernel.questions import Roll, Script


def roll_off(battle: Battle, name: str, rule: str) -> Script[str]:
    """wh40k:1.14, wh40k:0.1-dispute
    Each player rolls a D6, the highest wins; ties are rolled again. No re-rolls, no modifiers."""
    while True:
        faces = {}
        for seat in battle.seats:
            (faces[seat],) = yield Roll(seat, name, D6, rule="wh40k:1.14", about=(seat,))
        best = max(faces.values())
        winners = [seat for seat in battle.seats if faces[seat] == best]
        if len(winners) == 1:
            battle.tell("rolled-off", rule, (winners[0],), what=f"roll.{name}")
            return winners[0]
