"""One command, `grognard`: the words of the command line; what each command shows is in terminal/."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

import typer

from grognard import __version__, hosting, server, terminal
from grognard.games import find
from grognard.kernel.errors import BadInput, GrognardError, ScriptError
from grognard.kernel.words import texts
from grognard.terminal import listing, usage
from grognard.terminal.desk import BAD_INPUT, BROKEN, INTERRUPTED, OK, Desk, globals_of

app = typer.Typer(
    name="grognard", rich_markup_mode="rich", pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip

Game = Annotated[str, typer.Argument(metavar="GAME", help="The game, such as nemesis.", autocompletion=usage.games)]
Scenario = Annotated[str | None, typer.Option(help="The scenario; games lists them.", autocompletion=usage.scenarios)]
Armies = Annotated[
    str, typer.Option(help="Army lists, by name or file, one a side: A,B.", autocompletion=usage.armies)
]  # fmt: skip
Seed = Annotated[int, typer.Option(help="The number that decides terrain, dice and players: same seed, same game.")]
House = Annotated[list[str] | None, typer.Option(help="A house rule, name=value; may be given several times.")]
AsJson = Annotated[bool, typer.Option("--json", help="Plain data for programs.")]
Jobs = Annotated[int, typer.Option(help="How many processes share the work.", min=1, max=64)]
CORES = min(8, os.cpu_count() or 1)


@app.callback(invoke_without_command=True)
def grognard(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="The version of Grognard, then leave.")] = False,
    lang: Annotated[str, typer.Option(help="en or fr; the environment's language by default.")] = "",
    debug: Annotated[bool, typer.Option("--debug", help="Tell all about an unexpected error.")] = False,
) -> int:
    """Plays tabletop miniature wargames by the book.

    Start with [bold]grognard games[/], then [bold]grognard watch nemesis[/] or [bold]grognard play nemesis[/].

    Leaves with 0 when all is well, 1 when what was checked is wrong, 2 when the input is.
    """
    if version:
        context.obj.out.print(f"grognard {__version__}")
        raise typer.Exit(OK)
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
    return OK


@app.command()
def games(context: typer.Context, as_json: AsJson = False) -> int:
    """The games there are, with their scenarios and starter armies."""
    return listing.list_games(context.obj, as_json)


@app.command()
def play(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="The game.", autocompletion=usage.games)] = None,
    here: Annotated[bool, typer.Option("--terminal", help="Play here, in the terminal.")] = False,
    port: Annotated[int, typer.Option(help="The port of the table; a free one by default.", min=0, max=65535)] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the table in the browser.")] = True,
    database: Annotated[str | None, typer.Option(help="Where matches are kept; your data folder by default.")] = None,
    side: Annotated[str | None, typer.Option(help="The side you play; the first by default.")] = None,
    players: Annotated[str, typer.Option(help="Who plays, you (me) first: me,captain or me,me.")] = "me,captain",
    scenario: Scenario = None,
    armies: Armies = "",
    seed: Seed = 0,
    house: House = None,
    dice: Annotated[
        Literal["seeded", "by-hand"], typer.Option(help="seeded: Grognard rolls. by-hand: you roll and type the faces.")
    ] = "seeded",
    save: Annotated[
        Path | None, typer.Option(help="Keep the match in this file after every answer; played on if it exists.")
    ] = None,
) -> int:
    """Play in the browser; with --terminal here, against the computer or another person.

    The table opens in your browser: pick a game, two armies and who sits where. Matches are kept in your data folder.

    In the terminal, every question comes with its legal answers by number, with what is barred and which rule bars
    it. While you play, [bold]why[/] explains, [bold]rule ID[/] reads a rule, [bold]undo[/] takes back, [bold]help[/]
    tells the rest. Without a terminal, answers are read line by line.
    """
    if not here:
        said: dict[str, object] = {
            "--side": side,
            "--scenario": scenario,
            "--armies": armies,
            "--seed": seed,
            "--house": house,
        }
        said |= {"--save": save, "--dice": dice != "seeded", "--players": players != "me,captain"}
        if named := [name for name, value in said.items() if value]:
            raise BadInput("{names} belongs to play --terminal", names=", ".join(named))
        if game is not None:
            find(game)  # a wrong name is told before a server starts
        return server.commands.play(port, browser, database, context.obj.line, game)
    chosen = terminal.starting.Chosen(game or "nemesis", scenario, armies, seed, tuple(house or ()), players)
    return terminal.starting.play(context.obj, chosen, side, dice, save)


@app.command()
def serve(
    context: typer.Context,
    settings: hosting.SettingsFile = None,
    host: Annotated[
        str | None, typer.Option(help="The address to listen on; 127.0.0.1 by default, 0.0.0.0 for everyone.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="The port; 8017 by default, 0 takes a free one.", min=0, max=65535)
    ] = None,
    database: Annotated[
        str | None, typer.Option(help="A file, or postgresql://…, which several servers may share.")
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="A name the server is called by; any by default. May be given several times."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(help="The address, or network, of a proxy that says who calls. May be given several times."),
    ] = None,
    proxy_header: Annotated[
        str | None, typer.Option(help="The header in which it says so: x-forwarded-for or forwarded.")
    ] = None,
    base: Annotated[str | None, typer.Option(help="The path under which the server stands, such as /table.")] = None,
    workers: Annotated[
        int | None, typer.Option(help="Server processes on one address; several need PostgreSQL.", min=1, max=64)
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(help="A limit, such as requests=400,80 or jobs=4. May be given several times."),
    ] = None,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"] | None, typer.Option(help="What is logged: this and worse.")
    ] = None,
    log_json: Annotated[bool | None, typer.Option("--log-json", help="Log one JSON object a line.")] = None,
    show_settings: Annotated[
        bool, typer.Option("--show-settings", help="Print all settings that are in force and who set them, then leave.")
    ] = False,
) -> int:
    """Serve the table to others.

    What is said here counts before the environment (GROGNARD_PORT=8017, GROGNARD_LIMITS_JOBS=4), and that before
    the settings file.

    [dim]grognard serve --host 0.0.0.0 --port 8017 --database postgresql://user@host/grognard[/]
    """
    said = {"host": host, "port": port, "database": database, "names": name, "proxies": proxy, "base": base}
    said |= {"proxy_header": proxy_header, "workers": workers, "log_level": log_level, "log_json": log_json}
    return hosting.serve(context.obj, said, settings, limit or (), show_settings)


app.command()(hosting.backup)
app.command()(hosting.restore)
app.add_typer(hosting.database_commands)
app.add_typer(hosting.match_commands)


@app.command()
def watch(
    context: typer.Context,
    game: Game,
    players: Annotated[
        str, typer.Option(help="Who plays, one a side: captain,random.", autocompletion=usage.players)
    ] = "captain,captain",
    scenario: Scenario = None,
    armies: Armies = "",
    seed: Seed = 0,
    house: House = None,
    speed: Annotated[float, typer.Option(help="Events a second; 0 is as fast as it goes.", min=0, max=1000)] = 6,
    count: Annotated[int, typer.Option("--games", help="Play so many games and count who wins.", min=1)] = 1,
    out: Annotated[Path | None, typer.Option(help="Write a replay file (with -1, -2 … for several games).")] = None,
) -> int:
    """Watch computer players, live, or let them play many games.

    [dim]grognard watch nemesis --seed 7 --out game.replay.jsonl[/]

    [dim]grognard watch nemesis --players captain,random --games 20[/]
    """
    chosen = terminal.starting.Chosen(game, scenario, armies, seed, tuple(house or ()), players)
    return terminal.starting.watch(context.obj, chosen, speed, count, out)


@app.command()
def replay(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A replay or save.")],
    at: Annotated[int | None, typer.Option(help="Show the moment after so many answers.")] = None,
    events: Annotated[bool, typer.Option("--events", help="Everything that happened, as sentences.")] = False,
    chart: Annotated[bool, typer.Option("--map", help="The table at the end, or at the moment of --at.")] = False,
    seat: Annotated[str | None, typer.Option(help="Only what this side may know.")] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check the sealed dice too: did this seed roll them?")
    ] = False,
) -> int:
    """Verify that a file reproduces itself byte for byte, and show any moment of it.

    Leaves with 1 where the answers in the file are not what the rules allow.
    """
    return terminal.replaying.replay(context.obj, file, at, events, chart, seat, verify)


@app.command()
def rules(
    context: typer.Context,
    game: Game,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="ID or words", help="A rule's id, or words in it.")
    ] = None,
    coverage: Annotated[bool, typer.Option("--coverage", help="Run the cases: which rules do they exercise?")] = False,
    where: Annotated[bool, typer.Option("--where", help="Which functions carry it out?")] = False,
    as_json: AsJson = False,
    jobs: Jobs = CORES,
) -> int:
    """Read a rule, search the book, or count the rules that cases exercise.

    [dim]grognard rules nemesis 17.3-accuracy[/]

    [dim]grognard rules nemesis control zone[/]

    [dim]grognard rules nemesis 17.3-accuracy --where[/]
    """
    if coverage:
        return terminal.books.rules_coverage(context.obj, game, as_json, jobs)
    if where:
        return terminal.books.rules_where(context.obj, game, words or (), as_json)
    return terminal.books.rules(context.obj, game, words or (), as_json)


@app.command()
def check(
    context: typer.Context,
    paths: Annotated[list[Path] | None, typer.Argument(metavar="PATHS", help="Case files or folders.")] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema of case files.")] = False,
    as_json: AsJson = False,
    jobs: Jobs = CORES,
) -> int:
    """Run worked examples: do the rules still do what the book says?

    All of cases/ by default. A failure prints expected and got side by side, with the line of the case.
    """
    if schema:
        return terminal.books.print_schema(context.obj)
    return terminal.books.check_cases(context.obj, paths or (), as_json, jobs)


@app.command()
def muster(
    context: typer.Context,
    game: Game,
    army: Annotated[
        str | None, typer.Argument(metavar="ARMY", help="An army list: a file, or a starter army's name.",
                                   autocompletion=usage.armies)
    ] = None,
    as_json: AsJson = False,
) -> int:  # fmt: skip
    """Check an army list by the rules; without one, list the starter armies.

    Leaves with 1 where the list breaks a rule.
    """
    return terminal.desks.muster_army(context.obj, game, army, as_json)


@app.command()
def odds(
    context: typer.Context,
    game: Game,
    question: Annotated[
        str | None, typer.Argument(metavar="QUESTION", help="What to weigh; --list tells.",
                                   autocompletion=usage.questions)
    ] = None,
    arguments: Annotated[list[str] | None, typer.Argument(metavar="KEY=VALUE", help="Its arguments.")] = None,
    given: Annotated[Path | None, typer.Option(help="A YAML or JSON file with arguments.")] = None,
    vary: Annotated[str | None, typer.Option(help="Compare values of one argument: key=1,2,3.")] = None,
    as_json: AsJson = False,
    png: Annotated[Path | None, typer.Option(help="Draw a picture as PNG.")] = None,
    svg: Annotated[Path | None, typer.Option(help="Draw a picture as SVG.")] = None,
    listing: Annotated[bool, typer.Option("--list", help="What can be asked, with the arguments.")] = False,
) -> int:  # fmt: skip
    """Exact odds, by the very steps a battle rolls; not simulated, not rounded.

    [dim]grognard odds nemesis --list[/]
    """
    if listing or question is None:
        return terminal.desks.list_odds(context.obj, game, as_json)
    pictures = [usage.picture_path(path, suffix) for path, suffix in ((png, ".png"), (svg, ".svg")) if path]
    return terminal.desks.ask_odds(context.obj, game, question, arguments or (), given, vary, as_json, pictures)


# ---------------------------------------------------------------------- running it


def run(argv: Sequence[str]) -> int:
    """One command line; the exit code. Whatever goes wrong is one sentence on stderr."""
    desk = Desk()
    try:
        words, language, debug = globals_of(argv, os.environ)
        desk = Desk(language, debug=debug)
        command: Any = usage.translated(typer.main.get_command(app), language)
        code = command.main(args=words, prog_name="grognard", standalone_mode=False, obj=desk)
        sys.stdout.flush()
        return code if isinstance(code, int) else OK
    except typer.TyperException as error:
        desk.wrong(usage.sentence(error, desk.say))
    except ScriptError as error:
        return _bug(desk, error)
    except GrognardError as error:
        desk.wrong(texts.told(error, desk.language))
    except UnicodeDecodeError:
        desk.wrong(desk.say("that file is not text in UTF-8"))
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        desk.wrong(usage.system_sentence(error, desk.say))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as error:
        return _bug(desk, error)
    return BAD_INPUT


def _bug(desk: Desk, error: Exception) -> int:
    """Something nobody foresaw: one sentence, and the whole story with --debug."""
    if desk.debug:
        raise error
    facts = {"kind": type(error).__name__, "error": error}
    desk.wrong(desk.say("this is a bug of Grognard ({kind}: {error}); please report it with --debug", **facts))
    return BROKEN


def main() -> NoReturn:
    """The command `grognard`."""
    sys.exit(run(sys.argv[1:]))
