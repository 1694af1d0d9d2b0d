"""Settings: the command line before the environment before the file; what is wrong is one sentence with its place."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from grognard.cli import run
from grognard.kernel.errors import BadInput
from grognard.server.hosting import sources
from grognard.server.hosting.hosted import Hosted
from grognard.server.hosting.values import SETTINGS


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may have settings of his own."""
    import os

    for name in [name for name in os.environ if name.startswith(sources.PREFIX)]:
        if name not in sources.OTHERS[1:]:
            monkeypatch.delenv(name)


def written(folder: Path, text: str) -> Path:
    file = folder / "club.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_who_counts_before_whom(tmp_path: Path) -> None:
    file = written(tmp_path, "port = 1\nbase = '/file'\nlog_json = true\n[limits]\njobs = 1\nupload = 7\nbody = 5\n")
    environment = {
        "GROGNARD_PORT": "2",
        "GROGNARD_BASE": "/env",
        "GROGNARD_LIMITS_JOBS": "2",
        "GROGNARD_LIMITS_BODY": "6",
    }
    told = sources.gathered({"port": 3, "host": None}, environment, file, ["jobs=3"])
    made = sources.hosted(told)
    assert (made.port, made.base, made.log_json, made.host) == (3, "/env", True, Hosted().host)
    assert (made.limits.jobs, made.limits.body, made.limits.upload) == (3, 6, 7)
    assert made.limits.all_jobs == Hosted().limits.all_jobs
    by = {name: one.by for name, one in told.items()}
    assert by == {
        "port": "--port", "base": "GROGNARD_BASE", "log_json": "club.toml:3", "limits.jobs": "--limit jobs",
        "limits.body": "GROGNARD_LIMITS_BODY", "limits.upload": "club.toml:6",
    }  # fmt: skip


def test_every_setting_can_be_set_everywhere(tmp_path: Path) -> None:
    """What --show-settings prints is a settings file; the same by the environment comes to the same."""
    text = "\n".join(sources.shown({}, "usual"))
    assert sources.hosted(sources.from_file(written(tmp_path, text))) == Hosted()
    others: dict[str, str] = {"archive": "files"}
    for name, setting in SETTINGS.items():
        kind = {bool: "yes", int: "7", float: "7.5", str: "127.0.0.1"}.get(setting.kind, "")
        others[name] = kind or {"proxy_header": "forwarded", "log_level": "debug"}.get(name, "7,8.5")
    others |= {"base": "/x", "names": "a,b", "proxies": "127.0.0.1, 10.0.0.0/8"}
    environment = {SETTINGS[name].variable: text for name, text in others.items() if name in SETTINGS}
    made = sources.hosted(sources.from_environment(environment))
    file = "\n".join(sources.shown(sources.from_environment(environment), "usual"))
    assert "usual" not in file and sources.hosted(sources.from_file(written(tmp_path, file))) == made
    assert made.limits.requests == (7.0, 8.5) and made.proxies == ("127.0.0.1", "10.0.0.0/8") and made.log_json is True


WRONG = {
    "prot = 1": r"club\.toml:1: prot: there is no such setting; there are .*port",
    "[limits]\n\nrequest = [1, 2]": r"club\.toml:3: limits\.request: .*limits\.requests",
    "[limit]\njobs = 3": r"club\.toml:1: limit: there is no such setting",
    "port = '8017'": r"club\.toml:1: port: write a whole number from 0 to 65535, not 8017",
    "port = 70000": "port: write a whole number from 0 to 65535, not 70000",
    "workers = 0": "workers: write a whole number from 1 to 64, not 0",
    "log_json = 1": "log_json: write true or false, not 1",
    "log_level = 'loud'": "log_level: write one of debug, info, warning, error, not loud",
    "names = 'club.example.org'": "names: write a list of texts, not club.example.org",
    "host = 5": "host: write a text, not 5",
    "limits.requests = 5": r"club\.toml:1: limits\.requests: write two numbers above 0, such as 400, 80, not 5",
    "[limits]\nrequests = [0, 5]": "two numbers",
    "[limits]\nodds_seconds = nan": "number above 0",
    "[limits]\njobs = true": "whole number from 1, not true",
    "[keep]\nabandoned_days = -1": "a number, or 0 for never",
    "[keep]\nfinished_days = 3": r"keep\.archive",
    "limits = 3": "limits: there is no such setting",
    "proxies = ['nginx']": "nginx is no address of a proxy",
    "base = '/a b'": "no path",
    "port = \nbase = ''": "not TOML: .*line 1",
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_one_sentence(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, text)
    for words in (["serve"], ["serve", "--show-settings"], ["matches", "list"], ["backup", "x"]):
        assert run([*words, "--settings", str(file)]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert re.search(WRONG[text], line), line


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("GROGNARD_PRT", "1", "GROGNARD_PRT; there are GROGNARD_PORT"),
        ("GROGNARD_PORT", "many", "GROGNARD_PORT: write a whole number"),
        ("GROGNARD_LIMITS_REQUESTS", "4", "GROGNARD_LIMITS_REQUESTS: write two numbers"),
        ("GROGNARD_LOG_JSON", "perhaps", "GROGNARD_LOG_JSON: write true or false"),
        ("GROGNARD_SETTINGS", "/nowhere/x.toml", "/nowhere/x.toml"),
    ],
)
def test_the_environment_is_checked(
    variable: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(variable, value)
    assert run(["serve", "--show-settings"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_no_password_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for place in (
        "postgresql://club:open sesame@db/grognard",
        "postgresql://club:op@en@db/grognard?sslmode=require",
        "postgresql://db/grognard?user=club&password=open&sslmode=require",
    ):
        assert run(["serve", "--show-settings", "--database", place]) == 0
        out = capsys.readouterr().out
        assert "op" not in tomllib.loads(out)["database"] and "grognard" in tomllib.loads(out)["database"], out
    assert run(["serve", "--show-settings", "--database", "postgresql://club@db/open"]) == 0
    assert "postgresql://club@db/open" in capsys.readouterr().out


def test_other_commands_read_them_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A database is named once for all commands; their own word counts first."""
    file = written(tmp_path, f"database = '{tmp_path / 'club.db'}'")
    monkeypatch.setenv("GROGNARD_SETTINGS", str(file))
    assert run(["matches", "list"]) == 0 and (tmp_path / "club.db").exists()
    assert run(["matches", "list", "--database", str(tmp_path / "mine.db")]) == 0
    assert (tmp_path / "mine.db").exists()
    monkeypatch.setenv("GROGNARD_DATABASE", str(tmp_path / "third.db"))
    assert run(["backup", str(tmp_path / "b")]) == 2
    assert "third.db" in capsys.readouterr().err


def test_the_command_line_is_checked_like_the_rest() -> None:
    with pytest.raises(BadInput, match="--proxy-header: write one of x-forwarded-for, forwarded, not x-real-ip"):
        sources.gathered({"proxy_header": "x-real-ip"}, {})
    with pytest.raises(BadInput, match="--limit jobs: write a whole number from 1, not 1,2"):
        sources.gathered({}, {}, limits=["jobs=1,2"])
