"""t9a:15.D  A Round of Combat, step by step."""

from __future__ import annotations

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.characters import joining
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import casualties, psychology
from grognard.games.t9a.melee import (
    break_tests,
    combat_reform,
    combat_score,
    duels,
    initiative,
    post_combat,
    pursuit,
    striking,
    weapon_choice,
)
from grognard.games.t9a.movement import flight
from grognard.games.t9a.rolls import stats
from grognard.kernel.citing import cites
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Order, Pick, Script, option


class Tale:
    """What a round must remember: Health Points lost by each side's units, who took part, who lost contact when."""

    def __init__(self, battle: Battle, units: list[Unit]) -> None:
        self.units = [u.id for u in units]
        self.lost = dict.fromkeys(battle.seats, 0)
        self.margin = 0

    def count(self, battle: Battle, lost: dict[str, int]) -> None:
        """t9a:15.F.a.1  Health Points a side's units lost count for the other."""
        for unit_id, hp in lost.items():
            if unit_id in self.units:
                self.lost[battle.other(battle.units[unit_id].seat)] += hp


def fight(battle: Battle, units: list[Unit]) -> Script[None]:
    """t9a:15.D  All steps of one round for all units of a combat."""
    tale = Tale(battle, units)
    battle.combat = tuple(tale.units)
    battle.tell("combat.begins", "t9a:15.D", tale.units, units=list(tale.units))
    yield from before_blows(battle, units)
    yield from _blows(battle, tale)
    winners = combat_score.settle(battle, tale)
    broken = yield from break_tests.tests(battle, tale, winners)
    yield from _panic(battle, broken)
    yield from _after(battle, tale, broken, winners)
    _close(battle, tale)


def before_blows(battle: Battle, units: list[Unit]) -> Script[None]:
    """t9a:15.D  Steps 1 to 5: Fear, weapons, making way, duels, Crush Attacks announced."""
    yield from _fear(battle, units)
    for unit in _by_side(battle, units):
        yield from weapon_choice.choose(battle, unit)
    for unit in _by_side(battle, units):
        yield from joining.make_way(battle, unit)
    yield from duels.challenges(battle, units)
    yield from striking.announce_crushes(battle, units)


def _by_side(battle: Battle, units: list[Unit]) -> list[Unit]:
    """t9a:2.A.c  The active player's first."""
    return [u for seat in (battle.active, battle.reactive) for u in units if u.seat == seat and u.where == "table"]


def _fear(battle: Battle, units: list[Unit]) -> Script[None]:
    """t9a:21.A.b.33  Step 1: units in contact with Fear test; those who fail are Shaken for the round."""
    for unit in _by_side(battle, units):
        if psychology.frightened(battle, unit):
            swing = stats.swing(battle, unit, "Fear Test")
            if not (yield from psychology.test(battle, unit, "fear", "t9a:21.A.b.33", swing=swing)):
                unit.nerve = unit.nerve.but(afraid=True)
                battle.tell("unit.afraid", "t9a:21.A.b.33", (unit.id,))
                battle.cite("t9a:17.B")


@cites
def _blows(battle: Battle, tale: Tale) -> Script[None]:
    """t9a:11.E.g-round  Step 6: from Initiative 10 down to 0; simultaneous within a step (t9a:15.D.a)."""
    schedule = initiative.order(battle, [battle.units[k] for k in tale.units])
    for step in range(10, -1, -1):
        entries = schedule.get(step, [])
        if not entries:
            continue
        tale.count(battle, (yield from striking.strike_step(battle, step, entries)))


def _panic(battle: Battle, broken: list[Unit]) -> Script[None]:
    """t9a:15.D, t9a:17.A-broken  Step 8: friends within 6" of a Broken unit."""
    called = []
    for unit in broken:
        for friend in battle.army(unit.seat):
            if friend.id != unit.id and battle.within(friend, unit, 6) and psychology._impressed(battle, friend, unit):
                called.append((friend, "", "t9a:17.A-broken"))
    yield from psychology.panic(battle, called)


def _after(battle: Battle, tale: Tale, broken: list[Unit], winners: list[str]) -> Script[None]:
    """t9a:15.D
    Steps 9 to 15: pursuits declared, distances, flights, pursuits, post-combat moves, Combat Reforms (t9a:15.H.a)."""
    fighters = list(tale.units)
    chases = yield from break_tests.declare_pursuits(battle, tale, broken)
    away = yield from break_tests.directions(battle, broken)
    overruns = yield from _overruns(battle, tale)
    flights: dict[str, int] = {}
    if broken:
        broken = yield from chosen_order(battle, broken[0].seat, broken, "flee.order", "t9a:15.H.a")
    for unit in broken:
        flights[unit.id] = yield from flight.roll_distance(battle, unit, "flee", "t9a:15.H.a")
    runs: dict[str, int] = {}
    for seat in (battle.active, battle.reactive):
        for key, goal in chases.items():
            if battle.units[key].seat == seat and goal is not None:
                runs[key] = yield from flight.roll_distance(battle, battle.units[key], "pursue", "t9a:15.H.a")
        for key in overruns:
            if battle.units[key].seat == seat:
                runs[key] = yield from flight.roll_distance(battle, battle.units[key], "overrun", "t9a:15.H.1")
    sides = {key: pursuit.record_sides(battle, battle.units[key]) for key in runs}
    yield from _flights(battle, fighters, broken, chases, away, flights, runs)
    yield from _pursuits(battle, fighters, broken, chases, away, runs, sides)
    yield from _post_combat(battle, tale, runs)
    yield from combat_reform.all_of(battle, [battle.units[k] for k in fighters], winners, tale.margin)


def _flights(
    battle: Battle,
    fighters: list[str],
    broken: list[Unit],
    chases: dict[str, str | None],
    away: dict[str, float],
    flights: dict[str, int],
    runs: dict[str, int],
) -> Script[None]:
    """t9a:15.H.a-caught, t9a:15.H.b  Caught units are destroyed; the others turn away and flee."""
    for unit in broken:
        hunters = [k for k, goal in chases.items() if goal == unit.id]
        if any(runs.get(k, -1) >= flights[unit.id] for k in hunters):
            battle.tell("unit.caught", "t9a:15.H.a-caught", (unit.id,))
            yield from casualties.remove_unit(battle, unit, "t9a:15.H.a-caught")
    for unit in broken:
        if unit.where != "table":
            continue
        battle.cite("t9a:15.H.b")
        battle.disengage(unit)
        unit.fight = unit.fight.but(in_fight=False)
        flight.turn(battle, unit, away[unit.id])
        yield from flight.flee(battle, unit, flights[unit.id], safe=fighters)


def _pursuits(
    battle: Battle,
    fighters: list[str],
    broken: list[Unit],
    chases: dict[str, str | None],
    away: dict[str, float],
    runs: dict[str, int],
    sides: dict[str, dict[str, Edge]],
) -> Script[None]:
    """t9a:15.H.c  Pursuers that will charge first, then the others, each in its owner's order."""
    fled = [u.id for u in broken]
    eager = [k for k in runs if _will_charge(battle, k, chases, away, runs, fled)]
    order = list(eager)
    for seat in (battle.active, battle.reactive):
        calm = [battle.units[k] for k in runs if k not in eager and battle.units[k].seat == seat]
        order += [u.id for u in (yield from chosen_order(battle, seat, calm, "pursuit.order", "t9a:15.H.c"))]
    battle.cite("t9a:15.H.c")
    for key in order:
        unit = battle.units[key]
        if unit.where != "table" or battle.engaged(unit) or unit.nerve.fleeing:
            continue
        unit.charge = unit.charge.over()
        unit.fight = unit.fight.but(in_fight=False)
        goal = chases.get(key)
        facing = away[goal] if goal is not None else None
        comrades = [k for k in fighters if battle.units[k].seat == unit.seat and k != key]
        chase = pursuit.Chase(battle, unit, facing, runs[key], comrades=comrades, fled=fled, sides=sides[key])
        chase.rivals = _rivals(battle, key, eager, chases, away, sides)
        battle.tell("pursuit.begins", "t9a:15.H.c" if goal else "t9a:15.H.1", (key,), distance=runs[key])
        yield from pursuit.pursue(chase)


def _rivals(
    battle: Battle,
    key: str,
    eager: list[str],
    chases: dict[str, str | None],
    away: dict[str, float],
    sides: dict[str, dict[str, Edge]],
) -> tuple[tuple[str, Block, Edge], ...]:
    """t9a:15.H.c  Pursuers still to move whose front will meet the same enemy as this one's, as they will start."""
    mine = next(iter(_meets(battle, key, chases, away)), None) if key in eager else None
    found = []
    for other in eager[eager.index(key) + 1 :] if mine else ():
        unit = battle.units[other]
        if unit.where == "table" and not unit.nerve.fleeing and not battle.engaged(unit):
            met = _meets(battle, other, chases, away)
            if mine in met[:1]:
                found.append((other, _turned(battle, other, chases, away), sides[other][str(mine)]))
    return tuple(found)


def _turned(battle: Battle, key: str, chases: dict[str, str | None], away: dict[str, float]) -> Block:
    """A pursuer after its pivot."""
    block, goal = battle.block(battle.units[key]), chases.get(key)
    return block if goal is None else block.placed_by_centre(block.centre, away[goal])


def _meets(battle: Battle, key: str, chases: dict[str, str | None], away: dict[str, float]) -> list[str]:
    """Enemies before a pursuer's front, the nearest first."""
    unit, block = battle.units[key], _turned(battle, key, chases, away)
    hits = [
        (at, e.id)
        for e in battle.enemies(unit.seat)
        if not e.nerve.fleeing and (at := pursuit.meets(block, inches(60), battle.block(e).outline)) is not None
    ]
    return [e for _, e in sorted(hits)]


def _will_charge(
    battle: Battle,
    key: str,
    chases: dict[str, str | None],
    away: dict[str, float],
    runs: dict[str, int],
    fled: list[str],
) -> bool:
    """Whether a pursuer's front will meet an enemy that did not flee."""
    unit = battle.units[key]
    if unit.where != "table":
        return False
    block = _turned(battle, key, chases, away)
    return any(
        pursuit.meets(block, inches(runs[key]), battle.block(e).outline) is not None
        for e in battle.enemies(unit.seat)
        if e.id not in fled
    )


def _overruns(battle: Battle, tale: Tale) -> Script[list[str]]:
    """t9a:15.H.1  Chargers in their first round whose enemies are all destroyed may overrun."""
    found = []
    for unit in _by_side(battle, [battle.units[k] for k in tale.units]):
        if (
            battle.engaged(unit)
            or unit.nerve.fleeing
            or not unit.charge.charging
            or not unit.fight.first_round
            or battle.is_shaken(unit)
        ):
            continue
        if battle.any_has(unit, "war-machine"):
            continue
        battle.cite("t9a:15.G.c")
        wish = yield Pick(
            unit.seat,
            "overrun",
            [option("overrun", text="option.overrun")],
            optional=True,
            rule="t9a:15.H.1",
            about=(unit.id,),
        )
        if wish:
            found.append(unit.id)
    return found


def _post_combat(battle: Battle, tale: Tale, runs: dict[str, int]) -> Script[None]:
    """t9a:15.H.e  Step 14: units no longer engaged that neither fled nor pursued."""
    free = [u for u in _by_side(battle, [battle.units[k] for k in tale.units]) if u.id not in runs]
    free = [u for u in free if u.where == "table" and not battle.engaged(u) and not u.nerve.fleeing]
    for seat in (battle.active, battle.reactive):
        while own := [u for u in free if u.seat == seat]:
            unit = yield from post_combat.next_of(battle, own, "t9a:15.H.e")
            free.remove(unit)
            unit.fight = unit.fight.but(in_fight=False)
            yield from post_combat.choose(battle, unit)


def _close(battle: Battle, tale: Tale) -> None:
    """t9a:15.D, t9a:11.B-charging  Step 16: what ends with the round; a pursuer that charged anew goes on charging."""
    duels.end_round(battle, tale.units)
    for key in tale.units:
        unit = battle.units[key]
        unit.nerve = unit.nerve.but(afraid=False)
        unit.effects = tuple(e for e in unit.effects if e.until != "round")
        if not unit.fight.newly_engaged:
            unit.charge = unit.charge.over()
            unit.fight = unit.fight.but(first_round=False)
        unit.fight = unit.fight.but(rounds=unit.fight.rounds + 1, newly_engaged=False)
    battle.combat = ()


def chosen_order(battle: Battle, seat: str, units: list[Unit], name: str, rule: str) -> Script[list[Unit]]:
    """Units in their owner's order."""
    if len(units) < 2:
        return units
    found = yield Order(seat, name, [option(u.id, u, about=(u.id,)) for u in units], rule=rule)
    return list(found)
