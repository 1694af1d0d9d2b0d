"""Text for people. English templates are the keys of the gettext catalogues; French is a translation.

A game's texts are a dictionary from code ("event.shot", "ask.charge.react", "refuse.out-of-range") to an
English template. Values that are the id of a model, unit or seat are shown by their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Protocol

from grognard.kernel.errors import BadInput, GrognardError, Word
from grognard.kernel.words.catalogues import read_po
from grognard.kernel.words.wording import Facts, fields, worded

LOCALES = Path(__file__).resolve().parents[2] / "locale"
LANGUAGES = ("en", "fr")
_NUMBER = re.compile(r"\+?\d+([./]\d+)?[a-z]?")
_VALUED = re.compile(r"([^()]+) \(([^()]+)\)")  # an ability with its values: Aegis (4+)

KERNEL_TEXTS = {
    "refuse.no-such-option": "{answer} is not among the options of {question}: {options}",
    "refuse.must-choose": "{question} must be answered; the options are {options}",
    "refuse.not-a-list": "{question} wants a list of different options",
    "refuse.wrong-count": "{question} wants between {least} and {most} {most|option|options}, not {got}",
    "refuse.must-place": "{question} must be answered with a placement",
    "refuse.no-such-proposal": "{answer} is not a proposal of {question}: {options}",
    "refuse.not-a-split": "{question} wants a number for each of {options}",
    "refuse.share-out-of-range": "the share of {key} must lie between {least} and {most}, not {answer}",
    "refuse.wrong-sum": "the shares must add up to {total}, not {got}",
    "refuse.not-an-order": "{question} wants each of {options} exactly once",
    "refuse.not-a-number": "{question} wants a number between {least} and {most}, not {answer}",
    "refuse.number-out-of-range": "{answer} does not lie between {least} and {most}",
    "refuse.bad-faces": "{question} wants {count} whole {count|face|faces} between 1 and {sides}",
    "refuse.nothing-pending": "nothing is being asked of {seat} now",
    "refuse.nothing-to-undo": "there is nothing to take back",
    "refuse.undo-dice": "dice or secrets have been shown since; the opponent must agree to take this back",
    "refuse.bad-placement": "a placement is a path of points and a facing for each mover: {problem}",
    "refuse.no-measuring": "distances may not be measured before they matter",
    "event.roll": "{name}: {faces}",
    "why.this-move": "this move",
    "account.start": "at the start",
    "account.earlier": "before all this",
    "account.hidden": "something you may not know",
    # placements that are proposed
    "propose.toward": "toward {what}",
    "propose.to": "to {what}",
    "propose.on": "on {what}",
    "propose.at": "place {what}",
    "propose.spot": "place {what}",
    "propose.over": "over {what}",
    "propose.face": "turn to face {what}",
    "propose.turn": "turn to face {what}",
    "propose.contact": "against {what}, place {place}",
    "propose.inside": "in {what}",
    "propose.away": "directly away",
    "propose.ahead": "straight ahead",
    "propose.straight": "straight ahead",
    "propose.forward": "forward",
    "propose.forward-half": "half-way forward",
    "propose.half": "half-way forward",
    "propose.back": "back",
    "propose.left": "to the left",
    "propose.right": "to the right",
    "propose.middle": "in the middle",
    "propose.near": "close by",
    "propose.about": "turn about",
    "propose.around": "turn round",
    "propose.slow": "slowly",
    "propose.up": "further up",
    "propose.down": "further down",
    "propose.climb": "climb",
    "propose.land": "land",
    "propose.hold": "stay",
    "propose.stay": "stay",
    "propose.best": "the best way",
    "propose.exit": "where it left",
    "propose.wider": "in wider ranks",
    "propose.wider-left": "in wider ranks, to the left",
    "propose.wider-right": "in wider ranks, to the right",
    "propose.narrower": "in narrower ranks",
    "propose.line": "in line",
    "propose.column": "in column",
    "edge.west": "west edge",
    "edge.east": "east edge",
    "edge.south": "south edge",
    "edge.north": "north edge",
}


def proposal(texts: Mapping[str, str], name: str, names: Mapping[str, str]) -> tuple[str, dict[str, str]] | None:
    """The code and the facts that say a proposed placement ("toward:orcs", "contact:orc.1:2", "spot3"), if any do."""
    numbered = re.fullmatch(r"([a-z]+)(\d+)", name)
    kind, what = numbered.groups() if numbered else name.partition(":")[::2]
    thing, colon, place = what.rpartition(":")
    if colon and what not in names:
        what = thing
    if kind == "at" and what in names:
        kind = "on"
    if place.isdecimal() and colon:
        place = str(int(place) + 1)
    code = f"propose.{kind}"
    return (code, {"what": what, "place": place}) if code in texts or code in KERNEL_TEXTS else None


def gather(package: str, path: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """The TEXTS of every module in a folder, and the codes that two of them give different texts: a mistake.

    For `TEXTS, CLASHES = gather(__name__, __path__)` in the folder's __init__.
    """
    found: dict[str, str] = {}
    clashes: list[str] = []
    for module in sorted(info.name for info in iter_modules(path)):
        for code, text in import_module(f"{package}.{module}").TEXTS.items():
            if found.setdefault(code, text) != text:
                clashes.append(f"{module}: {code}")
    return found, clashes


@lru_cache(maxsize=16)
def catalogue(language: str, game: str = "") -> Mapping[str, str]:
    """English template to translation, from every .po file of the language; empty for English.

    Where two games say the same word differently, such as "S" on a card, the one that is asked for decides.
    """
    folder = LOCALES / language / "LC_MESSAGES"
    if game:
        own = folder / f"{game}.po"
        return {**catalogue(language), **_read(own)} if own.is_file() else catalogue(language)
    found: dict[str, str] = {}
    for path in sorted(folder.glob("*.po"), reverse=True):
        found |= _read(path)
    return found


@lru_cache(maxsize=64)
def _read(path: Path) -> Mapping[str, str]:
    return read_po(path.read_text(encoding="utf-8"))


def gettext(text: str, language: str, game: str = "") -> str:
    """A whole English sentence in another language."""
    return catalogue(language, game).get(text, text)


@lru_cache(maxsize=65536)
def name_in(name: str, language: str, game: str = "") -> str:
    """A name in another language where the catalogues have it; "archers 3", "inn 1.5 2/1", "Aegis (4+)" by their words.

    Who belongs to somebody ("Archers Champion", "Wagon crew2") is told by a text of the game ("{name} Champion").
    """
    word, _, number = name.rpartition(" ")
    if word and _NUMBER.fullmatch(number):
        return f"{name_in(word, language, game)} {number}"
    known = gettext(name, language, game)
    if known != name or not word:
        return known
    if (said := _VALUED.fullmatch(name)) is not None:
        values = ", ".join(name_in(value, language, game) for value in said[2].split(", "))
        return f"{name_in(said[1], language, game)} ({values})"
    what, of, whose = name.partition(" of ")
    if of and gettext(what, language, game) != what:
        template = gettext("{what} of {name}", language, game)
        return worded(
            template, {"what": gettext(what, language, game), "name": name_in(whose, language, game)}, language
        )
    role = number.rstrip("0123456789")
    template = gettext(f"{{name}} {role}", language, game)
    if template == f"{{name}} {role}":
        return name
    place = number[len(role) :]
    return worded(template, {"name": name_in(word, language, game)}, language) + (f" {place}" if place else "")


def told(error: GrognardError, language: str) -> str:
    """What went wrong, in one sentence of a language."""
    if not error.facts:
        return gettext(str(error), language)
    facts = {key: _fact(value, language) for key, value in error.facts.items()}
    return worded(gettext(error.sentence, language), facts, language)


def _fact(value: Any, language: str) -> Any:
    if isinstance(value, GrognardError):
        return told(value, language)
    return gettext(value, language) if isinstance(value, Word) else value


class Told(Protocol):
    """What is said by a text code and put down to a rule: a refusal, a finding about an army."""

    @property
    def code(self) -> str: ...
    @property
    def rule(self) -> str: ...
    @property
    def data(self) -> Mapping[str, Any]: ...


def complaint(texts: Mapping[str, str], what: Told, names: Mapping[str, str] | None = None) -> BadInput:
    """Why the rules do not allow something, and the rule that says so, to be told in any language."""
    template = texts.get(what.code) or KERNEL_TEXTS.get(what.code) or what.code
    facts = {field: "{" + field + "}" for field in fields(template)}
    shown = {key: _show(value, "en", names or {}) for key, value in what.data.items()}
    facts |= {key: Word(value) if isinstance(value, str) else value for key, value in shown.items()}
    return BadInput("{problem} ({rule})", problem=BadInput(template, **facts), rule=what.rule)


def say(
    texts: Mapping[str, str], code: str, data: Mapping[str, Any], language: str = "en",
    names: Mapping[str, str] | None = None, game: str = "",
) -> str:  # fmt: skip
    """The sentence for a code, with ids replaced by names.

    A fact that is itself a code, such as the reason a game ended, is told by its own sentence.
    """
    template = texts.get(code) or KERNEL_TEXTS.get(code) or code
    shown = Facts({key: _show(value, language, names or {}, game) for key, value in data.items()}, language)
    for key, value in data.items():
        if isinstance(value, str) and "." in value and value in texts and fields(texts[value]) <= shown.keys() - {key}:
            shown[key] = worded(gettext(texts[value], language, game), shown)
    return worded(gettext(template, language, game), shown)


def _show(value: Any, language: str, names: Mapping[str, str], game: str = "") -> Any:
    if isinstance(value, str):
        return names.get(value) or gettext(value, language, game)
    if isinstance(value, list | tuple):
        return ", ".join(str(_show(item, language, names, game)) for item in value)
    if isinstance(value, dict):
        if "value" in value:
            return _show(value["value"], language, names, game)
        return ", ".join(
            f"{_show(key, language, names, game)} ({_show(item, language, names, game)})" for key, item in value.items()
        )
    if isinstance(value, float):
        return f"{value:g}".replace(".", "," if language == "fr" else ".")
    return value
