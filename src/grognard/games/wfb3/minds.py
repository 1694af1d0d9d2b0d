"""wfb3:14.6.4-own-psychology  What troubles an attached character alone, and may drive him out of his unit."""

from __future__ import annotations

from grognard.games.wfb3 import characters, fear, flyers, ground, sight, stats, trials
from grognard.games.wfb3.abilities.psychology import CausesFear, Frenzy, Hatred, Stupidity
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Script
from grognard.kernel.tally import Tally

RULE = "wfb3:14.6.4-own-psychology"


def followers(battle: Battle, unit: Unit) -> list[Model]:
    """Characters of a unit who do not lead it: their troubles are their own."""
    if unit.kind == "character":
        return []
    return [m for m in battle.characters(unit) if m.id != unit.leader]


def tested(battle: Battle, model: Model, purpose: str, plus: int = 0) -> Script[bool]:
    """He tests on his own Cl; True where he keeps his head."""
    value = Tally(model.profile.Cl, "Cl", RULE)
    value.add(plus, purpose, RULE)
    home = battle.units[model.home]
    return (yield from trials.against(battle, home, value, f"test.{purpose}", RULE, (model.unit,)))


def frenzy(battle: Battle, unit: Unit) -> Script[None]:
    """At contact a follower given to frenzy tests by himself; the troops around him keep calm."""
    for model in followers(battle, unit):
        if model.frenzied or not model.profile.has(Frenzy) or unit.profile.has(Frenzy) or unit.frenzied:
            continue
        if not (yield from tested(battle, model, "frenzy")):
            model.frenzied = True
            battle.tell("frenzied", RULE, (model.id,))


def hatred(battle: Battle, unit: Unit) -> Script[None]:
    """A follower who hates an enemy in reach tests; failing he breaks out of his unit and charges alone."""
    from grognard.games.wfb3 import declaring

    if battle.engaged(unit) or unit.routed:
        return
    for model in followers(battle, unit):
        trait = model.profile.has(Hatred)
        home = battle.units[model.home]
        if not isinstance(trait, Hatred) or unit.profile.has(Hatred) or "hatred" in home.panicked or model.champion:
            continue
        reach = inches(2 * float(stats.move(battle, unit).value))
        near = [
            f for f in battle.enemies(unit)
            if trait.hates(f.profile.race) and flyers.chargeable(battle, f) and battle.gap(unit, f) <= reach
            and sight.visible(battle, unit, f)
        ]  # fmt: skip
        if not near:
            continue
        home.panicked = (*home.panicked, "hatred")
        if (yield from tested(battle, model, "hatred")):
            continue
        if _out(battle, unit, model):
            yield from declaring.declare(battle, home, min(near, key=lambda f: battle.gap(home, f)))


def terror(battle: Battle, unit: Unit, other: Unit, *, charging: bool) -> Script[None]:
    """A follower who fears what his unit does not tests when it charges or is charged; failing he is out of it."""
    from grognard.games.wfb3 import flight

    trait = battle.trait(other, CausesFear)
    if not isinstance(trait, CausesFear) or fear.dread(battle, unit, other) is not None:
        return
    for model in followers(battle, unit):
        if not trait.frightens(model.profile.race) or model.champion or model.profile.has(CausesFear):
            continue
        if fear.immune(battle, battle.units[model.home]) or fear.immune(battle, unit):
            continue
        if (yield from tested(battle, model, "fear", -trait.plus)):
            continue
        home = battle.units[model.home]
        if not _out(battle, unit, model):
            continue
        if charging:
            home.done, home.frozen, home.frozen_why = True, battle.clock, "fear"
        else:
            yield from flight.run(battle, home, flight.away(battle, home, [other]), orderly=True)


def stupidity(battle: Battle) -> Script[None]:
    """A stupid follower among the wise tests at the start of his turn; failing he wanders off by himself."""
    for unit in battle.army(battle.active):
        for model in followers(battle, unit):
            if not model.profile.has(Stupidity) or unit.profile.has(Stupidity) or battle.engaged(unit):
                continue
            if model.champion or (yield from tested(battle, model, "stupidity")):
                continue
            if _out(battle, unit, model):
                battle.units[model.home].stupid = True
                battle.tell("stupid", RULE, (model.home,))


def _out(battle: Battle, unit: Unit, model: Model) -> bool:
    """He leaves his unit against his player's will, where there is room beside it."""
    spot = characters.beside(battle, unit, model)
    if spot is None or ground.fits(battle, unit, spot):
        return False
    home = characters.released(battle, unit, model, spot)
    home.stayed = (unit.id,)
    home.done = False
    battle.tell("character.driven", RULE, (model.id, unit.id))
    return True
