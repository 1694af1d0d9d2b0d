"""Chapter 7: Hits of all kinds weighed on a battle as it stands: what they take from which Health Pool."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.losses import attacks
from grognard.games.t9a.losses.attacks import Batch
from grognard.games.t9a.melee import special_attacks, striking
from grognard.games.t9a.melee.initiative import Entry
from grognard.games.t9a.melee.special_attacks import Onset
from grognard.games.t9a.melee.striking import Share
from grognard.games.t9a.odds.sums import Losses, Numbers, many, together
from grognard.games.t9a.rolls.mixed_pools import likeness
from grognard.kernel.odds.weigh import Distribution, Weigher, bind
from grognard.kernel.questions import Script

T = TypeVar("T", bound=Hashable)
Batches = tuple[Batch, ...]
#: On whom hits fall: how many attacks hit, so many of them wounding without a roll, so many making an extra hit.
Landing = Callable[[int, int, int], Script[list[Batch]]]
NOTHING: Distribution[Losses] = Distribution.certain(())
#: t9a:15.F.a.2  Excess wounds in a duel count up to this.
OVERKILL = 3


class Harm:
    """The battle's own steps for one attack, one hit, one wound, added up as often as they are made.

    Nothing here changes the battle. All attacks of a step are simultaneous (t9a:7.B-simultaneous), so they do not touch
    each other.
    """

    def __init__(self, battle: Battle, weigher: Weigher) -> None:
        self.battle, self.weigher = battle, weigher
        self._hits: dict[Batch, Distribution[Numbers]] = {}
        self._batches: dict[Batch, Distribution[Losses]] = {}

    def weigh(self, make: Callable[[], Script[T]]) -> Distribution[T]:
        return self.weigher.run(make)

    def count(self, make: Callable[[], Script[Numbers]]) -> Distribution[Numbers]:
        """Numbers that a step comes to, to be added up."""
        return self.weigher.run(make)

    # ------------------------------------------------------------------ attacks of a step

    def step(self, entries: Iterable[Entry]) -> Distribution[Losses]:
        """t9a:15.D.a, t9a:15.D.d  All attacks of an Initiative step."""
        ready = [entry for entry in entries if striking.able(self.battle, entry)]
        close = [entry for entry in ready if entry.kind in ("close", "crush")]
        found = bind(self.weigh(lambda: self._allocated(close)), lambda shares: self.all(map(self.share, shares)))
        others = self.all(self.special(entry) for entry in ready if entry not in close)
        return self.both(found, others)

    def _allocated(self, entries: list[Entry]) -> Script[tuple[Share, ...]]:
        shares: list[Share] = []
        for entry in entries:
            shares += yield from striking.allocate(self.battle, entry)
        return tuple(shares)

    def share(self, share: Share) -> Distribution[Losses]:
        """t9a:15.D.e  Close Combat Attacks of one kind on one pool."""
        seat = self.battle.units[share.entry.unit].seat
        like = _only(self.weigh(lambda: likeness(self.battle, share.target, seat)))
        one = self.count(lambda: striking.rolled(self.battle, replace(share, count=1), like))
        return self.hits(one, _sure(share.count), lambda *hits: striking.landed(self.battle, share, like, *hits))

    def special(self, entry: Entry) -> Distribution[Losses]:
        """t9a:21.H  Impact Hits, Grind and Stomp Attacks; Breath Attacks are kept for later."""
        onsets = _only(self.weigh(lambda: self._declared(entry)))
        return NOTHING if entry.kind == "breath" else self.all(map(self.onset, onsets))

    def onset(self, onset: Onset) -> Distribution[Losses]:
        """t9a:21.H.a.1, t9a:21.H.a.3, t9a:21.H.a.5  A Special Attack on one unit."""
        one = self.weigh(lambda: self._rolled(onset))
        return self.hits(one, _sure(onset.times), lambda hits, *_: special_attacks.landed(self.battle, onset, hits))

    def _declared(self, entry: Entry) -> Script[tuple[Onset, ...]]:
        return tuple((yield from special_attacks.declared(self.battle, entry)))

    def _rolled(self, onset: Onset) -> Script[Numbers]:
        return (yield from special_attacks.rolled(self.battle, onset)), 0, 0

    # ------------------------------------------------------------------ hits

    def hits(self, one: Distribution[Numbers], count: Distribution[Numbers], land: Landing) -> Distribution[Losses]:
        """What so many attacks take: the hits of `one`, how many of them wound without a roll, and on whom they fall.

        Where all fall on one pool each attack is weighed to its end and only the losses are added up.
        """
        pool = self._alone(max(hit for hit, *_ in one.weights) * max(n for (n,) in count.weights), land)
        if not pool:
            hits = bind(count, lambda n: many(one, n[0]))
            return bind(hits, lambda numbers: self._landed(numbers, land)).reduced()
        single = bind(one, lambda numbers: self._landed(numbers, land)).map(_amount).reduced()
        total = bind(count, lambda n: many(single, n[0], self.most(pool)))
        return total.map(lambda lost: _losses(pool, lost[0])).reduced()

    def _landed(self, numbers: Numbers, land: Landing) -> Distribution[Losses]:
        hit, sure, extra = numbers
        return bind(self.weigh(lambda: _fallen(land, hit, sure, extra)), self.batches) if hit else NOTHING

    def _alone(self, most: int, land: Landing) -> str:
        """The one pool on which all hits fall, each as any other does; nothing where they are shared."""
        if not most:
            return ""
        first, last = (_only(self.weigh(lambda n=n: _fallen(land, n, 0, 0))) for n in (1, most))  # type: ignore[misc]
        if len(first) != 1 or last != (replace(first[0], hits=first[0].hits * most),):
            return ""
        return str(first[0].pool)

    def batches(self, batches: Batches) -> Distribution[Losses]:
        """t9a:7.B  Simultaneous hits of several kinds."""
        return self.all(self.batch(b) for b in batches if b.hits > 0 and (b.duel or self.battle.pool_hp(b.pool) > 0))

    def batch(self, batch: Batch) -> Distribution[Losses]:
        """t9a:7.F, t9a:7.G, t9a:7.H, t9a:7.I  Hits of one kind on one pool, each by itself."""
        if batch not in self._batches:
            most = self.most(batch.pool)
            plain = many(self._one(replace(batch, hits=1, sure=0)), batch.hits - batch.sure, most)
            sure = many(self._one(replace(batch, hits=1, sure=1)), batch.sure, most) if batch.sure else None
            lost = plain if sure is None else bind(plain, lambda a: sure.map(lambda b: (min(most, a[0] + b[0]),)))
            self._batches[batch] = lost.map(lambda n: _losses(batch.pool, n[0])).reduced()
        return self._batches[batch]

    def _one(self, batch: Batch) -> Distribution[Numbers]:
        if batch not in self._hits:
            self._hits[batch] = self.weigh(lambda: attacks.harm(self.battle, batch)).map(lambda lost: (lost,))
        return self._hits[batch]

    # ------------------------------------------------------------------ together

    def all(self, parts: Iterable[Distribution[Losses]]) -> Distribution[Losses]:
        found = NOTHING
        for part in parts:
            found = self.both(found, part)
        return found.reduced()

    def both(self, one: Distribution[Losses], other: Distribution[Losses]) -> Distribution[Losses]:
        pools = {pool for part in (one, other) for losses in part.weights for pool, _ in losses}
        return together(one, other, {pool: self.most(pool) for pool in pools})

    def most(self, pool: str) -> int:
        """More than this cannot matter: what a model with its own pool has, and Overkill in a duel; all that a unit
        has.
        """
        model = self.battle.models.get(pool)
        if model is None or model.role == "extra":
            return self.battle.hp(self.battle.pool_unit(pool))
        return model.hp + (OVERKILL if model.duel.foe else 0)


def _fallen(land: Landing, hit: int, sure: int, extra: int) -> Script[Batches]:
    return tuple((yield from land(hit, sure, extra)))


def _sure(count: int) -> Distribution[Numbers]:
    return Distribution.certain((count,))


def _amount(losses: Losses) -> Numbers:
    return (sum(amount for _, amount in losses),)


def _losses(pool: str, amount: int) -> Losses:
    return ((pool, amount),) if amount else ()


def _only(found: Distribution[Any]) -> Any:
    """What a step comes to that rolls nothing."""
    (outcome,) = found.weights
    return outcome
