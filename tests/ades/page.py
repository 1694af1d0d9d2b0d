"""The lists in docs/cases-ades.md, made from the game itself; `python -m tests.ades.page` writes them anew.

Each list stands between `<!-- made: name -->` and `<!-- end -->`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grognard.check.compare import show
from grognard.games.ades import cards, given, measures, scenarios, state
from grognard.games.ades.abilities import kinds as skills
from grognard.games.ades.ruleset import Ades
from grognard.games.ades.terrain import KINDS

RULES = Ades()
PAGE = Path(__file__).resolve().parents[2] / "docs" / "cases-ades.md"
ASKS = {"Pick": "pick", "Place": "place", "Split": "split", "Order": "order", "Number": "number", "Roll": "roll"}
#: Data that is not written out where the event is told.
MORE = {"game.over": ("winner", "why", "score")}
REGION = re.compile(r"(<!-- made: ([a-z-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _head(*cells: str) -> list[str]:
    return [_row(*cells), _row(*("---" for _ in cells))]


def _names(things: Any) -> str:
    return ", ".join(f"`{thing}`" for thing in things)


def _texts(prefix: str) -> dict[str, str]:
    return {code.removeprefix(prefix): RULES.texts[code] for code in sorted(RULES.texts) if code.startswith(prefix)}


def _nodes() -> Iterator[ast.AST]:
    for path in sorted(RULES.folder.rglob("*.py")):
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def _calls() -> Iterator[ast.Call]:
    return (node for node in _nodes() if isinstance(node, ast.Call))


def _said(node: ast.expr) -> list[str]:
    """The texts an expression may be, as far as they are written out."""
    if isinstance(node, ast.IfExp):
        return _said(node.body) + _said(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def _asked(call: ast.Call) -> str:
    """What sort of question a call makes, or nothing."""
    return ASKS.get(call.func.id, "") if isinstance(call.func, ast.Name) and len(call.args) > 1 else ""


def _askers() -> dict[str, tuple[int, str]]:
    """Scripts that are told the name of what they ask: at which place, and what sort of question it is."""
    found = {}
    for node in _nodes():
        if isinstance(node, ast.FunctionDef):
            parameters = [argument.arg for argument in node.args.args]
            for call in (part for part in ast.walk(node) if isinstance(part, ast.Call)):
                named = call.args[1] if _asked(call) else None
                if isinstance(named, ast.Name) and named.id in parameters:
                    found[node.name] = (parameters.index(named.id), _asked(call))
    return found


def kinds() -> dict[str, list[str]]:
    """What sorts of question each name is, as it is written out where it is asked."""
    found: dict[str, list[str]] = {}
    askers = _askers()
    for call in _calls():
        called = getattr(call.func, "id", "") or getattr(call.func, "attr", "")
        place, sort = (1, _asked(call)) if _asked(call) else askers.get(called, (0, ""))
        for name in _said(call.args[place]) if sort and len(call.args) > place else ():
            found[name] = list(dict.fromkeys([*found.get(name, ()), sort]))
    return found


def questions() -> list[str]:
    """A name that is also that of a test is a roll as well."""
    sorts = kinds()
    rows = _head("name", "kind", "text")
    for name, text in _texts("ask.").items():
        rolled = ["roll"] if f"roll.{name}" in RULES.texts else []
        rows.append(_row(f"`{name}`", ", ".join(dict.fromkeys([*sorts.get(name, ()), *rolled])), text))
    return rows


def events() -> list[str]:
    data: dict[str, dict[str, None]] = {kind: dict.fromkeys(words) for kind, words in MORE.items()}
    for call in _calls():
        if isinstance(call.func, ast.Attribute) and call.func.attr == "tell" and call.args:
            for kind in _said(call.args[0]):
                data.setdefault(kind, {}).update({word.arg: None for word in call.keywords if word.arg})
    rows = _head("kind", "data", "text")
    return rows + [_row(f"`{kind}`", _names(data.get(kind, ())), text) for kind, text in _texts("event.").items()]


def findings() -> list[str]:
    return _head("code", "text") + [_row(f"`muster.{code}`", text) for code, text in _texts("muster.").items()]


def terrain() -> list[str]:
    rows = _head("kind", "sight", "usual height", "ground")
    return rows + [
        _row(f"`{kind}`", sight, f"{high:g}", ", ".join(traits)) for kind, (sight, high, traits) in KINDS.items()
    ]


def missions() -> list[str]:
    rows = _head("scenario", "title", "what it is")
    return rows + [_row(f"`{plan.id}`", plan.title, plan.summary) for plan in scenarios.SCENARIOS.values()]


def houses() -> list[str]:
    rows = _head("name", "unless agreed", "choices", "rule", "what it is")
    for rule in RULES.house_rules.values():
        choices = ", ".join(f"`{show(choice)}`" for choice in rule.choices) or "a number"
        rows.append(_row(f"`{rule.name}`", f"`{show(rule.default)}`", choices, rule.rule, rule.about))
    return rows


WRITTEN = {
    "": "{name}", "number": "{name}/X", "stats": "{name}/STAT", "words": "{name}/word", "pair": "{name}/X/Y",
    "mystic": "{name} (X/elements/ways)",
}  # fmt: skip


def abilities() -> list[str]:
    rows = _head("written", "in the book", "rule")
    return rows + [_row(f"`{WRITTEN[each.takes].format(name=each.name)}`", each.french, each.rule) for each in skills()]


def sheets() -> list[str]:
    known = cards.books()
    parts = {
        "Cards": known.profiles, "Formulas": known.powers, "Artefacts": known.artefacts, "Nexus": known.nexus,
        "Affiliations": known.affiliations, "Starter armies": cards.starters(),
    }  # fmt: skip
    return ["\n\n".join(f"{what}: {_names(things)}." for what, things in parts.items())]


def fields() -> list[str]:
    there = given.create(
        {
            "terrain": [{"id": "wood", "kind": "wood", "at": [40, 20], "size": [10, 10]}],
            "fighters": {"warden": {"side": "red", "profile": "Warden", "at": [20, 20], "card": "wardens"}},
            "things": {"relic": {"kind": "token", "at": [30, 30]}},
        },
        {name: rule.default for name, rule in RULES.house_rules.items()},
    )
    shown = {
        "a fighter": "warden", "a card": "wardens", "a seat": "red", "a thing": "relic", "scenery": "wood",
        "`neutral`": "neutral", "`battle`": "battle",
    }  # fmt: skip
    return _head("of", "fields") + [_row(what, _names(state.state(there, thing))) for what, thing in shown.items()]


def numbers() -> list[str]:
    """What a measure is stands in its docstring, after the rules."""
    rows = _head("measure", "arguments", "what it is", "rules")
    for name, (_, known) in measures.MEASURES.items():
        rule, _, text = (getattr(measures, name).__doc__ or "").partition("  ")
        rows.append(_row(f"`{name}`", _names(known), text.strip(), rule))
    return rows


def odds() -> list[str]:
    rows = _head("question", "arguments", "what it asks")
    for name, question in RULES.odds_questions.items():
        rows.append(_row(f"`{name}`", _names(a.name for a in question.arguments), question.text))
    return rows


MAKERS: dict[str, Callable[[], list[str]]] = {
    "abilities": abilities, "cards": sheets, "events": events, "findings": findings, "house-rules": houses,
    "numbers": numbers, "odds": odds, "questions": questions, "scenarios": missions, "state": fields,
    "terrain": terrain,
}  # fmt: skip


def made(page: str) -> str:
    """The page with every list made anew."""
    return REGION.sub(lambda region: region[1] + "\n".join(MAKERS[region[2]]()) + "\n" + region[4], page)


if __name__ == "__main__":
    PAGE.write_text(made(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
