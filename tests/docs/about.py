"""What each game says of itself in its about.json: `python -m tests.docs.about` writes it anew."""

from __future__ import annotations

from grognard.games import RULESETS
from grognard.games.abouts import path_of, text_of

if __name__ == "__main__":
    for game, ruleset in RULESETS.items():
        path_of(game).write_text(text_of(ruleset), encoding="utf-8")
