"""wfb3:14.2-dismount  Characters who dismount, leave their mount in somebody's keeping, and mount again."""

from __future__ import annotations

from grognard.games.wfb3.army.profiles import HORSEMAN, Profile
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.table import ground, seating, terrain
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import single
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Script

RULE = "wfb3:14.2-dismount"
#: How near a mount can be tethered, guarded and fetched.
REACH = inches(2)


def offers(battle: Battle, unit: Unit) -> tuple[list[Option], dict[str, Refusal]]:
    """wfb3:14.2-mounted-characters  What a character may do with his mount instead of moving.

    Ruling: only a character who stands by himself; feature, guards and mount must be within two inches.
    """
    facts = {"unit": unit.id}
    if unit.kind != "character" or battle.engaged(unit):
        return [], {}
    model = battle.models[unit.models[0]]
    if model.hero.champion and model.mount is not None:
        return [], {"dismount": Refusal("refuse.dismount.champion", "wfb3:14.2-mounted-characters", facts)}
    if model.mount is not None and model.mount.rides == "animal":
        if not keepers(battle, unit):
            return [], {"dismount": Refusal("refuse.dismount.keeper", RULE, facts)}
        return [Option("dismount", "dismount", "option.move.dismount")], {}
    if unit.character.steed is not None:
        if not unit.troops.keeper:
            return [], {"remount": Refusal("refuse.remount.gone", RULE, facts)}
        if not _near(battle, unit, unit.troops.keeper):
            return [], {"remount": Refusal("refuse.remount.far", RULE, facts)}
        return [Option("remount", "remount", "option.move.remount")], {}
    return [], {}


def keepers(battle: Battle, unit: Unit) -> list[str]:
    """Terrain features and friendly units within reach."""
    pieces = [p.id for p in battle.table.pieces if _near(battle, unit, p.id)]
    friends = [u.id for u in battle.friends(unit) if not u.rout.routed and _near(battle, unit, u.id)]
    return [*pieces, *friends]


def _near(battle: Battle, unit: Unit, keeper: str) -> bool:
    here = battle.block_of(unit).outline
    other = battle.units.get(keeper)
    if other is not None:
        return other.block is not None and not other.rout.routed and gap(here, other.block.outline) <= REACH + EPS
    piece = next((p for p in battle.table.pieces if p.id == keeper), None)
    return piece is not None and gap(here, terrain.outline(piece, battle.table)) <= REACH + EPS


def dismount(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:14.2-dismount  Instead of moving; the mount is tethered to a feature or guarded by a unit, by name."""
    options = [Option(key, key, about=(key,)) for key in keepers(battle, unit)]
    unit.march = unit.march.but(done=True)
    keeper = yield Pick(unit.seat, "dismount.keeper", options, rule=RULE, about=(unit.id,))
    model = battle.models[unit.models[0]]
    unit.character = unit.character.but(steed=model.mount)
    unit.troops = unit.troops.but(keeper=keeper)
    _rebase(battle, unit, model, None)
    unit.march = unit.march.but(moved=battle.clock)
    battle.tell("character.dismounts", RULE, (unit.id, keeper))


def remount(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:14.2-dismount  He has walked back to his mount."""
    model = battle.models[unit.models[0]]
    steed, keeper = unit.character.steed, unit.troops.keeper
    unit.march = unit.march.but(done=True)
    if steed is None or not _rebase(battle, unit, model, steed):
        battle.tell("manoeuvre.no-room", "wfb3:5.5-base", (unit.id,), step="remount", other=keeper)
        return
    unit.character = unit.character.but(steed=None)
    unit.troops = unit.troops.but(keeper="")
    unit.march = unit.march.but(moved=battle.clock)
    battle.tell("character.remounts", RULE, (unit.id, keeper))
    yield from ()


def _rebase(battle: Battle, unit: Unit, model: Model, mount: Profile | None) -> bool:
    """The character on another base, where he stands."""
    old = model.mount
    x, y = battle.block_of(unit).centre
    model.mount = unit.mount = mount
    base = seating.model_base(model)
    block = single(base, Pose(x, y, battle.block_of(unit).facing))
    if ground.fits(battle, unit, block):
        model.mount = unit.mount = old
        return False
    battle.lift(model)
    (model.body,) = battle.embody([base], None, [HORSEMAN if mount is not None else model.profile.height])
    battle.form(unit, block)
    return True


def strays(battle: Battle) -> None:
    """wfb3:14.2-dismount  A mount whose guards are gone is gone too."""
    for unit in battle.units.values():
        guard = battle.units.get(unit.troops.keeper)
        if unit.character.steed is not None and guard is not None and (guard.where != "table" or guard.rout.routed):
            unit.troops = unit.troops.but(keeper="")
            battle.tell("character.mount-lost", RULE, (unit.id, guard.id))
