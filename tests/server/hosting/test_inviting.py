"""Invitations: the first who opens one sits down; whoever made the match sees open or taken, and nothing else."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
import sqlalchemy as sql
from websockets.exceptions import ConnectionClosed

from grognard.cli import run
from grognard.server.storage.schema import invitations, seats
from grognard.server.storage.storage import Store
from tests.server.client import Message, Visitor
from tests.server.conftest import Serve
from tests.server.test_play import HUMANS, play_on

KEY = "k" * 20


def made_by(visitor: Visitor, invite: list[int], **more: object) -> Message:
    return visitor.match(game="toy", players=HUMANS, invite=invite, **more)


def claim(visitor: Visitor, token: str, key: str = KEY, lang: str = "en") -> tuple[int, Message]:
    got = visitor.http.post(f"/api/invitations/{token}?lang={lang}", json={"key": key})
    return got.status_code, got.json()


def states(visitor: Visitor, made: Message) -> dict[str, str]:
    got = visitor.get(f"/api/hosts/{made['host']}")
    assert got.status_code == 200 and got.json()["match"] == made["id"]
    return {one["seat"]: one["state"] for one in got.json()["seats"]}


def test_the_first_sits_down(serve: Serve, database: str) -> None:
    visitor = serve(database).visitor
    made = made_by(visitor, [1])
    assert set(made["links"]) == {"red"} and set(made["invitations"]) == {"blue"}
    token = made["invitations"]["blue"]
    assert states(visitor, made) == {"blue": "open"}
    assert visitor.get(f"/api/seats/{token}").status_code == 404, "an invitation is no seat"
    status, mine = claim(visitor, token)
    assert status == 200 and (mine["match"], mine["seat"], mine["role"]) == (made["id"], "blue", "seat")
    assert claim(visitor, token) == (200, mine), "who asks again with the same key gets the same link"
    status, other = claim(visitor, token, "another's key, long enough")
    assert (
        status == 409 and other["error"]["code"] == "taken" and other["error"]["words"]["fr"].startswith("cette place")
    )
    assert states(visitor, made) == {"blue": "taken"}
    assert mine["token"] not in json.dumps(visitor.get(f"/api/hosts/{made['host']}").json())
    with visitor.sit(made["links"]["red"]) as red, visitor.sit(mine["token"]) as blue:
        play_on({"red": red, "blue": blue}, Random(1))
        red.until(lambda state: state["over"])


def test_of_many_at_once_one_sits_down(serve: Serve, database: str) -> None:
    visitor = serve(database).visitor
    made = made_by(visitor, [0, 1])
    for token in made["invitations"].values():
        with ThreadPoolExecutor(8) as pool:
            got = list(pool.map(lambda n, token=token: claim(visitor, token, f"{n}" * 20)[0], range(8)))
        assert sorted(got) == [200] + [409] * 7


def test_links_are_made_anew_until_they_are_claimed(serve: Serve, database: str) -> None:
    visitor = serve(database).visitor
    made = made_by(visitor, [1])
    place = f"/api/hosts/{made['host']}/invitations/blue"
    old, new = made["invitations"]["blue"], visitor.http.post(place).json()["invitation"]
    status, told = claim(visitor, old)
    assert status == 410 and told["error"]["code"] == "revoked"
    assert states(visitor, made) == {"blue": "open"}
    assert visitor.http.delete(place).json()["seats"] == [{"seat": "blue", "role": "seat", "state": "revoked"}]
    assert claim(visitor, new)[0] == 410
    newest = visitor.http.post(place).json()["invitation"]
    assert claim(visitor, newest)[0] == 200
    for got in (visitor.http.post(place), visitor.http.delete(place)):
        assert got.status_code == 409 and got.json()["error"]["code"] == "taken", "nobody is turned out of a seat"
    assert visitor.http.post(f"/api/hosts/{made['host']}/invitations/red").status_code == 404, "red is not given away"


def test_who_may_not(serve: Serve, sqlite: str) -> None:
    """Neither seats nor invitations look after a match; its maker's link is no seat; nonsense is nothing."""
    visitor = serve(sqlite).visitor
    made = made_by(visitor, [1])
    for token in (made["links"]["red"], made["spectator"], made["invitations"]["blue"], "nonsense"):
        assert visitor.get(f"/api/hosts/{token}").status_code == 404
        assert visitor.http.post(f"/api/hosts/{token}/spectators").status_code == 404
    for way in ("", "/save", "/events", "/moments/0"):
        assert visitor.get(f"/api/seats/{made['host']}{way}").status_code == 404
    assert visitor.http.post(f"/api/seats/{made['spectator']}/invitation").status_code == 403
    assert claim(visitor, "nonsense")[0] == 404 and claim(visitor, made["links"]["red"])[0] == 404
    assert claim(visitor, made["invitations"]["blue"], "short")[0] == 400
    assert (
        visitor.http.post(f"/api/invitations/{made['invitations']['blue']}", json={"key": KEY, "x": 1}).status_code
        == 400
    )
    assert states(visitor, made) == {"blue": "open"}, "none of this has claimed it"


def test_sitting_down_elsewhere(serve: Serve, database: str) -> None:
    """A player's own invitation: the old link goes on until it is claimed, then its pages are closed."""
    running = serve(database, poll=0.1)
    visitor = running.visitor
    made = made_by(visitor, [1])
    old = made["links"]["red"]
    with visitor.sit(old) as red:
        assert red.ask("auto", kind="strike.target", on=True)["type"] == "accepted"
        first, second = (visitor.http.post(f"/api/seats/{old}/invitation").json()["invitation"] for _ in range(2))
        assert claim(visitor, first)[0] == 410, "the newest counts"
        assert red.ask("ping")["type"] == "pong"
        status, mine = claim(visitor, second)
        assert status == 200 and mine["seat"] == "red"
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                red.hear(20)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404
    assert visitor.get(f"/api/seats/{old}").status_code == 404
    assert visitor.http.post(f"/api/seats/{old}/invitation").status_code == 404
    with visitor.sit(mine["token"]) as red:
        assert red.state["automatic"] == {"strike.target": True}, "what was set comes along"
        assert red.play("left")["version"] == 2


def test_spectators_anew(serve: Serve, database: str) -> None:
    visitor = serve(database, poll=0.1).visitor
    made = made_by(visitor, [])
    further = visitor.http.post(f"/api/seats/{made['links']['red']}/spectators").json()["spectator"]
    with visitor.sit(further) as page:
        new = visitor.http.post(f"/api/hosts/{made['host']}/spectators").json()["spectator"]
        with pytest.raises(ConnectionClosed):
            while True:
                page.hear(20)
    for old in (made["spectator"], further):
        assert visitor.get(f"/api/seats/{old}").status_code == 404
    assert visitor.get(f"/api/seats/{new}").json()["role"] == "spectator"
    assert visitor.get(f"/api/seats/{made['links']['red']}").status_code == 200


def test_the_referee_is_invited_too(serve: Serve, sqlite: str) -> None:
    visitor = serve(sqlite).visitor
    made = visitor.match(game="wfb3", players=HUMANS, house={"referee": "person"}, seed=1, invite=[1])
    master = next(seat for seat in made["invitations"] if seat not in made["players"])
    assert "referee" not in made and claim(visitor, made["invitations"][master])[1]["role"] == "referee"


def test_matches_without_invitations_go_on(serve: Serve, database: str) -> None:
    """Programs that ask for none get every link, as ever; nobody looks after those."""
    visitor = serve(database).visitor
    made = visitor.match(game="toy", players=HUMANS)
    assert set(made["links"]) == {"red", "blue"} and "host" not in made and "invitations" not in made
    assert visitor.get(f"/api/seats/{made['links']['blue']}").status_code == 200


def test_nothing_of_links_is_kept_but_digests(serve: Serve, sqlite: str) -> None:
    visitor = serve(sqlite).visitor
    made = made_by(visitor, [1])
    mine = claim(visitor, made["invitations"]["blue"])[1]["token"]
    with Store(sqlite).engine.connect() as connection:
        held = [*connection.execute(sql.select(seats)), *connection.execute(sql.select(invitations))]
    for token in (mine, made["host"], made["invitations"]["blue"], made["links"]["red"]):
        assert token not in str(held)


def test_whoever_runs_the_server_helps(serve: Serve, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody has lost the link: the operator makes one, which ends the old when it is opened."""
    visitor = serve(database).visitor
    made = made_by(visitor, [1])
    for seat, old in (("red", made["links"]["red"]), ("blue", None)):
        assert run(["matches", "invite", made["id"], seat, "--database", database]) == 0
        token = capsys.readouterr().out.split("#/join/")[1].split()[0]
        status, mine = claim(visitor, token)
        assert status == 200 and mine["seat"] == seat
        assert old is None or visitor.get(f"/api/seats/{old}").status_code == 404
    assert claim(visitor, made["invitations"]["blue"])[0] == 410
    assert run(["matches", "invite", made["id"], "green", "--database", database]) == 2
