"""Reading case files: every mistake is told as `file:line: what is wrong, what would be right`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from grognard.check import shape
from grognard.check.case import MARKED, Answer, Case, CaseText, Expect, Now, Setup, Step, Where
from grognard.kernel.data.plain import Document, documents, read_text
from grognard.kernel.data.typed import convert
from grognard.kernel.errors import BadInput

SUFFIXES = (".yaml", ".yml")
#: What needs a battle to be looked at.
_OF_A_BATTLE = ("events", "anywhere", "never", "not_asked", "state", "numbers", "pending", "result", "view", "error")


@dataclass
class Reading:
    """The cases of a file, and what is wrong in it, a sentence each with `file:line:` in front."""

    cases: list[Case] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def find_files(paths: Iterable[Path]) -> list[Path]:
    """Every case file under the paths, sorted; files named outright are taken as they are."""
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.suffix in SUFFIXES and p.is_file())
            found.update(dict.fromkeys(p for p in inside if not _helper_file(p, path)))
        elif path.is_file():
            found[path] = None
        else:
            raise BadInput("there is no file or folder {path}", path=path)
    return list(found)


def _helper_file(path: Path, top: Path) -> bool:
    """Files and folders whose name begins with _ or . hold parts for `!file`, not cases."""
    return any(part.startswith(("_", ".")) for part in path.relative_to(top).parts)


def read_file(path: Path) -> Reading:
    """The cases of one file."""
    try:
        text = read_text(path)
    except BadInput as error:
        return Reading(problems=[str(error)])
    return read_string(text, str(path), game=_game_of(path), folder=path.parent)


def _game_of(path: Path) -> str:
    """The folder under cases/, or the folder the file is in."""
    parts = path.resolve().parts[:-1]
    if "cases" in parts:
        last = len(parts) - 1 - parts[::-1].index("cases")
        if last + 1 < len(parts):
            return parts[last + 1]
    return parts[-1] if parts else ""


def read_string(text: str, name: str = "case", *, game: str = "", folder: Path | None = None) -> Reading:
    """The cases of a text: one case, a list of cases, or several documents of either."""
    reading = Reading()
    try:
        held = documents(text, name, folder)
    except BadInput as error:
        reading.problems.append(str(error))
        return reading
    for document in held:
        for value, where in _parts(document, name, folder):
            _read_case(value, where, game, reading)
    if not reading.cases and not reading.problems:
        reading.problems.append(f"{name}:1: there is no case in this file")
    return reading


def _parts(document: Document, name: str, folder: Path | None) -> Iterator[tuple[Any, Where]]:
    place = "" if folder is None else str(folder)
    if isinstance(document.value, list):
        for number, value in enumerate(document.value):
            yield value, Where(name, document.lines, (number,), place)
    elif document.value is not None:
        yield document.value, Where(name, document.lines, (), place)


def _read_case(value: Any, where: Where, game: str, reading: Reading) -> None:
    """One case into the reading, or what is wrong with it."""
    wrong = _shape_problems(value, CaseText)
    if not wrong:
        text = convert(value, CaseText)
        steps = [_read_step(entry, number, wrong) for number, entry in enumerate(text.do)]
        wrong += _sense_problems(text)
        if not wrong:
            found = tuple(step for step in steps if step is not None)
            reading.cases.append(Case(text, found, where, text.game or game))
            return
    reading.problems += [f"{where.at(*problem.path)}: {problem.text}" for problem in wrong]


def _shape_problems(value: Any, kind: Any, path: shape.Place = ()) -> list[shape.Problem]:
    wrong = shape.problems(value, kind, path)
    if not wrong:
        try:
            convert(value, kind)
        except msgspec.ValidationError as error:
            wrong = [shape.Problem(path, str(error))]
    return wrong


#: What an entry may say of the question beside its answer: who is asked, and whom it is about.
ASIDES = ("seat", "about")


def _read_step(entry: dict[str, Any], number: int, wrong: list[shape.Problem]) -> Step | None:
    """One entry of `do`; mistakes go to `wrong`."""
    path: shape.Place = ("do", number)
    for key, kind in MARKED.items():
        if key in entry:
            bad = _shape_problems(entry, kind, path)
            if not bad:
                step = convert(entry, kind)
                bad = _row_problems(step.expect, (*path, key)) if isinstance(step, Now) else _one(entry, key, path)
            wrong += bad
            return None if bad else step
    names = [key for key in entry if key not in ASIDES]
    if len(names) != 1:
        told = "holds no question" if not names else f"holds several questions ({', '.join(names)})"
        marks = ", ".join(MARKED)
        wrong.append(
            shape.Problem(path, f"an entry of do {told}; write one {{question.name: answer}} each, or one of {marks}")
        )
        return None
    for key in ASIDES:
        if not isinstance(entry.get(key), str | None):
            wrong.append(shape.Problem((*path, key), f"{key} must be text, not {shape.shown(entry[key])}"))
            return None
    return Answer(name=names[0], value=entry[names[0]], seat=entry.get("seat"), about=entry.get("about"))


def _one(entry: Mapping[str, Any], key: str, path: shape.Place) -> list[shape.Problem]:
    """refuse, offered and not_offered are about exactly one question."""
    if key in ("refuse", "offered", "not_offered") and len(entry[key]) != 1:
        return [shape.Problem((*path, key), f"{key} takes one question and its answer, not {len(entry[key])}")]
    return []


def _sense_problems(text: CaseText) -> list[shape.Problem]:
    """What each key allows but the keys together do not."""
    wrong = []
    started = text.given is not msgspec.UNSET or text.setup is not msgspec.UNSET
    if text.given is not msgspec.UNSET and text.setup is not msgspec.UNSET:
        wrong.append(shape.Problem(("setup",), "a case has given or setup, not both"))
    if not started:
        wrong += [
            shape.Problem((key,), f"{key} needs a situation; write given or setup")
            for key in ("dice", "do", "until")
            if getattr(text, key)
        ]
        wrong += [
            shape.Problem(("expect", key), f"{key} needs a situation; write given or setup")
            for key in _OF_A_BATTLE
            if getattr(text.expect, key) not in (msgspec.UNSET, [], {}, "")
        ]
    if isinstance(text.setup, dict):
        known = {key: value for key, value in text.setup.items() if key in Setup.__struct_fields__}
        wrong += _shape_problems(known, Setup, ("setup",))
    wrong += _row_problems(text.expect, ("expect",))
    if not started and text.expect == Expect():
        wrong.append(shape.Problem((), "this case expects nothing; write expect"))
    return wrong


def _row_problems(expect: Expect, path: shape.Place) -> list[shape.Problem]:
    """numbers and odds must say what they ask and what should come out."""
    wrong = []
    if expect.error and path != ("expect",):
        wrong.append(shape.Problem((*path, "error"), "error belongs to the expect at the end of the case"))
    for key, asks, gives in (("numbers", "measure", ("value", "why")), ("odds", "question", ("chance", "mean"))):
        for number, row in enumerate(getattr(expect, key)):
            place = (*path, key, number)
            if not isinstance(row.get(asks), str):
                wrong.append(shape.Problem(place, f"each of {key} must have {asks}, the name of what is asked"))
            if not any(name in row for name in gives):
                wrong.append(shape.Problem(place, f"each of {key} must have {' or '.join(gives)}"))
            if key == "odds" and not isinstance(row.get("chance", {}), dict):
                wrong.append(shape.Problem((*place, "chance"), "chance is a mapping from outcome to probability"))
    return wrong
