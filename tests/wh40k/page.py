"""The lists in docs/cases-wh40k.md, made from the game itself; `python -m tests.wh40k.page` writes them anew.

Each list stands between `<!-- made: name -->` and `<!-- end -->`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grognard.check.compare import show
from grognard.games.wh40k import cards, measures, state
from grognard.games.wh40k.abilities import base
from grognard.games.wh40k.terrain import KINDS
from tests.wh40k.field import RULES, battle

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cases-wh40k.md"
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
    picks = ("formation.", "go-to-ground", "smokescreen", "attack.allocate", "mortal.allocate")
    for name, text in _texts("ask.").items():
        usual = "pick" if name.startswith(picks) else "roll"
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
    return _head("code", "text") + [_row(f"`muster.{code}`", text) for code, text in _texts("muster.").items()]


def terrain() -> list[str]:
    rows = _head("kind", "usual height", "rule")
    return rows + [_row(f"`{kind}`", f"{high:g}", rule) for kind, (_, rule, high) in KINDS.items()]


def houses() -> list[str]:
    rows = _head("name", "unless agreed", "choices", "rule", "what it is")
    for rule in RULES.house_rules.values():
        choices = ", ".join(f"`{show(choice)}`" for choice in rule.choices) or "a number"
        rows.append(_row(f"`{rule.name}`", f"`{show(rule.default)}`", choices, rule.rule, rule.about))
    return rows


def abilities() -> list[str]:
    rows = _head("of", "written", "rule")
    for what, registry in (("weapons", base._WEAPONS), ("models", base._CORE)):
        known = dict.fromkeys(registry._classes.values())
        rows += [_row(what, f"`{_written(each)}`", each.rule) for each in known]
    return rows


def _written(ability: Any) -> str:
    takes = str(getattr(ability, "takes", "") or "")
    return f"{ability.name}{takes}" if takes.startswith("-") else f"{ability.name} {takes}".strip()


def sheets() -> list[str]:
    every = cards.datasheets()
    book = _names(name for name, sheet in every.items() if not sheet.ours)
    ours = _names(name for name, sheet in every.items() if sheet.ours)
    return [f"Of the book: {book}. Our own: {ours}. Starter armies: {_names(cards.starters())}."]


def fields() -> list[str]:
    units = {"lads": {"side": "red", "datasheet": "Levies", "at": [20, 20]}}
    ruin = {"id": "ruin", "kind": "ruins", "at": [40, 20], "size": [6, 6]}
    there = battle(units, terrain=[ruin], markers=[{"id": "post", "at": [30, 30]}])
    shown = {"a model": "lads.1", "a unit": "lads", "a seat": "red", "a marker": "post", "terrain": "ruin"}
    rows = _head("of", "fields")
    rows += [_row(what, _names(state.state(there, thing))) for what, thing in shown.items()]
    return [*rows, _row("`battle`", _names(state.state(there, "battle")))]


NUMBERS = {
    "distance": "inches between two models, or the nearest models of two units",
    "visible": "whether a model or unit sees another",
    "fully_visible": "whether a model sees every part of another that faces it, or of all models of a unit",
    "covered": "the models of the target that have the Benefit of Cover from the attacker, a list",
    "engaged": "the enemy units within Engagement Range, a list",
    "below_half": "whether the unit is below half-strength",
    "coherent": "whether the unit is in coherency",
    "leadership": "its best Leadership, with its why",
    "toughness": "the Toughness attacks on it are made against, with its why",
    "wound": "the Wound roll needed, with its why",
}


def numbers() -> list[str]:
    rows = _head("measure", "arguments", "what it is")
    return rows + [
        _row(f"`{name}`", _names(known), NUMBERS.get(name, "")) for name, (_, known) in measures.MEASURES.items()
    ]


def odds() -> list[str]:
    rows = _head("question", "arguments", "what it asks")
    for name, question in RULES.odds_questions.items():
        rows.append(_row(f"`{name}`", _names(a.name for a in question.arguments), question.text))
    return rows


MAKERS: dict[str, Callable[[], list[str]]] = {
    "abilities": abilities, "datasheets": sheets, "events": events, "findings": findings, "house-rules": houses,
    "numbers": numbers, "odds": odds, "questions": questions, "state": fields, "terrain": terrain,
}  # fmt: skip


def made(page: str) -> str:
    """The page with every list made anew."""
    return REGION.sub(lambda region: region[1] + "\n".join(MAKERS[region[2]]()) + "\n" + region[4], page)


if __name__ == "__main__":
    PAGE.write_text(made(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
