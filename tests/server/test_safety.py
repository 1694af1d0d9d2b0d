"""Strangers at the door: other sites' pages, other names, long paths, giants, floods. Each gets an error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from grognard.kernel.match import saves
from grognard.server.app import UNBUILT
from grognard.server.commands import allowed_hosts
from grognard.server.settings import Limits
from tests.server.conftest import PLENTY, Running, Serve
from tests.server.test_play import HUMANS


def error(response: Any) -> str:
    """The code of an error, which has the one form."""
    body = response.json()
    assert set(body) == {"error"} and {"text", "code"} <= set(body["error"]), body
    assert response.status_code >= 400 and "Traceback" not in response.text
    return str(body["error"]["code"])


@pytest.fixture
def running(serve: Serve, sqlite: str, tmp_path: Path) -> Running:
    page = tmp_path / "static"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html>the table")
    (page / "assets" / "app-1234.js").write_text("1")
    (tmp_path / "secret.txt").write_text("secret")
    (page / "way-out").symlink_to(tmp_path / "secret.txt")
    return serve(sqlite, static=page, hosts=allowed_hosts("127.0.0.1", ()))


def test_every_answer_has_its_headers(running: Running) -> None:
    for path in ("/", "/api/games", "/api/nothing", "/assets/app-1234.js", "/api/seats/x/report"):
        head = running.visitor.get(path).headers
        policy = head["content-security-policy"]
        assert "script-src 'self';" in policy and "frame-ancestors 'none'" in policy
        assert head["x-content-type-options"] == "nosniff" and head["referrer-policy"] == "no-referrer"
        assert "server" not in head
    assert "no-store" in running.visitor.get("/api/games").headers["cache-control"]
    assert "immutable" in running.visitor.get("/assets/app-1234.js").headers["cache-control"]


def test_the_page_and_nothing_beside_it(running: Running) -> None:
    assert running.visitor.get("/").text == running.visitor.get("/seat/abc").text == "<!doctype html>the table"
    for path in (
        "/../secret.txt", "/%2e%2e/secret.txt", "/assets/../../secret.txt", "/assets/%2e%2e/%2e%2e/secret.txt",
        "/way-out", "/..%2fsecret.txt", "/%5c..%5csecret.txt", "/secret.txt", "/%00", "//secret.txt", "/etc/passwd",
    ):  # fmt: skip
        shown = running.visitor.http.build_request("GET", "/").url.copy_with(raw_path=path.encode())
        assert "secret" not in running.visitor.http.get(shown).text, path


def test_no_redirects_at_all(running: Running) -> None:
    for path in ("/api/games/", "//evil.example/", "/api//games", "/seat/", "/%2f%2fevil.example"):
        url = running.visitor.http.build_request("GET", "/").url.copy_with(raw_path=path.encode())
        response = running.visitor.http.get(url, follow_redirects=False)
        assert not response.is_redirect and "location" not in response.headers, path


def test_an_unbuilt_page_says_how_to_build_it(serve: Serve, sqlite: str, tmp_path: Path) -> None:
    response = serve(sqlite, static=tmp_path / "none").visitor.get("/")
    assert response.status_code == 503 and response.text == UNBUILT and "make web" in UNBUILT


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "file://", "http://[", "x"])
def test_other_sites_pages_are_sent_away(running: Running, origin: str) -> None:
    visitor = running.visitor
    made = visitor.match(game="toy", players=HUMANS)
    refused = visitor.http.post("/api/matches", json={"game": "toy"}, headers={"origin": origin})
    assert refused.status_code == 403 and error(refused) == "origin"
    place = f"{visitor.address.replace('http', 'ws', 1)}/api/seats/{made['links']['red']}/live"
    with pytest.raises(InvalidStatus):
        connect(place, additional_headers={"Origin": origin})


def test_our_own_page_is_let_in(running: Running) -> None:
    visitor = running.visitor
    head = {"origin": visitor.address}
    assert visitor.http.post("/api/matches", json={"game": "toy"}, headers=head).status_code == 201
    made = visitor.match(game="toy", players=HUMANS)
    with visitor.sit(made["links"]["red"], additional_headers={"Origin": visitor.address}) as red:
        assert red.state["type"] == "state"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "[", ""])
def test_other_names_are_not_ours(running: Running, host: str) -> None:
    assert error(running.visitor.http.get("/api/games", headers={"host": host})) == "host"


def test_which_names_are_ours() -> None:
    assert allowed_hosts("0.0.0.0", ()) == ()
    assert "evil" not in allowed_hosts("127.0.0.1", ())
    assert set(allowed_hosts("0.0.0.0", ["table.example"])) >= {"table.example", "localhost"}


@pytest.mark.parametrize(
    ("sent", "head", "status"),
    [
        (b"{", {"content-type": "application/json"}, 400),
        (b"[]", {"content-type": "application/json"}, 400),
        (b'{"game": "toy", "more": 1}', {"content-type": "application/json"}, 400),
        (b'{"game": "chess"}', {"content-type": "application/json"}, 404),
        (b'{"game": "toy", "scenario": "none"}', {"content-type": "application/json"}, 400),
        (b'{"game": "toy", "players": ["god"]}', {"content-type": "application/json"}, 400),
        (b'{"game": "toy", "players": ["human", "human", "human"]}', {"content-type": "application/json"}, 400),
        (b'{"game": "toy", "house": {"rounds": 99}}', {"content-type": "application/json"}, 400),
        (b'{"game": "nemesis", "armies": ["../../etc/passwd"]}', {"content-type": "application/json"}, 400),
        (b'{"game": "nemesis", "armies": ["a: !file rulebook.yaml"]}', {"content-type": "application/json"}, 400),
        (b'{"game": "nemesis", "armies": ["a: [" , "b"]}', {"content-type": "application/json"}, 400),
        (b'{"game": "nemesis", "house": {"table_width": 1e300}}', {"content-type": "application/json"}, 400),
        (b'{"game": "toy", "seed": -1}', {"content-type": "application/json"}, 400),
        (b'{"game": "\xff"}', {"content-type": "application/json"}, 400),
        (b"[" * 100_000, {"content-type": "application/json"}, 400),
        (b"game=toy", {"content-type": "application/x-www-form-urlencoded"}, 415),
        (b" " * (2 * 1024 * 1024), {"content-type": "application/json"}, 413),
    ],
)  # fmt: skip
def test_matches_that_cannot_be(running: Running, sent: bytes, head: dict[str, str], status: int) -> None:
    response = running.visitor.http.post("/api/matches", content=sent, headers=head)
    assert response.status_code == status, response.text
    assert error(response)


def _replay(running: Running) -> bytes:
    made = running.visitor.match(game="toy", players=["random", "random"])
    with running.visitor.sit(made["spectator"]) as watcher:
        watcher.until(lambda state: state["over"])
    return running.visitor.get(f"/api/seats/{made['spectator']}/save").content


def test_a_finished_match_comes_in_with_its_seal(running: Running) -> None:
    raw = _replay(running)
    head = {"content-type": "application/x-ndjson"}
    made = running.visitor.http.post("/api/matches/import", content=raw, headers=head).json()
    assert made["over"] and made["seal"] == json.loads(raw.splitlines()[0])["dice"]["seal"]
    assert running.visitor.get(f"/api/seats/{made['spectator']}/save").content == raw


def test_files_are_read_with_care(running: Running) -> None:
    raw = _replay(running)
    lines = raw.splitlines()
    header = json.loads(lines[0])
    wrong = {
        "empty": b"", "cut": raw[:-1], "no save": b"hello\n", "bomb": b"[" * 100_000 + b"\n",
        "binary": bytes(range(256)),
        "other game": json.dumps({**header, "game": "chess"}).encode() + b"\n",
        "other rules": json.dumps({**header, "rules": "99"}).encode() + b"\n",
        "other cards": json.dumps({**header, "cards": "0"}).encode() + b"\n",
        "bad setup": json.dumps({**header, "setup": {"given": {"x": [[[]]]}}}).encode() + b"\n",
        "setup of none": json.dumps({**header, "setup": {}}).encode() + b"\n",
        "huge setup": json.dumps({**header, "setup": {"x": "y" * 300_000}}).encode() + b"\n",
        "illegal": b"\n".join([lines[0], b'{"q":"trap.lay","seat":"red","a":"up","secret":true}']) + b"\n",
        "too long": raw + lines[-1] * 3 + b"\n",
    }  # fmt: skip
    head = {"content-type": "application/x-ndjson"}
    before = len(running.server.tables)
    for what, content in wrong.items():
        response = running.visitor.http.post("/api/matches/import", content=content, headers=head)
        assert response.status_code == 400 and error(response) == "bad-input", (what, response.text)
    giant = running.visitor.http.post("/api/matches/import", content=b"x" * (17 * 1024 * 1024), headers=head)
    assert giant.status_code == 413
    assert len(running.server.tables) == before
    with pytest.raises(Exception, match="cut off"):
        saves.parse(raw[:-1])


def test_strangers_files_are_played_elsewhere_first(serve: Serve, sqlite: str) -> None:
    kept = Path(__file__).parents[1] / "golden" / "nemesis-2.jsonl"
    golden = b"".join(kept.read_bytes().splitlines(keepends=True)[:12])
    running = serve(sqlite, workers=1)
    head = {"content-type": "application/x-ndjson"}
    made = running.visitor.http.post("/api/matches/import", content=golden, headers=head, timeout=180)
    assert made.status_code == 201, made.text
    first, rest = golden.split(b"\n", 1)
    header = json.loads(first) | {"setup": {"given": {"units": {"a": {"side": "red", "card": "x", "count": 10**9}}}}}
    bad = json.dumps(header).encode() + b"\n" + rest
    refused = running.visitor.http.post("/api/matches/import", content=bad, headers=head, timeout=180)
    assert refused.status_code == 400 and error(refused) == "bad-input"
    cut = running.visitor.http.post("/api/matches/import?lang=fr", content=b"nonsense", headers=head, timeout=180)
    assert cut.json()["error"]["text"].startswith("ligne 1 : "), "what is wrong with it is told in any language"


def test_floods_are_held_back(serve: Serve, sqlite: str) -> None:
    few = Limits(requests=(30, 0.001), matches=(2, 0.001), messages=(1e9, 1e9), connections=2)
    visitor = serve(sqlite, limits=few).visitor
    codes = [visitor.http.post("/api/matches", json={"game": "toy"}).status_code for _ in range(4)]
    assert codes == [201, 201, 429, 429]
    response = next(r for r in (visitor.get("/api/games") for _ in range(40)) if r.status_code != 200)
    assert response.status_code == 429 and error(response) == "too-many" and response.headers["retry-after"]


def test_connections_and_messages_are_counted(serve: Serve, sqlite: str) -> None:
    few = Limits(requests=PLENTY.requests, matches=PLENTY.matches, messages=(3, 0.001), connections=2, bad_messages=5)
    visitor = serve(sqlite, limits=few).visitor
    made = visitor.match(game="toy", players=HUMANS)
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(made["links"]["blue"]):
        with visitor.sit(made["spectator"]) as third, pytest.raises(ConnectionClosed) as closed:
            assert json.loads(third.heard[0])["code"] == "too-many"
            third.hear()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4429
        replies = [red.ask("ping")["type"] for _ in range(5)]
        assert replies == ["pong"] * 3 + ["error"] * 2


def test_links_to_nowhere(running: Running) -> None:
    for path in ("", "/save", "/report", "/moments/0"):
        assert error(running.visitor.get(f"/api/seats/nobody{path}")) == "no-seat"
    with running.visitor.sit("nobody") as page, pytest.raises(ConnectionClosed) as closed:
        assert json.loads(page.heard[0])["code"] == "no-seat"
        page.hear()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404


def test_french_errors(running: Running) -> None:
    """In the language that was asked for, and in both, so that a page can turn from one to the other."""
    english = running.visitor.get("/api/seats/nobody").json()["error"]
    french = running.visitor.get("/api/seats/nobody?lang=fr").json()["error"]
    assert english["text"] != french["text"]
    assert english["words"] == french["words"] == {"en": english["text"], "fr": french["text"]}


def test_a_refused_house_rule_is_called_as_the_page_calls_it(running: Running) -> None:
    plan = {"game": "nemesis", "armies": [], "players": HUMANS, "house": {"zone_depth": 400}}
    refused = running.visitor.http.post("/api/matches?lang=fr", json=plan).json()["error"]
    assert "“Depth of the deployment zones in cm.”" in refused["words"]["en"]
    assert "« Profondeur des zones de déploiement en cm. »" in refused["text"]
    assert "zone_depth" not in str(refused)
