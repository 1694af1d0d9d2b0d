"""ades:5.3.2.6  Taking cover from a shot."""

from __future__ import annotations

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import ACTIVATED, WAITING, Fighter
from grognard.games.ades.losses import casualties
from grognard.games.ades.movement import answers, movement
from grognard.games.ades.mystics import devices
from grognard.games.ades.tactics import tactics
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Note, Pick, Script, option


@answers.take_cover.here
def take_cover(battle: Battle, by: Fighter, target: Fighter, *, assault: bool = False) -> Script[bool]:
    """ades:5.3.2.6  A free, waiting target may take cover, but not from an assault shot."""
    seat = target.seat
    if battle.phase != "activation" or seat not in battle.seats or seat == battle.speaker:
        return False
    why = tactics.refusal(battle, seat, "cover") or tactics.fit(battle, target)
    if assault or target.state != WAITING or target.round.returned or not battle.free(target):
        why = Refusal("refuse.no-cover", "ades:5.3.2.6", {"fighter": target.id})
    chosen = yield Pick(
        seat, "cover", [] if why is not None else [option("use", text="option.cover")], optional=True,
        barred={} if why is None else {"use": why}, rule="ades:5.3.2.6", about=(by.id, target.id),
        notes=(tactics.cost(battle, seat, tactics.TACTICS["cover"][2]), Note("note.cover", rule="ades:5.3.2.6")),
    )  # fmt: skip
    if chosen is None:
        return False
    yield from tactics.pay(battle, seat, "cover", target)
    yield from devices.raise_steam(battle, target)
    return True


@answers.dodge_away.here
def dodge_away(battle: Battle, target: Fighter) -> Script[None]:
    """ades:5.3.2.6-move  Still alive, it is activated and makes a dodge move."""
    target.new_activation()
    battle.cite("ades:5.3.2.6-move")
    if battle.free(target):
        yield from movement.make(battle, target, "dodge")
    target.state, target.stance = ACTIVATED, target.stance.but(vigilant=False)
    battle.queue = (*battle.queue, target.id)
    casualties.leave_with(battle, target)
