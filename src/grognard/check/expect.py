"""Comparing what a case expects with what came out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from grognard.check.answers import describe, key_text
from grognard.check.case import Expect, Muster, Pattern
from grognard.check.compare import Seen, chance, differs, event_differs, likely, phase_begun, plain, seen, show
from grognard.check.negatives import Negatives, listed, question_differs
from grognard.check.play import Play
from grognard.kernel.battle import Battle
from grognard.kernel.data.plain import documents, read_text
from grognard.kernel.errors import BadInput, GrognardError
from grognard.kernel.match.match import Match
from grognard.kernel.odds.odds import Odds
from grognard.kernel.questions import Pick, Question, Roll
from grognard.kernel.ruleset import Finding
from grognard.kernel.words.tally import Tally

#: How many odds are listed, and how many events on each side of the one meant.
MAX_SHOWN = 40
AROUND = 3


class Look(NamedTuple):
    """When a case was last looked at: how many events and answers there had been."""

    events: int
    answers: int


START = Look(0, 0)


class Judge(Negatives):
    """Looks at one `expect`: collects failures, and the rules that had a say."""

    # ------------------------------------------------------------------ a battle

    def battle(self, expect: Expect, play: Play, since: Look = START, given: Battle | None = None) -> None:
        """Everything that needs a running match: what happened since the last look, and how things stand; numbers as
        they were in the battle `given`, if there is one.
        """
        match = play.match
        happened = self._seen(match, since)
        self.in_order(expect.events, happened)
        self.anywhere(expect.anywhere, happened)
        self.never(expect.never, happened)
        self.not_asked(listed(expect.not_asked), play, since.answers)
        then = self.moment(play, expect.at) if expect.at else play.moment()
        if then is not None:
            self.stood(expect, then, given)
        if expect.pending is not msgspec.UNSET:
            self.pending(expect.pending, match)
        if expect.result is not msgspec.UNSET:
            self.partial("result", expect.result, plain(match.result), "result")
        for seat, wanted in expect.view.items():
            if seat in match.battle.seats:
                with self.reading(match.battle):
                    self.ruleset.view(match.battle, seat)
                self.partial(f"what {seat} sees", wanted, plain(match.view(seat)), "view", seat)
            else:
                self.fail(f"there is no seat {seat}", seat, ", ".join(match.battle.seats), "view", seat)

    def happened(self, expect: Expect, play: Play, since: Look = START) -> bool:
        """Whether all that is to happen has happened, and the phase that is looked back at has begun."""
        match = play.match
        if expect.at in self.ruleset.phases and not any(phase_begun(event) == expect.at for event in match.events):
            return False
        events = self._seen(match, since)
        before = len(self.failures)
        self.in_order(expect.events, events)
        self.anywhere(expect.anywhere, events)
        return len(self.failures) == before

    def _seen(self, match: Match, since: Look) -> list[Seen]:
        """What has happened since, ready for comparing."""
        return [seen(event, self.ruleset.also_about(match.battle, event)) for event in match.events[since.events :]]

    def stood(self, expect: Expect, battle: Battle, given: Battle | None = None) -> None:
        """State and numbers at one moment."""
        for thing, fields in expect.state.items():
            self.state(battle, thing, fields)
        for number, row in enumerate(expect.numbers):
            self.number(given or battle, row, ("numbers", number))

    def moment(self, play: Play, at: str) -> Battle | None:
        """The battle now, as it was when a phase last began, or when a question was last asked."""
        match = play.match
        if at == "now":
            return match.battle
        began = [i for i, e in enumerate(match.events) if phase_begun(e) == at]
        if began and began[-1] in match.moments:
            return match.moments[began[-1]]
        if (then := play.at_questions.get(at)) is not None:
            return then
        if any(question.name == at for question in match.pending):
            return match.battle
        phases = dict.fromkeys(name for e in match.events if (name := phase_begun(e)))
        asked = dict.fromkeys(one.question.name for one in play.asked)
        got = f"begun: {', '.join(phases) or 'none'}\nasked: {', '.join(asked) or 'nothing'}"
        self.fail(f"no phase {at} has begun and no question {at} was asked", at, got, "at")
        return None

    def partial(self, what: str, wanted: Any, got: Any, *path: str | int) -> None:
        if wrong := differs(wanted, got):
            self.fail(f"{what}: {wrong}", wanted, show(got), *path)

    def in_order(self, patterns: Sequence[Pattern], happened: Sequence[Seen]) -> None:
        start = 0
        for number, pattern in enumerate(patterns):
            place = next((i for i in range(start, len(happened)) if event_differs(pattern, happened[i]) is None), None)
            if place is None:
                after = f" after event {start}" if start else ""
                self._missing(pattern, happened[start:], after, "events", number)
                return
            start = place + 1

    def anywhere(self, patterns: Sequence[Pattern], happened: Sequence[Seen]) -> None:
        for number, pattern in enumerate(patterns):
            if all(event_differs(pattern, event) for event in happened):
                self._missing(pattern, happened, "", "anywhere", number)

    def _missing(self, pattern: Pattern, happened: Sequence[Seen], after: str, *path: str | int) -> None:
        near = next((i for i, event in enumerate(happened) if _nearly(pattern, event)), None)
        hint = "" if near is None else f"; the nearest differs in {_nearly(pattern, happened[near])}"
        self.fail(f"this did not happen{after}{hint}", pattern, event_lines(happened, near), *path)

    @contextmanager
    def reading(self, battle: Battle) -> Iterator[None]:
        """The rules by which a case is shown something are touched by it."""
        with battle.cited_apart() as cited:
            try:
                yield
            finally:
                self.touch(cited)

    def state(self, battle: Battle, thing: str, fields: Mapping[str, Any]) -> None:
        try:
            with self.reading(battle):
                got = plain(self.ruleset.state(battle, thing))
        except (GrognardError, KeyError) as error:
            self.fail(f"there is no {thing} to look at: {error}", fields, "nothing", "state", thing)
            return
        for name, wanted in fields.items():
            if name not in got:
                what = f"{thing} has no {name}"
                self.fail(what, {name: wanted}, f"it has {', '.join(got)}", "state", thing, name)
            elif wrong := differs(wanted, got[name], name):
                what = f"{thing}: {wrong}{self._gone_on()}"
                self.fail(what, {name: wanted}, show({name: got[name]}), "state", thing, name)

    def _gone_on(self) -> str:
        """A word on why the state may not be that which the case's last answer left."""
        if not self.since:
            return ""
        began = ", ".join(self.since)
        return f" (since the last answer the game went on by itself to {began}; at: {self.since[0]} looks before that)"

    def number(self, battle: Battle, row: Mapping[str, Any], path: tuple[str | int, ...]) -> None:
        arguments = _arguments(row, ("measure", "value", "why"))
        try:
            with self.reading(battle):
                measured = self.ruleset.measure(battle, row["measure"], arguments)
        except GrognardError as error:
            self.fail(f"{row['measure']} cannot be measured: {error}", row, "nothing", *path)
            return
        if isinstance(measured, Tally):
            self.touch(measured.rules)
        got = plain(measured)
        if "value" in row and (wrong := differs(row["value"], got)):
            self.fail(f"{row['measure']}: {wrong}", {"value": row["value"]}, show(got), *path)
        if "why" in row:
            account = got if isinstance(got, dict) and "why" in got else {"value": got, "why": []}
            if wrong := differs({"why": row["why"]}, account):
                self.fail(f"{row['measure']}: {wrong}", {"why": row["why"]}, show(account), *path)

    def pending(self, wanted: Any, match: Match) -> None:
        asked = match.pending
        got = "\n".join(describe(q) for q in asked) or "the game is over"
        if wanted in (None, "over"):
            if asked:
                self.fail("the game goes on", "over", got, "pending")
            return
        rows = wanted if isinstance(wanted, list) else [wanted]
        if isinstance(wanted, list) and len(rows) != len(asked):
            self.fail(f"{len(asked)} questions are asked, not {len(rows)}", wanted, got, "pending")
        for row in rows:
            wrong = [question_differs(row, q, lambda name: self.ruleset.called(match.battle, name)) for q in asked]
            met = next((q for q, why in zip(asked, wrong, strict=True) if why is None), None)
            if met is None:
                hint = f": {wrong[0]}" if len(wrong) == 1 else ""
                self.fail(f"another question is asked{hint}", row, got, "pending")
            else:
                self.touch([met.rule])
                if isinstance(row, dict):
                    self.touch(_barred(met, row.get("not", [])))

    # ------------------------------------------------------------------ odds and army lists

    def unplayed(self, expect: Expect, given: Mapping[str, Any] | None = None) -> None:
        """What needs no match: odds, of the situation `given` where they name who acts in it, and army lists."""
        self.odds(expect.odds, given)
        self.muster(expect.muster if isinstance(expect.muster, list) else [expect.muster])

    def odds(self, rows: Sequence[Mapping[str, Any]], given: Mapping[str, Any] | None) -> None:
        for number, row in enumerate(rows):
            try:
                asked = _arguments(row, ("question", "chance", "mean"))
                if given is not None and "given" not in asked and ("from" in asked or "to" in asked):
                    asked["given"] = deepcopy(given)
                weighed = self.ruleset.weigh(row["question"], asked)
                self.touch(weighed.touched)
                self._odds(row, weighed, ("odds", number))
            except GrognardError as error:
                self.fail(f"odds of {row['question']}: {error}", row, "nothing", "odds", number)

    def _odds(self, row: Mapping[str, Any], weighed: Odds, path: tuple[str | int, ...]) -> None:
        for outcome, written in row.get("chance", {}).items():
            wanted, near = chance(written)
            got = weighed.chances.get(outcome, 0)
            if abs(wanted - got) > near:
                listed = ", ".join(f"{name}: {likely(p)}" for name, p in list(weighed.chances.items())[:MAX_SHOWN])
                self.fail(f"chance of {outcome}", {outcome: written}, listed, *path, "chance", outcome)
        if "mean" in row:
            means = row["mean"] if isinstance(row["mean"], dict) else {"": row["mean"]}
            found = weighed.mean if isinstance(weighed.mean, Mapping) else {"": weighed.mean}
            for name, written in means.items():
                wanted, near = chance(written)
                mean = found.get(name)
                if mean is None or abs(wanted - mean) > near:
                    self.fail(f"mean {name}".strip(), show(written), likely(mean), *path, "mean")

    def muster(self, rows: Sequence[Muster]) -> None:
        for number, row in enumerate(rows):
            try:
                self._muster(row, ("muster", number))
            except GrognardError as error:
                self.fail(f"the army list cannot be checked: {error}", row.army, "nothing", "muster", number)

    def _muster(self, row: Muster, path: tuple[str | int, ...]) -> None:
        army = self._army(row.army)
        try:
            findings = self.ruleset.check_army(army)
        except BadInput as error:
            named = [p if isinstance(p, str) else p.get("rule") for p in row.findings]
            if row.legal is True or not named or not all(rule and f"({rule})" in str(error) for rule in named):
                raise
            self.touch(str(rule) for rule in named)  # a list that cannot be, told with the rule that forbids it
            return
        self.touch(self.ruleset.army_rules(army))
        self.touch(rule for finding in findings for rule in (finding.rule, *finding.also))
        got = [_finding_seen(finding) for finding in findings]
        listed = "\n".join(show(one.facts) for one in got) or "nothing is wrong with it"
        under_any = [_finding_seen(finding, rule) for finding in findings for rule in (finding.rule, *finding.also)]
        for pattern in row.findings:
            if all(_finding_differs(pattern, one) for one in under_any):
                self.fail("this was not found in the army list", pattern, listed, *path, "findings")
        for pattern in row.never:
            self.touch([str(pattern["rule"])] if isinstance(pattern, dict) and "rule" in pattern else [])
            if not all(_finding_differs(pattern, one) for one in got):
                self.fail("this must not be found in the army list", pattern, listed, *path, "never")
        legal = all(finding.warning for finding in findings)
        if row.legal is not msgspec.UNSET and row.legal != legal:
            self.fail("the army list", f"legal: {show(row.legal)}", listed, *path, "legal")

    def _army(self, army: str | dict[str, Any]) -> dict[str, Any]:
        if isinstance(army, dict):
            return army
        starters = self.ruleset.armies()
        path = starters[army] if army in starters else Path(self.where.folder) / army
        held = documents(read_text(path, army), army, path.parent)
        if len(held) != 1 or not isinstance(held[0].value, dict):
            raise BadInput("{army} does not hold an army list", army=army)
        return held[0].value


def _arguments(row: Mapping[str, Any], own: Sequence[str]) -> dict[str, Any]:
    """What is asked besides the row's own keys; `with` holds arguments that are called like one of those."""
    given = {key: value for key, value in row.items() if key not in (*own, "with")}
    more = row.get("with", {})
    return {**given, **more} if isinstance(more, dict) else given


def _barred(question: Question | Roll, unwanted: Any) -> list[str]:
    """The rules by which a question does not offer those named."""
    barred = question.barred if isinstance(question, Pick) else {}
    keys = map(key_text, unwanted if isinstance(unwanted, list) else [unwanted])
    return [rule for key in keys if key in barred for rule in barred[key].rules]


def _nearly(pattern: Pattern, event: Seen) -> str:
    """How an event of the wanted kind (or roll) still differs; empty for other events."""
    if isinstance(pattern, str):
        return ""
    marks: dict[str, Any] = {key: pattern[key] for key in ("kind", "roll") if key in pattern}
    return event_differs(pattern, event) or "" if marks and event_differs(marks, event) is None else ""


def event_lines(happened: Sequence[Seen], near: int | None = None) -> str:
    """The few events round the one meant, or the last of them, one to a line."""
    middle = len(happened) - 1 if near is None else near
    first, last = max(0, middle - AROUND * (2 if near is None else 1)), min(len(happened), middle + AROUND + 1)
    lines = [f"{'→ ' if place == near else ''}{show(happened[place].facts)}" for place in range(first, last)]
    if first:
        lines.insert(0, f"… {first} before")
    if last < len(happened):
        lines.append(f"… {len(happened) - last} after")
    return "\n".join(lines) or "nothing happened"


def _finding_seen(finding: Finding, rule: str = "") -> Seen:
    """A finding as a case names it, by its rule or by another that says the same."""
    data = plain(finding.data)
    facts = {**data, "code": finding.code, "rule": rule or finding.rule, "warning": finding.warning, "about": []}
    return Seen(facts, data)


def _finding_differs(pattern: Pattern, finding: Seen) -> str | None:
    """A finding is named by its code, or by its parts."""
    return event_differs({"code": pattern} if isinstance(pattern, str) else pattern, finding)
