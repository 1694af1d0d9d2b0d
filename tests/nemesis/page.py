"""The lists in docs/cases-nemesis.md, made from the game itself; `python -m tests.nemesis.page` writes them anew.

Each list stands between `<!-- made: name -->` and `<!-- end -->`. The examples of answers are written by hand and
kept; a question that has none gets one from random play.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grognard.check.compare import show
from grognard.games import RULESETS
from grognard.games.nemesis.army import cards
from grognard.games.nemesis.cases import measures, state
from grognard.games.nemesis.table.terrain import KINDS
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Roll
from grognard.players import RandomPlayer
from tests.docs.lists import Lists
from tests.docs.observed import kept

NEMESIS = RULESETS["nemesis"]
LISTS = Lists(NEMESIS)
PAGE = Path(__file__).resolve().parents[2] / "docs" / "cases-nemesis.md"
ASKS = {"Pick": "pick", "Place": "place", "Split": "split", "Order": "order", "Number": "number", "Roll": "roll"}
#: Data that is not written out where the event is told.
MORE = {"game.over": ("winner", "why", "score")}
REGION = re.compile(r"(<!-- made: ([a-z-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def calls() -> Iterator[ast.Call]:
    """Every call in the game's source."""
    for path in sorted(NEMESIS.folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield node


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def kinds() -> dict[str, str]:
    """What sort of question each name is; a name put together from parts fits every text that it may be."""
    found: dict[str, str] = {}
    whole: dict[str, str] = {}
    for call in calls():
        made = call.func.id if isinstance(call.func, ast.Name) else ""
        if made in ASKS and len(call.args) > 1:
            place = whole if isinstance(call.args[1], ast.Constant) else found
            place |= dict.fromkeys(_asked(call.args[1]), ASKS[made])
    return found | whole


def _asked(node: ast.expr) -> list[str]:
    if not isinstance(node, ast.JoinedStr):
        return [text] if (text := _text(node)) else []
    parts = [re.escape(str(p.value)) if isinstance(p, ast.Constant) else "[a-z.]+" for p in node.values]
    return [name for name in _texts("ask.") if re.fullmatch("".join(parts), name)]


def event_data() -> dict[str, list[str]]:
    """The data of each kind of event, as far as it is written where the event is told."""
    found: dict[str, dict[str, None]] = {}
    for call in calls():
        if isinstance(call.func, ast.Attribute) and call.func.attr == "tell" and call.args:
            for kind in _kinds_told(call.args[0]):
                found.setdefault(kind, {}).update({word.arg: None for word in call.keywords if word.arg})
    return {kind: list(words) for kind, words in found.items()}


def _kinds_told(node: ast.expr) -> list[str]:
    if isinstance(node, ast.IfExp):
        return [_text(node.body), _text(node.orelse)]
    return [_text(node)]


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _names(things: Any) -> str:
    return ", ".join(f"`{thing}`" for thing in things)


def _texts(prefix: str) -> dict[str, str]:
    return {code.removeprefix(prefix): NEMESIS.texts[code] for code in sorted(NEMESIS.texts) if code.startswith(prefix)}


def questions(old: str, examples: dict[str, str]) -> list[str]:
    kept = {m[1]: m[2] for m in re.finditer(r"^\| `([^`]+)` \| \w+ \| (.*?) \| (?:[^|\\]|\\\|)*\|$", old, re.MULTILINE)}
    sorts = kinds()
    rows = [_row("name", "kind", "answer, for example", "text"), _row("---", "---", "---", "---")]
    for name, text in _texts("ask.").items():
        sort = sorts.get(name) or ("number" if name.endswith(".dice") else "roll")
        example = "" if sort == "roll" else kept.get(name) or examples.get(name, "")
        rows.append(_row(f"`{name}`", sort, example, text))
    return rows


def events(old: str, examples: dict[str, str]) -> list[str]:
    data = event_data()
    rows = [_row("kind", "data", "text"), _row("---", "---", "---")]
    texts = _texts("event.")
    for kind, words in kept("nemesis")["events"].items():
        told = dict.fromkeys((*data.get(kind, ()), *MORE.get(kind, ()), *words))
        rows.append(_row(f"`{kind}`", _names(told), texts.get(kind, "")))
    return rows


def findings(old: str, examples: dict[str, str]) -> list[str]:
    rows = [_row("code", "text"), _row("---", "---")]
    return rows + [_row(f"`muster.{code}`", text) for code, text in _texts("muster.").items()]


def terrain(old: str, examples: dict[str, str]) -> list[str]:
    rows = [_row("kind", "movement", "sight"), _row("---", "---", "---")]
    for name, kind in KINDS.items():
        rows.append(_row(f"`{name}`", kind.movement + (" (crossed as a line)" if kind.linear else ""), kind.sight))
    return rows


def houses(old: str, examples: dict[str, str]) -> list[str]:
    rows = [_row("name", "unless agreed", "choices", "rule", "what it is"), _row("---", "---", "---", "---", "---")]
    for rule in NEMESIS.house_rules.values():
        choices = ", ".join(f"`{show(choice)}`" for choice in rule.choices) or "a number"
        rows.append(_row(f"`{rule.name}`", f"`{show(rule.default)}`", choices, rule.rule, rule.about))
    return rows


def sheets(old: str, examples: dict[str, str]) -> list[str]:
    every = cards.library()
    book = _names(name for name, card in every.items() if not card.ours)
    ours = _names(name for name, card in every.items() if card.ours)
    return [f"Cards of the book: {book}. Our own: {ours}. Starter armies: {_names(cards.starters())}."]


def fields(old: str, examples: dict[str, str]) -> list[str]:
    units = {"lads": {"side": "red", "card": "Skeleton", "count": 2, "at": [20, 20]}}
    pieces = [{"id": "wood", "kind": "wood", "at": [60, 60], "size": [9, 9]}]
    setup = {"given": {"scenario": "hunters-manuscripts", "units": units, "terrain": pieces}}
    battle: Any = NEMESIS.create(setup, NEMESIS.house_rules_from({}))
    shown = {"a model": "lads.1", "a unit": "lads", "a seat": "red", "a marker": "scroll1", "terrain": "wood"}
    rows = [_row("of", "fields"), _row("---", "---")]
    rows += [_row(what, _names(state.state(battle, thing))) for what, thing in shown.items()]
    return [*rows, _row("`battle`", _names(state.state(battle, "battle")))]


def numbers(old: str, examples: dict[str, str]) -> list[str]:
    told = {m[1]: m[2] for m in re.finditer(r"^\| `([^`]+)` \| [^|]* \| (.*?) \|$", old, re.MULTILINE)}
    rows = [_row("measure", "arguments", "what it is"), _row("---", "---", "---")]
    for name, (ask, known) in measures.MEASURES.items():
        about = (ask.__doc__ or "").partition("  ")[2].strip()
        rows.append(_row(f"`{name}`", _names(known), told.get(name) or about))
    return rows


def odds(old: str, examples: dict[str, str]) -> list[str]:
    rows = [_row("question", "arguments", "what it asks"), _row("---", "---", "---")]
    for name, question in NEMESIS.odds_questions.items():
        rows.append(_row(f"`{name}`", _names(a.name for a in question.arguments), question.text))
    return rows


MAKERS: dict[str, Callable[[str, dict[str, str]], list[str]]] = {
    "cards": sheets, "events": events, "findings": findings, "house-rules": houses, "numbers": numbers, "odds": odds,
    "options": lambda old, examples: LISTS.options(), "questions": questions,
    "rolls": lambda old, examples: LISTS.rolls(), "state": fields, "terrain": terrain,
}  # fmt: skip


def made(page: str, examples: dict[str, str] | None = None) -> str:
    """The page with every list made anew."""

    def fill(region: re.Match[str]) -> str:
        return region[1] + "\n".join(MAKERS[region[2]](region[3], examples or {})) + "\n" + region[4]

    return REGION.sub(fill, page)


def play_for_examples() -> dict[str, str]:
    """An answer to each question that comes up in some random games, as a case would write it."""
    found: dict[str, str] = {}
    names, missions = list(NEMESIS.armies()), list(NEMESIS.scenarios)
    for seed in range(12):
        setup = NEMESIS.default_setup(missions[seed % 3], (names[seed % 8], names[(seed + 3) % 8]), seed)
        match = Match(NEMESIS, setup, dice=Seeded(seed), history="none")
        player = RandomPlayer(seed)
        while not match.over:
            question = match.question()
            answer = player.choose(match, question)
            if answer not in (None, []) and not isinstance(question, Roll) and question.kind != "place":
                found.setdefault(question.name, f"`{show(answer)}`")
            match.answer(answer)
    return found


if __name__ == "__main__":
    PAGE.write_text(made(PAGE.read_text(encoding="utf-8"), play_for_examples()), encoding="utf-8")
