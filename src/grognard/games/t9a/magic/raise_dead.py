"""t9a:13.K.c  Raising the dead: who comes back first, and where they stand."""

from __future__ import annotations

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Model, Unit
from grognard.games.t9a.losses import closing_up
from grognard.games.t9a.table import ground
from grognard.games.t9a.units import seating
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block, Post
from grognard.kernel.formation.sweeps import overlap
from grognard.kernel.geometry.units import TOUCH, heading
from grognard.kernel.questions import Pick, Script, option

#: Where the raised of a single rank may stand: behind it, or at one of its ends.
WAYS = {"second": "option.second-rank", "widen": "option.widen", "widen-left": "option.widen-left"}


@cites
def raise_dead(battle: Battle, unit: Unit, points: int) -> Script[None]:
    """t9a:13.K.c, t9a:13.K.c-state
    The Champion first, then Rank-and-File at the rear (t9a:13.K.c-place, t9a:21.C.a.3-resurrect).

    Ruling: a model may come back with the points that are left.
    """
    fallen = next((m for m in battle.models.values() if m.home == unit.id and m.role == "champion" and m.gone), None)
    each, room = unit.profile.hp, unit.muster.start_troops - unit.troops
    if unit.block is None or not (fallen is not None or (room > 0 and unit.muster.start_troops)):
        return
    way = "second"
    if unit.block.ranks == 1 and unit.troops:
        way = yield from _way(battle, unit)
    if fallen is not None:
        points = _champion_back(battle, unit, fallen, points, way)
    models = min(room, -(-points // each)) if room > 0 and unit.muster.start_troops else 0
    if not models:
        return
    placed = _grow(battle, unit, models, way)
    hp = min(points, placed * each)
    unit.lost = placed * each - hp if placed else unit.lost
    battle.tell("magic.raised", "t9a:13.K.c", (unit.id,), models=placed, hp=hp)
    battle.cite("t9a:13.K.c-place")
    yield from _command_back(battle, unit, placed)


def _way(battle: Battle, unit: Unit) -> Script[str]:
    """t9a:13.K.c-place  A single rank is made wider at an end, or declared complete (as it is if its owner does not
    mind); the man in whose place a Champion comes back goes there, too.
    """
    trial = battle.copy()
    other = trial.units[unit.id]
    other.troops += 1
    fits = {way: _placed(trial, other, battle.block(unit), way, 1) for way in WAYS}
    found = [option(way, text=text) for way, text in WAYS.items() if isinstance(fits[way], Block)]
    barred = {way: made for way, made in fits.items() if isinstance(made, Refusal)}
    rule = "t9a:13.K.c-place"
    picked = yield Pick(
        unit.seat, "raise.where", found, optional=True, aside=True, barred=barred, rule=rule, about=(unit.id,)
    )
    return picked or "second"


def _placed(battle: Battle, unit: Unit, before: Block, way: str, more: int) -> Block | Refusal | None:
    """t9a:13.K.c-place, t9a:4.C
    The unit with so many models more than the block it stood in, or why it cannot stand so:
    an inch from everything, but for whom it fights and whom it stood within an inch of already.
    """
    files = before.files + (0 if way == "second" else more)
    shift = files - before.files if way == "widen-left" else 0
    guests = unit.guests[len(unit.guests) - len(before.guests) :]
    wants: dict[str, seating.Want] = {
        key: (g.file + shift, g.rank) if g.post is Post.RANKS else g.post.value
        for key, g in zip(guests, before.guests, strict=True)
    }
    made = seating.shaped(battle, unit, min(files, seating.widest(battle, unit)), wants)
    if made is None:
        return None
    x, y = closing_up.corner(before)
    hx, hy = heading(before.facing)
    cell = (before.base.width + before.spacing) * shift
    block = closing_up.at_corner(made, (x - hy * cell, y + hx * cell), before.facing)
    foes = {f.id: battle.block(f).outline for f, _, _ in battle.foes(unit)}
    inside = next((key for key, foe in foes.items() if overlap(block.outline.shrunk(TOUCH), foe)), "")
    if inside:
        return Refusal("refuse.too-near", "t9a:13.K.c-place", {"unit": unit.id, "other": inside})
    refusal = ground.grown(battle, unit, block, ignoring=tuple(foes))
    return block if refusal is None else refusal.beside([Refusal(refusal.code, "t9a:13.K.c-place")])


def _grow(battle: Battle, unit: Unit, models: int, way: str) -> int:
    """As many of the models as find a legal place."""
    before, had = battle.block(unit), unit.troops
    for count in range(models, 0, -1):
        unit.troops = had + count
        block = _placed(battle, unit, before, way, count)
        if isinstance(block, Block):
            battle.put(unit, block)
            return count
    unit.troops = had
    return 0


@cites
def _champion_back(battle: Battle, unit: Unit, model: Model, points: int, way: str) -> int:
    """t9a:13.K.c-frontrank
    As far forward as possible; he cannot come back where the man he displaces finds no place. The points left
    (t9a:21.C.a.3-resurrect)."""
    before = battle.block(unit)
    unit.guests = (model.id, *unit.guests)
    block = _placed(battle, unit, before, way, 1)
    if not isinstance(block, Block):
        unit.guests = unit.guests[1:]
        return points
    model.gone = False
    model.hp = min(points, model.hp_start)
    unit.command = unit.command.but(champion=model.id)
    battle.put(unit, block)
    battle.tell("magic.raised", "t9a:21.C.a.3-resurrect", (model.id,), models=1, hp=model.hp)
    return points - model.hp


def _command_back(battle: Battle, unit: Unit, models: int) -> Script[None]:
    """t9a:13.K.c, t9a:13.K.c-state  Standard Bearer and Musician come back among the Rank-and-File, without what was
    destroyed.

    Ruling: their owner says which of the two is the first to come back.
    """
    who = tuple(unit.command.fallen)
    if len(who) > models > 0:
        picked = yield Pick(
            unit.seat,
            "raise.command",
            [option(name, text=f"option.{name}") for name in who],
            rule="t9a:13.K.c",
            about=(unit.id,),
        )
        who = (picked,)
    raised = who[:models]
    left = tuple(name for name in unit.command.fallen if name not in raised)
    unit.command = unit.command.but(**dict.fromkeys(raised, True), fallen=left)
