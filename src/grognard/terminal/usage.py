"""What typer says and shows, in the user's language; and what the shell completes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer
from typer import rich_utils

import grognard
from grognard.kernel.errors import BadInput, GrognardError
from grognard.kernel.words.texts import gettext

#: Headings of typer's help, by the name of their setting.
HEADINGS = {
    "ARGUMENTS_PANEL_TITLE": "Arguments",
    "OPTIONS_PANEL_TITLE": "Options",
    "COMMANDS_PANEL_TITLE": "Commands",
    "DEFAULT_STRING": "[default: {}]",
    "REQUIRED_LONG_STRING": "[required]",
}
#: The help of options typer brings itself.
BUILT_IN = (
    "Show this message and exit.",
    "Install completion for the current shell.",
    "Show completion for the current shell, to copy it or customize the installation.",
)


def translated(command: Any, language: str) -> Any:
    """The command with every help text in a language; English help texts are keys of the catalogues."""
    for setting, heading in HEADINGS.items():
        setattr(rich_utils, setting, gettext(heading, language))
    for one in every_command(command):
        one.help = gettext(clean(one.help), language) if one.help else one.help
        for param in one.params:
            if getattr(param, "help", None):
                param.help = gettext(param.help, language)
        make = one.get_help_option
        one.get_help_option = lambda context, make=make: _help_option(make(context), language)
    return command


def every_command(command: Any) -> list[Any]:
    """A command and all below it."""
    below = getattr(command, "commands", {}).values()
    return [command, *(deeper for one in below for deeper in every_command(one))]


def _help_option(option: Any, language: str) -> Any:
    if option is not None and option.help:
        option.help = gettext(option.help, language)
    return option


def clean(text: str) -> str:
    """A docstring as paragraphs of one line each."""
    paragraphs = text.strip().split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def sentence(error: typer.TyperException, say: Callable[..., str]) -> str:
    """A wrong command line in one sentence."""
    kind, hint = type(error).__name__, say("grognard --help tells what is possible")
    param = getattr(error, "param", None)
    if kind == "NoSuchOption":
        wrong = say("there is no option {name}", name=getattr(error, "option_name", ""))
    elif kind == "MissingParameter" and param is not None:
        wrong = say("{name} is missing", name=param.display_name_raw)
    elif param is not None:
        wrong = say("{name}: {message}", name=_name(param), message=error.message.rstrip("."))
    elif unknown := re.match(r"No such command '(.*?)'", error.message):
        wrong = say("there is no command {name}", name=unknown[1])
    else:
        wrong = error.format_message().rstrip(".")
    return f"{wrong}; {hint}"


def _name(param: Any) -> str:
    return str(next((word for word in param.opts if word.startswith("--")), param.display_name_raw))


def system_sentence(error: OSError, say: Callable[..., str]) -> str:
    """What the system refused, in one sentence."""
    reasons = {
        FileNotFoundError: say("there is no such file"),
        IsADirectoryError: say("that is a folder, not a file"),
        NotADirectoryError: say("there is no such file"),
        PermissionError: say("you may not read or write it"),
    }
    reason = reasons.get(type(error), error.strerror or str(error))
    return f"{error.filename}: {reason}" if error.filename else reason


def picture_path(path: Path, suffix: str) -> Path:
    """The file of a picture; its name must say what it is."""
    if path.suffix.lower() != suffix:
        raise BadInput("{name}: a picture for --{kind} is called {suffix}", name=path, kind=suffix[1:], suffix=suffix)
    if not path.parent.is_dir():
        raise BadInput("there is no folder {name}", name=str(path.parent))
    return path


# ---------------------------------------------------------------------- completion


def games(incomplete: str) -> list[str]:
    """Games for the shell."""
    return list(grognard.games.RULESETS)


def players(incomplete: str) -> list[str]:
    """Computer players for the shell."""
    return list(grognard.players.PLAYERS)


def scenarios(context: typer.Context) -> list[str]:
    """Scenarios of the game already typed."""
    return _of_game(context, "scenarios")


def armies(context: typer.Context) -> list[str]:
    """Starter armies of the game already typed."""
    return _of_game(context, "armies")


def questions(context: typer.Context) -> list[str]:
    """Odds questions of the game already typed."""
    return _of_game(context, "odds")


def _of_game(context: typer.Context, what: str) -> list[str]:
    try:
        return list(grognard.games.about(str(context.params.get("game")))[what])
    except GrognardError:
        return []
