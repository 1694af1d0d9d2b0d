"""Dice, questions asked of several players at once, and what a script is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from random import Random
from typing import Any, NamedTuple, TypeVar

from grognard.kernel.errors import Refusal, Refused, ScriptError
from grognard.kernel.questions.base import Question
from grognard.kernel.words.tally import Tally


class Alone(NamedTuple):
    """A step that can be weighed apart from what it is part of: what tells it from others, and how it is weighed.

    `weigh` takes the Weigher and gives the distribution of what the step comes to.
    """

    key: Hashable
    weigh: Callable[[Any], Any]


class Settled(NamedTuple):
    """Instead of faces: what a step weighed apart has come to."""

    outcome: Any


class Roll:
    """Dice. The answer is a tuple of faces.

    `plus` is what the rules add to the die, `need` what it is compared with, `sense` how ("high": total
    at least need, "over": total more than need, "under": face at most need, "value": the number itself).
    They explain the roll; the script draws the consequence. `cuts` promises that the script only looks at
    which side of each cut a face lies (cut c separates faces < c from faces >= c), so that weighing may
    merge the faces between cuts. The dice of one roll are interchangeable: a script that tells them apart
    (a red die and a white one) makes two rolls. `drop` is how many of the lowest dice do not count, negative: of the
    highest. `spoils` is the face that spoils the roll whatever it comes to. The first roll of a step that can be
    weighed by itself says so in `alone` (see `kernel.apart`); whoever rolls dice need not look at it. A `secret` roll
    is seen by its own seat only.
    """

    __slots__ = (
        "about", "alone", "count", "cuts", "drop", "name", "need", "plus", "rule", "seat", "secret", "sense", "sides",
        "spoils",
    )  # fmt: skip
    kind = "roll"

    def __init__(
        self,
        seat: str,
        name: str,
        sides: int,
        count: int = 1,
        *,
        rule: str,
        about: Sequence[str] = (),
        plus: Tally | None = None,
        need: Tally | int | None = None,
        sense: str = "value",
        cuts: tuple[int, ...] | None = None,
        drop: int = 0,
        spoils: int | None = None,
        secret: bool = False,
    ) -> None:
        self.seat = seat
        self.name = name
        self.drop = drop
        self.spoils = spoils
        self.secret = secret
        self.sides = sides
        self.count = count
        self.rule = rule
        self.about = tuple(about)
        self.plus = plus
        self.need = need
        self.sense = sense
        self.cuts = cuts
        self.alone: Alone | None = None

    def decode(self, wire: Any) -> tuple[int, ...]:
        faces = [wire] if type(wire) is int else wire
        if (
            not isinstance(faces, list | tuple)
            or len(faces) != self.count
            or not all(type(face) is int and 1 <= face <= self.sides for face in faces)
        ):
            raise Refused(
                Refusal(
                    "refuse.bad-faces", self.rule, {"question": self.name, "count": self.count, "sides": self.sides}
                )
            )
        return tuple(faces)

    def refusal(self, wire: Any) -> Refusal | None:
        try:
            self.decode(wire)
        except Refused as refused:
            return refused.refusal
        return None

    def sample(self, rng: Random) -> list[int]:
        return [rng.randint(1, self.sides) for _ in range(self.count)]

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule that had a say in this roll."""
        tallies = [t for t in (self.plus, self.need) if isinstance(t, Tally)]
        return (self.rule, *(rule for t in tallies for rule in t.rules))

    @property
    def each(self) -> bool:
        """Whether each of several dice is compared by itself: a script that adds them up looks at more than cuts."""
        return self.count > 1 and self.cuts is not None and self.need is not None

    def counted(self, faces: tuple[int, ...]) -> tuple[int, ...]:
        """The faces that count."""
        ordered = sorted(faces)
        return tuple(ordered[self.drop :] if self.drop > 0 else ordered[: len(ordered) + self.drop])

    def record(self, faces: tuple[int, ...]) -> dict[str, Any]:
        """The roll and its explanation as plain data."""
        data: dict[str, Any] = {"name": self.name, "sides": self.sides, "faces": list(faces), "sense": self.sense}
        if self.plus is not None:
            data["plus"] = self.plus.value
            data["plus_why"] = self.plus.why()
        if self.plus is not None or self.drop:
            data["total"] = sum(self.counted(faces)) + (self.plus.value if self.plus is not None else 0)
        if isinstance(self.need, Tally):
            data["need"] = self.need.value
            data["need_why"] = self.need.why()
        elif self.need is not None:
            data["need"] = self.need
        if self.each:
            data["each"] = True
        if self.drop:
            data["drop"] = self.drop
        if self.spoils in faces:
            data["spoilt"] = self.spoils
        return data

    def wire(self) -> dict[str, Any]:
        return {
            "kind": self.kind, "seat": self.seat, "name": self.name, "rule": self.rule, "about": list(self.about),
            "data": {}, "sides": self.sides, "count": self.count,
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"Roll({self.seat}: {self.name} {self.count}D{self.sides})"


class Together:
    """Questions asked of several players at once, in secret; answered in any order, revealed together.

    `then` is told every answer (seat, answer) and may ask that seat another question, whatever the others are at: so
    everybody comes to the end at their own pace. It may change only what is that seat's own.
    """

    __slots__ = ("checkpoint", "questions", "then")

    def __init__(
        self,
        questions: Sequence[Question],
        *,
        checkpoint: bool = False,
        then: Callable[[str, Any], Question | None] | None = None,
    ) -> None:
        self.questions = tuple(questions)
        self.checkpoint = checkpoint
        self.then = then
        if len({question.seat for question in self.questions}) < len(self.questions):
            raise ScriptError(f"{self.questions[0].name}: one seat is asked twice at once")
        for question in self.questions:
            question.secret = True

    def after(self, seat: str, answer: Any) -> Question | None:
        """What a seat is asked next, if anything."""
        question = self.then(seat, answer) if self.then is not None else None
        if question is not None:
            question.secret = True
        return question


T = TypeVar("T")
Ask = Question | Roll | Together
Script = Generator[Ask, Any, T]
#: A step is a script over a small hashable state that only rolls (and offers re-rolls): it can be weighed.
Step = Callable[..., Script[T]]
