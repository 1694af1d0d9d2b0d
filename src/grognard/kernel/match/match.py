"""A match is its answers: it drives the script, takes answers, and can go back, fork, save and load."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

from grognard.kernel.battle import Battle
from grognard.kernel.errors import BadInput, Refusal, Refused, ScriptError
from grognard.kernel.events import Event
from grognard.kernel.match.accounts import Accounts, Entry
from grognard.kernel.match.dice import ByHand, Dice, Seal
from grognard.kernel.match.driver import Driver
from grognard.kernel.match.record import Answer, Battles, Checkpoint, Checkpoints, Keeper, Moment, Times
from grognard.kernel.match.shelf import Shelf
from grognard.kernel.questions import OPEN, Question, Roll, Together
from grognard.kernel.ruleset import Ruleset
from grognard.kernel.screen.scene import Scene


class Resumed(NamedTuple):
    """From where a match goes on: a checkpoint, what was answered and told up to it, and as whose imagination.

    `times` are when the events happened, where somebody wants to know. A match that is `still` only stands there, to
    be looked at and gone back in: its script is not run, and nobody answers.
    """

    checkpoints: Sequence[Checkpoint]
    answers: list[Answer]
    events: list[Event]
    seat: str | None = None
    shelf: Shelf | None = None
    bare: bool = False
    times: Sequence[Moment] | None = None
    still: Battle | None = None
    over: bool = False


class Match(Driver):
    """One game being played.

    >>> match.pending            # doctest: +SKIP
    (Pick(red: charge.declare),)
    >>> match.answer("hold")     # doctest: +SKIP

    history: "all" keeps every checkpoint (undo is quick), "some" the newest and a few dozen spread over the match
    (going back anywhere replays little), "last" the newest (fork is quick), "none" only the start (fastest; fork and
    undo replay everything). `record` are answers to begin with.
    `ask_all` asks even questions with only one possible answer, so that a case can look at them. With
    `keep_at`, a kind of event, `moments` holds the battle as it was before each such event, by its place.
    With `timed`, `times` tells of every event when it happened; `reckoned`, `account` also tells how the sides'
    numbers came to be. `seal` is what a save tells of sealed dice. `resume` goes on from a checkpoint of another.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        setup: dict[str, Any],
        *,
        house: dict[str, Any] | None = None,
        dice: Dice | None = None,
        history: str = "all",
        record: Sequence[Answer] = (),
        ask_all: bool = False,
        keep_at: str = "",
        timed: bool = False,
        reckoned: bool = False,
        resume: Resumed | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.setup = setup
        self.house = ruleset.house_rules_from(house or {}) if resume is None else house or {}
        self.dice = dice or ByHand()
        self.history = history
        self.ask_all = ask_all
        self.seal: Seal | None = None
        self.touched = {}
        self._queue = deque(record)
        self._ask = None
        self._open, self._given, self._unrevealed = {}, {}, 0
        past = resume or Resumed((), [], [])
        self.answers, self.events = past.answers, past.events
        self.shelf = past.shelf  # the cards it was begun with, where the game's own have changed since
        self.bare = past.bare  # whether its save does not bring its cards along
        self._imagined_by = past.seat
        self._checkpoints = Checkpoints(history, past.checkpoints)
        self._times = Times(self, past.times or ()) if timed or reckoned or past.times is not None else None
        self._battles = Battles(self, keep_at) if keep_at else None
        self._accounts = Accounts(self) if reckoned else None
        self._keepers: tuple[Keeper, ...] = tuple(
            keeper for keeper in (self._battles, self._accounts, self._times) if keeper is not None
        )
        if past.still is not None:
            self.battle = past.still
            self.battle.events, self.battle.cited = self.events, self.touched
            self._ask = None if past.over else OPEN
            return
        self._begin(past.checkpoints[-1].battle.copy() if past.checkpoints else ruleset.create(setup, self.house))
        self._run(None)

    # ------------------------------------------------------------------ what a user sees

    @property
    def at_checkpoint(self) -> bool:
        """Whether the pending question is one the script asks again when started afresh on this battle."""
        return isinstance(self._ask, Question | Together) and self._ask.checkpoint

    @property
    def result(self) -> dict[str, Any] | None:
        return self.ruleset.result(self.battle)

    def question(self, seat: str | None = None) -> Question | Roll:
        """The pending question, of one seat where several are asked at once."""
        waiting = [q for q in self.pending if seat is None or q.seat == seat]
        if not waiting:
            refusal = Refusal("refuse.nothing-pending", self.ruleset.sequence_rule, {"seat": seat or ""})
            raise Refused(refusal, self.ruleset.say(refusal.code, refusal.data))
        return waiting[0]

    def refusal(self, value: Any, seat: str | None = None) -> Refusal | None:
        """Why an answer would be refused, or None; changes nothing."""
        try:
            return self.question(seat).refusal(value)
        except Refused as refused:
            return refused.refusal

    def answer(self, value: Any, seat: str | None = None) -> list[Event]:
        """Answer the pending question; the events that followed. Raises Refused and changes nothing."""
        question = self.question(seat)
        before, marks = len(self.events), len(self.answers)
        decoded, record = self._check(question, value)
        try:
            self._take(question, decoded, record)
        except BaseException:  # an interrupted script too must leave the match as it was
            self._queue.clear()
            self._rewind(self.answers[:marks], marks)
            raise
        return self.events[before:]

    def view(self, seat: str | None) -> dict[str, Any]:
        """All that one seat may know, as plain data; None is the referee. Looking touches no rule."""
        with self.battle.cited_apart():
            shown = self.ruleset.view(self.battle, seat)
        return {
            "game": self.ruleset.id,
            "seat": seat,
            **shown,
            "pending": [q.wire() for q in self.pending if seat is None or q.seat == seat],
            "waiting": self.waiting,
            "over": self.over,
            "result": self.result,
        }

    def scene(self, seat: str | None) -> Scene:
        """What a screen draws for a seat; None is the referee. Looking touches no rule."""
        with self.battle.cited_apart():
            return self.ruleset.scene(self.battle, seat)

    @property
    def rolls(self) -> list[tuple[int, tuple[int, ...]]]:
        """Every roll so far as (sides, faces), in order: what sealed dice are verified against."""
        return [(event.data["sides"], tuple(event.data["faces"])) for event in self.events if event.kind == "roll"]

    def events_for(self, seat: str | None, since: int = 0) -> list[Event]:
        """What happened, as far as a seat may know; None is the referee."""
        return [event for event in self.events[since:] if event.visible_to(seat)]

    @property
    def times(self) -> list[Moment]:
        """When each event happened; empty unless the match is timed."""
        return [] if self._times is None else self._times.held

    @property
    def moments(self) -> dict[int, Battle]:
        """The battle as it was before each event of the kind it was to be kept at, by the event's place."""
        return {} if self._battles is None else self._battles.held

    def account(self, side: str, code: str) -> list[Entry]:
        """All that made a number of a side what it is now; empty unless the match is reckoned."""
        return [] if self._accounts is None else self._accounts.account(side, code)

    # ------------------------------------------------------------------ going back, going elsewhere

    def undo_refusal(self, to: int | None = None) -> Refusal | None:
        """Why everything from answer `to` on (the last decision) cannot be taken back without agreement, or None."""
        first = self._checkpoints[0].answers
        if to is None:
            to = next((i for i in range(len(self.answers) - 1, -1, -1) if not self.answers[i].roll), -1)
        if not first <= to < len(self.answers):
            return Refusal("refuse.nothing-to-undo", self.ruleset.sequence_rule, {})
        shown = any(answer.roll or answer.reveals for answer in self.answers[to:])
        if shown or (self.answers[to].secret and to < len(self.answers) - self.unrevealed):
            return Refusal("refuse.undo-dice", self.ruleset.sequence_rule, {})
        return None

    def undo(self, *, agreed: bool = False, to: int | None = None, seat: str | None = None) -> None:
        """Take back the last decision, or everything from answer `to` on.

        Dice and revealed secrets need the opponent's agreement. With a seat, what others have answered since to what
        is still asked of several at once stays (`kept_of_others`).
        """
        refusal = self.undo_refusal(to)
        if refusal is not None and not (agreed and refusal.code == "refuse.undo-dice"):
            raise Refused(refusal, self.ruleset.say(refusal.code, {}))
        last = next(i for i in range(len(self.answers) - 1, -1, -1) if not self.answers[i].roll) if to is None else to
        self._rewind([*self.answers[:last], *self.kept_of_others(last, seat)], last)

    def kept_of_others(self, to: int, seat: str | None) -> list[Answer]:
        """The answers that stay when a seat takes back its own from `to` on: those of others to what is still open."""
        if seat is None or to < len(self.answers) - self.unrevealed:
            return []
        return [answer for answer in self.answers[to:] if answer.seat != seat]

    def follow(self, record: Sequence[Answer]) -> list[Event]:
        """Take answers that were given elsewhere, the dice among them; raises BadInput and changes nothing."""
        first, *rest = record
        question = self.question(first.seat)
        if question.name != first.name:
            raise BadInput(
                "the record answers {name}, but the rules ask {question}", name=first.name, question=question.name
            )
        self._queue = deque(rest)
        try:
            return self.answer(first.value, first.seat)
        finally:
            self._queue.clear()

    def fork(self, dice: Dice, *, seat: str | None = None) -> Match:
        """A match that goes its own way from here with its own dice.

        With a seat, what that seat cannot know is filled with a guess: the game imagines the battle at the
        last checkpoint, others' answers to a question still open are left out, and so are secret answers of
        others to what nobody asks in the imagined battle. Where what has happened since does not fit the
        first guess, the game is asked for another.
        """
        checkpoint = self._checkpoints[-1]
        since = self.answers[checkpoint.answers :]
        if seat is None:
            return self._twin(dice, checkpoint, since)
        if unrevealed := self.unrevealed:
            since = since[:-unrevealed] + [answer for answer in since[-unrevealed:] if answer.seat == seat]
        wrong: BadInput | None = None
        for guess in self.ruleset.guesses(checkpoint.battle, seat, self.battle):
            try:
                twin = self._twin(dice, checkpoint._replace(battle=guess), since, seat)
            except BadInput as error:
                wrong = error
                continue
            if self._same_question(twin, seat):
                return twin
        raise wrong or ScriptError("no guess fits what has happened")

    def _same_question(self, twin: Match, seat: str) -> bool:
        """Whether a seat that is asked something is asked it in another match too."""
        mine, other = ([q.name for q in match.pending if q.seat == seat] for match in (self, twin))
        return not mine or mine == other

    def so_far(self) -> Match:
        """The match as it stands, to look back in with `at` while this one goes on; nobody answers there."""
        times = None if self._times is None else list(self._times.held)
        past = Resumed(
            self._checkpoints, list(self.answers), list(self.events), self._imagined_by, self.shelf, self.bare, times,
            self.battle.copy(), self.over,
        )  # fmt: skip
        return self._again(ByHand(), self.history, past)

    def at(self, answers: int) -> Match:
        """A match as this one was after so many answers; a roll that followed is asked of the players."""
        if not self._checkpoints[0].answers <= answers <= len(self.answers):
            raise BadInput("there is no moment {number}; the last is {last}", number=answers, last=len(self.answers))
        checkpoint = next(mark for mark in reversed(self._checkpoints) if mark.answers <= answers)
        return self._twin(ByHand(), checkpoint, self.answers[checkpoint.answers : answers])

    def _twin(self, dice: Dice, checkpoint: Checkpoint, since: Sequence[Answer], seat: str | None = None) -> Match:
        """Another match on a copy of the battle at a checkpoint, with these answers given since, as a seat knows it."""
        answers, events = self.answers[: checkpoint.answers], self.events[: checkpoint.events]
        return self._again(dice, "last", Resumed([checkpoint], answers, events, seat, self.shelf, self.bare), since)

    def _again(self, dice: Dice, history: str, past: Resumed, record: Sequence[Answer] = ()) -> Match:
        """Another match of the same setup, from some moment on."""
        return Match(
            self.ruleset, self.setup, house=self.house, dice=dice, history=history, record=record,
            ask_all=self.ask_all, resume=past,
        )  # fmt: skip

    # ------------------------------------------------------------------ inside

    def _begin(self, battle: Battle) -> None:
        """Start the script afresh on a battle, at the beginning or at a checkpoint."""
        self.battle = battle
        battle.events, battle.cited, battle.witnesses = self.events, self.touched, self._keepers
        if not self._checkpoints:
            self._checkpoints.append(Checkpoint(len(self.answers), len(self.events), battle.copy()))
        self._script = self.ruleset.script(battle)

    def _check(self, question: Question | Roll, value: Any) -> tuple[Any, Answer]:
        try:
            decoded = question.decode(value)
            if isinstance(question, Roll):
                record = Answer(question.seat, question.name, list(decoded), roll=True, secret=question.secret)
            else:
                wire = question.encode(value)
                record = Answer(question.seat, question.name, wire, secret=question.secret, reveals=question.reveals)
        except Refused as refused:
            self.touched.update(dict.fromkeys(refused.refusal.rules))
            refusal = refused.refusal
            text = self.ruleset.say(refusal.code, refusal.data, names=self.ruleset.names(self.battle))
            raise Refused(refusal, text) from None
        return decoded, record

    def _mark(self) -> None:
        """Keep the battle as it is now, unless the newest checkpoint is this very moment."""
        newest = self._checkpoints[-1]
        if self.history == "none" or (newest.answers, newest.events) == (len(self.answers), len(self.events)):
            return
        self._checkpoints.add(Checkpoint(len(self.answers), len(self.events), self.battle.copy()))

    def _rewind(self, replay: list[Answer], to: int) -> None:
        """Go back to answer `to` by the nearest checkpoint before, and on from there as `replay` has it."""
        while self._checkpoints[-1].answers > to:
            self._checkpoints.pop()
        checkpoint = self._checkpoints[-1]
        self._queue = deque(replay[checkpoint.answers :])
        self.answers = replay[: checkpoint.answers]
        del self.events[checkpoint.events :]
        for keeper in self._keepers:
            keeper.cut(checkpoint.events)
        self._begin(checkpoint.battle.copy())
        # answers replayed up to the point where the next one would have to be asked
        kept, self.dice = self.dice, ByHand()
        try:
            self._run(None)
        finally:
            self.dice = kept
        if len(self.answers) != len(replay):
            raise ScriptError("a checkpoint did not resume where it was taken")
