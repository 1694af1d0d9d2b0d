"""Judges of placements of single models (kernel/tracks.py): what every one of them does alike.

A game says what is legal (`judged`) and what is worth considering (`proposals`, `suggest`); reading and writing wires,
remembering what was found legal and proposing only what is, is done here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.preview import Trace
from grognard.kernel.geometry.base import Pose
from grognard.kernel.placing.tracks import Track, parse, write

P = TypeVar("P")
Point = tuple[float, float]


@runtime_checkable
class Measured(Protocol):
    """A judge that knows how far movers go as the rules count it."""

    def lengths(self, wire: Any) -> Mapping[str, float]:
        """In mm, by mover, where that is not the length of its path; legal or not."""


class TrackJudge(ABC, Generic[P]):
    """Whether these movers may be placed so; `rule` is cited where a wire cannot be read."""

    def __init__(self, moving: Sequence[str], rule: str) -> None:
        self.moving = tuple(moving)
        self.rule = rule
        self._approved: tuple[Any, P] | None = None  # the last placement found legal, written in full
        self._read: tuple[Any, Mapping[str, Track]] | None = None  # the last one read, likewise
        self._proposed: dict[str, Any] = {}

    @abstractmethod
    def judged(self, tracks: Mapping[str, Track]) -> P:
        """The placement in the game's terms; raises Refused."""

    @abstractmethod
    def proposals(self) -> Sequence[str]:
        """Names of placements worth considering, best known first, cheap to list."""

    @abstractmethod
    def suggest(self, name: str) -> Mapping[str, Track] | None:
        """The placement of that name, legal or not; None where there is none."""

    def lengths(self, wire: Any) -> Mapping[str, float]:
        """How far each mover goes as the rules count it (mm), where that is not the length of its path."""
        return {}

    def tracks(self, wire: Any) -> Mapping[str, Track]:
        """A placement read; what it was read from may be changed afterwards."""
        if self._read is None or self._read[0] != wire:
            tracks = parse(wire, self.moving, self.rule)
            self._read = (write(tracks), tracks)
        return self._read[1]

    def decode(self, wire: Any) -> P:
        if self._approved is not None and self._approved[0] == wire:
            return self._approved[1]
        tracks = self.tracks(wire)
        placed = self.judged(tracks)
        self._approved = (write(tracks), placed)
        return placed

    def encode(self, wire: Any) -> Any:
        return write(self.tracks(wire))

    def propose(self, name: str) -> Any:
        if name not in self._proposed:
            tracks = self.suggest(name)
            self._proposed[name] = None if tracks is None else self.legal(tracks)
        return self._proposed[name]

    def legal(self, tracks: Mapping[str, Track]) -> Any:
        """Tracks as a wire, if they stand up to the rules; else None."""
        exact = {mover: track.snapped() for mover, track in tracks.items()}
        wire = write(exact)
        self._read = (write(exact), exact)
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire

    def possible(self) -> str | None:
        """The first proposal that stands up to the rules, if any does."""
        return next((name for name in self.proposals() if self.propose(name) is not None), None)


def poses(
    tracks: Mapping[str, Track], everyone: Sequence[str], rule: str, facing: float = 0.0
) -> dict[str, Pose]:  # fmt: skip
    """Where a placement without a way sets everyone down, with `facing` unless one is written.

    Whoever is left out is told.
    """
    left = [mover for mover in everyone if mover not in tracks or not tracks[mover].path]
    if left:
        problem = f"{', '.join(left)} must stand somewhere"
        raise Refused(Refusal("refuse.bad-placement", rule, {"problem": problem}))
    return {mover: pose(tracks[mover], facing) for mover in everyone}


def pose(track: Track, facing: float = 0.0) -> Pose:
    """Where a track ends."""
    return Pose(*track.path[-1], facing if track.facing is None else track.facing, track.level).snapped()


def standing(spots: Mapping[str, Pose]) -> dict[str, Track]:
    """Tracks that set movers down where they are to stand."""
    return {mover: Track(((at.x, at.y),), at.facing, at.level) for mover, at in spots.items()}


class SpotJudge(TrackJudge[Pose]):
    """Whether one thing may be put down at a spot: {thing: [x, y]}, or with path (one point) and facing.

    `shape` are the rings it would cover there, where it is as large as that and no model.
    """

    def __init__(
        self, thing: str, check: Callable[[Pose], Refusal | None], spots: Mapping[str, Pose], rule: str,
        facing: float = 0.0, shape: Callable[[Pose], Sequence[Sequence[Point]]] | None = None,
    ) -> None:  # fmt: skip
        super().__init__((thing,), rule)
        self.thing = thing
        self.check = check
        self.spots = dict(spots)
        self.facing = facing
        self.shape = shape

    def point(self, wire: Any) -> Point:
        spot = self._spot(self.tracks(wire))
        return spot.x, spot.y

    @property
    def turns(self) -> bool:
        return self.shape is not None

    def looks(self, wire: Any) -> float:
        return self._spot(self.tracks(wire)).facing

    def traces(self, wire: Any) -> list[Trace]:
        """The shape it would have there."""
        spot = self._spot(self.tracks(wire))
        return [Trace(tuple(ring), closed=True) for ring in (self.shape(spot) if self.shape is not None else ())]

    def _spot(self, tracks: Mapping[str, Track]) -> Pose:
        track = tracks.get(self.thing)
        if track is None or len(track.path) != 1:
            problem = f"{self.thing} needs one point"
            raise Refused(Refusal("refuse.bad-placement", self.rule, {"problem": problem}))
        return pose(track, self.facing)

    def encode(self, wire: Any) -> Any:
        """With its facing, also where none was written."""
        return write(standing({self.thing: self._spot(self.tracks(wire))}))

    def judged(self, tracks: Mapping[str, Track]) -> Pose:
        spot = self._spot(tracks)
        why = self.check(spot)
        if why is not None:
            raise Refused(why)
        return spot

    def proposals(self) -> Sequence[str]:
        return list(self.spots)

    def suggest(self, name: str) -> Mapping[str, Track]:
        return standing({self.thing: self.spots[name].snapped()})
