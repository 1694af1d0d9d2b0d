"""Chapter 9  Scenarios: tables, durations, zones, objectives, tokens and neutrals; and those of our own making."""

from __future__ import annotations

import math

import msgspec
import shapely
from shapely.geometry.base import BaseGeometry

from grognard.games.ades.battle import NEUTRAL, Battle
from grognard.games.ades.forces import Fighter, Thing
from grognard.games.ades.scenarios import fielding, game_end, zones
from grognard.games.ades.table import standing
from grognard.kernel.citing import cites
from grognard.kernel.geometry.base import Base, Pose, round_base
from grognard.kernel.geometry.gaps import gap_to_point, inside_polygon
from grognard.kernel.geometry.moving.rims import ring_of
from grognard.kernel.geometry.terrain import Piece, rectangle
from grognard.kernel.geometry.units import TOUCH, cm, heading, snap
from grognard.kernel.questions import Pick, Roll, Script, option

#: Sides of what is round where it is measured how much of a base lies in a zone.
FINE = 256


class Objective(msgspec.Struct, frozen=True):
    """Chapter 9.1.6  control, token or casualties; commander, neutral or destroy, which are scored when it happens."""

    kind: str
    ps: int
    when: str = "temporary"  # temporary, final or end
    at: tuple[float, float] = (0.5, 0.5)
    zone: float = 10.0
    area: float = 0.0  # side of a square in cm that is its own zone
    thing: str = ""
    side: int = 0
    since: int = 1  # the first turn in which it is scored

    def seat_of(self, battle: Battle) -> str:
        return battle.seats[self.side]


class Gate(msgspec.Struct, frozen=True):
    """ades:9.2.6-stats  A piece of scenery with life points: where, how large in cm, PV and RES."""

    id: str
    at: tuple[float, float]
    size: tuple[float, float]
    pv: int
    res: int


class Scenario(msgspec.Struct, frozen=True):
    """Chapter 9.1  What a scenario says."""

    id: str
    title: str
    french: str
    summary: str
    zones: str = "battle"
    battue: bool = False
    objectives: tuple[Objective, ...] = ()
    threshold: int = 0
    duration: int = 0
    tokens: int = 0
    bulky: bool = False
    complex: bool = False
    neutrals: tuple[tuple[str, float, float], ...] = ()
    nexus: tuple[tuple[str, float, float], ...] = ()
    gates: tuple[Gate, ...] = ()


_OURS = (
    Scenario(
        "clash", "Clash at the standing stone", "Le heurt à la pierre levée",
        "Hold the stone in the middle, turn after turn, and bring the enemy Commander down.",
        objectives=(Objective("control", 1), Objective("commander", 3, "final"), Objective("casualties", 2, "end")),
        threshold=10,
    ),
    Scenario(
        "relics", "Scattered relics", "Reliques éparses",
        "Three relics lie on the table; whoever carries them scores for each, every turn.", battue=True,
        objectives=(Objective("token", 1), Objective("casualties", 2, "end")), threshold=9, tokens=3, bulky=True,
    ),
    Scenario(
        "holdfast", "The holdfast", "Le bastion",
        "The defender keeps a square, which counts from the fourth turn on, and its gate; the attacker wants both.",
        zones="defence",
        objectives=(
            Objective("control", 2, at=(0.5, 0.25), area=20.0, since=4),
            Objective("destroy", 3, "final", thing="gate", side=1),
            Objective("commander", 2, "final"),
        ), threshold=8, gates=(Gate("gate", (0.5, 0.46), (8.0, 1.5), 8, 7),), tokens=1, complex=True,
    ),
    Scenario(
        "wild-hunt", "The wild hunt", "La chasse sauvage",
        "A beast of nobody's roams the table; its pelt, a spring of power and the enemy are all worth having.",
        zones="central",
        objectives=(Objective("neutral", 4, "final"), Objective("control", 1), Objective("casualties", 2, "end")),
        threshold=10, neutrals=(("Moor Beast", 0.5, 0.78),), nexus=(("Spring of Ash", 0.25, 0.5),),
    ),
)  # fmt: skip

SCENARIOS: dict[str, Scenario] = {s.id: s for s in _OURS}
#: ades:9.1.2  Side of the table in cm: how many pieces of scenery, at least and at most.
SCENERY = {60: (2, 3), 75: (3, 4), 90: (5, 8), 120: (8, 10)}
#: ades:9.2.8  Dice for the distance of a pair of tokens from the centre, by the side of the table.
TOKEN_DICE = {60: 5, 75: 6, 90: 8, 120: 10}


def scenario(battle: Battle) -> Scenario:
    return SCENARIOS[battle.scenario]


def objectives(battle: Battle) -> tuple[Objective, ...]:
    return scenario(battle).objectives


def threshold(battle: Battle) -> int:
    return scenario(battle).threshold


def battue(battle: Battle) -> bool:
    return scenario(battle).battue or bool(battle.house["battue"])


def table_side(format: int) -> int:
    """ades:9.1.1, ades:9.1.2  The table for a format, in cm."""
    return 75 if format <= 200 else 90 if format <= 400 else 120


def duration(format: int, fixed: int = 0) -> int:
    """ades:9.1.3  The hundreds of the format and two turns, unless the scenario says otherwise."""
    return fixed or format // 100 + 2


# ---------------------------------------------------------------------- before deployment


@cites
def situation(battle: Battle) -> Script[None]:
    """ades:9.1.5, ades:9.1.7, ades:3.1, ades:9.1.1
    Zones, objectives, neutrals and tokens, as the scenario describes them."""
    plan = scenario(battle)
    given = {"battle": zones.strips}.get(plan.zones)
    laid = given(battle) if given else zones.square(battle, central=plan.zones == "central")
    for seat, zone in laid.items():
        battle.sides[seat].zone = zone
    if battue(battle):
        battle.cite("ades:9.1.4.3")
    battle.tell("situation", "ades:9.1.5", scenario=plan.title, turns=battle.turns)
    for number, goal in enumerate(plan.objectives, 1):
        if goal.kind == "control":
            _objective(battle, goal, number)
    for gate in plan.gates:
        _gate(battle, gate)
    for name, fx, fy in plan.neutrals:
        _neutral(battle, name, fx, fy)
    for name, fx, fy in plan.nexus:
        thing = fielding.add_nexus(battle, "", battle.library.nexus[name])
        pose = _free(battle, Pose(battle.table.width * fx, battle.table.height * fy), round_base(cm(6)))
        fielding.set_thing(battle, thing, pose)
        battle.cite("ades:12.1-neutral")
    yield from place_tokens(battle, plan.tokens, plan)


def _objective(battle: Battle, goal: Objective, number: int) -> None:
    thing = Thing(f"objective{number}", "objective", "objective", "", *_at(battle, goal.at))
    thing.placed, thing.radius, thing.worth = True, cm(goal.zone), goal.ps
    if goal.area:
        side = cm(goal.area)
        points = rectangle(thing.x - side / 2, thing.y - side / 2, side, side)
        battle.table = battle.table.with_piece(Piece(thing.id, "zone", points))
        thing.piece = thing.id
    battle.things[thing.id] = thing


def _at(battle: Battle, at: tuple[float, float]) -> tuple[float, float]:
    return battle.table.width * at[0], battle.table.height * at[1]


def _gate(battle: Battle, gate: Gate) -> None:
    x, y = _at(battle, gate.at)
    wide, deep = cm(gate.size[0]), cm(gate.size[1])
    points = rectangle(x - wide / 2, y - deep / 2, wide, deep)
    battle.table = battle.table.with_piece(Piece(gate.id, "wall", points, cm(3), "solid", ("impassable",)))
    thing = Thing(gate.id, "scenery", gate.id, battle.seats[0], x, y)
    thing.piece, thing.placed, thing.res, thing.pv, thing.start_pv = gate.id, True, gate.res, gate.pv, gate.pv
    battle.things[gate.id] = thing
    battle.cite("ades:9.2.6-stats")


def _neutral(battle: Battle, name: str, fx: float, fy: float) -> None:
    """ades:9.1.5  A fighter of nobody's."""
    number = sum(f.seat == NEUTRAL for f in battle.fighters.values()) + 1
    key = f"neutral{number}"
    profile = battle.library.profiles[name]
    fielding.add_card(battle, NEUTRAL, key, name, (key,))
    fighter = fielding.add_fighter(battle, NEUTRAL, key, name, profile, key)
    at = Pose(battle.table.width * fx, battle.table.height * fy, 180.0)
    battle.put(fighter, _free(battle, at, profile.foot))


def _free(battle: Battle, pose: Pose, base: Base) -> Pose:
    """The place, or the nearest where neither scenery nor anybody stands."""
    spot = standing.nearest(standing.open_ground(battle, base, pose.facing, 0), pose[:2])
    return pose if spot is None else Pose(snap(spot[0]), snap(spot[1]), pose.facing)


def place_tokens(battle: Battle, count: int, plan: Scenario | None = None) -> Script[None]:
    """ades:9.2.8  Pairs on opposite sides of the centre, in a random direction; an odd one lies in the middle.

    Ruling: two dice give the direction, in steps of 10 degrees; a place off the table is drawn back to its edge.
    """
    if not count:
        return
    wide, high = battle.table.width, battle.table.height
    side = round(wide / cm(1))
    places: list[tuple[float, float]] = [(wide / 2, high / 2)] if count % 2 else []
    for _ in range(count // 2):
        dice = TOKEN_DICE[min(TOKEN_DICE, key=lambda known: abs(known - side))]
        (sector,) = yield Roll(battle.seats[0], "token.direction", 6, rule="ades:9.2.8")
        (step,) = yield Roll(battle.seats[0], "token.direction", 6, rule="ades:9.2.8")
        faces = yield Roll(battle.seats[0], "token.distance", 6, dice, rule="ades:9.2.8")
        ux, uy = heading((sector - 1) * 60 + (step - 1) * 10)
        far = cm(sum(faces))
        reach = min(
            abs(wide / 2 / ux) if abs(ux) > 1e-9 else math.inf, abs(high / 2 / uy) if abs(uy) > 1e-9 else math.inf
        )
        far = min(far, reach - cm(1))
        places += [(wide / 2 + far * ux, high / 2 + far * uy), (wide / 2 - far * ux, high / 2 - far * uy)]
    for number, (x, y) in enumerate(places, 1):
        token = Thing(f"token{number}", "token", "token", "", x, y)
        token.placed = True
        token.bulky = plan is not None and plan.bulky and number == 1
        token.complex = plan is not None and plan.complex
        battle.things[token.id] = token
        battle.tell("token", "ades:9.2.8", (token.id,), x=x / cm(1), y=y / cm(1))


# ---------------------------------------------------------------------- objectives


def control(battle: Battle) -> Script[dict[str, str]]:
    """ades:9.2.7-control, ades:9.2.7-zone, ades:9.2.7-straddle, ades:9.2.4, ades:7.5
    Who controls each objective, "" nobody."""
    goals = battle.things_of("objective")
    weights: dict[str, dict[str, int]] = {g.id: dict.fromkeys(battle.seats, 0) for g in goals}
    for fighter in battle.on_table():
        near = [g for g in goals if in_zone(battle, fighter, g)] if fighter.seat in battle.seats else []
        level = battle.pose(fighter).level
        if near and level:
            battle.cite("ades:7.5")
        if not near or level > 1:
            continue
        if fighter.summons.summoner:
            battle.cite("ades:9.2.4")
            continue
        if len(near) > 1:
            near = [(yield from _straddles(battle, fighter, near))]
        for goal in near:
            weights[goal.id][fighter.seat] += fighter.val
    battle.cite("ades:9.2.7-control", "ades:9.2.7-zone")
    found = {}
    for goal in goals:
        first, second = (weights[goal.id][seat] for seat in battle.seats)
        found[goal.id] = "" if first == second else battle.seats[0] if first > second else battle.seats[1]
    return found


def in_zone(battle: Battle, fighter: Fighter, goal: Thing) -> bool:
    """ades:9.2.7-zone  Even partly in the zone: 10 cm round it, or the area itself."""
    base, pose = battle.base(fighter), battle.pose(fighter)
    if goal.piece:
        return inside_polygon(base, pose, battle.table.piece(goal.piece).ring)
    return gap_to_point(base, pose, goal.x, goal.y) <= goal.radius + TOUCH


def _straddles(battle: Battle, fighter: Fighter, near: list[Thing]) -> Script[Thing]:
    """ades:9.2.7-straddle  Only where most of its base is; if that cannot be told the owner chooses."""
    base, pose = battle.base(fighter), battle.pose(fighter)
    foot = shapely.Polygon(ring_of(base, pose, FINE))
    shares = [round(shapely.intersection(foot, _zone(battle, g)).area / foot.area, 3) for g in near]
    best = [g for g, share in zip(near, shares, strict=True) if share == max(shares)]
    if len(best) == 1:
        battle.cite("ades:9.2.7-straddle")
        return best[0]
    chosen: Thing = yield Pick(
        fighter.seat, "objective.which", [option(g.id, g, about=(g.id,)) for g in best], rule="ades:9.2.7-straddle",
        about=(fighter.id,),
    )  # fmt: skip
    return chosen


def _zone(battle: Battle, goal: Thing) -> BaseGeometry:
    """ades:9.2.7-zone  The zone of an objective as an area."""
    if goal.piece:
        return battle.table.piece(goal.piece).polygon
    return shapely.Point(goal.x, goal.y).buffer(goal.radius, quad_segs=FINE)


def temporary(battle: Battle) -> Script[None]:
    """ades:9.1.6-temporary, ades:9.1.6-tie  Objectives scored at the end of each Maintenance."""
    gains = dict.fromkeys(battle.seats, 0)
    for number, goal in enumerate(objectives(battle), 1):
        if goal.when != "temporary" or battle.turn < goal.since:
            continue
        battle.cite("ades:9.1.6-temporary")
        if goal.kind == "control":
            holders = yield from control(battle)
            own = f"objective{number}"
            for owner in [holders[own]] if own in holders else holders.values():
                if owner:
                    gains[owner] += goal.ps
        elif goal.kind == "token":
            for seat, held in held_tokens(battle).items():
                gains[seat] += goal.ps * held
    if any(gains.values()):
        game_end.award(battle, gains, "ades:9.1.6-temporary", "objective.turn")


def held_tokens(battle: Battle) -> dict[str, int]:
    """ades:9.2.2-control  How many tokens each side carries."""
    found = dict.fromkeys(battle.seats, 0)
    for token in battle.things_of("token"):
        if token.bearer and battle.fighters[token.bearer].seat in found:
            battle.cite("ades:9.2.2-control")
            found[battle.fighters[token.bearer].seat] += 1
    return found


def final_scores(battle: Battle) -> None:
    """ades:9.1.6-final, ades:9.1.6-tie  What is scored at the end of the game; equal on an objective, both get it."""
    gains = dict.fromkeys(battle.seats, 0)
    for goal in objectives(battle):
        if goal.when == "end" and goal.kind == "casualties":
            first, second = (battle.sides[seat].killed for seat in battle.seats)
            for seat, mine, theirs in zip(battle.seats, (first, second), (second, first), strict=True):
                if mine >= theirs and (mine or theirs):
                    gains[seat] += goal.ps
            if first == second and first:
                battle.cite("ades:9.1.6-tie")
    if any(gains.values()):
        game_end.award(battle, gains, "ades:9.1.6-final", "objective.end")
