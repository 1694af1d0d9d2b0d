"""wh40k:11.1.2-t, wh40k:12.5.5-toughness, wh40k:23.2-mixed-toughness  The Toughness of a unit."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wh40k.army.amounts import Amount
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.kernel.words.tally import Tally


def toughness(battle: Battle, target: Unit) -> Tally:
    """wh40k:12.5.5-toughness, wh40k:23.2-mixed-toughness, wh40k:11.1.2-t
    The Toughness attacks on a unit are made against."""
    members = battle.members(target)
    if battle.attached(target):
        guards = [m for m in members if m.home == target.id]
        return Tally(common(guards)[0], "T of the Bodyguards", "wh40k:12.5.5-toughness")
    kinds = {m.profile.T for m in members}
    rule = "wh40k:23.2-mixed-toughness" if len(kinds) > 1 or target.leader is not None else "wh40k:11.1.2-t"
    found = common(members)
    return Tally(target.phase.tough if target.phase.tough in found else found[0], "T", rule)


def rolled_toughness(battle: Battle, target: Unit) -> Amount | None:
    """wh40k:11.4.3-random-other  What the Toughness of a unit is rolled with for each attack, where it is."""
    number = int(toughness(battle, target).value)
    return next((m.profile.rolled("T") for m in battle.members(target) if number == m.profile.T), None)


def common(models: Sequence[Model]) -> list[int]:
    """The Toughness most of them have; of equals the higher first, which its owner would choose."""
    known = [model.profile.T for model in models]
    most = max(known.count(t) for t in known)
    return sorted({t for t in known if known.count(t) == most}, reverse=True)
