"""ades:4.2.5.5-artillery  Piercing and area artillery, in a fighter's hands or on its carriage."""

from __future__ import annotations

import math

from shapely import LineString
from shapely import Point as Spot

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter, Thing
from grognard.games.ades.losses import damage
from grognard.games.ades.losses.damage import Source
from grognard.games.ades.movement import answers
from grognard.games.ades.rolls import characteristic_points, stats, steps, tests
from grognard.games.ades.rolls.tests import Shift
from grognard.games.ades.shooting import battering, shooting, shot_numbers, stray_shots
from grognard.games.ades.shooting.shot_numbers import Gun
from grognard.games.ades.table import hidden, sight
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.gaps import gap_to_point
from grognard.kernel.geometry.rings import Point
from grognard.kernel.geometry.templates import blast, is_under, line
from grognard.kernel.geometry.units import TOUCH, cm, snap
from grognard.kernel.placing.tracks import Track, parse, write
from grognard.kernel.questions import Pick, Place, Roll, Script, option
from grognard.kernel.words.tally import Tally

RULE = "ades:4.2.5.5-artillery"
#: Ruling: free actions do not unsettle a gunner.
BESIDES = ("walk", "disengage", "seize", "trap", "breath", "cast", "shoot", "power-cumulative")
PIERCING, AREA = "ades:4.2.5.5-piercing", "ades:4.2.5.5-zone"


def shot(battle: Battle, fighter: Fighter) -> Script[str]:
    """ades:4.2.5.5-artillery, ades:4.2.5.5-destabilised, ades:13.2-rechargement-rapide
    An artillery shot; after another action
    with -1 TIR; by those who reload fast two."""
    weapon = yield from shooting.weapon_for(battle, fighter, shot_numbers.artillery(fighter))
    plus: tuple[Shift, ...] = ()
    if any(battle.said(fighter, kind) for kind in BESIDES):
        plus = ((-1, "destabilised", "ades:4.2.5.5-destabilised"),)
    battle.cite(RULE)
    shots, gun = yield from shooting.reloaded(battle, Gun(fighter, weapon, plus=plus))
    outcome = yield from discharge(battle, gun)
    if outcome != "done":
        fighter.activation = fighter.activation.but(
            done=tuple(kind for kind in fighter.activation.done if kind != "reload")
        )
    elif shots > 1 and fighter.alive and battle.free(fighter):
        yield from _loose(battle, gun)
    return outcome


def discharge(battle: Battle, gun: Gun) -> Script[str]:
    """Fire a piece of artillery, whatever kind it is."""
    yield from shooting.vigil(battle, [gun.shooter])
    if not gun.shooter.alive or not battle.free(gun.shooter):
        return "held"
    return (yield from _loose(battle, gun))


def _loose(battle: Battle, gun: Gun) -> Script[str]:
    if gun.weapon.shape == "area":
        return (yield from _area(battle, gun))
    if gun.weapon.shape == "piercing":
        return (yield from _piercing(battle, gun))
    target = yield from shooting.aim_at(battle, [gun])
    if target is None:
        return "held"
    yield from shooting.once(battle, gun, target, [gun.shooter], None)
    return "done"


def origin(battle: Battle, gun: Gun) -> tuple[float, float]:
    body = gun.machine.body if gun.machine is not None else gun.shooter.body
    pose = battle.bodies.pose(body)
    return pose.x, pose.y


# ---------------------------------------------------------------------- piercing


def _piercing(battle: Battle, gun: Gun) -> Script[str]:
    """ades:4.2.5.5-piercing  Three tests in turn at difficulties 0, 3 and 7: the line is as long as they are passed."""
    found, barred = [], {}
    for foe in battle.enemies(gun.shooter):
        refusal = shot_numbers.target_refusal(battle, gun, foe)
        if refusal is None:
            found.append(foe)
        else:
            barred[foe.id] = refusal
    target: Fighter | None = yield Pick(
        gun.shooter.seat, "shot.target", [option(f.id, f, about=(f.id,)) for f in found], optional=True, barred=barred,
        rule=PIERCING, about=(gun.shooter.id,), data={"who": gun.shooter.id},
    )  # fmt: skip
    if target is None:
        return "held"
    covered = yield from answers.take_cover(battle, gun.shooter, target)
    more: tuple[Shift, ...] = ((-1, "cover", "ades:5.3.2.6"),) if covered else ()
    yield from characteristic_points.offer(battle, gun.shooter, ("TIR",), "test")
    view = sight.view(battle, gun.shooter, target, shooting=True)
    passed = 0
    for hard in shot_numbers.BANDS:
        if not (yield from _band(battle, gun, target, view, hard, more)):
            break
        passed += 1
    if passed:
        battle.tell("piercing", "ades:4.2.5.5-piercing-line", (gun.shooter.id, target.id), ranges=passed)
        yield from _along(battle, gun, target, cm(gun.weapon.range) * passed, more)
    else:
        battle.tell("shot.missed", PIERCING, (gun.shooter.id, target.id), weapon=gun.weapon.name)
    if covered and target.alive:
        yield from answers.dodge_away(battle, target)
    return "done"


def _band(
    battle: Battle, gun: Gun, target: Fighter, view: sight.View, hard: int, more: tuple[Shift, ...]
) -> Script[bool]:
    value = stats.stat(battle, gun.shooter, "TIR")
    for amount, what, rule in gun.plus:
        value.add(amount, what, rule)
    against = Tally(hard, "range", shot_numbers.RANGE)
    shifts = [*shot_numbers.columns(battle, gun, target, view), *more]
    test = tests.make(battle, "piercing", PIERCING, gun.shooter, "TIR", value, against, foe=target, shifts=shifts)
    done = yield from steps.attempt(test)
    tests.settle(battle, gun.shooter, done)
    return done.passed


def _along(battle: Battle, gun: Gun, target: Fighter, length: float, more: tuple[Shift, ...] = ()) -> Script[None]:
    """ades:4.2.5.5-piercing-line, ades:1.1.15, ades:4.2.5.5-piercing-heavy, ades:4.2.5.5-piercing-light,
    ades:4.2.5.5-piercing-melee
    Every element on the line, measured from the edge of the source, in order.

    Ruling: friends too, where it cuts a base; of scenery what has RES and life points.
    """
    x, y = origin(battle, gun)
    length += battle.bodies.base(gun.machine.body if gun.machine is not None else gun.shooter.body).half_width
    at = battle.pose(target)
    angle = math.atan2(at.y - y, at.x - x)
    end = (x + length * math.cos(angle), y + length * math.sin(angle))
    force = float(gun.weapon.force)
    for element in _on_line(battle, gun, (x, y), end, at.level):
        if force < 0:
            break
        struck: Fighter | Thing = element
        if isinstance(element, Fighter):
            if not element.alive:
                continue
            if battle.foes_of(element):
                battle.cite("ades:4.2.5.5-piercing-melee")
            struck = yield from stray_shots.distribute(battle, gun, element, [gun.shooter])
            res = stats.resistance(battle, struck).value
            hidden_by = more if struck is target else ()
            yield from shooting.wound(battle, gun, struck, force, hidden_by, "ades:4.2.5.5-piercing-line")
        else:
            res = element.res
            how = Source(shot=True)
            yield from damage.strike(battle, element, force, how, "ades:4.2.5.5-piercing-line", by=gun.shooter)
        if gun.weapon.heavy:
            battle.cite("ades:4.2.5.5-piercing-heavy")
        else:
            battle.cite("ades:4.2.5.5-piercing-light")
            force -= res


def _on_line(battle: Battle, gun: Gun, start: Point, end: Point, level: int) -> list[Fighter | Thing]:
    """ades:4.2.5.5-piercing-line, ades:13.2-eclaireur-hidden  What the line cuts, nearest first."""
    beam, way = line(start, end, 0.0), LineString([start, end])
    skip = {gun.shooter.id} | set(gun.machine.crew if gun.machine is not None else ())
    found: list[tuple[float, str, Fighter | Thing]] = []
    for fighter in battle.on_table():
        pose = battle.pose(fighter)
        if fighter.id in skip or pose.level != level or not is_under(beam, battle.base(fighter), pose):
            continue
        if not hidden.untouched(battle, fighter, gun.shooter.seat):
            found.append((math.dist(start, pose[:2]) - battle.base(fighter).half_width, fighter.id, fighter))
    for thing in battle.things.values():
        if level or thing is gun.machine or not thing.alive or not thing.placed:
            continue
        if thing.body >= 0:
            base, pose = battle.bodies.base(thing.body), battle.bodies.pose(thing.body)
            if is_under(beam, base, pose):
                found.append((math.dist(start, pose[:2]) - base.half_width, thing.id, thing))
        elif thing.piece and thing.start_pv:
            cut = way.intersection(battle.table.piece(thing.piece).polygon)
            if not cut.is_empty:
                found.append((float(cut.distance(Spot(start))), thing.id, thing))
    return [element for _, _, element in sorted(found, key=lambda row: row[:2])]


# ---------------------------------------------------------------------- area


class PointJudge:
    """ades:4.2.5.5-zone  Where a shell may be aimed: a point in view."""

    def __init__(self, battle: Battle, gun: Gun) -> None:
        self.battle = battle
        self.gun = gun

    def decode(self, wire: object) -> tuple[float, float]:
        found = parse(wire, ["impact"], AREA)
        facts = {"fighter": self.gun.shooter.id}
        if "impact" not in found or not found["impact"].path:
            raise Refused(Refusal("refuse.no-point", AREA, facts))
        x, y = found["impact"].path[-1]
        table = self.battle.table
        if not (0 <= x <= table.width and 0 <= y <= table.height):
            raise Refused(Refusal("refuse.off-table", AREA, facts))
        thing = _thing_at(self.battle, x, y)
        if not sight.sees_point(self.battle, self.gun.shooter, x, y, skip=thing.piece if thing is not None else ""):
            raise Refused(Refusal("refuse.point-unseen", AREA, facts))
        return x, y

    def encode(self, wire: object) -> object:
        return write(parse(wire, ["impact"], AREA))

    def proposals(self) -> list[str]:
        foes = self.battle.enemies(self.gun.shooter)
        marks = [f"on:{f.id}" for f in foes if not f.hidden and self.battle.pose(f).level == 0]
        return marks + [f"on:{t.id}" for t in battering.things(self.battle, self.gun.shooter)]

    def propose(self, name: str) -> object:
        key = name[3:]
        if key in self.battle.fighters:
            x, y, *_ = self.battle.pose(self.battle.fighters[key])
        else:
            x, y = sight.centre(self.battle, self.battle.things[key])
        wire = write({"impact": Track(((snap(x), snap(y)),))})
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire


def _far(battle: Battle, gun: Gun, x: float, y: float) -> float:
    ox, oy = origin(battle, gun)
    body = gun.machine.body if gun.machine is not None else gun.shooter.body
    return max(0.0, math.dist((ox, oy), (x, y)) - battle.bodies.base(body).half_width)


def _thing_at(battle: Battle, x: float, y: float) -> Thing | None:
    """ades:4.2.5.5-zone, ades:9.2.6-stats  Scenery with life points that a point on the table is part of."""
    for thing in battle.things.values():
        if not (thing.alive and thing.placed and thing.start_pv) or thing.bearer:
            continue
        if thing.piece:
            if battle.table.piece(thing.piece).polygon.intersects(Spot(x, y)):
                return thing
        elif thing.body >= 0:
            if gap_to_point(battle.bodies.base(thing.body), battle.bodies.pose(thing.body), x, y) <= TOUCH:
                return thing
        elif math.dist((thing.x, thing.y), (x, y)) <= TOUCH * 2:
            return thing
    return None


def _area(battle: Battle, gun: Gun) -> Script[str]:
    """ades:4.2.5.5-zone  A point, a TIR test by its distance; a hit strikes everybody within 5 cm."""
    point = yield Place(
        gun.shooter.seat,
        "shot.point",
        ("impact",),
        PointJudge(battle, gun),
        optional=True,
        rule=AREA,
        about=(gun.shooter.id,),
    )
    if point is None:
        return "held"
    x, y = point
    yield from characteristic_points.offer(battle, gun.shooter, ("TIR",), "test")
    here = [f for f in battle.on_table() if math.dist(battle.pose(f)[:2], (x, y)) <= TOUCH * 2]
    full = next((f for f in here if not hidden.untouched(battle, f, gun.shooter.seat)), None)
    covered = full is not None and (yield from answers.take_cover(battle, gun.shooter, full))
    more: tuple[Shift, ...] = ((-1, "cover", "ades:5.3.2.6"),) if covered else ()
    if (yield from _to_point(battle, gun, full, x, y, more)):
        battle.tell("shell", AREA, (gun.shooter.id,), x=x, y=y)
        yield from _burst(battle, gun, full, x, y, more)
    else:
        battle.tell("shot.missed", AREA, (gun.shooter.id,), weapon=gun.weapon.name)
    if covered and full is not None and full.alive:
        yield from answers.dodge_away(battle, full)
    return "done"


def _to_point(
    battle: Battle, gun: Gun, full: Fighter | None, x: float, y: float, more: tuple[Shift, ...]
) -> Script[bool]:
    """Ruling: view and size count only where the point is a fighter."""
    value = stats.stat(battle, gun.shooter, "TIR")
    for amount, what, rule in gun.plus:
        value.add(amount, what, rule)
    hard = shot_numbers.difficulty(battle, gun.weapon, _far(battle, gun, x, y))
    against = Tally(shot_numbers.BANDS[-1] if hard is None else hard, "range", shot_numbers.RANGE)
    shifts = list(gun.shifts)
    if full is not None:
        shifts = [*shot_numbers.columns(battle, gun, full, sight.view(battle, gun.shooter, full, shooting=True)), *more]
    test = tests.make(battle, "shell", AREA, gun.shooter, "TIR", value, against, shifts=shifts)
    done = yield from steps.attempt(test if hard is not None else shot_numbers.too_far(test))
    tests.settle(battle, gun.shooter, done)
    return done.passed


def _burst(battle: Battle, gun: Gun, full: Fighter | None, x: float, y: float, more: tuple[Shift, ...]) -> Script[None]:
    """ades:4.2.5.5-zone-heavy, ades:4.2.5.5-zone-light
    Full FOR, or less by a die; Ruling: one die each, one level only.

    Scenery is struck where it is the point itself; of what else lies under the template only fighters are.
    """
    disc = blast((x, y), cm(5))
    level = battle.pose(full).level if full is not None else 0
    thing = _thing_at(battle, x, y) if full is None else None
    if thing is not None:
        how = Source(shot=True, attack=True)
        yield from damage.strike(battle, thing, float(gun.weapon.force), how, AREA, by=gun.shooter)
    for fighter in list(battle.on_table()):
        pose, base = battle.pose(fighter), battle.base(fighter)
        if not fighter.alive or pose.level != level or not is_under(disc, base, pose):
            continue
        if hidden.untouched(battle, fighter, gun.shooter.seat):
            continue
        rule = "ades:4.2.5.5-zone-heavy" if gun.weapon.heavy else "ades:4.2.5.5-zone-light"
        force = float(gun.weapon.force)
        if fighter is not full and not (gun.weapon.heavy and is_under(disc, base, pose, "whole")):
            (face,) = yield Roll(gun.shooter.seat, "shell.force", 6, rule=rule, about=(fighter.id,))
            force = max(0.0, force - face)
        yield from shooting.wound(battle, gun, fighter, force, more if fighter is full else (), rule)
