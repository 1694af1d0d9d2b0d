"""Chapters 11.2.2, 12.1, 14.6.7: whom of an enemy unit those who touch him may pick out."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import indoor_blows
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.rolls.modifiers import Group
from grognard.games.wfb3.table import air_fights, contacts
from grognard.kernel.questions import Option, Script, Split


def hidden_back(model: Model) -> bool:
    """wfb3:14.6.3-step-back  Who cannot be struck: those who stand back from the fight, and altars."""
    return model.role == "altar" or (model.fight.back and model.role == "character")


def specials(battle: Battle, unit: Unit, foe: Unit, group: Group) -> list[tuple[Model, int]]:
    """wfb3:11.2.2-choice, wfb3:12.1-attacks-against, wfb3:14.6.7-melee
    Leaders, bearers, musicians and characters a group touches, and by how many of it each is touched.
    """
    if unit.seat == foe.seat or group.blind:
        return []
    if unit.air.height or foe.air.height:
        return air_fights.marks(battle, unit, foe)
    if unit.where == "building":
        return indoor_blows.marks(battle, unit, foe, group)
    touches = [t for t in contacts.of_unit(battle, unit) if t.foe == foe.id and t.number < len(unit.models)]
    if group.who in battle.models:
        stands = battle.models[group.who].ride.aboard or group.who  # crews strike from their car or beast
        touches = [t for t in touches if unit.models[t.number] == stands]
    found: list[tuple[Model, int]] = []
    for number in sorted({t.foe_number for t in touches}):
        if number >= len(foe.models):
            continue
        model = battle.models[foe.models[number]]
        if (model.role or model.trophy) and not model.fight.duel and not model.fight.refused and not hidden_back(model):
            found.append((model, sum(t.foe_number == number for t in touches)))
    return found


def shared(battle: Battle, group: Group, attacks: int) -> Script[list[tuple[Model | None, int]]]:
    """wfb3:11.2.2-choice, wfb3:12.1-attacks-against, wfb3:14.6.7-melee
    How the blows of a group fall: on those its player picks out, the rest on the troops (None).
    """
    unit, foe = battle.units[group.unit], battle.units[group.foe]
    marks = specials(battle, unit, foe, group)
    if not attacks or not marks or not battle.ordinary(foe):
        return [(None, attacks)]
    limits = {m.id: (0, min(attacks, reach * group.attacks)) for m, reach in marks}
    options = [Option("troops", "troops", "option.aim.troops"), *(Option(m.id, m.id, about=(m.id,)) for m, _ in marks)]
    shares = yield Split(
        unit.seat, "combat.aim", options, attacks, limits=limits, exact=False, filled=True, rule="wfb3:11.2.2-choice",
        about=(unit.id, foe.id), data={"by": group.who},
    )  # fmt: skip
    for key, number in shares.items():
        if key in battle.models and number:
            battle.cite(_rule(battle.models[key]))
    return [(battle.models.get(key), number) for key, number in shares.items()]


def _rule(victim: Model) -> str:
    if victim.trophy and not victim.role:
        return "wfb3:12.5-recover"
    return "wfb3:11.2.2-melee" if victim.role in ("leader", "character") else "wfb3:12.1-attacks-against"
