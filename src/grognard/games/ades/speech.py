"""ades:4.2, 4.1.3-speech  The Activation phase: turns to speak, cards, refusals, and the tactics that begin them."""

from __future__ import annotations

from grognard.games.ades import (
    actions,
    casualties,
    checks,
    deployment,
    ending,
    hidden,
    neutrals,
    notes,
    stats,
    tactics,
    titans,
)
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Card, Fighter, Side
from grognard.kernel.errors import Refusal, foremost
from grognard.kernel.questions import Note, Option, Pick, Script, option
from grognard.kernel.tally import Tally

SPEECH = "ades:4.1.3-speech"


def phase(battle: Battle) -> Script[None]:
    """ades:4.2.1, 9.2.3-activation  Neutrals first, then turns to speak until every fighter is activated."""
    if battle.stage == 0:
        yield from neutrals.act(battle)
        battle.stage = 1
    if battle.stage == 1:
        first = yield Pick(
            battle.tactician, "speak.first", [option(s, s) for s in battle.seats], rule="ades:4.2.1", checkpoint=True,
            data={"tactician": battle.tactician},
        )  # fmt: skip
        battle.speaker = first
        battle.tell("speaks.first", "ades:4.2.1", (first,))
        battle.stage = 2
    while battle.stage == 2:
        if battle.card:
            yield from play(battle)
            yield from after_card(battle)
        elif (seat := next_speaker(battle)) is None:
            battle.stage = 3
        else:
            battle.speaker = seat
            yield from speak(battle, seat)


def sequence(battle: Battle, seat: str) -> list[Card]:
    """ades:4.1.3-sequence  The cards that still wait: pile and reserve."""
    side = battle.sides[seat]
    return [battle.cards[key] for key in (*side.pile, *side.reserve)]


def tidy(battle: Battle) -> None:
    """ades:4.1.3-card-state  Cards without a waiting fighter leave the sequence."""
    for seat in battle.seats:
        for card in sequence(battle, seat):
            unplaced = battle.turn == 0 and card.machine and not battle.things[card.machine].placed
            if not battle.waiting(card) and not unplaced:
                casualties.leave_sequence(battle, card)


def next_speaker(battle: Battle) -> str | None:
    """ades:4.2.1  Alternately, until only one has cards left."""
    tidy(battle)
    if sequence(battle, battle.speaker):
        return battle.speaker
    other = battle.other(battle.speaker)
    return other if sequence(battle, other) else None


def heads(battle: Battle, side: Side) -> list[Card]:
    """ades:4.1.3-head  The head of the sequence: the first card of the pile and the whole reserve."""
    battle.cite("ades:4.1.3-head", "ades:4.1.3-sequence", "ades:4.1.3-pile")
    if side.reserve:
        battle.cite("ades:4.1.3-reserve")
    return [battle.cards[key] for key in (*side.pile[:1], *side.reserve)]


def speak(battle: Battle, seat: str) -> Script[None]:
    """ades:4.1.3-speech  Activate a card of the head of the sequence, use a refusal, or a tactic that begins a turn."""
    battle.cite("ades:0-decisions")
    side = battle.sides[seat]
    options = [_card(card) for card in heads(battle, side)]
    barred = {key: Refusal("refuse.not-head", "ades:4.1.3-head", {"card": key}, (SPEECH,)) for key in side.pile[1:]}
    if not battle.rush:
        extra, closed = _others(battle, seat)
        options += extra
        barred |= closed
    chosen = yield Pick(
        seat, "speak", options, rule=SPEECH, barred=barred, checkpoint=True, about=(seat,),
        data={"turn": battle.turn, "cards": len(sequence(battle, seat)), "refusals": side.refusals, "pt": side.pt},
    )  # fmt: skip
    if isinstance(chosen, Card):
        reveal(battle, chosen)
        return
    yield from STARTS[chosen](battle, seat)


def _card(card: Card) -> Option:
    return option(card.id, card, text="option.card", data={"name": card.name}, about=(*card.fighters, *card.shared))


def _others(battle: Battle, seat: str) -> tuple[list[Option], dict[str, Refusal]]:
    side = battle.sides[seat]
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    refusal = refuse_refusal(battle, seat)
    if refusal is None:
        options.append(option("refuse", text="option.refuse", notes=(Note("note.refuse", {"left": side.refusals}),)))
    else:
        barred["refuse"] = refusal
    for tactic in ("temporise", "rush", "vigilance"):
        why = foremost((tactics.refusal(battle, seat, tactic), _unfit(battle, side, tactic)))
        if why is None:
            price = tactics.TACTICS[tactic][2]
            told = (Note(f"note.{tactic}", rule=tactics.rule_of(tactic)), notes.cost(battle, seat, price))
            options.append(option(tactic, text=f"tactic.{tactic}", notes=told))
        else:
            barred[tactic] = why
    if battle.house["concession"]:
        options.append(option("concede", text="option.concede"))
    return options, barred


def refuse_refusal(battle: Battle, seat: str) -> Refusal | None:
    """ades:4.1.3-refusal-use, 4.2.1  Only who holds one, and not in the very first speech turn."""
    facts = {"seat": seat}
    if battle.sides[seat].refusals < 1:
        return Refusal("refuse.no-refusal", "ades:4.1.3-refusal-use", facts)
    if battle.spoke == 0:
        return Refusal("refuse.first-speech", "ades:4.2.1", facts)
    if not sequence(battle, battle.other(seat)):
        return Refusal("refuse.alone", "ades:4.2.1", facts)
    return None


def _unfit(battle: Battle, side: Side, tactic: str) -> Refusal | None:
    """ades:4.1.3-reserve, 5.3.2.1, 5.3.2.2  What the sequence must be like for a tactic."""
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
        c for c in heads(battle, side)
        if (c.id in side.reserve or not full) and not c.capability
        and any(tactics.fit(battle, f) is None for f in battle.waiting(c))
    ]  # fmt: skip


def reveal(battle: Battle, card: Card) -> None:
    """ades:4.1.3-speech  The card is shown and becomes the one being played."""
    battle.card = card.id
    battle.tell("card", SPEECH, (card.seat, *(f.id for f in battle.waiting(card))), card=card.name)


# ---------------------------------------------------------------------- what else begins a speech turn


def use_refusal(battle: Battle, seat: str) -> Script[None]:
    """ades:4.1.3-refusal-use  The speech turn is over at once."""
    side = battle.sides[seat]
    side.refusals -= 1
    battle.cite("ades:4.1.3-refusal")
    battle.tell("refused", "ades:4.1.3-refusal-use", (seat,), left=side.refusals)
    yield from end_speech(battle)


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
    yield from end_speech(battle)


def start_rush(battle: Battle, seat: str) -> Script[None]:
    """ades:5.3.2.2  A card is played, then a second one."""
    yield from tactics.pay(battle, seat, "rush")
    battle.rush = "first"


def start_vigilance(battle: Battle, seat: str) -> Script[None]:
    """ades:5.3.2.4  Some fighters of a card watch; the others act; the card waits in the reserve."""
    side = battle.sides[seat]
    chief = battle.commander(seat)
    full = chief is None or len(side.reserve) >= chief.profile.rank
    card: Card = yield Pick(
        seat, "vigilance.card", [_card(c) for c in _watchers(battle, side, full)], rule="ades:5.3.2.4", about=(seat,)
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
        fighter.vigilant = True
    battle.held = tuple(f.id for f in watchers)
    if card.id in side.pile:
        side.pile = tuple(key for key in side.pile if key != card.id)
        side.reserve = (*side.reserve, card.id)
        battle.cite("ades:4.1.3-reserve")
    compensate(battle, seat)
    reveal(battle, card)


def concede(battle: Battle, seat: str) -> Script[None]:
    """ades:9.2.9, 3.3-concede  A player gives up; the opponent finishes the turn."""
    battle.cite("ades:3.3-concede")
    battle.sides[seat].conceded = True
    battle.tell("conceded", "ades:9.2.9", (seat,))
    side = battle.sides[seat]
    side.pile, side.reserve = (), ()
    yield from end_speech(battle)


STARTS = {
    "refuse": use_refusal,
    "temporise": temporise,
    "rush": start_rush,
    "vigilance": start_vigilance,
    "concede": concede,
}


# ---------------------------------------------------------------------- playing a card


def play(battle: Battle) -> Script[None]:
    """ades:4.2.2-card  All waiting fighters of the card, one by one or in groups, in any order."""
    card = battle.cards[battle.card]
    if battle.turn == 0:
        yield from deployment.deploy(battle, card)
        return
    if card.capability:
        yield from titans.play(battle, card)
        return
    if battle.acting:
        yield from _resume(battle)
    while True:
        ready = [f for f in battle.waiting(card) if f.id not in battle.held]
        if not ready:
            return
        if any(f.vigilant for f in ready):
            battle.cite("ades:5.3.2.4-own")
        chosen = yield Pick(
            card.seat, "activate", [option(f.id, f, about=(f.id,)) for f in ready], least=1,
            most=max(1, len(ready)), rule="ades:4.2.2-card", about=(card.seat,), checkpoint=True,
            data={"card": card.name}, also=("ades:4.2.2-group",),
        )  # fmt: skip
        group = list(chosen) if isinstance(chosen, tuple) else [chosen]
        battle.acting = tuple(f.id for f in group)
        battle.queue = (*battle.queue, *battle.acting)
        actions.begin(battle, group)
        yield from _resume(battle)


def _resume(battle: Battle) -> Script[None]:
    """The fighters being activated go on acting."""
    group = [battle.fighters[key] for key in battle.acting]
    yield from actions.loop(battle, group, checkpoint=True)
    yield from actions.end(battle, group)
    battle.acting = ()


def after_card(battle: Battle) -> Script[None]:
    """ades:5.3.2.2, 5.3.2.2-test  A rush goes on to its second card; otherwise the speech turn is over."""
    tidy(battle)
    seat = battle.speaker
    battle.card, battle.held = "", ()
    ahead = heads(battle, battle.sides[seat])
    if battle.rush == "first" and ahead:
        battle.rush = "second"
        card: Card = yield Pick(seat, "rush.card", [_card(c) for c in ahead], rule="ades:5.3.2.2", about=(seat,))
        reveal(battle, card)
        yield from _hurry(battle, card)
        return
    yield from end_speech(battle)


def _hurry(battle: Battle, card: Card) -> Script[None]:
    """ades:5.3.2.2-test  Each fighter of the second card tests INI against the best of the enemy's first card.

    The opponent's card stays hidden; only the number is used. Ruling: with no card left it succeeds.
    """
    pile = battle.sides[battle.other(card.seat)].pile
    late = []
    for fighter in battle.waiting(card):
        if tactics.fit(battle, fighter) is not None:
            late.append(fighter.id)
            continue
        fighter.tactic = True
        battle.cite("ades:5.3.1-fighter")
        if not pile:
            continue
        top = battle.cards[pile[0]]
        foes = [f for f in map(battle.fighters.__getitem__, (*top.fighters, *top.shared)) if f.alive]
        best = max((stats.value(battle, f, "INI") for f in foes), default=-99.0)
        against = Tally(best, "enemy INI", "ades:5.3.2.2-test")
        if not (yield from checks.test(battle, "rush", "ades:5.3.2.2-test", fighter, "INI", against)):
            late.append(fighter.id)
            battle.tell("rush.late", "ades:5.3.2.2-test", (fighter.id,))
    battle.held = tuple(late)


def end_speech(battle: Battle) -> Script[None]:
    """ades:4.2.1, 13.2-eclaireur-reveal  What was hidden may be found; the other player speaks."""
    hidden.after_speech(battle, battle.queue)
    battle.queue, battle.rush, battle.card, battle.held = (), "", "", ()
    for side in battle.sides.values():
        side.spoken = False
    battle.spoke += 1
    battle.clock += 1
    battle.speaker = battle.other(battle.speaker)
    battle.cite("ades:4.2.1")
    ending.check_time(battle, "activation")
    return
    yield
