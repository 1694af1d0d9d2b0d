"""Where settings come from: the command line counts before the environment, that before the file, that before what is
usual. `grognard serve --show-settings` tells which it was.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from grognard.kernel.data.typed import convert
from grognard.kernel.errors import BadInput
from grognard.server.hosting.hosted import Hosted
from grognard.server.hosting.values import SETTINGS, checked, typed
from grognard.server.http.guard import base_path
from grognard.server.http.proxies import network
from grognard.server.settings import Limits

PREFIX = "GROGNARD_"
#: The variable that names the file.
FILE = "GROGNARD_SETTINGS"
#: Variables of ours that are no settings of a server.
OTHERS = (FILE, "GROGNARD_CI", "GROGNARD_FUZZ_GAMES", "GROGNARD_GOLDEN", "GROGNARD_TEST_LUCK")
#: Tables of the file.
SECTIONS = ("tables", "keep", "limits")
#: Options of the command line that are called otherwise than their settings.
OPTIONS = {"names": "--name", "proxies": "--proxy"}
_PASSWORD = re.compile(r"(://[^/@:]*:)[^/]*(?=@)|((?:^|[?&])password=)[^&]*", re.IGNORECASE)


class Told(NamedTuple):
    """A value and who said it."""

    value: Any
    by: str


def gathered(
    said: Mapping[str, Any], environment: Mapping[str, str], file: Path | None = None, limits: Sequence[str] = ()
) -> dict[str, Told]:
    """Every setting that somebody has said, by its name; `said` are those of the command line that are not None."""
    place = file or (Path(environment[FILE]) if environment.get(FILE) else None)
    found = from_file(place) if place is not None else {}
    found |= from_environment(environment)
    for name, value in said.items():
        if value is not None:
            option = OPTIONS.get(name) or f"--{name.rpartition('.')[2].replace('_', '-')}"
            held = list(value) if isinstance(value, list | tuple) else value
            found[name] = Told(checked(SETTINGS[name], held, option), option)
    return found | from_words(limits)


def hosted(told: Mapping[str, Told]) -> Hosted:
    """All settings, those that were said and those that are usual; what only shows in use is looked at here too."""
    plain: dict[str, Any] = {}
    for name, one in told.items():
        section, dot, key = name.rpartition(".")
        (plain.setdefault(section, {}) if dot else plain)[key] = one.value
    made = convert(plain, Hosted)
    base_path(made.base)
    for proxy in made.proxies:
        network(proxy)
    made.keep.check()
    return made


def database_of(database: str | None, environment: Mapping[str, str], file: Path | None = None) -> str | None:
    """The database a command is about: its own word, or that of the settings."""
    return hosted(gathered({"database": database}, environment, file)).database or None


# ---------------------------------------------------------------------- each source


def from_environment(environment: Mapping[str, str]) -> dict[str, Told]:
    """GROGNARD_PORT=8017, GROGNARD_LIMITS_REQUESTS=400,80; an empty one says nothing."""
    by_variable = {setting.variable: setting for setting in SETTINGS.values()}
    found: dict[str, Told] = {}
    for variable, text in sorted(environment.items()):
        if not variable.startswith(PREFIX) or variable in OTHERS or not text:
            continue
        setting = by_variable.get(variable)
        if setting is None:
            raise BadInput(
                "there is no setting {name}; there are {known}", name=variable, known=_near(variable, by_variable)
            )
        found[setting.name] = Told(typed(setting, text, variable), variable)
    return found


def from_words(words: Sequence[str]) -> dict[str, Told]:
    """Limits as people type them: requests=400,80 or jobs=4."""
    known = [name.partition(".")[2] for name in SETTINGS if name.startswith("limits.")]
    found: dict[str, Told] = {}
    for word in words:
        name, _, text = word.partition("=")
        if name not in known:
            raise BadInput("there is no limit {name}; there are {known}", name=name, known=", ".join(known))
        setting = SETTINGS[f"limits.{name}"]
        found[setting.name] = Told(typed(setting, text, f"--limit {name}"), f"--limit {name}")
    return found


def limits_from(words: Sequence[str]) -> Limits:
    """The usual limits but for these."""
    return hosted(from_words(words)).limits


def from_file(file: Path) -> dict[str, Told]:
    """A TOML file; BadInput names the line."""
    try:
        text = file.read_text(encoding="utf-8")
        held = tomllib.loads(text)
    except OSError as error:
        raise BadInput("the settings {file} cannot be read: {reason}", file=str(file), reason=error.strerror) from None
    except UnicodeDecodeError:
        raise BadInput("the settings {file} are not text in UTF-8", file=str(file)) from None
    except tomllib.TOMLDecodeError as error:
        raise BadInput("the settings {file} are not TOML: {reason}", file=str(file), reason=str(error)) from None
    found: dict[str, Told] = {}
    for section, key, value in _entries(held):
        name = f"{section}.{key}" if section else key
        line = _line(text, section, key)
        place = f"{file}:{line}: {name}" if line else f"{file}: {name}"
        if name not in SETTINGS:
            raise BadInput(
                "{place}: there is no such setting; there are {known}", place=place, known=_near(name, SETTINGS)
            )
        found[name] = Told(checked(SETTINGS[name], value, place), f"{file.name}:{line}" if line else file.name)
    return found


def _entries(held: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for key, value in held.items():
        if key in SECTIONS and isinstance(value, dict):
            yield from ((key, inner, one) for inner, one in value.items())
        else:
            yield "", key, value


def _line(text: str, section: str, key: str) -> int:
    """The line a key stands on; 0 where it is written in a way one must read the whole file for."""
    here = ""
    dotted = f"{section}.{key}" if section else key
    for number, line in enumerate(text.splitlines(), 1):
        if head := re.match(r"\s*\[\s*\"?([\w-]+)\"?\s*\]", line):
            here = head[1]
            if not section and here == key:
                return number
        elif entry := re.match(r"\s*([\w.\"-]+)\s*=", line):
            written = entry[1].replace('"', "")
            if (here == section and written == key) or (not here and written == dotted):
                return number
    return 0


def _near(name: str, known: Iterable[str]) -> str:
    """What somebody may have meant, or all there is."""
    every = list(known)
    return ", ".join(get_close_matches(name, every, 5, 0.7) or every)


# ---------------------------------------------------------------------- telling


def shown(told: Mapping[str, Told], usual: str) -> Iterator[str]:
    """All that is in force, as a settings file, with who said it; no password is shown."""
    made = hosted(told)
    last = ""
    rows = []
    for name in SETTINGS:
        section, _, key = name.rpartition(".")
        if section != last:
            rows += [("", ""), (f"[{section}]", "")]
            last = section
        value = getattr(getattr(made, section) if section else made, key)
        rows.append((f"{key} = {_toml(without_password(value))}", told[name].by if name in told else usual))
    width = max(len(row) for row, by in rows if by)
    for row, by in rows:
        yield f"{row:{width}}  # {by}" if by else row


def without_password(value: Any) -> Any:
    return _PASSWORD.sub(r"\1\2…", value) if isinstance(value, str) else value


def _toml(value: Any) -> str:
    """A value as TOML has it, which for these is JSON."""
    return msgspec.json.encode(value).decode().replace(",", ", ") if not isinstance(value, str) else _quoted(value)


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()
