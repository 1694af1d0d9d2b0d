"""wfb3:7.7-initiative, wfb3:7.7-ties  The blows of a round, one group after another in order of initiative."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.chariots import chariots
from grognard.games.wfb3.combat import challenges, picking, results, sharing, striking
from grognard.games.wfb3.combat.blows_progress import Clash, Reach
from grognard.games.wfb3.combat.score import Score
from grognard.games.wfb3.forces import PRESENT, Unit
from grognard.games.wfb3.monsters import monsters
from grognard.games.wfb3.rolls import dice
from grognard.games.wfb3.rolls.modifiers import Group
from grognard.games.wfb3.rout import free_blows
from grognard.games.wfb3.table import air_fights, contacts, indoor_fights
from grognard.kernel.citing import cites
from grognard.kernel.questions import Script


def blows(battle: Battle, units: Sequence[Unit], score: Score, chosen: Sequence[Group] | None = None) -> Script[None]:
    """wfb3:7.7-initiative, wfb3:7.7-ties
    Strictly by initiative; at ties chargers and winners first, else by a roll."""
    clash = gathered(battle, units, score, chosen)
    while clash.going:
        yield from exchange(battle, clash)


@cites
def gathered(battle: Battle, units: Sequence[Unit], score: Score, chosen: Sequence[Group] | None = None) -> Clash:
    """wfb3:7.6-sequence, wfb3:7.7-initiative  Everybody who will strike this round, before anybody has."""
    results.note_throws(battle, units, score)
    for unit in units:
        free_blows.note_round(battle, unit)
    every = [g for unit in units for g in striking.groups(battle, unit)] if chosen is None else chosen
    clash = Clash(units, score, every, {unit.id: made for unit in units if len(made := _reach(battle, unit)) > 1})
    clash.heroes = {u.id: tuple(m.id for m in battle.characters(u)) for u in units if u.kind != "character"}
    return clash


def _reach(battle: Battle, unit: Unit) -> Reach:
    """wfb3:7.5-front, wfb3:21.4.1-overfly, wfb3:22.1.5-multi  Those of a unit whom each of its enemies reaches."""
    flying = [foe for foe in air_fights.foes(battle, unit) if foe.where == "table"] if battle.air else []
    if flying:
        return {foe.id: frozenset(air_fights.able(battle, unit, foe)) for foe in flying}
    order = [foe for foe, _, _ in sorted(battle.foes(unit), key=lambda f: f[1].value)]
    if len(order) < 2:
        return {}
    if unit.where == "building":
        return {foe.id: frozenset(indoor_fights.shared(battle, unit, foe)) for foe, _, _ in battle.foes(unit)}
    touches = [t for t in contacts.of_unit(battle, unit) if t.number < len(unit.models)]
    return {foe.id: frozenset(unit.models[t.number] for t in touches if t.foe == foe.id) for foe in order}


def exchange(battle: Battle, clash: Clash) -> Script[None]:
    """wfb3:7.7-initiative  The next group strikes; who falls to those who strike at once still strikes."""
    if not clash.now:
        if not clash.batches:
            top = max(g.initiative for g in clash.waiting)
            now = [g for g in clash.waiting if g.initiative == top]
            clash.waiting = tuple(g for g in clash.waiting if g.initiative != top)
            clash.batches = tuple(tuple(batch) for batch in (yield from _ordered(battle, now, clash.score)))
        batch, *rest = clash.batches
        clash.batches = tuple(rest)
        clash.now = tuple((g, _able(battle, g, clash)) for g in batch)
    (group, able), *others = clash.now
    clash.now = tuple(others)
    if _can(battle, group):
        for part, number in (yield from sharing.spread(battle, group, able)):
            yield from _blow(battle, part, number, clash.score, clash.lost)
    _outlived(battle, clash)
    if not clash.now:
        for pair, dead in clash.lost.items():
            clash.fallen[pair] = clash.fallen.get(pair, 0) + dead
        clash.lost = {}


def _outlived(battle: Battle, clash: Clash) -> None:
    """wfb3:14.6.3-attach, wfb3:7.6-sequence  Heroes whose unit has fallen around them go on with its round."""
    for key in clash.units:
        heroes = [battle.models[m] for m in clash.heroes.get(key, ())]
        if not heroes or battle.units[key].where in PRESENT:
            continue
        heirs = {m.id: m.home for m in heroes if m.alive and battle.engaged(battle.units[m.home])}
        if heirs:
            clash.succeed(key, heirs)


def _blow(battle: Battle, group: Group, able: int, score: Score, lost: dict[tuple[str, str], int]) -> Script[None]:
    """One group's blows, counted for the result and for those who will not strike back."""
    if not _can(battle, group):
        return
    struck, pair = battle.units[group.foe], (group.foe, group.unit)
    before, troops = len(battle.ordinary(struck)), _in_the_press(battle, struck)
    wounds = yield from _strike(battle, group, able)
    score.wounds[group.unit] = score.wounds.get(group.unit, 0) + wounds
    if group.who in battle.models:
        score.single[group.who] = score.single.get(group.who, 0) + wounds
    score.against[group.unit, group.foe] = score.against.get((group.unit, group.foe), 0) + wounds
    alive = len(battle.ordinary(struck)) if struck.where in PRESENT else 0
    free_blows.note_losses(struck, group.unit, before - alive)
    left = _in_the_press(battle, struck) if struck.where in PRESENT else 0
    lost[pair] = lost.get(pair, 0) + troops - left


def _in_the_press(battle: Battle, unit: Unit) -> int:
    """wfb3:7.15-leader  Its troops without those who fight a challenge: they strike by themselves."""
    return sum(not m.fight.duel for m in battle.ordinary(unit))


def _can(battle: Battle, group: Group) -> bool:
    if battle.units[group.unit].where not in PRESENT or battle.units[group.foe].where not in PRESENT:
        return False
    if air_fights.parted(battle, battle.units[group.unit], battle.units[group.foe]):
        return False
    return group.who not in battle.models or battle.models[group.who].alive


def _able(battle: Battle, group: Group, clash: Clash) -> int:
    """wfb3:7.11-casualties

    Those killed before their turn to strike do not strike; nobody steps up in the same round.
    """
    if group.who in battle.models:
        return group.fighters
    return max(0, group.fighters - clash.absent(group.unit, group.foe))


def _ordered(battle: Battle, now: list[Group], score: Score) -> Script[list[list[Group]]]:
    """wfb3:7.7-ties  At equal initiative units that charged or won go first, where only one side has such; the others
    of both sides roll, or strike together.
    """
    brawls = {battle.units[g.unit].seat == battle.units[g.foe].seat for g in now}
    if len(brawls) > 1:
        return [[g] for g in now]
    seats = list(dict.fromkeys(g.unit for g in now))
    camps = results.sides(battle, [battle.units[u] for u in dict.fromkeys(u for g in now for u in (g.unit, g.foe))])
    sides: dict[str, list[Group]] = {}
    for group in now:
        camp = next(units for units in camps if group.unit in [u.id for u in units])
        sides.setdefault(camp[0].id if True in brawls else camp[0].seat, []).append(group)
    if len(sides) < 2:
        return [now]
    battle.cite("wfb3:7.7-ties")
    ahead = {seat: [g for g in held if _precedes(battle, battle.units[g.unit], score)] for seat, held in sides.items()}
    first: list[Group] = []
    if sum(map(bool, ahead.values())) == 1:
        first = [g for held in ahead.values() for g in held]
        now = [g for g in now if g not in first]
        sides = {seat: [g for g in held if g not in first] for seat, held in sides.items()}
        if not all(sides.values()):
            return [first, now]
    if battle.house["ties"] == "together":
        return [first, now] if first else [now]
    order = yield from dice.roll_off(battle, tuple(sides), "initiative.tie", "wfb3:7.7-ties", tuple(seats))
    return [*([first] if first else []), *(sides[seat] for seat in order)]


def _precedes(battle: Battle, unit: Unit, score: Score) -> bool:
    """wfb3:7.7-ties  Whether a unit strikes first at equal initiative.

    Ruling: who has lost the bonuses of his charge has charged all the same.
    """
    return unit.charge.charged == battle.clock or results.won_before(battle, unit, score)


def _strike(battle: Battle, group: Group, able: int) -> Script[int]:
    """wfb3:11.2.2-choice, wfb3:12.1-attacks-against
    The blows of a group, shared among the enemies it may choose from."""
    unit, foe = battle.units[group.unit], battle.units[group.foe]
    attacks = able * group.attacks
    model = battle.models.get(group.who)
    if model is not None and model.fight.duel:
        rivals = [m for m in battle.members(foe) if m.fight.duel == model.id]
        if len(rivals) > 1:
            return (yield from challenges.against_many(battle, group, attacks, rivals))
        rival = rivals[0] if rivals else battle.models[model.fight.duel]
        if not rival.alive:
            return 0
        return (yield from striking.strike(battle, group._replace(foe=rival.unit), attacks, rival))
    if model is not None and model.fight.shoots:
        return (yield from monsters.shoot_down(battle, group))
    if foe.kind == "monster":
        return (yield from monsters.struck(battle, group, attacks))
    if foe.kind == "chariot":
        return (yield from chariots.struck(battle, group, attacks))
    if group.who == "gang":
        giant = battle.models[unit.combat.gang[0]]
        return (yield from striking.strike(battle, group, attacks, giant)) if giant.alive else 0
    total = 0
    for victim, number in (yield from picking.shared(battle, group, attacks)):
        if victim is None or victim.alive:
            total += yield from striking.strike(battle, group, number, victim)
    return total
