"""Chapter 15.6: foresters' traps: laid by standing still in a wood, sprung by whoever moves there."""

from __future__ import annotations

from grognard.games.wfb3.abilities.troops import Forester
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import casualties
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.rolls import steps
from grognard.games.wfb3.table import terrain
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.sweeps import Shift, blocked, overlap
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.questions import Option, Pick, Roll, Script
from grognard.kernel.words.tally import Tally

RULE, EFFECT = "wfb3:15.6-traps", "wfb3:15.6-trap-effect"
#: wfb3:15.6-trap-effect
STRENGTH = 4


def woods(battle: Battle, block: Block) -> list[Piece]:
    """The woods any of a block stands in."""
    return [
        p for p in battle.table.pieces if p.kind == "wood" and overlap(block.outline, terrain.outline(p, battle.table))
    ]


def offers(battle: Battle, unit: Unit) -> tuple[list[Option], dict[str, Refusal]]:
    """wfb3:15.6-traps  Foresters in a wood may spend the turn on traps."""
    if battle.trait(unit, Forester) is None:
        return [], {}
    here = [p for p in woods(battle, battle.block_of(unit)) if p.id not in battle.land.trapped]
    if unit.march.moved == battle.clock or not here:
        return [], {"traps": Refusal("refuse.traps", RULE, {"unit": unit.id})}
    return [Option("traps", "traps", "option.move.traps")], {}


def lay(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:15.6-traps  It stays motionless for the whole turn; the traps are ready at its end."""
    here = [p for p in woods(battle, battle.block_of(unit)) if p.id not in battle.land.trapped]
    unit.march = unit.march.but(done=True)
    chosen = yield Pick(
        unit.seat, "traps.wood", [Option(p.id, p.id, about=(p.id,)) for p in here], rule=RULE, about=(unit.id,)
    )
    unit.march = unit.march.but(still_since=battle.clock)
    unit.troops = unit.troops.but(keeper=chosen)
    battle.tell("traps.begun", RULE, (unit.id, chosen))


def finish(battle: Battle) -> None:
    """wfb3:15.6-traps  The end of the turn: whoever stood still all the while has trapped the wood."""
    for unit in battle.army(battle.active):
        if unit.march.still_since != battle.clock or not unit.troops.keeper:
            continue
        wood = unit.troops.keeper
        unit.troops = unit.troops.but(keeper="")
        if unit.march.moved == battle.clock or unit.march.reserve_inches or battle.engaged(unit) or unit.rout.routed:
            continue
        if wood not in battle.land.trapped:
            battle.land = battle.land.but(trapped=(*battle.land.trapped, wood))
        unit.troops = unit.troops.but(own_traps=(*unit.troops.own_traps, wood))
        battle.tell("traps.set", RULE, (unit.id, wood))


def sprung(battle: Battle, unit: Unit, before: Block | None) -> Script[None]:
    """wfb3:15.6-trap-effect  Every model that moved in, into or out of a trapped wood rolls; a 6 is a hit.

    Ruling: the hit must still wound; there is no save.
    """
    if not battle.land.trapped or unit.where != "table" or before is None:
        _forget(battle, unit)
        return
    after = battle.block_of(unit)
    if after == before:
        return
    for key in battle.land.trapped:
        piece = next((p for p in battle.table.pieces if p.id == key), None)
        if piece is None or unit.where != "table":
            continue
        if key in unit.troops.own_traps:
            battle.cite(RULE)
            continue
        caught = _inside(battle, unit, piece, before, after)
        plain = [m for m in caught if battle.models[m].role != "character"]
        if plain:
            yield from _bite(battle, unit, key, len(plain), "")
        for hero in [m for m in caught if battle.models[m].role == "character"]:
            if battle.models[hero].alive:
                yield from _bite(battle, unit, key, 1, hero)
    _forget(battle, unit)


def _inside(battle: Battle, unit: Unit, piece: Piece, before: Block, after: Block) -> list[str]:
    shape = terrain.outline(piece, battle.table)
    old = {p.number: p for p in before.places}
    found = []
    for place in after.places:
        start = old.get(place.number, place)
        way = Shift(place.pose.x - start.pose.x, place.pose.y - start.pose.y)
        if blocked(start.outline, way, shape) or overlap(place.outline, shape):
            found.append(unit.models[place.number])
    return found


def _bite(battle: Battle, unit: Unit, wood: str, dice: int, hero: str) -> Script[None]:
    about = (hero or unit.id, wood)
    faces = yield Roll(unit.seat, "trap", 6, dice, rule=EFFECT, about=about, cuts=(6,))
    hits = sum(face == 6 for face in faces)
    if not hits:
        return
    tough = battle.models[hero].profile.T if hero else unit.profile.T
    need = Tally(steps.wound_need(STRENGTH, tough), f"S{STRENGTH}", EFFECT)
    wounds = yield from steps.wounds(battle.other(unit.seat), hits, need, EFFECT, about)
    battle.tell("traps.sprung", EFFECT, about, hits=hits, wounds=wounds)
    if hero or unit.kind == "character":
        yield from casualties.wound_model(battle, battle.models[hero or unit.models[0]], wounds, EFFECT)
    else:
        yield from casualties.hurt(battle, unit, wounds, EFFECT)


def _forget(battle: Battle, unit: Unit) -> None:
    """wfb3:15.6-traps  Out of the wood they are caught by their own traps like anybody."""
    if unit.troops.own_traps and unit.block is not None:
        here = [p.id for p in woods(battle, unit.block)]
        kept = tuple(w for w in unit.troops.own_traps if w in here)
        if kept != unit.troops.own_traps:
            unit.troops = unit.troops.but(own_traps=kept)
            battle.tell("traps.left", RULE, (unit.id,))
