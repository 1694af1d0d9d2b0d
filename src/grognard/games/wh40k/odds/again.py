"""wh40k:13.2.1-command-reroll  Command Re-roll weighed: one die among many that failed is rolled once more.

Let one die come to g, of which m are failures that may be re-rolled and c is all the rest, and let r be what comes of
such a failure when it is rolled again. Of n dice, c^n need no re-roll; in all other courses one failure becomes r.
"""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.wh40k.odds import chances
from grognard.games.wh40k.odds.chances import Told
from grognard.games.wh40k.rolls import steps
from grognard.games.wh40k.rolls.steps import Attack
from grognard.kernel.odds.sums import pair_of
from grognard.kernel.odds.weigh import Distribution, bind

Pair = tuple[int, int]


class Die(NamedTuple):
    """One die as it falls, what of it needs no re-roll (less than the whole), and what a re-roll comes to."""

    whole: Distribution[Pair]
    rest: Distribution[Pair]
    again: Distribution[Pair] | None

    @classmethod
    def of(cls, whole: Distribution[Pair], marked: Distribution[tuple[Pair, bool]]) -> Die:
        """From the die without Command Re-roll, and the die with it: each outcome with whether it was used."""
        rest = {pair: weight for (pair, used), weight in marked.weights.items() if not used}
        again = {pair: weight for (pair, used), weight in marked.weights.items() if used}
        found = Distribution(again, sum(again.values())) if again else None
        return cls(whole, Distribution(rest, marked.denominator), found)

    def times(self, count: Distribution[int]) -> Distribution[Pair]:
        """So many such dice added up, one failure among them re-rolled."""
        if self.again is None:
            return pair_of(count, self.whole)
        every, none = pair_of(count, self.whole), pair_of(count, self.rest) if self.rest.weights else None
        if none is None:
            none = Distribution({(0, 0): count.weights.get(0, 0)}, count.denominator)
        scale, other = none.denominator, every.denominator
        denominator = scale * other * self.again.denominator
        weights: dict[Pair, int] = {}
        for pair, weight in none.weights.items():
            weights[pair] = weight * other * self.again.denominator
        for pair in dict.fromkeys((*every.weights, *none.weights)):
            failed = every.weights.get(pair, 0) * scale - none.weights.get(pair, 0) * other
            for more, chance in self.again.weights.items() if failed else ():
                both = (pair[0] + more[0], pair[1] + more[1])
                weights[both] = weights.get(both, 0) + failed * chance
        return Distribution({pair: weight for pair, weight in weights.items() if weight}, denominator).reduced()


def wounded(many: Distribution[int], a: Attack, command: str, devastating: bool, fish: bool) -> Told:
    """The wounds of so many attacks, and the Critical Wounds, with Command Re-roll for a "hit" or a "wound"."""
    rules = {"wh40k:13.2.1-command-reroll": None}

    def strike(landed: steps.Hits) -> Distribution[Pair]:
        told = chances.wounds(a, landed.hits, devastating, fish)
        rules.update(dict.fromkeys(told.rules))
        return told.found.map(lambda w: _pair(landed.wounds, w, devastating))

    plain, marked = chances.hits(a, fish), chances.hits(a, fish, command == "hit")
    rules.update(dict.fromkeys((*plain.rules, *marked.rules)))
    if command == "hit":
        whole = bind(plain.found, strike)
        spent = bind(marked.found, lambda landed: strike(landed).map(lambda pair: (pair, landed.command)))
        return Told(Die.of(whole, spent).times(many), tuple(rules))
    hits = pair_of(many, plain.found.map(lambda landed: (landed.hits, landed.wounds)))
    one, again = chances.wounds(a, 1, devastating, fish), chances.wounds(a, 1, devastating, fish, True)
    rules.update(dict.fromkeys((*one.rules, *again.rules)))
    die = Die.of(
        one.found.map(lambda w: _pair(0, w, devastating)),
        again.found.map(lambda w: (_pair(0, w, devastating), w.command)),
    )
    known = {n: die.times(Distribution.certain(n)) for n in dict.fromkeys(hit for hit, _ in hits.weights)}
    found = bind(hits, lambda both: known[both[0]].map(lambda pair: (pair[0] + both[1], pair[1])))
    return Told(found.reduced(), tuple(rules))


def _pair(sure: int, got: steps.Wounds, devastating: bool) -> Pair:
    """wh40k:8.15-devastating  Wounds that go on to be saved, and Critical Wounds; devastating ones do not go on."""
    return sure + got.wounds + (0 if devastating else got.critical), got.critical
