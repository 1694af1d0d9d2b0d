"""Parts of what a case says, read and checked: effects, places, who fights whom, markers, sides."""

from __future__ import annotations

import math
from typing import Any

from grognard.games.t9a.abilities import parse
from grognard.games.t9a.army import cards
from grognard.games.t9a.army.spells import spell
from grognard.games.t9a.battle import BEFORE, Battle
from grognard.games.t9a.forces import Counter, Effect, Engagement, Unit
from grognard.games.t9a.losses import regained_contact
from grognard.games.t9a.rolls import stats
from grognard.games.t9a.table import zones
from grognard.games.t9a.units import fielding, seating
from grognard.kernel.data import reading as read
from grognard.kernel.data.sheets import named
from grognard.kernel.errors import BadInput
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import gap, overlap
from grognard.kernel.geometry.units import heading

#: What a lasting effect may change, how, and how long it lasts.
STATS = (*stats.GLOBAL, *stats.OFFENSIVE, "to-hit", "to-wound", "armour-save", "casting", "dispel", "score")
OPS = ("set", "add", "times", "halve", "always", "floor", "cap")
UNTIL = ("magic", "turn", "phase", "round", "permanent", "game")
EFFECT_KEYS = ("key", "name", "rule", "by", "until", "stats", "rules", "part")
#: Where a unit may be.
PLACES = ("undeployed", "table", "reserve", "hidden", "away", "gone")
#: How a unit may be declared to be deployed.
SPECIAL = ("", "scout", "ambush", "reserve", "hidden", "delayed", "no")
#: Keys only a single model, or a Conclave's Champion, can have.
SINGLE = ("general", "bsb", "wizard", "path", "paths", "bound", "items", "forgotten", "cast", "refused")
SIDES = {"front": Edge.FRONT, "right": Edge.RIGHT, "rear": Edge.REAR, "left": Edge.LEFT}
_WORDS = ("feature", "book")
#: What is one of a few words: t9a:9.D.2, 9.D.4, 10.D.
_CHOICES = {"short_edge": ("left", "right"), "role": ("attacker", "defender"), "wish": ("first", "second")}
_LISTS = ("deck", "attempted")
_FLAGS = ("no_vanguard",)
SIDE_KEYS = (
    "tokens", "dice", "half", "limit", "points", "finished", "undeployed", "control", "drops", "last_centre",
    *_CHOICES, *_WORDS, *_LISTS, *_FLAGS,
)  # fmt: skip


def effects(said: Any, seat: str, where: str) -> tuple[Effect, ...]:
    """Effects in force: {rules: [...], stats: [[stat, op, n], ...], until: magic, by: seat}; `by` a model they end
    with it (t9a:16.B.f).
    """
    found = []
    for number, entry in enumerate(read.listing(said or [], where)):
        here = f"{where}[{number}]"
        told = read.mapping(entry, here, EFFECT_KEYS)
        rules = read.words(told.get("rules", []), f"{here}.rules")
        for text in rules:
            parse(text)
        by = str(told.get("by", seat))
        borne = by not in ("red", "blue")
        found.append(
            Effect(
                f"bearer:{by}" if borne else str(told.get("key", f"effect{number}")),
                str(told.get("rule", "t9a:16.B.f" if borne else "t9a:13.G.d")),
                seat if borne else by,
                read.one_of(told.get("until", "magic"), f"{here}.until", UNTIL),
                changes(told.get("stats", []), f"{here}.stats"),
                rules,
                0,
                str(told.get("part", "")),
                str(told.get("name", "")),
            )
        )
    return tuple(found)


def check_bearers(battle: Battle) -> None:
    """t9a:16.B.f  Who is said to bear what is in effect on others is a model with a pool of its own."""
    for thing in battle.bearers():
        for effect in thing.effects:
            bearer = effect.key.removeprefix("bearer:")
            if bearer != effect.key and bearer not in battle.models:
                raise BadInput(
                    "given.units.{unit}.effects: by is red, blue or one of {known}, not {bearer} (t9a:16.B.f)",
                    unit=thing.id, known=", ".join(battle.models) or "no models", bearer=bearer,
                )  # fmt: skip


def changes(said: Any, where: str) -> tuple[tuple[str, str, int], ...]:
    """t9a:6.D  Changes to values: [[stat, op, n], ...]."""
    found = []
    for row in read.listing(said, where):
        if not isinstance(row, list | tuple) or len(row) != 3 or type(row[2]) is not int:
            raise BadInput("{where}: a change is [stat, op, number], not {row} (t9a:6.D)", where=where, row=repr(row))
        found.append((read.one_of(row[0], where, STATS), read.one_of(row[1], where, OPS), row[2]))
    return tuple(found)


def cell(said: Any, where: str) -> tuple[int, int]:
    """A place in a unit: [file, rank], from 0 at the left of the front."""
    if not isinstance(said, list | tuple) or len(said) != 2 or not all(type(n) is int and n >= 0 for n in said):
        raise BadInput("{where} is [file, rank], not {value} (t9a:3.B)", where=where, value=repr(said))
    return said[0], said[1]


def seats(said: Any, where: str) -> dict[str, seating.Want]:
    """Where Characters and Champions (the unit's own is `champion`) stand: [file, rank], left or right."""
    own = f"{where.removeprefix('given.units.').removesuffix('.seats')}.champion"
    told = {own if k == "champion" else k: v for k, v in read.mapping(said or {}, where).items()}
    return {k: v if v in ("left", "right") else cell(v, f"{where}.{k}") for k, v in told.items()}


def posts(said: Any, where: str) -> tuple[tuple[str, int, int], ...]:
    """t9a:21.C.d  Where Musician and Standard Bearer stand."""
    told = read.mapping(said or {}, where, ("musician", "standard"))
    return tuple((k, *cell(v, f"{where}.{k}")) for k, v in told.items())


def bound(battle: Battle, said: Any, where: str) -> tuple[tuple[str, int, int], ...]:
    """t9a:13.J.a  Bound Spells with their Power Levels: [[spell, primary, secondary], ...]."""
    found = []
    for row in read.listing(said, where):
        if not isinstance(row, list | tuple) or len(row) != 3:
            raise BadInput("{where} is [[spell, primary, secondary], …] (t9a:13.J.a)", where=where)
        found.append((spell(str(row[0]), battle.lore).key, read.whole(row[1], where), read.whole(row[2], where)))
    return tuple(found)


def check_paths(battle: Battle) -> None:
    """t9a:13.G.a  The spells a case brings with it change values there are and summon whom there is."""
    for path in battle.lore.values():
        for each in path.values():
            for version in each.versions:
                changes(version.effect.get("stats", []), f"given.paths {each.key}")
                if "summon" in version.effect:
                    here = f"given.paths {each.key}: summon"
                    known = cards.profiles() | battle.summons
                    named(version.effect["summon"].get("profile"), known, here, "profile", "t9a:13.K.d")


def check_single(unit: Unit, models: int, said: dict[str, Any], where: str) -> None:
    """What only a single model can be or have is not said of many; spells of many are their Champion's."""
    for key in (*SINGLE, *([] if unit.command.champion or "champion_hp" in said else ["spells"])):
        if models > 1 and said.get(key) and not unit.profile.has("wizard-conclave"):
            raise BadInput("{where}.{key} is of a single model, not of {models}", where=where, key=key, models=models)


def check_room_for(battle: Battle, key: str, host: Unit) -> None:
    """t9a:21.A.b.3-mismatch, t9a:21.A.b.34  Whether a Character can be in a unit at all."""
    trial = host.copy()
    trial.guests = (*host.guests, key)
    if not seating.fits(battle, trial):
        raise BadInput(
            "given.units.{key}: there is no place for it in {host}; a unit has two mismatching bases at most"
            " (t9a:21.A.b.3-mismatch) and one War Platform, whose base matches (t9a:21.A.b.34)",
            key=key, host=host.id,
        )  # fmt: skip


def check_places(battle: Battle) -> None:
    """t9a:3.A.a  Everybody on the table stands on it."""
    for unit in battle.on_table():
        x, y = battle.block(unit).centre
        if not (0 <= x <= battle.table.width and 0 <= y <= battle.table.height):  # in a move a part may hang over
            raise BadInput("given.units.{unit} stands beside the table (t9a:9.C)", unit=unit.id)
    _check_room(battle)


def _check_room(battle: Battle) -> None:
    """t9a:3.B.e  No unit stands in another's boundary, but for what rounding may have brought them together; in the
    middle of a fight, where units lie against each other on several sides, half a base is not held against them.
    """
    units = list(battle.on_table())
    slack = 6.0 if battle.phase == "melee" else ROUNDED / 2
    outlines = [battle.block(u).outline.shrunk(slack) for u in units]
    for i, one in enumerate(units):
        for j, two in enumerate(units[i + 1 :], i + 1):
            (ax, ay, near), (bx, by, far) = outlines[i].circle, outlines[j].circle
            if math.dist((ax, ay), (bx, by)) < near + far and overlap(outlines[i], outlines[j]):
                raise BadInput("given.units: {one} and {two} stand on each other (t9a:3.B.e)", one=one.id, two=two.id)


def sides(battle: Battle, said: Any) -> None:
    """The sides by seat, each with what is said of it."""
    read.mapping(said, "given.sides", battle.seats)
    for number, seat in enumerate(battle.seats):
        side = fielding.add_side(battle, seat, seat)
        side.half = number
        side.finished = 0 if battle.phase in BEFORE[:5] else number + 1
        for key, value in read.mapping(said.get(seat) or {}, f"given.sides.{seat}", SIDE_KEYS).items():
            setattr(side, key, _of_side(key, value, f"given.sides.{seat}.{key}"))
        known = [piece.id for piece in battle.table.pieces]
        if side.feature:
            read.one_of(side.feature, f"given.sides.{seat}.feature", known)
    zones.settle(battle)


def check_reserves(battle: Battle) -> None:
    """t9a:9.D.2-reserve  Who waits as reinforcements comes over the short edge of its owner, so that he has one."""
    for unit in battle.units.values():
        if unit.arrival.special == "reserve" and not battle.sides[unit.seat].short_edge:
            raise BadInput(
                "given.sides.{seat}.short_edge is left or right where units wait as reinforcements, as {unit} does"
                " (t9a:9.D.2-reserve)",
                seat=unit.seat, unit=unit.id,
            )  # fmt: skip


def left_at(battle: Battle, unit: Unit, said: Any, where: str) -> None:
    """t9a:15.H.d  Where a unit that is away left the table: a point of an edge, else the middle of its own."""
    width, height = battle.table.width, battle.table.height
    own = 0.0 if battle.sides[unit.seat].half == 0 else height
    x, y = (width / 2, own) if said is None else read.INCHES.point(said, where)
    off = {"lower": y, "left": x, "upper": height - y, "right": width - x}
    edge = min(off, key=lambda name: abs(off[name]))
    if abs(off[edge]) > ROUNDED:
        raise BadInput("{where} is a point of an edge of the table (t9a:15.H.d)", where=where)
    unit.arrival = unit.arrival.but(exit=(x, y), edge=edge)


def _of_side(key: str, value: Any, where: str) -> Any:
    if key in _FLAGS:
        return read.flag(value, where)
    if key in _CHOICES:
        return read.one_of(value, where, _CHOICES[key]) if value else ""
    if key in _WORDS:
        return read.name_or_nobody(value, where)
    if key == "last_centre":
        return read.INCHES.point(value, where)
    if key == "deck":
        cards = [read.between(n, where, 1, 8, "t9a:13.D") for n in read.listing(value, where)]
        return tuple(int(n) for n in cards)
    return tuple(read.words(value, where)) if key in _LISTS else read.whole(value, where)


def engaged(battle: Battle, said: Any) -> None:
    """Engagements: [[unit, side, unit, side], ...]; their fronts unless said otherwise."""
    for number, entry in enumerate(read.listing(said, "given.engaged")):
        where = f"given.engaged[{number}]"
        row = read.listing(entry, where)
        if len(row) not in (2, 4):
            raise BadInput("{where} is [unit, unit] or [unit, side, unit, side] (t9a:11.E.g)", where=where)
        parts = row if len(row) == 4 else [row[0], "front", row[1], "front"]
        a, b = (read.one_of(parts[i], where, battle.units) for i in (0, 2))
        mine, theirs = (SIDES[read.one_of(parts[i], where, SIDES)] for i in (1, 3))
        if battle.units[a].seat == battle.units[b].seat:
            raise BadInput("{where}: {a} and {b} are no enemies (t9a:2.A.d)", where=where, a=a, b=b)
        battle.engagements = (*battle.engagements, Engagement(a, mine, b, theirs))
        for key in (a, b):
            battle.units[key].fight = battle.units[key].fight.but(in_fight=True)
            battle.units[key].move = battle.units[key].move.but(engaged_earlier=True)
        _meet(battle, battle.engagements[-1], where)


#: Coordinates are written with a decimal or two: sides that are no further apart than this (mm) are meant to touch.
ROUNDED = 2.6


def _meet(battle: Battle, fight: Engagement, where: str) -> None:
    """t9a:3.C.a, t9a:11.E.g  The sides of two engaged units touch; what rounding left between them is closed."""
    one, two = battle.units[fight.a], battle.units[fight.b]
    if one.block is None or two.block is None:
        raise BadInput("{where}: {a} and {b} are not both on the table (t9a:11.E.g)", where=where, a=one.id, b=two.id)
    apart = gap(one.block.outline, two.block.outline)
    if apart > ROUNDED:
        far = round(apart / read.INCHES.mm, 2)
        told = {"where": where, "a": one.id, "b": two.id, "far": far}
        raise BadInput("{where}: {a} and {b} are {far} inches apart, not in contact (t9a:3.C.a)", **told)
    if one.block.is_round or two.block.is_round:
        return
    before = [u for e in battle.engagements[:-1] for u in (e.a, e.b)]
    unit, side, foe, theirs = (two, fight.b_side, one, fight.a_side)
    if two.id in before and one.id not in before:
        unit, side, foe, theirs = one, fight.a_side, two, fight.b_side
    block = battle.block(unit)
    turned = (block.boundary.outward(side) - battle.block(foe).boundary.outward(theirs)) % 360.0
    step, _ = regained_contact.offsets(block, battle.block(foe), side, theirs)
    if abs(turned - 180.0) > 0.1 or unit.id in before:
        return
    along = regained_contact.to_line_up(block, battle.block(foe), side, theirs)
    right, ahead = (step, along) if side.is_flank else (along, step)
    if max(abs(right), abs(ahead)) <= ROUNDED:
        hx, hy = heading(block.facing)
        x, y = block.x + hx * ahead + hy * right, block.y + hy * ahead - hx * right
        battle.put(unit, block.placed((x, y), block.facing))


def markers(battle: Battle, said: Any) -> None:
    """Markers lying about or carried."""
    found = []
    for number, entry in enumerate(read.listing(said, "given.markers")):
        where = f"given.markers[{number}]"
        told = read.mapping(entry, where, ("id", "at", "bearer", "side"))
        name, bearer = str(told.get("id", f"marker{number + 1}")), told.get("bearer")
        if bearer is not None:
            carrier = battle.units[read.one_of(bearer, f"{where}.bearer", battle.units)]
            carrier.scoring = carrier.scoring.but(marker=name)
        if "at" in told or bearer is None or carrier.block is None:
            x, y = read.INCHES.point(told.get("at"), f"{where}.at")
        else:
            x, y = battle.block(carrier).centre
        found.append(Counter(name, x, y, bearer, told.get("side")))
    battle.counters = tuple(found)
