"""Armies take the field: units, Champions, Characters and what they carry become the battle's things."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.games.t9a import carried_items
from grognard.games.t9a.army.cards import Army, Recruit, profiles
from grognard.games.t9a.army.profiles import Profile
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Model, Side, Unit
from grognard.games.t9a.units import seating
from grognard.games.t9a.units.placing import SpotJudge
from grognard.kernel.errors import BadInput, Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Point, disc
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Place, Script


def add_side(battle: Battle, seat: str, name: str) -> Side:
    side = Side(seat, name)
    battle.sides[seat] = side
    return side


def add_unit(battle: Battle, seat: str, unit_id: str, name: str, profile: Profile, models: int, points: int) -> Unit:
    """A unit of so many models. A unit of one model is a model with a pool of its own; a Character's is his."""
    if unit_id in battle.units or unit_id in battle.models:
        raise BadInput("two units are called {name} (t9a:8.E.a-distinct)", name=unit_id)
    book = battle.sides[seat].book
    if book and not profile.book:
        profile = msgspec.structs.replace(profile, book=book)  # t9a:8.A  one army book for the whole list
    alone = models == 1
    unit = Unit(unit_id, seat, name, profile, 0 if alone else models, points)
    battle.units[unit_id] = unit
    unit.muster = unit.muster.but(start_size=models, start_hp=models * profile.hp)
    if alone:
        role = "character" if profile.is_character else "extra"
        battle.models[unit_id] = Model(unit_id, seat, unit_id, profile, role)
        unit.guests = (unit_id,)
    unit.muster = unit.muster.but(start_troops=unit.troops)
    return unit


def promote(battle: Battle, unit: Unit) -> Model:
    """t9a:8.D.a.3-command, t9a:21.C.a, t9a:21.A.b.8
    One model of the unit is its Champion; a Conclave's has one more Health
    Point.
    """
    key = f"{unit.id}.champion"
    profile = unit.profile
    alone = not unit.troops
    if alone:
        del battle.models[unit.id]
        unit.guests = ()
    conclave = profile.trait("wizard-conclave")
    if conclave is not None:
        profile = msgspec.structs.replace(
            profile, hp=profile.hp + 1, rules=(*profile.rules, "Wizard Adept", "Champion")
        )
    else:
        profile = msgspec.structs.replace(profile, rules=(*profile.rules, "Champion"))
    model = Model(key, unit.seat, unit.id, profile, "champion")
    battle.models[key] = model
    if conclave is not None:
        model.magic = model.magic.but(level="adept", choices=tuple(conclave.args))
        unit.muster = unit.muster.but(start_hp=unit.muster.start_hp + 1)
    unit.troops -= 0 if alone else 1
    unit.muster = unit.muster.but(start_troops=unit.troops)
    unit.guests = (key, *unit.guests)
    unit.command = unit.command.but(champion=key)
    return model


def enlist(battle: Battle, seat: str, army: Army) -> None:
    """t9a:8.A  All units of an army list."""
    side = add_side(battle, seat, army.name)
    side.points, side.limit, side.book = army.points, army.limit, army.book.name
    for recruit in army.units:
        _enlist(battle, seat, recruit, army)


def _enlist(battle: Battle, seat: str, recruit: Recruit, army: Army) -> None:
    key = recruit.id if recruit.id not in battle.units else f"{seat}-{recruit.id}"
    unit = add_unit(battle, seat, key, recruit.name, recruit.profile, recruit.models, recruit.points)
    unit.muster = unit.muster.but(category=recruit.entry.category, bought=recruit.options, price=recruit.price)
    if recruit.champion and recruit.models > 1:
        promote(battle, unit)
    unit.command = unit.command.but(musician=recruit.musician, standard=recruit.standard)
    if recruit.banner and recruit.standard:
        carried_items.raise_banner(unit, recruit.banner)
    if recruit.models == 1:
        model = battle.models[key]
        model.general = recruit.general
        model.bsb = recruit.bsb
        model.magic = model.magic.but(level=recruit.level, path=recruit.path, paths=recruit.entry.paths)
        if not model.magic.path and model.magic.paths:
            model.magic = model.magic.but(path=model.magic.paths[0])
        for name, on in recruit.items:
            carried_items.give(model, name, on)
        for name in recruit.banner if recruit.bsb else ():
            carried_items.give(model, name)


def summoned(battle: Battle, caster: Model, said: dict[str, Any], point: Point, far: float) -> Script[None]:
    """t9a:13.K.d-place  A summoned unit: one model on the point, all within range, 1" from everything, or none
    at all.
    """
    profile = battle.summons.get(str(said["profile"])) or profiles()[str(said["profile"])]
    battle.serial += 1
    key = f"summoned-{battle.serial}"
    unit = add_unit(battle, caster.seat, key, profile.name, profile, int(said.get("count", 1)), 0)
    unit.muster = unit.muster.but(summoned=True)
    home = battle.unit_of(caster)
    box = battle.block(home).places[next(iter(battle.numbers(home, caster.id)))].outline

    def region(block: Block) -> Refusal | None:
        spot = disc(point[0], point[1], 0.0)
        if not any(gap(p.outline, spot) <= 0.05 for p in block.places):
            return Refusal("refuse.summon.point", "t9a:13.K.d-place", {"unit": key})
        if far and any(gap(p.outline, box) > inches(far) + 0.05 for p in block.places):
            return Refusal("refuse.summon.range", "t9a:13.K.d-place", {"unit": key})
        return None

    files = int(said.get("files", seating.usual_files(battle, unit)))
    facing = battle.block(home).facing

    def spots() -> dict[str, tuple[Point, float]]:
        made = seating.settle(battle, unit, files)
        near = [
            (0.0, 0.0),
            (0.0, made.depth / 3),
            (0.0, -made.depth / 3),
            (made.width / 3, 0.0),
            (-made.width / 3, 0.0),
        ]
        return {f"spot:{i}": ((point[0] + dx, point[1] + dy), facing) for i, (dx, dy) in enumerate(near)}

    def close_spots() -> dict[str, tuple[Point, float]]:
        """Every model's base on the point, at its middle or near a corner, the unit looking all ways."""
        made, found = seating.settle(battle, unit, files), []
        for turn in (0.0, 90.0, 180.0, 270.0, 45.0, 135.0, 225.0, 315.0):
            turned = made.placed_by_centre((0.0, 0.0), (facing + turn) % 360.0)
            for rect in (p.rect for p in turned.places):
                ends = [(0.0, 0.0), *((0.9 * a, 0.9 * b) for a in (1, -1) for b in (1, -1))]
                under = [rect.at(a * rect.half_width, b * rect.half_length) for a, b in ends]
                found += [((point[0] - x, point[1] - y), turned.facing) for x, y in under]
        return {f"close:{i}": spot for i, spot in enumerate(found)}

    judge = SpotJudge(battle, unit, "t9a:13.K.d-place", region, spots, files=files)
    if judge.possible() is None:
        judge = SpotJudge(battle, unit, "t9a:13.K.d-place", region, close_spots, files=files)
    if judge.possible() is None:
        del battle.units[key]
        battle.models.pop(key, None)
        battle.tell("summon.failed", "t9a:13.K.d-place", (caster.id,))
        return
    block = yield Place(caster.seat, "summon.where", (key,), judge, rule="t9a:13.K.d-place", about=(key, caster.id))
    judge.put(block)
    unit.move = unit.move.but(moved=True)
    unit.this_phase = unit.this_phase.but(hp_before=battle.hp(unit))
    battle.tell("summoned", "t9a:13.K.d", (key, caster.id), models=battle.size(unit))
