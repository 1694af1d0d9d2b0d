"""wfb3:7.7-initiative  How far the blows of a round have come, between one group's blows and the next."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.results import Score
from grognard.games.wfb3.striking import Group
from grognard.kernel.formation.block import Block

#: A unit, and the enemy its men fell to.
Pair = tuple[str, str]


class Clash:
    """Who has still to strike, who strikes just now, and how many will not strike back.

    `waiting` are those of lower initiative, `batches` those of this one who strike one after the other, `now` those
    who strike at once, each with how many of them can; `lost` is counted while they do, `fallen` when they have done.
    `before` is how the units stood when the round began.
    """

    def __init__(self, units: Sequence[Unit], score: Score, groups: Sequence[Group]) -> None:
        self.units = tuple(u.id for u in units)
        self.before: dict[str, Block] = {u.id: u.block for u in units if u.block is not None}
        self.score = score
        self.waiting: tuple[Group, ...] = tuple(groups)
        self.batches: tuple[tuple[Group, ...], ...] = ()
        self.now: tuple[tuple[Group, int], ...] = ()
        self.lost: dict[Pair, int] = {}
        self.fallen: dict[Pair, int] = {}
        self.over = False  # fought to its end by other rules

    @property
    def going(self) -> bool:
        """Whether somebody has still to strike."""
        return bool(self.waiting or self.batches or self.now)

    def copy(self) -> Clash:
        twin = object.__new__(Clash)
        twin.__dict__ = self.__dict__.copy()
        twin.score = self.score.copy()
        twin.lost, twin.fallen = dict(self.lost), dict(self.fallen)
        return twin

    def key(self) -> Hashable:
        """Equal for rounds that have come equally far."""
        left = self.waiting, self.batches, self.now
        stood = tuple(self.before.values())
        return left, stood, tuple(self.lost.items()), tuple(self.fallen.items()), self.over, self.score.key()
