"""Chapter 4.2.5  Shots: the weapon, the target, the test, and what a hit does."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grognard.games.ades.army.profiles import Ranged
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter, Thing
from grognard.games.ades.losses import damage
from grognard.games.ades.losses.damage import Source
from grognard.games.ades.movement import answers
from grognard.games.ades.rolls import characteristic_points, steps, tests
from grognard.games.ades.rolls.tests import Shift
from grognard.games.ades.shooting import battering, shot_numbers, stray_shots
from grognard.games.ades.shooting.shot_numbers import CONDITIONS, RANGE, SHOT, Gun
from grognard.games.ades.shooting.simultaneous_shots import Salvo
from grognard.games.ades.table import hidden, sight
from grognard.games.ades.table.sight import View
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Note, Pick, Script, option


def fire(
    battle: Battle, gun: Gun, target: Fighter, view: View, group: list[Fighter], sheltered: bool | None = None,
    salvo: Salvo | None = None,
) -> Script[bool]:  # fmt: skip
    """ades:4.2.5.2-procedure, ades:5.3.2.6  One shot: cover, the test, whom it hits, the damage. Whether it hit.

    `sheltered`: whether the target has taken cover from all the shots of a group at once; `salvo`: those shots.
    """
    covered = bool(sheltered)
    if sheltered is None:
        covered = yield from answers.take_cover(battle, gun.shooter, target, assault=gun.assault)
    more: tuple[Shift, ...] = ((-1, "cover", "ades:5.3.2.6"),) if covered else ()
    yield from characteristic_points.offer(battle, gun.shooter, ("TIR",), "test")
    test = shot_numbers.to_hit(battle, gun, target, view, more)
    battle.cite("ades:1.1.3-test", "ades:13.1-arme-de-tir", CONDITIONS, "ades:1.1.14-target")
    done = yield from steps.attempt(test)
    tests.settle(battle, gun.shooter, done)
    battle.tell("shot.hit" if done.passed else "shot.missed", SHOT, (gun.shooter.id, target.id), weapon=gun.weapon.name)
    if done.passed:
        struck = yield from stray_shots.distribute(battle, gun, target, group)
        yield from wound(battle, gun, struck, gun.weapon.force, more, salvo=salvo)
    if covered and sheltered is None and target.alive:
        yield from answers.dodge_away(battle, target)
    return done.passed


def wound(
    battle: Battle, gun: Gun, target: Fighter, force: float, more: tuple[Shift, ...] = (), rule: str = SHOT,
    salvo: Salvo | None = None,
) -> Script[None]:  # fmt: skip
    """ades:4.2.5.2-procedure, ades:4.2.4.1-dodge
    The weapon's FOR, which no wound of the shooter lessens, against RES."""
    shifts = more
    if target.stance.dodging:
        shifts = (*shifts, (-1, "dodge", "ades:4.2.4.1-dodge"))
    how = Source(shot=True, attack=True, aimed=gun.aim == "FOR", shifts=shifts)
    power, alone = shot_numbers.strength(gun, force), salvo is None
    hurt = yield from damage.strike(battle, target, power, how, rule, by=gun.shooter, apply=alone)
    if salvo is not None:
        salvo.add(target, hurt.lost, how, gun.shooter, rule)


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
    """ades:4.2.5.5-shot, ades:4.2.5.5-aimed, ades:13.2-rechargement-rapide
    Everybody of a group shoots at one target."""
    rule = "ades:4.2.5.5-aimed" if aimed else "ades:4.2.5.5-shot"
    guns = []
    for fighter in group:
        weapon = yield from weapon_for(battle, fighter, shot_numbers.small_arms(fighter))
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
    sheltered = yield from answers.take_cover(battle, group[0], target)
    salvo = Salvo()
    for gun in guns:
        yield from volley(battle, gun, target, group, sheltered, salvo)
    yield from salvo.settle(battle)
    if sheltered and target.alive:
        yield from answers.dodge_away(battle, target)
    return "done"


def aim_at(battle: Battle, guns: list[Gun], instead: Fighter | Thing | None = None) -> Script[Fighter | Thing | None]:
    """ades:4.2.5.2-procedure, ades:9.2.6-stats
    Whom or what a group shoots at; for a second shot, `instead` of whom."""
    found, barred = shot_numbers.targets(battle, guns)
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
    who = [fighter.id for fighter in group]
    doing = (
        Note("note.announced-act", {"who": who, "action": "act.artillery"}) if target is None
        else Note("note.announced-shot", {"who": who, "target": target.id})
    )  # fmt: skip
    yield from answers.vigilance(battle, group[0], (doing,))


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
    fighter.activation = fighter.activation.but(done=(*fighter.activation.done, "reload"))
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
    weapon = yield from weapon_for(battle, fighter, shot_numbers.small_arms(fighter))
    met = [f for f in battle.foes_of(fighter) if f.id in seen]
    target = met[0]
    if len(met) > 1:
        target = yield Pick(
            battle.chooser(fighter), "shot.target", [option(f.id, f, about=(f.id,)) for f in met],
            rule="ades:13.2-tir-dassaut", about=(fighter.id,), data={"who": fighter.id},
        )  # fmt: skip
    yield from fire(battle, Gun(fighter, weapon, assault=True), target, seen[target.id], group, salvo=salvo)
