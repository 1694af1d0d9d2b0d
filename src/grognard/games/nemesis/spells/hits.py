"""nemesis:14.2-power, A2-hits  Damage by spells: automatic hits of a given power."""

from __future__ import annotations

from grognard.games.nemesis import casualties, sight
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.steps import D10
from grognard.kernel.questions import Roll, Script
from grognard.kernel.tally import Tally

POWER = "nemesis:14.2-power"
MANY = "nemesis:A2-hits"


def impact_of(battle: Battle, seat: str, power: int, rule: str) -> Script[Tally]:
    """nemesis:14.2-power  The power is the impact itself; house rule spell_power_adds_die: 1D10 + power."""
    battle.cite(POWER)
    impact = Tally(power, "power", rule)
    if battle.house["spell_power_adds_die"]:
        battle.cite("nemesis:3.3-dice", "nemesis:3.3-one-value")
        (face,) = yield Roll(seat, "spell.power", D10, rule=POWER, plus=impact, sense="value")
        impact = Tally(power, "power", rule).add(face, "die", POWER)
    return impact


def number_of_hits(battle: Battle, caster: Model, rule: str, *, d5: bool = False) -> Script[int]:
    """nemesis:3.3-one-value, X.7-d5  1D10 hits, or 1D5: half of 1D10, rounded up."""
    battle.cite("nemesis:3.3-one-value", MANY)
    (face,) = yield Roll(caster.seat, "spell.hits", D10, rule=rule, about=(caster.id,), sense="value")
    if not d5:
        return int(face)
    battle.cite("nemesis:X.7-d5")
    return (int(face) + 1) // 2


def strike_model(battle: Battle, by: Model, model: Model, count: int, power: int, rule: str) -> Script[None]:
    """nemesis:A2-hits  Hits on one model; what is left when it is lost is lost too."""
    for _ in range(count):
        if model.doomed:
            return
        impact = yield from impact_of(battle, by.seat, power, rule)
        yield from casualties.strike(battle, model, impact, by=by, rule=rule, overflow=False)


def strike_unit(battle: Battle, by: Model, unit: Unit, count: int, power: int, rule: str) -> Script[None]:
    """nemesis:14.2-target-unit, A2-hits  Hits on a unit fall as shots do: on the nearest model the mage sees."""
    if not unit.regiment:
        yield from strike_model(battle, by, battle.members(unit)[0], count, power, rule)
        return
    battle.cite("nemesis:17.2-casualties", "nemesis:14.2-target-unit")
    for done in range(count):
        model = _struck(battle, by, unit)
        if model is None:
            lost = count - done
            battle.tell("spell.hits-lost", "nemesis:17.2-visible-cap", (unit.id,), hits=lost)
            return
        impact = yield from impact_of(battle, by.seat, power, rule)
        yield from casualties.strike(battle, model, impact, by=by, rule=rule, overflow=True)


def _struck(battle: Battle, by: Model, unit: Unit) -> Model | None:
    """nemesis:17.2-casualties, 17.2-visible-cap  Who takes the next hit.

    nemesis:21.2-excess  Once every trooper is lost the hits still fall on them, and their wounds on the hero.
    """
    seen = [m for m, _ in sight.visible(battle, by, unit) if m.id != unit.hero]
    if by.unit == unit.id:
        seen = [m for m in battle.members(unit) if m.id != unit.hero]
    nearest = sorted(seen, key=lambda m: battle.bodies.gap(by.body, m.body))
    alive = next((m for m in nearest if not m.doomed), None)
    if alive is not None or unit.hero is None or battle.models[unit.hero].doomed:
        return alive
    troopers = [m for m in battle.members(unit) if m.id != unit.hero]
    return nearest[0] if nearest and all(m.doomed for m in troopers) else None
