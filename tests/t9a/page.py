"""The lists in docs/cases-t9a.md, made from the game itself; `python -m tests.t9a.page` writes them anew.

Each list stands between `<!-- made: name -->` and `<!-- end -->`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grognard.check.compare import show
from grognard.games.t9a import cards, given, measures, state
from grognard.games.t9a.abilities import every
from grognard.games.t9a.house import HOUSE_RULES
from grognard.games.t9a.ruleset import T9a
from grognard.games.t9a.terrain import KINDS

RULES = T9a()
PAGE = Path(__file__).resolve().parents[2] / "docs" / "cases-t9a.md"
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
        rows.append(_row(f"`{name}`", sorts.get(name, "roll"), text))
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
    return _head("code", "text") + [_row(f"`finding.{code}`", text) for code, text in _texts("finding.").items()]


def terrain() -> list[str]:
    rows = _head("kind", "cover", "dangerous", "rule")
    for kind in KINDS.values():
        cover = ", ".join(f"{how} {what}" for how, what in (("inside", kind.inside), ("behind", kind.behind)) if what)
        danger = ", ".join(f"{who or 'others'} ({x})" for who, x in kind.danger)
        rows.append(_row(f"`{kind.name}`", cover, danger, kind.rule))
    return rows


def houses() -> list[str]:
    rows = _head("name", "unless agreed", "choices", "rule", "what it is")
    for rule in HOUSE_RULES.values():
        choices = ", ".join(f"`{show(choice)}`" for choice in rule.choices) or "a number"
        rows.append(_row(f"`{rule.name}`", f"`{show(rule.default)}`", choices, rule.rule, rule.about))
    return rows


def abilities() -> list[str]:
    rows = _head("kind", "written", "French", "rule")
    for trait in every():
        written = {"X": f"{trait.name} (X)", "?": f"{trait.name} or {trait.name} (X)"}.get(trait.takes, trait.name)
        rows.append(_row(trait.kind, f"`{written}`", trait.french, trait.rule))
    return rows


def profiles() -> list[str]:
    found = cards.profiles()
    book = _names(name for name, profile in found.items() if not profile.ours)
    ours = _names(name for name, profile in found.items() if profile.ours)
    return [f"Of the book: {book}. Our own: {ours}. Starter armies: {_names(cards.starters())}."]


def fields() -> list[str]:
    house = {name: rule.default for name, rule in HOUSE_RULES.items()}
    units = {
        "spears": {"side": "red", "profile": "League Spears", "models": 10, "at": [20, 20], "champion": True},
        "captain": {"side": "red", "profile": "League Captain", "in": "spears"},
    }
    there = given.create({"units": units, "markers": [{"id": "post", "at": [30, 30]}]}, house)
    shown = {
        "a unit": "spears",
        "a model with a pool of its own": "spears.champion",
        "one of the Rank-and-File": "spears.1",
        "a seat": "red",
        "a marker": "post",
    }
    rows = _head("of", "fields")
    rows += [_row(what, _names(state.state(there, thing))) for what, thing in shown.items()]
    return [*rows, _row("`battle`", _names(state.state(there, "battle")))]


def numbers() -> list[str]:
    return [_names(measures.MEASURES) + "."]


def odds() -> list[str]:
    rows = _head("question", "arguments", "what it asks")
    for name, question in RULES.odds_questions.items():
        rows.append(_row(f"`{name}`", _names(a.name for a in question.arguments), question.text))
    return rows


MAKERS: dict[str, Callable[[], list[str]]] = {
    "abilities": abilities, "events": events, "findings": findings, "house-rules": houses, "numbers": numbers,
    "odds": odds, "profiles": profiles, "questions": questions, "state": fields, "terrain": terrain,
}  # fmt: skip


def made(page: str) -> str:
    """The page with every list made anew."""
    return REGION.sub(lambda region: region[1] + "\n".join(MAKERS[region[2]]()) + "\n" + region[4], page)


if __name__ == "__main__":
    PAGE.write_text(made(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
