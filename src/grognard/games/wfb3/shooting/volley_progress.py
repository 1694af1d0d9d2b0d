"""wfb3:6.2-procedure  How far a volley has come, between the shots of one kind and the next."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from grognard.games.wfb3.army.weapons import Missile
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.shooting import aiming


class Salvo:
    """Who shoots what at whom; `groups` are shots alike still to be resolved, `wounds` what the others inflicted.

    `aside` are models in whose arc the target does not lie, and `twice` whether everybody shoots twice.
    """

    def __init__(
        self, unit: Unit, target: Unit, weapon: Missile, groups: Sequence[tuple[aiming.Shot, int]], mark: Model | None
    ) -> None:
        self.unit = unit.id
        self.target = target.id
        self.weapon = weapon
        self.mark = mark.id if mark is not None else ""
        self.groups = tuple(groups)
        self.wounds = 0
        self.aside: tuple[str, ...] = ()
        self.twice = False
        self.rule = "wfb3:6.2-procedure"  # by which it is made: from or into a house there are others
        self.shots = sum(count for _, count in groups)
        self.wasted = 0  # shots that do not carry so far

    @property
    def going(self) -> bool:
        """Whether shots are still to be resolved."""
        return bool(self.groups)

    def copy(self) -> Salvo:
        twin = object.__new__(Salvo)
        twin.__dict__ = self.__dict__.copy()
        return twin

    def key(self) -> Hashable:
        """Equal for volleys that have come equally far."""
        left = tuple((shot.key, count) for shot, count in self.groups)
        return self.unit, self.target, self.weapon.name, self.mark, left, self.wounds, self.aside, self.twice
