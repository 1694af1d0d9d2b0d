"""wfb3:10.7  Panic: when units test, and what becomes of those who fail."""

from __future__ import annotations

from grognard.games.wfb3 import fear, referee, rooms, rout, trials
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import PRESENT, Unit
from grognard.kernel.questions import Option, Pick, Script

#: wfb3:10.7.5, 10.7.1  Inches.
ROUT_NEAR, FLEEING_NEAR = 12, 4


def test(battle: Battle, unit: Unit, rule: str, cause: Unit | None = None, *, plus: int = 0) -> Script[bool]:
    """wfb3:10.7-test  2D6 against Cl; who fails routs at once. True where it stands.

    Ruling: one test a player turn for each cause.
    """
    key = f"{rule}:{cause.id if cause else ''}"
    if unit.where not in PRESENT or unit.routed or key in unit.panicked or fear.immune(battle, unit):
        return True
    unit.panicked = (*unit.panicked, key)
    battle.cite("wfb3:10.7-test")
    about = (cause.id,) if cause is not None else ()
    passed = yield from trials.cool(battle, unit, "panic", rule, about, plus=plus, why="wfb3:10.7.5")
    if passed:
        return True
    engaged = [foe.id for foe, _, _ in battle.foes(unit)]
    battle.tell("panicked", rule, (unit.id, *about))
    if unit.where == "building":
        from grognard.games.wfb3 import storming

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
    from grognard.games.wfb3 import indoors

    for unit in [*battle.army(battle.active), *rooms.inside(battle, battle.active)]:
        for friend in battle.friends(unit):
            if (
                friend.routed
                and not unit.routed
                and battle.within(unit, friend, FLEEING_NEAR)
                and indoors.sees(battle, unit, friend)
            ):
                yield from test(battle, unit, "wfb3:10.7.1", friend)
                break


def called_for(battle: Battle) -> Script[None]:
    """wfb3:10.7.7  A referee in person may call for a test; the book's own rulings never do."""
    while battle.house["referee"] == "person":
        options = [Option(u.id, u, about=(u.id,)) for u in battle.here() if not u.routed]
        unit = yield Pick(referee.SEAT, "referee.panic", options, optional=True, rule="wfb3:10.7.7", checkpoint=True)
        if unit is None:
            return
        unit.panicked = tuple(key for key in unit.panicked if not key.startswith("wfb3:10.7.7"))
        battle.cite("wfb3:1.1-gm")
        yield from test(battle, unit, "wfb3:10.7.7")


def friends_routed(battle: Battle, routed: Unit) -> Script[None]:
    """wfb3:10.7.5  A friend within 12" is routed in close combat: +1 for units four times as strong."""
    friends = [*battle.friends(routed), *(u for u in rooms.inside(battle, routed.seat) if u is not routed)]
    near = [u for u in friends if battle.within(u, routed, ROUT_NEAR)]
    for unit in near:
        strong = battle.size(unit) >= 4 * max(1, battle.size(routed))
        yield from test(battle, unit, "wfb3:10.7.5", routed, plus=1 if strong else 0)


def burst_through(battle: Battle, unit: Unit, routers: Unit) -> Script[None]:
    """wfb3:8.2-through  Routers run through a friendly unit: it tests, and if it stands it may not move for a while."""
    if unit.routed or unit.kind == "character":
        return
    battle.tell("burst", "wfb3:8.2-through", (routers.id, unit.id))
    stood = yield from test(battle, unit, "wfb3:8.2-through", routers)
    if stood:
        own = battle.clock if unit.seat == battle.active else battle.clock + 1
        unit.frozen, unit.frozen_why = (
            own if battle.phase in ("start", "movement") or own != battle.clock else own + 2,
            "through",
        )
