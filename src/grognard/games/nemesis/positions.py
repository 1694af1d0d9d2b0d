"""Everyone on the table as arrays: the form in which geometry is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grognard.games.nemesis.forces import Model
from grognard.kernel.geometry.bodies import Bodies
from grognard.kernel.geometry.terrain import FloatArray
from grognard.kernel.geometry.units import TOUCH

IntArray = NDArray[np.int64]
#: So many models may have moved since for an update to be cheaper than starting again.
FEW = 4


class Crowd:
    """The models on the table at one moment: their bodies, discs (x, y, radius), seats and sizes.

    `memo` is for answers that follow from where everybody stands and nothing else.
    """

    __slots__ = ("_contacts", "bodies", "discs", "memo", "models", "row", "seats", "sizes", "version")

    def __init__(
        self, version: int, models: list[Model], bodies: IntArray, discs: FloatArray, seats: IntArray,
        sizes: FloatArray, row: dict[int, int], contacts: dict[str, tuple[str, ...]] | None,
    ) -> None:  # fmt: skip
        self.version = version
        self.models = models
        self.bodies = bodies
        self.discs = discs
        self.seats = seats
        self.sizes = sizes
        self.row = row  # of a body
        self._contacts = contacts
        self.memo: dict[Any, Any] = {}

    def contacts(self) -> dict[str, tuple[str, ...]]:
        """nemesis:19-contact  Enemies in base contact, by model."""
        if self._contacts is None:
            x, y, reach = self.discs.T
            near = np.hypot(x[:, None] - x, y[:, None] - y) <= reach[:, None] + reach + TOUCH
            near &= self.seats[:, None] != self.seats
            found: dict[str, list[str]] = {}
            for i, j in np.argwhere(near).tolist():
                found.setdefault(self.models[i].id, []).append(self.models[j].id)
            self._contacts = {key: tuple(ids) for key, ids in found.items()}
        return self._contacts

    def _touched_by(self, i: int) -> list[int]:
        x, y, reach = self.discs[i]
        apart = np.hypot(self.discs[:, 0] - x, self.discs[:, 1] - y)
        near = (apart <= self.discs[:, 2] + (reach + TOUCH)) & (self.seats != self.seats[i])
        found: list[int] = np.flatnonzero(near).tolist()
        return found

    def updated(self, bodies: Bodies) -> Crowd | None:
        """The crowd after a few models have moved; None where it must be gathered anew."""
        changed: list[int] = np.flatnonzero(bodies.versions > self.version).tolist()
        if len(changed) > FEW or any(b not in self.row or not bodies.is_present(b) for b in changed):
            return None
        discs = self.discs.copy()
        rows = [self.row[b] for b in changed]
        for b, i in zip(changed, rows, strict=True):
            pose = bodies.pose(b)
            discs[i, 0], discs[i, 1] = pose.x, pose.y
        new = Crowd(bodies.version, self.models, self.bodies, discs, self.seats, self.sizes, self.row, None)
        if self._contacts is not None:
            new._contacts = new._mended(self._contacts, rows)
        return new

    def _mended(self, old: dict[str, tuple[str, ...]], rows: list[int]) -> dict[str, tuple[str, ...]]:
        """The contacts after the models of these rows have moved."""
        touched = {i: self._touched_by(i) for i in rows}
        moved = [self.models[i].id for i in rows]
        if not any(touched.values()) and not any(key in old for key in moved):
            return old
        rank = {model.id: i for i, model in enumerate(self.models)}
        found = {key: [other for other in ids if other not in moved] for key, ids in old.items() if key not in moved}
        for i, others in touched.items():
            here = self.models[i].id
            found[here] = [self.models[j].id for j in others]
            for j in others:
                if j not in touched:
                    found.setdefault(self.models[j].id, []).append(here)
        return {key: tuple(sorted(ids, key=rank.__getitem__)) for key, ids in found.items() if ids}


def gather(bodies: Bodies, models: list[Model], seats: Sequence[str]) -> Crowd:
    """The crowd of these models."""
    rows = np.array([m.body for m in models], np.int64)
    discs = np.empty((len(models), 3))
    discs[:, 0], discs[:, 1], discs[:, 2] = bodies.x[rows], bodies.y[rows], bodies.half_width[rows]
    sides = np.array([seats.index(m.seat) for m in models], np.int64)
    sizes = np.array([m.card.size for m in models], np.float64)
    return Crowd(bodies.version, models, rows, discs, sides, sizes, {m.body: i for i, m in enumerate(models)}, None)
