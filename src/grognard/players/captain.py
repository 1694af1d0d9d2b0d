"""Captain: a sound beginner. It compares the answers a question proposes, and can say why it chose.

Where the game has an opinion at a glance (`ruleset.score`) the best looking answer wins. Elsewhere the
captain looks one ply ahead: it imagines giving each answer, lets cheap play run until its next decision
of weight (a checkpoint; the small questions on the way belong to the answer), and compares how it stands
(`ruleset.value`). What it cannot know is filled with a guess (`match.fork(seat=...)`), and it never draws
from the match's own dice.
"""

from __future__ import annotations

from math import inf
from random import Random
from typing import Any, NamedTuple

from grognard.kernel.battle import Battle
from grognard.kernel.errors import GrognardError
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Place, Question, Roll

#: How many answers the captain imagines, how many it compares at a glance, and how many somebody in a hurry does.
CANDIDATES = 24
GLIMPSES = 240
GLANCES = 8
#: The longest line of cheap play after an answer, in answers.
LINE = 12
#: A game won or lost counts more than any standing within it.
DECIDED = 2.0


class Reason(NamedTuple):
    """One answer the captain compared: how good it found it, and how it came to think so."""

    answer: Any
    score: float
    note: str


class Captain:
    """Plays the same way for the same seed. `budget` is how many answers it may imagine per decision.

    `reasons` are the answers it compared for its last decision, best first.
    """

    def __init__(self, seed: int | str = 0, budget: int = 160) -> None:
        self.budget = budget
        self.reasons: list[Reason] = []
        self._rng = Random(seed)
        self._moment = -1
        self._given: list[tuple[str, tuple[str, ...], Any]] = []

    def reseed(self, seed: int) -> None:
        self._rng = Random(seed)

    def choose(self, match: Match, question: Question | Roll) -> Any:
        if isinstance(question, Roll):
            return question.sample(self._rng)
        if len(match.events) != self._moment:
            self._moment, self._given = len(match.events), []
        chosen = self._chosen(match, question)
        self._given.append((question.name, question.about, chosen))
        return chosen

    def _new(self, question: Question, answers: list[Any]) -> list[Any]:
        """The answers not given to the same question since anything happened: they led back to it."""
        given = [answer for name, about, answer in self._given if (name, about) == (question.name, question.about)]
        return [answer for answer in answers if answer not in given] or answers

    def _chosen(self, match: Match, question: Question) -> Any:
        if isinstance(question, Place) and (chosen := self._by_name(match, question)):
            return chosen[0]
        limit = CANDIDATES if isinstance(question, Place) else GLIMPSES
        answers = self._new(question, question.candidates(limit) or [question.sample(self._rng)])
        # equally good answers are told apart by chance, not by the order they were listed in
        self._rng.shuffle(answers)
        if len(answers) == 1:
            self.reasons = [Reason(answers[0], 0.0, "only")]
        else:
            self.reasons = self._glance(match, question, answers) or self._ahead(match, question, answers[:CANDIDATES])
        self.reasons.sort(key=lambda reason: -reason.score)
        return self.reasons[0].answer

    def _by_name(self, match: Match, question: Place) -> list[Any]:
        """The best placement by the names of the proposals, where the game judges names; only that one is made."""
        battle = _as_seen(match, question.seat)
        wires: list[Any] = [{"propose": name} for name in question.judge.proposals()]
        self._rng.shuffle(wires)
        scores = [(wire, match.ruleset.score(battle, question, wire)) for wire in (*wires, *[None] * question.optional)]
        if not scores or any(score is None for _, score in scores):
            return []
        self.reasons = [Reason(wire, score, "glance") for wire, score in scores if score is not None]
        self.reasons.sort(key=lambda reason: -reason.score)
        for reason in self.reasons:
            placed = reason.answer and question.judge.propose(reason.answer["propose"])
            if placed is not None or reason.answer is None:
                return [placed]
        return []

    def _glance(self, match: Match, question: Question, answers: list[Any]) -> list[Reason]:
        """The answers the game has an opinion of; none where it has no opinion."""
        battle = _as_seen(match, question.seat)
        scores = [(answer, match.ruleset.score(battle, question, answer)) for answer in answers]
        return [Reason(answer, score, "glance") for answer, score in scores if score is not None]

    def _ahead(self, match: Match, question: Question, answers: list[Any]) -> list[Reason]:
        """Every answer imagined in turn, each round with the same dice for all, while the budget lasts."""
        totals = [0.0] * len(answers)
        rounds = [0] * len(answers)
        left = self.budget
        while left > 0:
            luck = self._rng.getrandbits(32)
            for place, answer in enumerate(answers):
                if left <= 0:
                    break
                spent, standing = _imagine(match, question, answer, luck)
                left -= spent
                rounds[place] += 1
                totals[place] += standing
        return [
            Reason(answer, total / count if count else -inf, f"ahead {count}")
            for answer, total, count in zip(answers, totals, rounds, strict=True)
        ]


def _as_seen(match: Match, seat: str) -> Battle:
    """The battle as the seat may think of it: the truth itself where there is no secret."""
    if not match.ruleset.secrets(match.battle):
        return match.battle
    imagined: Battle = match.ruleset.imagine(match.battle.copy(), seat)
    return imagined


def _imagine(match: Match, question: Question, answer: Any, luck: int) -> tuple[int, float]:
    """Give the answer in a fork and let cheap play run; the answers spent, and how the seat stands then."""
    seat = question.seat
    rng = Random(luck)
    spent = 1
    try:
        twin = match.fork(Seeded(luck), seat=seat)
        twin.answer(answer, seat)
        while (pending := twin.pending) and spent < LINE:
            following = pending[0]
            if following.seat == seat and twin.at_checkpoint:
                break
            twin.answer(_cheap(twin, following, rng), following.seat)
            spent += 1
    except GrognardError:  # the guess does not allow it: no reason for the answer, and none against it
        return spent, 0.0
    return spent, _standing(twin, seat)


def _cheap(match: Match, question: Question | Roll, rng: Random) -> Any:
    """What somebody in a hurry might answer: the best at a glance where the game has an opinion, else anything."""
    if isinstance(question, Roll):
        return question.sample(rng)
    best, best_score = None, None
    for answer in question.candidates(GLANCES):
        score = match.ruleset.score(match.battle, question, answer)
        if score is None:
            break
        if best_score is None or score > best_score:
            best, best_score = answer, score
    return question.sample(rng) if best_score is None else best


def _standing(match: Match, seat: str) -> float:
    result = match.result
    if match.over and result is not None:
        winner = result.get("winner")
        return 0.0 if winner is None else DECIDED if winner == seat else -DECIDED
    return match.ruleset.value(match.battle, seat)
