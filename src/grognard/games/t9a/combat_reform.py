"""t9a:15.I  Combat Reforms: engaged units rearrange themselves without letting go of the enemy."""

from __future__ import annotations

from typing import Any

from grognard.games.t9a import breaking, contacts, ground, moves, psychology, seating
from grognard.games.t9a.aftermath import march_limit
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge_plans import contact_numbers
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.ground import HALF_INCH
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.changes import displacements
from grognard.kernel.formation.contact import meeting
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import TOUCH
from grognard.kernel.questions import Pick, Place, Script, option


def eligible(battle: Battle, unit: Unit) -> Refusal | None:
    """t9a:15.I-eligible  Engaged on one side only, and not with or as a round War Machine."""
    sides = {ours for _, ours, _ in battle.foes(unit)}
    if len(sides) > 1:
        return Refusal("refuse.combat-reform.sides", "t9a:15.I-eligible", {"unit": unit.id})
    if battle.block(unit).is_round or any(battle.block(f).is_round for f, _, _ in battle.foes(unit)):
        return Refusal("refuse.combat-reform.round", "t9a:21.A.b.23-round", {"unit": unit.id}, ("t9a:15.I-eligible",))
    return None


def all_of(battle: Battle, units: list[Unit], winners: list[str], margin: int) -> Script[None]:
    """t9a:15.I, 15.I-test, 15.I-order  Tests of the losers first; then one player does all of his, then the other."""
    ready: list[Unit] = []
    for unit in units:
        if (
            unit.where != "table"
            or not battle.engaged(unit)
            or unit.fleeing
            or unit.newly_engaged
            or eligible(battle, unit) is not None
        ):
            continue
        ready.append(unit)
    if not ready:
        return
    wishes = yield from _wishes(battle, ready)
    passed: list[Unit] = []
    for unit in wishes:
        if unit.seat in winners or len(winners) > 1 or (yield from _test(battle, unit, margin)):
            passed.append(unit)
    first = battle.active
    if len({u.seat for u in passed}) > 1:
        first = yield Pick(
            battle.active, "combat-reform.first", [option(s, about=(s,)) for s in battle.seats], rule="t9a:15.I-order"
        )
    for seat in (first, battle.other(first)):
        before = _touching_now(battle, [u for u in units if u.where == "table" and u.seat != seat])
        for unit in [u for u in passed if u.seat == seat]:
            yield from _reform(battle, unit, before)


def _wishes(battle: Battle, ready: list[Unit]) -> Script[list[Unit]]:
    """Which units want to reform, asked of each owner once."""
    found: list[Unit] = []
    for seat in (battle.active, battle.reactive):
        own = [u for u in ready if u.seat == seat]
        if not own:
            continue
        picked = yield Pick(
            seat,
            "combat-reform.who",
            [option(u.id, u, about=(u.id,)) for u in own],
            least=0,
            most=len(own),
            rule="t9a:15.I",
        )
        found += list(picked) if isinstance(picked, tuple) else [picked] if picked is not None else []
    return found


def _test(battle: Battle, unit: Unit, margin: int) -> Script[bool]:
    """t9a:15.I-test  With the same penalty as the Break Test."""
    mods = breaking.penalty(battle, unit, margin)
    return (yield from psychology.test(battle, unit, "combat-reform", "t9a:15.I-test", mods=mods))


def _touching_now(battle: Battle, enemies: list[Unit]) -> dict[str, set[int]]:
    return {u.id: contacts.touching_numbers(battle, u) for u in enemies}


class CombatReformJudge:
    """t9a:15.I-placement, 15.I-after  A unit lifted and set back: same contacts, nobody too far, nobody left out."""

    def __init__(self, battle: Battle, unit: Unit, before: dict[str, set[int]]) -> None:
        self.battle, self.unit, self.before = battle, unit, before
        self.limit = march_limit(battle, unit)

    def decode(self, wire: Any) -> Block:
        block = self._read(wire)
        refusal = self.refusal(block)
        if refusal is not None:
            raise Refused(refusal)
        return block

    def _read(self, wire: Any) -> Block:
        bad = Refused(Refusal("refuse.not-a-path", "t9a:15.I-placement", {"why": "spot"}))
        if not isinstance(wire, dict) or not set(wire) <= {"files", "shift", "seats"}:
            raise bad
        now = self.battle.block(self.unit)
        files, shift = wire.get("files", now.files), wire.get("shift", 0.0)
        if (
            isinstance(files, bool)
            or not isinstance(files, int)
            or isinstance(shift, bool)
            or not isinstance(shift, int | float)
        ):
            raise bad
        wants = moves.read_seats(self.battle, self.unit, wire.get("seats") or {}, "t9a:15.I-placement")
        made = seating.shaped(self.battle, self.unit, files, wants)
        if made is None:
            raise Refused(Refusal("refuse.reform.formation", "t9a:3.B", {"unit": self.unit.id, "files": files}))
        return self._against(made, float(shift))

    def _against(self, made: Block, shift: float) -> Block:
        """The new formation with its engaged side on the same line, moved along it by `shift` mm to its own right."""
        now = self.battle.block(self.unit)
        side = self.battle.foes(self.unit)[0][1]
        box = now.boundary
        if side is Edge.FRONT:
            middle = box.at(shift, box.half_length)
            return made.placed(middle, now.facing)
        placed = made.placed(now.front, now.facing)
        new = placed.boundary
        goal, have = box.middle(side), new.middle(side)
        return placed.placed((placed.x + goal[0] - have[0], placed.y + goal[1] - have[1]), now.facing)

    def refusal(self, block: Block) -> Refusal | None:
        battle, unit = self.battle, self.unit
        facts = {"unit": unit.id}

        def no(code: str) -> Refusal:
            return Refusal(f"refuse.combat-reform.{code}", "t9a:15.I-placement", facts)

        if max(displacements(battle.block(unit), block)) > self.limit + TOUCH:
            return no("far")
        foes = battle.foes(unit)
        friends = [k for k in battle.combat if k != unit.id]
        near = ground.standing(
            battle,
            unit,
            block,
            spacing=HALF_INCH,
            ignoring=[f.id for f, _, _ in foes],
            linger=friends,
            rule="t9a:15.I-placement",
        )
        if near is not None:
            return near
        count, touched = 0, set()
        for foe, ours, theirs in foes:
            if gap(block.outline, battle.block(foe).outline) > 2 * TOUCH:
                return no("contact")
            met = meeting(block, ours, battle.block(foe), theirs)
            if not met.pairs:
                return no("contact")
            touched |= set(met.ours)
            count += len(met.ours)
            if not self._still_met(foe, set(met.theirs)):
                return Refusal("refuse.combat-reform.left-out", "t9a:15.I-after", facts)
        if len(touched) < len(contacts.touching_numbers(battle, unit)):
            return no("fewer")
        for model in battle.characters(unit):
            number = next(iter(battle.numbers(unit, model.id)))
            if number in contacts.touching_numbers(battle, unit) and number not in touched:
                return no("character")
        return None

    def _still_met(self, foe: Unit, met: set[int]) -> bool:
        """t9a:15.I-after  Every enemy model that was in contact still is, with this unit or another."""
        battle = self.battle
        others = set()
        for other, ours, theirs in battle.foes(foe):
            if other.id != self.unit.id:
                others |= set(contact_numbers(battle, foe, ours, other, theirs).ours)
        return self.before.get(foe.id, set()) <= met | others

    def encode(self, wire: Any) -> Any:
        self._read(wire)
        return dict(wire)

    def proposals(self) -> list[str]:
        return ["wider-left", "wider", "wider-right", "left", "right", "narrower"]

    def propose(self, name: str) -> Any:
        now = self.battle.block(self.unit)
        files = now.files + {"w": 1, "n": -1}.get(name[0], 0)
        cell = now.base.width
        shift = {"wider-left": -cell / 2, "wider-right": cell / 2, "left": -cell, "right": cell}.get(name, 0.0)
        wire = {"files": files, "shift": round(shift, 3)}
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire


def _reform(battle: Battle, unit: Unit, before: dict[str, set[int]]) -> Script[None]:
    judge = CombatReformJudge(battle, unit, before)
    block = yield Place(
        unit.seat, "combat-reform.where", (unit.id,), judge, optional=True, rule="t9a:15.I-placement", about=(unit.id,)
    )
    if block is not None:
        battle.put(unit, block)
        battle.tell("unit.combat-reformed", "t9a:15.I", (unit.id,), files=block.files)
