"""What a case may set: the battle as it stands at some moment, in inches."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.games.t9a import carried_items
from grognard.games.t9a.army import bought_unit, cards, items, prices
from grognard.games.t9a.army.profiles import Profile, parse_profile, spread
from grognard.games.t9a.army.spells import parse_paths, paths, spell
from grognard.games.t9a.battle import BEFORE, PHASES, Battle
from grognard.games.t9a.cases import given_parts as parts
from grognard.games.t9a.cases import given_profiles
from grognard.games.t9a.characters import joining
from grognard.games.t9a.forces import Model, Unit
from grognard.games.t9a.records import Aim
from grognard.games.t9a.setup.pregame import LEVELS
from grognard.games.t9a.setup.setup import DEFAULT, FORMATS
from grognard.games.t9a.table import ground, terrain
from grognard.games.t9a.units import fielding, seating
from grognard.kernel.data import giving, setups
from grognard.kernel.data import reading as read
from grognard.kernel.data.sheets import named
from grognard.kernel.errors import BadInput
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.geometry.terrain import Table

KEYS = (
    "turn",
    "phase",
    "stage",
    "active",
    "first",
    "begun",
    "table",
    "terrain",
    "profiles",
    "sides",
    "units",
    "engaged",
    "markers",
    "deployment",
    "objective",
    "flux",
    "diagonal",
    "chooser",
    "scenario",
    "paths",
)
#: Numbers of Player Turns; `true` is the one that is played.
TURNS = ("shaken", "scoring_lost", "no_charge", "reformed_at", "arrived")
UNIT_KEYS = (
    "side",
    "profile",
    "book",
    "entry",
    "name",
    "models",
    "options",
    "at",
    "front",
    "facing",
    "files",
    "seats",
    "rear",
    "in",
    "champion",
    "banner",
    "items",
    "weapon",
    "special",
    "counts_as",
    "reference",
    "where",
    "exit",
    "mount",
    "wizard",
    "path",
    "paths",
    "spells",
    "bound",
    "general",
    "bsb",
    "hp",
    "champion_hp",
    "effects",
    "charges",
    "charge_side",
    "used",
    "forgotten",
    "start",
    "refused",
    "duel",
    "marker",
    "linger",
    "rules",
    "cast",
    "posts",
    "fallen",
    "lost",
    "points",
    "no_charge",
    "stuck",
    *given_profiles.KEYS,
    *giving.names(Unit),
)


def create(said: Any, house: dict[str, Any]) -> Battle:
    """The battle a case begins with."""
    data = read.mapping(said, "given", KEYS)
    scenario = read.one_of(data.get("scenario", DEFAULT), "given.scenario", FORMATS)
    usual = FORMATS[scenario].width, FORMATS[scenario].height
    bare = setups.given_table(data, usual, (6, 200), read.INCHES, "t9a:9.C")
    pieces = terrain.read_pieces(data.get("terrain", []), "given.terrain")
    battle = Battle(("red", "blue"), Table(bare.width, bare.height, pieces), house, scenario)
    battle.phase = read.one_of(data.get("phase", "charge"), "given.phase", PHASES)
    battle.random_terrain = battle.phase == "battlefield" and "terrain" not in data
    battle.turn = read.whole(data.get("turn", 0 if battle.phase in BEFORE else 2), "given.turn")
    battle.stage = read.whole(data.get("stage", 0), "given.stage")
    battle.begun = read.flag(data.get("begun", False), "given.begun")
    battle.first = read.one_of(data.get("first", "red"), "given.first", battle.seats)
    battle.second = read.one_of(data.get("active", battle.first), "given.active", battle.seats) != battle.first
    battle.clock = max(0, 2 * battle.turn - (0 if battle.second else 1))
    least = 0 if battle.phase == "battlefield" else 1  # 0: rolled when the battlefield is made
    battle.deployment = int(read.between(data.get("deployment", 1), "given.deployment", least, 6, "t9a:9.D"))
    battle.objective = int(read.between(data.get("objective", 2), "given.objective", least, 6, "t9a:9.E"))
    battle.diagonal = read.one_of(data.get("diagonal", "rising"), "given.diagonal", ("rising", "falling"))
    battle.flux = int(read.between(data.get("flux", 0), "given.flux", 0, 8, "t9a:13.D"))
    battle.chooser = read.one_of(data.get("chooser", "red"), "given.chooser", battle.seats)
    battle.lore = parse_paths(data.get("paths", {}))
    parts.sides(battle, data.get("sides", {}))
    if battle.phase == "deployment":
        _deploying(battle, data)
    told = read.mapping(data.get("profiles") or {}, "given.profiles")
    own = {name: parse_profile(name, p, "given.profiles") for name, p in told.items()}
    battle.summons = own
    parts.check_paths(battle)
    units = read.mapping(data.get("units", {}), "given.units")
    for key, entry in units.items():
        _unit(battle, key, read.mapping(entry, f"given.units.{key}", UNIT_KEYS), own)
    for key, entry in units.items():
        if "in" in entry:
            host = battle.units[read.one_of(entry["in"], f"given.units.{key}.in", battle.units)]
            if key not in battle.models or host.seat != battle.units[key].seat:
                raise BadInput("given.units.{key}: only a single model is in a unit of its side (t9a:21.B.b)", key=key)
            parts.check_room_for(battle, key, host)
            joining.enter(battle, battle.models[key], host, parts.seats(entry.get("seats"), f"given.units.{key}.seats"))
    parts.check_reserves(battle)
    given_profiles.widen(battle, units)
    given_profiles.share_effects(battle)
    parts.check_bearers(battle)
    for key, entry in units.items():
        _duel(battle, key, entry, f"given.units.{key}")
        _charges(battle, battle.units[key], entry, f"given.units.{key}")
    parts.engaged(battle, data.get("engaged", []))
    given_profiles.check_charges(battle)
    parts.markers(battle, data.get("markers", []))
    parts.check_places(battle)
    for unit in battle.units.values():
        unit.this_phase = unit.this_phase.but(hp_before=unit.this_phase.hp_before or battle.hp(unit))
    battle.cited.clear()
    return battle


def profile_named(name: Any, own: dict[str, Profile], where: str) -> Profile:
    return named(name, cards.profiles() | own, where, "profile", "t9a:5.A")


def _unit(battle: Battle, key: str, said: dict[str, Any], own: dict[str, Profile]) -> None:
    where = f"given.units.{key}"
    seat = read.one_of(said.get("side"), f"{where}.side", battle.seats)
    if "profile" not in said and "entry" not in said:
        raise BadInput("{where} needs a profile or an entry of an army book (t9a:5.A)", where=where)
    profile, points = _profile(said, own, where)
    profile = given_profiles.of_book(profile, str(said.get("book") or battle.sides[seat].book))
    entry = cards.entries().get(str(said.get("entry")))
    models = read.whole(said.get("models", entry.least if entry else 1), f"{where}.models")
    if models < 1:
        raise BadInput("{where}.models is at least 1 (t9a:3.B)", where=where)
    began = read.whole(said.get("start", models), f"{where}.start")
    left = models == 1 and began > 1 and not profile.is_character and not said.get("champion")
    unit = fielding.add_unit(battle, seat, key, str(said.get("name", key)), profile, began if left else models, points)
    if left:
        unit.troops = 1  # the last of a unit's Rank-and-File, who are one Health Pool still
    if entry is not None:
        unit.muster = unit.muster.but(
            price=prices.price(entry, prices.bought(said, entry, where)), category=entry.category
        )
    if read.flag(said.get("champion", False), f"{where}.champion"):
        if profile.is_character:
            raise BadInput("{where}.champion: a Character has no Champion (t9a:21.C.a)", where=where)
        champion = fielding.promote(battle, unit)
        champion.hp = read.whole(said.get("champion_hp", champion.hp), f"{where}.champion_hp")
        champion.magic = champion.magic.but(spells=read.words(said.get("spells", []), f"{where}.spells"))
        if not champion.hp and models > 1:
            champion.gone = True
            unit.command = unit.command.but(champion="")
            unit.guests = tuple(g for g in unit.guests if g != champion.id)
            unit.troops += 1
    told = said | {k: battle.clock * said[k] for k in TURNS if isinstance(said.get(k), bool)}
    giving.give(unit, told, where)
    if "was_fleeing" not in said and battle.phase == "charge":  # t9a:12.B-start  the Player Turn begins with it
        unit.move = unit.move.but(was_fleeing=unit.nerve.fleeing)
    unit.lost = read.whole(told.get("lost", unit.lost), f"{where}.lost")
    unit.points = read.whole(told.get("points", unit.points), f"{where}.points")
    unit.no_charge = read.whole(told.get("no_charge", unit.no_charge), f"{where}.no_charge")
    unit.weapon = str(said.get("weapon", ""))
    unit.counts_as = read.words(said.get("counts_as", []), f"{where}.counts_as")
    unit.reference = str(said.get("reference", ""))
    unit.arrival = unit.arrival.but(special=read.one_of(said.get("special", ""), f"{where}.special", parts.SPECIAL))
    unit.scoring = unit.scoring.but(marker=str(said.get("marker", "")))
    unit.linger = read.words(said.get("linger", []), f"{where}.linger")
    unit.command = unit.command.but(
        fallen=read.some_of(said.get("fallen", ()), f"{where}.fallen", ("musician", "standard")),
        posts=parts.posts(said.get("posts"), f"{where}.posts"),
    )
    parts.check_single(unit, models, said, where)
    if "start" in said:
        size, led = read.whole(said["start"], f"{where}.start"), bool(said.get("champion"))
        more = bool(led and profile.has("wizard-conclave"))
        points = read.whole(said.get("start_hp", size * profile.hp + more), f"{where}.start_hp")
        troops = max(0, size - led)  # the Champion is one of them
        unit.muster = unit.muster.but(start_size=size, start_troops=troops, start_hp=points)
    if "banner" in said:
        carried_items.raise_banner(unit, read.words(said["banner"], f"{where}.banner"))
    if models > 1 or left:
        unit.effects = (*unit.effects, *parts.effects(said.get("effects"), seat, f"{where}.effects"))
    if models == 1 and not left:
        _model(battle, battle.models[unit.command.champion or key], said, where)
    elif "hp" in said:
        unit.lost = given_profiles.lost_points(unit, read.whole(said["hp"], f"{where}.hp"), where)
    _stand(battle, unit, said, where)


def _profile(said: dict[str, Any], own: dict[str, Profile], where: str) -> tuple[Profile, int]:
    if "entry" in said:
        entry = named(said["entry"], cards.entries(), where, "unit entry", "t9a:8.D.a.1")
        book = next(b for b in cards.books().values() if entry.name in b.entries and b.entries[entry.name] is entry)
        made = bought_unit.equipped(
            entry,
            read.words(said.get("options", ()), f"{where}.options"),
            book,
            str(said.get("mount", "")),
            str(said.get("wizard", "")),
            bool(said.get("bsb")),
        )
        points = prices.cost(prices.price(entry, prices.bought(said, entry, where)))
    else:
        made, points = profile_named(said["profile"], own, f"{where}.profile"), 100
        if said.get("mount"):
            made, said = given_profiles.mounted(made, profile_named(said["mount"], own, f"{where}.mount"), said, where)
    made = given_profiles.refitted(made, said, where)
    extra = list(read.words(said.get("rules", []), f"{where}.rules"))
    if said.get("bsb") and "Battle Standard Bearer" not in made.rules:
        extra.append("Battle Standard Bearer")
    if said.get("wizard") and not any(r.startswith("Wizard") for r in made.rules):
        extra.append(f"Wizard {str(said['wizard']).capitalize()}")
    if extra:
        made = spread(msgspec.structs.replace(made, rules=(*made.rules, *extra)))
    return made, read.whole(said.get("points", points), f"{where}.points")


def _deploying(battle: Battle, data: dict[str, Any]) -> None:
    """t9a:10.C  Deployment is under way where it is said whose turn it is, or that somebody has finished."""
    done = [seat for seat in battle.seats if battle.sides[seat].finished]
    if "stage" not in data:
        battle.stage = 1 if done or "active" in data else 0
    if battle.stage:
        battle.queue = (battle.other(done[0]) if len(done) == 1 else str(data.get("active", battle.active)), 0)


def _accessible(battle: Battle, book: str, path: str) -> list[str]:
    """t9a:9.G, t9a:13.B-path  A Wizard's Path and, where his army book has a Hereditary Spell, that."""
    if not path:
        return []
    return [path, *([book] if book != path and "H" in paths(battle.lore).get(book, {}) else [])]


def _model(battle: Battle, model: Model, said: dict[str, Any], where: str) -> None:
    model.hp = read.whole(said.get("hp", said.get("champion_hp", model.hp)), f"{where}.hp")
    model.general = read.flag(said.get("general", False), f"{where}.general")
    model.bsb = read.flag(said.get("bsb", False), f"{where}.bsb")
    path = str(said.get("path", ""))
    model.magic = model.magic.but(
        level=read.one_of(said.get("wizard") or "", f"{where}.wizard", ("", *LEVELS)),
        path=path,
        paths=read.words(said.get("paths", _accessible(battle, model.profile.book, path)), f"{where}.paths"),
    )
    for known in model.magic.paths:
        named(known, paths(battle.lore), f"{where}.path", "Path", "t9a:13.B-path")
    model.magic = model.magic.but(spells=read.words(said.get("spells", []), f"{where}.spells"))
    for key in model.magic.spells:
        spell(key, battle.lore)
    model.magic = model.magic.but(bound=parts.bound(battle, said.get("bound", []), f"{where}.bound"))
    model.used = read.words(said.get("used", []), f"{where}.used")
    model.magic = model.magic.but(
        forgotten=read.words(said.get("forgotten", []), f"{where}.forgotten"),
        cast=read.words(said.get("cast", []), f"{where}.cast"),
    )
    model.weapon = str(said.get("weapon", ""))
    model.duel = model.duel.but(refused=read.flag(said.get("refused", False), f"{where}.refused"))
    model.stuck = read.flag(said.get("stuck", False), f"{where}.stuck")
    model.moved, model.marched, model.reformed = (
        read.flag(said.get(k, False), f"{where}.{k}") for k in ("moved", "marched", "reformed")
    )
    for name, on in items.read_items(said.get("items", []), f"{where}.items"):
        carried_items.give(model, name, on)
    model.effects = (*model.effects, *parts.effects(said.get("effects"), model.seat, f"{where}.effects"))


def _stand(battle: Battle, unit: Unit, said: dict[str, Any], where: str) -> None:
    """`at` is the unit's centre, `front` the middle of its front edge; `files` its width."""
    unit.where = read.one_of(said.get("where", "undeployed"), f"{where}.where", parts.PLACES)
    for model in battle.guests(unit) if unit.where == "gone" else ():
        model.gone, model.hp = True, 0
    if unit.where == "away":
        parts.left_at(battle, unit, said.get("exit"), f"{where}.exit")
        unit.arrival = unit.arrival.but(files_away=read.whole(said.get("files", 0), f"{where}.files"))
        return
    if "in" in said or ("at" not in said and "front" not in said):
        return
    facing = read.number(said.get("facing", 0 if unit.seat == battle.seats[0] else 180), f"{where}.facing")
    files = read.whole(said.get("files", seating.usual_files(battle, unit)), f"{where}.files")
    rear = tuple(read.whole(n, f"{where}.rear") for n in read.listing(said.get("rear", []), f"{where}.rear"))
    own = min(files, seating.widest(battle, unit))  # those still to join may make it wider (refit.widen)
    made = seating.shaped(battle, unit, own, parts.seats(said.get("seats"), f"{where}.seats"), rear)
    if made is None:
        raise given_profiles.no_formation(unit, files)
    if "at" in said:
        block = made.placed_by_centre(read.INCHES.point(said["at"], f"{where}.at"), facing)
    else:
        block = made.placed(read.INCHES.point(said["front"], f"{where}.front"), facing)
    battle.put(unit, block)


def _charges(battle: Battle, unit: Unit, said: dict[str, Any], where: str) -> None:
    """t9a:11.B-charging, t9a:11.C-side, t9a:11.E.e
    Whom it has declared a charge on, those it must charge as well after the
    first; each on the side where it stands, unless the case says otherwise of the first.
    """
    if "charges" not in said:
        return
    names = said["charges"] if isinstance(said["charges"], list) else [said["charges"]]
    aims: list[Aim] = []
    for name in names:
        target = battle.units[read.one_of(name, f"{where}.charges", battle.units)]
        here = unit.block is not None and target.block is not None
        side = ground.located(battle, target, unit) if here else Edge.FRONT
        if "charge_side" in said and not aims:
            side = parts.SIDES[read.one_of(said["charge_side"], f"{where}.charge_side", parts.SIDES)]
        aims.append(Aim(target.id, side, primary=not aims))
        target.this_phase = target.this_phase.but(hunted=(*target.this_phase.hunted, unit.id))
    unit.charge = unit.charge.but(charging=bool(aims), aims=tuple(aims))
    if aims and (block := battle.units[aims[0].target].block) is not None:
        unit.charge = unit.charge.but(goal=block.centre)


def _duel(battle: Battle, key: str, said: dict[str, Any], where: str) -> None:
    """t9a:15.E.c-duration  A duel going on: the Character, or the unit's Champion, and whom he fights."""
    if "duel" not in said:
        return
    foe = battle.models[read.one_of(said["duel"], f"{where}.duel", battle.models)]
    own = battle.models[read.one_of(key if key in battle.models else f"{key}.champion", where, battle.models)]
    own.duel = own.duel.but(foe=foe.id)
    foe.duel = foe.duel.but(foe=own.id)
