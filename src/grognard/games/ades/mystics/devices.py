"""Chapter 13.1, 13.2  Steam and naphtha, breaths and traps, mutagen and the moon."""

from __future__ import annotations

import math

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Effect, Fighter, Thing
from grognard.games.ades.losses import casualties, damage
from grognard.games.ades.losses.damage import Source
from grognard.games.ades.rolls import characteristic_points
from grognard.games.ades.scenarios import tokens
from grognard.games.ades.table import hidden, sight
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.gaps import inside_polygon
from grognard.kernel.geometry.units import bearing, cm, heading
from grognard.kernel.questions import Pick, Roll, Script, option

STEAM = "ades:13.1-vapeur"
NONE = Refusal("", "ades:4.2.2-actions")

# ---------------------------------------------------------------------- steam


def may_steam(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    if not battle.has(fighter, "steam"):
        return NONE
    facts = {"fighter": fighter.id}
    if fighter.marks.steam_lost:
        also = ("ades:13.1-vapeur", "ades:13.1-vapeur-explosion")
        return Refusal("refuse.steam-lost", "ades:13.1-vapeur-overheat", facts, also)
    if fighter.effort.steamed:
        return Refusal("refuse.steamed", "ades:13.1-vapeur", facts)
    return None


def steam(battle: Battle, fighter: Fighter) -> Script[str]:
    """ades:13.1-vapeur, ades:13.1-vapeur-overheat, ades:13.1-vapeur-normal
    Two dice: bonus points for the listed characteristics, at some risk."""
    fighter.effort = fighter.effort.but(steamed=True)
    faces: tuple[int, ...] = yield Roll(fighter.seat, "steam", 6, 2, rule=STEAM, about=(fighter.id,))
    low, high = sorted(faces)
    if low == high == 6:
        yield from _explode(battle, fighter)
        return "done" if fighter.alive else "dead"
    if low == high:
        fighter.effort, fighter.marks = fighter.effort.but(steam=low), fighter.marks.but(steam_lost=True)
        battle.tell("steam.overheat", "ades:13.1-vapeur-overheat", (fighter.id,), points=low)
    else:
        listed = battle.skills(fighter).words("steam")
        fighter.effort = fighter.effort.but(steam=low + len(listed) - 1)
        battle.tell("steam", "ades:13.1-vapeur-normal", (fighter.id,), points=fighter.effort.steam)
    yield from characteristic_points.offer(battle, fighter, battle.skills(fighter).words("steam"), "activation")
    return "done"


def _explode(battle: Battle, fighter: Fighter) -> Script[None]:
    """ades:13.1-vapeur-explosion  FOR 10 to its bearer, FOR 5 to everybody within 2.5 cm."""
    fighter.marks = fighter.marks.but(steam_lost=True)
    battle.tell("steam.explosion", "ades:13.1-vapeur-explosion", (fighter.id,))
    near = battle.near(fighter, cm(2.5), levels=0)
    yield from damage.strike(battle, fighter, 10, Source(), "ades:13.1-vapeur-explosion")
    for other in near:
        yield from damage.strike(battle, other, 5, Source(), "ades:13.1-vapeur-explosion")


def raise_steam(battle: Battle, fighter: Fighter) -> Script[None]:
    """ades:13.1-vapeur  Also when a reactive tactic is used on the fighter."""
    if may_steam(battle, fighter, [fighter]) is not None:
        return
    chosen = yield Pick(
        fighter.seat, "steam.react", [option("use", text="act.steam")], optional=True, rule=STEAM, about=(fighter.id,)
    )
    if chosen is not None:
        yield from steam(battle, fighter)


def may_spend(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    """ades:13.2-concentration-moments  At activation points may go into anything."""
    if "spend" in fighter.activation.done or not characteristic_points.pools(battle, fighter, _ALL):
        return NONE
    return None


_ALL = ("MOU", "INI", "ATT", "FOR", "DEF", "RES", "TIR", "COU", "PEU", "DIS", "MYS", characteristic_points.SHOT)


def spend(battle: Battle, fighter: Fighter) -> Script[str]:
    yield from characteristic_points.offer(battle, fighter, _ALL, "activation")
    return "done"


# ---------------------------------------------------------------------- breath


def may_breathe(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    if not battle.has(fighter, "breath"):
        return NONE
    if not battle.free(fighter):
        return Refusal("refuse.not-free", "ades:13.1-souffle", {"fighter": fighter.id}, ("ades:1.1.13-free",))
    return None if _marks(battle, fighter) else NONE


def _marks(battle: Battle, fighter: Fighter) -> list[Fighter]:
    """Enemies before its front, near enough to be worth a breath."""
    long = battle.skills(fighter).by_key["breath"][0].skill.second
    pose = battle.pose(fighter)
    return [
        f for f in battle.enemies(fighter)
        if not f.hidden and battle.pose(f).level == pose.level and battle.gap(fighter, f) <= cm(long)
        and sight.in_arc(battle.base(fighter), pose, battle.base(f), battle.pose(f))
    ]  # fmt: skip


def breathe(battle: Battle, fighter: Fighter) -> Script[str]:
    """ades:13.1-souffle  A triangle Y long and Y/5 wide from the front of the base; everybody in it is struck.

    Ruling: it may point at any enemy before the fighter's front.
    """
    held = battle.skills(fighter).by_key["breath"][0].skill
    aim: Fighter | None = yield Pick(
        fighter.seat, "breath.target", [option(f.id, f, about=(f.id,)) for f in _marks(battle, fighter)], optional=True,
        rule="ades:13.1-souffle", about=(fighter.id,),
    )  # fmt: skip
    if aim is None:
        return "held"
    pose, at = battle.pose(fighter), battle.pose(aim)
    turn = bearing(at.x - pose.x, at.y - pose.y)
    ux, uy = heading(turn)
    tip = (pose.x + ux * battle.base(fighter).half_width, pose.y + uy * battle.base(fighter).half_width)
    long, half = cm(held.second), cm(held.second) / 10
    end = (tip[0] + ux * long, tip[1] + uy * long)
    ring = [tip, (end[0] + uy * half, end[1] - ux * half), (end[0] - uy * half, end[1] + ux * half)]
    struck = [
        f for f in battle.on_table()
        if f is not fighter and battle.pose(f).level == pose.level and not hidden.untouched(battle, f, fighter.seat)
        and inside_polygon(battle.base(f), battle.pose(f), [list(p) for p in ring])
    ]  # fmt: skip
    battle.tell("breath", "ades:13.1-souffle", (fighter.id, *(f.id for f in struck)), struck=[f.id for f in struck])
    for other in struck:
        yield from damage.strike(battle, other, held.number, Source(), "ades:13.1-souffle", by=fighter)
    return "done"


# ---------------------------------------------------------------------- traps


def may_lay(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    if not battle.has(fighter, "poseur-de-pieges"):
        return NONE
    if not battle.free(fighter):
        return Refusal("refuse.not-free", "ades:13.2-poseur-de-pieges", {"fighter": fighter.id}, ("ades:1.1.13-free",))
    return NONE if battle.pose(fighter).level else None


def lay(battle: Battle, fighter: Fighter) -> Script[str]:
    """ades:13.2-poseur-de-pieges  A trap token in contact; laying it does not give the layer away."""
    pose, far = battle.pose(fighter), battle.base(fighter).half_width
    side = yield Pick(
        fighter.seat, "trap.where", [option(s, text=f"option.{s}") for s in tokens.SIDES],
        rule="ades:13.2-poseur-de-pieges", about=(fighter.id,),
    )  # fmt: skip
    ux, uy = heading(pose.facing + tokens.SIDES[side])
    x = min(max(pose.x + ux * far, 0.0), battle.table.width)
    y = min(max(pose.y + uy * far, 0.0), battle.table.height)
    set_trap(battle, fighter, x, y)
    return "done"


def set_trap(battle: Battle, fighter: Fighter, x: float, y: float) -> Thing:
    number = sum(t.kind == "trap" for t in battle.things.values()) + 1
    trap = Thing(f"trap{number}", "trap", "trap", fighter.seat, x, y)
    trap.placed = True
    battle.things[trap.id] = trap
    battle.tell("trap.laid", "ades:13.2-poseur-de-pieges", (fighter.id, trap.id))
    return trap


# ---------------------------------------------------------------------- mutagen and moon


def mutagen(battle: Battle, seat: str) -> Script[None]:
    """ades:13.2-mutagene, ades:13.2-mutagene-low
    Doses for the turn from the value of those who carry the skill, given out at once."""
    ours = [f for f in battle.fighters.values() if f.seat == seat and f.alive and (f.on_table or f.aboard)]
    carriers = [f for f in ours if battle.has(f, "mutagene")]
    if not carriers:
        return
    total = sum(f.val for f in carriers) + _affiliated(battle, seat, sum(f.val for f in carriers))
    doses = math.ceil(total / 100)
    if total < 60:
        (face,) = yield Roll(seat, "mutagen.low", 6, rule="ades:13.2-mutagene-low")
        doses = 1 if face * 10 <= total else 0
    battle.tell("mutagen", "ades:13.2-mutagene", (seat,), total=total, doses=doses)
    most = min(doses, len(carriers))
    if not most:
        return
    chosen = yield Pick(
        seat, "mutagen.doses", [option(f.id, f, about=(f.id,)) for f in carriers], least=most, most=most,
        rule="ades:13.2-mutagene-dose", also=("ades:13.2-mutagene",),
    )  # fmt: skip
    for fighter in chosen if isinstance(chosen, tuple) else ([chosen] if chosen else []):
        yield from _inject(battle, fighter)


def _affiliated(battle: Battle, seat: str, sum_: int) -> int:
    """ades:13.2-mutagene-affiliation  The affiliation's value for the hundreds of the sum; below 100 nothing."""
    costs = battle.sides[seat].affiliation_costs
    if not costs or sum_ < 100:
        return 0
    battle.cite("ades:13.2-mutagene-affiliation")
    band = min(len(costs) - 1, max(0, math.ceil(sum_ / 100) - 2))
    return costs[band]


def _inject(battle: Battle, fighter: Fighter) -> Script[None]:
    """ades:13.2-mutagene-dose, ades:13.2-mutagene-overdose  The lower of two dice and X; two sixes are too much."""
    rule = "ades:13.2-mutagene-dose"
    faces: tuple[int, ...] = yield Roll(fighter.seat, "mutagen.dose", 6, 2, rule=rule, about=(fighter.id,))
    if min(faces) == 6:
        battle.tell("mutagen.overdose", "ades:13.2-mutagene-overdose", (fighter.id,))
        yield from casualties.lose(battle, fighter, 1, "ades:13.2-mutagene-overdose")
        return
    fighter.effort = fighter.effort.but(doses=min(faces) + battle.number(fighter, "mutagene"))
    battle.tell("mutagen.dose", rule, (fighter.id,), points=fighter.effort.doses)


def moon(battle: Battle) -> Script[None]:
    """ades:13.2-selenite  One die at the start of the game for all Selenites on the table."""
    touched = [f for f in battle.on_table() if battle.has(f, "selenite")]
    if not touched:
        return
    (face,) = yield Roll(battle.seats[0], "moon", 6, rule="ades:13.2-selenite")
    battle.tell("moon", "ades:13.2-selenite", tuple(f.id for f in touched), face=face)
    if face == 1:
        return
    changes: list[tuple[str, float]] = [("INI", 1)]
    if face >= 4:
        changes.append(("MOU", 2.5))
    if face == 6:
        changes.append(("MYS", 1))
    for fighter in touched:
        skills = ("Born killer",) if face == 6 else ()
        battle.add_effect(Effect("moon", "ades:13.2-selenite", "", fighter.id, 0, tuple(changes), skills))
