"""The battle report as one HTML file: to be read, kept, and printed to PDF."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from grognard.kernel.data.setups import scenario_fact
from grognard.kernel.match.dice import Seal
from grognard.kernel.match.match import Match
from grognard.kernel.screen.scene import Scene
from grognard.kernel.words.texts import gettext, name_in
from grognard.kernel.words.wording import worded
from grognard.report.chart import COLOURS, centres, chart
from grognard.report.luck import Luck, lucks, totals
from grognard.report.story import Chapter, Phase, chapters, losses
from grognard.report.style import ICON, STYLE


def render(match: Match, seat: str | None, language: str, seal: Seal | None = None) -> str:
    """The report of a match that keeps its history and its times, as far as a seat may see."""
    return Report(match, seat, language, seal).page()


class Report:
    """One report in one language."""

    def __init__(self, match: Match, seat: str | None, language: str, seal: Seal | None) -> None:
        self.match = match
        self.seat = seat
        self.language = language
        self.seal = seal
        self.names = match.ruleset.named(match.battle, language)
        self.told = chapters(match, seat)

    def page(self) -> str:
        """The whole file."""
        title = f"{self.match.ruleset.title} – {self.say('Battle report')}"
        body = [self._head(), *self._turns(), self._losses(), self._scores(), self._luck(), self._dice()]
        return (
            f'<!doctype html>\n<html lang="{self.language}"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
            f'<link rel="icon" href="{ICON}"><style>{STYLE}</style></head>'
            f"<body><main>{''.join(body)}</main></body></html>\n"
        )

    def say(self, sentence: str, **facts: Any) -> str:
        """A sentence of ours in the reader's language."""
        said = gettext(sentence, self.language)
        return worded(said, facts, self.language) if facts else said

    def name(self, name: str) -> str:
        return name_in(name, self.language, self.match.ruleset.id)

    def _decimal(self, number: str) -> str:
        """A number as people of the language write it."""
        return number.replace(".", ",").replace("-", "−") if self.language == "fr" else number

    def called(self, thing: str) -> str:
        return self.names.get(thing, thing)

    # ------------------------------------------------------------------ the head

    def _head(self) -> str:
        ruleset = self.match.ruleset
        scenario = ruleset.scenarios.get(str(self.match.setup.get("scenario", "")))
        french = scenario_fact(scenario, "french") if self.language == "fr" else ""
        title = french or gettext(scenario_fact(scenario, "title", "name"), self.language, ruleset.id)
        sides = "".join(self._chip(seat) for seat in self.match.battle.seats)
        heading = f"<h1>{escape(ruleset.title)}</h1><p class='scenario'>{escape(title)}</p>"
        return f"<header>{heading}<p class='sides'>{sides}</p>{self._result()}</header>"

    def _chip(self, seat: str) -> str:
        seats = self.match.battle.seats
        place = seats.index(seat) if seat in seats else len(seats)
        colour = COLOURS[place % len(COLOURS)]
        return f'<span class="chip" style="--side:{colour}">{escape(self.called(seat))}</span>'

    def _result(self) -> str:
        result = self.match.result if self.match.over else None
        if result is None:
            return f"<p class='result'>{escape(self.say('The battle is still being fought.'))}</p>"
        facts = {key: value for key, value in result.items() if isinstance(value, str | int | float)}
        why = self.match.ruleset.say(str(result.get("why", "")), facts, self.language, self.names)
        winner = result.get("winner")
        head = self.say("Nobody wins") if winner is None else self.say("{winner} wins", winner=self.called(winner))
        said = self.say("{head}: {why}", head=head, why=why)
        return f"<p class='result'>{escape(said)}</p>"

    # ------------------------------------------------------------------ the story

    def _turns(self) -> Iterable[str]:
        before: Mapping[str, tuple[float, float]] = {}
        for chapter in self.told:
            yield self._turn(chapter, before)
            before = centres(chapter.scene)

    def _turn(self, chapter: Chapter, before: Mapping[str, tuple[float, float]]) -> str:
        fallen = [(figure.side, (figure.pose.x, figure.pose.y)) for figure in chapter.fallen if figure.pose is not None]
        drawn = chart(chapter.scene, before, self.name, fallen)
        title = self._when(chapter)
        story = "".join(self._phase(phase) for phase in chapter.phases)
        toll = self._toll(chapter)
        return f"<section class='turn'><h2>{escape(title)}</h2><figure>{drawn}</figure>{toll}{story}</section>"

    def _when(self, chapter: Chapter) -> str:
        """What a turn is called; some games count rounds."""
        ruleset = self.match.ruleset
        if not chapter.turn:
            return self.say("Before the battle")
        if "clock.turn" in ruleset.texts:
            return ruleset.say("clock.turn", {"turn": chapter.turn}, self.language)
        return self.say("Turn {number}", number=chapter.turn)

    def _phase(self, phase: Phase) -> str:
        ruleset = self.match.ruleset
        code = f"phase.{phase.name}"
        head = _capital(ruleset.say(code, {}, self.language) if code in ruleset.texts else phase.name)
        whose = f" · {self.called(phase.side)}" if phase.side else ""
        sentences = _counted(ruleset.tell(event, self.names, self.language) for event in phase.events)
        prose = " ".join(_sentence(text) for text in sentences)
        return f"<p><b>{escape(head + whose)}.</b> {escape(prose)}</p>"

    def _toll(self, chapter: Chapter) -> str:
        """Who was lost this turn, by side."""
        lines = []
        for seat in self.match.battle.seats:
            units = _counts(figure.unit for figure in chapter.fallen if figure.side == seat)
            if units:
                lost = ", ".join(f"{self.called(unit)} ({count})" for unit, count in units.items())
                lines.append(f"<li>{self._chip(seat)} {escape(lost)}</li>")
        if not lines:
            return ""
        return f"<p class='toll'>{escape(self.say('Lost this turn:'))}</p><ul class='toll'>{''.join(lines)}</ul>"

    # ------------------------------------------------------------------ the tables

    def _losses(self) -> str:
        rows = []
        lost = losses(self.told)
        for seat in dict.fromkeys([*self.match.battle.seats, *(loss.side for loss in lost)]):
            told = [loss for loss in lost if loss.side == seat]
            rows += [self._side(seat, 4)] if told else []
            rows += [
                _row([escape(_capital(self.name(one.name))), one.start, one.start - one.end, one.end]) for one in told
            ]
        heads = [self.say(word) for word in ("Unit", "Models", "Lost", "Left")]
        return self._table(self.say("Losses"), heads, rows)

    def _side(self, seat: str, columns: int) -> str:
        """The row that says whose the following are."""
        return f'<tr class="side"><th colspan="{columns}" scope="rowgroup">{self._chip(seat)}</th></tr>'

    def _scores(self) -> str:
        """Every number the sides are counted by, turn by turn."""
        scored = [chapter for chapter in self.told if any(side.score for side in chapter.scene.sides)]
        if not scored:
            return ""
        heads = ["", *(self.called(seat) for seat in self.match.battle.seats)]
        kinds = {count.text: None for chapter in scored for side in chapter.scene.sides for count in side.score}
        title = self.say("Scores")
        if len(kinds) == 1:
            title += f" ({self._kind(next(iter(kinds)))})"
        rows = [_row([self._when(chapter), *self._scored(chapter.scene, len(kinds) > 1)]) for chapter in scored]
        return self._table(title, heads, rows)

    def _kind(self, code: str) -> str:
        """What a score counts."""
        return self.match.ruleset.say(code, {}, self.language, self.names)

    def _scored(self, scene: Scene, several: bool) -> list[str]:
        """The scores of the sides; where there are several kinds each says what it counts."""
        found = []
        for side in scene.sides[: len(self.match.battle.seats)]:
            parts = [f"{self._kind(c.text)} {c.value:g}" if several else f"{c.value:g}" for c in side.score]
            found.append(escape(", ".join(parts)))
        return found

    def _luck(self) -> str:
        """Rolled against expected; a deviation of two either way is rare."""
        each = lucks(self.match.events_for(self.seat))
        if not each:
            return ""
        heads = [
            self.say(word)
            for word in ("Roll", "Dice", "Average", "Expected average", "Passed", "Expected passes", "Luck")
        ]
        whole = {luck.seat: luck for luck in totals(each)}
        rows = []
        for seat in self.match.battle.seats:
            if seat in whole:
                rows += [self._side(seat, len(heads))]
                rows += [_row(self._luck_row(luck)) for luck in each if luck.seat == seat]
                rows += [_row(self._luck_row(whole[seat]), "whole")]
        note = self.say("Luck is counted in standard deviations: beyond 2 or -2 is rare, about one time in twenty.")
        return self._table(self.say("Luck"), heads, rows) + f"<p class='note'>{escape(note)}</p>"

    def _luck_row(self, luck: Luck) -> list[str]:
        name = escape(_capital(self._roll_name(luck)) if luck.name else self.say("All rolls"))
        tests = (
            [f"{luck.passed}\u00a0/\u00a0{luck.tests}", self._decimal(f"{float(luck.chance):.1f}")]
            if luck.tests
            else ["", ""]
        )
        averages = [luck.rolled / luck.dice, float(luck.expected) / luck.dice] if luck.sides else []
        shown = [self._decimal(f"{average:.2f}") for average in averages] or ["", ""]
        return [name, str(luck.dice), *shown, *tests, self._decimal(f"{round(luck.deviations, 1) + 0.0:+.1f}")]

    def _roll_name(self, luck: Luck) -> str:
        """What a roll is called: its own text, else the title of its rule."""
        ruleset = self.match.ruleset
        if f"roll.{luck.name}" in ruleset.texts:
            return ruleset.say(f"roll.{luck.name}", {}, self.language)
        rule = ruleset.rulebook.by_id.get(luck.rule)
        return luck.name if rule is None else rule.title(self.language)

    def _dice(self) -> str:
        """What is told of sealed dice, and how to check them."""
        seal = self.seal
        if seal is None:
            return ""
        lines = [f"<p>{escape(self.say('Seal of the dice:'))} <code>{escape(seal.seal)}</code></p>"]
        if seal.seed:
            check = self.say("Save the replay file and run grognard replay FILE --verify to check every roll.")
            lines.append(f"<p>{escape(self.say('Seed:'))} <code>{escape(seal.seed)}</code></p><p>{escape(check)}</p>")
        lines += [f"<p>{escape(self.say('Added by {words}', words=words))}</p>" for words in seal.words]
        if seal.withdrawn:
            back = self.say("Rolls taken back by agreement: {count}", count=len(seal.withdrawn))
            lines.append(f"<p>{escape(back)}</p>")
        return f"<section class='dice'><h2>{escape(self.say('The dice'))}</h2>{''.join(lines)}</section>"

    def _table(self, title: str, heads: Sequence[str], rows: Sequence[str]) -> str:
        """Rows are HTML already, heads are text; all but the first column are numbers."""
        head = "".join(f"<th{_NUMBER if place else ''}>{escape(cell)}</th>" for place, cell in enumerate(heads))
        body = "".join(rows)
        return (
            f"<section><h2>{escape(title)}</h2><div class='wide'><table><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table></div></section>"
        )


_NUMBER = ' class="number"'


def _row(cells: Sequence[Any], kind: str = "") -> str:
    """A row of a table: what it is about, and numbers."""
    body = "".join(f"<td{_NUMBER if place else ''}>{cell}</td>" for place, cell in enumerate(cells))
    return f'<tr class="{kind}">{body}</tr>' if kind else f"<tr>{body}</tr>"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _counted(sentences: Iterable[str]) -> list[str]:
    """Sentences; one said several times in a row is said once, with how often."""
    found: list[tuple[str, int]] = []
    for sentence in sentences:
        if found and found[-1][0] == sentence:
            found[-1] = (sentence, found[-1][1] + 1)
        else:
            found.append((sentence, 1))
    return [text if count == 1 else f"{text} (×{count})" for text, count in found]


def _sentence(text: str) -> str:
    """A sentence with a capital and a stop."""
    said = text.strip()
    return _capital(said) + ("" if said.endswith((".", "!", "?", "…")) else ".")


def _counts(units: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for unit in units:
        found[unit] = found.get(unit, 0) + 1
    return found
