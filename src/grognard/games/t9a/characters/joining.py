"""t9a:21.B.b, t9a:21.B.f  Characters join units and make way to the fighting."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Model, Unit
from grognard.games.t9a.losses import closing_up
from grognard.games.t9a.rolls import stats
from grognard.games.t9a.table import contacts, ground
from grognard.games.t9a.units import seating
from grognard.kernel.errors import Refusal
from grognard.kernel.formation import shapes
from grognard.kernel.formation.block import Block, Guest, Post
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.sweeps import Shift, blocked
from grognard.kernel.geometry.units import TOUCH, heading, inches
from grognard.kernel.questions import Pick, Script, option


def join_refusal(battle: Battle, model: Model, unit: Unit) -> Refusal | None:
    """t9a:21.B.b, t9a:21.A.b.14, t9a:21.A.b.21, t9a:21.A.b.48-join  Why a Character may not be in a unit."""
    facts = {"model": model.id, "unit": unit.id}

    def no(code: str, rule: str) -> Refusal:
        return Refusal(f"refuse.join.{code}", rule, facts)

    if unit.seat != model.seat or unit.id == model.unit:
        return no("own", "t9a:21.B.b")
    if unit.nerve.fleeing or battle.engaged(unit):
        return no("busy", "t9a:21.B.b")
    exclusive = _exclusive(battle, model, unit)
    if exclusive is not None:
        return Refusal("refuse.join.exclusive", "t9a:21.A.b.14", facts, (exclusive,) if exclusive else ())
    if battle.has(model.id, "random-movement") or battle.any_has(unit, "random-movement"):
        return no("random", "t9a:21.A.b.30-limits")
    if battle.has(model.id, "towering-presence") and not battle.has(model.id, "war-platform"):
        return no("towering", "t9a:21.A.b.36")
    if unit.troops and unit.profile.has("insignificant") and not battle.has(model.id, "insignificant"):
        return no("insignificant", "t9a:21.A.b.21")
    profile = model.profile
    if (
        unit.troops
        and unit.profile.has("skirmisher")
        and (profile.type != unit.profile.type or profile.size != unit.profile.size)
    ):
        return no("skirmishers", "t9a:21.A.b.48-join")
    platforms = [m for m in battle.characters(unit) if battle.has(m.id, "war-platform")]
    if battle.has(model.id, "war-platform") and platforms:
        return no("platform", "t9a:21.A.b.34")
    if not seating.may_hold(battle, unit, model):
        also = ("t9a:21.A.b.3-matching-rules", "t9a:21.B.b")
        return Refusal("refuse.join.no-place", "t9a:21.A.b.3-mismatch", facts, also)
    return None


def _exclusive(battle: Battle, model: Model, unit: Unit) -> str | None:
    """t9a:21.A.b.14  Exclusive (X): only with models that have X; without brackets, never. The rule that brings it
    along (t9a:21.A.b.19), nothing where it is printed; None where it is no obstacle.
    """
    platform = bool(battle.has(model.id, "war-platform"))
    for trait in battle.traits(model.id, "exclusive"):
        wanted = trait.value.casefold().replace(" ", "-")
        if platform and wanted in ("chariot", ""):
            battle.cite("t9a:21.A.b.34")
            continue
        if not wanted or not any(_answers(battle, pool, wanted) for pool in battle.pools(unit)):
            return battle.has(model.id, wanted)
    pools = battle.pools(unit)
    others = [p for p in pools if not battle.has(p, "war-platform")]
    every = list(battle.traits(others[0], "exclusive")) if others else []
    for trait in every:
        wanted = trait.value.casefold().replace(" ", "-")
        shared = all(any(t.value == trait.value for t in battle.traits(p, "exclusive")) for p in others)
        if shared and (not wanted or not _answers(battle, model.id, wanted)):
            return battle.has(others[0], wanted)
    return None


def _answers(battle: Battle, pool: str, wanted: str) -> bool:
    """t9a:21.A.b.14  Whether a model is what Exclusive (X) names: it has that rule, or it is called so."""
    names = (battle.pool_profile(pool).name, battle.pool_unit(pool).name)
    return bool(battle.has(pool, wanted)) or any(n.casefold().replace(" ", "-") == wanted for n in names)


def enter(battle: Battle, model: Model, unit: Unit, wants: dict[str, seating.Want] | None = None) -> None:
    """t9a:21.B.b  The Character takes its place in the unit; its front stays where it is."""
    home, old = battle.units[model.home], battle.units[model.unit]
    before = unit.block
    if old.id not in (home.id, unit.id):
        old.guests = tuple(g for g in old.guests if g != model.id)
        if not battle.pools(old):
            battle.lift(old, "gone")
    unit.guests = (*unit.guests, model.id)
    battle.cite("t9a:21.B", "t9a:21.B.b")
    kept = {}
    if before is not None:
        kept = {
            key: (g.post.value if g.post is not Post.RANKS else (g.file, g.rank))
            for key, g in zip(unit.guests, before.guests, strict=False)
        }
    files = before.files if before is not None else seating.usual_files(battle, unit)
    made = (
        seating.shaped(battle, unit, files, wants, kept=kept)
        or seating.shaped(battle, unit, files + 1, kept)
        or seating.settle(battle, unit, files, kept)
    )
    model.unit = unit.id
    home.guests = ()
    battle.lift(home, "joined")
    if before is not None:
        battle.put(unit, _at_corner(made, before))
    battle.tell("character.joined", "t9a:21.B.b", (model.id, unit.id))


def reach_options(battle: Battle, home: Unit, distance: float) -> tuple[list[Unit], dict[str, Refusal]]:
    """t9a:21.B.b  Units a lone Character can join with a move of so many inches, and why not the others."""
    model = battle.models[home.guests[0]]
    found: list[Unit] = []
    barred: dict[str, Refusal] = {}
    for unit in battle.army(home.seat):
        if unit.id == home.id:
            continue
        why = join_refusal(battle, model, unit)
        if why is None and unit.id == home.charge.left:
            why = Refusal("refuse.join.left", "t9a:21.B.d.2", {"model": model.id, "unit": unit.id})
        if why is None and next(in_reach(battle, home, unit, distance), None) is None:
            why = Refusal("refuse.join.far", "t9a:21.B.b", {"model": model.id, "unit": unit.id})
        if why is None:
            found.append(unit)
        else:
            barred[f"join:{unit.id}"] = why
    return found, barred


class Entry(NamedTuple):
    """A place a Character could take in a unit: what he asks for, and where his centre would be."""

    want: seating.Want
    at: Point


def entries(battle: Battle, home: Unit, unit: Unit) -> Iterator[Entry]:
    """t9a:21.B.b, t9a:4.C  Every place in a unit where a Character may stand, from the middle outwards, it keeping its
    inch; among Characters alone the first there is.
    """
    model, block = battle.models[home.guests[0]], battle.block(unit)
    trial = unit.copy()
    trial.guests = (*unit.guests, model.id)
    kept = _kept(unit, block)
    cells = seating.matches(battle, trial, model.profile.base)
    wants: list[seating.Want] = ["left", "right"]
    if cells is not None:
        middle = (block.files - cells[0]) / 2
        wants = [(f, 0) for f in sorted(range(block.files), key=lambda f: (abs(f - middle), f))]
    for want in [*wants, None] if not unit.troops else wants:
        made = seating.shaped(battle, trial, block.files, {model.id: want} if want else None, kept=kept)
        made = made or seating.shaped(battle, trial, block.files + 1, {model.id: want} if want else kept, kept=kept)
        if made is None and want is None:
            made = seating.settle(battle, trial, block.files, kept)
        if made is None or (want is not None and not _as_asked(made.guests[-1], want)):
            continue
        stood = _at_corner(made, block)
        if ground.grown(battle, unit, stood, ignoring=(home.id,)) is None:
            last = made.guests[-1]
            place = last.post.value if last.post is not Post.RANKS else (last.file, last.rank)
            yield Entry(want or place, (stood.places[-1].pose.x, stood.places[-1].pose.y))
            if not unit.troops:
                return


def _as_asked(guest: Guest, want: seating.Want) -> bool:
    return guest.file == want[0] if isinstance(want, tuple) else guest.post.value == want


def _kept(unit: Unit, block: Block) -> dict[str, seating.Want]:
    return {
        key: (g.post.value if g.post is not Post.RANKS else (g.file, g.rank))
        for key, g in zip(unit.guests, block.guests, strict=True)
    }


def _at_corner(made: Block, block: Block) -> Block:
    """The front stays where it is; among Characters measured by another base than before, the first of them does."""
    stood = closing_up.at_corner(made, closing_up.corner(block), block.facing)
    if made.base == block.base or made.troops or not block.guests:
        return stood
    hx, hy = heading(block.facing)
    was, now = block.places[0].pose, stood.places[0].pose
    right = (was.x - now.x) * hy - (was.y - now.y) * hx
    return stood.placed((stood.x + hy * right, stood.y - hx * right), stood.facing)


def in_reach(battle: Battle, home: Unit, unit: Unit, distance: float) -> Iterator[Entry]:
    """t9a:21.B.b  The places in a unit a lone Character reaches with a move of so many inches, through the unit."""
    block = battle.block(home)
    things = ground.moving(battle, home, ignoring=(unit.id, home.charge.left))
    if stats.flight(battle, home) is not None:
        things = []
    for entry in entries(battle, home, unit):
        motion = Shift(entry.at[0] - block.centre[0], entry.at[1] - block.centre[1])
        if math.dist(block.centre, entry.at) > inches(distance) + 0.03:
            continue
        if not any(blocked(block.outline, motion, o.outline, TOUCH) for o in things):
            yield entry


def taken(battle: Battle, home: Unit, unit: Unit, found: Sequence[Entry]) -> Script[Entry]:
    """t9a:21.B.b  Which of several places the Character takes: as near the middle as he can, if he does not mind."""
    if len(found) == 1:
        return found[0]
    options = []
    for entry in sorted(found, key=lambda e: str(e.want) if isinstance(e.want, str) else f"{e.want[0]:03}"):
        if isinstance(entry.want, str):
            options.append(option(entry.want, entry, text=f"option.flank-{entry.want}"))
        else:
            file = entry.want[0]
            options.append(seating.file_option(battle, unit, file, entry))
    who = (home.id, unit.id)
    picked = yield Pick(unit.seat, "join.place", options, optional=True, aside=True, rule="t9a:21.B.b", about=who)
    return picked or found[0]


def widened(
    battle: Battle, unit: Unit, model: Model, zone: Callable[[Block], Refusal | None] | None = None
) -> Script[None]:
    """t9a:21.B.b-single-rank  A Character joined a single rank: its owner lets it widen at an end, or a model step
    back; deployed in it, within the `zone`, a model steps back if he does not mind.
    """
    block = battle.block(unit)
    if block.ranks == 1:
        return
    found = [option("second", text="option.second-rank")]
    barred: dict[str, Refusal] = {}
    wider: dict[str, Block] = {}
    for key, from_left in (("widen", 0), ("widen-left", 1)):
        made = _wider(battle, unit, block, from_left)
        if made is None:
            continue
        refusal = ground.grown(battle, unit, made) or (zone(made) if zone is not None else None)
        if refusal is None:
            wider[key] = made
            found.append(option(key, text=f"option.{key}"))
        else:
            barred[key] = refusal
    about = (model.id, unit.id)
    calm = zone is not None
    rule = "t9a:21.B.b-single-rank"
    pick = yield Pick(unit.seat, "join.rank", found, optional=calm, aside=calm, barred=barred, rule=rule, about=about)
    if pick in wider:
        battle.put(unit, wider[pick])


def _wider(battle: Battle, unit: Unit, block: Block, from_left: int) -> Block | None:
    """The unit with one file more at its right end, or its left."""
    wants: dict[str, seating.Want] = {
        key: (g.post.value if g.post is not Post.RANKS else (g.file + from_left, g.rank))
        for key, g in zip(unit.guests, block.guests, strict=True)
    }
    made = seating.shaped(battle, unit, block.files + 1, wants)
    if made is None:
        return None
    x, y = closing_up.corner(block)
    hx, hy = heading(block.facing)
    cell = (block.base.width + block.spacing) * from_left
    return closing_up.at_corner(made, (x - hy * cell, y + hx * cell), block.facing)


def make_way(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:21.B.f  Characters in the front rank out of contact may change places to touch an enemy on the front."""
    for model in battle.characters(unit):
        block = battle.block(unit)
        met = [
            n for n in sorted(contacts.touching_numbers(battle, unit, shapes.Side.FRONT)) if not block.places[n].rank
        ]
        if not met:
            continue
        spots = sorted({block.places[n].file for n in met if _makes_way(battle, unit, model, n)})
        kin = ("t9a:21.A.b.34",) if model.profile.is_platform else ()
        why = Refusal("refuse.make-way", "t9a:21.B.f", {"model": model.id}, kin)
        picked = yield Pick(
            unit.seat,
            "make.way",
            [seating.file_option(battle, unit, f, f, rank=0) for f in spots],
            optional=True,
            barred={str(f): why for f in range(block.files) if f not in spots},
            rule="t9a:21.B.f",
            about=(model.id, unit.id),
        )
        if picked is not None:
            made = _swap(battle, unit, model, picked)
            assert made is not None
            battle.put(unit, made)
            battle.tell("character.moved-up", "t9a:21.B.f", (model.id, unit.id), file=picked + 1)


def _makes_way(battle: Battle, unit: Unit, model: Model, number: int) -> bool:
    """t9a:21.B.f  Whether a Character may change places with one who meets the enemy in the front rank."""
    block = battle.block(unit)
    guest = block.guests[unit.guests.index(model.id)]
    if guest.post is not Post.RANKS or guest.rank != 0 or model.profile.is_platform:
        return False
    if next(iter(battle.numbers(unit, model.id))) in contacts.touching_numbers(battle, unit):
        return False
    if _is_character(battle, battle.pool_at(unit, number)):
        return False
    return _swap(battle, unit, model, block.places[number].file) is not None


def _is_character(battle: Battle, pool: str) -> bool:
    return pool in battle.models and battle.models[pool].role == "character"


def _swap(battle: Battle, unit: Unit, model: Model, file: int) -> Block | None:
    """The unit with a Character at another file of its front rank."""
    block = battle.block(unit)
    wants: dict[str, seating.Want] = {
        key: (g.post.value if g.post is not Post.RANKS else (g.file, g.rank))
        for key, g in zip(unit.guests, block.guests, strict=True)
    }
    own, wants[model.id] = wants[model.id], (file, 0)
    for key, place in wants.items():
        if key != model.id and place == (file, 0):
            wants[key] = own
    made = seating.shaped(battle, unit, block.files, wants)
    if made is None or made.guests[unit.guests.index(model.id)].file != file:
        return None
    return closing_up.at_corner(made, closing_up.corner(block), block.facing)
