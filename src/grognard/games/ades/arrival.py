"""ades:4.2.4.2  An assault in contact, in order: flight, impact, escapes, the charge malus, first blows."""

from __future__ import annotations

import math
from typing import NamedTuple

from grognard.games.ades import (
    casualties,
    checks,
    damage,
    disengage,
    fear,
    ground,
    movement,
    placing,
    points,
    shooting,
    sight,
    stats,
)
from grognard.games.ades.battle import Battle
from grognard.games.ades.damage import Source
from grognard.games.ades.forces import WAITING, Fighter
from grognard.games.ades.ground import APART
from grognard.games.ades.moves import Step
from grognard.games.ades.salvo import Salvo
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.gaps import gap
from grognard.kernel.geometry.units import cm, heading
from grognard.kernel.questions import Pick, Script, option

MALUS = "ades:4.2.4.2-charge-malus"
STAB, ASSAULT_SHOT = "ades:13.2-assassin", "ades:13.2-tir-dassaut"


class Arrived(NamedTuple):
    """An assailant in contact: its move, what is left of its potential in mm, and whether it dived."""

    fighter: Fighter
    step: Step
    left: float
    dived: bool = False
    fast: bool = False  # ades:13.2.1-impact-speed  it set out with a speed marker


class Views(NamedTuple):
    """What everybody saw before the assault: of the assailants by their targets, and the other way round."""

    of: dict[tuple[str, str], str]
    by: dict[tuple[str, str], sight.View]


def views(battle: Battle, group: list[Fighter], struck: list[Fighter]) -> Views:
    of = {(f.id, t.id): sight.view(battle, t, f).degree for f in group for t in struck}
    by = {(f.id, t.id): sight.view(battle, f, t, shooting=True) for f in group for t in struck}
    return Views(of, by)


def settle(battle: Battle, arrived: list[Arrived], kind: str, seen: Views, fleeing: list[Fighter]) -> Script[None]:
    """The assault in contact, from the flight of the frightened to the first blows."""
    for one in arrived:
        fighter = one.fighter
        if fighter.alive and kind == "charge":
            fighter.charger = True
            if one.dived:
                fighter.dived = True
                battle.tell("dive", "ades:7.4.1", (fighter.id,))
    lead = arrived[0]
    for target in fleeing:
        if target.alive and target.on_table and lead.fighter.alive:
            line = fear.line_of(lead.step.path, lead.step.facing)
            yield from fear.flee(battle, target, lead.fighter, line)
    if fleeing and all(battle.free(one.fighter) for one in arrived if one.fighter.alive):
        for one in arrived:
            if one.fighter.alive and battle.free(one.fighter):
                yield from go_on(battle, one, "ades:6.1-flight")
        return
    struck = _struck(battle, arrived)
    for target in struck:
        target.assaulted = True
    for one in arrived:
        if one.fighter.alive and battle.has(one.fighter, "impact"):
            yield from _impact(battle, one, kind)
    if len(struck) > 1 and (kind == "charge" or any(battle.has(one.fighter, "brutal") for one in arrived)):
        battle.cite("ades:4.2.4.2-multiple-malus")
    if len(arrived) == 1 and lead.fighter.alive:
        yield from escapes(battle, lead.fighter, _struck(battle, arrived))
    _malus(battle, [one.fighter for one in arrived if one.fighter.alive], _struck(battle, arrived), kind)
    _charge_force(battle, arrived, kind)
    yield from _first_blows(battle, arrived, kind, seen)


def _struck(battle: Battle, arrived: list[Arrived]) -> list[Fighter]:
    group = [one.fighter for one in arrived if one.fighter.alive]
    return [f for f in battle.on_table() if any(f in battle.foes_of(g) for g in group)]


def _charge_force(battle: Battle, arrived: list[Arrived], kind: str) -> None:
    """ades:13.1-for-en-charge  After a successful charge +X FOR until the end of the first combat of the turn."""
    for one in arrived:
        bonus = battle.number(one.fighter, "charge-strength")
        if kind == "charge" and bonus and one.fighter.alive and not battle.free(one.fighter):
            one.fighter.charge_force = bonus
            battle.cite("ades:13.1-for-en-charge")


# ---------------------------------------------------------------------- several targets


def escapes(battle: Battle, assailant: Fighter, struck: list[Fighter]) -> Script[None]:
    """ades:4.2.4.2-multiple, 4.2.4.2-multiple-escape  Of several waiting targets all but one may try to get away, at
    once."""
    if len(struck) < 2:
        return
    battle.cite("ades:4.2.4.2-multiple")
    ours = [f for f in struck if f.seat in battle.seats]
    able = [f for f in ours if f.state == WAITING]
    most = len(able) - 1
    if not ours:
        return
    rule = "ades:4.2.4.2-multiple-escape"
    stay = [f for f in ours if f not in able or most < 1]
    runners: tuple[Fighter, ...] = yield Pick(
        ours[0].seat, "assault.escape", [option(f.id, f, about=(f.id,)) for f in able if most >= 1], least=0,
        most=max(1, most), rule=rule, about=(assailant.id,), also=("ades:4.2.4.2-multiple",),
        barred={f.id: Refusal("refuse.must-stay", rule, {"fighter": f.id}, ("ades:4.2.4.2-multiple",)) for f in stay},
    )  # fmt: skip
    if most < 1:
        return
    chosen = runners if isinstance(runners, tuple) else ((runners,) if runners else ())
    crowds = {f.id: len(battle.foes_of(f)) for f in (assailant, *chosen)}
    free = []
    for runner in chosen[:most]:
        if _step_back(battle, runner, assailant) is None:
            continue
        if (yield from disengage.away(battle, runner, assailant, crowds)) and runner.alive:
            free.append(runner)
    for runner in free:
        place = _step_back(battle, runner, assailant)
        if place is None:
            continue
        yield from _slip(battle, runner, assailant, place)
        runner.assaulted = False
        battle.tell("escaped", "ades:4.2.4.2-multiple-escape", (runner.id, assailant.id))


def _step_back(battle: Battle, runner: Fighter, assailant: Fighter) -> Pose | None:
    """ades:4.2.4.2-multiple-escape  A place 1 cm out of contact; without room there is no getting away."""
    here, there = battle.pose(runner), battle.pose(assailant)
    toward = math.atan2(here.y - there.y, here.x - there.x)
    for turn in (0, 20, -20, 40, -40, 60, -60):
        angle = toward + math.radians(turn)
        pose = Pose(here.x + cm(1) * math.cos(angle), here.y + cm(1) * math.sin(angle), here.facing, here.level)
        off = gap(battle.base(runner), pose, battle.base(assailant), there) > APART
        if off and ground.stands(battle, runner, pose):
            return pose
    return None


def _slip(battle: Battle, runner: Fighter, assailant: Fighter, place: Pose) -> Script[None]:
    """ades:4.2.4.2-multiple-escape  Moved by 1 cm, out of contact with the assailant.

    Ruling: by its own player, and straight away unless that says otherwise.
    """
    rule, here = "ades:4.2.4.2-multiple-escape", battle.pose(runner)

    def region(key: str, pose: Pose) -> Refusal | None:
        if abs(math.dist(pose[:2], here[:2]) - cm(1)) > cm(0.05):
            return Refusal("refuse.not-a-centimetre", rule, {"fighter": key})
        if gap(battle.base(runner), pose, battle.base(assailant), battle.pose(assailant)) <= APART:
            return Refusal("refuse.enemy-contact", rule, {"fighter": key, "other": assailant.id})
        return None

    yield from placing.aside(battle, runner, "escape.where", rule, region, place, assailant)


def power(battle: Battle, fighter: Fighter, *, inflicts: bool) -> int:
    """ades:13.2-brutal-pui, 13.2-dur-a-cuire-pui  PUI as it counts for the charge malus."""
    own = stats.pui(battle, fighter)
    if inflicts and battle.has(fighter, "brutal"):
        battle.cite("ades:13.2-brutal-pui")
        own += 1
    if not inflicts and battle.has(fighter, "dur-a-cuire"):
        battle.cite("ades:13.2-dur-a-cuire-pui")
        own += 1
    return own


def foreseen(battle: Battle, group: list[Fighter], target: Fighter, kind: str) -> None:
    """ades:4.2.4.2-charge-malus, 13.1-for-en-charge  Both as an assault that gets there leaves them, before the first
    blow: for whoever weighs the combat, on a copy of the battle.
    """
    for fighter in group:
        fighter.charger = kind == "charge"
        if fighter.charger:
            fighter.charge_force = battle.number(fighter, "charge-strength")
    _malus(battle, group, [target], kind)


def _malus(battle: Battle, group: list[Fighter], struck: list[Fighter], kind: str) -> None:
    """ades:4.2.4.2-charge-malus, 4.2.4.2-multiple-malus, 13.2-brutal, 4.2.2-group  Who is shaken by the charge."""
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
        elif target.speed and _frontal(battle, heavy[0], target):
            battle.cite("ades:13.2.1-irrepressible-effects")
        elif not target.charged:
            target.charged = True
            battle.tell("charge.malus", MALUS, (target.id,), power=weight, against=resist)


def assaulted(battle: Battle, fighter: Fighter, met: list[Fighter], kind: str, step: Step) -> None:
    """ades:5.3.2.5-failure  Those one could not get past count as assaulted, by a charge if it was one."""
    for foe in met:
        foe.assaulted = True
    one = [Arrived(fighter, step, 0.0)]
    fighter.charger = kind == "charge"
    _malus(battle, [fighter] if fighter.alive else [], met, kind)
    _charge_force(battle, one, kind)


def _frontal(battle: Battle, assailant: Fighter, target: Fighter) -> bool:
    at, here = battle.pose(target), battle.pose(assailant)
    ux, uy = heading(at.facing)
    return (here.x - at.x) * ux + (here.y - at.y) * uy > 0


# ---------------------------------------------------------------------- impact and first blows


def _impact(battle: Battle, one: Arrived, kind: str) -> Script[None]:
    """ades:13.2.1-impact, 13.2.1-impact-chain  Those assaulted by an engine are struck by its weight; whom it
    assaults as it goes on, like the first."""
    engine, foes = one.fighter, battle.foes_of(one.fighter)
    force = engine.impact or weight(battle, engine, one.step.length, one.fast)
    yield from impact(battle, engine, foes, force, "ades:13.2.1-impact")
    if foes and engine.alive and battle.free(engine) and one.left > cm(1):
        engine.impact = force
        yield from go_on(battle, one, "ades:13.2.1-impact-chain")
    engine.impact = 0


def weight(battle: Battle, engine: Fighter, far: float, fast: bool) -> int:
    """ades:13.2.1-impact, 13.2.1-impact-speed  FOR = X for each begun 10 cm; at speed as if it had come 2 x MOU."""
    battle.cite("ades:13.2.1-impact")
    if fast:
        battle.cite("ades:13.2.1-impact-speed")
        far = 2 * cm(stats.value(battle, engine, "MOU"))
    return battle.number(engine, "impact") * max(1, math.ceil(round(far / cm(10), 6)))


def impact(battle: Battle, engine: Fighter, foes: list[Fighter], force: int, rule: str) -> Script[None]:
    for foe in list(foes):
        yield from damage.strike(battle, foe, force, Source(name="impact"), rule, by=engine)


def _first_blows(battle: Battle, arrived: list[Arrived], kind: str, seen: Views) -> Script[None]:
    """ades:13.2-assassin, 13.2-tir-dassaut, 4.2.2-group  A stab or a shot on arrival, never both; shots at once."""
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
        if one.fighter.alive and battle.free(one.fighter) and one.left > cm(0.5):
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
    armed = shoots and bool(shooting.small_arms(fighter))
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
    if not battle.has(fighter, "assassin") or fighter.assassinated or len(foes) != 1:
        return False
    return seen.of.get((fighter.id, foes[0].id), "none") != "clear"


def _stab(battle: Battle, fighter: Fighter, target: Fighter) -> Script[None]:
    """ades:13.2-assassin  ATT against DEF; a success is a damage test."""
    fighter.assassinated = True
    against = stats.stat(battle, target, "DEF")
    if (yield from checks.test(battle, "assassin", "ades:13.2-assassin", fighter, "ATT", against, foe=target)):
        fighter.charge_force = yield from points.charge_strength(battle, fighter, fighter.charge_force)
        yield from points.offer(battle, fighter, ("FOR",), "test")
        force = stats.stat(battle, fighter, "FOR")
        how = Source(melee=True, attack=True)
        yield from damage.strike(battle, target, force, how, "ades:13.2-assassin", by=fighter)


def go_on(battle: Battle, one: Arrived, rule: str) -> Script[None]:
    """Whoever has nobody left in front of it may go on with what is left of its move; an assault is an engagement."""
    from grognard.games.ades import assault

    fighter = one.fighter
    if not fighter.alive or one.left < cm(0.5):
        return
    potential = ((battle.pose(fighter).level, one.left),)
    found, barred = assault.targets(battle, [fighter], "engage", (), potential)
    options = [option("stop", text="option.stop"), option("run", text="option.go-on")]
    options += [option(f"engage:{f.id}", f, text="option.engage", about=(f.id,), data={"target": f.id}) for f in found]
    chosen = yield Pick(
        battle.chooser(fighter), "assault.continue", options, rule=rule, about=(fighter.id,),
        data={"cm": round(one.left / cm(1), 2)}, barred={f"engage:{k}": r for k, r in barred.items()},
    )  # fmt: skip
    if chosen == "stop":
        return
    if isinstance(chosen, Fighter):
        yield from assault.upon(battle, [fighter], "engage", chosen, potential=potential)
        return
    leaps, leap = movement.leaping(battle, fighter)
    turns = fighter.profile.poi if fighter.profile.engine else 0.0
    way = ground.Way("run", rule, potential, leaps=leaps, leap=leap, turns=turns)
    step = yield from movement.ask(battle, fighter, way)
    if step is not None:
        yield from movement.travel(battle, step, way, react=False)


def finish(battle: Battle, fighter: Fighter) -> None:
    """ades:4.1.3-card-state  A fighter that was activated by something else leaves the sequence with its card."""
    for card in battle.cards.values():
        if fighter.id in card.fighters and not battle.waiting(card):
            casualties.leave_sequence(battle, card)
