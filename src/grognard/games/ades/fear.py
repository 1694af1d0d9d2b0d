"""ades:6  Fear: challenges before assaults, rout, flight and rallying."""

from __future__ import annotations

import math

from grognard.games.ades import casualties, checks, ground, stats
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import ACTIVATED, WAITING, Fighter
from grognard.games.ades.ground import Way
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.paths import Ground
from grognard.kernel.geometry.units import TOUCH, bearing, cm, heading, snap_facing
from grognard.kernel.questions import Pick, Script, option
from grognard.kernel.tally import Tally

CHALLENGE = "ades:6.1-challenge"
ROUTED = "ades:6.2-effects"
RALLY = 4  # ades:6.3-test


def fright(battle: Battle, source: Fighter, resister: Fighter, charging: bool) -> tuple[str, Tally] | None:
    """ades:6-frightening, 13.2-cri-de-guerre, 13.2-hyperien  The fear one causes another, and by what.

    The characteristic is PEU; COU for a Hyperian facing Darkness.
    """
    found: list[tuple[str, Tally]] = []
    if stats.has_stat(battle, source, "PEU"):
        found.append(("PEU", stats.stat(battle, source, "PEU")))
    if battle.has(source, "cri-de-guerre"):
        battle.cite("ades:13.2-cri-de-guerre")
    if charging and battle.has(source, "cri-de-guerre"):
        found.append(("PEU", Tally(battle.number(source, "cri-de-guerre"), "war cry", "ades:13.2-cri-de-guerre")))
    if battle.has(source, "hyperien") and resister.profile.path == "Darkness":
        found.append(("COU", stats.stat(battle, source, "COU")))
    return max(found, key=lambda pair: pair[1].value) if found else None


def immune(battle: Battle, resister: Fighter, source: Fighter, fear: tuple[str, Tally]) -> bool:
    """ades:6-frightening, 6.1-won, 13.2-mort-vivant-noimmunity  Whether a fear does not touch a fighter."""
    how, peu = fear
    if how == "COU":
        return _hyperian_proof(battle, resister, source, peu)
    if battle.immune(resister, "PEU") or battle.immune_from(resister, source):
        if battle.has(resister, "hyperien"):
            battle.cite("ades:13.2-hyperien-immunity")
        return True
    if resister.resisted >= peu.value:
        battle.cite("ades:6.1-won")
        return True
    if cry := battle.number(resister, "cri-de-guerre"):
        battle.cite("ades:13.2-cri-de-guerre")
        if cry >= peu.value:
            return True
    if stats.has_stat(battle, resister, "PEU"):
        if stats.undead(battle, source) and not stats.undead(battle, resister):
            battle.cite("ades:13.2-mort-vivant-noimmunity")
            return False
        if stats.stat(battle, resister, "PEU").value >= peu.value:
            battle.cite("ades:6-frightening")
            return True
    return False


def _hyperian_proof(battle: Battle, resister: Fighter, source: Fighter, peu: Tally) -> bool:
    """ades:13.2-hyperien, 13.2-immortel-tenebres  Immunity to fear does not help those of Darkness."""
    if battle.uses(resister, "immunite", "Hyperian"):
        battle.cite("ades:13.2-hyperien-immunity")
        return True
    battle.cite("ades:13.2-hyperien")
    if battle.has(resister, "immortel-tenebres"):
        battle.cite("ades:13.2-immortel-tenebres")
    return resister.resisted >= peu.value


def worst(battle: Battle, resister: Fighter, sources: list[Fighter], charging: bool) -> Fighter | None:
    """ades:6.1-trigger  Ruling: one challenge for each resister, by the most frightening it is not immune to."""
    found: tuple[float, Fighter] | None = None
    for source in sources:
        fear = fright(battle, source, resister, charging)
        if fear is None or immune(battle, resister, source, fear):
            continue
        if found is None or fear[1].value > found[0]:
            found = (fear[1].value, source)
    return found[1] if found else None


def challenge(battle: Battle, source: Fighter, resister: Fighter, charging: bool) -> Script[bool]:
    """ades:6.1-challenge  PEU against COU, begun by the frightening fighter; whether the resister loses."""
    fear = fright(battle, source, resister, charging)
    assert fear is not None
    how, peu = fear
    own = stats.stat(battle, source, how).value if how in source.profile.stats else 0
    more = [(int(peu.value - own), "war cry", "ades:13.2-cri-de-guerre")] if peu.value != own else []
    battle.cite("ades:6.1-trigger", "ades:6-frightening", *peu.rules)
    won = yield from checks.duel(battle, "fear", CHALLENGE, source, how, resister, "COU", plus=more)
    if won:
        battle.tell("fear.lost", CHALLENGE, (resister.id, source.id), peu=peu)
        rout(battle, resister, source)
        return True
    resister.resisted = max(resister.resisted, int(peu.value))
    battle.tell("fear.resisted", "ades:6.1-won", (resister.id, source.id), peu=peu)
    return False


def rout(battle: Battle, fighter: Fighter, source: Fighter | None) -> None:
    """ades:6.2-effects, 13.2-mort-vivant-ephemere  Routed: -1 to everything but MOU until it rallies."""
    if fighter.routed:
        return
    fighter.routed = True
    battle.tell("routed", ROUTED, (fighter.id,))
    if source is not None and stats.undead(battle, source):
        fighter.fading = 4
        battle.tell("fading", "ades:13.2-mort-vivant-ephemere", (fighter.id, source.id))
    casualties.lost_commander(battle, fighter)


def may_flee(battle: Battle, fighter: Fighter) -> bool:
    """ades:6.1-target-lost, 13.2-fanatisme  Only who waits, and touches no enemy (Ruling); fanatics never."""
    if battle.uses(fighter, "fanatisme"):
        return False
    return fighter.state == WAITING and battle.free(fighter)


def against_targets(
    battle: Battle, assailants: list[Fighter], targets: list[Fighter], charging: bool
) -> Script[list[Fighter]]:
    """ades:6.1-trigger, 6.1-target-lost  The assailants' fear, for the routed too; who will flee."""
    fleeing = []
    for target in targets:
        source = worst(battle, target, assailants, charging)
        if source is None:
            continue
        lost = yield from challenge(battle, source, target, charging)
        if not lost:
            continue
        battle.cite("ades:6.1-target-lost")
        if may_flee(battle, target):
            options = [option("stay", text="option.fear-stay"), option("flee", text="option.fear-flee")]
            chosen = yield Pick(
                battle.chooser(source, target),
                "fear.choice",
                options,
                rule="ades:6.1-target-lost",
                about=(target.id, source.id),
            )
            if chosen == "flee":
                fleeing.append(target)
    return fleeing


def against_assailant(battle: Battle, assailant: Fighter, targets: list[Fighter]) -> Script[bool]:
    """ades:6.1-assailant-lost, 13.2-fanatisme  The targets' fear; whether the assault goes on."""
    source = worst(battle, assailant, targets, False)
    if source is None:
        return True
    if not (yield from challenge(battle, source, assailant, False)):
        return True
    if battle.uses(assailant, "fanatisme"):
        return True
    battle.tell("assault.afraid", "ades:6.1-assailant-lost", (assailant.id, source.id))
    return False


# ---------------------------------------------------------------------- running away


def run_off(
    battle: Battle, fighter: Fighter, direction: float, far: float, rule: str, *, around: bool = False
) -> Script[float]:
    """A forced run, with whatever it sets off; whoever leaves the table is eliminated. How far it went, in mm.

    Ruling: a flight is straight and stops at impassable ground and at models.
    """
    from grognard.games.ades import movement

    pose = battle.pose(fighter)
    whole, edge = _course(battle, fighter, direction, far, around=around)
    path = ground.cut(battle, fighter, whole, pose.level, far)
    gone = ground.length_of(path)
    fighter.moved = True
    if gone >= edge - 1e-6:
        out = tuple(ground.along(path, edge))
        yield from movement.pass_along(battle, fighter, out, pose.level)
        if not fighter.alive:
            return edge
        casualties.drop_all(battle, fighter, *out[-1])
        battle.tell("fled.table", rule, (fighter.id,))
        yield from casualties.eliminate(battle, fighter, rule)
        return edge
    steps_back = 24
    for share in range(steps_back, -1, -1):
        part = ground.along(path, gone * share / steps_back)
        there = Pose(*part[-1], snap_facing(line_of(tuple(part), direction)), pose.level)
        if share == 0 or ground.stands(battle, fighter, there):
            break
    yield from movement.pass_along(battle, fighter, tuple(part), pose.level)
    if not fighter.alive:
        return ground.length_of(part)
    battle.put(fighter, there)
    battle.tell("fled", rule, (fighter.id,), cm=round(ground.length_of(part) / cm(1), 2))
    return ground.length_of(part)


def _course(
    battle: Battle, fighter: Fighter, direction: float, far: float, *, around: bool
) -> tuple[list[tuple[float, float]], float]:
    """ades:4.2.3  The way of a forced run, and how far along it the edge of the table is: straight, or with `around`
    the shortest way past whatever is in the way.
    """
    pose = battle.pose(fighter)
    start, edge = (pose.x, pose.y), _to_edge(battle, pose, direction)
    route = ground.route(battle, fighter, pose.level, Way("flight", "ades:6.2-run", ((pose.level, far),)))
    open_ended = Ground.of(route.radius, route.terms.bases, polygons=route.terms.polygons)
    halt = open_ended.stop_along(start, direction, far).point
    if around and math.dist(start, halt) < min(far, edge) - TOUCH:
        ux, uy = heading(direction)
        past = open_ended.shortest(start, (pose.x + ux * edge, pose.y + uy * edge))
        if past is not None:
            battle.cite("ades:4.2.3")
            return list(past), ground.length_of(past)
    return [start, halt], edge


def _to_edge(battle: Battle, pose: Pose, direction: float) -> float:
    """How far the edge of the table is in a direction, from the centre of the base."""
    ux, uy = heading(direction)
    ways = []
    for at, step, size in ((pose.x, ux, battle.table.width), (pose.y, uy, battle.table.height)):
        if step > 1e-9:
            ways.append((size - at) / step)
        elif step < -1e-9:
            ways.append(-at / step)
    return min(ways)


def flee(battle: Battle, fighter: Fighter, source: Fighter, line: float) -> Script[None]:
    """ades:6.1-flight, 13.2-rapidite  Directly away along the assailant's line, twice or three times its MOU."""
    times = 3 if battle.uses(fighter, "rapidite") else 2
    far = cm(stats.value(battle, fighter, "MOU")) * times
    fighter.state = ACTIVATED
    battle.cite("ades:4.1.3-fighter-state")
    battle.queue = (*battle.queue, fighter.id)
    yield from run_off(battle, fighter, line, far, "ades:6.1-flight")
    for card in battle.cards.values():
        if fighter.id in card.fighters and not battle.waiting(card):
            casualties.leave_sequence(battle, card)


def rout_run(battle: Battle, fighter: Fighter) -> Script[None]:
    """ades:6.2-run, 6.2-noaction, 13.2-rapidite  Activated and free, a routed fighter runs to the nearest edge.

    Round whatever is in its way (4.2.3), if there is a way round. Ruling: that is a flight too (9.2.2-table calls it
    so), in which the swift must run three times their MOU.
    """
    battle.cite("ades:6.2-noaction", "ades:6.2-effects")
    if not battle.free(fighter):
        battle.tell("routed.held", "ades:6.2-run", (fighter.id,))
        return
    pose = battle.pose(fighter)
    direction = yield from _nearest_edge(battle, fighter, pose)
    times = 3 if battle.uses(fighter, "rapidite") else 2
    far = times * cm(stats.value(battle, fighter, "MOU"))
    yield from run_off(battle, fighter, direction, far, "ades:6.2-run", around=True)


def _nearest_edge(battle: Battle, fighter: Fighter, pose: Pose) -> Script[float]:
    """ades:6.2-run  The bearing of the nearest edge of the table; of equals its player may name one."""
    wide, high = battle.table.width, battle.table.height
    edges = {
        "left": (pose.x, 270.0),
        "right": (wide - pose.x, 90.0),
        "bottom": (pose.y, 180.0),
        "top": (high - pose.y, 0.0),
    }
    least = min(far for far, _ in edges.values())
    near = {name: look for name, (far, look) in edges.items() if far <= least + TOUCH}
    direction = min(near.values())
    if len(near) > 1 and fighter.seat in battle.seats:
        chosen: float | None = yield Pick(
            fighter.seat, "rout.edge", [option(name, look, text=f"option.edge-{name}") for name, look in near.items()],
            optional=True, rule="ades:6.2-run", about=(fighter.id,), aside=True,
        )  # fmt: skip
        direction = direction if chosen is None else chosen
    return direction


def line_of(path: tuple[tuple[float, float], ...], facing: float) -> float:
    """The bearing along which an assault arrived."""
    if len(path) < 2:
        return facing
    (ax, ay), (bx, by) = path[-2], path[-1]
    return bearing(bx - ax, by - ay) if math.dist((ax, ay), (bx, by)) > 1e-6 else facing


# ---------------------------------------------------------------------- rallying


def rally(battle: Battle, fighter: Fighter, right: int = 0, rule: str = "ades:6.3-test") -> Script[bool]:
    """ades:6.3-test, 6.3-auto-fail  COU or DIS against 4; nobody rallies face to face with what it fears."""
    foes = battle.foes_of(fighter)
    for foe in foes:
        fear = fright(battle, foe, fighter, False)
        if fear is not None and not immune(battle, fighter, foe, fear):
            battle.tell("rally.impossible", "ades:6.3-auto-fail", (fighter.id, foe.id))
            return False
    choices = [s for s in ("COU", "DIS") if stats.has_stat(battle, fighter, s)]
    if not choices:
        return False
    options = checks.stat_options(battle, fighter, choices, lambda name: RALLY)
    stat = yield Pick(battle.chooser(fighter), "rally.stat", options, rule="ades:6.3-test", about=(fighter.id,))
    shifts = [(right, "rallying cry", "ades:13.2-cri-de-ralliement")] if right else []
    passed = yield from checks.test(battle, "rally", rule, fighter, stat, RALLY, shifts=shifts)
    if passed:
        fighter.routed, fighter.fading = False, 0
    battle.tell("rallied" if passed else "rally.failed", "ades:6.3-test", (fighter.id,))
    return passed
