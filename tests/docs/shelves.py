"""Keep the cards of every game as they are in this release: `python -m tests.docs.shelves`.

Saves and databases of the release that do not bring their cards along open with them when the cards have changed.
"""

from __future__ import annotations

from grognard.games import RULESETS
from grognard.kernel.match import shelf

if __name__ == "__main__":
    for ruleset in RULESETS.values():
        print(shelf.keep(ruleset.folder / "cards"))
