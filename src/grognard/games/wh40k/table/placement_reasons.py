"""Everything that stands against a placement, where a player's own is refused; what is only tried is not."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.placing.judges import TrackJudge
from grognard.kernel.placing.tracks import Track

P = TypeVar("P")


class ReasonedJudge(TrackJudge[P], Generic[P]):
    """A judge that names every rule a placement breaks, the first one it meets before the others."""

    _trying = False

    @abstractmethod
    def faults(self, tracks: Mapping[str, Track]) -> Iterator[Refusal]:
        """Whatever is wrong with a placement, one thing after the other."""

    def check(self, tracks: Mapping[str, Track]) -> None:
        """Raises Refused at the first fault."""
        for fault in self.faults(tracks):
            raise Refused(fault)

    def decode(self, wire: Any) -> P:
        tracks = self.tracks(wire)
        try:
            return super().decode(wire)
        except Refused as refused:
            if self._trying:
                raise
            raise Refused(refused.refusal.beside(self.faults(tracks))) from None

    def legal(self, tracks: Mapping[str, Track]) -> Any:
        self._trying = True
        try:
            return super().legal(tracks)
        finally:
            self._trying = False


def caught(check: Callable[..., None], *arguments: Any) -> Iterator[Refusal]:
    """The refusal a check raises, if it raises one."""
    try:
        check(*arguments)
    except Refused as refused:
        yield refused.refusal
