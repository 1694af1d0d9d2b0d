"""Odds as games give them: what can be asked, with which arguments, and the exact answer."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from grognard.kernel.errors import BadInput, Word
from grognard.kernel.odds.weigh import Distribution
from grognard.kernel.questions.base import Note

#: What an argument can be, and the Python types that are it.
KINDS: Mapping[str, tuple[type, ...]] = {
    "whole": (int,),
    "number": (int, float),
    "text": (str,),
    "flag": (bool,),
    "list": (list,),
    "mapping": (dict,),
    "dice": (int, str),
}

#: What people call a kind where its own name is too short.
CALLED: Mapping[str, str] = {"whole": "whole number", "flag": "yes or no"}

#: A number as cards print it: 3+, 6".
_PRINTED = re.compile(r'[0-9]{1,3}[+"]')


class OddsArgument(msgspec.Struct, frozen=True):
    """One argument of an odds question: its name, kind (see KINDS), what it means, and its limits."""

    name: str
    kind: str
    about: str
    default: Any = None
    required: bool = False
    choices: tuple[Any, ...] = ()
    least: float | None = None
    most: float | None = None
    also: tuple[str, ...] = ()  # other names it goes by

    def check(self, value: Any) -> Any:
        """The value, or BadInput that says what would be right."""
        if value is None:
            return None
        if self.kind == "text" and isinstance(value, list) and len(value) == 1:
            value = value[0]  # a card's list of one
        if self.kind == "list" and isinstance(value, str):
            value = [value]
        if self.kind in ("whole", "number", "dice") and isinstance(value, str) and _PRINTED.fullmatch(value):
            value = int(value[:-1])
        right = isinstance(value, KINDS[self.kind]) and isinstance(value, bool) == (self.kind == "flag")
        if not right or (isinstance(value, float) and not math.isfinite(value)):
            kind = Word(CALLED.get(self.kind, self.kind))
            raise BadInput("{name} is a {kind}, not {value}", name=self.name, kind=kind, value=_shown(value))
        if self.choices and value not in self.choices:
            known = ", ".join(map(str, self.choices))
            raise BadInput("{name} is one of {known}, not {value}", name=self.name, known=known, value=_shown(value))
        if isinstance(value, int | float) and not isinstance(value, bool):
            self._check_limits(value)
        return value

    def _check_limits(self, value: float) -> None:
        if self.least is not None and value < self.least:
            raise BadInput(
                "{name} is at least {least}, not {value}", name=self.name, least=f"{self.least:g}", value=_shown(value)
            )
        if self.most is not None and value > self.most:
            raise BadInput(
                "{name} is at most {most}, not {value}", name=self.name, most=f"{self.most:g}", value=_shown(value)
            )


class OddsQuestion(msgspec.Struct, frozen=True):
    """Something a game can weigh: its name, what it asks in one sentence, its arguments, and an example."""

    name: str
    text: str
    arguments: tuple[OddsArgument, ...] = ()
    example: str = ""

    def argument(self, name: str) -> OddsArgument:
        """The argument of that name, or BadInput with the names there are."""
        for argument in self.arguments:
            if name in (argument.name, *argument.also):
                return argument
        known = ", ".join(argument.name for argument in self.arguments) or "-"
        raise BadInput(
            "{question} takes no argument {name}; it takes {known}", question=self.name, name=name, known=known
        )

    def complete(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every argument with its value, checked, defaults filled in; null says nothing."""
        known = [(self.argument(name), value) for name, value in given.items()]
        checked = {argument.name: argument.check(value) for argument, value in known if value is not None}
        for argument in self.arguments:
            if argument.required and argument.name not in checked:
                raise BadInput(
                    "{question} needs {name}: {about}",
                    question=self.name, name=argument.name, about=Word(argument.about),
                )  # fmt: skip
        return {argument.name: checked.get(argument.name, argument.default) for argument in self.arguments}


def asked(game: str, questions: Mapping[str, OddsQuestion], what: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of one of a game's questions, checked and complete."""
    if what not in questions:
        raise BadInput("{game} has no odds of {name}; it has {known}", game=game, name=what, known=", ".join(questions))
    return questions[what].complete(arguments)


def _shown(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**15:
        return "a number that long"
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."


class OddsStep(NamedTuple):
    """One line of the why: what must happen, how likely it is, and the rule that says so."""

    label: str
    chance: Fraction
    rule: str


class Grid(NamedTuple):
    """Every choice of one against every answer of the other: `values` decide, `notes` are written in the cells.

    The chooser wants a high value, the answerer a low one; `answers` is the best answer to each row, `choice` the
    row that stands best against it.
    """

    title: str
    chooser: str
    answerer: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[Fraction, ...], ...]
    notes: tuple[tuple[str, ...], ...]
    about: str
    rule: str

    @property
    def answers(self) -> tuple[int, ...]:
        return tuple(min(range(len(row)), key=row.__getitem__) for row in self.values)

    @property
    def choice(self) -> int:
        return max(range(len(self.rows)), key=lambda row: min(self.values[row]))


@dataclass(frozen=True)
class Odds:
    """The exact answer to an odds question.

    `distribution` is of whole outcomes; `parts` are the numbers (or words) in them that people look at, by
    name. `chances` are named probabilities: of every value of the parts, and of whatever else the game names. `who`
    are the units its words ("attackers") stand for, where it is about some on a table; `assumed` is what is taken for
    granted there (a distance nobody may measure, a charge that gets there), in texts of the game.
    """

    question: str
    distribution: Distribution[Any]
    parts: Mapping[str, Distribution[Any]]
    chances: Mapping[str, Fraction]
    mean: Fraction | Mapping[str, Fraction] | None
    touched: tuple[str, ...] = ()
    steps: tuple[OddsStep, ...] = ()
    arguments: Mapping[str, Any] = field(default_factory=dict)
    grid: Grid | None = None
    who: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    assumed: tuple[Note, ...] = ()

    @classmethod
    def of(
        cls,
        question: str,
        distribution: Distribution[Any],
        *,
        parts: Mapping[str, Callable[[Any], Any]] | None = None,
        tests: Mapping[str, Callable[[Any], bool]] | None = None,
        touched: Iterable[str] = (),
        steps: Iterable[OddsStep] = (),
        arguments: Mapping[str, Any] | None = None,
        grid: Grid | None = None,
    ) -> Odds:
        """Odds from a distribution: `parts` pick what to show of an outcome, `tests` name chances of their own.

        >>> die = Distribution({1: 1, 2: 1, 3: 1}, 3)
        >>> odds = Odds.of("die", die, tests={"odd": lambda face: face % 2 == 1})
        >>> odds.mean, odds.chances["odd"], odds.chances["3"]
        (Fraction(2, 1), Fraction(2, 3), Fraction(1, 3))
        """
        shown = {name: in_order(distribution.map(pick)) for name, pick in (parts or {"outcome": _itself}).items()}
        chances = {
            str(value) if len(shown) == 1 else f"{name}: {value}": chance
            for name, part in shown.items()
            for value, chance in part
        }
        chances |= {name: distribution.chance(test) for name, test in (tests or {}).items()}
        means = {name: part.expect(_itself) for name, part in shown.items() if is_numeric(part)}
        mean = next(iter(means.values())) if len(means) == len(shown) == 1 else means or None
        given = dict(arguments or {})
        return cls(question, distribution, shown, chances, mean, tuple(touched), tuple(steps), given, grid)

    def between(self, who: Mapping[str, str | Iterable[str]]) -> Odds:
        """The same, with the units its words stand for: `odds.between({"attackers": "knights", …})`."""
        return replace(self, who={word: (ids,) if isinstance(ids, str) else tuple(ids) for word, ids in who.items()})

    def assuming(self, *notes: Note) -> Odds:
        """The same, with what is taken for granted in it."""
        return replace(self, assumed=(*self.assumed, *notes))

    @property
    def means(self) -> dict[str, Fraction]:
        """The mean of every part that is a number."""
        return {name: part.expect(_itself) for name, part in self.parts.items() if is_numeric(part)}


def _itself(outcome: Any) -> Any:
    return outcome


def is_numeric(distribution: Distribution[Any]) -> bool:
    """Whether every outcome is a number."""
    return all(isinstance(o, int | float | Fraction) and not isinstance(o, bool) for o in distribution.weights)


def in_order(distribution: Distribution[Any]) -> Distribution[Any]:
    """Numbers from low to high; words stay in the order they came."""
    if not is_numeric(distribution):
        return distribution
    return Distribution(dict(sorted(distribution.weights.items())), distribution.denominator)
