"""Chapter 14.6.3: characters who join units inside buildings, and leave them there."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.characters import joining
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.table import sections
from grognard.kernel.questions import Option, Pick, Script


def leave(battle: Battle, unit: Unit, model: Model, home: Unit) -> None:
    """wfb3:14.6.3-leave  He is by himself in the section/level where he stood."""
    room = next(key for key, held in unit.indoors.rooms if model.id in held)
    unit.models = tuple(m for m in unit.models if m != model.id)
    sections.put(unit, {key: [m for m in held if m != model.id] for key, held in unit.indoors.rooms})
    model.unit = home.id
    home.models = (model.id,)
    home.leader = model.id
    model.post = ""
    model.fight = model.fight.but(back=False, fought=False)
    home.where = "building"
    home.indoors = home.indoors.but(rooms=((room, (model.id,)),), revealed=unit.indoors.revealed)
    home.march = home.march.but(done=False)
    home.rout = home.rout.but(routed=False)
    home.combat = home.combat.but(disordered=False)
    home.charge = home.charge.but(target="")
    home.rout = home.rout.but(pursuing="", caught="")
    home.character = home.character.but(stayed=(unit.id,))


def meet(battle: Battle, home: Unit) -> Script[None]:
    """wfb3:14.6.3-attach, wfb3:14.6.5-take-command  A character who comes to friends in a room may join them.

    Ruling: nobody knows who stands base to base in a room, so it is for him to say.
    """
    if home.kind != "character" or home.where != "building" or home.rout.routed or not home.models:
        return
    here = {key for key, _ in home.indoors.rooms}
    near = [
        u for u in sections.inside(battle, home.seat)
        if u is not home and u.kind in joining.JOINED and not u.rout.routed and u.id not in home.character.stayed
        and any(key in here for key, _ in u.indoors.rooms)
    ]  # fmt: skip
    if not near:
        return
    host = yield Pick(
        home.seat, "character.joins", [Option(u.id, u, about=(u.id,)) for u in near], optional=True,
        rule="wfb3:14.6.3-attach", about=(home.id,), secret=not home.indoors.revealed,
    )  # fmt: skip
    if host is None:
        return
    (key, _), model = home.indoors.rooms[0], battle.models[home.models[0]]
    host.models = (*host.models, model.id)
    held = sections.places(host)
    held.setdefault(key, []).append(model.id)
    sections.put(host, held)
    model.unit = host.id
    home.models = ()
    home.indoors = home.indoors.but(rooms=())
    home.where = "attached"
    battle.tell(
        "character.joined",
        "wfb3:14.6.3-attach",
        (model.id, host.id),
        seats=None if host.indoors.revealed else (host.seat,),
    )
    yield from joining.take_command(battle, host, model)
