"""wfb3:7.12, 7.13  Who has won a round, and what becomes of the beaten."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.games.wfb3 import animosity, casualties, contacts, fear, great_standards, ground, rout, standards, stats
from grognard.games.wfb3.abilities.troops import Berserker
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.walking import stops
from grognard.kernel.formation.changes import refiled
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import Shift
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Option, Pick, Script
from grognard.kernel.tally import Tally

#: wfb3:7.13.2-push
PUSH = inches(2)


class Score:
    """A round being fought: wounds by unit, ranks at its start."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units = [u.id for u in units]
        self.wounds: dict[str, int] = {u.id: 0 for u in units}
        self.ranks: dict[str, int] = {}


def note_ranks(battle: Battle, units: Sequence[Unit], score: Score) -> None:
    """wfb3:7.12-ranks  Complete ranks count as they stood when the round began, where four of the front rank fight."""
    for unit in units:
        fighting = len(contacts.engaged_numbers(battle, unit, Edge.FRONT))
        if battle.house["rank_bonus_always"]:
            battle.cite("wfb3:27.3.1-rank-bonus")
        elif fighting < 4:
            continue
        score.ranks[unit.id] = min(3, max(0, stats.complete_ranks(battle, unit) - 1))


def total(battle: Battle, own: Sequence[Unit], score: Score) -> Tally:
    """wfb3:7.12-score  Wounds inflicted, charge, follow-up, standards, ranks."""
    wounds = {u.id: score.wounds.get(u.id, 0) for u in own}
    for unit in own:
        if unit.opening[0] == battle.clock:
            wounds[unit.id] += unit.opening[1]
    tally = Tally(sum(wounds.values()), "wounds", "wfb3:7.12-score")
    charged = [u for u in own if u.charged == battle.clock and u.bonus_lost != battle.clock]
    if charged and 2 * sum(wounds[u.id] for u in charged) >= sum(wounds.values()):
        tally.add(1, "charge", "wfb3:7.12-charge")
    if any(u.won == battle.clock - 1 for u in own):
        tally.add(1, "follow-up", "wfb3:7.12-followup")
    banners = sum(standards.flies(battle, u) for u in own)
    tally.add(banners, "standards", "wfb3:7.12-standard")
    great = max((great_standards.in_fight(battle, u) for u in own), default=0)
    tally.add(great, "army-standard", "wfb3:7.12-army-standard")
    best = max((score.ranks.get(u.id, 0) for u in own), default=0)
    return tally.add(best, "ranks", "wfb3:7.12-ranks")


def conclude(battle: Battle, units: Sequence[Unit], score: Score) -> Script[None]:
    """wfb3:7.12-score, 7.13  The result, and its consequences for each beaten unit."""
    camps = sides(battle, units)
    if len(camps) < 2:
        return
    sums = [total(battle, camp, score) for camp in camps]
    for unit in units:
        unit.rounds += 1
        unit.auto_hit = ()
    if sums[0].value == sums[1].value:
        battle.tell("combat.drawn", "wfb3:7.13.1-draw", tuple(score.units), first=sums[0], second=sums[1])
        for unit in units:
            recover(battle, unit)
        return
    best = 0 if sums[0].value > sums[1].value else 1
    winner = camps[best][0].seat
    battle.tell("combat.won", "wfb3:7.12-score", tuple(score.units), winner=winner, first=sums[0], second=sums[1])
    victors = [u for u in camps[best] if u.where == "table"]
    beaten = [u for u in camps[1 - best] if u.where == "table"]
    for unit in victors:
        recover(battle, unit)
    pushed: list[Unit] = []
    for unit in beaten:
        if (yield from outcome(battle, unit, victors, score)):
            pushed.append(unit)
    for unit in pushed:
        if unit.where == "table" and not unit.routed and battle.engaged(unit):
            yield from push(battle, unit)
    for unit in victors:
        unit.won = battle.clock
    yield from standards.after_round(battle, victors, pushed)


def sides(battle: Battle, units: Sequence[Unit]) -> list[list[Unit]]:
    """The two sides of a fight: the players', or in a brawl among friends those who fight each other."""
    seats = list(dict.fromkeys(u.seat for u in units))
    if len(seats) == 2:
        return [[u for u in units if u.seat == seat] for seat in seats]
    one = {units[0].id} if units else set()
    for unit in units:
        if unit.id not in one and not any(foe.id in one for foe, _, _ in battle.foes(unit)):
            one.add(unit.id)
    camps = [[u for u in units if u.id in one], [u for u in units if u.id not in one]]
    return [camp for camp in camps if camp]


def recover(battle: Battle, unit: Unit) -> None:
    """wfb3:7.4.1-recover  A disordered unit that wins or draws is in order again."""
    if unit.disordered and unit.where == "table":
        unit.disordered = False
        battle.tell("ordered", "wfb3:7.4.1-recover", (unit.id,))


def outcome(battle: Battle, unit: Unit, victors: Sequence[Unit], score: Score) -> Script[bool]:
    """wfb3:7.13.5-precedence  What becomes of one beaten unit; True where it is merely pushed back."""
    battle.cite("wfb3:7.13.5-precedence")
    foes = [foe for foe, _, _ in battle.foes(unit)]
    if not foes:
        return False
    winners = tuple(f.id for f in foes)
    if unit.frenzied:
        battle.cite("wfb3:10.5-immune")
        if battle.trait(unit, Berserker) is not None:
            battle.cite("wfb3:15.3-unbreakable")
            return False
        return True
    rule = _automatic(battle, unit)
    if rule:
        battle.tell("beaten.routs", rule, (unit.id,))
        yield from rout.begin(battle, unit, winners, melee=True)
        yield from rout.broken(battle, unit, winners)
        return False
    if (foe := _feared(battle, unit, foes, score)) is not None:
        battle.tell("beaten.routs", "wfb3:10.8-beaten", (unit.id, foe.id))
        yield from rout.begin(battle, unit, winners, melee=True)
        yield from rout.broken(battle, unit, winners)
        return False
    if casualties.losses_quarter(unit, len(battle.ordinary(unit))):
        battle.cite("wfb3:8.1-combat")
        passed = yield from rout.rout_test(battle, unit, "wfb3:7.13.5-test")
        if not passed:
            yield from rout.begin(battle, unit, winners, melee=True)
            yield from rout.broken(battle, unit, winners)
            return False
    return True


def _automatic(battle: Battle, unit: Unit) -> str:
    """The rule by which a beaten unit routs without a test."""
    if unit.disordered:
        return "wfb3:7.4.1-rout"
    if unit.shaky == battle.clock:
        return "wfb3:7.1.3-oblique"
    if unit.fresh_pursuit:
        return "wfb3:8.5.4-new-fight" if unit.fresh_pursuit != "charged" else "wfb3:8.5.3-charged"
    return ""


def _feared(battle: Battle, unit: Unit, foes: Sequence[Unit], score: Score) -> Unit | None:
    """wfb3:10.8-beaten  A fear-causer whose wounds decided the round."""
    lost = sum(score.wounds.get(u, 0) for u in score.units if battle.units[u].seat == unit.seat)
    for foe in foes:
        if fear.dread(battle, unit, foe) is not None and score.wounds.get(foe.id, 0) > lost:
            if battle.house["revised_fear"] and not fear.outnumbered(battle, unit, foe):
                battle.cite("wfb3:27.7-fear-beaten")
                continue
            return foe
    return None


def push(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:7.13.2-push, 7.13.3-followup  Two inches back, and the victors after it."""
    foes = [(foe, own, theirs) for foe, own, theirs in battle.foes(unit)]
    unit.pushed = battle.clock
    unit.ever_pushed = True
    if unit.weapon == "pike":
        unit.disordered = True
        battle.cite("wfb3:13.5.9-pike-pushed")
    if unit.formation == "square":
        battle.tell("pushed", "wfb3:5.7.3-square-combat", (unit.id,), inches=0.0)
        return
    dx = dy = 0.0
    for foe, _, theirs in foes:
        hx, hy = heading(battle.block_of(foe).boundary.outward(theirs))
        dx, dy = dx + hx, dy + hy
    length = math.hypot(dx, dy)
    if len(foes) > 1:
        battle.cite("wfb3:7.14.1-multi")
    followers = []
    for foe, _, _ in foes:
        if foe.seat == unit.seat and (yield from animosity.after_push(battle, foe, unit)):
            continue
        if (yield from follows(battle, foe, unit)):
            followers.append(foe)
    far = 0.0
    if length > 0.05:
        way = (dx / length, dy / length)
        mine = {unit.id, *(f.id for f, _, _ in foes)}
        things = [t for t in ground.things(battle, unit, near=0.0) if t.name not in mine]
        far = _shove(battle, unit, way, things)
        for foe in followers:
            others = [t for t in ground.things(battle, foe, near=0.0) if t.name not in mine]
            _shove(battle, foe, way, others, far)
    battle.tell("pushed", "wfb3:7.13.2-push", (unit.id, *(f.id for f in followers)), inches=round(far / inches(1), 2))
    for foe, _, _ in foes:
        if foe not in followers:
            battle.disengage(unit, foe)
            unit.frozen, unit.frozen_why = battle.clock, "halt"
            battle.cite("wfb3:7.13.4-halt")
    for foe in followers:
        battle.cite("wfb3:7.13.3-followup", "wfb3:7.14-continue")
        if foe.formation == "shield-wall":
            foe.formation = "ranks"
            battle.cite("wfb3:5.7.6-shield-wall-end")
        yield from extend(battle, foe, unit)


def _shove(
    battle: Battle, unit: Unit, way: tuple[float, float], things: Sequence[Obstacle], far: float = PUSH
) -> float:
    block = battle.block_of(unit)
    met = stops(block.outline, Shift(way[0] * far, way[1] * far), things)
    gone = max(0.0, met.at) if met.obstacle is not None else far
    if gone > 0.01:
        battle.form(unit, block.placed((block.x + way[0] * gone, block.y + way[1] * gone), block.facing))
    return gone


def follows(battle: Battle, unit: Unit, beaten: Unit) -> Script[bool]:
    """wfb3:7.13.4-decline  Only who holds a defended obstacle may stay behind it."""
    from grognard.games.wfb3 import striking

    if unit.formation == "square":
        return False
    if striking.defended(battle, beaten, unit) and not unit.frenzied:
        options = [Option("follow", True, "option.follow"), Option("stay", False, "option.stay")]
        answer: bool = yield Pick(
            unit.seat, "combat.follow", options, rule="wfb3:7.13.4-decline", about=(unit.id, beaten.id)
        )
        return answer
    return True


def extend(battle: Battle, unit: Unit, beaten: Unit) -> Script[None]:
    """wfb3:7.13.3-extend  Up to two models more on each flank, with a leader; not a manoeuvre that is tested."""
    block = battle.block_of(unit)
    spare = block.troops - block.files
    if battle.leader(unit) is None or spare < 1 or block.guests or len(battle.foes(unit)) != 1:
        return
    if battle.foes(unit)[0][1] is not Edge.FRONT:
        return
    wide = battle.block_of(beaten).boundary.span(battle.foes(unit)[0][2])
    if block.width >= wide - 1.0:
        return
    options = [Option("stay", (0, 0), "option.extend.no")]
    for left, right in ((1, 1), (2, 2), (0, 1), (1, 0), (2, 0), (0, 2)):
        if left + right <= spare:
            options.append(
                Option(f"{left}+{right}", (left, right), "option.extend", data={"left": left, "right": right})
            )
    left, right = yield Pick(unit.seat, "combat.extend", options, rule="wfb3:7.13.3-extend", about=(unit.id,))
    if not left + right:
        return
    after = refiled(block, left, right)
    if ground.fits(battle, unit, after, ignoring=(beaten.id,)):
        return
    from grognard.games.wfb3 import seating

    unit.block = after
    seating.swap_in(battle, unit)
    battle.tell("extended", "wfb3:7.13.3-extend", (unit.id,), files=after.files)
