"""wfb3:5.3.3-formations, wfb3:5.3.4-leader-place  Who stands where in a formation of so many files."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from grognard.games.wfb3.abilities.troops import Levy
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.kernel.citing import cites
from grognard.kernel.formation.block import Block, Guest, Post, Seat, cells_covered, cells_needed
from grognard.kernel.geometry.base import Base
from grognard.kernel.geometry.units import inches

#: wfb3:14.6.3-place  Ends of the front rank a character may take.
ENDS = ("left", "right")
#: Room skirmishers keep between them: well within the two inches of wfb3:15.10-spacing.
OPEN_ORDER = inches(0.5)
#: Room between the chariots of a unit: not base to base, well within the four inches of wfb3:20.1-units.
ABREAST = inches(1)


def troop_base(unit: Unit) -> Base:
    return (unit.mount or unit.profile).base


def model_base(model: Model) -> Base:
    return (model.mount or model.profile).base


def split(battle: Battle, unit: Unit) -> tuple[list[Model], list[Model]]:
    """Those on the unit's own base, who fill its cells, and those on others (guests)."""
    base = troop_base(unit)
    members = battle.members(unit)
    own = [m for m in members if model_base(m) == base and (m.post != "beside" or m.id == unit.leader)]
    return own, [m for m in members if m not in own]


def order(models: Sequence[Model], files: int, leader: str) -> list[Model]:
    """wfb3:11.1.1-leader-place  The leader in the centre of the front rank, then bearer, musician, characters."""
    front: dict[int, Model] = {}
    seats = _from_centre(min(files, len(models)))
    wanted = sorted(
        (m for m in models if _in_front(m, leader) and not m.fight.back), key=lambda m: _precedence(m, leader)
    )
    for model in wanted:
        free = [n for n in seats if n not in front]
        if free:
            front[{"left": min, "right": max}[model.post](free) if model.post in ENDS else free[0]] = model
    taken = {m.id for m in front.values()}
    rest = iter(sorted((m for m in models if m.id not in taken), key=_behind))
    placed = [front[n] if n in front else next(rest) for n in range(len(models))]
    return _handlers(placed, files, leader)


def _in_front(model: Model, leader: str) -> bool:
    """wfb3:12.1-placement, wfb3:12.3-carry-captured  Who has a place of his own in the front rank."""
    if model.id == leader:
        return True
    return model.post in ("front", *ENDS) if model.post or model.trophy else bool(model.role)


def _behind(model: Model) -> int:
    """wfb3:15.1-pack-unit, wfb3:14.6.3-step-back  Beasts before handlers, those who stay out of the fight last."""
    if not model.fight.back and (model.post == "rear" or (model.trophy and model.post != "front")):
        return 1
    return 0 if not model.fight.back else 1 if model.role == "handler" else 2


def _handlers(placed: list[Model], files: int, leader: str) -> list[Model]:
    """wfb3:15.1-pack-unit  The leading handler stands in the centre of the first rank of handlers."""
    numbers = [n for n, m in enumerate(placed) if m.role == "handler" and m.fight.back]
    mine = next((n for n in numbers if placed[n].id == leader), None)
    if mine is None:
        return placed
    first = [n for n in numbers if n // files == numbers[0] // files]
    middle = first[(len(first) - 1) // 2]
    placed[mine], placed[middle] = placed[middle], placed[mine]
    return placed


def _from_centre(files: int) -> list[int]:
    """Places of the front rank from the centre outwards; of two centres, the left one first."""
    middle = (files - 1) // 2
    return sorted(range(files), key=lambda n: (abs(n - middle), n))


def _precedence(model: Model, leader: str) -> tuple[int, int]:
    if model.id == leader:
        return 0, 0
    return {"leader": 1, "standard": 2, "musician": 3, "character": 4}.get(model.role, 5), -model.hero.level


def guests(unit: Unit, others: Sequence[Model], files: int) -> tuple[Guest, ...] | None:
    """wfb3:14.6.3-place, wfb3:11.1.1-leader-place
    Models on other bases: in the ranks where theirs covers whole cells, else alongside the unit. Who leads it stands
    in the centre of the front rank whatever his base.
    """
    base = troop_base(unit)
    found: dict[str, Guest] = {}
    free, sides = list(range(files)), [Post.LEFT, Post.RIGHT]
    for model in sorted(others, key=lambda m: m.id != unit.leader):
        wide = cells_needed(model_base(model), base)[0]
        if model.id == unit.leader and model.role == "character" and wide <= files:
            first = (files - wide) // 2
            found[model.id] = Guest(model_base(model), first, 0, squeezed=True)
            free = [file for file in free if not first <= file < first + wide]
            continue
        cells = cells_covered(model_base(model), base) if model.post != "beside" else None
        if model.role == "altar" and cells is not None and cells[0] <= files:
            found[model.id] = Guest(model_base(model), (files - cells[0]) // 2, 1)
            continue
        column = next((n for n in free if set(range(n, n + wide)) <= set(free)), None) if cells is not None else None
        if column is not None:
            found[model.id] = Guest(model_base(model), column, 0)
            free = [file for file in free if not column <= file < column + wide]
        elif sides:
            found[model.id] = Guest(model_base(model), post=sides.pop(0))
        else:
            return None
    return tuple(found[model.id] for model in others)


def shaped(battle: Battle, unit: Unit, files: int) -> Block | None:
    """The unit in so many files, somewhere; its models are put in order. None where it cannot be laid out."""
    own, others = split(battle, unit)
    if not own:
        own, others = others[:1], others[1:]
        base = model_base(own[0])
    else:
        base = troop_base(unit)
    files = max(1, min(files, len(own) + len(others)))
    stand = guests(unit, others, files)
    if stand is None:
        return None
    gap = 0.0
    if unit.kind == "skirmishers":
        gap = OPEN_ORDER if unit.block is None else unit.block.spacing
    if unit.kind == "chariot" and len(own) > 1:
        gap = ABREAST
        battle.cite("wfb3:20.1-units")
    try:
        block = Block(0.0, 0.0, 0.0, files, len(own), base, (), stand, 0, gap)
    except ValueError:
        return None
    unit.models = tuple(m.id for m in [*order(own, min(block.lead, len(own)), unit.leader), *others])
    return _bent(unit, block)


def _bent(unit: Unit, line: Block) -> Block:
    """wfb3:5.7.1-file  A file that stands in a bend keeps it when somebody leaves or joins it."""
    old = unit.block
    if unit.drill.formation != "file" or old is None or not old.seats or line.files != 1:
        return line
    if [g for g in old.guests if g.post is Post.RANKS] != [g for g in line.guests if g.post is Post.RANKS]:
        return line
    shift = aside(line) - aside(old)
    seats = [seat._replace(right=seat.right + shift) for seat in old.seats[: line.troops - 1]]
    while 0 < len(seats) < line.troops - 1:
        last = seats[-1]
        turn, far = math.radians(last.turn), line.base.length
        right, back = last.right - math.sin(turn) * far, last.back + math.cos(turn) * far
        seats.append(Seat(right, back, last.turn, 0, len(seats) + 1))
    return msgspec.structs.replace(line, seats=tuple(seats))


def aside(file: Block) -> float:
    """How far right of the middle of its front the first model of a file stands, others standing beside him."""
    beside = {post: sum(g.base.width for g in file.guests if g.post is post) for post in (Post.LEFT, Post.RIGHT)}
    return (beside[Post.LEFT] - beside[Post.RIGHT]) / 2


def settle(battle: Battle, unit: Unit, files: int) -> Block:
    """The formation nearest to so many files, where the unit stands."""
    for width in sorted(range(1, len(unit.models) + 1), key=lambda n: (abs(n - files), n)):
        made = shaped(battle, unit, width)
        if made is not None:
            return made if unit.block is None else made.placed(unit.block.front, unit.block.facing)
    raise AssertionError(f"{unit.id} cannot be formed")


def crowd(count: int) -> int:
    """wfb3:8.4-moves, wfb3:15.7-mob  Files of a shapeless block: as many ranks as files."""
    return max(1, math.ceil(math.sqrt(count)))


def usual_files(unit: Unit) -> int:
    """wfb3:5.3.1-size  A frontage units are commonly deployed in: four ranks for big units, fewer for small ones."""
    count = len(unit.models)
    if any(isinstance(t, Levy) for t in unit.traits):
        return crowd(count)
    return max(1, min(count, math.ceil(count / (3 if count >= 15 else 2))))


def unwall(battle: Battle, unit: Unit) -> None:
    """wfb3:5.7.6-shield-wall-end  Flight, pursuit, compulsion or a psychological effect end a shield wall."""
    if unit.drill.formation == "shield-wall":
        unit.drill = unit.drill.but(formation="ranks")
        battle.tell("formation", "wfb3:5.7.6-shield-wall-end", (unit.id,), formation="ranks")


@cites
def swap_in(battle: Battle, unit: Unit) -> None:
    """wfb3:11.1.1-leader-place  After a turn or losses leader, bearer and musician take their places again."""
    block = battle.block_of(unit)
    own, others = split(battle, unit)
    unit.models = tuple(m.id for m in [*order(own, min(block.lead or block.files, len(own)), unit.leader), *others])
    battle.form(unit, block)
