"""ades:4.2.5  Shots: who may shoot at whom, how hard it is, and what a hit does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import msgspec

from grognard.games.ades import astray, checks, cover, damage, hidden, points, sight, stats, steps
from grognard.games.ades.battle import Battle
from grognard.games.ades.checks import Shift
from grognard.games.ades.damage import Source
from grognard.games.ades.forces import Fighter, Thing
from grognard.games.ades.profiles import Ranged
from grognard.games.ades.salvo import Salvo
from grognard.games.ades.sight import PARTIAL, View
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.questions import Note, Pick, Script, option
from grognard.kernel.tally import Tally

SHOT = "ades:4.2.5.2-procedure"
RANGE = "ades:4.2.5.2-difficulty"
CONDITIONS = "ades:4.2.5.1"
MODIFIERS = "ades:4.2.5.3"
#: ades:4.2.5.2-difficulty  Difficulty by how many times the range is needed.
BANDS = (0, 3, 7)
T = TypeVar("T", Fighter, Thing)


class Gun(msgspec.Struct, frozen=True):
    """A weapon in somebody's hands: who fires, what, from where, and what the crew adds."""

    shooter: Fighter
    weapon: Ranged
    machine: Thing | None = None
    shifts: tuple[Shift, ...] = ()
    plus: tuple[Shift, ...] = ()  # changes to TIR itself
    aim: str = ""  # ades:4.2.5.5-aimed  "", "TIR" or "FOR"
    assault: bool = False


def small_arms(fighter: Fighter) -> list[Ranged]:
    return [w for w in fighter.profile.weapons if not w.artillery]


def artillery(fighter: Fighter) -> list[Ranged]:
    return [w for w in fighter.profile.weapons if w.artillery] if not fighter.profile.machine else []


def may_shoot(battle: Battle, fighter: Fighter, weapons: list[Ranged]) -> Refusal | None:
    """ades:4.2.5.1  Free of enemies, with a ranged weapon and TIR."""
    facts = {"fighter": fighter.id}
    if not weapons:
        return Refusal("refuse.no-weapon", CONDITIONS, facts, ("ades:13.1-arme-de-tir",))
    if not stats.has_stat(battle, fighter, "TIR"):
        return Refusal("refuse.no-tir", CONDITIONS, facts, ("ades:1.1.2.2-tir",))
    if not battle.free(fighter):
        return Refusal("refuse.not-free", CONDITIONS, facts, ("ades:1.1.13-free", "ades:1.1.13-contact"))
    return None


def distance(battle: Battle, gun: Gun, target: Fighter | Thing) -> float:
    """ades:1.1.15, 10.3-fire  From the base of the shooter, in mm.

    Ruling: of the war weapon, if it fires one.
    """
    battle.cite("ades:1.1.15")
    body = gun.machine.body if gun.machine is not None else gun.shooter.body
    return battle.bodies.gap(body, target.body) if isinstance(target, Fighter) else battle.body_to_thing(body, target)


def difficulty(battle: Battle, weapon: Ranged, far: float) -> int | None:
    """ades:4.2.5.2-difficulty  0, 3 or 7 by full ranges; None beyond three."""
    battle.cite(RANGE)
    for times, hard in enumerate(BANDS, 1):
        if far <= cm(weapon.range) * times + TOUCH:
            return hard
    return None


def target_refusal(battle: Battle, gun: Gun, target: Fighter) -> Refusal | None:
    """ades:4.2.5.1, 7.6  In view and not two levels apart; however far, for beyond three ranges a shot only misses."""
    facts = {"target": target.id, "fighter": gun.shooter.id}
    if target.hidden:
        if "ades:13.2-eclaireur-hidden" not in battle.cited:
            battle.cite("ades:13.2-eclaireur-hidden")
        return Refusal("refuse.hidden", "ades:13.2-eclaireur-hidden", facts)
    if abs(battle.pose(target).level - battle.pose(gun.shooter).level) > 1:
        return Refusal("refuse.two-levels", "ades:7.6", facts, ("ades:7.5", MODIFIERS))
    if not sight.sees(battle, gun.shooter, target, shooting=True):
        return Refusal("refuse.unseen", CONDITIONS, facts | {"other": target.id}, (*sight.UNSEEN, SHOT))
    if gun.aim and battle.foes_of(target):
        return Refusal("refuse.aimed-melee", "ades:4.2.5.5-aimed", facts)
    return None


def targets(battle: Battle, guns: list[Gun]) -> tuple[list[Fighter], dict[str, Refusal]]:
    """Whom all of a group can shoot at, and why not the others."""
    return sifted(guns, battle.enemies(guns[0].shooter), lambda gun, target: target_refusal(battle, gun, target))


def sifted(
    guns: Sequence[Gun], marks: Iterable[T], refuse: Callable[[Gun, T], Refusal | None]
) -> tuple[list[T], dict[str, Refusal]]:
    """What nobody of a group is refused, and why not the others."""
    found, barred = [], {}
    for mark in marks:
        refusal = next((r for gun in guns if (r := refuse(gun, mark)) is not None), None)
        if refusal is None:
            found.append(mark)
        else:
            barred[mark.id] = refusal
    return found, barred


# ---------------------------------------------------------------------- to hit


def columns(battle: Battle, gun: Gun, target: Fighter, view: View) -> list[Shift]:
    """ades:4.2.5.3  What the view, the target's size and its level shift, in columns to the right."""
    found = seen_columns(battle, gun, view)
    if target.profile.pui > 1:
        found.append((target.profile.pui - 1, "large target", MODIFIERS))
    levels = abs(battle.pose(target).level - battle.pose(gun.shooter).level)
    if levels:
        found.append((-levels, "level", "ades:7.6"))
        battle.cite(MODIFIERS)
    if target.dodging:
        found.append((-1, "dodge", "ades:4.2.4.1-dodge"))
    return found


def seen_columns(battle: Battle, gun: Gun, view: View) -> list[Shift]:
    """ades:4.2.5.3, 13.2-tir-instinctif-cover  What the gun brings, and what the view shifts."""
    found: list[Shift] = list(gun.shifts)
    hiding = (view.degree == PARTIAL) + (view.degree == PARTIAL and view.close)
    if battle.has(gun.shooter, "tir-instinctif"):
        battle.cite("ades:13.2-tir-instinctif-cover")
        hiding = max(0, hiding - 1)
    if hiding:
        found.append((-hiding, "partial view", MODIFIERS))
    return found


def to_hit(battle: Battle, gun: Gun, target: Fighter, view: View, more: tuple[Shift, ...] = ()) -> steps.Test:
    """ades:4.2.5.2-procedure  The TIR test against the difficulty of the range."""
    hard = 2 if gun.assault else difficulty(battle, gun.weapon, distance(battle, gun, target))
    value = stats.stat(battle, gun.shooter, "TIR")
    for amount, what, rule in gun.plus:
        value.add(amount, what, rule)
    against = Tally(BANDS[-1] if hard is None else hard, "range", "ades:13.2-tir-dassaut" if gun.assault else RANGE)
    shifts = [*columns(battle, gun, target, view), *more]
    lent = "aimed" if gun.aim == "TIR" else ""
    test = checks.make(battle, "shot", SHOT, gun.shooter, "TIR", value, against, foe=target, shifts=shifts, lent=lent)
    return test if hard is not None else too_far(test)


def too_far(test: steps.Test) -> steps.Test:
    """ades:4.2.5.2-difficulty  Beyond three ranges a shot fails without a die, whatever else speaks for it."""
    return msgspec.structs.replace(test, need=Tally(steps.NEVER, "beyond three ranges", RANGE))


def fire(
    battle: Battle, gun: Gun, target: Fighter, view: View, group: list[Fighter], sheltered: bool | None = None,
    salvo: Salvo | None = None,
) -> Script[bool]:  # fmt: skip
    """ades:4.2.5.2-procedure, 5.3.2.6  One shot: cover, the test, whom it hits, the damage. Whether it hit.

    `sheltered`: whether the target has taken cover from all the shots of a group at once; `salvo`: those shots.
    """
    covered = bool(sheltered)
    if sheltered is None:
        covered = yield from cover.take_cover(battle, gun.shooter, target, assault=gun.assault)
    more: tuple[Shift, ...] = ((-1, "cover", "ades:5.3.2.6"),) if covered else ()
    yield from points.offer(battle, gun.shooter, ("TIR",), "test")
    test = to_hit(battle, gun, target, view, more)
    battle.cite("ades:1.1.3-test", "ades:13.1-arme-de-tir", CONDITIONS, "ades:1.1.14-target")
    done = yield from steps.attempt(test)
    checks.settle(battle, gun.shooter, done)
    battle.tell("shot.hit" if done.passed else "shot.missed", SHOT, (gun.shooter.id, target.id), weapon=gun.weapon.name)
    if done.passed:
        struck = yield from astray.distribute(battle, gun, target, group)
        yield from wound(battle, gun, struck, gun.weapon.force, more, salvo=salvo)
    if covered and sheltered is None and target.alive:
        yield from cover.dodge_away(battle, target)
    return done.passed


def wound(
    battle: Battle, gun: Gun, target: Fighter, force: float, more: tuple[Shift, ...] = (), rule: str = SHOT,
    salvo: Salvo | None = None,
) -> Script[None]:  # fmt: skip
    """ades:4.2.5.2-procedure, 4.2.4.1-dodge  The weapon's FOR, which no wound of the shooter lessens, against RES."""
    shifts = more
    if target.dodging:
        shifts = (*shifts, (-1, "dodge", "ades:4.2.4.1-dodge"))
    how = Source(shot=True, attack=True, aimed=gun.aim == "FOR", shifts=shifts)
    power, alone = strength(gun, force), salvo is None
    hurt = yield from damage.strike(battle, target, power, how, rule, by=gun.shooter, apply=alone)
    if salvo is not None:
        salvo.add(target, hurt.lost, how, gun.shooter, rule)


def strength(gun: Gun, force: float) -> Tally:
    """ades:13.1-arme-de-tir, 13.1-vapeur-distribution  FOR of a shot, with the points put into it."""
    total = Tally(force, gun.weapon.name, "ades:13.1-arme-de-tir")
    for stat, count, why in gun.shooter.points if gun.machine is None else ():
        if stat == points.SHOT:
            total.add(count, "points", why)
    return total


# ---------------------------------------------------------------------- the actions


def weapon_for(battle: Battle, fighter: Fighter, weapons: list[Ranged]) -> Script[Ranged]:
    """ades:4.2.5.2-procedure  First the weapon."""
    if len(weapons) == 1:
        return weapons[0]
    chosen: Ranged = yield Pick(
        battle.chooser(fighter), "shot.weapon", [option(w.name, w, text="option.weapon", data={"weapon": w.name})
        for w in weapons], rule=SHOT, about=(fighter.id,),
    )  # fmt: skip
    return chosen


def shoot(battle: Battle, group: list[Fighter], *, aimed: bool = False) -> Script[str]:
    """ades:4.2.5.5-shot, 4.2.5.5-aimed, 13.2-rechargement-rapide  Everybody of a group shoots at one target."""
    rule = "ades:4.2.5.5-aimed" if aimed else "ades:4.2.5.5-shot"
    guns = []
    for fighter in group:
        weapon = yield from weapon_for(battle, fighter, small_arms(fighter))
        aim = ""
        if aimed:
            aim = yield Pick(
                battle.chooser(fighter), "shot.aim", [option("TIR", text="option.aim-tir"),
                option("FOR", text="option.aim-for")], rule=rule, about=(fighter.id,),
            )  # fmt: skip
        guns.append(Gun(fighter, weapon, aim=aim))
    target = yield from aim_at(battle, guns)
    if target is None:
        return "held"
    battle.cite(rule)
    yield from vigil(battle, group, target)
    if len(guns) == 1 or isinstance(target, Thing):
        for gun in guns:
            yield from volley(battle, gun, target, group)
        return "done"
    battle.cite("ades:4.2.2-group")
    sheltered = yield from cover.take_cover(battle, group[0], target)
    salvo = Salvo()
    for gun in guns:
        yield from volley(battle, gun, target, group, sheltered, salvo)
    yield from salvo.settle(battle)
    if sheltered and target.alive:
        yield from cover.dodge_away(battle, target)
    return "done"


def aim_at(battle: Battle, guns: list[Gun], instead: Fighter | Thing | None = None) -> Script[Fighter | Thing | None]:
    """ades:4.2.5.2-procedure, 9.2.6-stats  Whom or what a group shoots at; for a second shot, `instead` of whom."""
    from grognard.games.ades import battering

    found, barred = targets(battle, guns)
    things, closed = battering.shot_targets(battle, guns)
    marks: list[Fighter | Thing] = [*found]
    marks.extend(things)
    chosen: Fighter | Thing | None = yield Pick(
        battle.chooser(guns[0].shooter), "shot.target" if instead is None else "shot.second",
        [option(e.id, e, about=(e.id,)) for e in marks if e is not instead], optional=True,
        barred=barred | closed, rule=SHOT, about=tuple(g.shooter.id for g in guns),
        data={"weapon": guns[0].weapon.name, "aim": guns[0].aim, "who": [g.shooter.id for g in guns]},
    )  # fmt: skip
    return chosen


def vigil(battle: Battle, group: Sequence[Fighter], target: Fighter | Thing | None = None) -> Script[None]:
    """ades:5.3.2.4-react  Vigilant enemies may act before a shot; they know who is aimed at, if it is anybody."""
    from grognard.games.ades import reactions

    who = [fighter.id for fighter in group]
    doing = (
        Note("note.announced-act", {"who": who, "action": "act.artillery"}) if target is None
        else Note("note.announced-shot", {"who": who, "target": target.id})
    )  # fmt: skip
    yield from reactions.vigilance(battle, group[0], (doing,))


def reloaded(battle: Battle, gun: Gun) -> Script[tuple[int, Gun]]:
    """ades:13.2-rechargement-rapide  How often a shot is made, and how: twice with the malus, and nothing else then."""
    fighter = gun.shooter
    reload = battle.number(fighter, "rechargement-rapide")
    others = ("walk", "run", "disengage", "cast", "seize", "trap", "breath", "shoot", "artillery", "harassing")
    if not battle.has(fighter, "rechargement-rapide"):
        return 1, gun
    rule = "ades:13.2-rechargement-rapide"
    late = Refusal("refuse.reload-late", rule, {"fighter": fighter.id}) if battle.said(fighter, *others) else None
    twice = yield Pick(
        battle.chooser(fighter), "shot.reload", [option("twice", text="option.reload")] if late is None else [],
        barred={} if late is None else {"twice": late}, optional=True, rule=rule, about=(fighter.id,),
        data={"malus": reload},
    )  # fmt: skip
    if twice is None:
        return 1, gun
    fighter.done = (*fighter.done, "reload")
    malus = (-reload, "fast reload", "ades:13.2-rechargement-rapide")
    return 2, msgspec.structs.replace(gun, plus=(*gun.plus, malus))


def volley(
    battle: Battle, gun: Gun, target: Fighter | Thing, group: list[Fighter], sheltered: bool | None = None,
    salvo: Salvo | None = None,
) -> Script[None]:  # fmt: skip
    """ades:13.2-rechargement-rapide  One shot, or two and no other action.

    Ruling: the malus is on both; alone, one may turn the second on another target.
    """
    fighter = gun.shooter
    shots, gun = yield from reloaded(battle, gun)
    for number in range(shots):
        if not fighter.alive or not battle.free(fighter):
            break
        if number and len(group) == 1:
            target = (yield from aim_at(battle, [gun], target)) or target
        yield from once(battle, gun, target, group, sheltered, salvo)
    hidden.reveal(battle, fighter)


def once(
    battle: Battle, gun: Gun, target: Fighter | Thing, group: list[Fighter], sheltered: bool | None,
    salvo: Salvo | None = None,
) -> Script[None]:  # fmt: skip
    """One shot of an action, if there is still something to shoot at."""
    from grognard.games.ades import battering

    if isinstance(target, Thing):
        if target.alive:
            yield from battering.fire(battle, gun, target)
        return
    if not target.alive or not target.on_table:
        return
    view = sight.view(battle, gun.shooter, target, shooting=True)
    if not view.seen:
        battle.tell("shot.lost", CONDITIONS, (gun.shooter.id, target.id))
        return
    yield from fire(battle, gun, target, view, group, sheltered, salvo)


def assault_shot(
    battle: Battle, fighter: Fighter, seen: dict[str, View], group: list[Fighter], salvo: Salvo | None
) -> Script[None]:
    """ades:13.2-tir-dassaut  In contact, at difficulty 2. Ruling: view and freedom are judged before the move."""
    battle.cite("ades:13.2-tir-dassaut", RANGE)
    weapon = yield from weapon_for(battle, fighter, small_arms(fighter))
    met = [f for f in battle.foes_of(fighter) if f.id in seen]
    target = met[0]
    if len(met) > 1:
        target = yield Pick(
            battle.chooser(fighter), "shot.target", [option(f.id, f, about=(f.id,)) for f in met],
            rule="ades:13.2-tir-dassaut", about=(fighter.id,), data={"who": fighter.id},
        )  # fmt: skip
    yield from fire(battle, Gun(fighter, weapon, assault=True), target, seen[target.id], group, salvo=salvo)
