"""Playing a case: getting from one question to the next."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeGuard

import msgspec

from grognard.check.answers import declinable, declined, describe, key_text, meant, proposed, wire
from grognard.check.case import Answer, Failure, NotOffered, Offered, Refuse, Step
from grognard.check.compare import phase_begun
from grognard.check.dice import CaseDice
from grognard.check.foregone import Foregone
from grognard.check.traced import Trace
from grognard.kernel.battle import Battle
from grognard.kernel.errors import GrognardError, Refused
from grognard.kernel.match.match import Match
from grognard.kernel.questions import OPEN, Number, Pick, Place, Question, Roll, Split
from grognard.kernel.ruleset import Ruleset

#: How many questions may be passed over on the way to the next one a case names.
MAX_PASSED = 5000
#: How many of them are told.
MAX_TOLD = 12


class Stop(Exception):
    """The case cannot go on."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(failure.what)


def empty(question: Question | Roll) -> TypeGuard[Pick]:
    """Whether a question is asked though nothing is on offer: it only tells why."""
    return isinstance(question, Pick) and not question.options


def _named(step: Step | None) -> tuple[str, ...]:
    """The questions that an entry is about."""
    if isinstance(step, Answer):
        return (step.name,)
    if isinstance(step, Refuse):
        return tuple(step.refuse)
    if isinstance(step, Offered):
        return tuple(step.offered)
    return tuple(step.not_offered) if isinstance(step, NotOffered) else ()


def _alone(answer: Any) -> Any:
    """An answer of one thing, written as a list or not."""
    return answer[0] if isinstance(answer, list | tuple) and len(answer) == 1 else answer


class Asked(NamedTuple):
    """A question that was asked, and how many answers and events there had been before."""

    question: Question | Roll
    answers: int
    events: int


class Play:
    """A match driven by a case."""

    def __init__(
        self, ruleset: Ruleset, match: Match, dice: CaseDice, otherwise: Mapping[str, Any], *, wary: bool = False
    ) -> None:
        self.ruleset = ruleset
        self.match = match
        self.dice = dice
        self.otherwise = otherwise
        self.foregone = Foregone(wary=wary)
        self.trace: Trace | None = None  # what ran, where a case says that something was not asked
        self.passed: list[str] = []
        self.phases: dict[str, None] = {}
        self.told = 0  # how many events there were before the case's last answer, or the phase it went on to
        self.stood = ""  # the phase at that moment; "" while the case has done nothing
        self.went_to: int | None = None  # the event that began the phase the case went on to, until it does more
        self.asked: list[Asked] = []  # every question that was answered, in order
        self.at_questions: dict[str, Battle | None] = {}  # the battle as each of these questions was last asked

    # ------------------------------------------------------------------ finding a question

    def named(self, question: Question | Roll, key: Any) -> Any:
        """What a question calls whom a case names, where the game has another name for it there."""
        if isinstance(key, list):
            return [self.named(question, one) for one in key]
        if not isinstance(question, Pick) or not isinstance(key, str) or key in (*question.keys, *question.barred):
            return key
        called = self.ruleset.called(self.match.battle, key)
        offered = [option for option in question.options if option.key == called]
        meant = any(":" in key or key in o.about or key.startswith(f"{called}.") for o in offered)
        return called if meant or called in question.barred else key

    def meant(self, question: Question | Roll, written: Any) -> Any:
        """An answer with every option called what the question calls it."""
        return self.named(question, meant(question, written))

    def _is_about(self, question: Question | Roll, whom: str | None) -> bool:
        """Whether a question is about whom a case names."""
        if whom is None or whom in question.about or whom in getattr(question, "data", {}).values():
            return True
        return self.ruleset.called(self.match.battle, whom) in question.about

    def _tells(self, question: Pick, named: Iterable[Any]) -> bool:
        """Whether a question says why it does not offer one of those named."""
        keys = (self.named(question, key_text(name)) for name in named)
        return any(isinstance(key, str) and key in question.barred for key in keys)

    def find(
        self, name: str, seat: str | None, where: str, about: str | None = None, named: Iterable[Any] = ()
    ) -> Question | Roll:
        """The pending question of that name; others that may be declined are passed over on the way.

        One that has nothing on offer is found only if it tells why it does not offer one of those named, or to decline.
        """
        self.passed.clear()
        stood = self.standing()
        while True:
            asked = [q for q in self.match.pending if q.name == name and seat in (None, q.seat)]
            asked = [q for q in asked if self._is_about(q, about)]
            asked = [q for q in asked if not empty(q) or self._tells(q, named) or None in named]
            if len(asked) > 1:
                seats = " or ".join(f"seat: {q.seat}" for q in asked)
                raise Stop(Failure(where, f"{name} is asked of several players; add {seats}"))
            if asked:
                return asked[0]
            known = [s for s in (*self.match.battle.seats, self.ruleset.referee) if s]
            if seat is not None and seat not in known:
                raise Stop(Failure(where, f"there is no seat {seat}; there are {', '.join(known)}"))
            if not self.pass_one(where):
                whom = f"{f' of {seat}' if seat else ''}{f' about {about}' if about else ''}"
                raise Stop(self._not_asked(f"{name}{whom}", where, stood))

    def find_open(
        self, name: str, seat: str | None, written: Any, where: str, about: str | None = None
    ) -> Question | Roll:
        """The question of that name an answer is for; those that can only be answered otherwise answer themselves."""
        question = self.find(name, seat, where, about, [written])
        wrong: Stop | None = None
        while isinstance(question, Pick | Number | Split) and written is not None:
            answer, only = wire(self.ruleset, question, self.meant(question, written)), question.forced()
            if only is OPEN and self._of_another(question, answer):
                self.foregone.turn_down(self.match, question)
                only = declined(question)
            if only is OPEN or question.refusal(answer) is None:
                break
            try:
                self._send(question, answer, where)
            except Stop as stop:
                wrong = wrong or stop
            self._send(question, only, where)
            try:
                question = self.find(name, seat, where, about, [written])
            except Stop:
                raise wrong or Stop(self._not_asked(name, where)) from None
        return question

    def _of_another(self, question: Question, answer: Any) -> bool:
        """Whether a question that may be declined offers a player what is his own, and the answer names what is another
        player's: he is done, and it is the other's turn.
        """
        if not isinstance(question, Pick) or not declinable(question) or not isinstance(answer, str):
            return False
        named = [answer, *(o.key for o in question.options)]
        sides = [self._side(key) for key in named if key not in question.barred]
        return len(sides) == len(named) > 1 and bool(sides[0]) and {*sides[1:]} == {question.seat} != {sides[0]}

    def _side(self, thing: str) -> str:
        try:
            return str(self.ruleset.state(self.match.battle, thing).get("side", ""))
        except GrognardError:
            return ""

    def advance(self, goal: str, where: str) -> None:
        """Go on until a question is asked, a phase has begun or the game is over.

        A phase the case stands in already is not meant, but its next beginning, unless it has begun since the last
        answer or the case has done nothing yet.
        """
        self.passed.clear()
        stood = self.standing()
        inside = self.stood == self.phase() == goal
        while not self.reached(goal, inside=inside):
            if not self.pass_one(where):
                if self.match.over and goal in self.ruleset.phases:  # the game has ended on the way
                    break
                raise Stop(self._not_asked(goal, where, stood))
            inside = inside and self.phase() == goal
        self.stood = self.phase()
        begun = [i for i, e in enumerate(self.match.events) if i >= self.told and phase_begun(e) == goal]
        self.went_to = begun[0] if begun else None
        if begun:  # a later `until` looks for what comes after
            self.told = begun[0] + 1

    def moment(self) -> Battle:
        """The one moment at which state and numbers are judged: now; but where the case went on to a phase through
        which the game has since gone by itself, as that phase began.
        """
        events = self.match.events
        if self.went_to is not None and any(map(phase_begun, events[self.went_to + 1 :])):
            return self.match.moments.get(self.went_to, self.match.battle)
        return self.match.battle

    def gone_on(self) -> tuple[str, ...]:
        """The phases that began after the case's last answer, or after the one it went on to."""
        return tuple(dict.fromkeys(name for e in self.match.events[self.told :] if (name := phase_begun(e))))

    def reached(self, goal: str, *, inside: bool = False) -> bool:
        """Whether a question of that name is asked, or that phase has begun since the case's last answer.

        `inside`: the case stood in that phase before, and has not left it yet.
        """
        phase = self.phase()
        if phase:
            self.phases[phase] = None
        begun = any(phase_begun(e) == goal for e in self.match.events[self.told :])
        over = goal == "over" and self.match.over
        return over or begun or (phase == goal and not inside) or any(q.name == goal for q in self.match.pending)

    def phase(self) -> str:
        """The phase the game is in, for the games that have phases."""
        phase = self.ruleset.state(self.match.battle, "battle").get("phase")
        return phase if isinstance(phase, str) else ""

    def pass_one(self, where: str) -> bool:
        """Pass over one pending question by the case's `otherwise`, else by declining; False when none can be.

        A placement that cannot be declined is made the way the question proposes first, and of units that must all go
        (a question called shoot.unit, charge.next, …) the first goes first; of several kinds of move, plain `move`.
        """
        if len(self.passed) > MAX_PASSED:
            raise Stop(Failure(where, f"more than {MAX_PASSED} questions were passed over and it never came"))
        for question in self.match.pending:
            if self.forced(question, where):
                return True
            if question.name in self.otherwise:
                self.passed.append(question.name)
                self.give(question, self.otherwise[question.name], where)
                return True
            if declinable(question):
                self.foregone.turn_down(self.match, question)
                self.passed.append(question.name)
                self._send(question, declined(question), where)
                return True
            if isinstance(question, Place) and (way := proposed(question)) is not None:
                self.passed.append(question.name)
                self._send(question, way, where)
                return True
            if isinstance(question, Pick) and question.name.endswith((".unit", ".next")) and question.options:
                self.passed.append(question.name)
                self._send(question, question.options[0].key, where)
                return True
            plain, _, kind = question.name.partition(".")
            if isinstance(question, Pick) and kind == "kind" and any(o.key == plain for o in question.options):
                self.passed.append(question.name)
                self._send(question, plain, where)
                return True
        return False

    def forced(self, question: Question | Roll, where: str) -> bool:
        """Answer a question that has only one possible answer."""
        if isinstance(question, Roll) or (only := question.forced()) is OPEN:
            return False
        self.passed.append(question.name)
        self._send(question, only, where)
        return True

    def settle(self, where: str, wanted: Any = msgspec.UNSET, then: Step | None = None) -> None:
        """Answer whatever has only one possible answer, as a match does, and pass over asides, up to a question that
        is looked for, or that the entry after it gives that very answer to.
        """
        self.passed.clear()
        while len(self.passed) <= MAX_PASSED:
            if any(q.name in str(wanted) or self._looked_at_next(q, then) for q in self.match.pending):
                return
            if not any(self.forced(q, where) or self.aside(q, where) for q in self.match.pending):
                return

    def carry_one(self, where: str, then: Step | None = None, *, due: bool = False) -> bool:
        """Decline what is asked in the midst of the last thing done and may be declined (a block, a roll again), unless
        the next entry names it. What is `due` is done in any case: a placement that must be made is made the way it is
        proposed first, and what `otherwise` names is answered so. Whether there was anything.
        """
        asked = self.match.pending
        if len(asked) != 1 or not self._in_the_midst(asked[0]) or asked[0].name in _named(then):
            return False
        if due and declinable(asked[0]) and asked[0].name not in self.otherwise:
            return False
        self.pass_one(where)
        self.settle(where, then=then)
        return True

    def _in_the_midst(self, question: Question | Roll) -> bool:
        """Whether a question belongs to the last thing done, and can be passed over."""
        if isinstance(question, Roll) or question.checkpoint or self.phase() != self.stood:
            return False
        placed = isinstance(question, Place) and proposed(question) is not None
        return declinable(question) or placed or question.name in self.otherwise

    def _looked_at_next(self, question: Question | Roll, then: Step | None) -> bool:
        """Whether the next entry of the case looks at a question, or gives it the only answer it has."""
        if isinstance(question, Roll) or question.name not in _named(then):
            return False
        assert isinstance(then, Answer | Refuse | Offered | NotOffered)
        if then.seat not in (None, question.seat) or not self._is_about(question, then.about):
            return False
        if isinstance(then, Offered):
            return not empty(question)
        if not isinstance(then, Answer):
            wanted = then.refuse if isinstance(then, Refuse) else then.not_offered
            named = wanted[question.name]
            return not empty(question) or self._tells(question, named if isinstance(named, list) else [named])
        given = wire(self.ruleset, question, self.meant(question, then.value))
        return bool(_alone(question.forced()) == _alone(given))

    def aside(self, question: Question | Roll, where: str) -> bool:
        """Pass over a question that is asked by the way."""
        return not isinstance(question, Roll) and question.aside and self.pass_one(where)

    def _not_asked(self, wanted: str, where: str, stood: str = "") -> Failure:
        """A question that never came: where the case stood when it began to look for it, and what it passed over."""
        pending = self.match.pending
        got = stood or self.standing()
        if self.passed:
            more = len(self.passed) - MAX_TOLD
            got += f"\npassed over: {', '.join(self.passed[:MAX_TOLD])}{f' and {more} more' if more > 0 else ''}"
            got += f"\nin the end: {self.standing()}"
        if self.phases:
            got += f"\nphases seen: {', '.join(self.phases)}"
        near = get_close_matches(wanted, dict.fromkeys([*(q.name for q in pending), *self.passed]), 1, 0.8)
        first = pending[0] if pending else None
        what = self._roll_waits(first) if isinstance(first, Roll) else f"{wanted} did not come"
        what += f"; did you mean {near[0]}?" if near and near[0] != wanted else ""
        return Failure(where, what, wanted, got)

    def standing(self) -> str:
        """Where the case stands: what is asked."""
        return "\n".join(describe(q) for q in self.match.pending) or "the game is over"

    def _roll_waits(self, roll: Roll) -> str:
        left = [face for face, _ in self.dice.left]
        told = f"only {left} are left" if left else "no faces are left"
        return f"the rules roll {roll.count}D{roll.sides} for {roll.name} ({roll.rule}), but {told}"

    def mark(self) -> tuple[int, tuple[tuple[int, str], ...]]:
        """Where the case stands, for `go_back`."""
        return len(self.match.answers), tuple(self.dice.left)

    def go_back(self, mark: tuple[int, tuple[tuple[int, str], ...]]) -> None:
        """Take back what was passed over in vain since a mark, dice and all."""
        answers, faces = mark
        if len(self.match.answers) > answers:
            self.match.undo(agreed=True, to=answers)
        self.dice.left = deque(faces)
        self.asked = [one for one in self.asked if one.answers < answers]
        self.foregone.undone(answers)

    def forbade(self, rule: str, whom: Iterable[Any]) -> bool:
        """Whether since the case's last answer a rule kept one of these out of what was asked, or was told of them."""
        named = [key for key in map(key_text, whom) if isinstance(key, str)]
        questions = [one.question for one in self.asked if one.events >= self.told]
        for question in (*questions, *self.match.pending):
            for key, why in question.barred.items() if isinstance(question, Pick) else ():
                if rule in why.rules and any(name == key or name in why.data.values() for name in named):
                    return True
        told = self.match.events[self.told :]
        return any(event.rule == rule and any(name in event.about for name in named) for event in told)

    # ------------------------------------------------------------------ answering

    def give(self, question: Question | Roll, written: Any, where: str) -> None:
        """Answer a question the way the case writes it."""
        self._send(question, wire(self.ruleset, question, self.meant(question, written)), where)

    def _send(self, question: Question | Roll, answer: Any, where: str) -> None:
        if question.name in self.at_questions:
            self.at_questions[question.name] = self.match.battle.copy()
        self.asked.append(Asked(question, len(self.match.answers), len(self.match.events)))
        try:
            self.match.answer(answer, question.seat)
        except Refused as refused:
            raise Stop(Failure(where, f"{question.name} was refused: {refused}", got=describe(question))) from None
        except GrognardError as error:
            raise Stop(Failure(where, f"the game stopped at {question.name}: {error}")) from None
        self.check_dice(where)

    def check_dice(self, where: str) -> None:
        """Stop when the faces do not fit what was rolled."""
        if self.dice.problem:
            raise Stop(Failure(where, self.dice.problem))

    def roll_waiting(self, where: str) -> None:
        """Answer the rolls that wait with the faces there are now."""
        while self.match.pending and isinstance(roll := self.match.pending[0], Roll):
            faces = self.dice.faces(roll)
            self.check_dice(where)
            if faces is None:
                return
            self._send(roll, list(faces), where)
