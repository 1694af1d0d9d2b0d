"""Chapter 10.7: panic: when units test, and what becomes of those who fail."""

from __future__ import annotations

from grognard.games.wfb3 import referee
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import storming, unruly_indoors
from grognard.games.wfb3.forces import PRESENT, Unit
from grognard.games.wfb3.psychology import fear
from grognard.games.wfb3.rolls import tests
from grognard.games.wfb3.rout import rout
from grognard.games.wfb3.table import sections
from grognard.kernel.questions import Option, Pick, Script

#: wfb3:10.7.5, 10.7.1  Inches.
ROUT_NEAR, FLEEING_NEAR = 12, 4


def test(battle: Battle, unit: Unit, rule: str, cause: Unit | None = None, *, plus: int = 0) -> Script[bool]:
    """wfb3:10.7-test  2D6 against Cl; who fails routs at once. True where it stands.

    Ruling: one test a player turn for each cause.
    """
    key = f"{rule}:{cause.id if cause else ''}"
    if unit.where not in PRESENT or unit.rout.routed or key in unit.minds.panicked or fear.immune(battle, unit):
        return True
    unit.minds = unit.minds.but(panicked=(*unit.minds.panicked, key))
    battle.cite("wfb3:10.7-test")
    about = (cause.id,) if cause is not None else ()
    passed = yield from tests.cool(battle, unit, "panic", rule, about, plus=plus, why="wfb3:10.7.5")
    if passed:
        return True
    engaged = [foe.id for foe, _, _ in battle.foes(unit)]
    battle.tell("panicked", rule, (unit.id, *about))
    if unit.where == "building":
        yield from storming.run_out(battle, unit)
        return False
    yield from rout.begin(battle, unit, tuple(engaged) or about, melee=bool(engaged))
    if engaged:
        yield from rout.broken(battle, unit, tuple(engaged))
    else:
        yield from rout.run_now(battle, unit, cause)
    return False


def start_of_turn(battle: Battle) -> Script[None]:
    """wfb3:10.7.1  Units within 4" of a fleeing friend they see, from the windows of a house too."""
    for unit in [*battle.army(battle.active), *sections.inside(battle, battle.active)]:
        for friend in battle.friends(unit):
            if (
                friend.rout.routed
                and not unit.rout.routed
                and battle.within(unit, friend, FLEEING_NEAR)
                and unruly_indoors.sees(battle, unit, friend)
            ):
                yield from test(battle, unit, "wfb3:10.7.1", friend)
                break


def called_for(battle: Battle) -> Script[None]:
    """wfb3:10.7.7  A referee in person may call for a test; the book's own rulings never do."""
    while battle.house["referee"] == "person":
        options = [Option(u.id, u, about=(u.id,)) for u in battle.here() if not u.rout.routed]
        unit = yield Pick(referee.SEAT, "referee.panic", options, optional=True, rule="wfb3:10.7.7", checkpoint=True)
        if unit is None:
            return
        kept = tuple(key for key in unit.minds.panicked if not key.startswith("wfb3:10.7.7"))
        unit.minds = unit.minds.but(panicked=kept)
        battle.cite("wfb3:1.1-gm")
        yield from test(battle, unit, "wfb3:10.7.7")


def friends_routed(battle: Battle, routed: Unit) -> Script[None]:
    """wfb3:10.7.5  A friend within 12" is routed in close combat: +1 for units four times as strong."""
    friends = [*battle.friends(routed), *(u for u in sections.inside(battle, routed.seat) if u is not routed)]
    near = [u for u in friends if battle.within(u, routed, ROUT_NEAR)]
    for unit in near:
        strong = battle.size(unit) >= 4 * max(1, battle.size(routed))
        yield from test(battle, unit, "wfb3:10.7.5", routed, plus=1 if strong else 0)


def burst_through(battle: Battle, unit: Unit, routers: Unit) -> Script[None]:
    """wfb3:8.2-through  Routers run through a friendly unit: it tests, and if it stands it may not move for a while."""
    if unit.rout.routed or unit.kind == "character":
        return
    battle.tell("burst", "wfb3:8.2-through", (routers.id, unit.id))
    stood = yield from test(battle, unit, "wfb3:8.2-through", routers)
    if stood:
        own = battle.clock if unit.seat == battle.active else battle.clock + 1
        unit.march = unit.march.but(
            frozen=own if battle.phase in ("start", "movement") or own != battle.clock else own + 2,
            frozen_why="through",
        )
