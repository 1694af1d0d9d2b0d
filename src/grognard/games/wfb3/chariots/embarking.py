"""wfb3:20.9-unhitch  Getting off chariots and on again; unhitching wagons."""

from __future__ import annotations

from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.charge import charging, declaring
from grognard.games.wfb3.chariots import chariots
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.monsters import leaving_mounts
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.table import crews
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Script


@cites
def kinds(battle: Battle, unit: Unit) -> tuple[list[Option], dict[str, Refusal]]:
    """wfb3:20.3-types  What a chariot unit may do in its movement phase besides driving."""
    found = [Option("stand", "stand", "option.move.stand")]
    whole = [m for m in battle.members(unit) if chariots.running(m)]
    if whole and all(chariots.driven(battle, m) for m in whole) and unit.chariot.hitched:
        found.insert(0, Option("move", "move", "option.move.drive"))
    if may_leave(battle, unit):
        found.append(Option("disembark", "disembark", "option.move.disembark"))
    if unit.chariot.hitched and all(
        m.ride.car is not None and m.ride.car.type == "wagon" for m in battle.members(unit)
    ):
        found.append(Option("unhitch", "unhitch", "option.move.unhitch"))
    if not unit.chariot.hitched:
        found.append(Option("hitch", "hitch", "option.move.hitch"))
    barred = {}
    if found[0].key != "move":
        rule = "wfb3:20.9-unhitch" if not unit.chariot.hitched else "wfb3:20.8.1-damage-table"
        barred["move"] = Refusal("refuse.move.stuck", rule, {"unit": unit.id})
    return found, barred


def may_leave(battle: Battle, unit: Unit) -> list[Model]:
    """wfb3:20.10-disembark

    Anybody but the driver; of a chariot that cannot move, he too (wfb3:20.8.1-damage-table).
    """
    found = []
    for carrier in battle.members(unit):
        if carrier.ride.amok or carrier.ride.shaken >= battle.clock:
            continue
        for member in crews.aboard(battle, carrier):
            if member.id != carrier.ride.driver or not chariots.running(carrier) or not unit.chariot.hitched:
                found.append(member)
    return found


def disembark(battle: Battle, unit: Unit, *, optional: bool = False) -> Script[None]:
    """wfb3:20.10-disembark, wfb3:20.8.5-on-foot
    Some get off, before or after the chariot's move: a unit of their own that moves its own move, shoots and charges.

    Ruling: whoever charges as he gets off declares it at once; the charge takes the place of his move.
    """
    able = may_leave(battle, unit)
    if not able:
        return
    chosen = yield Pick(
        unit.seat, "chariot.off", [Option(m.id, m, about=(m.id,)) for m in able], most=len(able), optional=optional,
        rule="wfb3:20.10-disembark", about=(unit.id,),
    )  # fmt: skip
    leaving = [m for m in (chosen if isinstance(chosen, tuple) else (chosen,)) if m is not None]
    homes: dict[str, None] = {}
    for carrier in battle.members(unit):
        mine = [m for m in leaving if m.ride.aboard == carrier.id]
        if mine:
            leaving_mounts.on_foot(battle, carrier, mine, battle.pose(carrier), "wfb3:20.10-disembark", bound=False)
            homes.update(dict.fromkeys(m.unit for m in mine))
    for key in homes:
        yield from _charge(battle, battle.units[key])


def _charge(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:20.10-disembark  Those who have just got off may charge at once."""
    unit.march = unit.march.but(done=False)
    foes = [f for f in battle.enemies(unit) if declaring.target_refusal(battle, unit, f) is None]
    if not foes or declaring.refusal(battle, unit) is not None:
        return
    foe = yield Pick(
        unit.seat, "chariot.charge", [Option(f.id, f, about=(f.id,)) for f in foes], optional=True,
        rule="wfb3:20.10-disembark", about=(unit.id,),
    )  # fmt: skip
    if foe is None:
        return
    yield from declaring.declare(battle, unit, foe)
    if unit.charge.target and unit.where == "table" and not unit.rout.routed and unit.march.frozen < battle.clock:
        unit.march = unit.march.but(done=True)
        yield from charging.charge(battle, unit)


def unhitch(battle: Battle, unit: Unit, wanted: bool) -> None:
    """wfb3:20.9-unhitch  The team is taken out, or put in again: a whole turn without moving."""
    unit.march = unit.march.but(done=True)
    unit.chariot = unit.chariot.but(unhitching=battle.clock)
    battle.tell("wagon.unhitching" if wanted else "wagon.hitching", "wfb3:20.9-unhitch", (unit.id,))


def start_of_turn(battle: Battle) -> None:
    """wfb3:20.9-unhitch  A turn later the work is done, where the wagon has not moved."""
    for unit in battle.army(battle.active):
        if unit.chariot.unhitching == battle.clock - 2 and unit.march.moved < unit.chariot.unhitching:
            unit.chariot = unit.chariot.but(hitched=not unit.chariot.hitched)
            battle.tell(
                "wagon.unhitched" if not unit.chariot.hitched else "wagon.hitched", "wfb3:20.9-unhitch", (unit.id,)
            )


def boarding(battle: Battle) -> Script[None]:
    """wfb3:20.10-reembark  In the reserve phase those on foot may get on again, entitled to a reserve move or not.

    Ruling: the chariot must be within their own move, before or after its reserve move.
    """
    asked: tuple[str, ...] = ()
    while True:
        options = []
        for unit in battle.army(battle.active):
            for carrier in near(battle, unit):
                key = f"{unit.id}>{carrier.id}"
                if key not in asked:
                    options.append(Option(key, (unit, carrier), "option.board", (unit.id, carrier.id)))
        if not options:
            return
        chosen = yield Pick(battle.active, "chariot.on", options, optional=True, rule="wfb3:20.10-reembark")
        if chosen is None:
            return
        unit, carrier = chosen
        asked = (*asked, f"{unit.id}>{carrier.id}")
        for member in battle.members(unit):
            if crews.room_for(battle, carrier, member):
                crews.board(battle, member, carrier)
                battle.tell("boarded", "wfb3:20.10-reembark", (member.id, carrier.id))


def near(battle: Battle, unit: Unit) -> list[Model]:
    """Chariots of one's own within one's move that have room."""
    if unit.where != "table" or battle.engaged(unit):
        return []
    return _in_reach(battle, unit)


def _in_reach(battle: Battle, unit: Unit, *, coming: bool = False) -> list[Model]:
    """`coming`: counting the reserve move by which a light chariot may come to fetch them."""
    if unit.rout.routed or unit.rout.pursuing:
        return []
    if unit.kind != "character" and not unit.id.partition(".crew")[1]:
        return []
    reach = inches(float(stats.move(battle, unit).value))
    found = []
    for other in battle.friends(unit):
        if other.kind != "chariot" or other.rout.routed:
            continue
        light = all(m.ride.car is not None and m.ride.car.type == "light" for m in battle.members(other))
        more = inches(float(stats.move(battle, other).value)) if coming and light and other.chariot.hitched else 0.0
        if battle.gap(unit, other) > reach + more + EPS:
            continue
        found += [
            carrier for carrier in battle.members(other)
            if not carrier.ride.amok and crews.room_for(battle, carrier, battle.models[unit.models[0]])
        ]  # fmt: skip
    return found


def may_return(battle: Battle, unit: Unit) -> bool:
    """wfb3:20.10-reembark  Who means to get on again in the coming reserve phase need not pursue, nor follow up.

    Ruling: the book's example lets the fighter stay behind when he has pushed his enemy back, too.
    """
    return unit.seat == battle.active and unit.where == "table" and bool(_in_reach(battle, unit, coming=True))
