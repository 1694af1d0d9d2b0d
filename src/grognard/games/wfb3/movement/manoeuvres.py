"""Chapter 5.6: manoeuvres: which are simple, which complex, who may make them, and the tests on the way."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import mixed, passing
from grognard.games.wfb3.movement.single_file import Snake
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.rolls import tests as trials
from grognard.games.wfb3.table import ground, levies, seating
from grognard.kernel.errors import Refusal
from grognard.kernel.formation import preview
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.steps import Advance, Pivot, Refile, Step, Turn, Wheel
from grognard.kernel.questions import Script

#: wfb3:5.6.2-back  Moving back, wheeling back and wheeling on the centre go at half rate.
HALF_RATE = 2.0
#: Who has no leader and wants one.
LED = "wfb3:5.3.2-leader"


def free_turner(unit: Unit) -> bool:
    """wfb3:14.6.1-pivot, wfb3:15.10-free-move  Independent characters and skirmishers turn as they please."""
    return unit.kind in ("character", "team") or unit.loose


def is_complex(step: Step) -> bool:
    """wfb3:5.6-list  Backwards, wheeling backwards, wheeling on the centre."""
    return (
        (isinstance(step, Advance) and step.distance < 0)
        or (isinstance(step, Wheel) and step.degrees < 0)
        or isinstance(step, Pivot)
    )


def is_manoeuvre(step: Step) -> bool:
    return is_complex(step) or isinstance(step, Turn | Refile | Wheel)


def bends(unit: Unit, step: Step) -> bool:
    """wfb3:5.7.1-file  A file that bends as it goes makes no manoeuvre."""
    return unit.drill.formation == "file" and isinstance(step, Wheel) and step.degrees >= 0


def _across(step: Step) -> bool:
    return isinstance(step, Turn) and step.quarters % 2 == 1


def _single(walk: Walk) -> bool:
    return isinstance(walk, Snake) and walk.snaking


def tests(unit: Unit, path: Manoeuvre) -> int:
    """wfb3:5.6.1-first, wfb3:5.6.1-second-third, wfb3:5.6.2-complex
    How many tests the manoeuvres of a path call for."""
    if free_turner(unit):
        return 0
    done = [s for s in path.steps if is_manoeuvre(s) and not bends(unit, s)]
    return 1 if any(is_complex(s) for s in done) else max(0, len(done) + min(unit.march.manoeuvres, 1) - 1)


def begin(battle: Battle, unit: Unit, allowance: float, things: Sequence[Obstacle]) -> Walk:
    """A unit sets out; a file goes one behind the other."""
    if unit.drill.formation == "file" and not unit.drill.split:
        return Snake(battle, unit, allowance, things)
    if mixed.partner(battle, unit) is not None:
        return Walk(battle, unit, allowance, things, block=mixed.combined(battle, unit))
    return Walk(battle, unit, allowance, things)


def refusal(battle: Battle, unit: Unit, path: Manoeuvre) -> Refusal | None:
    """wfb3:13.5.9-pike-manoeuvre, wfb3:15.1-pack-manoeuvre
    Whether this unit may try these manoeuvres in this order at all."""
    facts = {"unit": unit.id}
    if free_turner(unit):
        if any(isinstance(s, Refile) for s in path.steps) and unit.kind == "character":
            return Refusal("refuse.manoeuvre.alone", "wfb3:14.6.1-pivot", facts)
        return None
    loose = next((n for n, s in enumerate(path.steps) if isinstance(s, Refile) or _across(s)), len(path.steps))
    done = [s for n, s in enumerate(path.steps) if is_manoeuvre(s) and not (n < loose and bends(unit, s))]
    if unit.kind == "pack" and (len(done) + unit.march.manoeuvres > 1 or any(is_complex(s) for s in done)):
        return Refusal("refuse.manoeuvre.pack", "wfb3:15.1-pack-manoeuvre", facts)
    if levies.mob(unit) and any(isinstance(s, Refile) for s in done):
        return Refusal("refuse.manoeuvre.mob", levies.RULE, facts)
    simple = [s for s in done if not is_complex(s)]
    if mixed.partner(battle, unit) is not None and any(isinstance(s, Turn | Refile) for s in done):
        return Refusal("refuse.manoeuvre.mixed", mixed.RULE, facts)
    if unit.drill.formation == "wedge" and any(not isinstance(s, Wheel) or is_complex(s) for s in done):
        return Refusal("refuse.manoeuvre.wedge", "wfb3:5.7.4-wedge-form", facts)
    across = unit.drill.formation == "file" and done and ground.astride(battle, battle.block_of(unit))
    if (unit.drill.split and done) or across:
        return Refusal("refuse.manoeuvre.split", "wfb3:5.4-split", facts, ("wfb3:5.6.1-when",))
    if any(is_complex(s) for s in done):
        return _complex_refusal(battle, unit, path, done, facts)
    if len(simple) + unit.march.manoeuvres > 3:
        return Refusal("refuse.manoeuvre.three", "wfb3:5.6.1-second-third", facts)
    if len(simple) + unit.march.manoeuvres > 1:
        if battle.leader(unit) is None:
            return Refusal("refuse.manoeuvre.leader", "wfb3:11.1.3-leaderless", facts, ("wfb3:5.6.1-second-third", LED))
        if "pike" in unit.kit.weapons:
            return Refusal("refuse.manoeuvre.pikes", "wfb3:13.5.9-pike-manoeuvre", facts)
    return _formation_refusal(battle, unit, simple, facts) or _rough_on_the_way(battle, unit, path, facts)


def _rough_on_the_way(battle: Battle, unit: Unit, path: Manoeuvre, facts: dict[str, str]) -> Refusal | None:
    """wfb3:5.4-no-reform-in-difficult  Nor may a formation be changed in difficult ground the move has led into."""
    if len(path.steps) < 2 or not any(isinstance(s, Refile) for s in path.steps):
        return None
    try:
        before = preview.stages(battle.block_of(unit), path)
    except ValueError:
        return None
    for block, step in zip(before, path.steps, strict=False):
        if isinstance(step, Refile) and ground.in_difficult(battle, block):
            return Refusal("refuse.manoeuvre.rough", "wfb3:5.4-no-reform-in-difficult", facts)
    return None


def _complex_refusal(
    battle: Battle, unit: Unit, path: Manoeuvre, done: list[Step], facts: dict[str, str]
) -> Refusal | None:
    """wfb3:5.6.2-complex, wfb3:5.6.2-wheel-back, wfb3:5.7.1-file-no-complex  Why a complex manoeuvre is barred."""
    if unit.drill.formation == "file":
        return Refusal("refuse.manoeuvre.file", "wfb3:5.7.1-file-no-complex", facts)
    if len(done) > 1 or unit.march.manoeuvres:
        return Refusal("refuse.manoeuvre.complex-alone", "wfb3:5.6.2-complex", facts)
    if len(path.steps) > 1 and isinstance(done[0], Wheel):
        return Refusal("refuse.manoeuvre.wheel-back", "wfb3:5.6.2-wheel-back", facts)
    if battle.leader(unit) is None:
        return Refusal("refuse.manoeuvre.leader", "wfb3:5.6.2-complex", facts, ("wfb3:11.1.3-leaderless", LED))
    return None


def _formation_refusal(battle: Battle, unit: Unit, simple: list[Step], facts: dict[str, str]) -> Refusal | None:
    rough = ground.in_difficult(battle, battle.block_of(unit)) if simple else []
    for step in simple:
        if isinstance(step, Refile):
            if max(abs(step.left), abs(step.right)) > 2:
                return Refusal("refuse.manoeuvre.two", "wfb3:5.6.1-formation", facts)
            if rough:
                return Refusal("refuse.manoeuvre.rough", "wfb3:5.4-no-reform-in-difficult", facts)
    if rough and len(simple) + unit.march.manoeuvres > 1:
        return Refusal("refuse.manoeuvre.rough-one", "wfb3:5.4-no-reform-in-difficult", facts)
    if rough and "pike" in unit.kit.weapons and any(p.kind == "wood" or p.kind == "quagmire" for p in rough):
        return Refusal("refuse.manoeuvre.pikes-rough", "wfb3:13.5.9-pike-manoeuvre", facts)
    files = battle.block_of(unit).files
    for step in simple:
        if isinstance(step, Refile):
            files += step.left + step.right
            if not 1 <= files <= battle.size(unit):
                return Refusal("refuse.manoeuvre.files", "wfb3:5.3.3-formations", facts)
        elif isinstance(step, Turn) and step.quarters % 2:
            files = -(-battle.size(unit) // files)
    return None


def carry_out(battle: Battle, unit: Unit, walk: Walk, path: Manoeuvre, *, purpose: str = "move") -> Script[bool]:
    """The steps of a path in order, with the tests that manoeuvres call for; False once a test has failed."""
    if walk.split and purpose != "charge":
        walk.carry_on()
        return True
    for step in path.steps:
        if walk.stopped:
            break
        if is_manoeuvre(step) and not free_turner(unit) and not (_single(walk) and bends(unit, step)):
            passed = yield from _attempt(battle, unit, walk, step)
            if not passed:
                return False
        gone = walk.travelled
        take(battle, unit, walk, step)
        if isinstance(step, Advance) and walk.stopped in battle.units and free_turner(unit) and purpose == "move":
            yield from passing.through(battle, unit, walk, step.distance - (walk.travelled - gone))
    return True


def _attempt(battle: Battle, unit: Unit, walk: Walk, step: Step) -> Script[bool]:
    """wfb3:5.6.1-first, wfb3:5.6.1-second-third, wfb3:5.6.2-complex
    The first simple one is free, others need a test."""
    unit.march = unit.march.but(manoeuvres=unit.march.manoeuvres + (3 if is_complex(step) else 1))
    battle.cite("wfb3:5.6-list", "wfb3:5.6.1-when")
    rough = bool(ground.in_difficult(battle, walk.block))
    if rough:
        battle.cite("wfb3:5.4-no-reform-in-difficult")
    if is_complex(step):
        rule = "wfb3:5.6.2-complex"
    elif "pike" in unit.kit.weapons and rough:
        rule = "wfb3:13.5.9-pike-manoeuvre"
    elif unit.march.manoeuvres == 1:
        battle.cite("wfb3:5.6.1-first")
        return True
    else:
        rule = "wfb3:5.6.1-second-third"
    battle.cite("wfb3:5.3.2-leader")
    passed = yield from trials.ld(battle, unit, "manoeuvre", rule)
    if passed:
        return True
    unit.march = unit.march.but(halted=True)
    walk.stopped, walk.left = "failed", 0.0
    if is_complex(step):
        unit.march = unit.march.but(failed_complex=battle.clock)
    battle.tell("manoeuvre.failed", rule, (unit.id,), step=_name(step))
    return False


def take(battle: Battle, unit: Unit, walk: Walk, step: Step) -> None:
    """wfb3:5.6.2-back  One step on the table."""
    if isinstance(walk, Snake) and isinstance(step, Turn | Refile):
        battle.cite("wfb3:5.7.1-file", "wfb3:5.6.1-turn" if isinstance(step, Turn) else "wfb3:5.6.1-formation")
        if isinstance(step, Turn) and step.quarters == 2:
            walk.about()
            return
        _in_place(battle, unit, walk, step, walk.straight())
        return
    if isinstance(step, Advance):
        if step.distance < 0:
            battle.cite("wfb3:5.6.2-back")
        walk.advance(step.distance, HALF_RATE if step.distance < 0 and not free_turner(unit) else 1.0)
    elif isinstance(step, Wheel):
        battle.cite("wfb3:5.6.1-wheel" if step.degrees >= 0 else "wfb3:5.6.2-wheel-back")
        walk.wheel(step, 1.0 if step.degrees >= 0 else HALF_RATE)
    elif isinstance(step, Pivot):
        if free_turner(unit):
            battle.cite("wfb3:14.6.1-pivot" if unit.kind == "character" else "wfb3:15.10-free-move")
            _in_place(battle, unit, walk, Pivot(step.degrees))
        else:
            battle.cite("wfb3:5.6.2-wheel-centre")
            walk.pivot(step, HALF_RATE)
    else:
        battle.cite("wfb3:5.6.1-turn" if isinstance(step, Turn) else "wfb3:5.6.1-formation")
        battle.cite("wfb3:5.3.3-formations")
        _in_place(battle, unit, walk, step)


def _in_place(battle: Battle, unit: Unit, walk: Walk, step: Step, block: Block | None = None) -> None:
    """A change in place: lifted and put down, where there is room.

    Ruling: a formation that would stand in or beyond something cannot be taken up; the unit stays as it was.
    """
    before = block or walk.block
    after = step.apply(before)
    in_way = ground.fits(battle, unit, after)
    if not in_way and not free_turner(unit) and ground.hurdles(battle):
        standing = [h.name for h in ground.astride(battle, before)]
        in_way = next((h.name for h in ground.astride(battle, after) if h.name not in standing), "")
    if in_way:
        walk.stopped = in_way
        battle.tell("manoeuvre.no-room", "wfb3:5.5-base", (unit.id,), step=_name(step), other=in_way)
        return
    walk.block = after


def _name(step: Step) -> str:
    return type(step).__name__.casefold()


def settle(battle: Battle, unit: Unit, walk: Walk) -> None:
    """The unit stands where the walk ended: leader and command in their places, moved if anything changed."""
    if isinstance(walk, Snake) and _single(walk):
        walk.block = walk.formed()
    before = battle.block_of(unit)
    if mixed.partner(battle, unit) is not None and walk.block.troops > before.troops:
        walk.block, walk.start = before.placed(walk.block.front, walk.block.facing), before
    changed = walk.block != walk.start
    if (
        unit.drill.formation == "ranks"
        and walk.block.files == 1
        and battle.size(unit) > 2
        and unit.kind in ("infantry", "cavalry")
    ):
        unit.drill = unit.drill.but(formation="file")
        battle.cite("wfb3:5.7.1-file")
    elif unit.drill.formation == "file" and walk.block.files > 1:
        unit.drill = unit.drill.but(formation="ranks")
    unit.drill = unit.drill.but(split=walk.split)
    unit.block = walk.block
    seating.swap_in(battle, unit)
    passing.settled(battle, unit)
    if changed:
        unit.march = unit.march.but(moved=battle.clock)
        mixed.carry(battle, unit, before, walk.block)
        battle.cite("wfb3:5.3.4-leader-place")
