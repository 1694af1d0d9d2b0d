"""Chapter 5.7: advanced formations taken up instead of moving: square, missile wedge, shield wall, testudo."""

from __future__ import annotations

import itertools
import math

from grognard.games.wfb3.army.weapons import WEAPONS
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import mixed
from grognard.games.wfb3.rolls import stats, tests
from grognard.games.wfb3.table import ground, layouts, seating, terrain
from grognard.games.wfb3.table.who_may import sift
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.changes import reformed
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.steps import Pivot
from grognard.kernel.formation.sweeps import too_near
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Note, Option, Pick, Script

KINDS = ("square", "testudo", "missile-wedge", "swing", "ranks")
SPECIAL = ("square", "shield-wall", "testudo", "missile-wedge")
STILL = ("square", "shield-wall", "missile-wedge")
FORM = {
    "square": "wfb3:5.7.3-square", "shield-wall": "wfb3:5.7.6-shield-wall", "testudo": "wfb3:5.7.7-testudo",
    "missile-wedge": "wfb3:5.7.5-missile-wedge",
}  # fmt: skip
LEAVE = {
    "square": "wfb3:5.7.3-square-revert", "shield-wall": "wfb3:5.7.6-shield-wall-end",
    "testudo": "wfb3:5.7.7-testudo-end", "missile-wedge": "wfb3:5.7.5-missile-wedge",
}  # fmt: skip


def offers(battle: Battle, unit: Unit) -> tuple[list[Option], dict[str, Refusal]]:
    """Formations a unit may try to take up, or leave, and why not the others."""
    found: list[Option] = []
    barred: dict[str, Refusal] = {}
    if unit.kind not in ("infantry", "cavalry") or battle.engaged(unit) or unit.drill.split:
        return found, barred
    wanted = ("ranks", "swing") if unit.drill.formation in SPECIAL else ("square", "testudo", "missile-wedge")
    for kind in wanted:
        if kind == "swing" and unit.drill.formation != "missile-wedge":
            continue
        refusal = may_not(battle, unit, kind)
        if refusal is None:
            found.append(Option(kind, kind, f"option.formation.{kind}", notes=_notes(unit, kind)))
        else:
            barred[kind] = refusal
    return found, barred


def _hard(unit: Unit, kind: str) -> bool:
    """wfb3:5.6.2-complex  Whether taking up or leaving a formation is a complex manoeuvre."""
    return kind in ("square", "testudo", "swing") or (kind == "ranks" and unit.drill.formation == "square")


def _notes(unit: Unit, kind: str) -> tuple[Note, ...]:
    does = (Note(f"note.{kind}", {}, FORM[kind]),) if kind in FORM else ()
    return (*does, Note("note.complex", {}, "wfb3:5.6.2-complex")) if _hard(unit, kind) else does


def may_not(battle: Battle, unit: Unit, kind: str) -> Refusal | None:
    """wfb3:5.7.3-square, wfb3:5.6.2-complex  Why a unit may not take up or leave a formation.

    Ruling: of a mixed formation only squares are formed (wfb3:5.7.3-square-mixed).
    """
    facts = {"unit": unit.id}
    rule = LEAVE[unit.drill.formation] if kind in ("ranks", "swing") else FORM[kind]
    hard = _hard(unit, kind)
    if kind in ("testudo", "shield-wall") and unit.kind != "infantry":
        return Refusal("refuse.formation.foot", rule, facts)
    if kind in ("testudo", "shield-wall") and not unit.kit.shield:
        return Refusal("refuse.formation.shields", rule, facts)
    if kind == "testudo" and any(WEAPONS[w].two_handed for w in unit.kit.weapons):
        return Refusal("refuse.formation.one-handed", rule, facts)
    if kind == "missile-wedge" and not unit.kit.missiles:
        return Refusal("refuse.formation.missiles", rule, facts)
    if kind in ("testudo", "missile-wedge") and unit.drill.mixed:
        return Refusal("refuse.formation.mixed", mixed.RULE, facts)
    if hard and battle.leader(unit) is None:
        also = ("wfb3:5.6.2-complex", "wfb3:11.1.3-leaderless", "wfb3:5.3.2-leader")
        return Refusal("refuse.manoeuvre.leader", rule, facts, also)
    if hard and unit.march.manoeuvres:
        return Refusal("refuse.manoeuvre.complex-alone", "wfb3:5.6.2-complex", facts)
    if unit.march.manoeuvres >= 3 or unit.march.halted:
        return Refusal("refuse.manoeuvre.three", "wfb3:5.6.1-second-third", facts)
    rough = bool(ground.in_difficult(battle, battle.block_of(unit)))
    if kind == "square" and (rough or _on_obstacle(battle, battle.block_of(unit)) or not _boxes(battle, unit)):
        return Refusal("refuse.formation.rough", rule, facts)
    if rough and kind in ("testudo", "missile-wedge"):
        return Refusal("refuse.manoeuvre.rough", "wfb3:5.4-no-reform-in-difficult", facts)
    if kind in ("square", "missile-wedge") and battle.block_of(unit).guests:
        return Refusal("refuse.formation.bases", rule, facts)
    return None


def _on_obstacle(battle: Battle, block: Block) -> bool:
    return any(
        too_near(block.outline, terrain.outline(piece, battle.table))
        for piece in terrain.of_ground(battle.table, "linear")
    )


def form(battle: Battle, unit: Unit, kind: str) -> Script[None]:
    """wfb3:5.7.3-square, wfb3:5.7.5-missile-wedge, wfb3:5.7.7-testudo, wfb3:5.6.2-complex
    Taking up a formation, or leaving it.

    Simple manoeuvres after the first and all complex ones are tested; a unit that cannot move in its new formation
    is done.
    """
    rule = LEAVE[unit.drill.formation] if kind in ("ranks", "swing") else FORM[kind]
    hard = _hard(unit, kind)
    unit.march = unit.march.but(manoeuvres=unit.march.manoeuvres + (3 if hard else 1))
    if hard or unit.march.manoeuvres > 1:
        passed = yield from tests.ld(battle, unit, "manoeuvre", rule)
        battle.cite("wfb3:5.6.2-complex" if hard else "wfb3:5.6.1-second-third")
        if not passed:
            unit.march = unit.march.but(halted=True, done=True)
            if hard:
                unit.march = unit.march.but(failed_complex=battle.clock)
            battle.tell("manoeuvre.failed", "wfb3:5.6.2-complex" if hard else rule, (unit.id,), step=kind)
            return
    other = mixed.partner(battle, unit)
    if other is not None and kind == "square":
        if not (yield from mixed.square(battle, unit)):
            battle.tell("manoeuvre.no-room", "wfb3:5.5-base", (unit.id,), step=kind, other="")
        return
    after, took = yield from _shape(battle, unit, kind)
    if after is None or ground.fits(battle, unit, after):
        battle.tell("manoeuvre.no-room", "wfb3:5.5-base", (unit.id,), step=kind, other="")
        unit.march = unit.march.but(done=True)
        return
    unit.march = unit.march.but(moved=battle.clock)
    unit.block = after
    seating.swap_in(battle, unit)
    unit.drill = unit.drill.but(formation=took)
    unit.march = unit.march.but(done=took in STILL)
    if other is not None and other.drill.formation != "ranks":
        other.drill = other.drill.but(formation="ranks")
        mixed.form_up(battle, unit, other, "behind")
    battle.tell("formation", rule, (unit.id,), formation=took)


def _shape(battle: Battle, unit: Unit, kind: str) -> Script[tuple[Block | None, str]]:
    """wfb3:5.7.3-square-revert, wfb3:5.7.5-missile-wedge, wfb3:5.7.7-testudo  The shape it takes, and its name."""
    block = battle.block_of(unit)
    if kind == "testudo":
        return reformed(block, max(1, math.isqrt(block.troops)), block.facing), "testudo"
    if kind == "square":
        return (yield from _box(battle, unit)), "square"
    if kind == "missile-wedge":
        most = max(1, (block.troops - 1) // 2)  # with more there would be no second rank that is wider
        options = [Option(str(n), n, "option.wedge.first", data={"first": n}) for n in range(1, most + 1)]
        first = yield Pick(unit.seat, "wedge.first", options, rule="wfb3:5.7.5-missile-wedge", about=(unit.id,))
        return layouts.wedge(block, block.front, first=first, shooting=True), "missile-wedge"
    if kind == "swing":
        return (yield from _swing(battle, unit)), "missile-wedge"
    if unit.drill.formation == "square":
        sides = {side.name.casefold(): side for side in Edge}
        options = [Option(name, side, f"option.side.{name}", data={"side": name}) for name, side in sides.items()]
        side = yield Pick(unit.seat, "square.front", options, rule="wfb3:5.7.3-square-revert", about=(unit.id,))
        return layouts.into_ranks(block, block.files, side), "ranks"
    if unit.drill.formation == "missile-wedge":
        return line_of(block), "ranks"
    return block, "ranks"


def line_of(block: Block) -> Block:
    """wfb3:5.7.5-missile-wedge, wfb3:5.7.4-wedge-stopped  A wedge back in line, as wide as its widest rank."""
    return layouts.into_ranks(block, block.files)


def _box(battle: Battle, unit: Unit) -> Script[Block | None]:
    """wfb3:5.7.3-square  One of the two central quarters of the front stays, the others fold round it."""
    clear = _boxes(battle, unit)
    if not clear:
        return None
    options = [Option(name, name, f"option.square.{name}") for name in clear]
    name = yield Pick(unit.seat, "square.stays", options, rule="wfb3:5.7.3-square", about=(unit.id,))
    return clear[name]


def _boxes(battle: Battle, unit: Unit) -> dict[str, Block]:
    """wfb3:5.7.3-square  The squares a unit may form, by the quarter that stays: on no difficult ground or obstacle."""
    block = battle.block_of(unit)
    found = {name: _folded(block, name) for name in ("left", "right")}
    return {
        name: made
        for name, made in found.items()
        if not ground.in_difficult(battle, made) and not _on_obstacle(battle, made)
    }


def _folded(block: Block, which: str) -> Block:
    box = layouts.square(block, block.ranks)
    quarter = math.ceil(block.files / 4) * block.base.width
    reach = box.width / 2 - quarter if which == "left" else quarter - box.width / 2
    hx, hy = heading(block.facing)
    return box.placed((block.x + reach * hy, block.y - reach * hx), block.facing)


def _swing(battle: Battle, unit: Unit) -> Script[Block | None]:
    """wfb3:5.7.5-missile-wedge, wfb3:5.6.2-wheel-centre  A wedge of shooters turns on the middle of its rear rank."""
    block = battle.block_of(unit)
    far = inches(float(stats.move(battle, unit).value)) / 2
    arm = math.hypot(block.depth, block.base.width / 2)
    most = math.degrees(far / arm)
    turns = {str(d): float(d) for d in range(-90, 91, 15) if d and abs(d) <= most + 0.01}
    options = [
        Option(key, by, f"option.swing.{'left' if by < 0 else 'right'}", data={"degrees": round(abs(by), 1)})
        for key, by in (turns | {"left": -most, "right": most}).items()
    ]
    turn = yield Pick(unit.seat, "wedge.swing", options, rule="wfb3:5.7.5-missile-wedge", about=(unit.id,))
    battle.cite("wfb3:5.6.2-wheel-centre")
    rear = block.boundary.middle(Edge.REAR)
    return block.on(block.boundary.rotated(rear, turn)) if turn else Pivot(0.0).apply(block)


def shield_walls(battle: Battle) -> Script[None]:
    """wfb3:5.7.6-shield-wall  Before anything moves the player may declare shield walls."""
    while True:
        lines = [
            u
            for u in battle.army(battle.active)
            if u.kind == "infantry" and u.drill.formation == "ranks" and not u.march.done
        ]
        options, barred = sift(lines, lambda u: may_not(battle, u, "shield-wall") or _unsteady(battle, u))
        if not options and not barred:
            return
        unit = yield Pick(
            battle.active, "shield-wall", options, optional=True, barred=barred, rule="wfb3:5.7.6-shield-wall",
            checkpoint=True, notes=_notes(lines[0], "shield-wall"),
        )  # fmt: skip
        if unit is None:
            return
        unit.drill = unit.drill.but(formation="shield-wall")
        unit.march = unit.march.but(done=True)
        battle.tell("formation", "wfb3:5.7.6-shield-wall", (unit.id,), formation="shield-wall")


def _unsteady(battle: Battle, unit: Unit) -> Refusal | None:
    """Ruling: units that are engaged, routed, disordered or under a compulsion form no shield wall."""
    loose = (
        battle.engaged(unit) or unit.rout.routed or unit.combat.disordered or unit.minds.frenzied or unit.minds.stupid
    )
    if loose or bool(unit.minds.quarrel) or bool(unit.rout.pursuing) or bool(unit.drill.split):
        return Refusal("refuse.formation.unsteady", "wfb3:5.7.6-shield-wall", {"unit": unit.id})
    return None


def shaped(battle: Battle, unit: Unit) -> None:
    """A unit told to stand in a formation stands in it, its front where its front was.

    Ruling: a formation that cannot hold somebody on a base of another size is given up for ranks.
    """
    block = battle.block_of(unit)
    if block.guests and unit.drill.formation in ("square", "wedge", "missile-wedge"):
        unit.drill = unit.drill.but(formation="ranks")
    if unit.drill.formation == "square":
        unit.block = layouts.square(block, block.ranks)
    elif unit.drill.formation in ("wedge", "missile-wedge"):
        unit.block = layouts.wedge(block, block.front, shooting=unit.drill.formation == "missile-wedge")
    else:
        return
    seating.swap_in(battle, unit)


def charged(battle: Battle, unit: Unit) -> None:
    """wfb3:5.7.5-missile-wedge-charged  A wedge of shooters that is charged forms line at once, without a manoeuvre."""
    if unit.drill.formation != "missile-wedge":
        return
    unit.block = straighten(battle, unit)
    unit.drill = unit.drill.but(formation="ranks")
    seating.swap_in(battle, unit)
    battle.tell("formation", "wfb3:5.7.5-missile-wedge-charged", (unit.id,), formation="ranks")


def straighten(battle: Battle, unit: Unit, block: Block | None = None) -> Block:
    """wfb3:5.7.4-wedge-stopped  Back in line, as wide as the widest rank was; narrower where there is no room.

    Ruling: where the line finds no room at the tip it is drawn up where the widest rank stood, or a little aside; where
    there is none at all everybody stays where he is until there is.
    """
    before = block or battle.block_of(unit)
    mine = [foe.id for foe, _, _ in battle.foes(unit)]
    hx, hy = heading(before.facing)
    for files in range(before.files, 0, -1):
        line = layouts.into_ranks(before, files)
        back = before.depth - line.depth
        for aside, far in itertools.product((0, 1, -1, 2, -2), (0.0, back / 2, back)):
            out = aside * line.base.width
            moved = line.placed((line.x - hx * far + hy * out, line.y - hy * far - hx * out), line.facing)
            if not ground.fits(battle, unit, moved, ignoring=mine) and (not mine or not aside):
                return moved
    return before
