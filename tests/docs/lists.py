"""What the pages docs/cases-GAME.md have in common: the lists that are made from a game itself.

Each list stands between `<!-- made: name -->` and `<!-- end -->`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from grognard import check
from grognard.check.compare import show
from grognard.kernel.ruleset import Ruleset
from tests.docs.observed import MAX_OPTIONS, kept

#: So many options with one text are one option with different names in it.
MANY = 4
ASKS = {"Pick": "pick", "Place": "place", "Split": "split", "Order": "order", "Number": "number", "Roll": "roll"}
REGION = re.compile(r"(<!-- made: ([a-z-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
Makers = Mapping[str, Callable[[], list[str]]]


def page_of(game: str) -> Path:
    return Path(__file__).resolve().parents[2] / "docs" / f"cases-{game}.md"


def row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def head(*cells: str) -> list[str]:
    return [row(*cells), row(*("---" for _ in cells))]


def names(things: Any) -> str:
    return ", ".join(f"`{thing}`" for thing in things)


def said(node: ast.expr) -> list[str]:
    """The texts an expression may be, as far as they are written out."""
    if isinstance(node, ast.IfExp):
        return said(node.body) + said(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def made(page: str, makers: Makers) -> str:
    """The page with every list made anew."""
    return REGION.sub(lambda region: region[1] + "\n".join(makers[region[2]]()) + "\n" + region[4], page)


def write(page: Path, makers: Makers) -> None:
    page.write_text(made(page.read_text(encoding="utf-8"), makers), encoding="utf-8")


class Lists:
    """The lists any ruleset gives: its questions, events, findings, house rules and odds."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def texts(self, prefix: str) -> dict[str, str]:
        known = self.ruleset.texts
        return {code.removeprefix(prefix): known[code] for code in sorted(known) if code.startswith(prefix)}

    def nodes(self) -> Iterator[ast.AST]:
        for path in sorted(self.ruleset.folder.rglob("*.py")):
            yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))

    def calls(self) -> Iterator[ast.Call]:
        return (node for node in self.nodes() if isinstance(node, ast.Call))

    def kinds(self) -> dict[str, str]:
        """What sort of question each name is, as far as it is written out where it is asked."""
        found: dict[str, str] = {}
        for call in self.calls():
            asked = call.func.id if isinstance(call.func, ast.Name) else ""
            if asked in ASKS and len(call.args) > 1 and isinstance(call.args[1], ast.Constant):
                found |= dict.fromkeys(said(call.args[1]), ASKS[asked])
        return found

    def questions(self, picks: tuple[str, ...] = (), kinds: Mapping[str, str] | None = None) -> list[str]:
        """Names put together where they are asked are rolls, or picks where they begin so; `kinds` says otherwise."""
        sorts = {**self.kinds(), **(kinds or {})}
        rows = head("name", "kind", "text")
        for name, text in self.texts("ask.").items():
            usual = "pick" if name.startswith(picks) else "roll"
            rows.append(row(f"`{name}`", sorts.get(name, usual), text))
        return rows

    def events(self, more: Mapping[str, tuple[str, ...]] | None = None) -> list[str]:
        """`more` is data that is not written out where the event is told."""
        data: dict[str, dict[str, None]] = {kind: dict.fromkeys(words) for kind, words in (more or {}).items()}
        for call in self.calls():
            if isinstance(call.func, ast.Attribute) and call.func.attr == "tell" and call.args:
                for kind in said(call.args[0]):
                    data.setdefault(kind, {}).update({word.arg: None for word in call.keywords if word.arg})
        rows = head("kind", "data", "text")
        told = kept(self.ruleset.id)["events"]
        texts = {**dict.fromkeys(told, ""), **self.texts("event.")}
        real = {kind: {**data.get(kind, {}), **dict.fromkeys(words)} for kind, words in told.items()}
        return rows + [row(f"`{kind}`", names(words), texts[kind]) for kind, words in sorted(real.items())]

    def options(self) -> list[str]:
        """What may be answered to each question that offers options, and what it means."""
        rows = head("question", "options")
        for name, seen in kept(self.ruleset.id)["questions"].items():
            if seen["options"]:
                rows.append(row(f"`{name}`", _options(seen["options"])))
        return rows

    def rolls(self) -> list[str]:
        """Each roll with its dice, and the rolls it was seen to follow directly."""
        rows = head("roll", "dice", "comes after")
        for name, seen in kept(self.ruleset.id)["rolls"].items():
            rows.append(row(f"`{name}`", ", ".join(seen["dice"]), names(seen["after"])))
        return rows

    def findings(self, prefix: str = "muster.") -> list[str]:
        return head("code", "text") + [row(f"`{prefix}{code}`", text) for code, text in self.texts(prefix).items()]

    def houses(self) -> list[str]:
        rows = head("name", "unless agreed", "choices", "rule", "what it is")
        for rule in self.ruleset.house_rules.values():
            choices = ", ".join(f"`{show(choice)}`" for choice in rule.choices) or "a number"
            rows.append(row(f"`{rule.name}`", f"`{show(rule.default)}`", choices, rule.rule, rule.about))
        return rows

    def odds(self) -> list[str]:
        rows = head("question", "arguments", "what it asks")
        for name, question in self.ruleset.odds_questions.items():
            rows.append(row(f"`{name}`", names(a.name for a in question.arguments), question.text))
        return rows


def _options(seen: Mapping[str, str]) -> str:
    """Options with their meaning; those that differ only in a name or a number of the battle once."""
    by_text: dict[str, list[str]] = {}
    for key, text in seen.items():
        by_text.setdefault(text, []).append(key)
    told = []
    for text, keys in by_text.items():
        alike = keys if not text or len(keys) < MANY else [keys[0], "…"]
        few = alike if len(alike) <= MAX_OPTIONS else [*alike[: MAX_OPTIONS - 1], "…"]
        listed = ", ".join(key if key == "…" else f"`{key}`" for key in few)
        told.append(f"{listed} ({text})" if text else listed)
    return "; ".join(told)


def example_fails(page: str, ruleset: Ruleset, folder: Path) -> str:
    """What is wrong with the example case of a page; nothing where it holds."""
    example = re.search(r"```yaml\n(id: .*?)```", page, re.DOTALL)
    if example is None or not yaml.safe_load(example[1]):
        return "there is no example"
    path = folder / ruleset.id / "example.yaml"
    path.parent.mkdir()
    path.write_text(example[1], encoding="utf-8")
    (outcome,) = check.run_file(path, {ruleset.id: ruleset})
    return "" if outcome.passed else check.report_text([outcome], 110)
