"""Chapter 10.2.1.3  Engines that carry fighters: embarking, disembarking, wrecks."""

from __future__ import annotations

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import ACTIVATED, Fighter
from grognard.games.ades.losses import casualties, damage
from grognard.games.ades.losses.damage import Source
from grognard.games.ades.movement import movement
from grognard.games.ades.rolls import stats
from grognard.games.ades.table import setting_down, standing
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.gaps import gap
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.questions import Pick, Place, Script, option

CARRY, WRECK = "ades:13.2.1-transport", "ades:10.2.1.3-wreck"
#: What an engine does not do any more once somebody has got out of it.
MOVES = (
    "walk", "run", "dodge", "charge", "engage", "disengage", "disengage-assault", "force-run", "force-charge",
    "force-engage", "harass",
)  # fmt: skip
NONE = Refusal("", CARRY)


def riders(battle: Battle, engine: Fighter) -> list[Fighter]:
    return [f for f in battle.fighters.values() if f.aboard == engine.id and f.alive]


def room(battle: Battle, engine: Fighter, fighter: Fighter) -> bool:
    """ades:13.2.1-transport  PUI 1 each, X in all."""
    held = sum(f.profile.pui for f in riders(battle, engine))
    return fighter.profile.pui == 1 and held + 1 <= battle.number(engine, "transport")


def offer(battle: Battle, fighter: Fighter) -> Script[None]:
    """ades:10.2.1.3-embark  Whoever ends a move in contact with the embarkation zone may get in."""
    if not fighter.on_table or fighter.seat not in battle.seats or not fighter.round.moved or not battle.free(fighter):
        return
    near = [
        e for e in battle.friends(fighter)
        if battle.has(e, "transport") and battle.pose(e).level == battle.pose(fighter).level
        and battle.gap(fighter, e) <= cm(e.profile.embark) + TOUCH
    ]  # fmt: skip
    if not near:
        return
    full = {
        e.id: Refusal("refuse.no-berth", CARRY, {"fighter": fighter.id, "other": e.id}, ("ades:10.2.1.3-embark",))
        for e in near if not room(battle, e, fighter)
    }  # fmt: skip
    engine: Fighter | None = yield Pick(
        fighter.seat, "embark", [option(e.id, e, about=(e.id,)) for e in near if e.id not in full], optional=True,
        barred=full, rule="ades:10.2.1.3-embark", about=(fighter.id,),
    )  # fmt: skip
    if engine is not None:
        board(battle, fighter, engine, "ades:10.2.1.3-embark")


def board(battle: Battle, fighter: Fighter, engine: Fighter, rule: str) -> None:
    if fighter.on_table:
        battle.lift(fighter)
    fighter.aboard = engine.id
    battle.cite(CARRY)
    battle.tell("embarked", rule, (fighter.id, engine.id))


def may_disembark(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    """ades:10.2.1.3-disembark  On the engine's activation, if it has not moved and has no speed marker."""
    if not battle.has(fighter, "transport") or not riders(battle, fighter):
        return NONE
    moved = battle.said(fighter, *MOVES)
    if moved or fighter.stance.speed:
        return Refusal(
            "refuse.engine-moved", "ades:10.2.1.3-disembark", {"fighter": fighter.id}, ("ades:13.2.1-irrepressible",)
        )
    return None


def disembark(battle: Battle, engine: Fighter) -> Script[str]:
    """ades:10.2.1.3-disembark  Passengers get out beside it and may only walk."""
    inside = riders(battle, engine)
    chosen = yield Pick(
        engine.seat, "disembark", [option(f.id, f, about=(f.id,)) for f in inside], least=0, most=len(inside),
        rule="ades:10.2.1.3-disembark", about=(engine.id,),
    )  # fmt: skip
    chosen = chosen if isinstance(chosen, tuple) else ((chosen,) if chosen else ())
    out = 0
    for fighter in chosen:
        places = setting_down.around(battle, engine, fighter.profile.foot)
        if not places:
            break
        hour = yield Pick(
            engine.seat, "disembark.where", [option(h, text="option.hour", data={"hour": h}) for h in places],
            optional=True, rule="ades:10.2.1.3-disembark", about=(fighter.id, engine.id),
        )  # fmt: skip
        fighter.aboard = ""
        battle.put(fighter, places[hour or next(iter(places))])
        fighter.new_activation()
        out += 1
        battle.tell("disembarked", "ades:10.2.1.3-disembark", (fighter.id, engine.id))
        if battle.free(fighter):
            yield from movement.make(battle, fighter, "walk")
        fighter.state = ACTIVATED
    if out:
        engine.activation = engine.activation.but(done=(*engine.activation.done, *(f"no-{kind}" for kind in MOVES)))
    return "done" if out else "held"


@casualties.wreck.here
def wreck(battle: Battle, engine: Fighter, inside: list[Fighter], where: Pose) -> Script[None]:
    """ades:10.2.1.3-wreck  A damage test with the engine's RES each; then they stand where it stood, activated."""
    force = stats.stat(battle, engine, "RES")
    for fighter in inside:
        fighter.aboard = ""
        fighter.state = ACTIVATED
        battle.tell("wrecked", WRECK, (fighter.id, engine.id))
        yield from damage.strike(battle, fighter, force, Source(), WRECK)
        if not fighter.alive:
            casualties.drop_all(battle, fighter, where.x, where.y)
    for fighter in inside:
        if fighter.alive:
            battle.put(fighter, _spot(battle, fighter, where.x, where.y))
            yield from _thrown(battle, engine, fighter, where)


def _thrown(battle: Battle, engine: Fighter, fighter: Fighter, where: Pose) -> Script[None]:
    """ades:10.2.1.3-wreck  As near the middle as can be, or where its player says on the ground the engine covered.

    Ruling: at least partly on it.
    """
    base, hull = fighter.profile.foot, battle.base(engine)

    def region(key: str, pose: Pose) -> Refusal | None:
        if gap(base, pose, hull, where) <= 1e-6:
            return None
        return Refusal("refuse.not-there", WRECK, {"fighter": key})

    judge = setting_down.PutJudge(
        battle, {fighter.id: base}, WRECK, region, {"there": (where.x, where.y)}, facing=where.facing,
        skip=(fighter.body,),
    )  # fmt: skip
    if fighter.seat not in battle.seats or not judge.possible():
        return
    found: dict[str, Pose] | None = yield Place(
        fighter.seat, "wreck.where", (fighter.id,), judge, optional=True, rule=WRECK, about=(fighter.id, engine.id),
        aside=True,
    )  # fmt: skip
    if found is not None:
        battle.put(fighter, found[fighter.id])


def _spot(battle: Battle, fighter: Fighter, x: float, y: float) -> Pose:
    """The place nearest to a point where there is room."""
    free = standing.open_ground(battle, fighter.profile.foot, 0.0, 0, (fighter.body,))
    spot = standing.nearest(free, (x, y))
    return Pose(x, y) if spot is None else Pose(*spot)
