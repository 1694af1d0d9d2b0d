"""t9a:21.B.d.1  A Character leaves his unit to charge, and stays with it where the charge fails close by."""

from __future__ import annotations

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.characters import leaving
from grognard.games.t9a.charge import charge_range, charge_targets
from grognard.games.t9a.forces import Model, Unit
from grognard.games.t9a.losses import closing_up
from grognard.games.t9a.table import ground
from grognard.games.t9a.table.ground import INCH
from grognard.games.t9a.units import seating
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Post
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.questions import Option


def charge_options(battle: Battle, unit: Unit, *, held: bool) -> tuple[list[Option], dict[str, Refusal]]:
    """t9a:21.B.d.1, t9a:21.A.b.15
    Charges a unit's Characters could declare on their own; sight and distance are theirs.
    Once one of them has, the others may not; nor may they where the whole unit must charge and can (`held`).
    """
    found: list[Option] = []
    barred: dict[str, Refusal] = {}
    if battle.size(unit) < 2:
        return found, barred
    busy = unit.charge.charging or unit.charge.done or unit.no_charge == battle.clock
    for model in battle.characters(unit):
        refusal = charge_targets.cannot_charge(battle, unit) if busy else leaving.may_leave(battle, unit, model)
        if refusal is None and held:
            refusal = Refusal("refuse.leave.frenzy", "t9a:21.A.b.15", {"unit": unit.id, "model": model.id})
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
    key = ("leaver", unit.id, model.id, tuple(u.id for u in battle.army(unit.seat) if u.charge.charging))

    def work() -> tuple[list[Option], dict[str, Refusal]]:
        trial = battle.copy()
        home = leaving.separate(trial, trial.units[unit.id], trial.models[model.id])
        refusal = charge_targets.cannot_charge(trial, home)
        if refusal is not None:
            return [], _none(battle, model, refusal)
        legal, why = charge_targets.targets(trial, home)
        who = f"leave:{home.id}" if home.id == unit.id else home.id
        made = [
            Option(
                f"{who}>{foe.id}{':fly' if flying else ''}",
                (who, foe.id, flying),
                "option.charge",
                (home.id, foe.id),
                {"flying": flying, "leaves": unit.id},
                (charge_range.note(trial, home, foe, flying),),
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
    home = leaving.separate(battle, old, model)
    battle.units[home.charge.left].no_charge = battle.clock
    battle.cite("t9a:21.B.d.1")
    return home


def after_failed(battle: Battle, unit: Unit) -> None:
    """t9a:21.B.d.1-failed  A Character within 1" of the unit it left after a failed charge stays in it, all Shaken."""
    old = battle.units.get(unit.charge.left)
    unit.charge = unit.charge.but(left="")
    if old is None or old.where != "table":
        return
    if gap(battle.block(unit).outline, battle.block(old).outline) <= INCH + 0.02:
        leaving.rejoin(battle, unit, old)
        _aside(battle, old)
        battle.shake(old)
        battle.tell("character.stayed", "t9a:21.B.d.1-failed", (unit.id, old.id))


def _aside(battle: Battle, unit: Unit) -> None:
    """t9a:21.B.d.1-failed, t9a:21.A.b.3-mismatch
    Where others stand in the place at a flank he left, he takes the other
    one.
    """
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
        stood = closing_up.at_corner(made, closing_up.corner(block), block.facing)
        if ground.standing(battle, unit, stood, spacing=0.0) is None:
            battle.put(unit, stood)
