"""One match being played: its answers go to the store before anybody hears of them.

Everything here blocks and is called by one worker thread at a time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from grognard.kernel.errors import BadInput, Refusal, Refused
from grognard.kernel.events import Event
from grognard.kernel.match import saves, shelf
from grognard.kernel.match.dice import Withdrawn
from grognard.kernel.match.record import Answer
from grognard.kernel.questions import OPEN, Question, Roll
from grognard.server.playing.dice import PERSON, by_hand
from grognard.server.playing.numbering import Numbering, quiet
from grognard.server.playing.telling import passing
from grognard.server.storage.chronicle import told_since
from grognard.server.storage.kept import KeptMatch
from grognard.server.storage.storage import Act, Asked, Conflict, Seat
from grognard.server.storage.trouble import StorageTrouble

log = logging.getLogger("grognard.server")

#: The kind that stands for every question hardly anybody would answer.
EVERYTHING = "*"
#: How many questions in a row are passed automatically; more would be a script that asks for ever.
PASSES = 1000


class Stale(BadInput):
    """The answer was to a question that is no longer open."""


class Overtaken(Stale):
    """Another server wrote first; what it wrote has been read."""


class Sitting(KeptMatch):
    """A match in memory. `version` is the number of its last act; it only ever grows.

    `asked_at` is the version at which what is asked now was asked first: where several are asked at once, an answer of
    one leaves the questions of the others as they were; `_own` tells of whoever has answered one since.
    """

    def sound(self) -> None:
        """Read the match again where a write failed; raises StorageTrouble where it cannot be read."""
        if self._match is None:
            self._reload()
            try:
                with shelf.held(self.match.shelf):
                    self.settle()
            except Stale:
                pass
            except StorageTrouble:  # it can be looked at even where nothing can be written
                self._reload()

    # ------------------------------------------------------------------ from other servers

    def refresh(self, version: int, asked: Asked, closed: str | None = None) -> bool:
        """Take over what another server wrote; whether there was anything."""
        self.kept = msgspec.structs.replace(self.kept, closed=closed)
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
            if act.quiet:
                self._quiet.append((self.version, act.seat))
            self._note_asked(act.seat)

    # ------------------------------------------------------------------ what can be asked of it

    @property
    def over(self) -> bool:
        return self.match.over

    def asked_since(self, seat: str | None) -> int:
        """The version at which what a seat is asked now was asked first, as it counts."""
        return self.told_version(seat, max(self.asked_at, self._own.get(seat or "", 0)))

    def holds(self, version: int, seat: str) -> bool:
        """Whether what the seat is asked now was asked at that version too, as it counts."""
        return self.asked_since(seat) <= version <= self.told_version(seat)

    def computer_to_move(self) -> str | None:
        """The seat of a computer player that is asked something."""
        if self.adrift or self.gathering or self.kept.closed is not None:
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
        theirs = not kept and any(answer.seat in others for answer in self._known_since(to, seat))
        return others if self.undo_shows(seat) or theirs else []

    def undo_shows(self, seat: str) -> bool:
        """Whether dice or secrets were shown since the seat's last decision, as far as it knows."""
        to, count = self.undo_place(seat), len(self.match.answers)
        if to < 0:
            return False
        known, open_, opened = self._known_since(to, seat), self.match.unrevealed, self.numbering.number
        told = self.match.answers[to].secret and to < count - open_ and opened(count) > opened(to)
        return told or any(answer.roll or answer.reveals for answer in known)

    def _known_since(self, to: int, seat: str) -> list[Answer]:
        """The answers from a place on that a seat has heard of: what it does not know must not change what it may."""
        number, answers = self.numbering.number, self.match.answers
        return [
            answers[place]
            for place in range(to, len(answers))
            if answers[place].seat == seat or number(place + 1) > number(place)
        ]

    def save(self, seat: Seat) -> str:
        """The replay file with its story, as far as a seat may see; whole when the match is over."""
        sees = None if self.over else seat.sees
        self.match.seal = self.seal_for(sees)
        return saves.save(self.match, sees, story=True)

    # ------------------------------------------------------------------ playing

    def answer(self, seat: str, version: int, name: str, value: Any, by: str = "player") -> None:
        """Answer for a seat, at a version as it counts; on disk when this returns.

        Raises Stale or Refused and changes nothing.
        """
        while True:
            self._expect(seat, version, name)
            with suppress(Overtaken):  # by an answer that may have left this question as it was
                self._act(seat, by, value)
                break
        self._go_on(self._pass_on)

    def _go_on(self, task: Callable[[], None]) -> None:
        """What follows an answer that is on disk: whatever becomes of it, that answer counts and is acknowledged."""
        try:
            task()
        except Stale:  # another server goes on with it
            pass
        except StorageTrouble:
            self._match = None
        except Exception:
            log.exception("match %s: what follows an answer failed", self.name)

    def _expect(self, seat: str, version: int, name: str) -> None:
        """Raises Stale unless the seat is asked this now as it was at that version."""
        waiting = [question.name for question in self.match.pending if question.seat == seat]
        if not self.holds(version, seat) or (version != self.told_version(seat) and not waiting):
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
            self._match = None  # it is read again: the dice too are as if nothing had happened
            raise
        given = tuple(self.match.answers[before:])
        unheard = not self.match.over and quiet(given, self._events_since(before), seat)
        act = Act(given, seat, by, quiet=unheard)
        self._write(act, before)
        self._mark(before, act)

    def _events_since(self, answers: int) -> list[Event]:
        """What happened after so many answers."""
        match = self.match
        place = next((n for n in range(len(match.events), 0, -1) if match.times[n - 1].answers <= answers), 0)
        return match.events[place:]

    def _write(self, act: Act, before: int) -> None:
        """Write an act down, with what happened since there were so many answers."""
        try:
            told = told_since(self.match, before)
            self.version = self.store.append(self.name, self.version, act, self.match.over, told)
        except Conflict:
            self._reload()
            raise Overtaken("the match has gone on; this answer was to an earlier question") from None
        except BaseException:
            self._match = None
            raise
        self.asked = Asked()
        if act.quiet:
            self._quiet.append((self.version, act.seat))
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
                self._write(Act(seat=seat, by="player", words=words), len(self.match.answers))
                self.words[seat] = words
                break
        else:
            raise Stale("the dice wait for no words of yours")
        if not self.gathering:
            self._seal_dice()
            self._go_on(self.settle)

    def settle(self) -> None:
        """Go on as far as nobody needs to be asked: dice a cut-off record left open, and automatic passing."""
        if self.gathering or self.kept.closed is not None:
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
        self._go_on(self._pass_on)
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
        gone = [answer for answer in self.match.answers[to:] if not kept or answer.seat == seat]
        private = all(event.seats is not None for event in self._events_since(to))
        unheard = bool(seat) and private and quiet(gone, (), seat)
        act = Act(kept, seat if kept or unheard else "", back_to=to, withdrawn=self._taken_back(to), quiet=unheard)
        self.match.undo(agreed=True, to=to, seat=seat or None)
        self._write(act, to)
        self._unmark(act)
        self._numbering = Numbering()
        self.asked_at, self._own = self.version, {}
        self.rewound += 1

    def _taken_back(self, to: int) -> tuple[Withdrawn, ...]:
        """The sealed rolls since an answer, each with its place among all that were drawn."""
        hands = by_hand(self.kept.dice, self.kept.players)
        lost = [(sides, faces) for seat, sides, faces in self._rolls(to) if seat not in hands]
        gone = [roll.place for roll in self.withdrawn]
        places = [place for place in range(len(self.sealed.drawn)) if place not in gone]
        held = zip(places[len(places) - len(lost) :], lost, self._who_saw(to), strict=True)
        return tuple(Withdrawn(place, *roll, owner) for place, roll, owner in held)
