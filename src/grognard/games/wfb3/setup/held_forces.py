"""Chapter 25.2: forces noted in secret before the battle: an advance force, reserves, and what may lead them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Force, Model, Unit
from grognard.games.wfb3.rolls import stats
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Number, Option, Pick, Script

#: wfb3:25.2.3-reserve-force  A stretch of table edge.
SEGMENT = inches(24)
#: wfb3:25.2.6-int
WITS = 5
#: wfb3:25.2.3-reserve-force, 25.2.4-flank  The first turn ordered: own edge, a side edge, the enemy's.
OWN, SIDE, ENEMY = 2, 4, 5


class Entry(NamedTuple):
    """A stretch of table edge: which edge, its number, from where to where along it (mm)."""

    edge: str
    segment: int
    low: float
    high: float


def entries(battle: Battle, seat: str, *, outflanking: bool) -> list[Entry]:
    """wfb3:25.2.3-reserve-force, wfb3:25.2.4-flank  Where a force may be told to come in."""
    own = battle.sides[seat].edge
    far = "north" if own == "south" else "south"
    found = _stretches(own, battle.table.width)
    if outflanking:
        found += _stretches("west", battle.table.height) + _stretches("east", battle.table.height)
        half = battle.table.width / 2
        found += [Entry(far, 1, 0.0, half), Entry(far, 2, half, 2 * half)]
    return found


def _stretches(edge: str, length: float) -> list[Entry]:
    count = max(1, round(length / SEGMENT))
    return [Entry(edge, n + 1, length * n / count, length * (n + 1) / count) for n in range(count)]


def earliest(battle: Battle, seat: str, edge: str) -> int:
    if edge == battle.sides[seat].edge:
        return OWN
    return SIDE if edge in ("west", "east") else ENEMY


def note(battle: Battle, seat: str) -> Script[None]:
    """wfb3:25.2.1-advance-secret, wfb3:25.2.3-reserve-force  One side's notes, told to nobody else."""
    chosen = yield from _advance(battle, seat)
    battle.sides[seat].advance = tuple(u.id for u in chosen)
    battle.tell("forces.advance", "wfb3:25.2.1-advance-secret", battle.sides[seat].advance, seats=(seat,))
    while True:
        force = yield from _reserve(battle, seat)
        if force is None:
            battle.tell("forces.noted", "wfb3:25.2.1-advance-secret", (seat,))
            return
        _add(battle, seat, force)


def _waiting(battle: Battle, seat: str) -> list[Unit]:
    taken = {*battle.sides[seat].advance, *(u for f in battle.sides[seat].reserves for u in f.units)}
    return [u for u in battle.units.values() if u.seat == seat and u.where == "undeployed" and u.id not in taken]


def _advance(battle: Battle, seat: str) -> Script[Sequence[Unit]]:
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    for unit in _waiting(battle, seat):
        facts = {"unit": unit.id}
        if unit.profile.Int < WITS:
            barred[unit.id] = Refusal("refuse.force.wits", "wfb3:25.2.6-int", facts)
        elif flies(unit) and not any(flies(battle.units[m.home]) for m in chiefs(battle, unit)):
            barred[unit.id] = Refusal("refuse.force.flyers", "wfb3:25.2.5-flyers", facts)
        else:
            options.append(Option(unit.id, unit, about=(unit.id,)))
    if not options and not barred:
        return ()
    chosen: Sequence[Unit] = yield Pick(
        seat,
        "forces.advance",
        options,
        least=0,
        most=len(options),
        barred=barred,
        rule="wfb3:25.2.1-advance-secret",
        secret=True,
    )
    return chosen if isinstance(chosen, tuple | list) else (chosen,) if chosen is not None else ()


def flies(unit: Unit) -> bool:
    """wfb3:25.2.5-flyers"""
    return (unit.mount or unit.profile).flight is not None


def chiefs(battle: Battle, unit: Unit) -> list[Model]:
    """The characters of a unit, or the character himself."""
    return battle.characters(unit)


def _reserve(battle: Battle, seat: str) -> Script[Force | None]:
    """wfb3:25.2.3-reserve-force, wfb3:25.2.6-int  A character with Int 5 or more, his units, where and when."""
    rule = "wfb3:25.2.3-reserve-force"
    waiting = _waiting(battle, seat)
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    for model in [m for u in waiting for m in chiefs(battle, u)]:
        if model.profile.Int < WITS:
            barred[model.id] = Refusal("refuse.force.wits", "wfb3:25.2.6-int", {"unit": model.id})
        else:
            options.append(Option(model.id, model, about=(model.id,)))
    if not options:
        return None
    leader = yield Pick(seat, "forces.leader", options, optional=True, barred=barred, rule=rule, secret=True)
    if leader is None:
        return None
    battle.cite("wfb3:25.2.6-int")
    with_him = [u for u in waiting if leader.id in u.models]
    others = [u for u in waiting if u not in with_him]
    winged = [u for u in others if flies(u) and not flies(battle.units[leader.home])]
    chosen: Sequence[Unit] = ()
    if others:
        chosen = yield Pick(
            seat, "forces.units", [Option(u.id, u, about=(u.id,)) for u in others if u not in winged], least=0,
            most=len(others) - len(winged), rule=rule, about=(leader.id,), secret=True,
            barred={u.id: Refusal("refuse.force.flyers", "wfb3:25.2.5-flyers", {"unit": u.id}) for u in winged},
        )  # fmt: skip
        chosen = chosen if isinstance(chosen, tuple | list) else (chosen,) if chosen is not None else ()
    units = [*with_him, *chosen]
    if all(u.kind == "character" for u in units):
        battle.tell("forces.none", rule, (leader.id,), seats=(seat,))
        return Force(leader.id, (), "", 0, 0)
    entry = yield from _entry(battle, seat, entries(battle, seat, outflanking=False), rule, leader.id)
    turn = yield Number(
        seat,
        "forces.turn",
        earliest(battle, seat, entry.edge),
        max(battle.limit, OWN),
        rule=rule,
        about=(leader.id,),
        secret=True,
    )
    return Force(leader.id, tuple(u.id for u in units), entry.edge, entry.segment, int(turn))


def _entry(battle: Battle, seat: str, found: Sequence[Entry], rule: str, leader: str) -> Script[Entry]:
    options = [
        Option(f"{e.edge}-{e.segment}", e, "option.forces.entry", data={"edge": e.edge, "segment": e.segment})
        for e in found
    ]
    chosen: Entry = yield Pick(seat, "forces.entry", options, rule=rule, about=(leader,), secret=True)
    return chosen


def _add(battle: Battle, seat: str, force: Force) -> None:
    if not force.units:
        return
    side = battle.sides[seat]
    side.reserves = (*(f for f in side.reserves if f.leader != force.leader), force)
    for key in force.units:
        battle.units[key].where = "held"
    battle.tell(
        "forces.reserve", "wfb3:25.2.3-reserve-force", (force.leader, *force.units), seats=(seat,), edge=force.edge,
        segment=force.segment, turn=force.turn,
    )  # fmt: skip


def outflank(battle: Battle, seat: str) -> Script[None]:
    """wfb3:25.2.4-flank  Reserves of the side with the faster advance force may be sent round instead."""
    rule = "wfb3:25.2.4-flank"
    for force in battle.sides[seat].reserves:
        options = [Option("keep", False, "option.forces.keep"), Option("round", True, "option.forces.round")]
        if not (yield Pick(seat, "forces.outflank", options, rule=rule, about=(force.leader,), secret=True)):
            continue
        found = [e for e in entries(battle, seat, outflanking=True) if e.edge != battle.sides[seat].edge]
        entry = yield from _entry(battle, seat, found, rule, force.leader)
        first = earliest(battle, seat, entry.edge)
        turn = yield Number(
            seat, "forces.turn", first, max(battle.limit, first), rule=rule, about=(force.leader,), secret=True
        )
        _add(battle, seat, force._replace(edge=entry.edge, segment=entry.segment, turn=int(turn)))
    if battle.sides[seat].reserves:
        battle.tell("forces.noted", rule, (seat,))


def slowest(battle: Battle, seat: str) -> float | None:
    """wfb3:25.2.1-advance-deploy  The lowest M in an advance force, which its player announces."""
    units = [battle.units[u] for u in battle.sides[seat].advance]
    return min((float(stats.move(battle, u).value) for u in units), default=None)
