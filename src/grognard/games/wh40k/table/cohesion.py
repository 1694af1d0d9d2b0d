"""Chapter 1.6: Unit Coherency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from grognard.games.wh40k.battle import Battle, up
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.positions import EPS, UPWARD
from grognard.games.wh40k.terrain import elevation
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.coherency import Coherency, coherency, round_gaps
from grognard.kernel.geometry.gaps import gap_matrix
from grognard.kernel.geometry.units import inches

LINK = inches(2)
LARGE = 7
GROUP = "wh40k:1.6.3-group"


def least_links(count: int) -> int:
    """wh40k:1.6.1-small, wh40k:1.6.2-large  How many others each model must be near."""
    return 2 if count >= LARGE else 1


def rule_for(count: int) -> str:
    return "wh40k:1.6.2-large" if count >= LARGE else "wh40k:1.6.1-small"


def refusal(unit: Unit, count: int, *also: str) -> Refusal:
    """wh40k:1.6.1-small, wh40k:1.6.2-large, wh40k:1.6.3-group
    A unit that would not be in coherency; `also` asks for it here."""
    return Refusal("refuse.coherency", rule_for(count), {"unit": unit.id}, (GROUP, *also))


def judge(battle: Battle, models: Sequence[Model], ends: Mapping[str, Pose] | None = None, size: int = 0) -> Coherency:
    """wh40k:1.6.3-group  How these models hang together, some of them where `ends` says. `size`: judged as so many."""
    poses = [(ends or {}).get(m.id) or battle.pose(m) for m in models]
    x, y = np.array([p.x for p in poses]), np.array([p.y for p in poses])
    if battle.bodies.outlines.all_round:
        gaps = round_gaps(x, y, np.array([battle.radius(m) for m in models]))
    else:
        bases = [battle.bodies.base(m.body) for m in models]
        gaps = gap_matrix(bases, poses, bases, poses)
    z = np.array([elevation(battle.table, p) for p in poses])
    over = z[:, None] - z - np.array([up(m) for m in models])
    gaps[np.maximum(over, over.T) > UPWARD + EPS] = np.inf
    return coherency(gaps, LINK, least_links(size or len(models)))


def holds(battle: Battle, unit: Unit, ends: Mapping[str, Pose] | None = None) -> bool:
    """wh40k:1.6.1-small, wh40k:1.6.2-large, wh40k:1.6.3-group
    Whether a unit is in coherency; a single model always is."""
    members = battle.members(unit)
    if len(members) < 2:
        return True
    battle.cite(rule_for(len(members)), GROUP)
    return judge(battle, members, ends).holds
