"""t9a:15.I  Combat Reforms: engaged units rearrange themselves without letting go of the enemy."""

from __future__ import annotations

from typing import Any, NamedTuple

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import psychology, regained_contact
from grognard.games.t9a.melee import break_tests, combat_round
from grognard.games.t9a.rolls import stats
from grognard.games.t9a.rolls.distances import march_limit
from grognard.games.t9a.table import contacts, ground
from grognard.games.t9a.table.contacts import contact_numbers
from grognard.games.t9a.units import character_bases, command, reforms, seating
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.changes import displacements
from grognard.kernel.formation.contact import meeting
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import APART, gap, too_near
from grognard.kernel.geometry.units import TOUCH, heading
from grognard.kernel.questions import Pick, Place, Script, option

SIDES = {side.name.lower(): side for side in Edge}


def eligible(battle: Battle, unit: Unit) -> Refusal | None:
    """t9a:15.I-eligible  Engaged on one side only, and not with or as a round War Machine."""
    sides = {ours for _, ours, _ in battle.foes(unit)}
    if len(sides) > 1:
        return Refusal("refuse.combat-reform.sides", "t9a:15.I-eligible", {"unit": unit.id})
    if battle.block(unit).is_round or any(battle.block(f).is_round for f, _, _ in battle.foes(unit)):
        return Refusal("refuse.combat-reform.round", "t9a:21.A.b.23-round", {"unit": unit.id}, ("t9a:15.I-eligible",))
    return None


def all_of(battle: Battle, units: list[Unit], winners: list[str], margin: int) -> Script[None]:
    """t9a:15.I, t9a:15.I-test, t9a:15.I-order
    Tests of the losers first; then one player does all of his, then the other."""
    there = [
        u
        for u in units
        if u.where == "table" and battle.engaged(u) and not u.nerve.fleeing and not u.fight.newly_engaged
    ]
    barred = {u.id: refusal for u in there if (refusal := eligible(battle, u)) is not None}
    ready = [u for u in there if u.id not in barred]
    if barred:
        battle.cite("t9a:15.I-eligible")
    wishes = yield from _wishes(battle, ready, barred)
    passed: list[Unit] = []
    for unit in wishes:
        battle.cite("t9a:15.I-test")
        if unit.seat in winners or (yield from _test(battle, unit, margin)):
            passed.append(unit)
    first = battle.active
    if len({u.seat for u in passed}) > 1:
        first = yield Pick(
            battle.active, "combat-reform.first", [option(s, about=(s,)) for s in battle.seats], rule="t9a:15.I-order"
        )
    for seat in (first, battle.other(first)):
        own = [u for u in passed if u.seat == seat]
        yield from _all_of_one(battle, seat, own, [u for u in units if u.where == "table" and u.seat != seat])


def _all_of_one(battle: Battle, seat: str, own: list[Unit], enemies: list[Unit]) -> Script[None]:
    """t9a:15.I-order, t9a:15.I-after
    One player's reforms, in his order; all are taken back if in the end an enemy model
    that was in contact is left without.

    Ruling: only his last unit is held to that; the earlier ones may rely on it.
    """
    before = _touching_now(battle, enemies)
    stood = [(u, battle.block(u)) for u in own]
    engaged = battle.engagements
    order = yield from combat_round.chosen_order(battle, seat, own, "combat-reform.order", "t9a:15.I-order")
    for number, unit in enumerate(order):
        yield from _reform(battle, unit, before, last=number == len(order) - 1)
    now = _touching_now(battle, enemies)
    if any(not touched <= now[key] for key, touched in before.items()):
        for unit, block in stood:
            battle.put(unit, block)
        battle.engagements = engaged
        battle.tell("combat-reform.undone", "t9a:15.I-after", [u.id for u in own])


def _wishes(battle: Battle, ready: list[Unit], barred: dict[str, Refusal]) -> Script[list[Unit]]:
    """Which units want to reform, asked of each owner once."""
    found: list[Unit] = []
    for seat in (battle.active, battle.reactive):
        own = [u for u in ready if u.seat == seat]
        kept = {key: why for key, why in barred.items() if battle.units[key].seat == seat}
        if not own and not kept:
            continue
        picked = yield Pick(
            seat,
            "combat-reform.who",
            [option(u.id, u, about=(u.id,)) for u in own],
            least=0,
            most=len(own),
            barred=kept,
            rule="t9a:15.I",
        )
        found += list(picked) if isinstance(picked, tuple) else [picked] if picked is not None else []
    return found


def _test(battle: Battle, unit: Unit, margin: int) -> Script[bool]:
    """t9a:15.I-test  With the same penalty as the Break Test."""
    mods, swing = break_tests.penalty(battle, unit, margin), stats.swing(battle, unit, "Combat Reform Test")
    return (yield from psychology.test(battle, unit, "combat-reform", "t9a:15.I-test", mods=mods, swing=swing))


def _touching_now(battle: Battle, enemies: list[Unit]) -> dict[str, set[int]]:
    return {u.id: contacts.touching_numbers(battle, u) for u in enemies}


class Stance(NamedTuple):
    """A unit as it would stand after a Combat Reform, and the side it turns to the enemy."""

    block: Block
    side: Edge


class CombatReformJudge:
    """t9a:15.I-placement, t9a:15.I-after
    A unit lifted and set back: same contacts, nobody too far, nobody left out."""

    def __init__(self, battle: Battle, unit: Unit, before: dict[str, set[int]], *, last: bool = True) -> None:
        self.battle, self.unit, self.before, self.last = battle, unit, before, last
        self.limit = march_limit(battle, unit)
        self.posts: dict[str, command.Cell] = {}

    def decode(self, wire: Any) -> Stance:
        made = self._read(wire)
        posts = command.read(self.unit, wire.get("seats"), "t9a:15.I-placement")
        refusal = self.refusal(made) or command.refusal(self.unit, made.block, posts, self.limit)
        if refusal is not None:
            raise Refused(refusal)
        self.posts = posts
        return made

    def _read(self, wire: Any) -> Stance:
        bad = Refused(Refusal("refuse.not-a-path", "t9a:15.I-placement", {"why": "spot"}))
        if not isinstance(wire, dict) or not set(wire) <= {"files", "shift", "seats", "side"}:
            raise bad
        now, old = self.battle.block(self.unit), self.battle.foes(self.unit)[0][1]
        files, shift = wire.get("files", now.files), wire.get("shift", 0.0)
        side = wire.get("side", old.name.lower())
        if (
            isinstance(files, bool)
            or not isinstance(files, int)
            or isinstance(shift, bool)
            or not isinstance(shift, int | float)
            or not isinstance(side, str)
            or side not in SIDES
        ):
            raise bad
        wants = reforms.read_seats(self.battle, self.unit, wire.get("seats") or {}, "t9a:15.I-placement")
        made = seating.formed(self.battle, self.unit, files, wants)
        return Stance(self._against(made, float(shift), SIDES[side]), SIDES[side])

    def _against(self, made: Block, shift: float, side: Edge) -> Block:
        """The new formation with a side on the line where it stood against the enemy, its middle moved along that line
        by `shift` mm to the right as seen looking at the enemy.
        """
        now, old = self.battle.block(self.unit), self.battle.foes(self.unit)[0][1]
        box = now.boundary
        outward = box.outward(old)
        facing = (outward - 90.0 * side.value) % 360.0
        rx, ry = heading(outward + 90.0)
        goal = box.middle(old)
        placed = made.placed(now.front, facing)
        have = placed.boundary.middle(side)
        stood = placed.placed(
            (placed.x + goal[0] + rx * shift - have[0], placed.y + goal[1] + ry * shift - have[1]), facing
        )
        foe, _, theirs = self.battle.foes(self.unit)[0]
        return regained_contact.lined_up(stood, self.battle.block(foe), side, theirs)

    def file_counts(self) -> tuple[int, ...]:
        return seating.file_counts(self.battle, self.unit)

    def carry(self, to: Point, facing: float | None, files: int | None = None) -> Any:
        """Along the line of contact, to where the hand is."""
        old = self.battle.foes(self.unit)[0][1]
        box = self.battle.block(self.unit).boundary
        rx, ry = heading(box.outward(old) + 90.0)
        x, y = box.middle(old)
        shift = {"shift": round((to[0] - x) * rx + (to[1] - y) * ry, 3)}
        return shift | ({} if files is None else {"files": files})

    def stages(self, wire: Any) -> list[Block]:
        return [self._read(wire).block]

    def refusal(self, made: Stance) -> Refusal | None:
        battle, unit, block = self.battle, self.unit, made.block
        facts = {"unit": unit.id}

        def no(code: str) -> Refusal:
            return Refusal(f"refuse.combat-reform.{code}", "t9a:15.I-placement", facts)

        if max(displacements(battle.block(unit), block)) > self.limit + TOUCH:
            return no("far")
        near = room_refusal(battle, unit, block)
        if near is not None:
            return near
        touched: set[int] = set()
        for foe, _, theirs in battle.foes(unit):
            if gap(block.outline, battle.block(foe).outline) > 2 * TOUCH:
                return no("contact")
            met = meeting(block, made.side, battle.block(foe), theirs)
            if not met.pairs:
                return no("contact")
            touched |= set(met.ours)
            left_out = self._left_out(foe, set(met.theirs))
            if left_out & self._characters(foe):
                return no("character")
            if left_out and self.last:
                return Refusal("refuse.combat-reform.left-out", "t9a:15.I-after", facts)
        if len(touched) < len(contacts.touching_numbers(battle, unit)):
            return no("fewer")
        for model in battle.characters(unit):
            number = next(iter(battle.numbers(unit, model.id)))
            if number in contacts.touching_numbers(battle, unit) and number not in touched:
                return no("character")
        return None

    def _characters(self, foe: Unit) -> set[int]:
        return {n for m in self.battle.characters(foe) for n in self.battle.numbers(foe, m.id)}

    def _left_out(self, foe: Unit, met: set[int]) -> set[int]:
        """t9a:15.I-after  Enemy models that were in contact and would be with nobody, this unit's or another's."""
        battle = self.battle
        others: set[int] = set()
        for other, ours, theirs in battle.foes(foe):
            if other.id != self.unit.id:
                others |= set(contact_numbers(battle, foe, ours, other, theirs).ours)
        return self.before.get(foe.id, set()) - met - others

    def encode(self, wire: Any) -> Any:
        self._read(wire)
        return dict(wire)

    def proposals(self) -> list[str]:
        found = ["wider-left", "wider", "wider-right", "left", "right", "narrower"]
        return found if self.battle.foes(self.unit)[0][1] is Edge.FRONT else [*found, "face"]

    def propose(self, name: str) -> Any:
        now = self.battle.block(self.unit)
        if name == "face":
            return self._facing(now)
        files = now.files + {"w": 1, "n": -1}.get(name[0], 0)
        cell = now.base.width
        shift = {"wider-left": -cell / 2, "wider-right": cell / 2, "left": -cell, "right": cell}.get(name, 0.0)
        wire: dict[str, Any] = {"files": files, "shift": round(shift, 3)}
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire

    def _facing(self, now: Block) -> Any:
        """The enemy met with the front, in about as many files as can touch him."""
        for files in range(now.size, 0, -1):
            wire = {"files": files, "side": "front", "shift": 0.0}
            try:
                self.decode(wire)
            except Refused:
                continue
            return wire
        return None


def room_refusal(battle: Battle, unit: Unit, block: Block) -> Refusal | None:
    """t9a:15.I-placement  1" from others, nearer only to units of the same combat; no new enemy is touched."""
    known = {foe.id for foe, _, _ in battle.foes(unit)}
    free = [k for k in battle.combat if k != unit.id and (k in known or battle.units[k].seat == unit.seat)]
    foreign = [k for k in battle.combat if battle.units[k].seat != unit.seat and k not in known]
    for key in foreign:
        other = battle.units[key]
        if other.where == "table" and too_near(block.outline, battle.block(other).outline, APART):
            return Refusal("refuse.too-near", "t9a:15.I-placement", {"unit": unit.id, "other": key})
    linger = [*free, *ground.near_things(battle, unit, battle.block(unit))]
    return ground.standing(battle, unit, block, ignoring=foreign, linger=linger, rule="t9a:15.I-placement")


def _reform(battle: Battle, unit: Unit, before: dict[str, set[int]], *, last: bool) -> Script[None]:
    judge = CombatReformJudge(battle, unit, before, last=last)
    was = yield from character_bases.anew(battle, unit)
    made: Stance | None = yield Place(
        unit.seat, "combat-reform.where", (unit.id,), judge, optional=True, rule="t9a:15.I-placement", about=(unit.id,)
    )
    if made is None:
        unit.reference = was
        return
    battle.put(unit, made.block)
    command.take(battle, unit, judge.posts)
    battle.engagements = tuple(e.turned(unit.id, made.side) for e in battle.engagements)
    battle.version += 1
    battle.tell("unit.combat-reformed", "t9a:15.I", (unit.id,), files=made.block.files, side=made.side.name.lower())
