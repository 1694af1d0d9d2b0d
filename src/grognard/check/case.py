"""What a case is: the shapes people write (see docs/cases.md), and a case as the runner holds it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

#: An answer, a value or a condition: whatever the game and its questions take.
Plain = Any
#: What an event must look like: its kind, or the parts that must be there.
Pattern = str | dict[str, Any]
#: One face, or `{name of the roll: face or faces}`.
Die = int | dict[str, int | list[int]]


class _Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The common settings of everything written in a case: an unknown key is a mistake."""


class Muster(_Shape, frozen=True):
    """An army list, and what the rules of list building say about it."""

    army: Annotated[
        str | dict[str, Any],
        Meta(description="The army list, the name of a starter army, or a file beside the case."),
    ]
    findings: Annotated[list[Pattern], Meta(description="What must be found, in any order.")] = []
    never: Annotated[list[Pattern], Meta(description="What must not be found.")] = []
    legal: Annotated[bool | UnsetType, Meta(description="Whether the list is legal (warnings aside).")] = UNSET


class Expect(_Shape, frozen=True):
    """What must be so."""

    events: Annotated[list[Pattern], Meta(description="Events that happened, in this order, others between.")] = []
    anywhere: Annotated[list[Pattern], Meta(description="Events that happened, in any order.")] = []
    never: Annotated[list[Pattern], Meta(description="Events that did not happen.")] = []
    not_asked: Annotated[
        str | dict[str, Plain] | list[str | dict[str, Plain]],
        Meta(description="Questions not asked, though the rules went past the point: a name, or {name, seat, about}."),
    ] = []
    at: Annotated[
        str,
        Meta(description="A phase or a question: state and numbers as they were when it last began or was asked."),
    ] = ""
    state: Annotated[
        dict[str, dict[str, Plain]],
        Meta(description="Fields of models, units, seats or of the battle, by name."),
    ] = {}
    numbers: Annotated[
        list[dict[str, Plain]],
        Meta(description="Numbers the rules compute: {measure: name, …arguments, value: n, why: [...]}."),
    ] = []
    pending: Annotated[
        str | dict[str, Plain] | list[dict[str, Plain]] | UnsetType | None,
        Meta(description="The question now asked ({name, seat, offers, not}), or `over`."),
    ] = UNSET
    result: Annotated[dict[str, Plain] | UnsetType | None, Meta(description="How the game ended.")] = UNSET
    view: Annotated[dict[str, dict[str, Plain]], Meta(description="What a seat may see, by seat.")] = {}
    odds: Annotated[
        list[dict[str, Plain]],
        Meta(description="Exact odds: {question: name, …arguments, chance: {outcome: 3/10}, mean: n}."),
    ] = []
    muster: Annotated[Muster | list[Muster], Meta(description="What list building says of an army list.")] = []
    error: Annotated[str, Meta(description="The situation is refused with an error that holds this text.")] = ""


class Setup(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A game from its beginning. Keys beyond these go to the game as they are."""

    scenario: str | None = None
    armies: list[str | dict[str, Any]] = []
    seed: int = 0


class CaseText(_Shape, frozen=True):
    """A case as it is written."""

    id: Annotated[str, Meta(description="A name no other case has.", min_length=1)]
    title: Annotated[str, Meta(description="One sentence in the players' words.", min_length=1)]
    game: Annotated[str, Meta(description="The game's id; by default the folder under cases/.")] = ""
    note: Annotated[str, Meta(description="Anything a reader should know; the page of the book.")] = ""
    rules: Annotated[list[str], Meta(description="The rules this case exercises; each must be touched.")] = []
    house: Annotated[dict[str, Plain], Meta(description="House rules.")] = {}
    given: Annotated[dict[str, Plain] | UnsetType, Meta(description="The situation; its keys are the game's.")] = UNSET
    setup: Annotated[dict[str, Plain] | UnsetType, Meta(description="A game from its beginning.")] = UNSET
    dice: Annotated[list[Die], Meta(description="Faces in the order rolled; none may be left.")] = []
    otherwise: Annotated[
        dict[str, Plain],
        Meta(description="Answers to questions the case does not care about, by the question's name."),
    ] = {}
    do: Annotated[list[dict[str, Plain]], Meta(description="What is done, in order.")] = []
    until: Annotated[str, Meta(description="Where to stop: the name of a question or a phase.")] = ""
    expect: Annotated[Expect, Meta(description="What must be so at the end.")] = Expect()


class Answer(_Shape, frozen=True):
    """`{question.name: answer}`: a player decides."""

    name: str
    value: Plain
    seat: str | None = None
    about: str | None = None


class Refuse(_Shape, frozen=True):
    """An answer the rules forbid: it must be refused, by this rule, and change nothing."""

    refuse: dict[str, Plain]
    rule: str
    text: str = ""
    seat: str | None = None
    about: str | None = None


class Offered(_Shape, frozen=True):
    """Options that are on offer, one or a list; with `only`, no others are."""

    offered: dict[str, list[Plain] | dict[str, Plain] | str | float]
    only: bool = False
    seat: str | None = None
    about: str | None = None


class NotOffered(_Shape, frozen=True):
    """Options that are not on offer, one or a list; with `rule`, because of that rule."""

    not_offered: dict[str, list[Plain] | str | float]
    rule: str | None = None
    seat: str | None = None
    about: str | None = None


class Now(_Shape, frozen=True):
    """What must be so at this point; events are those since the last such point."""

    expect: Expect


class Faces(_Shape, frozen=True):
    """Dice rolled by hand at this point."""

    roll: Die | list[Die]


class Undo(_Shape, frozen=True):
    """The last decision is taken back."""

    undo: bool | Literal["agreed"]


class Until(_Shape, frozen=True):
    """Go on, declining, until a question is asked or a phase begins."""

    until: str


Step = Answer | Refuse | Offered | NotOffered | Now | Faces | Undo | Until

#: The step of an entry, by the key that marks it.
MARKED: dict[str, type[Refuse | Offered | NotOffered | Now | Faces | Undo | Until]] = {
    "refuse": Refuse,
    "offered": Offered,
    "not_offered": NotOffered,
    "expect": Now,
    "roll": Faces,
    "undo": Undo,
    "until": Until,
}


@dataclass(frozen=True)
class Where:
    """The file a case stands in, and the line of each of its parts."""

    file: str
    lines: dict[tuple[str | int, ...], int] = field(default_factory=dict)
    base: tuple[str | int, ...] = ()
    folder: str = ""

    def line(self, *path: str | int) -> int:
        """The line of a part, or of the nearest part around it."""
        full = (*self.base, *path)
        while full and full not in self.lines:
            full = full[:-1]
        return self.lines.get(full, 1)

    def at(self, *path: str | int) -> str:
        """`file:line` of a part."""
        return f"{self.file}:{self.line(*path)}"

    def spot(self, key: str, told: str) -> str:
        """`file:line` of the part a message begins with, such as given.units.archers.orders[0]."""
        path: tuple[str | int, ...] = (key,)
        rest = told.removeprefix(key)
        while rest != told:
            full, told = (*self.base, *path), rest
            parts = [p[-1] for p in self.lines if len(p) == len(full) + 1 and p[: len(full)] == full]
            named = [(part, (f"[{part}]" if isinstance(part, int) else str(part))) for part in parts]
            text = rest if rest.startswith("[") else rest.lstrip(".: ")
            near = [(len(name), part) for part, name in named if re.match(rf"{re.escape(name)}(?![\w-])", text)]
            if near:
                length, part = max(near, key=lambda found: found[0])
                path, rest = (*path, part), text[length:]
        return self.at(*path)


@dataclass(frozen=True)
class Case:
    """A case ready to run."""

    text: CaseText
    steps: tuple[Step, ...]
    where: Where
    game: str

    @property
    def id(self) -> str:
        return self.text.id

    @property
    def title(self) -> str:
        return self.text.title

    @property
    def expects(self) -> list[Expect]:
        """Everything it expects, on its way and at the end."""
        return [self.text.expect, *(step.expect for step in self.steps if isinstance(step, Now))]


class Failure(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that was not as the case says: where it says so, what, and the two sides."""

    where: str
    what: str
    expected: str = ""
    got: str = ""


class Outcome(msgspec.Struct, frozen=True):
    """What running a case showed. `touched` are all rules that had a say, `claimed` those the case names."""

    id: str
    title: str
    game: str
    where: str
    passed: bool
    failures: tuple[Failure, ...]
    claimed: tuple[str, ...]
    touched: tuple[str, ...]

    @property
    def covered(self) -> tuple[str, ...]:
        """The rules that count: claimed and touched, by a case that holds."""
        if not self.passed:
            return ()
        touched = frozenset(self.touched)
        return tuple(rule for rule in self.claimed if rule in touched)
