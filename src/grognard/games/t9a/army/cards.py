"""t9a:8.D  Army books and army lists as files: cards/<book>.book.yaml and cards/<army>.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from grognard.games.t9a.army import bought_unit, items
from grognard.games.t9a.army.prices import Bought, cost, price
from grognard.games.t9a.army.profiles import Profile, parse_profile
from grognard.kernel.data import reading as read
from grognard.kernel.data.reading import slug
from grognard.kernel.data.sheets import check_different, named, read_yaml
from grognard.kernel.data.typed import convert
from grognard.kernel.errors import BadInput
from grognard.kernel.match.shelf import paths as shelf_paths
from grognard.kernel.match.shelf import shelved

FOLDER = Path(__file__).resolve().parents[1] / "cards"
BOOK_KEYS = ("name", "hereditary", "categories", "profiles", "entries")
ENTRY_KEYS = (
    "category",
    "profile",
    "models",
    "points",
    "each",
    "limit",
    "items",
    "bsb",
    "mounts",
    "options",
    "command",
    "banner",
    "wizard",
    "paths",
    "unique",
    "model_limit",
    "character",
)
OPTION_KEYS = (
    "points",
    "each",
    "armour",
    "weapons",
    "shooting",
    "rules",
    "group",
    "limit",
    "most",
    "needs",
    "category",
    "models",
    "must",
    "unique",
)
ARMY_KEYS = ("name", "book", "limit", "units")
UNIT_KEYS = (
    "name",
    "entry",
    "models",
    "options",
    "champion",
    "musician",
    "standard",
    "banner",
    "mount",
    "wizard",
    "path",
    "items",
    "general",
    "bsb",
)


class Upgrade(msgspec.Struct, frozen=True):
    """t9a:8.D.a.3  An option of an entry; `group` is a choose-one block, `limit` its 0-X per army, `most` caps the
    models of the unit, `models` those of the army that have it; a `must` is compulsory (one of its group is).
    """

    name: str
    points: int = 0
    each: int = 0
    armour: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()
    shooting: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    group: str = ""
    limit: int = 0
    most: int = 0
    needs: str = ""
    category: str = ""
    models: int = 0
    must: bool = False
    unique: bool = False


class Mount(msgspec.Struct, frozen=True):
    """t9a:8.D.b-mount, t9a:8.D.c-mountlimit
    A Character's mount: price, 0-X per army, another category it counts in."""

    name: str
    points: int
    limit: int = 0
    category: str = ""
    unique: bool = False


class Entry(msgspec.Struct, frozen=True):
    """t9a:8.D.a.1  A unit entry of an army book."""

    name: str
    category: tuple[str, ...]
    profile: Profile
    least: int
    most: int
    points: int
    each: int = 0
    limit: int = 0
    items: int = 0
    bsb: int | None = None
    banner: int = 0
    command: dict[str, int] = {}
    wizard: dict[str, int] = {}
    paths: tuple[str, ...] = ()
    mounts: dict[str, Mount] = {}
    options: dict[str, Upgrade] = {}
    weapons: dict[str, Any] = {}
    unique: bool = False
    model_limit: int = 0

    def cost(self, models: int) -> int:
        """t9a:8.D.a.1-cost  The base for the smallest size, and so much for each further model."""
        return self.points + max(0, models - self.least) * self.each


class Book(msgspec.Struct, frozen=True):
    """t9a:8.A  An army book: its categories with their limits, its entries."""

    name: str
    hereditary: str
    categories: dict[str, dict[str, int]]
    profiles: dict[str, Profile]
    entries: dict[str, Entry]


class Recruit(msgspec.Struct, frozen=True):
    """One unit of an army list, as it takes the field."""

    id: str
    name: str
    entry: Entry
    profile: Profile
    models: int
    points: int
    options: tuple[str, ...] = ()
    champion: bool = False
    musician: bool = False
    standard: bool = False
    banner: tuple[str, ...] = ()
    mount: str = ""
    level: str = ""
    path: str = ""
    items: tuple[tuple[str, str], ...] = ()
    general: bool = False
    bsb: bool = False
    price: tuple[tuple[str, int, str], ...] = ()


class Army(msgspec.Struct, frozen=True):
    """t9a:8.A  An army list, read."""

    name: str
    book: Book
    limit: int
    units: tuple[Recruit, ...]

    @property
    def points(self) -> int:
        return sum(unit.points for unit in self.units)


@shelved()
def books() -> dict[str, Book]:
    found = {}
    for path in shelf_paths(FOLDER, "*.book.yaml"):
        book = parse_book(read_yaml(path), path.name)
        found[book.name] = book
    return found


def profiles() -> dict[str, Profile]:
    return {name: p for book in books().values() for name, p in book.profiles.items()}


def entries() -> dict[str, Entry]:
    return {name: e for book in books().values() for name, e in book.entries.items()}


def parse_book(said: Any, where: str) -> Book:
    if not isinstance(said, dict) or not set(said) <= set(BOOK_KEYS):
        raise BadInput("{where}: an army book has {keys} (t9a:8.A)", where=where, keys=", ".join(BOOK_KEYS))
    profiles_said = read.mapping(said.get("profiles") or {}, f"{where}.profiles")
    title = str(said.get("name", where))
    made = {
        name: msgspec.structs.replace(parse_profile(name, p, where), book=title) for name, p in profiles_said.items()
    }
    book = {**said, "profiles": profiles_said}
    held = {n: _told(n, e, made, book, where) for n, e in read.mapping(said.get("entries") or {}, where).items()}
    bounds = {
        name: {k: read.whole(v, f"{where}.categories.{name}.{k}") for k, v in read.mapping(shares or {}, where).items()}
        for name, shares in read.mapping(said.get("categories") or {}, f"{where}.categories").items()
    }
    return Book(title, str(said.get("hereditary") or ""), bounds, made, held)


def _told(name: str, said: Any, made: dict[str, Profile], book: Any, where: str) -> Entry:
    """An entry; what cannot be read in it is told by its name."""
    try:
        return _entry(name, said, made, book, where)
    except (TypeError, ValueError, KeyError, msgspec.ValidationError) as error:
        raise BadInput("{where} {name}: {error} (t9a:8.D.a.1)", where=where, name=name, error=str(error)) from None


def _sorts(said: Any, where: str) -> tuple[str, ...]:
    """t9a:8.B.b  Army categories: one by its name, or a list of them."""
    return (said,) if isinstance(said, str) else read.words(said or [], where)


def _other(said: Any, where: str) -> str:
    """t9a:8.B.b.6, t9a:8.B.b.7  The one more category an option or a mount counts in."""
    found = _sorts(said, where)
    if len(found) > 1:
        raise BadInput("{where} is one more category (t9a:8.B.b.6)", where=where)
    return found[0] if found else ""


def _entry(name: str, said: Any, made: dict[str, Profile], book: Any, where: str) -> Entry:
    here = f"{where} {name}"
    missing = [k for k in ("category", "profile", "models", "points") if k not in read.mapping(said, here)]
    if missing:
        raise BadInput("{here}: {key} is missing (t9a:8.D.a.1)", here=here, key=missing[0])
    odd = [k for k in said if k not in ENTRY_KEYS]
    if odd:
        raise BadInput(
            "{here}: {odd} is not known; an entry has {keys} (t9a:8.D.a.1)",
            here=here,
            odd=odd[0],
            keys=", ".join(ENTRY_KEYS),
        )
    profile = named(said["profile"], made, here, "profile", "t9a:8.D.a.2")
    sorts = _sorts(said["category"], f"{here}.category")
    if "Characters" in sorts and not profile.is_character and said.get("character", True):
        profile = msgspec.structs.replace(profile, rules=("Character", *profile.rules))  # t9a:8.B.b.1
    least, most = (said["models"],) * 2 if isinstance(said["models"], int) else said["models"]
    mounts = {}
    for mount, asked in (said.get("mounts") or {}).items():
        named(mount, made, here, "profile", "t9a:8.D.b-mount")
        told = asked if isinstance(asked, dict) else {"points": asked}
        mounts[mount] = Mount(
            mount,
            int(told["points"]),
            int(told.get("limit", 0)),
            _other(told.get("category"), f"{here} {mount}.category"),
            bool(told.get("unique", False)),
        )
    options = {}
    for key, told in (said.get("options") or {}).items():
        wrong = [k for k in told if k not in OPTION_KEYS]
        if wrong:
            raise BadInput("{here}: an option has {keys} (t9a:8.D.a.3)", here=here, keys=", ".join(OPTION_KEYS))
        extra = _other(told.get("category"), f"{here} {key}.category")
        options[key] = convert({"name": key, **told, "category": extra}, Upgrade)
    return Entry(
        name,
        sorts,
        profile,
        int(least),
        int(most),
        int(said["points"]),
        int(said.get("each", 0)),
        int(said.get("limit", 0)),
        int(said.get("items", 0)),
        said.get("bsb"),
        int(said.get("banner", 0)),
        dict(said.get("command") or {}),
        dict(said.get("wizard") or {}),
        (*said.get("paths", ()), *([book["hereditary"]] if said.get("wizard") and book.get("hereditary") else [])),
        mounts,
        options,
        dict(book["profiles"][said["profile"]].get("weapons") or {}),
        bool(said.get("unique", False)),
        int(said.get("model_limit", 0)),
    )


def starters() -> dict[str, Path]:
    """Starter armies by name."""
    names = ("items.yaml", "paths.yaml")
    return {p.stem: p for p in shelf_paths(FOLDER) if not p.name.endswith(".book.yaml") and p.name not in names}


def load_army(source: Any) -> Army:
    """An army from its name among the starters or from plain data (t9a:8.E.a-distinct)."""
    if isinstance(source, str):
        known = starters()
        if source not in known:
            raise BadInput("there is no starter army {name}; there are {known}", name=source, known=", ".join(known))
        source = read_yaml(known[source])
    if not isinstance(source, dict) or not set(source) <= set(ARMY_KEYS) or not isinstance(source.get("units"), list):
        raise BadInput("an army list has {keys} (t9a:8.A)", keys=", ".join(ARMY_KEYS))
    book = book_of(source.get("book"))
    units = tuple(_recruit(u, book, n) for n, u in enumerate(_called(source["units"])))
    check_different([u.id for u in units], "army", rule="t9a:8.E.a-distinct")
    return Army(str(source.get("name", "army")), book, read.whole(source.get("limit", 4500), "army.limit"), units)


def _called(units: list[Any]) -> list[Any]:
    """Units that were given no name are called after their entry: Foot, Foot 2, Foot 3."""
    written = [u.get("name") for u in units if isinstance(u, dict)]
    found, many = [], {name: 1 for name in written if isinstance(name, str)}
    for said in units:
        name = said.get("entry") if isinstance(said, dict) and "name" not in said else None
        if isinstance(name, str):
            many[name] = many.get(name, 0) + 1
            said = {**said, "name": f"{name} {many[name]}" if many[name] > 1 else name}
        found.append(said)
    return found


def book_of(said: Any) -> Book:
    """t9a:8.A  An army book by its name, or written out in the list."""
    if isinstance(said, dict):
        return parse_book(said, "army.book")
    return named(said, books(), "army", "army book", "t9a:8.A")


def _recruit(said: Any, book: Book, number: int) -> Recruit:
    where = f"units[{number}]"
    if not isinstance(said, dict) or not set(said) <= set(UNIT_KEYS):
        odd = next((k for k in said if k not in UNIT_KEYS), "?") if isinstance(said, dict) else said
        raise BadInput(
            "{where}: {odd} is not known; a unit has {keys} (t9a:8.D.a.1)",
            where=where,
            odd=odd,
            keys=", ".join(UNIT_KEYS),
        )
    entry = named(said.get("entry"), book.entries, where, "unit entry", "t9a:8.D.a.1")
    models = read.whole(said.get("models", entry.least), f"{where}.models")
    options = tuple(str(o) for o in read.listing(said.get("options", []), f"{where}.options"))
    for key in options:
        named(key, entry.options, where, "option", "t9a:8.D.a.3")
    mount = str(said.get("mount", ""))
    if mount:
        named(mount, entry.mounts, where, "mount", "t9a:8.D.b-mount")
    worn = items.read_items(said.get("items", []), f"{where}.items")
    banner = tuple(str(b) for b in read.listing(said.get("banner", []), f"{where}.banner"))
    for name in banner:
        _ = items.ITEMS[name]
    level = str(said.get("wizard", next(iter(entry.wizard), "")))
    flags = {
        k: read.flag(said.get(k, False), f"{where}.{k}") for k in ("champion", "musician", "standard", "general", "bsb")
    }
    profile = bought_unit.equipped(entry, options, book, mount, level, flags["bsb"])
    command = tuple(k for k in ("champion", "musician", "standard") if flags[k])
    lines = price(
        entry, Bought(models, options, mount, level, tuple(n for n, _ in worn), banner, command, flags["bsb"])
    )
    name = str(said.get("name", entry.name))
    return Recruit(
        slug(name),
        name,
        entry,
        profile,
        models,
        cost(lines),
        options,
        flags["champion"],
        flags["musician"],
        flags["standard"],
        banner,
        mount,
        level,
        str(said.get("path", "")),
        worn,
        flags["general"],
        flags["bsb"],
        lines,
    )
