"""Chapter 4.4.3, 8.4-duration, 8.10-upkeep  Formulas kept up from turn to turn, and what ends with them."""

from __future__ import annotations

import msgspec

from grognard.games.ades.army.profiles import Power
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Effect, Fighter
from grognard.games.ades.losses import casualties
from grognard.games.ades.mystics import casting, power_notes
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Note, Option, Pick, Script, option

KEEP = "ades:4.4.3-maintain"


def running(battle: Battle, caster: Fighter) -> dict[str, list[Effect]]:
    """The recitations of a caster that end with this turn, by formula; by target too where one was recited twice."""
    found: dict[tuple[str, int], list[Effect]] = {}
    for effect in battle.effects:
        if effect.source == caster.id and effect.formula and effect.until == battle.turn:
            found.setdefault((effect.formula, effect.recital), []).append(effect)
    names = [name for name, _ in found]
    return {
        name if names.count(name) == 1 else f"{name}:{effects[0].target}": effects
        for (name, _), effects in found.items()
    }


def refusal(battle: Battle, caster: Fighter, power: Power) -> Refusal | None:
    """ades:4.4.3-eligible, ades:4.4.3-condition, ades:4.4.3-cost  Why a formula cannot be kept up."""
    facts = {"fighter": caster.id, "formula": power.name}
    lasting = power.duration >= 1 and power.frequency >= 1
    if power.upkeep == "no" or not (lasting or power.upkeep):
        rule = "ades:8.4-unique" if not power.frequency else "ades:4.4.3-eligible"
        return Refusal("refuse.no-upkeep", rule, facts, ("ades:4.4.3-eligible",))
    if power.upkeep == "immobile" and caster.round.moved:
        return Refusal("refuse.upkeep-moved", "ades:4.4.3-condition", facts)
    if caster.powers.um < price(power):
        return Refusal("refuse.no-um", "ades:4.4.3-cost", facts)
    return None


def price(power: Power) -> int:
    """ades:4.4.3-cost, ades:8.10-upkeep  The cost again; a summoning says itself what it takes."""
    if power.upkeep.isdigit():
        return int(power.upkeep)
    return power.cost


def maintain(battle: Battle) -> Script[None]:
    """ades:4.4.3-maintain  Each mystic may keep up formulas that would end, as many as its rank."""
    for caster in list(battle.on_table()):
        if casting.kind_of(battle, caster) and caster.seat in battle.seats and not caster.fear.routed:
            yield from _keep(battle, caster)
    yield from expire(battle)


def _keep(battle: Battle, caster: Fighter) -> Script[None]:
    """ades:4.4.3-max  As many formulas as the caster's rank go on."""
    for _ in range(caster.profile.rank):
        ending = running(battle, caster)
        if not ending:
            return
        able, barred = [], {}
        for key, effects in ending.items():
            why = refusal(battle, caster, battle.library.powers[effects[0].formula])
            if why is None:
                able.append(key)
            else:
                barred[key] = why
        chosen = yield Pick(
            caster.seat, "upkeep", [_option(battle, key, ending[key]) for key in able],
            optional=True, barred=barred, rule=KEEP, about=(caster.id,),
        )  # fmt: skip
        if chosen is None:
            return
        battle.cite("ades:4.4.3-max", "ades:4.4.3-eligible")
        effects = ending[chosen]
        _prolong(battle, caster, battle.library.powers[effects[0].formula], effects)
    facts, rule = {"fighter": caster.id}, "ades:4.4.3-max"
    over = {key: Refusal("refuse.upkeep-max", rule, facts | {"formula": key}) for key in running(battle, caster)}
    if over:
        yield Pick(caster.seat, "upkeep", [], optional=True, barred=over, rule=KEEP, about=(caster.id,))


def _option(battle: Battle, key: str, effects: list[Effect]) -> Option:
    power = battle.library.powers[effects[0].formula]
    told = (Note("note.upkeep", {"cost": price(power)}, "ades:4.4.3-cost"), *power_notes.deeds(power))
    return option(key, text="option.formula", data={"name": key}, notes=told)


@cites
def _prolong(battle: Battle, caster: Fighter, power: Power, effects: list[Effect]) -> None:
    """ades:4.4.3-cost, ades:8.4-duration  Paid again; it goes on for those in the control zone (ades:4.4.3-zone)."""
    caster.powers = caster.powers.but(um=caster.powers.um - price(power))
    if power.upkeep == "immobile":
        battle.cite("ades:4.4.3-condition")
    if any(battle.fighters[e.target].summons.summoner == caster.id for e in effects):
        battle.cite("ades:8.10-upkeep")
    until = battle.turn + max(1, power.duration)
    changed = []
    for effect in battle.effects:
        if effect in effects:
            target = battle.fighters[effect.target]
            stays = target is caster or target.summons.summoner == caster.id or casting.in_zone(battle, caster, target)
            battle.cite("ades:4.4.3-zone")
            changed.append(_until(effect, until) if stays else effect)
        else:
            changed.append(effect)
    battle.effects = tuple(changed)
    battle.tell("upkeep", KEEP, (caster.id,), formula=power.name, until=until, left=caster.powers.um)


def _until(effect: Effect, until: int) -> Effect:
    return msgspec.structs.replace(effect, until=until)


def expire(battle: Battle) -> Script[None]:
    """ades:8.4-duration, ades:8.10-duration, ades:8.10-upkeep  What lasted to the end of this turn is over."""
    over = [e for e in battle.effects if e.until and e.until <= battle.turn]
    battle.effects = tuple(e for e in battle.effects if e not in over)
    for name in dict.fromkeys(e.name for e in over):
        battle.tell(
            "effect.over",
            "ades:8.4-duration",
            tuple(dict.fromkeys(e.target for e in over if e.name == name)),
            power=name,
        )
    for effect in over:
        target = battle.fighters.get(effect.target)
        if (
            target is not None
            and target.summons.summoner
            and target.alive
            and target.summons.summoned_by == effect.formula
        ):
            battle.cite("ades:8.10-duration")
            yield from casualties.eliminate(battle, target, "ades:8.10-upkeep", casualty=False)
