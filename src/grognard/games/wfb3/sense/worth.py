"""What units are worth, and what they do to one another in a round, by printed values and the book's tables."""

from __future__ import annotations

from math import exp

from grognard.games.wfb3.army.profiles import Kit, Profile, armour_points
from grognard.games.wfb3.army.weapons import Missile, Weapon
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.psychology import panic
from grognard.games.wfb3.rolls import arms, steps
from grognard.games.wfb3.shooting import aiming
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Side, turn_between
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import bearing

#: How many of the 36 throws of two dice come to at most so much.
TWO_DICE = (0, 0, 1, 3, 6, 10, 15, 21, 26, 30, 33, 35, 36)
#: What a routed unit is worth of what it was: nothing unless it rallies.
ROUTED = 0.25
#: How many rounds of a fight one thinks ahead.
ROUNDS = 3
#: wfb3:7.12-ranks  How many of the front rank must fight for the ranks behind to count.
RANKED = 4
#: wfb3:6.2.1-arc  Degrees to each side troops shoot at.
ARC = 45.0


def passes(value: int) -> float:
    """wfb3:10.1-test  How likely two dice come to at most a value."""
    return TWO_DICE[max(0, min(12, value))] / 36


def points(battle: Battle, unit: Unit) -> float:
    """wfb3:26.2-survivors  What the living of a unit are worth."""
    return sum(unit.price if m.role != "character" else battle.units[m.home].price for m in battle.members(unit))


def prize(battle: Battle, unit: Unit) -> float:
    """wfb3:26.2-general  What the end of a unit is worth to the enemy: a general on his own counts for more."""
    return points(battle, unit) + (50.0 if unit.kind == "character" and unit.character.general else 0.0)


def standing(battle: Battle, unit: Unit) -> float:
    """wfb3:26.2-survivors  What is left of a unit, in points; routers count for little."""
    if unit.where in ("destroyed", "fled", "attached"):
        return 0.0
    return points(battle, unit) * (ROUTED if unit.rout.routed else 1.0)


def steady(battle: Battle, unit: Unit) -> float:
    """wfb3:8.1-roll  How likely a unit stands a rout test, about."""
    leader = battle.leader(unit)
    lent = dict(leader.hero.bonus).get("Ld", 0) if leader is not None and leader.role == "character" else 0
    return passes(unit.profile.Ld + lent - (1 if unit.combat.disordered else 0))


def chance(need: int) -> float:
    """How likely a die comes to a need; beyond six a second one decides, beyond nine nobody does it."""
    if need > steps.LAST:
        return 0.0
    return (7 - max(2, need)) / 6 if need <= 6 else (10 - need) / 36


def unsaved(profile: Profile, kit: Kit, mount: Profile | None, modifier: int, *, shield: bool = True) -> float:
    """wfb3:6.4-saves  How likely a wound goes through armour."""
    worn = armour_points(profile, kit, mount, shield=shield)
    need = max(2, 7 - worn - modifier)
    return 1.0 if worn <= 0 or need > 6 else (need - 1) / 6


def weapons(unit: Unit | Model) -> list[Weapon]:
    """wfb3:13.2-several-weapons  What somebody may fight with."""
    return [w for w in unit.kit.melee() if w.name != "net" and (unit.mount is not None or w.name != "lance")]


def _weapon(
    battle: Battle, unit: Unit, model: Model | None, weapon: Weapon, foe: Unit, *, charging: bool
) -> tuple[int, int, int]:
    """wfb3:7.8.1-modifiers, wfb3:7.9-wound  To hit, strength and save of a weapon: the battle's own numbers."""
    made = arms.with_weapon(battle, unit, model, weapon, foe, charged=charging)
    return sum(n for n, _, _ in made.hit), sum(n for n, _, _ in made.strength), made.modifier


def _strike(attacker: Profile, extra: tuple[int, int, int], foe: Unit, plus: int) -> float:
    """Wounds one attack takes from a unit, on average."""
    hit, strength, modifier = extra
    hits = chance(steps.combat_need(attacker.WS, foe.profile.WS) - hit - plus)
    need = steps.wound_need(attacker.S + strength, foe.profile.T)
    return hits * (0.0 if need > 6 else chance(need)) * unsaved(foe.profile, foe.kit, foe.mount, modifier)


def with_weapon(battle: Battle, unit: Unit, weapon: Weapon, foe: Unit, *, charging: bool = False) -> float:
    """Wounds one of the troops takes from an enemy with a weapon in a round, on average."""
    extra = _weapon(battle, unit, None, weapon, foe, charging=charging)
    attacks = sum(count for _, count in unit.profile.attacks)
    reach = 1.25 if weapon.name in ("spear", "pike") and unit.mount is None else 1.0
    return reach * attacks * _strike(unit.profile, extra, foe, 1 if charging else 0)


def _abreast(unit: Unit, foe: Unit, side: Side, *, struck: bool) -> int:
    """How many of a unit come to blows, about; `struck`: the unit is the one charged on that side."""
    if unit.block is None or foe.block is None:
        return 1
    flank = side.is_flank
    own = unit.block.ranks if struck and flank else unit.block.files
    room = foe.block.depth if flank and not struck else foe.block.width
    return max(1, min(own, len(unit.models), int(room / unit.block.base.width) + 2))


def blows(
    battle: Battle, unit: Unit, foe: Unit, side: Side = Side.FRONT, *, struck: bool = False, charging: bool = False
) -> float:
    """wfb3:7.5-front  Wounds a unit takes from another in a round, on average."""
    count = _abreast(unit, foe, side, struck=struck)
    plus = 1 if charging else 0
    heroes = battle.characters(unit)
    troops = max(0, min(count, len(unit.models) - len(heroes)))
    total = 0.0
    if troops:
        total += troops * max(with_weapon(battle, unit, w, foe, charging=charging) for w in weapons(unit))
    if troops and unit.mount is not None:
        bites = sum(n for _, n in unit.mount.attacks)
        total += troops * bites * _strike(unit.mount, (0, 0, unit.mount.modifier), foe, plus)
    for model in heroes:
        best = max(
            _strike(model.profile, _weapon(battle, unit, model, w, foe, charging=charging), foe, plus)
            for w in weapons(model)
        )
        total += sum(n for _, n in model.profile.attacks) * best
    return min(total, wounds_left(battle, foe))


def wounds_left(battle: Battle, unit: Unit) -> float:
    return float(max(1, sum(m.w for m in battle.members(unit)) - unit.combat.hurt))


def _ranks(unit: Unit) -> int:
    """wfb3:7.12-ranks"""
    block = unit.block
    return 0 if block is None or block.files < RANKED else min(3, max(0, block.complete_ranks() - 1))


def _banner(unit: Unit) -> int:
    return 1 if unit.standards.banner == "held" else 0


def _breaks(battle: Battle, unit: Unit, wounds: float, lost: float) -> float:
    """wfb3:7.13.5-precedence  How likely a unit routs that takes so many wounds, where it loses so likely."""
    if unit.combat.disordered or unit.rout.fresh_pursuit:
        return lost
    gone = (unit.start - len(battle.ordinary(unit)) + wounds / max(1, unit.profile.W)) / max(1, unit.start)
    tested = 1.0 / (1.0 + exp(-(gone - 0.22) * 14.0))
    return lost * tested * (1.0 - steady(battle, unit))


def ripple(battle: Battle, unit: Unit) -> float:
    """wfb3:10.7.5  Points of those who panic, about, where a unit is routed in close combat near them."""
    if unit.block is None or unit.kind == "character":
        return 0.0
    near = [f for f in battle.friends(unit) if not f.rout.routed and battle.within(f, unit, panic.ROUT_NEAR)]
    return 0.8 * sum(points(battle, f) * (1.0 - passes(f.profile.Cl)) for f in near)


def fight(
    battle: Battle, one: Unit, two: Unit, side: Side = Side.FRONT, *, charging: bool = False
) -> tuple[float, float]:
    """wfb3:7.12-score  Points each loses in a fight, about, rout counted: the second's loss, then the first's."""
    result = _banner(one) - _banner(two)
    if _abreast(one, two, side, struck=False) >= RANKED:
        result += _ranks(one)
    if side is Side.FRONT and _abreast(two, one, side, struck=True) >= RANKED:
        result -= _ranks(two)
    lost = [0.0, 0.0]
    still = 1.0
    for turn in range(ROUNDS):
        first = charging and turn == 0
        if turn < 2:
            gives = blows(battle, one, two, side, charging=first)
            takes = blows(battle, two, one, side, struck=True)
        won = 1.0 / (1.0 + exp(-0.8 * (result + gives - takes + (1 if first else 0))))
        ends = 0.0
        for place, unit, wounds, beaten in ((0, two, gives, won), (1, one, takes, 1.0 - won)):
            worth = prize(battle, unit)
            dead = min(worth, worth * wounds / wounds_left(battle, unit))
            flies = (
                _breaks(battle, unit, (turn + 1) * wounds, beaten) if turn == 0 or not unit.combat.disordered else 0.0
            )
            rest = max(0.0, worth - (turn + 1) * dead)
            lost[place] += still * (min(dead, rest + dead) + flies * (0.8 * rest + ripple(battle, unit)))
            ends += flies
        still *= max(0.0, 1.0 - ends)
    return lost[0], lost[1]


def edge_of(gains: float, loses: float) -> float:
    """How much better one fares who takes and loses so many points, as a share of both: about -1 to 1."""
    return (gains - loses) / (gains + loses + 15.0)


def edge(battle: Battle, one: Unit, two: Unit, side: Side = Side.FRONT, *, charging: bool = True) -> float:
    """How much better one fares than the other in a fight it begins: about -1 to 1."""
    return edge_of(*fight(battle, one, two, side, charging=charging))


def missile(unit: Unit) -> Missile | None:
    """The missile weapon a unit shoots furthest with; things thrown do not count."""
    found = [m for m in unit.kit.shooting() if not m.thrown and m.name != "grenade"]
    return max(found, key=lambda m: m.range) if found else None


def shoots(unit: Unit) -> bool:
    return missile(unit) is not None


def _before(block: Block, other: Block) -> bool:
    """wfb3:6.2.1-arc  Whether somebody stands before a block's front, about."""
    x, y = other.centre
    return abs(turn_between(block.facing, bearing(x - block.x, y - block.y))) <= ARC


def volley(battle: Battle, unit: Unit, foe: Unit, block: Block | None = None) -> float:
    """wfb3:6.2-procedure  Points a unit's volley takes from another, on average, out of cover.

    `block`: where the shooters might stand instead; nobody outside their arc is shot at from there.
    """
    weapon = missile(unit)
    if weapon is None or unit.block is None or foe.block is None:
        return 0.0
    far = battle.gap(unit, foe)
    if block is not None:
        far = gap(block.outline, foe.block.outline)
        if far > weapon.reach or not (aiming.all_round(battle, unit) or _before(block, foe.block)):
            return 0.0
    if far > weapon.reach:
        return 0.0
    need = steps.missile_need(unit.profile.BS) + (1 if far > weapon.half else 0) - (1 if battle.large(foe) else 0)
    strength = weapon.strength if weapon.strength is not None else unit.profile.S
    wound = steps.wound_need(strength or 3, foe.profile.T)
    through = unsaved(foe.profile, foe.kit, foe.mount, weapon.modifier(far))
    each = (chance(need) if need <= 6 else 0.0) * (0.0 if wound > 6 else chance(wound)) * through
    wounds = min(each * (block or unit.block).files, wounds_left(battle, foe))
    worth = prize(battle, foe)
    shy = max(0.0, min(1.0, 4.0 * wounds / max(1, len(foe.models) * foe.profile.W) - 0.4)) * (1.0 - steady(battle, foe))
    return worth * wounds / wounds_left(battle, foe) + 0.6 * worth * shy * (0.0 if foe.rout.routed else 1.0)
