"""Reading and checking army lists; what is wrong is told by rule, in either language."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from grognard.kernel.data.plain import documents, read_text
from grognard.kernel.errors import BadInput
from grognard.kernel.ruleset import Finding, RosterLine, Ruleset
from grognard.kernel.words.texts import gettext


@dataclass(frozen=True)
class Army:
    """An army list that was checked."""

    source: str
    list: dict[str, Any]
    lines: tuple[RosterLine, ...]
    findings: tuple[Finding, ...]

    @property
    def legal(self) -> bool:
        return all(finding.warning for finding in self.findings)

    @property
    def points(self) -> float:
        return sum(line.points for line in self.lines)

    def title(self, language: str) -> str:
        """The name the list gives itself, else where it came from."""
        own = (self.list.get("french") if language == "fr" else None) or self.list.get("name")
        return str(own or self.source)


def read_army(ruleset: Ruleset, source: str) -> dict[str, Any]:
    """The army list of a starter army's name or of a YAML or JSON file; BadInput says what is wrong and where."""
    starter = ruleset.armies().get(source)
    path = starter or Path(source)
    if starter is None and not path.exists():
        known = ", ".join(ruleset.armies())
        raise BadInput("there is no army or file {name}; the starter armies are {known}", name=source, known=known)
    if path.is_dir():
        raise BadInput("{name} is a folder; an army list is a file", name=source)
    held = documents(read_text(path), str(path))
    if len(held) != 1 or not isinstance(held[0].value, dict):
        raise BadInput("{name}: an army list is one mapping, as in the starter armies", name=source)
    return dict(held[0].value)


def check(ruleset: Ruleset, source: str) -> Army:
    """Read an army list and let the game judge it."""
    army = read_army(ruleset, source)
    ruleset.bounds.check(army, "army")
    findings = ruleset.check_army(army)
    return Army(source, army, tuple(ruleset.roster(army)), tuple(findings))


# ---------------------------------------------------------------------- for people


def army_table(army: Army, language: str = "en") -> Table:
    """The list with its points."""
    table = Table(title=Text(army.title(language), "bold"), title_justify="left", box=None, pad_edge=False,
                  padding=(0, 2, 0, 0), show_footer=True)  # fmt: skip
    models = sum(line.count for line in army.lines)
    table.add_column(gettext("Unit", language), gettext("Total", language), style="bold")
    table.add_column(gettext("Models", language), str(models), justify="right")
    table.add_column(gettext("Card", language))
    table.add_column(gettext("Points", language), f"{army.points:g}", justify="right")
    table.add_column("")
    for line in army.lines:
        name, what = gettext(line.name, language), _words(line.what, language)
        table.add_row(name, str(line.count), what, f"{line.points:g}", Text(_notes(line, language), "dim"))
    return table


def _notes(line: RosterLine, language: str) -> str:
    notes = [gettext(note, language) for note in line.notes]
    if line.joins:
        notes.append(gettext("joins {unit}", language).format(unit=gettext(line.joins, language)))
    return ", ".join(notes)


def _words(cards: str, language: str) -> str:
    return ", ".join(gettext(card, language) for card in cards.split(", "))


def findings_lines(ruleset: Ruleset, army: Army, language: str = "en") -> list[Text]:
    """What is wrong, a sentence each with its rule."""
    found = []
    for finding in army.findings:
        mark, style = ("!", "yellow") if finding.warning else ("✗", "red")
        said = ruleset.say(finding.code, finding.data, language)
        found.append(Text.assemble((f"{mark} ", style), said, (f" ({finding.rule})", "dim")))
    return found


def army_plain(ruleset: Ruleset, army: Army, language: str = "en") -> dict[str, Any]:
    """The same as plain data."""
    return {
        "army": army.title(language),
        "legal": army.legal,
        "points": army.points,
        "models": sum(line.count for line in army.lines),
        "findings": [
            {
                "code": finding.code,
                "rule": finding.rule,
                "warning": finding.warning,
                "text": ruleset.say(finding.code, finding.data, language),
                "data": finding.data,
            }
            for finding in army.findings
        ],
    }


def starters_table(ruleset: Ruleset, language: str = "en") -> Table:
    """The starter armies of a game."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(gettext("Name", language), style="bold")
    table.add_column(gettext("Army", language))
    table.add_column(gettext("Models", language), justify="right")
    table.add_column(gettext("Points", language), justify="right")
    for name in ruleset.armies():
        army = check(ruleset, name)
        models = sum(line.count for line in army.lines)
        table.add_row(name, army.title(language), str(models), f"{army.points:g}")
    return table
