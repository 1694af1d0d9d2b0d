"""Chapter 8.3: Deployment: zones by dice, then one regiment or single model after the other."""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.rolls.steps import D10
from grognard.games.nemesis.setup import deployment_zones, fielding
from grognard.games.nemesis.setup.deployment_places import DeployJudge
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import MM_PER_CM
from grognard.kernel.questions import Option, Pick, Place, Roll, Script, option

ZONES = "nemesis:8.3-zones"
ALTERNATE = "nemesis:8.3-alternate"
SCOUT = "nemesis:A1.10-scout"
ROLLING, CHOOSING, DROPPING, DEFENDING, HIDING = range(5)


def deploy(battle: Battle) -> Script[None]:
    """nemesis:8.1, nemesis:8.3-zones, nemesis:8.3-alternate  The whole of it; `stage` says how far it has come."""
    if not battle.begun:
        battle.begun = True
        battle.tell("phase", "nemesis:8.1", turn=0, phase="deployment")
    if battle.stage == ROLLING:
        ranked = yield from _contest(battle, list(battle.seats))
        battle.order = tuple(ranked)
        battle.tell("zone.order", ZONES, battle.order, order=list(battle.order))
        battle.stage = CHOOSING
    if battle.stage == CHOOSING:
        yield from _choose_zones(battle)
        battle.stage, battle.cursor = DROPPING, 0
    while battle.stage == DROPPING and _waiting(battle):
        if _waiting(battle, battle.acting):
            yield from _drop(battle, battle.acting)
        battle.cursor = (battle.cursor + 1) % len(battle.order)
    if battle.stage == DROPPING:
        battle.stage, battle.cursor = DEFENDING, 0
    for stage, ask in ((DEFENDING, _defend), (HIDING, _hide)):
        while battle.stage == stage and battle.cursor < len(battle.order):
            yield from ask(battle, battle.acting)
            battle.cursor += 1
        if battle.stage == stage:
            battle.stage, battle.cursor = stage + 1, 0
    battle.tell("deployed", "nemesis:8.1", models=sum(1 for _ in battle.on_table()))


def _contest(battle: Battle, seats: list[str]) -> Script[list[str]]:
    """nemesis:8.3-zones  Ruling: the highest 1D10 first, ties re-rolled."""
    faces: dict[str, int] = {}
    for seat in seats:
        battle.cite("nemesis:3.3-one-value", "nemesis:3.3-dice")
        (faces[seat],) = yield Roll(seat, "zone.roll", D10, rule=ZONES, about=(seat,), sense="value")
    ranked: list[str] = []
    for face in sorted({*faces.values()}, reverse=True):
        tied = [seat for seat in seats if faces[seat] == face]
        ranked += tied if len(tied) == 1 else (yield from _contest(battle, tied))
    return ranked


def _choose_zones(battle: Battle) -> Script[None]:
    """nemesis:8.3-zones, nemesis:8-gap  In that order each player picks a zone."""
    every = deployment_zones.zones_of(battle)
    for seat in battle.order:
        side = battle.sides[seat]
        if side.zone is not None:
            continue
        taken = [other.zone for other in battle.sides.values()]
        options = [
            option(name, text="option.zone", about=(deployment_zones.drawn(name),), data={"zone": name})
            for name in every
            if every[name] not in taken
        ]
        chosen = yield Pick(seat, "zone.choose", options, rule=ZONES, about=(seat,), checkpoint=True)
        side.zone = every[chosen]
        gaps = [deployment_zones.apart(side.zone, zone) for zone in taken if zone is not None]
        battle.tell("zone.chosen", ZONES, (seat,), zone=chosen)
        if gaps:
            battle.tell("zone.gap", "nemesis:8-gap", (seat,), gap=round(min(gaps) / MM_PER_CM, 1))


def _waiting(battle: Battle, seat: str | None = None) -> list[Unit]:
    """Units still to be deployed."""
    return [
        unit
        for unit in battle.units.values()
        if unit.models and (seat is None or unit.seat == seat) and not battle.models[unit.models[0]].on_table
    ]


def _unit_option(unit: Unit) -> Option:
    return option(unit.id, unit.id, text="option.unit", about=(unit.id,), data={"unit": unit.id})


def _drop(battle: Battle, seat: str) -> Script[None]:
    """nemesis:8.3-alternate  One regiment or single model. Ruling: a hero who joins goes down with his regiment."""
    waiting = _waiting(battle, seat)
    options = [_unit_option(unit) for unit in waiting]
    chosen = yield Pick(seat, "deploy.unit", options, rule=ALTERNATE, about=(seat,), checkpoint=True)
    unit = battle.units[chosen]
    yield from _join(battle, unit, waiting)
    judge = DeployJudge(battle, unit)
    poses: dict[str, Pose] = yield Place(
        seat, "deploy.place", unit.models, judge, rule="nemesis:8.3-inside", about=(unit.id,)
    )
    for model_id, pose in poses.items():
        battle.put(battle.models[model_id], pose)
    unit.start_strength = len(unit.models)
    outside = not judge.all_inside(poses)
    battle.cite("nemesis:6-cohesion" if unit.regiment else ALTERNATE)
    if unit.hero is not None:
        battle.cite("nemesis:6-hero")
    spots = {key: [pose.x, pose.y, pose.facing] for key, pose in poses.items()}
    battle.tell("deploy", SCOUT if outside else ALTERNATE, (unit.id,), poses=spots, outside=outside)


def _join(battle: Battle, unit: Unit, waiting: list[Unit]) -> Script[None]:
    """nemesis:X.13-join-leave, nemesis:6-hero, nemesis:A1.17-hermit  A hero may join a regiment as it deploys."""
    if not unit.regiment or unit.hero is not None:
        return
    heroes = [battle.models[u.models[0]] for u in waiting if not u.regiment]
    if not heroes:
        return
    able = [hero for hero in heroes if not battle.flag(hero, "cannot_join")]
    options = [option(hero.id, hero.id, text="option.hero", about=(hero.id,), data={"hero": hero.id}) for hero in able]
    chosen = yield Pick(
        unit.seat, "deploy.join", options, optional=True, rule="nemesis:X.13-join-leave", about=(unit.id,),
        barred={hero.id: _hermit(hero) for hero in heroes if hero not in able},
    )  # fmt: skip
    if chosen is not None:
        fielding.join(battle, battle.models[chosen], unit)
        battle.tell("joined", "nemesis:6-hero", (chosen, unit.id))


def _hermit(hero: Model) -> Refusal:
    return Refusal("refuse.hermit", "nemesis:A1.17-hermit", {"hero": hero.id})


def _defend(battle: Battle, seat: str) -> Script[None]:
    """nemesis:16.1-counter-objective, nemesis:18-banned-position  Ruling: the owner says so at deployment."""
    options = [_unit_option(unit) for unit in battle.army(seat)]
    chosen = yield Pick(
        seat, "deploy.defend", options, least=0, most=max(2, len(options)), rule="nemesis:16.1-counter-objective",
        about=(seat,), checkpoint=True, idle=True,
    )  # fmt: skip
    for unit_id in chosen:
        battle.units[unit_id].defending = True
        battle.tell("defending", "nemesis:16.1-counter-objective", (unit_id,))


def _hide(battle: Battle, seat: str) -> Script[None]:
    """nemesis:A1.5-hidden  Ruling: chosen at deployment, for whole units."""
    able = [unit for unit in battle.army(seat) if battle.unit_flag(unit, "hides")]
    if not able:
        return
    options = [_unit_option(unit) for unit in able]
    chosen = yield Pick(
        seat, "deploy.hide", options, least=0, most=max(2, len(able)), rule="nemesis:A1.5-hidden", about=(seat,),
        checkpoint=True,
    )  # fmt: skip
    for unit_id in chosen:
        for model in battle.members(battle.units[unit_id]):
            model.hidden = True
        battle.tell("hidden", "nemesis:A1.5-hidden", (unit_id,))
