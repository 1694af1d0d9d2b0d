"""Chapter 14: A unit's round of shooting weighed: every kind of shot, the losses, the Panic Test after them."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Loss, Unit
from grognard.games.t9a.losses import casualties, psychology
from grognard.games.t9a.odds.harm import Batches, Harm
from grognard.games.t9a.odds.policy import Choose
from grognard.games.t9a.odds.sums import Losses, Numbers, many
from grognard.games.t9a.shooting import artillery, shooting
from grognard.games.t9a.shooting.shooters import Shooter, shooters
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.weigh import Distribution, Weigher, bind
from grognard.kernel.questions import Script
from grognard.kernel.words.tally import Tally

#: What becomes of the target.
STEADY, PASSED, PANICS, DESTROYED = "steady", "panic test passed", "panics", "destroyed"
FLEES = "still fleeing"


class Volley(NamedTuple):
    """Health Points and models a volley took, and what became of the target."""

    lost: int
    slain: int
    end: str


class Shooting:
    """One unit that shoots at another, as the table stands; `stand` is a Stand and Shoot reaction."""

    def __init__(self, battle: Battle, unit: Unit, target: Unit, choose: Choose, stand: bool = False) -> None:
        self.unit, self.target, self.stand = unit.id, target.id, stand
        self.weigher = Weigher(choose)
        self.battle = battle.copy()
        self.touched: dict[str, None] = {}
        self.battle.cited = self.touched
        for other in self.battle.units.values():
            # t9a:17.A-immune  what happens here to others is another question
            other.this_phase = other.this_phase.but(panicked=other.this_phase.panicked or other.id != target.id)
        self.harm = Harm(self.battle, self.weigher)

    def weigh(self) -> Distribution[Volley]:
        """t9a:14.A.a-fire, 17.A"""
        return bind(self.losses(), lambda taken: self.weigher.run(lambda: self._after(taken))).reduced()

    # ------------------------------------------------------------------ what is fired

    def losses(self) -> Distribution[Losses]:
        battle, unit, target = self.battle, self.battle.units[self.unit], self.battle.units[self.target]
        firing = self._firing()
        if not firing:
            raise BadInput(
                "nobody of {unit} can shoot at {target} from there (t9a:14.A.a-range)", unit=unit.id, target=target.id
            )
        engines = [self.engine(shooter) for shooter in firing if shooter.weapon.kind]
        groups = shooting.alike(battle, unit, target, firing, self.stand)
        return self.harm.all([*engines, *(self.group(group, need) for group, need in groups)])

    def _firing(self) -> list[Shooter]:
        """t9a:14.A.a-weapon, t9a:14.A.a-skip  Who shoots, with the weapons chosen."""
        battle, unit, target = self.battle, self.battle.units[self.unit], self.battle.units[self.target]
        (weapons,) = self.weigher.run(self._weapons).weights
        firing = shooters(battle, unit, target, stand=self.stand, weapons=dict(weapons))
        (pools,) = self.weigher.run(lambda: self._willing(firing)).weights
        return [shooter for shooter in firing if shooter.pool in pools]

    def _weapons(self) -> Script[tuple[tuple[str, str], ...]]:
        battle, unit, target = self.battle, self.battle.units[self.unit], self.battle.units[self.target]
        return tuple((yield from shooting.choose_weapons(battle, unit, target, self.stand)).items())

    def _willing(self, firing: list[Shooter]) -> Script[tuple[str, ...]]:
        willing = yield from shooting.declining(self.battle, self.battle.units[self.unit], firing)
        return tuple(dict.fromkeys(shooter.pool for shooter in willing))

    def group(self, group: list[Shooter], need: Tally) -> Distribution[Losses]:
        """t9a:5.B.a, t9a:14.C  Shots of one kind: how many there are, and what they do."""
        first = group[0]
        return self.shots(first, need, many(self.weigher.run(lambda: self._shots(first)), len(group) * first.hands))

    def shots(self, first: Shooter, need: Tally, count: Distribution[Numbers]) -> Distribution[Losses]:
        """t9a:14.A.a-fire  Which of so many shots hit, and on whom the hits fall."""
        battle, unit, target = self.battle, self.battle.units[self.unit], self.battle.units[self.target]
        one = self.harm.count(lambda: shooting.aimed(battle, unit, target, first, need, 1))
        return self.harm.hits(one, count, lambda *hits: shooting.landed(battle, unit, first, target, *hits))

    def _shots(self, shooter: Shooter) -> Script[Numbers]:
        return ((yield from shooting.shots_of(self.battle, self.battle.units[self.unit], shooter)),)

    def engine(self, shooter: Shooter) -> Distribution[Losses]:
        """t9a:21.F.c  An Artillery Weapon, its Misfires too."""
        return bind(self.weigher.run(lambda: self._engine(shooter)), self.harm.batches)

    def _engine(self, shooter: Shooter) -> Script[Batches]:
        twin = self.battle.copy()
        twin.cited = self.touched
        return tuple((yield from artillery.fire(twin, twin.units[self.unit], shooter, twin.units[self.target])))

    # ------------------------------------------------------------------ what it came to

    def _after(self, losses: Losses) -> Script[Volley]:
        """t9a:17.A-25pct  Chapter 16: The losses, and the Panic Test of the target where they call for one."""
        battle = self.battle.copy()
        battle.cited = self.touched
        target = battle.units[self.target]
        hp, size = battle.hp(target), battle.size(target)
        yield from casualties.lose(battle, [Loss(pool, amount, self.unit) for pool, amount in losses], panic=False)
        if target.where != "table":
            return Volley(hp, size, DESTROYED)
        called = psychology.called_to_test(battle, [target], [], {}, self.unit)
        tested = [call for call in called if not psychology.immune(battle, call[0])]
        failed = yield from psychology.panic_tests(battle, tested)
        end = PANICS if failed else PASSED if tested else FLEES if target.nerve.fleeing else STEADY
        return Volley(hp - battle.hp(target), size - battle.size(target), end)
