"""t9a:11.E.d-p2, t9a:11.E.f  Several units charging one: in which order and to which places they move.

An arrangement is found by search: every order, and for each unit but the last the places that leave the others most
room, until nothing better is possible.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge import charge_contacts, charge_search
from grognard.games.t9a.charge.charge_search import Contact
from grognard.games.t9a.forces import Unit
from grognard.kernel.formation.charging.align import Laying
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.geometry.units import TOUCH

#: Charges looked at before the best arrangement found so far is taken.
EFFORT = 60
#: Layouts of several chargers along one side that are tried.
LAYOUTS = 40
#: Orders looked at when many units charge one.
ORDERS = 120


class Step(msgspec.Struct, frozen=True):
    """One unit's part of an arrangement: who, and the contact it makes."""

    unit: str
    contact: Contact


class Arrangement(msgspec.Struct, frozen=True):
    """Who moves in which order, and how good the whole is: units, the target's turn, models (t9a:11.E.d)."""

    steps: tuple[Step, ...] = ()
    turned: float = 0.0
    models: float = 0.0

    @property
    def rank(self) -> tuple[float, ...]:
        """Smaller is better: t9a:11.E.d-p2, then p3, then p4."""
        return (-len(self.steps), round(self.turned, 2), -self.models)

    def with_step(self, unit: Unit, contact: Contact) -> Arrangement:
        return Arrangement(
            (*self.steps, Step(unit.id, contact)),
            self.turned + abs(contact.target_turned),
            self.models + contact.score[0],
        )


def arrange(battle: Battle, target: Unit, units: Sequence[Unit]) -> Arrangement:
    """t9a:11.E.f-order  The best arrangement of the units that can reach the target."""
    if len(units) < 2:
        found = [c for u in units if (c := charge_contacts.contact(battle, u, target)) is not None]
        return Arrangement().with_step(units[0], found[0]) if found else Arrangement()
    battle.cite("t9a:11.E.d-p2", "t9a:11.E.d-p4")
    search = _Search(battle, target, [u.id for u in units])
    return search.run()


def led(battle: Battle, target: Unit, units: Sequence[Unit], lead: Unit, plan: Arrangement) -> Arrangement | None:
    """t9a:11.E.f-order  An arrangement as good as the plan in which a certain unit moves first, if there is one."""
    search = _Search(battle, target, [u.id for u in units], lead.id)
    found = search.run(plan.rank)
    return found if found.rank <= plan.rank else None


def placed(battle: Battle, unit_id: str, target_id: str, contact: Contact) -> Battle:
    """The battle as it would be with the unit in contact."""
    trial = battle.copy()
    unit, target = trial.units[unit_id], trial.units[target_id]
    trial.put(unit, contact.charger)
    trial.put(target, contact.target)
    unit.charge = unit.charge.but(done=True)
    trial.engage(unit, Edge.FRONT, target, contact.side)
    return trial


class Layout(NamedTuple):
    """Chargers flush with a side, each at its offset, and how many models of both sides touch."""

    offsets: tuple[tuple[str, float], ...]
    models: float


def layouts(battle: Battle, target: Unit, side: Edge, keys: Sequence[str]) -> list[Layout]:
    """t9a:11.E.d-p2, t9a:11.E.d-p4  Ways to stand beside each other at one side: most units first, then most models."""
    box = battle.block(target)
    blocks = {k: battle.block(battle.units[k]) for k in keys}
    if box.is_round or any(b.is_round for b in blocks.values()):
        return []
    busy = charge_search.busy(battle, target, side)
    rows = {k: Laying(b, box, side) for k, b in blocks.items()}
    spots = {k: _telling(row) for k, row in rows.items()}
    found: list[Layout] = []

    def add(order: Sequence[str], done: tuple[tuple[str, float], ...], ours: int, theirs: frozenset[int]) -> None:
        if not order:
            found.append(Layout(done, float(ours + len(theirs - busy))))
            return
        key, low = order[0], -math.inf
        if done:
            low = done[-1][1] + (blocks[done[-1][0]].width + blocks[key].width) / 2
        for offset in ([low] if done else []) + [o for o in spots[key] if o > low + TOUCH]:
            lay = rows[key].at(offset)
            if abs(offset) <= rows[key].limit and lay.meeting.pairs and len(found) < 20_000:
                add(
                    order[1:],
                    (*done, (key, offset)),
                    ours + len(lay.meeting.ours),
                    theirs | frozenset(lay.meeting.theirs),
                )

    for count in range(len(keys), 1, -1):
        for order in itertools.islice(itertools.permutations(keys, count), ORDERS):
            add(order, (), 0, frozenset())
        if found:
            break
    return sorted(found, key=lambda layout: (-len(layout.offsets), -layout.models))


def _telling(row: Laying) -> list[float]:
    """Of all offsets with the same contact the outermost two."""
    ends: dict[tuple[tuple[int, int], ...], list[float]] = {}
    for offset in row.offsets():
        ends.setdefault(row.at(offset).meeting.pairs, []).append(offset)
    return sorted({o for found in ends.values() for o in (found[0], found[-1])})


class _Search:
    """The search for an arrangement: first every unit takes its best place in turn, then those that leave room."""

    def __init__(self, battle: Battle, target: Unit, units: list[str], lead: str = "") -> None:
        self.battle, self.target, self.units = battle, target.id, units
        self.lead = lead  # who must move first
        self.best = Arrangement()
        self.effort = EFFORT
        self.most = {u: self._alone(u) for u in units}

    def _alone(self, key: str) -> float:
        found = charge_contacts.contact(self.battle, self.battle.units[key], self.battle.units[self.target])
        return found.score[0] if found is not None else float(self.battle.size(self.battle.units[key]))

    def _orders(self) -> Iterator[tuple[str, ...]]:
        every = itertools.permutations(self.units)
        return itertools.islice((o for o in every if not self.lead or o[0] == self.lead), ORDERS)

    def run(self, enough: tuple[float, ...] | None = None) -> Arrangement:
        """The best arrangement, or the first that is good enough."""
        self.effort = 3 * EFFORT
        for order in self._orders():
            self._take(self.battle, order, Arrangement(), greedy=True)
            if enough is not None and self.best.rank <= enough:
                return self.best
        self.effort = EFFORT
        if not self._cannot_better(Arrangement(), self.units) and not self._side_by_side():
            for order in self._orders():
                self._take(self.battle, order, Arrangement(), greedy=False)
        return self.best

    def _side_by_side(self) -> bool:
        """Chargers of one side laid beside each other as well as can be, then looked how they could come there; True
        where nothing better is to be had.
        """
        target = self.battle.units[self.target]
        sides: dict[Edge, list[str]] = {}
        for key in self.units:
            sides.setdefault(self.battle.units[key].charge.aim.side, []).append(key)
        many, models = 0, 0.0
        for side, keys in sides.items():
            found = layouts(self.battle, target, side, keys) if len(keys) > 1 else []
            rest = [k for k in self.units if k not in keys]
            for layout in found[:LAYOUTS]:
                if self._come_to(layout, rest):
                    break
            many += len(found[0].offsets) if found else len(keys)
            models += found[0].models if found else sum(self.most[k] for k in keys)
        return self.best.rank <= (-many, 0.0, -models)

    def _come_to(self, layout: Layout, rest: Sequence[str]) -> bool:
        """Try to reach a layout in every order; True where that was possible or is not worth it."""
        hope = (-(len(layout.offsets) + len(rest)), 0.0, -(layout.models + sum(self.most[k] for k in rest)))
        if hope >= self.best.rank:
            return True
        for order in itertools.permutations(layout.offsets):
            if self.lead and order[0][0] != self.lead:
                continue
            trial, so_far = self.battle, Arrangement()
            for key, offset in order:
                unit, target = trial.units[key], trial.units[self.target]
                contact = charge_contacts.contact_at(trial, unit, target, offset)
                if contact is None:
                    break
                so_far = so_far.with_step(unit, contact)
                trial = placed(trial, key, self.target, contact)
            else:
                self.effort = EFFORT
                self._take(trial, rest, so_far, greedy=True)
                return True
        return False

    def _cannot_better(self, so_far: Arrangement, left: Sequence[str]) -> bool:
        """Whether even the best that is left could not beat what was found."""
        hope = (
            -(len(so_far.steps) + len(left)),
            round(so_far.turned, 2),
            -(so_far.models + sum(self.most[u] for u in left)),
        )
        return hope >= self.best.rank

    def _take(self, trial: Battle, left: Sequence[str], so_far: Arrangement, *, greedy: bool) -> None:
        if so_far.rank < self.best.rank and (not self.lead or so_far.steps[0].unit == self.lead):
            self.best = so_far
        if not left or self.effort <= 0 or self._cannot_better(so_far, left):
            return
        key, rest = left[0], left[1:]
        unit, target = trial.units[key], trial.units[self.target]
        for contact in self._places(trial, unit, target, one=greedy or not rest):
            after = so_far.with_step(unit, contact)
            self._take(placed(trial, key, self.target, contact), rest, after, greedy=greedy)
        if not greedy:
            self._take(trial, rest, so_far, greedy=False)

    def _places(self, trial: Battle, unit: Unit, target: Unit, *, one: bool) -> Iterator[Contact]:
        self.effort -= 1
        if one:
            found = charge_contacts.contact(trial, unit, target)
            if found is not None:
                yield found
            return
        yield from roomy(charge_contacts.contacts(trial, unit, target))


def roomy(found: Sequence[Contact]) -> list[Contact]:
    """Of all places with the same contact the outermost on either hand, best contact first."""
    chosen: dict[float, list[Contact]] = {}
    for contact in found:
        chosen.setdefault(contact.score[0], []).append(contact)
    picked: list[Contact] = []
    for score in sorted(chosen, reverse=True):
        ends = [chosen[score][0]]
        along = sorted(chosen[score], key=_across)
        ends += [c for c in (along[0], along[-1]) if c not in ends]
        picked += ends
    return picked


def _across(contact: Contact) -> float:
    """Where along the charged side the charger stands."""
    face = contact.target.boundary
    outlook = face._replace(facing=face.outward(contact.side))
    return float(outlook.local(contact.charger.boundary.centre)[0])
