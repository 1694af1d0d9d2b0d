"""One match being played: its answers go to the store before anybody hears of them.

Everything here blocks and is called by one worker thread at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from grognard import games
from grognard.kernel import saves
from grognard.kernel.dice import ByHand, Dice, Seal, Sealed, Withdrawn
from grognard.kernel.errors import BadInput, Refusal, Refused
from grognard.kernel.questions import OPEN, Question, Roll
from grognard.kernel.record import Answer
from grognard.server.dice import PERSON, WORDS, SomeByHand, by_hand
from grognard.server.marks import Mark, after_back, part_answers
from grognard.server.storage import Act, Asked, Conflict, Kept, Seat, Store
from grognard.server.telling import passing

#: The kind that stands for every question hardly anybody would answer.
EVERYTHING = "*"
#: How many questions in a row are passed automatically; more would be a script that asks for ever.
PASSES = 1000


class Stale(BadInput):
    """The answer was to a question that is no longer open."""


class Overtaken(Stale):
    """Another server wrote first; what it wrote has been read."""


class Sitting:
    """A match in memory. `version` is the number of its last act; it only ever grows.

    `asked_at` is the version at which what is asked now was asked first: where several are asked at once, an answer of
    one leaves the questions of the others as they were; `_own` tells of whoever has answered one since.
    """

    def __init__(self, store: Store, name: str) -> None:
        self.store = store
        self.name = name
        self.rewound = 0  # how often the match went back: what was told before then may no longer hold
        self._load()

    # ------------------------------------------------------------------ from the store

    def _load(self) -> None:
        """Replay the match from its acts."""
        kept, acts = self.store.load(self.name)
        self.kept: Kept = kept
        self.version = kept.version
        self.asked = kept.asked
        self._read_automatic()
        self.marks: list[Mark] = []
        self.hushed: dict[str, dict[str, None]] = {}  # what has been passed for each seat without asking
        self.withdrawn: list[Withdrawn] = []
        self.words: dict[str, str] = {}  # what players added to the dice before the first roll
        answers: list[Answer] = []
        for act in acts:
            if act.words is not None:
                self.words[act.seat] = act.words
            elif act.back_to is None:
                self._mark(len(answers), act)
                answers += act.answers
            else:
                answers[act.back_to :] = act.answers
                self._unmark(act)
        # people look back; where computers play among themselves, hundreds of matches must fit
        history = "some" if self.people else "last"
        self.match = saves.resume(kept.header, answers, games.RULESETS, history=history, timed=True, reckoned=True)
        parts = part_answers(acts, self.match.unrevealed)
        self.asked_at = self.version - len(parts)
        self._own = {act.seat: self.asked_at + n for n, act in enumerate(parts, 1)}
        finished = kept.header.dice is not None and kept.header.dice.seed
        self._seal_dice([] if finished else self.seal.drawn(self._rolls()))

    def _seal_dice(self, drawn: Sequence[tuple[int, tuple[int, ...]]] = ()) -> None:
        self.sealed = Sealed(bytes.fromhex(self.kept.seed), self._contributions).resume(drawn)
        self.match.dice = self._dice()

    def _read_automatic(self) -> None:
        seats = self.store.seats_of(self.name)
        self.automatic = {seat.seat: seat.automatic for seat in seats if seat.role == "seat"}

    def _mark(self, start: int, act: Act) -> None:
        self.marks.append(Mark(start, act.seat, act.by))
        if act.by == "automatic":
            self.hushed.setdefault(act.seat, {})[act.answers[0].name] = None

    def _unmark(self, act: Act) -> None:
        self.marks = after_back(self.marks, act)
        self.withdrawn = sorted([*self.withdrawn, *act.withdrawn], key=lambda roll: roll.place)

    @property
    def _contributions(self) -> tuple[bytes, ...]:
        """What goes into the dice beside the seed: who said what, in the order of the seats."""
        return tuple(f"{seat}: {self.words[seat]}".encode() for seat in self.people if self.words.get(seat))

    def _dice(self) -> Dice:
        if self.gathering:
            return ByHand()
        seats = by_hand(self.kept.dice, self.kept.players)
        return SomeByHand(self.sealed, seats) if seats else self.sealed

    def _rolls(self, since: int = 0) -> list[tuple[str, int, tuple[int, ...]]]:
        """Every roll after so many answers as (seat, sides, faces)."""
        rolls = (
            event
            for event, moment in zip(self.match.events, self.match.times, strict=True)
            if event.kind == "roll" and moment.answers > since
        )
        return [(event.about[0], event.data["sides"], tuple(event.data["faces"])) for event in rolls]

    @property
    def seal(self) -> Seal:
        """What may be told of the dice now: the seed only when the match is over."""
        old = self.kept.header.dice  # a match brought in from a file has rolls that are not ours
        if old is not None and old.seed:
            return old
        commitment = Sealed(bytes.fromhex(self.kept.seed)).commitment
        hands = by_hand(self.kept.dice, self.kept.players)
        seed = self.kept.seed if self.match.over else ""
        added = () if self.gathering else tuple(part.hex() for part in self._contributions)
        return Seal(commitment, seed, added, hands, old.older if old is not None else 0, tuple(self.withdrawn))

    def refresh(self, version: int, asked: Asked) -> bool:
        """Take over what another server wrote; whether there was anything."""
        changed = (version, asked) != (self.version, self.asked)
        if version > self.version:
            try:
                self._follow(self.store.acts_since(self.name, self.version))
            except BadInput:
                self._reload()
        self.asked = asked
        with suppress(Stale):  # another server may pass the same question at this moment
            self.settle()
        return changed

    def _follow(self, acts: Sequence[Act]) -> None:
        for act in acts:
            if act.back_to is not None or act.words is not None:
                self._reload()
                return
            before = len(self.match.answers)
            self.match.follow(act.answers)
            hands = by_hand(self.kept.dice, self.kept.players)
            self.sealed.resume((sides, faces) for seat, sides, faces in self._rolls(before) if seat not in hands)
            self._mark(before, act)
            self.version += 1
            self._note_asked(act.seat)

    def _reload(self) -> None:
        self.rewound += 1
        self._load()

    # ------------------------------------------------------------------ what can be asked of it

    @property
    def over(self) -> bool:
        return self.match.over

    def asked_since(self, seat: str | None) -> int:
        """The version at which what a seat is asked now was asked first."""
        return max(self.asked_at, self._own.get(seat or "", 0))

    def holds(self, version: int, seat: str) -> bool:
        """Whether what the seat is asked now was asked at that version too."""
        return self.asked_since(seat) <= version <= self.version

    @property
    def people(self) -> list[str]:
        return [seat for seat, player in self.kept.players.items() if player == PERSON]

    @property
    def gathering(self) -> list[str]:
        """The seats whose players may still add words to the dice; nothing is asked before they have spoken."""
        return [seat for seat in self.people if seat not in self.words] if self.kept.dice == WORDS else []

    def computer_to_move(self) -> str | None:
        """The seat of a computer player that is asked something."""
        if self.gathering:
            return None
        for question in self.match.pending:
            if self.kept.players.get(question.seat, PERSON) != PERSON:
                return question.seat
        return None

    def undo_place(self, seat: str) -> int:
        """Where the last decision the seat's own player took begins; -1 when there is none."""
        return next((m.start for m in reversed(self.marks) if m.seat == seat and m.by == "player"), -1)

    def undo_needs(self, seat: str) -> list[str] | None:
        """Whose consent it takes to undo the seat's last decision; None when there is nothing to take back."""
        to = self.undo_place(seat)
        refusal = self.match.undo_refusal(to)
        if to < 0 or (refusal is not None and refusal.code == "refuse.nothing-to-undo"):
            return None
        others = [other for other in self.people if other != seat]
        kept = self.match.kept_of_others(to, seat)
        theirs = not kept and any(answer.seat in others for answer in self.match.answers[to:])
        return others if refusal is not None or theirs else []

    def save(self, seat: Seat) -> str:
        """The replay file as far as a seat may see; whole when the match is over."""
        self.match.seal = self.seal
        return saves.save(self.match, None if self.over else seat.sees)

    # ------------------------------------------------------------------ playing

    def answer(self, seat: str, version: int, name: str, value: Any, by: str = "player") -> None:
        """Answer for a seat; on disk when this returns. Raises Stale or Refused and changes nothing."""
        while True:
            self._expect(seat, version, name)
            with suppress(Overtaken):  # by an answer that may have left this question as it was
                self._act(seat, by, value)
                break
        self._pass_on()

    def _expect(self, seat: str, version: int, name: str) -> None:
        """Raises Stale unless the seat is asked this now as it was at that version."""
        waiting = [question.name for question in self.match.pending if question.seat == seat]
        if not self.holds(version, seat) or (version != self.version and not waiting):
            raise Stale("the match has gone on; this answer was to an earlier question")
        if self.gathering:
            raise Stale("the dice wait for the words of {seats}", seats=", ".join(self.gathering))
        if self.match.question(seat).name != name:
            raise Stale("the match has gone on; this answer was to an earlier question")

    def _act(self, seat: str, by: str, value: Any) -> None:
        before = len(self.match.answers)
        try:
            self.match.answer(value, seat)
        except Refused:
            raise
        except BaseException:
            self._reload()  # the dice too are as if nothing had happened
            raise
        act = Act(tuple(self.match.answers[before:]), seat, by)
        self._write(act)
        self._mark(before, act)

    def _write(self, act: Act) -> None:
        try:
            self.version = self.store.append(self.name, self.version, act, self.match.over)
        except Conflict:
            self._reload()
            raise Overtaken("the match has gone on; this answer was to an earlier question") from None
        except BaseException:
            self._reload()
            raise
        self.asked = Asked()
        self._note_asked(act.seat)

    def _note_asked(self, seat: str) -> None:
        """An act came: where it was one answer of several that are asked at once, only that seat is asked anew."""
        if self.match.unrevealed:
            self._own[seat] = self.version
        else:
            self.asked_at, self._own = self.version, {}

    def _pass_on(self) -> None:
        """Pass what seats pass automatically, and what people are asked only on demand."""
        if self.gathering:
            return
        if self.store.shared:  # it may have been set at another server
            self._read_automatic()
        for _ in range(PASSES):
            for question in self.match.pending:
                by = self._passed_by(question)
                value = passing(self.match.ruleset, question) if by else OPEN
                if value is not OPEN:
                    self._act(question.seat, by, value)
                    break
            else:
                return

    def _passed_by(self, question: Question | Roll) -> str:
        """Who passes a question instead of its seat: its wishes, or that it is decided and nobody else could tell."""
        wishes = self.automatic.get(question.seat, {})
        usual = False
        if isinstance(question, Question) and question.seat in self.people and wishes.get(EVERYTHING) is not False:
            if question.decided and len(self.people) == 1:
                return "decided"
            usual = question.idle
        return "automatic" if wishes.get(question.name, usual) else ""

    def say(self, seat: str, words: str) -> None:
        """Add a player's words (none: an empty text) to the dice; with the last of them the match begins."""
        while seat in self.gathering:
            with suppress(Stale):  # another server wrote at this moment: what it wrote is read, and we try again
                self._write(Act(seat=seat, by="player", words=words))
                self.words[seat] = words
                break
        else:
            raise Stale("the dice wait for no words of yours")
        if not self.gathering:
            self._seal_dice()
            with suppress(Stale):  # another server may have begun the match already
                self.settle()

    def settle(self) -> None:
        """Go on as far as nobody needs to be asked: dice a cut-off record left open, and automatic passing."""
        if self.gathering:
            return
        while self.match.pending and isinstance(roll := self.match.pending[0], Roll):
            faces = self.match.dice.faces(roll)
            if faces is None:
                break
            self._act(roll.seat, "dice", list(faces))
        self._pass_on()

    def set_automatic(self, seat: Seat, kind: str, on: bool | None) -> Seat:
        """Remember what a seat passes; a pending question of that kind is passed at once."""
        changed = self.store.set_automatic(seat, kind, on)
        self.automatic[seat.seat] = changed.automatic
        self._pass_on()
        return changed

    # ------------------------------------------------------------------ going back

    def undo(self, seat: str) -> bool:
        """Take back the seat's last decision, or ask for it; whether it was done at once."""
        needs = self.undo_needs(seat)
        if needs is None:
            refusal = Refusal("refuse.nothing-to-undo", self.match.ruleset.sequence_rule, {})
            raise Refused(refusal, self.match.ruleset.say(refusal.code, {}))
        to = self.undo_place(seat)
        if not needs:
            self._back(to, seat)
            return True
        asked = Asked(seat, self.version, to)
        self._ask(asked)
        return False

    def agree(self, seat: str) -> bool:
        """Consent to what was asked; whether all have now and it was done."""
        asked = self._open_wish(seat)
        agreed = tuple(dict.fromkeys((*asked.agreed, seat)))
        if all(other in agreed for other in self.people if other != asked.seat):
            self._back(asked.to)
            return True
        self._ask(msgspec.structs.replace(asked, agreed=agreed))
        return False

    def refuse(self, seat: str) -> None:
        """No consent, or no wish any more."""
        if not self.asked.seat:
            raise Stale("nobody asks to take anything back")
        self.store.forget(self.name)
        self.asked = Asked()

    def _open_wish(self, seat: str) -> Asked:
        asked = self.asked
        if not asked.seat or asked.version != self.version or asked.seat == seat:
            raise Stale("nobody asks to take anything back")
        return asked

    def _ask(self, asked: Asked) -> None:
        try:
            self.store.ask(self.name, asked)
        except Conflict:
            self._reload()
            raise Stale("the match has gone on; this answer was to an earlier question") from None
        self.asked = asked

    def _back(self, to: int, seat: str = "") -> None:
        """Back to when there were so many answers; the dice thrown since stay thrown.

        Where only a seat's own answers are taken back, others keep theirs to what is still asked of all.
        """
        kept = tuple(self.match.kept_of_others(to, seat or None))
        act = Act(kept, seat if kept else "", back_to=to, withdrawn=self._taken_back(to))
        self.match.undo(agreed=True, to=to, seat=seat or None)
        self._write(act)
        self._unmark(act)
        self.asked_at, self._own = self.version, {}
        self.rewound += 1

    def _taken_back(self, to: int) -> tuple[Withdrawn, ...]:
        """The sealed rolls since an answer, each with its place among all that were drawn."""
        hands = by_hand(self.kept.dice, self.kept.players)
        lost = [(sides, faces) for seat, sides, faces in self._rolls(to) if seat not in hands]
        gone = [roll.place for roll in self.withdrawn]
        places = [place for place in range(len(self.sealed.drawn)) if place not in gone]
        return tuple(
            Withdrawn(place, *roll) for place, roll in zip(places[len(places) - len(lost) :], lost, strict=True)
        )
