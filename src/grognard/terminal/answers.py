"""What a person types, turned into the answer to a question."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any

from grognard.check.answers import declinable, declined, placement
from grognard.kernel.errors import BadInput
from grognard.kernel.questions import Number, Option, Order, Pick, Place, Question, Roll, Split
from grognard.kernel.ruleset import Ruleset
from grognard.terminal.scene import Scene

PASSES = ("0", "pass", "none", "passe", "rien", "-")
_POINT = re.compile(r"([-+]?[0-9]*\.?[0-9]+)\s*,\s*([-+]?[0-9]*\.?[0-9]+)")
_FACING = re.compile(r"\b(?:facing|face|vers)\s+([-+]?[0-9]*\.?[0-9]+)\s*$", re.IGNORECASE)
_BY = re.compile(rf"(?:by|de)\s+{_POINT.pattern}(.*)", re.IGNORECASE)
MAX_TYPED = 10_000


def read_answer(
    ruleset: Ruleset, question: Question | Roll, typed: str, scene: Scene | None, proposals: Sequence[str] = ()
) -> Any:
    """The wire answer; BadInput where the words make none. Whether it is legal the question says."""
    line = typed.strip()
    if len(line) > MAX_TYPED:
        raise BadInput("that answer is too long")
    if line.startswith(("{", "[")):
        return _written(ruleset, question, line)
    if isinstance(question, Roll):
        return _faces(question, line)
    if line.casefold() in PASSES and declinable(question) and not _named(question, line):
        return declined(question)
    if isinstance(question, Place):
        return _place(ruleset, question, line, scene, proposals)
    if isinstance(question, Number):
        return _number(line)
    if isinstance(question, Split):
        return _split(question, line)
    if isinstance(question, Order):
        return [_key(question.options, word) for word in _words(line)]
    if isinstance(question, Pick):
        if question.most == 1:
            return _key(question.options, line, question)
        return [_key(question.options, word, question) for word in _words(line)]
    raise BadInput("this question cannot be answered here")


def _written(ruleset: Ruleset, question: Question | Roll, line: str) -> Any:
    """An answer written out in JSON, lengths in the game's unit."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise BadInput("that is not valid JSON") from None
    return placement(value, ruleset.unit_mm, ruleset.not_lengths) if isinstance(question, Place) else value


def _words(line: str) -> list[str]:
    return [word for word in re.split(r"[,;\s]+", line) if word]


def _named(question: Question, line: str) -> bool:
    """Whether an option is really called so."""
    return isinstance(question, Pick) and line in question.keys


def _key(options: Sequence[Option], word: str, question: Pick | None = None) -> str:
    """An option by its number in the list, its key, or the beginning of its key."""
    keys = [o.key for o in options]
    if word in keys or (question is not None and word in question.barred):
        return word
    if word.isdecimal() and len(word) < 6 and 1 <= int(word) <= len(keys):
        return keys[int(word) - 1]
    near = [key for key in keys if key.casefold().startswith(word.casefold())]
    if len(near) == 1:
        return near[0]
    raise BadInput("{word} is none of the options; type a number from the list", word=word[:60])


def _number(line: str) -> int | float:
    try:
        value = float(line.replace(",", "."))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadInput("{word} is not a number", word=line[:60])
    return int(value) if value.is_integer() else value


def _faces(roll: Roll, line: str) -> list[int]:
    words = _words(line)
    if not words or not all(word.isdecimal() and len(word) < 6 for word in words):
        raise BadInput("type the faces of {count}D{sides}, such as 3 5", count=roll.count, sides=roll.sides)
    return [int(word) for word in words]


def _split(question: Split, line: str) -> dict[str, int]:
    """Shares in the order of the list (`2 1 0`), or by name (`2=1 guard=3`)."""
    words = _words(line)
    if words and all("=" in word for word in words):
        pairs = [word.split("=", 1) for word in words]
        return {_key(question.options, key): _whole(share) for key, share in pairs}
    if len(words) != len(question.options):
        raise BadInput("type {count} numbers, one for each line", count=len(question.options))
    return {o.key: _whole(word) for o, word in zip(question.options, words, strict=True)}


def _whole(word: str) -> int:
    if not word.isdecimal() or len(word) > 6:
        raise BadInput("{word} is not a whole number", word=word[:60])
    return int(word)


# ---------------------------------------------------------------------- placements


def _place(ruleset: Ruleset, question: Place, line: str, scene: Scene | None, proposals: Sequence[str]) -> Any:
    if line.isdecimal() and len(line) < 6 and 1 <= int(line) <= len(proposals):
        return {"propose": proposals[int(line) - 1]}
    if line in proposals:
        return {"propose": line}
    together = _BY.fullmatch(line)
    if together:
        return _shifted(ruleset, question, scene, float(together[1]), float(together[2]), together[3])
    found = {}
    for part in filter(None, (part.strip() for part in line.split(";"))):
        mover, track = _track(question, part, ruleset.unit_mm)
        found[mover] = track
    if not found:
        raise BadInput("type a number from the list or where to go, such as 30,45")
    return found


def _shifted(
    ruleset: Ruleset, question: Place, scene: Scene | None, dx: float, dy: float, rest: str
) -> dict[str, Any]:  # fmt: skip
    """`by 5,-3`: every mover straight by the same way."""
    found: dict[str, Any] = {}
    for mover in question.movers:
        token = scene.token(mover) if scene is not None else None
        if token is None:
            raise BadInput("nobody sees where {mover} stands; type where it goes", mover=mover)
        end = [token.x + dx * ruleset.unit_mm, token.y + dy * ruleset.unit_mm]
        found[mover] = {"path": [end], **_facing(rest)[1]}
    return found


def _facing(part: str) -> tuple[str, dict[str, float]]:
    """The text before `facing 90`, and the facing."""
    facing = _FACING.search(part)
    return (part[: facing.start()], {"facing": float(facing[1])}) if facing else (part, {})


def _track(question: Place, part: str, unit: float) -> tuple[str, dict[str, Any]]:
    """`[mover:] x,y [x,y …] [facing d]`, in the game's unit."""
    name, colon, rest = part.rpartition(":")
    mover = _mover(question, name.strip()) if colon else question.movers[0]
    if not colon and len(question.movers) > 1:
        raise BadInput("say who goes there, such as {mover}: 30,45; or move all by 5,0", mover=question.movers[0])
    way, facing = _facing(rest)
    points = [[float(x) * unit, float(y) * unit] for x, y in _POINT.findall(way)]
    if _POINT.sub("", way).strip() or not (points or facing):
        raise BadInput("{word} is not a way to go, such as 30,45 or 20,40 30,45 facing 90", word=part[:60])
    return mover, {"path": points, **facing}


def _mover(question: Place, name: str) -> str:
    if name in question.movers:
        return name
    if name.isdecimal() and len(name) < 6 and 1 <= int(name) <= len(question.movers):
        return question.movers[int(name) - 1]
    raise BadInput("{word} is none of those who move: {known}", word=name[:60], known=", ".join(question.movers))
