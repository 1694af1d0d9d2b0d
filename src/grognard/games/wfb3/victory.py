"""wfb3:26  The end of the game and who has won."""

from __future__ import annotations

from grognard.games.wfb3 import terrain
from grognard.games.wfb3.battle import Battle
from grognard.kernel.tally import Tally


def score(battle: Battle, seat: str) -> Tally:
    """wfb3:26.2-survivors  What a side's remaining troops are worth, with places and trophies."""
    tally = Tally(0, "survivors", "wfb3:26.2-survivors")
    for unit in battle.army(seat):
        if unit.routed:
            continue
        half = 0.5 if unit.rallied == battle.clock or unit.rallied == battle.clock - 1 else 1.0
        worth = sum(unit.price if m.role != "character" else battle.units[m.home].price for m in battle.members(unit))
        tally.add(round(worth * half, 2), unit.id, "wfb3:26.2-survivors")
    _places(battle, seat, tally)
    for unit in battle.army(seat):
        for trophy in unit.trophies:
            if battle.units[trophy].kind == "character":
                tally.add(100, f"standard-{trophy}", "wfb3:26.2-army-standard")
            else:
                battle.cite("wfb3:12.4-why")
                tally.add(50, f"banner-{trophy}", "wfb3:26.2-trophies")
    chief = next((u for u in battle.units.values() if u.seat != seat and u.general), None)
    if chief is not None and not battle.models[chief.id].alive:
        tally.add(50, "general", "wfb3:26.2-general")
    return tally


def sections(battle: Battle) -> list[tuple[float, float, float, float]]:
    """wfb3:2.2-sections  The eight sections of the table: x, y, width, height."""
    battle.cite("wfb3:2.2-sections")
    wide, high = battle.table.width / 4, battle.table.height / 2
    return [(wide * i, high * j, wide, high) for j in range(2) for i in range(4)]


def _places(battle: Battle, seat: str, tally: Tally) -> None:
    for number, (x, y, w, h) in enumerate(sections(battle), 1):
        inside = [
            u
            for u in battle.here()
            if x <= battle.block_of(u).centre[0] < x + w and y <= battle.block_of(u).centre[1] < y + h
        ]
        own = [u for u in inside if u.seat == seat and not u.routed and u.kind != "character"]
        foes = [u for u in inside if u.seat != seat and not u.routed]
        if own and not foes:
            tally.add(50, f"section-{number}", "wfb3:26.2-section")
        elif own and sum(map(battle.size, own)) >= 3 * sum(map(battle.size, foes)):
            theirs, ours = (sum(len(battle.characters(u)) for u in side) for side in (foes, inside))
            if not theirs or ours - theirs >= 3 * theirs:
                tally.add(50, f"section-{number}", "wfb3:26.2-section-contested")
    for piece in battle.table.pieces:
        if piece.kind not in ("hill", "steep hill"):
            continue
        on: dict[str, int] = {}
        for unit in battle.here():
            here = terrain.inside(piece, list(battle.block_of(unit).centres()))
            on[unit.seat] = on.get(unit.seat, 0) + (here if not unit.routed else 0)
        if on.get(seat, 0) >= 5 and not on.get(battle.other(seat), 0):
            tally.add(50, piece.id, "wfb3:26.2-hill")


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
    """wfb3:26.1-length  Whether a side has nobody left."""
    return any(not battle.army(seat) for seat in battle.seats)
