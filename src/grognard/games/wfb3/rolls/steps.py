"""The rolls of shots and blows, each written once: the battle rolls them, the odds desk weighs them.

wfb3:6.2-tohit-table, 7.8-tohit-table, 6.3-wound-table, 6.4-saves
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

from grognard.kernel.odds.apart import once, pairs, pool
from grognard.kernel.questions import Roll, Script
from grognard.kernel.words.tally import Tally

#: A need beyond every die.
NEVER = 99
#: wfb3:7.8-tohit-table  Beyond 6 the ladder goes on: +4, +5, +6 (a six, then so much on a second die).
LAST = 9


def missile_need(bs: int) -> int:
    """wfb3:6.2-tohit-table  7 less BS; nobody without BS shoots."""
    return 7 - bs if bs > 0 else NEVER


def combat_need(attacker: int, defender: int) -> int:
    """wfb3:7.8-tohit-table  5, shifted by every two points of difference, never better than 2; 7, 8, 9 are +4, +5, +6.

    >>> [combat_need(3, d) for d in range(1, 11)]
    [4, 4, 5, 5, 6, 6, 7, 7, 8, 8]
    """
    return max(2, 5 + (defender - attacker) // 2)


def wound_need(strength: int, toughness: int) -> int:
    """wfb3:6.3-wound-table  NEVER where the table says N.

    >>> [wound_need(3, t) for t in (1, 3, 5, 6, 7)] == [2, 4, 6, 6, NEVER]
    True
    """
    if strength < 1:
        return NEVER
    k = min(toughness, 10) - min(strength, 10) + 4
    return NEVER if k >= 8 else 6 if k == 7 else max(2, k)


def worst(need: float) -> int:
    """A need as it is rolled for: a natural 1 always fails (wfb3:6.2.5-floor)."""
    return max(2, int(need))


def missile_hits(seat: str, count: int, need: Tally, rule: str, about: tuple[str, ...] = ()) -> Script[tuple[int, int]]:
    """wfb3:6.2-procedure  One die a shot: how many hit, and how many natural ones were rolled."""
    if not count:
        return 0, 0
    cut = worst(need.value)
    faces = yield Roll(
        seat,
        "shoot.hit",
        6,
        count,
        rule=rule,
        about=about,
        need=need,
        sense="high",
        cuts=tuple(sorted({2, min(cut, 7)})),
    )
    return sum(face >= cut for face in faces), sum(face == 1 for face in faces)


def combat_hits(seat: str, count: int, need: Tally, about: tuple[str, ...] = ()) -> Script[int]:
    """wfb3:7.8-tohit-table, wfb3:7.8.1-modifiers  One die a blow; beyond 6 a second one after every six."""
    if not count or need.value > LAST:
        return 0
    cut = min(6, worst(need.value))
    rule = "wfb3:7.8-tohit-table"
    faces: tuple[int, ...] = yield Roll(
        seat, "combat.hit", 6, count, rule=rule, about=about, need=need, sense="high", cuts=(cut,)
    )
    hits = sum(face >= cut for face in faces)
    if need.value <= 6 or not hits:
        return hits
    second = int(need.value) - 3
    faces = yield Roll(
        seat, "combat.hit-again", 6, hits, rule=rule, about=about, need=second, sense="high", cuts=(second,)
    )
    return sum(face >= second for face in faces)


def wounds(seat: str, hits: int, need: Tally, rule: str, about: tuple[str, ...] = ()) -> Script[int]:
    """wfb3:6.3-wound-table, wfb3:7.9-wound  One die a hit; N never wounds."""
    if not hits or need.value > 6:
        return 0
    cut = worst(need.value)
    faces = yield Roll(seat, "wound", 6, hits, rule=rule, about=about, need=need, sense="high", cuts=(cut,))
    return sum(face >= cut for face in faces)


def unsaved(seat: str, wounded: int, need: Tally | None, rule: str, about: tuple[str, ...] = ()) -> Script[int]:
    """wfb3:6.4-saves, wfb3:7.10-saves  One die a wound for the defender; what gets through."""
    if not wounded or need is None or need.value > 6:
        return wounded
    cut = worst(need.value)
    faces = yield Roll(seat, "save", 6, wounded, rule=rule, about=about, need=need, sense="high", cuts=(cut,))
    return sum(face < cut for face in faces)


# ---------------------------------------------------------------------- whole attacks


class Struck(NamedTuple):
    """What attacks came to: hits, wounds, and wounds that were not saved."""

    hits: int
    wounded: int
    hurt: int


class Attacks(NamedTuple):
    """Attacks alike: who rolls against whom, and what is needed; `hit` None where nothing is rolled to hit.

    `rules` are of the rolls to wound and to save.
    """

    seat: str
    foe: str
    hit: Tally | None
    wound: Tally
    save: Tally | None
    rules: tuple[str, str]
    about: tuple[str, ...] = ()


def said(need: Tally | None) -> Hashable:
    """Needs with the same key are rolled for alike, for the same reasons."""
    return None if need is None else (need.value, need.rules)


def carried_through(step: Callable[[int], Script[Struck]], count: int, key: Hashable) -> Script[Struck]:
    """wfb3:7.6-sequence  So many attacks at once; what is not saved is all that matters afterwards."""
    return (yield from pool(key, step, count, lambda struck: struck.hurt, lambda hurt: Struck(hurt, hurt, hurt)))


def attack(attacks: Attacks, count: int) -> Script[Struck]:
    """wfb3:7.6-sequence  So many attacks: to hit, to wound, to save."""
    key = ("attack", *map(said, (attacks.hit, attacks.wound, attacks.save)), attacks.rules)
    return (yield from carried_through(lambda number: _attack(attacks, number), count, key))


def _attack(attacks: Attacks, count: int) -> Script[Struck]:
    hits = count
    if attacks.hit is not None:
        hits = yield from combat_hits(attacks.seat, count, attacks.hit, attacks.about)
    wounded = yield from wounds(attacks.seat, hits, attacks.wound, attacks.rules[0], attacks.about)
    hurt = yield from unsaved(attacks.foe, wounded, attacks.save, attacks.rules[1], attacks.about[1:])
    return Struck(hits, wounded, hurt)


def shots(
    seat: str, count: int, need: Tally, rule: str, about: tuple[str, ...] = (), *, ones: bool = False
) -> Script[tuple[int, int]]:
    """wfb3:6.2-procedure, wfb3:13.8.1-misfire
    So many shots: how many hit and, where that matters, how many were ones."""

    def step(number: int) -> Script[tuple[int, int]]:
        return (yield from missile_hits(seat, number, need, rule, about))

    key = ("shots", said(need), rule, ones)
    if ones:
        return (yield from pairs(key, step, count))
    return (yield from pool(key, step, count, lambda got: got[0], lambda hits: (hits, 0)))


def test(seat: str, name: str, value: Tally, rule: str, about: tuple[str, ...] = ()) -> Script[int]:
    """wfb3:5.6.1-ld-test, wfb3:10.1-test
    2D6 against a value: what was rolled, of which only whether it passes matters."""

    def roll() -> Script[int]:
        faces: tuple[int, ...] = yield Roll(seat, name, 6, 2, rule=rule, about=about, need=value, sense="under")
        return sum(faces)

    return (yield from once(("test", name, said(value), rule), roll, lambda total: total <= value.value))
