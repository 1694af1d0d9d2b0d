"""Chapter 10.2.2, 10.3, 10.4  War weapons: their crews, firing and moving them."""

from __future__ import annotations

import math

from grognard.games.ades.army.profiles import Profile
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import ACTIVATED, ACTIVE, WAITING, Fighter, Thing
from grognard.games.ades.rolls import stats
from grognard.games.ades.rolls.tests import Shift
from grognard.games.ades.shooting import artillery, shooting
from grognard.games.ades.shooting.shot_numbers import Gun
from grognard.games.ades.table import ground, standing
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.base import Base, Pose
from grognard.kernel.geometry.moving.paths import Ground
from grognard.kernel.geometry.units import cm, snap
from grognard.kernel.placing.tracks import Track, parse, write
from grognard.kernel.questions import Pick, Place, Script, option
from grognard.kernel.words.tally import Tally

FIRE, MOVE = "ades:10.3-fire", "ades:10.4"
NONE = Refusal("", FIRE)


def able(battle: Battle, thing: Thing, seat: str) -> list[Fighter]:
    """ades:10.2.2.2-crew  Free fighters of one side with TIR in contact, who may be the crew."""
    return [
        f for f in battle.army(seat)
        if battle.touches_thing(f, thing) and battle.free(f) and stats.has_stat(battle, f, "TIR") and not f.fear.routed
    ]  # fmt: skip


def man(battle: Battle) -> Script[None]:
    """ades:10.2.2.2-roles, ades:10.2.2.3  At the start of a turn each war weapon gets its crew."""
    for thing in battle.things_of("weapon"):
        _stand_down(battle, thing)
        for seat in _sides(battle, thing):
            yield from _muster(battle, thing, seat)
            if thing.crew:
                break


def stand_by(battle: Battle) -> None:
    """ades:10.2.2.2-roles  The crews of a situation in the middle of a turn: those named, or all there is room for."""
    for thing in battle.things_of("weapon"):
        assert thing.profile is not None
        said = thing.crew
        _stand_down(battle, thing)
        for seat in _sides(battle, thing)[:1]:
            found = [f for f in able(battle, thing, seat) if not said or f.id in said]
            if len(found) > 2 * thing.profile.equ:
                battle.cite("ades:10.2.2.2-size")
            _form(battle, thing, seat, found[: 2 * thing.profile.equ])


def _sides(battle: Battle, thing: Thing) -> list[str]:
    """ades:10.2.2.3  Who could crew a weapon: who did so last before the other. Ruling: at first who recruited it."""
    found = [seat for seat in battle.seats if able(battle, thing, seat)]
    return sorted(found, key=lambda seat: (seat != thing.last, seat != thing.seat))


def _muster(battle: Battle, thing: Thing, seat: str) -> Script[None]:
    """ades:10.2.2.2-crew, ades:10.2.2.2-size
    Those beside it may be the crew, twice EQU at most; the others are named."""
    assert thing.profile is not None
    found, most = able(battle, thing, seat), 2 * thing.profile.equ
    least = max(0, len(found) - most)
    if least:
        battle.cite("ades:10.2.2.2-size")
    _form(battle, thing, seat, found[:most])
    left: tuple[Fighter, ...] | Fighter | None = yield Pick(
        seat, "crew.without", [option(f.id, f, about=(f.id,)) for f in found], most=len(found), optional=True,
        rule="ades:10.2.2.2-size" if least else "ades:10.2.2.2-crew", about=(thing.id,), aside=True,
    )  # fmt: skip
    if left:
        _stand_down(battle, thing)
        without = left if isinstance(left, tuple) else (left,)
        members = [f for f in found if f not in without][:most]
        if members:
            _form(battle, thing, seat, members)


def _stand_down(battle: Battle, thing: Thing) -> None:
    for key in thing.crew:
        battle.fighters[key].stands = ""
    thing.crew, thing.servants = (), ()
    if thing.id in battle.cards:
        battle.cards[thing.id].shared = ()


def _form(battle: Battle, thing: Thing, seat: str, members: list[Fighter]) -> None:
    """ades:10.2.2, ades:10.2.2.2-roles  The crew is announced, and the weapon's card stands for it."""
    assert thing.profile is not None
    battle.cite("ades:10.2.2.3", "ades:10.2.2", "ades:10.2.2.1", "ades:10.2.2.2-crew", "ades:10.1")
    thing.last = seat
    thing.crew = tuple(f.id for f in members)
    thing.servants = tuple(f.id for f in members if serves(battle, f, thing.profile))
    card = battle.cards.get(thing.id)
    if card is not None:
        card.seat, card.shared = seat, thing.crew
        for fighter in members:
            fighter.stands = card.id
    battle.tell(
        "crew", "ades:10.2.2.2-roles", (thing.id, *thing.crew), servants=list(thing.servants), seat=seat,
        substitutes=[key for key in thing.crew if key not in thing.servants],
    )  # fmt: skip


def serves(battle: Battle, fighter: Fighter, profile: Profile) -> bool:
    """ades:10.2.2.2-roles  A servant meets the machine's condition; the others are substitutes."""
    return not profile.servant or profile.servant in battle.marks(fighter)


def machine_of(battle: Battle, fighter: Fighter) -> Thing | None:
    return next((t for t in battle.things_of("weapon") if fighter.id in t.crew), None)


def present(battle: Battle, thing: Thing) -> list[Fighter]:
    """The crew that can still act together: in contact, free, not activated apart."""
    found = [battle.fighters[key] for key in thing.crew]
    return [
        f for f in found
        if f.on_table and battle.touches_thing(f, thing) and battle.free(f) and f.state in (WAITING, ACTIVE)
        and not any(d in ("walk", "run", "shoot", "cast") for d in f.activation.done) and not f.fear.routed
    ]  # fmt: skip


def may_fire(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    thing = machine_of(battle, fighter)
    if thing is None or thing.profile is None or not thing.profile.weapons:
        return NONE
    if not battle.free(fighter):
        return Refusal("refuse.not-free", "ades:10.2.2.2-crew", {"fighter": fighter.id})
    return None


def may_move(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    thing = machine_of(battle, fighter)
    if thing is None or thing.profile is None:
        return NONE
    return None if potential(battle, thing).value > 0 else Refusal("refuse.too-heavy", MOVE, {"fighter": fighter.id})


def undercrew(battle: Battle, thing: Thing, members: list[Fighter]) -> list[Shift]:
    """ades:10.3-undercrew  One column left for each missing member."""
    assert thing.profile is not None
    missing = thing.profile.equ - len(members)
    return [(-missing, "crew too small", "ades:10.3-undercrew")] if missing > 0 else []


def fire(battle: Battle, fighter: Fighter) -> Script[str]:
    """ades:10.3-fire  One member fires, exclusive for the whole crew; a substitute one column left."""
    thing = machine_of(battle, fighter)
    assert thing is not None and thing.profile is not None
    members = present(battle, thing)
    shifts = undercrew(battle, thing, members)
    if fighter.id not in thing.servants:
        shifts.append((-1, "substitute", FIRE))
    weapon = yield from shooting.weapon_for(battle, fighter, list(thing.profile.weapons))
    battle.cite(FIRE, *((artillery.RULE,) if weapon.artillery else ()))
    outcome = yield from artillery.discharge(battle, Gun(fighter, weapon, thing, tuple(shifts)))
    if outcome == "done":
        _spend(battle, fighter, members)
    return outcome


def _spend(battle: Battle, fighter: Fighter, members: list[Fighter]) -> None:
    for other in members:
        if other is not fighter:
            other.state = ACTIVATED


def potential(battle: Battle, thing: Thing, pushing: list[Fighter] | None = None) -> Tally:
    """ades:10.4, ades:10.2.2.1
    Lowest MOU of those who push, less POI; 2.5 less for each missing, 2.5 more for each extra."""
    assert thing.profile is not None
    members = present(battle, thing) if pushing is None else pushing
    slowest = min((stats.value(battle, f, "MOU") for f in members), default=0.0)
    total = Tally(slowest, "slowest MOU", MOVE).add(-thing.profile.poi, "POI", "ades:10.2.2.1")
    spare = len(members) - thing.profile.equ
    if spare < 0:
        total.add(2.5 * spare, "missing crew", MOVE)
    else:
        total.add(min(2.5 * spare, thing.profile.poi), "extra crew", MOVE)
    return total.at_least(0, "never below 0", MOVE)


class PushJudge:
    """ades:10.4  Where a war weapon may be pushed: straight, within its potential, to free ground."""

    def __init__(self, battle: Battle, thing: Thing, members: list[Fighter], far: float) -> None:
        self.battle, self.thing, self.members, self.far = battle, thing, members, far

    def decode(self, wire: object) -> tuple[float, float]:
        thing, battle = self.thing, self.battle
        found = parse(wire, [thing.id], MOVE)
        facts = {"fighter": thing.id}
        if thing.id not in found or not found[thing.id].path:
            raise Refused(Refusal("refuse.not-placed", MOVE, facts))
        x, y = found[thing.id].path[-1]
        straight = math.dist((thing.x, thing.y), (x, y))
        spent = ground.dear(battle, [(thing.x, thing.y), (x, y)], battle.bodies.base(thing.body).half_length)
        if spent > straight + 1e-6:
            battle.cite("ades:9.2.1-difficult")
        if spent > self.far + 1.0:
            data = {"needs": round(spent / cm(1), 2), "has": round(self.far / cm(1), 2)}
            also = ("ades:9.2.1-difficult",) if spent > straight + 1e-6 else ()
            raise Refused(Refusal("refuse.too-far", MOVE, facts | data, also))
        if not self._ground().leg_clear((thing.x, thing.y), (x, y)):
            raise Refused(Refusal("refuse.in-the-way", MOVE, facts))
        base, pose = battle.bodies.base(thing.body), Pose(x, y)
        pushers = [f.body for f in self.members]
        if not battle.bodies.clear_at(base, pose, (thing.body, *pushers)):
            raise Refused(Refusal("refuse.no-room", MOVE, facts))
        return x, y

    def _ground(self) -> Ground:
        battle = self.battle
        skip = [self.thing.body, *(f.body for f in self.members)]
        discs = [
            (battle.bodies.pose(i).x, battle.bodies.pose(i).y, battle.bodies.base(i).half_width)
            for i in range(len(battle.bodies)) if battle.bodies.is_present(i) and i not in skip
        ]  # fmt: skip
        rings = [p.ring for p in battle.table.pieces if p.has("impassable")]
        size = (battle.table.width, battle.table.height)
        return Ground.of(battle.bodies.base(self.thing.body).half_width, discs, polygons=rings, size=size)

    def encode(self, wire: object) -> object:
        return write(parse(wire, [self.thing.id], MOVE))

    def proposals(self) -> list[str]:
        return ["forward", "right", "back", "left", "hold"]

    def propose(self, name: str) -> object:
        ways = {"forward": (0, 1), "right": (1, 0), "back": (0, -1), "left": (-1, 0), "hold": (0, 0)}
        dx, dy = ways[name]
        for share in (1.0, 0.6, 0.3):
            x, y = self.thing.x + dx * self.far * share, self.thing.y + dy * self.far * share
            wire = write({self.thing.id: Track(((snap(x), snap(y)),))})
            try:
                self.decode(wire)
            except Refused:
                continue
            return wire
        return None


def move(battle: Battle, fighter: Fighter) -> Script[str]:
    """ades:10.4, ades:10.4-crew  The crew pushes its weapon; they end round it as they stood. Ruling: a walk."""
    thing = machine_of(battle, fighter)
    assert thing is not None
    everyone = present(battle, thing)
    members = yield from _pushing(battle, fighter, thing, everyone)
    far = potential(battle, thing, members)
    battle.cite(*far.rules)
    judge = PushJudge(battle, thing, members, cm(far.value))
    place = yield Place(
        fighter.seat, "machine.move", (thing.id,), judge, optional=True, rule=MOVE, about=(thing.id, fighter.id),
        data={"cm": far.value},
    )  # fmt: skip
    if place is None:
        return "held"
    x, y = place
    dx, dy = x - thing.x, y - thing.y
    thing.x, thing.y = x, y
    battle.bodies.place(thing.body, Pose(x, y))
    _follow(battle, thing, members, dx, dy)
    crew = [f.id for f in members]
    battle.tell("machine.moved", MOVE, (thing.id, *crew), cm=round(math.hypot(dx, dy) / cm(1), 2), crew=crew)
    _spend(battle, fighter, everyone)
    return "done"


def _pushing(battle: Battle, fighter: Fighter, thing: Thing, members: list[Fighter]) -> Script[list[Fighter]]:
    """ades:10.4  Those of the crew who take part; the others, who may be slower, are left where they stand."""
    others = [f for f in members if f is not fighter]
    if not others:
        return members
    stay: tuple[Fighter, ...] = yield Pick(
        fighter.seat, "machine.stay", [option(f.id, f, about=(f.id,)) for f in others], least=0, most=len(others),
        rule=MOVE, about=(thing.id, fighter.id),
    )  # fmt: skip
    left = stay if isinstance(stay, tuple) else ((stay,) if stay else ())
    return [f for f in members if f not in left]


@cites
def _follow(battle: Battle, thing: Thing, members: list[Fighter], dx: float, dy: float) -> None:
    """ades:10.4-crew  In the same arrangement, or as near to it as there is room."""
    for fighter in members:
        battle.bodies.remove(fighter.body)
    weapon, at = battle.bodies.base(thing.body), battle.bodies.pose(thing.body)
    for fighter in members:
        old = battle.bodies.pose(fighter.body)
        wished = (old.x + dx, old.y + dy)
        battle.bodies.restore(fighter.body, old)
        spot = _beside(battle, fighter, weapon, at, wished, old.facing)
        if spot is not None:
            battle.put(fighter, spot)
        fighter.round = fighter.round.but(moved=True)


def _beside(
    battle: Battle, fighter: Fighter, weapon: Base, at: Pose, wished: tuple[float, float], facing: float
) -> Pose | None:
    """The place in contact with a weapon that is nearest to where one of its crew would stand."""
    base = battle.base(fighter)
    angle = math.atan2(wished[1] - at.y, wished[0] - at.x)
    pose = standing.touching(base, weapon, at, angle, facing)
    if ground.stands(battle, fighter, pose):
        return pose
    spots = [standing.nearest(part, wished) for _, part in standing.contacts(battle, base, weapon, at, (fighter.body,))]
    for x, y in sorted((s for s in spots if s is not None), key=lambda s: (round(math.dist(s, wished), 3), s)):
        pose = standing.touching(base, weapon, at, math.atan2(y - at.y, x - at.x), facing)
        if ground.stands(battle, fighter, pose):
            return pose
    return None
