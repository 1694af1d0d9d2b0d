"""t9a:21.A.b.30  Random Movement: a Pursuit Move in a direction of the player's choice, a distance of the dice's."""

from __future__ import annotations

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.melee.pursuit import Chase, pursue, record_sides
from grognard.games.t9a.rolls import dice, distances, stats
from grognard.kernel.geometry.units import bearing
from grognard.kernel.questions import Note, Number, Pick, Script, option


def waiting(battle: Battle) -> list[Unit]:
    """Units that must move at random now; Shaken, fleeing and engaged ones do not."""
    found = []
    for unit in battle.army(battle.active):
        if unit.move.done or unit.nerve.fleeing or battle.engaged(unit) or not battle.any_has(unit, "random-movement"):
            continue
        if battle.is_shaken(unit):
            battle.cite("t9a:21.A.b.30-limits", "t9a:17.B")
        else:
            found.append(unit)
    return found


def phase(battle: Battle) -> Script[None]:
    """t9a:21.A.b.30  At the end of step 2 of the Movement Phase, in the player's order."""
    while units := waiting(battle):
        options = [option(u.id, u, about=(u.id,)) for u in units]
        unit = yield Pick(battle.active, "random.next", options, rule="t9a:21.A.b.30", checkpoint=True)
        yield from wander(battle, unit)


def wander(battle: Battle, unit: Unit) -> Script[None]:
    """The direction is chosen before the distance is rolled; no Dangerous Terrain unless it charges
    (t9a:21.A.b.30-charge)."""
    block = battle.block(unit)
    centres = {e.id: battle.block(e).centre for e in battle.enemies(unit.seat)}
    toward = {key: round(bearing(x - block.centre[0], y - block.centre[1])) for key, (x, y) in centres.items()}
    facing = yield Number(
        unit.seat,
        "random.direction",
        0,
        359,
        rule="t9a:21.A.b.30",
        about=(unit.id,),
        data={"toward": toward},
        notes=(Note("note.toward", {"toward": toward}, "t9a:21.A.b.30"),) if toward else (),
    )
    what = yield from distances.chosen_distance(battle, unit)
    swing = stats.swing(battle, unit, "Random Movement")
    distance, _ = yield from dice.roll(
        battle, unit.seat, "random.distance", what, "t9a:21.A.b.30", (unit.id,), swing=swing
    )
    unit.move = unit.move.but(done=True, moved=True)
    for model in battle.guests(unit):
        model.moved = True
    battle.cite("t9a:21.A.b.30-charge", "t9a:5.B.a-move")
    chase = Chase(battle, unit, float(facing), distance, sides=record_sides(battle, unit), may_leave=False, test=False)
    yield from pursue(chase)
