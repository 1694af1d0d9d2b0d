"""`grognard muster` and `grognard odds`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from grognard import games, muster, odds
from grognard.kernel.data.plain import documents, read_text
from grognard.kernel.errors import BadInput
from grognard.kernel.ruleset import Ruleset
from grognard.odds.ask import value_of
from grognard.terminal.desk import OK, WRONG, Desk

MAX_VARIED = 12


def muster_army(desk: Desk, game: str, source: str | None, as_json: bool) -> int:
    """Check an army list, or list the starter armies."""
    ruleset = games.find(game)
    if source is None:
        if as_json:
            desk.json(list(ruleset.armies()))
        else:
            desk.out.print(muster.starters_table(ruleset, desk.language))
        return OK
    army = muster.check(ruleset, source)
    if as_json:
        desk.json(muster.army_plain(ruleset, army, desk.language))
        return OK if army.legal else WRONG
    if army.lines:
        desk.out.print(muster.army_table(army, desk.language))
    for line in muster.findings_lines(ruleset, army, desk.language):
        desk.out.print(line, soft_wrap=True)
    if army.legal:
        desk.line("{name} is a legal army of {game}.", name=army.title(desk.language), game=ruleset.title)
        return OK
    count = sum(not finding.warning for finding in army.findings)
    desk.line(
        "{name} {name|breaks|break} the rules of {game}: {count}",
        name=army.title(desk.language),
        game=game,
        count=count,
    )
    return WRONG


# ---------------------------------------------------------------------- odds


def list_odds(desk: Desk, game: str, as_json: bool) -> int:
    """What the odds desk of a game can be asked."""
    ruleset = games.find(game)
    if as_json:
        desk.json([_question(question) for question in ruleset.odds_questions.values()])
        return OK
    for part in odds.questions_table(ruleset.odds_questions, desk.language):
        desk.out.print(part)
    if not ruleset.odds_questions:
        desk.line("{game} has no odds questions yet.", game=ruleset.title)
    return OK


def _question(question: odds.OddsQuestion) -> dict[str, Any]:
    arguments = [
        {
            "name": a.name, "kind": a.kind, "about": a.about, "default": a.default, "required": a.required,
            "choices": list(a.choices), "least": a.least, "most": a.most,
        }
        for a in question.arguments
    ]  # fmt: skip
    return {"name": question.name, "text": question.text, "example": question.example, "arguments": arguments}


def ask_odds(
    desk: Desk, game: str, name: str, words: Sequence[str], given: Path | None, vary: str | None,
    as_json: bool, pictures: Sequence[Path],
) -> int:  # fmt: skip
    """Answer an odds question as tables or JSON, and as a picture where one is wanted."""
    ruleset = games.find(game)
    question = odds.question_of(ruleset, name)
    arguments = {**(_arguments(given) if given else {}), **odds.from_words(question, words)}
    title = desk.say(question.text)
    if vary is None:
        lines = [odds.Line("", odds.ask(ruleset, name, arguments))]
    else:
        lines = odds.compare(ruleset, name, arguments, *_varied(question, vary))
    for path in pictures:
        _draw(desk, ruleset, lines if vary else lines[0].odds, path, title, arguments)
    if as_json and vary:
        desk.json([{"label": line.label, **odds.plain(line.odds)} for line in lines])
    elif as_json:
        desk.json({"game": game, **odds.plain(lines[0].odds)})
    elif vary:
        desk.out.print(Text(title, "bold"))
        desk.out.print(odds.comparison_table(lines, desk.language))
    else:
        _print(desk, ruleset, title, lines[0].odds)
    return OK


def _arguments(path: Path) -> dict[str, Any]:
    """Arguments written in a YAML or JSON file."""
    if path.is_dir():
        raise BadInput("{name} is a folder, not a file", name=str(path))
    held = documents(read_text(path), str(path), path.parent)
    if len(held) != 1 or not isinstance(held[0].value, dict):
        raise BadInput("{name}: arguments are one mapping from name to value", name=str(path))
    return dict(held[0].value)


def _varied(question: odds.OddsQuestion, written: str) -> tuple[str, list[Any]]:
    """`key=1,2,3` as the argument and its values."""
    key, equals, text = written.partition("=")
    values = [part.strip() for part in text.split(",") if part.strip()]
    if not equals or not values:
        raise BadInput("{word} cannot be varied; write name=value,value", word=written)
    if len(values) > MAX_VARIED:
        raise BadInput("at most {most} values can be compared, not {count}", most=MAX_VARIED, count=len(values))
    argument = question.argument(key)
    return key, [value_of(argument, value) for value in values]


def _print(desk: Desk, ruleset: Ruleset, title: str, answer: odds.Odds) -> None:
    desk.out.print(Text(title, "bold"))
    given = _written(desk, answer.arguments)
    if given:
        desk.out.print(Text(given, "dim"))
    for part in odds.tables(answer, desk.language):
        desk.out.print()
        desk.out.print(part)
    if answer.touched:
        shown = ", ".join(rule.removeprefix(f"{ruleset.id}:") for rule in answer.touched)
        desk.out.print(Text("\n" + desk.say("Rules: {rules}", rules=shown), "dim"))


def _written(desk: Desk, arguments: Mapping[str, Any]) -> str:
    """The arguments that are short enough to read."""
    words = {True: desk.say("yes"), False: desk.say("no")}
    return ", ".join(
        f"{key} = {words[value] if isinstance(value, bool) else value}"
        for key, value in arguments.items()
        if value is not None and not isinstance(value, dict | list)
    )


def _draw(
    desk: Desk, ruleset: Ruleset, answer: odds.Odds | list[odds.Line], path: Path, title: str, given: dict[str, Any]
) -> None:  # fmt: skip
    caption = f"{ruleset.title} · {_written(desk, given)}"
    odds.write_picture(answer, path, title=title, caption=caption.rstrip(" ·"), language=desk.language)
    desk.err.print(desk.say("Picture written to {name}.", name=path), soft_wrap=True)
