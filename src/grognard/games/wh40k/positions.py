"""Everyone on the battlefield as arrays: the form in which geometry is asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from grognard.games.wh40k.forces import Model
from grognard.kernel.geometry.terrain import FloatArray
from grognard.kernel.geometry.units import TOUCH, inches

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

#: wh40k:1.7.1-def  Engagement Range: 1" horizontally and 5" vertically.
ENGAGED = inches(1)
UPWARD = inches(5)
#: Distances are measured to this many millimetres.
EPS = TOUCH
#: Bases as near as this, or as little in each other, are in contact: places are often given in hundredths of an inch.
CONTACT = 0.2


class Crowd:
    """The models on the battlefield at one moment: discs (x, y, radius) round their bases, heights, seats.

    `tops` are as high as they are measured: the base's own height, or the roof of a model without a base.
    `exact` are their gaps where some bases are not round.
    """

    def __init__(
        self, version: int, models: Sequence[Model], discs: FloatArray, z: FloatArray, tops: FloatArray,
        seats: IntArray, exact: FloatArray | None = None,
    ) -> None:  # fmt: skip
        self.version = version
        self.models = list(models)
        self.discs = discs
        self.z = z
        self.tops = tops
        self.seats = seats
        self.exact = exact
        self.row = {model.id: i for i, model in enumerate(self.models)}

    @cached_property
    def gaps(self) -> FloatArray:
        """wh40k:1.10.6-units  Horizontal gaps, each to each."""
        if self.exact is not None:
            return self.exact
        x, y, r = self.discs.T
        away: FloatArray = np.hypot(x[:, None] - x, y[:, None] - y) - r[:, None] - r
        np.maximum(away, 0.0, out=away)
        return away

    @cached_property
    def rises(self) -> FloatArray:
        """wh40k:1.10.3-no-base  Vertical gaps, each to each."""
        over = self.z[:, None] - self.tops
        rises: FloatArray = np.maximum(np.maximum(over, over.T), 0.0)
        return rises

    def rises_from(self, z: float, top: float) -> FloatArray:
        """wh40k:1.10.3-no-base  Vertical gaps of everyone from something that is measured from `z` to `top`."""
        rises: FloatArray = np.maximum(np.maximum(self.z - top, z - self.tops), 0.0)
        return rises

    def beside(self, z: float, top: float) -> BoolArray:
        """Who stands as high as something measured from `z` to `top`, not above or below it."""
        level: BoolArray = np.abs(self.z - z) <= EPS
        return level | ((self.z < top - EPS) & (z < self.tops - EPS))

    @cached_property
    def engaged(self) -> BoolArray:
        """wh40k:1.7.1-def  Which pairs of enemies are within Engagement Range."""
        near: BoolArray = (self.gaps <= ENGAGED + EPS) & (self.rises <= UPWARD + EPS)
        near &= self.seats[:, None] != self.seats
        return near

    @cached_property
    def touching(self) -> BoolArray:
        """Which pairs are in base-to-base contact."""
        near: BoolArray = (self.gaps <= CONTACT) & (self.rises <= TOUCH)
        np.fill_diagonal(near, False)
        return near

    def rows(self, models: Sequence[Model]) -> IntArray:
        """The rows of the models that are here."""
        return np.array([self.row[m.id] for m in models if m.id in self.row], np.int64)
