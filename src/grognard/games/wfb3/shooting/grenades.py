"""Chapter 13.8.4: grenades: one template a thrower, lobbed anywhere within six inches."""

from __future__ import annotations

import math

from grognard.games.wfb3.army.weapons import MISSILES
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.combat import casualties
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.rolls import dice, steps
from grognard.games.wfb3.rolls.saves import Blow, save
from grognard.games.wfb3.table import sight
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Place
from grognard.kernel.formation.shapes import Outline, Point
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import bearing, heading, inches
from grognard.kernel.questions import Option, Pick, Roll, Script
from grognard.kernel.words.tally import Tally

#: wfb3:13.8.4-grenade  Half the diameter of the template; wfb3:13.8.4-grenade-target  half the arc.
RADIUS, ARC = inches(0.5), 22.5
REACH = inches(6)
#: wfb3:13.8.4-grenade-scatter
HOURS, EARLY = 12, 20


def throw(battle: Battle, unit: Unit, target: Unit) -> Script[None]:
    """wfb3:13.8.4-grenade, wfb3:13.8.4-grenade-target
    Every model of the front rank throws one at some model of the target.

    Ruling: the template is laid on the middle of an enemy model; each thrower throws in turn.
    """
    unit.shooting = unit.shooting.but(fired=battle.clock, fired_at=target.id)
    battle.cite("wfb3:13.8.4-grenade", MISSILES["grenade"].table)
    for thrower in throwers(battle, unit):
        if target.where != "table" or thrower not in unit.models:
            return
        place = battle.block_of(unit).places[unit.models.index(thrower)]
        options, barred = aims(battle, unit, place, target)
        if not options:
            continue
        spot = yield Pick(
            unit.seat, "grenade.aim", options, optional=True, barred=barred, rule="wfb3:13.8.4-grenade-target",
            about=(thrower, target.id),
        )  # fmt: skip
        if spot is not None:
            yield from burst(battle, unit, thrower, place, spot)


def throwers(battle: Battle, unit: Unit) -> list[str]:
    """Models of the front rank with grenades."""
    places = zip(battle.block_of(unit).places, unit.models, strict=True)
    return [m for p, m in places if p.rank == 0 and "grenade" in battle.models[m].kit.missiles]


def aims(battle: Battle, unit: Unit, place: Place, target: Unit) -> tuple[list[Option], dict[str, Refusal]]:
    """wfb3:13.8.4-grenade-target  Models of the target, of any rank, within six inches and an arc of 45 degrees."""
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    others = sight.blockers(battle, unit, target, [], [])
    seen = sight.from_place(battle, unit, place, target, others)
    for key in target.models:
        pose = battle.pose(battle.models[key])
        spot = (pose.x, pose.y)
        way = bearing(spot[0] - place.pose.x, spot[1] - place.pose.y)
        off = abs((way - place.pose.facing + 180.0) % 360.0 - 180.0)
        facts = {"unit": unit.id, "target": key}
        if not seen:
            barred[key] = Refusal("refuse.shoot.unseen", "wfb3:6.2.2-los", facts)
        elif gap(place.outline, Outline((spot,), 0.0)) > REACH + EPS:
            barred[key] = Refusal("refuse.grenade.far", "wfb3:13.8.4-grenade-target", facts, ("wfb3:6.1-w-grenade",))
        elif off > ARC + 0.01:
            barred[key] = Refusal("refuse.shoot.arc", "wfb3:13.8.4-grenade-target", facts)
        else:
            options.append(Option(key, spot, about=(key,)))
    return options, barred


def burst(battle: Battle, unit: Unit, thrower: str, place: Place, spot: Point) -> Script[None]:
    """wfb3:13.8.4-grenade-scatter  13-19 where it was aimed, 1-12 off by D3 inches at that hour, 20 too early."""
    rule = "wfb3:13.8.4-grenade-scatter"
    ax, ay = place.pose.x, place.pose.y
    way = bearing(spot[0] - ax, spot[1] - ay)
    (score,) = yield Roll(unit.seat, "grenade.scatter", 20, rule=rule, about=(thrower,), cuts=(13, 20))
    if score <= HOURS:
        off = inches((yield from dice.d3(unit.seat, "grenade.drift", rule, (thrower,))))
        hx, hy = heading(way + 30.0 * score)
        spot = (spot[0] + hx * off, spot[1] + hy * off)
    elif score == EARLY:
        (face,) = yield Roll(unit.seat, "grenade.early", 6, rule=rule, about=(thrower,))
        far = min(inches(face - 1), math.hypot(spot[0] - ax, spot[1] - ay))
        hx, hy = heading(way)
        spot = (ax + hx * far, ay + hy * far)
    under = beneath(battle, spot)
    at = [round(n / inches(1), 2) for n in spot]
    battle.tell("grenade.bursts", rule, (thrower, *(m.id for m in under)), at=at, models=len(under))
    for key in dict.fromkeys(m.unit for m in under):
        yield from _hit(battle, unit, battle.units[key], [m for m in under if m.unit == key])


def beneath(battle: Battle, spot: Point) -> list[Model]:
    """wfb3:13.8.4-grenade-scatter  Every model whose base the template covers at least partly, friend or enemy."""
    template = Outline((spot,), RADIUS)
    found = []
    for unit in battle.here():
        if gap(battle.block_of(unit).outline, template) > 0.0:
            continue
        for place, key in zip(battle.block_of(unit).places, unit.models, strict=True):
            if gap(place.outline, template) <= 0.0:
                found.append(battle.models[key])
    return found


def _hit(battle: Battle, unit: Unit, struck: Unit, models: list[Model]) -> Script[None]:
    """wfb3:13.8.4-grenade  Strength 3, save -2; characters under the template are struck themselves (14.6.2)."""
    weapon = MISSILES["grenade"]
    strength = weapon.strength or 0
    before = battle.size(struck)
    troops = [m for m in models if m.role != "character"]
    for model in [m for m in models if m.role == "character"]:
        battle.cite("wfb3:14.6.2-templates")
        hurt = yield from _through(battle, unit, struck, model, 1, strength)
        yield from casualties.wound_model(battle, model, hurt, "wfb3:6.3-wounds")
    if troops and struck.where == "table":
        hurt = yield from _through(battle, unit, struck, None, len(troops), strength)
        yield from casualties.hurt(battle, struck, hurt, "wfb3:6.6-casualties")
    casualties.shot_down(battle, struck, before)


def _through(battle: Battle, unit: Unit, struck: Unit, model: Model | None, hits: int, strength: int) -> Script[int]:
    about = (unit.id, model.id if model is not None else struck.id)
    toughness = (model or struck).profile.T
    need = Tally(steps.wound_need(strength, toughness), f"S{strength}", "wfb3:6.3-wound-table")
    wounded = yield from steps.wounds(unit.seat, hits, need, "wfb3:6.3-wound-table", about)
    needed = save(battle, struck, model, Blow(-2, "wfb3:13.8.4-grenade"))
    return (yield from steps.unsaved(struck.seat, wounded, needed, "wfb3:6.4-saves", about[1:]))
