"""Chapter 4.2.4.2  An assault in contact, in order: flight, impact, escapes, the charge malus, first blows."""

from __future__ import annotations

import math
from typing import NamedTuple

from grognard.games.ades.assault import escapes
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import WAITING, Fighter
from grognard.games.ades.losses import damage, fear
from grognard.games.ades.losses.damage import Source
from grognard.games.ades.movement import flight
from grognard.games.ades.movement.moves import Step
from grognard.games.ades.rolls import characteristic_points, stats, tests
from grognard.games.ades.shooting import shooting, shot_numbers
from grognard.games.ades.shooting.simultaneous_shots import Salvo
from grognard.games.ades.table import sight
from grognard.kernel.citing import cites
from grognard.kernel.elsewhere import elsewhere
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import cm, heading
from grognard.kernel.questions import Pick, Script, option

MALUS = "ades:4.2.4.2-charge-malus"
#: Less than this left of a move is nothing to go on with.
LEAST = cm(0.1)
STAB, ASSAULT_SHOT = "ades:13.2-assassin", "ades:13.2-tir-dassaut"


class Arrived(NamedTuple):
    """An assailant in contact: its move, what is left of its potential in mm, and whether it dived."""

    fighter: Fighter
    step: Step
    left: float
    dived: bool = False
    fast: bool = False  # ades:13.2.1-impact-speed  it set out with a speed marker
    free: bool = True  # ades:4.2.5.1  it touched no enemy before it set out


class Carried(NamedTuple):
    """What an assault takes over from the one it goes on from: the FOR of its Impact, and how far that led in mm."""

    impact: int = 0
    gone: float = 0.0


AFRESH = Carried()


class Views(NamedTuple):
    """What everybody saw before the assault: of the assailants by their targets, and the other way round."""

    of: dict[tuple[str, str], str]
    by: dict[tuple[str, str], sight.View]


def views(battle: Battle, group: list[Fighter], struck: list[Fighter]) -> Views:
    of = {(f.id, t.id): sight.view(battle, t, f).degree for f in group for t in struck}
    by = {(f.id, t.id): sight.view(battle, f, t, shooting=True) for f in group for t in struck}
    return Views(of, by)


def settle(
    battle: Battle, arrived: list[Arrived], kind: str, seen: Views, fleeing: list[fear.Flight],
    carried: Carried = AFRESH,
) -> Script[None]:  # fmt: skip
    """The assault in contact, from the flight of the frightened to the first blows.

    Whoever goes on with its move has left this assault: what it meets then is its own, and an engagement.
    """
    here = [one for one in arrived if one.fighter.alive]
    if (yield from _flights(battle, here, fleeing)):
        for one in here:
            if one.fighter.alive and battle.free(one.fighter):
                yield from go_on(battle, one, "ades:6.1-flight")
                here = [other for other in here if other is not one]
    here = yield from _home(battle, here, kind, carried)
    yield from _first_blows(battle, here, kind, seen)


def _flights(battle: Battle, here: list[Arrived], fleeing: list[fear.Flight]) -> Script[bool]:
    """ades:6.1-flight  Those who are to flee do, away from the course of whoever frightened them and has come; whether
    anybody did.

    Ruling: only from a frightening fighter that has come into contact, and not if it has been activated meanwhile.
    """
    fled = False
    for target, source in fleeing:
        one = next((one for one in here if one.fighter is source and source.alive), None)
        others = [f for f in battle.foes_of(target) if all(f is not one.fighter for one in here)]
        if one is None or target not in battle.foes_of(source) or target.state != WAITING or others:
            continue
        yield from flight.flee(battle, target, source, flight.line_of(one.step.path, one.step.facing))
        fled = True
    return fled


def _home(battle: Battle, here: list[Arrived], kind: str, carried: Carried) -> Script[list[Arrived]]:
    """ades:4.2.4.2-multiple, ades:4.2.4.2-charge-malus, ades:13.2.1-impact, ades:7.4.1
    Those in contact are assaulted: escapes, the charge
    malus, Impacts. Who of the assailants is still in this assault.
    """
    group = [one.fighter for one in here if not battle.free(one.fighter)]
    several = len(targets := _struck(battle, group)) > 1
    yield from escapes.attempts(battle, group, targets)
    group = [fighter for fighter in group if fighter.alive]
    struck = _struck(battle, group)
    for target in struck:
        target.assault = target.assault.but(assaulted=True)
    for one in here:
        if kind == "charge" and one.fighter in group:
            one.fighter.assault = one.fighter.assault.but(charger=True)
            if one.dived:
                one.fighter.assault = one.fighter.assault.but(dived=True)
                battle.tell("dive", "ades:7.4.1", (one.fighter.id,))
    if several and (kind == "charge" or any(battle.has(f, "brutal") for f in group)):
        battle.cite("ades:4.2.4.2-multiple-malus")
    _malus(battle, group, struck, kind)
    _charge_force(battle, here, kind)
    staying = []
    for one in here:
        if not (one.fighter.alive and battle.has(one.fighter, "impact") and (yield from _impact(battle, one, carried))):
            staying.append(one)
    return staying


def _struck(battle: Battle, group: list[Fighter]) -> list[Fighter]:
    return [f for f in battle.on_table() if any(f in battle.foes_of(g) for g in group)]


def _charge_force(battle: Battle, arrived: list[Arrived], kind: str) -> None:
    """ades:13.1-for-en-charge  After a successful charge +X FOR until the end of the first combat of the turn."""
    for one in arrived:
        bonus = battle.number(one.fighter, "charge-strength")
        if kind == "charge" and bonus and one.fighter.alive and not battle.free(one.fighter):
            one.fighter.assault = one.fighter.assault.but(charge_force=bonus)
            battle.cite("ades:13.1-for-en-charge")


# ---------------------------------------------------------------------- the charge malus


def power(battle: Battle, fighter: Fighter, *, inflicts: bool) -> int:
    """ades:13.2-brutal-pui, ades:13.2-dur-a-cuire-pui  PUI as it counts for the charge malus."""
    own = stats.pui(battle, fighter)
    if inflicts and battle.has(fighter, "brutal"):
        battle.cite("ades:13.2-brutal-pui")
        own += 1
    if not inflicts and battle.has(fighter, "dur-a-cuire"):
        battle.cite("ades:13.2-dur-a-cuire-pui")
        own += 1
    return own


def foreseen(battle: Battle, group: list[Fighter], target: Fighter, kind: str) -> None:
    """ades:4.2.4.2-charge-malus, ades:13.1-for-en-charge
    Both as an assault that gets there leaves them, before the first
    blow: for whoever weighs the combat, on a copy of the battle.
    """
    for fighter in group:
        fighter.assault = fighter.assault.but(charger=kind == "charge")
        if fighter.assault.charger:
            fighter.assault = fighter.assault.but(charge_force=battle.number(fighter, "charge-strength"))
    _malus(battle, group, [target], kind)


def _malus(battle: Battle, group: list[Fighter], struck: list[Fighter], kind: str) -> None:
    """ades:4.2.4.2-charge-malus, ades:4.2.4.2-multiple-malus, ades:13.2-brutal, ades:4.2.2-group
    Who is shaken by the charge."""
    heavy = [f for f in group if kind == "charge" or battle.uses(f, "brutal")]
    if not heavy or not struck:
        return
    weight = sum(power(battle, f, inflicts=True) for f in heavy)
    if len(heavy) > 1:
        battle.cite("ades:4.2.2-group")
    resist = sum(power(battle, f, inflicts=False) for f in struck)
    battle.cite(MALUS, "ades:1.1.9-types", *(("ades:1.1.14-target",) if kind == "charge" else ()))
    if resist > weight:
        targets = [f.id for f in struck]
        battle.tell("charge.weak", MALUS, tuple(targets), targets=targets, power=weight, against=resist)
        return
    for target in struck:
        if battle.has(target, "ethere"):
            battle.cite("ades:13.2-ethere-immunities", "ades:13.2-ethere")
        elif battle.immune(target, "Charge malus"):
            continue
        elif target.stance.speed and all(_frontal(battle, f, target) for f in heavy if f in battle.foes_of(target)):
            battle.cite("ades:13.2.1-irrepressible-effects")
        elif not target.stance.charged:
            target.stance = target.stance.but(charged=True)
            battle.tell("charge.malus", MALUS, (target.id,), power=weight, against=resist)


@elsewhere
def go_on(battle: Battle, one: Arrived, rule: str, impact: int = 0) -> Script[None]:
    """Whoever has nobody left in front of it may go on with what is left of its move, to another assault maybe."""
    raise NotImplementedError


def assaulted(battle: Battle, fighter: Fighter, kind: str, step: Step) -> Script[None]:
    """ades:5.3.2.5-failure  Those one could not get past count as assaulted, by a charge if it was one."""
    if fighter.alive:
        yield from _home(battle, [Arrived(fighter, step, 0.0, fast=fighter.stance.speed)], kind, AFRESH)


def _frontal(battle: Battle, assailant: Fighter, target: Fighter) -> bool:
    at, here = battle.pose(target), battle.pose(assailant)
    ux, uy = heading(at.facing)
    return (here.x - at.x) * ux + (here.y - at.y) * uy > 0


# ---------------------------------------------------------------------- impact and first blows


def _impact(battle: Battle, one: Arrived, carried: Carried) -> Script[bool]:
    """ades:13.2.1-impact, ades:13.2.1-impact-chain  Those assaulted by an engine are struck by its weight; whom it
    assaults as it goes on, like the first. Whether it has left this assault.
    """
    engine, foes = one.fighter, battle.foes_of(one.fighter)
    if not foes:
        return False
    force = carried.impact or weight(battle, engine, one.step.whole, one.fast)
    yield from impact(battle, engine, foes, force, "ades:13.2.1-impact")
    if not engine.alive or not battle.free(engine):
        return False
    yield from go_on(battle, one, "ades:13.2.1-impact-chain", force)
    return True


@cites
def weight(battle: Battle, engine: Fighter, far: float, fast: bool) -> int:
    """ades:13.2.1-impact  FOR = X for each begun 10 cm; at speed for 2 x MOU (ades:13.2.1-impact-speed)."""
    if fast:
        battle.cite("ades:13.2.1-impact-speed")
        far = 2 * cm(stats.value(battle, engine, "MOU"))
    return battle.number(engine, "impact") * max(1, math.ceil(round(far / cm(10), 6)))


def impact(battle: Battle, engine: Fighter, foes: list[Fighter], force: int, rule: str) -> Script[None]:
    for foe in list(foes):
        yield from damage.strike(battle, foe, force, Source(name="impact"), rule, by=engine)


def _first_blows(battle: Battle, arrived: list[Arrived], kind: str, seen: Views) -> Script[None]:
    """ades:13.2-assassin, ades:13.2-tir-dassaut, ades:4.2.2-group, ades:5.3.2.3-special, ades:13.2-assassin-continue,
    ades:13.2-tir-dassaut-continue
    A stab or a shot on arrival, never both; shots at once."""
    group = [one.fighter for one in arrived]
    salvo = Salvo() if len(group) > 1 else None
    struck: list[tuple[Arrived, str]] = []
    for one in arrived:
        picked = yield from _first_blow(battle, one, group, seen, salvo)
        if picked:
            struck.append((one, picked))
    if salvo is not None:
        yield from salvo.settle(battle)
    for one, picked in struck:
        if one.fighter.alive and battle.free(one.fighter) and one.left >= LEAST:
            rule = "ades:13.2-assassin-continue" if picked == "assassin" else "ades:13.2-tir-dassaut-continue"
            if battle.speaker != one.fighter.seat:
                battle.cite("ades:5.3.2.3-special")
            yield from go_on(battle, one, rule)


def _first_blow(battle: Battle, one: Arrived, group: list[Fighter], seen: Views, salvo: Salvo | None) -> Script[str]:
    """How one of those who have arrived strikes, if it does."""
    fighter = one.fighter
    if not fighter.alive or battle.free(fighter):
        return ""
    foes = battle.foes_of(fighter)
    stabs, shoots = battle.has(fighter, "assassin"), battle.has(fighter, "tir-dassaut")
    if not stabs and not shoots:
        return ""
    choices = []
    if _may_stab(battle, fighter, foes, seen):
        choices.append(option("assassin", text="option.assassin"))
    looks = {f.id: seen.by.get((fighter.id, f.id), sight.NOTHING) for f in foes}
    visible = {key: look for key, look in looks.items() if look.seen}
    armed = shoots and one.free and bool(shot_numbers.small_arms(fighter))
    if armed and visible and not battle.said(fighter, "shoot", "aim", "artillery"):
        choices.append(option("shot", text="option.assault-shot"))
    offered, facts = [choice.key for choice in choices], {"fighter": fighter.id, "other": foes[0].id}
    barred = {}
    if "assassin" not in offered:
        barred["assassin"] = Refusal("refuse.no-stab", STAB, facts)
    if "shot" not in offered:
        barred["shot"] = Refusal("refuse.no-assault-shot", ASSAULT_SHOT, facts)
    picked: str | None = yield Pick(
        battle.chooser(fighter), "assault.strike", choices, optional=True, about=(fighter.id, foes[0].id),
        barred=barred, rule=STAB if "assassin" in offered or not shoots else ASSAULT_SHOT,
    )  # fmt: skip
    if picked == "assassin":
        yield from _stab(battle, fighter, foes[0])
    elif picked == "shot":
        yield from shooting.assault_shot(battle, fighter, visible, group, salvo)
    return picked or ""


def _may_stab(battle: Battle, fighter: Fighter, foes: list[Fighter], seen: Views) -> bool:
    """ades:13.2-assassin  A single target that did not see it, or only partly; once a phase."""
    if not battle.has(fighter, "assassin") or fighter.assault.assassinated or len(foes) != 1:
        return False
    return seen.of.get((fighter.id, foes[0].id), "none") != "clear"


def _stab(battle: Battle, fighter: Fighter, target: Fighter) -> Script[None]:
    """ades:13.2-assassin  ATT against DEF; a success is a damage test."""
    fighter.assault = fighter.assault.but(assassinated=True)
    against = stats.stat(battle, target, "DEF")
    if (yield from tests.test(battle, "assassin", "ades:13.2-assassin", fighter, "ATT", against, foe=target)):
        bonus = yield from characteristic_points.charge_strength(battle, fighter, fighter.assault.charge_force)
        fighter.assault = fighter.assault.but(charge_force=bonus)
        yield from characteristic_points.offer(battle, fighter, ("FOR",), "test")
        force = stats.stat(battle, fighter, "FOR")
        how = Source(melee=True, attack=True)
        yield from damage.strike(battle, target, force, how, "ades:13.2-assassin", by=fighter)
