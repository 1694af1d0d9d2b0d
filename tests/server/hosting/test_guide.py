"""docs/hosting.md as it stands: its settings, its units, its nginx, its commands."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import httpx
import pytest

from grognard.cli import run
from grognard.server.hosting import sources
from grognard.server.storage.storage import Store
from tests.server import nginx
from tests.server.conftest import Serve
from tests.server.hosting.test_processes import served
from tests.server.test_play import HUMANS

ROOT = Path(__file__).resolve().parents[3]
GUIDE = ROOT / "docs" / "hosting.md"
FILES = ROOT / "docs" / "hosting"
OURS = "runuser -u grognard -- /opt/grognard/bin/grognard "


def commands() -> list[str]:
    """Every command on the page."""
    blocks = re.findall(r"```sh\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def settings(folder: Path, database: str) -> Path:
    """The club's, but for where things are here."""
    text = (FILES / "grognard.toml").read_text(encoding="utf-8")
    here = {"postgresql:///grognard": database, "/var/lib/grognard": str(folder), "port = 8017": "port = 0"}
    for old, new in here.items():
        assert old in text
        text = text.replace(old, new)
    file = folder / "grognard.toml"
    file.write_text(text, encoding="utf-8")
    return file


def locked(name: str) -> dict[str, str]:
    """Every package of a lock file, pinned and with its hashes, as it stands there."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return {
        found[1]: found[0]
        for found in re.finditer(r"^([\w.-]+)==\S+ \\\n(?:    --hash=sha256:\w{64}(?: \\)?\n)+", text, re.MULTILINE)
    }


def test_a_server_is_installed_with_the_versions_that_were_tested() -> None:
    """What a server needs, and nothing of what only developers do, pinned to the very files of our own lock."""
    server, ours = locked("requirements-server.lock"), locked("requirements.lock")
    assert server.items() <= ours.items()
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*told["dependencies"], *told["optional-dependencies"]["postgres"]]
    names = {re.split(r"[\[>=<]", one)[0].replace("_", "-") for one in needed}
    assert names <= server.keys() and {"psycopg-binary", "llvmlite"} <= server.keys()
    assert {"pytest", "babel", "resvg-py"} <= ours.keys() - server.keys()
    assert sum(line.endswith("--require-hashes -r requirements-server.lock") for line in commands()) == 2


def test_the_settings_are_settings() -> None:
    made = sources.hosted(sources.from_file(FILES / "grognard.toml"))
    assert made.workers == 2 and made.proxies == ("127.0.0.1",) and made.keep.archive


def test_the_commands_do_what_they_say(
    serve: Serve, postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command of ours on the page, in its order, beside a server with a match in it."""
    file = settings(tmp_path, postgresql)
    monkeypatch.setenv("GROGNARD_SETTINGS", str(file))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    match = serve(postgresql).visitor.match(game="nemesis", players=HUMANS, seed=1)["id"]
    ran = []
    for line in commands():
        if not line.startswith(OURS):
            continue
        line = line.removeprefix(OURS).replace("/var/lib/grognard", str(tmp_path))
        line = line.replace("postgresql:///grognard_restored", f"sqlite:///{tmp_path / 'restored.db'}")
        words = [match if word == "ID" else word for word in shlex.split(line)]
        words += ["--yes"] * (words[:2] == ["matches", "delete"])
        assert run(words) == 0, (words, capsys.readouterr().err)
        ran.append(" ".join(words[:2] if words[0] in ("matches", "database") else words[:1]))
    assert ran == [
        "serve", "backup", "restore", "database upgrade", "matches list", "matches show", "matches export",
        "matches invite", "matches close", "matches delete", "matches tidy",
    ]  # fmt: skip
    assert Store(f"sqlite:///{tmp_path / 'restored.db'}").load(match)[0].id == match, "before it was deleted"


@pytest.mark.parametrize("base", ["", "/club"])
def test_nginx_as_it_stands(postgresql: str, tmp_path: Path, base: str) -> None:
    """The club's server behind the club's nginx, at the root or under a path as the guide says: a seat is sat at, no
    log has its link, and nobody outside asks what is for those who run it.
    """
    program = nginx.program()
    if program is None:
        if os.environ.get("GROGNARD_CI"):
            pytest.fail(nginx.MISSING)
        pytest.skip(nginx.MISSING)
    nginx._certificate(tmp_path)
    more = ["--base", base] if base else []
    with served(postgresql, "--settings", str(settings(tmp_path, postgresql)), *more) as (_, visitor):
        port, behind = free(), visitor.address.rsplit(":", 1)[1]
        site = (FILES / "nginx.conf").read_text(encoding="utf-8")
        places = {
            "/etc/letsencrypt/live/club.example.org/fullchain.pem": f"{tmp_path}/cert.pem",
            "/etc/letsencrypt/live/club.example.org/privkey.pem": f"{tmp_path}/key.pem",
            "/var/log/nginx": str(tmp_path), "127.0.0.1:8017": f"127.0.0.1:{behind}",
            "    listen [::]:80;\n": "", "    listen [::]:443 ssl;\n": "", "listen 80;": f"listen 127.0.0.1:{free()};",
            "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;", "    location / {": f"    location {base}/ {{",
        }  # fmt: skip
        for old, new in places.items():
            assert old in site, old
            site = site.replace(old, new)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = "".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in kinds)
        whole = (
            f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/e.log; events {{}} http {{ {temporary}\n{site}\n}}"
        )
        (tmp_path / "whole.conf").write_text(whole, encoding="utf-8")
        command = [program, "-c", str(tmp_path / "whole.conf"), "-p", str(tmp_path), "-e", str(tmp_path / "e.log")]
        with subprocess.Popen(command) as running:
            try:
                until = time.monotonic() + 20
                while socket.socket().connect_ex(("127.0.0.1", port)) and time.monotonic() < until:
                    time.sleep(0.05)
                secrets = through(port, base)
                for name in OPERATORS:
                    assert visitor.get(f"/{name}").status_code == 200, "the control: it is there for who runs it"
            finally:
                running.terminate()
        logged = "".join(file.read_text(encoding="utf-8") for file in tmp_path.glob("*.log"))
        assert "/api/seats/-/events" in logged and "/api/hosts/-" in logged and "/api/invitations/-" in logged
        assert [secret for secret in secrets if secret in logged] == []


OPERATORS = ("metrics", "readyz", "healthz")


def through(port: int, base: str) -> list[str]:
    """Make a match and sit down at it; the links that came of it."""
    host = {"host": "club.example.org", "origin": "https://club.example.org"}
    with httpx.Client(base_url=f"https://127.0.0.1:{port}{base}", verify=False, headers=host, timeout=120) as page:
        plan = {"game": "nemesis", "players": ["human", "human"], "invite": [1], "seed": 1}
        made = page.post("/api/matches", json=plan).json()
        invitation = made["invitations"]["blue"]
        claimed = page.post(f"/api/invitations/{invitation}", json={"key": "k" * 20}).json()["token"]
        for path in (f"/api/seats/{claimed}", f"/api/seats/{claimed}/events?lang=fr", f"/api/hosts/{made['host']}"):
            assert page.get(path).status_code == 200
        assert page.get("/").status_code == 200
        ways = ("/{}", "//{}", "/./{}", "/x/../{}", "/%2e/{}", "/{}?x=1")
        paths = [base + way.format(name) for name in OPERATORS for way in ways]
        paths += [f"/{name}" for name in OPERATORS] + [f"{base}/%{ord(name[0]):x}{name[1:]}" for name in OPERATORS]
        for path in paths:
            told = raw(port, path)
            assert b" 404 " in told.split(b"\r\n")[0] and b"nginx" in told, path
        other = page.get("/api/games", headers={"host": "elsewhere.example.org"})
        assert other.status_code == 400, "it is called by one name"
    return [invitation, claimed, made["host"], made["spectator"], *made["links"].values()]


def raw(port: int, path: str) -> bytes:
    """What is answered to a path exactly as it stands."""
    known = ssl.create_default_context()
    known.check_hostname, known.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port), 60) as plain, known.wrap_socket(plain) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nhost: club.example.org\r\nconnection: close\r\n\r\n".encode())
        return b"".join(iter(lambda: line.recv(65536), b""))


def free() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    units = []
    for file in [*FILES.glob("*.service"), *FILES.glob("*.timer")]:
        text = file.read_text(encoding="utf-8")
        text = re.sub(r"(?m)^(Exec\w+=)/opt/grognard/bin/\w+", rf"\g<1>{sys.executable}", text)
        units.append(tmp_path / file.name)
        units[-1].write_text(text, encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", *map(str, units)], capture_output=True, text=True)
    assert len(units) == 3 and done.returncode == 0 and not done.stderr.strip(), done.stderr


def test_the_container_is_written_as_containers_are() -> None:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    joined = re.sub(r"\\\n\s*", " ", text)
    lines = [line for line in joined.splitlines() if line and not line.startswith("#")]
    words = [line.split()[0] for line in lines]
    known = "FROM RUN WORKDIR COPY USER ENV VOLUME EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD"
    assert set(words) <= set(known.split()) and words.count("FROM") == 2
    assert [line for line in lines if line.startswith("USER")] == ["USER grognard"]
    for line in lines:
        if "apt-get install" in line:
            assert "--no-install-recommends" in line and "rm -rf /var/lib/apt/lists/*" in line
    assert "\nwheel:" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_guide_is_found() -> None:
    assert "(docs/hosting.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    for name in re.findall(r"docs/hosting/[\w.-]+", "\n".join(commands())):
        assert (ROOT / name).is_file(), name
