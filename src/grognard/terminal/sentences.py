"""Events, rolls and results as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from grognard.kernel.events import Event
from grognard.kernel.ruleset import Ruleset
from grognard.kernel.words.texts import gettext

_SIGNS = {"base": "", "add": "+", "times": "×", "set": "= ", "floor": "≥ ", "cap": "≤ "}
_SENSES = {"high": "≥", "over": ">", "under": "≤"}


def tell(ruleset: Ruleset, event: Event, names: Mapping[str, str], language: str) -> Text:
    """An event as a line with its rule."""
    if event.kind == "roll":
        said = _roll(ruleset, event, names, language)
    else:
        said = Text(ruleset.tell(event, names, language))
    return said.append(f" ({event.rule})", "dim")


def _roll(ruleset: Ruleset, event: Event, names: Mapping[str, str], language: str) -> Text:
    """A roll: what for, the faces, what was added and what was needed."""
    data = event.data
    seat, *about = event.about
    facts = {"seat": seat, **{f"about{place}": thing for place, thing in enumerate(about)}}
    said = Text.assemble(("⚄ ", "cyan"), ruleset.say(f"ask.{data['name']}", facts, language, names))
    said.append("  " + " ".join(map(str, data["faces"])), "bold cyan")
    if data.get("plus"):
        said.append(f" {data['plus']:+g}" + ("" if data.get("each") else f" = {data['total']:g}"))
    if "need" in data and data.get("sense") in _SENSES:
        said.append(f"  {_SENSES[data['sense']]} {data['need']:g}?")
    return said


def why(event: Event, names: Mapping[str, str], language: str) -> list[Text]:
    """The accounts of an event's numbers, a line a change."""
    lines: list[Text] = []
    for key, value in event.data.items():
        account = event.data.get(f"{key}_why") if key in ("plus", "need") else None
        if account is None and isinstance(value, dict) and "why" in value:
            account, value = value["why"], value["value"]
        if account:
            lines.append(Text(f"  {gettext(key, language)}: {value:g}", "bold"))
            lines += [_change(change, names, language) for change in account]
    return lines


def _change(change: Mapping[str, Any], names: Mapping[str, str], language: str) -> Text:
    sign = _SIGNS.get(change["op"], "")
    amount = f"{change['amount']:+g}" if change["op"] == "add" else f"{sign}{change['amount']:g}"
    what = names.get(change["what"]) or gettext(str(change["what"]), language)
    return Text(f"    {amount:>6}  {what}").append(f" ({change['rule']})", "dim")


def result_line(ruleset: Ruleset, result: Mapping[str, Any], names: Mapping[str, str], language: str) -> Text:
    """Who won and why."""
    winner = result.get("winner")
    facts = {key: value for key, value in result.items() if isinstance(value, str | int | float)}
    why_text = ruleset.say(str(result.get("why", "")), facts, language, names)
    if winner is None:
        head = gettext("Nobody wins", language)
    else:
        head = gettext("{winner} wins", language).format(winner=names.get(winner, winner))
    said = gettext("{head}: {why}", language).format(head=head, why=why_text)
    text = Text.assemble((said, "bold"), (f" ({result.get('rule', '')})", "dim"))
    score = result.get("score")
    if isinstance(score, Mapping):
        shown = ", ".join(f"{names.get(str(k), str(k))} {_number(v)}" for k, v in score.items())
        text.append(f"  {shown}")
    return text


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)
