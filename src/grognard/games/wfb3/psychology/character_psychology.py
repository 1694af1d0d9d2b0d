"""wfb3:14.6.4-own-psychology  What troubles an attached character alone, and may drive him out of his unit."""

from __future__ import annotations

from grognard.games.wfb3.abilities.psychology import CausesFear, Frenzy, Stupidity
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.characters import characters, lodging
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.psychology import fear
from grognard.games.wfb3.rolls import tests
from grognard.games.wfb3.rout import flight
from grognard.games.wfb3.table import ground
from grognard.kernel.questions import Script
from grognard.kernel.words.tally import Tally

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
    return (yield from tests.against(battle, home, value, f"test.{purpose}", RULE, (model.unit,)))


def frenzy(battle: Battle, unit: Unit) -> Script[None]:
    """At contact a follower given to frenzy tests by himself; the troops around him keep calm."""
    for model in followers(battle, unit):
        if (
            model.fight.frenzied
            or battle.own_trait(model, Frenzy) is None
            or unit.profile.has(Frenzy)
            or unit.minds.frenzied
        ):
            continue
        if not (yield from tested(battle, model, "frenzy")):
            model.fight = model.fight.but(frenzied=True)
            battle.tell("frenzied", RULE, (model.id,))


def terror(battle: Battle, unit: Unit, other: Unit, *, charging: bool) -> Script[None]:
    """A follower who fears what his unit does not tests when it charges or is charged; failing he is out of it."""
    for model in (yield from terrified(battle, unit, other)):
        battle.cite("wfb3:10.8-charge" if charging else "wfb3:10.8-charged")
        home = battle.units[model.home]
        if not driven_out(battle, unit, model):
            continue
        if charging:
            home.march = home.march.but(done=True, frozen=battle.clock, frozen_why="fear")
        else:
            yield from flight.run(battle, home, flight.away(battle, home, [other]), orderly=True)


def terrified(battle: Battle, unit: Unit, other: Unit) -> Script[list[Model]]:
    """Those of a unit's followers who fear another while it does not, and fail their tests."""
    trait = battle.trait(other, CausesFear)
    found: list[Model] = []
    if not isinstance(trait, CausesFear) or fear.dread(battle, unit, other) is not None:
        return found
    for model in followers(battle, unit):
        if not trait.frightens(model.profile.race) or model.hero.champion or battle.own_trait(model, CausesFear):
            continue
        if fear.immune(battle, battle.units[model.home]) or fear.immune(battle, unit):
            continue
        if not (yield from tested(battle, model, "fear", -trait.plus)):
            found.append(model)
    return found


def stupidity(battle: Battle) -> Script[None]:
    """A stupid follower among the wise tests at the start of his turn; failing he wanders off by himself."""
    for unit in battle.army(battle.active):
        for model in followers(battle, unit):
            if battle.own_trait(model, Stupidity) is None or unit.profile.has(Stupidity) or battle.engaged(unit):
                continue
            if model.hero.champion or (yield from tested(battle, model, "stupidity")):
                continue
            if driven_out(battle, unit, model):
                battle.units[model.home].minds = battle.units[model.home].minds.but(stupid=True)
                battle.tell("stupid", RULE, (model.home,))


def driven_out(battle: Battle, unit: Unit, model: Model) -> bool:
    """He leaves his unit against his player's will, where there is room beside it; in a house he is by himself."""
    home = battle.units[model.home]
    if unit.where == "building":
        lodging.leave(battle, unit, model, home)
    else:
        spot = characters.beside(battle, unit, model)
        if spot is None or ground.fits(battle, unit, spot):
            return False
        characters.released(battle, unit, model, spot)
        home.character = home.character.but(stayed=(unit.id,))
        home.march = home.march.but(done=False)
    battle.tell("character.driven", RULE, (model.id, unit.id))
    return True
