"""nemesis:14.2-power, nemesis:A2-hits  Damage by spells: automatic hits of a given power."""

from __future__ import annotations

from grognard.games.nemesis.abilities.spell_book import SpellLine
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.losses import casualties
from grognard.games.nemesis.rolls.steps import D10
from grognard.games.nemesis.table import sight
from grognard.kernel.citing import cites
from grognard.kernel.geometry.units import TOUCH
from grognard.kernel.questions import Pick, Roll, Script, option
from grognard.kernel.words.tally import Tally

POWER = "nemesis:14.2-power"
MANY = "nemesis:A2-hits"
CASUALTIES = "nemesis:17.2-casualties"

#: Two models nearer to each other in distance than this (mm) are equally near, as for shots.
LEVEL = 0.1


@cites
def impact_of(battle: Battle, seat: str, power: int, rule: str) -> Script[Tally]:
    """nemesis:14.2-power  The power is the impact itself; house rule spell_power_adds_die: 1D10 + power."""
    impact = Tally(power, "power", rule)
    if battle.house["spell_power_adds_die"]:
        battle.cite("nemesis:3.3-dice", "nemesis:3.3-one-value")
        (face,) = yield Roll(seat, "spell.power", D10, rule=POWER, plus=impact, sense="value")
        impact = Tally(power, "power", rule).add(face, "die", POWER)
    return impact


@cites
def number_of_hits(battle: Battle, caster: Model, spell: SpellLine) -> Script[int]:
    """nemesis:3.3-one-value, nemesis:A2-hits  1D10 hits, or 1D5: half of 1D10, rounded up (nemesis:X.7-d5)."""
    (face,) = yield Roll(caster.seat, "spell.hits", D10, rule=spell.rule, about=(caster.id,), sense="value")
    if spell.hit_die == D10:
        return int(face)
    battle.cite("nemesis:X.7-d5")
    return (int(face) + 1) // 2


def strike_model(
    battle: Battle, by: Model | None, model: Model, count: int, power: int, rule: str, seat: str = ""
) -> Script[None]:
    """nemesis:A2-hits  Hits on one model; what is left when it is lost is lost too."""
    for _ in range(count):
        if model.doomed:
            battle.cite(MANY)
            return
        impact = yield from impact_of(battle, by.seat if by is not None else seat, power, rule)
        yield from casualties.strike(battle, model, impact, by=by, rule=rule, overflow=False)


def strike_unit(battle: Battle, by: Model, unit: Unit, count: int, power: int, rule: str) -> Script[None]:
    """nemesis:14.2-target-unit, nemesis:A2-hits
    Hits on a unit fall as shots do: on the nearest model the mage sees."""
    if not unit.regiment or unit.models == (unit.hero,):
        yield from strike_model(battle, by, battle.members(unit)[0], count, power, rule)
        return
    battle.cite("nemesis:17.2-casualties", "nemesis:14.2-target-unit")
    for done in range(count):
        near = _nearest(battle, by, unit)
        if not near:
            lost = count - done
            battle.tell("spell.hits-lost", "nemesis:17.2-visible-cap", (unit.id,), hits=lost)
            return
        options = [option(m.id, m, text="option.model", about=(m.id,), data={"model": m.id}) for m in near]
        level = len(near) > 1
        chosen = yield Pick(unit.seat, "shot.casualty", options, optional=level, rule=CASUALTIES, about=(unit.id,))
        model = chosen or near[0]
        impact = yield from impact_of(battle, by.seat, power, rule)
        yield from casualties.strike(battle, model, impact, by=by, rule=rule, overflow=True)


def _nearest(battle: Battle, by: Model, unit: Unit) -> list[Model]:
    """nemesis:17.2-casualties, nemesis:17.2-visible-cap
    Who may take the next hit: the nearest in sight, never a hero within.

    Of equally near ones the owner picks. nemesis:21.2-excess  Once every trooper is lost the hits still fall on the
    nearest of them, and their wounds on the hero.
    """
    gaps = {m.id: battle.bodies.gap(by.body, m.body) for m in battle.members(unit) if m.id != unit.hero}
    if by.unit != unit.id:  # nemesis:14.4-target: whoever touches the mage need not be seen
        seen = [m.id for m, _ in sight.visible(battle, by, unit)]
        gaps = {key: far for key, far in gaps.items() if key in seen or far <= TOUCH}
    troopers = [m for m in battle.members(unit) if m.id != unit.hero]
    alive = [m for m in troopers if m.id in gaps and not m.doomed]
    if not alive and unit.hero is not None and not battle.models[unit.hero].doomed and all(m.doomed for m in troopers):
        return [m for m in troopers if m.id in gaps][:1]
    least = min((gaps[m.id] for m in alive), default=0.0)
    near = [m for m in alive if gaps[m.id] <= least + LEVEL]
    return sorted(near, key=lambda m: m.champion)
