"""Every case of a game in another frame, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from grognard.check import Case
from grognard.games import EVERY
from tests.metamorphic.known import known
from tests.metamorphic.trial import TRIALS, Verdict


class Count(NamedTuple):
    """How many hold, how many are excused by reason, which fail unlisted, and which are listed and hold."""

    game: str
    trial: str
    holds: int
    excused: Counter[str]
    listed: int
    failing: dict[str, str]
    mended: tuple[str, ...]

    @property
    def all(self) -> int:
        return self.holds + self.excused.total() + self.listed + len(self.failing)

    def __str__(self) -> str:
        lines = [f"{self.game}, {self.trial}: {self.all} cases, {self.holds} hold"]
        lines += [f"  {number:5} excused: {why}" for why, number in self.excused.most_common()]
        lines += [f"  {self.listed:5} listed as known"] if self.listed else []
        lines += [f"  FAILS {name}: {why}" for name, why in self.failing.items()]
        return "\n".join([*lines, *(f"  HOLDS, though listed: {name}" for name in self.mended)])


def count(game: str, trial: str, chosen: Iterable[Case]) -> Count:
    listed = {name for how, name in known() if how == trial}
    holds, excused, met = 0, Counter[str](), 0
    failing: dict[str, str] = {}
    mended = []
    for case in chosen:
        verdict, why = TRIALS[trial](EVERY[game], case)
        if case.id in listed and verdict is not Verdict.FAILS:
            mended.append(case.id)
        if verdict is Verdict.HOLDS:
            holds += 1
        elif verdict is Verdict.EXCUSED:
            excused[why] += 1
        elif case.id in listed:
            met += 1
        else:
            failing[case.id] = why
    return Count(game, trial, holds, excused, met, failing, tuple(mended))
