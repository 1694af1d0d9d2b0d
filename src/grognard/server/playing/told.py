"""What the server tells a page, as types: the page's own types are made from them (`make pages`), and the tests hold
every message against them. Lengths are millimetres, bearings compass degrees.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from grognard.kernel.match.dice import Seal
from grognard.kernel.questions import Underway
from grognard.kernel.screen.scene import Point, Scene

Id = str | int | None
Number = float | int


class Words(msgspec.Struct, forbid_unknown_fields=True):
    """A sentence in both languages."""

    en: str
    fr: str


class Told(msgspec.Struct, forbid_unknown_fields=True):
    """What all have in common: nothing is told that is not written here."""


# ---------------------------------------------------------------------- what happened, and why


class Change(Told):
    """A line of an account."""

    what: Annotated[str | Words, Meta(description="A word, or the sentence of the event that made the change.")]
    op: Literal["base", "add", "times", "set", "floor", "cap"]
    amount: Number
    rule: str
    answer: Annotated[int | UnsetType | None, Meta(description="The moment it happened, where it did.")] = UNSET
    parts: Annotated[list[Change] | UnsetType, Meta(description="How that amount itself came about.")] = UNSET


class LogEntry(Told):
    n: int
    answer: int
    kind: str
    text: Words
    rule: str
    about: list[str]
    data: dict[str, Any]
    turn: int
    phase: str
    private: Annotated[bool | UnsetType, Meta(description="Not everybody is told.")] = UNSET


# ---------------------------------------------------------------------- what players are asked


class Note(Told):
    """What one should know to decide."""

    text: Words
    rule: str


class Choice(Told):
    key: str
    text: str
    about: list[str]
    data: dict[str, Any]
    label: Words
    notes: list[Note] | UnsetType = UNSET


class Barred(Told):
    """An option that is not offered, and why."""

    code: str
    rule: str
    data: dict[str, Any]
    text: Words
    label: Words
    also: list[str] | UnsetType = UNSET


class Proposal(Told):
    name: str
    label: Words


class Asked(Told, kw_only=True):
    """What every question has."""

    seat: str
    name: str
    rule: str
    about: list[str]
    data: dict[str, Any]
    prompt: Words
    notes: list[Note] | UnsetType = UNSET
    underway: Annotated[dict[str, Underway] | UnsetType, Meta(description="Moves others have announced, by mover.")] = (
        UNSET
    )
    passable: bool
    automatic: Annotated[bool, Meta(description="Whether it can be passed by itself from now on.")]
    idle: Annotated[bool, Meta(description="Whether hardly anybody would answer it; it is asked on demand only.")]
    pass_: Annotated[Any, Meta(description="What to answer to pass, where that is allowed.")] = msgspec.field(
        default=UNSET, name="pass"
    )
    usual: Annotated[
        Any, Meta(description="What is answered for those who let it pass, where nobody may decline it.")
    ] = UNSET


class PickAsk(Asked, kw_only=True):
    kind: Literal["pick"]
    options: list[Choice]
    least: int
    most: int
    barred: dict[str, Barred]


class PlaceAsk(Asked, kw_only=True):
    kind: Literal["place"]
    movers: list[str]
    optional: bool
    proposals: list[Proposal]
    levels: Annotated[list[int], Meta(description="Levels one may choose to end on; none where there is no choice.")]
    files: Annotated[list[int], Meta(description="Numbers of files a block may have, where one may choose.")]
    block: Annotated[
        bool, Meta(description="Whether the mover is a unit that goes as one, though it may be one model.")
    ]
    turns: Annotated[bool, Meta(description="Whether a thing that is no model looks somewhere all the same.")]


class SplitAsk(Asked, kw_only=True):
    kind: Literal["split"]
    options: list[Choice]
    total: int
    exact: bool
    filled: Annotated[bool, Meta(description="What is not said is filled up: in the end all is shared.")]
    limits: dict[str, tuple[int, int]]


class OrderAsk(Asked, kw_only=True):
    kind: Literal["order"]
    options: list[Choice]


class NumberAsk(Asked, kw_only=True):
    kind: Literal["number"]
    low: Number
    high: Number
    step: Number


class RollAsk(Asked, kw_only=True):
    kind: Literal["roll"]
    sides: int
    count: int
    sense: Literal["high", "over", "under", "value"]
    plus: Number | UnsetType = UNSET
    plus_why: list[Change] | UnsetType = UNSET
    need: Number | UnsetType = UNSET
    need_why: list[Change] | UnsetType = UNSET


#: By its kind; a union of structs cannot be told apart by msgspec unless they carry tags.
QUESTIONS: dict[str, type[Asked]] = {
    "pick": PickAsk, "place": PlaceAsk, "split": SplitAsk, "order": OrderAsk, "number": NumberAsk, "roll": RollAsk,
}  # fmt: skip


# ---------------------------------------------------------------------- the state


class Undo(Told):
    """Whether taking back is fair (needs nobody), possible, who has asked for it and who agreed."""

    fair: bool
    possible: bool
    asked: str | None
    agreed: list[str]
    shown: bool
    to: int
    secret: bool


class State(Told):
    type: Literal["state"]
    version: int
    game: str
    asked_at: Annotated[int, Meta(description="The version at which what is asked now was asked first.")]
    opened: Annotated[int, Meta(description="The version as somebody counts who has no secrets.")]
    together: Annotated[bool, Meta(description="Whether several are asked at once, in secret.")]
    answers: Annotated[int, Meta(description="Answers so far, dice included: the length of the timeline.")]
    players: dict[str, str]
    dice: str
    scene: Scene
    names: dict[str, Words]
    words: Annotated[dict[str, Words], Meta(description="Templates of the codes in the scene.")]
    pending: Annotated[list[dict[str, Any]], Meta(title="Question[]")]
    waiting: list[str]
    gathering: Annotated[list[str], Meta(description="Seats whose players may still add words to the dice.")]
    over: bool
    measuring: bool
    result: Annotated[dict[str, Any] | None, Meta(title="Result | null")]
    seal: str | None
    seed: str | None
    sealed: Seal
    undo: Undo
    automatic: dict[str, bool]
    hushed: Annotated[list[str], Meta(description="Questions that have been passed for this seat without asking.")]
    since: int
    log: list[LogEntry]


# ---------------------------------------------------------------------- answers to what a page asks


class Why(Told):
    """Why an answer is not taken."""

    text: Words
    rule: str
    mover: str | None
    also: list[str]
    code: str


class Trace(Told):
    points: list[Point]
    closed: bool
    hits: list[str]


class Ghost(Told):
    path: list[Point]
    x: float
    y: float
    facing: float
    far: Annotated[float | UnsetType, Meta(description="How far it goes as its rules count it.")] = UNSET
    level: int | UnsetType = UNSET
    traces: Annotated[list[Trace] | UnsetType, Meta(description="What an aim there would sweep over.")] = UNSET


class Checked(Told):
    type: Literal["checked"]
    id: Id
    ok: bool
    refusal: Why | None
    placement: Annotated[Any, Meta(title="Placement | null")]
    ghost: dict[str, Ghost] | UnsetType | None = UNSET
    far: dict[str, float] | UnsetType = UNSET
    notes: Annotated[list[Note] | UnsetType, Meta(description="What may come of it, though it is legal.")] = UNSET


class Reach(Told):
    type: Literal["reach"]
    id: Id
    mover: str
    left_mm: float | None
    outline: list[Point] | None
    levels: Annotated[dict[int, float] | UnsetType, Meta(description="How far to each level, where that differs.")] = (
        UNSET
    )
    why: list[Change] | UnsetType = UNSET


class Seen(Told):
    id: str
    cover: bool
    by: Annotated[list[str], Meta(description="Those who see it.")]
    why: str


class Sight(Told):
    type: Literal["sight"]
    id: Id
    from_: list[str] = msgspec.field(name="from")
    seen: Annotated[list[Seen] | None, Meta(description="Null where the game has no such tool.")]


class Area(Told):
    kind: Literal["arc", "range"]
    name: str
    rings: list[list[Point]]
    length_mm: float


class Around(Told):
    type: Literal["around"]
    id: Id
    unit: str
    areas: list[Area]


class Value(Told):
    value: Number
    why: list[Change]
    may: Annotated[list[Number] | UnsetType, Meta(description="What else it may be for all this seat knows.")] = UNSET


class Numbers(Told):
    type: Literal["numbers"]
    id: Id
    model: str
    numbers: Annotated[dict[str, Value], Meta(description="By the labels of its card's cells.")]


class Account(Told):
    type: Literal["account"]
    id: Id
    side: str
    code: str
    text: str
    value: Number
    why: list[Change]


class Measure(Told):
    """A length between two things or points."""

    type: Literal["measure"]
    id: Id
    from_: str | Point = msgspec.field(name="from")
    to: str | Point
    length_mm: float
    ends: list[Point]
    rule: str


# ---------------------------------------------------------------------- what may come of it


class Exact(Told):
    """A chance or a mean, as a fraction and as a number."""

    exact: str
    decimal: Number


class OddsRow(Exact):
    value: Number | str
    at_least: Annotated[
        Exact | UnsetType, Meta(description="The chance of this much or more, where it is a number.")
    ] = UNSET


class OddsStep(Exact):
    label: str
    rule: str


class OddsCell(Exact):
    note: str


class OddsGrid(Told):
    """Every choice against every answer, with the best of both."""

    title: str
    chooser: str
    answerer: str
    about: str
    rows: list[str]
    columns: list[str]
    rule: str
    cells: list[list[OddsCell]]
    answers: list[int]
    choice: int


class OddsTable(Told):
    question: str
    arguments: dict[str, Any]
    means: dict[str, Exact]
    parts: dict[str, list[OddsRow]]
    chances: dict[str, Exact]
    steps: list[OddsStep]
    rules: list[str]
    assumed: Annotated[list[Note], Meta(description="What is taken for granted in it.")]
    who: Annotated[
        dict[str, list[str]],
        Meta(description='The units its words ("attackers") stand for; without a word, who acts and on whom.'),
    ]
    grid: OddsGrid | UnsetType = UNSET


class OddsReply(Told):
    type: Literal["odds"]
    id: Id
    option: str
    odds: OddsTable | None


# ---------------------------------------------------------------------- what became of a message


class Accepted(Told):
    type: Literal["accepted"]
    id: Id
    version: int
    done: Annotated[bool | UnsetType, Meta(description="Whether something was taken back at once.")] = UNSET


class Trouble(Told):
    type: Literal["error"]
    id: Id
    text: str
    rule: str | None
    code: str


#: Every message by its type, as far as tests hold them against these types.
MESSAGES: dict[str, type[Told]] = {
    "state": State, "checked": Checked, "reach": Reach, "sight": Sight, "around": Around, "numbers": Numbers,
    "account": Account, "measure": Measure, "odds": OddsReply, "accepted": Accepted, "error": Trouble,
}  # fmt: skip
