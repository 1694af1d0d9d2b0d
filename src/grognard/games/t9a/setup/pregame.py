"""t9a:9  The pre-game sequence: battlefield, Deployment Type, Secondary Objective, zones, spells, Special
Deployment.
"""

from __future__ import annotations

from grognard.games.t9a.army.spells import paths, spell
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.characters import joining
from grognard.games.t9a.forces import Model, Unit
from grognard.games.t9a.magic import spell_notes as notes
from grognard.games.t9a.movement.flight import random_direction
from grognard.games.t9a.scoring import objectives
from grognard.games.t9a.table import zones
from grognard.games.t9a.table.terrain import piece
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.shapes import Rect
from grognard.kernel.geometry.terrain import Piece, Table
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Option, Pick, Roll, Script, option

#: t9a:9.C-size  Recommended sizes in inches.
SIZES = {
    "field": (6, 9),
    "hill": (6, 9),
    "forest": (6, 9),
    "ruins": (6, 8),
    "water": (6, 8),
    "impassable": (6, 6),
    "wall": (8, 1),
}
#: t9a:9.C-extra  2D6 for the kind of a further piece.
KIND_BY_ROLL = {
    2: "hill",
    3: "hill",
    4: "hill",
    5: "water",
    6: "field",
    7: "forest",
    8: "ruins",
    9: "impassable",
    10: "impassable",
    11: "wall",
    12: "wall",
}


# ---------------------------------------------------------------------- battlefield


def battlefield(battle: Battle) -> Script[None]:
    """t9a:9, t9a:9.C, t9a:9.D, t9a:9.E
    Terrain, Deployment Type and Secondary Objective, where they are left to chance (t9a:8.E, t9a:9.A)."""
    if battle.stage == 0:
        battle.cite("t9a:1.A", "t9a:8.A", "t9a:9", "t9a:9.A", "t9a:9.B")
        battle.cite("t9a:8.E.a" if battle.house["hidden_lists"] else "t9a:8.E")
        if battle.random_terrain:
            yield from random_terrain(battle)
        battle.stage = 1
    if battle.deployment == 0:
        (face,) = yield Roll(battle.seats[0], "deployment.type", 6, rule="t9a:9.D")
        battle.deployment = face
    if battle.objective == 0:
        (face,) = yield Roll(battle.seats[0], "objective.type", 6, rule="t9a:9.E")
        battle.objective = face
    battle.tell(
        "game.plan",
        "t9a:9",
        (),
        deployment=zones.NAMES[battle.deployment],
        objective=objectives.NAMES[battle.objective],
    )


def sections(table: Table) -> list[tuple[float, float]]:
    """t9a:9.C-random  Centres of the sections: 24" squares, on a Patrol's table 18" by 24"."""
    wide = inches(18) if table.width <= inches(40) else inches(24)
    columns, rows = max(1, round(table.width / wide)), max(1, round(table.height / inches(24)))
    return [
        (table.width * (c + 0.5) / columns, table.height * (r + 0.5) / rows)
        for r in range(rows)
        for c in range(columns)
    ]


@cites
def random_terrain(battle: Battle) -> Script[None]:
    """t9a:9.C-random, t9a:9.C-size, t9a:9.C
    Three pieces that are always there, then some more (t9a:9.C-first3, t9a:9.C-extra)."""
    seat = battle.seats[0]
    free = sections(battle.table)
    for kind in ("impassable", "hill", "forest"):
        free = yield from _lay(battle, kind, free, "t9a:9.C-first3")
    small, large = battle.table.width <= inches(40), battle.table.width > inches(73)
    dice = 1 if small else 3 if large else 2
    faces = yield Roll(seat, "terrain.number", 6, dice, rule="t9a:9.C-extra")
    count = sum((f + 1) // 2 for f in faces)
    free = sections(battle.table)
    for _ in range(min(count, len(free))):
        kind_faces = yield Roll(seat, "terrain.kind", 6, 2, rule="t9a:9.C-extra")
        free = yield from _lay(battle, KIND_BY_ROLL[sum(kind_faces)], free, "t9a:9.C-extra")


def _lay(battle: Battle, kind: str, free: list[tuple[float, float]], rule: str) -> Script[list[tuple[float, float]]]:
    """One piece at the centre of a random section, moved 2D6" in a random direction."""
    seat = battle.seats[0]
    face = 1
    if len(free) > 1:
        (face,) = yield Roll(seat, "terrain.section", len(free), rule=rule)
    at = free[face - 1]
    far = yield Roll(seat, "terrain.distance", 6, 2, rule=rule)
    direction = yield from random_direction(battle, seat)
    hx, hy = heading(direction)
    width, length = (inches(n) for n in SIZES[kind])
    x = min(max(at[0] + hx * inches(sum(far)), width / 2), battle.table.width - width / 2)
    y = min(max(at[1] + hy * inches(sum(far)), length / 2), battle.table.height - length / 2)
    made = _spaced(battle, kind, x, y, width, length)
    if made is not None:
        battle.table = battle.table.with_piece(made)
        battle.tell(
            "terrain.laid",
            rule,
            (),
            how=kind,
            at=[round(made.polygon.centroid.x / inches(1), 1), round(made.polygon.centroid.y / inches(1), 1)],
        )
    return [p for p in free if p != at]


@cites
def _spaced(battle: Battle, kind: str, x: float, y: float, width: float, length: float) -> Piece | None:
    """t9a:9.C-spacing  More than 6" from every other piece, moved as little as possible; gone if there is no room."""
    key = f"{kind}-{len(battle.table.pieces) + 1}"
    for ring in range(30):
        for turn in range(0, 360, 30 if ring else 360):
            hx, hy = heading(float(turn))
            px, py = x + hx * ring * inches(0.5), y + hy * ring * inches(0.5)
            if not (
                width / 2 <= px <= battle.table.width - width / 2
                and length / 2 <= py <= battle.table.height - length / 2
            ):
                continue
            corners = Rect(px, py, 0.0, width / 2, length / 2).corners
            made = piece(key, kind, tuple((round(a, 3), round(b, 3)) for a, b in corners))
            if all(made.polygon.distance(p.polygon) > inches(6) for p in battle.table.pieces):
                return made
    return None


# ---------------------------------------------------------------------- zones


def choose_zones(battle: Battle) -> Script[None]:
    """t9a:9.F  Both roll, the higher chooses his zone and what else the Deployment Type leaves to him."""
    while battle.stage == 0:
        rolls = {}
        for seat in battle.seats:
            (rolls[seat],) = yield Roll(seat, "zone.roll", 6, rule="t9a:9.F", about=(seat,))
        first, second = battle.seats
        if rolls[first] != rolls[second]:
            battle.chooser = first if rolls[first] > rolls[second] else second
            battle.stage = 1
    chooser = battle.chooser
    if battle.stage == 1:
        if battle.deployment == 5:
            battle.diagonal = yield Pick(
                chooser,
                "zone.diagonal",
                [option("rising", text="option.rising"), option("falling", text="option.falling")],
                rule="t9a:9.D.5",
            )
        half = yield Pick(
            chooser,
            "zone.choose",
            [option("lower", 0, text="option.lower"), option("upper", 1, text="option.upper")],
            rule="t9a:9.F",
        )
        battle.sides[chooser].half = half
        battle.sides[battle.other(chooser)].half = 1 - half
        yield from _extras(battle, chooser)
        zones.settle(battle)
        battle.tell("zone.chosen", "t9a:9.F", (chooser,), half="lower" if half == 0 else "upper")
        battle.stage = 2
    yield from objectives.lay(battle)


def _extras(battle: Battle, chooser: str) -> Script[None]:
    """t9a:9.D.2, t9a:9.D.4  A short edge, or the role of attacker or defender."""
    own, other = battle.sides[chooser], battle.sides[battle.other(chooser)]
    if battle.deployment == 2:
        edge = yield Pick(
            chooser,
            "zone.short-edge",
            [option("left", text="option.left"), option("right", text="option.right")],
            rule="t9a:9.D.2",
        )
        own.short_edge, other.short_edge = edge, "right" if edge == "left" else "left"
    elif battle.deployment == 4:
        role = yield Pick(
            chooser,
            "zone.role",
            [option("attacker", text="option.attacker"), option("defender", text="option.defender")],
            rule="t9a:9.D.4",
        )
        own.role, other.role = role, "defender" if role == "attacker" else "attacker"


# ---------------------------------------------------------------------- spells


LEVELS = {"apprentice": (1, 1, "t9a:9.G.a"), "adept": (2, 4, "t9a:9.G.b"), "master": (4, 6, "t9a:9.G.c")}


def spell_choices(battle: Battle, model: Model) -> tuple[int, list[str], str]:
    """t9a:9.G.a, t9a:9.G.b, t9a:9.G.c, t9a:21.A.b.8, t9a:21.A.b.24  How many spells a Wizard knows, and of which."""
    many, highest, rule = LEVELS[model.magic.level]
    if model.magic.choices:
        return min(2, len(model.magic.choices)), list(model.magic.choices), "t9a:21.A.b.8"
    book = paths(battle.lore)
    hereditary = [s.key for name in model.magic.paths for n, s in book.get(name, {}).items() if n == "H"]
    if model.profile.has("protean-magic"):
        found = [f"{name}:1" for name in model.magic.paths if "1" in book.get(name, {})]
        return many, [*found, *hereditary], "t9a:21.A.b.24"
    found = [f"{model.magic.path}:{n}" for n in range(1, highest + 1) if str(n) in book.get(model.magic.path, {})]
    return many, [*found, *hereditary], rule


def choose_spells(battle: Battle) -> Script[None]:
    """t9a:9.G  The zone chooser for all of his Wizards, one at a time; then his opponent."""
    for seat in (battle.chooser, battle.other(battle.chooser)):
        for model in battle.models.values():
            if model.seat != seat or not model.magic.level or model.magic.spells:
                continue
            many, keys, rule = spell_choices(battle, model)
            known = [spell(k, battle.lore) for k in keys]
            options = [Option(s.key, s.key, "option.spell", (), {"spell": s.name}, notes.of_spell(s)) for s in known]
            picked = yield Pick(
                seat,
                "spell.choose",
                options,
                least=min(many, len(keys)),
                most=min(many, len(keys)),
                rule=rule,
                about=(model.id,),
                checkpoint=True,
            )
            model.magic = model.magic.but(spells=tuple(picked) if isinstance(picked, tuple) else (picked,))
            battle.tell(
                "spell.chosen", rule, (model.id,), spells=[spell(k, battle.lore).name for k in model.magic.spells]
            )
            battle.cite("t9a:9.G", "t9a:13.B", "t9a:13.B-path", battle.has(model.id, f"wizard-{model.magic.level}"))
    yield from objectives.after_spells(battle)


# ---------------------------------------------------------------------- special deployment


def special_ways(battle: Battle, unit: Unit) -> list[str]:
    """t9a:9.H, t9a:9.D.2-reserve  How a unit could be deployed other than normally."""
    found = []
    if battle.all_have(unit, "scout"):
        found.append("scout")
    if battle.all_have(unit, "ambush") or battle.all_have(unit, "special-ambush"):
        found.append("ambush")
    held = sum(u.arrival.special == "reserve" for u in battle.units.values() if u.seat == unit.seat)
    if battle.deployment == 2 and held < 2:
        found.append("reserve")
    return found


def declare_special(battle: Battle) -> Script[None]:
    """t9a:9.H  The zone chooser first: for each unit that could, whether it uses its special deployment."""
    for seat in (battle.chooser, battle.other(battle.chooser)):
        for unit in battle.units.values():
            if unit.seat != seat or unit.where != "undeployed" or unit.arrival.special:
                continue
            if unit.profile.has("hidden"):
                unit.where = "hidden"
                unit.arrival = unit.arrival.but(special="hidden")
                battle.cite("t9a:21.A.b.10")
                continue
            ways = special_ways(battle, unit)
            barred = {}
            if battle.deployment == 2 and "reserve" not in ways:
                barred["reserve"] = Refusal("refuse.reserve.two", "t9a:9.D.2-reserve", {"unit": unit.id})
            if not ways and not barred:
                unit.arrival = unit.arrival.but(special="no")
                continue
            pick = yield Pick(
                seat,
                "special.declare",
                [option(w, text=f"option.{w}") for w in [*ways, "no"]],
                rule="t9a:9.H",
                about=(unit.id,),
                barred=barred,
                checkpoint=True,
            )
            unit.arrival = unit.arrival.but(special=pick)
            if pick in ("ambush", "reserve"):
                unit.where = "reserve"
                battle.tell(
                    "special.declared",
                    "t9a:21.A.b.12" if pick == "ambush" else "t9a:9.D.2-reserve",
                    (unit.id,),
                    way=pick,
                )
            elif pick == "scout":
                battle.tell("special.declared", "t9a:21.A.b.11", (unit.id,), way=pick)
    yield from _ambushing_characters(battle)


def _ambushing_characters(battle: Battle) -> Script[None]:
    """t9a:21.A.b.12-character, t9a:9.D.2-reserve  An ambushing Character may wait inside an ambushing unit it may join;
    reinforcements do as ambushers.
    """
    for model in list(battle.models.values()):
        home = battle.units[model.home]
        if model.role != "character" or home.arrival.special not in ("ambush", "reserve") or home.where != "reserve":
            continue
        hosts = [
            u
            for u in battle.units.values()
            if u.seat == model.seat
            and u.arrival.special == home.arrival.special
            and u.where == "reserve"
            and u.id != home.id
            and joining.join_refusal(battle, model, u) is None
        ]
        if not hosts:
            continue
        host = yield Pick(
            model.seat,
            "ambush.with",
            [option(u.id, u, about=(u.id,)) for u in hosts],
            optional=True,
            rule="t9a:21.A.b.12-character",
            about=(model.id,),
        )
        if host is not None:
            joining.enter(battle, model, host)
