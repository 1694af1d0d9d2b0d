"""nemesis:8.1, nemesis:8.2  Before the game: the mission, the armies, the terrain."""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Unit
from grognard.games.nemesis.house import changed
from grognard.games.nemesis.rolls.steps import D10
from grognard.games.nemesis.setup import missions
from grognard.games.nemesis.table.terrain import make_piece, movement_class
from grognard.kernel.geometry.terrain import Piece, turned_box
from grognard.kernel.geometry.units import MM_PER_CM, cm
from grognard.kernel.questions import Roll, Script

QUARTERS = "nemesis:8.2-quarters"
#: Elements in the order they come when the number is rolled for: kind, width and depth in cm.
ROTATION = (
    ("wood", 16, 12), ("ruin", 12, 10), ("hill", 18, 14), ("wood", 12, 12), ("low-wall", 14, 1), ("building", 10, 10),
    ("steep-hill", 14, 12), ("fence", 14, 1), ("rock", 6, 6), ("river", 20, 6),
)  # fmt: skip
#: How often a place is rolled anew before an element that fits nowhere is left out.
TRIES = 20


def prepare(battle: Battle) -> Script[None]:
    """nemesis:8.1  Terrain, then deployment (the next phase), then play."""
    if not battle.begun:
        battle.begun = True
        battle.tell("phase", "nemesis:8.1", turn=0, phase="preparation")
        _announce(battle)
    yield from lay_terrain(battle)
    missions.lay_markers(battle)


def _announce(battle: Battle) -> None:
    """nemesis:6-mission, nemesis:A3-common, nemesis:X.4-table, nemesis:1, nemesis:3.2
    What is played, by whom, where."""
    mission = missions.SCENARIOS[battle.scenario]
    battle.tell("mission", "nemesis:6-mission", scenario=mission.title, french=mission.french)
    battle.cite("nemesis:9", mission.length, "nemesis:A3-common")
    size = [round(battle.table.width / MM_PER_CM, 1), round(battle.table.height / MM_PER_CM, 1)]
    battle.tell("table", "nemesis:X.4-table", width=size[0], height=size[1])
    for name, value in changed(battle.house).items():
        battle.tell("house-rule", "nemesis:1", name=name, value=value)
    for side in battle.sides.values():
        battle.tell("army", "nemesis:3.2", (side.id,), name=side.name, models=side.started)
        for unit in battle.units.values():
            if unit.seat == side.id and unit.models:
                _present(battle, unit)


def _present(battle: Battle, unit: Unit) -> None:
    """nemesis:5.2-troop, nemesis:5.2-magic-creature, nemesis:5.1-abilities, nemesis:5.1-equipment, nemesis:5.1-cost
    A unit and what it is."""
    models = battle.members(unit)
    for model in models:
        card = model.card
        rules = [type_rule(card.type)]
        rules += ["nemesis:5.2-shooter"] * bool(card.ranged) + ["nemesis:5.1-abilities"] * bool(card.abilities)
        rules += ["nemesis:5.1-equipment"] * bool(card.equipment or card.ranged or card.melee)
        rules += ["nemesis:X.3-base-size"] * (card.base is None) + ["nemesis:5.1-cost", "nemesis:5.3"]
        rules += ["nemesis:5.2-magic-creature"] * card.has_keyword("magic-creature")
        battle.cite(*rules)
    names = [card.name for card in dict.fromkeys(m.card for m in models)]
    points = sum(m.card.cost for m in models)
    battle.tell("unit", type_rule(models[0].card.type), (unit.id,), cards=names, models=len(models), points=points)


def type_rule(kind: str) -> str:
    """nemesis:5.2-troop, nemesis:5.2-hero, nemesis:5.2-legend, nemesis:5.2-mage"""
    return f"nemesis:5.2-{kind}"


# ---------------------------------------------------------------------- terrain


def lay_terrain(battle: Battle) -> Script[None]:
    """nemesis:8.2, nemesis:8.2-quarters, nemesis:12.1-agree
    The terrain agreed on, or as many elements as the dice say.

    The queue holds what is still to be laid: ("roll",) for a number by die, else (kind, width, depth) each.
    """
    if battle.queue == (("roll",),):
        (number,) = yield Roll(battle.seats[0], "terrain.number", D10, rule="nemesis:8.2", sense="value")
        battle.cite("nemesis:3.3-one-value", "nemesis:3.3-dice")
        battle.queue = tuple(ROTATION[i % len(ROTATION)] for i in range(number))
        battle.tell("terrain.number", "nemesis:8.2", number=number)
    while battle.queue:
        kind, width, depth = battle.queue[0]
        yield from _lay_by_quarters(battle, kind, (cm(width), cm(depth)))
        battle.queue = battle.queue[1:]
    classes = {piece.id: movement_class(piece) for piece in battle.table.pieces}
    battle.tell("terrain.laid", "nemesis:8.2", list(classes), number=len(classes))
    if classes:
        battle.tell("terrain.agreed", "nemesis:12.1-agree", list(classes), classes=classes)


def _lay_by_quarters(battle: Battle, kind: str, size: tuple[float, float]) -> Script[None]:
    """nemesis:8.2-quarters  Ruling: 1-2, 3-4, 5-6, 7-8 are the quarters, 9-10 re-rolled; a point by two dice."""
    seat = battle.seats[len(battle.table.pieces) % len(battle.seats)]
    name = f"{kind}-{1 + sum(piece.kind == kind for piece in battle.table.pieces)}"
    for _ in range(TRIES):
        (face,) = yield Roll(seat, "terrain.quarter", D10, rule=QUARTERS, sense="value")
        if face > 8:
            continue
        quarter = (face - 1) // 2
        (across,) = yield Roll(seat, "terrain.across", D10, rule=QUARTERS, sense="value")
        (up,) = yield Roll(seat, "terrain.up", D10, rule=QUARTERS, sense="value")
        piece = make_piece(name, kind, turned_box(_spot(battle, quarter, across, up, size), size))
        if _free(battle, piece):
            battle.table = battle.table.with_piece(piece)
            battle.tell("terrain.placed", QUARTERS, (piece.id,), terrain=kind, quarter=quarter + 1)
            return
    battle.tell("terrain.no-room", QUARTERS, terrain=kind)


def _spot(battle: Battle, quarter: int, across: int, up: int, size: tuple[float, float]) -> tuple[float, float]:
    """A point of the quarter (1 lower left, 2 lower right, 3 upper left, 4 upper right), kept on the table."""
    half_width, half_height = battle.table.width / 2, battle.table.height / 2
    x = half_width * (quarter % 2) + half_width * (across - 0.5) / D10
    y = half_height * (quarter // 2) + half_height * (up - 0.5) / D10
    return (
        min(max(x, size[0] / 2), battle.table.width - size[0] / 2),
        min(max(y, size[1] / 2), battle.table.height - size[1] / 2),
    )


def _free(battle: Battle, piece: Piece) -> bool:
    return not any(piece.polygon.intersects(other.polygon) for other in battle.table.pieces)
