"""Reference cards, formulas, artefacts, nexus and army lists as files: cards/*.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from grognard.games.ades.abilities import parse
from grognard.games.ades.army.card_reading import parse_nexus, parse_power, parse_profile
from grognard.games.ades.army.profiles import Library, Nexus, Power, Profile
from grognard.kernel.data import reading as read
from grognard.kernel.data.sheets import named, read_yaml, starter
from grognard.kernel.data.sheets import starters as found_starters
from grognard.kernel.errors import BadInput
from grognard.kernel.match import shelf

FOLDER = Path(__file__).resolve().parents[1] / "cards"
ARMY_KEYS = (
    "name", "army", "format", "formats", "affiliation", "commander", "units", "nexus", "profiles", "formulas",
    "artefacts", "affiliations", "nexus_types",
)  # fmt: skip
AFFILIATION_KEYS, SOLO_KEYS = ("army", "cost", "skills", "solos"), ("cost", "rank_cost", "class", "skills")
ENTRY_KEYS = ("name", "profile", "count", "artefacts", "formulas", "solos")
FORMATS = ("heroes", "creatures", "ally", "machine", "titan", "affiliations")


class Solo(msgspec.Struct, frozen=True):
    """ades:2.9.4.2-solo  What may be bought for a card of an affiliated list; `rank_cost` is paid for each rank."""

    name: str
    cost: int = 0
    rank_cost: int = 0
    of: str = ""
    skills: tuple[str, ...] = ()


class Affiliation(msgspec.Struct, frozen=True):
    """ades:2.9.1  A named part of an army: what belonging to it costs and brings."""

    name: str
    army: str
    costs: tuple[int, ...]  # by format 200 to 600, or one for all
    skills: tuple[str, ...]
    solos: dict[str, Solo]


class Artefact(msgspec.Struct, frozen=True):
    """ades:2.8-cost  An artefact: its cost and what it does."""

    power: Power
    val: int


class Recruit(msgspec.Struct, frozen=True):
    """ades:2.5-content  One line of an army list."""

    id: str
    name: str
    profile: Profile
    count: int
    artefacts: tuple[str, ...]
    formulas: tuple[tuple[str, int], ...]
    solos: tuple[str, ...]


class Books(msgspec.Struct, frozen=True):
    """Everything a list may name."""

    profiles: dict[str, Profile]
    powers: dict[str, Power]
    nexus: dict[str, Nexus]
    artefacts: dict[str, Artefact]
    affiliations: dict[str, Affiliation]

    def library(self) -> Library:
        return Library(self.profiles, self.powers | {k: a.power for k, a in self.artefacts.items()}, self.nexus)


class Army(msgspec.Struct, frozen=True):
    """ades:2.5-content  An army list, read."""

    name: str
    army: str
    format: int
    formats: tuple[str, ...]
    affiliation: str
    commander: str
    units: tuple[Recruit, ...]
    nexus: tuple[str, ...]
    books: Books


def _is_army(data: Any) -> bool:
    return isinstance(data, dict) and "units" in data


def starters() -> Mapping[str, Path]:
    """Starter armies by name."""
    return found_starters(FOLDER, _is_army)


@shelf.shelved()
def books() -> Books:
    """Everything the starter files hold."""
    found = Books({}, {}, {}, {}, {})
    for path in shelf.paths(FOLDER):
        data = read_yaml(path)
        if not _is_army(data):
            found = with_more(found, data, path.name)
    return found


def with_more(known: Books, data: Mapping[str, Any], where: str) -> Books:
    """The same books with what plain data adds."""
    for key in ("profiles", "formulas", "artefacts", "affiliations"):
        for name, card in read.mapping(data.get(key) or {}, f"{where}.{key}").items():
            read.mapping(card, f"{where}.{key}.{name}")
    profiles = {n: parse_profile(n, d) for n, d in (data.get("profiles") or {}).items()}
    powers = {n: parse_power(n, d, "spell") for n, d in (data.get("formulas") or {}).items()}
    kinds = data.get("nexus") or {}
    if not isinstance(kinds, list | dict):
        raise BadInput("{where}.nexus is a mapping or a list, not {value}", where=where, value=repr(kinds))
    nexus = {n: parse_nexus(n, d) for n, d in kinds.items()} if isinstance(kinds, dict) else {}
    artefacts = {
        n: Artefact(parse_power(n, d, "artefact"), read.integer(d.get("val", 0), f"{where}.artefacts.{n}.val"))
        for n, d in (data.get("artefacts") or {}).items()
    }
    affiliations = {n: _affiliation(n, d, where) for n, d in (data.get("affiliations") or {}).items()}
    return Books(
        known.profiles | profiles, known.powers | powers, known.nexus | nexus, known.artefacts | artefacts,
        known.affiliations | affiliations,
    )  # fmt: skip


def _affiliation(name: str, data: Mapping[str, Any], where: str) -> Affiliation:
    here = f"{where}.affiliations.{name}"
    read.mapping(data, here, AFFILIATION_KEYS)
    cost = data.get("cost", 0)
    costs = tuple(read.integer(c, f"{here}.cost") for c in (cost if isinstance(cost, list | tuple) else (cost,)))
    if len(costs) not in (1, 5):
        raise BadInput(
            "{where}: the affiliation {name} costs one value or five (ades:2.9.4.1-cost)", where=where, name=name
        )
    solos = {}
    for key, entry in read.mapping(data.get("solos") or {}, f"{here}.solos").items():
        solos[key] = _solo(key, read.mapping(entry, f"{here}.solos.{key}", SOLO_KEYS), f"{here}.solos.{key}")
    skills = _skills(data, here)
    return Affiliation(name, str(data.get("army", "")), costs, skills, solos)


def _solo(name: str, said: Mapping[str, Any], where: str) -> Solo:
    cost, rank_cost = (read.integer(said.get(key, 0), f"{where}.{key}") for key in ("cost", "rank_cost"))
    return Solo(name, cost, rank_cost, str(said.get("class", "")), _skills(said, where))


def _skills(said: Mapping[str, Any], where: str) -> tuple[str, ...]:
    skills = read.words(said.get("skills", ()), f"{where}.skills")
    for text in skills:
        parse(text)
    return skills


def load_army(source: Any, where: str = "army") -> Army:
    """An army from its name among the starters or from plain data."""
    if isinstance(source, str):
        source = starter(source, starters(), where)
    data = read.mapping(source, where, ARMY_KEYS)
    more = {k: v for k, v in data.items() if k in ("profiles", "formulas", "artefacts", "affiliations")}
    known = with_more(books(), more | {"nexus": data.get("nexus_types") or {}}, where)
    entries = read.listing(data.get("units"), f"{where}.units")
    units = tuple(_recruit(entry, number, known, where) for number, entry in enumerate(entries))
    for word in read.words(data.get("formats", []), f"{where}.formats"):
        read.one_of(word, f"{where}.formats", FORMATS)
    nexus = read.words(data.get("nexus", []), f"{where}.nexus")
    for name in nexus:
        named(name, known.nexus, f"{where}.nexus", "nexus", "ades:12.1-buy")
    affiliation = str(data.get("affiliation", "") or "")
    if affiliation:
        named(affiliation, known.affiliations, f"{where}.affiliation", "affiliation", "ades:2.9.2-choice")
    return Army(
        str(data.get("name", "army")), read.text(data.get("army"), f"{where}.army"),
        read.whole(data.get("format", 200), f"{where}.format"),
        read.words(data.get("formats", []), f"{where}.formats"), affiliation, str(data.get("commander", "") or ""),
        units, nexus, known,
    )  # fmt: skip


def _recruit(entry: Any, number: int, known: Books, where: str) -> Recruit:
    here = f"{where}.units[{number}]"
    said = read.mapping(entry, here, ENTRY_KEYS)
    profile = named(said.get("profile"), known.profiles, here, "card", "ades:1.1.2")
    count = read.whole(said.get("count", 1), f"{here}.count")
    name = str(said.get("name", profile.name))
    artefacts = read.words(said.get("artefacts", []), f"{here}.artefacts")
    for artefact in artefacts:
        named(artefact, known.artefacts, here, "artefact", "ades:2.8-count")
    return Recruit(
        read.slug(name) or f"unit-{number}", name, profile, count, artefacts,
        formulas(said.get("formulas", []), known, here), read.words(said.get("solos", []), f"{here}.solos"),
    )  # fmt: skip


def formulas(given: Any, known: Books, where: str) -> tuple[tuple[str, int], ...]:
    """ades:8.1-book, ades:8.4-level-x  A personal book: names, or names with the level of those of level X."""
    listed = [given] if isinstance(given, dict) else read.listing(given, f"{where}.formulas")
    pairs: list[tuple[Any, Any]] = []
    for item in listed:
        pairs += item.items() if isinstance(item, dict) else [(item, 0)]
    found = []
    for name, level in pairs:
        power = named(name, known.powers, where, "formula", "ades:8.1-book")
        if not power.level and not level:
            raise BadInput("{where}: {formula} has level X; write the level beside its name (ades:8.4-level-x)",
                           where=where, formula=name)  # fmt: skip
        found.append((power.name, power.level or int(level)))
    return tuple(found)
