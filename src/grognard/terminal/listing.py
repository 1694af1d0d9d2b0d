"""`grognard games`: what there is to play, told without importing any of it."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from grognard import games
from grognard.terminal.desk import OK, Desk


def list_games(desk: Desk, as_json: bool) -> int:
    """Every game with its rules, scenarios and starter armies."""
    listed = [games.about(game) for game in games.EVERY]
    if as_json:
        desk.json(listed)
        return OK
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in ("Game", "Title", "Unit", "Rules", "Scenarios", "Armies"):
        table.add_column(desk.say(head), justify="right" if head == "Rules" else "left", overflow="fold")
    for game in listed:
        rules = f"{game['rules']}" if game["complete"] else f"{game['rules']}*"
        scenarios, armies = "\n".join(game["scenarios"]), "\n".join(game["armies"])
        table.add_row(Text(game["id"], "bold"), game["title"], game["unit"], rules, scenarios, armies)
    desk.out.print(table)
    if not all(game["complete"] for game in listed):
        desk.line("* not all of these rules are played yet; rules GAME --coverage tells which")
    return OK
