"""Chapters 6.2.4, 6.2.6, 6.3, 13.7, 13.8, 14.6.2: what becomes of a volley: whom it strikes and what it does."""

from __future__ import annotations

from collections.abc import Sequence

from shapely import Polygon, shortest_line

from grognard.games.wfb3.army.weapons import Missile
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.characters import characters
from grognard.games.wfb3.chariots import chariots
from grognard.games.wfb3.combat import casualties
from grognard.games.wfb3.fire import fire_missiles
from grognard.games.wfb3.forces import PRESENT, Model, Unit
from grognard.games.wfb3.monsters import monsters
from grognard.games.wfb3.movement import mixed
from grognard.games.wfb3.rolls import steps
from grognard.games.wfb3.rolls.arms import immune_to_poison
from grognard.games.wfb3.rolls.saves import Blow, save
from grognard.games.wfb3.shooting import aiming
from grognard.games.wfb3.table import sight, terrain
from grognard.games.wfb3.troops import packs, weres
from grognard.kernel.formation.shapes import Outline, Point
from grognard.kernel.formation.sweeps import Shift, blocked, gap
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Roll, Script
from grognard.kernel.words.tally import Tally

#: wfb3:6.2.4-near-unit
NEAR = inches(2)


def resolve(
    battle: Battle, unit: Unit, target: Unit, weapon: Missile, made: aiming.Shot, count: int, mark: Model | None = None
) -> Script[int]:
    """wfb3:6.2-procedure  Shots alike: to hit, on whom, to wound, to save, losses."""
    hits, ones = yield from steps.shots(
        unit.seat, count, made.tally, "wfb3:6.2-tohit-table", (unit.id, target.id), ones=bool(weapon.misfire)
    )
    if ones and weapon.misfire:
        yield from misfire(battle, unit, ones, weapon.misfire)
    total = 0
    for struck, number in (yield from spread(battle, unit, target, hits)):
        total += yield from strike(battle, unit, struck, weapon, made, number, mark if struck is target else None)
    return total


def strike(
    battle: Battle, unit: Unit, target: Unit, weapon: Missile, made: aiming.Shot, hits: int, mark: Model | None = None
) -> Script[int]:
    """wfb3:6.3-wound-table, wfb3:6.4-saves, wfb3:6.6-casualties
    Whoever fell to others of the volley is hit no more."""
    if not battle.size(target):
        return 0
    made = fire_missiles.hotter(battle, weapon, made, target)
    if target.kind == "chariot":
        return (yield from chariots.shot(battle, unit, target, hits)) if hits else 0
    if target.kind == "monster":
        size = battle.size(target)
        done = (yield from monsters.shot(battle, unit, target, made, hits, quiet=weapon.spell)) if hits else 0
        casualties.shot_down(battle, target, size)
        return done
    if target.kind == "pack" and mark is None:
        hits, men = yield from packs.share(battle, unit.seat, target, hits)
        if men:
            yield from strike_handlers(battle, unit, target, made, men)
        if not hits or target.where not in PRESENT:
            return 0
    hurt = yield from through(battle, unit, target, made, hits, mark)
    if not hurt:
        return 0
    before = battle.size(target)
    if mark is not None:
        counted = yield from casualties.wound_model(battle, mark, hurt, "wfb3:6.3-wounds")
    elif target.kind == "character":
        counted = yield from casualties.wound_model(battle, battle.models[target.models[0]], hurt, "wfb3:6.3-wounds")
    else:
        battle.cite("wfb3:14.6.2-no-stray") if battle.characters(target) else None
        counted = yield from casualties.hurt(battle, target, hurt, "wfb3:6.6-casualties")
    lost = casualties.shot_down(battle, target, before)
    yield from weres.shot(battle, target, lost)
    if not weapon.spell:
        battle.tell("shoot.hurt", "wfb3:6.3-wounds", (unit.id, target.id), hits=hits, wounds=counted, dead=lost)
    return counted


def through(battle: Battle, unit: Unit, target: Unit, made: aiming.Shot, hits: int, mark: Model | None) -> Script[int]:
    """wfb3:6.3-wound-table, wfb3:6.4-saves  How many of so many hits are neither shrugged off nor saved."""
    body = mark.profile if mark is not None else target.profile
    needed = save(battle, target, mark, Blow(made.modifier, "wfb3:6.5-save-mods", False, made.rear))
    battle.cite("wfb3:6.3-weapon-strength")

    def step(number: int) -> Script[steps.Struck]:
        wounded = 0
        for strength, some in (yield from strengths(battle, unit, target, made, number)):
            need = Tally(steps.wound_need(strength, body.T), f"S{strength}", "wfb3:6.3-wound-table")
            wounded += yield from steps.wounds(unit.seat, some, need, "wfb3:6.3-wound-table", (unit.id, target.id))
        hurt = yield from steps.unsaved(target.seat, wounded, needed, "wfb3:6.4-saves", (target.id,))
        return steps.Struck(number, wounded, hurt)

    key = ("missile", made.strength or target.id, body.T, steps.said(needed))
    return (yield from steps.carried_through(step, hits, key)).hurt


def strike_handlers(battle: Battle, unit: Unit, target: Unit, made: aiming.Shot, hits: int) -> Script[None]:
    """wfb3:15.1-pack-shooting  Hits on the handlers of a pack, by their own toughness and armour."""
    master = packs.handlers(battle, target)[0]
    need = Tally(steps.wound_need(made.strength, master.profile.T), f"S{made.strength}", "wfb3:6.3-wound-table")
    wounds = yield from steps.wounds(unit.seat, hits, need, "wfb3:6.3-wound-table", (unit.id, master.id))
    needed = save(battle, target, master, Blow(made.modifier, "wfb3:6.5-save-mods", False, made.rear))
    hurt = yield from steps.unsaved(target.seat, wounds, needed, "wfb3:6.4-saves", (target.id,))
    before = battle.size(target)
    yield from packs.hurt_handlers(battle, target, hurt, "wfb3:15.1-pack-shooting")
    casualties.shot_down(battle, target, before)


def strengths(battle: Battle, unit: Unit, target: Unit, made: aiming.Shot, hits: int) -> Script[list[tuple[int, int]]]:
    """wfb3:13.7.10-blowpipe, wfb3:13.4-poison-breath
    Poisoned darts have a strength of D6 each, 1 against those who feel no poison."""
    if made.strength or not hits:
        return [(made.strength, hits)]
    if immune_to_poison(battle, target):
        battle.cite("wfb3:13.4-poison-breath")
        return [(1, hits)]
    faces = yield Roll(
        unit.seat, "blowpipe.strength", 6, hits, rule="wfb3:13.7.10-blowpipe", about=(unit.id, target.id)
    )
    return [(face, 1) for face in faces]


def misfire(battle: Battle, unit: Unit, ones: int, rule: str) -> Script[None]:
    """wfb3:13.8.1-misfire  Every natural 1 is a hit of strength 4 on the firer."""
    battle.tell("shoot.misfire", rule, (unit.id,), count=ones)
    need = Tally(steps.wound_need(4, unit.profile.T), "S4", "wfb3:6.3-wound-table")
    wounded = yield from steps.wounds(unit.seat, ones, need, rule, (unit.id,))
    hurt = yield from steps.unsaved(unit.seat, wounded, save(battle, unit, None, Blow()), "wfb3:6.4-saves", (unit.id,))
    if hurt and unit.kind != "character":
        before = battle.size(unit)
        yield from casualties.hurt(battle, unit, hurt, rule)
        casualties.shot_down(battle, unit, before)


def spread(battle: Battle, unit: Unit, target: Unit, hits: int) -> Script[list[tuple[Unit, int]]]:
    """wfb3:6.2.6-into-melee  Hits on a fight fall on either side, by numbers, creatures over 3 m counting double.

    Low faces are the smaller units, as in the book's examples: 1-2 one of ten men, 3-6 one of twenty orcs.
    Ruling: the shares are whole numbers of a D6 where they can be, else of a D100. Who stands at a window of a house is
    not in the fight his comrades have in another room of it.
    """
    fight = [target, *(foe for foe, _, _ in battle.foes(target))] if target.where == "table" else [target]
    if len(fight) == 1 and hits and mixed.partner(battle, target) is not None:
        return (yield from mixed.share(battle, unit.seat, target, hits))
    if len(fight) == 1 and hits and len(people := characters.group(battle, target)) > 1:
        return (yield from characters.share(battle, unit, people, hits))
    if len(fight) == 1 or not hits:
        return [(target, hits)] if hits else []
    battle.cite("wfb3:6.2.6-into-melee")
    fight.sort(key=lambda u: _bulk(battle, u))
    weights = [_bulk(battle, u) for u in fight]
    whole = sum(weights)
    sides = 6 if all((6 * w) % whole == 0 for w in weights) else 100
    faces = yield Roll(
        unit.seat, "shoot.whom", sides, hits, rule="wfb3:6.2.6-into-melee", about=tuple(u.id for u in fight)
    )
    counts = [0] * len(fight)
    for face in faces:
        share, upto = (face - 1) * whole / sides, 0.0
        for number, weight in enumerate(weights):
            upto += weight
            if share < upto:
                counts[number] += 1
                break
    return [(u, n) for u, n in zip(fight, counts, strict=True) if n]


def _bulk(battle: Battle, unit: Unit) -> int:
    return battle.size(unit) * (2 if battle.large(unit) else 1)


def rate_of_fire(battle: Battle, unit: Unit, weapon: Missile) -> Script[bool]:
    """wfb3:13.7.5-repeating-crossbow, wfb3:13.7.9-sling-double  Whether everybody shoots twice."""
    if weapon.name == "repeating crossbow":
        rule = "wfb3:13.7.5-repeating-crossbow"
    elif weapon.name == "sling" and unit.march.moved != battle.clock:
        rule = "wfb3:13.7.9-sling-double"
    else:
        return False
    options = [Option("once", False, "option.shoot.once"), Option("twice", True, "option.shoot.twice")]
    twice = yield Pick(unit.seat, "shoot.rate", options, optional=True, nay="once", rule=rule, about=(unit.id,))
    if twice and weapon.name == "sling":
        unit.march = unit.march.but(no_reserve=battle.clock)
    return bool(twice)


def screens(battle: Battle, unit: Unit, target: Unit) -> list[Unit]:
    """wfb3:6.2.4-gap, wfb3:6.2.4-near-unit  Units past which nobody of a unit may shoot closely at a target.

    Ruling: units that stand at the shooters or at the target, or fight the target, do not count, nor do characters.
    """
    if sight.raised(battle, unit) or sight.raised(battle, target) or sight.aloft(unit, target):
        return []
    if unit.kind == "monster":
        return []
    mine, theirs = battle.block_of(unit), battle.block_of(target)
    a, b = mine.front, theirs.centre
    wide = NEAR + (max(mine.width, mine.depth) + max(theirs.width, theirs.depth)) / 2
    fight = {target.id, unit.id, *(foe.id for foe, _, _ in battle.foes(target))}
    found = []
    for other in battle.here():
        if other.id in fight or other.kind == "character" or other.air.height:
            continue
        beside = battle.gap(unit, other) <= (NEAR if other.seat == unit.seat else 1.0)
        if beside or battle.gap(target, other) <= NEAR:
            continue
        shape = battle.block_of(other).outline
        if blocked(Outline((a,), 0.1), Shift(b[0] - a[0], b[1] - a[1]), shape, wide):
            found.append(other)
    return found


def alleys(battle: Battle, unit: Unit, target: Unit, others: Sequence[Unit]) -> list[Outline]:
    """wfb3:6.2.4-gap  The gaps of four inches and less between enemies that could be shot at and scenery.

    Ruling: scenery is what stands higher than the plain; not where the shooters or the target stand.
    """
    here = [battle.block_of(one).outline for one in (unit, target)]
    edges = [p for p in battle.table.pieces if p.height and not any(_beside(battle, p, shape) for shape in here)]
    found = []
    for other in others if edges else ():
        if other.seat == unit.seat or not sight.visible(battle, unit, other):
            continue
        body = Polygon(battle.block_of(other).boundary.corners)
        for piece in edges:
            far = piece.polygon.distance(body)
            if 1.0 < far <= 2 * NEAR + 0.03:
                found.append(Outline(tuple((x, y) for x, y in shortest_line(body, piece.polygon).coords)))
    return found


def _beside(battle: Battle, piece: Piece, shape: Outline) -> bool:
    return gap(terrain.outline(piece, battle.table), shape) <= NEAR


def clear(battle: Battle, eye: Point, target: Unit, others: Sequence[Outline], closed: Sequence[Outline] = ()) -> bool:
    """wfb3:6.2.4-near-unit  Whether some line of fire keeps two inches away from all others and off closed gaps."""
    goals = sight.spots(battle.block_of(target).outline)
    body = Outline((eye,), 0.1)
    ways = [Shift(x - eye[0], y - eye[1]) for x, y in goals]
    return any(
        not any(blocked(body, way, o, NEAR) for o in others) and not any(blocked(body, way, o) for o in closed)
        for way in ways
    )


def past_a_unit(battle: Battle, unit: Unit, target: Unit, eyes: Sequence[Point] = ()) -> bool:
    """wfb3:6.2.4-gap, wfb3:6.2.4-near-unit  Whether every line of fire passes within two inches of another unit.

    Ruling: a unit shoots as one; where some of its shots pass clear, all who see the target shoot.
    """
    others = screens(battle, unit, target)
    if not others:
        return False
    shapes, closed = [battle.block_of(o).outline for o in others], alleys(battle, unit, target, others)
    if any(clear(battle, eye, target, shapes, closed) for eye in eyes or (battle.block_of(unit).front,)):
        return False
    battle.cite("wfb3:6.2.4-gap", "wfb3:6.2.4-near-unit")
    return True
