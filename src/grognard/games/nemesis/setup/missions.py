"""Chapter A3: The three missions: what they lay on the table, how long they last, who wins."""

from __future__ import annotations

import math

import msgspec

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Marker, Model
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.questions import Option, Pick, Script, option

ARMY_GONE = "nemesis:X.8-army-gone"
CARRY = "nemesis:A3.1-carry"
APART = cm(20)  # nemesis:A3.1-markers


class GameOver(Exception):
    """nemesis:9  The mission is decided; battle.outcome says how."""


class Scenario(msgspec.Struct, frozen=True):
    """A mission: `turns` is the printed length, `cap` the last turn of one without (Ruling)."""

    id: str
    title: str
    french: str
    victory: str
    length: str
    turns: int | None = None
    cap: int = 0
    manuscripts: bool = False
    head: bool = False


SCENARIOS: dict[str, Scenario] = {
    s.id: s
    for s in (
        Scenario(
            "hunters-manuscripts", "The Hunter's Manuscripts", "Les manuscrits du chasseur", "nemesis:A3.1-victory",
            "nemesis:A3.1-length", cap=10, manuscripts=True,
        ),
        Scenario("for-miter", "For Miter!!!", "Pour Miter !!!", "nemesis:A3.2-victory", "nemesis:A3.2-length", turns=6),
        Scenario(
            "commanders-head", "For the commander's head!!!", "Pour la tête du commandant !!!",
            "nemesis:A3.3-victory", "nemesis:A3.3-length", cap=20, head=True,
        ),
    )
}  # fmt: skip


def marker_places(battle: Battle) -> list[tuple[float, float]]:
    """nemesis:A3.1-markers  Ruling: on the midline, the centre and 20 cm to each side; or a triangle of side 20."""
    x, y = battle.table.width / 2, battle.table.height / 2
    if battle.house["marker_layout"] == "triangle":
        return [(x, y - APART / 2), (x, y + APART / 2), (x + APART * math.sqrt(3) / 2, y)]
    return [(x - APART, y), (x, y), (x + APART, y)]


def lay_markers(battle: Battle) -> None:
    """nemesis:A3.1-markers  The manuscripts of scenario I."""
    if SCENARIOS[battle.scenario].manuscripts:
        places = marker_places(battle)
        battle.markers = tuple(Marker(f"scroll{n}", round(x, 3), round(y, 3)) for n, (x, y) in enumerate(places, 1))
        spots = [[m.x, m.y] for m in battle.markers]
        battle.tell("markers.laid", "nemesis:A3.1-markers", [m.id for m in battle.markers], places=spots)


# ---------------------------------------------------------------------- carrying manuscripts


def touches(battle: Battle, model: Model, marker: Marker) -> bool:
    """nemesis:A3.1-carry  Ruling: a manuscript is a point; a base on it touches it."""
    pose = battle.pose(model)
    return math.hypot(pose.x - marker.x, pose.y - marker.y) <= battle.bodies.base(model.body).reach + TOUCH


def after_move(battle: Battle, models: list[Model]) -> Script[None]:
    """nemesis:A3.1-carry  Models that ended a move may pick up, take or give manuscripts.

    Ruling: friends in base contact only; neither giver nor taker engaged; each manuscript changes hands once.
    """
    if not battle.markers:
        return
    for model in models:
        handled: list[str] = []
        while model.on_table and not model.doomed:
            options = [o for o in _exchanges(battle, model) if o.value[0].id not in handled]
            if not options:
                break
            chosen = yield Pick(
                model.seat, "scroll.exchange", options, optional=True, rule=CARRY, about=(model.id,),
            )  # fmt: skip
            if chosen is None:
                break
            marker, bearer = chosen
            handled.append(marker.id)
            _hand_over(battle, marker, battle.models[bearer])


def _exchanges(battle: Battle, model: Model) -> list[Option]:
    """What the model may pick up, take from a friend it touches, or give to him."""
    if battle.contacts(model):
        battle.cite(CARRY)
        return []
    found = []
    if any(battle.models[m.bearer].seat == model.seat for m in battle.markers if m.bearer is not None):
        battle.cite(CARRY)
    beside = [
        other
        for other in battle.on_table(model.seat)
        if other is not model and not other.doomed and battle.gap(model, other) <= TOUCH and not battle.contacts(other)
    ]
    for marker in battle.markers:
        if marker.destroyed:
            continue
        if marker.bearer is None and touches(battle, model, marker):
            found.append(_exchange("pick", marker, model, ()))
        for friend in beside:
            if marker.bearer == friend.id:
                found.append(_exchange("take", marker, model, (friend.id,)))
            if marker.bearer == model.id:
                found.append(_exchange("give", marker, friend, (friend.id,)))
    return found


def _exchange(verb: str, marker: Marker, bearer: Model, friend: tuple[str, ...]) -> Option:
    key = ":".join((verb, marker.id, *friend))
    data = {"scroll": marker.id, "friend": friend[0] if friend else ""}
    return option(key, (marker, bearer.id), text=f"option.scroll.{verb}", about=(marker.id, *friend), data=data)


def _hand_over(battle: Battle, marker: Marker, bearer: Model) -> None:
    if marker.bearer is not None:
        giver = battle.models[marker.bearer]
        giver.scrolls = tuple(scroll for scroll in giver.scrolls if scroll != marker.id)
    bearer.scrolls = (*bearer.scrolls, marker.id)
    _replace(battle, msgspec.structs.replace(marker, bearer=bearer.id))
    battle.tell("scroll.taken", CARRY, (bearer.id, marker.id), giver=marker.bearer or "")


def _replace(battle: Battle, marker: Marker) -> None:
    battle.markers = tuple(marker if m.id == marker.id else m for m in battle.markers)


def _burn(battle: Battle) -> None:
    """nemesis:A3.1-destroyed  A manuscript is destroyed with its bearer."""
    for marker in battle.markers:
        bearer = battle.models.get(marker.bearer or "")
        if bearer is not None and not bearer.on_table and not marker.destroyed:
            bearer.scrolls = tuple(scroll for scroll in bearer.scrolls if scroll != marker.id)
            _replace(battle, msgspec.structs.replace(marker, bearer=None, destroyed=True))
            battle.tell("scroll.destroyed", "nemesis:A3.1-destroyed", (bearer.id, marker.id))


# ---------------------------------------------------------------------- who is winning


def in_zone(battle: Battle, model: Model, seat: str) -> bool:
    """nemesis:A3.1-length  Ruling: the bearer's base lies wholly in the zone."""
    pose = battle.pose(model)
    return model.on_table and _within(battle, seat, model, pose.x, pose.y)


def _within(battle: Battle, seat: str, model: Model, x: float, y: float) -> bool:
    zone = battle.sides[seat].zone
    if zone is None:
        return False
    reach = battle.bodies.base(model.body).reach - TOUCH
    left, low, width, height = zone
    return left + reach <= x <= left + width - reach and low + reach <= y <= low + height - reach


def _carried(battle: Battle, seat: str) -> list[tuple[Marker, Model]]:
    """The manuscripts a side's models carry."""
    borne = [(m, battle.models[m.bearer]) for m in battle.markers if m.bearer is not None and not m.destroyed]
    return [(marker, bearer) for marker, bearer in borne if bearer.seat == seat]


def held(battle: Battle, seat: str) -> int:
    """nemesis:A3.1-victory  Manuscripts in a side's own zone. Ruling: carried there by its own models."""
    return sum(in_zone(battle, bearer, seat) for _, bearer in _carried(battle, seat))


def held_before(battle: Battle, seat: str) -> int:
    """nemesis:A3.1-length  Those that were there at the last turn's end: a carried marker's place is that of then."""
    return sum(_within(battle, seat, bearer, marker.x, marker.y) for marker, bearer in _carried(battle, seat))


def score(battle: Battle) -> dict[str, float]:
    """nemesis:A3.1-victory, nemesis:A3.2-victory, nemesis:A3.3-victory  Each side's count in the mission's own terms.

    Manuscripts held, points of enemy models eliminated, or enemy commanders eliminated.
    Ruling: with more than two sides all others are the enemy.
    """
    mission = SCENARIOS[battle.scenario]
    if mission.manuscripts:
        return {seat: held(battle, seat) for seat in battle.seats}
    if mission.head:
        fallen = [seat for seat in battle.seats if _headless(battle, seat)]
        return {seat: sum(other != seat for other in fallen) for seat in battle.seats}
    lost = {seat: battle.sides[seat].lost_points for seat in battle.seats}
    return {seat: sum(points for other, points in lost.items() if other != seat) for seat in battle.seats}


def _headless(battle: Battle, seat: str) -> bool:
    commander = battle.sides[seat].commander
    return commander is not None and commander in battle.models and not battle.models[commander].on_table


def _finish(battle: Battle, winner: str | None, why: str, rule: str) -> None:
    battle.cite("nemesis:9", SCENARIOS[battle.scenario].victory)
    battle.outcome = {"winner": winner, "why": why, "rule": rule, "score": score(battle)}
    raise GameOver


def _alive(battle: Battle) -> list[str]:
    """nemesis:X.8-army-gone  The sides that came to fight and still have a model on the table."""
    here = {model.seat: None for model in battle.on_table()}
    return [seat for seat in battle.seats if battle.sides[seat].started and seat in here]


def _decide(battle: Battle, why: str, rule: str) -> None:
    """Most wins; equal is a draw. nemesis:X.8-army-gone  A side that is gone has lost, whatever it had achieved."""
    points = score(battle)
    rivals = _alive(battle) or list(battle.seats)
    best = max(points[seat] for seat in rivals)
    leaders = [seat for seat in rivals if points[seat] == best]
    _finish(battle, leaders[0] if len(leaders) == 1 else None, why if len(leaders) == 1 else f"{why}-draw", rule)


# ---------------------------------------------------------------------- when it is over


def after_removal(battle: Battle) -> None:
    """nemesis:X.8-army-gone, nemesis:A3.3-victory, nemesis:A3.1-destroyed  After models have left the table."""
    _burn(battle)
    if SCENARIOS[battle.scenario].head:
        _heads(battle)
    fought = [seat for seat in battle.seats if battle.sides[seat].started]
    alive = _alive(battle)
    for seat in fought:
        if seat not in alive and not battle.sides[seat].gone:
            battle.sides[seat].gone = True
            battle.tell("army.gone", ARMY_GONE, (seat,))
    if len(alive) < min(2, len(fought)):
        _finish(battle, alive[0] if alive else None, "outcome.army-gone" if alive else "outcome.armies-gone", ARMY_GONE)


def _heads(battle: Battle) -> None:
    """nemesis:A3.3-victory  Ruling: both commanders in one removal are a draw; flight off the table counts.

    Ruling: with more than two sides the last one with its commander wins.
    """
    standing = [seat for seat in battle.seats if not _headless(battle, seat)]
    if len(standing) < len(battle.seats):
        battle.cite("nemesis:A3.3-victory")
    if len(standing) < min(2, len(battle.seats)):
        why = "outcome.head" if standing else "outcome.heads-draw"
        _finish(battle, standing[0] if standing else None, why, "nemesis:A3.3-victory")


def last_turn(battle: Battle) -> int:
    """The turn with which the mission ends at the latest."""
    mission = SCENARIOS[battle.scenario]
    return int(mission.turns or battle.house["turn_cap"] or mission.cap)


def end_of_turn(battle: Battle) -> None:
    """nemesis:9, nemesis:A3.1-length, nemesis:A3.2-length, nemesis:A3.3-length
    Whether the mission ends with this turn."""
    mission = SCENARIOS[battle.scenario]
    battle.cite("nemesis:9", mission.length)
    if battle.markers:
        _manuscripts_settled(battle)
    if battle.turn >= last_turn(battle):
        _decide(battle, "outcome.time", mission.length)


def _manuscripts_settled(battle: Battle) -> None:
    """nemesis:A3.1-length  Ruling: nothing can change hands any more, or two held at two turn ends running."""
    here = {seat: held(battle, seat) for seat in battle.seats}
    left = [m for m in battle.markers if not m.destroyed]
    settled = sum(here.values()) == len(left)
    kept = any(here[seat] >= 2 and held_before(battle, seat) >= 2 for seat in battle.seats)
    for marker in left:
        if marker.bearer is not None:
            pose = battle.pose(battle.models[marker.bearer])
            _replace(battle, msgspec.structs.replace(marker, x=pose.x, y=pose.y))
    if settled or kept:
        _decide(battle, "outcome.manuscripts", "nemesis:A3.1-length")
