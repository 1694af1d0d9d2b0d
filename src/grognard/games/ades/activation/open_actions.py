"""ades:4.2.2-actions  Which actions are open to a fighter from where it stands, and why not the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

import msgspec

from grognard.games.ades.assault import assault
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.machines import machines, transports
from grognard.games.ades.movement import disengage
from grognard.games.ades.mystics import casting, devices, nexus, powers
from grognard.games.ades.rolls import stats
from grognard.games.ades.scenarios import tokens
from grognard.games.ades.shooting import battering, shot_numbers
from grognard.games.ades.tactics import tactics
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import cm

NOT_HERE = Refusal("", "ades:4.2.2-actions")


def possible(battle: Battle, group: list[Fighter], kind: str) -> Refusal | None:
    """Whether an action can be done at all from here; a refusal without a code is not worth telling."""
    return next((r for f in group if (r := OPEN[kind](battle, f, group)) is not None), None)


def _walk(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    return _afoot(battle, fighter, "ades:4.2.4.1-walk")


def _run(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    return _afoot(battle, fighter, "ades:4.2.4.1-run")


def _dodge(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    return _afoot(battle, fighter, "ades:4.2.4.1-dodge")


def _afoot(battle: Battle, fighter: Fighter, rule: str) -> Refusal | None:
    """ades:4.2.4.1-friend-contact  Able to walk and free: friends in contact hold nobody."""
    if stats.value(battle, fighter, "MOU") <= 0:
        return NOT_HERE
    if not battle.free(fighter):
        return Refusal("refuse.not-free", rule, {"fighter": fighter.id}, ("ades:1.1.13-free", "ades:1.1.13-contact"))
    if battle.contacts(fighter):
        battle.cite("ades:4.2.4.1-friend-contact", "ades:1.1.13-contact")
    return None


def _charge(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    return _assault(battle, fighter, "charge", group)


def _engage(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    return _assault(battle, fighter, "engage", group)


def _assault(battle: Battle, fighter: Fighter, kind: str, group: list[Fighter]) -> Refusal | None:
    if not battle.free(fighter):
        return Refusal("refuse.not-free", assault.RULES[kind], {"fighter": fighter.id}, ("ades:1.1.13-free",))
    if fighter is not group[-1]:
        return None
    far = assault.crow(battle, fighter, kind) + 1.0
    moods = tuple((f.id, f.effort.points, f.activation.level_changed, f.activation.leaps) for f in group)
    lurking = sum(f.hidden for f in battle.fighters.values())
    key = ("assault", battle.bodies.version, id(battle.table), kind, far, moods, lurking, battle.effects)
    known: dict[object, tuple[str, ...] | None] = battle._memo.setdefault("assaults", {})
    if key not in known:
        if len(known) > 64:
            known.clear()
        gaps = battle.bodies.gaps_from(fighter.body)
        near = [f for f in battle.enemies(fighter) if gaps[f.body] <= far]
        known[key] = _why(assault._refused(battle, group, t, kind, (), None) for t in near)
    why = known[key]
    if why is None:
        return None
    return Refusal(
        "refuse.nobody", "ades:4.2.4.2-infeasible", {"fighter": fighter.id}, (assault.RULES[kind], "ades:1.1.16", *why)
    )


def _why(refusals: Iterable[Refusal | None]) -> tuple[str, ...] | None:
    """By which rules everybody is out of question; None as soon as somebody is not."""
    found: dict[str, None] = {}
    for refusal in refusals:
        if refusal is None:
            return None
        found.update(dict.fromkeys(refusal.rules))
    return tuple(found)


def _leave(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    """ades:4.2.4.1-disengage  In contact, and not the victim of an assault (Ruling: this turn)."""
    facts = {"fighter": fighter.id}
    if battle.free(fighter):
        return Refusal("refuse.nobody-near", disengage.RULE, facts, ("ades:4.2.4.2-disengage-assault",))
    if fighter.assault.assaulted:
        return Refusal("refuse.assaulted", disengage.RULE, facts, ("ades:4.2.4.2-disengage-assault",))
    return None


def _leave_assault(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    refusal = _leave(battle, fighter, group)
    if refusal is not None:
        return refusal
    through = tuple(f.id for f in battle.foes_of(fighter))
    found = any(
        f.id not in through and assault.reaches(battle, fighter, f, "disengage-assault", through)
        for f in battle.enemies(fighter)
    )
    return None if found else NOT_HERE


def _shoot(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    refusal = shot_numbers.may_shoot(battle, fighter, shot_numbers.small_arms(fighter))
    if refusal is not None:
        return msgspec.structs.replace(refusal, also=(*refusal.also, "ades:4.2.5.5-shot"))
    guns = [shot_numbers.Gun(fighter, w) for w in shot_numbers.small_arms(fighter)]
    why = _no_target(battle, fighter, guns)
    return None if why is None else Refusal("refuse.no-target", "ades:4.2.5.1", {"fighter": fighter.id}, why)


def _no_target(battle: Battle, fighter: Fighter, guns: list[shot_numbers.Gun]) -> tuple[str, ...] | None:
    """By which rules there is nothing to shoot at; None if there is."""
    enemies = (shot_numbers.target_refusal(battle, g, t) for g in guns for t in battle.enemies(fighter))
    scenery = (battering.shot_refusal(battle, g, t) for g in guns for t in battering.things(battle, fighter))
    return _why(chain(enemies, scenery))


def _aim(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    if not fighter.profile.weapons:
        return NOT_HERE
    refusal = _shoot(battle, fighter, group)
    if refusal is not None:
        return msgspec.structs.replace(refusal, also=(*refusal.also, "ades:4.2.5.5-aimed"))
    guns = [shot_numbers.Gun(fighter, w, aim="TIR") for w in shot_numbers.small_arms(fighter)]
    if _no_target(battle, fighter, guns) is None:
        return None
    return Refusal("refuse.aimed-melee", "ades:4.2.5.5-aimed", {"fighter": fighter.id, "target": ""})


def _cannon(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    weapons = shot_numbers.artillery(fighter)
    return NOT_HERE if not weapons else shot_numbers.may_shoot(battle, fighter, weapons)


def _harass(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    """ades:13.2-harcelement"""
    if not battle.has(fighter, "harcelement"):
        return NOT_HERE
    refusal = shot_numbers.may_shoot(battle, fighter, shot_numbers.small_arms(fighter))
    if refusal is None:
        return None
    return msgspec.structs.replace(refusal, also=(*refusal.also, "ades:13.2-harcelement"))


def _force(kind: str) -> Callable[[Battle, Fighter, list[Fighter]], Refusal | None]:
    def possible(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
        if fighter.seat not in battle.sides:
            return NOT_HERE
        refusal = tactics.refusal(battle, fighter.seat, "force") or tactics.fit(battle, fighter)
        if refusal is not None:
            return refusal if kind == "run" else NOT_HERE
        if not battle.free(fighter):
            return NOT_HERE
        far = 2 * cm(stats.value(battle, fighter, "MOU"))
        near = [f for f in battle.enemies(fighter) if battle.gap(fighter, f) <= far and not f.hidden]
        if len(near) < (1 if kind == "run" else 2):
            return NOT_HERE
        if kind == "run":
            return None
        through = tuple(f.id for f in battle.enemies(fighter))
        found, _ = assault.targets(battle, [fighter], kind, through)
        return None if found else NOT_HERE

    return possible


Open = Callable[[Battle, Fighter, list[Fighter]], Refusal | None]
OPEN: dict[str, Open] = {
    "walk": _walk,
    "run": _run,
    "charge": _charge,
    "engage": _engage,
    "dodge": _dodge,
    "disengage": _leave,
    "disengage-assault": _leave_assault,
    "shoot": _shoot,
    "aim": _aim,
    "artillery": _cannon,
    "harass": _harass,
    "force-run": _force("run"),
    "force-charge": _force("charge"),
    "force-engage": _force("engage"),
    "cast": casting.possible,
    "seize": tokens.possible,
    "seize-complex": tokens.possible_complex,
    "trap": devices.may_lay,
    "breath": devices.may_breathe,
    "steam": devices.may_steam,
    "spend": devices.may_spend,
    "drop": tokens.may_drop,
    "nexus": nexus.possible,
    "gift": powers.may_give,
    "cry": powers.may_cry,
    "power": powers.possible,
    "fire-machine": machines.may_fire,
    "move-machine": machines.may_move,
    "disembark": transports.may_disembark,
}
