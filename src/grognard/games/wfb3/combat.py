"""wfb3:7.6, B.4  The combat phase: every fight one round, then panic, then flight and pursuit."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3 import (
    air_combat,
    air_rounds,
    altars,
    amok,
    animosity,
    arms,
    assassins,
    battering,
    casualties,
    challenges,
    chariot_damage,
    chariots,
    contacts,
    fire_missiles,
    fires,
    free_blows,
    frenzy,
    great_standards,
    heels,
    monsters,
    orders,
    overlap,
    packs,
    panic,
    pistols,
    press,
    pursuit,
    pushing,
    results,
    rooms,
    separate,
    sharing,
    striking,
    stupidity,
    taking,
    wedge,
    weres,
)
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.clash import Clash, Reach
from grognard.games.wfb3.forces import PRESENT, Model, Unit
from grognard.games.wfb3.needs import Group
from grognard.games.wfb3.results import Score
from grognard.kernel.apart import until
from grognard.kernel.questions import Option, Pick, Roll, Script, Split


def _option(battle: Battle, units: list[Unit]) -> Option:
    """A combat by all who fight in it, the active player's first."""
    ours, theirs = ([u.id for u in units if (u.seat == battle.active) is own] for own in (True, False))
    return Option(units[0].id, units, "option.combat", tuple(u.id for u in units), {"a": ours, "b": theirs})


def phase(battle: Battle) -> Script[None]:
    """wfb3:4-phases, 7.6-order  Both sides fight: all combats, then panic tests, then routers move."""
    if battle.stage == 0:
        animosity.break_off(battle)
        press.parted(battle)
        yield from heels.locked_hits(battle)
        yield from air_rounds.fight_all(battle)
        battle.stage = 1
    while battle.stage == 1:
        yield from weres.in_fights(battle)
        yield from assassins.strikes(battle)
        fights = waiting(battle)
        if not fights:
            battle.stage = 2
            break
        options = [_option(battle, units) for units in fights]
        fight = yield Pick(battle.active, "combat.next", options, rule="wfb3:7.6-order", checkpoint=True)
        battle.combats = (*battle.combats, *(u.id for u in fight))
        yield from fight_round(battle, fight)
    yield from aftermath(battle)
    if battle.stage == 2:
        yield from casualties.close_ranks(battle)
        yield from taking.end_of_combat(battle)
        battle.stage = 3
    if battle.stage == 3:
        yield from battering.end_of_combat(battle)
        battle.stage = 4
    if battle.stage == 4:
        yield from fires.arson(battle)
        battle.stage = 5
    yield from chariot_damage.after_combat(battle)
    yield from amok.after_combat(battle)
    yield from great_standards.settle(battle)
    yield from altars.unguarded(battle)
    press.parted(battle)
    pushing.step_off(battle)
    frenzy.cool_down(battle)
    orders.after_combat(battle)
    battle.combats = ()


def waiting(battle: Battle) -> list[list[Unit]]:
    """Fights not yet fought this phase, each as its units."""
    found: list[list[Unit]] = []
    seen: set[str] = set(battle.combats)
    for unit in [*battle.here(), *rooms.inside(battle)]:
        if unit.id in seen or not battle.engaged(unit):
            continue
        units = contacts.together(battle, unit)
        seen.update(u.id for u in units)
        found.append(units)
    return found


def aftermath(battle: Battle) -> Script[None]:
    """wfb3:10.7.5, 8.5-pursue  Panic of friends near routs, then every rout is run and pursued."""
    while battle.queue:
        told: set[str] = set()
        while fresh := [u for u, _ in battle.queue if u not in told]:
            for key in fresh:
                told.add(key)
                if battle.units[key].where == "table":
                    yield from panic.friends_routed(battle, battle.units[key])
        queue, battle.queue = battle.queue, ()
        for key, winners in queue:
            unit = battle.units[key]
            if unit.where == "table":
                yield from pursuit.flight_and_pursuit(battle, unit, winners)
    contacts.close_up(battle)
    overlap.tidy(battle)


def fight_round(battle: Battle, fight: Sequence[Unit]) -> Script[None]:
    """wfb3:7.6-sequence  Challenges, blows in order of initiative, the result."""
    clash = yield from opening(battle, fight)
    while clash.going:
        yield from exchange(battle, clash)
    yield from ending(battle, clash)


def opening(battle: Battle, fight: Sequence[Unit]) -> Script[Clash]:
    """wfb3:7.6-sequence  Everything before the blows; fights of spearheads are over with it."""
    units = [u for u in fight if u.where in PRESENT]
    for unit in units:
        yield from packs.before_round(battle, unit)
    score = Score(units)
    done = Clash(units, score, ())
    done.over = True
    if any(u.where == "building" for u in units):
        return (yield from press.opening(battle, units))
    yield from challenges.issue(battle, units)
    for unit in units:
        yield from arms.choose(battle, unit)
        yield from pistols.choose(battle, unit)
        yield from stupidity.before_blows(battle, unit)
        yield from monsters.choose_shots(battle, unit)
    results.note_ranks(battle, units, score)
    if (spear := wedge.ready(battle, units)) is not None:
        yield from wedge.fight(battle, *spear, score)
        return done
    for key, wounds in (yield from chariots.impact(battle, units)).items():
        score.wounds[key] += wounds
    return gathered(battle, units, score)


def ending(battle: Battle, clash: Clash) -> Script[None]:
    """wfb3:7.12, 7.13  Everything after the blows: the result and what comes of it."""
    if clash.over:
        return
    units, score = [battle.units[key] for key in clash.units], clash.score
    if clash.inside:
        yield from press.ending(battle, units, clash)
        return
    yield from fire_missiles.after_blows(battle, units, score.wounds)
    yield from challenges.cornered(battle, units, score)
    yield from chariot_damage.in_fight(battle, units, score)
    casualties.note_gaps(battle, clash.before)
    contacts.close_up(battle)
    overlap.tidy(battle)
    yield from separate.conclude(battle, units, score)
    challenges.clear(battle, units)
    pistols.spent(battle, units)


def blows(battle: Battle, units: Sequence[Unit], score: Score, chosen: Sequence[Group] | None = None) -> Script[None]:
    """wfb3:7.7-initiative, 7.7-ties  Strictly by initiative; at ties chargers and winners first, else by a roll."""
    clash = gathered(battle, units, score, chosen)
    while clash.going:
        yield from exchange(battle, clash)


def gathered(battle: Battle, units: Sequence[Unit], score: Score, chosen: Sequence[Group] | None = None) -> Clash:
    """wfb3:7.6-sequence  Everybody who will strike this round, before anybody has."""
    battle.cite("wfb3:7.6-sequence", "wfb3:7.7-initiative")
    for unit in units:
        free_blows.note_round(battle, unit)
    every = [g for unit in units for g in striking.groups(battle, unit)] if chosen is None else chosen
    return Clash(units, score, every, {unit.id: made for unit in units if len(made := _reach(battle, unit)) > 1})


def _reach(battle: Battle, unit: Unit) -> Reach:
    """wfb3:7.5-front, 21.4.1-overfly, 22.1.5-multi  Those of a unit whom each of its enemies reaches."""
    flying = [foe for foe in air_combat.foes(battle, unit) if foe.where == "table"] if battle.air else []
    if flying:
        return {foe.id: frozenset(air_combat.able(battle, unit, foe)) for foe in flying}
    order = [foe for foe, _, _ in sorted(battle.foes(unit), key=lambda f: f[1].value)]
    if len(order) < 2:
        return {}
    if unit.where == "building":
        return {foe.id: frozenset(press.shared(battle, unit, foe)) for foe, _, _ in battle.foes(unit)}
    touches = [t for t in contacts.of_unit(battle, unit) if t.number < len(unit.models)]
    return {foe.id: frozenset(unit.models[t.number] for t in touches if t.foe == foe.id) for foe in order}


def exchange(battle: Battle, clash: Clash) -> Script[None]:
    """wfb3:7.7-initiative  The next group strikes; who falls to those who strike at once still strikes."""
    if not clash.now:
        if not clash.batches:
            top = max(g.initiative for g in clash.waiting)
            now = [g for g in clash.waiting if g.initiative == top]
            clash.waiting = tuple(g for g in clash.waiting if g.initiative != top)
            clash.batches = tuple(tuple(batch) for batch in (yield from _ordered(battle, now)))
        batch, *rest = clash.batches
        clash.batches = tuple(rest)
        clash.now = tuple((g, _able(battle, g, clash)) for g in batch)
    (group, able), *others = clash.now
    clash.now = tuple(others)
    if _can(battle, group):
        for part, number in (yield from sharing.spread(battle, group, able)):
            yield from _blow(battle, part, number, clash.score, clash.lost)
    if not clash.now:
        for pair, dead in clash.lost.items():
            clash.fallen[pair] = clash.fallen.get(pair, 0) + dead
        clash.lost = {}


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
    return sum(not m.duel for m in battle.ordinary(unit))


def _can(battle: Battle, group: Group) -> bool:
    if battle.units[group.unit].where not in PRESENT or battle.units[group.foe].where not in PRESENT:
        return False
    if air_combat.parted(battle, battle.units[group.unit], battle.units[group.foe]):
        return False
    return group.who not in battle.models or battle.models[group.who].alive


def _able(battle: Battle, group: Group, clash: Clash) -> int:
    """wfb3:7.11-casualties

    Those killed before their turn to strike do not strike; nobody steps up in the same round.
    """
    if group.who in battle.models:
        return group.fighters
    return max(0, group.fighters - clash.absent(group.unit, group.foe))


def _ordered(battle: Battle, now: list[Group]) -> Script[list[list[Group]]]:
    """wfb3:7.7-ties  At equal initiative units that charged or won go first, where only one side has such; the others
    of both sides roll, or strike together.
    """
    seats = list(dict.fromkeys(g.unit for g in now))
    sides: dict[str, list[Group]] = {}
    for group in now:
        if battle.units[group.unit].seat == battle.units[group.foe].seat:
            return [[g] for g in now]
        sides.setdefault(battle.units[group.unit].seat, []).append(group)
    if len(sides) < 2:
        return [now]
    battle.cite("wfb3:7.7-ties")
    ahead = {seat: [g for g in held if _precedes(battle, battle.units[g.unit])] for seat, held in sides.items()}
    first: list[Group] = []
    if sum(map(bool, ahead.values())) == 1:
        first = [g for held in ahead.values() for g in held]
        now = [g for g in now if g not in first]
        sides = {seat: [g for g in held if g not in first] for seat, held in sides.items()}
        if not all(sides.values()):
            return [first, now]
    if battle.house["ties"] == "together":
        return [first, now] if first else [now]
    order = yield from roll_off(battle, tuple(sides), "initiative.tie", "wfb3:7.7-ties", tuple(seats))
    return [*([first] if first else []), *(sides[seat] for seat in order)]


def _precedes(battle: Battle, unit: Unit) -> bool:
    """wfb3:7.7-ties  Whether a unit strikes first at equal initiative.

    Ruling: who has lost the bonuses of his charge has charged all the same.
    """
    return unit.charged == battle.clock or unit.won == battle.clock - 1


def roll_off(
    battle: Battle, seats: tuple[str, ...], name: str, rule: str, about: tuple[str, ...] = ()
) -> Script[list[str]]:
    """Both roll until one is higher; the higher first."""

    def once() -> Script[tuple[str, ...] | None]:
        found = {}
        for seat in seats:
            (found[seat],) = yield Roll(seat, name, 6, rule=rule, about=about)
        return tuple(sorted(seats, key=lambda seat: -found[seat])) if len(set(found.values())) == len(seats) else None

    return list((yield from until(("roll-off", name, seats), once)))


def _strike(battle: Battle, group: Group, able: int) -> Script[int]:
    """wfb3:11.2.2-choice, 12.1-attacks-against  The blows of a group, shared among the enemies it may choose from."""
    unit, foe = battle.units[group.unit], battle.units[group.foe]
    attacks = able * group.attacks
    model = battle.models.get(group.who)
    if model is not None and model.duel:
        rivals = [m for m in battle.members(foe) if m.duel == model.id]
        if len(rivals) > 1:
            return (yield from challenges.against_many(battle, group, attacks, rivals))
        rival = rivals[0] if rivals else battle.models[model.duel]
        if not rival.alive:
            return 0
        return (yield from striking.strike(battle, group._replace(foe=rival.unit), attacks, rival))
    if model is not None and model.shoots:
        return (yield from monsters.shoot_down(battle, group))
    if foe.kind == "monster":
        return (yield from monsters.struck(battle, group, attacks))
    if foe.kind == "chariot":
        return (yield from chariots.struck(battle, group, attacks))
    if group.who == "gang":
        giant = battle.models[unit.gang[0]]
        return (yield from striking.strike(battle, group, attacks, giant)) if giant.alive else 0
    marks = specials(battle, unit, foe, group)
    if not attacks or not marks or not battle.ordinary(foe):
        return (yield from striking.strike(battle, group, attacks, None))
    limits = {m.id: (0, min(attacks, reach * group.attacks)) for m, reach in marks}
    options = [Option("troops", "troops", "option.aim.troops"), *(Option(m.id, m.id, about=(m.id,)) for m, _ in marks)]
    shares = yield Split(
        unit.seat, "combat.aim", options, attacks, limits=limits, exact=False, filled=True, rule="wfb3:11.2.2-choice",
        about=(unit.id, foe.id), data={"by": group.who},
    )  # fmt: skip
    total = 0
    for key, number in shares.items():
        victim = battle.models.get(key)
        if victim is not None and number:
            battle.cite(
                "wfb3:12.5-recover"
                if victim.trophy and not victim.role
                else "wfb3:11.2.2-melee"
                if victim.role in ("leader", "character")
                else "wfb3:12.1-attacks-against"
            )
        if victim is None or victim.alive:
            total += yield from striking.strike(battle, group, number, victim)
    return total


def hidden_back(model: Model) -> bool:
    """wfb3:14.6.3-step-back  Who cannot be struck: those who stand back from the fight, and altars."""
    return model.role == "altar" or (model.back and model.role == "character")


def specials(battle: Battle, unit: Unit, foe: Unit, group: Group) -> list[tuple[Model, int]]:
    """Leaders, bearers, musicians and characters a group touches, and by how many of it each is touched."""
    if unit.seat == foe.seat or group.blind:
        return []
    if unit.height or foe.height:
        return air_combat.marks(battle, unit, foe)
    if unit.where == "building":
        return press.marks(battle, unit, foe, group)
    touches = [t for t in contacts.of_unit(battle, unit) if t.foe == foe.id and t.number < len(unit.models)]
    if group.who in battle.models:
        touches = [t for t in touches if unit.models[t.number] == group.who]
    found: list[tuple[Model, int]] = []
    for number in sorted({t.foe_number for t in touches}):
        if number >= len(foe.models):
            continue
        model = battle.models[foe.models[number]]
        if (model.role or model.trophy) and not model.duel and not model.refused and not hidden_back(model):
            found.append((model, sum(t.foe_number == number for t in touches)))
    return found
