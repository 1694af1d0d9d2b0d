"""t9a:13.G.c  What a spell may be aimed at: units, models or points, as all of its Types allow together."""

from __future__ import annotations

import math
from typing import Any

from grognard.games.t9a.army.spells import DURATIONS, TYPES, Spell, Version
from grognard.games.t9a.battle import EPS, Battle
from grognard.games.t9a.forces import Model, Unit
from grognard.games.t9a.table import sight
from grognard.games.t9a.table.paths import point
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.block import Place as Spot
from grognard.kernel.formation.preview import Trace
from grognard.kernel.formation.shapes import disc
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Option, Pick, Place, Script, option

#: A target: ("unit", id), ("model", id, part) or ("point", x, y).
Target = tuple[Any, ...]
#: The bearings of the corners of a circle that is drawn.
CIRCLE = range(0, 360, 10)


def place_of(battle: Battle, model: Model) -> Spot:
    unit = battle.unit_of(model)
    return battle.block(unit).places[next(iter(battle.numbers(unit, model.id)))]


def unit_refusal(battle: Battle, model: Model, version: Version, unit: Unit) -> str | None:
    """The rule of the Type by which a unit is no target, or None (t9a:13.G.c-range)."""
    home = battle.unit_of(model)
    types = version.types
    place = place_of(battle, model)
    if "augment" in types and unit.seat != model.seat:
        return TYPES["augment"]
    if "hex" in types and unit.seat == model.seat:
        return TYPES["hex"]
    if "caster-unit" in types and unit.id != home.id:
        return TYPES["caster-unit"]
    if "caster" in types and unit.id != home.id:
        return TYPES["caster"]
    if "damage" in types and battle.engaged(unit):
        return TYPES["damage"]
    if (
        version.range
        and unit.id != home.id
        and gap(place.outline, battle.block(unit).outline) > inches(version.range) + EPS
    ):
        return "t9a:13.G.c-range"
    if "direct" in types and not sight.in_arc(battle, home, place, unit):
        return TYPES["direct"]
    if "missile" in types and (battle.engaged(home) or not sight.model_sees(battle, home, place, unit)):
        return TYPES["missile"]
    if "move" in version.effect and magic_move_barred(battle, unit):
        return "t9a:13.K.a-once" if unit.this_phase.magic_moved else "t9a:13.K.a-who"
    if not set(types) & {"augment", "hex", "universal", "caster", "caster-unit", "damage"}:
        return None
    return None


def magic_move_barred(battle: Battle, unit: Unit) -> bool:
    """t9a:13.K.a-who, 13.K.a-once"""
    if unit.this_phase.magic_moved:
        battle.cite("t9a:13.K.a-once")
        return True
    return (
        unit.nerve.fleeing
        or battle.has_shaken(unit)
        or battle.engaged(unit)
        or bool(battle.any_has(unit, "random-movement"))
    )


def units_for(battle: Battle, model: Model, version: Version) -> list[Unit]:
    return [u for u in battle.on_table() if unit_refusal(battle, model, version, u) is None]


def has_target(battle: Battle, model: Model, version: Version) -> bool:
    if set(version.types) & {"ground", "caster", "caster-unit"}:
        return not ("move" in version.effect and magic_move_barred(battle, battle.unit_of(model)))
    if "focused" in version.types:
        return bool(focus_options(battle, model, version))
    return bool(units_for(battle, model, version))


def any_target(battle: Battle, model: Model, known: Spell) -> bool:
    return any(has_target(battle, model, v) for v in known.versions)


def why_nobody(battle: Battle, model: Model, known: Spell, only: Version | None = None) -> tuple[str, ...]:
    """t9a:13.G.c  The Types by which a spell, or one version of it, finds no unit it could be cast at, and its
    Range.
    """
    versions = known.versions if only is None else (only,)

    def work() -> tuple[str, ...]:
        plain = [v for v in versions if not set(v.types) & {"ground", "caster", "caster-unit"}]
        found = [unit_refusal(battle, model, v, u) for v in plain for u in battle.on_table()]
        return tuple(dict.fromkeys(rule for rule in found if rule is not None))

    found: tuple[str, ...] = battle.remember(
        ("nobody", model.id, known.key, None if only is None else only.value), work
    )
    return found


def choose(battle: Battle, model: Model, known: Spell, version: Version) -> Script[list[Target]]:
    """t9a:13.G.c, t9a:13.H.a  The targets of a casting attempt, declared with it."""
    types = version.types
    battle.cite("t9a:13.G.c", "t9a:13.G.d", DURATIONS[version.duration], *(TYPES[t] for t in types))
    if version.range:
        battle.cite("t9a:13.G.c-range")
    if "ground" in types:
        judge = PointJudge(battle, model, version)
        facts = {"spell": known.name, "range": version.range}
        point = yield Place(
            model.seat, "magic.point", (model.id,), judge, rule=TYPES["ground"], about=(model.id,), data=facts
        )
        return [("point", *point)]
    if "caster" in types and "focused" not in types:
        return [("model", model.id, "")]
    if "caster-unit" in types:
        return [("unit", battle.unit_of(model).id)]
    units = units_for(battle, model, version)
    if "aura" in types:
        return [("unit", u.id) for u in units]
    if "focused" in types:
        return (yield from _focused(battle, model, known, version))
    barred = {
        u.id: Refusal("refuse.cast.target", rule, {"model": model.id, "unit": u.id})
        for u in battle.on_table()
        if (rule := unit_refusal(battle, model, version, u)) is not None
    }
    picked = yield Pick(
        model.seat,
        "magic.target",
        [option(u.id, about=(u.id,)) for u in units],
        barred=barred,
        rule="t9a:13.G.c",
        about=(model.id,),
        data={"spell": known.name},
    )
    return [("unit", picked)]


def focus_options(battle: Battle, model: Model, version: Version) -> list[Option]:
    """t9a:13.G.c-focused  Single models a spell may be aimed at, of a multipart model one part; in range each.

    Ruling: a plain Rank-and-File model can be struck, but nothing lasting is laid on one of a pool.
    """
    found: list[Option] = []
    for unit in units_for(battle, model, version):
        for pool in battle.pools(unit):
            if _focus_refusal(battle, model, version, unit, pool) is None:
                parts = [p.name for p in battle.pool_profile(pool).parts]
                for key, part in zip(_focus_keys(battle, pool), parts, strict=False):
                    if key == pool:
                        found.append(Option(key, ("model", pool, ""), "", (pool,)))
                    else:
                        found.append(Option(key, ("model", pool, part), "option.part", (pool,), {"part": part}))
    return found


def _focus_keys(battle: Battle, pool: str) -> list[str]:
    """How a model is named as the target of a Focused spell, or each part of one that has several."""
    parts = battle.pool_profile(pool).parts
    return [f"{pool}/{p.name}" for p in parts] if len(parts) > 1 else [pool]


def _focus_refusal(battle: Battle, model: Model, version: Version, unit: Unit, pool: str) -> str | None:
    """The rule by which a model of a unit that is within the spell's Types is no target by itself."""
    if "caster" in version.types and pool != model.id:
        return TYPES["caster"]
    lasting = "stats" in version.effect or "rules" in version.effect
    if pool not in battle.models and lasting and unit.troops > 1:
        return TYPES["focused"]
    here = place_of(battle, model).outline
    places = [battle.block(unit).places[n] for n in battle.numbers(unit, pool)]
    far = min(gap(here, p.outline) for p in places) > inches(version.range) + EPS
    return "t9a:13.G.c-range" if version.range and far else None


def _focused(battle: Battle, model: Model, known: Spell, version: Version) -> Script[list[Target]]:
    barred: dict[str, Refusal] = {}
    for unit in battle.on_table():
        for pool in battle.pools(unit):
            rule = unit_refusal(battle, model, version, unit) or _focus_refusal(battle, model, version, unit, pool)
            if rule is not None:
                no = Refusal("refuse.cast.target", rule, {"model": model.id, "unit": pool})
                barred |= dict.fromkeys([pool, *_focus_keys(battle, pool)], no)
    target = yield Pick(
        model.seat,
        "magic.model",
        focus_options(battle, model, version),
        barred=barred,
        unlisted=[key for key in barred if "/" in key],
        rule="t9a:13.G.c-focused",
        about=(model.id,),
        data={"spell": known.name},
    )
    return [target]


def units_of(battle: Battle, targets: list[Target]) -> list[Unit]:
    found: dict[str, Unit] = {}
    for target in targets:
        if target[0] == "unit":
            found[target[1]] = battle.units[target[1]]
        elif target[0] == "model":
            unit = battle.pool_unit(target[1])
            found[unit.id] = unit
    return list(found.values())


def within(battle: Battle, model: Model, point: tuple[float, float], radius: float) -> list[Unit]:
    """Unengaged enemies of a caster no further than so many mm from a point."""
    spot = disc(point[0], point[1], 0.0)
    near = [u for u in battle.enemies(model.seat) if u.block is not None and not battle.engaged(u)]
    return [u for u in near if gap(battle.block(u).outline, spot) <= radius + EPS]


class PointJudge:
    """t9a:13.G.c-ground  A point on the battlefield within range of the caster: {"at": [x, y]}."""

    def __init__(self, battle: Battle, model: Model, version: Version) -> None:
        self.battle, self.model, self.version = battle, model, version

    def decode(self, wire: Any) -> tuple[float, float]:
        at = point(wire.get("at")) if isinstance(wire, dict) and set(wire) == {"at"} else None
        if at is None:
            raise Refused(Refusal("refuse.not-a-path", "t9a:13.G.c-ground", {"why": "point"}))
        x, y = at
        if not (0 <= x <= self.battle.table.width and 0 <= y <= self.battle.table.height):
            raise Refused(Refusal("refuse.off-table", "t9a:13.G.c-ground", {"unit": self.model.id}))
        box = place_of(self.battle, self.model)
        if gap(box.outline, disc(x, y, 0.0)) > inches(self.version.range) + EPS:
            raise Refused(Refusal("refuse.cast.range", "t9a:13.G.c-range", {"model": self.model.id}))
        return x, y

    def carry(self, to: tuple[float, float], facing: float | None) -> Any:
        return {"at": [round(to[0], 3), round(to[1], 3)]}

    def point(self, wire: Any) -> tuple[float, float]:
        return (wire["at"][0], wire["at"][1])

    def traces(self, wire: Any) -> list[Trace]:
        """How far a burst reaches, and the enemies it strikes."""
        if "burst" not in self.version.effect:
            return []
        x, y = self.decode(wire)
        radius = inches(float(self.version.effect["burst"]["radius"]))
        ring = tuple((round(x + radius * heading(a)[0], 3), round(y + radius * heading(a)[1], 3)) for a in CIRCLE)
        return [Trace(ring, True, tuple(unit.id for unit in within(self.battle, self.model, (x, y), radius)))]

    def encode(self, wire: Any) -> Any:
        x, y = self.decode(wire)
        return {"at": [round(x, 3), round(y, 3)]}

    def proposals(self) -> list[str]:
        return [*(f"at:{u.id}" for u in self.battle.enemies(self.model.seat)), "near"]

    def propose(self, name: str) -> Any:
        place = place_of(self.battle, self.model)
        here = (place.pose.x, place.pose.y)
        if name == "near":
            hx, hy = heading(place.pose.facing)
            far = min(inches(3), inches(self.version.range))
            goal = (here[0] + hx * far, here[1] + hy * far)
        else:
            goal = self.battle.block(self.battle.units[name[3:]]).centre
            reach = inches(self.version.range)
            away = math.dist(here, goal)
            if away > reach:
                goal = (here[0] + (goal[0] - here[0]) * reach / away, here[1] + (goal[1] - here[1]) * reach / away)
        wire = {
            "at": [
                round(min(max(goal[0], 0.0), self.battle.table.width), 2),
                round(min(max(goal[1], 0.0), self.battle.table.height), 2),
            ]
        }
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire
