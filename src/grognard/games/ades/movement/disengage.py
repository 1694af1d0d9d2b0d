"""ades:4.2.4.1-disengage, ades:4.2.4.2-disengage-assault  Getting away from enemies in contact."""

from __future__ import annotations

from collections.abc import Mapping

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.losses import damage
from grognard.games.ades.losses.damage import Source
from grognard.games.ades.rolls import characteristic_points, stats, tests
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Pick, Script, option

RULE = "ades:4.2.4.1-disengage"
CHALLENGE = "ades:4.2.4.1-disengage-challenge"


def holder(battle: Battle, fleer: Fighter, foes: list[Fighter]) -> Script[Fighter]:
    """ades:4.2.4.1-disengage-challenge  The opponent names who tries to hold a fighter."""
    opportunist: Fighter = yield Pick(
        battle.chooser(foes[0], fleer), "disengage.opportunist", [option(f.id, f, about=(f.id,)) for f in foes],
        rule=CHALLENGE, about=(fleer.id,),
    )  # fmt: skip
    return opportunist


def away(
    battle: Battle, fleer: Fighter, opportunist: Fighter | None = None, crowds: Mapping[str, int] | None = None
) -> Script[bool]:
    """ades:4.2.4.1-disengage-challenge, ades:4.2.4.1-disengage-result, ades:10.2.1.2
    Whether a fighter gets away from its enemies.

    `crowds`: how many enemies each has in contact, where several try at once.
    """
    if battle.uses(fleer, "ethere"):
        battle.tell("disengaged", "ades:13.2-ethere-disengage", (fleer.id,))
        return True
    foes = battle.foes_of(fleer)
    if opportunist is None:
        battle.cite(RULE)
        opportunist = yield from holder(battle, fleer, foes)
    choices = ["FOR"] if fleer.profile.engine else ["INI", "FOR"]
    barred = {}
    if fleer.profile.engine:
        battle.cite("ades:10.2.1.2")
        barred["INI"] = Refusal("refuse.engine-disengage", "ades:10.2.1.2", {"fighter": fleer.id})
    who, minus = opportunist, _crowd(battle, fleer, crowds)

    def plus(stat: str) -> list[tests.Shift]:
        strong: list[tests.Shift] = [(2, "opportunist", CHALLENGE)] if stat == "FOR" else []
        return strong + _crowd(battle, who, crowds)

    def held_by(stat: str) -> float:
        return stats.tested(battle, who, stat).value + _sum(plus(stat))

    stat = yield Pick(
        battle.chooser(fleer), "disengage.stat", tests.stat_options(battle, fleer, choices, held_by, _sum(minus)),
        barred=barred, rule=CHALLENGE, about=(fleer.id, opportunist.id),
    )  # fmt: skip
    caught = yield from tests.duel(
        battle, "disengage", CHALLENGE, opportunist, stat, fleer, stat, plus=plus(stat), minus=minus
    )
    if not caught:
        battle.tell("disengaged", "ades:4.2.4.1-disengage-result", (fleer.id, opportunist.id))
        return True
    battle.tell("disengage.failed", "ades:4.2.4.1-disengage-result", (fleer.id, opportunist.id))
    yield from characteristic_points.offer(battle, opportunist, ("FOR",), "test")
    force = stats.stat(battle, opportunist, "FOR")
    yield from damage.strike(battle, fleer, force, Source(melee=True), "ades:4.2.4.1-disengage-result", by=opportunist)
    return False


def _sum(changes: list[tests.Shift]) -> int:
    return sum(amount for amount, _, _ in changes)


def _crowd(battle: Battle, fighter: Fighter, crowds: Mapping[str, int] | None) -> list[tests.Shift]:
    """ades:4.2.4.1-disengage-challenge  2 less for each enemy in contact beyond the first."""
    more = (len(battle.foes_of(fighter)) if crowds is None else crowds[fighter.id]) - 1
    return [(-2 * more, "enemies in contact", CHALLENGE)] if more > 0 else []
