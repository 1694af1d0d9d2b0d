"""Battles set up by hand for the tests, from what a case may give."""

from __future__ import annotations

from typing import Any

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.cases import given
from grognard.games.wh40k.house import HOUSE_RULES
from grognard.games.wh40k.ruleset import Wh40k

RULES = Wh40k()


def house(**switches: Any) -> dict[str, Any]:
    return {name: rule.default for name, rule in HOUSE_RULES.items()} | switches


def battle(units: dict[str, Any], **more: Any) -> Battle:
    """A battle with these units; everything else as given or as usual."""
    return given.create({"units": units, **more}, house())
