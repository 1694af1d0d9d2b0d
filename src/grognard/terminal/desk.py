"""Where a command writes and in which language."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from grognard.kernel.errors import BadInput
from grognard.kernel.words.texts import LANGUAGES, gettext
from grognard.kernel.words.wording import worded

#: How wide we write where there is no terminal to ask.
WIDTH = 100
OK, WRONG, BAD_INPUT, BROKEN, INTERRUPTED = 0, 1, 2, 70, 130


class Desk:
    """Two consoles and a language; handed to every command."""

    def __init__(self, language: str = "en", *, debug: bool = False) -> None:
        self.language = language
        self.debug = debug
        self.out = _console(stderr=False)
        self.err = _console(stderr=True)

    def say(self, sentence: str, **facts: Any) -> str:
        """An English sentence in the desk's language, with its facts."""
        said = gettext(sentence, self.language)
        return worded(said, facts, self.language) if facts else said

    def line(self, sentence: str, **facts: Any) -> None:
        """One line of ordinary text."""
        self.out.print(self.say(sentence, **facts), soft_wrap=True)

    def wrong(self, sentence: str) -> None:
        """What went wrong, on one line of stderr."""
        one = " ".join(sentence.split())
        self.err.print(f"grognard: {one}", soft_wrap=True, style="red" if self.err.is_terminal else None)

    def json(self, value: Any) -> None:
        """Plain data as JSON, whatever the width."""
        self.out.file.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")

    def progress(self) -> Progress:
        """A progress bar on stderr that leaves nothing behind; silent where nobody looks."""
        return Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
            console=self.err, transient=True, disable=not self.err.is_terminal,
        )  # fmt: skip


def _console(stderr: bool) -> Console:
    console = Console(stderr=stderr, markup=False, highlight=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = WIDTH
    return console


# ---------------------------------------------------------------------- what stands anywhere on the line


class Globals(NamedTuple):
    """The words of a command line without the options that every command takes."""

    words: list[str]
    language: str
    debug: bool


def globals_of(argv: Sequence[str], environment: Mapping[str, str]) -> Globals:
    """--lang and --debug wherever they stand; the language of the environment without --lang."""
    words: list[str] = []
    language, debug, rest = "", False, list(argv)
    while rest:
        word = rest.pop(0)
        if word == "--":
            words += [word, *rest]
            break
        if word == "--debug":
            debug = True
        elif word == "--lang":
            language = rest.pop(0) if rest else "-"
        elif word.startswith("--lang="):
            language = word.removeprefix("--lang=")
        else:
            words.append(word)
    if language and language not in LANGUAGES:
        raise BadInput("there is no language {name}; there are {known}", name=language, known=", ".join(LANGUAGES))
    return Globals(words, language or environment_language(environment), debug)


def environment_language(environment: Mapping[str, str]) -> str:
    """The first of LC_ALL, LC_MESSAGES and LANG that is set decides; English where we do not speak it."""
    chosen = next((environment[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(key)), "en")
    short = chosen.replace("-", "_").split("_")[0].split(".")[0].casefold()
    return short if short in LANGUAGES else "en"


# ---------------------------------------------------------------------- files


def read_bytes(path: Path, limit: int) -> bytes:
    """What a file holds, within a limit; BadInput for folders and giants, OSError for the rest."""
    if path.is_dir():
        raise BadInput("{name} is a folder, not a file", name=str(path))
    with path.open("rb") as file:
        raw = file.read(limit + 1)
    if len(raw) > limit:
        raise BadInput("{name} is larger than {size} MiB", name=str(path), size=limit // 1024 // 1024)
    return raw


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    if path.is_dir():
        raise BadInput("{name} is a folder, not a file", name=str(path))
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


#: Where cases may be: beside the code of a checkout, or in the package as it is installed.
CASES = (Path(__file__).resolve().parents[3] / "cases", Path(__file__).resolve().parents[1] / "cases")


def cases_folder() -> Path:
    """The cases of the folder one is in, else of the checkout the package was installed from, else of the package."""
    found = next((folder for folder in (Path.cwd() / "cases", *CASES) if folder.is_dir()), None)
    if found is None:
        raise BadInput("there are no cases here; name the files or folders to check")
    return found
