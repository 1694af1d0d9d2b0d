"""Measure and write BENCHMARKS.md: `python -m tests.bench` (`make bench`).

Every figure is a ratio of two things measured in this very run, so that a slow day of the machine does not matter.
"""

from __future__ import annotations

import copy
import itertools
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import icepool
import numpy as np
from shapely import LineString, Point, Polygon

from grognard.games import EVERY, RULESETS
from grognard.games.t9a.battle import Battle as T9aBattle
from grognard.games.t9a.charge import charge_targets
from grognard.games.wh40k import odds as wh40k_odds
from grognard.games.wh40k.odds import chances
from grognard.kernel.geometry.base import Pose, round_base
from grognard.kernel.geometry.bodies import Bodies
from grognard.kernel.geometry.sight.sight import Blocking, SightRules, figures, see
from grognard.kernel.geometry.terrain import Piece, Table, rectangle
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.state.field import Field
from grognard.players import Captain, RandomPlayer, play
from tests.bench import table
from tests.wh40k.oracle import REFERENCE, pooled

PAGE = Path(__file__).resolve().parents[2] / "BENCHMARKS.md"
NEMESIS = RULESETS["nemesis"]


class Figure(NamedTuple):
    """One line of the page: what, ours, what it is measured beside, and the aim."""

    what: str
    ours: float
    beside: str
    theirs: float
    aim: str
    how: str
    bytes: bool = False

    @property
    def row(self) -> str:
        ratio = self.ours / self.theirs
        shown = f"{ratio:.2f} x" if ratio >= 0.01 else f"1/{1 / max(ratio, 1e-9):.0f}"
        told = _size if self.bytes else _time
        return f"| {self.what} | {told(self.ours)} | {self.beside} | {told(self.theirs)} | {shown} | {self.aim} |"


def _size(count: float) -> str:
    return f"{count / 1024**2:.3g} MiB"


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def best(task: Callable[[], Any], repeat: int = 5, number: int = 1) -> float:
    """CPU seconds of one run: the median of several, after one to warm up."""
    task()
    times = []
    for _ in range(repeat):
        begin = time.process_time()
        for _ in range(number):
            task()
        times.append((time.process_time() - begin) / number)
    return statistics.median(times)


def typical(task: Callable[[int], Any], seeds: Sequence[int], passes: int = 3) -> float:
    """CPU seconds of a task, the mean over seeds; of each the median of several passes, as the first one warms up."""
    times: dict[int, list[float]] = {seed: [] for seed in seeds}
    for _ in range(passes):
        for seed in seeds:
            begin = time.process_time()
            task(seed)
            times[seed].append(time.process_time() - begin)
    return statistics.mean(statistics.median(each) for each in times.values())


def calibration() -> int:
    x = 0
    for i in range(5_000_000):
        x += i * i % 7
    return x


def random_game(seed: int) -> Match:
    setup = NEMESIS.default_setup("for-miter", ("realm-300", "undead-300"), seed)
    match = Match(NEMESIS, setup, dice=Seeded(seed), history="none")
    play(match, {seat: RandomPlayer(seed) for seat in match.battle.seats})
    return match


def games() -> Figure:
    seeds = range(1, 13)
    ours = typical(random_game, seeds)
    return Figure(
        "a random Némésis game, 20 a side, six turns", ours, "calibration loop (5,000,000 steps)", best(calibration, 3),
        "at most 0.2 s", f"mean of {len(seeds)} games, realm-300 against undead-300; {1 / ours:.1f} games a second",
    )  # fmt: skip


def _places(count: int, seed: int) -> list[tuple[float, float]]:
    rng = np.random.default_rng(seed)
    spots: list[tuple[float, float]] = []
    while len(spots) < count:
        x, y = rng.uniform(20, 1180, 2).round(3).tolist()
        if all((x - a) ** 2 + (y - b) ** 2 > 40**2 for a, b in spots):
            spots.append((x, y))
    return spots


def gaps() -> Figure:
    spots = _places(80, 1)
    bodies = Bodies()
    bodies.add_many([round_base(30.0)] * 80, [Pose(x, y) for x, y in spots], [0.0] * 80)
    rows, columns = np.arange(40), np.arange(40, 80)
    discs = [Point(x, y).buffer(15.0) for x, y in spots]

    def plain() -> list[float]:
        return [discs[i].distance(discs[j]) for i in range(40) for j in range(40, 80)]

    ours = best(lambda: bodies.gap_matrix(rows, columns), number=50)
    return Figure(
        "gaps of 40 bases to 40", ours, "shapely, pair by pair", best(plain, 3), "", "1,600 pairs, round bases"
    )


def _pieces() -> list[Piece]:
    rng = np.random.default_rng(5)
    corners = [rng.uniform(0, 1100, 2).tolist() for _ in range(12)]
    return [
        Piece(f"p{i}", "wood", rectangle(x, y, 80.0, 60.0), sight="area" if i % 2 else "solid")
        for i, (x, y) in enumerate(corners)
    ]


def sight() -> Figure:
    spots = _places(20, 3)
    pieces = _pieces()
    table = Table(1200.0, 1200.0, tuple(pieces))
    x, y = np.array(spots).T
    crowd = figures(x, y, np.full(20, 15.0), size=np.full(20, 2.0))
    rules = SightRules(arc=180.0, models=Blocking.TALLER)
    discs = [Point(a, b).buffer(15.0) for a, b in spots]
    shapes = [Polygon(piece.points) for piece in pieces]

    def plain() -> int:
        """Five lines from each centre across each target, against every base and piece."""
        seen = 0
        for i in range(10):
            for j in range(10, 20):
                for offset in (-14.0, -7.0, 0.0, 7.0, 14.0):
                    line = LineString([spots[i], (spots[j][0] + offset, spots[j][1])])
                    bases = (disc for k, disc in enumerate(discs) if k not in (i, j))
                    seen += not any(line.intersects(o) for o in (*bases, *shapes))
        return seen

    ours = best(lambda: see(crowd, range(10), range(10, 20), table, rules), number=50)
    return Figure(
        "who sees whom and in what cover, 10 to 10 among 12 pieces", ours, "shapely, five lines a pair", best(plain, 3),
        "at most 1 ms", "exact in plan, with cover and culprit; the plain loop samples five lines and knows no cover",
    )  # fmt: skip


def _crowded() -> Match:
    units = {}
    for side, y in (("red", 10), ("blue", 90)):
        for k in range(12):
            spot = [14 + (k % 6) * 20, y + (k // 6) * 12]
            units[f"{side}{k}"] = {"side": side, "card": "Skeleton", "count": 10, "columns": 5, "at": spot}
    given = {"turn": 1, "phase": "movement", "table": {"width": 130, "height": 130}, "units": units}
    return Match(NEMESIS, {"given": given}, dice=Seeded(1))


def forks() -> Figure:
    match = _crowded()
    assert isinstance(match.battle, Field)
    count = sum(1 for _ in match.battle.on_table())
    ours = best(lambda: match.fork(Seeded(2)), number=20)
    theirs = best(lambda: copy.deepcopy(match.battle), 3)
    return Figure(
        f"a fork of a battle of {count} models", ours, "copy.deepcopy of the battle", theirs, "at most 0.5 ms",
        "copy at the checkpoint, script started afresh, question asked again",
    )  # fmt: skip


def _our_volley() -> Any:
    return NEMESIS.weigh(
        "volley", {"shooters": 20, "HT": 4, "F": 3, "DT": 9, "P": 50, "R": 7, "S": 1, "distance": 20, "visible": 20}
    )


def _their_volley() -> Any:
    d10 = icepool.d10

    def after_hit(face: int) -> Any:
        if face == 1 or face + 5 < 9:
            return icepool.Die([0])
        power = face + 7
        return d10.map(lambda r: 0 if r != 1 and r + 7 >= power else d10.map(lambda s: int(s > 1)))

    return 20 @ d10.map(after_hit)


def volley() -> Figure:
    ours, theirs = _our_volley(), _their_volley()
    for lost in range(21):
        assert ours.chances.get(str(lost), 0) == theirs.probability(lost), lost
    return Figure(
        "exact odds of a 20-shot volley", best(_our_volley, number=5), "icepool, the same question",
        best(_their_volley, number=5), "no more than icepool", "equal to the last digit; the steps the battle rolls",
    )  # fmt: skip


def _battle(seed: int, game: str, armies: tuple[str, ...], player: Callable[[Any], Any]) -> Match:
    ruleset = EVERY[game]
    match = Match(ruleset, ruleset.default_setup(None, armies, seed), dice=Seeded(seed), history="none")
    play(match, {seat: player(f"{seat} {seed}") for seat in match.battle.seats})
    return match


BATTLES: tuple[tuple[str, str, tuple[str, ...], Callable[[Any], Any], str], ...] = (
    ("a random Warhammer 40,000 game, 1,000 points", "wh40k", ("iron-compact-1000", "ash-brood-1000"), RandomPlayer,
     "at most 1 s"),
    ("a Warhammer 40,000 game captain against captain, 2,000 points", "wh40k", ("iron-compact-2000", "ash-brood-2000"),
     Captain, "at most 4 s"),
    ("a random game of L'Âge des Escarmouches, 400 points", "ades", ("lion-crusade-400", "rat-engines-400"),
     RandomPlayer, "at most 0.5 s"),
    ("a random game of The Ninth Age, 4,500 points", "t9a", ("free-cities-4500", "old-barrows-4500"), RandomPlayer,
     "at most 2 s"),
    ("a random game of Warhammer Fantasy Battle, 2,000 points", "wfb3", ("marchers-2000", "greenskins-2000"),
     RandomPlayer, "at most 3 s"),
)  # fmt: skip


def battles() -> list[Figure]:
    made, seeds = [], range(1, 7)
    for what, game, armies, player, aim in BATTLES:
        ours = typical(partial(_battle, game=game, armies=armies, player=player), seeds)
        how = f"mean of {len(seeds)} games between our starter armies {' and '.join(armies)}"
        made.append(Figure(what, ours, "calibration loop (5,000,000 steps)", best(calibration, 3), aim, how))
    return made


def charges() -> Figure:
    """All charges of twelve blocks against twelve, in the middle of a battle."""
    ruleset = EVERY["t9a"]
    sides = {"red": (16.0, 0), "blue": (28.0, 180)}
    units = {
        f"{side}{n}": {
            "side": side, "profile": "City Swords", "models": 20, "files": 5, "facing": facing,
            "front": [6.0 + 5.4 * n, y - 2.0 * (n % 2)],
        }
        for side, (y, facing) in sides.items()
        for n in range(12)
    }  # fmt: skip
    given = {"phase": "charge", "units": units}
    battle = cast(T9aBattle, ruleset.from_given(given, ruleset.house_rules_from({})))

    def ask() -> int:
        battle.version += 1
        battle._memo.clear()
        return sum(len(charge_targets.targets(battle, unit)[0]) for unit in battle.army("red"))

    assert ask() > 0
    return Figure(
        "the legal charges of 12 units against 12 (The Ninth Age)", best(ask, 25), "calibration loop (5,000,000 steps)",
        best(calibration, 3), "at most 50 ms", "blocks of twenty, 144 pairs, nothing remembered",
    )  # fmt: skip


def _other_numbers() -> Callable[[], Any]:
    """The reference question, every time with other numbers."""
    asked = itertools.cycle(
        REFERENCE | {"skill": skill, "wound": wound, "save": save, "fnp": fnp, "attacks": f"2D6+{more}"}
        for skill, wound, save, fnp, more in itertools.product((2, 3, 4, 5), (3, 5), (3, 4, 5), (4, 5, 6), (5, 6, 7, 8))
    )
    return lambda: wh40k_odds.weigh("attack", next(asked))


def _first_time() -> Any:
    """The reference question with nothing remembered."""
    chances.forget()
    return wh40k_odds.weigh("attack", REFERENCE)


def reference() -> list[Figure]:
    ours, theirs = wh40k_odds.weigh("attack", REFERENCE).parts["models slain"], pooled()
    for lost in range(6):
        assert ours.probability(lost) == theirs.probability(lost), lost
    beside = best(pooled, number=3)
    what = "2D6+6 attacks with Sustained and Lethal Hits and Feel No Pain into five 3-wound models"
    return [
        Figure(
            f"exact odds of {what}, other numbers each time", best(_other_numbers(), number=50),
            "icepool, the same question", beside, "at most 2 ms", "equal to the last digit; the steps the battle rolls",
        ),
        Figure(
            f"exact odds of {what}, nothing remembered", best(_first_time, number=20), "icepool, the same question",
            beside, "no more than icepool", "as above, all that was weighed before forgotten",
        ),
    ]  # fmt: skip


def served() -> list[Figure]:
    """Wall-clock times, unlike the others: people wait by the clock."""
    beside = "the same with no other match"
    found = table.serve()
    times = [Figure(what, ours, beside, theirs, "", how) for what, ours, theirs, how in table.lines(found)]
    memory = Figure(
        "memory of a match of captains that is being played", found.each, "the server before them", found.empty, "",
        f"growth of the process by {found.held} matches and {found.pages} open pages, shared among the matches",
        bytes=True,
    )  # fmt: skip
    return [*times, memory]


HEAD = """# Benchmarks

Made by `make bench`. Figures are CPU time of one core, medians of several runs in one process. What matters is the
ratio of ours to what stands beside it, measured in the same run.

| what | ours | beside | theirs | ratio | aim |
| --- | --- | --- | --- | --- | --- |
"""


def main() -> None:
    made = [games(), gaps(), sight(), forks(), volley(), *reference(), *battles(), charges(), *served()]
    text = HEAD + "\n".join(figure.row for figure in made) + "\n\nHow:\n\n"
    text += "\n".join(f"- {figure.what}: {figure.how}." for figure in made) + "\n"
    PAGE.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
