"""t9a:21.B.d  Characters leave their unit: by charging, or by moving away."""

from __future__ import annotations

import msgspec

from grognard.games.t9a import carried_items
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.characters import joining
from grognard.games.t9a.forces import Effect, Model, Unit
from grognard.games.t9a.losses import closing_up
from grognard.games.t9a.units import seating
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block, Guest
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import heading
from grognard.kernel.state.records import declared

#: How what he takes along for the phase is keyed.
LEFT = "left:"


def alone(model: Model, pose: Pose) -> Block:
    """A single model of its own as a block: no troops, one guest."""
    base = model.profile.base
    hx, hy = heading(pose.facing)
    front = (pose.x + hx * base.half_length, pose.y + hy * base.half_length)
    return Block(front[0], front[1], pose.facing, 1, 0, base, (), (Guest(base),))


def may_leave(battle: Battle, unit: Unit, model: Model, *, afresh: bool = False) -> Refusal | None:
    """t9a:21.B.d, t9a:21.A.b.38
    Why a Character may not leave its unit now; `afresh`, whatever has moved before (t9a:13.K.a). Who has come onto the
    table or rallied only counts as having moved, and may (t9a:21.A.b.12-limits, 21.A.b.40) (t9a:21.B.a)."""
    facts = {"unit": unit.id, "model": model.id}
    if model.role != "character" or battle.size(unit) < 2:
        return Refusal("refuse.leave.own", "t9a:21.B.a", facts)
    if battle.has(model.id, "attached"):
        return Refusal("refuse.leave.attached", "t9a:21.A.b.38", facts)
    if model.stuck:
        return Refusal("refuse.leave.hidden", "t9a:21.A.b.10", facts)
    done = unit.move.done and not afresh
    if battle.engaged(unit) or unit.nerve.fleeing or done or battle.has_shaken(unit):
        return Refusal("refuse.leave.now", "t9a:21.B.d", facts)
    return None


def separate(battle: Battle, unit: Unit, model: Model) -> Unit:
    """t9a:21.B.d, t9a:13.G.d.2-split
    The Character is a unit of its own, where it stood; its old unit (`home.left`) closes up (t9a:21.A.b.3-gap)."""
    if model.home == unit.id:
        unit = _handed_over(battle, unit, model)
    block = battle.block(unit)
    place = block.places[next(iter(battle.numbers(unit, model.id)))]
    home = battle.units[model.home]
    wants = {
        key: ("left" if g.post.value == "left" else "right" if g.post.value == "right" else (g.file, g.rank))
        for key, g in zip(unit.guests, block.guests, strict=True)
        if key != model.id
    }
    own = block.guests[unit.guests.index(model.id)]
    model.seat_left = own.post.value if own.post.value in ("left", "right") else (own.file, own.rank)
    unit.guests = tuple(g for g in unit.guests if g != model.id)
    for fallen in closing_up.drop_misfits(battle, unit):
        wants.pop(fallen, None)
    battle.cite("t9a:21.B.d", "t9a:21.A.b.3-gap")
    if unit.effects:
        battle.cite("t9a:13.G.d.2-split")
    model.effects = (*model.effects, *_takes_along(battle, unit, model))
    battle.put(unit, closing_up.closed_up(battle, unit, block, wants, closing_up.gaps(block, [own])))
    home.guests = (model.id,)
    home.troops = 0
    home.charge = home.charge.but(left=unit.id)
    home.move = home.move.but(march_failed=unit.move.march_failed)
    home.linger = unit.linger
    home.arrival = home.arrival.but(arrived=unit.arrival.arrived, edge=unit.arrival.edge)
    home.move = home.move.but(moved=model.moved, marched=model.marched, reformed=model.reformed, done=False)
    model.unit = home.id
    battle.put(home, alone(model, place.pose))
    battle.tell("character.left", "t9a:21.B.d", (model.id, unit.id))
    return home


def _takes_along(battle: Battle, unit: Unit, model: Model) -> list[Effect]:
    """t9a:21.B.d  What the banners of the unit he leaves do for him until the end of the phase."""
    flying = [*(e for e in unit.effects if e.key.startswith("banner:")), *carried_items.flown(battle, unit, model.id)]
    return [msgspec.structs.replace(e, key=f"{LEFT}{e.key}", until="phase") for e in flying]


#: What a company of Characters is like, whoever of them gives it its name, and what it remembers.
_SHARED = ("block", "guests", "effects", "linger", "no_charge", "counts_as", "reference")
_SHARED_FACTS = (
    "shaken", "shaken_phase", "arrived", "edge", "move_done", "moved", "marched", "reformed", "march_failed",
    "march_tested", "must_charge", "shot", "magic_moved", "hp_before", "hp_lost", "marker", "stood", "rallied",
    "engaged_earlier", "was_fleeing", "vanguarded", "scouted", "reformed_at", "scoring_lost", "scoring_gone",
    "panicked",
)  # fmt: skip


def _handed_over(battle: Battle, unit: Unit, model: Model) -> Unit:
    """t9a:21.B.d  A Character whom others joined leaves them: from now on they are the unit of the next of them."""
    heir = battle.units[next(m.home for m in battle.characters(unit) if m.id != model.id)]
    for name in _SHARED:
        setattr(heir, name, getattr(unit, name))
    for at in map(declared(Unit).__getitem__, _SHARED_FACTS):
        at.set(heir, at.of(unit))
    for other in battle.guests(unit):
        other.unit = heir.id
    heir.where = "table"
    unit.scoring = unit.scoring.but(marker="")
    unit.guests = ()
    battle.counters = tuple(
        msgspec.structs.replace(c, bearer=heir.id) if c.bearer == unit.id else c for c in battle.counters
    )
    battle.lift(unit, "joined")
    return heir


def rejoin(battle: Battle, home: Unit, unit: Unit, before: Block | None = None, guests: tuple[str, ...] = ()) -> None:
    """The Character is back in the unit it had not got away from, which stands as it did."""
    model = battle.models[home.guests[0]]
    model.effects = tuple(e for e in model.effects if not e.key.startswith(LEFT))
    joining.enter(battle, model, unit, {model.id: model.seat_left} if model.seat_left is not None else None)
    if before is not None:
        unit.guests = guests
        battle.put(unit, before)


def room_for(battle: Battle, unit: Unit, model: Model) -> bool:
    return seating.may_hold(battle, unit, model)
