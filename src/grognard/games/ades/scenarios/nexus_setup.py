"""ades:12.2  Placing the nexus of both sides before the cards are played."""

from __future__ import annotations

import math

import shapely
from shapely.geometry.base import BaseGeometry

from grognard.games.ades.abilities import skillset
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Thing
from grognard.games.ades.scenarios import fielding
from grognard.games.ades.table import setting_down, standing
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry import room
from grognard.kernel.geometry.base import Pose, round_base
from grognard.kernel.geometry.units import TOUCH, cm, snap
from grognard.kernel.questions import Pick, Place, Script, option

RULE = "ades:12.2"


def place_all(battle: Battle) -> Script[None]:
    """ades:12.2  Alternately; the Tactician of the deployment turn names who begins."""
    left = _left(battle)
    if not left:
        return
    if not battle.queue:
        first = yield Pick(
            battle.tactician, "nexus.first", [option(s, s) for s in battle.seats], rule=RULE, checkpoint=True
        )
        battle.queue = (first,)
    while left:
        seat, *named = battle.queue
        mine = [t for t in left if t.seat == seat]
        if mine and not named:
            named = [(yield from _which(battle, seat, mine)).id]
            battle.queue = (seat, *named)
        if mine:
            yield from _place(battle, battle.things[named[0]])
        battle.queue = (battle.other(seat),)
        left = _left(battle)
    battle.queue = ()


def _left(battle: Battle) -> list[Thing]:
    """Those that have yet to be placed."""
    return [t for t in battle.things.values() if t.kind == "nexus" and t.alive and not t.placed and t.seat]


def _which(battle: Battle, seat: str, mine: list[Thing]) -> Script[Thing]:
    """ades:12.2  Which of its nexus a player places next; the first of the list unless that says otherwise."""
    if len({t.name for t in mine}) < 2:
        return mine[0]
    chosen: Thing | None = yield Pick(
        seat, "nexus.which", [option(t.id, t, about=(t.id,)) for t in mine], optional=True, rule=RULE, about=(seat,),
        aside=True,
    )  # fmt: skip
    return chosen or mine[0]


def _place(battle: Battle, thing: Thing) -> Script[None]:
    assert thing.nexus is not None
    base = round_base(cm(thing.nexus.size))

    def region(key: str, pose: Pose) -> Refusal | None:
        return too_close(battle, thing, pose)

    def spots(key: str) -> list[tuple[float, float]]:
        free = shapely.difference(standing.open_ground(battle, base, 0.0, 0), _near_others(battle, thing))
        return [(snap(x), snap(y)) for x, y in room.spots(free, (0.0, 0.0), cm(5)).tolist()]

    anchors = setting_down.grid(0, 0, battle.table.width, battle.table.height, 4, 4)
    judge = setting_down.PutJudge(battle, {thing.id: base}, RULE, region, anchors, more=spots)
    if not judge.possible():
        thing.alive = False
        battle.tell("nexus.no-room", RULE, (thing.id,))
        return
    poses = yield Place(
        thing.seat, "nexus.place", (thing.id,), judge, rule=RULE, about=(thing.id,), checkpoint=True,
        data={"name": thing.name},
    )  # fmt: skip
    fielding.set_thing(battle, thing, poses[thing.id])
    battle.tell("nexus.placed", RULE, (thing.id,), x=thing.x / cm(1), y=thing.y / cm(1))


def _near_others(battle: Battle, thing: Thing) -> BaseGeometry:
    """ades:12.2  Where the middle of a nexus may not be for the others."""
    assert thing.nexus is not None
    found = []
    for other in battle.things_of("nexus"):
        if other is not thing and other.nexus is not None:
            reach = skillset(other.skills).number("sanctuaire") if other.seat != thing.seat else 0
            far = cm(max(20, reach)) + cm(other.nexus.size + thing.nexus.size) / 2
            found.append(standing.keep_off([(other.x, other.y)], far + 2 * TOUCH))
    return shapely.union_all(found)


def too_close(battle: Battle, thing: Thing, pose: Pose) -> Refusal | None:
    """ades:12.2, ades:13.2.1.1-sanctuaire
    More than 20 cm from every other nexus, and out of the enemy's sanctuaries."""
    assert thing.nexus is not None
    mine = cm(thing.nexus.size) / 2
    for other in battle.things_of("nexus"):
        if other is thing or other.nexus is None:
            continue
        far = math.dist((other.x, other.y), pose[:2]) - mine - cm(other.nexus.size) / 2
        if far <= cm(20) + TOUCH:
            return Refusal("refuse.nexus-close", RULE, {"fighter": thing.id, "other": other.id})
        reach = skillset(other.skills).number("sanctuaire")
        if reach and other.seat != thing.seat and far <= cm(reach) + TOUCH:
            return Refusal("refuse.sanctuary", "ades:13.2.1.1-sanctuaire", {"fighter": thing.id})
    return None
