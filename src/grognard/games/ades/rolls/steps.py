"""The rolls of the game, each written once: the battle rolls them, the odds desk weighs them.

A step is a script over plain values that rolls dice and offers re-rolls; whoever calls it draws the consequences.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from grognard.kernel.questions import Note, Pick, Roll, Script, option
from grognard.kernel.words.tally import Tally

D6 = 6
AUTO = "ades:1.1.3-auto"
#: The face of a test that fails without a die.
NEVER = 7
SOURCES = {
    "seasoned": "ades:13.2-aguerri",
    "luck": "ades:13.2-chance",
    "resolution": "ades:13.2-resolution",
    "intimidation": "ades:13.2-intimidation",
    "aimed": "ades:4.2.5.5-aimed",
}


def truc(diff: float) -> int:
    """ades:1.1.3-truc  The face needed for a difference: 7 never, 1 always.

    >>> [truc(d) for d in (-6, -5, -3, 0, 1, 4, 5)]
    [7, 6, 5, 4, 3, 2, 1]
    """
    return 7 - max(0, min(6, int((diff + 7) // 2)))


def endless(diff: float) -> int:
    """ades:1.1.7  The face needed if the columns went on beyond the table; the ends hold only after shifting."""
    return 7 - int((diff + 7) // 2)


def column(diff: float) -> int:
    """ades:1.1.6-bidule  The column of the damage table, from 0 (-6 and less) to 9 (+11 and more)."""
    return max(0, min(9, int((diff + 7) // 2)))


def bidule(face: int, col: int) -> int:
    """ades:1.1.6-bidule  Damage points in the table.

    >>> bidule(4, column(5 - 3))
    2
    """
    return max(0, (face + col - 3) // 2)


# ---------------------------------------------------------------------- tests


class Test(msgspec.Struct, frozen=True):
    """ades:1.1.3-test  A test about to be rolled. `need` is the face; `again` what its roller may roll a failure again
    with, `forced` what the opponent may have a success rolled again with."""

    seat: str
    name: str
    rule: str
    need: Tally
    about: tuple[str, ...] = ()
    dice: int = 1
    again: tuple[str, ...] = ()
    foe: str = ""
    forced: tuple[str, ...] = ()


class Tested(msgspec.Struct, frozen=True):
    """Whether it was passed, the faces, what was used up, and the faces that were rolled again for it."""

    passed: bool
    faces: tuple[int, ...] = ()
    used: tuple[str, ...] = ()
    old: tuple[int, ...] = ()


def clamp(need: Tally) -> Tally:
    """ades:1.1.7  After the shifts the ends of the table hold: 7 fails without a die, 1 succeeds without."""
    return need.at_least(1, "automatic success", AUTO).at_most(7, "automatic failure", AUTO)


def _die(test: Test, rule: str, count: int) -> Roll:
    need = int(test.need.value)
    return Roll(
        test.seat, test.name, D6, count, rule=rule, about=test.about, need=test.need, sense="high", cuts=(need,)
    )


def _offer(seat: str, test: Test, sources: tuple[str, ...], faces: tuple[int, ...]) -> Script[str | None]:
    if not sources:
        return None
    chosen: str | None = yield Pick(
        seat, "reroll", [option(s, text=f"reroll.{s}") for s in sources], optional=True, rule=SOURCES[sources[0]],
        about=test.about, data={"roll": f"roll.{test.name}"},
        notes=(Note("note.reroll", {"faces": list(faces), "need": f"{test.need.value:g}+"}, test.rule),),
    )  # fmt: skip
    return chosen


def attempt(test: Test) -> Script[Tested]:
    """ades:1.1.3-test, ades:1.1.3-multidice, ades:1.1.10-once  Roll; a failure or success may be rolled again once."""
    need = int(test.need.value)
    if need <= 1 or need >= 7:
        return Tested(need <= 1)
    faces: tuple[int, ...] = yield _die(test, test.rule, test.dice)
    good = sum(face >= need for face in faces)
    if not good:
        source = yield from _offer(test.seat, test, test.again, faces)
        if source is None:
            return Tested(False, faces)
        more: tuple[int, ...] = yield _die(test, "ades:1.1.10-once", len(faces))
        return Tested(any(face >= need for face in more), more, (source,), faces)
    source = yield from _offer(test.foe, test, test.forced, faces) if test.foe else ()
    if source is None or not test.foe:
        return Tested(True, faces)
    more = yield _die(test, "ades:1.1.10-once", good)
    return Tested(any(face >= need for face in more), more, (source,), faces)


def challenge(first: Test, answer: Callable[[], Script[Test]]) -> Script[tuple[bool, Tested, Tested | None]]:
    """ades:1.1.4  Whether the initiator wins, and both tests; the answer is made ready only if it is needed."""
    one = yield from attempt(first)
    if not one.passed:
        return False, one, None
    two = yield from attempt((yield from answer()))
    return not two.passed, one, two


# ---------------------------------------------------------------------- damage


class Hit(msgspec.Struct, frozen=True):
    """ades:1.1.6-procedure, ades:0-damage-pipeline  A damage test about to be rolled."""

    seat: str
    name: str
    rule: str
    column: Tally
    about: tuple[str, ...] = ()
    foe: str = ""
    again: tuple[str, ...] = ()  # who strikes may roll again
    forced: tuple[str, ...] = ()  # who suffers may have it rolled again
    foe_first: bool = False  # ades:1.1.10-priority
    sacred: str = ""  # "", "weapon" or "armour"; both cancel out
    instinct: bool = False
    sword_axe: bool = False
    vulnerable: bool = False
    ferocious: bool = False
    master: bool = False
    ethereal: bool = False
    cap: int = 99

    @property
    def target(self) -> str:
        """Who is struck: the last it is about, after whoever strikes."""
        return self.about[-1] if self.about else ""


class Hurt(msgspec.Struct, frozen=True):
    """The damage points, the face that counted, what the table said, what was used up and what had its say; of a die
    that was rolled again both faces.
    """

    lost: int
    face: int
    base: int
    used: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    again: tuple[int, ...] = ()


#: What looks at the face and the table's number, and has its say also where it changes nothing.
_LOOKS = (
    ("instinct", "ades:13.2-instinct-de-survie"),
    ("sword_axe", "ades:13.1-epee-hache"),
    ("vulnerable", "ades:13.2-vulnerable"),
    ("ferocious", "ades:13.2-feroce"),
    ("master", "ades:13.2-coup-de-maitre"),
    ("ethereal", "ades:13.2-ethere"),
)


def harm(hit: Hit, face: int) -> Hurt:
    """ades:0-damage-pipeline  What a face does, in order: row 4, additions, Ethereal, a titan's limit."""
    col = int(hit.column.value)
    base = bidule(face, col)
    rules = [rule for flag, rule in _LOOKS if getattr(hit, flag)]
    if hit.instinct and face == 4:
        base = 0
    lost = base
    lost += hit.sword_axe and base >= 3
    lost += hit.vulnerable and base >= 1
    lost += hit.ferocious and face in (2, 3)
    lost += 2 * hit.master
    lost -= hit.ethereal and lost > 0
    if lost > hit.cap:
        lost = hit.cap
        rules.append("ades:11.2-weak")
    return Hurt(lost, face, base, rules=tuple(rules))


def damage(hit: Hit) -> Script[Hurt]:
    """ades:1.1.6-procedure, ades:1.1.6-bidule  The die, one re-roll at most, sacred gear, then the table."""
    (face,) = yield _blow(hit, hit.rule)
    used: tuple[str, ...] = ()
    again: tuple[int, ...] = ()
    sides = [(hit.seat, hit.again), (hit.foe, hit.forced)]
    if hit.foe_first:
        sides.reverse()
    for seat, sources in sides:
        if not sources:
            continue
        source = yield Pick(
            seat, "damage.reroll", [option(s, text=f"reroll.{s}") for s in sources], optional=True,
            rule=RULES_FOR[sources[0]], about=hit.about,
            data={"target": hit.target, "face": face, "lost": harm(hit, face).lost},
            notes=(Note("note.damage", {"least": harm(hit, 1).lost, "most": harm(hit, 6).lost}, hit.rule),),
        )  # fmt: skip
        if source is not None:
            (second,) = yield _blow(hit, "ades:1.1.10-once")
            used, again = (source,), (face, second)
            face = yield from _keep(hit, seat, face, second, RULES_FOR[source])
            break
    face, rules = yield from _sacred(hit, face)
    hurt = harm(hit, face)
    return msgspec.structs.replace(hurt, used=used, rules=(*rules, *hurt.rules), again=again)


RULES_FOR = {
    "seasoned": "ades:13.2-aguerri-for",
    "resolution": "ades:13.2-resolution-for",
    "intimidation": "ades:13.2-intimidation-for",
    "aimed": "ades:4.2.5.5-aimed",
}


def _blow(hit: Hit, rule: str) -> Roll:
    return Roll(hit.seat, hit.name, D6, rule=rule, about=hit.about, need=hit.column, sense="column")


def _keep(hit: Hit, seat: str, old: int, new: int, rule: str) -> Script[int]:
    """ades:13.2-aguerri-for, ades:13.2-intimidation-for  Whoever had it rolled again keeps the old or the new face."""
    if old == new:
        return old
    options = [
        option(key, face, text="option.face", data={"face": face, "lost": harm(hit, face).lost})
        for key, face in (("new", new), ("old", old))
    ]
    kept: int = yield Pick(seat, "damage.keep", options, rule=rule, about=hit.about, data={"target": hit.target})
    return kept


def _sacred(hit: Hit, face: int) -> Script[tuple[int, tuple[str, ...]]]:
    """ades:13.1-arme-sacree, ades:13.1-armure-sacree  A 1 may count as 6, a 6 as 1; whoever has the gear decides."""
    if not hit.sacred:
        return face, ()
    rule = "ades:13.1-arme-sacree" if hit.sacred == "weapon" else "ades:13.1-armure-sacree"
    if (hit.sacred, face) not in (("weapon", 1), ("armour", 6)):
        return face, (rule,)
    seat = hit.seat if hit.sacred == "weapon" else hit.foe
    turned = 7 - face
    options = [
        option("use", text="option.sacred", data={"face": turned, "lost": harm(hit, turned).lost}),
        option("leave", text="option.leave", data={"face": face, "lost": harm(hit, face).lost}),
    ]
    used = yield Pick(
        seat, "damage.sacred", options, optional=True, nay="leave", rule=rule, about=hit.about,
        data={"target": hit.target, "face": face, "turned": turned},
    )  # fmt: skip
    return (turned if used == "use" else face, (rule,))
