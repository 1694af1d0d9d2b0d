"""Where to deploy and where to go."""

from __future__ import annotations

from typing import Any

from grognard.games.t9a.battle import TURNS, Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.movement import moves
from grognard.games.t9a.movement.moves import MoveJudge
from grognard.games.t9a.scoring.victory import victory_points
from grognard.games.t9a.sense.bouts import bout
from grognard.games.t9a.sense.fighting import far_off, likely, unit_of
from grognard.games.t9a.sense.goals import pull
from grognard.games.t9a.sense.worth import holding, ranges, shoots
from grognard.games.t9a.table.ground import walls
from grognard.games.t9a.units import seating
from grognard.games.t9a.units.placing import SpotJudge
from grognard.games.t9a.units.reforms import ReformJudge
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charging.charge import struck_side
from grognard.kernel.formation.obstacles import Obstacle, halt
from grognard.kernel.formation.steps import Advance
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import MM_PER_INCH, inches
from grognard.kernel.questions import Pick, Place

#: How much of what an enemy could do next turn is feared, and how much of what others do who charge with him.
FEAR, TOGETHER = 1.2, 0.6
#: Victory Points that are a lead.
LEAD = 150
#: Points for every inch nearer to somebody worth charging, and for having somebody in range.
NEARER, IN_RANGE = 1.2, 25.0
#: What shooters give up by marching or reforming.
SPENT = {"march": 25.0, "fly-march": 25.0, "reform": 20.0}
#: Points for every inch of open ground before the front.
OPEN = 0.5
#: How far ahead ground should be open where one deploys; what that is worth, and what it costs to stand off the middle
#: and at the back, whence panic leads off the table.
LANE, LANES, ASIDE, BACK = 18.0, 1.0, 0.5, 2.0


def first(battle: Battle, question: Pick, answer: Any) -> float:
    return 1.0 if str(answer) == "first" else 0.5


def drop(battle: Battle, question: Pick, answer: Any) -> float:
    """t9a:10.B  What needs most room first, so that everybody finds some; Characters last, nothing held back."""
    if answer is None or answer == "delay":
        return -1.0
    if answer == "characters":
        return -0.5
    unit = unit_of(battle, str(answer))
    if unit is None:
        return 0.0
    made = seating.settle(battle, unit, seating.usual_files(battle, unit))
    return made.width * made.depth / inches(LANE) ** 2


def join(battle: Battle, question: Pick, answer: Any) -> float:
    """t9a:21.B.b  Fighters in the biggest block that fights, Wizards among those who shoot."""
    if not str(answer).startswith("in:"):
        return 0.2
    unit = unit_of(battle, str(answer)[3:])
    if unit is None:
        return 0.0
    model = battle.models.get(question.about[0]) if question.about else None
    wizard = model is not None and bool(model.magic.level)
    return 0.3 + 0.01 * unit.troops + (0.3 if shoots(unit) == wizard else -0.3)


def next_unit(battle: Battle, question: Pick, answer: Any) -> float:
    """t9a:12.A  Everybody moves, those nearest to the enemy first."""
    if answer is None:
        return -1.0
    if str(answer).startswith("leave:"):
        return -2.0
    unit = unit_of(battle, str(answer))
    if unit is None:
        return 0.0
    return 1.0 - 0.005 * min((far_off(battle, unit, foe) for foe in battle.enemies(unit.seat)), default=50.0)


def _foes(battle: Battle, unit: Unit) -> list[Unit]:
    return [foe for foe in battle.enemies(unit.seat) if foe.block is not None]


def kind(battle: Battle, question: Pick, answer: Any) -> float:
    """t9a:12.D  The way of moving that ends in the best place."""
    unit = unit_of(battle, question.about[0])
    if unit is None or unit.block is None:
        return 0.0
    what = str(answer) if answer is not None else "stay"
    if what.startswith("join:"):
        return -500.0
    return float(battle.remember(("way", unit.id, what), lambda: _best(battle, unit, what)))


def _best(battle: Battle, unit: Unit, what: str) -> float:
    """The best place a way of moving leads to; a Reform costs the march, a march the shooting."""
    assert unit.block is not None
    if what == "stay":
        return outlook(battle, unit, unit.block, False)
    flying = what.startswith("fly")
    adv, mar = moves.rates(battle, unit, flying)
    judge: MoveJudge | ReformJudge
    if what in ("reform", "swift-reform"):
        judge = ReformJudge(battle, unit, mar)
    elif what in ("march", "fly-march"):
        judge = MoveJudge(battle, unit, "march", mar, flying=flying)
    else:
        judge = MoveJudge(battle, unit, "advance", adv, flying=flying)
    dear = SPENT.get(what, 0.0) if shoots(unit) else 0.0
    return max(_ended(battle, unit, judge, name) for name in judge.proposals()) - dear


def _ended(battle: Battle, unit: Unit, judge: MoveJudge | ReformJudge, name: str) -> float:
    """The outlook where a proposal ends."""
    assert unit.block is not None
    wire = judge.propose(name)
    if wire is None:
        return -999.0
    blocks = judge.stages(wire)
    return outlook(battle, unit, blocks[-1] if blocks else unit.block, bool(blocks) and name != "stay")


def _sees_not(block: Block, foe: Unit) -> bool:
    """Whether an enemy's middle lies behind the front of a block."""
    assert foe.block is not None
    return block.boundary.local(foe.block.centre)[1] < block.boundary.half_length


def place(battle: Battle, question: Place, name: str | None) -> float | None:
    """How good a placement looks: moves by where they end, the others by the name they were proposed under."""
    if name is None:
        return -60.0
    if question.name in ("deploy.where", "scout.where"):
        return _spot(battle, question, name)
    judge = question.judge
    unit = unit_of(battle, question.about[0]) if question.about else None
    if unit is not None and unit.block is not None and isinstance(judge, MoveJudge | ReformJudge):
        return _ended(battle, unit, judge, name)
    return {"best": 2.0, "exit": 0.6, "forward": 0.5, "stay": 0.1}.get(name.partition(":")[0], 0.2)


def _spot(battle: Battle, question: Place, name: str) -> float:
    """t9a:10.C  Open ground before the front, neither rock nor friends; forward, and in the middle."""
    unit, judge = unit_of(battle, question.about[0]), question.judge
    if unit is None or not isinstance(judge, SpotJudge):
        return 0.0
    wire = judge.propose(name)
    blocks = judge.stages(wire) if wire is not None else []
    if not blocks:
        return -9.0
    block, most = blocks[-1], inches(LANE)
    friends = [Obstacle(u.id, u.block.outline) for u in battle.army(unit.seat) if u.block is not None and u is not unit]
    free: float = halt(block.outline, Advance(most).motion(block), [*walls(battle), *friends]).at / most
    aside, back = (
        abs(2.0 * at / size - 1.0)
        for at, size in zip(block.centre, (battle.table.width, battle.table.height), strict=True)
    )
    return LANES * free - ASIDE * aside - BACK * back * (0.3 if shoots(unit) else 1.0)


# ---------------------------------------------------------------------- standing somewhere


def outlook(battle: Battle, unit: Unit, block: Block, moved: bool) -> float:
    """What standing somewhere promises and threatens, in points."""
    fears: list[tuple[float, float]] = []
    hopes, pulled = 0.0, -99.0
    for foe in _foes(battle, unit):
        assert foe.block is not None
        far = gap(block.outline, foe.block.outline) / MM_PER_INCH
        fears.append(_danger(battle, unit, block, foe, far))
        if battle.engaged(foe) and not any(friend.seat == unit.seat for friend, _, _ in battle.foes(foe)):
            continue
        net = bout(battle, unit, foe, struck_side(block, foe.block)).net
        blind = _sees_not(block, foe)
        if not blind:
            hopes = max(hopes, likely(battle, unit, foe, far) * net)
        pulled = max(pulled, max(8.0, net) * (0.6 if blind else 1.0) - NEARER * far)
    fears.sort(reverse=True)
    feared = sum(net for net, _ in fears[:1]) + TOGETHER * sum(gain for _, gain in fears[1:3])
    total = pull(battle, unit, block) - caution(battle, unit.seat) * feared
    if not shoots(unit):
        return total + 0.8 * hopes + pulled + OPEN * _run(battle, block)
    return total + _aim(battle, unit, block, moved)


def caution(battle: Battle, seat: str) -> float:
    """How much danger counts: less and less to somebody who does not lead."""
    other = battle.other(seat)
    lead = victory_points(battle, seat).value - victory_points(battle, other).value
    return FEAR if lead > LEAD else FEAR * (1.0 - 0.6 * battle.turn / TURNS)


def _run(battle: Battle, block: Block) -> float:
    """How many inches a block could go straight on before rock stops it, up to twelve."""
    most = inches(12)
    return halt(block.outline, Advance(most).motion(block), walls(battle)).at / MM_PER_INCH


def _danger(battle: Battle, unit: Unit, block: Block, foe: Unit, far: float) -> tuple[float, float]:
    """What an enemy wins who charges us there, and what he takes if another bears the brunt."""
    if foe.nerve.fleeing or battle.engaged(foe) or foe.block is None or _hidden(foe, block):
        return 0.0, 0.0
    chance, expected = likely(battle, foe, unit, far), bout(battle, foe, unit, struck_side(foe.block, block))
    return chance * expected.net, chance * expected.gain


def _hidden(foe: Unit, block: Block) -> bool:
    """Whether a place lies behind an enemy's front."""
    assert foe.block is not None
    if foe.block.is_round:
        return False
    return foe.block.boundary.local(block.centre)[1] < foe.block.boundary.half_length


def _aim(battle: Battle, unit: Unit, block: Block, moved: bool) -> float:
    """What a place is worth to shooters: somebody dear in range and before their front, and standing still."""
    best, nearest, reach = 0.0, 99.0, max(ranges(unit))
    for foe in _foes(battle, unit):
        assert foe.block is not None
        far = gap(block.outline, foe.block.outline) / MM_PER_INCH
        if _sees_not(block, foe) or battle.engaged(foe):
            continue
        nearest = min(nearest, far)
        if far <= reach:
            best = max(best, IN_RANGE + 0.04 * holding(battle, foe) + (4.0 if far <= reach / 2 else 0.0))
    return best - (6.0 if moved else 0.0) if best else -NEARER * max(0.0, nearest - reach)
