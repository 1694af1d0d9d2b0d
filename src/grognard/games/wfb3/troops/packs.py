"""Chapter 15.1: beast packs: beasts in front, handlers behind, and what becomes of beasts without masters."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import casualties
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.movement import manoeuvres
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.rout import flight
from grognard.games.wfb3.table import ground, seating
from grognard.kernel.formation.sweeps import Shift
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Roll, Script


def handlers(battle: Battle, unit: Unit) -> list[Model]:
    return [m for m in battle.members(unit) if m.role == "handler"]


def beasts(battle: Battle, unit: Unit) -> list[Model]:
    return [m for m in battle.ordinary(unit) if m.role != "handler"]


def go_wild(battle: Battle) -> None:
    """wfb3:15.1-pack-wild  Masterless beasts go wild, but not before their fight and any pursuit are over."""
    for unit in battle.here():
        if unit.kind != "pack" or unit.troops.wild or unit.rout.routed or handlers(battle, unit):
            continue
        if battle.engaged(unit) or unit.rout.pursuing:
            continue
        unit.troops = unit.troops.but(wild=True)
        unit.combat = unit.combat.but(disordered=False)
        battle.tell("pack.wild", "wfb3:15.1-pack-wild", (unit.id,))


def roam(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:15.1-pack-wild  A full normal move straight for the nearest edge; those that leave do not come back."""
    unit.march = unit.march.but(done=True)
    block = battle.block_of(unit)
    direction = flight.to_edge(battle, unit)
    far = inches(float(stats.move(battle, unit).value))
    turned = block.placed_by_centre(block.centre, direction)
    things = [t for t in ground.things(battle, unit) if not t.name.endswith(" edge")]
    if any(t.name == ground.fits(battle, unit, turned) for t in things):
        turned = block
    walk = Walk(battle, unit, far, things, block=turned)
    walk.start = block
    walk.advance(far)
    if not battle.board.holds(walk.block.outline, Shift(0.0, 0.0)):
        battle.tell("pack.gone", "wfb3:15.1-pack-wild", (unit.id,))
        battle.remove(unit, "fled")
        return
    manoeuvres.settle(battle, unit, walk)
    battle.tell("unit.moved", "wfb3:15.1-pack-wild", (unit.id,), inches=round(walk.travelled / inches(1), 2),
                stopped=walk.stopped)  # fmt: skip
    yield from ()


def before_round(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:15.1-pack-combat  After the first round handlers may come forward and fight."""
    if unit.kind != "pack" or not handlers(battle, unit):
        return
    if unit.combat.rounds == 0:
        battle.cite("wfb3:15.1-pack-combat")
        return
    waiting = [m for m in handlers(battle, unit) if m.fight.back]
    if not waiting:
        return
    options = [Option("behind", False, "option.pack.behind"), Option("forward", True, "option.pack.forward")]
    rule = "wfb3:15.1-pack-combat"
    if (yield Pick(unit.seat, "pack.handlers", options, optional=True, nay="behind", rule=rule, about=(unit.id,))):
        for model in waiting:
            model.fight = model.fight.but(back=False)
        seating.swap_in(battle, unit)
        battle.tell("pack.forward", "wfb3:15.1-pack-combat", (unit.id,))


def fall_back(battle: Battle) -> None:
    """wfb3:15.1-pack-unit  Out of the fight the handlers stand behind their beasts again."""
    for unit in battle.here():
        if unit.kind == "pack" and not battle.engaged(unit) and any(not m.fight.back for m in handlers(battle, unit)):
            for model in handlers(battle, unit):
                model.fight = model.fight.but(back=True)
            seating.swap_in(battle, unit)


def share(battle: Battle, seat: str, unit: Unit, hits: int) -> Script[tuple[int, int]]:
    """wfb3:15.1-pack-shooting  Hits on beasts and on handlers, in proportion; awkward fractions go to the beasts."""
    men, animals = len(handlers(battle, unit)), len(beasts(battle, unit))
    if not men or not animals or not hits:
        return (hits, 0) if animals else (0, hits)
    low = 6 * men // (men + animals)
    sides, cut = (6, low) if low else (100, 100 * men // (men + animals))
    faces = yield Roll(
        seat, "pack.whom", sides, hits, rule="wfb3:15.1-pack-shooting", about=(unit.id,), cuts=(cut + 1,)
    )
    struck = sum(face <= cut for face in faces)
    return hits - struck, struck


def hurt_handlers(battle: Battle, unit: Unit, wounds: int, rule: str) -> Script[int]:
    """Wounds among the handlers: the last of them first, their leader at the end."""
    counted = 0
    for model in sorted(handlers(battle, unit), key=lambda m: (m.id == unit.leader, -unit.models.index(m.id))):
        if wounds > counted:
            counted += yield from casualties.wound_model(battle, model, wounds - counted, rule)
    return counted


def speed(battle: Battle, unit: Unit) -> float:
    """wfb3:15.1-pack-speed  Charging and pursuing, a pack is as fast as its beasts."""
    return unit.profile.M
