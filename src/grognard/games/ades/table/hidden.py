"""ades:13.2-eclaireur  Scouts: hidden after deployment, and what gives them away."""

from __future__ import annotations

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter, Thing
from grognard.kernel.geometry.units import TOUCH, cm


def distance(fighter: Fighter) -> float:
    """ades:13.2-eclaireur  (PUI + 1) x 5 cm, in mm."""
    return cm(5) * (fighter.profile.pui + 1)


def hide(battle: Battle) -> None:
    """ades:13.2-eclaireur, ades:9.2.2-hidden
    At the end of deployment, scouts far enough from every enemy are hidden."""
    for fighter in battle.on_table():
        if not battle.has(fighter, "eclaireur"):
            continue
        far = distance(fighter)
        near = any(battle.gap(fighter, e) <= far + TOUCH for e in battle.enemies(fighter))
        carries = any(t.bearer == fighter.id for t in battle.things.values())
        if not near and not carries:
            fighter.hidden = True
            battle.tell("hidden", "ades:13.2-eclaireur", (fighter.id,))


def reveal(battle: Battle, fighter: Fighter, rule: str = "ades:13.2-eclaireur-reveal") -> None:
    """ades:13.2-eclaireur-reveal  Never hidden again."""
    if fighter.hidden:
        fighter.hidden = False
        battle.tell("revealed", rule, (fighter.id,))


def untouched(battle: Battle, fighter: Fighter, seat: str) -> bool:
    """ades:13.2-eclaireur-hidden  Whether nothing an enemy of this seat declares now can touch a hidden fighter."""
    if not fighter.hidden or fighter.seat == seat:
        return False
    battle.cite("ades:13.2-eclaireur-hidden")
    return True


def after_speech(battle: Battle, ended: tuple[str, ...]) -> None:
    """ades:13.2-eclaireur-reveal, ades:13.2-conscience-scouts  Found by enemies who ended their activation close by."""
    seekers = [battle.fighters[key] for key in ended if battle.fighters[key].on_table]
    for fighter in list(battle.on_table()):
        if not fighter.hidden:
            continue
        for enemy in seekers:
            if enemy.seat != fighter.seat and battle.gap(enemy, fighter) <= _found(battle, enemy, distance(fighter)):
                reveal(battle, fighter)
                break
    for trap in battle.things_of("trap"):
        _find_trap(battle, trap, seekers)


def _found(battle: Battle, enemy: Fighter, far: float) -> float:
    """ades:13.2-conscience-scouts  Awareness finds at 20 cm."""
    if battle.has(enemy, "conscience") and far < cm(20):
        battle.cite("ades:13.2-conscience-scouts")
        far = cm(20)
    return far + TOUCH


def _find_trap(battle: Battle, trap: Thing, seekers: list[Fighter]) -> None:
    """ades:13.2-poseur-de-pieges  A trap is hidden (PUI 0) until an enemy ends its activation within 5 cm."""
    if not trap.scored:
        for enemy in seekers:
            if enemy.seat != trap.seat and battle.gap_to_thing(enemy, trap) <= cm(5) + TOUCH:
                trap.scored = "found"
                battle.tell("trap.found", "ades:13.2-poseur-de-pieges", (enemy.id, trap.id))
                return
