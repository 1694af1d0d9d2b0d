"""wfb3:14.6.3  Characters who join units inside buildings, and leave them there."""

from __future__ import annotations

from grognard.games.wfb3 import joining, rooms
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.kernel.questions import Option, Pick, Script


def leave(battle: Battle, unit: Unit, model: Model, home: Unit) -> None:
    """wfb3:14.6.3-leave  He is by himself in the section/level where he stood."""
    room = next(key for key, held in unit.rooms if model.id in held)
    unit.models = tuple(m for m in unit.models if m != model.id)
    rooms.put(unit, {key: [m for m in held if m != model.id] for key, held in unit.rooms})
    model.unit, home.models, home.leader, model.post = home.id, (model.id,), model.id, ""
    model.back = model.fought = False
    home.where, home.rooms, home.revealed = "building", ((room, (model.id,)),), unit.revealed
    home.done = home.routed = home.disordered = False
    home.target = home.pursuing = home.caught = ""
    home.stayed = (unit.id,)


def meet(battle: Battle, home: Unit) -> Script[None]:
    """wfb3:14.6.3-attach, 14.6.5-take-command  A character who comes to friends in a room may join them.

    Ruling: nobody knows who stands base to base in a room, so it is for him to say.
    """
    if home.kind != "character" or home.where != "building" or home.routed or not home.models:
        return
    here = {key for key, _ in home.rooms}
    near = [
        u for u in rooms.inside(battle, home.seat)
        if u is not home and u.kind in joining.JOINED and not u.routed and u.id not in home.stayed
        and any(key in here for key, _ in u.rooms)
    ]  # fmt: skip
    if not near:
        return
    host = yield Pick(
        home.seat, "character.joins", [Option(u.id, u, about=(u.id,)) for u in near], optional=True,
        rule="wfb3:14.6.3-attach", about=(home.id,), secret=not home.revealed,
    )  # fmt: skip
    if host is None:
        return
    (key, _), model = home.rooms[0], battle.models[home.models[0]]
    host.models = (*host.models, model.id)
    held = rooms.places(host)
    held.setdefault(key, []).append(model.id)
    rooms.put(host, held)
    model.unit = host.id
    home.models, home.rooms, home.where = (), (), "attached"
    battle.tell(
        "character.joined", "wfb3:14.6.3-attach", (model.id, host.id), seats=None if host.revealed else (host.seat,)
    )
    yield from joining.take_command(battle, host, model)
