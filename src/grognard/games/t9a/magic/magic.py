"""Chapter 13: The Magic Phase: Flux Cards, Veil Tokens, then casting."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.magic import casting
from grognard.kernel.citing import cites
from grognard.kernel.questions import Number, Roll, Script


class Card(NamedTuple):
    """t9a:13.D  A Flux Card: Magic Dice of each player, Veil Tokens of the active one, Miscast modifier."""

    dice: int
    tokens: int
    miscast: int = 0


CARDS = {
    1: Card(4, 3, 1),
    2: Card(5, 2),
    3: Card(5, 5),
    4: Card(5, 7),
    5: Card(5, 9),
    6: Card(6, 5),
    7: Card(6, 7),
    8: Card(7, 7, -1),
}


@cites
def phase(battle: Battle) -> Script[None]:
    """t9a:13.A"""
    if battle.stage == 0:
        expire(battle)
        yield from draw(battle)
        battle.stage = 1
    if battle.stage == 1:
        yield from siphon(battle)
        battle.stage = 2
    yield from casting.cast_spells(battle)


def discard(battle: Battle) -> None:
    """t9a:13.C  With the Magic Phase the dice that are left and what was tried in it are gone."""
    for side in battle.sides.values():
        if side.dice:
            battle.cite("t9a:13.C")
        side.dice = 0
        side.attempted = ()
    for model in battle.models.values():
        model.magic = model.magic.but(cast=())


def expire(battle: Battle) -> None:
    """t9a:13.G.d.2  One Turn spells last until the start of their caster's player's next Magic Phase."""
    seat = battle.active
    for thing in battle.bearers():
        if any(e.until == "permanent" for e in thing.effects):
            battle.cite("t9a:13.G.d.3")
        if any(e.until == "magic" and e.seat == seat for e in thing.effects):
            battle.cite("t9a:13.G.d.2")
            thing.effects = tuple(e for e in thing.effects if not (e.until == "magic" and e.seat == seat))


def draw(battle: Battle) -> Script[None]:
    """t9a:13.D, t9a:13.D-discard
    The reactive player draws from the active player's deck; the card is out for the game."""
    side = battle.sides[battle.active]
    deck = side.deck or (1, 2, 3, 4, 5, 6, 7, 8)
    if battle.house["flux_cards"] == "dice":
        number = yield from _by_dice(battle, deck)
    else:
        (face,) = yield Roll(battle.reactive, "flux.draw", len(deck), rule="t9a:13.D", about=(battle.active,))
        number = deck[face - 1]
    side.deck = tuple(n for n in deck if n != number)
    battle.flux = number
    card = CARDS[number]
    for each in battle.sides.values():
        each.dice = card.dice
    battle.cite("t9a:13.D-discard", "t9a:13.C")
    battle.tell("flux.card", "t9a:13.D", (battle.active,), card=number, dice=card.dice, tokens=card.tokens)


def _by_dice(battle: Battle, deck: tuple[int, ...]) -> Script[int]:
    """t9a:13.D-dice  A D6 rolled until it shows 1 to 4; a second on 4+ adds 4; cards used are rolled again."""
    while True:
        (low,) = yield Roll(battle.reactive, "flux.low", 6, rule="t9a:13.D-dice", about=(battle.active,))
        if low > 4:
            continue
        (high,) = yield Roll(battle.reactive, "flux.high", 6, rule="t9a:13.D-dice", about=(battle.active,))
        number = int(low) + (4 if high >= 4 else 0)
        if number in deck:
            return number


def siphon(battle: Battle) -> Script[None]:
    """t9a:13.E, t9a:13.E-convert, t9a:13.F-keep, t9a:21.A.b.5
    Tokens of the card and of Channels; three make a Magic Die; three
    are kept.
    """
    side = battle.sides[battle.active]
    side.tokens += CARDS[battle.flux].tokens if battle.flux else 0
    battle.cite("t9a:13.E")
    for unit in battle.army(battle.active):
        if unit.nerve.fleeing:
            continue
        for pool in battle.pools(unit):
            channel = sum(t.number() for t in battle.traits(pool, "channel"))
            channel *= 1 if pool in battle.models else unit.troops
            if channel:
                battle.tell("veil.channel", "t9a:21.A.b.5", (pool,), tokens=channel)
                if pool == unit.command.champion and battle.has(pool, "wizard-conclave"):
                    battle.cite("t9a:21.A.b.8")
                if pool in battle.models and battle.models[pool].magic.level in ("adept", "master"):
                    battle.cite("t9a:13.B", battle.has(pool, f"wizard-{battle.models[pool].magic.level}") or "t9a:13.B")
                side.tokens += channel
    battle.cite("t9a:13.E-convert", "t9a:13.F-keep", "t9a:13.F")
    most = min(4, side.tokens // 3)
    dice = 0
    if most:
        dice = yield Number(
            battle.active, "veil.convert", 0, most, rule="t9a:13.E-convert", data={"tokens": side.tokens}
        )
    side.tokens -= 3 * int(dice)
    side.dice += int(dice)
    side.tokens = min(3, side.tokens)
    battle.tell("veil.siphoned", "t9a:13.E", (battle.active,), dice=side.dice, tokens=side.tokens)


def gain_tokens(battle: Battle, seat: str, tokens: int) -> None:
    """t9a:13.F-outside  Outside step 3 the pool never rises above 6."""
    side = battle.sides[seat]
    side.tokens = max(side.tokens, min(6, side.tokens + tokens))
    battle.tell("veil.gained", "t9a:13.F-outside", (seat,), tokens=side.tokens)
