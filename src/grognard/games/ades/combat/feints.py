"""ades:13.2-contre-attaque, ades:13.2-feinte  What skilled fighters do between attack and defence."""

from __future__ import annotations

from grognard.games.ades.battle import Battle
from grognard.games.ades.combat import fights
from grognard.games.ades.combat.combat_dice import Hand, Strike
from grognard.games.ades.forces import Fighter
from grognard.games.ades.rolls import stats
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Pick, Script, Split, option

COUNTER, FEINT = "ades:13.2-contre-attaque", "ades:13.2-feinte"


def counter_attacks(battle: Battle, hands: dict[str, Hand]) -> Script[None]:
    """ades:13.2-contre-attaque, ades:13.2-contre-attaque-order  Defence dice become attacks on those who missed.

    The slower first, equals in the order of placement; a failed counter-attack can only be answered by somebody later.
    """
    users = [h for h in hands.values() if battle.has(h.fighter, "contre-attaque") and h.fighter.seat in battle.seats]
    if len(users) > 1:
        battle.cite("ades:13.2-contre-attaque-order")
        users.sort(key=lambda h: stats.stat(battle, h.fighter, "INI", foes=_adversaries(h, hands)).value)
    for hand in users:
        misses = {key: count for key, count in hand.missed.items() if key in hands and count}
        total = min(hand.guard, sum(misses.values()))
        if not total:
            continue
        shares = yield Split(
            hand.fighter.seat, "fight.counter", [option(key, about=(key,)) for key in misses], total,
            limits={key: (0, min(n, total)) for key, n in misses.items()}, exact=False, rule=COUNTER,
            about=(hand.fighter.id,),
        )  # fmt: skip
        battle.cite("ades:13.2-contre-attaque-order")
        for key, count in shares.items():
            for _ in range(count):
                yield from _answer(battle, hand, hands[key])


def _adversaries(hand: Hand, hands: dict[str, Hand]) -> list[Fighter]:
    return [h.fighter for h in hands.values() if h.fighter.seat != hand.fighter.seat]


def _answer(battle: Battle, hand: Hand, foe: Hand) -> Script[None]:
    """ades:13.2-contre-attaque, ades:13.2-resolution-combat
    One defence die strikes back; one with Resolution keeps it."""
    resolved = hand.resolved_guard >= hand.guard
    if 0 < hand.resolved_guard < hand.guard:
        chosen = yield Pick(
            hand.fighter.seat, "fight.counter-die", [option("resolution", text="option.counter-resolution")],
            optional=True, rule="ades:13.2-resolution-combat", about=(hand.fighter.id, foe.fighter.id),
        )  # fmt: skip
        resolved = chosen is not None
    hand.guard -= 1
    if resolved:
        hand.resolved_guard -= 1
        battle.cite("ades:13.2-resolution-combat")
    strike = Strike(resolved=resolved)
    hand.strikes.setdefault(foe.fighter.id, []).append(strike)
    battle.tell("counter-attack", COUNTER, (hand.fighter.id, foe.fighter.id))
    yield from fights.swing(battle, hand, strike, foe)


def feints(battle: Battle, hands: dict[str, Hand]) -> Script[None]:
    """ades:13.2-feinte, ades:13.2-feinte-immunity
    A success is given up to undo a success or a defence die of the foe."""
    for hand in hands.values():
        if not battle.has(hand.fighter, "feinte") or hand.fighter.seat not in battle.seats:
            continue
        for key in list(hand.strikes):
            if key in hands:
                yield from _feint(battle, hand, hands[key])


def _feint(battle: Battle, hand: Hand, foe: Hand) -> Script[None]:
    """ades:13.2-feinte, ades:13.2-feinte-resolution
    Successes given up to take dice from the other, resolute ones last."""
    me, them = hand.fighter.id, foe.fighter.id
    if battle.immune(foe.fighter, "Feint"):
        battle.cite("ades:13.2-feinte-immunity")
        if fights.standing(hand, them):
            why = Refusal("refuse.no-feint", "ades:13.2-feinte-immunity", {"fighter": them}, (FEINT,))
            barred = {"attack": why, "defence": why}
            yield Pick(hand.fighter.seat, "fight.feint", [], least=0, barred=barred, rule=FEINT, about=(me, them))
        return
    while fights.standing(hand, them):
        options = []
        if fights.standing(foe, me):
            options.append(option("attack", text="option.feint-attack"))
        if foe.guard:
            options.append(option("defence", text="option.feint-defence"))
        if not options:
            return
        chosen = yield Pick(hand.fighter.seat, "fight.feint", options, optional=True, rule=FEINT, about=(me, them))
        if chosen is None:
            return
        battle.cite("ades:13.2-feinte-immunity")
        fights.stop(fights.standing(hand, them), 1)
        if chosen == "attack":
            if any(s.resolved for s in fights.standing(foe, me)):
                battle.cite("ades:13.2-feinte-resolution")
            fights.stop(fights.standing(foe, me), 1)
        else:
            if foe.resolved_guard:
                battle.cite("ades:13.2-feinte-resolution")
            foe.guard -= 1
            foe.resolved_guard = min(foe.resolved_guard, foe.guard)
        battle.tell("feint", FEINT, (me, them), against=f"feint.{chosen}")
