"""Chapter 10.8: fear: who frightens whom, and the tests."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.abilities.psychology import CausesFear, ImmuneToPsychology
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.characters import altars
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.rolls import stats, tests
from grognard.games.wfb3.rolls.modifiers import TO_HIT, Group
from grognard.games.wfb3.table import seating
from grognard.kernel.formation.block import single
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Script
from grognard.kernel.words.tally import Tally


def heedless(battle: Battle, unit: Unit) -> bool:
    """wfb3:18.5-amok-move, wfb3:20.8.3-runaway
    Whether a maddened beast or a runaway team obeys nobody, nor any fear."""
    if unit.kind not in ("monster", "chariot") or not any(m.ride.amok for m in battle.members(unit)):
        return False
    battle.cite("wfb3:18.5-amok-move" if unit.kind == "monster" else "wfb3:20.8.3-runaway")
    return True


def immune(battle: Battle, unit: Unit) -> bool:
    """wfb3:10.5-immune, wfb3:10.9-immune, wfb3:18.5-amok-move  Whether psychology has no hold on a unit just now."""
    if unit.minds.frenzied:
        battle.cite("wfb3:10.5-immune")
        return True
    if unit.minds.stupid:
        battle.cite("wfb3:10.9-immune")
        return True
    if heedless(battle, unit) or unit.kind == "altar" or altars.steadies(battle, unit):
        return True
    return battle.trait(unit, ImmuneToPsychology) is not None


def dread(battle: Battle, unit: Unit, other: Unit) -> CausesFear | None:
    """The fear another causes in a unit, if it does.

    Ruling: who causes fear himself fears nobody.
    """
    causes = [t for t in battle.traits(other) if isinstance(t, CausesFear)]
    trait = next((t for t in causes if t.frightens(unit.profile.race)), None)
    if trait is None:
        return None
    if battle.trait(unit, CausesFear) is not None or immune(battle, unit):
        return None
    return trait


def followers(battle: Battle, unit: Unit, foe: Unit) -> list[tuple[Model, CausesFear]]:
    """wfb3:10.2-combine, wfb3:10.8-beaten  Characters with an enemy unit who frighten by themselves where it does not.

    Ruling: who is with a unit he does not lead makes it no cause of fear, to charge or to be charged by; but he is one
    himself: to whoever aims at him, as far as his own fear reaches, and by the wounds he inflicts.
    """
    if foe.kind == "character" or dread(battle, unit, foe) is not None:
        return []
    found = [(m, battle.own_trait(m, CausesFear)) for m in battle.characters(foe) if m.id != foe.leader]
    feared = [(m, t) for m, t in found if isinstance(t, CausesFear) and t.frightens(unit.profile.race)]
    if not feared or battle.trait(unit, CausesFear) is not None or immune(battle, unit):
        return []
    battle.cite("wfb3:10.2-combine")
    return feared


def in_radius(battle: Battle, unit: Unit, target: Unit | None = None) -> bool:
    """wfb3:10.8-radius  Whether an enemy (this one, or any) frightens the unit from a distance."""
    for foe in [target] if target is not None else battle.enemies(unit):
        trait = dread(battle, unit, foe)
        if trait is not None and trait.radius and battle.gap(unit, foe) <= inches(trait.radius) + 0.03:
            return True
        for model, own in followers(battle, unit, foe):
            if own.radius and model.on_table and unit.block is not None:
                spot = single(battle.base(model), battle.pose(model)).outline
                if gap(unit.block.outline, spot) <= inches(own.radius) + 0.03:
                    return True
    return False


def test(battle: Battle, unit: Unit, other: Unit, rule: str, model: Model | None = None) -> Script[bool]:
    """wfb3:10.8-charge, wfb3:10.8-charged, wfb3:10.8-shoot
    One test against one fear a turn, a unit's or that of one of its characters; True where the unit stands it.
    """
    trait = dread(battle, unit, other) if model is None else dict(_named(battle, unit, other)).get(model.id)
    key = other.id if model is None else model.id
    if trait is None or key in unit.minds.fear_done:
        return key not in unit.minds.fear_of
    unit.minds = unit.minds.but(fear_done=(*unit.minds.fear_done, key))
    passed = yield from tests.cool(battle, unit, "fear", rule, (key,), plus=-trait.plus, why="wfb3:10.8-modifier")
    if not passed:
        unit.minds = unit.minds.but(fear_of=(*unit.minds.fear_of, key))
        seating.unwall(battle, unit)
    return passed


def _named(battle: Battle, unit: Unit, foe: Unit) -> list[tuple[str, CausesFear]]:
    return [(model.id, trait) for model, trait in followers(battle, unit, foe)]


def near_enough(battle: Battle, charger: Unit, target: Unit) -> bool:
    """wfb3:27.7-fear  By the revised rule who is charged tests once the charge has proved to be in reach."""
    if not battle.house["revised_fear"]:
        return True
    battle.cite("wfb3:27.7-fear")
    return battle.gap(charger, target) <= charge_reach(battle, charger) + 0.03


def outnumbered(battle: Battle, unit: Unit, other: Unit) -> bool:
    """wfb3:27.7-fear  By the initial wounds of the models present."""
    return _initial(battle, other) > _initial(battle, unit)


def _initial(battle: Battle, unit: Unit) -> int:
    return sum(model.profile.W for model in battle.members(unit))


def overawed(battle: Battle, unit: Unit, victors: Sequence[Unit]) -> Unit | None:
    """wfb3:27.7-fear-beaten  One of the enemies a beaten unit fears, where together they outnumber it.

    By the revised rule it runs whether they follow it or not.
    """
    touching = [foe.id for foe, _, _ in battle.foes(unit)]
    feared = {foe.id: _initial(battle, foe) for foe in victors if dread(battle, unit, foe) is not None}
    for foe in victors:
        if heroes := followers(battle, unit, foe):
            feared[foe.id] = sum(model.profile.W for model, _ in heroes)
    feared = {key: wounds for key, wounds in feared.items() if key in touching}
    if feared:
        battle.cite("wfb3:27.7-fear-beaten")
    return battle.units[next(iter(feared))] if sum(feared.values()) > _initial(battle, unit) else None


def charge_reach(battle: Battle, unit: Unit) -> float:
    """How far a unit charges in the open (mm)."""
    if unit.air.height:
        return inches(unit.air.speed)
    return inches(float(stats.doubled(battle, unit, "charge").value))


@TO_HIT.by("fear")
def to_hit(battle: Battle, group: Group, foe: Unit, tally: Tally) -> None:
    """wfb3:10.8-radius, wfb3:27.7-fear  Who is afraid hits worse."""
    unit = battle.units[group.unit]
    if in_radius(battle, unit):
        tally.add(1, "fear", "wfb3:10.8-radius")
    if battle.house["revised_fear"] and foe.id in unit.minds.fear_of and unit.combat.rounds == 0:
        tally.add(2, "afraid", "wfb3:27.7-fear")
