"""A question on the screen: what is asked, the options by number, and what is barred and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grognard.check.answers import declinable
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Note, Number, Option, Order, Pick, Place, Question, Roll, Split
from grognard.kernel.ruleset import Ruleset
from grognard.kernel.words.texts import proposal
from grognard.terminal.desk import Desk
from grognard.terminal.scene import Scene

MAX_PROPOSALS = 16


class Asker:
    """Shows the questions of one match."""

    def __init__(self, desk: Desk, ruleset: Ruleset) -> None:
        self.desk = desk
        self.ruleset = ruleset
        self.names: Mapping[str, str] = {}

    def show(
        self, question: Question | Roll, names: Mapping[str, str], scene: Scene | None, proposals: Sequence[str]
    ) -> RenderableType:  # fmt: skip
        """The question, ready to print."""
        self.names = names
        seat = names.get(question.seat, question.seat)
        asked = self.ruleset.prompt(question, names, self.desk.language)
        head = Text.assemble((f"{seat} · ", "bold"), (asked, "bold"), (f"  ({question.rule})", "dim"))
        notes = [Text(self._note(note), "dim") for note in question.notes] if isinstance(question, Question) else []
        parts: list[RenderableType] = [head, *notes, self._options(question, scene, proposals)]
        hint = self.hint(question)
        return Group(*parts, Text(hint, "italic dim")) if hint else Group(*parts)

    def hint(self, question: Question | Roll) -> str:
        """How this kind of question is answered."""
        say, unit = self.desk.say, self.ruleset.unit
        if isinstance(question, Roll):
            return say("Roll {count}D{sides} and type the faces.", count=question.count, sides=question.sides)
        if isinstance(question, Number):
            return say("Type a number from {low} to {high}.", low=f"{question.low:g}", high=f"{question.high:g}")
        if isinstance(question, Order):
            return say("Type all the numbers in the order you want, such as 2 1 3.")
        if isinstance(question, Split):
            return say("Share {total}: type a number for each line.", total=question.total)
        if isinstance(question, Place):
            return say(
                "Type a number, or x,y in {unit}, or by dx,dy to move all alike; help place tells more.", unit=unit
            )
        if isinstance(question, Pick) and question.most > 1:
            most = min(question.most, len(question.options))
            return say("Type {least} to {most} of the numbers, such as 1 3.", least=question.least, most=most)
        return ""

    def _options(self, question: Question | Roll, scene: Scene | None, proposals: Sequence[str]) -> Table:
        table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=True)
        table.add_column(justify="right", style="cyan", no_wrap=True)
        table.add_column()
        if isinstance(question, Pick | Order | Split):
            for number, option in enumerate(question.options, 1):
                table.add_row(str(number), self._option(question, option))
        if isinstance(question, Place):
            for mover in question.movers:
                table.add_row("", self._mover(mover, scene))
            for number, name in enumerate(proposals, 1):
                table.add_row(str(number), self.proposal(question, name))
        if isinstance(question, Pick):
            for key, refusal in question.listed.items():
                table.add_row("✗", self._barred(key, refusal))
        if declinable(question):
            table.add_row("0", Text(self.desk.say("pass"), "italic"))
        return table

    def _option(self, question: Question | Roll, option: Option) -> Text:
        text = Text(self.label(option))
        if isinstance(question, Split):
            low, high = question.limits[option.key]
            text.append(f"  {low}–{high}", "dim")
        for note in option.notes:
            text.append(f"\n{self._note(note)}", "dim")
        return text

    def _note(self, note: Note) -> str:
        told = self.ruleset.say(note.text, note.data, self.desk.language, self.names)
        return f"{told} ({note.rule})" if note.rule else told

    def label(self, option: Option) -> str:
        """An option in words."""
        if not option.text:
            return self.names.get(option.key, option.key)
        facts = {f"about{place}": thing for place, thing in enumerate(option.about)} | option.data
        return self.ruleset.say(option.text, facts, self.desk.language, self.names)

    def _barred(self, key: str, refusal: Refusal) -> Text:
        why = self.ruleset.say(refusal.code, refusal.data, self.desk.language, self.names)
        return Text(f"{self.names.get(key, key)}: {why} ({refusal.rule})", "dim")

    def _mover(self, mover: str, scene: Scene | None) -> Text:
        token = scene.token(mover) if scene is not None else None
        where = f"  {_at(token.x, token.y, self.ruleset.unit_mm)}" if token is not None else ""
        shown = self.names.get(mover, mover)
        return Text.assemble((shown if shown == mover else f"{mover} · {shown}", "dim"), where)

    def proposal(self, question: Place, name: str) -> Text:
        """A proposed placement in words, with where it ends."""
        known = proposal(self.ruleset.texts, name, self.names)
        if known is not None:
            shown = self.ruleset.say(*known, self.desk.language, self.names)
        else:
            kind, _, what = name.partition(":")
            shown = f"{kind} {self.names.get(what, what)}".strip()
        end = _end(question.judge.propose(name))
        return Text(shown).append(f"  → {_at(*end, self.ruleset.unit_mm)}" if end else "", "dim")


def proposals_of(question: Question | Roll) -> list[str]:
    """The proposals of a placement that can really be made."""
    if not isinstance(question, Place):
        return []
    names = list(question.judge.proposals())[: 2 * MAX_PROPOSALS]
    return [name for name in names if question.judge.propose(name) is not None][:MAX_PROPOSALS]


def _at(x: float, y: float, unit: float) -> str:
    return f"{x / unit:.1f}, {y / unit:.1f}"


def _end(wire: Any) -> tuple[float, float] | None:
    """The middle of where a placement of tracks ends."""
    tracks = list(wire.values()) if isinstance(wire, dict) else []
    ends = [track["path"][-1] for track in tracks if isinstance(track, dict) and track.get("path")]
    if not ends or not all(isinstance(end, list | tuple) and len(end) == 2 for end in ends):
        return None
    return sum(end[0] for end in ends) / len(ends), sum(end[1] for end in ends) / len(ends)
