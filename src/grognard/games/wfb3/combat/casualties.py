"""wfb3:6.3-wounds  Wounds taken, models removed, ranks closed up."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import buildings
from grognard.games.wfb3.characters import altars, army_standards
from grognard.games.wfb3.combat import sourceless_hits
from grognard.games.wfb3.forces import Engagement, Model, Unit
from grognard.games.wfb3.monsters import death_throes
from grognard.games.wfb3.movement import mixed
from grognard.games.wfb3.records import NEVER
from grognard.games.wfb3.table import contacts, layouts, levies, seating, split_units
from grognard.games.wfb3.troops import assassins
from grognard.kernel.formation.block import Block, Post, single
from grognard.kernel.formation.changes import refiled, without_troops
from grognard.kernel.questions import Option, Pick, Script

#: Who is taken off last.
LAST = {"": 0, "were": 0, "musician": 1, "standard": 2, "leader": 3, "handler": 4}


def hurt(battle: Battle, unit: Unit, wounds: int, rule: str, *, melee: bool = False) -> Script[int]:
    """wfb3:6.3-wounds  Wounds on the ordinary models: whole models first, the rest is noted; how many counted.

    Wounds beyond what the unit has left do not count (wfb3:7.12-score).
    """
    if unit.kind in ("monster", "chariot"):
        return (yield from sourceless_hits.carried(battle, unit, wounds, rule))
    troops = [m for m in battle.ordinary(unit) if m.role != "handler"] or battle.ordinary(unit)
    if not troops or wounds <= 0:
        return 0
    each = troops[0].profile.W if unit.kind == "pack" else unit.profile.W
    if len(troops) == 1:
        unit.combat = unit.combat.but(hurt=max(unit.combat.hurt, each - troops[0].w))
    counted = min(wounds, len(troops) * each - unit.combat.hurt)
    total = unit.combat.hurt + wounds
    dead = min(len(troops), total // each)
    unit.combat = unit.combat.but(hurt=total - dead * each if dead < len(troops) else 0)
    if dead:
        yield from remove(battle, unit, dead, rule, melee=melee)
    elif len(troops) == 1:
        troops[0].w = each - unit.combat.hurt
    return counted


def wound_model(battle: Battle, model: Model, wounds: int, rule: str) -> Script[int]:
    """wfb3:11.2.2-melee, wfb3:14.6.7-melee  Wounds on one model struck by itself; how many counted."""
    if model.ride.car is not None:
        model.ride = model.ride.but(struck=model.ride.struck + wounds)
        return 0
    unit = battle.units[model.unit]
    alone = unit.kind not in ("monster", "character") and battle.ordinary(unit) == [model]
    if alone:
        model.w = min(model.w, model.profile.W - unit.combat.hurt)
    counted = min(wounds, model.w)
    model.w -= counted
    if alone:
        unit.combat = unit.combat.but(hurt=model.profile.W - model.w)
    if counted:
        model.ride = model.ride.but(
            taken=(battle.clock, counted + (model.ride.taken[1] if model.ride.taken[0] == battle.clock else 0))
        )
    if model.w <= 0 and counted:
        yield from kill(battle, model, rule)
    return counted


def shot_down(battle: Battle, unit: Unit, before: int) -> int:
    """wfb3:8.1-shooting  How many of so many models a unit has lost to missiles just now; they count for its test.

    Ruling: beasts and cars that are no longer with their unit are lost to it, dead or out of hand.
    """
    lost = max(0, before - battle.size(unit))
    unit.shooting = unit.shooting.but(missile_losses=unit.shooting.missile_losses + lost)
    return lost


def kill(battle: Battle, model: Model, rule: str) -> Script[None]:
    """One particular model is removed."""
    unit = battle.units[model.unit]
    if model.ride.aboard:
        yield from death_throes.crewman(battle, model, rule)
        return
    spot = battle.pose(model)
    stood = {m.id: battle.pose(m) for m in battle.members(unit)} if unit.kind == "monster" else {}
    battle.tell("killed", rule, (model.id,), unit=unit.id, role=model.role)
    _drop(battle, unit, [model])
    if unit.kind == "altar":
        yield from altars.destroyed(battle, unit)
    if unit.kind == "monster":
        yield from death_throes.monster(battle, unit, model, spot, stood)


def remove(battle: Battle, unit: Unit, dead: int, rule: str, *, melee: bool) -> Script[None]:
    """wfb3:6.6-casualties, wfb3:7.11-casualties, wfb3:6.6-riders
    The owner takes losses from the rear rank, or whole files off a flank."""
    troops = sorted(
        battle.ordinary(unit),
        key=lambda m: (LAST.get(m.role, 0), m.role == "handler" and m.id == unit.leader, bool(m.trophy)),
    )
    if unit.where == "building":
        battle.tell("losses", rule, (unit.id,), dead=dead, left=battle.size(unit) - dead)
        _drop(battle, unit, buildings.fighting_first(battle, unit, troops)[:dead])
        return
    lost = troops[:dead]
    narrowed = None if melee else (yield from _whence(battle, unit, battle.block_of(unit), dead, "wfb3:6.6-casualties"))
    battle.cite("wfb3:7.11-casualties" if melee else "wfb3:6.6-casualties")
    if battle.mounted(unit):
        battle.cite("wfb3:6.6-riders")
    battle.tell("losses", rule, (unit.id,), dead=dead, left=battle.size(unit) - dead)
    _drop(battle, unit, lost, narrowed)


def note_gaps(battle: Battle, before: Mapping[str, Block]) -> None:
    """wfb3:7.11-casualties  After a round: who fell in it, for their owner may fill the gaps from a flank instead."""
    for key, block in before.items():
        unit = battle.units[key]
        if unit.block is not None and unit.block.files == block.files:
            unit.combat = unit.combat.but(gaps=(battle.clock, block.files, block.troops - unit.block.troops))


def close_ranks(battle: Battle) -> Script[None]:
    """wfb3:7.11-casualties  When all is fought the gaps are filled from the rear or from a flank, as their owner likes.

    Ruling: losses come from the rear while blows fall; this is asked of whoever still stands as he did.
    """
    for unit in battle.here():
        when, files, dead = unit.combat.gaps
        unit.combat = unit.combat.but(gaps=(NEVER, 0, 0))
        block = battle.block_of(unit)
        if when != battle.clock or block.files != files or unit.rout.pursuing or unit.combat.disordered:
            continue
        whole = msgspec.structs.replace(block, troops=block.troops + dead, rear=())
        narrowed = yield from _whence(battle, unit, whole, dead, "wfb3:7.11-casualties")
        if narrowed is not None:
            unit.block = levies.squared(battle, unit, narrowed)
            seating.swap_in(battle, unit)


def _whence(battle: Battle, unit: Unit, block: Block, dead: int, rule: str) -> Script[Block | None]:
    """wfb3:6.6-casualties  The block without losses its owner takes off a flank; None where they come from the rear.

    Ruling: losses come all from the rear or all from one flank, and never so that contact with an enemy is lost.
    """
    files = _flank_files(block, dead)
    if not files or unit.rout.routed or unit.drill.mixed or block.guests or block.seats:
        return None
    made = {
        side: msgspec.structs.replace(refiled(block, *ends), troops=block.troops - dead)
        for side, ends in (("left", (-files, 0)), ("right", (0, -files)))
    }
    options = [Option(s, b, f"option.losses.{s}") for s, b in made.items() if contacts.keeps(battle, unit, b)]
    if not options:
        return None
    options.insert(0, Option("rear", None, "option.losses.rear"))
    chosen: Block | None = yield Pick(
        unit.seat, "losses.from", options, optional=True, nay="rear", rule=rule, about=(unit.id,), data={"dead": dead}
    )
    return chosen


def _flank_files(block: Block, dead: int) -> int:
    """wfb3:6.6-casualties  How many whole files at one flank so many losses are, 0 where they are none."""
    full, over = divmod(block.troops, block.files)
    if block.ranks < 2 or not full or dead <= 0 or dead % full or dead >= block.troops:
        return 0
    files = dead // full
    if over and files > (block.files - over) // 2:
        return 0
    return files if block.files - files >= 2 else 0


def _drop(battle: Battle, unit: Unit, lost: list[Model], shape: Block | None = None) -> None:
    """Models leave the unit and the table; the others close up where they stand."""
    gone = {m.id for m in lost}
    own, _ = seating.split(battle, unit)
    for model in lost:
        model.alive = False
        battle.lift(model)
        if model.id == unit.leader:
            old = next((m for m in battle.ordinary(unit) if m.role == "leader" and m.id not in gone), None)
            unit.leader = old.id if old is not None else ""
            battle.cite("wfb3:11.1.3-leaderless" if old is None else "wfb3:14.6.5-take-command")
        army_standards.fallen(battle, model, unit)
        if model.role == "standard" and unit.standards.banner == "held":
            unit.standards = unit.standards.but(banner="dropped")
        if model.trophy:
            unit.standards = unit.standards.but(let_fall=(*unit.standards.let_fall, model.trophy))
            model.trophy = ""
    unit.models = tuple(m for m in unit.models if m not in gone)
    for model in lost:
        model.unit = model.home
        home = battle.units[model.home]
        if home.id != unit.id:
            home.where = home.where if home.models else "destroyed"
    battle.version += 1
    _succeed(battle, unit)
    if not unit.models:
        spot = unit.block.places[0].pose if unit.block is not None else None
        battle.remove(unit, "destroyed")
        battle.tell("destroyed", "wfb3:6.3-wounds", (unit.id,))
        assassins.exposed(battle, unit, spot)
        return
    if unit.where == "building":
        split_units.forget(battle, unit)
        return
    if not battle.ordinary(unit) and unit.kind != "character":
        _survivors(battle, unit)
        return
    assassins.losses(battle, unit)
    block = shape or _closed(battle, unit, [m for m in own if m.id in gone])
    unit.block = levies.squared(battle, unit, block)
    seating.swap_in(battle, unit)
    if unit.drill.mixed:
        mixed.close_up(battle, unit)


def _succeed(battle: Battle, unit: Unit) -> None:
    """wfb3:15.1-pack-tests  The next handler leads a pack whose leader has fallen."""
    masters = [m for m in battle.members(unit) if m.role == "handler"]
    if unit.kind == "pack" and not unit.leader and masters:
        unit.leader = masters[0].id
        battle.tell("pack.leader", "wfb3:15.1-pack-tests", (unit.id, unit.leader))


def _closed(battle: Battle, unit: Unit, own_lost: list[Model]) -> Block:
    """The block without its losses: guests that fell leave their places, troops are taken from the rear."""
    block = battle.block_of(unit)
    if unit.drill.formation == "square" and unit.drill.mixed and len(block.seats) == block.troops > len(own_lost):
        seats = block.seats[: block.troops - len(own_lost)]
        return msgspec.structs.replace(block, troops=len(seats), seats=seats)
    if unit.drill.formation == "square" and block.seats and block.troops > len(own_lost):
        fewer = msgspec.structs.replace(block, troops=block.troops - len(own_lost), seats=(), box=0, files=1)
        return layouts.square(fewer, max(s.rank for s in block.seats) + 1).placed_by_centre(block.centre, block.facing)
    _, others = seating.split(battle, unit)
    if len(others) != len(block.guests):
        own, _ = seating.split(battle, unit)
        made = seating.guests(unit, others, block.files) or ()
        files = min(block.files, len(own) + sum(1 for g in made if g.post is Post.RANKS))
        return msgspec.structs.replace(block, guests=made, troops=len(own), files=max(1, files), rear=())
    left = block.troops - len(own_lost)
    if not block.guests and not block.seats and left < block.files:
        ends = _ends(battle, unit, block, block.files - left)
        return msgspec.structs.replace(refiled(block, *ends), troops=left)
    after = without_troops(block, len(own_lost))
    return after if after is not None else block


def _ends(battle: Battle, unit: Unit, block: Block, gone: int) -> tuple[int, int]:
    """wfb3:7.11-casualties  Which ends of a front rank that cannot be filled any more are given up.

    Ruling: those where nobody fights, towards whom the gaps are filled; else both alike, an odd one on the right.
    """
    fighting = sorted({block.places[n].file for n in contacts.engaged_numbers(battle, unit) if n < len(block.places)})
    free = [fighting[0], block.files - 1 - fighting[-1]] if fighting else [0, 0]
    left = right = 0
    for _ in range(gone):
        more = free[0] - left, free[1] - right
        if max(more) > 0:
            side = more[0] > more[1]
        else:
            side = left + 1 <= right if not fighting else left - free[0] + 1 <= right - free[1]
        left, right = (left + 1, right) if side else (left, right + 1)
    return -left, -right


def _inherit(home: Unit, unit: Unit) -> None:
    """wfb3:14.6.3-attach  What a character takes over from the unit that has died around him."""
    rout, combat = unit.rout, unit.combat
    home.rout = home.rout.but(
        routed=rout.routed, routed_at=rout.routed_at, flight=rout.flight, fresh_pursuit=rout.fresh_pursuit
    )
    home.charge = home.charge.but(charged=unit.charge.charged, bonus_lost=unit.charge.bonus_lost)
    home.combat = home.combat.but(
        won=combat.won, pushed=combat.pushed, followed=combat.followed, ever_pushed=combat.ever_pushed,
        rounds=combat.rounds, shaky=combat.shaky,
    )  # fmt: skip


def _survivors(battle: Battle, unit: Unit) -> None:
    """wfb3:14.6.3-attach  Characters whose unit has died around them stand alone.

    Ruling: they stay engaged with the enemies the unit fought, and go on with the round it fought.
    """
    poses = {m.id: battle.pose(m) for m in battle.members(unit)}
    for model in battle.members(unit):
        home = battle.units[model.home]
        model.unit, home.models = home.id, (model.id,)
        home.leader = model.id
        _inherit(home, unit)
        home.combat = home.combat.but(weapon=model.fight.weapon, one_hand=model.fight.one_hand)
        battle.form(home, single(seating.model_base(model), poses[model.id]))
    survivors = [battle.units[battle.models[m].home] for m in unit.models]
    fighting = [h for h in survivors if not h.rout.routed and (h.kind != "altar" or battle.house["altar"] != "book")]
    for engagement in battle.engagements:
        seen = engagement.of(unit.id)
        if seen is not None and battle.units[seen[0]].where == "table":
            foe, own, theirs = seen
            locked = (Engagement(home.id, own, foe, theirs, engagement.since) for home in fighting)
            battle.engagements = (*battle.engagements, *locked)
    for other in battle.enemies(unit):  # wfb3:8.3-free: who fought the unit has fought them
        when, counts = other.combat.fought
        more = tuple((h.id, n) for key, n in counts if key == unit.id for h in survivors)
        other.combat = other.combat.but(fought=(when, (*counts, *more)))
    if unit.id in battle.combats:
        battle.combats = (*battle.combats, *(h.id for h in survivors))
    unit.models = ()
    battle.remove(unit, "destroyed")
    battle.tell("destroyed", "wfb3:6.3-wounds", (unit.id,))


def losses_quarter(battle: Battle, unit: Unit) -> bool:
    """wfb3:7.13.5-test, wfb3:8.1-combat
    Whether a quarter of the original strength is gone; a lone hero has lost nobody."""
    start, left = split_units.muster(battle, unit)
    return 4 * (start - left) >= start
