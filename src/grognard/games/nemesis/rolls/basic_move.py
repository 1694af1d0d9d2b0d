"""nemesis:12-basic  How far a model may go in a basic move, and half of it."""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model
from grognard.games.nemesis.rolls.stats import stat
from grognard.kernel.citing import cites
from grognard.kernel.words.tally import Tally


def allowance(battle: Battle, model: Model, *, flying: bool = False) -> Tally:
    """nemesis:5.1-M, nemesis:A1.25-speed, nemesis:X.5-flying  How far a model may go in a basic move, in cm."""
    tally = stat(battle, model, "M", flying=flying)
    rule = battle.flag(model, "speedy")
    if rule:
        tally.times(2, "speed", rule)
    if flying:
        battle.cite("nemesis:X.5-flying")
    return tally


@cites
def half(battle: Battle, model: Model, flying: bool, what: str, rule: str) -> Tally:
    """nemesis:X.9-fractions  Half the distance of a basic move; it keeps its decimals."""
    return allowance(battle, model, flying=flying).times(0.5, what, rule)
