"""The reference odds by other means: a plain recursion in floats, and icepool."""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Any

import icepool

REFERENCE: dict[str, Any] = {
    "attacks": "2D6+6", "skill": 3, "abilities": ["Sustained Hits 1", "Lethal Hits"], "wound": 4, "save": 4,
    "damage": "D6+1", "fnp": 5, "models": 5, "wounds": 3,
}  # fmt: skip


def recursion(counts: dict[int, float], to_hit: int, to_wound: int, save: int, pain: int) -> list[float]:
    """Attack by attack in plain floats: D6+1 damage, Sustained Hits 1 and Lethal Hits, five models of three wounds."""
    wounds, unsaved, ignored = (7 - to_wound) / 6, (save - 1) / 6, (7 - pain) / 6

    @cache
    def after_wound(left: int) -> dict[int, float]:
        """Total wounds left (15 down to 0) after one wounding attack."""
        found = {left: 1 - unsaved}
        here = (left - 1) % 3 + 1
        for points in range(2, 8):
            for lost in range(points + 1):
                chance = unsaved / 6 * _binomial(points, lost, 1 - ignored)
                then = left - min(lost, here)
                found[then] = found.get(then, 0.0) + chance
        return found

    def strike(now: dict[int, float]) -> dict[int, float]:
        then: dict[int, float] = {}
        for left, weight in now.items():
            for after, chance in (after_wound(left) if left else {0: 1.0}).items():
                then[after] = then.get(after, 0.0) + weight * chance
        return then

    def attack(now: dict[int, float]) -> dict[int, float]:
        once = strike(now)
        twice = strike(once)
        plain = (6 - to_hit) / 6
        none = (to_hit - 1) / 6 + plain * (1 - wounds)
        one = plain * wounds + (1 - wounds) / 6
        keys = dict.fromkeys([*now, *once, *twice])
        return {k: none * now.get(k, 0) + one * once.get(k, 0) + wounds / 6 * twice.get(k, 0) for k in keys}

    now, total = {15: 1.0}, dict.fromkeys(range(6), 0.0)
    for number in range(max(counts) + 1):
        for left, weight in now.items():
            total[5 - (left + 2) // 3] += weight * counts.get(number, 0.0)
        now = attack(now)
    return list(total.values())


def _binomial(n: int, k: int, p: float) -> float:
    return comb(n, k) * p**k * (1 - p) ** (n - k)


def pooled() -> Any:
    """The reference by icepool: what each attack does to the wounds left, a die at a time."""
    hurts = icepool.d6 < 5

    @cache
    def wounded(left: int) -> Any:
        if not left:
            return icepool.Die([0])
        here = (left - 1) % 3 + 1

        def hurt(points: int) -> Any:
            return (points @ hurts).map(lambda lost: left - min(lost, here))

        return (icepool.d6 >= 4).map(lambda kept: left if kept else (icepool.d6 + 1).map(hurt))

    def wound_roll(left: int) -> Any:
        return (icepool.d6 >= 4).map(lambda good: wounded(left) if good else left)

    @cache
    def attack(left: int) -> Any:
        def hit(face: int) -> Any:
            if face == 6:
                return wounded(left).map(wound_roll, star=False)
            return wound_roll(left) if face >= 3 else left

        return icepool.d6.map(hit)

    squads = [icepool.Die([15])]
    for _ in range(18):
        squads.append(squads[-1].map(attack, star=False))
    return (2 @ icepool.d6 + 6).map(squads.__getitem__, star=False).map(lambda left: 5 - (left + 2) // 3)
