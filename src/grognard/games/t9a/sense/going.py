"""Where to deploy and where to go."""

from __future__ import annotations

from typing import Any

from grognard.games.t9a.battle import TURNS, Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.sense.bouts import bout
from grognard.games.t9a.sense.fighting import far_off, unit_of
from grognard.games.t9a.sense.worth import shoots, standing
from grognard.kernel.formation.shapes import Side
from grognard.kernel.questions import Pick, Place

#: Shooters stand this far off, in inches, if they can.
KEEP = 16.0


def first(battle: Battle, question: Pick, answer: Any) -> float:
    return 1.0 if str(answer) == "first" else 0.5


def drop(battle: Battle, question: Pick, answer: Any) -> float:
    """t9a:10.B  Cheap units first, Characters last, nothing held back."""
    if answer is None or answer == "delay":
        return -1.0
    if answer == "characters":
        return -0.5
    unit = unit_of(battle, str(answer))
    return 0.0 if unit is None else 1.0 - unit.points / 2000


def join(battle: Battle, question: Pick, answer: Any) -> float:
    """t9a:21.B.b  In the biggest block that fights."""
    if not str(answer).startswith("in:"):
        return 0.2
    unit = unit_of(battle, str(answer)[3:])
    return 0.0 if unit is None else 0.3 + 0.01 * unit.troops - (0.3 if shoots(unit) else 0.0)


def next_unit(battle: Battle, question: Pick, answer: Any) -> float:
    """t9a:12.A  Everybody moves, those nearest to the enemy first."""
    if answer is None:
        return -1.0
    unit = unit_of(battle, str(answer))
    if unit is None:
        return 0.0
    return 1.0 - 0.005 * min((far_off(battle, unit, foe) for foe in battle.enemies(unit.seat)), default=50.0)


def _ahead(battle: Battle, unit: Unit) -> list[Unit]:
    """Enemies the unit looks at, nearest first."""
    return sorted(battle.enemies(unit.seat), key=lambda foe: far_off(battle, unit, foe))


def _hunts(battle: Battle, unit: Unit) -> bool:
    """Whether a unit seeks combat rather than a place to shoot from."""
    if not shoots(unit):
        return True
    near = _ahead(battle, unit)
    return bool(near) and bout(battle, unit, near[0]).net > 60


def kind(battle: Battle, question: Pick, answer: Any) -> float:
    """t9a:12.D  March while nobody is near; then advance; reform when the enemy is behind."""
    unit = unit_of(battle, question.about[0])
    if unit is None or unit.block is None:
        return 0.0
    what = str(answer) if answer is not None else "stay"
    near = _ahead(battle, unit)
    far = far_off(battle, unit, near[0]) if near else 99.0
    behind = bool(near) and near[0].block is not None and _sees_not(unit, near[0])
    if what.startswith("join:"):
        return 0.1 if unit.guests and unit.troops == 0 and far < 14 else -0.2
    if what == "reform":
        return 0.9 if behind else 0.05
    if not _hunts(battle, unit):
        return {"stay": 0.8, "advance": 0.9 if far > 24 else 0.3}.get(what, 0.0)
    if what in ("march", "fly-march"):
        return 0.95 if far > 2.2 * unit.profile.adv + 4 else 0.2
    return {"advance": 0.8, "fly": 0.82}.get(what, 0.1)


def _sees_not(unit: Unit, foe: Unit) -> bool:
    """Whether an enemy's middle lies behind the unit's front."""
    assert unit.block is not None and foe.block is not None
    return unit.block.boundary.local(foe.block.centre)[1] < unit.block.boundary.half_length


def place(battle: Battle, question: Place, name: str | None) -> float | None:
    """How good a placement looks by the name it was proposed under."""
    if name is None:
        return 0.05
    what, _, whom = name.partition(":")
    if question.name in ("deploy.where", "scout.where"):
        return _spot(question, name)
    unit = unit_of(battle, question.about[0]) if question.about else None
    if unit is None:
        return 0.5
    foe = unit_of(battle, whom) if whom else None
    if what in ("toward", "face") and foe is not None:
        return _toward(battle, unit, foe)
    shy = not _hunts(battle, unit)
    middle = {"stay": 0.45 if shy else 0.1, "forward": 0.4, "forward-half": 0.35, "best": 2.0, "exit": 0.6}
    return middle.get(what, 0.2)


def _spot(question: Place, name: str) -> float:
    """t9a:10.C  Forward and in the middle first: proposals are listed from the best place on."""
    names = list(question.judge.proposals())
    return 1.0 - names.index(name) / (len(names) + 1.0) if name in names else 0.0


def _toward(battle: Battle, unit: Unit, foe: Unit) -> float:
    """Towards whom one fares best against and gets at soonest; shooters only as near as they must."""
    far = far_off(battle, unit, foe)
    if not _hunts(battle, unit):
        return 0.5 - 0.01 * abs(far - KEEP)
    flank = unit.block is not None and foe.block is not None and _beside(unit, foe)
    gain = max(-1.0, min(1.0, bout(battle, unit, foe, Side.LEFT if flank else None).net / 100))
    late = 1.0 + 0.3 * battle.turn / TURNS
    return 0.6 + 0.5 * gain - 0.012 * far * late + 0.0003 * standing(battle, foe)


def _beside(unit: Unit, foe: Unit) -> bool:
    """Whether the unit stands where it would strike a flank or the rear."""
    assert unit.block is not None and foe.block is not None
    across, along = foe.block.boundary.local(unit.block.centre)
    return abs(across) > along
