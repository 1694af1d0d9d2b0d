"""The French catalogues hold every sentence and word that is shown: `python -m tests.docs.catalogue`.

What is said is gathered from the code: grognard.po has the kernel's sentences, terminal.po those of the rooms above the
games, server.po the server's, table.po those of the page in the browser, <game>.po a game's. Running this keeps
translations, adds what is new without one, and drops what nobody says. Names that bring their own French (cards,
spells, abilities, terrain, missions, army lists) are filled in. A game that is not registered yet is named by its
ruleset: `python -m tests.docs.catalogue grognard.games.NAME.ruleset:Class`.
"""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from grognard.games import RULESETS
from grognard.kernel.data.setups import scenario_fact
from grognard.kernel.ruleset import Ruleset
from grognard.kernel.words import wording
from grognard.kernel.words.texts import KERNEL_TEXTS, LOCALES
from tests.cli.sentences import ROOMS, SOURCE
from tests.cli.sentences import sentences as terminal_sentences
from tests.server.sentences import sentences as server_sentences
from tests.web.words import sentences as page_sentences

FOLDER = LOCALES / "fr" / "LC_MESSAGES"
TITLES = {
    "grognard": "What the kernel says.",
    "terminal": "What the terminal, the odds desk and the muster say.",
    "table": "What the page of the table says.",
    "server": "What the server and the battle report say.",
}
#: Ours rather than Babel's, which has the date in it.
HEAD = """# {title}
msgid ""
msgstr ""
"Project-Id-Version: grognard\\n"
"Language: fr\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"

"""
#: What is only ever said by a game itself (Ruleset.say, Ruleset.named), so that two games may say it differently.
OWN = re.compile(r"(stat|state|grid|count|zone|phase|roll|option)\.|terrain$|an ability or spell$")
#: Calls that make or change a Tally; the last argument but one is the label.
TALLIES = ("Tally", "add", "times", "set", "at_least", "at_most", "half")


class Said(NamedTuple):
    """One English sentence or word, where it comes from, and its French where the source has it."""

    text: str
    where: str = ""
    french: str = ""


# ---------------------------------------------------------------------- gathering


def gathered(rulesets: Mapping[str, Ruleset] = RULESETS) -> dict[str, list[Said]]:
    """By catalogue: everything it must hold, each once, in the order it was found."""
    found = {"grognard": list(kernel()), "terminal": [Said(text) for text in terminal_sentences()]}
    found["server"] = [Said(text) for text in server_sentences()]
    found["table"] = [Said(text, where) for text, where in page_sentences().items()]
    found |= {game: list(of_game(rulesets[game])) for game in rulesets}
    return {name: _once(said) for name, said in found.items()}


def _once(said: list[Said]) -> list[Said]:
    kept: dict[str, Said] = {}
    for one in said:
        first = kept.get(one.text)
        if first is None:
            kept[one.text] = one
        elif one.where and one.where not in first.where.split("\n"):
            where = f"{first.where}\n{one.where}" if first.where else one.where
            kept[one.text] = Said(one.text, where, first.french or one.french)
    return [one for one in kept.values() if one.text]


def kernel() -> Iterator[Said]:
    """The kernel's texts by code, and what it says when input is wrong."""
    yield from (Said(text, code) for code, text in KERNEL_TEXTS.items())
    terminal = [SOURCE / room for room in ROOMS]
    for path in sorted((SOURCE / "kernel").rglob("*.py")):
        if path not in terminal:
            yield from _complaints(path)


def of_game(ruleset: Ruleset) -> Iterator[Said]:
    """Texts, house rules, odds, the labels of numbers, complaints, and the names things have."""
    yield from (Said(text, code) for code, text in ruleset.texts.items())
    yield from (Said(rule.about, f"house rule {name}") for name, rule in ruleset.house_rules.items())
    for question in ruleset.odds_questions.values():
        yield Said(question.text, f"odds of {question.name}")
        yield Said(question.name, "a question of the odds desk")
        yield from (Said(argument.about, f"odds: {argument.name}") for argument in question.arguments)
    for path in sorted(ruleset.folder.rglob("*.py")):
        yield from _labels(path, ruleset.id)
        yield from _odds_words(path)
        yield from _complaints(path)
    yield from _names(ruleset)


@lru_cache(maxsize=256)
def _calls(path: Path) -> list[ast.AST]:
    """All of a file's syntax; a file is looked through for several things in turn."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def _called(node: ast.AST) -> str:
    function = node.func if isinstance(node, ast.Call) else None
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _text(node: ast.AST | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _labels(path: Path, game: str) -> Iterator[Said]:
    """What the changes of a tally are called: tally.add(1, "cover", rule), or (1, "size", rule) for later."""
    for node in _calls(path):
        if isinstance(node, ast.Call) and _called(node) in TALLIES and len(node.args) >= 3:
            said = node.args[-2]
            either = [said.body, said.orelse] if isinstance(said, ast.IfExp) else [said]
            yield from (Said(_text(one), "why") for one in either)
        elif isinstance(node, ast.Tuple) and len(node.elts) == 3 and _text(node.elts[2]).startswith(f"{game}:"):
            label = _text(node.elts[1]) if not _text(node.elts[0]) else ""
            yield Said("" if label.startswith(f"{game}:") else label, "why")


def _odds_words(path: Path) -> Iterator[Said]:
    """Steps, parts and named chances of odds."""
    for node in _calls(path):
        if isinstance(node, ast.Call) and _called(node) == "OddsStep":
            yield Said(_text(node.args[0]), "odds: a step")
        if isinstance(node, ast.Call) and _called(node) == "Grid" and len(node.args) == 9:
            yield from (Said(_text(node.args[at]), "odds: a grid") for at in (0, 1, 2, 7))
        for name, value in _assigned(node):
            if name in ("parts", "tests") and isinstance(value, ast.Dict):
                yield from (Said(_text(key), "odds") for key in value.keys)
        if isinstance(node, ast.Subscript) and getattr(node.value, "id", "") in ("parts", "tests"):
            yield Said(_text(node.slice), "odds")


def _assigned(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    if isinstance(node, ast.keyword):
        yield node.arg or "", node.value
    elif isinstance(node, ast.Assign):
        yield from ((getattr(target, "id", ""), node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign):
        yield getattr(node.target, "id", ""), node.value


#: Errors that people read, and the one place that makes them with the line of a file in front.
COMPLAINTS = ("BadInput", "DiceExhausted", "Endless", "wrong")
#: Where the words they are given stand among the arguments of what takes them.
WORDS = {"Word": 0, "Scale": 0, "Registry": 1, "check_different": 2, "named": 3}


def _complaints(path: Path) -> Iterator[Said]:
    """The templates of errors, and the words of ours they mention."""
    for node in _calls(path):
        if isinstance(node, ast.Call) and _called(node) in COMPLAINTS:
            yield from (Said(_text(said), "wrong input") for said in node.args)
        elif isinstance(node, ast.Call) and _called(node) in WORDS and len(node.args) > WORDS[_called(node)]:
            yield Said(_text(node.args[WORDS[_called(node)]]), "a word of wrong input")
        elif isinstance(node, ast.arguments):
            named = node.args[len(node.args) - len(node.defaults) :]
            usual = zip(named, node.defaults, strict=True)
            yield from (Said(_text(value), "a word of wrong input") for name, value in usual if name.arg == "what")


def _names(ruleset: Ruleset) -> Iterator[Said]:
    """Cards, weapons, army lists and their units; missions; kinds of terrain; abilities and spells."""
    for path in sorted((ruleset.folder / "cards").glob("*.yaml")):
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        yield from _named(data, path.name)
        if path.name.endswith((".datasheets.yaml", ".detachments.yaml")):
            yield from (Said(str(name), path.name) for name in data)
            yield from _sheets(data, path.name)
        elif set(data) <= set(KEYED):
            yield from _reference(data, path.name)
    for scenario in ruleset.scenarios.values():
        yield Said(scenario_fact(scenario, "title", "name"), "a mission", scenario_fact(scenario, "french"))
        yield Said(scenario_fact(scenario, "summary"), "a mission")
    for path in sorted(ruleset.folder.rglob("terrain.py")):
        module = ".".join((SOURCE.name, *path.relative_to(SOURCE).with_suffix("").parts))
        for name, kind in getattr(import_module(module), "KINDS", {}).items():
            for shown in (name, name.replace("-", " ")):
                yield Said(shown, "terrain", getattr(kind, "french", ""))
    sheets = any((ruleset.folder / "cards").glob("*.datasheets.yaml"))
    for path in sorted(ruleset.folder.rglob("*.py")):
        for node in _calls(path):
            if isinstance(node, ast.ClassDef):
                yield _class_name(node)
            elif isinstance(node, ast.Call) and _called(node) == "Stratagem" and len(node.args) > 4:
                yield Said(_text(node.args[1]), "a stratagem", _text(node.args[2]))
                yield Said(_text(node.args[4]), "a kind of stratagem")
            elif sheets and KEYWORD.fullmatch(_text(node)) and path.parent == ruleset.folder:
                yield Said(_text(node), "a keyword")
            elif isinstance(node, ast.JoinedStr) and path.name == "view.py" and len(node.values) == 2:
                yield Said(_text(node.values[0]).strip(), "a token")


#: Keywords of models, as the code and the cards' readers write them.
KEYWORD = re.compile(r"[A-Z]{3,}( [A-Z]+)*")
#: Keys of cards whose own keys, or whose items, are names that are shown.
NAMES_BELOW = ("weapons", "profiles", "models", "options", "enhancements")
NAMES_LISTED = ("keywords", "faction", "abilities", "rules")


def _sheets(data: Any, where: str) -> Iterator[Said]:
    """Datasheets and detachments are called by their keys, and so is most of what stands on them."""
    if not isinstance(data, dict):
        return
    for key, value in data.items():
        if key in NAMES_BELOW and isinstance(value, dict):
            yield from (Said(str(name), where) for name in value)
        elif key in NAMES_LISTED:
            listed = [str(name) for name in (value if isinstance(value, list) else [value])]
            yield from (Said(name, where) for name in listed)
            yield from (Said(name.upper(), "a keyword") for name in listed if key in ("keywords", "faction"))
        yield from _sheets(value, where)


#: Keys of reference cards whose own keys, or whose items, are names that are shown.
KEYED = ("profiles", "formulas", "artefacts", "affiliations", "nexus", "weapons", "abilities", "capabilities", "solos")
LISTED = ("skills", "equipment", "classes")


def _reference(data: Any, where: str, key: str = "") -> Iterator[Said]:
    """Reference cards, and what they hold, are called by their keys; skills and classes are listed."""
    if isinstance(data, dict):
        if key in KEYED:
            yield from (Said(str(name), where) for name in data)
        for name, value in data.items():
            yield from _reference(value, where, str(name))
    elif isinstance(data, list):
        yield from (Said(str(name), where) for name in data if key in LISTED)
        yield Said(", ".join(map(str, data)) if key == "elements" else "", where)


def _named(data: Any, where: str, key: str = "") -> Iterator[Said]:
    if isinstance(data, dict):
        own = data.get("name") if isinstance(data.get("name"), str) else key
        if own and ("name" in data or "french" in data):
            yield Said(str(own), where, str(data.get("french") or ""))
        for name, value in data.items():
            yield from _named(value, where, str(name))
    elif isinstance(data, list):
        for item in data:
            yield from _named(item, where)


def _class_name(node: ast.ClassDef) -> Said:
    """`name` and `french` of a class for an ability or a spell."""
    facts: dict[str, str] = {}
    for line in node.body:
        if isinstance(line, ast.Assign):
            for target in line.targets:
                if isinstance(target, ast.Tuple) and isinstance(line.value, ast.Tuple):
                    pairs = zip(target.elts, line.value.elts, strict=False)
                    facts |= {getattr(name, "id", ""): _text(value) for name, value in pairs}
                else:
                    facts[getattr(target, "id", "")] = _text(line.value)
    return Said(facts.get("name", ""), "an ability or spell", facts["french"]) if facts.get("french") else Said("")


CODE = re.compile(r"(refuse|option|outcome|muster|reroll|roll|propose|phase)(\.[a-z0-9-]*[a-z0-9])+")
ASKERS = ("Pick", "Place", "Split", "Order", "Number", "Roll")


def codes(ruleset: Ruleset) -> Iterator[str]:
    """Text codes written in the code of a game: of refusals and options, of events told, of questions asked."""
    nodes = [node for path in sorted(ruleset.folder.rglob("*.py")) for node in _calls(path)]
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    asked = [_text(call.args[1]) for call in calls if _called(call) in ASKERS and len(call.args) > 1]
    yield from (f"ask.{name}" for name in asked if name)
    yield from (_text(node) for node in nodes if CODE.fullmatch(_text(node)) and _text(node) not in asked)
    told = [_text(call.args[0]) for call in calls if _called(call) == "tell" and call.args]
    yield from (f"event.{kind}" for kind in told if kind)


# ---------------------------------------------------------------------- files


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.po"


def known(name: str) -> dict[str, str]:
    """What a catalogue has now."""
    if not path_of(name).exists():
        return {}
    with path_of(name).open("rb") as file:
        messages = read_po(file, locale="fr")
    return {str(m.id): str(m.string) for m in messages if m.id and m.string}


def catalogues() -> list[str]:
    """The catalogues there are."""
    return sorted(path.stem for path in FOLDER.glob("*.po"))


def written(name: str, said: list[Said], rulesets: Mapping[str, Ruleset] = RULESETS) -> bytes:
    """The catalogue as it should be: what is said, in order, with the French there is."""
    catalogue = Catalog(locale="fr")
    here = known(name)
    elsewhere = {text: french for other in catalogues() if other != name for text, french in known(other).items()}
    for one in said:
        french = one.french or here.get(one.text) or elsewhere.get(one.text) or ""
        message = catalogue.add(one.text, french, auto_comments=one.where.split("\n")[:3] if one.where else ())
        message.flags.clear()
    made = io.BytesIO()
    write_po(made, catalogue, width=0, omit_header=True)
    title = TITLES.get(name) or f"What {rulesets[name].title} says."
    return HEAD.format(title=title).encode() + made.getvalue().rstrip() + b"\n"


def wanting(name: str, said: list[Said]) -> list[str]:
    """What is missing, left empty, or translated with other facts."""
    have = known(name)
    found = [f"{name}: no French for {one.text!r} ({one.where})" for one in said if not have.get(one.text)]
    for one in said:
        if have.get(one.text) and fields(one.text) != fields(have[one.text]):
            found.append(f"{name}: other facts in {have[one.text]!r}")
        if one.french and have.get(one.text) not in ("", None, one.french):
            found.append(f"{name}: {one.text!r} is {one.french!r} in {one.where}, {have[one.text]!r} here")
    return found


def fields(template: str) -> list[str]:
    """What a template wants to be told; a text with braces that are no template wants nothing."""
    try:
        return sorted(wording.fields(template))
    except ValueError:
        return []


def quarrels(found: Mapping[str, list[Said]]) -> list[str]:
    """What two catalogues translate differently: all of them are one dictionary, but for what a game says by a code."""
    first: dict[str, tuple[str, str]] = {}
    wrong = []
    for name in sorted(found):
        by_code = {one.text for one in found[name] if one.where and all(map(OWN.match, one.where.split("\n")))}
        for text, french in known(name).items():
            where, other = first.setdefault(text, (name, french))
            if other != french and text not in by_code:
                wrong.append(f"{text!r} is {other!r} in {where} and {french!r} in {name}")
    return wrong


def named_rulesets(names: Iterable[str]) -> dict[str, Ruleset]:
    """The registered games and those named `module:Class`."""
    made = [getattr(import_module(module), kind)() for module, _, kind in (name.partition(":") for name in names)]
    return {**RULESETS, **{ruleset.id: ruleset for ruleset in made}}


if __name__ == "__main__":
    games = named_rulesets(sys.argv[1:])
    everywhere = gathered(games)
    for catalogue_name, everything in everywhere.items():
        path_of(catalogue_name).write_bytes(written(catalogue_name, everything, games))
        for line in wanting(catalogue_name, everything):
            print(line)
    for line in quarrels(everywhere):
        print(line)
