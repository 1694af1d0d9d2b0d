"""docs/rulings.md is made of the lines `Ruling: …` in the games' docstrings: `python -m tests.docs.rulings`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from grognard.games import RULESETS

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "rulings.md"
HEAD = """# Rulings

Where a book is silent, damaged or contradicts itself, this is the reading Grognard plays, by game and rule. What the
players may want otherwise is a house rule of the match (`--house NAME=VALUE`), recorded in its save. This page is made
from the docstrings of the code that plays each ruling: `python -m tests.docs.rulings`.
"""


def _texts(path: Path) -> Iterator[str]:
    """Docstrings and `#:` comments of a module."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""
    for block in re.findall(r"(?:^[ \t]*#:.*\n)+", source, re.MULTILINE):
        yield re.sub(r"^[ \t]*#: ?", "", block, flags=re.MULTILINE)


def _rules(text: str, game: str, known: dict[str, object]) -> list[str]:
    """Rule ids named in a text, in full or short after a first one in full."""
    words = re.findall(rf"(?:{game}:)?[A-Za-z0-9][A-Za-z0-9.]*(?:-[a-z0-9][a-z0-9-]*)?", text)
    full = [w if w.startswith(f"{game}:") else f"{game}:{w}" for w in words if ":" in w or "-" in w or "." in w]
    return list(dict.fromkeys(rule for rule in full if rule in known))


def rulings(game: str) -> list[tuple[list[str], str]]:
    """(rules, ruling) of one game, in the book's order."""
    ruleset = RULESETS[game]
    order = {rule.id: place for place, rule in enumerate(ruleset.rulebook.rules)}
    found: list[tuple[list[str], str]] = []
    for path in sorted(ruleset.folder.rglob("*.py")):
        for text in _texts(path):
            if not text.lstrip().startswith(f"{game}:") and f"{game}:" not in text:
                continue
            for paragraph in text.split("\n\n"):
                for match in re.finditer(r"Ruling(?: on [^:]*)?: (.*)", " ".join(paragraph.split())):
                    head = " ".join(paragraph.split())[: match.start()]
                    rules = _rules(head, game, dict(order)) or _rules(text, game, dict(order))
                    said = match.group(1).split(" Ruling")[0].strip()
                    found.append((rules, said[0].upper() + said[1:]))
    unique = {(tuple(rules), said): None for rules, said in found}
    return sorted(
        ((list(rules), said) for rules, said in unique),
        key=lambda row: (order.get(row[0][0], 9999) if row[0] else 9999, row[1]),
    )


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for game in RULESETS:
        parts.append(f"## {RULESETS[game].title}\n")
        rows = rulings(game)
        parts.append(
            "\n".join(f"- {', '.join(f'`{r}`' for r in rules) or 'general'}: {said}" for rules, said in rows) + "\n"
        )
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
