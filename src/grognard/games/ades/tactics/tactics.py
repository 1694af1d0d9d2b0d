"""ades:5.3  Tactics: what they cost, how often they may be used, and by whom."""

from __future__ import annotations

from typing import Any

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.kernel.errors import Refusal, foremost
from grognard.kernel.questions import Note, Pick, Script, option

#: ades:5.3.2  rule, nature, cost in PT (Vigilance: one for each fighter).
TACTICS = {
    "temporise": ("ades:5.3.2.1", "active", 2),
    "rush": ("ades:5.3.2.2", "active", 3),
    "intercept": ("ades:5.3.2.3", "reactive", 2),
    "vigilance": ("ades:5.3.2.4", "active", 1),
    "force": ("ades:5.3.2.5", "active", 1),
    "cover": ("ades:5.3.2.6", "reactive", 2),
}


def rule_of(tactic: str) -> str:
    return TACTICS[tactic][0]


def authority(battle: Battle, seat: str, cost: int) -> Fighter | None:
    """ades:13.2-autorite  Whoever lets one tactic of 2 PT or less a turn cost nothing."""
    if battle.sides[seat].authority or cost > 2:
        return None
    return next((f for f in battle.army(seat) if battle.has(f, "autorite") and not f.fear.routed), None)


def refusal(battle: Battle, seat: str, tactic: str, cost: int | None = None) -> Refusal | None:
    """ades:5.3, ades:5.3.1-uses, ades:5.3.1-speech  Why a player may not use a tactic now."""
    rule, nature, price = TACTICS[tactic]
    cost = price if cost is None else cost
    side, facts = battle.sides[seat], {"tactic": f"tactic.{tactic}", "seat": seat}
    if battle.turn == 0:
        return Refusal("refuse.tactic-deployment", "ades:3.2.1", facts, ("ades:5.3", rule))
    chief = battle.commander(seat)
    if chief is None:
        return Refusal("refuse.tactic-commander", "ades:5.2-no-pt", facts, ("ades:5.3", "ades:6.2-commander", rule))
    active = seat == battle.speaker
    if active != (nature == "active"):
        return Refusal("refuse.tactic-nature", "ades:5.3.2", facts, (rule,))
    why: list[Refusal] = []
    if side.spoken:
        why.append(Refusal("refuse.tactic-speech", "ades:5.3.1-speech", facts, (rule,)))
    if side.uses.count(tactic) >= chief.profile.rank:
        why.append(Refusal("refuse.tactic-uses", "ades:5.3.1-uses", facts | {"rank": chief.profile.rank}, (rule,)))
    if side.pt < cost and authority(battle, seat, cost) is None:
        also: tuple[str, ...] = ("ades:4.1.2", "ades:5.3", "ades:5.3.2")
        if any(battle.has(f, "autorite") for f in battle.army(seat)):
            also = (*also, "ades:13.2-autorite")
        why.append(Refusal("refuse.tactic-pt", rule, facts | {"cost": cost, "pt": side.pt}, also))
    return foremost(why)


def fit(battle: Battle, fighter: Fighter) -> Refusal | None:
    """ades:5.3.1-fighter, ades:6.2-tactics  Ruling: only whoever benefits is affected by a tactic, never its victim."""
    facts: dict[str, Any] = {"fighter": fighter.id}
    if fighter.fear.routed:
        battle.cite("ades:6.2-tactics")
        return Refusal("refuse.tactic-routed", "ades:6.2-tactics", facts)
    if fighter.round.tactic:
        battle.cite("ades:5.3.1-fighter")
        return Refusal("refuse.tactic-fighter", "ades:5.3.1-fighter", facts)
    return None


def pay(battle: Battle, seat: str, tactic: str, *fighters: Fighter, cost: int | None = None) -> Script[None]:
    """ades:13.2-autorite  Spend the points, or the free tactic of an Authority, and note the use."""
    rule, _, price = TACTICS[tactic]
    cost = price if cost is None else cost
    side = battle.sides[seat]
    chief = authority(battle, seat, cost)
    free = False
    if chief is not None:
        chosen = yield Pick(
            seat, "authority", [option("use", text="option.authority")], optional=side.pt >= cost,
            rule="ades:13.2-autorite", about=(chief.id,), data={"tactic": f"tactic.{tactic}", "cost": cost},
        )  # fmt: skip
        free = chosen is not None
    if chief is not None and free:
        side.authority, cost = True, 0
        battle.tell("tactic.authority", "ades:13.2-autorite", (chief.id, seat), tactic=f"tactic.{tactic}")
    side.pt -= cost
    side.uses = (*side.uses, tactic)
    side.spoken = True
    battle.cite("ades:5.3", "ades:5.3.1-uses", "ades:5.3.1-speech", "ades:5.3.2", "ades:4.1.2")
    for fighter in fighters:
        fighter.round = fighter.round.but(tactic=True)
        battle.cite("ades:5.3.1-fighter")
    about = (seat, *(f.id for f in fighters))
    battle.tell("tactic", rule, about, tactic=f"tactic.{tactic}", cost=cost, left=side.pt)


def cost(battle: Battle, seat: str, price: int) -> Note:
    """ades:13.2-autorite  What a tactic costs, and what there is to pay it with."""
    facts = {"cost": price, "pt": battle.sides[seat].pt}
    with battle.cited_apart():
        chief = authority(battle, seat, price)
    if chief is None:
        return Note("note.cost", facts, "ades:5.3.1")
    return Note("note.cost-authority", facts | {"who": chief.id}, "ades:13.2-autorite")
