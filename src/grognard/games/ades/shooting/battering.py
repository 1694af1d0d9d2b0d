"""ades:9.2.6-stats, ades:1.1.14-target  Shots and formulas at scenery with life points: walls, nexus, war weapons."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.ades.army.profiles import Power
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter, Thing
from grognard.games.ades.losses import damage
from grognard.games.ades.losses.damage import Source
from grognard.games.ades.rolls import characteristic_points, stats, steps, tests
from grognard.games.ades.rolls.tests import Shift
from grognard.games.ades.shooting import shot_numbers
from grognard.games.ades.shooting.shot_numbers import Gun
from grognard.games.ades.table import sight
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.questions import Script
from grognard.kernel.words.tally import Tally

RULE = "ades:9.2.6-stats"


def things(battle: Battle, fighter: Fighter) -> list[Thing]:
    """Scenery that can be worn down and is not of one's own side."""
    return [
        t for t in battle.things.values() if t.alive and t.placed and t.start_pv and t.seat != fighter.seat
    ]  # fmt: skip


# ---------------------------------------------------------------------- shots


def shot_refusal(battle: Battle, gun: Gun, thing: Thing) -> Refusal | None:
    """ades:4.2.5.1, ades:7.6  In view, at most one level below."""
    facts = {"target": thing.id, "fighter": gun.shooter.id}
    if battle.pose(gun.shooter).level > 1:
        return Refusal("refuse.two-levels", "ades:7.6", facts)
    if not sight.view_thing(battle, gun.shooter, thing, shooting=True).seen:
        return Refusal("refuse.unseen", shot_numbers.CONDITIONS, facts | {"other": thing.id}, sight.UNSEEN)
    return None


def shot_targets(battle: Battle, guns: Sequence[Gun]) -> tuple[list[Thing], dict[str, Refusal]]:
    """What all of a group can shoot at besides enemies, and why not the others."""
    shooter = guns[0].shooter
    marks = [thing for thing in things(battle, shooter) if all(thing is not gun.machine for gun in guns)]
    found, barred = shot_numbers.sifted(guns, marks, lambda gun, thing: shot_refusal(battle, gun, thing))
    for nexus in battle.things_of("nexus"):
        if nexus.placed and not nexus.start_pv and nexus.seat != shooter.seat:
            barred[nexus.id] = Refusal("refuse.indestructible", "ades:12.3-pv", {"target": nexus.id}, (RULE,))
    return found, barred


def columns(battle: Battle, gun: Gun, thing: Thing) -> list[Shift]:
    """ades:4.2.5.3  View and level count as for a fighter; scenery has no size."""
    found = shot_numbers.seen_columns(battle, gun, sight.view_thing(battle, gun.shooter, thing, shooting=True))
    if battle.pose(gun.shooter).level:
        found.append((-1, "level", "ades:7.6"))
    return found


def to_hit(battle: Battle, gun: Gun, thing: Thing) -> steps.Test:
    """ades:4.2.5.2-procedure  The TIR test against the difficulty of the range."""
    hard = shot_numbers.difficulty(battle, gun.weapon, shot_numbers.distance(battle, gun, thing))
    value = stats.stat(battle, gun.shooter, "TIR")
    for amount, what, rule in gun.plus:
        value.add(amount, what, rule)
    against = Tally(shot_numbers.BANDS[-1] if hard is None else hard, "range", shot_numbers.RANGE)
    lent = "aimed" if gun.aim == "TIR" else ""
    test = tests.make(
        battle,
        "shot",
        shot_numbers.SHOT,
        gun.shooter,
        "TIR",
        value,
        against,
        shifts=columns(battle, gun, thing),
        lent=lent,
    )
    return test if hard is not None else shot_numbers.too_far(test)


def fire(battle: Battle, gun: Gun, thing: Thing) -> Script[bool]:
    """ades:9.2.6-stats, ades:4.2.5.2-procedure  One shot at scenery: the TIR test, then FOR against its RES."""
    yield from characteristic_points.offer(battle, gun.shooter, ("TIR",), "test")
    battle.cite(RULE)
    done = yield from steps.attempt(to_hit(battle, gun, thing))
    tests.settle(battle, gun.shooter, done)
    told = "shot.hit" if done.passed else "shot.missed"
    battle.tell(told, shot_numbers.SHOT, (gun.shooter.id, thing.id), weapon=gun.weapon.name)
    if done.passed:
        how = Source(shot=True, attack=True, aimed=gun.aim == "FOR")
        strength = shot_numbers.strength(gun, gun.weapon.force)
        yield from damage.strike(battle, thing, strength, how, shot_numbers.SHOT, by=gun.shooter)
    return done.passed


# ---------------------------------------------------------------------- formulas


def wears(power: Power) -> bool:
    """Whether a formula can touch scenery at all: only what makes damage tests does."""
    return power.target in ("enemy", "any") and not power.only and any(do.kind == "damage" for do in power.does)


def formula_refusal(battle: Battle, fighter: Fighter, thing: Thing, power: Power, zone: float) -> Refusal | None:
    """ades:8.4-range, ades:8.1-zone, ades:7.6  As for a fighter."""
    facts = {"fighter": fighter.id, "target": thing.id, "formula": power.name}
    far = battle.gap_to_thing(fighter, thing)
    if battle.pose(fighter).level > 1:
        return Refusal("refuse.two-levels", "ades:7.6", facts, ("ades:7.5",))
    if far > zone + TOUCH:
        return Refusal("refuse.out-of-zone", "ades:8.1-zone", facts)
    if power.range and far > cm(power.range) + TOUCH:
        return Refusal("refuse.out-of-range", "ades:8.4-range", facts)
    if not sight.view_thing(battle, fighter, thing).seen:
        return Refusal("refuse.unseen", "ades:8.4-casting", facts | {"other": thing.id}, sight.UNSEEN)
    return None


def blast(battle: Battle, fighter: Fighter, power: Power, thing: Thing, level: int, rule: str) -> Script[None]:
    """ades:9.2.6-stats  What a formula does to scenery: its damage tests and nothing else."""
    for do in power.does:
        if do.kind == "damage" and thing.alive:
            force = do.number + (level if power.level == 0 else 0)
            yield from damage.strike(battle, thing, force, Source(), rule, by=fighter)
