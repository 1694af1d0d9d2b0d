"""What one attack takes and when it is struck, by the battle's own steps: weighed once for what the cards say.

The battle is asked on a copy, as it would be in the round that is thought of, without items nobody has seen yet.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple, TypeVar

from grognard.games.t9a import carried_items
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Effect, Unit
from grognard.games.t9a.losses.attacks import Batch, Strike
from grognard.games.t9a.melee import close_combat_attacks, initiative
from grognard.games.t9a.melee.initiative import Entry
from grognard.games.t9a.melee.striking import Share
from grognard.games.t9a.odds.harm import Harm
from grognard.games.t9a.odds.sums import Losses
from grognard.games.t9a.rolls import weapons_in_use
from grognard.games.t9a.shooting import shooting
from grognard.games.t9a.shooting.shooters import Shooter
from grognard.games.t9a.table import terrain
from grognard.kernel.odds.weigh import Distribution, Weigher

T = TypeVar("T")


class Round(NamedTuple):
    """One unit strikes another in a round of combat: charging or not, in the first round, over its front, at a side."""

    battle: Battle
    one: Unit
    two: Unit
    charging: bool
    fresh: bool
    over_front: bool
    side: str

    @property
    def key(self) -> tuple[Hashable, ...]:
        """What else than the cards has a say."""
        walled = self.charging and self.side == "front" and terrain.defends(self.battle, self.two) is not None
        fears = self.one.nerve.afraid, self.two.nerve.afraid
        return self.charging, self.fresh, self.over_front, self.side, walled, fears

    def trial(self) -> Battle:
        """The battle as it would be."""
        trial = seen(self.battle)
        striker = trial.units[self.one.id]
        striker.charge = striker.charge.but(charging=self.charging)
        striker.fight = striker.fight.but(first_round=self.fresh)
        return trial


_KNOWN: dict[tuple[Hashable, ...], object] = {}


def _once(key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
    if key not in _KNOWN:
        if len(_KNOWN) > 20000:
            _KNOWN.clear()
        _KNOWN[key] = make()
    return _KNOWN[key]  # type: ignore[return-value]


def seen(battle: Battle) -> Battle:
    """t9a:8.E.a  A copy of the battle without what nobody has seen yet."""
    trial = battle.copy()
    if battle.house["hidden_lists"]:
        for thing in trial.bearers():
            thing.effects = tuple(e for e in thing.effects if not _hidden(e) or e.name in thing.shown)
    return trial


def _hidden(effect: Effect) -> bool:
    return effect.key.startswith(carried_items.MARKS)


def _card(battle: Battle, pool: str) -> tuple[Hashable, ...]:
    """What is known of a pool's models: the card, effects, the weapon chosen, what it has lost, items seen."""
    model = battle.models.get(pool)
    more: tuple[Hashable, ...] = (model.role, model.lost) if model is not None else ()
    if battle.house["hidden_lists"]:
        home = battle.pool_unit(pool)
        more = (*more, "hidden", home.shown, *(guest.shown for guest in battle.guests(home)))
    return battle.pool_profile(pool).fingerprint, battle.effects(pool), weapons_in_use.chosen(battle, pool), more


def attack(at: Round, pool: str, index: int, struck: str) -> float:
    """t9a:15.D.e  Health Points one Close Combat Attack of a part takes from a pool."""
    key = ("attack", _card(at.battle, pool), index, _card(at.battle, struck), _mixture(at.battle, at.two), at.key)

    def weigh() -> float:
        share = Share(Entry(at.one.id, pool, index, "close"), struck, at.side, at.over_front, 1)
        return _mean(Harm(at.trial(), Weigher()).share(share))

    return _once(key, weigh)


def attacks(at: Round, pool: str, index: int) -> float:
    """t9a:15.D.d  How many Close Combat Attacks a part makes, on average."""

    def count() -> float:
        trial = at.trial()
        part = trial.pool_profile(pool).parts[index]
        fixed, dice = close_combat_attacks.attacks_of(trial, trial.units[at.one.id], pool, part)
        return float(fixed.value) + dice.mean

    return _once(("attacks", _card(at.battle, pool), index, at.key), count)


def special_hit(at: Round, pool: str, index: int, struck: str, rule: str) -> float:
    """t9a:21.H  Health Points one hit of a Special Attack takes."""
    key = ("special", _card(at.battle, pool), index, _card(at.battle, struck), _mixture(at.battle, at.two), rule)

    def weigh() -> float:
        trial = at.trial()
        part = trial.pool_profile(pool).parts[index]
        return _hit(trial, close_combat_attacks.special_strike(trial, trial.units[at.one.id], pool, part, rule), struck)

    return _once(key, weigh)


def shot(battle: Battle, unit: Unit, shooter: Shooter, target: Unit, struck: str) -> float:
    """t9a:7.B  Health Points one hit of a Shooting Weapon takes."""
    key = ("shot", _card(battle, shooter.pool), shooter.part, shooter.weapon.name, _card(battle, struck))

    def weigh() -> float:
        trial = seen(battle)
        part = trial.pool_profile(shooter.pool).parts[shooter.part]
        return _hit(trial, shooting.strike_of(trial, trial.units[unit.id], shooter, part), struck)

    return _once((*key, _mixture(battle, target)), weigh)


def agility(at: Round, pool: str, index: int) -> int:
    """t9a:15.D.a  At which Initiative step a part strikes."""

    def ask() -> int:
        trial = at.trial()
        part = trial.pool_profile(pool).parts[index]
        if part.agi is None:
            return 0
        return int(initiative.agility(trial, trial.units[at.one.id], pool, part).value)

    return _once(("agility", _card(at.battle, pool), index, at.key), ask)


def _hit(trial: Battle, strike: Strike, struck: str) -> float:
    return _mean(Harm(trial, Weigher()).batch(Batch(strike, struck, 1)))


def _mixture(battle: Battle, unit: Unit) -> tuple[Hashable, ...]:
    """t9a:7.E-majority  Models of other kinds in the unit that is struck."""
    return tuple(m.profile.fingerprint for m in battle.guests(unit) if m.role == "extra")


def _mean(found: Distribution[Losses]) -> float:
    return float(found.expect(lambda losses: sum(amount for _, amount in losses)))
