"""Chapter 26: the end of the game and who has won."""

from __future__ import annotations

from grognard.games.wfb3 import referee
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.psychology import fear
from grognard.games.wfb3.setup import model_costs
from grognard.games.wfb3.table import sections as rooms
from grognard.games.wfb3.table import terrain
from grognard.games.wfb3.troops import looting
from grognard.kernel.citing import cites
from grognard.kernel.formation.shapes import Point
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.questions import Number, Option, Pick, Script
from grognard.kernel.words.tally import Tally


def score(battle: Battle, seat: str) -> Tally:
    """wfb3:26.2-survivors, wfb3:12.4-why, wfb3:26.2-trophies, wfb3:26.2-army-standard
    What a side's remaining troops are worth, with places and trophies."""
    tally = Tally(0, "survivors", "wfb3:26.2-survivors")
    for unit in model_costs.remaining(battle, seat):
        half = 0.5 if unit.rout.rallied == battle.clock or unit.rout.rallied == battle.clock - 1 else 1.0
        tally.add(round(model_costs.left(battle, unit) * half, 2), unit.id, "wfb3:26.2-survivors")
    _places(battle, seat, tally)
    looting.score(battle, seat, tally)
    for unit in model_costs.remaining(battle, seat):
        for trophy in unit.standards.trophies:
            if battle.units[trophy].kind == "character":
                tally.add(100, f"standard-{trophy}", "wfb3:26.2-army-standard")
            else:
                battle.cite("wfb3:12.4-why")
                tally.add(50, f"banner-{trophy}", "wfb3:26.2-trophies")
    chief = next((u for u in battle.units.values() if u.seat != seat and u.character.general), None)
    if chief is not None and not battle.models[chief.id].alive:
        tally.add(50, "general", "wfb3:26.2-general")
    return tally


@cites
def sections(battle: Battle) -> list[tuple[float, float, float, float]]:
    """wfb3:2.2-sections  The eight sections of the table: x, y, width, height."""
    wide, high = battle.table.width / 4, battle.table.height / 2
    return [(wide * i, high * j, wide, high) for j in range(2) for i in range(4)]


def _places(battle: Battle, seat: str, tally: Tally) -> None:
    """wfb3:26.2-section, wfb3:26.2-hill, wfb3:26.2-bridge, wfb3:26.2-gm-awards  Places held."""
    held = {}
    for number, box in enumerate(sections(battle), 1):
        held[number] = controls(battle, seat, box)
        if held[number]:
            tally.add(50, f"section-{number}", held[number])
    for piece in battle.table.pieces:
        if piece.kind in ("hill", "steep hill") and _alone(battle, seat, piece):
            tally.add(50, piece.id, "wfb3:26.2-hill")
        elif piece.kind == "bridge" and _bridge(battle, seat, piece):
            tally.add(100, piece.id, "wfb3:26.2-bridge")
        for name, points in battle.land.awards:
            if name == piece.id and _alone(battle, seat, piece):
                tally.add(points, f"award-{piece.id}", "wfb3:26.2-gm-awards")


def controls(battle: Battle, seat: str, box: tuple[float, float, float, float]) -> str:
    """wfb3:26.2-section, wfb3:26.2-section-contested
    The rule by which a side controls a section, "" where it does not.

    Ruling: contested, every comparison that applies must be won three to one: models, characters, creatures over 3 m.
    """
    x, y, w, h = box
    inside = []
    for unit in [*battle.here(), *rooms.inside(battle)]:
        cx, cy = _middle(battle, unit)
        if x <= cx < x + w and y <= cy < y + h and not unit.rout.routed:
            inside.append(unit)
    own = [u for u in inside if u.seat == seat]
    foes = [u for u in inside if u.seat != seat]
    if not any(u.kind != "character" for u in own):
        return ""
    if not foes:
        return "wfb3:26.2-section"
    battle.cite("wfb3:26.2-section-contested")
    for count in (_models, _characters, _giants):
        ours, theirs = (sum(count(battle, u) for u in side) for side in (own, foes))
        if ours < 3 * theirs:
            return ""
    return "wfb3:26.2-section-contested"


def _middle(battle: Battle, unit: Unit) -> Point:
    """Where a unit is: the middle of its formation, or of the section that holds most of it."""
    if unit.where != "building":
        return battle.block_of(unit).centre
    key, _ = max(unit.indoors.rooms, key=lambda room: len(room[1]))
    rect = battle.rooms[key].rect
    return rect.x, rect.y


def _models(battle: Battle, unit: Unit) -> int:
    return battle.size(unit)


def _characters(battle: Battle, unit: Unit) -> int:
    return len(battle.characters(unit))


def _giants(battle: Battle, unit: Unit) -> int:
    return battle.size(unit) if battle.large(unit) else 0


def _alone(battle: Battle, seat: str, piece: Piece) -> bool:
    """wfb3:26.2-hill  Five models or more on it and no enemy."""
    on: dict[str, int] = {}
    for unit in battle.here():
        here = terrain.inside(piece, list(battle.block_of(unit).centres()))
        on[unit.seat] = on.get(unit.seat, 0) + (here if not unit.rout.routed else 0)
    return on.get(seat, 0) >= 5 and not on.get(battle.other(seat), 0)


def _bridge(battle: Battle, seat: str, piece: Piece) -> bool:
    """wfb3:26.2-bridge  Occupied, with no enemy in charge reach; empty, it goes with its section."""
    on = [u for u in battle.here() if terrain.inside(piece, list(battle.block_of(u).centres()))]
    if not on:
        x, y = piece.polygon.centroid.coords[0]
        boxes = [b for b in sections(battle) if b[0] <= x < b[0] + b[2] and b[1] <= y < b[1] + b[3]]
        return bool(boxes) and bool(controls(battle, seat, boxes[0]))
    if any(u.seat != seat for u in on):
        return False
    foes = battle.army(battle.other(seat))
    return not any(battle.gap(f, u) <= fear.charge_reach(battle, f) for f in foes for u in on if not f.rout.routed)


def approve(battle: Battle) -> Script[None]:
    """wfb3:26.2-gm-awards  A referee in person may put points on other places before the battle."""
    while battle.house["referee"] == "person":
        named = {name for name, _ in battle.land.awards}
        options = [Option(p.id, p, about=(p.id,)) for p in battle.table.pieces if p.id not in named]
        if not options:
            return
        rule = "wfb3:26.2-gm-awards"
        piece = yield Pick(referee.SEAT, "referee.award", options, optional=True, rule=rule)
        if piece is None:
            return
        points = yield Number(referee.SEAT, "referee.award-points", 1, 500, rule=rule, about=(piece.id,))
        battle.land = battle.land.but(awards=(*battle.land.awards, (piece.id, int(points))))
        battle.tell("award", rule, (piece.id,), points=int(points))


def decide(battle: Battle, why: str) -> None:
    """wfb3:26.2-winner  A tenth or less between them is a draw."""
    scores = {seat: score(battle, seat) for seat in battle.seats}
    for seat, tally in scores.items():
        battle.sides[seat].score = float(tally.value)
        battle.tell("score", "wfb3:26.2-winner", (seat,), points=tally)
    a, b = battle.seats
    low, high = sorted((float(scores[a].value), float(scores[b].value)))
    winner = None
    if high - low > 0.1 * high + 1e-9:
        winner = a if scores[a].value > scores[b].value else b
    battle.outcome = {
        "winner": winner,
        "why": why,
        "rule": "wfb3:26.2-winner",
        "score": {s: float(t.value) for s, t in scores.items()},
    }
    battle.tell("over", "wfb3:26.2-winner", (winner,) if winner else (), winner=winner, why=why)


def annihilated(battle: Battle) -> bool:
    """wfb3:26.1-length  Whether a side has nobody left; one that never had anybody has nobody to lose."""
    came = dict.fromkeys(u.seat for u in battle.units.values())
    late = {u.seat for u in battle.units.values() if u.where in ("undeployed", "held", "building")}
    return any(not battle.army(seat) and seat not in late for seat in came)
