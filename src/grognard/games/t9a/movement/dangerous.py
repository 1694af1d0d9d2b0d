"""t9a:20.A.a  Dangerous Terrain Tests."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.t9a.army.profiles import DANGER
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses.attacks import Batch, Strike, resolve
from grognard.games.t9a.table import ground, terrain
from grognard.kernel.citing import cites
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Outline, piece_outline, rotate
from grognard.kernel.formation.sweeps import Motion, Shift, Spin, extent, first_contact, swept_gap
from grognard.kernel.geometry.units import TOUCH
from grognard.kernel.questions import Roll, Script


def legs(block: Block, path: Manoeuvre) -> list[tuple[Block, Motion]]:
    """The blocks and motions of a path; lifted steps count where they end."""
    found: list[tuple[Block, Motion]] = []
    for step, before, after in path.stages(block):
        motion = step.motion(before)
        found.append((after, Shift(0.0, 0.0)) if motion is None else (before, motion))
    return found


def touching(way: Sequence[tuple[Block, Motion]], outline: Outline) -> dict[int, None]:
    """The numbers of the models that touch an outline at any time of a move."""
    found: dict[int, None] = {}
    for block, motion in way:
        if swept_gap(block.outline, motion, outline) > TOUCH:
            continue
        for place in block.places:
            if place.number not in found and swept_gap(place.outline, motion, outline) <= TOUCH:
                found[place.number] = None
    return found


@cites
def degree(battle: Battle, unit: Unit, pool: str, kind: str, flying: bool) -> int:
    """t9a:19.A.b, t9a:19.A.c
    The X of Dangerous Terrain (X) for a model; 0 where it is safe (t9a:20.B.d, t9a:20.B.e, t9a:20.B.f, t9a:20.B.g)."""
    profile = battle.pool_profile(pool)
    for word, x in terrain.KINDS[kind].danger:
        on_foot = word == "foot" and profile.size == "Standard" and not profile.mounted
        if word in ("", profile.type) or on_foot or (word == "fly" and flying):
            return x
    return 0


def pass_over(
    battle: Battle,
    unit: Unit,
    way: Sequence[tuple[Block, Motion]],
    *,
    flying: bool = False,
    extra: Sequence[tuple[str, Outline]] = (),
    tested: Sequence[str] = (),
    stoppable: bool = False,
) -> Script[int]:
    """t9a:20.A.a-procedure  Test for every feature a move will touch, where it touches it; Health Points lost. The
    unit is back where it began, with its losses, unless it fled or (`stoppable`, a March) stopped.

    A flying unit meets only what it takes off from and lands in (t9a:21.A.b.52). `extra` are things Dangerous (3)
    to flee through (t9a:12.C-dangerous); features `tested` in this move already are left out (t9a:20.A.a-notes).
    """
    lost = 0
    if flying and way:
        first, (block, motion) = way[0][0], way[-1]
        end = block.on(block.boundary) if motion == Shift(0.0, 0.0) else _ended(block, motion)
        way = [(first, Shift(0.0, 0.0)), (end, Shift(0.0, 0.0))]
    sources = [
        (piece.id, piece.kind, piece_outline(piece))
        for piece in battle.table.pieces
        if terrain.KINDS[piece.kind].danger and piece.id not in tested
    ]
    found = []
    for number, (name, kind, outline) in enumerate([*sources, *((name, "", outline) for name, outline in extra)]):
        if (halt := _met(way, outline)) is not None:
            found.append((halt[0], halt[1], number, halt[2], name, kind, touching(way, outline)))
    for *_, stopped, name, kind, numbers in sorted(found, key=lambda f: f[:3]):
        if unit.where != "table" or unit.move.halted:
            break
        script = _feature(battle, unit, numbers, kind, name, flying) if kind else _foe(battle, unit, numbers, name)
        lost += yield from _interrupted(battle, unit, way[0][0], stopped, script, stoppable)
    return lost


def spare(battle: Battle, way: Sequence[tuple[Block, Motion]]) -> None:
    """t9a:20.A.a  Nobody tests in an Advance, whatever it touches."""
    pieces = [piece for piece in battle.table.pieces if terrain.KINDS[piece.kind].danger]
    if any(_met(way, piece_outline(piece)) is not None for piece in pieces):
        battle.cite("t9a:20.A.a")


def _met(way: Sequence[tuple[Block, Motion]], outline: Outline) -> tuple[int, float, Block] | None:
    """Where a move first touches an outline: on which leg, how far along it, and the block as it stands there."""
    for number, (block, motion) in enumerate(way):
        if swept_gap(block.outline, motion, outline) > TOUCH:
            continue
        at = first_contact(block.outline, motion, outline) or 0.0
        share = at / extent(motion) if at else 0.0
        if isinstance(motion, Shift):
            part: Motion = Shift(motion.dx * share, motion.dy * share)
        else:
            part = Spin(motion.pivot, motion.degrees * share)
        return number, at, _ended(block, part) if share else block
    return None


def _interrupted(
    battle: Battle, unit: Unit, start: Block, stopped: Block, tests: Script[int], stoppable: bool
) -> Script[int]:
    """t9a:20.A.a-procedure, t9a:20.A.a-notes
    The move stops where the source is met, all tests are taken there, and the
    move goes on, the middle of the front where it was to go; a March may end there.

    Ruling: whether it shall end where it loses Health Points is announced with the March.
    """
    fled, origin = unit.nerve.fleeing, battle.block(unit)
    battle.put(unit, _carried(origin, start, stopped))
    lost = yield from tests
    if unit.where != "table" or unit.nerve.fleeing != fled:
        return lost
    here = battle.block(unit)
    if lost and stoppable and ground.standing(battle, unit, here, linger=unit.linger) is None:
        unit.move = unit.move.but(halted=True)
        battle.tell("march.stopped", "t9a:20.A.a-procedure", (unit.id,))
        return lost
    battle.put(unit, here.placed(origin.front, origin.facing))
    return lost


def arrived(battle: Battle, unit: Unit, before: Block, path: Manoeuvre) -> Block:
    """t9a:20.A.a-procedure  Where a unit ends the move announced when it stood as `before`: whatever it lost, it faces
    that way and the middle of its front is where it would have been.
    """
    planned = Manoeuvre(path.steps).end(before)
    return path.end(battle.block(unit)).placed(planned.front, planned.facing)


def _carried(block: Block, before: Block, after: Block) -> Block:
    """A block moved as one was from before to after."""
    turn = after.facing - before.facing
    x, y = rotate((block.x, block.y), (before.x, before.y), turn)
    return block.placed((x + after.x - before.x, y + after.y - before.y), block.facing + turn)


@cites
def _foe(battle: Battle, unit: Unit, numbers: dict[int, None], name: str) -> Script[int]:
    """t9a:12.C-dangerous
    Enemies and Impassable Terrain fled through are Dangerous (3); tests that ground calls for some pass (t9a:21.A.b.18,
    t9a:21.A.b.31)."""
    tests: list[tuple[str, int, int]] = []
    for pool, count in _by_pool(battle, unit, numbers).items():
        rule = "" if name in battle.units else terrain.guided(battle, pool, "impassable")
        if rule:
            battle.cite(rule)
        else:
            tests.append((pool, count, 3))
    return (yield from _source(battle, unit, tests, name, "t9a:12.C-dangerous")) if tests else 0


def _ended(block: Block, motion: Motion) -> Block:
    if isinstance(motion, Shift):
        return block.placed((block.x + motion.dx, block.y + motion.dy), block.facing)
    return block.placed(rotate(block.front, motion.pivot, motion.degrees), block.facing + motion.degrees)


def _by_pool(battle: Battle, unit: Unit, numbers: dict[int, None]) -> dict[str, int]:
    found: dict[str, int] = {}
    for number in numbers:
        if number < battle.size(unit):
            pool = battle.pool_at(unit, number)
            found[pool] = found.get(pool, 0) + 1
    return found


def _feature(battle: Battle, unit: Unit, numbers: dict[int, None], kind: str, name: str, flying: bool) -> Script[int]:
    """Chapter 20.B: Who of those that touch a feature must test for it, and on what."""
    tests: list[tuple[str, int, int]] = []
    for pool, count in _by_pool(battle, unit, numbers).items():
        x = degree(battle, unit, pool, kind, flying)
        if not x:
            continue
        battle.cite(terrain.KINDS[kind].rule)
        if rule := terrain.guided(battle, pool, kind):
            battle.cite(rule)
        elif kind == "ruins" and battle.has(pool, "skirmisher"):
            battle.cite("t9a:20.B.f")
        else:
            tests.append((pool, count, x))
    return (yield from _source(battle, unit, tests, name, terrain.KINDS[kind].rule)) if tests else 0


def _source(battle: Battle, unit: Unit, tests: list[tuple[str, int, int]], name: str, rule: str) -> Script[int]:
    """t9a:20.A.a  All dice of one source together, so many models of a pool each on its X: a result of X or less is a
    hit that wounds, AP 10; more than X is well.
    """
    batches = []
    for pool, count, x in tests:
        profile = battle.pool_profile(pool)
        each = DANGER[profile.size] + (1 if profile.has("chariot") else 0)
        if profile.has("chariot"):
            battle.cite("t9a:21.A.b.7")
        faces = yield Roll(
            unit.seat,
            "dangerous",
            6,
            count * each,
            rule="t9a:20.A.a",
            about=(pool,),
            need=x + 1,
            sense="high",
            cuts=(x + 1,),
        )
        hits = sum(f <= x for f in faces)
        if hits:
            strike = Strike(battle.other(unit.seat), strength=0, ap=10, rule="t9a:20.A.a")
            batches.append(Batch(strike, pool, hits, hits))
    battle.tell("dangerous.tested", rule, (unit.id,), where=name, hits=sum(b.hits for b in batches))
    battle.cite("t9a:20.A.a-procedure", "t9a:20.A.a-notes")
    if not batches:
        return 0
    losses = yield from resolve(battle, batches)
    return losses.get(unit.id, 0)
