"""Running cases: one, or all of them."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext, suppress
from copy import deepcopy
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec

from grognard.check.case import Answer, Case, Failure, Outcome, Setup
from grognard.check.dice import CaseDice
from grognard.check.expect import Judge
from grognard.check.foregone import ahead
from grognard.check.play import Play, Stop
from grognard.check.read import find_files, read_file
from grognard.check.replay import replay_failures
from grognard.check.steps import Doer
from grognard.check.traced import Trace
from grognard.kernel.battle import Battle
from grognard.kernel.data.typed import convert
from grognard.kernel.errors import BadInput, GrognardError
from grognard.kernel.match.match import Match
from grognard.kernel.ruleset import Ruleset

#: Called after each file with (files done, files in all, outcomes of this file).
Progress = Callable[[int, int, list[Outcome]], None]


def run_case(ruleset: Ruleset, case: Case) -> Outcome:
    """Run one case; whatever goes wrong is a failure of the outcome, never an exception."""
    run = _Run(ruleset, case)
    try:
        run.all()
    except Stop as stop:
        run.failures.append(stop.failure)
    except Exception as error:
        run.failures.append(Failure(case.where.at(), f"the engine broke: {_innermost(error)}"))
    else:
        run.claims()
    return Outcome(
        case.id, case.title, case.game, case.where.at(), not run.failures, tuple(run.failures),
        tuple(case.text.rules), tuple(run.touched),
    )  # fmt: skip


def _innermost(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


class _Run:
    """One case being run."""

    def __init__(self, ruleset: Ruleset, case: Case) -> None:
        self.ruleset = ruleset
        self.case = case
        self.failures: list[Failure] = []
        self.touched: dict[str, None] = {}
        self.trace = Trace() if any(expect.not_asked for expect in case.expects) else None
        self.traced: Trace | None = None

    def all(self) -> None:
        text = self.case.text
        if text.expect.error:
            self.refused()
        elif text.given is not msgspec.UNSET or text.setup is not msgspec.UNSET:
            with self.trace.followed() if self.trace is not None else nullcontext():
                self.play()
        judge = Judge(self.ruleset, self.case.where, ("expect",))
        judge.unplayed(text.expect, text.given if isinstance(text.given, dict) else None)
        self.collect(judge)

    def collect(self, found: Judge | Doer) -> None:
        self.failures += found.failures
        self.touched.update(found.touched)

    # ------------------------------------------------------------------ the situation

    def setup(self) -> dict[str, Any]:
        """What the game is created from."""
        text = self.case.text
        if isinstance(text.given, dict):
            return {"given": deepcopy(text.given)}
        written = deepcopy(text.setup) if isinstance(text.setup, dict) else {}
        known = convert({k: v for k, v in written.items() if k in Setup.__struct_fields__}, Setup)
        names = tuple(army for army in known.armies if isinstance(army, str))
        by_name = len(names) == len(known.armies)
        made = self.ruleset.default_setup(known.scenario, names if by_name else (), known.seed)
        own = ("scenario", "seed", *(["armies"] if by_name else []))
        return {**made, **{key: value for key, value in written.items() if key not in own}}

    def refused(self) -> None:
        """The situation must be refused, in words that hold the text."""
        at, wanted = self.case.where.at("expect", "error"), self.case.text.expect.error
        try:
            Match(
                self.ruleset,
                self.setup(),
                house=dict(self.case.text.house),
                dice=CaseDice(self.case.text.dice),
                ask_all=True,
            )
        except BadInput as error:
            told = str(error)
            self.touched.update(dict.fromkeys(rule for rule in self.case.text.rules if rule in told))
            if wanted not in told:
                self.failures.append(Failure(at, "the situation is refused with another error", wanted, told))
        else:
            self.failures.append(Failure(at, "the situation is accepted", f"an error that says: {wanted}", "no error"))

    # ------------------------------------------------------------------ playing it

    def play(self) -> None:
        case, text = self.case, self.case.text
        dice = CaseDice(text.dice)
        try:
            match = Match(self.ruleset, self.setup(), house=dict(text.house), dice=dice, ask_all=True, keep_at="phase")
        except GrognardError as error:
            key = "given" if isinstance(text.given, dict) else "setup"
            raise Stop(Failure(case.where.spot(key, str(error)), f"the situation cannot be set up: {error}")) from None
        expects = case.expects
        wary = any(expect.never for expect in expects)
        play = Play(self.ruleset, match, dice, text.otherwise, wary=wary)
        play.at_questions = dict.fromkeys(e.at for e in expects if e.at and e.at not in self.ruleset.phases)
        play.trace = self.trace
        doer = Doer(play, case.where)
        given = self.given_moment(match)
        self.unsound(match, "at the start")
        try:
            play.check_dice(case.where.at("dice"))
            for number, step in enumerate(case.steps):
                doer.do(step, number, next(iter(case.steps[number + 1 :]), None))
            self.finish(play)
        finally:
            self.collect(doer)
            self.touched.update(match.touched)
        if text.expect.pending is msgspec.UNSET and not text.until and case.steps:
            self.carry_on(play)
        judge = self.judged(play, given)
        self.collect(judge)
        self.unsound(match, "at the end")
        self.failures += replay_failures(match, case.where.at())

    def carry_on(self, play: Play) -> None:
        """Do what is due in the midst of the last thing done; decline the rest until what is to happen has happened."""
        at, judge = self.case.where.at("do"), Judge(self.ruleset, self.case.where, ("expect",))
        acted = isinstance(self.case.steps[-1], Answer)  # else the case looks at what is asked
        while (acted and play.carry_one(at, due=True)) or (
            not judge.happened(self.case.text.expect, play) and play.carry_one(at)
        ):
            self.touched.update(play.match.touched)

    def judged(self, play: Play, given: Battle | None) -> Judge:
        """What is expected at the end, beside how things stand now."""
        text, match = self.case.text, play.match
        judge = Judge(self.ruleset, self.case.where, ("expect",))
        if self.case.steps and not text.expect.at and not text.until:
            judge.since = play.gone_on()
        judge.battle(text.expect, play, given=given)
        if text.expect.never and not judge.failures:
            stated = play.gone_on() or text.expect.pending is not msgspec.UNSET  # else what was done last goes on
            judge.could_be(text.expect.never, play.foregone.roads, [] if stated else ahead(match))
        return judge

    def given_moment(self, match: Match) -> Battle | None:
        """The situation as given, for a case in which nothing is done and nothing expected to happen."""
        text = self.case.text
        acts = self.case.steps or text.dice or text.until or text.expect.events or text.expect.anywhere
        if acts or not isinstance(text.given, dict):
            return None
        return match.moments[min(match.moments)] if match.moments else match.battle.copy()

    def finish(self, play: Play) -> None:
        """After the last entry: on while faces are left and nobody must decide, or to `until`."""
        goal = self.case.text.until
        if goal:
            play.advance(goal, self.case.where.at("until"))
        at = self.case.where.at("dice")
        wanted = self.case.text.expect.pending
        if not goal:
            play.settle(at, wanted)
            while play.dice.left and play.pass_one(at):
                play.settle(at, wanted)
        if play.dice.left:
            left = ", ".join(str(face) for face, _ in play.dice.left)
            asked = "; ".join(map(repr, play.match.pending)) or "the game is over"
            raise Stop(Failure(at, "faces are left over", "all faces rolled", f"left: {left}\nat: {asked}"))

    def unsound(self, match: Match, when: str) -> None:
        """What the game says must always hold, and does not."""
        for broken in self.ruleset.invariants(match.battle):
            self.failures.append(Failure(self.case.where.at("given"), f"{when}, {broken}"))

    # ------------------------------------------------------------------ rules

    def claims(self) -> None:
        """Every rule the case names must be in the book and must have had a say."""
        for number, rule in enumerate(self.case.text.rules):
            at = self.case.where.at("rules", number)
            try:
                known = self.ruleset.rulebook.rule(rule)
            except BadInput as error:
                self.failures.append(Failure(at, str(error)))
                continue
            if known.examples and all(part in self.touched for part in known.examples):
                self.touched[rule] = None
            if rule not in self.touched and not self.spoke_through(rule) and not self.carried_out(rule):
                what = f"{rule} is advice and cannot be exercised" if known.advice else f"{rule} was not touched"
                got = "touched: " + (", ".join(self.touched) or "nothing")
                self.failures.append(Failure(at, what, rule, got))

    def spoke_through(self, rule: str) -> bool:
        """Whether a sentence of a rule (11.B-los of 11.B), or a particular rule it stands for, had its say: enough for
        a case that names it, not for the rule to count as covered.
        """
        parts = (f"{rule}-", *self.ruleset.speaks_through(rule))
        return any(one.startswith(parts) for one in self.touched)

    def carried_out(self, rule: str) -> bool:
        """Whether the code of a rule ran: a rule that only permits, or brings a result without a die, tells nothing of
        itself. Enough for a case that names it, not for the rule to count as covered.
        """
        if self.traced is None:
            self.traced = Trace()
            again = _Run(self.ruleset, self.case)
            with self.traced.followed(), suppress(Stop):
                again.all()
        return self.traced.carried_out(rule)


# ---------------------------------------------------------------------- all of them


def run_file(path: Path, rulesets: Mapping[str, Ruleset]) -> list[Outcome]:
    """Every case of a file; what cannot be read is a failed outcome too."""
    reading = read_file(path)
    outcomes = [_unreadable(reading.problems, path)] if reading.problems else []
    for case in reading.cases:
        ruleset = rulesets.get(case.game)
        if ruleset is None:
            at = case.where.at("game")
            known = ", ".join(rulesets) or "none"
            failure = Failure(at, f"there is no game {case.game}; there are: {known}")
            outcomes.append(Outcome(case.id, case.title, case.game, at, False, (failure,), tuple(case.text.rules), ()))
        else:
            outcomes.append(run_case(ruleset, case))
    return outcomes


def _unreadable(problems: list[str], path: Path) -> Outcome:
    """What is wrong in a file, as one outcome."""
    failures = []
    for problem in problems:
        line, _, text = problem.removeprefix(f"{path}:").partition(": ")
        known = line.isdigit() and text
        failures.append(
            Failure(f"{path}:{line}", text) if known else Failure(str(path), problem.removeprefix(f"{path}: "))
        )
    return Outcome(str(path), "", "", failures[0].where, False, tuple(failures), (), ())


def run_all(
    paths: Iterable[Path | str], rulesets: Mapping[str, Ruleset], jobs: int = 1, progress: Progress | None = None
) -> list[Outcome]:
    """Every case under the paths, in the order of the files; BadInput when a path does not exist."""
    files = find_files(Path(path) for path in paths)
    outcomes: list[Outcome] = []
    for number, found in enumerate(_each(files, rulesets, jobs), start=1):
        outcomes += found
        if progress is not None:
            progress(number, len(files), found)
    return [*outcomes, *_twice(outcomes)]


def _each(files: list[Path], rulesets: Mapping[str, Ruleset], jobs: int) -> Iterable[list[Outcome]]:
    if jobs <= 1 or len(files) < 2:
        for path in files:
            yield run_file(path, rulesets)
        return
    held = dict(rulesets.items())
    # spawned, not forked: a progress bar's thread must not be copied in the middle of its work
    with ProcessPoolExecutor(min(jobs, len(files)), mp_context=get_context("spawn")) as pool:
        yield from pool.map(run_file, files, [held] * len(files), chunksize=max(1, len(files) // (jobs * 8)))


def _twice(outcomes: list[Outcome]) -> list[Outcome]:
    """A failed outcome for every id that is used again."""
    first: dict[str, Outcome] = {}
    again = []
    for outcome in outcomes:
        before = first.setdefault(outcome.id, outcome)
        if before is not outcome and outcome.title:
            failure = Failure(outcome.where, f"the id {outcome.id} is already used at {before.where}; choose another")
            again.append(Outcome(outcome.id, outcome.title, outcome.game, outcome.where, False, (failure,), (), ()))
    return again
