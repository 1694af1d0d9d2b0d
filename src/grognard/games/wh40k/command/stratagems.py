"""Chapter 13: Stratagems: what each costs, when it may be used, and paying for it. Chapters have the effects."""

from __future__ import annotations

from functools import partial

import msgspec

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Unit
from grognard.games.wh40k.rolls.rerolls import AGAIN, Roller
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal, foremost
from grognard.kernel.questions import Note


class Stratagem(msgspec.Struct, frozen=True):
    """wh40k:13.1.3-categories, wh40k:13.1.4-turn  One Stratagem: cost, category, and in whose turn it is used."""

    key: str
    name: str
    french: str
    cost: int
    category: str
    turn: str  # any, own, opponent
    rule: str


_ALL = (
    Stratagem(
        "command-reroll", "Command Re-roll", "Relance de Commandement", 1,
        "Battle Tactic", "any", "wh40k:13.2.1-command-reroll",
    ),
    Stratagem(
        "counter-offensive", "Counter-offensive", "Contre-offensive", 2,
        "Strategic Ploy", "any", "wh40k:13.2.2-counter-offensive",
    ),
    Stratagem(
        "epic-challenge", "Epic Challenge", "Défi Épique", 1,
        "Epic Deed", "any", "wh40k:13.2.3-epic-challenge",
    ),
    Stratagem(
        "insane-bravery", "Insane Bravery", "Courage Insensé", 1,
        "Epic Deed", "own", "wh40k:13.2.4-insane-bravery",
    ),
    Stratagem(
        "grenade", "Grenade", "Grenade", 1,
        "Wargear", "own", "wh40k:13.2.5-grenade",
    ),
    Stratagem(
        "tank-shock", "Tank Shock", "Attaque de Char", 1,
        "Strategic Ploy", "own", "wh40k:13.2.6-tank-shock",
    ),
    Stratagem(
        "overwatch", "Fire Overwatch", "Tir en État d'Alerte", 1,
        "Strategic Ploy", "opponent", "wh40k:13.2.7-overwatch",
    ),
    Stratagem(
        "rapid-ingress", "Rapid Ingress", "Arrivée Précipitée", 1,
        "Strategic Ploy", "opponent", "wh40k:13.2.8-rapid-ingress",
    ),
    Stratagem(
        "go-to-ground", "Go to Ground", "À Terre", 1,
        "Battle Tactic", "opponent", "wh40k:13.2.9-go-to-ground",
    ),
    Stratagem(
        "smokescreen", "Smokescreen", "Écran de Fumée", 1,
        "Wargear", "opponent", "wh40k:13.2.10-smokescreen",
    ),
    Stratagem(
        "heroic-intervention", "Heroic Intervention", "Intervention Héroïque", 2,
        "Strategic Ploy", "opponent", "wh40k:13.2.11-heroic-intervention",
    ),
)  # fmt: skip

#: wh40k:13.1.5-open  Both players may use every one of these; other publications add more.
STRATAGEMS: dict[str, Stratagem] = {stratagem.key: stratagem for stratagem in _ALL}

#: Why a unit of the wrong kind cannot use one.
CANNOT = "refuse.not-answering"

#: What a question put down to the rule of a Stratagem costs.
PRICES: dict[str, int] = {stratagem.rule: stratagem.cost for stratagem in _ALL}


def note(key: str) -> Note:
    """What a Stratagem does, for whoever may use it."""
    return Note(f"note.{key}", {}, STRATAGEMS[key].rule)


def refusal(battle: Battle, seat: str, key: str, unit: Unit | None = None) -> Refusal | None:
    """wh40k:13.1.1-cost, wh40k:13.1.2-once-phase, wh40k:13.1.4-turn, wh40k:3.3.6-stratagems, wh40k:23.27-reroll-shocked
    Why a player may not use a Stratagem now."""
    stratagem, side = STRATAGEMS[key], battle.sides[seat]
    facts = {"stratagem": stratagem.name, "seat": seat, "cost": stratagem.cost, "cp": side.cp}
    also: tuple[str, ...] = (stratagem.rule,)
    found: list[Refusal] = []
    if stratagem.turn != "any" and (stratagem.turn == "own") != (battle.active == seat):
        found.append(Refusal("refuse.stratagem-turn", "wh40k:13.1.4-turn", facts, also))
    if key in side.used:
        found.append(Refusal("refuse.stratagem-twice", "wh40k:13.1.2-once-phase", facts, also))
    elif key == "overwatch" and key in side.used_turn:
        found.append(Refusal("refuse.stratagem-twice", stratagem.rule, facts))
    if side.cp < stratagem.cost:
        found.append(Refusal("refuse.stratagem-cost", "wh40k:13.1.1-cost", facts, also))
    if unit is not None and unit.seat == seat and unit.shocked and key != "insane-bravery":
        if key == "command-reroll":
            also = (*also, "wh40k:23.27-reroll-shocked")
        found.append(Refusal("refuse.stratagem-shocked", "wh40k:3.3.6-stratagems", facts | {"unit": unit.id}, also))
    return foremost(found)


def usable(battle: Battle, seat: str, key: str, unit: Unit | None = None) -> bool:
    """Whether a player may use a Stratagem now."""
    why = refusal(battle, seat, key, unit)
    return sought(battle, why) and why is None


def sought(battle: Battle, why: Refusal | None) -> bool:
    """Whether a player looks for a Stratagem at its moment: he may use it, or is told why he may not though he pays.

    In a situation that says how many points he has, also that they are too few.
    """
    if why is None:
        return True
    told = why.code in ("refuse.stratagem-twice", "refuse.stratagem-shocked")
    if not told and (why.code != "refuse.stratagem-cost" or not battle.sides[why.data["seat"]].counted):
        return False
    battle.cite(*why.rules)
    return True


@cites
def pay(battle: Battle, seat: str, key: str, *about: str) -> None:
    """wh40k:13.1.1-cost, wh40k:13.1.3-categories, wh40k:13.1.5-open
    The command points are spent and the use is remembered.

    wh40k:23.28-opponent-stratagem  A unit that is Battle-shocked may be affected by the other player's.
    """
    stratagem, side = STRATAGEMS[key], battle.sides[seat]
    side.cp -= stratagem.cost
    side.used = (*side.used, key)
    side.used_turn = (*side.used_turn, key)
    if stratagem.turn != "any":
        battle.cite("wh40k:13.1.4-turn")
    if any(u in battle.units and battle.units[u].seat != seat and battle.units[u].shocked for u in about):
        battle.cite("wh40k:23.28-opponent-stratagem")
    battle.tell(
        "stratagem",
        stratagem.rule,
        (seat, *about),
        stratagem=stratagem.name,
        category=stratagem.category,
        cost=stratagem.cost,
        left=side.cp,
    )


def roller(battle: Battle, unit: Unit, *about: str, free: str = "", free_rule: str = "") -> Roller:
    """Whoever rolls for a unit, with Command Re-roll if it may be used for it."""
    why = refusal(battle, unit.seat, "command-reroll", unit)
    barred = why if sought(battle, why) else None
    uses = partial(pay, battle, unit.seat, "command-reroll", unit.id)
    return Roller(unit.seat, about or (unit.id,), free, free_rule, why is None, barred, uses)


def settle(battle: Battle, used: bool, *, summed: bool = False) -> None:
    """wh40k:1.13.1-sum, wh40k:1.13.2-once  The rules of re-rolls have had their say if Command Re-roll was used."""
    if used:
        battle.cite(*AGAIN, *(["wh40k:1.13.1-sum"] if summed else []))
