"""Driving a script from one question that waits for somebody to the next."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from grognard.kernel.battle import Battle
from grognard.kernel.errors import BadInput, Refused
from grognard.kernel.events import Event
from grognard.kernel.match.dice import Dice
from grognard.kernel.match.record import Answer
from grognard.kernel.questions import OPEN, Ask, Question, Roll, Script, Together
from grognard.kernel.ruleset import Ruleset
from grognard.kernel.words.texts import complaint


class Driver:
    """The half of a match that runs the rules: dice are rolled, and a decision that the record answers, or that has
    only one answer, does not wait for anybody.
    """

    ruleset: Ruleset
    battle: Battle
    dice: Dice
    ask_all: bool
    answers: list[Answer]
    events: list[Event]
    touched: dict[str, None]
    _script: Script[None]
    _queue: deque[Answer]
    _ask: Ask | None
    _open: dict[str, Question]
    _given: dict[str, Any]
    _unrevealed: int
    _imagined_by: str | None

    def _mark(self) -> None:
        """Keep the battle as it is now, for a script started afresh on it asks the same again."""
        raise NotImplementedError

    @property
    def pending(self) -> tuple[Question | Roll, ...]:
        """The questions waiting for an answer; empty when the game is over."""
        if self._ask is None:
            return ()
        if isinstance(self._ask, Together):
            return tuple(self._open.values())
        return (self._ask,)

    @property
    def over(self) -> bool:
        return self._ask is None

    @property
    def waiting(self) -> list[str]:
        """The seats that are asked something, in an order that does not tell how far each has come."""
        if isinstance(self._ask, Together):
            return [question.seat for question in self._ask.questions if question.seat in self._open]
        return [question.seat for question in self.pending]

    @property
    def together(self) -> bool:
        """Whether several are asked at once, in secret, and not all have answered."""
        return isinstance(self._ask, Together) and len(self._ask.questions) > 1

    @property
    def unrevealed(self) -> int:
        """How many of the last answers were given to a question still open for others."""
        return self._unrevealed if isinstance(self._ask, Together) else 0

    def _take(self, question: Question | Roll, decoded: Any, record: Answer) -> None:
        self.answers.append(record)
        self.touched[question.rule] = None
        if isinstance(question, Roll):
            self._note_roll(question, decoded)
            self._run(decoded)
            return
        assert isinstance(self._ask, Question | Together)
        self._unrevealed += 1
        self._hear(self._ask, question, decoded)
        if not self._open:
            self._run(self._heard(self._ask))

    def _note_roll(self, roll: Roll, faces: tuple[int, ...]) -> None:
        for rule in roll.rules:
            self.touched[rule] = None
        seats = (roll.seat,) if roll.secret else None
        self.battle.happened(Event("roll", roll.rule, (roll.seat, *roll.about), roll.record(faces), seats))

    def _run(self, value: Any) -> None:
        """Drive the script until a person must answer or the game is over."""
        while True:
            try:
                ask = self._script.send(value)
            except StopIteration:
                self._ask = None
                self._skip_unseen(())
                if self._queue:
                    raise BadInput("the record goes on after the game is over") from None
                return
            if isinstance(ask, Roll):
                faces = self._faces(ask)
                if faces is None:
                    self._ask = ask
                    return
                self.answers.append(Answer(ask.seat, ask.name, list(faces), roll=True, secret=ask.secret))
                self._note_roll(ask, faces)
                value = faces
                continue
            ready, value = self._settle(ask)
            if not ready:
                return

    def _skip_unseen(self, questions: Sequence[Question | Roll]) -> None:
        """Leave out secret answers of others to what is not asked in a battle imagined by a seat."""
        while self._imagined_by is not None and self._queue:
            record = self._queue[0]
            asked = any((record.name, record.seat) == (q.name, q.seat) for q in questions)
            if asked or not record.secret or record.seat == self._imagined_by:
                return
            self._queue.popleft()

    def _faces(self, roll: Roll) -> tuple[int, ...] | None:
        self._skip_unseen((roll,))
        if self._queue:
            faces: tuple[int, ...] = self._recorded(roll)[0]
            return faces
        rolled = self.dice.faces(roll)
        return rolled if rolled is None else tuple(rolled)

    def _settle(self, ask: Question | Together) -> tuple[bool, Any]:
        """Answer a decision from the record or because only one answer exists, else leave it pending."""
        questions = ask.questions if isinstance(ask, Together) else (ask,)
        self._open, self._given, self._unrevealed = {q.seat: q for q in questions}, {}, 0
        forced = [(q, value) for q in questions if (value := self._only_answer(q)) is not OPEN]
        if len(forced) < len(questions) or (isinstance(ask, Together) and ask.then is not None):
            self._ask = ask
            if ask.checkpoint:
                self._mark()
        for question, value in forced:
            self._hear(ask, question, question.decode(value))
        self._from_record(ask)
        return (False, None) if self._open else (True, self._heard(ask))

    def _only_answer(self, question: Question) -> Any:
        """The one possible answer, which nobody is asked for; OPEN where there are more."""
        value = OPEN if self.ask_all else question.forced()
        if value is not OPEN:
            self.touched[question.rule] = None
        return value

    def _hear(self, ask: Question | Together, question: Question, decoded: Any) -> None:
        """A seat has answered: where something of its own follows, it is asked that at once, after the others."""
        seat = question.seat
        while True:
            self._given[seat] = decoded
            del self._open[seat]
            follows = ask.after(seat, decoded) if isinstance(ask, Together) else None
            if follows is None:
                return
            self._open[seat] = follows
            value = self._only_answer(follows)
            if value is OPEN:
                return
            decoded = follows.decode(value)

    def _heard(self, ask: Question | Together) -> Any:
        """What the script gets: the last answer of every seat, or of the one that was asked."""
        if isinstance(ask, Together):
            return tuple(self._given[q.seat] for q in ask.questions)
        return self._given[ask.seat]

    def _from_record(self, ask: Question | Together) -> None:
        """Take the answers to these questions from the record, as far as it goes."""
        while self._open:
            waiting = list(self._open.values())
            self._skip_unseen(waiting)
            if not self._queue:
                return
            question = self._open.get(self._queue[0].seat, waiting[0])
            decoded, record = self._recorded(question)
            self.answers.append(record)
            self.touched[question.rule] = None
            self._unrevealed += 1
            self._hear(ask, question, decoded)

    def _recorded(self, question: Question | Roll) -> tuple[Any, Answer]:
        """The next answer of the record, decoded; BadInput where it is not one to this question."""
        record, number = self._queue.popleft(), len(self.answers) + 1
        roll = isinstance(question, Roll)
        if (record.name, record.seat, record.roll) != (question.name, question.seat, roll):
            raise BadInput(
                "answer {number} is for {name} ({seat}), but the rules ask {question} ({other})",
                number=number, name=record.name, seat=record.seat, question=question.name, other=question.seat,
            )  # fmt: skip
        try:
            decoded = question.decode(record.value)
        except Refused as refused:
            why = complaint(self.ruleset.texts, refused.refusal, self.ruleset.names(self.battle))
            raise BadInput("answer {number} is not allowed: {why}", number=number, why=why) from None
        if isinstance(question, Question) and (record.secret, record.reveals) != (question.secret, question.reveals):
            raise BadInput(
                "answer {number} is not marked secret or revealing as {name} is", number=number, name=question.name
            )
        return decoded, record
