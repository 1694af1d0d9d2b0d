"""Chapter 4.3.4.3  Pursuits after a combat, and the combats they start."""

from __future__ import annotations

import math

from grognard.games.ades.assault import assault
from grognard.games.ades.battle import Battle
from grognard.games.ades.combat import melee
from grognard.games.ades.forces import Combat, Fighter
from grognard.games.ades.movement import movement
from grognard.games.ades.rolls import stats
from grognard.games.ades.scenarios import game_end
from grognard.games.ades.table import ground
from grognard.kernel.geometry.units import cm
from grognard.kernel.questions import Pick, Script, option

PURSUIT = "ades:4.3.4.3-pursuit"


def potential(battle: Battle, fighter: Fighter) -> float:
    """ades:4.3.4.3-pursuit, ades:1.1.12  Half the MOU, rounded up to the half centimetre, in cm."""
    mou = stats.value(battle, fighter, "MOU")
    return math.ceil(round(mou, 6)) / 2


def able(battle: Battle, fighter: Fighter) -> bool:
    """ades:4.3.4.3-pursuit, ades:13.2-implacable
    Free again; once a phase, and X times more. Ruling: not while routed."""
    if fighter.on_table:
        battle.cite(PURSUIT)
    if fighter.fear.routed and not battle.house["routed_pursuit"]:
        return False
    if not fighter.on_table or not battle.free(fighter) or fighter.seat not in battle.seats:
        return False
    times = 1
    if battle.has(fighter, "implacable"):
        times += battle.number(fighter, "implacable")
    if fighter.melee.pursuits >= 1 and fighter.melee.pursuits < times:
        battle.cite("ades:13.2-implacable")
    return fighter.melee.pursuits < times and stats.value(battle, fighter, "MOU") > 0


def after(battle: Battle, combat: Combat) -> Script[None]:
    """ades:4.3.4.3-order  Whoever has nobody left before it may pursue; the speaker orders them."""
    asked: list[str] = []
    charged = {key: battle.fighters[key].assault.charger for key in combat.everyone}
    for key in combat.everyone:
        battle.fighters[key].assault = battle.fighters[key].assault.but(charger=False)
    due: list[tuple[Fighter, bool]] = []
    while not game_end.out_of_time(battle):
        ready = [battle.fighters[k] for k in combat.everyone if k not in asked and able(battle, battle.fighters[k])]
        if not ready:
            break
        chosen = yield from _first(battle, ready, "pursuit.order")
        asked.append(chosen.id)
        if (yield from pursue(battle, chosen)):
            due.append((chosen, charged.get(chosen.id, False)))
    while due:
        fighter = yield from _first(battle, [f for f, _ in due], "pursuit.combats")
        had_charged = next(flag for f, flag in due if f is fighter)
        due = [(f, flag) for f, flag in due if f is not fighter]
        yield from _at_once(battle, fighter, had_charged)


def _first(battle: Battle, ready: list[Fighter], name: str) -> Script[Fighter]:
    """ades:4.3.4.3-order  The player whose speech turn it is orders pursuits, and the combats they lead to."""
    if len(ready) == 1:
        return ready[0]
    chosen: Fighter = yield Pick(
        battle.speaker, name, [option(f.id, f, about=(f.id,)) for f in ready], rule="ades:4.3.4.3-order"
    )
    return chosen


def pursue(battle: Battle, fighter: Fighter) -> Script[bool]:
    """ades:4.3.4.3-pursuit  A walk or an engagement of half the MOU; whether it met somebody who has yet to fight."""
    far = cm(potential(battle, fighter))
    level = battle.pose(fighter).level
    reach = ((level, far),)
    fighter.activation = fighter.activation.but(leaps=0, level_changed=True)
    found, barred = assault.targets(battle, [fighter], "pursuit", (), reach)
    options = [option("walk", text="act.walk")]
    options += [option(f"engage:{f.id}", f, text="option.engage", about=(f.id,), data={"target": f.id}) for f in found]
    chosen = yield Pick(
        fighter.seat, "pursuit", options, optional=True, rule=PURSUIT, about=(fighter.id,), data={"cm": far / cm(1)},
        barred={f"engage:{key}": refusal for key, refusal in barred.items()},
    )  # fmt: skip
    fighter.activation = fighter.activation.but(level_changed=False)
    if chosen is None:
        return False
    fighter.melee = fighter.melee.but(pursuits=fighter.melee.pursuits + 1)
    battle.cite(PURSUIT, "ades:1.1.12")
    if chosen == "walk":
        turns = fighter.profile.poi if fighter.profile.engine else 0.0
        leaps, leap = movement.leaping(battle, fighter, pursuit=True)
        way = ground.Way("pursuit", PURSUIT, reach, leaps=leaps, leap=leap, turns=turns)
        step = yield from movement.ask(battle, fighter, way)
        if step is not None:
            yield from movement.travel(battle, step, way, react=False)
        return False
    battle.cite("ades:4.2.4.2-engage")
    yield from assault.upon(battle, [fighter], "pursuit", chosen, potential=reach)
    if not fighter.alive or battle.free(fighter):
        return False
    if any(not f.melee.fought for f in battle.foes_of(fighter)):
        return True
    battle.tell("pursuit.late", "ades:4.3.4.3-immediate", (fighter.id, chosen.id))
    return False


def _at_once(battle: Battle, fighter: Fighter, charged: bool) -> Script[None]:
    """ades:4.3.4.3-immediate, ades:4.3.4.3-resplit, ades:13.1-for-en-charge-pursuit  The combat a pursuit leads to."""
    if not fighter.alive or all(f.melee.fought for f in battle.foes_of(fighter)):
        return
    bonus = battle.number(fighter, "charge-strength") // 2
    if charged and bonus:
        fighter.assault = fighter.assault.but(charge_force=bonus)
        battle.cite("ades:13.1-for-en-charge-pursuit")
    fighter.melee = fighter.melee.but(fought=False)
    group = next((g for g in melee.melees(battle) if fighter.id in g), None)
    if group is None:
        fighter.melee = fighter.melee.but(fought=True)
        return
    battle.cite("ades:4.3.4.3-resplit", "ades:4.3.4.3-immediate")
    battle.combats = tuple(c for c in battle.combats if not any(key in group for key in c.everyone))
    made = yield from melee.split(battle, group)
    mine = next(c for c in made if fighter.id in c.everyone)
    battle.combats = (*battle.combats, *(c for c in made if c is not mine))
    battle.tell("pursuit.combat", "ades:4.3.4.3-immediate", mine.everyone)
    yield from melee.fight(battle, mine)
