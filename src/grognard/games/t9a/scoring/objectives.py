"""t9a:9.E  Secondary Objectives."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from grognard.games.t9a.battle import EPS, Battle
from grognard.games.t9a.forces import Counter, Unit
from grognard.games.t9a.table import paths, zones
from grognard.games.t9a.table.ground import INCH, walls
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Outline, Point, disc, piece_outline
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Pick, Place, Roll, Script, option

NAMES = {
    1: "Hold the Ground",
    2: "Breakthrough",
    3: "Spoils of War",
    4: "King of the Hill",
    5: "Capture the Flags",
    6: "Secure Target",
}


def scoring(battle: Battle, unit: Unit) -> bool:
    """t9a:21.A.b.6  A Scoring Unit: a model with the rule, not fleeing, and the rule not lost."""
    if unit.where != "table" or not battle.any_has(unit, "scoring"):
        return False
    if unit.nerve.fleeing or unit.scoring.gone or unit.scoring.lost >= max(battle.clock, 1):
        return False
    return not (unit.arrival.vanguarded and battle.turn <= 1)


def near(battle: Battle, seat: str, point: Point, far: float = 6.0) -> list[Unit]:
    spot = disc(point[0], point[1], 0.0)
    return [
        u for u in battle.army(seat) if scoring(battle, u) and gap(battle.block(u).outline, spot) <= inches(far) + EPS
    ]


# ---------------------------------------------------------------------- before the battle


def lay(battle: Battle) -> Script[None]:
    """t9a:9.E.3, t9a:9.E.6-place  Markers that lie on the table from the start."""
    battle.cite("t9a:9.E", f"t9a:9.E.{battle.objective}")
    if battle.objective == 3:
        _spoils(battle)
    elif battle.objective == 6:
        yield from _secure(battle)
    yield from ()


def _clear(battle: Battle, point: Point) -> bool:
    return all(gap(disc(*point, 0.0), w.outline) > INCH for w in walls(battle))


def _spoils(battle: Battle) -> None:
    """t9a:9.E.3  Three on the Centre Line: one as near the middle of the table as it can be, and one on either side of
    it, a third of the table's length away from it or, where Impassable Terrain lies there, further.
    """
    third = zones.third(battle)
    middle = min((_free_share(battle, 0.0, sign) for sign in (-1, 1)), key=abs)
    shares = {"centre": middle, "left": middle - third, "right": middle + third}
    found = []
    for name, share in shares.items():
        if name != "centre":
            share = _free_share(battle, share, -1 if name == "left" else 1)
        x, y = zones.along_line(battle, share)
        found.append(Counter(f"spoils-{name}", round(x, 3), round(y, 3)))
    battle.counters = tuple(found)
    for counter in found:
        at = [round(counter.x / INCH, 2), round(counter.y / INCH, 2)]
        battle.tell("spoils.laid", "t9a:9.E.3", (counter.id,), at=at)


def _free_share(battle: Battle, share: float, sign: int) -> float:
    """The first place along the Centre Line clear of Impassable Terrain, going one way."""
    for _ in range(2000):
        if _clear(battle, zones.along_line(battle, share)):
            break
        share += sign
    return share


class MarkerJudge:
    """t9a:9.E.6-place, t9a:9.E.3-drop  A marker's centre: {"at": [x, y]}."""

    def __init__(self, battle: Battle, check: Any, names: dict[str, Point], rule: str) -> None:
        self.battle, self.check, self.names, self.rule = battle, check, names, rule

    def decode(self, wire: Any) -> Point:
        at = paths.point(wire.get("at")) if isinstance(wire, dict) and set(wire) == {"at"} else None
        if at is None:
            raise Refused(Refusal("refuse.not-a-path", self.rule, {"why": "point"}))
        table = self.battle.table
        refusal = self.check(at)
        if not (0 <= at[0] <= table.width and 0 <= at[1] <= table.height):
            refusal = Refusal("refuse.marker.place", self.rule, {})
        if refusal is not None:
            raise Refused(refusal)
        return at

    def carry(self, to: Point, facing: float | None) -> Any:
        return {"at": [round(to[0], 3), round(to[1], 3)]}

    def point(self, wire: Any) -> Point:
        return (wire["at"][0], wire["at"][1])

    def encode(self, wire: Any) -> Any:
        x, y = self.decode(wire)
        return {"at": [round(x, 3), round(y, 3)]}

    def proposals(self) -> list[str]:
        return list(self.names)

    def propose(self, name: str) -> Any:
        x, y = self.names[name]
        wire = {"at": [round(x, 2), round(y, 2)]}
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire


def _secure(battle: Battle) -> Script[None]:
    """t9a:9.E.6-place  The zone chooser first: more than 12" from one's own zone, a third of the table from the
    other's.
    """
    for seat in (battle.chooser, battle.other(battle.chooser)):

        def check(point: Point, seat: str = seat) -> Refusal | None:
            if zones.distance_to(battle, seat, point) <= inches(12) + EPS:
                return Refusal("refuse.marker.zone", "t9a:9.E.6-place", {})
            for other in battle.counters:
                if math.dist((other.x, other.y), point) <= zones.third(battle) + EPS:
                    return Refusal("refuse.marker.apart", "t9a:9.E.6-place", {})
            return None

        w, h = battle.table.width, battle.table.height
        names = {f"at:{i}-{j}": (w * (i + 0.5) / 6, h * (j + 0.5) / 6) for i in range(6) for j in range(6)}
        judge = MarkerJudge(battle, check, names, "t9a:9.E.6-place")
        if all(judge.propose(n) is None for n in names):
            continue
        x, y = yield Place(seat, "marker.place", (seat,), judge, rule="t9a:9.E.6-place")
        battle.counters = (*battle.counters, Counter(f"target-{seat}", x, y, None, seat))
        battle.tell("marker.placed", "t9a:9.E.6-place", (seat,), at=[round(x / INCH, 2), round(y / INCH, 2)])


def after_spells(battle: Battle) -> Script[None]:
    """t9a:9.E.4-pick, t9a:9.E.5-mark  Features picked, units marked; the zone chooser first."""
    for seat in (battle.chooser, battle.other(battle.chooser)):
        if battle.objective == 4 and not battle.sides[seat].feature:
            yield from _pick_feature(battle, seat)
        elif battle.objective == 5:
            yield from _mark(battle, seat)


def _pick_feature(battle: Battle, seat: str) -> Script[None]:
    zone = zones.polygon(battle, seat)
    barred = {
        p.id: Refusal("refuse.objective.feature", "t9a:9.E.4-pick", {"feature": p.id}, ("t9a:9.E.4",))
        for p in battle.table.pieces
        if p.kind == "impassable" or zone.covers(p.polygon)
    }
    found = [option(p.id, about=(p.id,)) for p in battle.table.pieces if p.id not in barred]
    if found:
        picked = yield Pick(seat, "objective.feature", found, barred=barred, rule="t9a:9.E.4-pick", checkpoint=True)
        battle.sides[seat].feature = picked
        battle.tell("objective.feature", "t9a:9.E.4-pick", (seat,), feature=picked)


def _mark(battle: Battle, seat: str) -> Script[None]:
    """t9a:9.E.5-mark  Every Scoring unit; the opponent of a player with fewer than three marks more of his units."""
    foe = battle.other(seat)
    own = [u for u in battle.units.values() if u.seat == foe and u.where != "gone"]
    for unit in own:
        unit.scoring = unit.scoring.but(marked=unit.scoring.marked or bool(battle.any_has(unit, "scoring")))
    missing = 3 - sum(u.scoring.marked for u in own)
    rest = [u for u in own if not u.scoring.marked]
    if missing > 0 and rest:
        many = min(missing, len(rest))
        picked = yield Pick(
            seat,
            "objective.mark",
            [option(u.id, u, about=(u.id,)) for u in rest],
            least=many,
            most=many,
            rule="t9a:9.E.5-mark",
        )
        for unit in picked if isinstance(picked, tuple) else (picked,):
            unit.scoring = unit.scoring.but(marked=True)
    battle.cite("t9a:9.E.5-mark")


# ---------------------------------------------------------------------- during the battle


def start_of_turn(battle: Battle) -> Script[None]:
    """t9a:9.E.3-pickup  Scoring units of the active player pick up markers they touch."""
    if battle.objective != 3:
        return
    for unit in battle.army(battle.active):
        free = [
            c
            for c in battle.counters
            if c.bearer is None and gap(battle.block(unit).outline, disc(c.x, c.y, 0.0)) <= EPS
        ]
        if not free:
            continue
        battle.cite("t9a:9.E.3-pickup")
        if unit.scoring.marker or not scoring(battle, unit):
            continue
        picked = yield Pick(
            unit.seat,
            "spoils.take",
            [option(c.id, c) for c in free],
            optional=True,
            rule="t9a:9.E.3-pickup",
            about=(unit.id,),
        )
        if picked is not None:
            battle.counters = tuple(
                msgspec.structs.replace(c, bearer=unit.id) if c.id == picked.id else c for c in battle.counters
            )
            unit.scoring = unit.scoring.but(marker=picked.id)
            battle.tell("spoils.taken", "t9a:9.E.3-pickup", (unit.id,), marker=picked.id)


def unit_lost(battle: Battle, unit: Unit, stood: Block | None) -> None:
    """t9a:9.E.3-drop  A destroyed carrier's marker waits to be placed by the opponent."""
    if unit.scoring.marker and stood is not None:
        _loose(battle, unit, stood)


def fled(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:9.E.3-drop  A carrier that takes to flight loses Scoring: its marker is placed before it runs."""
    if battle.objective == 3 and unit.scoring.marker and unit.block is not None:
        yield from drops(battle)


def _loose(battle: Battle, unit: Unit, stood: Block) -> None:
    x, y = stood.centre
    battle.counters = tuple(
        msgspec.structs.replace(c, bearer=f"?{unit.id}", x=x, y=y) if c.id == unit.scoring.marker else c
        for c in battle.counters
    )
    unit.scoring = unit.scoring.but(marker="", dropped=stood)


def drops(battle: Battle) -> Script[None]:
    """t9a:9.E.3-drop  The opponent places markers of carriers that were destroyed or lost Scoring, within 3" of the
    unit.
    """
    if battle.objective != 3:
        return
    for unit in battle.units.values():
        if unit.scoring.marker and unit.where == "table" and unit.nerve.fleeing:
            _loose(battle, unit, battle.block(unit))
    for counter in battle.counters:
        if counter.bearer is None or not counter.bearer.startswith("?"):
            continue
        unit = battle.units[counter.bearer[1:]]
        outline = unit.scoring.dropped.outline if unit.scoring.dropped is not None else disc(counter.x, counter.y, 0.0)
        judge = _drop_judge(battle, outline, (counter.x, counter.y))
        x, y = yield Place(
            battle.other(unit.seat), "spoils.drop", (counter.id,), judge, rule="t9a:9.E.3-drop", about=(unit.id,)
        )
        battle.counters = tuple(
            msgspec.structs.replace(c, bearer=None, x=x, y=y) if c.id == counter.id else c for c in battle.counters
        )
        battle.tell("spoils.dropped", "t9a:9.E.3-drop", (unit.id,), marker=counter.id)


def _drop_judge(battle: Battle, outline: Outline, near_to: Point) -> MarkerJudge:
    def check(point: Point) -> Refusal | None:
        if gap(outline, disc(*point, 0.0)) > inches(3) + EPS or any(
            gap(disc(*point, 0.0), w.outline) <= INCH - EPS for w in walls(battle)
        ):
            return Refusal("refuse.marker.drop", "t9a:9.E.3-drop", {})
        return None

    x, y = near_to
    w, h = battle.table.width, battle.table.height
    names = {"there": (x, y)}
    for i, (dx, dy) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1))):
        names[f"aside:{i}"] = (min(max(x + dx * inches(3), 0), w), min(max(y + dy * inches(3), 0), h))
    return MarkerJudge(battle, check, names, "t9a:9.E.3-drop")


def end_of_game_turn(battle: Battle) -> None:
    """t9a:9.E.1  After every Game Turn but the first: more Scoring Units within 6" of the centre is a point."""
    if battle.objective != 1:
        return
    battle.cite("t9a:9.E.1")
    if battle.turn < 2:
        return
    counts = {seat: len(near(battle, seat, zones.middle(battle))) for seat in battle.seats}
    best = max(counts.values())
    leaders = [s for s, n in counts.items() if n == best]
    if len(leaders) == 1:
        battle.sides[leaders[0]].control += 1
        battle.tell("objective.held", "t9a:9.E.1", (leaders[0],), points=battle.sides[leaders[0]].control)


# ---------------------------------------------------------------------- the end


def tallies(battle: Battle) -> Script[dict[str, int]]:
    """t9a:9.E.1, t9a:9.E.2, t9a:9.E.3, t9a:9.E.4, t9a:9.E.5, t9a:9.E.6
    What each player has of the objective; more wins."""
    kind = battle.objective
    battle.cite(f"t9a:9.E.{kind}")
    if kind == 1:
        return {s: battle.sides[s].control for s in battle.seats}
    if kind == 2:
        return {s: _through(battle, s) for s in battle.seats}
    if kind == 3:
        return {
            s: sum(bool(u.scoring.marker) and u.where == "table" for u in battle.units.values() if u.seat == s)
            for s in battle.seats
        }
    if kind == 4:
        return {s: int(_captured(battle, s)) for s in battle.seats}
    if kind == 5:
        return {
            s: -sum(u.scoring.marked and _destroyed(battle, u) for u in battle.units.values() if u.seat == s)
            for s in battle.seats
        }
    return (yield from _targets(battle))


def _destroyed(battle: Battle, unit: Unit) -> bool:
    """t9a:9.E.5  Ruling: as for Victory Points, a unit of which only Characters who joined it are left is destroyed."""
    own = any(m.home == unit.id and not m.gone for m in battle.models.values())
    return unit.where == "gone" or not (unit.troops or own)


@cites
def _through(battle: Battle, seat: str) -> int:
    """t9a:3.C.b  Scoring Units at least partly inside the opponent's zone, at most three (t9a:9.E.2)."""
    zone = zones.polygon(battle, battle.other(seat))
    return min(
        3, sum(scoring(battle, u) and zone.intersects(zones.footprint(battle.block(u))) for u in battle.army(seat))
    )


def _captured(battle: Battle, seat: str) -> bool:
    """t9a:9.E.4  A Scoring Unit inside the feature the opponent chose."""
    name = battle.sides[battle.other(seat)].feature
    if not name:
        return False
    outline = piece_outline(battle.table.piece(name))
    return any(scoring(battle, u) and gap(battle.block(u).outline, outline) <= EPS for u in battle.army(seat))


def _targets(battle: Battle) -> Script[dict[str, int]]:
    """t9a:9.E.6-control  A unit within 6" of both markers counts for the one nearer to its centre; a tie at random."""
    counts: dict[str, dict[str, int]] = {c.id: dict.fromkeys(battle.seats, 0) for c in battle.counters}
    for unit in battle.on_table():
        if not scoring(battle, unit):
            continue
        block = battle.block(unit)
        close = [c for c in battle.counters if gap(block.outline, disc(c.x, c.y, 0.0)) <= inches(6) + EPS]
        if not close:
            continue
        ranked = sorted(close, key=lambda c: math.dist((c.x, c.y), block.centre))
        chosen = ranked[0]
        if len(ranked) > 1:
            battle.cite("t9a:9.E.6-control")
            away = [math.dist((c.x, c.y), block.centre) for c in ranked]
            if abs(away[0] - away[1]) < 0.01:
                (face,) = yield Roll(
                    unit.seat, "objective.which", 6, rule="t9a:9.E.6-control", about=(unit.id,), cuts=(4,)
                )
                chosen = ranked[0] if face < 4 else ranked[1]
        counts[chosen.id][unit.seat] += 1
    found = dict.fromkeys(battle.seats, 0)
    first, second = battle.seats
    for held in counts.values():
        if held[first] != held[second]:
            found[first if held[first] > held[second] else second] += 1
    return found
