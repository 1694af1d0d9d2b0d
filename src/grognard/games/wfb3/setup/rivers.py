"""Chapters 2.3.1, 2.3.2, 2.3.3: rivers: courses from section to section, width, crossings, fords."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.games.wfb3 import referee
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.rolls import dice
from grognard.games.wfb3.setup.victory import sections
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.shapes import Point
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Roll, Script

#: wfb3:2.3.3-crossings
CROSSING = inches(4)
#: wfb3:2.3.1-river-limits  No curve is tighter.
RADIUS = inches(3)
#: wfb3:2.3.2-river-width  Width by D6.
WIDTHS = {1: 1.0, 2: 1.0, 3: 2.0, 4: 2.0, 5: 3.0, 6: 3.0}


def _exits(battle: Battle, section: int) -> dict[str, tuple[Point, int]]:
    """wfb3:2.3.1-river-course

    Where a course may enter or leave a section: table edges, and neighbours with river slips.

    The number is the neighbour, 0 for the table's edge.
    """
    x, y, wide, high = sections(battle)[section - 1]
    column, row = (section - 1) % 4, (section - 1) // 4
    wet = {s for _, s, k in battle.queue if k == "river"} | {
        int(p.id.split("-")[1]) for p in battle.table.pieces if p.id.startswith("course-")
    }
    sides = {
        "west": ((x, y + high / 2), section - 1 if column > 0 else 0),
        "east": ((x + wide, y + high / 2), section + 1 if column < 3 else 0),
        "south": ((x + wide / 2, y), section - 4 if row else 0),
        "north": ((x + wide / 2, y + high), section + 4 if not row else 0),
    }
    return {name: (point, other) for name, (point, other) in sides.items() if not other or other in wet}


def course(battle: Battle, seat: str) -> Script[None]:
    """wfb3:2.3.1-river-course, wfb3:2.3.1-river-leftover, wfb3:2.3.1-river-double
    One river slip becomes a course through its section.

    Ruling: a course runs from the middle of one side of its section to the middle of another, so that courses of
    neighbours meet; a second slip in a section is a second arm between the same ends.
    """
    slips = [slip for slip in battle.queue if slip[2] == "river"]
    options = [Option(str(n), (n, s), "option.slip", data={"kind": "river", "section": s}) for n, s, _ in slips]
    number, section = yield Pick(seat, "terrain.slip", options, rule="wfb3:2.3.1-river-course", checkpoint=True)
    exits = _exits(battle, section)
    stranded = _stranded(battle, section, exits)
    if stranded and not (yield from _tributary(battle, seat, number, section)):
        return
    picks, barred = _ways(battle, section, exits)
    battle.queue = tuple(slip for slip in battle.queue if slip[0] != number)
    battle.cursor += 1
    if not picks:
        battle.tell("terrain.no-room", "wfb3:2.3.1-river-limits", (), what="river", section=section)
        return
    a, b, bends = yield Pick(seat, "terrain.course", picks, barred=barred, rule="wfb3:2.3.1-river-course")
    if not any(exits[e][1] for e in (a, b)) and any(p.id.startswith("course-") for p in battle.table.pieces):
        battle.cite("wfb3:2.3.1-river-leftover")
    key, ends = f"course-{section}-{number}", (exits[a][0], exits[b][0])
    bare, first = battle.table, next(iter(bends))
    battle.table = bare.with_piece(_bed(key, *ends, bends[first], inches(1)))
    battle.tell("terrain.course", "wfb3:2.3.1-river-course", (), section=section, a=a, b=b)
    if len(bends) > 1:
        others = [Option(name, name, f"option.bend.{name}") for name in bends if name != first]
        bend = yield Pick(seat, "terrain.bend", others, optional=True, rule="wfb3:2.3.1-river-course")
        if bend is not None:
            battle.table = bare.with_piece(_bed(key, *ends, bends[bend], inches(1)))
    for end in (a, b):
        if stranded and exits[end][1]:
            yield from _link(battle, seat, section, exits[end])


def _ways(battle: Battle, section: int, exits: dict[str, tuple[Point, int]]) -> tuple[list[Option], dict[str, Refusal]]:
    """wfb3:2.3.1-river-course, wfb3:2.3.1-river-limits  Courses a river may take, by which bend, and why not others.

    By the middle of the section where it can, else round about it; the player may choose among these bends.
    """
    ways = [(a, b) for i, a in enumerate(exits) for b in list(exits)[i + 1 :]]
    linked = [(a, b) for a, b in ways if exits[a][1] or exits[b][1]] or ways or _same_edge(battle, section, exits)
    arms = [p for p in _courses(battle, section) if not p.id.endswith("x")]
    if arms:
        battle.cite("wfb3:2.3.1-river-double")
        linked = _arms(arms[0], linked, exits)
    found: list[Option] = []
    barred: dict[str, Refusal] = {}
    for a, b in linked:
        bends = {
            name: spot for name, spot in _bends(battle, section).items()
            if _runs(battle, exits[a][0], exits[b][0], spot)
            and all(math.dist(spot, _line(arm)[1]) >= RADIUS - 1.0 for arm in arms)
        }  # fmt: skip
        if bends:
            found.append(Option(f"{a}-{b}", (a, b, bends), "option.course", data={"from": a, "to": b}))
        else:
            barred[f"{a}-{b}"] = Refusal("refuse.river-blocked", "wfb3:2.3.1-river-limits", {"section": section})
    return found, barred


def _arms(first: Piece, ways: list[tuple[str, str]], exits: dict[str, tuple[Point, int]]) -> list[tuple[str, str]]:
    """wfb3:2.3.1-river-double  The second arm begins where the first does, and ends there too.

    Elsewhere only where more than one exit leads to other sections.
    """
    ends = _ends(first)
    shared = {way: sum(min(math.dist(exits[e][0], end) for end in ends) < 1.0 for e in way) for way in ways}
    least = 1 if sum(bool(other) for _, other in exits.values()) > 1 else 2
    return [way for way in ways if shared[way] >= least] or ways


def _bends(battle: Battle, section: int) -> dict[str, Point]:
    """Points a course may bend at: the middle of the section first, then round about it."""
    x, y, wide, high = sections(battle)[section - 1]
    names = {
        "n": (0, 1),
        "s": (0, -1),
        "e": (1, 0),
        "w": (-1, 0),
        "ne": (1, 1),
        "se": (1, -1),
        "sw": (-1, -1),
        "nw": (-1, 1),
    }
    steps = {"middle": (0, 0), **names}
    return {name: (x + wide / 2 + dx * wide / 4, y + high / 2 + dy * high / 4) for name, (dx, dy) in steps.items()}


@cites
def _runs(battle: Battle, a: Point, b: Point, middle: Point) -> bool:
    """wfb3:2.3.1-river-limits  Whether a river may run like this: up no hill, through no house, without sharp bends.

    Ruling: it is taken to be as wide as rivers get.
    """
    before, after = ((middle[0] - a[0], middle[1] - a[1]), (b[0] - middle[0], b[1] - middle[1]))
    if min(math.hypot(*before), math.hypot(*after)) < RADIUS or before[0] * after[0] + before[1] * after[1] < -1.0:
        return False
    bed = _bed("bed", a, b, middle, inches(max(WIDTHS.values()))).polygon
    shut = [p for p in battle.table.pieces if p.kind in ("hill", "steep hill", "building")]
    return not any(bed.intersects(piece.polygon) for piece in shut)


def _line(piece: Piece) -> tuple[Point, Point, Point]:
    """The middle line of a course: where it begins, bends and ends."""
    points = piece.points
    a, m, b = (((points[n][0] + points[-1 - n][0]) / 2, (points[n][1] + points[-1 - n][1]) / 2) for n in range(3))
    return a, m, b


def _ends(piece: Piece) -> tuple[Point, Point]:
    """Where a course begins and ends."""
    points = piece.points
    return (
        ((points[0][0] + points[-1][0]) / 2, (points[0][1] + points[-1][1]) / 2),
        ((points[2][0] + points[3][0]) / 2, (points[2][1] + points[3][1]) / 2),
    )


def _courses(battle: Battle, section: int) -> list[Piece]:
    return [p for p in battle.table.pieces if p.id.startswith(f"course-{section}-")]


def _stranded(battle: Battle, section: int, exits: dict[str, tuple[Point, int]]) -> bool:
    """wfb3:2.3.1-river-leftover  Whether rivers run next door, all of them past this section."""
    beside = [(point, other) for point, other in exits.values() if other and _courses(battle, other)]
    waiting = {s for _, s, k in battle.queue if k == "river"} - {section}
    if not beside or any(other in waiting for _, other in exits.values()):
        return False
    return not any(
        math.dist(point, end) < 1.0 for point, other in beside for p in _courses(battle, other) for end in _ends(p)
    )


def _tributary(battle: Battle, seat: str, number: int, section: int) -> Script[bool]:
    """wfb3:2.3.1-river-leftover  A slip the river has passed by is taken away, or becomes a tributary."""
    options = [Option("tributary", True, "option.river.tributary"), Option("remove", False, "option.river.remove")]
    kept = yield Pick(seat, "terrain.stranded", options, rule="wfb3:2.3.1-river-leftover")
    battle.tell("river.stranded", "wfb3:2.3.1-river-leftover", (), section=section, kept=kept)
    if not kept:
        battle.queue = tuple(slip for slip in battle.queue if slip[0] != number)
        battle.cursor += 1
    return bool(kept)


def _link(battle: Battle, seat: str, section: int, mouth: tuple[Point, int]) -> Script[None]:
    """wfb3:2.3.1-river-leftover  The other player draws the short stretch from the border to the main river."""
    point, other = mouth
    bed = _courses(battle, other)[0]
    ends = _ends(bed)
    middle = ((bed.points[1][0] + bed.points[-2][0]) / 2, (bed.points[1][1] + bed.points[-2][1]) / 2)
    spots = {
        "middle": middle,
        "upper": ((ends[0][0] + middle[0]) / 2, (ends[0][1] + middle[1]) / 2),
        "lower": ((ends[1][0] + middle[0]) / 2, (ends[1][1] + middle[1]) / 2),
    }
    options = [Option(name, name, f"option.river.{name}") for name in spots]
    chosen = yield Pick(battle.other(seat), "terrain.link", options, rule="wfb3:2.3.1-river-leftover")
    goal = spots[chosen]
    half = ((point[0] + goal[0]) / 2, (point[1] + goal[1]) / 2)
    battle.table = battle.table.with_piece(_bed(f"course-{other}-{section}x", point, goal, half, inches(1)))
    battle.tell("river.link", "wfb3:2.3.1-river-leftover", (), section=other)


def _same_edge(battle: Battle, section: int, exits: dict[str, tuple[Point, int]]) -> list[tuple[str, str]]:
    """wfb3:2.3.1-river-course  In and out by the same table edge, where there is no other way."""
    x, y, wide, high = sections(battle)[section - 1]
    (edge,) = exits
    across = edge in ("north", "south")
    (px, py), _ = exits[edge]
    for name, share in (("in", 0.25), ("out", 0.75)):
        point = (x + wide * share, py) if across else (px, y + high * share)
        exits[f"{edge}-{name}"] = (point, 0)
    return [(f"{edge}-in", f"{edge}-out")]


def _bed(key: str, a: Point, b: Point, middle: Point, width: float) -> Piece:
    """A strip of a width from one point by a middle to another."""
    half = width / 2
    left: list[Point] = []
    right: list[Point] = []
    line = [a, middle, b]
    for n, (x, y) in enumerate(line):
        (px, py), (qx, qy) = line[max(0, n - 1)], line[min(2, n + 1)]
        far = math.hypot(qx - px, qy - py) or 1.0
        ox, oy = -(qy - py) / far * half, (qx - px) / far * half
        left.append((round(x + ox, 3), round(y + oy, 3)))
        right.append((round(x - ox, 3), round(y - oy, 3)))
    return Piece(key, "river", tuple(left + right[::-1]), 0.0, "open")


def finish(battle: Battle) -> Script[None]:
    """wfb3:2.3.2-river-width, wfb3:2.3.3-crossings, wfb3:2.3.3-extra-ford
    Width once all courses lie; a crossing; perhaps fords.
    """
    beds = [p for p in battle.table.pieces if p.id.startswith("course-")]
    if not beds:
        return
    (face,) = yield Roll(battle.seats[0], "river.width", 6, rule="wfb3:2.3.2-river-width", cuts=(3, 5))
    width = WIDTHS[face]
    kind = "stream" if width == 1 else "river"
    dry = [p for p in battle.table.pieces if p not in beds]
    wide = [_widened(p, inches(width) * _share(p, beds), kind) for p in beds]
    battle.table = battle.table.with_pieces((*dry, *wide))
    battle.tell("river.width", "wfb3:2.3.2-river-width", (), inches=width)
    if kind == "stream":
        return
    (face,) = yield Roll(battle.seats[0], "river.crossing", 6, rule="wfb3:2.3.3-crossings", cuts=(4,))
    over = "bridge" if face <= 3 else "ford"
    middle = (battle.table.width / 2, battle.table.height / 2)
    fair = sorted(wide, key=lambda p: math.dist(_heart(p), middle))
    options = [Option(p.id, p, about=(p.id,)) for p in fair]
    bed = yield from referee.decide(battle, "crossing", options, fair[0].id, rule="wfb3:2.3.3-crossings")
    _cross(battle, bed, over)
    for arm in wide:
        if arm is not bed and _share(bed, wide) < 1 and _section(arm) == _section(bed):
            _cross(battle, arm, over)
    yield from _fords(battle)


def _section(piece: Piece) -> str:
    """The section a course runs through; a tributary's link is none of its arms."""
    return piece.id.split("-")[1] if not piece.id.endswith("x") else piece.id


def _share(piece: Piece, beds: Sequence[Piece]) -> float:
    """wfb3:2.3.2-river-width  Both arms round an island are together at most half as wide again as the river."""
    return 0.75 if sum(_section(p) == _section(piece) for p in beds) > 1 else 1.0


def _heart(piece: Piece) -> Point:
    xs, ys = [p[0] for p in piece.points], [p[1] for p in piece.points]
    return sum(xs) / len(xs), sum(ys) / len(ys)


def _widened(piece: Piece, width: float, kind: str) -> Piece:
    a, m, b = _line(piece)
    return Piece(piece.id, kind, _bed(piece.id, a, b, m, width).points, 0.0, "open")


def _cross(battle: Battle, bed: Piece, over: str) -> None:
    """A bridge or ford 4" wide at the middle of a course: the water is cut there.

    Ruling: a course is cut into what lies before and beyond the crossing.
    """
    x, y = bed.points[1][0] / 2 + bed.points[-2][0] / 2, bed.points[1][1] / 2 + bed.points[-2][1] / 2
    rest = [p for p in battle.table.pieces if p.id != bed.id]
    cut: list[Piece] = []
    for name, first, last in (("a", 0, 1), ("b", 1, 2)):
        ends = [
            ((bed.points[n][0] + bed.points[-1 - n][0]) / 2, (bed.points[n][1] + bed.points[-1 - n][1]) / 2)
            for n in (first, last)
        ]
        width = math.dist(bed.points[1], bed.points[-2])
        (ax, ay), (bx, by) = ends
        far = math.dist(*ends)
        share = CROSSING / 2 / far if far else 0.0
        if name == "a":
            bx, by = bx - (bx - ax) * share, by - (by - ay) * share
        else:
            ax, ay = ax + (bx - ax) * share, ay + (by - ay) * share
        strip = _bed(f"{bed.id}{name}", (ax, ay), (bx, by), ((ax + bx) / 2, (ay + by) / 2), width)
        cut.append(strip)
    half = CROSSING / 2
    pad = Piece(
        f"{over}-{bed.id}",
        over,
        ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)),
    )
    battle.table = battle.table.with_pieces((*rest, *cut, pad))
    battle.tell("river.crossing", "wfb3:2.3.3-crossings", (), what=over)


def _fords(battle: Battle) -> Script[None]:
    """wfb3:2.3.3-extra-ford  Each player may try once for a ford in his own half: 4 or more.

    Where both want one a die decides who begins.
    """
    wanted: dict[str, Piece] = {}
    for seat in battle.seats:
        low = battle.sides[seat].edge == "south"
        beds = [p for p in battle.table.pieces if p.id.startswith("course-") and _fordable(battle, p, low)]
        if not beds:
            continue
        options = [Option(p.id, p, about=(p.id,)) for p in beds]
        bed = yield Pick(seat, "river.ford", options, optional=True, rule="wfb3:2.3.3-extra-ford")
        if bed is not None:
            wanted[seat] = bed
    order = list(wanted)
    if len(order) > 1:
        order = yield from dice.roll_off(battle, battle.seats, "ford.first", "wfb3:2.3.3-extra-ford")
    for seat in order:
        (face,) = yield Roll(seat, "river.ford", 6, rule="wfb3:2.3.3-extra-ford", cuts=(4,))
        if face >= 4:
            _cross(battle, wanted[seat], "ford")


def _fordable(battle: Battle, piece: Piece, low: bool) -> bool:
    """Whether a stretch of river lies in a half and is long enough for a ford."""
    a, m, b = _line(piece)
    return (_heart(piece)[1] < battle.table.height / 2) == low and math.dist(a, m) + math.dist(m, b) > CROSSING * 1.5
