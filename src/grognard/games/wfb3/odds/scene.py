"""Tables for odds: a `given` as cases write it, or one laid out from plain numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grognard.games.wfb3.army.cards import bestiary
from grognard.games.wfb3.army.profiles import STATS, Profile, read_profile
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.cases import given
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.house import HOUSE_RULES
from grognard.kernel.data.sheets import named
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.units import MM_PER_INCH, heading
from grognard.kernel.ruleset import agreed

Arguments = Mapping[str, Any]
#: The unit that acts stands with the middle of its front here, looking north, on a table large enough for any question.
SPOT = (60.0, 40.0)
TABLE = {"width": 120, "height": 120}
#: How a struck unit is turned, so that this side of it looks south.
TURNED = {"front": 180.0, "flank": 90.0, "rear": 0.0}
#: A hedge or a wall stands so far in front of those it covers (inches).
BEFORE = 0.3
COVERS = {"soft": "hedge", "hard": "wall"}


class Scene(NamedTuple):
    """A battle, who acts, and on whom."""

    battle: Battle
    unit: Unit
    other: Unit


def house_of(arguments: Arguments) -> dict[str, Any]:
    """Chapter 27: the house rules of the question, the others as ruled."""
    return agreed("wfb3", HOUSE_RULES, arguments.get("house") or {})


def scene(arguments: Arguments, phase: str, names: tuple[str, str], **states: Any) -> Scene:
    """The situation of a question: given, or two units laid out facing each other."""
    if arguments.get("given") is not None:
        battle = given.create(arguments["given"], house_of(arguments))
        return Scene(battle, named_unit(battle, arguments, "from"), named_unit(battle, arguments, "to"))
    battle = given.create(_laid_out(arguments, phase, names, **states), house_of(arguments))
    return Scene(battle, battle.units[names[0]], battle.units[names[1]])


def named_unit(battle: Battle, arguments: Arguments, name: str) -> Unit:
    """The unit an argument names."""
    wanted = arguments.get(name)
    if wanted not in battle.units:
        known = ", ".join(battle.units)
        raise BadInput("{name} names one of {known}, not {value}", name=name, known=known, value=wanted)
    return battle.units[str(wanted)]


def _laid_out(
    arguments: Arguments, phase: str, names: tuple[str, str], *, own: Mapping[str, Any], theirs: Mapping[str, Any],
    engaged: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Two units: the first looks north, the other stands so far before it with one of its sides towards it."""
    x, y = SPOT
    far = y + arguments.get("distance", 0)
    units = {
        names[0]: {**_entry(arguments, names[0]), "side": "red", "at": [x, y], "facing": 0, **own},
        names[1]: {**standing(arguments, names[1], far), **theirs},
    }
    wall = COVERS.get(arguments.get("cover", ""))
    terrain = [{"id": "cover", "kind": wall, "at": [x, far - BEFORE], "size": [100, 0.1]}] if wall else []
    return {
        "phase": phase, "table": TABLE, "terrain": terrain, "creatures": creatures(arguments, names), "units": units,
        "engaged": [list(names)] if engaged else [],
    }  # fmt: skip


def standing(arguments: Arguments, name: str, far: float) -> dict[str, Any]:
    """A unit as cases write it, the nearest side of it so far north."""
    facing = TURNED[arguments["side"]]
    width, depth = _size(arguments, name)
    middle = far + (width if arguments["side"] == "flank" else depth) / 2
    hx, hy = heading(facing)
    at = [SPOT[0] + hx * depth / 2, middle + hy * depth / 2]
    return {**_entry(arguments, name), "side": "blue", "at": at, "facing": facing}


# ---------------------------------------------------------------------- creatures and units from plain numbers


def creatures(arguments: Arguments, names: Sequence[str]) -> dict[str, Any]:
    """Creatures as cases write them: those of the question, and what the units of these names are."""
    said = {str(name): data for name, data in (arguments.get("creatures") or {}).items()}
    return {**said, **{name: _changed(_creature(arguments, name), arguments, name) for name in names}}


def _known(arguments: Arguments) -> Mapping[str, Profile]:
    said = arguments.get("creatures") or {}
    return {**bestiary(), **{str(n): read_profile(str(n), data, f"creatures.{n}") for n, data in said.items()}}


def _creature(arguments: Arguments, name: str) -> Profile:
    return named(arguments[name], _known(arguments), name, "creature", "wfb3:24-points")


def _changed(profile: Profile, arguments: Arguments, name: str) -> dict[str, Any]:
    """A creature as cases write it, with the characteristics the question changes."""
    stats = {stat: profile.stat(stat) for stat in STATS}
    attacks = dict(profile.attacks)
    for stat in STATS:
        if arguments.get(f"{name}_{stat}") is not None:
            stats[stat] = arguments[f"{name}_{stat}"]
    if arguments.get(f"{name}_A") is not None:
        first = next(iter(attacks), "weapon")
        attacks = {first: arguments[f"{name}_A"]}
    return {
        "race": profile.race, "stats": [n if s == "M" else int(n) for s, n in stats.items()], "attacks": attacks,
        "base": [profile.base.width, profile.base.length], "points": profile.points, "large": profile.large,
        "small": profile.small, "rides": profile.rides, "save": profile.save, "modifier": profile.modifier,
        "flight": list(profile.flight) if profile.flight else None, "traits": list(profile.traits),
    }  # fmt: skip


def _count(arguments: Arguments, name: str) -> int:
    return int(arguments[f"{name}s"])


def _files(arguments: Arguments, name: str) -> int:
    """wfb3:5.3.1-size  How many stand abreast: as said, else five."""
    count = _count(arguments, name)
    return min(count, int(arguments[f"{name}_files"] or min(5, count)))


def _size(arguments: Arguments, name: str) -> tuple[float, float]:
    """The frontage and depth of a unit in inches."""
    mount = arguments.get(f"{name}_mount")
    ridden = named(mount, _known(arguments), name, "mount", "wfb3:18-monster-definition") if mount else None
    base = (ridden or _creature(arguments, name)).base
    files = _files(arguments, name)
    ranks = math.ceil(_count(arguments, name) / files)
    return files * base.width / MM_PER_INCH, ranks * base.length / MM_PER_INCH


def _entry(arguments: Arguments, name: str) -> dict[str, Any]:
    """A unit as cases write it."""
    count = _count(arguments, name)
    entry: dict[str, Any] = {"creature": name, "count": count, "files": _files(arguments, name)}
    if arguments[f"{name}_weapon"] not in (None, "hand weapon"):
        entry["weapons"] = [arguments[f"{name}_weapon"]]
    if arguments[f"{name}_missiles"]:
        entry["missiles"] = [arguments[f"{name}_missiles"]]
    if arguments[f"{name}_armour"] != "none":
        entry["armour"] = arguments[f"{name}_armour"]
    for key in ("shield", "standard"):
        if arguments[f"{name}_{key}"]:
            entry[key] = True
    if arguments[f"{name}_mount"]:
        entry["mount"] = arguments[f"{name}_mount"]
    if arguments[f"{name}_start"] is not None:
        entry["start"] = arguments[f"{name}_start"]
    return entry
