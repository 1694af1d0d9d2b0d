"""Chapters 2.2, 2.3: terrain by the book: densities in secret, pieces by D100, placed in turn, rivers last.

Played where the setup says `terrain: book`. The battle's `queue` holds the slips still lying: (number, section, kind);
`cursor` counts placements, so that players alternate.
"""

from __future__ import annotations

import math

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.rolls import dice
from grognard.games.wfb3.setup import rivers
from grognard.games.wfb3.setup.victory import sections
from grognard.games.wfb3.table import sections as rooms
from grognard.games.wfb3.table import terrain
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.sweeps import overlap
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.terrain import Piece, turned_box
from grognard.kernel.geometry.units import inches
from grognard.kernel.placing.judges import SpotJudge
from grognard.kernel.questions import Option, Pick, Place, Roll, Script, Split, Together

#: wfb3:2.2-terrain-table  The highest D100 of each result, its name, and its parts: kind, place, size (inches).
Part = tuple[str, tuple[float, float], tuple[float, float]]


def _lines(kind: str, count: int = 3) -> tuple[Part, ...]:
    """Lengths of 4" end to end."""
    return tuple((kind, (4.0 * (n - (count - 1) / 2), 0.0), (4.0, terrain.THICK)) for n in range(count))


def _yard(kind: str, half: float, buildings: tuple[tuple[float, float], ...]) -> tuple[Part, ...]:
    """Small buildings within four sides of a fence or wall."""
    sides: list[Part] = [(kind, (0.0, s * half), (2 * half - 1.0, terrain.THICK)) for s in (-1, 1)]
    sides += [(kind, (s * half, 0.0), (terrain.THICK, 2 * half - 1.0)) for s in (-1, 1)]
    return (*sides, *(("building", at, (2.5, 2.5)) for at in buildings))


TABLE: tuple[tuple[int, str, tuple[Part, ...]], ...] = (
    (17, "hill", (("hill", (0, 0), (6, 6)),)),
    (22, "steep-hill", (("steep hill", (0, 0), (6, 6)),)),
    (25, "ditches", _lines("ditch")),
    (37, "fences", _lines("fence")),
    (44, "walls", _lines("wall")),
    (64, "wood", (("wood", (0, 0), (6, 6)),)),
    (67, "debris", (("debris", (0, 0), (6, 6)),)),
    (70, "ruins", (("ruins", (0, 0), (6, 6)),)),
    (72, "fenced-house", _yard("fence", 2.9, ((0, 0),))),
    (74, "walled-house", _yard("wall", 2.9, ((0, 0),))),
    (77, "three-houses", tuple(("building", at, (2.5, 2.5)) for at in ((-3, -2), (3, -2), (0, 3)))),
    (79, "farm", _yard("wall", 5.0, ((0, 2), (-2.5, -2), (2.5, -2)))),
    (81, "inn", _yard("wall", 5.0, ((-1.5, 0), (2.5, -2)))),
    (84, "pond", (("pond", (0, 0), (5, 5)),)),
    (89, "river", ()),
    (93, "marsh", (("marsh", (0, 0), (5, 5)),)),
    (96, "earth-banks", tuple(("earth bank", at, size) for at, size in (
        ((0, 3.8), (4, terrain.THICK)), ((0, -3.8), (4, terrain.THICK)),
        ((3.8, 2), (terrain.THICK, 4)), ((3.8, -2), (terrain.THICK, 4)),
        ((-3.8, 2), (terrain.THICK, 4)), ((-3.8, -2), (terrain.THICK, 4))))),
    (100, "graveyard", (("graveyard", (0, 0), (6, 6)),)),
)  # fmt: skip
PIECES = {name: parts for _, name, parts in TABLE}


def phase(battle: Battle) -> Script[None]:
    """wfb3:2.2-sections, wfb3:2.2-density, wfb3:2.3-placing, wfb3:2.3.4-buildings
    Densities, slips, placement, rivers."""
    if battle.stage == 0:
        yield from _densities(battle)
        order = yield from dice.roll_off(battle, battle.seats, "terrain.first", "wfb3:2.3-placing")
        battle.first = order[0]
        battle.stage = 1
    while battle.stage == 1 and battle.queue:
        yield from _place_next(battle)
    if battle.stage == 1:
        battle.stage = 2
    yield from rivers.finish(battle)


def _about(section: int | str) -> tuple[str, ...]:
    """wfb3:2.2-sections  What is drawn of a section."""
    return (f"section:{section}",)


def _densities(battle: Battle) -> Script[None]:
    """wfb3:2.2-density, wfb3:2.2-rounding, wfb3:2.2-terrain-table
    Each writes 0 to 4 for every section; the mean, shaken a little. Only when all numbers are known the pieces follow.
    """
    keys = [str(n) for n in range(1, 9)]
    asked = [
        Split(
            seat, "terrain.density", [Option(k, k, "option.section", _about(k), {"section": k}) for k in keys], 32,
            limits=dict.fromkeys(keys, (0, 4)), exact=False, rule="wfb3:2.2-density",
        )
        for seat in battle.seats
    ]  # fmt: skip
    both: tuple[dict[str, int], ...] = yield Together(asked)
    counts: list[int] = []
    for number, key in enumerate(keys, 1):
        value = scaled(battle, (both[0][key] + both[1][key]) / 2)
        (face,) = yield Roll(battle.seats[0], "terrain.count", 6, rule="wfb3:2.2-rounding", cuts=(3, 5))
        counts.append(rounded(value, face))
        battle.tell("terrain.section", "wfb3:2.2-density", (), section=number, value=value, pieces=counts[-1])
    slips: list[tuple[int, int, str]] = []
    for number, count in enumerate(counts, 1):
        if count:
            battle.cite("wfb3:1.3-dice")
            faces = yield Roll(battle.seats[0], "terrain.piece", 100, count, rule="wfb3:2.2-terrain-table")
            slips += [(len(slips) + n + 1, number, result(face)) for n, face in enumerate(faces)]
    battle.queue = tuple(slips)


def scaled(battle: Battle, value: float) -> float:
    """wfb3:2.4-scaling  On a table of another size the number follows its area, to the nearest half; an option.

    Ruling: a table of 72 by 48 inches is the measure.
    """
    if not battle.house["scale_terrain"]:
        return value
    battle.cite("wfb3:2.4-scaling")
    share = battle.table.width * battle.table.height / (inches(72) * inches(48))
    return math.floor(value * share * 2 + 0.5) / 2


def rounded(value: float, face: int) -> int:
    """wfb3:2.2-rounding  1-2 less a half, 5-6 more a half, then to the nearest; halves go up, never below none.

    >>> [rounded(2, f) for f in (1, 3, 5)], [rounded(2.5, f) for f in (1, 3, 5)]
    ([2, 2, 3], [2, 3, 3])
    """
    shaken = value + (-0.5 if face <= 2 else 0.5 if face >= 5 else 0.0)
    return max(0, math.floor(shaken + 0.5))


def result(face: int) -> str:
    """wfb3:2.2-terrain-table"""
    return next(name for most, name, _ in TABLE if face <= most)


def _place_next(battle: Battle) -> Script[None]:
    """wfb3:2.3-placing  One slip becomes a piece in its section; river slips only after everything else."""
    seat = battle.first if battle.cursor % 2 == 0 else battle.other(battle.first)
    dry = [slip for slip in battle.queue if slip[2] != "river"]
    if not dry:
        yield from rivers.course(battle, seat)
        return
    options = [
        Option(f"{n}", (n, s, k), "option.slip", _about(s), {"kind": _plain(k), "section": s}) for n, s, k in dry
    ]
    wet = Refusal("refuse.river-last", "wfb3:2.3-placing", {})
    barred = {f"{n}": wet for n, _, k in battle.queue if k == "river"}
    slip = yield Pick(seat, "terrain.slip", options, barred=barred, rule="wfb3:2.3-placing", checkpoint=True)
    judge = SpotJudge(
        "piece", lambda pose: refusal(battle, slip, pose), spots(battle, slip), "wfb3:2.3-placing",
        shape=lambda pose: [piece.points for piece in made(slip, pose)],
    )  # fmt: skip
    if any(judge.check(pose) is None for pose in judge.spots.values()):
        pose = yield Place(
            seat, "terrain.place", ("piece",), judge, rule="wfb3:2.3-placing", data={"kind": _plain(slip[2])}
        )
        laid = made(slip, pose)
        battle.table = battle.table.with_pieces((*battle.table.pieces, *laid))
        battle.tell("terrain.placed", "wfb3:2.3-placing", (), what=_plain(slip[2]), section=slip[1])
    else:
        battle.tell("terrain.no-room", "wfb3:2.3-placing", (), what=_plain(slip[2]), section=slip[1])
    battle.queue = tuple(s for s in battle.queue if s != slip)
    battle.cursor += 1


def _plain(kind: str) -> str:
    """What a slip is called: "walled house"."""
    return kind.replace("-", " ")


def made(slip: tuple[int, int, str], pose: Pose) -> tuple[Piece, ...]:
    """The pieces of one slip about a point, turned."""
    number, _, name = slip
    found = []
    turn = math.radians(pose.facing)
    c, s = math.cos(turn), math.sin(turn)
    for place, (kind, (dx, dy), (wide, deep)) in enumerate(PIECES[name], 1):
        x, y = inches(dx), inches(dy)
        at = (pose.x + x * c + y * s, pose.y - x * s + y * c)
        what = terrain.KINDS[kind]
        points = turned_box(at, (inches(wide), inches(deep)), pose.facing)
        traits = rooms.traits({"kind": kind}, name) if kind in rooms.KINDS else ()
        found.append(Piece(f"{name}-{number}.{place}", kind, points, inches(what.height), what.sight, traits))
    return tuple(found)


def refusal(battle: Battle, slip: tuple[int, int, str], pose: Pose) -> Refusal | None:
    """wfb3:2.3-placing  Wholly inside its section, on nothing else."""
    x, y, wide, high = sections(battle)[slip[1] - 1]
    for piece in made(slip, pose):
        for px, py in piece.points:
            if not (x - 0.05 <= px <= x + wide + 0.05 and y - 0.05 <= py <= y + high + 0.05):
                return Refusal("refuse.section", "wfb3:2.3-placing", {"section": slip[1]})
        shape = Outline(piece.points)
        if any(overlap(shape, terrain.outline(other, battle.table)) for other in battle.table.pieces):
            return Refusal("refuse.on-piece", "wfb3:2.3-placing", {"section": slip[1]})
    return None


def spots(battle: Battle, slip: tuple[int, int, str]) -> dict[str, Pose]:
    """Places worth proposing: a grid over the section, straight and turned."""
    x, y, wide, high = sections(battle)[slip[1] - 1]
    found: dict[str, Pose] = {}
    for word, turn in (("spot", 0.0), ("turned", 90.0)):
        for n in range(25):
            i, j = n // 5 + 1, n % 5 + 1
            found[f"{word}{n}"] = Pose(round(x + wide * i / 6, 1), round(y + high * j / 6, 1), turn)
    return found
