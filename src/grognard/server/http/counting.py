"""How often something was done and how long it took, as Prometheus reads it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator

#: Upper bounds of how long things take (seconds).
BOUNDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


class Counts:
    """What one process counts of what it is asked: nothing of who asked."""

    def __init__(self) -> None:
        self.requests: Counter[int] = Counter()  # by status
        self.request_times = Timed()
        self.answer_times = Timed()  # from hearing a player's answer to having told what came of it
        self.refused: Counter[str] = Counter()  # what was not done, by the code of why


class Timed:
    """How often something was done, and how long it took."""

    def __init__(self) -> None:
        self.counts: Counter[float] = Counter()
        self.number, self.seconds = 0, 0.0
        self._lock = threading.Lock()

    def note(self, seconds: float) -> None:
        with self._lock:  # several threads write
            self.number += 1
            self.seconds += seconds
            self.counts[next((bound for bound in BOUNDS if seconds <= bound), float("inf"))] += 1

    def lines(self, name: str) -> Iterator[str]:
        so_far = 0
        for bound in BOUNDS:
            so_far += self.counts[bound]
            yield f'{name}_bucket{{le="{bound:g}"}} {so_far}'
        yield f'{name}_bucket{{le="+Inf"}} {self.number}'
        yield f"{name}_sum {self.seconds:.6f}"
        yield f"{name}_count {self.number}"
