"""ades:3.2.1, ades:9.1.4  The deployment turn: cards place their fighters, with their traps and barricades."""

from __future__ import annotations

import math
from collections.abc import Mapping

from grognard.games.ades.abilities import skillset
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import ACTIVATED, Card, Fighter, Thing
from grognard.games.ades.machines import transports
from grognard.games.ades.movement import movement
from grognard.games.ades.mystics import devices, recovery
from grognard.games.ades.scenarios import fielding, machine_crews, scenarios, zones
from grognard.games.ades.table import ground, hidden, setting_down
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry import rings
from grognard.kernel.geometry.base import Base, Pose, rect_base
from grognard.kernel.geometry.gaps import gap
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import TOUCH, cm, heading
from grognard.kernel.questions import Number, Pick, Place, Script, option

DEPLOY = "ades:3.2.1"
#: Degrees between the places tried around a friend where a beat leaves little room.
BEAT_STEP = 3


def deploy(battle: Battle, card: Card) -> Script[None]:
    """ades:3.2.1, ades:9.1.4  Activating a card is placing all its fighters."""
    if card.machine:
        yield from _machine(battle, battle.things[card.machine])
        return
    waiting = battle.waiting(card)
    for fighter in [f for f in waiting if f.id not in battle.speech.held]:
        if (yield from _aboard(battle, fighter, waiting)):
            waiting.remove(fighter)
        battle.speech = battle.speech.but(held=(*battle.speech.held, fighter.id))
    if waiting:
        yield from _place(battle, card.seat, waiting)
    for fighter in waiting:
        yield from _gear(battle, fighter)


def _done(battle: Battle, fighter: Fighter) -> None:
    fighter.state = ACTIVATED
    recovery.start(battle, fighter)


def facing(battle: Battle, seat: str) -> float:
    return 0.0 if seat == battle.seats[0] else 180.0


def _place(battle: Battle, seat: str, fighters: list[Fighter]) -> Script[None]:
    """ades:9.1.4, ades:10.2.2.2-size
    In the own zone, or at a war weapon that needs them; scouts anywhere far enough from
    enemies; a beat in reach of friends."""
    crewing = machine_crews.Crewing(battle, seat, fighters)
    if crewing.wanted:
        battle.cite(machine_crews.SIZE)
    bases = {f.id: f.profile.foot for f in fighters}

    def region(key: str, pose: Pose) -> Refusal | None:
        return spot_refusal(battle, battle.fighters[key], pose, judge.placed)

    def beats(key: str) -> list[tuple[float, float]]:
        return _beat_spots(battle, battle.fighters[key])

    anchors, more = _anchors(battle, seat, fighters), beats if scenarios.battue(battle) else None
    judge = setting_down.PutJudge(
        battle, bases, DEPLOY, region, anchors, facing=facing(battle, seat), more=more, check=crewing.refusal,
        best=crewing.spots if crewing.wanted else None,
    )  # fmt: skip
    poses: Mapping[str, Pose] = yield Place(
        seat, "deploy", [f.id for f in fighters], judge, rule=DEPLOY, about=tuple(f.id for f in fighters),
        checkpoint=True, data={"who": [f.id for f in fighters]},
    )  # fmt: skip
    for fighter in fighters:
        pose = poses[fighter.id]
        battle.put(fighter, Pose(pose.x, pose.y, pose.facing, 0))
        _done(battle, fighter)
    battle.tell("deployed", DEPLOY, tuple(f.id for f in fighters), who=[f.id for f in fighters])


def _anchors(battle: Battle, seat: str, fighters: list[Fighter]) -> dict[str, tuple[float, float]]:
    found = zones.anchors(battle, seat)
    if scenarios.battue(battle) and any(f.on_table and f.seat == seat for f in battle.fighters.values()):
        found = {**_beat_anchors(battle, seat, fighters[0]), **found}
    for thing in battle.things_of("weapon"):
        if thing.seat == seat and any("TIR" in f.profile.stats for f in fighters):
            found = {
                f"crew:{thing.id}": (thing.x, thing.y - cm(4) if seat == battle.seats[0] else thing.y + cm(4)),
                **found,
            }
    if all(battle.has(f, "eclaireur") for f in fighters):
        spread = setting_down.grid(0, 0, battle.table.width, battle.table.height, 4, 4)
        found |= {f"scout{name}": at for name, at in spread.items()}
    return found


def _beat_anchors(battle: Battle, seat: str, fighter: Fighter, step: int = 30) -> dict[str, tuple[float, float]]:
    """ades:9.1.4.3  Places at exactly MOU from friends of other cards, so many degrees apart."""
    far = cm(fighter.profile.stats["MOU"])
    found: dict[str, tuple[float, float]] = {}
    for friend in battle.army(seat):
        if friend.card == fighter.card:
            continue
        pose = battle.pose(friend)
        away = far + battle.base(friend).half_width + fighter.profile.foot.half_width
        for turn in range(0, 360, step):
            x, y = heading(turn)
            found[f"beat:{friend.id}:{turn}"] = (pose.x + away * x, pose.y + away * y)
    return found


def spot_refusal(battle: Battle, fighter: Fighter, pose: Pose, placed: Mapping[str, Pose]) -> Refusal | None:
    """ades:9.1.4, ades:13.2-eclaireur, ades:9.1.4.3, ades:13.2.1.1-sanctuaire
    Why a fighter may not be deployed at a place, others
    of its card being `placed`.
    """
    base = fighter.profile.foot
    facts = {"fighter": fighter.id}
    if pose.level:
        return Refusal("refuse.deploy-level", DEPLOY, facts)
    enemies = battle.army(battle.other(fighter.seat))
    foes = [(battle.base(f), battle.pose(f)) for f in enemies]
    if battle.has(fighter, "eclaireur"):
        refusal = _scout(battle, fighter, base, pose, foes)
        if refusal is None or zones.outside(battle, fighter.seat, base, pose) is not None:
            return refusal
    refusal = zones.outside(battle, fighter.seat, base, pose)
    if refusal is not None:
        return Refusal(refusal.code, refusal.rule, facts, (DEPLOY, *refusal.also))
    met = next((f for f in enemies if gap(base, pose, battle.base(f), battle.pose(f)) <= TOUCH), None)
    if met is not None:
        return Refusal("refuse.enemy-contact", DEPLOY, facts | {"other": met.id})
    return _beat(battle, fighter, base, pose, placed)


def _scout(battle: Battle, fighter: Fighter, base: Base, pose: Pose, foes: list[tuple[Base, Pose]]) -> Refusal | None:
    """ades:13.2-eclaireur, ades:9.1.4.3-closed, ades:13.2.1.1-sanctuaire"""
    facts = {"fighter": fighter.id}
    far = hidden.distance(fighter)
    battle.cite("ades:13.2-eclaireur")
    if any(gap(base, pose, other, at) <= far + TOUCH for other, at in foes):
        return Refusal("refuse.scout-near", "ades:13.2-eclaireur", facts)
    if scenarios.battue(battle) and zones.reaches(battle, battle.other(fighter.seat), base, pose):
        return Refusal("refuse.beat-closed", "ades:9.1.4.3-closed", facts)
    for thing in battle.things_of("nexus"):
        reach = skillset(thing.skills).number("sanctuaire")
        if reach and thing.seat not in ("", fighter.seat):
            at = battle.bodies.pose(thing.body)
            if gap(base, pose, battle.bodies.base(thing.body), at) <= cm(reach) + TOUCH:
                return Refusal("refuse.sanctuary", "ades:13.2.1.1-sanctuaire", facts)
    if scenarios.battue(battle):
        battle.cite("ades:9.1.4.3-exempt")
    return None


def _beat(battle: Battle, fighter: Fighter, base: Base, pose: Pose, placed: Mapping[str, Pose]) -> Refusal | None:
    """ades:9.1.4.3, ades:9.1.4.3-exempt
    Exactly its MOU from a friend of another card. Ruling: to half a centimetre, the
    first card excepted, and anywhere in the zone when no such place is left."""
    if not scenarios.battue(battle):
        return None
    if battle.has(fighter, "eclaireur") or fighter.profile.machine or _serves(battle, fighter, base, pose):
        battle.cite("ades:9.1.4.3-exempt")
        return None
    others = [f for f in battle.army(fighter.seat) if f.card != fighter.card]
    if not others:
        return None
    want = cm(fighter.profile.stats["MOU"])
    off = min(abs(gap(base, pose, battle.base(f), battle.pose(f)) - want) for f in others)
    battle.cite("ades:9.1.4.3")
    if off <= cm(0.5) + TOUCH or not _beat_possible(battle, fighter, placed):
        return None
    return Refusal("refuse.beat", "ades:9.1.4.3", {"fighter": fighter.id})


def _serves(battle: Battle, fighter: Fighter, base: Base, pose: Pose) -> bool:
    """ades:9.1.4.3-exempt  Whether it would stand at a war weapon of its side as one of its crew."""
    guns = [t for t in battle.things_of("weapon") if t.seat == fighter.seat and t.body >= 0]
    bodies = battle.bodies
    return "TIR" in fighter.profile.stats and any(
        gap(base, pose, bodies.base(t.body), bodies.pose(t.body)) <= cm(0.1) + TOUCH for t in guns
    )


def _beat_possible(battle: Battle, fighter: Fighter, placed: Mapping[str, Pose]) -> bool:
    """Whether a place at its MOU from a friend is left to a fighter beside those of its card."""
    taken = [pose[:2] for key, pose in placed.items() if key != fighter.id]
    apart = 2 * fighter.profile.foot.half_width - TOUCH
    return any(all(math.dist(at, other) >= apart for other in taken) for at in _beat_spots(battle, fighter))


def _beat_spots(battle: Battle, fighter: Fighter) -> list[tuple[float, float]]:
    """ades:9.1.4.3  Free places in the zone at exactly MOU from friends of other cards."""
    key = ("beat", battle.bodies.version, fighter.id)
    known: dict[object, list[tuple[float, float]]] = battle._memo.setdefault("beats", {})
    if key not in known:
        base = fighter.profile.foot
        known[key] = [
            at
            for at in _beat_anchors(battle, fighter.seat, fighter, BEAT_STEP).values()
            if setting_down.fits(battle, fighter.id, base, Pose(*at), DEPLOY) is None
            and zones.outside(battle, fighter.seat, base, Pose(*at)) is None
        ]
    return known[key]


# ---------------------------------------------------------------------- machines, passengers, traps, barricades


def _machine(battle: Battle, thing: Thing) -> Script[None]:
    """ades:10.2.2.2-size  A war weapon is placed; its crew joins it when their cards are played, or stands there."""
    assert thing.profile is not None
    base, siting = thing.profile.foot, machine_crews.Siting(battle, thing)

    def region(key: str, pose: Pose) -> Refusal | None:
        return zones.outside(battle, thing.seat, base, pose) or siting.refusal(pose)

    judge = setting_down.PutJudge(
        battle, {thing.id: base}, DEPLOY, region, zones.anchors(battle, thing.seat), facing=facing(battle, thing.seat),
        best=lambda key: siting.places,
    )  # fmt: skip
    poses = yield Place(
        thing.seat, "deploy", (thing.id,), judge, rule=DEPLOY, about=(thing.id,), checkpoint=True,
        data={"who": thing.id},
    )  # fmt: skip
    fielding.set_thing(battle, thing, poses[thing.id])
    battle.cite("ades:10.2.2.2-size")
    battle.tell("deployed", DEPLOY, (thing.id,), who=[thing.id])


def _aboard(battle: Battle, fighter: Fighter, waiting: list[Fighter]) -> Script[bool]:
    """ades:10.2.1.3-deploy  Fighters may be deployed inside an engine, unless a war weapon needs them."""
    engines = [
        e for e in battle.army(fighter.seat)
        if e is not fighter and battle.has(e, "transport") and transports.room(battle, e, fighter)
    ]  # fmt: skip
    crewing = machine_crews.Crewing(battle, fighter.seat, waiting)
    if not engines or (fighter in crewing.gunners and len(crewing.gunners) <= crewing.wanted):
        return False
    engine: Fighter | None = yield Pick(
        fighter.seat, "deploy.aboard", [option(e.id, e, about=(e.id,)) for e in engines], optional=True,
        rule="ades:10.2.1.3-deploy", about=(fighter.id,),
    )  # fmt: skip
    if engine is None:
        return False
    transports.board(battle, fighter, engine, "ades:10.2.1.3-deploy")
    _done(battle, fighter)
    return True


def near_and_safe(battle: Battle, fighter: Fighter, pose: Pose, rule: str, base: Base) -> Refusal | None:
    """ades:13.2-poseur-deploy, ades:13.2-sapeur
    Within 20 cm of it, more than 10 from enemies, not in the enemy's zone."""
    facts = {"fighter": fighter.id}
    if gap(base, pose, battle.base(fighter), battle.pose(fighter)) > cm(20) + TOUCH:
        return Refusal("refuse.too-far-off", rule, facts)
    foes = battle.army(battle.other(fighter.seat))
    if any(gap(base, pose, battle.base(f), battle.pose(f)) <= cm(10) + TOUCH for f in foes):
        return Refusal("refuse.near-enemy", rule, facts)
    if zones.reaches(battle, battle.other(fighter.seat), base, pose):
        return Refusal("refuse.enemy-zone", rule, facts)
    return None


def _gear(battle: Battle, fighter: Fighter) -> Script[None]:
    if battle.has(fighter, "poseur-de-pieges"):
        yield from _trap(battle, fighter)
    if battle.has(fighter, "sapeur"):
        yield from _barricade(battle, fighter)


def _rings(battle: Battle, fighter: Fighter) -> dict[str, tuple[float, float]]:
    pose = battle.pose(fighter)
    look = facing(battle, fighter.seat)
    found = {}
    for number, (far, turn) in enumerate(((12, 0), (18, 0), (14, 40), (14, -40), (6, 0), (8, 90), (8, -90))):
        ux, uy = heading(look + turn)
        found[f"at:{number + 1}"] = (pose.x + cm(far) * ux, pose.y + cm(far) * uy)
    return found


def _trap(battle: Battle, fighter: Fighter) -> Script[None]:
    """ades:13.2-poseur-deploy  One trap at deployment."""
    rule, base = "ades:13.2-poseur-deploy", setting_down.token_base()

    def region(key: str, pose: Pose) -> Refusal | None:
        return near_and_safe(battle, fighter, pose, rule, base)

    judge = setting_down.PutJudge(battle, {"trap": base}, rule, region, _rings(battle, fighter))
    poses = yield Place(fighter.seat, "deploy.trap", ("trap",), judge, optional=True, rule=rule, about=(fighter.id,))
    if poses is not None:
        devices.set_trap(battle, fighter, poses["trap"].x, poses["trap"].y)
        battle.cite(rule)


def _barricade(battle: Battle, fighter: Fighter) -> Script[None]:
    """ades:13.2-sapeur, ades:13.2-sapeur-size  2 to 4 cm high, 9 cm less its height long, X life points, RES 5.

    It comes with the sapper; only where no room is found for it may its player do without.
    """
    rule = "ades:13.2-sapeur"
    tall = yield Number(
        fighter.seat, "barricade.height", 2, 4, step=0.5, rule="ades:13.2-sapeur-size", about=(fighter.id,)
    )
    long = cm(9 - tall)
    base = rect_base(long, cm(1))

    def region(key: str, pose: Pose) -> Refusal | None:
        return near_and_safe(battle, fighter, pose, rule, base)

    judge = setting_down.PutJudge(
        battle, {"barricade": base}, rule, region, _rings(battle, fighter), facing=facing(battle, fighter.seat)
    )
    poses = yield Place(
        fighter.seat, "deploy.barricade", ("barricade",), judge, optional=not judge.possible(), rule=rule,
        about=(fighter.id,),
    )  # fmt: skip
    if poses is not None:
        build(battle, fighter, poses["barricade"], long, cm(tall))


def build(battle: Battle, fighter: Fighter, pose: Pose, long: float, tall: float) -> None:
    number = sum(t.kind == "barricade" for t in battle.things.values()) + 1
    thing = Thing(f"barricade{number}", "barricade", "barricade", fighter.seat, pose.x, pose.y)
    points = tuple((float(x), float(y)) for x, y in rings.corners(rect_base(long, cm(1)), pose))
    battle.table = battle.table.with_piece(Piece(thing.id, "barricade", points, tall, "solid", ("impassable",)))
    thing.piece, thing.placed, thing.res = thing.id, True, 5
    thing.pv = thing.start_pv = battle.number(fighter, "sapeur")
    battle.things[thing.id] = thing
    battle.tell("barricade", "ades:13.2-sapeur", (fighter.id, thing.id), long=long / cm(1), height=tall / cm(1))


# ---------------------------------------------------------------------- the end of deployment


def infiltrate(battle: Battle) -> Script[None]:
    """ades:13.2-infiltration  A move of X cm each; only then are scouts hidden."""
    movers = [f for f in battle.on_table() if battle.has(f, "infiltration") and f.id not in battle.queue]
    for fighter in movers:
        far = cm(battle.number(fighter, "infiltration"))
        way = ground.Way("infiltration", movement.RULES["infiltration"], ((0, far),))
        step = yield from movement.ask(battle, fighter, way)
        if step is not None:
            yield from movement.travel(battle, step, way, react=False)
        battle.queue = (*battle.queue, fighter.id)
    if movers:
        battle.cite("ades:13.2-infiltration")
    hidden.hide(battle)
