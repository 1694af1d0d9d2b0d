"""The words of the command line for those who host: settings, the database, backups, matches."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from grognard import server
from grognard.kernel.words.texts import told
from grognard.terminal.desk import OK, WRONG, Desk, write_text

database_commands = typer.Typer(name="database", help="The database of a server.", no_args_is_help=True)
match_commands = typer.Typer(name="matches", help="The matches of a server.", no_args_is_help=True)

Database = Annotated[
    str | None, typer.Option(help="A file, or postgresql://…; that of the settings, or your data folder, by default.")
]  # fmt: skip
SettingsFile = Annotated[
    Path | None, typer.Option("--settings", help="A settings file (TOML); GROGNARD_SETTINGS names one too.")
]  # fmt: skip
Id = Annotated[str, typer.Argument(metavar="ID", help="The id of the match; list tells them.")]
AsJson = Annotated[bool, typer.Option("--json", help="Plain data for programs.")]


def serve(desk: Desk, said: Mapping[str, Any], file: Path | None, limits: Sequence[str], show: bool) -> int:
    """Serve as the settings say, or show them."""
    gathered = server.sources.gathered(said, os.environ, file, limits)
    if show:
        for line in server.sources.shown(gathered, desk.say("default")):
            desk.out.print(line, soft_wrap=True)
        return OK
    return server.commands.serve(server.sources.hosted(gathered), desk.line)


def _address(database: str | None, file: Path | None) -> str | None:
    return server.sources.database_of(database, os.environ, file)


def _store(database: str | None, file: Path | None) -> server.Store:
    return server.Store(_address(database, file))


@database_commands.command("upgrade")
def database_upgrade(context: typer.Context, database: Database = None, settings: SettingsFile = None) -> int:
    """Bring a database up to date, after a backup; serve does the same."""
    before, now = server.keeping.upgrade(_address(database, settings))
    if before == now:
        context.obj.line("The database is up to date (schema {now}).", now=now)
    else:
        context.obj.line("The database was upgraded from schema {before} to {now}.", before=before or "-", now=now)
    return OK


def backup(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    database: Database = None,
    settings: SettingsFile = None,
) -> int:
    """Keep everything of a database in one file, while servers go on.

    It is as of one moment, compressed, readable by its owner only: it holds the seeds of running matches.
    """
    _counted(context, server.keeping.keep(_address(database, settings), file))
    return OK


def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    database: Database = None,
    settings: SettingsFile = None,
) -> int:
    """Bring a backup back into a database that holds nothing yet, of either kind."""
    _counted(context, server.keeping.restore(file, _address(database, settings)))
    return OK


def _counted(context: typer.Context, rows: dict[str, int]) -> None:
    context.obj.line("{matches} matches with {acts} acts.", matches=rows.get("matches", 0), acts=rows.get("acts", 0))


@match_commands.command("list")
def matches_list(
    context: typer.Context,
    database: Database = None,
    settings: SettingsFile = None,
    over: Annotated[bool | None, typer.Option("--over/--running", help="Only finished ones, or only others.")] = None,
    as_json: AsJson = False,
) -> int:
    """Every match: its game, how far it is, when it was last played, and by whom."""
    rows = server.keeping.listed(_store(database, settings), over)
    if as_json:
        context.obj.json(rows)
        return OK
    for row in rows:
        how = "over" if row["over"] else "closed" if row["closed"] else "running"
        state = context.obj.say(how)
        players = ", ".join(f"{seat}: {player}" for seat, player in row["players"].items())
        context.obj.out.print(
            f"{row['id']}  {row['game']:8} {row['version']:5}  {state:8} {row['played'][:16]}  {players}",
            soft_wrap=True,
        )
    return OK


@match_commands.command("show")
def matches_show(
    context: typer.Context, match: Id, database: Database = None, settings: SettingsFile = None, as_json: AsJson = False
) -> int:
    """What happened in a match, in words; also where its rules can no longer be played."""
    kept, story = _store(database, settings).story(match)
    why = server.chronicle.unplayable(kept.header)
    if as_json:
        facts: dict[str, Any] = {"id": match, "game": kept.header.game, "rules": kept.header.rules, "over": kept.over}
        context.obj.json(
            {**facts, "playable": why is None, "events": [server.chronicle.plain(entry) for entry in story]}
        )
        return OK
    if why is not None:
        context.obj.out.print(told(why, context.obj.language), soft_wrap=True)
    for entry in story:
        context.obj.out.print(f"{entry.answer:5}  {entry.text[context.obj.language]}", soft_wrap=True, markup=False)
    return OK


@match_commands.command("export")
def matches_export(
    context: typer.Context,
    match: Id,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The replay file to write.")],
    database: Database = None,
    settings: SettingsFile = None,
) -> int:
    """Write the whole replay file of a match, secrets included."""
    write_text(file, server.keeping.exported(_store(database, settings), match))
    return OK


@match_commands.command("close")
def matches_close(context: typer.Context, match: Id, database: Database = None, settings: SettingsFile = None) -> int:
    """Let nobody play a match on; it can still be looked at."""
    server.keeping.close(_store(database, settings), match)
    return OK


@match_commands.command("delete")
def matches_delete(
    context: typer.Context,
    match: Id,
    database: Database = None,
    settings: SettingsFile = None,
    yes: Annotated[bool, typer.Option("--yes", help="Without asking.")] = False,
) -> int:
    """Delete a match for good."""
    if not yes:
        typer.confirm(context.obj.say("Delete {name} for good?", name=match), abort=True)
    server.keeping.delete(_store(database, settings), match)
    return OK


@match_commands.command("tidy")
def matches_tidy(
    context: typer.Context,
    database: Database = None,
    settings: SettingsFile = None,
    abandoned_days: Annotated[
        float | None, typer.Option(help="Remove matches that are not over and had no answer for so many days.", min=0)
    ] = None,
    finished_days: Annotated[
        float | None, typer.Option(help="Archive matches that have been over for so many days.", min=0)
    ] = None,
    archive: Annotated[Path | None, typer.Option(help="The folder finished matches are written to.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would go.")] = False,
) -> int:
    """Remove abandoned matches and archive finished ones, as the settings say; serve does the same every hour."""
    said = {"database": database, "keep.abandoned_days": abandoned_days, "keep.finished_days": finished_days}
    said["keep.archive"] = None if archive is None else str(archive)
    hosted = server.sources.hosted(server.sources.gathered(said, os.environ, settings))
    store = server.Store(hosted.database or None)
    done = OK
    for one in server.tidying.due(store, hosted.keep):
        went = dry_run or server.tidying.tidied(store, hosted.keep, one)
        if went:
            context.obj.out.print(f"{one.id}  {one.played[:16]}  {one.file if one.over else '-'}", soft_wrap=True)
        elif went is None:
            context.obj.wrong(context.obj.say("{name} is damaged and stays as it is", name=one.id))
            done = WRONG
    return done


@match_commands.command("invite")
def matches_invite(
    context: typer.Context,
    match: Id,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="The seat, such as red; list tells them.")],
    database: Database = None,
    settings: SettingsFile = None,
) -> int:
    """A new link to a seat for somebody who has lost theirs; it is claimed by the first who opens it.

    The old link of the seat ends when the new one is opened.
    """
    token = server.claims.invite_again(_store(database, settings), match, seat)
    context.obj.line("Add this to the address of the server: {link}", link=f"#/join/{token}")
    return OK
