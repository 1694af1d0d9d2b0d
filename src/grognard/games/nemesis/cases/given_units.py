"""The units of a case's `given`: models where they stand, with all they remember."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grognard.games.nemesis.abilities.spell_book import key_of
from grognard.games.nemesis.army.cards import UNSAID, find_card
from grognard.games.nemesis.army.profiles import Card
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Enchantment, Model, Order, Reaction, Unit
from grognard.games.nemesis.magic import enchantments, magic_dice
from grognard.games.nemesis.magic.spells import SPELLS
from grognard.games.nemesis.setup import fielding
from grognard.kernel.data import giving
from grognard.kernel.data import reading as read
from grognard.kernel.errors import BadInput, Word
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import cm, heading


def _spells(value: Any, where: str) -> tuple[str, ...]:
    """nemesis:14.3-choice  Spells by key."""
    return tuple(read.one_of(key_of(word), where, SPELLS) for word in read.words(value, where))


def _named_spells(value: Any, faction: str, where: str) -> list[str]:
    """nemesis:14.3-choice  Spells however they are named; of two of one name that of the mage's own list."""
    return [key_of(word, faction) for word in read.words(value, f"{where}.spells")]


#: What a model may be given, the slot it sets and how it is read. A unit may give them for all its models.
MODEL_STATES: dict[str, tuple[str, read.Read]] = {
    "s": ("s", read.whole), "s_start": ("s_start", read.whole), "moved": ("moved", read.flag),
    "shot": ("shot", read.count), "charged": ("charged", read.flag), "doomed": ("doomed", read.flag),
    "instant": ("instant", read.flag), "summoned": ("summoned", read.flag), "hidden": ("hidden", read.flag),
    "mad": ("mad", read.flag), "slayer": ("slayer", read.name_or_nobody), "arrived": ("arrived", read.whole),
    "weapon": ("weapon", read.name_or_none), "kills": ("kills", read.whole), "pc": ("pc_left", read.whole),
    "hypnotised_by": ("hypnotised_by", read.words), "detected": ("detected", read.words),
    "actions": ("actions", read.words), "scrolls": ("scrolls", read.words),
}  # fmt: skip
#: What a model remembers that its unit may give for all.
MODEL_MEMORY = (*MODEL_STATES, *giving.names(Model), "spells", "cast", "wounds", "dice", "on_table", "travelled")
MODEL_KEYS = ("id", "at", "facing", "card", "champion", "spells_on", *MODEL_MEMORY)

UNIT_STATES: dict[str, tuple[str, read.Read]] = {
    "name": ("name", read.text), "regiment": ("regiment", read.flag), "defending": ("defending", read.flag),
    "wiped": ("wiped", read.flag), "shaken": ("shaken", read.flag), "shaken_by": ("shaken_by", read.words),
    "nerve": ("nerve", read.maybe), "start_strength": ("start_strength", read.whole),
    "attempted": ("attempted", read.flag), "third_action": ("third_action", read.flag),
    "move_done": ("move_done", read.flag), "counter_charged": ("counter_charged", read.flag),
    "courage_failed": ("courage_failed", read.flag), "fear_tested": ("fear_tested", read.maybe),
    "stunned": ("stunned", read.flag), "fleeing": ("fleeing", read.flag), "fled_from": ("fled_from", read.words),
    "lost": ("lost_this_turn", read.whole), "combat_losses": ("combat_losses", read.whole),
}  # fmt: skip
#: True is this turn, a number that turn.
TURNS = {"timid": "timid_turn", "pursuit": "pursuit_turn", "no_disengage": "no_disengage_turn"}
UNIT_ONLY = (
    "side", "card", "cards", "count", "models", "at", "facing", "columns", "spacing", "champion", "hero", "orders",
    "reaction", "spells_on", "joined_this_turn", *TURNS, *UNIT_STATES,
)  # fmt: skip
UNIT_KEYS = (*UNIT_ONLY, *MODEL_MEMORY)
ORDER_KEYS = ("action", "target", "models", "source", "hero", "weapon", "done")
ACTIONS = ("approach", "shoot", "charge", "disengage")
SOURCES = ("order", "action", "test", "legend")
REACTIONS = ("shoot", "counter", "retreat", "hold")
SPELL_KEYS = (
    "spell", "target", "caster", "side", "turns", "cast_turn", "until", "permanent", "difficulty", "at", "data",
)  # fmt: skip


def add_unit(battle: Battle, unit_id: str, entry: Any, cards: Mapping[str, Card], facing: float) -> Unit:
    """One unit with its models, without what refers to other units."""
    where = f"given.units.{unit_id}"
    data = read.mapping(entry, where, UNIT_KEYS)
    rows = _rows(data, where)
    found = _cards(data, rows, cards, where)
    ids = [_model_id(row, unit_id, place, len(rows), where) for place, row in enumerate(rows)]
    for model_id in ids:
        if model_id in battle.models or ids.count(model_id) > 1:
            raise BadInput("{where}: two models are called {name}", where=where, name=model_id)
    turn = read.number(data["facing"], f"{where}.facing") if "facing" in data else facing
    poses = _poses(battle, data, rows, found, turn, where)
    name = data.get("name", unit_id.replace("-", " "))
    unit = fielding.add_unit(battle, unit_id, _side(battle, data, where), name, ids, found, poses)
    for place, model_id in enumerate(ids):
        _remember(battle, battle.models[model_id], data, rows[place], f"{where}.models[{place}]")
    if "champion" in data and data["champion"] is not False:
        battle.models[ids[0]].champion = True
    if sum(battle.models[model_id].champion for model_id in ids) > 1:
        raise BadInput("{where}: a regiment has one champion at most (nemesis:6-champion)", where=where)
    _recall(battle, unit, data, where)
    return unit


def _side(battle: Battle, data: dict[str, Any], where: str) -> str:
    if "side" not in data:
        raise BadInput("{where}: side is missing; the sides are {known}", where=where, known=", ".join(battle.sides))
    return read.one_of(data["side"], f"{where}.side", battle.sides)


def _rows(data: dict[str, Any], where: str) -> list[dict[str, Any]]:
    """What is said of each model; [x, y] alone is where it stands."""
    if "models" in data:
        if "count" in data:
            raise BadInput("{where}: write models or count, not both", where=where)
        rows = [
            {"at": row} if isinstance(row, list | tuple) else read.mapping(row, f"{where}.models[{n}]", MODEL_KEYS)
            for n, row in enumerate(read.listing(data["models"], f"{where}.models"))
        ]
    else:
        amount = len(read.words(data["cards"], f"{where}.cards")) if "cards" in data else 1
        rows = [{} for _ in range(read.whole(data.get("count", amount), f"{where}.count"))]
    if not 1 <= len(rows) <= 200:
        raise BadInput("{where}: a unit has between 1 and 200 models, not {count}", where=where, count=len(rows))
    return rows


def _cards(data: dict[str, Any], rows: list[dict[str, Any]], cards: Mapping[str, Card], where: str) -> list[Card]:
    names = list(read.words(data["cards"], f"{where}.cards")) if "cards" in data else [data.get("card")] * len(rows)
    if len(names) != len(rows):
        raise BadInput(
            "{where}: there are {cards} cards for {count} models", where=where, cards=len(names), count=len(rows)
        )
    if isinstance(data.get("champion"), str):
        names[0] = data["champion"]
    wanted = [row.get("card", name) for row, name in zip(rows, names, strict=True)]
    if None in wanted:
        raise BadInput("{where}: card is missing (nemesis:3.2)", where=where)
    return [find_card(_whole_card(name), cards, where) for name in wanted]


def _whole_card(name: Any) -> Any:
    """A card written out on the spot, with 0 for what it does not say."""
    return {**UNSAID, **name} if isinstance(name, dict) and "like" not in name else name


def _model_id(row: dict[str, Any], unit_id: str, place: int, count: int, where: str) -> str:
    if "id" in row:
        return read.text(row["id"], f"{where}.models[{place}].id")
    return unit_id if count == 1 else f"{unit_id}.{place + 1}"


def _poses(
    battle: Battle, data: dict[str, Any], rows: list[dict[str, Any]], cards: list[Card], facing: float, where: str
) -> list[Pose] | None:
    """Where each model stands; None before deployment, when nothing is said of it. Who is lost stands nowhere."""
    lost = [row.get("on_table", data.get("on_table")) is False for row in rows]
    if "at" not in data and not any("at" in row for row in rows) and not all(lost):
        if battle.phase in ("preparation", "deployment"):
            return None
        raise BadInput("{where}: at is missing: [x, y] in cm, of the unit or of each of its models", where=where)
    ranks = _ranks(data, cards, facing, where) if "at" in data else []
    poses = []
    for place, row in enumerate(rows):
        spot = f"{where}.models[{place}]"
        if "at" in row:
            x, y = read.CM.point(row["at"], f"{spot}.at")
        elif ranks or lost[place]:
            x, y = ranks[place] if ranks else (0.0, 0.0)
        else:
            raise BadInput("{where}: at is missing: [x, y] in cm", where=spot)
        turn = read.number(row["facing"], f"{spot}.facing") if "facing" in row else facing
        poses.append(Pose(x, y, turn))
    return poses


def _ranks(data: dict[str, Any], cards: list[Card], facing: float, where: str) -> list[tuple[float, float]]:
    """Rows of models; `at` is the middle of the front row, `spacing` the gap between bases in cm."""
    x, y = read.CM.point(data["at"], f"{where}.at")
    width = read.whole(data.get("columns", min(5, len(cards))), f"{where}.columns") or 1
    step = cm(read.number(data.get("spacing", 0.5), f"{where}.spacing")) + max(card.outline.width for card in cards)
    ahead, aside = heading(facing), heading(facing + 90)
    spots = []
    for place in range(len(cards)):
        row, column = divmod(place, width)
        filled = min(width, len(cards) - row * width)
        right, back = (column - (filled - 1) / 2) * step, row * step
        spots.append((x + aside[0] * right - ahead[0] * back, y + aside[1] * right - ahead[1] * back))
    return spots


def _remember(battle: Battle, model: Model, unit: dict[str, Any], row: dict[str, Any], where: str) -> None:
    """Everything a model remembers; its own word goes before its unit's."""
    said = {key: value for key, value in unit.items() if key not in UNIT_ONLY} | row
    if "spells" in said:
        said["spells"] = _named_spells(said["spells"], model.card.faction or battle.sides[model.seat].faction, where)
    for key, (slot, reader) in MODEL_STATES.items():
        if key in said:
            setattr(model, slot, reader(said[key], f"{where}.{key}"))
    giving.give(model, said, where)
    known = {key: _spells(said[key], f"{where}.{key}") for key in ("spells", "cast") if key in said}
    model.magic = model.magic.but(**known)
    if "s" in said and "s_start" not in said:
        model.s_start = max(model.s_start, model.s)
    if "wounds" in said:
        wounds = read.whole(said["wounds"], f"{where}.wounds")
        read.between(wounds, f"{where}.wounds", 0, model.s_start, "nemesis:5.1-S")
        model.s = model.s_start - wounds
    if not 0 <= model.s <= model.s_start:
        raise BadInput(
            "{where}: S lies between 0 and {most}, not {value} (nemesis:5.1-S)",
            where=where, most=model.s_start, value=model.s,
        )  # fmt: skip
    if model.weapon is not None and battle.melee_weapon(model) is None:
        armed = ", ".join(weapon.name for weapon in model.card.melee) or Word("none")
        raise BadInput(
            "{where}.weapon: {name} has {armed} (nemesis:19.1-weapon-choice)",
            where=where, name=model.card.name, armed=armed,
        )  # fmt: skip
    model.champion = read.flag(row.get("champion", False), f"{where}.champion")
    far = read.number(said["travelled"], f"{where}.travelled") if "travelled" in said else None
    model.travelled = cm((model.card.M if model.moved else 0.0) if far is None else far)
    if not read.flag(said.get("on_table", True), f"{where}.on_table"):
        model.on_table = False
        battle.bodies.remove(model.body)
        unit_now = battle.units[model.unit]
        unit_now.models = tuple(m for m in unit_now.models if m != model.id)
    _dice(battle, model, said, where)


def _dice(battle: Battle, model: Model, said: dict[str, Any], where: str) -> None:
    """nemesis:14.1-dice  As given, else what the turn's start gives."""
    if "dice" in said:
        pools = read.mapping(said["dice"], f"{where}.dice", ("creation", "block"))
        model.magic = model.magic.but(
            creation_dice=read.whole(pools.get("creation", 0), f"{where}.dice.creation"),
            block_dice=read.whole(pools.get("block", 0), f"{where}.dice.block"),
        )
    elif model.card.CO:
        magic_dice.refill(battle, model)


def _recall(battle: Battle, unit: Unit, data: dict[str, Any], where: str) -> None:
    """Everything a unit remembers of itself."""
    unit.start_strength = len(unit.models)
    for key, (slot, reader) in UNIT_STATES.items():
        if key in data:
            setattr(unit, slot, reader(data[key], f"{where}.{key}"))
    if "lost" in data and "start_strength" not in data:
        unit.start_strength = len(unit.models) + unit.lost_this_turn
    for key, slot in TURNS.items():
        if key in data:
            said = data[key]
            turn = (battle.turn if said else 0) if isinstance(said, bool) else read.whole(said, f"{where}.{key}")
            setattr(unit, slot, turn)


# ---------------------------------------------------------------------- what refers to others


def link_unit(battle: Battle, unit: Unit, data: dict[str, Any]) -> None:
    """The hero who joined, orders, reaction, and spells on the unit and its models."""
    where = f"given.units.{unit.id}"
    if data.get("hero") is not None:
        _link_hero(battle, unit, data, where)
    if "start_strength" in data and "lost" not in data:
        here = [m for m in battle.members(unit) if not m.summoned or m.arrived < battle.turn]
        unit.lost_this_turn = max(0, unit.start_strength - len(here))
    orders = data.get("orders", [])
    for number, entry in enumerate(
        read.listing([orders] if isinstance(orders, str | dict) else orders, f"{where}.orders")
    ):
        unit.orders = (*unit.orders, _order(battle, unit, entry, f"{where}.orders[{number}]"))
    if "travelled" not in data:
        _go_on(battle, unit)
    if data.get("reaction") is not None:
        unit.reaction = _reaction(battle, data["reaction"], f"{where}.reaction")
    holder = unit.id if unit.regiment or not unit.models else unit.models[0]
    lay_spells(battle, data.get("spells_on", []), holder, f"{where}.spells_on")
    for number, row in enumerate(data.get("models", ())):
        if isinstance(row, dict) and "spells_on" in row:
            model_id = _model_id(row, unit.id, number, len(data["models"]), where)
            lay_spells(battle, row["spells_on"], model_id, f"{where}.models[{number}].spells_on")
    if "dice" not in data and not any(isinstance(row, dict) and "dice" in row for row in data.get("models", ())):
        for model in battle.members(unit):  # nemesis:A2.N.1-stored-magic
            stored = enchantments.stored_die(battle, model) is not None
            model.magic = model.magic.but(creation_dice=model.magic.creation_dice + stored)


def _go_on(battle: Battle, unit: Unit) -> None:
    """nemesis:15-move, nemesis:16.2-move
    Who has approached or charged by an order went that far beside the basic move."""
    share = {"approach": 0.5, "charge": 1.0}
    for order in unit.orders:
        for model in (battle.models[key] for key in order.models):
            if order.done and model.moved:
                model.travelled += cm(model.card.M * share.get(order.action, 0.0))


def _link_hero(battle: Battle, unit: Unit, data: dict[str, Any], where: str) -> None:
    hero = battle.models.get(read.text(data["hero"], f"{where}.hero"))
    if hero is None or not hero.card.is_hero or hero.seat != unit.seat or hero.id != hero.home:
        heroes = [m.id for m in battle.models.values() if m.card.is_hero and m.seat == unit.seat and m.id == m.home]
        known = ", ".join(heroes) or Word("none")
        raise BadInput(
            "{where}.hero: a hero of this side given as a unit of his own joins; there is {known}",
            where=where, known=known,
        )  # fmt: skip
    if "cannot_join" in hero.card.flags:
        raise BadInput(
            "{where}.hero: {name} is a Hermit and joins nobody (nemesis:A1.17-hermit)", where=where, name=hero.id
        )
    strength = unit.start_strength
    fielding.join(battle, hero, unit)
    unit.start_strength = strength if "start_strength" in data else strength + 1


def _spelt_out(entry: Any, kinds: Sequence[str], what: str, whom: str) -> Any:
    """`shoot` and `{shoot: foe}` in full: `{action: shoot, target: foe}`."""
    if isinstance(entry, str):
        return {what: entry}
    kind = next((k for k in kinds if isinstance(entry, dict) and k in entry and what not in entry), None)
    if kind is None:
        return entry
    return {what: kind, whom: entry[kind], **{key: said for key, said in entry.items() if key != kind}}


def _order(battle: Battle, unit: Unit, entry: Any, where: str) -> Order:
    data = read.mapping(_spelt_out(entry, ACTIONS, "action", "target"), where, ORDER_KEYS)
    action = read.one_of(data.get("action"), f"{where}.action", ACTIONS)
    target = data.get("target")
    if target is not None or action != "disengage":
        read.one_of(target, f"{where}.target", [u.id for u in battle.units.values() if u.seat != unit.seat])
    models = read.words(data["models"], f"{where}.models") if "models" in data else unit.models
    for model_id in models:
        read.one_of(model_id, f"{where}.models", unit.models)
    seen = [m for m in battle.on_table() if m.seat != unit.seat] if action == "charge" else []
    return Order(
        action, target, models, read.one_of(data.get("source", "order"), f"{where}.source", SOURCES),
        read.name_or_none(data.get("hero"), f"{where}.hero"), read.name_or_none(data.get("weapon"), f"{where}.weapon"),
        read.flag(data.get("done", False), f"{where}.done"),
        tuple((m.id, battle.pose(m).x, battle.pose(m).y) for m in seen),
    )  # fmt: skip


def _reaction(battle: Battle, entry: Any, where: str) -> Reaction:
    data = read.mapping(_spelt_out(entry, REACTIONS, "kind", "charger"), where, ("kind", "charger", "done", "weapon"))
    charger = data.get("charger")
    if charger is not None:
        read.one_of(charger, f"{where}.charger", battle.units)
    kind = read.one_of(data.get("kind"), f"{where}.kind", REACTIONS)
    weapon = read.name_or_none(data.get("weapon"), f"{where}.weapon")
    return Reaction(kind, charger, read.flag(data.get("done", False), f"{where}.done"), weapon)


def lay_spells(battle: Battle, entries: Any, holder: str | None, where: str) -> None:
    """Spells in effect: a key alone, or {spell, caster, turns, …}."""
    rows = [entries] if isinstance(entries, str | dict) else entries
    for number, entry in enumerate(read.listing(rows, where)):
        spot = f"{where}[{number}]"
        data = {"spell": entry} if isinstance(entry, str) else read.mapping(entry, spot, SPELL_KEYS)
        target = holder if holder is not None else read.text(data.get("target"), f"{spot}.target")
        battle.enchantments = (*battle.enchantments, _enchantment(battle, data, target, spot))


def _enchantment(battle: Battle, data: dict[str, Any], target: str, where: str) -> Enchantment:
    spell = SPELLS[read.one_of(key_of(read.text(data.get("spell"), f"{where}.spell")), f"{where}.spell", SPELLS)]
    known = [*battle.models, *battle.units, *battle.sides, *(piece.id for piece in battle.table.pieces)]
    read.one_of(target, f"{where}.target", dict.fromkeys(known))
    if spell.kind == "wood" and not any(p.id == target and p.kind == "wood" for p in battle.table.pieces):
        raise BadInput("{where}: {spell} lies on a wood, not on {target}", where=where, spell=spell.key, target=target)
    if spell.key == "C.10-mirage" and "at" not in data:
        raise BadInput("{where}.at is missing: the point the victim walks to (nemesis:A2.C.10-mirage)", where=where)
    caster = battle.models[read.one_of(data["caster"], f"{where}.caster", battle.models)] if "caster" in data else None
    owner = battle.models.get(target) or battle.units.get(target)
    home = owner.seat if owner else battle.seats[0]
    if owner is not None and spell.whose == "enemy":
        home = next(seat for seat in battle.seats if seat != owner.seat)
    seat = data.get("side") or (caster.seat if caster else home)
    read.one_of(seat, f"{where}.side", battle.seats)
    cast = read.whole(data.get("cast_turn", battle.turn), f"{where}.cast_turn")
    until = spell.until(cast)
    if "turns" in data:
        until = cast + read.whole(data["turns"], f"{where}.turns") - 1
    if "until" in data:
        until = None if data["until"] is None else read.whole(data["until"], f"{where}.until")
    notes = dict(data.get("data") or {})
    if "at" in data:
        notes["x"], notes["y"] = read.CM.point(data["at"], f"{where}.at")
    return Enchantment(
        battle.next_id("spell"), spell.key, target, caster.id if caster else "", seat,
        read.whole(data.get("difficulty", spell.difficulty), f"{where}.difficulty"), cast, until,
        read.flag(data.get("permanent", spell.permanent), f"{where}.permanent"), notes,
    )  # fmt: skip
