"""What the table can tell before a choice is made: the odds of a shot, of a formula and its counter, of a combat.

What is only decided on the way (points, Resolution, luck, master strikes, sequences, counter-attacks, feints) is left
out; whoever may roll again does.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import msgspec

from grognard.games.ades.army.profiles import Power
from grognard.games.ades.assault import contact
from grognard.games.ades.battle import NEUTRAL, Battle
from grognard.games.ades.combat import combat_dice
from grognard.games.ades.forces import Combat, Fighter, Thing
from grognard.games.ades.losses import damage
from grognard.games.ades.losses.damage import Source
from grognard.games.ades.mystics import casting
from grognard.games.ades.odds import fights as odds_fights
from grognard.games.ades.odds.steps import chooser
from grognard.games.ades.rolls import stats, steps, tests
from grognard.games.ades.rolls.steps import Hit, Test
from grognard.games.ades.shooting import battering, shot_numbers, stray_shots
from grognard.games.ades.shooting.shot_numbers import Gun
from grognard.games.ades.table import sight
from grognard.kernel.odds.odds import Odds, OddsStep
from grognard.kernel.odds.weigh import Distribution, Weigher, bind
from grognard.kernel.questions import Note
from grognard.kernel.words.tally import Tally

MISSED, OTHER = "missed", "hits another"
HARM = "ades:4.3.4.2.3"


def _passes(test: Test, seat: str) -> Distribution[bool]:
    """Whether a test is passed, without what could be used up."""
    plain = msgspec.structs.replace(test, again=tuple(source for source in test.again if source != "luck"))
    return Weigher(chooser(striker=seat)).run(lambda: steps.attempt(plain)).map(lambda done: done.passed)


def _coin(chance: Fraction) -> Distribution[bool]:
    """Something that happens so often."""
    no = chance.denominator - chance.numerator
    both = {True: chance.numerator, False: no}
    return Distribution({what: weight for what, weight in both.items() if weight}, chance.denominator)


def _harm(hit: Hit, seat: str) -> Distribution[int]:
    return Weigher(chooser(hit, seat)).run(lambda: steps.damage(hit)).map(lambda done: done.lost)


# ---------------------------------------------------------------------- shots


def shot(battle: Battle, gun: Gun, target: Fighter | Thing) -> Odds:
    """ades:4.2.5.2-procedure, ades:4.2.5.4  The test to hit, whom a shot into a melee strikes, and what it takes."""
    shooter, seat = gun.shooter, gun.shooter.seat
    force = shot_numbers.strength(gun, gun.weapon.force)
    how = Source(shot=True, attack=True, aimed=gun.aim == "FOR")
    off = Fraction(0)
    if isinstance(target, Thing):
        test = battering.to_hit(battle, gun, target)
    else:
        test = shot_numbers.to_hit(battle, gun, target, sight.view(battle, shooter, target, shooting=True))
        if target.stance.dodging:
            how = msgspec.structs.replace(how, shifts=((-1, "dodge", "ades:4.2.4.1-dodge"),))
        off = _astray(battle, gun, target)
    hits = _passes(test, seat)
    blow = damage.prepare(battle, target, force, how, shot_numbers.SHOT, shooter)
    hurt: Distribution[str] = _harm(blow, seat).map(lambda lost: f"lost {lost}")
    struck: Distribution[str] = bind(_coin(off), lambda away: Distribution.certain(OTHER) if away else hurt)
    spread: Distribution[str] = bind(hits, lambda hit: struck if hit else Distribution.certain(MISSED))
    why = [OddsStep("the shot hits", hits.chance(bool), shot_numbers.SHOT)]
    if off:
        why.append(OddsStep("another is hit", off, stray_shots.INTO))
    return Odds.of("shot", spread, touched=battle.cited, steps=why)


def _astray(battle: Battle, gun: Gun, target: Fighter) -> Fraction:
    """ades:4.2.5.4  How likely a shot that hits strikes whoever stands nearest in the target's melee."""
    near = stray_shots.beside(battle, gun, target)
    if not near:
        return Fraction(0)
    plus = stray_shots.sway(battle, gun, target, near[0]).value
    return Fraction(sum(face + plus < stray_shots.STRIKES_TARGET for face in range(1, 7)), 6)


# ---------------------------------------------------------------------- formulas


def formula(battle: Battle, mystic: Fighter, level: int, target: Fighter | None) -> Odds:
    """ades:8.4-level, ades:8.7-melee, ades:7.6  MYS against the level with one die, nobody countering."""
    shifts = casting.columns(battle, mystic, target) if target is not None else ()
    foe = target if target is not None and target.seat != mystic.seat else None
    value = stats.stat(battle, mystic, "MYS")
    test = tests.make(battle, "cast", "ades:8.4-level", mystic, "MYS", value, level, foe=foe, shifts=shifts)
    return _told(battle, "formula", test, mystic, ("cast", "failed"))


def level_of(mystic: Fighter, power: Power) -> int:
    """ades:8.4-level-x  The level of a formula, of one of level X the highest it may be recited at."""
    return power.level or next((level for name, level in mystic.formulas if name == power.name), 1)


def counter(battle: Battle, who: Fighter, caster: Fighter) -> Odds:
    """ades:8.6-test  MYS against the caster's with one die."""
    mine, theirs = stats.stat(battle, who, "MYS"), stats.stat(battle, caster, "MYS")
    test = tests.make(battle, "counter", "ades:8.6-test", who, "MYS", mine, theirs, foe=caster)
    return _told(battle, "counter", test, who, ("countered", "failed"))


def _told(battle: Battle, name: str, test: Test, who: Fighter, words: tuple[str, str]) -> Odds:
    spread = _passes(test, who.seat).map(lambda done: words[0] if done else words[1])
    return Odds.of(name, spread, touched=battle.cited)


# ---------------------------------------------------------------------- combats


class Threat(NamedTuple):
    """Attacks of one kind on a fighter: how many, how often each strikes and is parried, and what it takes."""

    many: int
    strikes: Fraction
    parried: Fraction
    harm: Distribution[int]


class Arms(NamedTuple):
    """A fighter in a combat: its adversaries, its dice, how many must attack, and its back blades."""

    fighter: Fighter
    foes: list[Fighter]
    dice: int
    least: int
    blades: tuple[int, int]


def combat(battle: Battle, fight: Combat) -> Odds:
    """ades:4.3.4-steps  What both sides of a combat lose.

    Of two, the slower shares its dice as is best and the quicker answers; among more everybody puts half of them,
    rounded up, into attack.
    """
    one = battle.fighters[fight.one]
    foes = [battle.fighters[key] for key in fight.foes]
    mine = _arms(battle, one, foes)
    theirs = [_arms(battle, foe, [one]) for foe in foes]
    if len(foes) == 1:
        return _duel(battle, mine, theirs[0])
    lost: Distribution[int] = Distribution.certain(0)
    coming: list[Threat] = []
    for number, (arms, share) in enumerate(zip(theirs, _shares(_half(mine), foes), strict=True)):
        against = mine if not number else mine._replace(blades=(0, 0))
        taken = _suffered(_laid(_threats(battle, against, arms), share), arms.dice - _half(arms), arms.fighter.pv)
        lost = _added(lost, taken)
        coming += _laid(_threats(battle, arms, mine), _half(arms))
    own = _suffered(coming, mine.dice - _half(mine), one.pv)
    total = sum(foe.pv for foe in foes)
    return Odds.of(
        "fight", bind(own, lambda a: lost.map(lambda b: (a, b))),
        parts={"first loses": lambda o: o[0], "others lose": lambda o: o[1]},
        tests={"the first falls": lambda o: o[0] >= one.pv, "all others fall": lambda o: o[1] >= total},
        touched=battle.cited,
    ).between({"first loses": one.id, "others lose": [foe.id for foe in foes]})  # fmt: skip


def assault(battle: Battle, group: Sequence[Fighter], target: Fighter, kind: str) -> Odds:
    """ades:4.2.4.2-charge-malus, ades:4.3.4-steps  The combat an assault leads to, where nobody else comes to it."""
    contact.foreseen(battle, list(group), target, kind)
    own = tuple(fighter.id for fighter in group)
    fight = Combat(own[0], (target.id,)) if len(own) == 1 else Combat(target.id, own)
    return combat(battle, fight).assuming(Note("note.assumed.assault", {}, "ades:4.3.4-steps"))


def _arms(battle: Battle, fighter: Fighter, foes: list[Fighter]) -> Arms:
    """ades:4.3.4-dice, ades:9.2.3-dice  A neutral puts all its dice into attack."""
    dice = int(combat_dice.pool(battle, fighter, len(foes)).value)
    least = dice if fighter.seat == NEUTRAL else combat_dice.least(battle, fighter, dice)[0]
    return Arms(fighter, foes, dice, least, combat_dice.blades(battle, fighter))


def _half(arms: Arms) -> int:
    return max(arms.least, (arms.dice + 1) // 2)


def _shares(attack: int, foes: Sequence[Fighter]) -> list[int]:
    """ades:4.3.4-spread  Attacks as evenly as they go, the odd ones on those with the fewest life points."""
    each, over = divmod(attack, len(foes))
    weakest = sorted(foes, key=lambda foe: foe.pv)[:over]
    return [each + (foe in weakest) for foe in foes]


def _threats(battle: Battle, arms: Arms, other: Arms) -> list[Threat]:
    """ades:4.3.4.2.1, ades:4.3.4.2.2-test, ades:4.3.4.2.3
    A fighter's attacks on another, so far none, and its back blades."""
    who, foe = arms.fighter, other.fighter
    att, defence = stats.stat(battle, who, "ATT", foes=arms.foes), stats.stat(battle, foe, "DEF", foes=other.foes)
    strike = tests.make(battle, "attack", "ades:4.3.4.2.1", who, "ATT", att, defence, foe=foe)
    parry = tests.make(battle, "defence", "ades:4.3.4.2.2-test", foe, "DEF", defence, att, foe=who)
    res, own = stats.stat(battle, foe, "RES", foes=other.foes), stats.stat(battle, who, "FOR", foes=arms.foes)
    how = Source(melee=True, attack=True, res=res)
    count, force = arms.blades
    chances = _passes(strike, who.seat).chance(bool), _passes(parry, foe.seat).chance(bool)
    found = [Threat(0, *chances, _harm(damage.prepare(battle, foe, own, how, HARM, who), who.seat))]
    if count:
        sharp = Tally(force, "back blades", "ades:13.1-lames-dorsales")
        found.append(Threat(count, *chances, _harm(damage.prepare(battle, foe, sharp, how, HARM, who), who.seat)))
    return found


def _laid(threats: Sequence[Threat], attack: int) -> list[Threat]:
    """The same with so many dice in attack."""
    return [threats[0]._replace(many=attack), *threats[1:]]


def _suffered(threats: Sequence[Threat], guard: int, pv: int) -> Distribution[int]:
    """ades:4.3.4.2.2-assign  What a fighter loses; its defence dice go against the heaviest blows that struck."""
    course: Distribution[tuple[int, int]] = Distribution.certain((guard, 0))
    for threat in sorted(threats, key=lambda t: -t.harm.expect(int)):
        course = bind(course, partial(_borne, threat, _many(threat.many, threat.strikes), pv))
    return course.map(lambda state: state[1])


def _borne(threat: Threat, struck: Distribution[int], pv: int, state: tuple[int, int]) -> Distribution[tuple[int, int]]:
    """From dice left in defence and life points lost so far to what they are after one kind of attack."""
    left, lost = state
    after = bind(struck, lambda good: _through(threat, good, min(good, left)).map(lambda more: (good, more)))
    return after.map(lambda o: (left - min(o[0], left), min(pv, lost + o[1])))


def _through(threat: Threat, good: int, guard: int) -> Distribution[int]:
    """What so many blows take that struck, against so many dice in defence."""
    return bind(_many(guard, threat.parried), lambda stopped: _sum(threat.harm, good - stopped))


def _many(count: int, chance: Fraction) -> Distribution[int]:
    """How many of so many tests are passed."""
    return _sum(_coin(chance).map(int), count)


def _sum(once: Distribution[int], count: int) -> Distribution[int]:
    total: Distribution[int] = Distribution.certain(0)
    for _ in range(count):
        total = _added(total, once)
    return total


def _added(one: Distribution[int], two: Distribution[int]) -> Distribution[int]:
    return bind(one, lambda a: two.map(lambda b: a + b))


def _duel(battle: Battle, mine: Arms, theirs: Arms) -> Odds:
    """ades:4.3.4.1  Two fighters, for every way of sharing the dice."""
    one, two = mine.fighter, theirs.fighter
    quick = [stats.stat(battle, arms.fighter, "INI", foes=arms.foes).value for arms in (mine, theirs)]
    slow, fast = (theirs, mine) if quick[1] < quick[0] else (mine, theirs)
    on_slow, on_fast = _threats(battle, fast, slow), _threats(battle, slow, fast)

    def outcome(first: int, second: int) -> Distribution[tuple[int, int]]:
        lost = _suffered(_laid(on_slow, second), slow.dice - first, slow.fighter.pv)
        taken = _suffered(_laid(on_fast, first), fast.dice - second, fast.fighter.pv)
        return bind(lost, lambda a: taken.map(lambda b: (a, b)))

    rows, columns = range(slow.least, slow.dice + 1), range(fast.least, fast.dice + 1)
    values = {
        (a, b): odds_fights.balance(slow.fighter.pv, fast.fighter.pv, outcome(a, b)) for a in rows for b in columns
    }
    first = max(rows, key=lambda a: min(values[a, b] for b in columns))
    second = min(columns, key=lambda b: values[first, b])
    spread = outcome(first, second)
    if slow is theirs:
        spread = spread.map(lambda o: (o[1], o[0]))
    attack = {slow.fighter.id: first, fast.fighter.id: second}
    return Odds.of(
        "fight", spread, parts={"first loses": lambda o: o[0], "second loses": lambda o: o[1]},
        tests={"the first falls": lambda o: o[0] >= one.pv, "the second falls": lambda o: o[1] >= two.pv},
        touched=battle.cited, arguments={"first_attack": attack[one.id], "second_attack": attack[two.id]},
    ).between({"first loses": one.id, "second loses": two.id})  # fmt: skip
