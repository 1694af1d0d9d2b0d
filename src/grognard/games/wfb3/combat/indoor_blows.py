"""wfb3:22.1.5-multi  Blows in the press of a room: who strikes whom inside a building."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import blows, challenges, pistols, results, striking
from grognard.games.wfb3.combat.blows_progress import Clash
from grognard.games.wfb3.combat.score import Score
from grognard.games.wfb3.fire import fire_missiles
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.psychology import stupidity
from grognard.games.wfb3.rolls import arms
from grognard.games.wfb3.rolls.modifiers import Group
from grognard.games.wfb3.table import indoor_fights
from grognard.kernel.citing import cites
from grognard.kernel.questions import Script

#: How many strike at one man in a room.
AT_ONE = 2


def opening(battle: Battle, units: Sequence[Unit]) -> Script[Clash]:
    """wfb3:22.1.5-multi, wfb3:7.15-leader
    A round inside up to its blows: challenges and weapons; ranks do not count."""

    yield from challenges.issue(battle, units)
    for unit in units:
        yield from arms.choose(battle, unit)
        yield from pistols.choose(battle, unit)
        yield from stupidity.before_blows(battle, unit)
    clash = blows.gathered(battle, units, Score(units))
    clash.inside = True
    return clash


def ending(battle: Battle, units: Sequence[Unit], clash: Clash) -> Script[None]:
    """wfb3:22.1.5-multi, wfb3:23.2-panic  What torches do besides, and one result for all its fights."""
    yield from fire_missiles.after_blows(battle, units, clash.score.wounds)
    yield from results.conclude(battle, units, clash.score)
    challenges.clear(battle, units)
    pistols.spent(battle, units)


@cites
def groups(battle: Battle, unit: Unit) -> list[Group]:
    """wfb3:22.1.5-multi  Everybody in a section/level with enemies strikes; all its fights are one combat."""
    found: list[Group] = []
    taken: set[str] = set()
    for foe, _, _ in battle.foes(unit):
        here = [battle.models[m] for m in indoor_fights.shared(battle, unit, foe) if m not in taken]
        taken.update(m.id for m in here)
        here = [m for m in here if not m.fight.refused and not (m.fight.dazed and m.role == "character")]
        plain = [m.id for m in here if m.role not in striking.APART and not m.fight.duel]
        found += striking.massed(battle, unit, foe, [n for n, key in enumerate(unit.models) if key in plain])
        for model in here:
            if model.role != "altar" and (model.role in striking.APART or model.fight.duel):
                rival = battle.models.get(model.fight.duel)
                enemy = battle.units[rival.unit] if rival is not None and rival.alive else foe
                found += striking.single_groups(battle, unit, enemy, model)
    return found


def marks(battle: Battle, unit: Unit, foe: Unit, group: Group) -> list[tuple[Model, int]]:
    """wfb3:11.2.2-choice  Leaders, bearers, musicians and characters in the rooms where two units fight.

    Ruling: in the press of a room no more than two strike at one man.
    """
    found = []
    for key in indoor_fights.shared(battle, foe, unit):
        model = battle.models[key]
        if (model.role or model.trophy) and model.role != "altar" and not model.fight.duel and not model.fight.refused:
            found.append((model, 1 if group.who in battle.models else AT_ONE))
    return found


def turned(battle: Battle, unit: Unit, group: Group, number: int) -> dict[str, int]:
    """wfb3:11.2.2-choice  How many attacks of a group may go to other enemies in the same rooms instead."""
    if group.who in battle.models and battle.models[group.who].fight.duel:
        return {}
    foes = [f for f, _, _ in battle.foes(unit) if f.where == "building"]
    mine = set(indoor_fights.shared(battle, unit, battle.units[group.foe]))
    for foe in foes[: next((n for n, f in enumerate(foes) if f.id == group.foe), 0)]:
        mine -= set(indoor_fights.shared(battle, unit, foe))
    found: dict[str, int] = {}
    for foe in foes:
        both = mine & set(indoor_fights.shared(battle, unit, foe))
        if foe.id == group.foe or not both:
            continue
        if group.who in battle.models:
            found.update({foe.id: group.attacks * number} if group.who in both else {})
        else:
            found[foe.id] = group.attacks * min(number, len(both))
    return found
