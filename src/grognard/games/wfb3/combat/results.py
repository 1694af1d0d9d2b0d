"""Chapters 7.12, 7.13: who has won a round, and what becomes of the beaten."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.games.wfb3.abilities.trades import Civilians
from grognard.games.wfb3.abilities.troops import Berserker
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import storming
from grognard.games.wfb3.characters import altars, army_standards, standards
from grognard.games.wfb3.combat import casualties, following, overlap, pushing
from grognard.games.wfb3.combat.score import Score
from grognard.games.wfb3.forces import PRESENT, Unit
from grognard.games.wfb3.movement import mixed, passing
from grognard.games.wfb3.psychology import animosity, fear, hatred
from grognard.games.wfb3.records import NEVER
from grognard.games.wfb3.rout import rout
from grognard.games.wfb3.table import contacts, ground, seating, split_units
from grognard.games.wfb3.troops import looting
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Script
from grognard.kernel.words.tally import Tally

#: Whether a victor (first) follows up a beaten unit (second), once it is known.
Going = dict[tuple[str, str], bool]


def note_ranks(battle: Battle, units: Sequence[Unit], score: Score) -> None:
    """wfb3:7.12-ranks, wfb3:27.3.1-rank-bonus
    Complete ranks count as they stood when the round began, where four of the front rank fight."""
    for unit in units:
        fighting = len(contacts.engaged_numbers(battle, unit, Edge.FRONT))
        if battle.house["rank_bonus_always"]:
            battle.cite("wfb3:27.3.1-rank-bonus")
        elif fighting < 4:
            battle.cite("wfb3:7.12-ranks")
            continue
        score.ranks[unit.id] = min(3, max(0, overlap.complete_ranks(battle, unit) - 1))


def total(battle: Battle, own: Sequence[Unit], score: Score) -> Tally:
    """wfb3:7.12-score, wfb3:7.12-charge  Wounds inflicted, charge, follow-up, standards, ranks."""
    wounds = {u.id: score.wounds.get(u.id, 0) for u in own}
    tally = Tally(sum(wounds.values()), "wounds", "wfb3:7.12-score")
    charged = [u for u in own if u.charge.charged == battle.clock and u.charge.bonus_lost != battle.clock]
    if charged and 2 * sum(wounds[u.id] for u in charged) >= sum(wounds.values()):
        tally.add(1, "charge", "wfb3:7.12-charge")
    elif charged:
        battle.cite("wfb3:7.12-charge")
    if any(won_before(battle, u, score) and (score.after is not None or _goes_on(battle, u)) for u in own):
        tally.add(1, "follow-up", "wfb3:7.12-followup")
    for seat, points, what, rule in score.extra:
        if own and seat == own[0].seat:
            tally.add(points, what, rule)
    banners = sum(standards.flies(battle, u) for u in own)
    tally.add(banners, "standards", "wfb3:7.12-standard")
    great = max((army_standards.in_fight(battle, u) for u in own), default=0)
    tally.add(great, "army-standard", "wfb3:7.12-army-standard")
    tally.add(max((altars.in_fight(battle, u) for u in own), default=0), "altar", "wfb3:16.2-altar-combat")
    best = max((score.ranks.get(u.id, 0) for u in own), default=0)
    return tally.add(best, "ranks", "wfb3:7.12-ranks")


def won_before(battle: Battle, unit: Unit, score: Score) -> bool:
    """wfb3:7.12-followup, wfb3:7.7-ties  Whether a unit won the round before this one, the turn before or just now."""
    return unit.combat.won == battle.clock - 1 if score.after is None else unit.id in score.after


def note_throws(battle: Battle, units: Sequence[Unit], score: Score) -> None:
    """wfb3:13.7.6-contact-throw  Wounds by what was thrown at contact count in the round of the charge, once."""
    for unit in units:
        when, wounds = unit.combat.opening
        if when == battle.clock:
            score.wounds[unit.id] += wounds
        unit.combat = unit.combat.but(opening=(NEVER, 0))


def _goes_on(battle: Battle, unit: Unit) -> bool:
    """wfb3:7.12-followup, wfb3:5.7.3-square-combat
    Whether a unit fights on in a combat that began before this round; who fights nothing but squares never follows up.
    """
    if not any(unit.id in (e.a, e.b) and e.since < battle.clock for e in battle.engagements):
        return False
    foes = [foe for foe, _, _ in battle.foes(unit)]
    return not foes or any(foe.drill.formation != "square" for foe in foes)


def conclude(battle: Battle, units: Sequence[Unit], score: Score) -> Script[None]:
    """wfb3:7.12-score  The result, and its consequences for each beaten unit."""
    camps = sides(battle, units)
    if len(camps) < 2:
        return
    sums = [total(battle, camp, score) for camp in camps]
    for unit in units:
        unit.combat = unit.combat.but(
            rounds=unit.combat.rounds + 1, auto_hit=unit.combat.auto_hit if split_units.divided(battle, unit) else ()
        )
    if sums[0].value == sums[1].value:
        battle.tell("combat.drawn", "wfb3:7.13.1-draw", tuple(score.units), first=sums[0], second=sums[1])
        for unit in units:
            recover(battle, unit)
        if camps[0][0].seat == camps[1][0].seat:
            animosity.drawn(battle, camps)
        return
    best = 0 if sums[0].value > sums[1].value else 1
    friends = camps[0][0].seat == camps[1][0].seat  # wfb3:10.3-fight
    winner = camps[best][0].id if friends else camps[best][0].seat
    battle.tell("combat.won", "wfb3:7.12-score", tuple(score.units), winner=winner, first=sums[0], second=sums[1])
    victors = [u for u in camps[best] if u.where in PRESENT]
    beaten = [u for u in camps[1 - best] if u.where in PRESENT]
    for unit in victors:
        recover(battle, unit)
    pushed: list[Unit] = []
    going: Going = {}
    for unit in beaten:
        pushing.swing(battle, unit)
    for unit in beaten:
        if not unit.rout.routed and (yield from outcome(battle, unit, victors, score, going)):
            pushed.append(unit)
    pushed = yield from standards.after_round(battle, victors, pushed)
    pushed = yield from army_standards.after_round(battle, victors, pushed)
    for unit in pushed:
        if unit.where in PRESENT and not unit.rout.routed and battle.engaged(unit):
            yield from push(battle, unit, going)
    for unit in victors:
        if unit not in pushed:
            unit.combat = unit.combat.but(won=battle.clock)


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
    if unit.combat.disordered and unit.where == "table":
        unit.combat = unit.combat.but(disordered=False)
        battle.tell("ordered", "wfb3:7.4.1-recover", (unit.id,))


def outcome(
    battle: Battle, unit: Unit, victors: Sequence[Unit], score: Score, going: Going | None = None
) -> Script[bool]:
    """wfb3:7.13.5-precedence, wfb3:15.3-unbreakable
    What becomes of one beaten unit; True where it is merely pushed back."""
    battle.cite("wfb3:7.13.5-precedence")
    foes = [foe for foe, _, _ in battle.foes(unit)]
    if not foes:
        return False
    winners = tuple(f.id for f in foes)
    if unit.minds.frenzied:
        battle.cite("wfb3:10.5-immune")
        if battle.trait(unit, Berserker) is not None:
            battle.cite("wfb3:15.3-unbreakable")
            return False
        return True
    if fear.heedless(battle, unit):
        return True
    rule = _automatic(battle, unit)
    if rule:
        battle.tell("beaten.routs", rule, (unit.id,))
        yield from rout.begin(battle, unit, winners, melee=True)
        yield from rout.broken(battle, unit, winners)
        return False
    if (foe := (yield from _feared(battle, unit, victors, score, {} if going is None else going))) is not None:
        battle.tell("beaten.routs", "wfb3:10.8-beaten", (unit.id, foe.id))
        yield from rout.begin(battle, unit, winners, melee=True)
        yield from rout.broken(battle, unit, winners)
        return False
    battle.cite("wfb3:8.1-combat", "wfb3:7.13.5-test")
    if casualties.losses_quarter(battle, unit):
        hated = [foe for foe in victors if hatred.hates(battle, unit, foe)]
        if hated:
            battle.cite("wfb3:10.6-break")
        if _decided(battle, unit, hated, score):
            unit.combat = unit.combat.but(hated_won=battle.clock)
        passed = yield from rout.rout_test(battle, unit, "wfb3:7.13.5-test")
        if not passed:
            yield from rout.begin(battle, unit, winners, melee=True)
            yield from rout.broken(battle, unit, winners)
            return False
    return True


def _automatic(battle: Battle, unit: Unit) -> str:
    """wfb3:7.4.1-rout  The rule by which a beaten unit routs without a test."""
    if unit.combat.disordered:
        return "wfb3:7.4.1-rout"
    if passing.mingled(battle, unit):
        return "wfb3:5.5.2-forced"
    if unit.combat.shaky == battle.clock:  # chargers who came in badly, or brawlers an enemy has caught
        return "wfb3:7.1.3-oblique" if unit.charge.charged == battle.clock else "wfb3:10.3-fight-stop"
    if unit.rout.fresh_pursuit:
        return "wfb3:8.5.4-new-fight" if unit.rout.fresh_pursuit != "charged" else "wfb3:8.5.3-charged"
    return ""


def _feared(battle: Battle, unit: Unit, victors: Sequence[Unit], score: Score, going: Going) -> Script[Unit | None]:
    """wfb3:10.8-beaten  A fear-causer that won and follows up; beside others its wounds must have decided the round.

    Ruling: they decided it when fear-causers inflicted more wounds than their whole side took.
    """
    if battle.house["revised_fear"]:
        return fear.overawed(battle, unit, victors)
    if unit.drill.formation == "square":
        battle.cite("wfb3:5.7.3-square-combat")  # neither pushed back nor followed
        return None
    frightful = [foe for foe in victors if fear.dread(battle, unit, foe) is not None]
    heroes = {foe.id: [m for m, _ in fear.followers(battle, unit, foe)] for foe in victors}
    own = sum(score.single.get(m.id, 0) for found in heroes.values() for m in found)
    if len(frightful) < len(victors) and not _decided(battle, unit, frightful, score, own):
        return None
    frightful += [foe for foe in victors if heroes[foe.id]]
    touching = [foe.id for foe, _, _ in battle.foes(unit)]
    for foe in frightful:
        if foe.id not in touching:
            continue
        if (yield from _goes_after(battle, foe, unit, going)):
            return foe
    return None


def _decided(battle: Battle, unit: Unit, among: Sequence[Unit], score: Score, more: int = 0) -> bool:
    """wfb3:10.8-beaten, wfb3:10.6-break
    Whether some of a unit's enemies inflicted enough wounds to win by themselves."""
    lost = sum(score.wounds.get(u, 0) for u in score.units if battle.units[u].seat == unit.seat)
    return sum(score.wounds.get(foe.id, 0) for foe in among) + more > lost


def _goes_after(battle: Battle, foe: Unit, unit: Unit, going: Going) -> Script[bool]:
    """Whether a victor follows up, decided once: fear and the push ask for the same answer."""
    if (foe.id, unit.id) not in going:
        going[foe.id, unit.id] = yield from following.follows(battle, foe, unit)
    return going[foe.id, unit.id]


def push(battle: Battle, unit: Unit, going: Going | None = None) -> Script[None]:
    """wfb3:7.13.2-push, wfb3:7.13.3-followup, wfb3:7.14-continue, wfb3:7.14.1-multi, wfb3:20.8.5-push
    Two inches back, and the victors after it.

    Ruling: nobody is pushed backwards over a linear obstacle; those who follow over one are divided by it.
    """
    if unit.where == "building":
        storming.no_push(battle, unit)
        for foe, _, _ in battle.foes(unit):
            if foe.seat == unit.seat and not _relentless(battle, foe):
                yield from animosity.after_push(battle, foe, unit)
        return
    if unit.kind == "machine":
        battle.cite("wfb3:19.3.2-melee")
    foes = [(foe, own, theirs) for foe, own, theirs in battle.foes(unit)]
    if battle.trait(unit, Civilians) is not None:
        battle.tell("baggage.abandoned", "wfb3:17.3-defence", (unit.id,))
        battle.remove(unit, "fled")
        for foe, _, _ in foes:
            looting.won(battle, foe, unit.seat)
        return
    unit.combat = unit.combat.but(pushed=battle.clock, ever_pushed=True)
    if (
        (other := mixed.partner(battle, unit)) is not None
        and other.combat.pushed == battle.clock
        and battle.engaged(other)
    ):
        battle.cite(mixed.RULE)
        return  # it has gone back with the other part of its formation
    if unit.combat.weapon == "pike":
        unit.combat = unit.combat.but(disordered=True)
        battle.tell("disordered", "wfb3:13.5.9-pike-pushed", (unit.id,))
    if unit.kind == "chariot":
        battle.tell("pushed", "wfb3:20.8.5-push", (unit.id,), inches=0.0)
        return
    if unit.drill.formation == "square":
        battle.tell("pushed", "wfb3:5.7.3-square-combat", (unit.id,), inches=0.0)
        return
    foes = pushing.drawn_up(battle, unit)
    dx = dy = 0.0
    for foe, _, theirs in foes:
        hx, hy = heading(battle.block_of(foe).boundary.outward(theirs))
        dx, dy = dx + hx, dy + hy
    length = math.hypot(dx, dy)
    if len(foes) > 1:
        battle.cite("wfb3:7.14.1-multi")
    followers = []
    for foe, _, _ in foes:
        brawl = foe.seat == unit.seat and not _relentless(battle, foe)
        if brawl and (yield from animosity.after_push(battle, foe, unit)):
            continue
        if (yield from _goes_after(battle, foe, unit, {} if going is None else going)):
            followers.append(foe)
    far = 0.0
    if length > 0.05:
        way = (dx / length, dy / length)
        mine = {unit.id, *(f.id for f, _, _ in foes)}
        far = pushing.shove(battle, unit, way, pushing.behind(battle, unit, mine))
        for foe in followers:
            carried = mixed.partner(battle, foe)
            if foe.combat.followed == battle.clock or (carried is not None and carried.combat.followed == battle.clock):
                continue
            others = [t for t in ground.things(battle, foe, near=0.0) if t.name not in mine]
            if pushing.shove(battle, foe, way, others, far):  # else it waits until others it has beaten give way
                foe.combat = foe.combat.but(followed=battle.clock)
    battle.tell("pushed", "wfb3:7.13.2-push", (unit.id, *(f.id for f in followers)), inches=round(far / inches(1), 2))
    for foe, _, _ in foes:
        if foe not in followers:
            battle.disengage(unit, foe)
            unit.march = unit.march.but(frozen=battle.clock, frozen_why="halt")
            battle.cite("wfb3:7.13.4-halt")
    for foe in followers:
        battle.cite("wfb3:7.13.3-followup", "wfb3:7.14-continue")
        seating.unwall(battle, foe)
        extended = yield from following.extend(battle, foe, unit)
        yield from pushing.shift(battle, foe, unit)
        yield from overlap.follow_up(battle, foe, unit, extended)


def _relentless(battle: Battle, unit: Unit) -> bool:
    """wfb3:15.3-no-reform  Berserkers follow even friends they have beaten; nobody holds them back."""
    if not unit.minds.frenzied or battle.trait(unit, Berserker) is None:
        return False
    battle.cite("wfb3:15.3-no-reform")
    return True
