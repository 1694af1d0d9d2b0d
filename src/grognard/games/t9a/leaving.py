"""t9a:21.B.d  Characters leave their unit: by charging, or by moving away."""

from __future__ import annotations

import msgspec

from grognard.games.t9a import bearing, removal, seating
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Effect, Model, Unit
from grognard.games.t9a.ground import INCH
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block, Guest, Post
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import heading
from grognard.kernel.questions import Option

#: How what he takes along for the phase is keyed.
LEFT = "left:"


def alone(model: Model, pose: Pose) -> Block:
    """A single model of its own as a block: no troops, one guest."""
    base = model.profile.base
    hx, hy = heading(pose.facing)
    front = (pose.x + hx * base.half_length, pose.y + hy * base.half_length)
    return Block(front[0], front[1], pose.facing, 1, 0, base, (), (Guest(base),))


def may_leave(battle: Battle, unit: Unit, model: Model, *, afresh: bool = False) -> Refusal | None:
    """t9a:21.B.d, 21.A.b.38  Why a Character may not leave its unit now; `afresh`, whatever has moved before
    (t9a:13.K.a).
    """
    facts = {"unit": unit.id, "model": model.id}
    if model.role != "character" or battle.size(unit) < 2:
        return Refusal("refuse.leave.own", "t9a:21.B.a", facts)
    if battle.has(model.id, "attached"):
        return Refusal("refuse.leave.attached", "t9a:21.A.b.38", facts)
    if model.stuck:
        return Refusal("refuse.leave.hidden", "t9a:21.A.b.10", facts)
    done = (unit.move_done or model.moved) and not afresh
    if battle.engaged(unit) or unit.fleeing or done or battle.has_shaken(unit):
        return Refusal("refuse.leave.now", "t9a:21.B.d", facts)
    return None


def separate(battle: Battle, unit: Unit, model: Model) -> Unit:
    """t9a:21.B.d, 13.G.d.2-split  The Character is a unit of its own, where it stood; its old unit (`home.left`)
    closes up.
    """
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
    for fallen in removal.drop_misfits(battle, unit):
        wants.pop(fallen, None)
    battle.cite("t9a:21.B.d", "t9a:21.A.b.3-gap")
    if unit.effects:
        battle.cite("t9a:13.G.d.2-split")
    model.effects = (*model.effects, *_takes_along(battle, unit, model))
    battle.put(unit, removal.closed_up(battle, unit, block, wants, removal.gaps(block, [own])))
    home.guests = (model.id,)
    home.troops = 0
    home.left = unit.id
    home.march_failed = unit.march_failed
    home.linger, home.arrived, home.edge = unit.linger, unit.arrived, unit.edge
    home.moved = home.marched = home.reformed = False
    home.move_done = False
    model.unit = home.id
    battle.put(home, alone(model, place.pose))
    battle.tell("character.left", "t9a:21.B.d", (model.id, unit.id))
    return home


def _takes_along(battle: Battle, unit: Unit, model: Model) -> list[Effect]:
    """t9a:21.B.d  What the banners of the unit he leaves do for him until the end of the phase."""
    flying = [*(e for e in unit.effects if e.key.startswith("banner:")), *bearing.flown(battle, unit, model.id)]
    return [msgspec.structs.replace(e, key=f"{LEFT}{e.key}", until="phase") for e in flying]


#: What a company of Characters is like, whoever of them gives it its name.
_SHARED = (
    "block", "guests", "effects", "shaken", "shaken_phase", "linger", "arrived", "edge", "move_done", "moved",
    "marched", "reformed", "march_failed", "march_tested", "no_charge", "must_charge", "shot", "magic_moved",
    "hp_before", "hp_lost", "marker", "stood", "rallied", "engaged_earlier", "was_fleeing", "vanguarded", "scouted",
    "reformed_at", "scoring_lost", "scoring_gone", "panicked", "counts_as", "reference",
)  # fmt: skip


def _handed_over(battle: Battle, unit: Unit, model: Model) -> Unit:
    """t9a:21.B.d  A Character whom others joined leaves them: from now on they are the unit of the next of them."""
    heir = battle.units[next(m.home for m in battle.characters(unit) if m.id != model.id)]
    for name in _SHARED:
        setattr(heir, name, getattr(unit, name))
    for other in battle.guests(unit):
        other.unit = heir.id
    heir.where, unit.marker, unit.guests = "table", "", ()
    battle.counters = tuple(
        msgspec.structs.replace(c, bearer=heir.id) if c.bearer == unit.id else c for c in battle.counters
    )
    battle.lift(unit, "joined")
    return heir


def rejoin(battle: Battle, home: Unit, unit: Unit, before: Block | None = None, guests: tuple[str, ...] = ()) -> None:
    """The Character is back in the unit it had not got away from, which stands as it did."""
    from grognard.games.t9a import joining

    model = battle.models[home.guests[0]]
    model.effects = tuple(e for e in model.effects if not e.key.startswith(LEFT))
    joining.enter(battle, model, unit, {model.id: model.seat_left} if model.seat_left is not None else None)
    if before is not None:
        unit.guests = guests
        battle.put(unit, before)


def charge_options(battle: Battle, unit: Unit) -> tuple[list[Option], dict[str, Refusal]]:
    """t9a:21.B.d.1  Charges a unit's Characters could declare on their own; sight and distance are theirs. Once one
    of them has, the others may not.
    """
    from grognard.games.t9a import declaring

    found: list[Option] = []
    barred: dict[str, Refusal] = {}
    if battle.size(unit) < 2:
        return found, barred
    busy = unit.charging or unit.charge_done or unit.no_charge == battle.clock
    for model in battle.characters(unit):
        refusal = declaring.cannot_charge(battle, unit) if busy else may_leave(battle, unit, model)
        if refusal is not None:
            barred |= _none(battle, model, refusal)
            continue
        made, why = _options_of(battle, unit, model)
        found += made
        barred |= why
    return found, barred


def _none(battle: Battle, model: Model, refusal: Refusal) -> dict[str, Refusal]:
    """Why a Character may charge nobody out of his unit."""
    if model.home == model.unit:
        return {}
    return {f"{model.home}>{foe.id}": refusal for foe in battle.enemies(model.seat)}


def _options_of(battle: Battle, unit: Unit, model: Model) -> tuple[list[Option], dict[str, Refusal]]:
    key = ("leaver", unit.id, model.id, tuple(u.id for u in battle.army(unit.seat) if u.charging))

    def work() -> tuple[list[Option], dict[str, Refusal]]:
        from grognard.games.t9a import charge_dice
        from grognard.games.t9a.declaring import cannot_charge, targets

        trial = battle.copy()
        home = separate(trial, trial.units[unit.id], trial.models[model.id])
        refusal = cannot_charge(trial, home)
        if refusal is not None:
            return [], _none(battle, model, refusal)
        legal, why = targets(trial, home)
        who = f"leave:{home.id}" if home.id == unit.id else home.id
        made = [
            Option(
                f"{who}>{foe.id}{':fly' if flying else ''}",
                (who, foe.id, flying),
                "option.charge",
                (home.id, foe.id),
                {"flying": flying, "leaves": unit.id},
                (charge_dice.note(trial, home, foe, flying),),
            )
            for foe, flying in legal
        ]
        return made, {} if home.id == unit.id else why

    found: tuple[list[Option], dict[str, Refusal]] = battle.remember(key, work)
    return found


def detached(battle: Battle, unit_id: str) -> Unit:
    """The unit that charges; a Character in a unit leaves it now (t9a:21.B.d.1), also one whom others joined."""
    home_id = unit_id.removeprefix("leave:")
    unit = battle.units[home_id]
    if unit.where != "joined" and home_id == unit_id:
        return unit
    model = next(m for m in battle.models.values() if m.home == home_id and m.role == "character")
    old = battle.unit_of(model)
    home = separate(battle, old, model)
    battle.units[home.left].no_charge = battle.clock
    battle.cite("t9a:21.B.d.1")
    return home


def after_failed(battle: Battle, unit: Unit) -> None:
    """t9a:21.B.d.1-failed  A Character within 1" of the unit it left after a failed charge stays in it, all Shaken."""
    old = battle.units.get(unit.left)
    unit.left = ""
    if old is None or old.where != "table":
        return
    if gap(battle.block(unit).outline, battle.block(old).outline) <= INCH + 0.02:
        rejoin(battle, unit, old)
        _aside(battle, old)
        battle.shake(old)
        battle.tell("character.stayed", "t9a:21.B.d.1-failed", (unit.id, old.id))


def _aside(battle: Battle, unit: Unit) -> None:
    """t9a:21.B.d.1-failed, 21.A.b.3-mismatch  Where others stand in the place at a flank he left, he takes the other
    one.
    """
    from grognard.games.t9a import ground

    block = battle.block(unit)
    if (
        not block.guests
        or block.guests[-1].post is Post.RANKS
        or ground.standing(battle, unit, block, spacing=0.0) is None
    ):
        return
    want = "right" if block.guests[-1].post is Post.LEFT else "left"
    made = seating.shaped(battle, unit, block.files, {unit.guests[-1]: want})
    if made is not None:
        stood = removal.at_corner(made, removal.corner(block), block.facing)
        if ground.standing(battle, unit, stood, spacing=0.0) is None:
            battle.put(unit, stood)


def room_for(battle: Battle, unit: Unit, model: Model) -> bool:
    return seating.may_hold(battle, unit, model)
