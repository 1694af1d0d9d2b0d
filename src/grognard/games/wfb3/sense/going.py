"""Where to deploy and where to go."""

from __future__ import annotations

from math import inf
from typing import Any

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.psychology import animosity, fear
from grognard.games.wfb3.sense import ahead, discord, ground
from grognard.games.wfb3.sense.fighting import CAUTION, far_off, unit_of
from grognard.games.wfb3.sense.worth import edge_of, fight, missile, points, shoots, standing, volley
from grognard.games.wfb3.setup import deployment_places
from grognard.games.wfb3.table import seating
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Side, turn_between
from grognard.kernel.geometry.units import MM_PER_INCH, bearing
from grognard.kernel.questions import Number, Pick, Place

#: How much better one must look than the enemy to seek him, for fighters and for shooters.
BOLD, BOLD_SHOOTER = -0.15, 0.45
#: Inches units leave between one another where they can.
ROOM = 2.0
#: What it costs to deploy behind others.
BEHIND = 0.6
#: What is left of a plan that begins with turning one's back or one's side.
TURNS = {"right": 0.75, "left": 0.75, "about": 0.85, "back": 0.8}
#: What is left of a prize one gets at a turn later, and how much the second best prize counts.
DELAY, SECOND = 0.7, 0.3


def next_unit(battle: Battle, question: Pick, answer: Any) -> float:
    """Chapter B.1: everybody has his turn, those nearest to the enemy first."""
    if answer is None:
        return -1.0
    unit = unit_of(battle, str(answer))
    if unit is None or unit.block is None:
        return 0.0
    return 1.0 - 0.005 * min((far_off(battle, unit, foe) for foe in battle.enemies(unit)), default=50.0)


def foes_of(battle: Battle, unit: Unit) -> list[Unit]:
    """Enemies on the table, nearest first."""
    return sorted(battle.enemies(unit), key=lambda foe: far_off(battle, unit, foe))


def side_of(block: Block, foe: Unit) -> Side:
    """The side of an enemy a unit stands at, about."""
    assert foe.block is not None
    across, along = foe.block.boundary.local(block.centre)
    if abs(across) > abs(along):
        return Side.RIGHT if across > 0 else Side.LEFT
    return Side.FRONT if along > 0 else Side.REAR


def hope(battle: Battle, unit: Unit, foe: Unit) -> float:
    """How a unit would fare against an enemy from where it stands."""
    if unit.block is None or foe.block is None:
        return -1.0
    return 0.0 if foe.rout.routed else edge_of(*_fares(battle, unit, foe, side_of(unit.block, foe)))


def _fares(battle: Battle, unit: Unit, foe: Unit, side: Side) -> tuple[float, float]:
    """What a charge at a side of an enemy takes from him and costs; worked out once while nothing changes."""
    key = ("fares", unit.id, foe.id, side, battle.clock, unit.combat.disordered, foe.combat.disordered)
    found: tuple[float, float] = battle.remember(key, lambda: fight(battle, unit, foe, side, charging=True))
    return found


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
    if battle.engaged(unit) or unit.combat.disordered:
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
    if question.name not in ("move.path", "reserve.move"):
        return _go(battle, question, unit, what, foe)
    if _idle(battle, unit, what, foe):
        return -1.0
    end = ahead.ended(battle, unit, question, name)
    if end is None:
        return _go(battle, question, unit, what, foe)
    won = ground.gain(battle, unit, end) / 100 if left <= 2 else 0.0
    if not left:
        return won - discord.alarm(battle, unit, end) + (0.1 if what == "stay" else 0.0)
    return won + outlook(battle, question, unit, end, what)


def _idle(battle: Battle, unit: Unit, what: str, foe: Unit | None) -> bool:
    """What need not be thought about: going for those far behind others, and reforming in the wrong place."""
    if foe is not None:
        return foe not in sorted(battle.enemies(unit), key=lambda f: -_toward(battle, unit, f))[:4]
    return what in ("narrower", "half") or (what == "wider" and missile(unit) is None)


def outlook(battle: Battle, question: Place, unit: Unit, end: Block, what: str) -> float:
    """How good it looks to stand somewhere: near one's prey, or with somebody to shoot at."""
    near = foes_of(battle, unit)
    sour = discord.quarrel(battle, unit, end, near) + discord.alarm(battle, unit, end)
    if missile(unit) is not None and not hunts(battle, unit):
        return _firing(battle, question, unit, end) - sour - (0.05 if what in TURNS else 0.0)
    if not hunts(battle, unit):
        return (0.6 if what == "stay" else 0.1) - sour
    far = ahead.labours(battle, unit, end, near)
    best = sorted((_prey(battle, unit, foe, end, inches) for foe, inches in zip(near, far, strict=True)), reverse=True)
    value = best[0] + (SECOND * best[1] if len(best) > 1 else 0.0)
    return 0.2 + value * TURNS.get(what, 1.0) - sour


def _prey(battle: Battle, unit: Unit, foe: Unit, end: Block, far: float) -> float:
    """What an enemy promises so many inches off, in hundreds of points: the sooner one gets at him the more."""
    takes, costs = (
        (0.1 * standing(battle, foe), 0.0) if foe.rout.routed else _fares(battle, unit, foe, side_of(end, foe))
    )
    worth = max(0.05, (takes - CAUTION * costs) / 100) + (0.2 if battle.engaged(foe) else 0.0)
    stride = fear.charge_reach(battle, unit) / MM_PER_INCH
    turns = far / max(1.0, stride) - 0.9
    crowd = sum(1 for f in battle.friends(unit) if f.kind != "character" and far_off(battle, f, foe) < far - 0.5)
    late = max(0.0, turns) + 0.1 * far / max(1.0, stride)
    return float(min(worth, 3.0) * DELAY**late * 0.9 ** min(3, crowd))


def _firing(battle: Battle, question: Place, unit: Unit, end: Block) -> float:
    """wfb3:6.2-procedure  How well one shoots from somewhere; where nobody is in range, how near one comes to it."""
    weapon = missile(unit)
    near = foes_of(battle, unit)
    if weapon is None or not near:
        return 0.0
    moved = question.name == "move.path" and end != unit.block
    takes = 0.0
    if not (moved and weapon.still):
        takes = max((volley(battle, unit, foe, end) for foe in near if not battle.engaged(foe)), default=0.0)
    far = min(ahead.labours(battle, unit, end, near[:4]))
    out = max(0.0, far - 0.8 * weapon.range)
    return 0.3 + 0.01 * min(40.0, takes) - 0.012 * out - (0.02 if moved else 0.0)


def _go(battle: Battle, question: Place, unit: Unit, what: str, foe: Unit | None) -> float:
    """Chapter 5.6: towards one's prey; shooters into range, in one long line, and no further."""
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
    x, _, width, _ = deployment_places.zone(battle, unit.seat)
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
    # wfb3:5.7.1-file  a narrow front neither fights nor stands
    whole = 1.5 if word != "wide" and not half else 0.0
    return (
        1.0
        + whole
        - ahead.lane(battle, unit, across, wide)
        - _company(battle, unit, across, wide)
        - 0.3 * abs((across - x) / width - 0.5)
        - 0.35 * back
        - 0.1 * min(tight, 4.0)
        + (0.3 if fresh else 0.0)
    )


def _company(battle: Battle, unit: Unit, across: float, wide: float) -> float:
    """wfb3:10.3-who  What it costs to stand beside those one quarrels with, either way."""
    allies = [f for f in battle.army(unit.seat) if f.block is not None and f.kind != "character"]
    if unit.kind == "character" or not allies:
        return 0.0
    apart = {f.id: abs(battle.block_of(f).x - across) - battle.block_of(f).width / 2 - wide for f in allies}
    nearest = min(allies, key=lambda f: apart[f.id])
    near = animosity.NEAR * MM_PER_INCH
    # behind others one has no way ahead
    total = BEHIND * sum(1 for f in allies if apart[f.id] < 0.0)
    if apart[nearest.id] < near and animosity.subject(battle, unit):
        total += discord.tempers(battle, unit, nearest, before=apart[nearest.id] < 0.0)
    for ally in allies:
        others = [battle.gap(ally, f) for f in allies if f is not ally]
        if apart[ally.id] < min(near, *others, near) and animosity.subject(battle, ally):
            total += discord.tempers(battle, ally, unit)
    return total


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
    """wfb3:14.6.3-attach  With the strongest, unless there is prey for one on his own."""
    if answer is None:
        return 0.0
    hero = unit_of(battle, question.about[0]) if question.about else None
    if hero is not None and hero.block is not None and hunts(battle, hero):
        return -0.1
    unit = unit_of(battle, str(answer).rpartition(":")[2])
    return 0.5 if unit is None else 0.5 + points(battle, unit) / 1000
