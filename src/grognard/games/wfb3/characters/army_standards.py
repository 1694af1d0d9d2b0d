"""Chapter 16.1: the army standard and those of contingents: what they lend, how they are passed on, lost and taken."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.characters import standards
from grognard.games.wfb3.forces import PRESENT, Model, Unit
from grognard.games.wfb3.hooks import MOVE_REFUSAL
from grognard.games.wfb3.movement import crossing
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.rolls.modifiers import LEADERSHIP
from grognard.games.wfb3.table import ground, sections
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.sweeps import Shift, gap
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Script
from grognard.kernel.words.tally import Tally

#: wfb3:16.1-reroll, 16.1-rally
REACH = inches(12)
#: How near counts as base contact (mm).
TOUCHING = 0.6


def home_of(battle: Battle, unit: Unit) -> Unit | None:
    """wfb3:16.1-army-standard, wfb3:16.1-contingents  Whose standard a unit recognises: its own contingent's."""
    for home in battle.units.values():
        if home.standards.great and home.seat == unit.seat:
            if home.standards.contingent == unit.standards.contingent:
                return home
            battle.cite("wfb3:16.1-contingents")
    return None


def carrier(battle: Battle, home: Unit) -> Model | None:
    """wfb3:16.1-bearer  Who carries a standard now, while it is carried."""
    model = battle.models.get(home.standards.great_bearer or home.id)
    there = model is not None and model.alive and sections.spot(battle, model) is not None
    return model if home.standards.great == "held" and there else None


def commander(battle: Battle, home: Unit) -> Model | None:
    """wfb3:16.1-stay-with-general  The general, or the commander of the bearer's contingent.

    Ruling: a contingent's commander is the character with the highest Ld among its own, the bearer apart.
    """
    own = [
        u for u in battle.units.values() if u.seat == home.seat and u.standards.contingent == home.standards.contingent
    ]
    if not home.standards.contingent:
        chief = next((u for u in own if u.character.general), None)
        return battle.models.get(chief.id) if chief is not None else None
    chiefs = [
        battle.models[u.id] for u in own if u.id in battle.models and u.kind == "character" and not u.standards.great
    ]
    return max(chiefs, key=lambda m: m.profile.Ld, default=None)


def bearer(battle: Battle, unit: Unit) -> Model | None:
    """wfb3:16.1-general-dead  Who bears the standard a unit recognises, while it has its power."""
    home = home_of(battle, unit)
    model = carrier(battle, home) if home is not None else None
    if home is None or model is None:
        return None
    chief = commander(battle, home)
    if chief is not None and not chief.alive:
        battle.cite("wfb3:16.1-general-dead")
        return None
    battle.cite("wfb3:16.1-army-standard")
    if home.standards.contingent:
        battle.cite("wfb3:16.1-contingents")
    return model


def near(battle: Battle, unit: Unit) -> bool:
    """Whether a unit stands within 12" of the standard it recognises."""
    model = bearer(battle, unit)
    if model is None or battle.units[model.unit].rout.routed:
        return False
    if model.unit == unit.id:
        return True
    host = battle.units[model.unit]
    if host.block is not None and model.id in host.models:
        own = host.block.places[host.models.index(model.id)].outline
    else:
        at = sections.spot(battle, model)
        if at is None:
            return False
        own = Outline((at,), 0.0)
    return any(gap(own, shape) <= REACH + EPS for shape in sections.shapes(battle, unit))


def in_fight(battle: Battle, unit: Unit) -> int:
    """wfb3:16.1-combat, wfb3:7.12-army-standard  One more for the side whose standard is in the fight."""
    model = bearer(battle, unit)
    if model is None or model.unit != unit.id:
        return 0
    battle.cite("wfb3:16.1-combat")
    return 1


def stray(battle: Battle, home: Unit) -> Model | None:
    """wfb3:16.1-stay-with-general  The commander a bearer must stay with: alive, on the table and on foot.

    Ruling: a mounted commander may ride ahead of his bearer (the translator's footnote).
    """
    if home.standards.great != "held" or (home.standards.great_bearer and home.standards.great_bearer != home.id):
        return None
    chief = commander(battle, home)
    if chief is None or not chief.alive or not chief.on_table:
        return None
    if chief.mount is not None:
        battle.cite("wfb3:16.1-stay-with-general")
        return None
    return chief


def leave_refusal(battle: Battle, unit: Unit, model: Model) -> Refusal | None:
    """wfb3:16.1-stay-with-general  The bearer does not leave the unit his general is in."""
    chief = stray(battle, battle.units[model.home])
    if chief is None or chief.unit != unit.id:
        return None
    return Refusal("refuse.leave.standard", "wfb3:16.1-stay-with-general", {"model": model.id, "unit": unit.id})


def followers(battle: Battle, unit: Unit, chief: Model) -> list[Model]:
    """wfb3:16.1-stay-with-general  Bearers in a unit who go with their commander when he leaves it.

    Ruling: a commander on foot who leaves a unit takes the standard with him, the bearer at his side.
    """
    own = [battle.models[key] for key in unit.models if battle.units[battle.models[key].home].standards.great]
    return [m for m in own if m.id != chief.id and stray(battle, battle.units[m.home]) is chief]


def walk_along(battle: Battle, unit: Unit, before: Block) -> None:
    """wfb3:16.1-stay-with-general  Who bore the standard at his general's side when he set out goes with him.

    Ruling: straight to the same side of him, where the way is free and not too far for the bearer; else he is moved
    by himself, and only nearer.
    """
    if unit.kind != "character" or unit.where != "table" or battle.engaged(unit) or unit.block is None:
        return
    if any(u.kind != "character" and battle.gap(unit, u) <= TOUCHING for u in battle.friends(unit)):
        return  # he joins a unit, and his bearer may follow him into it
    dx, dy = unit.block.centre[0] - before.centre[0], unit.block.centre[1] - before.centre[1]
    for home in battle.army(unit.seat):
        if (
            home.kind != "character"
            or home.march.done
            or home.rout.routed
            or battle.engaged(home)
            or home.block is None
        ):
            continue
        chief = stray(battle, home)
        if chief is None or chief.unit != unit.id or gap(home.block.outline, before.outline) > TOUCHING:
            continue
        block, way = home.block, Shift(dx, dy)
        if math.hypot(dx, dy) > inches(float(stats.move(battle, home).value)) + EPS:
            continue
        things = ground.things(battle, home, ignoring=(unit.id,))
        moved = block.placed((block.x + dx, block.y + dy), block.facing)
        if crossing.stops(block.outline, way, things).obstacle is None and not ground.fits(battle, home, moved):
            battle.form(home, moved)
            home.march = home.march.but(done=True)
            if battle.phase == "movement":
                home.march = home.march.but(moved=battle.clock)
            else:
                home.march = home.march.but(reserve_inches=math.hypot(dx, dy) / inches(1))
            battle.tell("character.along", "wfb3:16.1-stay-with-general", (home.id, unit.id))


def distance(battle: Battle, home: Unit, chief: Model, x: float, y: float) -> float:
    """From a place to a commander, middle to middle."""
    pose = battle.pose(chief)
    return float(((pose.x - x) ** 2 + (pose.y - y) ** 2) ** 0.5)


@MOVE_REFUSAL.by("army standard")
def path_refusal(battle: Battle, unit: Unit, end: tuple[float, float]) -> Refusal | None:
    """wfb3:16.1-stay-with-general  A bearer by himself moves towards his general, never away.

    Ruling: parted from him he may end his move no further from him than he began; in contact he stays in contact.
    """
    if unit.kind != "character" or not unit.standards.great:
        return None
    chief = stray(battle, unit)
    if chief is None:
        return None
    start = battle.block_of(unit).centre
    if distance(battle, unit, chief, *end) > distance(battle, unit, chief, *start) + EPS:
        return Refusal("refuse.move.standard", "wfb3:16.1-stay-with-general", {"unit": unit.id, "general": chief.id})
    return None


def fallen(battle: Battle, model: Model, unit: Unit) -> None:
    """wfb3:16.1-lost, wfb3:16.1-capture  The bearer has been killed: in a fight its result decides, else it lies lost.

    Ruling: out of close combat a standard whose bearer is killed within a unit is taken up by the others there.
    """
    for home in battle.units.values():
        if home.standards.great != "held" or (home.standards.great_bearer or home.id) != model.id:
            continue
        home.standards = home.standards.but(great="dropped", great_at=unit.id)
        battle.tell("standard.fallen", "wfb3:16.1-capture", (model.id, unit.id))
        if not any(m.alive and m.id != model.id for m in battle.members(unit)):
            lose(battle, home, unit)


def lose(battle: Battle, home: Unit, unit: Unit) -> None:
    """wfb3:16.1-lost  Lost, not captured: the unit it was with loses two of Ld, and so do the characters there."""
    home.standards = home.standards.but(great="lost")
    _penalty(battle, home, unit, 2)
    battle.tell("standard.lost", "wfb3:16.1-lost", (home.id, unit.id))


def _penalty(battle: Battle, home: Unit, unit: Unit, less: int) -> None:
    unit.standards = unit.standards.but(great_loss=less)
    for model in battle.characters(unit):
        model.hero = model.hero.but(ld_less=less)
    bearer = battle.models.get(home.id)
    if bearer is not None and bearer.alive:
        bearer.hero = bearer.hero.but(ld_less=less)


def take(battle: Battle, home: Unit, unit: Unit, captor: Unit) -> None:
    """wfb3:16.1-capture, wfb3:16.1-lost  Captured: three of Ld, until it is won back."""
    home.standards = home.standards.but(great="captured", great_at=unit.id)
    _penalty(battle, home, unit, 3)
    battle.tell("standard.captured", "wfb3:16.1-capture", (home.id, captor.id))


def retaken(battle: Battle, home: Unit, unit: Unit) -> None:
    """wfb3:16.1-lost  Recaptured, a standard brings back what was lost with it; somebody of the unit bears it on."""
    for one in battle.units.values():
        if one.seat == home.seat:
            one.standards = one.standards.but(great_loss=0)
    for model in battle.models.values():
        if model.seat == home.seat:
            model.hero = model.hero.but(ld_less=0)
    home.standards = home.standards.but(great="dropped", great_at=unit.id)
    battle.tell("standard.retaken", "wfb3:16.1-lost", (home.id, unit.id))


def pass_on(battle: Battle, home: Unit, unit: Unit) -> Script[None]:
    """wfb3:16.1-bearer  To another character, at worst the general; an ordinary soldier where there is no other."""
    chiefs = [m for m in battle.characters(unit) if m.alive]
    others = [m for m in chiefs if not battle.units[m.home].character.general] or chiefs
    options = [Option(m.id, m, about=(m.id,)) for m in others]
    if not options:
        plain = next((m for m in battle.ordinary(unit) if not m.role), None) or next(iter(battle.ordinary(unit)), None)
        if plain is None:
            lose(battle, home, unit)
            return
        options = [Option(plain.id, plain, about=(plain.id,))]
    model = yield Pick(unit.seat, "standard.bearer", options, rule="wfb3:16.1-bearer", about=(home.id, unit.id))
    home.standards = home.standards.but(great="held", great_bearer=model.id, great_at="")
    battle.tell("standard.up", "wfb3:16.1-bearer", (home.id, model.id))


def dropped_in(battle: Battle, unit: Unit) -> list[Unit]:
    return [h for h in battle.units.values() if h.standards.great == "dropped" and h.standards.great_at == unit.id]


def settle(battle: Battle) -> Script[None]:
    """Standards that lie with units no enemy fights are taken up again."""
    for home in battle.units.values():
        if home.standards.great == "dropped":
            unit = battle.units[home.standards.great_at]
            if unit.where not in PRESENT or unit.rout.routed:
                lose(battle, home, unit)
            elif not battle.engaged(unit):
                yield from pass_on(battle, home, unit)


def after_round(battle: Battle, victors: Sequence[Unit], beaten: Sequence[Unit]) -> Script[list[Unit]]:
    """wfb3:16.1-capture  Winners pass it on; a beaten unit's is fought for like its banner. Who is pushed back."""
    pushed: list[Unit] = []
    for unit in beaten:
        losers = [unit]
        for home in dropped_in(battle, unit):
            if unit.where == "table" and not unit.rout.routed:
                battle.cite("wfb3:16.1-capture")
                losers = yield from standards.dispute(battle, unit, home.id)
        pushed += [u for u in losers if u not in pushed]
    for unit in (*victors, *beaten):
        for home in dropped_in(battle, unit):
            if unit.where == "table" and (unit in victors or unit not in pushed):
                battle.cite("wfb3:16.1-capture")
                yield from pass_on(battle, home, unit)
    return pushed


def dropped_in_rout(battle: Battle, unit: Unit, captor: Unit | None) -> None:
    """wfb3:16.1-capture  As unit banners: a unit routed in close combat has it taken, elsewhere it is lost."""
    for home in battle.units.values():
        if home.standards.great == "dropped" and home.standards.great_at == unit.id:
            pass
        elif home.standards.great != "held" or (home.standards.great_bearer or home.id) not in unit.models:
            continue
        if captor is not None:
            take(battle, home, unit, captor)
            standards.take_great(battle, home, captor)
        else:
            lose(battle, home, unit)


@LEADERSHIP.by("army standard")
def _leadership(battle: Battle, unit: Unit, purpose: str, tally: Tally) -> None:
    """wfb3:16.1-rally  One more to rally near the standard a unit recognises."""
    if purpose == "rally" and near(battle, unit):
        tally.add(1, "army-standard", "wfb3:16.1-rally")
