"""Chapter 11.3  Titans: their capability cards."""

from __future__ import annotations

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import ACTIVATED, Card, Fighter
from grognard.games.ades.losses import casualties
from grognard.games.ades.mystics import power_notes, powers
from grognard.kernel.questions import Pick, Script, option

PLAY = "ades:11.3-play"


def play(battle: Battle, card: Card) -> Script[None]:
    """ades:11.3-play, ades:11.3-activated  A capability takes effect without activating the titan."""
    titan = battle.fighters[card.fighters[0]]
    power = next(p for p in titan.profile.capabilities if p.name == card.capability)
    titan.round = titan.round.but(played=(*titan.round.played, power.name))
    casualties.leave_sequence(battle, card)
    left = [
        p.name for p in titan.profile.capabilities if p.name not in (*titan.round.played, *titan.powers.neutralised)
    ]
    if not left and "reference" in titan.round.played:
        titan.state = ACTIVATED
        battle.cite("ades:11.3-activated")
    battle.tell("capability", PLAY, (titan.id,), capability=power.name)
    if power.target in ("self", "around"):
        reached = [titan] if not power.area else powers.area(battle, power, titan, titan)
    else:
        marks = powers.marks(battle, power, titan)
        target: Fighter | None = yield Pick(
            titan.seat, "power.target", [option(f.id, f, about=(f.id,)) for f in marks], optional=True, rule=PLAY,
            about=(titan.id,), data={"name": power.name}, notes=power_notes.deeds(power),
        )  # fmt: skip
        if target is None:
            return
        reached = powers.area(battle, power, titan, target)
    yield from powers.apply(battle, power, titan, reached, PLAY, source=titan.id)
