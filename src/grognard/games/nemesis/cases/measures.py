"""Numbers the rules compute, each with its why, for cases and screens; distances are in cm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shapely import Point

from grognard.games.nemesis.army.profiles import STATS
from grognard.games.nemesis.battle import CONTROLLED, ZONE, Battle
from grognard.games.nemesis.command import command_test
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.melee import melee
from grognard.games.nemesis.rolls import stats
from grognard.games.nemesis.rolls.basic_move import allowance
from grognard.games.nemesis.setup import missions
from grognard.games.nemesis.shooting import shot_numbers
from grognard.games.nemesis.table import sight
from grognard.games.nemesis.table.terrain import RULES, agreed, movement_class
from grognard.kernel.citing import cites
from grognard.kernel.data import measures
from grognard.kernel.data.measures import Arguments
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.units import MM_PER_CM, cm
from grognard.kernel.questions import Pick, Roll
from grognard.kernel.words.tally import Tally


def measure(battle: Battle, what: str, arguments: Arguments) -> Any:
    """A number (a Tally where it has a why) or a yes or no, by the name of what is measured."""
    return measures.measure("nemesis", MEASURES, battle, what, arguments)


# ---------------------------------------------------------------------- arguments


def _model(battle: Battle, arguments: Arguments, key: str) -> Model:
    """A model by its id, or the first of a unit."""
    meant: Model = measures.model_meant(battle, arguments.get(key), key)
    return _present([meant], key)[0]


def _unit(battle: Battle, arguments: Arguments, key: str) -> Unit:
    """A unit by its id, or the unit a model is in: a hero who joined a regiment means the regiment."""
    meant: Unit = measures.unit_meant(battle, arguments.get(key), key)
    if not meant.models and meant.id in battle.models:
        meant = battle.unit_of(battle.models[meant.id])
    if not meant.models:
        raise BadInput("{key}: {name} is not on the table", key=key, name=meant.id)
    return meant


def _crowd(battle: Battle, arguments: Arguments, key: str) -> list[Model]:
    """The models meant: one, or all of a regiment."""
    meant: list[Model] = measures.models_meant(battle, arguments.get(key), key)
    return _present(meant, key)


def _present(models: list[Model], key: str) -> list[Model]:
    """Between two models distance, sight and blows are measured on the table only."""
    gone = [m.id for m in models if not m.on_table]
    if gone and key in ("from", "to"):
        raise BadInput("{key}: {name} is not on the table", key=key, name=gone[0])
    return models


def _stat_name(arguments: Arguments) -> str:
    name = arguments.get("name")
    if name not in STATS:
        raise BadInput("name is one of {known}, not {name} (nemesis:5.1-test)", known=", ".join(STATS), name=name)
    return str(name)


# ---------------------------------------------------------------------- what can be measured


def _stat(battle: Battle, arguments: Arguments) -> Tally | None:
    """nemesis:5.1-test, nemesis:22.2-absent  A characteristic of a model now; None for a C that is a dash."""
    model, name = _model(battle, arguments, "of"), _stat_name(arguments)
    return None if _dash(battle, [model], name) else stats.stat(battle, model, name)


def _group(battle: Battle, arguments: Arguments) -> Tally | None:
    """nemesis:5.1-group-test, nemesis:22.2-absent  A regiment's one value; None for a C that is a dash."""
    unit, name = _unit(battle, arguments, "of"), _stat_name(arguments)
    return None if _dash(battle, battle.members(unit), name) else stats.group_value(battle, unit, name)


def _dash(battle: Battle, models: list[Model], name: str) -> bool:
    """nemesis:22.2-absent  Whether nobody of these has a C."""
    if name != "C" or not models or any(map(stats.has_courage, models)):
        return False
    battle.cite("nemesis:22.2-absent", "nemesis:5.1-C")
    return True


def _gap(battle: Battle, arguments: Arguments) -> Tally:
    """nemesis:4-edge  From base edge to base edge, nearest models."""
    ours, theirs = _crowd(battle, arguments, "from"), _crowd(battle, arguments, "to")
    gap = min(battle.gap(a, b) for a in ours for b in theirs)
    return Tally(round(gap / MM_PER_CM, 4), "gap", "nemesis:4-edge").add(0, "cm", "nemesis:4-cm")


def _sees(battle: Battle, arguments: Arguments) -> bool:
    """nemesis:5.5-los  Whether any sees any."""
    ours, theirs = _crowd(battle, arguments, "from"), _crowd(battle, arguments, "to")
    return any(sight.look(battle, a, b).seen for a in ours for b in theirs)


@cites
def _cover(battle: Battle, arguments: Arguments) -> bool:
    """nemesis:17.4-cover  Whether the target is seen only in part (nemesis:X.6-los-geometry)."""
    found = sight.look(battle, _model(battle, arguments, "from"), _model(battle, arguments, "to"))
    return found.seen and found.cover


@cites
def _move(battle: Battle, arguments: Arguments) -> Tally:
    """nemesis:12-basic  How far a basic move goes (nemesis:5.1-M, nemesis:A1.25-speed, nemesis:X.5-flying)."""
    model, flying = _model(battle, arguments, "of"), bool(arguments.get("flying", False))
    far = allowance(battle, model, flying=flying)
    held = battle.flag(model, "cannot_move") or battle.flag(model, "does_nothing")
    return far.set(0, "held", held) if held else far


@cites
def _aim(battle: Battle, arguments: Arguments) -> Any:
    """nemesis:17.1-weapon  One model's shot at a unit, with the weapon named or his first."""
    shooter, target = _model(battle, arguments, "from"), _unit(battle, arguments, "to")
    weapon = battle.ranged_weapon(shooter, arguments.get("weapon"))
    if weapon is None:
        raise BadInput("{name} has no such ranged weapon (nemesis:17.1-weapon)", name=shooter.id)
    aim = shot_numbers.aim(battle, shooter, weapon, target)
    if aim is None:
        raise BadInput(
            "{name} sees nobody of {target} he may shoot at (nemesis:17.2-los)", name=shooter.id, target=target.id
        )
    return aim


@cites
def _accuracy(battle: Battle, arguments: Arguments) -> Tally:
    """nemesis:17.3-accuracy  What is added to the die of a shot (nemesis:17.4)."""
    tally: Tally = _aim(battle, arguments).shot.accuracy
    return tally


@cites
def _in_range(battle: Battle, arguments: Arguments) -> bool:
    """nemesis:17.3-range"""
    return bool(_aim(battle, arguments).in_range)


@cites
def _blow(battle: Battle, arguments: Arguments) -> Any:
    """nemesis:19.2-roll  The numbers of one attack."""
    return melee.blow_for(battle, _model(battle, arguments, "from"), _model(battle, arguments, "to"))


def _attack(battle: Battle, arguments: Arguments) -> Tally:
    """nemesis:19.2-roll, nemesis:19.2-mods  What is added to the die of an attack."""
    tally: Tally = _blow(battle, arguments).attack
    return tally


def _defence(battle: Battle, arguments: Arguments) -> Any:
    """nemesis:19.2-roll, nemesis:19.2-no-defence  What is added to the target's die; nothing where it cannot defend."""
    return _blow(battle, arguments).defence


def _impact(battle: Battle, arguments: Arguments) -> Tally:
    """nemesis:19.2-impact  HC and F, which are added to the attacker's natural die."""
    blow = _blow(battle, arguments)
    tally = Tally(0, "impact", "nemesis:19.2-impact")
    return tally.add(blow.skill.value, "HC", "nemesis:5.1-HC").add(blow.strength.value, "F", "nemesis:5.1-F")


@cites
def _resistance(battle: Battle, arguments: Arguments) -> Any:
    """nemesis:17.3-resist, nemesis:19.2-resist  What is added to the die that resists."""
    return melee.victim(battle, _model(battle, arguments, "of")).resistance


def _initiative(battle: Battle, arguments: Arguments) -> Tally:
    """nemesis:11  What is added to the command test of a side: the test itself, begun on a copy."""
    seat = arguments.get("of")
    if seat not in battle.sides:
        raise BadInput("of is one of {known}, not {seat}", known=", ".join(battle.sides), seat=seat)
    battle.cite("nemesis:11")
    twin = battle.copy()
    test = command_test.rank(twin)
    ask = next(test)
    while isinstance(ask, Pick):  # whether to do without a Deception
        ask = test.send(None)
    for face, _ in enumerate(battle.seats, 1):
        if isinstance(ask, Roll) and ask.seat == seat and ask.plus is not None:
            return ask.plus
        ask = test.send((face,))
    raise BadInput("{seat} takes no command test (nemesis:11)", seat=seat)


def _base(battle: Battle, arguments: Arguments) -> Tally:
    """nemesis:X.3-base-size  The diameter of a model's base."""
    card = _model(battle, arguments, "of").card
    rule = "nemesis:X.3-base-size" if card.base is None else "nemesis:5.4-hitbox"
    what = f"size {card.size}" if card.base is None else "card"
    return Tally(round(card.outline.width / MM_PER_CM, 4), what, rule)


def _size(battle: Battle, arguments: Arguments) -> Tally:
    """nemesis:5.3"""
    return Tally(_model(battle, arguments, "of").card.size, "size", "nemesis:5.3")


def _cost(battle: Battle, arguments: Arguments) -> Tally:
    """nemesis:5.1-cost  The points of a model, a unit or what is left of a side."""
    if arguments.get("of") in battle.sides:
        models = list(battle.on_table(str(arguments["of"])))
    else:
        models = _crowd(battle, arguments, "of")
    tally = Tally(0, "points", "nemesis:5.1-cost")
    for model in models:
        tally.add(model.card.cost, model.id, "nemesis:5.1-cost")
    return tally


def _control(battle: Battle, arguments: Arguments) -> Tally:
    """nemesis:5.4-zoc  How far a model's control zone reaches; an engaged one has none."""
    model = _model(battle, arguments, "of")
    tally = Tally(round(ZONE / MM_PER_CM, 4), "control zone", CONTROLLED)
    return tally.set(0, "engaged", CONTROLLED) if battle.engaged(model) else tally


def _ground(battle: Battle, arguments: Arguments) -> Tally:
    """nemesis:12.1-open, nemesis:12.1-difficult, nemesis:12.1-impassable
    What a centimetre costs at a point; -1: cannot be entered."""
    at = arguments.get("at")
    if not isinstance(at, list | tuple) or len(at) != 2 or not all(isinstance(n, int | float) for n in at):
        raise BadInput("at is [x, y] in cm, not {at}", at=at)
    spot = Point(cm(float(at[0])), cm(float(at[1])))
    under = [piece for piece in battle.table.pieces if piece.polygon.covers(spot)]
    kinds = [movement_class(piece) for piece in under]
    if any(map(agreed, under)):
        battle.cite("nemesis:12.1-agree")
    worst = next((kind for kind in ("impassable", "difficult") if kind in kinds), "open")
    return Tally({"open": 1, "difficult": 2, "impassable": -1}[worst], worst, RULES[worst])


def _score(battle: Battle, arguments: Arguments) -> Tally:
    """nemesis:A3.1-victory, nemesis:A3.2-victory, nemesis:A3.3-victory  A side's count in the mission's own terms."""
    seat = arguments.get("of")
    if seat not in battle.sides:
        raise BadInput("of is one of {known}, not {seat}", known=", ".join(battle.sides), seat=seat)
    return Tally(missions.score(battle)[str(seat)], "score", missions.SCENARIOS[battle.scenario].victory)


MEASURES: dict[str, tuple[Callable[[Battle, Arguments], Any], tuple[str, ...]]] = {
    "stat": (_stat, ("of", "name")),
    "group": (_group, ("of", "name")),
    "gap": (_gap, ("from", "to")),
    "sees": (_sees, ("from", "to")),
    "cover": (_cover, ("from", "to")),
    "move": (_move, ("of", "flying")),
    "accuracy": (_accuracy, ("from", "to", "weapon")),
    "in_range": (_in_range, ("from", "to", "weapon")),
    "attack": (_attack, ("from", "to")),
    "defence": (_defence, ("from", "to")),
    "impact": (_impact, ("from", "to")),
    "resistance": (_resistance, ("of",)),
    "initiative": (_initiative, ("of",)),
    "base": (_base, ("of",)),
    "size": (_size, ("of",)),
    "cost": (_cost, ("of",)),
    "control": (_control, ("of",)),
    "ground": (_ground, ("at",)),
    "score": (_score, ("of",)),
}
