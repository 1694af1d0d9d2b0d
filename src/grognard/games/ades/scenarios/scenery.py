"""Chapter 9.2.5, 9.1.2, 3.1  Laying the scenery, by agreement or alternately; then the scenario's situation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.games.ades.battle import Battle
from grognard.games.ades.rolls import tests
from grognard.games.ades.scenarios import scenarios
from grognard.games.ades.table import setting_down
from grognard.games.ades.table.terrain import KINDS, counts_as
from grognard.kernel.citing import cites
from grognard.kernel.errors import BadInput, Refusal
from grognard.kernel.geometry import rings
from grognard.kernel.geometry.base import Pose, rect_base
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import cm
from grognard.kernel.questions import Place, Script

RULE = "ades:9.2.5-alternate"
#: ades:9.2.5-size  What players may lay where they do not agree beforehand: kind, width and depth in cm.
STOCK = (
    ("wood", 14, 11), ("rocks", 8, 6), ("hedge", 12, 2), ("swamp", 22, 9), ("house", 10, 8), ("wall", 11, 1.5),
    ("rocks", 5, 5), ("wood", 12, 12), ("lake", 13, 9), ("hedge", 10, 2),
)  # fmt: skip


def phase(battle: Battle) -> Script[None]:
    """ades:3.1, ades:9.2.5-alternate  The scenery, then zones, objectives, neutrals and tokens."""
    if battle.stage == 0:
        if battle.house["scenery"] == "alternate":
            yield from lay(battle)
        else:
            agreed(battle)
        battle.stage = 1
    yield from scenarios.situation(battle)


def bounds(side: float) -> tuple[int, int]:
    """ades:9.1.2  How many pieces lie on a table with this side in mm, at least and at most."""
    wide = round(side / cm(1))
    return scenarios.SCENERY[min(scenarios.SCENERY, key=lambda known: abs(known - wide))]


def enough(pieces: Sequence[Piece], side: float) -> bool:
    """ades:9.1.2, ades:9.2.5-size  Whether there is neither too little scenery nor too much."""
    least, most = bounds(side)
    return least <= sum(counts_as(p) for p in pieces) <= most


def check(pieces: Sequence[Piece], side: float) -> None:
    """ades:9.1.2, ades:9.2.5-gap  Scenery that was agreed on is as much as the table asks for, and stands apart.

    Ruling: who plays on a bare table has agreed on that; areas that are only marked are no scenery.
    """
    real = [p for p in pieces if p.kind != "zone"]
    for number, one in enumerate(real):
        near = next((p for p in real[:number] if close(one, p)), None)
        if near is not None:
            raise BadInput(
                "terrain: {one} and {other} are not more than 6 cm apart (ades:9.2.5-gap)", one=near.id, other=one.id
            )
    if real and not enough(real, side):
        least, most = bounds(side)
        raise BadInput(
            "terrain: {count} pieces of scenery, where this table has {least} to {most} (ades:9.1.2)",
            count=f"{sum(counts_as(p) for p in real):g}", least=least, most=most,
        )  # fmt: skip


@cites
def agreed(battle: Battle) -> None:
    """ades:9.1.2  Scenery both players agreed on before."""
    count = sum(counts_as(p) for p in battle.table.pieces)
    if battle.table.pieces:
        battle.cite("ades:9.2.5-size")
    battle.tell("scenery", "ades:9.1.2", pieces=len(battle.table.pieces), counted=count)


def lay(battle: Battle) -> Script[None]:
    """ades:9.2.5-alternate, ades:9.2.5-size, ades:9.1.2  One piece after the other until there are enough."""
    if not battle.queue:
        order = yield from tests.arbitrate(battle, [(seat, seat) for seat in battle.seats])
        battle.queue = (order[0], 0)
    least, _ = bounds(battle.table.width)
    while sum(counts_as(p) for p in battle.table.pieces) < least:
        seat, number = battle.queue
        if number >= len(STOCK):
            break
        yield from _one(battle, seat, number)
        battle.queue = (battle.other(seat), number + 1)
    battle.queue = ()
    agreed(battle)


def _one(battle: Battle, seat: str, number: int) -> Script[None]:
    kind, wide, deep = STOCK[number]
    base = rect_base(cm(wide), cm(deep))
    key = f"{kind}{number + 1}"

    def region(name: str, pose: Pose) -> Refusal | None:
        return too_close(battle, piece(key, kind, wide, deep, pose))

    anchors = setting_down.grid(0, 0, battle.table.width, battle.table.height, 4, 4)
    judge = setting_down.PutJudge(battle, {key: base}, RULE, region, anchors)
    poses: Any = yield Place(
        seat, "scenery.place", (key,), judge, optional=not judge.possible(), rule=RULE, about=(seat,), checkpoint=True,
        data={"kind": f"terrain.{kind}"},
    )  # fmt: skip
    if poses is not None:
        made = piece(key, kind, wide, deep, poses[key])
        battle.table = battle.table.with_piece(made)
        battle.cite("ades:9.2.5-size", "ades:9.2.5-gap")
        battle.tell("scenery.laid", RULE, (seat,), piece=key, counts=counts_as(made))


def piece(key: str, kind: str, wide: float, deep: float, pose: Pose) -> Piece:
    sight, height, traits = KINDS[kind]
    points = tuple((float(x), float(y)) for x, y in rings.corners(rect_base(cm(wide), cm(deep)), pose))
    return Piece(key, kind, points, cm(height), sight, traits)


def close(one: Piece, other: Piece) -> bool:
    """ades:9.2.5-gap  Whether two pieces are not more than 6 cm apart."""
    return bool(one.polygon.distance(other.polygon) <= cm(6) + 1e-6)


def too_close(battle: Battle, new: Piece) -> Refusal | None:
    """ades:9.2.5-gap  More than 6 cm between pieces."""
    near = next((p for p in battle.table.pieces if close(p, new)), None)
    return (
        None if near is None else Refusal("refuse.scenery-gap", "ades:9.2.5-gap", {"fighter": new.id, "other": near.id})
    )
