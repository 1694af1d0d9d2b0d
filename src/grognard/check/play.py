"""Playing a case: the dice it gives, and getting from one question to the next."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, TypeGuard

import msgspec

from grognard.check.answers import declinable, declined, describe, key_text, meant, proposed, wire
from grognard.check.case import Answer, Die, Failure, NotOffered, Offered, Refuse, Step
from grognard.check.compare import phase_begun
from grognard.kernel.battle import Battle
from grognard.kernel.errors import GrognardError, Refused
from grognard.kernel.match import Match
from grognard.kernel.questions import OPEN, Number, Pick, Place, Question, Roll, Split
from grognard.kernel.ruleset import Ruleset

#: How many questions may be passed over on the way to the next one a case names.
MAX_PASSED = 5000


class Stop(Exception):
    """The case cannot go on."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(failure.what)


class CaseDice:
    """The faces a case gives, in order. None when they run out: the roll then waits."""

    def __init__(self, dice: Iterable[Die]) -> None:
        self.left: deque[tuple[int, str]] = deque()
        self.problem = ""
        self.add(dice)

    def add(self, dice: Iterable[Die]) -> None:
        """More faces; those under a name are only for the roll of that name."""
        for die in dice:
            for name, faces in die.items() if isinstance(die, dict) else [("", die)]:
                self.left.extend((face, name) for face in (faces if isinstance(faces, list) else [faces]))

    def faces(self, roll: Roll) -> tuple[int, ...] | None:
        if self.problem or len(self.left) < roll.count:
            return None
        taken = [self.left[place] for place in range(roll.count)]
        for face, name in taken:
            if name and name != roll.name:
                self.problem = f"the face {face} is for {name}, but the rules roll {roll.name} ({roll.rule})"
            elif not 1 <= face <= roll.sides:
                self.problem = f"the face {face} does not fit a D{roll.sides}, which the rules roll for {roll.name}"
            if self.problem:
                return None
        for _ in taken:
            self.left.popleft()
        return tuple(face for face, _ in taken)


def empty(question: Question | Roll) -> TypeGuard[Pick]:
    """Whether a question is asked though nothing is on offer: it only tells why."""
    return isinstance(question, Pick) and not question.options


def _midst(question: Question | Roll) -> bool:
    """Whether a question belongs to something being carried out, and may be declined, or is a placement to be made."""
    if isinstance(question, Roll) or question.checkpoint:
        return False
    return declinable(question) or (isinstance(question, Place) and proposed(question) is not None)


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


def both(ruleset: Ruleset, began: Battle) -> list[Battle]:
    """The battle as a phase began, and when what lasted the phase before it was forgotten."""
    after = ruleset.forgotten(began)
    return [began] if after is None else [began, after]


class Play:
    """A match driven by a case."""

    def __init__(self, ruleset: Ruleset, match: Match, dice: CaseDice, otherwise: Mapping[str, Any]) -> None:
        self.ruleset = ruleset
        self.match = match
        self.dice = dice
        self.otherwise = otherwise
        self.passed: list[str] = []
        self.phases: dict[str, None] = {}
        self.told = 0  # how many events there were before the case's last answer, or the phase it went on to
        self.stood = ""  # the phase at that moment; "" while the case has done nothing
        self.went_to: int | None = None  # the event that began the phase the case went on to, until it does more
        self.rested: Battle | None = None  # the battle before questions with one possible answer answered themselves

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
                raise Stop(self._not_asked(f"{name}{whom}", where))

    def find_open(
        self, name: str, seat: str | None, written: Any, where: str, about: str | None = None
    ) -> Question | Roll:
        """The question of that name an answer is for; those that can only be answered otherwise answer themselves."""
        question = self.find(name, seat, where, about, [written])
        wrong: Stop | None = None
        while isinstance(question, Pick | Number | Split) and written is not None:
            answer, only = wire(self.ruleset, question, self.meant(question, written)), question.forced()
            if only is OPEN and self._of_another(question, answer):
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
        inside = self.stood == self.phase() == goal
        while not self.reached(goal, inside=inside):
            if not self.pass_one(where):
                if self.match.over and goal in self.ruleset.phases:  # the game has ended on the way
                    break
                raise Stop(self._not_asked(goal, where))
            inside = inside and self.phase() == goal
        self.stood = self.phase()
        begun = [i for i, e in enumerate(self.match.events) if i >= self.told and phase_begun(e) == goal]
        self.went_to = begun[0] if begun else None
        if begun:  # a later `until` looks for what comes after
            self.told = begun[0] + 1

    def moments(self) -> list[Battle]:
        """The battle now, and as it was when the game began to go on by itself, if it has gone through phases so.

        The beginning of a phase is two moments: before and after what lasted the phase before it is forgotten.

        That moment is the beginning of the phase the case went on to, which then comes first; else of the first phase
        after the case's last answer and the last roll. Before all that answered itself is a moment too.
        """
        events, now = self.match.events, self.match.battle
        if self.went_to is not None:
            alone = any(map(phase_begun, events[self.went_to + 1 :]))
            then = self.match.moments.get(self.went_to) if alone else None
            return [now] if then is None else [*both(self.ruleset, then), now]
        rolled = next((i for i in range(len(events) - 1, self.told - 1, -1) if events[i].kind == "roll"), self.told - 1)
        began = next((i for i in range(rolled + 1, len(events)) if phase_begun(events[i])), -1)
        then = self.match.moments.get(began)
        rested = [] if self.rested is None else [self.rested]
        return [now, *rested] if then is None else [now, *rested, *both(self.ruleset, then)]

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
        self.rested = self.match.battle.copy()
        while len(self.passed) <= MAX_PASSED:
            if any(q.name in str(wanted) or self._given_next(q, then) for q in self.match.pending):
                return
            if not any(self.forced(q, where) or self.aside(q, where) for q in self.match.pending):
                return

    def carry_through(self, where: str) -> bool:
        """Decline what is asked in the midst of the last thing done and may be declined: a block, a roll again; a
        placement that must be made is made the way it is proposed first.

        Whether there was anything.
        """
        for turn in range(MAX_PASSED):
            self.settle(where)
            if not self.carry_one(where):
                return turn > 0
        return True

    def carry_one(self, where: str, then: Step | None = None) -> bool:
        """Decline one such question, unless the next entry names it; whether there was one."""
        asked = self.match.pending
        if len(asked) != 1 or not _midst(asked[0]) or self.phase() != self.stood:
            return False
        if asked[0].name in _named(then):
            return False
        self.pass_one(where)
        self.settle(where, then=then)
        return True

    def _given_next(self, question: Question | Roll, then: Step | None) -> bool:
        """Whether the next entry of the case gives a question the only answer it has, or asks it why it has no more."""
        if isinstance(then, Refuse | NotOffered) and empty(question) and then.seat in (None, question.seat):
            wanted = then.refuse if isinstance(then, Refuse) else then.not_offered
            named = wanted.get(question.name, [])
            return self._tells(question, named if isinstance(named, list) else [named])
        if isinstance(question, Roll) or not isinstance(then, Answer) or then.name != question.name:
            return False
        if then.seat not in (None, question.seat) or not self._is_about(question, then.about):
            return False
        given = wire(self.ruleset, question, self.meant(question, then.value))
        return bool(_alone(question.forced()) == _alone(given))

    def aside(self, question: Question | Roll, where: str) -> bool:
        """Pass over a question that is asked by the way."""
        return not isinstance(question, Roll) and question.aside and self.pass_one(where)

    def _not_asked(self, wanted: str, where: str) -> Failure:
        pending = self.match.pending
        got = "\n".join(describe(q) for q in pending) or "the game is over"
        if self.passed:
            got += f"\npassed over: {', '.join(self.passed[-12:])}"
        if self.phases:
            got += f"\nphases seen: {', '.join(self.phases)}"
        near = get_close_matches(wanted, dict.fromkeys([*(q.name for q in pending), *self.passed]), 1, 0.8)
        first = pending[0] if pending else None
        what = self._roll_waits(first) if isinstance(first, Roll) else f"{wanted} did not come"
        what += f"; did you mean {near[0]}?" if near and near[0] != wanted else ""
        return Failure(where, what, wanted, got)

    def _roll_waits(self, roll: Roll) -> str:
        left = [face for face, _ in self.dice.left]
        told = f"only {left} are left" if left else "no faces are left"
        return f"the rules roll {roll.count}D{roll.sides} for {roll.name} ({roll.rule}), but {told}"

    # ------------------------------------------------------------------ answering

    def give(self, question: Question | Roll, written: Any, where: str) -> None:
        """Answer a question the way the case writes it."""
        self._send(question, wire(self.ruleset, question, self.meant(question, written)), where)

    def _send(self, question: Question | Roll, answer: Any, where: str) -> None:
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
