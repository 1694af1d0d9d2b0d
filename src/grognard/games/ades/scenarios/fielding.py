"""Bringing sides, cards, fighters and things into a battle."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.ades.abilities.base import parse
from grognard.games.ades.army.profiles import Nexus, Power, Profile, path_of
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import ACTIVATED, Card, Effect, Fighter, Side, Thing
from grognard.games.ades.records import Summons
from grognard.kernel.citing import cites
from grognard.kernel.geometry.base import Pose, round_base
from grognard.kernel.geometry.units import cm


def add_side(battle: Battle, seat: str, name: str, army: str, format: int) -> Side:
    side = Side(seat, name, army, path_of(army), format)
    battle.sides[seat] = side
    return side


def add_fighter(
    battle: Battle, seat: str, key: str, name: str, profile: Profile, card: str, val: int | None = None
) -> Fighter:
    """A fighter who is not on the table yet."""
    body = battle.bodies.add(profile.foot, Pose(0.0, 0.0), profile.height)
    battle.bodies.remove(body)
    fighter = Fighter(key, name, seat, profile, body, card, profile.val if val is None else val)
    warrior = not any(s.startswith(("Magician", "Magicien", "Faithful", "Fidèle")) for s in profile.skills)
    both = any(s in ("Warrior-mystic", "Mystique-Guerrier") for s in profile.skills)
    if profile.incarnate and (warrior or both):
        fighter.names = (*fighter.names, *incarnate_skills(profile))
        battle.cite("ades:2.3.2-skills", "ades:2.3.1")
    battle.fighters[key] = fighter
    battle._memo.pop("owners", None)
    _read_card(battle, profile)
    return fighter


def _read_card(battle: Battle, profile: Profile) -> None:
    """ades:1.1.2, ades:1.1.2.5, ades:1.1.2.6, ades:1.1.2.8, ades:2.3.1, ades:2.3.3, ades:8.9, ades:10.1,
    ades:B-chasseur
    What a card says, told as rules that have had their say."""
    battle.cite(
        "ades:1.1.1", "ades:1.1.2", "ades:1.1.2.1", "ades:1.1.2.2", "ades:1.1.2.5", "ades:1.1.2.8", "ades:1.1.2.9",
        "ades:1.1.8-pv",
    )  # fmt: skip
    battle.cite("ades:2.3.1", "ades:2.3.2-incarne" if profile.incarnate else "ades:2.3.3")
    said = {
        "ades:1.1.2.3": profile.symbols, "ades:1.1.2.4": bool(profile.skills or profile.weapons),
        "ades:1.1.2.6": bool(profile.affiliations), "ades:1.1.2.7": bool(profile.classes),
        "ades:1.1.2.10": bool(profile.abilities), "ades:10.1": profile.machine, "ades:10.2.1": profile.engine,
        "ades:13.2-enorme": profile.size == "huge",
        "ades:13.2-gigantesque": profile.size == "gigantic",
        "ades:11.1": profile.titan, "ades:B-chasseur": not profile.ours,
    }  # fmt: skip
    battle.cite(*(rule for rule, holds in said.items() if holds))
    if any(text in ("Warrior-mystic", "Mystique-Guerrier") for text in profile.skills):
        battle.cite("ades:8.9", "ades:8.9-skills", "ades:13.2-mystique-guerrier")


def incarnate_skills(profile: Profile) -> tuple[str, ...]:
    """ades:2.3.2-skills  What warriors and warrior-mystics who are Incarnate can do without its being printed."""
    free = ["Sequence strike", "Counter-attack", "Master strike"]
    if "TIR" in profile.stats:
        free.append("Fast reload/1")
    return tuple(s for s in free if s not in profile.skills)


def add_card(battle: Battle, seat: str, key: str, name: str, fighters: Sequence[str], capability: str = "") -> Card:
    card = Card(key, name, seat, tuple(fighters), capability)
    battle.cards[key] = card
    return card


@cites
def strip(battle: Battle, fighter: Fighter) -> None:
    """ades:2.9.3  An Incarnate away from its affiliation loses its banes, personal enemies, brothers and abilities.

    Ruling: abilities that come from a class stay.
    """
    fighter.stripped = True
    lost = ("fleau", "ennemi-personnel", "frere-de-sang")
    fighter.names = tuple(text for text in fighter.names if parse(text).key not in lost)


def add_titan_cards(battle: Battle, fighter: Fighter) -> None:
    """ades:11.3-cards  A card for each capability of a titan, beside its reference card."""
    for power in fighter.profile.capabilities:
        slug = power.name.lower().replace(" ", "-")
        add_card(battle, fighter.seat, f"{fighter.id}-{slug}", power.name, (fighter.id,), power.name)
        battle.cite("ades:11.3-cards")


def add_nexus(battle: Battle, seat: str, kind: Nexus, key: str = "") -> Thing:
    """ades:12.3  A nexus, not yet placed."""
    number = sum(t.kind == "nexus" for t in battle.things.values()) + 1
    thing = Thing(key or f"nexus{number}", "nexus", kind.name, seat)
    thing.nexus = kind
    thing.res, thing.pv, thing.start_pv, thing.charges = kind.res, kind.pv, kind.pv, kind.charges
    battle.things[thing.id] = thing
    return thing


@cites
def add_weapon(battle: Battle, seat: str, profile: Profile, key: str) -> Thing:
    """ades:10.2.2-scenery, ades:10.2.2  A war weapon is scenery with life points; its card stands for its crew."""
    thing = Thing(key, "weapon", profile.name, seat)
    thing.profile = profile
    thing.res = int(profile.stats.get("RES", 0))
    thing.pv = thing.start_pv = profile.pv
    thing.last = seat
    battle.things[key] = thing
    card = add_card(battle, seat, key, profile.name, ())
    card.machine = key
    return thing


def set_thing(battle: Battle, thing: Thing, pose: Pose) -> None:
    """Put a nexus or war weapon on the table."""
    base = thing.profile.foot if thing.profile is not None else round_base(cm(thing.nexus.size if thing.nexus else 4))
    thing.x, thing.y, thing.placed = pose.x, pose.y, True
    if thing.body < 0:
        thing.body = battle.bodies.add(base, Pose(pose.x, pose.y, pose.facing), cm(4))
    else:
        battle.bodies.restore(thing.body, Pose(pose.x, pose.y, pose.facing))
    at = battle.bodies.pose(thing.body)
    thing.x, thing.y = at.x, at.y


def summon(battle: Battle, caster: Fighter, profile: Profile, formula: str) -> Fighter:
    """ades:8.10-activation  A summoned fighter belongs to the summoner's card, from the next turn on."""
    number = sum(bool(f.summons.summoner) for f in battle.fighters.values()) + 1
    key = f"{caster.id}-summoned{number}"
    fighter = add_fighter(battle, caster.seat, key, f"{profile.name} {number}", profile, caster.card)
    fighter.summons = Summons(caster.id, battle.turn, formula)
    fighter.state = ACTIVATED
    card = battle.cards[caster.card]
    card.fighters = (*card.fighters, key)
    return fighter


def wear(battle: Battle, fighter: Fighter, power: Power) -> None:
    """ades:2.8-cost  A passive artefact changes its bearer's characteristics for the whole game."""
    for do in power.does:
        if power.action == "passive" and do.kind == "stats":
            battle.add_effect(Effect(power.name, "ades:2.8-cost", "", fighter.id, 0, do.stats))
