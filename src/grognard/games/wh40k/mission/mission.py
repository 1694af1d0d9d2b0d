"""Chapter 21: Only War: markers, scoring, the end of the battle and its victor."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from grognard.games.wh40k.battle import ROUNDS, Battle
from grognard.games.wh40k.forces import Marker
from grognard.games.wh40k.mission.objectives import next_marker
from grognard.games.wh40k.rolls.roll_off import roll_off
from grognard.games.wh40k.table.ground import MARKER
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.units import TOUCH, inches, snap
from grognard.kernel.placing.judges import TrackJudge
from grognard.kernel.placing.tracks import Track
from grognard.kernel.questions import Note, Place, Script


class Mission(msgspec.Struct, frozen=True):
    """wh40k:1.1  A mission: markers, scoring, deployment depth in inches."""

    name: str
    markers: int
    most_vp: int
    zone_depth: float


class Size(msgspec.Struct, frozen=True):
    """wh40k:18.1-size  A battle size: points, the battlefield in inches, and what may wait in Strategic Reserves."""

    name: str
    points: int
    width: float
    depth: float
    reserves: int


#: wh40k:21.1-armies, 21.3-field, 23.43-zones  Ruling: zones are strips 12" deep along the long edges.
MISSIONS = {"only-war": Mission("Only War", 4, 3, 12.0)}
SIZES = {
    "incursion": Size("Incursion", 1000, 60.0, 44.0, 250),
    "strike-force": Size("Strike Force", 2000, 60.0, 44.0, 500),
    "onslaught": Size("Onslaught", 3000, 90.0, 44.0, 750),
}
FROM_EDGE, APART = inches(6), inches(9)


class GameOver(Exception):
    """The battle is decided."""


def size_for(points: int) -> Size:
    """The battle size whose points limit this is."""
    return next((s for s in SIZES.values() if s.points == points), SIZES["incursion"])


# ---------------------------------------------------------------------- markers


class MarkerJudge(TrackJudge[tuple[float, float]]):
    """wh40k:21.4-markers, wh40k:20.6-in-terrain
    More than 6" from every edge and more than 9" from every other marker."""

    def __init__(self, battle: Battle, name: str) -> None:
        super().__init__((name,), "wh40k:21.4-markers")
        self.battle = battle
        self.name = name

    def judged(self, tracks: Mapping[str, Track]) -> tuple[float, float]:
        track = tracks.get(self.name)
        facts = {"marker": self.name}
        if track is None or not track.path:
            raise Refused(Refusal("refuse.marker-where", "wh40k:21.4-markers", facts))
        x, y = track.path[-1]
        table = self.battle.table
        if min(x, y, table.width - x, table.height - y) - MARKER <= FROM_EDGE + TOUCH:
            raise Refused(Refusal("refuse.marker-edge", "wh40k:21.4-markers", facts))
        if any(math.dist((x, y), (m.x, m.y)) - 2 * MARKER <= APART + TOUCH for m in self.battle.markers):
            raise Refused(Refusal("refuse.marker-near", "wh40k:21.4-markers", facts))
        return x, y

    def proposals(self) -> Sequence[str]:
        return [f"at:{n}" for n in range(1, 22)]

    def suggest(self, name: str) -> Mapping[str, Track]:
        place = int(name.partition(":")[2]) - 1
        table = self.battle.table
        x = table.width * (place % 7 + 1) / 8
        y = table.height * (place // 7 + 1) / 4
        return {self.name: Track(((snap(x), snap(y)),))}


@cites
def _mustered(battle: Battle) -> None:
    """wh40k:1.1, wh40k:1.2, wh40k:1.8, wh40k:3.2.3-start, wh40k:18.1-size, wh40k:18.2-roster, wh40k:19.0-pick,
    wh40k:21.1-armies, wh40k:21.3-field
    What is settled before the first step is played: wh40k:18.6-warlord and wh40k:1.9 too.
    """
    battle.cite(*(["wh40k:1.9"] if battle.table.pieces else []))
    for side in battle.sides.values():
        if side.warlord is not None:
            battle.tell("warlord", "wh40k:18.6-warlord", (side.warlord, side.id))


def battlefield(battle: Battle) -> Script[None]:
    """wh40k:21.4-markers, wh40k:21.3-field  A roll-off, then markers placed in turn, the winner first."""
    mission = MISSIONS[battle.scenario]
    if battle.stage == 0:
        _mustered(battle)
        first = yield from roll_off(battle, "markers", "wh40k:21.4-markers")
        battle.cursor, battle.stage = battle.seats.index(first), 1
    while len(battle.markers) < mission.markers:
        name = next_marker(battle)
        judge = MarkerJudge(battle, name)
        if judge.possible() is None:
            break
        seat = battle.seats[battle.cursor]
        x, y = yield Place(
            seat, "marker", [name], judge, rule="wh40k:21.4-markers", checkpoint=True, data={"marker": name},
            notes=(Note("note.marker", {}, "wh40k:21.4-markers"),),
        )  # fmt: skip
        battle.markers = (*battle.markers, Marker(name, x, y))
        battle.cursor = 1 - battle.cursor
        battle.tell("marker.placed", "wh40k:21.4-markers", (name, seat))


def zone(battle: Battle, attacker: bool) -> tuple[float, float, float, float]:
    """wh40k:20.7-zones, wh40k:23.43-zones, wh40k:19.2-scale
    The Attacker's strip is the lower one; other fields in proportion."""
    deep = inches(MISSIONS[battle.scenario].zone_depth)
    usual = inches(SIZES["incursion"].depth)
    if abs(battle.table.height - usual) > 1:
        battle.cite("wh40k:19.2-scale")
        deep *= battle.table.height / usual
    return 0.0, 0.0 if attacker else battle.table.height - deep, battle.table.width, deep


@cites
def attacker(battle: Battle) -> Script[None]:
    """wh40k:19.3-attacker, wh40k:20.7-zones, wh40k:23.43-zones  A roll-off: the winner is the Attacker."""
    battle.attacker = yield from roll_off(battle, "attacker", "wh40k:19.3-attacker")
    for seat in battle.seats:
        battle.sides[seat].zone = zone(battle, seat == battle.attacker)


@cites
def first_turn(battle: Battle) -> Script[None]:
    """wh40k:21.7-first-turn, wh40k:2.2-first-player  A roll-off: the winner has the first turn."""
    battle.first = yield from roll_off(battle, "first-turn", "wh40k:21.7-first-turn")


# ---------------------------------------------------------------------- scoring and the end


@cites
def score(battle: Battle) -> None:
    """wh40k:21.2-capture  From round 2 on, at the end of one's Command phase: 1 VP a marker, 3 at most.

    wh40k:0.3-goal  Points are what the battle is fought for.
    """
    if battle.round < 2:
        return
    seat = battle.active
    held = sum(marker.control == seat for marker in battle.markers)
    gained = min(held, MISSIONS[battle.scenario].most_vp)
    battle.sides[seat].vp += gained
    battle.cite("wh40k:23.46-control-order", "wh40k:0.3-goal")
    battle.tell("scored", "wh40k:21.2-capture", (seat,), gained=gained, vp=battle.sides[seat].vp, held=held)


def alive(battle: Battle, seat: str, *, reserves: bool = True) -> bool:
    """wh40k:23.47-end-count  During the battle an army with units in Reserves is not destroyed."""
    wheres = ("table", "embarked", "reserves", "undeployed") if reserves else ("table", "embarked")
    if any(battle.army(seat, where) for where in wheres if where != "embarked"):
        return True
    return any(battle.units[u.transport or u.id].where in wheres for u in battle.army(seat, "embarked"))


def check(battle: Battle) -> None:
    """wh40k:21.9-end  The battle ends when all models of one army are destroyed."""
    if battle.round and not all(alive(battle, seat) for seat in battle.seats):
        end(battle)


@cites
def end(battle: Battle) -> None:
    """wh40k:0.3-goal, wh40k:19.6-end, wh40k:21.9-end, wh40k:21.10-victory  Who has won.

    wh40k:4.11.5-never-arrived, wh40k:23.47-end-count  Who is still in Reserves is lost. wh40k:23.48-both-dead  Points
    decide where nobody is left.
    """
    for unit in battle.units.values():
        if unit.where == "reserves" and unit.models:
            battle.tell("never-arrived", "wh40k:4.11.5-never-arrived", (unit.id,))
            battle.cite("wh40k:23.47-end-count", *(["wh40k:14.3.1-arrive"] if unit.reserve == "strategic" else []))
            unit.where = "destroyed"
    left = [seat for seat in battle.seats if alive(battle, seat, reserves=False)]
    points = {seat: battle.sides[seat].vp for seat in battle.seats}
    one, two = battle.seats
    if len(left) == 1:
        winner: str | None = left[0]
        why = "why.destroyed"
    else:
        if not left:
            battle.cite("wh40k:23.48-both-dead")
        winner = one if points[one] > points[two] else two if points[two] > points[one] else None
        why = "why.points" if winner else "why.draw"
    battle.outcome = {"winner": winner, "why": why, "rule": "wh40k:21.10-victory", "score": points}
    raise GameOver


def last_round(battle: Battle) -> bool:
    """wh40k:21.9-end  Whether the battle ends with this round."""
    return battle.round >= ROUNDS
