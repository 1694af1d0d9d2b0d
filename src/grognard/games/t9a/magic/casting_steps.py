"""t9a:13.H  The rolls of a casting attempt as steps over plain numbers: the battle rolls them, the odds desk
weighs them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from grognard.kernel.questions import Roll, Script
from grognard.kernel.words.tally import Tally


def value_of(plus: Tally | int) -> int:
    return int(plus.value) if isinstance(plus, Tally) else plus


def cast(
    seat: str, dice: int, value: int, plus: Tally | int, about: Sequence[str] = ()
) -> Script[tuple[tuple[int, ...], int, bool]]:
    """t9a:13.H.a, t9a:13.H.a-single  The faces, the Casting Total, and whether the attempt succeeded."""
    added = plus if isinstance(plus, Tally) else Tally(plus, "casting", "t9a:13.H.d.1")
    faces = yield Roll(
        seat, "magic.roll", 6, dice, rule="t9a:13.H.a", about=about, plus=added, need=value, sense="high"
    )
    total = sum(faces) + value_of(plus)
    return faces, total, total >= value and not (dice == 1 and faces[0] <= 2)


def dispel(
    seat: str, dice: int, total: int, plus: Tally | int, about: Sequence[str] = ()
) -> Script[tuple[tuple[int, ...], bool]]:
    """t9a:13.H.b  The faces, and whether the spell is stopped: a total of at least the Casting Total."""
    added = plus if isinstance(plus, Tally) else Tally(plus, "dispelling", "t9a:13.H.d.1")
    faces = yield Roll(
        seat, "magic.dispel.roll", 6, dice, rule="t9a:13.H.b", about=about, plus=added, need=total, sense="high"
    )
    return faces, sum(faces) + value_of(plus) >= total


def triple(faces: Sequence[int]) -> int | None:
    """t9a:13.I  The value shown by three dice or more."""
    value, count = Counter(faces).most_common(1)[0]
    return value if count >= 3 else None


def doom(faces: Sequence[int], flux: int = 0, card: int = 0) -> Tally | None:
    """t9a:13.I, t9a:13.I-mods  The modified value of a Miscast, or None: by the number of dice and the Flux Card."""
    value = triple(faces)
    if value is None:
        return None
    tally = Tally(value, "triple", "t9a:13.I")
    tally.add({3: -1, 5: 1}.get(len(faces), 0), f"{len(faces)} dice", "t9a:13.I-mods")
    return tally.add(card, f"Flux Card {flux}", "t9a:13.I-mods")


def attempt(seat: str, dice: int, value: int, plus: int, against: int, against_plus: int, card: int = 0) -> Script[str]:
    """A whole attempt: failed, dispelled, cast, or cast with a Miscast.

    t9a:13.I.a-111, 13.I.a-000  A Loss of Concentration fails; a Miscast of nothing is none.
    """
    faces, total, done = yield from cast(seat, dice, value, plus)
    if not done:
        return "failed"
    if against:
        _, stopped = yield from dispel(seat, against, total, against_plus)
        if stopped:
            return "dispelled"
    fate = doom(faces, card=card)
    if fate is None or fate.value < 1:
        return "cast"
    return "failed" if fate.value == 1 else "miscast"
