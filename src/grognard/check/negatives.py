"""What a case says did not happen or was not asked; and what all that is judged of an `expect` has in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from grognard.check.answers import describe, is_offered
from grognard.check.case import Failure, Pattern, Where
from grognard.check.compare import Seen, differs, event_differs, plain, show
from grognard.check.foregone import Road, leading_to
from grognard.check.play import Play, empty
from grognard.kernel.questions import Question, Roll
from grognard.kernel.ruleset import Ruleset


class Negatives:
    """The failures of one `expect`, and its negative half: each must have been able to fail."""

    def __init__(self, ruleset: Ruleset, where: Where, path: tuple[str | int, ...]) -> None:
        self.ruleset = ruleset
        self.where = where
        self.path = path
        self.failures: list[Failure] = []
        self.touched: dict[str, None] = {}
        self.since: tuple[str, ...] = ()  # the phases that began after the case's last answer

    def fail(self, what: str, expected: Any, got: str, *path: str | int) -> None:
        text = expected if isinstance(expected, str) else show(expected)
        self.failures.append(Failure(self.where.at(*self.path, *path), what, text, got))

    def touch(self, rules: Iterable[str]) -> None:
        self.touched.update(dict.fromkeys(rules))

    def never(self, patterns: Sequence[Pattern], happened: Sequence[Seen]) -> None:
        for number, pattern in enumerate(patterns):
            if wrong := self._unheard_of(pattern):
                self.fail(f"this can never happen: {wrong}", pattern, "a mistake in the name?", "never", number)
            for event in happened:
                if event_differs(pattern, event) is None:
                    self.fail("this must not happen, and did", pattern, show(event.facts), "never", number)
                    break

    def _unheard_of(self, pattern: Pattern) -> str:
        """Why an event of that name cannot be: the game tells none, or makes no such roll; empty where it can."""
        texts = self.ruleset.texts
        kind = pattern if isinstance(pattern, str) else pattern.get("kind", "roll")
        roll = None if isinstance(pattern, str) else pattern.get("roll")
        if isinstance(roll, str) and f"ask.{roll}" not in texts:
            return f"the game makes no roll {roll}"
        if not isinstance(kind, str) or kind == "roll" or f"event.{kind}" in texts:
            return ""
        asked = f"ask.{kind}" in texts
        return f"{kind} is a question, no event; expect not_asked" if asked else f"the game tells no event {kind}"

    def not_asked(self, patterns: Sequence[str | Mapping[str, Any]], play: Play, since: int) -> None:
        """Questions that were not asked, though the script went past the point where they would have been."""
        passed = [*(one.question for one in play.asked if one.answers >= since), *play.match.pending]
        asked = [question for question in passed if not empty(question)]  # with nothing on offer nobody is asked
        named = [question.name for question in passed if empty(question)]
        for number, pattern in enumerate(patterns):
            wanted = {"name": pattern} if isinstance(pattern, str) else dict(pattern)
            met = [q for q in asked if question_differs(wanted, q, self._called(play)) is None]
            name = str(wanted.get("name", ""))
            wrong = self._asked(name, met, play) if met or name not in named else None
            if wrong is not None:
                self.fail(wrong[0], pattern, wrong[1], "not_asked", number)

    def _asked(self, name: str, met: Sequence[Question | Roll], play: Play) -> tuple[str, str] | None:
        """Why it cannot be said that a question was not asked: what is wrong, and what there is instead."""
        if f"ask.{name}" not in self.ruleset.texts:
            return f"the game has no question {name}", "nothing of that name"
        if met:
            return "this must not be asked, and was", describe(met[0])
        past = None if play.trace is None else play.trace.went_past(self.ruleset, name)
        if past or (past is None and not any(isinstance(question, Roll) for question in play.match.pending)):
            return None
        return f"the rules did not come to the point where {name} would be asked", play.standing()

    def _called(self, play: Play) -> Callable[[str], str]:
        return lambda name: self.ruleset.called(play.match.battle, name)

    def could_be(self, patterns: Sequence[Pattern], declined: Sequence[Road], ends_at: Sequence[Road]) -> None:
        """What must never happen has not, but only because the case declined it, or ended at it, without saying so."""
        for number, pattern in enumerate(patterns):
            if road := leading_to(pattern, declined):
                what = f"this did not happen only because {road.question} was declined for the case"
                self.fail(what, pattern, f"{road.told()} would have brought it", "never", number)
            elif road := leading_to(pattern, ends_at):
                what = f"the case ends at {road.question}, where this may still happen"
                self.fail(f"{what}; go on, or say `pending`", pattern, f"{road.told()} brings it", "never", number)


def question_differs(
    row: str | Mapping[str, Any], question: Question | Roll, called: Callable[[str], str]
) -> str | None:
    """Why a question is not the one meant; None when it is."""
    wanted = {"name": row} if isinstance(row, str) else dict(row)
    for key, on_offer in (("offers", True), ("not", False)):
        for option in listed(wanted.pop(key, [])):
            if is_offered(question, option) != on_offer:
                return f"{option} is {'not ' if on_offer else ''}on offer"
    if isinstance(wanted.get("about"), str | list):
        for one in listed(wanted.pop("about")):
            if one not in question.about and called(one) not in question.about:
                return f"it is not about {one}, but about {', '.join(question.about) or 'nobody'}"
    return differs(wanted, plain(question.wire())) if wanted else None


def listed(value: Any) -> list[Any]:
    """One thing as a list of it."""
    return value if isinstance(value, list) else [value]
