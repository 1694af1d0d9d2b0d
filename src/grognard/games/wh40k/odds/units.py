"""Chapters 6.5 and 10.8: whole units weighed: the battle's own volleys, numbers and saves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from grognard.games.wh40k.attacks import allocation, attacks, casualties, saves
from grognard.games.wh40k.attacks.attacks import Volley as Fire
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.odds import answers, chances, scene
from grognard.games.wh40k.odds.answers import Arguments, Plan
from grognard.games.wh40k.odds.ask import QUESTIONS
from grognard.games.wh40k.odds.chances import Ways
from grognard.games.wh40k.odds.salvo import Mark, Salvo, Volley
from grognard.games.wh40k.odds.scene import Scene
from grognard.games.wh40k.rolls import attack_numbers
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.odds import Odds


def shooting(arguments: dict[str, Any]) -> Odds:
    """wh40k:6.5.1-attacks, wh40k:6.5.2-order  A unit's ranged attacks on one target, profile by profile."""
    there = scene.scene(arguments)
    there.battle.cite("wh40k:6.3.2-legal-target", "wh40k:6.5.2-order")
    return _resolved("shooting", there, scene.volleys(there, arguments), arguments)


def fighting(arguments: dict[str, Any]) -> Odds:
    """wh40k:10.8.5-resolve  A unit's melee attacks on one target, profile by profile."""
    there = scene.scene(arguments)
    there.battle.cite("wh40k:10.8.2-weapon", "wh40k:10.8.3-targets", "wh40k:10.8.5-resolve")
    return _resolved("fighting", there, scene.blows(there, arguments), arguments)


def standing(battle: Battle, what: str, unit: Unit, target: Unit, weapons: Sequence[str]) -> Odds:
    """What these weapons of a unit do to another as both stand in a battle."""
    arguments = QUESTIONS[what].complete({"weapons": list(weapons)})
    there = Scene(battle, unit, target, False)
    fires = scene.volleys(there, arguments) if what == "shooting" else scene.blows(there, arguments)
    return _resolved(what, there, fires, arguments)


def _resolved(question: str, there: Scene, fires: list[Fire], arguments: Arguments) -> Odds:
    if not fires and arguments["mortal"] is None:
        raise BadInput(
            "{unit} has nothing to attack {target} with there (wh40k:6.3.2-legal-target)",
            unit=there.unit.name, target=there.target.name,
        )  # fmt: skip
    return answers.told(question, plan(there, fires, arguments), there.battle.cited)


def plan(there: Scene, fires: list[Fire], arguments: Arguments) -> Plan:
    """The volleys and the target of a situation."""
    made = [_volley(there, fire, arguments) for fire in fires]
    guards, heroes = marks(there.battle, there.target, fires)
    free = arguments["reroll_saves"]
    salvo = Salvo(
        guards, heroes, fish=arguments["fish"], free="" if free == "none" else free, spare=arguments["command_save"]
    )  # fmt: skip
    risky = sum(len(fire.bearers) for fire in fires if fire.weapon.flag("hazardous"))
    return Plan(salvo, answers.commanded(made, arguments), answers.mortal(arguments), risky)


def _volley(there: Scene, fire: Fire, arguments: Arguments) -> Volley:
    """The numbers of one volley, as the battle works them out, and what the question adds."""
    weapon, unit = fire.weapon, there.unit
    fire = replace(fire, changes=(*fire.changes, *answers.changes(arguments, "hit_modifier")))
    made = attacks.numbers(there.battle, unit, fire)
    who = answers.roller(arguments, made.who.free, made.who.free_rule)
    made = replace(made, who=who)
    if to_wound := answers.changes(arguments, "wound_modifier"):
        again = attack_numbers.attack(who, weapon, fire.aim, made.need, fire.changes, to_wound=to_wound)
        made = replace(made, wound=again.wound)
    precise = weapon.flag("precision") or fire.precision
    seen = arguments["precision"] and bool(fire.characters) and there.battle.attached(there.target)
    return answers.volley_of(
        weapon, fire.aim, len(fire.bearers), answers.tempered(made, arguments), precise if seen else "",
        *fire.toughness.rules,
    )  # fmt: skip


def marks(battle: Battle, target: Unit, fires: list[Fire]) -> tuple[list[Mark], list[Mark]]:
    """wh40k:7.4.2-forced, wh40k:12.5.6-protection  The models attacks fall on in turn, and the CHARACTERS they protect.

    The controller allocates in the order of the roster, wounded models first.
    """
    members = battle.members(target)
    first = allocation.candidates(battle, target)
    guards = [m for m in members if not m.has("CHARACTER")] if battle.attached(target) else members
    order = [*(m for m in guards if m in first), *(m for m in guards if m not in first)]
    return (
        [_mark(battle, target, model, fires) for model in order],
        [_mark(battle, target, model, fires) for model in members if model not in guards],
    )


def _mark(battle: Battle, target: Unit, model: Model, fires: list[Fire]) -> Mark:
    def ways(fire: Fire) -> Ways:
        return tuple(
            (often * weight, saves.ways(battle, target, model, replace(fire, weapon=weapon), sv)[0])
            for weight, weapon in chances.pierced(fire.weapon)
            for often, sv in chances.armoured(model.profile)
        )

    return Mark(model.w, casualties.pain(battle, model), tuple(map(ways, fires)))
