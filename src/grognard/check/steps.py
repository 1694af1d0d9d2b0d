"""The entries of `do`, one function each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.check.answers import describe, is_offered, key_text, offers, wire
from grognard.check.case import Answer, Faces, Failure, NotOffered, Now, Offered, Refuse, Step, Undo, Until, Where
from grognard.check.compare import differs, plain, show
from grognard.check.expect import START, Judge, Look
from grognard.check.negatives import listed
from grognard.check.play import Play, Stop
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.events import canonical
from grognard.kernel.match.match import Match
from grognard.kernel.questions import OPEN, Number, Pick, Place, Question, Roll


class Doer:
    """Carries out the entries of `do`; raises Stop when the case cannot go on."""

    def __init__(self, play: Play, where: Where) -> None:
        self.play = play
        self.where = where
        self.failures: list[Failure] = []
        self.touched: dict[str, None] = {}
        self._looked = START  # what the last `expect` had seen

    def do(self, step: Step, number: int, then: Step | None = None) -> None:
        """One entry; `then` is the one after it."""
        at = self.where.at("do", number)
        if not isinstance(step, Now | Until):
            self.play.went_to = None
        if isinstance(step, Answer):
            self._answer(step, at)
        elif isinstance(step, Refuse):
            self._refuse(step, at)
        elif isinstance(step, Offered):
            self._offered(step, at)
        elif isinstance(step, NotOffered):
            self._not_offered(step, at)
        elif isinstance(step, Now):
            self._now(step, number, then)
        elif isinstance(step, Faces):
            self.play.dice.add(step.roll if isinstance(step.roll, list) else [step.roll])
            self.play.roll_waiting(at)
        elif isinstance(step, Until):
            self.play.advance(step.until, at)
        else:
            self._undo(step, at)

    def _answer(self, step: Answer, at: str) -> None:
        """An answer; of several where each is asked for on its own, each goes to his question in turn."""
        if isinstance(step.value, dict) and self._one_of_several(step, step.value, at):
            return
        question = self.play.find_open(step.name, step.seat, step.value, at, step.about)
        self.play.told, self.play.stood = len(self.play.match.events), self.play.phase()
        value = step.value
        if isinstance(question, Place) and isinstance(value, dict) and len(question.movers) == 1 < len(value):
            (mover,) = question.movers
            if mover in value and all(isinstance(way, list | dict) for way in value.values()):
                self.play.give(question, {mover: value[mover]}, at)
                rest = {key: way for key, way in value.items() if key != mover}
                self._answer(Answer(step.name, rest, step.seat), at)
                return
        self.play.give(question, value, at)

    def _one_of_several(self, step: Answer, answers: dict[Any, Any], at: str) -> bool:
        """`{who: answer, …}` to a choice that is asked of each in turn: give the first asked his, then the others."""
        question = self.play.find(step.name, step.seat, at, step.about)
        if not isinstance(question, Pick | Number):
            return False
        while not (asked := [whom for whom in question.about if whom in answers]):
            if not self.play.forced(question, at):
                return False
            question = self.play.find(step.name, step.seat, at, step.about)
        self._answer(Answer(step.name, answers[asked[0]], step.seat, asked[0]), at)
        rest = {whom: answer for whom, answer in answers.items() if whom != asked[0]}
        if rest:
            self._answer(Answer(step.name, rest, step.seat, step.about), at)
        return True

    # ------------------------------------------------------------------ refusals

    def _refuse(self, step: Refuse, at: str) -> None:
        ((name, written),) = step.refuse.items()
        match = self.play.match
        question = None
        if name == "undo":
            self.play.settle(at)
        elif (question := self._found(step, name, [written], at)) is None:
            return
        before = _snapshot(match)
        try:
            if question is None:
                match.undo(agreed=written == "agreed")
            else:
                match.answer(wire(self.play.ruleset, question, self.play.named(question, written)), question.seat)
        except Refused as refused:
            self._refused(step, refused, at)
        else:
            raise Stop(Failure(at, f"{name} was accepted", f"refused by {step.rule}", show(written)))
        after = _snapshot(match)
        changed = [what for what in before if before[what] != after[what]]
        if changed:
            raise Stop(Failure(at, f"the refused answer to {name} changed {', '.join(changed)}", "nothing changed"))

    def _found(self, step: Refuse | NotOffered, name: str, named: list[Any], at: str) -> Question | Roll | None:
        """The question that something is refused or not offered by; None where the rule named keeps it from being asked
        at all: then the case stays where it stood.
        """
        play, mark = self.play, self.play.mark()
        try:
            return play.find(name, step.seat, at, step.about, named)
        except Stop as stop:
            whom = [*named, *([step.about] if step.about else [])]
            if step.rule is None or not play.forbade(step.rule, whom):
                raise Stop(_unasked(stop.failure, name)) from None
        play.go_back(mark)
        self.touched[step.rule] = None
        return None

    def _refused(self, step: Refuse, refused: Refused, at: str) -> None:
        got = str(refused)
        self.touched.update(dict.fromkeys(refused.refusal.rules))
        if not self._by(step.rule, refused.refusal.rules):
            self.failures.append(Failure(at, "refused by another rule", step.rule, got))
        if step.text not in got:
            self.failures.append(Failure(at, "refused with another text", step.text, got))

    def _by(self, rule: str, got: Sequence[str]) -> bool:
        """Whether a rule is among those that forbid something, or one of those is part of it (11.B-los of 11.B)."""
        return any(one == rule or one.startswith(f"{rule}-") for one in got)

    # ------------------------------------------------------------------ what is on offer

    def _offered(self, step: Offered, at: str) -> None:
        ((name, asked),) = step.offered.items()
        wanted = asked if isinstance(asked, dict) else listed(asked)
        question = self.play.find(name, step.seat, at, step.about)
        self.touched[question.rule] = None
        missing = [key for key in wanted if not is_offered(question, self.play.named(question, key))]
        if missing:
            self._fail(at, f"{name} does not offer {show(missing)}", wanted, question)
        named = [self.play.named(question, key_text(want)) for want in wanted]
        if isinstance(question, Question):
            self.touched.update(dict.fromkeys(rule for key in named for rule in question.grounds(key)))
        extra = [key for key in offers(question) if key not in named]
        if step.only and extra:
            self._fail(at, f"{name} also offers {show(extra)}", wanted, question)
        if step.only and isinstance(question, Pick):  # whatever keeps the others out has had its say
            self.touched.update(dict.fromkeys(rule for why in question.barred.values() for rule in why.rules))
        if isinstance(wanted, dict) and not missing:
            self._details(name, wanted, question, at)

    def _details(self, name: str, wanted: dict[str, Any], question: Question | Roll, at: str) -> None:
        """What an option says of itself: its text, what it is about, its data."""
        options = {row["key"]: row for row in plain(question.wire()).get("options", [])}
        for key, facts in wanted.items():
            row = options.get(self.play.named(question, key), {})
            if facts is not None and (wrong := differs(facts, {**row.get("data", {}), **row})):
                self.failures.append(Failure(at, f"{name} offers {key}, but {wrong}", show(facts), show(row)))

    def _not_offered(self, step: NotOffered, at: str) -> None:
        ((name, named),) = step.not_offered.items()
        unwanted = listed(named)
        question = self._found(step, name, unwanted, at)
        if question is None:
            return
        self.touched[question.rule] = None
        for key in unwanted:
            if is_offered(question, self.play.named(question, key)):
                self._fail(at, f"{name} offers {show(key)}", f"not {show(key)}", question)
            elif step.rule is not None or isinstance(question, Pick):
                self._barred(name, question, key, step.rule, at)

    def _barred(self, name: str, question: Question | Roll, key: Any, rule: str | None, at: str) -> None:
        refusal = _refusal(question, wire(self.play.ruleset, question, self.play.named(question, key)))
        got = refusal.rules if refusal else ("no reason",) if rule is not None else ()
        self.touched.update(dict.fromkeys(got))
        if rule is not None and not self._by(rule, got):
            what = f"{name} does not offer {show(key)} for another reason"
            self.failures.append(Failure(at, what, rule, ", ".join(got)))

    def _fail(self, at: str, what: str, expected: Any, question: Question | Roll) -> None:
        text = expected if isinstance(expected, str) else show(expected)
        self.failures.append(Failure(at, what, text, describe(question)))

    # ------------------------------------------------------------------ the rest

    def _now(self, step: Now, number: int, then: Step | None) -> None:
        """How things stand; what was done last is carried on as far as that takes, up to what the next entry names."""
        at = self.where.at("do", number)
        self.play.settle(at, step.expect.pending, then)
        judge = Judge(self.play.ruleset, self.where, ("do", number, "expect"))
        carried = False
        while not step.expect.pending and not judge.happened(step.expect, self.play, self._looked):
            if not self.play.carry_one(at, then):
                break
            carried = True
        judge = self._judged(step, number)
        self._looked = Look(len(self.play.match.events), len(self.play.match.answers))
        if self.play.trace is not None:
            self.play.trace.reached.clear()
        self.touched.update(judge.touched)
        self.failures += judge.failures
        if judge.failures and carried:  # it has gone on in vain; what comes now is not what was meant
            raise Stop(self.failures.pop())

    def _judged(self, step: Now, number: int) -> Judge:
        judge = Judge(self.play.ruleset, self.where, ("do", number, "expect"))
        judge.since = () if step.expect.at else self.play.gone_on()
        judge.battle(step.expect, self.play, self._looked)
        if step.expect.never and not judge.failures:
            roads = [road for road in self.play.foregone.roads if road.place >= self._looked.answers]
            judge.could_be(step.expect.never, roads, [])
        judge.unplayed(step.expect)
        return judge

    def _undo(self, step: Undo, at: str) -> None:
        """What answers itself is no decision: it is answered first, and taken back with the decision before it."""
        if step.undo is False:
            return
        self.play.settle(at)
        match = self.play.match
        try:
            match.undo(agreed=step.undo == "agreed")
            while any(isinstance(q, Question) and q.forced() is not OPEN for q in match.pending):
                match.undo(agreed=step.undo == "agreed")
        except Refused as refused:
            raise Stop(Failure(at, f"the decision cannot be taken back: {refused}")) from None
        self._looked = Look(min(self._looked.events, len(match.events)), min(self._looked.answers, len(match.answers)))
        self.play.foregone.undone(len(match.answers))


def _unasked(failure: Failure, name: str) -> Failure:
    """A question that is not asked cannot refuse anything; what the case may say instead."""
    what = (
        f"{name} is not asked after the last answer, so nothing was refused or left out; to say so, expect `not_asked`"
    )
    return Failure(failure.where, f"{what} ({failure.what})", failure.expected, failure.got)


def _refusal(question: Question | Roll, answer: Any) -> Refusal | None:
    """Why an option is not there: barred with a reason, else what answering it would be told."""
    if isinstance(question, Pick):
        for key in answer if isinstance(answer, list) else [answer]:
            if isinstance(key, str) and key in question.barred:
                return question.barred[key]
            named = [why for why in question.barred.values() if key in why.data.values()]
            if len(named) == 1:  # as an option may be named by what it alone is about
                return named[0]
    return question.refusal(answer)


def _snapshot(match: Match) -> dict[str, bytes]:
    """All that a refused answer must leave alone."""
    views = {f"what {seat or 'the referee'} sees": canonical(match.view(seat)) for seat in (None, *match.battle.seats)}
    return {**views, "the events": canonical(match.events), "the answers": canonical(match.answers)}
