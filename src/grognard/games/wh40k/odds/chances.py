"""wh40k:7.1-sequence  The steps of an attack weighed, each situation once: what an attack and a wound come to."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from grognard.games.wh40k.army import amounts
from grognard.games.wh40k.army.amounts import Amount
from grognard.games.wh40k.army.profiles import Profile, Weapon
from grognard.games.wh40k.odds.policy import chooser
from grognard.games.wh40k.rolls import rerolls, steps
from grognard.games.wh40k.rolls.rerolls import Roller
from grognard.games.wh40k.rolls.steps import Attack, Save
from grognard.kernel.odds.sums import sum_of
from grognard.kernel.odds.weigh import Distribution, Weigher, bind
from grognard.kernel.questions import Script
from grognard.kernel.words.tally import Tally

T = TypeVar("T", bound=Hashable)
#: How many weighed situations are remembered before all are forgotten.
MEMORY = 4096
HAZARD = "wh40k:8.14.1-hazardous"
TARGET = Roller("blue")
ATTACKER = Roller("red")
#: How a model saves against an attack, by weight: several ways where the AP or the Save is rolled.
Ways = tuple[tuple[int, Save], ...]


class Told(NamedTuple):
    """A weighed step, and the rules that had their say in it."""

    found: Distribution[Any]
    rules: tuple[str, ...]


_known: dict[Hashable, Told] = {}


def forget() -> None:
    """Forget everything weighed so far, as at the beginning."""
    _known.clear()


def _weighed(key: Hashable, step: Callable[[], Script[Any]], fish: bool = False, command: bool = False) -> Told:
    """The distribution of a step; what is the same in the same situation is weighed once."""
    told = _known.get(key)
    if told is None:
        if len(_known) >= MEMORY:
            _known.clear()
        weigher = Weigher(chooser(fish, command))
        found = weigher.run(step)
        more = [rule for outcome in found.weights for rule in getattr(outcome, "rules", ())]
        told = _known[key] = Told(found, tuple(dict.fromkeys((*weigher.touched, *more))))
    return told


def _tally(tally: Tally) -> Hashable:
    return tally.value, tally.rules


def _hit_key(a: Attack) -> Hashable:
    return _tally(a.skill), _tally(a.hit), a.torrent, a.only_sixes, a.lethal, a.sustained, a.who.free, a.who.free_rule


def _wound_key(a: Attack) -> Hashable:
    need = _tally(a.need) if a.strength is None else (a.strength, a.toughness, a.tough)
    return need, _tally(a.wound), a.critical_wound, a.critical_rule, a.twin, a.twin_free


def _by(a: Attack, command: bool) -> Attack:
    """The attack by somebody with Command Re-roll, or without."""
    return replace(a, who=replace(a.who, command=command))


def hits(a: Attack, fish: bool, command: bool = False) -> Told:
    """wh40k:7.2.1-roll  What one attack's Hit roll comes to."""
    key = ("hits", _hit_key(a), fish, command)
    return _weighed(key, lambda: steps.hits(_by(a, command), 1), fish, command)


def wounds(a: Attack, count: int, devastating: bool, fish: bool, command: bool = False) -> Told:
    """wh40k:7.3.1-table  What the Wound rolls of so many hits come to."""
    key = ("wounds", _wound_key(a), count, devastating, fish, command)
    if a.strength is not None and count > 1:
        return _each(wounds(a, 1, devastating, fish), count)
    return _weighed(key, lambda: steps.wounds(_by(a, command), count, fishing=devastating), fish, command)


def _each(one: Told, count: int) -> Told:
    """wh40k:11.4.3-random-other  Hits that each have a Strength of their own, added up."""
    found = Distribution.certain(steps.Wounds(0))
    for _ in range(count):
        found = bind(
            found,
            lambda had: one.found.map(lambda got: steps.Wounds(had.wounds + got.wounds, had.critical + got.critical)),
        ).reduced()
    return Told(found, one.rules)


def pierced(weapon: Weapon) -> list[tuple[int, Weapon]]:
    """wh40k:11.4.3-random-other  A weapon with each AP it may have, by how often it has it."""
    if weapon.pierce is None:
        return [(1, weapon)]
    found = amount(weapon.pierce, "ap").found.weights
    return [(weight, replace(weapon, ap=-number, pierce=None)) for number, weight in found.items()]


def armoured(profile: Profile) -> list[tuple[int, int]]:
    """wh40k:11.4.3-random-other  Each Save a model may have, by how often it has it."""
    dice = profile.rolled("Sv")
    if dice is None:
        return [(1, profile.Sv)]
    return [(weight, number) for number, weight in amount(dice, "sv").found.weights.items()]


def amount(value: Amount, name: str) -> Told:
    """wh40k:11.4.3-random-other  A random number of attacks, or of mortal wounds."""
    told = _weighed(("amount", value, name), lambda: rerolls.total(ATTACKER, name, value, rerolls.RANDOM))
    timing = () if value.fixed else ("wh40k:23.40-random-timing",)
    return Told(told.found.map(lambda both: both[0]), (*told.rules, *amounts.rules(value), *timing))


def one_attack(a: Attack, devastating: bool, fish: bool) -> Told:
    """wh40k:7.1-sequence, wh40k:8.7-lethal-hits, wh40k:8.15-devastating
    Of one attack: the wounds that go on to be saved, and the Critical Wounds.

    Devastating ones do not go on (wh40k:8.15-devastating).
    """
    hit = hits(a, fish)
    rules = dict.fromkeys(hit.rules)

    def goes_on(landed: steps.Hits) -> Distribution[tuple[int, int]]:
        told = wounds(a, landed.hits, devastating, fish)
        rules.update(dict.fromkeys(told.rules))
        if devastating:
            return told.found.map(lambda w: (landed.wounds + w.wounds, w.critical))
        return told.found.map(lambda w: (landed.wounds + w.wounds + w.critical, w.critical))

    found = bind(hit.found, goes_on).reduced()
    return Told(found, tuple(rules))


def hurt(points: int, pain: int) -> Told:
    """wh40k:7.9.1-fnp, wh40k:7.13-damage-fnp  How many of so many wounds are lost: a die for each, all alike."""
    one = _weighed(("pain", pain), lambda: steps.feel_no_pain(TARGET, 1, pain))
    return one if points == 1 else Told(sum_of(Distribution.certain(points), one.found), one.rules)


def harm(value: Amount) -> Told:
    """wh40k:7.7.1-damage  The damage of an attack."""
    told = _weighed(("damage", value), lambda: steps.damage(ATTACKER, value))
    return Told(told.found.map(lambda both: both[0]), told.rules)


def saved(by: Save, free: str, command: bool = False) -> Told:
    """wh40k:7.5.1-armour, wh40k:7.6.2-no-ap  Whether an attack is saved, and whether Command Re-roll was used."""
    who = Roller("blue", (), free, "wh40k:1.13.3-before-mods" if free else "", command)
    key = ("save", by.kind, _tally(by.need), _tally(by.plus), free, command)
    told = _weighed(key, lambda: steps.save(who, by), False, command)
    return Told(told.found, (*told.rules, "wh40k:7.5.2-one"))


def kept(by: Ways, free: str, command: bool = False) -> Told:
    """Whether an attack is saved, whichever of these ways it comes to."""
    if len(by) == 1:
        return saved(by[0][1], free, command)
    told = [saved(way, free, command) for _, way in by]
    found = bind(
        Distribution({number: weight for number, (weight, _) in enumerate(by)}, sum(weight for weight, _ in by)),
        lambda number: told[number].found,
    )
    return Told(found, tuple(dict.fromkeys(rule for one in told for rule in one.rules)))


def hazard() -> Told:
    """wh40k:8.14.1-hazardous  Whether one Hazardous test is passed."""
    told = _weighed(("hazard",), lambda: steps.hazardous(ATTACKER, 1))
    return Told(told.found.map(lambda rolled: rolled.faces[0] > 1), told.rules)


def grenades() -> float:
    """wh40k:13.2.5-grenade  The mortal wounds grenades cause on average."""
    return float(_weighed(("grenades",), lambda: steps.grenades(ATTACKER)).found.expect(lambda wounds: wounds))


def lost(by: Ways, free: str, value: Amount, pain: int, command: bool = False) -> Told:
    """wh40k:7.5.1-armour, wh40k:7.7.1-damage, wh40k:7.13-damage-fnp  The wounds one wounding attack would cost a model.

    With Command Re-roll: and whether it was used.
    """
    ways = tuple((weight, way.kind, _tally(way.need), _tally(way.plus)) for weight, way in by)
    key = ("lost", ways, free, value, pain, command)
    told = _known.get(key)
    if told is None:
        save, damage = kept(by, free, command), harm(value)
        pains = {points: hurt(points, pain) for points in damage.found.weights}
        unsaved = bind(damage.found, lambda points: pains[points].found)

        def then(outcome: tuple[bool, bool]) -> Distribution[Any]:
            found = Distribution.certain(0) if outcome[0] else unsaved
            return found.map(lambda points: (points, outcome[1])) if command else found

        rules = (*save.rules, "wh40k:7.7.1-damage", *damage.rules, *(r for one in pains.values() for r in one.rules))
        rules = (*rules, *amounts.rules(value), *(["wh40k:7.13-damage-fnp"] if pain < 7 else []))
        rules = rules if value.fixed else (*rules, "wh40k:7.11.3-random-damage", "wh40k:23.40-random-timing")
        told = _known[key] = Told(bind(save.found, then).reduced(), tuple(dict.fromkeys(rules)))
    return told
