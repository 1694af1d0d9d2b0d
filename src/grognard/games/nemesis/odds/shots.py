"""Chapter 17.3: Shots and volleys weighed: whom a hit falls on, and how many are lost."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import msgspec

from grognard.games.nemesis.army.profiles import Ranged
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.losses import casualties
from grognard.games.nemesis.rolls.rerolls import victim
from grognard.games.nemesis.rolls.steps import Shot, Tester, Victim, accuracy, impact, shoot, shot_power, without, wound
from grognard.games.nemesis.shooting import shot_numbers
from grognard.kernel.odds.weigh import Distribution, Weigher, bind
from grognard.kernel.questions import Roll, Script
from grognard.kernel.words.tally import Tally

FRIEND = "nemesis:17.5-friend"


class Now(NamedTuple):
    """The foremost victim's survival and the re-rolls he has used, and those the shooter has used."""

    left: int
    spent: tuple[str, ...] = ()
    used: tuple[str, ...] = ()


class Mark(NamedTuple):
    """One who can be hit, in the order hits fall: his rolls, and his S after a wound by S before (0: lost)."""

    key: Hashable
    victim: Victim
    survival: int
    after: Callable[[int], int]


#: How many marks are lost, and how the foremost of the others stands.
Stand = tuple[int, Now]


class Gun(NamedTuple):
    """One shooter: how many shots, and the shot when so many of the marks are lost already."""

    shots: int
    shot: Callable[[int], Shot]


def tally_key(tally: Tally) -> Hashable:
    """Tallies that say the same for the same reasons have the same key."""
    return tally.value, tally.rules


def tester_key(who: Tester) -> Hashable:
    return who.again, who.best_of_two, who.one_fails_under, who.one_before_stat


def shot_key(shot: Shot) -> Hashable:
    """Shots with the same key roll alike."""
    tallies = (shot.accuracy, shot.skill, shot.difficulty, shot.strength)
    return tester_key(shot.shooter), *map(tally_key, tallies)


def victim_key(struck: Victim) -> Hashable:
    """Victims with the same key roll alike."""
    return tester_key(struck.who), tally_key(struck.resistance), tally_key(struck.survival), struck.resist_again


# ---------------------------------------------------------------------- one shot


def one_shot(weigher: Weigher, shot: Shot, struck: Victim) -> Distribution[str]:
    """nemesis:17.3-accuracy, nemesis:17.3-resist, nemesis:17.3-survival
    "missed", "resisted", "survived" or "wounded"."""
    return weigher.run(lambda: shoot(shot, struck))


def into_melee(weigher: Weigher, shot: Shot, struck: Victim, friend: Victim) -> Distribution[str]:
    """nemesis:17.5-friend  A shot at an enemy who fights one friend: a miss hits the friend."""
    return weigher.run(lambda: shoot_or_friend(shot, struck, friend))


def shoot_or_friend(shot: Shot, struck: Victim, friend: Victim) -> Script[str]:
    """Chapter 17.3, nemesis:17.5-friend  The shot, and what becomes of a miss."""
    result = yield from shoot(shot, struck)
    if result != "missed":
        return result
    (face,) = yield Roll(shot.shooter.seat, "impact", 10, rule=FRIEND, about=shot.shooter.about, sense="value")
    hurt = yield from wound(friend, impact(face, shot.skill, shot.strength, FRIEND))
    return f"friend {hurt.result}"


# ---------------------------------------------------------------------- a volley


def fire(shot: Shot, mark: Mark, now: Now) -> Script[Now | None]:
    """Chapter 17.3, nemesis:21.2-current-s
    One shot at the foremost mark: how things stand then, None if he is lost."""
    aimed = yield from accuracy(msgspec.structs.replace(shot, shooter=without(shot.shooter, now.used)))
    used = (*now.used, *aimed.used)
    if not aimed.passed:
        return now._replace(used=used)
    hurt = yield from wound(_as_now(mark.victim, now), shot_power(shot, aimed.face))
    left = mark.after(now.left) if hurt.wounded else now.left
    return Now(left, (*now.spent, *hurt.used), used) if left > 0 else None


def _as_now(struck: Victim, now: Now) -> Victim:
    """A victim with the survival and the re-rolls he has left."""
    survival = struck.survival
    if now.left != survival.value:
        survival = Tally(now.left, "S", "nemesis:21.2-current-s")
    again = tuple(source for source in struck.resist_again if source not in now.spent)
    return Victim(without(struck.who, now.spent), struck.resistance, survival, again)


class Volley:
    """nemesis:17.2-casualties, nemesis:17.2-visible-cap  Guns one after the other at marks in the order they fall."""

    def __init__(self, weigher: Weigher, marks: Sequence[Mark]) -> None:
        self.weigher = weigher
        self.marks = marks
        self._known: dict[Hashable, Distribution[Now | None]] = {}
        self._next: dict[tuple[Gun, Stand], Distribution[Stand]] = {}

    def losses(self, guns: Sequence[Gun]) -> Distribution[int]:
        """How many marks are lost when all guns have fired; what nobody is left to take is lost."""
        stands: Distribution[Stand] = Distribution.certain((0, self._fresh(0)))
        for gun in guns:
            for _ in range(gun.shots):
                stands = bind(stands, lambda stand, gun=gun: self._shot(gun, stand))  # type: ignore[misc]
            if any(now.used for _, now in stands.weights):
                stands = stands.map(lambda stand: (stand[0], stand[1]._replace(used=())))
        return stands.map(lambda stand: stand[0]).reduced()

    def _fresh(self, place: int) -> Now:
        return Now(self.marks[place].survival if place < len(self.marks) else 0)

    def _shot(self, gun: Gun, stand: Stand) -> Distribution[Stand]:
        """What one shot makes of how things stand; worked out once for each."""
        key = (gun, stand)
        if key not in self._next:
            lost, now = stand
            if lost >= len(self.marks):
                self._next[key] = Distribution.certain(stand)
            else:
                fallen = (lost + 1, self._fresh(lost + 1))
                after = self._fired(gun.shot(lost), self.marks[lost], now)
                self._next[key] = after.map(lambda then: fallen if then is None else (lost, then))
        return self._next[key]

    def _fired(self, shot: Shot, mark: Mark, now: Now) -> Distribution[Now | None]:
        """One shot weighed; shots and marks that roll alike only once."""
        key = (shot_key(shot), mark.key, now)
        if key not in self._known:
            self._known[key] = self.weigher.run(lambda: fire(shot, mark, now))
        return self._known[key]


# ---------------------------------------------------------------------- from a battle


def mark_of(battle: Battle, model: Model, by: Model, weapon: Ranged) -> Mark:
    """A model on the table as a mark of a weapon."""

    def after(survival: int) -> int:
        twin = battle.copy()
        struck = twin.models[model.id]
        struck.s = survival
        casualties.hurt(
            twin, struck, by=twin.models[by.id], melee=False, cause_rule="nemesis:17.3-survival", overflow=False,
            weapon=weapon,
        )  # fmt: skip
        return 0 if struck.doomed else struck.s

    struck = victim(battle, model)
    trooper = not model.card.is_hero and battle.unit_of(model).regiment
    return Mark(("" if trooper else model.id, victim_key(struck)), struck, model.s, after)


def volley_at(
    battle: Battle, weigher: Weigher, unit: Unit, target: Unit, shooters: Sequence[Model], weapon: str | None = None
) -> Distribution[int]:
    """Chapter 17.3: A volley of models on the table at a unit on it: how many of that are lost.

    As the battle shoots: who sees the target fires, hits fall on the nearest in sight. Nobody regenerates yet.
    """
    sighted = [m for m in shooters if shot_numbers.marks(battle, m, target)]
    seen = falling(battle, sighted, target)
    if not seen:
        return Distribution.certain(0)
    bow = shot_numbers.armed_with(battle, sighted[0], weapon)
    marks = [mark_of(battle, m, sighted[0], bow) for m in seen]
    guns = [gun_of(battle, m, target, weapon, [s.id for s in seen]) for m in sighted]
    return Volley(weigher, marks).losses([gun for gun in guns if gun is not None])


def falling(battle: Battle, shooters: Sequence[Model], target: Unit) -> list[Model]:
    """nemesis:17.2-casualties  Who of a unit the hits fall on, in order: the nearest in sight first."""
    near: dict[str, float] = {}
    for shooter in shooters:
        for model, _ in shot_numbers.marks(battle, shooter, target):
            near[model.id] = min(battle.gap(shooter, model), near.get(model.id, float("inf")))
    seen = [m for m in battle.standing(target) if m.id in near]
    return sorted(seen, key=lambda m: (round(near[m.id], 1), m.champion))


def gun_of(battle: Battle, shooter: Model, target: Unit, weapon: str | None, seen: list[str]) -> Gun | None:
    """A model as a gun; None where the target is out of its range."""
    bow = shot_numbers.armed_with(battle, shooter, weapon)
    known: dict[int, Shot] = {}
    twin = battle.copy()
    twin.cited = battle.cited

    def shot(lost: int) -> Shot:
        if lost not in known:
            for place, model_id in enumerate(seen):
                twin.models[model_id].doomed = place < lost
            aim = shot_numbers.aim(twin, twin.models[shooter.id], bow, twin.units[target.id])
            assert aim is not None
            known[lost] = aim.shot
        return known[lost]

    aim = shot_numbers.aim(battle, shooter, bow, target)
    if aim is None or not aim.in_range:
        return None
    return Gun(shot_numbers.shots_of(battle, shooter, bow), shot)
