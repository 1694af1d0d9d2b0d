"""How a template becomes a sentence: facts are put in, and the words around them take their form.

`{count}` is a fact; `{count|model|models}` is one of two words, by the number the fact is: in English the first for
one, in French for anything below two. Where the fact is somebody's name, `{unit|moves|move}`, the name tells: archers
move, the captain and archers 3 move alone.

>>> worded("{count} {count|model|models}", {"count": 1})
'1 model'
>>> worded("{count} {count|figurine|figurines}", {"count": 0}, "fr")
'0 figurine'
>>> worded("{unit} {unit|moves|move}", {"unit": "Knights of the Ford"})
'Knights of the Ford move'
>>> worded("la zone de {side}", {"side": "Les enfants perdus"}, "fr")
'la zone des enfants perdus'
>>> worded("{side}: the zone of {side}", {"side": "The Lost Children"})
'The Lost Children: the zone of the Lost Children'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from string import Formatter
from typing import Any

#: How many dice, which is never one: D6, 2D6+1.
_DICE = re.compile(r"\d*D\d", re.IGNORECASE)
#: What follows the noun of a name: "Knights of the Ford", "Lances du Gué".
_REST = {
    "en": re.compile(r" (?:of|with|in|from|on|and the) .*"),
    "fr": re.compile(r" .*"),
}
#: Names of several that do not end like others of their kind; "Clawkin", "Swordsmen", "First Dead", "Tusk Boyz".
_MANY = {
    "en": re.compile(r"(?:[^isu]s|ies|z|kin|men|folk|children|dead)$", re.IGNORECASE),
    "fr": re.compile(r"[sx]$"),
}
#: One of several: "halberdiers 3", "ruins 1a".
_NUMBERED = re.compile(r" \d+[a-z]?$")
#: What stands before the noun of a name and tells nothing of its number: "Vieux Broyeur", "Vieux tertres".
_ARTICLE = re.compile(r"(?:The|Les|Vieux) ")
#: A name's article is a small word inside a sentence.
_LEADS = {"en": re.compile(r"The "), "fr": re.compile(r"L(?:es? |a |['’])")}
_INSIDE = re.compile(r"(?<=[\w,] )\{(\w+)\}")
#: French words that lean on the fact after them: "de {unit}" is "d'Ogres", "des enfants perdus".
_LEANING = re.compile(r"\b([Dd]e|[Qq]ue|à) \{(\w+)\}")
_VOWEL = re.compile(r"[aeiouàâéèêëîïôûœ]", re.IGNORECASE)
_FUSED = {("de", "le"): "du", ("de", "les"): "des", ("à", "le"): "au", ("à", "les"): "aux"}


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
    """Whether a number, or a name, wants the word for one; what is neither does not."""
    if value is None:
        return False
    try:
        number = abs(float(str(value).replace(",", ".")))
    except ValueError:
        return not _several(str(value), language)
    return number < 2 if language == "fr" else number == 1


@lru_cache(maxsize=4096)
def _several(name: str, language: str) -> bool:
    """Whether a name is that of several, by its noun: "Halberdiers", not "halberdiers 3", nor "Boss Grabnak"."""
    if _DICE.match(name) or ", " in name:
        return True
    if _NUMBERED.search(name):
        return False
    bare = _ARTICLE.sub("", name, count=1)
    noun = _REST[language].sub("", bare) if language in _REST else bare
    return _MANY[language].search(noun) is not None if language in _MANY else False


def worded(template: str, facts: Mapping[str, Any], language: str = "en") -> str:
    """The sentence a template makes of facts."""
    told = facts if isinstance(facts, Facts) else Facts(facts, language)
    if told.language == "fr":
        template, told = _leaning(template, told)
    template, told = _inside(template, told)
    return template.format_map(told)


def _inside(template: str, facts: Facts) -> tuple[str, Facts]:
    """A small letter for the articles of names that stand inside the sentence."""
    leads = _LEADS.get(facts.language)
    small = {
        key: value[0].lower() + value[1:]
        for key, value in facts.items()
        if leads is not None and isinstance(value, str) and leads.match(value)
    }
    if not small:
        return template, facts
    more = {f"{key}~small": value for key, value in small.items()}
    inside = _INSIDE.sub(lambda field: f"{{{field[1]}~small}}" if field[1] in small else field[0], template)
    return inside, Facts({**facts, **more}, facts.language)


def _leaning(template: str, facts: Facts) -> tuple[str, Facts]:
    """French runs some words together with what follows: d'Ogres, du Roi, des enfants perdus, aux enfants perdus."""
    more: dict[str, str] = {}

    def joined(found: re.Match[str]) -> str:
        word, key = found[1], found[2]
        value = str(facts.get(key, ""))
        if word != "à" and _VOWEL.match(value):
            return f"{word[:-1]}'{{{key}}}"
        article, _, rest = value.partition(" ")
        fused = _FUSED.get((word.lower(), article.lower())) if rest and article[:1].isupper() else None
        if fused is None:
            return found[0]
        more[f"{key}~"] = rest
        return f"{fused.capitalize() if word[0].isupper() else fused} {{{key}~}}"

    leant = _LEANING.sub(joined, template)
    return (leant, Facts({**facts, **more}, "fr")) if more else (leant, facts)


@lru_cache(maxsize=8192)
def fields(template: str) -> frozenset[str]:
    """The facts a template wants to be told."""
    parts = Formatter().parse(template)
    return frozenset(field.partition("|")[0] for _, field, _, _ in parts if field is not None)
