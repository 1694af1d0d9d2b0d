"""ades:4.1.3-sequence  The cards that wait: the pile, the reserve and the head of both."""

from __future__ import annotations

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Card, Side
from grognard.games.ades.losses import casualties
from grognard.games.ades.records import Speech
from grognard.games.ades.scenarios import game_end
from grognard.games.ades.table import hidden
from grognard.kernel.citing import cites
from grognard.kernel.questions import Option, Script, option

SPEECH = "ades:4.1.3-speech"


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


@cites
def heads(battle: Battle, side: Side) -> list[Card]:
    """ades:4.1.3-head, ades:4.1.3-sequence, ades:4.1.3-pile
    The head of the sequence: the first card of the pile and the whole reserve."""
    if side.reserve:
        battle.cite("ades:4.1.3-reserve")
    return [battle.cards[key] for key in (*side.pile[:1], *side.reserve)]


def card_option(card: Card) -> Option:
    return option(card.id, card, text="option.card", data={"name": card.name}, about=(*card.fighters, *card.shared))


def reveal(battle: Battle, card: Card) -> None:
    """ades:4.1.3-speech  The card is shown and becomes the one being played."""
    battle.speech = battle.speech.but(card=card.id)
    battle.tell("card", SPEECH, (card.seat, *(f.id for f in battle.waiting(card))), card=card.name)


@cites
def end_speech(battle: Battle) -> Script[None]:
    """ades:4.2.1  What was hidden may be found (ades:13.2-eclaireur-reveal); the other player speaks."""
    hidden.after_speech(battle, battle.queue)
    battle.queue, battle.speech = (), Speech()
    for side in battle.sides.values():
        side.spoken = False
    battle.spoke += 1
    battle.clock += 1
    battle.speaker = battle.other(battle.speaker)
    game_end.check_time(battle, "activation")
    return
    yield
