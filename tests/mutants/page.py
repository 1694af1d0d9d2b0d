"""docs/mutants.md: the figures and the survivors, from what the last runs left in build/mutants/."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.mutants import rooms, touched
from tests.mutants.known import known, reason

PAGE = touched.ROOT / "docs" / "mutants.md"
BEGIN, END = "<!-- made: {} -->", "<!-- end -->"


class Count(NamedTuple):
    """How the changes of a module or a game fared."""

    made: int
    killed: int
    equivalent: int
    survived: int

    @property
    def share(self) -> str:
        real = self.killed + self.survived
        return f"{100 * self.killed / real:.1f} %" if real else "-"


def count(rows: Sequence[dict[str, Any]], reasons: dict[str, str]) -> Count:
    fit = [row for row in rows if row["state"] != "unfit"]
    killed = sum(row["state"] == "killed" for row in fit)
    same = sum(row["state"] != "killed" and bool(reason(row["key"], reasons)) for row in fit)
    return Count(len(fit), killed, same, len(fit) - killed - same)


def table(games: Sequence[str]) -> str:
    """Changes made, killed, equivalent and survived, by game and module."""
    reasons = known()
    lines = ["| game | module | changes | killed | equivalent | survived | killed of those that matter |"]
    lines.append("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for game in games:
        rows = touched.saved(game, "results") or []
        if not rows:
            continue
        for name in dict.fromkeys(row["module"] for row in rows):
            one = count([row for row in rows if row["module"] == name], reasons)
            lines.append(_row(game, name.split(".", 2)[-1], one))
        lines.append(_row(f"**{game}**", "", count(rows, reasons)))
    return "\n".join(lines)


def _row(game: str, module: str, one: Count) -> str:
    return f"| {game} | {module} | {one.made} | {one.killed} | {one.equivalent} | {one.survived} | {one.share} |"


def survivors(games: Sequence[str]) -> str:
    reasons = known()
    lines: list[str] = []
    for game in games:
        rows = [r for r in touched.saved(game, "results") or [] if r["state"] in ("survived", "untouched")]
        left = [row for row in rows if not reason(row["key"], reasons)]
        if left:
            lines += [f"### {game}", ""]
            for row in left:
                note = " (no case runs it)" if row["state"] == "untouched" else ""
                lines.append(f"- `{row['key'].replace('`', chr(39))}`{note}")
            lines.append("")
    return "\n".join(lines).strip()


def runs(games: Sequence[str]) -> str:
    """How many of a game's changes stand in the figures."""
    lines = []
    for game in games:
        rows = touched.saved(game, "results") or []
        facts = touched.saved(game, "run") or {}
        if rows and facts:
            share = (
                ""
                if facts["every"] == 1
                else f"; only every {facts['every']}th case was played, so that is a lower bound"
            )
            lines.append(f"- {game}: {len(rows)} changes judged{share}.")
    return "\n".join(lines)


def write() -> None:
    text = PAGE.read_text(encoding="utf-8")
    made = {
        "table": table(list(rooms.ROOMS)),
        "runs": runs(list(rooms.ROOMS)),
        "survivors": survivors(list(rooms.ROOMS)),
    }
    for name, part in made.items():
        begin = BEGIN.format(name)
        head, rest = text.split(begin + "\n", 1)
        _, tail = rest.split(END, 1)
        text = f"{head}{begin}\n{part}\n{END}{tail}"
    PAGE.write_text(text, encoding="utf-8")
