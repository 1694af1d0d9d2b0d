"""wfb3:18.6-death-crew  Models that leave their unit: beasts and cars out of hand, crews on foot."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.records import NEVER
from grognard.games.wfb3.table import crews, ground, seating
from grognard.kernel.formation.block import Block, single
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import TOUCH, heading, inches


def part(battle: Battle, unit: Unit, model: Model) -> Unit:
    """One beast, car or flyer of a unit goes its own way: a unit of its own, where it stands.

    Ruling: it stays engaged with the enemies it touches.
    """
    if len(unit.models) == 1:
        return unit
    pose, foes = battle.pose(model), battle.foes(unit)
    alone = unit.copy()
    alone.id = free_name(battle, f"{unit.id}-{model.id.rpartition('.')[2]}")
    alone.models = (model.id,)
    alone.start = 1
    alone.leader = model.id
    alone.standards = alone.standards.but(banner="")
    alone.character = alone.character.but(general=False)
    alone.shooting = alone.shooting.but(turn_strength=1, missile_losses=0)
    alone.charge = alone.charge.but(target="")
    unit.models = tuple(m for m in unit.models if m != model.id)
    if unit.leader == model.id:
        unit.leader = ""
    battle.units[alone.id] = alone
    for one in (model, *crews.aboard(battle, model)):
        if one.home == unit.id:
            one.home = alone.id
        one.unit = alone.id
    stood = [battle.pose(m) for m in battle.members(unit)]
    battle.form(alone, single(seating.model_base(model), pose))
    battle.form(unit, _closed(battle, unit, stood))
    for foe, own, theirs in foes:
        if foe.block is not None and gap(battle.block_of(alone).outline, foe.block.outline) <= TOUCH:
            battle.engage(alone, own, foe, theirs)
    return alone


def _closed(battle: Battle, unit: Unit, stood: Sequence[Pose]) -> Block:
    """Those who are left, about where they stood."""
    block = battle.block_of(unit)
    shape = seating.settle(battle, unit, min(block.files, len(unit.models)))
    middle = Pose(sum(p.x for p in stood) / len(stood), sum(p.y for p in stood) / len(stood), block.facing)
    return nearest(battle, unit, shape, middle)


def free_name(battle: Battle, wanted: str) -> str:
    key, number = wanted, 2
    while key in battle.units:
        key, number = f"{wanted}-{number}", number + 1
    return key


def on_foot(
    battle: Battle, carrier: Model, members: Sequence[Model], spot: Pose, rule: str, *, bound: bool
) -> Unit | None:
    """wfb3:18.6-death-crew, wfb3:20.8.5-on-foot  Members who have left beast or car stand by it, a unit of their own.

    Characters stand for themselves. Ruling: they stand where the beast or car is gone, else in the nearest free place
    beside it. `bound`: they may not move before their next turn.
    """
    unit = battle.units[carrier.unit]
    for member in members:
        if member.ride.aboard:
            crews.off(battle, carrier, member)
    made: Unit | None = None
    plain = [m for m in members if m.role != "character"]
    for member in members:
        if member.role == "character":
            stands(battle, _home(battle, unit, member), spot, bound=bound)
    if plain:
        made = _band(battle, unit, plain)
        stands(battle, made, spot, bound=bound)
    battle.tell("on-foot", rule, tuple(m.id for m in members), of=carrier.id)
    return made


def _home(battle: Battle, unit: Unit, member: Model) -> Unit:
    """The unit a character on foot is: his own; mustered with his mount, the same without it."""
    home = battle.units[member.home]
    if home is unit:
        home.profile, home.kit, home.mount, home.kind = member.profile, member.kit, None, "character"
        home.air = home.air.but(height=0, speed=0.0)
        home.combat = home.combat.but(weapon="")
        home.start = 1
    home.models, home.leader, member.unit = (member.id,), member.id, home.id
    home.where, home.block = "undeployed", None
    return home


def _band(battle: Battle, unit: Unit, plain: Sequence[Model]) -> Unit:
    """wfb3:18.6-death-crew  The crews of several beasts form one unit."""
    root = unit.id.partition("-")[0] if unit.id.partition("-")[0] in battle.units else unit.id
    key = f"{root}.crew"
    band = battle.units.get(key)
    first = plain[0]
    if band is None or band.where not in ("table", "attached"):
        band = Unit(key if band is None else free_name(battle, key), unit.seat, f"crew of {unit.name}", (),
                    first.profile, first.kit, None, "infantry", first.profile.points)  # fmt: skip
        band.start = 0
        battle.units[band.id] = band
    band.models = (*band.models, *(m.id for m in plain))
    band.start = max(band.start, len(band.models))
    band.leader = band.leader or first.id
    band.rout = band.rout.but(routed=unit.rout.routed, routed_at=unit.rout.routed_at)
    for member in plain:
        member.unit = member.home = band.id
        member.ride = member.ride.but(aboard="")
    return band


def stands(battle: Battle, unit: Unit, spot: Pose, *, bound: bool) -> None:
    """Put a unit down at a spot, or as near as there is room."""
    shape = seating.settle(battle, unit, seating.crowd(len(unit.models)))
    block = nearest(battle, unit, shape, spot)
    battle.form(unit, block)
    unit.march = unit.march.but(frozen=NEVER, frozen_why="")
    if bound:
        unit.march = unit.march.but(frozen=battle.clock + (1 if unit.seat == battle.active else 0), frozen_why="crew")


def nearest(battle: Battle, unit: Unit, shape: Block, spot: Pose) -> Block:
    """The free place nearest to a spot, looked for in widening rings."""
    first = shape.placed_by_centre((spot.x, spot.y), spot.facing)
    if not ground.fits(battle, unit, first):
        return first
    for ring in range(1, 60):
        for hour in range(12):
            hx, hy = heading(spot.facing + 30.0 * hour + 180.0)
            far = inches(0.25 * ring)
            block = shape.placed_by_centre((spot.x + hx * far, spot.y + hy * far), spot.facing)
            if not ground.fits(battle, unit, block):
                return block
    return first
