"""The rolls of an attack, as steps over plain numbers: the battle rolls them, the odds desk weighs them.

t9a:7.B-simultaneous  All dice of one step of simultaneous attacks are one roll; dice of one roll are interchangeable.
"""

from __future__ import annotations

from collections.abc import Sequence

from grognard.kernel.data.amounts import Amount
from grognard.kernel.questions import Roll, Script
from grognard.kernel.words.tally import Tally

Need = Tally | int


def number(need: Need) -> int:
    return int(need.value) if isinstance(need, Tally) else need


def _cuts(need: int, six: bool = True) -> tuple[int, ...]:
    cuts = {2, min(max(need, 2), 6)} | ({6} if six else set())
    return tuple(sorted(cuts))


def to_hit(off: int, defence: int) -> int:
    """t9a:15.D.e  Table 6: what must be rolled, by Offensive less Defensive Skill."""
    margin = off - defence
    return 2 if margin >= 4 else 3 if margin >= 1 else 4 if margin >= -3 else 5 if margin >= -7 else 6


def to_wound(strength: int, resilience: int) -> int:
    """t9a:7.F  Table 2."""
    return min(6, max(2, 4 - (strength - resilience)))


def to_save(armour: int, ap: int) -> int:
    """t9a:7.G  Table 3, before what changes the roll: 7 or more is no save, and none is better than 2+."""
    return 7 - armour + max(ap, 0)


def melee_hits(seat: str, count: int, need: Need, again: bool, about: Sequence[str] = ()) -> Script[tuple[int, int]]:
    """t9a:15.D.e  Close combat: hits and natural sixes among them; 1 always misses, 6 always hits.

    t9a:21.G.b.16  `again`: failed rolls are rolled again, once (t9a:2.B.a-reroll).
    """
    if count <= 0:
        return 0, 0
    wanted = number(need)
    faces = yield Roll(
        seat, "melee.hit", 6, count, rule="t9a:15.D.e", about=about, need=need, sense="high", cuts=_cuts(wanted)
    )
    hits, sixes = _passed(faces, wanted)
    failed = count - hits
    if again and failed:
        faces = yield Roll(
            seat,
            "melee.hit.again",
            6,
            failed,
            rule="t9a:2.B.a-reroll",
            about=about,
            need=need,
            sense="high",
            cuts=_cuts(wanted),
        )
        more, sixes2 = _passed(faces, wanted)
        hits, sixes = hits + more, sixes + sixes2
    return hits, sixes


def _passed(faces: Sequence[int], need: int) -> tuple[int, int]:
    """Successes and natural sixes among them; a natural 1 never succeeds, a natural 6 always does."""
    good = [f for f in faces if f != 1 and (f >= need or f == 6)]
    return len(good), sum(f == 6 for f in good)


def shots(seat: str, count: int, need: Need, about: Sequence[str] = ()) -> Script[tuple[int, int]]:
    """t9a:14.C, t9a:14.D  Shooting: hits and natural sixes among them; 7+ is a Hopeless Shot, 8+ cannot hit."""
    wanted = number(need)
    if count <= 0 or wanted >= 8:
        return 0, 0
    faces = yield Roll(
        seat,
        "shot.hit",
        6,
        count,
        rule="t9a:14.A.a-fire",
        about=about,
        need=need,
        sense="high",
        cuts=_cuts(min(wanted, 6)),
    )
    if wanted == 7:
        sixes = sum(f == 6 for f in faces)
        if not sixes:
            return 0, 0
        faces = yield Roll(
            seat, "shot.hopeless", 6, sixes, rule="t9a:14.D", about=about, need=4, sense="high", cuts=(4,)
        )
        hits = sum(f >= 4 for f in faces)
        return hits, hits
    return _passed(faces, wanted)


def wounds(
    seat: str, count: int, need: Need, again: bool = False, about: Sequence[str] = ()
) -> Script[tuple[int, int]]:
    """t9a:7.F, t9a:7.F-natural  Wounds and natural sixes among them."""
    if count <= 0:
        return 0, 0
    wanted = number(need)
    faces = yield Roll(
        seat, "wound", 6, count, rule="t9a:7.F", about=about, need=need, sense="high", cuts=_cuts(wanted)
    )
    done, sixes = _passed(faces, wanted)
    if again and count > done:
        faces = yield Roll(
            seat,
            "wound.again",
            6,
            count - done,
            rule="t9a:2.B.a-reroll",
            about=about,
            need=need,
            sense="high",
            cuts=_cuts(wanted),
        )
        more, sixes2 = _passed(faces, wanted)
        done, sixes = done + more, sixes + sixes2
    return done, sixes


def unsaved(
    seat: str, count: int, need: Need, about: Sequence[str] = (), name: str = "save.armour", rule: str = "t9a:7.G"
) -> Script[int]:
    """t9a:7.G, t9a:7.H  How many saves fail; 7+ and more is no save, a natural 1 always fails (t9a:7.G-natural1)."""
    wanted = number(need)
    if count <= 0 or wanted > 6:
        return max(count, 0)
    faces = yield Roll(
        seat, name, 6, count, rule=rule, about=about, need=need, sense="high", cuts=_cuts(wanted, six=False)
    )
    return sum(f == 1 or f < wanted for f in faces)


def aegis(seat: str, count: int, need: Need, divine: bool, about: Sequence[str] = ()) -> Script[int]:
    """t9a:21.D.b.1, t9a:21.G.b.3  Aegis saves; against Divine Attacks successful ones are rolled again."""
    failed = yield from unsaved(seat, count, need, about, "save.aegis", "t9a:21.D.b.1")
    passed = max(count, 0) - failed
    if divine and passed:
        failed += yield from unsaved(seat, passed, need, about, "save.aegis.again", "t9a:21.G.b.3")
    return failed


def multiplied(seat: str, count: int, each: Amount, most: int, about: Sequence[str] = ()) -> Script[int]:
    """t9a:21.G.b.11  Each unsaved wound becomes X, rolled for each, never more than the target's Health Points."""
    if each.fixed:
        return count * min(each.plus, most)
    total = 0
    for _ in range(count):
        faces = yield Roll(seat, "wound.multiple", 6, each.count, rule="t9a:21.G.b.11", about=about)
        total += min(most, each.total(faces))
    return total
