"""Where to deploy and where to go."""

from __future__ import annotations

from math import inf
from typing import Any

from grognard.games.wfb3 import deployment, seating
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.sense import ground
from grognard.games.wfb3.sense.fighting import far_off, unit_of
from grognard.games.wfb3.sense.worth import edge, missile, points, shoots, standing
from grognard.kernel.formation.shapes import Side, turn_between
from grognard.kernel.geometry.units import MM_PER_INCH, bearing
from grognard.kernel.questions import Number, Pick, Place

#: How much better one must look than the enemy to seek him, for fighters and for shooters.
BOLD, BOLD_SHOOTER = -0.15, 0.45
#: Inches units leave between one another where they can.
ROOM = 2.0


def next_unit(battle: Battle, question: Pick, answer: Any) -> float:
    """wfb3:B.1  Everybody has his turn, those nearest to the enemy first."""
    if answer is None:
        return -1.0
    unit = unit_of(battle, str(answer))
    if unit is None or unit.block is None:
        return 0.0
    return 1.0 - 0.005 * min((far_off(battle, unit, foe) for foe in battle.enemies(unit)), default=50.0)


def foes_of(battle: Battle, unit: Unit) -> list[Unit]:
    """Enemies on the table, nearest first."""
    return sorted(battle.enemies(unit), key=lambda foe: far_off(battle, unit, foe))


def side_of(unit: Unit, foe: Unit) -> Side:
    """The side of an enemy a unit stands at, about."""
    assert unit.block is not None and foe.block is not None
    across, along = foe.block.boundary.local(unit.block.centre)
    if abs(across) > abs(along):
        return Side.RIGHT if across > 0 else Side.LEFT
    return Side.FRONT if along > 0 else Side.REAR


def hope(battle: Battle, unit: Unit, foe: Unit) -> float:
    """How a unit would fare against an enemy from where it stands."""
    if unit.block is None or foe.block is None:
        return -1.0
    return 0.8 if foe.routed else edge(battle, unit, foe, side_of(unit, foe))


def hunts(battle: Battle, unit: Unit) -> bool:
    """Whether a unit seeks combat: somebody not too far away is its prey."""
    bold = BOLD_SHOOTER if shoots(unit) else 0.3 if unit.kind == "character" else BOLD
    return any(hope(battle, unit, foe) > bold for foe in foes_of(battle, unit)[:4])


def kind(battle: Battle, question: Pick, answer: Any) -> float:
    """wfb3:5.6-list  Go on, or stand: to shoot, to reform, to fight on."""
    unit = unit_of(battle, question.about[0])
    what = str(answer)
    if unit is None or unit.block is None:
        return 0.5 if what == "move" else 0.0
    if battle.engaged(unit) or unit.disordered:
        return 1.0 if what == "stand" else 0.0
    if what == "ranks":
        return 0.95
    if what in ("fly", "take-off"):
        return 0.92
    if what == "move":
        return 0.9
    return {"stand": 0.5, "enter": 0.0}.get(what, 0.1)


def place(battle: Battle, question: Place, name: str | None) -> float | None:
    """How good a placement looks by the name it was proposed under."""
    if name is None:
        return 0.05
    if question.name in ("deploy.unit", "arrive.unit"):
        return _spot(battle, question, name)
    what, _, whom = name.partition(":")
    foe = unit_of(battle, whom) if whom else None
    if question.name in ("machine.aim", "machine.line"):
        return -0.2 if foe is None else 0.5 + standing(battle, foe) / 500
    if question.name == "charge.path":
        return {"best": 2.0, "toward": 1.0}.get(what, 0.5)
    unit = unit_of(battle, question.about[0]) if question.about else None
    if unit is None or unit.block is None or question.name.startswith("machine."):
        return 0.5 if what == "stay" else 0.1
    left = battle.limit - battle.turn
    if left > 2 or question.name not in ("move.path", "reserve.move"):
        return _go(battle, question, unit, what, foe)
    going = _go(battle, question, unit, what, foe) if left else 0.1 if what == "stay" else 0.0
    return going + ground.gain(battle, unit, question.judge, name) / 100


def _go(battle: Battle, question: Place, unit: Unit, what: str, foe: Unit | None) -> float:
    """wfb3:5.6  Towards one's prey; shooters into range, in one long line, and no further."""
    near = foes_of(battle, unit)
    weapon = missile(unit)
    if hunts(battle, unit):
        if foe is not None:
            return _toward(battle, unit, foe)
        return {"forward": 0.25, "stay": 0.15, "half": 0.1}.get(what, 0.0)
    if weapon is not None and near:
        far = far_off(battle, unit, near[0])
        assert unit.block is not None
        if what == "wider":
            early = question.name == "reserve.move" or far > weapon.range
            return 0.9 if unit.block.ranks > 1 and (early or battle.turn == 1) else 0.0
        if what == "stay":
            return 0.6
        if foe is not None:
            out = far_off(battle, unit, foe) > weapon.range
            blind = _behind(unit, near[0])
            return 0.8 - 0.004 * far_off(battle, unit, foe) if (foe is near[0] and (blind or out)) else 0.1
        return 0.05
    return 0.6 if what == "stay" else 0.3 if foe is not None and foe is near[0] and _behind(unit, foe) else 0.1


def _behind(unit: Unit, foe: Unit) -> bool:
    """Whether an enemy's middle lies outside what the unit looks at."""
    assert unit.block is not None and foe.block is not None
    x, y = foe.block.centre
    return abs(turn_between(unit.block.facing, bearing(x - unit.block.x, y - unit.block.y))) > 45.0


def _toward(battle: Battle, unit: Unit, foe: Unit) -> float:
    """Towards whom one fares best against and gets at soonest, who is dear and not yet beset by others."""
    far = far_off(battle, unit, foe)
    assert unit.block is not None and foe.block is not None
    x, y = foe.block.centre
    turn = abs(turn_between(unit.block.facing, bearing(x - unit.block.x, y - unit.block.y)))
    crowd = sum(1 for f in battle.friends(unit) if f.kind != "character" and far_off(battle, f, foe) < far - 0.5)
    gain = 0.5 * hope(battle, unit, foe) + 0.0004 * standing(battle, foe) + (0.2 if battle.engaged(foe) else 0.0)
    return 0.8 + gain - 0.012 * far - 0.002 * turn - 0.08 * min(3, crowd)


def _spot(battle: Battle, question: Place, name: str) -> float:
    """wfb3:25.1-zone  In the usual formation, forward, from the middle outwards, with room to wheel beside one."""
    word, number = name[:4], name[4:]
    unit = unit_of(battle, question.about[0])
    if not number.isdigit() or unit is None:
        return 0.1
    columns, rows = (48, 6) if word == "fine" else (12, 2)
    half, at = divmod(int(number), columns * rows)
    x, _, width, _ = deployment.zone(battle, unit.seat)
    across = x + width * (at % columns + 0.5) / columns
    back = at // columns / rows
    files = seating.usual_files(unit) // (2 if word == "wide" or half else 1)
    wide = max(1, files) * seating.troop_base(unit).width / 2
    room = inf
    part = int(across // (battle.table.width / 4))
    fresh = unit.kind != "character"
    for friend in battle.army(unit.seat):
        if friend.block is not None:
            fresh = fresh and int(friend.block.x // (battle.table.width / 4)) != part
            room = min(room, abs(friend.block.x - across) - friend.block.width / 2 - wide)
    tight = max(0.0, ROOM - room / MM_PER_INCH)
    whole = 0.5 if word != "wide" and not half else 0.0
    return (
        1.0
        + whole
        - 0.3 * abs((across - x) / width - 0.5)
        - 0.35 * back
        - 0.1 * min(tight, 4.0)
        + (0.3 if fresh else 0.0)
    )


def way(battle: Battle, question: Number, answer: Any) -> float:
    """wfb3:7.4.1-withdraw  Away from the nearest enemy, looking back at him."""
    unit = unit_of(battle, question.about[0]) if question.about else None
    if unit is None or unit.block is None or not battle.enemies(unit):
        return 0.0
    foe = foes_of(battle, unit)[0]
    assert foe.block is not None
    x, y = foe.block.centre
    toward = bearing(x - unit.block.x, y - unit.block.y)
    off = abs(turn_between(toward, float(answer)))
    return off if question.name == "move.bearing" else -off


def join(battle: Battle, question: Pick, answer: Any) -> float:
    """wfb3:14.6.3-attach  With the strongest."""
    if answer is None:
        return 0.0
    unit = unit_of(battle, str(answer).rpartition(":")[2])
    return 0.5 if unit is None else 0.5 + points(battle, unit) / 1000
