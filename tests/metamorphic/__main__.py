"""python -m tests.metamorphic [game …]: every case in every frame, counted."""

from __future__ import annotations

import sys

from grognard.games import EVERY
from tests.metamorphic.counts import count
from tests.metamorphic.known import cases
from tests.metamorphic.trial import TRIALS


def main() -> None:
    for game in sys.argv[1:] or EVERY:
        chosen = list(cases(game))
        for trial in TRIALS:
            print(count(game, trial, chosen), flush=True)


if __name__ == "__main__":
    main()
