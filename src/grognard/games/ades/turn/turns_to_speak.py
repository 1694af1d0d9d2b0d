"""ades:4.1.3-speech  The Activation phase: turns to speak, cards, refusals, and the tactics that begin them."""

from __future__ import annotations

from grognard.games.ades.activation import actions
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Card
from grognard.games.ades.machines import titans
from grognard.games.ades.tactics import tactics
from grognard.games.ades.turn import card_sequence, deployment, neutrals, opening_tactics
from grognard.games.ades.turn.card_sequence import SPEECH
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal, foremost
from grognard.kernel.questions import Note, Option, Pick, Script, option


def phase(battle: Battle) -> Script[None]:
    """ades:4.2.1, ades:9.2.3-activation  Neutrals first, then turns to speak until every fighter is activated."""
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
        if battle.speech.card:
            yield from play(battle)
            yield from after_card(battle)
        elif (seat := next_speaker(battle)) is None:
            battle.stage = 3
        else:
            battle.speaker = seat
            yield from speak(battle, seat)


def next_speaker(battle: Battle) -> str | None:
    """ades:4.2.1  Alternately, until only one has cards left."""
    card_sequence.tidy(battle)
    if card_sequence.sequence(battle, battle.speaker):
        return battle.speaker
    other = battle.other(battle.speaker)
    return other if card_sequence.sequence(battle, other) else None


def speak(battle: Battle, seat: str) -> Script[None]:
    """ades:4.1.3-speech, ades:0-decisions
    Activate a card of the head of the sequence, use a refusal, or a tactic that begins a turn."""
    battle.cite("ades:0-decisions")
    side = battle.sides[seat]
    options = [card_sequence.card_option(card) for card in card_sequence.heads(battle, side)]
    barred = {key: Refusal("refuse.not-head", "ades:4.1.3-head", {"card": key}, (SPEECH,)) for key in side.pile[1:]}
    if not battle.speech.rush:
        extra, closed = _others(battle, seat)
        options += extra
        barred |= closed
    chosen = yield Pick(
        seat, "speak", options, rule=SPEECH, barred=barred, checkpoint=True, about=(seat,),
        data={
            "turn": battle.turn, "cards": len(card_sequence.sequence(battle, seat)), "refusals": side.refusals,
            "pt": side.pt,
        },
    )  # fmt: skip
    if isinstance(chosen, Card):
        card_sequence.reveal(battle, chosen)
        return
    yield from STARTS[chosen](battle, seat)


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
        why = foremost((tactics.refusal(battle, seat, tactic), opening_tactics.unfit(battle, side, tactic)))
        if why is None:
            price = tactics.TACTICS[tactic][2]
            told = (Note(f"note.{tactic}", rule=tactics.rule_of(tactic)), tactics.cost(battle, seat, price))
            options.append(option(tactic, text=f"tactic.{tactic}", notes=told))
        else:
            barred[tactic] = why
    if battle.house["concession"]:
        options.append(option("concede", text="option.concede"))
    return options, barred


def refuse_refusal(battle: Battle, seat: str) -> Refusal | None:
    """ades:4.1.3-refusal-use, ades:4.2.1  Only who holds one, and not in the very first speech turn."""
    facts = {"seat": seat}
    if battle.sides[seat].refusals < 1:
        return Refusal("refuse.no-refusal", "ades:4.1.3-refusal-use", facts)
    if battle.spoke == 0:
        return Refusal("refuse.first-speech", "ades:4.2.1", facts)
    if not card_sequence.sequence(battle, battle.other(seat)):
        return Refusal("refuse.alone", "ades:4.2.1", facts)
    return None


# ---------------------------------------------------------------------- what else begins a speech turn


@cites
def use_refusal(battle: Battle, seat: str) -> Script[None]:
    """ades:4.1.3-refusal, ades:4.1.3-refusal-use  The speech turn is over at once."""
    side = battle.sides[seat]
    side.refusals -= 1
    battle.tell("refused", "ades:4.1.3-refusal-use", (seat,), left=side.refusals)
    yield from card_sequence.end_speech(battle)


@cites
def concede(battle: Battle, seat: str) -> Script[None]:
    """ades:9.2.9, ades:3.3-concede  A player gives up; the opponent finishes the turn."""
    battle.sides[seat].conceded = True
    battle.tell("conceded", "ades:9.2.9", (seat,))
    side = battle.sides[seat]
    side.pile, side.reserve = (), ()
    yield from card_sequence.end_speech(battle)


STARTS = {
    "refuse": use_refusal,
    "temporise": opening_tactics.temporise,
    "rush": opening_tactics.start_rush,
    "vigilance": opening_tactics.start_vigilance,
    "concede": concede,
}


# ---------------------------------------------------------------------- playing a card


def play(battle: Battle) -> Script[None]:
    """ades:4.2.2-card, ades:5.3.2.4-own  All waiting fighters of the card, one by one or in groups, in any order."""
    card = battle.cards[battle.speech.card]
    if battle.turn == 0:
        yield from deployment.deploy(battle, card)
        return
    if card.capability:
        yield from titans.play(battle, card)
        return
    if battle.speech.acting:
        yield from _resume(battle)
    while True:
        ready = [f for f in battle.waiting(card) if f.id not in battle.speech.held]
        if not ready:
            return
        if any(f.stance.vigilant for f in ready):
            battle.cite("ades:5.3.2.4-own")
        chosen = yield Pick(
            card.seat, "activate", [option(f.id, f, about=(f.id,)) for f in ready], least=1,
            most=max(1, len(ready)), rule="ades:4.2.2-card", about=(card.seat,), checkpoint=True,
            data={"card": card.name}, also=("ades:4.2.2-group",),
        )  # fmt: skip
        group = list(chosen) if isinstance(chosen, tuple) else [chosen]
        battle.speech = battle.speech.but(acting=tuple(f.id for f in group))
        battle.queue = (*battle.queue, *battle.speech.acting)
        actions.begin(battle, group)
        yield from _resume(battle)


def _resume(battle: Battle) -> Script[None]:
    """The fighters being activated go on acting."""
    group = [battle.fighters[key] for key in battle.speech.acting]
    yield from actions.loop(battle, group, checkpoint=True)
    yield from actions.end(battle, group)
    battle.speech = battle.speech.but(acting=())


def after_card(battle: Battle) -> Script[None]:
    """ades:5.3.2.2, ades:5.3.2.2-test  A rush goes on to its second card; otherwise the speech turn is over."""
    card_sequence.tidy(battle)
    seat = battle.speaker
    battle.speech = battle.speech.but(card="", held=())
    ahead = card_sequence.heads(battle, battle.sides[seat])
    if battle.speech.rush == "first" and ahead:
        battle.speech = battle.speech.but(rush="second")
        card: Card = yield Pick(
            seat, "rush.card", [card_sequence.card_option(c) for c in ahead], rule="ades:5.3.2.2", about=(seat,)
        )
        card_sequence.reveal(battle, card)
        yield from opening_tactics.hurry(battle, card)
        return
    yield from card_sequence.end_speech(battle)
