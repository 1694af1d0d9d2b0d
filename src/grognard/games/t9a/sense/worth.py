"""What units are worth, and what they do to one another in a round, by printed values and the book's tables."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.games.t9a import steps
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.profiles import Part, Profile
from grognard.kernel.formation.shapes import Side

#: How many models of a unit on round bases strike, about.
ALONE = 1


def standing(battle: Battle, unit: Unit) -> float:
    """What is left of a unit, in points; what flees is worth half."""
    if unit.where == "gone" or unit.summoned:
        return 0.0
    own = [m for m in battle.models.values() if m.home == unit.id and not m.gone]
    left = unit.troops * unit.profile.hp - unit.lost + sum(m.hp for m in own)
    share = min(1.0, max(0, left) / max(1, unit.start_hp))
    return unit.points * (0.35 + 0.65 * share) * (0.5 if unit.fleeing else 1.0) if left > 0 else 0.0


def fighters(battle: Battle, unit: Unit) -> Iterator[tuple[Profile, float]]:
    """Profiles of a unit with how many of them strike in a round, about: the first rank and half the second."""
    block = unit.block
    files = ALONE if block is None or block.is_round else block.files
    guests = battle.guests(unit)
    front = max(0, min(unit.troops, files - len(guests)))
    if unit.troops:
        yield unit.profile, front + 0.5 * min(max(0, unit.troops - front), files)
    for model in guests:
        yield model.profile, 1.0


def _blows(part: Part, ours: Profile, theirs: Profile) -> float:
    """Health Points one part takes from a model in a round of combat, on average."""
    if part.att is None or part.off is None or part.strength is None:
        return 0.0
    weapon = part.armed[0]
    hits = (7 - steps.to_hit(part.off + weapon.offence, theirs.defence)) / 6
    wounds = (7 - min(6, steps.to_wound(part.strength + weapon.strength, theirs.res))) / 6
    need = steps.to_save(theirs.arm + (1 if theirs.shield else 0), (part.ap or 0) + weapon.ap)
    through = 1.0 if need > 6 else (need - 1) / 6
    return part.count * (part.att.mean + weapon.attacks) * hits * wounds * through


def harm(battle: Battle, one: Unit, two: Unit) -> float:
    """The points one unit takes from another in a round of combat, on average."""
    target = two.profile if two.troops else battle.guests(two)[0].profile if two.guests else two.profile
    lost = 0.0
    for profile, count in fighters(battle, one):
        lost += count * sum(_blows(part, profile, target) for part in profile.parts)
    price = two.points / max(1, two.start_hp)
    return min(lost, float(battle.hp(two))) * price


def edge(battle: Battle, one: Unit, two: Unit, side: Side | None = None) -> float:
    """How much better one fares than the other in a round, as a share of both: about -1 to 1."""
    gives, takes = harm(battle, one, two), harm(battle, two, one)
    if side is not None and side is not Side.FRONT:
        gives, takes = gives * 1.2 + 15.0, takes * 0.5
    ranks = 12.0 * (battle.rank_bonus(one) - battle.rank_bonus(two)) if one.block and two.block else 0.0
    return (gives - takes + ranks) / (gives + takes + 40.0)


def shoots(unit: Unit) -> bool:
    return any(part.shooting for part in unit.profile.parts)
