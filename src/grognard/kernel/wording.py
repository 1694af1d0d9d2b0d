"""How a template becomes a sentence: facts are put in, and words that follow a number take its form.

`{count}` is a fact; `{count|model|models}` is one of two words, by the number the fact is: in English the first for
one, in French for anything below two.

>>> worded("{count} {count|model|models}", {"count": 1})
'1 model'
>>> worded("{count} {count|figurine|figurines}", {"count": 0}, "fr")
'0 figurine'
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from string import Formatter
from typing import Any


class Facts(dict[str, Any]):
    """What a template is told; a fact it misses stays as it is written, a word after such a one is that for many."""

    def __init__(self, facts: Mapping[str, Any], language: str = "en") -> None:
        super().__init__(facts)
        self.language = language

    def __missing__(self, key: str) -> str:
        fact, bar, words = key.partition("|")
        if not bar:
            return "{" + key + "}"
        one, _, many = words.partition("|")
        return one if singular(self.get(fact), self.language) else many


def singular(value: Any, language: str) -> bool:
    """Whether a number wants the word for one; what is no number does not."""
    try:
        number = abs(float(str(value).replace(",", ".")))
    except ValueError:
        return False
    return number < 2 if language == "fr" else number == 1


def worded(template: str, facts: Mapping[str, Any], language: str = "en") -> str:
    """The sentence a template makes of facts."""
    return template.format_map(facts if isinstance(facts, Facts) else Facts(facts, language))


@lru_cache(maxsize=8192)
def fields(template: str) -> frozenset[str]:
    """The facts a template wants to be told."""
    parts = Formatter().parse(template)
    return frozenset(field.partition("|")[0] for _, field, _, _ in parts if field is not None)
