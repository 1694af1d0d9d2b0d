"""Coherency: whether a group of models hangs together, and who does not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from grognard.kernel.geometry.outlines import BoolArray, FloatArray, IntArray

#: Rounded positions may measure this much too far.
SLIP = 0.01


class Coherency(NamedTuple):
    """How a group hangs together.

    `part`: the component of each model, numbered in the order of their first models. `links`: how many
    others each is within the distance of. `out`: who must move to mend it. `holds`: nobody.
    """

    part: IntArray
    links: IntArray
    out: BoolArray
    holds: bool


def round_gaps(x: FloatArray, y: FloatArray, radius: FloatArray) -> FloatArray:
    """Edge distances between round bases, each to each."""
    away = np.hypot(x[:, None] - x[None, :], y[:, None] - y[None, :])
    gaps: FloatArray = np.maximum(0.0, away - radius[:, None] - radius[None, :])
    return gaps


def parts(linked: BoolArray) -> IntArray:
    """The component of each model, numbered in the order of their first models."""
    part = np.full(len(linked), -1, np.int64)
    number = 0
    for first in range(len(linked)):
        if part[first] >= 0:
            continue
        found = linked[first].copy()
        found[first] = True
        size = 0
        while (now := int(np.count_nonzero(found))) > size:
            size = now
            found |= linked[found].any(axis=0)
        part[found] = number
        number += 1
        if size == len(linked):
            break
    return part


def coherency(
    gaps: FloatArray, within: float, least: int = 1, span: float | None = None, chain: bool = True
) -> Coherency:
    """Whether each model is within a distance of at least so many others, and all are one group.

    A group too small for `least` needs as many links as it has other models. With `chain` the links must
    connect everyone; with `span` no two models may be further apart than that. Out are those outside the
    largest component (of equals, the one with the first model), those with too few links, and, one by one,
    whoever is too far from the most others.
    """
    count = len(gaps)
    linked = gaps <= within + SLIP
    np.fill_diagonal(linked, False)
    links: IntArray = linked.sum(axis=1, dtype=np.int64)
    part = parts(linked)
    number = int(part.max()) + 1 if count else 0
    out: BoolArray = links < min(least, count - 1)
    if chain and number > 1:
        out |= part != np.bincount(part).argmax()
    if span is not None:
        far = gaps > span + SLIP
        while (worst := far.sum(axis=1)).any():
            gone = count - 1 - int(worst[::-1].argmax())
            out[gone] = True
            far[gone, :] = far[:, gone] = False
    return Coherency(part, links, out, not out.any())
