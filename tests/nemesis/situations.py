"""A small army and a small battle of Némésis, for tests to change."""

from __future__ import annotations

from typing import Any

from grognard.games import find
from grognard.games.nemesis.battle import Battle

NEMESIS = find("nemesis")
HOUSE = NEMESIS.house_rules_from({})


def army(**changes: Any) -> dict[str, Any]:
    """A small legal army of the realm, changed."""
    plain: dict[str, Any] = {
        "faction": "realm",
        "points": 300,
        "commander": "captain",
        "units": [
            {"name": "captain", "card": "Captain"},
            {"name": "halberdiers", "card": "Realm Halberdier", "count": 6, "champion": "Sergeant"},
        ],
    }
    return {**plain, **changes}


def found(changed: dict[str, Any]) -> list[tuple[str, str, bool]]:
    return [(f.code, f.rule, f.warning) for f in NEMESIS.check_army(changed)]


def given(**more: Any) -> Battle:
    battle = NEMESIS.create({"given": more}, HOUSE)
    assert isinstance(battle, Battle)
    return battle
