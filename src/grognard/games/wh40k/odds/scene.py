"""Who attacks whom: units from datasheets and army lists, or on a table as cases write it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from grognard.games.wh40k.army.cards import Recruit, arm, datasheets, load_army, starters
from grognard.games.wh40k.army.profiles import Datasheet, Profile, Weapon, parse_datasheet
from grognard.games.wh40k.attacks.attacks import Volley
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.cases import given
from grognard.games.wh40k.fight import melee
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.house import HOUSE_RULES
from grognard.games.wh40k.setup import battle_formations, fielding
from grognard.games.wh40k.setup.setup import DEFAULT
from grognard.games.wh40k.shooting import shooting, targeting
from grognard.games.wh40k.shooting.targeting import Gun, Sights
from grognard.kernel.data.reading import slug
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import inches
from grognard.kernel.ruleset import agreed

Arguments = Mapping[str, Any]
Kits = tuple[tuple[Profile, tuple[Weapon, ...]], ...]


class Scene:
    """A battle with the attackers and their target, and whether the distances on its table count."""

    def __init__(self, battle: Battle, unit: Unit, target: Unit, laid_out: bool) -> None:
        self.battle, self.unit, self.target, self.laid_out = battle, unit, target, laid_out


def scene(arguments: Arguments) -> Scene:
    """The situation of a question."""
    house = _house(arguments)
    if arguments.get("given") is not None:
        battle = given.create(arguments["given"], house)
        there = Scene(battle, _named(battle, arguments, "from"), _named(battle, arguments, "to"), False)
        _besides(there, arguments)
        return there
    battle = Battle(("red", "blue"), Table(inches(150), inches(150)), house, DEFAULT)
    battle.round, battle.phase = 2, "shooting"
    for who, seat in (("attacker", "red"), ("target", "blue")):
        fielding.add_side(battle, seat, seat, "")
        _field(battle, arguments, who, seat)
    there = Scene(battle, battle.units["attacker"], battle.units["target"], True)
    there.unit.turn = there.unit.turn.but(moved="normal")
    _besides(there, arguments)
    _wounded(battle, there.target, arguments["left"])
    return there


def _besides(there: Scene, arguments: Arguments) -> None:
    """What the question says of the two units beside where they stand and what they are."""
    unit, target = there.unit, there.target
    hiding = target.phase
    target.phase = hiding.but(
        smoke=hiding.smoke or arguments["smoke"], gone_to_ground=hiding.gone_to_ground or arguments["gone_to_ground"]
    )
    unit.turn = unit.turn.but(charged=unit.turn.charged or arguments["charged"])
    unit.phase = unit.phase.but(overwatch=unit.phase.overwatch or arguments["overwatch"])
    if arguments["stationary"]:
        unit.turn = unit.turn.but(moved="stationary")
    if arguments.get("epic"):
        unit.phase = unit.phase.but(epic=next((m.id for m in there.battle.members(unit) if m.has("CHARACTER")), None))


def _field(battle: Battle, arguments: Arguments, who: str, seat: str) -> None:
    """A unit and the leader attached to it, somewhere on their own half of the table."""
    known = datasheets() | {n: parse_datasheet(n, data) for n, data in (arguments.get("datasheets") or {}).items()}
    names = [who, *([f"{who}_leader"] if arguments[f"{who}_leader"] is not None else [])]
    y = inches(20 if seat == "red" else 120)
    for row, name in enumerate(names):
        sheet, kits = _kits(arguments, name, known)
        unit = fielding.add_unit(battle, seat, name, sheet.name, sheet, kits, 0)
        unit.where = "table"
        for number, model in enumerate(battle.members(unit)):
            x = inches(10 + 7 * (number % 20))
            battle.put(model, Pose(x, y + inches(7) * (3 * row + number // 20), 0.0, 0))
    if len(names) > 1:
        battle_formations.attach(battle, battle.units[names[1]], battle.units[who])


def _house(arguments: Arguments) -> dict[str, Any]:
    """The house rules of the question, the others as ruled."""
    return agreed("wh40k", HOUSE_RULES, arguments.get("house") or {})


def _named(battle: Battle, arguments: Arguments, name: str) -> Unit:
    unit = battle.units.get(str(arguments.get(name)))
    if unit is None:
        known = ", ".join(battle.units)
        raise BadInput("{name} names one of {known}, not {value}", name=name, known=known, value=arguments.get(name))
    return battle.units[unit.leading] if unit.leading else unit


def _kits(arguments: Arguments, who: str, known: Mapping[str, Datasheet]) -> tuple[Datasheet, Kits]:
    """A datasheet with its models and options, or a unit of an army list as it stands there."""
    wanted = arguments[who]
    if wanted is None:
        raise BadInput("name {who}: a datasheet, or army:unit", who=who)
    army, colon, unit = str(wanted).partition(":")
    if colon:
        recruit = _recruit(arguments, army, unit)
        return recruit.sheet, recruit.models
    if wanted not in known:
        raise BadInput("there is no datasheet {name}; there are {known}", name=wanted, known=", ".join(known))
    models, options = arguments.get(f"{who}_models"), arguments.get(f"{who}_options") or {}
    return known[wanted], arm(known[wanted], models, options, who)


def _recruit(arguments: Arguments, army: str, unit: str) -> Recruit:
    """wh40k:18.2-roster  A unit of a starter army or of a list that comes with the question, by its name there."""
    own = arguments.get("armies") or {}
    if army not in own and army not in starters():
        known = ", ".join([*own, *starters()])
        raise BadInput("there is no army {name}; there are {known}", name=army, known=known)
    recruits = load_army(own.get(army, army)).units
    found = next((r for r in recruits if r.id == slug(unit)), None)
    if found is None:
        known = ", ".join(r.name for r in recruits)
        raise BadInput("{army} has no unit {name}; it has {known}", army=army, name=unit, known=known)
    return found


def _wounded(battle: Battle, unit: Unit, left: int | None) -> None:
    if left is None:
        return
    model = battle.members(unit)[0]
    if left > model.profile.W:
        raise BadInput("left is at most {most} (wh40k:11.1.4-w), not {value}", most=model.profile.W, value=left)
    model.w = left


# ---------------------------------------------------------------------- what is fired, what strikes


class Level(Sights):
    """Everybody sees the target from the same distance; nobody else is about."""

    def __init__(self, battle: Battle, unit: Unit, distance: float, hidden: bool) -> None:
        super().__init__(battle, unit)
        self._distance, self._hidden = distance, hidden

    def gap(self, model: Model, target: Unit) -> float:
        return self._distance

    def seen(self, model: Model, target: Unit) -> list[Model]:
        return [] if self._hidden else self.battle.members(target)

    def hidden(self, target: Unit) -> bool:
        return self._hidden

    def in_range_and_sight(self, model: Model, target: Unit, distance: float) -> bool:
        return not self._hidden and self._distance <= distance


def usual(weapons: Sequence[Weapon], wanted: Sequence[str] | None, big: bool = False) -> list[Weapon]:
    """wh40k:6.3.1-targets-first, wh40k:8.5.3-pistol-or  The weapons a model uses: those named, else the first of each.

    The first profile, that is; Pistols are left out beside other weapons, but by big models.
    """
    if wanted is not None:
        return [w for w in weapons if w.name in wanted]
    first = {w.item: w for w in reversed(weapons)}
    chosen = [w for w in weapons if first[w.item] is w]
    others = [w for w in chosen if not w.flag("pistol")]
    return chosen if big else others or chosen


def volleys(there: Scene, arguments: Arguments) -> list[Volley]:
    """wh40k:6.3.1-targets-first, wh40k:7.11.1-group
    The volleys of a unit's shooting, as the battle would muster them."""
    battle, unit, target = there.battle, there.unit, there.target
    sights: Sights = Sights(battle, unit)
    if there.laid_out:
        sights = Level(battle, unit, inches(arguments["distance"]), arguments["hidden"])
    wanted = _wanted(battle, unit, arguments)
    needs, _ = targeting.only(battle, unit)
    shots: list[tuple[Gun, Unit]] = []
    for model in battle.members(unit):
        ranged = [w for w in model.weapons if not w.melee and (not needs or w.flag(needs))]
        for weapon in usual(ranged, wanted, model.big):
            gun = Gun(model, weapon)
            if targeting.target_refusal(sights, gun, target) is None:
                shots.append((gun, target))
    made = shooting.muster(sights, shots)
    return [replace(volley, covered=target.models) for volley in made] if arguments["cover"] else made


def blows(there: Scene, arguments: Arguments) -> list[Volley]:
    """wh40k:10.8.2-weapon  The volleys of a unit's melee attacks: one weapon a model, and its Extra Attacks weapons."""
    battle, unit, target = there.battle, there.unit, there.target
    wanted = _wanted(battle, unit, arguments)
    struck: list[melee.Blow] = []
    for model in battle.members(unit):
        if not there.laid_out and target not in melee.targets_of(battle, model):
            continue
        weapons = [w for w in model.weapons if w.melee]
        extra = [w for w in weapons if w.flag("extra_weapon")]
        plain = usual([w for w in weapons if w not in extra], wanted)
        used = [*plain[:1], *(w for w in extra if wanted is None or w.name in wanted)]
        struck += [(model, weapon, target, None) for weapon in used]
    made = melee.muster(battle, unit, struck)
    if not there.laid_out:
        return made
    seen = tuple(m.id for m in battle.members(target) if m.has("CHARACTER"))
    return [replace(v, characters=seen) if v.precision or v.weapon.flag("precision") else v for v in made]


def _wanted(battle: Battle, unit: Unit, arguments: Arguments) -> list[str] | None:
    if arguments.get("weapons") is None:
        return None
    known = list(dict.fromkeys(w.name for m in battle.members(unit) for w in m.weapons))
    wanted = [str(name) for name in arguments["weapons"]]
    for name in wanted:
        if name not in known:
            raise BadInput("{unit} has no weapon {name}; it has {known}", unit=unit.name, name=name,
                           known=", ".join(known))  # fmt: skip
    return wanted
