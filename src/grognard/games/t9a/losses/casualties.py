"""Chapter 16: Health Points lost, models removed, units destroyed."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.t9a import unit_class
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Loss, Model, Unit
from grognard.games.t9a.losses import psychology, regained_contact, removal
from grognard.games.t9a.rolls import mixed_pools
from grognard.games.t9a.scoring import objectives
from grognard.kernel.citing import cites
from grognard.kernel.formation.block import Block
from grognard.kernel.questions import Pick, Script, option


def lose(
    battle: Battle, losses: Sequence[Loss], *, cause: str = "", panic: bool = True, rule: str = "t9a:7.I"
) -> Script[dict[str, int]]:
    """t9a:7.I
    Chapter 16.A, chapter 16.B: Simultaneous losses: pools are lowered, then casualties removed, then Panic Tests taken.

    Returns the Health Points each unit really lost; excess is ignored (t9a:16.A.d).
    """
    taken: dict[str, int] = {}
    wasted: dict[str, int] = {}
    by: dict[str, str] = {}
    for loss in losses:
        if loss.pool in battle.models and battle.models[loss.pool].gone:
            wasted[loss.pool] = wasted.get(loss.pool, 0) + loss.amount
            continue
        taken[loss.pool] = taken.get(loss.pool, 0) + loss.amount
        if loss.by:
            by[battle.pool_unit(loss.pool).id] = loss.by
    units: dict[str, int] = {}
    stood: dict[str, Block | None] = {}
    was_engaged: dict[str, bool] = {}
    for pool in taken:
        unit = battle.pool_unit(pool)
        units.setdefault(unit.id, 0)
        stood.setdefault(unit.id, unit.block)
        was_engaged.setdefault(unit.id, battle.engaged(unit))
    dead: dict[str, tuple[int, list[str]]] = {key: (0, []) for key in units}
    for pool in (yield from _whose_excess(battle, taken)):
        unit, amount = battle.pool_unit(pool), taken[pool]
        lost, killed, fallen, excess = _lower(battle, unit, pool, amount)
        units[unit.id] += lost
        wasted[pool] = wasted.get(pool, 0) + excess
        troops, guests = dead[unit.id]
        dead[unit.id] = (troops + killed, [*guests, *fallen])
    destroyed: list[tuple[Unit, Block]] = []
    gaps: list[removal.Gap] = []
    for key, (troops, guests) in dead.items():
        unit = battle.units[key]
        block = stood[key]
        gap = removal.remove(battle, unit, troops, guests) if troops or guests else None
        gaps += [gap] if gap is not None else []
        if units[key]:
            battle.tell("losses", rule, (key,), hp=units[key], models=troops + len(guests), left=battle.hp(unit))
        if not was_engaged[key]:
            unit.this_phase = unit.this_phase.but(hp_lost=unit.this_phase.hp_lost + (units[key]))
        if battle.size(unit) == 0 and block is not None:
            destroyed.append((unit, block))
            destroy(battle, unit, "t9a:16.B.d")
    for gap in gaps:
        yield from removal.close_up(battle, gap)
    yield from unit_class.settle(battle, [battle.units[gap.unit] for gap in gaps])
    _note_overkill(battle, wasted)
    if destroyed:
        yield from _drops(battle)
    if any(was_engaged.values()):
        yield from regained_contact.restore(battle, list(units), [key for key, hp in units.items() if hp])
    if panic:
        yield from psychology.after_losses(
            battle, [battle.units[k] for k in units if not was_engaged[k]], destroyed, by, cause
        )
    return units


def _whose_excess(battle: Battle, taken: dict[str, int]) -> Script[list[str]]:
    """t9a:16.A.d  The order in which pools are lowered: what comes last is the excess.

    Where a duelling Champion falls to his foe's blows and to what was too much for his men at once, the owner of the
    attackers says which of them were in excess; only his foe's count as Overkill (t9a:15.E.d).
    """
    order = list(taken)
    for model in [battle.models[p] for p in taken if p in battle.models]:
        unit = battle.pool_unit(model.id)
        if model.id != unit.command.champion or not model.duel.foe or unit.id not in taken:
            continue
        spill = taken[unit.id] - (unit.troops * unit.profile.hp - unit.lost)
        if spill <= 0 or spill + taken[model.id] <= model.hp:
            continue
        whose = yield Pick(
            battle.models[model.duel.foe].seat,
            "excess.whose",
            [option("duel", text="option.excess-duel"), option("others", text="option.excess-others")],
            rule="t9a:16.A.d",
            about=(model.id,),
        )
        order.remove(unit.id)
        order.insert(order.index(model.id) + (whose == "others"), unit.id)
    return order


def _note_overkill(battle: Battle, wasted: dict[str, int]) -> None:
    """t9a:15.E.d  Excess wounds on a duellist are remembered for the Combat Score."""
    for pool, excess in wasted.items():
        if excess > 0 and pool in battle.models:
            model = battle.models[pool]
            if model.duel.foe:
                foe = battle.models[model.duel.foe]
                foe.duel = foe.duel.but(overkill=foe.duel.overkill + excess)
                battle.cite("t9a:15.E.d")


def _lower(battle: Battle, unit: Unit, pool: str, amount: int) -> tuple[int, int, list[str], int]:
    """Health Points lost, troops killed, models with own pools killed, and what was in excess
    (t9a:16.A.a-excess-champion,
    t9a:16.A.b, t9a:16.A.c, t9a:21.C.e-champion)."""
    if pool in battle.models:
        model = battle.models[pool]
        battle.cite("t9a:16.A.b" if model.role == "champion" else "t9a:16.A.c", "t9a:3.B.d")
        if model.role == "champion" and (conclave := battle.has(pool, "wizard-conclave")):
            battle.cite(conclave)
        lost = min(amount, model.hp)
        model.hp -= lost
        fallen = [pool] if model.hp == 0 and lost else []
        if model.role == "extra":
            more, others = _same_kind(battle, unit, model, amount - lost)
            lost, fallen = lost + more, [*fallen, *others]
        if amount > lost:
            battle.cite("t9a:16.A.d")
        if model.hp == 0:
            battle.cite("t9a:16.A.e")
        return lost, 0, fallen, amount - lost
    battle.cite("t9a:16.A.a", "t9a:3.B.d")
    each = unit.profile.hp
    left = unit.troops * each - unit.lost
    lost = min(amount, left)
    killed, unit.lost = divmod(unit.lost + lost, each)
    fallen = []
    excess = amount - lost
    if excess:
        more, fallen = mixed_pools.spill(battle, unit, excess)
        lost, excess = lost + more, excess - more
    if excess and unit.command.champion:
        champion = battle.models[unit.command.champion]
        battle.cite("t9a:16.A.a-excess-champion", "t9a:21.C.e-champion", "t9a:16.A.b")
        more = min(excess, champion.hp)
        champion.hp -= more
        lost, excess = lost + more, excess - more
        if champion.hp == 0:
            fallen.append(champion.id)
    if excess:
        battle.cite("t9a:16.A.d")
    if killed >= unit.troops:
        battle.cite("t9a:16.A.e")
    return lost, killed, fallen, excess


def _same_kind(battle: Battle, unit: Unit, model: Model, excess: int) -> tuple[int, list[str]]:
    """t9a:16.A.a-mixed  Rank-and-File of another Type or Size share one pool: what is too much for one falls on the
    next of its kind.
    """
    kin = [
        m
        for m in battle.guests(unit)
        if m.role == "extra" and (m.profile.type, m.profile.size) == (model.profile.type, model.profile.size)
    ]
    if unit.troops or len(kin) < battle.size(unit):
        battle.cite("t9a:16.A.a-mixed")
    lost, fallen = 0, []
    for other in kin:
        take = min(excess - lost, other.hp) if other.id != model.id else 0
        if take:
            other.hp -= take
            lost += take
            fallen += [other.id] if other.hp == 0 else []
    return lost, fallen


def destroy(battle: Battle, unit: Unit, rule: str) -> None:
    """A unit leaves the game: destroyed for Victory Points (t9a:18.A-destroyed), its marker dropped later."""
    stood = unit.block
    for other in battle.units.values():
        if stood is not None and any(a.target == unit.id and a.primary for a in other.charge.aims):
            other.charge = other.charge.but(goal=stood.centre)  # t9a:11.E.j-wheel
    for model in battle.guests(unit):
        fall(battle, unit, model.id)
    battle.disengage(unit)
    unit.guests = ()
    unit.troops = 0
    unit.command = unit.command.but(champion="")
    unit.nerve = unit.nerve.but(fleeing=False)
    unit.charge = unit.charge.but(charging=False)
    battle.lift(unit, "gone")
    battle.tell("unit.destroyed", rule, (unit.id,))
    objectives.unit_lost(battle, unit, stood)


def fall(battle: Battle, unit: Unit, key: str) -> None:
    """A model with its own pool leaves the game; its own unit with it."""
    model = battle.models[key]
    model.gone = True
    model.hp = 0
    if model.role == "character" and model.home != unit.id:
        home = battle.units[model.home]
        home.where = "gone"
        home.guests = ()
        battle.tell("unit.destroyed", "t9a:16.A.c", (home.id,))
    end_effects(battle, key)


def end_effects(battle: Battle, key: str) -> None:
    """t9a:16.B.f  What a removed model did for others ends with it; spells stay (t9a:13.G.d)."""
    source = f"bearer:{key}"
    for thing in battle.bearers():
        if any(e.key == source for e in thing.effects):
            battle.cite("t9a:16.B.f")
            thing.effects = tuple(e for e in thing.effects if e.key != source)


def _drops(battle: Battle) -> Script[None]:
    """t9a:9.E.3-drop  Markers of destroyed carriers are placed at once."""
    yield from objectives.drops(battle)


@cites
def remove_unit(battle: Battle, unit: Unit, rule: str, *, panic: bool = True) -> Script[None]:
    """t9a:16.A.e  A whole unit removed as a casualty, however many Health Points it had."""
    block = unit.block
    destroy(battle, unit, rule)
    yield from _drops(battle)
    if panic and block is not None:
        yield from psychology.after_losses(battle, [], [(unit, block)], {}, "")


def remove_model(battle: Battle, pool: str, rule: str) -> Script[None]:
    """A model with its own pool removed as a casualty without saves."""
    model = battle.models[pool]
    yield from lose(battle, [Loss(pool, model.hp)], rule=rule)
