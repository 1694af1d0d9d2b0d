"""Chapters 14.6.3, 14.6.5, 14.6.6: characters join units, take command, give it up, and leave."""

from __future__ import annotations

from grognard.games.wfb3.abilities.trades import Engineer
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.characters import army_standards, characters, lodging, riding
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.hooks import AFTER_MOVE
from grognard.games.wfb3.movement import formations
from grognard.games.wfb3.psychology import panic
from grognard.games.wfb3.records import NEVER
from grognard.games.wfb3.table import contacts, ground, indoor_fights, machines, seating, sections
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import heading
from grognard.kernel.questions import Option, Pick, Script

#: How near counts as base contact with friends (mm).
TOUCHING = 0.6
#: wfb3:14.6.3-attach  Units a character belongs to as soon as he touches them; chariots and beasts he mounts.
JOINED = ("infantry", "cavalry", "skirmishers")


def start_of_phase(battle: Battle) -> Script[None]:
    """wfb3:14.6.3-leave, wfb3:14.6.6-give-up-command, wfb3:14.6.5-take-command
    At the start of the movement phase characters may go, resign the command of their units, or take it.
    """
    _hand_over(battle)
    characters.come_forward(battle)
    riding.strays(battle)
    while True:
        options, barred = [], {}
        for unit in [*battle.army(battle.active), *sections.inside(battle, battle.active)]:
            for model in battle.characters(unit):
                if unit.kind == "character" or model.id in unit.character.stayed or len(unit.models) < 2:
                    continue
                refusal = leave_refusal(battle, unit, model)
                if refusal is None:
                    options.append(
                        Option(f"leave:{model.id}", ("leave", model), "option.character.leave", (model.id, unit.id))
                    )
                else:
                    barred[f"leave:{model.id}"] = refusal
                if unit.leader == model.id and model.hero.resigning == NEVER:
                    options.append(
                        Option(f"resign:{model.id}", ("resign", model), "option.character.resign", (model.id, unit.id))
                    )
                if not battle.engaged(unit) and not unit.rout.routed and outranks(battle, unit, model):
                    options.append(
                        Option(f"command:{model.id}", ("command", model), "option.character.takes", (model.id, unit.id))
                    )
                elif unit.kind in JOINED and unit.leader != model.id and not outranks(battle, unit, model):
                    facts = {"model": model.id, "unit": unit.id}
                    barred[f"command:{model.id}"] = Refusal(
                        "refuse.command.outranked", "wfb3:14.6.5-take-command", facts
                    )
        if not options and not barred:
            return
        chosen = yield Pick(
            battle.active,
            "character.leaves",
            options,
            optional=True,
            barred=barred,
            rule="wfb3:14.6.3-leave",
            checkpoint=True,
            secret=any(not u.indoors.revealed for u in sections.inside(battle, battle.active)),
        )
        if chosen is None:
            return
        what, model = chosen
        if what == "resign":
            model.hero = model.hero.but(resigning=battle.clock)
            battle.tell("character.resigns", "wfb3:14.6.6-give-up-command", (model.id, model.unit))
        elif what == "command":
            _commands(battle, battle.units[model.unit], model)
        else:
            yield from leave(battle, battle.units[model.unit], model)


def _hand_over(battle: Battle) -> None:
    """wfb3:14.6.6-give-up-command  Who announced it a turn ago gives way now to the old leader."""
    for unit in [*battle.army(battle.active), *sections.inside(battle, battle.active)]:
        leader = battle.leader(unit)
        if leader is not None and leader.hero.resigning != NEVER and leader.hero.resigning < battle.clock:
            leader.hero = leader.hero.but(resigning=NEVER)
            old = battle.role(unit, "leader")
            unit.leader = old.id if old is not None else ""
            battle.tell("character.resigned", "wfb3:14.6.6-give-up-command", (leader.id, unit.id))
            _stand_anew(battle, unit)


def _stand_anew(battle: Battle, unit: Unit) -> None:
    """wfb3:11.1.1-leader-place  Another leads: he takes the centre of the front rank, where there is room for him."""
    block, kept = unit.block, unit.models
    if block is None:
        return
    if block.guests and not block.seats and (made := seating.shaped(battle, unit, block.files)) is not None:
        (x, y), (hx, hy), aside = block.front, heading(block.facing), seating.aside(block) - seating.aside(made)
        placed = made.placed((x + hy * aside, y - hx * aside), block.facing)
        foes = [foe.id for foe, _, _ in battle.foes(unit)]
        if not ground.fits(battle, unit, placed, ignoring=foes):
            unit.block = placed
        else:
            unit.models = kept
    seating.swap_in(battle, unit)


def leave_refusal(battle: Battle, unit: Unit, model: Model) -> Refusal | None:
    """wfb3:14.6.3-leave, wfb3:14.6.3-leave-engaged, wfb3:14.7-champion, wfb3:14.6.3-bound
    Why a character may not leave his unit now."""
    facts = {"model": model.id, "unit": unit.id}
    if model.hero.champion:
        return Refusal("refuse.leave.champion", "wfb3:14.7-champion", facts)
    if _battery(battle, unit, model):
        return Refusal("refuse.leave.battery", "wfb3:15.4-battery", facts)
    if unit.leader == model.id:
        return Refusal("refuse.leave.command", "wfb3:14.6.6-give-up-command", facts)
    if (
        unit.rout.routed
        or unit.rout.pursuing
        or unit.combat.disordered
        or unit.minds.stupid
        or unit.minds.frenzied
        or unit.minds.quarrel
    ):
        return Refusal("refuse.leave.bound", "wfb3:14.6.3-leave", facts, ("wfb3:14.6.3-bound",))
    if (held := army_standards.leave_refusal(battle, unit, model)) is not None:
        return held
    if battle.engaged(unit) and (model.fight.fought or _in_fight(battle, unit, model)):
        return Refusal("refuse.leave.fighting", "wfb3:14.6.3-leave-engaged", facts)
    return None


def _battery(battle: Battle, unit: Unit, model: Model) -> bool:
    """wfb3:15.4-battery  Whether a character is an engineer with the machines he commands."""
    home = battle.units[model.home]
    trade = any(isinstance(t, Engineer) for t in (*model.profile.abilities, *home.traits))
    return trade and any(m.holder == unit.id for m in battle.machines.values())


def _in_fight(battle: Battle, unit: Unit, model: Model) -> bool:
    if unit.where == "building":
        return model.id in indoor_fights.fighting(battle, unit)
    return unit.models.index(model.id) in contacts.engaged_numbers(battle, unit)


def leave(battle: Battle, unit: Unit, model: Model) -> Script[None]:
    """wfb3:14.6.3-leave, wfb3:10.7.6
    He steps out beside the unit, and may move; those he leaves in a fight may panic."""
    spot = characters.beside(battle, unit, model) if unit.where == "table" else None
    if spot is None and unit.where == "table":
        unit.character = unit.character.but(stayed=(*unit.character.stayed, model.id))
        return
    many = len(battle.characters(unit))
    lowest = min(m.hero.level for m in battle.characters(unit))
    home = battle.units[model.home]
    if spot is not None:
        _detach(battle, unit, model, home, spot)
    else:
        lodging.leave(battle, unit, model, home)
    unseen = unit.where == "building" and not unit.indoors.revealed
    battle.tell("character.left", "wfb3:14.6.3-leave", (model.id, unit.id), seats=(unit.seat,) if unseen else None)
    for flag in army_standards.followers(battle, unit, model) if spot is not None else ():
        place = characters.against(battle, home, flag)
        if place is not None:
            _detach(battle, unit, flag, battle.units[flag.home], place)
            battle.tell("character.left", "wfb3:16.1-stay-with-general", (flag.id, unit.id))
    if battle.engaged(unit):
        battle.cite("wfb3:14.6.3-leave-engaged")
        battle.cite("wfb3:10.7.6")
        if not (many >= 3 and model.hero.level == lowest):
            yield from panic.test(battle, unit, "wfb3:10.7.6", home)


def _detach(battle: Battle, unit: Unit, model: Model, home: Unit, spot: Block) -> None:
    unit.models = tuple(m for m in unit.models if m != model.id)
    model.unit = home.id
    home.models = (model.id,)
    home.leader = model.id
    model.post = ""
    model.fight = model.fight.but(back=False, fought=False)
    assert unit.block is not None
    front, facing, files = unit.block.front, unit.block.facing, unit.block.files
    battle.form(unit, seating.settle(battle, unit, files).placed(front, facing))
    formations.shaped(battle, unit)
    battle.form(home, spot)
    home.march = home.march.but(done=False)
    home.rout = home.rout.but(routed=False)
    home.combat = home.combat.but(disordered=False)
    home.charge = home.charge.but(target="")
    home.rout = home.rout.but(pursuing="", caught="")
    home.character = home.character.but(stayed=(unit.id,))


@AFTER_MOVE.by("joining")
def after_move(battle: Battle, home: Unit, before: Block | None) -> Script[None]:
    """wfb3:14.6.3-attach  A character in base contact with a friendly unit belongs to it; one unit at a time."""
    if home.kind not in ("character", "team") or home.where != "table" or home.rout.routed or battle.engaged(home):
        return
    near = [
        u
        for u in battle.friends(home)
        if u.kind in JOINED and not u.rout.routed and u.id not in home.character.stayed and _touch(battle, home, u)
    ]
    if not near:
        return
    host = yield Pick(
        home.seat,
        "character.joins",
        [Option(u.id, u, about=(u.id,)) for u in near],
        rule="wfb3:14.6.3-attach",
        about=(home.id,),
    )
    if home.kind == "team":
        machines.join(battle, home, host)
        return
    yield from join(battle, home, host)


def _touch(battle: Battle, home: Unit, unit: Unit) -> bool:
    """wfb3:14.6.3-attach  Base contact with a unit; with skirmishers in open order, with one of them."""
    if not unit.loose:
        return battle.gap(home, unit) <= TOUCHING
    mine = battle.block_of(home).outline
    return any(gap(mine, place.outline) <= TOUCHING for place in battle.block_of(unit).places)


def join(battle: Battle, home: Unit, host: Unit) -> Script[None]:
    """wfb3:14.6.3-attach, wfb3:14.6.3-place, wfb3:14.6.5-take-command  He steps into the ranks, and may take command.

    Ruling: where the ranks find no room for him he stays outside.
    """
    model = battle.models[home.models[0]]
    kept, block = host.models, battle.block_of(host)
    host.models = (*host.models, model.id)
    made: Block | None = None
    for files in (block.files, block.files + 1):
        shape = seating.shaped(battle, host, files)
        if shape is not None:
            placed = shape.placed(block.front, block.facing)
            if not ground.fits(battle, host, placed, ignoring=(home.id,)):
                made = placed
                break
    if made is None:
        host.models = kept
        return
    model.unit = host.id
    home.models = ()
    home.block = None
    home.where = "attached"
    home.drill = home.drill.but(among=())
    battle.form(host, made)
    formations.shaped(battle, host)
    battle.tell("character.joined", "wfb3:14.6.3-attach", (model.id, host.id))
    battle.cite("wfb3:14.6.3-place")
    yield from take_command(battle, host, model)
    if host.leader != model.id:
        yield from take_place(battle, host, model)


#: wfb3:14.6.3-place  Where a character may stand with a unit, other than in its front rank beside the leader.
POSTS = ("left", "right", "rear", "beside")


def take_place(battle: Battle, host: Unit, model: Model) -> Script[None]:
    """wfb3:14.6.3-place  A place of his own choosing in the ranks, a soldier making room for him; or alongside."""
    options, barred = [], {}
    for post in POSTS:
        if _stands_at(battle, host, model, post) is None:
            barred[post] = Refusal("refuse.place.room", "wfb3:14.6.3-place", {"model": model.id, "unit": host.id})
        else:
            options.append(Option(post, post, f"option.place.{post}"))
    if not options:
        return
    post = yield Pick(
        host.seat, "character.post", options, optional=True, barred=barred, rule="wfb3:14.6.3-place",
        about=(model.id, host.id),
    )  # fmt: skip
    if post is None:
        return
    made = _stands_at(battle, host, model, post)
    assert made is not None
    model.post = post
    battle.form(host, seating.settle(battle, host, made.files).placed(made.front, made.facing))
    battle.tell("character.placed", "wfb3:14.6.3-place", (model.id, host.id), place=post)


def _stands_at(battle: Battle, host: Unit, model: Model, post: str) -> Block | None:
    """The unit with a character at a post, or None where he has no room there; his rank must be of his own base."""
    if post != "beside" and seating.model_base(model) != seating.troop_base(host):
        return None
    kept, block, before = host.models, battle.block_of(host), model.post
    model.post = post
    made = seating.shaped(battle, host, block.files)
    host.models = kept
    model.post = before
    if made is None or (post == "rear" and made.ranks < 2):
        return None
    placed = made.placed(block.front, block.facing)
    return None if ground.fits(battle, host, placed) else placed


def take_command(battle: Battle, unit: Unit, model: Model) -> Script[None]:
    """wfb3:14.6.5-take-command  Where his Ld exceeds the troops' and the present leader's."""
    if not outranks(battle, unit, model):
        return
    options = [Option("command", True, "option.character.command"), Option("follow", False, "option.character.follow")]
    takes = yield Pick(
        model.seat, "character.command", options, optional=True, nay="follow", rule="wfb3:14.6.5-take-command",
        about=(model.id, unit.id),
    )  # fmt: skip
    if takes:
        _commands(battle, unit, model)


def outranks(battle: Battle, unit: Unit, model: Model) -> bool:
    """wfb3:14.6.5-take-command  Whether a character's Ld exceeds that of the troops and of whoever leads them."""
    leader = battle.leader(unit)
    if unit.kind not in JOINED or (leader is not None and leader.id == model.id):
        return False
    return model.profile.Ld > unit.profile.Ld and (leader is None or model.profile.Ld > leader.profile.Ld)


def _commands(battle: Battle, unit: Unit, model: Model) -> None:
    unit.leader = model.id
    model.post = ""
    battle.tell("character.commands", "wfb3:14.6.5-take-command", (model.id, unit.id))
    battle.cite("wfb3:14.6.5-shared-psychology")
    _stand_anew(battle, unit)
