"""wh40k:11.4.3-random-other, wh40k:23.40-random-timing  Characteristics that are dice, rolled as they are needed."""

from __future__ import annotations

from grognard.games.wh40k.army import amounts
from grognard.games.wh40k.army.amounts import Amount
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.rolls.rerolls import RANDOM, Roller, total
from grognard.kernel.questions import Script


def rules(value: Amount | None, *also: str) -> tuple[str, ...]:
    """wh40k:23.40-random-timing  What has its say where a value is rolled; nothing where it is a number."""
    return () if value is None or value.fixed else ("wh40k:23.40-random-timing", *amounts.rules(value), *also)


def rolled(battle: Battle, who: Roller, name: str, dice: Amount) -> Script[int]:
    """wh40k:11.4.3-random-other, wh40k:23.40-random-timing  A characteristic rolled now, for this one use of it."""
    battle.cite(*rules(dice))
    number, _ = yield from total(who, name, dice, RANDOM)
    return number
