"""The page's types of what the server tells, made from the server's own: `python -m tests.docs.typescript` writes them.

web/src/lib/protocol/scene.ts comes from kernel/screen/scene.py, lists.ts from server/http/wire.py and told.ts from
server/playing/told.py; what only the page knows stands beside them in parts.ts.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import inspect

from grognard.kernel.match import dice
from grognard.kernel.questions import Underway
from grognard.kernel.screen import scene
from grognard.server.http import wire
from grognard.server.playing import told

FOLDER = Path(__file__).resolve().parents[2] / "web" / "src" / "lib" / "protocol"
#: What the page calls some of them.
NAMES: dict[type, str] = {
    scene.Player: "Side", wire.GameInfo: "Game", wire.HouseInfo: "HouseRule", wire.ArmyInfo: "Army",
    wire.RuleInfo: "Rule", dice.Seal: "Sealed",
}  # fmt: skip
#: Every file with what stands in it, and what it says of itself.
FILES: dict[str, tuple[str, tuple[type, ...]]] = {
    "scene": ("The scene: all that is drawn.", (
        scene.Said, scene.Count, scene.Board, scene.Ground, scene.Stand, scene.Foot, scene.Wounds, scene.Figure,
        scene.Formation, scene.Troop, scene.Circle, scene.Zone, scene.Token, scene.Player, scene.Step, scene.Clock,
        scene.Cell, scene.Grid, scene.Special, scene.Card, scene.Scene,
    )),
    "lists": ("Games, armies, matches and rules, as lists of them come.", (
        wire.ScenarioInfo, wire.HouseInfo, wire.GameInfo, wire.ArmyInfo, wire.Created, wire.InvitedSeat, wire.SeatInfo,
        wire.RuleInfo,
    )),
    "told": ("What the server tells and asks.", (
        told.Change, told.LogEntry, told.Note, told.Choice, told.Barred, told.Proposal, Underway, told.Asked,
        *told.QUESTIONS.values(), dice.Withdrawn, dice.Seal, told.Undo, told.State, told.Why, told.Trace, told.Ghost,
        told.Checked, told.Reach, told.Seen, told.Sight, told.Area, told.Around, told.Value, told.Numbers, told.Account,
        told.Measure, told.Exact, told.OddsRow, told.OddsStep, told.OddsCell, told.OddsGrid, told.OddsTable,
        told.OddsReply, told.Accepted, told.Trouble,
    )),
}  # fmt: skip
#: Types of the page's own words for what JSON has no words for.
OWN = {told.Words: "Words"}


def written(file: str) -> str:
    """A whole file."""
    about, kinds = FILES[file]
    bodies = [_interface(kind) for kind in kinds]
    text = "\n".join(bodies)
    lines = [f"/** {about} Made by `make pages` from the server's types; not to be edited. */"]
    homes = {_name(kind): other for other, (_, held) in FILES.items() for kind in held}
    homes |= {"Words": "parts", "Point": "parts", "Result": "parts", "Placement": "parts", "Question": "parts"}
    wanted: dict[str, list[str]] = {}
    for name, home in sorted(homes.items()):
        if home != file and _mentions(text, name):
            wanted.setdefault(home, []).append(name)
    lines += [f'import type {{ {", ".join(names)} }} from "./{home}";' for home, names in sorted(wanted.items())]
    return "\n".join([*lines, "", text]) + "\n"


def _mentions(text: str, name: str) -> bool:
    words = "".join(letter if letter.isalnum() or letter == "_" else " " for letter in text).split()
    return name in words


def _name(kind: Any) -> str:
    return OWN.get(kind) or NAMES.get(kind, kind.__name__)


def _interface(kind: type) -> str:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    parent = kind.__bases__[0]
    inherits = parent in (told.Asked, told.Exact)
    above = {field.name for field in _fields(parent)} if inherits else set()
    extends = f" extends {_name(parent)}" if inherits else ""
    return "\n".join(
        [
            f"export interface {_name(kind)}{extends} {{",
            *(line for field in info.fields if field.name not in above for line in _field(kind, field)),
            "}",
        ]
    )


def _fields(kind: type) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(kind)
    return info.fields if isinstance(info, inspect.StructType) else ()


def _field(kind: type, field: inspect.Field) -> Iterator[str]:
    about, shown = _told(field.type)
    if about:
        yield f"  /** {about} */"
    left_out = issubclass(kind, told.Told) or kind.__struct_config__.omit_defaults  # type: ignore[attr-defined]
    yield f"  {field.encode_name}{'?' if left_out and not field.required else ''}: {shown};"


def _told(kind: inspect.Type) -> tuple[str, str]:
    """What is said of a type, and the type."""
    if isinstance(kind, inspect.Metadata):
        extra = kind.extra_json_schema or {}
        return extra.get("description", ""), extra.get("title") or _type(kind.type)
    return "", _type(kind)


_PLAIN: dict[type, str] = {
    inspect.StrType: "string", inspect.IntType: "number", inspect.FloatType: "number", inspect.BoolType: "boolean",
    inspect.NoneType: "null", inspect.AnyType: "unknown",
}  # fmt: skip


def _type(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.Metadata):
        return _told(kind)[1]
    if type(kind) in _PLAIN:
        return _PLAIN[type(kind)]
    if isinstance(kind, inspect.LiteralType):
        return " | ".join(f'"{value}"' for value in kind.values)
    if isinstance(kind, inspect.StructType):
        return _name(kind.cls)
    if isinstance(kind, inspect.DictType):
        return f"Record<{_type(kind.key_type)}, {_type(kind.value_type)}>"
    if isinstance(kind, inspect.TupleType):
        parts = [_type(part) for part in kind.item_types]
        return "Point" if [type(p) for p in kind.item_types] == [inspect.FloatType] * 2 else f"[{', '.join(parts)}]"
    if isinstance(kind, inspect.ListType | inspect.VarTupleType):
        inner = _type(kind.item_type)
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if isinstance(kind, inspect.UnionType):
        parts = [_type(part) for part in kind.types]
        return " | ".join(dict.fromkeys(sorted(parts, key=lambda part: part == "null")))
    raise TypeError(f"the page has no type for {kind}")


def main() -> None:
    for file in FILES:
        path: Any = FOLDER / f"{file}.ts"
        path.write_text(written(file), encoding="utf-8")


if __name__ == "__main__":
    main()
