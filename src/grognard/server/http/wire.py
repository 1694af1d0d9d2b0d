"""What travels over HTTP, as types: they check requests, and the OpenAPI description is made from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

#: A sentence in every language.
Both = Annotated[dict[str, str], msgspec.Meta(title="Words")]
Short = Annotated[str, msgspec.Meta(max_length=200)]
ArmyText = Annotated[str, msgspec.Meta(min_length=1, max_length=200_000)]


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match to be played. `armies` are names of starter armies or army lists (YAML); `players` one a seat.

    With `dice` "words" every player may add words to the sealed dice before the first roll. `invite` are the places of
    seats (from 0) that are for others: they get invitations instead of links, the referee too. Without it whoever
    makes the match gets every link.
    """

    game: Short
    scenario: Short | None = None
    armies: Annotated[list[ArmyText], msgspec.Meta(max_length=12)] = []
    players: Annotated[list[Short], msgspec.Meta(max_length=12)] = []
    house: dict[str, Any] = {}
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**53)] | None = None
    dice: Literal["sealed", "words", "hand"] = "sealed"
    invite: Annotated[list[Annotated[int, msgspec.Meta(ge=0, le=11)]], msgspec.Meta(max_length=12)] | None = None


class AskOdds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question of a game's odds desk."""

    question: Short
    arguments: dict[str, Any] = {}


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """What went wrong, in one sentence: in the language that was asked for, and in every language."""

    text: str
    code: str
    rule: str | None = None
    words: Both = {}


class Wrong(msgspec.Struct, frozen=True):
    """Every error."""

    error: Problem


class ScenarioInfo(msgspec.Struct, frozen=True):
    id: str
    title: Both
    summary: Both


class HouseInfo(msgspec.Struct, frozen=True):
    name: str
    default: Any
    choices: list[Any]
    text: Both
    rule: str
    #: what the choices are called, where they are words
    labels: dict[str, Both]


class GameInfo(msgspec.Struct, frozen=True):
    """A game there is. `seats` are the least and the most sides; `premeasure` whether one may measure beforehand."""

    id: str
    title: str
    unit: str
    complete: bool
    premeasure: bool
    referee: bool
    seats: tuple[int, int]
    scenarios: list[ScenarioInfo]
    house: list[HouseInfo]
    players: list[str]


class ArmyInfo(msgspec.Struct, frozen=True):
    """A starter army."""

    id: str
    title: Both
    faction: Both
    points: float
    models: int
    summary: Both


class ArmyProblem(msgspec.Struct, frozen=True):
    text: str
    rule: str
    warning: bool


class ArmyLine(msgspec.Struct, frozen=True):
    name: str
    what: str
    count: int
    points: float


class Mustered(msgspec.Struct, frozen=True):
    """What the book's list building says of an army list."""

    ok: bool
    title: str
    points: float
    models: int
    lines: list[ArmyLine]
    problems: list[ArmyProblem]


class RuleInfo(msgspec.Struct, frozen=True):
    id: str
    title: Both
    summary: Both
    kind: str


class Created(msgspec.Struct, frozen=True, omit_defaults=True):
    """The secret links of a new match, one a seat, and the seal of its dice.

    `invitations` are claimed by the first who opens them; with `host` whoever made the match looks after them.
    """

    id: str
    links: dict[str, str]
    players: dict[str, str]
    spectator: str
    seal: str
    over: bool
    referee: str | None = None
    invitations: dict[str, str] = {}
    host: str | None = None


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """To claim an invitation. The key is the claimant's own, drawn at random: with it he may ask again."""

    key: Annotated[str, msgspec.Meta(min_length=16, max_length=100)]


class ClaimedSeat(msgspec.Struct, frozen=True):
    """A secret link of one's own."""

    token: str
    match: str
    seat: str
    role: str


class InvitedSeat(msgspec.Struct, frozen=True):
    """A seat that was given away, and what became of it."""

    seat: str
    role: str
    state: Literal["open", "taken", "revoked"]


class HostInfo(msgspec.Struct, frozen=True):
    """What whoever made a match may know of the others' seats."""

    match: str
    seats: list[InvitedSeat]


class InvitationLink(msgspec.Struct, frozen=True):
    """A link that is claimed by the first who opens it."""

    invitation: str


class SeatInfo(msgspec.Struct, frozen=True):
    """Who a link is for."""

    match: str
    seat: str | None
    role: str
    game: str
    title: str
    over: bool
    version: int
    players: dict[str, str]
    created: str
    played: str
    sides: list[Both]


class StoryEntry(msgspec.Struct, frozen=True):
    """One thing that happened, after so many answers."""

    answer: int
    turn: int
    phase: str
    kind: str
    rule: str
    text: Both


class Story(msgspec.Struct, frozen=True):
    """What happened in a match. Where its rules can no longer be played, `why` says so."""

    match: str
    game: str
    rules: str
    playable: bool
    why: Both
    events: list[StoryEntry]


class SpectatorLink(msgspec.Struct, frozen=True):
    """A secret link that shows what spectators may see."""

    spectator: str


class MomentInfo(msgspec.Struct, frozen=True):
    """The table after so many answers, as far as the seat may see."""

    n: int
    answers: int
    scene: dict[str, Any]
    names: dict[str, Both]
    words: dict[str, Both]
    log: list[dict[str, Any]]
    turn: int
    phase: str
