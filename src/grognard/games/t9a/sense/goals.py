"""t9a:9.E  What a place is worth for the Secondary Objective, in points."""

from __future__ import annotations

from grognard.games.t9a.battle import TURNS, Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.scoring import objectives
from grognard.games.t9a.sense.worth import shoots
from grognard.games.t9a.table import zones
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import disc, piece_outline
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import MM_PER_INCH

#: What being there is worth in the first turn and in the last, and the share of it an inch on the way costs.
EARLY, LATE = 30.0, 300.0
INCH = 0.05
#: t9a:9.E.1, 9.E.6  Near enough, in inches; a little inside, so as not to stand on the edge of it.
NEAR = 5.5
#: How fast it grows: what counts from the second turn on, or must be carried off, early; the rest towards the end.
EAGER, PATIENT = 0.5, 1.5
#: t9a:9.E  How much the nearest unit is wanted there, the next one, and so on.
WANTED = {1: (1.0, 0.9, 0.5), 2: (1.0, 1.0, 0.6), 4: (1.0, 0.2, 0.05), 6: (1.0, 0.7, 0.2, 0.05)}


def pull(battle: Battle, unit: Unit, block: Block) -> float:
    """What standing there does for the objective."""
    if not objectives.scoring(battle, unit):
        return 0.0
    far = _away(battle, unit, block)
    if far is None:
        return 0.0
    late: float = (battle.turn / TURNS) ** (EAGER if battle.objective in (1, 3) else PATIENT)
    weight = (EARLY + (LATE - EARLY) * late) * _wanted(battle, unit)
    if shoots(unit) and battle.turn < TURNS - 1:
        weight *= 0.3
    return weight if far <= 0.0 else weight * max(-1.0, -0.1 - INCH * far)


def _wanted(battle: Battle, unit: Unit) -> float:
    """How much a unit is wanted there: those who are nearest, as many as it takes."""
    shares = WANTED.get(battle.objective, (1.0,))
    away = {
        friend.id: battle.remember(("goal", friend.id), lambda f=friend: _away(battle, f, battle.block(f)))
        for friend in battle.army(unit.seat)
        if friend.block is not None and objectives.scoring(battle, friend)
    }
    own = away.pop(unit.id, None)
    nearer = sum(far is not None and own is not None and (far, key) < (own, unit.id) for key, far in away.items())
    return shares[min(nearer, len(shares) - 1)]


def _away(battle: Battle, unit: Unit, block: Block) -> float | None:
    """Inches still to go; None where there is nothing to go to."""
    kind, seat = battle.objective, unit.seat
    if kind == 1:
        x, y = zones.middle(battle)
        return gap(block.outline, disc(x, y, 0.0)) / MM_PER_INCH - NEAR
    if kind == 2:
        zone = zones.polygon(battle, battle.other(seat))
        return float(zone.distance(zones.footprint(block))) / MM_PER_INCH
    if kind == 3 and not unit.scoring.marker:
        loose = [c for c in battle.counters if c.bearer is None]
        return min((gap(block.outline, disc(c.x, c.y, 0.0)) / MM_PER_INCH for c in loose), default=None)
    if kind == 4 and battle.sides[battle.other(seat)].feature:
        piece = battle.table.piece(battle.sides[battle.other(seat)].feature)
        return float(gap(block.outline, piece_outline(piece))) / MM_PER_INCH
    if kind == 6:
        spots = [gap(block.outline, disc(c.x, c.y, 0.0)) / MM_PER_INCH - NEAR for c in battle.counters]
        return min(spots, default=None)
    return None
