"""wfb3:7.7-initiative  How far the blows of a round have come, between one group's blows and the next."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from grognard.games.wfb3.combat.score import Score
from grognard.games.wfb3.forces import Unit
from grognard.kernel.formation.block import Block

if TYPE_CHECKING:
    from grognard.games.wfb3.rolls.modifiers import Group

#: A unit, and the enemy its men fell to.
Pair = tuple[str, str]
#: Those of a unit whom each of its enemies reaches, by the enemy, in the order in which they are told off to strike.
Reach = dict[str, frozenset[str]]


class Clash:
    """Who has still to strike, who strikes just now, and how many will not strike back.

    `waiting` are those of lower initiative, `batches` those of this one who strike one after the other, `now` those
    who strike at once, each with how many of them can; `lost` is counted while they do, `fallen` when they have done.
    `before` is how the units stood when the round began, `reach` whom their enemies reach where they have several.
    """

    def __init__(
        self, units: Sequence[Unit], score: Score, groups: Sequence[Group], reach: dict[str, Reach] | None = None
    ) -> None:
        self.units = tuple(u.id for u in units)
        self.before: dict[str, Block] = {u.id: u.block for u in units if u.block is not None}
        self.score = score
        self.waiting: tuple[Group, ...] = tuple(groups)
        self.batches: tuple[tuple[Group, ...], ...] = ()
        self.now: tuple[tuple[Group, int], ...] = ()
        self.lost: dict[Pair, int] = {}
        self.fallen: dict[Pair, int] = {}
        self.over = False  # fought to its end by other rules
        self.inside = False  # wfb3:22.1.5-multi
        self.reach = reach or {}
        self.heroes: dict[str, tuple[str, ...]] = {}  # those who may outlive their unit
        self.told = {(g.unit, g.foe): g.fighters for g in groups if g.unit in self.reach and g.who == "troops"}

    @property
    def going(self) -> bool:
        """Whether somebody has still to strike."""
        return bool(self.waiting or self.batches or self.now)

    def absent(self, unit: str, foe: str) -> int:
        """wfb3:7.11-casualties  How many of those of a unit who were to strike an enemy have fallen, to whomever.

        An enemy's victims are of those it reaches: first of those who would strike at it, then of those who would
        strike at another.
        """
        found = self.fallen.get((unit, foe), 0)
        if unit not in self.reach or len(self.reach[unit]) < 2:
            return found
        gone: dict[str, int] = {}
        over: dict[str, int] = {}
        for other in self.reach[unit]:
            dead = self.fallen.get((unit, other), 0)
            gone[other] = min(dead, self.told.get((unit, other), 0))
            over[other] = dead - gone[other]
        mine: dict[str, frozenset[str]] = {}
        for other, reached in self.reach[unit].items():
            mine[other] = reached.difference(*mine.values())
        for other, rest in over.items():
            for goal in mine if rest else ():
                if goal != other:
                    left = self.told.get((unit, goal), 0) - gone[goal]
                    share = max(0, min(rest, left, len(mine[goal] & self.reach[unit][other])))
                    gone[goal], rest = gone[goal] + share, rest - share
        return max(found, gone.get(foe, 0))

    def succeed(self, unit: str, heirs: dict[str, str]) -> None:
        """wfb3:7.6-sequence  A unit has died around its heroes: model and unit of each who goes on with its round.

        Whoever was to strike at the unit strikes at the first of them.
        """
        first = next(iter(heirs.values()))

        def known(group: Group) -> bool:
            return group.unit != unit or group.who in heirs

        def now(group: Group) -> Group:
            if group.unit == unit:
                return group._replace(unit=heirs[group.who])
            return group._replace(foe=first) if group.foe == unit else group

        def renamed(counts: dict[Pair, int]) -> dict[Pair, int]:
            return {(first if a == unit else a, first if b == unit else b): n for (a, b), n in counts.items()}

        self.units = tuple(key for old in self.units for key in (heirs.values() if old == unit else (old,)))
        self.waiting = tuple(now(g) for g in self.waiting if known(g))
        self.batches = tuple(tuple(now(g) for g in batch if known(g)) for batch in self.batches)
        self.now = tuple((now(g), able) for g, able in self.now if known(g))
        self.lost, self.fallen, self.told = renamed(self.lost), renamed(self.fallen), renamed(self.told)
        self.reach = {
            key: {first if foe == unit else foe: who for foe, who in reached.items()}
            for key, reached in self.reach.items()
            if key != unit
        }
        self.score.succeed(unit, list(heirs.values()))

    def copy(self) -> Clash:
        twin = object.__new__(Clash)
        twin.__dict__ = self.__dict__.copy()
        twin.score = self.score.copy()
        twin.lost, twin.fallen = dict(self.lost), dict(self.fallen)
        return twin

    def key(self) -> Hashable:
        """Equal for rounds that have come equally far."""
        left = self.units, self.waiting, self.batches, self.now
        stood = tuple(self.before.values())
        return left, stood, tuple(self.lost.items()), tuple(self.fallen.items()), self.over, self.score.key()
