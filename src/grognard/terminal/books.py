"""`grognard rules` and `check`: the books and the cases that prove them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from grognard import games
from grognard.check import Outcome, find_files, game_coverage, outcome_text, report_json, run_all, schema
from grognard.kernel.data.carriers import carriers
from grognard.kernel.data.plain import read_text
from grognard.kernel.data.rulebook import Rule
from grognard.kernel.errors import BadInput
from grognard.terminal.desk import OK, WRONG, Desk, cases_folder

# ---------------------------------------------------------------------- rules


def rules(desk: Desk, game: str, words: Sequence[str], as_json: bool) -> int:
    """One rule by its id, the rules that hold the words, or all of them."""
    book = games.find(game).rulebook
    text = " ".join(words)
    known = next((rule_id for rule_id in (text, f"{game}:{text}") if rule_id in book.by_id), None)
    if known is not None:
        return _one_rule(desk, book.by_id[known], as_json)
    if text.startswith(f"{game}:"):
        book.rule(text)  # tells what is near
    found = book.search(text)
    if as_json:
        desk.json([_rule(rule) for rule in found])
    elif found:
        desk.out.print(_rules_table(desk, found))
    else:
        desk.wrong(desk.say("no rule of {game} holds: {words}", game=game, words=text))
    return OK if found else WRONG


def rules_where(desk: Desk, game: str, words: Sequence[str], as_json: bool) -> int:
    """The functions and classes that carry out a rule, or the rules that hold the words."""
    ruleset, text = games.find(game), " ".join(words)
    book, known = ruleset.rulebook, carriers(ruleset.folder)
    named = next((rule_id for rule_id in (text, f"{game}:{text}") if rule_id in book.by_id), None)
    if named is None and text.startswith(f"{game}:"):
        book.rule(text)  # tells what is near
    rules = [book.by_id[named]] if named is not None else book.search(text)
    if as_json:
        desk.json({rule.id: [at._asdict() for at in known.get(rule.id, [])] for rule in rules})
        return OK if rules else WRONG
    for rule in rules:
        desk.out.print(Text.assemble((f"{rule.id}  ", "cyan"), (rule.title(desk.language), "bold")))
        for at in known.get(rule.id, []):
            desk.out.print(f"  games/{game}/{at}", soft_wrap=True, markup=False, highlight=False)
    if not rules:
        desk.wrong(desk.say("no rule of {game} holds: {words}", game=game, words=text))
    return OK if rules else WRONG


def _rule(rule: Rule) -> dict[str, Any]:
    titles = {"en": rule.title_en, "fr": rule.title_fr}
    said = {"summary": rule.summary, "french": rule.french}
    return {"id": rule.id, "kind": rule.kind, "title": titles, **said, "advice": rule.advice}


def _one_rule(desk: Desk, rule: Rule, as_json: bool) -> int:
    if as_json:
        desk.json(_rule(rule))
        return OK
    other = rule.title_en if desk.language == "fr" else rule.title_fr
    desk.out.print(Text.assemble((f"{rule.id}  ", "cyan"), (rule.title(desk.language), "bold"), (f"  {other}", "dim")))
    desk.out.print(rule.told(desk.language))
    if rule.advice:
        desk.line("Advice, nothing to play: {reason}", reason=rule.advice)
    return OK


def _rules_table(desk: Desk, found: Sequence[Rule]) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(style="bold", ratio=1)
    table.add_column(ratio=2)
    for rule in found:
        table.add_row(rule.id, rule.title(desk.language), rule.told(desk.language))
    return table


def rules_coverage(desk: Desk, game: str, as_json: bool, jobs: int) -> int:
    """How many rules the cases of a game exercise; wrong where a game declared complete falls short."""
    ruleset = games.find(game)
    folder = cases_folder() / game
    with desk.progress() as progress:
        task = progress.add_task(desk.say("Running the cases of {game}", game=game), total=None)
        found = game_coverage(
            ruleset, folder, jobs, lambda done, total, _: progress.update(task, completed=done, total=total)
        )
    if as_json:
        desk.json({key: found[key] for key in ("total", "covered", "advice", "missing")})
    else:
        desk.line(
            "{covered} of {total} rules of {game} are exercised by a case or are advice ({advice}).",
            covered=found["covered"], total=found["total"], advice=found["advice"], game=game,
        )  # fmt: skip
        if found["missing"]:
            desk.out.print(_rules_table(desk, [ruleset.rulebook.by_id[rule] for rule in found["missing"]]))
    return WRONG if ruleset.complete and found["missing"] else OK


# ---------------------------------------------------------------------- cases


def check_cases(desk: Desk, paths: Sequence[Path], as_json: bool, jobs: int) -> int:
    """Run cases; failures print expected and got side by side."""
    chosen = list(paths) or [cases_folder()]
    for path in chosen:
        if not path.exists():
            raise BadInput("there is no file or folder {name}", name=str(path))
        if path.is_file():
            read_text(path)  # a file that is no text is bad input, not a failed case
        elif not find_files([path]):
            raise BadInput("there is no case under {name}", name=str(path))
    with desk.progress() as progress:
        task = progress.add_task(desk.say("Running cases"), total=None)
        outcomes = run_all(
            chosen, games.EVERY, jobs, lambda done, total, _: progress.update(task, completed=done, total=total)
        )
    failed = [outcome for outcome in outcomes if not outcome.passed]
    if as_json:
        desk.json(report_json(outcomes))
    else:
        _report(desk, outcomes, failed)
    return WRONG if failed else OK


def _report(desk: Desk, outcomes: Sequence[Outcome], failed: Sequence[Outcome]) -> None:
    for outcome in failed:
        desk.out.print(outcome_text(outcome, desk.out.width) + "\n", soft_wrap=True)
    if failed:
        desk.line("{count} cases, {failed} failed", count=len(outcomes), failed=len(failed))
    else:
        desk.line("{count} cases, all hold", count=len(outcomes))


def print_schema(desk: Desk) -> int:
    """The JSON schema of case files."""
    desk.json(schema())
    return OK
