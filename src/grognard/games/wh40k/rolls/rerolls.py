"""Chapters 1.13 and 13.2.1: dice, and who may roll them again: what every roll goes through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from grognard.games.wh40k.army.amounts import D6, Amount
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Note, Option, Pick, Roll, Script
from grognard.kernel.words.tally import Tally

COMMAND = "wh40k:13.2.1-command-reroll"
RANDOM = "wh40k:11.4.3-random-other"


class Roller(msgspec.Struct, frozen=True):
    """Whoever rolls: seat, what it is about, and what may be re-rolled.

    `free`: "any" (every die may be), "ones" (dice that show 1), "" (none); `free_rule` says why. `command`: the player
    may still use Command Re-roll for one die or one summed roll, and does so by `uses`; `barred` is why not, where a
    player would look for it.
    """

    seat: str
    about: tuple[str, ...] = ()
    free: str = ""
    free_rule: str = ""
    command: bool = False
    barred: Refusal | None = None
    uses: Callable[[], None] | None = None

    def pay(self) -> None:
        """wh40k:13.1.1-cost  Command Re-roll is used: it is paid for before the dice are rolled again."""
        if self.uses is not None:
            self.uses()

    def plainly(self) -> Roller:
        """The same for a roll that nothing lets be re-rolled."""
        return Roller(self.seat, self.about)


class Rolled(msgspec.Struct, frozen=True):
    """The unmodified faces (wh40k:1.13.4-unmodified), and whether and how any were re-rolled."""

    faces: tuple[int, ...]
    command: bool = False
    rules: tuple[str, ...] = ()


#: wh40k:1.13  What has its say whenever a die is re-rolled.
AGAIN = ("wh40k:1.13.2-once", "wh40k:1.13.3-before-mods", "wh40k:1.13.4-unmodified")


class _Throw(NamedTuple):
    """One throw of dice: what is rolled, and which faces are good, or worth rolling again."""

    who: Roller
    name: str
    need: Tally | int | None
    plus: Tally | None
    cuts: tuple[int, ...] | None
    worth: Callable[[int], bool]
    good: Callable[[int], bool] | None

    def roll(self, number: int, rule: str) -> Roll:
        who = self.who
        return Roll(
            who.seat, self.name, D6, number, rule=rule, about=who.about, plus=self.plus, need=self.need, sense="high",
            cuts=self.cuts,
        )  # fmt: skip

    def options(self, faces: Sequence[int], some: Sequence[int], worth: Callable[[int], bool]) -> list[Option]:
        """wh40k:1.13.2-once  The dice that may still be re-rolled, by their place in the roll."""
        return [
            Option(
                str(i + 1), i, "option.die",
                data={"face": faces[i], "place": i + 1, "good": self.succeeds(faces[i]), "worth": worth(faces[i])},
            )
            for i in some
        ]  # fmt: skip

    def succeeds(self, face: int) -> bool:
        return self.good(face) if self.good is not None else not self.worth(face)

    def idle(self, faces: Sequence[int], some: Sequence[int]) -> bool:
        """Whether nobody would roll any of these again."""
        return not any(self.worth(faces[i]) for i in some)


def dice(
    who: Roller, name: str, count: int, rule: str, *, need: Tally | int | None = None, plus: Tally | None = None,
    worth: Callable[[int], bool], good: Callable[[int], bool] | None = None, cuts: tuple[int, ...] | None = None,
    freely: Callable[[int], bool] | None = None,
) -> Script[Rolled]:  # fmt: skip
    """wh40k:1.12.4-lost-dice, wh40k:1.13.3-before-mods
    So many D6, each on its own; whoever has the means may re-roll any of them, each only once.

    Faces are `worth` a Command Re-roll, and worth a free one `freely` where that is not the same; where none is worth
    paying for nobody would roll again for nothing either. `good` faces succeed as they are; left out, those not worth
    re-rolling do.
    """
    if not count:
        return Rolled(())
    throw = _Throw(who, name, need, plus, cuts, worth, good)
    faces = list((yield throw.roll(count, rule)))
    again = yield from _freely(throw, faces, freely or worth)
    command = yield from _commanded(throw, faces, again)
    return Rolled(tuple(faces), command, AGAIN if again or command else ())


def _freely(throw: _Throw, faces: list[int], worth: Callable[[int], bool]) -> Script[tuple[int, ...]]:
    """wh40k:1.13.2-once  The dice that are rolled again for nothing, by their place; their faces are changed."""
    who = throw.who
    some = [i for i, face in enumerate(faces) if who.free == "any" or face == 1] if who.free else []
    if not some:
        return ()
    chosen = yield Pick(
        who.seat, "reroll.some", throw.options(faces, some, worth), least=0, most=len(some), rule=who.free_rule,
        about=who.about, data={"roll": f"roll.{throw.name}"}, aside=True, idle=throw.idle(faces, some),
    )  # fmt: skip
    again: tuple[int, ...] = (chosen,) if isinstance(chosen, int) else chosen or ()
    if again:
        for i, face in zip(again, (yield throw.roll(len(again), who.free_rule)), strict=True):
            faces[i] = face
    return again


def _commanded(throw: _Throw, faces: list[int], again: tuple[int, ...]) -> Script[bool]:
    """wh40k:13.2.1-command-reroll  Whether one die, not rolled again yet, is for a CP; its face is changed."""
    who = throw.who
    if not who.command and who.barred is None:
        return False
    some = [i for i in range(len(faces)) if i not in again]
    spent = Refusal("refuse.rerolled", "wh40k:1.13.2-once", {}, (COMMAND,))
    barred = dict.fromkeys((str(i + 1) for i in some), who.barred) if who.barred is not None else {}
    chosen = yield Pick(
        who.seat, "reroll.command", throw.options(faces, some, throw.worth) if who.command else [], optional=True,
        rule=COMMAND, about=who.about, data={"roll": f"roll.{throw.name}"}, aside=True, idle=throw.idle(faces, some),
        barred=barred | {str(i + 1): spent for i in again},
    )  # fmt: skip
    if chosen is None:
        return False
    who.pay()
    (faces[chosen],) = yield throw.roll(1, COMMAND)
    return True


def total(
    who: Roller, name: str, value: Amount, rule: str, *, plus: Tally | None = None,
    judged: Callable[[int], Sequence[Note]] | None = None,
) -> Script[tuple[int, bool]]:  # fmt: skip
    """wh40k:1.12.1-d6, wh40k:1.13.1-sum
    A number rolled and added up, re-rolled as a whole; and whether Command Re-roll was used.

    Nobody would re-roll the highest. `judged` tells what a number rolled is worth, before it is decided.
    """
    if value.fixed:
        return value.plus, False

    def roll(by: str) -> Roll:
        cuts = (3, 5) if value.sides == 3 else None
        return Roll(who.seat, name, D6, value.count, rule=by, about=who.about, plus=plus, sense="value", cuts=cuts)

    faces = yield roll(rule)
    if not who.command and who.barred is None:
        return value.total(faces), False
    number = value.total(faces)
    options = [Option("reroll", True, "option.reroll", data={"total": number})]
    agreed = yield Pick(
        who.seat, "reroll.sum", options if who.command else [], optional=True, rule=COMMAND, about=who.about,
        data={"roll": f"roll.{name}", "total": number}, aside=True, idle=number == value.most,
        barred=None if who.barred is None else {"reroll": who.barred}, notes=judged(number) if judged else (),
    )  # fmt: skip
    if agreed is None:
        return number, False
    who.pay()
    faces = yield roll(COMMAND)
    return value.total(faces), True
