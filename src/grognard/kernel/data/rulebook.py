"""A game's rulebook as data: every rule by id, and which of them have been exercised."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from grognard.kernel.errors import BadInput


class Rule(msgspec.Struct, frozen=True):
    """One rule: id, kind, titles, summaries; `advice` holds the reason where nothing can be played.

    The French summaries lie beside the book, in `rulebook.fr.csv` (id, summary).
    """

    id: str
    kind: str
    title_en: str
    title_fr: str
    summary: str
    advice: str = ""
    parts: str = ""
    french: str = ""

    @property
    def examples(self) -> tuple[str, ...]:
        """For a worked example: the rules that must all have had their say for it to have been played."""
        return tuple(self.parts.split())

    def title(self, language: str) -> str:
        return (self.title_fr if language == "fr" else "") or self.title_en

    def told(self, language: str) -> str:
        """The rule in our words."""
        return (self.french if language == "fr" else "") or self.summary

    @property
    def words(self) -> str:
        """Everything a search looks through."""
        return f"{self.id} {self.title_en} {self.title_fr} {self.summary} {self.french}".casefold()


def _rows(path: Path, fields: Sequence[str]) -> list[dict[str, str]]:
    """The rows of a table with at least these columns."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        missing = [field for field in fields if field not in (reader.fieldnames or ())]
        if missing:
            raise BadInput("{file}: the column {name} is missing", file=path.name, name=missing[0])
        return list(reader)


class Rulebook(msgspec.Struct, frozen=True, dict=True):
    """All rules of one game, in the book's order."""

    rules: tuple[Rule, ...]

    @classmethod
    def read(cls, path: Path) -> Rulebook:
        rows = _rows(path, Rule.__struct_fields__[:-2])
        beside = path.with_suffix(".fr.csv")
        french = {row["id"]: row["summary"] for row in _rows(beside, ("id", "summary"))} if beside.exists() else {}
        fields = Rule.__struct_fields__[:-1]
        book = cls(
            tuple(Rule(**{f: row.get(f) or "" for f in fields}, french=french.get(row["id"], "")) for row in rows)
        )
        twice = [rule_id for rule_id, count in Counter(rule.id for rule in book.rules).items() if count > 1]
        if twice:
            raise BadInput("{file}: the rule {name} stands there twice", file=path.name, name=twice[0])
        return book

    @cached_property
    def by_id(self) -> dict[str, Rule]:
        return {rule.id: rule for rule in self.rules}

    def rule(self, rule_id: str) -> Rule:
        found = self.by_id.get(rule_id)
        if found is None:
            near = [r.id for r in self.rules if rule_id.split(":")[-1] in r.id][:5]
            if near:
                raise BadInput("there is no rule {name}; did you mean {known}?", name=rule_id, known=", ".join(near))
            raise BadInput("there is no rule {name}", name=rule_id)
        return found

    def search(self, words: str) -> list[Rule]:
        """Rules whose id, titles or summary hold every word."""
        wanted = words.casefold().split()
        return [rule for rule in self.rules if all(word in rule.words for word in wanted)]

    def coverage(self, touched: Iterable[str]) -> dict[str, Any]:
        """How many rules were exercised; advice counts as covered, and is counted apart."""
        done = dict.fromkeys(touched)
        advice = [rule.id for rule in self.rules if rule.advice]
        covered = [rule.id for rule in self.rules if rule.advice or rule.id in done]
        missing = [rule.id for rule in self.rules if not rule.advice and rule.id not in done]
        unknown = [rule_id for rule_id in done if rule_id not in self.by_id]
        return {
            "total": len(self.rules),
            "covered": len(covered),
            "advice": len(advice),
            "missing": missing,
            "unknown": unknown,
        }
