"""t9a:15.G, t9a:15.H  Break Tests, what crumbles instead, and who pursues whom."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Loss, Model, Unit
from grognard.games.t9a.losses import casualties, psychology
from grognard.games.t9a.melee import combat_round, melee
from grognard.games.t9a.rolls import stats
from grognard.games.t9a.scoring import objectives
from grognard.games.t9a.table import terrain
from grognard.games.t9a.table.ground import nearest_enemy
from grognard.kernel.citing import cites
from grognard.kernel.data.reading import slug
from grognard.kernel.formation.flight import facing_away
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Pick, Script, Split, option

if TYPE_CHECKING:
    from grognard.games.t9a.melee.combat_round import Tale


def stubborn(battle: Battle, unit: Unit) -> bool:
    """t9a:21.A.b.45, t9a:21.A.b.16, t9a:20.B.d-guerrilla
    A unit with a Stubborn model: printed, guarded, or at home in a
    Forest.
    """
    for pool in battle.pools(unit):
        if not battle.has(pool, "stubborn"):
            continue
        if pool in battle.models and battle.models[pool].duel.refused:
            battle.cite("t9a:15.E.b-refuse")
            continue
        battle.cite("t9a:21.A.b.45")
        return True
    guards = [t for p in battle.pools(unit) for t in battle.traits(p, "bodyguard")]
    for model in battle.characters(unit):
        if model.duel.refused:
            continue
        names = _names(battle, model)
        platform = model.profile.is_platform
        if any((not t.args and not platform) or any(slug(a) in names for a in t.args) for t in guards):
            battle.cite("t9a:21.A.b.16", "t9a:21.A.b.45")
            return True
    return terrain.guerrilla(battle, unit)


def _names(battle: Battle, model: Model) -> set[str]:
    """t9a:21.A.b.16  What a Character may be called by those who guard him: name, kind, rules, office."""
    offices = [("general", model.general), ("battle-standard-bearer", model.bsb), ("wizard", bool(model.magic.level))]
    named = {slug(model.profile.name), slug(battle.units[model.home].name), *map(slug, battle.words(model.id))}
    return named | {name for name, held in offices if held}


@cites
def steadfast(battle: Battle, unit: Unit) -> bool:
    """t9a:15.G.a
    More Full Ranks than each enemy engaged in the combat; not if Disrupted or in broken ground (t9a:15.G.b)."""
    own = battle.full_ranks(unit)
    group = battle.combat or next((tuple(u.id for u in g) for g in melee.combats(battle) if unit in g), ())
    enemies = [e for e in (battle.units[k] for k in group) if e.seat != unit.seat and battle.engaged(e)]
    if any(battle.full_ranks(e) >= own for e in enemies):
        return False
    if disrupted(battle, unit):
        return False
    return not terrain.broken_ranks(battle, unit)


def disrupted(battle: Battle, unit: Unit) -> bool:
    """t9a:15.G.b  Engaged in flank or rear by a unit of two Full Ranks or more."""
    flanked = [foe for foe, ours, _ in battle.foes(unit) if ours is not Edge.FRONT]
    if flanked:
        battle.cite("t9a:15.G.b")
    return any(battle.full_ranks(foe) >= 2 for foe in flanked)


def penalty(battle: Battle, unit: Unit, margin: int) -> list[psychology.Mod]:
    """t9a:15.G  Discipline is lowered by the difference of the scores, unless Stubborn or Steadfast."""
    if not margin or stubborn(battle, unit) or steadfast(battle, unit):
        return []
    return [(-margin, "lost the combat", "t9a:15.G")]


def tests(battle: Battle, tale: Tale, winners: list[str]) -> Script[list[Unit]]:
    """t9a:15.G  Every unit of the losing side tests, in its owner's order; the Broken flee."""
    if len(winners) > 1:
        return []
    loser = battle.other(winners[0])
    units = beaten(battle, tale, loser)
    testing = [u for u in units if _rolls(battle, u)]
    order = yield from combat_round.chosen_order(battle, loser, testing, "break.order", "t9a:15.G")
    broken: list[Unit] = []
    for unit in (*order, *(u for u in units if u not in testing)):
        if unit.where == "table" and (yield from break_test(battle, unit, tale.margin)):
            broken.append(unit)
    return [u for u in broken if u.where == "table"]


def beaten(battle: Battle, tale: Tale, loser: str) -> list[Unit]:
    """t9a:15.G  The units of the losing side that must test."""
    units = [battle.units[key] for key in tale.units]
    return [u for u in units if u.seat == loser and u.where == "table" and battle.engaged(u)]


def _rolls(battle: Battle, unit: Unit) -> bool:
    """Whether a beaten unit rolls dice: not the Unbreakable, and of the Unstable only the Supernal."""
    if battle.any_has(unit, "unstable"):
        return bool(battle.all_have(unit, "supernal"))
    return not battle.any_has(unit, "unbreakable")


def break_test(battle: Battle, unit: Unit, margin: int) -> Script[bool]:
    """One Break Test; True where the unit is Broken (t9a:21.A.b.23-break)."""
    if battle.any_has(unit, "unstable"):
        yield from crumble(battle, unit, margin)
        return False
    if battle.any_has(unit, "unbreakable"):
        battle.tell("discipline.passed", "t9a:21.A.b.19", (unit.id,), test="break")
        return False
    swing = stats.swing(battle, unit, "Break Test")
    mods = penalty(battle, unit, margin)
    if (yield from psychology.test(battle, unit, "break", "t9a:15.G", mods=mods, swing=swing)):
        return False
    if battle.any_has(unit, "war-machine"):
        battle.cite("t9a:21.A.b.23-break")
        yield from casualties.remove_unit(battle, unit, "t9a:21.A.b.23-break")
        return False
    unit.nerve = unit.nerve.but(fleeing=True, feigned=False)
    battle.tell("unit.broken", "t9a:15.G", (unit.id,))
    yield from objectives.fled(battle, unit)
    battle.cite("t9a:17.C")
    return True


def crumble(battle: Battle, unit: Unit, margin: int) -> Script[None]:
    """t9a:21.A.b.22, t9a:21.A.b.44, t9a:21.A.b.29-crumble  Unstable units lose Health Points instead of testing."""
    if battle.all_have(unit, "supernal"):
        battle.cite("t9a:21.A.b.44")
        mods, swing = penalty(battle, unit, margin), stats.swing(battle, unit, "Break Test")
        if (yield from psychology.test(battle, unit, "break", "t9a:21.A.b.44", mods=mods, swing=swing)):
            return
    lost = margin
    if battle.all_have(unit, "undead"):
        battle.cite("t9a:21.A.b.29-crumble")
        if stubborn(battle, unit):
            lost = math.ceil(lost / 2)
        if steadfast(battle, unit) and lost > 12:
            lost = 12
        if psychology.lenders(battle, unit, "rally-around-the-flag", 12.0):
            battle.cite("t9a:21.A.b.37")
            lost -= battle.rank_bonus(unit) or 1
    if lost <= 0:
        return
    battle.tell("unit.crumbles", "t9a:21.A.b.22", (unit.id,), hp=lost)
    losses = yield from crumbling(battle, unit, lost)
    yield from casualties.lose(battle, losses, rule="t9a:21.A.b.22-order")


class CrumbleShare(Split):
    """t9a:21.A.b.22-order  What each Character loses in all; those who lose one more than the others may be named
    alone.
    """

    __slots__ = ()

    def decode(self, wire: Any) -> Any:
        least = {key: low for key, (low, _) in self.limits.items()}
        odd = self.total - sum(least.values())
        if isinstance(wire, dict) and all(type(n) is int for n in wire.values()) and sum(wire.values()) == odd:
            wire = {key: wire.get(key, 0) + least.get(key, 0) for key in dict.fromkeys((*wire, *least))}
        return super().decode(wire)


@cites
def crumbling(battle: Battle, unit: Unit, lost: int) -> Script[list[Loss]]:
    """t9a:21.A.b.22-order
    Rank-and-File first, then the Champion, then Characters as evenly as possible, by the owner."""
    found: list[Loss] = []
    for pool in battle.pools(unit):
        if pool in battle.models and battle.models[pool].role == "character":
            continue
        if pool == unit.command.champion:
            continue
        take = min(lost, battle.pool_hp(pool))
        lost -= take
        if take:
            found.append(Loss(pool, take))
    if unit.command.champion and lost:
        take = min(lost, battle.pool_hp(unit.command.champion))
        lost -= take
        found.append(Loss(unit.command.champion, take))
    shares = {m.id: 0 for m in battle.characters(unit)}
    while lost and (alive := [k for k in shares if shares[k] < battle.pool_hp(k)]):
        if lost < len(alive):
            shares = yield CrumbleShare(
                unit.seat,
                "crumble.share",
                [option(k, about=(k,)) for k in shares],
                sum(shares.values()) + lost,
                limits={k: (n, n + 1 if k in alive else n) for k, n in shares.items()},
                rule="t9a:21.A.b.22-order",
                about=(unit.id,),
            )
            break
        shares = {k: n + (k in alive) for k, n in shares.items()}
        lost -= len(alive)
    return found + [Loss(k, n) for k, n in shares.items() if n]


# ---------------------------------------------------------------------- pursuit declared


def declare_pursuits(battle: Battle, tale: Tale, broken: list[Unit]) -> Script[dict[str, str | None]]:
    """t9a:15.H, t9a:15.H-eligible, t9a:15.H-restrain
    Who pursues whom; who does not want to must restrain itself. None:
    restrained.
    """
    found: dict[str, str | None] = {}
    lost = [u.id for u in broken]
    if not broken:
        return found
    battle.cite("t9a:15.H")
    for seat in (battle.active, battle.reactive):
        for unit in [battle.units[k] for k in tale.units]:
            if unit.seat != seat or unit.where != "table" or unit.nerve.fleeing or not battle.engaged(unit):
                continue
            goals = [foe.id for foe, _, _ in battle.foes(unit) if foe.id in lost]
            if not goals:
                continue
            if not _eligible(battle, unit, lost):
                battle.cite("t9a:15.H-eligible")
                continue
            found[unit.id] = yield from _decision(battle, unit, goals)
    return found


def _eligible(battle: Battle, unit: Unit, lost: list[str]) -> bool:
    """t9a:15.H-eligible  Not engaged with an unbroken enemy, not Shaken, no War Machine."""
    if any(foe.id not in lost for foe, _, _ in battle.foes(unit)):
        return False
    if battle.is_shaken(unit):
        battle.cite("t9a:17.B")
        return False
    return not battle.any_has(unit, "war-machine")


def _decision(battle: Battle, unit: Unit, goals: list[str]) -> Script[str | None]:
    """t9a:15.H-restrain  Pursue one of them, or try to restrain pursuit."""
    picked = yield Pick(
        unit.seat,
        "pursuit.declare",
        [option(g, about=(g,)) for g in goals],
        optional=True,
        rule="t9a:15.H",
        about=(unit.id,),
    )
    if picked is not None:
        return str(picked)
    swing = stats.swing(battle, unit, "Restrain Pursuit Test")
    if battle.any_has(unit, "frenzy"):
        battle.cite("t9a:21.A.b.27")
        swing += 1
    if (yield from psychology.test(battle, unit, "restrain", "t9a:15.H-restrain", swing=swing)):
        return None
    battle.tell("pursuit.unrestrained", "t9a:15.H-restrain", (unit.id,))
    if len(goals) == 1:
        return goals[0]
    forced = yield Pick(
        unit.seat, "pursuit.forced", [option(g, about=(g,)) for g in goals], rule="t9a:15.H-restrain", about=(unit.id,)
    )
    return str(forced)


def directions(battle: Battle, broken: list[Unit]) -> Script[dict[str, float]]:
    """t9a:15.H-direction, t9a:15.H.b, t9a:21.A.b.23-round  The way each Broken unit will flee."""
    found: dict[str, float] = {}
    for unit in broken:
        foes = battle.foes(unit)
        if not foes:
            near = nearest_enemy(battle, unit)
            found[unit.id] = (
                facing_away(battle.block(unit), battle.block(near[0])) if near else battle.block(unit).facing
            )
            continue
        foe, _, theirs = foes[0]
        if len(foes) > 1:
            key = yield Pick(
                battle.other(unit.seat),
                "flee.direction",
                [option(f.id, about=(f.id,)) for f, _, _ in foes],
                rule="t9a:15.H-direction",
                about=(unit.id,),
            )
            foe, _ours, theirs = next(f for f in foes if f[0].id == key)
        block, other = battle.block(unit), battle.block(foe)
        battle.cite("t9a:15.H-direction")
        if other.is_round:
            battle.cite("t9a:21.A.b.23-round")
            found[unit.id] = (block.facing + 180.0) % 360.0
        else:
            found[unit.id] = other.boundary.outward(theirs)
    return found
