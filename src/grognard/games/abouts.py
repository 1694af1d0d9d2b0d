"""A game in short: its title, how many rules it has, its scenarios and armies.

Each game's about.json says it, so that listing the games imports none of them; `make pages` writes it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grognard.kernel.ruleset import Ruleset

FOLDER = Path(__file__).parent


def path_of(game: str) -> Path:
    return FOLDER / game / "about.json"


def about(ruleset: Ruleset) -> dict[str, Any]:
    """What a ruleset says of itself."""
    return {
        "id": ruleset.id, "title": ruleset.title, "version": ruleset.version, "unit": ruleset.unit,
        "rules": len(ruleset.rulebook.rules), "complete": ruleset.complete, "scenarios": list(ruleset.scenarios),
        "armies": list(ruleset.armies()), "house_rules": list(ruleset.house_rules),
        "odds": list(ruleset.odds_questions),
    }  # fmt: skip


def text_of(ruleset: Ruleset) -> str:
    """What stands in its about.json."""
    return json.dumps(about(ruleset), ensure_ascii=False, indent=1) + "\n"


def read(game: str) -> dict[str, Any] | None:
    """What the about.json of a game says; None where it has none."""
    path = path_of(game)
    found: dict[str, Any] | None = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    return found
