"""wfb3:7.2-responses, wfb3:22.1.5-charge
Who holds a house answers a storm: he holds, shoots from the windows, or flees."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.army.weapons import Missile
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import building_shooting, buildings, storming
from grognard.games.wfb3.charge import responses
from grognard.games.wfb3.chariots import anchors
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.pieces import Room
from grognard.games.wfb3.psychology import character_psychology, fear
from grognard.games.wfb3.rolls import tests
from grognard.games.wfb3.rout import rout
from grognard.games.wfb3.shooting import volleys
from grognard.games.wfb3.table import sections
from grognard.games.wfb3.table.sections import Door
from grognard.games.wfb3.troops import weres
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Option, Pick, Script

RULE = "wfb3:7.2-responses"


def answer(battle: Battle, unit: Unit, foe: Unit, room: Room) -> Script[None]:
    """wfb3:7.2-responses, wfb3:7.2.3-flee, wfb3:10.8-charged
    The answer of one unit in a section/level that is stormed.

    Ruling: who is stormed answers as anybody who is charged; only from outside can he be seen and shot at.
    """
    if foe.troops.weres and foe.where == "building" and not foe.rout.routed and not battle.engaged(foe):
        yield from weres.roll(battle, foe, stays=True)
    if foe.rout.routed or foe.where != "building":
        return
    if (held := responses.must_hold(battle, foe)) is not None:
        battle.cite(held.rule)
        return
    fast = anchors.anchored(battle, foe)
    way = (
        None
        if fast is not None
        else _way_out(battle, unit, foe, [key for key, models in foe.indoors.rooms if models], room)
    )
    if fear.dread(battle, foe, unit) is not None:
        stood = yield from fear.test(battle, foe, unit, "wfb3:10.8-charged")
        unafraid = battle.house["revised_fear"] and not fear.outnumbered(battle, foe, unit)
        if not stood and not unafraid and way is not None:
            battle.tell("charge.feared", "wfb3:10.8-charged", (foe.id, unit.id))
            yield from _flee(battle, foe, unit, way)
            return
    yield from _followers(battle, unit, foe, room)
    options, barred = [Option("hold", "hold", "option.answer.hold")], {}
    weapon = _weapon(battle, unit, foe, room)
    if weapon is not None:
        options.append(Option("shoot", "shoot", "option.answer.shoot"))
    if fast is not None:
        barred["flee"] = fast
    elif foe.minds.frenzied:
        barred["flee"] = Refusal("refuse.answer.frenzied", "wfb3:10.5-immune", {"unit": foe.id})
    elif way is None:
        barred["flee"] = Refusal("refuse.answer.no-exit", "wfb3:22.1.6-after", {"unit": foe.id})
    else:
        options.append(Option("flee", "flee", "option.answer.flee"))
    chosen = yield Pick(
        foe.seat, "charge.answer", options, optional=len(options) > 1, barred=barred, rule=RULE,
        about=(foe.id, unit.id),
    )  # fmt: skip
    if chosen == "shoot" and weapon is not None:
        yield from _shoot(battle, unit, foe, weapon)
    elif chosen == "flee" and way is not None:
        yield from _flee(battle, foe, unit, way)


def _followers(battle: Battle, unit: Unit, foe: Unit, room: Room) -> Script[None]:
    """wfb3:14.6.4-own-psychology, wfb3:10.8-charged
    A follower who alone fears the stormers tests; failing he runs out.

    Ruling: where no exit leads away from them he stays, as troops do.
    """
    for model in (yield from character_psychology.terrified(battle, foe, unit)):
        way = _way_out(battle, unit, foe, [sections.where(foe, model.id)], room)
        home = battle.units[model.home]
        if way is None or not character_psychology.driven_out(battle, foe, model):
            continue
        battle.cite("wfb3:10.8-charged")
        home.charge = home.charge.but(answered="flee")
        home.rout = home.rout.but(fled=battle.clock)
        battle.tell("charge.fled", "wfb3:7.2.3-flee", (home.id, unit.id))
        storming.evacuate(battle, home, way)


def _weapon(battle: Battle, unit: Unit, foe: Unit, room: Room) -> Missile | None:
    """wfb3:7.2.2-distance  What defenders may shoot with at those who come from outside and from far enough."""
    weapon, _ = responses.counter_weapon(battle, foe)
    if weapon is None or foe.shooting.shot_at_chargers == battle.clock or unit.rout.routed or unit.where != "table":
        return None
    doors = [buildings.nearness(battle, unit, d) for d in buildings.doors(battle) if d.room is room]
    if min(doors, default=0.0) <= fear.charge_reach(battle, unit) / 2 or not building_shooting.may_aim(
        battle, foe, unit, weapon
    ):
        battle.cite("wfb3:7.2.2-distance")
        return None
    return weapon


def _shoot(battle: Battle, unit: Unit, foe: Unit, weapon: Missile) -> Script[None]:
    """wfb3:7.2.2-test, wfb3:7.2.2-shoot  A test, then a hurried volley from the windows."""
    if not (yield from tests.ld(battle, foe, "stand", "wfb3:7.2.2-test", (unit.id,))):
        return
    foe.charge = foe.charge.but(answered="shoot")
    foe.shooting = foe.shooting.but(shot_at_chargers=battle.clock, fired=battle.clock)
    battle.tell("charge.shot-at", "wfb3:7.2.2-shoot", (foe.id, unit.id), weapon=weapon.name)
    yield from volleys.volley(battle, foe, unit, weapon, at_chargers=True)
    if unit.where == "table":
        yield from rout.missile_test(battle, unit, (foe.id,))


def _way_out(battle: Battle, unit: Unit, foe: Unit, held: Sequence[str], room: Room) -> Door | None:
    """wfb3:7.2.3-flee, wfb3:22.1.6-after  The nearest exit that leads away from the charge.

    Ruling: neither through the door nor through the section/levels the enemy comes by or holds.
    """
    doors = buildings.doors(battle)
    if unit.where == "table":
        theirs = [d for d in doors if d.room is room]
        doors = [d for d in doors if d != min(theirs, key=lambda d: buildings.nearness(battle, unit, d), default=None)]
    far = _steps(battle, foe, held)
    found = [d for d in doors if d.room.id in far]
    return min(found, key=lambda d: far[d.room.id], default=None)


def _steps(battle: Battle, unit: Unit, held: Sequence[str]) -> dict[str, int]:
    """How far section/levels are from those somebody holds, by ways no enemy bars."""
    far = dict.fromkeys(held, 0)
    queue = list(far)
    while queue:
        key = queue.pop(0)
        for other in sections.neighbours(battle, battle.rooms[key]):
            if other.standing and other.id not in far and not buildings.contested(battle, other.id, unit.seat):
                far[other.id] = far[key] + 1
                queue.append(other.id)
    return far


def _flee(battle: Battle, unit: Unit, charger: Unit, door: Door) -> Script[None]:
    """wfb3:7.2.3-flee, wfb3:22.1.6-after  A test: in order or in rout, but out it goes.

    Ruling: all of it stands outside at the exit; those in rout flee on from their next turn, as after a lost fight.
    """
    unit.charge = unit.charge.but(answered="flee")
    battle.cite("wfb3:4-out-of-turn")
    passed = yield from tests.ld(battle, unit, "flee", "wfb3:7.2.3-flee", (charger.id,))
    battle.tell("charge.fled" if passed else "charge.broke", "wfb3:7.2.3-flee", (unit.id, charger.id))
    if passed:
        unit.rout = unit.rout.but(fled=battle.clock)
        battle.cite("wfb3:7.2.3-after")
    else:
        yield from rout.begin(battle, unit, (charger.id,), melee=False)
    storming.evacuate(battle, unit, door)
