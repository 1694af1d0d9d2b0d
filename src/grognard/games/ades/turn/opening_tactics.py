"""ades:5.3.2.1, ades:5.3.2.2, ades:5.3.2.4  The tactics that begin a turn to speak: Temporisation, Rush, Vigilance."""

from __future__ import annotations

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Card, Fighter, Side
from grognard.games.ades.rolls import stats, tests
from grognard.games.ades.tactics import tactics
from grognard.games.ades.turn import card_sequence
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Pick, Script, option
from grognard.kernel.words.tally import Tally


def unfit(battle: Battle, side: Side, tactic: str) -> Refusal | None:
    """ades:4.1.3-reserve, ades:5.3.2.1, ades:5.3.2.2  What the sequence must be like for a tactic."""
    facts = {"tactic": f"tactic.{tactic}", "seat": side.id}
    chief = battle.commander(side.id)
    most = chief.profile.rank if chief is not None else 0
    full = len(side.reserve) >= most
    if tactic == "temporise":
        if not side.pile:
            return Refusal("refuse.pile-empty", "ades:5.3.2.1", facts)
        return Refusal("refuse.reserve-full", "ades:4.1.3-reserve", facts, ("ades:5.3.2.1",)) if full else None
    if tactic == "rush" and len(side.pile) + len(side.reserve) < 2:
        return Refusal("refuse.one-card", "ades:5.3.2.2", facts)
    if tactic == "vigilance" and not _watchers(battle, side, full):
        return Refusal("refuse.reserve-full", "ades:4.1.3-reserve", facts, ("ades:5.3.2.4",))
    return None


def _watchers(battle: Battle, side: Side, full: bool) -> list[Card]:
    """Cards some of whose fighters may be made vigilant."""
    return [
        c for c in card_sequence.heads(battle, side)
        if (c.id in side.reserve or not full) and not c.capability
        and any(tactics.fit(battle, f) is None for f in battle.waiting(c))
    ]  # fmt: skip


def compensate(battle: Battle, seat: str) -> None:
    """ades:4.1.3-refusal-gain  Not activating costs one's own refusal, or gives the opponent one."""
    side, other = battle.sides[seat], battle.sides[battle.other(seat)]
    if side.refusals and battle.house["refusals"] == "compensate":
        side.refusals -= 1
        battle.tell("refusal.lost", "ades:4.1.3-refusal-gain", (seat,), left=side.refusals)
    else:
        other.refusals += 1
        battle.tell("refusal.gained", "ades:4.1.3-refusal-gain", (other.id,), now=other.refusals)


def temporise(battle: Battle, seat: str) -> Script[None]:
    """ades:5.3.2.1  The head of the pile goes to the reserve, and the turn is over."""
    side = battle.sides[seat]
    yield from tactics.pay(battle, seat, "temporise")
    side.pile, side.reserve = side.pile[1:], (*side.reserve, side.pile[0])
    battle.cite("ades:4.1.3-reserve")
    compensate(battle, seat)
    yield from card_sequence.end_speech(battle)


def start_rush(battle: Battle, seat: str) -> Script[None]:
    """ades:5.3.2.2  A card is played, then a second one."""
    yield from tactics.pay(battle, seat, "rush")
    battle.speech = battle.speech.but(rush="first")


def start_vigilance(battle: Battle, seat: str) -> Script[None]:
    """ades:5.3.2.4  Some fighters of a card watch; the others act; the card waits in the reserve."""
    side = battle.sides[seat]
    chief = battle.commander(seat)
    full = chief is None or len(side.reserve) >= chief.profile.rank
    card: Card = yield Pick(
        seat,
        "vigilance.card",
        [card_sequence.card_option(c) for c in _watchers(battle, side, full)],
        rule="ades:5.3.2.4",
        about=(seat,),
    )
    fit = [f for f in battle.waiting(card) if tactics.fit(battle, f) is None]
    free = 2 if tactics.authority(battle, seat, 1) is not None else 0
    most = min(len(fit), max(side.pt, free))
    chosen = yield Pick(
        seat, "vigilance.who", [option(f.id, f, about=(f.id,)) for f in fit], least=1, most=most, rule="ades:5.3.2.4",
        about=(seat,), barred={f.id: why for f in battle.waiting(card) if (why := tactics.fit(battle, f)) is not None},
        also=("ades:4.1.2", "ades:5.3.2"),
    )  # fmt: skip
    watchers: tuple[Fighter, ...] = chosen if isinstance(chosen, tuple) else (chosen,)
    yield from tactics.pay(battle, seat, "vigilance", *watchers, cost=len(watchers))
    for fighter in watchers:
        fighter.stance = fighter.stance.but(vigilant=True)
    battle.speech = battle.speech.but(held=tuple(f.id for f in watchers))
    if card.id in side.pile:
        side.pile = tuple(key for key in side.pile if key != card.id)
        side.reserve = (*side.reserve, card.id)
        battle.cite("ades:4.1.3-reserve")
    compensate(battle, seat)
    card_sequence.reveal(battle, card)


def hurry(battle: Battle, card: Card) -> Script[None]:
    """ades:5.3.2.2-test  Each fighter of the second card tests INI against the best of the enemy's first card.

    The opponent's card stays hidden; only the number is used. Ruling: with no card left it succeeds.
    """
    pile = battle.sides[battle.other(card.seat)].pile
    late = []
    for fighter in battle.waiting(card):
        if tactics.fit(battle, fighter) is not None:
            late.append(fighter.id)
            continue
        fighter.round = fighter.round.but(tactic=True)
        battle.cite("ades:5.3.1-fighter")
        if not pile:
            continue
        top = battle.cards[pile[0]]
        foes = [f for f in map(battle.fighters.__getitem__, (*top.fighters, *top.shared)) if f.alive]
        best = max((stats.value(battle, f, "INI") for f in foes), default=-99.0)
        against = Tally(best, "enemy INI", "ades:5.3.2.2-test")
        if not (yield from tests.test(battle, "rush", "ades:5.3.2.2-test", fighter, "INI", against)):
            late.append(fighter.id)
            battle.tell("rush.late", "ades:5.3.2.2-test", (fighter.id,))
    battle.speech = battle.speech.but(held=tuple(late))
