"""The lists in docs/cases-wfb3.md, made from the game itself; `python -m tests.wfb3.page` writes them anew.

Each list stands between `<!-- made: name -->` and `<!-- end -->`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grognard.check.compare import show
from grognard.games.wfb3 import cards, given, measures, state
from grognard.games.wfb3.abilities import ABILITIES
from grognard.games.wfb3.house import HOUSE_RULES
from grognard.games.wfb3.ruleset import Wfb3
from grognard.games.wfb3.spells import SPELLS
from grognard.games.wfb3.terrain import KINDS
from grognard.games.wfb3.weapons import MISSILES, WEAPONS

RULES = Wfb3()
PAGE = Path(__file__).resolve().parents[2] / "docs" / "cases-wfb3.md"
ASKS = {"Pick": "pick", "Place": "place", "Split": "split", "Order": "order", "Number": "number", "Roll": "roll"}
REGION = re.compile(r"(<!-- made: ([a-z-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _head(*cells: str) -> list[str]:
    return [_row(*cells), _row(*("---" for _ in cells))]


def _names(things: Any) -> str:
    return ", ".join(f"`{thing}`" for thing in things)


def _texts(prefix: str) -> dict[str, str]:
    return {code.removeprefix(prefix): RULES.texts[code] for code in sorted(RULES.texts) if code.startswith(prefix)}


def _calls() -> Iterator[ast.Call]:
    for path in sorted(RULES.folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield node


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def kinds() -> dict[str, str]:
    """What sort of question each name is, as far as it is written out where it is asked."""
    found = {}
    for call in _calls():
        made = call.func.id if isinstance(call.func, ast.Name) else ""
        if made in ASKS and len(call.args) > 1 and (name := _text(call.args[1])):
            found[name] = ASKS[made]
    return found


def questions() -> list[str]:
    sorts = kinds()
    rows = _head("name", "kind", "text")
    for name, text in _texts("ask.").items():
        usual = "pick" if name.startswith("referee.") else "roll"
        rows.append(_row(f"`{name}`", sorts.get(name, usual), text))
    return rows


def events() -> list[str]:
    data: dict[str, dict[str, None]] = {}
    for call in _calls():
        if isinstance(call.func, ast.Attribute) and call.func.attr == "tell" and call.args:
            node = call.args[0]
            told = [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]
            for kind in map(_text, told):
                data.setdefault(kind, {}).update({word.arg: None for word in call.keywords if word.arg})
    rows = _head("kind", "data", "text")
    return rows + [_row(f"`{kind}`", _names(data.get(kind, ())), text) for kind, text in _texts("event.").items()]


def findings() -> list[str]:
    return _head("code", "text") + [_row(f"`army.{code}`", text) for code, text in _texts("army.").items()]


def terrain() -> list[str]:
    rows = _head("kind", "ground", "cover", "sight", "rule")
    for kind in KINDS.values():
        ground = f"{kind.ground}, below the plain" if kind.negative else kind.ground
        rows.append(_row(f"`{kind.name}`", ground, kind.cover, kind.sight, kind.rule))
    return rows


def houses() -> list[str]:
    rows = _head("name", "unless agreed", "choices", "rule", "what it is")
    for rule in HOUSE_RULES.values():
        choices = ", ".join(f"`{show(choice)}`" for choice in rule.choices) or "a number"
        rows.append(_row(f"`{rule.name}`", f"`{show(rule.default)}`", choices, rule.rule, rule.about))
    return rows


def abilities() -> list[str]:
    rows = _head("written", "French", "rule")
    for kind in ABILITIES:
        forms = (kind.takes,) if isinstance(kind.takes, str) else kind.takes
        written = " or ".join(f"`{kind.name} {takes}`" if takes else f"`{kind.name}`" for takes in forms)
        rows.append(_row(written, kind.french, kind.rule))
    return rows


def creatures() -> list[str]:
    return [f"Creatures: {_names(cards.bestiary())}. Starter armies: {_names(cards.starters())}."]


def arms() -> list[str]:
    return [f"Weapons: {_names(WEAPONS)}. Missile weapons: {_names(MISSILES)}."]


def spells() -> list[str]:
    rows = _head("spell", "level", "magic points", "reach", "cast on")
    for spell in SPELLS.values():
        rows.append(_row(f"`{spell.name}`", f"{spell.level}", f"{spell.cost}", f"{spell.reach:g}", spell.on))
    return rows


def fields() -> list[str]:
    house = {name: rule.default for name, rule in HOUSE_RULES.items()}
    units = {
        "spears": {"side": "red", "creature": "Human", "count": 10, "at": [20, 20]},
        "captain": {"side": "red", "creature": "Human", "level": 5, "joins": "spears"},
        "cars": {
            "side": "red", "chariot": {"team": "Horse", "beasts": 2}, "crew": [{"creature": "Human"}], "at": [40, 20],
        },
        "gun": {"side": "blue", "creature": "Human", "count": 3, "machines": [{"engine": "cannon"}], "at": [30, 40]},
    }  # fmt: skip
    house_piece = {"id": "mill", "kind": "building", "at": [50, 30], "size": [4, 4]}
    there = given.create({"units": units, "terrain": [house_piece]}, house)
    shown = {
        "a unit": "spears",
        "a model": "spears.1",
        "a chariot or a beast": "cars.1" if "cars.1" in there.models else there.units["cars"].models[0],
        "a machine": next(iter(there.machines)),
        "a section/level of a building": next(iter(there.rooms)),
        "a piece of terrain": "mill",
        "a seat": "red",
        "`battle`": "battle",
    }
    return _head("of", "fields") + [_row(what, _names(state.state(there, thing))) for what, thing in shown.items()]


def numbers() -> list[str]:
    rows = _head("number", "arguments")
    return rows + [_row(f"`{name}`", _names(measure.takes)) for name, measure in measures.MEASURES.items()]


def odds() -> list[str]:
    rows = _head("question", "arguments", "what it asks")
    for name, question in RULES.odds_questions.items():
        rows.append(_row(f"`{name}`", _names(a.name for a in question.arguments), question.text))
    return rows


MAKERS: dict[str, Callable[[], list[str]]] = {
    "abilities": abilities, "arms": arms, "creatures": creatures, "events": events, "findings": findings,
    "house-rules": houses, "numbers": numbers, "odds": odds, "questions": questions, "spells": spells,
    "state": fields, "terrain": terrain,
}  # fmt: skip


def made(page: str) -> str:
    """The page with every list made anew."""
    return REGION.sub(lambda region: region[1] + "\n".join(MAKERS[region[2]]()) + "\n" + region[4], page)


if __name__ == "__main__":
    PAGE.write_text(made(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
