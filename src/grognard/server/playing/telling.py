"""What a seat is told, in every language: questions, events, refusals and names as plain data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from grognard.check.answers import declinable, declined
from grognard.kernel.errors import Refusal
from grognard.kernel.events import Event
from grognard.kernel.formation.preview import Aimed, Carried, Filed, Turned
from grognard.kernel.match.accounts import Entry
from grognard.kernel.match.match import Match
from grognard.kernel.match.record import Moment
from grognard.kernel.questions import OPEN, Note, Order, Pick, Place, Question, Roll, Split
from grognard.kernel.ruleset import Ruleset
from grognard.kernel.screen.scene import Scene
from grognard.kernel.words.tally import Tally
from grognard.kernel.words.texts import KERNEL_TEXTS, LANGUAGES, gettext, proposal

Names = Mapping[str, Mapping[str, str]]
Both = dict[str, str]
#: The longest account of a score or a pool.
MOST_LINES = 60


def names_of(match: Match, sees: str | None = "") -> Names:
    """The names of everything a seat knows of, by language; nobody's seat unless it is said whose."""
    return {language: match.ruleset.named_for(match.battle, sees, language) for language in LANGUAGES}


def names_by_id(names: Names) -> dict[str, Both]:
    """The same, by what is named."""
    return {key: {language: names[language].get(key, key) for language in LANGUAGES} for key in names["en"]}


def said(ruleset: Ruleset, code: str, data: Mapping[str, Any], names: Names) -> Both:
    return {language: ruleset.say(code, data, language, names[language]) for language in LANGUAGES}


def refusal_plain(ruleset: Ruleset, refusal: Refusal, names: Names) -> dict[str, Any]:
    """Why not: the sentence, the rule, and the model it is about where there is one."""
    mover = refusal.data.get("model")
    return {
        "code": refusal.code, "rule": refusal.rule, "also": list(refusal.also),
        "text": said(ruleset, refusal.code, refusal.data, names),
        "mover": mover if isinstance(mover, str) else None,
    }  # fmt: skip


# ---------------------------------------------------------------------- questions


def question_plain(ruleset: Ruleset, question: Question | Roll, names: Names) -> dict[str, Any]:
    """A question as a screen asks it."""
    passed = passing(ruleset, question)
    asked: dict[str, Any] = question.wire() | {
        "prompt": {language: ruleset.prompt(question, names[language], language) for language in LANGUAGES},
        "passable": declinable(question),
        "automatic": passed is not OPEN and ruleset.tools.window(question),
        "idle": isinstance(question, Question) and question.idle,
    }
    if passed is not OPEN:
        asked["pass" if asked["passable"] else "usual"] = passed
    if isinstance(question, Roll):
        asked |= _account(question)
    elif question.notes:
        asked["notes"] = noted(ruleset, question.notes, names)
    if isinstance(question, Pick | Order | Split):
        for option, shown in zip(question.options, asked["options"], strict=True):
            shown["label"] = {lang: ruleset.label(option, names[lang], lang) for lang in LANGUAGES}
            if option.notes:
                shown["notes"] = noted(ruleset, option.notes, names)
    if isinstance(question, Pick):
        for key, refusal in question.listed.items():
            label = {language: _barred(ruleset, key, names[language], language) for language in LANGUAGES}
            asked["barred"][key] |= {"label": label, "text": said(ruleset, refusal.code, refusal.data, names)}
    if isinstance(question, Place):
        asked["proposals"] = [
            {"name": name, "label": proposal_label(ruleset, name, names)} for name in question.judge.proposals()
        ]
        asked["levels"] = list(ruleset.tools.levels(question))
        asked["turns"] = isinstance(question.judge, Turned) and question.judge.turns
        asked["block"] = isinstance(question.judge, Carried) or (asked["turns"] and isinstance(question.judge, Aimed))
        asked["files"] = list(question.judge.file_counts()) if isinstance(question.judge, Filed) else []
    return asked


def noted(ruleset: Ruleset, notes: Sequence[Note], names: Names) -> list[dict[str, Any]]:
    """What whoever decides should know, with the rules that say so."""
    return [{"text": said(ruleset, note.text, note.data, names), "rule": note.rule} for note in notes]


def _barred(ruleset: Ruleset, key: str, names: Mapping[str, str], language: str) -> str:
    """What an option that is not offered is called: by the name of what it is about, or by what its key is made of."""
    words = []
    for part in (key,) if key in names else re.split("[>:]", key):
        text = ruleset.texts.get(f"option.{part}", "{")
        known = ruleset.say(f"option.{part}", {}, language, names) if "{" not in text else ""
        words.append(names.get(part) or known or gettext(part, language, ruleset.id))
    return " – ".join(words)


def passing(ruleset: Ruleset, question: Question | Roll) -> Any:
    """The answer that lets a question pass, for those who pass its kind by themselves; OPEN where there is none."""
    return declined(question) if declinable(question) else ruleset.tools.passing(question)


def proposal_label(ruleset: Ruleset, name: str, names: Names) -> Both:
    """A proposed placement in words: its text `propose.KIND`, else its name."""
    known = proposal(ruleset.texts, name, names["en"])
    if known is not None:
        return said(ruleset, *known, names)
    kind, _, what = name.partition(":")
    return {
        language: f"{gettext(kind, language, ruleset.id)} {names[language].get(what, what)}".strip()
        for language in LANGUAGES
    }


def _account(roll: Roll) -> dict[str, Any]:
    """What a roll needs and what is added to it, with the why."""
    found: dict[str, Any] = {"sense": roll.sense}
    if roll.plus is not None:
        found |= {"plus": roll.plus.value, "plus_why": roll.plus.why()}
    if isinstance(roll.need, Tally):
        found |= {"need": roll.need.value, "need_why": roll.need.why()}
    elif roll.need is not None:
        found["need"] = roll.need
    return found


# ---------------------------------------------------------------------- what happened


def event_plain(ruleset: Ruleset, event: Event, moment: Moment, number: int, names: Names) -> dict[str, Any]:
    """An entry of the log."""
    return {
        "n": number, "answer": moment.answers, "kind": event.kind, "rule": event.rule, "about": list(event.about),
        "text": {language: ruleset.tell(event, names[language], language) for language in LANGUAGES},
        "data": event.data, "turn": moment.turn, "phase": moment.phase,
        **({} if event.seats is None else {"private": True}),
    }  # fmt: skip


def account_plain(
    ruleset: Ruleset, sees: str | None, entries: Sequence[tuple[Entry, Moment | None]], value: float, names: Names
) -> list[dict[str, Any]]:
    """The account of a number of a side, newest last: each change with the sentence that told it, and its moment.

    Of a long one the oldest changes are one line; what the seat may not know is told as such.
    """
    shown = entries[-MOST_LINES:]
    now = value - sum(entry.amount for entry, _ in shown)
    lines = []
    if now:
        what = "account.earlier" if len(shown) < len(entries) else "account.start"
        lines.append(_line(said(ruleset, what, {}, names), "base", now))
    for entry, moment in shown:
        now += entry.amount
        event, op = entry.event, "add" if lines else "base"
        if event is None or moment is None:
            lines.append(_line(said(ruleset, "account.start", {}, names), op, entry.amount))
        elif not event.visible_to(sees):
            lines.append(_line(said(ruleset, "account.hidden", {}, names), op, entry.amount))
        else:
            text = {language: ruleset.tell(event, names[language], language) for language in LANGUAGES}
            parts = _parts(event, (now, abs(entry.amount)))
            lines.append(_line(text, op, entry.amount, event.rule, moment.answers, parts))
    return lines


def _line(
    what: Both, op: str, amount: float, rule: str = "", answer: int | None = None, parts: Sequence[Any] = ()
) -> dict[str, Any]:
    return {"what": what, "op": op, "amount": amount, "rule": rule, "answer": answer, "parts": list(parts)}


def _parts(event: Event, values: tuple[float, float]) -> list[Any]:
    """The account an event itself gives of one of these values, where it says more than the value."""
    for held in event.data.values():
        if isinstance(held, dict) and held.get("value") in values and len(held.get("why", ())) > 1:
            return list(held["why"])
    return []


def result_plain(ruleset: Ruleset, result: Mapping[str, Any] | None, names: Names) -> dict[str, Any] | None:
    """Who won and why."""
    if result is None:
        return None
    facts = {key: value for key, value in result.items() if isinstance(value, str | int | float)}
    return {**result, "text": said(ruleset, str(result.get("why", "")), facts, names)}


def words_of(ruleset: Ruleset, scene: Scene) -> dict[str, Both]:
    """The templates of every code a screen has to say of a scene."""
    return templates(ruleset, (code for code, _ in scene.codes()))


def templates(ruleset: Ruleset, codes: Iterable[str]) -> dict[str, Both]:
    found: dict[str, Both] = {}
    for code in codes:
        if code not in found:
            template = ruleset.texts.get(code) or KERNEL_TEXTS.get(code)
            if template is not None:
                found[code] = _in_all(template, ruleset.id)
    return found


@lru_cache(maxsize=16384)
def _in_all(template: str, game: str) -> Both:
    return {language: gettext(template, language, game) for language in LANGUAGES}
